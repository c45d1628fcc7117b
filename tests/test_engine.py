"""`orbis engine`: every action, every error, reports, cancels, priorities, and how a session ends."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from fractions import Fraction
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from json_schema import engine_tables, strict
from jsonschema import Draft202012Validator

import games
from orbis_search import advise, count_moves, json_schema, legal_moves, load_tile_set, new_game, write_oneline
from orbis_search.advice.json import advice_to_json
from orbis_search.base.errors import InputError
from orbis_search.base.options import Unfit
from orbis_search.cli.main import main
from orbis_search.engine.actions import ACTIONS, MOST_KEPT
from orbis_search.engine.requests import COMMON
from orbis_search.engine.server import CONTROLS, MAX_LINE, PROTOCOL, Engine, lines_of
from orbis_search.game.vocabulary import CELLS
from orbis_search.notation import format_move, move_to_json, position_to_json, read_position, write_toml
from orbis_search.notation.examples import example_text
from orbis_search.record.json import record_to_json
from orbis_search.record.text import write_record
from orbis_search.solver.endgame import solve
from orbis_search.solver.json import solution_to_json

TESTS = Path(__file__).parent
GOLDEN = TESTS / "golden"
PROGRAM = [sys.executable, "-m", "orbis_search.cli.main", "engine"]
POSITION = read_position((GOLDEN / "middle-2.toml").read_bytes(), "middle", GOLDEN)
LINE = write_oneline(POSITION).strip()
SEARCHED = legal_moves(POSITION, search=True)
ENDING = read_position(example_text("ending"))
ENDING_LINE = write_oneline(ENDING).strip()
START = write_oneline(new_game(load_tile_set(), 2, Random(1))).strip()
LONG_ENDING = (files("orbis_search") / "data" / "endgames" / "turns-8.txt").read_text().splitlines()[-1]
QUICK = {"simulations": 200, "why": None, "memory": 4 << 20}
FOREVER = {"seconds": 3600, "memory": 4 << 20}

VALIDATOR = Draft202012Validator(strict(json_schema()))

Answer = dict[str, Any]


@pytest.fixture(autouse=True)
def in_golden(monkeypatch: pytest.MonkeyPatch) -> None:
    """The positions name their tile set by a path."""
    monkeypatch.chdir(GOLDEN)


def line_of(request: Answer | bytes) -> bytes:
    return (request if isinstance(request, bytes) else json.dumps(request).encode()) + b"\n"


def expect_valid(value: Answer) -> None:
    """A request or an answer, by the schema."""
    assert [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(value)] == []


def ask(*requests: Answer | bytes, **options: Any) -> list[Answer]:
    """All answers to a whole session's input. They are what the schema says, and so is each request that has a result."""
    sink = BytesIO()
    assert Engine(BytesIO(b"".join(map(line_of, requests))), sink, workers=2, **options).run()
    answers = [json.loads(line) for line in sink.getvalue().splitlines()]
    understood = [answer["id"] for answer in answers if "result" in answer]
    for each in (*answers, *requests):
        if isinstance(each, dict) and (each in answers or each.get("id") in understood):
            expect_valid(each)
    return answers


def one(request: Answer | bytes, **options: Any) -> Answer:
    answers = ask(request, **options)
    assert len(answers) == 1 and answers[0]["final"] is True
    return answers[0]


def result(action: str, **fields: Any) -> Any:
    answer = one({"id": "x", "action": action, "position": LINE, **fields})
    assert answer.keys() == {"id", "action", "final", "result"}, answer
    assert (answer["id"], answer["action"]) == ("x", action)
    return answer["result"]


def error(action: str, **fields: Any) -> Answer:
    answer = one({"id": "x", "action": action, **fields})
    assert answer["id"] == "x" and "result" not in answer
    assert {key: answer[key] for key in ("error", "field", "place")} == answer["problems"][0]
    return answer


