"""How near does the search of Master of Orion come to what the last decisions of a game are worth?

    python benchmarks/orion_endings.py --endings 100 --seed 0
    python benchmarks/orion_endings.py --endings 100 --close

Games of the sensible player, of two to four players, every other one on a random card set. Each decision of the last
round is solved if it can be (orbis_search/orion/search/ending.py), and counts if its moves differ in value. Then it is
searched with growing numbers of simulations: how often the recommended move is an optimal one, what it gives away on
average, and how far its chance is off. Contested endings, whose best move is worth 2 to 98 %, are counted apart. Few
are; with --close everybody's VP are changed so that all players have about as many points.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import count
from random import Random
from statistics import fmean

from tqdm import tqdm

from orbis_search.orion.core.packing import Packing
from orbis_search.orion.game.counting import standings
from orbis_search.orion.game.position import Position
from orbis_search.orion.game.vocabulary import ROUNDS
from orbis_search.orion.measure.verify_rules import start_for
from orbis_search.orion.search.data import SearchResult
from orbis_search.orion.search.ending import SAME, is_near_end, solve_ending
from orbis_search.orion.search.tree import search_moves

CLOSE = 4  # points from the best to the last, at most one less


def endings(seed: int, tried: Counter[str], close: bool = False) -> Iterator[tuple[Position, SearchResult]]:
    for game in count(seed):
        rng = Random(game)
        packing = Packing(start_for(game))
        state = packing.state
        while not state.is_over:
            if state.to_move is None:
                state.draw_at_random(rng.getrandbits(60))
                continue
            if state.round == ROUNDS and state.at_actions:
                position = packing.position(state)
                if is_near_end(position):
                    if close:
                        position = made_close(position, rng.getrandbits(60))
                    solved = solve_ending(position)
                    tried["not solved" if solved is None else "solved"] += 1
                    if solved is not None and solved.values[0].low - min(each.low for each in solved.values) > SAME:
                        yield position, solved
            state.apply(state.choose("sensible", rng.getrandbits(60)))


def made_close(position: Position, seed: int) -> Position:
    rng = Random(seed)
    points = [each.total for each in standings(position)]
    return position._replace(
        players=tuple(
            player._replace(vp=player.vp + max(points) - own + rng.randrange(CLOSE))
            for player, own in zip(position.players, points)
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--endings", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--close", action="store_true", help="give everybody about as many points")
    parser.add_argument("--sims", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    options = parser.parse_args()
    tried: Counter[str] = Counter()
    rows: dict[tuple[str, int], list[tuple[float, float]]] = {}
    found = endings(options.seed, tried, options.close)
    for _number in tqdm(range(options.endings), unit="ending", disable=None):
        position, solved = next(found)
        mover = position.to_move or 0
        exact = {value.move: value.low for value in solved.values}
        best = solved.values[0].low
        kind = "contested" if 0.02 < best < 0.98 else "decided"
        for sims in options.sims:
            first = search_moves(position, simulations=sims, seed=1).values[0]
            error = first.shares[mover] - exact[first.move]
            rows.setdefault((kind, sims), []).append((best - exact[first.move], error))
    print(f"decisions tried: {tried['solved']} solved, {tried['not solved']} not")
    print("endings      simulations  number  optimal   regret  too high  off by")
    for (kind, sims), pairs in sorted(rows.items()):
        optimal = fmean(regret <= SAME for regret, _error in pairs)
        regret, high = (100 * fmean(each) for each in zip(*pairs))
        off = 100 * fmean(abs(error) for _regret, error in pairs)
        print(f"{kind:<12} {sims:>11,} {len(pairs):>7} {optimal:>8.0%} {regret:>8.2f} {high:>+9.2f} {off:>7.2f}")


if __name__ == "__main__":
    main()
