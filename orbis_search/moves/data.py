"""The legal moves of a position by the tile or god they take, in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..core.fast_rules import legal_moves

if TYPE_CHECKING:
    from ..game.position import Move, Position


@dataclass(frozen=True, slots=True)
class MoveList:
    """The legal moves of a position, or those a search looks at."""

    position: Position
    kind: str  # "all", or "search": those a search looks at
    groups: tuple[tuple[Move, ...], ...]  # by the tile or god they take

    @property
    def count(self) -> int:
        """Of all moves."""
        return sum(map(len, self.groups))


def list_moves(position: Position, *, search: bool = False) -> MoveList:
    """All legal moves, or those a search looks at; none when the game is over.

    >>> listing = list_moves(position, search=True)
    >>> listing.count, len(listing.groups)
    (57, 11)
    """
    moves = sorted(legal_moves(position, search=search), key=_order)
    groups = groupby(moves, key=lambda move: (move.cell, move.god))
    return MoveList(position, "search" if search else "all", tuple(tuple(group) for _, group in groups))


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
