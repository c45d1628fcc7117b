"""For type checkers, which do not see what `__getattr__` does: the public names and where they live."""

from .advice.advisor import advise
from .advice.data import Advice
from .advice.json import advice_to_json
from .advice.text import advice_text
from .base.errors import InputError, OrbisError, Problem
from .base.json import json_schema
from .base.speech import set_language, speaking
from .check.data import Check, check_position
from .check.json import check_to_json
from .check.text import check_text
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
from .drawing.picture import draw_position
from .drawing.scene import to_png, to_svg
from .drawing.sentences import move_words
from .engine.server import Engine
from .game.position import Cell, Move, Options, Pile, Placed, Player, Position, Slot
from .game.problems import problems
from .game.tiles import Tile, TileSet
from .game.vocabulary import Colour, Effect, Face, God, Star, Worshipers
from .moves.data import MoveList, list_moves
from .moves.json import moves_to_json
from .moves.text import moves_text
from .notation import (
    format_move,
    move_to_json,
    parse_move,
    position_to_json,
    read_position,
    write_json,
    write_oneline,
    write_toml,
)
from .record.file import RecordFile, load_record
from .record.game import Record, Stage, Turn
from .record.json import record_to_json
from .record.text import read_record, record_text, write_record
from .review.analysis import review_game
from .review.data import Review
from .review.json import review_to_json
from .review.text import review_text
from .search.settings import SearchSettings
from .solver.data import Solution
from .solver.endgame import solve
from .solver.json import solution_to_json
from .solver.text import solution_text
from .tileset.descriptions import describe
from .tileset.generator import random_tile_set
from .tileset.json import tile_set_to_json
from .tileset.library import load_tile_set
from .tileset.resolving import resolve_tile

__all__ = [  # noqa: RUF022
    "__version__",
    "Advice",
    "Cell",
    "Check",
    "Colour",
    "Effect",
    "Engine",
    "Face",
    "God",
    "InputError",
    "Move",
    "MoveList",
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
    "SearchSettings",
    "Slot",
    "Solution",
    "Stage",
    "Star",
    "Tile",
    "TileSet",
    "Turn",
    "Worshipers",
    "advice_text",
    "advice_to_json",
    "advise",
    "apply",
    "check_position",
    "check_text",
    "check_to_json",
    "count_moves",
    "describe",
    "draw_position",
    "draws",
    "format_move",
    "json_schema",
    "legal_moves",
    "list_moves",
    "load_record",
    "load_tile_set",
    "move_to_json",
    "move_words",
    "moves_text",
    "moves_to_json",
    "new_game",
    "parse_move",
    "perft",
    "perft_divide",
    "play_on",
    "position_to_json",
    "problems",
    "random_tile_set",
    "read_position",
    "read_record",
    "record_text",
    "record_to_json",
    "refill",
    "resolve_tile",
    "review_game",
    "review_text",
    "review_to_json",
    "score",
    "set_language",
    "solution_text",
    "solution_to_json",
    "solve",
    "speaking",
    "tile_set_to_json",
    "to_png",
    "to_svg",
    "winners",
    "write_json",
    "write_oneline",
    "write_record",
    "write_toml",
]

__version__: str
