"""A game as it was played: the start, then turn by turn the move and the tile that was drawn.

    record = Record(start)                       a fresh game, or any position that can be played on
    record = record.play(move, drawn)            checked; `drawn` is None after a god, or if not seen yet
    record.position(7)                           before turn 7; `record.position()` is the latest
    for stage, turn in record.replay(): ...      each turn with all that was known before it

A record is a value: every change gives another one. Turns are numbered as in the game, from 1; a record that begins in
the middle of one begins with a later number. `record.text` reads and writes the file for people, `record.json` the one
for programs, `record.file` keeps a file during a game.

**What was drawn may be unknown.** After a region whose refill nobody noted, the cell is empty in the positions that
follow (`Cell.tile` is None) until it becomes known: by `seen`, by a later text that takes the tile by its name, or
because only one tile is left that it can be. Everything else is still checked: worshipers are put on the unknown tile
and taken off it like any other, and its pile is one tile smaller. Such a tile cannot be taken before it is known.
`Stage.unseen` says which cells are waiting, and for what.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from os import PathLike
from typing import NamedTuple

from ..base.errors import InputError, Problem, wrong_kind
from ..base.language import _
from ..base.names import name_problem
from ..base.options import expect, whole
from ..base.quoting import shown
from ..base.remembered import Remembered
from ..core.turn import drawn_tile, possible_draws, refilled
from ..game import rules
from ..game.kinds import expect_kind, expect_move, expect_number, expect_text, expect_tile
from ..game.legality import expect_legal
from ..game.position import Move, Pile, Position
from ..game.problems import expect_position, problems, with_plain_piles
from ..game.tiles import Tile, TileSet
from ..game.vocabulary import CELLS, Colour
from ..notation.common import tile_text, unwritable_names
from ..notation.move_text import format_move, parse_move
from ..tileset.descriptions import describe
from ..tileset.library import load_tile_set

UNKNOWN = "?"  # an unseen draw in texts
OWN = "x-"  # begins the header keys that are free for any use
MAX_NESTING = 50  # variations within variations: more than anybody can follow, and few enough for every reader
_turns = Remembered(1024)  # whose parts have been checked
_playable = Remembered(64)  # records


class Turn(NamedTuple):
    """One turn. The comment comes after it, the lines `above` before it; each variation is another way to go on from
    the same position, and its first turn has this turn's number."""

    move: Move
    drawn: Tile | None = None  # None after a god, or if it is not known
    comment: str = ""
    above: tuple[str, ...] = ()
    variations: tuple[tuple[Turn, ...], ...] = ()


class UnseenTile(NamedTuple):
    """A cell whose tile is not known: the turn it came in, and what it can be."""

    cell: int
    turn: int
    level: int
    tiles: tuple[Tile, ...]


