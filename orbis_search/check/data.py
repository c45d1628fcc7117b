"""A position and everything that is wrong with it."""

from __future__ import annotations

from ..base.errors import Problem
from ..base.values import NamedTuple
from ..game.kinds import expect_kind
from ..game.problems import expect_position, problems

TYPE_CHECKING = False  # `orbis check` has to start at once: nothing here imports typing
if TYPE_CHECKING:
    from ..game.position import Position


class Check(NamedTuple):
    """A position that is sound, or all problems; then the position may be None, if it could not be read."""

    position: Position | None
    problems: tuple[Problem, ...] = ()


def expect_check(check: object) -> None:
    """TypeError or InputError unless it is what `check_position` makes."""
    expect_kind(check, Check, "check")
    assert isinstance(check, Check)
    if check.position is not None and not check.problems:
        expect_position(check.position)
    expect_kind(check.problems, tuple, "check.problems")
    for index, problem in enumerate(check.problems):
        expect_kind(problem, Problem, f"check.problems[{index}]")


def check_position(position: Position) -> Check:
    """Every problem of a position, or none.

    >>> check_position(position).problems
    ()
    """
    return Check(position, tuple(problems(position)))
