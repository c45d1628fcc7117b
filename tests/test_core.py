"""The compiled core held against the plain reference, and what it promises by itself.

`orbis verify` compares any number of decisions; here is a sample of it, and the corners that games
played at random seldom reach: turns with hundreds of thousands of moves, crowds on one centre tile,
fronts that nobody remembers.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace

import pytest

from builders import player, position, some, tile
from orbis_search._core.orbis.core import ALL, PRUNING_RULES, SEARCH, PackedState
from orbis_search._core.search.exhaustive import Walker
from orbis_search.core import fast_rules
from orbis_search.core.packing import Packing, pack_move, unpack_move
from orbis_search.game import rules
from orbis_search.game.position import Cell, Move, Pile, Placed, Position
from orbis_search.game.problems import default_piles
from orbis_search.game.tiles import Tile
from orbis_search.game.vocabulary import (
    CELLS,
    LEVELS,
    MAX_ON_CELL,
    NEIGHBOURS,
    NOBODY,
    REALM_LIMIT,
    TURNS,
    Colour,
    Effect,
    Face,
    God,
    Worshipers,
)
from orbis_search.measure import verify_rules as verify
from orbis_search.tileset.library import load_tile_set

SETS = ("reconstruction", "random:1", "random:2", "random:3")


def new_packing(seed: int, players: int, tiles: str = "reconstruction") -> Packing:
    return Packing(rules.new_game(load_tile_set(tiles), players, random.Random(seed)))


def play(packing: Packing, turns: int, seed: int, style: str = "random") -> Position:
    """Plays on in the packing's own state; returns the readable position."""
    for _ in fast_rules.play_turns(packing.state, turns, random.Random(seed), style):
        pass
    return packing.position(packing.state)


def packed_legal_moves(where: Position) -> set[tuple[int, int]]:
    return {pack_move(where, move) for move in rules.legal_moves(where)}


STYLES = ("random", "sensible")


def follow(where: Position, seed: int, styles: tuple[str, ...] = STYLES, most: int = 2_000) -> int:
    """Plays to the end on both implementations, comparing all the way; returns how many whole sets were."""
    packing = Packing(where)
    state = packing.state
    rng = random.Random(seed)
    compared = 0
    while state.to_move >= 0:
        assert packing.position(state) == where
        assert state.count_moves(ALL) == rules.count_moves(where)
        if state.count_moves(ALL) <= most:
            found = state.moves(ALL)
            assert set(found) == packed_legal_moves(where)
            compared += 1
        style = rng.choice(styles)
        if style == "any":
            packed = rng.choice(found if state.count_moves(ALL) <= most else state.moves(SEARCH))
        else:
            packed = state.choose(style, rng.getrandbits(64))
        state.apply(packed)
        where = rules.apply(where, unpack_move(packed))
        assert packing.position(state) == where
        drawn = state.draws()
        ids = sorted(each.id for each in rules.draws(where))
        assert sorted(packing.tiles[number].id for number in drawn) == ids
        if drawn:
            number = rng.choice(drawn)
            state.refill(number)
            where = rules.refill(where, packing.tiles[number])
    assert packing.position(state) == where
    assert fast_rules.score(where) == rules.score(where)
    return compared


# ------------------------------------------------------------------------------ core = reference

# 2, 3 and 4 players; played at random, sensibly and mixed; ours and a random tile set: 18 combinations.
GAMES = range(18)


@pytest.mark.parametrize("seed", GAMES)
def test_whole_sets_of_legal_moves(seed):
    tally = verify.verify_game(seed, whole_sets=True, most=10_000)
    assert tally.decisions == TURNS * (2 + seed % 3)
    assert tally.moves > 10 * tally.decisions


@pytest.mark.parametrize("seed", range(9))
def test_single_moves_successors_and_final_scores(seed):
    """Nine games: every number of players in every style."""
    tally = verify.verify_game(seed, whole_sets=False, per_decision=16)
    assert tally.singles == 16 * TURNS * (2 + seed % 3)
    assert tally.refused > tally.singles / 2


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_of_any_moves(players):
    """Moves drawn evenly from all legal ones waste, exchange and cancel as no player would."""
    start = rules.new_game(load_tile_set(f"random:{players}"), players, random.Random(players))
    assert follow(start, players, ("any",)) > TURNS * players / 2


