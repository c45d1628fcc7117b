"""Shell habits: the settings file, completion, and how much a command imports before it starts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from orbis_search.cli.group import COMMANDS
from orbis_search.cli.settings import MAX_BYTES, settings_path
from orbis_search.notation.examples import example_text
from program import PROGRAM, Run


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    path = tmp_path / "settings.toml"
    monkeypatch.setenv("ORBIS_SETTINGS", str(path))

    def write(text: str | bytes) -> Path:
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


# --- settings


def test_settings_are_defaults_and_what_is_typed_wins(run: Run, settings: Callable[[str], Path]) -> None:
    settings('[advise]\nsims = 300\nthreads = 1\nseed = 5\njson = true\ntop = 2\nmemory = "4M"\n')
    found = json.loads(run("advise").out)
    assert (found["simulations"], found["threads"], found["seed"], len(found["ideas"])) == (300, 1, 5, 2)
    found = json.loads(run("advise", "--sims", "100", "--seed", "6").out)
    assert (found["simulations"], found["threads"], found["seed"]) == (100, 1, 6)


def test_settings_of_flags_lists_and_subcommands(run: Run, settings: Callable[[str], Path]) -> None:
    settings("[moves]\nall = true\n[new]\nkeep-order = true\n[bench.rules]\nseconds = 0.05\njson = true\n")
    assert "121 legal moves" in run("moves").out
    assert "57 search moves" in run("moves", "--search").out
    assert "pile" in run("new", "--seed", "1").out
    assert json.loads(run("bench", "rules").out)["format"] == "orbis-bench"
    settings(
        '[moves]\nsearch = false\n[advise]\nsims = 200\njson = true\nkeep = ["god nature"]\n[check]\njson = true\n'
    )
    assert "121 legal moves" in run("moves").out
    assert any(row["best"]["kept"] for row in json.loads(run("advise").out)["ideas"])
    assert json.loads(run("check").out)["ok"] is True


def test_no_settings_if_one_says_so(run: Run, settings: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    settings("[check]\njson = true\n")
    assert run("check").out.startswith("{")
    assert run("--no-settings", "check").out.startswith("the built-in example: fine")
    monkeypatch.setenv("ORBIS_SETTINGS", "")
    assert run("check").out.startswith("the built-in example: fine")


def test_where_settings_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORBIS_SETTINGS")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert settings_path() is None
    usual, moved = tmp_path / ".config" / "orbis", tmp_path / "elsewhere" / "orbis"
    for folder in (usual, moved):
        folder.mkdir(parents=True)
        (folder / "settings.toml").touch()
    assert settings_path() == str(usual / "settings.toml")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(moved.parent))
    assert settings_path() == str(moved / "settings.toml")
    monkeypatch.setenv("ORBIS_SETTINGS", "named.toml")
    assert settings_path() == "named.toml"


@pytest.mark.parametrize(
    "text, message",
    [
        ("[advice]\n", ': expected a table for a command, found "advice" (nearest: advise)'),
        ("advise = 3\n", ": advise: expected a table, as [advise], found 3"),
        ("[check\n", ": expected settings in TOML, found a syntax error:"),
        (b"\xff", ": expected text in UTF-8, found other bytes"),
        (b"#" * (MAX_BYTES + 1), ": expected settings of at most 65536 bytes, found more"),
        ("[check]\nturns = 3\n", ': [check] turns: expected one of tiles, turn, json, found "turns"'),
        ("[check]\njson = 1\n", ": [check] json: expected true or false, found 1"),
        ("[check]\nposition = 'a'\n", ": [check] position: expected one of tiles, turn, json"),
        ("[check]\ntiles = ['a']\n", ": [check] tiles: expected one value, found a list"),
        ("[show]\noutput = 'a'\n", ": [show] output: expected one of"),
        ("[advise]\ntime = 'soon'\n", ': [advise] time: expected a time such as 5s, 250ms or 2m, found "soon"'),
        ("[advise]\nconfidence = 7\n", ": [advise] confidence: expected another value: "),
        ("[bench.rules]\nsecond = 7\n", ": [bench.rules] second: expected one of seed, tiles, seconds, json"),
    ],
)
def test_bad_settings_are_one_clear_error(
    run: Run, settings: Callable[[str | bytes], Path], text: str | bytes, message: str
) -> None:
    path = settings(text)
    command = str(text).split("[")[-1].split("]")[0].split(".")[0] if "[" in str(text) else "check"
    done = run(*{"bench": ("bench", "rules")}.get(command, (command if command in COMMANDS else "check",)))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"orbis: {path}{message}") and done.err.count("\n") == 1
    assert run("--no-settings", "check").code == 0


def test_all_problems_of_a_table_are_told(run: Run, settings: Callable[[str], Path]) -> None:
    settings("[advise]\nsims = 0\ntop = 0\nthread = 1\n")
    assert run("advise").err.count("\n") == 3


def test_settings_that_are_named_have_to_be_there(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORBIS_SETTINGS", str(tmp_path / "none.toml"))
    assert run("check").err == f"orbis: {tmp_path / 'none.toml'}: expected a readable settings file, found: " + (
        "No such file or directory\n"
    )
    monkeypatch.setenv("ORBIS_SETTINGS", str(tmp_path))
    assert run("check").code == 2


# --- completion


def completed(*words: str) -> list[str]:
    """What bash would be offered for the last word."""
    typed = {
        "_ORBIS_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(("orbis", *words)),
        "COMP_CWORD": str(len(words)),
    }
    done = subprocess.run(PROGRAM, env=os.environ | typed, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_commands_options_and_choices_are_completed() -> None:
    assert completed("ad") == ["plain,advise"]
    assert completed("advise", "--sim") == ["plain,--sims"]
    assert completed("tiles", "te") == ["plain,template"]
    assert completed("show", "--color", "a") == ["plain,auto", "plain,always"]
    assert completed("completion", "") == ["plain,bash", "plain,zsh", "plain,fish"]


def test_files_and_tile_sets_are_completed() -> None:
    assert completed("check", "gam") == ["file,gam"]
    assert completed("show", "-o", "gam") == ["file,gam"]
    assert completed("show", "--tiles", "rec") == ["plain,reconstruction", "file,rec"]
    assert completed("new", "--tiles", "ran") == ["plain,random:", "file,ran"]


def test_moves_are_completed_word_by_word(tmp_path: Path) -> None:
    game = tmp_path / "game.toml"
    game.write_text(example_text(), "utf-8")
    assert completed("apply", str(game), "b3", "") == ["plain,r2a"]
    assert completed("apply", str(game), "b3", "r2a", "1") == ["plain,1R", "plain,1L"]
    assert completed("apply", str(game), "god", "") == ["plain,nature", "plain,death"]
    assert completed("apply", str(game), "z") == []
    assert completed("apply", "nowhere.toml", "b") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_scripts_ask_the_program(run: Run, shell: str, tmp_path: Path) -> None:
    done = run("completion", shell)
    assert done.code == 0 and done.err == ""
    assert f"_ORBIS_COMPLETE={shell}_complete" in done.out
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here to read it")
    script = tmp_path / "script"
    script.write_text(done.out)
    subprocess.run([shell, "-n", str(script)], check=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes(run: Run, tmp_path: Path) -> None:
    """The script in a bash that finds the program under its name."""
    program = tmp_path / "orbis"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m orbis_search.cli.main "$@"\n')
    program.chmod(0o755)
    script = run("completion", "bash").out + (
        'COMP_WORDS=(orbis adv); COMP_CWORD=1; _orbis_completion orbis adv orbis; echo "${COMPREPLY[@]}"\n'
    )
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True)
    assert done.stdout == "advise\n", done.stderr


# --- starting


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--json",),
        ("GAME",),
        ("GAME", "--json"),
        ("--json", "GAME", "--json"),
        ("nowhere.toml",),
        ("nowhere.toml", "--json"),
        ("o1:2",),
        ("GAME", "GAME"),
        ("--jsn",),
        ("GAME", "-x"),
        ("--help",),
        ("",),
        ("--", "GAME"),
        ("GAME", "--tiles", "nowhere"),
        ("--tiles",),
        ("--tiles=reconstruction",),
    ],
    ids=" ".join,
)
def test_check_answers_alike_with_and_without_click(
    run: Run, arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tmp_path / "game.toml"
    game.write_text(example_text(), "utf-8")
    given = [str(game) if word == "GAME" else word for word in arguments]
    found = run("check", *given)
    assert run("--no-settings", "check", *given) == found  # an option before the command: by way of click
    assert found.code in (0, 2)


@pytest.mark.parametrize("arguments", [["check"], ["check", "--json"], ["check", "nowhere.toml"], ["--version"]])
def test_simple_commands_start_without_click(arguments: list[str]) -> None:
    code = (
        f"import sys; from orbis_search.cli.main import main; main({arguments!r});"
        "heavy = {'click', 'numpy', 'tqdm', 'orbis_search._core', 'orbis_search.notation.move_text'};"
        "print(*sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_the_start_up_benchmark_runs() -> None:
    script = Path(__file__).parent.parent / "benchmarks" / "startup.py"
    done = subprocess.run([sys.executable, str(script), "--runs", "1"], capture_output=True, text=True, check=True)
    assert "orbis check FILE" in done.stdout and "times python -c pass" in done.stdout
