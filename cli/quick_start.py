"""Commands that start without click if the command line is simple: importing click takes longer than they do.

Whatever is not simple (an option with a value, a settings file, a mistake) goes the usual way, through click.
"""

from __future__ import annotations

import gc

from ..base.errors import InputError, place_words
from .files import load_position, position_name, write, write_json

FINE, BAD_INPUT = 0, 2


def run_simple(arguments: list[str]) -> int | None:
    """The exit code of `check [POSITION] [--json]`; None if something else was asked, and nothing was done."""
    from .settings import settings_path

    command, *rest = arguments
    words = [word for word in rest if word != "--json"]
    simple = command == "check" and len(words) <= 1 and not any(len(word) > 1 and word[0] == "-" for word in words)
    if not simple or settings_path() is not None:
        return None
    collecting = gc.isenabled()
    gc.disable()  # it would go through what is imported, again and again, and find no garbage
    try:
        return check(words[0] if words else None, None, None, len(rest) > len(words))
    finally:
        if collecting:
            gc.enable()


def check(position: str | None, tiles: str | None, turn: int | None, as_json: bool) -> int:
    """Does what `orbis check` does; returns the exit code."""
    from ..check.data import Check

    try:
        found = Check(load_position(position, tiles, turn=turn))  # reading fails unless it is sound
    except InputError as error:
        if not as_json:
            raise
        found = Check(None, error.problems)
    if as_json:
        from ..check.json import check_to_json

        write_json(check_to_json(found))
    else:
        from ..check.text import check_text

        write(f"{place_words(position_name(position))}: {check_text(found)}")
    return BAD_INPUT if found.problems else FINE
