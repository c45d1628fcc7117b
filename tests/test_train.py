"""`orbis train`: a whole small run, kills, Ctrl-C, bad input, seeds, and what is never trained on.

More kills: ORBIS_TRAIN_KILLS=20 pytest tests/test_train.py -k kill -s
"""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from orbis_search.base.held_files import open_locked
from orbis_search.base.processes import in_own_process
from orbis_search.game.tiles import DEFAULT_TILE_SET
from orbis_search.players.arena import Tally, make_match, play
from orbis_search.search.networks import layer_sizes, read_networks, write_networks
from orbis_search.training import fitting, run, selfplay
from orbis_search.training.fitting import FitJob
from orbis_search.training.run import Outcome, Plan, train
from orbis_search.training.selfplay import HELD_OUT, SETS, GamesJob, play_games, tiles_of
from program import Run, installed, start, wait_for_work

np = pytest.importorskip("numpy", reason="the train extra is not installed")
# Not imported here: its threads would be there for the rest of the suite, in which programs fork.
if find_spec("jax") is None:
    pytest.skip("the train extra is not installed", allow_module_level=True)

KILLS = int(os.environ.get("ORBIS_TRAIN_KILLS", "3"))
SMALL = ("train", "run", "--players", "2", "--generations", "2", "--games", "110", "--sims", "16", "--epochs", "4",
         "--match-games", "8", "--match-sims", "20", "--seed", "5")  # fmt: skip
TINY = Plan((2,), generations=1, games=2, sims=4, epochs=2, match_games=2, match_sims=4)
TINY_ARGUMENTS = ("--players", 2, "--generations", 1, "--games", 2, "--sims", 4, "--epochs", 2, "--match-games", 2,
                  "--match-sims", 4, "--threads", 1)  # fmt: skip
needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")


def untrained(path: Path, players: int = 2) -> Path:
    """A network of seeded random weights."""
    luck = np.random.default_rng(1)
    sizes = layer_sizes(players)
    weights = [luck.normal(size=each) / np.sqrt(each[0]) for each in itertools.pairwise(sizes)]
    weights[0] /= 32  # so much an input is, more or less
    network = run_network(weights, [np.full(size, 0.1) for size in sizes[1:]])
    write_networks(str(path), "untrained", {players: network}, {})
    return path


def run_network(weights: list[Any], biases: list[Any]) -> Any:
    from orbis_search.training.rounding import to_network

    return to_network(weights, biases)


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---- a whole run -----------------------------------------------------------------------------------


def test_from_nothing_to_a_network_that_beats_the_untrained_one(tmp_path: Path) -> None:
    plan = Plan((2,), generations=2, games=200, sims=30, epochs=8, match_games=10, match_sims=30, seed=1)
    outcomes = list(train(str(tmp_path / "run"), plan))
    assert [(each.generation, each.players) for each in outcomes] == [(1, 2), (2, 2)]
    assert [each.played for each in outcomes] == [6000, 6000]
    assert [each.positions for each in outcomes] == [6000, 12000]
    for each in outcomes:
        assert len(each.losses) == plan.epochs and all(0.3 < loss < 1.5 for loss in each.losses)
        assert set(each.scores) == {"ours", "random"}
    # Whether so few games find it better than playouts is luck, which may differ on another CPU.
    best = tmp_path / "run" / "best.network"
    assert best.exists() == any(each.kept for each in outcomes)
    trained = tmp_path / "run" / "2" / "2p-candidate.network"
    other = untrained(tmp_path / "untrained.network")
    entries = [f"advisor:sims=200,prove=false,evaluation=learned,network={path}" for path in (trained, other)]
    scores = []
    for tiles in ("", "random:*"):
        match = make_match(entries, tiles=tiles, seed=9)
        tally = Tally(match)
        for game in play(match, 20):
            tally.add(game)
        scores.append(tally.result().standings[0].score)
    assert sum(scores) / 2 >= 0.75, scores  # of 80 games; about nine in ten


