"""The seam between rules and searches: a toy game of known value, and Orbis, through the same table.

The toy is solved here by a few lines of plain Python; the searches of the core must agree with them
exactly, and its playouts on average.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import pytest

from orbis_search._core.orbis.core import ALL, SEARCH
from orbis_search._core.search.exhaustive import Walker
from orbis_search._core.toy.draft import draft_game
from orbis_search.core import fast_rules
from orbis_search.core.packing import Packing
from orbis_search.game import rules
from orbis_search.game.vocabulary import TURNS
from orbis_search.tileset.library import load_tile_set

SHARE, MARGIN, RANDOM = "share", "margin", "random"

# ------------------------------------------------------------------------------ the toy in plain Python


def points(held: tuple[int, ...]) -> int:
    """Cards count their value, and each pair of equal ones three more."""
    return sum(held) + sum(3 * (held.count(card) // 2) for card in set(held))


def outcome(mine: tuple[int, ...], yours: tuple[int, ...], aim: str) -> Fraction:
    ahead = points(mine) - points(yours)
    return Fraction(ahead) if aim == MARGIN else Fraction((ahead > 0) - (ahead < 0) + 1, 2)


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


@cache
def worth(market: tuple[int, ...], deck: tuple[int, ...], mover, other, aim: str) -> Fraction:
    """For the mover: best play, or the mean over all moves where the aim is to play at random."""
    if not market:
        return outcome(mover, other, aim)
    each = [after(market, deck, mover, other, card, aim) for card in market]
    return sum(each) / len(each) if aim == RANDOM else max(each)


def after(market, deck, mover, other, card: int, aim: str) -> Fraction:
    """For the mover, once it has taken this card; the refill is any card of the deck."""
    left, taken = without(market, card), tuple(sorted((*mover, card)))
    whole = 0 if aim == MARGIN else 1
    if not deck:
        return whole - worth(left, deck, other, taken, aim)
    drawn = [worth(tuple(sorted((*left, new))), without(deck, new), other, taken, aim) for new in deck]
    return whole - sum(drawn) / len(drawn)


def count(market: int, deck: int, depth: int) -> int:
    """perft with the deck in a fixed order: market cards to choose from, turn after turn."""
    if depth == 0 or market == 0:
        return depth == 0
    return market * count(market if deck else market - 1, max(0, deck - 1), depth - 1)


def small_decks() -> list[tuple[tuple[int, int], tuple[int, ...]]]:
    rng = random.Random(1)
    decks = [((1, 1), ()), ((7, 3), ()), ((1, 2), (3,)), ((2, 2), (2, 2, 2, 2))]
    for size, number in enumerate((4, 8, 12, 20, 30, 30, 4)):
        for _ in range(number):
            high = rng.randrange(2, 8)
            cards = [rng.randrange(1, high) for _ in range(size + 2)]
            decks.append(((cards[0], cards[1]), tuple(sorted(cards[2:]))))
    return decks


@pytest.mark.parametrize("aim", [SHARE, MARGIN])
def test_the_toy_is_worth_what_plain_python_says(aim):
    decks = small_decks()
    for market, deck in decks:
        found = Walker(draft_game(market, deck), 0, aim == MARGIN).values()
        expected = [((at, 0), after(market, deck, (), (), card, aim)) for at, card in enumerate(market)]
        assert found == expected, (market, deck)
    assert len(decks) > 100


def test_the_decks_are_neither_trivial_nor_decided():
    shares = {worth(market, deck, (), (), SHARE) for market, deck in small_decks()}
    assert len(shares) > 15 and min(shares) < Fraction(1, 2) < max(shares)


def test_every_small_market_is_worth_what_plain_python_says():
    for market in combinations_with_replacement(range(1, 4), 2):
        for deck in combinations_with_replacement(range(1, 4), 3):
            found = Walker(draft_game(market, deck)).values()
            assert max(value for _, value in found) == worth(market, deck, (), (), SHARE)


@pytest.mark.parametrize(
    "market, deck", [((1, 2), (3, 3, 4)), ((5, 5), (1, 2, 5, 5, 7)), ((1, 7), (2, 2, 2, 6))], ids=str
)
def test_random_playouts_of_the_toy_come_near_the_exact_mean(market, deck):
    games = 20_000
    sums = Walker(draft_game(market, deck)).playouts(games, 5)
    assert sum(sums) == 12 * games
    expected = worth(market, deck, (), (), RANDOM)
    # A share is between 0 and 1: its spread is at most 1/2, that of the mean 0.0036. Allow five times that.
    assert abs(sums[0] / (12 * games) - expected) < 0.018


def test_playouts_of_the_toy_are_their_seeds():
    game = draft_game((1, 2), (3, 3, 4, 5, 6))
    assert Walker(game).playouts(500, 6) == Walker(game).playouts(500, 6)
    assert len({tuple(Walker(game).playouts(500, seed)) for seed in range(10)}) > 1


@pytest.mark.parametrize("deck", [(), (3,), (3, 4), (3, 3, 4, 4)])
def test_perft_of_the_toy(deck):
    """Two cards to choose from while there is a deck; with draws, times the different cards it may bring."""
    game = draft_game((1, 2), deck)
    assert Walker(game).perft(0, True) == 1
    assert Walker(game).perft(1, True) == 2 * max(1, len(set(deck)))
    assert Walker(game).perft(len(deck) + 3, True) == 0  # longer than the game
    if len(set(deck)) <= 1:  # then draws bring nothing new
        for depth in range(len(deck) + 3):
            assert Walker(game).perft(depth, True) == count(2, len(deck), depth)
    divided = Walker(game).divide(2, True)
    assert sum(number for _, number in divided) == Walker(game).perft(2, True)


def test_what_the_toy_refuses():
    with pytest.raises(ValueError, match="two cards"):
        draft_game((1,), (2, 3))
    with pytest.raises(ValueError, match="two cards"):
        draft_game((1, 8), ())
    with pytest.raises(ValueError, match="fixed course"):
        Walker(draft_game((1, 2), (3,))).perft(2, False)


# ------------------------------------------------------------------------------ Orbis through the seam


def orbis(players: int, turns: int, seed: int, style: str = "random") -> Packing:
    packing = Packing(rules.new_game(load_tile_set("reconstruction"), players, random.Random(seed)))
    for _ in fast_rules.play_turns(packing.state, turns, random.Random(seed), style):
        pass
    return packing


@pytest.mark.parametrize("players", [2, 3, 4])
def test_playouts_through_the_seam_are_the_cores_own_on_average(players):
    games = 20_000
    state = orbis(players, 7 * players, players, "sensible").state
    through = Walker(state.game_state()).playouts(games, 8)
    direct, _, _ = state.playouts(games, 9)
    assert sum(through) == sum(direct) == 12 * games
    assert len(through) == len(direct) == players
    for one, other in zip(through, direct):
        # Two means of 20,000 shares: their difference has a spread of at most 0.005. Allow five times that.
        assert abs(one - other) / (12 * games) < 0.025


def test_the_seam_gives_the_same_moves():
    state = orbis(3, 12, 1).state
    for prune in (ALL, SEARCH):
        assert Walker(state.game_state(), prune).moves() == state.moves(prune)


def test_a_handle_outlives_what_it_was_made_from_and_does_not_follow_it():
    packing = orbis(2, 10, 2)
    state = packing.state
    handle = state.game_state()
    expected = state.moves(SEARCH)
    state.apply(expected[0])
    del packing, state
    assert Walker(handle, SEARCH).moves() == expected


def test_a_finished_game_has_no_moves_and_no_sequences():
    state = orbis(2, 2 * TURNS, 3).state
    assert state.to_move == -1
    walker = Walker(state.game_state())
    assert walker.moves() == [] and walker.values() == [] and walker.divide(1, True) == []
    assert [walker.perft(depth, True) for depth in (0, 1, 2)] == [1, 0, 0]
    shares = state.shares()
    assert walker.playouts(10, 1) == [10 * share for share in shares]


def test_values_of_a_last_turn_are_the_scores_it_leads_to():
    packing = orbis(2, 2 * TURNS - 1, 5)
    state = packing.state
    found = dict(Walker(state.game_state(), SEARCH, True).values())
    assert set(found) == set(state.moves(SEARCH))
    for move, value in found.items():
        end = state.copy()
        end.apply(move)
        if end.hole is not None:
            end.refill(end.draws()[0])
        first, second = end.points()
        assert value == first - second
