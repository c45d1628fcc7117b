"""`orbis apply`: the position after a move."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from ..errors import InputError
from .options import (
    json_option,
    load_position,
    oneline_option,
    output_option,
    position_argument,
    position_folder,
    position_tiles_option,
    rebased,
    write,
)

if TYPE_CHECKING:
    from ..position import Position
    from ..tiles import Tile

MAX_LISTED = 12  # tiles named when it has to be said which one came


@click.command()
@position_argument
@click.argument("move", metavar="MOVE", nargs=-1, required=True)
@click.option("--draw", metavar="TILE", help="The tile that came to the empty cell: its id or description.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="Draw that tile at random.")
@position_tiles_option
@click.option("--toml", "as_toml", is_flag=True, help="Write a position file.  [default]")
@oneline_option
@json_option
@output_option
def apply(
    position: str,
    move: tuple[str, ...],
    draw: str | None,
    seed: int | None,
    tiles: str | None,
    as_toml: bool,
    oneline: bool,
    as_json: bool,
    output: str | None,
) -> None:
    """Write the position after MOVE has been played in POSITION.

    MOVE is in move notation, in as many words as it takes; a short form is fine
    if it fits one legal move. After a region a tile comes into the empty cell:
    say which with --draw, or let --seed draw it.
    """
    if as_toml + oneline + as_json > 1:
        raise click.UsageError("--toml, --oneline and --json exclude each other.")
    if draw is not None and seed is not None:
        raise click.UsageError("--draw and --seed exclude each other.")
    loaded = load_position(position, tiles)

    from .. import notation, rules

    played = notation.parse_move(" ".join(move), loaded)
    text = notation.format_move(loaded, played)
    after = rules.apply(loaded, played)
    if after.hole is not None:
        after, refill = _refilled(loaded, after, draw, seed)
        text += f"; {refill}"
    elif draw is not None:
        raise InputError.one("--draw", "expected no tile, as nothing is refilled in a god's turn, found one")
    folder = position_folder(position, tiles)
    after = rebased(after, folder, output)
    if as_json:
        written = notation.write_json(after)
    elif oneline:
        written = notation.write_oneline(after)
    else:
        written = f"# After: {text}\n{notation.write_toml(after)}"
    write(written.rstrip("\n") + "\n", output)


def _refilled(before: Position, after: Position, draw: str | None, seed: int | None) -> tuple[Position, str]:
    """The position with a tile in its empty cell, and what happened in words."""
    from ..checking import problems
    from ..notation.common import tile_text
    from ..vocabulary import CELLS

    assert after.hole is not None
    cell = CELLS[after.hole]
    possible = _possible(after)
    if draw is not None:
        tile = _drawn(draw, before, after, possible)
    elif seed is None:
        raise InputError.one(
            "refill",
            f"expected --draw TILE or --seed N, as a tile comes to {cell} "
            f"({_listed(possible)}), found neither",
        )
    elif possible:
        import random

        tile = random.Random(seed).choice(possible)
    else:
        message = "expected a tile that can come, found none with a mystic value of its own; use --draw"
        raise InputError.one("--seed", message)
    full = _with_tile(before, after, tile)
    if found := problems(full):
        raise InputError(found)
    return full, f"{tile_text(tile)} came to {cell}"


def _possible(after: Position) -> list[Tile]:
    """What can come. A tile with a mystic value that is on the table cannot, though a set that is not
    quite the box may have one in a pile.
    """
    from .. import rules

    seen = [cell.tile for cell in after.centre]
    seen += [placed.tile for player in after.players for _, placed in player.placed()]
    values = {tile.mystic for tile in seen if tile is not None} - {None}
    return [tile for tile in dict.fromkeys(rules.draws(after)) if tile.mystic not in values]


def _follows(position: Position) -> list[bool]:
    """Of each pile, whether it is what follows from the table, and not listed by somebody who knows."""
    from ..checking import default_piles

    usual = default_piles(position.tiles, position.players, position.centre)
    return [pile == other for pile, other in zip(position.piles, usual)]


def _lowest(position: Position) -> int:
    return next(index for index, pile in enumerate(position.piles) if pile.left)


def _drawn(text: str, before: Position, after: Position, possible: list[Tile]) -> Tile:
    """The tile that somebody says has come; a description may be of one that the set lacks."""
    from dataclasses import replace

    from ..descriptions import resolve_tile
    from ..tiles import shown

    players = len(after.players)
    tile = None
    try:
        tile = resolve_tile(text, replace(after.tiles, tiles=tuple(possible)), players, "--draw")
    except InputError:
        # None of those that can come. If it is another tile, that is the thing to say.
        with suppress(InputError):
            tile = resolve_tile(text, after.tiles, players, "--draw")
        if tile is None:
            raise
    lowest = _lowest(after)
    of_set = any(tile.features == other.features for other in after.tiles.in_use(players))
    is_new = tile.described and not of_set and tile.level == lowest + 1
    if tile in possible or (is_new and _follows(before)[lowest]):
        return tile
    message = f"expected a tile that can come ({_listed(possible)}), found {shown(text)}"
    raise InputError.one("--draw", message)


def _with_tile(before: Position, after: Position, tile: Tile) -> Position:
    from dataclasses import replace

    from .. import rules
    from ..checking import default_piles
    from ..position import Cell

    if tile in rules.draws(after):
        return rules.refill(after, tile)
    # It is not in the pile, so it stands for one of the unseen tiles of its level, nobody knows which.
    centre = tuple(Cell(tile, cell.worshipers) if cell.tile is None else cell for cell in after.centre)
    usual = default_piles(after.tiles, after.players, centre)
    first, second, third = (
        other if follows else pile for pile, other, follows in zip(after.piles, usual, _follows(before))
    )
    return replace(after, centre=centre, piles=(first, second, third))


def _listed(tiles: list[Tile]) -> str:
    names = ", ".join(tile.id for tile in tiles[:MAX_LISTED])
    more = ", ..." if len(tiles) > MAX_LISTED else ""
    return f"one of {len(tiles)}: {names}{more}" if len(tiles) != 1 else f"only {names}"
