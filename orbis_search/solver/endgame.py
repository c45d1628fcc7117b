"""The end of the game, solved: exact values of moves, or proved bounds, never a guess.

    solution = solve(position, seconds=60)
    solution.best.move, solution.best.low, solution.finished

Values are for best play by everybody, exact over all draws to come: the share of the victory ("win", a shared one
counts as a fraction), or points ahead of the best of the others ("margin"). With two players what one wins the other
loses. With three and four, all maximise their own value; among moves that are equal for the mover, the one that counts
gives least to the next in turn order, then least to the one after, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from ..base.errors import InputError, wrong_kind
from ..base.interrupts import InterruptsHeld
from ..base.language import _, ngettext
from ..base.machine import no_memory, starting_threads
from ..base.options import MEMORY, NODES, SECONDS, THREADS, boolean, choice, expect, or_null, whole
from ..core.fast_rules import MOST_LISTED
from ..core.packing import PackedMove, Packing, pack_move, unpack_move
from ..core.searches import ALL_IDEAS, Solver
from ..core.states import ALL, DIFFERENT, SEARCH
from ..game.kinds import expect_move
from ..game.legality import expect_legal
from ..game.position import Move, Position
from ..game.problems import expect_position, expect_sound
from ..game.tiles import Tile
from .data import Progress, Solution, SolvedDraw, SolvedMove, Step, Values

if TYPE_CHECKING:
    from ..core.states import PackedState

OBJECTIVES = ("win", "margin")
GOALS = ("best", "all")
LOOK = 0.05  # seconds between two checks of a running solver
REPORT_EVERY = 0.2  # seconds between two progress reports
LINE_NODES = 300_000  # spent on how best play may continue
DEFAULT_MEMORY = 256 << 20
FURTHEST = 1 << 14  # a lead that no game reaches: the bound of a margin about which nothing is known
MOST_MOVES = 100_000  # legal moves of a root; a volcano can have billions

# By number of players, how many turns of all players may be left for it to be worth asking the solver before a search;
# the part of a time limit it may take then, or the nodes for each simulation, which take about as long.
PROVE_TURNS = {2: 8, 3: 3, 4: 3}
PROVE_MOVES = 10_000  # a turn with more choices than this is the search's: to list them takes a tenth of a second
PROVE_PART = 0.5
# By turns left with two players, the seconds below which the solver proves hardly any contested ending. It then gets a
# smaller part, which is enough for most decided ones.
PROVE_SECONDS = {6: 0.2, 7: 5.0, 8: 60.0}
DECIDED_PART = 0.05
NODES_PER_SIMULATION = 4
PROVE_MEMORY = 16 << 20

Span = tuple[Values, Values]  # at least, at most
Bound = Fraction | Values  # as the solver reports it: with two players the mover's alone
Row = tuple[int, int, Bound, Bound]  # a draw and its weight, at least, at most
Found = TypeVar("Found")


def solve(
    position: Position,
    *,
    objective: str = "win",
    goal: str = "all",
    moves: Iterable[Move] | None = None,
    every: bool = False,
    draws_of: Move | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int = DEFAULT_MEMORY,
    threads: int = 1,
    ideas: int | None = None,
    line: bool = True,
    progress: Callable[[Progress], None] | None = None,
    stop: Event | None = None,
) -> Solution:
    """The moves of the player to move, best first, each with its exact value or with proved bounds.

    `moves`: any legal moves; by default those that a search considers, which with two players always include a best
    one, or with `every` all legal ones. `draws_of`: a legal move whose value after each possible draw is wanted as
    well. `line`: whether to do some more work on how best play may continue. `ideas`: a sum of the solver's IDEAS to
    use, for measuring; they never change a value. `progress` is called now and then, from this thread; if another
    thread sets `stop`, the search ends as on Ctrl-C.

    Without a limit it runs until the goal is reached, and that may take years: a position with more than six
    or seven turns left needs one. At a limit or Ctrl-C the bounds proved so far are returned.

        >>> from orbis_search.notation.examples import example_text
        >>> solution = solve(orbis.read_position(example_text("ending")), goal="best")
        >>> solution.finished, solution.best.proved, str(solution.best.low)
        (True, True, '7/12')
    """
    # 1. What to solve.
    expect("objective", objective, choice(*OBJECTIVES))
    expect("goal", goal, choice(*GOALS))
    expect_turn(position)
    expect("every", every, boolean)
    expect("line", line, boolean)
    seconds = expect("seconds", seconds, SECONDS)
    nodes = expect("nodes", nodes, NODES)
    memory = expect("memory", memory, MEMORY)
    threads = expect("threads", threads, THREADS)
    ideas = expect("ideas", ideas, or_null(whole(0, ALL_IDEAS)))
    moves = None if moves is None else expect_moves("moves", moves)
    packing = Packing(position)
    wanted = None if moves is None else [packed_if_legal(position, move) for move in moves]
    if every and wanted is None:
        wanted = _listed(packing.state, ALL)
    chosen = None if draws_of is None else packed_if_legal(position, draws_of)
    if wanted == [] and chosen is None:
        raise InputError.one("moves", _("expected at least one move, found none"))
    if chosen is not None:
        wanted = _listed(packing.state, SEARCH) if wanted is None else wanted
        wanted += [] if chosen in wanted else [chosen]
    if wanted is None:
        _expect_listable(packing.state, SEARCH if packing.state.players == 2 else DIFFERENT)

    return solve_packed(
        position,
        packing,
        wanted,
        chosen=chosen,
        objective=objective,
        goal=goal,
        seconds=seconds,
        nodes=nodes,
        memory=memory,
        threads=threads,
        ideas=ideas,
        line=line,
        progress=progress,
        stop=stop,
    )


def solve_packed(
    position: Position,
    packing: Packing,
    wanted: list[PackedMove] | None,
    *,
    objective: str,
    goal: str,
    memory: int,
    threads: int,
    chosen: PackedMove | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    ideas: int | None = None,
    line: bool = True,
    progress: Callable[[Progress], None] | None = None,
    stop: Event | None = None,
) -> Solution:
    """`solve` for moves that are known to be legal, of which there may be thousands."""
    # 2. Solve it. To get all values, one move is proved best first: that matters most, and is soon done.
    run = _Run(position, packing, objective, goal, chosen, threads, memory, seconds, nodes, ideas, line, progress, stop)
    run.prove("best", wanted)
    if goal == "all":
        run.prove("all", wanted)

    # 3. What else is wanted.
    return run.solution(() if chosen is None else run.table(chosen))


def expect_turn(position: Position) -> None:
    """InputError unless the position is sound and somebody is to move and can."""
    expect_position(position)
    if position.to_move is None:
        raise InputError.one("position", _("expected somebody to move, found the game over"))
    if position.hole is not None:
        raise InputError.one("position", _("expected a refill before the next move, found an empty cell"))
    expect_sound(position)


def expect_moves(name: str, moves: Iterable[Move]) -> tuple[Move, ...]:
    """TypeError unless these are moves; `packed_if_legal` says whether they are legal."""
    if isinstance(moves, Move) or not isinstance(moves, Iterable):
        raise wrong_kind(name, "moves", moves)
    found = tuple(moves)
    for index, move in enumerate(found):
        expect_move(move, f"{name}[{index}]")
    return found


def packed_if_legal(position: Position, move: Move) -> PackedMove:
    expect_legal(position, move)
    return pack_move(position, move)


def _listed(state: PackedState, prune: int) -> list[PackedMove]:
    _expect_listable(state, prune)
    return state.moves(prune)


def _expect_listable(state: PackedState, prune: int) -> None:
    """InputError if there are more moves than a solver takes."""
    number = state.count_moves(prune, MOST_LISTED)
    if number is None:
        message = _("expected at most {most:,} legal moves to solve, found far more", most=MOST_MOVES)
        raise InputError.one("moves", message)
    if number > MOST_MOVES:
        raise InputError.one(
            "moves", _("expected at most {most:,} legal moves to solve, found {found:,}", most=MOST_MOVES, found=number)
        )


def watch(
    solver: Solver,
    function: Callable[..., Found],
    *arguments: int,
    seconds: float | None,
    nodes: int | None = None,
    report: Callable[[], None] | None = None,
    stop: Event | None = None,
) -> tuple[Found, bool]:
    """What a solver function returns, and whether Ctrl-C made it return early.

    It runs in a thread of its own, without the GIL and without a break, while this one handles progress and Ctrl-C. So
    with one thread, and no limit except on nodes, the work done is always the same.
    """
    answers: list[Found] = []
    faults: list[BaseException] = []
    done = Event()  # not Thread.join, which an interrupt confuses

    def work() -> None:
        try:
            answers.append(function(*arguments, seconds=seconds, nodes=nodes))
        except BaseException as error:
            faults.append(error)
        finally:
            done.set()

    started = interrupted = False
    due = perf_counter() + REPORT_EVERY
    while not done.is_set():
        try:
            if not started:
                with InterruptsHeld(), starting_threads():
                    Thread(target=work, daemon=True).start()
                    started = True
            interrupted = interrupted or (stop is not None and stop.is_set())
            if interrupted:
                solver.stop()  # again and again: it may not have started when first told
            done.wait(LOOK)
            before = perf_counter()
            if report is not None and before >= due and not done.is_set():
                report()
                due = perf_counter() + max(REPORT_EVERY, 10 * (perf_counter() - before))
        except KeyboardInterrupt:
            interrupted = True
    if faults:
        with starting_threads():  # the solver starts its own
            raise faults[0]
    return answers[0], interrupted


class _Run:
    """One call of `solve`: its limits, its solvers, and what they know in readable form."""

    def __init__(
        self,
        position: Position,
        packing: Packing,
        objective: str,
        goal: str,
        chosen: PackedMove | None,
        threads: int,
        memory: int,
        seconds: float | None,
        nodes: int | None,
        ideas: int | None,
        line: bool,
        progress: Callable[[Progress], None] | None,
        stop: Event | None,
    ) -> None:
        self.position = position
        self.packing = packing
        self.objective = objective
        self.goal = goal
        self.chosen = chosen
        self.options: dict[str, Any] = {"objective": objective, "memory": memory, "threads": threads}
        if ideas is not None:
            self.options["ideas"] = ideas
        self.threads = threads
        self.with_line = line
        self.start = perf_counter()
        self.seconds = seconds
        self.nodes_left = nodes
        self.progress = progress
        self.stop = stop
        self.who = position.to_move or 0
        self.players = len(position.players)
        self.nodes = 0  # of finished solvers
        self.stopped = "proved"
        self.rows: dict[PackedMove, Span] = {}  # what solvers before this one have proved
        self.current: Solver | None = None

    # ---- running -------------------------------------------------------------------------------------

    @property
    def solver(self) -> Solver:
        assert self.current is not None, "prove comes first"
        return self.current

    def prove(self, goal: str, moves: list[PackedMove] | None) -> None:
        """Runs a solver until its goal or a limit is reached."""
        if self.stopped != "proved":
            return
        if self.current is not None:
            self.rows = self._merged_rows()
            if all(lows == highs for lows, highs in self.rows.values()):
                return
            self.nodes += self.solver.nodes
            self.current = None  # its memory is freed before the next one's is allocated
        try:
            self.current = Solver(self.packing.state.game_state(), goal=goal, moves=moves, **self.options)
        except ValueError:  # so many draws to come that exact values would not fit
            too_large = ngettext(
                "expected an ending small enough to solve, found {n} turn left; orbis advise can sample it",
                "expected an ending small enough to solve, found {n} turns left; orbis advise can sample it",
                self.packing.state.turns_left,
            )
            raise InputError.one("position", too_large) from None
        except MemoryError:
            raise no_memory(self.options["memory"]) from None
        self._watch(self.solver.run)
        if self.stopped == "proved" and not self.solver.finished:
            self.stopped = self._limit()

    def table(self, chosen: PackedMove) -> list[Row]:
        found = self._watch(self.solver.draws, *chosen)
        if self.stopped == "proved" and any(low != high for _, _, low, high in found):
            self.stopped = self._limit()
        return found

    def _watch(self, function: Callable[..., Found], *arguments: int) -> Found:
        """What the solver's function returns within the remaining limits."""
        left = None if self.seconds is None else max(0.0, self.start + self.seconds - perf_counter())
        nodes, before = self.nodes_left, self.solver.nodes
        if self.stopped == "interrupted":
            left = 0.0
        answer, interrupted = watch(
            self.solver,
            function,
            *arguments,
            seconds=left,
            nodes=nodes,
            report=None if self.progress is None else self._report,
            stop=self.stop,
        )
        if interrupted:
            self.stopped = "interrupted"
        if nodes is not None:
            self.nodes_left = max(0, nodes - (self.solver.nodes - before))
        return answer

    def _report(self) -> None:
        assert self.progress is not None
        rows = self._merged_rows()
        exact = sum(lows == highs for lows, highs in rows.values())
        nodes = self.nodes + self.solver.nodes
        seconds = perf_counter() - self.start
        self.progress(Progress(len(rows), exact, self._has_best(rows), nodes, seconds, self._so_far))

    def _so_far(self) -> Solution:
        return self.solution(running=True)

    def _limit(self) -> str:
        """What made the solver stop before its goal."""
        if self.nodes_left is not None and self.nodes_left <= 0:
            return "nodes"
        out_of_time = self.seconds is not None and perf_counter() >= self.start + self.seconds
        return "memory" if self.solver.full and not out_of_time else "time"

    # ---- what is known -------------------------------------------------------------------------------

    def _merged_rows(self) -> dict[PackedMove, Span]:
        """For each bound the best of all solvers'. Many moves have the same bounds, and share them here."""
        found: dict[PackedMove, Span] = {}
        spans: dict[Any, Span] = {}
        for what, detail, low, high in self.solver.rows():
            # A fraction's parts: hashing a fraction costs far more.
            key: Any = (low, high)
            if isinstance(low, Fraction) and isinstance(high, Fraction):
                key = low.numerator, low.denominator, high.numerator, high.denominator
            before = self.rows[what, detail] if self.rows else None
            key = key, id(before)
            span = spans.get(key)
            if span is None:
                span = self._everybodys(low, high)
                if before is not None:
                    span = tuple(map(max, span[0], before[0])), tuple(map(min, span[1], before[1]))
                spans[key] = span
            found[what, detail] = span
        return found

    def _everybodys(self, low: Bound, high: Bound) -> Span:
        """The solver's bounds as they are kept here: with two players it reports only the mover's."""
        if isinstance(low, tuple) and isinstance(high, tuple):
            return low, high
        assert isinstance(low, Fraction) and isinstance(high, Fraction)
        whole = 1 if self.objective == "win" else 0
        other_low, other_high = whole - high, whole - low
        if self.who == 0:
            return (low, other_low), (high, other_high)
        return (other_low, low), (other_high, high)

    def _order(self, span: Span) -> tuple[Fraction, ...]:
        """Best first, as the mover ranks them: by its own value, then as little as possible for the next player, and so
        on."""
        lows, highs = span
        others = [lows[(self.who + i) % self.players] for i in range(1, self.players)] if self.players > 2 else []
        return (-lows[self.who], -highs[self.who], *others)

    def _has_best(self, rows: Mapping[PackedMove, Span]) -> bool:
        """Whether the first in order is exact, and no other can be better."""
        spans = list({id(span): span for span in rows.values()}.values())
        lows, highs = min(spans, key=self._order)
        if lows != highs:
            return False
        least = lows[self.who]
        return all(
            other[1][self.who] <= least if self.players == 2 else other[0] == other[1] or other[1][self.who] < least
            for other in spans
        )

    def solution(self, table: Iterable[Row] = (), running: bool = False) -> Solution:
        """Everything that is known. A running solver cannot be asked for a line."""
        rows = self._merged_rows()
        spans = {id(span): span for span in rows.values()}
        order = {each: self._order(span) for each, span in spans.items()}
        rank = {key: at for at, key in enumerate(sorted(set(order.values())))}
        ranks = {each: rank[order[each]] for each in spans}
        moves = [
            SolvedMove(self.who, *rows[packed], unpack_move(packed))
            for packed in sorted(rows, key=lambda packed: ranks[id(rows[packed])])
        ]
        best = moves[0] if self._has_best(rows) else None
        reached = best is not None and (self.goal == "best" or all(each.proved for each in moves))
        chosen = self.chosen
        nodes, seconds = self.nodes + self.solver.nodes, perf_counter() - self.start
        return Solution(
            position=self.position,
            objective=self.objective,
            goal=self.goal,
            moves=tuple(moves),
            best=best,
            finished=reached and not running,
            stopped="running" if running else self.stopped,
            nodes=nodes,
            seconds=seconds,
            threads=self.threads,
            line=self._line() if best is not None and self.with_line and not running else (),
            chosen=None if chosen is None else SolvedMove(self.who, *rows[chosen], unpack_move(chosen)),
            draws=self._draws(table),
        )

    def _draws(self, table: Iterable[Row]) -> tuple[SolvedDraw, ...]:
        """Identical tiles are one draw. Best first for the mover."""
        found: dict[tuple[Tile, Values, Values], int] = {}
        for number, weight, low, high in table:
            key = self.packing.tiles[number], *self._everybodys(low, high)
            found[key] = found.get(key, 0) + weight
        draws = [SolvedDraw(self.who, lows, highs, tile, weight) for (tile, lows, highs), weight in found.items()]
        return tuple(sorted(draws, key=lambda each: (-each.low, -each.high)))

    def _line(self) -> tuple[Step, ...]:
        """As many moves as a fixed amount of work finds, whatever the clock says."""
        if self.stopped == "interrupted":
            return ()
        packed, _ = watch(self.solver, self.solver.line, seconds=None, nodes=LINE_NODES, stop=self.stop)
        steps = []
        state = self.packing.state.copy()
        for what, detail, draw in packed:
            here = self.packing.position(state)
            state.apply((what, detail))
            if state.hole is not None and draw is not None:
                state.refill(draw)
            tile = None if draw is None else self.packing.tiles[draw]
            steps.append(Step(here, unpack_move((what, detail)), tile))
        return tuple(steps)


