"""Matches, levels and games that are played as text for people."""

from __future__ import annotations

import math
from textwrap import wrap
from typing import TYPE_CHECKING

from ..base.language import _, ngettext, numeral
from ..base.quoting import place_of
from ..drawing.terminal import render_position, render_scores
from ..game.vocabulary import CELLS
from ..notation.move_text import format_move
from ..tileset.descriptions import tell
from .arena import LETTERS
from .levels import LEVELS

if TYPE_CHECKING:
    from ..game.tiles import Tile
    from ..record.game import Record
    from .arena import Result, Sprt
    from .session import PlayReport


def result_text(result: Result, test: Sprt | None = None, replayed: int | None = None) -> str:
    """`replayed`: games checked, if nothing was played."""
    match = result.match
    games = ngettext("{n:,} game", "{n:,} games", result.games)
    rounds = (
        ngettext("{n:,} pair", "{n:,} pairs", result.rounds)
        if match.players == 2
        else ngettext("{n:,} round", "{n:,} rounds", result.rounds)
    )
    lines = []
    if replayed is not None:
        lines += [
            ngettext(
                "{n:,} game replayed by the plain rules: every move legal, every result the same.",
                "{n:,} games replayed by the plain rules: every move legal, every result the same.",
                replayed,
            ),
            "",
        ]
    lines += [
        _(
            "{games} in {rounds}, {players} players, tiles {tiles}, seed {seed}",
            games=games,
            rounds=rounds,
            players=match.players,
            tiles=match.tiles,
            seed=match.seed,
        )
    ]
    if result.rounds:
        lines += ["", *_table(result)]
    if test is not None and result.ratio is not None:
        lower, upper = test.bounds
        words = {
            "elo1": _("A is better by about {elo:g} Elo or more (accepted)", elo=test.elo1),
            "elo0": _("A is better by about {elo:g} Elo or less (accepted)", elo=test.elo0),
            "open": _("not decided yet"),
        }
        lines += [
            "",
            _(
                "SPRT {elo0:g} against {elo1:g} Elo: LLR {ratio:+.2f} between {lower:.2f} and {upper:.2f}: {verdict}",
                elo0=test.elo0,
                elo1=test.elo1,
                ratio=result.ratio,
                lower=lower,
                upper=upper,
                verdict=words[result.verdict or "open"],
            ),
        ]
    return "\n".join(lines) + "\n"


def _table(result: Result) -> list[str]:
    head = [
        "",
        _("player"),
        _("won"),
        _("shared"),
        _("lost"),
        _("score"),
        "95 %",
        _("fair"),
        "Elo",
        "95 %",
        _("points"),
        _("s/move"),
    ]
    rows = [head]
    for letter, standing in zip(LETTERS, result.standings):
        low, high = standing.score_95
        rows.append(
            [
                letter,
                standing.player,
                numeral(standing.won, ","),
                numeral(standing.shared, ","),
                numeral(standing.lost, ","),
                numeral(100 * standing.score, ".1f") + " %",
                " .. ".join(numeral(100 * each, ".1f") for each in (low, high)),
                numeral(100 * standing.fair, ".1f") + " %",
                _elo(standing.elo),
                f"{_elo(standing.elo_95[0])} .. {_elo(standing.elo_95[1])}",
                numeral(standing.points, ".2f"),
                "-" if math.isnan(standing.seconds) else numeral(standing.seconds, ".4f"),
            ]
        )
    if result.match.players == 2:
        for row in rows:
            del row[7]  # a half, as everybody knows
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        left = [word.ljust(width) for word, width in zip(row[:2], widths)]
        right = [word.rjust(width) for word, width in zip(row[2:], widths[2:])]
        lines.append("  ".join(left + right))
    return lines


def _elo(value: float) -> str:
    return numeral(value, "+.0f") if math.isfinite(value) else "+inf" if value > 0 else "-inf"


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
