"""Is what is said what happens? The advisor plays itself, and each chance that it gives is held against the result.

    python benchmarks/calibration.py --games 400 --time 0.1
    python benchmarks/calibration.py --games 400 --sims 15000    # the same however busy the machine is
    python benchmarks/calibration.py --save F                    # keeps the games in F, and goes on from there

Half of the games are on our tiles, the others each on a random set of its own. Before every move the advisor says how
likely the mover is to win, and its move is played. For each tenth of the scale: how often a chance in it was given, the
mean of those chances, the part of the victory that followed, and the difference in points with its standard error,
which counts a game as one observation. Then the same by tiles, seat and third of the game: errors of two seats that
cancel out in the first table show in the second. Last what would put the chances right, for `Sureness` in
orbis_search/search/estimates.py: the factor of the log of every share, and what is added for the player to move, by
rounds left; with what is there already. Fit with one seed and report with another.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections import defaultdict
from collections.abc import Iterable
from contextlib import nullcontext
from math import log, sqrt
from pathlib import Path
from random import Random
from statistics import fmean
from typing import NamedTuple

from tqdm import tqdm

from orbis_search.advice.advisor import advise
from orbis_search.base.jobs import do_jobs
from orbis_search.core.packing import Packing, pack_move
from orbis_search.game.rules import new_game
from orbis_search.game.vocabulary import TURNS
from orbis_search.search.estimates import Sureness, sureness
from orbis_search.tileset.library import load_tile_set

TENTHS = 10
OURS, RANDOM = "our tiles", "random tiles"
THIRDS = ("first", "second", "last")
STAGES = (0, 2, 4, 7, 11, 15)  # rounds left
LEAST, PRIOR, NEWTON_STEPS = 1e-3, 20.0, 8


class Case(NamedTuple):
    """One turn of a game."""

    game: int
    tiles: str
    seat: int
    third: int
    said: float
    won: float  # the mover's part of the victory
    rounds: float  # left
    shares: tuple[float, ...]  # of the victory, as said ...
    results: tuple[float, ...]  # ... and as it came

    @property
    def tenth(self) -> int:
        return min(TENTHS - 1, int(TENTHS * self.said))


class Job(NamedTuple):
    number: int
    players: int
    seconds: float | None
    simulations: int | None


def play(job: Job) -> list[Case]:
    """One game."""
    rng = Random(job.number)
    tiles = OURS if job.number % 2 == 0 else RANDOM
    tile_set = load_tile_set("reconstruction" if tiles == OURS else f"random:{55_000 + job.number}")
    packing = Packing(new_game(tile_set, job.players, rng))
    state = packing.state
    said = []
    while state.to_move >= 0:
        position = packing.position(state)
        advice = advise(
            position, seconds=job.seconds, simulations=job.simulations, why=None, threads=1, seed=rng.getrandbits(32)
        )
        if advice.stopped == "interrupted":
            raise KeyboardInterrupt
        done = 1 - state.turns_left / (TURNS * job.players)
        rounds = state.turns_left / job.players
        said.append((state.to_move, int(len(THIRDS) * done), advice.best.win, rounds, advice.best.shares))
        state.apply(pack_move(position, advice.best.move))
        if state.hole is not None:
            state.refill(rng.choice(state.draws()))
    results = tuple(share / sum(state.shares()) for share in state.shares())
    return [
        Case(job.number, tiles, seat, third, win, results[seat], rounds, shares, results)
        for seat, third, win, rounds, shares in said
    ]


def played(jobs: list[Job], threads: int, save: Path | None) -> list[Case]:
    """Of the games in `save`, a line each, and of those that are not there yet."""
    cases = [] if save is None or not save.exists() else kept(save)
    known = {case.game for case in cases}
    left = [job for job in jobs if job.number not in known]
    with nullcontext() if save is None else save.open("a") as file:
        for _, found in tqdm(do_jobs(play, left, threads), total=len(left), disable=not sys.stderr.isatty()):
            if isinstance(found, Exception):
                raise found
            cases += found
            if file is not None:
                print(json.dumps(found), file=file, flush=True)
    return cases


def kept(save: Path) -> list[Case]:
    return [Case(*case) for line in save.read_text().splitlines() for case in json.loads(line)]


def difference(cases: Iterable[Case]) -> str:
    """How many, what was said and won, and the difference with its error."""
    cases = list(cases)
    by_game: dict[int, float] = defaultdict(float)
    for case in cases:
        by_game[case.game] += case.said - case.won
    said, won = fmean(case.said for case in cases), fmean(case.won for case in cases)
    error = sqrt(sum(each**2 for each in by_game.values())) / len(cases)
    return f"{len(cases):>5}  {100 * said:6.1f} %  {100 * won:5.1f} %   {100 * (said - won):+5.1f} ± {100 * error:.1f}"


def put_right(cases: list[Case], now: Sureness) -> tuple[float, float]:
    """The factor and the mover's bonus with which the results are likeliest: by Newton's method."""
    factor, mover = 1.0, 0.0
    logs = [[log(max(share, LEAST)) for share in case.shares] for case in cases]
    for _step in range(NEWTON_STEPS):
        slope, curve = [0.0, 0.0], [[PRIOR, 0.0], [0.0, PRIOR]]
        slope[0] -= PRIOR * (factor - 1)
        slope[1] -= PRIOR * mover
        for case, known in zip(cases, logs):
            said = Sureness(case.rounds, factor, mover).of(case.shares, case.seat)
            facts = [(each, float(player == case.seat)) for player, each in enumerate(known)]
            mean = [sum(p * fact[i] for p, fact in zip(said, facts)) for i in range(2)]
            for p, won, fact in zip(said, case.results, facts):
                for i in range(2):
                    slope[i] += (won - p) * fact[i]
                    for k in range(2):
                        curve[i][k] += p * (fact[i] - mean[i]) * (fact[k] - mean[k])
        size = curve[0][0] * curve[1][1] - curve[0][1] * curve[1][0]
        factor += (curve[1][1] * slope[0] - curve[0][1] * slope[1]) / size
        mover += (curve[0][0] * slope[1] - curve[1][0] * slope[0]) / size
    return factor * now.factor, factor * now.mover + mover


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--time", type=float, help="seconds a move; 0.1 if nothing is given")
    parser.add_argument("--sims", type=int, help="simulations a move")
    parser.add_argument("--threads", type=int, default=1, help="games at a time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    seconds = 0.1 if options.time is None and options.sims is None else options.time
    jobs = [Job(options.seed + number, options.players, seconds, options.sims) for number in range(options.games)]
    cases = played(jobs, options.threads, options.save)
    effort = f"{seconds:g} s" if options.sims is None else f"{options.sims:,} simulations"
    print(f"{len({case.game for case in cases})} games, {options.players} players, {effort} a move")
    print("   chance   cases     said      won   difference")
    for tenth in range(TENTHS):
        if chosen := [case for case in cases if case.tenth == tenth]:
            print(f"{10 * tenth:>3} to {10 * tenth + 10:<3} {difference(chosen)}")
    print("   tiles         seat  third   cases     said      won   difference")
    for tiles in (OURS, RANDOM):
        for seat in range(options.players):
            for third, name in enumerate(THIRDS):
                chosen = [case for case in cases if (case.tiles, case.seat, case.third) == (tiles, seat, third)]
                if chosen:
                    print(f"   {tiles:<12}  {seat + 1:>4}  {name:<6}  {difference(chosen)}")
    print("   rounds left   cases   factor   mover")
    for least, most in itertools.pairwise(STAGES):
        # What is proved needs nothing put right.
        chosen = [case for case in cases if least < case.rounds <= most and LEAST < case.said < 1 - LEAST]
        if chosen:
            now = sureness(options.players, fmean(case.rounds for case in chosen))
            factor, mover = put_right(chosen, now)
            print(f"   {now.rounds:>11.1f}   {len(chosen):>5}   {factor:6.2f}   {mover:+5.2f}")


if __name__ == "__main__":
    main()
