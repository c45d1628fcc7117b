"""The small typed vocabulary everything else speaks: colours, effects, gods, cells, set-up table.

Nothing here knows a tile set or a position; a number that comes from RULES names its section.
"""

from __future__ import annotations

from enum import Enum, IntEnum

from ..base.language import NP_, pgettext
from ..base.values import NamedTuple


class Colour(IntEnum):
    RED = 0
    GREEN = 1
    BLUE = 2
    YELLOW = 3
    WHITE = 4

    @property
    def letter(self) -> str:
        return COLOUR_LETTERS[self]

    @property
    def word(self) -> str:
        return self.name.lower()

    @property
    def label(self) -> str:
        """The word that people read, in their language; files have `word`."""
        return pgettext("colour", self.word)


COLOUR_LETTERS = "rgbyw"
ANY_LETTER = "a"  # "any colour", in costs and gains


class Effect(IntEnum):
    NONE = 0
    FARM = 1
    VILLAGE = 2
    FOREST = 3
    VOLCANO = 4
    IRRIGATION = 5
    TEMPLE = 6
    PROSELYTISM = 7
    SACRED_STONE = 8

    @property
    def word(self) -> str:
        return self.name.lower().replace("_", " ")

    @property
    def label(self) -> str:
        """The word that people read, in their language; files have `word`."""
        return pgettext("effect", self.word)


# Judged once, when the tile is placed, and marked for good (section 5); a forest is judged at the end, unmarked.
CANCELLABLE = (Effect.VILLAGE, Effect.VOLCANO, Effect.IRRIGATION)


class God(IntEnum):
    LOVE = 0
    APPRENTICE = 1
    OCEANS = 2
    FIRE = 3
    NATURE = 4
    HARVESTS = 5
    IDLENESS = 6
    TECHNOLOGY = 7
    EQUILIBRIUM = 8
    DEATH = 9

    @property
    def word(self) -> str:
        return self.name.lower()

    @property
    def label(self) -> str:
        """The word that people read, in their language; files have `word`."""
        return pgettext("god", self.word)


class Star(IntEnum):
    """A star on a tile's front takes it out of smaller games (section 2)."""

    NONE = 0
    WHITE = 1  # four players only
    PURPLE = 2  # three or four players

    @property
    def word(self) -> str:
        return self.name.lower()

    @property
    def label(self) -> str:
        """The word that people read, in their language; files have `word`."""
        return pgettext("star", self.word)


# What `label` looks up.
_LABELS = (
    NP_("colour", "red"),
    NP_("colour", "green"),
    NP_("colour", "blue"),
    NP_("colour", "yellow"),
    NP_("colour", "white"),
    NP_("effect", "none"),
    NP_("effect", "farm"),
    NP_("effect", "village"),
    NP_("effect", "forest"),
    NP_("effect", "volcano"),
    NP_("effect", "irrigation"),
    NP_("effect", "temple"),
    NP_("effect", "proselytism"),
    NP_("effect", "sacred stone"),
    NP_("god", "love"),
    NP_("god", "apprentice"),
    NP_("god", "oceans"),
    NP_("god", "fire"),
    NP_("god", "nature"),
    NP_("god", "harvests"),
    NP_("god", "idleness"),
    NP_("god", "technology"),
    NP_("god", "equilibrium"),
    NP_("god", "death"),
    NP_("star", "none"),
    NP_("star", "white"),
    NP_("star", "purple"),
)


class Face(Enum):
    """How a tile lies in a universe."""

    UP = "up"
    CANCELLED = "cancelled"
    WILD = "wild"


class Worshipers(NamedTuple):
    """How many worshipers of each colour; also a cost's coloured part."""

    red: int = 0
    green: int = 0
    blue: int = 0
    yellow: int = 0
    white: int = 0

    @property
    def total(self) -> int:
        return sum(self)

    def plus(self, other: Worshipers) -> Worshipers:
        return Worshipers(*(a + b for a, b in zip(self, other)))

    def minus(self, other: Worshipers) -> Worshipers:
        return Worshipers(*(a - b for a, b in zip(self, other)))

    def covers(self, other: Worshipers) -> bool:
        return all(a >= b for a, b in zip(self, other))

    def changed(self, colour: int, by: int) -> Worshipers:
        counts = list(self)
        counts[colour] += by
        return Worshipers(*counts)

    def __str__(self) -> str:
        """Compact: `r2gb3`, a single worshiper without its 1; `-` for none."""
        parts = [letter + (str(count) if count != 1 else "") for letter, count in zip(COLOUR_LETTERS, self) if count]
        return "".join(parts) or "-"


NOBODY = Worshipers()

# The centre as it lies on the table, in reading order.
CELLS = ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")
NEIGHBOURS = ((1, 3), (0, 2, 4), (1, 5), (0, 4, 6), (1, 3, 5, 7), (2, 4, 8), (3, 7), (4, 6, 8), (5, 7))

ROW_LENGTHS = (5, 4, 3, 2)
REGION_TURNS = sum(ROW_LENGTHS)  # 14 regions ...
TURNS = REGION_TURNS + 1  # ... and a god
REALM_LIMIT = 10
EXCHANGE_RATE = 3
LOVE_GAIN = 5
DEATH_COST = 6
LEVELS = (1, 2, 3)

# Section 6, last column, in CP. All except the first three depend on a condition.
GOD_POINTS = {
    God.LOVE: 1,
    God.IDLENESS: 1,
    God.APPRENTICE: 2,
    God.OCEANS: 3,
    God.FIRE: 3,
    God.NATURE: 3,
    God.HARVESTS: 3,
    God.TECHNOLOGY: 3,
    God.EQUILIBRIUM: 3,
    God.DEATH: 3,
}

# Section 2. Tiles of a set by level, and how many of them carry each star.
LEVEL_SIZES = (20, 20, 25)
STAR_COUNTS = {Star.WHITE: (5, 5, 4), Star.PURPLE: (4, 4, 6)}


class SetUp(NamedTuple):
    regions: tuple[int, int, int]  # region tiles used, by level
    gods: int  # face up at the start
    temple_tokens: tuple[int, ...]
    stars: frozenset[Star]  # marks that stay in the game


SET_UP = {
    2: SetUp((11, 11, 15), 3, (7, 2), frozenset({Star.NONE})),
    3: SetUp((15, 15, 21), 4, (9, 4, 2), frozenset({Star.NONE, Star.PURPLE})),
    4: SetUp((20, 20, 25), 5, (11, 7, 4, 2), frozenset({Star.NONE, Star.PURPLE, Star.WHITE})),
}

# Limits that keep every number in the packed core inside its field; the readers enforce them.
MAX_CP = 20
MAX_COST = 9  # per colour and for "any"
MAX_EFFECT_NUMBER = {Effect.VILLAGE: 10, Effect.FOREST: 6, Effect.VOLCANO: 10, Effect.TEMPLE: 3, Effect.PROSELYTISM: 2}
MAX_MYSTIC = 99
MAX_TILES = 128  # on the table and in the piles together; a box has 65
# Worshipers on one centre tile. No game has more region turns than this, and each adds at most one, so
# play cannot pass it; and a position at the limit still cannot overflow the core's bytes by playing on.
MAX_ON_CELL = 56
