"""How cost grows: with players, rounds, turns left, simulations and threads. What `orbis bench --plot` draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from statistics import median
from time import process_time

from ..core.fast_rules import play_turns
from ..core.packing import Packing
from ..core.searches import Solver
from ..core.states import PackedState
from ..game.rules import new_game
from ..game.tiles import DEFAULT_TILE_SET
from ..search.driver import Search
from ..tileset.library import load_tile_set
from .fixed_work import MEMORY, ON_THREADS, SEED, Part, do
from .speed import TURNS_LEFT, TURNS_PER_PLAYER, endgame_positions, sensible_ending

PLAYERS = (2, 3, 4)
REPEATS = 3
SIMULATIONS, PLAYOUTS = 2_000, 2_000  # for each point
MEMORY_AT = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)  # simulations
MEMORY_ROOM = 1 << 30
# Endings for each number of turns left, and how many turns that can be before one of them takes minutes.
ENDINGS = 9
MOST_LEFT = {2: 6, 3: 3, 4: 3}
ENDING_SECONDS = 4.0
# Long enough for several threads to get going.
THREADS_WORK = {
    "playouts": Part("playouts", "2-start", 200_000),
    "search": Part("search", "2-start", 100_000),
    "solve": Part("solve", "4-three-b"),
}


@dataclass(frozen=True, slots=True)
class Series:
    """One line of one picture."""

    picture: str  # simulations, playouts, nodes, seconds, memory, threads
    players: int  # 0 where it does not matter
    label: str  # of threads: the kind of work
    x: tuple[int, ...]
    y: tuple[float, ...]


def measure_growth(threads: int) -> Iterator[Series]:
    """Yields each series as it is measured; SERIES of them, in half a minute."""
    for picture, run in (("simulations", _simulations), ("playouts", _playouts)):
        for players in PLAYERS:
            yield by_round(picture, players, run)
    for players in PLAYERS:
        yield from by_turns_left(players)
    for players in PLAYERS:
        yield memory(players)
    yield from by_threads(threads)


SERIES = 5 * len(PLAYERS) + len(ON_THREADS)


def _simulations(state: PackedState) -> float:
    search = Search(state, seed=SEED, memory=MEMORY)
    start = process_time()
    search.finish(SIMULATIONS)
    return SIMULATIONS / (process_time() - start)


def _playouts(state: PackedState) -> float:
    start = process_time()
    state.playouts(PLAYOUTS, SEED)
    return PLAYOUTS / (process_time() - start)


def by_round(picture: str, players: int, run: Callable[[PackedState], float]) -> Series:
    """Units per second at the start of each round of a few sensible games."""
    rates: list[list[float]] = [[] for _ in range(TURNS_PER_PLAYER)]
    for game in range(REPEATS):
        state = Packing(new_game(load_tile_set(DEFAULT_TILE_SET), players, Random(SEED + game))).state
        for turn, _move in enumerate(play_turns(state, TURNS_PER_PLAYER * players, Random(SEED + game), "sensible")):
            if turn % players == 0:
                rates[turn // players].append(run(state.copy()))
    return Series(picture, players, "", tuple(range(1, TURNS_PER_PLAYER + 1)), tuple(map(median, rates)))


def by_turns_left(players: int) -> Iterator[Series]:
    """Nodes and processor time to prove one move best: medians over some endings."""
    lefts = tuple(range(1, MOST_LEFT[players] + 1))
    nodes, seconds = [], []
    for left in lefts:
        if players == 2 and left >= TURNS_LEFT[0]:
            positions = endgame_positions(left)[:ENDINGS]
        else:
            positions = [sensible_ending(players, left, SEED + i) for i in range(ENDINGS)]
        times, counts = [], []
        for position in positions:
            solver = Solver(Packing(position).state.game_state(), goal="best", memory=MEMORY)
            start = process_time()
            # A few take far longer than the rest; cut short, they are still above the median.
            solver.run(seconds=ENDING_SECONDS)
            times.append(process_time() - start)
            counts.append(solver.nodes)
        seconds.append(median(times))
        nodes.append(float(median(counts)))
    yield Series("nodes", players, "", lefts, tuple(nodes))
    yield Series("seconds", players, "", lefts, tuple(seconds))


def memory(players: int) -> Series:
    """Bytes of a tree from the start of a game, as it grows."""
    state = Packing(new_game(load_tile_set(DEFAULT_TILE_SET), players, Random(SEED))).state
    search = Search(state, seed=SEED, memory=MEMORY_ROOM)
    used = []
    for simulations in MEMORY_AT:
        search.finish(simulations)
        used.append(float(search.trees[0].bytes_used))
    return Series("memory", players, "", MEMORY_AT, tuple(used))


def by_threads(most: int) -> Iterator[Series]:
    """Speed as a multiple of one thread's, measured in turns, by the clock."""
    counts = tuple(sorted({*(2**i for i in range(most.bit_length())), most}))
    for kind in ON_THREADS:
        ratios: dict[int, list[float]] = {count: [] for count in counts}
        for _repeat in range(REPEATS):
            done = {count: do(THREADS_WORK[kind], count) for count in counts}
            for count in counts:
                ratios[count].append(done[count].units / done[count].clock / (done[1].units / done[1].clock))
        yield Series("threads", 0, kind, counts, tuple(median(ratios[count]) for count in counts))
