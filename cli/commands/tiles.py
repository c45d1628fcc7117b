"""`orbis tiles`: checks, lists, starts and makes up tile sets."""

from __future__ import annotations

import click

from ...base.language import N_
from ..answers import tell, tell_check
from ..group import PlainGroup
from ..options import color_option, json_option, load_tiles, output_option, place_of, seed_option, wants_colour


@click.group(cls=PlainGroup)
def tiles() -> None:
    """Check, list and write tile sets.

    A tile set is a file, a built-in name, or random:SEED. No public source lists
    the tiles of the box; the built-in set is a reconstruction. If you have the box,
    you can write its tiles down, starting from `orbis tiles template`.
    """


@tiles.command()
@click.argument("tile_set", metavar="FILE")
@json_option
def check(tile_set: str, as_json: bool) -> None:
    """List everything wrong with the tile set in FILE.

    Exit code 2 if there is a problem. Anything that is allowed but looks like a
    slip gets a note, and does no harm.
    """
    from ...tileset.files import tile_set_warnings
    from ...tileset.json import tile_set_check_to_json
    from ...tileset.text import tile_set_check_text

    code = tell_check(
        lambda: load_tiles(tile_set),
        lambda found, problems: tile_set_check_to_json(problems, tile_set_warnings(found) if found else ()),
        lambda found: tile_set_check_text(found, place_of(tile_set)),
        as_json,
    )
    raise click.exceptions.Exit(code)


@tiles.command(short_help=N_("List the tiles of a set, level by level."))
@click.argument("tile_set", metavar="[FILE]", required=False)
@color_option
@json_option
def show(tile_set: str | None, color: str, as_json: bool) -> None:
    """List the tiles of a set, level by level; the built-in one without FILE."""
    from ...drawing.tile_table import render_tile_set
    from ...game.tiles import DEFAULT_TILE_SET
    from ...tileset.json import tile_set_to_json

    loaded = load_tiles(tile_set or DEFAULT_TILE_SET)
    tell(as_json, lambda: tile_set_to_json(loaded), lambda: render_tile_set(loaded, colour=wants_colour(color)))


@tiles.command()
@json_option
@output_option
def template(as_json: bool, output: str | None) -> None:
    """Write a commented file to fill in from the box."""
    from ...base.json import text_to_json
    from ...tileset.files import template_text

    tell(as_json, lambda: text_to_json("tiles-template", template_text()), template_text, output)


@tiles.command("random")
@seed_option
@json_option
@output_option
def random_set(seed: int | None, as_json: bool, output: str | None) -> None:
    """Write a random valid tile set, for tests and for fun."""
    import random

    from ...tileset.files import dump_tile_set
    from ...tileset.generator import random_tile_set
    from ...tileset.json import tile_set_to_json

    made = random_tile_set(random.SystemRandom().randrange(2**32) if seed is None else seed)
    tell(as_json, lambda: tile_set_to_json(made), lambda: dump_tile_set(made), output)
