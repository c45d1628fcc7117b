"""Errors a person can act on: every problem at once, each with its place."""

from __future__ import annotations

from collections.abc import Iterable

from .language import N_, _
from .values import NamedTuple


class Problem(NamedTuple):
    """One thing wrong: where, and what was expected and found instead."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class OrbisError(Exception):
    """Base of everything this package raises on purpose."""


class InputError(OrbisError):
    """Bad input. Carries all problems found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))

    @classmethod
    def one(cls, place: str, message: str) -> InputError:
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
    N_("Read-only file system"),
    N_("Input/output error"),
    N_("Too many levels of symbolic links"),
    N_("Too many open files"),
    N_("Text file busy"),
    N_("Bad file descriptor"),
    N_("Broken pipe"),
)


def reason(error: OSError) -> str:
    """Why the system refused, in the current language if it is one of the usual reasons."""
    return _(error.strerror) if error.strerror else str(error)
