"""Balance of a card set of Master of Orion: how games end, which races win, which cards pay.

    python benchmarks/orion_balance.py --games 400 --players 2 --style sensible

Each game seats races at random. A race's share is its part of the victories against what is fair; a card's is that of
the players who built it. A set is out of balance if one of them is far from 1, or a card is never built.
"""

from __future__ import annotations

import argparse
from collections import Counter

from orbis_search.base.dice import Dice
from orbis_search.orion.cards.library import load_card_set
from orbis_search.orion.game.counting import end_reasons, own_structures, standings, winners
from orbis_search.orion.game.rules import new_game
from orbis_search.orion.game.vocabulary import HUMANS
from orbis_search.orion.players.by_name import PLAYERS, play_on


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--style", default="sensible", choices=list(PLAYERS))
    parser.add_argument("--cards", default="reconstruction")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    cards = load_card_set(asked.cards)
    ends: Counter[str] = Counter()
    seats: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    built: Counter[str] = Counter()
    built_wins: Counter[str] = Counter()
    totals = []
    for number in range(asked.games):
        dice = Dice(asked.seed + number)
        aliens = dice.shuffled([race.id for race in cards.races if race.id != HUMANS])
        races = [HUMANS if dice.chance(1 / 7) else aliens.pop() for _ in range(asked.players)]
        over = play_on(new_game(cards, races, dice), PLAYERS[asked.style], dice)
        ends.update(end_reasons(over))
        best = winners(over)
        totals += [points.total for points in standings(over)]
        for seat, player in enumerate(over.players):
            share = asked.players / len(best) if seat in best else 0
            seats[player.race] += 1
            wins[player.race] += share
            for card in {card.id for card in own_structures(cards, player)}:
                built[card] += 1
                built_wins[card] += share
            if player.advisor:
                built[player.advisor] += 1
                built_wins[player.advisor] += share
    mean = sum(totals) / len(totals)
    print(f"{asked.games} games of {asked.players}, {asked.style}: ends {dict(ends)}, {mean:.1f} points on average")
    for race in cards.races:
        if seats[race.id]:
            print(f"  {race.id:<26} {seats[race.id]:>5} seats  {wins[race.id] / seats[race.id]:.2f} of a fair share")
    for card in sorted([*cards.structure, *cards.advisor], key=lambda card: -built_wins[card] / max(1, built[card])):
        share = f"{built_wins[card] / built[card]:.2f}" if built[card] else "-"
        print(f"  {card:<26} {built[card]:>5} built  {share}")


if __name__ == "__main__":
    main()
