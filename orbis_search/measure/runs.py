"""Two builds side by side: the rounds of `orbis bench` in turns, and the ratio of each figure."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from statistics import median

from ..base.errors import InputError, reason
from ..base.json import NotJson, json_value
from ..base.language import _
from .data import FigureComparison, RunComparison
from .fixed_work import Run, join_runs
from .json import run_from_json
from .ratios import paired_ratio, unpaired_ratio


def compare_runs(ours: Run, others: Run, name: str, in_turns: bool) -> RunComparison:
    """Every figure that both have. `name` is that of the file or the program that the others come from."""
    theirs = others.rates()
    ratio = paired_ratio if in_turns else unpaired_ratio
    rows = tuple(
        FigureComparison(each, median(rates), median(theirs[each]), ratio(rates, theirs[each]))
        for each, rates in ours.rates().items()
        if each in theirs
    )
    changed = tuple(a.part.name for a, b in zip(ours.parts, others.parts) if a.signature != b.signature)
    return RunComparison(name, in_turns, ours, others, rows, changed)


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
        value = json_value(ended.stdout) if ended.returncode == 0 else None
    except NotJson:
        value = None
    return run_from_json(value, name)
