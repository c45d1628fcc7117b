"""What a job costs on Ray, and what that leaves of a cluster.

    python benchmarks/cluster.py                          # jobs, and games of 0.2 s a move
    python benchmarks/cluster.py --advice 50              # advise --cluster beside advise, on so many positions

Ray runs on this machine, with as many workers as there are local processes beside it. It prints what each kind of job
and answer has in bytes, how many empty jobs are done a second, and the share of time that is lost in games of 0.2 s a
move against local processes. For that the same games, with as many simulations a move as take so long, are played both
ways in turns: local, Ray, Ray, local. The share is told in two ways:

- By the clock: from the beginning of each worker's first game to the end of its last, as workers report it. This has
  everything but the start and the end, where one worker waits for the other; and whatever else the machine does.
- Counted: the processor time of the games, of this program and of all that Ray runs besides, and the time that workers
  waited for a game. What Ray runs besides takes its part of a core whether games go on fast or slowly, so on a machine
  that other programs keep busy this is too much: that part is printed as well.

What a job costs is the most jobs a second that are handed out: times the seconds that a job takes, that is the most
cores that can be kept busy.
"""

from __future__ import annotations

import math
import os
import pickle
import random
import re
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median, stdev
from time import perf_counter, process_time
from typing import Any, NamedTuple

import click
from clocked import ClockedGames, Stay

from orbis_search.advice.advisor import advise
from orbis_search.advice.data import Candidate
from orbis_search.advice.spread import Part, search_part
from orbis_search.base.cluster import Cluster
from orbis_search.base.jobs import Workers, all_answered, do_jobs
from orbis_search.core.fast_rules import play_turns
from orbis_search.core.packing import Packing, unpack_move
from orbis_search.game.position import Position
from orbis_search.game.rules import new_game
from orbis_search.measure.fixed_work import build_name
from orbis_search.notation import read_position, write_oneline
from orbis_search.notation.examples import example_text
from orbis_search.players.arena import _Games, make_match
from orbis_search.record.game import Record
from orbis_search.review.batch import Settings as ReviewSettings
from orbis_search.review.batch import _review_one
from orbis_search.search.settings import SearchSettings
from orbis_search.solver.batch import Settings, Task, _solve_one
from orbis_search.tileset.library import load_tile_set

SECONDS_A_MOVE = 0.2
TRIED = 20_000  # simulations a move, to see how long they take
LOCAL, RAY = "local processes", "Ray"
SAMPLE = 8  # jobs of each kind
ENDING_TURNS = 4
EMPTY_ROUNDS = 3
WARM = 100  # empty jobs, before they are counted


@click.command()
@click.option("--jobs", default=2000, show_default=True, help="Empty ones; 0: games only.")
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
        if jobs:
            compare_jobs(jobs, workers, cluster)
        if rounds:
            compare_games(games, rounds, workers, cluster)


def compare_jobs(jobs: int, workers: int, cluster: Cluster) -> None:
    kinds = kinds_of_jobs()
    rates: dict[str, float] = {}
    for name, where in ((LOCAL, workers), (RAY, cluster)):
        found = [empty_jobs(jobs, where) for _ in range(EMPTY_ROUNDS)]
        rates[name] = median(found)
        print(f"empty jobs, {name}: {rates[name]:,.0f} a second ({', '.join(f'{rate:,.0f}' for rate in found)})")
    for name, seconds in kinds.items():
        print(f"cores that Ray keeps busy, {name}: {rates[RAY] * seconds:,.0f}")


def empty_jobs(jobs: int, where: Workers | int) -> float:
    """A second, once everybody is there."""
    done = do_jobs(abs, range(WARM + jobs), where)
    for _, _ in zip(range(WARM), done):
        pass
    began = perf_counter()
    counted = sum(1 for _ in done)
    return counted / (perf_counter() - began)


