"""Packed states as the compiled core has them, and which moves can be asked of one."""

from .._core.orbis.core import ALL, DIFFERENT, LEFT, MARGIN_SCALE, NOTHING, SEARCH, PackedState, Table

__all__ = ["ALL", "DIFFERENT", "LEFT", "MARGIN_SCALE", "NOTHING", "SEARCH", "PackedState", "Table"]
