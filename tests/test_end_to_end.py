"""The installed program among other programs: pipes, terminals, signals, full disks, files that cannot be read.

Every command is here, in each of its output forms. What an answer says is tested elsewhere; here it has to arrive.
"""

from __future__ import annotations

import json
import os
import random
import shlex
import signal
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from golden.sessions import ENGINE, LINE, with_positions
from test_docs import COMMANDS

from orbis_search.notation import read_position
from orbis_search.notation.examples import example_text
from program import GOLDEN, MIDDLE, Result, Terminal, installed, start, wait_for_work

QUICK = "--sims 300 --threads 1 --seed 1"
# A short run of every command, in a folder with the golden positions.
SHORT = {
    "advise": f"advise middle-2.toml {QUICK}",
    "solve": "solve late.toml --threads 1",
    "edit": "edit fresh.toml",
    "new": "new --seed 1",
    "check": "check middle-2.toml",
    "tiles check": "tiles check tiles.toml",
    "tiles show": "tiles show tiles.toml",
    "tiles template": "tiles template",
    "tiles random": "tiles random --seed 3",
    "show": "show middle-2.toml",
    "moves": "moves middle-2.toml",
    "apply": "apply opening-2.toml b2 wild 1L --seed 1",
    "arena": "arena greedy random --games 2 --threads 1",
    "train": "train run --players 2 --generations 1 --games 2 --sims 4 --epochs 1 --match-games 2 --match-sims 4 --threads 1",
    "bench rules": "bench rules --seconds 0.05",
    "bench search": "bench search --seconds 0.05 --threads 1",
    "bench endgame": "bench endgame --turns 4 --positions 1",
    "bench peers": "bench peers --games 0 --seconds 0.05",
    "bench regret": "bench regret --set fit --turns 4 --positions 1 --sims 20 --threads 1",
    "play": "play me novice --seed 1",
    "track": "track table.orbis --from opening-2.toml --no-advice",
    "record show": "record show greedy-random.orbis",
    "record check": "record check greedy-random.orbis",
    "record position": "record position greedy-random.orbis 5",
    "record arena": "record arena match.jsonl games",
    "review": "review greedy-random.orbis --sims 60 --threads 1 --seed 1",
    "verify": "verify --endings 2 --threads 1",
    "perft": "perft opening-2.toml 2",
    "engine": "engine --workers 1",
    "completion": "completion bash",
    "web": "web --for 100ms --no-open --port 8432",
    "orion new": "orion new --seed 1",
    "orion show": "orion show",
    "orion check": "orion check",
    "orion moves": "orion moves",
    "orion apply": "orion apply orion.toml done --seed 1",
    "orion advise": "orion advise --sims 5 --seed 1",
    "orion play": "orion play me regular --seed 1",
    "orion arena": "orion arena random random --games 2 --threads 1",
    "orion verify": "orion verify --decisions 1 --singles 1 --threads 1",
    "orion perft": "orion perft orion.toml 1",
    "orion bench": "orion bench --seconds 0.05",
    "orion cards check": "orion cards check reconstruction",
    "orion cards show": "orion cards show",
    "orion cards template": "orion cards template",
    "orion cards random": "orion cards random --seed 3",
}
STDIN = {
    "edit": "2\nquit\n",
    "engine": ENGINE.replace("LINE", LINE),
    "play": "5\nquit\n",
    "orion play": "1\nquit\n",
    "track": "b2 wild 1R\n0\nquit\n",
}
SLOW = {"bench search", "bench peers"}  # a minute; their writing is that of `bench rules`
RUN = [name for name in SHORT if name not in SLOW]
READS_POSITION = ["advise", "solve", "show", "check", "moves", "apply", "perft"]
READS_TILES = ["tiles check", "tiles show", "new --tiles", "bench rules --tiles", "check --tiles"]
needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    late = installed("new", "--seed", 1, "--turns", 28)
    (tmp_path / "late.toml").write_text(late.out, "utf-8")
    (tmp_path / "orion.toml").write_text(installed("orion", "new", "--seed", 1).out, "utf-8")
    installed(*["arena", "greedy", "random", "--games", "2", "--threads", "1", "--save", "match.jsonl"], cwd=tmp_path)
    return with_positions(tmp_path)


def short(name: str, folder: Path, *more: str, **options: object) -> Result:
    return installed(*shlex.split(SHORT[name]), *more, cwd=folder, stdin=STDIN.get(name), **options)


