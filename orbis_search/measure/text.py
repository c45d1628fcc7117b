"""What is answered in this room as text for people.

The texts of `endgame`, `peers` and `regret` only grow with what is measured, so a command can write them bit by bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING

from ..base.language import N_, _, ngettext, numeral, pgettext
from .data import AdviceVerification, RulesVerification, SolverVerification, ThreadsVerification
from .fixed_work import UNITS, on_threads
from .regret import regret_figures
from .speed import compare_results, endgame_figures, hard_half

if TYPE_CHECKING:
    from ..base.timing import Figure
    from ..players.arena import Result
    from .data import EndgameBench, EndgameRun, PeersBench, Perft, RegretBench, RunComparison, Verification
    from .fixed_work import Run
    from .ratios import Ratio
    from .regret import Group, RowFigures
    from .speed import Way


def _row(cells: Iterable[str], widths: Iterable[int], gap: str = " ") -> str:
    return gap.join(cell.rjust(width) for cell, width in zip(cells, widths))


# ---- bench: the fixed work ---------------------------------------------------------------------------

# What the parts of a kind are counted in.
_A_SECOND = {
    "perft": N_("move sequences a second"),
    "playouts": N_("random playouts a second"),
    "search": N_("simulations a second"),
    "playout-search": N_("simulations a second, by playouts"),
    "solve": N_("solver nodes a second"),
}


def signatures_text(signatures: Mapping[str, str]) -> str:
    return "".join(f"{name:<24} {signature}\n" for name, signature in signatures.items())


def machine_text(run: Run) -> str:
    """Where a run was made, and by which version."""
    cores = ngettext("{n} core", "{n} cores", run.machine["cores"])
    return f"{run.machine['cpu']}, {cores}, orbis {run.version}"


def run_text(run: Run) -> str:
    rates = {name: median(values) for name, values in run.rates().items()}

    def row(title: str, amount: str, name: str) -> str:
        one, several = rates[name], rates.get(on_threads(name, run.threads))
        line = f"{title:<{wide}} {amount:>12} {numeral(one, '>14,.0f')}"
        faster = run.speed_up(name)
        if several is None or faster is None:
            return line
        return f"{line} {numeral(several, '>14,.0f')} {numeral(faster, '>7.2f')}"

    titles = {kind: _(words) for kind, words in _A_SECOND.items()}
    wide = max(26, *map(len, titles.values()))
    heads = [ngettext("{n} thread", "{n} threads", count) for count in dict.fromkeys((1, run.threads))]
    amount, times = _("amount"), _("speed-up")
    lines = [f"{'':<{wide}} {amount:>12}" + "".join(f" {head:>14}" for head in heads)]
    lines[0] += f" {times:>7}" if run.threads > 1 else ""
    lines += [row(each.part.name, numeral(each.units, ","), each.part.name) for each in run.parts]
    lines += ["", *(row(titles[kind], "", kind) for kind in UNITS), ""]
    took = ngettext("{n} round in {seconds:.1f} s", "{n} rounds in {seconds:.1f} s", run.rounds, seconds=run.seconds)
    lines += [f"{machine_text(run)}: {took}"]
    lines += [_("signature {signature}, network {network}", signature=run.signature, network=run.network)]
    return "\n".join(lines) + "\n"


def comparison_text(comparison: RunComparison) -> str:
    ours, others = comparison.ours, comparison.others
    # On all threads only the sums: a part of them is too short to say much.
    wanted = {each.part.name for each in ours.parts} | {*UNITS} | {on_threads(kind, ours.threads) for kind in UNITS}
    rows = [row for row in comparison.ratios if row.name in wanted]
    sure = all(row.ratio.sure for row in rows)
    this, other, ratio = _("this build"), _("other build"), _("ratio")
    spread = "95 %" if sure else _("min .. max")
    lines = [f"{'':<26} {this:>14} {other:>14} {ratio:>7}  {spread}"]
    for row in rows:
        speeds = " ".join(numeral(each, ">14,.0f") for each in (row.ours, row.others))
        lines.append(f"{row.name:<26} {speeds} {_ratio(row.ratio)}")
    if not comparison.in_turns:
        lines += ["", _("Not measured in turns: these ratios include whatever else the machines were doing.")]
    lines.append(_("signature {signature}, network {network}", signature=ours.signature, network=ours.network))
    if comparison.changed:
        lines.append(
            _(
                "THE SIGNATURES DIFFER: {name} has {signature}; the results differ in {parts}",
                name=comparison.name,
                signature=others.signature,
                parts=", ".join(comparison.changed),
            )
        )
    else:
        lines.append(_("Same signature: both builds find the same."))
    return "\n".join(lines) + "\n"


def _ratio(ratio: Ratio) -> str:
    spread = " .. ".join(numeral(each, ".3f") for each in (ratio.low, ratio.high))
    return f"{numeral(ratio.value, '>7.3f')}  {spread}" + ("  *" if ratio.differs else "")


def figures_text(figures: Iterable[Figure]) -> str:
    """A line for each."""
    return "".join(map(_figure_line, figures))


def _figure_line(figure: Figure) -> str:
    digits = {"ns": 1, "x": 2}.get(figure.unit, 0)
    best = "" if figure.unit == "bytes" else _("best {figure}", figure=numeral(figure.best, f",.{digits}f"))
    value = numeral(figure.value, f">13,.{digits}f")
    return f"{figure.title:<54} {value} {figure.unit:<5}  {best}".rstrip() + "\n"


# ---- bench: endings ----------------------------------------------------------------------------------


def endgame_text(bench: EndgameBench, *, cpu: bool = False) -> str:
    """For each number of turns left a row for each way, and how the others compare with the first. `cpu`: processor
    time in place of the clock's."""
    heads = [_("solved"), _("median s"), "90 % s", _("max s"), _("median nodes"), _("total nodes")]
    widths = [max(least, len(head)) for least, head in zip((8, 9, 9, 9, 13, 15), heads)]
    turns_left = _("turns left")
    start, wide = max(10, len(turns_left)), max((len(_way(run.way)) for run in bench.runs), default=0)
    lines = [f"{turns_left:<{start}}  {'':<{wide}} {_row(heads, widths)}"] if bench.runs else []
    for left, group in groupby(bench.runs, key=lambda run: run.turns_left):
        runs = [_by_processor(run) if cpu else run for run in group]
        for run in runs:
            row = _row(_endgame_cells(run, bench.seconds), widths)
            lines.append(f"{left:<{start}}  {_way(run.way):<{wide}} {row}")
        lines += [_endgame_comparison(runs[0], other) for other in runs[1:]]
    return "".join(f"{line}\n" for line in lines)


