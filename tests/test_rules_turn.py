"""RULES section 3: a turn. Each test's docstring names the sentence it holds the code to.

"Forget" in a docstring marks one of the rulebook's "rules that you will eventually forget".
"""

from __future__ import annotations

import random

import pytest

from builders import (
    full_set,
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
)
from orbis_search.base.errors import InputError
from orbis_search.game import rules as plain_rules
from orbis_search.game.position import Pile, Placed, Slot
from orbis_search.game.vocabulary import CELLS, REALM_LIMIT, Colour, Effect, Face, God, Worshipers

pytestmark = on_every_implementation

FULL = ("y " * 5, "y " * 4, "y " * 3, "y " * 2)
ONE_SHORT = ("y " * 5, "y " * 4, "y " * 3, "y")


# --------------------------------------------------------------------------------- a god or a region


def test_god_or_region(rules):
    """Take a god (exactly once in the game) or a region."""
    where = position(player(), gods=[God.APPRENTICE, God.FIRE])
    moves = rules.legal_moves(where)
    assert {move.cell for move in moves} == {None, *range(9)}
    assert {move.god for move in moves} == {None, God.APPRENTICE, God.FIRE}


def test_second_god(rules):
    """Take a god exactly once: whoever has one is offered no other."""
    where = position(player(god=God.LOVE), gods=[God.APPRENTICE, God.FIRE])
    assert {move.god for move in rules.legal_moves(where)} == {None}


def test_last_turn_god(rules):
    """In the player's last turn whichever is missing is forced: the god, so no 15th region."""
    where = position(player(*FULL), gods=[God.APPRENTICE])
    assert {(move.cell, move.god) for move in rules.legal_moves(where)} == {(None, God.APPRENTICE)}


def test_last_turn_region(rules):
    """In the player's last turn whichever is missing is forced: the region."""
    where = position(player(*ONE_SHORT, god=God.LOVE), gods=[God.APPRENTICE])
    assert {(move.cell, move.god) for move in rules.legal_moves(where)} == {(c, None) for c in range(9)}


def test_last_turn_ends_the_game(rules):
    """After everybody's fifteenth turn nothing more is legal."""
    where = position(player(*FULL, god=God.LOVE), player(*FULL), gods=[God.APPRENTICE, God.FIRE])
    after = rules.apply(where, only(taking(rules, where, God.FIRE)))
    assert after.is_over and not rules.legal_moves(after)


def test_turns_go_round(rules):
    """A turn is followed by the next player's, after a god as after a region."""
    where = position(player(), None, None, gods=[God.APPRENTICE, God.FIRE])
    where = play(rules, where, only(taking(rules, where, God.FIRE)))
    assert where.to_move == 1
    where = play(rules, where, only(placing(rules, where, "b2")))
    assert where.to_move == 2
    where = play(rules, where, only(placing(rules, where, "b2")))
    assert where.to_move == 0


# ----------------------------------------------------------------------------------------------- god


def test_take_one_face_up_god(rules):
    """God: take one face-up god; it lies with the player then and nobody else can take it."""
    where = position(player(), gods=[God.APPRENTICE, God.FIRE, God.DEATH])
    move = only(taking(rules, where, God.FIRE))
    assert (move.cell, move.slot, move.wild, move.validated, move.removed) == (None, None, False, True, ())
    after = rules.apply(where, move)
    assert after.players[0].god is God.FIRE and after.players[0].god_validated
    assert after.gods == (God.APPRENTICE, God.DEATH)
    assert {m.god for m in rules.legal_moves(after)} == {None, God.APPRENTICE, God.DEATH}


def test_god_instant_effect(rules):
    """God: apply its instant effect (Love's five)."""
    where = position(player(realm="r"), gods=[God.LOVE])
    assert some("r g5") in realms(taking(rules, where, God.LOVE))


def test_god_comes_down_to_ten(rules):
    """God: come down to 10 worshipers."""
    where = position(player(realm="r2 g2 b2 y2 w2"), gods=[God.LOVE])
    left = realms(taking(rules, where, God.LOVE))
    # 15 less 2 for each exchange, and at most 10: so never an even number below 10.
    assert {realm.total for realm in left} <= {10, 9, 7, 5, 3, 1}
    # All five of Love's in white, and five of the old ones given back, or five of the new ones.
    assert some("r g b y w6") in left and some("r2 g2 b2 y2 w2") in left
    assert some("r g b w7") in left and some("b2 y w7") in left


