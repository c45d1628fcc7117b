"""Plays, solves and explains the board game Orbis.

The names below are imported when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own would cost more than all the rest of this module
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "game.tiles": ("Tile", "TileSet"),
    "tileset.library": ("load_tile_set",),
    "tileset.generator": ("random_tile_set",),
    "tileset.json": ("tile_set_to_json",),
    "tileset.descriptions": ("describe",),
    "tileset.resolving": ("resolve_tile",),
    "game.position": ("Cell", "Move", "Options", "Pile", "Placed", "Player", "Position", "Slot"),
    "game.problems": ("problems",),
    "check.data": ("Check", "check_position"),
    "check.json": ("check_to_json",),
    "check.text": ("check_text",),
    "moves.data": ("MoveList", "list_moves"),
    "moves.json": ("moves_to_json",),
    "moves.text": ("moves_text",),
    "search.settings": ("SearchSettings",),
    "advice.advisor": ("advise",),
    "advice.data": ("Advice",),
    "advice.json": ("advice_to_json",),
    "advice.text": ("advice_text",),
    "solver.endgame": ("solve",),
    "solver.data": ("Solution",),
    "solver.json": ("solution_to_json",),
    "solver.text": ("solution_text",),
    "engine.server": ("Engine",),
    "notation": (
        "format_move",
        "move_to_json",
        "parse_move",
        "position_to_json",
        "read_position",
        "write_json",
        "write_oneline",
        "write_toml",
    ),
    "drawing.sentences": ("move_words",),
    "record.game": ("Record", "Stage", "Turn"),
    "record.json": ("record_to_json",),
    "record.text": ("read_record", "record_text", "write_record"),
    "record.file": ("RecordFile", "load_record"),
    "review.analysis": ("review_game",),
    "review.data": ("Review",),
    "review.json": ("review_to_json",),
    "review.text": ("review_text",),
    "core.fast_rules": (
        "apply",
        "count_moves",
        "draws",
        "legal_moves",
        "new_game",
        "perft",
        "perft_divide",
        "play_on",
        "refill",
        "score",
        "winners",
    ),
    "drawing.picture": ("draw_position",),
    "drawing.scene": ("to_png", "to_svg"),
    "base.speech": ("set_language", "speaking"),
    "base.json": ("json_schema",),
    "base.errors": ("InputError", "OrbisError", "Problem"),
    "game.vocabulary": ("Colour", "Effect", "Face", "God", "Star", "Worshipers"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", *sorted(_HOME_OF)]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module("." + _HOME_OF[name], __name__), name)


def __dir__() -> list[str]:
    return __all__
