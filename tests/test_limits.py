"""Time and memory have bounds, whatever is asked: large texts, crowded positions, requests by the megabyte.

No clock is asserted here. Without its bound each of these took minutes or gigabytes.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import games
from orbis_search import advise, check_position, count_moves, legal_moves, parse_move, perft, read_position, solve
from orbis_search.base.errors import MOST_PROBLEMS, InputError
from orbis_search.base.toml import MAX_TEXT, NotToml, toml_tables
from orbis_search.core.fast_rules import play_on
from orbis_search.engine import server
from orbis_search.engine.server import Engine, request_of
from orbis_search.game.position import Position
from orbis_search.game.vocabulary import God, Worshipers
from orbis_search.notation import format_move, parse_worshipers, write_oneline, write_toml
from orbis_search.notation.examples import example_text
from orbis_search.record.game import Record
from orbis_search.review.analysis import review_game
from orbis_search.tileset.files import parse_tile_set
from program import Run, wait_for_work

MIDDLE = read_position(example_text())
FULL = Worshipers(11, 11, 11, 11, 11)
# No game leads here, but it is a position like any other.
CROWDED = MIDDLE._replace(centre=tuple(cell._replace(worshipers=FULL) for cell in MIDDLE.centre))
FAR_MORE = "moves to list, found far more"


# --- texts


DOTTED = ".".join("a" * (MAX_TEXT // 2 - 8)) + "=1"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (DOTTED, "a key of more than 8 parts"),
        (f"[{DOTTED[:-2]}]", "a key of more than 8 parts"),
        (f"x = {{{DOTTED[:9000]}", "a key of more than 8 parts"),
        ('x = {y = """a"""", ' + DOTTED[:9000] + ' = ""}', "a key of more than 8 parts"),
        ("'a' . \"b.c\" ." * 5, "a key of more than 8 parts"),
        ("x = " + "[" * 200_000, "lists nested too deeply"),
        ("x = " + "{a=" * 60_000, "lists nested too deeply"),
        ("#" * MAX_TEXT + "\n", f"more than {MAX_TEXT} characters"),
    ],
)
def test_what_the_parser_cannot_cope_with_is_refused_before_it(text: str, why: str) -> None:
    with pytest.raises(NotToml) as caught:
        toml_tables(text)
    assert str(caught.value) == why


@pytest.mark.parametrize(
    "text",
    [
        'a.b.c.d.e.f.g.h = "1.2.3.4.5.6.7.8.9.10"',
        "a = '1.2.3.4.5.6.7.8.9.10' # 1.2.3.4.5.6.7.8.9.10 [[[[[",
        'a = """\n1.2.3.4.5.6.7.8.9.10 "" \\""" [[[[\n"""""',
        "a = '''\n" + "[" * 99 + "1.2.3.4.5.6.7.8.9.10'' '''''",
        "a = [" + "[1.5, 2.5], " * 99 + "]",
        "[[a]]\n" * 99,
    ],
)
def test_dots_and_brackets_that_are_no_keys_and_no_lists_are_not_counted(text: str) -> None:
    assert "a" in toml_tables(text)


