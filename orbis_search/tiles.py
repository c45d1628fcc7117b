"""Region tiles and tile sets: types, the words tiles are written in, reading, checking, writing.

A tile set is a TOML file with 65 tiles, one inline table each. What a tile says is text a person can
type beside the box: costs like `gba` (1 green, 1 blue, 1 of any colour), effects like `forest 3 rg`.
The same phrases serve the descriptions of single tiles (`describe`).
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

from .errors import InputError, Problem
from .vocabulary import (
    ANY_LETTER,
    CELLS,
    COLOUR_LETTERS,
    LEVEL_SIZES,
    LEVELS,
    MAX_COST,
    MAX_CP,
    MAX_EFFECT_NUMBER,
    MAX_MYSTIC,
    NOBODY,
    SET_UP,
    STAR_COUNTS,
    Colour,
    Effect,
    God,
    Star,
    Worshipers,
)

DEFAULT_TILE_SET = "reconstruction"
RANDOM_PREFIX = "random:"
UNFILLED = "?"  # stands in a template where a player still has to write something
MAX_FILE_CHARACTERS = 1_000_000  # a tile set is some 10,000; refuse what cannot be one


@dataclass(frozen=True, slots=True)
class Tile:
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
    def features(self) -> tuple[object, ...]:
        """What is printed on the tile, but for its star: two tiles alike here play alike."""
        return (
            self.level, self.colour, self.cost, self.any_cost,
            self.effect, self.number, self.colours, self.cp, self.mystic,
        )  # fmt: skip


@dataclass(frozen=True)
class TileSet:
    """The tiles of a box, or of one that could be."""

    name: str  # what a position file says: a built-in name, a path as given, or random:SEED
    title: str
    description: str
    tiles: tuple[Tile, ...]

    def in_use(self, players: int) -> tuple[Tile, ...]:
        """The tiles that a game of so many players uses, in the set's order."""
        stars = SET_UP[players].stars
        return tuple(tile for tile in self.tiles if tile.star in stars)

    def by_id(self, tile_id: str) -> Tile:
        """The tile with exactly this id; KeyError if there is none."""
        return self._by_id[tile_id]

    @cached_property
    def _by_id(self) -> dict[str, Tile]:
        return {tile.id: tile for tile in self.tiles}


# --- words ------------------------------------------------------------------------------------------
# Every word accepted in tile texts, in the four languages of the rulebooks. Written output is always
# the first, English one. Words are compared folded (see `fold`), so accents and capitals do not matter.

COLOUR_STEMS: dict[Colour | None, dict[str, str]] = {
    Colour.RED: {"en": "red", "de": "rot", "pl": "czerwon", "ru": "красн"},
    Colour.GREEN: {"en": "green", "de": "grün", "pl": "zielon", "ru": "зелён"},
    Colour.BLUE: {"en": "blue", "de": "blau", "pl": "niebiesk", "ru": "син"},
    Colour.YELLOW: {"en": "yellow", "de": "gelb", "pl": "żółt", "ru": "жёлт"},
    Colour.WHITE: {"en": "white", "de": "weiß", "pl": "biał", "ru": "бел"},
    None: {"en": "any", "de": "beliebig", "pl": "dowoln", "ru": "люб"},
}
STAR_STEMS: dict[Star, dict[str, str]] = {
    Star.WHITE: COLOUR_STEMS[Colour.WHITE],
    Star.PURPLE: {"en": "purple", "de": "lila", "pl": "fioletow", "ru": "фиолетов"},
}
ENDINGS = {
    "en": ("",),
    "de": ("", "e", "er", "es", "en", "em"),
    "pl": ("y", "i", "a", "e", "ie", "ą", "ego", "iego", "ej", "iej", "ym", "im", "ych", "ich"),
    "ru": ("ый", "ий", "ой", "ая", "яя", "ое", "ее", "ого", "его", "ей", "ую", "юю", "ым", "им", "ых", "их"),
}
EFFECT_WORDS: dict[Effect, tuple[str, ...]] = {
    Effect.NONE: ("none", "no effect", "ohne Effekt", "kein Effekt", "bez efektu", "без эффекта"),
    Effect.FARM: ("farm", "Bauernhof", "farma", "ферма"),
    Effect.VILLAGE: ("village", "Dorf", "wioska", "деревня"),
    Effect.FOREST: ("forest", "Wald", "las", "лес"),
    Effect.VOLCANO: ("volcano", "Vulkan", "wulkan", "вулкан"),
    Effect.IRRIGATION: ("irrigation", "Bewässerungsanlage", "Bewässerung", "irygacja", "орошение"),
    Effect.TEMPLE: ("temple", "temples", "Kultstätte", "Kultstätten", "świątynia", "храм"),
    Effect.PROSELYTISM: ("gain", "proselytism", "Bekehrung", "nawrócenie", "прозелитизм"),
    Effect.SACRED_STONE: (
        "stone", "sacred stone", "Felsen", "Heiliger Felsen", "kamień", "święty kamień",
        "камень", "священный камень",
    ),
}  # fmt: skip
KEYWORDS: dict[str, tuple[str, ...]] = {
    "cost": ("cost", "costs", "Kosten", "koszt", "стоимость"),
    "free": ("free", "kostenlos", "gratis", "darmowy", "бесплатно"),
    "level": ("level", "L", "Stufe", "poziom", "уровень"),
    "cp": ("cp", "cps", "SP", "PK", "ОС"),
    "mystic": ("mystic", "Mystikwert", "mistyczna", "мистическое"),
    "star": ("star", "stars", "Stern", "Sterne", "gwiazdka", "gwiazdki", "звезда"),
    "no": ("no", "ohne", "kein", "bez", "без"),
    "filler": (
        "of", "or", "and", "with", "over", "give", "back",
        "von", "oder", "und", "mit", "lub", "i", "z", "или", "и", "из",
    ),
}  # fmt: skip

