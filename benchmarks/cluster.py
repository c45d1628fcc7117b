"""What a job costs on Ray, and what that leaves of a cluster.

    python benchmarks/cluster.py                          # jobs, and games of 0.2 s a move
    python benchmarks/cluster.py --advice 50              # advise --cluster beside advise, on so many positions

Ray runs on this machine, with as many workers as there are local processes beside it. It prints what each kind of job
and answer has in bytes, how many empty jobs are done a second, and the share of time that is lost in games of 0.2 s a
move against local processes. For that the same games, with as many simulations a move as take so long, are played both
ways in turns: local, Ray, Ray, local. Workers say when each game began and ended, and a way takes the time from the
beginning of each worker's first game to the end of its last. So a game that Ray's own processes slow down counts, and
so does a worker that waits for its next job; the start, and the end, where one waits for the other, do not.

What a job costs is the most jobs a second that are handed out: times the seconds that a job takes, that is the most
cores that can be kept busy.
"""

from __future__ import annotations

import math
import os
import pickle
import random
import re
from pathlib import Path
from statistics import mean, median, stdev
from time import perf_counter
from typing import Any

import click
from clocked import ClockedGames, Stay

from orbis_search.advice.advisor import advise
from orbis_search.advice.data import Candidate
from orbis_search.advice.spread import Part, search_part
from orbis_search.base.cluster import Cluster
from orbis_search.base.jobs import Workers, all_answered, do_jobs
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
TRIED = 4_000  # simulations a move, to see how long they take
LOCAL, RAY = "local processes", "Ray"
EMPTY_ROUNDS = 3
WARM = 100  # empty jobs, before they are counted


@click.command()
@click.option("--jobs", default=2000, show_default=True, help="Empty ones.")
@click.option("--games", default=4, show_default=True, help="Each time.")
@click.option("--rounds", default=2, show_default=True, help="Of games: local, Ray, Ray, local.")
@click.option("--advice", default=0, help="Positions; nothing else is measured then.")
@click.option("--sims", default=200_000, show_default=True, help="With --advice.")
def main(jobs: int, games: int, rounds: int, advice: int, sims: int) -> None:
    # Ray's workers look there as well.
    here = str(Path(__file__).parent.resolve())
    os.environ["PYTHONPATH"] = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
    began = perf_counter()
    with Cluster("auto", build_name, print) as cluster:
        workers = cluster.count()
        print(f"Ray with {workers} workers after {perf_counter() - began:.1f} s, and as many local processes")
        if advice:
            compare_advice(advice, sims, cluster)
            return
        sizes()
        for name, where in (("local processes", workers), ("Ray", cluster)):
            rates = [empty_jobs(jobs, where) for _ in range(EMPTY_ROUNDS)]
            told = ", ".join(f"{rate:,.0f}" for rate in rates)
            print(f"empty jobs, {name}: {median(rates):,.0f} a second ({told})")
        if rounds:
            compare_games(games, rounds, workers, cluster)


