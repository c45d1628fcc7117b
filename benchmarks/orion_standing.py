"""Fits what Orion's search makes of a standing between rounds (src_ext/orbis_search/_core/orion/standing.pyx).

    python benchmarks/orion_standing.py --games 30000 -o first.json
    python benchmarks/orion_standing.py --games 3000 --sims 60 --from first.json -o second.json

Games are played to their end as playouts are, or by the search with the weights of an earlier run; with some random
moves, so that good and bad standings are seen. At the beginning of each round from the second on every side is written
down; the weights are those with the least squares between what they foresee of its points at the end and what came, by
source, number of players and round. Half of the games are on card sets made up from seeds, so that nothing is learned
about ours alone. Then the spread: with how many points ahead a victory is how likely.

Prints for each number of players and round, of games that were not used: the part of the variance of the points ahead
that is foreseen, and the mean logarithm of the chance given to the winner, beside that of a fair share. Needs numpy.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from orbis_search.base.dice import Dice
from orbis_search.orion.cards.library import load_card_set
from orbis_search.orion.core.packing import Packing
from orbis_search.orion.core.states import PackedState, StandingWeights
from orbis_search.orion.game.cards import DEFAULT_CARD_SET
from orbis_search.orion.game.rules import new_game
from orbis_search.orion.game.vocabulary import ROUNDS
from orbis_search.orion.players.arena import drawn_races
from orbis_search.orion.search.standing import FORMAT, VERSION, checksum_of, read_standing, weights_of
from orbis_search.orion.search.tree import SETTINGS
from orbis_search.search.trees import TreeSearch

PLAYERS = (2, 3, 4)
DEALS = 20  # games of one choice of cards, races and advisors
RIDGE = 3.0
STRANGE = 4  # random moves at the beginning of a round, at most; too few to end it
MEMORY = 4 << 20
TESTED = 5  # one of so many games is not used for fitting


def played_games(
    players: int, games: int, seed: int, sims: int, weights: StandingWeights | None
) -> Iterator[tuple[dict[int, Any], Any, Any]]:
    """(features of each side by round, points of each by source, shares of the victory)."""
    rng = Random(f"standing {players} {seed}")
    for number in range(games):
        if number % DEALS == 0:
            box = DEFAULT_CARD_SET if number // DEALS % 2 else f"random:{rng.getrandbits(31)}"
            cards = load_card_set(box)
            dice = Dice(rng.getrandbits(53))
            start = Packing(new_game(cards, drawn_races(cards, players, dice), dice)).state
        guess = start.guess(None, rng.getrandbits(63))
        state = PackedState(guess.table, guess.fields())  # no longer a guess
        yield written_down(state, players, rng, sims, weights)


def written_down(
    state: PackedState, players: int, rng: Random, sims: int, weights: StandingWeights | None
) -> tuple[dict[int, Any], Any, Any]:
    strange = rng.randrange(STRANGE + 1)  # in each round
    seen: dict[int, Any] = {}
    while not state.is_over:
        for _ in range(strange):
            state.draw_at_random(rng.getrandbits(63))
            state.apply(state.choose("random", rng.getrandbits(63)))
        if sims:
            search_through(state, rng, sims, weights)
        else:
            state.play_through("quick", state.round, rng.getrandbits(63))
        if not state.is_over:
            seen[state.round] = np.array([state.features(seat) for seat in range(players)])
    return seen, np.array(state.points(), dtype=float), np.array(state.shares())


def search_through(state: PackedState, rng: Random, sims: int, weights: StandingWeights | None) -> None:
    """On to the first action of the next round, every decision by a search."""
    now = state.round
    while not state.is_over:
        state.draw_at_random(rng.getrandbits(63))
        if state.is_over or (state.round > now and state.at_actions):
            return
        moves = state.moves()
        if len(moves) > 1:
            search = TreeSearch(state.game_state(weights=weights), SETTINGS, seed=rng.getrandbits(63), memory=MEMORY)
            search.finish(sims)
            moves = [search.best()]
        state.apply(moves[0])


def chances(points: Any, spread: float) -> Any:
    """Of each player, in each of many games."""
    odds = np.exp((points - points.max(axis=1, keepdims=True)) / spread)
    return odds / odds.sum(axis=1, keepdims=True)


def log_loss(points: Any, shares: Any, spread: float) -> float:
    return float(-(shares * np.log(np.maximum(chances(points, spread), 1e-12))).sum(axis=1).mean())


def ahead(points: Any) -> Any:
    """Of the best other, each player in each game."""
    players = points.shape[1]
    others = [np.delete(points, seat, axis=1).max(axis=1) for seat in range(players)]
    return points - np.stack(others, axis=1)


def fit_round(features: Any, points: Any, shares: Any) -> tuple[Any, float]:
    """Weights by source, and the spread. `features` by game, side and feature; `points` by game, side and source."""
    flat = features.reshape(-1, features.shape[2])
    scale = flat.std(axis=0) + 1e-9
    scale[0] = 1
    x = flat / scale
    squares = x.T @ x + RIDGE * np.eye(x.shape[1])
    weights = np.linalg.solve(squares, x.T @ points.reshape(-1, points.shape[2])).T / scale
    weights[:, scale <= 1e-9] = 0
    foreseen = (features @ weights.T).sum(axis=2)
    spreads = np.exp(np.linspace(np.log(0.5), np.log(30), 200))
    return weights, float(min(spreads, key=lambda spread: log_loss(foreseen, shares, spread)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000, help="for each number of players")
    parser.add_argument("--players", type=int, nargs="+", default=PLAYERS)
    parser.add_argument("--sims", type=int, default=0, help="of the search, for each decision; 0: as playouts")
    parser.add_argument("--from", dest="start", type=Path, help="weights for that search")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default="standing", help="what the file calls itself")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    made: dict[str, Any] = {"games": given.games, "sims": given.sims, "seed": given.seed}
    told: dict[str, Any] = {"format": FORMAT, "version": VERSION, "name": given.name, "made": made, "players": {}}
    start = read_standing(str(given.start)) if given.start else None
    if start:
        made["from"] = f"{start['name']} {start['checksum'][:8]}"
    for players in given.players:
        weights = weights_of(start, players) if start else None
        games = list(played_games(players, given.games, given.seed, given.sims, weights))
        rounds, spreads = [], []
        for number in range(2, ROUNDS + 1):
            there = [(seen[number], points, shares) for seen, points, shares in games if number in seen]
            features, points, shares = (np.array(each) for each in zip(*there))
            used = np.arange(len(features)) % TESTED > 0
            weights, spread = fit_round(features[used], points[used], shares[used])
            rounds.append([[float(f"{weight:.5g}") for weight in row] for row in weights])
            spreads.append(float(f"{spread:.5g}"))
            foreseen = (features[~used] @ weights.T).sum(axis=2)
            came, said = ahead(points[~used].sum(axis=2)), ahead(foreseen)
            known = 1 - ((came - said) ** 2).mean() / came.var()
            loss = log_loss(foreseen, shares[~used], spread)
            print(
                f"{players} players, round {number}: {len(features):,} games, {known:.3f} of the points ahead, "
                f"log loss {loss:.3f} of {np.log(players):.3f}, spread {spread:.2f}",
                flush=True,
            )
        told["players"][str(players)] = {"rounds": rounds, "spreads": spreads}
    if given.output:
        told["checksum"] = checksum_of(told)
        given.output.write_text(json.dumps(told) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
