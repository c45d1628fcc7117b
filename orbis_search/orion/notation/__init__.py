"""Positions and moves of Master of Orion as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...base.errors import InputError
from ...base.language import _
from ...base.toml import MAX_TEXT

if TYPE_CHECKING:
    from ..game.cards import CardSet
    from ..game.position import Position
    from .document import Folder


def read_position(
    text: str | bytes, place: str = "", base_dir: Folder = None, cards: CardSet | str | None = None
) -> Position:
    """A position in TOML, JSON or one line; InputError with every problem, each with its place.

    `place` is what messages call the text, `base_dir` where a card set's path starts, `cards` a card set instead of the
    one that the position names.
    """
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError.one(place, _("expected text in UTF-8, found other bytes")) from None
    if len(text) > MAX_TEXT:
        message = _("expected a position of at most {most} characters, found {found}", most=MAX_TEXT, found=len(text))
        raise InputError.one(place, message)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError.one(place, _("expected text, found a NUL character in line {line}", line=line))
    start = text.lstrip()
    if not start:
        raise InputError.one(place, _("expected a position in TOML, JSON or one line, found empty text"))
    if start[0] == "{":
        from .json import read_json as read
    elif re.match(r"[mM][0-9]+:", start):
        from .oneline import read_oneline as read
    else:
        from .toml import read_toml as read
    return read(text, place, base_dir, cards)
