"""What can be asked of the engine: the fields of each action, how they are read, and what is answered.

`ACTIONS` at the end is the one table; an action added there is known to the engine, and docs/engine.md must describe
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from threading import Event
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from ..base.errors import MOST_PROBLEMS, InputError, Problem
from ..base.language import LANGUAGES, N_, _, ngettext
from ..base.options import (
    CONFIDENCE,
    MAX_MEMORY,
    MAX_SECONDS,
    MAX_SEED,
    NODES,
    SIMULATIONS,
    THREADS,
    Reader,
    Unfit,
    boolean,
    choice,
    or_null,
    real,
    text,
    whole,
)
from ..base.quoting import nearest, shown
from ..game.position import Move, Position

DEFAULT_MEMORY = 256 << 20  # for one request
MOST_MOVES = 10_000  # listed in one answer
SOLVE_SECONDS = 60.0  # without a limit of its own
MOST_KEPT = 32  # moves of `keep`; the core has room for these and those of `why`
MAX_TURN = 10**6  # that may be asked for; how many a game has, the game says
MAX_ID = 200  # characters

Id = str | int
Interim = TypeVar("Interim")
_REQUIRED = object()


# ---- values of fields --------------------------------------------------------------------------------


class Field(NamedTuple):
    read: Reader  # gives the value, or raises Unfit
    default: Any = _REQUIRED


def a_move(value: Any) -> str | dict[str, Any]:
    if not isinstance(value, (str, dict)):
        raise Unfit(_("a move, as text or as an object"))
    return value


def some_moves(most: int) -> Reader:
    def read(value: Any) -> list[str | dict[str, Any]]:
        if not isinstance(value, list) or len(value) > most:
            raise Unfit(ngettext("a list of at most {n} move", "a list of at most {n} moves", most))
        return [a_move(each) for each in value]

    return read


def a_position(value: Any) -> str | dict[str, Any]:
    if not isinstance(value, (str, dict)):
        raise Unfit(_("a position or a game, as text or as an object"))
    return value


def an_id(value: Any) -> Id:
    whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63
    if whole or (isinstance(value, str) and 0 < len(value) <= MAX_ID):
        named: Id = value
        return named
    raise Unfit(_("text of 1 to {most} characters or an integer", most=MAX_ID))


priority_field = Field(whole(-(10**9), 10**9), 0)
seed_reader = whole(0, MAX_SEED)
COMMON = {
    "id": Field(an_id),
    "action": Field(text(N_("the name of an action"))),
    "priority": priority_field,
    "lang": Field(or_null(choice(*LANGUAGES)), None),
}
ON_A_POSITION = {
    "position": Field(a_position),
    "tiles": Field(or_null(text(N_("the name or path of a tile set"))), None),
    "turn": Field(or_null(whole(1, MAX_TURN)), None),
}


# ---- requests ---------------------------------------------------------------------------------------


class Action(NamedTuple):
    answer: Callable[[Task], Any]  # the result; InputError with places that are fields
    fields: Mapping[str, Field]
    searches: bool = False  # done by a worker; takes its time, and watches `stop`
    judges: bool = False  # accepts positions with problems


class Task(NamedTuple):
    """What an action sees of its request and of the engine."""

    position: Position | None  # None only for an action that judges, if there are problems
    problems: Sequence[Problem]  # of the position, for an action that judges
    values: Mapping[str, Any]
    stop: Event
    report: Callable[[Any], None]  # sends an interim result


def read_fields(body: Mapping[str, Any], fields: Mapping[str, Field]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The values of all fields that have one, and everything wrong with the others."""
    values: dict[str, Any] = {}
    problems = []
    for name, field in fields.items():
        if name not in body:
            if field.default is _REQUIRED:
                problems.append(
                    problem_entry(
                        name, _("expected {what}, found {found}", what=_expectation(field), found=shown(None))
                    )
                )
            else:
                values[name] = field.default
            continue
        try:
            values[name] = field.read(body[name])
        except Unfit as unfit:
            problems.append(
                problem_entry(name, _("expected {what}, found {found}", what=unfit, found=shown(body[name])))
            )
    for name in islice((name for name in body if name not in fields), MOST_PROBLEMS):
        message = _(
            "expected only the fields of this action ({fields}), found {found}",
            fields=", ".join(fields),
            found=shown(name),
        ) + nearest(name, fields)
        problems.append(problem_entry(name, message))
    return values, problems


