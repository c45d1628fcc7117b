"""The compiled core's packed states."""

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
    "PackedState",
    "Table",
]
