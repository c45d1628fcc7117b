"""Judges a game: what each move gave away, what each drawn tile changed, and how that adds up to the result.

    found = review_game(record, seconds=2)
    found.turns[6].loss, found.turns[6].verdict, found.accounts[0].luck

Values are parts of the victory, one for each player, as exact fractions: sampled ones are rounded to a millionth before
they are used, proved ones are what the solver says. docs/review.md defines every term; the terms of an `Account` add up
to the result exactly, because each turn's terms do:

    value before the turn + revision + skill + luck = value before the next turn

Each turn is judged in a thread of its own, by single-threaded searches. So with a fixed number of simulations the
answer does not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import hypot, sqrt
from random import Random
from threading import Event
from time import perf_counter
from typing import NamedTuple

from ..advice.advisor import advise
from ..advice.data import Comparison
from ..base.interrupts import InterruptsHeld
from ..base.machine import MachineError, starting_threads
from ..base.options import SECONDS, SEED, SIMULATIONS, THREADS, expect
from ..core.fast_rules import MOST_LISTED
from ..core.packing import PackedMove, Packing, pack_move, unpack_move
from ..core.states import ALL, PackedState
from ..game.position import Move, Position
from ..game.tiles import Tile
from ..game.vocabulary import TURNS
from ..record.game import Record, expect_record
from ..search.driver import Search
from ..search.estimates import Z, standard_deviation, sureness
from ..solver.data import SolvedMove
from ..solver.endgame import NODES_PER_SIMULATION, PROVE_MEMORY, PROVE_TURNS, is_near_the_end, proof_part, solve
from .data import BEST, FORCED, GOOD, VERDICTS, Draw, JudgedTurn, Review, Shares, Value

DEFAULT_SECONDS = 2.0  # per turn: a game of two takes a minute
MEMORY = 64 << 20  # for a search; each thread runs one at a time
LOOK = 0.1  # seconds between two checks for Ctrl-C

# How a turn's simulations, or its time, are divided: finding the best move, the draws after the one played, the draws
# after the best if that differs. Near the end, the solver gets its part of each.
FIND_PART, DRAWS_PART = 0.2, 0.4
PROVE_PART = 0.7
AFTER_PROOF = 0.3  # of what is left then: the search estimates the points, and serves for comparisons
NEAR_WEIGHT = 3.0  # turns that the solver may prove get this many times as much as the others
LEAST_SIMULATIONS = 16  # for each draw

MILLION = 10**6


class PlayedTurn(NamedTuple):
    """A turn to be judged."""

    position: Position
    move: Move
    drawn: Tile | None
    after: Position | None  # None if the draw is not known


def known_turns(record: Record) -> list[PlayedTurn]:
    """The turns before which every tile on the table is known."""
    found = []
    for stage, turn, following in zip(record.stages, record.turns, record.stages[1:]):
        if stage.unseen:
            break
        found.append(
            PlayedTurn(stage.position, turn.move, turn.drawn, None if following.unseen else following.position)
        )
    return found


@dataclass(frozen=True, slots=True)
class Limits:
    """What a turn may take: simulations, or seconds of one thread."""

    simulations: int | None
    seconds: float | None

    def part(self, part: float, least: int = 1) -> Limits:
        return Limits(
            None if self.simulations is None else max(least, int(part * self.simulations)),
            None if self.seconds is None else part * self.seconds,
        )


class Interrupted(Exception):
    """Somebody asked to stop in the middle of a turn."""


def review_game(
    record: Record,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    stop: Event | None = None,
) -> Review:
    """Judges every turn with all tiles known, with this many simulations or seconds per turn (by default 2 seconds).

    `progress` is called with the number of turns judged and the total. Ctrl-C, or another thread that sets `stop`, ends
    the work; the turns judged so far are returned.

        >>> found = review_game(orbis.Record(position), simulations=100)
        >>> found.turns, found.stopped, float(sum(found.start.shares))
        ((), 'unfinished', 1.0)
    """
    begun = perf_counter()
    expect_record(record)
    simulations = expect("simulations", simulations, SIMULATIONS)
    seconds = expect("seconds", seconds, SECONDS)
    threads = expect("threads", threads, THREADS)
    seed = expect("seed", seed, SEED)
    if simulations is None and seconds is None:
        seconds = DEFAULT_SECONDS
    limits = Limits(simulations, None if seconds is None else seconds * threads)
    played = known_turns(record)
    seeds = [Random(f"review {seed} {index}").getrandbits(63) for index in range(len(played) + 1)]
    whole = _Work(stop)

    jobs: list[Callable[[], object]] = [
        partial(_evaluate, record.start, limits.part(DRAWS_PART), seeds[-1], whole.stop)
    ]
    jobs += [
        partial(_judge, turn, effort, each, whole.stop)
        for turn, effort, each in zip(played, _efforts(played, limits), seeds)
    ]
    answers = whole.run(jobs, threads, progress)
    start = next((answer for answer in answers[:1] if isinstance(answer, Value)), _unknown(record.start))
    turns = _chain(start, [answer for answer in answers if isinstance(answer, _Verdict)])
    stopped = "interrupted" if whole.interrupted else _end(record, played)
    found = Review(record, start, turns, stopped, simulations, perf_counter() - begun, threads, seed)
    if not whole.interrupted:
        found = _with_reasons(found, limits, seeds, threads, whole)
    return replace(found, seconds=perf_counter() - begun)


def _efforts(played: Sequence[PlayedTurn], limits: Limits) -> list[Limits]:
    """The whole effort, divided: most of it where it may buy a proof."""
    weights = []
    for turn in played:
        position = turn.position
        left = TURNS * len(position.players) - position.turns_played
        weights.append(NEAR_WEIGHT if left - 1 <= PROVE_TURNS[len(position.players)] else 1.0)
    return [limits.part(weight * len(weights) / sum(weights)) for weight in weights]


def _end(record: Record, played: Sequence[PlayedTurn]) -> str:
    if len(played) < len(record.turns) or (played and played[-1].after is None):
        return "unknown draw"
    return "over" if record.stages[-1].position.is_over else "unfinished"


class _Work:
    """Runs jobs in threads, and notices meanwhile if they should stop."""

    def __init__(self, asked: Event | None) -> None:
        self.asked = asked or Event()  # the caller's, not ours to set
        self.stop = Event()
        self.interrupted = False

    def run(
        self, jobs: Sequence[Callable[[], object]], threads: int, progress: Callable[[int, int], None] | None
    ) -> list[object]:
        """Their answers in order, up to the first that is missing because of an interrupt."""
        with ThreadPoolExecutor(threads) as pool:
            futures: list[Future[object]] = []
            try:
                with InterruptsHeld(), starting_threads():  # threads started here inherit the blocked signal
                    for job in jobs:
                        futures.append(pool.submit(job))
            except MachineError:
                self._end(futures)
                raise
            waiting = set(futures)
            while waiting:
                try:
                    done, waiting = wait(waiting, timeout=LOOK, return_when=FIRST_COMPLETED)
                    if progress is not None and done and not self.stop.is_set():
                        progress(max(0, len(futures) - len(waiting) - 1), len(futures) - 1)
                    self.interrupted = self.interrupted or self.asked.is_set()
                    if self.interrupted or any(map(_fault, done)):
                        self._end(waiting)
                except KeyboardInterrupt:
                    self.interrupted = True
        for fault in filter(None, map(_fault, futures)):
            raise fault
        answers: list[object] = []
        for future in futures:
            if future.cancelled() or future.exception() is not None:
                break
            answers.append(future.result())
        self.interrupted = len(answers) < len(futures)
        return answers

    def _end(self, waiting: Iterable[Future[object]]) -> None:
        self.stop.set()
        for future in waiting:
            future.cancel()


def _fault(future: Future[object]) -> BaseException | None:
    """What went wrong with a finished job, other than being stopped."""
    error = None if future.cancelled() else future.exception()
    return None if isinstance(error, Interrupted) else error


# ---- one turn --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What is known of a turn by itself; `_chain` adds what the turn before it says."""

    played: PlayedTurn
    forced: bool
    best: Move
    mine: Value  # of the move, before the draw
    value: Value  # of the best
    proved: bool
    draws: tuple[Draw, ...]
    then: Value


