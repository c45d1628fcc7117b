"""The compact form, for chats and command lines: one line that no shell takes apart.

    o1:2:reconstruction:r1a+r2b,b1c,w1a,...:r2g/-/r1b,w,x.y2a/w1c:-/x.death:love+fire:names=Anna,Bo

    line   = "o1" ":" number of players ":" set ":" cells { ":" player } ":" gods { ":" extra }
    cells  = nine of: tile [ "+" worshipers ]      a3,b3,c3,a2,b2,c2,a1,b1,c1, commas between
    player = realm "/" god { "/" row }             rows from the bottom; trailing empty ones left out
    realm  = worshipers | "-"
    god    = "-" | name | "x.death"                x. is a cancellation token
    row    = slots with commas between: "." empty, tile, "x." tile cancelled,
             "w." tile wilderness, "w" wilderness nobody remembers; "-" an empty row below others
    gods   = names with "+" between, or "-"        face up
    extra  = "names=" texts with commas | "most=positive" | "pile1=" .. "pile3=" tiles with commas, or "-"
    tile   = id, or a description with "_" for each blank

Set and names are texts: letters, digits and . / - _ stand for themselves, "+" for a blank, "=" for a colon,
and "@" with two hexadecimal digits for one byte of any other character in UTF-8.
"""

from __future__ import annotations

import re

from ..base.language import _
from ..base.line_text import decoded_text, encoded_text
from ..base.names import player_place
from ..base.quoting import nearest, shown
from ..game.position import Placed, Player, Position
from ..game.problems import cell_place
from ..game.tiles import Tile, TileSet
from ..game.vocabulary import CELLS, LEVELS, SET_UP, Face
from .common import CellDraft, Draft, Folder, PlayerDraft, Reading, finish, piles_to_write, refuse_unwritable, tile_text

HEAD = "o1"
_FIXED = 5  # head, number of players, set, cells, gods
_EXTRAS = ("names", "most", *(f"pile{level}" for level in LEVELS))


# Reading.


def read_oneline(text: str, source: str, base_dir: Folder = None, tiles: TileSet | str | None = None) -> Position:
    reading = Reading()
    # Chats wrap long lines; no part of the form holds a line break.
    fields = re.sub(r"\s*[\r\n]+\s*", "", text.strip()).split(":")
    if fields[0].lower() != HEAD:
        reading.expected("field 1", _("{version}, the version this program reads", version=HEAD), fields[0])
        reading.raise_if_any(source)
    draft = _draft(fields, reading)
    if draft is None:
        reading.raise_if_any(source)
        raise AssertionError("a line that cannot be taken apart is a problem")
    return finish(draft, reading, source, base_dir, tiles)


def _draft(fields: list[str], reading: Reading) -> Draft | None:
    said = fields[1] if len(fields) > 1 else None
    if said is None or said not in map(str, SET_UP):
        reading.expected("field 2", _("2, 3 or 4 players"), said)
        return None
    number = int(said)
    if len(fields) < _FIXED + number:
        least = _FIXED + number
        message = _(
            "expected at least {least} fields between colons for {players} players, found {found}",
            least=least,
            players=number,
            found=len(fields),
        )
        reading.report("", message)
        return None
    draft = Draft()
    draft.tiles = decoded_text(fields[2], "tiles", reading) or draft.tiles
    cells = fields[3].split(",")
    if len(cells) != len(CELLS):
        reading.report(
            "centre", _("expected {count} cells separated by commas, found {found}", count=len(CELLS), found=len(cells))
        )
    for index, text in enumerate(cells[: len(CELLS)]):
        place = cell_place(index)
        tile, _plus, worshipers = text.partition("+")
        draft.cells[index] = CellDraft(reading.tile(tile, place), reading.worshipers(worshipers, place))

    extras = _extras(fields[_FIXED + number :], reading)
    names = [""] * number
    if "names" in extras:
        listed = extras["names"].split(",")
        if len(listed) != number:
            reading.report(
                "names", _("expected {count} names separated by commas, found {found}", count=number, found=len(listed))
            )
        names = [decoded_text(name, "names", reading) for name in listed] + names
    draft.players = [_player(fields[4 + index], index, names[index], reading) for index in range(number)]
    draft.gods = reading.gods(fields[4 + number], "gods")
    if "most" in extras:
        if extras["most"] not in ("positive", "zero"):
            reading.expected("most", _("positive or zero"), extras["most"])
        draft.most_at_zero = extras["most"] != "positive"
    for level in LEVELS:
        if f"pile{level}" in extras:
            tiles = extras[f"pile{level}"]
            draft.piles[level] = reading.pile([] if tiles in ("", "-") else tiles.split(","), level)
    return draft


