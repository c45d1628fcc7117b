"""`orbis bench`: how fast this build is, on this machine, and whether it still finds the same."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ...base.errors import InputError
from ...base.language import N_, _, ngettext
from ..group import PlainGroup
from ..options import (
    GrowingText,
    Whole,
    duration_type,
    expect_writable,
    figure_seconds_type,
    json_option,
    load_tiles,
    place_of,
    players_type,
    read_text,
    seed_option,
    size_type,
    threads_type,
    tiles_option,
    write,
    write_bytes,
    write_json,
)
from .bench_peers import peers
from .bench_regret import regret

if TYPE_CHECKING:
    from ...base.timing import Figure
    from ...game.position import Position
    from ...measure.fixed_work import Run
    from ...measure.growth import Series
    from ...measure.speed import Solved

INTERRUPTED = 130


class BenchGroup(PlainGroup):
    """Without a command it has work of its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return click.Group.parse_args(self, ctx, args)


@click.group(cls=BenchGroup, invoke_without_command=True)
@click.option("--threads", type=threads_type, help="Threads to measure besides one.  [default: one per core]")
@click.option(
    "--rounds", type=Whole(1, 100), metavar="N", default=6, show_default=True, help="How many times to do all the work."
)
@click.option("--signature", is_flag=True, help="Print only the signatures: one round on one thread, not timed.")
@click.option("--compare", metavar="FILE", help="Compare this run with one that --json wrote.")
@click.option("--against", metavar="PROGRAM", help="Compare with another build's orbis, run in turns with this one.")
@click.option("--plot", metavar="FILE", help="Draw how cost grows, as SVG or PNG; takes half a minute more.")
@json_option
@click.pass_context
def bench(
    ctx: click.Context,
    threads: int | None,
    rounds: int,
    signature: bool,
    compare: str | None,
    against: str | None,
    plot: str | None,
    as_json: bool,
) -> None:
    """Measure speed, and check that a build still plays the same.

    Without a command, searches a fixed set of positions with fixed seeds. The
    signature, one number, depends only on what was found on one thread: it is the
    same on every machine, and changes when a rule or the search changes. Each
    figure is the median of all rounds. On a busy machine, compare two builds in
    turns with --against.
    """
    if ctx.invoked_subcommand is not None:
        given = [each.opts[0] for each in ctx.command.params if each.name in _given(ctx)]
        if given:
            raise click.UsageError(_("{option} cannot be used with a command of orbis bench.", option=given[0]))
        return
    if signature and _given(ctx) - {"signature"}:
        raise click.UsageError(_("--signature cannot be combined with other options."))
    if compare is not None and against is not None:
        raise click.UsageError(_("Give --compare or --against, not both."))
    if signature:
        _show_signature()
        return
    _bench_set(threads or os.cpu_count() or 1, rounds, compare, against, plot, as_json)


def _given(ctx: click.Context) -> set[str]:
    """The options that were typed."""
    typed = click.core.ParameterSource.COMMANDLINE
    return {name for name in ctx.params if ctx.get_parameter_source(name) is typed}


bench.add_command(peers)
bench.add_command(regret)


# ---- the fixed set ---------------------------------------------------------------------------------


def _show_signature() -> None:
    from ...measure.fixed_work import signatures
    from ...measure.text import signatures_text

    write(signatures_text(signatures()))


