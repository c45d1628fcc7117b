"""The advisor: which move is best, how good it is, how sure that is, and why.

`advise(position)` gives an `Advice`, one object with everything the commands print: see `data`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from statistics import NormalDist
from threading import Event
from time import perf_counter
from typing import Any

from ..base.errors import InputError
from ..base.jobs import Workers, count_of
from ..base.language import _
from ..base.options import CONFIDENCE, MEMORY, SECONDS, SEED, SIMULATIONS, THREADS, boolean, expect, whole
from ..base.stopping import expect_wanted
from ..core.packing import PackedMove, Packing, pack_move, unpack_group, unpack_move
from ..core.searches import RootMove
from ..game.position import Move, Position
from ..game.vocabulary import CELLS
from ..search.driver import Search
from ..search.estimates import CALM, LEAST_SAMPLE, Judge, Judgement, Z, standard_deviation
from ..search.settings import SearchSettings, read_settings
from ..search.trees import DEFAULT_MEMORY
from ..solver.data import Solution
from ..solver.endgame import (
    NODES_PER_SIMULATION,
    expect_moves,
    expect_turn,
    is_near_the_end,
    packed_if_legal,
    proof_part,
    solve,
)
from .data import EVERYTHING, NOTHING, Advice, Candidate, DrawValue, Proof, Sources, Step, idea_of, ideas
from .spread import LONGEST_LINE, ROOT_PART, SpreadJudge, SpreadSearch
from .why import EXPLAIN_PART, EXPLAIN_SIMULATIONS, Effort, compare, pair_to_compare

DEFAULT_SECONDS = 5.0
LONGEST_SECONDS = 60.0  # for a search that only confidence ends: equally good moves never separate
INDIFFERENT = 0.005  # a move that is surely no better than this does not keep the search going
FIRST_ROUND = 8_000  # simulations before the first check whether that is sure enough; then twice as many
SHOWN = 8  # ideas whose chances are measured by default
WAYS = 12  # further ways to play them, where every way is listed
MOST_MEASURED = 40  # moves
MEASURE_PART = 0.25  # of the limit, after the search
LAST_WORD = 0.15  # seconds for measuring after a search that was interrupted
MOST_ROWS = 10**9
DETAILED = 10  # this many ideas get a line and draws for their best move
REPORT_EVERY, FIRST_REPORT = 0.2, 0.05  # seconds; the first time somebody waits for anything at all

PROVE_NODES = 1_000_000  # where only confidence ends the search
ENOUGH_SIMULATIONS = 20_000  # where the best move is proved


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
    settings: SearchSettings | Mapping[str, Any] | None = None,
    workers: Workers | int | None = None,
) -> Advice:
    """The moves of the player to move, best first.

    Stops at the first limit reached: `simulations`, `seconds`, or `confidence` (0.95: it is that sure that no other
    move measured is better by half a per cent or more). Without a limit it stops after 5 seconds, with confidence alone
    after a minute at most. With one thread, a seed and a number of simulations the result is always the same. Ctrl-C
    ends the search and returns what is known by then.

    After the search the best moves of the best ideas, `rows` of them, are played in turn to measure what each is worth
    with good play, and so are `ways` more ways to play them. `keep`: moves to measure as well. `why`: two moves to
    compare, or one to compare with the best; empty compares the best two, None nothing. `prove`: near the end of the
    game the solver tries first, within half of the limit, and what it proves replaces what is sampled. `progress` is
    called a few times a second with what is known so far. If another thread sets `stop`, the search ends as on Ctrl-C,
    within a tenth of a second; something is always known by then. A `Stop` that discards ends it with `Stopped`
    instead. `settings`: where the search is to differ from what it does by itself, as `SearchSettings` or by name.
    `workers`: processes, or a cluster, over which the search is spread as independent trees (see `spread`); a number of
    simulations then gives the same result however many there are.

        >>> advice = advise(position, simulations=1000, seed=1)
        >>> advice.best.low < advice.best.win < advice.best.high, advice.stopped
        (True, 'simulations')
        >>> advice.best.move in orbis.legal_moves(position)
        True
    """
    # 1. What is wanted.
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
    settings = read_settings(settings)
    keep, why = expect_moves("keep", keep), None if why is None else expect_moves("why", why)
    if simulations is None and seconds is None and confidence is None:
        seconds = DEFAULT_SECONDS
    elif simulations is None and seconds is None:
        seconds = LONGEST_SECONDS
    start = perf_counter()
    packing = Packing(position)
    kept = [packed_if_legal(position, move) for move in (*keep, *(why or ()))]
    search: Search | SpreadSearch
    if workers is None:
        search = Search(packing.state, seed=seed, threads=threads, memory=memory, settings=settings)
    elif confidence is None:
        search = SpreadSearch(position, seed=seed, memory=memory, settings=settings, workers=workers)
        count_of(workers)  # so that the clock does not run while they come
        start = perf_counter()
    else:
        raise InputError.one("confidence", _("expected none for a search that is spread, found one"))
    writer = _Writer(position, packing, search, frozenset(kept), seed, start)
    if prove and is_near_the_end(packing.state):
        simulations, seconds = writer.prove(simulations, seconds, threads, memory, stop)
        expect_wanted(stop)
        if writer.interrupted:
            simulations, seconds = ENOUGH_SIMULATIONS, None
    explained = 0.0 if why is None or seconds is None else EXPLAIN_PART * seconds
    began = perf_counter()
    due = start + FIRST_REPORT

    def run(part: float, total: int | None, left: float | None) -> bool:
        """Runs to a part of the limits; False if somebody ended it first."""
        nonlocal due
        assert isinstance(search, Search)
        for _ in search.run(None if total is None else max(1, int(part * total)), left):
            if stop is not None and stop.is_set():
                return False
            if progress is not None and (now := perf_counter()) >= due:
                due = max(due, now - REPORT_EVERY / 4) + REPORT_EVERY  # on time again after a slice that was long
                progress(writer.advice("running", thorough=False))
        return True

    def time_left(part: float) -> float | None:
        return None if seconds is None else max(0.0, began + part * (seconds - explained) - perf_counter())

    stopped = "simulations"
    try:
        if isinstance(search, SpreadSearch):
            for _part in writer.spread(simulations, None if seconds is None else seconds - explained, rows, ways):
                if stop is not None and stop.is_set():
                    raise KeyboardInterrupt
                if progress is not None and search.simulations:
                    progress(writer.advice("running", thorough=False))
            stopped = "simulations" if simulations is not None and seconds is None else "time"
        for total in () if isinstance(search, SpreadSearch) else _totals(simulations, confidence):
            writer.search_on()
            # The clock ends only the last round.
            search_part = 1.0 if confidence is not None else 1 - MEASURE_PART
            if not run((1 - MEASURE_PART) / 2, total, time_left(search_part / 2)):
                raise KeyboardInterrupt
            writer.judge.half_way(search.moves())
            if not run(1 - MEASURE_PART, total, time_left(search_part)):
                raise KeyboardInterrupt
            measured = writer.measure(rows, ways)
            if not run(1 - MEASURE_PART / 2, total, time_left(1 - MEASURE_PART / 2)):
                raise KeyboardInterrupt
            writer.judge.choose(search.moves())
            before = search.simulations
            if not run(1.0, total, time_left(1 - MEASURE_PART / 2 * writer.part_of_kept(measured))):
                raise KeyboardInterrupt
            in_time = total is not None and search.simulations >= total
            # What was kept comes last, in simulations of its own, so it changes nothing in the others' figures.
            each = max(1, (search.simulations - before) // len(measured))
            for moves in writer.measure_kept(measured):
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
        expect_wanted(stop)
        if not search.simulations:
            raise
        if not writer.judge.asked:
            measured = writer.measure(rows, ways)
            search.finish(seconds=LAST_WORD)
            for moves in writer.measure_kept(measured):
                search.finish(search.simulations + threads * len(moves))
    if writer.interrupted:
        stopped = "interrupted"
    elif writer.solution is not None and writer.solution.finished and stopped != "interrupted":
        stopped = "proved"
    advice = writer.advice(stopped)
    if why is not None and (pair := pair_to_compare(advice, why)):
        budget = EXPLAIN_SIMULATIONS if simulations is None else min(EXPLAIN_SIMULATIONS, max(1, simulations // 8))
        effort = Effort(None if stopped == "interrupted" else budget, explained or None, memory, settings, seed, stop)
        advice = replace(advice, why=compare(packing, search, pair, effort), seconds=perf_counter() - start)
    return advice


def _totals(simulations: int | None, confidence: float | None) -> Iterator[int | None]:
    """The total number of simulations after which each round of searching and measuring ends."""
    if confidence is None:
        yield simulations
        return
    total = FIRST_ROUND
    while simulations is None or total < simulations:
        yield total
        total *= 2
    yield simulations


class _Writer:
    """Turns what a search knows into readable answers."""

    def __init__(
        self,
        position: Position,
        packing: Packing,
        search: Search | SpreadSearch,
        kept: frozenset[PackedMove],
        seed: int,
        start: float,
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
        players, left = len(position.players), packing.state.turns_left
        self.judge: Judge
        if isinstance(search, SpreadSearch):
            self.judge = SpreadJudge(players, left, self.mover, search)
        else:
            self.judge = Judge(players, left, self.mover, search.evaluation.network is not None)

    def search_on(self) -> None:
        self.search.ask()

    def spread(self, simulations: int | None, seconds: float | None, rows: int, ways: int) -> Iterator[None]:
        """Searches, chooses what is to be measured and measures it; yields now and then."""
        search, judge = self.search, self.judge
        assert isinstance(search, SpreadSearch) and isinstance(judge, SpreadJudge)
        at_first = None if simulations is None else max(2, int(ROOT_PART * simulations))
        yield from search.search(at_first, None if seconds is None else ROOT_PART * seconds)
        measured = self.measure(rows, ways)
        more = sorted(self.kept.difference(measured))
        then = None if simulations is None or at_first is None else simulations - at_first
        left = None if seconds is None else (1 - ROOT_PART) * seconds * (1 - self.part_of_kept(measured))
        yield from search.compare(measured, then, left)
        judge.compared(measured)
        if more:
            then = None if then is None else then * len(more) // len(measured)
            left = None if seconds is None else (1 - ROOT_PART) * seconds * self.part_of_kept(measured)
            yield from search.compare(more, then, left)
            judge.kept_too(more)

    def measure(self, rows: int, ways: int) -> list[PackedMove]:
        """From here on the search plays what is to be measured: the best move of each of the best ideas, the move it
        visited most, more ways to play them, and what is proved best, which the search may have thought too little of
        to try."""
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
        moves = [] if proved is None or not proved.low else [pack_move(self.position, proved.move)]
        moves += [(most.what, most.detail), *best[:rows]]
        moves += [move for move in others if idea_of(unpack_move(move)) in shown][:ways]
        moves = list(dict.fromkeys(moves))[:MOST_MEASURED]
        self.judge.searched(self.search.moves(), moves)
        self.search.ask(moves, CALM)
        return moves

    def part_of_kept(self, measured: list[PackedMove]) -> float:
        """The part of the time for measuring that goes to moves kept and not measured yet."""
        more = len(self.kept.difference(measured))
        return more / (more + len(measured))

    def measure_kept(self, measured: list[PackedMove]) -> Iterator[list[PackedMove]]:
        """Then what was kept, as many moves at a time as the search can be asked for."""
        more = sorted(self.kept.difference(measured))
        self.judge.keep(more)
        for first in range(0, len(more), MOST_MEASURED):
            moves = more[first : first + MOST_MEASURED]
            self.search.ask(moves, CALM)
            yield moves

    def prove(
        self, simulations: int | None, seconds: float | None, threads: int, memory: int, stop: Event | None
    ) -> tuple[int | None, float | None]:
        """Lets the solver try; returns the limits left for the search."""
        nodes = None if simulations is None else NODES_PER_SIMULATION * simulations
        self.solution = solve(
            self.position,
            goal="best",
            seconds=None if seconds is None else proof_part(self.packing.state, seconds) * seconds,
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
            # The search still has to say how many points to expect and what will follow.
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
        # Before anything is measured, the move visited most.
        move = self.judge.best({(row.what, row.detail): judged[unpack_move((row.what, row.detail))] for row in seen})
        best = found[0] if move is None else next(each for each in found if each.move == unpack_move(move))
        if self.solution is not None:
            found = self._with_bounds(found)
            best = self._best_proved(found, best)
        found = [each for each in found if each.move != best.move]
        found = [best, *sorted(found, key=lambda each: each.by_chance)]
        if thorough:
            rows_by_move = {move: judgement.row for move, judgement in judged.items()}
            detailed = {idea.best.move for idea in ideas(found)[:DETAILED]}
            for rank, each in enumerate(found):
                if each.move in detailed or each.kept:
                    row = rows_by_move[each.move]
                    found[rank] = replace(each, line=self._line(row), draws=self._draws(row, each))
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
            evaluation=self.search.evaluation.name,
            evaluation_problem=self.search.evaluation.problem,
            proof=None
            if self.solution is None
            else Proof(self.solution.finished, self.solution.nodes, self.solution.seconds),
        )

    def _with_bounds(self, found: list[Candidate]) -> list[Candidate]:
        """Adds what the solver knows. With two players no move at all is better than the one proved best."""
        assert self.solution is not None
        best = self.solution.best
        two = len(self.position.players) == 2
        most = best.high if best is not None and two else EVERYTHING
        bounds = {move.move: (move.low, move.high) for move in self.solution.moves}
        bounded = []
        for each in found:
            low, high = bounds.get(each.move, (NOTHING, most))
            win = min(max(each.win, float(low)), float(high))
            error = 0.0 if low == high else each.error
            bounded.append(replace(each, win=win, error=error, at_least=low, at_most=min(high, most)))
        return bounded

    def _best_proved(self, found: list[Candidate], sampled: Candidate) -> Candidate:
        """Of the moves proved best, the one that is most promising otherwise. Without a proof, the sampled best, unless
        it is proved worse than another."""
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
        shares = judgement.evidence.corrected([each / n for each in row.shares], self.mover)
        return Candidate(
            move=unpack_move((row.what, row.detail)),
            visits=whole.visits,
            win=shares[self.mover],
            error=judgement.evidence.half_width,
            shares=tuple(shares),
            points=tuple(each / n for each in row.points),
            sources=tuple(Sources(*(each / n for each in sums)) for sums in row.details),
            level=row.level / n,
            level_win=row.level_share / row.level if row.level else 0.0,
            worth=row.reward / n,
            weight=weight,
            kept=(row.what, row.detail) in self.kept,
            sampled=n,
            evidence=judgement.evidence,
            measured=judgement.measured or (not self.judge.asked and n >= LEAST_SAMPLE),
        )

    def _draws(self, row: RootMove, candidate: Candidate) -> tuple[DrawValue, ...]:
        drawn = [each for each in row.draws if each[1]]
        chances = [share / n for _, n, share, _ in drawn]
        if candidate.evidence is not None:
            said = candidate.shares[self.mover]
            chances = candidate.evidence.after_draws(said, chances, [n for _, n, _, _ in drawn])
        values = [
            DrawValue(self.packing.tiles[what], visits, chance, Z * standard_deviation(visits, share, squares))
            for (what, visits, share, squares), chance in zip(drawn, chances)
        ]
        return tuple(sorted(values, key=lambda value: (-value.win, value.tile.id)))

    def _line(self, row: RootMove) -> tuple[Step, ...]:
        """The moves that follow. A tile that they take from a cell refilled in between must be drawn; where nobody
        takes the refill, any tile may have come, and the first one that nobody needs stands in for it."""
        from ..notation.move_text import format_move

        steps = self.search.line((row.what, row.detail), LONGEST_LINE)
        groups = [unpack_group(group) for _, _, group, _, _ in steps]
        needed = {number for cell, number in groups if cell < len(CELLS)}
        state = self.packing.state.copy()
        state.apply((row.what, row.detail))
        found: list[Step] = []
        drawn: set[int] = set()
        for index, (what, detail, _, visits, of_all) in enumerate(steps):
            cell, number = groups[index]
            if (hole := state.hole) is not None:
                takes = [number for cell, number in groups[index:] if cell == hole]
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


def _rivals(advice: Advice, confidence: float) -> list[Candidate]:
    """The moves measured that may still be better than the best one, at the confidence asked for."""
    z = NormalDist().inv_cdf(confidence) / Z
    best = advice.best
    found = [
        (other.win - best.win + z * sqrt(best.error**2 + other.error**2), other)
        for other in advice.candidates[1:]
        if other.known
    ]
    found = [(gain, other) for gain, other in found if gain > INDIFFERENT]
    return [other for _, other in sorted(found, key=lambda pair: -pair[0])]
