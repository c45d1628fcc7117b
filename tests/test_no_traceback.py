"""Never a traceback: whatever is read, wherever it is printed, whatever the machine lacks, one sentence says so.

Exit code 2 for what was asked, 1 for what the machine lacks. tests/test_reader_fuzz.py looks for more of the kind.
"""

from __future__ import annotations

import errno
import io
import json
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from strange_inputs import json_of, nested

import games
import orbis_search as orbis
from orbis_search.base.errors import InputError
from orbis_search.base.jobs import do_jobs
from orbis_search.base.json import json_text
from orbis_search.base.machine import MachineError, out_of_memory
from orbis_search.base.options import counted, duration, expect, size
from orbis_search.base.quoting import place_of, safe, unsafe_character
from orbis_search.drawing.canvas import fit
from orbis_search.engine.server import Engine
from orbis_search.entry.move_dialog import MoveEntry
from orbis_search.entry.names import names_of
from orbis_search.record.file import record_from_bytes
from orbis_search.record.game import MAX_NESTING, Record, Stage, Turn
from orbis_search.solver.batch import Results
from orbis_search.tileset.matching import best_matching
from program import PROGRAM, Result, Run, environment, installed

DEEP = 3000
ESCAPE = "\x1b[31mred"
UNDECODABLE = os.fsdecode(b"bad\xff\xfe")
LONG = "1" * 5000  # more digits than int() reads
ODD_DIGITS = ("\u1369", "\u00b2", "\u0663", LONG)  # Ethiopic and raised: isdigit() says yes and int() no


def one_sentence(done: Result, code: int = 2) -> str:
    """The only line on standard error."""
    assert done.code == code, done
    assert done.err.startswith("orbis: ") and done.err.count("\n") == 1, done.err
    assert unsafe_character(done.err.rstrip("\n")) is None
    return done.err


@pytest.fixture
def ending(tmp_path: Path) -> Path:
    """A folder with an ending that is solved at once."""
    folder = tmp_path / "batch"
    folder.mkdir()
    position = orbis.play_on(games.start(1, 2), 28, seed=1)
    (folder / "a.toml").write_text(orbis.write_toml(position), encoding="utf-8")
    return folder


# ---- nested too deeply -----------------------------------------------------------------------------


def test_nested_settings_are_refused(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(f'language = "de"\na = {"[" * DEEP}{"]" * DEEP}\n')
    monkeypatch.delenv("ORBIS_LANG")  # so that the language is looked up in the file
    monkeypatch.setenv("ORBIS_SETTINGS", str(path))
    assert "settings.toml" in one_sentence(run("check"))


def test_a_nested_player_file_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "player.toml").write_text(f"a = {'[' * DEEP}{']' * DEEP}\n")
    assert "player.toml" in one_sentence(run("arena", f"@{tmp_path}/player.toml", "random"))


@pytest.mark.parametrize("name", ["nested.toml", "nested.json"])
def test_a_nested_file_in_a_batch_is_listed_and_the_rest_solved(run: Run, ending: Path, name: str) -> None:
    (ending / name).write_text(("a = " if name.endswith("toml") else "") + "[" * DEEP + "]" * DEEP)
    done = run("solve", "--batch", ending, "--nodes", "20")
    assert done.code == 2 and done.out.count("\n") == 1
    assert done.err.startswith(f"orbis: {name}: ")


@pytest.mark.parametrize("command", ["solve", "review"])
def test_a_nested_line_in_a_file_of_results_is_refused(run: Run, ending: Path, tmp_path: Path, command: str) -> None:
    games_folder = tmp_path / "games"
    games_folder.mkdir()
    record = games.play(Record(games.start(1, 2)), 2, 1)
    (games_folder / "g.orbis").write_text(orbis.write_record(record), encoding="utf-8")
    results = tmp_path / "results.jsonl"
    results.write_text("[" * DEEP + "]" * DEEP + "\n")
    folder = ending if command == "solve" else games_folder
    assert "results.jsonl, line 1" in one_sentence(run(command, "--batch", folder, "-o", results))


@pytest.mark.parametrize("arguments", [("arena", "random", "random", "--games", "2", "--save"), ("record", "arena")])
def test_a_nested_line_in_a_file_of_games_is_refused(run: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "match.jsonl").write_text("[" * DEEP + "]" * DEEP + "\n")
    more = [tmp_path / "out"] if arguments[0] == "record" else []
    assert "match.jsonl, line 1" in one_sentence(run(*arguments, tmp_path / "match.jsonl", *more))


