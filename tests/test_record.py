"""Game records: the model, its text and what is said of mistakes in it."""

from __future__ import annotations

import fcntl
import json
import os
import random
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from games import annotated, game, play, start
from orbis_search.base.errors import InputError
from orbis_search.core import fast_rules
from orbis_search.game.position import Cell, Player
from orbis_search.game.problems import default_piles
from orbis_search.game.vocabulary import CELLS
from orbis_search.players.arena import make_match
from orbis_search.players.arena import play as arena_play
from orbis_search.players.saved_games import records_of
from orbis_search.record.file import RecordFile, load_record, record_from_bytes
from orbis_search.record.game import LineOfPlay, Misfit, Record, Stage
from orbis_search.record.json import read_record_json, record_to_json
from orbis_search.record.text import read_record, write_record

GAMES = [(seed, players, tiles) for players in (2, 3, 4) for seed, tiles in ((1, "reconstruction"), (2, "random:5"))]


@pytest.mark.parametrize("seed, players, tiles", GAMES)
def test_a_whole_game_is_read_as_it_was_written(seed, players, tiles):
    record = game(seed, players, tiles)
    assert record.position().is_over and len(record.turns) == 15 * players
    text = write_record(record)
    again = read_record(text)
    assert again == record
    assert write_record(again) == text


@pytest.mark.parametrize("seed", range(9))
def test_comments_and_variations_survive(seed):
    rng = random.Random(seed)
    record = annotated(game(seed, 2 + seed % 3, turns=30, unknown=0.1 * (seed % 2)), rng)
    text = write_record(record)
    assert record.turns != tuple(turn._replace(variations=()) for turn in record.turns)
    again = read_record(text)
    assert again == record
    assert write_record(again) == text
    assert read_record_json(json.dumps(record_to_json(record))) == record


@pytest.mark.parametrize(
    "names",
    [
        ("Anna", "anna"),
        ("", ""),
        ("Miller, A.", 'B "the bar" |'),
        ("1", "2"),
        ("player 2", "x: y"),
        ("#", " # "),
        ("Ünal", "\u4e2d\u6587"),
        ("Groß", "\u0130pek"),
        ("Straße", "STRASSE"),
    ],
)
def test_any_names(names):
    record = game(1, 2, turns=4)
    start = record.start._replace(players=tuple(map(Player, names)))
    record = Record(start, record.turns)
    assert read_record(write_record(record)) == record


def test_a_record_from_the_middle_of_a_game():
    whole = game(8, 3)
    record = play(Record(whole.position(20)), 5, seed=3)
    text = write_record(record)
    assert "\nposition: o1:3:" in text and "\n20. " in text
    assert read_record(text) == record
    assert (record.first, record.last) == (20, 24)
    assert record.position(20) == whole.position(20)


@pytest.mark.parametrize("seed, players, tiles", GAMES)
def test_the_positions_are_those_of_the_rules(seed, players, tiles):
    record = game(seed, players, tiles, turns=25)
    position = record.start
    for number, turn in enumerate(record.turns, 1):
        assert record.position(number) == position
        position = fast_rules.apply(position, turn.move)
        if turn.drawn is not None:
            position = fast_rules.refill(position, turn.drawn)
    assert record.position() == position
    assert [stage.number for stage, _ in record.replay()] == list(range(1, len(record.turns) + 1))


@pytest.mark.parametrize("seed", range(12))
def test_draws_that_nobody_noted(seed):
    """Until each is seen everything goes on; what is known at last is what it would have been."""
    players = 2 + seed % 3
    record = game(seed, players, turns=15 * players - 1 - seed, unknown=0.4)
    text = write_record(record)
    assert read_record(text) == record
    assert write_record(read_record(text)) == text
    unseen = record.stage().unseen
    assert ("| ?" in text) == bool(unseen)
    for each in unseen:
        assert len(each.tiles) > 1 and record.turn(each.turn).drawn is None
        left = record.position().piles[each.level - 1].left
        waiting = sum(other.level == each.level for other in unseen)
        assert len(each.tiles) == left + waiting


