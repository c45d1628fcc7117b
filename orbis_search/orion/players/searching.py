"""Players on the compiled core:

    random, sensible    the same as by the plain rules, faster
    flat                flat Monte Carlo: games to the end behind each move, the better half of the moves kept again
                        and again
    uct                 a plain tree search with random games to the end
    advisor             the tree search

A player may see a position as its seat does, or all of it: what it cannot know makes no difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from time import perf_counter

from ...base.dice import Dice
from ...search.settings import SearchSettings
from ...search.trees import TreeSearch
from ..core.packing import PackedMove, Packing
from ..core.states import MARGIN_SCALE, PackedState
from ..game.knowledge import complete
from ..game.position import Move, Position
from ..search.standing import root_of
from ..search.tree import PLAIN, SETTINGS

MEMORY = 128 << 20
DEFAULTS = SearchSettings()
KINDS = ("random", "sensible", "flat", "uct", "advisor")


@dataclass(frozen=True, slots=True)
class CorePlayer:
    """A player of one of the kinds. Those that search stop after so many simulations, or so many seconds."""

    kind: str
    sims: int | None = None
    seconds: float | None = None
    threads: int = 1
    settings: SearchSettings = DEFAULTS

    def choose(self, position: Position, seed: int) -> Move:
        """A legal move."""
        packing = Packing(position if position.is_complete else complete(position, Dice(0)))
        return packing.unpack_move(self.choose_packed(packing.state, seed))

    def choose_packed(self, state: PackedState, seed: int) -> PackedMove:
        moves = state.moves()
        if len(moves) == 1:
            return moves[0]
        return CHOOSERS[self.kind](self, state, seed)

    def close(self) -> None:
        pass


def _simple(player: CorePlayer, state: PackedState, seed: int) -> PackedMove:
    return state.choose(player.kind, seed)


def _tree(player: CorePlayer, state: PackedState, seed: int) -> PackedMove:
    settings = player.settings.over(PLAIN if player.kind == "uct" else SETTINGS)
    search = TreeSearch(root_of(state, settings), settings, seed=seed, threads=player.threads, memory=MEMORY)
    search.finish(player.sims, player.seconds)
    return search.best()


def _flat(player: CorePlayer, state: PackedState, seed: int) -> PackedMove:
    """Sequential halving. Each sweep over the moves uses the same world and the same luck, so that neither favours a
    move."""
    start, rng, used = perf_counter(), Random(seed), 0
    sums = dict.fromkeys(state.moves(), 0.0)
    left = list(sums)
    settings = player.settings.over(SETTINGS).complete()
    win_part = 0.5 if settings.win_part is None else settings.win_part
    phases = max(1, math.ceil(math.log2(len(left))))
    for phase in range(1, phases + 1):
        part = phase / phases
        while True:
            if player.seconds is not None:
                if used and perf_counter() - start >= player.seconds * part:
                    break
            elif used >= (player.sims or 0) * part:
                break
            for move, (share, ahead) in zip(left, state.try_out(left, rng.getrandbits(64))):
                margin = ahead / (settings.margin_scale or MARGIN_SCALE)
                sums[move] += win_part * share + (1 - win_part) * (0.5 + 0.5 * margin / (1 + abs(margin)))
            used += len(left)
        left.sort(key=lambda move: -sums[move])  # each has had as many games
        del left[(len(left) + 1) // 2 :]
    return left[0]


CHOOSERS: Mapping[str, Callable[[CorePlayer, PackedState, int], PackedMove]] = {
    "random": _simple,
    "sensible": _simple,
    "flat": _flat,
    "uct": _tree,
    "advisor": _tree,
}
