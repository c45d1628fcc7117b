"""Values that somebody wrote into a file, taken apart with every problem noted and its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .errors import MOST_PROBLEMS, InputError, Problem
from .language import _
from .quoting import UNFILLED, nearest, shown

TYPE_CHECKING = False  # typing's own would be expensive: `orbis check` starts in little more than Python itself takes
if TYPE_CHECKING:
    from typing import Any


class Reading:
    """The problems met while taking a text apart, and the places left unread because of them."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.unread: set[str] = set()

    def report(self, place: str, message: str) -> None:
        self.problems.append(Problem(place, message))

    @property
    def is_hopeless(self) -> bool:
        """Whether more problems have been met than anybody is told: what follows is only counted."""
        return len(self.problems) > MOST_PROBLEMS

    def expected(self, place: str, what: str, found: object) -> None:
        self.report(place, _("expected {what}, found {found}", what=what, found=shown(found)))

    def unfilled(self, text: str, place: str, what: str) -> bool:
        """Whether this is a template's mark that nobody has replaced yet. Then that is the only thing to report."""
        if UNFILLED not in text.replace(",", " ").split():
            return False
        self.report(place, _("expected {what}, found {found}: still to be filled in", what=what, found=shown(UNFILLED)))
        return True

    # Each of these takes a value of any type, since a file can hold anything anywhere.

    def table(self, value: object, place: str, keys: Sequence[str]) -> dict[str, Any]:
        """The known part of a table; unknown keys are reported with the nearest known one."""
        if not isinstance(value, dict):
            self.expected(place, _("a table"), value)
            return {}
        for key in value:
            if key not in keys:
                message = _("expected one of {choice}, found {found}", choice=", ".join(keys), found=shown(key))
                self.report(place, message if self.is_hopeless else message + nearest(key, keys))
        return {key: value[key] for key in keys if key in value}

    def number(self, value: object, place: str, low: int, high: int) -> int | None:
        """A whole number in range. TOML and JSON know booleans, which Python takes for numbers."""
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.expected(place, _("a whole number from {low} to {high}", low=low, high=high), value)
            return None
        return value

    def boolean(self, value: object, place: str, otherwise: bool) -> bool:
        if not isinstance(value, bool):
            self.expected(place, _("true or false"), value)
            return otherwise
        return value

    def text(self, value: object, place: str, what: str) -> str | None:
        if not isinstance(value, str):
            self.expected(place, what, value)
            return None
        return value

    def raise_if_any(self, source: str) -> None:
        if self.problems:
            raise InputError(with_source(self.problems, source))


def with_source(problems: Iterable[Problem], source: str) -> list[Problem]:
    """Puts the file's name before each place."""
    if not source:
        return list(problems)
    return [
        Problem(f"{source}: {place}" if place and place != source else source, message) for place, message in problems
    ]
