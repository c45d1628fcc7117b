"""`orbis advise` as a user meets it: its answers, its options, its errors, and Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from orbis_search.advice.advisor import MEASURE_PART, SHOWN, WAYS
from orbis_search.cli.commands import advise
from program import GOLDEN, MIDDLE, PROGRAM, Run, start, wait_for_work

QUICK = ("--sims", "600", "--threads", "1", "--seed", "4")


def plain(text: str) -> str:
    """Without the time it took, the one thing that differs between two equal runs."""
    return re.sub(r"in \d+\.\d s", "in T", text)


@pytest.mark.parametrize("name", ["middle-2", "middle-3", "middle-4", "opening-2", "opening-4"])
def test_the_answer_has_all_its_parts_and_is_the_same_again(run: Run, name: str) -> None:
    path = GOLDEN / f"{name}.toml"
    first, second = run("advise", path, *QUICK), run("advise", path, *QUICK)
    assert first.code == 0 and first.err == ""
    assert plain(first.out) == plain(second.out)
    assert max(map(len, first.out.splitlines())) <= 80
    assert "600 simulations" in first.out and "sampled" in first.out
    for words in ("win %", "Expected points with move 1", "Why 1 and not"):
        assert words in first.out


def test_no_position_is_the_built_in_one_and_says_how_to_describe_ones_own(run: Run) -> None:
    assert run("advise", *QUICK).out.rstrip().splitlines()[-2].startswith("This is a built-in example.")
    assert "built-in" not in run("advise", MIDDLE, *QUICK).out


def test_json_agrees_with_the_text(run: Run) -> None:
    data = json.loads(run("advise", MIDDLE, *QUICK, "--json", "--top", "3").out)
    text = run("advise", MIDDLE, *QUICK, "--top", "3").out
    assert (data["format"], data["version"], data["simulations"]) == ("orbis-advice", 2, 600)
    assert [row["rank"] for row in data["ideas"]] == [1, 2, 3]
    listed = re.findall(r"(?m)^ *(\d+)  .*(?:sampled|proved)  ", text)
    assert listed == [row["best"]["label"] for row in data["ideas"]] == ["1", "2", "3"]
    for row in data["ideas"]:
        best = row["best"]
        assert row["variants"] == [] and row["ways"] >= 1
        assert best["low"] <= best["win"] <= best["high"] and not best["proved"]


def test_all_ways_unfold_the_rows_in_text_and_json(run: Run) -> None:
    arguments = ("advise", MIDDLE, *QUICK, "--top", "2", "--no-board")
    folded, unfolded = run(*arguments).out, run(*arguments, "--all-ways").out
    data = json.loads(run(*arguments, "--json", "--all-ways").out)
    for row in data["ideas"]:
        assert row["ways"] == 1 + len(row["variants"])
        for each in row["variants"]:
            assert re.search(rf"(?m)^ *{each['label']} ", unfolded)
            assert not re.search(rf"(?m)^ *{each['label']} ", folded)
        assert row["best"]["move"]["text"].split(" pay")[0] in unfolded
    assert any(row["variants"] for row in data["ideas"])
    assert "--all-ways lists" in folded and "--all-ways lists" not in unfolded


def test_fewer_rows_are_the_first_of_more_and_all_that_are_listed_are_told_of(run: Run) -> None:
    assert advise.SHOWN == SHOWN
    few, usual, many = (
        json.loads(run("advise", MIDDLE, *QUICK, "--json", "--top", top).out)["ideas"] for top in ("1", "8", "14")
    )
    assert [len(few), len(usual), len(many)] == [2, 8, 14]  # why it is better than the second is said too
    assert few == usual[:2]
    assert all(row["best"]["measured"] for row in usual + many)
    ideas = json.loads(run("advise", *QUICK, "--sims", "6000", "--json", "--all-ways").out)["ideas"]
    ways = [each["measured"] for row in ideas for each in row["variants"]]
    assert 2 < len(ways) <= WAYS and all(ways)


def test_a_kept_move_is_shown_however_bad(run: Run) -> None:
    listed = json.loads(run("moves", MIDDLE, "--json").out)["moves"]
    named = listed[-1]["text"]
    ideas = json.loads(run("advise", MIDDLE, *QUICK, "--json", "--top", "1", "--keep", named).out)["ideas"]
    shown = [each for row in ideas for each in (row["best"], *row["variants"])]
    kept = [row for row in shown if row["kept"]]
    assert [row["move"]["text"] for row in kept] == [named]
    assert kept[0]["measured"] and kept[0]["sampled"] >= 600 * MEASURE_PART / 2 // (SHOWN + 1)  # as often as any other


def test_why_takes_one_move_or_two(run: Run) -> None:
    names = [row["text"] for row in json.loads(run("moves", MIDDLE, "--json").out)["moves"]]
    a, b = names[0], names[-1]
    why = json.loads(run("advise", MIDDLE, *QUICK, "--json", "--why", a, "--why", b).out)["why"]
    assert (why["first"]["move"], why["second"]["move"]) == (a, b)
    why = json.loads(run("advise", MIDDLE, *QUICK, "--json", "--why", b).out)["why"]
    assert why["second"]["move"] == b


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("--keep", "zz"), r"orbis: --keep, .*expected"),
        (("--why", "a1", "--why", "god nobody"), r"orbis: --why, .*expected"),
        (("--why", "a", "--why", "b", "--why", "c"), r"expected --why at most twice"),
        (("--time", "soon"), r"expected a time such as 5s"),
        (("--sims", "0"), r'expected an integer from 1 to 10+, found "0"'),
        (("--memory", "5"), r"expected a size from 1M"),
        (("--confidence", "50"), r"'50' is not one of"),
    ],
)
def test_bad_input_is_one_clear_error(run: Run, arguments: tuple[str, ...], message: str) -> None:
    done = run("advise", MIDDLE, *arguments)
    assert done.code == 2 and done.out == ""
    assert re.search(message, done.err) and "Traceback" not in done.err


def test_a_finished_game_is_said(run: Run, tmp_path: Path) -> None:
    over = tmp_path / "over.toml"
    assert run("new", "--turns", "30", "--seed", "1", "-o", over).code == 0
    done = run("advise", over)
    assert done.code == 2 and "expected somebody to move, found the game over" in done.err


def searching(*arguments: str) -> subprocess.Popen[str]:
    """A search of ten minutes, once it has begun."""
    process = start("advise", MIDDLE, "--time", "10m", *arguments)
    wait_for_work(process, 1.5)  # imports and more
    return process


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("as_json", [False, True])
def test_an_interrupt_gives_the_answer_so_far_and_130(threads: str, as_json: bool) -> None:
    process = searching("--threads", threads, *(["--json"] if as_json else []))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    if as_json:
        data = json.loads(out)
        assert data["stopped"] == "interrupted" and data["ideas"]
    else:
        assert "; interrupted" in out and "win %" in out


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")
def test_progress_is_shown_on_a_terminal_only(run: Run) -> None:
    import pty

    ours, theirs = pty.openpty()
    command = [*PROGRAM, "advise", MIDDLE, "--time", "2s", "--threads", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    seen = b""
    while True:
        try:
            some = os.read(ours, 4096)
        except OSError:
            break
        if not some:
            break
        seen += some
    os.close(ours)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0 and "win %" in out
    assert b"sims" in seen and "±" in seen.decode() and b"s left" in seen
