"""The end of the game, solved: exact values of moves, or bounds that are proved, never a guess.

    >>> solution = solve(position, seconds=60)
    >>> solution.best.move, solution.best.low, solution.finished

Values are for best play by everybody, exact over all draws to come: the share of the victory ("win", a
shared one counts by its part), or points ahead of the best other ("margin"). With two players what one wins
the other loses. With three and four everybody maximises the own value; among moves equal for the mover
the one counts that gives least to the next in turn order, then to the one after, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ._core.orbis.core import ALL, SEARCH
from ._core.search.endgame import Solver
from .errors import InputError
from .packing import PackedMove, Packing, pack_move, unpack_move
from .position import Move, Position
from .tiles import Tile
from .vocabulary import TURNS

if TYPE_CHECKING:
    from ._core.orbis.core import PackedState

OBJECTIVES = ("win", "margin")
GOALS = ("best", "all")
SLICE = 0.05  # seconds between looks at the clock, the limits and Ctrl-C
REPORT_EVERY = 0.2  # seconds between two progress reports
DEFAULT_MEMORY = 256 << 20
MOST_MOVES = 100_000  # legal moves of a root; a volcano can have thousands of millions
WHOLE = 12  # a victory, as the core counts
NOTHING_YET: Mapping[int, Any] = MappingProxyType({})

Values = tuple[Fraction, ...]  # one for each player, in the position's order


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is proved of a value: at least `lows`, at most `highs`, for each player."""

    who: int  # the player to move in the position that was asked about
    lows: Values
    highs: Values

    @property
    def low(self) -> Fraction:
        """For the player to move."""
        return self.lows[self.who]

    @property
    def high(self) -> Fraction:
        return self.highs[self.who]

    @property
    def proved(self) -> bool:
        """Whether the value is exact, for everybody."""
        return self.lows == self.highs


@dataclass(frozen=True, slots=True)
class SolvedMove(Bounds):
    move: Move


@dataclass(frozen=True, slots=True)
class SolvedDraw(Bounds):
    """The value after a move, once this tile has come into the empty cell."""

    tile: Tile
    weight: int  # of all draws; more than 1 where several tiles in the pile are alike


@dataclass(frozen=True, slots=True)
class Step:
    """A move of the principal line, the position it is made in, and what comes after it."""

    position: Position
    move: Move
    draw: Tile | None  # None after a god


@dataclass(frozen=True, slots=True)
class Solution:
    position: Position
    objective: str  # "win" or "margin"
    goal: str  # "best": one move proved best; "all": every move exact
    moves: tuple[SolvedMove, ...]  # best first
    best: SolvedMove | None  # exact, and proved to be no worse than any other; None if that is open
    finished: bool  # the goal was reached
    stopped: str  # "proved", "time", "nodes" or "interrupted"; "running" in a progress report
    nodes: int
    seconds: float
    threads: int
    line: tuple[Step, ...] = ()  # how best play may go on
    chosen: SolvedMove | None = None  # the move whose draws were asked for ...
    draws: tuple[SolvedDraw, ...] = ()  # ... and these; none after a god, which draws nothing

    @property
    def exact(self) -> int:
        """Moves whose value is proved."""
        return sum(move.proved for move in self.moves)


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
    progress: Callable[[Solution], None] | None = None,
) -> Solution:
    """The moves of the player to move, best first, each with its exact value or with proved bounds.

    `moves`: any legal moves. Without them those a search looks at, among which with two players a best one
    always is; or with `every` all legal ones. `draws_of`: a legal move whose value after each possible draw
    is wanted as well. `ideas`: a sum of the solver's IDEAS to use, for measuring; they never change a value.

    Without a limit it runs until the goal is reached, and that may take years: a position with more than six
    or seven turns left needs one. At a limit or Ctrl-C the bounds proved so far are returned.
    """
    # 1. What to solve.
    _expect_sound(position, objective, goal)
    packing = Packing(position)
    wanted = None if moves is None else [_packed(position, move) for move in moves]
    if every and wanted is None:
        wanted = _all_legal(packing.state)
    chosen = None if draws_of is None else _packed(position, draws_of)
    if chosen is not None:
        wanted = packing.state.moves(SEARCH) if wanted is None else wanted
        wanted += [] if chosen in wanted else [chosen]

    # 2. Solve it, a slice at a time.
    run = _Run(position, packing, objective, goal, threads, memory, perf_counter(), seconds, nodes, ideas)
    solver = run.solver(packing.state, goal, wanted)
    table: dict[int, Bounds] = {}
    stopped = "interrupted"
    try:
        for stopped in run.slices(solver):
            if progress is not None and stopped == "running" and run.is_report_due():
                progress(run.solution(solver, stopped))
        if chosen is not None:
            stopped = run.fill_table(table, chosen, stopped)
    except KeyboardInterrupt:
        stopped = "interrupted"

    # 3. What is proved by now.
    return run.solution(solver, stopped, chosen, table)


