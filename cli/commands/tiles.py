"""`orbis tiles`: tile sets checked, listed, begun and made up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ...base.errors import InputError, place_words
from ...base.language import N_, _, ngettext
from ..group import PlainGroup
from ..options import (
    color_option,
    json_option,
    load_tiles,
    output_option,
    place_of,
    seed_option,
    wants_colour,
    write,
    write_json,
)

if TYPE_CHECKING:
    from ...base.errors import Problem
    from ...game.tiles import Tile, TileSet


@click.group(cls=PlainGroup)
def tiles() -> None:
    """Check, list and write tile sets.

    A tile set is a file, a built-in name, or random:SEED. No public source lists
    the tiles of the box; the built-in set is a reconstruction. Whoever has the
    box can write it down, starting from `orbis tiles template`.
    """


@tiles.command()
@click.argument("tile_set", metavar="FILE")
@json_option
def check(tile_set: str, as_json: bool) -> None:
    """List everything wrong with the tile set in FILE.

    Exit code 2 if there is a problem. What is allowed but looks like a slip is
    mentioned and does no harm.
    """
    from ...tileset.files import tile_set_warnings

    try:
        loaded = load_tiles(tile_set)
    except InputError as error:
        if not as_json:
            raise
        write_json(_checked(False, error.problems))
        raise click.exceptions.Exit(2) from None
    warnings = tile_set_warnings(loaded)
    if as_json:
        write_json(_checked(True, warnings=warnings))
        return
    place = place_words(place_of(tile_set))
    lines = [_("{place}: note: {warning}", place=place, warning=warning) for warning in warnings]
    lines.append(ngettext("{place}: fine; {n} tile", "{place}: fine; {n} tiles", len(loaded.tiles), place=place))
    write("\n".join([*lines, *_summary(loaded)]) + "\n")


def _checked(ok: bool, problems: Sequence[Problem] = (), warnings: Sequence[Problem] = ()) -> dict[str, Any]:
    from ...notation.answers import problems_to_list

    return {
        "format": "orbis-tiles-check",
        "version": 1,
        "ok": ok,
        "problems": problems_to_list(problems),
        "warnings": problems_to_list(warnings),
    }


def _summary(tile_set: TileSet) -> list[str]:
    """How colours and effects are spread, which no rule fixes: worth a look by whoever typed them."""
    import textwrap
    from collections import Counter

    from ...game.vocabulary import Colour, Effect

    colours = Counter(tile.colour for tile in tile_set.tiles)
    effects = Counter(tile.effect for tile in tile_set.tiles)
    by_colour = ", ".join(f"{colours[colour]} {colour.label}" for colour in Colour if colours[colour])
    by_effect = ", ".join(f"{effects[effect]} {effect.label}" for effect in Effect if effects[effect])
    return [textwrap.fill(text, 79, initial_indent="  ", subsequent_indent="    ") for text in (by_colour, by_effect)]


@tiles.command(short_help=N_("List the tiles of a set, level by level."))
@click.argument("tile_set", metavar="[FILE]", required=False)
@color_option
@json_option
def show(tile_set: str | None, color: str, as_json: bool) -> None:
    """List the tiles of a set, level by level; ours if no FILE is given."""
    from ...game.tiles import DEFAULT_TILE_SET

    loaded = load_tiles(tile_set or DEFAULT_TILE_SET)
    if as_json:
        write_json(_set_to_json(loaded))
        return
    from ...drawing.tile_table import render_tile_set

    write(render_tile_set(loaded, colour=wants_colour(color)))


def _set_to_json(tile_set: TileSet) -> dict[str, Any]:
    return {
        "format": "orbis-tiles",
        "version": 1,
        "name": tile_set.name,
        "title": tile_set.title,
        "description": tile_set.description,
        "tiles": [_tile_to_json(tile) for tile in tile_set.tiles],
    }


def _tile_to_json(tile: Tile) -> dict[str, Any]:
    from ...game.vocabulary import Colour

    return {
        "id": tile.id,
        "level": tile.level,
        "colour": tile.colour.word,
        "cost": {colour.word: count for colour, count in zip(Colour, tile.cost)} | {"any": tile.any_cost},
        "effect": tile.effect.word,
        "number": tile.number,
        "colours": [colour.word for colour in tile.colours],
        "cp": tile.cp,
        "mystic": tile.mystic,
        "star": tile.star.word,
    }


@tiles.command()
@json_option
@output_option
def template(as_json: bool, output: str | None) -> None:
    """Write a commented file to fill in from the box."""
    from ...tileset.files import template_text

    if as_json:
        from ...notation.answers import text_to_json

        write_json(text_to_json("tiles-template", template_text()), output)
    else:
        write(template_text(), output)


@tiles.command("random")
@seed_option
@json_option
@output_option
def random_set(seed: int | None, as_json: bool, output: str | None) -> None:
    """Write a random valid tile set, for tests and for fun."""
    import random

    from ...tileset.files import dump_tile_set
    from ...tileset.generator import random_tile_set

    if seed is None:
        seed = random.SystemRandom().randrange(2**32)
    made = random_tile_set(seed)
    if as_json:
        write_json(_set_to_json(made), output)
    else:
        write(dump_tile_set(made), output)
