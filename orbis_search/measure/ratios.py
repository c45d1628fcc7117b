"""How many times as large one set of measurements is as another, and how certain that is.

By ranks, not by means: a round in which the machine was busy is an outlier, and a mean would follow it. Ratios of
rounds done in turns are paired (Wilcoxon's signed ranks); those of two runs at different times are not (Mann and
Whitney). Both estimates are those of Hodges and Lehmann, and their intervals are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, exp, log
from statistics import median

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Ratio:
    value: float
    low: float
    high: float
    sure: bool  # low .. high is a 95 % interval; else there were too few rounds, and it is all that was seen

    @property
    def differs(self) -> bool:
        """Certainly not 1."""
        return self.sure and not self.low <= 1 <= self.high


def paired_ratio(first: Sequence[float], second: Sequence[float]) -> Ratio:
    """first / second, measured in turns."""
    logs = [log(a / b) for a, b in zip(first, second, strict=True)]
    n = len(logs)
    means = sorted((logs[i] + logs[k]) / 2 for i in range(n) for k in range(i, n))
    return _interval(means, signed_rank_counts(n), 2**n)


def unpaired_ratio(first: Sequence[float], second: Sequence[float]) -> Ratio:
    """first / second, measured one after the other."""
    differences = sorted(log(a / b) for a in first for b in second)
    counts = rank_sum_counts(len(first), len(second))
    return _interval(differences, counts, comb(len(first) + len(second), len(first)))


def _interval(ordered: list[float], counts: list[int], ways: int) -> Ratio:
    """Leaves out as many of the smallest and of the largest as the confidence allows."""
    out, tail = 0, counts[0]
    sure = 2 * tail <= (1 - CONFIDENCE) * ways
    while sure and 2 * (tail + counts[out + 1]) <= (1 - CONFIDENCE) * ways:
        out += 1
        tail += counts[out]
    return Ratio(exp(median(ordered)), exp(ordered[out]), exp(ordered[-1 - out]), sure)


def signed_rank_counts(n: int) -> list[int]:
    """In how many of the 2**n ways the positive ranks among 1 to n sum to 0, 1, 2 and so on."""
    counts = [1] + [0] * (n * (n + 1) // 2)
    for rank in range(1, n + 1):
        for total in range(len(counts) - 1, rank - 1, -1):
            counts[total] += counts[total - rank]
    return counts


def rank_sum_counts(a: int, b: int) -> list[int]:
    """In how many ways a values and b others can stand in order with 0, 1, 2 and so on inversions: the coefficients
    of the Gaussian binomial."""
    counts = [1] + [0] * (a * b)
    for i in range(1, a + 1):
        for total in range(len(counts) - 1, b + i - 1, -1):
            counts[total] -= counts[total - b - i]
        for total in range(i, len(counts)):
            counts[total] += counts[total - i]
    return counts
