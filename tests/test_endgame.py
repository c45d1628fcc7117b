"""The endgame solver: equal to searches that look at everything, and honest where it is cut short."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from jobs_for_tests import ends_at_b

import orbis_search
from orbis_search import speaking
from orbis_search._core.orbis.core import ALL, SEARCH
from orbis_search._core.search.endgame import ALL_IDEAS, IDEAS, Solver
from orbis_search._core.search.exhaustive import Walker
from orbis_search.base.errors import InputError
from orbis_search.base.language import LANGUAGES
from orbis_search.core import fast_rules
from orbis_search.core.packing import Packing, pack_move, unpack_move
from orbis_search.game.position import Position
from orbis_search.game.problems import problems
from orbis_search.game.vocabulary import TURNS, Worshipers
from orbis_search.measure import verify_solver as verify_endgame
from orbis_search.measure.speed import NEVER, TURNS_LEFT, Solved, endgame_figures, endgame_positions, hard_half
from orbis_search.measure.verify_solver import OBJECTIVES, ending, everybodys, plain_values, preference, verify_ending
from orbis_search.notation import format_move, parse_move, read_oneline, write_json, write_oneline, write_toml
from orbis_search.solver import batch
from orbis_search.solver.data import Bounds, Progress, Solution
from orbis_search.solver.endgame import FURTHEST, solve
from orbis_search.solver.text import solution_text, value_text
from orbis_search.solver.ties import ranked_by_points
from program import GOLDEN, PROGRAM

# ------------------------------------------------------------------------------ the two slow searches


def walked(position, objective) -> dict:
    walker = Walker(Packing(position).state.game_state(), ALL, objective == "margin")
    return {move: everybodys(value, objective) for move, value in walker.values()}


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_cores_brute_force_is_the_plain_one_with_one_turn_left(players, objective):
    for seed in range(8):
        where = ending(seed, players, 1, most=40).position
        assert walked(where, objective) == plain_values(where, objective)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("players, seed", [(2, 3), (2, 4), (3, 10), (3, 54), (4, 5)])
def test_the_cores_brute_force_is_the_plain_one_with_two_turns_left(players, seed, objective):
    """Where a second mover chooses, and with three and four the tie rule does."""
    where = ending(seed, players, 2, most=60).position
    assert walked(where, objective) == plain_values(where, objective)
    assert len(set(plain_values(where, objective).values())) > 1


def test_what_a_mover_prefers():
    """The own value first, then least to the next in turn order, then to the one after."""
    third, half = Fraction(1, 3), Fraction(1, 2)
    for_second = [(0, 1, 0), (half, half, 0), (0, half, half), (third, third, third), (1, 0, 0)]
    assert sorted(for_second, key=lambda values: preference(values, 1), reverse=True) == [
        (0, 1, 0),
        (half, half, 0),
        (0, half, half),
        (third, third, third),
        (1, 0, 0),
    ]
    assert preference((half, half, 0), 1) > preference((0, half, half), 1)
    assert preference((half, half, 0), 0) < preference((half, 0, half), 0)


# ------------------------------------------------------------------------------ the data folder

FOLDER = Path(__file__).parent / "endgames"
ENTRIES = [
    entry
    for path in sorted(FOLDER.glob("*.toml"))
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("ending", ())
]


def read(entry: dict) -> Position:
    return read_oneline(entry["line"], entry["name"], FOLDER)


def numbers(value: str | list[str]) -> Fraction | tuple[Fraction, ...]:
    return Fraction(value) if isinstance(value, str) else tuple(map(Fraction, value))


def added(values: Iterable) -> Fraction | tuple[Fraction, ...]:
    values = list(values)
    return sum(values, Fraction(0)) if isinstance(values[0], Fraction) else tuple(map(sum, zip(*values)))


def solved(where: Position, objective: str, moves: list | None = None, **options) -> dict:
    """Every move's exact value, as the solver tells it."""
    solver = Solver(Packing(where).state.game_state(), objective=objective, moves=moves, memory=8 << 20, **options)
    assert solver.run() and solver.finished
    rows = solver.rows()
    assert all(low == high for _, _, low, high in rows)
    return {(what, detail): low for what, detail, low, _ in rows}


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["name"] for entry in ENTRIES])
def test_the_endings_have_their_values(entry):
    where = read(entry)
    moves = Packing(where).state.moves(ALL if entry["moves"] == "legal" else SEARCH)
    assert len(moves) == entry["count"]
    found = solved(where, entry["objective"], moves)
    for text, value in entry["values"]:
        assert found[pack_move(where, parse_move(text, where))] == numbers(value), text
    assert added(found.values()) == numbers(entry["sum"])
    assert entry["values"][0][1] == entry["best"]