def _judge(turn: PlayedTurn, limits: Limits, seed: int, stop: Event) -> _Verdict:
    evaluator = _Evaluator(turn.position, seed, stop)
    state, mover = evaluator.state, turn.position.to_move or 0
    move = pack_move(turn.position, turn.move)

    # 1. What each possible draw makes of the move. If all of these are proved, so is the move's own value.
    effort = limits.part(DRAWS_PART)
    draws = evaluator.draws(move, effort)
    then = _value_after(turn, draws, effort, seed, stop)
    mine = _mean(draws)

    # 2. The best move: proved, or found by a search and then evaluated draw by draw too. So it is not judged by the
    #    simulations that made it look best.
    effort = limits.part(FIND_PART)
    solved = None
    if mine.proved and is_near_the_end(state):
        part = proof_part(state, effort.seconds, PROVE_PART)
        solved = evaluator.prove(state, effort.part(part))
        effort = effort.part(1 - part)
    if solved is not None:
        best = mine._replace(shares=solved.lows)
        rival = turn.move if solved.low == mine.shares[mover] else solved.move
    else:
        best, rival = mine, unpack_move(evaluator.search(state, effort).best())
    if rival != turn.move:
        packed = pack_move(turn.position, rival)
        looked = _mean(evaluator.draws(packed, limits.part(DRAWS_PART)))
        best = _on_equal_terms(mine, looked) if solved is None else best._replace(points=looked.points)
        if best.shares[mover] <= mine.shares[mover]:
            rival, best = turn.move, mine
    return _Verdict(turn, state.count_moves(ALL, MOST_LISTED) == 1, rival, mine, best, solved is not None, draws, then)