def test_god_leaves_the_centre(rules):
    """God: the centre does not change, and there is nothing to refill."""
    where = position(player(), gods=[God.FIRE], centre={"b2": (tile("r"), "g2")})
    after = rules.apply(where, only(taking(rules, where, God.FIRE)))
    assert after.centre == where.centre and after.piles == where.piles
    assert after.hole is None and plain_rules.draws(after) == ()


# ---------------------------------------------------------------------------------- 1, 2: generate, collect


@pytest.mark.parametrize(
    "cell, reached",
    [
        ("a3", "b3 a2"),
        ("c3", "b3 c2"),
        ("a1", "a2 b1"),
        ("c1", "b1 c2"),
        ("b3", "a3 c3 b2"),
        ("a2", "a3 a1 b2"),
        ("c2", "c3 c1 b2"),
        ("b1", "a1 c1 b2"),
        ("b2", "b3 a2 c2 b1"),
    ],
)
@pytest.mark.parametrize("face_down", [False, True])
def test_generate(rules, cell, reached, face_down):
    """1. Generate: one worshiper of the region's colour onto each orthogonal neighbour of its cell
    (2, 3 or 4 of them), always, also when the tile then becomes wilderness (Forget)."""
    where = position(player(), centre={cell: tile("g"), "b2" if cell != "b2" else "b1": (tile("r"), "r2 b")})
    after = rules.apply(where, only(taking(rules, where, cell, wild=face_down)))
    for name in CELLS:
        more = some("g") if name in reached.split() else some()
        assert on_cell(after, name) == on_cell(where, name).plus(more), name


def test_generate_follows_the_tile(rules):
    """1. Generate: of the region's colour, not of what lies on it or on the neighbours."""
    where = position(player(), centre={"a1": (tile("w"), "r"), "b1": (tile("b"), "y")})
    after = rules.apply(where, only(placing(rules, where, "a1")))
    assert on_cell(after, "b1") == some("y w") and on_cell(after, "a2") == some("w")


def test_collect(rules):
    """2. Collect: the worshipers on the chosen tile go to the realm, those on others do not."""
    where = position(player(realm="b"), centre={"a1": (tile("r"), "g2 w"), "b1": (tile("r"), "y2")})
    assert realms(taking(rules, where, "a1")) == realms_of("b g2 w")
    after = rules.apply(where, only(placing(rules, where, "a1")))
    assert after.players[0].realm == some("b g2 w") and on_cell(after, "a1").total == 0


def test_collect_with_wilderness(rules):
    """2. Collect: also when the tile becomes wilderness."""
    where = position(player(realm="b"), centre={"a1": (tile("r", cost="www"), "g2")})
    assert realms(taking(rules, where, "a1", wild=True)) == realms_of("b g2")


def test_unlimited_supply(rules):
    """The supply of worshipers is unlimited: 20 of a colour in the box are no bound."""
    where = position(player(realm="r9"), centre={"a1": tile("r"), "b1": (tile("r"), "r20")})
    after = rules.apply(where, next(iter(taking(rules, where, "a1"))))
    assert on_cell(after, "b1") == some("r21")


# ------------------------------------------------------------------------------------------- 3: pay


def test_pay_colours(rules):
    """3. Pay its cost from the realm: so many of given colours."""
    where = position(player(realm="g2 b w"), centre={"a1": tile("r", cost="ggw")})
    assert realms(placing(rules, where, "a1")) == realms_of("b")


def test_pay_any_colour(rules):
    """3. Pay: and so many of any colour, the player's choice which."""
    where = position(player(realm="g2 b2 y"), centre={"a1": tile("r", cost="gaa")})
    assert realms(placing(rules, where, "a1")) == realms_of("b y", "b2", "g b", "g y")


def test_pay_with_the_collected(rules):
    """Forget: you can pay a tile with the worshipers collected on that tile."""
    where = position(player(realm="b"), centre={"a1": (tile("r", cost="gb"), "g")})
    assert realms(placing(rules, where, "a1")) == realms_of("")


