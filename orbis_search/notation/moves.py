"""Moves as text and JSON: `b2 r1a 2.3 swap y3>b pay gbw valid give r2 keep r2g3b5`.

A `Move` is what others can see afterwards, so what was exchanged, paid or given back has to be found
again: `find_way` looks for a way of playing that leaves the move's realm with the fewest exchanges.
The same search decides what a person's shorter text can mean. Silence has a meaning in two places
only: no `wild` is face up, and exchanges nobody mentioned are as few as can be (none, mostly).
Whatever else is left out is left open, and a text that then fits several moves is refused with a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice, product
from typing import Any

from ..base.errors import InputError, Problem
from ..base.language import N_, _, ngettext
from ..base.quoting import fold, listed, nearest, shown
from ..base.synonyms import canonical
from ..game.position import Move, Player, Position, Slot
from ..game.rules import Removal, colour_fits, count_removals, lies_over, open_slots, price, removals, volcano_stock
from ..game.tiles import Tile
from ..game.vocabulary import (
    CELLS,
    COLOUR_LETTERS,
    DEATH_COST,
    EXCHANGE_RATE,
    LOVE_GAIN,
    NOBODY,
    REALM_LIMIT,
    REGION_TURNS,
    ROW_LENGTHS,
    Colour,
    Effect,
    God,
    Worshipers,
)
from .common import MAX_COUNT, Reading, parse_worshipers, tile_text

PLACE = "move"
MAX_LISTED = 8  # moves named when a text fits several
MAX_TEXT = 400
_MAX_READINGS = 200

Counts = tuple[int, ...]  # one number per colour
Exchange = tuple[int, int]  # colour given three of, colour taken
_ZERO: Counts = (0, 0, 0, 0, 0)
# Effects that are judged when the tile is placed, so that its text says how.
JUDGED = (Effect.VILLAGE, Effect.VOLCANO, Effect.IRRIGATION)


class AmbiguousMove(InputError):
    """A text that fits several legal moves: how many, and the first of them."""

    def __init__(self, problem: Problem, count: int, examples: tuple[Move, ...]) -> None:
        super().__init__([problem])
        self.count = count
        self.examples = examples


# ------------------------------------------------------------------------------- worshipers in a turn


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
    def unexchanged(self) -> int:
        """Worshipers before the limit if nothing is exchanged; each exchange takes two off."""
        gained = sum(self.gain) + self.gain_any
        return sum(self.start) + gained - sum(self.cost) - self.any_cost - self.given


@dataclass(frozen=True, slots=True)
class Stated:
    """What a text says of the worshipers; None where it says nothing."""

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


_UNSTATED = Stated()


def economy(position: Position, cell: int | None, god: God | None, wild: bool, validated: bool) -> Economy:
    """The economy of a turn of the player to move."""
    player = _mover(position)
    if cell is None:
        return Economy(
            player.realm,
            given=DEATH_COST if god is God.DEATH and validated else 0,
            gain_any=LOVE_GAIN if god is God.LOVE else 0,
        )
    start = player.realm.plus(position.centre[cell].worshipers)
    tile = _tile(position, cell)
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


def find_way(turn: Economy, realm: Worshipers, stated: Stated = _UNSTATED) -> Way | None:
    """A way with the fewest exchanges that leaves `realm` and agrees with what is stated."""
    if stated.realm is not None and stated.realm != realm:
        return None
    total = turn.unexchanged
    if sum(realm) < REALM_LIMIT:
        exchanges, odd = divmod(total - sum(realm), EXCHANGE_RATE - 1)
        possible: Iterable[int] = () if odd or exchanges < 0 else (exchanges,)
    else:
        possible = range(max(0, total - REALM_LIMIT) // (EXCHANGE_RATE - 1) + 1)
    for number in possible:
        way = _way_with(turn, realm, stated, number)
        if way is not None:
            return way
    return None


def outcomes(turn: Economy, stated: Stated) -> list[Worshipers]:
    """The realms that agree with what is stated; unmentioned exchanges are as few as can be."""
    if stated.realm is not None:
        return [stated.realm] if find_way(turn, stated.realm, stated) else []
    for number in _exchange_numbers(turn, stated):
        if found := list(_outcomes_with(turn, stated, number)):
            return found
    return []


def can_be_played(turn: Economy) -> bool:
    """Whether there are any outcomes at all, which is much quicker to say than what they are."""
    return any(
        True for number in _exchange_numbers(turn, _UNSTATED) for _realm in _outcomes_with(turn, _UNSTATED, number)
    )


def _exchange_numbers(turn: Economy, stated: Stated) -> Iterable[int]:
    """How many exchanges there may be, the fewest first."""
    if stated.swaps is None:
        return range(max(0, turn.unexchanged) // (EXCHANGE_RATE - 1) + 1)
    return (len(stated.swaps),)


def _outcomes_with(turn: Economy, stated: Stated, number: int) -> Iterator[Worshipers]:
    """The realms that so many exchanges can leave."""
    before_limit = turn.unexchanged - (EXCHANGE_RATE - 1) * number
    if before_limit < 0:
        return
    most = tuple(
        start - cost + gain + turn.gain_any + number for start, cost, gain in zip(turn.start, turn.cost, turn.gain)
    )
    for realm in _splits(min(before_limit, REALM_LIMIT), most):
        if _way_with(turn, Worshipers(*realm), stated, number):
            yield Worshipers(*realm)


def _way_with(turn: Economy, realm: Worshipers, stated: Stated, exchanges: int) -> Way | None:
    """A way with exactly so many exchanges; the first in a fixed order, so the same every time."""
    before_limit = turn.unexchanged - (EXCHANGE_RATE - 1) * exchanges
    discards = max(0, before_limit - REALM_LIMIT)
    if sum(realm) != before_limit - discards:
        return None
    if stated.swaps is not None and len(stated.swaps) != exchanges:
        return None
    # Step 1: what is stated has to be of the right size.
    any_paid = None
    if stated.pay is not None:
        any_paid = stated.pay.minus(turn.cost)
        if min(any_paid) < 0 or sum(any_paid) != turn.any_cost:
            return None
    if stated.give is not None and sum(stated.give) != turn.given:
        return None
    if stated.discard is not None and sum(stated.discard) != discards:
        return None
    fixed = (any_paid, stated.give, stated.discard)
    said = tuple(sum(counts) for counts in zip(*(part for part in fixed if part is not None))) or _ZERO
    for gained in _gains(turn, realm, stated):
        # Step 2: exchanges after which everything that left the realm for a free choice (any-colour
        # cost, village, limit) is accounted for, colour by colour.
        missing = tuple(
            start - cost + gain - left - out
            for start, cost, gain, left, out in zip(turn.start, turn.cost, gained, realm, said)
        )
        short = tuple(max(0, cost - start) for cost, start in zip(turn.cost, turn.start))
        for given_up, taken in _exchange_counts(missing, short, exchanges, stated.swaps):
            loose = tuple(m - EXCHANGE_RATE * g + t for m, g, t in zip(missing, given_up, taken))
            # Step 3: share that out, and find an order in which it can be played.
            for any_part, village, limit in _shares(turn, loose, fixed, discards, sum(gained) > 0):
                paid = Worshipers(*(c + a for c, a in zip(turn.cost, any_part)))
                order = _schedule(turn.start, paid, gained, given_up, taken, stated.swaps)
                if order is not None:
                    before, after = order
                    return Way(before, paid, gained, after, Worshipers(*village), Worshipers(*limit))
    return None


def _gains(turn: Economy, realm: Worshipers, stated: Stated) -> Iterable[Worshipers]:
    """What can have been gained, the likeliest first: colours of which there is more than before."""
    if not turn.gain_any:
        return (turn.gain,) if stated.gain in (None, turn.gain) and not stated.gain_open else ()
    if stated.gain is not None and not stated.gain_open:
        return (stated.gain,) if sum(stated.gain) == turn.gain_any else ()
    more = [max(0, left - start + cost) for left, start, cost in zip(realm, turn.start, turn.cost)]
    choices: Iterable[Worshipers] = _all_splits(turn.gain_any)
    if stated.gain is not None:
        choices = [choice for choice in choices if choice.covers(stated.gain)]
    return sorted(choices, key=lambda gain: sum(max(0, g - m) for g, m in zip(gain, more)))


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

    def choose(colour: int, left: int, free: int, chosen: Counts) -> Iterator[Counts]:
        """Numbers given up of this colour and the next; `free` exchanges are not yet spoken for."""
        for number in range(left, -1 if colour < last else left - 1, -1):
            needed = max(short[colour], EXCHANGE_RATE * number - missing[colour])
            if needed <= free and number + needed <= exchanges:
                if colour == last:
                    yield (*chosen, number)
                else:
                    yield from choose(colour + 1, left - number, free - needed, (*chosen, number))

    for given_up in choose(0, exchanges, exchanges, ()):
        needed = tuple(max(s, EXCHANGE_RATE * g - m) for s, g, m in zip(short, given_up, missing))
        room = tuple(exchanges - g - n for g, n in zip(given_up, needed))
        for extra in _splits(exchanges - sum(needed), room):
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
        for chosen in (known,) if known is not None else _splits(sizes[part], rest):
            left = rest if known is not None else tuple(r - c for r, c in zip(rest, chosen))
            for others in share(part + 1, left):
                yield (chosen, *others)

    # Without a gain everything is at hand at once and any sharing is as good as another. With one, what
    # was gained cannot have paid, so other payments have to be tried.
    yield from islice(share(0, loose), None if gains else 1)


def _schedule(
    start: Worshipers,
    paid: Worshipers,
    gained: Worshipers,
    given_up: Counts,
    taken: Counts,
    swaps: tuple[Exchange, ...] | None,
) -> tuple[tuple[Exchange, ...], tuple[Exchange, ...]] | None:
    """An order of exchanging, paying and gaining that can be played, or None.

    Exchanging before paying is never worse than after it, but for what is gained in between: so all
    exchanges come first if that can be, else the payment as soon as it can be made.
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
            less = _changed(out, giver, -1)
            for taker in Colour:
                if taker != giver and into[taker]:
                    fewer = _changed(into, taker, -1)
                    if all(o + i <= rest for o, i in zip(less, fewer)):
                        yield (giver, taker), (less, fewer)

    def as_stated(left: Any) -> Iterator[tuple[Exchange, Any]]:
        for index, pair in enumerate(left):
            if pair not in left[:index]:
                yield pair, left[:index] + left[index + 1 :]

    steps = free if swaps is None else as_stated

    def play(realm: Counts, left: Any, number: int, owing: bool, early: bool) -> list[Exchange | None] | None:
        """The steps still to come, None standing for the payment."""
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
            after = _changed(_changed(realm, giver, -EXCHANGE_RATE), taker, +1)
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


