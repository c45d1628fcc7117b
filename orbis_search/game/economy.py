"""Worshipers in a turn: what the turn costs and brings, and the possible ways to pay, exchange, gain and give back.

A `Move` is what others can see afterwards, so what was exchanged, paid or given back has to be found again: `find_way`
looks for a way of playing that leaves the move's realm with the fewest exchanges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any

from ..base.errors import InputError
from ..base.language import _
from .effort import take_step
from .position import Player, Position
from .rules import price
from .tiles import Tile
from .vocabulary import (
    CELLS,
    COLOUR_LETTERS,
    DEATH_COST,
    EXCHANGE_RATE,
    LOVE_GAIN,
    NOBODY,
    REALM_LIMIT,
    Colour,
    Effect,
    God,
    Worshipers,
)

PLACE = "move"  # the place of a move's problems

Counts = tuple[int, ...]  # one number per colour
Exchange = tuple[int, int]  # colour of which three are given, colour taken
_ZERO: Counts = (0, 0, 0, 0, 0)


def mover(position: Position) -> Player:
    index = position.to_move
    if index is None:
        raise InputError.one(PLACE, _("expected no move after the game's end, found one"))
    return position.players[index]


def tile_on(position: Position, cell: int) -> Tile:
    tile = position.centre[cell].tile
    if tile is None:
        raise InputError.one(PLACE, _("expected a refill of {cell} first, found a move", cell=CELLS[cell]))
    return tile


@dataclass(frozen=True, slots=True)
class Economy:
    """What one turn does to a realm, apart from the player's choices of colours and exchanges."""

    start: Worshipers  # realm with what was collected
    cost: Worshipers = NOBODY  # after farms
    any_cost: int = 0
    given: int = 0  # to validate a village or Death
    gain: Worshipers = NOBODY
    gain_any: int = 0  # gained in colours of choice

    @property
    def total_without_exchanges(self) -> int:
        """Worshipers before the limit if nothing is exchanged; each exchange takes two off."""
        gained = sum(self.gain) + self.gain_any
        return sum(self.start) + gained - sum(self.cost) - self.any_cost - self.given


@dataclass(frozen=True, slots=True)
class Spending:
    """What is known about the worshipers in a turn; None where nothing is."""

    swaps: tuple[Exchange, ...] | None = None
    pay: Worshipers | None = None
    gain: Worshipers | None = None
    gain_open: bool = False  # `gain` names only some of what is gained in colours of choice
    give: Worshipers | None = None
    discard: Worshipers | None = None
    realm: Worshipers | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """One way of playing a turn's worshipers."""

    before: tuple[Exchange, ...]  # exchanges ahead of the payment
    paid: Worshipers
    gained: Worshipers
    after: tuple[Exchange, ...]  # exchanges that had to wait for the gain
    given: Worshipers
    discarded: Worshipers  # given back at the limit


ANY_SPENDING = Spending()


def economy(position: Position, cell: int | None, god: God | None, wild: bool, validated: bool) -> Economy:
    """The economy of a turn of the player to move."""
    player = mover(position)
    if cell is None:
        return Economy(
            player.realm,
            given=DEATH_COST if god is God.DEATH and validated else 0,
            gain_any=LOVE_GAIN if god is God.LOVE else 0,
        )
    start = player.realm.plus(position.centre[cell].worshipers)
    tile = tile_on(position, cell)
    if wild:
        return Economy(start)
    cost, any_cost = price(player, tile)
    turn = Economy(start, cost, any_cost)
    if tile.effect is Effect.VILLAGE and validated:
        return replace(turn, given=tile.number)
    if tile.effect is Effect.PROSELYTISM:
        if tile.colours:
            return replace(turn, gain=NOBODY.changed(tile.colours[0], tile.number))
        return replace(turn, gain_any=tile.number)
    return turn