def _by_processor(run: EndgameRun) -> EndgameRun:
    return run._replace(results=tuple(replace(each, seconds=each.cpu) for each in run.results))


def _endgame_cells(run: EndgameRun, limit: float) -> list[str]:
    def seconds(value: float) -> str:
        return numeral(value, ".3f") if math.isfinite(value) else "> " + numeral(limit, "g")

    of = endgame_figures(run.results)
    times = [seconds(of.median), seconds(of.ninety), seconds(of.most)]
    return [f"{of.solved}/{of.positions}", *times, numeral(of.median_nodes, ","), numeral(of.nodes, ",")]


def _endgame_comparison(base: EndgameRun, other: EndgameRun) -> str:
    both = compare_results(base.results, other.results)
    clauses = [_("{way}, on {number} solved by both: ", way=_way(other.way), number=both.both).rstrip()]
    if both.both:
        nodes, slower = both.nodes[1] / both.nodes[0], both.seconds[1] / max(both.seconds[0], 1e-9)
        times = _("{nodes:.2f} times the nodes, {seconds:.2f} times the seconds", nodes=nodes, seconds=slower)
        clauses[0] += f" {times}"
    if both.only_first or both.only_second:
        clauses.append(
            _(
                "{first} solved only with {base}, {second} only {way}",
                first=both.only_first,
                base=_way(base.way),
                second=both.only_second,
                way=_way(other.way),
            )
        )
    if other.way.left_out is None and both.both:
        hard = hard_half(base.results, other.results)
        faster = hard.seconds[0] / max(hard.seconds[1], 1e-9)
        clauses.append(_("the hard half {times:.2f} times as fast", times=faster))
    return "  " + "; ".join(clauses)


