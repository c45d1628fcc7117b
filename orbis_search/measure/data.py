"""What is answered in this room, as data: `json` and `text` write it down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..base.comparing import Tally
    from ..base.timing import Figure
    from ..players.arena import Result
    from .fixed_work import Run
    from .ratios import Ratio
    from .regret import Group
    from .speed import Solved, Way
    from .verify_advice import AdviceTally
    from .verify_solver import BoundsTally, EndgameTally
    from .verify_threads import ThreadsTally


# ---- bench -------------------------------------------------------------------------------------------


class FigureComparison(NamedTuple):
    """A figure of two runs: units a second, and how many times the other's ours is."""

    name: str
    ours: float
    others: float
    ratio: Ratio


@dataclass(frozen=True, slots=True)
class RunComparison:
    """A run of this build beside one of another build."""

    name: str  # of the file or the program that the other run comes from
    in_turns: bool  # round by round
    ours: Run
    others: Run
    ratios: tuple[FigureComparison, ...]  # of every figure that both have
    changed: tuple[str, ...]  # parts in which the two did not find the same


class EndgameRun(NamedTuple):
    """A set of endings solved in one way."""

    turns_left: int
    way: Way
    results: tuple[Solved, ...]


@dataclass(frozen=True, slots=True)
class EndgameBench:
    """The endgame solver on its sets of positions: for each number of turns left a run in every way."""

    seconds: float  # limit for each position
    goal: str
    objective: str
    without: tuple[str, ...]  # ideas left out of every run
    runs: tuple[EndgameRun, ...] = ()


@dataclass(frozen=True, slots=True)
class PeersBench:
    """The advisor beside OpenSpiel's bots."""

    core: bool  # the game on the core could be compiled
    matches: tuple[Result, ...] = ()
    figures: tuple[Figure, ...] = ()
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class RegretBench:
    """The advice beside exact values."""

    set: str  # `fit`, `report` or a file
    seed: int
    groups: tuple[Group, ...] = ()  # each with an answer or more
    interrupted: bool = False


# ---- perft -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Perft:
    """The number of move sequences from a position."""

    depth: int
    draws: bool  # every possible refill counts
    seed: int | None  # that shuffled the piles
    rules: str  # "core" or "reference"
    count: int
    divide: tuple[tuple[str, int], ...] | None = None  # by the notation of the first move, if that was asked for


# ---- verify ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RulesVerification:
    """The core and the plain rules agree."""

    seed: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class SolverVerification:
    """The solver and brute force agree, and the bounds of a solver cut short hold."""

    seed: int
    limit: float  # seconds after which it was cut short
    endings: EndgameTally
    bounds: BoundsTally


@dataclass(frozen=True, slots=True)
class AdviceVerification:
    """How good the search's moves are by the solver's values."""

    seed: int
    sims: int
    tally: AdviceTally


@dataclass(frozen=True, slots=True)
class ThreadsVerification:
    """How far searches with several threads are from those with one."""

    seed: int
    sims: int
    tally: ThreadsTally


Verification = RulesVerification | SolverVerification | AdviceVerification | ThreadsVerification