def with_source(name: str, source: str) -> list[str]:
    """The short run of a command that reads a position, from another source."""
    command, _, *rest = shlex.split(SHORT[name])
    return [command, source, *rest]


def test_there_is_a_run_of_every_command() -> None:
    assert {f"orbis {name}" for name in SHORT} == set(COMMANDS)


# --- output forms


@pytest.mark.parametrize("name", RUN)
def test_text_to_a_pipe_is_plain(name: str, folder: Path) -> None:
    done = short(name, folder)
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("\n") and "\x1b" not in done.out


@pytest.mark.parametrize("name", [name for name in RUN if name != "engine"])
def test_json_to_a_pipe_is_one_document(name: str, folder: Path) -> None:
    done = short(name, folder, "--json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["format"].startswith("orbis-")


@pytest.mark.parametrize("name", ["show", "new", "apply"])
def test_one_line_to_a_pipe_is_read_again(name: str, folder: Path) -> None:
    done = short(name, folder, "--oneline")
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    assert installed("check", done.out.strip(), cwd=folder).code == 0


@pytest.mark.parametrize("name", ["show", "advise"])
def test_pictures_to_files_and_to_a_pipe(name: str, folder: Path) -> None:
    done = short(name, folder, "--svg", "a.svg", "--png", "a.png")
    assert (done.code, done.err) == (0, "")
    assert ElementTree.parse(folder / "a.svg").getroot().tag.endswith("svg")
    assert (folder / "a.png").read_bytes().startswith(b"\x89PNG\r\n")
    piped = short(name, folder, "--svg", "-")
    assert piped.out == (folder / "a.svg").read_text("utf-8")
    with start(*shlex.split(SHORT[name]), "--png", "-", cwd=folder, encoding=None) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, b"")  # type: ignore[comparison-overlap]
    assert out == (folder / "a.png").read_bytes()  # type: ignore[comparison-overlap]


@pytest.mark.parametrize("name", [name for name in RUN if name not in STDIN])
def test_on_a_terminal_it_says_the_same(name: str, folder: Path) -> None:
    """But for the time it took, which some tell on standard error, and progress, which goes away."""
    terminal = Terminal(*shlex.split(SHORT[name]), cwd=folder, columns=80)
    assert terminal.ends() == 0
    shown = terminal.plain(terminal.seen)
    for line in short(name, folder).out.splitlines():
        if " s" not in line and "/s" not in line and " ns" not in line and "s/move" not in line and "0.0" not in line:
            assert line in shown


# --- colour


@pytest.mark.parametrize("name", ["show", "advise", "moves", "tiles show"])
def test_colour_is_for_terminals(name: str, folder: Path) -> None:
    def seen(*more: str, **variables: str) -> bytes:
        terminal = Terminal(*shlex.split(SHORT[name]), *more, cwd=folder, **variables)
        assert terminal.ends() == 0
        return terminal.seen

    coloured = b";30;"  # black on the colours of the game; progress moves the cursor
    assert coloured in seen(NO_COLOR="")
    assert coloured not in seen(NO_COLOR="1")
    assert coloured not in seen(NO_COLOR="", TERM="dumb")
    assert coloured not in seen("--color", "never", NO_COLOR="")
    assert coloured in seen("--color", "always", NO_COLOR="1")


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_a_narrow_terminal_is_no_mishap(folder: Path, columns: int) -> None:
    for name in ("show", "advise", "moves", "check"):
        terminal = Terminal(*shlex.split(SHORT[name]), cwd=folder, columns=columns)
        assert terminal.ends() == 0
        assert "Traceback" not in terminal.plain(terminal.seen)


# --- standard input


@pytest.mark.parametrize("name", READS_POSITION)
def test_a_position_comes_from_standard_input(name: str, folder: Path) -> None:
    path = folder / shlex.split(SHORT[name])[1]
    read = installed(*with_source(name, "-"), cwd=folder, stdin=path.read_text("utf-8"))
    assert (read.code, read.err) == (0, "")
    piped = installed(*with_source(name, "-"), cwd=folder, stdin="")
    assert piped.code == 2 and piped.err.startswith("orbis: standard input: expected a position")


