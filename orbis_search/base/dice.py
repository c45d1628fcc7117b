"""Choices that depend on nothing but a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Choices drawn from `random()` alone: the one method whose sequence Python promises to keep.

    A position may say `random:7`; it has to mean the same on every machine and version.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def below(self, bound: int) -> int:
        return int(self._random() * bound)

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def factor(self, spread: float) -> float:
        """From 1/spread to spread, as often below 1 as above."""
        return float(spread ** (2 * self._random() - 1))

    def one_of(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def weighted(self, weights: dict[T, float]) -> T:
        point = self._random() * sum(weights.values())
        for item, weight in weights.items():
            point -= weight
            if point < 0:
                return item
        return next(reversed(weights))

    def shuffled(self, items: Sequence[T]) -> list[T]:
        pool = list(items)
        return [pool.pop(self.below(len(pool))) for _ in items]