def test_tiles_that_the_set_lacks():
    """Somebody has another box: a tile described in place may come, and lie there from the beginning."""
    record = Record(start(5, 3))
    stage = record.stage()
    move = stage.parse("a1 wild 1")
    tile = stage.drawn(move, "blue level 1, cost rrr, sacred stone")
    assert tile.described
    record = record.play(move, tile)
    record = record.play(record.stage().parse("a1 wild 1"))
    assert "| blue L1 cost r3 stone 1cp\n" in write_record(record)
    assert read_record(write_record(record)) == record
    assert read_record_json(json.dumps(record_to_json(record))) == record
    centre = (Cell(tile), *record.start.centre[1:])
    begun = record.start._replace(centre=centre, piles=default_piles(record.start.tiles, record.start.players, centre))
    assert "\ncentre: blue L1 cost r3 stone 1cp, " in write_record(Record(begun))
    assert read_record(write_record(Record(begun))) == Record(begun)


def test_a_tile_not_seen_is_settled_by_the_move_that_takes_it():
    record = game(1, 4)
    number = next(number for number in range(2, 60) if taken_later(record, number))
    text = write_record(record)
    line = next(line for line in text.splitlines() if line.startswith(f"{number}. "))
    hidden = text.replace(line, line.partition("|")[0] + "| ?")
    assert hidden != text
    assert read_record(hidden) == record
    shorter = text.replace(line, line.partition(" |")[0])
    assert read_record(shorter) == record


SETTLED_LATER = """
1. love gain rgbyw
2. a2 1 | ?
3. b2 pay y | {main}
    3. a1 pay w | {other}
        3. a1 wild 1 | {nested}
    4. fire
"""


def test_variations_know_what_later_turns_tell_of_a_tile_not_seen():
    """Turn 4 says that y1b came in turn 2: then it did not come in turn 3, either."""
    text = HEADER + SETTLED_LATER.format(main="?", other="?", nested="w1a") + "4. Bo: a2 y1b wild 1R\n"
    record = read_record(text)
    assert [turn.drawn.id for turn in record.turns[1:3]] == ["y1b", "w1a"]
    assert read_record(write_record(record)) == record
    assert read_record_json(json.dumps(record_to_json(record))) == record
    told = "line 9, column 19: expected a tile that can be drawn .only w1a."
    with pytest.raises(InputError, match=told):
        read_record(text.replace("pay w | ?", "pay w | y1b"))
    data = record_to_json(record)
    data["turns"][2]["variations"][0][0]["drawn"] = "y1b"
    with pytest.raises(
        InputError, match=r"turns\[3\].variations\[1\]\[1\].drawn: expected a tile that can be drawn .only w1a."
    ):
        read_record_json(json.dumps(data))


def test_a_tile_that_becomes_known_leaves_out_the_variations_it_forbids():
    record = read_record(HEADER + SETTLED_LATER.format(main="?", other="w1a", nested="y1b"))
    assert [len(record.turn(3).variations), len(record.turn(3).variations[0][0].variations)] == [1, 1]
    seen = record.seen(CELLS.index("a2"), record.start.tiles.named("y1b"))
    assert [len(seen.turn(3).variations), len(seen.turn(3).variations[0][0].variations)] == [1, 0]
    assert read_record(write_record(seen)) == seen
    assert record.seen(CELLS.index("a2"), record.start.tiles.named("w1a")).turn(3).variations == ()


def taken_later(record: Record, number: int) -> bool:
    turn = record.turn(number)
    later = range(number + 1, record.last + 1)
    return turn.drawn is not None and any(
        record.position(other).centre[turn.move.cell].tile == turn.drawn
        and record.turn(other).move.cell == turn.move.cell
        for other in later
    )


def test_a_tile_not_seen_cannot_be_taken_unnamed():
    record = game(5, 3)
    first = record.turns[0]
    hidden = Record(record.start).play(first.move)
    with pytest.raises(InputError, match="expected the tile drawn for .* in turn 1 to be named"):
        hidden.stage().parse(f"{CELLS[first.move.cell]} wild")
    with pytest.raises(InputError, match="expected a tile that can lie on"):
        hidden.seen(first.move.cell, record.start.centre[0].tile)
    assert hidden.seen(first.move.cell, first.drawn) == record.before(2)


# ------------------------------------------------------------------------------------------- corrections