def test_the_endings_cover_what_they_should():
    positions = [read(entry) for entry in ENTRIES]
    names = [entry["name"] for entry in ENTRIES]
    assert len(names) == len(set(names)) >= 40
    assert all(len(entry["why"]) > 15 for entry in ENTRIES)
    assert {entry["objective"] for entry in ENTRIES} == {"win", "margin"}
    assert {len(where.players) for where in positions} == {2, 3, 4}
    assert {where.options.most_at_zero for where in positions} == {True, False}
    assert {where.tiles.name.partition(":")[0] for where in positions} == {"tiles.toml", "random"}
    left = [TURNS * len(where.players) - where.turns_played for where in positions]
    assert set(left) >= {1, 2, 3, 4, 5}
    assert any(cell.tile.described for where in positions for cell in where.centre)
    assert sum(any(player.god is None for player in where.players) for where in positions) >= 6
    assert sum(entry["checked"] != "solver" for entry in ENTRIES) >= 40  # by a search that looks at everything


# ------------------------------------------------------------------------------ random endings


@pytest.mark.parametrize("seed", range(1000, 1028))
def test_the_solver_is_brute_force(seed):
    """`orbis verify --endings 2000` is the same on many more, and larger ones."""
    assert verify_ending(seed, most=8_000).values > 0


@pytest.mark.parametrize("idea", IDEAS)
def test_no_idea_changes_a_value(idea):
    for seed, turns_left in ((1, 2), (2, 3), (5, 2), (9, 3)):
        tested = ending(seed, 2, turns_left, most=4_000)
        moves = Packing(tested.position).state.moves(ALL)
        for objective in OBJECTIVES:
            expected = solved(tested.position, objective, moves)
            assert solved(tested.position, objective, moves, ideas=ALL_IDEAS & ~IDEAS[idea]) == expected


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("players, turns_left", [(2, 3), (3, 2), (4, 2)])
def test_two_threads_find_the_same_values(players, turns_left, objective):
    for seed in range(4):
        where = ending(seed, players, turns_left, most=4_000).position
        assert solved(where, objective, threads=2) == solved(where, objective)


# ------------------------------------------------------------------------------ limits


@pytest.mark.parametrize("goal", ["best", "all"])
@pytest.mark.parametrize("players, turns_left", [(2, 2), (2, 3), (3, 2), (4, 2)])
def test_what_is_proved_within_a_limit_holds(players, turns_left, goal):
    """From no work at all to the end, the bounds contain the truth and never widen."""
    for seed, objective in product(range(3), OBJECTIVES):
        where = ending(seed, players, turns_left, most=4_000).position
        truth = solved(where, objective)
        solver = Solver(Packing(where).state.game_state(), objective=objective, goal=goal, memory=1 << 20)
        before: dict = {}
        done, steps = False, 0
        while not done:
            for what, detail, low, high in solver.rows():
                old_low, old_high = before.get((what, detail), (low, high))
                for at_least, value, at_most in zip(*map(as_tuple, (low, truth[what, detail], high))):
                    assert at_least <= value <= at_most
                assert as_tuple(old_low) <= as_tuple(low) and as_tuple(high) <= as_tuple(old_high)
                before[what, detail] = low, high
            steps += 1
            done = solver.run(nodes=5 * 2**steps)
            assert steps < 40
        assert as_tuple(truth[solver.best()]) == as_tuple(
            max(truth.values(), key=lambda values: mover_first(values, where.to_move))
        )