class Stage(NamedTuple):
    """What is known before a turn. Cells of tiles that nobody has seen are empty in the position."""

    position: Position
    unseen: tuple[UnseenTile, ...] = ()

    @property
    def number(self) -> int:
        """Of the turn that comes next."""
        return self.position.turns_played + 1

    @property
    def standing(self) -> Position:
        """The position with a stand-in for each unknown tile: what the rules can work with, as long as no stand-in
        is taken."""
        centre = list(self.position.centre)
        for each in self.unseen:
            stand_in = Tile(UNKNOWN, each.level, Colour.RED, described=True)
            centre[each.cell] = centre[each.cell]._replace(tile=stand_in)
        return self.position._replace(centre=tuple(centre))

    def check(self, move: Move) -> None:
        """InputError with the rule that forbids the move, if it is illegal or takes an unknown tile."""
        self._expect_known(move)
        expect_legal(self.standing, move)

    def parse(self, text: str) -> Move:
        """`parse_move` with what is known."""
        move = parse_move(text, self.standing)
        self._expect_known(move)
        return move

    def named(self, text: str) -> tuple[int, Tile] | None:
        """The cell and the tile, if a move's text names a tile that was not known before."""
        words = text.split()[:2]
        cells = [CELLS.index(word.lower()) for word in words[:1] if word.lower() in CELLS]
        for word in words:
            tile = self.position.tiles.named(word)
            fitting = [each.cell for each in self.unseen if tile in each.tiles and (not cells or each.cell in cells)]
            if tile is not None and len(fitting) == 1:
                return fitting[0], tile
        return None

    def format(self, move: Move) -> str:
        return format_move(self.position, move)

    def _expect_known(self, move: Move) -> None:
        for each in self.unseen:
            if each.cell == move.cell:
                message = _(
                    "expected the tile drawn for {cell} in turn {turn} to be named, found it unknown",
                    cell=CELLS[each.cell],
                    turn=each.turn,
                )
                raise InputError.one("move", message)

    def draws(self, move: Move) -> tuple[Tile, ...]:
        """What can be drawn after the move; nothing after a god."""
        after = rules.apply(self.standing, move)
        return () if after.hole is None else tuple(possible_draws(after))

    def drawn(self, move: Move, text: str, place: str = "drawn") -> Tile | None:
        """The tile that a text says was drawn after the move; None for `?`."""
        standing = self.standing
        after = rules.apply(standing, move)
        if after.hole is None:
            raise InputError.one(place, _("expected no tile, as a god's turn refills nothing, found one"))
        return None if text.strip() == UNKNOWN else drawn_tile(text, place, standing, after)

    def after(self, move: Move, drawn: Tile | None) -> Stage:
        """The stage after a legal move. InputError if the tile cannot have been drawn."""
        standing = self.standing
        after = rules.apply(standing, move)
        if after.hole is None:
            if drawn is not None:
                self.drawn(move, tile_text(drawn))  # says why not
            return self._known_as(after, self.unseen)
        possible = tuple(possible_draws(after))
        if drawn is None and len(possible) != 1:
            level, fewer = _one_fewer(after)
            waiting = UnseenTile(after.hole, self.number, level, possible)
            return self._known_as(fewer, (*self.unseen, waiting))
        tile = possible[0] if drawn is None else drawn
        if tile not in possible:
            tile = drawn_tile(tile_text(tile), "drawn", standing, after)
        full = refilled(standing, after, tile)
        if tile.described and (found := problems(full)):
            raise InputError(found[:1])
        return self._known_as(full, _without(self.unseen, tile))

    def with_seen(self, cell: int, tile: Tile) -> Stage:
        """The stage after an unknown tile was seen."""
        waiting = next((each for each in self.unseen if each.cell == cell), None)
        if waiting is None or tile not in waiting.tiles:
            raise InputError.one(
                "drawn", _("expected a tile that can lie on {cell}, found {found}", cell=CELLS[cell], found=tile.called)
            )
        centre = list(self.position.centre)
        centre[cell] = centre[cell]._replace(tile=tile)
        piles = [pile._replace(tiles=tuple(t for t in pile.tiles if t != tile)) for pile in self.position.piles]
        position = self.position._replace(centre=tuple(centre), piles=(piles[0], piles[1], piles[2]))
        others = tuple(each for each in self.unseen if each.cell != cell)
        return Stage(position, _without(others, tile))

    def _known_as(self, standing: Position, unseen: tuple[UnseenTile, ...]) -> Stage:
        """The stage for a position with stand-ins in it."""
        centre = list(standing.centre)
        for each in unseen:
            centre[each.cell] = centre[each.cell]._replace(tile=None)
        return Stage(standing._replace(centre=tuple(centre)), unseen)


def _one_fewer(position: Position) -> tuple[int, Position]:
    """The level of the lowest pile, and the position with a tile drawn from it, nobody knows which."""
    piles = list(position.piles)
    lowest = next(index for index, pile in enumerate(piles) if pile.left)
    left = piles[lowest].left - 1
    piles[lowest] = Pile(left, piles[lowest].tiles if left else ())
    return lowest + 1, position._replace(piles=(piles[0], piles[1], piles[2]))


def _without(unseen: Sequence[UnseenTile], tile: Tile) -> tuple[UnseenTile, ...]:
    return tuple(each._replace(tiles=tuple(t for t in each.tiles if t != tile)) for each in unseen)


def stages(start: Stage, turns: Sequence[Turn]) -> list[Stage]:
    """Before each turn, and after the last. The moves are assumed legal."""
    found = [start]
    for turn in turns:
        found.append(found[-1].after(turn.move, turn.drawn))
    return found


def check_stages(begin: Stage, turns: Sequence[Turn]) -> list[Stage]:
    """`stages` for turns from anywhere, with each move checked; variations are ignored."""
    found = [begin]
    for turn in turns:
        try:
            found[-1].check(turn.move)
            found.append(found[-1].after(turn.move, turn.drawn))
        except InputError as error:
            place = f"turn {found[-1].number}"
            raise InputError(Problem(place, problem.message) for problem in error.problems) from None
    return found