def _changed(counts: Counts, colour: int, by: int) -> Counts:
    return (*counts[:colour], counts[colour] + by, *counts[colour + 1 :])


def _splits(total: int, most: Counts) -> Iterator[Counts]:
    """Every way to make up `total` with at most so many of each, the first colours first."""
    if total < 0 or total > sum(max(0, m) for m in most):
        return
    if len(most) == 1:
        yield (total,)
        return
    rest = most[1:]
    for number in range(min(total, most[0]), -1, -1):
        for tail in _splits(total - number, rest):
            yield (number, *tail)


@lru_cache(maxsize=16)
def _all_splits(total: int) -> tuple[Worshipers, ...]:
    return tuple(Worshipers(*split) for split in _splits(total, (total,) * len(Colour)))


# -------------------------------------------------------------------------------------------- writing


def format_move(position: Position, move: Move) -> str:
    """The move's canonical text. `parse_move` makes the same move of it in the same position.

    >>> format_move(position, parse_move("b3 wild 1L", position))
    'b3 r2a wild 1L'
    """
    player = _mover(position)
    if (move.cell is None) == (move.god is None) or (move.cell is None) != (move.slot is None):
        raise InputError.one(PLACE, _("expected a cell and a slot, or a god, found another mixture"))
    if move.cell is not None and not 0 <= move.cell < len(CELLS):
        raise InputError.one(
            PLACE, _("expected a cell from 0 to {last}, found {found}", last=len(CELLS) - 1, found=move.cell)
        )
    turn = economy(position, move.cell, move.god, move.wild, move.validated)
    way = find_way(turn, move.realm)
    if way is None:
        raise InputError.one(PLACE, _("expected a realm the turn can leave, found {found}", found=move.realm))

    words: list[str] = []
    judged = move.god is God.DEATH
    if move.god is not None:
        words += ["god", move.god.word]
    if move.cell is not None and move.slot is not None:
        tile = _tile(position, move.cell)
        judged = tile.effect in JUDGED and not move.wild
        words.append(CELLS[move.cell])
        if not tile.described:  # its id is the whole description
            words.append(tile.id)
        if move.wild:
            words.append("wild")
        words.append(player.slot_name(move.slot))
    if way.before:
        words += ["swap", *_swap_words(way.before)]
    if way.paid.total:
        words += ["pay", str(way.paid)]
    if way.gained.total:
        words += ["gain", str(way.gained)]
    if way.after:
        words += ["swap", *_swap_words(way.after)]
    if judged:
        words.append("valid" if move.validated else "cancelled")
    if way.given.total:
        words += ["give", str(way.given)]
    if move.removed:
        words += ["remove", *_removal_words(move.removed)]
    if way.discarded.total:
        words += ["keep", str(move.realm)]
    return " ".join(words)


def _swap_words(swaps: Iterable[Exchange]) -> list[str]:
    """`r6>gb`: by the colour given, in the order in which they first come up."""
    taken: dict[int, Worshipers] = {}
    for giver, taker in swaps:
        taken[giver] = taken.get(giver, NOBODY).changed(taker, +1)
    return [f"{COLOUR_LETTERS[giver]}{EXCHANGE_RATE * into.total}>{into}" for giver, into in taken.items()]


def _removal_words(removed: Removal) -> list[str]:
    cells: dict[int, Worshipers] = {}
    for cell, colour, number in removed:
        cells[cell] = cells.get(cell, NOBODY).changed(colour, number)
    return [f"{CELLS[cell]}:{taken}" for cell, taken in cells.items()]


def _mover(position: Position) -> Player:
    if position.to_move is None:
        raise InputError.one(PLACE, _("expected no move after the game's end, found one"))
    return position.players[position.to_move]


def _tile(position: Position, cell: int) -> Tile:
    tile = position.centre[cell].tile
    if tile is None:
        raise InputError.one(PLACE, _("expected a refill of {cell} first, found a move", cell=CELLS[cell]))
    return tile


# --------------------------------------------------------------------------------------- reading: words

_CLAUSES = {
    "swap": ("swap", "swaps", "swapped", "exchange", "exchanges", "exchanged", "trade", "trades"),
    "pay": ("pay", "pays", "paid", "paying", "cost", "costs"),
    "gain": ("gain", "gains", "gained", "get", "gets"),
    "give": ("give", "gives", "given", "gave", "sacrifice"),
    "discard": ("discard", "discards", "discarded", "drop", "drops", "return", "returns", "back"),
    "realm": ("keep", "keeps", "kept", "left", "leave", "leaves", "leaving", "realm"),
    "remove": ("remove", "removes", "removed", "removing"),
}
_CLAUSE_OF = {word: clause for clause, words in _CLAUSES.items() for word in words}
_FLAGS: dict[str, tuple[str, bool]] = {
    **dict.fromkeys(("wild", "wilderness", "w", "facedown", "face-down"), ("wild", True)),
    **dict.fromkeys(("faceup", "face-up", "up"), ("wild", False)),
    **dict.fromkeys(("valid", "validated", "validate", "validates", "v"), ("validated", True)),
    **dict.fromkeys(("cancelled", "canceled", "cancel", "cancels", "invalid"), ("validated", False)),
}
_SIDES = {"l": "L", "left": "L", "r": "R", "right": "R"}
_FILLERS = frozenset(
    [
        "take",
        "takes",
        "play",
        "plays",
        "place",
        "places",
        "put",
        "puts",
        "at",
        "on",
        "in",
        "to",
        "as",
        "the",
        "and",
        "then",
        "with",
        "cell",
        "slot",
        "end",
        "tile",
        "region",
    ]
)
_NOTHING = frozenset(("-", "none", "nothing", "free", "0"))
_COLOURS = {colour.word: colour for colour in Colour}
_SLOT = re.compile(r"(?:row)?([0-9])[./:-]?(?:([0-9])|([lr]|left|right))|r([0-9])c([0-9])")
_ROW = re.compile(r"row([0-9])")
_REMOVAL = re.compile(r"([abc][123])[:=]?(.+)")
_EXAMPLE = "r2gb"
_GODS = {god.word: god for god in God}
_ONE_WORSHIPER = frozenset((*COLOUR_LETTERS, *_COLOURS))


