"""`expect_legal` says which rule forbids a move, and agrees with the list of legal ones."""

from __future__ import annotations

import random

import pytest

from builders import full_set, play, player, position, some, taking, tile
from orbis_search.base.errors import InputError
from orbis_search.game import rules
from orbis_search.game.legality import expect_legal
from orbis_search.game.position import Move, Slot
from orbis_search.game.vocabulary import CELLS, Colour, God

A1 = CELLS.index("a1")
B2 = CELLS.index("b2")


def refusal(where, move) -> str:
    with pytest.raises(InputError) as caught:
        expect_legal(where, move)
    assert move not in rules.legal_moves(where)
    return str(caught.value)


def region(cell=A1, slot=(1, 0), wild=False, validated=True, removed=(), realm="") -> Move:
    return Move(cell, None, Slot(*slot), wild, validated, removed, some(realm))


def god(which, validated=True, realm="") -> Move:
    return Move(None, which, None, False, validated, (), some(realm))


def test_too_expensive():
    where = position(player(realm="g"), centre={"a1": tile("r", cost="gb")})
    assert "cannot pay for" in refusal(where, region())


def test_colour():
    where = position(player("g b"), centre={"a1": tile("r")})
    reason = "expected a red tile or a wilderness under 2.1 for "
    assert reason in refusal(where, region(slot=(2, 0)))


@pytest.mark.parametrize(
    "slot, reason",
    [
        ((1, 1), "expected an end of row 1 (1L or 1R, that is 1.1 or 1.3), found 1.2"),
        ((1, 3), "expected an end of row 1 (1L or 1R, that is 1.1 or 1.3), found 1.4"),
        ((2, 1), "expected two tiles under 2.2, found none at 1.3"),
        ((3, 0), "expected two tiles under 3.1, found none at 2.1 and 2.2"),
        ((5, 0), "expected a row from 1 to 4, found 5"),
        ((2, -1), "expected a column from 1 to 4 in row 2, found 0"),
    ],
)
def test_slot(slot, reason):
    where = position(player("r r"), centre={"a1": tile("r")})
    assert reason in refusal(where, region(slot=slot))


def test_second_god():
    where = position(player(god=God.LOVE), gods=[God.FIRE])
    assert "already has a god, love; found fire" in refusal(where, god(God.FIRE))


def test_god_not_there():
    where = position(player(), gods=[God.FIRE])
    assert "face up (fire), found love" in refusal(where, god(God.LOVE, realm="r5"))


def test_only_death_is_cancelled():
    where = position(player(), gods=[God.FIRE])
    assert "Death is the only god" in refusal(where, god(God.FIRE, validated=False))


def test_death_too_expensive():
    where = position(player(realm="r2 g2 b"), gods=[God.DEATH])
    assert "cannot give for death: expected 6 worshipers, found r2g2b" in refusal(where, god(God.DEATH))


def test_fifteenth_region():
    where = position(player("y " * 5, "y " * 4, "y " * 3, "y " * 2), gods=[God.FIRE])
    assert "14 regions" in refusal(where, region(slot=(4, 0)))


def test_neither_and_both():
    where = position(player(), gods=[God.LOVE])
    assert "found neither" in refusal(where, region()._replace(cell=None))
    assert "found both" in refusal(where, region()._replace(god=God.LOVE))


def test_village_too_expensive():
    where = position(player(realm="r"), centre={"a1": tile("y", "village 2")})
    assert "expected 2 worshipers, found r at hand" in refusal(where, region())


def test_irrigation_judges_itself():
    where = position(player("b r"), centre={"a1": tile("b", "irrigation r")})
    assert "expected valid, because an irrigation" in refusal(where, region(slot=(2, 0), validated=False))
    assert "expected cancelled, because an irrigation" in refusal(where, region(slot=(1, 0), validated=True))


def test_cancelled_without_a_condition():
    where = position(player(), centre={"a1": tile("g", "forest 1 r")})
    assert "only these can be cancelled" in refusal(where, region(validated=False))