def _way(way: Way) -> str:
    if way.left_out is None:
        return ngettext("{n} thread", "{n} threads", way.threads)
    return _("without {idea}", idea=way.left_out) if way.left_out else _("all ideas")


# ---- bench: peers and regret -------------------------------------------------------------------------


def peers_text(bench: PeersBench) -> str:
    """A line for each match below a heading, then one for each figure."""
    between = "\n" if bench.matches and bench.figures else ""
    return _matches(bench.matches) + between + figures_text(bench.figures)


def _matches(results: tuple[Result, ...]) -> str:
    heads = [_("games"), _("won"), _("shared"), _("lost"), _("score"), "95 %"]
    widths = [max(least, len(head)) for least, head in zip((5, 5, 6, 5, 7, 14), heads)]
    wide = 58
    lines = [" " * wide + _row(heads, widths, "  ")] if results else []
    for result in results:
        own, other = result.standings
        low, high = own.score_95
        score = [
            numeral(100 * own.score, ".1f") + " %",
            " .. ".join(numeral(100 * each, ".1f") for each in (low, high)),
        ]
        cells = [str(result.games), f"{own.won}", f"{own.shared}", f"{own.lost}", *score]
        names = _("{first} against {second}", first=own.player, second=other.player)
        lines.append(f"{names:<{wide}}" + _row(cells, widths, "  "))
    return "".join(f"{line}\n" for line in lines)


def regret_text(bench: RegretBench) -> str:
    """A line for each group; above the first of a set of endings its heading."""
    groups = bench.groups
    return "".join(_group(group, before) for group, before in zip(groups, (None, *groups)))


def _group(group: Group, before: Group | None) -> str:
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
        names = [_row(heads, widths), _row(row_heads, row_widths), _row(row_heads, row_widths)]
        lines += [] if before is None else [""]
        lines += [f"{players}, {left}", f"{start}  {best}  {others}".rstrip(), "  ".join(names)]
    off = "" if of.regret_error is None else " ± " + numeral(100 * of.regret_error, ".2f")
    optimal, regret = numeral(100 * of.optimal, ".1f") + " %", numeral(100 * of.regret, ".2f") + off
    cells = [numeral(group.simulations, ","), f"{of.positions}", optimal, regret]
    rows = [_row(_row_cells(figures), row_widths) for figures in (of.best, of.others) if figures is not None]
    lines.append("  ".join([_row(cells, widths), *rows]))
    if of.silent:
        lines.append("  " + ngettext("{n} row without a chance", "{n} rows without a chance", of.silent))
    return "".join(f"{line}\n" for line in lines)


def _row_cells(of: RowFigures) -> list[str]:
    error, distance = numeral(100 * of.error, "+.2f"), numeral(100 * of.distance, ".2f")
    return [error, distance, numeral(100 * of.held, ".1f") + " %", numeral(100 * of.score, ".1f")]


# ---- perft -------------------------------------------------------------------------------------------


def perft_text(perft: Perft) -> str:
    lines = [f"{count:>12}  {move}" for move, count in perft.divide or ()]
    return "\n".join([*lines, f"perft({perft.depth}) = {perft.count}"]) + "\n"


# ---- verify ------------------------------------------------------------------------------------------


def verification_text(verification: Verification) -> str:
    if isinstance(verification, RulesVerification):
        lines = _rules_lines(verification)
    elif isinstance(verification, SolverVerification):
        lines = _solver_lines(verification)
    elif isinstance(verification, AdviceVerification):
        lines = _advice_lines(verification)
    else:
        lines = _threads_lines(verification)
    return "".join(f"{line}\n" for line in lines)


def _rules_lines(verification: RulesVerification) -> list[str]:
    tally = verification.tally
    games = ngettext("Core and reference agree in {n:,} game:", "Core and reference agree in {n:,} games:", tally.games)
    sets = N_("whole sets of legal moves, {moves:,} moves in all, {largest:,} at most")
    return [
        games,
        _number(tally.decisions, _(sets, moves=tally.moves, largest=tally.largest)),
        _number(tally.singles, _("single moves: legality, successor, draws, points")),
        _number(tally.refused, _("wrong moves refused by both")),
    ]


