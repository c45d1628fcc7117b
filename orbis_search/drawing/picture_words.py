"""The words of a picture: a table of them in English, and their translations."""

from __future__ import annotations

from collections.abc import Mapping

from ..base.language import N_, NP_, _, pgettext
from ..game.vocabulary import Colour, Effect, God
from .labels import GOD_WORDS, god_figures

# Every word of a picture, in English. A table with some of these keys can be passed in for other words; what it lacks
# is in the current language.
# No text has to agree with a number, so that none needs a plural.
WORDS: dict[str, str] = {
    "title": "Orbis",
    "round": N_("round {round} of {rounds}"),
    "turn": N_("turn {turn} of {turns}"),
    "to move": N_("{name} to move"),
    "on turn": N_("to move"),
    "player": N_("player {number}"),
    "over": N_("the game is over"),
    "winner": N_("winner"),
    "wins": N_("{name} wins, {points}"),
    "wins by worshipers": N_("{name} wins by worshipers, {points}"),
    "shared": N_("{names} share the victory, {points}"),
    "tiles": N_("tiles: {name}"),
    "CP": N_("{cp} CP"),
    "CP now": N_("{cp} CP now"),
    "centre": N_("Centre"),
    "to be refilled": N_("to be refilled"),
    "realm": N_("realm"),
    "after": N_("after the move"),
    "nobody": N_("none"),
    "god": N_("god"),
    "no god": N_("none yet"),
    "god cancelled": N_("{god}, cancelled"),
    "farms": N_("free by farms"),
    "temples": N_("temples"),
    "mystic": N_("mystic value"),
    "gods": N_("Gods"),
    "taken by": N_("taken by {name}"),
    "most": N_("“more” needs at least one"),
    "temple tokens": N_("Temple tokens"),
    "piles": N_("Piles"),
    "left": N_("{left} left"),
    "left of": N_("{left} of these"),
    "empty": N_("empty"),
    "legend": N_("How to read a tile"),
    "colour and level": N_("colour, level"),
    "id": N_("its name"),
    "effect": N_("effect"),
    "cost": N_("cost"),
    "points": N_("points"),
    "any": NP_("legend", "any"),
    "cancelled": N_("cancelled"),
    "wilderness": N_("wilderness"),
    "front unknown": N_("front unknown"),
    "lacking": N_("(3): a forest still short of neighbours"),
    "described": N_("*: a tile that is not in the set"),
    "seeded": N_("a worshiper that the move adds"),
    "removed": N_("a worshiper that the move removes"),
    "better": N_("better"),
    "free": N_("free"),
    "farm of": N_("free"),
    "give": N_("give {count}"),
    "of": N_("{count} of"),
    "over colour": N_("over"),
    **{f"effect {effect.word}": "no effect" if effect is Effect.NONE else effect.word for effect in Effect},
    **{f"colour {colour.word}": colour.word for colour in Colour},
    **{f"letter {colour.word}": colour.letter.upper() for colour in Colour},
    **{f"god {god.word}": god.word.capitalize() for god in God},
    **{f"does {god.word}": words for god, words in GOD_WORDS.items()},
}
_LABELS = {
    f"{kind} {each.word}"
    for kind, all_of_it in (("effect", Effect), ("colour", Colour), ("god", God))
    for each in all_of_it
}


class Words:
    """The word that a table has for a key, or else that of the current language."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self.table = table

    def say(self, key: str, **values: object) -> str:
        return (self.table.get(key) or _word(key)).format(**values)

    def points(self, key: str, cp: int) -> str:
        return self.say(key, cp=str(cp).replace("-", "\N{MINUS SIGN}"))

    def letter(self, colour: Colour) -> str:
        return self.say(f"letter {colour.word}")

    def god(self, god: God) -> str:
        """What a god brings."""
        return self.say(f"does {god.word}", **god_figures(god))


def _word(key: str) -> str:
    """A word of `WORDS` in the current language."""
    kind, _blank, name = key.partition(" ")
    if kind in ("effect", "colour") and name and name != "none" and key in _LABELS:
        return pgettext(kind, name)
    if key == "any":
        return pgettext("legend", "any")
    if kind == "god" and key in _LABELS:
        label = pgettext(kind, name)
        return label[0].upper() + label[1:]
    return _(WORDS[key])
