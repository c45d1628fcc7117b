"""Whole games for tests: played at random by the rules, from a seed."""

from __future__ import annotations

import random

from orbis_search import reference
from orbis_search.packing import Packing, unpack_move
from orbis_search.position import Player, Position
from orbis_search.record import Record
from orbis_search.tilesets import load_tile_set

NAMES = ("Anna", "Bo", "Cem Özil", "Dora D.")


def start(seed: int, players: int, tiles: str = "reconstruction") -> Position:
    """A fresh game with names."""
    position = reference.new_game(load_tile_set(tiles), players, random.Random(seed))
    return position._replace(players=tuple(Player(name) for name in NAMES[:players]))


def play(record: Record, turns: int, seed: int, style: str = "random", unknown: float = 0.0) -> Record:
    """So many turns more, or to the end. Some draws are not noted, by their probability, until the tile is taken."""
    rng = random.Random(seed)
    hidden = {}  # what lies where nobody has looked
    for _ in range(turns):
        position = record.position()
        if position.is_over:
            break
        full = position
        for cell, tile in hidden.items():
            centre = list(full.centre)
            centre[cell] = centre[cell]._replace(tile=tile)
            full = full._replace(centre=tuple(centre))
        packing = Packing(full)
        move = unpack_move(packing.state.choose(style, rng.getrandbits(64)))
        if move.cell in hidden:
            record = record.seen(move.cell, hidden.pop(move.cell))
        possible = [tile for tile in record.stage().draws(move) if tile not in hidden.values()]
        drawn = rng.choice(possible) if possible else None
        noted = rng.random() >= unknown
        record = record.play(move, drawn if noted else None)
        if not noted and drawn is not None:
            hidden[move.cell] = drawn
        hidden = {each.cell: hidden[each.cell] for each in record.stage().unseen}
    return record


def game(seed: int, players: int = 2, tiles: str = "reconstruction", turns: int = 60, unknown: float = 0.0) -> Record:
    return play(Record(start(seed, players, tiles)), turns, seed, unknown=unknown)
