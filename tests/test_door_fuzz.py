"""Malformed positions, moves, tiles and options, given to every public function: an answer, or an InputError or a TypeError
that says what was expected; never another error, a crash or an endless wait.

Case n is made from the number n alone, so a failure can be had again: ORBIS_DOOR_FIRST is the first number, ORBIS_DOOR_CASES
how many are run. `tests/builds.sh` runs them on the sanitized build.
"""

from __future__ import annotations

import faulthandler
import inspect
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import orbis_search as orbis
from builders import random_game
from orbis_search import (
    Colour,
    Effect,
    Face,
    God,
    InputError,
    Move,
    Pile,
    Placed,
    Position,
    Slot,
    Star,
    Tile,
    Worshipers,
)
from orbis_search.game.vocabulary import MAX_ON_CELL
from orbis_search.notation.examples import example_text

FIRST = int(os.environ.get("ORBIS_DOOR_FIRST", "0"))
CASES = int(os.environ.get("ORBIS_DOOR_CASES", "3000"))
CHUNK = 500  # cases of one test
LONGEST = 600  # seconds of one case, after which everybody's stack is printed and the run has failed

STOPPED = Event()
STOPPED.set()

NUMBERS = [-(2**63), -(2**31), -100, -1, 0, 1, 2, 3, 4, 5, 9, 10, 11, 14, 15, 16, 20, 45, 57, 60, 63, 64, 100, 127, 128]
NUMBERS += [255, 256, 257, 1000, 2**16, 10**6, 2**31, 2**32, 2**63, 2**64, 10**30, 10**5000]
ODD = [
    None,
    True,
    False,
    0.5,
    float("nan"),
    float("inf"),
    -0.0,
    1e308,
    "",
    "x",
    "r1a",
    "a" * 300,
    "\0",
    "\ud800",
    "é\n{x}",
]
ODD += [b"", b"\xff", [], (), {}, (1,), (1, 2, 3), [1], {"a": 1}, {1, 2}, object(), object, len, range(3), 3 + 4j]
ODD += [
    Colour.WHITE,
    Effect.VOLCANO,
    Effect.FARM,
    Face.WILD,
    God.DEATH,
    Star.PURPLE,
    Worshipers(),
    Worshipers(1, 2, 3, 4, 5),
]
ODD += [Worshipers(-1), Worshipers(57), Slot(1, 0), Slot(4, 1), Slot(-3, 99), Placed(None), Pile(0, ())]


# ---- what is mangled -----------------------------------------------------------------------------------


@cache
def positions() -> tuple[Position, ...]:
    """Openings, middles, ends and positions that wait for a refill; the reconstructed box and made-up ones."""
    found = [orbis.read_position(example_text()), orbis.read_position(example_text("ending"))]
    for players in (2, 3, 4):
        for turns in (0, 5 * players, 13 * players, 15 * players):
            seed = 10 * players + turns
            tiles = orbis.load_tile_set(f"random:{seed}" if turns % 2 else "reconstruction")
            start = orbis.new_game(tiles, players, random.Random(seed))
            position = orbis.play_on(start, turns, seed, "sensible" if players == 3 else "random")
            found.append(position)
            regions = [move for move in orbis.legal_moves(position, search=True) if move.cell is not None]
            found += [orbis.apply(position, move) for move in regions[:1]]
    return tuple(found)


@cache
def moves(index: int) -> tuple[Move, ...]:
    position = positions()[index]
    return () if position.hole is not None else tuple(orbis.legal_moves(position, search=True)[:50])


@cache
def record() -> orbis.Record:
    return random_game(before=24)


@cache
def scene() -> object:
    return orbis.draw_position(positions()[0])


@cache
def answers() -> dict[str, Any]:
    """One of each kind, to be written."""
    return {
        "advice": orbis.advise(positions()[1], simulations=30, memory=1 << 22, stop=STOPPED),
        "solution": orbis.solve(positions()[1], nodes=100, memory=1 << 20),
        "review": orbis.review_game(record(), simulations=1),
        "moves": orbis.list_moves(positions()[0], search=True),
    }