def kinds_of_jobs() -> dict[str, float]:
    """Prints what is sent, on average; gives the seconds of processor time that each kind takes."""
    match = make_match(["advisor:sims=300", "greedy"], seed=1)
    records = [whole_game(seed) for seed in range(SAMPLE)]
    endings = [record.position(record.last - ENDING_TURNS + 1) for record in records]
    task = Task("one", write_oneline(endings[0]).encode(), ".")
    review = ReviewSettings(simulations=60)
    kinds: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
        "a game of 300 simulations a move against greedy": (_Games(match), [(number, 0) for number in range(SAMPLE)]),
        f"an ending, {ENDING_TURNS} turns left": (_solve_one, [(task, each, Settings()) for each in endings]),
        "a review with 60 simulations a move": (_review_one, [(task, each, review) for each in records]),
        "a part of an advice, 25,000 simulations": (
            search_part,
            [Part(middle_game(1), SearchSettings(), 64 << 20, seed, 25_000, None) for seed in range(SAMPLE)],
        ),
    }
    found = {}
    for name, (work, jobs) in kinds.items():
        before = process_time()
        answers = [work(job) for job in jobs]
        found[name] = (process_time() - before) / SAMPLE
        sent, back = (mean(len(pickle.dumps(each)) for each in some) for some in (jobs, answers))
        print(f"{name}: {sent:,.0f} bytes sent, {back:,.0f} come back, {found[name]:.2f} s")
    return found


def whole_game(seed: int) -> Record:
    record = Record(new_game(load_tile_set(), 2, random.Random(seed)))
    rng = random.Random(seed)
    while not record.position().is_over:
        move = unpack_move(Packing(record.position()).state.choose("sensible", rng.getrandbits(64)))
        draws = record.stage().draws(move)
        record = record.play(move, rng.choice(draws) if draws else None)
    return record


def compare_games(games: int, rounds: int, workers: int, cluster: Cluster) -> None:
    # 1. As many simulations as take so long.
    pair = [(0, 0), (0, 1)]
    tried = [stay for _, stay in all_answered(do_jobs(clocked_games(TRIED), pair, workers))]
    sims = round(TRIED * SECONDS_A_MOVE * sum(stay.moves for stay in tried) / sum(stay.processor for stay in tried))
    work = clocked_games(sims)

    # 2. The same games both ways, in turns.
    jobs = [divmod(number, 2) for number in range(games)]
    turns: dict[str, list[Turn]] = {LOCAL: [], RAY: []}
    for _ in range(rounds):
        for name in (LOCAL, RAY, RAY, LOCAL):
            turns[name].append(play_turn(work, jobs, cluster if name == RAY else workers, cluster))
    moves = turns[LOCAL][0].moves
    a_move = sum(turn.games for turn in turns[LOCAL]) / moves / len(turns[LOCAL])
    print(f"{games} games of {sims:,} simulations a move, {a_move:.2f} s each, {rounds} times local, Ray, Ray, local")

    # 3. The first half of a round and the second are a pair each.
    pairs = list(zip(turns[LOCAL], turns[RAY]))
    for local, ray in pairs:
        print(
            f"  by the clock: local processes {local.clock:.2f} s, Ray {ray.clock:.2f} s; "
            f"counted: {local.counted:.2f} s, {ray.counted:.2f} s"
        )
    for name, parts in (
        ("by the clock", [1 - local.clock / ray.clock for local, ray in pairs]),
        ("counted", [1 - local.counted / ray.counted for local, ray in pairs]),
    ):
        error = stdev(parts) / len(parts) ** 0.5
        print(f"lost with Ray, {name}: {100 * mean(parts):+.1f} % on average, standard error {100 * error:.1f}")
    for name, told in turns.items():
        print(
            f"{name}: the first game began after {median(turn.start for turn in told):.2f} s; "
            f"a game took {1000 * median(turn.waited for turn in told) / games:.1f} ms of waiting, "
            f"{1000 * median(turn.besides for turn in told) / games:.0f} ms of processor time besides, "
            f"{100 * median(turn.besides / turn.passed for turn in told):.1f} % of a core"
        )


class Turn(NamedTuple):
    """The games once, one way; in seconds."""

    clock: float
    games: float  # of processor time, as `besides`: this program and Ray's own
    besides: float
    waited: float
    start: float
    passed: float
    moves: int

    @property
    def counted(self) -> float:
        return self.games + self.besides + self.waited


def play_turn(work: ClockedGames, jobs: list[tuple[int, int]], where: Workers | int, cluster: Cluster) -> Turn:
    here, services, asked = process_time(), service_seconds(cluster), perf_counter()
    stays = [stay for _, stay in all_answered(do_jobs(work, jobs, where))]
    passed = perf_counter() - asked
    services = 0.0 if isinstance(where, int) else service_seconds(cluster) - services
    clock = at_work(stays)
    return Turn(
        clock,
        sum(stay.processor for stay in stays),
        process_time() - here + services,
        clock - sum(stay.ended - stay.began for stay in stays),
        min(stay.began for stay in stays) - asked,
        passed,
        sum(stay.moves for stay in stays),
    )


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
