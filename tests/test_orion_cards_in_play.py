"""RULES-MOO sections 4 and 5: cards in play, the end. Each test's docstring names the sentence or ruling it holds the code
to."""

from __future__ import annotations

import pytest

from orbis_search.orion.game.cards import (
    Activate,
    Advisor,
    AttackBonus,
    AttackCost,
    Bury,
    Choose,
    DefenceBonus,
    Discard,
    DismissAdvisor,
    Draw,
    Exchange,
    FillCell,
    FillR,
    Gain,
    Opponents,
    Reorder,
    Score,
    TakeDiscard,
)
from orbis_search.orion.game.counting import payments
from orbis_search.orion.game.position import ADVISOR, Move
from orbis_search.orion.game.vocabulary import NOTHING, Cell, Resources
from orion_builders import (
    CARDS,
    after,
    card,
    card_set,
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
FULL_SYSTEM = system("frigate", "frigate", "embassy", "embassy", "monument")


def places(position, name):
    return [move.system for move in moves(position, "build") if move.card == name]


# ------------------------------------------------------------------------------------------- 4.1 systems and building


def test_a_card_is_built_on_a_system_or_as_a_new_one():
    """On top of an own system that has fewer than 5 cards, or as a new system if the player has fewer than 4."""
    where = table(side(system("titan"), FULL_SYSTEM, hand="frigate"), side())
    assert places(where, "frigate") == [0, 2]
    built = after(where, only(where, "build", system=0)).players[0]
    assert built.systems == (system("titan", "frigate"), FULL_SYSTEM) and built.hand == ()
    founded = after(where, only(where, "build", system=2)).players[0]
    assert founded.systems == (system("titan"), FULL_SYSTEM, system("frigate"))


def test_no_fifth_system():
    """A new system if the player has fewer than 4."""
    assert places(table(side(*[system("titan")] * 4, hand="frigate"), side()), "frigate") == [0, 1, 2, 3]


def test_a_copy_of_a_card_already_built():
    """A copy of a card already built is allowed."""
    assert places(table(side(system("frigate"), hand="frigate"), side()), "frigate") == [0, 1]


def test_alluvias_system_does_not_count():
    """Fewer than 4, not counting Alluvia's: she founds a system in addition, however many exist by then."""
    mine = side(*[system("titan")] * 4, hand="frigate embassy embassy monument", available=3)
    where = after(
        table(mine, IDLE, advisors=("alluvia",)),
        "deal alluvia",
        "discard embassy",
        "discard embassy",
        "discard monument",
    )
    assert where.players[0].systems[-1] == system(advisor=True)
    assert places(where, "frigate") == [0, 1, 2, 3, 4]
    early = side(system(advisor=True), *[system("titan")] * 3, hand="frigate", advisor="alluvia")
    assert places(table(early, side()), "frigate") == [0, 1, 2, 3, 4]


def test_four_structures_fit_on_alluvia():
    """She counts as its first card, so 4 structures fit on her."""
    room = side(system("titan", "titan", "titan", advisor=True), hand="frigate", advisor="alluvia")
    assert 0 in places(table(room, side()), "frigate")
    full = side(system("titan", "titan", "titan", "titan", advisor=True), hand="frigate", advisor="alluvia")
    assert 0 not in places(table(full, side()), "frigate")


def test_building_on_alluvia_costs_less():
    """Building there costs 1 resource less; she works while covered."""
    for here in (system(advisor=True), system("titan", advisor=True)):
        where = table(side(here, hand="frigate", advisor="alluvia", resources=fleet(1)), side())
        assert only(where, "build", system=0).resources == NOTHING
        assert only(where, "build", system=1).resources == fleet(1)


@pytest.mark.parametrize("loyalty, legal", [(5, False), (6, True)])
def test_the_loyalty_sign_for_building(loyalty, legal):
    """Cards so marked cannot be built with loyalty below 6."""
    assert bool(places(table(side(hand="biosphere", loyalty=loyalty), side()), "biosphere")) is legal


def test_the_cost_is_paid():
    """Build: pay, place."""
    where = table(side(hand="fighter-base", resources=Resources(1, 1)), side())
    assert after(where, "build fighter-base").players[0].resources == Resources(0, 1)  # one back by its effect
    assert moves(table(side(hand="fighter-base", resources=food(9)), side()), "build") == []


def test_a_discount_is_divided_by_the_player():
    """Discounts 1 + 2 on a cost of 4 food + 1 production leave exactly 2 food, or 1 food + 1 production."""
    assert set(payments(Resources(food=4, production=1), 3)) == {food(2), Resources(1, 0, 1)}
    me = side(system("colony-ship", advisor=True), advisor="alluvia", hand="colony-ship planetary-stock-exchange")
    where = after(table(me, side()), only(table(me, side()), "build", card="colony-ship", system=0, resources=food(2)))
    assert {move.resources for move in moves(where, "build")} == {food(2), Resources(1, 0, 1)}


def test_as_much_as_possible_is_saved():
    """R7: the discount saved is min(discount, total cost); only its division is a choice."""
    assert payments(food(2), 5) == [NOTHING]
    assert payments(Resources(2, 1), 1) == [Resources(1, 1), Resources(2, 0)]


def test_a_kind_that_is_not_in_the_cost_is_not_saved():
    """Never below 0 of a kind, never a kind that is not in the cost."""
    assert all(paid.fleet == 0 for paid in payments(Resources(4, 0, 1), 2))


def test_the_card_about_to_be_covered_still_counts():
    """R8: a discount from the card about to be covered still counts for paying."""
    where = table(side(system("orbital-shipyard"), hand="frigate", resources=NOTHING), side())
    assert places(where, "frigate") == [0, 1]


def test_all_discounts_add_up():
    """All discounts add up; a discount may be for one colour."""
    me = side(system("orbital-shipyard"), system("space-dock"), hand="titan frigate", resources=Resources(0, 2, 1))
    paid = {(move.card, move.resources) for move in moves(table(me, side()), "build")}
    assert paid == {("titan", fleet(2)), ("titan", Resources(0, 1, 1)), ("frigate", NOTHING)}


def test_a_discount_is_part_of_the_move():
    """R7: divisions that leave different resources are different moves."""
    me = side(system("space-dock"), hand="titan")
    where = table(me, side())
    assert {move.resources for move in moves(where, "build") if move.system == 0} == {
        Resources(0, 2, 1),
        Resources(0, 3, 0),
    }


def test_a_covered_card_stops_working_and_loses_its_cube():
    """The covered card stops working at once; a cube on it goes to the reserve."""
    where = table(side(system("fleet-academy", a=True), hand="frigate", available=2), side())
    me = after(where, only(where, "build", system=0)).players[0]
    assert me.systems[0] == system("fleet-academy", "frigate")
    assert (me.reserve, me.available) == (8, 1)


def test_the_new_cards_effect_sees_the_system_after_placing():
    """Automated Laboratory on the only working yellow card: no extra cube."""
    where = table(side(system("spaceport"), hand="automated-laboratory", available=2), side())
    assert after(where, only(where, "build", system=0)).players[0].available == 1
    assert after(where, only(where, "build", system=1)).players[0].available == 2


def test_an_effect_that_builds_needs_no_cube_but_everything_else():
    """An effect that builds a card needs no action cube, but cost, place and loyalty sign hold as always."""
    me = side(hand="civilian-ship biosphere hydroponic-farm", available=2, loyalty=5, resources=food(9))
    where = after(table(me, side()), "build civilian-ship")
    assert {move.card for move in moves(where, "build")} == {"hydroponic-farm"}
    where = after(where, only(where, "build", system=1))
    assert where.players[0].available == 1 and where.players[0].resources == food(4)


def test_one_civilian_ship_can_become_five_builds():
    """One Civilian Ship build can become five builds (2 Civilian Ships, 1 blue, 2 any); an inner build is finished, with
    its own effect, before the outer effect goes on."""
    me = side(hand="civilian-ship civilian-ship hydroponic-farm frigate ground-batteries", available=1)
    where = after(table(me, side()), "build civilian-ship")
    for name in ("civilian-ship", "hydroponic-farm", "frigate", "ground-batteries"):
        assert where.to_move == 0
        where = after(where, next(move for move in moves(where, "build") if (move.card, move.system) == (name, 0)))
    built = where.players[0].systems[0].cards
    assert built == ("civilian-ship", "civilian-ship", "hydroponic-farm", "frigate", "ground-batteries")
    assert where.to_move == 1


def test_the_civilian_ship_wants_a_blue_card_first():
    """After building, may: build one blue and one further card from hand, paying; each may be left out."""
    where = after(table(side(hand="civilian-ship frigate hydroponic-farm"), side()), "build civilian-ship")
    assert {move.card for move in moves(where, "build")} == {"hydroponic-farm"}
    where = after(where, "done")
    assert {move.card for move in moves(where, "build")} == {"frigate", "hydroponic-farm"}
    assert after(where, "done").to_move == 1


def test_a_colony_ship_builds_in_its_own_system():
    """Colony Ship: build a card from hand in this system, discount 2."""
    where = table(side(system("titan"), hand="colony-ship fleet-academy"), side())
    where = after(where, only(where, "build", card="colony-ship", system=1))
    assert [(move.system, move.resources) for move in moves(where, "build")] == [(1, food(1))]


def test_two_copies_in_hand_give_one_move():
    """R21: moves name cards, not copies."""
    where = table(side(hand="frigate frigate"), side())
    assert len(moves(where, "build")) == len(moves(where, "exploit")) == 1


def test_two_systems_that_look_alike_are_two_places():
    """R20: systems are numbered in the order they were founded; two that look alike are two places."""
    assert places(table(side(system("titan"), system("titan"), hand="frigate"), side()), "frigate") == [0, 1, 2]


# --------------------------------------------------------------------------------------------------------- 4.2 attack


def test_an_attack():
    """Pay 2 fleet; target's loyalty -1; attacker +2 VP. Fleets are not lost."""
    where = after(table(side(resources=fleet(5)), side(resources=fleet(5))), "attack")
    me, target = where.players
    assert (me.resources, me.vp, me.attacks) == (fleet(3), 2, (0, 1))
    assert (target.resources, target.loyalty) == (fleet(5), 9)
    assert (me.available, me.reserve) == (1, 8)  # the marker lies on the target's board


@pytest.mark.parametrize("mine, theirs, legal", [(4, 4, True), (4, 5, False), (1, 0, False), (2, 0, True)])
def test_when_an_attack_is_legal(mine, theirs, legal):
    """Attacker's fleet >= target's fleet, and attacker's real fleet >= the cost."""
    where = table(side(resources=fleet(mine)), side(resources=fleet(theirs)))
    assert bool(moves(where, "attack")) is legal


@pytest.mark.parametrize("mine, theirs, legal", [(3, 5, True), (3, 6, False), (1, 0, False)])
def test_vale_counts_for_comparing_only(mine, theirs, legal):
    """Vale: +2 fleet when comparing for an attack; not for paying. Vale with 1 real fleet: no attack."""
    where = table(side(resources=fleet(mine), advisor="vale"), side(resources=fleet(theirs)))
    assert bool(moves(where, "attack")) is legal


def test_a_defence_bonus_counts_for_the_target():
    """Target's fleet plus bonuses."""
    assert moves(table(side(resources=fleet(3)), side(system("planetary-shield"), resources=fleet(2))), "attack") == []
    assert moves(table(side(resources=fleet(4)), side(system("planetary-shield"), resources=fleet(2))), "attack")


@pytest.mark.parametrize("batteries, price", [(0, 2), (1, 3), (2, 4)])
def test_ground_batteries(batteries, price):
    """Two working Ground Batteries: an attack costs 4."""
    target = side(*[system("ground-batteries")] * batteries, resources=NOTHING)
    assert after(table(side(resources=fleet(price)), target), "attack").players[0].resources == NOTHING
    assert moves(table(side(resources=fleet(price - 1)), target), "attack") == []


def test_covered_batteries_do_nothing():
    """Only working cards have effects."""
    target = side(system("ground-batteries", "frigate"), resources=NOTHING)
    assert moves(table(side(resources=fleet(2)), target), "attack")


def test_cards_may_make_own_attacks_cheaper():
    """The cost: 2, changed by cards."""
    drill = card("drill", "red", effect("always", AttackCost(-1)), effect("always", AttackBonus(1)))
    where = table(side(system("drill"), resources=fleet(1)), side(resources=fleet(2)), cards=card_set(drill))
    assert after(where, "attack").players[0].resources == NOTHING


def test_the_order_in_an_attack():
    """R9: pay; target's loyalty; VP; attacker's "after attack" effects; the target's "after being attacked" effects."""
    spent = card("spent", "red", effect("after_attack", Gain(food(1), times="fleet")))
    hit = card("hit", "red", effect("after_attacked", Gain(food(1), times="loyalty")))
    mine, theirs = side(system("spent"), resources=fleet(5)), side(system("hit"), resources=NOTHING, loyalty=4)
    where = after(table(mine, theirs, cards=card_set(spent, hit)), "attack")
    assert where.players[0].resources == Resources(3, 3)
    assert where.players[1].resources == food(3)


def test_after_attack_effects_in_the_attackers_order():
    """Attacker's "after attack" effects, each once, in the attacker's order."""
    me = side(system("death-star"), system("frigate"), available=2)
    where = after(table(me, side(), deck="titan embassy"), "attack")
    assert {move.card for move in moves(where, "use")} == {"death-star", "frigate"}
    where = after(where, "use frigate")
    assert (where.players[0].vp, where.players[0].hand, where.to_move) == (3, ("titan",), 1)


def test_after_attack_never_fires_for_the_attacked():
    """An "after attack" effect never fires for the attacked player."""
    where = after(table(side(), side(system("death-star"))), "attack")
    assert where.players[1].vp == 0


def test_star_fortress_fires_after_each_attack_on_its_owner():
    """One card (Star Fortress) fires after each attack on its owner."""
    where = after(
        table(side(available=3), side(system("star-fortress"), available=0, loyalty=5, resources=NOTHING)),
        "attack",
        "attack",
    )
    assert where.players[1].loyalty == 5


def test_the_attacker_orders_the_targets_effects():
    """Several effects at once: the player whose action it is chooses the order."""
    one = card("one", "grey", effect("after_attacked", Gain(food(1))))
    two = card("two", "grey", effect("after_attacked", Gain(fleet(1), times="food")))
    where = table(side(), side(system("one"), system("two"), resources=NOTHING), cards=card_set(one, two))
    where = after(where, "attack")
    assert where.to_move == 0 and {move.player for move in moves(where, "use")} == {1}
    assert after(where, "use two").players[1].resources == food(1)


# --------------------------------------------------------------------------------------------------- 4.3 cubes on cards


def test_an_effect_that_needs_an_occupied_cell_cannot_be_applied():
    """A cell holds one cube. R: a cube from the reserve: in effect "once a round"."""
    where = after(table(side(system("death-spores"), available=3), IDLE), "attack")
    assert where.players[1].loyalty == 8 and where.players[0].systems[0].r
    assert where.players[0].reserve == 6
    assert after(where, "attack").players[1].loyalty == 7  # only the attack's own


def test_a_cube_hinders_nothing_else():
    """A cube hinders nothing else: a card with a cube in its A cell still has its other effects."""
    both = card("both", "red", effect("activation", Gain(food(1))), effect("after_attack", Gain(vp=1)))
    where = after(table(side(system("both", a=True)), side(), cards=card_set(both)), "attack")
    assert where.players[0].vp == 3


def test_an_r_cell_needs_a_cube_in_the_reserve():
    """R11: the 10 reserve cubes are a real limit."""
    where = table(side(system("death-spores"), available=2, reserve=0), side(available=0))
    assert after(where, "attack").players[1].loyalty == 9


@pytest.mark.parametrize("reserve, gained", [(3, 1), (0, 0)])
def test_an_extra_action_is_a_cube_from_the_reserve(reserve, gained):
    """An extra action is a cube moved from reserve to available; with an empty reserve no cube can be had (R11)."""
    where = table(side(system("spaceport"), hand="automated-laboratory", available=2, reserve=reserve), side())
    where = after(where, only(where, "build", system=1))
    assert (where.players[0].available, where.players[0].reserve) == (1 + gained, reserve - gained)


def test_a_discarded_cube_goes_to_the_reserve():
    """A discarded cube goes to the reserve."""
    me = side(hand="holographic-simulator", available=3, loyalty=5)
    where = after(table(me, side()), "build", "use")
    assert (where.players[0].available, where.players[0].reserve) == (1, me.reserve + 1)


def test_an_activation_by_an_effect_takes_a_cube_from_the_reserve():
    """R10: an activation by an effect puts a reserve cube into the A cell."""
    me = side(system("high-orbit-locator"), system("fleet-academy"), available=2, resources=NOTHING)
    where = after(table(me, side()), "activate high-orbit-locator", "activate fleet-academy")
    again = where.players[0]
    assert again.systems[0].a and again.systems[1].a
    assert (again.available, again.reserve, again.resources) == (1, me.reserve - 1, fleet(2))


def test_the_locator_activates_several_in_chosen_order():
    """Activates several own cards, advisor too, in chosen order; not itself, and no more than it says."""
    me = side(
        system("high-orbit-locator"),
        system("fleet-academy"),
        system("cloning-centre"),
        advisor="victoria",
        advisor_a=False,
    )
    where = after(table(me, side()), "activate high-orbit-locator")
    assert {move.card for move in moves(where, "activate")} == {"fleet-academy", "cloning-centre", "victoria"}
    where = after(
        where,
        "activate victoria",
        only(after(where, "activate victoria"), "option", number=0),
        "activate fleet-academy",
    )
    assert where.to_move == 1


def test_the_locator_may_stop():
    """You choose which cards to activate."""
    me = side(system("high-orbit-locator"), system("fleet-academy"))
    assert after(table(me, side()), "activate high-orbit-locator", "done").to_move == 1


# ------------------------------------------------------------------------------------- 4.4 when a card's effect applies


def test_after_building_happens_once():
    """After building: once, right after this card was built."""
    where = after(table(side(hand="pleasure-dome", loyalty=4, available=3), IDLE), "build")
    assert where.players[0].loyalty == 7
    assert after(where, "research").players[0].loyalty == 7


def test_pleasure_dome_at_10():
    """Propaganda and Pleasure Dome at loyalty 10 are legal; the dome is no propaganda."""
    where = after(table(side(hand="pleasure-dome", loyalty=10), IDLE), "build")
    assert where.players[0].loyalty == 10 and "propaganda" in kinds(where)


def test_may_is_optional():
    """The part with "may" is optional."""
    me = side(hand="holographic-simulator", available=3, loyalty=5)
    where = after(table(me, side()), "build")
    assert kinds(where) == {"use", "done"}
    assert after(where, "done").players[0].available == 2


def test_who_cannot_pay_the_price_cannot_use_the_effect():
    """A price in front of an effect is paid first, and who cannot pay it cannot use the effect (but may build)."""
    where = after(table(side(hand="holographic-simulator", available=1), side()), "build")
    assert where.to_move == 1 and where.players[0].systems


def test_an_effect_without_may_is_applied():
    """An effect is applied as fully as possible."""
    must = card("must", "grey", effect("after_building", Gain(vp=1), pay={"resources": food(1)}))
    where = after(table(side(hand="must", resources=food(1)), side(), cards=card_set(must)), "build")
    assert (where.players[0].vp, where.players[0].resources) == (1, NOTHING)


def test_a_race_ability_counts_as_a_working_cards_effect():
    """A race ability counts as a working card's effect: Alkari spend VP, and cannot at 0 VP (R12)."""
    where = table(side(race="alkari", vp=1, available=1), IDLE, deck="titan " * 9)
    begun = after(where, "propaganda")
    assert kinds(begun) == {"use", "done"}
    used = after(begun, "use")
    assert (used.players[0].vp, used.players[0].available) == (0, begun.players[0].available + 1)
    poor = after(table(side(race="alkari", available=1), IDLE, deck="titan " * 9), "propaganda")
    assert "use" not in kinds(poor)


def test_a_board_is_not_a_card():
    """A board is not a card: it is no working card to be counted."""
    counts = card("counts", "grey", effect("activation", Gain(food(1), times="working")))
    where = table(
        side(system("counts"), advisor="vale", race="alkari", resources=NOTHING), side(), cards=card_set(counts)
    )
    assert after(where, "activate").players[0].resources == food(2)


def test_darloks_take_from_the_top_three():
    """Darloks: opponents discard, then the player picks from three cards of the discard pile."""
    where = table(
        side(race="darloks", available=1),
        side(hand="titan", available=0),
        pile="frigate embassy monument",
        deck="biosphere " * 9,
    )
    begun = after(where, "propaganda")
    assert (begun.to_move, kinds(begun)) == (1, {"discard"})
    begun = after(begun, "discard titan")
    assert begun.to_move == 0
    assert [move.card for move in moves(begun, "take")] == ["titan", "monument", "embassy"]
    begun = after(begun, "take monument")
    assert begun.pile == ("frigate", "embassy", "titan") and begun.players[0].known == ("monument",)


def test_darloks_with_fewer_than_three_cards():
    """Darloks with fewer than three cards on the pile choose from those."""
    where = table(
        side(race="darloks", available=1),
        *[side(available=0, resources=food(4))] * 2,
        pile="embassy",
        deck="biosphere " * 9,
    )
    assert [move.card for move in moves(after(where, "propaganda"), "take")] == ["embassy"]
    nothing = table(side(race="darloks", available=1), side(available=0, resources=food(4)), deck="biosphere " * 9)
    assert "take" not in kinds(after(nothing, "propaganda"))


def test_a_slash_is_a_choice():
    """Slash: choose one. Victoria: 2 food or 2 fleet or 2 production."""
    where = after(table(side(advisor="victoria", resources=NOTHING), side()), "activate")
    gained = [after(where, move).players[0].resources for move in moves(where, "option")]
    assert gained == [food(2), fleet(2), production(2)]


def test_a_double_arrow_goes_either_way_once():
    """Double arrow: exchange in either direction, once per activation. Spaceport: 3 food + 3 fleet <-> 2 production."""
    where = after(table(side(system("spaceport"), resources=Resources(4, 4, 4)), side()), "activate")
    results = {after(where, move).players[0].resources for move in moves(where, "exchange")}
    assert results == {Resources(1, 1, 6), Resources(7, 7, 2)}
    poor = after(table(side(system("spaceport"), resources=food(9)), side()), "activate")
    assert poor.to_move == 1  # nothing can be exchanged, and the activation was legal (R16)


def test_a_crossed_card_is_a_discard():
    """Crossed card: discard a card from hand."""
    throw = card("throw", "grey", effect("activation", Discard(2), Draw(1)))
    me = side(system("throw"), hand="titan frigate embassy")
    where = after(
        table(me, side(), deck="monument", cards=card_set(throw)), "activate", "discard titan", "discard embassy"
    )
    assert where.players[0].hand == ("frigate", "monument") and where.pile == ("titan", "embassy")
    few = after(
        table(side(system("throw"), hand="titan"), side(), deck="monument", cards=card_set(throw)),
        "activate",
        "discard titan",
    )
    assert few.players[0].hand == ("monument",)


def test_a_card_as_price():
    """A price may be a card: it is discarded first."""
    sell = card("sell", "grey", effect("activation", Gain(vp=2), pay={"cards": 1}))
    where = after(table(side(system("sell"), hand="titan"), side(), cards=card_set(sell)), "activate")
    assert kinds(where) == {"discard"} and where.players[0].vp == 0
    assert after(where, "discard titan").players[0].vp == 2
    assert moves(table(side(system("sell")), side(), cards=card_set(sell)), "activate") == []


def test_vp_never_fall_below_0():
    """R12: no one spends more VP than they have; a loss of VP stops at 0."""
    rob = card("rob", "red", effect("after_attack", Opponents("target", (Gain(vp=-3),))))
    assert after(table(side(system("rob")), side(vp=1), cards=card_set(rob)), "attack").players[1].vp == 0
    where = table(side(system("planetary-stock-exchange"), vp=0), side())
    assert moves(where, "activate") == []
    rich = after(table(side(system("planetary-stock-exchange"), vp=1, resources=NOTHING), side()), "activate")
    assert (rich.players[0].vp, rich.players[0].resources) == (0, production(2))


def test_loyalty_never_exceeds_10_and_has_no_lower_bound():
    """Loyalty never exceeds 10 and has no lower bound."""
    where = table(side(available=5, resources=fleet(9)), side(available=0, loyalty=-3, resources=NOTHING))
    assert after(where, "attack").players[1].loyalty == -4
    assert after(table(side(loyalty=9), side()), "propaganda").players[0].loyalty == 10


def test_losses_stop_at_nothing():
    """Resources are 0 to 9 each."""
    rob = card("rob", "red", effect("after_attack", Opponents("target", (Gain(Resources(-3, 0, -9)),))))
    where = after(table(side(system("rob")), side(resources=Resources(2, 1, 1)), cards=card_set(rob)), "attack")
    assert where.players[1].resources == fleet(1)


# ------------------------------------------------------------------------------------------- notes on single cards


def test_tax_office():
    """Tax Office as first card or on grey: no resources; else by the colour of the card below, for a cube."""
    me = side(system("hydroponic-farm"), system("frigate"), hand="tax-office", available=2, resources=food(3))
    gains = []
    for place in (0, 1, 2):
        where = table(me, side())
        where = after(where, only(where, "build", system=place))
        assert kinds(where) == {"use", "done"}
        gains.append(after(where, "use").players[0].resources)
    assert gains == [food(4), NOTHING, NOTHING]


def test_destroyer_leaves_the_choice():
    """Destroyer: an opponent discards 2 cards or loses loyalty, own choice."""
    where = after(table(side(hand="destroyer"), side(hand="titan frigate embassy")), "build")
    assert where.to_move == 1 and len(moves(where, "option")) == 2
    lost = after(where, only(where, "option", number=1))
    assert lost.players[1].loyalty == 9
    thrown = after(where, only(where, "option", number=0), "discard titan", "discard embassy")
    assert thrown.players[1].hand == ("frigate",) and thrown.players[1].loyalty == 10


def test_destroyer_against_fewer_than_two_cards():
    """Destroyer against fewer than two cards: loyalty is forced."""
    where = after(table(side(hand="destroyer"), side(hand="titan")), "build")
    assert [move.number for move in moves(where, "option")] == [1]


def test_every_opponent_in_turn_order():
    """Opponents decide one after another, from the player's left."""
    where = after(table(side(hand="titan"), side(hand="destroyer"), side(hand="titan"), turn=1), "build")
    assert where.to_move == 2
    assert after(where, "option").to_move == 0


def test_spy_camp():
    """Spy Camp: an opponent loses the advisor; against no advisor or Alluvia: nothing."""
    where = after(table(side(hand="spy-camp"), side(advisor="vale"), side(advisor="victoria", advisor_a=True)), "build")
    assert [move.player for move in moves(where, "target")] == [1, 2]
    hit = after(where, only(where, "target", player=2))
    assert hit.advisors == ("victoria",) and hit.players[2].advisor == "" and hit.players[2].reserve == 8
    alluvia = side(system(advisor=True), advisor="alluvia")
    assert after(table(side(hand="spy-camp"), alluvia), "build").to_move == 1
    assert after(table(side(hand="spy-camp"), side()), "build").to_move == 1


def test_troop_transport():
    """An opponent's working card goes under in its system, and loses its cubes; no change in a system of one."""
    target = side(system("titan", "fleet-academy", a=True), system("frigate"), resources=NOTHING, available=1)
    where = after(table(side(system("troop-transport")), target), "attack")
    assert [(move.card, move.system) for move in moves(where, "bury")] == [("fleet-academy", 0), ("frigate", 1)]
    buried = after(where, only(where, "bury", system=0)).players[1]
    assert buried.systems[0] == system("fleet-academy", "titan") and buried.reserve == target.reserve + 1
    assert after(where, only(where, "bury", system=1)).players[1].systems == target.systems


def test_battleship():
    """Battleship: fills an empty A or R cell of an opponent with that opponent's cube; nothing if there is none."""
    target = side(system("fleet-academy"), system("death-spores", r=True), advisor="victoria", resources=NOTHING)
    where = after(table(side(system("battleship")), target), "attack")
    assert [(move.card, move.number) for move in moves(where, "fill")] == [("fleet-academy", 0), ("victoria", 0)]
    filled = after(where, only(where, "fill", card="fleet-academy")).players[1]
    assert filled.systems[0].a and filled.reserve == target.reserve - 1
    assert after(table(side(system("battleship")), side(system("frigate"))), "attack").to_move == 1
    assert after(table(side(system("battleship")), target._replace(reserve=0)), "attack").to_move == 1


def test_data_centre():
    """Advanced Data Centre: take one card from the discard pile, the rest keep their order; nothing from an empty pile."""
    me = side(hand="advanced-data-centre")
    where = after(table(me, side(), pile="titan frigate titan embassy"), "build")
    assert [(move.card, move.number) for move in moves(where, "take")] == [
        ("embassy", 1), ("titan", 2), ("frigate", 3), ("titan", 4),
    ]  # fmt: skip
    assert after(where, only(where, "take", number=4)).pile == ("frigate", "titan", "embassy")
    assert after(table(me, side()), "build").to_move == 1


def test_communications_satellite():
    """Reorder the cards of an own system, this one too; a card that no longer works loses its cubes (R18)."""
    me = side(system("titan", "fleet-academy", a=True), system("frigate"), hand="communications-satellite", available=2)
    where = table(me, side())
    where = after(where, only(where, "build", system=1))
    orders = {(move.system, move.order) for move in moves(where, "reorder")}
    assert orders == {
        (0, ("titan", "fleet-academy")), (0, ("fleet-academy", "titan")),
        (1, ("frigate", "communications-satellite")), (1, ("communications-satellite", "frigate")),
    }  # fmt: skip
    turned = after(where, Move("reorder", system=0, order=("fleet-academy", "titan"))).players[0]
    assert turned.systems[0] == system("fleet-academy", "titan") and turned.reserve == me.reserve + 1
    same = after(where, Move("reorder", system=0, order=("titan", "fleet-academy"))).players[0]
    assert same.systems[0].a


def test_reordering_all_systems():
    """One system or all: with all, one after another."""
    sort = card("sort", "grey", effect("activation", Reorder(every=True)))
    me = side(system("titan", "sort"), system("frigate"), system("embassy", "monument"))
    where = after(table(me, side(), cards=card_set(sort)), "activate")
    assert {move.system for move in moves(where, "reorder")} == {0}
    where = after(where, moves(where, "reorder")[0])
    assert {move.system for move in moves(where, "reorder")} == {2}


def test_counting_includes_the_card_itself():
    """Fighter Base, Soil Enrichment, Supercomputer, Recyclotron: the card itself counts."""
    where = after(table(side(hand="soil-enrichment", resources=food(3)), side()), "build")
    assert where.players[0].resources == food(1)


def test_titan_counts_alluvia_as_a_system():
    """Alluvia: a system of her own even when nothing is on her."""
    target = side(system(advisor=True), system("frigate"), advisor="alluvia", resources=fleet(5))
    assert after(table(side(hand="titan"), target), "build").players[1].resources == fleet(3)


def test_harrava_is_filled_after_an_attack():
    """Harrava has an R cell; in the reconstruction an own attack fills it."""
    where = after(table(side(advisor="harrava"), side()), "attack")
    assert where.players[0].advisor_r and where.players[0].reserve == 7


# ------------------------------------------------------------------------------- every op that no card above shows


def test_fill_r_needs_an_empty_cell_and_a_cube():
    """fill_r: a cube from the reserve goes into this card's R cell."""
    bank = card("bank", "grey", effect("after_attack", FillR()))
    for me, filled, reserve in (
        (side(system("bank")), True, 7),
        (side(system("bank", r=True)), True, 7),
        (side(system("bank"), reserve=0), False, 0),
    ):
        where = after(table(me, side(), cards=card_set(bank)), "attack")
        assert (where.players[0].systems[0].r, where.players[0].reserve) == (filled, reserve)


def test_fill_cell_may_be_the_opponents_choice():
    """fill_cell with chooser = them."""
    jam = card("jam", "red", effect("after_attack", FillCell("target", theirs=True)))
    where = table(side(system("jam")), side(system("fleet-academy"), advisor="victoria"), cards=card_set(jam))
    assert after(where, "attack").to_move == 1
    jam = card("jam", "red", effect("after_building", FillCell("chosen", theirs=True)))
    three = table(side(hand="jam"), side(system("fleet-academy")), side(advisor="victoria"), cards=card_set(jam))
    where = after(three, "build")
    assert kinds(where) == {"target"}
    assert after(where, only(where, "target", player=2)).to_move == 2


def test_bury_each_and_chosen():
    """bury with who = each: one card of every opponent; chosen: one of any."""
    each = card("mole", "red", effect("after_building", Bury("each")))
    where = table(
        side(hand="mole"), side(system("titan", "frigate")), side(system("titan", "embassy")), cards=card_set(each)
    )
    where = after(where, "build", "bury frigate", "bury embassy")
    assert [player.systems[0].cards[-1] for player in where.players[1:]] == ["titan", "titan"]
    chosen = card("mole", "red", effect("after_building", Bury("chosen")))
    where = after(
        where._replace(cards=card_set(chosen), turn=0).with_player(0, side(hand="mole", attacks=(0, 0, 0))), "build"
    )
    assert {move.player for move in moves(where, "bury")} == {1, 2}


def test_dismiss_the_target():
    """dismiss_advisor with who = target."""
    raid = card("raid", "red", effect("after_attack", DismissAdvisor("target")))
    where = after(table(side(system("raid")), side(advisor="vale"), cards=card_set(raid)), "attack")
    assert where.players[1].advisor == "" and where.advisors == ("vale",)


def test_take_two_of_the_top_three():
    """take_discard: top and keep."""
    dig = card("dig", "grey", effect("activation", TakeDiscard(3, 2)))
    where = after(
        table(side(system("dig")), side(), pile="titan frigate embassy monument", cards=card_set(dig)), "activate"
    )
    assert [move.card for move in moves(where, "take")] == ["monument", "embassy", "frigate"]
    where = after(where, "take embassy")
    assert [move.card for move in moves(where, "take")] == ["monument", "frigate"]


def test_an_effect_may_have_a_condition():
    """`if` guards an effect with a count and a minimum: Automated Laboratory."""
    where = table(side(hand="automated-laboratory", available=2), side())
    assert after(where, "build").players[0].available == 1


def test_a_cell_r_effect_is_offered_only_with_its_cell_free():
    """4.3: An effect that needs an occupied cell cannot be applied."""
    ask = card("ask", "red", effect("after_attack", Gain(vp=1), cell=Cell.R, may=True))
    where = after(table(side(system("ask", r=True)), side(), cards=card_set(ask)), "attack")
    assert where.to_move == 1


def test_options_that_cannot_be_done_in_full_are_not_offered():
    """Who has nothing to lose cannot choose that loss, unless all are like that."""
    toll = card("toll", "red", effect("after_attack", Opponents("target", either=((Gain(food(-2)),), (Discard(1),)))))
    poor = after(table(side(system("toll")), side(hand="titan", resources=food(1)), cards=card_set(toll)), "attack")
    assert [move.number for move in moves(poor, "option")] == [1]
    bare = after(table(side(system("toll")), side(resources=food(1)), cards=card_set(toll)), "attack")
    assert [move.number for move in moves(bare, "option")] == [0, 1]
    assert after(bare, only(bare, "option", number=0)).players[1].resources == NOTHING


def test_a_choice_with_draws():
    """choose: each option is a list of things to do."""
    pick = card("pick", "grey", effect("activation", Choose(((Draw(1), Gain(vp=1)), (Gain(food(1)),)))))
    where = after(table(side(system("pick")), side(), deck="titan", cards=card_set(pick)), "activate")
    where = after(where, only(where, "option", number=0))
    assert (where.players[0].vp, where.players[0].hand) == (1, ("titan",))


def test_activate_all():
    """activate with n = 0 activates as many as there are, this card too unless it must be another."""
    hub = card("hub", "grey", effect("after_building", Activate(0, other=False)))
    me = side(system("fleet-academy"), system("cloning-centre"), hand="hub", resources=NOTHING)
    where = table(me, side(), cards=card_set(hub))
    where = after(where, only(where, "build", system=2), "activate fleet-academy", "activate cloning-centre")
    assert where.to_move == 1 and where.players[0].resources == Resources(3, 2)


def test_an_exchange_that_is_payable_one_way():
    """exchange: a direction that cannot be paid is not offered."""
    swap = card("swap", "grey", effect("activation", Exchange(food(1), fleet(1))))
    where = after(table(side(system("swap"), resources=fleet(2)), side(), cards=card_set(swap)), "activate")
    assert [move.number for move in moves(where, "exchange")] == [1]


def test_defence_and_attack_bonuses_add_up():
    """attack_bonus, defence_bonus."""
    wall = card("wall", "red", effect("always", DefenceBonus(3)))
    ram = card("ram", "red", effect("always", AttackBonus(3)))
    cards = card_set(wall, ram)
    target = side(system("wall"), resources=fleet(2))
    assert not moves(table(side(system("ram"), resources=fleet(1)), target, cards=cards), "attack")
    assert moves(table(side(system("ram"), resources=fleet(2)), target, cards=cards), "attack")


# --------------------------------------------------------------------------------------------- 5 end and scoring


def finish(*players, round=3, **more):
    """The position after the last cube of the round."""
    return after(table(*players, round=round, deck="titan " * 9, **more), "propaganda")


def test_the_game_ends_after_round_8(orion):
    """1. it was round 8."""
    assert not finish(side(available=1), IDLE, round=7).is_over
    over = finish(side(available=1), IDLE, round=8)
    assert over.is_over and orion.end_reasons(over) == ["rounds"]
    assert over.to_move is None and orion.legal_moves(over) == []


@pytest.mark.parametrize("loyalty, over", [(1, False), (0, True), (-2, True)])
def test_loyalty_ends_the_game(loyalty, over):
    """2. some player's loyalty is 0 or less; checked only at the end of a round."""
    assert finish(side(available=1), side(available=0, loyalty=loyalty)).is_over is over
    assert not table(side(), side(loyalty=0)).is_over


def test_full_systems_end_the_game():
    """3. some player has 5 cards in every system; at least 4 systems (R15)."""
    assert finish(side(*[FULL_SYSTEM] * 4, available=1), IDLE).is_over
    assert not finish(side(*[FULL_SYSTEM] * 3, available=1), IDLE).is_over
    assert not finish(side(*[FULL_SYSTEM] * 3, system("titan"), available=1), IDLE).is_over


def test_alluvia_counts_as_a_card_of_a_full_system():
    """R15: Alluvia counts as a card."""
    hers = system("frigate", "frigate", "embassy", "embassy", advisor=True)
    assert finish(side(hers, *[FULL_SYSTEM] * 3, advisor="alluvia", available=1), IDLE).is_over
    assert not finish(side(system(advisor=True), *[FULL_SYSTEM] * 4, advisor="alluvia", available=1), IDLE).is_over


def test_full_systems_taken_literally():
    """R15, option full_systems = "literal"."""
    cards = card_set(full_systems="literal")
    assert finish(side(FULL_SYSTEM, available=1), IDLE, cards=cards).is_over
    assert not finish(side(available=1), IDLE, cards=cards).is_over


def test_nothing_happens_after_the_end():
    """If an end condition holds, the game is over; nothing below happens."""
    hand = "biosphere titan titan frigate frigate embassy monument"
    over = finish(side(hand=hand, available=1), IDLE, round=8)
    assert len(over.players[0].hand) == 7 and over.players[0].propaganda


def test_the_score():
    """Score = VP track + loyalty (also negative) + VP of all own structures, covered or not."""
    where = table(side(system("biosphere", "titan"), vp=3, loyalty=-2), side())
    assert tuple(scored(where.players[0])) == (3, -2, 6, 0)


def test_end_of_game_effects_count_on_covered_cards():
    """End of game: at scoring, also on covered cards; a "?" counts what its effect says."""
    me = side(system("planetary-supercomputer", "biosphere"), system("soil-enrichment"))
    assert scored(me).effects == 3


@pytest.mark.parametrize(
    "per, number",
    [
        ("blue", 3), ("working blue", 1), ("working", 3), ("systems", 3), ("full systems", 1), ("hand", 2),
        ("attacks", 2), ("loyalty", 7), ("food", 4), ("fleet", 3), ("production", 2), ("pairs", 3), ("sets", 1),
        ("grey", 3), ("red", 2), ("yellow", 1), ("working grey", 0), ("working red", 2), ("working yellow", 0),
    ],
)  # fmt: skip
def test_everything_that_can_be_counted(per, number):
    """`times` and `per` count cards of a colour (working or all), working cards, systems, ..."""
    tally = card("tally", "blue", effect("end_of_game", Score(1, per)))
    cards = card_set(tally)
    me = side(
        system("frigate", "embassy", "destroyer", "spaceport", "biosphere"), system("tally", "titan"), system("biosphere", "titan"),
        hand="titan titan", attacks=(0, 2), loyalty=7, resources=Resources(4, 3, 2),
    )  # fmt: skip
    assert scored(me, cards).effects == number


def test_for_every_so_many():
    """score with every: one for every two of what is counted."""
    assert scored(side(system("monument"), loyalty=7)).effects == 3
    assert scored(side(system("monument"), loyalty=-7)).effects == 0


def test_most_points_win(orion):
    """Most points win. A player with negative loyalty may still win."""
    where = table(side(loyalty=-1, vp=20), side(loyalty=10, vp=5))
    assert orion.winners(where) == [0]


def test_ties(orion):
    """Ties by loyalty, then by food + fleet + production, then the victory is shared."""
    assert orion.winners(table(side(loyalty=4, vp=6), side(loyalty=5, vp=5))) == [1]
    assert orion.winners(table(side(resources=food(3)), side(resources=Resources(1, 1, 2)))) == [1]
    assert orion.winners(table(side(resources=food(3)), side(resources=Resources(1, 1, 1)), side(vp=0, loyalty=2))) == [
        0,
        1,
    ]


def test_advisors_have_no_colour_and_no_vp_unless_the_data_says_so():
    """R19."""
    assert scored(side(advisor="vale")).structures == 0
    proud = Advisor("proud", colour=CARDS.structure["titan"].colour, vp=3)
    tally = card("tally", "blue", effect("end_of_game", Score(1, "red")))
    cards = card_set(tally, advisors=(proud,))
    assert tuple(scored(side(system("tally"), advisor="proud"), cards))[2:] == (3, 1)


def test_a_permanent_advisors_place_is_the_advisor():
    """The advisor's cells are not those of a system."""
    where = after(table(side(system("titan"), advisor="victoria"), side()), "activate")
    assert where.players[0].advisor_a and not where.players[0].systems[0].a
    assert ADVISOR < 0
