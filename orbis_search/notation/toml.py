"""The readable form: a TOML file that a person can write at the table."""

from __future__ import annotations

import re

from ..base.errors import InputError
from ..base.language import N_, _, ngettext
from ..base.names import player_place
from ..base.quoting import UNFILLED
from ..base.toml import NestedTooDeep, NotToml, toml_string, toml_tables
from ..game.position import Placed, Player, Position
from ..game.problems import cell_place
from ..game.tiles import Tile, TileSet
from ..game.vocabulary import CANCELLABLE, CELLS, LEVELS, SET_UP, Face
from .common import Draft, Folder, PlayerDraft, Reading, finish, piles_to_write, refuse_unwritable, tile_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_KEYS = ("players", "to_move", "tiles", "gods", "most_at_zero", "centre", "player", "piles")
_PLAYER_KEYS = ("name", "realm", "god", "row1", "row2", "row3", "row4")
_PILE_KEYS = tuple(f"level{level}" for level in LEVELS)
_COMMENT_COLUMN = 25
_PYRAMID_WIDTH = 20  # wider slots (described tiles) are listed without drawing the pyramid
_LINE = 100


# Reading.


def read_toml(text: str, source: str, base_dir: Folder = None, tiles: TileSet | str | None = None) -> Position:
    return read_document(document_of(text, source), source, base_dir, tiles)


def read_document(
    document: dict[str, Any], source: str, base_dir: Folder = None, tiles: TileSet | str | None = None
) -> Position:
    """The position that a file's tables describe."""
    reading = Reading()
    return finish(draft_of(document, reading), reading, source, base_dir, tiles)


def document_of(text: str, source: str) -> dict[str, Any]:
    """The file's tables; InputError if it is not TOML, or clearly not a position."""
    try:
        document = toml_tables(text)
    except NestedTooDeep:
        raise InputError.one(source, _("expected a position in TOML, found lists nested too deeply")) from None
    except NotToml as error:
        if single := _single_player(text):
            raise InputError.one(source, single) from None  # TOML allows no table twice: that is the error
        message = _("expected a position in TOML, found a syntax error: {error}", error=error)
        raise InputError.one(source, message) from None
    if isinstance(document.get("tiles"), list) and "centre" not in document:
        raise InputError.one(source, _("expected a position, found a tile set"))
    if isinstance(document.get("player"), dict):
        message = _single_player(text) or _("expected [[player]] for each player, found one table")
        raise InputError.one(source, message)
    return document


def _single_player(text: str) -> str | None:
    """Says where [player] was written for [[player]], the slip that TOML invites most."""
    for number, line in enumerate(text.splitlines(), start=1):
        if re.match(r"\s*\[\s*player\s*\]", line):
            return _("expected [[player]] for each player, found [player] in line {line}", line=number)
    return None


