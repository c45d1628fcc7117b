"""Flat Monte Carlo by the plain rules: each move is played on to the end in many games, the better half of the moves is
kept again and again.

Nothing is peeked at: every game is played in a world that fits what the player who decides can know. Each sweep over
the moves uses the same world and the same luck, so that neither favours a move.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from random import Random
from time import perf_counter

from ...base.dice import Dice
from ...matches.statistics import interval
from ..game.counting import standings, winners
from ..game.knowledge import complete, seen_by
from ..game.position import Move, Position
from ..game.rules import by_dice, legal_moves, play, play_out
from ..notation.moves import format_move
from .data import MoveValue, SearchResult, Sources, Step
from .policies import play_hurriedly

DEFAULT_SECONDS = 5.0
METHOD = "flat"
LINE = 4  # decisions that are expected to follow
REPORTS = 0.25  # seconds from one progress report to the next


def search_moves(
    position: Position,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[SearchResult], None] | None = None,
) -> SearchResult:
    """What each legal move is worth, by so many games or so much time. Ctrl-C ends it with what it has.

    The plain rules hold Python's lock, so more threads would not play more games: one is used, whatever is asked for.
    """
    if simulations is None and seconds is None:
        seconds = DEFAULT_SECONDS
    return _Search(position, seed).run(simulations, seconds, progress)


class _Arm:
    """A move and the games played on from it."""

    def __init__(self, move: Move, players: int) -> None:
        self.move = move
        self.games = 0
        self.shares = [0.0] * players
        self.scores: list[float] = []  # of the mover
        self.points = [[0.0] * 4 for _ in range(players)]
        self.followed: list[tuple[tuple[int, str], ...]] = []

    def mean(self, seat: int) -> float:
        return self.shares[seat] / self.games if self.games else 0.0


class _Search:
    def __init__(self, position: Position, seed: int) -> None:
        mover = position.to_move
        assert mover is not None
        self.position, self.mover, self.seed = seen_by(position, mover), mover, seed
        self.arms = [_Arm(move, len(position.players)) for move in legal_moves(self.position)]
        self.rng = Random(seed)
        self.used = 0
        self.start = perf_counter()

    def run(
        self, simulations: int | None, seconds: float | None, progress: Callable[[SearchResult], None] | None
    ) -> SearchResult:
        left = list(self.arms)
        if len(left) == 1 and simulations is None:
            simulations, seconds = 1, None  # nothing to choose: a game shows what follows
        phases = max(1, math.ceil(math.log2(len(left))))
        stopped = "time" if simulations is None else "simulations"
        told = self.start
        try:
            for phase in range(1, phases + 1):
                while not self._is_enough(simulations, seconds, phase / phases):
                    world, luck = self.rng.getrandbits(64), self.rng.getrandbits(64)
                    for arm in left:
                        self._play(arm, world, luck)
                        if progress is not None and perf_counter() - told > REPORTS:
                            told = perf_counter()
                            progress(self.result("running"))
                        if self._is_enough(simulations, seconds, 1.0):
                            break
                left.sort(key=lambda arm: -arm.mean(self.mover))
                del left[(len(left) + 1) // 2 :]
        except KeyboardInterrupt:
            stopped = "interrupted"
        return self.result("only move" if len(self.arms) == 1 and stopped != "interrupted" else stopped)

    def _is_enough(self, simulations: int | None, seconds: float | None, part: float) -> bool:
        """Each phase ends at its part of the whole. One game is played in any case."""
        if simulations is not None and self.used >= simulations * part:
            return True
        return bool(self.used) and seconds is not None and perf_counter() - self.start >= seconds * part

    def _play(self, arm: _Arm, world: int, luck: int) -> None:
        position = play(complete(self.position, Dice(world)), arm.move)
        dice = Dice(luck)
        chance = by_dice(dice)
        followed: list[tuple[int, str]] = []
        position = play_out(position, chance)
        while not position.is_over:
            move = play_hurriedly(position, dice)
            if len(followed) < LINE:
                followed.append((position.to_move or 0, format_move(position, move)))
            position = play_out(play(position, move), chance)
        best = winners(position)
        for seat, scored in enumerate(standings(position)):
            arm.shares[seat] += (seat in best) / len(best)
            for number, amount in enumerate(scored):
                arm.points[seat][number] += amount
        arm.scores.append((self.mover in best) / len(best))
        arm.games += 1
        arm.followed.append(tuple(followed))
        self.used += 1

    def result(self, stopped: str) -> SearchResult:
        # The longer a move was kept, the better it did; of equals the one that won more.
        ranked = sorted(self.arms, key=lambda arm: (-arm.games, -arm.mean(self.mover)))
        return SearchResult(
            self.position,
            tuple(self._value(arm) for arm in ranked),
            self.used,
            perf_counter() - self.start,
            1,
            self.seed,
            stopped,
            METHOD,
        )

    def _value(self, arm: _Arm) -> MoveValue:
        games = arm.games or 1
        low, high = interval(arm.scores, 1)
        shares = tuple(share / games for share in arm.shares)
        sources = tuple(Sources(*(amount / games for amount in amounts)) for amounts in arm.points)
        return MoveValue(arm.move, arm.games, shares, low, high, sources, _line(arm.followed))


def _line(followed: list[tuple[tuple[int, str], ...]]) -> tuple[Step, ...]:
    """What came most often, step by step."""
    steps = []
    for depth in range(LINE):
        here = Counter(each[depth] for each in followed if len(each) > depth)
        if not here:
            break
        ((player, text), number), total = here.most_common(1)[0], sum(here.values())
        steps.append(Step(player, text, number / total))
        followed = [each for each in followed if len(each) > depth and each[depth] == (player, text)]
    return tuple(steps)
