"""The words tiles are written in: costs like `gba` (1 green, 1 blue, 1 of any colour), effects like `forest 3 rg`.

The same phrases serve tile sets (`files`) and the descriptions of single tiles (`descriptions`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ..base.language import _
from ..base.quoting import fold, listed, nearest, shown
from ..base.values import NamedTuple
from ..game.tiles import Tile
from ..game.vocabulary import ANY_LETTER, COLOUR_LETTERS, MAX_EFFECT_NUMBER, NOBODY, Colour, Effect, Star, Worshipers

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
    Star.PURPLE: {"en": "purple", "de": "lila", "pl": "fioletow", "ru": "сиренев"},
}
_OTHER_PURPLE = {"de": "violett", "pl": "liliow", "ru": "фиолетов"}
ENDINGS = {
    "en": ("",),
    "de": ("", "e", "er", "es", "en", "em"),
    "pl": ("y", "i", "a", "e", "ie", "ą", "ego", "iego", "ej", "iej", "ym", "im", "ych", "ich"),
    "ru": ("ый", "ий", "ой", "ая", "яя", "ое", "ее", "ого", "его", "ей", "ую", "юю", "ым", "им", "ых", "их"),
}
EFFECT_WORDS: dict[Effect, tuple[str, ...]] = {
    Effect.NONE: ("none", "no effect", "ohne Effekt", "kein Effekt", "bez efektu", "без эффекта"),
    Effect.FARM: ("farm", "Bauernhof", "Hof", "farma", "ферма"),
    Effect.VILLAGE: ("village", "Dorf", "wioska", "деревня"),
    Effect.FOREST: ("forest", "Wald", "las", "лес"),
    Effect.VOLCANO: ("volcano", "Vulkan", "wulkan", "вулкан"),
    Effect.IRRIGATION: ("irrigation", "Bewässerungsanlage", "Bewässerung", "irygacja", "орошение"),
    Effect.TEMPLE: (
        "temple",
        "temples",
        "Kultstätte",
        "Kultstätten",
        "świątynia",
        "świątynie",
        "świątyń",
        "храм",
        "храма",
        "храмов",
    ),
    Effect.PROSELYTISM: ("gain", "proselytism", "Bekehrung", "nawrócenie", "прозелитизм"),
    Effect.SACRED_STONE: (
        "stone",
        "sacred stone",
        "Felsen",
        "Heiliger Felsen",
        "kamień",
        "święty kamień",
        "камень",
        "священный камень",
    ),
}
KEYWORDS: dict[str, tuple[str, ...]] = {
    "cost": ("cost", "costs", "Kosten", "koszt", "стоимость"),
    "free": ("free", "kostenlos", "gratis", "darmowy", "darmowa", "бесплатно", "бесплатный"),
    "level": ("level", "L", "Stufe", "poziom", "уровень"),
    "cp": ("cp", "cps", "SP", "PK", "ОС"),
    "mystic": ("mystic", "Mystik", "Mystikwert", "mistyka", "mistyczna", "мистика", "мистическое"),
    "star": ("star", "stars", "Stern", "Sterne", "gwiazdka", "gwiazdki", "звезда", "звезды"),
    "no": ("no", "ohne", "kein", "bez", "без"),
    "filler": (
        "of",
        "or",
        "and",
        "with",
        "over",
        "give",
        "back",
        "von",
        "oder",
        "und",
        "mit",
        "über",
        "aus",
        "lub",
        "i",
        "z",
        "nad",
        "или",
        "и",
        "из",
        "над",
        "число",
        "wartość",
    ),
}


def _inflected(stems: dict[str, str]) -> list[str]:
    return [fold(stem + ending) for language, stem in stems.items() for ending in ENDINGS[language]]


COLOUR_OF = {word: colour for colour, stems in COLOUR_STEMS.items() for word in _inflected(stems)}
STAR_OF = {word: star for star, stems in STAR_STEMS.items() for word in _inflected(stems)}
STAR_OF |= dict.fromkeys(_inflected(_OTHER_PURPLE), Star.PURPLE)
KEYWORD_OF = {fold(word): key for key, words in KEYWORDS.items() for word in words}
_EFFECT_OF = {tuple(fold(word).split()): effect for effect, words in EFFECT_WORDS.items() for word in words}
_NOTHING = frozenset({"-", "none", "0"})
_EFFECT_PARTS = frozenset(part for words in _EFFECT_OF for part in words)
_TILE_WORDS = _EFFECT_PARTS.union(COLOUR_OF, STAR_OF, KEYWORD_OF)
_FEATURE_LIKE = re.compile(r"l[0-9]|[0-9]+(?:sp|pk|ос)|[0-9]+cps?|cps?[0-9]+|mystic[0-9]+|(white|purple|no)-?stars?")

ALL_LETTERS = COLOUR_LETTERS + ANY_LETTER
_LETTER_FIRST = re.compile(rf"(?:[{ALL_LETTERS}][0-9]{{0,3}})+")  # r2gb3, rrg
_COUNT_FIRST = re.compile(rf"(?:[0-9]{{1,3}}[{ALL_LETTERS}])+")  # 2r1g
_LETTERS_ONLY = re.compile(rf"[{ALL_LETTERS}]+")
_TWO_WAYS = re.compile(rf"([{ALL_LETTERS}])\1[0-9]")  # is ww3 four white or five?
_NUMBER = re.compile(r"[x×]?([0-9]{1,4})")
_SEPARATORS = re.compile(r"[\s,;:+/_]+")
_SLASHED = rf"(?<![^\W_])[{ALL_LETTERS}](?:/[{ALL_LETTERS}])+(?![^\W_])"  # R/G/Y as drawn


def is_tile_word(word: str) -> bool:
    """Whether the word describes a tile. No id is such a word."""
    folded = fold(word).rstrip(":;")
    return folded in _TILE_WORDS or _FEATURE_LIKE.fullmatch(folded) is not None


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
        """What must be added before this is a complete effect."""
        parts = []
        if self.number is None and self.effect in (Effect.VILLAGE, Effect.FOREST, Effect.VOLCANO):
            parts.append(_("the number of the {effect}", effect=self.effect.label))
        if self.colours is None and self.effect in _COLOURED_EFFECTS:
            if self.effect in (Effect.FOREST, Effect.VOLCANO):
                parts.append(_("the colours of the {effect}", effect=self.effect.label))
            elif self.effect is Effect.PROSELYTISM:
                parts.append(_("the colour of the gain"))
            else:
                parts.append(_("the colour of the {effect}", effect=self.effect.label))
        return parts

    def whole(self) -> EffectText:
        """With the numbers that may be left out: one temple, a gain of one."""
        unsaid = int(self.effect in (Effect.TEMPLE, Effect.PROSELYTISM))
        number = unsaid if self.number is None else self.number
        return EffectText(self.effect, number, self.colours or ())


_COLOURED_EFFECTS = (Effect.FARM, Effect.IRRIGATION, Effect.FOREST, Effect.VOLCANO, Effect.PROSELYTISM)


def tokens_of(text: str) -> list[str]:
    """The words of a tile text, folded, without separators and words that carry no meaning."""
    folded = fold(text)
    if "/" in folded:
        folded = re.sub(_SLASHED, lambda letters: letters[0].replace("/", ""), folded)
    return [token for token in _SEPARATORS.split(folded) if token and KEYWORD_OF.get(token) != "filler"]


def _token(tokens: Sequence[str], at: int) -> str:
    return tokens[at] if at < len(tokens) else ""


def read_number(tokens: Sequence[str], at: int) -> int | None:
    """The number here; None if there is something else."""
    match = _NUMBER.fullmatch(_token(tokens, at))
    return int(match[1]) if match else None


def counts_cp(tokens: Sequence[str], at: int) -> bool:
    """Whether the number here is followed by the `cp` it counts. In `village 3 cp 4` it is not."""
    return KEYWORD_OF.get(_token(tokens, at + 1)) == "cp" and read_number(tokens, at + 2) is None


def _counts(token: str) -> list[tuple[str, int]] | None:
    """`r2gb3` as letters and numbers, None if the token is something else."""
    if _LETTER_FIRST.fullmatch(token):
        if _TWO_WAYS.search(token):
            raise Misread(_("expected each letter repeated or numbered, not both, found {found}", found=shown(token)))
        return [(letter, int(n or 1)) for letter, n in re.findall(r"([a-z])([0-9]*)", token)]
    if _COUNT_FIRST.fullmatch(token):
        return [(letter, int(n)) for n, letter in re.findall(r"([0-9]+)([a-z])", token)]
    return None


def _letter_of(token: str) -> str | None:
    """The letter for a single colour or `any`, written as letter or word."""
    if token in COLOUR_OF:
        colour = COLOUR_OF[token]
        return ANY_LETTER if colour is None else colour.letter
    return token if len(token) == 1 and token in ALL_LETTERS else None


def read_cost(tokens: Sequence[str], at: int) -> tuple[CostText, int]:
    """Read a cost as far as it goes; return it and where it ends.

    The first token sets the style, so that a tile's own colour may follow the cost: `cost gba blue`
    ends before `blue`, `cost 1 green 1 any blue` too; `cost green any` goes on as long as colours come. After letters
    the any-colour part may be written as in drawings: `cost B W + 1 any`.
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
        while (number := read_number(tokens, at)) is not None and (named := _letter_of(_token(tokens, at + 1))):
            totals[named] += number
            at += 2
    else:
        while named := _letter_of(_token(tokens, at)):
            totals[named] += 1
            at += 1
    if at == start:
        found = shown(tokens[at] if at < len(tokens) else None)
        raise Misread(_("expected a cost such as gba (1 green, 1 blue, 1 any) or free, found {found}", found=found))
    number = read_number(tokens, at)
    if number is not None and _letter_of(_token(tokens, at + 1)) == ANY_LETTER:
        totals[ANY_LETTER] += number
        at += 2
    return CostText(Worshipers(*(totals[c] for c in COLOUR_LETTERS)), totals[ANY_LETTER]), at