def _expectation(field: Field) -> str:
    try:
        field.read(None)
    except Unfit as unfit:
        return str(unfit)
    raise AssertionError("a field that may be null has a default")


def read_position(given: str | dict[str, Any], tiles: str | None, turn: int | None) -> Position:
    """In any of the written forms, or as an object; of a game, the latest or the one before a turn."""
    from ..record.positions import position_or_game_from_json, read_position_or_game

    if isinstance(given, str):
        return read_position_or_game(given, tiles=tiles, turn=turn)[0]
    return position_or_game_from_json(given, tiles=tiles, turn=turn)


class Stopped(Exception):
    """In the middle of reading moves."""


def read_moves(values: dict[str, Any], position: Position, stop: Event) -> list[dict[str, Any]]:
    """Replaces the texts of moves by moves; returns what is wrong with those that cannot be read, as far as anybody is
    told. Raises Stopped when told to."""
    problems: list[dict[str, Any]] = []

    def read(said: str | dict[str, Any], field: str) -> Move | None:
        from ..notation import move_from_json, parse_move

        if stop.is_set():
            raise Stopped
        if len(problems) >= MOST_PROBLEMS:
            return None
        try:
            return parse_move(said, position) if isinstance(said, str) else move_from_json(said, position)
        except InputError as error:
            problems.extend(problem_of(field, each) for each in error.problems)
            return None

    for name in ("move", "draws_of"):
        if values.get(name) is not None:
            values[name] = read(values[name], name)
    for name in ("keep", "why", "moves"):
        if values.get(name):
            values[name] = [read(said, f"{name}[{count}]") for count, said in enumerate(values[name], start=1)]
    return problems


def problem_entry(field: str | None, message: str, place: str | None = None) -> dict[str, Any]:
    return {"error": message, "field": field, "place": place}


def problem_of(field: str | None, problem: Problem) -> dict[str, Any]:
    """A problem in a field, with its place inside it. Without a field, the place is the field, or there is none."""
    if field is None:
        return problem_entry(problem.place or None, problem.message)
    return problem_entry(field, problem.message, problem.place if problem.place not in ("", field) else None)


def field_of(problem: Problem, fields: Mapping[str, Field]) -> str:
    """The field that a problem met while answering is about: the one it names, or else the position."""
    return problem.place if problem.place in fields else "position"