# Words that the notations for positions and moves give a meaning to.
NOTATION_WORDS = (
    "wild", "wilderness", "cancelled", "valid", "validated", "god", "nobody", "swap", "pay", "give",
    "remove", "keep", "left", "tile", "tiles", "x", "w", "1l", "1r",
)  # fmt: skip


def fold(text: str) -> str:
    """Small letters without accents, so that `Świątynia` and `swiatynia` are one word."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold().replace("ł", "l"))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _inflected(stems: dict[str, str]) -> list[str]:
    return [fold(stem + ending) for language, stem in stems.items() for ending in ENDINGS[language]]


COLOUR_OF = {word: colour for colour, stems in COLOUR_STEMS.items() for word in _inflected(stems)}
STAR_OF = {word: star for star, stems in STAR_STEMS.items() for word in _inflected(stems)}
KEYWORD_OF = {fold(word): key for key, words in KEYWORDS.items() for word in words}
_EFFECT_OF = {tuple(fold(word).split()): effect for effect, words in EFFECT_WORDS.items() for word in words}
_NOTHING = frozenset({"-", "none", "0"})
_EFFECT_PARTS = frozenset(part for words in _EFFECT_OF for part in words)
_TILE_WORDS = _EFFECT_PARTS.union(COLOUR_OF, STAR_OF, KEYWORD_OF)
_FEATURE_LIKE = re.compile(r"l[0-9]|[0-9]+cps?|cps?[0-9]+|mystic[0-9]+|(white|purple|no)-?stars?")

_ALL_LETTERS = COLOUR_LETTERS + ANY_LETTER
_LETTER_FIRST = re.compile(rf"(?:[{_ALL_LETTERS}][0-9]{{0,3}})+")  # r2gb3, rrg
_COUNT_FIRST = re.compile(rf"(?:[0-9]{{1,3}}[{_ALL_LETTERS}])+")  # 2r1g
_LETTERS_ONLY = re.compile(rf"[{_ALL_LETTERS}]+")
_TWO_WAYS = re.compile(rf"([{_ALL_LETTERS}])\1[0-9]")  # is ww3 four white or five?
_NUMBER = re.compile(r"[x×]?([0-9]{1,4})")
_SEPARATORS = re.compile(r"[\s,;:+/_]+")
_SLASHED = rf"(?<![^\W_])[{_ALL_LETTERS}](?:/[{_ALL_LETTERS}])+(?![^\W_])"  # R/G/Y as drawn

MAX_SHOWN = 80  # characters of a text that an error message repeats


def shown(value: object) -> str:
    """A value as every error message quotes it: short, on one line, and safe to print."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        # Long integers are refused by str() itself.
        return str(value) if abs(value) < 10**18 else "a number of more than 18 digits"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        cut = value if len(value) <= MAX_SHOWN else value[: MAX_SHOWN - 3] + "..."
        return f'"{"".join(map(_printable, cut))}"'
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, (list, tuple)):
        return "a list"
    return "a date or time"


