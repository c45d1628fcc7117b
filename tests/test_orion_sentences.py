"""RULES-MOO sections 2 to 5, the sentences that the files beside this one leave out, in the order of the page. Each
test's docstring quotes the sentence or ruling it holds the code to."""

from __future__ import annotations

from collections import Counter

import pytest

from orbis_search.base.dice import Dice
from orbis_search.orion.game.cards import (
    Advisor,
    AttackBonus,
    Build,
    DefenceBonus,
    Discard,
    Draw,
    Exchange,
    Gain,
    Opponents,
    Race,
)
from orbis_search.orion.game.knowledge import NOBODY, seen_by
from orbis_search.orion.game.position import ADVISOR, Move, Phase
from orbis_search.orion.game.problems import problems
from orbis_search.orion.game.vocabulary import NOTHING, Resources
from orion_builders import (
    CARDS,
    after,
    card,
    card_set,
    drawn,
    effect,
    fleet,
    food,
    kinds,
    moves,
    on_every_implementation,
    only,
    production,
    scored,
    side,
    system,
    table,
)

pytestmark = on_every_implementation

IDLE = side(available=0, resources=NOTHING)


# ---------------------------------------------------------------------------------------- 2 components and set-up


def test_an_alien_race_is_taken_at_most_once(orion):
    """An alien race is taken at most once; any number may play Humans."""
    assert problems(orion.new_game(CARDS, ("humans",) * 4, Dice(1))) == []
    twice = problems(orion.new_game(CARDS, ("psilons", "humans", "psilons"), Dice(1)))
    assert [problem.place for problem in twice] == ["player 3, race"]


def test_tokens_are_no_limit():
    """Tokens for loyalty below -3 and VP from 50 (bookkeeping only, never a limit)."""
    where = after(table(side(vp=49), side(loyalty=-3, resources=NOTHING)), "attack")
    assert (where.players[0].vp, where.players[1].loyalty) == (51, -4)


def test_cards_are_dealt_from_the_first_player_on(orion):
    """From the first player on, each takes 5 cards."""
    start = orion.new_game(CARDS, ("humans",) * 3, None, first=1)
    dealt = [player.hand for player in (start.players[1], start.players[2], start.players[0])]
    assert [card for hand in dealt for card in hand] == list(CARDS.deck[:15])


def test_the_deck_is_shuffled(orion):
    """The structure deck is shuffled."""
    decks = {orion.new_game(CARDS, ("humans",) * 2, Dice(seed), first=0).deck for seed in range(5)}
    assert len(decks) == 5 and CARDS.deck[10:] not in decks


def test_who_has_exchanged_does_not_exchange_again(orion):
    """Then, from the first player on, each may once discard any number of cards."""
    start = orion.new_game(CARDS, ("humans", "humans"), Dice(1), first=0)
    hand = start.players[0].hand[0]
    seats = []
    position = after(start, f"discard {hand}", "done")
    while position.phase is Phase.SETUP:
        seats.append(position.to_move)
        position = after(position, "done")
    assert seats == [1]


def test_what_was_exchanged_lies_open_on_the_pile(orion):
    """Discard pile: everybody, face up, in order."""
    start = orion.new_game(CARDS, ("humans", "humans"), Dice(1), first=0)
    first, second = start.players[0].hand[:2]
    position = after(start, f"discard {second}", f"discard {first}")
    assert seen_by(position, 1).pile == seen_by(position, NOBODY).pile == (second, first)


def test_covered_cards_are_seen_by_everybody():
    """All cards in all systems, also covered ones: everybody, at any time."""
    where = table(side(system("titan", "frigate")), side())
    assert seen_by(where, 1).players[0].systems == where.players[0].systems


# ------------------------------------------------------------------------------------------- 3.1 start of the round


def test_only_structures_have_income(orion):
    """Every player gains the income of all own cards: those in hand are not own cards."""
    where = after(table(side(hand="hydroponic-farm", available=1, resources=NOTHING), IDLE), "propaganda")
    assert where.round == 4 and where.players[0].resources == NOTHING


