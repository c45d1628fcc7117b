"""`orbis moves`: the legal moves of a position, by the tile or god they take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ...base.language import _, ngettext
from ..options import (
    color_option,
    json_option,
    load_position,
    optional_position_argument,
    position_tiles_option,
    wants_colour,
    write,
    write_json,
)

if TYPE_CHECKING:
    from ...game.position import Move, Position

DEFAULT_LIMIT = 10


@click.command()
@optional_position_argument
@click.option("--all", "every", flag_value=True, type=bool, help="All legal moves.")
@click.option(
    "--search",
    "every",
    flag_value=False,
    type=bool,
    default=False,
    help="Those a search looks at. With two players a best move is always among "
    "them; with more that is likely, not sure.  [default]",
)
@click.option(
    "--limit",
    type=click.IntRange(0),
    metavar="N",
    help="List at most N moves of each tile or god, 0 for all.  [default: 10; with --json: all]",
)
@position_tiles_option
@color_option
@json_option
def moves(position: str | None, every: bool, limit: int | None, tiles: str | None, color: str, as_json: bool) -> None:
    """List the legal moves of POSITION in move notation.

    Two ways to play a turn are one move if nobody can tell them apart
    afterwards: the same tile in the same slot with the same result, and the
    same worshipers left.
    """
    from ...core import fast_rules
    from ...notation.answers import by_choice, moves_to_json

    loaded = load_position(position, tiles)
    groups = by_choice(fast_rules.legal_moves(loaded, search=not every))
    if as_json:
        write_json(moves_to_json(loaded, groups, every, limit or 0))
        return
    shown = DEFAULT_LIMIT if limit is None else limit or sum(map(len, groups))
    write(_as_text(loaded, groups, every, shown, wants_colour(color)))


def _as_text(position: Position, groups: Sequence[Sequence[Move]], every: bool, limit: int, colour: bool) -> str:
    from ...drawing.labels import god_words, player_name
    from ...drawing.terminal import render_choice
    from ...game.vocabulary import CELLS
    from ...notation.move_text import format_move

    total = sum(map(len, groups))
    if position.to_move is None:
        return _("The game is over: no moves.") + "\n"
    count = (
        ngettext("{n:,} legal move", "{n:,} legal moves", total)
        if every
        else ngettext("{n:,} search move", "{n:,} search moves", total)
    )
    lines = [f"{player_name(position, position.to_move)}: {count}"]
    for group in groups:
        cell, god = group[0].cell, group[0].god
        if cell is not None:
            name, words = CELLS[cell], render_choice(position, cell, colour=colour)
        elif god is not None:
            name, words = _("god {god}", god=god.label), god_words(god)
        count = ngettext("{n:,} move", "{n:,} moves", len(group))
        lines += ["", f"{name}, {count}: {words}"]
        lines += [f"  {format_move(position, move)}" for move in group[:limit]]
        if len(group) > limit:
            more = len(group) - limit
            lines.append(
                "  "
                + ngettext("... and {n} more (--limit 0 lists all)", "... and {n} more (--limit 0 lists all)", more)
            )
    return "\n".join(lines) + "\n"
