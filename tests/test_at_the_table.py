"""What somebody with the box on the table meets: a game where a position is expected, help, results, words."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import games
from orbis_search import advise
from orbis_search.advice.text import advice_text, reasons
from orbis_search.base.errors import InputError
from orbis_search.base.quoting import fold
from orbis_search.base.synonyms import COMMANDS, WORDS
from orbis_search.drawing.labels import result_points
from orbis_search.drawing.sentences import idea_words, move_words
from orbis_search.drawing.terminal import render_position, render_turn
from orbis_search.entry.draft import sheet_of
from orbis_search.entry.keystrokes import keys_of_draw, keys_of_move
from orbis_search.entry.move_dialog import MoveEntry
from orbis_search.entry.names import god_of
from orbis_search.entry.position_dialog import Editor
from orbis_search.entry.position_tiles import highest_level
from orbis_search.entry.questions import KEYS, Option, Question, find_option, is_whole
from orbis_search.entry.tile_dialog import not_among, several_tiles
from orbis_search.game import rules
from orbis_search.game.position import Cell
from orbis_search.game.vocabulary import CELLS, Colour, God, Worshipers
from orbis_search.notation import format_move, parse_move, read_position, write_oneline, write_toml
from orbis_search.notation.common import Reading
from orbis_search.record.file import load_record
from orbis_search.record.game import Record, Stage
from orbis_search.record.json import record_to_json
from orbis_search.record.text import write_record
from orbis_search.solver import ties
from orbis_search.solver.data import Solution
from orbis_search.solver.endgame import solve, solve_packed
from orbis_search.solver.ties import ranked_by_points, tied_moves
from orbis_search.tileset.descriptions import describe
from orbis_search.tileset.library import load_tile_set
from orbis_search.tileset.matching import best_matching
from orbis_search.tileset.resolving import resolve_tile
from orbis_search.tileset.syntax import is_tile_word
from program import MIDDLE, Run, Terminal


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


# --- few keys


def tracked(run: Run, tmp_path: Path, *lines: str, **more: str) -> tuple[str, Record]:
    """What is said of a game that begins in the middle, and the game then."""
    path = tmp_path / "game.orbis"
    script = "".join(f"{line}\n" for line in lines).encode()
    told = run("track", path, "--from", MIDDLE, "--time", "0.2s", stdin=script, **more)
    assert told.code == 0, told.err
    return told.out, load_record(str(path)).record


@pytest.mark.parametrize("word", ["+", "best", "play 1", "przyjmij", "сыграть 1"])
def test_one_key_plays_what_was_advised_once_it_was_shown(run: Run, tmp_path: Path, word: str) -> None:
    told, record = tracked(run, tmp_path, "advice", word)
    notation = re.search(r"\n\n(?:[^\n]+\n)+?  ((?:[abc][123]|god) [^\n]+)\n\n +win %", told)
    assert notation is not None and "+ plays move 1: " in told
    position = record.start
    assert format_move(position, record.turn(record.first).move) == notation[1]


def test_nothing_is_played_that_was_not_shown(run: Run, tmp_path: Path) -> None:
    told, record = tracked(run, tmp_path, "+")
    assert "+ plays move 1: " in told and record.turns == ()
    assert "win %" in told


def test_a_move_further_down_can_be_played_by_its_number(run: Run, tmp_path: Path) -> None:
    told, record = tracked(run, tmp_path, "advice", "play 2")
    second = re.search(r"\n +2  .*?(\w+) from ([abc][123])|\n +2  .*?god (\w+)", told)
    assert second is not None
    played = format_move(record.start, record.turn(record.first).move)
    assert played.startswith(f"{second[2]} {second[1]}" if second[2] else f"god {second[3]}")


def test_a_number_that_no_move_has_plays_nothing(run: Run, tmp_path: Path) -> None:
    told, record = tracked(run, tmp_path, "+", "play 99")
    assert "expected a move from 1 to" in told and record.turns == ()


def test_why_names_the_move_that_it_compares_with_the_best(run: Run, tmp_path: Path) -> None:
    told, _record = tracked(run, tmp_path, "why b2", "why d7")
    assert re.search(r"Why 1 and not [0-9]+[a-z]*\?", told)
    assert "d7" in told.rpartition("chance to win")[2]


def test_digits_need_no_enter_at_a_terminal(tmp_path: Path) -> None:
    record = games.game(3, turns=4)
    start = tmp_path / "start.toml"
    start.write_text(write_toml(record.start), encoding="utf-8")
    terminal = Terminal("track", "game.orbis", "--from", "start.toml", cwd=tmp_path)
    terminal.type("", "Tile (7 8 9")
    for stage, turn in record.replay():
        keys = "".join(keys_of_move(stage, turn.move) + keys_of_draw(stage, turn.move, turn.drawn))
        terminal.type(keys, f"turn {stage.number + 1} of 30")
    terminal.type("quit\r", "Saved in game.orbis")
    assert terminal.ends() == 0
    assert load_record(str(tmp_path / "game.orbis")).record.turns == record.turns


def test_an_enter_out_of_habit_answers_nothing(tmp_path: Path) -> None:
    """The slot has a default if only one fits; an Enter right after the tile's digit must not take it."""
    stage = Stage(read_position(Path(MIDDLE).read_bytes(), "", Path(MIDDLE).parent))
    for key in "789456123":
        entry = MoveEntry(stage)
        entry.answer(key)
        if entry.question is not None and entry.question.default:
            break
    terminal = Terminal("track", "game.orbis", "--from", MIDDLE, cwd=tmp_path)
    terminal.type("", "Tile (7 8 9")
    terminal.type(f"{key}\r", "Slot (")
    shown = terminal.type("-", "Tile (7 8 9")  # still there to be gone back from
    assert "Tile drawn" not in shown
    terminal.type("quit\r", "Saved in game.orbis")
    assert terminal.ends() == 0