def test_everybody_has_income():
    """Every player gains the income."""
    sides = [side(system("hydroponic-farm"), available=number == 0, resources=NOTHING) for number in range(3)]
    begun = after(table(*sides), "propaganda")
    assert [player.resources for player in begun.players] == [food(2)] * 3


def test_no_income_in_round_one(orion):
    """In round 1 there is no income and the start values decide."""
    begun = after(orion.new_game(CARDS, ("humans", "meklars"), Dice(3), first=0), "done", "done")
    assert begun.round == 1
    for player in begun.players:
        race = CARDS.race[player.race]
        assert player.resources == race.start
        assert player.available == (4 if max(race.start) >= 4 else race.levels[0].cubes)


def test_start_of_round_effects_of_the_board():
    """Each applies all of these on own working cards and board."""
    race = Race("odd", effects=(effect("start_of_round", Gain(food(1))),))
    cards = card_set(card("one", "grey", effect("start_of_round", Gain(fleet(1)))), races=(race,))
    begun = after(
        table(side(system("one"), race="odd", resources=NOTHING, available=1), IDLE, cards=cards), "propaganda"
    )
    assert {move.card for move in moves(begun, "use")} == {"one", "odd"}
    assert after(begun, "use one").players[0].resources == Resources(1, 1)


# ------------------------------------------------------------------------------------------------------ 3.2 actions


@pytest.mark.parametrize(
    "steps",
    [
        ["build frigate"],
        ["exploit biosphere"],
        ["research"],
        ["attack"],
        [Move("trade", number=0)],
        ["propaganda"],
        ["deal vale", "discard biosphere", "discard frigate", "discard titan"],
    ],
)
def test_the_cube_of_an_action_lies_on_a_board(steps):
    """Cube goes to the board, the target's board, or propaganda's cell: it is no longer available, nor in the
    reserve."""
    me = side(hand="biosphere frigate titan", available=2)
    where = table(me, IDLE, deck="frigate titan", advisors=("vale",))
    used = after(where, *steps).players[0]
    assert (used.available, used.reserve, used.on_cards, used.on_boards) == (1, me.reserve, 0, 1)


def test_every_action_passes_the_turn():
    """Players take turns, one action each."""
    me = side(hand="biosphere frigate titan", available=2)
    where = table(me, side(), deck="frigate titan")
    for step in ("build frigate", "exploit biosphere", "research", "attack", "propaganda"):
        assert after(where, step).to_move == 1


def test_a_build_may_be_repeated():
    """The same action may be repeated unless its own limit forbids it."""
    where = table(side(hand="frigate frigate", available=3), IDLE)
    where = after(where, only(where, "build", system=0))
    assert {move.system for move in moves(where, "build")} == {0, 1}


def test_build_needs_a_card_that_can_be_paid_and_placed():
    """Build: legal if a hand card can be paid and placed."""
    full = [system("frigate", "frigate", "embassy", "embassy", "monument")] * 4
    assert moves(table(side(*full, hand="titan"), side()), "build") == []
    assert moves(table(side(hand="titan", resources=NOTHING), side()), "build") == []
    assert moves(table(side(hand="titan"), side()), "build")


def test_trade_needs_the_amount_given():
    """Trade: legal if the amount given is there."""
    assert {move.number for move in moves(table(side(resources=Resources(2, 2, 0)), side()), "trade")} == {2, 3}


def test_any_advisor_on_the_table_and_none_in_hand():
    """Deal: take any advisor from the table; another player's advisor is not on it."""
    where = table(side(hand="titan titan frigate"), side(advisor="quail"), advisors=("alluvia", "vale"))
    assert [move.card for move in moves(where, "deal")] == ["alluvia", "vale"]


def test_a_deal_discards_before_the_advisor_comes():
    """R17: the three cards are discarded first, in chosen order."""
    where = after(
        table(side(hand="titan titan frigate"), side(), advisors=("vale",)),
        "deal vale",
        "discard titan",
        "discard titan",
    )
    assert (where.players[0].advisor, where.to_move, kinds(where)) == ("", 0, {"discard"})