@lru_cache(maxsize=4096)  # moves that differ only in where the tile goes, or in what a volcano removes, spend the same
def find_way(turn: Economy, realm: Worshipers, spending: Spending = ANY_SPENDING) -> Way | None:
    """A way with the fewest exchanges that leaves `realm` and agrees with `spending`."""
    if spending.realm is not None and spending.realm != realm:
        return None
    total = turn.total_without_exchanges
    if sum(realm) < REALM_LIMIT:
        exchanges, odd = divmod(total - sum(realm), EXCHANGE_RATE - 1)
        possible: Iterable[int] = () if odd or exchanges < 0 else (exchanges,)
    else:
        possible = range(max(0, total - REALM_LIMIT) // (EXCHANGE_RATE - 1) + 1)
    for number in possible:
        way = _way_with(turn, realm, spending, number)
        if way is not None:
            return way
    return None


def outcomes(turn: Economy, spending: Spending, most: int | None = None) -> list[Worshipers]:
    """The realms that agree with `spending`, or the first few; exchanges it does not mention are as few as possible."""
    if spending.realm is not None:
        return [spending.realm] if find_way(turn, spending.realm, spending) else []
    for number in _exchange_numbers(turn, spending):
        if found := list(islice(_outcomes_with(turn, spending, number), most)):
            return found
    return []


def can_be_played(turn: Economy, spending: Spending = ANY_SPENDING) -> bool:
    """Whether there are any outcomes at all, which is much quicker to find out than what they are."""
    return bool(outcomes(turn, spending, most=1))


def _exchange_numbers(turn: Economy, spending: Spending) -> Iterable[int]:
    """The possible numbers of exchanges, fewest first."""
    if spending.swaps is None:
        return range(max(0, turn.total_without_exchanges) // (EXCHANGE_RATE - 1) + 1)
    return (len(spending.swaps),)


def _outcomes_with(turn: Economy, spending: Spending, number: int) -> Iterator[Worshipers]:
    """The realms that so many exchanges can leave."""
    before_limit = turn.total_without_exchanges - (EXCHANGE_RATE - 1) * number
    if before_limit < 0:
        return
    most = tuple(
        start - cost + gain + turn.gain_any + number for start, cost, gain in zip(turn.start, turn.cost, turn.gain)
    )
    for realm in splits(min(before_limit, REALM_LIMIT), most):
        take_step()
        if _way_with(turn, Worshipers(*realm), spending, number):
            yield Worshipers(*realm)


def _way_with(turn: Economy, realm: Worshipers, spending: Spending, exchanges: int) -> Way | None:
    """A way with exactly so many exchanges; the first in a fixed order, so the same every time."""
    before_limit = turn.total_without_exchanges - (EXCHANGE_RATE - 1) * exchanges
    discards = max(0, before_limit - REALM_LIMIT)
    if sum(realm) != before_limit - discards:
        return None
    if spending.swaps is not None and len(spending.swaps) != exchanges:
        return None
    at_hand = sum(turn.start) + sum(turn.gain) + turn.gain_any
    if exchanges and (EXCHANGE_RATE - 1) * exchanges >= at_hand:  # after the last one, what it brought is at hand
        return None
    # Step 1: what is known must have the right size.
    any_paid = None
    if spending.pay is not None:
        any_paid = spending.pay.minus(turn.cost)
        if min(any_paid) < 0 or sum(any_paid) != turn.any_cost:
            return None
    if spending.give is not None and sum(spending.give) != turn.given:
        return None
    if spending.discard is not None and sum(spending.discard) != discards:
        return None
    fixed = (any_paid, spending.give, spending.discard)
    said = tuple(sum(counts) for counts in zip(*(part for part in fixed if part is not None))) or _ZERO
    for gained in _gains(turn, realm, said, spending, exchanges):
        take_step()
        # Step 2: exchanges after which everything that left the realm for a free choice (any-colour
        # cost, village, limit) is accounted for, colour by colour.
        missing = tuple(
            start - cost + gain - left - out
            for start, cost, gain, left, out in zip(turn.start, turn.cost, gained, realm, said)
        )
        short = tuple(max(0, cost - start) for cost, start in zip(turn.cost, turn.start))
        for given_up, taken in _exchange_counts(missing, short, exchanges, spending.swaps):
            take_step()
            loose = tuple(m - EXCHANGE_RATE * g + t for m, g, t in zip(missing, given_up, taken))
            # Step 3: share that out, and find an order in which it can be played.
            for any_part, village, limit in _shares(turn, loose, fixed, discards, sum(gained) > 0):
                take_step()
                paid = Worshipers(*(c + a for c, a in zip(turn.cost, any_part)))
                order = _schedule(turn.start, paid, gained, given_up, taken, spending.swaps)
                if order is not None:
                    before, after = order
                    return Way(before, paid, gained, after, Worshipers(*village), Worshipers(*limit))
    return None


def _gains(turn: Economy, realm: Worshipers, said: Counts, spending: Spending, exchanges: int) -> Iterable[Worshipers]:
    """What can have been gained, the likeliest first: colours of which there is more than before."""
    if not turn.gain_any:
        return (turn.gain,) if spending.gain in (None, turn.gain) and not spending.gain_open else ()
    if spending.gain is not None and not spending.gain_open:
        return (spending.gain,) if sum(spending.gain) == turn.gain_any else ()
    # What there is more of, next to what is said to have left the realm, was gained or taken in an exchange.
    more = [left + out + cost - start for left, out, cost, start in zip(realm, said, turn.cost, turn.start)]
    brought = exchanges  # one by each exchange, if it is not known of which colour
    if spending.swaps is not None:
        brought = 0
        for giver, taker in spending.swaps:
            more[giver] += EXCHANGE_RATE
            more[taker] -= 1
    more = [max(0, number) for number in more]
    choices: Iterable[Worshipers] = _all_splits(turn.gain_any)
    if spending.gain is not None:
        choices = [choice for choice in choices if choice.covers(spending.gain)]
    enough = [choice for choice in choices if sum(map(min, choice, more)) + brought >= sum(more)]
    return sorted(enough, key=lambda gain: sum(max(0, g - m) for g, m in zip(gain, more)))


def _exchange_counts(
    missing: Counts, short: Counts, exchanges: int, swaps: tuple[Exchange, ...] | None
) -> Iterator[tuple[Counts, Counts]]:
    """How often each colour can be given up and taken so that none is short, nor for the payment.

    Exchanges pair up (no colour for itself) exactly if no colour is on both sides more often than
    there are exchanges.
    """
    if swaps is not None:
        given_up = tuple(sum(pair[0] == colour for pair in swaps) for colour in Colour)
        taken = tuple(sum(pair[1] == colour for pair in swaps) for colour in Colour)
        if all(m - EXCHANGE_RATE * g + t >= 0 for m, g, t in zip(missing, given_up, taken)):
            yield given_up, taken
        return
    if exchanges == 0:
        if min(missing) >= 0 and not any(short):
            yield _ZERO, _ZERO
        return
    last = len(missing) - 1
    least = tuple(max(s, -m) for s, m in zip(short, missing))  # to take of each colour, if none of it is given up
    if sum(least) > exchanges:
        return

    def choose(colour: int, left: int, free: int, chosen: Counts) -> Iterator[Counts]:
        """How many of this colour and the next to give up; `free` exchanges are not needed for the `least`."""
        within_free = (free + least[colour] + missing[colour]) // EXCHANGE_RATE
        within_all = min(exchanges - short[colour], (exchanges + missing[colour]) // (EXCHANGE_RATE + 1))
        for number in range(min(left, within_free, within_all), -1 if colour < last else left - 1, -1):
            take_step()
            if colour == last:
                yield (*chosen, number)
            else:
                more = max(least[colour], EXCHANGE_RATE * number - missing[colour]) - least[colour]
                yield from choose(colour + 1, left - number, free - more, (*chosen, number))

    for given_up in choose(0, exchanges, exchanges - sum(least), ()):
        needed = tuple(max(s, EXCHANGE_RATE * g - m) for s, g, m in zip(short, given_up, missing))
        room = tuple(exchanges - g - n for g, n in zip(given_up, needed))
        for extra in splits(exchanges - sum(needed), room):
            yield given_up, tuple(n + e for n, e in zip(needed, extra))


def _shares(
    turn: Economy,
    loose: Counts,
    fixed: tuple[Worshipers | None, Worshipers | None, Worshipers | None],
    discards: int,
    gains: bool,
) -> Iterator[tuple[Counts, Counts, Counts]]:
    """Ways to call the loose worshipers any-colour payment, village and limit, next to what is fixed."""
    sizes = (turn.any_cost, turn.given, discards)

    def share(part: int, rest: Counts) -> Iterator[tuple[Counts, ...]]:
        if part == len(sizes):
            yield ()
            return
        known = fixed[part]
        for chosen in (known,) if known is not None else splits(sizes[part], rest):
            left = rest if known is not None else tuple(r - c for r, c in zip(rest, chosen))
            for others in share(part + 1, left):
                yield (chosen, *others)

    # Without a gain everything is available at once, and any way of sharing is as good as another. With one, what was
    # gained cannot have paid, so other payments must be tried.
    yield from islice(share(0, loose), None if gains else 1)


def _schedule(
    start: Worshipers,
    paid: Worshipers,
    gained: Worshipers,
    given_up: Counts,
    taken: Counts,
    swaps: tuple[Exchange, ...] | None,
) -> tuple[tuple[Exchange, ...], tuple[Exchange, ...]] | None:
    """A playable order of exchanging, paying and gaining, or None.

    Exchanging before paying is never worse than after it, except for what is gained in between. So all exchanges come
    first if possible; otherwise the payment comes as soon as it can be made.
    """
    if any(s + t < p for s, t, p in zip(start, taken, paid)):
        return None
    after_all = tuple(s - EXCHANGE_RATE * g + t for s, g, t in zip(start, given_up, taken))
    dead: set[tuple[Any, bool]] = set()

    def free(left: Any) -> Iterator[tuple[Exchange, Any]]:
        out, into = left
        rest = sum(out) - 1
        for giver in Colour:
            if not out[giver]:
                continue
            less = _with_change(out, giver, -1)
            for taker in Colour:
                if taker != giver and into[taker]:
                    fewer = _with_change(into, taker, -1)
                    if all(o + i <= rest for o, i in zip(less, fewer)):
                        yield (giver, taker), (less, fewer)

    def as_stated(left: Any) -> Iterator[tuple[Exchange, Any]]:
        for index, pair in enumerate(left):
            if pair not in left[:index]:
                yield pair, left[:index] + left[index + 1 :]

    steps = free if swaps is None else as_stated

    def play(realm: Counts, left: Any, number: int, owing: bool, early: bool) -> list[Exchange | None] | None:
        """The steps still to come, None standing for the payment."""
        take_step()
        if (left, owing) in dead:
            return None
        if not number and not owing:
            return []
        if owing and (early or not number) and all(r >= p for r, p in zip(realm, paid)):
            after = tuple(r - p + g for r, p, g in zip(realm, paid, gained))
            tail = play(after, left, number, False, early)
            if tail is not None:
                return [None, *tail]
        possible = [step for step in steps(left) if realm[step[0][0]] >= EXCHANGE_RATE] if number else []
        if owing and early:
            # First what helps to pay, last what would take from it.
            possible.sort(key=lambda step: realm[step[0][1]] >= paid[step[0][1]])
            possible.sort(key=lambda step: realm[step[0][0]] - EXCHANGE_RATE < paid[step[0][0]])
        for (giver, taker), rest in possible:
            after = _with_change(_with_change(realm, giver, -EXCHANGE_RATE), taker, +1)
            tail = play(after, rest, number - 1, owing, early)
            if tail is not None:
                return [(giver, taker), *tail]
        dead.add((left, owing))
        return None

    left: Any = (given_up, taken) if swaps is None else swaps
    order = None
    if all(a >= p for a, p in zip(after_all, paid)):
        order = play(tuple(start), left, sum(given_up), True, False)
    if order is None and any(gained):
        dead.clear()
        order = play(tuple(start), left, sum(given_up), True, True)
    if order is None:
        return None
    payment = order.index(None)
    before = tuple(step for step in order[:payment] if step is not None)
    after = tuple(step for step in order[payment + 1 :] if step is not None)
    return before, after


def _with_change(counts: Counts, colour: int, by: int) -> Counts:
    return (*counts[:colour], counts[colour] + by, *counts[colour + 1 :])


def splits(total: int, most: Counts) -> Iterator[Counts]:
    """Every way to make up `total` with at most this many of each, the first colours first."""
    if len(most) == 1:
        if 0 <= total <= max(0, most[0]):
            yield (total,)
        return
    if min(most) >= 0:  # usually there is only one way
        room = sum(most)
        if total == 0 or total == room:
            yield tuple(most) if total else (0,) * len(most)
            return
        if not 0 < total < room:
            return
    elif not 0 <= total <= sum(max(0, m) for m in most):
        return
    rest = most[1:]
    for number in range(min(total, most[0]), -1, -1):
        for tail in splits(total - number, rest):
            yield (number, *tail)


@lru_cache(maxsize=16)
def _all_splits(total: int) -> tuple[Worshipers, ...]:
    return tuple(Worshipers(*split) for split in splits(total, (total,) * len(Colour)))


def swap_words(swaps: Iterable[Exchange]) -> list[str]:
    """`r6>gb`: by the colour given, in the order of their first appearance."""
    taken: dict[int, Worshipers] = {}
    for giver, taker in swaps:
        taken[giver] = taken.get(giver, NOBODY).changed(taker, +1)
    return [f"{COLOUR_LETTERS[giver]}{EXCHANGE_RATE * into.total}>{into}" for giver, into in taken.items()]