def _printable(char: str) -> str:
    return char if char.isprintable() else char.encode("unicode_escape").decode("ascii")


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint to append to an error line, or nothing when no known word is near."""
    from difflib import get_close_matches  # only those who mistype pay for it

    by_fold = {fold(each): each for each in known}
    close = get_close_matches(fold(word[:MAX_SHOWN]), by_fold, n=3, cutoff=0.55)
    return f" (nearest: {', '.join(by_fold[match] for match in close)})" if close else ""


# --- phrases ----------------------------------------------------------------------------------------


class Misread(ValueError):
    """A text that is not what it should be; the message says what was expected and found."""


class CostText(NamedTuple):
    coloured: Worshipers
    any: int


class EffectText(NamedTuple):
    """An effect as written. None is a part left out; for a gain, no colours means any colour."""

    effect: Effect
    number: int | None
    colours: tuple[Colour, ...] | None

    def missing(self) -> list[str]:
        """What has to be added before this is a whole effect."""
        parts = []
        if self.number is None and self.effect in (Effect.VILLAGE, Effect.FOREST, Effect.VOLCANO):
            parts.append(f"the number of the {self.effect.word}")
        if self.colours is None and self.effect in _COLOURED_EFFECTS:
            plural = "s" if self.effect in (Effect.FOREST, Effect.VOLCANO) else ""
            parts.append(f"the colour{plural} of the {EFFECT_WORDS[self.effect][0]}")
        return parts

    def whole(self) -> EffectText:
        """With the numbers that may be left unsaid: one temple, a gain of one."""
        unsaid = int(self.effect in (Effect.TEMPLE, Effect.PROSELYTISM))
        number = unsaid if self.number is None else self.number
        return EffectText(self.effect, number, self.colours or ())


_COLOURED_EFFECTS = (
    Effect.FARM, Effect.IRRIGATION, Effect.FOREST, Effect.VOLCANO, Effect.PROSELYTISM,
)  # fmt: skip


def tokens_of(text: str) -> list[str]:
    """The words of a tile text, folded, without separators and words that carry no meaning."""
    folded = fold(text)
    if "/" in folded:
        folded = re.sub(_SLASHED, lambda letters: letters[0].replace("/", ""), folded)
    return [token for token in _SEPARATORS.split(folded) if token and KEYWORD_OF.get(token) != "filler"]


def _token(tokens: Sequence[str], at: int) -> str:
    return tokens[at] if at < len(tokens) else ""


def read_number(tokens: Sequence[str], at: int) -> int | None:
    """A number here, None if there is something else."""
    match = _NUMBER.fullmatch(_token(tokens, at))
    return int(match[1]) if match else None


def counts_cp(tokens: Sequence[str], at: int) -> bool:
    """Is the number here followed by the `cp` it counts? In `village 3 cp 4` it is not."""
    return KEYWORD_OF.get(_token(tokens, at + 1)) == "cp" and read_number(tokens, at + 2) is None


def _counts(token: str) -> list[tuple[str, int]] | None:
    """`r2gb3` as letters and numbers, None if the token is something else."""
    if _LETTER_FIRST.fullmatch(token):
        if _TWO_WAYS.search(token):
            raise Misread(f"expected each letter repeated or numbered, not both, found {shown(token)}")
        return [(letter, int(n or 1)) for letter, n in re.findall(r"([a-z])([0-9]*)", token)]
    if _COUNT_FIRST.fullmatch(token):
        return [(letter, int(n)) for n, letter in re.findall(r"([0-9]+)([a-z])", token)]
    return None


def _letter_of(token: str) -> str | None:
    """The letter for a single colour or `any`, written as letter or word."""
    if token in COLOUR_OF:
        colour = COLOUR_OF[token]
        return ANY_LETTER if colour is None else colour.letter
    return token if len(token) == 1 and token in _ALL_LETTERS else None


def read_cost(tokens: Sequence[str], at: int) -> tuple[CostText, int]:
    """Read a cost as far as it goes; return it and where it ends.

    The first token sets the style, so that a tile's own colour may follow the cost: `cost gba blue`
    ends before `blue`, `cost 1 green 1 any blue` too; `cost green any` goes on as long as colours come.
    Behind letters the any-colour part may stand as a drawing has it: `cost B W + 1 any`.
    """
    if _token(tokens, at) in _NOTHING or KEYWORD_OF.get(_token(tokens, at)) == "free":
        return CostText(NOBODY, 0), at + 1
    totals: Counter[str] = Counter()
    start = at
    if _counts(_token(tokens, at)):
        while counts := _counts(_token(tokens, at)):
            for letter, count in counts:
                totals[letter] += count
            at += 1
    elif read_number(tokens, at) is not None:
        while (number := read_number(tokens, at)) is not None and (
            named := _letter_of(_token(tokens, at + 1))
        ):
            totals[named] += number
            at += 2
    else:
        while named := _letter_of(_token(tokens, at)):
            totals[named] += 1
            at += 1
    if at == start:
        found = shown(tokens[at]) if at < len(tokens) else "nothing"
        raise Misread(f"expected a cost such as gba (1 green, 1 blue, 1 any) or free, found {found}")
    number = read_number(tokens, at)
    if number is not None and _letter_of(_token(tokens, at + 1)) == ANY_LETTER:
        totals[ANY_LETTER] += number
        at += 2
    return CostText(Worshipers(*(totals[c] for c in COLOUR_LETTERS)), totals[ANY_LETTER]), at


def starts_effect(tokens: Sequence[str], at: int) -> tuple[Effect, int] | None:
    """The effect named here and where its name ends; the longer name goes first. `2 temples` is one."""
    if read_number(tokens, at) is not None:
        return (Effect.TEMPLE, at + 2) if _EFFECT_OF.get((_token(tokens, at + 1),)) is Effect.TEMPLE else None
    for length in (2, 1):
        effect = _EFFECT_OF.get(tuple(tokens[at : at + length]))
        if effect is not None:
            return effect, at + length
    return None


def _read_colours(tokens: Sequence[str], at: int) -> tuple[tuple[Colour, ...] | None, int]:
    """`rg`, or colour words in a row; `any` is all five."""
    letters = ""
    if _LETTERS_ONLY.fullmatch(_token(tokens, at)):
        letters, at = tokens[at], at + 1
    else:
        while _token(tokens, at) in COLOUR_OF:
            letters += _letter_of(tokens[at]) or ""
            at += 1
    if not letters:
        return None, at
    if ANY_LETTER in letters:
        return tuple(Colour), at
    return tuple(colour for colour in Colour if colour.letter in letters), at


def read_effect(tokens: Sequence[str], at: int) -> tuple[EffectText, int]:
    """Read an effect with whatever parameters follow; return it and where it ends."""
    named = starts_effect(tokens, at)
    if named is None:
        found = shown(tokens[at]) if at < len(tokens) else "nothing"
        words = [words[0] for words in EFFECT_WORDS.values()]
        hint = nearest(_token(tokens, at), words)
        raise Misread(f"expected an effect ({', '.join(words)}), found {found}{hint}")
    number = read_number(tokens, at)
    effect, at = named
    colours: tuple[Colour, ...] | None = None
    if effect in MAX_EFFECT_NUMBER and number is None:
        number = None if counts_cp(tokens, at) else read_number(tokens, at)
        at += number is not None
    if effect in (Effect.FOREST, Effect.VOLCANO):
        colours, at = _read_colours(tokens, at)
    elif effect in (Effect.FARM, Effect.IRRIGATION):
        token = _token(tokens, at)
        letter = _letter_of(token)
        if letter == ANY_LETTER or (letter is None and _LETTERS_ONLY.fullmatch(token)):
            raise Misread(f"expected one colour for the {effect.word}, found {shown(token)}")
        if letter:
            colours, at = (Colour(COLOUR_LETTERS.index(letter)),), at + 1
        if effect is Effect.FARM and tuple(tokens[at : at + 2]) == ("is", "free"):
            at += 2  # as drawings put it: `farm: R is free`
    elif effect is Effect.PROSELYTISM:
        number, colours, at = _read_gain(tokens, at, number)
    return EffectText(effect, number, colours), at


def _read_gain(
    tokens: Sequence[str], at: int, number: int | None
) -> tuple[int | None, tuple[Colour, ...] | None, int]:
    """What follows `gain` and its number: a colour, `any`, or both in one like `r2` or `rr`."""
    token = _token(tokens, at)
    letter, counts = _letter_of(token), _counts(token)
    if letter is None and counts:
        letters = {one for one, _ in counts}
        if len(letters) > 1 or number is not None:
            raise Misread(f"expected a gain of one colour such as gain 2 r, found {shown(token)}")
        letter, number = letters.pop(), sum(count for _, count in counts)
    if letter is None:
        return number, None, at
    colours = () if letter == ANY_LETTER else (Colour(COLOUR_LETTERS.index(letter)),)
    return number, colours, at + 1


def _whole_phrase(tokens: Sequence[str], at: int, what: str) -> None:
    if at < len(tokens):
        raise Misread(f"expected the {what} to end there, found {shown(' '.join(tokens[at:]))} behind it")


def parse_cost(text: str) -> CostText:
    """A whole cost text; Misread if it is none."""
    tokens = tokens_of(text)
    if not tokens:
        return CostText(NOBODY, 0)
    cost, at = read_cost(tokens, int(KEYWORD_OF.get(tokens[0]) == "cost"))
    _whole_phrase(tokens, at, "cost")
    return cost


def parse_effect(text: str) -> EffectText:
    """A whole effect text with all its parameters; Misread if it is none."""
    tokens = tokens_of(text)
    if not tokens or tokens == ["-"]:
        return EffectText(Effect.NONE, 0, ())
    effect, at = read_effect(tokens, 0)
    _whole_phrase(tokens, at, EFFECT_WORDS[effect.effect][0])
    if missing := effect.missing():
        raise Misread(f"expected {' and '.join(missing)}, found only {shown(text)}")
    return effect.whole()


def parse_colour(text: str) -> Colour:
    letter = _letter_of(fold(text.strip()))
    if letter is None or letter == ANY_LETTER:
        raise Misread(f"expected a colour (red, green, blue, yellow, white), found {shown(text)}")
    return Colour(COLOUR_LETTERS.index(letter))


def parse_star(text: str) -> Star:
    tokens = [token for token in re.split(r"[\s_-]+", fold(text)) if token]
    while tokens and KEYWORD_OF.get(tokens[-1]) == "star":
        tokens.pop()
    if not tokens or tokens == ["none"] or [KEYWORD_OF.get(token) for token in tokens] == ["no"]:
        return Star.NONE
    if len(tokens) == 1 and tokens[0] in STAR_OF:
        return STAR_OF[tokens[0]]
    raise Misread(f"expected a star (white, purple or none), found {shown(text)}")


def cost_text(tile: Tile) -> str:
    """`g2ba`, or `free`."""
    coloured = "" if tile.cost == NOBODY else str(tile.cost)
    if not tile.any_cost:
        return coloured or KEYWORDS["free"][0]
    return coloured + ANY_LETTER + (str(tile.any_cost) if tile.any_cost > 1 else "")


def effect_text(tile: Tile) -> str:
    """`forest 3 rg`, `gain 1 a`, `stone`, `none`: the form the readers take back."""
    parts = [EFFECT_WORDS[tile.effect][0]]
    if tile.effect in MAX_EFFECT_NUMBER:
        parts.append(str(tile.number))
    if tile.effect is Effect.PROSELYTISM and not tile.colours:
        parts.append(ANY_LETTER)
    elif tile.colours:
        parts.append("".join(colour.letter for colour in tile.colours))
    return " ".join(parts)


# --- checking ---------------------------------------------------------------------------------------


def _at(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


_ID = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9-]{0,15}")
_RESERVED = frozenset((*CELLS, *NOTATION_WORDS, *_ALL_LETTERS, *(god.word for god in God)))


def is_tile_word(word: str) -> bool:
    """Does the word describe a tile? No id is such a word."""
    folded = fold(word).rstrip(":;")
    return folded in _TILE_WORDS or _FEATURE_LIKE.fullmatch(folded) is not None


def id_message(tile_id: str) -> str | None:
    """Why this cannot be a tile's id, None if it can."""
    if not _ID.fullmatch(tile_id):
        return (
            "expected an id of 1 to 16 letters, digits and -, with at least one letter and no - "
            f"in front, found {shown(tile_id)}"
        )
    if fold(tile_id) in _RESERVED or is_tile_word(tile_id):
        return f"expected an id that means nothing else in positions and moves, found {shown(tile_id)}"
    return None


