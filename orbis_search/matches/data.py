"""A match, its games, and what they add up to.

A match is a number of rounds. The games of a round share everything that luck decides, and the players move on by one
seat from game to game until each has sat in every seat: two games for two players, a pair. So the value of a seat or a
lucky draw cancels out, and a round's mean result is one observation for the statistics.

Rounds count in order, so neither the number of workers nor which game ends first affects the result. Where
simulations are counted and not seconds, the same seed plays the same games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeVar

from ..base.errors import InputError, Problem
from ..base.language import _, ngettext
from .statistics import Sprt, elo, interval

LETTERS = "ABCD"
WHOLE = 12  # a victory in twelfths, so that two, three and four can share it
EVERY_ROUND = "random:*"  # as a box: a new random one for each round


@dataclass(frozen=True, slots=True)
class Match:
    """What fixes every game of a match."""

    FORMAT: ClassVar[str]  # of the file that keeps the games
    BOX: ClassVar[str]  # what the file calls the box

    entries: tuple[str, ...]  # specifications, two to four; they may be alike
    players: int  # at a table; the last entry takes the seats left over
    box: str  # the set of tiles or cards
    seed: int

    @property
    def table(self) -> tuple[int, ...]:
        """The entry in each seat of a round's first game."""
        last = len(self.entries) - 1
        return tuple(min(seat, last) for seat in range(self.players))

    def seats(self, rotation: int) -> tuple[int, ...]:
        """The entry in each seat of a round's game number `rotation`."""
        table = self.table
        return tuple(table[(seat - rotation) % self.players] for seat in range(self.players))

    def fair_share(self, entry: int) -> float:
        return self.table.count(entry) / self.players

    @property
    def threads(self) -> int:
        """How many threads a game keeps busy."""
        return 1


M = TypeVar("M", bound=Match)


def checked_match(
    kind: type[M],
    entries: Sequence[str],
    players: int | None,
    box: str,
    seed: int,
    parse_player: Callable[[str, str], object],
    load: Callable[[str], object],
) -> M:
    """A match with everything checked; InputError names everything wrong. `parse_player` reads an entry at its place,
    `load` a box."""
    problems: list[Problem] = []
    specs = []
    for letter, text in zip(LETTERS, entries):
        try:
            specs.append(str(parse_player(text, f"player {letter}")))
        except InputError as error:
            problems += error.problems
    try:
        if box != EVERY_ROUND:
            load(box)
    except InputError as error:
        problems += error.problems
    problems += _table_problems(entries, players)
    if problems:
        raise InputError(problems)
    return kind(tuple(specs), players or len(entries), box, seed)


def _table_problems(entries: Sequence[str], players: int | None) -> list[Problem]:
    """What is wrong with so many entries at a table of so many players."""
    if not 2 <= len(entries) <= len(LETTERS):
        return list(InputError.one("players", _("expected 2 to 4, found {found}", found=len(entries))).problems)
    if players is not None and not len(entries) <= players <= len(LETTERS):
        message = _("expected {least} to 4 players at the table, found {found}", least=len(entries), found=players)
        return list(InputError.one("players", message).problems)
    return []


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it is saved: enough to play it again by hand."""

    round: int
    rotation: int
    seats: tuple[int, ...]  # the entry in each seat
    start: str  # the position before the first move, in its one-line form
    moves: tuple[str, ...]
    draws: tuple[str, ...]  # ids of what was drawn, in order
    points: tuple[int, ...]  # by seat, as all below
    shares: tuple[int, ...]  # of the victory, in twelfths
    seconds: tuple[float, ...] = field(default=(), compare=False)  # spent on the moves

    def share_of(self, entry: int) -> float:
        return sum(share for seat, share in zip(self.seats, self.shares) if seat == entry) / WHOLE


def shares_of(winners: Sequence[int], players: int) -> tuple[int, ...]:
    """Of the victory, by seat, in twelfths."""
    return tuple(WHOLE // len(winners) if seat in winners else 0 for seat in range(players))


def expect_result(game: Game, place: str, is_over: bool, points: tuple[int, ...], winners: Sequence[int]) -> None:
    """InputError unless the moves led to the end of the game and to its result."""
    if not is_over:
        message = ngettext(
            "expected a game played to its end, found {n} turn",
            "expected a game played to its end, found {n} turns",
            len(game.moves),
        )
        raise InputError.one(place, message)
    shares = shares_of(winners, len(points))
    if (points, shares) != (game.points, game.shares):
        message = _(
            "expected points {points} and shares {shares} of {whole}, found {found_points} and {found_shares}",
            points=points,
            shares=shares,
            whole=WHOLE,
            found_points=game.points,
            found_shares=game.shares,
        )
        raise InputError.one(place, message)


@dataclass(frozen=True, slots=True)
class Standing:
    """One entry's result over the rounds that count."""

    player: str
    won: int
    shared: int
    lost: int
    score: float  # mean share of the victory, all its seats together
    score_95: tuple[float, float]
    fair: float
    elo: float  # against the field; infinite if it won, or lost, everything
    elo_95: tuple[float, float]
    points: float  # mean of its seats
    seconds: float  # mean per move; nan if no game says


