"""A position that is not whole yet: what is known of it so far, and its draft as text.

A draft is a position file like any other, with `?` where something is missing: it can be finished in a text editor, and
`orbis check` names what is missing. A template is the draft of nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..base.errors import InputError, Problem
from ..base.language import _
from ..base.names import player_place
from ..base.quoting import UNFILLED
from ..base.toml import toml_string
from ..game.position import Cell, Options, Pile, Player, Position, Row
from ..game.problems import cell_place, default_piles, pile_place, slot_place
from ..game.tiles import DEFAULT_TILE_SET, Tile, TileSet
from ..game.vocabulary import CELLS, LEVELS, NOBODY, SET_UP, God, Worshipers
from ..notation.common import Draft, LookUp, PlayerDraft, Reading, piles_to_write, row_of, tile_text
from ..notation.toml import commented, document_of, draft_of, list_lines, slot_text
from ..tileset.library import load_tile_set

ROWS = 4
_LEFT_AT = re.compile(r"^# Left at: (.*)$", re.MULTILINE)

Load = Callable[[str], TileSet]


class GodChoice(NamedTuple):
    """A player's god, or that there is none yet."""

    god: God | None = None
    validated: bool = True


@dataclass(frozen=True, slots=True)
class PlayerSheet:
    """None is what is missing."""

    name: str = ""
    rows: tuple[Row | None, ...] = (None,) * ROWS
    realm: Worshipers | None = None
    god_choice: GodChoice | None = None

    def with_row(self, row: int, placed: Row | None) -> PlayerSheet:
        return replace(self, rows=(*self.rows[: row - 1], placed, *self.rows[row:]))

    @property
    def player(self) -> Player:
        """As far as it is known."""
        first, second, third, fourth = (row or () for row in self.rows)
        god, validated = self.god_choice or GodChoice()
        return Player(self.name, (first, second, third, fourth), self.realm or NOBODY, god, validated)


@dataclass(frozen=True, slots=True)
class Sheet:
    """None, or no players, is what is missing."""

    tiles: TileSet | None = None
    players: tuple[PlayerSheet, ...] = ()
    cells: tuple[Cell | None, ...] = (None,) * len(CELLS)
    gods: tuple[God, ...] | None = None
    piles: tuple[tuple[Tile, ...] | None, ...] = (None,) * len(LEVELS)  # None: follows from the table
    most_at_zero: bool = True
    growing: tuple[int, int] | None = None  # the player and row of which more tiles are to come

    @property
    def tile_set(self) -> TileSet:
        return self.tiles if self.tiles is not None else load_tile_set(DEFAULT_TILE_SET)

    def with_player(self, index: int, player: PlayerSheet) -> Sheet:
        return replace(self, players=(*self.players[:index], player, *self.players[index + 1 :]))

    def with_cell(self, index: int, cell: Cell | None) -> Sheet:
        return replace(self, cells=(*self.cells[:index], cell, *self.cells[index + 1 :]))

    def with_pile(self, level: int, tiles: tuple[Tile, ...] | None) -> Sheet:
        at = LEVELS.index(level)
        return replace(self, piles=(*self.piles[:at], tiles, *self.piles[at + 1 :]))


def sheet_of(position: Position) -> Sheet:
    """The sheet of a whole position."""
    listed = {level: pile.tiles for level, pile in piles_to_write(position)}
    return Sheet(
        tiles=position.tiles,
        players=tuple(
            PlayerSheet(each.name, each.rows, each.realm, GodChoice(each.god, each.god_validated))
            for each in position.players
        ),
        cells=position.centre,
        gods=position.gods,
        piles=tuple(listed.get(level) for level in LEVELS),
        most_at_zero=position.options.most_at_zero,
    )