def test_every_reader_of_toml_has_the_limits(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dotted.toml").write_text(DOTTED)
    Path("short.toml").write_text(DOTTED[: 1 << 15] + "=1")
    why = "a syntax error: a key of more than 8 parts\n"
    assert run("check", "dotted.toml").err == f"orbis: dotted.toml: expected a position in TOML, found {why}"
    assert run("tiles", "check", "dotted.toml").err == f"orbis: dotted.toml: expected a tile set in TOML, found {why}"
    assert run("edit", "dotted.toml", stdin=b"").err == f"orbis: dotted.toml: expected a position in TOML, found {why}"
    arena = run("arena", "@short.toml", "random", "--games", "2")
    assert arena.code == 2 and arena.err.endswith(f"expected settings in TOML, found {why}")
    monkeypatch.setenv("ORBIS_SETTINGS", "short.toml")
    settings = run("advise", "--sims", "1")
    assert settings.code == 2 and settings.err.endswith(f"expected settings in TOML, found {why}")
    (answer,) = ask({"id": 1, "action": "check", "position": DOTTED})
    assert why.strip() in answer["result"]["problems"][0]["message"]
    monkeypatch.setenv("ORBIS_SETTINGS", "")
    Path("folder").mkdir()
    Path("folder", "dotted.toml").write_text(DOTTED)
    assert run("solve", "--batch", "folder").err.endswith(why)


def test_of_very_many_problems_the_first_are_listed_and_the_rest_counted(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    head, row, rest = write_toml(MIDDLE).partition("row1 = [")
    tiles = ", ".join(f'"q{number}"' for number in range(20_000))
    Path("many.toml").write_text(f"{head}{row}{tiles}]\n# {rest}".replace("\nrow2", "\n# row2", 1))
    lines = run("check", "many.toml").err.splitlines()
    assert len(lines) == MOST_PROBLEMS + 1
    assert lines[-1].endswith("more problems are not listed") and int(lines[-1].split()[-6]) >= 19_900
    with pytest.raises(InputError) as caught:
        parse_tile_set("tiles = [" + "{}, " * 20_000 + "]", "many")
    assert len(caught.value.problems) == MOST_PROBLEMS + 1


# --- positions


def test_a_crowded_position_is_fine_and_advice_is_given() -> None:
    assert not check_position(CROWDED).problems
    advice = advise(CROWDED, simulations=300, threads=1, seed=1)
    assert advice.simulations == 300
    assert parse_move(format_move(CROWDED, advice.best.move), CROWDED) == advice.best.move


def test_lists_of_a_crowded_position_are_refused() -> None:
    for search in (False, True):
        with pytest.raises(InputError, match=FAR_MORE):
            legal_moves(CROWDED, search=search)
    for depth in (1, 2):
        with pytest.raises(InputError, match=FAR_MORE):
            perft(CROWDED, depth)
    with pytest.raises(InputError, match="moves to solve, found far more"):
        solve(CROWDED, seconds=1)
    with pytest.raises(InputError, match="legal moves to solve, found far more"):
        solve(CROWDED, seconds=1, every=True)
    move = advise(CROWDED, simulations=20, seed=1, threads=1).best.move
    with pytest.raises(InputError, match="legal moves to solve, found far more"):
        solve(CROWDED, seconds=1, draws_of=move)


def test_a_position_with_many_worshipers_and_few_moves_is_listed() -> None:
    """It passes through more realms than a list may have moves."""
    folder = Path(__file__).parent / "golden"
    odd = read_position((folder / "odd-2.toml").read_bytes(), "odd-2", folder)
    assert len(legal_moves(odd, search=True)) == count_moves(odd, search=True) < 10_000


def test_a_crowded_position_near_its_end_gets_advice_too() -> None:
    """There the solver is asked first; it must see soon that it has no chance."""
    late = play_on(MIDDLE, 13, seed=1)
    crowded = late._replace(centre=tuple(cell._replace(worshipers=FULL) for cell in late.centre))
    assert advise(crowded, simulations=100, threads=1, seed=1).simulations == 100


def test_a_crowded_game_is_reviewed() -> None:
    move = advise(CROWDED, simulations=20, seed=1, threads=1).best.move
    record = Record(CROWDED).play(move, None)
    assert len(review_game(record, simulations=20, seed=1).turns) == 1


COUNT = """
import sys
from orbis_search import count_moves, read_position
position = read_position(sys.argv[1])
print("begun", flush=True)
count_moves(position)
"""


def test_counting_moves_hears_ctrl_c() -> None:
    """By the processor's time: all of it takes ten seconds and more, an interrupt not one."""
    process = subprocess.Popen(
        [sys.executable, "-c", COUNT, write_oneline(CROWDED)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline() == "begun\n"
    wait_for_work(process, 0.8)
    process.send_signal(signal.SIGINT)
    assert process.stderr.read().endswith("KeyboardInterrupt\n")
    process.stdout.close()
    process.stderr.close()
    _pid, _status, used = os.wait4(process.pid, 0)
    process.returncode = 1
    assert used.ru_utime < 4


TOO_MANY = "move: expected few enough worshipers to try every way to pay and exchange, found too many"


def test_why_a_move_is_illegal_is_not_worked_out_at_any_cost() -> None:
    """The bound is the one that everybody has: 27 exchanges, which would leave one worshiper of 55."""
    with pytest.raises(InputError) as caught:
        parse_move("a1 keep w", CROWDED)
    assert str(caught.value) == TOO_MANY
    assert count_moves(MIDDLE) == 121, "what was left of the bound is gone"


# What takes most steps: colours of choice, and exchanges that nobody mentions.
LONG_QUESTIONS = ["god love", "god love discard r", "god love swap r3>b g3>b", "god love keep r", "god death keep -"]
LONG_QUESTIONS += [
    f"{cell} {rest}" for cell in ("a3", "b2", "c1") for rest in ("discard r", "wild discard w2", "keep -")
]


def refused(position: Position) -> list[str]:
    """The questions about moves, legal or not, that are given up."""
    found = []
    for question in LONG_QUESTIONS:
        try:
            parse_move(question, position)
        except InputError as error:
            found += [question] if str(error) == TOO_MANY else []
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("tiles", ["reconstruction", "random:3"])
def test_ordinary_games_stay_within_the_bound(players: int, tiles: str) -> None:
    for seed in range(10):
        position = play_on(games.start(seed, players, tiles), (1 + seed) * players, seed, style="sensible")
        assert refused(position) == [], write_oneline(position)


@pytest.mark.parametrize("realm", ["r5g2byw", "r2g2b2y2w2", "r6gbyw", "r3gb2yw"])
def test_love_stays_within_the_bound_with_any_realm(realm: str) -> None:
    """Five more in any colours, of which most are given back or exchanged: the longest question that a game can ask."""
    start = games.start(1, 2)
    mover = start.players[0]._replace(realm=parse_worshipers(realm))
    position = start.with_player(0, mover)._replace(gods=(God.FIRE, God.LOVE, God.DEATH))
    assert refused(position) == []


# --- the engine


def ask(*requests: dict[str, Any] | bytes, **options: Any) -> list[dict[str, Any]]:
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in requests]
    sink = BytesIO()
    assert Engine(BytesIO(b"\n".join(lines)), sink, workers=2, **options).run()
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def test_the_engine_answers_for_a_crowded_position() -> None:
    line = write_oneline(CROWDED)
    answers = ask(
        {"id": 1, "action": "moves", "position": line},
        {"id": 2, "action": "solve", "position": line, "seconds": 1},
        {"id": 3, "action": "solve", "position": line, "seconds": 1, "top": 5},
        {"id": 4, "action": "advise", "position": line, "simulations": 100, "why": None},
        {"id": 5, "action": "check", "position": line},
        {"id": 6, "action": "advise", "position": line, "seconds": 3600},
        {"id": 7, "action": "cancel", "target": 6},
    )
    by_id = {answer["id"]: answer for answer in answers}
    assert all("found far more" in by_id[number]["error"] for number in (1, 2, 3))
    assert by_id[4]["result"]["simulations"] == 100 and by_id[5]["result"]["problems"] == []
    assert by_id[6]["stopped"] == "cancelled"


def test_a_key_given_twice_is_found_in_one_pass() -> None:
    keys = ",".join(f'"k{number}":1' for number in range(80_000))
    with pytest.raises(InputError, match='expected each key once in an object, found "k79999" twice'):
        request_of(f'{{{keys},"k79999":2}}'.encode())


def test_unknown_fields_by_the_thousand_are_not_all_looked_up() -> None:
    fields = {f"field{number}": 1 for number in range(50_000)}
    (answer,) = ask({"id": 1, "action": "check", "position": write_oneline(MIDDLE)} | fields)
    assert len(answer["problems"]) == MOST_PROBLEMS


def test_what_waits_is_bounded_by_bytes_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "READ_AHEAD_BYTES", 50_000)
    padding = " " * 20_000
    line = {"action": "advise", "position": write_oneline(MIDDLE), "simulations": 50, "why": None}
    lines = [json.dumps({"id": number} | line) + padding + "\n" for number in range(12)]
    held = []

    class Source:
        """A line at a time, each noting how much waits when it is asked for."""

        def __init__(self) -> None:
            self.left = [each.encode() for each in lines]

        def read(self, _size: int) -> bytes:
            held.append(engine.held)
            return self.left.pop(0) if self.left else b""

    sink = BytesIO()
    engine = Engine(Source(), sink, workers=1)  # type: ignore[arg-type]
    assert engine.run()
    assert len(sink.getvalue().splitlines()) == 12 and engine.held == 0
    assert 20_000 < max(held) < 50_000


def test_the_moves_of_a_search_do_not_hold_up_others() -> None:
    moves = [format_move(MIDDLE, move) for move in legal_moves(MIDDLE)] * 40
    answers = ask(
        {"id": "long", "action": "solve", "position": write_oneline(MIDDLE), "moves": moves, "nodes": 100},
        {"id": "short", "action": "check", "position": write_oneline(MIDDLE)},
    )
    assert [answer["id"] for answer in answers] == ["short", "long"]


def test_a_cancel_ends_the_reading_of_moves() -> None:
    moves = [format_move(MIDDLE, move) for move in legal_moves(MIDDLE)] * 80
    answers = ask(
        {"id": "long", "action": "solve", "position": write_oneline(MIDDLE), "moves": moves[:9000], "nodes": 100},
        {"id": "stop", "action": "cancel", "all": True},
    )
    (long,) = [answer for answer in answers if answer["id"] == "long"]
    assert (long["stopped"], long["result"]) == ("cancelled", None)


# --- answers


@pytest.mark.parametrize("answer", ["red volcano", "w3a", "blue", "g3b | r"])
def test_a_tile_that_contradicts_what_was_entered_is_not_taken_for_it(answer: str) -> None:
    """It was: without the worshipers behind the bar, and without a word."""
    from orbis_search.entry.position_dialog import Editor

    editor = Editor()
    for line in ("2", "reconstruction", "green forest 3 | yyw"):
        editor.answer(line)
    assert "Which is" in editor.question().text
    reply = editor.answer(answer)
    assert "expected a number from 1 to 2, words that fit one of these tiles" in reply.problems[0].message
    assert "Which is" in editor.question().text
    editor.answer("2")
    cell = editor.sheet.cells[0]
    assert (cell.tile.id, str(cell.worshipers)) == ("g3b", "y2w")
