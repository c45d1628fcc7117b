"""RULES section 7: the end. Each test's docstring names the sentence it holds the code to."""

from __future__ import annotations

import pytest

from builders import cancelled, on_every_implementation, player, position, tile, totals, wild
from orbis_search.game import rules as plain_rules
from orbis_search.game.vocabulary import God

EFFECTS = ["none", "farm r", "village 1", "volcano 1 r", "irrigation r", "gain 1 a", "gain 2 r", "forest 1 y"]


def temple(mystic, number=1):
    return tile("w", f"temple {number}", mystic=mystic)


# ------------------------------------------------------------------------------------------ points


@on_every_implementation
@pytest.mark.parametrize("effect", EFFECTS)
def test_points_of_a_region(rules, effect):
    """CP of every region that is not wilderness or cancelled and whose condition holds."""
    assert totals(rules, position(player([tile("g", effect, cp=4), "y"])))[0] == 4


@on_every_implementation
@pytest.mark.parametrize("effect", EFFECTS)
def test_points_of_a_wilderness(rules, effect):
    """-1 for each wilderness, and not the CP of its front."""
    fronts = [wild(tile("g", effect, cp=4)) for _ in range(2)]
    assert totals(rules, position(player([*fronts, "y"])))[0] == -2


@on_every_implementation
@pytest.mark.parametrize("effect", ["village 1", "volcano 1 r", "irrigation r"])
def test_points_of_a_cancelled_tile(rules, effect):
    """CP of every region that is not cancelled: a cancelled one is worth nothing, and costs nothing."""
    assert totals(rules, position(player([cancelled(tile("g", effect, cp=4)), "y"])))[0] == 0


@on_every_implementation
def test_points_of_a_failed_forest(rules):
    """CP of every region whose condition holds: a forest without its neighbours is worth nothing."""
    assert totals(rules, position(player([tile("g", "forest 1 r", cp=4), "y"])))[0] == 0


@on_every_implementation
def test_points_of_a_temple_tile(rules):
    """A temple tile's own CP come on top of the token."""
    assert totals(rules, position(player([tile("w", "temple 1", cp=3, mystic=1)])))[0] == 3 + 7


@on_every_implementation
def test_points_add_up(rules):
    """CP of regions; -1 for each wilderness; the god; the temple token."""
    mine = player(
        [tile("y", "none", cp=2), tile("y", "village 1", cp=4), "*", temple(1)],
        [cancelled(tile("y", "village 1", cp=9))],
        realm="r2",
        god=God.APPRENTICE,
    )
    assert totals(rules, position(mine))[0] == 2 + 4 - 1 + 2 + 7


@on_every_implementation
def test_worshipers_are_not_points(rules):
    """Worshipers left only break ties."""
    assert totals(rules, position(player("y", realm="r9"), player("y"))) == (0, 0)


def test_score_by_source():
    """Every source of CP stands in its own field, and the total is their sum."""
    mine = player(
        [tile("y", "farm r", cp=1), tile("y", "village 1", cp=2), "*", tile("w", "temple 1", cp=1, mystic=1), "y"],
        [tile("y", "forest 2 y", cp=3), tile("y", "volcano 1 r", cp=4), tile("w", "irrigation w", cp=5)],
        [tile("y", "gain 1 a", cp=6), tile("y", "stone", cp=1)],
        [tile("y", "none", cp=8)],
        realm="r2 g",
        god=God.APPRENTICE,
    )
    ours = plain_rules.score(position(mine))[0]
    assert ours == plain_rules.Score(
        none=8,
        farm=1,
        village=2,
        forest=3,
        volcano=4,
        irrigation=5,
        temple=1,
        proselytism=6,
        sacred_stone=1,
        wilderness=-1,
        god=2,
        temple_token=7,
        worshipers=3,
    )
    assert ours.total == 8 + 1 + 2 + 3 + 4 + 5 + 1 + 6 + 1 - 1 + 2 + 7


# ------------------------------------------------------------------------------------ temple tokens


@on_every_implementation
def test_tokens_need_a_temple(rules):
    """Temple tokens: players with at least one temple; white tiles alone do not do."""
    where = position(player([tile("w", mystic=9)]), player([temple(1)]), player("y"))
    assert totals(rules, where) == (0, 9, 0)


