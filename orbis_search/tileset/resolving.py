"""Which tile a text means: by its id or by a description, in a set or lacking there."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.errors import InputError, Problem
from ..base.language import _, ngettext
from ..base.options import PLAYERS, expect
from ..base.quoting import fold, nearest, shown
from ..game.kinds import expect_text
from ..game.tile_limits import expect_fine_tile_set
from ..game.tiles import Tile, TileSet
from .descriptions import MAX_LISTED, describe, described, read_description, spelled_out, tell_apart
from .files import tile_problems
from .syntax import KEYWORD_OF, Misread, starts_effect


def resolve_tile(text: str, tile_set: TileSet, players: int, place: str = "") -> Tile:
    """The tile that a text means: an id of the set, a description that fits one tile in use, or a full description of a
    tile that the set lacks. InputError if it means none or several.

        >>> resolve_tile("red level 2 cost r w", position.tiles, players=2).id
        'r2a'
    """
    expect_text(text, "text")
    expect_fine_tile_set(tile_set)
    expect("players", players, PLAYERS)
    text = text.strip()
    named = tile_set.named(text)
    if named is not None:
        return named
    for earlier in tile_set.earlier():
        if (named := earlier.named(text)) is not None:
            return described(named)  # it was a guess, which has given way to a tile that was seen
    try:
        description = read_description(text)
    except Misread as error:
        first, _blank, rest = text.partition(" ")
        for tile in tile_set.tiles if rest else ():
            if tile.id.lower() == first.rstrip(",:").lower():
                return _with_description(tile, rest.strip(), place)
        raise InputError.one(place, _unknown_tile(text, tile_set, error)) from None
    fitting = [tile for tile in tile_set.in_use(players) if description.fits(tile)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        message = ngettext(
            "expected one tile, found {found}, which fits {n}: {tiles}",
            "expected one tile, found {found}, which fits {n}: {tiles}",
            len(fitting),
            found=shown(text),
            tiles=tell_apart(fitting),
        )
        raise InputError.one(place, message)
    lacking = description.tile()
    if lacking is None:
        message = _(
            "expected a description that fits a tile of the set, found {found}, which fits none; for a tile "
            "not in the set add {missing}",
            found=shown(text),
            missing=", ".join(description.missing()),
        )
        raise InputError.one(place, message + but_for_one(text, tile_set.in_use(players)))
    if problems := tile_problems(lacking):
        raise InputError(
            Problem(
                place,
                # Translators: an error message, the text it is about, and which part of that.
                _("{message} (in {text}, {part})", message=each.message, text=shown(text), part=each.place),
            )
            for each in problems
        )
    return lacking


def but_for_one(text: str, tiles: Sequence[Tile]) -> str:
    """A hint for words that fit nothing: the one that spoils it, and the tiles that would fit without it."""
    word, fitting = spoiling_words(text, tiles) or ("", ())
    if not fitting or len(fitting) > MAX_LISTED:
        return ""
    return " " + _("({tiles} would fit but for {word})", tiles=tell_apart(fitting), word=shown(word))


def _with_description(tile: Tile, text: str, place: str) -> Tile:
    """An id followed by its description, as in lists of tiles."""
    try:
        if read_description(text).fits(tile):
            return tile
    except Misread:
        pass
    message = _(
        "expected {tile} alone or as it is ({description}), found {found} after it",
        tile=tile.id,
        description=describe(tile),
        found=shown(text),
    )
    raise InputError.one(place, message)


def _unknown_tile(text: str, tile_set: TileSet, error: Misread) -> str:
    if len(text.split()) > 1 or not text:
        return str(error)
    hint = nearest(text, [tile.id for tile in tile_set.tiles])
    return _("unknown tile: expected an id of the set or a description, found {found}", found=shown(text)) + hint


_MOST_WORDS = 20  # of a text in which the one that does not fit is looked for
_MOST_BLAMED = 4  # that may stand together: `of red and green`


def spoiling_words(text: str, tiles: Sequence[Tile]) -> tuple[str, list[Tile]] | None:
    """The fewest words without which the text fits a tile, and the tiles that it then fits; None if there are none.

    >>> words, tiles = spoiling_words("red volcano 2 of red and green", position.tiles.tiles)
    >>> words, [tile.id for tile in tiles]
    ('green', ['r3c'])
    """
    words = text.split()
    if len(words) > _MOST_WORDS:
        return None
    for number in range(1, min(_MOST_BLAMED, len(words) - 1) + 1):
        found = []
        for at in range(len(words) - number + 1):
            blamed, rest = words[at : at + number], [*words[:at], *words[at + number :]]
            if any(KEYWORD_OF.get(fold(word)) == "filler" for word in (blamed[0], blamed[-1])):
                continue
            if fitting := _fitting(" ".join(rest), tiles):
                if at and words.count(blamed[0]) > 1:
                    blamed.insert(0, words[at - 1])  # so that one sees which of the two
                # People are surest of what a tile does.
                sure = any(starts_effect([spelled_out(fold(word))], 0) for word in blamed)
                found.append((len(fitting) > MAX_LISTED, sure, len(fitting), " ".join(blamed), fitting))
        if found:
            *_order, words_blamed, fitting = min(found, key=lambda each: each[:3])
            return words_blamed, fitting
    return None


def _fitting(text: str, tiles: Sequence[Tile]) -> list[Tile]:
    try:
        description = read_description(text)
    except Misread:
        return []
    return [tile for tile in tiles if description.fits(tile)]