def _bench_set(
    threads: int, rounds: int, compare: str | None, against: str | None, plot: str | None, as_json: bool
) -> None:
    from tqdm import tqdm

    from ...measure.fixed_work import run_rounds
    from ...measure.runs import compare_runs, run_in_turns

    if plot is not None:
        from ...measure.growth_plot import expect_plotting

        expect_plotting(plot)
        expect_writable(plot)
    ours, others = None, None if compare is None else _read_run(compare)
    growth: list[Series] = []
    interrupted = False
    try:
        with tqdm(total=rounds, unit=_("round"), disable=None, file=sys.stderr, leave=False) as progress:
            if against is None:
                for ours in run_rounds(threads, rounds):
                    progress.update()
            else:
                for ours, others in run_in_turns(against, threads, rounds):
                    progress.update()
        if plot is not None:
            growth = _growth(threads)
    except KeyboardInterrupt:
        interrupted = True
    if ours is None:
        raise KeyboardInterrupt
    if plot is not None and not interrupted:
        _draw(growth, ours, plot)
    comparison = None
    if others is not None:
        comparison = compare_runs(ours, others, compare or against or "", against is not None)
    if as_json:
        from ...measure.json import run_to_json

        write_json(run_to_json(ours, interrupted=interrupted, growth=growth, comparison=comparison))
    else:
        from ...measure.text import comparison_text, run_text

        write(run_text(ours) if comparison is None else comparison_text(comparison))
    if interrupted:
        print(_("orbis: interrupted"), file=sys.stderr)
        raise click.exceptions.Exit(INTERRUPTED)


def _growth(threads: int) -> list[Series]:
    from tqdm import tqdm

    from ...measure.growth import SERIES, measure_growth

    return list(tqdm(measure_growth(threads), total=SERIES, disable=None, file=sys.stderr, leave=False))


def _draw(growth: list[Series], run: Run, path: str) -> None:
    from ...measure.growth_plot import draw_growth
    from ...measure.text import machine_text

    write_bytes(draw_growth(growth, path, machine_text(run)), path)


def _read_run(path: str) -> Run:
    from ...base.json import NotJson, json_value
    from ...measure.json import run_from_json

    text = read_text(path, "bench run")
    try:
        value = json_value(text)
    except NotJson:
        value = None
    return run_from_json(value, place_of(path))


@bench.command(short_help=N_("Playouts, turns, state copies, move generation."))
@seed_option
@tiles_option(N_("Tile set to play with: a file, a built-in name, or random:SEED."))
@click.option(
    "--seconds", type=figure_seconds_type, default=1.0, show_default=True, help="Seconds to spend on each figure."
)
@json_option
def rules(seed: int | None, tiles: str | None, seconds: float, as_json: bool) -> None:
    """The rules: playouts, turns, state copies, move generation, on one core."""
    from ...game.tiles import DEFAULT_TILE_SET
    from ...measure import speed as measures

    tile_set = load_tiles(tiles or DEFAULT_TILE_SET)
    _show("rules", measures.bench_rules(tile_set, 1 if seed is None else seed, seconds), as_json)


@bench.command(short_help=N_("Simulations a second, on one core and on several."))
@seed_option
@tiles_option(N_("Tile set to play with: a file, a built-in name, or random:SEED."))
@click.option(
    "--seconds", type=figure_seconds_type, default=3.0, show_default=True, help="Seconds to spend on each figure."
)
@click.option("--threads", type=threads_type, help="Threads to compare with one.  [default: one per core]")
@json_option
def search(seed: int | None, tiles: str | None, seconds: float, threads: int | None, as_json: bool) -> None:
    """The advisor's search: simulations a second on one core, and on several."""
    from ...game.tiles import DEFAULT_TILE_SET
    from ...measure import speed as measures

    tile_set = load_tiles(tiles or DEFAULT_TILE_SET)
    threads = threads or os.cpu_count() or 1
    _show("search", measures.bench_search(tile_set, 1 if seed is None else seed, seconds, threads), as_json)


def _show(kind: str, figures: Iterator[Figure], as_json: bool) -> None:
    """A line for each figure as soon as it is there; JSON when all are."""
    if as_json:
        from ...measure.json import figures_to_json

        write_json(figures_to_json(kind, figures))
        return
    from ...measure.text import figures_text

    for figure in figures:
        write(figures_text([figure]))


