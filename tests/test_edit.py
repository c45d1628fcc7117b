"""`orbis edit` and `orbis new --template`: positions entered by answers, mistakes, leaving, and terminals."""

from __future__ import annotations

import itertools
import os
import re
import signal
import time
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from orbis_search.base.errors import InputError
from orbis_search.entry.draft import cell_text, position_so_far, read_draft, sheet_of, write_draft
from orbis_search.entry.position_dialog import Editor
from orbis_search.entry.position_steps import MENU, Step
from orbis_search.game.position import Placed, Player, Position
from orbis_search.game.tiles import Tile, TileSet
from orbis_search.game.vocabulary import CELLS, ROW_LENGTHS, Effect, Face
from orbis_search.notation import read_position, write_oneline, write_template, write_toml
from orbis_search.notation.toml import slot_text
from orbis_search.tileset.descriptions import describe
from orbis_search.tileset.files import dump_tile_set
from orbis_search.tileset.library import load_tile_set
from orbis_search.tileset.matching import best_matching, matching
from program import GOLDEN, Result, Run, Terminal

WHOLE = [f"{part}-{players}" for part in ("opening", "middle", "ending") for players in (2, 3, 4)] + ["odd-2"]


@cache
def golden(name: str) -> Position:
    return read_position((GOLDEN / f"{name}.toml").read_bytes(), name, GOLDEN)


@cache
def load(name: str) -> TileSet:
    return load_tile_set(name, GOLDEN)


# --- answers that describe a position


def has_room(player: Player, row: int) -> bool:
    """Can anything lie in a row? Only then is it asked for."""
    below = player.rows[row - 2] if row > 1 else ()
    return row == 1 or any(a and b for a, b in itertools.pairwise(below))


Slot = Callable[[Placed | None], str]


def answers_for(position: Position, slot: Slot = slot_text, one_by_one: bool = False) -> list[str]:
    """What somebody would type, from the first question to the Enter that writes."""
    names = [player.name for player in position.players]
    mark = "; " if "," in "".join(names) else ", "
    answers = [mark.join(names) if all(names) else str(len(names)), position.tiles.name]
    answers += [cell_text(cell) for cell in position.centre]
    for player in position.players:
        for row in range(1, 5):
            slots = [slot(placed) for placed in player.rows[row - 1]]
            if not has_room(player, row):
                continue
            if one_by_one or len(slots) < 2:
                answers += slots
                below = player.rows[row - 2] if row > 1 else ()
                room = 5 if row == 1 else max(i for i in range(len(below) - 1) if below[i] and below[i + 1]) + 1
                if len(slots) < min(room, ROW_LENGTHS[row - 1]):
                    answers.append("")
            else:
                answers.append(", ".join(slots))
        answers.append(str(player.realm))
        god = "" if player.god is None else player.god.word
        answers.append(god if player.god_validated else f"{god} cancelled")
    if position.gods:
        answers.append(" ".join(god.word[:3] for god in position.gods))
    if not position.options.most_at_zero:
        answers += ["most", "no"]
    for level, listed in enumerate(sheet_of(position).piles, 1):
        if listed is not None:
            answers += [f"pile {level}", ", ".join(map(tile_words, listed))]
    return [*answers, ""]


def tile_words(tile: Tile) -> str:
    return describe(tile) if tile.described else tile.id


def feed(editor: Editor, answers: list[str]) -> str:
    """How it ended; an answer that is not taken fails the test."""
    for number, answer in enumerate(answers):
        reply = editor.answer(answer)
        noted = [problem for problem in reply.problems if not problem.place.startswith(("levels", "piles"))]
        assert not noted and not reply.options, (number, answer, reply)
        if reply.end:
            assert number == len(answers) - 1
            return reply.end
    return ""


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("one_by_one", [False, True], ids=["rows", "tile by tile"])
def test_a_whole_position_is_entered(name: str, one_by_one: bool) -> None:
    position = golden(name)
    editor = Editor(load=load)
    assert feed(editor, answers_for(position, one_by_one=one_by_one)) == "written"
    assert editor.position() == position


@pytest.mark.parametrize("seed", range(12))
def test_tiles_are_entered_by_what_is_printed_on_them(seed: int) -> None:
    """Whole descriptions, and irrigations without their marks, which follow."""
    import random

    from orbis_search.core import fast_rules

    position = fast_rules.new_game(load_tile_set(f"random:{seed}"), 2 + seed % 3, random.Random(seed))
    position = fast_rules.play_on(position, 5 + 2 * seed, seed, "sensible")
    position = read_position(write_toml(position))  # the piles as they follow

    def slot(placed: Placed | None) -> str:
        if placed is None or placed.tile is None:
            return slot_text(placed)
        unmarked = placed.face is Face.UP or (placed.tile.effect is Effect.IRRIGATION and placed.face is not Face.WILD)
        mark = "" if unmarked else "!" if placed.face is Face.CANCELLED else "~"
        return mark + describe(placed.tile).replace("-star", " star")

    editor = Editor()
    assert feed(editor, answers_for(position, slot)) == "written"
    assert editor.position() == position