def is_near_the_end(state: PackedState) -> bool:
    """Whether the solver has a chance, so that it is worth asking before a search. Moves are counted as the solver
    lists them."""
    if state.turns_left > PROVE_TURNS[state.players]:
        return False
    number = state.count_moves(SEARCH if state.players == 2 else DIFFERENT, MOST_LISTED)
    return number is not None and number <= PROVE_MOVES


def proof_part(state: PackedState, seconds: float | None, part: float = PROVE_PART) -> float:
    """The part of a time limit that the solver gets before a search: `part` of it if that gives it a chance."""
    if seconds is None or state.players > 2 or part * seconds >= PROVE_SECONDS.get(state.turns_left, 0):
        return part
    return min(part, DECIDED_PART)


def prove_best(
    state: PackedState, simulations: int | None, seconds: float | None, threads: int = 1
) -> PackedMove | None:
    """The move proved best within the solver's part of these limits; None if that is open, or if there is nothing left
    to win: then all moves are equal, and a search knows better which is hardest to answer."""
    if not is_near_the_end(state):
        return None
    solver = Solver(state.game_state(), goal="best", memory=PROVE_MEMORY, threads=threads)
    solver.run(
        seconds=None if seconds is None else proof_part(state, seconds) * seconds,
        nodes=None if simulations is None else NODES_PER_SIMULATION * simulations,
    )
    best: PackedMove | None = solver.best()
    if best is None:
        return None
    high = next(row[3] for row in solver.rows() if (row[0], row[1]) == best)
    worth = high[state.to_move] if isinstance(high, tuple) else high
    return best if worth > 0 else None