def _worshipers(word: str) -> Worshipers | None:
    """How many of each colour a word says, None if it does not say it."""
    if word in _NOTHING:
        return NOBODY
    try:
        return parse_worshipers(word)
    except InputError:
        return None


@dataclass(frozen=True, slots=True)
class Said:
    """What a text says in one way to read it; None where it says nothing."""

    cell: int | None = None
    god: God | None = None
    row: int | None = None  # from 1
    column: int | None = None  # from 1
    side: str | None = None
    wild: bool | None = None
    validated: bool | None = None
    removed: Removal | None = None
    removed_colours: Worshipers | None = None
    swap: tuple[Exchange, ...] | None = None
    pay: Worshipers | None = None
    gain: Worshipers | None = None
    gain_open: int | None = None  # so many more of any colour; 0 if it is not said how many
    give: Worshipers | None = None
    discard: Worshipers | None = None
    realm: Worshipers | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def stated(self) -> Stated:
        swaps = None if self.swap is None else tuple(sorted(self.swap))
        is_open = self.gain_open is not None
        return Stated(swaps, self.pay, self.gain, is_open, self.give, self.discard, self.realm)

    @property
    def gain_text(self) -> str:
        parts = [str(self.gain)] if self.gain is not None else []
        parts += [f"{self.gain_open or ''} any".strip()] if self.gain_open is not None else []
        return " ".join(parts)

    def with_problem(self, message: str) -> Said:
        return replace(self, problems=(*self.problems, Problem(PLACE, message)))

    def saying(self, **parts: Any) -> Said:
        """This and that; saying two different things of one part is a problem."""
        said = self
        for name, value in parts.items():
            before = getattr(said, name)
            if before is not None and name in ("pay", "gain", "give", "discard", "removed_colours"):
                value = before.plus(value)
            elif before is not None and name == "swap":
                value = before + value
            elif before is not None and name == "removed":
                value = _merged(before + value)
            elif before is not None and before != value:
                message = _(_TWICE[name], found=_shown(name, before), other=_shown(name, value))
                said = said.with_problem(message)
                continue
            said = replace(said, **{name: value})
        return said


# What may be said once, and was said twice.
_TWICE = {
    "cell": N_("expected one cell, found {found} and {other}"),
    "god": N_("expected one god, found {found} and {other}"),
    "row": N_("expected one row, found {found} and {other}"),
    "column": N_("expected one column, found {found} and {other}"),
    "side": N_("expected one end of row 1, found {found} and {other}"),
    "wild": N_("expected one side up, found {found} and {other}"),
    "validated": N_("expected one verdict, found {found} and {other}"),
    "realm": N_("expected one realm left over, found {found} and {other}"),
    "gain_open": N_("expected one number gained in any colour, found {found} and {other}"),
}


def _merged(taken: Iterable[tuple[int, Colour, int]]) -> Removal:
    """Removals as a move has them: sorted, each cell and colour once."""
    counts: dict[tuple[int, Colour], int] = {}
    for cell, colour, number in taken:
        if number:
            counts[cell, colour] = counts.get((cell, colour), 0) + number
    return tuple((cell, colour, number) for (cell, colour), number in sorted(counts.items()))


def _shown(name: str, value: Any) -> str:
    if name == "cell":
        return CELLS[value]
    if isinstance(value, God):
        return value.word
    if name == "validated":
        return "valid" if value else "cancelled"
    if name == "wild":
        return "wild" if value else "face up"
    return str(value)


def _words(text: str) -> list[str]:
    text = re.sub(r"\s*(?:->|=>|\N{RIGHTWARDS ARROW}|>)\s*", ">", text.strip().rstrip(".!"))
    text = re.sub(r"\s*:\s*", ":", text)
    text = re.sub(r"(?i)\b(gives?|gave|given) back\b", r"\1", text)
    text = re.sub(rf"(?i)\b({'|'.join(_CLAUSE_OF)})[:=]", r"\1 ", text)
    words: list[str] = []
    removing = False
    for word in re.sub(r"[,;+&()\[\]]", " ", text).split():
        # A colon means something in `2:3` and, behind remove, in `a3:rb`; elsewhere it is a blank.
        removing = _CLAUSE_OF.get(word.lower(), "remove" if removing else "") == "remove"
        if _SLOT.fullmatch(word.lower()) or (removing and re.match(r"[A-Za-z][0-9]:", word)):
            words.append(word)
        else:
            words += word.replace(":", " ").split()
    return words


def _plain(word: str) -> str:
    """A word in small letters; colours, gods and words of moves in other languages are put into English."""
    plain = canonical(word)
    if len(plain) > 2 and plain.isalpha() and plain not in _COLOURS:
        from ..tileset.syntax import COLOUR_OF

        colour = COLOUR_OF.get(fold(plain))
        return plain if colour is None else colour.word
    return plain