def _range_problem(place: str, what: str, value: int, low: int, high: int) -> list[Problem]:
    if low <= value <= high:
        return []
    return [Problem(place, f"expected {what} from {low} to {high}, found {value}")]


def tile_problems(tile: Tile, place: str = "") -> list[Problem]:
    """Everything wrong with one tile's features, whatever set it is in."""
    found = _range_problem(_at(place, "level"), "a level", tile.level, LEVELS[0], LEVELS[-1])
    for letter, count in zip(_ALL_LETTERS, (*tile.cost, tile.any_cost)):
        if not 0 <= count <= MAX_COST:
            word = "any" if letter == ANY_LETTER else Colour(COLOUR_LETTERS.index(letter)).word
            found += _range_problem(_at(place, "cost"), f"a cost of {word} worshipers", count, 0, MAX_COST)
    found += _range_problem(_at(place, "cp"), "CP", tile.cp, 0, MAX_CP)
    if tile.effect is Effect.SACRED_STONE and tile.cp != 1:
        found.append(Problem(_at(place, "cp"), f"expected 1 CP on a sacred stone, found {tile.cp}"))
    found += _effect_problems(tile, _at(place, "effect"))
    if tile.mystic is not None:
        found += _range_problem(_at(place, "mystic"), "a mystic value", tile.mystic, 1, MAX_MYSTIC)
        if tile.colour is not Colour.WHITE:
            message = f"expected mystic values on white tiles only, found {tile.mystic} on {tile.colour.word}"
            found.append(Problem(_at(place, "mystic"), message))
    elif tile.effect is Effect.TEMPLE:
        hint = "" if tile.colour is Colour.WHITE else " (only a white tile can have one)"
        message = f"expected a mystic value on a tile with a temple, found none{hint}"
        found.append(Problem(_at(place, "mystic"), message))
    return found


