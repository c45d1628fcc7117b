"""The last decisions of a game, solved: what each move is worth, exactly.

It can be done where all that may follow can be counted through: the cards that may be drawn and the hands that the
others may hold. Whoever decides takes what wins most by what that player knows, and what leads by most points among
those; hidden cards are equally likely to be any that fit, and nobody concludes from a move what its player holds.

Three things keep it small.

- Cards of which nothing depends are not told apart. A player who draws or drops them becomes *blind*: any cards stand
  for those in the hand. Where a blind hand has to be looked at after all, `SightError` leads back to the draw, and its
  cards are counted through.
- A hand that is hidden is dealt when its owner first looks at it, from all that the believer has not seen. Until then
  its cards and those of the deck are one pool, and it makes no difference which of them lie where.
- Where each move needs at most one card of that hand, cards are ranked by the best move with each. Then the chance that
  a hand's best card is this one is a matter of counting (`_by_best_card`), and no hands are listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import comb
from time import perf_counter
from typing import NamedTuple

from ...base.dice import Dice
from ..core.packing import PackedMove, Packing
from ..core.states import PackedState
from ..game.knowledge import complete, seen_by
from ..game.position import Phase, Position
from ..game.vocabulary import ROUNDS
from .data import MoveValue, SearchResult, Sources

MOST_POSITIONS = 60_000  # looked at before it is given up: a few seconds
SAME = 1e-9  # shares that differ by less are the same
FROM_HAND = ("build", "exploit")  # moves that need a card of the hand
# A share of the victory for each player, then the points by source of each.
Worth = tuple[float, ...]
Rank = tuple[float, float]
SOURCES = 4
NOBODY: frozenset[int] = frozenset()


class NotSolvedError(Exception):
    """There is too much to count through, or a choice would rest on what its player cannot know."""


class SightError(Exception):
    """A hand has to be looked at in which any cards stand for the real ones."""


def solve_ending(position: Position, *, most: int = MOST_POSITIONS) -> SearchResult | None:
    """Every legal move with its exact value, the best first. None where that is out of reach."""
    if not is_near_end(position):
        return None
    mover = position.to_move
    assert mover is not None
    start = perf_counter()
    packing = Packing(position if position.is_complete else complete(position, Dice(0)))
    ending = Ending(packing, most)
    view = View(mover)
    try:
        found = [(move, ending.worth(_after(packing.state, move), view)) for move in packing.state.moves()]
    except (NotSolvedError, SightError):
        return None
    found.sort(key=lambda each: ending.rank(each[1], mover), reverse=True)
    values = tuple(_value(packing, move, worth, mover) for move, worth in found)
    seen = seen_by(position, mover)
    return SearchResult(seen, values, ending.positions, perf_counter() - start, 1, 0, "solved")


def is_near_end(position: Position) -> bool:
    """Whether it is worth trying: in the last round, nobody acts more often than once; who is alone may twice."""
    if position.round != ROUNDS or position.phase is not Phase.ACTIONS or position.to_move is None:
        return False
    able = [player.available for player in position.players if player.available]
    return max(able, default=0) <= (2 if len(able) == 1 else 1)


def _value(packing: Packing, move: PackedMove, worth: Worth, mover: int) -> MoveValue:
    players = len(worth) // (1 + SOURCES)
    points = worth[players:]
    sources = tuple(Sources(*points[SOURCES * seat : SOURCES * seat + SOURCES]) for seat in range(players))
    share = worth[mover]
    return MoveValue(packing.unpack_move(move), 0, worth[:players], share, share, sources, proved=True)


class View(NamedTuple):
    """By whose knowledge something is counted."""

    believer: int
    dealt: frozenset[int] = NOBODY  # hands that the believer does not see and that are counted through one by one
    blind: frozenset[int] = NOBODY  # hands in which any cards stand for the real ones
    loose: tuple[int, ...] = ()  # cards of the pool that stand for others elsewhere than in the deck or a hidden hand
    pile_is_known: bool = True
    chosen_from: bool = False  # a hidden hand was chosen from: what is left of it is no longer any cards
    supply: int = 0  # of the state in which the first of them became blind

    def not_seeing(self, seat: int, state: PackedState) -> View:
        return self._replace(blind=self.blind | {seat}, supply=self.supply if self.blind else state.supply)


class Option(NamedTuple):
    """The best of the moves that need a card of the hand, or none."""

    rank: Rank
    card: int | None
    move: PackedMove
    state: PackedState  # in which it can be made


class Ending:
    """Counts through what can follow, up to so many positions."""

    def __init__(self, packing: Packing, most: int) -> None:
        self.packing = packing
        self.players = len(packing.origin.players)
        self.most = most
        self.positions = 0

    def rank(self, worth: Worth, seat: int) -> Rank:
        """Victory first, then points ahead of the best of the others."""
        points = [sum(worth[at : at + SOURCES]) for at in range(self.players, len(worth), SOURCES)]
        ahead = points[seat] - max(each for other, each in enumerate(points) if other != seat)
        return round(worth[seat] / SAME) * SAME, round(ahead / SAME) * SAME

    def worth(self, state: PackedState, view: View) -> Worth:
        """What a state is worth in a view. The state is lost."""
        while True:
            self.positions += 1
            if self.positions > self.most or (view.blind and state.supply != view.supply):
                raise NotSolvedError  # too much, or the deck was refilled with cards that stand for others
            if any(state.was_looked_at(seat) and self._is_unknown(state, seat, view) for seat in range(self.players)):
                raise SightError
            if state.only_hands_can_change:
                _play_on(state)
            if state.is_over:
                return (*state.shares(), *(float(part) for points in state.points() for part in points))
            mover = state.to_move
            if mover is None:
                return self._by_draw(state, view)
            about = state.looks_at
            if (about == "hand" and mover in view.blind) or (about == "pile" and not view.pile_is_known):
                raise SightError
            if about == "drop":
                return self._by_drop(state, mover, view)
            if about == "hand" and self._is_hidden(state, mover, view):
                return self._by_hidden_hand(state, mover, view)
            moves = state.moves()
            if len(moves) > 1 and mover == view.believer:
                return self._best(state, moves, view)
            state.apply(self._choice(state, moves, mover, view))

    def _best(self, state: PackedState, moves: Sequence[PackedMove], view: View) -> Worth:
        """Of the believer's moves."""
        worths = [self.worth(_after(state, move), view) for move in moves]
        best = max(worths, key=lambda worth: self.rank(worth, view.believer))
        if view.dealt and any(best[view.believer] - worth[view.believer] > SAME for worth in worths):
            raise NotSolvedError  # a choice by hands that have been dealt would be peeking
        return best

    def _choice(self, state: PackedState, moves: Sequence[PackedMove], mover: int, view: View) -> PackedMove:
        """Of another player, by what that one knows: an own hand that the believer does not see is left alone."""
        if len(moves) == 1:
            return moves[0]
        own = View(mover)
        if view.blind or self._is_hidden(state, mover, view):
            own = view.not_seeing(mover, state)._replace(believer=mover, dealt=NOBODY, loose=(), chosen_from=True)
        return max(moves, key=lambda move: self.rank(self.worth(_after(state, move), own), mover))

    def _by_drop(self, state: PackedState, mover: int, view: View) -> Worth:
        """Which cards go rarely matters; where it does, it has to be chosen."""
        moves = state.moves()
        after = _after(state, moves[0])
        try:
            return self.worth(after, self._blindly(state, after, mover, view)._replace(pile_is_known=False))
        except SightError:
            if view.blind or self._is_hidden(state, mover, view):
                raise
        if mover == view.believer:
            return self._best(state, moves, view)
        return self.worth(_after(state, self._choice(state, moves, mover, view)), view)

    def _by_draw(self, state: PackedState, view: View) -> Worth:
        after = state.copy()
        after.draw(after.draws()[0][0])
        drawer = state.drawer
        assert drawer is not None
        try:
            return self.worth(after, self._blindly(state, after, drawer, view))
        except SightError:
            if view.blind:
                raise
        worths = []
        for card, number in sorted(self._pool(state, view).items()):
            after = state.copy()
            if card not in after.deck():
                holder = next(seat for seat in self._hidden(state, view) if card in _fresh(state, seat))
                after.exchange(holder, card, after.deck()[0], ())
            after.draw(card)
            worths.append((number, self.worth(after, view)))
        return _mean(worths)

    def _blindly(self, before: PackedState, after: PackedState, seat: int, view: View) -> View:
        """The view after any card went to or from a hand: it may have left the places that a pool is gathered from."""
        gone = self._pool(before, view) - self._pool(after, view)
        return view.not_seeing(seat, before)._replace(loose=(*view.loose, *gone.elements()))

    # --- hidden hands

    def _is_hidden(self, state: PackedState, seat: int, view: View) -> bool:
        return seat != view.believer and seat not in view.dealt and bool(_fresh(state, seat))

    def _is_unknown(self, state: PackedState, seat: int, view: View) -> bool:
        return seat in view.blind or self._is_hidden(state, seat, view)

    def _hidden(self, state: PackedState, view: View) -> list[int]:
        """Whose cards lie in one pool with the deck."""
        return [seat for seat in range(self.players) if self._is_hidden(state, seat, view)]

    def _pool(self, state: PackedState, view: View) -> Counter[int]:
        """What any card that the believer has not seen can be."""
        hidden = self._hidden(state, view)
        return Counter([*state.deck(), *view.loose, *(card for seat in hidden for card in _fresh(state, seat))])

    def _holding(self, state: PackedState, seat: int, cards: Sequence[int], view: View) -> PackedState:
        """The state with this hand, and whatever it takes instead where the cards were."""
        held = state.copy()
        wanted, spare = Counter(cards) - Counter(_fresh(state, seat)), Counter(_fresh(state, seat)) - Counter(cards)
        others = [each for each in self._hidden(state, view) if each != seat] + sorted(view.blind - {seat})
        for get, give in zip(wanted.elements(), spare.elements()):
            held.exchange(seat, give, get, others)
        return held

    def _by_hidden_hand(self, state: PackedState, mover: int, view: View) -> Worth:
        """Of a player who looks at a hand that the believer does not see."""
        if view.chosen_from:
            raise SightError
        size, pool = len(_fresh(state, mover)), self._pool(state, view)
        try:
            return self._by_best_card(state, mover, view, size, pool)
        except SightError:
            if view.blind:
                raise
            if self.positions + comb(len(pool) + size - 1, size) > self.most:
                raise NotSolvedError from None
        dealt = view._replace(dealt=view.dealt | {mover})
        return _mean(
            [
                (ways, self.worth(self._holding(state, mover, cards, view), dealt))
                for cards, ways in _hands(sorted(pool.items()), size)
            ]
        )

    def _by_best_card(self, state: PackedState, mover: int, view: View, size: int, pool: Counter[int]) -> Worth:
        """Cards by the best move with each, down to the best move without any of them."""
        after = view.not_seeing(mover, state)._replace(chosen_from=True)
        own = after._replace(believer=mover, dealt=NOBODY, loose=())
        rest = [move for move in state.moves() if self._card_needed(state, mover, move) is None]
        options = [self._option(state, rest, own, None)] if rest else []
        for card in sorted(pool):
            held = self._holding(state, mover, _some_with(card, pool, size), view)
            moves = [move for move in held.moves() if self._card_needed(held, mover, move) == card]
            if moves:
                options.append(self._option(held, moves, own, card))
        worths: list[tuple[float, Worth]] = []
        left = total = pool.total()
        none_yet = 1.0  # the chance that the hand has no better card
        for option in sorted(options, key=lambda option: option.rank, reverse=True):
            left -= 0 if option.card is None else pool[option.card]
            none = 0.0 if option.card is None else comb(left, size) / comb(total, size)
            if none_yet > none:
                worths.append((none_yet - none, self.worth(_after(option.state, option.move), after)))
            none_yet = none
            if none == 0:
                break
        if none_yet > 0:
            raise SightError  # nothing to do with some hands
        return _mean(worths)

    def _option(self, state: PackedState, moves: Sequence[PackedMove], view: View, card: int | None) -> Option:
        ranked = [(self.rank(self.worth(_after(state, move), view), view.believer), move) for move in moves]
        best, chosen = max(ranked, key=lambda each: each[0])
        return Option(best, card, chosen, state)

    def _card_needed(self, state: PackedState, mover: int, move: PackedMove) -> int | None:
        """The hidden card of the hand that a move needs."""
        readable = self.packing.unpack_move(move)
        if readable.kind not in FROM_HAND:
            return None
        card = self.packing.printing.numbers[readable.card]
        return None if card in state.hand(mover)[0] else card


