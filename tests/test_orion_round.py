"""RULES-MOO section 3: the round. Each test's docstring names the sentence or ruling it holds the code to."""

from __future__ import annotations

from collections import Counter

import pytest

from orbis_search.orion.game.cards import Draw, Exploit, Gain, LevelLine, Race
from orbis_search.orion.game.position import ADVISOR, Move, Phase
from orbis_search.orion.game.rules import first_in_deck
from orbis_search.orion.game.vocabulary import NOTHING, Level, Resources, level_of
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
    side,
    system,
    table,
)

pytestmark = on_every_implementation

IDLE = side(available=0, resources=NOTHING)
LAST = {"available": 1}  # whose cube ends the round


def next_round(*players, deck="frigate titan " * 6, **more):
    """The position at the start of the next round: the first player spends the last cube."""
    where = table(*players, deck=deck, **more)
    return after(where, "propaganda")


# --------------------------------------------------------------------------------------------- 3.1 start of the round


def test_income_of_all_own_cards():
    """Every player gains the income of all own cards, covered or working."""
    begun = next_round(side(system("hydroponic-farm", "fighter-base"), resources=NOTHING, **LAST), IDLE)
    assert begun.round == 4
    assert begun.players[0].resources == Resources(food=2, fleet=1)


def test_income_above_9_is_lost():
    """Anything above 9 is lost."""
    begun = next_round(side(system("hydroponic-farm"), resources=food(8), **LAST), IDLE)
    assert begun.players[0].resources == food(9)


@pytest.mark.parametrize(
    "resources, level",
    [((3, 3, 3), "low"), ((4, 0, 0), "medium"), ((0, 6, 1), "medium"), ((7, 0, 0), "high"), ((0, 0, 9), "high")],
)
def test_the_largest_resource_decides_the_level(resources, level):
    """Mobilization, by the largest of the three resources. Levels at (3,3,3) low, (4,0,0) medium, (7,0,0) high."""
    assert level_of(Resources(*resources)) is Level[level.upper()]


@pytest.mark.parametrize(
    "amount, cubes, loyalty, cards", [(7, 5, 4, 0), (6, 4, 5, 0), (4, 4, 5, 0), (3, 3, 6, 1), (0, 3, 6, 1)]
)
def test_what_a_level_brings(amount, cubes, loyalty, cards):
    """High: 5 cubes, loyalty -1. Medium: 4 cubes. Low: 3 cubes, loyalty +1, draw 1."""
    begun = next_round(side(loyalty=2, resources=food(amount), **LAST), IDLE)
    me = begun.players[0]
    assert (me.available, me.reserve, me.loyalty, len(me.hand)) == (cubes, 10 - cubes, loyalty, cards)


def test_income_comes_before_the_level():
    """1. Income. 2. Mobilization."""
    begun = next_round(side(system("hydroponic-farm"), resources=food(5), **LAST), IDLE)
    assert begun.players[0].available == 5


def test_a_race_board_may_change_a_line():
    """A race board may change a line: Bulrathi lose no loyalty at high mobilization."""
    begun = next_round(side(race="bulrathi", loyalty=2, resources=food(9), **LAST), IDLE)
    assert (begun.players[0].available, begun.players[0].loyalty) == (4, 5)
    races = (Race("odd", levels=(LevelLine(2, 3, 2), LevelLine(4), LevelLine(5))),)
    odd = next_round(side(race="odd", loyalty=2, resources=NOTHING, **LAST), IDLE, cards=card_set(races=races))
    assert (odd.players[0].available, odd.players[0].loyalty, len(odd.players[0].hand)) == (2, 8, 2)


def test_draws_are_made_in_turn_order():
    """R3: draws of several players happen in turn order."""
    # The first player token passes to seat 1, who draws before seat 0.
    begun = next_round(side(resources=NOTHING, **LAST), IDLE, deck="frigate titan embassy")
    assert begun.first == 1
    assert [player.hand for player in begun.players] == [("titan",), ("frigate",)]


def test_start_of_round_effects_come_after_the_level():
    """They come too late to change the level."""
    rich = card("rich", "grey", effect("start_of_round", Gain(food(9))))
    begun = next_round(side(system("rich"), resources=NOTHING, **LAST), IDLE, cards=card_set(rich))
    assert begun.players[0].resources == food(9)
    assert begun.players[0].available == 3