class _Reader:
    """Finds every way to read a text's words; most texts have one."""

    def __init__(self, position: Position, text: str) -> None:
        self.position = position
        self.words = _words(text)
        self.lower = [_plain(word) for word in self.words]
        self.cell_of: dict[str, int] = {}  # tile id to cell; ids in other case where that is no clash
        ids = [(index, cell.tile.id) for index, cell in enumerate(position.centre) if cell.tile is not None]
        for index, name in ids:
            if [other.lower() for _, other in ids].count(name.lower()) == 1:
                self.cell_of[name.lower()] = index
        for index, name in ids:
            if [other for _, other in ids].count(name) == 1:  # tiles described alike go by their cells
                self.cell_of[name] = index

    def readings(self) -> list[Said]:
        """The readings with the fewest problems; those that name a tile or god before others."""
        start = 0
        said = Said()
        if len(self.words) > 1 and self.lower[0] in CELLS:
            # A tile set may call a tile anything, `b3` or `1` too: behind its cell it is the tile.
            cell = CELLS.index(self.lower[0])
            if self._tile_cell(self.words[1]) == cell:
                start, said = 2, Said(cell=cell)
        found = list(islice(self._read(start, said), _MAX_READINGS + 1))
        if len(found) > _MAX_READINGS:
            raise InputError.one(PLACE, _("expected a text with one meaning, found too many ways to read it"))

        def rank(said: Said) -> tuple[int, bool]:
            return len(said.problems), said.cell is None and said.god is None

        best = min(map(rank, found))
        return list(dict.fromkeys(said for said in found if rank(said) == best))

    def _read(self, at: int, said: Said) -> Iterator[Said]:
        if at == len(self.words):
            yield said
            return
        known = False
        for after, next_said in self._meanings(at, said):
            known = True
            yield from self._read(after, next_said)
        if not known:
            yield from self._read(at + 1, said.with_problem(self._unknown(at)))

    def _meanings(self, at: int, said: Said) -> Iterator[tuple[int, Said]]:
        word = self.lower[at]
        following = self.lower[at + 1] if at + 1 < len(self.lower) else ""
        if word == "god":
            if following in _GODS:
                yield at + 2, said.saying(god=_GODS[following])
            else:
                yield (
                    at + 2 if following else at + 1,
                    said.with_problem(
                        _("expected a god's name after god, found {found}", found=shown(following or None))
                        + nearest(following, _GODS)
                    ),
                )
            return
        if word in _GODS:
            yield at + 1, said.saying(god=_GODS[word])
        if word in CELLS:
            yield at + 1, said.saying(cell=CELLS.index(word))
        tile_cell = self._tile_cell(self.words[at])
        if tile_cell is not None and said.cell is not None and tile_cell != said.cell:
            here = self.position.centre[said.cell].tile
            yield (
                at + 1,
                said.with_problem(
                    _(
                        "expected the tile on {cell} ({tile}), found {found}, which lies on {other}",
                        cell=CELLS[said.cell],
                        tile=here.id if here else _("none"),
                        found=self.words[at],
                        other=CELLS[tile_cell],
                    )
                ),
            )
        elif tile_cell is not None:
            yield at + 1, said.saying(cell=tile_cell)
        if word in _FLAGS:
            name, value = _FLAGS[word]
            yield at + 1, said.saying(**{name: value})
        elif word in _FILLERS or (word == "face" and following in ("up", "down")):
            if word == "face":
                yield at + 2, said.saying(wild=following == "down")
            else:
                yield at + 1, said
        yield from self._slots(at, said)
        if word in _CLAUSE_OF:
            yield from self._clause(at, _CLAUSE_OF[word], said)

    def _tile_cell(self, word: str) -> int | None:
        return self.cell_of.get(word, self.cell_of.get(word.lower()))

    def _slots(self, at: int, said: Said) -> Iterator[tuple[int, Said]]:
        word = self.lower[at]
        if word in _SIDES:
            yield at + 1, said.saying(row=1, side=_SIDES[word])
            return
        match = _SLOT.fullmatch(word)
        if match:
            row, column, side, other_row, other_column = match.groups()
            if side:
                yield at + 1, self._in_row(said, int(row), side)
            else:
                yield at + 1, said.saying(row=int(row or other_row), column=int(column or other_column))
            return
        if word == "row" and at + 1 < len(self.lower):
            at += 1
            word = f"row{self.lower[at]}"
            match = _SLOT.fullmatch(word)
            if match and match[1] and match[2]:
                yield at + 1, said.saying(row=int(match[1]), column=int(match[2]))
                return
        match = _ROW.fullmatch(word) or re.fullmatch(r"([0-9])", word)
        if not match:
            return
        row_number = int(match[1])
        at += 1
        behind = at
        while behind < len(self.lower) and self.lower[behind] in ("col", "column", "slot", "place"):
            behind += 1
        following = self.lower[behind] if behind < len(self.lower) else ""
        if re.fullmatch(r"[0-9]", following):
            yield behind + 1, said.saying(row=row_number, column=int(following))
        else:
            if following in _SIDES:
                yield behind + 1, self._in_row(said, row_number, following)
            yield at, said.saying(row=row_number)

    def _in_row(self, said: Said, row: int, side: str) -> Said:
        if row != 1:
            return said.with_problem(
                _(
                    "expected a column in row {row}, for left and right are the ends of row 1; found {found}",
                    row=row,
                    found=side,
                )
            )
        return said.saying(row=1, side=_SIDES[side])

    def _clause(self, at: int, clause: str, said: Said) -> Iterator[tuple[int, Said]]:
        if clause == "swap":
            yield self._swap(at, said)
            return
        if clause == "remove":
            yield from self._remove(at, said)
            return
        ends = list(self._values(at + 1))
        for end, value in ends:
            yield end, said.saying(**{clause: value})
        if clause == "gain":
            opened = [(end, said.saying(gain=value)) for end, value in ends] or [(at + 1, said)]
            for end, partly in opened:
                if found := self._any_colour(end):
                    ends.append((found[0], NOBODY))
                    yield found[0], partly.saying(gain_open=found[1])
        if not ends and self.lower[at] != "left":  # `left` alone is an end of row 1
            yield at + 1, said.with_problem(self._no_worshipers(at))

    def _any_colour(self, at: int) -> tuple[int, int] | None:
        """`any`, `2 any` or `2 of any colour`: where it ends, and how many, 0 if it does not say."""
        number = 0
        if re.fullmatch(r"[0-9]{1,3}", self._word(at)):
            number, at = int(self.lower[at]), at + 1
        if self._word(at) == "of":
            at += 1
        if self._word(at) not in ("any", "a"):
            return None
        at += 1
        while self._word(at) in ("colour", "colours", "color", "colors"):
            at += 1
        return at, number

    def _word(self, at: int) -> str:
        return self.lower[at] if at < len(self.lower) else ""

    def _no_worshipers(self, at: int) -> str:
        found = shown(self.words[at + 1] if at + 1 < len(self.words) else None)
        return _(
            "expected worshipers such as {example} after {word}, found {found}",
            example=_EXAMPLE,
            word=self.words[at],
            found=found,
        )

    def _values(self, at: int) -> Iterator[tuple[int, Worshipers]]:
        """Worshipers from here on, with every end at which the next word may mean something else."""
        total = NOBODY
        first = at
        while at < len(self.lower):
            value, used = self._amount(at)
            if value is None or (at > first and used == 1 and self.lower[at] == "0"):
                break
            if at > first and self._has_other_meaning(at):
                yield at, total
            total = total.plus(value)
            at += used
        if at > first:
            yield at, total

    def _amount(self, at: int) -> tuple[Worshipers | None, int]:
        """What a word, or a number and a colour, say of worshipers; and how many words that took."""
        if re.fullmatch(r"[0-9]{1,3}", self._word(at)) and self._word(at + 1) in _ONE_WORSHIPER:
            return _worshipers(self.lower[at] + self.lower[at + 1]), 2
        return _worshipers(self._word(at)) if at < len(self.lower) else None, 1

    def _has_other_meaning(self, at: int) -> bool:
        return any(True for _ in self._meanings(at, Said()))

    def _swap(self, at: int, said: Said) -> tuple[int, Said]:
        verb = at
        at += 1
        pairs: list[Exchange] = []
        problems: list[str] = []
        while at < len(self.lower):
            word = self.lower[at]
            if word in _NOTHING and at == verb + 1:
                return at + 1, said.saying(swap=())
            used = 1
            following = self.lower[at + 1 : at + 3]
            if ">" not in word and len(following) == 2 and following[0] in ("for", "to", "into"):
                word = f"{word}>{following[1]}"
                used = 3
            if ">" not in word:
                break
            made, problem = _read_exchange(word)
            pairs += made
            if problem:
                problems.append(problem)
            at += used
        if at == verb + 1:
            found = shown(self.words[at] if at < len(self.words) else None)
            problems.append(
                _("expected an exchange such as r3>b after {word}, found {found}", word=self.words[verb], found=found)
            )
        said = said.saying(swap=tuple(pairs))
        for problem in problems:
            said = said.with_problem(problem)
        return min(at, len(self.words)), said

    def _remove(self, at: int, said: Said) -> Iterator[tuple[int, Said]]:
        verb = at
        at += 1
        taken: list[tuple[int, Worshipers]] = []
        while at < len(self.lower):
            match = _REMOVAL.fullmatch(self.lower[at])
            value = _worshipers(match[2]) if match else None
            if match and value is not None:
                taken.append((CELLS.index(match[1]), value))
                at += 1
                continue
            value, used = self._amount(at + 1)
            if self.lower[at] in CELLS and value is not None:
                taken.append((CELLS.index(self.lower[at]), value))
                at += 1 + used
                continue
            if ":" in self.lower[at]:
                message = _(
                    "expected a cell and worshipers such as a1:r2 after {word}, found {found}",
                    word=self.words[verb],
                    found=shown(self.words[at]),
                )
                said = said.with_problem(message)
                taken.append((0, NOBODY))
                at += 1
                continue
            break
        if taken:
            removed = ((cell, colour, value[colour]) for cell, value in taken for colour in Colour)
            yield at, said.saying(removed=_merged(removed))
            return
        ends = list(self._values(verb + 1))
        for end, value in ends:
            yield end, said.saying(removed_colours=value)
        if not ends:
            found = shown(self.words[at] if at < len(self.words) else None)
            yield (
                verb + 1,
                said.with_problem(
                    _(
                        "expected a cell and worshipers such as a1:r2 after {word}, found {found}",
                        word=self.words[verb],
                        found=found,
                    )
                ),
            )

    def _unknown(self, at: int) -> str:
        word = self.words[at]
        lower = self.lower[at]
        for tile in self.position.tiles.tiles:
            if tile.id.lower() == lower:
                return _("expected a tile that lies in the centre, found {found}, which does not", found=tile.id)
        if re.fullmatch(r"[a-z][0-9]", lower) and lower[0] not in COLOUR_LETTERS:
            return _("expected a cell from a1 to c3, found {found}", found=shown(word))
        if _worshipers(lower) is not None:
            if re.fullmatch("[a-z][0-9]", lower):
                return _(
                    "expected a cell from a1 to c3, or pay, gain, give, discard, keep, left or remove "
                    "before worshipers, found {found}",
                    found=shown(word),
                )
            return _(
                "expected pay, gain, give, discard, keep, left or remove before worshipers, found {found}",
                found=shown(word),
            )
        if ">" in word:
            return _("expected swap before an exchange, found {found}", found=shown(word))
        known = (*_CLAUSE_OF, *_FLAGS, *_GODS, *self.cell_of, *CELLS)
        hint = nearest(lower, known)
        return _("expected a cell, tile, god, slot or word of a move, found {found}", found=shown(word)) + hint


