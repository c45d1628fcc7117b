"""The rows of the advice: which ideas are listed, which ways to play them, and what each is called.

The text and the JSON list the same rows under the same names: `2` for the second idea, played in its best
way, `2b` for the second best way.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from ..base.errors import InputError
from ..base.language import _
from ..base.quoting import shown
from ..notation.move_text import first_fitting

if TYPE_CHECKING:
    from ..game.position import Move
    from .data import Advice, Candidate, Idea


class Row(NamedTuple):
    rank: int  # of the idea, from 1
    idea: Idea
    variants: tuple[Candidate, ...]  # ways that are listed besides the best


def rows(advice: Advice, top: int | None = None, all_ways: bool = False) -> list[Row]:
    """The first `top` ideas, or all of them, and any others that were asked for or are compared."""
    named = {candidate.move for candidate in advice.candidates if candidate.kept} | compared_moves(advice)
    found = []
    for rank, idea in enumerate(advice.ideas, 1):
        if top is None or rank <= top or any(each.move in named for each in idea.candidates):
            found.append(Row(rank, idea, tuple(e for e in idea.candidates[1:] if all_ways or e.move in named)))
    return found


def move_meant(advice: Advice, text: str) -> Move:
    """The move that somebody means who has read the advice: `2` for the second idea, `c2` for the best move with the
    tile there, or a whole move. InputError if it is none."""
    moves = [idea.best.move for idea in advice.ideas]
    if text.isascii() and text.isdecimal():
        if text in map(str, range(1, len(moves) + 1)):
            return moves[int(text) - 1]
        message = _("expected a move from 1 to {last}, found {found}", last=len(moves), found=shown(text))
        raise InputError.one("", message)
    return first_fitting(text, advice.position, [*moves, *(each.move for each in advice.candidates)])


def compared_moves(advice: Advice) -> set[Move]:
    """The two moves of `why`."""
    return set() if advice.why is None else {side.candidate.move for side in (advice.why.first, advice.why.second)}


def labels(advice: Advice) -> dict[Move, str]:
    """What every move is called."""
    return {
        each.move: f"{rank}{way_letter(number) if number else ''}"
        for rank, idea in enumerate(advice.ideas, 1)
        for number, each in enumerate(idea.candidates)
    }


def way_letter(number: int) -> str:
    """a, b, ... z, aa, ab, ...: a god of love has 126 ways.

    >>> way_letter(0), way_letter(25), way_letter(26), way_letter(702)
    ('a', 'z', 'aa', 'aaa')
    """
    letters = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, len(ascii_lowercase))
        letters = ascii_lowercase[digit] + letters
    return letters
