"""The readable position: immutable, close to what lies on the table.

Cards are named by their ids, since copies are alike (R21). `rules` has the rules, `knowledge` says who knows what.

A hand has three parts, for what the others know of it (section 6): `known` cards everybody has seen its owner take;
`old` ones were in hands at the last reshuffle, when everybody could work out which cards were in hands and which in
the deck; `fresh` ones have been drawn since. All numbers are public, the cards themselves only where they are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ...base.values import NamedTuple
from .cards import CardSet, Op
from .vocabulary import CUBES, NOTHING, START_LOYALTY, SYSTEM_SIZE, SYSTEMS, UNKNOWN, Resources, When

ADVISOR, RACE = -1, -2  # where an effect comes from, if not from a system
ANYWHERE = -3
DEEPEST = 48  # pending tasks beyond which effects build and activate no more: no box comes near, yet every stack ends


class System(NamedTuple):
    """A stack of structures. Its top card works; only working cards hold cubes (R18)."""

    cards: tuple[str, ...] = ()  # the lowest first
    a: bool = False  # whether there is a cube in the A cell of the top card
    r: bool = False
    advisor: bool = False  # founded by an advisor, who counts as its first card

    @property
    def size(self) -> int:
        return len(self.cards) + self.advisor

    @property
    def is_full(self) -> bool:
        return self.size == SYSTEM_SIZE


class Player(NamedTuple):
    """One player's side of the table."""

    race: str
    name: str = ""
    resources: Resources = NOTHING
    loyalty: int = START_LOYALTY
    vp: int = 0
    available: int = 0  # cubes that are actions
    reserve: int = CUBES
    systems: tuple[System, ...] = ()  # in the order they were founded (R20)
    advisor: str = ""  # its id; "" for none
    advisor_a: bool = False
    advisor_r: bool = False
    propaganda: bool = False  # used in this round
    attacks: tuple[int, ...] = ()  # made in this round, on each player by seat
    known: tuple[str, ...] = ()  # the hand, sorted as the card set is
    old: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()

    @property
    def hand(self) -> tuple[str, ...]:
        """All of it, unsorted."""
        return self.known + self.old + self.fresh

    @property
    def can_found(self) -> bool:
        """Whether a new system may be started, not counting an advisor's (section 4.1)."""
        return sum(not system.advisor for system in self.systems) < SYSTEMS

    @property
    def on_cards(self) -> int:
        """Cubes in cells of cards."""
        return sum(system.a + system.r for system in self.systems) + self.advisor_a + self.advisor_r

    @property
    def on_boards(self) -> int:
        """Cubes spent on boards, attack markers among them."""
        return CUBES - self.available - self.reserve - self.on_cards


class Phase(Enum):
    SETUP = "setup"
    START = "start"
    ACTIONS = "actions"
    END = "end"
    OVER = "over"


# --- pending decisions and draws: the stack, the next one last


class Ref(NamedTuple):
    """An effect: whose, where (a system's number, ADVISOR or RACE), on which card, the which of its effects from 0."""

    owner: int
    place: int
    card: str
    effect: int


@dataclass(frozen=True, slots=True)
class Swap:
    """Set-up: the player may discard any number of cards, and then draws as many."""

    player: int
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Trigger:
    """The owner's effects of one kind fall due, all at once; with `place` those of one card. The player orders them."""

    player: int
    owner: int
    when: When
    place: int = ANYWHERE
    target: int = -1


@dataclass(frozen=True, slots=True)
class Apply:
    """Effects that are due: the player says which comes next."""

    player: int
    refs: tuple[Ref, ...]
    target: int = -1  # whom the attack was on, or for the attacked who made it


@dataclass(frozen=True, slots=True)
class Run:
    """What is left to do of an effect, by the player."""

    player: int
    ref: Ref
    ops: tuple[Op, ...]
    target: int = -1


@dataclass(frozen=True, slots=True)
class PickOption:
    player: int
    ref: Ref
    options: tuple[tuple[Op, ...], ...]
    target: int = -1


@dataclass(frozen=True, slots=True)
class PickDirection:
    player: int
    left: Resources
    right: Resources


