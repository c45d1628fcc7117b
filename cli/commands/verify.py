"""`orbis verify`: the compiled core against the plain rules, for as long as one likes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from ...base.language import _
from ..options import Whole, cluster_option, duration_type, json_option, seed_option, sims_type, write, write_json
from ..workers import working

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...base.comparing import Tally
    from ...base.jobs import Workers
    from ...measure.data import Verification

    # decisions, singles, seed and workers in, the running tally out
    Checks = Callable[[int, int, int, Workers | int], Iterator[Tally]]

DECISIONS, SINGLES = 300, 10_000


@click.command()
@click.option(
    "--decisions", type=Whole(0), metavar="N", help="Turns whose whole set of legal moves to compare.  [default: 300]"
)
@click.option("--singles", type=Whole(0), metavar="N", help="Single moves whose outcome to compare.  [default: 10000]")
@click.option(
    "--endings",
    type=Whole(0),
    metavar="N",
    help="Instead: endings in which to check the solver's value of every legal move.",
)
@click.option(
    "--bounds", type=Whole(0, 400), metavar="N", help="Instead: positions on which to check a solver that is cut short."
)
@click.option(
    "--advice",
    type=Whole(0),
    metavar="N",
    help="Instead: endings in which to compare the move that the search recommends with the best.",
)
@click.option(
    "--threads-agree",
    is_flag=True,
    help="Instead: check that searches with 2 and 4 threads agree with searches with one.",
)
@click.option(
    "--sims",
    type=sims_type,
    default=20_000,
    show_default=True,
    metavar="N",
    help="With --advice and --threads-agree: simulations in each search.",
)
@click.option(
    "--positions",
    type=Whole(1),
    default=30,
    show_default=True,
    metavar="N",
    help="With --threads-agree: positions to search.",
)
@click.option(
    "--searches",
    type=Whole(10),
    default=40,
    show_default=True,
    metavar="N",
    help="With --threads-agree: searches of each position with 2 and with 4 threads; "
    "one thread makes four times as many.",
)
@click.option(
    "--limit",
    type=duration_type,
    default="1s",
    show_default=True,
    metavar="TIME",
    help="With --bounds: when to cut the solver short.",
)
@click.option(
    "--turns",
    type=Whole(4, 8),
    multiple=True,
    default=(5, 6),
    show_default=True,
    help="With --bounds: turns left, 4 to 8; may be repeated.",
)
@click.option(
    "--most",
    type=Whole(1),
    metavar="NODES",
    help="With --bounds: skip a position whose true value takes more.  [default: no limit]",
)
@click.option("--threads", type=Whole(1), help="Processes to use.  [default: one per core; with --threads-agree, one]")
@cluster_option
@seed_option
@json_option
def verify(
    decisions: int | None,
    singles: int | None,
    endings: int | None,
    bounds: int | None,
    advice: int | None,
    threads_agree: bool,
    sims: int,
    positions: int,
    searches: int,
    limit: float,
    turns: tuple[int, ...],
    most: int | None,
    threads: int | None,
    cluster: str | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Check the compiled core against the plain, slow rules.

    Plays games of 2 to 4 players, random and sensible, on our tile set and on
    random ones. Whole sets: all legal moves, each once. Single moves: both find
    them legal, with the same position after them, the same draws and the same
    points; and both refuse wrong moves. A difference ends the run and is shown.

    The endgame solver is checked against searches that look at everything: in
    plain Python with one turn left, in the core with two and three. Worshipers are
    removed until that is possible. Its bounds are checked against values computed
    without a limit, on the positions of orbis bench endgame. The search's moves
    are checked against its values: how much of the chance to win they give away.

    Searches with several threads are compared with searches with one: none may be
    further from the mean than one thread's own ever are, or than 6 of their
    standard deviations. If one is, the exit code is 1.
    """
    seed = 0 if seed is None else seed
    rules, solver = (decisions, singles), (endings, bounds)
    if threads_agree and _any_of(*rules, *solver, advice):
        raise click.UsageError(
            _("--threads-agree cannot be combined with --decisions, --singles, --endings, --bounds or --advice.")
        )
    if advice is not None and _any_of(*rules, *solver):
        raise click.UsageError(_("--advice cannot be combined with --decisions, --singles, --endings or --bounds."))
    if _any_of(*solver) and _any_of(*rules):
        raise click.UsageError(_("--endings and --bounds cannot be combined with --decisions or --singles."))
    with working(cluster, threads or (1 if threads_agree else os.cpu_count() or 1)) as workers:
        if threads_agree:
            _verify_threads(positions, sims, searches, seed, workers, as_json)
        elif advice is not None:
            _verify_advice(advice, sims, seed, workers, as_json)
        elif _any_of(*solver):
            _verify_solver(endings or 0, bounds or 0, limit, turns, most, seed, workers, as_json)
        else:
            from ...measure.verify_rules import verify as checks

            verify_rules(
                checks,
                DECISIONS if decisions is None else decisions,
                SINGLES if singles is None else singles,
                seed,
                workers,
                as_json,
            )


