"""Advice as data: the moves tried by what they are worth, gathered into ideas, and two of them compared.

The point of view is the mover's unless a field says otherwise; shares run from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...base.errors import InputError
from ..game.position import Move, Position
from ..game.vocabulary import UNKNOWN
from ..notation.moves import hidden_hand
from ..search.data import MoveValue, SearchResult
from ..search.ending import solve_ending
from ..search.tree import search_moves

LEAST = 8  # games, for figures that mean something
ALL_OPEN = 0.9  # the width of an interval that tells nothing


@dataclass(frozen=True, slots=True)
class Idea:
    """Moves that do the same and differ in what is paid: the best first."""

    ways: tuple[MoveValue, ...]

    @property
    def best(self) -> MoveValue:
        return self.ways[0]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two moves side by side. Differences are first minus second, in points at the end."""

    mover: int
    first: MoveValue
    second: MoveValue

    @property
    def win(self) -> float:
        return self.first.shares[self.mover] - self.second.shares[self.mover]

    @property
    def own_gain(self) -> float:
        return self.first.sources[self.mover].total - self.second.sources[self.mover].total

    @property
    def others_loss(self) -> float:
        """Points lost by all others together."""
        return self._others(self.second) - self._others(self.first)

    def _others(self, value: MoveValue) -> float:
        return sum(each.total for seat, each in enumerate(value.sources) if seat != self.mover)


@dataclass(frozen=True, slots=True)
class Advice:
    result: SearchResult
    ideas: tuple[Idea, ...]  # the recommendation's first, the rest by their chance
    why: Comparison | None = None

    @property
    def position(self) -> Position:
        return self.result.position

    @property
    def mover(self) -> int:
        return self.position.to_move or 0

    @property
    def best(self) -> MoveValue:
        return self.ideas[0].best

    @property
    def simulations(self) -> int:
        return self.result.simulations

    @property
    def seconds(self) -> float:
        return self.result.seconds


def is_known(value: MoveValue) -> bool:
    """Whether there is a chance to win worth showing."""
    return value.proved or (value.visits >= LEAST and value.high - value.low < ALL_OPEN)


def advise(
    position: Position,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    why: Sequence[Move] = (),
    progress: Callable[[Advice], None] | None = None,
) -> Advice:
    """Ranks the moves of the player who decides; InputError if nobody does, or not all of the hand is known. The last
    decisions of a game are solved where they can be."""
    expect_decision(position)
    try:
        solved = solve_ending(position)
    except KeyboardInterrupt:
        result = search_moves(position, simulations=LEAST, seed=seed)
        return advice_of(replace(result, stopped="interrupted"), why)
    if solved is not None:
        return advice_of(solved, why)
    told = None if progress is None else lambda result: progress(advice_of(result))
    result = search_moves(position, simulations=simulations, seconds=seconds, seed=seed, threads=threads, progress=told)
    return advice_of(result, why)


def expect_decision(position: Position) -> None:
    from ...base.language import _

    mover = position.to_move
    if mover is None:
        message = (
            _("expected no move, because the game is over")
            if position.is_over
            else _("expected a card to be drawn first")
        )
        raise InputError.one("position", message)
    if UNKNOWN in position.players[mover].hand:
        raise InputError.one("position", hidden_hand(position))


def advice_of(result: SearchResult, why: Sequence[Move] = ()) -> Advice:
    mover = result.position.to_move or 0
    ways: dict[tuple[object, ...], list[MoveValue]] = {}
    for value in result.values:
        ways.setdefault(_idea_of(value.move), []).append(value)
    first, *rest = (Idea(tuple(each)) for each in ways.values())
    # By the middle of the interval: a few lucky games do not lift a move over one that is well known.
    rest.sort(key=lambda idea: (not is_known(idea.best), -(idea.best.low + idea.best.high), -idea.best.visits))
    ideas = (first, *rest)
    return Advice(result, ideas, _comparison(mover, ideas, why))


def _idea_of(move: Move) -> tuple[object, ...]:
    """All of a move but what is paid."""
    return move.kind, move.card, move.system, move.player, move.number, move.order


def _comparison(mover: int, ideas: tuple[Idea, ...], asked: Sequence[Move]) -> Comparison | None:
    """The two moves asked for, the best against one of them, or the best two."""
    values = {value.move: value for idea in ideas for value in idea.ways}
    named = [values[move] for move in asked if move in values]
    best = ideas[0].best
    if len(named) > 1:
        return Comparison(mover, named[0], named[1])
    if named and named[0] != best:
        return Comparison(mover, best, named[0])
    return Comparison(mover, best, ideas[1].best) if len(ideas) > 1 else None


def label_of(advice: Advice, value: MoveValue) -> str:
    """What a move is called: `2` for the second idea, whichever way it is paid for."""
    return next(str(rank) for rank, idea in enumerate(advice.ideas, 1) if value in idea.ways)
