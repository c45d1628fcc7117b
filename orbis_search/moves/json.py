"""A MoveList as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..notation.move_json import move_to_json

if TYPE_CHECKING:
    from .listing import MoveList

FORMAT, VERSION = "orbis-moves", 1


def moves_to_json(listing: MoveList, limit: int | None = None) -> dict[str, Any]:
    """Of each tile or god the first `limit` moves, all if it is None."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": listing.kind,
        "count": listing.count,
        "moves": [move_to_json(listing.position, move) for group in listing.groups for move in group[:limit]],
    }
