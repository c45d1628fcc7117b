"""RULES section 4: the universe. Each test's docstring names the sentence it holds the code to."""

from __future__ import annotations

import pytest

from builders import (
    cancelled,
    on_every_implementation,
    only,
    placing,
    play,
    player,
    position,
    row,
    slots,
    taking,
    tile,
    wild,
)
from orbis_search.game.position import Placed, Slot
from orbis_search.game.vocabulary import CELLS, Face

pytestmark = on_every_implementation


def red_slots(rules, *rows):
    """Where a free red tile can lie face up over these rows."""
    return slots(placing(rules, position(player(*rows), centre={"a1": tile("r")}), "a1"))


def wild_slots(rules, *rows):
    return slots(taking(rules, position(player(*rows), centre={"a1": tile("r")}), "a1", wild=True))


# --------------------------------------------------------------------------------------------- rows


def test_rows_of_5_4_3_2(rules):
    """Rows of 5, 4, 3, 2 slots: nothing beside the five, four, three or two, and no fifth row."""
    assert wild_slots(rules, "r r r r r") == {(2, 0), (2, 1), (2, 2), (2, 3)}
    assert wild_slots(rules, "r r r r r", "r r r r") == {(3, 0), (3, 1), (3, 2)}
    assert wild_slots(rules, "r r r r r", "r r r r", "r r r") == {(4, 0), (4, 1)}
    assert wild_slots(rules, "r r r r r", "r r r r", "r r r", "r") == {(4, 1)}
    assert wild_slots(rules, "r r r r r", "r r r r", "r r r", ". r") == {(4, 0)}


@pytest.mark.parametrize("face_down", [False, True])
def test_whole_pyramid_can_be_built(rules, face_down):
    """Rows of 5, 4, 3, 2 slots: 14 turns fill them all, in whatever order slots are taken."""
    for first in (min, max):
        where = position(player(), filler="y")
        for _ in range(14):
            for _ in where.players:
                moves = taking(rules, where, "b2", wild=face_down)
                where = play(rules, where, first(moves, key=lambda move: (move.slot, move.realm)))
        assert [len(each) for each in where.players[0].rows] == [5, 4, 3, 2]
        assert where.players[0].regions == 14


# -------------------------------------------------------------------------------------------- row 1


def test_first_tile(rules):
    """Row 1 is one unbroken line: the first tile starts it (in one slot, for nothing lies beside it)."""
    assert red_slots(rules) == wild_slots(rules) == {Slot(1, 0)}


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_row_1_grows_at_its_ends(rules, length):
    """Row 1: later ones go to its left or right end until it has 5."""
    in_row_1 = {slot for slot in wild_slots(rules, "y " * length) if slot.row == 1}
    assert in_row_1 == {(1, 0), (1, length)}


def test_row_1_is_full_with_five(rules):
    """Row 1: until it has 5."""
    assert all(slot.row > 1 for slot in wild_slots(rules, "y y y y y"))


@pytest.mark.parametrize("ends", ["LLLL", "RRRR", "LRRL", "RLLL"])
def test_row_1_to_either_side(rules, ends):
    """Row 1 (ruling): where it started does not matter, it may grow to either side."""
    where = position(player("w"))
    expected = [where.players[0].rows[0][0].tile]
    for end in ends:
        slot = (1, 0) if end == "L" else (1, len(expected))
        taken = where.centre[CELLS.index("a1")].tile
        expected.insert(slot[1], taken)
        where = play(rules, where, only(taking(rules, where, "a1", wild=False, slot=slot)))
        where = play(rules, where, min(taking(rules, where, "c3"), key=lambda move: (move.wild, move.slot)))
    assert [placed.tile for placed in where.players[0].rows[0]] == expected


def test_row_1_takes_any_colour(rules):
    """Row 1 has no colour rule: nothing lies under it."""
    assert red_slots(rules, "g b") >= {(1, 0), (1, 2)}


def test_left_end_carries_the_upper_rows_along(rules):
    """A slot in row r > 1 lies over two neighbouring tiles: it stays over the same two when row 1
    grows to the left, so its column moves with them."""
    second, third = tile("r"), tile("r")
    where = position(player("r r r", [second, tile("r")], [third]), centre={"a1": tile("g")})
    taken = where.centre[CELLS.index("a1")].tile
    before = where.players[0]
    left = rules.apply(where, only(placing(rules, where, "a1", slot=(1, 0)))).players[0]
    assert left.rows == ((Placed(taken), *before.rows[0]), (None, *before.rows[1]), (None, *before.rows[2]), ())
    right = rules.apply(where, only(placing(rules, where, "a1", slot=(1, 3)))).players[0]
    assert right.rows == ((*before.rows[0], Placed(taken)), *before.rows[1:])


