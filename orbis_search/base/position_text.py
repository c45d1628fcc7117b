"""The text of a position, of whichever game: whether it is text at all, and in which of its three forms."""

from __future__ import annotations

import re

from .errors import InputError, wrong_kind
from .language import _
from .toml import MAX_TEXT


def decoded(text: str | bytes, place: str) -> str:
    """The text of a file, which must be in UTF-8."""
    if not isinstance(text, (str, bytes)):
        raise wrong_kind("text", "str or bytes", text)
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            message = _(
                "expected text in UTF-8, found byte 0x{byte:02x} in line {line}",
                byte=error.object[error.start],
                line=line,
            )
            raise InputError.one(place, message) from None
    return text.removeprefix("\ufeff")


def form_of(text: str | bytes, letter: str, place: str) -> tuple[str, str]:
    """The text, and its form: `json`, `oneline` or `toml`. One line begins with the game's letter and a version."""
    text = decoded(text, place)
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
        return text, "json"
    return text, "oneline" if is_in_line(start, letter) else "toml"


def is_in_line(text: str, letter: str) -> bool:
    """Whether it looks like a position in one line.

    >>> is_in_line("O1:2:reconstruction", "o"), is_in_line("o.toml", "o")
    (True, False)
    """
    return re.match(rf"{letter}[0-9]+:", text, re.IGNORECASE) is not None
