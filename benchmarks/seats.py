"""Why chances and results differ by seat: what playouts, the search and games played on say of the same positions.

    python benchmarks/seats.py
    python benchmarks/seats.py --random --games 40

The search plays itself with two players, and positions so many turns into each game are kept. For each number of turns
played: the first player's part of the victory as random, sampled and sensible playouts have it, as a search says it,
and as it comes out when games go on from there, all turns chosen by short searches. The last is nearest to the truth.

Then the same positions six turns before the end, played on sensibly but for some turns that are chosen by short
searches: what one good turn among weak ones is worth. Wherever a search meets the second player's turn at the edge of
its tree, that player still has one weak turn more than the first.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from random import Random
from statistics import fmean

from tqdm import tqdm

from orbis_search.core.packing import Packing
from orbis_search.core.states import PackedState
from orbis_search.game.rules import new_game
from orbis_search.game.tiles import DEFAULT_TILE_SET
from orbis_search.game.vocabulary import TURNS
from orbis_search.search.driver import Search
from orbis_search.tileset.library import load_tile_set

PLAYERS = 2
KEPT = (0, 6, 14, 20, 24, 26)  # turns played
LATE = 24
STYLES = ("random", "sampled", "sensible")
PLAYOUTS, SEARCHED, GOOD = 400, 20_000, 300  # playouts, simulations of a search, and of a good turn
GAME_SIMS = 1_000
GOOD_TURNS: Sequence[tuple[int, ...]] = ((), (29,), (28, 29), (27, 28, 29), (26, 27, 28, 29), tuple(range(24, 30)))


def first_share(state: PackedState) -> float:
    shares = state.shares()
    return shares[0] / sum(shares)


def play(
    state: PackedState, rng: Random, good: Collection[int], simulations: int, kept: dict[int, PackedState]
) -> float:
    """Plays to the end; the turns in `good` by searches, the others sensibly. Returns the first player's part."""
    while state.turns_left:
        turn = PLAYERS * TURNS - state.turns_left
        if turn in KEPT:
            kept[turn] = state.copy()
        if turn in good:
            search = Search(state, seed=rng.getrandbits(32))
            search.finish(simulations)
            state.apply(search.best())
        else:
            state.apply(state.choose("sensible", rng.getrandbits(32)))
        if drawn := state.draws():
            state.refill(rng.choice(drawn))
    return first_share(state)


def said(state: PackedState) -> float:
    """By a search, of the move visited most."""
    search = Search(state, seed=1)
    search.finish(SEARCHED)
    best = search.moves()[0]
    return best.shares[0] / best.visits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--again", type=int, default=4, help="games played on from each position")
    parser.add_argument("--random", action="store_true", help="each game on a random tile set of its own, not on ours")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()

    every = range(PLAYERS * TURNS)
    positions: list[dict[int, PackedState]] = []
    results = []
    for number in tqdm(range(given.seed, given.seed + given.games), unit="game", disable=None):
        tiles = load_tile_set(f"random:{number}" if given.random else DEFAULT_TILE_SET)
        kept: dict[int, PackedState] = {}
        start = Packing(new_game(tiles, PLAYERS, Random(number))).state
        results.append(play(start, Random(number), every, GAME_SIMS, kept))
        positions.append(kept)

    print(
        f"{given.games} games on {'random tiles' if given.random else 'our tiles'}, the first player's part in per cent"
    )
    print(f"won in them {100 * fmean(results):.1f}")
    print(f"{'turns played':>12}{''.join(f'{style:>10}' for style in STYLES)}{'search':>10}{'played on':>10}")
    for turn in tqdm(KEPT, unit="row", disable=None):
        states = [kept[turn] for kept in positions]
        row = []
        for style in STYLES:
            sums = [state.playouts(PLAYOUTS, 1, style)[0] for state in states]
            row.append(fmean(shares[0] / sum(shares) for shares in sums))
        row.append(fmean(map(said, states)))
        row.append(
            fmean(
                play(state.copy(), Random(f"{turn} {i} {k}"), every, GOOD, {})
                for i, state in enumerate(states)
                for k in range(given.again)
            )
        )
        print(f"{turn:>12}{''.join(f'{100 * each:>10.1f}' for each in row)}", flush=True)

    print(f"\n{'good turns after ' + str(LATE):<26}{'first wins':>10}")
    for good in GOOD_TURNS:
        value = fmean(
            play(kept[LATE].copy(), Random(f"{i} {k}"), good, GOOD, {})
            for i, kept in enumerate(positions)
            for k in range(2 * given.again)
        )
        print(f"{', '.join(str(turn + 1) for turn in good) or 'none':<26}{100 * value:>10.1f}", flush=True)


if __name__ == "__main__":
    main()