def draft_of(document: dict[str, Any], reading: Reading) -> Draft:
    """What the tables say, with tiles still as text; `reading` is told whatever is wrong with them."""
    top = reading.table(document, "", _KEYS)
    draft = Draft(to_move=top.get("to_move"))
    if "tiles" in top:
        draft.tiles = reading.text(top["tiles"], "tiles", _("the name or path of a tile set"))
    if "most_at_zero" in top:
        draft.most_at_zero = reading.boolean(top["most_at_zero"], "most_at_zero", True)
    draft.gods = reading.gods(top.get("gods", ""), "gods")
    for cell, value in reading.table(top.get("centre", {}), "centre", CELLS).items():
        index = CELLS.index(cell)
        draft.cells[index] = reading.cell(value, cell_place(index))

    tables = top.get("player", [])
    if not isinstance(tables, list):
        reading.expected("player", _("a [[player]] table for each player"), tables)
        tables = []
    draft.players = [_player(table, index, reading) for index, table in enumerate(tables)]
    if isinstance(top.get("players"), (list, dict)):
        reading.expected("players", _("a number here and [[player]] for each player"), top["players"])
    elif "players" in top:
        said = reading.number(top["players"], "players", min(SET_UP), max(SET_UP))
        if said is not None and said != len(tables):
            reading.report(
                "players",
                ngettext(
                    "expected {n} [[player]] table, as stated here, found {found}",
                    "expected {n} [[player]] tables, as stated here, found {found}",
                    said,
                    found=len(tables),
                ),
            )

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
    """The position as a file that reads back as an equal position. In English, whatever the language, so that files can
    be shared.

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
        "# An Orbis position. Worshipers: r g b y w with a number after, - for none.",
        f"players = {len(position.players)}",
        commented(f"to_move = {to_move}", whose),
        commented(f"tiles = {toml_string(position.tiles.name)}", "the tile set"),
        commented(f"gods = {toml_string(gods)}", "face up, not taken"),
    ]
    if not position.options.most_at_zero:
        lines.append(commented("most_at_zero = false", 'a god\'s "most" needs at least one'))
    lines += ["", commented("[centre]", "tile | worshipers; a3 is the top left cell, c1 the bottom right")]
    texts = ["" if cell.tile is None else tile_text(cell.tile) for cell in position.centre]
    width = max(map(len, texts))
    for index, cell in enumerate(position.centre):
        lines.append(f"{CELLS[index]} = {toml_string(f'{texts[index]:<{width}} | {cell.worshipers}')}")
        if index in (2, 5):
            lines.append("")
    for index, player in enumerate(position.players):
        lines += ["", commented("[[player]]", "began the game" if index == 0 else "")]
        lines += _player_lines(player)
    given = piles_to_write(position)
    if given:
        lines += ["", commented("[piles]", "what each can hold, first drawn first")]
        for level, pile in given:
            lines += list_lines(f"level{level}", [toml_string(tile_text(tile)) for tile in pile.tiles])
    return "\n".join(lines) + "\n"


_TEMPLATE_HEAD = N_("""\
# An Orbis position to fill in. Replace each ? and keep the quotes; then `orbis check FILE` lists the ?
# that are left and anything else wrong. Text after a # is a comment. docs/positions.md has the details.
#
# A tile is its id (`orbis tiles show` lists them) or what is printed on it, in any order, as much as it
# takes to fit one tile. With this tile set these are the same:
{same}
# Describe a tile that is not in the set in full: colour, level, cost (or free), effect (or none),
# points, such as `red L2 cost rwa volcano 2 gb 3cp`. Effects: farm r, village 3, forest 2 rg, volcano 2 rg,
# irrigation r, temple 2 (with its mystic 7), gain 1 r, gain any, stone, none.
# Worshipers are letters: r g b y w for red green blue yellow white; rrg is two red and a green; - is nobody.""")
_TEMPLATE_ROWS = N_("""\
#   wild         a wilderness whose front nobody remembers; wild {tile} if somebody does
#   cancelled    before a tile with a cancellation token
#   .            an empty slot: slot 1 of row 2 lies over slots 1 and 2 of row 1, and so on""")
_TEMPLATE_PILES = N_("""\
# What lies in the face-down piles follows from the above. Only if you know more or less than that:
# [piles]
# level3 = "{tile}, {other}"    # what it can hold, at least as many as are left; also level1, level2""")


