"""An Advice as plain data, ready for JSON. docs/search.md describes each field."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from .notation.common import tile_text
from .notation.moves import move_to_json
from .vocabulary import CELLS, Colour, Worshipers

if TYPE_CHECKING:
    from .advisor import Advice, Candidate, Comparison, DrawValue, Side, Step
    from .position import Position

FORMAT, VERSION = "orbis-advice", 1


def advice_to_json(advice: Advice, top: int | None = None) -> dict[str, Any]:
    """The best `top` candidates, and all that were kept; all if `top` is None."""
    candidates = [
        _candidate(advice.position, candidate, rank)
        for rank, candidate in enumerate(advice.candidates, 1)
        if top is None or rank <= top or candidate.kept
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "to_move": (advice.position.to_move or 0) + 1,
        "simulations": advice.simulations,
        "seconds": round(advice.seconds, 3),
        "threads": advice.threads,
        "seed": advice.seed,
        "stopped": advice.stopped,
        "memory_full": advice.memory_full,
        "unseen": advice.unseen,
        "candidates": candidates,
        "proof": None if advice.proof is None else asdict(advice.proof),
        "why": None if advice.why is None else _comparison(advice.position, advice.why),
    }


def _candidate(position: Position, candidate: Candidate, rank: int) -> dict[str, Any]:
    return {
        "rank": rank,
        "move": move_to_json(position, candidate.move),
        "win": candidate.win,
        "low": candidate.low,
        "high": candidate.high,
        "proved": candidate.proved,
        "at_least": str(candidate.at_least),
        "at_most": str(candidate.at_most),
        "visits": candidate.visits,
        "shares": list(candidate.shares),
        "points": list(candidate.points),
        "sources": [asdict(sources) for sources in candidate.sources],
        "level": candidate.level,
        "level_win": candidate.level_win,
        "worth": candidate.worth,
        "weight": candidate.weight,
        "kept": candidate.kept,
        "line": [_step(step) for step in candidate.line],
        "draws": [_draw(value) for value in candidate.draws],
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "player": step.player + 1,
        "text": step.text,
        "tile": None if step.tile is None else tile_text(step.tile),
        "drawn": step.drawn,
        "frequency": step.frequency,
    }


def _draw(value: DrawValue) -> dict[str, Any]:
    return {"tile": tile_text(value.tile), "win": value.win, "error": value.error, "visits": value.visits}


def _comparison(position: Position, why: Comparison) -> dict[str, Any]:
    return {
        "first": _side(position, why.first),
        "second": _side(position, why.second),
        "win": why.win,
        "own_gain": why.own_gain,
        "others_loss": why.others_loss,
        "denied": why.denied,
        "seeded": why.seeded,
        "tie_break": why.tie_break,
    }


def _side(position: Position, side: Side) -> dict[str, Any]:
    return {
        "move": move_to_json(position, side.candidate.move)["text"],
        "realm": _worshipers(side.realm),
        "seeds": [
            {"cell": CELLS[seed.cell], "tile": tile_text(seed.tile), "colour": seed.colour.word, "taken": seed.taken}
            for seed in side.seeds
        ],
        "seed_points": None if side.seed_points is None else list(side.seed_points),
        "seed_error": side.seed_error,
    }


def _worshipers(worshipers: Worshipers) -> dict[str, int]:
    return {colour.word: worshipers[colour] for colour in Colour}
