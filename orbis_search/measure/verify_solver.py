"""Checks the endgame solver against searches without pruning or memory, on any number of endings.

Endings come from games at random and played sensibly, on our tile set and on random ones, with either reading of "most"
at zero. For each, the value of every legal move is compared, for both objectives:

    1 turn left             with a plain-Python expectimax on the plain rules
    2 and 3 turns left      with the core's expectimax over all legal moves and all draws (3: two players)

Worshipers are taken away from realms and centre until the whole tree is small enough.

`verify_bounds` is about limits: what a search that was cut short has proved must contain the true value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from ..base.comparing import Mismatch, tallies
from ..base.jobs import Workers
from ..core.packing import PackedMove, Packing, pack_move
from ..core.searches import Solver, Walker
from ..core.states import ALL, PackedState
from ..game import rules
from ..game.position import Position
from ..game.vocabulary import TURNS, Worshipers
from ..tileset.library import load_tile_set

OBJECTIVES = ("win", "margin")
KINDS = ((2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1), (4, 2))  # players, turns left
SEQUENCES = 300_000  # of moves and draws to the end, roughly, in an ending that is searched in full
PLAIN_MOVES = 150  # legal moves of a last turn that the plain rules play out one by one
THINNER = ((10, 10), (3, 6), (2, 4), (1, 3), (1, 1), (0, 1), (0, 0))  # on each cell, in each realm
STYLES = ("random", "sensible")
REACH = 10_000  # margins lie far inside
MORE_NODES = 1_000_000  # for the values of other moves
SAMPLED_MOVES = 2  # whose exact value is computed besides the best one's

Values = tuple[Fraction, ...]


# ---- endings ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ending:
    position: Position
    turns_left: int
    tiles: str  # "ours" or "random"

    @property
    def players(self) -> int:
        return len(self.position.players)


def ending(seed: int, players: int, turns_left: int, most: int = SEQUENCES) -> Ending:
    """A position from a game of its own, with so few worshipers that at most about `most` sequences are left."""
    rng = Random(f"ending {seed} {players} {turns_left}")
    ours = rng.random() < 0.5
    start = rules.new_game(
        load_tile_set("reconstruction" if ours else f"random:{rng.randrange(1 << 30)}"), players, rng
    )
    start = start._replace(options=start.options._replace(most_at_zero=rng.random() < 0.5))
    packing = Packing(start)
    late_gods = rng.random() < 0.3  # leaves the gods for the end where possible
    for _ in range(TURNS * players - turns_left):
        play_one(packing.state, rng, late_gods)
    where = packing.position(packing.state)
    for on_cell, in_realm in THINNER:
        where = thin_out(where, on_cell, in_realm, rng)
        if size(where, turns_left, rng) <= most:
            break
    return Ending(where, turns_left, "ours" if ours else "random")


def play_one(state: PackedState, rng: Random, late_gods: bool) -> None:
    """Plays a turn at random or sensibly, and its refill; with `late_gods`, gods are seldom taken before they must
    be."""
    move = state.choose(rng.choice(STYLES), rng.getrandbits(64))
    for _ in range(20):
        if not (late_gods and move[0] & 1 << 4):
            break
        move = state.choose(rng.choice(STYLES), rng.getrandbits(64))
    state.apply(move)
    if state.hole is not None:
        state.refill(rng.choice(state.draws()))


def thin_out(position: Position, on_cell: int, in_realm: int, rng: Random) -> Position:
    """The same with at most this many worshipers on each centre tile and in each realm."""

    def cut(crowd: Worshipers, most: int) -> Worshipers:
        left = list(crowd)
        while sum(left) > most:
            left[rng.choices(range(5), left)[0]] -= 1
        return Worshipers(*left)

    return position._replace(
        centre=tuple(cell._replace(worshipers=cut(cell.worshipers, on_cell)) for cell in position.centre),
        players=tuple(player._replace(realm=cut(player.realm, in_realm)) for player in position.players),
    )


def size(position: Position, turns_left: int, rng: Random, walks: int = 12, prune: int = ALL) -> float:
    """About how many sequences of moves and draws lead to the end: by random walks, erring on the high side."""
    start = Packing(position).state
    largest = 0.0
    for _ in range(walks):
        state, product = start.copy(), 1.0
        for _ in range(turns_left):
            number = state.count_moves(prune)
            if product * number > 1e9:
                return 1e18
            product *= number
            state.apply(state.choose("random", rng.getrandbits(64)))
            if state.hole is not None:
                draws = state.draws()
                product *= len(draws)
                state.refill(rng.choice(draws))
        largest = max(largest, product)
    return largest


# ---- expectimax in plain Python --------------------------------------------------------------------


def plain_values(position: Position, objective: str) -> dict[PackedMove, Values]:
    """Everybody's value for each legal move, by the plain rules alone."""
    return {
        pack_move(position, move): _plain_after(rules.apply(position, move), objective)
        for move in rules.legal_moves(position)
    }


