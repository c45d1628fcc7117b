"""Whether many threads say what one thread says.

Each position is searched many times by one thread, each time from another seed, and by more threads with the same
number of simulations. What is compared is the chance to win of the move that a search advises, not its mean over all
simulations: with more of them on their way at once, more moves are tried, and nobody is told what that costs.

One thread's chances scatter around their mean, and how far says what a search of that length can know. A search with
more threads is *far* off when it is further from that mean than

    the larger of    the furthest of one thread's own searches, and a standard deviation of theirs
                     SPREADS of those standard deviations

If threads change nothing and the chances are about normal, one goes further than 6 standard deviations once in a
hundred million. But they are not normal: a search may miss a good move whose worth shows only deep in the tree, once in
a hundred times, and then its chance lies far from all others. One thread searches ONE_THREAD times as often as more
threads do, to see such misses, and where a search with more threads is far off, it makes AGAIN times as many searches
again. The far ones are *too far* off

    where none of one thread's later searches comes within a standard deviation of them; or
    where they are more than one thread's later ones can explain: if both came equally often, so many or more would
    fall to the searches with more threads less than once in ONCE_IN times (Fisher's exact test).

In a position that is all but decided nearly every simulation ends alike, and a deviation estimated from them says
little of how far the next one may go: none is taken for less than LEAST_SPREAD, a tenth of a point.

A lost result shows in single searches far off; threads that choose by stale figures move the mean of all searches,
which is reported too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import comb
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from ..base.jobs import Workers, all_answered, do_in_order
from ..core.fast_rules import play_turns
from ..core.packing import Packing
from ..core.states import PackedState
from ..game.rules import new_game
from ..game.vocabulary import TURNS
from ..notation import read_position
from ..notation.examples import example_text
from ..search.driver import Search
from ..tileset.library import load_tile_set

POSITIONS, SEARCHES = 30, 40
THREADS = (1, 2, 4)
SPREADS = 6.0
ONE_THREAD = 4
AGAIN = 5
ONCE_IN = 10_000
LEAST_SPREAD = 0.001  # of a victory
MEMORY = 64 << 20
STAGES = {"opening": (0.0, 0.25), "middle": (0.35, 0.65), "late": (0.75, 0.95)}  # parts of the game that are over


class Yardstick(NamedTuple):
    """How far one thread's searches go."""

    mean: float
    spread: float  # standard deviation, or LEAST_SPREAD
    furthest: float

    @property
    def limit(self) -> float:
        return max(self.furthest + self.spread, SPREADS * self.spread)

    def is_far(self, value: float) -> bool:
        return abs(value - self.mean) > self.limit


class Far(NamedTuple):
    """The searches with one number of threads that are far off."""

    stick: Yardstick
    values: list[float]
    searches: int  # in all

    @property
    def worst(self) -> float:
        return max(self.values, key=lambda value: abs(value - self.stick.mean))

    def too_far(self, again: Sequence[float]) -> int:
        """How many of them one thread's later searches do not explain."""
        own = sum(self.stick.is_far(value) for value in again)
        if chance_of_so_many(len(self.values), self.searches, own, len(again)) < 1 / ONCE_IN:
            return len(self.values)
        ends = min(again, default=self.stick.mean), max(again, default=self.stick.mean)
        return sum(not ends[0] - self.stick.spread <= value <= ends[1] + self.stick.spread for value in self.values)


@dataclass
class ThreadTally:
    """All searches with one number of threads. Distances are from one thread's mean."""

    searches: int = 0
    shift: float = 0.0  # of all positions together; its mean is told
    furthest: float = 0.0  # in parts of a victory
    furthest_spreads: float = 0.0  # in one thread's standard deviations
    far: int = 0
    too_far: int = 0

    @property
    def mean_shift(self) -> float:
        return self.shift / self.searches if self.searches else 0.0

    def add(self, other: ThreadTally) -> None:
        self.searches += other.searches
        self.shift += other.shift
        self.furthest = max(self.furthest, other.furthest)
        self.furthest_spreads = max(self.furthest_spreads, other.furthest_spreads)
        self.far += other.far
        self.too_far += other.too_far


@dataclass
class ThreadsTally:
    positions: int = 0
    again: int = 0  # searches that one thread made again, where others were far off ...
    far_again: int = 0  # ... and those of them that were far off too
    by_threads: dict[int, ThreadTally] = field(default_factory=lambda: {threads: ThreadTally() for threads in THREADS})
    disagreed: list[str] = field(default_factory=list)  # for each position and number of threads the worst search

    @property
    def too_far(self) -> int:
        return sum(each.too_far for each in self.by_threads.values())

    def add(self, other: ThreadsTally) -> None:
        self.positions += other.positions
        self.again += other.again
        self.far_again += other.far_again
        for threads, tally in other.by_threads.items():
            self.by_threads.setdefault(threads, ThreadTally()).add(tally)
        self.disagreed += other.disagreed


