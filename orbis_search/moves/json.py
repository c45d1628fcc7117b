"""A MoveList as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from typing import Any

from ..base.options import TOP, expect
from ..game.kinds import expect_kind
from ..notation.move_json import move_to_json
from .data import MoveList

FORMAT, VERSION = "orbis-moves", 1


def moves_to_json(listing: MoveList, limit: int | None = None) -> dict[str, Any]:
    """Of each tile or god the first `limit` moves, all if it is None.

    >>> data = moves_to_json(orbis.list_moves(position), limit=1)
    >>> data["count"], len(data["moves"]), data["moves"][0]["text"]
    (121, 11, 'a3 y2b wild 1L')
    """
    expect_kind(listing, MoveList, "listing")
    limit = expect("limit", limit, TOP)
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": listing.kind,
        "count": listing.count,
        "moves": [move_to_json(listing.position, move) for group in listing.groups for move in group[:limit]],
    }