def as_tuple(value) -> tuple[Fraction, ...]:
    return value if isinstance(value, tuple) else (value,)


def mover_first(value, who: int):
    return preference(value, who) if isinstance(value, tuple) else value


def deep() -> Position:
    """Eight turns left: out of reach."""
    return endgame_positions(8)[0]


def test_a_limit_gives_bounds_and_says_so():
    for limit, stopped in (({"seconds": 0.3}, "time"), ({"nodes": 3_000}, "nodes")):
        solution = solve(deep(), **limit)
        assert (solution.finished, solution.stopped, solution.best) == (False, stopped, None)
        assert all(0 <= each.low <= each.high <= 1 for each in solution.moves)
        assert any(not each.proved for each in solution.moves)


def test_the_bounds_of_no_work_say_nothing():
    for objective, least, most in (("win", 0, 1), ("margin", -FURTHEST, FURTHEST)):
        solver = Solver(Packing(deep()).state.game_state(), objective=objective)
        assert {row[2:] for row in solver.rows()} == {(least, most)}


def test_the_same_work_gives_the_same_answer():
    one, two = (solve(endgame_positions(5)[3], nodes=20_000) for _ in range(2))
    assert (one.moves, one.best, one.nodes, one.line) == (two.moves, two.best, two.nodes, two.line)


def test_ctrl_c_returns_what_is_proved():
    def interrupt(progress: Progress) -> None:
        assert progress.exact < progress.moves and not progress.best_is_proved
        assert "Still running: no move is proved best" in solution_text(progress.so_far())
        signal.raise_signal(signal.SIGINT)

    solution = solve(deep(), progress=interrupt)
    assert (solution.stopped, solution.finished) == ("interrupted", False)
    assert len(solution.moves) == len(Packing(deep()).state.moves(SEARCH))


# ------------------------------------------------------------------------------ the API


def small(players: int = 2, turns_left: int = 2, seed: int = 1) -> Position:
    return ending(seed, players, turns_left, most=4_000).position


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_solution(players, objective):
    where = small(players)
    solution = solve(where, objective=objective)
    truth = {
        unpack_move(move): everybodys(value, objective)
        for move, value in Walker(Packing(where).state.game_state(), ALL, objective == "margin").values()
    }
    assert solution.finished and solution.stopped == "proved" and solution.exact == len(solution.moves)
    for each in solution.moves:
        assert each.lows == each.highs == truth[each.move]
        assert (each.low, each.high) == (each.lows[where.to_move], each.highs[where.to_move])
    assert solution.best == solution.moves[0]
    ranks = [preference(each.lows, where.to_move) for each in solution.moves]
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[0] == max(preference(values, where.to_move) for values in truth.values())
    assert [step.move for step in solution.line[:1]] == [solution.best.move]
    assert len(solution.line) == 2
    assert solve(where, objective=objective, goal="best").best.lows == solution.best.lows


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_moves_value_is_the_mean_over_its_draws(players, objective):
    where = small(players, 2)
    for move in fast_rules.legal_moves(where)[::7]:
        solution = solve(where, objective=objective, moves=[move], draws_of=move)
        (chosen,) = solution.moves
        assert chosen == solution.chosen and chosen.proved
        if move.god is not None:
            assert solution.draws == ()
            continue
        after = fast_rules.apply(where, move)
        assert sorted(each.tile.id for each in solution.draws) == sorted(tile.id for tile in fast_rules.draws(after))
        weight = sum(each.weight for each in solution.draws)
        means = [sum(each.weight * each.lows[i] for each in solution.draws) / weight for i in range(players)]
        assert tuple(means) == chosen.lows


def test_any_legal_move_can_be_asked_about():
    where = small(turns_left=2)
    others = set(fast_rules.legal_moves(where)) - set(fast_rules.legal_moves(where, search=True))
    assert others
    move = sorted(others, key=str)[0]
    assert [each.move for each in solve(where, moves=[move]).moves] == [move]
    assert {each.move for each in solve(where, every=True).moves} == set(fast_rules.legal_moves(where))
    with_it = solve(where, draws_of=move)
    assert with_it.chosen.move == move and len(with_it.moves) == 1 + len(fast_rules.legal_moves(where, search=True))


