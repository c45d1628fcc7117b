"""The exact solver against searches that know no pruning and no table.

Two players: `Walker`, over all legal moves. Three and four: a few lines of Python here, with the tie rule spelt out.
The solver's own ideas are switched off one by one; none may change a value.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import pytest

from orbis_search._core.orbis.core import ALL, PackedState
from orbis_search._core.search.endgame import ALL_IDEAS, IDEAS, Solver
from orbis_search._core.search.exhaustive import Walker
from orbis_search._core.toy.draft import draft_game
from orbis_search.core import fast_rules
from orbis_search.core.packing import Packing
from orbis_search.game import rules
from orbis_search.game.position import Options
from orbis_search.game.vocabulary import TURNS
from orbis_search.measure.fixed_work import packing_of
from orbis_search.measure.speed import endgame_positions
from orbis_search.tileset.library import load_tile_set

MEMORY = 1 << 20
OBJECTIVES = ("win", "margin")
Moves = dict[tuple[int, int], Fraction]


def ending(seed: int, turns_left: int, players: int = 2) -> PackedState:
    rng = random.Random(seed)
    tiles = load_tile_set("reconstruction" if seed % 2 else f"random:{seed}")
    start = rules.new_game(tiles, players, rng)
    state = Packing(start._replace(options=Options(most_at_zero=seed % 3 > 0))).state
    for _ in fast_rules.play_turns(state, players * TURNS - turns_left, rng, ("random", "sensible")[seed // 2 % 2]):
        pass
    return state


def thinned(state: PackedState, on_cell: int, in_realm: int, rng: random.Random) -> PackedState:
    """The same with at most so many worshipers on each centre tile and in each realm."""

    def cut(crowd: tuple[int, ...], most: int) -> tuple[int, ...]:
        left = list(crowd)
        while sum(left) > most:
            left[rng.choices(range(5), left)[0]] -= 1
        return tuple(left)

    centre, worshipers, players, gods, left, unseen = state.fields()
    players = tuple((*each[:3], cut(each[3], in_realm), *each[4:]) for each in players)
    return PackedState(
        state.table, centre, tuple(cut(crowd, on_cell) for crowd in worshipers), players, gods, left, unseen
    )


def endings(turns_left: int, seeds: range, most: int, players: int = 2) -> Iterator[tuple[int, PackedState]]:
    """Of each, the fullest version that can be searched in full: so many sequences of moves and draws to the end."""
    for seed in seeds:
        whole = ending(seed, turns_left, players)
        for on_cell, in_realm in ((99, 10), (2, 5), (1, 4), (1, 3), (1, 2), (0, 2), (0, 1)):
            state = thinned(whole, on_cell, in_realm, random.Random(seed))
            walker = Walker(state.game_state())
            # Counting sequences is slow itself where a turn has many moves.
            if state.count_moves(ALL) <= (most, 100, 40)[turns_left - 1] and all(
                walker.perft(depth, True) <= most for depth in range(2, turns_left + 1)
            ):
                yield seed, state
                break


def true_values(state: PackedState, objective: str) -> Moves:
    """Every legal move's value for the player to move."""
    found = dict(Walker(state.game_state(), ALL, objective == "margin").values())
    if state.to_move == 0:
        return found
    return {move: -value if objective == "margin" else 1 - value for move, value in found.items()}


def solved(state: PackedState, objective: str, **settings) -> Solver:
    solver = Solver(state.game_state(), objective=objective, **{"memory": MEMORY, **settings})
    assert solver.run() and solver.finished
    return solver


def exact(solver: Solver) -> Moves:
    for _, _, low, high in solver.rows():
        assert low == high
    return {(what, detail): low for what, detail, low, _ in solver.rows()}


SEEDS = {1: range(40), 2: range(36), 3: range(24)}
LONGEST = {1: 400, 2: 6_000, 3: 20_000}


@cache
def searched(turns_left: int, objective: str) -> list[tuple[int, PackedState, Moves]]:
    return [
        (seed, state, true_values(state, objective))
        for seed, state in endings(turns_left, SEEDS[turns_left], LONGEST[turns_left])
    ]


