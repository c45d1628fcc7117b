"""For type checkers, which do not see what `__getattr__` does: the public names and where they live."""

from .advice.advisor import Advice, advise
from .base.errors import InputError, OrbisError, Problem
from .base.speech import set_language, speaking
from .core.fast_rules import (
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
from .drawing.picture import draw_position, to_png, to_svg
from .drawing.sentences import move_words
from .engine.server import Engine
from .game.position import Cell, Move, Options, Pile, Placed, Player, Position, Slot
from .game.problems import problems
from .game.tiles import Tile, TileSet
from .game.vocabulary import Colour, Effect, Face, God, Star, Worshipers
from .notation import format_move, parse_move, read_position, write_json, write_oneline, write_toml
from .record.file import RecordFile, load_record
from .record.game import Record, Stage, Turn
from .record.text import read_record, write_record
from .review.analysis import Review, review_game
from .solver.endgame import Solution, solve
from .tileset.descriptions import describe, resolve_tile
from .tileset.generator import random_tile_set
from .tileset.library import load_tile_set

__all__ = [  # noqa: RUF022
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