def test_slots_after_growing_to_the_left(rules):
    """After row 1 grew to the left the open slots are those over the tiles as they now lie."""
    assert wild_slots(rules, "g r r", ". r") == {(1, 0), (1, 3), (2, 0)}
    assert wild_slots(rules, "g r r r", ". r r") == {(1, 0), (1, 4), (2, 0), (3, 1)}


# ------------------------------------------------------------------------------------- higher rows


def test_higher_rows_need_both(rules):
    """A slot in row r > 1 lies over two neighbouring tiles of row r-1 and needs both."""
    assert wild_slots(rules, "r") == {(1, 0), (1, 1)}
    assert wild_slots(rules, "r r") == {(1, 0), (1, 2), (2, 0)}
    # A gap in row 2: its own slot is open, and nothing in row 3 lies over two tiles.
    assert wild_slots(rules, "r r r r", "r . r") == {(1, 0), (1, 4), (2, 1)}
    assert wild_slots(rules, "r r r r r", "r r . r") == {(2, 2), (3, 0)}
    assert wild_slots(rules, "r r r r r", "r r r r", "r . r") == {(3, 1)}


def test_taken_slots_are_not_open(rules):
    """One tile to a slot."""
    assert wild_slots(rules, "r r r", "r") == {(1, 0), (1, 3), (2, 1)}


@pytest.mark.parametrize(
    "under, allowed", [("r g", True), ("g r", True), ("r r", True), ("g b", False), ("w y", False)]
)
def test_colour_rule(rules, under, allowed):
    """At least one of the two must have the new tile's colour."""
    assert ((2, 0) in red_slots(rules, under)) is allowed


def test_colour_rule_looks_right_below_only(rules):
    """At least one of *the two*: neither a tile beside nor one two rows down helps."""
    assert red_slots(rules, "r g g r", ". . g") == {(1, 0), (1, 4), (2, 0)}
    assert (3, 0) not in red_slots(rules, "r r r", "g b")
    assert (3, 0) in red_slots(rules, "g g g", "g r")


def test_rows_need_not_be_complete(rules):
    """Rows need not be complete before higher ones start."""
    assert red_slots(rules, "r r r", "r r") == {(1, 0), (1, 3), (3, 0)}
    assert red_slots(rules, "r r r r", "r r r", "r r") == {(1, 0), (1, 4), (4, 0)}


# -------------------------------------------------------------------------------------- wilderness


def test_wilderness_ignores_the_colour_rule(rules):
    """Wilderness obeys everything but the colour rule."""
    assert (2, 0) in wild_slots(rules, "g b") and (2, 0) not in red_slots(rules, "g b")


def test_wilderness_obeys_everything_else(rules):
    """Wilderness obeys everything but the colour rule: two tiles under it, the ends of row 1."""
    assert wild_slots(rules, "g b y", "g") == {(1, 0), (1, 3), (2, 1)}


@pytest.mark.parametrize("colour", "rgbyw")
@pytest.mark.parametrize("under", ["* {other}", "{other} *"])
def test_wilderness_is_of_every_colour(rules, colour, under):
    """Wilderness is itself of every colour, for any purpose: here to place on."""
    other = "g" if colour != "g" else "b"
    where = position(player(under.format(other=other)), centre={"a1": tile(colour)})
    assert placing(rules, where, "a1", slot=(2, 0))


def test_wilderness_hides_its_front(rules):
    """Wilderness: what matters is its back, whatever is on the front, and the front is kept in mind."""
    where = position(player([wild(tile("g")), "b"]), centre={"a1": tile("r")})
    taken = where.centre[CELLS.index("a1")].tile
    assert placing(rules, where, "a1", slot=(2, 0))
    after = rules.apply(where, only(taking(rules, where, "a1", wild=True, slot=(2, 0))))
    assert after.players[0].at(2, 0) == Placed(taken, Face.WILD)


def test_cancelled_keeps_its_colour(rules):
    """A cancelled tile keeps its colour (ruling), and no other."""
    assert (2, 0) in red_slots(rules, [cancelled(tile("r", "village 2")), "g"])
    assert (2, 0) not in red_slots(rules, [cancelled(tile("b", "village 2")), "g"])


def test_rows_text_is_what_it_says(rules):
    """The row texts of these tests: `.` is a gap, `*` a wilderness, a letter a face-up tile."""
    first, second, third = row("r . *")
    assert (first.face, second, third.face) == (Face.UP, None, Face.WILD)