def _expect_sound(position: Position, objective: str, goal: str) -> None:
    if objective not in OBJECTIVES:
        raise InputError.one("objective", f"expected {' or '.join(OBJECTIVES)}, found {objective!r}")
    if goal not in GOALS:
        raise InputError.one("goal", f"expected {' or '.join(GOALS)}, found {goal!r}")
    if position.to_move is None:
        raise InputError.one("position", "expected somebody to move, found the game over")
    if position.hole is not None:
        raise InputError.one("position", "expected a refill before the next move, found an empty cell")


def _packed(position: Position, move: Move) -> PackedMove:
    from .reference import check_move

    check_move(position, move)
    return pack_move(move, len(position.players[position.to_move or 0].rows[0]))


def _all_legal(state: PackedState) -> list[PackedMove]:
    number = state.count_moves(ALL)
    if number > MOST_MOVES:
        raise InputError.one("moves", f"expected at most {MOST_MOVES:,} legal moves to solve, found {number:,}")
    return state.moves(ALL)


class _Run:
    """One call of `solve`: its limits, and what its solvers know in readable form."""

    def __init__(
        self, position: Position, packing: Packing, objective: str, goal: str, threads: int, memory: int,
        start: float, seconds: float | None, nodes: int | None, ideas: int | None,
    ) -> None:  # fmt: skip
        self.position = position
        self.packing = packing
        self.objective = objective
        self.goal = goal
        self.threads = threads
        self.memory = memory
        self.start = start
        self.seconds = seconds
        self.nodes_left = nodes
        self.ideas = ideas
        self.who = position.to_move or 0
        self.players = len(position.players)
        self.nodes = 0  # of solvers that are done with
        self.reported = start

    def solver(self, state: PackedState, goal: str, moves: list[PackedMove] | None = None) -> Solver:
        more = {} if self.ideas is None else {"ideas": self.ideas}
        return Solver(
            state.game_state(), objective=self.objective, goal=goal, moves=moves, memory=self.memory,
            threads=self.threads, **more,
        )  # fmt: skip

    def slices(self, solver: Solver) -> Iterator[str]:
        """Runs the solver; after each slice, "running" or why it has ended."""
        while True:
            slice_ = SLICE
            if self.seconds is not None:
                slice_ = min(slice_, self.start + self.seconds - perf_counter())
                if slice_ <= 0:
                    yield "time"
                    return
            if self.nodes_left is not None and self.nodes_left <= 0:
                yield "nodes"
                return
            before = solver.nodes
            try:
                done = solver.run(slice_, self.nodes_left)
            finally:
                spent = solver.nodes - before
                self.nodes += spent
                if self.nodes_left is not None:
                    self.nodes_left -= spent
            if done:
                yield "proved"
                return
            yield "running"

    def is_report_due(self) -> bool:
        now = perf_counter()
        due = now - self.reported >= REPORT_EVERY
        if due:
            self.reported = now
        return due

    def fill_table(self, table: dict[int, Bounds], chosen: PackedMove, stopped: str) -> str:
        """The value of the position after each draw, each by a solver of its own, within the same limits."""
        after = self.packing.state.copy()
        after.apply(chosen)
        numbers = after.draws()
        ended = "proved"
        for number in numbers:
            drawn = after.copy()
            drawn.refill(number)
            if drawn.to_move < 0:
                values = self._at_the_end(drawn)
                table[number] = Bounds(self.who, values, values)
                continue
            solver = self.solver(drawn, "best")
            try:
                # Once a limit is reached the rest get the bounds that cost nothing.
                for ended in self.slices(solver) if ended == "proved" else ():
                    pass
            except KeyboardInterrupt:
                ended = "interrupted"
            table[number] = self._of_position(solver, drawn.to_move)
        return stopped if ended == "proved" else ended

    def _at_the_end(self, state: PackedState) -> Values:
        if self.objective == "win":
            return tuple(Fraction(share, WHOLE) for share in state.shares())
        points = state.points()
        best_other = [max(points[:i] + points[i + 1 :]) for i in range(self.players)]
        return tuple(Fraction(own - other) for own, other in zip(points, best_other))

    def _of_position(self, solver: Solver, mover: int) -> Bounds:
        """Bounds of a position from those of its moves: any of them that may be best may be played."""
        rows = [self._everybodys(low, high, mover) for _, _, low, high in solver.rows()]
        at_least = max(lows[mover] for lows, _ in rows)
        open_ = [(lows, highs) for lows, highs in rows if highs[mover] >= at_least]
        if (best := solver.best()) is not None:
            open_ = [row for row, (what, detail, _, _) in zip(rows, solver.rows()) if (what, detail) == best]
        lows, highs = zip(*open_)
        low, high = [min(each) for each in zip(*lows)], [max(each) for each in zip(*highs)]
        low[mover] = at_least
        if self.players == 2:  # what one wins the other loses
            high[1 - mover] = self._others(at_least)
        return Bounds(self.who, tuple(low), tuple(high))

    def _others(self, value: Fraction) -> Fraction:
        """Of two players, the other's value."""
        return 1 - value if self.objective == "win" else -value

    def _everybodys(self, low: Any, high: Any, mover: int) -> tuple[Values, Values]:
        """The solver's bounds as they are kept here: of two players it only tells the mover's."""
        if self.players > 2:
            return tuple(low), tuple(high)
        lows, highs = [low, self._others(high)], [high, self._others(low)]
        return (tuple(lows), tuple(highs)) if mover == 0 else (tuple(lows[::-1]), tuple(highs[::-1]))

    def solution(
        self, solver: Solver, stopped: str, chosen: PackedMove | None = None, table: Mapping[int, Bounds] = NOTHING_YET
    ) -> Solution:
        packed: dict[PackedMove, SolvedMove] = {}
        for what, detail, low, high in solver.rows():
            lows, highs = self._everybodys(low, high, self.who)
            packed[what, detail] = SolvedMove(self.who, lows, highs, unpack_move((what, detail)))
        best = solver.best()
        return Solution(
            position=self.position,
            objective=self.objective,
            goal=self.goal,
            moves=tuple(packed.values()),
            best=None if best is None else packed[best],
            finished=solver.finished,
            stopped=stopped,
            nodes=self.nodes,
            seconds=perf_counter() - self.start,
            threads=self.threads,
            line=() if stopped == "running" else self._line(solver),
            chosen=None if chosen is None else packed[chosen],
            draws=self._draws(table),
        )

    def _draws(self, table: Mapping[int, Bounds]) -> tuple[SolvedDraw, ...]:
        """Tiles alike are one draw. Best first for the mover."""
        found: dict[Tile, tuple[Bounds, int]] = {}
        for number, bounds in table.items():
            tile = self.packing.tiles[number]
            found[tile] = bounds, found.get(tile, (bounds, 0))[1] + 1
        rows = [SolvedDraw(self.who, each.lows, each.highs, tile, weight) for tile, (each, weight) in found.items()]
        return tuple(sorted(rows, key=lambda row: (-row.low, -row.high)))

    def _line(self, solver: Solver) -> tuple[Step, ...]:
        steps = []
        state = self.packing.state.copy()
        for what, detail, draw in solver.line():
            here = self.packing.position(state)
            state.apply((what, detail))
            if draw is not None:
                state.refill(draw)
            tile = None if draw is None else self.packing.tiles[draw]
            steps.append(Step(here, unpack_move((what, detail)), tile))
        return tuple(steps)


