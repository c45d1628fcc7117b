"""The table while a move is carried out: what effects and rules do to it, one thing at a time.

Positions are immutable; this is the one thing that changes, and only while `rules` works on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .cards import CardSet
from .position import ADVISOR, Player, Position, System, Task
from .vocabulary import MOST_LOYALTY, Resources


class Table:
    def __init__(self, position: Position) -> None:
        self.cards: CardSet = position.cards
        self.players = list(position.players)
        self.deck = list(position.deck)
        self.pile = list(position.pile)
        self.advisors = list(position.advisors)
        self.stack: list[Task] = list(position.stack)
        self.first, self.round = position.first, position.round
        self.phase, self.turn = position.phase, position.turn

    def position(self) -> Position:
        return Position(
            self.cards,
            tuple(self.players),
            tuple(self.deck),
            tuple(self.pile),
            tuple(self.advisors),
            self.first,
            self.round,
            self.phase,
            self.turn,
            tuple(self.stack),
        )

    def change(self, seat: int, **fields: Any) -> None:
        self.players[seat] = self.players[seat]._replace(**fields)

    def in_turn_order(self, start: int | None = None) -> list[int]:
        """All seats, from the first player on or from another."""
        count = len(self.players)
        return [((self.first if start is None else start) + n) % count for n in range(count)]

    def push(self, tasks: Iterable[Task]) -> None:
        """What is to be done next, the first of them first."""
        self.stack += reversed(list(tasks))

    # --- tracks

    def gain(self, seat: int, resources: Resources) -> None:
        """What is above 9 is lost; a loss stops at 0."""
        had = self.players[seat].resources
        self.change(seat, resources=Resources(*(max(0, amount) for amount in had.plus(resources))))

    def pay(self, seat: int, resources: Resources) -> None:
        self.change(seat, resources=self.players[seat].resources.minus(resources))

    def change_loyalty(self, seat: int, by: int) -> None:
        """Never above 10, without a lower bound (section 4.4)."""
        self.change(seat, loyalty=min(MOST_LOYALTY, self.players[seat].loyalty + by))

    def change_vp(self, seat: int, by: int) -> None:
        """Never below 0 (R12)."""
        self.change(seat, vp=max(0, self.players[seat].vp + by))

    # --- cubes

    def make_available(self, seat: int, cubes: int) -> None:
        """From the reserve, which is a real limit (R11)."""
        player = self.players[seat]
        moved = min(cubes, player.reserve)
        self.change(seat, available=player.available + moved, reserve=player.reserve - moved)

    def spend_cube(self, seat: int) -> None:
        """It lies on a board until the end of the round."""
        self.change(seat, available=self.players[seat].available - 1)

    def discard_cubes(self, seat: int, cubes: int) -> None:
        """Available ones: they go to the reserve (section 4.3)."""
        player = self.players[seat]
        self.change(seat, available=player.available - cubes, reserve=player.reserve + cubes)

    def is_filled(self, seat: int, place: int, cell: str) -> bool:
        player = self.players[seat]
        if place == ADVISOR:
            return player.advisor_a if cell == "a" else player.advisor_r
        return player.systems[place].a if cell == "a" else player.systems[place].r

    def fill(self, seat: int, place: int, cell: str, filled: bool = True) -> None:
        """Marks a cell; where the cube comes from or goes to is somebody else's concern."""
        if place == ADVISOR:
            self.change(seat, **{f"advisor_{cell}": filled})
        else:
            self.change_system(seat, place, **{cell: filled})

    def fill_from_reserve(self, seat: int, place: int, cell: str) -> None:
        self.change(seat, reserve=self.players[seat].reserve - 1)
        self.fill(seat, place, cell)

    def empty_cells(self, seat: int, place: int) -> None:
        """A card that stops working loses its cubes to the reserve (R18)."""
        for cell in "ar":
            if self.is_filled(seat, place, cell):
                self.fill(seat, place, cell, False)
                self.change(seat, reserve=self.players[seat].reserve + 1)

    # --- systems

    def change_system(self, seat: int, number: int, **fields: Any) -> None:
        systems = list(self.players[seat].systems)
        systems[number] = systems[number]._replace(**fields)
        self.change(seat, systems=tuple(systems))

    def place_card(self, seat: int, card: str, number: int) -> None:
        """On top of a system, or as a new one with the next number."""
        player = self.players[seat]
        if number == len(player.systems):
            self.change(seat, systems=(*player.systems, System((card,))))
            return
        self.empty_cells(seat, number)
        self.change_system(seat, number, cards=(*player.systems[number].cards, card))

    def rearrange(self, seat: int, number: int, order: tuple[str, ...]) -> None:
        """The cards of a system in another order; if another card comes to the top, the one before loses its cubes."""
        if order[-1] != self.players[seat].systems[number].cards[-1]:
            self.empty_cells(seat, number)
        self.change_system(seat, number, cards=order)

    # --- cards

    def sorted(self, cards: Iterable[str]) -> tuple[str, ...]:
        order = self.cards.order
        return tuple(sorted(cards, key=lambda card: order.get(card, len(order))))

    def discard(self, seat: int, card: str) -> None:
        self.leave_hand(seat, card)
        self.pile.append(card)

    def leave_hand(self, seat: int, card: str) -> None:
        """A card is shown and leaves the hand. Everybody works out which part of the hand it came from; where that
        cannot be told, what the last reshuffle revealed is given up for good."""
        player = self.players[seat]
        if card in player.known:
            self.change(seat, known=_without(player.known, card))
            return
        if self._may_be_old(player, card):
            if self._may_be_fresh(player, card):
                for each, other in enumerate(self.players):
                    self.change(each, fresh=self.sorted(other.fresh + other.old), old=())
            else:
                self.change(seat, old=_without(player.old, card))
                return
        self.change(seat, fresh=_without(self.players[seat].fresh, card))

    def _may_be_old(self, player: Player, card: str) -> bool:
        """As far as everybody knows."""
        return bool(player.old) and any(card in each.old for each in self.players)

    def _may_be_fresh(self, player: Player, card: str) -> bool:
        return bool(player.fresh) and (card in self.deck or any(card in each.fresh for each in self.players))

    def take_from_pile(self, seat: int, index: int) -> None:
        """In sight of everybody; the rest keep their order."""
        card = self.pile.pop(index)
        self.change(seat, known=self.sorted((*self.players[seat].known, card)))

    def draw(self, seat: int, card: str) -> None:
        """Seen by the drawer alone."""
        self.deck.remove(card)
        self.change(seat, fresh=self.sorted((*self.players[seat].fresh, card)))
        if self.cards.options.reshuffle == "at_once":
            self.refill_deck()

    def refill_deck(self) -> bool:
        """With an empty deck, all of the pile but its top card becomes the deck (section 3.4). Whether there is a card
        to draw now.

        Then everybody knows what lies in the deck, and so which other cards are in hands: with two players, in the
        other's hand.
        """
        if not self.deck and len(self.pile) > 1:
            self.deck, self.pile = self.pile[:-1], self.pile[-1:]
            for seat, player in enumerate(self.players):
                if len(self.players) == 2:
                    self.change(seat, known=self.sorted(player.hand), old=(), fresh=())
                else:
                    self.change(seat, old=self.sorted(player.old + player.fresh), fresh=())
        return bool(self.deck)


def _without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