def test_the_generated_do_not_pay(rules):
    """3. Pay from the realm: what step 1 laid on the neighbours is not in it."""
    where = position(player(), centre={"a1": tile("r", cost="r")})
    assert placing(rules, where, "a1") == set()


def test_farm_makes_its_colour_free(rules):
    """3. A colour for which the player has a farm costs nothing."""
    where = position(player([tile("y", "farm g")], realm="g b"), centre={"a1": tile("r", cost="gggb")})
    assert realms(placing(rules, where, "a1")) == realms_of("g")


def test_farm_leaves_any_colour(rules):
    """3. The any-colour part never gets cheaper (Forget: a reduction never pays a multicolour cost)."""
    where = position(player([tile("y", "farm g")], realm="g"), centre={"a1": tile("r", cost="gga")})
    assert realms(placing(rules, where, "a1")) == realms_of("")
    where = position(player([tile("y", "farm g")]), centre={"a1": tile("r", cost="gga")})
    assert placing(rules, where, "a1") == set()


def test_farm_of_another_player(rules):
    """3. A colour for which *the player* has a farm: others' farms do not help."""
    where = position(player("y"), player([tile("y", "farm g")]), centre={"a1": tile("r", cost="g")})
    assert placing(rules, where, "a1") == set()


def test_not_able_to_pay(rules):
    """3. Not able: the tile becomes wilderness and costs nothing."""
    where = position(player(realm="g"), centre={"a1": tile("r", cost="gg")})
    assert placing(rules, where, "a1") == set()
    assert realms(taking(rules, where, "a1", wild=True)) == realms_of("g")


def test_not_willing_to_pay(rules):
    """3. Not willing: the tile becomes wilderness and costs nothing."""
    where = position(player(realm="g2"), centre={"a1": tile("r", cost="gg")})
    assert realms(placing(rules, where, "a1")) == realms_of("")
    assert realms(taking(rules, where, "a1", wild=True)) == realms_of("g2")


# ------------------------------------------------------------------------------- 4, 5: place, effect


def test_place(rules):
    """4. Place it in the universe: face up, in the slot chosen."""
    where = position(player("g"), centre={"a1": tile("r")})
    taken = where.centre[CELLS.index("a1")].tile
    for slot, expected in ((1, 0), 0), ((1, 1), 1):
        after = rules.apply(where, only(placing(rules, where, "a1", slot=slot)))
        assert after.players[0].rows[0][expected] == Placed(taken, Face.UP)
        assert after.players[0].regions == 2 and after.players[1] == where.players[1]


def test_not_able_to_place(rules):
    """4. Not able: wilderness."""
    where = position(player("y y y y y"), centre={"a1": tile("r")})
    assert placing(rules, where, "a1") == set()
    after = rules.apply(where, only(taking(rules, where, "a1", slot=(2, 0))))
    assert after.players[0].rows[1][0].face is Face.WILD


def test_not_willing_to_place(rules):
    """4. Not willing: wilderness, in every slot in which the tile could lie face up too."""
    where = position(player("r r"), centre={"a1": tile("r")})
    assert slots(placing(rules, where, "a1")) == slots(taking(rules, where, "a1", wild=True))
    assert len(placing(rules, where, "a1")) == 3


def test_wilderness_is_never_paid_for(rules):
    """4. A tile that will be wilderness is never paid for (ruling: not offered as a move)."""
    where = position(player(realm="g2 b2"), centre={"a1": tile("r", cost="ga")})
    assert realms(taking(rules, where, "a1", wild=True)) == realms_of("g2 b2")


@pytest.mark.parametrize("effect", ["gain 2 g", "gain 1 a", "village 1", "volcano 1 y", "farm g", "temple 2"])
def test_wilderness_has_no_effect(rules, effect):
    """5. Wilderness has none: nothing gained, given back or removed, and never validated."""
    where = position(player(realm="b"), centre={"a1": tile("w", effect, mystic=1), "b2": (tile("r"), "y")})
    move = only(taking(rules, where, "a1", wild=True))
    assert (move.realm, move.validated, move.removed) == (some("b"), False, ())


