"""A tile set, and what is wrong with one, as plain data ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..base.json import check_document, problems_to_json
from ..game.kinds import expect_tile_set
from ..game.vocabulary import Colour

if TYPE_CHECKING:
    from ..base.errors import Problem
    from ..game.tiles import Tile, TileSet

FORMAT, CHECK_FORMAT, VERSION = "orbis-tiles", "orbis-tiles-check", 1


def tile_set_to_json(tile_set: TileSet) -> dict[str, Any]:
    """The set with every tile.

    >>> tile_set_to_json(orbis.load_tile_set())["tiles"][0]["id"]
    'r1a'
    """
    expect_tile_set(tile_set)
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": tile_set.name,
        "title": tile_set.title,
        "description": tile_set.description,
        "tiles": [_tile_to_json(tile) for tile in tile_set.tiles],
    }


def _tile_to_json(tile: Tile) -> dict[str, Any]:
    return {
        "id": tile.id,
        "level": tile.level,
        "colour": tile.colour.word,
        "cost": {colour.word: count for colour, count in zip(Colour, tile.cost)} | {"any": tile.any_cost},
        "effect": tile.effect.word,
        "number": tile.number,
        "colours": [colour.word for colour in tile.colours],
        "cp": tile.cp,
        "mystic": tile.mystic,
        "star": tile.star.word,
    }


def tile_set_check_to_json(problems: Sequence[Problem], warnings: Iterable[Problem] = ()) -> dict[str, Any]:
    """`warnings` come from `tile_set_warnings`, for a set without a problem."""
    sound = None if problems else dict[str, Any]()
    return check_document(CHECK_FORMAT, problems, sound, warnings=problems_to_json(warnings))
