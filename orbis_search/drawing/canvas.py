"""A sheet of characters with styles, for drawings on a terminal: boxes that share their lines, text by its width."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from ..base.quoting import safe
from ..game.vocabulary import Colour

WIDTH = 79  # a line of 80 would make some terminals add an empty one

# Styles are the parameters of an SGR escape; "" is ordinary text. Letters on a coloured ground stay
# legible on light and on dark terminals, coloured letters on the terminal's own ground do not.
PLAIN = ""
BOLD = "1"
DIM = "2"
MARKED = "1;7"  # bold, colours swapped: what a move takes and where it goes
GROUND = {
    Colour.RED: "1;97;41",
    Colour.GREEN: "1;30;42",
    Colour.BLUE: "1;97;44",
    Colour.YELLOW: "1;30;43",
    Colour.WHITE: "1;30;107",
}

Span = tuple[str, str]  # text, style

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
_LINES = " " + "╵╶└╷│┌├╴┘─┴┐┤┬┼"  # by the sum of the directions a line leaves in
_ASCII = str.maketrans(
    dict.fromkeys("╴╶─·–", "-")
    | dict.fromkeys("╵╷│", "|")
    | dict.fromkeys("└┌├┘┴┐┤┬┼", "+")
    | {"▶": ">", "×": "x", "…": "."}
)


def to_ascii(text: str) -> str:
    """The same drawing, equally wide, for an output that cannot show line-drawing characters."""
    return text.translate(_ASCII)


def char_width(char: str) -> int:
    """Columns a character takes: none for a combining one, two for a wide one."""
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def text_width(text: str) -> int:
    return sum(map(char_width, text))


def fit(text: str, width: int) -> str:
    """The text, safe to print, and cut with an ellipsis if it is wider than that."""
    text = safe(text)
    if text_width(text) <= width:
        return text
    kept = ""
    for char in text:
        if text_width(kept + char) > width - 1:
            break
        kept += char
    return kept + "…"


class Canvas:
    """A sheet of characters with styles, on which boxes that touch share their lines.

    A box adds directions to the points of its outline; which line-drawing character a point gets is
    decided at the end, from all boxes that pass through it. Text written there hides the line.
    """

    def __init__(self) -> None:
        self._text: dict[tuple[int, int], Span] = {}
        self._lines: dict[tuple[int, int], int] = {}

    def put(self, y: int, x: int, text: str, style: str = PLAIN) -> int:
        """Writes from there on; returns the column after the text."""
        for char in text:
            width = char_width(char)
            if width == 0:
                before, its_style = self._text.get((y, x - 1), ("", style))
                self._text[y, x - 1] = (before + char, its_style)
                continue
            self._text[y, x] = (char, style)
            if width == 2:
                self._text[y, x + 1] = ("", style)
            x += width
        return x

    def put_all(self, y: int, x: int, spans: Iterable[Span]) -> int:
        for text, style in spans:
            x = self.put(y, x, text, style)
        return x

    def box(self, y: int, x: int, height: int, width: int) -> None:
        """An outline with its corner there; height and width include the lines."""
        bottom, right = y + height - 1, x + width - 1
        for row in (y, bottom):
            self._stroke(row, x, EAST)
            self._stroke(row, right, WEST)
            for column in range(x + 1, right):
                self._stroke(row, column, EAST | WEST)
        for column in (x, right):
            self._stroke(y, column, SOUTH)
            self._stroke(bottom, column, NORTH)
            for row in range(y + 1, bottom):
                self._stroke(row, column, NORTH | SOUTH)

    def rule(self, y: int, x: int, width: int) -> None:
        for column in range(x, x + width):
            self._stroke(y, column, EAST | WEST)

    def _stroke(self, y: int, x: int, directions: int) -> None:
        self._lines[y, x] = self._lines.get((y, x), 0) | directions

    def lines(self, colour: bool) -> list[str]:
        used = [*self._text, *self._lines]
        height = max((y for y, _ in used), default=-1) + 1
        widths = [0] * height
        for y, x in used:
            widths[y] = max(widths[y], x + 1)
        return [self._line(y, width, colour) for y, width in enumerate(widths)]

    def _line(self, y: int, width: int, colour: bool) -> str:
        out = []
        current = PLAIN
        for x in range(width):
            text, style = self._text.get((y, x)) or (_LINES[self._lines.get((y, x), 0)], PLAIN)
            if colour and style != current:
                out.append(f"\x1b[0;{style}m" if style else "\x1b[0m")
                current = style
            out.append(text)
        if current:
            out.append("\x1b[0m")
        return "".join(out).rstrip()


def spans_width(spans: Iterable[Span]) -> int:
    return sum(text_width(text) for text, _ in spans)


def first_that_fits(width: int, *ways: list[Span]) -> list[Span]:
    """The first way of writing something that is not too wide, or else the last."""
    return next((spans for spans in ways if spans_width(spans) <= width), ways[-1])