class LineOfPlay:
    """Turns added one by one from a stage of the game; draws are filled in as they become known."""

    def __init__(self, begin: Stage, turns: Sequence[Turn] = ()) -> None:
        self.begin, self.turns = begin, tuple(turns)
        self.stage = stages(begin, turns)[-1]

    def add(self, turn: Turn) -> None:
        """One more, whose move is legal. InputError if its tile cannot have been drawn."""
        after = self.stage.after(turn.move, turn.drawn)
        self.turns = (*self.turns, turn)
        if after.unseen or (turn.drawn is None and turn.move.cell is not None):
            self._complete()
        else:
            self.stage = after

    def see(self, cell: int, tile: Tile) -> None:
        """It becomes known which tile lies on a cell."""
        self.stage.with_seen(cell, tile)  # says why not
        index = next(each.turn for each in self.stage.unseen if each.cell == cell) - self.begin.number
        if index < 0:
            raise InputError.one("drawn", _("expected a tile drawn in this line of play, found an earlier one"))
        self.turns = (*self.turns[:index], self.turns[index]._replace(drawn=tile), *self.turns[index + 1 :])
        self._complete()

    def hear(self, text: str) -> None:
        """A move's text may name a tile that was not known before."""
        named = self.stage.named(text)
        if named is not None:
            self.see(*named)

    def _complete(self) -> None:
        """Fills in every draw that follows from the others."""
        known = list(self.turns)
        missing = [index for index, turn in enumerate(known) if turn.drawn is None and turn.move.cell is not None]
        while True:
            reached = stages(self.begin, known)
            waiting = {each.turn - self.begin.number: each.tiles for each in reached[-1].unseen}
            # Only one tile may be possible, from the start or since others were seen.
            certain = {
                index: waiting.get(index) or reached[index].draws(known[index].move)
                for index in missing
                if index not in waiting or len(waiting[index]) == 1
            }
            for index, tiles in certain.items():
                known[index] = known[index]._replace(drawn=tiles[0])
                missing.remove(index)
            if not certain:
                self.turns, self.stage = _with_fitting_variations(reached, known), reached[-1]
                return