def test_start_of_round_effects_in_an_order_of_choice():
    """First player first, then clockwise, each applies all of these, in an order of their choice."""
    one = card("one", "grey", effect("start_of_round", Gain(food(1))))
    two = card("two", "grey", effect("start_of_round", Gain(fleet(1), times="food")))
    cards = card_set(one, two)
    begun = next_round(side(system("one"), system("two"), resources=NOTHING, **LAST), IDLE, cards=cards)
    assert begun.to_move == 0 and kinds(begun) == {"use"}
    assert after(begun, "use one").players[0].resources == Resources(1, 1)
    assert after(begun, "use two").players[0].resources == Resources(1, 0)


def test_only_working_cards_have_start_of_round_effects():
    """Each applies these on own working cards and board."""
    rich = card("rich", "grey", effect("start_of_round", Gain(food(3))))
    begun = next_round(side(system("rich", "frigate"), resources=NOTHING, **LAST), IDLE, cards=card_set(rich))
    assert begun.players[0].resources == NOTHING


def test_start_of_round_effects_first_player_first():
    """First player first, then clockwise."""
    asks = card("asks", "grey", effect("start_of_round", Gain(food(1)), may=True))
    cards = card_set(asks)
    begun = next_round(side(system("asks"), **LAST), side(system("asks"), available=0), cards=cards)
    assert begun.first == begun.to_move == 1
    assert after(begun, "done").to_move == 0


# ----------------------------------------------------------------------------------------------------- 3.2 actions


def test_players_take_turns_one_action_each():
    """Players take turns, from the first player clockwise, one action each, until nobody has an available cube."""
    where = table(side(available=2), side(available=1), side(available=3), deck="frigate " * 30, first=0)
    seats = []
    while where.round == 3:
        seats.append(where.to_move)
        where = drawn(after(where, "research") if where.phase is Phase.ACTIONS else where)
        while where.phase is Phase.END:
            where = after(where, moves(where, "discard")[0])
    assert seats == [0, 1, 2, 0, 2, 2]


def test_who_gains_a_cube_comes_back():
    """R4: who gains a cube is no longer skipped; the phase ends only when nobody has one."""
    gift = card("gift", "grey", effect("after_attacked", Gain(cubes=1)))
    where = table(side(available=2), side(system("gift"), available=0, resources=NOTHING), cards=card_set(gift))
    assert after(where, "attack").to_move == 1


def test_nobody_may_pass():
    """Nobody may pass or keep a cube. Research is always legal (R5), so there is always a move."""
    where = table(side(available=1, resources=NOTHING, propaganda=True), IDLE)
    assert moves(where, "research") and kinds(where) == {"research"}


def test_a_cube_is_spent_first():
    """A cube is spent first, then the action is carried out: no price can be paid with it."""
    cost = card("cost", "grey", effect("activation", Gain(vp=1), pay={"cubes": 1}))
    cards = card_set(cost)
    assert moves(table(side(system("cost"), available=1), IDLE, cards=cards), "activate") == []
    where = after(table(side(system("cost"), available=2), IDLE, cards=cards), "activate cost")
    assert where.players[0].vp == 1 and where.round == 4  # both cubes are gone


def test_an_action_may_be_repeated():
    """The same action may be repeated unless its own limit forbids it."""
    where = table(side(available=3), IDLE, deck="frigate " * 9)
    assert len(after(where, "research", "research").players[0].hand) == 4


def test_research_draws_two():
    """Research: draw 2."""
    assert after(table(side(), side(), deck="frigate titan embassy"), "research").players[0].hand == (
        "titan",
        "frigate",
    )


def test_psilons_draw_three():
    """Psilons: research draws 3."""
    where = table(side(race="psilons"), side(), deck="frigate titan embassy biosphere")
    assert len(after(where, "research").players[0].hand) == 3


@pytest.mark.parametrize("name, gained", [("biosphere", food(3)), ("titan", fleet(2)), ("spaceport", production(1))])
def test_exploit_by_colour(name, gained):
    """Exploit: discard it; blue 3 food, red 2 fleet, yellow 1 production."""
    where = after(table(side(hand=name, resources=NOTHING), side()), f"exploit {name}")
    assert where.players[0].resources == gained
    assert where.pile == (name,) and where.players[0].hand == ()


