"""RULES section 6: gods. Each test's docstring names the sentence it holds the code to."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from builders import (
    cancelled,
    on_every_implementation,
    player,
    position,
    realms,
    realms_of,
    some,
    taking,
    tile,
    totals,
    wild,
)
from orbis_search.game.vocabulary import God

pytestmark = on_every_implementation


def village():
    return tile("y", "village 1")


def volcano():
    return tile("r", "volcano 1 r")


def irrigation():
    return tile("b", "irrigation r")


def forest():
    return tile("g", "forest 1 gy")


def temple():
    return tile("w", "temple 1", mystic=1)


# Each "most" god with the tile it counts, in a row where a forest's condition is met.
MOST = {God.OCEANS: irrigation, God.FIRE: volcano, God.NATURE: forest, God.HARVESTS: village}


# ------------------------------------------------------------------------------------- Love, Apprentice


def test_love_gains_five(rules):
    """Love: gain 5 worshipers of chosen colours, any mix of them."""
    where = position(player(realm="y"), gods=[God.LOVE])
    left = realms(taking(rules, where, God.LOVE))
    mixes = {some("y" + "".join(mix)) for mix in combinations_with_replacement("rgbyw", 5)}
    assert len(mixes) == 126
    assert {realm for realm in left if realm.total == 6} == mixes


def test_love_then_exchange_then_limit(rules):
    """Love: exchanges and the limit come after the gain."""
    where = position(player(realm="r2 g2 b2 y2 w2"), gods=[God.LOVE])
    left = realms(taking(rules, where, God.LOVE))
    # r gained thrice: r5, one exchange to g makes 13, and three are given back.
    assert some("r2 g3 b2 y2 w") in left
    assert max(realm.total for realm in left) == 10


def test_love_exchange_before_the_gain(rules):
    """Love: and an exchange may use the old and the new together."""
    where = position(player(realm="r"), gods=[God.LOVE])
    assert realms_of("r3 b", "g3 b", "g b", "r y") <= realms(taking(rules, where, God.LOVE))


def test_love_at_the_end(rules):
    """Love: 1 at the end."""
    assert totals(rules, position(player(god=God.LOVE)))[0] == 1


def test_apprentice(rules):
    """Apprentice: no instant effect, 2 at the end."""
    where = position(player(realm="r g"), gods=[God.APPRENTICE])
    moves = taking(rules, where, God.APPRENTICE)
    assert realms(moves) == realms_of("r g")
    assert totals(rules, rules.apply(where, next(iter(moves))))[0] == 2


@pytest.mark.parametrize("god", [god for god in God if god not in (God.LOVE, God.DEATH)])
def test_no_instant_effect(rules, god):
    """Only Love and Death do something when taken."""
    where = position(player(realm="r2 g"), gods=[god])
    moves = taking(rules, where, god)
    assert realms(moves) == realms_of("r2 g") and all(move.validated for move in moves)


# --------------------------------------------------------------------------------------------- the most


@pytest.mark.parametrize("god, kind", MOST.items())
def test_most(rules, god, kind):
    """Oceans / Fire / Nature / Harvests: 3 if no player has more validated ones."""
    most = player([kind(), "y", kind()], god=god)
    assert totals(rules, position(most, player([kind(), "y", "y", "y"]))) == (3, 0)


@pytest.mark.parametrize("god, kind", MOST.items())
def test_not_the_most(rules, god, kind):
    """Oceans / Fire / Nature / Harvests: 0 if another player, god or not, has more."""
    fewer = player([kind(), "y", "y"], god=god)
    more = player([kind(), "y", kind(), "y"])
    assert totals(rules, position(fewer, more)) == (0, 0)
    assert totals(rules, position(fewer, None, more)) == (0, 0, 0)


@pytest.mark.parametrize("god, kind", MOST.items())
@pytest.mark.parametrize("most_at_zero", [True, False])
def test_most_is_met_by_a_tie(rules, god, kind, most_at_zero):
    """ "Among those with the most" is met by a tie."""
    tied = player([kind(), "y", "y"], god=god)
    where = position(tied, player([kind(), "y", "y", "y"]), most_at_zero=most_at_zero)
    assert totals(rules, where) == (3, 0)


@pytest.mark.parametrize("god", MOST)
def test_most_at_zero(rules, god):
    """ "Among those with the most" is met also at zero (ruling); a position can ask for the other reading."""
    nothing = player("y", god=god)
    assert totals(rules, position(nothing, player("y y"))) == (3, 0)
    assert totals(rules, position(nothing, player("y y"), most_at_zero=False)) == (0, 0)


@pytest.mark.parametrize("god, kind", [(god, kind) for god, kind in MOST.items() if god is not God.NATURE])
def test_most_counts_validated_ones(rules, god, kind):
    """Oceans / Fire / Harvests count *validated* tiles: neither cancelled nor face-down ones."""
    one = player([kind(), "y", "y"], god=god)
    invalid = player([cancelled(kind()), cancelled(kind()), wild(kind()), wild(kind())])
    assert totals(rules, position(one, invalid))[0] == 3
    mine = player([kind(), cancelled(kind()), wild(kind())], god=god)
    assert totals(rules, position(mine, player([kind(), kind(), "y", "y"])))[0] == -1


def test_most_counts_validated_forests(rules):
    """Nature counts *validated* forests: those whose neighbours are as they want them."""
    one = player([forest(), "y", "y"], god=God.NATURE)
    lonely = player(["r", forest(), "r", wild(forest())])
    assert totals(rules, position(one, lonely))[0] == 3
    none = player(["r", forest(), "r"], god=God.NATURE)
    assert totals(rules, position(none, player([forest(), "y", "y", "y"])))[0] == 0


def test_each_god_counts_its_own_kind(rules):
    """Oceans irrigations, Fire volcanoes, Nature forests, Harvests villages."""
    for god in MOST:
        for other, kind in MOST.items():
            where = position(player("y y", god=god), player([kind(), "y", "y"]))
            assert totals(rules, where)[0] == (0 if god is other else 3), (god, other)


# --------------------------------------------------------------------------- Idleness, Technology


def test_idleness(rules):
    """Idleness: 1, and own wilderness costs nothing."""
    where = position(player("* * y", god=God.IDLENESS), player("* * y y"))
    assert totals(rules, where) == (1, -2)


@pytest.mark.parametrize("mine, others, worth", [("y y", "* y y", 3), ("* y", "* y y", 2), ("* *", "* y y", -2)])
@pytest.mark.parametrize("most_at_zero", [True, False])
def test_technology(rules, mine, others, worth, most_at_zero):
    """Technology: 3 if no player has fewer wilderness tiles, a tie or none at all included."""
    where = position(player(mine, god=God.TECHNOLOGY), player(others), most_at_zero=most_at_zero)
    assert totals(rules, where)[0] == worth


def test_technology_against_everybody(rules):
    """Technology: *no player* has fewer, also among more than two."""
    where = position(player("* y", god=God.TECHNOLOGY), player("* * y"), player("y y y"))
    assert totals(rules, where)[0] == -1


def test_technology_at_zero_in_both_readings(rules):
    """The other reading is about having the most; Technology asks for the fewest and zero is fine."""
    where = position(player("y y", god=God.TECHNOLOGY), player("y y y"), most_at_zero=False)
    assert totals(rules, where)[0] == 3


# ------------------------------------------------------------------------------------- Equilibrium


def test_equilibrium(rules):
    """Equilibrium: 3 with at least one validated village, one temple, one validated volcano."""
    where = position(player([village(), temple(), volcano()], god=God.EQUILIBRIUM))
    assert totals(rules, where)[0] == 3 + 7


@pytest.mark.parametrize(
    "tiles, tokens",
    [
        (("y", temple, volcano), 7),
        ((village, "y", volcano), 0),
        ((village, temple, "y"), 7),
        ((lambda: cancelled(village()), temple, volcano), 7),
        ((village, temple, lambda: cancelled(volcano())), 7),
    ],
)
def test_equilibrium_needs_all_three(rules, tiles, tokens):
    """Equilibrium: nothing without one of the three, or with a cancelled one."""
    row = [each if isinstance(each, str) else each() for each in tiles]
    assert totals(rules, position(player(row, god=God.EQUILIBRIUM)))[0] == tokens


def test_equilibrium_face_down(rules):
    """Equilibrium: a temple lying face down is none."""
    where = position(player([village(), wild(temple()), volcano()], god=God.EQUILIBRIUM))
    assert totals(rules, where)[0] == -1


def test_equilibrium_is_ones_own(rules):
    """Equilibrium: in one's own universe; others' numbers do not matter."""
    mine = player([village(), temple(), volcano()], god=God.EQUILIBRIUM)
    other = player([village(), village(), volcano(), volcano()])
    assert totals(rules, position(mine, other))[0] == 10


@pytest.mark.parametrize("players", [2, 3, 4])
def test_equilibrium_temple_or_token(rules, players):
    """Equilibrium's temple: with as many tokens as players, a temple and a temple token are the same:
    whoever has a temple gets a token, be it the last one."""
    mine = player([village(), temple(), volcano()], god=God.EQUILIBRIUM)
    others = [player([tile("w", "temple 3", mystic=10 + seat), "y", "y", "y"]) for seat in range(players - 1)]
    assert totals(rules, position(mine, *others))[0] == 3 + 2


# ------------------------------------------------------------------------------------------- Death


def test_death_validated(rules):
    """Death: may give back 6 worshipers: validated; 3 if validated."""
    where = position(player(realm="r2 g2 b2 w"), gods=[God.DEATH])
    moves = taking(rules, where, God.DEATH, validated=True)
    assert realms(moves) == realms_of("r", "g", "b", "w")
    after = rules.apply(where, next(iter(moves)))
    assert after.players[0].god is God.DEATH and after.players[0].god_validated
    assert totals(rules, after)[0] == 3


def test_death_cancelled(rules):
    """Death: else cancelled, nothing given back and 0 at the end."""
    where = position(player(realm="r2 g2 b"), gods=[God.DEATH])
    moves = taking(rules, where, God.DEATH)
    assert {(move.validated, move.realm) for move in moves} == {(False, some("r2 g2 b"))}
    after = rules.apply(where, next(iter(moves)))
    assert after.players[0].god is God.DEATH and not after.players[0].god_validated
    assert totals(rules, after)[0] == 0


def test_death_is_a_free_choice(rules):
    """Village, volcano and Death are each the player's free choice even when affordable: Death."""
    where = position(player(realm="r2 g2 b2"), gods=[God.DEATH])
    moves = taking(rules, where, God.DEATH)
    assert {(m.validated, m.realm) for m in moves} == {(True, some()), (False, some("r2 g2 b2"))}


def test_death_after_an_exchange(rules):
    """Exchanges in a god's turn: before and after Death's payment."""
    where = position(player(realm="r9"), gods=[God.DEATH])
    left = realms(taking(rules, where, God.DEATH, validated=True))
    # Pay six reds; or first r9 -> r6 g and pay six of those seven.
    assert left == realms_of("r3", "r", "g", "b", "y", "w")
