"""Matches, levels and games of Master of Orion as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from typing import Any

from ...base.language import _
from ...matches.json import result_to_json
from ..game.counting import standings, winners
from ..record.json import record_to_json
from .levels import LEVELS
from .session import PlayReport

__all__ = ["levels_to_json", "play_to_json", "result_to_json"]

LEVELS_FORMAT, PLAY_FORMAT, VERSION = "orbis-orion-levels", "orbis-orion-play", 1


def levels_to_json() -> dict[str, Any]:
    """The levels, weakest first."""
    levels = [
        {"number": number, "name": level.name, "meaning": _(level.meaning)} for number, level in enumerate(LEVELS, 1)
    ]
    return {"format": LEVELS_FORMAT, "version": VERSION, "levels": levels}


def play_to_json(report: PlayReport) -> dict[str, Any]:
    game = report.game
    return {
        "format": PLAY_FORMAT,
        "version": VERSION,
        "file": report.file,
        "status": report.status,
        "seats": [{"name": seat.name, "player": seat.player or None} for seat in game.seats],
        "seed": game.seed,
        "turns": len(game.record.turns),
        "points": [points.total for points in standings(game.position)],
        "winners": [seat + 1 for seat in winners(game.position) if game.is_over],
        "record": record_to_json(game.record),
    }
