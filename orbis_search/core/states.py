"""The compiled core's packed states, and which of their moves one can ask for."""

from .._core.orbis.core import ALL, DIFFERENT, LEFT, MARGIN_SCALE, NOTHING, SEARCH, PackedState, Table

__all__ = ["ALL", "DIFFERENT", "LEFT", "MARGIN_SCALE", "NOTHING", "SEARCH", "PackedState", "Table"]
