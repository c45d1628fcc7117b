"""Commands that start without click if the command line is simple: importing click takes longer than they do.

Whatever is not simple (an option with a value, a settings file, a mistake) goes the usual way, through click.
"""

from __future__ import annotations

import gc

from .answers import tell_check
from .files import load_position, position_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..base.errors import Problem
    from ..game.position import Position


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

    def to_json(found: Position | None, problems: Sequence[Problem]) -> Any:
        from ..check.json import check_to_json

        return check_to_json(Check(found, tuple(problems)))

    def to_text(found: Position) -> str:
        from ..check.text import check_text

        return check_text(Check(found))

    return tell_check(
        lambda: load_position(position, tiles, turn=turn), to_json, to_text, as_json, position_name(position)
    )
