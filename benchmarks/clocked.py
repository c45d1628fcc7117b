"""Games whose workers say when they played them, for cluster.py: workers import this file."""

from __future__ import annotations

import os
from time import perf_counter, process_time
from typing import NamedTuple

from orbis_search.players.arena import Match, play_game
from orbis_search.players.by_name import Player, parse_player


class Stay(NamedTuple):
    """One game at one worker, on the clock that all processes of a machine share."""

    worker: int
    began: float
    ended: float
    moves: int
    processor: float  # seconds of the whole process


class ClockedGames:
    def __init__(self, match: Match) -> None:
        self.match = match
        self.players: list[Player] = []

    def __call__(self, job: tuple[int, int]) -> Stay:
        began, before = perf_counter(), process_time()
        if not self.players:
            self.players = [parse_player(text).player() for text in self.match.entries]
        moves = len(play_game(self.match, *job, self.players).moves)
        return Stay(os.getpid(), began, perf_counter(), moves, process_time() - before)