def _solver_lines(verification: SolverVerification) -> list[str]:
    endings, bounds = verification.endings, verification.bounds
    lines = []
    if endings.endings:
        agree = ngettext(
            "Solver and brute force agree on {n:,} ending, for both objectives:",
            "Solver and brute force agree on {n:,} endings, for both objectives:",
            endings.endings,
        )
        values = _("values of moves, {largest:,} at most in one ending", largest=endings.largest)
        nodes = _("positions looked at by brute force")
        lines += [agree, _number(endings.values, values), _number(endings.nodes, nodes), *_kinds(endings.by_kind)]
    if bounds.positions or bounds.passed_over:
        hold = ngettext(
            "Bounds after {limit:g} s hold on {n:,} position, {open:,} of them not solved by then:",
            "Bounds after {limit:g} s hold on {n:,} positions, {open:,} of them not solved by then:",
            bounds.positions,
            limit=verification.limit,
            open=bounds.open,
        )
        held = N_("moves checked against their true value, {narrowed:,} with bounds that say something")
        lines += [hold, _number(bounds.bounds, _(held, narrowed=bounds.narrowed))]
        if bounds.passed_over:
            lines.append(_number(bounds.passed_over, _("positions skipped because their true value takes too long")))
        lines += _kinds(bounds.by_kind)
    return lines


def _kinds(by_kind: Mapping[str, int]) -> list[str]:
    return [_number(number, kind) for kind, number in sorted(by_kind.items())]


def _advice_lines(verification: AdviceVerification) -> list[str]:
    tally = verification.tally
    held = ngettext(
        "The search at {sims:,} simulations, checked against exact values in {n:,} ending of 1 to 3 turns:",
        "The search at {sims:,} simulations, checked against exact values in {n:,} endings of 1 to 3 turns:",
        tally.endings,
        sims=verification.sims,
    )
    percent = 100 * tally.optimal / max(1, tally.endings)
    given_away = N_("of the chance to win given away on average, {worst:.3f} at most")
    return [
        held,
        _number(tally.decided, _("in which not every move is equally good")),
        _number(tally.optimal, _("played optimally, {percent:.1f} %", percent=percent)),
        numeral(tally.mean, ">12.5f") + " " + _(given_away, worst=float(tally.worst)),
        *(f"             {missed}" for missed in tally.missed),
    ]


def _threads_lines(verification: ThreadsVerification) -> list[str]:
    tally = verification.tally
    lines = [
        ngettext(
            "Searches of {sims:,} simulations with several threads, compared with one thread's in {n:,} position:",
            "Searches of {sims:,} simulations with several threads, compared with one thread's in {n:,} positions:",
            tally.positions,
            sims=verification.sims,
        )
    ]
    for threads, each in tally.by_threads.items():
        lines.append(ngettext("{n} thread", "{n} threads", threads))
        lines.append(_number(each.searches, _("searches")))
        if threads > 1:
            lines.append(_points(each.mean_shift, _("points above one thread's mean, on average")))
        far = N_("points from one thread's mean at most; {spreads:.1f} standard deviations at most")
        lines.append(_points(each.furthest, _(far, spreads=each.furthest_spreads)))
        if threads > 1:
            lines.append(_number(each.far, _("further than any of one thread's first searches")))
            lines.append(_number(each.too_far, _("too far from it")))
    if tally.again:
        lines.append(_("one thread again, where others were further"))
        lines.append(_number(tally.again, _("searches")))
        lines.append(_number(tally.far_again, _("further than any of the first searches")))
    return [*lines, *(f"             {each}" for each in tally.disagreed)]


def _number(number: int, words: str) -> str:
    return f"{numeral(number, '>12,')} {words}"


def _points(part: float, words: str) -> str:
    """A part of a victory, in points of a hundred."""
    return f"{numeral(100 * part, '>12.2f')} {words}"
