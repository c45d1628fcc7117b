"""What the last moves of a game are worth, by the plain rules and by listing every world one by one.

It shares nothing with orion/search/ending.py but what it is to be right. Every player who decides looks at all worlds
that fit what that player sees, and takes the same move in all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

from orbis_search.orion.game import rules
from orbis_search.orion.game.knowledge import seen_by, unseen
from orbis_search.orion.game.position import Move, Position
from orbis_search.orion.game.vocabulary import UNKNOWN

World = tuple[Fraction, Position]
Worth = tuple[Fraction, ...]  # a share for each player, then the points of each


def values(position: Position) -> dict[Move, Worth]:
    """Of every legal move, to the player who decides."""
    assert position.to_move is not None
    worlds, known = worlds_of(position, position.to_move), {}
    return {move: worth_after(worlds, move, position.to_move, known) for move in rules.legal_moves(position)}


def worlds_of(position: Position, observer: int) -> list[World]:
    """All that the observer can think of, equally likely; the order of the deck does not count."""
    seen = seen_by(position, observer)
    found = Counter(
        tuple(tuple(sorted(hand)) for hand in hands)
        for hands in dealt(unseen(seen), [p.fresh.count(UNKNOWN) for p in seen.players])
    )
    total = sum(found.values())
    return [(Fraction(number, total), filled(seen, position, hands)) for hands, number in found.items()]


def dealt(pool: tuple[str, ...], sizes: list[int]) -> Iterator[list[tuple[str, ...]]]:
    for cards in permutations(pool, sum(sizes)):
        hands, at = [], 0
        for size in sizes:
            hands.append(cards[at : at + size])
            at += size
        yield hands


def filled(seen: Position, position: Position, hands: tuple[tuple[str, ...], ...]) -> Position:
    players = tuple(
        player._replace(fresh=tuple(hand)) if UNKNOWN in player.fresh else player
        for player, hand in zip(seen.players, hands)
    )
    deck = Counter(unseen(seen)) - Counter(card for hand in hands for card in hand)
    return position._replace(players=players, deck=tuple(sorted(deck.elements())))


def worth_after(worlds: list[World], move: Move, believer: int, known: dict[Position, Move]) -> Worth:
    return worth([(chance, rules.play(world, move)) for chance, world in worlds], believer, known)


def worth(worlds: list[World], believer: int, known: dict[Position, Move]) -> Worth:
    """The mean over worlds that the believer cannot tell apart; their chances need not add up to 1."""
    players = len(worlds[0][1].players)
    sums = [Fraction(0)] * 2 * players
    groups: dict[Position, list[World]] = {}
    left = list(worlds)
    while left:
        chance, world = left.pop()
        if world.is_over:
            won, points = rules.winners(world), [sum(each) for each in rules.standings(world)]
            for seat in range(players):
                sums[seat] += chance * Fraction(seat in won, len(won))
                sums[players + seat] += chance * points[seat]
        elif world.draw_due:
            drawn = rules.draws(world)
            all_of_them = sum(number for _card, number in drawn)
            left += [(chance * Fraction(number, all_of_them), rules.draw(world, card)) for card, number in drawn]
        elif world.to_move == believer:
            groups.setdefault(seen_by(world, believer), []).append((chance, world))
        else:
            left.append((chance, rules.play(world, choice(world, known))))
    for group in groups.values():
        moves = rules.legal_moves(group[0][1])
        best = max((worth_after(group, move, believer, known) for move in moves), key=lambda each: rank(each, believer))
        sums = [a + b for a, b in zip(sums, best)]
    return tuple(sums)


def choice(world: Position, known: dict[Position, Move]) -> Move:
    """Of the player who decides, by what that player sees."""
    mover = world.to_move
    assert mover is not None
    seen = seen_by(world, mover)
    if seen not in known:
        worlds, moves = worlds_of(world, mover), rules.legal_moves(world)
        known[seen] = (
            max(moves, key=lambda move: rank(worth_after(worlds, move, mover, known), mover)) if moves[1:] else moves[0]
        )
    return known[seen]


def rank(found: Worth, seat: int) -> tuple[Fraction, Fraction]:
    points = found[len(found) // 2 :]
    return found[seat], points[seat] - max(each for other, each in enumerate(points) if other != seat)
