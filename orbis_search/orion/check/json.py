"""A Check as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from typing import Any

from ...base.json import check_document
from ..game.counting import standings, winners
from ..game.position import Position
from .data import Check

FORMAT = "orbis-orion-check"


def check_to_json(check: Check) -> dict[str, Any]:
    """Points and who is ahead are as if the game ended now, so they are final when the phase is over."""
    sound = check.position if not check.problems else None
    return check_document(FORMAT, check.problems, None if sound is None else _standing(sound))


def _standing(position: Position) -> dict[str, Any]:
    return {
        "players": len(position.players),
        "round": position.round,
        "phase": position.phase.value,
        "to_move": None if position.to_move is None else position.to_move + 1,
        "cards": position.cards.name,
        "status": position.cards.status,
        "points": [points.total for points in standings(position)],
        "ahead": [seat + 1 for seat in winners(position)],
    }
