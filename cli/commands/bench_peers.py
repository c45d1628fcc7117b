"""`orbis bench peers`: the advisor beside OpenSpiel's bots."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ...base.language import N_, _
from ..options import duration_type, json_option, seed_option, write, write_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...measure.speed import Figure
    from ...players.arena import Result

INTERRUPTED = 130


@click.command(short_help=N_("The advisor beside OpenSpiel's bots, in one run."))
@click.option(
    "--games",
    type=click.IntRange(0),
    metavar="N",
    default=100,
    show_default=True,
    help="Games in each match, rounded up to pairs; 0 to measure speed alone.",
)
@click.option(
    "--sims",
    type=click.IntRange(2, 10**6),
    metavar="N",
    default=300,
    show_default=True,
    help="Budget for matches at equal simulations.",
)
@click.option(
    "--time",
    "seconds",
    type=duration_type,
    metavar="TIME",
    default="50ms",
    show_default=True,
    help="Budget for matches at equal time.",
)
@click.option(
    "--seconds", "measured", type=click.FloatRange(0.05, 600), default=1.0, show_default=True, help="For each figure."
)
@seed_option
@json_option
def peers(games: int, sims: int, seconds: float, measured: float, seed: int | None, as_json: bool) -> None:
    """The advisor beside OpenSpiel's bots: matches, simulations, random games.

    The bots are OpenSpiel's C++ MCTSBot and ISMCTSBot. On the core they play Orbis
    without calling Python while they search, through a game compiled for this run;
    with /python each of their moves is a call. A bot has as much for each decision
    of a turn as the advisor has for the whole turn. For scale, the same run times
    random games of OpenSpiel's own C++ games.
    """
    from tempfile import TemporaryDirectory

    from tqdm import tqdm

    from ...measure import peers as measures

    measures.expect_openspiel()
    seed = 1 if seed is None else seed
    results: list[Result] = []
    figures: list[Figure] = []
    interrupted, problem = False, None
    with TemporaryDirectory() as directory:
        try:
            with tqdm(desc="c++ orbis_game.cc", bar_format="{desc}", disable=None, file=sys.stderr, leave=False):
                problem = measures.prepare(directory)
            if problem is not None:
                print(_("orbis: no C++ game on the core: {problem}", problem=problem), file=sys.stderr)
            for peer in measures.peers(sims, seconds, problem is None) if games else []:
                _play(peer, -(-games // 2), seed, results, as_json)
            for figure in _figures(measured, seed, problem is None):
                figures.append(figure)
                if not as_json:
                    write(_figure_text(figure, below=bool(results) and len(figures) == 1))
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        write_json(
            {
                "format": "orbis-bench",
                "version": 1,
                "kind": "peers",
                "interrupted": interrupted,
                "core": problem is None,
                "matches": [_match_dict(result) for result in results],
                "figures": [
                    {"name": each.name, "value": each.value, "best": each.best, "unit": each.unit} for each in figures
                ],
            }
        )
    if interrupted:
        print(_("orbis: interrupted"), file=sys.stderr)
        raise click.exceptions.Exit(INTERRUPTED)


def _play(peer: Any, rounds: int, seed: int, results: list[Result], as_json: bool) -> None:
    """One match. If it is interrupted, the games so far count."""
    from tqdm import tqdm

    from ...measure import peers as measures

    tally = None
    try:
        with tqdm(total=2 * rounds, desc=str(peer), unit=_("game"), disable=None, file=sys.stderr, leave=False) as bar:
            for tally in measures.play_match(peer, rounds, seed):
                bar.update()
    finally:
        if tally is not None and tally.rounds:
            results.append(tally.result())
            if not as_json:
                write(_match_text(tally.result(), first=len(results) == 1))
                sys.stdout.flush()


def _figures(seconds: float, seed: int, has_core: bool) -> Iterator[Figure]:
    from ...measure import peers as measures

    yield from measures.speeds(seconds, seed, has_core)
    yield from measures.scale(seconds, seed, has_core)


def _match_text(result: Result, first: bool) -> str:
    """A line; the first one below a heading."""
    own, other = result.standings
    low, high = own.score_95
    cells = [
        str(result.games),
        f"{own.won}",
        f"{own.shared}",
        f"{own.lost}",
        f"{100 * own.score:.1f} %",
        f"{100 * low:.1f} .. {100 * high:.1f}",
    ]
    heads = [_("games"), _("won"), _("shared"), _("lost"), _("score"), "95 %"]
    widths = [max(least, len(head)) for least, head in zip((5, 5, 6, 5, 7, 14), heads)]
    wide = 58
    lines = []
    if first:
        lines.append(" " * wide + "  ".join(head.rjust(width) for head, width in zip(heads, widths)))
    names = _("{first} against {second}", first=own.player, second=other.player)
    lines.append(f"{names:<{wide}}" + "  ".join(cell.rjust(width) for cell, width in zip(cells, widths)))
    return "\n".join(lines) + "\n"


def _figure_text(figure: Figure, below: bool) -> str:
    """`below`: the first one, under the matches."""
    best = _("best {figure}", figure=f"{figure.best:,.0f}")
    line = f"{figure.title:<54} {figure.value:>13,.0f} {figure.unit:<5}  {best}\n"
    return "\n" + line if below else line


def _match_dict(result: Result) -> dict[str, Any]:
    own, other = result.standings
    return {
        "player": own.player,
        "peer": other.player,
        "games": result.games,
        "won": own.won,
        "shared": own.shared,
        "lost": own.lost,
        "score": own.score,
        "score_95": list(own.score_95),
    }
