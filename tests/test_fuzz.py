"""Mutated position files: reading gives a sound position or an InputError that can be printed, nothing else.

Case n is made from the number n alone, so a failure can be had again. ORBIS_FUZZ_CASES sets how many are run.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from orbis_search.base.errors import InputError
from orbis_search.game import rules
from orbis_search.game.position import Move, Placed, Position
from orbis_search.game.problems import default_piles, problems
from orbis_search.game.vocabulary import Face
from orbis_search.notation import read_position, write_json, write_oneline, write_toml
from orbis_search.tileset.library import load_tile_set

CASES = int(os.environ.get("ORBIS_FUZZ_CASES", "3000"))
DATA = Path(__file__).parent / "malformed"
WRITERS = (write_toml, write_oneline, write_json)

# Words that mean something somewhere in one of the forms, and values at the edges of what they may be.
WORDS = [
    "players",
    "to_move",
    "tiles",
    "gods",
    "most_at_zero",
    "centre",
    "player",
    "piles",
    "name",
    "realm",
    "god",
    "row1",
    "row4",
    "row5",
    "level1",
    "level3",
    "format",
    "version",
    "options",
    "rows",
    "tile",
    "face",
    "worshipers",
    "left",
    "names",
    "pile1",
    "pile3",
    "most",
    "positive",
    "up",
    "wild",
    "wilderness",
    "cancelled",
    "x",
    "w",
    "x.",
    "w.",
    "~",
    "!",
    ".",
    "-",
    "_",
    "+",
    "@",
    "@2",
    "@FF",
    "@00",
    "=",
    ":",
    "::",
    "/",
    ",",
    "|",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    '"',
    "'",
    '"""',
    "#",
    "\\",
    "\\u0000",
    "\\ud800",
    "null",
    "true",
    "false",
    "nan",
    "inf",
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "9",
    "10",
    "11",
    "15",
    "56",
    "57",
    "99",
    "999",
    "1000",
    "-1",
    "1e9",
    "2.5",
    "0x10",
    "1979-05-27",
    "99999999999999999999",
    "nobody",
    "none",
    "empty",
    "any",
    "a3",
    "b2",
    "c1",
    "d4",
    "r",
    "g",
    "b",
    "y",
    "w",
    "r2",
    "g999",
    "rgbyw",
    "2red",
    "love",
    "fire",
    "death",
    "Death",
    "deth",
    "r1a",
    "r1b",
    "w2c",
    "y3a",
    "r3e",
    "random:7",
    "random:",
    "random:x",
    "red",
    "L3",
    "cost",
    "gba",
    "free",
    "irrigation",
    "r",
    "volcano",
    "2",
    "rb",
    "temple",
    "gain",
    "forest",
    "9",
    "stone",
    "3cp",
    "mystic",
    "7",
    "white-star",
    "village",
]
WORDS += ["\0", "\ufeff", "\u202e", "é", "\U0001f30b", "\r", "\n", "\t", " ", "٣", "1" * 5000, "[" * 3000]
JUNK: list[Any] = [
    None, True, False, 0, 1, -1, 2, 10**30, 1.5, float("inf"), "", "x", "r1a", "wild", "-", "love",
    "\ud800", "\0", [], {}, [None], [[]], {"tile": None}, {"tile": "r1a", "face": "up"}, {"red": True},
    {"red": 10**20}, ["r1a"] * 7,
]  # fmt: skip


def _played(spec: str, players: int, turns: int, seed: int) -> Position:
    """A position after so many random turns, with some wilderness forgotten in every second one."""
    rng = random.Random(seed)
    position = rules.new_game(load_tile_set(spec, DATA), players, rng)
    for _ in range(turns):
        family = rng.choice(rules.families(position))
        removed = next(rules.removals(family.stock, family.to_remove))
        slot, realm = rng.choice(family.slots), rng.choice(sorted(family.realms))
        move = Move(family.cell, family.god, slot, family.wild, family.validated, removed, realm)
        position = rules.apply(position, move)
        if position.hole is not None:
            position = rules.refill(position, rng.choice(rules.draws(position)))
    if seed % 2:
        return position
    for index, player in enumerate(position.players):
        rows = tuple(
            tuple(Placed(None, Face.WILD) if one and one.face is Face.WILD else one for one in row)
            for row in player.rows
        )
        position = position.with_player(index, player._replace(rows=rows, name=f"P {index}"))
    return position._replace(piles=default_piles(position.tiles, position.players, position.centre))