def test_the_comparison_sees_one_wrong_move(monkeypatch):
    """As many moves as there should be, but in one way to take a tile another realm is left over."""
    families = rules.families

    def mistaken(where):
        first, *others = families(where)
        wrong = Worshipers(red=4, white=6)
        return [replace(first, realms=frozenset([*list(first.realms)[1:], wrong])), *others]

    monkeypatch.setattr(rules, "families", mistaken)
    with pytest.raises(verify.Mismatch, match="differ"):
        verify.verify_game(0, whole_sets=True)


def test_the_comparison_sees_a_wrong_successor(monkeypatch):
    apply = rules.apply

    def forgetful(where, move):
        after = apply(where, move)
        mover = after.players[where.to_move]
        return after.with_player(where.to_move, mover._replace(realm=NOBODY))

    monkeypatch.setattr(rules, "apply", forgetful)
    with pytest.raises(verify.Mismatch):
        verify.verify_game(0, whole_sets=False, per_decision=2)


# ------------------------------------------------------------------------------ long lists of moves


def crowded_volcano() -> Position:
    """A volcano with some of every colour on each other tile, and a realm to exchange."""
    volcano = tile("r", "volcano 3 rgbyw", "", 4)
    centre = {name: (tile("y"), "rgbyw") for name in CELLS}
    return position(player("r g", realm="r6 w2"), None, centre={**centre, "b2": volcano}, gods=[God.LOVE])


def volcano_at_the_limit() -> Position:
    """Few removals, but a full realm and a collected crowd: a thousand realms can be left over."""
    volcano = tile("r", "volcano 2 rg", "a", 4)
    centre = {"b2": (volcano, "r4 g3 b")}
    for name, there in (("a3", "r3 g2"), ("c3", "g2"), ("a1", "r g"), ("c1", "r2 g")):
        centre[name] = tile("b"), there
    return position(player("r r", realm="r3 g3 b2 y w"), None, centre=centre, gods=[God.DEATH])


@pytest.mark.parametrize("where", [crowded_volcano(), volcano_at_the_limit()], ids=["removals", "limit"])
def test_no_list_is_cut_short(where):
    expected = rules.count_moves(where)
    assert expected > 250_000
    state = Packing(where).state
    found = state.moves(ALL)
    assert len(found) == state.count_moves(ALL) == expected
    distinct = set(found)
    assert len(distinct) == expected
    search = state.moves(SEARCH)
    assert len(search) == state.count_moves(SEARCH) == len(set(search))
    assert distinct.issuperset(search)


def test_a_long_list_is_the_references():
    where = volcano_at_the_limit()
    assert set(Packing(where).state.moves(ALL)) == packed_legal_moves(where)


OUT_OF_MEMORY = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))
from test_core import colossal_volcano
from orbis_search.game import rules
from orbis_search._core.orbis.core import ALL
from orbis_search.core.packing import Packing
where = colossal_volcano()
state = Packing(where).state
try:
    state.moves(ALL)
except MemoryError:
    print("MemoryError")