def _read_exchange(word: str) -> tuple[list[Exchange], str | None]:
    """`rrr>b`, `r6>gb`, or `r>b` for short."""
    left, _arrow, right = word.partition(">")
    given, taken = _worshipers(left), _worshipers(right)
    if not given or not taken or not given.total or not taken.total:
        return [], _("expected an exchange such as r3>b, found {found}", found=shown(word))
    colours = [colour for colour in Colour if given[colour]]
    if len(colours) > 1:
        return [], _(
            "expected worshipers of one colour to be exchanged, found {found} in {word}", found=given, word=shown(word)
        )
    giver = colours[0]
    if taken[giver]:
        return [], _("expected an exchange for another colour, found {found}", found=shown(word))
    asked = EXCHANGE_RATE * taken.total
    if given.total != asked and left not in (giver.letter, giver.word):
        return [], _(
            "expected {number} {colour} to be exchanged for {taken}, found {found}",
            number=asked,
            colour=giver.label,
            taken=taken,
            found=given.total,
        )
    return [(int(giver), int(colour)) for colour in Colour for _ in range(taken[colour])], None


# ---------------------------------------------------------------------------------- reading: which move


@dataclass(frozen=True, slots=True)
class Choice:
    """Moves alike in tile or god, face and verdict."""

    cell: int | None
    god: God | None
    slots: tuple[Slot | None, ...]
    wild: bool
    validated: bool
    stock: Removal = ()  # what a volcano may remove ...
    to_remove: int = 0  # ... and how many it must


@dataclass(frozen=True)
class _Fit:
    """The moves of a choice that a reading allows: a product of three lists."""

    choice: Choice
    slots: tuple[Slot | None, ...]
    realms: tuple[Worshipers, ...]
    removed: Callable[[], Iterable[Removal]]
    removed_count: int
    accepts: Callable[[Removal], bool] = field(repr=False)

    @property
    def count(self) -> int:
        return len(self.slots) * len(self.realms) * self.removed_count

    def moves(self) -> Iterator[Move]:
        choice = self.choice
        for slot in self.slots:
            for removed in self.removed():
                for realm in self.realms:
                    yield Move(choice.cell, choice.god, slot, choice.wild, choice.validated, removed, realm)

    def has(self, move: Move) -> bool:
        choice = self.choice
        return (
            (move.cell, move.god, move.wild) == (choice.cell, choice.god, choice.wild)
            and move.validated == choice.validated
            and move.slot in self.slots
            and move.realm in self.realms
            and self.accepts(move.removed)
        )


def parse_move(text: str, position: Position, legal: Collection[Move] | None = None) -> Move:
    """The one legal move that the text fits; InputError if there is none, or more than one.

    `legal` narrows what counts as legal, for instance to a search's moves; by default it is
    everything the rules allow, which is never listed in full.

        >>> parse_move("god death", position).god
        <God.DEATH: 9>
        >>> parse_move("d4", position)
        Traceback (most recent call last):
        orbis_search.base.errors.InputError: ...
    """
    _check_turn(position)
    if len(text) > MAX_TEXT:
        raise InputError.one(
            PLACE, _("expected at most {most} characters, found {found}", most=MAX_TEXT, found=len(text))
        )
    reader = _Reader(position, text)
    if not reader.words:
        raise InputError.one(PLACE, _("expected a move such as b2 2.3 or god love, found nothing"))
    readings = reader.readings()
    if readings[0].problems:
        raise InputError(readings[0].problems)

    fits = [fit for said in readings for fit in _fits(position, said)]
    if legal is not None:
        offered = sorted({move for move in legal if any(fit.has(move) for fit in fits)}, key=_order)
        count, examples = len(offered), offered[:MAX_LISTED]
    else:
        # Two readings differ in a cell, a slot or a number of worshipers, so they share no move.
        count = sum(fit.count for fit in fits)
        examples = list(islice((move for fit in fits for move in fit.moves()), MAX_LISTED))
    if count == 1:
        return examples[0]
    if count == 0:
        problems = why_not(position, readings[0])
        if not problems:
            message = _("expected one of the moves on offer, found one that is legal but not among them")
            problems = [Problem(PLACE, message)] if fits else [_nothing_fits(text)]
        raise InputError(problems)
    lines = "".join(f"\n  {format_move(position, move)}" for move in examples)
    if count > len(examples):
        lines += "\n  " + ngettext("and {n} more", "and {n} more", count - len(examples))
    message = ngettext(
        "expected a text that fits one move, found {found}, which fits {n}:{moves}",
        "expected a text that fits one move, found {found}, which fits {n}:{moves}",
        count,
        found=shown(text),
        moves=lines,
    )
    raise AmbiguousMove(Problem(PLACE, message), count, tuple(examples))


def _nothing_fits(text: str) -> Problem:
    return Problem(
        PLACE,
        _(
            "expected parts that go together, found {found}: no way of exchanging, paying and giving back agrees "
            "with all of it",
            found=shown(text),
        ),
    )


def _order(move: Move) -> tuple[Any, ...]:
    taken = (-1 if move.cell is None else move.cell, -1 if move.god is None else move.god)
    return (*taken, move.wild, move.slot or (), not move.validated, move.removed, move.realm)


def _check_turn(position: Position) -> None:
    _mover(position)
    if position.hole is not None:
        raise InputError.one(PLACE, _("expected a refill of {cell} first, found a move", cell=CELLS[position.hole]))


def _fits(position: Position, said: Said) -> list[_Fit]:
    player = _mover(position)
    found = []
    for choice in choices(position, said):
        slots = tuple(slot for slot in choice.slots if _slot_agrees(player, slot, said))
        if not slots:
            continue
        removed, number, accepts = _removals_that_agree(choice, said)
        if not number:
            continue
        turn = economy(position, choice.cell, choice.god, choice.wild, choice.validated)
        if _why_not_open_gain(turn, said, ""):
            continue
        realms = tuple(outcomes(turn, said.stated))
        if realms:
            found.append(_Fit(choice, slots, realms, removed, number, accepts))
    return found


def choices(position: Position, said: Said) -> Iterator[Choice]:
    """What can be taken and how it can turn out, as far as the reading says it."""
    player = _mover(position)

    def allows(validated: bool) -> bool:
        return said.validated is None or said.validated == validated

    region_said = (said.cell, said.row, said.wild, said.removed, said.removed_colours)
    if said.god is not None or all(part is None for part in region_said):
        if player.god is None and (said.god is None or all(part is None for part in region_said)):
            for god in position.gods:
                if said.god in (None, god):
                    if allows(True):
                        yield Choice(None, god, (None,), wild=False, validated=True)
                    if god is God.DEATH and allows(False):
                        yield Choice(None, god, (None,), wild=False, validated=False)
    if said.god is not None or player.regions == REGION_TURNS:
        return
    slots = open_slots(player)
    for cell in range(len(CELLS)) if said.cell is None else (said.cell,):
        tile = _tile(position, cell)
        if said.wild:
            if said.validated is None:
                yield Choice(cell, None, tuple(slots), wild=True, validated=False)
            continue
        fitting = tuple(slot for slot in slots if colour_fits(player, slot, tile.colour))
        if tile.effect is Effect.IRRIGATION:
            for validated in (True, False):
                judged = [s for s in fitting if lies_over(player, s, tile.colours[0]) == validated]
                if allows(validated):
                    yield Choice(cell, None, tuple(judged), wild=False, validated=validated)
            continue
        if allows(True):
            stock: Removal = ()
            number = 0
            if tile.effect is Effect.VOLCANO:
                stock, number = volcano_stock(position.centre, cell, tile), tile.number
            yield Choice(cell, None, fitting, False, True, stock, number)
        if tile.effect in (Effect.VILLAGE, Effect.VOLCANO) and allows(False):
            yield Choice(cell, None, fitting, wild=False, validated=False)


def _slot_agrees(player: Player, slot: Slot | None, said: Said) -> bool:
    if slot is None:
        return True
    if said.row is not None and slot.row != said.row:
        return False
    if said.column is not None and slot.column != said.column - 1:
        return False
    if said.side is not None:
        return slot.column == (0 if said.side == "L" else len(player.rows[0]))
    return True


