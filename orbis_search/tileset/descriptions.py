"""A tile in one short line, and back: `blue L3 cost gba irrigation r 4cp`.

A description may leave things out as long as it fits one tile of the set, so that a person at the
table can write what they see. One that says everything may also name a tile that the set lacks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..base.errors import InputError
from ..base.language import ENGLISH, N_, _, language
from ..base.quoting import fold, nearest, shown
from ..base.values import NamedTuple
from ..game.tile_limits import expect_fine_tile
from ..game.tiles import Tile
from ..game.vocabulary import COLOUR_LETTERS, MAX_EFFECT_NUMBER, Colour, Effect, Star
from .syntax import (
    COLOUR_OF,
    EFFECT_WORDS,
    KEYWORD_OF,
    KEYWORDS,
    STAR_OF,
    CostText,
    EffectText,
    Misread,
    cost_text,
    effect_text,
    is_tile_word,
    read_cost,
    read_effect,
    read_number,
    starts_effect,
    tokens_of,
)

MAX_LISTED = 8  # tiles named in a message when several fit


def describe(tile: Tile) -> str:
    """The canonical description: everything printed on the tile, always in this order.

    >>> describe(position.centre[1].tile)
    'red L2 cost rw volcano 2 gb 1cp'
    """
    expect_fine_tile(tile)
    return _description(tile)


def _description(tile: Tile) -> str:
    cost = cost_text(tile)
    parts = [tile.colour.word, f"L{tile.level}"]
    parts += [cost] if cost == KEYWORDS["free"][0] else [KEYWORDS["cost"][0], cost]
    parts += [effect_text(tile), f"{tile.cp}cp"]
    if tile.mystic is not None:
        parts.append(f"mystic {tile.mystic}")
    if tile.star is not Star.NONE:
        parts.append(f"{tile.star.word}-star")
    return " ".join(parts)


def tell(tile: Tile) -> str:
    """The same for people, in their language; it can also be typed in, whatever the current language.

    >>> tell(position.centre[1].tile)
    'red L2 cost rw volcano 2 gb 1cp'
    """
    if language() == ENGLISH:
        return describe(tile)
    return " ".join(_parts(tile).values())


def tell_apart(tiles: Sequence[Tile], most: int = MAX_LISTED) -> str:
    """Tiles in a list, each with what not all of them have in common.

    >>> tell_apart([tile for tile in position.tiles.tiles if tile.id in ("r2a", "r2b")])
    'r2a (cost rw volcano 2 gb 1cp), r2b (cost ya2 volcano 3 rgy 2cp)'
    """
    parts = [_parts(tile) for tile in tiles]
    same = {name for name in parts[0] if all(each.get(name) == parts[0][name] for each in parts)} if parts else set()
    listed = []
    for tile, its in list(zip(tiles, parts))[:most]:
        words = " ".join(text for name, text in its.items() if name not in same)
        name = "" if tile.described else tile.id
        listed.append(f"{name} ({words})" if name and words else name or words)
    return ", ".join(listed) + (", ..." if len(tiles) > most else "")


_AT_A_GLANCE = ("colour", "effect", "cost", "cp", "mystic", "star", "level")  # in which order people tell tiles apart


def tell_briefly(tiles: Sequence[Tile], most: int = MAX_LISTED) -> str:
    """Tiles in a list, each with no more than tells it from the others; for lists from which people choose.

    >>> tell_briefly([tile for tile in position.tiles.tiles if tile.id in ("r2a", "r2b", "g2a")])
    'r2a (red volcano 2 gb), r2b (red volcano 3 rgy), g2a (green)'
    """
    parts = [_parts(tile) for tile in tiles]
    differing = [name for name in _AT_A_GLANCE if len({its.get(name) for its in parts}) > 1]
    listed = []
    for tile, its in list(zip(tiles, parts))[:most]:
        like_it, words = parts, []
        for name in differing:
            if len(like_it) > 1:
                like_it = [each for each in like_it if each.get(name) == its.get(name)]
                words += [its[name]] if name in its else []
        listed.append(tell(tile) if tile.described else f"{tile.id} ({' '.join(words)})" if words else tile.id)
    return ", ".join(listed) + (", ..." if len(tiles) > most else "")


def _parts(tile: Tile) -> dict[str, str]:
    """What `tell` says, feature by feature."""
    cost = cost_text(tile)
    numbers = [word for word in effect_text(tile).split()[1:] if word != "stone"]
    effect = _("no effect") if tile.effect is Effect.NONE else " ".join([tile.effect.label, *numbers])
    english = language() == ENGLISH
    parts = {
        "colour": tile.colour.label,
        "level": _("L{level}", level=tile.level),
        "cost": _("free") if cost == KEYWORDS["free"][0] else _("cost {cost}", cost=cost),
        "effect": effect_text(tile) if english else effect,
        "cp": _("{points}cp", points=tile.cp),
    }
    if tile.mystic is not None:
        parts["mystic"] = _("mystic {value}", value=tile.mystic)
    if tile.star is not Star.NONE:
        parts["star"] = {Star.WHITE: _("white-star"), Star.PURPLE: _("purple-star")}[tile.star]
    return parts


class Description(NamedTuple):
    """What somebody said about a tile; None where they said nothing."""

    level: int | None = None
    colour: Colour | None = None
    cost: CostText | None = None
    effect: EffectText | None = None  # may itself lack a number or colours
    cp: int | None = None
    mystic: int | None = None
    star: Star | None = None

    def fits(self, tile: Tile) -> bool:
        """Whether everything said is true of this tile."""
        effect = self.effect
        said_and_true = (
            (self.level, tile.level),
            (self.colour, tile.colour),
            (self.cost, (tile.cost, tile.any_cost)),
            (effect and effect.effect, tile.effect),
            (effect and effect.number, tile.number),
            (effect and effect.colours, tile.colours),
            (self.cp, tile.cp),
            (self.mystic, tile.mystic),
            (self.star, tile.star),
        )
        return all(said is None or said == true for said, true in said_and_true)

    def missing(self) -> list[str]:
        """What must be added before this describes a tile that no set lists."""
        words = []
        if self.colour is None:
            words.append(_("its colour"))
        if self.level is None:
            words.append(_("its level (such as L2)"))
        if self.cost is None:
            words.append(_("its cost (such as cost gba, or free)"))
        if self.effect is None:
            words.append(_("its effect (or none)"))
        else:
            words += self.effect.missing()
        stone = self.effect is not None and self.effect.effect is Effect.SACRED_STONE
        if self.cp is None and not stone:
            words.append(_("its points (such as 3cp)"))
        return words

    def tile(self) -> Tile | None:
        """The tile described, None if something is missing. Its id is the canonical description."""
        if self.missing() or self.level is None or self.colour is None or not (self.cost and self.effect):
            return None
        effect = self.effect.whole()
        cp = 1 if self.cp is None else self.cp  # only a sacred stone may leave it out
        tile = Tile(
            "",
            self.level,
            self.colour,
            self.cost.coloured,
            self.cost.any,
            effect.effect,
            effect.number or 0,
            effect.colours or (),
            cp,
            self.mystic,
            self.star or Star.NONE,
        )
        return described(tile)


def described(tile: Tile) -> Tile:
    """The same tile as one that is described in place: its id is the canonical description."""
    return tile._replace(id=_description(tile).replace(" ", "_"), described=True)


# --- reading ----------------------------------------------------------------------------------------

_COLOUR_AND_LEVEL = re.compile(rf"([{COLOUR_LETTERS}])([1-3])")  # y1, as ids begin
_GLUED = re.compile(r"([^\W\d_]+)([0-9]+)|([0-9]+)([^\W\d_]+)")


def _unglued(token: str) -> list[str]:
    """`L3`, `4cp`, `mystic7` and `white-star` split into their parts; anything else as it is."""
    parts = token.split("-")
    if len(parts) > 1 and any(part in KEYWORD_OF for part in parts):
        return [piece for part in parts if part for piece in _unglued(part)]
    if match := _GLUED.fullmatch(token):
        parts = [part for part in match.groups() if part]
        if any(KEYWORD_OF.get(part) in ("level", "cp", "mystic") for part in parts):
            return parts
    return [token]


_LEAST_LETTERS = 3  # of an effect's name


def spelled_out(token: str) -> str:
    """`volc` as `volcano`: the beginning of one effect's name and of nothing else."""
    if len(token) < _LEAST_LETTERS or not token.isalpha() or is_tile_word(token):
        return token
    found = {effect for effect, words in EFFECT_WORDS.items() if any(fold(word).startswith(token) for word in words)}
    return EFFECT_WORDS[found.pop()][0] if len(found) == 1 else token


