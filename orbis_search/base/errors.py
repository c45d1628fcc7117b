"""Errors a person can act on: every problem at once, each with its place."""

from __future__ import annotations

import os
from collections.abc import Iterable

from .language import ENGLISH, N_, _, language, ngettext
from .quoting import safe
from .values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self


def wrong_kind(place: str, expected: str, found: object) -> TypeError:
    """For a value that a program passed in."""
    return TypeError(
        _("{place}: expected {kind}, found {found}", place=place, kind=expected, found=type(found).__name__)
    )


class Problem(NamedTuple):
    """One thing wrong: where, and what was expected and found instead."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{place_words(self.place)}: {self.message}" if self.place else self.message


# Programs see the same places in every language; people read them in their own.
_PLACES = {
    "player": N_("player {number}"),
    "row": N_("row {number}"),
    "column": N_("column {number}"),
    "level": N_("level {number}"),
    "tile": N_("tile {number}"),
    "field": N_("field {number}"),
    "line": N_("line {number}"),
    "round": N_("round {number}"),
    "turn": N_("turn {number}"),
    "game": N_("game {number}"),
    "structure": N_("structure {number}"),
    "advisor": N_("advisor {number}"),
    "race": N_("race {number}"),
    "effect": N_("effect {number}"),
    "option": N_("option {number}"),
    "system": N_("system {number}"),
}
_PLACE_NAMES = (
    N_("move"),
    N_("refill"),
    N_("position"),
    N_("standard input"),
    N_("standard output"),
    N_("the built-in example"),
    N_("core and reference differ"),
    N_("solver and brute force differ"),
)


def place_words(place: str) -> str:
    """`player 2 (Anna), row 1, column 3` in the current language; keys of files stay as they are."""
    if language() == ENGLISH:
        return place
    return ": ".join(", ".join(map(_place_part, part.split(", "))) for part in place.split(": "))


def _place_part(part: str) -> str:
    if part in _PLACE_NAMES:
        return _(part)
    name, _blank, rest = part.partition(" ")
    number, more, tail = rest.partition(" ")
    if name in _PLACES and number.isdecimal():
        return _(_PLACES[name], number=number) + more + tail
    return part


class OrbisError(Exception):
    """Base of everything this package raises on purpose."""


class CoreError(OrbisError, ImportError):
    """The compiled core cannot be loaded; says what to do."""

    @classmethod
    def not_compiled(cls, folder: str, root: str) -> CoreError:
        """`root` is the folder from which it is installed."""
        message = _(
            "{folder} has no compiled core for this Python: run `pip install -e .` in {root}, or start "
            "Python in another folder if orbis-search is already installed",
            folder=folder,
            root=os.path.abspath(root),
        )
        return cls(message)

    @classmethod
    def for_better_processors(cls, needed: str, found: str) -> CoreError:
        """Levels of x86-64: the lowest there is a core for, and that of this processor."""
        message = _(
            "orbis-search was built for x86-64-{needed} processors, but this one is x86-64-{found}: build "
            "it on this machine, or for all processors with ORBIS_LEVELS=all",
            needed=needed,
            found=found,
        )
        return cls(message)


MOST_PROBLEMS = 100  # listed at once; a file of another kind can have one in every word


class InputError(OrbisError):
    """Bad input. Carries all problems found, not only the first; of very many the first ones and how many more. Each is
    safe to print, whatever it quotes."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        listed = tuple(problems)
        if (more := len(listed) - MOST_PROBLEMS) > 1:  # a list cut short before has one more, which says so
            rest = ngettext("{n} more problem is not listed", "{n} more problems are not listed", more)
            listed = (*listed[:MOST_PROBLEMS], Problem("", rest))
        self.problems: tuple[Problem, ...] = tuple(
            Problem(safe(place), "\n".join(map(safe, message.split("\n")))) for place, message in listed
        )
        super().__init__("\n".join(map(str, self.problems)))

    @classmethod
    def one(cls, place: str, message: str) -> Self:
        return cls([Problem(place, message)])


# What systems say when a file cannot be read or written.
_REASONS = (
    N_("Permission denied"),
    N_("Operation not permitted"),
    N_("No such file or directory"),
    N_("Is a directory"),
    N_("Not a directory"),
    N_("File exists"),
    N_("File name too long"),
    N_("No space left on device"),
    N_("Disk quota exceeded"),
    N_("File too large"),
    N_("Read-only file system"),
    N_("Input/output error"),
    N_("Too many levels of symbolic links"),
    N_("Too many open files"),
    N_("Text file busy"),
    N_("Bad file descriptor"),
    N_("Broken pipe"),
    N_("Cannot allocate memory"),
    N_("Resource temporarily unavailable"),
)


def reason(error: OSError) -> str:
    """Why the system refused, in the current language if it is one of the usual reasons."""
    return _(error.strerror) if error.strerror else str(error)
