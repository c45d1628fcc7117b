"""Positions and moves as text.

A position has three written forms, all lossless: a TOML file for people, one line for chats and command
lines, JSON for programs. `read_position` tells them apart by how they start.
"""

from __future__ import annotations

import os
from importlib import import_module

from ..base.position_text import form_of
from ..game.position import Position
from ..game.tiles import TileSet
from .common import parse_worshipers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .json import position_from_json, position_to_json, read_json, write_json
    from .move_json import move_from_json, move_to_json
    from .move_text import AmbiguousMove, format_move, parse_move
    from .oneline import read_oneline, write_oneline
    from .toml import read_document, read_toml, write_template, write_toml

__all__ = [
    "AmbiguousMove",
    "format_move",
    "move_from_json",
    "move_to_json",
    "parse_move",
    "parse_worshipers",
    "position_from_json",
    "position_to_json",
    "read_document",
    "read_json",
    "read_oneline",
    "read_position",
    "read_toml",
    "write_json",
    "write_oneline",
    "write_template",
    "write_toml",
]

LETTER = "o"  # with which one line begins

# Imported when first used: reading one form should not cost the import of the others, or of the rules.
_HOMES = {
    "json": ("position_from_json", "position_to_json", "read_json", "write_json"),
    "move_json": ("move_from_json", "move_to_json"),
    "move_text": ("AmbiguousMove", "format_move", "parse_move"),
    "oneline": ("read_oneline", "write_oneline"),
    "toml": ("read_document", "read_toml", "write_template", "write_toml"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("." + _HOME_OF[name], __name__), name)


def read_position(
    text: str | bytes,
    place: str = "",
    base_dir: str | os.PathLike[str] | None = None,
    tiles: TileSet | str | None = None,
) -> Position:
    """Reads a position in any of the three forms; raises InputError with every problem in it.

    `place` is what error messages call the text, usually its file name. A tile set that the text names by a
    relative path is looked for in `base_dir`. `tiles` replaces the set that the text names.

        >>> read_position(orbis.write_oneline(position)) == position
        True
        >>> read_position("o1:2:reconstruction", "mine")
        Traceback (most recent call last):
        orbis_search.base.errors.InputError: mine: expected at least 7 fields between colons for 2 players, found 3
    """
    text, form = form_of(text, LETTER, place)
    position: Position = __getattr__(f"read_{form}")(text, place, base_dir, tiles)
    return position
