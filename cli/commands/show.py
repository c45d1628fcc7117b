"""`orbis show`: draws a position, or writes it in another form."""

from __future__ import annotations

import click

from ...base.language import _
from ..options import (
    color_option,
    example_hint,
    json_option,
    load_position,
    oneline_option,
    optional_position_argument,
    output_option,
    png_option,
    position_folder,
    position_tiles_option,
    rebased,
    svg_option,
    turn_option,
    wants_colour,
    write,
    write_pictures,
)


@click.command()
@optional_position_argument
@position_tiles_option
@turn_option
@color_option
@click.option("--toml", "as_toml", is_flag=True, help="Write a position file.")
@oneline_option
@json_option
@output_option
@svg_option
@png_option
@click.option("--move", metavar="MOVE", help="A move to mark in the picture, in move notation.")
@click.option("--caption", metavar="TEXT", help="A line above the picture.  [default: the move]")
def show(
    position: str | None,
    tiles: str | None,
    turn: int | None,
    color: str,
    as_toml: bool,
    oneline: bool,
    as_json: bool,
    output: str | None,
    svg: str | None,
    png: str | None,
    move: str | None,
    caption: str | None,
) -> None:
    """Draw POSITION, or convert it to another form.

    The drawing has the centre with its worshipers, the gods face up, every
    universe with the names of its free slots, realms, points if the game ended
    now, and what is left in the piles. The letters R G B Y W stand for the colours.
    --svg and --png make a picture, in which a move can be marked.
    """
    if as_toml + oneline + as_json > 1:
        raise click.UsageError(_("--toml, --oneline and --json cannot be combined."))
    pictured = svg is not None or png is not None
    if pictured and (as_toml or oneline or as_json or output is not None):
        raise click.UsageError(_("--svg and --png cannot be combined with --toml, --oneline, --json or --output."))
    if not pictured and (move is not None or caption is not None):
        raise click.UsageError(_("--move and --caption need --svg or --png."))
    loaded = load_position(position, tiles, turn=turn)
    if pictured:
        from ...notation import parse_move

        write_pictures(loaded, svg, png, None if move is None else parse_move(move, loaded), caption)
        return
    if not (as_toml or oneline or as_json):
        from ...drawing.terminal import render_position

        to_file = output is not None and output != "-"
        colour = color == "always" if to_file else wants_colour(color)
        write(render_position(loaded, colour=colour) + ("" if position else "\n" + example_hint("show")), output)
        return

    from ... import notation

    folder = position_folder(position, tiles)
    loaded = rebased(loaded, folder, output)
    writer = notation.write_toml if as_toml else notation.write_oneline if oneline else notation.write_json
    write(writer(loaded).rstrip("\n") + "\n", output)