def test_what_solve_refuses():
    where = small()
    over = fast_rules.play_on(where, 2, seed=1)
    move = fast_rules.legal_moves(where)[0]
    for message, arguments, options in (
        ("somebody to move", [over], {}),
        ("one of win, margin", [where], {"objective": "points"}),
        ("one of best, all", [where], {"goal": "some"}),
        ("expected", [where], {"moves": [move._replace(realm=Worshipers(9, 9, 9, 9, 9))]}),
    ):
        with pytest.raises(InputError, match=message):
            solve(*arguments, **options)
    region = next(move for move in fast_rules.legal_moves(where) if move.cell is not None)
    with pytest.raises(InputError, match="refill"):
        solve(fast_rules.apply(where, region))


def test_solve_is_exported():
    assert orbis_search.solve is solve and orbis_search.Solution is Solution


def test_the_benchmarks_positions():
    for left in TURNS_LEFT:
        positions = endgame_positions(left)
        assert len(positions) == 50
        assert {TURNS * 2 - where.turns_played for where in positions} == {left}
        assert not any(problems(where) for where in positions[:5])


# ------------------------------------------------------------------------------ the commands


def test_the_command_in_words(run):
    line = write_oneline(small())
    code, out, err = run("solve", line, "--threads", 1)
    assert (code, err) == (0, "")
    solution = ranked_by_points(solve(small()))
    assert re.match(r"player 1 to move, 2 turns left: [\d,]+ nodes in [\d.]+ s\n\n", out)
    assert re.search(rf"^  1\*  .* {re.escape(format_move(small(), solution.best.move))}", out, re.MULTILINE)
    assert "* proved: no move is better" in out and "Best play may continue:" in out
    assert "built-in example" not in out
    assert "points ahead" in run("solve", line, "--objective", "margin")[1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 4])
def test_no_figure_is_broken_across_the_lines_about_ties(players, language):
    """It was: `-0.67 =` and then `-2/3`. With more digits the line is full at every place in turn."""
    solution = solve(small(players))
    with speaking(language):
        for digits in range(1, 14):
            lead = Fraction(10**digits + 1, 7)
            values = (lead,) + (-lead,) * (players - 1)
            first = replace(solution.moves[0], who=0, lows=values, highs=values)
            told = solution_text(replace(solution, points=(first, first))).splitlines()
            figures = value_text(first, replace(solution, objective="margin")).split(" : ")
            assert len(figures) == (1 if players == 2 else players)
            assert all(any(figure in line for line in told) for figure in figures), told


def test_the_command_without_a_position_solves_the_example(run):
    code, out, _ = run("solve", "--best", "--threads", 1)
    assert code == 0 and "4 turns left" in out and "built-in example" in out


@pytest.mark.parametrize("players", [2, 3])
def test_the_command_in_json(run, players):
    where = small(players)
    code, out, _ = run("solve", write_oneline(where), "--json", "--threads", 1)
    value = json.loads(out)
    solution = ranked_by_points(solve(where))
    assert code == 0
    assert (value["format"], value["version"]) == ("orbis-solution", 1)
    assert (value["finished"], value["stopped"]) == (True, "proved")
    assert value["count"] == value["exact"] == len(value["moves"]) == len(solution.moves)
    for row, each in zip(value["moves"], solution.moves):
        assert (row["low"], row["high"], row["proved"]) == (str(each.low), str(each.high), True)
        assert parse_move(row["move"]["text"], where) == each.move
        assert row.get("lows") == (None if players == 2 else [str(value) for value in each.lows])
    assert value["best"] == value["moves"][0]
    assert len(value["line"]) == 2 and value["line"][1]["draw"] is None
    assert "draws" not in value
    assert len(json.loads(run("solve", write_oneline(where), "--json", "--top", 3)[1])["moves"]) == 3


