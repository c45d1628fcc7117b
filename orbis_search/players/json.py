"""Matches, levels and games that were played as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base.language import _
from ..entry.json import exchanges_to_json
from ..game import rules
from ..matches.json import result_to_json
from ..record.text import write_record
from .levels import LEVELS

__all__ = ["levels_to_json", "play_to_json", "result_to_json"]

if TYPE_CHECKING:
    from .session import PlayReport

LEVELS_FORMAT, PLAY_FORMAT = "orbis-levels", "orbis-play"
VERSION = 1


def levels_to_json() -> dict[str, Any]:
    """The levels, weakest first."""
    levels = [
        {"number": number, "name": level.name, "elo": level.elo, "meaning": _(level.meaning)}
        for number, level in enumerate(LEVELS, 1)
    ]
    return {"format": LEVELS_FORMAT, "version": VERSION, "levels": levels}


def play_to_json(report: PlayReport) -> dict[str, Any]:
    game = report.game
    position = game.position
    return {
        "format": PLAY_FORMAT,
        "version": VERSION,
        "file": report.file,
        "status": report.status,
        "seats": [{"name": seat.name, "player": seat.player or None} for seat in game.seats],
        "seed": game.seed,
        "turns": len(game.record.turns),
        "points": [score.total for score in rules.score(position)],
        "winners": [index + 1 for index in rules.winners(position) if position.is_over],
        "record": write_record(game.record),
        "exchange": exchanges_to_json(report.exchanges),
    }