def test_wilderness_farm(rules):
    """5. Wilderness has none: a farm lying face down makes nothing free."""
    farm = Placed(tile("y", "farm g"), Face.WILD)
    where = position(player([farm]), centre={"a1": tile("r", cost="g")})
    assert placing(rules, where, "a1") == set()


# ------------------------------------------------------------------------------------------ 6: limit


def test_limit(rules):
    """6. Limit: if the realm holds more than 10, the player chooses which to give back until exactly
    10 are left (Forget: you cannot have more than 10 at the end of your turn)."""
    where = position(player(realm="r2 g2 b2 y2 w2"), centre={"a1": (tile("r"), "r2")})
    left = realms(taking(rules, where, "a1", wild=True))
    # An exchange makes more of some colour, and ten of them are no longer among these twelve.
    without_exchange = {r for r in left if r.total == 10 and some("r4 g2 b2 y2 w2").covers(r)}
    for given in ("r2", "r g", "g2", "g b", "y w", "w2"):
        assert some("r4 g2 b2 y2 w2").minus(some(given)) in without_exchange
    assert len(without_exchange) == 15  # two of five colours with two or more of each


def test_limit_is_not_met_below(rules):
    """6. Limit: up to 10 nobody gives back anything; nobody may give back more than needed."""
    for realm in ("r2 g2 b2 y2 w2", "r2 g2 b2 y2 w", "r"):
        where = position(player(realm=realm))
        assert realms(taking(rules, where, "a1")) == realms_of(realm)


def test_limit_only_at_the_end(rules):
    """6. Limit comes after paying: what is collected above 10 can pay first."""
    where = position(player(realm="r2 g2 b2 y2 w2"), centre={"a1": (tile("r", cost="rrggbb"), "r")})
    assert realms(placing(rules, where, "a1", validated=True)) >= realms_of("r y2 w2")


def test_limit_for_a_wilderness(rules):
    """6. Limit holds for wilderness turns too."""
    where = position(player(realm="r2 g2 b2 y2 w2"), centre={"a1": (tile("r"), "w")})
    left = realms(taking(rules, where, "a1", wild=True))
    assert max(realm.total for realm in left) == 10
    assert realms_of("r2 g2 b2 y2 w2", "r g2 b2 y2 w3", "r3 g2 b2 y2") <= left


# ----------------------------------------------------------------------------------------- 7: refill


def test_refill(rules):
    """7. Refill the empty cell; the new tile comes without worshipers."""
    where = position(player(), centre={"c2": (tile("r"), "g2")})
    after = rules.apply(where, only(placing(rules, where, "c2")))
    assert after.hole == CELLS.index("c2")
    drawn = where.piles[0].tiles[1]
    filled = rules.refill(after, drawn)
    assert filled.hole is None
    assert filled.centre[CELLS.index("c2")] == (drawn, some())
    assert filled.piles[0] == Pile(where.piles[0].left - 1, (where.piles[0].tiles[0],))
    assert filled.piles[1:] == where.piles[1:]


@pytest.mark.parametrize("turns, level", [(0, 1), (1, 2), (6, 2), (7, 3), (13, 3)])
def test_refill_from_the_lowest_pile(rules, turns, level):
    """7. Refill from the lowest pile that is not empty: level 1, then 2, then 3."""
    rows = [("y " * min(length, max(0, turns - below))) for length, below in zip((5, 4, 3, 2), (0, 5, 9, 12))]
    where = position(player(*rows))
    after = rules.apply(where, min(taking(rules, where, "b2"), key=lambda move: (move.wild, move.slot)))
    assert {drawn.level for drawn in plain_rules.draws(after)} == {level}
    assert play(rules, where, next(iter(taking(rules, where, "b2")))).centre[4].tile.level == level


def test_refill_refuses_another_tile(rules):
    """7. Refill from the lowest pile: a tile of a higher one is refused."""
    where = position(player())
    after = rules.apply(where, only(placing(rules, where, "c2")))
    with pytest.raises(InputError, match="lowest pile"):
        plain_rules.refill(after, where.piles[1].tiles[0])