def starts_effect(tokens: Sequence[str], at: int) -> tuple[Effect, int] | None:
    """The effect named here and where its name ends; longer names are tried first. `2 temples` is one."""
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
        found = shown(tokens[at] if at < len(tokens) else None)
        words = [words[0] for words in EFFECT_WORDS.values()]
        hint = nearest(_token(tokens, at), words)
        raise Misread(_("expected an effect ({words}), found {found}", words=", ".join(words), found=found) + hint)
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
            raise Misread(
                _("expected one colour for the {effect}, found {found}", effect=effect.label, found=shown(token))
            )
        if letter:
            colours, at = (Colour(COLOUR_LETTERS.index(letter)),), at + 1
        if effect is Effect.FARM and tuple(tokens[at : at + 2]) == ("is", "free"):
            at += 2  # as in drawings: `farm: R is free`
    elif effect is Effect.PROSELYTISM:
        number, colours, at = _read_gain(tokens, at, number)
    return EffectText(effect, number, colours), at


def _read_gain(tokens: Sequence[str], at: int, number: int | None) -> tuple[int | None, tuple[Colour, ...] | None, int]:
    """What follows `gain` and its number: a colour, `any`, or both in one like `r2` or `rr`."""
    token = _token(tokens, at)
    letter, counts = _letter_of(token), _counts(token)
    if letter is None and counts:
        letters = {one for one, _ in counts}
        if len(letters) > 1 or number is not None:
            raise Misread(_("expected a gain of one colour such as gain 2 r, found {found}", found=shown(token)))
        letter, number = letters.pop(), sum(count for _, count in counts)
    if letter is None:
        return number, None, at
    colours = () if letter == ANY_LETTER else (Colour(COLOUR_LETTERS.index(letter)),)
    return number, colours, at + 1