def test_a_digit_is_taken_at_once_only_if_no_longer_answer_begins_with_it() -> None:
    many = Question("x", "", tuple(Option(str(number), "", number) for number in range(13)))
    assert [is_whole(typed, many) for typed in ("1", "2", "12", "0", "00", "13", "", "x", "٢")] == [
        False, True, True, False, False, False, False, False, False,
    ]  # fmt: skip
    assert [is_whole(typed, Question("goes", "", digits=3)) for typed in ("1", "11", "112")] == [False, False, True]


# --- advice that can be seen


@pytest.mark.parametrize("players", [2, 3, 4])
def test_advice_shows_everybodys_universe(players: int) -> None:
    record = games.game(8, players, turns=6 * players)
    position = record.position()
    told = advice_text(advise(position, simulations=200, seed=1))
    for player in position.players:
        part = told.partition(f"── {player.name} ──")[2].partition("\n\n")[0]
        rows = [row for row in player.rows if row]
        if players == 2 or player is position.players[position.to_move or 0]:
            assert part.count("┌") + part.count("├") >= len(rows) > 0
        else:
            drawn = re.search(r"universe ([RGBYW~.]+(?: / [RGBYW~.]+)*)$", part, re.MULTILINE)
            assert drawn is not None and [len(row) for row in drawn[1].split(" / ")] == [len(row) for row in rows]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_points_column_names_its_players_the_mover_first(players: int) -> None:
    position = games.game(8, players, turns=6 * players + 1).position()
    told = advice_text(advise(position, simulations=200, seed=1), board=False)
    order = [position.players[((position.to_move or 0) + step) % players].name for step in range(players)]
    named = told.splitlines()[[" points " in line for line in told.splitlines()].index(True) + 1]
    at = [named.index(name[:4]) for name in order]
    assert at == sorted(at)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("lines", [24, 60])