def refusal(problems: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """All problems, with the first one repeated in front for programs that show a single line."""
    listed = list(problems)
    return {"final": True, **listed[0], "problems": listed}


# ---- the actions -----------------------------------------------------------------------------------


def _reporting(task: Task, written: Callable[[Interim], Any]) -> Callable[[Interim], None] | None:
    """Sends what is known so far, no more often than requested."""
    every, last = task.values["report_every"], perf_counter()

    def report(known: Interim) -> None:
        nonlocal last
        if (now := perf_counter()) - last >= every:
            last = now
            task.report(written(known))

    return None if every is None else report


def _advise(task: Task) -> dict[str, Any]:
    from ..advice.advisor import SHOWN, WAYS, advise
    from ..advice.data import Advice
    from ..advice.json import advice_to_json

    values = task.values

    def written(advice: Advice) -> dict[str, Any]:
        return advice_to_json(advice, values["top"], values["all_ways"])

    assert task.position is not None
    advice = advise(
        task.position,
        simulations=values["simulations"],
        seconds=values["seconds"],
        confidence=values["confidence"],
        threads=values["threads"],
        seed=values["seed"],
        memory=values["memory"],
        rows=max(values["top"] or SHOWN, SHOWN),
        ways=WAYS if values["all_ways"] else 0,
        keep=values["keep"],
        why=values["why"],
        prove=values["prove"],
        progress=_reporting(task, written),
        stop=task.stop,
    )
    return written(advice)


def _solve(task: Task) -> dict[str, Any]:
    from ..core import fast_rules
    from ..solver.data import Progress
    from ..solver.endgame import solve
    from ..solver.json import solution_to_json
    from ..solver.ties import ranked_by_points

    values, position = task.values, task.position
    assert position is not None
    moves, every, top = values["moves"], values["every"], values["top"]
    if moves is not None and every:
        raise InputError.one("every", _("expected moves or every, found both"))
    if moves is None and top is None:
        fast_rules.count_to_list(position, not every, MOST_MOVES, "top")
    seconds, nodes = values["seconds"], values["nodes"]

    def written(progress: Progress) -> dict[str, Any]:
        return solution_to_json(progress.so_far(), top)

    solution = solve(
        position,
        objective=values["objective"],
        goal=values["goal"],
        moves=moves,
        every=every,
        draws_of=values["draws_of"],
        seconds=SOLVE_SECONDS if seconds is None and nodes is None else seconds,
        nodes=nodes,
        memory=values["memory"],
        threads=values["threads"],
        progress=_reporting(task, written),
        stop=task.stop,
    )
    if not task.stop.is_set():
        limits = {name: values[name] for name in ("nodes", "memory", "threads")}
        limits["seconds"] = SOLVE_SECONDS if seconds is None and nodes is None else seconds
        solution = ranked_by_points(solution, stop=task.stop, **limits)
    return solution_to_json(solution, top)


def _moves(task: Task) -> dict[str, Any]:
    from ..core import fast_rules
    from ..moves.data import list_moves
    from ..moves.json import moves_to_json

    assert task.position is not None
    every = task.values["kind"] == "all"
    fast_rules.count_to_list(task.position, not every, MOST_MOVES, "kind")
    return moves_to_json(list_moves(task.position, search=not every), task.values["limit"] or None)


def _apply(task: Task) -> Any:
    from ..core.turn import take_turn

    assert task.position is not None
    draw, seed = task.values["draw"], task.values["seed"]
    if draw is not None and seed is not None:
        raise InputError.one("draw", _("expected draw or seed, found both"))
    turn = take_turn(task.position, task.values["move"], draw=draw, seed=seed)
    return _in_form(turn.after, task.values["form"])


def _show(task: Task) -> Any:
    assert task.position is not None
    return _in_form(task.position, task.values["form"])


def _in_form(position: Position, form: str) -> Any:
    from .. import notation

    if form == "json":
        return notation.position_to_json(position)
    if form == "oneline":
        return notation.write_oneline(position).strip()
    if form == "toml":
        return notation.write_toml(position)
    from ..drawing.terminal import render_position

    return render_position(position)


def _check(task: Task) -> dict[str, Any]:
    from ..check.data import Check
    from ..check.json import check_to_json

    return check_to_json(Check(task.position, tuple(task.problems)))


form_field = Field(choice("json", "oneline", "toml", "text"), "json")
# For both searches.
seconds_field = Field(or_null(real(0.001, MAX_SECONDS, N_("seconds from 0.001 to ten million"))), None)
threads_field = Field(THREADS, 1)
memory_field = Field(or_null(whole(1, MAX_MEMORY)), None)
top_reader = or_null(whole(1, 10**9))
report_field = Field(or_null(real(0.2, MAX_SECONDS, N_("at least 0.2 seconds"))), None)

ACTIONS: dict[str, Action] = {
    "advise": Action(
        _advise,
        ON_A_POSITION
        | {
            "simulations": Field(SIMULATIONS, None),
            "seconds": seconds_field,
            "confidence": Field(CONFIDENCE, None),
            "threads": threads_field,
            "seed": Field(seed_reader, 0),
            "memory": memory_field,
            "keep": Field(some_moves(MOST_KEPT), ()),
            "why": Field(or_null(some_moves(2)), ()),
            "prove": Field(boolean, True),
            "top": Field(top_reader, 8),
            "all_ways": Field(boolean, False),
            "report_every": report_field,
        },
        searches=True,
    ),
    "solve": Action(
        _solve,
        ON_A_POSITION
        | {
            "objective": Field(choice("win", "margin"), "win"),
            "goal": Field(choice("best", "all"), "all"),
            "moves": Field(or_null(some_moves(MOST_MOVES)), None),
            "every": Field(boolean, False),
            "draws_of": Field(or_null(a_move), None),
            "seconds": seconds_field,
            "nodes": Field(NODES, None),
            "threads": threads_field,
            "memory": memory_field,
            "top": Field(top_reader, None),
            "report_every": report_field,
        },
        searches=True,
    ),
    "moves": Action(
        _moves, ON_A_POSITION | {"kind": Field(choice("search", "all"), "search"), "limit": Field(whole(0, 10**9), 0)}
    ),
    "apply": Action(
        _apply,
        ON_A_POSITION
        | {
            "move": Field(a_move),
            "draw": Field(or_null(text(N_("the id or description of a tile"))), None),
            "seed": Field(or_null(seed_reader), None),
            "form": form_field,
        },
    ),
    "show": Action(_show, ON_A_POSITION | {"form": form_field}),
    "check": Action(_check, ON_A_POSITION, judges=True),
}
