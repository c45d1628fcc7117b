"""Many games reviewed, and what is said of a player over all of them.

A file of reviews has one JSON object a line: a review as `review_json` makes it, with the name of its game and a digest
of the text it was read from. A game counts as done when a line has its name and digest, whatever it was made with.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist, fmean, stdev
from typing import Any, NamedTuple

from ..base.errors import InputError, Problem
from ..base.language import N_, _
from ..base.processes import in_processes
from ..drawing.canvas import fit, text_width
from ..record.file import loaded
from ..solver.batch import Kind, Task, names_in, problem_of, read_whole
from .analysis import review_game
from .json import FORMAT, review_to_json
from .text import pad

TEXT, JSON = ".orbis", ".json"
REVIEWS = Kind(FORMAT, ("name", "digest"), N_("expected a review, found something else"))
Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Settings:
    """How each game is reviewed; see `review.review_game`."""

    simulations: int | None = None
    seconds: float | None = None
    seed: int = 0


def games_in(folder: str, results: str | None = None) -> tuple[list[Task], list[Problem]]:
    """The games of a folder, by name: .orbis and .json files but the one of results; and what could not be read."""
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
    tasks: Iterable[Task], settings: Settings, processes: int = 1
) -> Generator[tuple[Task, dict[str, Any] | Problem], None, None]:
    """Each game with its line for the file, as they are done; a bad one with its (first) problem."""
    jobs = ((task, settings) for task in tasks)
    for (task, _settings), answer in in_processes(_review_one, jobs, processes):
        yield task, problem_of(task, answer) if isinstance(answer, InputError) else answer


def _review_one(job: tuple[Task, Settings]) -> dict[str, Any]:
    task, settings = job
    record = loaded(task.text, task.name, task.folder).record
    found = review_game(record, simulations=settings.simulations, seconds=settings.seconds, seed=settings.seed)
    if found.stopped == "interrupted":
        raise KeyboardInterrupt  # half a review is not a line
    return {"name": task.name, "digest": task.digest} | review_to_json(found)


# ---- over all games --------------------------------------------------------------------------------


class Mean(NamedTuple):
    """Over games. Half the width of the 95 % interval is None for a single one."""

    value: float
    error: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A player over games. Parts of the victory; the result less its luck is what the moves alone made of it."""

    name: str
    games: int
    result: Mean
    accuracy: Mean | None
    luck: Mean  # with the luck of the setup
    skill: Mean  # by own moves and the others'
    given: Mean


def standings(lines: Iterable[dict[str, Any]]) -> list[Standing]:
    """By player, the best result first."""
    found: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        for seat, player in enumerate(line["players"], 1):
            found.setdefault(player["name"] or _("player {number}", number=seat), []).append(player)
    rows = [_standing(name, players) for name, players in found.items()]
    return sorted(rows, key=lambda row: (-row.result.value, row.name))


def _standing(name: str, players: list[dict[str, Any]]) -> Standing:
    def of(*keys: str) -> Mean:
        return _mean([float(sum(Fraction(player[key]) for key in keys)) for player in players])

    accuracies = [player["accuracy"] for player in players if player["accuracy"] is not None]
    return Standing(
        name,
        len(players),
        of("result"),
        _mean(accuracies) if accuracies else None,
        of("setup", "luck"),
        of("own", "others"),
        of("given"),
    )


def _mean(values: list[float]) -> Mean:
    error = Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else None
    return Mean(fmean(values), error)


def standings_to_json(rows: Iterable[Standing]) -> dict[str, Any]:
    def mean(value: Mean | None) -> dict[str, Any] | None:
        return None if value is None else {"mean": value.value, "error": value.error}

    return {
        "format": "orbis-review-summary",
        "version": 1,
        "players": [
            {
                "name": row.name,
                "games": row.games,
                "result": mean(row.result),
                "accuracy": mean(row.accuracy),
                "luck": mean(row.luck),
                "skill": mean(row.skill),
                "given": mean(row.given),
            }
            for row in rows
        ],
    }


def render_standings(rows: Iterable[Standing]) -> str:
    """A table; parts of the victory in per cent."""
    heads = [_("player"), _("games"), _("result"), _("accuracy"), _("luck"), _("skill"), _("given away")]

    def cell(value: Mean | None, scale: float = 100.0, signed: bool = False) -> str:
        if value is None:
            return "–"
        sign = "+" if signed else ""
        return f"{scale * value.value:{sign}.1f}" + ("" if value.error is None else f" ± {scale * value.error:.1f}")

    table = [heads] + [
        [
            fit(row.name, 12),
            str(row.games),
            cell(row.result),
            cell(row.accuracy, 1.0),
            cell(row.luck, signed=True),
            cell(row.skill, signed=True),
            cell(row.given),
        ]
        for row in rows
    ]
    first, *others = (max(text_width(line[column]) for line in table) for column in range(len(heads)))
    widths = [first, *(-width for width in others)]
    return "".join("  ".join(map(pad, line, widths)).rstrip() + "\n" for line in table)
