"""A turn in small decisions: the steps lead to exactly the moves, each in one way, and mean the same everywhere."""

from __future__ import annotations

import pickle
from collections import Counter
from random import Random

import pytest

from orbis_search._core.orbis.core import ALL, SEARCH, PackedState
from orbis_search._core.orbis.steps import ACTION_COUNT, StepState, action_text
from orbis_search.core.fast_rules import play_turns
from orbis_search.core.packing import Packing, unpack_move
from orbis_search.game import rules
from orbis_search.game.vocabulary import CELLS, TURNS, God
from orbis_search.tileset.library import load_tile_set

FIRST_REALM = 98
CHANCE, NOBODY = -2, -1
MANY = 1500  # moves of a turn beyond which it is left out here


def states(tiles: str, players: int, seed: int) -> list[PackedState]:
    state = Packing(rules.new_game(load_tile_set(tiles), players, Random(seed))).state
    return [state.copy() for _ in play_turns(state, TURNS * players, Random(seed), "sensible")]


def moves_by_steps(state: PackedState, prune: int) -> tuple[list[tuple[int, int]], Counter[int]]:
    """Every move that steps end in, as often as they do, and how many steps it took to decide them."""
    found, taken = [], Counter()
    todo = [(StepState(state, prune), 1)]
    while todo:
        at, depth = todo.pop()
        legal = at.legal()
        assert legal == sorted(set(legal)) and legal[0] >= 0 and legal[-1] < ACTION_COUNT
        assert len(legal) > 1 or depth == 1  # else there was nothing to ask
        for action in legal:
            move = at.move(action)
            then = at.copy()
            then.apply(action)
            assert then.is_between_turns == (move is not None)
            if move is None:
                todo.append((then, depth + 1))
                continue
            played = state.copy()
            played.apply(move)
            assert then.packed() == played
            found.append(move)
            taken[depth] += 1
    return found, taken


@pytest.mark.parametrize("prune", [ALL, SEARCH], ids=["all", "search"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_steps_lead_to_every_move_in_one_way(players: int, prune: int) -> None:
    looked, depths, removals = 0, Counter(), 0
    for tiles, seed in (("random:3", 1), ("reconstruction", 2)):
        for state in states(tiles, players, seed):
            if state.count_moves(prune) > MANY:
                continue
            found, taken = moves_by_steps(state, prune)
            assert sorted(found) == sorted(state.moves(prune))
            looked += 1
            depths += taken
            removals += sum(detail != 0 for _, detail in found)
    assert looked > 10 * players and removals > 20
    assert max(depths) >= 4, depths


def test_a_game_in_steps_is_a_game_of_the_plain_rules() -> None:
    for players, seed in ((2, 1), (3, 2), (4, 3)):
        packing = Packing(rules.new_game(load_tile_set("random:7"), players, Random(seed)))
        position, at, rng = packing.origin, StepState(packing.state), Random(seed)
        while (decider := at.decider) != NOBODY:
            action = rng.choice(at.legal())
            if decider == CHANCE:
                assert set(at.legal()) == {packing.tiles.index(tile) for tile in rules.draws(position)}
                position = rules.refill(position, packing.tiles[action])
            else:
                assert decider == position.to_move
                move = at.move(action)
                if move is not None:
                    position = rules.apply(position, unpack_move(move))
            at.apply(action)
            if at.is_between_turns:
                found = packing.position(at.packed())
                assert found._replace(piles=()) == position._replace(piles=())
        assert position.is_over
        winners = rules.winners(position)
        assert [i for i, share in enumerate(at.shares()) if share] == list(winners)
        assert sum(at.shares()) == 12


def test_every_realm_has_a_rank_of_its_own() -> None:
    texts = [action_text(action) for action in range(FIRST_REALM, ACTION_COUNT)]
    assert len(set(texts)) == len(texts) == 3003
    assert texts[0] == "keep -" and texts[1] == "keep w" and texts[-1] == "keep rrrrrrrrrr"
    counts = [tuple(text.removeprefix("keep ").count(letter) for letter in "rgbyw") for text in texts]
    assert counts == sorted(counts)


def test_steps_are_named_as_moves_are() -> None:
    assert [action_text(3 * i) for i in range(9)] == [f"{cell} wild" for cell in CELLS]
    assert [action_text(27 + god) for god in God] == [god.word for god in God]
    named = [action_text(action) for action in (1, 2, 37, 38, 39, 43, 52, 53, 97)]
    assert named == ["a3", "a3 cancelled", "death cancelled", "1", "1R", "2.1", "1L", "remove a3:r", "remove c1:w"]
    with pytest.raises(ValueError, match="0 to 3100, found 3101"):
        action_text(ACTION_COUNT)


def test_a_pickle_brings_back_the_turn_begun() -> None:
    at, rng, begun = StepState(states("reconstruction", 2, 1)[9]), Random(1), 0
    for _ in range(30):
        twin = pickle.loads(pickle.dumps(at))
        assert (twin.bytes, twin.legal(), twin.taken()) == (at.bytes, at.legal(), at.taken())
        assert at.copy() == at and hash(at.copy()) == hash(at)
        begun += not at.is_between_turns
        at.apply(rng.choice(at.legal()))
    assert begun > 5
    restore, (table, prune, data) = at.__reduce__()
    for wrong in (data[:-1], bytes(len(data)), b"\xff" * len(data)):
        with pytest.raises(ValueError, match="expected"):
            restore(table, prune, wrong)


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    at = StepState(states("reconstruction", 2, 1)[5])
    before = at.bytes
    for action in (-1, ACTION_COUNT, *(set(range(ACTION_COUNT)) - set(at.legal()))):
        for method in (at.apply, at.move):
            with pytest.raises(ValueError, match=f"expected a legal step, found {action}$"):
                method(action)
    assert at.bytes == before
