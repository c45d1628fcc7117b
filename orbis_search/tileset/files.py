"""A tile set as a TOML file: checked, read, written, and a template to fill in beside the box.

A file has 65 tiles, one inline table each, with costs and effects in the words of `syntax`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ..base.errors import InputError, Problem, place_words
from ..base.language import N_, _, ngettext
from ..base.quoting import UNFILLED, fold, nearest, shown
from ..base.synonyms import WORDS
from ..base.toml import NotToml, toml_string, toml_tables
from ..base.values import NamedTuple
from ..game.kinds import expect_text
from ..game.tile_limits import at, limit_problems
from ..game.tiles import Tile, TileSet
from ..game.vocabulary import CELLS, LEVEL_SIZES, LEVELS, NOBODY, STAR_COUNTS, Colour, Effect, God, Star
from .syntax import (
    ALL_LETTERS,
    CostText,
    EffectText,
    Misread,
    cost_text,
    effect_text,
    is_tile_word,
    parse_colour,
    parse_cost,
    parse_effect,
    parse_star,
)

# --- checking ---------------------------------------------------------------------------------------


# Words that mean something in the notations for positions and moves.
NOTATION_WORDS = (
    "wild",
    "wilderness",
    "cancelled",
    "valid",
    "validated",
    "god",
    "nobody",
    "swap",
    "pay",
    "give",
    "remove",
    "keep",
    "left",
    "tile",
    "tiles",
    "x",
    "w",
    "1l",
    "1r",
)

_ID = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9-]{0,15}")
_RESERVED = frozenset(
    (*CELLS, *NOTATION_WORDS, *ALL_LETTERS, *(god.word for god in God), *(fold(w) for ws in WORDS.values() for w in ws))
)


def id_message(tile_id: str) -> str | None:
    """Why this cannot be a tile's id; None if it can."""
    if not _ID.fullmatch(tile_id):
        return _(
            "expected an id of 1 to 16 letters, digits and -, with at least one letter and no - in front, found"
            " {found}",
            found=shown(tile_id),
        )
    if fold(tile_id) in _RESERVED or is_tile_word(tile_id):
        return _("expected an id that means nothing else in positions and moves, found {found}", found=shown(tile_id))
    return None


def tile_problems(tile: Tile, place: str = "") -> list[Problem]:
    """Everything wrong with one tile's features, whatever set it is in."""
    found = limit_problems(tile, place)
    if tile.effect is Effect.SACRED_STONE and tile.cp != 1:
        found.append(Problem(at(place, "cp"), _("expected 1 CP on a sacred stone, found {found}", found=tile.cp)))
    if tile.mystic is not None:
        if tile.colour is not Colour.WHITE:
            message = _(
                "expected mystic values on white tiles only, found {found} on {colour}",
                found=tile.mystic,
                colour=tile.colour.label,
            )
            found.append(Problem(at(place, "mystic"), message))
    elif tile.effect is Effect.TEMPLE:
        message = (
            _("expected a mystic value on a tile with a temple, found none")
            if tile.colour is Colour.WHITE
            else _("expected a mystic value on a tile with a temple, found none (only a white tile can have one)")
        )
        found.append(Problem(at(place, "mystic"), message))
    return found


class _Known(NamedTuple):
    """What the checks across a set need to know of a tile, even one that was only partly readable."""

    place: str
    id: str | None
    level: int | None
    star: Star | None
    mystic: int | None


def _set_problems(tiles: Sequence[_Known], place: str) -> list[Problem]:
    found: list[Problem] = []
    if len(tiles) != sum(LEVEL_SIZES):
        message = _count_message(sum(LEVEL_SIZES), len(tiles))
        found.append(Problem(at(place, "tiles"), message))
    # A tile of unknown level or star would make every count below it a guess.
    if all(tile.level in LEVELS for tile in tiles):
        for level, size in zip(LEVELS, LEVEL_SIZES):
            here = [tile for tile in tiles if tile.level == level]
            where = at(place, f"level {level}")
            if len(here) != size:
                found.append(Problem(where, _count_message(size, len(here))))
            if any(tile.star is None for tile in here):
                continue
            for star, counts in STAR_COUNTS.items():
                expected, stars = counts[level - 1], sum(tile.star is star for tile in here)
                if stars != expected:
                    found.append(Problem(where, _star_message(star, expected, stars)))
    found += _twice(tiles, "id", place)
    found += _twice(tiles, "mystic", place)
    return found


def _count_message(expected: int, found: int) -> str:
    return ngettext("expected {n} tile, found {found}", "expected {n} tiles, found {found}", expected, found=found)


