"""A set that is only partly known learns: a tile that was seen takes the place of a guess, in the player's own file.

The guesses stay in the file, with what has been learned below them. So games and positions that name a guess can
still be read: `TileSet.earlier` has the set as it was then.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import closing

from ..base.errors import InputError
from ..base.held_files import HeldFile
from ..base.language import N_, _
from ..base.quoting import place_of
from ..base.toml import toml_tables
from ..game.tiles import Tile, TileSet
from ..game.vocabulary import Star
from .files import dump_tile_set, learn, learned_text, tile_problems, tile_set_problems
from .library import MAX_FILE_CHARACTERS, load_tile_set
from .syntax import effect_text

OWN_FILE = "my-tiles.toml"  # made where the set in use is no file


def own_name(tile_set: TileSet, folder: str) -> str:
    """What files in the folder call the set that a tile is learned in: a file's name stays; a set that is built in or
    random leads to a file beside them."""
    return tile_set.name if os.path.isfile(os.path.join(folder, tile_set.name)) else OWN_FILE


def keep_learned(folder: str, tile_set: TileSet, tile: Tile, seen: Collection[Tile]) -> tuple[TileSet, Tile]:
    """Puts a described tile into the player's own file; the set with it, and the tile as it is called there.

    A new file begins with the tiles of the set as guesses. No tile in `seen` gives way: it is on the table. InputError
    in one sentence if the tile does not fit the set, and the file is as it was.
    """
    name = own_name(tile_set, folder)
    path = os.path.join(folder, name)
    place = place_of(path)
    with closing(HeldFile(path)) as file:
        if os.path.exists(path):
            known = load_tile_set(name, folder)
            with open(path, encoding="utf-8-sig") as contents:
                text = contents.read(MAX_FILE_CHARACTERS)
            has_guesses = toml_tables(text).get("guesses", known.before is not None)
        else:
            known, has_guesses = _new_set(tile_set, name), True
            text = dump_tile_set(known, guesses=True)
        for each in known.tiles:
            if each.features == tile.features:  # another game has taught it
                return known, each
        if not has_guesses:
            message = _(
                "expected a set with guesses = true, in which a tile that was seen may take the place of a guess, "
                "found one without"
            )
            raise InputError.one(place, message)
        own = tile._replace(id=_free_id(tile, known), described=False)
        guess = _guess_for(own, known, seen, place)
        learned = learn(known, own, guess.id)
        if problems := tile_problems(own) or tile_set_problems(learned):
            raise InputError.one(place, problems[0].message)
        file.keep(f"{text.rstrip()}\n\n{learned_text(own, guess.id)}".encode())
    return learned, own


def _new_set(tile_set: TileSet, name: str) -> TileSet:
    description = _(
        "The tiles listed first are guesses, those of {set}. Each tile that was seen on the table is at the end, and "
        "takes the place of a guess.",
        set=tile_set.name,
    )
    return TileSet(name, _("My tiles, as far as they are known"), description, tile_set.tiles)


def _guess_for(tile: Tile, known: TileSet, seen: Collection[Tile], place: str) -> Tile:
    """The guess that gives way: one of the same level and star, as much like the tile as can be."""
    first = [known, *known.earlier()][-1]
    there = {each.features for each in seen}
    free = [
        each
        for each in known.tiles
        if each in first.tiles and (each.level, each.star) == (tile.level, tile.star) and each.features not in there
    ]
    if not free:
        messages = {
            Star.NONE: N_("expected a guess of level {level} without a star to give way, found none left"),
            Star.PURPLE: N_("expected a guess of level {level} with a purple star to give way, found none left"),
            Star.WHITE: N_("expected a guess of level {level} with a white star to give way, found none left"),
        }
        raise InputError.one(place, _(messages[tile.star], level=tile.level))
    alike = ("mystic", "colour", "effect", "cost", "cp")
    return max(free, key=lambda each: [getattr(each, name) == getattr(tile, name) for name in alike])


def _free_id(tile: Tile, known: TileSet) -> str:
    """`r2-volcano`, or `r2-volcano-2` if that is taken, now or before."""
    taken = {each.id.lower() for state in (known, *known.earlier()) for each in state.tiles}
    stem = f"{tile.colour.letter}{tile.level}-{effect_text(tile).split()[0]}"
    names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)
