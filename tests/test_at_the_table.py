"""What somebody with the box on the table meets: a game where a position is expected, help, results, words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import games
from orbis_search.drawing.labels import result_points
from orbis_search.drawing.terminal import render_position
from orbis_search.game import rules
from orbis_search.notation import write_oneline, write_toml
from orbis_search.record.game import Record
from orbis_search.record.json import record_to_json
from orbis_search.record.text import write_record
from program import MIDDLE, Run


@pytest.fixture(scope="module")
def whole() -> Record:
    """A game of two, played to its end."""
    return games.game(5)


@pytest.fixture
def file(whole: Record, tmp_path: Path) -> Path:
    path = tmp_path / "game.orbis"
    path.write_text(write_record(whole.before(28)), encoding="utf-8")
    return path


# --- a game where a position is expected


TAKES_A_POSITION = (
    ("advise", "--sims", "200", "--threads", "1", "--json"),
    ("solve", "--nodes", "1000", "--threads", "1", "--json"),
    ("check", "--json"),
    ("show", "--oneline"),
    ("moves",),
    ("perft", "1"),
    ("apply", "{first}", "--seed", "1", "--oneline"),
)


def steady(text: str) -> str:
    """Without the figures that differ from run to run."""
    return re.sub(r'"(seconds|nodes)": [0-9.]+', "", text)


@pytest.mark.parametrize("command", TAKES_A_POSITION, ids=lambda command: command[0])
@pytest.mark.parametrize("turn", [None, 26])
def test_every_command_takes_a_game_for_its_position(
    run: Run, file: Path, whole: Record, command: tuple[str, ...], turn: int | None
) -> None:
    name, *more = command
    position = whole.position(turn or 28)
    more = [each.format(first=whole.stage(turn or 28).format(whole.turn(turn or 28).move)) for each in more]
    asked = run(name, file, *more, *(() if turn is None else ("--turn", turn)))
    assert asked.code == 0, asked.err
    assert steady(asked.out) == steady(run(name, write_oneline(position), *more).out)


def test_a_game_may_come_from_standard_input_and_in_json(run: Run, file: Path, whole: Record) -> None:
    expected = write_oneline(whole.position(28)).strip()
    assert run("show", "-", "--oneline", stdin=file.read_bytes()).out.strip() == expected
    written = json.dumps(record_to_json(whole.before(28)))
    assert run("show", "-", "--oneline", stdin=written.encode()).out.strip() == expected


def test_a_game_whose_last_line_was_cut_short_is_read_without_it_and_says_so(run: Run, file: Path) -> None:
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole + "28. Bo: god lo", encoding="utf-8")
    asked = run("check", file)
    assert asked.code == 0
    assert "28. Bo: god lo" in asked.err


def test_a_turn_that_is_not_in_the_game_or_of_no_game_is_one_line(run: Run, file: Path, whole: Record) -> None:
    assert run("check", file, "--turn", "29") == (2, "", "orbis: --turn: expected a turn from 1 to 28, found 29\n")
    for position in (write_oneline(whole.position(3)), MIDDLE):
        asked = run("check", position, "--turn", "3")
        assert (asked.code, asked.out) == (2, "")
        assert asked.err == "orbis: --turn: expected a game to take turn 3 from, found a position\n"


def test_a_game_with_a_tile_that_nobody_saw_says_which(run: Run, tmp_path: Path) -> None:
    openings = (games.game(seed, turns=1, unknown=1.0) for seed in range(20))
    hidden = next(record for record in openings if record.stage().unseen)
    path = tmp_path / "game.orbis"
    path.write_text(write_record(hidden), encoding="utf-8")
    asked = run("moves", path)
    assert asked.code == 2
    assert re.search(r"turn 2: expected every tile to be known, found none on [abc][123] since turn 1", asked.err)


def test_a_game_is_not_edited_into_a_position(run: Run, file: Path) -> None:
    before = file.read_bytes()
    asked = run("edit", file, stdin=b"quit\n")
    assert asked.code == 2
    assert "found a game" in asked.err
    assert file.read_bytes() == before


# --- help and results


@pytest.mark.parametrize("words", [(), ("advise",), ("record",), ("record", "show")])
def test_help_is_a_word_too(run: Run, words: tuple[str, ...]) -> None:
    assert run("help", *words) == run(*words, "--help")
    assert run("help", *words).code == 0


def test_help_of_an_unknown_command_names_the_nearest(run: Run) -> None:
    asked = run("help", "advice")
    assert asked.code == 2
    assert "Did you mean advise?" in asked.err


def test_help_speaks_the_language_that_is_asked_for(run: Run) -> None:
    assert run("--lang", "de", "help", "check") == run("check", "--help", "--lang", "de")


def test_results_name_the_winners_points_first(run: Run, tmp_path: Path) -> None:
    losing_first = next(
        record
        for record in map(games.game, range(20))
        if rules.winners(record.position()) == (1,) and len({s.total for s in rules.score(record.position())}) == 2
    )
    first, second = (score.total for score in rules.score(losing_first.position()))
    assert f"Bo wins, {second} : {first}" in render_position(losing_first.position())
    path = tmp_path / "over.toml"
    path.write_text(write_toml(losing_first.position()), encoding="utf-8")
    assert f"Bo wins, {second} : {first}" in run("show", path, "--svg", "-").out
    assert result_points(rules.score(losing_first.position())) == f"{second} : {first}"
