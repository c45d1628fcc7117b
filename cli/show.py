"""`orbis show`: a position drawn, or written in another form."""

from __future__ import annotations

import click

from .options import (
    EXAMPLE_HINT,
    color_option,
    json_option,
    load_position,
    oneline_option,
    optional_position_argument,
    output_option,
    position_folder,
    position_tiles_option,
    rebased,
    wants_colour,
    write,
)


@click.command()
@optional_position_argument
@position_tiles_option
@color_option
@click.option("--toml", "as_toml", is_flag=True, help="Write a position file.")
@oneline_option
@json_option
@output_option
def show(
    position: str | None,
    tiles: str | None,
    color: str,
    as_toml: bool,
    oneline: bool,
    as_json: bool,
    output: str | None,
) -> None:
    """Draw POSITION, or convert it to another form.

    The drawing has the centre with its worshipers, the gods face up, every
    universe with the names of its free slots, realms, points if the game ended
    now, and what is left in the piles. Letters R G B Y W stand for the colours.
    """
    if as_toml + oneline + as_json > 1:
        raise click.UsageError("--toml, --oneline and --json exclude each other.")
    loaded = load_position(position, tiles)
    if not (as_toml or oneline or as_json):
        from ..render import render_position

        to_file = output is not None and output != "-"
        colour = color == "always" if to_file else wants_colour(color)
        write(render_position(loaded, colour=colour) + ("" if position else f"\n{EXAMPLE_HINT}"), output)
        return

    from .. import notation

    folder = position_folder(position, tiles)
    loaded = rebased(loaded, folder, output)
    writer = notation.write_toml if as_toml else notation.write_oneline if oneline else notation.write_json
    write(writer(loaded).rstrip("\n") + "\n", output)