def write_template(players: int, tiles: TileSet) -> str:
    """A position file to fill in, with every key explained. What is not known yet is `?`, which `check` reports.

    It is not a made-up position: what somebody forgets to replace must be noticed, and a tile that merely looks
    plausible is not.
    """
    same = "\n".join(f"#     {text}" for text in _three_names(tiles, players))
    gods = SET_UP[players].gods
    in_use = tiles.in_use(players)
    plain = in_use[0].id
    token = next((tile.id for tile in in_use if tile.effect in CANCELLABLE), plain)
    lines = [
        _(_TEMPLATE_HEAD, same=same),
        "",
        commented(f"players = {players}", _("2, 3 or 4: one [[player]] below for each")),
        commented("# to_move = 1", _("whose turn it is; follows from the rest, so writing it is only a check")),
        commented(f"tiles = {toml_string(tiles.name)}", _('the tile set: "reconstruction", "random:SEED", or a file')),
        commented(
            f"gods = {toml_string(UNFILLED)}",
            _('face up, not taken, such as "love fire"; {gods} minus those taken', gods=gods),
        ),
        commented("# most_at_zero = false", _('only if at your table a god\'s "most" needs at least one')),
        "",
        commented(
            "[centre]",
            _('tile | worshipers on it, such as "{tile} | rrg"; a3 is top left, c1 bottom right', tile=plain),
        ),
    ]
    for index, cell in enumerate(CELLS):
        lines.append(f"{cell} = {toml_string(f'{UNFILLED} | {UNFILLED}')}")
        if index in (2, 5):
            lines.append("")
    for index in range(players):
        first, unknown = index == 0, toml_string(UNFILLED)
        row = _('from the left, such as "{tile}, wild, cancelled {other}"; - if empty', tile=plain, other=token)
        lines += [
            "",
            commented("[[player]]", _("the starting player") if first else _("the next in turn order")),
            commented('name = ""', _("for drawings and messages; may stay empty") if first else ""),
            commented(f"realm = {unknown}", _("the player's worshipers, at most 10") if first else ""),
            commented(f"god = {unknown}", _('the god taken, "none", or "death cancelled"') if first else ""),
            commented(f"row1 = {unknown}", row if first else ""),
        ]
        if first:
            lines.append(_(_TEMPLATE_ROWS, tile=plain))
        lines += [f'# row{number} = ""' for number in (2, 3, 4)]
    lines += ["", _(_TEMPLATE_PILES, tile=in_use[-2].id, other=in_use[-1].id)]
    return "\n".join(lines) + "\n"


def _three_names(tiles: TileSet, players: int) -> list[str]:
    """One tile by its id, by a part of what is printed on it, and by all of it."""
    from ..tileset.descriptions import describe
    from ..tileset.resolving import resolve_tile
    from ..tileset.syntax import effect_text

    def short(tile: Tile) -> str | None:
        text = f"{tile.colour.word} {effect_text(tile)}"
        try:
            return text if resolve_tile(text, tiles, players) == tile else None
        except InputError:
            return None

    in_use = tiles.in_use(players)
    middle = [tile for tile in in_use if tile.level == LEVELS[1]]
    for tile in sorted(middle, key=lambda tile: not (tile.any_cost and tile.colours)):
        if text := short(tile):
            return [tile.id, text, describe(tile)]
    return [in_use[0].id, describe(in_use[0])]


def commented(line: str, comment: str) -> str:
    return f"{line:<{_COMMENT_COLUMN - 1}} # {comment}" if comment else line


def _player_lines(player: Player) -> list[str]:
    lines = []
    if player.name:
        lines.append(f"name = {toml_string(player.name)}")
    god = "none" if player.god is None else player.god.word + ("" if player.god_validated else " cancelled")
    lines.append(f"realm = {toml_string(str(player.realm))}")
    lines.append(f"god = {toml_string(god)}")
    return lines + _pyramid_lines(player)


def _pyramid_lines(player: Player) -> list[str]:
    """Rows from the top, each slot drawn over the middle of the two it lies on."""
    rows = [[toml_string(slot_text(placed)) for placed in row] for row in player.rows]
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
                lines += list_lines(f"row{row + 1}", rows[row])
    return lines


def slot_text(placed: Placed | None) -> str:
    if placed is None:
        return "."
    if placed.tile is None:
        return "wild"
    tile = tile_text(placed.tile)
    return {Face.UP: "", Face.CANCELLED: "cancelled ", Face.WILD: "wild "}[placed.face] + tile


def list_lines(key: str, items: list[str]) -> list[str]:
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