@bench.command(short_help=N_("The endgame solver on its fixed set of positions."))
@click.option(
    "--turns",
    type=Whole(1, 8),
    multiple=True,
    default=(4, 5, 6),
    show_default=True,
    help="Turns left, 4 to 8 with two players; may be repeated.",
)
@click.option(
    "--players",
    type=players_type,
    default=2,
    show_default=True,
    help="With three or four, positions from sensible games.",
)
@click.option(
    "--time",
    "seconds",
    type=duration_type,
    default="60s",
    show_default=True,
    metavar="TIME",
    help="Time for each position.",
)
@click.option(
    "--goal",
    type=click.Choice(["best", "all"]),
    default="best",
    show_default=True,
    help="Prove one move best, or find the exact value of all.",
)
@click.option("--objective", type=click.Choice(["win", "margin"]), default="win", show_default=True)
@click.option(
    "--threads",
    type=threads_type,
    multiple=True,
    default=(1,),
    show_default=True,
    help="If repeated, each number after the first is compared with it.",
)
@click.option("--without", multiple=True, metavar="IDEA", help="Leave out one of the solver's ideas; may be repeated.")
@click.option("--ablation", is_flag=True, help="Leave out each idea in turn, and compare nodes with and without it.")
@click.option("--cpu", is_flag=True, help="Print processor time, for a machine shared with others.")
@click.option("--positions", type=Whole(1), metavar="N", help="Use only the first N of each set.")
@click.option(
    "--memory", type=size_type, default="256M", show_default=True, metavar="SIZE", help="For positions seen before."
)
@json_option
def endgame(
    turns: tuple[int, ...],
    players: int,
    seconds: float,
    goal: str,
    objective: str,
    threads: tuple[int, ...],
    without: tuple[str, ...],
    ablation: bool,
    cpu: bool,
    positions: int | None,
    memory: int,
    as_json: bool,
) -> None:
    """The endgame solver on its fixed set of positions, one after the other.

    The set has 50 positions for each number of turns left, one from each of 50
    games between advisors at 2,000 simulations a move. Half took no longer than
    the median, nine in ten no longer than the 90 %; where too few were solved in
    time, the limit follows a >. For three and four players, the positions come
    from 50 games played sensibly with seeds 1 to 50.
    """
    from ...core.searches import IDEAS
    from ...measure import speed as measures
    from ...measure.data import EndgameBench, EndgameRun

    if wrong := [name for name in without if name not in IDEAS]:
        raise InputError.one(
            "--without", _("expected one of {choice}, found {found}", choice=", ".join(IDEAS), found=wrong[0])
        )
    if ablation and (without or len(threads) > 1):
        raise click.UsageError(_("--ablation cannot be combined with --without or several --threads."))
    if players == 2 and min(turns) < measures.TURNS_LEFT[0]:
        raise click.UsageError(_("--turns: with two players there are positions with 4 to 8 turns left."))
    ways = measures.ablation_ways(threads[0]) if ablation else measures.threads_ways(threads, without)
    bench, growing = EndgameBench(seconds, goal, objective, without), GrowingText()
    for left in dict.fromkeys(turns):
        results: list[list[Solved]] = [[] for _way in ways]
        for number, position in enumerate(_set(measures.endgame_positions(left, players)[:positions], left), 1):
            for way, found in zip(ways, results):
                found.append(
                    measures.solve_for_bench(
                        position,
                        number,
                        seconds=seconds,
                        goal=goal,
                        objective=objective,
                        threads=way.threads,
                        memory=memory,
                        ideas=way.ideas,
                    )
                )
        runs = [EndgameRun(left, way, tuple(found)) for way, found in zip(ways, results)]
        bench = replace(bench, runs=(*bench.runs, *runs))
        if not as_json:
            from ...measure.text import endgame_text

            growing.write(endgame_text(bench, cpu=cpu))
    if as_json:
        from ...measure.json import endgame_to_json

        write_json(endgame_to_json(bench))


def _set(positions: list[Position], left: int) -> Iterable[Position]:
    from tqdm import tqdm

    title = ngettext("{n} turn left", "{n} turns left", left)
    bar: Iterable[Position] = tqdm(
        positions, desc=title, unit=_("position"), disable=None, file=sys.stderr, leave=False
    )
    return bar
