"""Jobs on Ray, on a cluster of three nodes on this machine: the same results as without, whatever is killed.

The long form kills nodes, the head and the command itself in the middle of each command, and prints a digest of what
each way found:

    ORBIS_CLUSTER_GAMES=200 ORBIS_CLUSTER_ENDINGS=500 ORBIS_CLUSTER_REVIEWS=20 ORBIS_CLUSTER_SIMS=600 \
        ORBIS_CLUSTER_KILLS=2 pytest -s tests/test_cluster.py -k 'finds_the_same or killed or ctrl_c'

ORBIS_CLUSTER_SEED chooses other moments.
"""

from __future__ import annotations

import hashlib
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
from itertools import count
from operator import call
from pathlib import Path
from subprocess import Popen
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
from orbis_search.game.rules import count_moves, new_game
from orbis_search.measure.fixed_work import build_name
from orbis_search.measure.verify_solver import verify_endings
from orbis_search.notation.examples import example_text
from orbis_search.players.arena import make_match, play
from orbis_search.record.game import Record
from orbis_search.search.networks import BUILT_IN, network_file
from orbis_search.search.settings import SearchSettings
from orbis_search.solver.endgame import MOST_MOVES
from orbis_search.tileset.library import load_tile_set
from orbis_search.training.selfplay import GamesJob, play_games
from program import installed, start

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")

GAMES = int(os.environ.get("ORBIS_CLUSTER_GAMES", "10"))
ENDINGS = int(os.environ.get("ORBIS_CLUSTER_ENDINGS", "12"))
REVIEWS = int(os.environ.get("ORBIS_CLUSTER_REVIEWS", "3"))
SIMS = int(os.environ.get("ORBIS_CLUSTER_SIMS", "100"))
KILLS = int(os.environ.get("ORBIS_CLUSTER_KILLS", "0"))  # of nodes in the middle of each command
SEED = os.environ.get("ORBIS_CLUSTER_SEED", "7")
NAMES = ("arena", "solve", "review")

# A command has to last until the middle of it, and beyond.
only_long = pytest.mark.skipif(not KILLS, reason="ORBIS_CLUSTER_KILLS says how many nodes to kill")


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


def test_jobs_and_answers_that_fill_the_pipes(cluster: Cluster) -> None:
    """Whoever sends must be heard even while the other side sends."""
    jobs = [bytes([number]) * 1_000_000 for number in range(30)]
    assert sorted(do_jobs(bytes, jobs, cluster)) == [(job, job) for job in jobs]


def test_a_job_with_more_threads_than_a_node_has_cores(cluster: Cluster) -> None:
    assert sorted(do_jobs(abs, range(9), cluster, threads=4)) == [(job, job) for job in range(9)]


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
    lines: list[str] = []
    for seed in count():
        if len(lines) == ENDINGS:
            break
        packing = Packing(new_game(load_tile_set(f"random:{seed}"), 2, random.Random(seed)))
        for _ in play_turns(packing.state, 26, random.Random(seed), "sensible"):
            pass
        position = packing.position(packing.state)
        if count_moves(position) <= MOST_MOVES:
            lines.append(orbis.write_oneline(position).strip())
    (folder / "endings" / "all.txt").write_text("\n".join(lines), encoding="utf-8")
    for seed in range(REVIEWS):
        record = games.play(Record(games.start(seed, 2)), 40, seed, "sensible")
        (folder / "games" / f"{seed}.orbis").write_text(orbis.write_record(record), encoding="utf-8")
    return folder


def commands(folder: Path) -> dict[str, tuple[object, ...]]:
    """Each appends to the file that follows."""
    return {
        "arena": ("arena", f"advisor:sims={SIMS}", "greedy", "--games", GAMES, "--seed", 3, "--save"),
        "solve": ("solve", "--batch", folder / "endings", "--nodes", 1_000_000, "-o"),
        "review": ("review", "--batch", folder / "games", "--sims", SIMS, "-o"),
    }


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: timeless(each) for key, each in value.items() if key != "seconds"}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def lines_of(path: Path) -> list[str]:
    """But for the time they took, in whatever order they came."""
    return sorted(json.dumps(timeless(json.loads(line))) for line in path.read_text("utf-8").splitlines())