@dataclass(frozen=True, slots=True)
class Drop:
    """The player discards so many cards, one after another; with `among`, of these."""

    player: int
    n: int
    among: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """The player draws so many cards, and then discards some of those drawn."""

    player: int
    n: int
    discard: int = 0
    drawn: tuple[str, ...] = ()  # so far, if some are to be discarded


@dataclass(frozen=True, slots=True)
class PickDiscard:
    """The player takes cards from the top of the discard pile."""

    player: int
    top: int
    keep: int


@dataclass(frozen=True, slots=True)
class PickBuild:
    """The player builds a card by an effect: `colour` -1 for any, `system` -1 for anywhere."""

    player: int
    colour: int
    system: int
    discount: int
    optional: bool


@dataclass(frozen=True, slots=True)
class PickActivation:
    """The player activates up to so many cards; `ref` is the card that must be another, if any must."""

    player: int
    n: int
    ref: Ref | None


@dataclass(frozen=True, slots=True)
class PickOrder:
    """The player reorders one of these systems, or all of them one by one."""

    player: int
    systems: tuple[int, ...]
    every: bool


@dataclass(frozen=True, slots=True)
class PickVictim:
    """The player chooses an opponent, and whatever the effect does to one."""

    player: int
    ref: Ref
    op: Op
    victims: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Hire:
    """The cards have been discarded: the advisor comes."""

    player: int
    advisor: str


Task = (
    Swap
    | Trigger
    | Apply
    | Run
    | PickOption
    | PickDirection
    | Drop
    | Drawing
    | PickDiscard
    | PickBuild
    | PickActivation
    | PickOrder
    | PickVictim
    | Hire
)


class Position(NamedTuple):
    """Players are in seat order, clockwise."""

    cards: CardSet
    players: tuple[Player, ...]
    deck: tuple[str, ...] = ()  # first drawn first, where the order matters
    pile: tuple[str, ...] = ()  # discards, the top card last
    advisors: tuple[str, ...] = ()  # on the table
    first: int = 0
    round: int = 1
    phase: Phase = Phase.SETUP
    turn: int = 0  # whose action is next
    stack: tuple[Task, ...] = ()
    in_hands: tuple[str, ...] = ()  # what the unknown `old` cards of all hands are, together

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.OVER

    @property
    def is_complete(self) -> bool:
        """Whether every card is known: what `rules` need to play on."""
        return not any(UNKNOWN in cards for cards in (self.deck, *(player.hand for player in self.players)))

    @property
    def draw_due(self) -> bool:
        """Whether a card is to be drawn before anybody decides anything."""
        return bool(self.stack) and isinstance(self.stack[-1], Drawing)

    @property
    def to_move(self) -> int | None:
        """The seat of who decides next, None when the game is over or a card is to be drawn."""
        if self.is_over or self.draw_due:
            return None
        return self.stack[-1].player if self.stack else self.turn

    def with_player(self, seat: int, player: Player) -> Position:
        players = list(self.players)
        players[seat] = player
        return self._replace(players=tuple(players))


class Move(NamedTuple):
    """One decision. Which fields mean something depends on its kind, a key of MOVES."""

    kind: str
    card: str = ""  # a structure, advisor or race by its id
    system: int = 0  # a system by its number, or ADVISOR or RACE
    player: int = 0  # another player's seat
    resources: Resources = NOTHING  # paid for building
    number: int = 0  # of an option, a trade, a direction, a cell, a place in the pile from its top, an effect
    order: tuple[str, ...] = ()  # the cards of a system, the lowest first


# What is given and what is gained, by the order of the resources: six exchanges (R6).
TRADES = tuple((give, get) for give in range(3) for get in range(3) if give != get)

# Every kind of move, and which fields it has.
MOVES: dict[str, tuple[str, ...]] = {
    "build": ("card", "system", "resources"),
    "exploit": ("card",),
    "research": (),
    "activate": ("card", "system"),
    "attack": ("player",),
    "trade": ("number",),  # an index of TRADES
    "propaganda": (),
    "deal": ("card",),
    "discard": ("card",),
    "take": ("card", "number"),
    "option": ("number",),
    "exchange": ("number",),
    "use": ("card", "system", "player", "number"),
    "reorder": ("system", "order"),
    "bury": ("player", "system", "card"),
    "fill": ("player", "system", "card", "number"),
    "target": ("player",),
    "done": (),
}
