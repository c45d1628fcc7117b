"""The advisor: which move is best, how good, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from time import perf_counter

from ._core.search.ismcts import Tree
from .errors import InputError
from .packing import PackedMove, Packing, unpack_move
from .position import Move, Position

SLICE = 0.05  # seconds between looks at the clock, the limits and Ctrl-C
DEFAULT_MEMORY = 256 << 20
CONFIDENCE_LEVEL = 0.95  # of the intervals in an Advice


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move of the player to move. Shares and points are per player, in the position's order."""

    move: Move
    visits: int
    win: float  # the mover's expected part of the victory: a shared one counts by its part
    error: float  # half the width of its 95 % interval
    shares: tuple[float, ...]
    points: tuple[float, ...]  # expected at the end
    worth: float  # what the search maximises: a mix of victory and margin, 0 to 1
    weight: float  # how it looked before any search, as a part of all
    proved: bool = False

    @property
    def low(self) -> float:
        return max(0.0, self.win - self.error)

    @property
    def high(self) -> float:
        return min(1.0, self.win + self.error)


@dataclass(frozen=True, slots=True)
class Advice:
    position: Position
    candidates: tuple[Candidate, ...]  # best first; only moves that were looked at
    simulations: int
    seconds: float
    threads: int
    seed: int
    stopped: str  # "simulations", "time", "confidence" or "interrupted"; "running" in a progress report
    memory_full: bool  # the tree stopped growing; the search went on in it
    unseen: int = 0  # moves never looked at

    @property
    def best(self) -> Candidate:
        return self.candidates[0]


@dataclass
class Limits:
    simulations: int | None = None
    seconds: float | None = None
    confidence: float | None = None  # 0.95: stop when the best move is apart from the rest so surely


@dataclass
class _Row:
    """What all threads together know of a root move."""

    visits: int = 0
    reward: float = 0.0
    shares: list[float] = field(default_factory=list)
    points: list[float] = field(default_factory=list)
    squares: float = 0.0  # sum of squared shares of the mover
    weight: float = 0.0


def advise(
    position: Position,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    confidence: float | None = None,
    threads: int = 1,
    seed: int = 0,
    memory: int = DEFAULT_MEMORY,
    progress: Callable[[Advice], None] | None = None,
    settings: dict[str, float] | None = None,
) -> Advice:
    """The moves of the player to move, best first.

    Stops at the first limit reached; with none, after 5 seconds. With one thread, a seed and a number of
    simulations the result is always the same. Ctrl-C ends the search and returns what is known by then.
    """
    if position.to_move is None:
        raise InputError.one("position", "expected somebody to move, found the game over")
    if position.hole is not None:
        raise InputError.one("position", "expected a refill before the next move, found an empty cell")
    if simulations is None and seconds is None and confidence is None:
        seconds = 5.0
    packing = Packing(position)
    trees = [
        Tree(packing.state.game_state(), seed=seed + 1_000_003 * i, pool_bytes=memory // threads, **(settings or {}))
        for i in range(threads)
    ]
    limits = Limits(simulations, seconds, confidence)
    stopped = "interrupted"
    start = perf_counter()

    def answer(reason: str) -> Advice:
        return _advice(position, trees, perf_counter() - start, seed, reason)

    try:
        for _ in _slices(trees, limits, start):
            if progress is not None:
                progress(answer("running"))
            if confidence is not None and _is_apart(answer("running"), confidence):
                stopped = "confidence"
                break
        else:
            stopped = "simulations" if simulations and _total(trees) >= simulations else "time"
    except KeyboardInterrupt:
        if not _total(trees):
            raise
    return answer(stopped)


def _total(trees: Sequence[Tree]) -> int:
    return sum(tree.simulations for tree in trees)


def _slices(trees: Sequence[Tree], limits: Limits, start: float) -> Iterator[None]:
    """Runs all trees side by side, a slice at a time, until a limit is reached."""
    size = 64
    with ThreadPoolExecutor(len(trees)) as pool:
        while True:
            left = None if limits.simulations is None else limits.simulations - _total(trees)
            if left is not None and left <= 0:
                return
            now = perf_counter()
            if limits.seconds is not None and now - start >= limits.seconds:
                return
            shares = _split(size * len(trees) if left is None else min(left, size * len(trees)), len(trees))
            if len(trees) == 1:
                trees[0].run(shares[0])
            else:
                list(pool.map(lambda pair: pair[0].run(pair[1]), zip(trees, shares)))
            took = max(perf_counter() - now, 1e-6)
            remaining = SLICE if limits.seconds is None else min(SLICE, limits.seconds - (perf_counter() - start))
            size = max(16, min(4 * size, int(size * max(remaining, 1e-3) / took)))
            yield


def _split(number: int, parts: int) -> list[int]:
    return [number // parts + (i < number % parts) for i in range(parts)]


def _merged(trees: Sequence[Tree]) -> dict[PackedMove, _Row]:
    rows: dict[PackedMove, _Row] = {}
    for tree in trees:
        for what, detail, visits, reward, _, shares, points, spread, weight in tree.moves():
            row = rows.setdefault((what, detail), _Row())
            row.weight = max(row.weight, weight)
            if not visits:
                continue
            who = tree.to_move
            row.visits += visits
            row.reward += reward * visits
            row.squares += (spread * spread + shares[who] * shares[who]) * visits
            row.shares = [a + b * visits for a, b in zip(row.shares or [0.0] * len(shares), shares)]
            row.points = [a + b * visits for a, b in zip(row.points or [0.0] * len(points), points)]
    return rows


def _advice(position: Position, trees: Sequence[Tree], seconds: float, seed: int, reason: str) -> Advice:
    rows = _merged(trees)
    who = position.to_move or 0
    z = NormalDist().inv_cdf(0.5 + CONFIDENCE_LEVEL / 2)
    weights = sum(row.weight for row in rows.values()) or 1.0
    found = []
    for packed, row in rows.items():
        if not row.visits:
            continue
        n = row.visits
        win = row.shares[who] / n
        # Two more imagined results, a win and a loss, keep the interval honest after few simulations.
        variance = max(0.0, (row.squares + 1) / (n + 2) - ((row.shares[who] + 1) / (n + 2)) ** 2)
        found.append(
            Candidate(
                move=unpack_move(packed),
                visits=n,
                win=win,
                error=z * sqrt(variance / n),
                shares=tuple(share / n for share in row.shares),
                points=tuple(points / n for points in row.points),
                worth=row.reward / n,
                weight=row.weight / weights,
            )
        )
    found.sort(key=lambda candidate: (-candidate.visits, -candidate.worth))
    return Advice(
        position=position,
        candidates=tuple(found),
        simulations=_total(trees),
        seconds=seconds,
        threads=len(trees),
        seed=seed,
        stopped=reason,
        memory_full=any(tree.full for tree in trees),
        unseen=len(rows) - len(found),
    )


def _is_apart(advice: Advice, confidence: float) -> bool:
    """Whether the best move's win probability lies above every other's, each pair so surely."""
    if len(advice.candidates) < 2:
        return not advice.unseen
    z = NormalDist().inv_cdf(confidence) / NormalDist().inv_cdf(0.5 + CONFIDENCE_LEVEL / 2)
    best = advice.best
    return all(
        best.win - other.win > z * sqrt(best.error**2 + other.error**2) for other in advice.candidates[1:]
    )

