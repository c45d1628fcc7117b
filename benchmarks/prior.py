"""How well the prior foresees where a search goes, and what a better one could bring.

    python benchmarks/prior.py --positions 400

The advisor plays itself with short searches, on our tiles and on random ones, and one position of each game is searched
for longer. Printed is the mean cross-entropy of the visits to its moves, in nats, by several priors: the weights of the
core, as they are and flattened to a power; what the network thinks of the position behind each move, of which it is
asked once for a few of the draws; and both. No prior can be below the entropy of the visits, which is printed too. The
constants of the last two are the best of a few, on the same positions.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from math import exp, log
from random import Random
from statistics import fmean
from typing import NamedTuple

from tqdm import tqdm

from orbis_search.core.packing import Packing
from orbis_search.core.searches import Network
from orbis_search.core.states import PackedState
from orbis_search.game.rules import new_game
from orbis_search.game.tiles import DEFAULT_TILE_SET
from orbis_search.search.driver import Search
from orbis_search.search.networks import built_in
from orbis_search.tileset.library import load_tile_set

PLAYERS = 2
FIRST_RANDOM_SET = 500_000
LAST_TURN = 24  # of which a position is looked at
GAME_SIMS, SIMS, MEMORY = 60, 4_000, 32 << 20
DRAWS = 4  # behind each move
POWERS = (1.0, 0.8, 0.6, 0.4)
SLOPES = (10.0, 20.0, 30.0, 40.0)  # of the mover's share in the log of the prior


class Choice(NamedTuple):
    """A move: its weight, what the network thinks of it, and its part of the visits."""

    weight: float
    share: float
    visited: float


def position(number: int, rng: Random) -> PackedState:
    tiles = DEFAULT_TILE_SET if number % 2 else f"random:{FIRST_RANDOM_SET + number}"
    state = Packing(new_game(load_tile_set(tiles), PLAYERS, rng)).state
    for _turn in range(rng.randrange(LAST_TURN)):
        search = Search(state, seed=rng.getrandbits(32), memory=MEMORY)
        search.finish(GAME_SIMS)
        state.apply(search.best())
        if drawn := state.draws():
            state.refill(rng.choice(drawn))
    return state


def choices(state: PackedState, network: Network, rng: Random) -> list[Choice]:
    search = Search(state, seed=1, memory=MEMORY)
    search.finish(SIMS)
    found = []
    for row in search.moves():
        after = state.copy()
        after.apply((row.what, row.detail))
        drawn = after.draws()
        shares = []
        for tile in rng.sample(drawn, min(DRAWS, len(drawn))) or [None]:
            then = after.copy()
            if tile is not None:
                then.refill(tile)
            shares.append(then.evaluate(network)[0][state.to_move])
        found.append(Choice(row.weight, fmean(shares), row.visits / search.simulations))
    return found


def cross_entropy(positions: Sequence[list[Choice]], score: Callable[[Choice], float]) -> float:
    """Of the visits, by a prior that is the exponential of the score."""
    losses = []
    for each in positions:
        scores = [score(choice) for choice in each]
        most = max(scores)
        whole = most + log(sum(exp(number - most) for number in scores))
        losses.append(-sum(choice.visited * (number - whole) for choice, number in zip(each, scores)))
    return fmean(losses)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = Random(options.seed)
    network = built_in().networks[PLAYERS]
    found = [choices(position(number, rng), network, rng) for number in tqdm(range(options.positions), disable=None)]
    entropy = fmean(-sum(c.visited * log(c.visited) for c in each if c.visited) for each in found)
    print(f"{len(found)} positions, {fmean(map(len, found)):.0f} moves each; entropy of the visits {entropy:.2f}")
    for power in POWERS:
        print(f"weights to the power of {power}: {cross_entropy(found, lambda c: power * log(c.weight)):.2f}")
    print(f"the network: {min(cross_entropy(found, lambda c: slope * c.share) for slope in SLOPES):.2f}")
    both = min(
        cross_entropy(found, lambda c: power * log(c.weight) + slope * c.share) for power in POWERS for slope in SLOPES
    )
    print(f"both: {both:.2f}")


if __name__ == "__main__":
    main()
