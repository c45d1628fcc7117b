"""RULES section 2: set-up. Each test's docstring names the sentence it holds the code to."""

from __future__ import annotations

import random

import pytest

from builders import full_set, on_every_implementation, player, position, tile, totals
from orbis_search.game import rules as plain_rules
from orbis_search.game.position import Pile
from orbis_search.game.vocabulary import REGION_TURNS, SET_UP, STAR_COUNTS, TURNS, God, Star

PLAYERS = (2, 3, 4)


def games(players: int, number: int = 3):
    for seed in range(number):
        yield plain_rules.new_game(full_set(seed), players, random.Random(seed))


def random_game(rules, start, rng):
    """Every position before a move, and the last one."""
    where = start
    while not where.is_over:
        yield where
        group = rng.choice(plain_rules.families(where))
        moves = sorted(group.moves(), key=lambda move: (move.slot or (), move.removed, move.realm))
        where = rules.apply(where, rng.choice(moves))
        if where.hole is not None:
            where = rules.refill(where, rng.choice(plain_rules.draws(where)))
    yield where


@pytest.mark.parametrize("players, by_level", [(2, (11, 11, 15)), (3, (15, 15, 21)), (4, (20, 20, 25))])
def test_region_tiles_used(players, by_level):
    """Table: region tiles used by level, 37, 51 and 65 in all."""
    for start in games(players):
        in_game = [cell.tile for cell in start.centre] + [t for pile in start.piles for t in pile.tiles]
        assert tuple(sum(t.level == level for t in in_game) for level in (1, 2, 3)) == by_level
        assert len(set(in_game)) == len(in_game) == {2: 37, 3: 51, 4: 65}[players]


@pytest.mark.parametrize("players, absent", [(2, {Star.WHITE, Star.PURPLE}), (3, {Star.WHITE}), (4, set())])
def test_stars(players, absent):
    """Table: two play with no white-star and no purple-star tiles, three with no white-star tiles."""
    for start in games(players):
        in_game = [cell.tile for cell in start.centre] + [t for pile in start.piles for t in pile.tiles]
        assert {t.star for t in in_game} == set(Star) - absent


def test_star_counts():
    """White stars: 5 / 5 / 4 tiles on levels 1 / 2 / 3. Purple stars: 4 / 4 / 6 (not the German 4x)."""
    assert STAR_COUNTS == {Star.WHITE: (5, 5, 4), Star.PURPLE: (4, 4, 6)}
    for level in range(3):
        without_white = SET_UP[4].regions[level] - STAR_COUNTS[Star.WHITE][level]
        assert SET_UP[3].regions[level] == without_white
        assert SET_UP[2].regions[level] == without_white - STAR_COUNTS[Star.PURPLE][level]


@pytest.mark.parametrize("players, gods", [(2, 3), (3, 4), (4, 5)])
def test_gods_face_up(players, gods):
    """Table: 3, 4 or 5 gods face up, and which ones is drawn."""
    drawn = [start.gods for start in games(players, 10)]
    assert all(len(set(each)) == len(each) == gods for each in drawn)
    assert len(set(drawn)) > 1


@on_every_implementation
@pytest.mark.parametrize("players, tokens", [(2, (7, 2)), (3, (9, 4, 2)), (4, (11, 7, 4, 2))])
def test_temple_tokens(rules, players, tokens):
    """Table: temple tokens 7, 2 / 9, 4, 2 / 11, 7, 4, 2, as many as players."""
    seats = [player([tile("w", "temple 1", mystic=20 - seat)]) for seat in range(players)]
    assert totals(rules, position(*seats)) == tokens


@pytest.mark.parametrize("players", PLAYERS)
def test_piles_by_level(players):
    """Each level is shuffled into its own face-down pile."""
    orders = set()
    tiles = full_set()
    for seed in range(4):
        start = plain_rules.new_game(tiles, players, random.Random(seed))
        for level, pile in enumerate(start.piles, 1):
            assert {t.level for t in pile.tiles} == {level}
            assert pile.left == len(pile.tiles)
        orders.add(tuple(tiles.tiles.index(t) for t in start.piles[2].tiles))
    assert len(orders) == 4


@pytest.mark.parametrize("players", PLAYERS)
def test_nine_in_the_centre(players):
    """9 level-1 tiles are laid out 3 by 3; no worshiper lies anywhere yet."""
    for start in games(players):
        assert [cell.tile.level for cell in start.centre] == [1] * 9
        assert all(cell.worshipers.total == 0 for cell in start.centre)
        assert all(each.realm.total == 0 for each in start.players)


def test_same_seed_same_game():
    """The set-up depends on nothing but the tile set and the generator passed in."""
    tiles = full_set()
    assert plain_rules.new_game(tiles, 3, random.Random(5)) == plain_rules.new_game(tiles, 3, random.Random(5))
    assert plain_rules.new_game(tiles, 3, random.Random(5)) != plain_rules.new_game(tiles, 3, random.Random(6))


@on_every_implementation
@pytest.mark.parametrize("players", PLAYERS)
def test_fifteen_turns_and_the_piles(rules, players):
    """Every player takes 15 turns: 14 regions and 1 god, in any order. So region tiles in use =
    9 + 14 x players exactly: the piles run out with the last refill, and at any moment hold exactly
    as many tiles as there are region turns left to play."""
    assert sum(SET_UP[players].regions) == 9 + REGION_TURNS * players
    for seed, start in enumerate(games(players)):
        turns = 0
        for where in random_game(rules, start, random.Random(seed)):
            assert sum(pile.left for pile in where.piles) == where.region_turns_left
            assert where.to_move == (None if where.is_over else turns % players)
            turns += 1
        assert turns == TURNS * players + 1
        assert where.is_over and where.hole is None
        assert all(each.regions == REGION_TURNS and each.god is not None for each in where.players)
        assert not rules.legal_moves(where)


@on_every_implementation
@pytest.mark.parametrize("regions", [0, 7, 14])
def test_god_in_any_order(rules, regions):
    """14 regions and 1 god, in any order: the god may come first, in between or last."""
    full = ("y " * 5, "y " * 4, "y " * 3, "y " * 2)
    rows = {0: (), 7: ("y " * 5, "y y"), 14: full}[regions]
    where = position(player(*rows), gods=[God.LOVE])
    assert any(move.god is God.LOVE for move in rules.legal_moves(where))


@on_every_implementation
def test_pile_order_is_hidden(rules):
    """The order of a pile is the game's only hidden information; what is left in it is known to
    everybody: the legal moves and the possible draws do not depend on the order."""
    start = next(games(2))
    first, *rest = start.piles
    turned = start._replace(piles=(Pile(first.left, first.tiles[::-1]), *rest))
    assert rules.legal_moves(start) == rules.legal_moves(turned)
    move = min(rules.legal_moves(start), key=lambda move: (move.cell is None, move.cell, move.slot))
    draws = [set(plain_rules.draws(rules.apply(where, move))) for where in (start, turned)]
    assert draws[0] == draws[1] == set(first.tiles)
