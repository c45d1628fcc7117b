"""RULES-MOO section 6: hidden information. What a player knows, and guesses at what a player does not know."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from orbis_search.base.dice import Dice
from orbis_search.orion.cards.library import load_card_set
from orbis_search.orion.game.knowledge import NOBODY, complete, seen_by, unseen
from orbis_search.orion.game.position import Drawing, Drop, Move
from orbis_search.orion.game.rules import by_dice, draw, legal_moves, new_game, play, play_out
from orbis_search.orion.game.vocabulary import UNKNOWN
from orion_builders import CARDS, after, card_set, drawn, moves, on_every_implementation, only, side, table

pytestmark = on_every_implementation


def everything(position):
    """All structures, wherever they are."""
    cards = [*position.deck, *position.pile]
    for player in position.players:
        cards += player.hand
        cards += [name for each in player.systems for name in each.cards]
    return Counter(cards)


def game(seed, spec="reconstruction", players=2):
    cards = load_card_set(spec)
    return new_game(cards, [race.id for race in cards.races][:players], Dice(seed))


def positions(seed, spec="reconstruction", players=2):
    """Every position of a random game, those where a card is to be drawn among them."""
    dice = Dice(seed)
    position = game(seed, spec, players)
    while not position.is_over:
        yield position
        if position.draw_due:
            position = draw(position, by_dice(dice)(position))
        else:
            position = play(position, dice.one_of(legal_moves(position)))
    yield position


# --- what is public


def test_a_card_taken_from_the_pile_is_known():
    """K = cards known to be in j's hand: taken from the pile in sight, not yet played or discarded."""
    where = after(
        table(side(hand="advanced-data-centre titan"), side(), pile="frigate embassy"), "build advanced-data-centre"
    )
    where = after(where, "take frigate")
    assert where.players[0].known == ("frigate",)
    assert seen_by(where, 1).players[0].hand == ("frigate", UNKNOWN)


def test_a_known_card_that_is_played_is_struck_off():
    """When j plays or discards a card of that name, one is struck off."""
    me = side(hand="frigate titan", known=("frigate",))
    where = after(table(me, side()), "exploit frigate", "research")
    assert where.players[0].known == () and "frigate" in where.players[0].fresh


def test_unseen():
    """Unseen = 90 - systems - pile - own hand - all K; its size is deck + sum of what is unknown in hands."""
    for position in positions(3, players=3):
        for observer in range(3):
            seen = seen_by(position, observer)
            unknown = sum(name == UNKNOWN for player in seen.players for name in player.fresh) + len(seen.deck)
            assert len(unseen(seen)) == unknown
            assert everything(position) == Counter(CARDS.deck)


def test_with_two_players_a_reshuffle_shows_the_hands():
    """At a reshuffle the deck is exactly the old pile without its top: with two players the opponent's hand is then known
    exactly."""
    where = table(
        side(hand="titan"), side(hand="frigate embassy"), deck="spaceport", pile="monument biosphere death-star"
    )
    where = drawn(play(where, Move("research")))
    assert where.players[1].known == ("embassy", "frigate") or where.players[1].known == ("frigate", "embassy")
    assert set(where.players[0].known) == {"titan", "spaceport"} and len(where.players[0].fresh) == 1
    assert seen_by(where, 0).players[1].hand == where.players[1].hand
    assert seen_by(where, 1).players[0].hand.count(UNKNOWN) == 1


def test_with_three_players_a_reshuffle_shows_their_union():
    """With three or four, the union of the others' hands is known."""
    hands = [side(hand="titan"), side(hand="frigate embassy"), side(hand="monument")]
    where = drawn(play(table(*hands, deck="", pile="biosphere spaceport death-star"), Move("research")))
    seen = seen_by(where, 0)
    assert Counter(seen.in_hands) == Counter(["frigate", "embassy", "monument"])
    assert [player.old for player in seen.players] == [("titan",), (UNKNOWN,) * 2, (UNKNOWN,)]
    assert Counter(seen_by(where, 2).in_hands) == Counter(["titan", "frigate", "embassy"])
    for seed in range(20):
        guess = complete(seen, Dice(seed))
        assert Counter(guess.players[1].hand + guess.players[2].hand) == Counter(seen.in_hands)


def test_a_card_that_can_only_be_old_leaves_the_old_part():
    """Later draws come from the new deck's contents."""
    hands = [side(hand="titan", available=5), side(hand="frigate biosphere"), side(hand="monument")]
    where = drawn(play(table(*hands, deck="", pile="embassy spaceport death-star titan"), Move("research")))
    assert where.to_move == 1
    where = after(where, "exploit biosphere")
    assert where.players[1].old == ("frigate",) and where.players[2].old == ("monument",)


