"""What a move is worth with good play, and how sure that is.

While a search still looks for the best move, its results include those of trying things out. So it runs in two parts.
First it searches freely. Then the best move of each idea, and any other move asked for, is played in turn, each as
often as any other, and below them both sides play what looks best, with little exploring. Halfway through this one of
them is chosen, and only what comes after counts: the best of several estimates is usually too high, unless it was
chosen on other evidence. A `Judge` notes what was known before, and subtracts it from what is known after.

How far such a value is from the truth was measured on endings with known values and, in the middle of the game, against
searches a hundred times as long: benchmarks/intervals.py recomputes the figures of `ErrorModel`. How often a player
then won was measured in games of the advisor against itself: benchmarks/calibration.py recomputes those of `Sureness`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, hypot, log, sqrt
from operator import mul
from statistics import NormalDist

from ..core.packing import PackedMove
from ..core.searches import RootMove
from .trees import difference

CONFIDENCE_LEVEL = 0.95  # of every interval
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE_LEVEL / 2)
CALM = 0.3  # what is left of the exploration while moves are measured
LEAST_SAMPLE = 200  # simulations; with fewer, those of the later half of the search count too


@dataclass(frozen=True, slots=True)
class ErrorModel:
    """Half the width of an interval: what luck did to the sample; how far the value has moved since the search; and
    what may still be found, which shrinks the more often the move was visited."""

    sample: float
    drift: float
    unknown: float
    falls: float  # with the visits to the power of this
    rounds: float  # log of the factor for each round left, up to MOST_ROUNDS

    def half_width(self, evidence: Evidence) -> float:
        unknown = exp(
            self.unknown + self.rounds * min(evidence.rounds, MOST_ROUNDS) - self.falls * log(evidence.visits)
        )
        return self.sample * Z * evidence.deviation + self.drift * abs(evidence.drift) + unknown


@dataclass(frozen=True, slots=True)
class Sureness:
    """How chances are put right at one stage of the game. A search by a network is less sure than results bear out, for
    it counts moves that it only tried; and it likes the player to move, whose best of many noisy values it takes."""

    rounds: float  # left
    factor: float  # of the log of every share
    mover: float  # added to that of the player to move

    def of(self, shares: Sequence[float], mover: int) -> list[float]:
        powers = [max(share, LEAST_SHARE) ** self.factor for share in shares]
        powers[mover] *= exp(self.mover)
        return [each / sum(powers) for each in powers]


LEAST_SHARE = 1e-9
AS_IT_IS = (Sureness(0, 1.0, 0.0), Sureness(15, 1.0, 0.0))
# By players, with a network; in between a stage is mixed from its neighbours. Rounded from what results have it: two
# players' from 2,000 games at a tenth of a second, and in the last rounds from the endings of the set `fit`; three
# players' from 240 games at 4,000 simulations.
SURENESS = {
    2: (
        Sureness(0, 1.0, 0.0),
        Sureness(3, 1.0, 0.0),
        Sureness(4, 1.1, -0.1),
        Sureness(6, 1.2, -0.08),
        Sureness(15, 1.2, -0.06),
    ),
    3: (
        Sureness(0, 1.0, 0.0),
        Sureness(1, 1.0, 0.0),
        Sureness(2, 1.0, -0.13),
        Sureness(6, 1.0, -0.07),
        Sureness(9, 1.1, -0.07),
        Sureness(15, 1.1, -0.03),
    ),
    4: AS_IT_IS,
}


def sureness(players: int, rounds: float) -> Sureness:
    stages = SURENESS[players]
    if rounds >= stages[-1].rounds:
        return stages[-1]
    above = next(at for at, stage in enumerate(stages) if stage.rounds > rounds)
    low, high = stages[above - 1], stages[above]
    part = (rounds - low.rounds) / (high.rounds - low.rounds)
    return Sureness(rounds, low.factor + part * (high.factor - low.factor), low.mover + part * (high.mover - low.mover))


# By network or playouts, two players with this many turns left: the opponent has one decision more than the mover
# before the end is solved, and its best answer is found late. So a chance tends to be too high, less so the more often
# the move was looked at. With an odd number both miss as much, and it evens out. Fitted by hand to the endings of the
# set `fit`, of which there are none with more than six turns; "too high" of benchmarks/intervals.py shows what is left.
OPTIMISM = {True: {4: 0.05, 6: 0.25}, False: {4: 0.096, 6: 0.35}}
OPTIMISM_FALLS = 0.18
MOST_ROUNDS = 8.0
# By network or playouts, and by players; those of three are for four as well. Two players' by playouts are a little
# wider than what benchmarks/intervals.py finds on the set `fit`: on 240 more endings of the same kind the score is the
# same, and more intervals hold.
MODELS = {
    (True, 2): ErrorModel(1.3, 0.6, -0.72, 0.19, -0.02),
    (True, 3): ErrorModel(2.0, 1.0, -1.64, 0.10, -0.15),
    (False, 2): ErrorModel(1.71, 0.35, -0.34, 0.19, -0.15),
    (False, 3): ErrorModel(1.0, 1.64, -1.64, 0.10, -0.15),
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about how good an estimate is."""

    players: int
    rounds: float  # left to play
    visits: int  # to the move in all
    deviation: float  # standard deviation of the mean
    drift: float  # of the mean, from the later half of the search to the sample
    learned: bool  # by a network

    def corrected(self, shares: Sequence[float], mover: int) -> list[float]:
        """What the shares of the victory in the sample are worth as chances."""
        if self.players == 2:
            win = shares[mover]
            most = OPTIMISM[self.learned].get(round(self.players * self.rounds), 0.0)
            win -= min(most * exp(-OPTIMISM_FALLS * log(self.visits)) * 2 * sqrt(win * max(0.0, 1 - win)), win)
            shares = [win, sum(shares) - win] if mover == 0 else [sum(shares) - win, win]
        return sureness(self.players, self.rounds).of(shares, mover) if self.learned else list(shares)

    def after_draws(self, said: float, shares: Sequence[float], visits: Sequence[int]) -> list[float]:
        """What the mover's shares after each draw are worth as chances: moved by as much as their mean is, and spread
        as chances near it are, so that their mean is `said`, the chance of the move."""
        if not visits:
            return []
        mean = sum(map(mul, shares, visits)) / sum(visits)
        factor = sureness(self.players, self.rounds).factor if self.learned else 1.0
        spread = factor * said * (1 - said) / max(mean * (1 - mean), LEAST_SHARE)
        for share in shares:  # none may leave the scale
            if share != mean:
                spread = min(spread, (1 - said) / (share - mean) if share > mean else said / (mean - share))
        return [said + spread * (share - mean) for share in shares]

    @property
    def half_width(self) -> float:
        """Of the 95 % interval."""
        return min(1.0, MODELS[self.learned, min(self.players, 3)].half_width(self))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a root move is worth: the sums its figures come from, and the mover's share of the victory with its
    error."""

    row: RootMove
    win: float
    evidence: Evidence
    measured: bool


class Judge:
    def __init__(self, players: int, turns_left: int, mover: int, learned: bool) -> None:
        self.players = players
        self.rounds = turns_left / players
        self.mover = mover
        self.learned = learned
        self.half: dict[PackedMove, RootMove] = {}  # what was known halfway through the search ...
        self.before: dict[PackedMove, RootMove] = {}  # ... at its end ...
        self.chosen: dict[PackedMove, RootMove] = {}  # ... and when one was chosen
        self.choice: PackedMove | None = None
        self.asked: frozenset[PackedMove] = frozenset()
        self.kept: frozenset[PackedMove] = frozenset()  # those that only the user asked for: never recommended for it

    def half_way(self, rows: Sequence[RootMove]) -> None:
        self.half = _by_move(rows)
        self.chosen, self.choice, self.asked, self.kept = {}, None, frozenset(), frozenset()

    def searched(self, rows: Sequence[RootMove], asked: Sequence[PackedMove]) -> None:
        """From now on the search plays what it is asked for."""
        self.before = _by_move(rows)
        self.asked = frozenset(asked)

    def keep(self, moves: Sequence[PackedMove]) -> None:
        """From now on the search plays these, which the user asked for."""
        self.kept = frozenset(moves)
        self.asked |= self.kept

    def choose(self, rows: Sequence[RootMove]) -> None:
        """Of the moves asked for, the one with the highest lower bound."""
        judged = {(row.what, row.detail): self.judge(row) for row in rows if row.visits}
        measured = {move: each for move, each in judged.items() if each.measured}
        if measured:
            self.choice = _safest(measured)
            self.chosen = _by_move(rows)

    def best(self, judged: dict[PackedMove, Judgement]) -> PackedMove | None:
        """The move chosen, unless another one clearly turned out to be better."""
        measured = {move: each for move, each in judged.items() if each.measured and move not in self.kept}
        if self.choice is None or self.choice not in measured:
            return _safest(measured) if measured else None
        mine = measured[self.choice]
        rivals = {
            move: each
            for move, each in measured.items()
            if each.win - mine.win > 2 * hypot(each.evidence.deviation, mine.evidence.deviation)
        }
        return max(rivals, key=lambda move: rivals[move].win) if rivals else self.choice

    def judge(self, row: RootMove) -> Judgement:
        """The judgement of a row that has visits."""
        move = (row.what, row.detail)
        measured = move in self.asked
        late = sample = row
        if measured:
            known = self.before.get(move)
            late = row if known is None else difference(known, self.half.get(move))
            # Since the choice; if that is too little, since the end of the search, or since the middle of it.
            for since in (self.chosen, self.before, self.half):
                sample = difference(row, since.get(move))
                if sample.visits >= LEAST_SAMPLE:
                    break
            measured = sample.visits > 0
            if not measured:
                sample = row
        win = sample.shares[self.mover] / sample.visits
        deviation = standard_deviation(sample.visits, sample.shares[self.mover], sample.share_squared)
        drift = win - late.shares[self.mover] / late.visits if late.visits else 0.0
        evidence = Evidence(self.players, self.rounds, row.visits, deviation, drift, self.learned)
        return Judgement(sample, win, evidence, measured)


def _safest(judged: dict[PackedMove, Judgement]) -> PackedMove:
    """The move with the highest lower bound."""
    return max(judged, key=lambda move: judged[move].win - judged[move].evidence.deviation)


def _by_move(rows: Sequence[RootMove]) -> dict[PackedMove, RootMove]:
    return {(row.what, row.detail): row for row in rows}


def standard_deviation(visits: int, share: float, squares: float) -> float:
    """The standard deviation of a mean. Two extra imaginary results, a win and a loss, keep it honest after few
    simulations."""
    variance = max(0.0, (squares + 1) / (visits + 2) - ((share + 1) / (visits + 2)) ** 2)
    return sqrt(variance / visits)