def test_choices_end_before_the_refill(rules):
    """A turn's choices end before the refill is seen: the realm is settled, the tile still missing."""
    where = position(player(realm="r4"))
    move = min(placing(rules, where, "a1"), key=lambda move: move.realm)
    after = rules.apply(where, move)
    assert after.hole == CELLS.index("a1") and after.players[0].realm == move.realm
    assert after.to_move == 1
    with pytest.raises(InputError, match="refill"):
        plain_rules.legal_moves(after)


# ---------------------------------------------------------------------------------------- exchange


def test_exchange(rules):
    """Exchange: 3 worshipers of one colour for 1 of another colour (Forget)."""
    where = position(player(realm="r3"))
    assert realms(taking(rules, where, "a1", wild=True)) == realms_of("r3", "g", "b", "y", "w")


def test_no_exchange_into_the_same_colour(rules):
    """Exchange (ruling): into the same colour is pointless and not offered."""
    where = position(player(realm="r4"))
    left = realms(taking(rules, where, "a1", wild=True))
    assert some("r2") not in left and some("r g") in left


def test_no_exchange_of_mixed_colours(rules):
    """Exchange: 3 of *one* colour."""
    where = position(player(realm="r2 g2 b2"))
    assert realms(taking(rules, where, "a1", wild=True)) == realms_of("r2 g2 b2")


def test_exchange_any_number_of_times(rules):
    """Exchange: any number of times, also with worshipers that came from an exchange."""
    where = position(player(realm="r9"))
    left = realms(taking(rules, where, "a1", wild=True))
    assert realms_of("r6 g", "r3 g b", "g b y", "g3", "w", "r3 w2") <= left
    assert some() not in left


def test_exchange_before_paying(rules):
    """Exchange: this includes before paying."""
    where = position(player(realm="r3"), centre={"a1": tile("r", cost="b")})
    assert realms(placing(rules, where, "a1")) == realms_of("")


def test_exchange_after_paying(rules):
    """Exchange: at any time in one's own turn, so after paying too."""
    where = position(player(realm="r3 b"), centre={"a1": tile("r", cost="b")})
    # Paying the b made by an exchange leaves the b of old: the same realm either way.
    assert realms(placing(rules, where, "a1")) == realms_of("r3", "g", "b", "y", "w")


def test_exchange_of_the_collected(rules):
    """Exchange: at any time, so also with what was just collected."""
    where = position(player(realm="r"), centre={"a1": (tile("g", cost="y"), "r2")})
    assert realms(placing(rules, where, "a1")) == realms_of("")


def test_exchange_of_the_gained(rules):
    """Exchange: at any time, so also with what an effect just gave."""
    where = position(player(realm="r"), centre={"a1": tile("g", "gain 2 r")})
    assert realms(placing(rules, where, "a1")) == realms_of("r3", "g", "b", "y", "w")


def test_exchange_before_a_village(rules):
    """Exchange: before a village, here to keep a colour that giving back alone could not make."""
    where = position(player(realm="r4"), centre={"a1": tile("y", "village 1")})
    assert realms(placing(rules, where, "a1", validated=True)) == realms_of("r3", "r", "g", "b", "y", "w")


def test_exchange_before_the_limit(rules):
    """Exchange: before the limit; 11 with one exchange are 9 and nothing is given back."""
    where = position(player(realm="r4 g2 b2 y w"), centre={"a1": (tile("r"), "w")})
    left = realms(taking(rules, where, "a1", wild=True))
    assert some("r g3 b2 y w2") in left and some("r3 g2 b2 y w2") in left


def test_exchange_in_a_god_turn(rules):
    """Exchange: and in a god's turn."""
    where = position(player(realm="r3"), gods=[God.APPRENTICE])
    assert realms(taking(rules, where, God.APPRENTICE)) == realms_of("r3", "g", "b", "y", "w")


def test_no_exchange_after_the_limit(rules):
    """Giving back at the limit is the turn's last choice: no exchange is offered after it."""
    where = position(player(realm="r10"), centre={"a1": (tile("r"), "g")})
    left = realms(taking(rules, where, "a1", wild=True))
    assert realms_of("r10", "r9 g", "r7 g2", "r7 g b") <= left
    assert not left & realms_of("r6 g2", "r6 g b", "r7 g", "r7 b")


