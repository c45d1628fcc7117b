"""`orbis bench`: how fast this build is, on this machine, and whether it still finds the same."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ...base.errors import InputError
from ...base.language import N_, _, ngettext
from ..group import PlainGroup
from ..options import (
    duration_type,
    expect_writable,
    json_option,
    load_tiles,
    place_of,
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
    from ...measure.fixed_work import Run
    from ...measure.growth import Series
    from ...measure.ratios import Ratio
    from ...measure.speed import Figure, Solved

INTERRUPTED = 130


class BenchGroup(PlainGroup):
    """Without a command it has work of its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return click.Group.parse_args(self, ctx, args)


@click.group(cls=BenchGroup, invoke_without_command=True)
@click.option("--threads", type=threads_type, help="To measure beside one.  [default: one a core]")
@click.option(
    "--rounds",
    type=click.IntRange(1, 100),
    metavar="N",
    default=6,
    show_default=True,
    help="How often all of it is done.",
)
@click.option("--signature", is_flag=True, help="Only what was found, and no figures: once, on one thread.")
@click.option("--compare", metavar="FILE", help="Set this run beside one that --json wrote.")
@click.option("--against", metavar="PROGRAM", help="Another build's orbis, in turns with this one.")
@click.option("--plot", metavar="FILE", help="Draw how cost grows, as SVG or PNG; half a minute more.")
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
    """Measure speed, and see whether a build still plays the same.

    Without a command: a fixed set of positions is searched with fixed seeds. The
    signature, one number, depends only on what was found on one thread: the same
    on every machine, another one when a rule or the search has changed. Each
    figure is the median of all rounds. On a busy machine compare two builds in
    turns, with --against.
    """
    if ctx.invoked_subcommand is not None:
        given = [each.opts[0] for each in ctx.command.params if each.name in _given(ctx)]
        if given:
            raise click.UsageError(_("{option} goes with no command of orbis bench.", option=given[0]))
        return
    if signature and _given(ctx) - {"signature"}:
        raise click.UsageError(_("--signature goes with no other option."))
    if compare is not None and against is not None:
        raise click.UsageError(_("Give either --compare or --against."))
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

    write("".join(f"{name:<20} {found}\n" for name, found in signatures().items()))


def _bench_set(
    threads: int, rounds: int, compare: str | None, against: str | None, plot: str | None, as_json: bool
) -> None:
    from tqdm import tqdm

    from ...measure.fixed_work import run_rounds, run_to_json
    from ...measure.runs import comparison_to_json, run_in_turns

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
    name = compare or against
    if as_json:
        value = run_to_json(ours) | {"interrupted": interrupted}
        if growth:
            from ...measure.growth import growth_to_json

            value["growth"] = growth_to_json(growth)
        if others is not None and name is not None:
            value["compared"] = comparison_to_json(ours, others, name, against is not None)
        write_json(value)
    elif others is None or name is None:
        write(_set_text(ours))
    else:
        write(_comparison_text(ours, others, name, against is not None))
    if interrupted:
        print(_("orbis: interrupted"), file=sys.stderr)
        raise click.exceptions.Exit(INTERRUPTED)


def _growth(threads: int) -> list[Series]:
    from tqdm import tqdm

    from ...measure.growth import SERIES, measure_growth

    return list(tqdm(measure_growth(threads), total=SERIES, disable=None, file=sys.stderr, leave=False))


def _draw(growth: list[Series], run: Run, path: str) -> None:
    from ...measure.growth_plot import draw_growth

    write_bytes(draw_growth(growth, path, _machine_words(run)), path)


def _machine_words(run: Run) -> str:
    cores = ngettext("{n} core", "{n} cores", run.machine["cores"])
    return f"{run.machine['cpu']}, {cores}, orbis {run.version}"


def _read_run(path: str) -> Run:
    import json

    from ...measure.fixed_work import run_from_json

    text = read_text(path, "bench run")
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    return run_from_json(value, place_of(path))