# ---- how ----------------------------------------------------------------------------------------------


def parts(value: object, way: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """The ways to everything inside nested tuples, themselves included."""
    yield way
    if isinstance(value, tuple) and len(way) < 6:
        for index, each in enumerate(value):
            yield from parts(each, (*way, index))


def rebuilt(kind: type, items: list[object]) -> object:
    return tuple.__new__(kind, items)  # a named tuple of any length


def changed(value: Any, way: tuple[int, ...], change: Callable[[Any], Any]) -> Any:
    if not way:
        return change(value)
    items = list(value)
    items[way[0]] = changed(items[way[0]], way[1:], change)
    return rebuilt(type(value), items)


def other(rng: random.Random, value: Any) -> Any:
    """Something else in the place of a value."""
    kind = rng.randrange(10)
    if isinstance(value, tuple) and kind < 5:
        items = list(value)
        match kind:
            case 0:
                return rebuilt(type(value), items[:-1])
            case 1:
                return rebuilt(type(value), items + items[-1:])
            case 2:
                return rebuilt(type(value), items[::-1])
            case 3:
                return list(items)
            case _:
                return rebuilt(type(value), rng.choices(items, k=len(items)) if items else [None])
    if isinstance(value, int) and kind < 7:
        kinds = [each for each in (bool, Colour, God, Effect, Star) if isinstance(value, each)]
        if kinds and kind < 5:
            return rng.choice(list(kinds[0])) if kinds[0] is not bool else not value
        return value + rng.choice((-2, -1, 1, 2)) if kind < 4 else rng.choice(NUMBERS)
    if kind == 7:
        position = rng.choice(positions())
        return rng.choice((position, position.players[0], position.centre[0], position.tiles, position.tiles.tiles[0]))
    if kind == 8:
        return rng.choice(NUMBERS)
    return rng.choice(ODD)


def mangled(rng: random.Random, value: Any, most: int = 3) -> Any:
    """A value with a few of its parts changed; now and then as it was."""
    for _ in range(rng.choice((0, *range(1, most + 1), 1, 1))):
        ways = list(parts(value))
        # Near the top as often as far down, where most of the parts are.
        depth = rng.randrange(1 + max(map(len, ways)))
        way = rng.choice([way for way in ways if len(way) == depth])
        if isinstance(value, tuple) or rng.random() < 0.5:
            value = changed(value, way, lambda part: other(rng, part))
    return value


def nonsense(rng: random.Random) -> Any:
    return rng.choice(ODD) if rng.random() < 0.6 else rng.choice(NUMBERS)


def crowded(position: Any) -> bool:
    """So many worshipers in one place as no game has, but as are allowed: to list what they can pay takes its time."""
    return any(
        isinstance(each, Worshipers)
        and len(each) == len(Colour)
        and all(type(number) is int and number >= 0 for number in each)
        and 16 < sum(each) <= 2 * MAX_ON_CELL
        for each in inside(position)
    )


def inside(value: object) -> Iterator[object]:
    yield value
    if isinstance(value, tuple):
        for each in value:
            yield from inside(each)


class Made:
    """What one case hands in: one or several kinds of things are mangled in it, the others are as they should be."""

    KINDS = ("position", "move", "tile", "record", "option")

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.index = rng.randrange(len(positions()))
        self.bad = set(rng.choices(self.KINDS, k=rng.choice((1, 1, 2, 5))))

    def _given(self, kind: str, value: Any) -> Any:
        if kind not in self.bad:
            return value
        return nonsense(self.rng) if self.rng.random() < 0.03 else mangled(self.rng, value)

    def position(self) -> Any:
        position = self._given("position", positions()[self.index])
        return positions()[self.index] if crowded(position) else position

    def move(self) -> Any:
        there = moves(self.index) or moves(0)
        move = self.rng.choice(there)
        if "move" in self.bad and self.rng.random() < 0.5:  # parts of another one
            fields = self.rng.sample(Move._fields, 2)
            move = move._replace(**{name: getattr(self.rng.choice(there), name) for name in fields})
        return self._given("move", move)

    def tile(self) -> Any:
        position = positions()[self.index]
        tiles = next((pile.tiles for pile in position.piles if pile.left), position.tiles.tiles)
        return self._given("tile", self.rng.choice(tiles))

    def tiles(self) -> Any:
        return self._given("tile", positions()[self.index].tiles)

    def record(self, whole: bool = False) -> Any:
        """A record, mangled as far as its own door lets that pass; or something else, unless it is to be a `whole` one."""
        if "record" not in self.bad:
            return record()
        if not whole and self.rng.random() < 0.1:
            return nonsense(self.rng)
        fields = {name: getattr(record(), name) for name in ("start", "turns", "date", "extra", "comments", "end")}
        name = self.rng.choice(list(fields))
        fields[name] = mangled(self.rng, fields[name]) if self.rng.random() < 0.8 else nonsense(self.rng)
        if crowded(fields[name]):
            fields[name] = ()
        return orbis.Record(**fields)

    def check(self) -> Any:
        check = orbis.check_position(positions()[self.index])
        return self._given("position", check)

    def answer(self, name: str) -> Any:
        return self.any(answers()[name])

    def any(self, *good: Any) -> Any:
        """An option: one of the good values, or none of them."""
        return nonsense(self.rng) if "option" in self.bad and self.rng.random() < 0.3 else self.rng.choice(good)


# ---- whom it is given to ---------------------------------------------------------------------------------


def advise(made: Made) -> object:
    return orbis.advise(
        made.position(),
        simulations=made.any(None, 1, 2, 30),
        seconds=made.any(None, None, 0.001),
        confidence=made.any(None, None, 0.95),
        threads=made.any(1, 1, 2),
        seed=made.any(0, 1, -1),
        memory=made.any(1 << 20, 1 << 22),
        rows=made.any(1, 8),
        ways=made.any(0, 3),
        keep=made.any((), (made.move(),)),
        why=made.any((), None, (made.move(),), (made.move(), made.move())),
        prove=made.any(True, False),
        settings=made.any(None, {}, {str(made.any("win_part", "exploration")): made.any(0, 1, 0.5)}, settings(made)),
        stop=STOPPED,
    )


def solve(made: Made) -> object:
    return orbis.solve(
        made.position(),
        objective=made.any("win", "margin"),
        goal=made.any("best", "all"),
        moves=made.any(None, None, [made.move()]),
        every=made.any(False, False, True),
        draws_of=None if made.rng.random() < 0.7 else made.move(),
        seconds=made.any(None, 0.001),
        nodes=made.any(1, 100, None),
        memory=made.any(1 << 20, 1 << 22),
        threads=made.any(1, 1, 2),
        ideas=made.any(None, 0),
        line=made.any(True, False),
        stop=STOPPED,
    )


def review_game(made: Made) -> object:
    return orbis.review_game(
        made.record(),
        simulations=made.any(None, 1),
        seconds=made.any(None, 0.001),
        threads=made.any(1, 2),
        seed=made.any(0, 7),
        stop=STOPPED,
    )


def engine(made: Made) -> object:
    lines = BytesIO(b'{"id": 1, "action": "ping"}\n')
    source, sink = (lines, BytesIO()) if made.rng.random() < 0.7 else (nonsense(made.rng), nonsense(made.rng))
    return orbis.Engine(
        source, sink, workers=made.any(None, 1), memory=made.any(1 << 20), read_ahead=made.any(1, 100)
    ).run()


def legal_moves(made: Made) -> object:
    return orbis.legal_moves(made.position(), made.any(True, False))


def depth(made: Made, *good: int) -> Any:
    """Of a perft: what is neither refused nor quick is none of these questions."""
    value = made.any(*good)
    return value + 60 if isinstance(value, int) and 2 <= value <= 60 else value


def recorded(made: Made) -> object:
    game = made.record(whole=True)
    done = made.rng.choice((game.play, game.before, game.position, game.stage, game.corrected, game.seen))
    if done == game.play:
        return done(made.move(), None if made.rng.random() < 0.5 else made.tile())
    if done == game.corrected:
        return done(made.any(game.last, game.first), made.move())
    if done == game.seen:
        return done(made.any(0, 4, 8), made.tile())
    return done(made.any(game.last, game.first))


def spoken(made: Made) -> object:
    with orbis.speaking(made.any(*["en", "de", "pl", "ru"])):
        return orbis.problems(made.position())


def settings(made: Made) -> orbis.SearchSettings:
    return orbis.SearchSettings(
        win_part=made.any(None, 0, 0.5), expand_after=made.any(None, 1, 7), plain=made.any(None, False)
    )


FUNCTIONS: dict[str, Callable[[Made], object]] = {
    "advise": advise,
    "solve": solve,
    "review_game": review_game,
    "Engine": engine,
    "Record": recorded,
    "SearchSettings": settings,
    "legal_moves": legal_moves,
    "speaking": spoken,
    "apply": lambda made: orbis.apply(made.position(), made.move()),
    "count_moves": lambda made: orbis.count_moves(made.position(), made.any(True, False)),
    "describe": lambda made: orbis.describe(made.tile()),
    "draw_position": lambda made: orbis.to_svg(
        orbis.draw_position(made.position(), made.any(None, made.move()), made.any(None, "a caption"))
    ),
    "draws": lambda made: orbis.draws(made.position()),
    "format_move": lambda made: orbis.format_move(made.position(), made.move()),
    "load_record": lambda made: orbis.load_record(made.any("/nowhere"), made.any(None, made.tiles())),
    "load_tile_set": lambda made: orbis.load_tile_set(made.any("reconstruction", "random:1"), made.any(None, ".")),
    "move_words": lambda made: orbis.move_words(made.position(), made.move()),
    "new_game": lambda made: orbis.new_game(made.tiles(), made.any(2, 3, 4), made.any(random.Random(1))),
    "parse_move": lambda made: orbis.parse_move(made.any("b3 wild 1L", "god love", "c1"), made.position()),
    "perft": lambda made: orbis.perft(made.position(), depth(made, 0, 1), made.any(True, False)),
    "perft_divide": lambda made: orbis.perft_divide(made.position(), depth(made, 1), made.any(False)),
    "play_on": lambda made: orbis.play_on(
        made.position(), made.any(0, 1, 60), made.any(0, 5), made.any("random", "sensible")
    ),
    "problems": lambda made: orbis.problems(made.position()),
    "random_tile_set": lambda made: orbis.random_tile_set(made.any(1, 2)),
    "read_position": lambda made: orbis.read_position(
        made.any(example_text(), example_text().encode()), tiles=made.any(None, made.tiles())
    ),
    "read_record": lambda made: orbis.read_record(made.any("orbis-game 1\n"), tiles=made.any(None, made.tiles())),
    "refill": lambda made: orbis.refill(made.position(), made.tile()),
    "resolve_tile": lambda made: orbis.resolve_tile(made.any("r1a", "red village"), made.tiles(), made.any(2, 3)),
    "score": lambda made: orbis.score(made.position()),
    "set_language": lambda made: orbis.set_language(made.any("en")),
    "to_png": lambda made: orbis.to_png(made.any(scene()), made.any(0.1)),
    "to_svg": lambda made: orbis.to_svg(made.any(scene())),
    "winners": lambda made: orbis.winners(made.position()),
    "write_json": lambda made: orbis.write_json(made.position()),
    "write_oneline": lambda made: orbis.write_oneline(made.position()),
    "write_record": lambda made: orbis.write_record(made.record()),
    "write_toml": lambda made: orbis.write_toml(made.position()),
    "advice_text": lambda made: orbis.advice_text(
        made.answer("advice"), made.any(1, 8), all_ways=made.any(None, True), board=made.any(True, False)
    ),
    "advice_to_json": lambda made: orbis.advice_to_json(
        made.answer("advice"), made.any(None, 1), made.any(True, False)
    ),
    "check_position": lambda made: orbis.check_position(made.position()),
    "check_text": lambda made: orbis.check_text(made.check()),
    "check_to_json": lambda made: orbis.check_to_json(made.check()),
    "list_moves": lambda made: orbis.list_moves(made.position(), search=made.any(True, False)),
    "move_to_json": lambda made: orbis.move_to_json(made.position(), made.move()),
    "moves_text": lambda made: orbis.moves_text(made.answer("moves"), made.any(None, 1), colour=made.any(True, False)),
    "moves_to_json": lambda made: orbis.moves_to_json(made.answer("moves"), made.any(None, 1)),
    "position_to_json": lambda made: orbis.position_to_json(made.position()),
    "record_text": lambda made: orbis.record_text(made.record()),
    "record_to_json": lambda made: orbis.record_to_json(made.record()),
    "review_text": lambda made: orbis.review_text(made.answer("review"), made.any(40, 80)),
    "review_to_json": lambda made: orbis.review_to_json(made.answer("review")),
    "solution_text": lambda made: orbis.solution_text(
        made.answer("solution"), made.any(None, 1), ways=made.any(True, False)
    ),
    "solution_to_json": lambda made: orbis.solution_to_json(made.answer("solution"), made.any(None, 1)),
    "tile_set_to_json": lambda made: orbis.tile_set_to_json(made.tiles()),
    "RecordFile": lambda made: orbis.RecordFile.create(made.any("/nowhere/game"), made.record()),
}
# Asked a fifth as often.
DEAR = {"advise", "solve", "review_game", "Engine", "Record", "write_record", "RecordFile", "to_png"}
DEAR |= {"record_text", "record_to_json", "moves_text"}
WEIGHTS = [1 if name in DEAR else 5 for name in FUNCTIONS]
VALUES = {"Advice", "Review", "Solution", "Stage", "Turn", "InputError", "OrbisError", "Problem", "TileSet"}
VALUES |= {
    each.__name__ for each in (Colour, Effect, Face, God, Star, Worshipers, Position, Move, Tile, Placed, Pile, Slot)
}
VALUES |= {"Cell", "Check", "MoveList", "Options", "Player", "__version__"}
NO_ARGUMENTS = {"json_schema"}


def run(number: int) -> tuple[str, str]:
    """The function asked in a case, and how it answered."""
    rng = random.Random(number)
    (name,) = rng.choices(list(FUNCTIONS), WEIGHTS)
    faulthandler.dump_traceback_later(LONGEST, exit=True)
    try:
        FUNCTIONS[name](Made(rng))
        return name, "answered"
    except InputError as error:
        assert error.problems and all(problem.message and str(problem) for problem in error.problems), (number, name)
        return name, "InputError"
    except TypeError as error:
        # It is one of ours: with a place, in whatever language was spoken.
        assert re.match(r"\w[\w.\[\]]*: (expected .+, found )?", str(error)), (number, name, error)
        assert name == "speaking" or ": expected " in str(error), (number, name, error)
        return name, "TypeError"
    except Exception as error:
        raise AssertionError(f"case {number}, {name}: {type(error).__name__}: {error}") from error
    finally:
        faulthandler.cancel_dump_traceback_later()


def test_every_public_name_is_tried():
    assert set(FUNCTIONS) | VALUES | NO_ARGUMENTS == set(orbis.__all__)
    for name in VALUES - {"__version__"}:
        assert inspect.isclass(getattr(orbis, name))


seen: Counter[tuple[str, str]] = Counter()


@pytest.mark.parametrize("first", range(FIRST, FIRST + CASES, CHUNK))
def test_malformed_objects(first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(first, min(first + CHUNK, FIRST + CASES)):
        seen[run(number)] += 1


def test_there_was_something_to_refuse():
    """Of the cases above, if they were run."""
    if sum(seen.values()) < 3000:
        pytest.skip("too few cases")
    for name in FUNCTIONS:
        assert seen[name, "InputError"] + seen[name, "TypeError"], name
    answered = sum(number for (_name, how), number in seen.items() if how == "answered")
    print(f"{sum(seen.values())} cases, {answered} answered", file=sys.stderr)
