"""How large the numbers on a tile may be: what the compiled core has room for.

The one place for these limits: the checks of tile sets and of positions ask here, and so does `core.packing`. The
figures themselves are in `vocabulary`.
"""

from __future__ import annotations

from ..base.errors import InputError, Problem
from ..base.language import N_, _, ngettext
from ..base.remembered import Remembered
from .kinds import expect_tile, expect_tile_set
from .tiles import Tile, TileSet
from .vocabulary import COLOUR_LETTERS, LEVELS, MAX_COST, MAX_CP, MAX_EFFECT_NUMBER, MAX_MYSTIC, Colour, Effect

_fine = Remembered(64)  # tile sets whose tiles are all within the limits
_fine_tiles = Remembered(512)


def expect_fine_tile(tile: Tile, place: str = "tile") -> None:
    """TypeError or InputError unless it is a tile within the limits."""
    if tile not in _fine_tiles:
        expect_tile(tile, place)
        if found := limit_problems(tile, place):
            raise InputError(found)
        _fine_tiles.add(tile)


def expect_fine_tile_set(tiles: TileSet, place: str = "tiles") -> None:
    """The same for all tiles of a set."""
    if tiles not in _fine:
        expect_tile_set(tiles, place)
        if found := [problem for tile in tiles.tiles for problem in limit_problems(tile, at(place, tile.id))]:
            raise InputError(found)
        _fine.add(tiles)


def is_within_limits(tile_set: TileSet) -> bool:
    """Whether every tile of a set is; asking again costs nothing."""
    if tile_set in _fine:
        return True
    if any(limit_problems(tile) for tile in tile_set.tiles):
        return False
    _fine.add(tile_set)
    return True


def limit_problems(tile: Tile, place: str = "") -> list[Problem]:
    """Every number on the tile that the core has no room for."""
    found = _range_problem(
        at(place, "level"),
        N_("expected a level from {low} to {high}, found {found}"),
        tile.level,
        LEVELS[0],
        LEVELS[-1],
    )
    for index, count in enumerate(tile.cost):
        if not 0 <= count <= MAX_COST:
            message = _(
                "expected a cost of {colour} worshipers from {low} to {high}, found {found}",
                colour=Colour(index).label,
                low=0,
                high=MAX_COST,
                found=count,
            )
            found.append(Problem(at(place, "cost"), message))
    found += _range_problem(
        at(place, "cost"),
        N_("expected a cost of any worshipers from {low} to {high}, found {found}"),
        tile.any_cost,
        0,
        MAX_COST,
    )
    found += _range_problem(at(place, "cp"), N_("expected CP from {low} to {high}, found {found}"), tile.cp, 0, MAX_CP)
    found += _effect_problems(tile, at(place, "effect"))
    if tile.mystic is not None:
        found += _range_problem(
            at(place, "mystic"),
            N_("expected a mystic value from {low} to {high}, found {found}"),
            tile.mystic,
            1,
            MAX_MYSTIC,
        )
    return found


def at(*parts: str) -> str:
    """A place within a place."""
    return ", ".join(part for part in parts if part)


def _range_problem(place: str, message: str, value: int, low: int, high: int) -> list[Problem]:
    if low <= value <= high:
        return []
    return [Problem(place, _(message, low=low, high=high, found=value))]


def _effect_problems(tile: Tile, place: str) -> list[Problem]:
    effect, word = tile.effect, tile.effect.label
    found: list[Problem] = []
    if effect in MAX_EFFECT_NUMBER:
        most = MAX_EFFECT_NUMBER[effect]
        if effect is Effect.PROSELYTISM and not tile.colours:
            message = N_("expected the number of a gain of any colour from {low} to {high}, found {found}")
            found += _range_problem(place, message, tile.number, 1, 1)
        elif not 1 <= tile.number <= most:
            message = _(
                "expected the number of a {effect} from {low} to {high}, found {found}",
                effect=word,
                low=1,
                high=most,
                found=tile.number,
            )
            found.append(Problem(place, message))
    elif tile.number:
        message = _("expected no number for {effect}, found {found}", effect=word, found=tile.number)
        found.append(Problem(place, message))
    one = effect in (Effect.FARM, Effect.IRRIGATION)
    some = effect in (Effect.FOREST, Effect.VOLCANO)
    least, most = int(one or some), len(Colour) if some else int(one or effect is Effect.PROSELYTISM)
    letters = "".join(colour.letter for colour in tile.colours) or _("none")
    if not least <= len(tile.colours) <= most:
        if one:
            message = _("expected one colour for the {effect}, found {found}", effect=word, found=letters)
        elif some:
            message = _("expected at least one colour for the {effect}, found {found}", effect=word, found=letters)
        else:
            message = ngettext(
                "expected at most {n} colour for the {effect}, found {found}",
                "expected at most {n} colours for the {effect}, found {found}",
                most,
                effect=word,
                found=letters,
            )
        found.append(Problem(place, message))
    elif tile.colours != tuple(sorted(set(tile.colours))):
        message = _(
            "expected each colour once, in the order {order}, found {found}", order=COLOUR_LETTERS, found=letters
        )
        found.append(Problem(place, message))
    return found