def test_three_and_four_players_one_box_and_on_from_there(run: Run, tmp_path: Path) -> None:
    more = (*TINY_ARGUMENTS[2:], "--tiles", "random:7", "--json")
    done = run("train", tmp_path / "first", "--players", 4, "--players", 3, *more)
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert told["plan"]["players"] == [3, 4] and not told["interrupted"]
    assert [each["players"] for each in told["generations"]] == [3, 4]
    for each in told["generations"]:
        assert [score["tiles"] for score in each["scores"]] == ["own"]
    given = untrained(tmp_path / "given.network", 3)
    done = run("train", tmp_path / "second", "--players", 3, "--from", given, *more)
    assert (done.code, done.err) == (0, "")
    assert read_networks(str(tmp_path / "second" / "start.network")).networks.keys() == {3}
    given.unlink()  # it was copied, so it is no longer needed
    assert run("train", tmp_path / "second", "--players", 3, "--from", given, *more) == done


def test_taken_up_again_it_has_nothing_to_do_or_more(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = run("train", folder, *TINY_ARGUMENTS)
    before = files_in(folder)
    assert run("train", folder, *TINY_ARGUMENTS) == first
    assert files_in(folder) == before
    more = run("train", folder, *TINY_ARGUMENTS, "--generations", 2)
    assert more.out.startswith(first.out) and "generation 2, 2 players: 120 positions" in more.out
    assert (folder / "run.svg").read_bytes().startswith(b"<?xml")


# ---- ended at any moment ---------------------------------------------------------------------------


def networks_in(folder: Path) -> dict[str, bytes]:
    """best.network and those on the way to it."""
    found = {name: data for name, data in files_in(folder).items() if name.endswith(".network")}
    assert {"1/2p-candidate.network", "2/2p-candidate.network"} <= found.keys()
    return found


Undisturbed = tuple[dict[str, bytes], float]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The networks of a small run that nobody ended, and the seconds that it took."""
    folder = tmp_path_factory.mktemp("undisturbed")
    begun = time.monotonic()
    done = installed(*SMALL, "--threads", 1, cwd=folder)
    assert (done.code, done.err) == (0, "")
    return networks_in(folder / "run"), time.monotonic() - begun


def test_killed_at_random_moments_it_makes_the_same_networks(undisturbed: Undisturbed, tmp_path: Path) -> None:
    """SIGKILL to the whole process group. A run that came to its end is compared, and another one begun."""
    expected, seconds = undisturbed
    rng = random.Random(os.environ.get("ORBIS_TRAIN_SEED", "7"))
    kills = 0
    while kills < KILLS:
        process = start(*SMALL, "--threads", 1, cwd=tmp_path, start_new_session=True, stdout=-3, stderr=-3)
        end = time.monotonic() + rng.uniform(0, seconds)
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        if process.wait() == -signal.SIGKILL:
            kills += 1
            continue
        assert networks_in(tmp_path / "run") == expected
        shutil.rmtree(tmp_path / "run")
    done = installed(*SMALL, "--threads", 1, cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert networks_in(tmp_path / "run") == expected
    outcome = json.loads((tmp_path / "run" / "2" / "2p.json").read_text())
    assert len(outcome["losses"]) == 4  # those of an ended fit too


def test_the_number_of_processes_makes_no_difference(undisturbed: Undisturbed, tmp_path: Path) -> None:
    done = installed(*SMALL, "--threads", 3, cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert networks_in(tmp_path / "run") == undisturbed[0]


def test_what_a_killed_write_leaves_does_no_harm(tmp_path: Path) -> None:
    clean, littered = tmp_path / "clean" / "run", tmp_path / "littered" / "run"
    list(train(str(clean), TINY))
    (littered / "1").mkdir(parents=True)
    for name in (".run.json~", ".best.network~", "1/.2p-00000.npz~", "1/.2p.fit~", "1/.2p.json~"):
        (littered / name).write_bytes(b"cut sho")
    (littered / "1" / "2p-ours.jsonl").write_bytes(b'{"format": "orbis-ar')
    list(train(str(littered), TINY))
    assert (littered / "1" / "2p-candidate.network").read_bytes() == (clean / "1" / "2p-candidate.network").read_bytes()
    assert json.loads((littered / "1" / "2p.json").read_text()) == json.loads((clean / "1" / "2p.json").read_text())


def test_the_best_that_was_not_written_is_written_later(tmp_path: Path) -> None:
    """Ended between a generation's last file and best.network."""
    folder = tmp_path / "run"
    list(train(str(folder), TINY))
    outcome = folder / "1" / "2p.json"
    outcome.write_text(json.dumps(json.loads(outcome.read_text()) | {"kept": True}))
    (folder / "best.network").unlink(missing_ok=True)
    list(train(str(folder), TINY))
    best, candidate = read_networks(str(folder / "best.network")), folder / "1" / "2p-candidate.network"
    assert best.networks[2].made_of == read_networks(str(candidate)).networks[2].made_of


@needs_proc
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_it_at_once_and_it_goes_on_later(threads: int, undisturbed: Undisturbed, tmp_path: Path) -> None:
    """As from a terminal: the workers get it too."""
    rng = random.Random(threads)
    for work in (0.3, 1.2 + rng.random(), 2.5 + rng.random()):
        with start(*SMALL, "--threads", threads, cwd=tmp_path, start_new_session=True) as process:
            wait_for_work(process, work)
            ended = process.poll() is not None
            begin = time.monotonic()
            if not ended:
                os.killpg(process.pid, signal.SIGINT)
            _out, err = process.communicate(timeout=60)
        if ended or process.returncode == 0:
            break  # it was quicker
        assert (process.returncode, err) == (130, "orbis: interrupted\n")
        assert time.monotonic() - begin < 10  # on a busy machine; else a second
    assert installed(*SMALL, "--threads", threads, cwd=tmp_path).code == 0
    assert networks_in(tmp_path / "run") == undisturbed[0]


def test_interrupted_it_still_writes_json(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> Iterator[Any]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("orbis_search.training.run.in_own_process", interrupted)
    done = run("train", tmp_path / "run", *TINY_ARGUMENTS, "--json")
    assert (done.code, done.err) == (130, "orbis: interrupted\n")
    told = json.loads(done.out)
    assert told["interrupted"] and told["generations"] == []


# ---- bad input -------------------------------------------------------------------------------------


def refused(run: Run, *arguments: object) -> str:
    """The one error line."""
    done = run("train", *arguments)
    assert (done.code, done.out) == (2, ""), done
    assert done.err.startswith("orbis: ") and done.err.count("\n") == 1, done.err
    return done.err.removeprefix("orbis: ").rstrip("\n")


def test_another_plan_in_the_same_folder(run: Run, tmp_path: Path) -> None:
    list(train(str(tmp_path / "run"), TINY))
    before = files_in(tmp_path)
    error = refused(run, tmp_path / "run", *TINY_ARGUMENTS, "--seed", 3, "--games", 4)
    assert error == f"{tmp_path}/run/run.json: expected the same games, seed as when the run began"
    assert files_in(tmp_path) == before


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b'{"format": "orbis-arena"}', b"\xff", b"[" * 100_000])
def test_a_folder_of_something_else(run: Run, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "run.json").write_bytes(data)
    assert refused(run, tmp_path, *TINY_ARGUMENTS).startswith(f"{tmp_path}/run.json: expected ")
    assert files_in(tmp_path) == {"run.json": data}