@pytest.mark.parametrize(
    "removed, reason",
    [
        ((), "exactly 2"),
        (((0, Colour.GREEN, 1),), "exactly 2"),
        (((0, Colour.GREEN, 3),), "exactly 2"),
        (((0, Colour.YELLOW, 2),), "removals of gb"),
        (((1, Colour.GREEN, 2),), "expected at most 0 green"),
        (((B2, Colour.GREEN, 2),), "other eight cells"),
        (((0, Colour.GREEN, 1), (0, Colour.GREEN, 1)), "each cell and colour once"),
        (((8, Colour.BLUE, 1), (0, Colour.GREEN, 1)), "sorted"),
        (((0, Colour.GREEN, 2), (8, Colour.BLUE, 0)), "at least 1"),
    ],
)
def test_volcano(removed, reason):
    where = position(
        player(),
        filler="w",
        centre={"b2": (tile("r", "volcano 2 gb"), "g2"), "a3": (tile("w"), "g2 y2"), "c1": (tile("w"), "b")},
    )
    assert reason in refusal(where, region(B2, removed=removed, realm="g2"))
    expect_legal(where, region(B2, removed=((0, Colour.GREEN, 2),), realm="g2"))


def test_removal_without_a_volcano():
    where = position(player(), centre={"a1": tile("r"), "c3": (tile("w"), "g")})
    assert "is not a volcano; found g removed" in refusal(where, region(removed=((2, Colour.GREEN, 1),)))


def test_wilderness_with_more():
    where = position(player())
    assert "wilderness" in refusal(where, region(wild=True, validated=True))


@pytest.mark.parametrize(
    "realm, reason",
    [
        ("r", "expected a realm that the turn can leave, r3, found r (r4 at hand)"),
        ("r2 g", "expected a realm that the turn can leave, r3, found r2g"),
        ("r3 g", "expected 3 worshipers left, found 4 (r3g)"),
        ("", "expected 3 worshipers left, found 0"),
        ("r4", "expected 3 worshipers left, found 4 (r4)"),
    ],
)
def test_realm(realm, reason):
    where = position(player(realm="r4"), centre={"a1": tile("r", cost="r")})
    expect_legal(where, region(realm="r3"))
    assert reason in refusal(where, region(realm=realm))


def test_every_problem_is_named():
    where = position(player("g b", realm="r"), centre={"a1": tile("r", "none", "g")})
    text = refusal(where, region(slot=(2, 0), validated=False))
    assert "wilderness under 2.1" in text and "cannot pay" in text and "only these can be cancelled" in text


def test_waits_for_the_refill():
    where = position(player())
    move = next(iter(taking(rules, where, "a1", wild=True)))
    with pytest.raises(InputError, match="refill of a1"):
        expect_legal(rules.apply(where, move), move)


def test_after_the_end():
    full = ("y " * 5, "y " * 4, "y " * 3, "y " * 2)
    where = position(player(*full, god=God.LOVE), player(*full, god=God.FIRE), gods=[God.DEATH])
    assert "after the game's end" in refusal(where, god(God.DEATH))
    with pytest.raises(InputError, match="after the game's end"):
        rules.apply(where, god(God.DEATH))


def altered(move: Move, rng: random.Random) -> Move:
    """The move with one of its parts changed, legal or not."""
    change = rng.randrange(6)
    if change == 0:
        return move._replace(validated=not move.validated)
    if change == 1:
        return move._replace(wild=not move.wild)
    if change == 2:
        return move._replace(realm=move.realm.changed(rng.randrange(5), +1))
    if change == 3 and move.slot is not None:
        return move._replace(slot=Slot(rng.randint(1, 4), rng.randint(0, 4)))
    if change == 4 and move.cell is not None:
        return move._replace(cell=rng.randrange(9))
    return move._replace(removed=((rng.randrange(9), Colour(rng.randrange(5)), rng.randint(1, 2)),))


@pytest.mark.parametrize("players", [2, 3])
def test_agrees_with_the_list(players):
    """A move passes exactly if it is listed: random games, legal moves and altered ones."""
    rng = random.Random(players)
    where = rules.new_game(full_set(players), players, rng)
    outcomes = {True: 0, False: 0}
    while not where.is_over:
        legal = rules.legal_moves(where)
        moves = sorted(
            legal, key=lambda m: (m.cell or 0, m.god or 0, m.wild, m.validated, m.slot or (), m.removed, m.realm)
        )
        for _ in range(25):
            move = rng.choice(moves)
            if rng.random() < 0.8:
                move = altered(move, rng)
            outcomes[move in legal] += 1
            if move in legal:
                expect_legal(where, move)
            else:
                with pytest.raises(InputError):
                    expect_legal(where, move)
        where = play(rules, where, rng.choice(moves))
    assert min(outcomes.values()) > 100