class Session:
    """A running engine, asked and listened to step by step."""

    def __init__(self, *arguments: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([*PROGRAM, *arguments], stdin=pipe, stdout=pipe, stderr=pipe)
        self.answers: queue.Queue[Answer | None] = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.answers.put(json.loads(line))
        self.answers.put(None)

    def send(self, *requests: Answer | bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(map(line_of, requests)))
        self.process.stdin.flush()

    def next(self) -> Answer | None:
        answer = self.answers.get(timeout=300)
        if answer is not None:
            expect_valid(answer)
        return answer

    def rest(self) -> list[Answer]:
        return [answer for answer in iter(self.next, None) if answer is not None]

    def close(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(300)

    def until_running(self, number: int = 1) -> None:
        """Asks until so many requests run; what else is answered meanwhile is lost."""
        for count in range(3000):
            self.send({"id": f"ping {count}", "action": "ping"})
            while (answer := self.next()) is not None and answer["id"] != f"ping {count}":
                pass
            assert answer is not None
            if answer["result"]["running"] >= number:
                return
            time.sleep(0.05)
        raise AssertionError("nothing runs after minutes")


@pytest.fixture
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    session = Session(*getattr(request, "param", ("--workers", "1")))
    yield session
    session.process.kill()
    session.process.wait()


# --- the actions


def test_advise_answers_as_the_command_does() -> None:
    found = result("advise", **QUICK, seed=5, top=3)
    expected = advice_to_json(advise(POSITION, simulations=200, seed=5, why=None), 3)
    assert found | {"seconds": 0} == json.loads(json.dumps(expected)) | {"seconds": 0}


def test_advise_takes_every_limit_and_move() -> None:
    text, data = format_move(POSITION, SEARCHED[0]), move_to_json(POSITION, SEARCHED[-1])
    limits = {"simulations": 300, "seconds": 60, "confidence": 0.99, "threads": 2}
    found = result("advise", **limits, keep=[text], why=[data, text], top=1)
    assert found["threads"] == 2 and found["simulations"] >= 300
    assert (found["why"]["first"]["move"], found["why"]["second"]["move"]) == (data["text"], text)
    listed = [each for row in found["ideas"] for each in (row["best"], *row["variants"])]
    assert {each["move"]["text"] for each in listed if each["kept"]} == {data["text"], text}


def test_advise_proves_unless_told_otherwise() -> None:
    proved, sampled = (
        result("advise", position=ENDING_LINE, simulations=3000, why=None, top=1, **fields)
        for fields in ({}, {"prove": False})
    )
    assert proved["ideas"][0]["best"]["proved"] is True and sampled["ideas"][0]["best"]["proved"] is False


def timeless(solution: Answer) -> Answer:
    return json.loads(json.dumps(solution | {"seconds": 0}))


def test_solve_answers_as_the_command_does(capsys: pytest.CaptureFixture[str]) -> None:
    move = legal_moves(ENDING)[-1]
    assert main(["solve", ENDING_LINE, "--json", "--threads", "1", "--move", format_move(ENDING, move)]) == 0
    expected = json.loads(capsys.readouterr().out)
    found = result("solve", position=ENDING_LINE, draws_of=move_to_json(ENDING, move))
    assert timeless(found) == timeless(expected)
    assert found["finished"] is True and found["draws"]


def test_solve_takes_every_field() -> None:
    some = legal_moves(ENDING)[::7]
    texts = [format_move(ENDING, move) for move in some]
    settings: Answer = {"objective": "margin", "goal": "best", "nodes": 50}
    found = result("solve", position=ENDING_LINE, moves=texts, top=2, memory=1 << 20, **settings)
    expected = solution_to_json(solve(ENDING, moves=some, memory=1 << 20, **settings), 2)
    assert timeless(found) == timeless(expected)
    assert (found["count"], len(found["moves"]), found["stopped"]) == (len(some), 2, "nodes")
    found = result("solve", position=ENDING_LINE, every=True, threads=2, goal="best", seconds=0.001, top=1)
    assert found["count"] == count_moves(ENDING) and found["threads"] == 2


@pytest.mark.parametrize("position", [LINE, write_toml(POSITION), position_to_json(POSITION)], ids=type)
def test_positions_come_in_every_form(position: str | Answer) -> None:
    assert one({"id": 1, "action": "show", "position": position})["result"] == position_to_json(POSITION)


def test_a_game_stands_for_its_latest_position_or_the_one_before_a_turn() -> None:
    record = games.game(5).before(28)
    text, document = write_record(record), record_to_json(record)
    assert result("show", position=text, form="oneline") == write_oneline(record.position()).strip()
    before = write_oneline(record.position(26)).strip()
    assert result("show", position=document, turn=26, form="oneline") == before
    told = error("show", position=text, turn=29)
    assert (told["field"], told["error"]) == ("turn", "expected a turn from 1 to 28, found 29")
    assert error("show", position=before, turn=26)["field"] == "turn"


def test_show_writes_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert result("show", form="oneline") == LINE
    assert read_position(result("show", form="toml"), base_dir=GOLDEN) == POSITION
    assert main(["show", LINE]) == 0
    assert result("show", form="text") == capsys.readouterr().out


@pytest.mark.parametrize("fields, options", [({}, []), ({"kind": "all", "limit": 2}, ["--all", "--limit", "2"])])
def test_moves_answers_as_the_command_does(
    fields: Answer, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["moves", LINE, "--json", *options]) == 0
    assert result("moves", **fields) == json.loads(capsys.readouterr().out)


def test_apply_answers_as_the_command_does(capsys: pytest.CaptureFixture[str]) -> None:
    region = next(move for move in SEARCHED if move.cell is not None)
    text = format_move(POSITION, region)
    assert main(["apply", LINE, text, "--seed", "3", "--json"]) == 0
    expected = json.loads(capsys.readouterr().out)
    assert result("apply", move=text, seed=3) == expected
    assert result("apply", move=move_to_json(POSITION, region), seed=3) == expected
    assert region.cell is not None
    came = expected["centre"][CELLS[region.cell]]["tile"]
    assert result("apply", move=text, draw=came) == expected
    assert result("apply", move=text, draw=came, form="oneline").startswith("o1:2:")


def test_check_tells_problems_as_its_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", LINE, "--json"]) == 0
    assert result("check") == json.loads(capsys.readouterr().out)
    bad = result("check", position="o1:2:reconstruction:-:-:-:-")
    assert bad["ok"] is False and len(bad["problems"]) > 1


def test_a_tile_set_can_stand_in_for_the_one_named() -> None:
    named = LINE.replace("tiles.toml", "nowhere.toml")
    assert one({"id": 1, "action": "check", "position": named})["result"]["ok"] is False
    assert one({"id": 1, "action": "check", "position": named, "tiles": "tiles.toml"})["result"]["ok"] is True


def test_version_and_ping() -> None:
    told = one({"id": 1, "action": "version"})["result"]
    assert told["protocol"] == PROTOCOL and told["workers"] == 2
    assert told["actions"] == [*ACTIONS, *CONTROLS]
    assert one({"id": 1, "action": "ping"}) == {
        "id": 1,
        "action": "ping",
        "final": True,
        "result": {"waiting": 0, "running": 0},
    }


# --- errors


@pytest.mark.parametrize(
    "line, message",
    [
        (b"{", "expected a request in JSON, found a syntax error"),
        (b"[1]", "expected a JSON object, found a list"),
        (b"null", "expected a JSON object, found nothing"),
        (b"[" * 100_000, "expected a request in JSON, found it nested too deeply"),
        (b'{"id": "\xff"}', "expected a line in UTF-8, found byte 0xff at 9"),
        (b"x" * (MAX_LINE + 1), f"expected a line of at most {MAX_LINE} bytes, found more"),
        (b'{"id": 1, "a": {"b": 1, "b": 2}}', 'expected each key once in an object, found "b" twice'),
        (b'{"id": ' + b"9" * 5000 + b"}", "expected a request in JSON, found a syntax error"),
        (b'{"action": "ping"}', "expected text of 1 to 200 characters or an integer, found nothing"),
        (b'{"id": true, "action": "ping"}', "expected text of 1 to 200 characters or an integer, found true"),
        (b'{"id": "", "action": "ping"}', "expected text of 1 to 200 characters or an integer"),
        (b'{"id": 1.5, "action": "ping"}', "expected text of 1 to 200 characters or an integer, found 1.5"),
    ],
)
def test_a_line_that_is_no_request_is_told_by_its_number(line: bytes, message: str) -> None:
    before, wrong, after = ask({"id": "before", "action": "ping"}, line, {"id": "after", "action": "ping"})
    assert (before["id"], after["id"]) == ("before", "after")
    assert (wrong["id"], wrong["line"], wrong["final"]) == (None, 2, True)
    assert wrong["error"].startswith(message)


def test_blank_lines_and_ends_of_any_kind_are_fine() -> None:
    given = b'\xef\xbb\xbf{"id": 1, "action": "ping"}\r\n\n  \r\n{"id": 2, "action": "ping"}'
    sink = BytesIO()
    assert Engine(BytesIO(given), sink).run()
    assert [json.loads(line)["id"] for line in sink.getvalue().splitlines()] == [1, 2]


def test_lines_are_found_however_they_come() -> None:
    class Trickle(BytesIO):
        def read1(self, _: int | None = -1) -> bytes:
            return super().read1(3)

    whole = b"ab\n\ncdefg\n" + b"x" * 20 + b"\nlast"
    assert list(lines_of(Trickle(whole))) == list(lines_of(BytesIO(whole))) == whole.split(b"\n")
    long = b"x" * (MAX_LINE + 1)
    assert list(lines_of(BytesIO(b"a\n" + long + b"\nb\n" + long))) == [b"a", None, b"b", None]
    assert list(lines_of(BytesIO(long[1:] + b"\n"))) == [long[1:]]


def test_texts_that_have_no_utf_8_come_back() -> None:
    assert one(b'{"id": "\\ud800 \\u00e9", "action": "ping"}')["id"] == "\ud800 é"


@pytest.mark.parametrize(
    "action, fields, field, message",
    [
        ("sing", {}, "action", f'expected an action ({", ".join([*ACTIONS, *CONTROLS])}), found "sing"'),
        (["advise"], {}, "action", "expected an action"),
        ("show", {}, "position", "expected a position or a game, as text or as an object, found nothing"),
        ("show", {"position": 3}, "position", "expected a position or a game, as text or as an object, found 3"),
        ("show", {"position": LINE, "from": 1}, "from", "expected only the fields of this action"),
        ("show", {"position": LINE, "form": "xml"}, "form", "expected one of json, oneline, toml, text"),
        ("show", {"position": LINE, "priority": 1.5}, "priority", "expected an integer"),
        ("show", {"position": LINE, "tiles": 3}, "tiles", "expected the name or path of a tile set or null"),
        ("advise", {"position": LINE, "simulations": 0}, "simulations", "expected an integer from 1"),
        ("advise", {"position": LINE, "simulations": True}, "simulations", "expected an integer from 1"),
        ("advise", {"position": LINE, "seconds": float("nan")}, "seconds", "expected seconds from 0.001"),
        ("advise", {"position": LINE, "seconds": 10**400}, "seconds", "expected seconds from 0.001"),
        ("advise", {"position": LINE, "confidence": 1}, "confidence", "expected a number from 0.5 to 0.9999 or null"),
        ("advise", {"position": LINE, "report_every": 0}, "report_every", "expected at least 0.2 seconds or null"),
        ("advise", {"position": LINE, "memory": 1000}, "memory", "expected 1048576 to 268435456 bytes, found 1000"),
        ("advise", {"position": LINE, "memory": 4 << 20, "threads": 8}, "memory", "expected 8388608 to"),
        ("advise", {"position": LINE, "memory": 1 << 30}, "memory", "expected 1048576 to 268435456 bytes"),
        ("advise", {"position": LINE, "keep": ["a1"] * (MOST_KEPT + 1)}, "keep", "expected a list of at most 32 moves"),
        ("advise", {"position": LINE, "keep": [3]}, "keep", "expected a move, as text or as an object"),
        ("advise", {"position": LINE, "keep": ["god love", "zz"]}, "keep[2]", "expected"),
        ("advise", {"position": LINE, "why": ["zz"]}, "why[1]", "expected"),
        ("advise", {"position": LINE, "prove": 1}, "prove", "expected true or false, found 1"),
        ("solve", {"position": START}, "position", "expected"),
        ("solve", {"position": ENDING_LINE, "objective": "draw"}, "objective", "expected one of win, margin"),
        ("solve", {"position": ENDING_LINE, "goal": None}, "goal", "expected one of best, all"),
        ("solve", {"position": ENDING_LINE, "moves": []}, "moves", "expected at least one move, found none"),
        ("solve", {"position": ENDING_LINE, "moves": ["zz"]}, "moves[1]", "expected"),
        ("solve", {"position": ENDING_LINE, "draws_of": "zz"}, "draws_of", "expected"),
        ("solve", {"position": ENDING_LINE, "moves": ["c3 y3c wild 4.1"], "every": True}, "every", "expected moves or"),
        ("solve", {"position": ENDING_LINE, "nodes": 0}, "nodes", "expected an integer from 1"),
        ("solve", {"position": ENDING_LINE, "memory": 1000}, "memory", "expected 1048576 to 268435456 bytes"),
        ("solve", {"position": ENDING_LINE, "simulations": 9}, "simulations", "expected only the fields of this"),
        ("apply", {"position": LINE}, "move", "expected a move, as text or as an object, found nothing"),
        ("apply", {"position": LINE, "move": {"god": "nobody"}}, "move", "expected one of"),
        ("apply", {"position": LINE, "move": "MOVE", "draw": "r1a", "seed": 1}, "draw", "expected draw or seed"),
        ("apply", {"position": LINE, "move": "MOVE"}, "draw", "expected draw TILE or seed N, as a tile is drawn for"),
        ("apply", {"position": LINE, "move": "MOVE", "draw": "zz"}, "draw", "unknown tile: expected"),
        ("cancel", {}, "target", 'expected the id of a request, or "all": true, found neither'),
        ("cancel", {"target": 1, "all": True}, "target", 'expected the id of a request, or "all": true, found both'),
        ("cancel", {"target": [1]}, "target", "expected text of 1 to 200 characters or an integer or null"),
        ("cancel", {"target": 1, "discard": 1}, "discard", "expected true or false"),
        ("ping", {"position": LINE}, "position", "expected only the fields of this action"),
    ],
)
def test_an_error_names_its_field(action: Any, fields: Answer, field: str, message: str) -> None:
    if fields.get("move") == "MOVE":
        region = next(move for move in SEARCHED if move.cell is not None)
        fields = fields | {"move": format_move(POSITION, region)}
    found = error(action, **fields)
    named = [problem for problem in found["problems"] if problem["field"] == field]
    assert named and named[0]["error"].startswith(message), found


def test_all_problems_are_told_at_once() -> None:
    wrong = {"seed": -1, "threads": "two", "simulation": 3, "priority": "high"}
    found = error("advise", position="o1:2:reconstruction:-:-:-:-", **wrong)
    fields = [problem["field"] for problem in found["problems"]]
    assert fields[:4] == ["priority", "threads", "seed", "simulation"]
    assert fields[4:] == ["position"] * (len(fields) - 4) and len(fields) > 6
    assert found["problems"][4]["place"] is not None
    assert found["problems"][3]["error"].endswith("(nearest: simulations, position, action)")


def test_a_game_that_is_over_is_told(tmp_path: Path) -> None:
    assert main(["new", "--turns", "30", "--seed", "1", "--oneline", "-o", str(tmp_path / "over")]) == 0
    over = (tmp_path / "over").read_text().strip()
    assert error("advise", position=over, **QUICK)["field"] == "position"
    assert error("solve", position=over)["field"] == "position"
    assert error("apply", position=over, move="a1")["field"] == "move"
    assert one({"id": 1, "action": "moves", "position": over})["result"]["count"] == 0


def test_more_moves_than_anybody_reads_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("orbis_search.engine.actions.MOST_MOVES", 3)
    assert error("moves", position=LINE)["error"] == f"expected at most 3 moves to list, found {len(SEARCHED)}"
    assert error("solve", position=ENDING_LINE)["field"] == "top"
    assert len(result("solve", position=ENDING_LINE, nodes=1, top=2)["moves"]) == 2


def test_a_fault_of_ours_is_an_error_and_not_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setitem(ACTIONS, "show", ACTIONS["show"]._replace(answer=broken))
    show = {"action": "show", "position": LINE}
    answers = ask({"id": 1, **show}, {"id": 2, "action": "check", "position": LINE})
    assert answers[0]["error"] == "expected an answer, found a bug in the program: ZeroDivisionError: on purpose"
    assert answers[1]["result"]["ok"] is True
    assert "ZeroDivisionError: on purpose" in capsys.readouterr().err


def test_no_memory_is_an_error_and_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(_: object) -> None:
        raise MemoryError

    monkeypatch.setitem(ACTIONS, "advise", ACTIONS["advise"]._replace(answer=greedy))
    assert error("advise", position=LINE)["field"] == "memory"


# --- many at once


def test_many_requests_are_all_answered_before_the_end() -> None:
    asked = [{"id": number, "action": "advise", "position": LINE, **QUICK} for number in range(40)]
    answers = ask(*asked, read_ahead=7)
    assert sorted(answer["id"] for answer in answers) == list(range(40))
    first = answers[0]["result"]["ideas"]
    assert all(answer["result"]["ideas"] == first for answer in answers)


def test_an_id_in_use_is_refused_and_the_first_goes_on(session: Session) -> None:
    session.send({"id": "a", "action": "advise", "position": LINE, **FOREVER})
    session.until_running()
    session.send({"id": "a", "action": "ping"}, {"id": 1, "action": "ping"}, {"id": "1", "action": "ping"})
    refused = session.next()
    assert refused is not None and refused["id"] is None and refused["field"] == "id"
    assert refused["error"] == 'expected an id that is not in use, found "a"'
    assert [(session.next() or {})["id"] for _ in range(2)] == [1, "1"]
    session.send({"id": "c", "action": "cancel", "target": "a"})
    assert {(session.next() or {})["id"] for _ in range(2)} == {"a", "c"}
    # Answered, so it is free again.
    session.send({"id": "a", "action": "ping"})
    assert (session.next() or {})["result"] == {"waiting": 0, "running": 0}
    assert session.close() == 0


def test_the_highest_priority_comes_first(session: Session) -> None:
    session.send({"id": "first", "action": "advise", "position": LINE, **FOREVER})
    session.until_running()
    priorities = [0, -5, 7, 0, 7, None]
    for count, priority in enumerate(priorities):
        more = {} if priority is None else {"priority": priority}
        session.send({"id": count, "action": "advise", "position": LINE, **QUICK, **more})
    # Quick answers do not wait for searches, and tell that all of these are in the queue.
    session.send({"id": "show", "action": "show", "position": LINE, "priority": -9})
    assert (session.next() or {})["id"] == "show"
    session.send({"id": "go", "action": "cancel", "target": "first"})
    session.process.stdin.close()  # type: ignore[union-attr]
    order = [answer["id"] for answer in session.rest() if answer["id"] not in ("go", "first")]
    assert order == [2, 4, 0, 3, 5, 1]
    assert session.process.wait(300) == 0


def test_interim_reports_come_before_the_answer(session: Session) -> None:
    session.send({"id": 1, "action": "advise", "position": LINE, **FOREVER, "report_every": 0.2, "top": 2})
    reports = [session.next() or {} for _ in range(3)]
    assert all(report["final"] is False and "stopped" not in report for report in reports)
    assert all(report["result"]["stopped"] == "running" for report in reports)
    assert all(len(report["result"]["ideas"]) == 2 for report in reports)
    spent = [report["result"]["simulations"] for report in reports]
    assert spent == sorted(set(spent))
    session.send({"id": 2, "action": "cancel", "target": 1})
    assert session.close() == 0
    answers = [answer for answer in session.rest() if answer["id"] == 1]
    assert [answer["final"] for answer in answers] == [False] * (len(answers) - 1) + [True]


def test_a_solver_reports_and_is_cancelled(session: Session) -> None:
    request = {"position": LONG_ENDING, "seconds": 3600, "memory": 4 << 20, "report_every": 0.2, "top": 2}
    session.send({"id": 1, "action": "solve", **request}, {"id": 2, "action": "solve", **request})
    reports = [session.next() or {} for _ in range(2)]
    assert all((report["id"], report["final"]) == (1, False) and "stopped" not in report for report in reports)
    found = [report["result"] for report in reports]
    assert all(each["format"] == "orbis-solution" and each["stopped"] == "running" for each in found)
    assert all(len(each["moves"]) == 2 and not each["finished"] and not each["line"] for each in found)
    assert found[0]["nodes"] < found[1]["nodes"]
    session.send({"id": 3, "action": "cancel", "all": True})
    assert session.close() == 0
    answers = session.rest()
    runs, waits = ([answer for answer in answers if answer["id"] == id] for id in (1, 2))
    assert [answer["final"] for answer in runs] == [False] * (len(runs) - 1) + [True]
    assert runs[-1]["stopped"] == "cancelled" and runs[-1]["result"]["stopped"] == "interrupted"
    low, high = (Fraction(runs[-1]["result"]["moves"][0][key]) for key in ("low", "high"))
    assert 0 <= low <= high <= 1
    assert [(answer["stopped"], answer["result"]) for answer in waits] == [("cancelled", None)]


def test_what_runs_and_what_waits_can_be_cancelled(session: Session) -> None:
    for id in ("runs", "waits", "stays"):
        session.send({"id": id, "action": "advise", "position": LINE, **(QUICK if id == "stays" else FOREVER)})
    session.until_running()
    session.send({"id": "c1", "action": "cancel", "target": "waits"})
    answers = {(answer := session.next() or {})["id"]: answer for _ in range(2)}
    assert answers["c1"]["result"] == {"cancelled": ["waits"]}
    assert answers["waits"] == {
        "id": "waits",
        "action": "advise",
        "final": True,
        "stopped": "cancelled",
        "result": None,
    }
    session.send({"id": "c2", "action": "cancel", "target": "runs"})
    session.send({"id": "c3", "action": "cancel", "target": "nobody"})
    answers = {(answer := session.next() or {})["id"]: answer for _ in range(4)}
    assert answers["c3"]["result"] == {"cancelled": []}
    assert answers["runs"]["stopped"] == "cancelled"
    assert answers["runs"]["result"]["stopped"] == "interrupted" and answers["runs"]["result"]["ideas"]
    assert "stopped" not in answers["stays"]
    assert session.close() == 0


def test_what_nobody_wants_ends_without_a_word(session: Session) -> None:
    long = {"position": LONG_ENDING, "seconds": 3600, "memory": 4 << 20}
    for action, more in (("advise", {"position": LINE, **FOREVER}), ("advise", long), ("solve", long)):
        session.send({"id": "runs", "action": action, **more})
        session.until_running()
        session.send({"id": "c", "action": "cancel", "target": "runs", "discard": True})
        answers = {(answer := session.next() or {})["id"]: answer for _ in range(2)}
        assert answers["c"]["result"] == {"cancelled": ["runs"]}
        expected = {"id": "runs", "action": action, "final": True, "stopped": "cancelled", "result": None}
        assert answers["runs"] == expected
    assert session.close() == 0


def test_all_can_be_cancelled(session: Session) -> None:
    for id in range(20):
        session.send({"id": id, "action": "advise", "position": LINE, **FOREVER, "threads": 1 + id % 2})
    session.until_running()
    session.send({"id": "all", "action": "cancel", "all": True})
    assert session.close() == 0
    answers = {answer["id"]: answer for answer in session.rest()}
    assert set(answers["all"]["result"]["cancelled"]) == set(range(20))
    assert all(answers[id]["stopped"] == "cancelled" for id in range(20))


def test_cancelled_requests_leave_nothing_behind() -> None:
    """A client that asks and cancels for ever must not fill the queue with what nobody wants."""
    sink = BytesIO()
    requests: list[Answer] = [{"id": "long", "action": "advise", "position": LINE, **FOREVER}]
    for count in range(500):
        requests.append({"id": count, "action": "advise", "position": LINE, **FOREVER})
        requests.append({"id": f"c{count}", "action": "cancel", "target": count})
    requests.append({"id": "end", "action": "cancel", "target": "long"})
    engine = Engine(BytesIO(b"".join(map(line_of, requests))), sink, workers=1)
    longest = 0
    close = engine._close

    def closing(job: Any) -> None:
        nonlocal longest
        close(job)
        longest = max(longest, len(engine.desk.heap), len(engine.searches.heap))

    engine._close = closing  # type: ignore[method-assign]
    assert engine.run()
    finals = [json.loads(line)["id"] for line in sink.getvalue().splitlines()]
    assert len(finals) == len(set(finals)) == 1002
    assert longest < 100


# --- the end of a session


def test_the_end_of_input_waits_for_what_runs() -> None:
    done = subprocess.run(
        PROGRAM, input=line_of({"id": 1, "action": "advise", "position": LINE, "seconds": 1}), capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["result"]["stopped"] == "time"


def test_nothing_asked_is_nothing_answered() -> None:
    done = subprocess.run(PROGRAM, stdin=subprocess.DEVNULL, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_an_interrupt_answers_with_what_is_known(session: Session) -> None:
    for id in ("runs", "waits"):
        session.send({"id": id, "action": "advise", "position": LINE, **FOREVER})
    session.until_running()
    session.process.send_signal(signal.SIGINT)  # the input stays open
    answers = {answer["id"]: answer for answer in session.rest()}
    assert session.process.wait(300) == 130
    assert answers.keys() == {"runs", "waits"}
    assert answers["runs"]["stopped"] == answers["waits"]["stopped"] == "interrupted"
    assert answers["runs"]["result"]["stopped"] == "interrupted" and answers["runs"]["result"]["ideas"]
    assert answers["waits"]["result"] is None
    assert session.process.stderr is not None and session.process.stderr.read() == b""


def test_an_interrupt_ends_an_engine_that_waits_for_input(session: Session) -> None:
    session.send({"id": 1, "action": "ping"})
    assert session.next() is not None
    session.process.send_signal(signal.SIGINT)
    assert session.process.wait(300) == 130


def test_nobody_listening_ends_it_though_the_input_stays_open() -> None:
    pipe = subprocess.PIPE
    process = subprocess.Popen(PROGRAM, stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdin.write(line_of({"id": 1, "action": "ping"}))
    process.stdin.flush()
    assert process.stdout.readline()
    process.stdout.close()
    process.stdin.write(line_of({"id": 2, "action": "advise", "position": LINE, **FOREVER}))
    process.stdin.write(line_of({"id": 3, "action": "ping"}))
    process.stdin.flush()
    assert process.wait(300) == 0
    assert process.stderr.read() == b""
    process.stderr.close()
    process.stdin.close()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(PROGRAM, input=line_of({"id": 1, "action": "ping"}), stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.startswith(b"orbis: standard output: ") and done.stderr.count(b"\n") == 1


def test_an_input_that_breaks_off_is_told_when_all_before_is_answered() -> None:
    class Broken(BytesIO):
        def read1(self, _: int | None = -1) -> bytes:
            if self.tell():
                raise OSError(5, "Input/output error")
            return self.read()

    sink = BytesIO()
    request = {"id": 1, "action": "advise", "position": LINE, **QUICK}
    with pytest.raises(InputError, match="standard input: expected lines of JSON, found: Input/output error"):
        Engine(Broken(line_of(request)), sink).run()
    assert json.loads(sink.getvalue())["id"] == 1


# --- load


def test_two_clients_of_traffic_and_steady_memory() -> None:
    """The same in full: python benchmarks/engine_load.py."""
    script = TESTS.parent / "benchmarks" / "engine_load.py"
    command = [sys.executable, str(script), "--requests", "600", "--seed", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=TESTS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "every request answered once" in done.stdout
    memory = [int(word) for word in done.stdout.split("resident MB:")[1].splitlines()[0].split()]
    assert max(memory[3:]) < memory[2] + 60


# --- the documents


FIELDS = {name: COMMON | dict(action.fields) for name, action in ACTIONS.items()}
FIELDS |= {name: dict(own) for name, (_, own) in CONTROLS.items()}
# What a field may be given: of every kind, at the ends of every range and beyond.
PROBES: list[Any] = [None, True, False, "", "x", "x" * 200, "x" * 201, [], {}, ["x"], [1], ["x"] * 3, [{}] * 33]
PROBES += [
    *["en", "de", "win", "margin", "best", "all", "search", "json", "text"],
    0.0001,
    0.001,
    0.2,
    0.5,
    0.75,
    0.9999,
    1.5,
    1e7 - 0.5,
    1e7 + 0.5,
]
ENDS = (0, 1, 256, 10**9, 10**15, 1 << 40, (1 << 63) - 1, 10**30)
PROBES += [sign * (number + more) for sign in (1, -1) for number in ENDS for more in (0, 1)]


def test_every_field_is_described() -> None:
    tables = engine_tables()
    assert tables.actions.keys() == FIELDS.keys()
    for action, fields in FIELDS.items():
        assert tables.fields(action).keys() == fields.keys(), action


@pytest.mark.parametrize("action", FIELDS)
def test_the_schema_allows_what_the_engine_does(action: str) -> None:
    """Value by value; and it has the same defaults."""
    schema = json_schema()
    for name, field in FIELDS[action].items():
        described = schema["$defs"][f"engine-{action}"]["properties"][name]
        if name == "action":
            continue
        validator = Draft202012Validator({"$defs": schema["$defs"], **described})
        for value in PROBES:
            try:
                field.read(value)
                allowed = True
            except Unfit:
                allowed = False
            assert validator.is_valid(value) is allowed, (name, value)
        if "default" in described:
            default = list(field.default) if isinstance(field.default, tuple) else field.default
            assert described["default"] == default, name


@pytest.mark.parametrize(
    "request_, place",
    [
        ({"action": "ping"}, "$"),
        ({"id": 1, "action": "ponder"}, "$.action"),
        ({"id": 1, "action": "ping", "position": "x"}, "$"),
        ({"id": 1, "action": "advise", "second": 3, "position": "x"}, "$"),
        ({"id": 1, "action": "advise"}, "$"),
        ({"id": 1, "action": "advise", "position": "x", "threads": 0}, "$.threads"),
        ({"id": 1, "action": "solve", "position": "x", "goal": "some"}, "$.goal"),
    ],
)
def test_the_schema_refuses_a_wrong_request(request_: Answer, place: str) -> None:
    assert {error.json_path for error in VALIDATOR.iter_errors(request_)} == {place}
    assert "error" in one(request_)


@pytest.mark.parametrize(
    "changes",
    [
        {"result": {"waiting": 0}},
        {"result": "many"},
        {"error": "expected", "field": None, "place": None, "problems": []},
        {"id": None},
        {"more": 1},
    ],
)
def test_the_schema_refuses_a_wrong_answer(changes: Answer) -> None:
    answer = one({"id": 1, "action": "ping"})
    assert VALIDATOR.is_valid(answer) and not VALIDATOR.is_valid(answer | changes)
