"""Chances and tables for people to read: what the advice of every game looks like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from textwrap import wrap

from .language import _, numeral
from .values import NamedTuple

WIDTH = 80
NO_BREAK = "\N{NO-BREAK SPACE}"
LOPSIDED = 0.001  # an interval is cut off if its sides differ by more; less would not show
DASH = "\N{EN DASH}"  # for a figure that is not known


def percent(value: Fraction | float) -> str:
    """`62.5`, or `0` and `100` for what is certain."""
    return numeral(100 * float(value), ".1f") if 0 < value < 1 else str(int(100 * value))


def interval(win: float, low: float, high: float) -> str:
    """In per cent: `52.3 ± 1.2`, or its ends where one of them is cut off."""
    if abs((high - win) - (win - low)) <= LOPSIDED:
        middle, error = numeral(100 * win, ".1f"), numeral(50 * (high - low), ".1f")
        return middle if error == numeral(0, ".1f") else f"{middle} ± {error}"
    return _("{low} to {high}", low=percent(low), high=percent(high))


def signed(value: float) -> str:
    return numeral(value, "+.1f") if abs(value) >= 0.05 else numeral(0, ".1f")


class Row(NamedTuple):
    """Of a table of ideas."""

    label: str
    win: str  # "" if it is not known
    points: str
    value: str  # where the chance comes from
    words: str


def ranked_table(rows: Sequence[Row], named: str, width_of: Callable[[str], int] = len) -> list[str]:
    """The lines of a table of ideas with a head; `named` stands under the head, above the points."""
    heads = Row("", _("win %"), _("points"), _("value"), _("move"))
    label_width = max(2, *(len(row.label) for row in rows))
    win_width, points_width, value_width = (
        max(width_of(row[column]) for row in [heads, Row("", "", named, "", ""), *rows]) for column in (1, 2, 3)
    )
    unknown = _("barely looked at")
    points_width = max(points_width, len(unknown) - win_width - 2)
    figures_width = win_width + 2 + points_width
    indent = label_width + 2 + figures_width + 2 + value_width + 2
    lines = []
    for label, win, points, value, words in (heads, *rows):
        figures = f"{win:>{win_width}}  {points:>{points_width}}" if win else unknown.rjust(figures_width)
        first, *rest = broken(words, WIDTH - indent)
        lines.append(f"{label:>{label_width}}  {figures}  {value:<{value_width}}  {first}")
        lines += [" " * indent + more for more in rest]
        if not label and any(row.points for row in rows):
            lines.append(" " * (label_width + 2 + figures_width - width_of(named)) + named)
    return lines


def broken(words: str, width: int) -> list[str]:
    """Lines that end with a comma if the words have any, so that a row and its number stay together."""
    joined = words.replace(" ", NO_BREAK).replace("," + NO_BREAK, ", ") if "," in words else words
    return [line.replace(NO_BREAK, " ") for line in wrap(joined, width)] or [""]


def filled(text: str) -> str:
    """A paragraph."""
    return "\n".join(wrap(text, WIDTH - 1, break_on_hyphens=False))


def hanging(head: str, text: str) -> list[str]:
    """A paragraph whose first line begins with something that the others stay clear of."""
    return wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))
