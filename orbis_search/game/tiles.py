"""Region tiles and tile sets, as data. `tileset.syntax` has the words tiles are written in, `tileset.files` their file
form."""

from __future__ import annotations

from functools import cached_property

from ..base.values import NamedTuple
from .vocabulary import NOBODY, SET_UP, Colour, Effect, Star, Worshipers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT_TILE_SET = "reconstruction"
RANDOM_PREFIX = "random:"


class Tile(NamedTuple):
    """A region tile: everything printed on it, and the set's name for it."""

    id: str
    level: int
    colour: Colour
    cost: Worshipers = NOBODY
    any_cost: int = 0
    effect: Effect = Effect.NONE
    number: int = 0  # village, forest, volcano: N; temple: k; proselytism: how many are gained
    colours: tuple[Colour, ...] = ()  # sorted; farm, irrigation: one; proselytism: one, or () = any
    cp: int = 0
    mystic: int | None = None
    star: Star = Star.NONE
    described: bool = False  # described in place in a position, not from a set

    @property
    def called(self) -> str:
        """What messages call the tile: its id, or the words that describe it."""
        return self.id.replace("_", " ") if self.described else self.id

    @property
    def features(self) -> tuple[object, ...]:
        """What is printed on the tile, except its star: two tiles alike in this play alike."""
        return (
            self.level,
            self.colour,
            self.cost,
            self.any_cost,
            self.effect,
            self.number,
            self.colours,
            self.cp,
            self.mystic,
        )


class _TileSetFields(NamedTuple):
    name: str  # what a position file says: a built-in name, a path as given, or random:SEED
    title: str
    description: str
    tiles: tuple[Tile, ...]
    before: TileSet | None = None  # the set before its last tile was learned in the place of a guess


class TileSet(_TileSetFields):
    """The tiles of a box, or of one that could be."""

    def in_use(self, players: int) -> tuple[Tile, ...]:
        """The tiles used in a game with this many players, in the set's order."""
        stars = SET_UP[players].stars
        return tuple(tile for tile in self.tiles if tile.star in stars)

    def by_id(self, tile_id: str) -> Tile:
        """The tile with exactly this id; KeyError if there is none."""
        return self._by_id[tile_id]

    def named(self, text: str) -> Tile | None:
        """The tile with this id, in capitals or not where that leaves no doubt."""
        if text in self._by_id:
            return self._by_id[text]
        alike = [tile for tile in self.tiles if tile.id.lower() == text.lower()]
        return alike[0] if len(alike) == 1 else None

    def earlier(self) -> Iterator[TileSet]:
        """What the set was before each tile that it has learned, last one first: what older games were played with."""
        before = self.before
        while before is not None:
            before = before._replace(name=self.name)
            yield before
            before = before.before

    @cached_property  # for which this is not a NamedTuple itself: they have no place for it
    def _by_id(self) -> dict[str, Tile]:
        return {tile.id: tile for tile in self.tiles}
