"""Chances put right by results: `search.estimates`."""

from __future__ import annotations

import sys
from math import log
from pathlib import Path
from random import Random

import pytest

from orbis_search.search.estimates import SURENESS, Evidence, Sureness, sureness

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
import calibration


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chances_add_up_and_keep_their_order(players: int) -> None:
    rng = Random(players)
    for rounds in (0.5, 1, 3.5, 8, 15):
        parts = [rng.random() for _ in range(players)]
        shares = [part / sum(parts) for part in parts]
        said = Evidence(players, rounds, 1000, 0.01, 0.0, learned=True).corrected(shares, 1)
        assert sum(said) == pytest.approx(1) and min(said) >= 0
        others = [player for player in range(players) if player != 1]
        assert sorted(others, key=shares.__getitem__) == sorted(others, key=said.__getitem__)


def test_what_is_certain_stays_so() -> None:
    for players in SURENESS:
        shares = [1.0] + [0.0] * (players - 1)
        assert Evidence(players, 3.0, 1000, 0.0, 0.0, learned=True).corrected(shares, 0)[0] == pytest.approx(
            1, abs=1e-6
        )


def test_stages_are_mixed_from_their_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SURENESS, 2, (Sureness(0, 1.0, 0.0), Sureness(4, 1.4, -0.2), Sureness(10, 1.2, 0.1)))
    assert sureness(2, 4) == Sureness(4, 1.4, -0.2)
    middle = sureness(2, 7)
    assert (middle.factor, middle.mover) == (pytest.approx(1.3), pytest.approx(-0.05))
    assert sureness(2, 15) == Sureness(10, 1.2, 0.1)


def test_two_players_have_a_logistic_curve() -> None:
    said = Sureness(5, 1.5, -0.3).of([0.7, 0.3], 0)
    assert log(said[0] / said[1]) == pytest.approx(1.5 * log(0.7 / 0.3) - 0.3)


@pytest.mark.parametrize(("rounds", "learned"), [(8.0, True), (3.0, True), (3.0, False)])
def test_chances_after_draws_have_the_chance_of_the_move_as_their_mean(rounds: float, learned: bool) -> None:
    rng = Random(3)
    evidence = Evidence(2, rounds, 1000, 0.0, 0.0, learned)
    for _ in range(200):
        shares = [rng.choice((0.0, 1.0, rng.random())) for _ in range(rng.randint(1, 9))]
        visits = [rng.randint(1, 50) for _ in shares]
        mean = sum(share * n for share, n in zip(shares, visits)) / sum(visits)
        whole = evidence.corrected([mean, 1 - mean], 0)[0]
        said = evidence.after_draws(whole, shares, visits)
        assert sum(chance * n for chance, n in zip(said, visits)) / sum(visits) == pytest.approx(whole, abs=1e-9)
        assert min(said) >= -1e-9 and max(said) <= 1 + 1e-9
        assert all((a < b) <= (c <= d + 1e-12) for a, c in zip(shares, said) for b, d in zip(shares, said))
    assert evidence.after_draws(0.5, [], []) == []


def test_optimism_falls_with_the_visits() -> None:
    """Before an even number of turns, with and without a network; before an odd one there is none."""
    for learned in (True, False):
        few, many = (Evidence(2, 3.0, visits, 0.0, 0.0, learned).corrected([0.5, 0.5], 1)[1] for visits in (100, 10**6))
        assert few < many - 0.02 and many < 0.5 - 0.01
        assert Evidence(2, 2.5, 100, 0.0, 0.0, learned).corrected([0.5, 0.5], 1)[1] == pytest.approx(0.5)


@pytest.mark.parametrize("players", [2, 3])
def test_the_fit_finds_what_would_put_chances_right(players: int) -> None:
    """Made-up games whose results follow chances that are surer than what is said, and less kind to the mover."""
    rng = Random(1)
    truth = Sureness(5, 1.4, -0.25)
    cases = []
    for number in range(6000):
        parts = [rng.expovariate(1) + 0.05 for _ in range(players)]
        shares = tuple(part / sum(parts) for part in parts)
        seat = number % players
        winner = rng.choices(range(players), truth.of(shares, seat))[0]
        results = tuple(float(player == winner) for player in range(players))
        cases.append(
            calibration.Case(number, calibration.OURS, seat, 0, shares[seat], results[seat], 5.0, shares, results)
        )
    factor, mover = calibration.put_right(cases, Sureness(5, 1.0, 0.0))
    assert factor == pytest.approx(1.4, abs=0.12) and mover == pytest.approx(-0.25, abs=0.12)
    # What is there already is part of what was said.
    factor, mover = calibration.put_right(cases, Sureness(5, 2.0, 0.5))
    assert factor == pytest.approx(2.8, abs=0.24) and mover == pytest.approx(0.45, abs=0.12)
