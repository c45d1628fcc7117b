"""What a network sees: the core's inputs held against the plain ones, and what neither may know.

ORBIS_INPUT_POSITIONS says on how many positions the two are compared: more of them before a change of the inputs.
"""

from __future__ import annotations

import os
import random
import re
from array import array
from collections.abc import Callable, Iterator
from itertools import permutations, product
from pathlib import Path

import pytest

from builders import player, position, tile
from orbis_search.base.errors import InputError
from orbis_search.core.fast_rules import STYLES, play_turns
from orbis_search.core.packing import Packing
from orbis_search.core.states import PackedState
from orbis_search.game import rules
from orbis_search.game.inputs import MOST_INPUT, input_names, inputs
from orbis_search.game.position import Options, Pile, Placed, Player, Position
from orbis_search.game.tiles import Tile, TileSet
from orbis_search.game.vocabulary import (
    CELLS,
    MAX_COST,
    MAX_CP,
    MAX_EFFECT_NUMBER,
    MAX_ON_CELL,
    Colour,
    Effect,
    Face,
    Worshipers,
)
from orbis_search.tileset.library import load_tile_set

POSITIONS = int(os.environ.get("ORBIS_INPUT_POSITIONS", "600"))
PLAYERS = (2, 3, 4)
EVALUATION = Path(__file__).parents[1] / "docs" / "evaluation.md"


def core_inputs(where: Position | PackedState) -> list[int]:
    state = where if isinstance(where, PackedState) else Packing(where).state
    return array("h", state.inputs()).tolist()


def differences(found: list[int], expected: list[int], players: int) -> dict[str, tuple[int, int]]:
    """The inputs that differ, by name."""
    return {name: pair for name, *pair in zip(input_names(players), found, expected, strict=True) if len({*pair}) > 1}


# --- positions


def some_set(rng: random.Random) -> TileSet:
    """Ours, a random one, or a random one whose numbers go as far as they may."""
    kind = rng.randrange(3)
    if kind == 0:
        return load_tile_set()
    tiles = load_tile_set(f"random:{rng.randrange(1000)}")
    return (
        tiles if kind == 1 else tiles._replace(name="extreme", tiles=tuple(extreme(each, rng) for each in tiles.tiles))
    )


def extreme(each: Tile, rng: random.Random) -> Tile:
    """More forests, and numbers up to the largest."""
    if rng.random() < 0.3:
        colours = tuple(sorted(rng.sample(list(Colour), rng.randint(1, 3))))
        each = each._replace(effect=Effect.FOREST, colours=colours)
    if each.effect in MAX_EFFECT_NUMBER and (each.colours or each.effect is not Effect.PROSELYTISM):
        each = each._replace(number=rng.randint(1, MAX_EFFECT_NUMBER[each.effect]))
    if rng.random() < 0.2:
        each = each._replace(cost=Worshipers(*(rng.choice((0, 0, 1, 3, MAX_COST)) for _ in Colour)))
    return each._replace(any_cost=rng.choice((0, 0, 1, MAX_COST)), cp=rng.choice((each.cp, 0, MAX_CP)))


def games(seed: int) -> Iterator[Iterator[Position]]:
    """Whole games without end, position by position: each number of players, each style of play."""
    rng = random.Random(seed)

    def game(players: int, style: str) -> Iterator[Position]:
        start = rules.new_game(some_set(rng), players, rng)
        packing = Packing(start._replace(options=Options(most_at_zero=rng.random() < 0.8)))
        while packing.state.to_move >= 0:
            yield packing.position(packing.state)
            for _ in play_turns(packing.state, 1, rng, style):
                pass

    while True:
        for players, style in product(PLAYERS, STYLES):
            yield game(players, style)


def sampled(number: int, seed: int) -> Iterator[Position]:
    """One position in five of many games, and some of them as play does not leave them."""
    rng = random.Random(seed)
    for game in games(seed):
        for where in game:
            if rng.random() < 0.2:
                if number == 0:
                    return
                number -= 1
                change = rng.choice((same, same, crowded, forgotten))
                yield change(where, rng)