def test_exploiting_a_grey_card():
    """Grey: draw 4, then discard one of those four."""
    where = after(
        table(side(hand="frigate biosphere"), side(), deck="titan embassy titan spaceport monument"), "exploit frigate"
    )
    assert where.to_move == 0
    assert {move.card for move in moves(where, "discard")} == {"titan", "embassy", "spaceport"}
    where = after(where, "discard embassy")
    assert Counter(where.players[0].hand) == Counter(["biosphere", "titan", "titan", "spaceport"])
    assert where.pile == ("frigate", "embassy")


def test_mrrshan_gain_a_fleet_with_the_marked_exploit():
    """Mrrshan: +1 fleet when doing the exploit marked on the board, and only then."""
    where = table(side(hand="titan biosphere", race="mrrshan", resources=NOTHING), side())
    assert after(where, "exploit titan").players[0].resources == fleet(3)
    assert after(where, "exploit biosphere").players[0].resources == food(3)


def test_exploit_needs_a_card():
    """Exploit is legal with a card in hand."""
    assert moves(table(side(), side()), "exploit") == []


def test_a_card_discarded_for_another_reason_gives_nothing():
    """A card discarded for any other reason than action 2 gives no exploit effect."""
    where = table(side(hand="biosphere titan spaceport", resources=NOTHING), side(), advisors=("vale",))
    where = after(where, "deal vale", "discard biosphere", "discard titan", "discard spaceport")
    assert where.players[0].resources == NOTHING


def test_activate_puts_the_cube_into_the_a_cell():
    """Activate: the cube goes to the card's A cell; then the effect."""
    where = after(table(side(system("fleet-academy"), resources=NOTHING), side()), "activate fleet-academy")
    me = where.players[0]
    assert me.systems[0].a and me.resources == fleet(2)
    assert (me.available, me.reserve) == (1, 8)


def test_activate_needs_an_empty_a_cell():
    """Own working card with an empty A cell."""
    assert moves(table(side(system("fleet-academy", a=True)), side()), "activate") == []


def test_a_covered_card_cannot_be_activated():
    """Own working card."""
    assert moves(table(side(system("fleet-academy", "frigate")), side()), "activate") == []


def test_the_advisor_can_be_activated():
    """Own working card (advisor too)."""
    where = table(side(advisor="victoria"), side())
    assert only(where, "activate") == Move("activate", "victoria", ADVISOR)
    where = after(where, "activate")
    assert where.players[0].advisor_a and len(moves(where, "option")) == 3


@pytest.mark.parametrize("loyalty, legal", [(5, False), (6, True)])
def test_activation_with_the_loyalty_sign(loyalty, legal):
    """Loyalty sign met: not with loyalty below 6."""
    proud = card("proud", "grey", effect("activation", Gain(vp=1), loyalty_sign=True))
    where = table(side(system("proud"), loyalty=loyalty), side(), cards=card_set(proud))
    assert bool(moves(where, "activate")) is legal


def test_activation_needs_its_price():
    """Extra cost payable; pay the extra cost, then the effect (R16)."""
    where = table(side(system("population-support"), resources=food(2), loyalty=5), side())
    where = after(where, "activate population-support")
    assert (where.players[0].resources, where.players[0].loyalty) == (NOTHING, 8)
    assert moves(table(side(system("population-support"), resources=food(1)), side()), "activate") == []


def test_an_activation_that_changes_nothing_is_legal():
    """R16: Population Support may be activated at loyalty 10, and that is no propaganda."""
    where = after(table(side(system("population-support"), loyalty=10), side(available=0)), "activate")
    assert where.players[0].loyalty == 10 and "propaganda" in kinds(where)


@pytest.mark.parametrize(
    "given, gained, number",
    [
        (food(3), fleet(2), 0),
        (food(3), production(1), 1),
        (fleet(2), food(3), 2),
        (fleet(2), production(1), 3),
        (production(1), food(3), 4),
        (production(1), fleet(2), 5),
    ],
)
def test_the_six_trades(given, gained, number):
    """Trade: one exchange, one direction, once: 3 food = 2 fleet = 1 production (R6)."""
    where = table(side(resources=given), side())
    assert {move.number for move in moves(where, "trade")} == {number - number % 2, number - number % 2 + 1}
    assert after(where, only(where, "trade", number=number)).players[0].resources == gained


def test_a_trade_happens_once():
    """6 food for 4 fleet is no trade."""
    where = table(side(resources=food(6)), side())
    assert after(where, only(where, "trade", number=0)).players[0].resources == Resources(3, 2)
    assert moves(table(side(resources=Resources(2, 1, 0)), side()), "trade") == []


