"""A Review, and standings over many, as plain data ready for JSON. docs/json.md describes each field.

Fractions are texts such as "5/8".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..advice.text import reasons
from ..drawing.labels import player_name
from ..game.kinds import expect_kind
from ..notation.common import tile_text
from ..notation.move_json import move_to_json
from .data import Account, Draw, JudgedTurn, Review, Swing, Value
from .standings import Mean, Standing

FORMAT, SUMMARY_FORMAT, VERSION = "orbis-review", "orbis-review-summary", 1


def review_to_json(review: Review) -> dict[str, Any]:
    """Every turn, and everybody's account.

    >>> review = orbis.review_game(orbis.Record(position), simulations=100)
    >>> review_to_json(review)["stopped"]
    'unfinished'
    """
    expect_kind(review, Review, "review")
    players = review.record.start.players
    return {
        "format": FORMAT,
        "version": VERSION,
        "stopped": review.stopped,
        "simulations": review.simulations,
        "seconds": review.seconds,
        "threads": review.threads,
        "seed": review.seed,
        "players": [_player(player.name, account) for player, account in zip(players, review.accounts)],
        "start": _value(review.start),
        "turns": [_turn(turn) for turn in review.turns],
        "turning_points": [_swing(swing) for swing in review.turning_points],
    }


def _player(name: str, account: Account) -> dict[str, Any]:
    return {
        "name": name,
        "accuracy": account.accuracy,
        "classes": account.counts,
        "given": str(account.given),
        "given_error": account.own_error,
        "points_given": account.lead_loss,
        "fair": str(account.fair),
        "setup": str(account.setup),
        "luck": str(account.luck),
        "luck_error": account.luck_error,
        "own": str(account.own),
        "others": str(account.others),
        "revision": str(account.revision),
        "result": str(account.result),
    }


def _value(value: Value) -> dict[str, Any]:
    return {
        "shares": [str(share) for share in value.shares],
        "points": list(value.points),
        "errors": [0.0 if value.proved else error for error in value.errors],
        "proved": value.proved,
    }


def _turn(turn: JudgedTurn) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "player": turn.player + 1,
        "move": move_to_json(turn.position, turn.move),
        "drawn": None if turn.drawn is None else tile_text(turn.drawn),
        "class": turn.verdict,
        "best": move_to_json(turn.position, turn.best),
        "value": _value(turn.mine),
        "best_value": _value(turn.value),
        "given": str(turn.loss),
        "given_error": turn.loss_error,
        "proved": turn.proved,
        "points_given": turn.lead_loss,
        "before": [str(share) for share in turn.before],
        "revision": [str(share) for share in turn.revision],
        "skill": [str(share) for share in turn.skill],
        "luck": [str(share) for share in turn.luck],
        "luck_errors": list(turn.luck_errors),
        "then": _value(turn.then),
        "draws": [_draw(draw) for draw in turn.draws if draw.tile is not None],
        "reasons": [] if turn.why is None else list(reasons(turn.why, player_name(turn.position, turn.player))),
    }


def _draw(draw: Draw) -> dict[str, Any]:
    assert draw.tile is not None
    return {"tile": tile_text(draw.tile), "weight": draw.weight} | _value(draw.value)


def _swing(swing: Swing) -> dict[str, Any]:
    return {
        "turn": swing.turn.number,
        "by": "luck" if swing.by_luck else "move",
        "player": swing.player + 1,
        "size": str(swing.size),
    }


def standings_to_json(rows: Iterable[Standing]) -> dict[str, Any]:
    def mean(value: Mean | None) -> dict[str, Any] | None:
        return None if value is None else {"mean": value.value, "error": value.error}

    return {
        "format": SUMMARY_FORMAT,
        "version": VERSION,
        "players": [
            {
                "name": row.name,
                "games": row.games,
                "result": mean(row.result),
                "accuracy": mean(row.accuracy),
                "luck": mean(row.luck),
                "skill": mean(row.skill),
                "given": mean(row.given),
            }
            for row in rows
        ],
    }