def test_a_correction_is_checked_against_every_later_turn():
    """Each turn's tile drawn is exchanged for another: the rest fits, or it is said where it does not."""
    record = game(2, 3)
    fitted = misfits = 0
    for number in range(1, 40, 3):
        turn, stage = record.turn(number), record.stage(number)
        for tile in stage.draws(turn.move)[:3]:
            try:
                other = record.corrected(number, turn.move, tile)
            except Misfit as misfit:
                misfits += 1
                assert number < misfit.number <= record.last
                assert misfit.record.last == misfit.number - 1
                assert misfit.text == record.stage(misfit.number).format(record.turn(misfit.number).move)
                with pytest.raises(InputError) as why:
                    told = LineOfPlay(Stage(record.start), misfit.record.turns)
                    told.hear(misfit.text)
                    made = told.stage.parse(misfit.text)
                    told.stage.after(made, record.turn(misfit.number).drawn)
                assert misfit.why in str(why.value)
            else:
                fitted += 1
                assert other.turn(number).drawn == tile
                assert other.corrected(number, turn.move, turn.drawn).turns == record.turns
    assert fitted > 4 and misfits > 10


def test_turns_that_do_not_fit_are_mended_one_by_one():
    record = game(3, 3)
    number = next(number for number, turn in enumerate(record.turns, 1) if turn.drawn is not None)
    first = record.turn(number)
    other = next(tile for tile in record.stage(number).draws(first.move) if tile != first.drawn)
    mended, wrong = 0, number
    try:
        record.corrected(number, first.move, other)
    except Misfit as misfit:
        while misfit is not None:
            assert misfit.number > wrong, "one after the other"
            wrong, mended = misfit.number, mended + 1
            begun = play(misfit.record, 1, seed=mended)
            try:
                result = record.mended(begun, wrong + 1)
                misfit = None
            except Misfit as another:
                misfit = another
    assert mended > 2
    assert result.last == record.last and result.turn(number).drawn == other
    assert read_record(write_record(result)) == result


# ------------------------------------------------------------------------------------------- mistakes

HEADER = """\
orbis-game 1
players: Anna, Bo
centre: y1c, g1a, y1a / r1a, g1b, r1b / b1b, b1a, w1b
gods: love, fire, death
"""
CENTRE = "centre: y1c, g1a, y1a / r1a, g1b, r1b / b1b, b1a, w1b"


