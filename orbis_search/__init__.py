"""Plays, solves and explains the board game Orbis.

The names below are imported when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own would cost more than all the rest of this module
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "tiles": ("Tile", "TileSet"),
    "tilesets": ("load_tile_set",),
    "tilegen": ("random_tile_set",),
    "descriptions": ("describe", "resolve_tile"),
    "position": ("Cell", "Move", "Options", "Pile", "Placed", "Player", "Position", "Slot"),
    "checking": ("problems",),
    "advisor": ("Advice", "advise"),
    "endgame": ("Solution", "solve"),
    "engine": ("Engine",),
    "notation": (
        "format_move", "parse_move", "read_position", "write_json", "write_oneline", "write_toml",
    ),
    "wording": ("move_words",),
    "record": ("Record", "Stage", "Turn"),
    "record_text": ("read_record", "write_record"),
    "record_file": ("RecordFile", "load_record"),
    "review": ("Review", "review_game"),
    "rules": (
        "apply", "count_moves", "draws", "legal_moves", "new_game", "perft", "perft_divide", "play_on", "refill",
        "score", "winners",
    ),
    "picture": ("draw_position", "to_png", "to_svg"),
    "language": ("set_language", "speaking"),
    "errors": ("InputError", "OrbisError", "Problem"),
    "vocabulary": ("Colour", "Effect", "Face", "God", "Star", "Worshipers"),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", *sorted(_HOME_OF)]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module("." + _HOME_OF[name], __name__), name)


def __dir__() -> list[str]:
    return __all__
