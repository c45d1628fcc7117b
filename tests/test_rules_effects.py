"""RULES section 5: effects. Each test's docstring names the sentence it holds the code to.

"Forget" in a docstring marks one of the rulebook's "rules that you will eventually forget".
"""

from __future__ import annotations

import pytest

from builders import (
    cancelled,
    on_cell,
    on_every_implementation,
    only,
    placing,
    play,
    player,
    position,
    realms,
    realms_of,
    slots,
    some,
    taking,
    tile,
    totals,
    wild,
)
from orbis_search.game.vocabulary import CELLS, NEIGHBOURS, Colour, Face, God

pytestmark = on_every_implementation


def removed_text(move) -> str:
    """`a3g2 c1b`: what a volcano removed, cell by cell."""
    parts = (
        f"{CELLS[cell]}{Colour(colour).letter}{'' if number == 1 else number}" for cell, colour, number in move.removed
    )
    return " ".join(parts)


# --------------------------------------------------------------------------------------------- farm


def test_farm_from_the_next_turn_on(rules):
    """Farm: from the next turn on, costs of colour C are free; its own cost is not."""
    farm = tile("y", "farm g", "g")
    where = position(player(), centre={"a1": farm, "c3": tile("r", cost="ggg")})
    assert placing(rules, where, "a1") == set()

    where = position(player(realm="g"), centre={"a1": farm, "c3": tile("r", cost="ggg")})
    move = only(placing(rules, where, "a1"))
    assert move.realm == some("") and move.validated
    where = play(rules, where, move)
    where = play(rules, where, min(placing(rules, where, "b2"), key=lambda move: move.slot))
    assert realms(placing(rules, where, "c3")) == realms_of("")


def test_farm_of_one_colour(rules):
    """Farm C: costs of colour C, and of no other, are free."""
    centre = {"a1": tile("r", cost="g"), "b1": tile("r", cost="b")}
    where = position(player([tile("y", "farm g")]), centre=centre)
    assert placing(rules, where, "a1") and not placing(rules, where, "b1")


def test_farm_any_colour_symbols(rules):
    """Farm: any-colour symbols are not free (Forget)."""
    where = position(player([tile("y", "farm g")], realm="b g"), centre={"a1": tile("r", cost="ga")})
    assert realms(placing(rules, where, "a1")) == realms_of("b", "g")


def test_two_farms(rules):
    """Farm: each frees its own colour."""
    farms = [tile("y", "farm g"), tile("y", "farm b")]
    where = position(player(farms), centre={"a1": tile("r", cost="ggbb")})
    assert realms(placing(rules, where, "a1")) == realms_of("")


# ------------------------------------------------------------------------------------------ village


def test_village_validated(rules):
    """Village N: give back N worshipers of any colours: validated."""
    where = position(player(realm="r2 g b"), centre={"a1": tile("y", "village 2", cp=4)})
    moves = placing(rules, where, "a1", validated=True)
    assert realms(moves) == realms_of("r2", "r g", "r b", "g b")
    after = rules.apply(where, next(iter(moves)))
    assert after.players[0].at(1, 0).face is Face.UP and totals(rules, after)[0] == 4


def test_village_cancelled(rules):
    """Village: else cancelled, and then nothing is given back."""
    where = position(player(realm="r"), centre={"a1": tile("y", "village 2", cp=4)})
    move = only(placing(rules, where, "a1"))
    assert not move.validated and move.realm == some("r")
    after = rules.apply(where, move)
    assert after.players[0].at(1, 0).face is Face.CANCELLED and totals(rules, after)[0] == 0


def test_village_is_a_free_choice(rules):
    """Village, volcano and Death are each the player's free choice even when affordable: village."""
    where = position(player(realm="r2"), centre={"a1": tile("y", "village 2")})
    outcomes = {(move.validated, move.realm) for move in placing(rules, where, "a1")}
    assert outcomes == {(True, some()), (False, some("r2"))}