def _effect_problems(tile: Tile, place: str) -> list[Problem]:
    effect, word = tile.effect, tile.effect.word
    found: list[Problem] = []
    if effect in MAX_EFFECT_NUMBER:
        most = MAX_EFFECT_NUMBER[effect]
        if effect is Effect.PROSELYTISM and not tile.colours:
            most, word = 1, "gain of any colour"
        found += _range_problem(place, f"the number of a {word}", tile.number, 1, most)
    elif tile.number:
        found.append(Problem(place, f"expected no number for {word}, found {tile.number}"))
    one = effect in (Effect.FARM, Effect.IRRIGATION)
    some = effect in (Effect.FOREST, Effect.VOLCANO)
    least, most = int(one or some), 5 if some else int(one or effect is Effect.PROSELYTISM)
    if not least <= len(tile.colours) <= most:
        expected = "one colour" if one else "at least one colour" if some else f"at most {most} colours"
        letters = "".join(colour.letter for colour in tile.colours) or "none"
        found.append(Problem(place, f"expected {expected} for the {word}, found {letters}"))
    return found


class _Known(NamedTuple):
    """What the checks across a set need of a tile, also of one that was only half readable."""

    place: str
    id: str | None
    level: int | None
    star: Star | None
    mystic: int | None


def _set_problems(tiles: Sequence[_Known], place: str) -> list[Problem]:
    found: list[Problem] = []
    if len(tiles) != sum(LEVEL_SIZES):
        found.append(Problem(_at(place, "tiles"), f"expected {sum(LEVEL_SIZES)} tiles, found {len(tiles)}"))
    # A tile of unknown level or star would make every count below it a guess.
    if all(tile.level in LEVELS for tile in tiles):
        for level, size in zip(LEVELS, LEVEL_SIZES):
            here = [tile for tile in tiles if tile.level == level]
            where = _at(place, f"level {level}")
            if len(here) != size:
                found.append(Problem(where, f"expected {size} tiles, found {len(here)}"))
            if any(tile.star is None for tile in here):
                continue
            for star, counts in STAR_COUNTS.items():
                expected, stars = counts[level - 1], sum(tile.star is star for tile in here)
                if stars != expected:
                    message = f"expected {expected} tiles with a {star.word} star, found {stars}"
                    found.append(Problem(where, message))
    found += _twice(tiles, "id", place)
    found += _twice(tiles, "mystic", place)
    return found


