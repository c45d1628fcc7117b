"""Matches, levels and games of Master of Orion as text for people."""

from __future__ import annotations

from textwrap import wrap

from ...base.language import _
from ...base.quoting import place_of
from ...matches.text import result_text
from ..drawing.terminal import player_name, render_position
from ..record.game import Record
from .levels import LEVELS
from .session import PlayReport

__all__ = ["last_turn_text", "levels_text", "play_text", "result_text"]


def levels_text() -> str:
    """A line for each level, weakest first."""
    heading = _("level")
    lines = [f"{'':4}{heading}"]
    for number, level in enumerate(LEVELS, 1):
        meaning = wrap(_(level.meaning), 62, subsequent_indent=" " * 16)
        lines.append(f"{number:2}  {level.name:12}" + "\n".join(meaning))
    return "\n".join(lines) + "\n"


def play_text(report: PlayReport, *, colour: bool = False) -> str:
    """How the game ended, if it did; where it is kept, and how to go on."""
    if report.file is None:
        return _("Nothing was played.") + "\n"
    file = place_of(report.file)
    if report.status == "kept":
        return _("Saved in {file}; continue with: orbis orion play {file}", file=file) + "\n"
    if report.status == "resigned":
        return report.game.record.end[-1] + "\n"
    drawn = render_position(report.game.position, colour=colour)
    return f"\n{drawn}\n" + _("The game is kept in {file}.", file=file) + "\n"


def last_turn_text(record: Record, viewer: int | None) -> str:
    """The last decision. What was drawn is told to who drew it: `viewer`, or everybody if it is None."""
    turn, position = record.turns[-1], record.position
    text = f"{len(record.turns)}. {player_name(position, turn.player)}: {turn.text}"
    if not turn.drawn:
        return text
    if viewer not in (None, turn.player):
        return text
    names = ", ".join(position.cards.structure[card].label for card in turn.drawn)
    return _("{move}; drawn: {cards}", move=text, cards=names)
