"""A position and everything that is wrong with it."""

from __future__ import annotations

from ..base.values import NamedTuple
from ..game.problems import problems

TYPE_CHECKING = False  # `orbis check` has to start at once: nothing here imports typing
if TYPE_CHECKING:
    from ..base.errors import Problem
    from ..game.position import Position


class Check(NamedTuple):
    """A position that is sound, or all problems; then the position may be None, if it could not be read."""

    position: Position | None
    problems: tuple[Problem, ...] = ()


def check_position(position: Position) -> Check:
    """Every problem of a position, or none.

    >>> check_position(position).problems
    ()
    """
    return Check(position, tuple(problems(position)))
