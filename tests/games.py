"""Whole games for tests: played at random by the rules, from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from orbis_search.core.packing import Packing, unpack_move
from orbis_search.entry.keystrokes import ENTER, keys_of_move
from orbis_search.game import rules
from orbis_search.game.position import Move, Player, Position
from orbis_search.record.game import Record, Stage, Turn
from orbis_search.tileset.library import load_tile_set

NAMES = ("Anna", "Bo", "Cem Özil", "Dora D.")


def start(seed: int, players: int, tiles: str = "reconstruction") -> Position:
    """A fresh game with names."""
    position = rules.new_game(load_tile_set(tiles), players, random.Random(seed))
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


def keys(stage: Stage, move: Move) -> list[str]:
    """What enters the move, line by line."""
    return [line.removesuffix(ENTER) for line in keys_of_move(stage, move)]


COMMENTS = ("", "good", "was this a # slip?", "ä ö ü; 1. b2", "| bar : colon", '"quoted"')


def annotated(record: Record, rng: random.Random, depth: int = 2) -> Record:
    """With comments and variations here and there, nested ones too."""
    turns = _annotated(Stage(record.start), record.turns, rng, depth)
    words = tuple(rng.choices(COMMENTS, k=rng.randrange(3)))
    extra = (("x-level", "club"), ("x-odd", rng.choice(("#1", ' "a', "a: b", "1 # 2"))))
    return replace(
        record, turns=turns, comments=words, end=words[::-1], extra=extra, date=rng.choice(("2026-11-16", ""))
    )


def _annotated(stage: Stage, turns: Sequence[Turn], rng: random.Random, depth: int) -> tuple[Turn, ...]:
    found = []
    for turn in turns:
        variations = []
        if depth and rng.random() < 0.15 and not stage.unseen:
            for _ in range(rng.randrange(1, 3)):
                other = play(Record(stage.position), rng.randrange(1, 4), rng.getrandbits(32), unknown=0.2)
                variations.append(_annotated(Stage(stage.position), other.turns, rng, depth - 1))
        comment = rng.choice(COMMENTS) if rng.random() < 0.3 else ""
        above = tuple(rng.choices(COMMENTS, k=2)) if rng.random() < 0.1 else ()
        found.append(turn._replace(comment=comment, above=above, variations=tuple(variations)))
        stage = stage.after(turn.move, turn.drawn)
    return tuple(found)