def position_so_far(sheet: Sheet) -> tuple[Position, set[str]]:
    """A position with gaps for what is missing, and the places that `find_problems` must not judge."""
    unread = {cell_place(index) for index, cell in enumerate(sheet.cells) if cell is None}
    if sheet.gods is None:
        unread.add("gods")
    if sheet.growing is not None:
        unread |= {"universes", "turns"}
    for index, player in enumerate(sheet.players):
        if player.god_choice is None:
            unread |= {"gods", "turns"}
        for row, placed in enumerate(player.rows, 1):
            if placed is None:
                unread |= {f"{player_place(index, player.name)}, row {row}", "universes", "turns"}
    players = tuple(player.player for player in sheet.players)
    centre = tuple(cell or Cell(None) for cell in sheet.cells)
    drawn = len(CELLS) + sum(player.regions for player in players)
    first, second, third = (
        Pile(usual.left, usual.tiles if given is None else given)
        for usual, given in zip(default_piles(sheet.tile_set, players, centre, drawn), sheet.piles)
    )
    options = Options(most_at_zero=sheet.most_at_zero)
    gods = tuple(sorted(sheet.gods or ()))
    return Position(sheet.tile_set, players, centre, gods, (first, second, third), options), unread


# Writing.


def write_draft(sheet: Sheet, left_at: str = "") -> str:
    """A position file with `?` for what is missing. It needs players."""
    lines = ["# An Orbis position, not finished: orbis edit goes on with it. What is missing is ?"]
    if left_at:
        lines.append(f"# Left at: {left_at}")
    lines.append(f"players = {len(sheet.players)}")
    if sheet.tiles is not None:
        lines.append(f"tiles = {toml_string(sheet.tiles.name)}")
    gods = UNFILLED if sheet.gods is None else " ".join(god.word for god in sheet.gods) or "none"
    lines.append(f"gods = {toml_string(gods)}")
    if not sheet.most_at_zero:
        lines.append("most_at_zero = false")
    lines += ["", commented("[centre]", "tile | worshipers")]
    lines += [f"{name} = {toml_string(cell_text(cell))}" for name, cell in zip(CELLS, sheet.cells)]
    for index, player in enumerate(sheet.players):
        lines += ["", "[[player]]", f"name = {toml_string(player.name)}"]
        lines.append(f"realm = {toml_string(UNFILLED if player.realm is None else str(player.realm))}")
        lines.append(f"god = {toml_string(god_text(player.god_choice))}")
        for row, placed in enumerate(player.rows, 1):
            if placed is None:
                if row == 1:
                    lines.append(f"row1 = {toml_string(UNFILLED)}")
                continue
            slots = [toml_string(slot_text(slot)) for slot in placed]
            if sheet.growing == (index, row):
                slots.append(toml_string(UNFILLED))
            lines += list_lines(f"row{row}", slots)
    listed = [(level, tiles) for level, tiles in zip(LEVELS, sheet.piles) if tiles is not None]
    if listed:
        lines += ["", "[piles]"]
        for level, tiles in listed:
            lines += list_lines(f"level{level}", [toml_string(tile_text(tile)) for tile in tiles])
    return "\n".join(lines) + "\n"


def cell_text(cell: Cell | None) -> str:
    if cell is None or cell.tile is None:
        return f"{UNFILLED} | {UNFILLED}"
    return f"{tile_text(cell.tile)} | {cell.worshipers}"


def god_text(choice: GodChoice | None) -> str:
    if choice is None:
        return UNFILLED
    if choice.god is None:
        return "none"
    return choice.god.word + ("" if choice.validated else " cancelled")


# Reading.


class DraftContents(NamedTuple):
    sheet: Sheet
    problems: list[Problem]  # of what could not be read, and so counts as missing
    left_at: str


def read_draft(text: str, source: str, load: Load = load_tile_set) -> DraftContents:
    """What a draft says, or a template filled in as far as it is, or a position file with mistakes.

    InputError if it is not TOML, names no tile set that can be loaded, or does not have two to four players.
    """
    document = document_of(text, source)
    marks = _Marks(document)
    reading = Reading()
    draft = draft_of(marks.document, reading)
    trouble = {problem.place for problem in reading.problems}
    number = len(draft.players)
    if number not in SET_UP:
        raise InputError.one(source, _("expected 2, 3 or 4 [[player]] tables, found {found}", found=number))
    tiles = None if "tiles" not in document or draft.tiles is None else load(draft.tiles)
    sheet = Sheet(tiles=tiles, most_at_zero=draft.most_at_zero)
    look_up = LookUp(reading, sheet.tile_set, number)
    sheet = replace(
        sheet,
        players=tuple(_player(draft, index, marks, look_up, reading) for index in range(number)),
        cells=tuple(_cell(draft, index, look_up) for index in range(len(CELLS))),
        gods=None if marks.is_blank("gods") or "gods" in trouble else tuple(draft.gods),
        piles=tuple(_pile(draft, level, look_up) for level in LEVELS),
        growing=next(((i, row) for i, row in marks.growing if _is_readable(draft, i, row, reading)), None),
    )
    left_at = _LEFT_AT.search(text)
    return DraftContents(sheet, reading.problems, left_at[1].strip() if left_at else "")