def test_on_a_small_terminal_the_centre_and_the_move_are_seen_at_the_end(players: int, lines: int) -> None:
    position = games.game(8, players, turns=6 * players).position()
    advice = advise(position, simulations=200, seed=1)
    last = advice_text(advice, lines=lines - 1).splitlines()[-(lines - 1) :]
    for cell in CELLS:
        assert any(f" {cell} " in line for line in last), cell
    assert f"  {format_move(position, advice.best.move)}" in last
    usual = advice_text(advice)
    assert usual == advice_text(advice, lines=500)
    assert sorted(usual.splitlines()) == sorted(advice_text(advice, lines=lines).splitlines()), "nothing is left out"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_at_the_question_for_a_move_the_centre_is_seen_at_24_lines(players: int) -> None:
    position = games.game(8, players, turns=6 * players).position()
    last = render_turn(position, lines=21).splitlines()[-21:]
    assert all(any(f" {cell} " in line for line in last) for cell in CELLS)
    assert render_turn(position, lines=500) == render_turn(position)


# --- commands in four languages


def test_commands_are_understood_in_every_language(run: Run, tmp_path: Path) -> None:
    for lang, words in {"de": ("zug", "Züge", "Hilfe", "Ende"), "pl": ("x", "ruchy", "pomoc", "wyjdź")}.items():
        folder = tmp_path / lang
        folder.mkdir()
        told, _record = tracked(run, folder, *words[1:], lang="en")
        assert "take back the last turn" in told, "help"
        assert "expected a tile" not in told


def test_edit_understands_its_words_in_every_language(run: Run, tmp_path: Path) -> None:
    lines = ["Anna Bo", "", "geh b2", "назад", "pomiń", "перейти gods", "zurück", "выйти"]
    path = tmp_path / "new.toml"
    told = run("edit", path, "--json", stdin="".join(f"{line}\n" for line in lines).encode())
    report = json.loads(told.out)
    assert [each["problems"] for each in report["exchange"]] == [[]] * len(lines), report
    assert report["exchange"][3]["question"].startswith("b2")
    assert report["exchange"][6]["question"].startswith("Gods")


def test_no_command_is_the_beginning_of_a_god_or_a_word_of_tiles() -> None:
    gods = [fold(name) for god in God for name in (god.word, *WORDS[god.word])]
    for command, words in COMMANDS.items():
        for word in (command, *words):
            assert not is_tile_word(word) or (command, word) == ("back", "back"), word
            assert not any(god.startswith(fold(word)) for god in gods), word
    everywhere = [fold(word) for command, words in COMMANDS.items() for word in (command, *words)]
    assert len(everywhere) == len(set(everywhere)), "a word stands for one command"


def test_the_words_for_a_verdict_are_understood_in_every_language() -> None:
    question = Question(
        "verdict", "", (Option("1", "valid", True, ("valid",)), Option("0", "x", False, ("cancelled",)))
    )
    for word in ("gewertet", "aktywny", "активирован"):
        assert find_option(word, question) is question.options[0]
    for word in ("unerfüllt", "nieaktywny", "отменён"):
        assert find_option(word, question) is question.options[1]


# --- why


