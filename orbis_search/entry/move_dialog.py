"""A turn entered with a few keys: what to ask next, what an answer means, and why something cannot be.

There is no terminal here; `cli/turn_asking.py` has one, for `orbis play` and `orbis track` alike.

    entry = MoveEntry(Stage(position))           Stage and Record are those of `record`
    while (question := entry.question) is not None:
        entry.answer(input(question.text))       InputError says what is wrong, or which rule forbids it
    entry.move                                   and entry.seen, if a tile that was not known had to be named

Only what is really a choice is asked, in this order: the tile or god, its slot or wilderness, valid or cancelled, what
a volcano removes, colours gained, exchanges if it cannot be paid without them, and which worshipers go. Digits answer
everything: cells lie as the keys of a number pad do, colours are 1 to 5 in the order r g b y w, 0 is the other way (a
god, wilderness, cancelled). So do names, `b2`, `r2d`, `2.3`, `love`, letters of colours, and several answers on a line
separated by spaces; and a whole move in its notation, at any time. `back` takes back the last answer, and
`want_exchange` asks for exchanges that nobody needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any

from ..base.errors import InputError
from ..base.language import N_, _, ngettext
from ..base.quoting import shown
from ..drawing.labels import tile_words
from ..game.economy import Economy, Exchange, Spending, can_be_played, economy, outcomes
from ..game.fitting import Choice, MoveDescription, choices
from ..game.position import Move, Player, Position, Slot
from ..game.rules import Removal, count_removals, open_slots, removals
from ..game.tiles import Tile
from ..game.vocabulary import CELLS, COLOUR_LETTERS, EXCHANGE_RATE, NOBODY, REGION_TURNS, Colour, God, Worshipers
from ..notation.common import parse_worshipers
from ..notation.move_text import AmbiguousMove, parse_move
from ..record.game import UNKNOWN, Stage
from ..tileset.matching import best_matching
from ..tileset.resolving import but_for_one
from .names import god_of
from .questions import (
    KEYS,
    MOST_LISTED,
    OTHER,
    Option,
    Question,
    answer_in_turn,
    expect_option,
    find_option,
    option_lines,
    question_among,
    too_much,
)
from .tile_dialog import fitting_tiles, several_tiles, tile_options

MOST_EXCHANGES = 3  # worked out for the player; more have to be typed in full


_COLOUR_DIGITS = "12345"
_SLOT = re.compile(r"(?i)[1-4][./-]?[1-5lr]?|[lr]")
_EXCHANGE = re.compile(r"([1-5rgbyw])(?:3?>)?([1-5rgbyw])")
_COLOUR_KEYS = N_("1 to 5 for r g b y w")


@dataclass(frozen=True, slots=True)
class _Answers:
    """What is known of a turn; None where nothing is."""

    cell: int | None = None
    seen: Tile | None = None  # what lies there, if that was not known
    a_god: bool = False
    god: God | None = None
    wild: bool | None = None
    slot: Slot | None = None
    validated: bool | None = None
    removed: Removal | None = None
    gain: Worshipers | None = None
    exchange: bool = False  # wanted, though it can be paid without
    swaps: tuple[Exchange, ...] | None = None
    goes: Worshipers | None = None  # chosen freely: any-colour cost, village, limit
    move: Move | None = None  # typed whole, in its notation


class MoveEntry:
    def __init__(self, stage: Stage) -> None:
        self._first = stage
        self._history: list[_Answers] = []
        self._answers = _Answers()
        self.question: Question | None = None
        self.move: Move | None = None
        self.notes: tuple[str, ...] = ()  # on the answers so far
        self._economy = Economy(NOBODY)
        self._ask()

    @property
    def seen(self) -> tuple[int, Tile] | None:
        """The cell and the tile, if the move takes one that was not known before."""
        cell, tile = self._answers.cell, self._answers.seen
        return None if cell is None or tile is None else (cell, tile)

    @property
    def stage(self) -> Stage:
        """What is known, including a tile named on the way."""
        return self._first if self.seen is None else self._first.with_seen(*self.seen)

    @property
    def is_doubtful(self) -> bool:
        """Whether the move is wilderness though nobody said so: `notes` has the reason."""
        return self.move is not None and self.move.wild and bool(self.notes)

    def back(self) -> bool:
        """Takes back the last answer; False if there is none."""
        if not self._history:
            return False
        self._answers = self._history.pop()
        self._ask()
        return True

    def want_exchange(self) -> None:
        """Asks for exchanges even if the turn can be paid without them."""
        self._add({"exchange": True})

    # Answers.

    def answer(self, text: str) -> None:
        """Takes an answer, or several separated by spaces. InputError if there is a mistake, and nothing changes."""
        words = text.split()
        whole = None
        if len(words) > 1 and _is_notation(words[0], self._first.position):
            try:
                self._add(self._whole(text))
                return
            except InputError as error:
                whole = error
        before = self._answers, len(self._history)
        try:
            answer_in_turn(self, words, questions_differ=True)
        except InputError as error:
            self._answers = before[0]
            del self._history[before[1] :]
            self._ask()
            raise whole or error from None

    def _whole(self, text: str) -> dict[str, Any]:
        """A move in its notation."""
        named = self._first.named(text)
        if named is None:
            return {"move": self._first.parse(text)}
        return {"cell": named[0], "seen": named[1], "move": self._first.with_seen(*named).parse(text)}

    def answer_one(self, text: str) -> None:
        """Takes one answer, for one question."""
        if self.question is None:
            raise too_much(text)
        self._add(_READERS[self.question.kind](self, text or self.question.default, self.question))

    def _add(self, parts: dict[str, Any]) -> None:
        before = self._answers
        self._answers = replace(self._answers, **parts)
        try:
            self._ask()
        except InputError:
            self._answers = before
            self._ask()
            raise
        self._history.append(before)

    # What to ask, step by step. Each step returns a question, or fills in what has only one answer.

    def _ask(self) -> None:
        self.move = self._answers.move
        self.question, self.notes = None, ()
        if self.move is None:
            found = self._next()
            self.question, self.move = (found, None) if isinstance(found, Question) else (None, found)

    def _next(self) -> Question | Move:
        answers = self._answers
        position = self.stage.standing
        player = position.players[position.to_move or 0]
        # 1. The tile or the god.
        if answers.cell is None and answers.god is None:
            if answers.a_god or player.regions == REGION_TURNS:
                return _which_god(position)
            return self._which_cell(position, player)
        unseen = {each.cell: each.tiles for each in self._first.unseen}
        if answers.cell in unseen and answers.seen is None and answers.cell is not None:
            text = _("The tile on {cell}", cell=CELLS[answers.cell])
            options = tile_options(unseen[answers.cell])
            return Question("seen", f"{text}: ", options, above=option_lines(options))
        # 2. Where it goes, and whether face up.
        wild, slot = bool(answers.wild), answers.slot
        if answers.cell is not None and slot is None:
            up = [] if wild else _possible(position, MoveDescription(cell=answers.cell, wild=False))
            if up:
                return _which_slot(player, sorted({slot for choice in up for slot in choice.slots if slot is not None}))
            slots = open_slots(player)
            self.notes = () if wild else (self._why_not_up(answers.cell),)
            if len(slots) > 1:
                return _which_slot(player, slots, wild=True)
            wild, slot = True, slots[0]
        # 3. Valid or not.
        description = MoveDescription(
            cell=answers.cell, god=answers.god, wild=wild if slot else None, validated=answers.validated
        )
        found = [choice for choice in _possible(position, description) if slot in choice.slots]
        if len(found) > 1:
            return _verdict()
        choice = found[0]
        # 4. What a volcano removes.
        removed = answers.removed
        if removed is None:
            if count_removals(choice.stock, choice.to_remove) > 1:
                return _what_is_removed(choice)
            removed = next(removals(choice.stock, choice.to_remove))
        # 5. Worshipers.
        realm = self._next_worshipers(economy(position, answers.cell, answers.god, wild, choice.validated))
        if isinstance(realm, Question):
            return realm
        return Move(answers.cell, answers.god, slot, wild, choice.validated, removed, realm)

    def _next_worshipers(self, turn: Economy) -> Question | Worshipers:
        """What else to ask about the turn's worshipers, or the realm left at its end."""
        answers, keys = self._answers, _(_COLOUR_KEYS)
        self._economy = turn
        if turn.gain_any and answers.gain is None:
            text = ngettext("Gain {n} of any colour", "Gain {n} of any colours", turn.gain_any)
            return Question("gain", f"{text} ({keys}): ", digits=turn.gain_any)
        spending = Spending(swaps=answers.swaps, gain=answers.gain)
        if spending.swaps is None:
            ways = [] if answers.exchange else _needed_exchanges(turn, spending)
            if not ways:
                text = _("Exchanges (31: three blue for one red)")
                return Question("swaps", f"{text} ({keys}): ")
            if len(ways) > 1:
                return _which_exchange(ways)
            spending = replace(spending, swaps=ways[0])
        realms = outcomes(turn, spending)
        if not realms:
            raise InputError.one("", _("expected exchanges that make it payable, found others"))
        if answers.goes is not None:
            realms = [realm for realm in realms if _loose(turn, spending, realm) == answers.goes]
        return _what_goes(turn, spending, realms) if len(realms) > 1 else realms[0]

    def _which_cell(self, position: Position, player: Player) -> Question:
        options = []
        for key in sorted(KEYS):
            index = KEYS.index(key)
            tile = position.centre[index].tile
            assert tile is not None, "a tile that is not known has a stand-in"
            names = (CELLS[index],) if tile.described else (CELLS[index], tile.id)
            label = UNKNOWN if tile.id == UNKNOWN else tile_words(tile)
            options.append(Option(key, f"{CELLS[index]} {label}", index, names))
        text = _("Tile (7 8 9 / 4 5 6 / 1 2 3, as on the table)")
        if player.god is None:
            options.append(Option(OTHER, _("a god"), None, ("god",)))
            text = _("Tile (7 8 9 / 4 5 6 / 1 2 3, as on the table; 0 a god)")
        return Question("cell", f"{text}: ", tuple(options))

    def _why_not_up(self, cell: int) -> str:
        """Why a tile can only be wilderness."""
        try:
            parse_move(CELLS[cell], self.stage.standing)
        except InputError as error:
            return error.problems[0].message
        raise AssertionError("a tile that can lie face up may")

    # Reading answers, one function for each kind of question. What they return goes into `_Answers`.

    def _read_cell(self, text: str, question: Question) -> dict[str, Any]:
        option = find_option(text, question)
        if option is not None:
            return {"a_god": True} if option.value is None else {"cell": option.value}
        god = _find_god(text)
        if god is not None:
            return self._god_answer(god)
        centre = enumerate(self._first.position.centre)
        at = {cell.tile: index for index, cell in centre if cell.tile is not None}
        tiles = best_matching(text, at) if text else []
        if len(tiles) == 1:
            return {"cell": at[tiles[0]]}
        if tiles:
            raise InputError.one("", several_tiles(text, tiles))
        if (named := self._first.named(text)) is not None:
            return {"cell": named[0], "seen": named[1]}
        message = _("expected a tile, a cell, a god or a move, found {found}", found=shown(text or None))
        raise InputError.one("", message + but_for_one(text, list(at)))

    def _god_answer(self, god: God) -> dict[str, Any]:
        self._refuse(f"god {god.word}")
        return {"god": god}

    def _refuse(self, text: str) -> None:
        """InputError with the rule that forbids it, if no move fits the text."""
        with suppress(AmbiguousMove):
            parse_move(text, self.stage.standing)

    def _read_god(self, text: str, question: Question) -> dict[str, Any]:
        god = _find_god(text)
        if god is not None:
            return self._god_answer(god)
        return {"god": expect_option(text, question).value}

    def _read_seen(self, text: str, question: Question) -> dict[str, Any]:
        option = find_option(text, question)
        tiles = [each.value for each in question.options]
        fitting = [] if option else fitting_tiles(text, tiles, self._first.position.tiles)
        if len(fitting) > 1:
            raise InputError.one("", several_tiles(text, fitting))
        return {"seen": fitting[0] if fitting else expect_option(text, question).value}

    def _read_slot(self, text: str, question: Question) -> dict[str, Any]:
        option = find_option(text, question)
        if option is None and self._answers.cell is not None and _SLOT.fullmatch(text):
            self._refuse(f"{CELLS[self._answers.cell]} {'wild ' if question.kind == 'wild' else ''}{text}")
        option = expect_option(text, question)
        return {"wild": True} if option.value is None else {"slot": option.value, "wild": question.kind == "wild"}

    def _read_verdict(self, text: str, question: Question) -> dict[str, Any]:
        return {"validated": expect_option(text, question).value}

    def _read_removed(self, text: str, question: Question) -> dict[str, Any]:
        """A way that was listed, or as in a whole move: cells and colours, a3:rb, or their keys, 71."""
        option = find_option(text, question)
        if option is not None:
            return {"removed": option.value}
        words = " ".join(map(_removal_word, text.split()))
        assert self._answers.cell is not None
        try:
            return {
                "removed": parse_move(f"{CELLS[self._answers.cell]} valid remove {words}", self.stage.standing).removed
            }
        except AmbiguousMove as several:
            found = {move.removed for move in several.examples}
            if len(found) == 1:
                return {"removed": found.pop()}
            message = _("expected the cells and colours to remove, found {found}", found=shown(text))
            raise InputError.one("", message) from None

    def _read_gain(self, text: str, question: Question) -> dict[str, Any]:
        return {"gain": _worshipers(text, self._economy.gain_any)}

    def _read_swaps(self, text: str, question: Question) -> dict[str, Any]:
        pairs = []
        for word in text.split():
            match = _EXCHANGE.fullmatch(word.lower())
            if match is None or _colour(match[1]) == _colour(match[2]):
                message = _("expected two different colours, such as 31 or b>r, found {found}", found=shown(word))
                raise InputError.one("", message)
            pairs.append((_colour(match[1]), _colour(match[2])))
        return {"swaps": tuple(pairs)}

    def _read_swap(self, text: str, question: Question) -> dict[str, Any]:
        return {"swaps": expect_option(text, question).value}

    def _read_goes(self, text: str, question: Question) -> dict[str, Any]:
        ways = [option.value for option in question.options]
        goes = _worshipers(text, ways[0].total)
        if goes not in ways:
            raise InputError.one("", _("expected worshipers that can go, found {found}", found=goes))
        return {"goes": goes}


