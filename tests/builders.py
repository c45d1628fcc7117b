"""Tiles, universes and positions in a line or two, for tests.

A position built here is a consistent one: the players' turns fit together, the piles hold as many
tiles as there are region turns left, and the tile set is made of all the tiles that occur.
Rows are written as text, one item per tile: a colour letter is a tile of that colour that does
nothing and is worth nothing, `*` a wilderness, `.` an empty slot. Other tiles are passed as objects.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import count

import pytest

from orbis_search.core import fast_rules
from orbis_search.game import rules as plain_rules
from orbis_search.game.position import Cell, Move, Options, Pile, Placed, Player, Position, Row, Slot
from orbis_search.game.tiles import Tile, TileSet
from orbis_search.game.vocabulary import (
    CELLS,
    COLOUR_LETTERS,
    LEVEL_SIZES,
    LEVELS,
    REGION_TURNS,
    ROW_LENGTHS,
    SET_UP,
    STAR_COUNTS,
    Colour,
    Effect,
    Face,
    God,
    Star,
    Worshipers,
)
from orbis_search.record.game import Record, Turn

# Every implementation of the rules. Each offers legal_moves, apply, refill, score and winners.
IMPLEMENTATIONS = [pytest.param(plain_rules, id="reference"), pytest.param(fast_rules, id="core")]
on_every_implementation = pytest.mark.parametrize("rules", IMPLEMENTATIONS)

_numbers = count(1)

_EFFECTS = {
    "none": Effect.NONE,
    "farm": Effect.FARM,
    "village": Effect.VILLAGE,
    "forest": Effect.FOREST,
    "volcano": Effect.VOLCANO,
    "irrigation": Effect.IRRIGATION,
    "temple": Effect.TEMPLE,
    "gain": Effect.PROSELYTISM,
    "stone": Effect.SACRED_STONE,
}


def colours(letters: str) -> tuple[Colour, ...]:
    return tuple(sorted(Colour(COLOUR_LETTERS.index(letter)) for letter in letters))


def some(text: str = "") -> Worshipers:
    """Worshipers from `r2 g b3`, `rrg` or ``."""
    counts = [0] * len(Colour)
    colour = 0
    digits = ""
    for letter in text.replace(" ", "") + "#":
        if letter.isdigit():
            digits += letter
            continue
        if digits:
            counts[colour] += int(digits) - 1
            digits = ""
        if letter != "#":
            colour = COLOUR_LETTERS.index(letter)
            counts[colour] += 1
    return Worshipers(*counts)


def realms_of(*texts: str) -> set[Worshipers]:
    return {some(text) for text in texts}


def tile(
    colour: str,
    effect: str = "none",
    cost: str = "",
    cp: int = 0,
    *,
    mystic: int | None = None,
    level: int = 1,
    star: Star = Star.NONE,
) -> Tile:
    """`tile("r", "volcano 2 rb", "gba", 3)`; in costs `a` is any colour, `gain 1 a` gains of any."""
    word, *rest = effect.split()
    number = next((int(part) for part in rest if part.isdigit()), 1 if word == "temple" else 0)
    letters = "".join(part for part in rest if not part.isdigit()).replace("a", "")
    return Tile(
        id=f"t{next(_numbers)}",
        level=level,
        colour=Colour(COLOUR_LETTERS.index(colour)),
        cost=some(cost.replace("a", "")),
        any_cost=cost.count("a"),
        effect=_EFFECTS[word],
        number=number,
        colours=colours(letters),
        cp=cp,
        mystic=mystic,
        star=star,
    )


def wild(front: Tile | None = None) -> Placed:
    return Placed(front or tile("r"), Face.WILD)


def cancelled(front: Tile) -> Placed:
    return Placed(front, Face.CANCELLED)


Item = str | Tile | Placed


def row(items: str | Sequence[Item]) -> Row:
    return tuple(_placed(item) for item in (items.split() if isinstance(items, str) else items))


def _placed(item: Item) -> Placed | None:
    if isinstance(item, Placed):
        return item
    if isinstance(item, Tile):
        return Placed(item)
    if item == ".":
        return None
    return wild() if item == "*" else Placed(tile(item))


def player(*rows: str | Sequence[Item], realm: str = "", god: God | None = None, god_validated: bool = True) -> Player:
    """Rows from the bottom up."""
    first, second, third, fourth = [row(items) for items in rows] + [()] * (4 - len(rows))
    return Player("", (first, second, third, fourth), some(realm), god, god_validated)


def anybody(turns: int) -> Player:
    """A player with so many turns behind them, whose universe is of no interest."""
    rows = []
    left = regions = min(turns, REGION_TURNS)
    for length in ROW_LENGTHS:
        rows.append(" ".join("y" * min(left, length)))
        left -= min(left, length)
    return player(*rows, god=God.APPRENTICE if turns > regions else None)


def position(
    *players: Player | None,
    centre: Mapping[str, Tile | tuple[Tile, str]] | None = None,
    filler: str = "y",
    gods: Iterable[God] = (),
    most_at_zero: bool = True,
) -> Position:
    """A position of two to four players, the first to move where all have had as many turns.

    None stands for anybody with as many turns as the others, as does a missing second player.
    Centre cells not given hold tiles of the filler colour.
    """
    seats = list(players) + [None] * (2 - len(players))
    turns = max(seat.turns_played for seat in seats if seat is not None)
    everyone = tuple(seat if seat is not None else anybody(turns) for seat in seats)
    played = [each.turns_played for each in everyone]
    assert all(p in (turns, turns - 1) for p in played) and played == sorted(played, reverse=True), played

    cells = []
    for name in CELLS:
        given = (centre or {}).get(name, None) or tile(filler)
        cells.append(Cell(given, some()) if isinstance(given, Tile) else Cell(given[0], some(given[1])))

    drawn = len(CELLS) + sum(each.regions for each in everyone)
    piles = []
    for level, size in zip(LEVELS, SET_UP[len(everyone)].regions):
        left = max(0, size - drawn)
        drawn = max(0, drawn - size)
        piles.append(Pile(left, tuple(tile("y", level=level) for _ in range(left))))
    first, second, third = piles

    occurring = [placed.tile for each in everyone for _, placed in each.placed() if placed.tile]
    occurring += [cell.tile for cell in cells] + [each for pile in piles for each in pile.tiles]
    return Position(
        tiles=TileSet("test", "", "", tuple(occurring)),
        players=everyone,
        centre=tuple(cells),
        gods=tuple(sorted(gods)),
        piles=(first, second, third),
        options=Options(most_at_zero=most_at_zero),
    )


def full_set(seed: int = 0) -> TileSet:
    """65 tiles with the stars where section 2 wants them, and every effect on every colour."""
    rng = random.Random(seed)
    effects = (
        "none",
        "farm r",
        "farm w",
        "village 2",
        "forest 2 rg",
        "volcano 2 rby",
        "irrigation g",
        "temple 1",
        "gain 1 b",
        "gain 2 y",
        "gain 1 a",
        "stone",
    )
    tiles = []
    for level, size in zip(LEVELS, LEVEL_SIZES):
        stars = [star for star, by_level in STAR_COUNTS.items() for _ in range(by_level[level - 1])]
        stars += [Star.NONE] * (size - len(stars))
        rng.shuffle(stars)
        for star in stars:
            effect = rng.choice(effects)
            cost = "".join(rng.choice("rgbywa") for _ in range(rng.randrange(level + 2)))
            cp = 1 if effect == "stone" else rng.randrange(2 * level)
            # A temple's tile must be white: only white tiles have mystic values, and it needs one.
            colour = "w" if effect.startswith("temple") else rng.choice(COLOUR_LETTERS)
            mystic = len(tiles) + 1 if colour == "w" else None
            tiles.append(tile(colour, effect, cost, cp, mystic=mystic, level=level, star=star))
    return TileSet("test", "", "", tuple(tiles))


# ------------------------------------------------------------------------------------ asking a position


def taking(
    rules,
    where: Position,
    what: str | God,
    *,
    wild: bool | None = None,
    validated: bool | None = None,
    slot: tuple[int, int] | None = None,
) -> set[Move]:
    """The legal moves that take this cell or god, in this way."""
    return {
        move
        for move in rules.legal_moves(where)
        if (move.god is what if isinstance(what, God) else move.cell == CELLS.index(what))
        and wild in (None, move.wild)
        and validated in (None, move.validated)
        and slot in (None, move.slot)
    }


def placing(rules, where: Position, what: str, **how) -> set[Move]:
    """The legal moves that place this cell's tile face up."""
    return taking(rules, where, what, wild=False, **how)


