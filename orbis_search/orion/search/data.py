"""What a search found: every move tried, and what the games played on from it came to.

Whatever searches answers with this: the advice, the levels and the players of the arena ask for nothing else. Lists by
player are in the order of seats, shares run from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..game.position import Move, Position


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a player's expected points come from; the fields of `Points`, as means."""

    track: float = 0.0
    loyalty: float = 0.0
    structures: float = 0.0
    effects: float = 0.0

    @property
    def total(self) -> float:
        return self.track + self.loyalty + self.structures + self.effects


@dataclass(frozen=True, slots=True)
class MoveValue:
    """One move of the player who decides."""

    move: Move
    visits: int  # games played on from it
    shares: tuple[float, ...]  # of the victory, by player
    low: float  # 95 % interval of the mover's share
    high: float
    sources: tuple[Sources, ...]  # of the points, by player
    proved: bool = False  # counted through, not played: `low` and `high` are the value


@dataclass(frozen=True, slots=True)
class SearchResult:
    position: Position  # as the player who decides sees it
    values: tuple[MoveValue, ...]  # the recommended move first
    simulations: int
    seconds: float
    threads: int
    seed: int
    # "simulations", "time", "only move" or "interrupted"; "running" in a progress report; "solved" if all values are
    # proved: then `simulations` is the number of positions looked at
    stopped: str
