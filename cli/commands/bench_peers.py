"""`orbis bench peers`: the advisor beside OpenSpiel's bots."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ...base.language import N_, _
from ..options import GrowingText, Whole, duration_type, figure_seconds_type, json_option, seed_option, write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...base.timing import Figure
    from ...measure.peers import Peer
    from ...players.arena import Result

INTERRUPTED = 130


@click.command(short_help=N_("The advisor beside OpenSpiel's bots, in one run."))
@click.option(
    "--games",
    type=Whole(0),
    metavar="N",
    default=100,
    show_default=True,
    help="Games in each match, rounded up to pairs; 0 to measure speed alone.",
)
@click.option(
    "--sims",
    type=Whole(2, 10**6),
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
    "--seconds",
    "measured",
    type=figure_seconds_type,
    default=1.0,
    show_default=True,
    help="Seconds to spend on each figure.",
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
    from ...measure.data import PeersBench

    measures.expect_openspiel()
    seed = 1 if seed is None else seed
    bench = PeersBench(core=True)
    growing = GrowingText()

    def add(**more: Any) -> None:
        nonlocal bench
        bench = replace(bench, **more)
        if not as_json:
            from ...measure.text import peers_text

            growing.write(peers_text(bench))

    with TemporaryDirectory() as directory:
        try:
            with tqdm(desc="c++ orbis_game.cc", bar_format="{desc}", disable=None, file=sys.stderr, leave=False):
                problem = measures.prepare(directory)
            if problem is not None:
                print(_("orbis: no C++ game on the core: {problem}", problem=problem), file=sys.stderr)
            bench = replace(bench, core=problem is None)
            for peer in measures.peers(sims, seconds, bench.core) if games else []:
                _play(peer, -(-games // 2), seed, lambda result: add(matches=(*bench.matches, result)))
            for figure in _figures(measured, seed, bench.core):
                add(figures=(*bench.figures, figure))
        except KeyboardInterrupt:
            bench = replace(bench, interrupted=True)
    if as_json:
        from ...measure.json import peers_to_json

        write_json(peers_to_json(bench))
    if bench.interrupted:
        print(_("orbis: interrupted"), file=sys.stderr)
        raise click.exceptions.Exit(INTERRUPTED)


def _play(peer: Peer, rounds: int, seed: int, tell: Callable[[Result], None]) -> None:
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
            tell(tally.result())


def _figures(seconds: float, seed: int, has_core: bool) -> Iterator[Figure]:
    from ...measure import peers as measures

    yield from measures.speeds(seconds, seed, has_core)
    yield from measures.scale(seconds, seed, has_core)