# What the parts of a kind are counted in.
_A_SECOND = {
    "perft": N_("move sequences a second"),
    "playouts": N_("random playouts a second"),
    "search": N_("simulations a second"),
    "solve": N_("solver nodes a second"),
}


def _set_text(run: Run) -> str:
    from statistics import median

    from ...measure.fixed_work import UNITS, on_threads

    rates = {name: median(values) for name, values in run.rates().items()}

    def row(title: str, amount: str, name: str) -> str:
        one, several = rates[name], rates.get(on_threads(name, run.threads))
        line = f"{title:<{wide}} {amount:>12} {one:>14,.0f}"
        return line if several is None else f"{line} {several:>14,.0f} {run.speed_up(name):>7.2f}"

    titles = {kind: _(words) for kind, words in _A_SECOND.items()}
    wide = max(26, *map(len, titles.values()))
    heads = [ngettext("{n} thread", "{n} threads", count) for count in dict.fromkeys((1, run.threads))]
    amount, times = _("amount"), _("times")
    lines = [f"{'':<{wide}} {amount:>12}" + "".join(f" {head:>14}" for head in heads)]
    lines[0] += f" {times:>7}" if run.threads > 1 else ""
    lines += [row(each.part.name, f"{each.units:,}", each.part.name) for each in run.parts]
    lines += ["", *(row(titles[kind], "", kind) for kind in UNITS), ""]
    took = ngettext("{n} round in {seconds:.1f} s", "{n} rounds in {seconds:.1f} s", run.rounds, seconds=run.seconds)
    lines += [f"{_machine_words(run)}: {took}"]
    lines += [_("signature {signature}", signature=run.signature)]
    return "\n".join(lines) + "\n"


def _comparison_text(ours: Run, others: Run, name: str, in_turns: bool) -> str:
    from ...measure.fixed_work import UNITS, on_threads
    from ...measure.runs import changed_parts, compare_runs

    # On all threads only the sums: a part of them is too short to say much.
    wanted = {each.part.name for each in ours.parts} | {*UNITS} | {on_threads(kind, ours.threads) for kind in UNITS}
    rows = [row for row in compare_runs(ours, others, in_turns) if row.name in wanted]
    sure = all(row.ratio.sure for row in rows)
    this, other, ratio = _("this build"), _("the other"), _("ratio")
    spread = "95 %" if sure else _("least .. most")
    lines = [f"{'':<26} {this:>14} {other:>14} {ratio:>7}  {spread}"]
    lines += [f"{row.name:<26} {row.ours:>14,.0f} {row.others:>14,.0f} {_ratio_text(row.ratio)}" for row in rows]
    if not in_turns:
        lines += ["", _("Not measured in turns: what else the machines did is in these ratios.")]
    lines.append(_("signature {signature}", signature=ours.signature))
    if changed := changed_parts(ours, others):
        lines.append(
            _(
                "THE SIGNATURES DIFFER: {name} has {signature}; another result in {parts}",
                name=name,
                signature=others.signature,
                parts=", ".join(changed),
            )
        )
    else:
        lines.append(_("The same signature: both find the same."))
    return "\n".join(lines) + "\n"


def _ratio_text(ratio: Ratio) -> str:
    return f"{ratio.value:>7.3f}  {ratio.low:.3f} .. {ratio.high:.3f}" + ("  *" if ratio.differs else "")


