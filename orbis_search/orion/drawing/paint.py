"""Card colours in text: a letter in brackets, which a terminal can show on its colour."""

from __future__ import annotations

import re
from textwrap import wrap

from ..game.cards import Structure
from ..game.vocabulary import Colour

WIDTH = 79  # a line of 80 would make some terminals add an empty one

LETTERS = "bryg"  # blue, red, yellow, grey
_GROUND = {"b": "1;97;44", "r": "1;97;41", "y": "1;30;43", "g": "1;97;100"}


def letter(colour: Colour) -> str:
    return f"[{LETTERS[colour]}]"


def marked(card: Structure) -> str:
    """Its name behind the letter of its colour. A name is not broken off its letter."""
    return f"{letter(card.colour)}\N{NO-BREAK SPACE}{card.label}"


def filled(text: str, indent: str, more: str | None = None) -> list[str]:
    """Lines no wider than the screen."""
    rest = indent if more is None else more
    lines = wrap(text, WIDTH, initial_indent=indent, subsequent_indent=rest, break_on_hyphens=False)
    return lines or [indent.rstrip()]


def finished(lines: list[str], colour: bool) -> str:
    text = "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ") + "\n"
    if not colour:
        return text
    return re.sub(r"\[([bryg])\]", lambda found: f"\x1b[0;{_GROUND[found[1]]}m[{found[1]}]\x1b[0m", text)