_AGAIN = {
    "level": N_("expected the tile's level once, found it again as {found}"),
    "colour": N_("expected the tile's colour once, found it again as {found}"),
    "cost": N_("expected the tile's cost once, found it again as {found}"),
    "effect": N_("expected the tile's effect once, found it again as {found}"),
    "cp": N_("expected the tile's cp once, found it again as {found}"),
    "mystic": N_("expected the tile's mystic once, found it again as {found}"),
    "star": N_("expected the tile's star once, found it again as {found}"),
}


class _Reader:
    """Walks over the words of a description; each feature may be said once, in any order."""

    def __init__(self, text: str) -> None:
        self.tokens = [spelled_out(part) for token in tokens_of(text) for part in _unglued(token)]
        self.at = 0
        self.said: dict[str, object] = {}

    def read(self) -> Description:
        if not self.tokens:
            raise Misread(_("expected a tile, found nothing"))
        while self.at < len(self.tokens):
            self._read_feature()
        return Description(**self.said)  # type: ignore[arg-type]

    def _key(self, ahead: int = 0) -> str | None:
        return KEYWORD_OF.get(self._word(ahead))

    def _word(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def _say(self, feature: str, value: object, end: int) -> None:
        if feature in self.said:
            words = " ".join(self.tokens[self.at : end])
            raise Misread(_(_AGAIN[feature], found=shown(words)))
        self.said[feature] = value
        self.at = end

    def _read_feature(self) -> None:
        key, number = self._key(), read_number(self.tokens, self.at + 1)
        star = STAR_OF.get(self._word(1)) if key == "star" else STAR_OF.get(self._word())
        if star is not None and "star" in (key, self._key(1)):
            self._say("star", star, self.at + 2)
        elif key == "no" and self._key(1) == "star":
            self._say("star", Star.NONE, self.at + 2)
        elif key in ("level", "cp", "mystic") and number is not None:
            self._say(key, number, self.at + 2)
        elif self._key(1) == "cp" and read_number(self.tokens, self.at) is not None:
            self._say("cp", read_number(self.tokens, self.at), self.at + 2)
        elif key in ("cost", "free"):
            self._say("cost", *read_cost(self.tokens, self.at + (key == "cost")))
        elif starts_effect(self.tokens, self.at):
            effect, end = read_effect(self.tokens, self.at)
            most = MAX_EFFECT_NUMBER[Effect.TEMPLE]
            if effect.effect is Effect.TEMPLE and "mystic" not in self.said and (effect.number or 0) > most:
                # No tile has six temples: it is the mystic value that stands beside the temple.
                self.said["mystic"] = effect.number
                effect = effect._replace(number=None)
            self._say("effect", effect, end)
        elif COLOUR_OF.get(self._word()) is not None:
            self._say("colour", COLOUR_OF[self._word()], self.at + 1)
        elif both := _COLOUR_AND_LEVEL.fullmatch(self._word()):
            at = self.at
            self._say("colour", Colour(COLOUR_LETTERS.index(both[1])), at + 1)
            self.at = at
            self._say("level", int(both[2]), at + 1)
        else:
            raise Misread(_unknown_word(self._word()))


def _unknown_word(word: str) -> str:
    known = [colour.word for colour in Colour] + [words[0] for words in EFFECT_WORDS.values()]
    hint = nearest(word, known + [words[0] for key, words in KEYWORDS.items() if key != "filler"])
    message = _(
        "expected a tile's colour, level, cost, effect, CP, mystic value or star, found {found}", found=shown(word)
    )
    return message + hint


def read_description(text: str) -> Description:
    return _Reader(text).read()


def parse_description(text: str, place: str = "") -> Description:
    """What a line says about a tile, its parts in any order. InputError if it is not a description."""
    try:
        return read_description(text)
    except Misread as error:
        raise InputError.one(place, str(error)) from None