_Reader = Callable[[MoveEntry, str, Question], dict[str, Any]]
_READERS: dict[str, _Reader] = {
    "cell": MoveEntry._read_cell,
    "god": MoveEntry._read_god,
    "seen": MoveEntry._read_seen,
    "slot": MoveEntry._read_slot,
    "wild": MoveEntry._read_slot,
    "verdict": MoveEntry._read_verdict,
    "removed": MoveEntry._read_removed,
    "gain": MoveEntry._read_gain,
    "swaps": MoveEntry._read_swaps,
    "swap": MoveEntry._read_swap,
    "goes": MoveEntry._read_goes,
}


# ------------------------------------------------------------------------------------- what can be


def _possible(position: Position, description: MoveDescription) -> list[Choice]:
    """The choices that can be paid for and carried out."""
    return [
        choice
        for choice in choices(position, description)
        if choice.slots
        and count_removals(choice.stock, choice.to_remove)
        and can_be_played(economy(position, choice.cell, choice.god, choice.wild, choice.validated))
    ]


def _needed_exchanges(turn: Economy, spending: Spending) -> list[tuple[Exchange, ...]]:
    """The smallest sets of exchanges with which the turn can be played: usually none. Empty if more are needed than
    MOST_EXCHANGES."""
    pairs: list[Exchange] = [(giver, taker) for giver in Colour for taker in Colour if giver != taker]
    for number in range(MOST_EXCHANGES + 1):
        found = [
            swaps
            for swaps in combinations_with_replacement(pairs, number)
            if outcomes(turn, Spending(swaps=swaps, gain=spending.gain))
        ]
        if found:
            return found
    return []


