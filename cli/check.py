"""`orbis check`: everything wrong with a position, or a line of good news."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..errors import InputError
from .options import (
    json_option,
    load_position,
    optional_position_argument,
    position_name,
    position_tiles_option,
    write,
    write_json,
)

if TYPE_CHECKING:
    from ..position import Position


@click.command()
@optional_position_argument
@position_tiles_option
@json_option
def check(position: str | None, tiles: str | None, as_json: bool) -> None:
    """List everything wrong with POSITION, each problem with its place.

    Exit code 2 if there is a problem. A position that is fine gets one line.
    """
    try:
        loaded = load_position(position, tiles)
    except InputError as error:
        if not as_json:
            raise
        from ..answers import problems_to_json

        write_json(problems_to_json(error.problems))
        raise click.exceptions.Exit(2) from None
    if as_json:
        from ..answers import check_to_json

        write_json(check_to_json(loaded))
    else:
        write(f"{position_name(position)}: {_good_news(loaded)}\n")


def _good_news(position: Position) -> str:
    from ..vocabulary import TURNS

    count = len(position.players)
    if position.to_move is None:
        turn = "the game is over"
    else:
        name = position.players[position.to_move].name or f"player {position.to_move + 1}"
        turn = f"turn {position.turns_played + 1} of {TURNS * count}, {name} to move"
    piles = " + ".join(str(pile.left) for pile in position.piles)
    news = f"fine; {count} players, {turn}, piles {piles}"
    unsure = [level for level, pile in enumerate(position.piles, 1) if len(pile.tiles) > pile.left]
    if unsure:
        news += f" (what lies in level {' and '.join(map(str, unsure))} is not sure)"
    return news
