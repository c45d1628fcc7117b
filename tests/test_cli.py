"""The installed program: each command's answers, its errors, and how it behaves among other programs."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from orbis_search import __version__, reference
from orbis_search.cli.group import COMMANDS, orbis
from orbis_search.cli.main import main
from orbis_search.cli.options import MAX_BYTES, wants_colour
from orbis_search.notation import read_position, write_json, write_oneline
from orbis_search.notation.moves import format_move, parse_move
from orbis_search.tiles import dump_tile_set, load_tile_set

GOLDEN = Path(__file__).parent / "golden"
MIDDLE = str(GOLDEN / "middle-2.toml")
PROGRAM = [sys.executable, "-m", "orbis_search.cli.main"]


class Result(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def run(*arguments: object, stdin: bytes | None = None) -> Result:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return run


@pytest.fixture
def one_line() -> str:
    return write_oneline(read_position(Path(MIDDLE).read_bytes(), "middle", GOLDEN)).strip()


# --- the program itself


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"orbis {__version__}\n", "")


def test_version_imports_nothing_heavy() -> None:
    code = (
        "import sys; from orbis_search.cli.main import main; main(['--version']);"
        "heavy = {'click', 'numpy', 'tomllib', 'dataclasses', 'json', 'orbis_search.tiles'};"
        "print(*sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"orbis {__version__}\n\n"


def test_help_of_all_commands_imports_none_of_them() -> None:
    code = (
        "import sys; from orbis_search.cli.main import main; main(['--help']);"
        "print([name for name in sys.modules if name.startswith('orbis_search')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(re.findall(r"'([^']+)'", done.stdout.splitlines()[-1]))
    cli = "orbis_search.cli"
    assert loaded <= {"orbis_search", cli, f"{cli}.main", f"{cli}.group", "orbis_search.errors"}


def test_alone_it_shows_the_commands_by_purpose(run: Run) -> None:
    alone = run()
    assert alone == run("--help")
    assert alone.code == 0
    for name, entry in COMMANDS.items():
        assert f"{entry.section}:" in alone.out
        assert re.search(rf"^  {name} +{re.escape(entry.short_help)}$", alone.out, re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_loads_and_explains_itself(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.code == 0
    assert result.out.startswith(f"Usage: orbis {name}")
    assert max(map(len, result.out.splitlines())) <= 80
    command = orbis.get_command(orbis.make_context("orbis", ["--version"], resilient_parsing=True), name)
    assert command is not None and command.help


def test_unknown_command_names_the_nearest(run: Run) -> None:
    result = run("shwo")
    assert result.code == 2
    assert "Did you mean show?" in result.err


def test_completion_knows_the_commands() -> None:
    typed = {"_ORBIS_COMPLETE": "bash_complete", "COMP_WORDS": "orbis pe", "COMP_CWORD": "1"}
    done = subprocess.run(PROGRAM, env=os.environ | typed, capture_output=True, text=True, check=False)
    assert done.stdout == "plain,perft\n"


# --- show


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_show_draws_the_golden_drawing(run: Run, path: Path) -> None:
    assert run("show", path.with_suffix(".toml")) == (0, path.read_text(encoding="utf-8"), "")


def test_a_position_comes_from_a_file_from_standard_input_or_from_the_line(
    run: Run, one_line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(GOLDEN)
    drawn = run("show", "middle-2.toml")
    assert drawn.code == 0
    assert run("show", "-", stdin=Path(MIDDLE).read_bytes()) == drawn
    assert run("show", one_line) == drawn


@pytest.mark.parametrize("form", ["--toml", "--oneline", "--json"])
def test_show_converts_without_loss(run: Run, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(GOLDEN)
    text = run("show", form, "middle-2.toml").out
    assert read_position(text, "converted", GOLDEN) == read_position(Path(MIDDLE).read_bytes(), "x", GOLDEN)


def test_a_converted_position_still_finds_its_tiles(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tile set is named relative to the file, so a file written elsewhere names it otherwise."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    assert run("show", "--toml", os.path.relpath(MIDDLE), "-o", "deep/copy.toml").code == 0
    assert run("check", "deep/copy.toml").code == 0


def test_two_forms_at_once_are_refused(run: Run) -> None:
    assert run("show", "--json", "--oneline", MIDDLE).code == 2


def test_colour_is_asked_for_or_for_a_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "\x1b[" not in run("show", MIDDLE).out
    assert "\x1b[" in run("show", "--color", "always", MIDDLE).out
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    assert wants_colour("auto", terminal)
    assert not wants_colour("never", terminal)
    assert not wants_colour("auto", io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour("auto", terminal)
    assert wants_colour("always", terminal)


def test_an_output_without_line_drawing_gets_ascii() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*PROGRAM, "show", MIDDLE], env=environment, capture_output=True, check=True)
    assert done.stdout.isascii()
    assert b"+- a3 - " in done.stdout


# --- check


def test_check_has_one_line_of_good_news(run: Run) -> None:
    result = run("check", MIDDLE)
    assert (result.code, result.err) == (0, "")
    news = r".*middle-2\.toml: fine; 2 players, turn 16 of 30, Ben to move, piles .*\n"
    assert re.fullmatch(news, result.out)
    facts = json.loads(run("check", "--json", MIDDLE).out)
    assert facts["ok"] is True
    assert (facts["turns_played"], facts["to_move"], sum(facts["piles"])) == (15, 2, 14)


def test_check_lists_every_problem_with_its_place(run: Run, tmp_path: Path) -> None:
    text = Path(MIDDLE).read_text(encoding="utf-8").replace('"tiles.toml"', f'"{GOLDEN / "tiles.toml"}"')
    text = re.sub(r'a3 = "\S+', 'a3 = "r9z', text)
    text = re.sub(r'realm = "[^"]*"', 'realm = "r11"', text, count=1)
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    result = run("check", path)
    assert (result.code, result.out) == (2, "")
    lines = result.err.splitlines()
    assert all(line.startswith(f"orbis: {path}: ") for line in lines)
    assert any("centre.a3: " in line and "r9z" in line for line in lines)
    assert any("realm" in line and "11" in line for line in lines)
    report = run("check", "--json", path)
    assert report.code == 2
    assert len(json.loads(report.out)["problems"]) == len(lines)


# --- bad files: one line, exit code 2, for every command that reads a position


@pytest.mark.parametrize("command", [["show"], ["check"], ["moves"], ["perft"]])
@pytest.mark.parametrize("kind", ["missing", "directory", "binary", "empty", "huge", "unreadable one-line"])
def test_an_unreadable_position_is_one_line(run: Run, tmp_path: Path, command: list[str], kind: str) -> None:
    path = tmp_path / "position"
    argument = str(path)
    if kind == "directory":
        path.mkdir()
    elif kind == "binary":
        path.write_bytes(b"players = 2\n\xff\xfe")
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "huge":
        path.write_bytes(b"#" * (MAX_BYTES + 1))
    elif kind == "unreadable one-line":
        argument = "o1:2"
    depth = ["1"] if command == ["perft"] else []
    result = run(*command, argument, *depth)
    assert (result.code, result.out) == (2, "")
    assert re.fullmatch(r"orbis: \S+: expected .*, found .*\n", result.err)


def test_a_file_name_with_a_line_break_stays_one_line(run: Run) -> None:
    result = run("show", "no\nsuch\x1bfile")
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "\x1b" not in result.err


# --- new


@pytest.mark.parametrize("players", [2, 3, 4])
def test_new_is_a_fresh_game(run: Run, players: int) -> None:
    text = run("new", "--players", players, "--seed", 5).out
    position = read_position(text, "new")
    assert (len(position.players), position.turns_played) == (players, 0)


@pytest.mark.parametrize("style", ["random", "sensible"])
def test_new_plays_on(run: Run, style: str) -> None:
    position = read_position(run("new", "--seed", 5, "--turns", 12, "--style", style).out, "new")
    assert position.turns_played == 12


def test_new_repeats_itself_from_a_seed_and_names_the_seed_it_drew(run: Run) -> None:
    drawn = run("new", "--players", 3, "--turns", 7).out
    first = drawn.splitlines()[0]
    seed = re.search(r"--seed (\d+)", first)
    assert seed is not None
    assert run("new", "--players", 3, "--turns", 7, "--seed", seed[1]).out == drawn


def test_new_writes_each_form(run: Run) -> None:
    file = read_position(run("new", "--seed", 6, "--turns", 9).out, "toml")
    assert read_position(run("new", "--seed", 6, "--turns", 9, "--json").out, "json") == file
    line = run("new", "--seed", 6, "--turns", 9, "--oneline").out
    assert line.count("\n") == 1
    assert read_position(line, "line") == file


def test_new_keeps_the_order_of_the_piles_only_when_asked(run: Run) -> None:
    usual = run("new", "--seed", 8).out
    ordered = run("new", "--seed", 8, "--keep-order").out
    assert "[piles]" not in usual
    assert "[piles]" in ordered
    known = read_position(ordered, "ordered")
    assert known != read_position(usual, "usual")
    assert known.centre == read_position(usual, "usual").centre


def test_new_takes_a_tile_set_and_names_it_as_the_new_file_sees_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "box.toml").write_text(dump_tile_set(load_tile_set("random:9")), encoding="utf-8")
    (tmp_path / "games").mkdir()
    assert run("new", "--tiles", "box.toml", "-o", "games/one.toml").code == 0
    assert 'tiles = "../box.toml"' in (tmp_path / "games/one.toml").read_text(encoding="utf-8")
    assert run("check", "games/one.toml").code == 0


def test_a_game_has_an_end(run: Run) -> None:
    assert run("new", "--players", 2, "--turns", 31).code == 2
    over = run("new", "--players", 2, "--seed", 1, "--turns", 30)
    assert read_position(over.out, "over").is_over
    assert run("moves", "-", stdin=over.out.encode()).out == "The game is over: no moves.\n"


# --- moves and perft


def test_moves_are_all_the_legal_ones_and_parse_back(run: Run) -> None:
    position = read_position(Path(MIDDLE).read_bytes(), "middle", GOLDEN)
    answer = json.loads(run("moves", "--all", "--json", MIDDLE).out)
    legal = reference.legal_moves(position)
    assert answer["count"] == len(legal)
    assert {move["text"] for move in answer["moves"]} == {format_move(position, move) for move in legal}
    for move in answer["moves"][:20]:
        assert parse_move(move["text"], position) in legal


def test_search_moves_are_some_of_all_moves(run: Run) -> None:
    every = {move["text"] for move in json.loads(run("moves", "--all", "--json", MIDDLE).out)["moves"]}
    search = {move["text"] for move in json.loads(run("moves", "--json", MIDDLE).out)["moves"]}
    assert search
    assert search <= every


def test_moves_are_grouped_counted_and_limited(run: Run) -> None:
    listing = run("moves", "--all", "--limit", "1", MIDDLE).out
    found = re.findall(r"^[abc][123], ([\d,]+) moves?:", listing, re.M)
    counts = [int(count.replace(",", "")) for count in found]
    gods = [int(count) for count in re.findall(r"^god \w+, (\d+) moves?:", listing, re.M)]
    total = re.match(r"Ben: ([\d,]+) legal moves\n", listing)
    assert total is not None
    assert sum(counts) + sum(gods) == int(total[1].replace(",", ""))
    assert len(re.findall(r"^  (?!\.\.\.)\S", listing, re.M)) == len(counts) + len(gods)
    whole = run("moves", "--all", "--limit", "0", MIDDLE).out
    assert "more" not in whole
    assert len(re.findall(r"^  \S", whole, re.M)) == sum(counts) + sum(gods)


@pytest.mark.parametrize("draws", [[], ["--draws"]])
def test_perft_counts_as_the_reference_does(run: Run, draws: list[str]) -> None:
    position = read_position(Path(MIDDLE).read_bytes(), "middle", GOLDEN)
    count = reference.perft(position, 1, bool(draws))
    assert run("perft", MIDDLE, 1, *draws).out == f"perft(1) = {count}\n"
    assert run("perft", MIDDLE, 1, *draws, "--reference").out == f"perft(1) = {count}\n"


def test_perft_divide_adds_up_in_both_rules(run: Run) -> None:
    opening = GOLDEN / "opening-2.toml"
    core = json.loads(run("perft", opening, 2, "--divide", "--json").out)
    slow = json.loads(run("perft", opening, 2, "--divide", "--json", "--reference").out)
    assert core["divide"] == slow["divide"]
    assert core["count"] == sum(part["count"] for part in core["divide"])
    assert run("perft", opening, 2).out == f"perft(2) = {core['count']}\n"


def test_a_seed_shuffles_the_fixed_order(run: Run) -> None:
    """Which tile comes first decides how many moves there are behind it."""
    opening = GOLDEN / "opening-4.toml"
    counts = [run("perft", opening, 2, "--reference", "--seed", seed).out for seed in (1, 2, 1)]
    assert counts[0] != counts[1]
    assert counts[0] == counts[2]
    assert run("perft", opening, 2, "--draws", "--seed", 1).code == 2


# --- tiles


def test_tiles_check_praises_a_good_set(run: Run) -> None:
    result = run("tiles", "check", "reconstruction")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("reconstruction: fine; 65 tiles\n")


def test_tiles_check_lists_every_problem(run: Run, tmp_path: Path) -> None:
    text = dump_tile_set(load_tile_set("reconstruction"))
    path = tmp_path / "box.toml"
    spoilt = text.replace("level = 1", "level = 4", 1).replace('colour = "blue"', 'colour = "pink"', 1)
    path.write_text(spoilt, encoding="utf-8")
    result = run("tiles", "check", path)
    assert result.code == 2
    assert len(result.err.splitlines()) >= 2
    assert all(line.startswith("orbis: ") and str(path) in line for line in result.err.splitlines())
    assert run("tiles", "check", "-", stdin=text.encode()).code == 0
    assert json.loads(run("tiles", "check", "--json", path).out)["ok"] is False


def test_tiles_show_lists_a_set(run: Run) -> None:
    listing = run("tiles", "show").out
    assert listing == run("tiles", "show", "reconstruction").out
    tiles = json.loads(run("tiles", "show", "random:3", "--json").out)
    assert [tile["id"] for tile in tiles["tiles"]] == [tile.id for tile in load_tile_set("random:3").tiles]


def test_the_template_asks_to_be_filled_in(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    assert run("tiles", "template", "-o", path) == (0, "", "")
    result = run("tiles", "check", path)
    assert result.code == 2
    assert "Traceback" not in result.err


def test_a_random_set_is_the_seeds(run: Run) -> None:
    assert run("tiles", "random", "--seed", 7).out == dump_tile_set(load_tile_set("random:7"))


# --- writing


def test_a_file_is_written_whole_or_not_at_all(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text("precious", encoding="utf-8")
    path.chmod(0o640)
    assert run("show", "--toml", tmp_path / "missing", "-o", path).code == 2
    assert path.read_text(encoding="utf-8") == "precious"
    assert run("new", "--seed", 1, "-o", path) == (0, "", "")
    assert read_position(path.read_bytes(), "game").turns_played == 0
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["game.toml"]


@pytest.mark.parametrize("target", ["", "no/such/folder/file"])
def test_an_output_that_cannot_be_written_is_one_line(run: Run, tmp_path: Path, target: str) -> None:
    result = run("new", "--seed", 1, "-o", tmp_path / target)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("orbis: ")
    assert result.err.count("\n") == 1
    assert os.listdir(tmp_path) == []


# --- among other programs


def test_a_reader_that_stops_reading_is_no_error() -> None:
    """As in `orbis show … | head -1`, with the pipe closed before anything is written."""
    process = subprocess.Popen([*PROGRAM, "show", MIDDLE], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 0
    process.stderr.close()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [["--version"], ["show", MIDDLE]])
def test_a_full_disk_is_one_line(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        command = [*PROGRAM, *arguments]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert re.fullmatch(r"orbis: standard output: .*\n", done.stderr)


def test_an_interrupt_is_one_line_and_130() -> None:
    """While it waits for a position on standard input."""
    pipe = subprocess.PIPE
    process = subprocess.Popen([*PROGRAM, "check", "-"], stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    wait_until_it_reads(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "orbis: interrupted\n")


def wait_until_it_reads(pid: int) -> None:
    """Imports over, the program sleeps in its read; an interrupt before that would test the interpreter."""
    for _ in range(600):
        time.sleep(0.05)
        try:
            if Path(f"/proc/{pid}/wchan").read_text().startswith(("pipe_read", "anon_pipe_read")):
                return
        except OSError:
            break
    time.sleep(3)


def test_json_of_a_position_is_the_notations(run: Run) -> None:
    position = read_position(Path(MIDDLE).read_bytes(), "middle", GOLDEN)
    shown = json.loads(run("show", "--json", MIDDLE).out)
    assert shown["players"] == json.loads(write_json(position))["players"]