# ------------------------------------------------------------------------------ two players


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("turns_left", [1, 2, 3])
def test_every_legal_move_is_worth_what_brute_force_says(turns_left, objective):
    found = searched(turns_left, objective)
    assert len(found) >= 12
    for seed, state, expected in found:
        assert exact(solved(state, objective, moves=list(expected))) == expected, seed


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_best_move_is_proved_and_the_others_are_bounded(objective):
    for turns_left in (1, 2, 3):
        for seed, state, expected in searched(turns_left, objective):
            solver = solved(state, objective, goal="best")
            assert expected[solver.best()] == max(expected.values()), seed
            for what, detail, low, high in solver.rows():
                assert low <= expected[what, detail] <= high <= max(expected.values())


@pytest.mark.parametrize("idea", sorted(IDEAS))
def test_no_idea_changes_a_value(idea):
    """Each switched off alone; the table is small, so that entries are also lost."""
    for objective in OBJECTIVES:
        for turns_left in (2, 3):
            for seed, state, expected in searched(turns_left, objective)[::3]:
                ideas = ALL_IDEAS & ~IDEAS[idea]
                assert exact(solved(state, objective, moves=list(expected), ideas=ideas)) == expected, seed
                best = solved(state, objective, goal="best", ideas=ideas).best()
                assert expected[best] == max(expected.values()), seed


def test_without_any_idea():
    for seed, state, expected in searched(2, "win"):
        assert exact(solved(state, "win", moves=list(expected), ideas=0)) == expected, seed


def test_bounds_hold_when_nodes_run_out():
    cut = 0
    for objective in OBJECTIVES:
        for seed, state, expected in searched(3, objective):
            for goal in ("all", "best"):
                solver = Solver(state.game_state(), objective=objective, memory=MEMORY, goal=goal)
                for nodes in (1, 3, 10, 30):
                    cut += not solver.run(nodes=nodes)
                    for what, detail, low, high in solver.rows():
                        assert low <= expected[what, detail] <= high, seed
                    if solver.best() is not None:
                        assert expected[solver.best()] == max(expected.values())
                assert solver.run()
                assert expected[solver.best()] == max(expected.values())
    assert cut > 50


def test_two_threads_agree_with_one():
    for seed in range(100, 112):
        state = ending(seed, 4)
        if state.count_moves(ALL) > 2000:
            continue
        one, two = (solved(state, "win", goal="best", threads=threads) for threads in (1, 2))
        assert one.rows()[0][2] == two.rows()[0][2], seed
        value = {(what, detail): high for what, detail, _, high in one.rows()}
        assert value[two.best()] >= one.rows()[0][2]


def test_threads_that_end_together_teach_each_other_nothing_wrong():
    """Two threads work on one move until either knows it; the other must not write down what it did not find."""
    states = [state for state in (ending(seed, 3) for seed in range(100, 112)) if state.count_moves(ALL) <= 2000]
    for state in states:
        value = solved(state, "win", goal="best").rows()[0][2]
        for _ in range(12):
            rows = solved(state, "win", goal="best", threads=2).rows()
            assert rows[0][2] == rows[0][3] == value
            assert all(low <= high for _, _, low, high in rows)


def test_several_threads_end_with_a_proof():
    """None may end the run because it saw the best move become exact while it looked for something to do."""
    for position in endgame_positions(4)[::4]:
        state = Packing(position).state
        value = solved(state, "win", goal="best").rows()[0][2]
        for _ in range(5):
            for threads in (2, 3):
                assert solved(state, "win", goal="best", threads=threads).rows()[0][2] == value


@pytest.mark.parametrize("name, players", [("2-four", 2), ("3-three-a", 3)])
def test_what_is_known_can_be_asked_for_while_threads_work(name, players):
    """Progress is shown from another thread: whatever it sees is proved, and holds in the end."""
    solver = Solver(packing_of(name).state.game_state(), memory=1 << 24, threads=3)
    worker = threading.Thread(target=solver.run)
    worker.start()
    seen = []
    nodes = [0]
    while worker.is_alive():
        nodes.append(solver.nodes)
        seen.append((solver.best(), solver.rows()))
        worker.join(0.05)
    assert solver.finished and nodes == sorted(nodes)
    true = {(what, detail): low for what, detail, low, _ in solver.rows()}
    for best, rows in seen:
        assert best is None or true[best] == solver.rows()[0][2]
        assert len(rows) == len(true)
        for what, detail, low, high in rows:
            value = true[what, detail]
            if players == 2:
                assert low <= value <= high
            else:
                assert all(x <= y <= z for x, y, z in zip(low, value, high))


