"""An Advice as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from ..base.options import TOP, boolean, expect
from ..drawing.sentences import idea_words
from ..game.kinds import expect_kind
from ..game.tiles import DEFAULT_TILE_SET
from ..game.vocabulary import CELLS, Colour, Worshipers
from ..notation.common import tile_text
from ..notation.move_json import move_to_json
from .data import Advice, Sources
from .rows import Row, labels, rows
from .text import reasons

if TYPE_CHECKING:
    from ..game.position import Move, Position
    from .data import Candidate, Comparison, DrawValue, Side, Step

FORMAT, VERSION = "orbis-advice", 2
_SOURCES = tuple(field.name for field in fields(Sources))  # plain numbers, of which every report has hundreds


def advice_to_json(advice: Advice, top: int | None = None, all_ways: bool = False) -> dict[str, Any]:
    """The best `top` ideas, or all if it is None, each with its best move; and all moves that were kept or are
    compared. `all_ways`: every other way to play them as well.

        >>> advice = orbis.advise(position, simulations=100, seed=1)
        >>> len(advice_to_json(advice, top=3)["ideas"])
        3
    """
    expect_kind(advice, Advice, "advice")
    top = expect("top", top, TOP)
    expect("all_ways", all_ways, boolean)
    called = labels(advice)
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
        "evaluation": advice.evaluation,
        "reconstructed": advice.position.tiles.name == DEFAULT_TILE_SET,
        "ideas": [_idea(advice.position, row, called) for row in rows(advice, top, all_ways)],
        "proof": None if advice.proof is None else asdict(advice.proof),
        "why": None if advice.why is None else _comparison(advice.position, advice.why, called),
    }


def _idea(position: Position, row: Row, called: dict[Move, str]) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "words": idea_words(position, row.idea.best.move),
        "ways": len(row.idea.candidates),
        "best": _candidate(position, row.idea.best, called),
        "variants": [_candidate(position, each, called) for each in row.variants],
    }


def _candidate(position: Position, candidate: Candidate, called: dict[Move, str]) -> dict[str, Any]:
    return {
        "label": called[candidate.move],
        "move": move_to_json(position, candidate.move),
        "win": candidate.win,
        "low": candidate.low,
        "high": candidate.high,
        "measured": candidate.measured,
        "proved": candidate.proved,
        "at_least": str(candidate.at_least),
        "at_most": str(candidate.at_most),
        "visits": candidate.visits,
        "sampled": candidate.sampled,
        "shares": list(candidate.shares),
        "points": list(candidate.points),
        "sources": [{name: getattr(sources, name) for name in _SOURCES} for sources in candidate.sources],
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


def _comparison(position: Position, why: Comparison, called: dict[Move, str]) -> dict[str, Any]:
    return {
        "first": _side(position, why.first, called),
        "second": _side(position, why.second, called),
        "win": why.win,
        "own_gain": why.own_gain,
        "others_loss": why.others_loss,
        "denied": why.denied,
        "seeded": why.seeded,
        "tie_break": why.tie_break,
        "reasons": list(reasons(why)),
    }


def _side(position: Position, side: Side, called: dict[Move, str]) -> dict[str, Any]:
    return {
        "label": called[side.candidate.move],
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
