"""Positions and moves of Master of Orion as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...base.position_text import form_of

if TYPE_CHECKING:
    from ..game.cards import CardSet
    from ..game.position import Position
    from .document import Folder

LETTER = "m"  # with which one line begins


def read_position(
    text: str | bytes, place: str = "", base_dir: Folder = None, cards: CardSet | str | None = None
) -> Position:
    """A position in TOML, JSON or one line; InputError with every problem, each with its place.

    `place` is what messages call the text, `base_dir` where a card set's path starts, `cards` a card set instead of the
    one that the position names.
    """
    text, form = form_of(text, LETTER, place)
    if form == "json":
        from .json import read_json as read
    elif form == "oneline":
        from .oneline import read_oneline as read
    else:
        from .toml import read_toml as read
    return read(text, place, base_dir, cards)