def test_a_table_that_grows_forgets_nothing():
    """The same values with one that never can; and not much more work than with one that never need."""
    for position in endgame_positions(5)[17:22]:
        state = Packing(position).state
        small, large = (solved(state, "win", goal="best", memory=memory) for memory in (1 << 16, 256 << 20))
        assert small.rows()[0][2:] == large.rows()[0][2:]
        assert large.nodes <= small.nodes


def test_one_thread_visits_the_same_nodes_again():
    state = ending(101, 4)
    assert solved(state, "win", goal="best").nodes == solved(state, "win", goal="best").nodes > 0


def test_the_table_of_draws_adds_up_to_the_value():
    for _, state, expected in searched(3, "win")[:6]:
        solver = solved(state, "win", goal="best")
        for (what, detail), value in list(expected.items())[:5]:
            table = solver.draws(what, detail)
            if not table:
                continue
            assert all(low == high for _, _, low, high in table)
            weights = sum(weight for _, weight, _, _ in table)
            assert sum(weight * low for _, weight, low, _ in table) / weights == value


def test_the_line_is_played_to_the_end():
    for objective in OBJECTIVES:
        for _, state, _expected in searched(3, objective)[:6]:
            line = solved(state, objective, goal="best").line()
            assert len(line) == 3
            position = state.copy()
            for what, detail, draw in line:
                worth = true_values(position, objective)
                assert worth[what, detail] == max(worth.values())
                position.apply((what, detail))
                if draw is not None:
                    position.refill(draw)


def test_stop_ends_a_run():
    solver = Solver(ending(3, 12).game_state(), goal="best", memory=MEMORY)
    timer = threading.Timer(0.05, solver.stop)
    timer.start()
    assert not solver.run(seconds=60)
    timer.join()
    assert all(low <= high for _, _, low, high in solver.rows())


JUMPING_CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
static time_t jumped;
int clock_gettime(clockid_t which, struct timespec *t) {
    int (*plain)(clockid_t, struct timespec *) = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = plain(which, t);
    if (which == CLOCK_REALTIME)
        t->tv_sec += jumped += 3600;
    return failed;
}
int timespec_get(struct timespec *t, int base) {
    return clock_gettime(CLOCK_REALTIME, t) ? 0 : base;
}
"""


@pytest.mark.skipif(sys.platform != "linux", reason="clocks are put forward by way of LD_PRELOAD")
@pytest.mark.skipif("san" in os.environ.get("LD_PRELOAD", ""), reason="a sanitizer has to be loaded first")
@pytest.mark.skipif(shutil.which("cc") is None, reason="no compiler")
def test_a_deadline_stays_where_it_is_when_the_clock_is_set(tmp_path):
    """Every look at the time of day puts it forward by an hour."""
    library = tmp_path / "clock.so"
    (tmp_path / "clock.c").write_text(JUMPING_CLOCK)
    subprocess.run(["cc", "-shared", "-fPIC", str(tmp_path / "clock.c"), "-o", str(library), "-ldl"], check=True)
    program = (
        "import time\nfrom test_endgame_core import MEMORY, Solver, ending\n"
        "assert abs(time.time() - time.time()) > 3000\n"
        "solver = Solver(ending(3, 5).game_state(), goal='best', memory=MEMORY)\n"
        "print(solver.run(seconds=1000), solver.nodes > 1000)\n"
    )
    path = os.pathsep.join([os.path.dirname(__file__), *filter(None, sys.path)])
    environment = os.environ | {"LD_PRELOAD": str(library), "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=120)
    assert done.stdout.split() == ["True", "True"], done.stderr


def test_a_finished_game():
    state = ending(1, 0)
    solver = Solver(state.game_state())
    assert solver.run() and solver.rows() == [] and solver.best() is None and solver.line() == []


def test_what_is_refused():
    game = ending(1, 3).game_state()
    with pytest.raises(ValueError, match="objective"):
        Solver(game, objective="points")
    with pytest.raises(ValueError, match="goal"):
        Solver(game, goal="some")
    with pytest.raises(ValueError, match="threads"):
        Solver(game, threads=0)
    with pytest.raises(ValueError, match="ways"):
        Solver(ending(1, 2 * TURNS).game_state())


# ------------------------------------------------------------------------------ a game that knows nothing of its end


@pytest.mark.parametrize("ideas", [ALL_IDEAS, *(ALL_IDEAS & ~bit for bit in IDEAS.values()), 0])
def test_the_toy(ideas):
    rng = random.Random(ideas)
    for size in range(6):
        for _ in range(4):
            cards = [rng.randrange(1, 6) for _ in range(size + 2)]
            game = draft_game(cards[:2], cards[2:])
            for objective in OBJECTIVES:
                expected = dict(Walker(game, 0, objective == "margin").values())
                solver = Solver(game, objective=objective, memory=1 << 12, ideas=ideas)
                assert solver.run()
                assert exact(solver) == expected, cards
                solver = Solver(game, objective=objective, memory=1 << 12, ideas=ideas, goal="best")
                assert solver.run() and expected[solver.best()] == max(expected.values())


# ------------------------------------------------------------------------------ memory

# Tables and trees at every place that a page can have, just below pages of somebody else.
NEIGHBOURS = """
import mmap
from orbis_search._core.search.endgame import Solver
from orbis_search._core.search.ismcts import Tree
from orbis_search._core.toy.draft import draft_game
from orbis_search.search.settings import DEFAULTS
game = draft_game([1, 2], [3])
pages = []
for _ in range(1024):
    pages.append(mmap.mmap(-1, mmap.PAGESIZE))
    pages[-1][0] = 1
    Solver(game, memory=1 << 12).run()
    Tree(game, DEFAULTS, pool_bytes=1 << 12).run(10)
