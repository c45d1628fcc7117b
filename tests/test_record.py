"""Game records: the model, its text and what is said of mistakes in it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from games import game
from orbis_search import rules
from orbis_search.errors import InputError
from orbis_search.record import Record
from orbis_search.record_file import RecordFile, load_record
from orbis_search.record_json import read_record_json, record_to_dict
from orbis_search.record_text import read_record, write_record

GAMES = [(seed, players, tiles) for players in (2, 3, 4) for seed, tiles in ((1, "reconstruction"), (2, "random:5"))]


@pytest.mark.parametrize("seed, players, tiles", GAMES)
def test_a_whole_game_is_read_as_it_was_written(seed, players, tiles):
    record = game(seed, players, tiles)
    assert record.position().is_over and len(record.turns) == 15 * players
    text = write_record(record)
    again = read_record(text)
    assert again == record
    assert write_record(again) == text


@pytest.mark.parametrize("seed, players, tiles", GAMES)
def test_the_positions_are_those_of_the_rules(seed, players, tiles):
    record = game(seed, players, tiles, turns=25)
    position = record.start
    for number, turn in enumerate(record.turns, 1):
        assert record.position(number) == position
        position = rules.apply(position, turn.move)
        if turn.drawn is not None:
            position = rules.refill(position, turn.drawn)
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


# ------------------------------------------------------------------------------------------- JSON


@pytest.mark.parametrize("seed, players, tiles", GAMES)
def test_a_whole_game_in_json(seed, players, tiles):
    record = game(seed, players, tiles, unknown=0.2 * (seed - 1))
    text = json.dumps(record_to_dict(record))
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
        with pytest.raises(InputError, match="expected a file that can be written, found: No space left"):
            file.keep(record.before(6))
        assert path.read_bytes() == before
        monkeypatch.undo()
        file.keep(record)
    assert load_record(str(path)).record == record
