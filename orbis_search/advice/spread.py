"""A search spread over many workers, as independent jobs whose sums add up.

First some searches from the root, each with a seed and a tree of its own; together they say which ideas are good. Then
those are compared: each has trees of its own again, in which nothing else is played at the root. In these the idea is
searched first, then measured, half of that before one of them is chosen and half after, as `estimates` wants it.

With a number of simulations, that number alone decides how they are divided: the answer does not depend on the workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from random import Random

from ..base.jobs import Carrying, Workers, all_answered, count_of, do_jobs
from ..core.packing import PackedMove, Packing
from ..core.searches import RootMove
from ..game.position import Position
from ..search.driver import Search, stage_settings
from ..search.estimates import CALM, Judge, Judgement
from ..search.networks import evaluation_for, network_file
from ..search.settings import SearchSettings
from ..search.trees import DEFAULT_MEMORY, added_up

ROOT_PART = 0.5  # of the simulations or of the time: the searches from the root
GROW_PART = 0.5  # of an idea's share, before it is measured
SIMULATIONS_A_TREE = 50_000  # at least, where that is a choice
MOST_TREES = 64  # at a time, where simulations are counted
LINES = 12  # moves of which a search from the root tells what follows
LONGEST_LINE = 6

Line = list[tuple[int, int, int, int, int]]


@dataclass(frozen=True, slots=True)
class Part:
    """One search: from the root, or of one idea."""

    position: Position
    settings: SearchSettings
    memory: int
    seed: int
    simulations: int | None
    seconds: float | None
    move: PackedMove | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a search knew at three times: half way, grown and at the end; or grown, half measured and at the end."""

    rows: tuple[list[RootMove], list[RootMove], list[RootMove]]
    simulations: int
    memory_full: bool
    lines: dict[PackedMove, Line]
    replies: dict[PackedMove, dict[int, int]]


def search_part(part: Part) -> Found:
    search = Search(Packing(part.position).state, seed=part.seed, memory=part.memory, settings=part.settings)
    stages: tuple[float, ...] = (0.5, 1.0)
    if part.move is not None:
        search.ask([part.move])
        stages = (GROW_PART, (1 + GROW_PART) / 2, 1.0)
    rows: list[list[RootMove]] = []
    before = 0.0
    for until in stages:
        search.finish(
            None if part.simulations is None else max(1, int(until * part.simulations)),
            None if part.seconds is None else (until - before) * part.seconds,
        )
        before = until
        if part.move is not None and not rows:
            search.ask([part.move], CALM)
        rows.append([row for row in search.moves() if row.visits])
    best = [(row.what, row.detail) for row in rows[-1][:LINES]]
    first, second, last = rows[0], rows[-2], rows[-1]
    return Found(
        (first, second if part.move is not None else last, last),
        search.simulations,
        search.memory_full,
        {move: search.line(move, LONGEST_LINE) for move in best},
        {move: search.replies(move) for move in best},
    )


@dataclass
class Sums:
    """Of all parts, by move."""

    half: dict[PackedMove, RootMove] = field(default_factory=dict)  # of the searches from the root
    searched: dict[PackedMove, RootMove] = field(default_factory=dict)
    chosen: dict[PackedMove, RootMove] = field(default_factory=dict)  # half of what is measured is
    now: dict[PackedMove, RootMove] = field(default_factory=dict)

    def add(self, found: Found, of_an_idea: bool) -> None:
        first, second, last = found.rows
        if of_an_idea:
            stages = ((self.searched, first), (self.chosen, second), (self.now, last))
        else:
            stages = ((self.searched, last), (self.chosen, last), (self.now, last))
            _add(self.half, first)
        for sums, rows in stages:
            _add(sums, rows)


def _add(sums: dict[PackedMove, RootMove], rows: Sequence[RootMove]) -> None:
    for row in rows:
        move = row.what, row.detail
        sums[move] = added_up(sums[move], row) if move in sums else row


