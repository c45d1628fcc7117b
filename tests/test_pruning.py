"""Each pruning rule keeps a best move: exact search with it and without it agrees.

The rules and their arguments stand in movegen.pxd. Here small two-player endings, played on our tile set and
on random ones, are searched to the end, every move and every draw. A rule is only compared where it removed
something, and each test says how often that has to be. Hand-made positions show each rule biting, and what a
bolder rule would lose.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache

import pytest

from builders import player, position, some, tile, wild
from orbis_search._core.orbis.core import ALL, PRUNING_RULES, SEARCH, PackedState
from orbis_search._core.search.exhaustive import Walker
from orbis_search.core import fast_rules
from orbis_search.core.packing import Packing, unpack_move
from orbis_search.game import rules
from orbis_search.game.position import Move, Player, Position, Slot
from orbis_search.game.vocabulary import CELLS, REALM_LIMIT, TURNS, Colour, Face, God, Worshipers
from orbis_search.tileset.library import load_tile_set

TOGETHER = "together"
RULES = {**PRUNING_RULES, TOGETHER: SEARCH}
SHARE, MARGIN = False, True


def sequences(state: PackedState, turns: int, prune: int = ALL) -> int:
    return Walker(state.game_state(), prune).perft(turns, True)


def values(state: PackedState, prune: int, margin: bool) -> dict[Move, Fraction]:
    return {unpack_move(move): value for move, value in Walker(state.game_state(), prune, margin).values()}


def best(state: PackedState, of: dict[Move, Fraction]) -> Fraction:
    """What the mover gets: values are the first player's."""
    return (max if state.to_move == 0 else min)(of.values())


# ------------------------------------------------------------------------------ endings from games


