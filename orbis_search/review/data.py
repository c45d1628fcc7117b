"""A judged game: the review and its parts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import hypot, sqrt
from typing import NamedTuple

from ..advice.data import Comparison
from ..game.position import Move, Position
from ..game.tiles import Tile
from ..record.game import Record

# The least part of the victory given away, worst first. A loss within its error is never worse than "good".
VERDICTS: tuple[tuple[str, Fraction], ...] = (
    ("blunder", Fraction(10, 100)),
    ("mistake", Fraction(5, 100)),
    ("inaccuracy", Fraction(2, 100)),
)
GOOD, BEST, FORCED = "good", "best", "forced"
CLASSES = (BEST, GOOD, *(name for name, _ in reversed(VERDICTS)), FORCED)
HALVING_LOSS = Fraction(5, 100)  # what halves a move's accuracy
SWING = Fraction(5, 100)  # the smallest turning point
TURNING_POINTS = 5
Shares = tuple[Fraction, ...]  # of the victory, by player


class Value(NamedTuple):
    """What a position is worth to everybody."""

    shares: Shares
    points: tuple[float, ...]  # expected at the end
    sampled: Shares  # what a search alone says; the same where nothing is proved
    errors: tuple[float, ...]  # half the width of the 95 % interval of each
    proved: bool = True  # `shares` are exact


class Draw(NamedTuple):
    """A tile that could come, and what the position was worth with it."""

    tile: Tile | None  # None after a god: nothing is drawn, and this is the only "draw"
    weight: int  # more than 1 for identical tiles
    value: Value


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """One turn. Tuples by player are in turn order; differences are later minus earlier."""

    number: int  # of the turn in the game, from 1
    player: int
    position: Position
    move: Move
    drawn: Tile | None  # None after a god, or if nobody saw it
    best: Move  # the move itself where none is better
    verdict: str  # one of CLASSES
    loss: Fraction  # part of the victory given away compared with the best move, never below 0
    loss_error: float  # half the width of its 95 % interval
    proved: bool  # the loss is exact
    lead_loss: float  # the same in points: lead lost over the best of the others
    mine: Value  # of the move before the draw: the mean over all draws ...
    value: Value  # ... and of the best move
    draws: tuple[Draw, ...]
    before: Shares  # the value before the turn
    revision: Shares  # what a closer look changed before the move: the best move's value minus `before`
    skill: Shares  # what the move changed compared with the best one
    luck: Shares  # what the draw changed compared with the mean of all draws
    then: Value  # the value before the next turn; if the draw is not known, the mean of all
    why: Comparison | None = None  # the best move against the one played, at turning points

    @property
    def luck_errors(self) -> tuple[float, ...]:
        """Half the width of the 95 % interval of the luck, by player."""
        if self.drawn is None:
            return (0.0,) * len(self.luck)
        everything = sum(draw.weight for draw in self.draws)
        parts = {draw.tile: (-draw.weight / everything, draw.value) for draw in self.draws}
        part, value = parts.get(self.drawn, (0.0, self.then))  # a tile that the set lacks is not in the mean
        parts[self.drawn] = (1 + part, value)
        sampled = [(part, value.errors) for part, value in parts.values() if not value.proved]
        return tuple(sqrt(sum((part * errors[p]) ** 2 for part, errors in sampled)) for p in range(len(self.luck)))

    @property
    def luckiest(self) -> int | None:
        """Who gained most by the draw, if it is a swing and outside its error."""
        player = max(range(len(self.luck)), key=lambda player: self.luck[player])
        gain = self.luck[player]
        return player if gain >= SWING and gain > self.luck_errors[player] else None

    @property
    def accuracy(self) -> float:
        """100 for the best move, halved for each HALVING_LOSS of the victory given away."""
        return float(100 * 0.5 ** float(self.loss / HALVING_LOSS))


class Swing(NamedTuple):
    """A turning point: a move that gave much away, or a draw that changed much."""

    turn: JudgedTurn
    by_luck: bool
    player: int  # whose error, or who gained most by the draw
    size: Fraction


@dataclass(frozen=True, slots=True)
class Account:
    """How a player arrived at the result: fair + setup + luck + skill + revision = result, exactly."""

    fair: Fraction  # one over the number of players
    setup: Fraction  # what the start was worth above that
    luck: Fraction  # by the draws ...
    luck_error: float  # ... and half the width of its 95 % interval
    own: Fraction  # by own moves: what was given away, so never above 0 ...
    own_error: float
    others: Fraction  # ... and by the others'
    revision: Fraction  # what closer looks changed: the error of earlier estimates
    result: Fraction  # part of the victory; of a game not reviewed to its end, the last value
    counts: dict[str, int]  # moves by class
    accuracy: float | None  # mean over the moves with a choice; None if there was none
    lead_loss: float  # points given away

    @property
    def skill(self) -> Fraction:
        return self.own + self.others

    @property
    def given(self) -> Fraction:
        """Part of the victory given away by the player's own moves."""
        return -self.own


@dataclass(frozen=True)
class Review:
    """A game with every turn judged; tuples by player are in turn order."""

    record: Record
    start: Value
    turns: tuple[JudgedTurn, ...]
    stopped: str  # why it ends there: "over", "unfinished", "unknown draw" or "interrupted"
    simulations: int | None  # per turn
    seconds: float
    threads: int
    seed: int

    @property
    def players(self) -> int:
        return len(self.record.start.players)

    @property
    def last(self) -> Value:
        return self.turns[-1].then if self.turns else self.start

    @cached_property
    def accounts(self) -> tuple[Account, ...]:
        return tuple(self._account(player) for player in range(self.players))

    def _account(self, player: int) -> Account:
        fair, nothing = Fraction(1, self.players), Fraction(0)
        own = [turn for turn in self.turns if turn.player == player]
        chosen = [turn for turn in own if turn.verdict != FORCED]
        return Account(
            fair=fair,
            setup=self.start.shares[player] - fair,
            luck=sum((turn.luck[player] for turn in self.turns), nothing),
            luck_error=hypot(*(turn.luck_errors[player] for turn in self.turns)),  # each turn has its own seed
            own=sum((turn.skill[player] for turn in own), nothing),
            own_error=hypot(*(turn.loss_error for turn in own)),
            others=sum((turn.skill[player] for turn in self.turns if turn.player != player), nothing),
            revision=sum((turn.revision[player] for turn in self.turns), nothing),
            result=self.last.shares[player],
            counts={name: sum(turn.verdict == name for turn in own) for name in CLASSES},
            accuracy=sum(turn.accuracy for turn in chosen) / len(chosen) if chosen else None,
            lead_loss=sum(turn.lead_loss for turn in own),
        )

    @cached_property
    def turning_points(self) -> tuple[Swing, ...]:
        """The largest swings by error or luck, in game order."""
        found = []
        for turn in self.turns:
            if turn.loss >= SWING and turn.verdict not in (GOOD, BEST, FORCED):
                found.append(Swing(turn, False, turn.player, turn.loss))
            if (luckiest := turn.luckiest) is not None:
                found.append(Swing(turn, True, luckiest, turn.luck[luckiest]))
        found.sort(key=lambda swing: -swing.size)
        return tuple(sorted(found[:TURNING_POINTS], key=lambda swing: (swing.turn.number, swing.by_luck)))
