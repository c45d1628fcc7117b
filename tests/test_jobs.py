"""The seam for jobs: each exactly once, whatever happens to those who do them. Ray's side of it is in test_cluster."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from jobs_for_tests import Closing, Ends

from orbis_search import InputError, read_position, speaking
from orbis_search.advice.advisor import advise
from orbis_search.base import cluster
from orbis_search.base.jobs import HOPELESS, Carrying, GaveUp, all_answered, do_in_order, do_jobs
from orbis_search.moves.data import list_moves
from orbis_search.notation.examples import example_text
from orbis_search.search.networks import BUILT_IN, network_file, read_networks
from orbis_search.search.settings import SearchSettings
from orbis_search.tileset.files import dump_tile_set
from orbis_search.tileset.library import load_tile_set, tile_set_file
from program import Run

# ---- workers that fail -----------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_each_job_comes_out_once(workers: int) -> None:
    found = list(do_jobs(abs, range(-20, 20), workers))
    assert sorted(found) == [(job, abs(job)) for job in range(-20, 20)]
    assert list(do_in_order(abs, range(-20, 20), workers)) == sorted(found)


@pytest.mark.parametrize("workers", [1, 2])
def test_jobs_are_taken_when_somebody_is_free(workers: int) -> None:
    """Else an endless stream would never begin."""
    taken = []
    jobs = do_jobs(abs, (taken.append(number) or number for number in count()), workers)
    assert next(jobs)[1] in range(workers)
    jobs.close()
    assert len(taken) <= 3 * workers


def test_a_lost_job_is_done_again(tmp_path: Path) -> None:
    found = sorted(do_jobs(Ends(tmp_path, at=5, times=2), range(10), 2))
    assert found == [(job, job * job) for job in range(10)]
    assert len(list(tmp_path.iterdir())) == 3


def test_a_job_is_given_up_and_the_rest_goes_on(tmp_path: Path) -> None:
    found = dict(do_jobs(Ends(tmp_path, at=5, times=99), range(10), 2))
    lost = found.pop(5)
    assert isinstance(lost, GaveUp)
    assert str(lost) == "expected an answer in 3 tries, found: its process ended (exit code 3)"
    assert found == {job: job * job for job in range(10) if job != 5}
    with pytest.raises(GaveUp, match="job 5: expected an answer in 3 tries"):
        list(all_answered(do_jobs(Ends(tmp_path, at=5, times=99), range(10), 2), lambda job: f"job {job}"))


def test_a_mistake_of_ours_is_no_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    found = dict(do_jobs(int, ["1", "x", "2"], 2))
    assert (found["1"], found["2"]) == (1, 2)
    assert "in 3 tries, found: ValueError: invalid literal" in str(found["x"])
    assert capfd.readouterr().err == ""


def test_if_no_job_is_answered_it_is_not_the_jobs() -> None:
    jobs = iter(["x"] * 1000)
    with pytest.raises(GaveUp, match="ValueError"):
        list(do_jobs(int, jobs, 2))
    assert len(list(jobs)) >= 1000 - HOPELESS - 4


@pytest.mark.parametrize("workers", [1, 2])
def test_work_is_closed_where_it_was_done(tmp_path: Path, workers: int) -> None:
    assert len(list(do_jobs(Carrying(Closing(tmp_path), {}), range(8), workers))) == 8
    assert len(list(tmp_path.iterdir())) in range(1, workers + 1)


def test_workers_speak_the_language_of_whoever_asks() -> None:
    with speaking("de"):
        (_, here), (_, there) = (next(do_jobs(load_tile_set, ["?"], workers)) for workers in (1, 2))
    assert isinstance(here, InputError) and isinstance(there, InputError)
    assert "erwartet" in str(here) and there.problems == here.problems


# ---- what travels ----------------------------------------------------------------------------------


def test_files_travel_with_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And are read nowhere else: here they are gone when the work begins."""
    monkeypatch.chdir(tmp_path)
    Path("box.toml").write_text(dump_tile_set(load_tile_set("random:3")), encoding="utf-8")
    Path("own.network").write_bytes(Path(BUILT_IN).read_bytes())
    tiles, network = load_tile_set("box.toml"), read_networks("own.network")
    files = tile_set_file("box.toml") | network_file(SearchSettings(network="own.network"))
    parcels = [pickle.dumps(Carrying(read, files)) for read in (load_tile_set, read_networks)]
    Path("box.toml").unlink()
    Path("own.network").unlink()
    assert pickle.loads(parcels[0])("box.toml") == tiles
    assert str(pickle.loads(parcels[1])("own.network")) == str(network)
    for read, name in ((load_tile_set, "box.toml"), (read_networks, "own.network")):
        with pytest.raises(InputError):
            read(name)
    assert tile_set_file("reconstruction") == tile_set_file("random:3") == network_file(SearchSettings()) == {}