def parse_cost(text: str) -> CostText:
    """A complete cost; Misread if it is not one."""
    tokens = tokens_of(text)
    if not tokens:
        return CostText(NOBODY, 0)
    cost, at = read_cost(tokens, int(KEYWORD_OF.get(tokens[0]) == "cost"))
    if at < len(tokens):
        found = shown(" ".join(tokens[at:]))
        raise Misread(_("expected the cost to end there, found {found} after it", found=found))
    return cost


def parse_effect(text: str) -> EffectText:
    """A complete effect with all its parameters; Misread if it is not one."""
    tokens = tokens_of(text)
    if not tokens or tokens == ["-"]:
        return EffectText(Effect.NONE, 0, ())
    effect, at = read_effect(tokens, 0)
    if at < len(tokens):
        found, word = shown(" ".join(tokens[at:])), shown(EFFECT_WORDS[effect.effect][0])
        raise Misread(_("expected the effect {effect} to end there, found {found} after it", effect=word, found=found))
    if missing := effect.missing():
        raise Misread(_("expected {missing}, found only {found}", missing=listed(missing), found=shown(text)))
    return effect.whole()


def parse_colour(text: str) -> Colour:
    letter = _letter_of(fold(text.strip()))
    if letter is None or letter == ANY_LETTER:
        raise Misread(_("expected a colour (red, green, blue, yellow, white), found {found}", found=shown(text)))
    return Colour(COLOUR_LETTERS.index(letter))


def parse_star(text: str) -> Star:
    tokens = [token for token in re.split(r"[\s_-]+", fold(text)) if token]
    while tokens and KEYWORD_OF.get(tokens[-1]) == "star":
        tokens.pop()
    if not tokens or tokens == ["none"] or [KEYWORD_OF.get(token) for token in tokens] == ["no"]:
        return Star.NONE
    if len(tokens) == 1 and tokens[0] in STAR_OF:
        return STAR_OF[tokens[0]]
    raise Misread(_("expected a star (white, purple or none), found {found}", found=shown(text)))


def cost_text(tile: Tile) -> str:
    """`g2ba`, or `free`."""
    coloured = "" if tile.cost == NOBODY else str(tile.cost)
    if not tile.any_cost:
        return coloured or KEYWORDS["free"][0]
    return coloured + ANY_LETTER + (str(tile.any_cost) if tile.any_cost > 1 else "")


def effect_text(tile: Tile) -> str:
    """`forest 3 rg`, `gain 1 a`, `stone`, `none`: the form that reads back."""
    parts = [EFFECT_WORDS[tile.effect][0]]
    if tile.effect in MAX_EFFECT_NUMBER:
        parts.append(str(tile.number))
    if tile.effect is Effect.PROSELYTISM and not tile.colours:
        parts.append(ANY_LETTER)
    elif tile.colours:
        parts.append("".join(colour.letter for colour in tile.colours))
    return " ".join(parts)
