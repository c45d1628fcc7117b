"""How good the advice is where the truth is known: `orbis bench regret`.

The advisor answers about the endings of `contested_endings`, whose exact values are known, without the solver. The
regret of an answer is the best value minus that of the move it puts first: the part of the victory lost by following
it. Two more figures say how far the printed chances are from the exact ones, and how often the exact one lies in the
printed interval.

An interval is judged by its score: its width, and 40 times the distance by which the exact value lies outside. That is
the interval score at 95 %; given a value's distribution, it is smallest for the interval from its 2.5 % to its 97.5 %
quantile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev

from ..advice.advisor import advise
from ..advice.data import Advice, Candidate
from ..base.jobs import Carrying, Workers, all_answered, do_jobs
from ..search.networks import network_file
from ..search.settings import SearchSettings
from .contested_endings import Ending, EndingSet

SHOWN = 8  # rows of an advice
OUTSIDE = 40  # what a distance outside an interval costs: 2 / (1 - 0.95)
ROUNDED = 1e-9  # an interval that ends at 1 holds 1


def shown_rows(advice: Advice) -> tuple[list[Candidate], int]:
    """The advised candidate, then the others whose chance a user is shown; and how many rows have no chance."""
    shown = [idea.best for idea in advice.ideas[:SHOWN]]
    told = [advice.best, *(each for each in shown[1:] if each.known)]
    return told, len(shown) - len(told)


# ---- asking ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """What is printed about a move, and what is true."""

    value: Fraction
    win: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Positive if it promised too much."""
        return self.win - float(self.value)

    @property
    def outside(self) -> float:
        """How far the exact value is from the interval."""
        away = max(self.low - float(self.value), float(self.value) - self.high)
        return away if away > ROUNDED else 0.0

    @property
    def score(self) -> float:
        return self.high - self.low + OUTSIDE * self.outside


@dataclass(frozen=True, slots=True)
class Answer:
    """An advice about an ending."""

    number: int  # of the ending in its set, from 1
    ours: bool  # on our own tile set
    best: Fraction  # what can be had
    move: str  # that is advised, in its notation
    rows: tuple[Row, ...]  # of those with a chance, the advised move first
    silent: int = 0  # rows without one

    @property
    def regret(self) -> Fraction:
        return self.best - self.rows[0].value


@dataclass(frozen=True, slots=True)
class Question:
    group: int  # to which the answer belongs
    number: int
    ending: Ending = field(repr=False)
    simulations: int
    seed: int
    settings: SearchSettings | None = None  # of the search, where they differ from its defaults


def ask(question: Question) -> Answer:
    from ..notation.move_text import format_move

    ending, position = question.ending, question.ending.position
    advice = advise(
        position,
        simulations=question.simulations,
        prove=False,
        why=None,
        threads=1,
        seed=question.seed,
        settings=question.settings,
    )
    if advice.stopped == "interrupted":
        raise KeyboardInterrupt
    shown, silent = shown_rows(advice)
    rows = tuple(Row(ending.value_of(each.move, position), each.win, each.low, each.high) for each in shown)
    move = format_move(position, shown[0].move)
    return Answer(question.number, ending.ours, ending.best, move, rows, silent)


# ---- what comes of it ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RowFigures:
    """Of a kind of rows, all as parts of the victory."""

    rows: int
    error: float  # the printed chance minus the exact one, on average
    distance: float  # the same without the sign
    held: float  # the part of the intervals that hold the exact value
    width: float  # of an interval
    score: float


@dataclass(frozen=True, slots=True)
class RegretFigures:
    positions: int
    optimal: float  # the part of the answers whose move is as good as any
    regret: float
    regret_error: float | None  # standard error of the mean; None of one answer
    best: RowFigures  # the advised moves' rows
    others: RowFigures | None  # the rows below; None if there are none
    silent: int  # rows that show no chance


def row_figures(rows: Sequence[Row]) -> RowFigures:
    return RowFigures(
        rows=len(rows),
        error=fmean(row.error for row in rows),
        distance=fmean(abs(row.error) for row in rows),
        held=fmean(row.outside == 0 for row in rows),
        width=fmean(row.high - row.low for row in rows),
        score=fmean(row.score for row in rows),
    )


def regret_figures(answers: Sequence[Answer]) -> RegretFigures:
    """Over one or more answers. Every other row counts the same, however many an answer has."""
    regrets = [float(each.regret) for each in answers]
    others = [row for each in answers for row in each.rows[1:]]
    return RegretFigures(
        positions=len(answers),
        optimal=fmean(each.regret == 0 for each in answers),
        regret=fmean(regrets),
        regret_error=stdev(regrets) / sqrt(len(regrets)) if len(regrets) > 1 else None,
        best=row_figures([each.rows[0] for each in answers]),
        others=row_figures(others) if others else None,
        silent=sum(each.silent for each in answers),
    )


@dataclass(slots=True)
class Group:
    """The endings of one set at one number of simulations."""

    endings: EndingSet
    simulations: int
    positions: int  # that are asked about
    answers: list[Answer] = field(default_factory=list)

    @property
    def done(self) -> bool:
        return len(self.answers) == self.positions


def groups_of(sets: Iterable[EndingSet], simulations: Sequence[int], positions: int | None = None) -> list[Group]:
    """Set by set, each at every number of simulations; only the first endings of each set."""
    return [Group(endings, count, len(endings.endings[:positions])) for endings in sets for count in simulations]


def measure(
    groups: Sequence[Group],
    seed: int,
    workers: Workers | int,
    tell: Callable[[], None] | None = None,
    settings: SearchSettings | None = None,
) -> Iterator[Group]:
    """Fills the groups with answers; yields each when it and all before it are done. `tell` is called for each answer.

    An ending has the same seed whatever the number of simulations, endings and workers.
    """
    questions = (
        Question(index, number, ending, group.simulations, seed + number, settings)
        for index, group in enumerate(groups)
        for number, ending in enumerate(group.endings.endings[: group.positions], 1)
    )
    at = 0
    work = Carrying(ask, {} if settings is None else network_file(settings))
    for question, answer in all_answered(do_jobs(work, questions, workers), lambda asked: str(asked.number)):
        group = groups[question.group]
        group.answers.append(answer)
        if tell is not None:
            tell()
        if group.done:
            group.answers.sort(key=lambda each: each.number)
        while at < len(groups) and groups[at].done:
            yield groups[at]
            at += 1