# ---- a search that is spread -----------------------------------------------------------------------


def test_a_search_that_is_spread_does_not_depend_on_the_workers() -> None:
    position = read_position(example_text())
    here, there = (advise(position, simulations=120_000, seed=4, workers=workers) for workers in (1, 2))
    assert replace(here, seconds=0) == replace(there, seconds=0)
    assert here.simulations == 120_000 and here.best.line and here.why is not None
    alone = advise(position, simulations=120_000, seed=4)
    both = {each.move: each for each in alone.candidates if each.measured}
    shared = [(each, both[each.move]) for each in here.candidates if each.measured and each.move in both]
    assert len(shared) > 3
    for spread, whole in shared:
        assert abs(spread.win - whole.win) <= spread.error + whole.error


def test_moves_that_are_kept_are_measured_in_a_spread_search() -> None:
    position = read_position(example_text())
    kept = list_moves(position).groups[-1][-1]
    advice = advise(position, simulations=4000, seed=1, workers=1, keep=[kept], why=None)
    (row,) = [each for each in advice.candidates if each.move == kept]
    assert row.kept and row.measured and row.sampled > 20
    alone = advise(position, simulations=4000, seed=1, workers=1, why=None)
    assert alone.best == advice.best


def test_a_spread_search_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    advice = advise(read_position(example_text()), seconds=0.4, seed=1, workers=1)
    assert advice.stopped == "time" and advice.best.measured and advice.simulations > 50
    with pytest.raises(InputError, match="confidence: expected none"):
        advise(read_position(example_text()), confidence=0.95, workers=1)


# ---- without Ray -----------------------------------------------------------------------------------

COMMANDS = {
    "advise": ("advise", "--sims", 10),
    "arena": ("arena", "random", "random", "--games", 2),
    "solve": ("solve", "--batch", "DIR"),
    "review": ("review", "--batch", "DIR"),
    "verify": ("verify", "--decisions", 1),
    "regret": ("bench", "regret", "--positions", 1),
    "train": ("train", "DIR"),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=list(COMMANDS))
def test_without_ray_a_command_says_what_to_install(
    run: Run, command: tuple[object, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    words = [tmp_path if word == "DIR" else word for word in command]
    message = (
        "orbis: --cluster: expected Ray (pip install 'orbis-search[cluster]', in a clone '.[cluster]'), found none\n"
    )
    assert run(*words, "--cluster", "auto") == (2, "", message)


@pytest.mark.parametrize("address", ["", "somewhere", "host:", ":1", "host:port", "ray://host:1", "a b:1", "h:123456"])
def test_addresses_that_are_none(run: Run, address: str) -> None:
    code, out, err = run("verify", "--cluster", address)
    assert (code, out) == (2, "")
    assert err.startswith("orbis: --cluster: expected auto or the address of a Ray cluster, HOST:PORT, found ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("verify", "--threads", 2), "--threads cannot be combined with --cluster"),
        (("advise", "--confidence", 95), "--confidence cannot be combined with --cluster"),
        (("solve",), "--cluster goes with --batch"),
        (("review", "game.orbis"), "--cluster goes with --batch"),
        (("arena", "random", "cmd:true"), "expected players that every machine has, found a program: cmd:true"),
    ],
)
def test_what_does_not_go_with_a_cluster(
    run: Run, arguments: tuple[object, ...], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: name)  # Ray need not be there to say so
    code, out, err = run(*arguments, "--cluster", "auto")
    assert (code, out) == (2, "") and words in " ".join(err.split())
