"""What a review can be trusted with: its sums, errors made on purpose, and luck.

    python benchmarks/review.py --games 100 --planted 40

The advisor plays itself, two, three and four at a table in turn, and each game is reviewed. In the first kind of games
all play alike: sums have to be exact, and luck has to be zero on the average. In the second kind one player
errs on purpose, at turns drawn beforehand: a move is taken that a longer search, of another seed than the
review's, says gives away at least so much; if a turn offers none the next one of that player is tried. Caught is
what the review calls a mistake or a blunder. With simulations counted, the same command prints the same figures.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev, variance

import click
from tqdm import tqdm

from orbis_search.advice.advisor import advise
from orbis_search.advice.data import Advice
from orbis_search.base.jobs import do_jobs
from orbis_search.core.packing import PackedMove, Packing, pack_move, unpack_move
from orbis_search.game.rules import new_game
from orbis_search.game.vocabulary import TURNS
from orbis_search.players.by_name import parse_player
from orbis_search.record.game import Record, Turn
from orbis_search.review.analysis import review_game
from orbis_search.review.data import Review
from orbis_search.review.plot import ERRORS
from orbis_search.tileset.library import load_tile_set

TABLES = (2, 3, 2, 4)  # players, game by game
ERRORS_A_GAME = 3
TRIED = 12  # moves drawn at random among which a bad one is looked for


@dataclass(frozen=True)
class Job:
    number: int
    players: int
    play: int  # simulations of a move
    look: int  # simulations of a reviewed turn
    plant: float  # what a planted error gives away at least; 0 for none
    seed: int


@dataclass(frozen=True)
class Outcome:
    players: int
    exact: bool  # every sum
    luck: list[float]  # by player: of the draws
    results: list[float]
    revisions: list[float]  # by turn, of the mover
    draws: list[float]  # by draw, the luck of the mover
    caught: dict[int, str]  # planted errors: turn and verdict
    blamed: int  # other moves called a mistake or a blunder
    others: int


def work(job: Job) -> Outcome:
    record, planted = played(job)
    found = review_game(record, simulations=job.look, seed=job.seed)
    verdicts = {turn.number: turn.verdict for turn in found.turns}
    rest = [verdict for number, verdict in verdicts.items() if number not in planted]
    return Outcome(
        job.players,
        adds_up(found),
        [float(account.luck) for account in found.accounts],
        [float(account.result) for account in found.accounts],
        [float(turn.revision[turn.player]) for turn in found.turns],
        [float(turn.luck[turn.player]) for turn in found.turns if len(turn.draws) > 1],
        {number: verdicts[number] for number in planted},
        sum(verdict in ERRORS for verdict in rest),
        len(rest),
    )


def adds_up(found: Review) -> bool:
    """Turn by turn and in the accounts, for every player, without any rounding."""
    before = found.start.shares
    for turn in found.turns:
        terms = zip(turn.before, turn.revision, turn.skill, turn.luck)
        if turn.before != before or tuple(map(sum, terms)) != turn.then.shares:
            return False
        before = turn.then.shares
    over = found.stopped == "over" and sorted(before)[-1] == 1 / sum(share > 0 for share in before)
    return over and all(
        each.fair + each.setup + each.luck + each.own + each.others + each.revision == each.result == share
        for each, share in zip(found.accounts, before)
    )


def played(job: Job) -> tuple[Record, list[int]]:
    """A game of the advisor against itself, and the turns in which one player erred on purpose."""
    rng = Random(f"review {job.seed} {job.number}")
    start = new_game(load_tile_set(), job.players, rng)
    record = Record(start)
    packing = Packing(record.start)
    state = packing.state.copy()
    player = parse_player(f"advisor:sims={job.play}").player()
    culprit = rng.randrange(job.players)
    wanted = sorted(rng.sample(range(1, TURNS - 1), ERRORS_A_GAME)) if job.plant else []
    turns: list[Turn] = []
    planted = []
    while (who := state.to_move) >= 0:
        move = player.choose(state.copy(), rng.getrandbits(63), packing.position)
        if wanted and who == culprit and len(turns) // job.players >= wanted[0]:
            bad = bad_move(packing, state, job, rng)
            if bad is not None:
                move = bad
                planted.append(len(turns) + 1)
                wanted.pop(0)
        state.apply(move)
        drawn = None
        if state.hole is not None:
            number = rng.choice(state.draws())
            state.refill(number)
            drawn = packing.tiles[number]
        turns.append(Turn(unpack_move(move), drawn))
    return Record(start, tuple(turns)), planted


def bad_move(packing: Packing, state: object, job: Job, rng: Random) -> PackedMove | None:
    """One of some moves drawn at random that surely gives away enough, if there is one."""
    position = packing.position(state)  # type: ignore[arg-type]
    drawn = {state.choose("random", rng.getrandbits(63)) for _ in range(TRIED)}  # type: ignore[attr-defined]
    moves = [unpack_move(move) for move in sorted(drawn)]
    advice: Advice = advise(position, simulations=4 * job.look, seed=rng.getrandbits(63), keep=moves, why=None)
    best = advice.best
    bad = [each.move for each in advice.candidates if each.move in moves and best.low - each.high >= job.plant]
    return pack_move(position, rng.choice(bad)) if bad else None


def mean(values: Iterable[float], scale: float = 100.0) -> str:
    """`+0.3 ± 1.2`, with the half width of the 95 % interval."""
    found = list(values)
    return f"{scale * fmean(found):+.2f} ± {scale * 1.96 * stdev(found) / sqrt(len(found)):.2f}"


@click.command()
@click.option("--games", type=click.IntRange(0), default=100, show_default=True, help="Of equal players.")
@click.option("--planted", type=click.IntRange(0), default=40, show_default=True, help="Games with errors on purpose.")
@click.option("--least", type=float, default=0.10, show_default=True, help="What such an error surely gives away.")
@click.option("--play", type=click.IntRange(1), default=1000, show_default=True, help="Simulations of a move.")
@click.option("--look", type=click.IntRange(1), default=12_000, show_default=True, help="Simulations of a turn.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--processes", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="one a core")
def main(games: int, planted: int, least: float, play: int, look: int, seed: int, processes: int) -> None:
    """Play, review, and print what came of it; exit code 1 if a sum is not exact or too few errors are caught."""
    jobs = [Job(n, TABLES[n % len(TABLES)], play, look, 0.0, seed) for n in range(games)]
    jobs += [Job(games + n, TABLES[n % len(TABLES)], play, look, least, seed) for n in range(planted)]
    equal: list[Outcome] = []
    erring: list[Outcome] = []
    bar = tqdm(total=len(jobs), unit="game", disable=None)
    for job, answer in do_jobs(work, jobs, min(processes, len(jobs))):
        if not isinstance(answer, Outcome):
            raise answer
        (erring if job.plant else equal).append(answer)
        bar.update()
    bar.close()
    everything = equal + erring
    exact = sum(each.exact for each in everything)
    print(f"sums exact: {exact} of {len(everything)} games")
    if len(equal) > 1:
        print(f"luck of a draw, equal players, % for the mover: {mean(x for each in equal for x in each.draws)}")
        for seat in range(min(each.players for each in equal)):
            print(f"luck of a game, player {seat + 1}, %: {mean(each.luck[seat] for each in equal)}")
        results = [each.results[0] for each in equal]
        left = [result - each.luck[0] for result, each in zip(results, equal)]
        print(f"variance of player 1's result: {variance(results):.3f}; without the luck: {variance(left):.3f}")
    revisions = [x for each in everything for x in each.revisions]
    size = fmean(map(abs, revisions))
    print(f"revision of a turn, % for the mover: {mean(revisions)}; its size: {100 * size:.2f}")
    verdicts = [verdict for each in erring for verdict in each.caught.values()]
    caught = sum(verdict in ERRORS for verdict in verdicts)
    if verdicts:
        print(f"errors on purpose caught: {caught} of {len(verdicts)} ({100 * caught / len(verdicts):.1f} %)")
    blamed, others = sum(each.blamed for each in everything), sum(each.others for each in everything)
    print(f"other moves called a mistake or a blunder: {blamed} of {others} ({100 * blamed / others:.1f} %)")
    sys.exit(0 if exact == len(everything) and caught >= 0.95 * len(verdicts) else 1)


if __name__ == "__main__":
    main()