def _loose(turn: Economy, spending: Spending, realm: Worshipers) -> Worshipers:
    """Worshipers that go by choice, for one realm left at the end: any-colour cost, village, limit."""
    held = _stock(turn, spending)
    return held.minus(turn.cost).minus(realm)


def _stock(turn: Economy, spending: Spending) -> Worshipers:
    held = turn.start.plus(turn.gain).plus(spending.gain if turn.gain_any and spending.gain is not None else NOBODY)
    for giver, taker in spending.swaps or ():
        held = held.changed(giver, -EXCHANGE_RATE).changed(taker, +1)
    return held


# ------------------------------------------------------------------------------------- questions


def _which_god(position: Position) -> Question:
    options = tuple(Option(str(at), god.label, god, (god.word,)) for at, god in enumerate(position.gods, 1))
    return question_among("god", _("God"), options)


def _which_slot(player: Player, slots: Sequence[Slot], wild: bool = False) -> Question:
    names = [player.slot_name(slot) for slot in slots]
    options = [Option(str(at), name, slot, (name,)) for at, (name, slot) in enumerate(zip(names, slots), 1)]
    if wild:
        return question_among("wild", _("Wilderness, slot"), options)
    options.append(Option(OTHER, _("wilderness"), None, ("wild", "w", "wilderness")))
    return question_among("slot", _("Slot"), options, default="1" if len(slots) == 1 else "")