def _plain_after(position: Position, objective: str) -> Values:
    """The mean over what can be drawn."""
    draws = rules.draws(position)
    if not draws:
        return _plain_value(position, objective)
    each = [_plain_value(rules.refill(position, tile), objective) for tile in draws]
    return tuple(sum(values, Fraction(0)) / len(each) for values in zip(*each))


def _plain_value(position: Position, objective: str) -> Values:
    if position.is_over:
        return _plain_result(position, objective)
    assert position.to_move is not None
    return max(plain_values(position, objective).values(), key=lambda values: preference(values, position.to_move))


def _plain_result(position: Position, objective: str) -> Values:
    if objective == "win":
        winners = rules.winners(position)
        return tuple(Fraction(i in winners, len(winners)) for i in range(len(position.players)))
    points = [score.total for score in rules.score(position)]
    return tuple(Fraction(own - max(points[:i] + points[i + 1 :])) for i, own in enumerate(points))


def preference(values: Values, who: int | None) -> Values:
    """Larger is better for the mover: first their own value, then as little as possible for the next player, and so
    on."""
    assert who is not None
    own, *others = (values[(who + i) % len(values)] for i in range(len(values)))
    return (own, *(-value for value in others))


# ---- the comparison --------------------------------------------------------------------------------


@dataclass
class EndgameTally:
    endings: int = 0
    values: int = 0  # of moves, compared one by one
    largest: int = 0  # moves of one ending
    nodes: int = 0  # of the slow searches
    by_kind: dict[str, int] = field(default_factory=dict)

    def add(self, other: EndgameTally) -> None:
        self.endings += other.endings
        self.values += other.values
        self.largest = max(self.largest, other.largest)
        self.nodes += other.nodes
        for kind, number in other.by_kind.items():
            self.by_kind[kind] = self.by_kind.get(kind, 0) + number


def verify_ending(seed: int, most: int = SEQUENCES) -> EndgameTally:
    """One ending from a seed, both objectives; Mismatch if the solver is wrong anywhere."""
    players, turns_left = KINDS[seed % len(KINDS)]
    tested = ending(seed, players, turns_left, PLAIN_MOVES if turns_left == 1 else most)
    tally = EndgameTally(endings=1)
    for objective in OBJECTIVES:
        compare(tested, objective, tally)
    zero = "most at zero" if tested.position.options.most_at_zero else "most is positive"
    gods = "a god to take" if any(player.god is None for player in tested.position.players) else "gods taken"
    for kind in (f"{players} players, {turns_left} left", f"{tested.tiles} tiles", zero, gods):
        tally.by_kind[kind] = 1
    return tally


def compare(tested: Ending, objective: str, tally: EndgameTally) -> None:
    position, who = tested.position, tested.position.to_move or 0
    state = Packing(position).state
    expected = brute_force(tested, objective, tally)
    tally.values += len(expected)
    tally.largest = max(tally.largest, len(expected))
    solver = Solver(state.game_state(), objective=objective, moves=list(expected), goal="all", memory=16 << 20)
    if not solver.run():
        raise Mismatch(f"{_name(position)}\n{objective}: not finished without a limit")
    found = {}
    for what, detail, low, high in solver.rows():
        _expect(position, f"{objective}: bounds of {what, detail} meet", low, high)
        found[what, detail] = low
    plain = {move: values if tested.players > 2 else values[who] for move, values in expected.items()}
    for move in plain.keys() | found.keys():
        _expect(position, f"{objective}: value of {move}", found.get(move), plain.get(move))
    best = solver.best()
    if best is None:
        raise Mismatch(f"{_name(position)}\n{objective}: no move is called best")
    _expect(
        position,
        f"{objective}: value of the move called best",
        preference(expected[best], who),
        max(preference(values, who) for values in expected.values()),
    )


def brute_force(tested: Ending, objective: str, tally: EndgameTally | None = None) -> dict[PackedMove, Values]:
    """Everybody's value for each legal move, by the search that suits the number of turns left."""
    if tested.turns_left == 1:
        values = plain_values(tested.position, objective)
        nodes = len(values)
    else:
        walker = Walker(Packing(tested.position).state.game_state(), ALL, objective == "margin")
        values = {move: everybodys(value, objective) for move, value in walker.values()}
        nodes = walker.nodes
    if tally is not None:
        tally.nodes += nodes
    return values


def everybodys(value: Fraction | Values, objective: str) -> Values:
    """With two players, the walker reports only the first one's value."""
    if isinstance(value, tuple):
        return value
    return value, (1 - value if objective == "win" else -value)


def _expect(position: Position, what: str, found: object, expected: object) -> None:
    if found != expected:
        raise Mismatch(f"{_name(position)}\n{what}\nsolver:      {found}\nbrute force: {expected}")


def _name(position: Position) -> str:
    from ..notation import write_oneline

    return write_oneline(position)


def verify_endings(
    endings: int, seed: int = 0, workers: Workers | int = 1, most: int = SEQUENCES
) -> Iterator[EndgameTally]:
    """Yields the running tally after each ending."""
    tally = EndgameTally()
    jobs = [(number, most) for number in range(seed, seed + endings)]
    for each in tallies(_ending_job, jobs, workers):
        tally.add(each)
        yield tally


