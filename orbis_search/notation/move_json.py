"""Moves as JSON, part by part."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..base.errors import InputError
from ..base.language import _
from ..base.quoting import nearest, shown
from ..game.economy import PLACE, tile_on
from ..game.legality import expect_legal, expect_turn, merge_removals
from ..game.position import Move, Position, Slot
from ..game.rules import Removal
from ..game.vocabulary import CELLS, ROW_LENGTHS, Colour
from .common import MAX_COUNT, Reading, tile_text
from .move_text import format_move
from .move_words import COLOURS, GODS


def move_to_json(position: Position, move: Move) -> dict[str, Any]:
    """The move in its parts, with its text. `move_from_json` needs neither `text` nor `tile`.

    >>> move_to_json(position, orbis.parse_move("a3 wild left", position))["slot"]
    {'row': 1, 'column': 1}
    """
    data: dict[str, Any] = {"text": format_move(position, move)}
    if move.god is not None:
        data["god"] = move.god.word
    if move.cell is not None and move.slot is not None:
        data["cell"] = CELLS[move.cell]
        data["tile"] = tile_text(tile_on(position, move.cell))
        data["slot"] = {"row": move.slot.row, "column": move.slot.column + 1}
        data["wild"] = move.wild
    data["validated"] = move.validated
    if move.removed:
        data["removed"] = [
            {"cell": CELLS[cell], "colour": Colour(colour).word, "number": number}
            for cell, colour, number in move.removed
        ]
    data["realm"] = {colour.word: move.realm[colour] for colour in Colour}
    return data


_REGION_KEYS = ("cell", "tile", "slot", "wild", "removed")
_KEYS = ("text", "god", *_REGION_KEYS, "validated", "realm")


def move_from_json(data: object, position: Position, legal: Collection[Move] | None = None) -> Move:
    """The move that `move_to_json` wrote; InputError with everything that is wrong with it.

    It must be legal: one of `legal` if that is given, otherwise by the rules.
    """
    expect_turn(position)
    reading = Reading()
    table = reading.table(data, PLACE, _KEYS)
    god = cell = slot = None
    if isinstance(data, dict) and ("god" in table) == ("cell" in table):
        if "god" in table:
            reading.report(PLACE, _("expected either cell or god, found both"))
        else:
            reading.report(PLACE, _("expected either cell or god, found neither"))
    elif "god" in table:
        god = _named(table["god"], f"{PLACE}, god", GODS, reading)
        for key in _REGION_KEYS:
            if table.get(key):
                reading.report(f"{PLACE}, {key}", _("expected nothing in a god's turn, found a value"))
    elif "cell" in table:
        cell = _named(table["cell"], f"{PLACE}, cell", _CELL_NUMBERS, reading)
        slot = _slot_from_json(table.get("slot"), reading)
        here = None if cell is None else tile_on(position, cell)
        if here is not None and table.get("tile", here.id) not in (here.id, tile_text(here)):
            what = _("{tile}, which lies on {cell}", tile=shown(tile_text(here)), cell=table["cell"])
            reading.expected(f"{PLACE}, tile", what, table["tile"])
    wild = reading.boolean(table.get("wild", False), f"{PLACE}, wild", False)
    validated = reading.boolean(table.get("validated", not wild), f"{PLACE}, validated", not wild)
    removed = _removed_from_json(table.get("removed", []), reading)
    if "realm" not in table and isinstance(data, dict):
        reading.expected(f"{PLACE}, realm", _("the worshipers left over"), None)
    realm = reading.worshipers(table.get("realm", ""), f"{PLACE}, realm")
    reading.raise_if_any("")
    move = Move(cell, god, slot, wild, validated, removed, realm)
    if legal is None:
        expect_legal(position, move)
    elif move not in legal:
        raise InputError.one(PLACE, _("expected one of the moves on offer, found another"))
    return move


_CELL_NUMBERS = {name: index for index, name in enumerate(CELLS)}


def _named(value: object, place: str, known: Mapping[str, Any], reading: Reading) -> Any:
    if isinstance(value, str) and value.lower() in known:
        return known[value.lower()]
    hint = nearest(value, known) if isinstance(value, str) else ""
    reading.report(
        place, _("expected one of {choice}, found {found}", choice=", ".join(known), found=shown(value)) + hint
    )
    return None


def _slot_from_json(value: object, reading: Reading) -> Slot | None:
    place = f"{PLACE}, slot"
    table = reading.table(value, place, ("row", "column"))
    if not isinstance(value, dict):
        return None
    row = reading.number(table.get("row"), f"{place}, row", 1, len(ROW_LENGTHS))
    most = ROW_LENGTHS[0 if row is None else row - 1]
    column = reading.number(table.get("column"), f"{place}, column", 1, most)
    return None if row is None or column is None else Slot(row, column - 1)


def _removed_from_json(value: object, reading: Reading) -> Removal:
    place = f"{PLACE}, removed"
    if not isinstance(value, list):
        reading.expected(place, _("a list"), value)
        return ()
    taken = []
    for index, entry in enumerate(value, start=1):
        here = f"{place}[{index}]"
        table = reading.table(entry, here, ("cell", "colour", "number"))
        if not isinstance(entry, dict):
            continue
        cell = _named(table.get("cell"), f"{here}, cell", _CELL_NUMBERS, reading)
        colour = _named(table.get("colour"), f"{here}, colour", COLOURS, reading)
        number = reading.number(table.get("number"), f"{here}, number", 1, MAX_COUNT)
        if cell is not None and colour is not None and number is not None:
            taken.append((cell, colour, number))
    return merge_removals(taken)
