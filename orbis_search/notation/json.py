"""The form for programs: JSON.

    {"format": "orbis-position", "version": 1,
     "tiles": "reconstruction",                     the set's name, a path, or random:SEED
     "to_move": 1,                                  from 1; null when the game is over
     "gods": ["love", "fire"],                      face up, not taken
     "centre": {"a3": {"tile": "r1a", "worshipers": {"red": 2, ...}}, ...},
     "players": [{"name": "Anna", "realm": {"red": 2, ...}, "god": null, "god_validated": true,
                  "rows": [[{"tile": "r1a", "face": "up"}, null, ...], ...]}, ...],
     "piles": [{"level": 1, "left": 2, "tiles": ["r1b", "g1c"]}, ...],
     "options": {"most_at_zero": true}}

Rows go from the bottom, slots from the left, null is an empty slot; a face is up, cancelled or wild, and a
wilderness nobody remembers has the tile null. Reading also accepts the texts of the TOML form for worshipers, cells,
slots and gods; everything except centre, players and gods may be left out.
"""

from __future__ import annotations

import json
from typing import Any

from ..base.errors import InputError
from ..base.json import NestedTooDeep, NotJson, json_value
from ..base.language import _
from ..base.names import player_place
from ..base.quoting import shown
from ..game.position import Placed, Player, Position
from ..game.problems import cell_place, pile_place
from ..game.tiles import TileSet
from ..game.vocabulary import CELLS, LEVELS, ROW_LENGTHS, Colour, Face, Worshipers
from .common import CellDraft, Draft, Entry, Folder, PlayerDraft, Reading, finish, refuse_unwritable, tile_text

FORMAT = "orbis-position"
VERSION = 1
_KEYS = ("format", "version", "tiles", "to_move", "gods", "centre", "players", "piles", "options")
_PLAYER_KEYS = ("name", "realm", "god", "god_validated", "rows")
_MAX_LEFT = 99
_LINE = 120


# Reading.


def read_json(text: str, source: str, base_dir: Folder = None, tiles: TileSet | str | None = None) -> Position:
    reading = Reading()

    def no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table: dict[str, Any] = {}
        for key, value in pairs:
            if key in table:
                reading.report("", _("expected each key once in a table, found {found} twice", found=shown(key)))
            table[key] = value
        return table

    try:
        document = json_value(text, no_key_twice)
    except NestedTooDeep:
        raise InputError.one(source, _("expected a position in JSON, found lists nested too deeply")) from None
    except NotJson as error:
        raise InputError.one(
            source, _("expected a position in JSON, found a syntax error: {error}", error=error)
        ) from None
    return finish(_draft(document, reading), reading, source, base_dir, tiles)


def position_from_json(
    document: object, source: str = "", base_dir: Folder = None, tiles: TileSet | str | None = None
) -> Position:
    """The same from Python values such as `position_to_json` and `json.loads` return."""
    reading = Reading()
    return finish(_draft(document, reading), reading, source, base_dir, tiles)


def _draft(document: object, reading: Reading) -> Draft:
    top = reading.table(document, "", _KEYS)
    if top.get("format", FORMAT) != FORMAT:
        reading.expected("format", f'"{FORMAT}"', top["format"])
    if "version" in top:
        reading.number(top["version"], "version", VERSION, VERSION)
    draft = Draft(to_move=top.get("to_move"))
    if "tiles" in top:
        draft.tiles = reading.text(top["tiles"], "tiles", _("the name or path of a tile set"))
    options = reading.table(top.get("options", {}), "options", ("most_at_zero",))
    if "most_at_zero" in options:
        draft.most_at_zero = reading.boolean(options["most_at_zero"], "options.most_at_zero", True)
    draft.gods = reading.gods(top.get("gods", ""), "gods")
    for cell, value in reading.table(top.get("centre", {}), "centre", CELLS).items():
        index = CELLS.index(cell)
        draft.cells[index] = _cell(value, cell_place(index), reading)
    tables = top.get("players", [])
    if isinstance(tables, list):
        draft.players = [_player(table, index, reading) for index, table in enumerate(tables)]
    else:
        reading.expected("players", _("a list of players"), tables)
    _piles(top.get("piles"), draft, reading)
    return draft


def _cell(value: object, place: str, reading: Reading) -> CellDraft:
    if not isinstance(value, dict):
        return reading.cell(value, place)
    table = reading.table(value, place, ("tile", "worshipers"))
    tile = reading.tile(table.get("tile"), place)
    return CellDraft(tile, reading.worshipers(table.get("worshipers", ""), f"{place}, worshipers"))