@pytest.mark.parametrize("data", [None, b"", b"orbis-network 1\n{}\n", "damaged"])
def test_networks_to_go_on_from_that_cannot_be_read(run: Run, tmp_path: Path, data: bytes | str | None) -> None:
    file = tmp_path / "given.network"
    if data == "damaged":
        whole = untrained(file).read_bytes()
        file.write_bytes(whole[:-9] + b"!" + whole[-8:])
    elif isinstance(data, bytes):
        file.write_bytes(data)
    assert refused(run, tmp_path / "run", *TINY_ARGUMENTS, "--from", file).startswith(f"{file}: expected ")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("folder", ["file/run", "file", "/proc/nowhere/run", "with,comma", "a" * 300])
def test_a_folder_that_cannot_be(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_bytes(b"")
    assert "expected a folder" in refused(run, folder, *TINY_ARGUMENTS)
    assert files_in(tmp_path) == {"file": b""} and len(os.listdir()) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_to(run: Run, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "expected a folder" in refused(run, tmp_path / "run", *TINY_ARGUMENTS)


def test_a_tile_set_that_is_not_there(run: Run, tmp_path: Path) -> None:
    assert "nowhere.toml" in refused(run, tmp_path / "run", *TINY_ARGUMENTS, "--tiles", "nowhere.toml")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["jax", "numpy"])
def test_without_what_it_fits_with(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    expected = f"train: expected numpy and JAX (pip install 'orbis-search[train]'), found no {name}"
    assert refused(run, tmp_path / "run", *TINY_ARGUMENTS) == expected
    assert not (tmp_path / "run").exists()


def test_a_run_that_another_program_is_at(run: Run, tmp_path: Path) -> None:
    list(train(str(tmp_path / "run"), TINY))
    descriptor = open_locked(str(tmp_path / "run" / "run.json"))
    try:
        assert "found it in use" in refused(run, tmp_path / "run", *TINY_ARGUMENTS)
    finally:
        os.close(descriptor)


@pytest.mark.parametrize("name", ["2p-00000.npz", "2p.fit", "2p.json"])
def test_a_damaged_file_of_a_run_is_named(run: Run, tmp_path: Path, name: str) -> None:
    list(train(str(tmp_path / "run"), TINY))
    if name != "2p.json":
        (tmp_path / "run" / "1" / "2p.json").unlink()
    path = tmp_path / "run" / "1" / name
    for data in (b"", b"{}", path.read_bytes()[:-30]):
        path.write_bytes(data)
        assert refused(run, tmp_path / "run", *TINY_ARGUMENTS).startswith(f"{path}: expected ")


def test_without_matplotlib_there_is_no_picture(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("orbis_search.training.plot.find_spec", lambda name: None)
    assert run("train", tmp_path / "run", *TINY_ARGUMENTS).code == 0
    assert not (tmp_path / "run" / "run.svg").exists()


# ---- games -----------------------------------------------------------------------------------------


def test_one_seed_makes_the_same_games() -> None:
    job = GamesJob(seed=1, generation=1, players=2, number=0, games=2, sims=4)
    assert play_games(job) == play_games(job)
    for other in ({"seed": 2}, {"generation": 2}, {"number": 1}):
        different = GamesJob(**{name: getattr(job, name) for name in job.__slots__} | other)
        assert play_games(different) != play_games(job), other


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_samples_of_a_game(players: int, tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    path.write_bytes(play_games(GamesJob(seed=1, generation=1, players=players, number=0, games=2, sims=4)))
    data = fitting._Data([str(path)], players)
    turns = 15 * players
    assert data.turns_left.tolist() == 2 * list(range(turns, 0, -1))
    assert data.inputs.shape == (2 * turns, layer_sizes(players)[0])
    for shares in (data.results, data.values):
        assert shares.shape == (2 * turns, players)
        assert np.allclose(shares.sum(1), 1) and shares.min() >= 0
    # The result is one and the same, seen by each player in turn.
    for turn in range(turns):
        assert np.array_equal(np.roll(data.results[turn], turn % players), data.results[0])
        assert np.array_equal(np.roll(data.facts[turn], turn % players, 0), data.facts[0])
    # It counts down to the next turn that was not the best, or to the end.
    assert (data.well_played <= data.turns_left).all()
    follows = data.well_played[:-1] - data.well_played[1:]
    assert ((follows == 1) | (data.well_played[:-1] == 0) | (data.turns_left[:-1] == 1)).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_came_of_good_play(players: int) -> None:
    """The result, or what the search said when somebody played another move; as the player to move sees it."""
    data = some_data(players, games=2, seed=3)
    said = data.put_right()
    expected = data.results.astype(float)
    for turn in range(len(said)):
        if data.well_played[turn] < data.turns_left[turn]:
            expected[turn] = np.roll(said[turn + data.well_played[turn]], data.well_played[turn])
    late = data.turns_left <= (2 * players if players == 2 else 0)
    assert np.allclose(data.targets(0.0)[~late], expected[~late])
    assert np.allclose(data.targets(1.0)[~late], said[~late])
    assert 0 < (data.well_played == data.turns_left).sum() < len(said)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_searches_are_put_right_by_results(players: int) -> None:
    """A search that is half as sure as it should be and thinks too much of the second seat and of who is next to move
    is believed in nothing of it."""
    data = some_data(players, games=4000, seed=1)
    truth = data.values.astype(float)
    luck = np.random.default_rng(2)
    for turn in range(len(truth)):
        data.results[turn] = np.eye(players)[luck.choice(players, p=truth[turn] / truth[turn].sum())]
    seats = (-data.turns_left.astype(int)[:, None] % players + np.arange(players)) % players
    data.values = np.sqrt(truth) * np.where(seats == 1, 1.5, 1) * np.where(np.arange(players) == 1, 0.7, 1)
    data.values /= data.values.sum(1, keepdims=True)
    data.well_played = data.turns_left.astype(int)
    right = data.put_right()
    assert np.abs(data.values - truth).mean() > 0.05
    assert np.abs(right - truth).mean() < 0.012
    assert np.allclose(right.sum(1), 1)


def some_data(players: int, games: int, seed: int) -> Any:
    """Made up: three turns of each game."""
    luck = np.random.default_rng(seed)
    data = fitting._Data.__new__(fitting._Data)
    data.players = players
    n = 3 * games
    data.turns_left = np.tile(np.array([12, 11, 10], np.uint8), games)
    data.well_played = np.tile(np.array([2, 1, 0]), games)
    data.well_played[n // 2 :] = data.turns_left[n // 2 :]
    data.values = luck.dirichlet(np.ones(players), n).astype(np.float32)
    data.results = np.eye(players, dtype=np.float32)[luck.integers(players, size=n)]
    return data


def test_the_network_plays_its_games(tmp_path: Path) -> None:
    network = untrained(tmp_path / "some.network")
    job = GamesJob(seed=1, generation=1, players=2, number=0, games=1, sims=8)
    by_network = GamesJob(seed=1, generation=1, players=2, number=0, games=1, sims=8, network=str(network))
    assert play_games(job) != play_games(by_network) == play_games(by_network)


def test_held_out_tile_sets_are_never_drawn_for_training() -> None:
    rng = random.Random(1)
    drawn: dict[bool, set[str]] = {False: set(), True: set()}
    for held_out in (False, True):
        job = GamesJob(1, 1, 2, 0, 1, 4, held_out=held_out)
        drawn[held_out] = {tiles_of(job, rng) for _ in range(30_000)}
    assert drawn[False] & drawn[True] == {DEFAULT_TILE_SET}
    numbers = {held_out: {int(name[7:]) for name in names - {DEFAULT_TILE_SET}} for held_out, names in drawn.items()}
    assert min(numbers[False]) >= 1 and max(numbers[False]) <= SETS < HELD_OUT <= min(numbers[True])
    assert len(numbers[False]) > SETS / 2


def test_no_fit_has_a_game_on_held_out_tiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: dict[int, list[str]] = {}  # names of tile sets, by the job's number
    jobs: list[FitJob] = []
    load = selfplay.load_tile_set

    def watched(job: GamesJob) -> bytes:
        names = played.setdefault(job.number, [])
        monkeypatch.setattr(selfplay, "load_tile_set", lambda name: (names.append(name), load(name))[1])
        return play_games(job)

    monkeypatch.setattr(run, "play_games", watched)
    monkeypatch.setattr(run, "in_own_process", lambda work, job: (jobs.append(job), in_own_process(work, job))[1])
    monkeypatch.setattr(run, "GAMES_A_JOB", 5)
    plan = Plan((2,), generations=1, games=13, sims=4, epochs=1, match_games=2, match_sims=4)
    with closing(train(str(tmp_path / "run"), plan)) as outcomes:
        (outcome,) = outcomes
    assert isinstance(outcome, Outcome) and outcome.positions == 13 * 30
    (job,) = jobs
    names = {
        kind: {name for file in files for name in played[int(Path(file).stem[-5:])]}
        for kind, files in (("samples", job.samples), ("held out", job.held_out))
    }
    assert sum(map(len, played.values())) == 13 + 5
    assert names["samples"] & names["held out"] <= {DEFAULT_TILE_SET}
    assert any(name != DEFAULT_TILE_SET for name in names["held out"])


def test_few_samples_make_small_batches(tmp_path: Path) -> None:
    """So that a small run learns something: its losses fall."""
    for number, held_out in enumerate((False, True)):
        job = GamesJob(1, 1, 2, number, 25, 8, held_out=held_out)
        (tmp_path / f"{number}.npz").write_bytes(play_games(job))
    files = [str(tmp_path / f"{number}.npz") for number in range(2)]
    job = FitJob(2, (files[0],), (files[1],), 6, 0.2, 1, str(tmp_path / "fit"))
    epochs = list(in_own_process(fitting.fit, job))
    assert [each.number for each in epochs] == [1, 2, 3, 4, 5, 6]
    assert min(epochs[-1].losses) < 0.75
    assert epochs[-1].points_error < epochs[0].points_error
    again = list(in_own_process(fitting.fit, job))  # from the checkpoint: the last one alone
    assert [each.losses for each in again] == [epochs[-1].losses]
    assert again[0].network.made_of == epochs[-1].network.made_of


def test_the_program_imports_jax_only_to_train() -> None:
    program = "import sys, orbis_search.training.run; print('jax' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
