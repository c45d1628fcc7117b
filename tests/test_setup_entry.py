"""The start of a game entered with a few keys."""

from __future__ import annotations

import pytest

from games import start
from orbis_search.base.errors import InputError
from orbis_search.entry.setup_dialog import SetUpEntry
from orbis_search.game.problems import with_plain_piles
from orbis_search.tileset.library import load_tile_set

TILES = load_tile_set()


def ids(position) -> list[str]:
    return [cell.tile.id for cell in position.centre]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_start_in_three_lines(players):
    wanted = with_plain_piles(start(players, players))
    entry = SetUpEntry(TILES)
    entry.answer(", ".join(player.name for player in wanted.players))
    entry.answer(" ".join(ids(wanted)))
    entry.answer(" ".join(god.word[:3] for god in wanted.gods))
    assert entry.question is None and entry.position == wanted


@pytest.mark.parametrize("players", [2, 3, 4])
def test_digits_are_enough(players):
    wanted = with_plain_piles(start(players + 10, players))
    entry = SetUpEntry(TILES)
    entry.answer(str(players))
    for cell in wanted.centre:
        while entry.question.kind == "colour":
            entry.answer(str(cell.tile.colour + 1))
        if len(entry.cells) == wanted.centre.index(cell):
            key = next(option.key for option in entry.question.options if option.value == cell.tile)
            entry.answer(key)
    entry.answer("".join(str(god.value) for god in wanted.gods))
    assert ids(entry.position) == ids(wanted) and entry.position.gods == wanted.gods
    assert [player.name for player in entry.position.players] == [""] * players


def test_answers_are_taken_back():
    entry = SetUpEntry(TILES)
    entry.answer("Anna Bo")
    entry.answer("y1c, green stone")
    assert len(entry.cells) == 2
    entry.answer("1")
    assert entry.back() and entry.back() and len(entry.cells) == 1
    assert entry.back() and entry.back() and entry.names == ()
    assert not entry.back()


@pytest.mark.parametrize(
    "lines, message",
    [
        (["Anna"], "expected 2, 3 or 4 names or a number"),
        (["5"], "expected 2, 3 or 4 players"),
        (["Anna, B\u202eo"], "expected printable characters, found U+202E"),
        (["2", "nothing like it"], "expected a tile's colour"),
        (["2", "y1c y1c"], "expected each tile once, found y1c, already seen at a3"),
        (["2", "y1c, r1c"], "found r1c, whose purple star is for 3 or 4 players"),
        (["2", "r3a"], "expected a level 1 tile, found r3a of level 3"),
        (["2", "y1c,g1a,y1a,r1a,g1b,r1b,b1b,b1a,w1b,w1a"], "expected 9 cells, found 10"),
        (["2", "y1c,g1a,y1a,r1a,g1b,r1b,b1b,b1a,w1b", "12"], "expected 3 gods in a game of 2, found 2"),
        (["2", "y1c,g1a,y1a,r1a,g1b,r1b,b1b,b1a,w1b", "112"], "expected each god once"),
    ],
)
def test_what_is_wrong_is_said_at_once(lines, message):
    entry = SetUpEntry(TILES)
    for line in lines[:-1]:
        entry.answer(line)
    before = entry.question, entry.cells
    with pytest.raises(InputError) as refused:
        entry.answer(lines[-1])
    assert message in str(refused.value)
    assert (entry.question, entry.cells) == before
