"""Game records: the model, its text and what is said of mistakes in it."""

from __future__ import annotations

import pytest

from games import game
from orbis_search import rules
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
