"""Two builds side by side: the rounds of `orbis bench` in turns, and the ratio of each figure."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from statistics import median
from typing import Any, NamedTuple

from ..base.errors import InputError, reason
from ..base.language import _
from .fixed_work import Run, join_runs, run_from_json
from .ratios import Ratio, paired_ratio, unpaired_ratio


class FigureComparison(NamedTuple):
    """A figure of two runs: units per second, and ours as a multiple of the other's."""

    name: str
    ours: float
    others: float
    ratio: Ratio


def compare_runs(ours: Run, others: Run, in_turns: bool) -> list[FigureComparison]:
    """Every figure that both runs have."""
    found = []
    theirs = others.rates()
    for name, rates in ours.rates().items():
        if name in theirs:
            ratio = (paired_ratio if in_turns else unpaired_ratio)(rates, theirs[name])
            found.append(FigureComparison(name, median(rates), median(theirs[name]), ratio))
    return found


def changed_parts(ours: Run, others: Run) -> list[str]:
    """The parts in which the two builds found different results."""
    return [a.part.name for a, b in zip(ours.parts, others.parts) if a.signature != b.signature]


def comparison_to_json(ours: Run, others: Run, name: str, in_turns: bool) -> dict[str, Any]:
    return {
        "with": name,
        "in_turns": in_turns,
        "signature": others.signature,
        "changed": changed_parts(ours, others),
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
            for each in compare_runs(ours, others, in_turns)
        ],
    }


def run_in_turns(program: str, threads: int, rounds: int) -> Iterator[tuple[Run, Run]]:
    """This build and another one, each round of each in a process of its own; both runs so far after each round.

    They take turns to begin, so that a machine that slowly warms up or cools down favours neither.
    """
    us = [sys.executable, "-P", "-m", "orbis_search.cli.main"]
    done: tuple[list[Run], list[Run]] = [], []
    for number in range(rounds):
        for who in (1, 0) if number % 2 == 0 else (0, 1):  # a path that is not a program fails at once
            done[who].append(_round_of([program] if who else us, program if who else "orbis", threads))
        yield join_runs(done[0]), join_runs(done[1])


def _round_of(command: list[str], name: str, threads: int) -> Run:
    command = [*command, "--no-settings", "bench", "--json", "--rounds", "1", "--threads", str(threads)]
    environment = os.environ | {"ORBIS_LANG": "en"}
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    except OSError as error:
        message = _("expected a program that can be run, found: {reason}", reason=reason(error))
        raise InputError.one(name, message) from None
    if ended.returncode == 130:
        raise KeyboardInterrupt
    try:
        value = json.loads(ended.stdout) if ended.returncode == 0 else None
    except ValueError:
        value = None
    return run_from_json(value, name)
