"""Moves that are proved equally good, told apart by points: who wins anyway may as well win by more."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from time import perf_counter
from typing import Any

from ..base.errors import InputError
from ..core.packing import Packing, pack_move
from .data import Solution, SolvedMove
from .endgame import DEFAULT_MEMORY, solve_packed

# Points are worth no more work than the proof was, and never more than some seconds of it.
LEAST_NODES = 1_000_000  # about a second
MOST_NODES = 10_000_000
MOST_TIED = 10_000  # moves to be told apart: only to list more takes longer than a moment


def ranked_by_points(
    solution: Solution,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int = DEFAULT_MEMORY,
    threads: int = 1,
    stop: Event | None = None,
) -> Solution:
    """The solution with the moves that are as good as the best in the order of their points ahead, if everybody then
    plays for those. As it was if there is no tie, or if nothing is left of the limits, which are for both together.
    Interrupted, it is as it was and says so.

        >>> from orbis_search.notation.examples import example_text
        >>> from orbis_search.solver.endgame import solve
        >>> ending = orbis.read_position(example_text("ending"))
        >>> ranked_by_points(solve(ending)).best.move in [move.move for move in solve(ending).moves]
        True
    """
    tied = tied_moves(solution)
    if solution.objective != "win" or not 1 < len(tied) <= MOST_TIED or solution.stopped == "interrupted":
        return solution
    begin = perf_counter()
    packing = Packing(solution.position)
    most = min(max(LEAST_NODES, solution.nodes), MOST_NODES)
    if nodes is not None:
        most = min(most, nodes - solution.nodes)

    def solved(used: int, moves: list[SolvedMove], **more: Any) -> Solution | None:
        """Within what the limits have left; None if that is nothing."""
        left = None if seconds is None else seconds - solution.seconds - (perf_counter() - begin)
        if used >= most or (left is not None and left < 0.001):
            return None
        wanted = [pack_move(solution.position, each.move) for each in moves]
        limits: dict[str, Any] = {"seconds": left, "nodes": most - used, "memory": memory, "threads": threads}
        return solve_packed(solution.position, packing, wanted, goal="best", stop=stop, **limits, **more)

    line = solution.line
    try:
        points = solved(0, tied, objective="margin", line=False)
        if points is not None and points.stopped == "interrupted":
            raise KeyboardInterrupt
        if points is None or points.best is None:
            return solution
        order = {each.move: rank for rank, each in enumerate(points.moves)}
        first = sorted(tied, key=lambda each: order[each.move])
        if first[0] != solution.best and line:
            again = solved(points.nodes, first[:1], objective="win")
            line = () if again is None else again.line
    except KeyboardInterrupt:
        return replace(solution, stopped="interrupted")
    except InputError:  # points may need more room than the chance to win did
        return solution
    ahead = set(map(id, tied))
    return replace(
        solution,
        moves=(*first, *(each for each in solution.moves if id(each) not in ahead)),
        best=first[0],
        line=line,
        points=points.moves,
        nodes=solution.nodes + points.nodes,
        seconds=solution.seconds + points.seconds,
    )


def tied_moves(solution: Solution) -> list[SolvedMove]:
    """Those proved as good as the best, which is among them."""
    if solution.best is None:
        return []
    return [each for each in solution.moves if each.proved and each.lows == solution.best.lows]
