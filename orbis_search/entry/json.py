"""What became of a conversation as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.json import problems_to_json
from .data import EditReport, Exchange, TrackReport

EDIT, TRACK = "orbis-edit", "orbis-track"
VERSION = 1


def edit_to_json(report: EditReport) -> dict[str, Any]:
    return {
        "format": EDIT,
        "version": VERSION,
        "file": report.file,
        "status": report.status,
        "draft": report.draft if report.status == "kept" else None,
        "exchange": exchanges_to_json(report.exchanges),
        "problems": problems_to_json(report.problems),
    }


def track_to_json(report: TrackReport) -> dict[str, Any]:
    position = None if report.record is None else report.record.position()
    return {
        "format": TRACK,
        "version": VERSION,
        "file": None if report.record is None else report.file,
        "turns": 0 if report.record is None else len(report.record.turns),
        "to_move": None if position is None or position.to_move is None else position.to_move + 1,
        "is_over": position is not None and position.is_over,
        "exchange": exchanges_to_json(report.exchanges),
    }


def exchanges_to_json(exchanges: Iterable[Exchange]) -> list[dict[str, Any]]:
    return [
        {"question": each.question, "answer": each.answer, "problems": problems_to_json(each.problems)}
        for each in exchanges
    ]
