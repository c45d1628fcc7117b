"""A request to the engine, taken apart: the fields of an action, how they are read, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from threading import Event
from typing import Any, NamedTuple

from ..base.errors import MOST_PROBLEMS, InputError, Problem
from ..base.language import LANGUAGES, N_, _, ngettext
from ..base.options import MAX_SEED, Reader, Unfit, choice, or_null, text, whole
from ..base.quoting import nearest, shown
from ..base.stopping import Stopped
from ..game.position import Move, Position
from ..record.game import Stage

DEFAULT_MEMORY = 256 << 20  # for one request
MOST_MOVES = 10_000  # listed in one answer
MAX_TURN = 10**6  # that may be asked for; how many a game has, the game says
MAX_ID = 200  # characters

Id = str | int
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
    looks: bool = False  # accepts games with tiles that nobody has seen, and needs no move to be possible


class Task(NamedTuple):
    """What an action sees of its request and of the engine."""

    position: Position | None  # None if the action has none, or if it judges and there are problems
    problems: Sequence[Problem]  # of the position, for an action that judges
    values: Mapping[str, Any]
    stop: Event
    report: Callable[[Any], None]  # sends an interim result
    stage: Stage | None = None  # the same with what is not known of it, for an action that looks


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


def read_stage(given: str | dict[str, Any], tiles: str | None, turn: int | None) -> Stage:
    """The same, where a tile that nobody has seen is no problem."""
    from ..record.form import is_game
    from ..record.json import read_record_json, record_from_json
    from ..record.positions import is_game_document
    from ..record.text import read_record

    if isinstance(given, dict):
        if not is_game_document(given):
            return Stage(read_position(given, tiles, turn))
        record = record_from_json(given, tiles=tiles)
    elif not is_game(given):
        return Stage(read_position(given, tiles, turn))
    else:
        record = (read_record_json if given.lstrip().startswith("{") else read_record)(given, tiles=tiles)
    return record.stage(turn)


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

    for name in ("move", "better", "draws_of"):
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


def field_of(problem: Problem, fields: Mapping[str, Field]) -> str | None:
    """The field that a problem met while answering is about: the one it names, or else what the request is about."""
    return next((field for field in (problem.place, "position", "draft", "file") if field in fields), None)


def refusal(problems: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """All problems, with the first one repeated in front for programs that show a single line."""
    listed = list(problems)
    return {"final": True, **listed[0], "problems": listed}
