"""Tiles as somebody who enters a position means them: a few words, of which those on the table decide the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from ..base.errors import InputError
from ..base.language import N_, _
from ..base.quoting import shown
from ..game.position import Placed
from ..game.problems import slot_place, tiles_left
from ..game.tiles import Tile
from ..game.vocabulary import CELLS, LEVELS, REGION_TURNS, Effect, Face
from ..notation.common import leading_empty, plain_word, split_mark
from ..tileset.descriptions import tell_apart
from ..tileset.matching import EXACTLY, graded
from ..tileset.resolving import resolve_tile
from .draft import Sheet
from .position_steps import Step

MAX_OPTIONS = 20
_EMPTY = (".", "empty")


class SeveralTiles(Exception):
    """Words that do not say which of these tiles is meant."""

    def __init__(self, options: Sequence[Tile]) -> None:
        super().__init__()
        self.options = tuple(options)


def tiles_in_use(sheet: Sheet) -> tuple[Tile, ...]:
    return sheet.tile_set.in_use(len(sheet.players))


def tiles_on(sheet: Sheet) -> Iterable[Tile]:
    """Every tile that has been named."""
    for cell in sheet.cells:
        if cell is not None and cell.tile is not None:
            yield cell.tile
    for player in sheet.players:
        for _, placed in player.player.placed():
            if placed.tile is not None:
                yield placed.tile


def tiles_to_offer(sheet: Sheet, asked: int | None = None) -> list[Tile]:
    """Those that may lie on the table and have not been named; `asked` as in `highest_level`."""
    seen, highest = set(tiles_on(sheet)), highest_level(sheet, asked)
    return [tile for tile in tiles_in_use(sheet) if tile not in seen and tile.level <= highest]


def highest_level(sheet: Sheet, asked: int | None = None) -> int:
    """The highest level that can lie on the table, as a pile is used up before the next one is begun: what is known of
    the universes limits how many tiles have been drawn. `asked` is the player whose universe is being entered."""
    most = [REGION_TURNS] * len(sheet.players)
    for index, player in enumerate(sheet.players):
        if index == asked or None in player.rows:
            continue
        regions, choice = player.player.regions, player.god_choice
        turns = regions + (choice is None or choice.god is not None)
        most = [min(each, turns + (other < index)) for other, each in enumerate(most)]
        most[index] = regions
    drawn = len(CELLS) + sum(most)
    number = len(sheet.players)
    begun = [left < size for left, size in zip(tiles_left(number, drawn), tiles_left(number, 0))]
    return max(level for level, is_begun in zip(LEVELS, begun) if is_begun)


def find_tile(
    words: str,
    sheet: Sheet,
    place: str,
    fits: Callable[[Tile], bool] = lambda _: True,
    pool: Sequence[Tile] | None = None,
    asked: int | None = None,
) -> Tile:
    """The tile that the words mean among those still possible; SeveralTiles if they fit more than one.

    What fits no possible tile is read as `orbis check` would read it, so that the message is the same.
    """
    if pool is None:
        pool = [tile for tile in tiles_to_offer(sheet, asked) if fits(tile)]
    words = words.strip()
    if not words or any(tile.id.lower() == words.lower() for tile in sheet.tile_set.tiles):
        return resolve_tile(words, sheet.tile_set, len(sheet.players), place)
    # What fits a tile exactly is meant, even one that cannot be it: the checks say why not. What fits only
    # in part, as a cost of which more is printed, is offered and not taken.
    everywhere = dict(graded(words, tiles_in_use(sheet)))
    exact = [tile for tile, grade in everywhere.items() if grade == EXACTLY]
    found = [tile for tile in exact or everywhere if tile in pool]
    if len(found) > 1 or (found and not exact):
        raise SeveralTiles(found)
    if found:
        return found[0]
    if len(exact) > 1:
        message = _(
            "expected a tile not seen yet, of a level and colour that can lie here, found {found}, which fits {tiles} "
            "only",
            found=shown(words),
            tiles=tell_apart(exact),
        )
        raise InputError.one(place, message)
    return exact[0] if exact else resolve_tile(words, sheet.tile_set, len(sheet.players), place)


def read_slot(part: str, sheet: Sheet, step: Step, column: int) -> tuple[Placed | None, str]:
    """What lies in one slot, and a note on what was added to it."""
    player = sheet.players[step.index]
    where = slot_place(step.index, player.name, step.row, column)
    if not part or plain_word(part) in _EMPTY:
        return None, ""
    face, words = split_mark(part)
    if not words:
        if face is Face.WILD:
            return Placed(None, Face.WILD), ""
        raise InputError.one(where, _("expected a tile to be cancelled, found {found}", found=shown(part)))
    below = [player.player.at(step.row - 1, column), player.player.at(step.row - 1, column + 1)]
    under = [placed for placed in below if placed is not None]
    known = step.row > 1 and player.rows[step.row - 2] is not None and len(under) == 2

    def fits(tile: Tile) -> bool:
        return face is Face.WILD or not known or any(placed.has_colour(tile.colour) for placed in under)

    tile = find_tile(words, sheet, where, fits, asked=step.index)
    if tile.effect is Effect.IRRIGATION and face is Face.UP and (step.row == 1 or known):
        if step.row == 1:
            note = _("{tile} is cancelled: an irrigation in row 1 never counts.", tile=tile.called)
            return Placed(tile, Face.CANCELLED), note
        if not any(placed.has_colour(tile.colours[0]) for placed in under):
            note = N_("{tile} is cancelled: no {colour} lies right under it.")
            return Placed(tile, Face.CANCELLED), _(note, tile=tile.called, colour=tile.colours[0].label)
    return Placed(tile, face), ""


def cell_parts(sheet: Sheet, text: str) -> list[str]:
    """By commas; or by blanks, if every word is an id with or without a bar and worshipers."""
    if "," in text:
        return [part.strip() for part in text.strip(" ,").split(",")]
    words = re.sub(r"\s*\|\s*", "|", text).split()
    ids = {tile.id.lower() for tile in sheet.tile_set.tiles}
    return words if len(words) > 1 and all(word.partition("|")[0].lower() in ids for word in words) else [text]


def row_parts(sheet: Sheet, text: str) -> tuple[list[str], bool]:
    """The slots, and whether more may come: after a single one, or after a comma at the end."""
    if "," in text:
        return [part.strip() for part in text.rstrip(" ,").split(",")], text.endswith(",")
    words = text.split()
    ids = {tile.id.lower() for tile in sheet.tile_set.tiles}
    alone = (*_EMPTY, "~", "wild", "w")
    slots = [split_mark(word)[1].lower() in ids or plain_word(word) in alone for word in words]
    if len(words) > 1 and all(slots) and not _is_marked(words):
        return words, False
    empty, described = leading_empty(text)
    return ["."] * empty + [described], not empty


def _is_marked(words: Sequence[str]) -> bool:
    """`wild b2a` is one slot and not two."""
    return (len(words) == 2 and plain_word(words[0]) == "wild") or plain_word(words[-1]) == "wild"
