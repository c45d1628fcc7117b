"""Files that are continued: one program at a time holds one, and a device is not one of them."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from games import game
from orbis_search.base.errors import InputError
from orbis_search.base.held_files import HeldFile, HeldLines
from orbis_search.measure.contested_endings import file_name
from orbis_search.notation.examples import example_text
from orbis_search.players.arena import read_games
from orbis_search.record.text import write_record
from program import Run, start

IN_USE = "expected a file that no other program is using, found it in use"
BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("positions", "games"):
        Path(name).mkdir()
    Path("positions", "ending.toml").write_text(example_text("ending"), "utf-8")
    Path("games", "a.orbis").write_text(write_record(game(1, 2)), "utf-8")
    return tmp_path


CONTINUE = {
    "arena": ("arena", "random", "random", "--games", "2", "--threads", "1", "--save"),
    "solve": ("solve", "--batch", "positions", "--threads", "1", "-o"),
    "review": ("review", "--batch", "games", "--sims", "20", "--threads", "1", "-o"),
}


@pytest.mark.parametrize("name", CONTINUE)
def test_a_file_that_another_program_continues_is_left_alone(name: str, folder: Path, run: Run) -> None:
    assert run(*CONTINUE[name], "kept.jsonl").code == 0
    before = Path("kept.jsonl").read_bytes()
    assert before.count(b"\n") >= 1
    with closing(HeldLines("kept.jsonl")):
        answer = run(*CONTINUE[name], "kept.jsonl")
    assert (answer.code, answer.err) == (2, f"orbis: kept.jsonl: {IN_USE}\n")
    assert Path("kept.jsonl").read_bytes() == before
    assert run(*CONTINUE[name], "kept.jsonl").code == 0
    assert Path("kept.jsonl").read_bytes() == before, "all of it was there already"


def test_a_draft_that_another_program_edits_is_left_alone(folder: Path, run: Run) -> None:
    assert run("edit", "new.toml", stdin=b"2\nquit\n").code == 0
    before = Path("new.toml.draft").read_bytes()
    with closing(HeldFile("new.toml.draft")):
        for fresh in ((), ("--fresh",)):
            answer = run("edit", "new.toml", *fresh, stdin=b"3\nquit\n")
            assert (answer.code, answer.err) == (2, f"orbis: new.toml.draft: {IN_USE}\n")
    assert Path("new.toml.draft").read_bytes() == before


def test_of_two_that_begin_a_draft_the_second_is_told(folder: Path) -> None:
    first, second = HeldFile("a.draft"), HeldFile("a.draft")
    first.keep(b"1\n")
    with pytest.raises(InputError, match=IN_USE):
        second.keep(b"2\n")
    first.keep(b"3\n")
    first.close()
    assert Path("a.draft").read_bytes() == b"3\n"


def test_a_set_of_endings_that_another_program_makes_is_left_alone(folder: Path) -> None:
    path = folder / file_name("fit", 2, 4)
    path.write_bytes(b"")
    with closing(HeldFile(str(path))):
        command = [sys.executable, BENCHMARKS / "contested.py", "fit", "--players", "2", "--turns", "4"]
        done = subprocess.run([*command, "--folder", folder], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, f"{path}: {IN_USE}\n")
    assert path.read_bytes() == b""


def test_two_matches_saved_in_one_file_at_once(folder: Path) -> None:
    """Seen before there was a lock: both said they had saved their games, and the file was of no use."""
    command = ("arena", "greedy", "random", "--games", "40", "--threads", "1", "--save", "match.jsonl")
    both = [start(*command, cwd=folder), start(*command, cwd=folder)]
    ended = [(process.communicate()[1], process.returncode) for process in both]
    # The second may begin when the first has ended; then it finds every game.
    assert (("", 0)) in ended and all(each in (("", 0), (f"orbis: match.jsonl: {IN_USE}\n", 2)) for each in ended)
    assert len(read_games("match.jsonl")[1]) == 40


@pytest.mark.parametrize("name", CONTINUE)
def test_a_device_is_not_continued(name: str, folder: Path, run: Run) -> None:
    """One that never ends when it is read, as /dev/full does not."""
    answer = run(*CONTINUE[name], "/dev/zero")
    assert answer.code == 2
    assert answer.err == "orbis: /dev/zero: expected a file that can be continued, found something else\n"


def test_a_line_cut_short_is_written_over(folder: Path) -> None:
    Path("a").write_bytes(b"one\nhalf of t")
    with closing(HeldLines("a")) as file:
        assert file.data == b"one\n"
        file.add(b"2")
    assert Path("a").read_bytes() == b"one\n2\n"


def test_a_line_of_results_says_where_it_is_wrong(folder: Path, run: Run) -> None:
    Path("kept.jsonl").write_text(json.dumps({"format": "other"}) + "\n")
    answer = run(*CONTINUE["solve"], "kept.jsonl")
    assert (answer.code, answer.err) == (2, "orbis: kept.jsonl, line 1: expected a solution, found something else\n")
