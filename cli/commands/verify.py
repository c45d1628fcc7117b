"""`orbis verify`: the compiled core against the plain rules, for as long as one likes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from ...base.language import _
from ..options import duration_type, json_option, seed_option, write, write_json

if TYPE_CHECKING:
    from ...measure.data import Verification

DECISIONS, SINGLES = 300, 10_000


@click.command()
@click.option(
    "--decisions",
    type=click.IntRange(0),
    metavar="N",
    help="Turns whose whole set of legal moves is compared.  [default: 300]",
)
@click.option(
    "--singles", type=click.IntRange(0), metavar="N", help="Single moves whose outcome is compared.  [default: 10000]"
)
@click.option(
    "--endings",
    type=click.IntRange(0),
    metavar="N",
    help="Instead: endings of which the solver's value of every legal move is compared.",
)
@click.option(
    "--bounds",
    type=click.IntRange(0, 400),
    metavar="N",
    help="Instead: positions on which a solver that is cut short is held against the truth.",
)
@click.option(
    "--advice",
    type=click.IntRange(0),
    metavar="N",
    help="Instead: endings in which the move that the search recommends is held against the best.",
)
@click.option(
    "--threads-agree",
    is_flag=True,
    help="Instead: positions in which what 2 and 4 threads say is held against what one says.",
)
@click.option(
    "--sims",
    type=click.IntRange(1),
    default=20_000,
    show_default=True,
    metavar="N",
    help="With --advice and --threads-agree: simulations of a search.",
)
@click.option(
    "--positions",
    type=click.IntRange(1),
    default=30,
    show_default=True,
    metavar="N",
    help="With --threads-agree: positions to search.",
)
@click.option(
    "--searches",
    type=click.IntRange(10),
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
    help="With --bounds: when it is cut short.",
)
@click.option(
    "--turns",
    type=click.IntRange(4, 8),
    multiple=True,
    default=(5, 6),
    show_default=True,
    help="With --bounds: turns left, 4 to 8; may be repeated.",
)
@click.option(
    "--most",
    type=click.IntRange(1),
    metavar="NODES",
    help="With --bounds: pass over a position whose true value takes more.  [default: no limit]",
)
@click.option(
    "--threads", type=click.IntRange(1), help="Processes to use.  [default: one a core; with --threads-agree one]"
)
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
    seed: int | None,
    as_json: bool,
) -> None:
    """Hold the compiled core against the plain, slow rules.

    Plays games of 2 to 4 players, at random and sensibly, on our tile set and on
    random ones. Whole sets: all legal moves, each once. Single moves: legal for
    both, the same position after them, the same draws, the same points; and wrong
    moves are refused by both. A difference ends the run and is shown.

    The endgame solver is held against searches that look at everything: with one
    turn left in plain Python, with two and three in the core. Worshipers are taken
    away until that is possible. Its bounds are held against values computed
    without a limit, on the positions of orbis bench endgame. The search's moves
    are held against its values: how much of the chance to win they give away.

    What the search says with several threads is held against what it says with
    one: no search may be further from the mean than one thread's own ever are,
    or 6 of their standard deviations. One that is makes the exit code 1.
    """
    processes = threads or os.cpu_count() or 1
    seed = 0 if seed is None else seed
    if threads_agree:
        if any(each is not None for each in (decisions, singles, endings, bounds, advice)):
            raise click.UsageError(
                _("--threads-agree goes with none of --decisions, --singles, --endings, --bounds, --advice.")
            )
        _verify_threads(positions, sims, searches, seed, threads or 1, as_json)
        return
    if advice is not None:
        if any(each is not None for each in (decisions, singles, endings, bounds)):
            raise click.UsageError(_("--advice goes with none of --decisions, --singles, --endings, --bounds."))
        _verify_advice(advice, sims, seed, processes, as_json)
        return
    if endings is not None or bounds is not None:
        if decisions is not None or singles is not None:
            raise click.UsageError(_("--endings and --bounds go neither with --decisions nor with --singles."))
        _verify_solver(endings or 0, bounds or 0, limit, turns, most, seed, processes, as_json)
        return
    _verify_rules(
        DECISIONS if decisions is None else decisions, SINGLES if singles is None else singles, seed, processes, as_json
    )


def _show(verification: Verification, as_json: bool) -> None:
    if as_json:
        from ...measure.json import verification_to_json

        write_json(verification_to_json(verification))
    else:
        from ...measure.text import verification_text

        write(verification_text(verification))


def _verify_rules(decisions: int, singles: int, seed: int, processes: int, as_json: bool) -> None:
    from tqdm import tqdm

    from ...base.errors import InputError
    from ...measure import verify_rules as checks
    from ...measure.data import RulesVerification

    tally = checks.Tally()
    with tqdm(total=decisions + singles, unit="", disable=None, file=sys.stderr) as progress:
        try:
            for tally in checks.verify(decisions, singles, seed, processes):
                progress.update(min(tally.decisions, decisions) + min(tally.singles, singles) - progress.n)
        except checks.Mismatch as mismatch:
            raise InputError.one("core and reference differ", str(mismatch)) from None
    _show(RulesVerification(seed, tally), as_json)


def _verify_solver(
    endings: int,
    bounds: int,
    limit: float,
    turns: tuple[int, ...],
    most: int | None,
    seed: int,
    processes: int,
    as_json: bool,
) -> None:
    from tqdm import tqdm

    from ...base.errors import InputError
    from ...measure import verify_solver as checks
    from ...measure.data import SolverVerification
    from ...measure.verify_rules import Mismatch

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
            for whole in checks.verify_endings(endings, seed, processes):
                progress.update(whole.endings - progress.n)
            for cut in checks.verify_bounds(bounds, limit, turns, processes, most):
                progress.update(endings + cut.positions - progress.n)
        except Mismatch as mismatch:
            raise InputError.one("solver and brute force differ", str(mismatch)) from None
    _show(SolverVerification(seed, limit, whole, cut), as_json)


def _verify_advice(endings: int, sims: int, seed: int, processes: int, as_json: bool) -> None:
    from tqdm import tqdm

    from ...measure.data import AdviceVerification
    from ...measure.verify_advice import AdviceTally, verify_advice

    tally = AdviceTally()
    with tqdm(total=endings, unit=_("ending"), disable=None, file=sys.stderr) as progress:
        for tally in verify_advice(endings, sims, seed, processes):
            progress.update(tally.endings - progress.n)
    _show(AdviceVerification(seed, sims, tally), as_json)


def _verify_threads(positions: int, sims: int, searches: int, seed: int, processes: int, as_json: bool) -> None:
    from tqdm import tqdm

    from ...measure.data import ThreadsVerification
    from ...measure.verify_threads import ThreadsTally, verify_threads

    tally = ThreadsTally()
    with tqdm(total=positions, unit=_("position"), disable=None, file=sys.stderr) as progress:
        for tally in verify_threads(positions, sims, searches, seed, processes):
            progress.update(tally.positions - progress.n)
    _show(ThreadsVerification(seed, sims, tally), as_json)
    if tally.too_far:
        raise click.exceptions.Exit(1)
