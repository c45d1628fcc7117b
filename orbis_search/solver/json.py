"""A Solution as plain data, ready for JSON. docs/json.md describes every field. Fractions are texts such as "5/8"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base.options import TOP, expect
from ..game.kinds import expect_kind
from ..game.vocabulary import TURNS
from ..notation.common import tile_text
from ..notation.move_json import move_to_json
from .data import Solution

if TYPE_CHECKING:
    from .data import Bounds, SolvedMove

FORMAT, VERSION = "orbis-solution", 1


def solution_to_json(solution: Solution, top: int | None = None) -> dict[str, Any]:
    """The best `top` moves, or all if it is None.

    >>> solution = orbis.solve(position, nodes=1000)
    >>> data = solution_to_json(solution, top=1)
    >>> data["stopped"], len(data["moves"])
    ('nodes', 1)
    """
    expect_kind(solution, Solution, "solution")
    top = expect("top", top, TOP)
    position = solution.position
    points = {each.move: each for each in solution.points}

    def row(bounds: Bounds) -> dict[str, Any]:
        value: dict[str, Any] = {"low": str(bounds.low), "high": str(bounds.high), "proved": bounds.proved}
        if len(position.players) > 2:
            value |= {"lows": [str(each) for each in bounds.lows], "highs": [str(each) for each in bounds.highs]}
        return value

    def moved(each: SolvedMove) -> dict[str, Any]:
        ahead = points.get(each.move)
        known: dict[str, str | None] = {"points_low": None, "points_high": None}
        if ahead is not None:
            known = {"points_low": str(ahead.low), "points_high": str(ahead.high)}
        return {"move": move_to_json(position, each.move)} | row(each) | known

    value = {
        "format": FORMAT,
        "version": VERSION,
        "objective": solution.objective,
        "goal": solution.goal,
        "to_move": (position.to_move or 0) + 1,
        "turns_left": TURNS * len(position.players) - position.turns_played,
        "finished": solution.finished,
        "stopped": solution.stopped,
        "nodes": solution.nodes,
        "seconds": solution.seconds,
        "threads": solution.threads,
        "best": None if solution.best is None else moved(solution.best),
        "count": len(solution.moves),
        "exact": solution.exact,
        "moves": [moved(each) for each in solution.moves[:top]],
        "line": [
            {
                "move": move_to_json(step.position, step.move),
                "draw": None if step.draw is None else tile_text(step.draw),
            }
            for step in solution.line
        ],
    }
    if solution.chosen is not None:
        value["chosen"] = moved(solution.chosen)
        value["draws"] = [{"tile": tile_text(each.tile), "weight": each.weight} | row(each) for each in solution.draws]
    return value
