"""What a network makes of a position: the core against plain Python to the last bit, and a search that asks it.

ORBIS_EVALUATION_POSITIONS says on how many positions the two are compared.
"""

from __future__ import annotations

import os
import random
from fractions import Fraction
from math import exp, fsum
from pathlib import Path

import pytest
from test_inputs import sampled
from test_networks import Plain, made

from orbis_search import Advice, advise, read_position
from orbis_search.core.packing import Packing
from orbis_search.core.searches import Network
from orbis_search.core.states import NETWORK_SIZES
from orbis_search.game.inputs import inputs
from orbis_search.game.position import Position
from orbis_search.notation.examples import example_text
from orbis_search.search.driver import Search
from orbis_search.search.networks import write_networks
from orbis_search.search.settings import LEARNED, PLAYOUT, SearchSettings

POSITIONS = int(os.environ.get("ORBIS_EVALUATION_POSITIONS", "150"))
EXAMPLE = read_position(example_text())
UNIT, ONE = 1024, 1 << 30
OUTPUTS, SOURCES, POINTS = 16, 13, 12  # a player's outputs, those that are sources, and those of them that are points
WILDERNESS = 9  # the source that costs points
FINE, COARSE = 1072693760, 1008687096  # exp(-1 / 1024) and exp(-1 / 16), of ONE


def powers(base: int, number: int) -> list[int]:
    found = [ONE]
    while len(found) < number:
        found.append(found[-1] * base // ONE)
    return found


FINE_STEPS, COARSE_STEPS = powers(FINE, 64), powers(COARSE, 256)


def fallen(by: int) -> int:
    """exp(-by / 1024), of ONE."""
    by = min(by, 64 * 256 - 1)
    return FINE_STEPS[by % 64] * COARSE_STEPS[by // 64] // ONE


def network(players: int, seed: int) -> Plain:
    """Random, with outputs about as large as a trained one's."""
    plain = made(random.Random(seed), *NETWORK_SIZES[players], large=40)
    return plain._replace(shifts=[9, 9, 9])


def evaluated(position: Position, plain: Plain) -> tuple[list[float], ...]:
    players = len(position.players)
    outputs = plain.run(inputs(position))
    own = [outputs[OUTPUTS * k : OUTPUTS * (k + 1)] for k in range(players)]
    most = max(each[0] for each in own)
    parts = [fallen(most - each[0]) for each in own]
    mover = position.to_move or 0
    seats = [(who - mover) % players for who in range(players)]
    level = [min(max(own[k][14], 0), UNIT) / UNIT for k in seats]
    sources = [
        [number if at == WILDERNESS else max(0, number) for at, number in enumerate(own[k][1 : SOURCES + 1])]
        for k in seats
    ]
    return (
        [parts[k] / sum(parts) for k in seats],
        [sum(each[:POINTS]) / UNIT for each in sources],
        *([number / UNIT for number in each] for each in sources),
        level,
        [min(min(max(own[k][15], 0), UNIT) / UNIT, most) for k, most in zip(seats, level)],
    )


def test_the_core_finds_what_plain_numbers_find() -> None:
    plain = {players: network(players, players) for players in NETWORK_SIZES}
    packed = {players: each.packed() for players, each in plain.items()}
    for position in sampled(POSITIONS, seed=8):
        players = len(position.players)
        shares, points, sources, level, level_shares = Packing(position).state.evaluate(packed[players])
        assert (shares, points, *sources, level, level_shares) == evaluated(position, plain[players])


def test_the_exponential_is_one() -> None:
    for by in (0, 1, 63, 64, 700, 1024, 5000, 16383):
        assert fallen(by) == pytest.approx(ONE * exp(-by / UNIT), abs=300)
    assert fallen(16384) == fallen(10**9) > 0


# ---- searches ----------------------------------------------------------------------------------------


def settings(folder: Path, players: int = 2) -> SearchSettings:
    path = str(folder / f"{players}.network")
    write_networks(path, "some", {players: network(players, 5).packed()}, {})
    return SearchSettings(evaluation=LEARNED, network=path)


def by_network(position: Position, folder: Path, simulations: int = 2_000, threads: int = 1) -> Advice:
    learned = settings(folder, len(position.players))
    return advise(position, simulations=simulations, seed=1, threads=threads, prove=False, settings=learned)


@pytest.mark.parametrize("players", NETWORK_SIZES)
def test_what_advice_tells_adds_up(players: int, tmp_path: Path) -> None:
    position = next(each for each in sampled(10**6, seed=players) if len(each.players) == players)
    best = by_network(position, tmp_path).best
    assert fsum(best.shares) == pytest.approx(1)
    for points, sources in zip(best.points, best.sources):
        listed = [getattr(sources, name) for name in sources.__slots__ if name != "worshipers"]
        assert fsum(listed) == pytest.approx(points)
    assert 0 <= best.level <= 1 and 0 <= best.level_win <= 1


def test_it_is_the_network_that_is_asked(tmp_path: Path) -> None:
    """Of each simulation, once: the mean of a root move is that of what the network says behind it."""
    state = Packing(EXAMPLE).state
    learned, playouts = (
        Search(state, seed=1, settings=each) for each in (settings(tmp_path), SearchSettings(evaluation=PLAYOUT))
    )
    for search in (learned, playouts):
        search.finish(300)
    assert all(share != round(share, 6) for row in learned.moves() if row.visits == 1 for share in row.shares)
    assert all(Fraction(share) * 12 % 1 == 0 for row in playouts.moves() if row.visits == 1 for share in row.shares)
    assert learned.evaluation.network is not None and playouts.evaluation.network is None


def test_one_thread_repeats_itself(tmp_path: Path) -> None:
    one, two = (by_network(EXAMPLE, tmp_path) for _ in range(2))
    assert one.candidates == two.candidates


def test_several_threads_lose_no_result(tmp_path: Path) -> None:
    search = Search(Packing(EXAMPLE).state, seed=1, threads=4, settings=settings(tmp_path))
    search.finish(20_000)
    rows = search.moves()
    assert sum(row.visits for row in rows) == search.simulations == 20_000
    for row in rows:
        assert fsum(row.shares) == pytest.approx(row.visits)


def test_a_game_that_is_over_needs_no_network(tmp_path: Path) -> None:
    """In the last turn every move ends the game, and what it is worth is known."""
    packing = Packing(EXAMPLE)
    rng = random.Random(1)
    while packing.state.turns_left > 1:
        packing.state.apply(packing.state.choose("sensible", rng.getrandbits(32)))
        if drawn := packing.state.draws():
            packing.state.refill(drawn[0])
    search = Search(packing.state, seed=1, settings=settings(tmp_path))
    search.finish(500)
    for row in search.moves():
        assert all(share in (0, row.visits / 2, row.visits) for share in row.shares)


def test_a_network_is_not_asked_for_another_number_of_players() -> None:
    small: Network = network(3, 1).packed()
    with pytest.raises(ValueError, match="for 2 players"):
        Packing(EXAMPLE).state.evaluate(small)