print(state.count_moves(ALL), rules.count_moves(where))
"""


def colossal_volcano() -> Position:
    """Two thousand million legal moves: more than any list could hold."""
    volcano = tile("r", "volcano 10 rgbyw", "", 4)
    centre = {name: (tile("y"), "rgbyw") for name in CELLS}
    return position(player("r"), None, centre={**centre, "b2": volcano}, gods=[God.LOVE])


@pytest.mark.skipif("san" in os.environ.get("LD_PRELOAD", ""), reason="a sanitizer needs all address space")
def test_more_moves_than_memory_are_counted_and_never_cut():
    pytest.importorskip("resource")
    path = os.pathsep.join([os.path.dirname(__file__), *filter(None, sys.path)])
    run = subprocess.run(
        [sys.executable, "-c", OUT_OF_MEMORY],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    first, counts = run.stdout.splitlines()
    assert first == "MemoryError"
    by_core, by_reference = map(int, counts.split())
    assert by_core == by_reference > 2_000_000_000


def test_counting_is_listing_for_every_mix_of_pruning_rules():
    masks = range(sum(PRUNING_RULES.values()) + 1)
    rng = random.Random(4)
    pruned = 0
    for game, tiles in enumerate(SETS):
        packing = new_packing(game, 2 + game % 3, tiles)
        state = packing.state
        while state.to_move >= 0:
            if state.count_moves(ALL) < 3_000:
                every = state.moves(ALL)
                for mask in masks:
                    found = state.moves(mask)
                    assert len(found) == state.count_moves(mask) == len(set(found)) > 0
                    assert set(found) <= set(every)
                    pruned += len(found) < len(every)
            for _ in fast_rules.play_turns(state, 1, rng, rng.choice(("random", "sensible"))):
                pass
    assert pruned > 500


# ------------------------------------------------------------------------------ crowds on a tile


@pytest.mark.parametrize(
    "heap, realm",
    [("w30", "w10"), ("r15 g15", ""), ("r12 g12", "b3 y"), ("r4 g4 b4 y4 w4", ""), ("y11", "r2 g2 b2 y2 w2")],
)
def test_a_crowd_on_a_tile_generates_what_the_reference_does(heap, realm):
    village = tile("r", "village 3", "raa", 3)
    where = position(player("r", realm=realm), None, centre={"b2": (village, heap)}, gods=[God.DEATH])
    assert set(Packing(where).state.moves(ALL)) == packed_legal_moves(where)


def realms_of_size(total: int) -> set[Worshipers]:
    return {
        Worshipers(r, g, b, y, total - r - g - b - y)
        for r in range(total + 1)
        for g in range(total - r + 1)
        for b in range(total - r - g + 1)
        for y in range(total - r - g - b + 1)
    }


@pytest.mark.parametrize("heap", ["r56", "r55", "r14 g14 b14 y14", "r19 g18 w18"])
def test_from_a_full_tile_every_realm_of_the_right_size_can_be_left(heap):
    """The reference would take minutes, so an argument instead.

    An exchange takes two away, and so many worshipers can be made into any mix that is left. So what
    can be left is each realm of 10, and each smaller one whose size is odd or even as the heap's is;
    only the empty realm cannot, as the last exchange leaves one worshiper.
    """
    where = position(player("r"), None, centre={"b2": (tile("g"), heap)})
    heap_size = some(heap).total
    assert heap_size <= MAX_ON_CELL
    found = {unpack_move(move) for move in Packing(where).state.moves(ALL)}
    for wild in (False, True):
        left = {move.realm for move in found if move.cell == CELLS.index("b2") and move.wild is wild}
        sizes = {REALM_LIMIT, *range(heap_size % 2 or 2, REALM_LIMIT, 2)}
        assert left == set().union(*map(realms_of_size, sizes))


def with_crowds(where: Position, crowd: Worshipers) -> Position:
    return where._replace(centre=tuple(Cell(cell.tile, crowd) for cell in where.centre))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("style", ["random", "sensible"])
def test_playing_on_from_full_tiles_never_overflows(players, style):
    """The reference counts in Python's integers; a byte that wrapped would show."""
    start = rules.new_game(load_tile_set("random:5"), players, random.Random(players))
    rng = random.Random(6)
    packing = Packing(with_crowds(start, some("r12 g11 b11 y11 w11")))
    state = packing.state
    while state.to_move >= 0:
        before = packing.position(state)
        move = state.choose(style, rng.getrandbits(64))
        state.apply(move)
        assert packing.position(state) == rules.apply(before, unpack_move(move))
        if state.hole is not None:
            state.refill(rng.choice(state.draws()))
    assert state.points() == tuple(score.total for score in rules.score(packing.position(state)))