def test_gain_at_the_cap_is_legal_and_loses_the_rest():
    """R22: "gain" at the cap is legal and loses the rest, also in trade."""
    where = table(side(resources=Resources(3, 8)), side())
    assert after(where, only(where, "trade", number=0)).players[0].resources == fleet(9)


@pytest.mark.parametrize("before, then", [(2, 5), (9, 10), (10, 10)])
def test_propaganda(before, then):
    """Propaganda: loyalty +3; legal at 10 too."""
    assert after(table(side(loyalty=before), side()), "propaganda").players[0].loyalty == then


def test_propaganda_once_a_round():
    """Not yet used this round; the next round it can be used again."""
    where = after(table(side(), IDLE, deck="frigate " * 9), "propaganda")
    assert "propaganda" not in kinds(where)
    assert "propaganda" in kinds(after(after(where, "research"), "research"))


def test_a_deal():
    """Deal: discard 3 cards, in chosen order, take any advisor from the table."""
    where = table(side(hand="biosphere titan spaceport frigate"), side(), advisors=("quail", "vale"))
    assert [move.card for move in moves(where, "deal")] == ["quail", "vale"]
    where = after(where, "deal vale", "discard titan", "discard biosphere", "discard frigate")
    assert (where.players[0].advisor, where.advisors) == ("vale", ("quail",))
    assert where.pile == ("titan", "biosphere", "frigate") and where.players[0].hand == ("spaceport",)
    assert where.to_move == 1


def test_a_deal_needs_three_cards_and_an_advisor():
    """3 cards in hand, an advisor on the table."""
    assert moves(table(side(hand="biosphere titan"), side(), advisors=("vale",)), "deal") == []
    assert moves(table(side(hand="biosphere titan titan"), side()), "deal") == []


def test_a_former_advisor_goes_back():
    """A former own advisor goes back to the table; its cube goes to the reserve, and the own old advisor cannot be the
    one taken (R17)."""
    me = side(hand="biosphere titan titan", advisor="victoria", advisor_a=True, available=2)
    where = table(me, side(), advisors=("vale",))
    assert [move.card for move in moves(where, "deal")] == ["vale"]
    where = after(where, "deal vale", "discard titan", "discard titan", "discard biosphere")
    assert where.advisors == ("victoria",)
    assert where.players[0].reserve == me.reserve + 1 and not where.players[0].advisor_a


def test_a_new_advisor_may_be_activated_at_once():
    """R17: the new one may be activated in the same round."""
    me = side(hand="biosphere titan titan", advisor="quail", advisor_a=True, available=2)
    where = table(me, IDLE, advisors=("victoria",))
    where = after(where, "deal victoria", "discard titan", "discard titan", "discard biosphere")
    assert moves(where, "activate")


def test_alluvias_owner_makes_no_deal():
    """Own advisor is not Alluvia."""
    me = side(system(advisor=True), hand="biosphere titan titan", advisor="alluvia")
    assert moves(table(me, side(), advisors=("vale",)), "deal") == []


# ------------------------------------------------------------------------------------------------ 3.3 end of the round


def test_everybody_discards_down_to_five_in_turn_order():
    """Everybody discards down to 5 cards, in turn order (R13)."""
    hand = "biosphere titan titan frigate frigate embassy monument"
    where = after(table(side(hand=hand, **LAST), side(available=0, hand=hand), first=0), "propaganda")
    assert where.phase is Phase.END
    seats = []
    while where.phase is Phase.END:
        seats.append(where.to_move)
        where = after(where, moves(where, "discard")[0])
    assert seats == [0, 0, 1, 1]
    assert [len(player.hand) for player in where.players] == [5, 5]


def test_five_cards_are_kept():
    """Down to 5: whoever has no more discards nothing."""
    where = after(
        table(side(hand="biosphere titan titan frigate frigate", **LAST), IDLE, deck="titan titan"), "propaganda"
    )
    assert where.round == 4 and where.pile == ()


def test_all_cubes_go_back():
    """All cubes on cards and boards, attack markers included, go back to their owners' reserves."""
    me = side(
        system("fleet-academy", a=True), system("death-spores", r=True), advisor="victoria", advisor_a=True, available=1
    )
    begun = next_round(me._replace(attacks=(0, 1)), side(available=0))
    again = begun.players[0]
    assert not (again.systems[0].a or again.systems[1].r or again.advisor_a or again.propaganda)
    assert again.attacks == (0, 0)
    assert again.available + again.reserve == 10