def _star_message(star: Star, expected: int, found: int) -> str:
    if star is Star.WHITE:
        return ngettext(
            "expected {n} tile with a white star, found {found}",
            "expected {n} tiles with a white star, found {found}",
            expected,
            found=found,
        )
    return ngettext(
        "expected {n} tile with a purple star, found {found}",
        "expected {n} tiles with a purple star, found {found}",
        expected,
        found=found,
    )


def _twice(tiles: Sequence[_Known], key: str, place: str) -> list[Problem]:
    """One problem for each tile whose id or mystic value an earlier tile has already."""
    found: list[Problem] = []
    first: dict[object, _Known] = {}
    for tile in tiles:
        value = getattr(tile, key)
        if value is None:
            continue
        if value in first:
            message = {
                "id": N_("expected an id of its own, found {found} as on {place}"),
                "mystic": N_("expected a mystic value of its own, found {found} as on {place}"),
            }[key]
            message = _(message, found=shown(value), place=place_words(first[value].place))
            found.append(Problem(at(place, tile.place, key), message))
        else:
            first[value] = tile
    return found


def _tile_place(index: int, tile_id: Any) -> str:
    named = isinstance(tile_id, str) and tile_id
    return f"tile {index + 1} ({tile_id[:20]})" if named else f"tile {index + 1}"


def tile_set_problems(tile_set: TileSet, place: str = "") -> list[Problem]:
    """Everything wrong with a set that is already made of tiles."""
    found: list[Problem] = []
    known = []
    for index, tile in enumerate(tile_set.tiles):
        where = _tile_place(index, tile.id)
        known.append(_Known(where, tile.id, tile.level, tile.star, tile.mystic))
        if message := id_message(tile.id):
            found.append(Problem(at(place, where, "id"), message))
        found += tile_problems(tile, at(place, where))
    return found + _set_problems(known, place)


def tile_set_warnings(tile_set: TileSet, place: str = "") -> list[Problem]:
    """What is allowed but probably a slip of the pen."""
    found: list[Problem] = []
    first: dict[object, int] = {}
    for index, tile in enumerate(tile_set.tiles):
        where = at(place, _tile_place(index, tile.id))
        earlier = first.setdefault(tile.features, index)
        if earlier != index:
            other = _tile_place(earlier, tile_set.tiles[earlier].id)
            found.append(Problem(where, _("is the same as {other} in everything but its id", other=place_words(other))))
        if tile.colour is Colour.WHITE and tile.mystic is None:
            found.append(Problem(where, _("is white and has no mystic value")))
    return found


# --- reading ----------------------------------------------------------------------------------------

FILE_KEYS = ("name", "title", "description", "guesses", "tiles", "learned")
INSTEAD = "instead"  # in a learned tile: the guess whose place it has taken
TILE_KEYS = ("id", "level", "colour", "cost", "effect", "cp", "mystic", "star")


def _unknown_keys(table: dict[str, Any], known: tuple[str, ...], place: str) -> list[Problem]:
    found = []
    for key in table:
        if key not in known:
            message = _("expected keys {keys}, found {found}", keys=", ".join(known), found=shown(key)) + nearest(
                key, known
            )
            found.append(Problem(place, message))
    return found


def _as_text(value: object) -> str:
    if not isinstance(value, str):
        raise Misread(_("expected text in quotes, found {found}", found=shown(value)))
    return value


def _as_number(value: object) -> int:
    """A whole number, also in quotes, as in a template."""
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,4}\s*", value):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Misread(_("expected a whole number, found {found}", found=shown(value)))
    return value


def _as_mystic(value: object) -> int | None:
    if isinstance(value, str) and value.strip() in ("", "-", "none"):
        return None
    return _as_number(value)


def _as_id(value: object) -> str:
    text = _as_text(value)
    if message := id_message(text):
        raise Misread(message)
    return text


_TILE_READERS: dict[str, Callable[[object], Any]] = {
    "id": _as_id,
    "level": _as_number,
    "colour": lambda value: parse_colour(_as_text(value)),
    "cost": lambda value: parse_cost(_as_text(value)),
    "effect": lambda value: parse_effect(_as_text(value)),
    "cp": _as_number,
    "mystic": _as_mystic,
    "star": lambda value: parse_star(_as_text(value)),
}
_TILE_DEFAULTS = {
    "cost": CostText(NOBODY, 0),
    "effect": EffectText(Effect.NONE, 0, ()),
    "mystic": None,
    "star": Star.NONE,
}


