"""Does keeping moves change what is recommended? Random positions are asked about twice, once with two or three legal
moves kept, drawn by lot.

    python benchmarks/kept_moves.py --positions 200

Of two searches with the same seed one thread has to recommend the same move, byte for byte. Several threads never make
the same search twice: there the move of the second search is the same, or its chance differs from that of the first by
no more than the two intervals allow. Ends with 1 when neither holds.
"""

from __future__ import annotations

import argparse
import sys
from math import hypot
from random import Random

from tqdm import tqdm

from orbis_search.advice.advisor import advise
from orbis_search.advice.data import Candidate
from orbis_search.core.fast_rules import play_turns
from orbis_search.core.packing import Packing, unpack_move
from orbis_search.game.rules import new_game
from orbis_search.game.vocabulary import TURNS
from orbis_search.tileset.library import load_tile_set

WORDS = ("the same move", "another one, within its error", "another one, further off")


def verdict(number: int, simulations: int, threads: int) -> tuple[int, str]:
    """Which of WORDS it is, and what was said."""
    rng = Random(number)
    players = 2 + number % 3
    tiles = "reconstruction" if number % 2 == 0 else f"random:{77_000 + number}"
    packing = Packing(new_game(load_tile_set(tiles), players, rng))
    state = packing.state
    for _ in play_turns(state, rng.randrange(TURNS * players), rng, "sensible"):
        pass
    position = packing.position(state)
    legal = state.moves()
    kept = [unpack_move(move) for move in rng.sample(legal, min(len(legal), rng.choice((2, 3))))]
    limits = {"simulations": simulations, "threads": threads, "seed": number, "why": None, "prove": False}
    alone = advise(position, **limits).best
    beside = advise(position, keep=kept, **limits).best
    if alone.move == beside.move:
        return 0, ""
    said = f"position {number}, {players} players, {tiles}: {shown(alone)}, with kept moves {shown(beside)}"
    near = threads > 1 and abs(alone.win - beside.win) <= hypot(alone.error, beside.error)
    return (1 if near else 2), said


def shown(best: Candidate) -> str:
    return f"{100 * best.win:.1f} ± {100 * best.error:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--sims", type=int, default=20_000)
    parser.add_argument("--threads", type=int, default=2, help="of each search")
    options = parser.parse_args()
    counts = [0] * len(WORDS)
    for number in tqdm(range(options.positions), leave=False, disable=not sys.stderr.isatty()):
        which, said = verdict(number, options.sims, options.threads)
        counts[which] += 1
        if which == 2:
            print(said)
    print(
        f"{options.positions} positions, {options.sims:,} simulations, threads: {options.threads}; two or three kept:"
    )
    for count, words in zip(counts, WORDS):
        print(f"{count:6}  {words}")
    sys.exit(1 if counts[2] else 0)


if __name__ == "__main__":
    main()