@pytest.mark.parametrize("name", ["tiles check", "tiles show", "check --tiles", "bench rules --tiles"])
def test_a_tile_set_comes_from_standard_input(name: str, folder: Path) -> None:
    more = [str(folder / "middle-2.toml")] if name == "check --tiles" else []
    more += ["--seconds", "0.05"] if name.startswith("bench") else []
    done = installed(*name.split(), "-", *more, cwd=folder, stdin=(folder / "tiles.toml").read_text("utf-8"))
    assert (done.code, done.err) == (0, "")


def test_moves_and_games_come_from_standard_input(folder: Path) -> None:
    installed("arena", "greedy", "random", "--games", 2, "--threads", 1, "--save", "games.jsonl", cwd=folder)
    games = (folder / "games.jsonl").read_text("utf-8")
    assert installed("arena", "--replay", "-", cwd=folder, stdin=games).code == 0


def test_closed_standard_streams_are_told(folder: Path) -> None:
    """As with `orbis check - <&-` in a shell."""
    for closed, expected in (("<&-", "standard input"), (">&-", "standard output")):
        line = f'"$@" {closed}'
        command = ["sh", "-c", line, "sh", *start_words("check", "-" if closed == "<&-" else "middle-2.toml")]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 2 and expected in done.stderr and "Traceback" not in done.stderr


def start_words(*arguments: str) -> list[str]:
    from program import PROGRAM

    return [*PROGRAM, *arguments]


# --- files that cannot be read or written


def unreadable(kind: str, folder: Path) -> str:
    path = folder / "strange"
    if kind == "missing":
        return "strange"
    if kind == "directory":
        path.mkdir()
    elif kind == "forbidden":
        path.write_text(example_text(), "utf-8")
        path.chmod(0)
        if os.access(path, os.R_OK):
            pytest.skip("whoever runs the tests may read everything")
    elif kind == "binary":
        path.write_bytes(os.urandom(300) + b"\xff")
    elif kind == "endless":
        return "/dev/zero"
    return "strange"


