"""Matches, levels and games that were played as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..base.language import _
from ..entry.json import exchanges_to_json
from ..game import rules
from ..record.text import write_record
from .levels import LEVELS

if TYPE_CHECKING:
    from .arena import Result, Sprt, Standing
    from .session import PlayReport

FORMAT, LEVELS_FORMAT, PLAY_FORMAT = "orbis-arena-result", "orbis-levels", "orbis-play"
VERSION = 1


def result_to_json(
    result: Result, test: Sprt | None = None, interrupted: bool = False, replayed: int | None = None
) -> dict[str, Any]:
    """JSON has no infinity: an unbounded Elo difference is null. `replayed`: games checked, if so."""
    match = result.match
    value: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "players": match.players,
        "tiles": match.tiles,
        "seed": match.seed,
        "games": result.games,
        "rounds": result.rounds,
        "interrupted": interrupted,
        "standings": [_standing(standing) for standing in result.standings],
    }
    if test is not None:
        lower, upper = test.bounds
        value["sprt"] = {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "llr": result.ratio,
            "lower": lower,
            "upper": upper,
            "verdict": result.verdict,
        }
    if replayed is not None:
        value["replayed"] = replayed
    return value


def _standing(standing: Standing) -> dict[str, Any]:
    def finite(number: float) -> float | None:
        return number if math.isfinite(number) else None

    return {
        "player": standing.player,
        "won": standing.won,
        "shared": standing.shared,
        "lost": standing.lost,
        "score": finite(standing.score),
        "score_95": list(standing.score_95),
        "fair": standing.fair,
        "elo": finite(standing.elo),
        "elo_95": [finite(bound) for bound in standing.elo_95],
        "points": finite(standing.points),
        "seconds_per_move": finite(standing.seconds),
    }


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