def _any_of(*numbers: int | None) -> bool:
    return any(number is not None for number in numbers)


def _show(verification: Verification, as_json: bool) -> None:
    if as_json:
        from ...measure.json import verification_to_json

        write_json(verification_to_json(verification))
    else:
        from ...measure.text import verification_text

        write(verification_text(verification))


def verify_rules(
    checks: Checks, decisions: int, singles: int, seed: int, workers: Workers | int, as_json: bool
) -> None:
    """Either game's core against its plain rules."""
    from tqdm import tqdm

    from ...base.comparing import Mismatch, Tally
    from ...base.errors import InputError
    from ...measure.data import RulesVerification

    tally = Tally()
    with tqdm(total=decisions + singles, unit="", disable=None, file=sys.stderr) as progress:
        try:
            for tally in checks(decisions, singles, seed, workers):
                progress.update(min(tally.decisions, decisions) + min(tally.singles, singles) - progress.n)
        except Mismatch as mismatch:
            raise InputError.one("core and reference differ", str(mismatch)) from None
    _show(RulesVerification(seed, tally), as_json)


def _verify_solver(
    endings: int,
    bounds: int,
    limit: float,
    turns: tuple[int, ...],
    most: int | None,
    seed: int,
    workers: Workers | int,
    as_json: bool,
) -> None:
    from tqdm import tqdm

    from ...base.comparing import Mismatch
    from ...base.errors import InputError
    from ...measure import verify_solver as checks
    from ...measure.data import SolverVerification

    each = checks.positions_to_cut(turns)
    if bounds > each * len(turns):
        raise click.UsageError(
            _(
                "--bounds: there are {each} positions for each number of turns, {most} in all.",
                each=each,
                most=each * len(turns),
            )
        )
    whole, cut = checks.EndgameTally(), checks.BoundsTally()
    with tqdm(total=endings + bounds, unit=_("ending"), disable=None, file=sys.stderr) as progress:
        try:
            for whole in checks.verify_endings(endings, seed, workers):
                progress.update(whole.endings - progress.n)
            for cut in checks.verify_bounds(bounds, limit, turns, workers, most):
                progress.update(endings + cut.positions - progress.n)
        except Mismatch as mismatch:
            raise InputError.one("solver and brute force differ", str(mismatch)) from None
    _show(SolverVerification(seed, limit, whole, cut), as_json)


def _verify_advice(endings: int, sims: int, seed: int, workers: Workers | int, as_json: bool) -> None:
    from tqdm import tqdm

    from ...measure.data import AdviceVerification
    from ...measure.verify_advice import AdviceTally, verify_advice

    tally = AdviceTally()
    with tqdm(total=endings, unit=_("ending"), disable=None, file=sys.stderr) as progress:
        for tally in verify_advice(endings, sims, seed, workers):
            progress.update(tally.endings - progress.n)
    _show(AdviceVerification(seed, sims, tally), as_json)


def _verify_threads(positions: int, sims: int, searches: int, seed: int, workers: Workers | int, as_json: bool) -> None:
    from tqdm import tqdm

    from ...measure.data import ThreadsVerification
    from ...measure.verify_threads import ThreadsTally, verify_threads

    tally = ThreadsTally()
    with tqdm(total=positions, unit=_("position"), disable=None, file=sys.stderr) as progress:
        for tally in verify_threads(positions, sims, searches, seed, workers):
            progress.update(tally.positions - progress.n)
    _show(ThreadsVerification(seed, sims, tally), as_json)
    if tally.too_far:
        raise click.exceptions.Exit(1)