KINDS = ["missing", "directory", "forbidden", "binary", "endless"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", READS_POSITION)
def test_a_position_that_cannot_be_read_is_one_line(name: str, kind: str, folder: Path) -> None:
    done = installed(*with_source(name, unreadable(kind, folder)), cwd=folder)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("orbis: ") and done.err.count("\n") == 1 and "expected" in done.err


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", READS_TILES)
def test_a_tile_set_that_cannot_be_read_is_one_line(name: str, kind: str, folder: Path) -> None:
    more = ["middle-2.toml"] if name.startswith("check") else []
    done = installed(*name.split(), unreadable(kind, folder), *more, cwd=folder)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("orbis: ") and done.err.count("\n") == 1 and "expected" in done.err


@needs_full
@pytest.mark.parametrize("more", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("name", RUN)
def test_a_full_disk_is_told_in_one_line(name: str, more: tuple[str, ...], folder: Path) -> None:
    if name == "engine" and more:
        return
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = short(name, folder, *more, stdout=full)
    assert done.code == 2
    assert done.err.startswith("orbis: standard output: ") and done.err.count("\n") == 1


@needs_full
@pytest.mark.parametrize("option", ["--svg", "--png"])
@pytest.mark.parametrize("name", ["show", "advise"])
def test_a_picture_to_a_full_disk_is_told(name: str, option: str, folder: Path) -> None:
    done = short(name, folder, option, "/dev/full")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("orbis: /dev/full: ") and done.err.count("\n") == 1


@needs_full
@pytest.mark.parametrize("name", ["new", "show", "apply", "tiles template", "tiles random"])
def test_an_output_file_on_a_full_disk_is_told(name: str, folder: Path) -> None:
    done = short(name, folder, "-o", "/dev/full")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("orbis: /dev/full: ") and done.err.count("\n") == 1


@pytest.mark.parametrize("name", ["new", "show", "apply", "tiles template", "tiles random"])
@pytest.mark.parametrize("target", [".", "no/such/folder/file"])
def test_an_output_that_is_no_file_is_told(name: str, target: str, folder: Path) -> None:
    before = sorted(os.listdir(folder))
    done = short(name, folder, "-o", target)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("orbis: ") and done.err.count("\n") == 1
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize("name", RUN)
def test_a_closed_pipe_is_no_error(name: str, folder: Path) -> None:
    """As with `orbis ... | head -1`, here with a reader that is gone before anything is written."""
    pipe = subprocess.PIPE if name in STDIN else subprocess.DEVNULL
    with start(*shlex.split(SHORT[name]), cwd=folder, stdin=pipe) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        if process.stdin is not None:
            try:
                process.stdin.write(STDIN[name])
                process.stdin.close()
            except BrokenPipeError:
                pass  # it has gone already
        assert process.stderr.read() == ""
        assert process.wait(120) in ((0, 130) if name == "edit" else (0,))


def test_head_gets_its_line(folder: Path) -> None:
    command = ["sh", "-c", '"$@" | head -1', "sh", *start_words("moves", "middle-4.toml", "--all", "--limit", "0")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == "" and done.stdout.count("\n") == 1 and "legal moves" in done.stdout


# --- interrupts

LONG = {
    "advise": f"advise {MIDDLE} --time 10m --threads 1",
    "advise, two threads": f"advise {MIDDLE} --time 10m --threads 2 --json",
    "solve": "solve deep.toml --time 10m --threads 1",
    "arena": "arena advisor:sims=2000 greedy --games 5000 --threads 1",
    "verify": "verify --decisions 100000 --singles 100000 --threads 1",
    "bench": "bench endgame --turns 8 --time 10m",
    "bench regret": "bench regret --set fit --turns 4 --sims 100000000 --threads 1",
    "perft": f"perft {MIDDLE} 9 --reference",
    "check": "check -",
    "edit": "edit fresh.toml",
}
ANSWERS_ALL_THE_SAME = ("advise", "advise, two threads", "solve", "arena")


@needs_proc
@pytest.mark.parametrize("name", LONG)
def test_an_interrupt_at_any_moment_ends_it_with_130(name: str, folder: Path) -> None:
    """Once while it starts, and then at random moments; searches still answer."""
    deep = installed("new", "--seed", 3, "--turns", 20)
    (folder / "deep.toml").write_text(deep.out, "utf-8")
    rng = random.Random(name)
    for number in range(4):
        waits = name in ("check", "edit")
        with start(
            *shlex.split(LONG[name]), cwd=folder, stdin=subprocess.PIPE if waits else subprocess.DEVNULL
        ) as process:
            wait_for_work(process, 0.01 if waits else 0.2 + 0.9 * rng.random())
            time.sleep((0.5 if waits else 0.1) + 0.2 * rng.random())
            process.send_signal(signal.SIGINT)
            begin = time.monotonic()
            out, err = process.communicate(timeout=120)
        assert process.returncode == 130, (number, err)
        assert "Traceback" not in err
        assert time.monotonic() - begin < 60
        if name in ANSWERS_ALL_THE_SAME and number > 0 and out:
            assert "interrupted" in out or "interrupted" in err or "games" in out


@needs_proc
@pytest.mark.parametrize("as_json", [False, True])
def test_a_search_on_a_terminal_is_interrupted_by_its_key(folder: Path, as_json: bool) -> None:
    terminal = Terminal("advise", MIDDLE, "--time", "10m", "--threads", "1", *(["--json"] if as_json else []))
    terminal.type("", "sims")
    terminal.type("\x03", "interrupted")
    assert terminal.ends() == 130
    shown = terminal.plain(terminal.seen)
    assert ('"ideas"' if as_json else "win %") in shown and "Traceback" not in shown


def test_what_was_interrupted_leaves_no_half_file(folder: Path) -> None:
    process = start("solve", "--batch", ".", "-o", "solved.jsonl", "--time", "1h", "--threads", 1, cwd=folder)
    wait_for_work(process, 0.6)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    if (folder / "solved.jsonl").exists():
        for line in (folder / "solved.jsonl").read_text("utf-8").splitlines():
            json.loads(line)


def test_a_finished_position_reads_back(folder: Path) -> None:
    """From one command to the next, as in a script."""
    installed("new", "--seed", 5, "-o", "game.toml", cwd=folder)
    for turn in range(4):
        advice = json.loads(installed("advise", "game.toml", *QUICK.split(), "--json", cwd=folder).out)
        best = advice["ideas"][0]["best"]
        done = installed("apply", "game.toml", best["move"]["text"], "--seed", turn, "-o", "game.toml", cwd=folder)
        assert done == Result(0, "", "")
    assert read_position((folder / "game.toml").read_bytes(), "game", GOLDEN).turns_played == 4