def test_the_fullest_tile_that_play_can_make():
    """Nobody takes b2, everybody takes a red neighbour of it, and the last region turn of all takes b2."""
    start = rules.new_game(load_tile_set("reconstruction"), 4, random.Random(0))
    b2 = CELLS.index("b2")
    heap = Worshipers(red=MAX_ON_CELL)
    packing = Packing(
        start._replace(
            players=(player(realm="r10"),) * 4,
            centre=tuple(Cell(tile("w"), heap) if index == b2 else Cell(tile("r"), NOBODY) for index in range(9)),
            piles=tuple(
                Pile(pile.left, tuple(tile("r", level=level) for _ in range(pile.left)))
                for level, pile in zip(LEVELS, start.piles)
            ),
        )
    )
    state = packing.state
    rng = random.Random(7)
    while True:
        where = packing.position(state)
        mover = where.players[where.to_move]
        if where.region_turns_left == 1 and mover.regions < TURNS - 1:
            break
        if mover.regions == TURNS - 1:
            god = rng.choice(where.gods)
            move = Move(None, god, None, False, god is not God.DEATH, (), mover.realm)
        else:
            slot = rng.choice(rules.open_slots(mover))
            move = Move(rng.choice(NEIGHBOURS[b2]), None, slot, False, True, (), mover.realm)
        state.apply(pack_move(where, move))
        if state.hole is not None:
            state.refill(state.draws()[0])
    crowd = where.centre[b2].worshipers
    assert crowd == Worshipers(red=MAX_ON_CELL + 55)
    assert mover.realm == Worshipers(red=REALM_LIMIT)

    # On red tiles the white one can only be wilderness; as above, every realm of the right size can be left.
    left = [unpack_move(move) for move in state.moves(ALL)]
    left = [move.realm for move in left if move.cell == b2]
    sizes = {1, 3, 5, 7, 9, REALM_LIMIT}
    assert sorted(left) == sorted(set().union(*map(realms_of_size, sizes)))
    for style in ("random", "sensible"):
        shares, _, _ = state.playouts(100, 1, style)
        assert sum(shares) == 100 * 12


# ------------------------------------------------------------------------------ copies, equality, keys


def test_a_copy_is_equal_and_leads_its_own_life():
    packing = new_packing(1, 3)
    play(packing, 10, 1)
    state = packing.state
    twin = state.copy()
    assert twin == state and twin.key == state.key and hash(twin) == hash(state) and twin.bytes == state.bytes
    before = state.bytes
    twin.apply(twin.moves(SEARCH)[0])
    assert state.bytes == before
    assert twin != state and twin.key != state.key


def test_states_of_other_tables_and_other_things_are_not_equal():
    one, other = new_packing(1, 2), new_packing(1, 2)
    assert one.state.bytes == other.state.bytes
    assert one.state != other.state
    assert one.state != "a state"


def test_two_orders_of_the_same_turns_make_the_same_state():
    """a3 and c1 are far apart, so taking one, then the other, and gods in between, comes to the same."""
    packing = new_packing(2, 2)
    gods = packing.origin.gods
    first, second = packing.state.fields()[5][:2]
    taken = {
        name: (Move(CELLS.index(name), None, rules.Slot(1, 0), True, False, (), NOBODY), refill)
        for name, refill in (("a3", first), ("c1", second))
    }

    def after(order):
        state = packing.state.copy()
        for step in order:
            if isinstance(step, God):
                state.apply(pack_move(packing.origin, Move(None, step, None, False, step is not God.DEATH, (), NOBODY)))
            else:
                state.apply(pack_move(packing.origin, taken[step][0]))
                state.refill(taken[step][1])
        return state

    one = after(["a3", "c1", gods[0], gods[1]])
    other = after([gods[0], "c1", "a3", gods[1]])
    assert one == other and one.key == other.key and one.bytes == other.bytes
    assert after(["a3", "c1", gods[1], gods[0]]).key != one.key


def test_a_hundred_thousand_states_have_different_keys():
    keys: dict[int, bytes] = {}
    rng = random.Random(8)
    starts = [new_packing(seed, 2 + seed % 3, SETS[seed % 4]).state for seed in range(12)]
    while len(keys) < 100_000:
        state = rng.choice(starts).copy()
        while state.to_move >= 0:
            state.apply(state.choose("random", rng.getrandbits(64)))
            if state.hole is not None:
                state.refill(rng.choice(state.draws()))
            assert keys.setdefault(state.key, state.bytes) == state.bytes


def test_the_least_difference_changes_the_key():
    packing = new_packing(3, 4)
    play(packing, 30, 3, "sensible")
    table = packing.state.table
    centre, worshipers, players, gods, left, unseen = packing.state.fields()
    states = [packing.state]
    for cell in range(9):
        for colour in range(5):
            crowd = [list(there) for there in worshipers]
            crowd[cell][colour] += 1
            states.append(PackedState(table, centre, crowd, players, gods, left, unseen))
    for one in range(9):
        for other in range(one):
            swapped = list(centre)
            swapped[one], swapped[other] = centre[other], centre[one]
            states.append(PackedState(table, swapped, worshipers, players, gods, left, unseen))
    for seat, (slots, wild, cancelled, realm, god, validated) in enumerate(players):
        for colour in range(5):
            changed = list(realm)
            changed[colour] += -1 if changed[colour] else 1
            if sum(changed) > REALM_LIMIT:
                continue
            seats = list(players)
            seats[seat] = (slots, wild, cancelled, changed, god, validated)
            states.append(PackedState(table, centre, worshipers, seats, gods, left, unseen))
    for god in range(10):
        states.append(PackedState(table, centre, worshipers, players, gods ^ 1 << god, left, unseen))
    assert len(states) > 100
    assert len({state.bytes for state in states}) == len({state.key for state in states}) == len(states)


