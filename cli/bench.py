"""`orbis bench`: how fast this build is, on this machine."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError
from ..language import N_, _, ngettext
from .group import PlainGroup
from .options import (
    duration_type,
    json_option,
    load_tiles,
    seed_option,
    size_type,
    tiles_option,
    write,
    write_json,
)

if TYPE_CHECKING:
    from ..bench import Figure, Solved


@click.group(cls=PlainGroup)
def bench() -> None:
    """Measure speed.

    Each figure is the median of several short runs; the best of them stands
    behind it. On a busy machine trust neither: compare two builds in turns.
    """


@bench.command(short_help=N_("Playouts, turns, state copies, move generation."))
@seed_option
@tiles_option(N_("Tile set to play with: a file, a built-in name, or random:SEED."))
@click.option("--seconds", type=click.FloatRange(0.05, 600), default=1.0, show_default=True, help="For each figure.")
@json_option
def rules(seed: int | None, tiles: str | None, seconds: float, as_json: bool) -> None:
    """The rules: playouts, turns, state copies, move generation, on one core."""
    from .. import bench as measures
    from ..tiles import DEFAULT_TILE_SET

    tile_set = load_tiles(tiles or DEFAULT_TILE_SET)
    _show("rules", measures.bench_rules(tile_set, 1 if seed is None else seed, seconds), as_json)


@bench.command(short_help=N_("Simulations a second, on one core and on several."))
@seed_option
@tiles_option(N_("Tile set to play with: a file, a built-in name, or random:SEED."))
@click.option("--seconds", type=click.FloatRange(0.05, 600), default=3.0, show_default=True, help="For each figure.")
@click.option("--threads", type=click.IntRange(1, 256), help="To compare with one.  [default: one a core]")
@json_option
def search(seed: int | None, tiles: str | None, seconds: float, threads: int | None, as_json: bool) -> None:
    """The advisor's search: simulations a second on one core, and on several."""
    from .. import bench as measures
    from ..tiles import DEFAULT_TILE_SET

    tile_set = load_tiles(tiles or DEFAULT_TILE_SET)
    threads = threads or os.cpu_count() or 1
    _show("search", measures.bench_search(tile_set, 1 if seed is None else seed, seconds, threads), as_json)


def _show(kind: str, figures: Iterator[Figure], as_json: bool) -> None:
    """A line for each figure as soon as it is there; JSON when all are."""
    if as_json:
        listed = [
            {"name": figure.name, "value": figure.value, "best": figure.best, "unit": figure.unit}
            for figure in figures
        ]
        write_json({"format": "orbis-bench", "version": 1, "kind": kind, "figures": listed})
        return
    for figure in figures:
        digits = {"ns": 1, "x": 2}.get(figure.unit, 0)
        best = "" if figure.unit == "bytes" else _("best {figure}", figure=f"{figure.best:,.{digits}f}")
        write(f"{figure.title:<54} {figure.value:>13,.{digits}f} {figure.unit:<5}  {best}".rstrip() + "\n")


@bench.command(short_help=N_("The endgame solver on its fixed set of positions."))
@click.option("--turns", type=click.IntRange(1, 8), multiple=True, default=(4, 5, 6), show_default=True,
              help="Turns left, of two players 4 to 8; may be repeated.")  # fmt: skip
@click.option("--players", type=click.IntRange(2, 4), default=2, show_default=True,
              help="Three and four: positions of sensible games.")  # fmt: skip
@click.option("--time", "seconds", type=duration_type, default="60s", show_default=True, metavar="TIME",
              help="For each position.")  # fmt: skip
@click.option("--goal", type=click.Choice(["best", "all"]), default="best", show_default=True,
              help="One move proved best, or the exact value of all.")  # fmt: skip
@click.option("--objective", type=click.Choice(["win", "margin"]), default="win", show_default=True)
@click.option("--threads", type=click.IntRange(1, 256), multiple=True, default=(1,), show_default=True,
              help="If repeated, each further number is compared with the first.")  # fmt: skip
@click.option("--without", multiple=True, metavar="IDEA", help="Leave out an idea of the solver; may be repeated.")
@click.option("--ablation", is_flag=True, help="Each idea left out in turn, and the nodes with and without it.")
@click.option("--cpu", is_flag=True, help="Print processor time, for a machine that is shared with others.")
@click.option("--positions", type=click.IntRange(1), metavar="N", help="Only the first N of each set.")
@click.option("--memory", type=size_type, default="256M", show_default=True, metavar="SIZE",
              help="For positions seen before.")  # fmt: skip
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

    from .. import bench as measures
    from ..endgame import ALL_IDEAS, IDEAS

    if wrong := [name for name in without if name not in IDEAS]:
        raise InputError.one("--without", _(
            "expected one of {choice}, found {found}",
            choice=", ".join(IDEAS), found=wrong[0],
        ))
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
                        position, number, seconds=seconds, goal=goal, objective=objective, threads=workers,
                        memory=memory, ideas=bits,
                    )  # fmt: skip
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
    from .. import bench as measures

    def seconds(value: float) -> str:
        return f"{value:.3f}" if math.isfinite(value) else f"> {limit:g}"

    wide = max(len(_way_words(name)) for name in found)
    heads = [_("solved"), _("median s"), "90 % s", _("most s"), _("median nodes"), _("all nodes")]
    widths = [max(least, len(head)) for least, head in zip((8, 9, 9, 9, 13, 15), heads)]
    start = max(10, len(_("turns left")))
    lines = []
    if first:
        names = " ".join(head.rjust(width) for head, width in zip(heads, widths))
        lines.append(f"{_('turns left'):<{start}}  {'':<{wide}} {names}")
    for name, results in found.items():
        of = measures.endgame_figures(results)
        cells = [
            f"{of.solved}/{of.positions}", seconds(of.median), seconds(of.ninety), seconds(of.most),
            f"{of.median_nodes:,}", f"{of.nodes:,}",
        ]  # fmt: skip
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
            clauses.append(_(
                "{first} solved only with {base}, {second} only {way}",
                first=both.only_first, base=_way_words(base), second=both.only_second, way=_way_words(name),
            ))  # fmt: skip
        if "thread" in name and both.both:
            hard = measures.hard_half(plain, results)
            faster = hard.seconds[0] / max(hard.seconds[1], 1e-9)
            clauses.append(_("the hard half {times:.2f} times as fast", times=faster))
        lines.append("  " + "; ".join(clauses))
    return "\n".join(lines) + "\n"


def _way_words(name: str) -> str:
    """What JSON calls a way to run, for people."""
    first, blank, rest = name.partition(" ")
    if first == "without":
        return _("without {idea}", idea=rest)
    return ngettext("{n} thread", "{n} threads", int(first)) if first.isdecimal() else _("all ideas")


def _run_dict(run: dict[str, Any]) -> dict[str, Any]:
    from dataclasses import asdict

    from .. import bench as measures

    figures = asdict(measures.endgame_figures(run["results"]))
    for name in ("median", "ninety", "most"):
        figures[name] = figures[name] if math.isfinite(figures[name]) else None
    results = [asdict(each) for each in run["results"]]
    return {"turns_left": run["turns_left"], "way": run["way"], **figures, "results": results}
