"""The installed program: each command's answers, its errors, and how it behaves among other programs."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from orbis_search import __version__
from orbis_search.cli.group import COMMANDS, orbis
from orbis_search.cli.options import MAX_BYTES, wants_colour
from orbis_search.game import rules
from orbis_search.game.position import Position
from orbis_search.game.problems import problems
from orbis_search.notation import read_position, write_json, write_oneline
from orbis_search.notation.move_json import move_from_json, move_to_json
from orbis_search.notation.move_text import format_move, parse_move
from orbis_search.tileset.descriptions import describe, tell_briefly
from orbis_search.tileset.files import dump_tile_set
from orbis_search.tileset.library import load_tile_set
from program import GOLDEN, MIDDLE, PROGRAM, TESTS, Run


@pytest.fixture
def one_line() -> str:
    return write_oneline(read_position(Path(MIDDLE).read_bytes(), "middle", GOLDEN)).strip()


# --- the program itself


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"orbis {__version__}\n", "")


def test_version_imports_nothing_heavy() -> None:
    code = (
        "import sys; from orbis_search.cli.main import main; main(['--version']);"
        "heavy = {'click', 'numpy', 'tomllib', 'dataclasses', 'json', 'orbis_search.game.tiles'};"
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
    language = {
        f"{cli}.language",
        f"{cli}.settings",
        f"{cli}.translation",
        "orbis_search.base.language",
        "orbis_search.base.speech",
    }
    assert loaded <= {
        "orbis_search",
        cli,
        f"{cli}.main",
        f"{cli}.group",
        "orbis_search.base",
        "orbis_search.base.errors",
        "orbis_search.base.quoting",
        "orbis_search.base.values",
        *language,
    }


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


def test_a_converted_position_still_finds_its_tiles(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tile set is named relative to the file, so a file written elsewhere names it otherwise."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    assert run("show", "--toml", os.path.relpath(MIDDLE), "-o", "deep/copy.toml").code == 0
    assert run("check", "deep/copy.toml").code == 0


def test_two_forms_at_once_are_refused(run: Run) -> None:
    assert run("show", "--json", "--oneline", MIDDLE).code == 2


def test_colour_is_asked_for_or_for_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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


def test_check_names_a_file_with_a_colon_by_its_name(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game: one.toml"
    path.write_bytes(run("new", "--seed", 1).out.encode())
    assert run("check", path).out.startswith(f"{path}: fine")


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


@pytest.mark.parametrize("command", [["show"], ["check"], ["moves"], ["perft"], ["apply"]])
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
    more = {"perft": ["1"], "apply": ["b2 1", "--seed", "1"]}.get(command[0], [])
    result = run(*command, argument, *more)
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
    legal = rules.legal_moves(position)
    assert answer["count"] == len(legal)
    assert {move["text"] for move in answer["moves"]} == {format_move(position, move) for move in legal}
    for move in answer["moves"][:20]:
        assert parse_move(move["text"], position) in legal


def test_moves_as_json_are_read_back(run: Run) -> None:
    position = read_position(Path(MIDDLE).read_bytes(), "middle", GOLDEN)
    answer = json.loads(run("moves", "--json", MIDDLE).out)
    for data in answer["moves"]:
        move = move_from_json(data, position)
        assert data == move_to_json(position, move)
        assert data["text"] == format_move(position, move)


def test_the_help_claims_a_best_move_for_two_players_only(run: Run) -> None:
    words = " ".join(run("moves", "--help").out.split())
    assert "With two players they always include a best move; with more, that is likely but not certain." in words


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
    count = rules.perft(position, 1, bool(draws))
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


# --- apply


OPENING = str(GOLDEN / "opening-2.toml")


def applied(run: Run, *arguments: object) -> Position:
    result = run("apply", *arguments)
    assert (result.code, result.err) == (0, "")
    return read_position(result.out, "applied", GOLDEN)


def opening() -> Position:
    return read_position(Path(OPENING).read_bytes(), "opening", GOLDEN)


def test_apply_plays_a_move_and_lays_the_tile_that_came(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(GOLDEN)
    before = opening()
    text = format_move(before, parse_move("b2 wild 1L", before))
    after = rules.apply(before, parse_move("b2 wild 1L", before))
    for tile in rules.draws(after):
        expected = rules.refill(after, tile)
        assert applied(run, OPENING, "b2 wild 1L", "--draw", tile.id.upper()) == expected
        assert applied(run, OPENING, "B2", "Wild", "left", "--draw", describe(tile)) == expected
        assert applied(run, OPENING, "--draw", tile.id, "--json", *text.split()) == expected
        assert applied(run, OPENING, text, "--draw", tile.id, "--oneline") == expected
    first = run("apply", OPENING, "b2 wild 1L", "--draw", tile.id, "--toml").out.splitlines()[0]
    assert first == f"# After: {text}; {tile.id} came to b2"


def test_apply_draws_by_a_seed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(GOLDEN)
    after = rules.apply(opening(), parse_move("b2 wild 1L", opening()))
    drawn = [applied(run, OPENING, "b2 wild 1L", "--seed", seed).centre[4].tile for seed in range(60)]
    assert set(drawn) == set(rules.draws(after))
    assert drawn[3] == applied(run, OPENING, "b2 wild 1L", "--seed", 3).centre[4].tile


def test_apply_takes_a_god_without_a_refill(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(GOLDEN)
    before = opening()
    move = next(move for move in rules.legal_moves(before) if move.god is not None)
    text = format_move(before, move)
    assert applied(run, OPENING, text) == rules.apply(before, move)
    assert applied(run, OPENING, text, "--seed", 1) == rules.apply(before, move)
    assert "refills nothing" in run("apply", OPENING, text, "--draw", "r1a").err


def test_apply_asks_for_the_tile_that_came(run: Run) -> None:
    result = run("apply", OPENING, "b2 wild 1L")
    assert (result.code, result.out) == (2, "")
    possible = rules.draws(rules.apply(opening(), parse_move("b2 wild 1L", opening())))
    assert result.err == (
        "orbis: refill: expected --draw TILE or --seed N, as a tile is drawn for b2 "
        f"(one of {len(possible)}: {tell_briefly(possible, len(possible))}), found neither\n"
    )
    assert all(f"{tile.id} ({tile.colour.word}" in result.err for tile in possible), "nobody knows the ids by heart"


def test_apply_names_at_most_twelve_tiles(run: Run) -> None:
    result = run("apply", MIDDLE, "b2 wild 2.1")
    position = read_position(Path(MIDDLE).read_bytes(), "middle", GOLDEN)
    assert position.piles[2].left == 14
    listed = re.search(r"one of 14: (.*), \.\.\.\)", result.err)
    assert listed is not None and len(listed[1].split("), ")) == 12


def test_apply_lays_a_described_tile_for_an_unseen_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A box that is not quite the set: what came need not be in the set."""
    monkeypatch.chdir(GOLDEN)
    text = "red L2 cost w5 none 7cp"
    after = applied(run, OPENING, "b2 wild 1L", "--draw", text)
    assert after.centre[4].tile is not None and after.centre[4].tile.described
    assert len(after.piles[1].tiles) == after.piles[1].left + 1
    assert problems(after) == []
    assert run("apply", OPENING, "b2 wild 1L", "--draw", text.replace("L2", "L1")).code == 2
    seen = opening().centre[0].tile
    assert seen is not None
    assert run("apply", OPENING, "b2 wild 1L", "--draw", seen.id).code == 2
    assert run("apply", OPENING, "b2 wild 1L", "--draw", describe(seen)).code == 2


