"""Orbis as a game of OpenSpiel: OpenSpiel's own generic tests on it, the plain rules beside it, its bots at our
table."""

from __future__ import annotations

import os
import pickle
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from orbis_search.core.fast_rules import play_on
from orbis_search.core.packing import Packing, unpack_move
from orbis_search.game import rules
from orbis_search.measure import peers
from orbis_search.tileset.library import load_tile_set

pyspiel = pytest.importorskip("pyspiel")
spiel = pytest.importorskip("orbis_search.openspiel")

GAMES = [
    "python_orbis",
    "python_orbis(seed=1,moves=search)",
    "python_orbis(players=3,tiles=random:5)",
    "python_orbis(players=4,seed=2,moves=search,information=imperfect)",
]


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The C++ game, compiled."""
    compiler = shlex.split(os.environ.get("CXX", "c++"))
    if sys.platform != "linux" or shutil.which(compiler[0]) is None:
        pytest.skip("no C++ compiler, or none that links to a Python module")
    asked = [*compiler, "-std=c++20", "-x", "c++", "-fsyntax-only", os.devnull]
    if subprocess.run(asked, capture_output=True).returncode:
        pytest.skip("the C++ compiler is older than C++20")
    spiel.load_core(tmp_path_factory.mktemp("core"))


def step_at_random(state: Any, rng: Random) -> int:
    actions = [each for each, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
    action: int = rng.choice(actions)
    state.apply_action(action)
    return action


def middle(game: Any, steps: int = 60) -> Any:
    state, rng = game.new_initial_state(), Random(4)
    for _ in range(steps):
        step_at_random(state, rng)
    while state.is_chance_node():
        step_at_random(state, rng)
    return state


# ---- OpenSpiel's own tests -------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_random_simulation(name: str) -> None:
    """Sorted legal actions, masks, clones, observations, serialization, returns: all that OpenSpiel checks."""
    pyspiel.random_sim_test(pyspiel.load_game(name), 2, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_simulation_from_python(name: str) -> None:
    """What games_sim_test.py does with every game that is registered; pickles of game, type and states too."""
    pytest.importorskip("absl.testing")
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    GamesSimTest("sim_game").sim_game(pyspiel.load_game(name))


@pytest.mark.parametrize("name", GAMES)
def test_resampling(name: str) -> None:
    """A resampled state looks the same to the player, and so does who is to decide."""
    state, rng, looked = pyspiel.load_game(name).new_initial_state(), Random(1), 0
    while not state.is_terminal():
        if not state.is_chance_node() and rng.random() < 0.2:
            for player in range(state.num_players()):
                other = state.resample_from_infostate(player, rng.random)
                assert other is not state
                assert other.information_state_string(player) == state.information_state_string(player)
                assert other.observation_string(player) == state.observation_string(player)
                assert other.observation_tensor(player) == state.observation_tensor(player)
                assert other.current_player() == state.current_player()
                looked += 1
        step_at_random(state, rng)
    assert looked > 10


def test_playthrough(tmp_path: Path) -> None:
    """Generated once, and replayed from its own text line by line."""
    flags = pytest.importorskip("absl.flags")
    from open_spiel.python.algorithms import generate_playthrough

    flags.FLAGS.mark_as_parsed()
    name = "python_orbis(seed=1,moves=search)"
    text = generate_playthrough.playthrough(name, [])
    file = tmp_path / "orbis.txt"
    file.write_text(text)
    recorded, replayed = generate_playthrough.replay(str(file))
    assert recorded == replayed
    assert "Utility.ZERO_SUM" in recorded and "IsTerminal() = True" in recorded


# ---- the rules -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_playouts_are_games_of_the_plain_rules(players: int) -> None:
    game = pyspiel.load_game(f"python_orbis(players={players},tiles=random:11)")
    state, rng = game.new_initial_state(), Random(players)
    while isinstance(state.at, spiel.Dealing):
        step_at_random(state, rng)
    packing = game.setting.packing
    position = packing.position(state.at.packed())
    assert len(position.gods) == rules.SET_UP[players].gods and position.turns_played == 0
    while not state.is_terminal():
        before = state.at.copy()
        action = step_at_random(state, rng)
        if before.decider == -2:
            position = rules.refill(position, packing.tiles[action])
        elif (move := before.move(action)) is not None:
            position = rules.apply(position, unpack_move(move))
        if state.at.is_between_turns:
            assert packing.position(state.at.packed())._replace(piles=()) == position._replace(piles=())
    winners = rules.winners(position)
    shares = [players / len(winners) - 1 if i in winners else -1 for i in range(players)]
    assert state.returns() == pytest.approx(shares)
    assert sum(state.returns()) == pytest.approx(0)


def test_the_deal_is_by_chance_alone_and_uses_each_tile_once() -> None:
    state, seen = pyspiel.load_game("python_orbis(players=3)").new_initial_state(), []
    while isinstance(state.at, spiel.Dealing):
        outcomes = state.chance_outcomes()
        assert {probability for _, probability in outcomes} == {1 / len(outcomes)}
        seen.append(state.action_to_string(outcomes[-1][0]))
        state.apply_action(outcomes[-1][0])
    assert len(seen) == len(set(seen)) == 9 + 4
    assert sum(each.startswith("god ") for each in seen) == 4
    assert state.current_player() == 0


def test_a_game_starts_where_a_position_says() -> None:
    position = play_on(rules.new_game(load_tile_set(), 2, Random(3)), 11, seed=3, style="sensible")
    game = pyspiel.load_game("python_orbis", {"start": spiel.start_of(position)})
    assert game.setting.packing.origin == position
    assert game.new_initial_state().current_player() == position.to_move
    again = pickle.loads(pickle.dumps(game))
    assert again.setting.packing.origin == position and str(again) == str(game)


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"players": 5}, "players: expected 2 to 4, found 5"),
        ({"moves": "some"}, "moves: expected one of all, search, found 'some'"),
        ({"information": "none"}, "information: expected one of perfect, imperfect, found 'none'"),
    ],
)
def test_parameters_that_are_wrong(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(Exception, match=message):
        pyspiel.load_game("python_orbis", parameters)


def test_observations_are_seen_from_each_seat() -> None:
    state = middle(pyspiel.load_game("python_orbis(seed=1)"))
    own, other = (state.get_game().make_py_observer() for _ in range(2))
    own.set_from(state, 0)
    other.set_from(state, 1)
    assert (own.dict["centre"] == other.dict["centre"]).all()
    assert (own.dict["universes"] == other.dict["universes"][::-1]).all()
    assert (own.dict["realms"] == other.dict["realms"][::-1]).all()
    assert own.dict["decider"][state.current_player()] == 1
    assert (
        own.dict["universes"][:, :, -3].sum() == 2 * 15 - state.at.packed().turns_left - own.dict["gods"][:, :-1].sum()
    )


# ---- the game on the core ----------------------------------------------------------------------------


@pytest.mark.parametrize("moves", ["all", "search"])
def test_the_core_passes_the_same_simulation(core: None, moves: str) -> None:
    for players in (2, 3, 4):
        game = pyspiel.load_game(f"orbis(players={players},seed=1,moves={moves})")
        pyspiel.random_sim_test(game, 5, serialize=True, verbose=False)


def test_the_core_and_the_python_game_are_one_game(core: None) -> None:
    for players, moves in ((2, "all"), (3, "search"), (4, "all")):
        given = f"(players={players},seed=5,moves={moves})"
        one, other = (pyspiel.load_game(name + given).new_initial_state() for name in ("orbis", "python_orbis"))
        rng = Random(players)
        while not other.is_terminal():
            assert one.current_player() == other.current_player()
            assert one.legal_actions() == other.legal_actions()
            if other.is_chance_node():
                assert one.chance_outcomes() == other.chance_outcomes()
            else:
                texts = [[state.action_to_string(action) for action in state.legal_actions()] for state in (one, other)]
                assert texts[0] == texts[1]
            assert one.observation_string(0) == one.resample_from_infostate(0, rng.random).observation_string(0)
            one.apply_action(step_at_random(other, rng))
        assert one.is_terminal() and one.returns() == pytest.approx(other.returns())


def test_a_bot_plays_alike_on_both(core: None) -> None:
    position = play_on(rules.new_game(load_tile_set(), 2, Random(3)), 16, seed=3, style="sensible")
    state = Packing(position).state
    found = [
        peers.SpielPlayer(peers.Peer("MCTSBot", game, 60)).choose(state, 7, lambda _: position)
        for game in (peers.CORE, peers.PYTHON)
    ]
    assert found[0] == found[1] and found[0] in state.moves()


def test_both_bots_play_whole_games(core: None) -> None:
    for bot in peers.BOTS:
        tallies = list(peers.play_match(peers.Peer(bot, peers.CORE, 12), 1, seed=1))
        result = tallies[-1].result()
        assert result.games == 2 and [each.player for each in result.standings] == [
            "advisor:sims=12",
            f"{bot}/core:sims=12",
        ]


def test_the_core_says_what_is_wrong_with_a_game(core: None) -> None:
    with pytest.raises(Exception, match="seed: expected 0 or more"):
        pyspiel.load_game("orbis(seed=-1)")
    with pytest.raises(Exception, match="players: expected 2 to 4, found 7"):
        pyspiel.load_game("orbis(players=7)")


def test_no_compiler_is_no_disaster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(spiel, "CORE_NAME", "a game that is not registered")
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert "no-such-compiler" in (peers.prepare(tmp_path) or "")
    monkeypatch.setenv("CXX", "false")
    assert peers.prepare(tmp_path) and not list(tmp_path.iterdir())


def test_the_figures_are_there(core: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short runs: that each is a number, not which."""
    monkeypatch.setattr(peers, "SEARCHED", {peers.CORE: 20, peers.PYTHON: 4})
    figures = [*peers.speeds(0.01, 1, True)]
    assert [each.name for each in figures[:4]] == [
        "advisor.start",
        "MCTSBot/core.start",
        "ISMCTSBot/core.start",
        "MCTSBot/python.start",
    ]
    monkeypatch.setattr(peers, "SCALE", ("pig",))
    monkeypatch.setattr(peers, "LENGTH_GAMES", 5)
    figures += peers.scale(0.01, 1, True)
    assert [each.name for each in figures[8:]] == [
        "pig.playouts",
        "pig.moves",
        "orbis.playouts",
        "orbis.moves",
        "own.playouts",
    ]
    assert all(each.value > 0 and each.best >= each.value for each in figures)
