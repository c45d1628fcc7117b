"""Players and gods by the names that people type."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..base.errors import InputError
from ..base.language import _
from ..base.options import counted
from ..base.quoting import fold, nearest, shown
from ..base.synonyms import WORDS
from ..game.vocabulary import SET_UP, God
from ..notation.common import GOD_TITLE, plain_word


def names_of(text: str, known: Sequence[str] = ()) -> list[str]:
    """Players by name, separated by spaces or commas, or by number, which keeps the names already known."""
    mark = ";" if ";" in text else ","
    listed = re.split(rf"\s*{mark}\s*", text.strip(f" {mark}")) if mark in text else text.split()
    if not text:
        listed = [""] * 2
    elif re.fullmatch(r"[0-9]+", text):
        number = counted(text)
        if number not in SET_UP:
            raise InputError.one("players", _("expected 2, 3 or 4 players, found {found}", found=shown(text)))
        listed = list(known)[:number]
        listed += [""] * (number - len(listed))
    if len(listed) not in SET_UP:
        message = _("expected 2, 3 or 4 names or a number, found {found}", found=shown(text))
        raise InputError.one("players", message)
    return listed


def god_of(word: str, place: str) -> God:
    """A god by its name, or the beginning of it if no other god's starts the same."""
    wanted = " ".join(each for each in map(plain_word, word.split()) if each not in GOD_TITLE)
    found = [god for god in God if god.word.startswith(wanted)] or _gods_beginning(wanted)
    if len(found) == 1:
        return found[0]
    known = [god.word for god in God]
    message = _("expected a god ({gods}), found {found}", gods=", ".join(known), found=shown(word))
    if found:
        hint = " " + _("(which of {gods}?)", gods=", ".join(god.word for god in found))
    else:
        hint = nearest(wanted, known)
    raise InputError.one(place, message + hint)


def _gods_beginning(wanted: str) -> list[God]:
    """By the beginning of a name in another language."""
    folded = fold(wanted)
    return [god for god in God if any(fold(name).startswith(folded) for name in WORDS[god.word])]