def test_village_after_its_cost(rules):
    """Village: step 5 comes after step 3; the same worshipers do not serve twice."""
    where = position(player(realm="r2"), centre={"a1": tile("y", "village 2", "r")})
    assert {move.validated for move in placing(rules, where, "a1")} == {False}
    where = position(player(realm="r2"), centre={"a1": (tile("y", "village 2", "r"), "g")})
    assert realms(placing(rules, where, "a1", validated=True)) == realms_of("")


def test_village_before_the_limit(rules):
    """Village: step 5 comes before step 6; what is above 10 can be given back to it."""
    where = position(player(realm="r2 g2 b2 y2 w2"), centre={"a1": (tile("y", "village 2"), "r2")})
    assert some("r2 g2 b2 y2 w2") in realms(placing(rules, where, "a1", validated=True))


# ------------------------------------------------------------------------------------------- forest


def forest(effect="forest 1 r"):
    return tile("g", effect, cp=5)


def test_forest_is_judged_at_the_end(rules):
    """Forest: judged at the end; no token at placing, whatever lies around it."""
    where = position(player("y"), centre={"a1": forest()})
    moves = placing(rules, where, "a1", slot=(1, 1))
    after = rules.apply(where, only(moves))
    assert only(moves).validated and after.players[0].at(1, 1).face is Face.UP
    assert totals(rules, after)[0] == 0
    assert totals(rules, position(player(["y", forest(), "r"])))[0] == 5


def around(**neighbours):
    """A forest in the middle of row 2 with red tiles, wilderness or others in the six places."""
    at = {place: neighbours.get(place, "y") for place in ("ul", "ur", "l", "r", "dl", "dr")}
    here = neighbours.get("forest") or forest()
    return player(["y", at["dl"], at["dr"], "y"], [at["l"], here, at["r"]], [at["ul"], at["ur"]])


@pytest.mark.parametrize("place", ["ul", "ur", "l", "r", "dl", "dr"])
def test_forest_neighbours(rules, place):
    """Forest: its up to 6 neighbours are 2 beside, 2 above, 2 below."""
    assert totals(rules, position(around()))[0] == 0
    assert totals(rules, position(around(**{place: "r"})))[0] == 5


def test_forest_no_further_neighbours(rules):
    """Forest: no others than those six count."""
    others = player(["r", "y", "y", "r"], ["y", forest(), "y"], ["y", "y"], ["r"])
    assert totals(rules, position(others))[0] == 0


def test_forest_on_the_edge(rules):
    """Forest: *up to* 6 neighbours; at an edge there are fewer."""
    assert totals(rules, position(player([forest("forest 2 r"), "r"], ["r"])))[0] == 5
    assert totals(rules, position(player([forest("forest 3 r"), "r"], ["r"])))[0] == 0
    top = player("r r r r r", "r r r r", "r r r", [forest("forest 3 r"), "r"])
    assert totals(rules, position(top))[0] == 5


@pytest.mark.parametrize("number, worth", [(1, 5), (2, 5), (3, 5), (4, 0), (6, 0)])
def test_forest_at_least_n(rules, number, worth):
    """Forest N: validated if at least N of its neighbours are of a colour in S."""
    here = forest(f"forest {number} r")
    assert totals(rules, position(around(forest=here, ul="r", dr="r", l="r")))[0] == worth


def test_forest_all_six(rules):
    """Forest N up to 6."""
    red = dict.fromkeys(("ul", "ur", "l", "r", "dl", "dr"), "r")
    assert totals(rules, position(around(forest=forest("forest 6 r"), **red)))[0] == 5


def test_forest_of_several_colours(rules):
    """Forest: of *a* colour in S, which may differ from neighbour to neighbour."""
    here = forest("forest 3 rbw")
    assert totals(rules, position(around(forest=here, ul="r", dr="b", l="w")))[0] == 5
    assert totals(rules, position(around(forest=here, ul="r", dr="b", l="g")))[0] == 0


def test_forest_wilderness_counts(rules):
    """Forest: wilderness counts (once, however many colours S has)."""
    idle = position(around(ul="*"))
    assert totals(rules, idle)[0] == 5 - 1
    assert totals(rules, position(around(forest=forest("forest 2 rb"), ul="*")))[0] == -1


def test_forest_cancelled_neighbours_count(rules):
    """A cancelled tile keeps its colour, for a forest too."""
    assert totals(rules, position(around(ul=cancelled(tile("r", "village 1")))))[0] == 5


