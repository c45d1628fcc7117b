"""`orbis bench regret`: its arithmetic by hand, its endings against solver and brute force, and the command."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from pathlib import Path

import contested as make_contested
import pytest

from orbis_search.advice.advisor import advise
from orbis_search.advice.data import Advice
from orbis_search.base.errors import InputError
from orbis_search.core import fast_rules
from orbis_search.core.packing import Packing, pack_move, unpack_move
from orbis_search.game.vocabulary import TURNS
from orbis_search.measure import regret as bench_regret
from orbis_search.measure import verify_solver as verify_endgame
from orbis_search.measure.contested_endings import (
    APART,
    LEAST,
    MOST,
    SETS,
    TURNS_LEFT,
    Ending,
    EndingSet,
    interleave,
    read_set,
    set_bytes,
    set_of,
    shipped_set,
    shipped_turns,
    write_set,
)
from orbis_search.measure.json import group_to_json
from orbis_search.measure.regret import (
    Answer,
    Question,
    Row,
    ask,
    groups_of,
    measure,
    regret_figures,
    row_figures,
    shown_rows,
)
from orbis_search.measure.speed import sensible_ending
from orbis_search.measure.verify_advice import judge
from orbis_search.solver.endgame import solve
from program import TESTS, Run

SHIPPED = [(name, players, left) for name in SETS for players in TURNS_LEFT for left in shipped_turns(name, players)]
HALF = Fraction(1, 2)


def quickest(endings: EndingSet, count: int) -> list[Ending]:
    return sorted(endings.endings, key=lambda each: len(each.values))[:count]


# ------------------------------------------------------------------------------ arithmetic


def test_a_row():
    inside = Row(HALF, 0.6, 0.45, 0.75)
    assert inside.error == pytest.approx(0.1)
    assert (inside.outside, inside.score) == (0.0, pytest.approx(0.3))
    above = Row(Fraction(3, 4), 0.5, 0.4, 0.6)  # the exact value is 0.15 above the interval
    assert above.error == pytest.approx(-0.25)
    assert above.outside == pytest.approx(0.15) and above.score == pytest.approx(0.2 + 40 * 0.15)
    below = Row(Fraction(1, 4), 0.5, 0.4, 0.6)
    assert below.outside == pytest.approx(0.15)


def test_an_end_of_an_interval_belongs_to_it():
    assert Row(Fraction(1), 0.9, 0.8, 1 - 1e-12).outside == 0
    assert Row(Fraction(1, 10), 0.2, 0.1, 0.3).outside == 0
    assert Row(Fraction(1), 0.9, 0.8, 0.999).outside == pytest.approx(0.001)


def test_figures_of_rows():
    figures = row_figures([Row(HALF, 0.6, 0.45, 0.75), Row(Fraction(3, 4), 0.5, 0.4, 0.6)])
    assert figures.rows == 2
    assert figures.error == pytest.approx((0.1 - 0.25) / 2)
    assert figures.distance == pytest.approx((0.1 + 0.25) / 2)
    assert figures.held == 0.5
    assert figures.width == pytest.approx((0.3 + 0.2) / 2)
    assert figures.score == pytest.approx((0.3 + 0.2 + 6) / 2)


def answer(number: int, best: Fraction, *values: Fraction, ours: bool = True, silent: int = 0) -> Answer:
    """Whose chances are all printed as 0.5 ± 0.1."""
    return Answer(number, ours, best, "a1 1L", tuple(Row(value, 0.5, 0.4, 0.6) for value in values), silent)


def test_figures_of_answers():
    right = answer(1, HALF, HALF, Fraction(1, 4))
    wrong = answer(2, Fraction(3, 4), HALF, Fraction(3, 4), Fraction(0), silent=3)
    figures = regret_figures([right, wrong])
    assert (figures.positions, figures.optimal, figures.silent) == (2, 0.5, 3)
    assert figures.regret == 0.125
    # Regrets of 0 and 1/4: a sample variance of 1/32, of which the mean of two has half.
    assert figures.regret_error == pytest.approx(sqrt(1 / 64))
    assert (figures.best.rows, figures.best.held, figures.best.error) == (2, 1.0, 0.0)
    assert figures.others is not None and figures.others.rows == 3
    assert figures.others.error == pytest.approx((0.25 - 0.25 + 0.5) / 3)
    assert figures.others.held == 0.0


def test_one_answer_has_no_standard_error_and_a_lone_row_no_others():
    figures = regret_figures([answer(1, HALF, HALF)])
    assert figures.regret_error is None and figures.others is None


# ------------------------------------------------------------------------------ asking


def test_an_answer_is_what_the_advisor_shows():
    ending = quickest(shipped_set("fit", 2, 4), 1)[0]
    position = ending.position
    advice = advise(position, simulations=300, prove=False, why=None, seed=7)
    found = ask(Question(0, 1, ending, 300, 7))
    shown, silent = shown_rows(advice)
    assert shown[0] == advice.best and len(shown) + silent <= bench_regret.SHOWN
    assert [(row.win, row.low, row.high) for row in found.rows] == [(each.win, each.low, each.high) for each in shown]
    assert [row.value for row in found.rows] == [ending.value_of(each.move) for each in shown]
    assert (found.best, found.silent) == (max(ending.values.values()), silent)


def small_set(count: int = 2) -> EndingSet:
    endings = shipped_set("fit", 2, 4)
    return replace(endings, endings=endings.endings[:count])


def test_groups_come_in_order_whatever_the_processes():
    told: list[int] = []
    by_processes = []
    for processes in (1, 2):
        groups = groups_of([small_set(3)], (20, 40), positions=2)
        done = list(measure(groups, 5, processes, lambda: told.append(processes)))
        assert [group.simulations for group in done] == [20, 40]
        assert all([each.number for each in group.answers] == [1, 2] for group in done)
        by_processes.append([group.answers for group in done])
    assert by_processes[0] == by_processes[1]
    assert told == [1] * 4 + [2] * 4


def test_an_ending_has_its_own_seed(monkeypatch: pytest.MonkeyPatch):
    asked = []

    def note(question: Question) -> Answer:
        asked.append((question.simulations, question.number, question.seed))
        return answer(question.number, HALF, HALF)

    monkeypatch.setattr(bench_regret, "ask", note)
    list(measure(groups_of([small_set()], (10, 20)), 100, 1))
    assert asked == [(10, 1, 101), (10, 2, 102), (20, 1, 101), (20, 2, 102)]


def test_our_tiles_and_random_ones_apart():
    group = groups_of([small_set(3)], (10,))[0]
    group.answers += [answer(2, HALF, Fraction(1, 4), ours=False), answer(1, HALF, HALF), answer(3, HALF, HALF)]
    value = group_to_json(group)
    assert (value["all"]["positions"], value["ours"]["positions"], value["random"]["positions"]) == (3, 2, 1)
    assert (value["ours"]["regret"], value["random"]["regret"]) == (0, 0.25)
    assert [row["number"] for row in value["results"]] == [1, 2, 3]
    group.answers.pop(0)
    assert group_to_json(group)["random"] is None


# ------------------------------------------------------------------------------ the endings


def test_there_are_endings():
    assert {("fit", 2, 4), ("fit", 2, 5), ("report", 2, 4), ("report", 2, 5)} <= set(SHIPPED)


@pytest.mark.parametrize(("name", "players", "left"), SHIPPED)
def test_a_set_is_what_it_says(name: str, players: int, left: int):
    found = shipped_set(name, players, left)
    assert (found.name, found.players, found.turns_left) == (name, players, left)
    kinds = [each.ours for each in found.endings]
    assert abs(kinds.count(True) - kinds.count(False)) <= 1
    for each in found.endings:
        position = each.position
        assert len(position.players) == players
        assert TURNS * players - position.turns_played == left
        assert LEAST <= each.best <= MOST and min(each.values.values()) <= each.best - APART
        listed = Packing(position).state.moves(verify_endgame.ALL)
        assert each.values.keys() <= set(listed)
        assert players == 2 or len(each.values) == len(listed)
    for ours, games, passed in zip((True, False), found.made["games"], found.made["passed"], strict=True):
        assert games == sum(passed.values()) + kinds.count(ours)


def test_the_document_says_how_many_there_are():
    sizes = {key: len(shipped_set(*key).endings) for key in SHIPPED}
    rows = [
        f"| {players} | {left} | {sizes.get(('fit', players, left), 0)} | {sizes.get(('report', players, left), 0)} |"
        for players, turns in TURNS_LEFT.items()
        for left in turns
    ]
    assert "\n".join(rows) in (TESTS.parent / "docs" / "search.md").read_text("utf-8")


def test_no_ending_is_in_two_sets():
    texts = [each.text for key in SHIPPED for each in shipped_set(*key).endings]
    assert len(texts) == len(set(texts))
    starts = {(each.tiles, key[0]) for key in SHIPPED for each in shipped_set(*key).endings if not each.ours}
    assert len({tiles for tiles, _ in starts}) == len(starts)  # no random tile set is in both


@pytest.mark.parametrize("name", SETS)
def test_values_with_four_turns_left_are_the_solvers(name: str):
    for ending in quickest(shipped_set(name, 2, 4), 3):
        solution = solve(ending.position, every=True, line=False)
        assert solution.finished
        for each in solution.moves:
            assert ending.value_of(each.move) == each.low, each.move
        assert ending.best == solution.moves[0].low


@pytest.mark.parametrize(("name", "players", "left"), [key for key in SHIPPED if key[1] > 2])
def test_values_of_three_and_four_players_are_those_of_brute_force(name: str, players: int, left: int):
    """Every move and every draw to the end, without pruning or memory."""
    ending = quickest(shipped_set(name, players, left), 1)[0]
    position = ending.position
    exact = verify_endgame.brute_force(verify_endgame.Ending(position, left, "ours"), "win")
    assert {move: values[position.to_move or 0] for move, values in exact.items()} == ending.values


def test_a_move_that_is_not_listed_is_solved():
    """Paying more than is asked is legal, never better, and nothing that a search looks at."""
    ending = next(
        each
        for each in quickest(shipped_set("fit", 2, 4), 40)
        if fast_rules.count_moves(each.position) > len(each.values)
    )
    position = ending.position
    listed = {unpack_move(packed) for packed in ending.values}
    others = [move for move in fast_rules.legal_moves(position) if move not in listed]
    known = dict(ending.values)
    for move in others[:3]:
        value = ending.value_of(move)
        assert value == solve(position, moves=[move], line=False).moves[0].low <= max(known.values())
        assert ending.values[pack_move(position, move)] == value


def test_a_set_in_the_making_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """benchmarks/contested.py, with games that take no time."""
    monkeypatch.setattr(make_contested, "SIMS", 10)
    path = tmp_path / "fit-2p-4.jsonl.gz"
    make_contested.make("fit", 2, 4, 2, tmp_path)
    two = read_set(str(path))
    make_contested.make("fit", 2, 4, 2, tmp_path)
    assert read_set(str(path)) == two and [each.ours for each in two.endings] == [True, False]
    make_contested.make("fit", 2, 4, 3, tmp_path)
    three = read_set(str(path))
    assert three.endings[:2] == two.endings and three.endings[2].game > two.endings[0].game
    for each in three.endings:
        assert LEAST <= each.best <= MOST and min(each.values.values()) <= each.best - APART
    assert sum(three.made["games"]) == 3 + sum(sum(passed.values()) for passed in three.made["passed"])
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("players", "left"), [(2, 3), (3, 2)])
def test_why_an_ending_is_passed_over(players: int, left: int, monkeypatch: pytest.MonkeyPatch):
    position = sensible_ending(players, left, 1)
    solution = solve(position, line=False)
    monkeypatch.setattr(make_contested, "LEAST", Fraction(0))
    monkeypatch.setattr(make_contested, "MOST", Fraction(1))
    monkeypatch.setattr(make_contested, "APART", Fraction(0))
    taken = make_contested.ending_of(position, left, "reconstruction", 1)
    assert isinstance(taken, Ending) and taken.best == solution.moves[0].low
    for name, value, reason in (
        ("APART", Fraction(2), "equal"),
        ("NODES", 1, "hard"),
        ("MOST", solution.moves[0].low - 1, "decided"),
        ("MOVES", 0, "many"),
    ):
        with monkeypatch.context() as changes:
            changes.setattr(make_contested, name, value)
            assert make_contested.ending_of(position, left, "reconstruction", 1) == reason


# ------------------------------------------------------------------------------ files


def test_a_set_is_read_as_it_was_written(tmp_path: Path):
    endings = small_set()
    path = tmp_path / "some.jsonl.gz"
    write_set(endings, str(path))
    assert read_set(str(path)) == endings and list(tmp_path.iterdir()) == [path]
    assert set_bytes(set_of(path.read_bytes(), "some")) == path.read_bytes()


def test_the_first_endings_are_of_both_kinds():
    a, b = small_set().endings
    first, second = replace(a, game=1), replace(a, game=2)
    assert interleave([a, first, second], [b]) == (a, b, first, second)


@pytest.mark.parametrize("data", [b"", b"{}", bytes(range(40)), set_bytes(small_set())[:-20]])
def test_what_is_no_set(data: bytes):
    with pytest.raises(InputError, match=r"some file.*expected a set of endings with values"):
        set_of(data, "some file")


def test_a_set_of_another_version():
    import gzip

    text = gzip.decompress(set_bytes(small_set())).replace(b'"version":1', b'"version":2', 1)
    with pytest.raises(InputError):
        set_of(gzip.compress(text), "some file")


# ------------------------------------------------------------------------------ the command

QUICK = ("bench", "regret", "--set", "fit", "--turns", 4, "--positions", 2, "--threads", 1)


def test_the_command_in_words(run: Run):
    code, out, err = run(*QUICK, "--sims", 20, "--sims", 1000, "--seed", 3)
    assert (code, err) == (0, "")
    title, _, heads, first, silent, second, *_ = out.splitlines()
    assert title == "2 players, 4 turns left"
    assert heads.split()[:4] == ["simulations", "positions", "optimal", "regret"]
    assert first.split()[:2] == ["20", "2"] and second.split()[:2] == ["1,000", "2"]
    groups = list(measure(groups_of([shipped_set("fit", 2, 4)], (1000,), 2), 3, 1))
    figures = regret_figures(groups[0].answers)
    assert f"{100 * figures.regret:.2f} ± {100 * figures.regret_error:.2f}" in second
    assert second.split()[-1] == f"{100 * figures.others.score:.1f}"
    assert silent.endswith("without a chance")  # rows that were looked at a few times


def test_the_command_in_json(run: Run):
    code, out, err = run(*QUICK, "--turns", 5, "--sims", 50, "--json")
    value = json.loads(out)
    assert (code, err, value["kind"], value["set"], value["seed"]) == (0, "", "regret", "fit", 0)
    assert [(row["turns_left"], row["simulations"]) for row in value["regrets"]] == [(4, 50), (5, 50)]
    groups = list(measure(groups_of([shipped_set("fit", 2, left) for left in (4, 5)], (50,), 2), 0, 1))
    assert value["regrets"] == [json.loads(json.dumps(group_to_json(group))) for group in groups]


def test_a_file_of_ones_own(run: Run, tmp_path: Path):
    path = tmp_path / "own.jsonl.gz"
    write_set(small_set(1), str(path))
    code, out, _ = run("bench", "regret", "--set", path, "--sims", 20, "--threads", 1, "--json")
    assert code == 0 and [row["all"]["positions"] for row in json.loads(out)["regrets"]] == [1]
    assert run("bench", "regret", "--set", path, "--turns", 4)[0] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "fit", "--turns", "7"], "--turns: expected one of 4, 5"),
        (["--set", "fit", "--players", "3", "--turns", "4"], "expected one of 3, found 4"),
        (["--set", "nowhere.gz"], "nowhere.gz"),
        (["--sims", "1"], "Invalid value"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_the_command_refuses(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("bench", "regret", *arguments)
    assert (code, out) == (2, "") and message in err


@pytest.mark.parametrize("as_json", [False, True])
def test_interrupted_it_gives_what_is_there(run: Run, monkeypatch: pytest.MonkeyPatch, as_json: bool):
    whole = ask

    def third_is_interrupted(question: Question) -> Answer:
        if question.simulations == 20 and question.number == 2:
            raise KeyboardInterrupt
        return whole(question)

    monkeypatch.setattr(bench_regret, "ask", third_is_interrupted)
    code, out, err = run(*QUICK, "--sims", 10, "--sims", 20, "--sims", 30, *(["--json"] if as_json else []))
    assert (code, err) == (130, "orbis: interrupted\n")
    if as_json:
        value = json.loads(out)
        assert value["interrupted"] and [row["all"]["positions"] for row in value["regrets"]] == [2, 1]
    else:
        rows = [line.split()[:2] for line in out.splitlines()[3:] if "without a chance" not in line]
        assert rows == [["10", "2"], ["20", "1"]]


def test_an_advice_that_was_cut_short_does_not_count(monkeypatch: pytest.MonkeyPatch):
    def cut(*arguments: object, **options: object) -> Advice:
        return replace(advise(*arguments, **options), stopped="interrupted")

    monkeypatch.setattr(bench_regret, "advise", cut)
    with pytest.raises(KeyboardInterrupt):
        ask(Question(0, 1, small_set().endings[0], 20, 0))


def test_rows_without_a_chance_are_counted(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bench_regret, "shown_rows", lambda advice: ([advice.best], 4))
    out = run(*QUICK, "--sims", 20)[1]
    assert out.splitlines()[-1] == "  8 rows without a chance"


def test_an_ending_that_cannot_be_solved_makes_room_for_another() -> None:
    """Ending 335 of `orbis verify --advice` has more moves than the solver takes: another game is played for it."""
    verdict = judge(335, simulations=100)
    assert verdict.name == "ending 335, 3 turns left, reconstruction" and verdict.loss >= 0