def _twice(tiles: Sequence[_Known], key: str, place: str) -> list[Problem]:
    """One problem for each tile whose id or mystic value an earlier tile has already."""
    found: list[Problem] = []
    first: dict[object, _Known] = {}
    what = {"id": "an id", "mystic": "a mystic value"}[key]
    for tile in tiles:
        value = getattr(tile, key)
        if value is None:
            continue
        if value in first:
            message = f"expected {what} of its own, found {shown(value)} as on {first[value].place}"
            found.append(Problem(_at(place, tile.place, key), message))
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
            found.append(Problem(_at(place, where, "id"), message))
        found += tile_problems(tile, _at(place, where))
    return found + _set_problems(known, place)


def tile_set_warnings(tile_set: TileSet, place: str = "") -> list[Problem]:
    """What is allowed but probably a slip of the pen."""
    found: list[Problem] = []
    first: dict[object, int] = {}
    for index, tile in enumerate(tile_set.tiles):
        where = _at(place, _tile_place(index, tile.id))
        earlier = first.setdefault(tile.features, index)
        if earlier != index:
            other = _tile_place(earlier, tile_set.tiles[earlier].id)
            found.append(Problem(where, f"is like {other} in everything but its id"))
        if tile.colour is Colour.WHITE and tile.mystic is None:
            found.append(Problem(where, "is white and has no mystic value"))
    return found


# --- reading ----------------------------------------------------------------------------------------

FILE_KEYS = ("name", "title", "description", "tiles")
TILE_KEYS = ("id", "level", "colour", "cost", "effect", "cp", "mystic", "star")


def _unknown_keys(table: dict[str, Any], known: tuple[str, ...], place: str) -> list[Problem]:
    found = []
    for key in table:
        if key not in known:
            message = f"expected keys {', '.join(known)}, found {shown(key)}{nearest(key, known)}"
            found.append(Problem(place, message))
    return found


def _as_text(value: object) -> str:
    if not isinstance(value, str):
        raise Misread(f"expected text in quotes, found {shown(value)}")
    return value


