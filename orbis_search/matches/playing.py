"""The games of a match, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing

from ..base.jobs import Workers, all_answered, do_jobs
from .data import Game, Match

Job = tuple[int, int]  # a round and which of its games


def play_games(
    match: Match, work: Callable[[Job], Game], rounds: int, workers: Workers | int, done: Iterable[Game]
) -> Generator[Game, None, None]:
    """Plays every game of this many rounds that is not among those `done`; yields each when it is over."""
    known = {(game.round, game.rotation) for game in done if game.round < rounds}
    jobs = (
        (number, rotation)
        for number in range(rounds)
        for rotation in range(match.players)
        if (number, rotation) not in known
    )
    if isinstance(workers, int):
        workers = max(1, min(workers, rounds * match.players - len(known)))
    with closing(do_jobs(work, jobs, workers, match.threads)) as games:
        for _job, game in all_answered(games, lambda job: f"round {job[0]}, game {job[1]}"):
            yield game
