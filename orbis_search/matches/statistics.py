"""What results say of strength: Elo differences, intervals, and a test that stops as soon as it is clear."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Z95 = 1.959963984540054


def elo(score: float, fair: float = 0.5) -> float:
    """The Elo difference at which a player whose fair share is `fair` gets the share `score`.

    For two it is the usual one. For more, shares are as the strengths: the fair share is a difference of 0.
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score * (1 - fair) / ((1 - score) * fair))


def score_at(difference: float, fair: float = 0.5) -> float:
    """The expected share at an Elo difference; the inverse of `elo`."""
    return 1 / (1 + (1 - fair) / fair * 10 ** (-difference / 400))


def interval(scores: Sequence[float], games: int = 2) -> tuple[float, float]:
    """95 % interval of the mean of round scores, each the mean of this many games.

    The spread between rounds says how many independent games would be as certain, and Wilson's formula makes an
    interval from that, which also holds near 0 and 1. One more round with the spread of independent games is added to
    those seen, so that a few rounds that happen to be alike prove little.
    """
    n = len(scores)
    if n == 0:
        return 0.0, 1.0
    mean = math.fsum(scores) / n
    spread = mean * (1 - mean)
    if spread <= 0:
        weight = float(n * games)
    else:
        squares = math.fsum((score - mean) ** 2 for score in scores) + spread / games
        weight = spread * n * n / squares
    z2 = Z95 * Z95 / weight
    middle = (mean + z2 / 2) / (1 + z2)
    half = math.sqrt(max(0.0, spread * z2 + z2 * z2 / 4)) / (1 + z2)
    return max(0.0, middle - half), min(1.0, middle + half)


def log_likelihood_ratio(scores: Iterable[float], score0: float, score1: float) -> float:
    """How much likelier the round scores are if their mean is `score1` than if it is `score0`.

    Generalised: for either mean, the likeliest distribution over the scores seen that has it. For two
    players the scores of a pair are 0, 1/4, 1/2, 3/4, 1: the pentanomial test.
    """
    counts: dict[float, float] = {}
    for score in scores:
        counts[score] = counts.get(score, 0) + 1
    if not counts:
        return 0.0
    # A trace of the extremes, so that every mean is possible.
    for extreme in (0.0, 1.0):
        counts.setdefault(extreme, 1e-3)
    total = math.fsum(counts.values())
    parts = {score: count / total for score, count in counts.items()}
    tilt0, tilt1 = _tilt(parts, score0), _tilt(parts, score1)
    return total * math.fsum(
        part * (math.log1p(tilt0 * (score - score0)) - math.log1p(tilt1 * (score - score1)))
        for score, part in parts.items()
    )


def _tilt(parts: dict[float, float], mean: float) -> float:
    """The likeliest distribution with this mean gives each score part / (1 + tilt * (score - mean))."""
    low, high = -1 / (max(parts) - mean), 1 / (mean - min(parts))
    away = [(score - mean, part) for score, part in parts.items()]
    while True:
        tilt = (low + high) / 2
        if tilt in (low, high):
            return tilt
        if math.fsum(part * distance / (1 + tilt * distance) for distance, part in away) > 0:
            low = tilt
        else:
            high = tilt


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of the first player: is its Elo difference `elo0`, or is it `elo1`?

    It stops when one of the two is likely enough: with `alpha`, elo1 is accepted though elo0 is true; with
    `beta`, the other way round.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, scores: Iterable[float], fair: float = 0.5) -> float:
        return log_likelihood_ratio(scores, score_at(self.elo0, fair), score_at(self.elo1, fair))

    def verdict(self, ratio: float) -> str:
        lower, upper = self.bounds
        return "elo1" if ratio >= upper else "elo0" if ratio <= lower else "open"