def _as_number(value: object) -> int:
    """A whole number, also in quotes: a template has them there."""
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,4}\s*", value):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Misread(f"expected a whole number, found {shown(value)}")
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


def _read_tile(entry: object, index: int, place: str) -> tuple[Tile | None, _Known, list[Problem]]:
    """One entry of `tiles`: the tile if it is whole, what is known of it if not, and its problems."""
    if not isinstance(entry, dict):
        where = _tile_place(index, None)
        message = f"expected a table such as {{ id = \"r1a\", level = 1, ... }}, found {shown(entry)}"
        return None, _Known(where, None, None, None, None), [Problem(_at(place, where), message)]
    where = _tile_place(index, entry.get("id"))
    found = _unknown_keys(entry, TILE_KEYS, _at(place, where))
    values: dict[str, Any] = dict(_TILE_DEFAULTS)
    unfilled = [key for key in TILE_KEYS if entry.get(key) == UNFILLED]
    if unfilled:
        message = f"expected a value for {', '.join(unfilled)}, found {shown(UNFILLED)}"
        found.append(Problem(_at(place, where), message))
    for key in TILE_KEYS:
        if key in unfilled:
            values.pop(key, None)
        elif key in entry:
            try:
                values[key] = _TILE_READERS[key](entry[key])
            except Misread as error:
                values.pop(key, None)
                found.append(Problem(_at(place, where, key), str(error)))
        elif key in ("id", "level", "colour"):
            found.append(Problem(_at(place, where), f"expected a value for {key}, found none"))
    if "cp" not in entry and "effect" in values:
        values["cp"] = int(values["effect"].effect is Effect.SACRED_STONE)
    known = _Known(
        where, values.get("id"), values.get("level"), values.get("star"), values.get("mystic")
    )  # fmt: skip
    if any(key not in values for key in TILE_KEYS):
        return None, known, found
    cost, effect = values["cost"], values["effect"]
    tile = Tile(
        values["id"], values["level"], values["colour"], cost.coloured, cost.any,
        effect.effect, effect.number, effect.colours, values["cp"], values["mystic"], values["star"],
    )  # fmt: skip
    return tile, known, found + tile_problems(tile, _at(place, where))


def quote_hint(text: str, error: str) -> str:
    """Programs for letters put curved quotation marks where TOML wants plain ones: its error hides that."""
    at = re.search(r"at line ([0-9]+)", error)
    line = text.splitlines()[int(at[1]) - 1 :][:1] if at else []
    curved = next((char for char in "".join(line) if char in _CURVED), "")
    return f'; write " for {curved}' if curved else ""


_CURVED = "\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb"


def parse_tile_set(text: str, name: str, place: str = "") -> TileSet:
    """Read a tile set's text. `name` is what positions call it, `place` how messages do.

    Raises InputError with every problem of the file.
    """
    import tomllib

    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also numbers of absurd length
        message = f"expected a tile set in TOML, found a syntax error: {error}{quote_hint(text, str(error))}"
        raise InputError.one(place, message) from None
    if "centre" in data or "player" in data:
        raise InputError.one(place, "expected a tile set, found a position")
    found = _unknown_keys(data, FILE_KEYS, place)
    texts = {}
    for key in ("name", "title", "description"):
        texts[key] = data.get(key, "")
        if not isinstance(texts[key], str):
            found.append(Problem(_at(place, key), f"expected text in quotes, found {shown(texts[key])}"))
    entries = data.get("tiles")
    if not isinstance(entries, list):
        what = "none" if entries is None else shown(entries)
        message = f"expected a list of {sum(LEVEL_SIZES)} tiles, found {what}"
        found.append(Problem(_at(place, "tiles"), message))
        raise InputError(found)
    read = [_read_tile(entry, index, place) for index, entry in enumerate(entries)]
    for _, _, problems in read:
        found += problems
    found += _set_problems([known for _, known, _ in read], place)
    if found:
        raise InputError(found)
    tiles = tuple(tile for tile, _, _ in read if tile is not None)
    return TileSet(name, texts["title"], texts["description"].strip(), tiles)


_BUILT_IN = os.path.join(os.path.dirname(__file__), "data", "tiles")
_SUFFIX = ".toml"


def built_in_tile_sets() -> list[str]:
    return sorted(name.removesuffix(_SUFFIX) for name in os.listdir(_BUILT_IN) if name.endswith(_SUFFIX))


@cache
def _built_in_tile_set(name: str) -> TileSet:
    with open(os.path.join(_BUILT_IN, name + _SUFFIX), encoding="utf-8") as file:
        return parse_tile_set(file.read(), name, name + _SUFFIX)


@lru_cache(maxsize=64)
def _random_tile_set(seed: int) -> TileSet:
    from .tilegen import random_tile_set  # the generator stands on this module

    return random_tile_set(seed)


