"""What is proved about an ending: the solution and its parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from ..game.position import Move, Position
from ..game.tiles import Tile

Values = tuple[Fraction, ...]  # one for each player, in the position's order


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is proved about a value: at least `lows`, at most `highs`, for each player."""

    who: int  # the player to move in the position asked about
    lows: Values
    highs: Values

    @property
    def low(self) -> Fraction:
        """For the player to move."""
        return self.lows[self.who]

    @property
    def high(self) -> Fraction:
        return self.highs[self.who]

    @property
    def proved(self) -> bool:
        """Whether the value is exact, for everybody."""
        return self.lows == self.highs


@dataclass(frozen=True, slots=True)
class SolvedMove(Bounds):
    move: Move


@dataclass(frozen=True, slots=True)
class SolvedDraw(Bounds):
    """The value after a move, once this tile has come into the empty cell."""

    tile: Tile
    weight: int  # of all draws; more than 1 where several tiles in the pile are alike


@dataclass(frozen=True, slots=True)
class Step:
    """A move of the principal line, the position it is made in, and what comes after it."""

    position: Position
    move: Move
    draw: Tile | None  # None after a god


@dataclass(frozen=True, slots=True)
class Solution:
    position: Position
    objective: str  # "win" or "margin"
    goal: str  # "best": one move proved best; "all": every move exact
    moves: tuple[SolvedMove, ...]  # best first
    best: SolvedMove | None  # exact, and proved to be no worse than any other; None if that is open
    finished: bool  # the goal was reached
    stopped: str  # "proved", "time", "nodes", "memory" or "interrupted"; "running" in a progress report
    nodes: int
    seconds: float
    threads: int
    line: tuple[Step, ...] = ()  # how best play may continue
    chosen: SolvedMove | None = None  # the move whose draws were asked for ...
    draws: tuple[SolvedDraw, ...] = ()  # ... and these; none after a god, which draws nothing
    points: tuple[SolvedMove, ...] = ()  # moves as good as the best, by points ahead, where these broke the tie

    @property
    def exact(self) -> int:
        """Moves whose value is proved."""
        return sum(move.proved for move in self.moves)


@dataclass(frozen=True, slots=True)
class Progress:
    """What a running search has proved."""

    moves: int
    exact: int  # of these, with an exact value
    best_is_proved: bool
    nodes: int
    seconds: float
    so_far: Callable[[], Solution] = field(repr=False, compare=False)  # returns the moves so far; takes a while
