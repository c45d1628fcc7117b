"""The result of a match as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

import math
from typing import Any

from .data import Result, Standing
from .statistics import Sprt

VERSION = 1


def result_to_json(
    result: Result, test: Sprt | None = None, interrupted: bool = False, replayed: int | None = None
) -> dict[str, Any]:
    """JSON has no infinity: an unbounded Elo difference is null. `replayed`: games checked, if so."""
    match = result.match
    value: dict[str, Any] = {
        "format": f"{match.FORMAT}-result",
        "version": VERSION,
        "players": match.players,
        match.BOX: match.box,
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
