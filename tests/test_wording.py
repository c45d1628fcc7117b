"""A move in the words of a player."""

from __future__ import annotations

from random import Random

import pytest

import orbis_search as orbis
from orbis_search.base.language import LANGUAGES
from orbis_search.game.vocabulary import CELLS
from orbis_search.notation.examples import example_text

MOVES = (
    # why it is here, move, sentence
    (
        "volcano fed, right end",
        "b3 1R pay w valid remove b2:g a1:g",
        "Take r2a from b3 (red, volcano: 2 of G/B), lay it face up at the right end of row 1, pay W, "
        "remove G from b2 + G from a1.",
    ),
    (
        "volcano not fed, left end",
        "b3 1L pay w cancelled",
        "Take r2a from b3 (red, volcano: 2 of G/B), lay it face up at the left end of row 1, pay W, it is cancelled.",
    ),
    (
        "wilderness above row 1",
        "b3 wild 3.2",
        "Take r2a from b3 (red, volcano: 2 of G/B), lay it as wilderness in row 3, place 2.",
    ),
    (
        "an exchange first",
        "c2 2.1 swap y3>b pay gbw",
        "Take g2a from c2 (green, forest: 3 of G/B), lay it face up in row 2, place 1, exchange YYY for B, pay GBW.",
    ),
    ("a gain", "c1 1L", "Take b1a from c1 (blue, gain 1 B), lay it face up at the left end of row 1, gain B."),
    ("a god", "god nature", "Take the god nature."),
)


@pytest.fixture(scope="module")
def position():
    return orbis.read_position(example_text("middle"))


@pytest.mark.parametrize("why, text, sentence", MOVES, ids=[why for why, _, _ in MOVES])
def test_a_move_in_words(position, why, text, sentence):
    assert orbis.move_words(position, orbis.parse_move(text, position)) == sentence


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_move_has_words(players, language):
    """From the first turn to the last, on another tile set, a sentence names the cell and leaves no placeholder."""
    start = orbis.new_game(orbis.load_tile_set("random:5"), players, Random(players))
    for turns in (0, 5 * players, 14 * players + 1):
        position = orbis.play_on(start, turns=turns, seed=turns, style="sensible")
        moves = orbis.legal_moves(position, search=True)
        for move in moves[:: max(1, len(moves) // 40)]:
            with orbis.speaking(language):
                words = orbis.move_words(position, move)
            assert words.endswith(".") and words[0].isupper() and not set(words) & set("{}")
            assert move.cell is None or CELLS[move.cell] in words