def _removals_that_agree(
    choice: Choice, said: Said
) -> tuple[Callable[[], Iterable[Removal]], int, Callable[[Removal], bool]]:
    """Removals of the choice that the reading allows: how to go through them, how many, and a test."""
    exact, colours = said.removed, said.removed_colours

    def agrees(removed: Removal) -> bool:
        if exact is not None and removed != exact:
            return False
        return colours is None or _by_colour(removed) == colours

    def all_of_them() -> Iterable[Removal]:
        return removals(choice.stock, choice.to_remove)

    if exact is not None:
        stock = {(cell, colour): there for cell, colour, there in choice.stock}
        possible = sum(number for _, _, number in exact) == choice.to_remove and all(
            number <= stock.get((cell, colour), 0) for cell, colour, number in exact
        )
        return (lambda: (exact,)), int(possible and agrees(exact)), agrees
    if colours is not None:
        if colours.total != choice.to_remove:
            return (lambda: ()), 0, agrees
        # Each colour by itself, so that only removals with the stated colours are gone through.
        by_colour = [
            list(removals(tuple(s for s in choice.stock if s[1] == colour), colours[colour])) for colour in Colour
        ]
        number = 1
        for parts in by_colour:
            number *= len(parts)

        def with_colours() -> Iterable[Removal]:
            for parts in product(*by_colour):
                yield tuple(sorted(taken for part in parts for taken in part))

        return with_colours, number, agrees
    return all_of_them, count_removals(choice.stock, choice.to_remove), agrees


def _by_colour(removed: Removal) -> Worshipers:
    counts = NOBODY
    for _cell, colour, number in removed:
        counts = counts.changed(colour, number)
    return counts


# --------------------------------------------------------------------------------- reading: why no move


def why_not(position: Position, said: Said) -> list[Problem]:
    """The rules that forbid what a reading says, as far as each can be told by itself."""
    player = _mover(position)
    if said.god is not None:
        messages = list(_why_no_god(position, player, said, said.god))
        if not messages:
            turn = economy(position, None, said.god, False, said.validated is not False)
            messages = list(_why_not_realm(turn, said, said.god.label))
    else:
        messages = list(_why_no_region(position, player, said))
    return [Problem(PLACE, message) for message in messages]


def _why_no_god(position: Position, player: Player, said: Said, god: God) -> Iterator[str]:
    if said.cell is not None:
        yield _("expected a region or a god, found both, {cell} and {god}", cell=CELLS[said.cell], god=god.label)
    elif said.row is not None or said.wild is not None or said.removed is not None:
        yield _("expected no slot, wilderness or removal in a god turn, found one")
    if player.god is not None:
        yield _(
            "expected a region, for this player already has a god, {god}; found {found}",
            god=player.god.label,
            found=god.label,
        )
    if god not in position.gods:
        names = ", ".join(each.label for each in position.gods) or _("none is left")
        if any(other.god is god for other in position.players):
            yield _("expected a god that lies face up ({gods}), found {god}, which is taken", gods=names, god=god.label)
        else:
            yield _(
                "expected a god that lies face up ({gods}), found {god}, which is not in this game",
                gods=names,
                god=god.label,
            )
    if said.validated is False and god is not God.DEATH:
        yield _(
            "expected no verdict, for of the gods only Death can be cancelled; found {found} cancelled", found=god.label
        )


_NOT_WILD = {
    "pay": N_("expected no pay, for a wilderness costs nothing and has no effect; found {found}"),
    "gain": N_("expected no gain, for a wilderness costs nothing and has no effect; found {found}"),
    "give": N_("expected no give, for a wilderness costs nothing and has no effect; found {found}"),
}


def _why_no_region(position: Position, player: Player, said: Said) -> Iterator[str]:
    if player.regions == REGION_TURNS:
        yield (
            _(
                "expected a god, for the pyramid is full with {count} regions; found a region to place",
                count=REGION_TURNS,
            )
            if player.god is None
            else _("expected no region, for the pyramid is full with {count}; found one", count=REGION_TURNS)
        )
        return
    tile = None if said.cell is None else _tile(position, said.cell)
    slot_problem = _why_not_slot(player, said, None if said.wild else tile)
    if slot_problem:
        yield slot_problem
    if said.wild:
        if said.validated is not None or said.removed or said.removed_colours is not None:
            yield _("expected nothing valid, cancelled or removed, for a wilderness has no effect; found it")
        for name in ("pay", "gain", "give"):
            value = getattr(said, name)
            if (value is not None and value.total) or (name == "gain" and said.gain_open is not None):
                found = said.gain_text if name == "gain" else value
                yield _(_NOT_WILD[name], found=found)
        if said.cell is not None:
            turn = economy(position, said.cell, None, True, False)
            without = replace(said, pay=None, gain=None, gain_open=None, give=None)
            yield from _why_not_realm(turn, without, _("the wilderness"))
        return
    if tile is None or said.cell is None:
        if not slot_problem:
            yield _("expected a cell, tile or god and parts that fit it, found none that does")
        return
    if said.validated is False and tile.effect not in JUDGED:
        yield (
            _(
                "expected a village, volcano or irrigation, for only these can be cancelled; found {found}, {effect}",
                found=tile.id,
                effect=tile.effect.label,
            )
        )
    if tile.effect is Effect.IRRIGATION and said.validated is not None and not slot_problem:
        yield from _why_not_irrigation(player, said, tile)
    yield from _why_not_volcano(position, said, said.cell, tile)
    village = tile.effect is Effect.VILLAGE
    gives = said.give is not None and said.give.total > 0
    validated = said.validated if said.validated is not None else gives or not village
    yield from _why_not_realm(economy(position, said.cell, None, False, validated), said, tile.id)


def _why_not_slot(player: Player, said: Said, tile: Tile | None) -> str | None:
    """What is wrong with the slot; `tile` None if its colour does not matter."""
    row, column = said.row, said.column
    length = len(player.rows[0])
    if row is None:
        slots = open_slots(player)
        if tile is not None and not any(colour_fits(player, slot, tile.colour) for slot in slots):
            return _(
                "expected a slot over a {colour} tile or a wilderness for {tile}, found none open: it can only "
                "be wilderness",
                colour=tile.colour.label,
                tile=tile.id,
            )
        return None
    if not 1 <= row <= len(ROW_LENGTHS):
        return _("expected a row from 1 to {last}, found {found}", last=len(ROW_LENGTHS), found=row)
    if row == 1:
        if length == ROW_LENGTHS[0]:
            return _("expected a slot above row 1, for row 1 is full with {length} tiles; found row 1", length=length)
        ends = {1, length + 1}
        if column is not None and column not in ends:
            return _(
                "expected an end of row 1 (1L or 1R, that is {left} or {right}), found {found}",
                left=f"1.{min(ends)}",
                right=f"1.{max(ends)}",
                found=f"1.{column}",
            )
        return None
    if column is not None and not 1 <= column <= ROW_LENGTHS[row - 1]:
        return _(
            "expected a column from 1 to {last} in row {row}, found {found}",
            last=ROW_LENGTHS[row - 1],
            row=row,
            found=column,
        )
    if column is None:
        slots = [slot for slot in open_slots(player) if slot.row == row]
        if not slots:
            return _("expected a slot with two tiles under it, found none open in row {row}", row=row)
        if tile is not None and not any(colour_fits(player, slot, tile.colour) for slot in slots):
            return _(
                "expected a slot over a {colour} tile or a wilderness for {tile}, found none in row {row}",
                colour=tile.colour.label,
                tile=tile.id,
                row=row,
            )
        return None
    name = f"{row}.{column}"
    there = player.at(row, column - 1)
    if there is not None:
        holder = _("a tile") if there.tile is None else there.tile.id
        return _("expected an empty slot, found {found}, where {tile} lies", found=name, tile=holder)
    under = [player.at(row - 1, column - 1), player.at(row - 1, column)]
    missing = [f"{row - 1}.{column + i}" for i, placed in enumerate(under) if placed is None]
    if missing:
        return _("expected two tiles under {slot}, found none at {missing}", slot=name, missing=listed(missing))
    if tile is not None and not colour_fits(player, Slot(row, column - 1), tile.colour):
        colours = listed([placed.tile.colour.label for placed in under if placed and placed.tile])
        return _(
            "expected a {colour} tile or a wilderness under {slot} for {tile}, found {found}: there it can only"
            " be wilderness",
            colour=tile.colour.label,
            slot=name,
            tile=tile.id,
            found=colours,
        )
    return None