def _after(state: PackedState, move: PackedMove) -> PackedState:
    after = state.copy()
    after.apply(move)
    return after


def _play_on(state: PackedState) -> None:
    """To the end, any way."""
    while not state.is_over:
        draws = state.draws()
        if draws:
            state.draw(draws[0][0])
        else:
            state.apply(state.moves()[0])


def _fresh(state: PackedState, seat: int) -> tuple[int, ...]:
    _known, old, fresh = state.hand(seat)
    if old:
        raise NotSolvedError  # dealt among three or four players by other rules
    return fresh


def _some_with(card: int, pool: Counter[int], size: int) -> list[int]:
    """A hand with this card."""
    others = sorted((pool - Counter([card])).elements())
    return [card, *others[: size - 1]]


def _hands(pool: Sequence[tuple[int, int]], size: int) -> Iterator[tuple[list[int], int]]:
    """Every hand of so many cards from a pool of (card, number), with the number of ways to pick it."""
    if size == 0:
        yield [], 1
        return
    if not pool:
        return
    (card, number), *rest = pool
    for taken in range(min(number, size), -1, -1):
        for cards, ways in _hands(rest, size - taken):
            yield [card] * taken + cards, ways * comb(number, taken)


def _mean(worths: Sequence[tuple[float, Worth]]) -> Worth:
    total = sum(weight for weight, _worth in worths)
    columns = zip(*(worth for _weight, worth in worths))
    return tuple(sum(weight * part for (weight, _worth), part in zip(worths, column)) / total for column in columns)