def empty_jobs(jobs: int, where: Workers | int) -> float:
    """A second, once everybody is there."""
    done = do_jobs(abs, range(WARM + jobs), where)
    for _, _ in zip(range(WARM), done):
        pass
    began = perf_counter()
    counted = sum(1 for _ in done)
    return counted / (perf_counter() - began)


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
    # 1. As many simulations as take so long.
    (tried,) = [stay for _, stay in do_jobs(clocked_games(TRIED), [(0, 0)])]
    sims = round(TRIED * SECONDS_A_MOVE / ((tried.ended - tried.began) / tried.moves))
    work = clocked_games(sims)

    # 2. The same games both ways, in turns.
    spent: dict[str, list[float]] = {LOCAL: [], RAY: []}
    starts: dict[str, list[float]] = {LOCAL: [], RAY: []}
    gaps: dict[str, list[float]] = {LOCAL: [], RAY: []}
    services: list[float] = []
    jobs = [divmod(number, 2) for number in range(games)]
    moves = 0
    for _ in range(rounds):
        for name in (LOCAL, RAY, RAY, LOCAL):
            before, asked = service_seconds(cluster), perf_counter()
            stays = [stay for _, stay in all_answered(do_jobs(work, jobs, cluster if name == RAY else workers))]
            if name == RAY:
                services.append((service_seconds(cluster) - before) / (perf_counter() - asked))
            spent[name].append(at_work(stays))
            starts[name].append(min(stay.began for stay in stays) - asked)
            gaps[name].append((at_work(stays) - sum(stay.ended - stay.began for stay in stays)) / len(stays))
            moves = sum(stay.moves for stay in stays)
    a_move = median(spent[LOCAL]) / moves
    print(f"{games} games of {sims:,} simulations a move, {a_move:.2f} s each, {rounds} times local, Ray, Ray, local")

    # 3. The first half of a round and the second are a pair each.
    for local, ray in zip(spent[LOCAL], spent[RAY]):
        print(f"  local processes {local:.2f} s, Ray {ray:.2f} s: {100 * (1 - local / ray):+.1f} % lost")
    parts = [1 - local / ray for local, ray in zip(spent[LOCAL], spent[RAY])]
    error = stdev(parts) / len(parts) ** 0.5
    print(f"lost with Ray: {100 * mean(parts):+.1f} % on average, standard error {100 * error:.1f}")
    for name in (LOCAL, RAY):
        print(
            f"{name}: the first game began after {median(starts[name]):.2f} s, and a worker waited "
            f"{1000 * median(gaps[name]):.1f} ms for each of the others"
        )
    print(f"Ray's own processes: {100 * median(services):.1f} % of a core")


def clocked_games(sims: int) -> ClockedGames:
    return ClockedGames(make_match([f"advisor:sims={sims},prove=false"] * 2, seed=1))


def at_work(stays: list[Stay]) -> float:
    """From the beginning of each worker's first game to the end of its last, in all."""
    workers = {stay.worker for stay in stays}
    return sum(
        max(stay.ended for stay in stays if stay.worker == each)
        - min(stay.began for stay in stays if stay.worker == each)
        for each in workers
    )


def service_seconds(cluster: Cluster) -> float:
    """Of processor time, of all that Ray runs besides the workers."""
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
    """With the same simulations in all; sampled, not proved."""
    found = [compare_position(seed, sims, cluster) for seed in range(1, positions + 1)]
    best = [rows[0] for rows, _ in found]
    every = [row for rows, _ in found for row in rows]
    print(f"{positions} positions, {sims:,} simulations each way, advise beside advise --cluster")
    for name, pairs in (("the best move", best), ("every move that both measured", every)):
        overlap = sum(max(a.low, b.low) <= min(a.high, b.high) for a, b in pairs)
        # 95 of 100 differences of two independent values are smaller than their errors together.
        within = sum(abs(a.win - b.win) <= math.hypot(a.error, b.error) for a, b in pairs)
        bias = 100 * mean(b.win - a.win for a, b in pairs)
        apart = 100 * mean(abs(b.win - a.win) for a, b in pairs)
        halves = [100 * mean(each) for each in zip(*((a.error, b.error) for a, b in pairs))]
        print(f"{name}: {len(pairs)} pairs of values")
        print(f"  intervals overlap: {overlap}; difference within both errors together: {within}")
        print(f"  {bias:+.2f} points of the chance to win on a cluster, {apart:.2f} apart, both on average")
        print(f"  half an interval: {halves[0]:.1f} points, {halves[1]:.1f} on a cluster")
    print(f"the same best move: {sum(same for _, same in found)}")


def compare_position(seed: int, sims: int, cluster: Cluster) -> tuple[list[tuple[Candidate, Candidate]], bool]:
    """What both say of each move that both measured, the best move of `advise` first; whether they agree on that."""
    position = middle_game(seed)
    alone = advise(position, simulations=sims, seed=seed, why=None, prove=False)
    spread = advise(
        position, simulations=sims, seed=seed, why=None, prove=False, workers=cluster, keep=[alone.best.move]
    )
    theirs = {each.move: each for each in spread.candidates if each.measured}
    rows = [(each, theirs[each.move]) for each in alone.candidates if each.measured and each.move in theirs]
    assert rows[0][0] is alone.best
    return rows, alone.best.move == spread.best.move


if __name__ == "__main__":
    main()
