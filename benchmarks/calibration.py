"""Is what is said what happens? The advisor plays itself, and each chance that it gives is held against the result.

    python benchmarks/calibration.py --games 400 --time 0.1

Half of the games are on our tiles, the others each on a random set of its own. Before every move the advisor says how
likely the mover is to win, and its move is played. For each tenth of the scale: how often a chance in it was given, the
mean of those chances, the part of the victory that followed, and the difference in points with its standard error,
which counts a game as one observation.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from math import sqrt
from random import Random
from statistics import fmean

from tqdm import tqdm

from orbis_search.advice.advisor import advise
from orbis_search.base.processes import in_processes
from orbis_search.core.packing import Packing, pack_move
from orbis_search.game.rules import new_game
from orbis_search.tileset.library import load_tile_set

TENTHS = 10


def play(job: tuple[int, int, float]) -> list[tuple[float, float]]:
    """One game: (what was said, the mover's part of the victory) for each turn."""
    number, players, seconds = job
    rng = Random(number)
    tiles = load_tile_set("reconstruction" if number % 2 == 0 else f"random:{55_000 + number}")
    packing = Packing(new_game(tiles, players, rng))
    state = packing.state
    said = []
    while state.to_move >= 0:
        position = packing.position(state)
        advice = advise(position, seconds=seconds, why=None, threads=1, seed=rng.getrandbits(32))
        if advice.stopped == "interrupted":
            raise KeyboardInterrupt
        said.append((advice.best.win, state.to_move))
        state.apply(pack_move(position, advice.best.move))
        if state.hole is not None:
            state.refill(rng.choice(state.draws()))
    shares = state.shares()
    return [(win, shares[who] / 12) for win, who in said]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--time", type=float, default=0.1, help="seconds a move")
    parser.add_argument("--threads", type=int, default=1, help="games at a time")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    jobs = [(options.seed + number, options.players, options.time) for number in range(options.games)]
    games = []
    for _, found in tqdm(in_processes(play, jobs, options.threads), total=len(jobs), disable=not sys.stderr.isatty()):
        if isinstance(found, Exception):
            raise found
        games.append(found)
    print(f"{len(games)} games, {options.players} players, {options.time:g} s a move")
    print("   chance   cases     said      won   difference")
    for tenth in range(TENTHS):
        cases, differences = [], defaultdict(float)
        for number, game in enumerate(games):
            for win, share in game:
                if min(TENTHS - 1, int(TENTHS * win)) == tenth:
                    cases.append((win, share))
                    differences[number] += win - share
        if cases:
            said, won = fmean(win for win, _ in cases), fmean(share for _, share in cases)
            error = sqrt(sum(each**2 for each in differences.values())) / len(cases)
            print(
                f"{10 * tenth:>3} to {10 * tenth + 10:<3} {len(cases):>5}  {100 * said:6.1f} %  {100 * won:5.1f} %"
                f"   {100 * (said - won):+5.1f} ± {100 * error:.1f}"
            )


if __name__ == "__main__":
    main()
