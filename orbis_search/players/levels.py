"""Players of a chosen strength, from a beginner to the full advisor.

The weak ones do not play at random: they play like people who are new to the game. What they see of a turn depends on
these:

    judgement   how much a move's future counts (worshipers kept, farms, hopeful forests, what the next player is
                denied), and not only the points it brings at once
    overlooked  how likely a tile or a god, or a place for it, is not noticed at all
    slip        by how many points things are misjudged: the better move is missed where the difference is small
    sims        how far they look ahead, in games played on in their heads; then none of the above is needed. Only the
                full advisor has a network, which knows more than people can see
    drift       how readily they play a move that was looked at less than the best

Everybody sees a gain of OBVIOUS points more at once. The levels are set so that each beats the one below it in
about seven games of ten, the last one in eight. docs/games.md has the measured table; `orbis arena level:3 level:2`
plays such a match.
"""

from __future__ import annotations

from math import log
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from ..base.language import N_

if TYPE_CHECKING:
    from ..core.packing import PackedMove
    from ..core.states import PackedState
    from ..search.settings import SearchSettings

OBVIOUS = 3  # points
WORTH_OF_WEIGHT = 0.6  # points for a candidate that weighs e times as much: TEMPERATURE in the core's candidates.pyx
PLACE_SLIP = 0.5  # a place is misjudged by this part of what a tile is
SMALL = 4 << 20  # bytes, for a tree of some hundred simulations
SELDOM = 0.1  # of the best move's visits: anything visited less is not played


class Level(NamedTuple):
    name: str
    meaning: str  # to be translated
    elo: int = 0  # measured, above the first level
    judgement: float = 1.0
    overlooked: float = 0.0
    slip: float = 0.0
    sims: int = 0
    drift: float = 0.0

    @property
    def is_the_advisor(self) -> bool:
        """It plays the best move it finds, with the solver near the end; the other levels slip on purpose."""
        return self.sims > 0 and self.drift == 0

    def choose(self, state: PackedState, seed: int) -> PackedMove:
        """A move by a level that slips."""
        return self._ahead(state, seed) if self.sims else self._at_a_glance(state, seed)

    def _at_a_glance(self, state: PackedState, seed: int) -> PackedMove:
        """By what a move brings now. First the tile is misjudged, the same for each of its places, then the place."""
        from ..core.packing import unpack_move
        from ..search.driver import Search

        search = Search(state, seed=seed, memory=SMALL, settings=_by_playouts())
        search.finish(1)  # lists the candidates with how they look before any search
        rows = sorted(search.moves(), key=lambda row: (row.what, row.detail))
        who = state.to_move
        before = state.points()[who]
        rng = Random(seed)
        sights: dict[object, tuple[bool, float]] = {}

        def look(thing: object, part: float) -> tuple[bool, float]:
            if thing not in sights:
                sights[thing] = rng.random() >= self.overlooked, rng.gauss(0, part * self.slip)
            return sights[thing]

        found = []
        for row in rows:
            packed = row.what, row.detail
            after = state.copy()
            after.apply(packed)
            gain = after.points()[who] - before
            worth = WORTH_OF_WEIGHT * log(max(row.weight, 1e-9))
            move = unpack_move(packed)
            tile = look((move.cell, move.god), 1)
            place = look((move.cell, move.god, move.slot), PLACE_SLIP)
            value = (1 - self.judgement) * gain + self.judgement * worth + tile[1] + place[1]
            found.append((tile[0] and place[0], value, gain, packed))
        most = max(gain for _, _, gain, _ in found)
        # Having overlooked everything that is left, look again.
        return max(each for each in found if each[2] > most - OBVIOUS)[3]

    def _ahead(self, state: PackedState, seed: int) -> PackedMove:
        """A move, about as often as it was visited; `drift` 1 is exactly as often, less is nearer to the best.

        With more players the visits are spread further, because of the refills in between: straying as much plays far
        worse.
        """
        from ..search.driver import Search

        search = Search(state, seed=seed, memory=SMALL, settings=_by_playouts())
        search.finish(self.sims)
        rows = search.moves()
        rows = [row for row in rows if row.visits >= SELDOM * rows[0].visits]
        sharpness = state.players / (2 * self.drift)
        row = Random(seed).choices(rows, [row.visits**sharpness for row in rows])[0]
        return row.what, row.detail


def _by_playouts() -> SearchSettings:
    """What people play on in their heads is no network's judgement."""
    from ..search.settings import PLAYOUT, SearchSettings

    return SearchSettings(evaluation=PLAYOUT)


# Elo as measured from step to step; docs/games.md has the matches.
LEVELS = (
    Level(
        "beginner",
        N_("Takes the points in plain sight, overlooks much and misjudges the rest."),
        0,
        judgement=0.15,
        overlooked=0.26,
        slip=0.94,
    ),
    Level(
        "novice",
        N_("Begins to see what worshipers, farms and temples are good for; overlooks a good deal."),
        151,
        judgement=0.43,
        overlooked=0.135,
        slip=0.49,
    ),
    Level(
        "casual",
        N_("Weighs points now against points to come; overlooks small things."),
        306,
        judgement=0.75,
        overlooked=0.045,
        slip=0.22,
    ),
    Level(
        "regular", N_("Looks a turn ahead, but seldom knows which of the good moves is best."), 446, sims=40, drift=1.0
    ),
    Level("keen", N_("Looks further and chooses with more care."), 589, sims=105, drift=0.62),
    Level("skilled", N_("Looks a few turns ahead; plays the best move or one close to it."), 722, sims=205, drift=0.42),
    Level("strong", N_("Plans ahead and seldom strays from the best move it sees."), 880, sims=470, drift=0.265),
    Level("expert", N_("The advisor with 1,100 playouts per move; proves the last turns."), 1014, sims=1100),
    Level("master", N_("The advisor with 3,500 playouts per move."), 1144, sims=3500),
    Level("full", N_("The advisor with 20,000 simulations per move, or the time it is given."), 1419, sims=20000),
)
NAMES = tuple(level.name for level in LEVELS)