def test_no_exchange_within_the_limit(rules):
    """Giving back at the limit is one action: 12 cannot become 11, exchange, and be 9."""
    where = position(player(realm="r8 g2"), centre={"a1": (tile("r"), "g2")})
    totals = {realm.total for realm in realms(taking(rules, where, "a1", wild=True))}
    assert {10, 8} <= totals <= {10, 8, 6, 4, 2}


def small_steps(realm: Worshipers, tile, number_to_village: int) -> set[Worshipers]:
    """A turn from step 3 on, one worshiper at a time: a second, independent way to the realms.

    What is still to be done is a list of single acts; an exchange may come before any of them.
    """
    acts = [{colour} for colour in Colour for _ in range(tile.cost[colour])]
    acts += [set(Colour)] * tile.any_cost
    gains = list(tile.colours or Colour) if tile.effect is Effect.PROSELYTISM else []
    acts += ["gain"] * (tile.number if gains else 0)
    acts += [set(Colour)] * number_to_village
    seen, ends = set(), set()
    waiting = [(0, tuple(realm))]
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        done, held = state

        def go(to_do: int, change: dict[int, int], held=held) -> None:
            waiting.append((to_do, tuple(n + change.get(c, 0) for c, n in enumerate(held))))

        for given in Colour:
            if held[given] >= 3:
                for got in set(Colour) - {given}:
                    go(done, {given: -3, got: 1})
        if done < len(acts):
            for colour in Colour:
                if acts[done] == "gain":
                    if colour in gains:
                        go(done + 1, {colour: 1})
                elif colour in acts[done] and held[colour]:
                    go(done + 1, {colour: -1})
        else:
            spare = [held]
            while sum(spare[0]) > REALM_LIMIT:
                spare = list(
                    {
                        tuple(n - (c == colour) for c, n in enumerate(each))
                        for each in spare
                        for colour in Colour
                        if each[colour]
                    }
                )
            ends.update(Worshipers(*each) for each in spare)
    return ends


@pytest.mark.parametrize("seed", range(12))
def test_realms_agree_with_single_steps(rules, seed):
    """Steps 2 to 6 together: a search that moves one worshiper at a time finds the same realms."""
    rng = random.Random(seed)
    for _ in range(4):
        letters = rng.choice(["rrrgb", "rgbyw"])
        held = some("".join(rng.choice(letters) for _ in range(rng.randrange(11))))
        there = some("".join(rng.choice("rrgb") for _ in range(rng.randrange(4))))
        cost = "".join(rng.choice("rgbywa") for _ in range(rng.randrange(4)))
        effect = rng.choice(["none", "gain 1 a", "gain 2 g", "village 2", "village 3"])
        where = position(player()._replace(realm=held), centre={"b2": tile("g", effect, cost)})
        where = where._replace(
            centre=tuple(cell._replace(worshipers=there) if cell is where.centre[4] else cell for cell in where.centre)
        )
        chosen = where.centre[4].tile
        both = held.plus(there)
        assert realms(taking(rules, where, "b2", wild=True)) == small_steps(both, tile("g"), 0)
        plain = small_steps(both, chosen, 0)
        if chosen.effect is Effect.VILLAGE:
            assert realms(placing(rules, where, "b2", validated=False)) == plain
            after_village = small_steps(both, chosen, chosen.number)
            assert realms(placing(rules, where, "b2", validated=True)) == after_village
        else:
            assert realms(placing(rules, where, "b2")) == plain


# ----------------------------------------------------------------------------------- the same move


def test_same_move_by_payment(rules):
    """Two ways to pay that leave the same realm are one move."""
    where = position(player(realm="r4 g"), centre={"a1": tile("r", cost="a")})
    moves = placing(rules, where, "a1")
    # r3 g by paying r; r g again by exchanging first (r, 2g) and paying g: every realm occurs once.
    assert len(moves) == len(realms(moves))
    assert realms_of("r4", "r3 g", "r g", "g2", "g b", "r b") <= realms(moves)


