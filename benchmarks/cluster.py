"""What a job costs on Ray, and what that leaves of a cluster.

    python benchmarks/cluster.py                          # jobs, and games of 0.2 s a move
    python benchmarks/cluster.py --advice 50              # advise --cluster beside advise, on so many positions

Ray runs on this machine, with as many workers as there are local processes beside it; `--cluster HOST:PORT` takes a
cluster that is there. It prints what each kind of job and answer has in bytes; how many empty jobs are done a second;
and how much longer the same games take, in turns. The players count simulations, as many as take 0.2 s a move here, so
both ways play the same games, and what Ray's own processes take from the cores counts too. What a job costs its asker
is the most jobs a second it can hand out: times the seconds that a job takes, that is the most cores it can keep busy.
"""

from __future__ import annotations

import os
import pickle
import random
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
from orbis_search.search.driver import Search
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
    search = Search(Packing(middle_game(1)).state, seed=1)
    search.finish(seconds=1.0)
    sims = int(search.simulations * SECONDS_A_MOVE)
    match = make_match([f"advisor:sims={sims},prove=false"] * 2, seed=1)
    times: dict[str, list[float]] = {"local": [], "Ray": []}
    ways: tuple[tuple[str, Workers | int], ...] = (("local", workers), ("Ray", cluster))
    for _ in range(rounds):
        found = []
        for name, where in ways:
            began = perf_counter()
            played = sorted(play(match, games // 2, where), key=lambda game: (game.round, game.rotation))
            times[name].append(perf_counter() - began)
            found.append(played)
        assert found[0] == found[1]
    a_move = sum(sum(game.seconds) for game in found[1]) / sum(len(game.moves) for game in found[1])
    local, ray = median(times["local"]), median(times["Ray"])
    print(
        f"{games} games of {sims:,} simulations a move ({a_move:.2f} s), the same both ways: local {local:.1f} s, "
        f"Ray {ray:.1f} s; Ray loses {100 * (ray / local - 1):.1f} % (rounds: "
        + ", ".join(f"{100 * (b / a - 1):+.1f} %" for a, b in zip(times["local"], times["Ray"]))
        + ")"
    )


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
