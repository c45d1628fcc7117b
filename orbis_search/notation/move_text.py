"""Moves as text: `b2 r1a 2.3 swap y3>b pay gbw valid give r2 keep r2g3b5`.

Silence has a meaning in two places only: no `wild` means face up, and exchanges not mentioned are as few as possible
(usually none). Whatever else is left out is open, and a text that then fits several moves is refused with a list of
them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from ..base.errors import InputError, Problem
from ..base.language import _, ngettext
from ..base.quoting import shown
from ..game.economy import PLACE, mover, swap_words, tile_on
from ..game.effort import bounded
from ..game.fitting import fits
from ..game.kinds import expect_text
from ..game.legality import expect_turn, nothing_fits, way_of, why_not
from ..game.position import Move, Position
from ..game.rules import Removal
from ..game.vocabulary import CANCELLABLE, CELLS, NOBODY, God, Worshipers
from .move_words import MoveReader, MoveReading

MAX_LISTED = 8  # moves named when a text fits several
MAX_TEXT = 400


class AmbiguousMove(InputError):
    """A text that fits several legal moves: how many, and the first of them."""

    def __init__(self, problem: Problem, count: int, examples: tuple[Move, ...]) -> None:
        super().__init__([problem])
        self.count = count
        self.examples = examples


def format_move(position: Position, move: Move) -> str:
    """The move's canonical text. `parse_move` turns it back into the same move in the same position.

    >>> format_move(position, parse_move("b3 wild 1L", position))
    'b3 r2a wild 1L'
    """
    way = way_of(position, move)
    player = mover(position)

    words: list[str] = []
    judged = move.god is God.DEATH
    if move.god is not None:
        words += ["god", move.god.word]
    if move.cell is not None and move.slot is not None:
        tile = tile_on(position, move.cell)
        judged = tile.effect in CANCELLABLE and not move.wild
        words.append(CELLS[move.cell])
        if not tile.described:  # its id is the whole description
            words.append(tile.id)
        if move.wild:
            words.append("wild")
        words.append(player.slot_name(move.slot))
    if way.before:
        words += ["swap", *swap_words(way.before)]
    if way.paid.total:
        words += ["pay", str(way.paid)]
    if way.gained.total:
        words += ["gain", str(way.gained)]
    if way.after:
        words += ["swap", *swap_words(way.after)]
    if judged:
        words.append("valid" if move.validated else "cancelled")
    if way.given.total:
        words += ["give", str(way.given)]
    if move.removed:
        words += ["remove", *_removal_words(move.removed)]
    if way.discarded.total:
        words += ["keep", str(move.realm)]
    return " ".join(words)


def _removal_words(removed: Removal) -> list[str]:
    cells: dict[int, Worshipers] = {}
    for cell, colour, number in removed:
        cells[cell] = cells.get(cell, NOBODY).changed(colour, number)
    return [f"{CELLS[cell]}:{taken}" for cell, taken in cells.items()]


@bounded
def parse_move(text: str, position: Position, legal: Collection[Move] | None = None) -> Move:
    """The one legal move that the text fits; InputError if there is none, or more than one.

    `legal` narrows what counts as legal, for instance to a search's moves; by default it is
    everything the rules allow, which is never listed in full.

        >>> parse_move("god death", position).god
        <God.DEATH: 9>
        >>> parse_move("d4", position)
        Traceback (most recent call last):
        orbis_search.base.errors.InputError: ...
    """
    readings = _readings(text, position)
    fitting = [fit for said in readings for fit in fits(position, said)]
    if legal is not None:
        offered = sorted({move for move in legal if any(fit.has(move) for fit in fitting)}, key=_order)
        count, examples = len(offered), offered[:MAX_LISTED]
    else:
        # Two readings differ in a cell, a slot or a number of worshipers, so they share no move.
        count = sum(fit.count for fit in fitting)
        examples = list(islice((move for fit in fitting for move in fit.moves()), MAX_LISTED))
    if count == 1:
        return examples[0]
    if count == 0:
        problems = why_not(position, readings[0])
        if not problems:
            message = _("expected one of the moves on offer, found one that is legal but not among them")
            problems = [Problem(PLACE, message)] if fitting else [nothing_fits(text)]
        raise InputError(problems)
    lines = "".join(f"\n  {format_move(position, move)}" for move in examples)
    if count > len(examples):
        lines += "\n  " + ngettext("and {n} more", "and {n} more", count - len(examples))
    message = ngettext(
        "expected text that fits one move, found {found}, which fits {n}:{moves}",
        "expected text that fits one move, found {found}, which fits {n}:{moves}",
        count,
        found=shown(text),
        moves=lines,
    )
    raise AmbiguousMove(Problem(PLACE, message), count, tuple(examples))


def first_fitting(text: str, position: Position, ranked: Sequence[Move]) -> Move:
    """The first of these moves that the text fits, for when it is clear that the best of its kind is meant; as
    wilderness if it cannot lie face up. InputError if it fits none."""
    for words in (text, f"{text} wild"):
        with suppress(InputError):
            fitting = [fit for said in _readings(words, position) for fit in fits(position, said)]
            for move in ranked:
                if any(fit.has(move) for fit in fitting):
                    return move
    return parse_move(text, position)  # one that is not ranked, or why there is none


def _readings(text: str, position: Position) -> list[MoveReading]:
    """What the text may mean; InputError if it is no move."""
    expect_turn(position)
    expect_text(text, PLACE)
    if len(text) > MAX_TEXT:
        raise InputError.one(
            PLACE, _("expected at most {most} characters, found {found}", most=MAX_TEXT, found=len(text))
        )
    reader = MoveReader(position, text)
    if not reader.words:
        raise InputError.one(PLACE, _("expected a move such as b2 2.3 or god love, found nothing"))
    readings = reader.readings()
    if readings[0].problems:
        raise InputError(readings[0].problems)
    return readings


def _order(move: Move) -> tuple[Any, ...]:
    taken = (-1 if move.cell is None else move.cell, -1 if move.god is None else move.god)
    return (*taken, move.wild, move.slot or (), not move.validated, move.removed, move.realm)