def test_same_move_is_what_others_see(rules):
    """A move is what others can see: tile or god, wilderness or not, slot, validated or cancelled,
    which worshipers left which centre tiles, and the realm left over."""
    where = position(
        player("r r", realm="g2"),
        centre={"a1": tile("r", "village 1", "a"), "b2": (tile("r", "volcano 1 g"), "g"), "c3": (tile("r"), "g")},
        gods=[God.APPRENTICE, God.DEATH],
    )
    moves = rules.legal_moves(where)
    afters = [rules.apply(where, move) for move in moves]
    seen = {(after.players[0], after.centre, after.gods) for after in afters}
    assert len(seen) == len(moves)


def test_same_move_by_removal(rules):
    """Volcano removals count by cell, colour and number."""
    where = position(
        player(),
        filler="w",
        centre={"b2": tile("r", "volcano 2 gb"), "a3": (tile("w"), "g3 b"), "c1": (tile("w"), "g")},
    )
    a3, c1 = CELLS.index("a3"), CELLS.index("c1")
    green, blue = Colour.GREEN, Colour.BLUE
    assert {move.removed for move in placing(rules, where, "b2", validated=True)} == {
        ((a3, green, 2),),
        ((a3, green, 1), (a3, blue, 1)),
        ((a3, green, 1), (c1, green, 1)),
        ((a3, blue, 1), (c1, green, 1)),
    }


def test_two_ends_two_slots(rules):
    """The left and the right end of row 1 are two slots, also for the second tile, although they
    mirror each other; the first tile has one."""
    assert slots(taking(rules, position(player()), "a1")) == {Slot(1, 0)}
    assert slots(taking(rules, position(player("r")), "a1")) == {Slot(1, 0), Slot(1, 1)}


def test_perft_fixed_piles(rules):
    """perft(d) counts the sequences of d moves so defined: with piles in a given order."""
    where = small_game()
    assert plain_rules.perft(where, 0, draws=False) == 1
    assert plain_rules.perft(where, 1, draws=False) == len(rules.legal_moves(where))
    below = sum(len(rules.legal_moves(play(rules, where, move))) for move in rules.legal_moves(where))
    assert plain_rules.perft(where, 2, draws=False) == below


def test_perft_with_draws(rules):
    """perft: or with every possible refill after each region move counted as well."""
    where = small_game()
    moves = rules.legal_moves(where)
    tiles = where.piles[0].tiles
    assert len(tiles) == 2
    gods = sum(move.cell is None for move in moves)
    assert plain_rules.perft(where, 1, draws=True) == gods + 2 * (len(moves) - gods)
    below = 0
    for move in moves:
        after = rules.apply(where, move)
        for filled in [after] if after.hole is None else [rules.refill(after, t) for t in tiles]:
            following = rules.legal_moves(filled)
            pile = next(pile for pile in filled.piles if pile.left)
            below += sum(1 if m.cell is None else len(pile.tiles) for m in following)
    assert plain_rules.perft(where, 2, draws=True) == below


def test_perft_draw_is_a_tile(rules):
    """perft: a draw is a tile, not a place in the pile: more listed than left means more draws."""
    where = position(player())
    extra = tile("b")
    first, second, third = where.piles
    unsure = where._replace(piles=(Pile(first.left, (*first.tiles, extra)), second, third))
    assert plain_rules.perft(where, 1, draws=True) == 2 * len(rules.legal_moves(where))
    assert plain_rules.perft(unsure, 1, draws=True) == 3 * len(rules.legal_moves(where))
    after = rules.apply(unsure, only(placing(rules, unsure, "a1")))
    assert rules.refill(after, extra).piles[0] == Pile(1, first.tiles)


def small_game():
    return position(player(realm="r3"), gods=[God.APPRENTICE], centre={"a1": (tile("r", cost="a"), "g")})


def test_counting_equals_listing(rules):
    """The number of moves that perft takes without listing them is the number there is."""
    rng = random.Random(3)
    where = plain_rules.new_game(full_set(), 2, rng)
    while not where.is_over:
        moves = sorted(
            rules.legal_moves(where),
            key=lambda m: (m.cell or 0, m.god or 0, m.wild, m.validated, m.slot or (), m.removed, m.realm),
        )
        assert len(moves) == plain_rules.count_moves(where)
        where = play(rules, where, rng.choice(moves))