class _Marks:
    """The document with every `?` taken out of it, and where they stood.

    In a document that has any, an absent key is missing too.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = dict(document)
        self.blanks: set[object] = set()
        self.growing: list[tuple[int, int]] = []
        self._take_out(self.document, ("gods", "to_move"), ())
        if isinstance(document.get("centre"), dict):
            self.document["centre"] = dict(document["centre"])
            self._take_out(self.document["centre"], CELLS, ())
        if isinstance(document.get("player"), list):
            tables = [dict(each) if isinstance(each, dict) else each for each in document["player"]]
            self.document["player"] = tables
            for index, table in enumerate(tables):
                if isinstance(table, dict):
                    self._take_out(table, ("realm", "god", *(f"row{row}" for row in range(1, 5))), (index,))
                    self._take_out_growing(table, index)

    def _take_out(self, table: dict[str, Any], keys: tuple[str, ...], where: tuple[int, ...]) -> None:
        for key in keys:
            if isinstance(value := table.get(key), str) and UNFILLED in re.split(r"[\s,|]+", value):
                del table[key]
                self.blanks.add((*where, key))

    def _take_out_growing(self, table: dict[str, Any], index: int) -> None:
        for row in range(1, 5):
            slots = table.get(f"row{row}")
            if isinstance(slots, list) and UNFILLED in slots:
                table[f"row{row}"] = [slot for slot in slots if slot != UNFILLED]
                self.growing.append((index, row))

    def is_blank(self, key: str, *where: int) -> bool:
        if (*where, key) in self.blanks:
            return True
        table = self.document["player"][where[0]] if where else self.document
        return bool(self.blanks or self.growing) and isinstance(table, dict) and key not in table


def _cell(draft: Draft, index: int, look_up: LookUp) -> Cell | None:
    entry = draft.cells.get(index)
    if entry is None or entry.text is None:
        return None
    tile = look_up(entry.text, cell_place(index))
    return None if tile is None else Cell(tile, entry.worshipers)


def _player(draft: Draft, index: int, marks: _Marks, look_up: LookUp, reading: Reading) -> PlayerSheet:
    entry: PlayerDraft = draft.players[index]
    place = player_place(index, entry.name)
    trouble = {problem.place for problem in reading.problems}
    sheet = PlayerSheet(name=entry.name)
    if not marks.is_blank("realm", index) and f"{place}, realm" not in trouble:
        sheet = replace(sheet, realm=entry.realm)
    if not marks.is_blank("god", index) and f"{place}, god" not in trouble:
        sheet = replace(sheet, god_choice=GodChoice(entry.god, entry.validated))
    for row, entries in enumerate(entry.rows, 1):
        if marks.is_blank(f"row{row}", index) or f"{place}, row {row}" in reading.unread:
            continue
        places = [slot_place(index, entry.name, row, column) for column in range(len(entries))]
        placed = row_of(entries, places, look_up)
        if (index, row) in marks.growing:
            placed += (None,) * (len(entries) - len(placed))  # empty slots count while more is to come
        if not reading.unread.intersection(places):
            sheet = sheet.with_row(row, placed)
    return sheet


def _is_readable(draft: Draft, index: int, row: int, reading: Reading) -> bool:
    place = f"{player_place(index, draft.players[index].name)}, row {row}"
    return not any(each.startswith(place) for each in reading.unread)


def _pile(draft: Draft, level: int, look_up: LookUp) -> tuple[Tile, ...] | None:
    if level not in draft.piles:
        return None
    found = [look_up(text, pile_place(level, at)) for at, text in enumerate(draft.piles[level])]
    known = tuple(tile for tile in found if tile is not None)
    return known if len(known) == len(found) else None
