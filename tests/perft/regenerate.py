"""Makes every table of this folder anew, with the plain reference: `python tests/perft/regenerate.py`.

Takes some minutes. Read the difference before keeping it: the numbers change only when the rules do, or a
recipe below. Positions come from games played here, move by move, by the reference; the core has no part
in it. `tiles.toml` is a frozen copy of our set.
"""

from __future__ import annotations

import random
import sys
import time
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

from orbis_search.game import rules
from orbis_search.game.position import Move, Placed, Position
from orbis_search.game.problems import default_piles, problems
from orbis_search.game.vocabulary import NOBODY, REALM_LIMIT, TURNS, Effect, Face, God, Worshipers
from orbis_search.notation import read_oneline, write_oneline
from orbis_search.tileset.library import load_tile_set
from orbis_search.tileset.resolving import resolve_tile

FOLDER = Path(__file__).parent
OURS = "tiles.toml"


class Recipe(NamedTuple):
    name: str
    why: str
    players: int
    tiles: str
    turns: int  # played before the position; less than 0 counts from the end
    nodes: int  # a depth is counted while no more positions than these lie before its last move
    change: str = ""  # see CHANGES
    needs: str = ""  # see NEEDS; games are tried until one has it


THREE, FOUR = "the same with three players", "the same with four players"
RECIPES = {
    "opening": [
        Recipe("start-2", "an empty table: moves differ by tile, slot and gain", 2, OURS, 0, 14_000),
        Recipe("start-3", "six tiles of level 1 may be drawn", 3, OURS, 0, 3_000),
        Recipe("start-4", "eleven tiles of level 1 may be drawn", 4, OURS, 0, 3_000),
        Recipe("start-random-2", "level-1 tiles unlike ours", 2, "random:21", 0, 3_000),
        Recipe("start-random-3", THREE, 3, "random:22", 0, 3_000),
        Recipe("start-random-4", FOUR, 4, "random:23", 0, 3_000),
        Recipe("second-round", "two ends of row 1 and the first slots over it", 2, OURS, 3, 1_000),
        Recipe("love", "five of any colours to be gained", 2, OURS, 2, 1_000, needs="love"),
    ],
    "middle": [
        Recipe("middle-2", "our set, half way", 2, OURS, 15, 1_000),
        Recipe("middle-3", "our set, three players, four gods", 3, OURS, 20, 1_000),
        Recipe("middle-4", "our set, four players, five gods", 4, OURS, 29, 1_000),
        Recipe("random-2", "colours and effects not tied to each other", 2, "random:25", 15, 1_000),
        Recipe("random-3", THREE, 3, "random:26", 22, 1_000),
        Recipe("random-4", FOUR, 4, "random:27", 27, 1_000),
        Recipe("full-realm", "exchanges, and who goes at the limit", 2, OURS, 13, 1_000, "full realm"),
        Recipe("crowds", "many ways to feed a volcano", 2, OURS, 17, 1_000, "crowds", "volcano"),
        Recipe("bare", "what is free or farmed, else wilderness", 3, "random:28", 25, 1_000, "bare", "farm"),
        Recipe("level-change", "a pile's last tile, then the next", 2, OURS, 13, 1_500, "bare", "change"),
        Recipe("forgotten", "more may come than are left", 2, "random:29", 12, 1_000, "forgotten", "more"),
        Recipe("described", "a tile that no set lists, described in place", 2, OURS, 8, 1_000, "described"),
    ],
    "ending": [
        Recipe("last-turn", "one turn left, and none after it", 2, OURS, -1, 5_000),
        Recipe("last-two", "each player's last turn", 2, "random:31", -2, 5_000),
        Recipe("last-three", "the last three tiles of a pile", 2, OURS, -3, 5_000, "bare"),
        Recipe("last-three-3", "each of three players' last turn", 3, OURS, -3, 6_000, "bare"),
        Recipe("last-four-4", "each of four players' last turn", 4, "random:32", -4, 2_000, "bare"),
        Recipe("last-full", "a last turn with a full realm", 2, OURS, -1, 5_000, "full realm"),
        Recipe("last-god", "a god is all that is left to take", 2, OURS, -1, 5_000, needs="god"),
        Recipe("late-2", "the top of the pyramid: few slots", 2, "random:33", -6, 1_000),
        Recipe("late-3", THREE, 3, "random:34", -5, 1_000),
        Recipe("late-4", FOUR, 4, OURS, -6, 1_000),
        Recipe("over", "nobody is to move", 2, OURS, 2 * TURNS, 1),
    ],
}

NEEDS = {
    "": lambda where: True,
    "love": lambda where: God.LOVE in where.gods and where.players[where.to_move].god is None,
    "volcano": lambda where: any(each.to_remove and each.count > 300 for each in rules.families(where)),
    "farm": lambda where: bool(rules.validated_tiles(where.players[where.to_move], Effect.FARM)),
    "change": lambda where: 1 in [pile.left for pile in where.piles],
    "more": lambda where: any(len(pile.tiles) > pile.left for pile in where.piles),
    "god": lambda where: where.players[where.to_move].god is None,
}


# ------------------------------------------------------------------------------ positions


