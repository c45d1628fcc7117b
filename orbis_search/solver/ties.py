"""Moves that are proved equally good, told apart by points: who wins anyway may as well win by more."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import Any

from .data import Solution, SolvedMove
from .endgame import DEFAULT_MEMORY, solve

LEAST_NODES = 1_000_000  # about a second


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

        >>> from orbis_search.notation.examples import example_text
        >>> ending = orbis.read_position(example_text("ending"))
        >>> ranked_by_points(solve(ending)).best.move in [move.move for move in solve(ending).moves]
        True
    """
    tied = tied_moves(solution)
    seconds_left = None if seconds is None else seconds - solution.seconds
    nodes_left = max(LEAST_NODES, solution.nodes)  # points are worth no more work than the proof was
    if nodes is not None:
        nodes_left = min(nodes_left, nodes - solution.nodes)
    spent = (seconds_left is not None and seconds_left < 0.001) or nodes_left < 1
    if solution.objective != "win" or len(tied) < 2 or solution.stopped == "interrupted" or spent:
        return solution
    moves = [each.move for each in tied]
    limits: dict[str, Any] = {
        "seconds": seconds_left,
        "nodes": nodes_left,
        "memory": memory,
        "threads": threads,
        "stop": stop,
    }
    points = solve(solution.position, objective="margin", goal="best", moves=moves, line=False, **limits)
    if points.best is None:
        return solution
    order = {each.move: rank for rank, each in enumerate(points.moves)}
    first = sorted(tied, key=lambda each: order[each.move])
    ranked = (*first, *(each for each in solution.moves if each not in tied))
    line = solution.line
    if first[0] != solution.best and line:
        line = solve(solution.position, goal="best", moves=[first[0].move], **limits).line
    return replace(
        solution,
        moves=ranked,
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
