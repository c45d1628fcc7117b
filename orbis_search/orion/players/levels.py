"""Players of a chosen strength, from a beginner to the full advisor.

The weak ones do not play at random: they look at each move's immediate worth, as the sensible player does, and
    overlooked  how likely a move is not noticed at all
    slip        by how much a move is misjudged, in the sensible player's own measure: a production is 6, a point 2 to 5
The strong ones play on from each move:
    sims        games they play on in their heads
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from ...base.dice import Dice
from ...base.language import N_
from ..game.position import Move, Position
from ..game.rules import legal_moves
from ..search.policies import worth_of_moves


class Level(NamedTuple):
    name: str
    meaning: str  # to be translated
    overlooked: float = 0.0
    slip: float = 0.0
    sims: int = 0

    def choose(self, position: Position, dice: Dice) -> Move:
        """A move by a level that does not look ahead."""
        rng = Random(dice.below(2**48))
        judged = [
            (rng.random() >= self.overlooked, worth + rng.gauss(0, self.slip), -number, move)
            for number, (move, worth) in enumerate(worth_of_moves(position, legal_moves(position)))
        ]
        return max(judged)[3]  # whoever has overlooked everything looks again


LEVELS = (
    Level("beginner", N_("Overlooks much and misjudges the rest."), overlooked=0.5, slip=16.0),
    Level("casual", N_("Sees most of what a move brings, and misjudges some of it."), overlooked=0.2, slip=6.0),
    Level("regular", N_("Takes what looks best right away."), slip=0.0),
    Level("strong", N_("Plays some games on from its moves in its head."), sims=20),
    Level("full", N_("The advisor, with the time it is given."), sims=5_000),
)
NAMES = tuple(level.name for level in LEVELS)