def _with_fitting_variations(reached: Sequence[Stage], turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Without the variations ruled out by what is known now: a tile drawn in one may have turned up elsewhere."""
    found = []
    for stage, turn in zip(reached, turns):
        variations = []
        for variation in turn.variations:
            with suppress(InputError):
                variations.append(_with_fitting_variations(stages(stage, variation), variation))
        found.append(turn._replace(variations=tuple(variations)))
    return tuple(found)


def nested_too_deep() -> str:
    """The message for more than MAX_NESTING."""
    return _("expected variations nested at most {most} deep, found more", most=MAX_NESTING)


def expect_turns(turns: object, place: str, depth: int = 0) -> None:
    """TypeError unless these are turns; `Record.stages` says whether they can have been played."""
    if depth > MAX_NESTING:
        raise InputError.one("turns", nested_too_deep())
    expect_kind(turns, tuple, place)
    assert isinstance(turns, tuple)
    for index, turn in enumerate(turns):
        if turn in _turns:
            continue
        where = f"{place}[{index}]"
        expect_kind(turn, Turn, where)
        expect_move(turn.move, f"{where}.move")
        if turn.drawn is not None:
            expect_tile(turn.drawn, f"{where}.drawn")
        expect_text(turn.comment, f"{where}.comment")
        _expect_texts(turn.above, f"{where}.above")
        expect_kind(turn.variations, tuple, f"{where}.variations")
        for number, variation in enumerate(turn.variations):
            expect_turns(variation, f"{where}.variations[{number}]", depth + 1)
        _turns.add(turn)


def _expect_texts(texts: object, place: str) -> None:
    expect_kind(texts, tuple, place)
    assert isinstance(texts, tuple)
    for index, text in enumerate(texts):
        expect_text(text, f"{place}[{index}]")


def expect_record(record: object) -> None:
    """TypeError unless it is a record; InputError at the first turn that cannot have been played, or with the texts
    that no reader accepts."""
    expect_kind(record, Record, "record")
    assert isinstance(record, Record)
    if record not in _playable:
        if found := unwritable_texts(record):
            raise InputError(found)
        for stage, turn in record.replay():
            for variation in turn.variations:
                check_stages(stage, variation)
        _playable.add(record)


def unwritable_texts(record: Record) -> list[Problem]:
    """Names, header lines and comments that no reader accepts, so that none is written."""
    found = unwritable_names(record.start)
    texts = [("date", record.date), *(("extra", value) for _key, value in record.extra)]
    texts += [("comment", text) for text in (*record.comments, *record.end, *_comments_in(record.turns))]
    found += [Problem(place, trouble) for place, text in texts if (trouble := name_problem(text))]
    keys = [key for key, _value in record.extra]
    for at, key in enumerate(keys):
        if trouble := own_key_problem(key):
            found.append(Problem("extra", trouble))
        elif key in keys[:at]:
            found.append(Problem("extra", _("expected each key once, found {found} twice", found=shown(key))))
    return found


def _comments_in(turns: Sequence[Turn]) -> Iterator[str]:
    for turn in turns:
        yield turn.comment
        yield from turn.above
        for variation in turn.variations:
            yield from _comments_in(variation)


def own_key_problem(key: str) -> str | None:
    """Why a header cannot have a line of one's own with this key, or None."""
    if re.fullmatch(rf"{OWN}[a-z0-9_-]+", key):
        return None
    what = _("a key of {prefix} and small letters, digits, - or _", prefix=OWN)
    return _("expected {what}, found {found}", what=what, found=shown(key))


@dataclass(frozen=True)
class Record:
    """A game: its start, and what was played. Names, tile set and readings of the rules are the start's.

    >>> record = Record(position).play(orbis.parse_move("b3 wild 1L", position))
    >>> record.first, record.last, record.position().hole is not None
    (13, 13, True)
    >>> [tile.id for tile in record.stage().unseen[0].tiles]
    ['b2a', 'w2b']
    """

    start: Position
    turns: tuple[Turn, ...] = ()
    date: str = ""
    extra: tuple[tuple[str, str], ...] = ()  # more header lines, whose keys begin with `x-`
    comments: tuple[str, ...] = ()  # in the header
    end: tuple[str, ...] = ()  # comments after the last turn

    def __post_init__(self) -> None:
        expect_position(self.start)
        expect_turns(self.turns, "turns")
        expect_text(self.date, "date")
        for name in ("comments", "end"):
            _expect_texts(getattr(self, name), name)
        expect_kind(self.extra, tuple, "extra")
        for index, line in enumerate(self.extra):
            _expect_texts(line, f"extra[{index}]")
            if len(line) != 2:
                raise wrong_kind(f"extra[{index}]", "(key, text)", line)
        # The order of the piles is not for players to know, nor for a record to tell.
        object.__setattr__(self, "start", with_plain_piles(self.start))

    @property
    def first(self) -> int:
        """Number of the first turn."""
        return self.start.turns_played + 1

    @property
    def last(self) -> int:
        """Number of the last turn that was played; `first` - 1 if none was."""
        return self.first + len(self.turns) - 1

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Before each turn, and after the last. InputError at a turn that cannot have been played."""
        return tuple(check_stages(Stage(self.start), self.turns))

    def stage(self, number: int | None = None) -> Stage:
        """What was known before the turn of this number; by default before the next."""
        return self.stages[-1 if number is None else self.index(number, more=1)]

    def position(self, number: int | None = None) -> Position:
        """The position before the turn of this number; by default the latest. Unseen tiles are missing from it."""
        return self.stage(number).position

    def turn(self, number: int) -> Turn:
        return self.turns[self.index(number)]

    def replay(self) -> Iterator[tuple[Stage, Turn]]:
        """Each turn, with what was known before it."""
        return zip(self.stages, self.turns)

    def name(self, seat: int) -> str:
        """The name of a player in messages."""
        return self.start.players[seat].name or _("player {number}", number=seat + 1)

    def index(self, number: int, more: int = 0) -> int:
        """The index in `turns` of the turn with this number; with `more`, the next one counts too."""
        expect_number(number, "turn")
        if not self.first <= number <= self.last + more:
            message = _(
                "expected a turn from {first} to {last}, found {found}",
                first=self.first,
                last=self.last + more,
                found=number,
            )
            raise InputError.one("turn", message)
        return number - self.first

    # Going on.

    def play(self, move: Move, drawn: Tile | None = None, comment: str = "") -> Record:
        """The record with one more turn, once it is checked."""
        expect_turns((turn := Turn(move, drawn, comment, above=self.end),), "turns")
        self.stage().check(move)
        return self._with(turn)

    def seen(self, cell: int, tile: Tile) -> Record:
        """The record once it is known which tile lies on the cell."""
        expect("cell", cell, whole(0, len(CELLS) - 1))
        expect_tile(tile)
        line = LineOfPlay(Stage(self.start), self.turns)
        line.see(cell, tile)
        return replace(self, turns=line.turns)

    def _with(self, turn: Turn) -> Record:
        """With one more turn, whose move is legal."""
        after = self.stage().after(turn.move, turn.drawn)
        if after.unseen or (turn.drawn is None and turn.move.cell is not None):
            line = LineOfPlay(Stage(self.start), self.turns)
            line.add(turn)
            return replace(self, turns=line.turns, end=())
        record = replace(self, turns=(*self.turns, turn), end=())
        record.__dict__["stages"] = (*self.stages, after)  # the same as working them out again
        return record

    def with_turn(self, number: int, turn: Turn) -> Record:
        """With other comments or variations at a turn: move and tile are the same."""
        index = self.index(number)
        return replace(self, turns=(*self.turns[:index], turn, *self.turns[index + 1 :]))

    # Going back.

    def before(self, number: int) -> Record:
        """The record without the turn of this number and those after it."""
        return replace(self, turns=self.turns[: self.index(number, more=1)], end=())

    def corrected(self, number: int, move: Move, drawn: Tile | None = None) -> Record:
        """The record with another turn in this one's place, its comments kept, and every later turn checked again.

        A later turn means what its text says: what was taken, where it was laid, what was exchanged, paid, given back,
        kept; the realm follows. `Misfit` if one of them no longer fits. Variations that do not fit are left out.
        """
        if drawn is not None:
            expect_tile(drawn, "drawn")
        return self.remade(self.before(number), number, move, drawn)

    def remade(self, begun: Record, number: int, move: Move, drawn: Tile | None) -> Record:
        """`begun`, which ends before the turn of this number; another turn in this one's place, its comments kept and
        those variations that fit there; and this record's later turns, checked as `corrected` does."""
        turn, old, new = self.turn(number), self.stage(number), begun.stage()
        new.check(move)
        made = turn._replace(move=move, drawn=drawn, variations=_carry_variations(turn, old, new))
        return self.mended(begun._with(made), number + 1)

    def mended(self, begun: Record, number: int) -> Record:
        """`begun`, which ends before the turn of this number, and this record's turns from there on, each
        checked where it now stands."""
        record = begun
        for later in range(number, self.last + 1):
            turn, old = self.turn(later), self.stage(later)
            text = old.format(turn.move)
            try:
                line = LineOfPlay(Stage(record.start), record.turns)
                line.hear(text)
                record = replace(record, turns=line.turns)
                record = record._with(_carry_turn(turn, old, record.stage()))
            except InputError as error:
                raise Misfit(later, text, record, error) from None
        return replace(record, end=self.end)


def _carry_turn(turn: Turn, old: Stage, new: Stage) -> Turn:
    """The same turn, as its text says it, at another stage of the game. InputError if it does not fit there."""
    text = old.format(turn.move)
    # Without an exchange then, there is none now.
    move = new.parse(text if " swap " in text else f"{text} swap none")
    drawn = None if turn.drawn is None else new.drawn(move, tile_text(turn.drawn))
    return turn._replace(move=move, drawn=drawn, variations=_carry_variations(turn, old, new))


def _carry_variations(turn: Turn, old: Stage, new: Stage) -> tuple[tuple[Turn, ...], ...]:
    """Those that fit there."""
    found = []
    for variation in turn.variations:
        with suppress(InputError):
            found.append(_carry_line(variation, old, new))
    return tuple(found)


def _carry_line(turns: Sequence[Turn], old: Stage, new: Stage) -> tuple[Turn, ...]:
    carried = []
    for turn in turns:
        carried.append(_carry_turn(turn, old, new))
        old, new = old.after(turn.move, turn.drawn), new.after(carried[-1].move, carried[-1].drawn)
    return tuple(carried)


class Misfit(InputError):
    """A turn that no longer fits, after an earlier one was corrected."""

    def __init__(self, number: int, text: str, record: Record, error: InputError) -> None:
        self.number = number  # of the turn that does not fit
        self.text = text  # what was played there
        self.record = record  # up to that turn
        self.why = error.problems[0].message
        message = _("{text} no longer fits: {why}", text=shown(text), why=self.why)
        super().__init__(InputError.one(f"turn {number}", message).problems)


def digest(tiles: TileSet) -> str:
    """A short text, different for every other set of tiles: what a record was played with."""
    lines = "\n".join(f"{tile.id} {describe(tile)}" for tile in tiles.tiles)
    return sha256(lines.encode("utf-8")).hexdigest()[:16]


def tiles_as_played(name: str, base_dir: str | PathLike[str] | None, said: str) -> TileSet | None:
    """The set of that name as it was before it learned a tile, if that is what a record's digest says."""
    with suppress(InputError):
        for earlier in load_tile_set(name, base_dir).earlier():
            if digest(earlier) == said.lower():
                return earlier
    return None