def ending(seed: int, turns_left: int) -> PackedState:
    """A game's state with so few turns left.

    With three left the first player has only a god to take, so that the other's two turns, and what is
    kept from one to the other, can be searched with a fair number of worshipers.
    """
    rng = random.Random(seed)
    tiles = "reconstruction" if seed % 2 else f"random:{seed}"
    style = ("random", "sensible")[seed // 2 % 2]
    state = Packing(rules.new_game(load_tile_set(tiles), 2, rng)).state
    for _ in range(2 * TURNS - turns_left):
        move = state.choose(style, rng.getrandbits(64))
        while turns_left == 3 and state.to_move == 0 and unpack_move(move).god is not None:
            move = state.choose(style, rng.getrandbits(64))
        state.apply(move)
        if state.hole is not None:
            state.refill(rng.choice(state.draws()))
    return state


def thinned(state: PackedState, on_cell: int, in_realms: tuple[int, int], rng: random.Random) -> PackedState:
    """The same with at most so many worshipers on each centre tile and in each realm."""

    def cut(crowd: tuple[int, ...], most: int) -> tuple[int, ...]:
        left = list(crowd)
        while sum(left) > most:
            left[rng.choices(range(5), left)[0]] -= 1
        return tuple(left)

    centre, worshipers, players, gods, left, unseen = state.fields()
    players = tuple(
        (slots, wilderness, cancelled, cut(realm, most), god, validated)
        for (slots, wilderness, cancelled, realm, god, validated), most in zip(players, in_realms)
    )
    return PackedState(
        state.table, centre, tuple(cut(crowd, on_cell) for crowd in worshipers), players, gods, left, unseen
    )


# From bare to as played: worshipers on a cell, in the first and in the second player's realm.
THINNINGS = ((0, (0, 3)), (1, (1, 4)), (1, (2, 6)), (1, (3, 8)), (1, (10, 10)), (2, (10, 10)), (99, (10, 10)))
# Sequences to the end that one unpruned search may have to look at.
LONGEST = {1: 6_000, 2: 25_000, 3: 25_000}
SEEDS = {1: range(30), 2: range(24), 3: range(32)}


@cache
def endings(turns_left: int) -> tuple[PackedState, ...]:
    """For each seed, the fullest version of the ending that can be searched without pruning."""
    found = []
    for seed in SEEDS[turns_left]:
        state, rng = ending(seed, turns_left), random.Random(seed)
        fits = None
        for on_cell, in_realms in THINNINGS:
            thin = thinned(state, on_cell, in_realms, rng)
            # Counting all sequences is fast, but not for turns of any size.
            most = LONGEST[turns_left]
            if thin.count_moves(ALL) > most or sequences(thin, turns_left) > most:
                break
            fits = thin
        if fits is not None and (not found or fits.bytes != found[-1].bytes):
            found.append(fits)
    return tuple(found)


@cache
def without_pruning(turns_left: int, index: int, margin: bool) -> Fraction:
    state = endings(turns_left)[index]
    return best(state, values(state, ALL, margin))


# In how many of the endings a rule must have removed moves, for the comparison to mean something.
BITES = {
    (1, "exchanges"): 20,
    (2, "exchanges"): 15,
    (3, "exchanges"): 12,
    (1, "last realm"): 20,
    (2, "last realm"): 15,
    (3, "last realm"): 12,
    (1, "last ashes"): 5,
    (2, "last ashes"): 5,
    (3, "last ashes"): 3,
    (1, TOGETHER): 20,
    (2, TOGETHER): 18,
    (3, TOGETHER): 15,
}


@pytest.mark.parametrize("turns_left", [1, 2, 3])
@pytest.mark.parametrize("rule", ["exchanges", "last realm", "last ashes", TOGETHER])
def test_endings_are_worth_the_same(rule, turns_left):
    bitten = 0
    for index, state in enumerate(endings(turns_left)):
        if sequences(state, turns_left, RULES[rule]) == sequences(state, turns_left):
            continue  # nothing was removed anywhere: the very same search
        bitten += 1
        for margin in (SHARE, MARGIN):
            pruned = best(state, values(state, RULES[rule], margin))
            assert pruned == without_pruning(turns_left, index, margin), (index, margin)
    assert bitten >= BITES[turns_left, rule]


@pytest.mark.parametrize("turns_left", [1, 2, 3])
def test_the_endings_are_worth_searching(turns_left):
    """The choice of a move matters in most, for the victory in some."""
    by_points = sum(len(set(values(state, SEARCH, MARGIN).values())) > 1 for state in endings(turns_left))
    by_victory = sum(len(set(values(state, SEARCH, SHARE).values())) > 1 for state in endings(turns_left))
    assert len(endings(turns_left)) >= 18
    assert by_points >= 15 and by_victory >= 3


def with_full_realm(state: PackedState, rng: random.Random) -> PackedState:
    """The mover holds 10 of few colours, the other nothing, and each centre tile has at most one on it."""
    thin = thinned(state, 1, (0, 0), rng)
    centre, worshipers, players, gods, left, unseen = thin.fields()
    colours = rng.sample(range(5), 2)
    chosen = [rng.choice(colours) for _ in range(REALM_LIMIT)]
    slots, wilderness, cancelled, _, god, validated = players[1]
    realm = tuple(chosen.count(colour) for colour in range(5))
    seats = (players[0], (slots, wilderness, cancelled, realm, god, validated))
    return PackedState(state.table, centre, worshipers, seats, gods, left, unseen)


def test_full_realms_before_the_last_turn_but_one_are_worth_the_same():
    """Exchanges at the limit meet a turn to come. In last turns both keep one realm, as tested above."""
    last_realm = PRUNING_RULES["last realm"]
    compared = at_the_limit = 0
    for seed in SEEDS[3]:
        state = with_full_realm(ending(seed, 3), random.Random(seed))
        if compared == 6 or sequences(state, 3, last_realm) > 58_000:
            continue
        compared += 1
        moves = map(unpack_move, state.moves(PRUNING_RULES["exchanges"]))
        at_the_limit += any(not collected(state, move).covers(move.realm) and move.wild for move in moves)
        for margin in (SHARE, MARGIN):
            value = best(state, values(state, last_realm, margin))
            for rule in ("exchanges", TOGETHER):
                assert best(state, values(state, RULES[rule] | last_realm, margin)) == value
    assert compared == 6 and at_the_limit >= 4, (compared, at_the_limit)


# ------------------------------------------------------------------------------ hand-made positions

ROWS = ("* * * * *", "* * * *", "* * *", "* *")


def built(regions: int, realm: str = "", god: God | None = None) -> Player:
    """So many wildernesses from the bottom up: any tile fits anywhere on them."""
    rows = []
    for row in ROWS:
        items = row.split()[:regions]
        regions -= len(items)
        rows.append(" ".join(items))
    return player(*rows, realm=realm, god=god)


def two_turns_and_a_god_between(realm: str, centre: dict) -> PackedState:
    """The second player has two regions to take, and between them the first a god."""
    first = built(14)
    second = built(12, realm, God.LOVE)
    return Packing(position(first, second, centre=centre, gods=[God.APPRENTICE])).state


def collected(state: PackedState, move: Move) -> Worshipers:
    """What the mover holds after step 2."""
    _, worshipers, players, *_ = state.fields()
    realm = Worshipers(*players[state.to_move][3])
    return realm if move.cell is None else realm.plus(Worshipers(*worshipers[move.cell]))


def only_where(
    state: PackedState, margin: bool, allowed: Callable[[Move], bool], prune: int = ALL
) -> tuple[Fraction, Fraction]:
    """The exact value of the state, and what is left of it if the mover may only play allowed moves now."""
    found = values(state, prune, margin)
    some_left = {move: value for move, value in found.items() if allowed(move)}
    assert 0 < len(some_left) < len(found)
    return best(state, found), best(state, some_left)


def expect_bite(state: PackedState, rule: str, margin: bool = MARGIN) -> None:
    prune = PRUNING_RULES[rule]
    assert state.count_moves(prune) < state.count_moves(ALL)
    assert best(state, values(state, prune, margin)) == best(state, values(state, ALL, margin))


def test_exchanges_that_can_wait_are_left_out():
    """Six red are worth two of any colour next turn as well as now."""
    state = two_turns_and_a_god_between("r6", {"c1": tile("g", cost="gb", cp=7)})
    expect_bite(state, "exchanges")
    # One green and one blue can be had from six red.
    assert best(state, values(state, ALL, MARGIN)) == -best_gain(7)


def best_gain(cp: int) -> int:
    """The second player's lead after a tile worth `cp` and one worth nothing, both face up."""
    love, apprentice = 1, 2
    return (-12 + love + cp) - (-14 + apprentice)


def needs_exchange(held: str) -> dict[str, PackedState]:
    """At the limit: only exchanged at once do the three red become what c1 costs."""
    eleven = two_turns_and_a_god_between("w7 r3", {"a3": (tile("y"), "w"), "c1": tile("y", cost="w8 g", cp=9)})
    twelve = two_turns_and_a_god_between("w6 r3 b", {"a3": (tile("y"), "w2"), "c1": tile("y", cost="w8 g b", cp=9)})
    return {"eleven": eleven, "twelve": twelve}[held]


@pytest.mark.parametrize("held", ["eleven", "twelve"])
def test_above_the_limit_an_exchange_cannot_wait(held):
    """Why exchanges are kept as long as more than 10 are held: without them the last tile is lost."""
    state = needs_exchange(held)

    def no_exchange(move: Move) -> bool:
        return collected(state, move).covers(move.realm)

    # Both searches leave out realms in the last turn, or they would take a minute.
    last_realm = PRUNING_RULES["last realm"]
    value, bolder = only_where(state, MARGIN, no_exchange, last_realm)
    assert value < bolder  # the second player moves: lower is better for it
    assert value == -best_gain(9)
    for rule in ("exchanges", TOGETHER):
        assert best(state, values(state, RULES[rule] | last_realm, MARGIN)) == value


def test_exchanges_to_pay_are_kept():
    centre = {"b2": (tile("r", cost="g", cp=5), "r3")}
    state = Packing(position(built(13, "", God.LOVE), built(13, "", God.FIRE), centre=centre)).state
    value, bolder = only_where(state, MARGIN, lambda move: move.wild or move.cell != CELLS.index("b2"))
    assert value > bolder
    assert best(state, values(state, PRUNING_RULES["exchanges"], MARGIN)) == value


def test_in_a_last_turn_one_realm_is_enough():
    first, second = built(14, "g2", God.LOVE), built(13, "r3 g3 b2", God.FIRE)
    state = Packing(position(first, second)).state
    expect_bite(state, "last realm", SHARE)
    assert state.count_moves(PRUNING_RULES["last realm"]) == 18  # nine cells, face up or wilderness


def test_in_a_last_turn_the_most_worshipers_must_be_kept():
    """They decide a tie."""
    row_of_yellow = ("y y y y y", "y y y y", "y y y")
    first = player(*row_of_yellow, "y y", realm="r2", god=God.LOVE)
    second = player(*row_of_yellow, "y", realm="r3", god=God.IDLENESS)
    state = Packing(position(first, second)).state
    value, bolder = only_where(state, SHARE, lambda move: move.realm.total < 3)
    assert (value, bolder) == (0, 1)
    assert best(state, values(state, PRUNING_RULES["last realm"], SHARE)) == 0


def test_before_the_last_turn_one_realm_is_not_enough():
    """Which 10 of 11 are kept decides whether c1 can be paid next turn."""
    centre = {"a3": (tile("y"), "g"), "c1": tile("y", cost="g7 w3", cp=9)}
    state = two_turns_and_a_god_between("g7 w3", centre)
    found = values(state, PRUNING_RULES["last realm"], MARGIN)

    # What the rule would keep if it did not wait for the last turn: a realm of the most worshipers.
    kept: dict[Move, Worshipers] = {}
    for move in sorted(found, key=lambda move: (-move.realm.total, move.realm[::-1])):
        kept.setdefault(move._replace(realm=Worshipers()), move.realm)
    bolder = {m: value for m, value in found.items() if kept[m._replace(realm=Worshipers())] == m.realm}
    a3 = CELLS.index("a3")
    assert {move.realm for move in bolder if move.cell == a3} == {some("g8 w2")}

    with_a3 = {move: value for move, value in found.items() if move.cell == a3}
    assert best(state, with_a3) < best(state, {m: value for m, value in bolder.items() if m.cell == a3})
    assert best(state, with_a3) == -best_gain(9)


def last_eruption(turns_left: int) -> PackedState:
    """A volcano may be taken; one red worshiper lies idle, one is what the second player lacks for c1."""
    centre = {"a3": tile("g", "volcano 1 r", cp=3), "c3": (tile("y"), "r"), "c1": (tile("y", cost="r2", cp=9), "r")}
    first = built(15 - turns_left, "", God.LOVE)
    return Packing(position(first, built(13, "r", God.FIRE), centre=centre)).state


def test_in_the_last_region_turn_one_way_to_feed_a_volcano_is_enough():
    state = last_eruption(1)
    expect_bite(state, "last ashes")
    fed = [move for move in map(unpack_move, state.moves(PRUNING_RULES["last ashes"])) if move.removed]
    assert len(fed) == 1


def test_before_the_last_region_turn_it_matters_what_a_volcano_removes():
    state = last_eruption(2)
    assert state.count_moves(PRUNING_RULES["last ashes"]) == state.count_moves(ALL)
    idle = ((CELLS.index("c3"), Colour.RED, 1),)
    value, bolder = only_where(state, MARGIN, lambda move: move.removed in ((), idle))
    assert value > bolder


def test_a_god_turn_after_the_last_region_leaves_the_rule_in_force():
    """The centre is of no use to somebody who has only a god to take."""
    centre = {"a3": tile("g", "volcano 1 r", cp=3), "c3": (tile("y"), "r"), "c1": (tile("y"), "r")}
    where = position(built(13, "", God.LOVE), built(14, "r2"), centre=centre, gods=[God.FIRE, God.APPRENTICE])
    expect_bite(Packing(where).state, "last ashes")


# ------------------------------------------------------------------------------ mirror images


def mirrored_slot(slot: Slot, length: int) -> Slot:
    """In a universe with so many tiles in row 1; the ends of row 1 are places beside it."""
    if slot.row == 1:
        return Slot(1, length if slot.column == 0 else 0)
    return Slot(slot.row, length - slot.row - slot.column)


def mirrored_move(move: Move, length: int) -> Move:
    return move if move.slot is None or length == 0 else move._replace(slot=mirrored_slot(move.slot, length))


def mirrored(each: Player) -> Player:
    length = len(each.rows[0])
    rows = []
    for number, row in enumerate(each.rows):
        width = max(0, length - number)
        turned = [*row, *[None] * (width - len(row))][::-1]
        while turned and turned[-1] is None:
            turned.pop()
        rows.append(tuple(turned))
    return each._replace(rows=tuple(rows))


def mirrored_position(where: Position, seat: int) -> Position:
    return where.with_player(seat, mirrored(where.players[seat]))


def played_positions(games: int) -> Iterator[Position]:
    for seed in range(games):
        rng = random.Random(seed)
        tiles = "reconstruction" if seed % 2 else f"random:{seed}"
        packing = Packing(rules.new_game(load_tile_set(tiles), 2 + seed % 3, rng))
        while packing.state.to_move >= 0:
            yield packing.position(packing.state)
            for _ in fast_rules.play_turns(packing.state, 1, rng, rng.choice(("random", "sensible"))):
                pass


def test_reflecting_a_universe_changes_no_rule():
    """The mirror rule's argument: moves, what they lead to and points are the same, mirrored."""
    rng = random.Random(1)
    looked = 0
    for where in played_positions(9):
        seat = where.to_move
        length = len(where.players[seat].rows[0])
        twin = mirrored_position(where, seat)
        assert mirrored_position(twin, seat) == where
        assert rules.score(twin) == fast_rules.score(where)
        found = fast_rules.legal_moves(where) if fast_rules.count_moves(where) < 1_000 else []
        if not found:
            continue
        looked += 1
        assert {mirrored_move(move, length) for move in found} == set(fast_rules.legal_moves(twin))
        for move in rng.sample(found, min(3, len(found))):
            after = fast_rules.apply(where, move)
            assert mirrored_position(after, seat) == fast_rules.apply(twin, mirrored_move(move, length))
    assert looked > 100


def colours_only(each: Player) -> tuple:
    """What of a universe can matter later: colours, and which forest lies where."""
    return tuple(
        tuple(placed and (placed.face is Face.WILD or placed.tile.colour, forest_of(placed)) for placed in row)
        for row in each.rows
    )


def forest_of(placed) -> object:
    is_forest = placed.face is Face.UP and placed.tile.effect.name == "FOREST"
    return (placed.tile.number, placed.tile.colours, placed.tile.cp) if is_forest else None


def test_a_place_is_only_left_out_when_its_mirror_image_is_kept():
    rng = random.Random(2)
    left_out = Counter()
    for where in played_positions(24):
        state = Packing(where).state
        if state.count_moves(ALL) == state.count_moves(PRUNING_RULES["mirror"]):
            continue
        seat = where.to_move
        length = len(where.players[seat].rows[0])
        assert colours_only(mirrored(where.players[seat])) == colours_only(where.players[seat])
        kept = set(map(unpack_move, state.moves(PRUNING_RULES["mirror"])))
        dropped = [move for move in map(unpack_move, state.moves(ALL)) if move not in kept]
        for move in dropped:
            assert mirrored_move(move, length) in kept
        for move in rng.sample(dropped, min(5, len(dropped))):
            one = fast_rules.apply(where, move).players[seat]
            other = fast_rules.apply(where, mirrored_move(move, length)).players[seat]
            assert colours_only(mirrored(one)) == colours_only(other)
        left_out[length, len(where.players[seat].placed())] += 1
    assert len(left_out) >= 3 and sum(left_out.values()) >= 40, left_out


def symmetric(rng: random.Random, forest: str) -> Player:
    """Twelve tiles, their colours a mirror image; `forest` says where one lies: axis, right or none."""
    letters = [[rng.choice("rgbyw*") for _ in range(3)]]
    for width in (2, 2, 1):
        below = letters[-1]
        letters.append([below[column] for column in range(width)])
    # Row 1 mirrors about its third tile, row 2 between two, row 3 about its second.
    whole = [letters[0] + letters[0][1::-1], letters[1] + letters[1][::-1], letters[2] + letters[2][:1]]
    rows = [[wild() if letter == "*" else tile(letter) for letter in row] for row in whole]
    column = {"axis": 1, "right": 2}.get(forest)
    if column is not None:
        colour = whole[2][column] if whole[2][column] != "*" else "y"
        number, wanted = rng.choice((1, 2, 2, 3)), "".join(rng.sample("rgbyw", 2))
        rows[2][column] = tile(colour, f"forest {number} {wanted}", cp=4)
    return player(*rows, god=God.LOVE)


@pytest.mark.parametrize("forest", ["none", "axis", "right"])
def test_symmetric_endings_are_worth_the_same(forest):
    """Row 4 is empty and both its places are alike, unless a forest lies under one of them."""
    bitten = 0
    mirror = PRUNING_RULES["mirror"]
    for seed in range(12):
        rng = random.Random(seed)
        second = symmetric(rng, forest)._replace(realm=some(rng.choice(("", "r", "g b", "w2"))))
        centre = {}
        for name in CELLS:
            effect = rng.choice(("none", "none", "irrigation r", "irrigation g", "forest 2 gy", "temple 1"))
            colour = "w" if effect == "temple 1" else rng.choice("rgbyw")
            mystic = rng.randrange(1, 99) if colour == "w" else None
            cost, cp = rng.choice(("", "r", "a")), rng.randrange(4)
            centre[name] = tile(colour, effect, cost, cp, mystic=mystic), rng.choice(("", "", "", "r", "b"))
        state = Packing(position(built(14), second, centre=centre, gods=[God.NATURE])).state
        if state.count_moves(mirror) == state.count_moves(ALL):
            continue
        bitten += 1
        for margin in (SHARE, MARGIN):
            assert best(state, values(state, mirror, margin)) == best(state, values(state, ALL, margin))
    # A forest under one of the two places takes the symmetry away, unless the tile there is a wilderness.
    assert bitten == (0 if forest == "right" else 12)


def test_a_forest_beside_the_axis_breaks_the_symmetry():
    """It wants the one green tile over it, and at once: next the first player can have that tile."""
    forest = tile("y", "forest 2 g", cp=6)
    second = player("y y y y y", "y y y y", ["y", wild(), forest], god=God.LOVE)
    first = player("y y y y y", "y y y y", "y y *", "y", god=God.FIRE)
    state = Packing(position(first, second, centre={"b2": tile("g")})).state
    assert state.count_moves(PRUNING_RULES["mirror"]) == state.count_moves(ALL)
    value, bolder = only_where(state, MARGIN, lambda move: move.slot == Slot(4, 0))
    assert value < bolder
