"""Balance of a card set of Master of Orion: how games end, which races win, which cards pay.

    python benchmarks/orion_balance.py --games 2000 --players 2 --player sensible --threads 2

Each game seats races at random; all seats are the same player, by its name in `orbis orion arena`. A race's share is
its part of the victories against what is fair, a card's is that of the players who had built it at the end, each with
its standard error. A set is out of balance if a share is far from 1, if a card is never built, or if games never end in
one of the three ways.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from random import Random

from tqdm import tqdm

from orbis_search.base.dice import Dice
from orbis_search.base.jobs import all_answered, do_jobs
from orbis_search.orion.cards.library import load_card_set
from orbis_search.orion.game.counting import end_reasons, own_structures, standings, winners
from orbis_search.orion.game.knowledge import seen_by
from orbis_search.orion.game.rules import by_dice, new_game, play, play_out
from orbis_search.orion.players.arena import drawn_races
from orbis_search.orion.players.by_name import parse_player

Seen = tuple[str, float, list[str]]  # a seat's race, share of the victory against a fair one, and cards
Played = tuple[list[str], int, list[int], list[Seen]]  # why it ended, after which round, points, seats


class Games:
    """What each worker does."""

    def __init__(self, cards: str, players: int, player: str, seed: int) -> None:
        self.cards, self.players, self.player, self.seed = cards, players, player, seed

    def __call__(self, number: int) -> Played:
        cards = load_card_set(self.cards)
        player = parse_player(self.player).player()
        dice = Dice(Random(f"balance {self.seed} {number}").getrandbits(63))
        chance = by_dice(dice)
        position = play_out(new_game(cards, drawn_races(cards, self.players, dice), dice), chance)
        while not position.is_over:
            seen = seen_by(position, position.to_move or 0)
            position = play_out(play(position, player.choose(seen, dice.below(2**48))), chance)
        player.close()
        best = winners(position)
        seats = []
        for seat, side in enumerate(position.players):
            built = {card.id for card in own_structures(cards, side)} | ({side.advisor} if side.advisor else set())
            seats.append((side.race, self.players / len(best) if seat in best else 0.0, sorted(built)))
        points = [each.total for each in standings(position)]
        return end_reasons(position), position.round, points, seats


class Shares:
    """The mean share of each name, and how sure it is."""

    def __init__(self) -> None:
        self.number: Counter[str] = Counter()
        self.sum: Counter[str] = Counter()
        self.squares: Counter[str] = Counter()

    def add(self, name: str, share: float) -> None:
        self.number[name] += 1
        self.sum[name] += share
        self.squares[name] += share * share

    def lines(self, names: list[str], word: str) -> Iterator[str]:
        for name in sorted(names, key=lambda name: -self.sum[name] / max(1, self.number[name])):
            n = self.number[name]
            if not n:
                yield f"  {name:<26} {0:>6} {word}      -"
                continue
            mean = self.sum[name] / n
            error = sqrt(max(0.0, self.squares[name] / n - mean * mean) / n)
            yield f"  {name:<26} {n:>6} {word}   {mean:.2f} ± {error:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--player", default="sensible", help="as in orbis orion arena, all seats alike")
    parser.add_argument("--cards", default="reconstruction")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="games at a time")
    asked = parser.parse_args()
    cards = load_card_set(asked.cards)
    ends: Counter[str] = Counter()
    rounds: Counter[int] = Counter()
    races, built = Shares(), Shares()
    totals: list[int] = []
    work = Games(asked.cards, asked.players, asked.player, asked.seed)
    done = all_answered(do_jobs(work, range(asked.games), asked.threads))
    for _number, (reasons, last, points, seats) in tqdm(done, total=asked.games, disable=None):
        ends.update(reasons)
        rounds[last] += 1
        totals += points
        for race, share, names in seats:
            races.add(race, share)
            for name in names:
                built.add(name, share)
    print(f"{asked.games} games of {asked.players}, {asked.player}, {asked.cards}, seed {asked.seed}")
    print(f"  ended by {dict(ends)}, after round {dict(sorted(rounds.items()))}")
    print(f"  {sum(totals) / len(totals):.1f} points on average")
    print("races, of a fair share:")
    print("\n".join(races.lines([race.id for race in cards.races], "seats")))
    print("cards and advisors, of a fair share:")
    print("\n".join(built.lines([*cards.structure, *cards.advisor], "built")))


if __name__ == "__main__":
    main()
