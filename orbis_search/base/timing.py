"""Figures of speed. Each is the median of several short runs, so that a busy machine disturbs it little."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter

ROUNDS = 7


@dataclass(frozen=True, slots=True)
class Figure:
    name: str  # stable, for machines
    title: str
    value: float
    unit: str
    best: float  # the least disturbed run


def measure(run: Callable[[int], object], work: int, seconds: float) -> tuple[float, float]:
    """Median and best time of one unit of work, in seconds; `run(n)` does n units."""
    start = perf_counter()
    run(work)
    once = max(perf_counter() - start, 1e-9)
    n = max(1, int(work * seconds / ROUNDS / once))
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        run(n)
        times.append((perf_counter() - start) / n)
    return median(times), min(times)
