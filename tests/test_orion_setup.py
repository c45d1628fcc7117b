"""RULES-MOO section 2: components and set-up. Each test's docstring names the sentence or ruling it holds the code to."""

from __future__ import annotations

from collections import Counter

import pytest

from orbis_search.base.dice import Dice
from orbis_search.orion.game.knowledge import NOBODY, seen_by
from orbis_search.orion.game.position import Phase
from orbis_search.orion.game.vocabulary import ATTACKS, UNKNOWN, Resources
from orion_builders import CARDS, after, drawn, kinds, moves, on_every_implementation, side, table

pytestmark = on_every_implementation

RACES = ("humans", "psilons", "humans", "darloks")


def game(orion, players=2, seed=1, **more):
    return orion.new_game(CARDS, RACES[:players], Dice(seed), **more)


def test_the_box_has_90_structures_and_8_advisors():
    """90 structures (26 blue, 22 red, 22 yellow, 20 grey); 8 advisors; Humans and six alien races."""
    colours = Counter(CARDS.structure[card].colour.word for card in CARDS.deck)
    assert colours == {"blue": 26, "red": 22, "yellow": 22, "grey": 20}
    assert len(CARDS.advisors) == 8
    assert {race.id for race in CARDS.races} == {
        "humans", "alkari", "bulrathi", "darloks", "meklars", "mrrshan", "psilons",
    }  # fmt: skip


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_starts_with_five_cards_of_one_deck(orion, players):
    """Each takes 5 cards. The whole deck is always used."""
    start = game(orion, players)
    assert [len(player.hand) for player in start.players] == [5] * players
    everything = [card for player in start.players for card in player.hand] + list(start.deck)
    assert Counter(everything) == Counter(CARDS.deck)


def test_the_start_values(orion):
    """The three resources at the race's start values, loyalty 10, VP 0; the other 10 cubes are the reserve."""
    start = game(orion)
    for player in start.players:
        assert player.resources == CARDS.race[player.race].start
        assert (player.loyalty, player.vp, player.reserve, player.available) == (10, 0, 10, 0)


def test_humans_start_with_more():
    """Humans: no ability; more start resources than the others."""
    humans = CARDS.race["humans"]
    assert humans.effects == ()
    assert all(humans.start.total > race.start.total for race in CARDS.races if race is not humans)


def test_five_advisors_lie_on_the_table(orion):
    """Five of the eight advisors, at random, lie face up; the other three leave the game."""
    out = {game(orion, seed=seed).advisors for seed in range(20)}
    assert all(len(set(advisors)) == 5 for advisors in out)
    assert len(out) > 10


def test_races_and_first_player_are_given(orion):
    """R1: races and first player are inputs; the default first player is random."""
    assert [player.race for player in game(orion, 4).players] == list(RACES)
    assert game(orion, first=1).first == 1
    assert {game(orion, seed=seed).first for seed in range(20)} == {0, 1}


def test_each_may_exchange_cards_once_in_turn_order(orion):
    """From the first player on, each may once discard any number of cards (0 to 5) and draw as many."""
    start = game(orion, 3, first=1)
    assert start.to_move == 1 and kinds(start) == {"discard", "done"}
    hand = start.players[1].hand
    changed = start
    for card in hand:
        changed = after(changed, f"discard {card}")
    assert kinds(changed) == {"done"}
    assert changed.pile == hand
    changed = after(changed, "done")
    assert len(changed.players[1].hand) == 5 and len(changed.deck) == len(start.deck) - 5
    assert changed.to_move == 2
    unchanged = after(changed, "done")
    assert unchanged.players[2].hand == changed.players[2].hand
    assert unchanged.to_move == 0


def test_the_order_on_the_pile_is_the_owners_choice(orion):
    """Cards discarded together go onto the pile in an order of the owner's choice."""
    start = game(orion, first=0)
    one, other = start.players[0].hand[0], start.players[0].hand[-1]
    assert after(start, f"discard {one}", f"discard {other}").pile == (one, other)
    assert after(start, f"discard {other}", f"discard {one}").pile == (other, one)


def test_the_first_round_begins_after_the_exchange(orion):
    """In round 1 there is no income and the start values decide the level."""
    begun = drawn(after(game(orion, first=0), "done", "done"))
    assert (begun.phase, begun.round, begun.to_move) == (Phase.ACTIONS, 1, 0)
    assert begun.players[0].resources == CARDS.race["humans"].start


@pytest.mark.parametrize("players, attacks", ATTACKS.items())
def test_attacks_on_one_opponent(orion, players, attacks):
    """Attacks on one opponent in a round: 4 players: 1, 3 players: 2, 2 players: 3."""
    assert {2: 3, 3: 2, 4: 1}[players] == attacks
    sides = [
        side(available=9, resources=Resources(fleet=9)),
        *[side(available=0, resources=Resources())] * (players - 1),
    ]
    where = table(*sides)
    for made in range(attacks):
        assert len(moves(where, "attack")) == players - 1
        where = after(where, moves(where, "attack")[0])
        where = where.with_player(0, where.players[0]._replace(resources=Resources(fleet=9)))
    assert {move.player for move in moves(where, "attack")} == set(range(2, players))


def test_the_training_game(orion):
    """All Humans, no advisors; action 8 is then never legal."""
    start = orion.new_game(CARDS, ("humans", "humans"), Dice(1), training=True)
    assert start.advisors == ()
    begun = drawn(after(start, "done", "done"))
    assert len(begun.players[begun.to_move].hand) >= 3 and "deal" not in kinds(begun)


def test_the_same_seed_deals_the_same_game(orion):
    """Chance is a seeded source."""
    assert game(orion, 3, seed=5) == game(orion, 3, seed=5) != game(orion, 3, seed=6)


def test_what_everybody_sees(orion):
    """Resources, loyalty, VP, cubes, advisors, systems and the pile in order; sizes of hands and deck (R2)."""
    start = after(game(orion, first=0), "discard " + game(orion, first=0).players[0].hand[0])
    seen = seen_by(start, NOBODY)
    assert seen.pile == start.pile and seen.advisors == start.advisors
    assert [len(player.hand) for player in seen.players] == [4, 5]
    assert set(seen.players[0].hand + seen.players[1].hand) == {UNKNOWN}
    assert set(seen.deck) == {UNKNOWN} and len(seen.deck) == len(start.deck)
    public = [player._replace(known=(), old=(), fresh=()) for player in seen.players]
    assert public == [player._replace(known=(), old=(), fresh=()) for player in start.players]


def test_a_hand_is_seen_by_its_owner(orion):
    """Hand: its owner; its size is public (R2)."""
    start = game(orion)
    assert seen_by(start, 0).players[0] == start.players[0]
    assert seen_by(start, 0).players[1].hand == (UNKNOWN,) * 5
