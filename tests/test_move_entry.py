"""A turn entered with a few keys: every move can be, only choices are asked, and rules are named."""

from __future__ import annotations

import random

import pytest

from games import game, keys
from orbis_search.base.errors import InputError
from orbis_search.core.packing import Packing, unpack_move
from orbis_search.entry.keystrokes import EXCHANGE
from orbis_search.entry.move_dialog import MoveEntry
from orbis_search.entry.tile_dialog import DrawEntry
from orbis_search.game.vocabulary import NOBODY
from orbis_search.notation import read_position
from orbis_search.record.game import Record, Stage


@pytest.mark.parametrize("seed", range(6))
def test_every_move_can_be_entered_with_digits(seed):
    """Of each turn of a game a few moves."""
    record = game(seed, 2 + seed % 3, "reconstruction" if seed % 2 else f"random:{seed}")
    rng = random.Random(seed)
    answers = []
    for stage, turn in record.replay():
        state = Packing(stage.position).state
        for move in [turn.move, *(unpack_move(state.choose("random", rng.getrandbits(64))) for _ in range(2))]:
            typed = keys(stage, move)
            assert all(set(line) <= set("0123456789 ") for line in typed if line != EXCHANGE)
            whole = MoveEntry(stage)
            whole.answer(stage.format(move))
            assert whole.move == move
            if move == turn.move:
                answers.append(len(typed))
    assert sum(answers) / len(answers) < 3.2, "a few keys"


# ------------------------------------------------------------------------------ what is asked, and what is said

OPENING = Stage(
    read_position("o1:2:random=7:w1b,r1d,w1c,y1b,b1d,y1e,b1b,r1c,g1a:-/-:-/-:idleness+technology+equilibrium")
)
MIDDLE = Stage(
    read_position(
        "o1:2:random=7:r1d+rb2w,y1d+gw,y1b+b,w3b,r2d+b,r2b+g,b2a+b,y2c+rgw,y1e+b2w"
        ":r2gb2w2/fire/b1c,g1a,b1d,b1b,w2b/.,.,x.b2e,b2d:rb3yw3/-/w2e,w2f,w1b,w1c,r1c/.,.,w.g2a,r2a:love+death"
    )
)

# With few enough worshipers that each way for a volcano is listed.
FEW = Stage(MIDDLE.position._replace(centre=tuple(cell._replace(worshipers=NOBODY) for cell in MIDDLE.position.centre)))


def entered(stage: Stage, *lines: str) -> str:
    entry = MoveEntry(stage)
    for line in lines:
        entry.answer(line)
    return stage.format(entry.move) if entry.move else entry.question.kind


@pytest.mark.parametrize(
    "stage, lines, expected",
    [
        (OPENING, ["1"], "slot"),
        (OPENING, ["1", ""], "a1 b1b 1"),
        (OPENING, ["1 1"], "a1 b1b 1"),
        (OPENING, ["b1b", "0"], "a1 b1b wild 1"),
        (OPENING, ["8"], "b3 r1d wild 1"),
        (OPENING, ["0", "1"], "god idleness"),
        (OPENING, ["idle"], "god idleness"),
        (OPENING, ["god technology"], "god technology"),
        (OPENING, ["a3 wild"], "a3 w1b wild 1"),
        (MIDDLE, ["5", "3.3"], "verdict"),
        (MIDDLE, ["5 1 0"], "goes"),
        (MIDDLE, ["5 1 0", "w"], "b2 r2d 3.3 pay w cancelled"),
        (MIDDLE, ["5 1 0 5"], "b2 r2d 3.3 pay w cancelled"),
        (MIDDLE, ["5 1 1", "33 33"], "goes"),
        (MIDDLE, ["5 1 1", "c1:b2", "5"], "b2 r2d 3.3 pay w valid remove c1:b2"),
        (FEW, ["5 1 1", "2"], "goes"),
        (FEW, ["5 1 1", "81 41", "5"], "b2 r2d 3.3 pay w valid remove b3:r a2:r"),
        (FEW, ["5 1 1", "8141", "5"], "b2 r2d 3.3 pay w valid remove b3:r a2:r"),
        (MIDDLE, ["1", "3.3"], "swap"),
        (MIDDLE, ["1", "3.3", "1"], "a1 b2a 3.3 swap b3>g pay gy valid"),
        (MIDDLE, ["love", "22222", "33 4"], "god love gain g5 keep rg5bw3"),
    ],
)
def test_only_choices_are_asked(stage, lines, expected):
    assert entered(stage, *lines) == expected