def verify_threads(
    positions: int, simulations: int, searches: int, seed: int = 0, workers: Workers | int = 1
) -> Iterator[ThreadsTally]:
    """Yields the running tally after each position."""
    tally = ThreadsTally()
    jobs = [(number, simulations, searches, seed) for number in range(positions)]
    for _, verdict in all_answered(do_in_order(_job, jobs, workers)):
        tally.add(verdict)
        yield tally


def _job(job: tuple[int, int, int, int]) -> ThreadsTally:
    number, simulations, searches, seed = job
    name, state = position_for(number, seed)
    numbers = {threads: searches * (ONE_THREAD if threads == 1 else 1) for threads in THREADS}
    return compare(name, state, simulations, numbers, seed=seed)


def position_for(number: int, seed: int = 0) -> tuple[str, PackedState]:
    """The built-in middle game is the first; then games of 2, 3 and 4 players in turn, three openings, three middle
    games, three late ones, every other game on random tiles."""
    if number == 0:
        return "the built-in middle game", Packing(read_position(example_text())).state
    players = 2 + number % 3
    stage = list(STAGES)[number // 3 % 3]
    tiles = "reconstruction" if number % 2 == 0 else f"random:{seed + number}"
    rng = Random(f"{seed} {number}")
    packing = Packing(new_game(load_tile_set(tiles), players, rng))
    first, last = (round(part * TURNS * players) for part in STAGES[stage])
    for _ in play_turns(packing.state, rng.randint(first, last), rng, "sensible"):
        pass
    return f"position {number}, {players} players, {stage}, {tiles}", packing.state


def compare(name: str, state: PackedState, simulations: int, searches: dict[int, int], seed: int = 0) -> ThreadsTally:
    """Searches a position this often with each number of threads, each time from another seed. One thread must be
    among them."""
    seeds = Random(f"{seed} {name}")
    found = {
        threads: [advised_chance(state, simulations, threads, seeds.getrandbits(62)) for _ in range(number)]
        for threads, number in searches.items()
    }
    stick = yardstick(found[1])
    tally = ThreadsTally(positions=1, by_threads={n: measure(chances, stick) for n, chances in found.items()})
    far = {n: far_off(chances, stick) for n, chances in found.items() if n > 1}
    again: list[float] = []
    if any(each.values for each in far.values()):
        again = [advised_chance(state, simulations, 1, seeds.getrandbits(62)) for _ in range(AGAIN * searches[1])]
        tally.again = len(again)
        tally.far_again = sum(map(stick.is_far, again))
    for threads, each in far.items():
        if too_far := each.too_far(again):
            tally.by_threads[threads].too_far = too_far
            tally.disagreed.append(
                f"{name}, {threads} threads: {100 * each.worst:.1f} %, one thread {100 * stick.mean:.1f} % and at most "
                f"{100 * stick.limit:.1f} points from it"
            )
    return tally


def advised_chance(state: PackedState, simulations: int, threads: int, seed: int) -> float:
    """The mover's share of the victory after the move that a search advises."""
    search = Search(state, seed=seed, threads=threads, memory=MEMORY)
    search.finish(simulations)
    best = search.best()
    advised = next(row for row in search.moves() if (row.what, row.detail) == best)
    return advised.shares[state.to_move] / advised.visits


def yardstick(values: Sequence[float]) -> Yardstick:
    mean = fmean(values)
    return Yardstick(mean, max(stdev(values), LEAST_SPREAD), max(abs(value - mean) for value in values))


def measure(chances: Sequence[float], stick: Yardstick) -> ThreadTally:
    furthest = max(abs(chance - stick.mean) for chance in chances)
    return ThreadTally(
        searches=len(chances),
        shift=sum(chance - stick.mean for chance in chances),
        furthest=furthest,
        furthest_spreads=furthest / stick.spread,
        far=sum(map(stick.is_far, chances)),
    )


def far_off(chances: Sequence[float], stick: Yardstick) -> Far:
    return Far(stick, [chance for chance in chances if stick.is_far(chance)], len(chances))


def chance_of_so_many(mine: int, of_mine: int, theirs: int, of_theirs: int) -> float:
    """If so many were spread over both by lot: the chance that at least `mine` of them would be among `of_mine`."""
    far, ways = mine + theirs, comb(of_mine + of_theirs, mine + theirs)
    return sum(comb(of_mine, n) * comb(of_theirs, far - n) for n in range(mine, min(far, of_mine) + 1)) / ways
