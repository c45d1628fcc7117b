"""Running a tree search on any game: threads, limits, slices, and the sums of what all trees found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from random import Random
from threading import Event
from time import perf_counter

from ..base.machine import no_memory, starting_threads
from ..core.searches import GameState, RootMove, Tree
from .settings import SearchSettings

SLICE = 0.02  # seconds between looks at the clock, for Ctrl-C and for whether somebody still waits
FIRST_SLICE = 16  # simulations, before their speed is known
DEFAULT_MEMORY = 256 << 20

PackedMove = tuple[int, int]


class TreeSearch:
    """A search from one state in one or more threads.

    They grow one tree together; with `apart` each grows its own, and the results are added up. With one thread and a
    number of simulations the result depends only on the seed: the clock decides how long a slice is, never what is
    searched.
    """

    def __init__(
        self,
        root: GameState,
        settings: SearchSettings,
        *,
        seed: int = 0,
        threads: int = 1,
        memory: int = DEFAULT_MEMORY,
        apart: bool = False,
    ) -> None:
        self.memory = memory
        seeds = Random(seed)
        size = memory // threads if apart else memory
        try:
            roots = [
                Tree(
                    root,
                    settings.complete(),
                    seed=seeds.getrandbits(64),
                    pool_bytes=size,
                    threads=1 if apart else threads,
                )
                for _ in range(threads if apart else 1)
            ]
            trees = list(roots)
            if threads > 1 and not apart:
                roots[0].run(1)  # so that every thread finds the root's moves
                trees += [roots[0].fork(seeds.getrandbits(64), thread) for thread in range(1, threads)]
        except MemoryError:
            raise no_memory(memory) from None
        self.roots = roots  # to be added up
        self.trees = trees  # one a thread

    def ask(self, moves: Sequence[PackedMove] = (), calm: float = 1.0) -> None:
        """From now on only these legal root moves are played, each as often as any other, and below them exploration is
        multiplied by `calm`; without any the search decides again."""
        try:
            for tree in self.trees:
                tree.ask(moves, calm)
        except MemoryError:  # there is no room for a move that the search would not consider by itself
            raise no_memory(self.memory) from None

    @property
    def simulations(self) -> int:
        return sum(tree.simulations for tree in self.trees)

    @property
    def memory_full(self) -> bool:
        return any(tree.full for tree in self.roots)

    def run(self, simulations: int | None = None, seconds: float | None = None) -> Iterator[None]:
        """Searches until this many simulations are done or this much time has passed; yields after every slice.

        A caller that stops asking ends the search.
        """
        end = None if seconds is None else perf_counter() + seconds
        shares: list[int | None] = [None] * len(self.trees)
        if simulations is not None:
            left = max(0, simulations - self.simulations)
            shares = [left // len(shares) + (i < left % len(shares)) for i in range(len(shares))]
        if len(self.trees) == 1:
            yield from _slices(self.trees[0], shares[0], end)
            return
        stop = Event()
        with ThreadPoolExecutor(len(self.trees)) as pool:
            try:
                with starting_threads():
                    running = {pool.submit(_run, tree, share, end, stop) for tree, share in zip(self.trees, shares)}
                while running:
                    done, running = wait(running, timeout=SLICE)
                    for each in done:
                        each.result()
                    yield
            finally:
                stop.set()

    def finish(self, simulations: int | None = None, seconds: float | None = None, stop: Event | None = None) -> bool:
        """Runs to the limit and says whether it got there: another thread may set `stop` first."""
        for _ in self.run(simulations, seconds):
            if stop is not None and stop.is_set():
                return False
        return True

    def moves(self) -> list[RootMove]:
        """Every root move with the sums of all trees, most visits first."""
        if len(self.roots) == 1:
            found: list[RootMove] = self.roots[0].moves()
            return found
        rows: dict[PackedMove, RootMove] = {}
        for tree in self.roots:
            for row in tree.moves():
                move = (row.what, row.detail)
                rows[move] = added_up(rows[move], row) if move in rows else row
        return sorted(rows.values(), key=lambda row: (-row.visits, row.what, row.detail))

    def best(self) -> PackedMove:
        """The move visited most; among equals, the one with the better mean."""
        row = max(self.moves(), key=lambda row: (row.visits, row.mean_reward, -row.what, -row.detail))
        return row.what, row.detail

    def replies(self, move: PackedMove) -> dict[int, int]:
        """What was played next after a root move: visits by group."""
        found: dict[int, int] = {}
        for tree in self.roots:
            for group, visits in tree.replies(*move).items():
                found[group] = found.get(group, 0) + visits
        return found

    def line(self, first: PackedMove, longest: int) -> list[tuple[int, int, int, int, int]]:
        """The expected line after a root move, from the tree that visited it most."""
        lines = [tree.line(first, longest) for tree in self.roots]
        return max(lines, key=lambda line: (len(line) > 0 and line[0][3], len(line)))


def added_up(a: RootMove, b: RootMove, sign: int = 1) -> RootMove:
    """The sum of two rows of one move, or their difference."""
    draws = {what: (visits, share, squares) for what, visits, share, squares in a.draws}
    for what, visits, share, squares in b.draws:
        before = draws.get(what, (0, 0.0, 0.0))
        draws[what] = (before[0] + sign * visits, before[1] + sign * share, before[2] + sign * squares)
    return RootMove(
        a.what,
        a.detail,
        a.visits + sign * b.visits,
        max(a.weight, b.weight),
        a.reward + sign * b.reward,
        a.reward_squared + sign * b.reward_squared,
        tuple(x + sign * y for x, y in zip(a.shares, b.shares)),
        a.share_squared + sign * b.share_squared,
        tuple(x + sign * y for x, y in zip(a.points, b.points)),
        tuple(tuple(x + sign * y for x, y in zip(mine, other)) for mine, other in zip(a.details, b.details)),
        a.level + sign * b.level,
        a.level_share + sign * b.level_share,
        [(what, *sums) for what, sums in sorted(draws.items())],
    )


def difference(now: RootMove, before: RootMove | None) -> RootMove:
    """What a row has gained since."""
    return now if before is None else added_up(now, before, -1)


def _slices(tree: Tree, simulations: int | None, end: float | None) -> Iterator[None]:
    """Slices of about SLICE seconds, shorter ones towards the end, so that a time limit is met closely."""
    done, step = 0, FIRST_SLICE
    while simulations is None or done < simulations:
        before = perf_counter()
        if end is not None and done and before >= end:
            return
        n = step if simulations is None else min(step, simulations - done)
        tree.run(n)
        done += n
        now = perf_counter()
        rate = n / max(now - before, 1e-9)
        wanted = SLICE if end is None else min(SLICE, max((end - now) / 2, 0.0005))
        step = max(FIRST_SLICE, min(int(rate * wanted), 4 * step))
        yield


def _run(tree: Tree, simulations: int | None, end: float | None, stop: Event) -> None:
    for _ in _slices(tree, simulations, end):
        if stop.is_set():
            return