@bench.command(short_help=N_("Playouts, turns, state copies, move generation."))
@seed_option
@tiles_option(N_("Tile set to play with: a file, a built-in name, or random:SEED."))
@click.option("--seconds", type=click.FloatRange(0.05, 600), default=1.0, show_default=True, help="For each figure.")
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
@click.option("--seconds", type=click.FloatRange(0.05, 600), default=3.0, show_default=True, help="For each figure.")
@click.option("--threads", type=threads_type, help="To compare with one.  [default: one a core]")
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
        listed = [
            {"name": figure.name, "value": figure.value, "best": figure.best, "unit": figure.unit} for figure in figures
        ]
        write_json({"format": "orbis-bench", "version": 1, "kind": kind, "figures": listed})
        return
    for figure in figures:
        digits = {"ns": 1, "x": 2}.get(figure.unit, 0)
        best = "" if figure.unit == "bytes" else _("best {figure}", figure=f"{figure.best:,.{digits}f}")
        write(f"{figure.title:<54} {figure.value:>13,.{digits}f} {figure.unit:<5}  {best}".rstrip() + "\n")


@bench.command(short_help=N_("The endgame solver on its fixed set of positions."))
@click.option(
    "--turns",
    type=click.IntRange(1, 8),
    multiple=True,
    default=(4, 5, 6),
    show_default=True,
    help="Turns left, of two players 4 to 8; may be repeated.",
)
@click.option(
    "--players",
    type=click.IntRange(2, 4),
    default=2,
    show_default=True,
    help="Three and four: positions of sensible games.",
)
@click.option(
    "--time", "seconds", type=duration_type, default="60s", show_default=True, metavar="TIME", help="For each position."
)
@click.option(
    "--goal",
    type=click.Choice(["best", "all"]),
    default="best",
    show_default=True,
    help="One move proved best, or the exact value of all.",
)
@click.option("--objective", type=click.Choice(["win", "margin"]), default="win", show_default=True)
@click.option(
    "--threads",
    type=threads_type,
    multiple=True,
    default=(1,),
    show_default=True,
    help="If repeated, each further number is compared with the first.",
)
@click.option("--without", multiple=True, metavar="IDEA", help="Leave out an idea of the solver; may be repeated.")
@click.option("--ablation", is_flag=True, help="Each idea left out in turn, and the nodes with and without it.")
@click.option("--cpu", is_flag=True, help="Print processor time, for a machine that is shared with others.")
@click.option("--positions", type=click.IntRange(1), metavar="N", help="Only the first N of each set.")
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
    the median, nine of ten no longer than the 90 %; where not enough were solved
    in time, > stands before the limit. Of three and four players there are 50
    games played sensibly by the seeds 1 to 50.
    """
    from dataclasses import replace

    from ...core.searches import ALL_IDEAS, IDEAS
    from ...measure import speed as measures

    if wrong := [name for name in without if name not in IDEAS]:
        raise InputError.one(
            "--without", _("expected one of {choice}, found {found}", choice=", ".join(IDEAS), found=wrong[0])
        )
    if ablation and (without or len(threads) > 1):
        raise click.UsageError(_("--ablation goes with neither --without nor several --threads."))
    if players == 2 and min(turns) < measures.TURNS_LEFT[0]:
        raise click.UsageError(_("--turns: of two players there are positions with 4 to 8 turns left."))
    ideas = ALL_IDEAS & ~sum(IDEAS[name] for name in set(without))
    ways = [(f"{each} thread{'s' if each > 1 else ''}", each, ideas) for each in threads]
    if ablation:
        ways = [("all ideas", threads[0], ideas)]
        ways += [(f"without {name}", threads[0], ideas & ~bit) for name, bit in IDEAS.items()]
    runs: list[dict[str, Any]] = []
    for left in turns:
        found: dict[str, list[Solved]] = {name: [] for name, _, _ in ways}
        for number, position in enumerate(_set(measures.endgame_positions(left, players)[:positions], left), 1):
            for name, workers, bits in ways:
                found[name].append(
                    measures.solve_for_bench(
                        position,
                        number,
                        seconds=seconds,
                        goal=goal,
                        objective=objective,
                        threads=workers,
                        memory=memory,
                        ideas=bits,
                    )
                )
        runs += [{"turns_left": left, "way": name, "results": results} for name, results in found.items()]
        if cpu:
            found = {name: [replace(each, seconds=each.cpu) for each in results] for name, results in found.items()}
        if not as_json:
            write(_endgame_text(left, found, seconds, first=left == turns[0]))
            sys.stdout.flush()
    if as_json:
        settings = {"seconds": seconds, "goal": goal, "objective": objective, "without": list(without)}
        write_json(
            {"format": "orbis-bench", "version": 1, "kind": "endgame", **settings, "runs": list(map(_run_dict, runs))}
        )


def _set(positions: list[Any], left: int) -> Any:
    from tqdm import tqdm

    title = ngettext("{n} turn left", "{n} turns left", left)
    return tqdm(positions, desc=title, unit=_("position"), disable=None, file=sys.stderr, leave=False)


def _endgame_text(left: int, found: dict[str, list[Solved]], limit: float, first: bool) -> str:
    from ...measure import speed as measures

    def seconds(value: float) -> str:
        return f"{value:.3f}" if math.isfinite(value) else f"> {limit:g}"

    wide = max(len(_way_words(name)) for name in found)
    heads = [_("solved"), _("median s"), "90 % s", _("most s"), _("median nodes"), _("all nodes")]
    widths = [max(least, len(head)) for least, head in zip((8, 9, 9, 9, 13, 15), heads)]
    turns_left = _("turns left")
    start = max(10, len(turns_left))
    lines = []
    if first:
        names = " ".join(head.rjust(width) for head, width in zip(heads, widths))
        lines.append(f"{turns_left:<{start}}  {'':<{wide}} {names}")
    for name, results in found.items():
        of = measures.endgame_figures(results)
        cells = [
            f"{of.solved}/{of.positions}",
            seconds(of.median),
            seconds(of.ninety),
            seconds(of.most),
            f"{of.median_nodes:,}",
            f"{of.nodes:,}",
        ]
        row = " ".join(cell.rjust(width) for cell, width in zip(cells, widths))
        lines.append(f"{left:<{start}}  {_way_words(name):<{wide}} {row}")
    (base, plain), *others = found.items()
    for name, results in others:
        both = measures.compare_results(plain, results)
        clauses = [_("{way}, on {number} solved by both: ", way=_way_words(name), number=both.both).rstrip()]
        if both.both:
            nodes, slower = both.nodes[1] / both.nodes[0], both.seconds[1] / max(both.seconds[0], 1e-9)
            times = _("{nodes:.2f} times the nodes, {seconds:.2f} times the seconds", nodes=nodes, seconds=slower)
            clauses[0] += f" {times}"
        if both.only_first or both.only_second:
            clauses.append(
                _(
                    "{first} solved only with {base}, {second} only {way}",
                    first=both.only_first,
                    base=_way_words(base),
                    second=both.only_second,
                    way=_way_words(name),
                )
            )
        if "thread" in name and both.both:
            hard = measures.hard_half(plain, results)
            faster = hard.seconds[0] / max(hard.seconds[1], 1e-9)
            clauses.append(_("the hard half {times:.2f} times as fast", times=faster))
        lines.append("  " + "; ".join(clauses))
    return "\n".join(lines) + "\n"


def _way_words(name: str) -> str:
    """What JSON calls a way to run, for people."""
    first, _blank, rest = name.partition(" ")
    if first == "without":
        return _("without {idea}", idea=rest)
    return ngettext("{n} thread", "{n} threads", int(first)) if first.isdecimal() else _("all ideas")


def _run_dict(run: dict[str, Any]) -> dict[str, Any]:
    from dataclasses import asdict

    from ...measure import speed as measures

    figures = asdict(measures.endgame_figures(run["results"]))
    for name in ("median", "ninety", "most"):
        figures[name] = figures[name] if math.isfinite(figures[name]) else None
    results = [asdict(each) for each in run["results"]]
    return {"turns_left": run["turns_left"], "way": run["way"], **figures, "results": results}