def same(where: Position, rng: random.Random) -> Position:
    return where


def crowded(where: Position, rng: random.Random) -> Position:
    """Worshipers on the centre's tiles, up to as many as there may be."""

    def crowd() -> Worshipers:
        most = rng.choice((0, 2, MAX_ON_CELL // 5))
        return Worshipers(*(rng.randint(0, most) for _ in Colour))

    return where._replace(centre=tuple(cell._replace(worshipers=crowd()) for cell in where.centre))


def forgotten(where: Position, rng: random.Random) -> Position:
    """Nobody remembers the fronts of the wilderness: its tiles may as well be in their piles, if those hold any."""
    tiles = [placed.tile for each in where.players for _, placed in each.placed() if placed.face is Face.WILD]
    piles = tuple(
        pile._replace(tiles=(*pile.tiles, *(each for each in tiles if each and each.level == level)))
        if pile.left
        else pile
        for level, pile in enumerate(where.piles, 1)
    )
    unknown = with_placed(where, lambda placed: Placed(None, Face.WILD) if placed.face is Face.WILD else placed)
    return unknown._replace(piles=piles)


def with_placed(where: Position, change: Callable[[Placed], Placed]) -> Position:
    def changed(each: Player) -> Player:
        rows = tuple(tuple(placed and change(placed) for placed in row) for row in each.rows)
        return each._replace(rows=rows)

    return where._replace(players=tuple(changed(each) for each in where.players))


def with_tiles(where: Position, change: Callable[[Tile], Tile]) -> Position:
    """Every tile changed, wherever it is."""
    where = with_placed(where, lambda placed: placed._replace(tile=placed.tile and change(placed.tile)))
    return where._replace(
        tiles=where.tiles._replace(name="changed", tiles=tuple(change(each) for each in where.tiles.tiles)),
        centre=tuple(cell._replace(tile=change(cell.tile)) for cell in where.centre),
        piles=tuple(Pile(pile.left, tuple(change(each) for each in pile.tiles)) for pile in where.piles),
    )


# --- the core against the plain version


def test_the_core_sees_what_the_plain_version_sees():
    for number, where in enumerate(sampled(POSITIONS, seed=1)):
        found = differences(core_inputs(where), inputs(where), len(where.players))
        assert not found, f"position {number}: (core, plain) {found}"


@pytest.mark.parametrize("players", PLAYERS)
def test_every_input_has_a_name_of_its_own(players):
    where = rules.new_game(load_tile_set(), players, random.Random(players))
    names = input_names(players)
    assert len(names) == len(set(names)) == len(inputs(where)) == len(core_inputs(where))


def test_inputs_are_small():
    for where in sampled(POSITIONS, seed=2):
        assert max(map(abs, core_inputs(where))) <= MOST_INPUT


def test_the_documentation_lists_every_input():
    section = EVALUATION.read_text("utf-8").partition("## What goes in")[2].partition("\n## ")[0]
    listed = re.findall(r"(?m)^\| `([^`]+)` \|", section)
    names = input_names(4)
    common = [name for name in names if not name.startswith(("mover ", "second ", "third ", "fourth "))]
    own = [name.removeprefix("mover ") for name in names if name.startswith("mover ")]
    assert listed == own + common


def test_without_a_turn_there_are_no_inputs():
    packing = Packing(rules.new_game(load_tile_set(), 2, random.Random(1)))
    for _ in play_turns(packing.state, 30, random.Random(1), "sensible"):
        pass
    with pytest.raises(InputError):
        inputs(packing.position(packing.state))
    with pytest.raises(ValueError, match="nobody is to move"):
        packing.state.inputs()


# --- what inputs do not know


def mirrored(where: Position) -> Position:
    """Every universe as its owner's neighbour across the table draws it: left is right."""

    def mirror(each: Player) -> Player:
        rows = []
        for at, row in enumerate(each.rows):
            length = max(0, len(each.rows[0]) - at)
            full = (*row, *(None,) * (length - len(row)))[::-1]
            while full and full[-1] is None:
                full = full[:-1]
            rows.append(full)
        return each._replace(rows=tuple(rows))

    return where._replace(players=tuple(mirror(each) for each in where.players))


def recoloured(where: Position, to: tuple[Colour, ...]) -> Position:
    """Colour n becomes colour to[n] everywhere."""

    def worshipers(counts: Worshipers) -> Worshipers:
        return Worshipers(*(counts[to.index(colour)] for colour in Colour))

    def paint(each: Tile) -> Tile:
        colours = tuple(sorted(to[colour] for colour in each.colours))
        return each._replace(colour=to[each.colour], cost=worshipers(each.cost), colours=colours)

    where = with_tiles(where, paint)
    return where._replace(
        centre=tuple(cell._replace(worshipers=worshipers(cell.worshipers)) for cell in where.centre),
        players=tuple(each._replace(realm=worshipers(each.realm)) for each in where.players),
    )


def renamed(where: Position, rng: random.Random) -> Position:
    """Other ids, and the set and the piles in another order."""
    ids = [each.id for each in where.tiles.tiles]
    others = dict(zip(ids, rng.sample(ids, len(ids))))
    where = with_tiles(where, lambda each: each._replace(id=others[each.id]))

    def shuffled(tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
        return tuple(rng.sample(tiles, len(tiles)))

    return where._replace(
        tiles=where.tiles._replace(tiles=shuffled(where.tiles.tiles)),
        piles=tuple(pile._replace(tiles=shuffled(pile.tiles)) for pile in where.piles),
    )


def turned(where: Position, rng: random.Random) -> Position:
    """The centre turned or seen from behind: the same tiles lie beside each other, the same in the corners."""
    order = list(range(len(CELLS)))
    if rng.randrange(2):
        order = [3 * (at // 3) + 2 - at % 3 for at in order]
    for _ in range(rng.randrange(4)):
        order = [order[3 * (2 - at % 3) + at // 3] for at in range(len(CELLS))]
    return where._replace(centre=tuple(where.centre[at] for at in order))


def expect_unseen(change: Callable[[Position, random.Random], Position], seed: int) -> None:
    rng = random.Random(seed)
    changed = 0
    for number, where in enumerate(sampled(POSITIONS // 5, seed)):
        other = change(where, rng)
        changed += other != where
        before = inputs(where)
        for who, after in (("plain", inputs(other)), ("core", core_inputs(other))):
            found = differences(after, before, len(where.players))
            assert not found, f"position {number}, {who}: (changed, as it was) {found}"
    assert changed > POSITIONS // 10


def test_left_and_right_of_a_universe_are_the_same():
    expect_unseen(lambda where, rng: mirrored(where), seed=3)


def test_colours_have_no_names():
    # White has one in the rules: mystic values count on white tiles alone.
    others = list(permutations(list(Colour)[:-1]))
    expect_unseen(lambda where, rng: recoloured(where, (*rng.choice(others), Colour.WHITE)), seed=4)


def test_white_has_no_name_either():
    """All that the rules say of white is that mystic values count there alone."""
    rng = random.Random(5)
    for where in sampled(POSITIONS // 5, seed=5):
        where = with_tiles(where, lambda each: each._replace(mystic=None))
        to = tuple(rng.sample(list(Colour), len(Colour)))
        assert not differences(core_inputs(recoloured(where, to)), core_inputs(where), len(where.players))


def test_tiles_have_no_names():
    expect_unseen(renamed, seed=6)


def test_the_centre_may_be_turned():
    # Worth 300 both: a forest that hopes, and three CP at once.
    tie = position(player(), centre={"a3": tile("g", "forest 1 r", cp=5), "c3": tile("r", cp=3)})
    other = tie._replace(centre=(tie.centre[2], tie.centre[1], tie.centre[0], *tie.centre[3:]))
    assert not differences(core_inputs(other), core_inputs(tie), 2)
    expect_unseen(turned, seed=7)
