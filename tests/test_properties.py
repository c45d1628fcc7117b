"""Properties that hold in every state of every game: invariants, hidden order, length of a game.

Games of 2 to 4 players on our tile set and on random ones, played at random, sensibly and by moves drawn
evenly from all legal ones, which do what no sensible player would.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orbis_search._core.orbis.core import ALL, SEARCH, PackedState
from orbis_search.core import fast_rules
from orbis_search.core.packing import Packing, unpack_move
from orbis_search.game import rules
from orbis_search.game.legality import expect_legal
from orbis_search.game.position import Pile, Position
from orbis_search.game.problems import problems
from orbis_search.game.tiles import Tile
from orbis_search.game.vocabulary import (
    CELLS,
    REALM_LIMIT,
    REGION_TURNS,
    ROW_LENGTHS,
    SET_UP,
    TURNS,
    Colour,
    Effect,
    Face,
    God,
)
from orbis_search.tileset.library import load_tile_set

STYLES = ("random", "sensible", "any")
MOST = 2_000  # legal moves that are listed to draw one of them


def choose(state: PackedState, style: str, rng: random.Random) -> tuple[int, int]:
    if style == "any" and state.count_moves(ALL) <= MOST:
        return rng.choice(state.moves(ALL))
    return state.choose("random" if style == "any" else style, rng.getrandbits(64))


def game(seed: int, players: int, tiles: str, style: str) -> Iterator[tuple[Packing, PackedState]]:
    """Every state of a game, those that wait for a refill included."""
    rng = random.Random(seed)
    packing = Packing(rules.new_game(load_tile_set(tiles), players, rng))
    state = packing.state
    yield packing, state
    while state.to_move >= 0:
        state.apply(choose(state, style, rng))
        yield packing, state
        if state.hole is not None:
            state.refill(rng.choice(state.draws()))
            yield packing, state


def middle(seed: int, players: int, tiles: str, turns: int, style: str = "random") -> Packing:
    packing = Packing(rules.new_game(load_tile_set(tiles), players, random.Random(seed)))
    for _ in fast_rules.play_turns(packing.state, turns, random.Random(seed), style):
        pass
    return packing


tile_sets = st.one_of(st.just("reconstruction"), st.integers(0, 10**6).map(lambda seed: f"random:{seed}"))
games = st.tuples(st.integers(0, 10**6), st.sampled_from((2, 3, 4)), tile_sets, st.sampled_from(STYLES))


def examples(number: int):
    return settings(max_examples=number, deadline=None, derandomize=True, database=None)


# ------------------------------------------------------------------------------ invariants


def check_invariants(where: Position) -> None:
    """Sections 2 to 4, looked at one by one."""
    waiting = where.hole is not None
    # The piles hold a tile for each region turn left, and one for a cell that waits.
    assert sum(pile.left for pile in where.piles) == where.region_turns_left + waiting
    assert all(len(pile.tiles) == pile.left for pile in where.piles)
    # Lower levels are drawn first.
    opened = [pile.left < size for pile, size in zip(where.piles, SET_UP[len(where.players)].regions)]
    for level in (1, 2):
        assert not opened[level] or where.piles[level - 1].left == 0
    # Every tile of the game is in one place.
    seen = [cell.tile for cell in where.centre if cell.tile is not None]
    seen += [placed.tile for player in where.players for _, placed in player.placed()]
    seen += [tile for pile in where.piles for tile in pile.tiles]
    assert Counter(seen) == Counter(where.tiles.in_use(len(where.players)))
    # Every god of the game is in one place.
    taken = [player.god for player in where.players if player.god is not None]
    assert len({*taken, *where.gods}) == len(taken) + len(where.gods) == SET_UP[len(where.players)].gods
    # Turns go round.
    rounds, ahead = divmod(where.turns_played, len(where.players))
    assert [player.turns_played for player in where.players] == [
        rounds + (seat < ahead) for seat in range(len(where.players))
    ]
    for player in where.players:
        assert player.realm.total <= REALM_LIMIT and min(player.realm) >= 0
        assert player.regions <= REGION_TURNS
        assert player.god_validated or player.god is God.DEATH
        check_universe(player)
    if waiting:
        assert where.centre[where.hole].worshipers.total == 0
    assert all(min(cell.worshipers) >= 0 for cell in where.centre)


def check_universe(player) -> None:
    assert None not in player.rows[0]
    for slot, (tile, face) in player.placed():
        assert slot.column < ROW_LENGTHS[slot.row - 1]
        under = rules.tiles_under(player, slot) if slot.row > 1 else ()
        assert None not in under
        if face is Face.WILD:
            continue
        assert slot.row == 1 or any(below.has_colour(tile.colour) for below in under)
        if face is Face.CANCELLED:
            assert tile.effect in (Effect.VILLAGE, Effect.VOLCANO, Effect.IRRIGATION)
        if tile.effect is Effect.IRRIGATION:
            watered = any(below.has_colour(tile.colours[0]) for below in under)
            assert watered is (face is Face.UP)


@examples(36)
@given(games)
def test_every_state_of_a_game_keeps_the_invariants(of):
    """Also those the packed state stands on: built again from its fields it is the same, byte for byte."""
    for packing, state in game(*of):
        again = PackedState(state.table, *state.fields())
        assert again.bytes == state.bytes and again == state and again.key == state.key
        where = packing.position(state)
        check_invariants(where)
        if state.hole is None:
            assert problems(where) == []


def test_the_invariants_can_fail():
    where = middle(1, 2, "reconstruction", 9).origin
    with pytest.raises(AssertionError):
        check_invariants(where._replace(gods=where.gods[1:]))
    with pytest.raises(AssertionError):
        check_invariants(where._replace(piles=(Pile(0, ()), *where.piles[1:])))


@examples(30)
@given(games)
def test_no_game_ends_before_every_player_has_had_fifteen_turns(of):
    seed, players, tiles, style = of
    turns, last = 0, None
    for packing, state in game(seed, players, tiles, style):
        if last is not None and state.hole is None:
            turns += 1
        last = state.hole is None
    assert turns == TURNS * players
    final = packing.position(state)
    assert final.is_over and final.to_move is None and final.region_turns_left == 0
    assert all((player.regions, player.god is None) == (REGION_TURNS, False) for player in final.players)
    assert [pile.left for pile in final.piles] == [0, 0, 0]


@examples(30)
@given(games)
def test_there_is_always_a_move_until_the_end(of):
    for _, state in game(*of):
        if state.to_move < 0:
            assert state.moves(ALL) == [] and state.count_moves(ALL) == 0
            with pytest.raises(ValueError, match="game is over"):
                state.choose("random", 1)
        elif state.hole is not None:
            with pytest.raises(ValueError, match="refill is due"):
                state.count_moves(ALL)
        else:
            assert state.count_moves(ALL) >= state.count_moves(SEARCH) > 0


# ------------------------------------------------------------------------------ what is hidden


@examples(40)
@given(games, st.integers(0, 55), st.integers(0, 2**64 - 1))
def test_determinizing_never_changes_what_is_visible(of, turns, seed):
    packing = middle(*of[:3], min(turns, TURNS * of[1]))
    state = packing.state
    before, key = state.bytes, state.key
    order = state.shuffled(seed)
    state.playouts(3, seed % 1000)
    state.playouts(3, seed % 1000, "sensible")
    state.game_state(order)
    if state.to_move >= 0:
        state.count_moves(SEARCH)
        state.choose("random", seed)
        state.choose("sensible", seed)
    assert state.bytes == before and state.key == key

    # One order of just the tiles in the piles, level by level.
    where = packing.position(state)
    drawn = [packing.tiles[number] for number in order]
    for pile in where.piles:
        level, drawn = drawn[: pile.left], drawn[pile.left :]
        assert sorted(level, key=tile_id) == sorted(pile.tiles, key=tile_id)
    assert drawn == []


def tile_id(tile: Tile) -> str:
    return tile.id


def test_every_order_of_a_small_pile_is_equally_likely():
    endings = (middle(seed, 2, "reconstruction", 2 * TURNS - 4).state for seed in range(50))
    state = next(state for state in endings if len(state.shuffled(0)) == 4)
    guesses = 12_000
    orders = Counter(tuple(state.shuffled(seed)) for seed in range(guesses))
    assert len(orders) == 24
    # Each is expected 500 times, give or take 22.
    assert all(abs(number - guesses / 24) < 6 * 22 for number in orders.values())


def with_piles_permuted(where: Position, seed: int) -> Position:
    rng = random.Random(seed)
    piles = tuple(Pile(left, tuple(rng.sample(tiles, len(tiles)))) for left, tiles in where.piles)
    return where._replace(piles=piles)


@examples(30)
@given(games, st.integers(0, 40), st.integers(0, 10**6))
def test_permuting_the_unseen_piles_changes_nothing(of, turns, seed):
    packing = middle(*of[:3], min(turns, (TURNS - 2) * of[1]))
    where = packing.position(packing.state)
    other = with_piles_permuted(where, seed)
    one, two = Packing(where), Packing(other)
    assert one.state.bytes == two.state.bytes
    for prune in (ALL, SEARCH):
        if one.state.count_moves(prune) <= 20_000:
            assert one.state.moves(prune) == two.state.moves(prune)
    assert one.state.playouts(50, seed) == two.state.playouts(50, seed)
    assert one.state.playouts(20, seed, "sensible") == two.state.playouts(20, seed, "sensible")
    for style in ("random", "sensible"):
        assert one.state.choose(style, seed) == two.state.choose(style, seed)
    assert rules.count_moves(where) == rules.count_moves(other)


def test_permuting_piles_of_described_tiles_changes_nothing():
    """Tiles that the set does not list may lie in a pile, too."""
    where = middle(4, 2, "reconstruction", 6).origin
    third = where.piles[2]
    strange = [
        Tile(f"strange-{cp}", 3, Colour.RED, effect=Effect.VILLAGE, number=1, cp=cp, described=True) for cp in range(5)
    ]
    where = where._replace(piles=(*where.piles[:2], Pile(third.left, (*third.tiles[5:], *strange))))
    expected = Packing(where).state.playouts(50, 5)
    for seed in range(5):
        assert Packing(with_piles_permuted(where, seed)).state.playouts(50, 5) == expected


# ------------------------------------------------------------------------------ policies


@examples(25)
@given(games, st.integers(0, 2**64 - 1))
def test_every_chosen_move_is_legal_and_its_seeds(of, seed):
    rng = random.Random(seed)
    for packing, state in game(*of):
        if state.to_move < 0 or state.hole is not None or rng.random() < 0.8:
            continue
        for style in ("random", "sensible"):
            number = rng.getrandbits(64)
            move = state.choose(style, number)
            assert state.choose(style, number) == move
            expect_legal(packing.position(state), unpack_move(move))


def test_what_a_state_refuses():
    state = middle(5, 2, "reconstruction", 4).state
    with pytest.raises(ValueError, match="style"):
        state.choose("wild", 1)
    with pytest.raises(ValueError, match="cannot be drawn"):
        state.refill(0)
    state.apply(next(move for move in state.moves(SEARCH) if unpack_move(move).cell is not None))
    with pytest.raises(ValueError, match="refill is due"):
        state.apply((0, 0))
    with pytest.raises(ValueError, match="refill is due"):
        state.playouts(1, 1)
    visible = set(state.fields()[0])
    with pytest.raises(ValueError, match="cannot be drawn"):
        state.refill(min(visible))


@pytest.mark.parametrize("cell", range(9), ids=CELLS)
def test_a_draw_fills_the_cell_that_was_emptied(cell):
    state = middle(6, 3, "random:6", 8).state
    state.apply(next(move for move in state.moves(SEARCH) if unpack_move(move).cell == cell))
    assert state.hole == cell
    number = state.draws()[-1]
    state.refill(number)
    centre, _, _, _, left, unseen = state.fields()
    assert state.hole is None and centre[cell] == number and number not in unseen
    assert sum(left) == len(unseen)