@pytest.mark.parametrize(
    "text, place, message",
    [
        ("", "line 1, column 1", "expected orbis-game 1, the first line of a game, found nothing"),
        ("orbis-position 1\n", "line 1, column 1", "expected orbis-game 1"),
        ("orbis-game 2\n", "line 1, column 12", "expected 1, the version this program reads, found 2"),
        ("orbis-game 1\n", "line 1", "expected a players: line"),
        ("orbis-game 1\nplayers: Anna\n", "line 2, column 10", "expected 2, 3 or 4 players, found 1"),
        ("orbis-game 1\nplayers: Anna, Bo\n", "line 1", "centre: expected 9 cells from a3 to c1, found nothing"),
        (HEADER + "colour: red\n", "line 5, column 1", "expected one of players, tiles, digest, date, most"),
        (HEADER + "gods: love\n", "line 5, column 1", "expected gods once, found it already in line 4"),
        (HEADER + "tiles: mine.toml\n", "line 5, column 8", "expected a built-in tile set"),
        (HEADER + "digest: 0123\n", "line 5, column 9", "expected the tiles this game was played with (0123), found"),
        (HEADER + "most: often\n", "line 5, column 7", "expected positive or zero"),
        (HEADER + "position: o1:2\n", "line 3, column 1", "expected either position or centre and gods"),
        (HEADER.replace("r1b", "r9z"), "line 3, column 35", "c2: unknown tile"),
        (HEADER.replace("r1b", "r3b"), "line 3, column 9", "expected at most 0 level 3 tiles on the table"),
        (HEADER.replace("r1b", "r1a"), "line 3, column 35", "c2: expected each tile once, found r1a"),
        (HEADER.replace(", death", ""), "line 4, column 7", "expected 3 gods in a game of 2, found 2"),
        (HEADER.replace("love", "lvoe"), "line 4, column 7", "(nearest: love)"),
        (HEADER + "hello\n", "line 5, column 1", "expected a header line such as players: Anna, Bo, or a turn"),
        (HEADER + "2. a1 1\n", "line 5, column 1", "expected turn 1, found"),
        (HEADER + "1. Bo: god love gain r5\n", "line 5, column 4", "expected Anna, whose turn it is, found"),
        (HEADER + "1. Cem: god fire\n", "line 5, column 4", "expected Anna, whose turn it is, found"),
        (HEADER + "1. Anna: a1 1\n", "line 5, column 10", "cannot pay for b1b: expected 1 of any colour"),
        (HEADER + "1. Anna: a2 2.1\n", "line 5, column 10", "2.1"),
        (HEADER + "1. Anna: god nature\n", "line 5, column 10", "expected a god that lies face up (love, fire, death)"),
        (HEADER + "1. Anna: frog\n", "line 5, column 10", "frog"),
        (HEADER + "1. Anna: a2 1 |\n", "line 5, column 16", "expected a tile or ? after the bar, found nothing"),
        (
            HEADER + "1. Anna: a2 1 | r3a\n",
            "line 5, column 17",
            "expected a tile of level 1 (one of 2: y1b (yellow), w1a (white)), found",
        ),
        (HEADER + "1. Anna: a2 1 | r1d\n", "line 5, column 17", "uses, found r1d, whose white star is for 4 players"),
        (HEADER + "1. Anna: a2 1 | g1b\n", "line 5, column 17", 'w1a (white)), found "g1b", which lies on b2'),
        (HEADER + "1. Anna: a2 1 | r1a\n", "line 5, column 17", 'w1a (white)), found "r1a", which Anna has'),
        (HEADER + "1. Anna: a2 1 | frog\n", "line 5, column 17", "unknown tile"),
        (
            HEADER + "1. Anna: god fire | y1b\n",
            "line 5, column 21",
            "expected no tile, as a god's turn refills nothing",
        ),
        (HEADER + "1. Anna: a2 1 | y1b\n3. Anna: god fire\n", "line 6, column 1", "expected turn 2, found"),
        (HEADER + "1. fire\n    2. god love\n", "line 6, column 5", "expected turn 1, as this is a variation of it"),
        (HEADER + "1. fire\n    1. b2\n  2. love\n", "line 7", "indented like an earlier one"),
        (HEADER + "1. fire\n    1. a1 1\n", "line 6, column 8", "cannot pay for b1b"),
        (HEADER + "1. fire\n2. death\x07\n", "line 6", "expected printable characters, found U+0007"),
        (HEADER.encode() + b"1. \xff\n", "", "expected text in UTF-8, found byte 0xff in line 5"),
    ],
)
def test_one_mistake_is_told_with_its_place(text, place, message):
    with pytest.raises(InputError) as told:
        read_record(text, "game.orbis")
    (problem,) = told.value.problems
    assert problem.place == ", ".join(filter(None, ("game.orbis", place)))
    assert message in problem.message


def test_after_the_end_there_is_no_turn():
    text = write_record(game(1, 2))
    with pytest.raises(InputError, match="line 38, column 1: expected no move after the game's end"):
        read_record(text + "31. Anna: god love\n", "game.orbis")


@pytest.mark.parametrize(
    "change, place, message",
    [
        (lambda data: data.pop("start"), "start", "expected"),
        (lambda data: data.update(format="orbis-position"), "format", 'expected "orbis-game"'),
        (lambda data: data.update(version=2), "version", "expected 1, found 2"),
        (lambda data: data.update(colour=1), "", "expected one of format, version"),
        (lambda data: data.update(digest="12"), "digest", "expected the tiles this game was played with"),
        (lambda data: data.update(turns={}), "turns", "expected a list, found a table"),
        (lambda data: data["turns"][3].update(number=9), "turns[4].number", "expected 4, found 9"),
        (lambda data: data["turns"][3].update(player=1), "turns[4].player", "expected 2, found 1"),
        (lambda data: data["turns"][3].update(drawn="zz"), "turns[4].drawn", "unknown tile"),
        (lambda data: data["turns"][3].update(move="frog"), "turns[4].move", "frog"),
        (lambda data: data["turns"][3].update(move=[]), "turns[4].move", "expected a table, found a list"),
        (lambda data: data["turns"][3].update(comment="a\nb"), "turns[4].comment", "expected printable characters"),
        (lambda data: data["turns"][3].update(variations=[[{}]]), "turns[4].variations[1][1].move", "expected"),
        (lambda data: data.update(extra={"level": "1"}), "extra", "expected a key of x- and small letters"),
    ],
)
def test_one_mistake_in_json_is_told_with_its_place(change, place, message):
    data = record_to_json(game(1, 2, turns=6))
    change(data)
    with pytest.raises(InputError) as told:
        read_record_json(json.dumps(data), "game.json")
    (problem,) = told.value.problems
    assert problem.place.startswith(": ".join(filter(None, ("game.json", place))))
    assert message in problem.message


