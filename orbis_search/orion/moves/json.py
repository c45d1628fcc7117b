"""A MoveList as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from typing import Any

from ..drawing.sentences import explain_move
from ..game.position import MOVES, Move, Position
from ..notation.moves import format_move
from .data import MoveList

FORMAT, VERSION = "orbis-orion-moves", 1
_SEATS_AND_NUMBERS = ("system", "player")  # counted from 1, as in the text


def moves_to_json(listing: MoveList, limit: int | None = None) -> dict[str, Any]:
    """Of each kind the first `limit` moves, all if it is None."""
    seat = listing.position.to_move
    return {
        "format": FORMAT,
        "version": VERSION,
        "to_move": None if seat is None else seat + 1,
        "count": listing.count,
        "status": listing.position.cards.status,
        "moves": [move_to_json(listing.position, move) for group in listing.groups for move in group[:limit]],
    }


def move_to_json(position: Position, move: Move) -> dict[str, Any]:
    """A move as text, in words, and its parts as far as its kind has them."""
    parts: dict[str, Any] = {}
    for field in MOVES[move.kind]:
        value = getattr(move, field)
        if field in _SEATS_AND_NUMBERS:
            value += 1
        elif field == "resources":
            value = value._asdict()
        elif field == "order":
            value = list(value)
        parts[field] = value
    return {"text": format_move(position, move), "kind": move.kind, "explained": explain_move(position, move), **parts}