def _ending_job(job: tuple[int, int]) -> EndgameTally:
    return verify_ending(*job)


# ---- searches cut short ----------------------------------------------------------------------------


@dataclass
class BoundsTally:
    positions: int = 0
    passed_over: int = 0  # the truth is out of reach
    open: int = 0  # not solved when the limit was reached
    bounds: int = 0  # of moves, compared with a true value
    narrowed: int = 0  # of these, bounds that say something
    by_kind: dict[str, int] = field(default_factory=dict)

    def add(self, other: BoundsTally) -> None:
        self.positions += other.positions
        self.passed_over += other.passed_over
        self.open += other.open
        self.bounds += other.bounds
        self.narrowed += other.narrowed
        for kind, number in other.by_kind.items():
            self.by_kind[kind] = self.by_kind.get(kind, 0) + number


def position_to_cut(turns_left: int, number: int) -> Position:
    """Position `number` of the benchmark's set; after its last, one with a turn more left, and that turn played."""
    from .speed import endgame_positions

    positions = endgame_positions(turns_left)
    if number < len(positions):
        return positions[number]
    packing = Packing(endgame_positions(turns_left + 1)[number - len(positions)])
    rng = Random(f"one turn on {turns_left} {number}")
    packing.state.apply(packing.state.choose("sensible", rng.getrandbits(64)))
    if packing.state.hole is not None:
        packing.state.refill(rng.choice(packing.state.draws()))
    return packing.position(packing.state)


def verify_cut_short(turns_left: int, number: int, limit: float, nodes: int | None = None) -> BoundsTally:
    """Checks what is proved of a position within the limit against the truth, which has no limit unless `nodes` gives
    one: a position whose best move is not known by then is skipped.

    The best value is the truth about every move's bounds; for some moves the exact value is computed too, where that is
    quick.
    """
    position = position_to_cut(turns_left, number)
    state = Packing(position).state
    rng = Random(f"cut short {turns_left} {number}")
    objective, goal = OBJECTIVES[number % 2], ("best", "all")[number // 2 % 2]
    tally = BoundsTally(positions=1, by_kind={f"{turns_left} left, {objective}, {goal}": 1})

    # 1. The truth: the best value, and some moves exactly.
    truth = Solver(state.game_state(), objective=objective, goal="best")
    if not truth.run(nodes=nodes):
        return BoundsTally(passed_over=1)
    best = truth.best()
    if best is None:
        raise Mismatch(f"{_name(position)}\n{objective}: no move is called best")
    spans = _spans(truth)
    value, _ = spans[best]
    some = rng.sample(sorted(spans), min(SAMPLED_MOVES, len(spans)))
    exact = Solver(state.game_state(), objective=objective, goal="all", moves=[best, *some])
    exact.run(nodes=MORE_NODES)
    values = {move: low for move, (low, high) in _spans(exact).items() if low == high}
    _expect(position, f"{objective}: the best move's value by itself", values.get(best, value), value)
    values[best] = value
    del truth, exact

    # 2. The search that is cut short.
    solver = Solver(state.game_state(), objective=objective, goal=goal)
    tally.open = not solver.run(seconds=limit)
    bounds = _spans(solver)
    claimed = solver.best()

    # 3. They agree.
    kind = f"{objective}, goal {goal}, {limit:g} s"
    if claimed is not None:
        _expect(position, f"{kind}: the value of the move called best", bounds[claimed], (value, value))
    _expect(position, f"{kind}: some move may reach the best value", max(h for _, h in bounds.values()) >= value, True)
    for move, (low, high) in bounds.items():
        _expect(position, f"{kind}: {move} is at most the best, {value}; proved at least {low}", low <= value, True)
        if move in values:
            held = low <= values[move] <= high
            _expect(position, f"{kind}: {move} is worth {values[move]}; proved {low} to {high}", held, True)
            tally.bounds += 1
            tally.narrowed += not (low == 0 and high == 1) and high - low < REACH
    return tally


def _spans(solver: Solver) -> dict[PackedMove, tuple[Fraction, Fraction]]:
    """What is proved of each move, for two players."""
    found = {}
    for what, detail, low, high in solver.rows():
        assert isinstance(low, Fraction) and isinstance(high, Fraction)
        found[what, detail] = low, high
    return found


def verify_bounds(
    positions: int, limit: float, turns: tuple[int, ...] = (5, 6), workers: Workers | int = 1, nodes: int | None = None
) -> Iterator[BoundsTally]:
    """Yields the running tally after each position, each number of turns left in turn, until there are this many;
    fewer if there are not enough."""
    if not positions:
        return
    jobs = [(left, number, limit, nodes) for number in range(positions_to_cut(turns)) for left in turns]
    tally = BoundsTally()
    for each in tallies(_bounds_job, jobs, workers):
        tally.add(each)
        yield tally
        if tally.positions == positions:
            return


def positions_to_cut(turns: tuple[int, ...]) -> int:
    """How many there are for each number of turns left."""
    return 50 if 8 in turns else 100


def _bounds_job(job: tuple[int, int, float, int | None]) -> BoundsTally:
    return verify_cut_short(*job)