def _why_not_irrigation(player: Player, said: Said, tile: Tile) -> Iterator[str]:
    slots = [
        slot
        for slot in open_slots(player)
        if colour_fits(player, slot, tile.colour) and _slot_agrees(player, slot, said)
    ]
    verdicts = {lies_over(player, slot, tile.colours[0]) for slot in slots}
    if slots and said.validated not in verdicts:
        colour = tile.colours[0].label
        if said.validated:
            yield _(
                "expected cancelled, for an irrigation is valid exactly if a {colour} tile or a wilderness lies "
                "right under it; found valid",
                colour=colour,
            )
        else:
            yield _(
                "expected valid, for an irrigation is valid exactly if a {colour} tile or a wilderness lies "
                "right under it; found cancelled",
                colour=colour,
            )


def _why_not_volcano(position: Position, said: Said, cell: int, tile: Tile) -> Iterator[str]:
    asked = said.removed
    total = said.removed_colours if asked is None else _by_colour(asked)
    if tile.effect is not Effect.VOLCANO:
        if total is not None and total.total:
            yield _("expected no removal, for {tile} is no volcano; found {found} removed", tile=tile.id, found=total)
        return
    if said.validated is False:
        if total is not None and total.total:
            yield _("expected no removal by a cancelled volcano, found {found} removed", found=total)
        return
    if said.validated is None and total is None:
        return
    stock = volcano_stock(position.centre, cell, tile)
    colours = "".join(colour.letter for colour in tile.colours)
    there = sum(number for _, _, number in stock)
    if there < tile.number:
        yield (
            ngettext(
                "expected at least {n} worshiper of {colours} on the other cells for the volcano, "
                "found {found}: it can only be cancelled",
                "expected at least {n} worshipers of {colours} on the other cells for the volcano, "
                "found {found}: it can only be cancelled",
                tile.number,
                colours=colours,
                found=there,
            )
        )
        return
    if total is None:
        return
    if total.total != tile.number:
        yield ngettext(
            "expected exactly {n} worshiper removed by {tile}, found {found}",
            "expected exactly {n} worshipers removed by {tile}, found {found}",
            tile.number,
            tile=tile.id,
            found=total.total,
        )
    for colour in Colour:
        if total[colour] and colour not in tile.colours:
            yield _("expected removals of {colours} only, found {found}", colours=colours, found=colour.label)
    if asked is None:
        for colour in tile.colours:
            here = sum(number for _, other, number in stock if other == colour)
            if total[colour] > here:
                yield _(
                    "expected at most {most} {colour} to remove, found {found}",
                    most=here,
                    colour=colour.label,
                    found=total[colour],
                )
        return
    held = {(where, colour): number for where, colour, number in stock}
    for where, colour, number in asked:
        if where == cell:
            yield _(
                "expected removals from the other eight cells, found {found}, the volcano's own", found=CELLS[where]
            )
        elif colour in tile.colours and number > held.get((where, colour), 0):
            yield (
                _(
                    "expected at most {most} {colour} to remove from {cell}, found {found}",
                    most=held.get((where, colour), 0),
                    colour=colour.label,
                    cell=CELLS[where],
                    found=number,
                )
            )


def _why_not_realm(turn: Economy, said: Said, what: str) -> Iterator[str]:
    """Paying, exchanging, gaining, giving and the limit: the first of the steps that fails says why."""
    for name in ("pay", "gain", "give", "discard", "realm"):
        value = getattr(said, name)
        if value is not None and value.total > MAX_COUNT:
            yield _("expected a number of worshipers that can be held, found {found}", found=value)
            return
    has = turn.start
    cost = _cost_text(turn)
    if turn.cost.total + turn.any_cost and not outcomes(replace(turn, given=0), _UNSTATED):
        yield _(
            "cannot pay for {what}: expected {cost}, found {found} at hand, also with exchanges",
            what=what,
            cost=cost,
            found=has,
        )
        return
    if turn.given and not outcomes(turn, _UNSTATED):
        if turn.cost.total + turn.any_cost:
            yield ngettext(
                "cannot give for {what}: expected {n} worshiper after paying {cost}, found {found} at hand",
                "cannot give for {what}: expected {n} worshipers after paying {cost}, found {found} at hand",
                turn.given,
                what=what,
                cost=cost,
                found=has,
            )
        else:
            yield ngettext(
                "cannot give for {what}: expected {n} worshiper, found {found} at hand",
                "cannot give for {what}: expected {n} worshipers, found {found} at hand",
                turn.given,
                what=what,
                found=has,
            )
        return
    problems = list(_why_not_parts(turn, said, what, cost))
    yield from problems
    if problems or outcomes(turn, said.stated):
        return
    # Each part could be by itself, so they do not go together. The realm is what people get wrong.
    without = replace(said.stated, realm=None, discard=None)
    possible = outcomes(turn, without)
    if said.swap is not None and not possible:
        if not said.swap:
            yield _(
                "cannot play {what} without an exchange: expected {cost}, found {found} at hand",
                what=what,
                cost=cost,
                found=has,
            )
            return
        if not outcomes(turn, Stated(swaps=said.stated.swaps)):
            words = " ".join(_swap_words(said.swap))
            message = N_("cannot exchange {swaps} and still play {what}: found {found} at hand")
            yield _(message, swaps=words, what=what, found=has)
            return
    if possible and said.realm is not None:
        if len(possible) > 1:
            yield _(
                "expected a realm that the turn can leave, for instance {realm}, found {found} ({held} at hand)",
                realm=possible[0],
                found=said.realm,
                held=has,
            )
        else:
            yield _(
                "expected a realm that the turn can leave, {realm}, found {found} ({held} at hand)",
                realm=possible[0],
                found=said.realm,
                held=has,
            )
        return
    stated = [
        f"{name} {value}" for name in ("pay", "gain", "give", "discard") if (value := getattr(said, name)) is not None
    ]
    if said.swap:
        stated.insert(0, "swap " + " ".join(_swap_words(said.swap)))
    found = ", ".join(stated) or _("none")
    yield _("expected parts that go together, found {found} with {held} at hand", found=found, held=has)


def _cost_text(turn: Economy) -> str:
    if not turn.any_cost:
        return str(turn.cost) if turn.cost.total else _("nothing")
    if not turn.cost.total:
        return ngettext("{n} of any colour", "{n} of any colour", turn.any_cost)
    return ngettext("{cost} and {n} of any colour", "{cost} and {n} of any colour", turn.any_cost, cost=turn.cost)


def _why_not_parts(turn: Economy, said: Said, what: str, cost: str) -> Iterator[str]:
    if said.pay is not None:
        rest = said.pay.minus(turn.cost)
        if min(rest) < 0 or rest.total != turn.any_cost:
            yield _("expected {cost} to be paid for {what}, found pay {pay}", cost=cost, what=what, pay=said.pay)
    if message := _why_not_open_gain(turn, said, what):
        yield message
    elif said.gain is not None and said.gain_open is None:
        if turn.gain_any and said.gain.total != turn.gain_any:
            yield _wrong_gain(turn.gain_any, what, str(said.gain))
        elif not turn.gain_any and said.gain != turn.gain:
            yield _other_gain(turn, what, str(said.gain))
    if said.give is not None and said.give.total != turn.given:
        if turn.given:
            yield ngettext(
                "expected {n} worshiper to be given for {what}, found {found}",
                "expected {n} worshipers to be given for {what}, found {found}",
                turn.given,
                what=what,
                found=said.give.total,
            )
        else:
            yield (
                _(
                    "expected nothing to be given for {what} (at the limit, say discard or keep), found give {give}",
                    what=what,
                    give=said.give,
                )
            )
    if said.swap:
        most = turn.start.total + turn.gain.total + turn.gain_any
        if len(said.swap) * (EXCHANGE_RATE - 1) >= most:
            yield ngettext(
                "expected exchanges that {n} worshiper allows, found {found}",
                "expected exchanges that {n} worshipers allow, found {found}",
                most,
                found=len(said.swap),
            )
    before_limit = turn.unexchanged - (EXCHANGE_RATE - 1) * len(said.swap or ())
    if said.realm is not None:
        found = said.realm.total
        if found > REALM_LIMIT:
            yield _(
                "expected at most {most} worshipers left, found {found} ({realm})",
                most=REALM_LIMIT,
                found=found,
                realm=said.realm,
            )
        elif (
            (said.swap is not None and before_limit >= 0 and found != min(before_limit, REALM_LIMIT))
            or (found < min(before_limit, REALM_LIMIT) and not _exchangeable(turn, found))
            or found > max(0, before_limit)
        ):
            yield _wrong_number(before_limit, said.realm)
    if said.discard is not None:
        over = max(0, before_limit - REALM_LIMIT)
        # Each exchange that may have been made without being said leaves two fewer to give back.
        spare = over - said.discard.total
        if spare < 0 or (spare and (said.swap is not None or spare % (EXCHANGE_RATE - 1))):
            yield (
                _(
                    "expected {number} given back, just what is over {most}; found {found} ({worshipers})",
                    number=over,
                    most=REALM_LIMIT,
                    found=said.discard.total,
                    worshipers=said.discard,
                )
            )


