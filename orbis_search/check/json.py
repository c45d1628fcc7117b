"""A Check as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from ..base.json import check_document
from .data import Check, expect_check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..game.position import Position

FORMAT = "orbis-check"


def check_to_json(check: Check) -> dict[str, Any]:
    """Points, worshipers and who is ahead are as if the game ended now, so they are final when `to_move` is null.

    >>> data = check_to_json(orbis.check_position(position))
    >>> data["ok"], data["points"]
    (True, [10, 6])
    """
    expect_check(check)
    sound = check.position if not check.problems else None
    return check_document(FORMAT, check.problems, None if sound is None else _standing(sound))


def _standing(position: Position) -> dict[str, Any]:
    from ..game import rules

    scores = rules.score(position)
    return {
        "players": len(position.players),
        "turns_played": position.turns_played,
        "to_move": None if position.to_move is None else position.to_move + 1,
        "piles": [pile.left for pile in position.piles],
        "unsure_piles": [len(pile.tiles) > pile.left for pile in position.piles],
        "tiles": position.tiles.name,
        "points": [score.total for score in scores],
        "worshipers": [score.worshipers for score in scores],
        "ahead": [index + 1 for index in rules.winners(position)],
    }
