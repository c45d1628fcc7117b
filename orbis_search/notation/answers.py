"""What `orbis moves`, `orbis check` and the engine answer, as plain data ready for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..base.errors import Problem
    from ..game.position import Move, Position

MOVES_FORMAT, CHECK_FORMAT, VERSION = "orbis-moves", "orbis-check", 1


# Moves.


def by_choice(moves: Iterable[Move]) -> list[list[Move]]:
    """The moves by the tile or god they take, in a fixed order."""
    return [list(group) for _, group in groupby(sorted(moves, key=_order), key=lambda move: (move.cell, move.god))]


def _order(move: Move) -> tuple[Any, ...]:
    """Regions by cell before gods; face up before wilderness, validated before cancelled."""
    return (
        move.cell is None,
        move.cell if move.cell is not None else move.god,
        move.wild,
        move.slot or (),
        not move.validated,
        move.removed,
        tuple(-count for count in move.realm),
    )


def moves_to_json(position: Position, groups: Sequence[Sequence[Move]], every: bool, limit: int) -> dict[str, Any]:
    """Of each tile or god the first `limit` moves, 0 for all. `every`: whether these are all the legal ones."""
    from .move_json import move_to_json

    return {
        "format": MOVES_FORMAT,
        "version": VERSION,
        "kind": "all" if every else "search",
        "count": sum(map(len, groups)),
        "moves": [move_to_json(position, move) for group in groups for move in group[: limit or None]],
    }


# Checks.


def check_to_json(position: Position) -> dict[str, Any]:
    """A sound position: points, worshipers and who is ahead are as if the game ended now, so they are final when
    `to_move` is null."""
    from ..game import rules

    scores = rules.score(position)
    return {
        "format": CHECK_FORMAT,
        "version": VERSION,
        "ok": True,
        "problems": [],
        "players": len(position.players),
        "turns_played": position.turns_played,
        "to_move": None if position.to_move is None else position.to_move + 1,
        "piles": [pile.left for pile in position.piles],
        "unsure_piles": [len(pile.tiles) > pile.left for pile in position.piles],
        "tiles": position.tiles.name,
        "points": [score.total for score in scores],
        "worshipers": [score.worshipers for score in scores],
        "ahead": [index + 1 for index in rules.winners(position)],
    }


def problems_to_json(problems: Iterable[Problem]) -> dict[str, Any]:
    """A position with problems."""
    return {"format": CHECK_FORMAT, "version": VERSION, "ok": False, "problems": problems_to_list(problems)}


def problems_to_list(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [{"place": problem.place, "message": problem.message} for problem in problems]


# Texts, of commands that have nothing else to say.


def text_to_json(kind: str, text: str) -> dict[str, Any]:
    return {"format": "orbis-text", "version": VERSION, "kind": kind, "text": text}