class _Evaluator:
    """Evaluates a position and those after it: everything else is made from these values."""

    def __init__(self, position: Position, seed: int, stop: Event) -> None:
        self.packing = Packing(position)
        self.state = self.packing.state
        self.seed = seed
        self.stop = stop

    def draws(self, move: PackedMove, limits: Limits) -> tuple[Draw, ...]:
        """Every tile that could be drawn, each evaluated with the same effort, whichever was drawn: so luck is zero
        on average, however good the searches are."""
        after = self.state.copy()
        after.apply(move)
        if after.hole is None:
            return (Draw(None, 1, self.value(after, limits)),)
        numbers: dict[Tile, list[int]] = {}  # identical tiles are one draw
        for number in after.draws():
            numbers.setdefault(self.packing.tiles[number], []).append(number)
        each = limits.part(1 / len(numbers), LEAST_SIMULATIONS)
        found = []
        for tile, alike in numbers.items():
            full = after.copy()
            full.refill(alike[0])
            found.append(Draw(tile, len(alike), self.value(full, each)))
        return tuple(found)

    def value(self, state: PackedState, limits: Limits) -> Value:
        """What a position is worth: the result if the game is over, what was proved, or what a search says."""
        if state.to_move < 0:
            shares = state.shares()
            result = tuple(Fraction(share, sum(shares)) for share in shares)
            return Value(result, tuple(map(float, state.points())), result, (0.0,) * state.players)
        solved = None
        if is_near_the_end(state):
            part = proof_part(state, limits.seconds, PROVE_PART)
            solved = self.prove(state, limits.part(part))
            limits = limits.part((1 - part) * (1 if solved is None else AFTER_PROOF), LEAST_SIMULATIONS)
        search = self.search(state, limits)
        rows = search.moves()
        best = max(rows, key=lambda row: (row.visits, row.mean_reward, -row.what, -row.detail))
        n = best.visits
        chances = [each / n for each in best.shares]
        # These flatter the mover, because they include the others' experiments. `benchmarks/review.py` prints the bias
        # left.
        if search.evaluation.network is not None:
            chances = sureness(state.players, state.turns_left / state.players).of(chances, state.to_move)
        else:  # midway between them and all games, which include the mover's own experiments as well
            everything = sum(row.visits for row in rows)
            chances = [
                (share + sum(row.shares[player] for row in rows) / everything) / 2
                for player, share in enumerate(chances)
            ]
        sampled = _shares(chances)
        # Victories are rarely shared: a share is nearly always 0 or 1, and so its own square.
        errors = tuple(Z * standard_deviation(n, share, share) for share in best.shares)
        points = tuple(each / n for each in best.points)
        return Value(sampled if solved is None else solved.lows, points, sampled, errors, solved is not None)

    def search(self, state: PackedState, limits: Limits) -> Search:
        """A finished search, with the same seed for everything that is compared."""
        search = Search(state, seed=self.seed, memory=MEMORY)
        if not search.finish(limits.simulations, limits.seconds, self.stop):
            raise Interrupted
        return search

    def prove(self, state: PackedState, limits: Limits) -> SolvedMove | None:
        """The best move with its exact value, if that can be proved."""
        nodes = None if limits.simulations is None else NODES_PER_SIMULATION * limits.simulations
        return solve(
            self.packing.position(state),
            goal="best",
            seconds=limits.seconds,
            nodes=nodes,
            memory=PROVE_MEMORY,
            line=False,
            stop=self.stop,
        ).best


def _value_after(turn: PlayedTurn, draws: tuple[Draw, ...], limits: Limits, seed: int, stop: Event) -> Value:
    """The value with the tile that was drawn."""
    if turn.after is None:
        return _mean(draws)
    for draw in draws:
        if draw.tile == turn.drawn:
            return draw.value
    # A described tile that the set lacks: it is evaluated separately.
    return _evaluate(turn.after, limits.part(1 / len(draws), LEAST_SIMULATIONS), seed, stop)


def _evaluate(position: Position, limits: Limits, seed: int, stop: Event) -> Value:
    evaluator = _Evaluator(position, seed, stop)
    return evaluator.value(evaluator.state, limits)


