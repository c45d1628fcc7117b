"""`orbis bench regret`: the advisor on endings whose exact values are known."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from ...base.errors import InputError
from ...base.language import N_, _, ngettext, pgettext
from ..options import json_option, seed_option, threads_type, write, write_json

if TYPE_CHECKING:
    from ...measure.contested_endings import EndingSet
    from ...measure.regret import Group, RowFigures

INTERRUPTED = 130


@click.command(short_help=N_("The advice beside exact values, on contested endings."))
@click.option(
    "--turns",
    type=click.IntRange(1),
    metavar="N",
    multiple=True,
    help="Turns left; may be repeated.  [default: all there are]",
)
@click.option("--players", type=click.IntRange(2, 4), default=2, show_default=True)
@click.option(
    "--sims",
    type=click.IntRange(2, 10**9),
    metavar="N",
    multiple=True,
    default=(2000, 20_000, 200_000),
    show_default=True,
    help="Simulations per answer; may be repeated.",
)
@click.option("--positions", type=click.IntRange(1), metavar="N", help="Only the first N of each set.")
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

    from ...measure.regret import group_to_json, groups_of, measure
    from ...players.by_name import parse_player
    from ...search.settings import read_settings

    spec = parse_player("advisor:" + ",".join(settings), "--with") if settings else None
    changed = read_settings(dict(spec.settings), "--with") if spec else None
    groups = groups_of(_sets(ctx, name, players, turns), sims, positions)
    total = sum(group.positions for group in groups)
    interrupted, written = False, 0
    try:
        with tqdm(total=total, unit=_("position"), disable=None, file=sys.stderr, leave=False) as progress:
            for group in measure(
                groups, 0 if seed is None else seed, threads or os.cpu_count() or 1, progress.update, changed
            ):
                if not as_json:
                    progress.clear()
                    write(_group_text(group, groups[written - 1] if written else None))
                    sys.stdout.flush()
                written += 1
    except KeyboardInterrupt:
        interrupted = True
    begun = [group for group in groups if group.answers]
    if as_json:
        write_json(
            {
                "format": "orbis-bench",
                "version": 1,
                "kind": "regret",
                "interrupted": interrupted,
                "set": name,
                "seed": 0 if seed is None else seed,
                "regrets": [group_to_json(group) for group in begun],
            }
        )
    else:
        before = groups[written - 1] if written else None
        for group in begun[written:]:
            write(_group_text(group, before))
            before = group
    if interrupted:
        print(_("orbis: interrupted"), file=sys.stderr)
        raise click.exceptions.Exit(INTERRUPTED)


def _sets(ctx: click.Context, name: str, players: int, turns: tuple[int, ...]) -> list[EndingSet]:
    """Those asked for: shipped ones by name, or a file."""
    from ...measure.contested_endings import SETS, TURNS_LEFT, read_set, shipped_set, shipped_turns

    if name not in SETS:
        typed = click.core.ParameterSource.COMMANDLINE
        if turns or ctx.get_parameter_source("players") is typed:
            raise click.UsageError(_("--turns and --players go with the sets fit and report only."))
        return [read_set(name)]
    there = shipped_turns(name, players) or TURNS_LEFT[players]
    if wrong := [each for each in turns if each not in there]:
        raise InputError.one(
            "--turns", _("expected one of {choice}, found {found}", choice=", ".join(map(str, there)), found=wrong[0])
        )
    return [shipped_set(name, players, left) for left in dict.fromkeys(turns or there)]


def _group_text(group: Group, before: Group | None) -> str:
    """A line; above the first of a set its heading."""
    from ...measure.regret import regret_figures

    of = regret_figures(group.answers)
    heads = [_("simulations"), _("positions"), _("optimal"), _("regret")]
    widths = [max(least, len(head)) for least, head in zip((11, 9, 8, 14), heads)]
    row_heads = [_("too high"), _("off"), _("held"), pgettext("interval", "score")]
    row_widths = [max(least, len(head)) for least, head in zip((8, 6, 8, 7), row_heads)]
    wide = sum(row_widths) + len(row_widths) - 1
    lines = []
    if before is None or before.endings is not group.endings:
        players = ngettext("{n} player", "{n} players", group.endings.players)
        left = ngettext("{n} turn left", "{n} turns left", group.endings.turns_left)
        start = " " * (sum(widths) + len(widths) - 1)
        best, others = _("advised moves").center(wide), _("other rows").center(wide)
        names = [" ".join(head.rjust(width) for head, width in zip(heads, widths))]
        names += 2 * [" ".join(head.rjust(width) for head, width in zip(row_heads, row_widths))]
        lines += [] if before is None else [""]
        lines += [f"{players}, {left}", f"{start}  {best}  {others}".rstrip(), "  ".join(names)]
    off = "" if of.regret_error is None else f" ± {100 * of.regret_error:.2f}"
    cells = [f"{group.simulations:,}", f"{of.positions}", f"{100 * of.optimal:.1f} %", f"{100 * of.regret:.2f}{off}"]
    parts = [" ".join(cell.rjust(width) for cell, width in zip(cells, widths))]
    parts += [
        " ".join(cell.rjust(width) for cell, width in zip(_row_cells(figures), row_widths))
        for figures in (of.best, of.others)
        if figures is not None
    ]
    lines.append("  ".join(parts))
    if of.silent:
        lines.append("  " + ngettext("{n} row without a chance", "{n} rows without a chance", of.silent))
    return "\n".join(lines) + "\n"


def _row_cells(of: RowFigures) -> list[str]:
    return [f"{100 * of.error:+.2f}", f"{100 * of.distance:.2f}", f"{100 * of.held:.1f} %", f"{100 * of.score:.1f}"]
