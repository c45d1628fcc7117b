"""Games of the search against itself, and what a network is to learn from them.

A game is played on a random tile set, or on ours. Most moves are those that a short search visits most; some are drawn
by their visits or chosen sensibly at random, so that the network sees what is not best too. Of each position is kept
what a network sees, the search's shares of the victory, how the game ended, and for how many turns the best was played
from there on. One seed makes one and the same game.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from itertools import accumulate
from random import Random
from typing import Any

from ..core.packing import Packing
from ..core.states import PackedState
from ..game.rules import new_game
from ..game.tiles import DEFAULT_TILE_SET, RANDOM_PREFIX
from ..search.driver import Search
from ..search.settings import LEARNED, PLAYOUT, SearchSettings
from ..tileset.library import load_tile_set

MEMORY = 8 << 20
OURS_PART = 1 / 3  # of the games: on our set, the others on random ones
SETS = 20_000  # random tile sets to train on: random:1 to this ...
HELD_OUT = 1_000_000  # ... and those from here on no network is trained on
OPENING_ROUNDS = 3  # in which more moves are drawn by their visits
# How often a move of two players is drawn by its visits, and how often sensibly chosen. More players make fewer of
# each, for as many in a game: else hardly a result would come of good play.
DRAWN_EARLY, DRAWN, SENSIBLE = 0.4, 0.1, 0.03
SIMS_SPREAD = (0.5, 1.0, 1.5)  # of the simulations a move, one for each game
POINTS = 12  # sources of points; see `breakdown` of a packed state
FACTS = 15  # numbers about how a player ended: sources, worshipers left, level with the best of the others, share then

SAMPLES = ("inputs", "values", "results", "well_played", "facts", "turns_left")


@dataclass(frozen=True, slots=True)
class GamesJob:
    """Some games, all seeded alike: a unit of work."""

    seed: int
    generation: int
    players: int
    number: int
    games: int
    sims: int
    network: str | None = None  # a file; None plays by playouts
    tiles: str | None = None  # a set for all games
    held_out: bool = False


def play_games(job: GamesJob) -> bytes:
    """The samples of all games, in numpy's form of a file: those named in SAMPLES."""
    import numpy as np

    rng = Random(f"{job.seed} {job.generation} {job.players} {job.number}")
    evaluation = PLAYOUT if job.network is None else LEARNED
    settings = SearchSettings(evaluation=evaluation, network=job.network)
    samples = _Samples(job.players)
    for _ in range(job.games):
        start = new_game(load_tile_set(tiles_of(job, rng)), job.players, rng)
        play_game(Packing(start).state, settings, job.sims, rng, samples)
    out = BytesIO()
    np.savez_compressed(out, **samples.arrays())
    return out.getvalue()


def tiles_of(job: GamesJob, rng: Random) -> str:
    """The tile set of the next game."""
    if job.tiles is not None:
        return job.tiles
    number = rng.randrange(SETS)
    if rng.random() < OURS_PART:
        return DEFAULT_TILE_SET
    return f"{RANDOM_PREFIX}{number + (HELD_OUT if job.held_out else 1)}"


def play_game(state: PackedState, settings: SearchSettings, sims: int, rng: Random, samples: _Samples) -> None:
    sims = max(2, int(sims * rng.choice(SIMS_SPREAD)))
    opening = state.turns_left - OPENING_ROUNDS * state.players
    while state.turns_left:
        search = Search(state, seed=rng.getrandbits(32), memory=MEMORY, settings=settings)
        search.finish(sims)
        rows = search.moves()
        best = rows[0]
        shares = [share / best.visits for share in best.shares]
        move = best.what, best.detail
        luck = rng.random() * state.players / 2
        if luck < SENSIBLE:
            move = state.choose("sensible", rng.getrandbits(32))
        elif luck < SENSIBLE + (DRAWN_EARLY if state.turns_left > opening else DRAWN):
            row = rng.choices(rows, [row.visits for row in rows])[0]
            move = row.what, row.detail
        samples.add(state, shares, move == (best.what, best.detail))
        state.apply(move)
        if drawn := state.draws():
            state.refill(rng.choice(drawn))
    samples.end(state)


class _Samples:
    """Of several games; players in turn from the one to move."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.inputs: list[bytes] = []
        self.values: list[list[float]] = []
        self.results: list[list[float]] = []
        self.well_played: list[int] = []  # turns
        self.facts: list[list[float]] = []
        self.turns_left: list[int] = []
        self.best: list[bool] = []  # whether that was played, in this game

    def add(self, state: PackedState, shares: list[float], best: bool) -> None:
        """A position, what the search says of it, and whether its best move is played."""
        self.inputs.append(state.inputs())
        self.values.append(self._from(state.to_move, shares))
        self.turns_left.append(state.turns_left)
        self.best.append(best)

    def end(self, state: PackedState) -> None:
        """The game is over: what is known now is so for all its positions."""
        shares = state.shares()
        result = [share / sum(shares) for share in shares]
        ends = state.breakdown()
        points = [sum(end[:POINTS]) for end in ends]
        facts = []
        for who, end in enumerate(ends):
            level = points[who] == max(points[:who] + points[who + 1 :])
            facts.append([*end, float(level), level * result[who]])
        well_played = list(accumulate(reversed(self.best), lambda turns, best: turns + 1 if best else 0, initial=0))
        self.well_played += reversed(well_played[1:])
        self.best.clear()
        for turns_left in self.turns_left[len(self.results) :]:
            mover = -turns_left % self.players
            self.results.append(self._from(mover, result))
            self.facts.append([number for each in self._from(mover, facts) for number in each])

    def _from(self, mover: int, by_player: list[Any]) -> list[Any]:
        return by_player[mover:] + by_player[:mover]

    def arrays(self) -> dict[str, Any]:
        import numpy as np

        return {
            "inputs": np.frombuffer(b"".join(self.inputs), np.int16).reshape(len(self.inputs), -1),
            "values": np.array(self.values, np.float32),
            "results": np.array(self.results, np.float32),
            "well_played": np.array(self.well_played, np.uint8),
            "facts": np.array(self.facts, np.float32),
            "turns_left": np.array(self.turns_left, np.uint8),
        }
