"""A MoveList as text for people: the moves by their kind."""

from __future__ import annotations

from ...base.language import _, ngettext
from ..drawing.paint import filled
from ..drawing.sentences import explain_move
from ..drawing.terminal import player_name, status_note
from ..notation.moves import format_move
from .data import MoveList

SHOWN = 10


def moves_text(listing: MoveList, limit: int | None = SHOWN, *, explain: bool = False) -> str:
    """Of each kind the first `limit` moves, all if it is None; with `explain` what each does."""
    position = listing.position
    if position.to_move is None:
        return (_("The game is over: no moves.") if position.is_over else _("A card is to be drawn: no moves.")) + "\n"
    count = ngettext("{n:,} legal move", "{n:,} legal moves", listing.count)
    lines = [f"{player_name(position, position.to_move)}: {count}"]
    for group in listing.groups:
        lines.append("")
        for move in group[:limit]:
            lines.append(f"  {format_move(position, move)}")
            if explain:
                lines += filled(explain_move(position, move), "      ")
        if limit is not None and len(group) > limit:
            more = len(group) - limit
            lines.append(
                "  "
                + ngettext("... and {n} more (--limit 0 lists all)", "... and {n} more (--limit 0 lists all)", more)
            )
    if position.cards.status != "transcribed":
        lines += ["", status_note(position.cards.status)]
    return "\n".join(lines) + "\n"