def _verdict() -> Question:
    options = (Option("1", _("valid"), True, ("valid", "v")), Option(OTHER, _("cancelled"), False, ("cancelled", "c")))
    return question_among("verdict", _("Verdict"), options, default="1")


def _what_is_removed(choice: Choice) -> Question:
    number = choice.to_remove
    text = ngettext("Remove {n} worshiper", "Remove {n} worshipers", number)
    if count_removals(choice.stock, number) <= MOST_LISTED:
        ways = sorted(removals(choice.stock, number))
        options = tuple(Option(str(at), _removal_text(way), way) for at, way in enumerate(ways, 1))
        return question_among("removed", text, options)
    there = _("There are {worshipers}.", worshipers=_removal_text(choice.stock))
    how = _("71 is a3 red")
    more = tuple(Option("", _removal_text((each,)), each) for each in choice.stock)
    return Question("removed", f"{text} ({how}): ", above=(there,), digits=2 * number, more=more)


def _removal_text(removed: Removal) -> str:
    cells: dict[int, Worshipers] = {}
    for cell, colour, number in removed:
        cells[cell] = cells.get(cell, NOBODY).changed(colour, number)
    return " ".join(f"{CELLS[cell]}:{taken}" for cell, taken in cells.items())


def _which_exchange(ways: Sequence[tuple[Exchange, ...]]) -> Question:
    options = tuple(
        Option(str(at), " ".join(f"{COLOUR_LETTERS[a]}{EXCHANGE_RATE}>{COLOUR_LETTERS[b]}" for a, b in way), way)
        for at, way in enumerate(ways, 1)
    )
    return question_among("swap", _("Exchange first"), options)


