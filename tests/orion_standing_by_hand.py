"""What counts of a standing, by the plain rules: the slow twin of _core/orion/standing.pyx.

Only what the policy thinks each card is worth comes from the core (`Table.worths`)."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from orbis_search.orion.core.packing import Packing
from orbis_search.orion.core.states import RACES_FROM
from orbis_search.orion.game.counting import (
    attack_price,
    attack_strength,
    defence_strength,
    own_structures,
    points,
    working,
)
from orbis_search.orion.game.position import RACE, Player, Position
from orbis_search.orion.game.vocabulary import HAND, LOYALTY_SIGN, MOST_RESOURCE, ROUNDS, When

POINT = 5
# Of policy.pyx.
POINT_EARLY, RATE_LEFT, RATE_LEAST, RATE_CUBE = 0.49, 1.15, 0.1, 0.09
INCOME, WORK_GOODS, WORK_POINTS = 0.89, 0.8, 0.44


def features_by_hand(packing: Packing, position: Position, seat: int) -> list[float]:
    cards, side = position.cards, position.players[seat]
    scored = points(cards, side)
    income = [sum(card.income[kind] for card in own_structures(cards, side)) for kind in range(3)]
    found: list[float] = [1, *side.resources, *income, side.loyalty, max(0, 3 - side.loyalty)]
    found += [side.loyalty >= LOYALTY_SIGN, side.vp, scored.structures, scored.effects, side.available]
    found += [position.first == seat]
    found += hand_by_hand(packing, position, side)
    found += built_by_hand(packing, position, seat)
    found += rivals_by_hand(position, seat)
    found += [max(0, side.resources[kind] + income[kind] - MOST_RESOURCE) for kind in range(3)]
    return [float(each) for each in found]


def hand_by_hand(packing: Packing, position: Position, side: Player) -> list[float]:
    cards = position.cards
    left = ROUNDS - position.round
    late = 1 - left / ROUNDS
    point = POINT * (POINT_EARLY + (1 - POINT_EARLY) * late)
    rate = RATE_LEFT * left / ROUNDS + RATE_LEAST + RATE_CUBE * min(side.available, 4)
    worths = packing.state.table.worths()
    profits, payable = [], [0.0]
    for name in sorted(set(side.hand), key=cards.order.__getitem__):
        card = cards.structure[name]
        if card.loyalty_sign and side.loyalty < LOYALTY_SIGN:
            continue
        income, cost, goods, some, once_goods, once_points = worths[packing.printing.numbers[name]]
        works = left * (WORK_GOODS * goods + POINT * WORK_POINTS * some)
        once = rate * once_goods + point * once_points
        profit = point * (card.vp or 0) + INCOME * left * income + works + once - rate * cost
        profits.append(max(0.0, profit))
        if all(price <= there for price, there in zip(card.cost, side.resources)):
            payable.append(profit)
    profits = sorted([*profits, 0.0, 0.0], reverse=True)
    hand = len(side.hand)
    return [hand, max(0, hand - HAND), profits[0], profits[1], sum(profits[2:]), max(payable)]


def built_by_hand(packing: Packing, position: Position, seat: int) -> list[float]:
    cards, side = position.cards, position.players[seat]
    worths, numbers = packing.state.table.worths(), packing.printing.numbers
    goods = some = activations = 0.0
    for place, source in working(cards, side):
        worth = worths[RACES_FROM + seat if place == RACE else numbers[source.id]]
        goods, some, activations = goods + worth[2], some + worth[3], activations + source.has_a
    structures = own_structures(cards, side)
    return [
        goods,
        some,
        activations,
        len(structures),
        len(side.systems),
        sum(system.is_full for system in side.systems),
        len({card.id for card in structures if any(effect.when is When.END_OF_GAME for effect in card.effects)}),
        bool(side.advisor),
    ]


def rivals_by_hand(position: Position, seat: int) -> list[float]:
    cards, side = position.cards, position.players[seat]
    others = [other for number, other in enumerate(position.players) if number != seat]
    return [
        sum(attack_price(cards, other, side) for other in others),
        sum(sum(card.income.fleet for card in own_structures(cards, other)) for other in others),
        sum(other.loyalty <= 4 for other in others),
        sum(other.vp for other in others),
        sum(attack_strength(cards, other) for other in others),
        sum(attack_strength(cards, side) >= defence_strength(cards, other) for other in others),
        sum(attack_strength(cards, other) >= defence_strength(cards, side) for other in others),
        min(9, *(attack_price(cards, side, other) for other in others)),
    ]


def estimate_by_hand(
    features: Sequence[Sequence[float]], weights: Sequence[Sequence[float]], spread: float
) -> list[tuple[float, tuple[float, ...]]]:
    """(share, points by source) of each player."""
    sources = [tuple(sum(w * f for w, f in zip(row, own)) for row in weights) for own in features]
    odds = [exp((sum(own) - max(map(sum, sources))) / spread) for own in sources]
    return [(odd / sum(odds), own) for odd, own in zip(odds, sources)]
