"""The toy with private hands in plain Python: its rules, and its exact values. `toy/duel.pyx` says how it is played.

A pair of plans is an equilibrium when neither player gains by another plan. The game is zero-sum, so all equilibria are
worth the same. What the first player's single cards are worth could still differ between them; `solve` makes sure
that it does not: wherever the second player has several best moves, each gives every card of the first player the same. Then
any other equilibrium does too, for it pairs with the first player's plan found here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

TURN, DRAW, KEEP, TAKE, END = "turn", "draw", "keep", "take", "end"
STOOD, REFUSED = "stood", "refused"
TREMBLE = Fraction(1, 10_000)  # how often a plan is not followed, so that it also says what to do after a mistake


class Duel(NamedTuple):
    hands: tuple[int, int]
    stock: tuple[int, ...]
    turns: int  # to come, this one included
    who: int = 0  # whose turn it is
    stage: str = TURN
    drawn: tuple[int, ...] = ()
    story: tuple = ()  # all that happened in sight


Held = dict[tuple[Duel, int], Fraction]  # weights of states, each with the first player's first card
Plan = dict[tuple, int]
ByCard = dict[int, Fraction]


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def to_move(duel: Duel) -> int | None:
    if duel.stage == END:
        return None
    return 1 - duel.who if duel.stage == TAKE else duel.who


def moves(duel: Duel) -> list[int]:
    return sorted({duel.hands[duel.who], *duel.drawn}) if duel.stage == KEEP else [0, 1]


def apply(duel: Duel, move: int) -> Duel:
    if duel.stage == TURN:
        return duel._replace(stage=DRAW) if move else next_turn(duel, STOOD)
    hands = list(duel.hands)
    if duel.stage == KEEP:
        laid = without((hands[duel.who], *duel.drawn), move)
        hands[duel.who] = move
        story = (*duel.story, max(laid), min(laid))
        return duel._replace(hands=tuple(hands), drawn=(), stage=TAKE, story=story)
    if not move:
        return next_turn(duel, REFUSED)
    given = hands[1 - duel.who]
    hands[1 - duel.who] = duel.story[-2]
    return next_turn(duel._replace(hands=tuple(hands)), given)


def next_turn(duel: Duel, happened: int | str) -> Duel:
    left = duel.turns - 1
    return duel._replace(turns=left, who=1 - duel.who, stage=TURN if left else END, story=(*duel.story, happened))


def draw(duel: Duel, card: int) -> Duel:
    drawn = (*duel.drawn, card)
    stage = KEEP if len(drawn) == 2 else DRAW
    return duel._replace(drawn=drawn, stock=without(duel.stock, card), stage=stage)


def view(duel: Duel, player: int) -> tuple:
    own = tuple(sorted(duel.drawn)) if player == duel.who else ()
    return player, duel.stage, duel.story, duel.hands[player], own


def share(duel: Duel) -> Fraction:
    """The first player's."""
    first, second = duel.hands
    return Fraction((first > second) - (first < second) + 1, 2)


# ---- what it is worth ---------------------------------------------------------------------------------


def deals(deck: tuple[int, ...], turns: int) -> Held:
    held: Held = defaultdict(Fraction)
    for first in deck:
        rest = without(deck, first)
        for second in rest:
            held[Duel((first, second), without(rest, second), turns), first] += 1
    return {key: weight / sum(held.values()) for key, weight in held.items()}


def after(held: Iterable[tuple[tuple[Duel, int], Fraction]], move: int) -> Held:
    """After the move, and all that chance brings."""
    found: Held = defaultdict(Fraction)
    for (duel, card), weight in held:
        todo = [(apply(duel, move), weight)]
        while todo:
            state, part = todo.pop()
            if state.stage == DRAW:
                todo += [(draw(state, drawn), part / len(state.stock)) for drawn in state.stock]
            else:
                found[state, card] += part
    return found


class Answer:
    """A best plan of one player against the plan of the other, who plays anything where that has no word.

    With `tremble` the other strays from it now and then."""

    def __init__(self, held: Held, player: int, other: Plan, tremble: Fraction = Fraction(0)) -> None:
        self.player, self.other, self.tremble = player, other, tremble
        self.plan: Plan = {}
        self.worth: dict[tuple, dict[int, Fraction]] = {}  # by view: of each move
        self.ambiguous: list[tuple] = []  # views with equally good moves that differ for a card
        self.by_card = self.best(held)
        self.value = sum(self.by_card.values())

    def best(self, held: Held) -> ByCard:
        """What each of the first player's cards adds to the player's share."""
        total: ByCard = defaultdict(Fraction)
        own: dict[tuple, list] = defaultdict(list)
        todo = held
        while todo:
            later: Held = defaultdict(Fraction)
            for (duel, card), weight in todo.items():
                who = to_move(duel)
                if who is None:
                    total[card] += weight * (share(duel) if self.player == 0 else 1 - share(duel))
                elif who == self.player:
                    own[view(duel, who)].append(((duel, card), weight))
                else:
                    for move, chance in self.chances(duel, who):
                        for key, part in after([((duel, card), weight * chance)], move).items():
                            later[key] += part
            todo = later
        for seen, group in own.items():
            each = {move: self.best(after(group, move)) for move in moves(group[0][0][0])}
            sums = {move: sum(found.values()) for move, found in each.items()}
            best = max(sums, key=sums.__getitem__)
            if any(each[move] != each[best] for move in sums if sums[move] == sums[best]):
                self.ambiguous.append(seen)
            self.plan[seen] = best
            reached = sum(weight for _, weight in group)
            self.worth[seen] = {move: value / reached for move, value in sums.items()}
            for card, value in each[best].items():
                total[card] += value
        return dict(total)

    def chances(self, duel: Duel, who: int) -> list[tuple[int, Fraction]]:
        choice, planned = moves(duel), self.other.get(view(duel, who))
        if planned is None:
            return [(move, Fraction(1, len(choice))) for move in choice]
        if len(choice) == 1 or not self.tremble:
            return [(planned, Fraction(1))]
        stray = self.tremble / (len(choice) - 1)
        return [(move, 1 - self.tremble if move == planned else stray) for move in choice]


def solve(deck: tuple[int, ...], turns: int) -> dict[int, dict[int, Fraction]]:
    """What standing and exchanging are worth to the first player, by the card in hand. ValueError if both players would
    have to mix their plans, or if the values are not the only ones."""
    held = deals(deck, turns)
    second: Plan = {}
    for _ in range(20):
        first = Answer(held, 0, second, TREMBLE).plan
        second = Answer(held, 1, first, TREMBLE).plan
        mine, yours = Answer(held, 0, second), Answer(held, 1, first)
        if mine.value + yours.value == 1:
            if yours.ambiguous:
                raise ValueError(f"more than one solution: {yours.ambiguous}")
            return {seen[3]: worth for seen, worth in mine.worth.items() if not seen[2] and seen[1] == TURN}
    raise ValueError("no equilibrium of plain plans")


def at_random(deck: tuple[int, ...], turns: int, card: int) -> Fraction:
    """The first player's share with this card if everybody plays any move."""
    todo = {key: weight for key, weight in deals(deck, turns).items() if key[1] == card}
    whole, total = sum(todo.values()), Fraction(0)
    while todo:
        later: Held = defaultdict(Fraction)
        for (duel, first), weight in todo.items():
            if to_move(duel) is None:
                total += weight * share(duel)
                continue
            for move in moves(duel):
                for key, part in after([((duel, first), weight / len(moves(duel)))], move).items():
                    later[key] += part
        todo = later
    return total / whole