def some_move(where: Position, rng: random.Random) -> Move:
    """Face up and validated where that can be, wilderness now and then; keeps most of its worshipers."""
    families = rules.families(where)
    gods = [family for family in families if family.cell is None]
    regions = [family for family in families if family.cell is not None]
    turns_left = TURNS - where.players[where.to_move].turns_played
    if gods and (not regions or rng.randrange(turns_left) == 0):
        family = rng.choice(gods)
    else:
        shown = [family for family in regions if not family.wild]
        family = rng.choice(shown if shown and rng.random() < 0.9 else regions)
    removed = rng.choice(list(islice(rules.removals(family.stock, family.to_remove), 100)))
    most = max(realm.total for realm in family.realms)
    realm = rng.choice(sorted(realm for realm in family.realms if realm.total == most))
    slot = rng.choice(family.slots)
    return Move(family.cell, family.god, slot, family.wild, family.validated, removed, realm)


def played(recipe: Recipe, rng: random.Random) -> Position:
    where = rules.new_game(load_tile_set(recipe.tiles, FOLDER), recipe.players, rng)
    turns = recipe.turns if recipe.turns >= 0 else TURNS * recipe.players + recipe.turns
    for _ in range(turns):
        where = rules.apply(where, some_move(where, rng))
        if where.hole is not None:
            where = rules.refill(where, rules.draws(where)[0])  # the piles are in draw order
    return where


def bare(where: Position, rng: random.Random) -> Position:
    where = where._replace(centre=tuple(cell._replace(worshipers=NOBODY) for cell in where.centre))
    return where._replace(players=tuple(player._replace(realm=NOBODY) for player in where.players))


def full_realm(where: Position, rng: random.Random) -> Position:
    """Ten of any colours for the mover."""
    mover = where.players[where.to_move]._replace(realm=some_worshipers(REALM_LIMIT, rng))
    return where.with_player(where.to_move, mover)


def some_worshipers(number: int, rng: random.Random) -> Worshipers:
    chosen = [rng.randrange(5) for _ in range(number)]
    return Worshipers(*(chosen.count(colour) for colour in range(5)))


def crowds(where: Position, rng: random.Random) -> Position:
    """Three on every centre tile."""
    centre = tuple(cell._replace(worshipers=some_worshipers(3, rng)) for cell in where.centre)
    return where._replace(centre=centre)


def forgotten(where: Position, rng: random.Random) -> Position:
    """Every tile in a last slot is turned over, and its front forgotten."""
    players = []
    for player in where.players:
        rows = [list(row) for row in player.rows]
        top = max(number for number, row in enumerate(rows) if row)
        rows[top][-1] = Placed(None, Face.WILD)
        players.append(player._replace(rows=tuple(tuple(row) for row in rows)))
    return where._replace(players=tuple(players), piles=default_piles(where.tiles, players, where.centre))


def described(where: Position, rng: random.Random) -> Position:
    old = where.centre[4].tile
    text = f"{old.colour.word} L{old.level} cost rra volcano 1 rgb 5cp"
    tile = resolve_tile(text, where.tiles, len(where.players))
    assert tile.described
    centre = list(where.centre)
    centre[4] = centre[4]._replace(tile=tile)
    where = where._replace(centre=tuple(centre))
    return where._replace(piles=default_piles(where.tiles, where.players, where.centre))


CHANGES = {
    "": lambda where, rng: where,
    "bare": bare,
    "full realm": full_realm,
    "crowds": crowds,
    "forgotten": forgotten,
    "described": described,
}


def position(recipe: Recipe) -> Position:
    for seed in count(1):
        rng = random.Random(seed)
        where = CHANGES[recipe.change](played(recipe, rng), rng)
        if NEEDS[recipe.needs](where):
            break
    wrong = problems(where)
    if wrong:
        sys.exit(f"{recipe.name}: " + "; ".join(map(str, wrong)))
    return where


# ------------------------------------------------------------------------------ tables


def counts(where: Position, nodes: int, draws: bool) -> list[int]:
    """perft(1), perft(2) and so on."""
    found = [rules.perft(where, 1, draws)]
    while 0 < found[-1] <= nodes:
        found.append(rules.perft(where, len(found) + 1, draws))
    return found


def table(recipe: Recipe) -> str:
    where = position(recipe)
    line = write_oneline(where)
    if read_oneline(line, recipe.name, FOLDER) != where:
        sys.exit(f"{recipe.name}: the line does not read back as the position")
    lines = [
        "[[position]]",
        f'name = "{recipe.name}"',
        f'why = "{recipe.why}"',
        f'line = "{line}"',
        f"fixed_order = {counts(where, recipe.nodes, draws=False)}",
        f"all_draws = {counts(where, recipe.nodes, draws=True)}",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    for name, recipes in RECIPES.items():
        head = [
            f"# perft, {name}: sequences of 1, 2, 3 ... moves, piles in listed order and with all draws.",
            "# Made by the reference: python tests/perft/regenerate.py",
        ]
        tables = []
        for recipe in recipes:
            start = time.perf_counter()
            tables.append(table(recipe))
            print(f"{recipe.name:16} {time.perf_counter() - start:6.1f} s", file=sys.stderr)
        (FOLDER / f"{name}.toml").write_text("\n".join(["\n".join(head) + "\n", *tables]), encoding="utf-8")


if __name__ == "__main__":
    main()
