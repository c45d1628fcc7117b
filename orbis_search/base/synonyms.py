"""The words of positions and moves in German, Polish and Russian, as people write them, and the English they stand for.

The readers know English; any other word goes through `canonical` first. The words that describe tiles are in
`tileset.syntax`. Words are compared folded, so accents and capitals do not matter, and no word stands for two things.
"""

from __future__ import annotations

from functools import cache

from .language import NP_, pgettext
from .quoting import fold

WORDS: dict[str, tuple[str, ...]] = {
    # Gods, by their names in the rulebooks, also as they follow "God of".
    "love": ("Liebe", "Miłość", "Miłości", "Любовь", "Любви"),
    "apprentice": ("Ausbildung", "Początkująca", "Ученица", "Богиня-ученица"),
    "oceans": ("ocean", "Meere", "Oceany", "Oceanów", "Океаны", "Океанов"),
    "fire": ("Feuer", "Feuers", "Ogień", "Ognia", "Огонь", "Огня"),
    "nature": ("Natur", "Natura", "Natury", "Природа", "Природы"),
    "harvests": ("harvest", "Ernte", "Żniwa", "Żniw", "Урожай", "Урожая"),
    "idleness": ("Müßiggang", "Müßiggangs", "Próżniactwo", "Próżniactwa", "Праздность", "Праздности"),
    "technology": ("Technologie", "Technologia", "Technologii", "Технологии", "Технологий"),
    "equilibrium": ("Gleichgewicht", "Gleichgewichts", "Równowaga", "Równowagi", "Равновесие", "Равновесия"),
    "death": ("Tod", "Todes", "Śmierć", "Śmierci", "Смерть", "Смерти"),
    # How a tile lies.
    "wild": ("Wildnis", "pustkowie", "пустошь"),
    "cancelled": (
        "unerfüllt",
        "nieaktywny",
        "nieaktywna",
        "nieaktywne",
        "dezaktywacja",
        "отменён",
        "отменена",
        "отменено",
        "отмена",
    ),
    "valid": ("gewertet", "erfüllt", "aktywny", "aktywna", "aktywne", "активирован", "активирована", "активировано"),
    # Nothing and nobody.
    "none": ("keine", "keiner", "brak", "żaden", "нет"),
    "nobody": ("niemand", "nikt", "никто", "никого"),
    "empty": ("leer", "puste", "pusty", "пусто", "пустой"),
    "and": ("und", "oraz", "и"),
    "yes": ("ja", "tak", "да"),
    "no": ("nein", "nie"),
    # What is done in a move.
    "the": ("der", "des"),
    "god": ("Gott", "Göttin", "Gottheit", "bóg", "bogini", "бог", "богиня"),
    "swap": (
        "tausch",
        "tausche",
        "tauscht",
        "tauschen",
        "wymiana",
        "wymień",
        "wymienia",
        "обмен",
        "обменять",
        "меняет",
    ),
    "pay": (
        "zahl",
        "zahle",
        "zahlt",
        "zahlen",
        "bezahlt",
        "bezahlen",
        "płać",
        "płaci",
        "zapłać",
        "оплата",
        "платит",
        "заплатить",
    ),
    "gain": ("bekommt", "erhält", "dostaje", "zyskuje", "получает", "получить"),
    "give": ("gib", "gibt", "zurück", "oddaj", "oddaje", "отдать", "отдаёт", "вернуть"),
    "keep": ("behält", "behalten", "zachowaj", "zachowuje", "оставить", "оставляет"),
    "remove": ("entferne", "entfernt", "entfernen", "usuń", "usuwa", "снять", "снимает", "убрать"),
    "row": ("Ebene", "rząd", "ряд"),
    "column": ("Spalte", "kolumna", "столбец"),
    "l": ("links", "lewo", "lewy", "слева", "лево"),
    "r": ("rechts", "prawo", "prawy", "справа", "право"),
}

