"""The legal moves of a position by their kind, in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from ...base.errors import InputError
from ..game.position import Move, Position
from ..game.rules import legal_moves
from ..game.vocabulary import UNKNOWN
from ..notation.moves import hidden_hand


@dataclass(frozen=True, slots=True)
class MoveList:
    position: Position
    groups: tuple[tuple[Move, ...], ...]  # by their kind

    @property
    def count(self) -> int:
        """Of all moves."""
        return sum(map(len, self.groups))


def list_moves(position: Position) -> MoveList:
    """All legal moves; none when the game is over or a card is to be drawn. InputError if not all cards of the player
    who decides are known."""
    mover = position.to_move
    if mover is not None and UNKNOWN in position.players[mover].hand:
        raise InputError.one("position", hidden_hand(position))
    groups = groupby(legal_moves(position), key=lambda move: move.kind)
    return MoveList(position, tuple(tuple(group) for _, group in groups))