@pytest.fixture(scope="module")
def expected(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What one process finds."""
    alone = tmp_path_factory.mktemp("alone")
    return {name: results(name, "one process", folder, alone, "--threads", 1) for name in NAMES}


def results(name: str, way: str, folder: Path, place: Path, *options: object) -> list[str]:
    """Of a command that nobody disturbs."""
    output = place / f"{name}.jsonl"
    with start(*commands(folder)[name], output, *options) as process:
        ends_well(process)
    return found_in(output, name, way)


def ends_well(process: Popen[str]) -> None:
    _out, err = process.communicate(timeout=3000)
    assert (process.returncode, err) == (0, "")


def found_in(output: Path, name: str, way: str) -> list[str]:
    found = lines_of(output)
    digest = hashlib.sha256("\n".join(found).encode()).hexdigest()[:16]
    print(f"{name}: {len(found)} lines, {digest}, {way}")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_command_finds_the_same(
    free_nodes: RayNodes, folder: Path, expected: dict[str, list[str]], tmp_path: Path, name: str
) -> None:
    assert results(name, "three nodes", folder, tmp_path, "--cluster", free_nodes.address) == expected[name]
    assert len(expected[name]) == {"arena": GAMES + GAMES % 2 + 1, "solve": ENDINGS, "review": REVIEWS}[name]


@only_long
@pytest.mark.parametrize("name", NAMES)
def test_other_ways_and_nodes_killed(
    free_nodes: RayNodes, folder: Path, expected: dict[str, list[str]], tmp_path: Path, name: str
) -> None:
    """At random moments, and replaced by new ones."""
    (tmp_path / "two").mkdir()
    assert results(name, "two processes", folder, tmp_path / "two", "--threads", 2) == expected[name]
    with RayNodes([1]) as single:
        (tmp_path / "one").mkdir()
        assert results(name, "one node", folder, tmp_path / "one", "--cluster", single.address) == expected[name]
    rng = random.Random(f"{SEED} {name}")
    output = tmp_path / "killed.jsonl"
    moments = []
    with start(*commands(folder)[name], output, "--cluster", free_nodes.address) as process:
        for kill in range(KILLS):
            wait_for_lines(output, process, len(expected[name]) * (kill + rng.random()) / (KILLS + 1))
            free_nodes.kill(rng.choice(free_nodes.others()))
            moments.append(len(lines_so_far(output)))
            free_nodes.add(1)
        ends_well(process)
    assert found_in(output, name, f"three nodes, one killed after each of {moments} lines") == expected[name]
    assert moments[-1] < len(expected[name]), "killed after the end"


@only_long
@pytest.mark.parametrize("name", NAMES)
def test_the_head_is_killed(folder: Path, expected: dict[str, list[str]], tmp_path: Path, name: str) -> None:
    """What was done is kept, and another cluster goes on from there."""
    output = tmp_path / "killed.jsonl"
    moment = len(expected[name]) * random.Random(f"{SEED} head {name}").random() / 3
    with RayNodes([1, 1, 1]) as nodes:
        with start(*commands(folder)[name], output, "--cluster", nodes.address) as process:
            wait_for_lines(output, process, moment)
            before = len(lines_so_far(output))
            nodes.kill(0)
            _out, err = process.communicate(timeout=300)
        assert (process.returncode, err) == (1, gone(nodes))
    kept = lines_so_far(output)
    assert before <= len(kept) < len(expected[name])
    with RayNodes([1, 1, 1]) as nodes, start(*commands(folder)[name], output, "--cluster", nodes.address) as process:
        ends_well(process)
    assert lines_so_far(output)[: len(kept)] == kept
    way = f"head killed after {before} lines, {len(kept)} kept, the rest on another cluster"
    assert found_in(output, name, way) == expected[name]


@pytest.mark.parametrize(
    "command",
    [
        ("verify", "--decisions", 40, "--singles", 400),
        ("bench", "regret", "--positions", 3, "--turns", 4, "--sims", 200),
    ],
    ids=["verify", "regret"],
)
def test_other_commands_answer_the_same(free_nodes: RayNodes, command: tuple[object, ...]) -> None:
    """On the cluster that RAY_ADDRESS names."""
    ray = installed(*command, "--json", "--cluster", "auto", env={"RAY_ADDRESS": free_nodes.address})
    assert (ray.code, ray.err) == (0, "")
    here = installed(*command, "--json", "--threads", 1)
    assert timeless(json.loads(ray.out)) == timeless(json.loads(here.out))


@pytest.mark.skipif(find_spec("jax") is None, reason="JAX is not installed")
def test_a_training_run_makes_the_same(free_nodes: RayNodes, tmp_path: Path) -> None:
    words = ("--players", 2, "--generations", 2, "--games", 120, "--sims", 4, "--epochs", 1)
    words += ("--match-games", 4, "--match-sims", 10)
    for name, where in (("here", ("--threads", 1)), ("there", ("--cluster", free_nodes.address))):
        code, _out, err = installed("train", tmp_path / name / "run", *words, *where)
        assert (code, err) == (0, "")
    here, there = (tmp_path / name / "run" for name in ("here", "there"))
    files = sorted(str(path.relative_to(here)) for path in here.rglob("*") if path.is_file())
    assert files == sorted(str(path.relative_to(there)) for path in there.rglob("*") if path.is_file())
    assert sum(name.endswith(".npz") for name in files) == 8
    for name in files:
        if not name.endswith(".jsonl"):  # which name the folder and say how long it took
            assert (here / name).read_bytes() == (there / name).read_bytes(), name


def gone(nodes: RayNodes) -> str:
    return f"orbis: --cluster: expected an answer from Ray at {nodes.address}, found it gone\n"


def lines_so_far(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines() if path.exists() else []


def wait_for_lines(path: Path, process: Popen[str], number: float) -> None:
    for _ in range(60_000):
        if len(lines_so_far(path)) > number or process.poll() is not None:
            return
        time.sleep(0.02)
    raise AssertionError(f"expected {number} lines")


@only_long
@pytest.mark.parametrize("name", NAMES)
def test_ctrl_c_keeps_what_was_done(
    free_nodes: RayNodes, folder: Path, expected: dict[str, list[str]], tmp_path: Path, name: str
) -> None:
    output = tmp_path / "interrupted.jsonl"
    with start(*commands(folder)[name], output, "--cluster", free_nodes.address) as process:
        wait_for_lines(output, process, len(expected[name]) / 3)
        process.send_signal(signal.SIGINT)
        _out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "orbis: interrupted\n")
    kept = len(lines_so_far(output))
    assert 0 < kept < len(expected[name])
    with start(*commands(folder)[name], output, "--cluster", free_nodes.address) as process:
        ends_well(process)
    assert found_in(output, name, f"Ctrl-C with {kept} lines, then the rest") == expected[name]


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
    auto = installed("verify", "--decisions", 1, "--cluster", "auto", env={"RAY_ADDRESS": "127.0.0.1:1"})
    assert auto == (2, "", err)


def test_a_node_and_then_the_head_are_killed(folder: Path, expected: dict[str, list[str]], tmp_path: Path) -> None:
    """The jobs of the node are done again. Without the head the command says so, and keeps what was done."""
    output = tmp_path / "arena.jsonl"
    player = f"advisor:sims={SIMS}"
    command = ("arena", player, "greedy", "--games", 5000, "--seed", 3, "--save", output)
    with RayNodes([1, 1]) as nodes:
        match = make_match([player, "greedy"], seed=3)
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
    assert (process.returncode, err) == (1, gone(nodes))
    kept = lines_so_far(output)
    assert len(kept) > 1 and "games in" in out
    # Then it goes on where it was, here.
    assert installed(*command[:4], GAMES, *command[5:], "--threads", 1)[0] == 0
    assert lines_so_far(output)[: len(kept)] == kept
    assert set(expected["arena"]) <= set(lines_of(output))