# ---------------------------------------------------------------------------------------------- 3.3 end of the round


def test_the_order_of_the_last_discards_is_the_owners_choice():
    """Everybody discards down to 5 cards; cards discarded together go onto the pile in an order of the owner's
    choice."""
    hand = "biosphere titan titan frigate frigate embassy monument"
    where = after(
        table(side(hand=hand, available=1), IDLE, deck="titan"), "propaganda", "discard monument", "discard titan"
    )
    assert where.pile == ("monument", "titan") and where.round == 4


def test_resources_carry_over():
    """Resources carry over from round to round."""
    begun = after(table(side(available=1, resources=Resources(2, 3, 1)), IDLE, deck="titan titan"), "propaganda")
    assert begun.round == 4 and begun.players[0].resources == Resources(2, 3, 1)


def test_attack_markers_go_back():
    """All cubes, attack markers included, go back: a rival can be attacked again in the next round."""
    me = side(available=1, resources=fleet(6), attacks=(0, 3), reserve=6)
    where = table(me, IDLE, deck="titan " * 4)
    assert moves(where, "attack") == []
    begun = after(where, "research")
    while begun.to_move == 1:
        begun = after(begun, "research")
    assert begun.round == 4 and moves(begun, "attack")


def test_an_r_cube_that_is_not_kept_goes_back():
    """All cubes on cards go back (exception: Harrava's)."""
    begun = after(table(side(system("death-spores", r=True), advisor="vale", available=1), IDLE), "propaganda")
    assert not begun.players[0].systems[0].r and begun.players[0].available + begun.players[0].reserve == 10


# ---------------------------------------------------------------------------------------------------- 3.4 deck empty


def test_the_top_card_stays_even_if_too_few_are_left():
    """All of the discard pile except its top card; if there is still nothing to draw, nothing is drawn."""
    where = after(table(side(), side(), deck="", pile="titan monument"), "research")
    assert (where.players[0].hand, where.pile, where.deck) == (("titan",), ("monument",), ())


# ------------------------------------------------------------------------------------------- 4.1 systems and building


@pytest.mark.parametrize("loyalty, built", [(5, False), (6, True)])
def test_the_loyalty_sign_is_per_use(loyalty, built):
    """The sign is per card and per use: what cannot be built can still be activated once it stands."""
    proud = card("proud", "grey", effect("activation", Gain(vp=1)), loyalty_sign=True)
    cards = card_set(proud)
    assert bool(moves(table(side(hand="proud", loyalty=loyalty), side(), cards=cards), "build")) is built
    assert moves(table(side(system("proud"), loyalty=loyalty), side(), cards=cards), "activate")


def test_the_loyalty_sign_holds_for_builds_by_effects_too():
    """An effect that builds a card: cost, place and loyalty sign hold as always."""
    yard = card("yard", "grey", effect("activation", Build((None,))))
    cards = card_set(yard)
    me = side(system("yard"), hand="biosphere frigate", loyalty=5)
    assert {move.card for move in moves(after(table(me, side(), cards=cards), "activate"), "build")} == {"frigate"}
    full = [system("yard"), *[system("frigate", "frigate", "embassy", "embassy", "monument")] * 3]
    where = after(table(side(*full, hand="frigate"), side(), cards=cards), "activate")
    assert [move.system for move in moves(where, "build")] == [0]


def test_a_covered_card_stops_working_at_once():
    """The covered card stops working at once: a discount it gave is gone for the next card."""
    me = side(system("orbital-shipyard"), hand="frigate ground-batteries", resources=food(2), available=3)
    where = table(me, IDLE)
    assert only(where, "build", card="ground-batteries", system=0).resources == food(1)
    where = after(where, only(where, "build", card="frigate", system=0))
    assert only(where, "build", card="ground-batteries", system=0).resources == food(2)


# --------------------------------------------------------------------------------------------------------- 4.2 attack


