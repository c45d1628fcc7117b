"""The compiled core's packed states, and which of their moves one can ask for."""

from .._core.orbis.core import (
    ALL,
    DIFFERENT,
    LARGEST_INPUT,
    LEFT,
    MARGIN_SCALE,
    NETWORK_SIZES,
    NOTHING,
    SEARCH,
    PackedState,
    Table,
)

__all__ = [
    "ALL",
    "DIFFERENT",
    "LARGEST_INPUT",
    "LEFT",
    "MARGIN_SCALE",
    "NETWORK_SIZES",
    "NOTHING",
    "SEARCH",
    "PackedState",
    "Table",
]
