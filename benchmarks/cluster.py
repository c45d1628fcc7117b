"""What a job costs on Ray, and what that leaves of a cluster.

    python benchmarks/cluster.py                          # jobs, and games of 0.2 s a move
    python benchmarks/cluster.py --advice 50              # advise --cluster beside advise, on so many positions

Ray runs on this machine, with as many workers as there are local processes beside it; `--cluster HOST:PORT` takes a
cluster that is there. It prints what each kind of job and answer has in bytes; how many empty jobs are done a second;
and which part of the workers' time is not spent on moves in games by the clock, in turns, which a busy machine does not
change; what Ray's own processes take from the cores comes on top. What a job costs is the most jobs a second that are
handed out: times the seconds that a job takes, that is the most cores that can be kept busy.
"""

from __future__ import annotations

import os
import pickle
import random
import re
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import click

from orbis_search.advice.advisor import advise
from orbis_search.advice.spread import Part, search_part
from orbis_search.base.cluster import Cluster
from orbis_search.base.jobs import Workers, do_jobs
from orbis_search.core.fast_rules import play_turns
from orbis_search.core.packing import Packing
from orbis_search.game.position import Position
from orbis_search.game.rules import new_game
from orbis_search.measure.fixed_work import build_name
from orbis_search.notation import read_position, write_oneline
from orbis_search.notation.examples import example_text
from orbis_search.players.arena import make_match, play
from orbis_search.record.game import Record
from orbis_search.review.batch import Settings as ReviewSettings
from orbis_search.search.settings import SearchSettings
from orbis_search.solver.batch import Settings, Task, _solve_one
from orbis_search.tileset.library import load_tile_set

SECONDS_A_MOVE = 0.2


@click.command()
@click.option("--cluster", "address", default="auto", show_default=True)
@click.option("--workers", default=os.cpu_count() or 1, show_default="one a core", help="Local processes.")
@click.option("--jobs", default=2000, show_default=True, help="Empty ones.")
@click.option("--games", default=8, show_default=True, help="In each round.")
@click.option("--rounds", default=2, show_default=True, help="Of games, local and Ray in turns.")
@click.option("--advice", default=0, help="Positions; nothing else is measured then.")
@click.option("--sims", default=200_000, show_default=True, help="With --advice.")
def main(address: str, workers: int, jobs: int, games: int, rounds: int, advice: int, sims: int) -> None:
    began = perf_counter()
    with Cluster(address, build_name, print) as cluster:
        count = cluster.count()
        print(f"Ray at {address} with {count} workers after {perf_counter() - began:.1f} s, {workers} local processes")
        if advice:
            compare_advice(advice, sims, cluster)
            return
        sizes()
        for name, where in (("local processes", workers), ("Ray", cluster)):
            for _ in do_jobs(abs, range(50), where):
                pass
            began = perf_counter()
            assert sum(1 for _ in do_jobs(abs, range(jobs), where)) == jobs
            print(f"empty jobs, {name}: {jobs / (perf_counter() - began):,.0f} a second")
        if rounds:
            compare_games(games, rounds, workers, cluster)


def sizes() -> None:
    """Of jobs and answers, as they are sent."""
    position = middle_game(1)
    ending = Packing(new_game(load_tile_set(), 2, random.Random(1)))
    for _ in play_turns(ending.state, 27, random.Random(1), "sensible"):
        pass
    last = ending.position(ending.state)
    task = Task("one", write_oneline(last).encode(), ".")
    solve_job = task, last, Settings()
    part = Part(position, SearchSettings(), 64 << 20, 1, 2000, None)
    (game, *_) = play(make_match(["greedy", "random"]), 1)
    pairs: dict[str, tuple[Any, Any]] = {
        "a game of the arena": ((0, 0), game),
        "an ending": (solve_job, _solve_one(solve_job)),
        "a review": ((task, Record(position), ReviewSettings()), None),
        "a part of an advice": (part, search_part(part)),
    }
    for name, (job, answer) in pairs.items():
        told = "" if answer is None else f", answer {len(pickle.dumps(answer)):,} bytes"
        print(f"{name}: job {len(pickle.dumps(job)):,} bytes{told}")


