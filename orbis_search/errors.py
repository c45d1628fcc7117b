"""Errors a person can act on: every problem at once, each with its place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Problem(NamedTuple):
    """One thing wrong: where, and what was expected and found instead."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class OrbisError(Exception):
    """Base of everything this package raises on purpose."""


class InputError(OrbisError):
    """Bad input. Carries all problems found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))

    @classmethod
    def one(cls, place: str, message: str) -> InputError:
        return cls([Problem(place, message)])
