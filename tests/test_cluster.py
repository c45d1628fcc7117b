"""Jobs on Ray, on a cluster of three nodes on this machine: the same results as without, whatever is killed.

The long form, with what every way printed:

    ORBIS_CLUSTER_GAMES=200 ORBIS_CLUSTER_ENDINGS=500 ORBIS_CLUSTER_REVIEWS=20 ORBIS_CLUSTER_KILLS=2 \
        pytest -s tests/test_cluster.py
"""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from operator import call
from pathlib import Path
from typing import Any

import pytest
from ray_nodes import RayNodes

import games
import orbis_search as orbis
from orbis_search.advice.advisor import advise
from orbis_search.base.cluster import Cluster
from orbis_search.base.jobs import Carrying, GaveUp, do_jobs
from orbis_search.base.machine import MachineError
from orbis_search.core.fast_rules import play_turns
from orbis_search.core.packing import Packing
from orbis_search.game.rules import new_game
from orbis_search.measure.fixed_work import build_name
from orbis_search.measure.verify_solver import verify_endings
from orbis_search.notation.examples import example_text
from orbis_search.players.arena import make_match, play
from orbis_search.record.game import Record
from orbis_search.search.networks import BUILT_IN, network_file
from orbis_search.search.settings import SearchSettings
from orbis_search.tileset.library import load_tile_set
from orbis_search.training.selfplay import GamesJob, play_games
from program import installed, start

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")

GAMES = int(os.environ.get("ORBIS_CLUSTER_GAMES", "10"))
ENDINGS = int(os.environ.get("ORBIS_CLUSTER_ENDINGS", "12"))
REVIEWS = int(os.environ.get("ORBIS_CLUSTER_REVIEWS", "3"))
KILLS = int(os.environ.get("ORBIS_CLUSTER_KILLS", "0"))  # of nodes in the middle of each command
SEED = os.environ.get("ORBIS_CLUSTER_SEED", "7")


@pytest.fixture(scope="module")
def nodes() -> Iterator[RayNodes]:
    with RayNodes([1, 1, 1]) as found:
        yield found


@pytest.fixture(scope="module")
def cluster(nodes: RayNodes) -> Iterator[Cluster]:
    with Cluster(nodes.address, build_name, print) as found:
        assert found.count()
        yield found


@pytest.fixture
def free_nodes(nodes: RayNodes, cluster: Cluster) -> RayNodes:
    """With nobody at work: whoever comes next finds the cores taken otherwise."""
    cluster.close()
    return nodes


# ---- the seam --------------------------------------------------------------------------------------


def test_jobs_and_their_problems(cluster: Cluster) -> None:
    found = dict(do_jobs(load_tile_set, ["random:1", "?", "random:2"], cluster))
    assert found["random:1"] == load_tile_set("random:1") and found["random:2"] == load_tile_set("random:2")
    assert "expected a built-in tile set" in str(found["?"])


def test_a_job_that_ends_its_worker_is_given_up_and_the_rest_goes_on(cluster: Cluster) -> None:
    jobs = [partial(abs, -1), partial(abs, -2), partial(os._exit, 3), partial(abs, -3), partial(abs, -4)]
    found = [answer for _job, answer in do_jobs(call, jobs, cluster)]
    (lost,) = [answer for answer in found if not isinstance(answer, int)]
    assert isinstance(lost, GaveUp) and "in 3 tries, found: its worker was lost" in str(lost)
    assert sorted(answer for answer in found if answer is not lost) == [1, 2, 3, 4]


def test_a_match_is_the_same(cluster: Cluster) -> None:
    match = make_match(["advisor:sims=60,threads=1", "greedy"], seed=5)
    there = sorted(play(match, 3, cluster), key=lambda game: (game.round, game.rotation))
    assert there == list(play(match, 3))


def test_a_network_goes_along(cluster: Cluster, tmp_path: Path) -> None:
    """Games for the training: the worker finds the file nowhere but in the job."""
    path = tmp_path / "player.network"
    path.write_bytes(Path(BUILT_IN).read_bytes())
    jobs = [GamesJob(1, 1, 2, number, 1, 4, str(path)) for number in range(2)]
    here = [play_games(job) for job in jobs]
    work = Carrying(play_games, network_file(SearchSettings(network=str(path))))
    path.unlink()
    there = dict(do_jobs(work, jobs, cluster))
    assert [there[job] for job in jobs] == here