def test_bonuses_count_on_both_sides():
    """Attacker's fleet plus bonuses >= target's fleet plus bonuses."""
    cards = card_set(
        card("ram", "red", effect("always", AttackBonus(2))), card("wall", "red", effect("always", DefenceBonus(2)))
    )
    for theirs, legal in ((3, True), (4, False)):
        where = table(
            side(system("ram"), resources=fleet(3)), side(system("wall"), resources=fleet(theirs)), cards=cards
        )
        assert bool(moves(where, "attack")) is legal


def test_each_opponent_has_a_limit_of_its_own():
    """The limit of section 2 against this opponent."""
    me = side(resources=fleet(9), attacks=(0, 2, 0), available=2, reserve=6)
    assert [move.player for move in moves(table(me, IDLE, IDLE), "attack")] == [2]


def test_an_after_attack_effect_fires_after_each_attack():
    """After attack: after each own attack has been paid for."""
    where = table(side(system("death-star"), resources=fleet(9), available=3), IDLE)
    assert after(where, "attack", "attack").players[0].vp == 6


def test_whether_a_target_uses_its_effect_is_the_targets_choice():
    """The part with "may" is optional for its owner, though the attacker chooses the order."""
    parley = card("parley", "grey", effect("after_attacked", Gain(food(1)), may=True, pay={"vp": 1}))
    target = side(system("parley"), vp=1, resources=NOTHING, available=1)
    where = after(table(side(), target, cards=card_set(parley)), "attack")
    assert (where.to_move, kinds(where)) == (1, {"use", "done"})
    assert after(where, "use").players[1].resources == food(1)
    assert after(where, "done").players[1].vp == 1


def test_the_attacker_orders_and_the_target_decides():
    """Several effects at once: the player whose action it is chooses the order; "may" is the owner's."""
    one = card("one", "grey", effect("after_attacked", Gain(food(2)), may=True))
    two = card("two", "grey", effect("after_attacked", Gain(fleet(1), times="food")))
    target = side(system("one"), system("two"), resources=NOTHING, available=1)
    where = after(table(side(), target, cards=card_set(one, two)), "attack")
    assert (where.to_move, kinds(where)) == (0, {"use"})
    asked = after(where, "use one")
    assert (asked.to_move, kinds(asked)) == (1, {"use", "done"})
    assert after(asked, "use").players[1].resources == Resources(2, 2)
    assert after(asked, "done").players[1].resources == NOTHING


# --------------------------------------------------------------------------------------------------- 4.3 cubes on cards


def test_a_cell_holds_one_cube():
    """A cell holds one cube: an effect cannot activate a card whose A cell is filled."""
    me = side(system("high-orbit-locator"), system("fleet-academy", a=True), system("cloning-centre"))
    where = after(table(me, side()), "activate high-orbit-locator")
    assert {move.card for move in moves(where, "activate")} == {"cloning-centre"}


def test_activation_by_an_effect_needs_a_cube_in_the_reserve():
    """R10 and R11: a reserve cube, and with an empty reserve no cube can be had."""
    me = side(system("high-orbit-locator"), system("fleet-academy"), reserve=0)
    assert after(table(me, side()), "activate high-orbit-locator").to_move == 1


def test_a_full_table_of_cubes():
    """R11: at most 10 cubes; whoever has them all available gains none."""
    lab = side(system("spaceport"), hand="automated-laboratory", available=10)
    where = table(lab, side())
    assert after(where, only(where, "build", system=1)).players[0].available == 9


# ------------------------------------------------------------------------------------- 4.4 when a card's effect applies


def test_always_ends_with_the_card():
    """Always: as long as the card works."""
    covered = side(system("planetary-shield", "frigate"), resources=fleet(2))
    assert moves(table(side(resources=fleet(2)), covered), "attack")