def _extras(fields: list[str], reading: Reading) -> dict[str, str]:
    extras: dict[str, str] = {}
    for field in fields:
        key, equals, value = field.partition("=")
        if not equals or key not in _EXTRAS:
            choice = ", ".join(f"{extra}=" for extra in _EXTRAS)
            hint = nearest(key, _EXTRAS)
            reading.report(
                "",
                _("expected one of {choice} after the gods, found {found}", choice=choice, found=shown(field)) + hint,
            )
        elif key in extras:
            reading.report(key, _("expected this field once, found it twice"))
        extras[key] = value
    return extras


def _player(text: str, index: int, name: str, reading: Reading) -> PlayerDraft:
    place = player_place(index, name)
    parts = text.split("/")
    player = PlayerDraft(name=name)
    player.realm = reading.worshipers(parts[0], f"{place}, realm")
    if len(parts) < 2:
        reading.report(place, _("expected realm/god/rows, found {found}", found=shown(text)))
        reading.unread |= {"gods", "turns", "universes"}
        return player
    player.god, player.validated = reading.god(parts[1], f"{place}, god")
    rows = parts[2:]
    if len(rows) > len(player.rows):
        reading.report(place, _("expected at most {most} rows, found {found}", most=len(player.rows), found=len(rows)))
        reading.unread |= {"turns", "universes"}
    for number, row in enumerate(rows[: len(player.rows)]):
        slots = [] if row in ("", "-") else row.split(",")
        player.rows[number] = reading.row(slots, f"{place}, row {number + 1}")
    return player


# Writing.


def write_oneline(position: Position) -> str:
    """The position as one line, without a line break, that reads back as an equal position.

    >>> write_oneline(position)[:50]
    'o1:2:reconstruction:y2b,r2a+ry3w,r2b,g2b+r,w2c+gw,'
    """
    refuse_unwritable(position)
    cells = [
        _tile(tile) + (f"+{worshipers}" if worshipers.total else "")
        for tile, worshipers in position.centre
        if tile is not None
    ]
    fields = [HEAD, str(len(position.players)), encoded_text(position.tiles.name), ",".join(cells)]
    fields += [_player_field(player) for player in position.players]
    fields.append("+".join(god.word for god in position.gods) or "-")
    if any(player.name for player in position.players):
        fields.append("names=" + ",".join(encoded_text(player.name) for player in position.players))
    if not position.options.most_at_zero:
        fields.append("most=positive")
    for level, pile in piles_to_write(position):
        fields.append(f"pile{level}=" + (",".join(map(_tile, pile.tiles)) or "-"))
    return ":".join(fields)


def _tile(tile: Tile) -> str:
    return tile_text(tile).replace(" ", "_")


def _player_field(player: Player) -> str:
    god = "-"
    if player.god is not None:
        god = player.god.word if player.god_validated else f"x.{player.god.word}"
    rows = [",".join(map(_slot, row)) or "-" for row in player.rows]
    while rows and rows[-1] == "-":
        rows.pop()
    return "/".join([str(player.realm), god, *rows])


def _slot(placed: Placed | None) -> str:
    if placed is None:
        return "."
    if placed.tile is None:
        return "w"
    return {Face.UP: "", Face.CANCELLED: "x.", Face.WILD: "w."}[placed.face] + _tile(placed.tile)