@on_every_implementation
def test_most_temples_first(rules):
    """Temple tokens: most temples first, whatever the mystic values, take the highest token left."""
    where = position(
        player([temple(9), "y", "y"]),
        player([temple(1, 2), temple(2), "y"]),
        player([temple(3, 2), "y", "y"]),
        player("y y y"),
    )
    assert totals(rules, where) == (4, 11, 7, 0)


@on_every_implementation
def test_ties_by_mystic_value(rules):
    """Temple tokens: ties by the highest mystic value."""
    where = position(player([temple(4)]), player([temple(8)]), player([temple(6)]))
    assert totals(rules, where) == (2, 9, 4)


@on_every_implementation
def test_mystic_is_the_highest_not_the_sum(rules):
    """Temple tokens: the *highest* mystic value, not their sum."""
    where = position(player([temple(5), temple(6)]), player([temple(7), temple(1)]))
    assert totals(rules, where) == (2, 7)


@on_every_implementation
def test_mystic_of_any_white_tile(rules):
    """Temple tokens: on any of one's own face-up white tiles (not only on a temple tile)."""
    where = position(player([temple(1), tile("w", mystic=9)]), player([temple(5), "w"]))
    assert totals(rules, where) == (7, 2)


@on_every_implementation
def test_mystic_of_white_tiles_alone(rules):
    """Temple tokens: ... *white* tiles; a value that somebody gave a tile of another colour does not count."""
    where = position(player([temple(1), tile("y", "farm r", mystic=9)]), player([temple(5), "w"]))
    assert totals(rules, where) == (2, 7)


@on_every_implementation
def test_mystic_of_ones_own_tiles(rules):
    """Temple tokens: one's *own* tiles; a third player's high value helps nobody else."""
    where = position(player([temple(1)]), player([temple(5)]), player([tile("w", mystic=9)]))
    assert totals(rules, where) == (4, 9, 0)


@on_every_implementation
def test_mystic_of_a_wilderness(rules):
    """Temple tokens: *face-up* white tiles; a wilderness is not."""
    where = position(player([temple(1), wild(tile("w", mystic=9))]), player([temple(5), "y"]))
    assert totals(rules, where) == (2 - 1, 7)


@on_every_implementation
def test_mystic_of_a_cancelled_tile(rules):
    """A cancelled tile is face up (ruling): its mystic value counts."""
    lost = cancelled(tile("w", "village 1", cp=4, mystic=9))
    assert totals(rules, position(player([temple(1), lost]), player([temple(5), "y"]))) == (7, 2)


@on_every_implementation
def test_temple_face_down(rules):
    """A temple lying face down is none: no token for it."""
    assert totals(rules, position(player([wild(temple(9))]), player([temple(1)]))) == (-1, 7)


@on_every_implementation
def test_no_tie_survives(rules):
    """Mystic values are all different and every temple tile has one, so no tie survives: of players
    with equally many temples each gets a token of their own."""
    for players, tokens in (2, {7, 2}), (3, {9, 4, 2}), (4, {11, 7, 4, 2}):
        where = position(*(player([temple(seat + 1)]) for seat in range(players)))
        assert set(totals(rules, where)) == tokens


# ------------------------------------------------------------------------------------------ winning


def points(cp, realm=""):
    return player([tile("y", cp=cp)], realm=realm)


@on_every_implementation
def test_most_points_win(rules):
    """Most CP wins, whatever the worshipers."""
    assert rules.winners(position(points(3, "r9"), points(4))) == (1,)
    assert rules.winners(position(points(3), points(2), points(1))) == (0,)


@on_every_implementation
def test_ties_by_worshipers(rules):
    """Ties by worshipers left, of whatever colours."""
    assert rules.winners(position(points(3, "r4"), points(3, "g2 b3"))) == (1,)
    assert rules.winners(position(points(3, "r4"), points(3, "r"), points(2, "r9"))) == (0,)


@on_every_implementation
def test_shared_victory(rules):
    """Then the victory is shared."""
    assert rules.winners(position(points(3, "r2"), points(3, "g b"))) == (0, 1)
    assert rules.winners(position(points(3, "r2"), points(3, "g"), points(3, "g2"))) == (0, 2)
    assert rules.winners(position(points(0), points(0), points(0), points(0))) == (0, 1, 2, 3)


@on_every_implementation
def test_negative_points(rules):
    """-1 for each wilderness can make a total negative; the least bad wins."""
    assert totals(rules, position(player("* *"), player("* y"))) == (-2, -1)
    assert rules.winners(position(player("* *"), player("* y"))) == (1,)
