"""`orbis moves`: the legal moves of a position, by the tile or god they take."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from .options import (
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
    from ..position import Move, Position

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
    help="List at most N moves of each tile or god, 0 for all.  "
    f"[default: {DEFAULT_LIMIT}; with --json: all]",
)
@position_tiles_option
@color_option
@json_option
def moves(
    position: str | None, every: bool, limit: int | None, tiles: str | None, color: str, as_json: bool
) -> None:
    """List the legal moves of POSITION in move notation.

    Two ways to play a turn are one move if nobody can tell them apart
    afterwards: the same tile in the same slot with the same result, and the
    same worshipers left.
    """
    from .. import rules

    loaded = load_position(position, tiles)
    found = sorted(rules.legal_moves(loaded, search=not every), key=_order)
    groups = [(taken, list(group)) for taken, group in groupby(found, key=lambda move: (move.cell, move.god))]
    if as_json:
        from ..notation import move_to_json

        listed = [move for _, group in groups for move in group[: limit or None]]
        write_json(
            {
                "format": "orbis-moves",
                "version": 1,
                "kind": "all" if every else "search",
                "count": len(found),
                "moves": [move_to_json(loaded, move) for move in listed],
            }
        )
        return
    shown = DEFAULT_LIMIT if limit is None else limit or len(found)
    write(_as_text(loaded, groups, every, shown, wants_colour(color)))


def _order(move: Move) -> tuple[Any, ...]:
    """Regions by cell before gods; face up before wilderness, validated before cancelled."""
    return (
        move.cell is None,
        move.cell if move.cell is not None else move.god,
        move.wild,
        move.slot or (),
        not move.validated,
        move.removed,
        tuple(-count for count in move.realm),
    )


def _as_text(
    position: Position,
    groups: Sequence[tuple[Any, list[Move]]],
    every: bool,
    limit: int,
    colour: bool,
) -> str:
    from ..notation.moves import format_move
    from ..render import GOD_WORDS, render_choice
    from ..vocabulary import CELLS

    kind = "legal" if every else "search"
    total = sum(len(group) for _, group in groups)
    if position.to_move is None:
        return "The game is over: no moves.\n"
    player = position.players[position.to_move].name or f"player {position.to_move + 1}"
    lines = [f"{player}: {_counted(total, f'{kind} move')}"]
    for (cell, god), group in groups:
        if cell is None:
            name, words = f"god {god.word}", GOD_WORDS[god]
        else:
            name, words = CELLS[cell], render_choice(position, cell, colour=colour)
        lines += ["", f"{name}, {_counted(len(group), 'move')}: {words}"]
        lines += [f"  {format_move(position, move)}" for move in group[:limit]]
        if len(group) > limit:
            lines.append(f"  ... and {len(group) - limit} more (--limit 0 lists all)")
    return "\n".join(lines) + "\n"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
