"""Many positions solved one after the other, with their solutions kept in a file that a later run continues.

The file has one JSON object per line: a solution as `solution_to_json` makes it, with the name of its
position, the position in one line, and a digest of the text it was read from. A position counts as done when
a line has its name, digest, objective and goal, whatever limit that line was made with.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from ..base.errors import InputError, Problem, reason
from ..base.held_files import HeldLines
from ..base.jobs import Workers, do_jobs
from ..base.json import NotJson, json_text, json_value
from ..base.language import N_, _, ngettext
from ..base.machine import MachineError
from ..base.quoting import place_of
from ..base.toml import NotToml, toml_tables
from ..game.position import Position
from ..notation import read_position, write_oneline
from .endgame import solve
from .json import FORMAT, solution_to_json
from .ties import ranked_by_points

WHOLE_FILES = (".toml", ".json", ".orbis")
LINES = ".txt"  # one-line positions, one per line; # begins a comment line
MAX_BYTES = 1 << 24


@dataclass(frozen=True, slots=True)
class Task:
    name: str  # of the file; followed by :LINE in a file of many
    text: bytes
    folder: str  # which the tile set's path is relative to

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Settings:
    """How each position is solved; see `endgame.solve`."""

    objective: str = "win"
    goal: str = "all"
    every: bool = False
    seconds: float | None = None
    nodes: int | None = None
    memory: int = 256 << 20
    top: int | None = None  # moves kept for each; all by default


Key = tuple[str, ...]
Read = Callable[[bytes, str, str], Position]  # a text, its name and its folder


@dataclass(frozen=True, slots=True)
class Kind:
    """What the lines of a file are: their format, and the fields by which a task counts as done."""

    format: str
    fields: tuple[str, ...]
    expected: str  # reported for a line that is something else


SOLUTIONS = Kind(FORMAT, ("name", "digest", "objective", "goal"), N_("expected a solution, found something else"))


def names_in(folder: str, expected: str, results: str | None) -> list[str]:
    """The files of a folder, except the one that the results go to. If it cannot be read, the message says
    `expected`."""
    own = None if results is None else os.path.realpath(results)
    try:
        files = [entry for entry in os.scandir(folder) if entry.is_file()]
    except OSError as error:
        raise InputError.one(folder, _(expected, reason=reason(error))) from None
    return sorted(file.name for file in files if os.path.realpath(file.path) != own)


def tasks_in(folder: str, results: str | None = None) -> tuple[list[Task], list[Problem]]:
    """The positions of a folder, by name: .toml, .json and .orbis files, and the lines of .txt files; and what could
    not be read. Tile sets beside the positions are skipped, and so is the file of results."""
    found: list[Task] = []
    problems: list[Problem] = []
    for name in names_in(folder, N_("expected a folder of positions, found: {reason}"), results):
        if not name.endswith((*WHOLE_FILES, LINES)):
            continue
        try:
            data = read_whole(os.path.join(folder, name), name)
        except InputError as error:
            problems += error.problems
            continue
        if name.endswith(LINES):
            for number, line in enumerate(data.splitlines(), 1):
                if line.strip() and not line.lstrip().startswith(b"#"):
                    found.append(Task(f"{name}:{number}", line.strip(), folder))
        elif not (name.endswith(".toml") and _is_tile_set(data)):
            found.append(Task(name, data, folder))
    if not found and not problems:
        raise InputError.one(folder, _("expected .toml, .json, .orbis or .txt files with positions, found none"))
    return found, problems


def _is_tile_set(data: bytes) -> bool:
    try:
        return isinstance(toml_tables(data.decode("utf-8-sig")).get("tiles"), list)
    except (UnicodeDecodeError, NotToml):
        return False


def read_whole(path: str, name: str) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        message = _("expected a readable file, found: {reason}", reason=reason(error))
        raise InputError.one(name, message) from None
    if len(data) > MAX_BYTES:
        raise InputError.one(name, _("expected at most {most:,} bytes, found more", most=MAX_BYTES))
    return data


def solve_all(
    tasks: Iterable[Task], settings: Settings, workers: Workers | int = 1, read: Read = read_position
) -> Generator[tuple[Task, dict[str, Any] | InputError], None, None]:
    """Each task with its line for the file, as soon as it is solved; a bad position with its (first) problem. Positions
    are read here, in turn: workers need not have their tile sets."""

    def job_of(task: Task) -> tuple[Task, Position, Settings]:
        return task, read(task.text, task.name, task.folder), settings

    return answers_to(tasks, job_of, _solve_one, workers)


def answers_to(
    tasks: Iterable[Task],
    job_of: Callable[[Task], tuple[Task, Any, Any]],
    work: Callable[[tuple[Task, Any, Any]], dict[str, Any]],
    workers: Workers | int,
) -> Generator[tuple[Task, dict[str, Any] | InputError], None, None]:
    """The answer to each task, or its first problem: one in reading it, or one that the work met."""
    unreadable: list[tuple[Task, InputError]] = []

    def jobs() -> Iterator[tuple[Task, Any, Any]]:
        for task in tasks:
            try:
                yield job_of(task)
            except InputError as error:
                unreadable.append((task, _first_of(task, error)))

    with closing(do_jobs(work, jobs(), workers)) as answers:
        for (task, *_), answer in answers:
            yield task, _first_of(task, answer) if isinstance(answer, InputError) else answer
    yield from unreadable


def _first_of(task: Task, error: InputError) -> InputError:
    """The first of a task's problems, under its name."""
    first = error.problems[0]
    more = ""
    if len(error.problems) > 1:
        more = " " + ngettext("(and {n} more)", "(and {n} more)", len(error.problems) - 1)
    place = first.place if first.place.startswith(task.name) else f"{task.name}, {first.place}".removesuffix(", ")
    kind = MachineError if isinstance(error, MachineError) else InputError
    return kind.one(place, first.message + more)


