"""A table laid piece by piece, in any order: the parts of a sheet, each changed by a text.

    sheet = empty_table(["Anna", "Bo"])
    sheet = changed(sheet, "b2", "blue irrigation green").sheet
    sheet = changed(sheet, "1 1R", "wild").sheet

Nothing has to be answered here, as it has in `position_dialog`: an empty realm, universe or hand of gods is as good as
any, and `find_problems` says what does not fit together. Only the nine cells can be missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..base.errors import InputError, Problem
from ..base.language import _
from ..base.names import player_place
from ..base.quoting import shown
from ..game.position import Cell, Placed, Position, Row
from ..game.problems import cell_place, find_problems, slot_place
from ..game.tiles import Tile
from ..game.vocabulary import CELLS, NOBODY, ROW_LENGTHS, Face, God
from ..notation.common import NONE, Reading, parse_worshipers, plain_word, split_mark
from ..tileset.descriptions import tell_apart
from ..tileset.matching import matching
from .draft import GodChoice, Load, PlayerSheet, Sheet, position_so_far, read_draft, write_draft
from .names import god_of, names_of
from .position_steps import Step
from .position_tiles import SeveralTiles, find_tile, read_slot, tiles_in_use, tiles_on

EMPTY = ("", ".", "-", "?", "none")
_SLOT = re.compile(r"([1-4]) (?:(1|1L|1R)|([1-4])\.([1-5]))")
_OF_PLAYER = re.compile(r"([1-4]) (name|realm|god)")
_ON_CELL = re.compile(r"([a-c][1-3]) worshipers")


class Changed(NamedTuple):
    sheet: Sheet
    note: str = ""  # on what was added


def empty_table(names: Sequence[str]) -> Sheet:
    """Nothing but the players."""
    return Sheet(players=tuple(map(_new_player, names)), gods=())


def _new_player(name: str) -> PlayerSheet:
    return PlayerSheet(name, ((),) * len(ROW_LENGTHS), NOBODY, GodChoice())


def with_nothing_missing(sheet: Sheet) -> Sheet:
    """The same table, where only cells can be missing."""
    players = tuple(
        replace(
            each,
            rows=tuple(row or () for row in each.rows),
            realm=each.realm or NOBODY,
            god_choice=each.god_choice or GodChoice(),
        )
        for each in sheet.players
    )
    return replace(sheet, players=players, gods=sheet.gods or (), growing=None)


def changed(sheet: Sheet, part: str, text: str, load: Load) -> Changed:
    """The sheet with another text in one of its parts. InputError names the part."""
    text = " ".join(text.split())
    whole: dict[str, Callable[[], Sheet]] = {
        "players": lambda: _with_names(sheet, text),
        "gods": lambda: replace(sheet, gods=_gods(text)),
        "tiles": lambda: _with_tiles(sheet, text, load),
    }
    if part in whole:
        return Changed(whole[part]())
    if part in CELLS:
        return Changed(_with_tile(sheet, CELLS.index(part), text))
    if match := _ON_CELL.fullmatch(part):
        index = CELLS.index(match[1])
        cell = sheet.cells[index]
        if cell is None:
            raise InputError.one(cell_place(index), _("expected a tile to put worshipers on, found none"))
        worshipers = parse_worshipers("" if text in EMPTY else text, cell_place(index))
        return Changed(sheet.with_cell(index, cell._replace(worshipers=worshipers)))
    match = _OF_PLAYER.fullmatch(part) or _SLOT.fullmatch(part)
    if match is None or int(match[1]) > len(sheet.players):
        parts = "a3 ... c1, a3 worshipers, 1 name, 1 realm, 1 god, 1 1L, 1 2.3, gods, players, tiles"
        message = _("expected a part of the table ({parts}), found {found}", parts=parts, found=shown(part))
        raise InputError.one("changes", message)
    if match.re is _SLOT:
        return _with_slot(sheet, int(match[1]) - 1, match, text)
    return Changed(_with_part(sheet, int(match[1]) - 1, match[2], text))


def _with_names(sheet: Sheet, text: str) -> Sheet:
    listed = names_of(text, [player.name for player in sheet.players])
    players = [*sheet.players, *(_new_player("") for _ in listed)][: len(listed)]
    return _with_fine_names(
        replace(sheet, players=tuple(replace(player, name=name) for player, name in zip(players, listed)))
    )


def _with_fine_names(sheet: Sheet) -> Sheet:
    if wrong := [each for each in table_problems(sheet) if each.place.endswith(", name")]:
        raise InputError(wrong)
    return sheet


def _with_tiles(sheet: Sheet, text: str, load: Load) -> Sheet:
    """Tiles keep their names; those that the new set lacks leave the table."""
    tiles = load(text)
    return with_nothing_missing(read_draft(write_draft(replace(sheet, tiles=tiles)), "", lambda _: tiles).sheet)


def _with_tile(sheet: Sheet, index: int, text: str) -> Sheet:
    without = sheet.with_cell(index, None)
    if text in EMPTY:
        return without
    old = sheet.cells[index]
    tile = _found(lambda: find_tile(text, without, cell_place(index)), text, cell_place(index))
    return sheet.with_cell(index, Cell(tile, NOBODY if old is None else old.worshipers))


def _found(find: Callable[[], Tile], text: str, place: str) -> Tile:
    try:
        return find()
    except SeveralTiles as several:
        raise _several(several, text, place) from None


def _several(several: SeveralTiles, text: str, place: str) -> InputError:
    tiles = tell_apart(several.options)
    return InputError.one(
        place, _("expected one tile, found {found}, which fits {tiles}", found=shown(text), tiles=tiles)
    )


def _with_part(sheet: Sheet, index: int, part: str, text: str) -> Sheet:
    player = sheet.players[index]
    place = f"{player_place(index, player.name)}, {part}"
    if part == "name":
        return _with_fine_names(sheet.with_player(index, replace(player, name=text)))
    if part == "realm":
        return sheet.with_player(index, replace(player, realm=parse_worshipers("" if text in EMPTY else text, place)))
    face, name = split_mark(text)
    name = "" if name in EMPTY or plain_word(name) in NONE else god_of(name, place).word
    reading = Reading()
    god, validated = reading.god(f"cancelled {name}" if face is Face.CANCELLED else name, place)
    reading.raise_if_any("")
    return sheet.with_player(index, replace(player, god_choice=GodChoice(god, validated)))


def _gods(text: str) -> tuple[God, ...]:
    words = [] if text in EMPTY else re.split(r"[\s,+]+", text.strip(" ,+"))
    return tuple(sorted({god_of(word, "gods") for word in words}))


def _with_slot(sheet: Sheet, index: int, match: re.Match[str], text: str) -> Changed:
    """An end of row 1 is always a new tile; any other slot has what it is given."""
    player = sheet.players[index]
    end = match[2]
    row, column = (1, 0) if end in ("1", "1L") else (1, len(player.player.rows[0])) if end else (0, 0)
    if not end:
        row, column = int(match[3]), int(match[4]) - 1
    place = slot_place(index, player.name, row, column)
    if column >= ROW_LENGTHS[row - 1]:
        most = ROW_LENGTHS[row - 1]
        raise InputError.one(place, _("expected at most {most} tiles in a row, found more", most=most))
    slots = list(player.player.rows[row - 1])
    if not end and column < len(slots):
        # What lies there may be named again, and is not in the way of another.
        sheet = sheet.with_player(index, player.with_row(row, _trimmed([*slots[:column], None, *slots[column + 1 :]])))
    if text in EMPTY:
        if row == 1 and column < len(slots):
            slots.pop(column)  # row 1 has no gaps
            return Changed(sheet.with_player(index, player.with_row(row, tuple(slots))))
        return Changed(sheet)
    try:
        placed, note = read_slot(text, sheet, Step("row", index, row), column)
    except SeveralTiles as several:
        raise _several(several, text, place) from None
    if end:
        slots.insert(column, placed)
    else:
        slots += [None] * (column + 1 - len(slots))
        slots[column] = placed
    return Changed(sheet.with_player(index, player.with_row(row, _trimmed(slots))), note)


def _trimmed(slots: Sequence[Placed | None]) -> Row:
    row = list(slots)
    while row and row[-1] is None:
        row.pop()
    return tuple(row)


def table_problems(sheet: Sheet) -> list[Problem]:
    """What does not fit together, with the places of `orbis check`."""
    return find_problems(*position_so_far(sheet))


def missing_cells(sheet: Sheet) -> list[str]:
    return [name for name, cell in zip(CELLS, sheet.cells) if cell is None or cell.tile is None]


def finished(sheet: Sheet) -> Position | None:
    """The position, if nothing is missing and nothing wrong."""
    if missing_cells(sheet) or table_problems(sheet):
        return None
    return position_so_far(sheet)[0]


def tiles_for(sheet: Sheet, words: str) -> list[Tile]:
    """The tiles that do not lie on the table yet and fit the words; all of them, if there are no words. Of every level:
    while a table is laid, nobody knows how far the game has come."""
    seen = set(tiles_on(sheet))
    return matching(words, [tile for tile in tiles_in_use(sheet) if tile not in seen])