def compare_games(games: int, rounds: int, workers: int, cluster: Cluster) -> None:
    match = make_match([f"advisor:time={SECONDS_A_MOVE}s,prove=false"] * 2, seed=1)
    ways: tuple[tuple[str, Workers | int, int], ...] = (
        ("local processes", workers, workers),
        ("Ray", cluster, cluster.count()),
    )
    for _, where, _ in ways:
        list(play(match, 1, where))  # everybody is there, and has loaded everything
    lost: dict[str, list[float]] = {name: [] for name, _, _ in ways}
    services: list[float] = []
    for _ in range(rounds):
        for name, where, count in ways:
            before, began = service_seconds(cluster), perf_counter()
            played = sum(sum(game.seconds) for game in play(match, games // 2, where))
            passed = perf_counter() - began
            lost[name].append(1 - played / (count * passed))
            if name == "Ray":
                services.append((service_seconds(cluster) - before) / passed)
    for name, parts in lost.items():
        told = ", ".join(f"{100 * part:.1f}" for part in parts)
        print(f"{games} games of {SECONDS_A_MOVE} s a move, {name}: {100 * median(parts):.1f} % lost ({told})")
    print(f"Ray's own processes: {100 * median(services):.1f} % of a core")


def service_seconds(cluster: Cluster) -> float:
    """Of processor time, of all that Ray runs on this machine besides the workers. Nothing if it was there before."""
    assert cluster._process is not None
    stats = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, name, fields = re.fullmatch(r"(\d+) \((.*)\) (.*)", path.read_text().strip(), re.DOTALL).groups()
        except OSError:
            continue  # it has ended
        numbers = fields.split()
        stats[int(pid)] = int(numbers[1]), name, (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")
    family = {cluster._process.pid}
    while more := {pid for pid, (parent, _, _) in stats.items() if parent in family} - family:
        family |= more
    return sum(seconds for pid, (_, name, seconds) in stats.items() if pid in family and "OrbisWor" not in name)


def middle_game(seed: int) -> Position:
    """On our tiles, on random ones, in turn; the first is the built-in example."""
    if seed == 1:
        return read_position(example_text())
    tiles = load_tile_set("reconstruction" if seed % 2 else f"random:{seed}")
    packing = Packing(new_game(tiles, 2, random.Random(seed)))
    turns = random.Random(seed).randint(2, 24)
    for _ in play_turns(packing.state, turns, random.Random(seed), "sensible"):
        pass
    return packing.position(packing.state)


def compare_advice(positions: int, sims: int, cluster: Cluster) -> None:
    """The best moves' values, with the same simulations in all; sampled, not proved."""
    apart, same, shared, widths = [], 0, 0, []
    for seed in range(1, positions + 1):
        position = middle_game(seed)
        alone = advise(position, simulations=sims, seed=seed, why=None, prove=False)
        spread = advise(position, simulations=sims, seed=seed, why=None, prove=False, workers=cluster)
        same += alone.best.move == spread.best.move
        known = {each.move: each for each in alone.candidates if each.known}
        (mine, theirs) = alone.best, next(each for each in spread.candidates if each.move == alone.best.move)
        inside = max(mine.low, theirs.low) <= min(mine.high, theirs.high)
        apart.append((abs(mine.win - theirs.win), inside, theirs.low <= mine.win <= theirs.high))
        widths.append((theirs.error, mine.error))
        shared += all(
            max(each.low, known[each.move].low) <= min(each.high, known[each.move].high)
            for each in spread.candidates
            if each.known and each.move in known
        )
    print(f"{positions} positions, {sims:,} simulations each way; the best move alone, beside its value spread:")
    print(
        f"  intervals overlap: {sum(each[1] for each in apart)}; value alone inside the spread interval: "
        f"{sum(each[2] for each in apart)}"
    )
    print(f"  intervals of every move that both measured overlap: {shared}")
    print(
        f"  mean distance {100 * sum(each[0] for each in apart) / positions:.2f} points of the chance to win; "
        f"half an interval is {100 * sum(each[0] for each in widths) / positions:.1f} spread, "
        f"{100 * sum(each[1] for each in widths) / positions:.1f} alone"
    )
    print(f"  same best move: {same}")


if __name__ == "__main__":
    main()
