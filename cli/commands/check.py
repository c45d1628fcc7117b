"""`orbis check`: everything wrong with a position, or a line of good news."""

from __future__ import annotations

import click

from .. import quick_start
from ..options import json_option, optional_position_argument, position_tiles_option, turn_option


@click.command()
@optional_position_argument
@position_tiles_option
@turn_option
@json_option
def check(position: str | None, tiles: str | None, turn: int | None, as_json: bool) -> None:
    """List everything wrong with POSITION, each problem with its place.

    Exit code 2 if there is a problem. A sound position gets one line.
    """
    raise click.exceptions.Exit(quick_start.check(position, tiles, turn, as_json))
