"""What the search of Orion makes of standings between rounds: the core against a plain twin, and the file of weights."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from orion_standing_by_hand import estimate_by_hand, features_by_hand

from orbis_search.orion.core.packing import Packing
from orbis_search.orion.core.states import StandingWeights
from orbis_search.orion.measure import verify_rules
from orbis_search.orion.notation import read_position
from orbis_search.orion.notation.examples import example_text
from orbis_search.orion.search.standing import BUILT_IN, built_in_weights, read_standing, root_of
from orbis_search.orion.search.tree import PLAIN, SETTINGS, search_moves
from orbis_search.search.settings import PLAYOUT, SearchSettings
from orbis_search.search.trees import TreeSearch


def standings(games: int):
    """(packing, state at the beginning of a round's actions), of games with 2 to 4 players on several card sets."""
    for seed in range(games):
        packing = Packing(verify_rules.start_for(seed))
        state = packing.state
        while True:
            state.play_through("quick" if seed % 2 else "sensible", state.round, seed)
            if state.is_over:
                break
            yield packing, state


def test_features_and_estimates_are_those_of_the_plain_twin():
    told = read_standing(BUILT_IN)["players"]
    compared, seats = 0, set()
    for packing, state in standings(30):
        position = packing.position(state)
        players = len(position.players)
        by_hand = [features_by_hand(packing, position, seat) for seat in range(players)]
        for seat in range(players):
            assert state.features(seat) == pytest.approx(by_hand[seat], abs=1e-4)
        own = told[str(players)]
        weights, spread = own["rounds"][state.round - 2], own["spreads"][state.round - 2]
        expected = estimate_by_hand(by_hand, weights, spread)
        for (share, points), (share_by_hand, points_by_hand) in zip(
            state.evaluate(built_in_weights(players)), expected
        ):
            assert share == pytest.approx(share_by_hand, abs=1e-4)
            assert points == pytest.approx(points_by_hand, abs=1e-3)
        compared += 1
        seats.add(players)
    assert compared > 100 and seats == {2, 3, 4}


def test_a_state_is_played_on_to_the_next_round_and_no_further():
    rounds = [state.round for _, state in standings(1)]
    assert len(rounds) > 3 and all(after == before + 1 for before, after in pairwise(rounds))


def test_only_the_beginning_of_a_round_is_judged():
    state = Packing(verify_rules.start_for(0)).state
    with pytest.raises(ValueError, match="beginning of a round"):
        state.evaluate(built_in_weights(state.table.players))


def test_who_stands_better_wins_more_often():
    """Of the standings in the middle of games by simple players, those ahead by the weights."""
    right = wrong = 0
    for seed in range(120):
        state = Packing(verify_rules.start_for(seed)).state
        state.play_through("quick", 5, seed)
        if state.is_over:
            continue
        shares = [share for share, _ in state.evaluate(built_in_weights(state.table.players))]
        state.play_through("quick", 8, Random(seed).getrandbits(60))
        won = state.shares()[shares.index(max(shares))]
        right, wrong = right + won, wrong + 1 - won
    assert right > 2 * wrong


def test_the_file_says_if_it_was_changed(tmp_path):
    told = json.loads(Path(BUILT_IN).read_text("utf-8"))
    changed = tmp_path / "standing.json"
    told["players"]["2"]["spreads"][0] += 1
    changed.write_text(json.dumps(told), "utf-8")
    with pytest.raises(ValueError, match="checksum"):
        read_standing(str(changed))
    changed.write_text(json.dumps(told | {"version": 0}), "utf-8")
    with pytest.raises(ValueError, match="expected orion-standing 1"):
        read_standing(str(changed))


@pytest.mark.parametrize(
    ("rounds", "spreads", "problem"),
    [
        ([[[0.0] * 40] * 4] * 6, [1.0] * 7, "expected 7 rounds, found 6"),
        ([[[0.0] * 39] * 4] * 7, [1.0] * 7, "expected 4 times 40 weights"),
        ([[[0.0] * 40] * 4] * 7, [0.0] * 7, "expected a spread above 0"),
    ],
)
def test_weights_of_another_shape_are_refused(rounds, spreads, problem):
    with pytest.raises(ValueError, match=problem):
        StandingWeights(rounds, spreads)


def test_settings_may_ask_for_games_to_the_end():
    position = read_position(example_text())
    learned, played = (
        search_moves(position, simulations=400, seed=1, settings=SearchSettings(evaluation=evaluation))
        for evaluation in (None, PLAYOUT)
    )
    assert learned.simulations == played.simulations == 400
    assert [value.visits for value in learned.values] != [value.visits for value in played.values]
    for found in (learned, played):
        assert sum(found.values[0].shares) == pytest.approx(1)


def test_a_plain_search_looks_at_no_standing():
    """Nor does one that is told to play on: neither knows the weights."""
    state = Packing(verify_rules.start_for(3)).state
    rows = []
    for settings in (PLAIN, SETTINGS, SearchSettings(evaluation=PLAYOUT).over(SETTINGS)):
        pair = [TreeSearch(root, settings, seed=1) for root in (state.game_state(), root_of(state, settings))]
        for search in pair:
            search.finish(200)
        rows.append([[(row.visits, row.shares) for row in search.moves()] for search in pair])
    assert [without == with_root for without, with_root in rows] == [True, False, True]
