"""The endgame solver: equal to searches that look at everything, and honest where it is cut short."""

from __future__ import annotations

from fractions import Fraction

import pytest

from orbis_search._core.orbis.core import ALL
from orbis_search._core.search.exhaustive import Walker
from orbis_search.packing import Packing
from orbis_search.verify_endgame import OBJECTIVES, ending, everybodys, plain_values, preference

# ------------------------------------------------------------------------------ the two slow searches


def walked(position, objective) -> dict:
    walker = Walker(Packing(position).state.game_state(), ALL, objective == "margin")
    return {move: everybodys(value, objective) for move, value in walker.values()}


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_cores_brute_force_is_the_plain_one_with_one_turn_left(players, objective):
    for seed in range(12):
        where = ending(seed, players, 1, most=60).position
        assert walked(where, objective) == plain_values(where, objective)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_cores_brute_force_is_the_plain_one_with_two_turns_left(players, objective):
    """Where a second mover chooses, and with three and four the tie rule does."""
    for seed in range(3):
        where = ending(seed, players, 2, most=300).position
        assert walked(where, objective) == plain_values(where, objective)


def test_what_a_mover_prefers():
    """The own value first, then least to the next in turn order, then to the one after."""
    third, half = Fraction(1, 3), Fraction(1, 2)
    for_second = [(0, 1, 0), (half, half, 0), (0, half, half), (third, third, third), (1, 0, 0)]
    assert sorted(for_second, key=lambda values: preference(values, 1), reverse=True) == [
        (0, 1, 0), (half, half, 0), (0, half, half), (third, third, third), (1, 0, 0),
    ]  # fmt: skip
    assert preference((half, half, 0), 1) > preference((0, half, half), 1)
    assert preference((half, half, 0), 0) < preference((half, 0, half), 0)