def load_tile_set(spec: str = DEFAULT_TILE_SET, base_dir: str | os.PathLike[str] | None = None) -> TileSet:
    """A tile set by what a position file calls it: a built-in name, `random:SEED`, or a file.

    A relative path starts at `base_dir`, the current directory if that is None. Sets that cannot
    change are read once.

        >>> len(load_tile_set().tiles), load_tile_set("random:7").name
        (65, 'random:7')
    """
    if spec.startswith(RANDOM_PREFIX):
        seed = spec.removeprefix(RANDOM_PREFIX)
        if not re.fullmatch(r"[0-9]{1,18}", seed):
            message = f"expected a seed of up to 18 digits behind {RANDOM_PREFIX}, found {shown(seed)}"
            raise InputError.one("tiles", message)
        return _random_tile_set(int(seed))
    if spec in built_in_tile_sets():
        return _built_in_tile_set(spec)
    path = os.path.join(base_dir or "", spec)
    try:
        if not os.path.isfile(path):
            built_in = built_in_tile_sets()
            raise InputError.one(
                "tiles",
                f"expected a built-in tile set ({', '.join(built_in)}), random:SEED or a file, "
                f"found {shown(spec)}{nearest(spec, built_in)}",
            )
        with open(path, encoding="utf-8-sig") as file:
            text = file.read(MAX_FILE_CHARACTERS + 1)
    except UnicodeDecodeError:
        raise InputError.one(spec, "expected a text file in UTF-8, found other bytes") from None
    except OSError as error:
        message = f"expected a readable file, found {shown(spec)}: {error.strerror}"
        raise InputError.one("tiles", message) from None
    if len(text) > MAX_FILE_CHARACTERS:
        raise InputError.one(spec, f"expected at most {MAX_FILE_CHARACTERS} characters, found more")
    return parse_tile_set(text, spec, spec)


# --- writing ----------------------------------------------------------------------------------------


def _quoted(text: str, lines: bool = False) -> str:
    """A TOML string; with `lines`, line breaks stand as such in a multi-line one."""
    escaped = "".join(_escaped(character, lines) for character in text)
    return f'"""\n{escaped}\n"""' if lines else f'"{escaped}"'


def _escaped(character: str, lines: bool) -> str:
    if character in '"\\':
        return "\\" + character
    if (ord(character) < 32 and not (lines and character == "\n")) or ord(character) == 127:
        return f"\\u{ord(character):04x}"
    return character


def tile_line(tile: Tile) -> str:
    """The tile as an inline table; what equals the default is left out."""
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
    return "{ " + ", ".join(fields) + " }"


def dump_tile_set(tile_set: TileSet) -> str:
    """The set as a TOML text that `parse_tile_set` reads back to an equal one."""
    head = [f"name = {_quoted(tile_set.name)}", f"title = {_quoted(tile_set.title)}"]
    if tile_set.description:
        head.append(f"description = {_quoted(tile_set.description, lines=True)}")
    lines = [f"  {tile_line(tile)}," for tile in tile_set.tiles]
    return "\n".join([*head, "tiles = [", *lines, "]", ""])


_TEMPLATE_HEAD = """\
# A tile set for orbis-search, to be filled in from the box.
#
# Sort the 65 region tiles by level and by star: the lines below stand in that order. Replace every "?".
#   colour  red, green, blue, yellow or white; the first letter will do
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
# `orbis tiles check FILE` says at any time what is still missing or cannot be.

name = "my-box"
title = "My box"
description = ""
tiles = [
"""
_STAR_HEADINGS = {
    Star.NONE: "no star: in every game",
    Star.PURPLE: "purple star: with three or four players",
    Star.WHITE: "white star: with four players only",
}


def template_text() -> str:
    """A starting file with the 65 lines prepared by level and star, the rest to be filled in."""
    parts = [_TEMPLATE_HEAD]
    for level, size in zip(LEVELS, LEVEL_SIZES):
        stars = {star: counts[level - 1] for star, counts in STAR_COUNTS.items()}
        stars[Star.NONE] = size - sum(stars.values())
        number = 0
        for star, heading in _STAR_HEADINGS.items():
            parts.append(f"\n  # level {level}, {heading}\n")
            mark = "" if star is Star.NONE else f', star = "{star.word}"'
            for _ in range(stars[star]):
                number += 1
                parts.append(
                    f'  {{ id = "t{level}-{number:02}", level = {level}, colour = "?", cost = "?", '
                    f'effect = "?", cp = "?", mystic = ""{mark} }},\n'
                )
    parts.append("]\n")
    return "".join(parts)