def test_forest_god_does_not_count(rules):
    """Forest: the god does not count, though it lies on top of the pyramid."""
    top = player("y y y y y", "y y y y", "y y y", [forest("forest 1 r"), "y"], god=God.LOVE)
    assert totals(rules, position(top))[0] == 1


def test_forest_on_the_table_not_itself(rules):
    """Forest: neighbours only, not the tile itself."""
    assert totals(rules, position(player([forest("forest 1 g"), "y"])))[0] == 0


def test_forest_face_down(rules):
    """Wilderness has no effect: a forest lying face down is worth nothing but the -1."""
    assert totals(rules, position(player([wild(forest()), "r"])))[0] == -1


# ------------------------------------------------------------------------------------------ volcano


def test_volcano_removes_exactly_n(rules):
    """Volcano N of colours S: remove exactly N worshipers of colours in S: validated."""
    where = position(
        player(),
        filler="w",
        centre={"b2": tile("r", "volcano 2 gb", cp=3), "a3": (tile("w"), "g2 y"), "c1": (tile("w"), "b")},
    )
    moves = placing(rules, where, "b2", validated=True)
    assert {removed_text(move) for move in moves} == {"a3g2", "a3g c1b"}
    move = next(move for move in moves if removed_text(move) == "a3g c1b")
    after = rules.apply(where, move)
    assert on_cell(after, "a3") == some("g y") and on_cell(after, "c1") == some("")
    assert after.players[0].realm == some("") and totals(rules, after)[0] == 3


def test_volcano_choice(rules):
    """Volcano: the player's choice which."""
    where = position(
        player(),
        filler="w",
        centre={"b2": tile("r", "volcano 1 gb"), "a3": (tile("w"), "g2 y"), "c1": (tile("w"), "g b")},
    )
    moves = placing(rules, where, "b2", validated=True)
    assert {removed_text(move) for move in moves} == {"a3g", "c1g", "c1b"}


def test_volcano_from_the_eight_others(rules):
    """Volcano: from the 8 other centre tiles; what lay on the chosen one is in the realm."""
    where = position(player(realm="g"), filler="w", centre={"b2": (tile("r", "volcano 1 g"), "g2")})
    moves = placing(rules, where, "b2")
    assert all(not move.validated and move.removed == () for move in moves)
    assert some("g3") in realms(moves)

    everywhere = {name: (tile("w"), "g") for name in CELLS}
    where = position(player(), centre={**everywhere, "a3": (tile("r", "volcano 1 g"), "g")})
    moves = placing(rules, where, "a3", validated=True)
    assert {removed_text(move) for move in moves} == {f"{name}g" for name in CELLS if name != "a3"}


@pytest.mark.parametrize("cell", CELLS)
def test_volcano_after_step_1(rules, cell):
    """Volcano: (after step 1), so what it generated itself can be removed at once."""
    where = position(player(), filler="w", centre={cell: tile("r", "volcano 2 r")})
    around_it = NEIGHBOURS[CELLS.index(cell)]
    moves = placing(rules, where, cell, validated=True)
    assert len(moves) == len(around_it) * (len(around_it) - 1) // 2
    after = rules.apply(where, next(iter(moves)))
    assert sum(each.worshipers.total for each in after.centre) == len(around_it) - 2


def test_volcano_cancelled(rules):
    """Volcano: else remove none and cancelled."""
    where = position(
        player(),
        filler="w",
        centre={"a1": tile("w", "volcano 3 gb", cp=3), "c3": (tile("w"), "g b"), "c2": (tile("w"), "y5")},
    )
    move = only(placing(rules, where, "a1"))
    assert not move.validated and move.removed == ()
    after = rules.apply(where, move)
    assert on_cell(after, "c3") == some("g b") and after.players[0].at(1, 0).face is Face.CANCELLED
    assert totals(rules, after)[0] == 0


def test_volcano_is_a_free_choice(rules):
    """Village, volcano and Death are each the player's free choice even when affordable: volcano."""
    where = position(player(), filler="w", centre={"a1": tile("w", "volcano 1 g"), "c3": (tile("w"), "g")})
    outcomes = {(move.validated, removed_text(move)) for move in placing(rules, where, "a1")}
    assert outcomes == {(True, "c3g"), (False, "")}


