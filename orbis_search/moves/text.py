"""A MoveList as text for people: the moves under the tile or god that they take."""

from __future__ import annotations

from ..base.language import _, ngettext
from ..base.options import TOP, boolean, expect
from ..drawing.labels import god_words, player_name
from ..drawing.terminal import render_choice
from ..game.kinds import expect_kind
from ..game.vocabulary import CELLS
from ..notation.move_text import format_move
from .data import MoveList

SHOWN = 10


def moves_text(listing: MoveList, limit: int | None = SHOWN, *, colour: bool = False) -> str:
    """Of each tile or god the first `limit` moves, all if it is None.

    >>> print(moves_text(orbis.list_moves(position), limit=1))
    player 1: 121 legal moves...
    """
    expect_kind(listing, MoveList, "listing")
    limit = expect("limit", limit, TOP)
    expect("colour", colour, boolean)
    position = listing.position
    if position.to_move is None:
        return _("The game is over: no moves.") + "\n"
    count = (
        ngettext("{n:,} legal move", "{n:,} legal moves", listing.count)
        if listing.kind == "all"
        else ngettext("{n:,} search move", "{n:,} search moves", listing.count)
    )
    lines = [f"{player_name(position, position.to_move)}: {count}"]
    for group in listing.groups:
        cell, god = group[0].cell, group[0].god
        if cell is not None:
            name, words = CELLS[cell], render_choice(position, cell, colour=colour)
        elif god is not None:
            name, words = _("god {god}", god=god.label), god_words(god)
        count = ngettext("{n:,} move", "{n:,} moves", len(group))
        lines += ["", f"{name}, {count}: {words}"]
        lines += [f"  {format_move(position, move)}" for move in group[:limit]]
        if limit is not None and len(group) > limit:
            more = len(group) - limit
            lines.append(
                "  "
                + ngettext("... and {n} more (--limit 0 lists all)", "... and {n} more (--limit 0 lists all)", more)
            )
    return "\n".join(lines) + "\n"
