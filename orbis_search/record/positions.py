"""A position, or a game in place of one: the one reader behind every command and the engine."""

from __future__ import annotations

from ..base.errors import InputError
from ..base.language import _
from ..base.position_text import decoded
from ..notation import read_position
from .form import HEAD, is_game

TYPE_CHECKING = False  # `orbis check` comes through here, and typing takes time to import
if TYPE_CHECKING:
    from typing import Any

    from ..game.position import Position
    from ..game.tiles import TileSet
    from ..notation.common import Folder
    from .game import Record


def read_position_or_game(
    text: str | bytes,
    place: str = "",
    base_dir: Folder = None,
    tiles: TileSet | str | None = None,
    turn: int | None = None,
    turn_place: str = "turn",
) -> tuple[Position, str]:
    """The position in a text; of a game the latest, or the one before the turn of that number.

    Also the start of a line that was cut short, which is left out; "" if there is none. `turn_place` is what messages
    call the turn.

        >>> from orbis_search.record.text import write_record
        >>> read_position_or_game(write_record(orbis.Record(position)))[0] == position
        True
    """
    whole = decoded(text, place)
    if not is_game(whole):
        expect_no_turn(turn, turn_place)
        return read_position(whole, place, base_dir, tiles), ""
    from .file import record_from_bytes
    from .json import read_record_json
    from .text import read_record

    if isinstance(text, bytes):
        record, cut = record_from_bytes(text, place, base_dir, tiles)
    else:  # not from a file, so no line of it can have been cut short
        reader = read_record_json if whole.lstrip().startswith("{") else read_record
        record, cut = reader(whole, place, base_dir, tiles), ""
    return position_of(record, place, turn, turn_place), cut


def latest_position(text: str | bytes, place: str = "", base_dir: Folder = None) -> Position:
    """The position in a text, of a game the latest."""
    return read_position_or_game(text, place, base_dir)[0]


def position_or_game_from_json(
    document: dict[str, Any], tiles: TileSet | str | None = None, turn: int | None = None
) -> Position:
    """The same for what was JSON already."""
    if not is_game_document(document):
        from ..notation import position_from_json

        expect_no_turn(turn, "turn")
        return position_from_json(document, tiles=tiles)
    from .json import record_from_json

    return position_of(record_from_json(document, tiles=tiles), "", turn)


def is_game_document(document: dict[str, Any]) -> bool:
    return document.get("format") == HEAD or "turns" in document


def position_of(record: Record, place: str, turn: int | None = None, turn_place: str = "turn") -> Position:
    """The position before a turn, the latest by default. InputError if there is no such turn, or if a tile on the table
    is not known."""
    try:
        stage = record.stage(turn)
    except InputError as error:
        raise InputError.one(turn_place, error.problems[0].message) from None
    if stage.unseen:
        from ..game.vocabulary import CELLS

        first = stage.unseen[0]
        message = _(
            "expected every tile to be known, found none on {cell} since turn {turn}",
            cell=CELLS[first.cell],
            turn=first.turn,
        )
        where = f"turn {stage.number}"
        raise InputError.one(f"{place}, {where}" if place else where, message)
    return stage.position


def expect_no_turn(turn: int | None, turn_place: str) -> None:
    """InputError if a turn is asked for where there is only a position."""
    if turn is not None:
        raise InputError.one(turn_place, _("expected a game to take turn {turn} from, found a position", turn=turn))
