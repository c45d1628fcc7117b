"""Advice as data: the moves tried, what each is worth, what is expected to follow, and two of them compared.

Lists by player are in the position's order of players; probabilities and shares run from 0 to 1; the point of view is
the mover's unless a field says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..game.position import Move, Position
from ..game.tiles import Tile
from ..game.vocabulary import Colour, Worshipers
from ..search.estimates import Evidence
from ..search.settings import PLAYOUT

NOTHING, EVERYTHING = Fraction(0), Fraction(1)
ALL_OPEN = 0.9  # the width of an interval that tells nothing


@dataclass(frozen=True, slots=True)
class Sources:
    """Expected points of one player by source; the fields of `Score`, as means."""

    none: float = 0.0
    farm: float = 0.0
    village: float = 0.0
    forest: float = 0.0
    volcano: float = 0.0
    irrigation: float = 0.0
    temple: float = 0.0  # printed on temple tiles; the token is extra
    proselytism: float = 0.0
    sacred_stone: float = 0.0
    wilderness: float = 0.0
    god: float = 0.0
    temple_token: float = 0.0
    worshipers: float = 0.0  # left at the end: no points, but they break ties


@dataclass(frozen=True, slots=True)
class DrawValue:
    """What a move is worth after one tile that can come next."""

    tile: Tile
    visits: int
    win: float
    error: float


@dataclass(frozen=True, slots=True)
class Step:
    """One move of the expected line."""

    player: int
    move: Move
    text: str  # in the notation of moves
    tile: Tile | None  # what is taken; None for a god
    drawn: bool  # the tile is still in a pile and would have to be drawn first
    frequency: float  # how often this was played, of all visits to where it is played


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move of the player to move."""

    move: Move
    visits: int
    win: float  # expected share of the victory: a shared one counts as a fraction
    error: float  # half the width of the interval that contains what it is worth with good play in 95 % of cases
    shares: tuple[float, ...]  # the same for every player
    points: tuple[float, ...]  # expected at the end
    sources: tuple[Sources, ...]  # where those come from
    level: float  # how often the mover ends level on points with the best of the others
    level_win: float  # share of the victory then: what the tie-break brings; 0 if it never happened
    worth: float  # what the search maximises: a mix of victory and margin, 0 to 1
    weight: float  # how it looked before any search, as a part of all
    line: tuple[Step, ...] = ()  # what is expected to follow
    draws: tuple[DrawValue, ...] = ()  # by the next refill, best first
    kept: bool = False  # included because the user asked
    at_least: Fraction = NOTHING  # proved bounds of `win`; equal when it is proved itself
    at_most: Fraction = EVERYTHING
    measured: bool = True  # visited often enough for its figures to mean something
    sampled: int = 0  # simulations behind its figures: those after the search
    evidence: Evidence | None = None  # what `error` follows from

    @property
    def proved(self) -> bool:
        """`win` is exact, not sampled. Points and line are sampled all the same."""
        return self.at_least == self.at_most

    @property
    def low(self) -> float:
        return max(float(self.at_least), self.win - self.error)

    @property
    def high(self) -> float:
        return min(float(self.at_most), self.win + self.error)

    @property
    def known(self) -> bool:
        """Whether there is a chance to win worth showing."""
        return self.proved or (self.measured and self.high - self.low < ALL_OPEN)

    @property
    def by_chance(self) -> tuple[bool, float, float, int]:
        """A sort key for candidates: the middle of the interval, highest first; those without one worth showing
        last."""
        if not self.known:
            return True, 0.0, 0.0, -self.visits
        return False, -(self.low + self.high) / 2, -self.worth, -self.visits


@dataclass(frozen=True, slots=True)
class Idea:
    """The moves that take the same tile or god and lay it in the same place with the same face: they differ in
    payment, exchanges, colours gained, what is kept at the limit and what a volcano removes."""

    candidates: tuple[Candidate, ...]  # the best first, then the other ways by their chance

    @property
    def best(self) -> Candidate:
        return self.candidates[0]


def idea_of(move: Move) -> tuple[object, ...]:
    """What all ways to play an idea have in common."""
    return move.cell, move.god, move.slot, move.wild, move.validated


def ideas(candidates: Sequence[Candidate]) -> tuple[Idea, ...]:
    """The recommendation, which is the first candidate, leads its idea, and its idea comes first; the others follow by
    the chance of their best move."""
    ways: dict[tuple[object, ...], list[Candidate]] = {}
    for each in (*candidates[:1], *sorted(candidates[1:], key=lambda each: each.by_chance)):
        ways.setdefault(idea_of(each.move), []).append(each)
    return tuple(Idea(tuple(each)) for each in ways.values())


@dataclass(frozen=True, slots=True)
class Seed:
    """A worshiper that a move puts on a neighbouring tile."""

    cell: int
    tile: Tile
    colour: Colour
    taken: float  # how often the next player takes this tile then


@dataclass(frozen=True, slots=True)
class Side:
    """One of two moves under comparison."""

    candidate: Candidate
    realm: Worshipers  # left over
    seeds: tuple[Seed, ...]
    seed_points: tuple[float, ...] | None  # by player: points from these seeds; None if not measured
    seed_error: float  # half the width of their 95 % interval


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two moves side by side. Differences are first minus second, in points at the end."""

    mover: int
    first: Side
    second: Side

    @property
    def win(self) -> float:
        return self.first.candidate.win - self.second.candidate.win

    @property
    def own_gain(self) -> float:
        """Extra points for the mover."""
        return self.first.candidate.points[self.mover] - self.second.candidate.points[self.mover]

    @property
    def others_loss(self) -> float:
        """Points lost by all others together: what is denied minus what is seeded."""
        return _others(self.second.candidate.points, self.mover) - _others(self.first.candidate.points, self.mover)

    @property
    def seeded(self) -> float | None:
        """Extra points that the seeds bring to the others."""
        if self.first.seed_points is None or self.second.seed_points is None:
            return None
        return _others(self.first.seed_points, self.mover) - _others(self.second.seed_points, self.mover)

    @property
    def denied(self) -> float | None:
        """Points that the others lose through what is taken or spoiled, not through seeds."""
        return None if self.seeded is None else self.others_loss + self.seeded

    @property
    def tie_break(self) -> float:
        """Extra share of the victory from games that end level on points."""
        a, b = self.first.candidate, self.second.candidate
        return a.level * a.level_win - b.level * b.level_win


def _others(values: Sequence[float], mover: int) -> float:
    return sum(value for player, value in enumerate(values) if player != mover)


@dataclass(frozen=True, slots=True)
class Proof:
    """What the endgame solver did."""

    finished: bool  # the best move is proved: no other is better
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Advice:
    position: Position
    candidates: tuple[Candidate, ...]  # every move tried: the recommendation, then the others by their chance
    simulations: int
    seconds: float
    threads: int
    seed: int
    stopped: str  # "proved", "simulations", "time", "confidence", "interrupted"; "running" in a progress report
    memory_full: bool  # the tree stopped growing; the search went on in it
    unseen: int = 0  # moves never tried
    evaluation: str = PLAYOUT  # what new nodes were evaluated by: a network's name, or playouts
    evaluation_problem: str | None = None  # why it is not the built-in network
    why: Comparison | None = None  # the best move against that of the second idea, or what was asked for
    proof: Proof | None = None  # None if the end of the game is too far off to try

    @property
    def best(self) -> Candidate:
        return self.candidates[0]

    @property
    def ideas(self) -> tuple[Idea, ...]:
        """The rows of a table, starting with the recommendation's."""
        return ideas(self.candidates)
