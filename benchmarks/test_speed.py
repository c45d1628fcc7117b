"""The core, the search and the solver under a stopwatch, piece by piece.

    pytest benchmarks                                  everything, a few seconds for each piece
    pytest benchmarks -k core --benchmark-autosave     and keep it, for --benchmark-compare

No time is asserted: what is compared between builds are instructions (`python benchmarks/instructions.py`), or runs
in turns (`orbis bench --against PROGRAM`).
"""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from fixed_work import CORE, SEARCHES, SOLVERS, Item


def time_item(benchmark: BenchmarkFixture, item: Item) -> None:
    units = benchmark(item.run, item.long)
    assert units >= item.long  # work was done
    benchmark.extra_info["units"] = f"{units} times a {item.unit}"


@pytest.mark.parametrize("name", CORE)
def test_core(benchmark: BenchmarkFixture, name: str) -> None:
    """Copy, generate, apply, score, determinize, play out."""
    benchmark.group = name.partition(".")[0]
    time_item(benchmark, CORE[name])


@pytest.mark.parametrize("name", SEARCHES)
def test_search(benchmark: BenchmarkFixture, name: str) -> None:
    benchmark.group = "search"
    time_item(benchmark, SEARCHES[name])


@pytest.mark.parametrize("name", SOLVERS)
def test_solver(benchmark: BenchmarkFixture, name: str) -> None:
    benchmark.group = "solver"
    time_item(benchmark, SOLVERS[name])
