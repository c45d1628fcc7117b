"""`orbis bench regret`: the advisor on endings whose exact values are known."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ...base.errors import InputError
from ...base.language import N_, _
from ...base.machine import MachineError
from ..options import (
    GrowingText,
    Whole,
    cluster_option,
    json_option,
    players_type,
    seed_option,
    threads_type,
    write_json,
)
from ..workers import working

if TYPE_CHECKING:
    from ...measure.contested_endings import EndingSet

INTERRUPTED = 130


@click.command(short_help=N_("The advice beside exact values, on contested endings."))
@click.option("--turns", type=Whole(1), metavar="N", multiple=True, help="Turns left; may be repeated.  [default: all]")
@click.option("--players", type=players_type, default=2, show_default=True)
@click.option(
    "--sims",
    type=Whole(2, 10**9),
    metavar="N",
    multiple=True,
    default=(2000, 20_000, 200_000),
    show_default=True,
    help="Simulations per answer; may be repeated.",
)
@click.option("--positions", type=Whole(1), metavar="N", help="Use only the first N of each set.")
@click.option(
    "--set",
    "name",
    metavar="SET",
    default="report",
    show_default=True,
    help="fit, report, or a file of endings. Nothing is ever tuned on report.",
)
@click.option(
    "--with",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Change a search setting, as for an advisor in the arena; may be repeated.",
)
@click.option(
    "--threads",
    type=threads_type,
    metavar="N",
    help="How many endings at a time, each on one thread.  [default: one per core]",
)
@cluster_option
@seed_option
@json_option
@click.pass_context
def regret(
    ctx: click.Context,
    turns: tuple[int, ...],
    players: int,
    sims: tuple[int, ...],
    positions: int | None,
    name: str,
    settings: tuple[str, ...],
    threads: int | None,
    cluster: str | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """The advice beside exact values, on contested endings.

    The advisor answers without the solver, which has found the exact value of every
    move beforehand. Optimal: answers whose move is as good as any. Regret: the
    average chance to win given away by following the advice, with its standard
    error. Then, for the advised moves and for the other rows: how much too high the
    printed chance is, how far off it is, how often the printed interval holds the
    exact value, and the interval's score: its width plus 40 times the distance to a
    value outside, so lower is better. All in per cent.
    """
    from tqdm import tqdm

    from ...measure.data import RegretBench
    from ...measure.regret import groups_of, measure
    from ...measure.text import regret_text
    from ...players.by_name import parse_player
    from ...search.settings import read_settings

    spec = parse_player("advisor:" + ",".join(settings), "--with") if settings else None
    changed = read_settings(dict(spec.settings), "--with") if spec else None
    groups = groups_of(_sets(ctx, name, players, turns), sims, positions)
    total = sum(group.positions for group in groups)
    bench, growing = RegretBench(name, 0 if seed is None else seed), GrowingText()
    ended: MachineError | None = None
    try:
        with (
            working(cluster, threads or os.cpu_count() or 1) as workers,
            tqdm(total=total, unit=_("position"), disable=None, file=sys.stderr, leave=False) as progress,
        ):
            for group in measure(groups, bench.seed, workers, progress.update, changed):
                bench = replace(bench, groups=(*bench.groups, group))
                if not as_json:
                    progress.clear()
                    growing.write(regret_text(bench))
    except KeyboardInterrupt:
        bench = replace(bench, interrupted=True)
    except MachineError as error:
        ended = error
    bench = replace(bench, groups=tuple(group for group in groups if group.answers))
    if as_json:
        from ...measure.json import regret_to_json

        write_json(regret_to_json(bench))
    else:
        growing.write(regret_text(bench))
    if ended is not None:
        raise ended
    if bench.interrupted:
        print(_("orbis: interrupted"), file=sys.stderr)
        raise click.exceptions.Exit(INTERRUPTED)


def _sets(ctx: click.Context, name: str, players: int, turns: tuple[int, ...]) -> list[EndingSet]:
    """Those asked for: shipped ones by name, or a file."""
    from ...measure.contested_endings import SETS, TURNS_LEFT, read_set, shipped_set, shipped_turns

    if name not in SETS:
        typed = click.core.ParameterSource.COMMANDLINE
        if turns or ctx.get_parameter_source("players") is typed:
            raise click.UsageError(_("--turns and --players work only with the sets fit and report."))
        return [read_set(name)]
    there = shipped_turns(name, players) or TURNS_LEFT[players]
    if wrong := [each for each in turns if each not in there]:
        raise InputError.one(
            "--turns", _("expected one of {choice}, found {found}", choice=", ".join(map(str, there)), found=wrong[0])
        )
    return [shipped_set(name, players, left) for left in dict.fromkeys(turns or there)]