def _on_equal_terms(mine: Value, other: Value) -> Value:
    """The other move's value, at a distance from this one's that compares like with like: if only one of the two is
    proved, the difference is that of the samples, reduced if it would leave the possible range."""
    if mine.proved == other.proved:
        return other
    change = _minus(other.sampled, mine.sampled)
    room = [(1 - own) / by if by > 0 else own / -by for own, by in zip(mine.shares, change) if by]
    part = min([Fraction(1), *room])
    return other._replace(shares=tuple(own + part * by for own, by in zip(mine.shares, change)), proved=False)


def _unknown(position: Position) -> Value:
    """The value of a start that there was no time to evaluate."""
    players = len(position.players)
    shares = (Fraction(1, players),) * players
    return Value(shares, (0.0,) * players, shares, (1.0,) * players, proved=False)


def _shares(values: Iterable[float]) -> Shares:
    """Rounded to millionths that add up to one: the largest remainders are rounded up."""
    exact = [value * MILLION for value in values]
    whole = [int(value) for value in exact]
    missing = MILLION - sum(whole)
    for index in sorted(range(len(whole)), key=lambda index: whole[index] - exact[index])[: max(0, missing)]:
        whole[index] += 1
    return tuple(Fraction(value, MILLION) for value in whole)


def _minus(first: Shares, second: Shares) -> Shares:
    return tuple(a - b for a, b in zip(first, second))


def _mean(draws: Sequence[Draw]) -> Value:
    everything = sum(draw.weight for draw in draws)
    players = range(len(draws[0].value.shares))
    return Value(
        tuple(sum((d.weight * d.value.shares[p] for d in draws), Fraction(0)) / everything for p in players),
        tuple(sum(d.weight * d.value.points[p] for d in draws) / everything for p in players),
        tuple(sum((d.weight * d.value.sampled[p] for d in draws), Fraction(0)) / everything for p in players),
        tuple(sqrt(sum((d.weight * d.value.errors[p]) ** 2 for d in draws)) / everything for p in players),
        all(d.value.proved for d in draws),
    )


def _lead(value: Value, mover: int) -> float:
    """Points ahead of the best of the others."""
    return value.points[mover] - max(each for player, each in enumerate(value.points) if player != mover)


# ---- the whole game --------------------------------------------------------------------------------


def _chain(start: Value, verdicts: Iterable[_Verdict]) -> tuple[JudgedTurn, ...]:
    """Each turn's terms, which lead from the value before it to the value before the next one."""
    found = []
    before = start.shares
    for each in verdicts:
        position, mine, best = each.played.position, each.mine, each.value
        mover = position.to_move or 0
        loss = best.shares[mover] - mine.shares[mover]
        exact = best is mine or (mine.proved and best.proved)
        error = 0.0 if exact else hypot(mine.errors[mover], best.errors[mover])
        found.append(
            JudgedTurn(
                number=position.turns_played + 1,
                player=mover,
                position=position,
                move=each.played.move,
                drawn=each.played.drawn,
                best=each.best,
                verdict=FORCED if each.forced else _verdict(loss, error),
                loss=loss,
                loss_error=error,
                proved=each.proved,
                lead_loss=_lead(best, mover) - _lead(mine, mover),
                mine=mine,
                value=best,
                draws=each.draws,
                before=before,
                revision=_minus(best.shares, before),
                skill=_minus(mine.shares, best.shares),
                luck=_minus(each.then.shares, mine.shares),
                then=each.then,
            )
        )
        before = each.then.shares
    return tuple(found)


def _verdict(loss: Fraction, error: float) -> str:
    if loss == 0:
        return BEST
    if loss > error:
        for name, least in VERDICTS:
            if loss >= least:
                return name
    return GOOD


def _with_reasons(found: Review, limits: Limits, seeds: Sequence[int], threads: int, work: _Work) -> Review:
    """Adds the reasons for the better moves at turning points."""
    wanted = limits.part(DRAWS_PART)
    errors = [swing.turn for swing in found.turning_points if not swing.by_luck]
    first = found.turns[0].number if found.turns else 0

    def compare(turn: JudgedTurn) -> Comparison | None:
        return advise(
            turn.position,
            simulations=wanted.simulations,
            seconds=wanted.seconds,
            seed=seeds[turn.number - first],
            memory=MEMORY,
            why=(turn.best, turn.move),
            prove=False,
            stop=work.stop,
        ).why

    answers = work.run([partial(compare, turn) for turn in errors], threads, None)
    why = {turn.number: answer for turn, answer in zip(errors, answers) if isinstance(answer, Comparison)}
    turns = tuple(replace(turn, why=why.get(turn.number)) for turn in found.turns)
    return replace(found, turns=turns)