def test_why_after_the_engines_move_speaks_of_the_engine(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.orbis"
    arguments = ("play", "Bo=casual", "me", "--seed", "4", "--time", "0.2s", "--record", path)
    told = run(*arguments, stdin=b"why\nquit\n").out
    said = told.partition("seen by Bo")[2]
    assert "Bo's points" in said
    assert not re.search(r"\byours?\b|\byou\b", said.partition("Saved in")[0]), said


def test_a_review_speaks_of_its_players() -> None:
    position = games.game(6, turns=20).position()
    advice = advise(position, simulations=400, seed=1)
    assert advice.why is not None
    for sentence in reasons(advice.why, "Bo"):
        assert "you" not in sentence.split()


# --- proofs


def test_moves_proved_equal_are_ranked_by_points(run: Run) -> None:
    """A late position in which the mover has many ways to win for certain."""
    for seed in range(60):
        position = games.game(seed, turns=27).position()
        by_win = solve(position, line=False)
        tied = tied_moves(by_win)
        margins = {each.move: each.low for each in solve(position, objective="margin", line=False).moves}
        if len(tied) > 1 and len({margins[each.move] for each in tied}) > 1:
            break
    ranked = ranked_by_points(by_win)
    assert ranked.best is not None and ranked.best.low == by_win.moves[0].low
    most = max(margins[each.move] for each in tied)
    assert margins[ranked.best.move] == most
    told = run("solve", write_oneline(position), "--threads", "1").out
    assert f"{len(tied)} moves are as good" in told
    first = format_move(position, ranked.best.move)
    assert re.search(rf"^  1\*  .*  {re.escape(first)}( |$)", told, re.MULTILINE)
    written = json.loads(run("solve", write_oneline(position), "--threads", "1", "--json").out)
    assert written["best"]["points_low"] == str(most)


def test_a_limit_that_is_spent_leaves_the_order_alone() -> None:
    position = games.game(0, turns=27).position()
    solution = solve(position, line=False)
    assert ranked_by_points(solution, nodes=solution.nodes) is solution


# --- words as printed and as typed


@pytest.mark.parametrize(
    "words, god", [("Goddess of Love", God.LOVE), ("harvest", God.HARVESTS), ("the Goddess of Harvests", God.HARVESTS)]
)
def test_gods_are_known_as_the_box_prints_them(words: str, god: God) -> None:
    assert god_of(words, "") is god
    assert Reading().god(words, "god") == (god, True), "in a file"


@pytest.mark.parametrize(
    "words, tile", [("red volc 2 of blue and green", "r2a"), ("white temple 6", "w2a"), ("temple 6", "w2a")]
)
def test_tiles_are_known_by_words_as_people_type_them(words: str, tile: str) -> None:
    tiles = load_tile_set()
    assert resolve_tile(words, tiles, 2).id == tile
    assert [each.id for each in best_matching(words, tiles.tiles)] == [tile]


def test_a_list_of_tiles_that_fit_shows_what_tells_them_apart() -> None:
    tiles = load_tile_set()
    with pytest.raises(InputError, match=re.escape("g2b (L2 cost rg 2cp), g3a (L3 cost g2b 4cp)")):
        resolve_tile("green forest 2 of red and yellow", tiles, 2)
    assert "g2b (L2 cost rg 2cp)" in several_tiles("x", [tiles.named("g2b"), tiles.named("g3a")])


def test_a_missing_quotation_mark_is_told_as_that_with_its_line(run: Run, tmp_path: Path) -> None:
    lines = Path(MIDDLE).read_text(encoding="utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("b2 ="))
    for broken in (lines[at].replace('"', "", 1), lines[at].rpartition('"')[0]):
        path = tmp_path / "broken.toml"
        path.write_text("\n".join([*lines[:at], broken, *lines[at + 1 :]]), encoding="utf-8")
        asked = run("check", path)
        assert asked.code == 2
        assert f"a quotation mark is missing in line {at + 1}: {broken.strip()}" in asked.err


def test_a_tile_described_in_place_has_a_name_people_can_read() -> None:
    position = games.game(5, turns=10).position()
    tile = resolve_tile("red L2 cost bw volcano 2 rg 2cp", position.tiles, 2)
    assert tile.described
    centre = (position.centre[0]._replace(tile=tile), *position.centre[1:])
    there = position._replace(centre=centre)
    move = next(move for move in rules.legal_moves(there) if move.cell == 0 and move.wild)
    assert move_words(there, move).startswith("Take red volcano 2 from a3")
    assert idea_words(there, move).startswith("red volcano 2 from a3")
    question = MoveEntry(Stage(there)).question
    assert question is not None and "a3 red volcano 2" in [option.label for option in question.options]


# --- the word that does not fit


def test_number_and_colours_of_an_effect_are_what_follows_it() -> None:
    tiles = load_tile_set().tiles
    assert [tile.id for tile in best_matching("red volc 2 of green and blue", tiles)] == ["r2a"]
    assert [tile.id for tile in best_matching("volc 2 of green and blue", tiles)] == ["r2a"], "not a blue tile"
    assert best_matching("red volc 2 of red and green", tiles) == [], "red is neither its colour nor its cost here"
    described = resolve_tile("red volc 2 of red and green L2 cost bw 2cp", load_tile_set(), 2)
    assert describe(described) == "red L2 cost bw volcano 2 rg 2cp"


@pytest.mark.parametrize(
    "words, blamed, tile",
    [
        ("red volc 2 of red and green", '"green"', "r3c"),
        ("red volcano 4 of green and blue", '"4"', "r2a"),
        ("white temple mystic 6 L3", '"L3"', "w2a"),
    ],
)
def test_the_message_blames_the_word_that_does_not_fit(words: str, blamed: str, tile: str) -> None:
    with pytest.raises(InputError, match=f"{tile}.* would fit but for {blamed}"):
        resolve_tile(words, load_tile_set(), 2)


def test_edit_blames_the_word_that_does_not_fit(run: Run, tmp_path: Path) -> None:
    told = run("edit", tmp_path / "table.toml", stdin=b"2\n\nred volc 2 of red and green | r\nquit\n").out
    assert 'would fit but for "green"' in told and "Which is" not in told


def test_a_choice_that_allows_no_other_tile_shows_what_tells_them_apart() -> None:
    tiles = load_tile_set()
    fitting = [tiles.by_id("g2b"), tiles.by_id("g3a")]
    with pytest.raises(InputError) as caught:
        not_among(fitting)("green forest 2 of red and blue")
    assert "g2b (L2 cost rg 2cp), g3a (L3 cost g2b 4cp)" in str(caught.value)
    described = resolve_tile("red L2 cost bw volcano 2 rg 2cp", tiles, 2)
    with pytest.raises(InputError) as caught:
        not_among([fitting[0], described])("x")
    assert "_" not in str(caught.value), "a described tile is called by its words"


def test_problems_call_a_described_tile_by_its_words() -> None:
    position = games.game(5, turns=10).position()
    tile = resolve_tile("red L2 cost bw volcano 2 rg 2cp", position.tiles, 2)
    there = position._replace(centre=(Cell(tile, Worshipers(1)), *position.centre[1:]))
    with pytest.raises(InputError) as caught:
        parse_move("a3 1", there)
    assert tile.id not in str(caught.value)


# --- tiles that cannot lie there yet


def test_edit_offers_no_tile_of_a_level_that_cannot_lie_there_yet() -> None:
    early, late = games.game(5, turns=1), games.game(5, turns=20)
    for record, highest in ((early, 1), (late, 3)):
        editor = Editor(sheet_of(record.position()))
        editor.answer("go b2")
        offered = {each.text for colour in Colour for each in editor.complete(colour.word)}
        assert max(record.start.tiles.by_id(each).level for each in offered) == highest
    asked = Editor(sheet_of(early.position()))
    asked.answer("go b2")
    assert asked.answer("village | r").options == (), "villages are on levels 2 and 3"


def test_edit_offers_every_level_as_long_as_the_universes_are_not_known() -> None:
    editor = Editor()
    for line in ("2", ""):
        editor.answer(line)
    assert {tile.level for tile in editor.answer("green | r").options} == {1, 2, 3}


def test_edit_knows_from_one_universe_how_far_the_others_can_be() -> None:
    """Two turns there, so at most two here: a level 2 tile may lie on the table, a level 3 tile cannot."""
    record = games.game(5, turns=4)
    sheet = sheet_of(record.position())
    open_rows = replace(sheet.players[1], rows=(None,) * 4, god_choice=None)
    assert highest_level(sheet.with_player(1, open_rows), asked=1) == 2


# --- wilderness at one key


def only_wilderness(stage: Stage) -> str | None:
    """The key of a tile that can only become wilderness, in one slot."""
    for key in KEYS:
        entry = MoveEntry(stage)
        entry.answer(key)
        if entry.is_doubtful:
            return key
    return None


def doubtful_game() -> tuple[Record, str]:
    for seed in range(60):
        record = games.game(seed, turns=1)
        if record.position().to_move is not None and (key := only_wilderness(record.stage())):
            return record, key
    raise AssertionError("expected a tile that can only be wilderness")


def test_track_asks_before_a_tile_becomes_wilderness_at_one_key(run: Run, tmp_path: Path) -> None:
    record, key = doubtful_game()
    path = tmp_path / "game.orbis"
    for answers, turns in (([key, "-", "q"], 1), ([key, "q"], 1), ([key, "", "q"], 2), ([key, "1", "q"], 2)):
        path.write_text(write_record(record), encoding="utf-8")
        told = run("track", path, stdin="".join(f"{line}\n" for line in answers).encode()).out
        assert told.count("becomes wilderness") == 1
        assert len(load_record(str(path)).record.turns) == turns


# --- many games


def test_a_batch_solves_the_latest_position_of_each_game(run: Run, tmp_path: Path, whole: Record) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    record = whole.before(29)
    (folder / "a.orbis").write_text(write_record(record), encoding="utf-8")
    (folder / "b.json").write_text(json.dumps(record_to_json(record)), encoding="utf-8")
    (folder / "c.txt").write_text(write_oneline(record.position()), encoding="utf-8")
    told = run("solve", "--batch", folder, "--threads", "1")
    assert told.code == 0, told.err
    lines = [json.loads(line) for line in told.out.splitlines()]
    assert [line["name"] for line in lines] == ["a.orbis", "b.json", "c.txt:1"]
    assert len({line["position"] for line in lines}) == len({json.dumps(line["best"]) for line in lines}) == 1


# --- ties take no longer than they may


def tied() -> Solution:
    """Equal moves whose points take a while to tell apart."""
    for seed in range(60):
        solution = solve(games.game(seed, turns=26).position(), line=False)
        if len(tied_moves(solution)) > 1 and ranked_by_points(solution).nodes > solution.nodes + 1_000:
            return solution
    raise AssertionError("expected a tie")


def test_breaking_ties_spends_no_more_nodes_than_are_left() -> None:
    solution = tied()
    needed = ranked_by_points(solution).nodes - solution.nodes
    assert ranked_by_points(solution, nodes=solution.nodes + needed // 10).points == (), "not enough for a proof"
    assert ranked_by_points(solution, seconds=solution.seconds) is solution


def test_breaking_ties_has_a_bound_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[int] = []

    def spy(*arguments: object, **options: Any) -> Solution:
        limits.append(options["nodes"])
        return solve_packed(*arguments, **options)  # type: ignore[arg-type]

    solution = replace(tied(), nodes=10**12)
    monkeypatch.setattr(ties, "solve_packed", spy)
    ranked_by_points(solution)
    assert limits and all(0 < each <= ties.MOST_NODES for each in limits)


def test_ctrl_c_while_ties_are_broken_keeps_the_proof_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = tied()

    def interrupt(*_arguments: object, **_options: object) -> Solution:
        raise KeyboardInterrupt

    stop = Event()
    stop.set()
    interrupted = ranked_by_points(solution, stop=stop)
    assert interrupted.stopped == "interrupted" and interrupted.moves == solution.moves
    monkeypatch.setattr(ties, "solve_packed", interrupt)
    assert ranked_by_points(solution).stopped == "interrupted"