def test_several_cells_and_whole_rows_go_in_one_line() -> None:
    position = golden("middle-2")
    answers = answers_for(position)
    cells = answers[2:11]
    ids = [cell.replace(" ", "").removesuffix("|-") for cell in cells]
    for line in (", ".join(cells), " ".join(ids)):
        editor = Editor(load=load)
        assert feed(editor, [*answers[:2], line, *answers[11:]]) == "written"
        assert editor.position() == position
    editor = Editor(load=load)
    by_blanks = [answer.replace(", ", " ") if "1a, " in answer else answer for answer in answers[11:]]
    assert by_blanks != answers[11:]
    assert feed(editor, [*answers[:2], *cells, *by_blanks]) == "written"
    assert editor.position() == position


# --- tiles by a few words


@pytest.mark.parametrize(
    "words, expected",
    [
        ("b gba", "b2a"),
        ("blue green+blue+any irrigation", "b2a"),
        ("w m7", "w2c"),
        ("w mystic 7", "w2c"),
        ("r vol gb", "r2a"),
        ("red volcano: 2 of G/B", "r2a"),
        ("g gbw", "g2a"),
        ("g for gbw", "g3b"),
        ("y farm w", "y2b"),
        ("green st", "g1b"),
        ("w temple 2 L2", "w2b"),
        ("B2A", "b2a"),
        ("rot Vulk 3 rgy", "r2b"),
        ("gr gbw", "g2a"),
        ("y vill 5cp", "y3b"),
        ("blue red+any forest", ""),
        ("nonsense", ""),
    ],
)
def test_a_few_printed_words_find_the_tile(words: str, expected: str) -> None:
    found = best_matching(words, load("tiles.toml").in_use(2))
    assert [tile.id for tile in found] == ([expected] if expected else [])


@pytest.mark.parametrize("name", ["tiles.toml", "random:5", "reconstruction"])
def test_every_description_finds_its_tile_and_every_start_of_it_too(name: str) -> None:
    tiles = load(name).tiles
    for tile in tiles[::2]:
        words = describe(tile).split()
        assert tile in best_matching(describe(tile), tiles)
        colour, level, rest = words[0], words[1], words[2:]
        for cut in range(1, len(colour) + 1):
            assert tile in matching(f"{colour[:cut]} {level}", tiles), colour[:cut]
        if rest[0] == "cost":  # the cost alone, as far as it has been typed
            for cut in range(1, len(rest[1]) + 1):
                assert tile in matching(f"{colour} {rest[1][:cut]}", tiles) or rest[1][cut - 1 :][:1].isdigit()


def test_completion_offers_what_is_still_possible() -> None:
    position = golden("middle-2")
    answers = answers_for(position)
    editor = Editor(load=load)
    feed(editor, answers[:2])
    assert [each.text for each in editor.complete("b irr")] == ["b2a", "b2b", "b3a", "b3b", "b3c"]
    (only,) = editor.complete("w2b, r2a | y, b gba")
    assert (only.text, only.start) == ("b2a", len("w2b, r2a | y, "))
    assert only.meaning == "blue L2 cost gba irrigation g 3cp"
    assert editor.complete("b2a | r") == []
    feed(editor, answers[2:12])  # up to Anna's row 2, over y1a g1b w1b b1a g1a
    assert editor.step == Step("row", 0, 2)
    assert "b2a" not in [each.text for each in editor.complete("b irr")], "it lies in the centre"
    assert {each.text[0] for each in editor.complete("stone")} == set(), "both are red or seen"
    assert {each.text for each in editor.complete("wild stone")} == {"r1b"}, "a wilderness has no colour"
    assert [each.text for each in editor.complete("bac")] == ["back"]
    editor.answer("go Ben god")
    assert {each.text for each in editor.complete("f")} == {"fire"}
    editor.answer("menu")
    rows = [f"anna row {row}" for row in range(1, 5)]
    assert [each.text for each in editor.complete("anna r")] == ["anna rows", *rows, "anna realm"]


# --- mistakes


def at(*answers: str) -> Editor:
    editor = Editor(load=load)
    feed(editor, list(answers))
    return editor


CENTRE = ["w2b", "r2a", "g2b | y", "y2b | rgy", "g2a | y2w", "y2a", "b2a | rw2", "w3b", "b2b | yw"]
SET = ["2", "tiles.toml"]
BOTTOM = "y1a, g1b, w1b, b1a, g1a"