# What is typed at a question instead of an answer. A table of its own: a command is a whole line or begins one, so
# `zurück` may go back there and give back in a move.
COMMANDS: dict[str, tuple[str, ...]] = {
    "back": ("zurück", "wstecz", "wróć", "назад"),
    "skip": ("überspringen", "überspring", "auslassen", "pomiń", "пропустить", "пропуск"),
    "go": ("geh", "gehe", "gehen", "idź", "przejdź", "перейти", "перейди"),
    "show": ("zeig", "zeige", "zeigen", "pokaż", "показать", "покажи"),
    "menu": ("меню",),  # folded, Menü is the same word
    "keep": ("behalten", "behalte", "zostaw", "zachowaj", "оставить", "оставь"),
    "quit": ("exit", "Ende", "beenden", "verlassen", "wyjdź", "koniec", "выйти", "выход"),
    "help": ("Hilfe", "pomoc", "помощь", "справка"),
    "undo": ("rückgängig", "zurücknehmen", "cofnij", "отменить", "отмени"),
    "fix": ("korrigieren", "berichtigen", "popraw", "исправить", "исправь"),
    "tile": ("Landschaft", "Plättchen", "kafel", "тайл"),
    "moves": ("Züge", "ruchy", "ходы"),
    "note": ("Notiz", "Anmerkung", "notatka", "uwaga", "заметка"),
    "advice": ("hint", "Rat", "Tipp", "rada", "podpowiedź", "совет", "подсказка"),
    "why": ("warum", "wieso", "dlaczego", "почему"),
    "save": ("speichern", "speichere", "zapisz", "сохранить", "сохрани"),
    "resign": ("aufgeben", "poddaj", "poddaję", "сдаться", "сдаюсь"),
    "exchange": ("swap", "tauschen", "tausche", "wymień", "wymiana", "обмен", "обменять"),
    "best": ("play", "accept", "spiel", "spiele", "annehmen", "zagraj", "przyjmij", "сыграть", "сыграй", "принять"),
}

# Under which of its words a command is shown.
_SHOWN = (
    NP_("typed", "back"),
    NP_("typed", "skip"),
    NP_("typed", "go"),
    NP_("typed", "show"),
    NP_("typed", "menu"),
    NP_("typed", "keep"),
    NP_("typed", "quit"),
    NP_("typed", "help"),
    NP_("typed", "undo"),
    NP_("typed", "fix"),
    NP_("typed", "tile"),
    NP_("typed", "moves"),
    NP_("typed", "note"),
    NP_("typed", "advice"),
    NP_("typed", "hint"),
    NP_("typed", "why"),
    NP_("typed", "save"),
    NP_("typed", "resign"),
    NP_("typed", "exchange"),
    NP_("typed", "best"),
)

# The parts of a position, by which `orbis edit` is told where to go.
PARTS: dict[str, tuple[str, ...]] = {
    "centre": ("center", "Auslage", "Mitte", "środek", "centrum", "центр"),
    "piles": ("stosy", "стопки"),
    "pile": ("Stapel", "stos", "стопка"),
    "players": ("names", "Namen", "gracze", "imiona", "игроки", "имена"),
    "player": ("Spieler", "gracz", "игрок"),
    "tiles": ("Plättchensatz", "Satz", "kafle", "zestaw", "тайлы", "набор"),
    "gods": ("Gottheiten", "Götter", "bogowie", "боги"),
    "god": ("Gottheit", "Gott", "Göttin", "bóg", "bogini", "бог", "богиня"),
    "realm": ("Vorrat", "królestwo", "круг"),
    "rows": ("Ebenen", "rzędy", "ряды"),
    "row": ("Ebene", "rząd", "ряд"),
    "most": ("meisten", "najwięcej", "наибольшее"),
}


@cache
def _part_of() -> dict[str, str]:
    return {fold(word): part for part, words in PARTS.items() for word in words}


def part_words(text: str) -> str:
    """The name of a part with its words in English. In German one player and several are the same word, and so with
    piles.

    >>> part_words("Spieler 2 Ebene 1"), part_words("Spieler"), part_words("Anna круг")
    ('player 2 row 1', 'players', 'anna realm')
    """
    named = " ".join(_part_of().get(fold(word), word.casefold()) for word in text.split())
    return f"{named}s" if named in ("player", "pile") else named


def shown_command(command: str) -> str:
    """The word for a command in the language that is spoken."""
    return pgettext("typed", command)


@cache
def _command_of() -> dict[str, str]:
    own = {command: command for command in COMMANDS}
    return own | {fold(word): command for command, words in COMMANDS.items() for word in words}


def command_word(word: str) -> str:
    """The command that a word stands for, in English; the word itself in lower case if it stands for none.

    >>> command_word("Zurück"), command_word("отменить"), command_word("hint"), command_word("r2a")
    ('back', 'undo', 'advice', 'r2a')
    """
    return _command_of().get(fold(word), word.lower())


@cache
def _english() -> dict[str, str]:
    return {fold(word): english for english, words in WORDS.items() for word in words}


def canonical(word: str) -> str:
    """The word in lower case, and in English if it is a known word of another language.

    >>> canonical("Wildnis"), canonical("Смерть"), canonical("Wild"), canonical("r2a")
    ('wild', 'death', 'wild', 'r2a')
    """
    lower = word.lower()
    # Every word in the table is all letters, and most of what is read is an id or an English word: no need to look.
    if (len(lower) < 2 and lower != "и") or not lower.replace("-", "").isalpha():
        return lower
    return _english().get(fold(lower), lower)
