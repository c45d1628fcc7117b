"""The fixed work of `orbis bench`, how fast a build does it, and the signature of what it found.

The positions are in data/bench/positions.txt; seeds and amounts are here. On one thread, the work finds the same on
every machine, whatever the clock says: move sequences, results of playouts, visits and values of root moves, values and
nodes of the solver. The signature is one number made from all that. Builds with the same signature play alike; a change
to the rules, the search or the built-in network changes it.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

from .. import __version__
from ..base.machine import starting_threads
from ..core.packing import Packing
from ..core.searches import Solver, Walker
from ..notation import read_position
from ..search.driver import Search
from ..search.networks import evaluation_for
from ..search.settings import PLAYOUT, SearchSettings

ROUNDS = 6  # the fewest whose ratios have a 95 % interval; see `ratios`
SEED = 1
MEMORY = 64 << 20  # of each search; none of them fills it
WHOLE = 12  # a victory in parts that 2, 3 and 4 winners share evenly

# What each kind of work is counted in. All but perft can be done on several threads.
UNITS = {
    "perft": "sequences",
    "playouts": "playouts",
    "search": "simulations",
    "playout-search": "simulations",
    "solve": "nodes",
}
ON_THREADS = ("playouts", "search", "solve")


class Part(NamedTuple):
    kind: str
    position: str  # its name in the file
    amount: int = 0  # depth of a perft, playouts, simulations; the solver ends by itself

    @property
    def name(self) -> str:
        return f"{self.kind}.{self.position}"


PARTS = (
    Part("perft", "2-start", 3),
    Part("perft", "2-middle", 3),
    Part("perft", "3-middle", 3),
    Part("perft", "4-start", 3),
    Part("perft", "4-middle", 2),
    Part("playouts", "2-start", 20_000),
    Part("playouts", "2-middle", 20_000),
    Part("playouts", "2-late", 30_000),
    Part("playouts", "3-start", 10_000),
    Part("playouts", "3-middle", 10_000),
    Part("playouts", "3-late", 20_000),
    Part("playouts", "4-start", 5_000),
    Part("playouts", "4-middle", 10_000),
    Part("playouts", "4-late", 20_000),
    Part("search", "2-start", 20_000),
    Part("search", "2-middle", 20_000),
    Part("search", "2-late", 20_000),
    Part("search", "3-start", 5_000),
    Part("search", "3-middle", 8_000),
    Part("search", "3-late", 10_000),
    Part("search", "4-start", 5_000),
    Part("search", "4-middle", 8_000),
    Part("search", "4-late", 10_000),
    Part("playout-search", "2-start", 10_000),
    Part("playout-search", "2-middle", 10_000),
    Part("playout-search", "3-middle", 4_000),
    Part("playout-search", "4-middle", 4_000),
    Part("solve", "2-four"),
    Part("solve", "2-five-a"),
    Part("solve", "2-five-b"),
    Part("solve", "2-five-c"),
    Part("solve", "3-three-a"),
    Part("solve", "3-three-b"),
    Part("solve", "4-three-a"),
    Part("solve", "4-three-b"),
)


class PartResult(NamedTuple):
    """One part done once. With several threads, `found` is not the same each time."""

    units: int
    found: object  # what goes into the signature; its repr is the same everywhere
    cpu: float  # seconds of processor time: on one thread, other programs hardly disturb it
    clock: float  # seconds by the clock


class Stopwatch:
    """Runs from its creation to `stop`."""

    def __init__(self) -> None:
        self.clock, self.cpu = perf_counter(), process_time()

    def stop(self) -> None:
        self.cpu, self.clock = process_time() - self.cpu, perf_counter() - self.clock

    def result(self, units: int, found: object) -> PartResult:
        return PartResult(units, found, self.cpu, self.clock)


@cache
def packing_of(name: str) -> Packing:
    return Packing(read_position(position_lines()[name], f"positions.txt, {name}"))


@cache
def position_lines() -> dict[str, str]:
    """The file of positions, line by line."""
    text = (files("orbis_search") / "data" / "bench" / "positions.txt").read_text("utf-8")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return dict(lines)


def do(part: Part, threads: int = 1, settings: SearchSettings | None = None) -> PartResult:
    """Does the part, timed without its preparation; several threads share proportionally more work, so that each
    does what one would. `settings` are those of the tree search."""
    packing = packing_of(part.position)
    if part.kind == "perft":
        return _perft(packing, part.amount)
    if part.kind == "playouts":
        return _playouts(packing, part.amount, threads)
    if part.kind == "search":
        return _search(packing, part.amount * threads, threads, settings)
    if part.kind == "playout-search":
        by_playouts = SearchSettings(evaluation=PLAYOUT)
        return _search(packing, part.amount * threads, threads, by_playouts.over(settings or SearchSettings()))
    return _solve(packing, threads)


def _perft(packing: Packing, depth: int) -> PartResult:
    walker = Walker(packing.state.game_state(packing.listed_order()))
    watch = Stopwatch()
    count = walker.perft(depth, False)
    watch.stop()
    return watch.result(count, count)


def _playouts(packing: Packing, number: int, threads: int) -> PartResult:
    """This many for each thread, from a seed of its own."""
    watch = Stopwatch()
    if threads == 1:
        found: Any = packing.state.playouts(number, SEED)
    else:
        with starting_threads(), ThreadPoolExecutor(threads) as pool:
            found = list(pool.map(packing.state.playouts, [number] * threads, range(SEED, SEED + threads)))
    watch.stop()
    return watch.result(number * threads, found)


def _search(packing: Packing, simulations: int, threads: int, settings: SearchSettings | None) -> PartResult:
    search = Search(packing.state, seed=SEED, threads=threads, memory=MEMORY, settings=settings)
    watch = Stopwatch()
    search.finish(simulations)
    watch.stop()
    # Sums of rewards are nearly the same on every machine.
    rows = [
        (
            row.what,
            row.detail,
            row.visits,
            round(row.reward, 6),
            *(round(WHOLE * share) for share in row.shares),
            *map(round, row.points),
        )
        for row in search.moves()
    ]
    return watch.result(search.simulations, (search.trees[0].nodes, rows))


def _solve(packing: Packing, threads: int) -> PartResult:
    solver = Solver(packing.state.game_state(), goal="best", memory=MEMORY, threads=threads)
    watch = Stopwatch()
    solver.run()
    watch.stop()
    best = solver.best()
    value = next(str(low) for what, detail, low, _high in solver.rows() if (what, detail) == best)
    return watch.result(solver.nodes, (best, value, solver.nodes))


# ---- the signature -----------------------------------------------------------------------------------


def digest(found: object) -> str:
    """Eight hexadecimal digits."""
    return blake2b(repr(found).encode(), digest_size=4).hexdigest()


def signature_of(digests: Iterable[str]) -> str:
    """The signature of a build, from those of all its parts in order."""
    return digest("".join(digests))


def signatures(settings: SearchSettings | None = None) -> dict[str, str]:
    """The signature of each part, and of all of them as `signature`, on one thread; and the network."""
    found = {part.name: digest(do(part, settings=settings).found) for part in PARTS}
    return found | {"signature": signature_of(found.values()), "network": network_name()}


def build_name() -> str:
    """The same for builds that play alike: version and signature."""
    return f"{__version__} {signatures()['signature']}"


def network_name() -> str:
    """Of the built-in one, or of what searches use instead of it."""
    return evaluation_for(SearchSettings(), 2).name


# ---- rounds ------------------------------------------------------------------------------------------


@dataclass
class PartTimes:
    """A part over all rounds so far."""

    part: Part
    units: int = 0  # the same each time on one thread
    signature: str = ""
    # Round by round: processor time on one thread, and the clock; then on all threads, by the clock.
    seconds: list[float] = field(default_factory=list)
    clock_seconds: list[float] = field(default_factory=list)
    threads_units: list[int] = field(default_factory=list)
    threads_seconds: list[float] = field(default_factory=list)


@dataclass
class Run:
    """What a build did in some rounds; each round does every part once, so that a busy moment affects all alike."""

    threads: int
    parts: list[PartTimes]
    seconds: float = 0.0  # of everything
    version: str = __version__
    network: str = field(default_factory=network_name)
    machine: dict[str, Any] = field(default_factory=lambda: machine())

    @property
    def rounds(self) -> int:
        return len(self.parts[0].seconds)

    @property
    def signature(self) -> str:
        return signature_of(each.signature for each in self.parts)

    def rates(self) -> dict[str, list[float]]:
        """Units per second, round by round: of each part, of all parts of a kind, and both again on all threads."""
        groups = self._groups()
        found = {name: _rates(group, [each.seconds for each in group]) for name, group in groups.items()}
        for name, group in groups.items():
            if group[0].threads_seconds:
                found[on_threads(name, self.threads)] = self._threads_rates(group)
        return found

    def speed_up(self, name: str) -> float | None:
        """How many times as fast as one thread all threads are, both by the clock."""
        group = self._groups()[name]
        if not group[0].threads_seconds:
            return None
        one = _rates(group, [each.clock_seconds for each in group])
        return median(several / alone for several, alone in zip(self._threads_rates(group), one))

    def _groups(self) -> dict[str, list[PartTimes]]:
        groups = {each.part.name: [each] for each in self.parts}
        return groups | {kind: [each for each in self.parts if each.part.kind == kind] for kind in UNITS}

    def _threads_rates(self, group: list[PartTimes]) -> list[float]:
        amounts = zip(*(each.threads_units for each in group))
        times = zip(*(each.threads_seconds for each in group))
        return [sum(units) / sum(seconds) for units, seconds in zip(amounts, times)]


def _rates(group: list[PartTimes], times: list[list[float]]) -> list[float]:
    units = sum(each.units for each in group)
    return [units / sum(seconds) for seconds in zip(*times)]


def on_threads(name: str, threads: int) -> str:
    """The name of a figure measured on several threads."""
    return f"{name}.threads-{threads}"


def run_rounds(threads: int, rounds: int) -> Iterator[Run]:
    """Everything done so far, after each round."""
    done: list[Run] = []
    for _round in range(rounds):
        done.append(one_round(threads))
        yield join_runs(done)


def one_round(threads: int) -> Run:
    start = perf_counter()
    run = Run(threads, [PartTimes(part) for part in PARTS])
    for each in run.parts:
        one = do(each.part)
        each.units, each.signature = one.units, digest(one.found)
        each.seconds.append(one.cpu)
        each.clock_seconds.append(one.clock)
        if threads > 1 and each.part.kind in ON_THREADS:
            several = do(each.part, threads)
            each.threads_units.append(several.units)
            each.threads_seconds.append(several.clock)
    run.seconds = perf_counter() - start
    return run


def join_runs(runs: Sequence[Run]) -> Run:
    """Rounds of one build, one after the other, as one run."""
    joined = replace(runs[0], seconds=sum(run.seconds for run in runs), parts=[])
    for same in zip(*(run.parts for run in runs)):
        found = {each.signature for each in same}
        if len(found) > 1:
            raise RuntimeError(f"{same[0].part.name} does not find the same each time: {', '.join(sorted(found))}")
        joined.parts.append(
            replace(
                same[0],
                seconds=[each for part in same for each in part.seconds],
                clock_seconds=[each for part in same for each in part.clock_seconds],
                threads_units=[each for part in same for each in part.threads_units],
                threads_seconds=[each for part in same for each in part.threads_seconds],
            )
        )
    return joined


def machine() -> dict[str, Any]:
    """Where the figures come from."""
    return {"cpu": cpu_model(), "cores": os.cpu_count() or 1, "python": platform.python_version()}


def cpu_model() -> str:
    """As the system calls it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()