def test_the_commands_table_of_draws(run):
    where = small()
    text = next(format_move(where, move) for move in fast_rules.legal_moves(where) if move.cell is not None)
    solution = solve(where, draws_of=parse_move(text, where))
    assert len(solution.draws) == 2
    code, out, _ = run("solve", write_oneline(where), "--move", text)
    assert code == 0
    for each in solution.draws:
        assert re.search(rf"^  .* {each.tile.id}  ", out, re.MULTILINE)
    value = json.loads(run("solve", write_oneline(where), "--move", text, "--json")[1])
    assert [row["tile"] for row in value["draws"]] == [each.tile.id for each in solution.draws]
    assert value["chosen"]["move"]["text"] == text


def test_the_command_says_what_is_open(run):
    code, out, _ = run("solve", write_oneline(deep()), "--nodes", 2000, "--threads", 1)
    assert code == 0
    assert "The nodes ran out: no move is proved best" in out
    assert "orbis advise ranks the moves" in out
    assert "open" in out and "* proved" not in out


def test_bounds_are_rounded_outwards():
    third, two = Fraction(1, 3), Fraction(2, 3)
    where = small()
    solution = solve(where)

    def text(low: Fraction, high: Fraction, objective: str = "win") -> str:
        return value_text(Bounds(0, (low, 1 - high), (high, 1 - low)), replace(solution, objective=objective))

    assert text(third, two) == "at least 33.33 %, at most 66.67 %"
    assert text(Fraction(0), third) == "at most 33.34 %"
    assert text(two, Fraction(1)) == "at least 66.66 %"
    assert text(Fraction(0), Fraction(1)) == "open"
    assert text(two, two) == "66.67 % = 2/3"
    assert text(Fraction(1), Fraction(1)) == "100 %"
    assert text(-third, third, "margin") == "at least -0.34, at most +0.34"
    assert text(Fraction(-FURTHEST), third, "margin") == "at most +0.34"
    assert text(-third, -third, "margin") == "-0.33 = -1/3"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["nowhere.toml"], "found no such file"),
        (["--move", "b9 nothing"], "orbis: move"),
        ([str(GOLDEN / "opening-2.toml")], "orbis: position: expected an ending small enough to solve"),
        (["--objective", "points"], "Invalid value"),
        (["--time", "soon"], "expected a time"),
        (["-o", "lines.jsonl"], "-o goes with --batch"),
        (["--batch", "nowhere"], "expected a folder of positions"),
        (["o1:2", "--batch", "nowhere"], "--batch takes no POSITION"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_the_command_refuses(run, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("solve", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_prints_bounds_and_130():
    command = [*PROGRAM, "solve", write_oneline(deep()), "--threads", "1", "--time", "10m"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(1200):  # until the solver's own thread is there
        time.sleep(0.05)
        status = Path(f"/proc/{process.pid}/status")
        if not status.exists() or "Threads:\t2" in status.read_text():
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (130, "orbis: interrupted\n")
    assert "Interrupted: no move is proved best" in out


# ------------------------------------------------------------------------------ many positions


@pytest.fixture
def folder(tmp_path):
    """Two files, and a third with two positions."""
    place = tmp_path / "positions"
    place.mkdir()
    (place / "a.toml").write_text(write_toml(small(seed=1)), encoding="utf-8")
    (place / "b.json").write_text(write_json(small(seed=2)), encoding="utf-8")
    lines = [write_oneline(small(seed=seed)).strip() for seed in (3, 4)]
    (place / "c.txt").write_text(f"# two positions\n{lines[0]}\n\n{lines[1]}\n", encoding="utf-8")
    (place / "notes.md").write_text("not a position", encoding="utf-8")
    return place


NAMES = {"a.toml": 1, "b.json": 2, "c.txt:2": 3, "c.txt:4": 4}  # and the seed of each


def lines_of(path: Path) -> dict[str, dict]:
    values = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len({value["name"] for value in values}) == len(values)
    return {value["name"]: value for value in values}


@pytest.mark.parametrize("processes", [1, 2])
def test_a_batch(run, folder, tmp_path, processes):
    output = tmp_path / "lines.jsonl"
    assert run("solve", "--batch", folder, "-o", output, "--threads", processes) == (0, "", "")
    found = lines_of(output)
    assert found.keys() == NAMES.keys()
    for name, seed in NAMES.items():
        solution = solve(small(seed=seed))
        assert found[name]["format"] == "orbis-solution" and found[name]["finished"]
        assert found[name]["position"] == write_oneline(small(seed=seed)).strip()
        assert [row["low"] for row in found[name]["moves"]] == [str(each.low) for each in solution.moves]


def test_a_batch_to_standard_output(run, folder):
    code, out, err = run("solve", "--batch", folder, "--threads", 1, "--top", 1)
    values = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert {value["name"] for value in values} == NAMES.keys()
    assert all(len(value["moves"]) == 1 for value in values)


def test_a_batch_goes_on_where_it_stopped(run, folder, monkeypatch):
    output = folder / "lines.json"  # among the positions, and none of them
    run("solve", "--batch", folder, "-o", output, "--threads", 1)
    whole = output.read_bytes()
    lines = whole.splitlines(keepends=True)
    solved_names = []
    solve_one = batch._solve_one
    monkeypatch.setattr(batch, "_solve_one", lambda job: solved_names.append(job[0].name) or solve_one(job))

    # 1. Nothing is left.
    assert run("solve", "--batch", folder, "-o", output, "--threads", 1) == (0, "", "")
    assert output.read_bytes() == whole and solved_names == []

    # 2. Two lines are there, and a third that was cut short.
    output.write_bytes(lines[0] + lines[1] + lines[2][:100])
    assert run("solve", "--batch", folder, "-o", output, "--threads", 1) == (0, "", "")
    assert output.read_bytes().startswith(lines[0] + lines[1])
    assert lines_of(output).keys() == NAMES.keys()
    assert solved_names == ["c.txt:2", "c.txt:4"]

    # 3. A position that has changed, and another objective, are other tasks.
    solved_names.clear()
    (folder / "a.toml").write_text(write_toml(small(seed=9)), encoding="utf-8")
    run("solve", "--batch", folder, "-o", output, "--threads", 1)
    assert solved_names == ["a.toml"]
    run("solve", "--batch", folder, "-o", output, "--threads", 1, "--objective", "margin")
    assert solved_names == ["a.toml", *sorted(NAMES)]


def test_a_batch_that_is_interrupted_keeps_its_lines(run, folder, tmp_path, monkeypatch):
    output = tmp_path / "lines.jsonl"
    solve_one = batch._solve_one

    def second_fails(job):
        if job[0].name == "c.txt:2":
            raise KeyboardInterrupt
        return solve_one(job)

    monkeypatch.setattr(batch, "_solve_one", second_fails)
    code, _, err = run("solve", "--batch", folder, "-o", output, "--threads", 1)
    assert (code, err) == (130, "orbis: interrupted\n")
    assert list(lines_of(output)) == ["a.toml", "b.json"]
    monkeypatch.setattr(batch, "_solve_one", solve_one)
    assert run("solve", "--batch", folder, "-o", output, "--threads", 1)[0] == 0
    assert lines_of(output).keys() == NAMES.keys()


@pytest.mark.parametrize("processes", [1, 2])
def test_a_batch_names_bad_files_when_the_rest_is_done(run, folder, tmp_path, processes):
    output = tmp_path / "lines.jsonl"
    (folder / "b.json").write_text("{}", encoding="utf-8")
    with (folder / "c.txt").open("a", encoding="utf-8") as file:
        file.write("o1:2:nonsense\n")
    code, out, err = run("solve", "--batch", folder, "-o", output, "--threads", processes)
    assert (code, out) == (2, "")
    assert [line.split(",")[0].split(": ")[1] for line in err.splitlines()] == ["b.json", "c.txt:5"]
    assert lines_of(output).keys() == NAMES.keys() - {"b.json"}


@pytest.mark.parametrize("is_bad", [False, True])
def test_a_position_that_the_machine_gave_up_is_no_bad_input(run, folder, tmp_path, monkeypatch, is_bad):
    """Unless another one is."""
    output = tmp_path / "lines.jsonl"
    monkeypatch.setattr(batch, "_solve_one", ends_at_b)
    if is_bad:
        (folder / "d.toml").write_text("nonsense", encoding="utf-8")
    code, out, err = run("solve", "--batch", folder, "-o", output, "--threads", 2)
    assert (code, out) == (2 if is_bad else 1, "")
    given_up, *bad = err.splitlines()
    assert given_up == "orbis: b.json: expected an answer in 3 tries, found: its process ended (exit code 3)"
    assert len(bad) == is_bad
    assert lines_of(output).keys() == NAMES.keys() - {"b.json"}


def test_a_batch_spoils_no_other_file(run, folder, tmp_path):
    output = tmp_path / "lines.jsonl"
    output.write_text("something else\n", encoding="utf-8")
    code, out, err = run("solve", "--batch", folder, "-o", output)
    assert (code, out) == (2, "")
    assert "line 1: expected a solution, found something else" in err
    assert output.read_text("utf-8") == "something else\n"


# ------------------------------------------------------------------------------ measuring and verifying


def test_bench_endgame(run):
    code, out, err = run("bench", "endgame", "--turns", 4, "--positions", 2, "--time", "30s", "--json")
    value = json.loads(out)
    assert (code, err, value["kind"]) == (0, "", "endgame")
    (row,) = value["runs"]
    assert (row["turns_left"], row["positions"], row["solved"], row["way"]) == (4, 2, 2, "1 thread")
    assert row["nodes"] == sum(each["nodes"] for each in row["results"])
    words = run("bench", "endgame", "--turns", 4, "--positions", 1, "--time", "30s", "--threads", 1, "--threads", 2)[1]
    assert "1 thread" in words and "2 threads" in words and "hard half" in words


def test_bench_endgame_without_ideas(run):
    idea = next(iter(IDEAS))
    assert run("bench", "endgame", "--turns", 4, "--positions", 1, "--time", "30s", "--without", idea)[0] == 0
    code, out, err = run("bench", "endgame", "--without", "luck")
    assert (code, out) == (2, "") and f"expected one of {', '.join(IDEAS)}, found luck" in err
    out = run("bench", "endgame", "--turns", 4, "--positions", 1, "--time", "100ms", "--ablation")[1]
    assert all(f"without {name}" in out for name in IDEAS)


def test_figures_of_a_set():
    results = [Solved(i + 1, i < 9, float(i), 0.0, 10 * i, None) for i in range(10)]
    figures = endgame_figures(results)
    assert (figures.positions, figures.solved, figures.nodes) == (10, 9, 450)
    assert (figures.median, figures.ninety, figures.most) == (4.0, 8.0, NEVER)
    faster = [replace(each, seconds=each.seconds / 2) for each in results]
    hard = hard_half(results, faster)
    assert (hard.both, hard.seconds) == (5, (30.0, 15.0))


def test_verify_the_solver(run):
    code, out, err = run("verify", "--endings", 7, "--bounds", 1, "--limit", "10ms", "--turns", 4, "--threads", 1)
    assert (code, err) == (0, "")
    assert "agree on 7 endings" in out and "2 players, 3 left" in out and "hold on 1 position," in out
    assert run("verify", "--endings", 1, "--singles", 1)[0] == 2


def test_a_difference_is_shown(run, monkeypatch):
    plain = verify_endgame.brute_force

    def wrong(*arguments):
        values = plain(*arguments)
        move = next(iter(values))
        return values | {move: tuple(value + 1 for value in values[move])}

    monkeypatch.setattr(verify_endgame, "brute_force", wrong)
    code, out, err = run("verify", "--endings", 1, "--threads", 1)
    assert (code, out) == (2, "")
    assert "solver and brute force differ" in err and "o1:2:" in err
