"""`orbis moves`: the legal moves of a position, by the tile or god they take."""

from __future__ import annotations

import click

from ..options import (
    Whole,
    color_option,
    json_option,
    load_position,
    optional_position_argument,
    position_tiles_option,
    turn_option,
    wants_colour,
    write,
    write_json,
)


@click.command()
@optional_position_argument
@click.option("--all", "every", flag_value=True, type=bool, help="All legal moves.")
@click.option(
    "--search",
    "every",
    flag_value=False,
    type=bool,
    default=False,
    help="The moves a search looks at. With two players they always include a best move; "
    "with more, that is likely but not certain.  [default]",
)
@click.option(
    "--limit",
    type=Whole(0),
    metavar="N",
    help="List at most N moves of each tile or god, 0 for all.  [default: 10; with --json: all]",
)
@position_tiles_option
@turn_option
@color_option
@json_option
def moves(
    position: str | None, every: bool, limit: int | None, tiles: str | None, turn: int | None, color: str, as_json: bool
) -> None:
    """List the legal moves of POSITION in move notation.

    Two ways to play a turn are one move if nobody can tell them apart afterwards:
    the same tile in the same slot with the same result, and the same worshipers
    left.
    """
    from ...moves.data import list_moves

    listing = list_moves(load_position(position, tiles, turn=turn), search=not every)
    if as_json:
        from ...moves.json import moves_to_json

        write_json(moves_to_json(listing, limit or None))
    else:
        from ...moves.text import SHOWN, moves_text

        write(moves_text(listing, SHOWN if limit is None else limit or None, colour=wants_colour(color)))