@pytest.mark.parametrize(
    "broken, fault",
    [
        ("eleven in a realm", "a realm has more worshipers than the limit"),
        ("a gap in row 1", "row 1 of a universe has a gap"),
        ("piles", "the piles do not have one tile for each refill to come"),
        ("a lost tile", "the piles do not have one tile for each refill to come"),
        ("a heap", "a cell has more worshipers than it can have"),
    ],
)
def test_what_cannot_be_is_refused(broken, fault):
    packing = new_packing(4, 2)
    play(packing, 12, 4)
    centre, worshipers, players, gods, left, unseen = packing.state.fields()
    slots, wild, cancelled, realm, god, validated = players[0]
    if broken == "eleven in a realm":
        realm = (11, 0, 0, 0, 0)
    elif broken == "a gap in row 1":
        slots = (255, *slots[1:])
    elif broken == "piles":
        left = (left[0], left[1], left[2] - 1)
    elif broken == "a lost tile":
        centre = (255, *centre[1:])
    else:
        worshipers = ((113, 0, 0, 0, 0), *worshipers[1:])
    players = ((slots, wild, cancelled, realm, god, validated), *players[1:])
    with pytest.raises(ValueError, match=f"^not a state of Orbis: {fault}$"):
        PackedState(packing.state.table, centre, worshipers, players, gods, left, unseen)


def test_a_state_is_small():
    assert [new_packing(0, players).state.size for players in (2, 3, 4)] == sorted(
        {new_packing(0, players).state.size for players in (2, 3, 4)}
    )
    assert new_packing(0, 2).state.size == len(new_packing(0, 2).state.bytes) <= 256


# ------------------------------------------------------------------------------ packing


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("tiles", ["reconstruction", "random:11"])
def test_packing_and_unpacking_is_the_same_position(players, tiles):
    packing = new_packing(players, players, tiles)
    state = packing.state
    rng = random.Random(9)
    while state.to_move >= 0:
        where = packing.position(state)
        assert Packing(where).position(Packing(where).state) == where
        state.apply(state.choose(rng.choice(("random", "sensible")), rng.getrandbits(64)))
        where = packing.position(state)  # often with a hole
        assert Packing(where).position(Packing(where).state) == where
        if state.hole is not None:
            state.refill(rng.choice(state.draws()))
    final = packing.position(state)
    assert final.is_over and Packing(final).position(Packing(final).state) == final


def test_names_and_options_survive_packing():
    where = play(new_packing(5, 2), 7, 5)
    where = where._replace(
        players=tuple(each._replace(name=name) for each, name in zip(where.players, ("Anna", "Bo"))),
        options=where.options._replace(most_at_zero=False),
    )
    packing = Packing(where)
    assert packing.position(packing.state) == where


def test_moves_survive_packing():
    kinds = set()
    for game, tiles in enumerate(SETS):
        packing = new_packing(game, 2, tiles)
        rng = random.Random(10)
        while packing.state.to_move >= 0:
            where = packing.position(packing.state)
            found = packing.state.moves(SEARCH)
            for packed in rng.sample(found, min(100, len(found))):
                move = unpack_move(packed)
                assert pack_move(where, move) == packed
                kinds.add((move.god is None, move.wild, move.validated, bool(move.removed)))
            for _ in fast_rules.play_turns(packing.state, 1, rng, "sensible"):
                pass
    region, wild, validated, erupts = True, True, True, True
    assert kinds >= {
        (region, wild, not validated, not erupts),
        (region, not wild, validated, erupts),
        (region, not wild, not validated, not erupts),
        (not region, not wild, validated, not erupts),
    }


