"""The same pieces of work for a stopwatch (`pytest benchmarks`) and for a counter of instructions (`instructions.py`,
`profiling.py`): each item does so much of one thing inside one function of the core, from a fixed position and seed.

Run as a program it does what it is told, item by item, for a counter that watches it from outside.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import NamedTuple

from orbis_search._core.orbis.core import ALL, SEARCH, PackedState
from orbis_search._core.search.endgame import Solver
from orbis_search._core.search.ismcts import Tree
from orbis_search.core.packing import unpack_move
from orbis_search.measure.fixed_work import packing_of
from orbis_search.search.driver import learned_settings
from orbis_search.search.networks import built_in, evaluation_for
from orbis_search.search.settings import DEFAULTS

SEED = 1
MEMORY = 64 << 20


class Item(NamedTuple):
    """`run(n)` does about n of something and says how many units it did. The first `short` units of a run of `long`
    are those of a run of `short`, so what lies between them is work alone, whatever it takes to begin."""

    unit: str
    short: int
    long: int
    run: Callable[[int], int]


def state(name: str) -> PackedState:
    return packing_of(name).state


def repeated(name: str, function: Callable[..., object], *arguments: object) -> Callable[[int], int]:
    """A function of the state that does its one thing n times."""

    def run(n: int) -> int:
        function(state(name), n, *arguments)
        return n

    return run


def usual_move(name: str) -> tuple[int, int]:
    """A region that is paid for and placed."""
    moves = state(name).moves(SEARCH)
    return next(move for move in moves if unpack_move(move).slot and not unpack_move(move).wild)


def generation(name: str, prune: int) -> Callable[[int], int]:
    return lambda n: n * state(name).time_moves(n, prune)


def playouts(name: str, style: str) -> Callable[[int], int]:
    def run(n: int) -> int:
        state(name).playouts(n, SEED, style)
        return n * state(name).turns_left

    return run


def search(name: str, learned: bool = False) -> Callable[[int], int]:
    def run(n: int) -> int:
        network = evaluation_for(DEFAULTS, state(name).players).network if learned else None
        settings = learned_settings(state(name).players).over(DEFAULTS) if learned else DEFAULTS
        tree = Tree(state(name).game_state(network=network), settings, seed=SEED, pool_bytes=MEMORY)
        tree.run(n)
        return tree.simulations

    return run


def evaluations(name: str) -> Callable[[int], int]:
    def run(n: int) -> int:
        state(name).time_evaluations(n, built_in().networks[state(name).players])
        return n

    return run


def solver(name: str) -> Callable[[int], int]:
    def run(n: int) -> int:
        solver = Solver(state(name).game_state(), goal="best", memory=MEMORY)
        solver.run(nodes=n)
        return solver.nodes

    return run


CORE = {
    **{
        f"copy.{players}": Item("copy", 1000, 9000, repeated(f"{players}-start", PackedState.time_copies))
        for players in (2, 3, 4)
    },
    "generate.2-middle": Item("move", 20, 220, generation("2-middle", ALL)),
    "generate.4-late": Item("move", 2, 12, generation("4-late", ALL)),
    "generate-search.2-middle": Item("move", 20, 520, generation("2-middle", SEARCH)),
    "apply.2-middle": Item("move", 100, 5100, repeated("2-middle", PackedState.time_applies, usual_move("2-middle"))),
    "score.2-late": Item("count", 100, 5100, repeated("2-late", PackedState.time_scores)),
    "score.4-late": Item("count", 100, 5100, repeated("4-late", PackedState.time_scores)),
    "determinize.2-start": Item("shuffle", 100, 2100, repeated("2-start", PackedState.time_shuffles, SEED)),
    "determinize.4-start": Item("shuffle", 100, 2100, repeated("4-start", PackedState.time_shuffles, SEED)),
    **{
        f"playout.{players}-start": Item("turn", 20, 420, playouts(f"{players}-start", "random"))
        for players in (2, 3, 4)
    },
    "evaluate.2-middle": Item("look", 100, 1100, evaluations("2-middle")),
    "sampled-playout.2-start": Item("turn", 20, 220, playouts("2-start", "sampled")),
}
SEARCHES = {
    f"search.{name}": Item("simulation", 100, 1600, search(name)) for name in ("2-start", "2-middle", "4-middle")
} | {
    f"learned-search.{name}": Item("simulation", 100, 1600, search(name, learned=True))
    for name in ("2-start", "2-middle")
}
SOLVERS = {
    "solve.2-five-a": Item("node", 2_000, 22_000, solver("2-five-a")),
    "solve.4-three-b": Item("node", 2_000, 42_000, solver("4-three-b")),
}
ITEMS = CORE | SEARCHES | SOLVERS


def main() -> None:
    """NAME AMOUNT, NAME AMOUNT and so on: each is done once in vain, as a counter knows a function only once it was
    called, and then for good. Prints the units of each as JSON."""
    asked = list(zip(sys.argv[1::2], map(int, sys.argv[2::2])))
    units = []
    for name, amount in asked:
        ITEMS[name].run(1)
        units.append(ITEMS[name].run(amount))
    json.dump(units, sys.stdout)


if __name__ == "__main__":
    main()
