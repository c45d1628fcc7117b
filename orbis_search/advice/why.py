"""Why one move is better than another: where the points come from, and what its seeds are worth.

A seed is a worshiper that a move puts on a neighbouring tile. What seeds are worth is measured: the position after the
move is searched as it is and once more without them, from the same seed of the generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from threading import Event
from typing import NamedTuple

from ..core.packing import Packing, pack_move, unpack_group
from ..game.position import Move
from ..game.vocabulary import NEIGHBOURS
from ..search.driver import Search
from ..search.settings import SearchSettings
from .data import Advice, Candidate, Comparison, Seed, Side
from .spread import SpreadSearch

# The part of a time limit, or of the simulations, that goes into explaining the best move.
EXPLAIN_PART = 0.12
EXPLAIN_SIMULATIONS = 20_000
BATCHES = 5  # how often the worth of seeds is measured, so that its error is known
T_BATCHES = 2.776  # Student's t at 95 % for one batch less


class Effort(NamedTuple):
    """How to measure what seeds are worth."""

    simulations: int | None  # of each position; None: not at all
    seconds: float | None  # for all of it, in place of simulations
    memory: int
    settings: SearchSettings
    seed: int
    stop: Event | None


def pair_to_compare(advice: Advice, asked: Sequence[Move]) -> tuple[Candidate, Candidate] | None:
    """The two candidates to compare, if there are two: those asked for, otherwise the best of the first two ideas, or
    two ways of the only one."""
    named = [each for move in asked for each in advice.candidates if each.move == move]
    if len(named) >= 2:
        return named[0], named[1]
    if named and named[0] != advice.best:
        return advice.best, named[0]
    second = [idea.best for idea in advice.ideas[1:2]] or advice.candidates[1:2]
    return (advice.best, second[0]) if second else None


def compare(
    packing: Packing, search: Search | SpreadSearch, pair: tuple[Candidate, Candidate], effort: Effort
) -> Comparison:
    """Two moves of the position that was packed and searched."""
    position = packing.origin
    sides = []
    for candidate in pair:
        seeds = _seeds(packing, search, candidate.move)
        points: tuple[float, ...] | None = tuple(0.0 for _ in position.players)
        error = 0.0
        if seeds:
            try:
                points, error = _seed_points(packing, candidate.move, seeds, len(search.trees), effort)
            except KeyboardInterrupt:
                points, effort = None, effort._replace(simulations=None)
        sides.append(Side(candidate, candidate.move.realm, seeds, points, error))
    return Comparison(position.to_move or 0, sides[0], sides[1])


def _seeds(packing: Packing, search: Search | SpreadSearch, move: Move) -> tuple[Seed, ...]:
    if move.cell is None:
        return ()
    centre = packing.origin.centre
    chosen = centre[move.cell].tile
    assert chosen is not None
    replies = search.replies(pack_move(packing.origin, move))
    everything = sum(replies.values()) or 1
    seeds = []
    for cell in NEIGHBOURS[move.cell]:
        tile = centre[cell].tile
        assert tile is not None
        visits = sum(n for group, n in replies.items() if unpack_group(group)[0] == cell)
        seeds.append(Seed(cell, tile, chosen.colour, visits / everything))
    return tuple(seeds)


def _seed_points(
    packing: Packing, move: Move, seeds: Sequence[Seed], threads: int, effort: Effort
) -> tuple[tuple[float, ...] | None, float]:
    """Points by player from the seeds, None if they were not measured; and the error."""
    state = packing.state.copy()
    state.apply(pack_move(packing.origin, move))
    if state.to_move < 0:
        return tuple(0.0 for _ in packing.origin.players), 0.0
    if effort.simulations is None:
        return None, 0.0
    after = packing.position(state)
    centre = list(after.centre)
    for seed in seeds:
        cell = centre[seed.cell]
        if cell.worshipers[seed.colour]:  # a volcano may have taken it at once
            centre[seed.cell] = cell._replace(worshipers=cell.worshipers.changed(seed.colour, -1))
    states = [Packing(position).state for position in (after, after._replace(centre=tuple(centre)))]
    if effort.seconds:
        simulations, seconds = None, effort.seconds / 4 / BATCHES
    else:
        simulations, seconds = max(1, effort.simulations // BATCHES), None
    batches = []
    for batch in range(BATCHES):
        means = []
        for state in states:
            search = Search(
                state, seed=effort.seed + batch, threads=threads, memory=effort.memory, settings=effort.settings
            )
            if not search.finish(simulations, seconds, effort.stop):
                return None, 0.0
            rows = [row for row in search.moves() if row.visits]
            visits = sum(row.visits for row in rows)
            means.append([sum(row.points[i] for row in rows) / visits for i in range(len(after.players))])
        batches.append([a - b for a, b in zip(*means)])
    players = list(zip(*batches))
    return tuple(map(fmean, players)), max(T_BATCHES * stdev(each) / sqrt(BATCHES) for each in players)