# ------------------------------------------------------------------------------ scores and playouts


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_breakdown_adds_up_and_is_the_references(players):
    rng = random.Random(11)
    sources = set()
    for game, tiles in enumerate(SETS):
        packing = new_packing(game, players, tiles)
        state = packing.state
        while True:
            where = packing.position(state)
            scores = rules.score(where)
            assert fast_rules.score(where) == scores
            parts = state.breakdown()
            assert state.points() == tuple(sum(by_source[:-1]) for by_source in parts)
            assert tuple(by_source[-1] for by_source in parts) == tuple(player.realm.total for player in where.players)
            shares = state.shares()
            assert sum(shares) == 12
            assert tuple(seat for seat, share in enumerate(shares) if share) == rules.winners(where)
            assert len({share for share in shares if share}) == 1
            sources |= {name for score in scores for name in score.__slots__ if getattr(score, name)}
            if state.to_move < 0:
                break
            for _ in fast_rules.play_turns(state, 1, rng, rng.choice(("random", "sensible"))):
                pass
    assert sources == set(rules.Score.__slots__)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("style", ["random", "sensible"])
def test_playouts_are_their_seeds(players, style):
    packing = new_packing(7, players)
    play(packing, 9, 7)
    state = packing.state
    before = state.bytes
    shares, points, checksum = state.playouts(300, 1, style)
    assert (shares, points, checksum) == state.playouts(300, 1, style) == state.copy().playouts(300, 1, style)
    assert checksum != state.playouts(300, 2, style)[2]
    assert sum(shares) == 300 * 12
    assert state.bytes == before


