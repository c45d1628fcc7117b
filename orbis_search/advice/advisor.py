"""The advisor: which move is best, how good, how sure that is, and why.

`advise(position)` gives an `Advice`, one object with everything the commands print. Whatever is listed by
player stands in the position's order of players; probabilities and shares run from 0 to 1; the
perspective is the mover's unless a field says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from statistics import NormalDist, fmean, stdev
from threading import Event
from time import perf_counter
from typing import Any

from ..base.options import CONFIDENCE, MEMORY, SECONDS, SEED, SIMULATIONS, THREADS, boolean, expect, whole
from ..core.packing import PackedMove, Packing, pack_move, unpack_move
from ..core.searches import RootMove
from ..game.position import Move, Position
from ..game.tiles import Tile
from ..game.vocabulary import CELLS, NEIGHBOURS, Colour, Worshipers
from ..search.driver import DEFAULT_MEMORY, Search
from ..search.estimates import CALM, ENOUGH_TOLD, Evidence, Judge, Judgement, Z, standard_deviation
from ..search.settings import expect_settings
from ..solver.endgame import (
    NODES_PER_SIMULATION,
    PROVE_PART,
    Solution,
    expect_moves,
    expect_turn,
    is_near_the_end,
    packed_if_legal,
    solve,
)

DEFAULT_SECONDS = 5.0
LONGEST_SECONDS = 60.0  # for a search that only confidence is to end: equally good moves never come apart
INDIFFERENT = 0.005  # a move that is surely not better by more than this does not keep the search going
FIRST_ROUND = 8_000  # simulations after which it is first asked whether that is sure enough; then twice as many
SHOWN = 8  # ideas of which a chance is told, if nobody asks for more
WAYS = 12  # further ways to play them, where every way is listed
MOST_TOLD = 40  # moves
TELL_PART = 0.25  # of the limit
LAST_WORD = 0.15  # seconds for telling after a search that was interrupted
LONGEST_LINE = 6
MOST_ROWS = 10**9
DETAILED = 10  # the best of so many ideas get their line and draws
REPORT_EVERY = 0.2  # seconds

# The part of a time limit, or of the simulations, that goes into explaining the best move.
EXPLAIN_PART = 0.12
EXPLAIN_SIMULATIONS = 20_000
BATCHES = 5  # what a seed is worth is measured so many times, so that its error is seen
T_BATCHES = 2.776  # Student's t at 95 % for one batch less

PROVE_NODES = 1_000_000  # where only confidence ends the search
ENOUGH_SIMULATIONS = 20_000  # where the best move is proved

NOTHING, EVERYTHING = Fraction(0), Fraction(1)

_GROUP_SHIFT = 16  # a group is lane << 16 | variety; for Orbis a cell and the number of its tile


@dataclass(frozen=True, slots=True)
class Sources:
    """Expected points of one player by where they come from; the fields of `Score`, as means."""

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
    """What the next refill makes of a move: one tile that can come."""

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
    drawn: bool  # the tile still lies in a pile and would have to be drawn first
    frequency: float  # how often this was played, of all visits to where it is played


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move of the player to move."""

    move: Move
    visits: int
    win: float  # expected part of the victory: a shared one counts by its part
    error: float  # half the width of the interval that holds what it is worth with good play in 95 % of all cases
    shares: tuple[float, ...]  # the same of every player
    points: tuple[float, ...]  # expected at the end
    sources: tuple[Sources, ...]  # what those are made of
    level: float  # how often the mover ends level on points with the best of the others
    level_win: float  # part of the victory then: what the tie-break brings; 0 if it never happened
    worth: float  # what the search maximises: a mix of victory and margin, 0 to 1
    weight: float  # how it looked before any search, as a part of all
    line: tuple[Step, ...] = ()  # what is expected to follow
    draws: tuple[DrawValue, ...] = ()  # by the next refill, best first
    kept: bool = False  # looked at because the user asked
    at_least: Fraction = NOTHING  # proved bounds of `win`; equal when it is proved itself
    at_most: Fraction = EVERYTHING
    measured: bool = True  # looked at often enough for its figures to mean something
    sampled: int = 0  # simulations that its figures come from: those after the search
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
        """There is a chance to win worth showing."""
        return self.measured or self.proved

    @property
    def by_chance(self) -> tuple[bool, float, float, int]:
        """Sorts candidates: the middle of the interval, highest first; last what has none worth showing."""
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
    """The recommendation, which is the first candidate, leads its idea, and that the others; they follow by the chance
    of their best."""
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
    seed_points: tuple[float, ...] | None  # by player: points thanks to these seeds; None if not measured
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
        """Points more for the mover."""
        return self.first.candidate.points[self.mover] - self.second.candidate.points[self.mover]

    @property
    def others_loss(self) -> float:
        """Points less for all others together: what is denied, less what is seeded."""
        return _others(self.second.candidate.points, self.mover) - _others(self.first.candidate.points, self.mover)

    @property
    def seeded(self) -> float | None:
        """Points more that the seeds bring to the others."""
        if self.first.seed_points is None or self.second.seed_points is None:
            return None
        return _others(self.first.seed_points, self.mover) - _others(self.second.seed_points, self.mover)

    @property
    def denied(self) -> float | None:
        """Points that the others lose by what is taken, or spoiled, and not by seeds."""
        return None if self.seeded is None else self.others_loss + self.seeded

    @property
    def tie_break(self) -> float:
        """Part of the victory more from games that end level on points."""
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
    candidates: tuple[Candidate, ...]  # every move looked at: the recommendation, then the others by their chance
    simulations: int
    seconds: float
    threads: int
    seed: int
    stopped: str  # "proved", "simulations", "time", "confidence", "interrupted"; "running" in a progress report
    memory_full: bool  # the tree stopped growing; the search went on in it
    unseen: int = 0  # moves never looked at
    why: Comparison | None = None  # the best move against that of the second idea, or what was asked for
    proof: Proof | None = None  # None if the end of the game is too far off to try

    @property
    def best(self) -> Candidate:
        return self.candidates[0]

    @property
    def ideas(self) -> tuple[Idea, ...]:
        """The rows of a table, from the recommendation's on."""
        return ideas(self.candidates)