def test_volcano_takes_nothing_from_the_realm(rules):
    """Volcano: from the centre, not from the player's realm."""
    where = position(player(realm="g2"), filler="w", centre={"a1": tile("w", "volcano 1 g")})
    assert {move.validated for move in placing(rules, where, "a1")} == {False}


# --------------------------------------------------------------------------------------- irrigation


@pytest.mark.parametrize(
    "under, validated", [("b r", True), ("r b", True), ("b b", False), ("b y", False), ("b *", True), ("* y", True)]
)
def test_irrigation(rules, under, validated):
    """Irrigation C: validated if at the moment of placing one of the two tiles right under it is of
    colour C (wilderness counts); it judges itself."""
    where = position(player(under), centre={"a1": tile("b", "irrigation r", cp=3)})
    move = only(placing(rules, where, "a1", slot=(2, 0)))
    assert move.validated is validated
    after = rules.apply(where, move)
    assert after.players[0].at(2, 0).face is (Face.UP if validated else Face.CANCELLED)
    assert totals(rules, after)[0] == (3 if validated else 0) - under.count("*")


def test_irrigation_same_wilderness_twice(rules):
    """Irrigation: the same wilderness may also be what allowed the placement (Forget: a wilderness can
    be used for placing a blue tile AND to validate its effect)."""
    where = position(player("y *"), centre={"a1": tile("b", "irrigation r")})
    assert only(placing(rules, where, "a1", slot=(2, 0))).validated


def test_irrigation_of_its_own_colour(rules):
    """Irrigation: the tile that allowed the placement may be the one it wants."""
    where = position(player("y b"), centre={"a1": tile("b", "irrigation b")})
    assert only(placing(rules, where, "a1", slot=(2, 0))).validated


@pytest.mark.parametrize("beside", ["", "r", "r r", "*"])
def test_irrigation_in_row_1(rules, beside):
    """Irrigation: in row 1 never validated."""
    where = position(player(beside), centre={"a1": tile("b", "irrigation r")})
    in_row_1 = {move for move in placing(rules, where, "a1") if move.slot.row == 1}
    assert in_row_1 and not any(move.validated for move in in_row_1)


def test_irrigation_right_under(rules):
    """Irrigation: right under it, so neither beside nor two rows down."""
    where = position(player("r r r r", "b b r"), centre={"a1": tile("b", "irrigation r")})
    by_slot = {move.slot: move.validated for move in placing(rules, where, "a1") if move.slot.row > 1}
    assert by_slot == {(3, 0): False, (3, 1): True}


def test_irrigation_over_a_cancelled_tile(rules):
    """Irrigation: a cancelled tile keeps its colour, for irrigation too."""
    under = [cancelled(tile("r", "village 1")), "b"]
    where = position(player(under), centre={"a1": tile("b", "irrigation r")})
    assert only(placing(rules, where, "a1", slot=(2, 0))).validated


def test_irrigation_needs_its_own_placement(rules):
    """Irrigation: the colour it wants does not replace the colour rule."""
    where = position(player("r r"), centre={"a1": tile("b", "irrigation r")})
    assert (2, 0) not in slots(placing(rules, where, "a1"))


# ------------------------------------------------------------- temple, proselytism, stone, and none


@pytest.mark.parametrize("mine, other, tokens", [("temple 2", "temple 1", (7, 2)), ("temple 1", "temple 3", (2, 7))])
def test_temple(rules, mine, other, tokens):
    """Temple xk: k temples for the count at the end."""
    where = position(player([tile("w", mine, mystic=1)]), player([tile("w", other, mystic=2)]))
    assert totals(rules, where) == tokens


def test_temples_add_up(rules):
    """Temple xk: the count is over all the tiles."""
    three = [tile("w", "temple 1", mystic=1), tile("w", "temple 2", mystic=2)]
    two = [tile("w", "temple 2", mystic=3), "y"]
    assert totals(rules, position(player(three), player(two))) == (7, 2)