def realms(moves: Iterable[Move]) -> set[Worshipers]:
    return {move.realm for move in moves}


def slots(moves: Iterable[Move]) -> set[Slot]:
    return {move.slot for move in moves}


def only(moves: Iterable[Move]) -> Move:
    """The one move there is."""
    (move,) = moves
    return move


def play(rules, where: Position, move: Move) -> Position:
    """Apply a move and refill with the first tile the pile lists."""
    after = rules.apply(where, move)
    return after if after.hole is None else rules.refill(after, plain_rules.draws(after)[0])


def on_cell(where: Position, name: str) -> Worshipers:
    return where.centre[CELLS.index(name)].worshipers


def totals(rules, where: Position) -> tuple[int, ...]:
    return tuple(score.total for score in rules.score(where))


def random_game(
    players: int = 2, before: int = 0, seed: int = 1, names: Sequence[str] = ("Anna", "Bo", "Cy", "Di")
) -> Record:
    """A record played to its end by chance, from a fresh game or from one that was played sensibly for a while."""
    from orbis_search import load_tile_set

    rng = random.Random(seed)
    start = fast_rules.play_on(fast_rules.new_game(load_tile_set(), players, rng), before, seed, "sensible")
    start = start._replace(players=tuple(each._replace(name=name) for each, name in zip(start.players, names)))
    where, turns = Record(start).start, []
    while not where.is_over:
        move = rng.choice(fast_rules.legal_moves(where, search=True))
        where = fast_rules.apply(where, move)
        drawn = None if where.hole is None else rng.choice(fast_rules.draws(where))
        where = where if drawn is None else fast_rules.refill(where, drawn)
        turns.append(Turn(move, drawn))
    return Record(start, tuple(turns), date="2026-11-16")