assert all(page[0] == 1 for page in pages)
"""


def test_memory_given_back_is_ones_own():
    run = subprocess.run(
        [sys.executable, "-c", NEIGHBOURS],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr


# ------------------------------------------------------------------------------ three and four players


def end_of(state: PackedState, objective: str) -> tuple[Fraction, ...]:
    if objective == "win":
        return tuple(Fraction(share, 12) for share in state.shares())
    points = state.points()
    return tuple(Fraction(mine - max(points[:i] + points[i + 1 :])) for i, mine in enumerate(points))


def preference(values: tuple[Fraction, ...], who: int) -> tuple[Fraction, ...]:
    """Most for the mover, then least for the next player, and so on."""
    return (values[who], *(-values[(who + i) % len(values)] for i in range(1, len(values))))


def brute_force(state: PackedState, objective: str) -> dict[tuple[int, int], tuple[Fraction, ...]]:
    found = {}
    for move in state.moves(ALL):
        after = state.copy()
        after.apply(move)
        if after.to_move < 0:
            found[move] = end_of(after, objective)
            continue
        worlds = []
        for draw in after.draws() if after.hole is not None else [None]:
            world = after.copy()
            if draw is not None:
                world.refill(draw)
            replies = brute_force(world, objective)
            worlds.append(max(replies.values(), key=lambda values: preference(values, world.to_move)))
        found[move] = tuple(sum(part) / len(worlds) for part in zip(*worlds))
    return found


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("players", [3, 4])
def test_three_and_four_players_are_worth_what_brute_force_says(players, objective):
    compared = 0
    for seed, state in [*endings(1, range(16), 100, players), *endings(2, range(16), 1500, players)]:
        expected = brute_force(state, objective)
        solver = Solver(state.game_state(), objective=objective, moves=list(expected), memory=MEMORY)
        assert solver.run()
        rows = solver.rows()
        assert {(what, detail): low for what, detail, low, _ in rows} == expected, seed
        assert all(low == high for _, _, low, high in rows)
        best = max(preference(values, state.to_move) for values in expected.values())
        assert preference(expected[solver.best()], state.to_move) == best
        compared += 1
    assert compared >= 20


def test_three_players_that_run_out_of_nodes_are_bounded():
    state = ending(5, 3, 3)
    solver = Solver(state.game_state(), memory=MEMORY, moves=state.moves(ALL)[:5])
    assert not solver.run(nodes=20)
    for _, _, low, high in solver.rows():
        assert all(0 <= a <= b <= 1 for a, b in zip(low, high))