# ---- as JSON ---------------------------------------------------------------------------------------


def solution_to_json(solution: Solution, top: int | None = None) -> dict[str, Any]:
    """Fractions are texts such as "5/8"; docs/solver.md names every field."""
    from .notation.common import tile_text
    from .notation.moves import move_to_json

    position = solution.position

    def row(bounds: Bounds) -> dict[str, Any]:
        value: dict[str, Any] = {"low": str(bounds.low), "high": str(bounds.high), "proved": bounds.proved}
        if len(position.players) > 2:
            value |= {"lows": [str(each) for each in bounds.lows], "highs": [str(each) for each in bounds.highs]}
        return value

    value = {
        "format": "orbis-solution",
        "version": 1,
        "objective": solution.objective,
        "goal": solution.goal,
        "to_move": (position.to_move or 0) + 1,
        "turns_left": TURNS * len(position.players) - position.turns_played,
        "finished": solution.finished,
        "stopped": solution.stopped,
        "nodes": solution.nodes,
        "seconds": solution.seconds,
        "threads": solution.threads,
        "best": None if solution.best is None else {"move": move_to_json(position, solution.best.move)} | row(solution.best),
        "count": len(solution.moves),
        "exact": solution.exact,
        "moves": [{"move": move_to_json(position, each.move)} | row(each) for each in solution.moves[:top]],
        "line": [
            {"move": move_to_json(step.position, step.move), "draw": None if step.draw is None else tile_text(step.draw)}
            for step in solution.line
        ],
    }
    if solution.chosen is not None:
        value["chosen"] = {"move": move_to_json(position, solution.chosen.move)} | row(solution.chosen)
        value["draws"] = [{"tile": tile_text(each.tile), "weight": each.weight} | row(each) for each in solution.draws]
    return value
