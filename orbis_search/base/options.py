"""Options and how they are read: one validator for functions, commands, the engine and players.

A reader returns the value of what was passed, or raises `Unfit` with what was expected, which `expect` turns into an
InputError. Options that several functions share have their ranges here, under one name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite
from typing import Any, TypeVar

from .errors import InputError, Problem
from .language import N_, _
from .quoting import shown

MAX_THREADS = 256
MAX_SEED = (1 << 63) - 1
MAX_SECONDS = 1e7
MAX_SIMULATIONS = MAX_NODES = MAX_COUNT = 10**15
MOST_SHOWN = 10**9  # rows of an answer: more than anybody can want
LEAST_MEMORY, MAX_MEMORY = 1 << 20, 1 << 40  # bytes

Value = TypeVar("Value")
Reader = Callable[[Any], Any]


class Unfit(Exception):
    """A value that an option cannot have. Carries what was expected instead."""


def expect(name: str, value: object, reader: Callable[[Any], Value]) -> Value:
    """The value that the reader makes of an option; InputError under its name if it cannot have this value."""
    try:
        return reader(value)
    except Unfit as unfit:
        raise InputError.one(name, _("expected {what}, found {found}", what=unfit, found=shown(value))) from None


# ---- readers -----------------------------------------------------------------------------------------


def whole(low: int, high: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if not isinstance(value, bool) and hasattr(type(value), "__index__") and low <= (number := int(value)) <= high:
            return number
        raise Unfit(_("an integer from {low} to {high}", low=low, high=high))

    return read


def real(low: float, high: float, what: str) -> Callable[[Any], float]:
    """`what` is the whole phrase, marked with N_."""

    def read(value: Any) -> float:
        # Compared before it becomes a float, for which an integer may be too long. NaN is never in between.
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise Unfit(_(what))
        return float(value)

    return read


def choice(*words: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise Unfit(_("one of {choice}", choice=", ".join(words)))
        return value

    return read


def text(what: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise Unfit(_(what))
        return value

    return read


def boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Unfit(_("true or false"))
    return value


def or_null(reader: Callable[[Any], Value]) -> Callable[[Any], Value | None]:
    def read(value: Any) -> Value | None:
        try:
            return None if value is None else reader(value)
        except Unfit as error:
            raise Unfit(_("{what} or null", what=error)) from None

    return read


# ---- what several functions take -----------------------------------------------------------------------

THREADS = whole(1, MAX_THREADS)
SEED = whole(-MAX_SEED, MAX_SEED)
SIMULATIONS = or_null(whole(1, MAX_SIMULATIONS))
NODES = or_null(whole(1, MAX_NODES))
SECONDS = or_null(real(1e-9, MAX_SECONDS, N_("seconds above 0, at most ten million")))
CONFIDENCE = or_null(real(0.5, 0.9999, N_("a number from 0.5 to 0.9999")))
PLAYERS = whole(2, 4)
TOP = or_null(whole(0, MOST_SHOWN))
MEMORY = whole(LEAST_MEMORY, MAX_MEMORY)


# ---- as people type it ---------------------------------------------------------------------------------

MAX_SIZE = 1 << 35  # bytes that one can ask for by a size
MAX_DIGITS = 18
_TIME_UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0}
_SIZE_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def number_of(typed: str) -> int | float | None:
    """The number that a text is; None if it is none, or one without end."""
    if re.fullmatch(r"\s*[+-]?[0-9]{1,20}\s*", typed):
        return int(typed)
    try:
        number = float(typed)
    except ValueError:
        return None
    return number if isfinite(number) else None


def counted(typed: str) -> int | None:
    """The whole number that a text is, in the digits 0 to 9; None if it is anything else, or longer than anybody can
    mean. `str.isdigit` knows more digits than `int` reads, and `int` refuses thousands of them.

    >>> counted("12"), counted("-1"), counted("\N{ETHIOPIC DIGIT ONE}"), counted("1" * 5000)
    (12, None, None, None)
    """
    return int(typed) if 0 < len(typed) <= MAX_DIGITS and typed.isascii() and typed.isdecimal() else None


def named_settings(text: str, place: str) -> dict[str, Any]:
    """What a text of NAME=VALUE with commas between says; InputError with everything wrong with it.

    >>> named_settings("sims=20,time=2s", "player")
    {'sims': '20', 'time': '2s'}
    """
    found: dict[str, Any] = {}
    problems = []
    for part in text.split(",") if text else ():
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not name or not value:
            problems.append(Problem(place, _("expected NAME=VALUE, found {found}", found=shown(part))))
        elif name in found:
            problems.append(Problem(place, _("expected {name} once, found it twice", name=name)))
        else:
            found[name] = value
    if problems:
        raise InputError(problems)
    return found


def typed(reader: Callable[[Any], Value]) -> Callable[[Any], Value]:
    """The same reader, of a text too if that is a number."""

    def read(value: Any) -> Value:
        number = number_of(value) if isinstance(value, str) else None
        return reader(value if number is None else number)

    return read


def _as_typed(value: Any) -> str:
    """A text as it is compared, or a number as one; empty for anything else. `str` itself has limits: a nested list and
    an integer of thousands of digits have none."""
    if isinstance(value, str):
        return value.strip().lower()
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 10**MAX_DIGITS
    return str(value) if is_number else ""


def duration(value: Any) -> float:
    """Seconds of `0.2s`, `200ms`, `2m`, `1h` or a number without a unit."""
    match = re.fullmatch(r"([0-9]{0,9}\.?[0-9]{0,9})\s*(ms|s|m|h|)", _as_typed(value))
    if match is not None and re.search("[0-9]", match[1]):
        seconds = float(match[1]) * _TIME_UNITS[match[2]]
        if 0 < seconds <= MAX_SECONDS:
            return seconds
    raise Unfit(_("a time such as 5s, 250ms or 2m"))


def size(value: Any) -> int:
    """Bytes of `64M`, `2G` or a plain number."""
    match = re.fullmatch(r"([0-9]{1,12})\s*([kmg]?)(?:i?b)?", _as_typed(value))
    if match is not None and LEAST_MEMORY <= (number := int(match[1]) * _SIZE_UNITS[match[2]]) <= MAX_SIZE:
        return number
    raise Unfit(_("a size from 1M to 32G, such as 64M"))