def _what_goes(turn: Economy, spending: Spending, realms: Sequence[Worshipers]) -> Question:
    ways = [_loose(turn, spending, realm) for realm in realms]
    number = ways[0].total
    limit = number - turn.any_cost - turn.given
    parts = [
        ngettext("{n} of any colour to pay", "{n} of any colour to pay", turn.any_cost) if turn.any_cost else "",
        ngettext("{n} to give back", "{n} to give back", turn.given) if turn.given else "",
        ngettext("{n} over the limit", "{n} over the limit", limit) if limit else "",
    ]
    held = _stock(turn, spending).minus(turn.cost)
    text = ngettext("Which one of {held} goes", "Which {n} of {held} go", number, held=held)
    options = tuple(Option("", str(way), way) for way in ways)
    reasons = ", ".join(filter(None, parts))
    keys = _(_COLOUR_KEYS)
    return Question("goes", f"{text} ({keys}): ", options, above=(reasons,), digits=number)


# ------------------------------------------------------------------------------------- answers


def _find_god(text: str) -> God | None:
    """The god whose name starts this way, in any language. A single letter is a colour."""
    if len(text) > 1:
        with suppress(InputError):
            return god_of(text, "")
    return None


def _is_notation(word: str, position: Position) -> bool:
    """Whether a text that starts this way is meant as a move."""
    return word.lower() in (*CELLS, "god") or position.tiles.named(word) is not None or _find_god(word) is not None


def _colour(key: str) -> Colour:
    """By its letter, or its key from 1 to 5."""
    return Colour(COLOUR_LETTERS.index(key) if key in COLOUR_LETTERS else int(key) - 1)


def _worshipers(text: str, number: int) -> Worshipers:
    """So many: `rrg`, `r2g`, `2 red 1 green`, or keys: `112`."""
    keys = text.replace(" ", "")
    if keys and not set(keys) - set(_COLOUR_DIGITS):
        found = Worshipers(*(keys.count(digit) for digit in _COLOUR_DIGITS))
    else:
        found = parse_worshipers(text)
    if found.total != number:
        message = ngettext(
            "expected {n} worshiper, found {found} ({worshipers})",
            "expected {n} worshipers, found {found} ({worshipers})",
            number,
            found=found.total,
            worshipers=found,
        )
        raise InputError.one("", message)
    return found


def _removal_word(word: str) -> str:
    """`71` in the notation of moves: `a3:r`."""
    if not re.fullmatch(r"(?:[1-9][1-5])+", word):
        return word
    pairs = zip(word[::2], word[1::2])
    return " ".join(f"{CELLS[KEYS.index(cell)]}:{_colour(colour).letter}" for cell, colour in pairs)
