"""What knowing the hidden cards is worth: Orion's search against a twin that peeks.

    python benchmarks/orion_peeking.py --rounds 100 --sims 400
    python benchmarks/orion_peeking.py --rounds 100 --sims 400 --hands

The twin searches as the honest player does, but what is hidden lies open to it: every guess at a hand is the real one,
and cards are drawn as they will be in the game. With --hands it sees the hands alone. The two games of a round share
races, hands and draws, and the players change seats. If the twin won no more often than its half, a test for peeking
could not see any.

Prints after every ten rounds the twin's share of the victories with its 95 % interval, and its points ahead.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random

from orbis_search.matches.statistics import interval
from orbis_search.orion.core.packing import Packing
from orbis_search.orion.game.position import Position
from orbis_search.orion.players.arena import make_match
from orbis_search.orion.players.searching import CorePlayer

PLAYERS = 2
TOLD = 10  # rounds from one line to the next


def peeking_rounds(rounds: int, sims: int, seed: int, hands: bool = False) -> Iterator[tuple[float, float]]:
    """The twin's share and points ahead, the mean of the two games of each round."""
    match = make_match(["sensible"] * PLAYERS, seed=seed)
    for number in range(rounds):
        games = [peeking_game(match.start(number), twin, sims, f"{seed} {number}", hands) for twin in range(PLAYERS)]
        yield sum(share for share, _ in games) / PLAYERS, sum(ahead for _, ahead in games) / PLAYERS


def peeking_game(start: Position, twin: int, sims: int, seed: str, hands: bool) -> tuple[float, float]:
    """One game with the twin in this seat. It is played on two tables at once, on one of which nothing is hidden."""
    player = CorePlayer("advisor", sims)
    course = Random(f"draws {seed}").getrandbits(63)
    honest = Packing(start).state
    peeking = Packing(start, peeks=True, course=None if hands else course).state
    decisions = 0
    while True:
        for table in (honest, peeking):
            table.draw_at_random(course)
        if honest.is_over:
            break
        table = peeking if honest.to_move == twin else honest
        move = player.choose_packed(table, Random(f"move {seed} {decisions}").getrandbits(63))
        honest.apply(move)
        peeking.apply(move)
        decisions += 1
    points = [sum(each) for each in honest.points()]
    return honest.shares()[twin], points[twin] - points[1 - twin]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100, help="of two games each")
    parser.add_argument("--sims", type=int, default=400, help="simulations for a decision of either")
    parser.add_argument("--hands", action="store_true", help="the twin sees hands, not what will be drawn")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    scores: list[float] = []
    ahead = 0.0
    for score, points in peeking_rounds(given.rounds, given.sims, given.seed, given.hands):
        scores.append(score)
        ahead += points
        n = len(scores)
        if n % TOLD == 0 or n == given.rounds:
            low, high = interval(scores)
            print(
                f"{n * PLAYERS} games: the twin that peeks wins {sum(scores) / n:.1%} ({low:.1%} .. {high:.1%}), "
                f"{ahead / n:+.2f} points ahead",
                flush=True,
            )


if __name__ == "__main__":
    main()
