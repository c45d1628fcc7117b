"""What a command says in the end, as JSON or as text. Without click, which is slow to import."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..base.errors import InputError, Problem, place_words
from .files import write, write_json

TYPE_CHECKING = False  # `orbis check` has to start at once
if TYPE_CHECKING:
    from typing import Any, TypeVar

    Found = TypeVar("Found")

FINE, BAD_INPUT = 0, 2


def tell(as_json: bool, to_json: Callable[[], Any], to_text: Callable[[], str], output: str | None = None) -> None:
    """One of the two, made when it is asked for."""
    if as_json:
        write_json(to_json(), output)
    else:
        write(to_text(), output)


def tell_check(
    load: Callable[[], Found],
    to_json: Callable[[Found | None, Sequence[Problem]], Any],
    to_text: Callable[[Found], str],
    as_json: bool,
    name: str = "",
) -> int:
    """What is wrong with something that `load` refuses unless it is sound; the exit code. The text says `name` first,
    if there is one."""
    try:
        loaded = load()
    except InputError as error:
        if not as_json:
            raise
        write_json(to_json(None, error.problems))
        return BAD_INPUT
    said = f"{place_words(name)}: " if name else ""
    tell(as_json, lambda: to_json(loaded, ()), lambda: said + to_text(loaded))
    return FINE
