"""Whether what a program passes in has the right types: the first thing every public function checks.

A value of the wrong kind is a TypeError that says where it is and what was expected. So is the wrong number of parts in
a position, since a tuple may have any length. `problems`, `legality` and `tile_limits` judge what the parts say, and
may rely on their kinds.
"""

from __future__ import annotations

import os

from ..base.errors import InputError, wrong_kind
from ..base.language import _
from ..base.quoting import shown
from ..base.remembered import Remembered
from .position import Cell, Move, Options, Pile, Placed, Player, Position, Slot
from .tiles import Tile, TileSet
from .vocabulary import Colour, Effect, Face, God, Star, Worshipers

MOST = 10**9  # no number in the game comes near it, and every message can show it

_positions = Remembered(256)
_tile_sets = Remembered(64)


def expect_kind(value: object, kind: type, place: str) -> None:
    """TypeError unless the value is of the kind; a named tuple must have all its fields."""
    if not isinstance(value, kind) or (issubclass(kind, tuple) and len(value) != len(getattr(kind, "_fields", value))):  # type: ignore[arg-type]
        raise wrong_kind(place, kind.__name__, value)


def expect_number(value: object, place: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_kind(place, "int", value)
    if not -MOST <= value <= MOST:
        what = _("an integer from {low} to {high}", low=-MOST, high=MOST)
        raise InputError.one(place, _("expected {what}, found {found}", what=what, found=shown(value)))


def expect_text(value: object, place: str) -> None:
    expect_kind(value, str, place)
    assert isinstance(value, str)
    if not value.isascii():
        for char in value:
            if "\ud800" <= char <= "\udfff":  # half a character: no file can hold it
                raise InputError.one(place, _("expected printable characters, found U+{code:04X}", code=ord(char)))


def expect_path(value: object, place: str = "path") -> None:
    """The name of a file."""
    if not isinstance(value, (str, os.PathLike)):
        raise wrong_kind(place, "str", value)
    text = os.fspath(value)
    if not isinstance(text, str):
        raise wrong_kind(place, "str", text)
    expect_text(text, place)
    if "\0" in text:
        raise InputError.one(place, _("expected printable characters, found U+{code:04X}", code=0))


def expect_worshipers(value: object, place: str) -> None:
    expect_kind(value, Worshipers, place)
    assert isinstance(value, Worshipers)
    for count in value:
        if type(count) is not int or not -MOST <= count <= MOST:
            expect_number(count, place)


def expect_tile(tile: object, place: str = "tile") -> None:
    expect_kind(tile, Tile, place)
    assert isinstance(tile, Tile)
    expect_text(tile.id, f"{place}.id")
    expect_kind(tile.colour, Colour, f"{place}.colour")
    expect_kind(tile.effect, Effect, f"{place}.effect")
    expect_kind(tile.star, Star, f"{place}.star")
    expect_kind(tile.described, bool, f"{place}.described")
    expect_kind(tile.colours, tuple, f"{place}.colours")
    for colour in tile.colours:
        expect_kind(colour, Colour, f"{place}.colours")
    expect_worshipers(tile.cost, f"{place}.cost")
    for name in ("level", "any_cost", "number", "cp"):
        expect_number(getattr(tile, name), f"{place}.{name}")
    if tile.mystic is not None:
        expect_number(tile.mystic, f"{place}.mystic")


def expect_tile_set(tiles: object, place: str = "tiles") -> None:
    if tiles in _tile_sets:
        return
    expect_kind(tiles, TileSet, place)
    assert isinstance(tiles, TileSet)
    for name in ("name", "title", "description"):
        expect_text(getattr(tiles, name), f"{place}.{name}")
    expect_kind(tiles.tiles, tuple, f"{place}.tiles")
    for index, tile in enumerate(tiles.tiles):
        expect_tile(tile, f"{place}.tiles[{index}]")
    if tiles.before is not None:
        expect_tile_set(tiles.before, f"{place}.before")
    _tile_sets.add(tiles)


def expect_position_kinds(position: object, place: str = "position") -> None:
    """TypeError unless it is a position all the way down. Costs nothing for one that was checked before."""
    if position in _positions:
        return
    expect_kind(position, Position, place)
    assert isinstance(position, Position)
    expect_tile_set(position.tiles, f"{place}.tiles")
    known = set(map(id, position.tiles.tiles))

    def expect_some_tile(tile: object, where: str) -> None:
        if tile is not None and id(tile) not in known:
            expect_tile(tile, where)

    for name in ("players", "centre", "gods", "piles"):
        expect_kind(getattr(position, name), tuple, f"{place}.{name}")
    for index, player in enumerate(position.players):
        where = f"{place}.players[{index}]"
        expect_kind(player, Player, where)
        expect_kind(player.name, str, f"{where}.name")  # `problems` checks what it says
        expect_worshipers(player.realm, f"{where}.realm")
        expect_kind(player.god_validated, bool, f"{where}.god_validated")
        if player.god is not None:
            expect_kind(player.god, God, f"{where}.god")
        expect_kind(player.rows, tuple, f"{where}.rows")
        for number, row in enumerate(player.rows):
            expect_kind(row, tuple, f"{where}.rows[{number}]")
            for column, placed in enumerate(row):
                if placed is not None:
                    slot = f"{where}.rows[{number}][{column}]"
                    expect_kind(placed, Placed, slot)
                    expect_kind(placed.face, Face, f"{slot}.face")
                    expect_some_tile(placed.tile, f"{slot}.tile")
    for index, cell in enumerate(position.centre):
        where = f"{place}.centre[{index}]"
        expect_kind(cell, Cell, where)
        expect_some_tile(cell.tile, f"{where}.tile")
        expect_worshipers(cell.worshipers, f"{where}.worshipers")
    for god in position.gods:
        expect_kind(god, God, f"{place}.gods")
    for index, pile in enumerate(position.piles):
        where = f"{place}.piles[{index}]"
        expect_kind(pile, Pile, where)
        expect_number(pile.left, f"{where}.left")
        expect_kind(pile.tiles, tuple, f"{where}.tiles")
        for number, tile in enumerate(pile.tiles):
            if id(tile) not in known:
                expect_tile(tile, f"{where}.tiles[{number}]")
    expect_kind(position.options, Options, f"{place}.options")
    expect_kind(position.options.most_at_zero, bool, f"{place}.options.most_at_zero")
    _positions.add(position)


def expect_move(move: object, place: str = "move") -> None:
    """TypeError unless it is a move; whether it is legal is checked elsewhere."""
    expect_kind(move, Move, place)
    assert isinstance(move, Move)
    if move.cell is not None:
        expect_number(move.cell, f"{place}.cell")
    if move.god is not None:
        expect_kind(move.god, God, f"{place}.god")
    if move.slot is not None:
        expect_kind(move.slot, Slot, f"{place}.slot")
        expect_number(move.slot.row, f"{place}.slot.row")
        expect_number(move.slot.column, f"{place}.slot.column")
    expect_kind(move.wild, bool, f"{place}.wild")
    expect_kind(move.validated, bool, f"{place}.validated")
    expect_worshipers(move.realm, f"{place}.realm")
    expect_kind(move.removed, tuple, f"{place}.removed")
    for index, taken in enumerate(move.removed):
        where = f"{place}.removed[{index}]"
        expect_kind(taken, tuple, where)
        if len(taken) != 3:
            raise wrong_kind(where, "(cell, colour, number)", taken)
        cell, colour, number = taken
        expect_number(cell, where)
        expect_kind(colour, Colour, where)
        expect_number(number, where)