def _player(value: object, index: int, reading: Reading) -> PlayerDraft:
    place = player_place(index)
    table = reading.table(value, place, _PLAYER_KEYS)
    player = PlayerDraft()
    if "name" in table:
        player.name = reading.name(table["name"], f"{place}, name")
        place = player_place(index, player.name)
    player.realm = reading.worshipers(table.get("realm", ""), f"{place}, realm")
    god = table.get("god")
    player.god, player.validated = reading.god("" if god is None else god, f"{place}, god")
    if "god_validated" in table:
        validated = reading.boolean(table["god_validated"], f"{place}, god_validated", True)
        player.validated = player.validated and validated
    rows = table.get("rows", [])
    if not isinstance(rows, list) or len(rows) > len(ROW_LENGTHS):
        found = _("a list of {count}", count=len(rows)) if isinstance(rows, list) else shown(rows)
        reading.report(
            f"{place}, rows",
            _("expected a list of at most {most} rows, found {found}", most=len(ROW_LENGTHS), found=found),
        )
        reading.unread |= {"universes", "turns"}
        rows = []
    for number, row in enumerate(rows):
        where = f"{place}, row {number + 1}"
        if isinstance(row, list):
            player.rows[number] = [
                _entry(slot, f"{where}, column {column}", reading) for column, slot in enumerate(row, start=1)
            ]
        else:
            player.rows[number] = reading.row(row, where)
    return player


def _entry(value: object, place: str, reading: Reading) -> Entry | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        return reading.entry(value, place)
    table = reading.table(value, place, ("tile", "face"))
    face_word = table.get("face", Face.UP.value)
    faces = {face.value: face for face in Face}
    if not isinstance(face_word, str) or face_word not in faces:
        reading.expected(place, _("a face ({faces})", faces=", ".join(faces)), face_word)
        reading.unread.add(place)
        return Entry(Face.WILD, None)
    face = faces[face_word]
    if table.get("tile") is None and face is Face.WILD:
        return Entry(face, None)
    tile = reading.tile(table.get("tile"), place)
    if tile is None:
        reading.unread.add(place)
    return Entry(face, tile)


def _piles(value: object, draft: Draft, reading: Reading) -> None:
    if value is None:
        return
    if not isinstance(value, list) or len(value) != len(LEVELS):
        found = _("a list of {count}", count=len(value)) if isinstance(value, list) else shown(value)
        reading.report("piles", _("expected a list of {count} piles, found {found}", count=len(LEVELS), found=found))
        return
    for level, item in zip(LEVELS, value):
        place = pile_place(level)
        if item is None:
            continue
        table = reading.table(item, place, ("level", "left", "tiles"))
        if "level" in table:
            reading.number(table["level"], f"{place}, level", level, level)
        if "left" in table:
            left = reading.number(table["left"], f"{place}, left", 0, _MAX_LEFT)
            if left is None:
                reading.unread.add(place)
            else:
                draft.left[level] = left
        if "tiles" in table:
            draft.piles[level] = reading.pile(table["tiles"], level)


# Writing.


def write_json(position: Position) -> str:
    """The position as JSON text that reads back as an equal position.

    >>> json.loads(write_json(position))["to_move"]
    1
    """
    return _laid_out(position_to_json(position)) + "\n"


def _laid_out(value: Any, depth: int = 0) -> str:
    """Whatever fits goes on one line: a cell, a row, a realm."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value or len(flat) + depth <= _LINE:
        return flat
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {_laid_out(item, depth + 1)}" for key, item in value.items()]
        start, end = "{}"
    else:
        items = [_laid_out(item, depth + 1) for item in value]
        start, end = "[]"
    inner = ",".join(f"\n{' ' * (depth + 1)}{item}" for item in items)
    return f"{start}{inner}\n{' ' * depth}{end}"


def position_to_json(position: Position) -> dict[str, Any]:
    """The same as plain data, ready for JSON.

    >>> position_to_json(position)["gods"]
    ['nature', 'death']
    """
    refuse_unwritable(position)
    mover = position.to_move
    return {
        "format": FORMAT,
        "version": VERSION,
        "tiles": position.tiles.name,
        "to_move": None if mover is None else mover + 1,
        "gods": [god.word for god in position.gods],
        "centre": {
            CELLS[index]: {
                "tile": None if cell.tile is None else tile_text(cell.tile),
                "worshipers": _worshipers(cell.worshipers),
            }
            for index, cell in enumerate(position.centre)
        },
        "players": [_player_to_json(player) for player in position.players],
        "piles": [
            {"level": level, "left": pile.left, "tiles": [tile_text(tile) for tile in pile.tiles]}
            for level, pile in zip(LEVELS, position.piles)
        ],
        "options": {"most_at_zero": position.options.most_at_zero},
    }


def _player_to_json(player: Player) -> dict[str, Any]:
    return {
        "name": player.name,
        "realm": _worshipers(player.realm),
        "god": None if player.god is None else player.god.word,
        "god_validated": player.god_validated,
        "rows": [[_slot(placed) for placed in row] for row in player.rows],
    }


def _slot(placed: Placed | None) -> dict[str, Any] | None:
    if placed is None:
        return None
    return {"tile": None if placed.tile is None else tile_text(placed.tile), "face": placed.face.value}


def _worshipers(worshipers: Worshipers) -> dict[str, int]:
    return {colour.word: worshipers[colour] for colour in Colour}
