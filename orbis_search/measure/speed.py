"""What `orbis bench` measures. Every figure is the median of several short runs, so that a busy machine disturbs it
little; to compare two builds, run them in turns, and never use figures from different days."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from random import Random
from statistics import median
from threading import Thread
from time import perf_counter, process_time
from typing import NamedTuple

from ..base.language import N_, _, ngettext
from ..base.timing import ROUNDS, Figure, measure
from ..core.fast_rules import play_turns
from ..core.packing import Packing
from ..core.searches import ALL_IDEAS, IDEAS, Solver
from ..core.states import ALL, SEARCH, PackedState
from ..game.position import Position
from ..game.rules import new_game
from ..game.tiles import DEFAULT_TILE_SET, TileSet
from ..search.driver import Search
from ..search.networks import evaluation_for
from ..search.settings import PLAYOUT, SearchSettings
from ..solver.endgame import watch
from ..tileset.library import load_tile_set

TURNS_PER_PLAYER = 15


def bench_rules(tile_set: TileSet, seed: int = 1, seconds: float = 1.0) -> Iterator[Figure]:
    """The speed of the rules on one core; about `seconds` for each line."""
    for players in (2, 3, 4):
        start = Packing(new_game(tile_set, players, Random(seed))).state
        name = f"{players}p"
        title = _("{players} players: state", players=players)
        yield Figure(f"{name}.state_bytes", title, start.size, "bytes", start.size)
        typical, best = measure(start.time_copies, 100_000, seconds / 4)
        title = _("{players} players: copy", players=players)
        yield Figure(f"{name}.copy_ns", title, typical * 1e9, "ns", best * 1e9)
        typical, best = measure(lambda n: start.playouts(n, seed), 2_000, seconds)
        turns = TURNS_PER_PLAYER * players
        title = _("{players} players: random playouts from the start", players=players)
        yield Figure(f"{name}.playouts", title, 1 / typical, "/s", 1 / best)
        title = _("{players} players: turns in those playouts", players=players)
        yield Figure(f"{name}.turns", title, turns / typical, "/s", turns / best)
        title = _("{players} players: a turn", players=players)
        yield Figure(f"{name}.turn_ns", title, typical / turns * 1e9, "ns", best / turns * 1e9)
        states = sample_states(tile_set, players, seed)
        for prune, word in ((ALL, "all"), (SEARCH, "search")):
            # A few turns have most of the moves: positions per second says how long a turn takes on
            # average, moves per second what a move costs.
            typical, best = measure(lambda n: generate(states, n, prune), 1, seconds)
            moves = sum(state.count_moves(prune) for state in states)
            title = {
                ALL: N_("{players} players: positions, with all moves generated"),
                SEARCH: N_("{players} players: positions, with search moves generated"),
            }[prune]
            title = _(title, players=players)
            yield Figure(f"{name}.generate_{word}", title, len(states) / typical, "/s", len(states) / best)
            title = _("{players} players: moves generated for them", players=players)
            yield Figure(f"{name}.moves_{word}", title, moves / typical, "/s", moves / best)


def sample_states(tile_set: TileSet, players: int, seed: int, games: int = 4) -> list[PackedState]:
    """Every decision of a few sensible games."""
    states = []
    for game in range(games):
        state = Packing(new_game(tile_set, players, Random(seed + game))).state
        for _ in play_turns(state, TURNS_PER_PLAYER * players, Random(seed + game), "sensible"):
            states.append(state.copy())
    return states


def generate(states: list[PackedState], times: int, prune: int) -> None:
    for state in states:
        state.time_moves(times, prune)


# ---- the search --------------------------------------------------------------------------------------

SEARCHED = 100_000  # simulations of one search: what the advisor does in half a second
BY_PLAYOUTS = SearchSettings(evaluation=PLAYOUT)


def bench_search(tile_set: TileSet, seed: int = 1, seconds: float = 3.0, threads: int = 2) -> Iterator[Figure]:
    """Simulations per second with the advisor's own settings, each search from an empty tree. Where positions are
    evaluated by a network, also how that compares with playouts."""
    for players in (2, 3, 4):
        start = Packing(new_game(tile_set, players, Random(seed))).state
        middle = start.copy()
        for _turn in play_turns(middle, TURNS_PER_PLAYER * players // 2, Random(seed), "sensible"):
            pass
        network = evaluation_for(SearchSettings(), players).network
        for state, word, title in (
            (start, "start", N_("{players} players: simulations from the start, one thread")),
            (middle, "middle", N_("{players} players: simulations from the middle, one thread")),
        ):
            typical, best = measure(lambda n: search(state, n, seed), 1, seconds)
            name = f"{players}p.{word}"
            yield Figure(name, _(title, players=players), SEARCHED / typical, "/s", SEARCHED / best)
            if network is not None:
                ratios = times_as_fast(
                    lambda n: search(state, n, seed), lambda n: search(state, n, seed, settings=BY_PLAYOUTS), seconds
                )
                title = _("{players} players: the same, times those by playouts", players=players)
                yield Figure(f"{name}.times_playouts", title, median(ratios), "x", max(ratios))
        if network is not None:
            typical, best = measure(lambda n: middle.time_evaluations(n, network), 1_000, seconds / 4)
            title = _("{players} players: evaluations from the middle", players=players)
            yield Figure(f"{players}p.evaluations", title, 1 / typical, "/s", 1 / best)
            typical, best = measure(lambda n: middle.playouts(n, seed, "sampled"), 1_000, seconds / 4)
            title = _("{players} players: playouts of the search from the middle", players=players)
            yield Figure(f"{players}p.playouts", title, 1 / typical, "/s", 1 / best)
    if threads > 1:
        state = Packing(new_game(tile_set, 2, Random(seed))).state
        # Both grow trees of the same size, because a larger tree is slower for either.
        ratios = times_as_fast(lambda n: search(state, n, seed, threads), lambda n: search(state, n, seed), seconds)
        title = ngettext("2 players: {n} thread, times one thread", "2 players: {n} threads, times one thread", threads)
        yield Figure("2p.threads", title, median(ratios), "x", max(ratios))
        # Searches that share nothing: as much as the machine can gain.
        ratios = times_as_fast(
            lambda n: searches_apart(state, n, seed, threads), lambda n: search(state, n, seed), seconds
        )
        title = ngettext(
            "2 players: {n} search apart, times one thread", "2 players: {n} searches apart, times one thread", threads
        )
        yield Figure("2p.apart", title, threads * median(ratios), "x", threads * max(ratios))


def search(state: PackedState, times: int, seed: int, threads: int = 1, settings: SearchSettings | None = None) -> None:
    for i in range(times):
        Search(state, seed=seed + i, threads=threads, settings=settings).finish(SEARCHED)


def searches_apart(state: PackedState, times: int, seed: int, threads: int) -> None:
    """As many searches at once."""
    running = [Thread(target=search, args=(state, times, seed + i)) for i in range(threads)]
    for each in running:
        each.start()
    for each in running:
        each.join()


def times_as_fast(one: Callable[[int], object], other: Callable[[int], object], seconds: float) -> list[float]:
    """How many times as fast as the other the first is, timed in turns; each does n times the same."""

    def seconds_for(run: Callable[[int], object], times: int) -> float:
        start = perf_counter()
        run(times)
        return perf_counter() - start

    # The first of each is not counted: memory not used for a while is slow the first time.
    times = max(1, int(seconds / ROUNDS / (seconds_for(one, 1) + seconds_for(other, 1))))
    return [seconds_for(other, times) / seconds_for(one, times) for _ in range(ROUNDS)]


# ---- the endgame -----------------------------------------------------------------------------------

TURNS_LEFT = (4, 5, 6, 7, 8)  # with a set of positions each
ENDINGS = 50  # for each of them
NEVER = float("inf")  # the time of a position that was not solved


def endgame_positions(turns_left: int, players: int = 2) -> list[Position]:
    """The fixed set: one position from each game between strong players, by benchmarks/endgames.py; for three and
    four players, one from each sensible game."""
    from ..notation import read_position

    if players > 2:
        return [sensible_ending(players, turns_left, seed) for seed in range(1, ENDINGS + 1)]
    text = (files("orbis_search") / "data" / "endgames" / f"turns-{turns_left}.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [read_position(line, f"turns-{turns_left}.txt, position {i}") for i, line in enumerate(lines, 1)]


def sensible_ending(players: int, turns_left: int, seed: int) -> Position:
    rng = Random(seed)
    packing = Packing(new_game(load_tile_set(DEFAULT_TILE_SET), players, rng))
    for _turn in play_turns(packing.state, TURNS_PER_PLAYER * players - turns_left, rng, "sensible"):
        pass
    return packing.position(packing.state)


@dataclass(frozen=True, slots=True)
class Solved:
    """How one position of a set went."""

    number: int  # in its set, from 1
    finished: bool
    seconds: float  # by the clock
    cpu: float  # seconds of processor time, of all threads
    nodes: int
    value: str | None  # of the best move, if that is proved


@dataclass(frozen=True, slots=True)
class EndgameFigures:
    """For a set of positions. Seconds are NEVER where that many positions were not solved in time."""

    positions: int
    solved: int
    median: float
    ninety: float  # nine of ten positions took no longer
    most: float
    nodes: int  # of all positions
    median_nodes: int


class Way(NamedTuple):
    """How the solver works through a set of endings."""

    threads: int
    ideas: int  # bits of those it uses
    left_out: str | None = None  # of an ablation: the idea left out, empty for none

    @property
    def name(self) -> str:
        """For programs."""
        if self.left_out is None:
            return f"{self.threads} thread{'s' if self.threads > 1 else ''}"
        return f"without {self.left_out}" if self.left_out else "all ideas"


def threads_ways(threads: Sequence[int], without: Sequence[str] = ()) -> list[Way]:
    """With each number of threads, and all ideas but these."""
    ideas = ALL_IDEAS & ~sum(IDEAS[name] for name in set(without))
    return [Way(number, ideas) for number in dict.fromkeys(threads)]


def ablation_ways(threads: int) -> list[Way]:
    """With all ideas, then without each of them."""
    return [Way(threads, ALL_IDEAS, ""), *(Way(threads, ALL_IDEAS & ~bit, name) for name, bit in IDEAS.items())]


def solve_for_bench(
    position: Position,
    number: int,
    *,
    seconds: float,
    goal: str,
    objective: str = "win",
    threads: int = 1,
    memory: int = 256 << 20,
    ideas: int = ALL_IDEAS,
) -> Solved:
    """The solver alone is timed, from the packed position to the proof."""
    state = Packing(position).state.game_state()
    start, cpu = perf_counter(), process_time()
    solver = Solver(state, goal=goal, objective=objective, threads=threads, memory=memory, ideas=ideas)
    finished, interrupted = watch(solver, solver.run, seconds=seconds)
    took, cpu = perf_counter() - start, process_time() - cpu
    if interrupted:
        raise KeyboardInterrupt
    best = solver.best()
    value = next((str(low) for what, detail, low, _ in solver.rows() if (what, detail) == best), None)
    return Solved(number, finished, took, cpu, solver.nodes, value)


def endgame_figures(results: Sequence[Solved]) -> EndgameFigures:
    times = sorted(each.seconds if each.finished else NEVER for each in results)
    nodes = [each.nodes for each in results]
    n = len(results)
    return EndgameFigures(
        positions=n,
        solved=sum(each.finished for each in results),
        median=times[(n - 1) // 2],  # half of the positions took no longer
        ninety=times[max(0, -(-9 * n // 10) - 1)],
        most=times[-1],
        nodes=sum(nodes),
        median_nodes=sorted(nodes)[(n - 1) // 2],
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """The same positions solved in two ways; nodes and seconds of those that both solved."""

    both: int
    only_first: int
    only_second: int
    nodes: tuple[int, int]
    seconds: tuple[float, float]


def compare_results(first: Sequence[Solved], second: Sequence[Solved]) -> Comparison:
    pairs = [(a, b) for a, b in zip(first, second) if a.finished and b.finished]
    return Comparison(
        both=len(pairs),
        only_first=sum(a.finished and not b.finished for a, b in zip(first, second)),
        only_second=sum(b.finished and not a.finished for a, b in zip(first, second)),
        nodes=(sum(a.nodes for a, _ in pairs), sum(b.nodes for _, b in pairs)),
        seconds=(sum(a.seconds for a, _ in pairs), sum(b.seconds for _, b in pairs)),
    )


def hard_half(first: Sequence[Solved], second: Sequence[Solved]) -> Comparison:
    """Of those that both solved, the half on which the first was slower."""
    pairs = sorted(
        ((a, b) for a, b in zip(first, second) if a.finished and b.finished), key=lambda pair: -pair[0].seconds
    )
    pairs = pairs[: (len(pairs) + 1) // 2]
    return compare_results([a for a, _ in pairs], [b for _, b in pairs])
