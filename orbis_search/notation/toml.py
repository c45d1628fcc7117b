"""The readable form: a TOML file that a person can write at the table."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from ..checking import cell_place, player_place
from ..errors import InputError
from ..position import Placed, Player, Position
from ..tiles import TileSet, quote_hint
from ..vocabulary import CELLS, LEVELS, SET_UP, Face
from .common import (
    Draft,
    Folder,
    PlayerDraft,
    Reading,
    finish,
    piles_to_write,
    refuse_unwritable,
    tile_text,
)

_KEYS = ("players", "to_move", "tiles", "gods", "most_at_zero", "centre", "player", "piles")
_PLAYER_KEYS = ("name", "realm", "god", "row1", "row2", "row3", "row4")
_PILE_KEYS = tuple(f"level{level}" for level in LEVELS)
_COMMENT_COLUMN = 25
_PYRAMID_WIDTH = 20  # wider slots (described tiles) are listed without drawing the pyramid
_LINE = 100


# Reading.


def read_toml(
    text: str, source: str, base_dir: Folder = None, tiles: TileSet | str | None = None
) -> Position:
    try:
        document = tomllib.loads(text)
    except RecursionError:
        raise InputError.one(source, "expected a position in TOML, found lists nested too deep") from None
    except ValueError as error:
        if single := _single_player(text):
            raise InputError.one(source, single) from None  # TOML allows no table twice: that is the error
        # Not only TOMLDecodeError: an integer of thousands of digits is refused by int() itself.
        message = f"expected a position in TOML, found a syntax error: {error}{quote_hint(text, str(error))}"
        raise InputError.one(source, message) from None
    if isinstance(document.get("tiles"), list) and "centre" not in document:
        raise InputError.one(source, "expected a position, found a tile set")
    if isinstance(document.get("player"), dict):
        raise InputError.one(source, _single_player(text) or f"{_EACH_PLAYER}, found one table")
    reading = Reading()
    return finish(_draft(document, reading), reading, source, base_dir, tiles)


_EACH_PLAYER = "expected [[player]] for each player"


def _single_player(text: str) -> str | None:
    """Says where [player] stands for [[player]], the slip that TOML invites most."""
    for number, line in enumerate(text.splitlines(), start=1):
        if re.match(r"\s*\[\s*player\s*\]", line):
            return f"{_EACH_PLAYER}, found [player] in line {number}"
    return None


def _draft(document: dict[str, Any], reading: Reading) -> Draft:
    top = reading.table(document, "", _KEYS)
    draft = Draft(to_move=top.get("to_move"))
    if "tiles" in top:
        draft.tiles = reading.text(top["tiles"], "tiles", "the name or path of a tile set")
    if "most_at_zero" in top:
        draft.most_at_zero = reading.boolean(top["most_at_zero"], "most_at_zero", True)
    draft.gods = reading.gods(top.get("gods", ""), "gods")
    for cell, value in reading.table(top.get("centre", {}), "centre", CELLS).items():
        index = CELLS.index(cell)
        draft.cells[index] = reading.cell(value, cell_place(index))

    tables = top.get("player", [])
    if not isinstance(tables, list):
        reading.expected("player", "a [[player]] table for each player", tables)
        tables = []
    draft.players = [_player(table, index, reading) for index, table in enumerate(tables)]
    if isinstance(top.get("players"), (list, dict)):
        reading.expected("players", "a number here and [[player]] for each player", top["players"])
    elif "players" in top:
        said = reading.number(top["players"], "players", min(SET_UP), max(SET_UP))
        if said is not None and said != len(tables):
            reading.report("players", f"expected {said} [[player]] tables, as it says, found {len(tables)}")

    for key, value in reading.table(top.get("piles", {}), "piles", _PILE_KEYS).items():
        level = LEVELS[_PILE_KEYS.index(key)]
        draft.piles[level] = reading.pile(value, level)
    return draft


def _player(value: object, index: int, reading: Reading) -> PlayerDraft:
    place = player_place(index)
    table = reading.table(value, place, _PLAYER_KEYS)
    player = PlayerDraft()
    if "name" in table:
        player.name = reading.name(table["name"], f"{place}, name")
        place = player_place(index, player.name)
    player.realm = reading.worshipers(table.get("realm", ""), f"{place}, realm")
    player.god, player.validated = reading.god(table.get("god", ""), f"{place}, god")
    for row in range(4):
        if f"row{row + 1}" in table:
            player.rows[row] = reading.row(table[f"row{row + 1}"], f"{place}, row {row + 1}")
    return player


# Writing.


def write_toml(position: Position) -> str:
    """The position as a file that reads back as an equal position.

        >>> orbis.read_position(write_toml(position)) == position
        True
    """
    refuse_unwritable(position)
    gods = " ".join(god.word for god in position.gods) or "none"
    mover = position.to_move
    if mover is None:
        to_move, whose = '"nobody"', "the game is over"
    else:
        to_move, whose = str(mover + 1), position.players[mover].name or "counted from the one who began"
    lines = [
        "# An Orbis position. Worshipers: r g b y w with a number behind, - for none.",
        f"players = {len(position.players)}",
        _commented(f"to_move = {to_move}", whose),
        _commented(f"tiles = {quoted(position.tiles.name)}", "the tile set"),
        _commented(f"gods = {quoted(gods)}", "face up, not taken"),
    ]
    if not position.options.most_at_zero:
        lines.append(_commented("most_at_zero = false", "a god's \"most\" needs at least one"))
    lines += ["", _commented("[centre]", "tile | worshipers; a3 is the top left cell, c1 the bottom right")]
    texts = ["" if cell.tile is None else tile_text(cell.tile) for cell in position.centre]
    width = max(map(len, texts))
    for index, cell in enumerate(position.centre):
        lines.append(f"{CELLS[index]} = {quoted(f'{texts[index]:<{width}} | {cell.worshipers}')}")
        if index in (2, 5):
            lines.append("")
    for index, player in enumerate(position.players):
        lines += ["", _commented("[[player]]", "began the game" if index == 0 else "")]
        lines += _player_lines(player)
    given = piles_to_write(position)
    if given:
        lines += ["", _commented("[piles]", "what each can hold, first drawn first")]
        for level, pile in given:
            lines += _list_lines(f"level{level}", [quoted(tile_text(tile)) for tile in pile.tiles])
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """A TOML basic string."""
    out = []
    for char in text:
        if char in '"\\':
            out.append("\\" + char)
        elif ord(char) < 32 or ord(char) == 127:
            out.append(f"\\u{ord(char):04x}")
        else:
            out.append(char)
    return '"' + "".join(out) + '"'


def _commented(line: str, comment: str) -> str:
    return f"{line:<{_COMMENT_COLUMN - 1}} # {comment}" if comment else line


def _player_lines(player: Player) -> list[str]:
    lines = []
    if player.name:
        lines.append(f"name = {quoted(player.name)}")
    god = "none" if player.god is None else player.god.word + ("" if player.god_validated else " cancelled")
    lines.append(f"realm = {quoted(str(player.realm))}")
    lines.append(f"god = {quoted(god)}")
    return lines + _pyramid_lines(player)


def _pyramid_lines(player: Player) -> list[str]:
    """Rows from the top, each slot drawn over the middle of the two it lies on."""
    rows = [[quoted(_slot_text(placed)) for placed in row] for row in player.rows]
    width = max((len(slot) for row in rows for slot in row), default=0) + 2  # a comma and a blank
    width += width % 2
    draw = width <= _PYRAMID_WIDTH
    lines = []
    for row in range(len(rows) - 1, -1, -1):
        if rows[row]:
            if draw:
                padded = "".join(f"{slot + ',':<{width}}" for slot in rows[row][:-1])
                lines.append(f"row{row + 1} = [{' ' * (row * width // 2)}{padded}{rows[row][-1]}]")
            else:
                lines += _list_lines(f"row{row + 1}", rows[row])
    return lines


def _slot_text(placed: Placed | None) -> str:
    if placed is None:
        return "."
    if placed.tile is None:
        return "wild"
    tile = tile_text(placed.tile)
    return {Face.UP: "", Face.CANCELLED: "cancelled ", Face.WILD: "wild "}[placed.face] + tile


def _list_lines(key: str, items: list[str]) -> list[str]:
    one_line = f"{key} = [{', '.join(items)}]"
    if len(one_line) <= _LINE:
        return [one_line]
    lines, current = [f"{key} = ["], " "
    for item in items:
        if len(current) + len(item) + 2 > _LINE:
            lines.append(current)
            current = " "
        current += f" {item},"
    return [*lines, current, "]"]