def advise(
    position: Position,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    confidence: float | None = None,
    threads: int = 1,
    seed: int = 0,
    memory: int = DEFAULT_MEMORY,
    rows: int = SHOWN,
    ways: int = 0,
    keep: Sequence[Move] = (),
    why: Sequence[Move] | None = (),
    prove: bool = True,
    progress: Callable[[Advice], None] | None = None,
    stop: Event | None = None,
    settings: dict[str, Any] | None = None,
) -> Advice:
    """The moves of the player to move, best first.

    Stops at the first limit reached: `simulations`, `seconds`, or `confidence` (0.95: every other move told of is so
    surely not better, by half a per cent or more); with none after 5 seconds, and with confidence alone after
    a minute at the latest. With one thread, a seed and a number of simulations
    the result is always the same. Ctrl-C ends the search and returns what is known by then.

    After the search the best moves of the best ideas, `rows` of them, are played in turns to tell what each is worth
    with good play; and so are `ways` more ways to play those. `keep`: moves to be told of as well. `why`: two moves to
    compare, or one to compare with the best; empty compares the best two, None nothing. `prove`: near the end of the
    game the solver tries first, within half of the limit, and what it proves takes the place of what is sampled.
    `progress` is called a few times a second with what is known so far. Another thread that sets `stop` ends the search
    as Ctrl-C does, within a tenth of a second; something is always known by then.

        >>> advice = advise(position, simulations=1000, seed=1)
        >>> advice.best.low < advice.best.win < advice.best.high, advice.stopped
        (True, 'simulations')
        >>> advice.best.move in orbis.legal_moves(position)
        True
    """
    # 1. What is asked.
    expect_turn(position)
    simulations = expect("simulations", simulations, SIMULATIONS)
    seconds = expect("seconds", seconds, SECONDS)
    confidence = expect("confidence", confidence, CONFIDENCE)
    threads = expect("threads", threads, THREADS)
    seed = expect("seed", seed, SEED)
    memory = expect("memory", memory, MEMORY)
    rows = expect("rows", rows, whole(1, MOST_ROWS))
    ways = expect("ways", ways, whole(0, MOST_ROWS))
    expect("prove", prove, boolean)
    settings = expect_settings(settings)
    keep, why = expect_moves("keep", keep), None if why is None else expect_moves("why", why)
    if simulations is None and seconds is None and confidence is None:
        seconds = DEFAULT_SECONDS
    elif simulations is None and seconds is None:
        seconds = LONGEST_SECONDS
    start = perf_counter()
    packing = Packing(position)
    kept = [packed_if_legal(position, move) for move in (*keep, *(why or ()))]
    search = Search(packing.state, seed=seed, threads=threads, memory=memory, settings=settings)
    writer = _Writer(position, packing, search, frozenset(kept), seed, start)
    if prove and is_near_the_end(packing.state):
        simulations, seconds = writer.prove(simulations, seconds, threads, memory, stop)
        if writer.interrupted:
            simulations, seconds = ENOUGH_SIMULATIONS, None
    explained = 0.0 if why is None or seconds is None else EXPLAIN_PART * seconds
    began = perf_counter()
    reported = start

    def run(part: float, total: int | None, left: float | None) -> bool:
        """Up to a part of the limits; False if somebody ended it before."""
        nonlocal reported
        for _ in search.run(None if total is None else max(1, int(part * total)), left):
            if stop is not None and stop.is_set():
                return False
            if progress is not None and perf_counter() - reported >= REPORT_EVERY:
                reported = perf_counter()
                progress(writer.advice("running", thorough=False))
        return True

    def time_left(part: float) -> float | None:
        return None if seconds is None else max(0.0, began + part * (seconds - explained) - perf_counter())

    stopped = "simulations"
    try:
        for total in _totals(simulations, confidence):
            writer.search_on()
            # With a round to come the clock only ends the last one.
            search_part = 1.0 if confidence is not None else 1 - TELL_PART
            if not run((1 - TELL_PART) / 2, total, time_left(search_part / 2)):
                raise KeyboardInterrupt
            writer.judge.half_way(search.moves())
            if not run(1 - TELL_PART, total, time_left(search_part)):
                raise KeyboardInterrupt
            told = writer.tell(rows, ways)
            if not run(1 - TELL_PART / 2, total, time_left(1 - TELL_PART / 2)):
                raise KeyboardInterrupt
            writer.judge.choose(search.moves())
            before = search.simulations
            if not run(1.0, total, time_left(1 - TELL_PART / 2 * writer.part_of_kept(told))):
                raise KeyboardInterrupt
            in_time = total is not None and search.simulations >= total
            # What was kept comes last and in simulations of its own: it changes nothing of what is said of the others.
            each = max(1, (search.simulations - before) // len(told))
            for moves in writer.tell_kept(told):
                enough = search.simulations + threads * len(moves)
                if not run(1.0, max(enough, search.simulations + each * len(moves)), None):
                    raise KeyboardInterrupt
            if not in_time or time_left(1.0) == 0:
                stopped = "time"
                break
            if confidence is not None and not _rivals(writer.advice("running", thorough=False), confidence):
                stopped = "confidence"
                break
    except KeyboardInterrupt:
        stopped = "interrupted"
        if not search.simulations:
            raise
        if not writer.judge.asked:
            told = writer.tell(rows, ways)
            search.finish(seconds=LAST_WORD)
            for moves in writer.tell_kept(told):
                search.finish(search.simulations + threads * len(moves))
    if writer.interrupted:
        stopped = "interrupted"
    elif writer.solution is not None and writer.solution.finished and stopped != "interrupted":
        stopped = "proved"
    advice = writer.advice(stopped)
    if why is not None and (pair := _pair(advice, why)):
        budget = EXPLAIN_SIMULATIONS if simulations is None else min(EXPLAIN_SIMULATIONS, max(1, simulations // 8))
        measured = None if stopped == "interrupted" else budget
        comparison = writer.compare(*pair, measured, explained or None, memory, settings, stop)
        advice = replace(advice, why=comparison, seconds=perf_counter() - start)
    return advice


def _totals(simulations: int | None, confidence: float | None) -> Iterator[int | None]:
    """After how many simulations in all each round of searching and telling ends."""
    if confidence is None:
        yield simulations
        return
    total = FIRST_ROUND
    while simulations is None or total < simulations:
        yield total
        total *= 2
    yield simulations


def _pair(advice: Advice, asked: Sequence[Move]) -> tuple[Candidate, Candidate] | None:
    """The two candidates to compare, as far as there are two: what was asked for, else the best of the first two ideas,
    or two ways of the only one."""
    named = [each for move in asked for each in advice.candidates if each.move == move]
    if len(named) >= 2:
        return named[0], named[1]
    if named and named[0] != advice.best:
        return advice.best, named[0]
    second = [idea.best for idea in advice.ideas[1:2]] or advice.candidates[1:2]
    return (advice.best, second[0]) if second else None


class _Writer:
    """Makes readable answers of what a search knows."""

    def __init__(
        self, position: Position, packing: Packing, search: Search, kept: frozenset[PackedMove], seed: int, start: float
    ) -> None:
        self.position = position
        self.packing = packing
        self.search = search
        self.kept = kept
        self.seed = seed
        self.start = start
        self.mover = position.to_move or 0
        self.solution: Solution | None = None
        self.interrupted = False
        self.judge = Judge(len(position.players), packing.state.turns_left, self.mover)

    def search_on(self) -> None:
        self.search.ask()

    def tell(self, rows: int, ways: int) -> list[PackedMove]:
        """From here on the search plays what is to be told: the best move of each of the best ideas, the move that it
        looked at most, more ways to play them, and what is proved best: the search may think so little of it that it
        never tried it."""
        found = sorted(
            (row for row in self.search.moves() if row.visits),
            key=lambda row: (0.5 / sqrt(row.visits) - row.mean_reward, row.what, row.detail),
        )
        best: list[PackedMove] = []
        others: list[PackedMove] = []
        seen: set[tuple[object, ...]] = set()
        for row in found:
            idea = idea_of(unpack_move((row.what, row.detail)))
            (others if idea in seen else best).append((row.what, row.detail))
            seen.add(idea)
        most = max(found, key=lambda row: (row.visits, row.mean_reward))
        shown = {idea_of(unpack_move(move)) for move in best[:rows]}
        proved = None if self.solution is None else self.solution.best
        told = [] if proved is None or not proved.low else [self.packed(proved.move)]
        told += [(most.what, most.detail), *best[:rows]]
        told += [move for move in others if idea_of(unpack_move(move)) in shown][:ways]
        told = list(dict.fromkeys(told))[:MOST_TOLD]
        self.judge.searched(self.search.moves(), told)
        self.search.ask(told, CALM)
        return told

    def part_of_kept(self, told: list[PackedMove]) -> float:
        """How much of the time for telling is for what was kept and is not told of yet."""
        more = len(self.kept.difference(told))
        return more / (more + len(told))

    def tell_kept(self, told: list[PackedMove]) -> Iterator[list[PackedMove]]:
        """And now what was kept, so many moves at a time as the search can be asked for."""
        more = sorted(self.kept.difference(told))
        self.judge.asked |= frozenset(more)
        for first in range(0, len(more), MOST_TOLD):
            moves = more[first : first + MOST_TOLD]
            self.search.ask(moves, CALM)
            yield moves

    def prove(
        self, simulations: int | None, seconds: float | None, threads: int, memory: int, stop: Event | None
    ) -> tuple[int | None, float | None]:
        """Lets the solver try; returns the limits that are left for the search."""
        nodes = None if simulations is None else NODES_PER_SIMULATION * simulations
        self.solution = solve(
            self.position,
            goal="best",
            seconds=None if seconds is None else PROVE_PART * seconds,
            nodes=nodes if seconds is not None or nodes is not None else PROVE_NODES,
            memory=memory,
            threads=threads,
            stop=stop,
        )
        self.interrupted = self.solution.stopped == "interrupted"
        if seconds is not None:
            seconds = max(seconds - (perf_counter() - self.start), 0.02)
        best = self.solution.best
        if best is not None:
            # The search is left to say how many points to expect and what will follow.
            simulations = max(2, min(simulations or ENOUGH_SIMULATIONS, ENOUGH_SIMULATIONS))
        return simulations, seconds

    def advice(self, reason: str, thorough: bool = True) -> Advice:
        rows = self.search.moves()
        weights = sum(row.weight for row in rows) or 1.0
        seen = [row for row in rows if row.visits]
        seen.sort(key=lambda row: (-row.visits, -row.mean_reward, row.what, row.detail))
        judged = {unpack_move((row.what, row.detail)): self.judge.judge(row) for row in seen}
        found = [
            self._candidate(row, judged[unpack_move((row.what, row.detail))], row.weight / weights) for row in seen
        ]
        # Before anything is told of, the move looked at most.
        move = self.judge.best({(row.what, row.detail): judged[unpack_move((row.what, row.detail))] for row in seen})
        best = found[0] if move is None else next(each for each in found if each.move == unpack_move(move))
        if self.solution is not None:
            found = self._proved(found)
            best = self._best_proved(found, best)
        found = [each for each in found if each.move != best.move]
        found = [best, *sorted(found, key=lambda each: each.by_chance)]
        if thorough:
            rows_by_move = {move: judgement.row for move, judgement in judged.items()}
            detailed = {idea.best.move for idea in ideas(found)[:DETAILED]}
            for rank, each in enumerate(found):
                if each.move in detailed or each.kept:
                    row = rows_by_move[each.move]
                    found[rank] = replace(each, line=self._line(row), draws=self._draws(row))
        return Advice(
            position=self.position,
            candidates=tuple(found),
            simulations=self.search.simulations,
            seconds=perf_counter() - self.start,
            threads=len(self.search.trees),
            seed=self.seed,
            stopped=reason,
            memory_full=self.search.memory_full,
            unseen=len(rows) - len(seen),
            proof=None
            if self.solution is None
            else Proof(self.solution.finished, self.solution.nodes, self.solution.seconds),
        )

    def _proved(self, found: list[Candidate]) -> list[Candidate]:
        """With what the solver knows. With two players no move at all is better than the one proved best."""
        assert self.solution is not None
        best = self.solution.best
        two = len(self.position.players) == 2
        most = best.high if best is not None and two else EVERYTHING
        bounds = {move.move: (move.low, move.high) for move in self.solution.moves}
        told = []
        for each in found:
            low, high = bounds.get(each.move, (NOTHING, most))
            win = min(max(each.win, float(low)), float(high))
            error = 0.0 if low == high else each.error
            told.append(replace(each, win=win, error=error, at_least=low, at_most=min(high, most)))
        return told

    def _best_proved(self, found: list[Candidate], sampled: Candidate) -> Candidate:
        """Of the moves proved best the one that promises most besides. Without a proof, the sampled best, unless it
        is proved worse than another."""
        assert self.solution is not None
        best = self.solution.best
        if best is None:
            sampled = next(each for each in found if each.move == sampled.move)
            rival = max(found, key=lambda each: each.at_least)
            return rival if rival.at_least > sampled.at_most else sampled
        equal = [each for each in found if each.at_least >= best.low]
        if equal:
            return max(equal, key=lambda each: (each.worth, each.visits))
        return next(each for each in found if each.move == sampled.move)

    def _candidate(self, whole: RootMove, judgement: Judgement, weight: float) -> Candidate:
        row, n = judgement.row, judgement.row.visits
        return Candidate(
            move=unpack_move((row.what, row.detail)),
            visits=whole.visits,
            win=judgement.win,
            error=judgement.evidence.half_width,
            shares=tuple(each / n for each in row.shares),
            points=tuple(each / n for each in row.points),
            sources=tuple(Sources(*(each / n for each in sums)) for sums in row.details),
            level=row.level / n,
            level_win=row.level_share / row.level if row.level else 0.0,
            worth=row.reward / n,
            weight=weight,
            kept=(row.what, row.detail) in self.kept,
            sampled=n,
            evidence=judgement.evidence,
            measured=judgement.told or (not self.judge.asked and n >= ENOUGH_TOLD),
        )

    def _draws(self, row: RootMove) -> tuple[DrawValue, ...]:
        values = [
            DrawValue(self.packing.tiles[what], visits, share / visits, Z * standard_deviation(visits, share, squares))
            for what, visits, share, squares in row.draws
            if visits
        ]
        return tuple(sorted(values, key=lambda value: (-value.win, value.tile.id)))

    def _line(self, row: RootMove) -> tuple[Step, ...]:
        """The moves that follow. A tile they take from a cell that was refilled in between has to be drawn;
        where nobody takes the refill, any tile may have come, and the first that nobody needs stands for it."""
        from ..notation.move_text import format_move

        steps = self.search.line((row.what, row.detail), LONGEST_LINE)
        needed = {group & 0xFFFF for _, _, group, _, _ in steps if group >> _GROUP_SHIFT < len(CELLS)}
        state = self.packing.state.copy()
        state.apply((row.what, row.detail))
        found: list[Step] = []
        drawn: set[int] = set()
        for index, (what, detail, group, visits, of_all) in enumerate(steps):
            cell, number = group >> _GROUP_SHIFT, group & 0xFFFF
            if (hole := state.hole) is not None:
                takes = [g & 0xFFFF for _, _, g, _, _ in steps[index:] if g >> _GROUP_SHIFT == hole]
                possible = state.draws()
                tile = next((t for t in takes[:1] if t in possible), None)
                if tile is None:
                    tile = next((t for t in possible if t not in needed), possible[0])
                else:
                    drawn.add(tile)
                state.refill(tile)
            move = unpack_move((what, detail))
            position = self.packing.position(state)
            if move.cell is not None and position.centre[cell].tile != self.packing.tiles[number]:
                break
            found.append(
                Step(
                    player=position.to_move or 0,
                    move=move,
                    text=format_move(position, move),
                    tile=None if move.cell is None else self.packing.tiles[number],
                    drawn=move.cell is not None and number in drawn,
                    frequency=visits / of_all,
                )
            )
            state.apply((what, detail))
        return tuple(found)

    # ---- why ---------------------------------------------------------------------------------------------

    def compare(
        self,
        first: Candidate,
        second: Candidate,
        budget: int | None,
        seconds: float | None,
        memory: int,
        settings: dict[str, Any] | None,
        stop: Event | None,
    ) -> Comparison:
        """What a seed is worth is measured: the position after the move is searched as it is and once more
        without the seeds, from the same seed. No budget: not measured."""
        sides = []
        for candidate in (first, second):
            seeds = self._seeds(candidate)
            points: tuple[float, ...] | None = tuple(0.0 for _ in self.position.players)
            error = 0.0
            if seeds:
                try:
                    points, error = self._seed_points(
                        candidate.move, seeds, budget, None if seconds is None else seconds / 4, memory, settings, stop
                    )
                except KeyboardInterrupt:
                    points, budget = None, None
            sides.append(Side(candidate, candidate.move.realm, seeds, points, error))
        return Comparison(self.mover, sides[0], sides[1])

    def _seeds(self, candidate: Candidate) -> tuple[Seed, ...]:
        move = candidate.move
        if move.cell is None:
            return ()
        taken = self.position.centre[move.cell].tile
        assert taken is not None
        replies = self.search.replies(self.packed(move))
        everything = sum(replies.values()) or 1
        seeds = []
        for cell in NEIGHBOURS[move.cell]:
            tile = self.position.centre[cell].tile
            assert tile is not None
            visits = sum(n for group, n in replies.items() if group >> _GROUP_SHIFT == cell)
            seeds.append(Seed(cell, tile, taken.colour, visits / everything))
        return tuple(seeds)

    def packed(self, move: Move) -> PackedMove:
        return pack_move(move, len(self.position.players[self.mover].rows[0]))

    def _seed_points(
        self,
        move: Move,
        seeds: Sequence[Seed],
        budget: int | None,
        seconds: float | None,
        memory: int,
        settings: dict[str, Any] | None,
        stop: Event | None,
    ) -> tuple[tuple[float, ...] | None, float]:
        state = self.packing.state.copy()
        state.apply(self.packed(move))
        if state.to_move < 0:
            return tuple(0.0 for _ in self.position.players), 0.0
        if budget is None:
            return None, 0.0
        after = self.packing.position(state)
        centre = list(after.centre)
        for seed in seeds:
            cell = centre[seed.cell]
            if cell.worshipers[seed.colour]:  # a volcano may have taken it at once
                centre[seed.cell] = cell._replace(worshipers=cell.worshipers.changed(seed.colour, -1))
        states = [Packing(position).state for position in (after, after._replace(centre=tuple(centre)))]
        batches = []
        for batch in range(BATCHES):
            means = []
            for state in states:
                threads = len(self.search.trees)
                search = Search(state, seed=self.seed + batch, threads=threads, memory=memory, settings=settings)
                simulations = None if seconds else max(1, budget // BATCHES)
                if not search.finish(simulations, seconds and seconds / BATCHES, stop):
                    return None, 0.0
                rows = [row for row in search.moves() if row.visits]
                visits = sum(row.visits for row in rows)
                means.append([sum(row.points[i] for row in rows) / visits for i in range(len(after.players))])
            batches.append([a - b for a, b in zip(*means)])
        players = list(zip(*batches))
        return tuple(map(fmean, players)), max(T_BATCHES * stdev(each) / sqrt(BATCHES) for each in players)


def _rivals(advice: Advice, confidence: float) -> list[Candidate]:
    """The moves told of that may be better than the best one, as far as a comparison of the two so surely tells."""
    z = NormalDist().inv_cdf(confidence) / Z
    best = advice.best
    found = [
        (other.win - best.win + z * sqrt(best.error**2 + other.error**2), other)
        for other in advice.candidates[1:]
        if other.known
    ]
    found = [(gain, other) for gain, other in found if gain > INDIFFERENT]
    return [other for _, other in sorted(found, key=lambda pair: -pair[0])]
