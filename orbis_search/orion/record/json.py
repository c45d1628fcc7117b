"""A record as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from typing import Any

from ..notation.oneline import write_oneline
from .game import Record


def record_to_json(record: Record) -> dict[str, Any]:
    return {
        "date": record.date or None,
        "start": write_oneline(record.start),
        "header": dict(record.extra),
        "turns": [{"player": turn.player + 1, "move": turn.text, "drawn": list(turn.drawn)} for turn in record.turns],
        "remarks": list(record.end),
    }