@cache
def corpus() -> list[tuple[Position, str]]:
    """Sound positions of all sizes and stages in all three forms."""
    positions = [read_position((DATA / "base.toml").read_bytes(), "", DATA)]
    stages = [("box.toml", 2, 0), ("box.toml", 3, 20), ("random:3", 2, 9)]
    stages += [("random:4", 4, 33), ("random:5", 3, 45)]
    positions += [_played(*stage, seed) for seed, stage in enumerate(stages)]
    return [(position, write(position)) for position in positions for write in WRITERS]


# Mutations.


def _bytes(text: str, rng: random.Random) -> bytes:
    raw = bytearray(text.encode())
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(raw) + 1)
        to = min(len(raw), at + rng.choice((1, 1, 2, 8, 60)))
        match rng.randrange(6):
            case 0:
                raw[at:to] = b""
            case 1:
                raw[at:at] = raw[at:to]
            case 2:
                raw[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice((1, 2, 7))))
            case 3 if raw:
                raw[at % len(raw)] ^= 1 << rng.randrange(8)
            case 4:
                del raw[at:]
            case _:
                raw[at:to] = raw[at:to][::-1]
    return bytes(raw)


def _tokens(text: str, rng: random.Random) -> bytes:
    tokens = re.findall(r"\w+|\s+|[^\w\s]", text)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        match rng.randrange(6):
            case 0:
                tokens[at] = rng.choice(WORDS)
            case 1:
                tokens[at] = tokens[other]
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens.insert(at, rng.choice(WORDS))
            case 4:
                tokens[at] *= 2
            case _:
                tokens[at] = ""
    return "".join(tokens).encode()


def _lines(text: str, rng: random.Random) -> bytes:
    """Lines or, in the one-line form, fields: left out, doubled, moved."""
    mark = "\n" if text.count("\n") > 3 else ":"
    lines = text.split(mark)
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(3):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case _:
            lines[at], lines[other] = lines[other], lines[at]
    return mark.join(lines).encode()


def _tree(text: str, rng: random.Random) -> bytes:
    """Something else in one place of a JSON document, so that every type comes everywhere."""
    if not text.startswith("{"):
        return _tokens(text, rng)
    document = json.loads(text)
    places = [(parent, key) for parent in _containers(document) for key in _keys(parent)]
    for _ in range(rng.choice((1, 1, 2, 6))):
        parent, key = rng.choice(places)
        if key not in _keys(parent):
            continue
        match rng.randrange(4):
            case 0:
                del parent[key]
            case 1 if isinstance(parent, dict):
                parent[rng.choice(WORDS)] = parent[key]
            case 2 if isinstance(parent, list):
                parent.insert(key, rng.choice(JUNK))
            case _:
                parent[key] = rng.choice(JUNK)
    return json.dumps(document).encode()


def _containers(value: Any) -> list[Any]:
    if not isinstance(value, (dict, list)):
        return []
    inner = value.values() if isinstance(value, dict) else value
    return [value, *(found for one in inner for found in _containers(one))]


def _keys(parent: Any) -> list[Any]:
    return list(parent) if isinstance(parent, dict) else list(range(len(parent)))


MUTATIONS: tuple[Callable[[str, random.Random], bytes], ...] = (_bytes, _tokens, _tokens, _lines, _tree)


def make_case(number: int) -> tuple[Position, bytes, random.Random]:
    rng = random.Random(f"fuzz {number}")
    position, text = rng.choice(corpus())
    return position, rng.choice(MUTATIONS)(text, rng), rng


# The test.


def check(number: int) -> bool:
    """Runs one case; says whether the mutated file was still a sound position."""
    original, text, rng = make_case(number)
    # Looking the tile set up takes most of the time, so only some cases do it.
    tiles = None if rng.random() < 0.1 else original.tiles
    try:
        position = read_position(text, "fuzz", DATA, tiles)
    except InputError as error:
        assert error.problems, number
        for problem in error.problems:
            assert problem.place.startswith("fuzz"), (number, problem)
            assert "expected" in problem.message, (number, problem)
            assert all(char.isprintable() or char == "\u200d" for char in str(problem)), (number, problem)
        return False
    assert problems(position) == [], number
    if rng.random() < 0.25:
        for write in WRITERS:
            assert read_position(write(position), "again", DATA, position.tiles) == position, number
    return True


def test_mutated_files_are_read_or_refused() -> None:
    sound = sum(check(number) for number in range(CASES))
    # Neither outcome may be so rare that the other is all this tests; a few cases say nothing about that.
    if CASES >= 500:
        assert 0.05 < sound / CASES < 0.5


def test_cases_depend_on_their_number_alone() -> None:
    assert make_case(7)[1] == make_case(7)[1]
    assert len({make_case(number)[1] for number in range(50)}) > 40