def test_checks_count_the_same(cluster: Cluster) -> None:
    assert list(verify_endings(4, 5, cluster))[-1] == list(verify_endings(4, 5, 1))[-1]


def test_advice_is_the_same_on_any_number_of_workers(cluster: Cluster) -> None:
    position = orbis.read_position(example_text())
    here, there = (advise(position, simulations=110_000, seed=3, workers=workers) for workers in (1, cluster))
    assert replace(here, seconds=0) == replace(there, seconds=0)


def test_a_worker_with_another_build_is_left_out_by_name(free_nodes: RayNodes) -> None:
    told: list[str] = []
    free_nodes.add(1, ORBIS_TEST_BUILD="0.0.9, signature 0")
    with Cluster(free_nodes.address, partial(os.getenv, "ORBIS_TEST_BUILD", "0.1.0"), told.append) as cluster:
        cluster.count()
        assert len(list(do_jobs(abs, range(9), cluster))) == 9
    (text,) = told
    assert "is left out: expected orbis-search 0.1.0, found 0.0.9, signature 0" in text and "(" in text
    free_nodes.kill(3)


def test_nobody_with_this_build(free_nodes: RayNodes) -> None:
    told: list[str] = []
    with (
        Cluster(free_nodes.address, os.getpid, told.append) as cluster,  # no two have the same
        pytest.raises(MachineError, match="expected a worker with this build in the cluster, found none"),
    ):
        list(do_jobs(abs, [1], cluster))
    assert len(told) == 3


# ---- commands --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Endings and games."""
    folder = tmp_path_factory.mktemp("jobs")
    for name in ("endings", "games"):
        (folder / name).mkdir()
    lines = []
    for seed in range(ENDINGS):
        packing = Packing(new_game(load_tile_set(f"random:{seed}"), 2, random.Random(seed)))
        for _ in play_turns(packing.state, 28, random.Random(seed), "sensible"):
            pass
        lines.append(orbis.write_oneline(packing.position(packing.state)).strip())
    (folder / "endings" / "all.txt").write_text("\n".join(lines), encoding="utf-8")
    for seed in range(REVIEWS):
        record = games.play(Record(games.start(seed, 2)), 40, seed, "sensible")
        (folder / "games" / f"{seed}.orbis").write_text(orbis.write_record(record), encoding="utf-8")
    return folder


def commands(folder: Path) -> dict[str, tuple[object, ...]]:
    """Each appends to the file that follows."""
    return {
        "arena": ("arena", "advisor:sims=300", "greedy", "--games", GAMES, "--seed", 3, "--save"),
        "solve": ("solve", "--batch", folder / "endings", "--nodes", 100_000, "-o"),
        "review": ("review", "--batch", folder / "games", "--sims", 60, "-o"),
    }


def lines_of(path: Path) -> list[str]:
    """But for the time they took, in whatever order they came."""

    def timeless(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: timeless(each) for key, each in value.items() if key != "seconds"}
        return [timeless(each) for each in value] if isinstance(value, list) else value

    return sorted(json.dumps(timeless(json.loads(line))) for line in path.read_text("utf-8").splitlines())