def test_harravas_cube_stays():
    """A cube in Harrava's R cell stays at the end of the round and is an extra available cube in the next."""
    begun = next_round(side(advisor="harrava", advisor_r=True, resources=food(4), **LAST), IDLE)
    me = begun.players[0]
    assert (me.available, me.reserve, me.advisor_r) == (5, 5, False)


def test_harravas_cube_stays_whoever_put_it_there():
    """Also when another card put it there, such as a Battleship."""
    where = table(side(system("battleship"), available=1), side(advisor="harrava", available=1, resources=food(4)))
    where = after(where, "attack")
    fill = only(where, "fill", player=1)
    where = after(where, fill, "propaganda")
    assert where.players[1].available == 5


def test_the_first_player_token_passes_left():
    """The first-player token passes to the left; next round."""
    begun = next_round(side(**LAST), IDLE, IDLE, first=0)
    assert (begun.first, begun.round, begun.to_move) == (1, 4, 1)
    assert next_round(IDLE, IDLE, side(**LAST), first=2, turn=2).first == 0


# ---------------------------------------------------------------------------------------------------- 3.4 deck empty


def test_the_pile_but_its_top_becomes_the_deck():
    """All of the discard pile except its top card is shuffled and becomes the deck."""
    where = table(side(), side(), deck="frigate", pile="titan embassy monument")
    where = after(where, "research")
    assert Counter((*where.deck, *where.players[0].hand)) == Counter(["frigate", "titan", "embassy"])
    assert where.pile == ("monument",)


def test_nothing_to_draw():
    """If there is still nothing to draw, nothing is drawn; research stays legal (R5)."""
    where = after(table(side(), side(), deck="", pile="monument"), "research")
    assert where.players[0].hand == () and where.pile == ("monument",)


def test_a_grey_exploit_with_few_cards_left():
    """R5: of fewer than 4, one is still discarded if any was drawn."""
    where = after(table(side(hand="frigate"), side(), deck="titan"), "exploit frigate")
    assert where.to_move == 0 and kinds(where) == {"discard"}
    where = after(where, "discard titan")
    assert where.players[0].hand == () and where.pile == ("frigate", "titan")
    where = after(table(side(hand="frigate"), side()), "exploit frigate")
    assert where.to_move == 1 and where.players[0].hand == ()


def test_reshuffle_on_demand(orion):
    """R14: reshuffle when the next card is needed, not when the last one left."""
    where = after(table(side(), side(), deck="frigate titan", pile="embassy monument biosphere"), "research")
    assert where.deck == () and len(where.pile) == 3


def test_reshuffle_at_once():
    """R14, option reshuffle = "at_once"."""
    cards = card_set(reshuffle="at_once")
    where = after(
        table(side(), side(), deck="frigate titan", pile="embassy monument biosphere", cards=cards), "research"
    )
    assert Counter(where.deck) == Counter(["embassy", "monument"]) and where.pile == ("biosphere",)


def test_draws_can_be_enumerated(orion):
    """The cards drawn are chance: every name with the number of its copies in the deck."""
    where = orion.play(table(side(), side(), deck="frigate titan frigate"), Move("research"))
    assert where.to_move is None and where.draw_due
    assert orion.legal_moves(where) == []
    assert orion.draws(where) == [("titan", 1), ("frigate", 2)]
    assert first_in_deck(where) == "frigate"
    assert orion.draw(where, "titan").players[0].hand == ("titan",)


def test_a_race_may_change_research_exploit_and_trade():
    """If a board contradicts the rules, the board is right."""
    odd = Race("odd", research=1, exploit=(Exploit(food(1)),) * 4, trade=Resources(2, 2, 1))
    where = table(
        side(race="odd", hand="titan", resources=food(2)), side(), deck="frigate titan", cards=card_set(races=(odd,))
    )
    assert len(after(where, "research").players[0].hand) == 2
    assert after(where, "exploit titan").players[0].resources == food(3)
    assert after(where, only(where, "trade", number=0)).players[0].resources == fleet(2)


def test_a_card_may_contradict_a_board():
    """If a card contradicts a board or the rules, the card is right: one that draws, whatever research draws."""
    library = card("library", "grey", effect("activation", Draw(5)))
    where = table(side(system("library")), side(), deck="frigate " * 6, cards=card_set(library))
    assert len(after(where, "activate").players[0].hand) == 5


def test_card_sets_are_the_reconstruction():
    assert CARDS.status == "reconstructed"