def test_a_card_that_could_be_either_ends_what_a_reshuffle_told():
    """Where a later play could be an old or a new card, nobody can tell: the pools become one, and that is public."""
    first = side(hand="titan", available=1, old=("biosphere",))
    other = side(hand="frigate", available=0, old=("titan",))
    third = side(available=0, old=("embassy",))
    where = table(first, other, third, deck="monument")
    shown = after(where, "exploit titan")  # the first player's is fresh, but the other's is old: both were possible
    assert [player.old for player in shown.players] == [(), (), ()]
    assert Counter(shown.players[0].fresh) >= Counter(["biosphere"])
    assert shown.players[2].fresh == ("embassy",)


def test_what_is_public_does_not_depend_on_what_is_hidden():
    """Two hands that nobody else can tell apart leave the same public position when the same card is played."""
    hands = (("titan", "embassy"), ("embassy", "titan"))
    shown = []
    for old, fresh in hands:
        first = side(available=1, old=(old,), hand=fresh)
        third = side(available=0, old=(fresh,), hand=old)
        shown.append(seen_by(after(table(first, side(available=1), third, deck="monument"), "exploit titan"), 1))
    assert shown[0] == shown[1]


# --- guesses


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("spec", ["reconstruction", "random:1"])
def test_a_guess_leaves_the_view_as_it_is(players, spec):
    """Resampling must leave the view of player i unchanged; every sampled world is consistent with what i has seen."""
    for number, position in enumerate(positions(players, spec, players)):
        for observer in (NOBODY, *range(players)):
            seen = seen_by(position, observer)
            assert seen_by(seen, observer) == seen
            if number % 10 == 0:
                guess = complete(seen, Dice(number))
                assert guess.is_complete and not guess.in_hands
                assert seen_by(guess, observer) == seen
                assert everything(guess) == everything(position)


@pytest.mark.parametrize("players", [2, 4])
def test_the_movers_moves_do_not_depend_on_what_is_hidden(players):
    """Legal moves of the player to move do not depend on a guess; the true position is one of the guesses."""
    for number, position in enumerate(positions(7, "random:3", players)):
        if position.to_move is not None and number % 5 == 0:
            seen = seen_by(position, position.to_move)
            expected = legal_moves(position)
            assert legal_moves(seen) == expected
            assert legal_moves(complete(seen, Dice(number))) == expected


def test_guesses_are_uniform_by_enumeration():
    """Deck and unknown hand cards are a uniformly random split of Unseen: small case against all orders."""
    small = card_set()
    names = ["titan", "frigate", "embassy", "frigate"]
    start = table(side(), side(hand="titan frigate", available=0), deck="embassy frigate", cards=small)
    rest = Counter(small.deck) - Counter(names)
    start = start._replace(pile=tuple(rest.elements()))
    exact = Counter(tuple(sorted(order[:2])) for order in permutations(names))
    seen = seen_by(start, 0)
    found = Counter(tuple(sorted(complete(seen, Dice(seed)).players[1].hand)) for seed in range(4000))
    assert set(found) == set(exact)
    for hand, number in exact.items():
        assert found[hand] / 4000 == pytest.approx(number / 24, abs=0.03)


def test_the_deck_gets_an_order_by_chance():
    """No player knows any part of the deck's order."""
    seen = seen_by(game(1), 0)
    tops = {complete(seen, Dice(seed)).deck[0] for seed in range(60)}
    assert len(tops) > 20


def test_what_another_draws_stays_hidden():
    """The cards drawn are seen by the drawer only, also between the draws of one action."""
    where = table(side(hand="frigate", available=1), side(), deck="titan embassy monument biosphere spaceport")
    where = play(where, Move("exploit", "frigate"))
    where = draw(draw(where, "titan"), "embassy")
    task = seen_by(where, 1).stack[-1]
    assert isinstance(task, Drawing) and task.drawn == (UNKNOWN, UNKNOWN)
    done = play_out(where, by_dice(Dice(1)))
    task = seen_by(done, 1).stack[-1]
    assert isinstance(task, Drop) and task.among == (UNKNOWN,) * 4
    guess = complete(seen_by(done, 1)._replace(pile=()), Dice(1))
    assert Counter(guess.stack[-1].among) == Counter(guess.players[0].hand)
    assert {move.card for move in moves(done, "discard")} == set(done.stack[-1].among)


def test_a_discard_is_seen_by_all():
    """All discards, builds and cards taken from the discard pile are public."""
    where = after(table(side(hand="frigate titan", available=3), side()), "exploit titan")
    assert seen_by(where, 1).pile == ("titan",)
    built = after(where._replace(turn=0), only(where._replace(turn=0), "build", card="frigate"))
    assert seen_by(built, 1).players[0].systems[0].cards == ("frigate",)


def test_a_peeking_twin_would_be_noticed():
    """The test above can fail: a guess that kept the true hand would never change it."""
    seen = seen_by(game(1), 0)
    hands = {complete(seen, Dice(seed)).players[1].hand for seed in range(30)}
    assert len(hands) > 25
