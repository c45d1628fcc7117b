"""A position and everything that is wrong with it."""

from __future__ import annotations

from ...base.errors import Problem
from ...base.values import NamedTuple
from ..game.position import Position
from ..game.problems import problems


class Check(NamedTuple):
    """A position that is sound, or all problems; then the position may be None, if it could not be read."""

    position: Position | None
    problems: tuple[Problem, ...] = ()


def check_position(position: Position) -> Check:
    """Every problem of a position, or none."""
    return Check(position, tuple(problems(position)))
