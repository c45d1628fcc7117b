"""For type checkers, which do not see what `__getattr__` does: the public names and where they live."""

from .advisor import Advice, advise
from .checking import problems
from .descriptions import describe, resolve_tile
from .endgame import Solution, solve
from .engine import Engine
from .errors import InputError, OrbisError, Problem
from .language import set_language, speaking
from .notation import format_move, parse_move, read_position, write_json, write_oneline, write_toml
from .picture import draw_position, to_png, to_svg
from .position import Cell, Move, Options, Pile, Placed, Player, Position, Slot
from .record import Record, Stage, Turn
from .record_file import RecordFile, load_record
from .record_text import read_record, write_record
from .review import Review, review_game
from .rules import (
    apply,
    count_moves,
    draws,
    legal_moves,
    new_game,
    perft,
    perft_divide,
    play_on,
    refill,
    score,
    winners,
)
from .tilegen import random_tile_set
from .tiles import Tile, TileSet
from .tilesets import load_tile_set
from .vocabulary import Colour, Effect, Face, God, Star, Worshipers
from .wording import move_words

__all__ = [
    "__version__",
    "Advice",
    "Cell",
    "Colour",
    "Effect",
    "Engine",
    "Face",
    "God",
    "InputError",
    "Move",
    "Options",
    "OrbisError",
    "Pile",
    "Placed",
    "Player",
    "Position",
    "Problem",
    "Record",
    "RecordFile",
    "Review",
    "Slot",
    "Solution",
    "Stage",
    "Star",
    "Tile",
    "TileSet",
    "Turn",
    "Worshipers",
    "advise",
    "apply",
    "count_moves",
    "describe",
    "draw_position",
    "draws",
    "format_move",
    "legal_moves",
    "load_record",
    "load_tile_set",
    "move_words",
    "new_game",
    "parse_move",
    "perft",
    "perft_divide",
    "play_on",
    "problems",
    "random_tile_set",
    "read_position",
    "read_record",
    "refill",
    "resolve_tile",
    "review_game",
    "score",
    "set_language",
    "solve",
    "speaking",
    "to_png",
    "to_svg",
    "winners",
    "write_json",
    "write_oneline",
    "write_record",
    "write_toml",
]

__version__: str
