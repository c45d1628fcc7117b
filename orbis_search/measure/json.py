"""What is answered in this room as plain data, ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from statistics import median
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.language import _
from . import fixed_work
from .data import AdviceVerification, RulesVerification, SolverVerification
from .fixed_work import UNITS, PartTimes, Run
from .regret import regret_figures
from .speed import endgame_figures

if TYPE_CHECKING:
    from ..base.timing import Figure
    from ..players.arena import Result
    from .data import EndgameBench, EndgameRun, PeersBench, Perft, RegretBench, RunComparison, Verification
    from .growth import Series
    from .regret import Group

BENCH, PERFT, VERIFY = "orbis-bench", "orbis-perft", "orbis-verify"
VERSION = 1
SET = "set"  # the kind of a run


# ---- bench -------------------------------------------------------------------------------------------


def _bench(kind: str) -> dict[str, Any]:
    return {"format": BENCH, "version": VERSION, "kind": kind}


def run_to_json(
    run: Run, *, interrupted: bool = False, growth: Sequence[Series] = (), comparison: RunComparison | None = None
) -> dict[str, Any]:
    """A run, with what was drawn and what it was compared with, if it was."""
    value = _bench(SET) | {
        "signature": run.signature,
        "network": run.network,
        "orbis": run.version,
        "machine": run.machine,
        "threads": run.threads,
        "rounds": run.rounds,
        "total_seconds": run.seconds,
        "rates": [{"name": name, "value": median(rates), "rounds": rates} for name, rates in run.rates().items()],
        "parts": [
            {
                "name": each.part.name,
                "units": each.units,
                "unit": UNITS[each.part.kind],
                "signature": each.signature,
                "seconds": each.seconds,
                "clock_seconds": each.clock_seconds,
                "threads_units": each.threads_units,
                "threads_seconds": each.threads_seconds,
            }
            for each in run.parts
        ],
        "interrupted": interrupted,
    }
    if growth:
        value["growth"] = [asdict(each) for each in growth]
    if comparison is not None:
        value["compared"] = comparison_to_json(comparison)
    return value


def run_from_json(value: Any, place: str) -> Run:
    """A run that was written by `run_to_json`. InputError if it is anything else, or of another set of parts."""
    if not isinstance(value, dict) or (value.get("format"), value.get("kind")) != (BENCH, SET):
        raise InputError.one(place, _("expected what orbis bench --json writes, found something else"))
    if value.get("version") != VERSION:
        message = _(
            "expected version {version} of the format, found {found}", version=VERSION, found=value.get("version")
        )
        raise InputError.one(place, message)
    try:
        rows = {row["name"]: row for row in value["parts"]}
        if list(rows) != [part.name for part in fixed_work.PARTS]:
            raise InputError.one(place, _("expected the work of this build, found a run of another set of positions"))
        parts = [
            PartTimes(
                part,
                int(row["units"]),
                str(row["signature"]),
                _numbers(row["seconds"]),
                _numbers(row["clock_seconds"]),
                [int(each) for each in row["threads_units"]],
                _numbers(row["threads_seconds"]),
            )
            for part, row in zip(fixed_work.PARTS, rows.values())
        ]
        run = Run(
            int(value["threads"]),
            parts,
            float(value["total_seconds"]),
            str(value["orbis"]),
            str(value["network"]),
            dict(value["machine"]),
        )
        lengths = {len(times) for each in parts for times in (each.seconds, each.clock_seconds)}
        lengths |= {len(times) for each in parts for times in (each.threads_units, each.threads_seconds) if times}
        if len(lengths) != 1 or not run.rounds:
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise InputError.one(place, _("expected what orbis bench --json writes, found something else")) from None
    return run


def _numbers(values: Any) -> list[float]:
    numbers = [float(each) for each in values]
    if not all(0 < each < float("inf") for each in numbers):
        raise ValueError
    return numbers


def comparison_to_json(comparison: RunComparison) -> dict[str, Any]:
    return {
        "with": comparison.name,
        "in_turns": comparison.in_turns,
        "signature": comparison.others.signature,
        "changed": list(comparison.changed),
        "ratios": [
            {
                "name": each.name,
                "ours": each.ours,
                "others": each.others,
                "ratio": each.ratio.value,
                "low": each.ratio.low,
                "high": each.ratio.high,
                "sure": each.ratio.sure,
            }
            for each in comparison.ratios
        ],
    }


def figures_to_json(kind: str, figures: Iterable[Figure]) -> dict[str, Any]:
    """The figures of `rules` or `search`."""
    return _bench(kind) | {"figures": [_figure(each) for each in figures]}


def _figure(figure: Figure) -> dict[str, Any]:
    return {"name": figure.name, "value": figure.value, "best": figure.best, "unit": figure.unit}


def endgame_to_json(bench: EndgameBench) -> dict[str, Any]:
    return _bench("endgame") | {
        "seconds": bench.seconds,
        "goal": bench.goal,
        "objective": bench.objective,
        "without": list(bench.without),
        "runs": [_endgame_run(run) for run in bench.runs],
    }


def _endgame_run(run: EndgameRun) -> dict[str, Any]:
    """JSON knows no infinity: a time that was never reached is null."""
    figures = asdict(endgame_figures(run.results))
    for name in ("median", "ninety", "most"):
        figures[name] = figures[name] if math.isfinite(figures[name]) else None
    results = [asdict(each) for each in run.results]
    return {"turns_left": run.turns_left, "way": run.way.name, **figures, "results": results}


def peers_to_json(bench: PeersBench) -> dict[str, Any]:
    return _bench("peers") | {
        "interrupted": bench.interrupted,
        "core": bench.core,
        "matches": [_peer_match(result) for result in bench.matches],
        "figures": [_figure(each) for each in bench.figures],
    }


def _peer_match(result: Result) -> dict[str, Any]:
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


def regret_to_json(bench: RegretBench) -> dict[str, Any]:
    return _bench("regret") | {
        "interrupted": bench.interrupted,
        "set": bench.set,
        "seed": bench.seed,
        "regrets": [group_to_json(group) for group in bench.groups],
    }


def group_to_json(group: Group) -> dict[str, Any]:
    """Of a group with answers."""
    answers = sorted(group.answers, key=lambda each: each.number)
    ours, others = ([each for each in answers if each.ours is kind] for kind in (True, False))
    return {
        "players": group.endings.players,
        "turns_left": group.endings.turns_left,
        "simulations": group.simulations,
        "all": asdict(regret_figures(answers)),
        "ours": asdict(regret_figures(ours)) if ours else None,
        "random": asdict(regret_figures(others)) if others else None,
        "results": [
            {
                "number": each.number,
                "ours": each.ours,
                "move": each.move,
                "best": str(each.best),
                "value": str(each.rows[0].value),
                "win": each.rows[0].win,
                "low": each.rows[0].low,
                "high": each.rows[0].high,
            }
            for each in answers
        ],
    }


# ---- perft -------------------------------------------------------------------------------------------


def perft_to_json(perft: Perft) -> dict[str, Any]:
    value: dict[str, Any] = {
        "format": PERFT,
        "version": VERSION,
        "depth": perft.depth,
        "draws": perft.draws,
        "seed": perft.seed,
        "rules": perft.rules,
        "count": perft.count,
    }
    if perft.divide is not None:
        value["divide"] = [{"move": move, "count": count} for move, count in perft.divide]
    return value


# ---- verify ------------------------------------------------------------------------------------------


def verification_to_json(verification: Verification) -> dict[str, Any]:
    kind, figures = _verified(verification)
    return {"format": VERIFY, "version": VERSION, "kind": kind, "seed": verification.seed, **figures}


def _verified(verification: Verification) -> tuple[str, dict[str, Any]]:
    """Its kind, and what that kind has besides a seed."""
    if isinstance(verification, RulesVerification):
        return "rules", asdict(verification.tally)
    if isinstance(verification, SolverVerification):
        counts = {"solved": asdict(verification.endings), "bounds": asdict(verification.bounds)}
        return "solver", {"limit": verification.limit, **counts}
    if isinstance(verification, AdviceVerification):
        advice = verification.tally
        return "advice", {
            "sims": verification.sims,
            "endings": advice.endings,
            "decided": advice.decided,
            "optimal": advice.optimal,
            "mean": advice.mean,
            "worst": float(advice.worst),
            "missed": advice.missed,
        }
    rows = [
        {
            "threads": threads,
            "searches": each.searches,
            "mean_shift": each.mean_shift,
            "furthest": each.furthest,
            "furthest_spreads": each.furthest_spreads,
            "far": each.far,
            "too_far": each.too_far,
        }
        for threads, each in verification.tally.by_threads.items()
    ]
    return "threads", {
        "sims": verification.sims,
        "positions": verification.tally.positions,
        "by_threads": rows,
        "again": verification.tally.again,
        "far_again": verification.tally.far_again,
        "disagreed": verification.tally.disagreed,
    }
