"""Writes the perft tables of Master of Orion anew, by the plain rules alone: python tests/orion_perft/regenerate.py"""

from __future__ import annotations

from pathlib import Path

from orbis_search.base.dice import Dice
from orbis_search.orion.game import rules
from orbis_search.orion.game.position import Position
from orbis_search.orion.measure.perft import count_sequences
from orbis_search.orion.measure.verify_rules import start_for
from orbis_search.orion.notation.oneline import write_oneline
from orbis_search.orion.players.by_name import play_on, play_sensibly

# Name, seed (even: our set, odd: a random one; players 2 + seed % 3), decisions played sensibly, depths.
PLACES = (
    ("start-2", 0, 0, 3),
    ("start-3", 4, 0, 3),
    ("round-1-2", 6, 12, 3),
    ("middle-2", 12, 50, 3),
    ("middle-3", 16, 70, 2),
    ("middle-4", 2, 90, 2),
    ("late-2", 18, 85, 3),
    ("random-cards-2", 9, 40, 3),
    ("random-cards-3", 13, 60, 2),
    ("random-cards-4", 5, 60, 2),
)
MOST_DRAWS = 30_000  # sequences with all draws, by the slow rules


def position_of(seed: int, decisions: int) -> Position:
    dice = Dice(seed)
    return play_on(rules.play_out(start_for(seed), rules.by_dice(dice)), play_sensibly, dice, decisions)


def main() -> None:
    lines = [
        "# perft: sequences of 1, 2, 3 ... decisions, cards drawn as the deck lies and with all draws.",
        "# Made by the reference: python tests/orion_perft/regenerate.py",
    ]
    for name, seed, decisions, depth in PLACES:
        position = position_of(seed, decisions)
        fixed = [count_sequences(position, each, slow=True)[0] for each in range(1, depth + 1)]
        lines += [
            "",
            "[[position]]",
            f'name = "{name}"',
            f'line = "{write_oneline(position)}"',
            f"fixed_order = {fixed}",
        ]
        drawn = count_sequences(position, 1, draws=True)[0]
        if drawn <= MOST_DRAWS:
            lines.append(f"all_draws = [{count_sequences(position, 1, draws=True, slow=True)[0]}]")
    Path(__file__).with_name("tables.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