@pytest.fixture(scope="module")
def expected(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What one process finds."""
    return {
        name: results(name, command, tmp_path_factory.mktemp("alone"), "--threads", 1)
        for name, command in commands(folder).items()
    }


def results(name: str, command: tuple[object, ...], folder: Path, *options: object) -> list[str]:
    began = time.monotonic()
    output = folder / f"{name}.jsonl"
    code, _out, err = installed(*command, output, *options)
    assert (code, err) == (0, "")
    found = lines_of(output)
    print(f"{name}: {len(found)} lines {' '.join(map(str, options))}, {time.monotonic() - began:.0f} s")
    return found


@pytest.mark.parametrize("name", ["arena", "solve", "review"])
def test_a_command_finds_the_same(
    free_nodes: RayNodes, folder: Path, expected: dict[str, list[str]], tmp_path: Path, name: str
) -> None:
    assert results(name, commands(folder)[name], tmp_path, "--cluster", free_nodes.address) == expected[name]
    assert len(expected[name]) == {"arena": GAMES + GAMES % 2 + 1, "solve": ENDINGS, "review": REVIEWS}[name]


@pytest.mark.skipif(not KILLS, reason="ORBIS_CLUSTER_KILLS says how many nodes to kill")
@pytest.mark.parametrize("name", ["arena", "solve", "review"])
def test_other_ways_and_nodes_killed(
    free_nodes: RayNodes, folder: Path, expected: dict[str, list[str]], tmp_path: Path, name: str
) -> None:
    """At random moments, and replaced by new ones."""
    command = commands(folder)[name]
    (tmp_path / "two").mkdir()
    assert results(name, command, tmp_path / "two", "--threads", 2) == expected[name]
    with RayNodes([1]) as single:
        (tmp_path / "one").mkdir()
        assert results(name, command, tmp_path / "one", "--cluster", single.address) == expected[name]
    rng = random.Random(f"{SEED} {name}")
    output = tmp_path / "killed.jsonl"
    with start(*command, output, "--cluster", free_nodes.address) as process:
        for kill in range(KILLS):
            so_far = len(expected[name]) * (kill + rng.random()) / (KILLS + 1)
            wait_for_lines(output, process, so_far)
            free_nodes.kill(rng.choice(free_nodes.others()))
            print(f"{name}: a node killed after {len(lines_so_far(output))} lines")
            free_nodes.add(1)
        out, err = process.communicate(timeout=3000)
    assert (process.returncode, err) == (0, ""), out
    assert lines_of(output) == expected[name]
    print(f"{name}: {len(expected[name])} lines, the same, each once")


def lines_so_far(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines() if path.exists() else []


def wait_for_lines(path: Path, process: Any, number: float) -> None:
    for _ in range(60_000):
        if len(lines_so_far(path)) > number or process.poll() is not None:
            return
        time.sleep(0.02)
    raise AssertionError(f"expected {number} lines")


def test_ctrl_c_shows_what_was_done(free_nodes: RayNodes, tmp_path: Path) -> None:
    save = tmp_path / "games.jsonl"
    command = ("arena", "advisor:sims=300", "greedy", "--games", 5000, "--save", save, "--cluster", free_nodes.address)
    with start(*command) as process:
        wait_for_lines(save, process, 6)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "orbis: interrupted\n")
    assert "games in" in out and len(lines_so_far(save)) > 6


def test_no_cluster_there() -> None:
    code, out, err = installed("verify", "--decisions", 1, "--cluster", "127.0.0.1:1")
    assert (code, out) == (2, "")
    assert err.startswith("orbis: --cluster: expected a Ray cluster at 127.0.0.1:1, found: ") and err.count("\n") == 1


def test_a_node_and_then_the_head_are_killed(folder: Path, expected: dict[str, list[str]], tmp_path: Path) -> None:
    """The jobs of the node are done again. Without the head the command says so, and keeps what was done."""
    output = tmp_path / "arena.jsonl"
    command = ("arena", "advisor:sims=300", "greedy", "--games", 2 * GAMES, "--seed", 3, "--save", output)
    with RayNodes([1, 1]) as nodes:
        match = make_match(["advisor:sims=300", "greedy"], seed=3)
        with Cluster(nodes.address, build_name, print) as cluster:
            cluster.count()
            with closing(play(match, -(-GAMES // 2), cluster)) as played:
                found = [next(played)]
                nodes.kill(1)
                found += played
        assert len(found) == len({(game.round, game.rotation) for game in found}) == GAMES + GAMES % 2
        with start(*command, "--cluster", nodes.address) as process:
            wait_for_lines(output, process, GAMES / 3)
            nodes.kill(0)
            out, err = process.communicate(timeout=120)
    gone = f"orbis: --cluster: expected an answer from Ray at {nodes.address}, found it gone\n"
    assert (process.returncode, err) == (1, gone)
    kept = lines_so_far(output)
    assert len(kept) > 1 and "games in" in out
    # Then it goes on where it was, here.
    assert installed(*command[:4], GAMES, *command[5:], "--threads", 1)[0] == 0
    assert lines_so_far(output)[: len(kept)] == kept
    assert set(expected["arena"]) <= set(lines_of(output))
