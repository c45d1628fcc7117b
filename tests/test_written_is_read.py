"""What is written is what can be read: any text, wherever a text can get into a file.

Each writer either says at once why it does not write something, or what it writes reads back the same.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games import game, start
from orbis_search.base.errors import InputError
from orbis_search.entry.draft import read_draft, sheet_of, write_draft
from orbis_search.notation import read_position, write_json, write_oneline, write_toml
from orbis_search.players.arena import Match, Save, play_game, read_games
from orbis_search.players.session import Seat, new_game
from orbis_search.record.file import RecordFile, load_record
from orbis_search.record.game import Record
from orbis_search.record.json import read_record_json, record_to_json
from orbis_search.record.text import read_record, write_record
from orbis_search.solver.batch import Results
from orbis_search.tileset.files import dump_tile_set, parse_tile_set
from orbis_search.tileset.library import load_tile_set
from program import Run

BOX = load_tile_set("reconstruction")
GAME = game(1, 2, turns=6)

# Every character, those that mean something somewhere more often, and lone surrogates: file names and JSON have them.
characters = st.one_of(
    st.sampled_from(" \t\n\r\0\x1b\x85\u2028\xa0\ufeff\ud800\udcff'\"\\#;:,|/=[]{}?-.~*xX1"), st.characters(codec=None)
)
texts = st.one_of(st.text(characters, max_size=70), st.sampled_from(("Anna", "player 2", "x-note", "1.", "none", "?")))
keys = st.one_of(texts, st.text("abz019-_", max_size=8).map("x-{}".format))
any_text = given(texts)


def examples(test: Callable[..., None]) -> Callable[..., None]:
    return settings(max_examples=150, deadline=None, derandomize=True, database=None)(test)


def same(write: Callable[[Any], str], read: Callable[[str], Any], value: Any) -> bool:
    """Whether it was written, and then read back; False if the writer refused."""
    try:
        text = write(value)
    except InputError:
        return False
    text.encode("utf-8")  # or no file could hold it
    assert read(text) == value
    return True


@examples
@any_text
@example("Ł" * 60)
@example("Ł" * 61)
@example("a\nb")
def test_players_names_in_positions(name: str) -> None:
    position = start(3, 3)
    first = position.players[0]._replace(name=name)
    named = position._replace(players=(first, *position.players[1:]))
    for write in (write_toml, write_json, write_oneline):
        written = same(write, read_position, named)
        assert written or len(name) > 60 or not name.isprintable()


@examples
@any_text
def test_players_names_in_drafts(name: str) -> None:
    position = start(3, 2)
    first = position.players[0]._replace(name=name)
    sheet = sheet_of(position._replace(players=(first, *position.players[1:])))
    with suppress(InputError):
        text = write_draft(sheet)
        text.encode("utf-8")
        assert read_draft(text, "", load_tile_set).sheet == sheet


def record_with(name: str = "Anna", date: str = "", key: str = "x-a", value: str = "", comment: str = "") -> Record:
    players = (GAME.start.players[0]._replace(name=name), *GAME.start.players[1:])
    first = GAME.turns[0]._replace(comment=comment, above=(comment,) if comment else ())
    return replace(
        GAME,
        start=GAME.start._replace(players=players),
        turns=(first, *GAME.turns[1:]),
        date=date,
        extra=((key, value),),
        comments=(comment,),
        end=(comment,),
    )


def as_json(record: Record) -> str:
    return json.dumps(record_to_json(record), ensure_ascii=False)


@examples
@given(texts, texts, keys, texts, texts.map(str.strip))
@example("Anna", "", "x-note", "a\nb", "")
@example("Anna", "", "x-a\nplayers: X, Y", "", "")
@example("Anna", "", "X-A", "", "")
@example("a" * 61, "", "x-a", "", "")
@example("\udcff", "", "x-a", "", "")
@example("Anna", "", "x-a", "\udcff", "")
@example("Anna", "\ud800", "x-a", '"', "# a")
def test_every_text_of_a_record(name: str, date: str, key: str, value: str, comment: str) -> None:
    for changes in (
        {"name": name},
        {"date": date},
        {"key": key},
        {"value": value},
        {"comment": comment},
        {"name": name, "date": date, "key": key, "value": value, "comment": comment},
    ):
        with suppress(InputError):  # half a character is refused by the record itself
            record = record_with(**changes)
            assert same(write_record, read_record, record) == same(as_json, read_record_json, record)


@examples
@given(texts, keys, texts)
@example("2026", "x-a\ngods: death", "b")
@example("2026", "x-a", "b\nc")
def test_a_record_in_json_becomes_a_text(date: str, key: str, value: str) -> None:
    document = record_to_json(record_with()) | {"date": date, "extra": {key: value}}
    with suppress(InputError):
        record = read_record_json(json.dumps(document))
        assert same(write_record, read_record, record)


@examples
@given(texts)
@example("a\\nb")
@example("\\ud800")
def test_a_value_in_quotation_marks_is_written_again(value: str) -> None:
    head, _break, rest = write_record(GAME).partition("\n")
    with suppress(InputError):
        record = read_record(f'{head}\nx-note: "{value}"\n{rest}')
        assert same(write_record, read_record, record)


def test_a_line_break_in_a_header_is_refused_where_it_is() -> None:
    head, _break, rest = write_record(GAME).partition("\n")
    with pytest.raises(InputError) as caught:
        read_record(f'{head}\nx-note: "a\\nb"\n{rest}', "a.orbis")
    assert str(caught.value) == "a.orbis, line 2, column 9: expected printable characters, found U+000A"


def test_a_key_with_a_line_break_injects_nothing() -> None:
    document = record_to_json(GAME) | {"extra": {"x-a: 1\nx-b": "2"}}
    with pytest.raises(InputError, match=r'extra: expected a key of x- and small .*, found "x-a: 1\\nx-b"'):
        read_record_json(json.dumps(document))


@examples
@given(texts, texts)
def test_a_game_that_begins_can_be_kept(tmp_path_factory: pytest.TempPathFactory, one: str, two: str) -> None:
    with suppress(InputError):
        begun = new_game([Seat(one), Seat(two, "random")], BOX, 1)
        path = tmp_path_factory.mktemp("kept") / "game.orbis"
        RecordFile.create(str(path), begun.record).close()
        assert load_record(str(path)).record == begun.record


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a" * 61, "expected at most 60 characters, found 61"),
        ("a\x1bb", "expected printable characters, found U+001B"),
        ("a\udcff", "expected printable characters, found U+DCFF"),
    ],
)
def test_play_refuses_a_name_that_no_record_can_hold(
    name: str, why: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = run("play", name, "novice", "--seed", "1", stdin=b"1\n1\n1\n1\nquit\n")
    assert (answer.code, answer.err) == (2, f"orbis: player 1, name: {why}\n")
    assert not list(tmp_path.iterdir())


def test_a_long_name_that_gets_a_number_is_refused_too() -> None:
    """Two players of the same name are told apart by a number behind it."""
    with pytest.raises(InputError, match="player 2, name: expected at most 60 characters, found 62"):
        new_game([Seat("a" * 60), Seat("a" * 60)], BOX, 1)


@examples
@given(texts, texts, texts.map(str.strip))
@example("a", "\ud800", "")
def test_tile_sets(name: str, title: str, description: str) -> None:
    made = BOX._replace(name=name, title=title, description=description)
    try:
        text = dump_tile_set(made)
    except InputError:
        return
    text.encode("utf-8")
    assert parse_tile_set(text, name) == made


@examples
@given(texts, texts)
def test_files_of_the_arena(tmp_path_factory: pytest.TempPathFactory, entry: str, tiles: str) -> None:
    """Entries name files and programs, whose names can be anything."""
    path = str(tmp_path_factory.mktemp("arena") / "games.jsonl")
    plain = Match(("random", "greedy"), 2, "reconstruction", 1)
    played = play_game(plain, 0, 0, [_Random(), _Random()])
    match = replace(plain, entries=(entry, "greedy"), box=tiles)
    with closing(Save(path, match)) as save:
        save.add(replace(played, start=entry, moves=(tiles,)))
    found, games, _end = read_games(path)
    assert found == match and games == [replace(played, start=entry, moves=(tiles,))]
    with closing(Save(path, match)) as save:
        assert save.games == games


class _Random:
    """Any legal move."""

    def choose(self, state: Any, seed: int, *_more: object) -> tuple[int, int]:
        return state.choose("random", random.Random(seed).getrandbits(64))

    def close(self) -> None:
        pass


@examples
@given(texts, texts)
def test_files_of_solutions_and_reviews(tmp_path_factory: pytest.TempPathFactory, name: str, position: str) -> None:
    path = str(tmp_path_factory.mktemp("batch") / "solutions.jsonl")
    line = {"format": "orbis-solution", "name": name, "digest": "a", "objective": "win", "goal": "all", "x": position}
    with closing(Results(path)) as results:
        results.add(line)
    with closing(Results(path)) as results:
        assert list(results.lines.values()) == [line]
