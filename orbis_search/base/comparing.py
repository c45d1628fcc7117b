"""Two implementations of the same rules compared over many games: how much was compared, and where they differ."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import Generic, TypeVar

from .jobs import Workers, all_answered, do_in_order

Job = TypeVar("Job")
Answer = TypeVar("Answer")


class Mismatch(AssertionError):
    """The two implementations differ; says where, with the position in its one-line form."""


@dataclass
class Tally:
    games: int = 0
    decisions: int = 0  # whole sets of legal moves compared
    moves: int = 0  # moves in those sets
    largest: int = 0
    singles: int = 0  # single moves compared
    refused: int = 0  # wrong moves that both refused

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.moves += other.moves
        self.largest = max(self.largest, other.largest)
        self.singles += other.singles
        self.refused += other.refused


class _OrMismatch(Generic[Job, Answer]):
    """A mismatch is an answer too: whoever asked raises it."""

    def __init__(self, work: Callable[[Job], Answer]) -> None:
        self.work = work

    def __call__(self, job: Job) -> tuple[Answer | None, Mismatch | None]:
        try:
            return self.work(job), None
        except Mismatch as mismatch:
            return None, mismatch


def tallies(
    work: Callable[[Job], Answer], jobs: Iterable[Job], workers: Workers | int
) -> Generator[Answer, None, None]:
    """What comes of each job, in their order; raises the first mismatch."""
    with closing(do_in_order(_OrMismatch(work), jobs, workers)) as answers:
        for _, (found, mismatch) in all_answered(answers):
            if mismatch is not None:
                raise mismatch
            assert found is not None
            yield found