def test_apply_never_lays_a_mystic_value_twice(run: Run, tmp_path: Path) -> None:
    """The set has an unseen tile with the value of a described one, and no tile to spare."""
    text = (TESTS / "malformed" / "base.toml").read_text(encoding="utf-8")
    text = text.replace('"box.toml"', f'"{TESTS / "malformed" / "box.toml"}"')
    path = tmp_path / "game.toml"
    text = text.replace('b1 = "w2c', 'b1 = "white L2 free temple 1 3cp mystic 10')
    path.write_text(text, encoding="utf-8")
    assert run("check", path).code == 0
    result = run("apply", path, "b1 wild 1L", "--draw", "w3c")
    assert (result.code, result.out) == (2, "")
    assert "expected a tile that can be drawn (one of 13: " in result.err
    for seed in range(30):
        assert run("apply", path, "b1 wild 1L", "--seed", seed, "-o", tmp_path / "next.toml").code == 0
        assert run("check", tmp_path / "next.toml").code == 0


def test_a_whole_game_is_applied_move_by_move(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    run("new", "--seed", 4, "-o", path)
    for turn in range(30):
        moves = json.loads(run("moves", path, "--json", "--limit", 1).out)["moves"]
        text = moves[turn % len(moves)]["text"]
        assert run("apply", path, text, "--seed", turn, "-o", path) == (0, "", "")
        assert run("check", path).code == 0
    assert read_position(path.read_bytes(), "over").is_over
    assert "after the game's end" in run("apply", path, "b2 1L").err


def test_an_applied_position_still_finds_its_tiles(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    arguments = ["b2 wild 2.1", "--seed", 1, "-o", "deep/next.toml"]
    assert run("apply", os.path.relpath(MIDDLE), *arguments).code == 0
    assert run("check", "deep/next.toml").code == 0
    monkeypatch.chdir(GOLDEN)
    assert run("apply", one_line, "b2 wild 2.1", "--seed", 1, "-o", tmp_path / "deep" / "line.toml").code == 0
    assert run("check", tmp_path / "deep" / "line.toml").code == 0


# --- what a stranger types


BAD = {
    "a.txt": "hello there\n",
    "set.toml": "@set",
    "yaml.toml": "players: 2\n",
    "array.json": "[1, 2]",
    "players.toml": "players = 2\n",
    "curved.toml": "gods = \u201clove\u201d\n",
    "single.toml": "[player]\nname = 'Anna'\n",
}
MISTYPED = """
show nothing.toml
show .
show game.toml game.toml
show --jsn game.toml
show --color yes game.toml
show --json --toml game.toml
show -o
show --toml -o no/such/folder game.toml
check a.txt
check set.toml
check yaml.toml
check array.json
check players.toml
check curved.toml
check single.toml
check o1:
check o2:2:x
check o1:2:reconstruction:r1a
check --tiles nothing game.toml
check --tiles random:x game.toml
check --tiles game.toml game.toml
moves a.txt
moves game.toml --limit many
moves game.toml --limit -1
perft game.toml
perft game.toml deep
perft game.toml 1 --seed -4
perft game.toml 1 --draws --seed 4
new --players 5
new --players two
new --turns 31
new --seed abc
new --tiles nothing
new --tiles -
new --oneline --json
tiles chek set.toml
tiles check
tiles check nothing.toml
tiles check game.toml
tiles check a.txt
tiles check random:
tiles show 7
tiles show set.toml set.toml
tiles random --seed 1.5
tiles template extra
apply
apply game.toml
apply game.toml ''
apply game.toml hello
apply game.toml b9 1
apply game.toml b2
apply game.toml b2 wild 9.9
apply game.toml b2 wild 1 --draw
apply game.toml b2 wild 1 --draw zz
apply game.toml b2 wild 1 --draw red
apply game.toml b2 wild 1 --draw r3a
apply game.toml b2 wild 1 --draw r1a --seed 2
apply game.toml b2 wild 1 --seed x
apply game.toml b2 wild 1 --seed 1 --json --toml
apply game.toml god zeus
apply game.toml --pay r
apply nothing.toml b2
shwo game.toml
--players 2
"""


@pytest.mark.parametrize("line", MISTYPED.strip().splitlines())
def test_whatever_is_mistyped_gets_a_clear_line_and_leaves_nothing_behind(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", "--seed", 3, "-o", "game.toml")
    for name, text in BAD.items():
        text = dump_tile_set(load_tile_set("random:7")) if text == "@set" else text
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    result = run(*shlex.split(line))
    assert (result.code, result.out) == (2, "")
    lines = result.err.rstrip("\n").split("\n")
    if lines[0].startswith("Usage: "):
        assert lines[1].startswith("Try ") and lines[3].startswith("Error: ") and len(lines) == 4
    else:
        assert all(re.match(r"orbis: .*|Error: .* requires an argument\.|  \S", each) for each in lines)
        assert len([each for each in lines if not each.startswith("  ")]) <= 2
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files


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
