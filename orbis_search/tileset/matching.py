"""Tiles by the few words somebody types while looking at one: `blue red+any forest`, `b gba`, `w tem m5`.

Looser than a description, which has to be right in a file: words may be cut short, a cost needs no `cost` before it,
and a colour may be its letter. Nothing is guessed: the answer is all tiles that fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..base.errors import InputError
from ..base.options import counted
from ..base.quoting import fold
from ..game.tiles import Tile
from ..game.vocabulary import ANY_LETTER, COLOUR_LETTERS, Colour, Effect
from .descriptions import parse_description
from .syntax import COLOUR_OF, EFFECT_WORDS, KEYWORD_OF, KEYWORDS, Misread, parse_cost

NO, PARTLY, EXACTLY = 0, 1, 2


def _any_of(key: str, *more: str) -> str:
    """A pattern for the words of a feature in the four languages."""
    return "|".join(sorted((*more, *(fold(word) for word in KEYWORDS[key])), key=len, reverse=True))


_LEVEL, _MYSTIC, _CP = _any_of("level"), _any_of("mystic", "m"), _any_of("cp")
_GLUE = re.compile(rf"\b({_LEVEL}|{_MYSTIC})\s+([0-9]+)|\b([0-9]+)\s+({_CP})\b")
_COST = re.compile(rf"[{COLOUR_LETTERS}{ANY_LETTER}0-9]+")
_NUMBERED = re.compile(rf"({_LEVEL}|{_MYSTIC})([0-9]+)")
_POINTS = re.compile(rf"([0-9]+)(?:{_CP})")
_COLOUR_WORDS = [(word, colour) for word, colour in COLOUR_OF.items() if colour is not None]
_EFFECT_STARTS = [(fold(word), effect) for effect, words in EFFECT_WORDS.items() for word in words]
_SILENT = ("cost", "level", "cp", "mystic", "filler")  # words that say nothing by themselves
_FREE = [fold(word) for word in KEYWORDS["free"]]


def matching(text: str, tiles: Iterable[Tile]) -> list[Tile]:
    """The tiles that the words fit: exact fits first, otherwise in the order given.

    An id is its tile alone. A description in the form that files use is taken literally.
    """
    return [tile for tile, _ in graded(text, tiles)]


def best_matching(text: str, tiles: Iterable[Tile]) -> list[Tile]:
    """Those that fit exactly, or all that fit if none does: a complete cost is meant as complete."""
    found = graded(text, tiles)
    best = max((grade for _, grade in found), default=NO)
    return [tile for tile, grade in found if grade == best]


def graded(text: str, tiles: Iterable[Tile]) -> list[tuple[Tile, int]]:
    """What `matching` finds, and how well each fits: PARTLY if the cost given is only a part of the tile's."""
    tiles = list(tiles)
    wanted = " ".join(text.split())
    named = [tile for tile in tiles if tile.id.lower() == wanted.lower()]
    if named or not wanted:
        return [(tile, EXACTLY) for tile in named or tiles]
    try:
        description = parse_description(wanted)
    except InputError:
        fitting = []
    else:
        fitting = [tile for tile in tiles if description.fits(tile)]
    if fitting:
        return [(tile, EXACTLY) for tile in fitting]
    words = _words(wanted)
    found = [(tile, _grade(tile, words)) for tile in tiles]
    return sorted((each for each in found if each[1]), key=lambda each: -each[1])


def _words(text: str) -> list[str]:
    def glued(match: re.Match[str]) -> str:
        return f"{match[1]}{match[2]}" if match[1] else f"{match[3]}cp"

    return [word for word in re.split(r"[\s;:_]+", _GLUE.sub(glued, fold(text))) if word]