@dataclass(frozen=True, slots=True)
class Result:
    match: Match
    rounds: int
    games: int
    standings: tuple[Standing, ...]
    ratio: float | None = None  # of the sequential test, and its verdict
    verdict: str | None = None


class Tally:
    """Games in whatever order they arrive; rounds count in their own order."""

    def __init__(self, match: Match, sprt: Sprt | None = None) -> None:
        self.match = match
        self.sprt = sprt
        self.rounds: list[tuple[Game, ...]] = []
        self.ratio: float | None = None if sprt is None else 0.0
        self._waiting: dict[int, dict[int, Game]] = {}
        self._scores: list[list[float]] = [[] for _ in match.entries]

    def add(self, game: Game) -> None:
        """Once the test has decided, nothing changes."""
        if game.round >= len(self.rounds):
            self._waiting.setdefault(game.round, {})[game.rotation] = game
        while not self.is_decided:
            whole = self._waiting.get(len(self.rounds), {})
            if len(whole) < self.match.players:
                return
            self.rounds.append(tuple(whole[rotation] for rotation in range(self.match.players)))
            del self._waiting[len(self.rounds) - 1]
            for entry, scores in enumerate(self._scores):
                # Rounded, so that equal scores are equal in the counts of the test too.
                total = math.fsum(game.share_of(entry) for game in whole.values())
                scores.append(round(total / self.match.players, 9))
            if self.sprt is not None:
                self.ratio = self.sprt.ratio(self.scores(0), self.match.fair_share(0))

    @property
    def is_decided(self) -> bool:
        return self.sprt is not None and self.sprt.verdict(self.ratio or 0.0) != "open"

    def scores(self, entry: int) -> list[float]:
        """The entry's mean share of each round."""
        return self._scores[entry]

    def result(self) -> Result:
        standings = tuple(self._standing(entry) for entry in range(len(self.match.entries)))
        verdict = None if self.sprt is None else self.sprt.verdict(self.ratio or 0.0)
        games = len(self.rounds) * self.match.players
        return Result(self.match, len(self.rounds), games, standings, self.ratio, verdict)

    def _standing(self, entry: int) -> Standing:
        games = [game for games in self.rounds for game in games]
        shares = [game.share_of(entry) for game in games]
        seats = [(game, seat) for game in games for seat, who in enumerate(game.seats) if who == entry]
        score = math.fsum(shares) / len(shares) if shares else math.nan
        low, high = interval(self.scores(entry), self.match.players)
        fair = self.match.fair_share(entry)
        timed = [game.seconds[seat] for game, seat in seats if game.seconds]
        turns = sum(len(game.moves) / len(game.seats) for game, _ in seats if game.seconds)
        return Standing(
            player=self.match.entries[entry],
            won=sum(share == 1 for share in shares),
            shared=sum(0 < share < 1 for share in shares),
            lost=sum(share == 0 for share in shares),
            score=score,
            score_95=(low, high),
            fair=fair,
            elo=elo(score, fair) if shares else math.nan,
            elo_95=(elo(low, fair), elo(high, fair)),
            points=sum(game.points[seat] for game, seat in seats) / len(seats) if seats else math.nan,
            seconds=math.fsum(timed) / turns if turns else math.nan,
        )