def _why_not_open_gain(turn: Economy, said: Said, what: str) -> str | None:
    """What is wrong with a gain whose colours are left open, in part or altogether."""
    if said.gain_open is None:
        return None
    named = 0 if said.gain is None else said.gain.total
    if not turn.gain_any:
        return _other_gain(turn, what, said.gain_text)
    if named + said.gain_open > turn.gain_any or (said.gain_open and named + said.gain_open < turn.gain_any):
        return _wrong_gain(turn.gain_any, what, said.gain_text)
    return None


def _wrong_gain(number: int, what: str, found: str) -> str:
    return ngettext(
        "expected {n} worshiper to be gained by {what}, found {found}",
        "expected {n} worshipers to be gained by {what}, found {found}",
        number,
        what=what,
        found=found,
    )


def _other_gain(turn: Economy, what: str, found: str) -> str:
    if turn.gain.total:
        return _("expected gain {gain} by {what}, found gain {found}", gain=turn.gain, what=what, found=found)
    return _("expected no gain by {what}, found gain {found}", what=what, found=found)


def _wrong_number(before_limit: int, realm: Worshipers) -> str:
    if before_limit > REALM_LIMIT:
        return _(
            "expected {most} worshipers left of {before}, for exactly that many are kept; found {found} ({realm})",
            most=REALM_LIMIT,
            before=before_limit,
            found=realm.total,
            realm=realm,
        )
    return ngettext(
        "expected {n} worshiper left, found {found} ({realm})",
        "expected {n} worshipers left, found {found} ({realm})",
        before_limit,
        found=realm.total,
        realm=realm,
    )


def _exchangeable(turn: Economy, left: int) -> bool:
    """Whether some number of exchanges brings the realm to so many."""
    _exchanges, odd = divmod(turn.unexchanged - left, EXCHANGE_RATE - 1)
    return not odd and any(find_way(turn, Worshipers(*realm)) for realm in _splits(left, (left,) * len(Colour)))


# ----------------------------------------------------------------------------------------------- JSON


def move_to_json(position: Position, move: Move) -> dict[str, Any]:
    """The move by its parts, with its text. `move_from_json` needs neither `text` nor `tile`."""
    data: dict[str, Any] = {"text": format_move(position, move)}
    if move.god is not None:
        data["god"] = move.god.word
    if move.cell is not None and move.slot is not None:
        data["cell"] = CELLS[move.cell]
        data["tile"] = tile_text(_tile(position, move.cell))
        data["slot"] = {"row": move.slot.row, "column": move.slot.column + 1}
        data["wild"] = move.wild
    data["validated"] = move.validated
    if move.removed:
        data["removed"] = [
            {"cell": CELLS[cell], "colour": Colour(colour).word, "number": number}
            for cell, colour, number in move.removed
        ]
    data["realm"] = {colour.word: move.realm[colour] for colour in Colour}
    return data


_REGION_KEYS = ("cell", "tile", "slot", "wild", "removed")
_KEYS = ("text", "god", *_REGION_KEYS, "validated", "realm")


def move_from_json(data: object, position: Position, legal: Collection[Move] | None = None) -> Move:
    """The move `move_to_json` wrote, or InputError with everything that is wrong with it.

    It has to be legal: one of `legal` if that is given, else by the rules.
    """
    _check_turn(position)
    reading = Reading()
    table = reading.table(data, PLACE, _KEYS)
    god = cell = slot = None
    if isinstance(data, dict) and ("god" in table) == ("cell" in table):
        if "god" in table:
            reading.report(PLACE, _("expected either cell or god, found both"))
        else:
            reading.report(PLACE, _("expected either cell or god, found neither"))
    elif "god" in table:
        god = _named(table["god"], f"{PLACE}, god", _GODS, reading)
        for key in _REGION_KEYS:
            if table.get(key):
                reading.report(f"{PLACE}, {key}", _("expected nothing in a god turn, found it"))
    elif "cell" in table:
        cell = _named(table["cell"], f"{PLACE}, cell", _CELL_NUMBERS, reading)
        slot = _slot_from_json(table.get("slot"), reading)
        here = None if cell is None else _tile(position, cell)
        if here is not None and table.get("tile", here.id) not in (here.id, tile_text(here)):
            what = _("{tile}, which lies on {cell}", tile=shown(tile_text(here)), cell=table["cell"])
            reading.expected(f"{PLACE}, tile", what, table["tile"])
    wild = reading.boolean(table.get("wild", False), f"{PLACE}, wild", False)
    validated = reading.boolean(table.get("validated", not wild), f"{PLACE}, validated", not wild)
    removed = _removed_from_json(table.get("removed", []), reading)
    if "realm" not in table and isinstance(data, dict):
        reading.expected(f"{PLACE}, realm", _("the worshipers left over"), None)
    realm = reading.worshipers(table.get("realm", ""), f"{PLACE}, realm")
    reading.raise_if_any("")
    move = Move(cell, god, slot, wild, validated, removed, realm)
    if legal is None:
        expect_legal(position, move)
    elif move not in legal:
        raise InputError.one(PLACE, _("expected one of the moves on offer, found another"))
    return move


_CELL_NUMBERS = {name: index for index, name in enumerate(CELLS)}


def _named(value: object, place: str, known: Mapping[str, Any], reading: Reading) -> Any:
    if isinstance(value, str) and value.lower() in known:
        return known[value.lower()]
    hint = nearest(value, known) if isinstance(value, str) else ""
    reading.report(
        place, _("expected one of {choice}, found {found}", choice=", ".join(known), found=shown(value)) + hint
    )
    return None


def _slot_from_json(value: object, reading: Reading) -> Slot | None:
    place = f"{PLACE}, slot"
    table = reading.table(value, place, ("row", "column"))
    if not isinstance(value, dict):
        return None
    row = reading.number(table.get("row"), f"{place}, row", 1, len(ROW_LENGTHS))
    most = ROW_LENGTHS[0 if row is None else row - 1]
    column = reading.number(table.get("column"), f"{place}, column", 1, most)
    return None if row is None or column is None else Slot(row, column - 1)


def _removed_from_json(value: object, reading: Reading) -> Removal:
    place = f"{PLACE}, removed"
    if not isinstance(value, list):
        reading.expected(place, _("a list"), value)
        return ()
    taken = []
    for index, entry in enumerate(value, start=1):
        here = f"{place}[{index}]"
        table = reading.table(entry, here, ("cell", "colour", "number"))
        if not isinstance(entry, dict):
            continue
        cell = _named(table.get("cell"), f"{here}, cell", _CELL_NUMBERS, reading)
        colour = _named(table.get("colour"), f"{here}, colour", _COLOURS, reading)
        number = reading.number(table.get("number"), f"{here}, number", 1, MAX_COUNT)
        if cell is not None and colour is not None and number is not None:
            taken.append((cell, colour, number))
    return _merged(taken)


def expect_legal(position: Position, move: Move) -> None:
    """InputError with the reasons if the move is not legal. It is if a text that says all of it fits it."""
    said = Said(
        cell=move.cell,
        god=move.god,
        row=move.slot.row if move.slot else None,
        column=move.slot.column + 1 if move.slot else None,
        wild=move.wild if move.slot else None,
        validated=move.validated if move.validated or not move.wild else None,
        removed=move.removed if move.slot else None,
        realm=move.realm,
    )
    if not any(fit.has(move) for fit in _fits(position, said)):
        raise InputError(why_not(position, said) or [_nothing_fits(str(move))])