@pytest.mark.parametrize(
    "before, answer, place, message",
    [
        ([], "5", "players", "expected 2, 3 or 4 players"),
        ([], "Anna", "players", "expected 2, 3 or 4 names or a number"),
        ([], "Anna, B\x07", "player 2, name", "expected printable characters, found U+0007"),
        ([], "skip", "players", "as the rest depends on them"),
        (["2"], "nowhere.toml", "tiles", "expected a built-in tile set"),
        (SET, "", "centre.a3", "expected a tile and its worshipers such as r1a | r2b, found nothing"),
        (SET, "r9z", "centre.a3", "unknown tile: expected an id of the set or a description"),
        (SET, "r2a | q", "centre.a3", 'expected worshipers such as r2gb3 or -, found "q"'),
        (SET, "r2a | r99", "centre.a3", "expected at most 56 worshipers, found 99"),
        (SET, "w2d", "centre.a3", "whose white star is for 4 players"),
        ([*SET, "w2b"], "w2b", "centre.b3", "expected each tile once, found w2b, already seen at centre.a3"),
        ([*SET, "w2b"], "w gya", "centre.b3", "expected each tile once, found w2b"),
        ([*SET, "w2b"], "blue forest", "centre.b3", "which fits none; for a tile not in the set add"),
        ([*SET, *CENTRE], "y1a, ., g1b", "player 1, row 1, column 2", "expected one unbroken line of tiles"),
        ([*SET, *CENTRE], "!g1a, y1a", "player 1, row 1, column 1", "expected only a village, volcano"),
        ([*SET, *CENTRE], "y1a, !", "player 1, row 1, column 2", "expected a tile to be cancelled"),
        ([*SET, *CENTRE, BOTTOM], "r1a, w1a", "player 1, row 2, column 1", "expected a red tile or a wilderness"),
        ([*SET, *CENTRE, "y1a, g1b"], "y1b, y1c", "player 1, row 2, column 2", "expected a tile under each half"),
        ([*SET, *CENTRE, BOTTOM, ""], "r11", "player 1, realm", "expected at most 10 worshipers, found 11"),
        ([*SET, *CENTRE, BOTTOM, "", "r"], "zeus", "player 1, god", "expected a god ("),
        ([*SET, *CENTRE, BOTTOM, "", "r"], "fire cancelled", "player 1, god", "on Death alone"),
        ([*SET, *CENTRE, "y1a, g1b", "", "", "", "w1b", "", "", "fire"], "love fire", "player 2, god", "already face up"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_at_once_in_the_words_of_check_and_changes_nothing(
    before: list[str], answer: str, place: str, message: str
) -> None:
    editor = at(*before)
    sheet, question = editor.sheet, editor.question()
    reply = editor.answer(answer)
    assert [problem.place for problem in reply.problems] == [place]
    assert message in reply.problems[0].message
    assert (editor.sheet, editor.question()) == (sheet, question)


def test_the_words_are_those_of_check() -> None:
    position = golden("middle-2")
    text = write_toml(position).replace('realm = "g2"', 'realm = "g12"')
    with pytest.raises(InputError) as caught:
        read_position(text, base_dir=GOLDEN)
    editor = Editor(sheet_of(position))
    editor.answer("Ben realm")
    assert editor.answer("g12").problems == caught.value.problems


def test_an_answer_can_be_kept_when_another_was_wrong() -> None:
    editor = at("2", "tiles.toml", *CENTRE, "y1a, g1b, w1b, b1a, g1a")
    reply = editor.answer("r1a, y1b")
    assert reply.problems and "keep" in reply.notes[0]
    reply = editor.answer("keep")
    assert editor.step == Step("row", 0, 3)
    assert any("expected a red tile" in problem.message for problem in editor.problems())
    editor.answer("go player 1 row 1")
    reply = editor.answer("r1b, g1b, y1a, b1a, g1a")
    assert reply.problems == ()
    assert editor.step == Step("row", 0, 3)
    assert not any("expected a red tile" in problem.message for problem in editor.problems())
    assert editor.answer("keep").problems, "nothing was refused"


def test_what_is_wrong_as_a_whole_is_told_and_has_to_be_put_right() -> None:
    position = golden("middle-2")
    anna = position.players[0]
    rows = (anna.rows[0], anna.rows[1][:1], (), ())
    answers = answers_for(position._replace(players=(anna._replace(rows=rows), position.players[1])))
    editor = Editor(load=load)
    replies = [editor.answer(answer) for answer in answers[:-1]]
    assert any(problem.place == "turns" for reply in replies for problem in reply.problems)
    assert editor.step == MENU
    assert any(problem.place == "turns" for problem in editor.answer("").problems)
    editor.answer("anna row 2")
    editor.answer(", ".join(map(slot_text, anna.rows[1])))
    assert editor.step == MENU
    assert editor.answer("").end == "written"
    assert editor.position() == position


def test_a_choice_is_made_by_number_or_by_more_words() -> None:
    editor = at("2", "tiles.toml")
    reply = editor.answer("b irr | rrg")
    assert [tile.id for tile in reply.options] == ["b2a", "b2b", "b3a", "b3b", "b3c"]
    assert editor.answer("6").problems and editor.answer("").problems
    assert "Which" in editor.question().text
    assert editor.answer("2").part is not None
    assert cell_text(editor.sheet.cells[0]) == "b2b | r2g"
    reply = editor.answer("b irr")
    assert [tile.id for tile in reply.options] == ["b2a", "b3a", "b3b", "b3c"], "b2b is seen"
    reply = editor.answer("L3")
    assert [tile.id for tile in reply.options] == ["b3a", "b3b", "b3c"]
    editor.answer("gwa")
    assert cell_text(editor.sheet.cells[1]) == "b3b | -"
    assert editor.answer("r2a, b irr | y, w2b").options
    assert editor.answer("back").problems == (), "back leaves the choice"
    assert "Which" not in editor.question().text
    editor.answer("r2a, b irr | y, w2b")
    editor.answer("1")
    assert [cell_text(cell) for cell in editor.sheet.cells[2:5]] == ["r2a | -", "b2a | y", "w2b | -"]
    editor.answer("red st")
    assert cell_text(editor.sheet.cells[5]) == "r1b | -"


def test_what_fits_in_part_is_offered_and_not_taken() -> None:
    """The box may have a tile with just that cost, which the set does not have."""
    editor = at("2", "tiles.toml")
    reply = editor.answer("w gy")
    assert [tile.id for tile in reply.options] == ["w2b", "w3b"]
    editor.answer("w2b")
    reply = editor.answer("w rgy | r")
    assert [tile.id for tile in reply.options] == ["w3b"]
    editor.answer("1")
    assert cell_text(editor.sheet.cells[1]) == "w3b | r"


def test_marks_survive_a_choice() -> None:
    editor = at("2", "tiles.toml", *CENTRE)
    assert editor.answer("y1a, wild b irr").options
    editor.answer("1")
    assert editor.sheet.players[0].rows[0] is not None
    assert slot_text(editor.sheet.players[0].rows[0][1]) == "wild b3a"


def test_an_irrigation_marks_itself() -> None:
    editor = at("2", "tiles.toml", *CENTRE)
    reply = editor.answer("b3a, y1a")
    assert "b3a is cancelled" in reply.notes[0]
    reply = editor.answer("b3c")
    assert "no red lies right under it" in reply.notes[0]
    rows = editor.sheet.players[0].rows
    assert [slot_text(slot) for row in rows[:2] for slot in row or ()] == ["cancelled b3a", "y1a", "cancelled b3c"]


# --- back, skip, go, menu


def test_back_at_every_step_comes_to_the_question_before() -> None:
    answers = answers_for(golden("middle-3"))
    editor = Editor(load=load)
    questions = []
    for answer in answers[:-1]:
        questions.append(editor.step)
        editor.answer(answer)
    for step in reversed(questions):
        assert editor.answer("back").problems == ()
        assert editor.step == step
    assert editor.answer("back").problems, "there is nothing before the first question"
    feed(editor, answers[:1])
    for _ in questions[1:]:
        editor.answer("")  # each answer stands and is kept
    assert editor.step == MENU
    assert editor.position() == golden("middle-3")


def test_back_takes_the_last_tile_of_a_row_said_tile_by_tile() -> None:
    editor = at("2", "tiles.toml", *CENTRE, "y1a", "g1b")
    editor.answer("back")
    assert "slot 2" in editor.question().text
    feed(editor, ["w1b", ""])
    assert [slot_text(slot) for slot in editor.sheet.players[0].rows[0] or ()] == ["y1a", "w1b"]


def test_what_was_skipped_is_asked_at_the_end() -> None:
    position = golden("middle-2")
    answers = answers_for(position)
    steps = dict(zip(asked(position), answers))
    skipped = {Step("cell", 1), Step("cell", 3), Step("row", 0, 2), Step("realm", 1), Step("gods")}
    editor = Editor(load=load)
    while editor.step != MENU:
        editor.answer("skip" if editor.step in skipped else steps[editor.step])
    places = [problem.place for problem in editor.problems()]
    assert {"centre.b3", "centre.a2", "player 2 (Ben), realm", "gods"} <= set(places)
    editor.answer("")
    found = []
    while editor.step != MENU:
        found.append(editor.step)
        editor.answer(steps[editor.step])
    assert set(found) == skipped | {Step("row", 0, 3)}, "row 3 needs row 2"
    assert editor.answer("").end == "written"
    assert editor.position() == position


def asked(position: Position) -> Iterator[Step]:
    """The steps that `answers_for` answers, row by row."""
    yield from (Step("players"), Step("tiles"), *(Step("cell", index) for index in range(9)))
    for index, player in enumerate(position.players):
        yield from (Step("row", index, row) for row in range(1, 5) if has_room(player, row))
        yield from (Step("realm", index), Step("god", index))
    yield Step("gods")


def test_go_asks_for_one_part_and_comes_back() -> None:
    editor = at("Anna Bo", "tiles.toml", *CENTRE[:4])
    for part, step in {
        "a3": Step("cell", 0),
        "Bo realm": Step("realm", 1),
        "player 1 god": Step("god", 0),
        "2 row 1": Step("row", 1, 1),
    }.items():
        editor.answer(f"go {part}")
        assert editor.step == step
        editor.answer("")
        assert editor.step == Step("cell", 4) or part == "a3"
        editor.answer("menu")
        editor.answer("go b2")
        assert editor.step == Step("cell", 4)
    reply = editor.answer("go nowhere")
    assert "expected a part such as b2" in reply.problems[0].message


def test_a_whole_position_is_changed_in_any_part() -> None:
    position = golden("middle-2")
    changes = {
        "c3": ("| r", lambda after: str(after.centre[2].worshipers) == "r"),
        "names": ("Eva, Ian", lambda after: [player.name for player in after.players] == ["Eva", "Ian"]),
        "player 2 realm": ("b3", lambda after: str(after.players[1].realm) == "b3"),
        "gods": ("love death", lambda after: [god.word for god in after.gods] == ["love", "death"]),
        "most": ("no", lambda after: not after.options.most_at_zero),
        "player 1 row 2": ("y1c, wild, b1b", lambda after: after.players[0].rows[1][1] == Placed(None, Face.WILD)),
    }
    for part, (answer, is_so) in changes.items():
        editor = Editor(sheet_of(position), load=load)
        assert editor.step == MENU
        assert editor.answer(part).problems == ()
        assert editor.answer(answer).problems == ()
        assert editor.step == MENU
        assert editor.answer("").end == "written"
        assert is_so(editor.position()), part
    editor = Editor(sheet_of(position), load=load)
    feed(editor, ["centre", *[""] * 9, "Anna", *[""] * 5])
    assert editor.step == MENU and editor.position() == position


def test_another_number_of_players_asks_for_those_that_came() -> None:
    editor = Editor(sheet_of(golden("opening-2")), load=load)
    feed(editor, ["players", "Anna, Ben, Cleo"])
    assert editor.step == Step("row", 2, 1)
    feed(editor, ["", "r"])
    reply = editor.answer("")
    assert editor.step == MENU
    assert [problem.place for problem in reply.problems] == ["gods"], "four in a game of three"
    feed(editor, ["gods", "love fire nature death", "players", "2"])
    assert editor.step == MENU and len(editor.sheet.players) == 2


def test_another_tile_set_asks_again_for_what_it_does_not_have() -> None:
    position = golden("opening-2")
    editor = Editor(sheet_of(position), load=load)
    editor.answer("tiles")
    editor.answer("reconstruction")
    assert editor.sheet.tile_set.name == "reconstruction"
    assert all(cell is not None for cell in editor.sheet.cells), "the ids are the same"
    assert editor.sheet.cells != position.centre, "the tiles are not"


def test_every_question_has_help() -> None:
    editor = Editor(load=load)
    for answer in ["2", "tiles.toml", *CENTRE, BOTTOM, "", "", "", "", "", "", "love fire nature"]:
        notes = editor.answer("?").notes
        assert len(notes) > 7 and max(map(len, notes)) <= 80
        editor.answer(answer)
    assert editor.step == MENU and editor.answer("?").notes


# --- leaving and taking up again


@pytest.mark.parametrize("name", ["opening-2", "middle-2", "middle-3", "middle-4", "ending-2", "odd-2"])
def test_it_is_left_and_taken_up_at_every_step(name: str) -> None:
    answers = answers_for(golden(name), one_by_one=True)
    editor = Editor(load=load)
    for number, answer in enumerate(answers[:-1]):
        draft = editor.draft()
        assert (draft is None) is (number == 0)
        if draft is not None:
            found = read_draft(draft, "draft", load)
            assert found.problems == []
            taken_up = Editor(found.sheet, found.left_at, load)
            assert taken_up.sheet == editor.sheet
            assert (taken_up.question(), taken_up.step) == (editor.question(), editor.step)
            if number % 7 == 3:
                other = Editor(found.sheet, found.left_at, load)
                assert feed(other, answers[number:]) == "written"
                assert other.position() == golden(name)
            editor = taken_up
        editor.answer(answer)
    assert editor.answer("").end == "written"
    assert editor.position() == golden(name)


def test_a_draft_is_a_position_file_and_check_names_what_is_missing() -> None:
    editor = at("Anna Bo", "tiles.toml", *CENTRE[:8])
    with pytest.raises(InputError) as caught:
        read_position(editor.draft() or "", base_dir=GOLDEN)
    problems = caught.value.problems
    assert all("still to be filled in" in problem.message for problem in problems)
    assert [problem.place for problem in problems] == [
        "gods", "centre.c1",
        "player 1 (Anna), realm", "player 1 (Anna), god", "player 1 (Anna), row 1",
        "player 2 (Bo), realm", "player 2 (Bo), god", "player 2 (Bo), row 1",
    ]  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_a_finished_sheet_is_its_position(name: str) -> None:
    position = golden(name)
    assert position_so_far(sheet_of(position)) == (position, set())
    assert read_draft(write_draft(sheet_of(position)), "", load).sheet == sheet_of(position)


PIECES = [
    "b2a",
    "r2a",
    "w3b",
    "y1a",
    "g1b",
    "w1b",
    "b1a",
    "g1a",
    "r2b",
    "y1c",
    "w2c",
    "b1b",
    "wild",
    "cancelled",
    "!",
    "~",
    ".",
    ",",
    "|",
    "rrg",
    "r2",
    "-",
    "none",
    "blue",
    "b",
    "irr",
    "gba",
    "free",
    "stone",
    "L2",
    "3cp",
    "m7",
    "love",
    "fire",
    "death",
    "fi",
    "app",
    "tech",
    "1",
    "2",
    "3",
    "back",
    "skip",
    "show",
    "menu",
    "keep",
    "go",
    "?",
    "centre",
    "players",
    "tiles",
    "piles",
    "gods",
    "most",
    "yes",
    "no",
    "realm",
    "row",
    "player",
    "a3",
    "c1",
    "Anna",
    "Ben",
    "reconstruction",
    "random:3",
    "x",
    "_",
    "+",
    "/",
    ":",
    ";",
    '"',
    "\\",
    "é",
    "東",
]


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_answered_nothing_breaks_and_nothing_is_lost(seed: int) -> None:
    import random

    rng = random.Random(seed)
    position = golden(rng.choice(WHOLE))
    editor = Editor(load=load)
    script = answers_for(position)[:-1]
    for number in range(80):
        if rng.random() < 0.35 and number < len(script):
            answer = script[number]
        else:
            answer = " ".join(rng.choices(PIECES, k=rng.randrange(5)))
        editor.complete(answer)
        reply = editor.answer(answer)
        assert all(problem.message for problem in reply.problems)
        editor.draw(reply.part)
        editor.question()
        draft = editor.draft()
        if draft is not None:
            found = read_draft(draft, "draft", load)
            assert found.problems == [] and found.sheet == editor.sheet, (number, answer)
            assert Editor(found.sheet, found.left_at, load).step == editor.step
    editor.draw(MENU)


# --- the template


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("tiles", ["reconstruction", "random:3", "tiles.toml"])
def test_a_template_is_toml_that_asks_for_everything(players: int, tiles: str) -> None:
    text = write_template(players, load(tiles))
    assert tomllib.loads(text)["players"] == players
    with pytest.raises(InputError) as caught:
        read_position(text, base_dir=GOLDEN)
    problems = caught.value.problems
    assert all("still to be filled in" in problem.message for problem in problems)
    assert len(problems) == text.count('"?"') + text.count('"? | ?"') == 1 + 9 + 3 * players
    for key in ("players", "to_move", "tiles", "gods", "most_at_zero", "[centre]", "name", "realm", "god", "row1"):
        assert re.search(rf"(?m)^(# )?{re.escape(key)}.*#", text), f"{key} has no comment"


@pytest.mark.parametrize("name", ["opening-2", "middle-2", "middle-3", "ending-4", "odd-2"])
def test_a_template_filled_in_is_the_position(name: str) -> None:
    position = golden(name)
    text = write_template(len(position.players), position.tiles)
    gods = " ".join(god.word for god in position.gods) or "none"
    text = text.replace('gods = "?"', f'gods = "{gods}"')
    if not position.options.most_at_zero:
        text = text.replace("# most_at_zero", "most_at_zero")
    for cell, lies in zip(CELLS, position.centre):
        text = text.replace(f'{cell} = "? | ?"', f'{cell} = "{cell_text(lies)}"')
    for player in position.players:
        god = "none" if player.god is None else player.god.word + ("" if player.god_validated else " cancelled")
        text = text.replace('name = ""', f'name = "{player.name or " "}"', 1).replace('name = " "', "name =  ''")
        text = text.replace('realm = "?"', f'realm = "{player.realm}"', 1).replace('god = "?"', f'god = "{god}"', 1)
        for row, slots in enumerate(player.rows, 1):
            said = ", ".join(map(slot_text, slots)) or "-"
            old = 'row1 = "?"' if row == 1 else f'# row{row} = ""'
            text = text.replace(old, f'row{row} = "{said}"', 1)
    listed = [(level, tiles) for level, tiles in enumerate(sheet_of(position).piles, 1) if tiles is not None]
    if listed:
        text = text.replace("# [piles]", "[piles]")
        text += "".join(f"level{level} = {[tile_words(tile) for tile in tiles]}\n" for level, tiles in listed)
    assert "?" not in re.sub("#.*", "", text)
    assert read_position(text, base_dir=GOLDEN) == position


def test_the_template_names_one_tile_in_three_ways() -> None:
    for spec in ("reconstruction", "tiles.toml", *(f"random:{seed}" for seed in range(20))):
        tiles = load(spec)
        for players in (2, 3, 4):
            names = re.findall(r"(?m)^#     (.*)$", write_template(players, tiles))
            from orbis_search.tileset.resolving import resolve_tile

            assert len({resolve_tile(name, tiles, players) for name in names}) == 1 and len(names) >= 2


# --- the program


@pytest.fixture
def run(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """As everywhere, in an empty folder with a tile set, and with answers on standard input."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiles.toml").write_bytes((GOLDEN / "tiles.toml").read_bytes())

    def answered(*arguments: object, answers: list[str] | None = None) -> Result:
        return run(*arguments, stdin="".join(f"{answer}\n" for answer in answers or []).encode())

    return answered


@pytest.mark.parametrize("name", ["middle-2", "middle-3", "middle-4"])
def test_a_script_enters_a_position(run: Run, name: str) -> None:
    done = run("edit", "game.toml", answers=answers_for(golden(name)))
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("game.toml has been written. Next: orbis advise game.toml\n")
    assert run("show", "game.toml").out == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert sorted(os.listdir()) == ["game.toml", "tiles.toml"], "the draft is gone"
    assert max(map(len, done.out.splitlines())) <= 120


def test_the_board_is_shown_after_each_answer(run: Run) -> None:
    out = run("edit", "game.toml", answers=answers_for(golden("middle-2"))).out
    parts = re.split(r"(?m)^.*(?:worshipers|from the left.*|realm.*|god \[.*|face up \(.*\)): .*\n", out)
    cells = [part for part in parts[1:] if "─ a3 ─" in part.splitlines()[0]]
    assert len(cells) == 9
    assert sum("│ ?" in part for part in cells) == 8, "the ninth is whole"
    assert sum(part.startswith("── Anna") for part in parts) == 5
    assert sum(part.startswith("── Ben") for part in parts) == 4


def test_the_end_of_the_answers_keeps_a_draft(run: Run) -> None:
    answers = answers_for(golden("middle-2"))
    done = run("edit", "game.toml", answers=answers[:8])
    assert done.code == 130
    assert done.err.strip() == "orbis: saved in game.toml.draft; continue with: orbis edit game.toml"
    assert not os.path.exists("game.toml")
    done = run("edit", "game.toml", answers=[*answers[8:15], "quit"])
    assert done.code == 0 and "Continuing game.toml.draft where you left off." in done.out
    assert done.out.endswith("Saved in game.toml.draft; continue with: orbis edit game.toml\n")
    assert run("edit", answers=answers[15:]).code == 0, "without a name the draft that is there"
    assert run("show", "game.toml").out == (GOLDEN / "middle-2.txt").read_text(encoding="utf-8")
    assert not os.path.exists("game.toml.draft")


def test_nothing_said_nothing_kept(run: Run) -> None:
    assert run("edit", "game.toml", answers=[])[::2] == (130, "orbis: interrupted\n")
    assert run("edit", "game.toml", answers=["quit"]).out.endswith("Nothing was changed.\n")
    assert os.listdir() == ["tiles.toml"]


def test_a_file_that_is_there_is_changed_and_otherwise_left_alone(run: Run) -> None:
    Path("game.toml").write_bytes((GOLDEN / "middle-2.toml").read_bytes())
    before = Path("game.toml").read_bytes()
    for answers in ([""], ["quit"], ["b2", "", ""]):
        assert run("edit", "game.toml", answers=answers).out.endswith("Nothing was changed.\n")
        assert Path("game.toml").read_bytes() == before
    assert run("edit", "game.toml", answers=["Anna realm", "r3", "quit"]).code == 0
    assert Path("game.toml").read_bytes() == before, "the change is in the draft"
    assert run("edit", "game.toml", "--fresh", answers=["quit"]).out.endswith("Nothing was changed.\n")
    assert run("edit", "game.toml", answers=[""]).code == 0
    changed = read_position(Path("game.toml").read_bytes(), base_dir=".")
    assert str(changed.players[0].realm) == "r3"
    assert run("edit", answers=["2", "quit"]).out.startswith("A new position: game-2.toml.")


def test_a_file_keeps_its_form(run: Run) -> None:
    Path("game.line").write_text(write_oneline(golden("middle-2")))
    assert run("edit", "game.line", answers=["Anna realm", "r3", ""]).code == 0
    assert Path("game.line").read_text().startswith("o1:2:tiles.toml:")


def test_a_template_is_taken_up(run: Run) -> None:
    answers = answers_for(golden("middle-2"))
    assert run("new", "--template", "--tiles", "tiles.toml", "-o", "game.toml").code == 0
    done = run("edit", "game.toml", answers=[*answers[2:-1], "names", answers[0], ""])
    assert done.code == 0
    assert read_position(Path("game.toml").read_bytes(), base_dir=".") == golden("middle-2")


def test_a_file_with_mistakes_is_asked_for_what_cannot_be_read(run: Run) -> None:
    text = (GOLDEN / "middle-2.toml").read_text().replace("g2a | y2w", "g9z | y2w").replace('"fire"', '"fier"')
    Path("game.toml").write_text(text)
    done = run("edit", "game.toml", answers=["g2a | y2w", "fire", ""])
    assert done.code == 0 and 'found "g9z"' in done.out and "(nearest: fire)" in done.out
    assert read_position(Path("game.toml").read_bytes(), base_dir=".") == golden("middle-2")


def test_tiles_are_named_as_the_file_sees_them(run: Run) -> None:
    os.mkdir("games")
    answers = answers_for(golden("middle-2"))
    assert run("edit", "games/one.toml", answers=answers).code == 0
    assert 'tiles = "../tiles.toml"' in Path("games/one.toml").read_text()
    assert run("edit", "games/two.toml", "--tiles", "tiles.toml", answers=[answers[0], *answers[2:9]]).code == 130
    assert run("edit", "games/two.toml", answers=answers[9:]).code == 0
    assert Path("games/two.toml").read_bytes() == Path("games/one.toml").read_bytes()


@pytest.mark.parametrize("kind", ["directory", "binary", "empty", "syntax", "no folder", "-", "one player", "tiles -"])
def test_a_file_that_cannot_be_edited_is_one_line(run: Run, kind: str) -> None:
    arguments: list[str] = ["game.toml"]
    if kind == "directory":
        os.mkdir("game.toml")
    elif kind == "no folder":
        arguments = ["no/such/folder/game.toml"]
    elif kind == "-":
        arguments = ["-"]
    elif kind == "tiles -":
        arguments = ["game.toml", "--tiles", "-"]
    else:
        data = {"binary": b"\xff\xfe", "empty": b"", "syntax": b"gods = [", "one player": b"[[player]]\n"}[kind]
        Path("game.toml").write_bytes(data)
    files = sorted(os.listdir())
    done = run("edit", *arguments, answers=["2", "tiles.toml"])
    assert done.code == 2
    assert re.fullmatch(r"(Usage: .*\n.*\n\nError: .*\n)|(orbis: .*expected .*\n)+", done.err), done.err
    assert sorted(os.listdir()) == files


@pytest.mark.parametrize("options", [["--turns", "3"], ["--oneline"], ["--keep-order"], ["--seed", "1"]])
def test_a_template_is_no_game(run: Run, options: list[str]) -> None:
    assert run("new", "--template", *options).code == 2


def test_a_template_of_a_box_is_written_where_it_is_wanted(run: Run) -> None:
    Path("box.toml").write_text(dump_tile_set(load_tile_set("random:9")), encoding="utf-8")
    os.mkdir("games")
    assert run("new", "--template", "--players", 4, "--tiles", "box.toml", "-o", "games/one.toml").code == 0
    assert 'tiles = "../box.toml"' in Path("games/one.toml").read_text()
    assert len(run("check", "games/one.toml").err.splitlines()) == 1 + 9 + 12


# --- terminals


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tiles.toml").write_bytes((GOLDEN / "tiles.toml").read_bytes())
    return tmp_path


def test_tab_completes_on_a_plain_terminal(folder: Path) -> None:
    pytest.importorskip("readline")
    terminal = Terminal("edit", "game.toml", "--tiles", "tiles.toml", cwd=folder, term="dumb")
    terminal.type("", "how many) [2]: ")
    terminal.type("Anna Ben\r", "a3, tile | worshipers: ")
    listed = terminal.type("b irr\t", "b3c    blue L3 cost b2y2 irrigation r 5cp")
    assert "b2a    blue L2 cost gba irrigation g 3cp" in listed
    terminal.type(" gba\t", "2a")
    terminal.type(" | rr\r", "b3, tile | worshipers: ")
    terminal.type("\x03", "continue with: orbis edit game.toml")
    assert terminal.ends() == 130
    assert 'a3 = "b2a | r2"' in (folder / "game.toml.draft").read_text()


def test_tiles_are_listed_while_one_types(folder: Path) -> None:
    pytest.importorskip("prompt_toolkit")
    terminal = Terminal("edit", "game.toml", "--tiles", "tiles.toml", cwd=folder, term="xterm")
    terminal.type("", "how many) [2]:")
    terminal.type("Anna Ben\r", "a3, tile | worshipers:")
    terminal.type("b gb", "blue L2 cost gba irrigation g 3cp")
    terminal.type("\t", "b2a")
    terminal.type(" | rr\r", "b3, tile | worshipers:")
    terminal.type("\x04", "continue with: orbis edit game.toml")
    assert terminal.ends() == 130
    assert 'a3 = "b2a | r2"' in (folder / "game.toml.draft").read_text()


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_a_whole_position_is_entered_on_a_terminal(folder: Path, term: str) -> None:
    terminal = Terminal("edit", "game.toml", cwd=folder, term=term)
    shown = ["a3, tile", *(f"{cell}, tile" for cell in CELLS[1:]), "Anna, row 1"]
    answers = answers_for(golden("middle-2"))
    terminal.type("", "how many) [2]:")
    terminal.type(f"{answers[0]}\r", "Tile set")
    for answer, until in zip(answers[1:], shown):
        terminal.type(f"{answer}\r", until)
    then = ["row 2", "row 3", "realm [", "god [", "Ben, row 1", "row 2", "realm [", "god ["]
    for answer, until in zip(answers[11:], then):
        terminal.type(f"{answer}\r", until)
    terminal.type(f"{answers[19]}\r", "Gods face up (2)")
    terminal.type(f"{answers[20]}\r", "Enter, or what to change:")
    terminal.type("\r", "game.toml has been written. Next: orbis advise game.toml")
    assert terminal.ends() == 0
    assert read_position((folder / "game.toml").read_bytes(), base_dir=folder) == golden("middle-2")


def test_an_interrupt_by_signal_keeps_the_draft(folder: Path) -> None:
    terminal = Terminal("edit", "game.toml", "--tiles", "tiles.toml", cwd=folder, term="dumb")
    terminal.type("", "how many) [2]: ")
    terminal.type("3\r", "a3, tile | worshipers: ")
    time.sleep(0.5)  # it has asked, and now waits
    terminal.process.send_signal(signal.SIGINT)
    terminal.type("", "continue with: orbis edit game.toml")
    assert terminal.ends() == 130