@pytest.mark.parametrize("tiles", ["reconstruction", "random:1", "random:2", "random:3"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_tiles_looked_at_in_one_go_are_judged_as_one_by_one(players, tiles):
    for turns in (0, 7 * players, 13 * players):
        packing = new_packing(17 + turns, players, tiles)
        play(packing, turns, 18)
        assert packing.state.playouts(2_000, 5, "sampled") == packing.state.playouts(2_000, 5, "sampled plainly")


def test_playouts_do_not_depend_on_the_order_in_which_a_pile_is_told():
    packing = new_packing(8, 2, "random:8")
    play(packing, 8, 8)
    *others, unseen = packing.state.fields()
    random.Random(12).shuffle(unseen)
    told_otherwise = PackedState(packing.state.table, *others, unseen)
    assert told_otherwise == packing.state
    assert told_otherwise.playouts(200, 3) == packing.state.playouts(200, 3)


def test_a_playout_is_a_game_of_the_chosen_style():
    """The mean over many games played move by move is the mean of as many playouts."""
    packing = new_packing(9, 2)
    games = 3_000
    _, by_playouts, _ = packing.state.playouts(games, 4)
    rng = random.Random(13)
    by_moves = [0, 0]
    for _ in range(games):
        state = packing.state.copy()
        for _ in fast_rules.play_turns(state, 2 * TURNS, rng, "random"):
            pass
        by_moves = [total + points for total, points in zip(by_moves, state.points())]
    for one, other in zip(by_playouts, by_moves):
        # A game's points vary by about 4.5, so that the difference of two means is within 0.12 (one sigma).
        assert abs(one - other) / games < 0.5


# ------------------------------------------------------------------------------ perft


def perft_positions() -> list[tuple[str, Position, int]]:
    found = []
    for players, tiles in ((2, "reconstruction"), (3, "random:12"), (4, "random:13")):
        packing = new_packing(players, players, tiles)
        found.append((f"opening-{players}", packing.origin, 2))
        late = play(packing, TURNS * players - 2, players)
        found.append((f"ending-{players}", poorer(late), 2))
        found.append((f"over-{players}", play(packing, 2, players), 2))
    return found


def poorer(where: Position) -> Position:
    """The same with a bare centre and a worshiper or two in each realm: few moves."""
    where = with_crowds(where, NOBODY)
    realms = [Worshipers(*(min(1, number) for number in each.realm[:2])) for each in where.players]
    seats = [each._replace(realm=realm) for each, realm in zip(where.players, realms)]
    return where._replace(players=tuple(seats))


@pytest.mark.parametrize("where, depth", [pytest.param(*rest, id=name) for name, *rest in perft_positions()])
def test_perft_is_the_references(where, depth):
    for at in range(depth + 1):
        for draws in (False, True):
            expected = rules.perft(where, at, draws)
            assert fast_rules.perft(where, at, draws) == expected
            if at:
                assert sum(fast_rules.perft_divide(where, at, draws).values()) == expected


def test_perft_refuses_what_it_cannot_do():
    state = new_packing(0, 2).state
    with pytest.raises(ValueError, match="depth"):
        Walker(state.game_state()).perft(64, True)
    with pytest.raises(ValueError, match="depth"):
        Walker(state.game_state()).divide(0, True)
    with pytest.raises(ValueError, match="fixed course"):
        Walker(state.game_state()).perft(1, False)
    with pytest.raises(ValueError, match="order"):
        state.game_state([0] * 28)


def test_perft_with_a_fixed_order_draws_in_that_order():
    where = new_packing(14, 2).origin
    order = Packing(where).listed_order()
    state = Packing(where).state
    total = 0
    for move in state.moves(ALL):
        after = state.copy()
        after.apply(move)
        if after.hole is not None:
            after.refill(order[0])
        total += after.count_moves(ALL)
    assert fast_rules.perft(where, 2) == total


# ------------------------------------------------------------------------------ fronts nobody remembers


def with_unknown_fronts(where: Position) -> Position:
    """The same to somebody who forgot the front of every wilderness: more tiles may be in the piles."""

    def forget(placed: Placed | None) -> Placed | None:
        return Placed(None, Face.WILD) if placed is not None and placed.face is Face.WILD else placed

    seats = tuple(each._replace(rows=tuple(tuple(map(forget, row)) for row in each.rows)) for each in where.players)
    return where._replace(players=seats, piles=default_piles(where.tiles, seats, where.centre))


def forgotten(players: int) -> Position:
    """A middle game in which some of a pile's possible tiles lie in a universe, front down."""
    for seed in range(100):
        where = play(new_packing(seed, players, f"random:{seed}"), 7 * players, seed)
        where = with_unknown_fronts(where)
        if any(pile.left and len(pile.tiles) > pile.left for pile in where.piles):
            return where
    raise AssertionError("no game left a wilderness of a level that is still drawn")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_unknown_fronts_are_played_as_by_the_reference(players):
    where = forgotten(players)
    unknown = [placed for each in where.players for _, placed in each.placed() if placed.tile is None]
    assert unknown and all(placed.face is Face.WILD for placed in unknown)
    assert follow(where, players) > players


def test_of_a_pile_that_may_hold_more_every_choice_is_equally_likely():
    where = forgotten(2)
    packing = Packing(where)
    counts: dict[int, int] = {}
    guesses = 4_000
    for seed in range(guesses):
        order = packing.state.shuffled(seed)
        assert len(order) == len(set(order)) == where.region_turns_left
        for number in order:
            counts[number] = counts.get(number, 0) + 1
    for pile in where.piles:
        for each in pile.tiles if pile.left else ():
            share = counts[packing.tiles.index(each)] / guesses
            # Six times the spread of 4,000 guesses.
            assert abs(share - pile.left / len(pile.tiles)) < 0.05


# ------------------------------------------------------------------------------ tiles described in place


def two_alike(where: Position) -> Position:
    """Two centre tiles, and two of a universe, replaced by equal ones that no set lists."""
    corner = where.centre[0].tile
    alike = Tile("alike", corner.level, Colour.GREEN, some("g"), 1, Effect.VILLAGE, 1, (), 5, described=True)
    centre = list(where.centre)
    centre[0], centre[8] = centre[0]._replace(tile=alike), centre[8]._replace(tile=alike)
    return where._replace(centre=tuple(centre))


@pytest.mark.parametrize("players", [2, 3])
def test_two_described_tiles_that_are_alike_stay_two(players):
    where = two_alike(play(new_packing(15, players), 3 * players, 15))
    packing = Packing(where)
    numbers = [number for number, each in enumerate(packing.tiles) if each.id == "alike"]
    assert len(numbers) == 2
    state = packing.state.copy()
    first = next(move for move in state.moves(SEARCH) if unpack_move(move).cell == 0)
    state.apply(first)
    taken = packing.position(state)
    assert taken.centre[8].tile.id == "alike"
    assert [placed.tile.id for each in taken.players for _, placed in each.placed()].count("alike") == 1
    assert follow(where, players) > players