class SpreadSearch:
    """In the place of a `Search`, for whoever asks what was found."""

    trees = (None,)  # a thread for what is searched besides

    def __init__(
        self, position: Position, *, seed: int, memory: int, settings: SearchSettings, workers: Workers | int
    ) -> None:
        state = Packing(position).state
        self.evaluation = evaluation_for(settings.over(stage_settings(state)), state.players)
        self.part = Part(position, settings, min(memory, DEFAULT_MEMORY), 0, None, None)
        self.work = Carrying(search_part, network_file(settings))
        self.seed = seed
        self.workers = workers
        self.sums = Sums()
        self.simulations = 0
        self.memory_full = False
        self.deepest: dict[PackedMove, int] = {}  # visits to a move in one tree
        self.lines: dict[PackedMove, Line] = {}
        self._replies: dict[PackedMove, dict[int, int]] = {}

    # ---- searching -----------------------------------------------------------------------------------------

    def search(self, simulations: int | None, seconds: float | None) -> Iterator[None]:
        """From the root, with so many simulations in all, and no longer than this; yields after each part."""
        number = count_of(self.workers) if simulations is None else _trees(simulations)
        part = self._share(number, simulations, seconds)
        yield from self._do([replace(part, seed=self._seed("root", index)) for index in range(number)])

    def compare(self, moves: Sequence[PackedMove], simulations: int | None, seconds: float | None) -> Iterator[None]:
        """These moves, each with the same share."""
        trees = count_of(self.workers) if simulations is None else _trees(simulations)
        each = max(1, trees // len(moves))
        part = self._share(each * len(moves), simulations, seconds)
        yield from self._do(
            [replace(part, move=move, seed=self._seed(str(move), index)) for move in moves for index in range(each)]
        )

    def _share(self, parts: int, simulations: int | None, seconds: float | None) -> Part:
        """One of so many parts; who works on several has less time for each."""
        turns = -(-parts // count_of(self.workers))
        return replace(
            self.part,
            simulations=None if simulations is None else max(4, simulations // parts),
            seconds=None if seconds is None else seconds / turns,
        )

    def _seed(self, name: str, index: int) -> int:
        return Random(f"{self.seed} {name} {index}").getrandbits(62)

    def _do(self, parts: list[Part]) -> Iterator[None]:
        found: dict[int, Found] = {}
        numbers = {part.seed: number for number, part in enumerate(parts)}
        due = 0
        with closing(do_jobs(self.work, parts, self.workers)) as answers:
            for part, answer in all_answered(answers, lambda part: str(numbers[part.seed])):
                found[numbers[part.seed]] = answer
                while due in found:  # sums of fractions depend on the order
                    self._take(parts[due], found.pop(due))
                    due += 1
                yield

    def _take(self, part: Part, found: Found) -> None:
        self.sums.add(found, part.move is not None)
        self.simulations += found.simulations
        self.memory_full |= found.memory_full
        for row in found.rows[-1]:
            move = row.what, row.detail
            self.deepest[move] = max(row.visits, self.deepest.get(move, 0))
        for move, line in found.lines.items():
            if _visits(line) > _visits(self.lines.get(move, [])):
                self.lines[move] = line
        for move, replies in found.replies.items():
            known = self._replies.setdefault(move, {})
            for group, visits in replies.items():
                known[group] = known.get(group, 0) + visits

    # ---- what was found ------------------------------------------------------------------------------------

    def moves(self) -> list[RootMove]:
        return sorted(self.sums.now.values(), key=lambda row: (-row.visits, row.what, row.detail))

    def ask(self, moves: Sequence[PackedMove] = (), calm: float = 1.0) -> None:
        """Each part asks for itself."""

    def finish(self, simulations: int | None = None, seconds: float | None = None) -> None:
        """Nothing more is done for an answer that was interrupted."""

    def replies(self, move: PackedMove) -> dict[int, int]:
        return self._replies.get(move, {})

    def line(self, first: PackedMove, longest: int) -> Line:
        return self.lines.get(first, [])[:longest]


def _trees(simulations: int) -> int:
    return min(max(simulations // SIMULATIONS_A_TREE, 1), MOST_TREES)


def _visits(line: Line) -> int:
    return line[0][3] if line else 0


class SpreadJudge(Judge):
    """What one tree may still find depends on its own visits, not on those of all."""

    def __init__(self, players: int, turns_left: int, mover: int, search: SpreadSearch) -> None:
        super().__init__(players, turns_left, mover, search.evaluation.network is not None)
        self.search = search

    def compared(self, moves: Sequence[PackedMove]) -> None:
        """These were, and one of them is to be chosen."""
        sums = self.search.sums
        self.half = dict(sums.half)
        self.searched(list(sums.searched.values()), moves)
        self.choose(list(sums.chosen.values()))

    def kept_too(self, moves: Sequence[PackedMove]) -> None:
        """These as well, which the user asked for."""
        self.keep(moves)
        for known, sums in ((self.before, self.search.sums.searched), (self.chosen, self.search.sums.chosen)):
            known.update({move: sums[move] for move in moves if move in sums})

    def judge(self, row: RootMove) -> Judgement:
        found = super().judge(row)
        visits = min(row.visits, self.search.deepest.get((row.what, row.detail), row.visits))
        return replace(found, evidence=replace(found.evidence, visits=visits))
