"""The small typed vocabulary of Master of Orion: colours, resources, levels, limits.

Nothing here knows a card set or a position; a number that comes from the rules names its section.
"""

from __future__ import annotations

from enum import Enum, IntEnum

from ...base.language import NP_, pgettext
from ...base.values import NamedTuple


class Colour(IntEnum):
    BLUE = 0
    RED = 1
    YELLOW = 2
    GREY = 3

    @property
    def word(self) -> str:
        return self.name.lower()

    @property
    def label(self) -> str:
        """The word that people read, in their language; files have `word`."""
        return pgettext("card", self.word)


class Level(IntEnum):
    """Of mobilization (section 3.1)."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2

    @property
    def word(self) -> str:
        return self.name.lower()

    @property
    def label(self) -> str:
        return pgettext("mobilization", self.word)


class When(Enum):
    """When an effect applies (section 4.4)."""

    ACTIVATION = "activation"
    AFTER_BUILDING = "after_building"
    AFTER_ATTACK = "after_attack"
    AFTER_ATTACKED = "after_attacked"
    START_OF_ROUND = "start_of_round"
    ALWAYS = "always"
    END_OF_GAME = "end_of_game"

    @property
    def label(self) -> str:
        return pgettext("when", self.value.replace("_", " "))


class Cell(Enum):
    """Where a cube goes when an effect is used (section 4.3)."""

    NONE = "none"
    A = "A"
    R = "R"


class Resources(NamedTuple):
    """An amount of each resource; what a player has is 0 to 9 of each."""

    food: int = 0
    fleet: int = 0
    production: int = 0

    @property
    def total(self) -> int:
        return sum(self)

    def plus(self, other: Resources) -> Resources:
        """Anything above 9 is lost (section 3.1)."""
        return Resources(*(min(MOST_RESOURCE, a + b) for a, b in zip(self, other)))

    def minus(self, other: Resources) -> Resources:
        return Resources(*(a - b for a, b in zip(self, other)))

    def times(self, factor: int) -> Resources:
        return Resources(*(amount * factor for amount in self))

    def covers(self, other: Resources) -> bool:
        return all(a >= b for a, b in zip(self, other))

    def __str__(self) -> str:
        """Compact: `3f2l1p` for 3 food, 2 fleet, 1 production; `-` for nothing."""
        return "".join(f"{amount}{letter}" for amount, letter in zip(self, RESOURCE_LETTERS) if amount) or "-"


NOTHING = Resources()
RESOURCE_WORDS = Resources._fields
RESOURCE_LETTERS = "flp"  # food, fleet, production


def resource_label(word: str) -> str:
    return pgettext("resource", word)


# What `label` looks up.
_LABELS = (
    NP_("card", "blue"),
    NP_("card", "red"),
    NP_("card", "yellow"),
    NP_("card", "grey"),
    NP_("mobilization", "low"),
    NP_("mobilization", "medium"),
    NP_("mobilization", "high"),
    NP_("when", "activation"),
    NP_("when", "after building"),
    NP_("when", "after attack"),
    NP_("when", "after attacked"),
    NP_("when", "start of round"),
    NP_("when", "always"),
    NP_("when", "end of game"),
    NP_("resource", "food"),
    NP_("resource", "fleet"),
    NP_("resource", "production"),
)

UNKNOWN = "?"  # a card that nobody at this table has seen, in place of its id

ROUNDS = 8
MOST_RESOURCE = 9
START_LOYALTY = MOST_LOYALTY = 10
LOYALTY_SIGN = 6  # cards so marked need at least this (section 4.1)
CUBES = 10  # of a player's 15, those that are not markers on tracks
HAND = 5  # dealt, and kept at the end of a round
SYSTEMS = 4
SYSTEM_SIZE = 5
PROPAGANDA_GAIN = 3
ATTACK_COST = 2
ATTACK_VP = 2
DEAL_COST = 3  # cards
ADVISORS_OUT = 5  # on the table at the start, of all
ATTACKS = {2: 3, 3: 2, 4: 1}  # on one opponent in a round, by the number of players (section 2)
LEVEL_FROM = {Level.HIGH: 7, Level.MEDIUM: 4, Level.LOW: 0}  # the largest resource at least (section 3.1)
HUMANS = "humans"  # the only race that any number may play (section 2)


def level_of(resources: Resources) -> Level:
    """The largest of the three decides.

    >>> level_of(Resources(3, 3, 3)).word, level_of(Resources(4)).word, level_of(Resources(0, 7)).word
    ('low', 'medium', 'high')
    """
    return next(level for level, least in LEVEL_FROM.items() if max(resources) >= least)
