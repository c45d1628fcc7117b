"""An Advice as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..moves.json import move_to_json
from ..search.data import MoveValue
from .data import Advice, Comparison, is_known, label_of
from .text import reasons

FORMAT, VERSION = "orbis-orion-advice", 1


def advice_to_json(advice: Advice, top: int | None = None) -> dict[str, Any]:
    """The best `top` ideas, or all if it is None."""
    result = advice.result
    return {
        "format": FORMAT,
        "version": VERSION,
        "to_move": advice.mover + 1,
        "simulations": result.simulations,
        "seconds": round(result.seconds, 3),
        "threads": result.threads,
        "seed": result.seed,
        "stopped": result.stopped,
        "status": advice.position.cards.status,
        "ideas": [
            {"rank": rank, "ways": len(idea.ways), "best": _value(advice, idea.best)}
            for rank, idea in enumerate(advice.ideas[:top], 1)
        ],
        "why": None if advice.why is None else _comparison(advice, advice.why),
    }


def _value(advice: Advice, value: MoveValue) -> dict[str, Any]:
    return {
        "move": move_to_json(advice.position, value.move),
        "win": value.shares[advice.mover],
        "low": value.low,
        "high": value.high,
        "measured": is_known(value),
        "proved": value.proved,
        "visits": value.visits,
        "shares": list(value.shares),
        "points": [each.total for each in value.sources],
        "sources": [asdict(each) for each in value.sources],
    }


def _comparison(advice: Advice, why: Comparison) -> dict[str, Any]:
    return {
        "first": label_of(advice, why.first),
        "second": label_of(advice, why.second),
        "win": why.win,
        "own_gain": why.own_gain,
        "others_loss": why.others_loss,
        "reasons": list(reasons(why)),
    }