def _read_tile(
    entry: object, index: int, place: str, keys: tuple[str, ...] = TILE_KEYS
) -> tuple[Tile | None, _Known, list[Problem]]:
    """One entry of `tiles`: the tile if it is whole, what is known of it if not, and its problems."""
    if not isinstance(entry, dict):
        where = _tile_place(index, None)
        message = _('expected a table such as {{ id = "r1a", level = 1, ... }}, found {found}', found=shown(entry))
        return None, _Known(where, None, None, None, None), [Problem(at(place, where), message)]
    where = _tile_place(index, entry.get("id"))
    found = _unknown_keys(entry, keys, at(place, where))
    values: dict[str, Any] = dict(_TILE_DEFAULTS)
    unfilled = [key for key in TILE_KEYS if entry.get(key) == UNFILLED]
    if unfilled:
        message = _("expected a value for {keys}, found {found}", keys=", ".join(unfilled), found=shown(UNFILLED))
        found.append(Problem(at(place, where), message))
    for key in TILE_KEYS:
        if key in unfilled:
            values.pop(key, None)
        elif key in entry:
            try:
                values[key] = _TILE_READERS[key](entry[key])
            except Misread as error:
                values.pop(key, None)
                found.append(Problem(at(place, where, key), str(error)))
        elif key in ("id", "level", "colour"):
            found.append(Problem(at(place, where), _("expected a value for {key}, found none", key=key)))
    if "cp" not in entry and "effect" in values:
        values["cp"] = int(values["effect"].effect is Effect.SACRED_STONE)
    known = _Known(where, values.get("id"), values.get("level"), values.get("star"), values.get("mystic"))
    if any(key not in values for key in TILE_KEYS):
        return None, known, found
    cost, effect = values["cost"], values["effect"]
    tile = Tile(
        values["id"],
        values["level"],
        values["colour"],
        cost.coloured,
        cost.any,
        effect.effect,
        effect.number,
        effect.colours,
        values["cp"],
        values["mystic"],
        values["star"],
    )
    return tile, known, found + tile_problems(tile, at(place, where))


def parse_tile_set(text: str, name: str, place: str = "") -> TileSet:
    """Read a tile set's text. `name` is what positions call it, `place` what messages call it.

    Raises InputError with every problem of the file.
    """
    try:
        data = toml_tables(text)
    except NotToml as error:
        message = _("expected a tile set in TOML, found a syntax error: {error}", error=error)
        raise InputError.one(place, message) from None
    if "centre" in data or "player" in data:
        raise InputError.one(place, _("expected a tile set, found a position"))
    found = _unknown_keys(data, FILE_KEYS, place)
    texts = {}
    for key in ("name", "title", "description"):
        texts[key] = data.get(key, "")
        if not isinstance(texts[key], str):
            found.append(Problem(at(place, key), _("expected text in quotes, found {found}", found=shown(texts[key]))))
    if not isinstance(data.get("guesses", False), bool):
        message = _("expected true or false, found {found}", found=shown(data["guesses"]))
        found.append(Problem(at(place, "guesses"), message))
    entries = data.get("tiles")
    if not isinstance(entries, list):
        found_instead = _("none") if entries is None else shown(entries)
        message = _("expected a list of {count} tiles, found {found}", count=sum(LEVEL_SIZES), found=found_instead)
        found.append(Problem(at(place, "tiles"), message))
        raise InputError(found)
    read = [_read_tile(entry, index, place) for index, entry in enumerate(entries)]
    for *_known, problems in read:
        found += problems
    found += _set_problems([known for _, known, _ in read], place)
    if found:
        raise InputError(found)
    tiles = tuple(tile for tile, _, _ in read if tile is not None)
    tile_set = TileSet(name, texts["title"], texts["description"].strip(), tiles)
    return _with_learned(tile_set, data.get("learned", []), place)


def _with_learned(tile_set: TileSet, entries: object, place: str) -> TileSet:
    """The set with each learned tile in the place of a guess."""
    if not isinstance(entries, list):
        message = _("expected [[learned]] tables, found {found}", found=shown(entries))
        raise InputError.one(at(place, "learned"), message)
    guesses = {tile.id for tile in tile_set.tiles}
    for index, entry in enumerate(entries):
        tile, known, problems = _read_tile(entry, index, at(place, "learned"), (*TILE_KEYS, INSTEAD))
        instead = entry.get(INSTEAD) if isinstance(entry, dict) else None
        if isinstance(entry, dict) and (not isinstance(instead, str) or instead not in guesses):
            message = _("expected the id of a tile that is still a guess, found {found}", found=shown(instead))
            problems.append(Problem(at(place, "learned", known.place, INSTEAD), message))
        if tile is None or problems or not isinstance(instead, str):
            raise InputError(problems)
        guesses.remove(instead)
        tile_set = learn(tile_set, tile, instead)
        if problems := tile_set_problems(tile_set, place):
            raise InputError(problems)
    return tile_set


def learn(tile_set: TileSet, tile: Tile, instead: str) -> TileSet:
    """The set with a tile in the place of the guess that has this id."""
    tiles = tuple(tile if each.id == instead else each for each in tile_set.tiles)
    return tile_set._replace(tiles=tiles, before=tile_set)


