"""Who knows what: a position as one player sees it, and guesses at what that player does not see (section 6).

All that is public stands in the position: every hand has its `known`, `old` and `fresh` part, and all players work out
the same from what is played in sight. So what a player knows depends on the position alone, not on how it came about.

Two things are not kept, and guesses are then spread wider than a perfect memory would spread them. With three or four
players, once somebody plays a card that could have been in hand at the last reshuffle or drawn since, what that
reshuffle told is forgotten. And at a second reshuffle it is forgotten who held cards since before the first.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ...base.dice import Dice
from .position import Drawing, Drop, Player, Position, Task
from .vocabulary import UNKNOWN

NOBODY = -1  # an observer who sees what everybody sees


def seen_by(position: Position, observer: int) -> Position:
    """The position with UNKNOWN for every card that the observer cannot know."""

    def masked(cards: tuple[str, ...]) -> tuple[str, ...]:
        return (UNKNOWN,) * len(cards)

    players, in_hands = [], list(position.in_hands)
    for seat, player in enumerate(position.players):
        if seat != observer:
            in_hands += [card for card in player.old if card != UNKNOWN]
            player = player._replace(old=masked(player.old), fresh=masked(player.fresh))
        players.append(player)
    stack: list[Task] = []
    for task in position.stack:
        if isinstance(task, Drawing) and task.player != observer:
            task = replace(task, drawn=masked(task.drawn))
        elif isinstance(task, Drop) and task.among is not None and task.player != observer:
            task = replace(task, among=masked(task.among))
        stack.append(task)
    return position._replace(
        players=tuple(players), deck=masked(position.deck), stack=tuple(stack), in_hands=_in_order(position, in_hands)
    )


def unseen(position: Position) -> tuple[str, ...]:
    """The cards that lie in the deck or were drawn from it and not seen since: what the unknown cards can be, apart
    from those that were in hands at the last reshuffle."""
    left = Counter(position.cards.deck)
    left.subtract(position.pile)
    left.subtract(position.in_hands)
    left.subtract(card for card in position.deck if card != UNKNOWN)
    for player in position.players:
        left.subtract(card for card in player.hand if card != UNKNOWN)
        for system in player.systems:
            left.subtract(system.cards)
    return tuple(card for card, number in left.items() for _ in range(number))


def complete(position: Position, dice: Dice) -> Position:
    """A guess: every UNKNOWN card filled in, whatever fits what is known being equally likely. A deck of unknown cards
    gets an order."""
    old = dice.shuffled(position.in_hands)
    rest = dice.shuffled(unseen(position))

    def filled(cards: tuple[str, ...], pool: list[str]) -> tuple[str, ...]:
        return tuple(pool.pop() if card == UNKNOWN else card for card in cards)

    players = []
    for player in position.players:
        if UNKNOWN in player.hand:
            player = player._replace(
                old=_in_order(position, filled(player.old, old)), fresh=_in_order(position, filled(player.fresh, rest))
            )
        players.append(player)
    stack = tuple(_with_drawn(task, players, dice) for task in position.stack)
    deck = filled(position.deck, rest)
    return position._replace(players=tuple(players), deck=deck, stack=stack, in_hands=())


def _with_drawn(task: Task, players: list[Player], dice: Dice) -> Task:
    """Which cards of a hand have just been drawn: fresh ones, or all of those and others if the deck was refilled in
    between."""

    def some_of(seat: int, number: int) -> tuple[str, ...]:
        player = players[seat]
        fresh = dice.shuffled(player.fresh)
        return tuple((fresh + dice.shuffled(player.old + player.known))[:number])

    if isinstance(task, Drawing) and UNKNOWN in task.drawn:
        return replace(task, drawn=some_of(task.player, len(task.drawn)))
    if isinstance(task, Drop) and task.among is not None and UNKNOWN in task.among:
        return replace(task, among=some_of(task.player, len(task.among)))
    return task


def _in_order(position: Position, cards: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    order = position.cards.order
    return tuple(sorted(cards, key=lambda card: order.get(card, len(order))))