def _grade(tile: Tile, words: Sequence[str]) -> int:
    """How well all the words fit: as well as the worst of them."""
    worst = EXACTLY
    colour_said = in_effect = of_effect = False
    of_colours = ""
    for word in words:
        colour = _colour(word)
        if in_effect and KEYWORD_OF.get(word) == "filler":
            of_effect = True
            continue
        if of_effect and (letters := _colour_letters(word)):
            of_colours += letters  # `volcano 2 of red and green`: the volcano's, whatever the tile's colour and cost
            of_effect = False
            continue
        of_effect = False
        if colour is not None and not colour_said:
            colour_said, in_effect = True, False
            grade = EXACTLY if tile.colour is colour else NO
            if grade == NO and len(word) > 1 and _COST.fullmatch(word):  # `gr` may be green and may be a cost
                grade, colour_said = min(PARTLY, _cost_grade(tile, word)), False
        elif in_effect and (number := counted(word)) is not None and tile.number:
            # `temple 6` means the mystic value beside the temple.
            beside = tile.mystic if tile.effect is Effect.TEMPLE else None
            grade = EXACTLY if tile.number == number else PARTLY if beside == number else NO
        else:
            grade = _word_grade(tile, word, in_effect)
            in_effect = bool(_effects(word)) and not _COST.fullmatch(word)
        worst = min(worst, grade)
        if worst == NO:
            return NO
    return min(worst, _colours_grade(tile, of_colours)) if of_colours else worst


def _colour(word: str) -> Colour | None:
    """A colour by its letter, its word, or the beginning of its word if that is no other's."""
    if len(word) == 1:
        return Colour(COLOUR_LETTERS.index(word)) if word in COLOUR_LETTERS else None
    if word in COLOUR_OF:
        return COLOUR_OF[word]
    found = {colour for known, colour in _COLOUR_WORDS if known.startswith(word)}
    return found.pop() if len(found) == 1 and not _effects(word) else None


def _word_grade(tile: Tile, word: str, in_effect: bool) -> int:
    if KEYWORD_OF.get(word) in _SILENT:
        return EXACTLY
    if len(word) > 1 and tile.id.lower().startswith(word) and any(char.isdigit() for char in word):
        return EXACTLY
    if match := _NUMBERED.fullmatch(word):
        number = tile.level if KEYWORD_OF.get(match[1]) == "level" else tile.mystic
        return EXACTLY if number is not None and number == counted(match[2]) else NO
    if match := _POINTS.fullmatch(word):
        return EXACTLY if tile.cp == counted(match[1]) else NO
    if (number := counted(word)) is not None:
        return EXACTLY if number in (tile.number or None, tile.cp, tile.mystic) else NO
    if len(word) > 1 and any(known.startswith(word) for known in _FREE):
        return EXACTLY if not tile.cost.total and not tile.any_cost else NO
    effects = _effects(word)
    if effects and not _COST.fullmatch(word):
        return EXACTLY if tile.effect in effects else NO
    # Letters after an effect are its colours, elsewhere a cost; another reading counts for less, such as `wa` for Wald.
    likely, other = _cost_grade(tile, word), _colours_grade(tile, word)
    if in_effect:
        likely, other = other, likely
    return max(likely, min(other, PARTLY), PARTLY if tile.effect in effects else NO)


def _effects(word: str) -> set[Effect]:
    """The effects whose names begin like this; a single letter is a colour."""
    if len(word) < 2:
        return set()
    return {effect for known, effect in _EFFECT_STARTS if known.startswith(word)}


def _cost_grade(tile: Tile, word: str) -> int:
    """`gba`, `red+any`, `2r+a`: part of the cost, or all of it."""
    plain = "".join(_letter(part) for part in word.split("+"))
    try:
        cost = parse_cost(plain) if _COST.fullmatch(plain) else None
    except Misread:
        return NO
    if cost is None or not tile.cost.covers(cost.coloured) or tile.any_cost < cost.any:
        return NO
    return EXACTLY if (tile.cost, tile.any_cost) == (cost.coloured, cost.any) else PARTLY


def _letter(word: str) -> str:
    if word not in COLOUR_OF:
        return word
    colour = COLOUR_OF[word]
    return ANY_LETTER if colour is None else colour.letter


def _colours_grade(tile: Tile, word: str) -> int:
    """`rg`, or one colour: of what a forest, volcano, farm, irrigation or gain asks for or gives."""
    wanted = _colour_letters(word)
    if not wanted:
        return NO
    if wanted == ANY_LETTER:
        return EXACTLY if tile.effect is Effect.PROSELYTISM and not tile.colours else NO
    own = {colour.letter for colour in tile.colours}
    return NO if set(wanted) - own else EXACTLY if set(wanted) == own else PARTLY


def _colour_letters(word: str) -> str:
    """`red/green` and `rg` as `rg`; "" if it is anything but colours."""
    colour = _colour(word)
    letters = colour.letter if colour is not None else "".join(_letter(part) for part in re.split(r"[+/]", word))
    return "" if set(letters) - set(COLOUR_LETTERS + ANY_LETTER) else letters
