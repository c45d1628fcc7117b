"""Many threads say what one thread says.

`orbis verify --threads-agree` asks this of many more positions. What is compared, and when a search is too far off, is
said in `orbis_search/measure/verify_threads.py`. One thread's searches are made here too and are the same each time;
how threads meet is not, so there are more threads than cores, and enough searches that a fault which shows now and then
shows here.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from orbis_search._core.orbis.core import PackedState
from orbis_search.measure import verify_threads
from orbis_search.measure.fixed_work import packing_of
from orbis_search.measure.verify_threads import (
    Far,
    chance_of_so_many,
    compare,
    far_off,
    measure,
    position_for,
    yardstick,
)
from orbis_search.search.driver import Search
from orbis_search.search.settings import SearchSettings
from program import Run

THREADS = 8
ONE_THREAD = 16  # searches that the others are held against


class Case(NamedTuple):
    position: str
    simulations: int
    searches: int


CASES = [
    Case("middle", 50_000, 16),  # the built-in one; a lost first visit made it 65 to 75 % for another move
    Case("middle", 20_000, 12),  # what threads keep from each other matters more the shorter a search is
    Case("2-five-a", 50_000, 8),  # lost; threads that did not see each other's results held it for 3 %
    Case("3-middle", 20_000, 8),
    Case("4-late", 20_000, 8),
]


def state_of(name: str) -> PackedState:
    return position_for(0)[1] if name == "middle" else packing_of(name).state


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.position}-{case.simulations}")
def test_many_threads_say_what_one_says(case: Case) -> None:
    searches = {1: ONE_THREAD, THREADS: case.searches}
    tally = compare(case.position, state_of(case.position), case.simulations, searches)
    assert tally.by_threads[THREADS].searches == case.searches
    assert not tally.too_far, "\n".join(tally.disagreed)


@pytest.mark.parametrize("name", ["middle", "3-late", "4-middle"])
def test_no_result_is_lost(name: str) -> None:
    """Blocks grow early, so that threads meet where they do; every simulation stands in one root move."""
    state = state_of(name)
    search = Search(state, threads=THREADS, seed=1, settings=SearchSettings(grow_main=2, grow_everything=2))
    search.finish(8_000)
    rows = search.moves()
    assert sum(row.visits for row in rows) == search.simulations == 8_000
    for row in rows:
        assert sum(row.shares) == pytest.approx(row.visits, abs=1e-6)


def test_what_threads_are_just_finding_can_be_read() -> None:
    """Progress is reported while they are at work; and the root moves of each moment are whole."""
    search = Search(state_of("middle"), threads=4, seed=2, settings=SearchSettings(split_after=4))
    looks = 0
    for _ in search.run(12_000):
        looks += 1
        rows = search.moves()
        assert 0 < sum(row.visits for row in rows) <= search.simulations + len(search.trees)
        best = search.best()
        assert sum(search.replies(best).values()) >= 0 and len(search.line(best, 6)) <= 6
    assert looks and sum(row.visits for row in search.moves()) == 12_000


# ---- what is too far -------------------------------------------------------------------------------


def test_a_search_beyond_both_limits_is_far_off() -> None:
    stick = yardstick([0.5 + 0.01 * (-1) ** i for i in range(40)])
    assert stick.mean == pytest.approx(0.5)
    assert stick.limit == pytest.approx(0.0608, abs=0.0001)
    chances = [0.5607, 0.4391, 0.5607]
    tally = measure(chances, stick)
    assert (tally.far, tally.searches) == (1, 3)
    assert tally.furthest == pytest.approx(0.0609) and tally.furthest_spreads == pytest.approx(6.01, abs=0.01)
    assert tally.mean_shift == pytest.approx((2 * 0.0607 - 0.0609) / 3)
    far = far_off(chances, stick)
    assert (far.values, far.worst) == ([0.4391], 0.4391)


@pytest.mark.parametrize(
    ("far", "again", "too_far"),
    [
        pytest.param([0.3], [0.5] * 160, 1, id="one thread never goes there"),
        pytest.param([0.3], [0.5] * 159 + [0.29], 0, id="one thread goes there too"),
        pytest.param([0.3], [0.5] * 159 + [0.7], 1, id="it goes to the other side"),
        pytest.param([0.3, 0.2], [0.5] * 159 + [0.29], 1, id="one of them is further"),
        pytest.param([0.3] * 8, [0.5] * 159 + [0.29], 8, id="more threads go there more often"),
        pytest.param([0.3] * 8, [0.5] * 130 + [0.29] * 30, 0, id="one thread goes there as often"),
    ],
)
def test_what_one_thread_explains_is_not_too_far(far: list[float], again: list[float], too_far: int) -> None:
    stick = yardstick([0.5, 0.51] * 20)
    assert Far(stick, far, searches=40).too_far(again) == too_far


def test_the_chance_of_so_many_is_fishers() -> None:
    """A lady who tells all four of eight cups of tea: 1 in 70; three or more of them: 17 in 70."""
    assert chance_of_so_many(4, 4, 0, 4) == pytest.approx(1 / 70)
    assert chance_of_so_many(3, 4, 1, 4) == pytest.approx(17 / 70)
    assert chance_of_so_many(0, 40, 0, 160) == 1


def test_one_thread_that_wavers_allows_others_to() -> None:
    """One of forty searches advises another move, as some with threads may."""
    values = [0.5] * 39 + [0.6]
    stick = yardstick(values)
    assert stick.limit == abs(0.6 - stick.mean) + stick.spread > 6 * stick.spread > 0.09


def test_a_decided_position_has_a_least_spread() -> None:
    stick = yardstick([1.0] * 40)
    assert (stick.spread, stick.limit) == (verify_threads.LEAST_SPREAD, 6 * verify_threads.LEAST_SPREAD)


def test_positions_are_of_every_kind() -> None:
    found = [position_for(number, seed=3) for number in range(30)]
    names = [name for name, _ in found]
    assert len(set(names)) == 30
    kinds = {(state.players, stage) for name, state in found for stage in verify_threads.STAGES if stage in name}
    assert len(kinds) == 9
    assert sum("random:" in name for name in names) in range(12, 19)
    assert all(state.to_move >= 0 and state.hole is None for _, state in found)
    assert [state.fields() for _, state in found] == [position_for(number, seed=3)[1].fields() for number in range(30)]


def test_verify_ends_with_1_when_threads_disagree(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("verify", "--threads-agree", "--positions", 2, "--searches", 10, "--sims", 50)
    four_say_more = 0.0

    def chance(state: PackedState, simulations: int, threads: int, seed: int) -> float:
        return 0.5 + seed % 1000 / 50_000 + (four_say_more if threads == 4 else 0)

    monkeypatch.setattr(verify_threads, "advised_chance", chance)
    code, out, err = run(*command)
    assert (code, err) == (0, "") and "4 threads" in out
    assert "50 simulations with several threads, compared with one thread's in 2 positions" in out
    four_say_more = 0.2
    code, out, err = run(*command)
    assert (code, err) == (1, "")
    assert "          20 too far from it" in out and "4 threads: 7" in out
    assert "one thread again, where others were further\n         400 searches\n           0 further" in out


def test_verify_of_threads_goes_alone(run: Run) -> None:
    code, _, err = run("verify", "--threads-agree", "--endings", 1)
    assert code == 2 and "--threads-agree cannot be combined with" in err
