"""A whole turn: a move, and the tile that comes into the empty cell, named by somebody or drawn."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import NamedTuple

from ..base.errors import InputError
from ..base.language import N_, _, ngettext
from ..base.quoting import shown
from ..game import rules as plain_rules
from ..game.position import Cell, Move, Position
from ..game.problems import default_piles, problems, star_problem
from ..game.tiles import Tile
from ..game.vocabulary import CELLS
from ..tileset.descriptions import tell_briefly
from ..tileset.resolving import resolve_tile
from . import fast_rules

MAX_LISTED = 12  # tiles listed when somebody has to name the one that came


class TurnResult(NamedTuple):
    after: Position
    cell: int | None  # the one that was refilled; None after a god
    tile: Tile | None  # what came


def take_turn(
    position: Position, move: Move, *, draw: str | None = None, seed: int | None = None, option: str = ""
) -> TurnResult:
    """Plays a legal move and refills its cell: with the tile that `draw` names or describes, which may be one
    that the set lacks, or with one drawn by `seed`.

    `option` is put before the names of these two in messages: "--" for a command's.
    """
    after = fast_rules.apply(position, move)
    if after.hole is None:
        if draw is not None:
            message = _("expected no tile, as a god's turn refills nothing, found one")
            raise InputError.one(f"{option}draw", message)
        return TurnResult(after, None, None)
    place = f"{option}draw"
    cell, possible = after.hole, possible_draws(after)
    if draw is not None:
        tile = drawn_tile(draw, place, position, after)
    elif seed is None:
        raise InputError.one(
            "refill" if option else place,
            _(
                "expected {option}draw TILE or {option}seed N, as a tile is drawn for {cell} ({tiles}), found neither",
                option=option,
                cell=CELLS[cell],
                tiles=_tile_list(possible),
            ),
        )
    elif possible:
        tile = random.Random(seed).choice(possible)
    else:
        message = _(
            "expected a tile that can be drawn, found none with a mystic value of its own; use {option}draw",
            option=option,
        )
        raise InputError.one(f"{option}seed", message)
    full = refilled(position, after, tile)
    if found := problems(full):
        raise InputError(found)
    return TurnResult(full, cell, tile)


def possible_draws(after: Position) -> list[Tile]:
    """What can come. A tile with a mystic value that is on the table cannot, though a set that is not
    quite the box may have one in a pile.
    """
    seen = [cell.tile for cell in after.centre]
    seen += [placed.tile for player in after.players for _, placed in player.placed()]
    values = {tile.mystic for tile in seen if tile is not None} - {None}
    return [tile for tile in plain_rules.draws(after) if tile.mystic not in values]


def _follows(position: Position) -> list[bool]:
    """For each pile, whether it follows from the table rather than being listed by somebody who knows."""
    usual = default_piles(position.tiles, position.players, position.centre)
    return [pile == other for pile, other in zip(position.piles, usual)]


def _lowest(position: Position) -> int:
    return next(index for index, pile in enumerate(position.piles) if pile.left)


def drawn_tile(text: str, place: str, before: Position, after: Position) -> Tile:
    """The tile that somebody says has come; a description may be of one that the set lacks."""
    possible = possible_draws(after)
    players = len(after.players)
    tile = None
    try:
        tile = resolve_tile(text, after.tiles._replace(tiles=tuple(possible)), players, place)
    except InputError:
        # It is not among those that can come. If it is another tile, say so.
        with suppress(InputError):
            tile = resolve_tile(text, after.tiles, players, place)
        if tile is None:
            raise
    lowest = _lowest(after)
    of_set = any(tile.features == other.features for other in after.tiles.in_use(players))
    is_new = tile.described and not of_set and tile.level == lowest + 1
    if tile in possible or (is_new and _follows(before)[lowest]):
        return tile
    raise InputError.one(place, star_problem(tile, players) or _cannot_come(tile, text, after))


def _cannot_come(tile: Tile, text: str, after: Position) -> str:
    """Why a tile is not among those that can come: usually it has been seen, and what was entered then is wrong."""
    tiles, found = _tile_list(possible_draws(after)), shown(text)
    for index, cell in enumerate(after.centre):
        if cell.tile == tile:
            message = N_("expected a tile that can be drawn ({tiles}), found {found}, which lies on {cell}")
            return _(message, tiles=tiles, found=found, cell=CELLS[index])
    for seat, player in enumerate(after.players, 1):
        if any(placed.tile == tile for _slot, placed in player.placed()):
            name = player.name or _("player {number}", number=seat)
            message = N_("expected a tile that can be drawn ({tiles}), found {found}, which {player} has")
            return _(message, tiles=tiles, found=found, player=name)
    level = _lowest(after) + 1
    if tile.level != level:
        message = N_("expected a tile of level {level} ({tiles}), found {found} of level {other}")
        return _(message, level=level, tiles=tiles, found=found, other=tile.level)
    return _("expected a tile that can be drawn ({tiles}), found {found}", tiles=tiles, found=found)


def refilled(before: Position, after: Position, tile: Tile) -> Position:
    """The position once the tile, one that `drawn_tile` allows, lies in the empty cell."""
    if tile in plain_rules.draws(after):
        return plain_rules.refill(after, tile)
    # It is not in the pile, so it takes the place of an unseen tile of its level, nobody knows which.
    centre = tuple(Cell(tile, cell.worshipers) if cell.tile is None else cell for cell in after.centre)
    usual = default_piles(after.tiles, after.players, centre)
    first, second, third = (
        other if follows else pile for pile, other, follows in zip(after.piles, usual, _follows(before))
    )
    return after._replace(centre=centre, piles=(first, second, third))


def _tile_list(tiles: list[Tile]) -> str:
    if len(tiles) == 1:
        return _("only {tile}", tile=tiles[0].called)
    return ngettext("one of {n}: {tiles}", "one of {n}: {tiles}", len(tiles), tiles=tell_briefly(tiles, MAX_LISTED))
