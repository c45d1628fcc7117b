"""Offers to keep a tile that the set lacks in the player's own tile set: once for each tile, with one answer.

There is no terminal here; the commands ask `question`, and what they have on the table is read again with the set that
`keep` returns.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable

from ..base.language import N_, _
from ..base.quoting import place_of
from ..drawing.labels import tile_words
from ..game.tiles import Tile, TileSet
from ..tileset.learning import keep_learned, own_name
from .questions import OTHER, Option, Question, expect_option, question_among

# In every language, whichever is spoken.
YES = ("yes", "y", "ja", "j", "tak", "t", "да", "д")
NO = ("no", "n", "none", "nein", "nie", "нет", "н")


class Learning:
    def __init__(self, folder: str) -> None:
        self._folder = folder  # which the names of tile sets are relative to
        self._asked: set[Tile] = set()

    def pass_over(self, tiles: Iterable[Tile]) -> None:
        """These were described in another session: nobody is asked about them."""
        self._asked.update(tiles)

    def next(self, tiles: Iterable[Tile]) -> Tile | None:
        """A described tile that nobody was asked about; it counts as asked about from now on."""
        tile = next((tile for tile in tiles if tile.described and tile not in self._asked), None)
        if tile is not None:
            self._asked.add(tile)
        return tile

    def question(self, tile: Tile, tile_set: TileSet) -> Question:
        text = _("A new tile. Keep {tile} in {file}", tile=tile_words(tile), file=self._file(tile_set))
        options = (Option("1", _("yes"), True, YES), Option(OTHER, _("no"), False, NO))
        return question_among("learn", text, options, default="1")

    def wants(self, text: str, question: Question) -> bool:
        """InputError if the answer is neither yes nor no."""
        return bool(expect_option(text or question.default, question).value)

    def keep(self, tile: Tile, tile_set: TileSet, seen: Collection[Tile]) -> tuple[TileSet, str]:
        """The set with the tile in it, and what to say about that. InputError if the tile does not fit it."""
        file = self._file(tile_set)
        learned, own = keep_learned(self._folder, tile_set, tile, seen)
        told = N_("{tile} is {id} in {file}.")
        if learned.name != tile_set.name:
            told = N_("{tile} is {id} in {file}. Use it in other games with --tiles {file}; this one names it now.")
        return learned, _(told, tile=tile_words(tile), id=own.id, file=file)

    def _file(self, tile_set: TileSet) -> str:
        return place_of(os.path.join(self._folder, own_name(tile_set, self._folder)))