# ------------------------------------------------------------------------------------------- JSON


@pytest.mark.parametrize("seed, players, tiles", GAMES)
def test_a_whole_game_in_json(seed, players, tiles):
    record = game(seed, players, tiles, unknown=0.2 * (seed - 1))
    text = json.dumps(record_to_json(record))
    assert read_record_json(text) == record


# ------------------------------------------------------------------------------------------- files


def test_a_file_grows_line_by_line(tmp_path):
    path = str(tmp_path / "game.orbis")
    record = game(3, 2)
    with RecordFile.create(path, record.before(1)) as file:
        inode = os.stat(path).st_ino
        for number in range(2, 9):
            file.keep(record.before(number))
            assert load_record(path) == (record.before(number), "")
        assert os.stat(path).st_ino == inode, "turns are appended"
        file.keep(record.before(4))
        assert load_record(path).record == record.before(4)
        file.keep(record)
    assert load_record(path).record == record
    assert os.listdir(tmp_path) == ["game.orbis"]


def test_turns_are_added_to_those_written_by_hand(tmp_path):
    """These are left as they were written; in whatever way that was, the file still loads."""
    path = tmp_path / "game.orbis"
    for written in (
        "1. fire\n",
        "  1. fire\n    1. love gain r5\n",
        "\t1. fire  # so be it\n\n; well\n",
        "1. fire\r\n",
    ):
        path.write_bytes((HEADER + written).encode())
        with RecordFile.open(str(path)) as file:
            record = file.record.play(file.record.stage().parse("a2 1"))
            file.keep(record)
        assert path.read_bytes().startswith((HEADER + written).encode())
        assert load_record(str(path)) == (record, "")


def test_a_file_too_long_is_not_taken_for_one_that_was_cut_short(tmp_path):
    path = tmp_path / "game.orbis"
    path.write_text(HEADER + "# a word\n" * 130_000)
    for read in (load_record, RecordFile.open):
        with pytest.raises(InputError, match=r"game\.orbis: expected a game of at most 1048576 bytes, found more"):
            read(str(path))


def test_what_was_drawn_is_filled_in(tmp_path):
    path = str(tmp_path / "game.orbis")
    whole = game(5, 3)
    first = whole.turns[0]
    with RecordFile.create(path, Record(whole.start)) as file:
        file.keep(file.record.play(first.move))
        assert "| ?" in Path(path).read_text()
        file.keep(file.record.seen(first.move.cell, first.drawn))
    assert load_record(path).record == whole.before(2)


def test_a_line_that_was_cut_short_is_left_out_and_then_gone(tmp_path):
    path = tmp_path / "game.orbis"
    record = game(5, 2).before(9)
    text = write_record(record)
    lines = text.splitlines(keepends=True)
    for cut in ("8", "8. Bo: ", lines[-1][:-4], lines[-1].rstrip("\n"), "\0\0\0"):
        path.write_text("".join(lines[:-1]) + cut)
        assert load_record(str(path)) == (record.before(8), cut.strip("\0 "))
        with RecordFile.open(str(path)) as file:
            assert file.cut == cut.strip("\0 ")
            file.keep(record)
        assert path.read_text() == text


def test_a_second_program_is_kept_out(tmp_path):
    path = str(tmp_path / "game.orbis")
    record = game(6, 2).before(5)
    with RecordFile.create(path, record) as file:
        for _ in range(2):
            with pytest.raises(InputError, match=r"game\.orbis: expected a file that no other program .* in use"):
                RecordFile.open(path)
            file.keep(record.before(3))  # by another file in its place, which is locked too
    RecordFile.open(path).close()
    with pytest.raises(InputError, match="expected a name that no file has"):
        RecordFile.create(path, record)