def test_a_nested_run_of_bench_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json_of(nested(DEEP)))
    one_sentence(run("bench", "--compare", tmp_path / "run.json"))


def _nested_text(depth: int) -> str:
    """A record in which the first turn is a variation of itself, again and again."""
    lines = orbis.write_record(games.play(Record(games.start(1, 2)), 1, 1)).splitlines()
    turn = lines.pop()
    return "\n".join([*lines, *(" " * at + turn for at in range(depth + 1))]) + "\n"


def _nested_json(depth: int) -> str:
    document = orbis.record_to_json(games.play(Record(games.start(1, 2)), 1, 1))
    turn = document["turns"][0]
    for _ in range(depth):
        turn = {**document["turns"][0], "variations": [[turn]]}
    return json_of({**document, "turns": [turn]})


@pytest.mark.parametrize("text", [_nested_text, _nested_json])
def test_variations_nest_to_a_limit_and_no_further(text: Callable[[int], str]) -> None:
    found = record_from_bytes(text(MAX_NESTING).encode()).record
    assert record_from_bytes(orbis.write_record(found).encode()).record == found
    for depth in (MAX_NESTING + 1, 300):
        with pytest.raises(InputError, match=f"nested at most {MAX_NESTING} deep"):
            record_from_bytes(text(depth).encode())


def test_a_program_cannot_nest_variations_deeper_than_a_file_holds() -> None:
    record = games.play(Record(games.start(1, 2)), 1, 1)
    plain = turn = record.turns[0]
    for _ in range(MAX_NESTING + 1):
        turn = Turn(plain.move, plain.drawn, variations=((turn,),))
    with pytest.raises(InputError, match="nested at most"):
        Record(record.start, (turn,))


def test_a_record_with_300_nested_variations_is_one_sentence(run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.orbis").write_text(_nested_text(300), encoding="utf-8")
    assert "line" in one_sentence(run("record", "check", tmp_path / "game.orbis"))


# ---- numbers ---------------------------------------------------------------------------------------


def test_only_the_ten_digits_count() -> None:
    assert [counted(text) for text in ("0", "007", "12")] == [0, 7, 12]
    assert [counted(text) for text in ("", "-1", "1.0", " 1", *ODD_DIGITS)] == [None] * 8


@pytest.mark.parametrize("reader", [duration, size])
def test_a_time_or_a_size_is_a_text_or_a_number(reader: Callable[[Any], object]) -> None:
    assert (duration(2), duration("2m"), size(1 << 20), size("1M")) == (2.0, 120.0, 1 << 20, 1 << 20)
    for value in (10**5000, nested(DEEP), True, None, float("nan"), LONG):
        with pytest.raises(InputError, match="such as"):
            expect("option", value, reader)


@pytest.mark.parametrize("version", [LONG, "\u1369", "2"])
def test_a_record_of_a_strange_version_is_refused(run: Run, tmp_path: Path, version: str) -> None:
    (tmp_path / "game.orbis").write_text(f"orbis-game {version}\n", encoding="utf-8")
    assert len(one_sentence(run("record", "check", tmp_path / "game.orbis"))) < 400


@pytest.mark.parametrize("digits", ODD_DIGITS)
def test_menus_stumble_over_no_digits(digits: str) -> None:
    with pytest.raises(InputError):
        names_of(digits)  # a digit of another script is a name, and one name is not enough
    position = games.start(1, 2)
    for words in (f"village {digits}", f"level{digits}", f"{digits}cp", digits):
        best_matching(words, position.tiles.tiles)  # those that fit, if any: a raised 2 is a 2
    with suppress(InputError):
        MoveEntry(Stage(position)).answer(digits)


@pytest.mark.parametrize("digits", ODD_DIGITS)
@pytest.mark.parametrize("command", [("edit", "new.toml"), ("track", "new.orbis"), ("play", "me", "me")])
def test_a_script_of_strange_digits_ends_like_any_other(tmp_path: Path, command: tuple[str, ...], digits: str) -> None:
    """The menu of commands (`?`) takes a number too."""
    done = installed(*command, stdin=f"?\n{digits}\n" * 4, cwd=tmp_path)
    assert "Traceback" not in done.err and done.code in (0, 2, 130)


# ---- characters ------------------------------------------------------------------------------------


def test_what_is_safe_and_what_is_not() -> None:
    family = "\U0001f469\u200d\U0001f467"
    assert [safe(text) for text in ("Zażółć", family, "a b", "Ω")] == ["Zażółć", family, "a b", "Ω"]
    assert safe(f"{ESCAPE}\x07\n\x9b\u202e\udcff") == "\\x1b[31mred\\x07\\n\\x9b\\u202e\\udcff"
    assert place_of(UNDECODABLE) == "bad\\udcff\\udcfe"
    assert fit(ESCAPE, 40) == "\\x1b[31mred"
    problem = InputError.one(f"{ESCAPE}.toml", "found \udcff").problems[0]
    assert problem == ("\\x1b[31mred.toml", "found \\udcff")
    assert InputError.one("a\nb", "either\n  c\n  d").problems[0] == ("a\\nb", "either\n  c\n  d")  # a list has lines


def test_json_escapes_what_it_may_and_says_the_same() -> None:
    value = {"a\udcff": ["\x9b\u202e", "ż\n", "\U000e0001"]}
    for text in (json_text(value), json_text(value, indent=2)):
        assert json.loads(text) == value
        assert text.encode() and unsafe_character(text.replace("\n", "")) is None


@pytest.mark.parametrize("name", [ESCAPE, UNDECODABLE, "a\nb", "\u202eabc", "\x9b31m"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "NAME"),
        ("tiles", "check", "NAME"),
        ("show", "--tiles", "NAME"),
        ("solve", "--batch", "NAME"),
        ("review", "--batch", "NAME"),
        ("arena", "@NAME", "random"),
        ("arena", "cmd:NAME", "random", "--games", "2", "--threads", "1"),
        ("arena", "--replay", "NAME"),
        ("bench", "--against", "NAME"),
        ("record", "check", "NAME"),
    ],
)
def test_no_file_name_reaches_the_terminal_as_it_is(run: Run, arguments: tuple[str, ...], name: str) -> None:
    one_sentence(run(*(each.replace("NAME", name) for each in arguments)))