def raise_all(problems: Sequence[Problem], failed: Sequence[InputError]) -> None:
    """What could not be read and what was not answered, if anything: as MachineError if no input was bad."""
    listed = sorted([*problems, *(problem for error in failed for problem in error.problems)])
    if listed:
        bad_input = problems or not all(isinstance(error, MachineError) for error in failed)
        raise InputError(listed) if bad_input else MachineError(listed)


def _solve_one(job: tuple[Task, Position, Settings]) -> dict[str, Any]:
    task, position, settings = job
    solution = solve(
        position,
        objective=settings.objective,
        goal=settings.goal,
        every=settings.every,
        seconds=settings.seconds,
        nodes=settings.nodes,
        memory=settings.memory,
    )
    solution = ranked_by_points(solution, seconds=settings.seconds, nodes=settings.nodes, memory=settings.memory)
    if solution.stopped == "interrupted":
        raise KeyboardInterrupt  # half a search is not a line
    head = {"name": task.name, "digest": task.digest, "position": write_oneline(position).strip()}
    return head | solution_to_json(solution, settings.top)


class Results:
    """The file, held by this program alone: see `HeldLines`."""

    def __init__(self, path: str, kind: Kind = SOLUTIONS) -> None:
        self.kind = kind
        self.lines: dict[Key, dict[str, Any]] = {}
        self.file = HeldLines(path)
        try:
            for number, line in enumerate(self.file.data.splitlines(), 1):
                self._know(self._read(line, f"{place_of(path)}, line {number}"))
        except BaseException:
            self.close()
            raise

    def has(self, task: Task, *settings: str) -> bool:
        """Whether the file has a line for the task, made with the same settings as far as they are among its fields."""
        return (task.name, task.digest, *settings) in self.lines

    def add(self, line: dict[str, Any]) -> None:
        self.file.add(json_text(line).encode())
        self._know(line)

    def close(self) -> None:
        self.file.close()

    def _know(self, line: dict[str, Any]) -> None:
        self.lines[tuple(line[field] for field in self.kind.fields)] = line

    def _read(self, line: bytes, place: str) -> dict[str, Any]:
        try:
            value: dict[str, Any] = json_value(line)
            if value["format"] == self.kind.format and all(isinstance(value[each], str) for each in self.kind.fields):
                return value
        except (NotJson, KeyError, TypeError):
            pass
        raise InputError.one(place, _(self.kind.expected))
