"""A training run as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .run import Outcome, Plan

FORMAT, VERSION = "orbis-training-result", 1


def run_to_json(plan: Plan, outcomes: Sequence[Outcome], interrupted: bool = False) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "plan": {**asdict(plan), "players": list(plan.players)},
        "interrupted": interrupted,
        "generations": [outcome_to_json(each) for each in outcomes],
    }


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "generation": outcome.generation,
        "players": outcome.players,
        "positions": outcome.positions,
        "played": outcome.played,
        "losses": list(outcome.losses),
        "search_loss": outcome.search_loss,
        "scores": [{"tiles": name, "score": score} for name, score in outcome.scores.items()],
        "kept": outcome.kept,
    }