def test_an_advisor_works_as_a_card_does():
    """Only working cards have effects; the hired advisor is one."""
    envoy = Advisor("envoy", effects=(effect("after_building", Gain(vp=1)), effect("after_attack", Gain(food(1)))))
    cards = card_set(advisors=(envoy,))
    where = table(side(advisor="envoy", hand="frigate", resources=Resources(0, 4)), IDLE, cards=cards)
    assert after(where, "attack").players[0].resources == Resources(1, 2)
    assert after(where, "build").players[0].vp == 0  # "after building": after this card was built


def test_an_effect_is_applied_as_fully_as_possible():
    """An effect is applied as fully as possible: a part that cannot be done does not stop the rest."""
    mixed = card("mixed", "grey", effect("activation", Discard(2), Draw(2), Gain(vp=1)))
    where = after(table(side(system("mixed")), side(), deck="titan", cards=card_set(mixed)), "activate")
    assert (where.players[0].hand, where.players[0].vp) == (("titan",), 1)


def test_an_inner_build_is_finished_first():
    """A build inside an effect is finished, with its own "after building" effect, before the outer effect goes on."""
    yard = card("yard", "grey", effect("after_building", Build((None,)), Gain(vp=1, times="food")))
    me = side(hand="yard soil-enrichment", resources=food(3))
    where = after(table(me, side(), cards=card_set(yard)), "build yard")
    where = after(where, only(where, "build", system=0))
    assert (where.players[0].resources, where.players[0].vp) == (food(1), 1)


def test_an_exchange_loses_what_is_above_nine():
    """R22: "gain" at the cap is legal and loses the rest, also in exchange."""
    swap = card("swap", "grey", effect("activation", Exchange(food(1), fleet(3))))
    where = after(table(side(system("swap"), resources=Resources(1, 8)), side(), cards=card_set(swap)), "activate")
    assert after(where, only(where, "exchange", number=0)).players[0].resources == fleet(9)


def test_vp_are_spent_only_by_who_has_enough():
    """VP can be spent only by who has some (R12)."""
    dear = card("dear", "grey", effect("activation", Gain(food(1)), pay={"vp": 2}))
    for vp, legal in ((1, False), (2, True)):
        assert bool(moves(table(side(system("dear"), vp=vp), side(), cards=card_set(dear)), "activate")) is legal


def test_no_loss_of_loyalty_is_too_much():
    """Loyalty has no lower bound, by cards too."""
    doom = card("doom", "red", effect("activation", Opponents("each", (Gain(loyalty=-9),))))
    where = after(table(side(system("doom")), side(loyalty=2), cards=card_set(doom)), "activate")
    assert where.players[1].loyalty == -7


# ---------------------------------------------------------------------------------------------------------- 4.5 tracks


def test_colour_has_no_bonus_of_its_own():
    """Colour has no bonus of its own: cards that differ in nothing else bring the same."""
    colours = ("blue", "red", "yellow", "grey")
    cards = card_set(*(card(f"plain-{colour}", colour) for colour in colours))
    brought = set()
    for colour in colours:
        built = after(table(side(hand=f"plain-{colour}"), IDLE, cards=cards), "build").players[0]
        begun = after(table(side(*built.systems, available=1), IDLE, cards=cards), "propaganda").players[0]
        brought.add((built._replace(systems=()), begun._replace(systems=()), scored(built, cards)))
    assert len(brought) == 1


@pytest.mark.parametrize(
    "loyalty, places",
    [(6, {"sign", "score"}), (5, {"score"}), (1, {"score"}), (0, {"score", "end"}), (-2, {"score", "end"})],
)
def test_loyalty_matters_in_four_places(orion, loyalty, places):
    """Loyalty matters in four places: the loyalty sign (6), end condition 2, the score, the first tie-break."""
    cards = card_set(card("proud", "grey", loyalty_sign=True))
    me = side(hand="proud", loyalty=loyalty)
    where = table(me, side(loyalty=5), cards=cards)
    found = {"sign"} if moves(where, "build") else set()
    found |= {"end"} if "loyalty" in orion.end_reasons(where) else set()
    found |= {"score"} if scored(me, cards).loyalty == loyalty else set()
    assert found == places
    rival = side(vp=loyalty, loyalty=1)  # as many points as with 1 VP and this loyalty
    if loyalty > 1:
        assert orion.winners(table(rival, side(vp=1, loyalty=loyalty))) == [1]


