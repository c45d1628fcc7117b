"""How good the advisor's sampled moves are where the truth is known: endings of one to three turns.

The endings come from sensible games of two players, in turn on our tile set and on random ones, with one, two and three
turns left. The search works without the solver's help; the solver then says what the best move and the recommended one
are worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from random import Random

from ..base.errors import InputError
from ..base.jobs import Workers, all_answered, do_in_order
from ..core.fast_rules import play_turns
from ..core.packing import Packing, unpack_move
from ..game.rules import new_game
from ..game.vocabulary import TURNS
from ..search.driver import Search
from ..solver.data import Solution
from ..solver.endgame import solve
from ..tileset.library import load_tile_set

PLAYERS = 2
TURNS_LEFT = (1, 2, 3)
MEMORY = 64 << 20
ANOTHER_GAME = 1_000_000  # added to the seed of an ending that the solver does not take


@dataclass
class AdviceTally:
    endings: int = 0
    decided: int = 0  # endings in which it matters: not all moves are equally good
    optimal: int = 0
    given_away: Fraction = Fraction(0)  # of win probability, all endings together
    worst: Fraction = Fraction(0)
    missed: list[str] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return float(self.given_away / self.endings) if self.endings else 0.0


@dataclass(frozen=True, slots=True)
class Verdict:
    name: str
    loss: Fraction
    is_decided: bool


def verify_advice(endings: int, simulations: int, seed: int = 0, workers: Workers | int = 1) -> Iterator[AdviceTally]:
    """Yields the running tally after each ending."""
    tally = AdviceTally()
    jobs = [(number, simulations) for number in range(seed, seed + endings)]
    for _, verdict in all_answered(do_in_order(_job, jobs, workers)):
        tally.endings += 1
        tally.decided += verdict.is_decided
        tally.optimal += not verdict.loss
        tally.given_away += verdict.loss
        tally.worst = max(tally.worst, verdict.loss)
        if verdict.loss:
            tally.missed.append(f"{verdict.name}: {float(verdict.loss):.4f}")
        yield tally


def _job(job: tuple[int, int]) -> Verdict:
    return judge(*job)


def judge(number: int, simulations: int) -> Verdict:
    """Plays a game to ending `number`, asks the search for a move and the solver for the truth."""
    left = TURNS_LEFT[number % len(TURNS_LEFT)]
    spec = "reconstruction" if number % 2 else f"random:{number}"
    packing, solution = _solved_ending(number, left, spec)
    position = solution.position
    search = Search(packing.state, seed=number, memory=MEMORY)
    search.finish(simulations)
    move = unpack_move(search.best())
    best = max(each.low for each in solution.moves)
    worth = next((each.low for each in solution.moves if each.move == move), None)
    if worth is None:
        worth = solve(position, moves=[move]).moves[0].low
    worst = min(each.low for each in solution.moves)
    return Verdict(f"ending {number}, {left} turns left, {spec}", best - worth, worst < best)


def _solved_ending(number: int, left: int, spec: str) -> tuple[Packing, Solution]:
    """Of the first such game whose ending has no more moves than the solver takes."""
    for seed in count(number, ANOTHER_GAME):
        packing = Packing(new_game(load_tile_set(spec), PLAYERS, Random(seed)))
        for _ in play_turns(packing.state, TURNS * PLAYERS - left, Random(seed), "sensible"):
            pass
        try:
            return packing, solve(packing.position(packing.state), goal="all")
        except InputError:
            continue
    raise AssertionError("seeds do not end")
