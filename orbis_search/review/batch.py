"""Reviews many games, and keeps the reviews in a file, so that the work can be resumed.

The file has one JSON object per line: a review as `review_to_json` makes it, with the name of its game and a digest of
the text it was read from. A game counts as done when a line has its name and digest, whatever the settings were.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any

from ..base.errors import InputError, Problem
from ..base.jobs import Workers
from ..base.language import N_, _
from ..record.file import record_from_bytes
from ..record.game import Record
from ..solver.batch import Kind, Task, answers_to, names_in, read_whole
from .analysis import review_game
from .json import FORMAT, review_to_json

TEXT, JSON = ".orbis", ".json"
REVIEWS = Kind(FORMAT, ("name", "digest"), N_("expected a review, found something else"))


@dataclass(frozen=True, slots=True)
class Settings:
    """How each game is reviewed; see `review.review_game`."""

    simulations: int | None = None
    seconds: float | None = None
    seed: int = 0


def games_in(folder: str, results: str | None = None) -> tuple[list[Task], list[Problem]]:
    """The games in a folder, by name: .orbis and .json files except the results file; and what could not be read."""
    found: list[Task] = []
    problems: list[Problem] = []
    for name in names_in(folder, N_("expected a folder of games, found: {reason}"), results):
        if name.endswith((TEXT, JSON)):
            try:
                found.append(Task(name, read_whole(os.path.join(folder, name), name), folder))
            except InputError as error:
                problems += error.problems
    if not found and not problems:
        raise InputError.one(folder, _("expected .orbis or .json files with games, found none"))
    return found, problems


def review_all(
    tasks: Iterable[Task], settings: Settings, workers: Workers | int = 1
) -> Generator[tuple[Task, dict[str, Any] | InputError], None, None]:
    """Each finished game with its line for the file; a bad one with its (first) problem."""
    return answers_to(tasks, lambda task: (task, _record_of(task), settings), _review_one, workers)


def _record_of(task: Task) -> Record:
    return record_from_bytes(task.text, task.name, task.folder).record


def _review_one(job: tuple[Task, Record, Settings]) -> dict[str, Any]:
    task, record, settings = job
    found = review_game(record, simulations=settings.simulations, seconds=settings.seconds, seed=settings.seed)
    if found.stopped == "interrupted":
        raise KeyboardInterrupt  # half a review is not a line
    return {"name": task.name, "digest": task.digest} | review_to_json(found)