def test_a_file_that_another_program_is_about_to_write_stays(tmp_path):
    path, beside = tmp_path / "game.orbis", tmp_path / ".game.orbis~"
    with beside.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(InputError, match="found it in use"):
            RecordFile.create(str(path), game(6, 2).before(5))
    assert os.listdir(tmp_path) == [beside.name]


def test_a_file_that_can_be_read_alone_is_not_called_unreadable(tmp_path, monkeypatch):
    path = tmp_path / "game.orbis"
    path.write_text(HEADER)

    def refuse(*_arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(InputError, match=r"game\.orbis: expected a writable file, found: Permission denied"):
        RecordFile.open(str(path))


def test_a_disk_that_is_full_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "game.orbis"
    record = game(7, 2)
    with RecordFile.create(str(path), record.before(5)) as file:
        before = path.read_bytes()
        half = os.pwrite

        def full(descriptor, data, offset):
            if len(data) < 10:
                raise OSError(28, "No space left on device")
            return half(descriptor, data[:-5], offset)

        monkeypatch.setattr(os, "pwrite", full)
        with pytest.raises(InputError, match="expected a writable file, found: No space left"):
            file.keep(record.before(6))
        assert path.read_bytes() == before
        monkeypatch.undo()
        file.keep(record)
    assert load_record(str(path)).record == record


KILLS = int(os.environ.get("ORBIS_KILLS", "8"))


def test_killed_while_writing(tmp_path):
    """A program that does nothing but write is killed at random moments: the file is as it was, or as it was to be.

    Turns are appended, tiles filled in and turns taken back, which writes the file anew.
    """
    path = tmp_path / "game.orbis"
    whole = game(3, 4)
    states = [whole.before(1)]
    for number in range(1, 40):
        hidden = whole.turn(number)._replace(drawn=None)
        states += [replace(whole.before(number), turns=(*whole.before(number).turns, hidden)), whole.before(number + 1)]
        if number % 5 == 0:
            states.append(whole.before(number - 1))
    texts = [write_record(state) for state in states]
    rng = random.Random(1)
    reached = set()
    for _ in range(KILLS):
        path.unlink(missing_ok=True)
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            try:
                with RecordFile.create(str(path), states[0]) as file:
                    for state in states[1:]:
                        os.write(writing, b".")
                        file.keep(state)
                    os.write(writing, b".")
            finally:
                os._exit(0)
        os.close(writing)
        waited = sum(len(os.read(reading, 1)) for _ in range(rng.randrange(len(states))))
        time.sleep(rng.random() * 0.01)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        kept = waited + len(os.read(reading, 1000)) - 1
        os.close(reading)
        if kept < 0:
            assert not path.exists() or path.read_text() == texts[0]
            continue
        assert load_record(str(path)).record in [read_record(text) for text in texts[kept : kept + 2]]
        with RecordFile.open(str(path)) as file:
            file.keep(states[-1])
        assert load_record(str(path)).record == states[-1]
        assert set(os.listdir(tmp_path)) <= {"game.orbis", ".game.orbis~"}
        reached.add(kept)
    print(f"{KILLS} kills after {len(reached)} different writes")
    assert len(reached) > min(KILLS, len(states)) / 4


def test_every_beginning_of_a_file_loads(tmp_path):
    """Wherever a power cut ends it: all whole lines are there, and what is left of the last is told."""
    record = game(9, 2, turns=8)
    data = write_record(record).encode()
    first = len(write_record(record.before(1)).encode())
    for end in range(first, len(data) + 1):
        kept, cut = record_from_bytes(data[:end])
        assert kept == record.before(1 + data[first:end].count(b"\n"))
        assert cut == data[first:end].rpartition(b"\n")[2].decode().strip()


def test_games_of_the_arena_become_records():
    match = make_match(["greedy", "random"], players=3, seed=5)
    games = list(arena_play(match, rounds=1))
    for (name, record), saved in zip(records_of(match, games), games, strict=True):
        assert name == f"0001-{saved.rotation + 1}"
        assert record.position().is_over and len({record.name(seat) for seat in range(3)}) == 3
        assert tuple(score.total for score in fast_rules.score(record.position())) == saved.points
        assert read_record(write_record(record)) == record
        assert dict(record.extra)["x-seat-1"] == match.entries[saved.seats[0]]