# ----------------------------------------------------------------------------------------- 4.6 races and advisors


def test_bulrathi_lose_loyalty_to_cards():
    """Bulrathi: no loyalty loss at high mobilization, and only there (card effects do lower it)."""
    doom = card("doom", "red", effect("activation", Opponents("each", (Gain(loyalty=-2),))))
    rich = side(race="bulrathi", loyalty=8, resources=food(9))
    assert after(table(side(system("doom")), rich, cards=card_set(doom)), "activate").players[1].loyalty == 6


def test_alluvia_may_be_taken_at_any_number_of_systems():
    """Founds a system in addition to the usual four, however many exist by then."""
    for count in range(5):
        me = side(*[system("titan")] * count, hand="frigate frigate embassy monument", available=2)
        where = after(
            table(me, IDLE, advisors=("alluvia",)), "deal", "discard frigate", "discard frigate", "discard embassy"
        )
        assert where.players[0].systems[count] == system(advisor=True)
        assert len({move.system for move in moves(where, "build")}) == min(count + 2, 5)


def test_harravas_cube_comes_beside_those_of_the_level():
    """A cube in it stays and is an extra available cube in the next."""
    poor = side(advisor="harrava", advisor_r=True, resources=NOTHING, available=1)
    assert after(table(poor, IDLE, deck="titan " * 4), "propaganda").players[0].available == 4


# ------------------------------------------------------------------------------------------------ 5 end and scoring


def test_end_conditions_are_checked_only_after_the_round():
    """The game ends after a round in which one of these holds, checked only then."""
    where = after(table(side(resources=fleet(4)), side(loyalty=1, resources=NOTHING)), "attack")
    assert where.players[1].loyalty == 0 and not where.is_over
    saved = after(where, "propaganda", "research", "research")
    assert saved.round == 4 and not saved.is_over


def test_several_conditions_at_once(orion):
    """The game ends if one of these holds; several may."""
    over = after(table(side(available=1), side(available=0, loyalty=-1), round=8), "propaganda")
    assert orion.end_reasons(over) == ["rounds", "loyalty"]


def test_the_hand_scores_nothing():
    """VP of all own structures: the hand is not among own cards."""
    assert scored(side(hand="biosphere", loyalty=0)).total == 0


def test_a_shared_victory(orion):
    """Ties by loyalty, then by resources, then the victory is shared."""
    same = side(vp=3, loyalty=4, resources=food(2))
    assert orion.winners(table(same, same, same._replace(resources=food(1)))) == [0, 1]


def test_the_same_game_is_played_again(orion):
    """Section 6: chance is the advisors, the deal and the draws; with the same of them, the same game."""

    def whole_game(seed):
        dice, position, seen = Dice(seed), orion.new_game(CARDS, ("humans", "psilons"), Dice(seed)), Counter()
        while not position.is_over:
            if position.draw_due:
                position = orion.draw(position, dice.weighted(dict(orion.draws(position))))
            else:
                move = dice.one_of(orion.legal_moves(position))
                seen[move.kind] += 1
                position = orion.play(position, move)
        return position, seen

    assert whole_game(4) == whole_game(4) != whole_game(5)


def test_production_is_a_resource_like_the_others():
    """Resources pay for building, effects, attacks and trade: production alone decides the level too."""
    begun = after(table(side(available=1, resources=production(7)), IDLE), "propaganda")
    assert begun.players[0].available == 5


def test_an_advisors_cell_is_emptied_when_it_leaves():
    """R18: a card that stops working in any way loses its cubes to the owner's reserve."""
    spy = after(table(side(hand="spy-camp"), side(advisor="victoria", advisor_a=True, available=1)), "build")
    victim = drawn(after(spy, "target") if "target" in kinds(spy) else spy).players[1]
    assert (victim.advisor, victim.advisor_a, victim.reserve) == ("", False, 9)
    assert ADVISOR < 0
