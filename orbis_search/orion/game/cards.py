"""Cards, races and the effects printed on them, as data. `cards.files` reads and writes their TOML form.

The vocabulary of effects is closed: the rules here and the compiled core implement exactly these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ...base.language import ENGLISH, language
from .vocabulary import NOTHING, Cell, Colour, Level, Resources, When

DEFAULT_CARD_SET = "reconstruction"
RANDOM_PREFIX = "random:"

# What effects count. Cards are all own cards, covered or not, unless they say "working".
COLOUR_COUNTS = {colour.word: colour for colour in Colour}
WORKING_COUNTS = {f"working {colour.word}": colour for colour in Colour}
OTHER_COUNTS = ("working", "systems", "full systems", "hand", "attacks", "loyalty", "food", "fleet", "production")
SET_COUNTS = ("pairs", "sets")  # of two cards of one colour; of one card of each colour
COUNTS = (*COLOUR_COUNTS, *WORKING_COUNTS, *OTHER_COUNTS, *SET_COUNTS)


# --- what effects do


@dataclass(frozen=True, slots=True)
class Gain:
    """Resources, VP, loyalty and extra actions; negative numbers are losses. `times` a count, one for `every` so
    many."""

    resources: Resources = NOTHING
    vp: int = 0
    loyalty: int = 0
    cubes: int = 0
    times: str = ""
    every: int = 1


@dataclass(frozen=True, slots=True)
class Choose:
    """One of several lists, the player's choice: a slash."""

    options: tuple[tuple[Op, ...], ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw cards, then discard some of those drawn."""

    n: int
    discard: int = 0


@dataclass(frozen=True, slots=True)
class Discard:
    n: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A double arrow: in either direction, once."""

    left: Resources
    right: Resources


@dataclass(frozen=True, slots=True)
class TakeDiscard:
    """Take cards from the discard pile; `top` of it can be chosen from, all if 0."""

    top: int
    keep: int = 1


@dataclass(frozen=True, slots=True)
class Build:
    """Build a card from the hand for each filter: a colour, or None for any."""

    filters: tuple[Colour | None, ...]
    this_system: bool = False
    discount: int = 0


@dataclass(frozen=True, slots=True)
class Activate:
    """Activate up to `n` own working cards, all if 0; `other` leaves out the card that says so."""

    n: int
    other: bool = True


@dataclass(frozen=True, slots=True)
class GainCovered:
    """Resources by the colour of the card right below."""

    table: tuple[Resources, Resources, Resources, Resources]


@dataclass(frozen=True, slots=True)
class Reorder:
    """Put the cards of one own system, or of all, into another order."""

    every: bool = False


@dataclass(frozen=True, slots=True)
class Discount:
    n: int
    this_system: bool = False
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class AttackBonus:
    n: int


@dataclass(frozen=True, slots=True)
class DefenceBonus:
    n: int


@dataclass(frozen=True, slots=True)
class AttackCost:
    """Own attacks cost so much more or less, or with `on_me` the attacks on the owner."""

    n: int
    on_me: bool = False


@dataclass(frozen=True, slots=True)
class KeepCube:
    """A cube in the R cell stays at the end of the round and is an extra action in the next."""


@dataclass(frozen=True, slots=True)
class FillR:
    """A cube from the reserve goes into this card's R cell."""


@dataclass(frozen=True, slots=True)
class Opponents:
    """What opponents have to do, or with `either` choose from. `who`: the target of the attack, each, or one chosen."""

    who: str
    do: tuple[Op, ...] = ()
    either: tuple[tuple[Op, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Bury:
    """An opponent's working card goes under the others of its system."""

    who: str


@dataclass(frozen=True, slots=True)
class FillCell:
    """An empty cell of an opponent is filled with a cube from that opponent's reserve."""

    who: str
    theirs: bool = False  # the opponent chooses the cell


@dataclass(frozen=True, slots=True)
class DismissAdvisor:
    """An opponent's advisor goes back to the table, unless permanent."""

    who: str


@dataclass(frozen=True, slots=True)
class Score:
    """Points at the end of the game, `n` for `every` so many of what is counted."""

    n: int
    per: str
    every: int = 1


Op = (
    Gain
    | Choose
    | Draw
    | Discard
    | Exchange
    | TakeDiscard
    | Build
    | Activate
    | GainCovered
    | Reorder
    | Discount
    | AttackBonus
    | DefenceBonus
    | AttackCost
    | KeepCube
    | FillR
    | Opponents
    | Bury
    | FillCell
    | DismissAdvisor
    | Score
)
WHO = ("target", "each", "chosen")
PASSIVE = (Discount, AttackBonus, DefenceBonus, AttackCost, KeepCube)  # what "always" does
INNER = (Gain, Draw, Discard)  # what may stand inside Choose and Opponents


# --- effects


@dataclass(frozen=True, slots=True)
class Price:
    """What is paid before an effect."""

    resources: Resources = NOTHING
    vp: int = 0
    cubes: int = 0  # available ones, discarded
    cards: int = 0  # from the hand


FREE = Price()


@dataclass(frozen=True, slots=True)
class Condition:
    """The effect applies only if there are at least so many."""

    count: str
    least: int = 1


@dataclass(frozen=True, slots=True)
class Effect:
    when: When
    do: tuple[Op, ...]
    cell: Cell = Cell.NONE
    loyalty_sign: bool = False
    may: bool = False
    pay: Price = FREE
    condition: Condition | None = None

    @property
    def only_builds(self) -> bool:
        """Then each build can be declined, and whether to use the effect at all need not be asked before."""
        return self.may and self.pay == FREE and all(isinstance(op, Build) for op in self.do)


# --- cards and boards

Names = tuple[tuple[str, str], ...]  # language, name
Sources = tuple[tuple[str, str], ...]  # field, where it is known from


@dataclass(frozen=True, slots=True)
class Printed:
    """What structures, advisors and boards have in common."""

    id: str
    names: Names = ()
    effects: tuple[Effect, ...] = ()
    known: Sources = ()  # what is not listed is invented

    @property
    def label(self) -> str:
        """The name that people read, in their language or else in English."""
        names = dict(self.names)
        return names.get(language()) or names.get(ENGLISH) or self.id

    def with_when(self, when: When) -> Iterator[tuple[int, Effect]]:
        return ((index, effect) for index, effect in enumerate(self.effects) if effect.when is when)

    @property
    def activation(self) -> Effect | None:
        """A card has at most one."""
        return next((effect for _, effect in self.with_when(When.ACTIVATION)), None)

    @property
    def has_a(self) -> bool:
        return self.activation is not None

    @property
    def has_r(self) -> bool:
        ops = [op for effect in self.effects for op in effect.do]
        return any(effect.cell is Cell.R for effect in self.effects) or any(
            isinstance(op, (KeepCube, FillR)) for op in ops
        )


@dataclass(frozen=True, slots=True)
class Structure(Printed):
    colour: Colour = Colour.BLUE
    copies: int = 2
    cost: Resources = NOTHING
    income: Resources = NOTHING
    vp: int | None = 0  # None: "?", what its end-of-game effect says
    loyalty_sign: bool = False


@dataclass(frozen=True, slots=True)
class Advisor(Printed):
    founds_system: bool = False
    permanent: bool = False  # cannot be returned, replaced or dismissed
    works_covered: bool = False
    colour: Colour | None = None  # none, unless the data says so (R19)
    vp: int = 0


@dataclass(frozen=True, slots=True)
class LevelLine:
    """What a level of mobilization brings."""

    cubes: int
    loyalty: int = 0
    draw: int = 0


@dataclass(frozen=True, slots=True)
class Exploit:
    """What exploiting a card of one colour brings."""

    resources: Resources = NOTHING
    draw: int = 0
    discard: int = 0


PLAIN_LEVELS = (LevelLine(3, 1, 1), LevelLine(4), LevelLine(5, -1))
PLAIN_EXPLOIT = (
    Exploit(Resources(food=3)),
    Exploit(Resources(fleet=2)),
    Exploit(Resources(production=1)),
    Exploit(draw=4, discard=1),
)
PLAIN_TRADE = Resources(3, 2, 1)
PLAIN_RESEARCH = 2


@dataclass(frozen=True, slots=True)
class Race(Printed):
    start: Resources = NOTHING
    research: int = PLAIN_RESEARCH
    levels: tuple[LevelLine, LevelLine, LevelLine] = PLAIN_LEVELS  # low, medium, high
    exploit: tuple[Exploit, Exploit, Exploit, Exploit] = PLAIN_EXPLOIT  # by colour
    trade: Resources = PLAIN_TRADE  # so much of each is worth the same

    def at(self, level: Level) -> LevelLine:
        return self.levels[level]


Card = Structure | Advisor


@dataclass(frozen=True, slots=True)
class Options:
    """Readings of the rules on which tables differ."""

    reshuffle: str = "on_demand"  # or "at_once" (R14)
    full_systems: str = "four"  # or "literal" (R15)


RESHUFFLES = ("on_demand", "at_once")
FULL_SYSTEMS = ("four", "literal")
STATUSES = ("transcribed", "reconstructed", "mixed", "random")


@dataclass(frozen=True)
class CardSet:
    """The cards and boards of a box, or of one that could be."""

    name: str  # what a position file says: a built-in name, a path as given, or random:SEED
    status: str
    structures: tuple[Structure, ...]
    advisors: tuple[Advisor, ...]
    races: tuple[Race, ...]
    options: Options = Options()

    @cached_property
    def structure(self) -> dict[str, Structure]:
        return {card.id: card for card in self.structures}

    @cached_property
    def advisor(self) -> dict[str, Advisor]:
        return {card.id: card for card in self.advisors}

    @cached_property
    def race(self) -> dict[str, Race]:
        return {race.id: race for race in self.races}

    @cached_property
    def deck(self) -> tuple[str, ...]:
        """Every structure as often as there are copies of it."""
        return tuple(card.id for card in self.structures for _ in range(card.copies))

    @cached_property
    def order(self) -> dict[str, int]:
        """The place of each structure in the set, by which hands are sorted."""
        return {card.id: number for number, card in enumerate(self.structures)}
