"""A bound on the ways to pay and exchange that are tried to answer one question about a move.

With dozens of worshipers there are more ways than anybody can wait for. Steps are counted, not seconds, so that the
answer is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import local
from typing import ParamSpec, TypeVar

from ..base.errors import InputError
from ..base.language import _

MOST_STEPS = 150_000  # about a second; Love with a full realm takes up to 95,000, and nothing found in games took more

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


class _Effort(local):
    left = -1  # steps; below 0 they are not counted


_effort = _Effort()


def bounded(question: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
    """The function, with a bound on the steps of each call; calls inside it share its bound. InputError when there
    would be more."""

    @wraps(question)
    def asked(*arguments: Parameters.args, **named: Parameters.kwargs) -> Answer:
        if _effort.left >= 0:
            return question(*arguments, **named)
        _effort.left = MOST_STEPS
        try:
            return question(*arguments, **named)
        finally:
            _effort.left = -1

    return asked


def take_step() -> None:
    if _effort.left == 0:
        message = _("expected few enough worshipers to try every way to pay and exchange, found too many")
        raise InputError.one("move", message)
    if _effort.left > 0:
        _effort.left -= 1
