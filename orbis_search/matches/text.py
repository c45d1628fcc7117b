"""The result of a match as text for people."""

from __future__ import annotations

import math

from ..base.language import N_, _, ngettext, numeral
from .data import LETTERS, Result
from .statistics import Sprt

# By what the match calls its box.
_HEADS = {
    "tiles": N_("{games} in {rounds}, {players} players, tiles {tiles}, seed {seed}"),
    "cards": N_("{games} in {rounds}, {players} players, cards {cards}, seed {seed}"),
}


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
            _HEADS[match.BOX],
            games=games,
            rounds=rounds,
            players=match.players,
            seed=match.seed,
            **{match.BOX: match.box},
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
