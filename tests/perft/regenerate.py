"""Makes every table of this folder anew, with the plain reference: `python tests/perft/regenerate.py`.

Takes some minutes. Read the difference before keeping it: the numbers change only when the rules do, or a
recipe below. Positions come from games played here, move by move, by the reference; the core has no part
in it. `tiles.toml` is a frozen copy of our set.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from orbis_search import reference
from orbis_search.checking import default_piles, problems
from orbis_search.descriptions import resolve_tile
from orbis_search.notation import read_oneline, write_oneline
from orbis_search.position import Move, Placed, Position
from orbis_search.tiles import load_tile_set
from orbis_search.vocabulary import NOBODY, REALM_LIMIT, TURNS, Face, Worshipers

FOLDER = Path(__file__).parent
OURS = "tiles.toml"


class Recipe(NamedTuple):
    name: str
    why: str
    players: int
    tiles: str
    turns: int  # played before the position; less than 0 counts from the end
    nodes: int = 150  # a depth is counted while so few positions lie before its last move
    seed: int = 0
    change: str = ""  # see CHANGES


RECIPES = {
    "opening": [
        Recipe("start-2", "nothing on the table yet: moves differ by tile, slot and gain alone", 2, OURS, 0, 2500),
        Recipe("start-3", "six tiles of level 1 may be drawn", 3, OURS, 0, 700),
        Recipe("start-4", "eleven tiles of level 1 may be drawn", 4, OURS, 0, 1200),
        Recipe("start-random-2", "costs and effects on level 1 that our set has not", 2, "random:21", 0, 500),
        Recipe("start-random-3", "the same with three players", 3, "random:22", 0, 500),
        Recipe("start-random-4", "the same with four players", 4, "random:23", 0, 500),
        Recipe("second-round", "two ends of row 1 and the first slots over it", 2, OURS, 3, 400, 1),
        Recipe("love-first", "Love brings five of any colours: the first thousand realms", 2, "random:24", 2, 60, 2),
    ],
    "middle": [
        Recipe("middle-2", "our set, half way", 2, OURS, 14, 150, 3),
        Recipe("middle-3", "our set, three players, four gods", 3, OURS, 20, 150, 4),
        Recipe("middle-4", "our set, four players, five gods", 4, OURS, 29, 150, 5),
        Recipe("random-2", "colours and effects not tied to each other", 2, "random:25", 15, 150, 6),
        Recipe("random-3", "the same with three players", 3, "random:26", 22, 150, 7),
        Recipe("random-4", "the same with four players", 4, "random:27", 27, 150, 8),
        Recipe("full-realm", "ten in the realm: exchanges and what to give back at the limit", 2, OURS, 13, 0, 9, "full realm"),
        Recipe("crowds", "three on every tile: volcanoes have many ways to be fed", 2, OURS, 17, 0, 10, "crowds"),
        Recipe("bare", "no worshipers at all: what is free or farmed, else wilderness", 3, "random:28", 25, 700, 11, "bare"),
        Recipe("level-change", "the last tile of a level's pile and the first of the next", 2, OURS, 13, 300, 12, "bare"),
        Recipe("forgotten", "fronts nobody remembers: more tiles may be drawn than are left", 2, "random:29", 12, 150, 13, "forgotten"),
        Recipe("described", "a tile that no set lists, described in place", 2, OURS, 8, 300, 14, "described"),
    ],
    "ending": [
        Recipe("last-turn", "one turn left, and none after it", 2, OURS, -1, 3000, 15),
        Recipe("last-two", "each player's last turn", 2, "random:31", -2, 500, 16, "bare"),
        Recipe("last-three", "the last three tiles of a pile", 2, OURS, -3, 700, 17, "bare"),
        Recipe("last-three-3", "each of three players' last turn", 3, OURS, -3, 700, 18, "bare"),
        Recipe("last-four-4", "each of four players' last turn", 4, "random:32", -4, 500, 19, "bare"),
        Recipe("last-full", "a last turn with a full realm", 2, OURS, -1, 3000, 20, "full realm"),
        Recipe("late-2", "the top of the pyramid: few slots", 2, "random:33", -6, 150, 21),
        Recipe("late-3", "the same with three players", 3, "random:34", -5, 150, 22),
        Recipe("late-4", "the same with four players", 4, OURS, -6, 150, 23),
        Recipe("over", "nobody is to move", 2, OURS, -0 or 2 * TURNS, 1, 24),
    ],
}


# ------------------------------------------------------------------------------ positions


def some_move(where: Position, rng: random.Random) -> Move:
    """Face up and validated where that can be, wilderness now and then; keeps most of its worshipers."""
    families = reference.families(where)
    gods = [family for family in families if family.cell is None]
    regions = [family for family in families if family.cell is not None]
    turns_left = TURNS - where.players[where.to_move].turns_played
    if gods and (not regions or rng.randrange(turns_left) == 0):
        family = rng.choice(gods)
    else:
        shown = [family for family in regions if not family.wild]
        family = rng.choice(shown if shown and rng.random() < 0.9 else regions)
    removed = rng.choice(list(islice(reference.removals(family.stock, family.to_remove), 100)))
    most = max(realm.total for realm in family.realms)
    realm = rng.choice(sorted(realm for realm in family.realms if realm.total == most))
    slot = rng.choice(family.slots)
    return Move(family.cell, family.god, slot, family.wild, family.validated, removed, realm)


def played(recipe: Recipe) -> Position:
    rng = random.Random(recipe.seed)
    where = reference.new_game(load_tile_set(recipe.tiles, FOLDER), recipe.players, rng)
    turns = recipe.turns if recipe.turns >= 0 else TURNS * recipe.players + recipe.turns
    for _ in range(turns):
        where = reference.apply(where, some_move(where, rng))
        if where.hole is not None:
            where = reference.refill(where, reference.draws(where)[0])  # the piles are in draw order
    return where


def bare(where: Position, rng: random.Random) -> Position:
    where = replace(where, centre=tuple(cell._replace(worshipers=NOBODY) for cell in where.centre))
    return replace(where, players=tuple(replace(player, realm=NOBODY) for player in where.players))


def full_realm(where: Position, rng: random.Random) -> Position:
    """Ten of three colours for the mover, and no more than one on a tile, or this takes the reference minutes."""
    chosen = [rng.choice(rng.sample(range(5), 3)) for _ in range(REALM_LIMIT)]
    realm = Worshipers(*(chosen.count(colour) for colour in range(5)))
    thin = tuple(cell._replace(worshipers=Worshipers(*(min(1, n) for n in cell.worshipers[:2]))) for cell in where.centre)
    mover = replace(where.players[where.to_move], realm=realm)
    return replace(where, centre=thin).with_player(where.to_move, mover)


def crowds(where: Position, rng: random.Random) -> Position:
    def crowd() -> Worshipers:
        chosen = [rng.randrange(5) for _ in range(3)]
        return Worshipers(*(chosen.count(colour) for colour in range(5)))

    return replace(where, centre=tuple(cell._replace(worshipers=crowd()) for cell in where.centre))


def forgotten(where: Position, rng: random.Random) -> Position:
    """Every tile in a last slot is turned over, and its front forgotten."""
    players = []
    for player in where.players:
        rows = [list(row) for row in player.rows]
        top = max(number for number, row in enumerate(rows) if row)
        rows[top][-1] = Placed(None, Face.WILD)
        players.append(replace(player, rows=tuple(tuple(row) for row in rows)))
    return replace(where, players=tuple(players), piles=default_piles(where.tiles, players, where.centre))


def described(where: Position, rng: random.Random) -> Position:
    old = where.centre[4].tile
    text = f"{old.colour.word} L{old.level} cost rra volcano 1 rgb 5cp"
    tile = resolve_tile(text, where.tiles, len(where.players))
    assert tile.described
    centre = list(where.centre)
    centre[4] = centre[4]._replace(tile=tile)
    where = replace(where, centre=tuple(centre))
    return replace(where, piles=default_piles(where.tiles, where.players, where.centre))


CHANGES = {
    "": lambda where, rng: where,
    "bare": bare,
    "full realm": full_realm,
    "crowds": crowds,
    "forgotten": forgotten,
    "described": described,
}


def position(recipe: Recipe) -> Position:
    where = CHANGES[recipe.change](played(recipe), random.Random(recipe.seed))
    wrong = problems(where)
    if wrong:
        sys.exit(f"{recipe.name}: " + "; ".join(map(str, wrong)))
    assert read_oneline(write_oneline(where), "", FOLDER) == where
    return where


# ------------------------------------------------------------------------------ tables


def counts(where: Position, nodes: int, draws: bool) -> list[int]:
    """perft(1), perft(2) and so on."""
    found = [reference.perft(where, 1, draws)]
    while 0 < found[-1] <= nodes:
        found.append(reference.perft(where, len(found) + 1, draws))
    return found


def table(recipe: Recipe) -> str:
    where = position(recipe)
    lines = [
        "[[position]]",
        f'name = "{recipe.name}"',
        f'why = "{recipe.why}"',
        f'line = "{write_oneline(where)}"',
        f"fixed_order = {counts(where, recipe.nodes, draws=False)}",
        f"all_draws = {counts(where, recipe.nodes, draws=True)}",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    for name, recipes in RECIPES.items():
        head = [
            f"# perft, {name}: sequences of 1, 2, ... moves, with the piles in their listed order and with every draw.",
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