# --- writing ----------------------------------------------------------------------------------------


def tile_line(tile: Tile) -> str:
    """The tile as an inline table, without what equals the default."""
    return "{ " + ", ".join(_tile_fields(tile)) + " }"


def learned_text(tile: Tile, instead: str) -> str:
    """A learned tile as a table that can stand at the end of any tile set."""
    return "\n".join(["[[learned]]", *_tile_fields(tile), f'{INSTEAD} = "{instead}"', ""])


def _tile_fields(tile: Tile) -> list[str]:
    fields = [f'id = "{tile.id}"', f"level = {tile.level}", f'colour = "{tile.colour.word}"']
    if tile.cost != NOBODY or tile.any_cost:
        fields.append(f'cost = "{cost_text(tile)}"')
    if tile.effect is not Effect.NONE:
        fields.append(f'effect = "{effect_text(tile)}"')
    if tile.cp and tile.effect is not Effect.SACRED_STONE:
        fields.append(f"cp = {tile.cp}")
    if tile.mystic is not None:
        fields.append(f"mystic = {tile.mystic}")
    if tile.star is not Star.NONE:
        fields.append(f'star = "{tile.star.word}"')
    return fields


def dump_tile_set(tile_set: TileSet, guesses: bool = False) -> str:
    """The set as a TOML text that `parse_tile_set` reads back to an equal one. `guesses`: whether what it has not
    learned may give way to what it will learn."""
    for key in ("name", "title", "description"):
        expect_text(getattr(tile_set, key), key)
    head = [f"name = {toml_string(tile_set.name)}", f"title = {toml_string(tile_set.title)}"]
    if tile_set.description:
        head.append(f"description = {toml_string(tile_set.description, lines=True)}")
    if guesses or tile_set.before is not None:
        head.append("guesses = true")
    states = [tile_set, *tile_set.earlier()]
    lines = [f"  {tile_line(tile)}," for tile in states[-1].tiles]
    text = "\n".join([*head, "tiles = [", *lines, "]", ""])
    for before, after in zip(states[:0:-1], states[-2::-1]):
        ((old, new),) = [(old, new) for old, new in zip(before.tiles, after.tiles) if old != new]
        text += "\n" + learned_text(new, old.id)
    return text


_TEMPLATE_HEAD = N_("""\
# A tile set for orbis-search, to be filled in from the box.
#
# Sort the 65 region tiles by level and by star: the lines below are in that order. Replace every "?".
#   colour  red, green, blue, yellow or white; the first letter is enough
#   cost    letters r g b y w, and a for "any colour": "gba" is 1 green, 1 blue, 1 of any colour;
#           "g2a3" is 2 green, 3 of any colour; "free" if it costs nothing
#   effect  one of
#             "farm g"          costs of green become free
#             "village 3"       give back 3 worshipers
#             "forest 3 rg"     3 neighbours that are red or green
#             "volcano 2 rb"    remove 2 worshipers that are red or blue
#             "irrigation r"    a red tile right under it
#             "temple 2"        two temples
#             "gain 2 r", "gain 1 any"
#             "stone"           the sacred stone, always 1 CP
#             "none"            nothing but its CP
#   cp      the Creation Points printed on it, 0 if there are none
#   mystic  the mystic value; on white tiles only, leave it empty on the others
# The ids are yours to change: 1 to 16 letters, digits and "-".
# At any time, `orbis tiles check FILE` says what is missing or wrong.
""")
_TEMPLATE_START = """
name = "my-box"
title = "My box"
description = ""
tiles = [
"""
_STAR_HEADINGS = {
    Star.NONE: N_("no star: in every game"),
    Star.PURPLE: N_("purple star: with three or four players"),
    Star.WHITE: N_("white star: with four players only"),
}


def template_text() -> str:
    """A starting file with the 65 lines prepared by level and star, the rest to be filled in."""
    parts = [_(_TEMPLATE_HEAD), _TEMPLATE_START]
    for level, size in zip(LEVELS, LEVEL_SIZES):
        stars = {star: counts[level - 1] for star, counts in STAR_COUNTS.items()}
        stars[Star.NONE] = size - sum(stars.values())
        number = 0
        for star, heading in _STAR_HEADINGS.items():
            parts.append("\n  # " + _("level {level}, {stars}", level=level, stars=_(heading)) + "\n")
            mark = "" if star is Star.NONE else f', star = "{star.word}"'
            for _each in range(stars[star]):
                number += 1
                parts.append(
                    f'  {{ id = "t{level}-{number:02}", level = {level}, colour = "?", cost = "?", '
                    f'effect = "?", cp = "?", mystic = ""{mark} }},\n'
                )
    parts.append("]\n")
    return "".join(parts)
