"""The compiled core's packed states."""

from ..._core.game import GameState
from ..._core.orion.core import (
    ADVISORS_FROM,
    MARGIN_SCALE,
    MOST_ADVISORS,
    MOST_CARDS,
    MOST_NAMES,
    NOTHING,
    RACES_FROM,
    STATE_BYTES,
    STYLES,
    PackedState,
    Table,
)
from ..._core.orion.standing import StandingWeights

__all__ = [
    "ADVISORS_FROM",
    "MARGIN_SCALE",
    "MOST_ADVISORS",
    "MOST_CARDS",
    "MOST_NAMES",
    "NOTHING",
    "RACES_FROM",
    "STATE_BYTES",
    "STYLES",
    "GameState",
    "PackedState",
    "StandingWeights",
    "Table",
]
