"""A Solution as text for people: the moves and what is proved about them, the draws after one, how best play may
continue."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ..base.language import N_, _, ngettext, numeral
from ..base.options import TOP, boolean, expect
from ..drawing.labels import player_name
from ..game.kinds import expect_kind
from ..game.vocabulary import TURNS
from ..notation.common import tile_text
from ..notation.move_text import format_move
from ..tileset.descriptions import tell
from .data import Solution
from .endgame import FURTHEST

if TYPE_CHECKING:
    from .data import Bounds, SolvedMove

SHOWN = 10
WIDTH = 80
NO_BREAK = "\N{NO-BREAK SPACE}"


def solution_text(solution: Solution, top: int | None = SHOWN, *, ways: bool = False) -> str:
    """The best `top` rows, or all if it is None. `ways`: every way to pay and to feed a volcano has a row of its own.

    >>> solution = orbis.solve(position, nodes=1000)
    >>> print(solution_text(solution))
    player 1 to move, 18 turns left: ... nodes in ...
    """
    expect_kind(solution, Solution, "solution")
    top = expect("top", top, TOP)
    expect("ways", ways, boolean)
    position = solution.position
    rows = [(each, []) for each in solution.moves] if ways else _by_choice(solution.moves)
    lines = [_headline(solution), ""]
    values = [value_text(each, solution) for each, _ in rows[:top]]
    width = max(map(len, [_heading(solution), *values]))
    move_heading = _("move")
    lines.append(f"{'':>4}  {_heading(solution):<{width}}  {move_heading}")
    for rank, ((each, others), value) in enumerate(zip(rows[:top], values), 1):
        mark = "*" if solution.best is not None and each.proved and each.lows == solution.best.lows else " "
        text = format_move(position, each.move)
        lines.append(f"{rank:>3}{mark}  {value:<{width}}  {text}{_others(others)}")
    if top is not None and len(rows) > top:
        more = ngettext("... and {n} more (--top 0 lists all)", "... and {n} more (--top 0 lists all)", len(rows) - top)
        lines.append(f"      {more}")
    if solution.best is not None:
        lines += ["", _("* proved: no move is better")]
    if solution.points:
        ahead = _unbroken(value_text(solution.points[0], replace(solution, objective="margin")))
        tied = ngettext(
            "{n} move is as good; points ahead rank it, if all play for points: {ahead}.",
            "{n} moves are as good; points ahead rank them, if all play for points: {ahead} for the first.",
            len(solution.points),
            ahead=ahead,
        )
        lines += [line.replace(NO_BREAK, " ") for line in wrap(tied, WIDTH, break_on_hyphens=False)]
    if solution.chosen is not None:
        lines += ["", *_draw_lines(solution)]
    if solution.line:
        lines += ["", *_line_lines(solution)]
    return "\n".join(lines) + "\n"


def _headline(solution: Solution) -> str:
    position = solution.position
    left = TURNS * len(position.players) - position.turns_played
    name = player_name(position, position.to_move or 0)
    head = ngettext(
        "{player} to move, {n} turn left: {nodes:,} nodes in {seconds:.2f} s",
        "{player} to move, {n} turns left: {nodes:,} nodes in {seconds:.2f} s",
        left,
        player=name,
        nodes=solution.nodes,
        seconds=solution.seconds,
    )
    if solution.finished and solution.stopped == "proved":
        return head
    state = _STATES[solution.stopped, solution.best is not None]
    lines = [head, _(state, exact=solution.exact, number=len(solution.moves))]
    if solution.best is None:
        lines.append(_("Without a proof, orbis advise ranks the moves."))
    return "\n".join(lines)


# By what ended the work, and whether a move is proved best.
_STATES = {
    ("time", True): N_(
        "Time ran out: the best move is proved, {exact} of {number} moves have their exact value, the "
        "others proved bounds."
    ),
    ("time", False): N_(
        "Time ran out: no move is proved best, {exact} of {number} moves have their exact value, the "
        "others proved bounds."
    ),
    ("nodes", True): N_(
        "The nodes ran out: the best move is proved, {exact} of {number} moves have their exact value, "
        "the others proved bounds."
    ),
    ("nodes", False): N_(
        "The nodes ran out: no move is proved best, {exact} of {number} moves have their exact value, "
        "the others proved bounds."
    ),
    ("interrupted", True): N_(
        "Interrupted: the best move is proved, {exact} of {number} moves have their exact value, the "
        "others proved bounds."
    ),
    ("interrupted", False): N_(
        "Interrupted: no move is proved best, {exact} of {number} moves have their exact value, the "
        "others proved bounds."
    ),
    ("memory", True): N_(
        "A turn has too many moves to list: the best move is proved, {exact} of {number} moves have "
        "their exact value, the others proved bounds."
    ),
    ("memory", False): N_(
        "A turn has too many moves to list: no move is proved best, {exact} of {number} moves have "
        "their exact value, the others proved bounds."
    ),
    ("running", True): N_(
        "Still running: the best move is proved, {exact} of {number} moves have their exact value, the "
        "others proved bounds."
    ),
    ("running", False): N_(
        "Still running: no move is proved best, {exact} of {number} moves have their exact value, the "
        "others proved bounds."
    ),
}


def _heading(solution: Solution) -> str:
    two = len(solution.position.players) == 2
    if solution.objective == "win":
        return _("win") if two else _("win, mover first")
    return _("points ahead") if two else _("points ahead, mover first")


def _by_choice(moves: tuple[SolvedMove, ...]) -> list[tuple[SolvedMove, list[SolvedMove]]]:
    """The first way to play each tile, slot, face and validation, and the other ways."""
    found: dict[tuple[Any, ...], list[SolvedMove]] = {}
    for each in moves:
        move = each.move
        found.setdefault((move.cell, move.god, move.slot, move.wild, move.validated), []).append(each)
    return [(ways[0], ways) for ways in found.values()]


def _others(ways: list[SolvedMove]) -> str:
    if len(ways) < 2:
        return ""
    number = len(ways) - 1
    proved = all(each.high <= ways[0].low for each in ways[1:])
    if proved:
        return "  " + ngettext("({n} other way, none better)", "({n} other ways, none better)", number)
    return "  " + ngettext("({n} other way)", "({n} other ways)", number)


def value_text(bounds: Bounds, solution: Solution) -> str:
    """`62.50 % = 5/8`, or what is proved: `at least 33.33 %, at most 50.00 %`."""
    players, who = len(solution.position.players), bounds.who
    if players > 2 and bounds.proved:
        return " : ".join(_exact(bounds.lows[(who + i) % players], solution.objective) for i in range(players))
    if bounds.low == bounds.high:
        return _exact(bounds.low, solution.objective)
    parts = []
    least, most = (0, 1) if solution.objective == "win" else (-FURTHEST, FURTHEST)
    if bounds.low > least:
        parts.append(_("at least {number}", number=_number(bounds.low, solution.objective, -1)))
    if bounds.high < most:
        parts.append(_("at most {number}", number=_number(bounds.high, solution.objective, 1)))
    return ", ".join(parts) or _("open")


def _unbroken(values: str) -> str:
    """What `value_text` says, to be broken across lines only between the values of two players or two bounds."""
    return re.sub(r"(?<![:,]) ", NO_BREAK, values)


def _exact(value: Fraction, objective: str) -> str:
    if value.denominator == 1:
        return f"{100 * value} %" if objective == "win" else f"{value.numerator:+}".replace("+0", "0")
    return f"{_number(value, objective)} = {value}"


def _number(value: Fraction, objective: str, towards: int = 0) -> str:
    """Two decimals; bounds are rounded outwards (-1 down, 1 up), so that they hold as they are printed."""
    hundredths = value * (10_000 if objective == "win" else 100)
    if towards:
        whole = -(-hundredths.numerator // hundredths.denominator) if towards > 0 else hundredths // 1
    else:
        whole = round(hundredths)
    return numeral(whole / 100, ".2f") + " %" if objective == "win" else numeral(whole / 100, "+.2f")


def _draw_lines(solution: Solution) -> list[str]:
    assert solution.chosen is not None
    value = value_text(solution.chosen, solution)
    move = format_move(solution.position, solution.chosen.move)
    if not solution.draws:
        nothing = [] if solution.chosen.move.god is None else ["  " + _("a god: nothing is drawn")]
        return [f"{move}: {value}", *nothing]
    values = [value_text(each, solution) for each in solution.draws]
    width = max(map(len, values))
    lines = [_("{move}: {value}, and by the tile drawn next:", move=move, value=value)]
    for each, value in zip(solution.draws, values):
        times = f"{each.weight} × " if each.weight > 1 else ""
        name = "" if each.tile.described else f"{each.tile.id}  "
        lines.append(f"  {value:<{width}}  {times}{name}{tell(each.tile)}")
    return lines


def _line_lines(solution: Solution) -> list[str]:
    lines = [_("Best play may continue:")]
    for step in solution.line:
        name = player_name(step.position, step.position.to_move or 0)
        came = "" if step.draw is None else "; " + _("{tile} is drawn", tile=tile_text(step.draw))
        lines.append(f"  {name}: {format_move(step.position, step.move)}{came}")
    return lines