@pytest.mark.parametrize(
    "effect, left", [("gain 1 g", {"b g"}), ("gain 2 g", {"b g2"}), ("gain 1 a", {"b r", "b g", "b2", "b y", "b w"})]
)
def test_proselytism(rules, effect, left):
    """Proselytism: gain 1 or 2 of a given colour, or 1 of any colour; gains must be taken."""
    where = position(player(realm="b"), centre={"a1": tile("r", effect)})
    moves = placing(rules, where, "a1")
    assert realms(moves) == realms_of(*left)
    assert all(move.validated for move in moves)


def test_proselytism_comes_after_paying(rules):
    """Proselytism: step 5 comes after step 3; the gain cannot pay for its own tile."""
    where = position(player(), centre={"a1": tile("r", "gain 2 g", "g")})
    assert placing(rules, where, "a1") == set()


def test_gains_must_be_taken(rules):
    """Gains (proselytism, Love) must be taken: with 10 already, one is given back instead."""
    where = position(player(realm="r2 g2 b2 y2 w2"), centre={"a1": tile("r", "gain 2 g")})
    left = realms(placing(rules, where, "a1"))
    assert realms_of("r2 g2 b2 y2 w2", "g4 b2 y2 w2", "r g4 b y2 w2") <= left
    where = position(player(realm="r2 g2 b2 y2 w"), centre={"a1": tile("r", "gain 2 g")})
    assert some("r2 g2 b2 y2 w") not in realms(placing(rules, where, "a1"))


def test_gains_of_love_must_be_taken(rules):
    """Gains (proselytism, Love) must be taken: Love's five, all of them."""
    where = position(player(), gods=[God.LOVE])
    left = realms(taking(rules, where, God.LOVE))
    assert {realm.total for realm in left} == {5, 3, 1}  # five, less 2 for each exchange


def test_sacred_stone(rules):
    """Sacred stone: worth 1 CP."""
    where = position(player(), centre={"a1": tile("b", "stone", cp=1)})
    move = only(placing(rules, where, "a1"))
    assert move.validated and totals(rules, rules.apply(where, move))[0] == 1


def test_none(rules):
    """None: a tile set may hold tiles that are simply worth their CP."""
    where = position(player(), centre={"a1": tile("b", "none", cp=4)})
    move = only(placing(rules, where, "a1"))
    assert move.validated and totals(rules, rules.apply(where, move))[0] == 4


@pytest.mark.parametrize("colour", "rgbyw")
def test_effects_on_any_colour(rules, colour):
    """Code must not rely on the table's colours: a tile has a colour and an effect, separately."""
    other = "r" if colour != "r" else "b"

    def offered(effect, under="", realm=""):
        centre = {"a1": tile(colour, effect), "c3": (tile("y"), "g")}
        return placing(rules, position(player(under, realm=realm), centre=centre), "a1")

    def judged(under):
        return {m.validated for m in offered(f"irrigation {other}", under) if m.slot.row == 2}

    assert {move.validated for move in offered("village 1", realm="g")} == {True, False}
    assert {removed_text(move) for move in offered("volcano 1 g")} >= {"c3g", ""}
    assert judged(f"{colour} {other}") == {True} and judged(f"{colour} y") == {False}
    assert realms(offered("gain 2 g")) == realms_of("g2")
    farmed = position(player([tile(colour, "farm g")]), centre={"a1": tile("r", cost="g")})
    assert placing(rules, farmed, "a1")
    assert totals(rules, position(player([tile(colour, "forest 1 g", cp=3), "g"])))[0] == 3


def test_cancellation_tokens_are_not_a_limit(rules):
    """The 18 cancellation tokens are not a limit."""

    def row_of(number):
        return [cancelled(tile("y", "village 9")) for _ in range(number)]

    lost = [player(row_of(5), row_of(4), row_of(1)) for _ in range(2)]
    where = position(*lost, centre={"a1": tile("y", "village 9")})
    move = min(placing(rules, where, "a1"), key=lambda move: move.slot)
    assert not move.validated
    faces = [placed.face for each in rules.apply(where, move).players for _, placed in each.placed()]
    assert faces == [Face.CANCELLED] * 21
