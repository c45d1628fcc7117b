"""Players' names, and the places that name them: the same in every reader, whatever the game."""

from __future__ import annotations

from .language import _
from .quoting import unsafe_character

MAX_NAME = 60


def player_place(index: int, name: str = "") -> str:
    if name and not player_name_problem(name):
        return f"player {index + 1} ({name})"
    return f"player {index + 1}"


def name_problem(name: str) -> str | None:
    """Why this cannot be a player's or a tile set's name in a text, or None."""
    char = unsafe_character(name)
    return None if char is None else _("expected printable characters, found U+{code:04X}", code=ord(char))


def player_name_problem(name: str) -> str | None:
    """Why a player cannot have this name, or None: the one rule for every reader, writer and command."""
    if len(name) > MAX_NAME:
        return _("expected at most {most} characters, found {found}", most=MAX_NAME, found=len(name))
    return name_problem(name)
