"""What can be read off the table: which cards work, what effects count, prices, strengths, scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...base.values import NamedTuple
from .cards import (
    COLOUR_COUNTS,
    WORKING_COUNTS,
    Advisor,
    AttackBonus,
    AttackCost,
    CardSet,
    DefenceBonus,
    Discount,
    Effect,
    Op,
    Race,
    Score,
    Structure,
)
from .position import ADVISOR, RACE, Player, Position
from .vocabulary import ATTACK_COST, LOYALTY_SIGN, RESOURCE_WORDS, ROUNDS, SYSTEMS, Colour, Resources, When

Source = Structure | Advisor | Race


def working(cards: CardSet, player: Player) -> Iterator[tuple[int, Source]]:
    """Working cards and the board, each with its place: the top card of each system, the advisor, the race."""
    for place, system in enumerate(player.systems):
        if system.cards:
            yield place, cards.structure[system.cards[-1]]
    if player.advisor:
        advisor = cards.advisor[player.advisor]
        covered = any(system.advisor and system.cards for system in player.systems)
        if advisor.works_covered or not covered:
            yield ADVISOR, advisor
    yield RACE, cards.race[player.race]


def source_at(cards: CardSet, player: Player, place: int) -> Source | None:
    """What works at a place."""
    return next((source for where, source in working(cards, player) if where == place), None)


def own_structures(cards: CardSet, player: Player) -> list[Structure]:
    """All in the player's systems, covered or not."""
    return [cards.structure[card] for system in player.systems for card in system.cards]


def _colours(cards: CardSet, player: Player) -> Counter[Colour]:
    """Of all own cards; an advisor has one only if the data says so (R19)."""
    found = Counter(card.colour for card in own_structures(cards, player))
    colour = cards.advisor[player.advisor].colour if player.advisor else None
    if colour is not None:
        found[colour] += 1
    return found


def count(cards: CardSet, player: Player, what: str) -> int:
    """How many there are of what an effect counts."""
    if what in COLOUR_COUNTS:
        return _colours(cards, player)[COLOUR_COUNTS[what]]
    if what in WORKING_COUNTS:
        colour = WORKING_COUNTS[what]
        return sum(not isinstance(each, Race) and each.colour == colour for _, each in working(cards, player))
    if what in RESOURCE_WORDS:
        return player.resources[RESOURCE_WORDS.index(what)]
    match what:
        case "working":
            return sum(place != RACE for place, _ in working(cards, player))
        case "systems":
            return len(player.systems)
        case "full systems":
            return sum(system.is_full for system in player.systems)
        case "hand":
            return len(player.hand)
        case "attacks":
            return sum(player.attacks)
        case "loyalty":
            return max(0, player.loyalty)
        case "pairs":
            return sum(number // 2 for number in _colours(cards, player).values())
        case "sets":
            colours = _colours(cards, player)
            return min(colours[colour] for colour in Colour)
    raise ValueError(what)


def holds(cards: CardSet, player: Player, effect: Effect) -> bool:
    """Whether an effect's condition and loyalty sign are met."""
    if effect.loyalty_sign and player.loyalty < LOYALTY_SIGN:
        return False
    return effect.condition is None or count(cards, player, effect.condition.count) >= effect.condition.least


def always(cards: CardSet, player: Player) -> Iterator[tuple[int, Op]]:
    """What holds as long as the cards work, each with the place it comes from."""
    for place, source in working(cards, player):
        for _, effect in source.with_when(When.ALWAYS):
            if holds(cards, player, effect):
                for op in effect.do:
                    yield place, op


# --- building


def discount(cards: CardSet, player: Player, card: Structure, system: int) -> int:
    """All discounts add up (section 4.1); that of a card about to be covered still counts (R8)."""
    total = 0
    for place, op in always(cards, player):
        if isinstance(op, Discount) and op.colour in (None, card.colour):
            here = _system_of(player, place)
            if not op.this_system or here == system:
                total += op.n
    return total


def _system_of(player: Player, place: int) -> int | None:
    """The number of the system that a card is in; an advisor may have founded one."""
    if place == ADVISOR:
        return next((number for number, system in enumerate(player.systems) if system.advisor), None)
    return place if place >= 0 else None


def payments(cost: Resources, saved: int) -> list[Resources]:
    """Every way to divide a discount: as much as possible is saved (R7), never below 0 of a kind.

    >>> [str(paid) for paid in payments(Resources(food=4, production=1), 3)]
    ['1f1p', '2f']
    """
    rest = max(0, cost.total - saved)
    return [
        Resources(food, fleet, rest - food - fleet)
        for food in range(cost.food + 1)
        for fleet in range(cost.fleet + 1)
        if 0 <= rest - food - fleet <= cost.production
    ]


# --- attacks


def attack_strength(cards: CardSet, player: Player) -> int:
    return player.resources.fleet + sum(op.n for _, op in always(cards, player) if isinstance(op, AttackBonus))


def defence_strength(cards: CardSet, player: Player) -> int:
    return player.resources.fleet + sum(op.n for _, op in always(cards, player) if isinstance(op, DefenceBonus))


def attack_price(cards: CardSet, attacker: Player, target: Player) -> int:
    """In fleet: 2, changed by cards on either side."""
    mine = sum(op.n for _, op in always(cards, attacker) if isinstance(op, AttackCost) and not op.on_me)
    theirs = sum(op.n for _, op in always(cards, target) if isinstance(op, AttackCost) and op.on_me)
    return max(0, ATTACK_COST + mine + theirs)


# --- the end


class Points(NamedTuple):
    """Where a player's points come from (section 5)."""

    track: int
    loyalty: int
    structures: int
    effects: int  # what "end of game" effects say, on covered cards too

    @property
    def total(self) -> int:
        return sum(self)


def points(cards: CardSet, player: Player) -> Points:
    structures = own_structures(cards, player)
    own: list[Source] = [*structures, cards.race[player.race]]
    printed = sum(card.vp or 0 for card in structures)
    if player.advisor:
        own.append(cards.advisor[player.advisor])
        printed += cards.advisor[player.advisor].vp
    scored = sum(
        op.n * (count(cards, player, op.per) // op.every)
        for card in own
        for _, effect in card.with_when(When.END_OF_GAME)
        if holds(cards, player, effect)
        for op in effect.do
        if isinstance(op, Score)
    )
    return Points(player.vp, player.loyalty, printed, scored)


def standings(position: Position) -> list[Points]:
    """As if the game ended now."""
    return [points(position.cards, player) for player in position.players]


def winners(position: Position) -> list[int]:
    """Most points; ties by loyalty, then by resources, then the victory is shared."""
    ranks = [
        (scored.total, player.loyalty, player.resources.total)
        for scored, player in zip(standings(position), position.players)
    ]
    return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]


def has_full_systems(position: Position, player: Player) -> bool:
    """End condition 3: five cards in every system, of at least four (R15)."""
    least = SYSTEMS if position.cards.options.full_systems == "four" else 1
    return len(player.systems) >= least and all(system.is_full for system in player.systems)


def end_reasons(position: Position) -> list[str]:
    """Which end conditions hold at the end of a round: "rounds", "loyalty", "systems"."""
    reasons = []
    if position.round >= ROUNDS:
        reasons.append("rounds")
    if any(player.loyalty <= 0 for player in position.players):
        reasons.append("loyalty")
    if any(has_full_systems(position, player) for player in position.players):
        reasons.append("systems")
    return reasons
