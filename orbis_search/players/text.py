"""Matches, levels and games that are played as text for people."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from ..base.language import _
from ..base.quoting import place_of
from ..drawing.terminal import render_position, render_scores
from ..game.vocabulary import CELLS
from ..matches.text import result_text
from ..notation.move_text import format_move
from ..tileset.descriptions import tell
from .levels import LEVELS

__all__ = ["last_turn_text", "levels_text", "play_text", "result_text"]

if TYPE_CHECKING:
    from ..game.tiles import Tile
    from ..record.game import Record
    from .session import PlayReport


def levels_text() -> str:
    """A line for each level, weakest first."""
    heading = _("level")
    lines = [f"{'':4}{heading:10}{'Elo':>5}"]
    for number, level in enumerate(LEVELS, 1):
        meaning = wrap(_(level.meaning), 58, subsequent_indent=" " * 21)
        lines.append(f"{number:2}  {level.name:10}{level.elo:5}  " + "\n".join(meaning))
    return "\n".join(lines) + "\n"


def play_text(report: PlayReport, *, colour: bool = False) -> str:
    """How the game ended, if it did; where it is kept, and how to go on."""
    game = report.game
    if report.file is None:
        return _("Nothing was played.") + "\n"
    file = place_of(report.file)
    if report.status == "kept":
        return _("Saved in {file}; continue with: orbis play {file}", file=file) + "\n"
    if report.status == "resigned":
        end = game.record.end[-1] + "\n"
    else:
        drawn = render_position(game.position, colour=colour)
        end = f"\n{drawn}\n{render_scores(game.position, colour=colour)}\n"
    return end + _("How well was it played? orbis review {file}", file=file) + "\n"


def last_turn_text(record: Record) -> str:
    """The last turn: who made which move, and what came."""
    turn, position = record.turn(record.last), record.position(record.last)
    text = f"{position.turns_played + 1}. {record.name(position.to_move or 0)}: {format_move(position, turn.move)}"
    if turn.drawn is None or turn.move.cell is None:
        return text
    return _("{move}; {tile} comes to {cell}", move=text, tile=_tile(turn.drawn), cell=CELLS[turn.move.cell])


def _tile(tile: Tile) -> str:
    return tell(tile) if tile.described else f"{tile.id} ({tell(tile)})"