@pytest.mark.parametrize(
    "stage, lines, message",
    [
        (OPENING, ["z9"], 'expected a tile, a cell, a god or a move, found "z9"'),
        (OPENING, ["fire"], "expected a god that lies face up"),
        (OPENING, ["b3 1"], "cannot pay for r1d"),
        (MIDDLE, ["5", "2.1"], "expected a red tile or a wilderness under 2.1 for r2d, found white and white"),
        (MIDDLE, ["5 2.1"], "expected a red tile or a wilderness under 2.1 for r2d, found white and white"),
        (MIDDLE, ["5", "21"], "expected a red tile or a wilderness under 2.1 for r2d"),
        (MIDDLE, ["5", "4.1"], "under 4.1"),
        (MIDDLE, ["5 1", "2"], "expected one of 1 valid, 0 cancelled"),
        (MIDDLE, ["5 1 1", "71"], "expected exactly 2 worshipers removed by r2d, found 1"),
        (MIDDLE, ["5 1 0", "ww"], "expected 1 worshiper, found 2"),
        (MIDDLE, ["5 1 0", "g"], "expected worshipers that can go, found g"),
        (MIDDLE, ["god fire"], "expected a god that lies face up (love, death), found fire, which is taken"),
        (MIDDLE, ["love", "2222"], "expected 5 worshipers, found 4"),
    ],
)
def test_what_cannot_be_is_refused_with_the_rule(stage, lines, message):
    entry = MoveEntry(stage)
    for line in lines[:-1]:
        entry.answer(line)
    before = entry.question
    with pytest.raises(InputError) as refused:
        entry.answer(lines[-1])
    assert message in str(refused.value)
    assert entry.question == before, "nothing has changed"


def test_why_a_tile_can_only_be_wilderness_is_said():
    entry = MoveEntry(OPENING)
    assert not entry.notes
    entry.answer("8")
    assert entry.move.wild and entry.notes[0].startswith("cannot pay for r1d: expected 1 of any colour, found -")
    entry.back()
    assert not entry.notes


def test_answers_are_taken_back_one_by_one():
    entry = MoveEntry(MIDDLE)
    asked = []
    for line in ("5", "1", "0"):
        asked.append(entry.question)
        entry.answer(line)
    while asked:
        assert entry.back()
        assert entry.question == asked.pop()
    assert not entry.back()


def test_a_tile_that_nobody_has_seen_is_named_when_it_is_taken():
    record = Record(OPENING.position)
    record = record.play(record.stage().parse("a1 b1b 1"))
    entry = MoveEntry(record.stage())
    entry.answer("1")
    assert entry.question.kind == "seen"
    entry.answer("b1c")
    assert entry.seen == (6, record.start.tiles.by_id("b1c"))
    for text in ("a1 b1c wild", "b1c"):
        entry = MoveEntry(record.stage())
        entry.answer(text)
        assert entry.seen == (6, record.start.tiles.by_id("b1c"))


def test_the_tile_that_came():
    made = OPENING.parse("a1 b1b 1")
    entry = DrawEntry(OPENING, made)
    assert [option.value.id for option in entry.question.options[:-1]] == ["b1c", "y1d"]
    for text in ("r2a", "level 3", "w1b", ""):
        with pytest.raises(InputError, match="expected"):
            entry.answer(text)
    for text in ("2", "y1d", "y", "yellow", "y1"):
        entry = DrawEntry(OPENING, made)
        entry.answer(text)
        assert entry.question is None and entry.tile.id == "y1d"
    entry = DrawEntry(OPENING, made)
    entry.answer("0")
    assert entry.question is None and entry.tile is None
    assert DrawEntry(OPENING, OPENING.parse("god idleness")).question is None


def test_the_id_of_another_tile_is_no_description():
    """`r1a` was read as words, and tiles with r or an a in their cost were offered."""
    record = game(1, 4)
    stage, turn = record.stage(1), record.turn(1)
    taken = stage.position.centre[turn.move.cell].tile
    on_table = next(cell.tile for cell in stage.position.centre if cell.tile != taken)
    for tile, where in ((taken, "which Anna has"), (on_table, "which lies on ")):
        entry = DrawEntry(stage, turn.move)
        with pytest.raises(InputError, match=f"can be drawn .one of .* .*found .{tile.id}., {where}"):
            entry.answer(tile.id)
        assert entry.question.kind == "colour" and entry.tile is None


def test_of_many_tiles_the_colour_is_asked_first():
    record = game(1, 4)
    stage, turn = record.stage(1), record.turn(1)
    assert len(stage.draws(turn.move)) > 9
    entry = DrawEntry(stage, turn.move)
    assert entry.question.kind == "colour"
    red = sorted(tile.id for tile in stage.draws(turn.move) if tile.colour == 0)
    entry.answer("1")
    assert [option.value.id for option in entry.question.options[:-1]] == red
    assert entry.back() and entry.question.kind == "colour"
    entry.answer("1 2")
    assert entry.tile.id == red[1]
    for tile in stage.draws(turn.move):
        entry = DrawEntry(stage, turn.move)
        entry.answer(tile.id)
        assert entry.tile == tile