@pytest.mark.parametrize(
    "arguments", [(ESCAPE,), ("verify", ESCAPE), ("show", f"--{ESCAPE}"), ("show", "--color", ESCAPE)]
)
def test_what_click_quotes_is_safe_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, run: Run, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)  # as on a terminal
    done = run(*arguments)
    assert done.code == 2 and "\x1b" not in done.err and "red" in done.err


def test_keys_of_a_tile_set_and_of_settings_are_safe(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.toml").write_text('"\\u001b[31m" = 1\n[[tiles]]\n"\\u001b[31m" = 1\nid = "\\u001b[31m"\n')
    done = run("tiles", "check", tmp_path / "t.toml")
    assert done.code == 2 and "\x1b" not in done.err + done.out
    monkeypatch.setenv("ORBIS_SETTINGS", str(tmp_path / "t.toml"))
    assert "\x1b" not in run("show").err


def test_the_path_of_a_tile_set_is_drawn_safely(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"{ESCAPE}.toml"
    path.write_text((Path(orbis.__file__).parent / "data" / "tiles" / "reconstruction.toml").read_text())
    monkeypatch.chdir(tmp_path)
    done = run("show", "--tiles", path.name, "--color", "never")
    assert done.code == 0 and "\x1b" not in done.out and "\\x1b[31mred" in done.out


def test_a_batch_keeps_the_result_of_a_file_whose_name_is_no_text(ending: Path, tmp_path: Path) -> None:
    (ending / "a.toml").rename(ending / f"{UNDECODABLE}.toml")
    results = tmp_path / "results.jsonl"
    for _ in range(2):  # the second time it is there
        done = installed("solve", "--batch", ending, "-o", results, "--nodes", "20", "--threads", "1")
        assert done.code == 0 and done.err.count("Traceback") == 0
    assert [json.loads(line)["name"] for line in results.read_text().splitlines()] == [f"{UNDECODABLE}.toml"]


@pytest.mark.parametrize("encoding", ["utf-8:strict", "utf-8:surrogateescape", "ascii"])
@pytest.mark.parametrize("command", [("edit", "new.toml"), ("track", "new.orbis"), ("play", "me", "me")])
def test_bytes_that_are_no_text_are_just_another_wrong_answer(
    tmp_path: Path, command: tuple[str, ...], encoding: str
) -> None:
    process = subprocess.run(
        [*PROGRAM, *command],
        input=b"\xff\xfe\n\x1b[31m\n\xff\n",
        capture_output=True,
        cwd=tmp_path,
        env=environment(PYTHONIOENCODING=encoding),
        check=False,
    )
    assert process.returncode in (0, 130)
    assert b"Traceback" not in process.stderr and b"\x1b" not in process.stdout


# ---- what the machine lacks ------------------------------------------------------------------------


def test_memory_that_runs_out_is_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("orbis_search.record.positions.read_position", no_room)
    assert "memory" in one_sentence(run("show", "o1:2:x"), code=1)


def test_more_memory_than_there_is_is_one_sentence(ending: Path) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    for command in (("advise", "--sims", "5"), ("solve", ending / "a.toml", "--nodes", "5")):
        one_sentence(installed(*command, "--memory", "32G", preexec_fn=limited))


@pytest.fixture
def few_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that starts one thread more and then none."""
    started = []
    start = threading._start_new_thread  # type: ignore[attr-defined]

    def start_few(*arguments: Any) -> object:
        if len(started) >= 1:
            raise RuntimeError("can't start new thread")
        started.append(None)
        return start(*arguments)

    monkeypatch.setattr(threading, "_start_new_thread", start_few)


@pytest.mark.usefixtures("few_threads")
def test_too_many_threads_for_the_machine_are_one_sentence(run: Run) -> None:
    assert "threads" in one_sentence(run("advise", "--sims", "200", "--threads", "100"), code=1)


@pytest.mark.usefixtures("few_threads")
def test_a_solver_without_threads_says_so(run: Run, ending: Path) -> None:
    assert "threads" in one_sentence(run("solve", ending / "a.toml", "--threads", "100"), code=1)


@pytest.mark.usefixtures("few_threads")
def test_a_review_without_threads_says_so(run: Run, tmp_path: Path) -> None:
    record = games.play(Record(games.start(1, 2)), 40, 1)
    (tmp_path / "game.orbis").write_text(orbis.write_record(record), encoding="utf-8")
    found = run("review", tmp_path / "game.orbis", "--sims", "5", "--threads", "50")
    assert "threads" in one_sentence(found, code=1)


@pytest.mark.usefixtures("few_threads")
def test_an_engine_without_threads_says_so() -> None:
    with pytest.raises(MachineError, match="thread"):
        Engine(io.BytesIO(b""), io.BytesIO(), workers=30).run()


def test_a_process_that_runs_out_of_memory_says_so() -> None:
    for processes in (1, 2):
        (_job, error), *_ = list(do_jobs(bytearray, [1 << 62, 1 << 61], processes))
        assert isinstance(error, MachineError) and error.problems == out_of_memory().problems


def test_processes_that_cannot_start_are_one_sentence(run: Run, ending: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr("multiprocessing.util.spawnv_passfds", refused)
    (ending / "b.toml").write_text((ending / "a.toml").read_text())
    for command in (
        ("solve", "--batch", ending, "--threads", "2"),
        ("arena", "random", "random", "--games", "4", "--threads", "2"),
        ("verify", "--decisions", "2", "--threads", "2"),
    ):
        assert "process" in one_sentence(run(*command), code=1)


def test_a_progress_bar_without_its_thread_does_not_warn() -> None:
    program = (
        "import threading, sys\n"
        'def none(*_): raise RuntimeError("can\'t start new thread")\n'
        "threading._start_new_thread = none\n"
        "sys.stderr.isatty = lambda: True\n"
        "from orbis_search.cli.main import main\n"
        "sys.exit(main(['arena', 'random', 'random', '--games', '2', '--threads', '1']))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Warning" not in done.stderr


# ---- a full disk -----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["solve", "arena"])
def test_a_disk_that_fills_up_is_told_by_the_name_of_the_file(ending: Path, tmp_path: Path, command: str) -> None:
    """A file may grow to so many bytes, then the system refuses; what is left in the buffer is refused again."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (150, 150))

    ways = {
        "solve": ("solve", "--batch", ending, "--nodes", "20", "--threads", "1", "-o"),
        "arena": ("arena", "random", "random", "--games", "2", "--threads", "1", "--save"),
    }
    done = installed(*ways[command], tmp_path / "out.jsonl", preexec_fn=limited)
    assert "out.jsonl: expected a writable file" in one_sentence(done)


def test_a_file_of_results_that_cannot_be_closed_says_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some file systems find out only then that there is no room."""
    results = Results(str(tmp_path / "results.jsonl"))
    close = os.close

    def full(descriptor: int) -> None:
        close(descriptor)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "close", full)
    with pytest.raises(InputError, match="results.jsonl: expected a writable file, found: No space left on device"):
        results.close()


def test_standard_error_that_is_full_changes_no_exit_code() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        for command, code in ((("check", "nowhere.toml"), 2), (("nonsense",), 2), (("check",), 0)):
            assert subprocess.run([*PROGRAM, *command], stderr=full, stdout=full if code else None).returncode == code
