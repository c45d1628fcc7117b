"""Actions on games kept in files: begun, continued, taken back, played by engine players, reviewed.

A file is named without a folder and lies where the engine was started; nothing else is read or written. Every action
opens the file, holds it, and closes it again, so that any number of programs can follow one game: `number` says which
turn is meant, and an answer to a turn that is no longer the last is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from random import SystemRandom
from typing import TYPE_CHECKING, Any, TypeVar

from ..base.errors import InputError
from ..base.language import N_, _
from ..base.options import SIMULATIONS, Unfit, or_null, text, whole
from ..base.quoting import shown
from ..game.position import Position
from ..game.tiles import Tile
from ..game.vocabulary import CELLS
from ..notation.common import tile_text
from ..record.file import ENDING, RecordFile, load_record
from ..record.game import Record, Stage
from .board_actions import described_tiles, some_texts
from .requests import Action, Field, Task, a_position, read_position, seed_reader

if TYPE_CHECKING:
    from ..players.session import Game

Read = TypeVar("Read")

MOST_GAMES = 200  # listed
MOST_PLAYERS = 4
LAST_TURN = 1000  # that may be asked for; how many a game has, the game says
ME = "x-me"  # in the record: the seat of whoever is advised, as `orbis track` has it
_NAMES_A_FILE = set("@/\\")
_NAME = re.compile(rf"[^\W_][\w .()+-]{{0,80}}{re.escape(ENDING)}")


def a_file(value: Any) -> str:
    """The plain name of a game, never a path."""
    if not isinstance(value, str) or not _NAME.fullmatch(value) or ".." in value:
        raise Unfit(_("the name of a game in this folder, such as game.orbis"))
    if os.path.islink(value) or (os.path.lexists(value) and not os.path.isfile(value)):
        raise Unfit(_("the name of a game in this folder, such as game.orbis"))
    return value


def free_file() -> str:
    """`game.orbis`, `game-2.orbis`, ... as the commands name theirs."""
    number = 1
    while os.path.lexists(name := f"game{f'-{number}' if number > 1 else ''}{ENDING}"):
        number += 1
    return name


@contextmanager
def held(task: Task) -> Iterator[RecordFile]:
    """The game of a request, and nobody else's for now."""
    name = task.values["file"]
    if not os.path.isfile(name):
        raise InputError.one("file", _("expected a game in this folder, found no file {found}", found=shown(name)))
    try:
        file = RecordFile.open(name)
    except InputError as error:
        raise InputError.one("file", str(error.problems[0])) from None
    with file:
        yield file


# ---- what a game is ---------------------------------------------------------------------------------


def game_to_json(name: str, record: Record) -> dict[str, Any]:
    """A game as a page shows it: every turn, and what is on the table now."""
    from ..drawing.sentences import idea_words
    from ..game import rules
    from ..notation import write_oneline
    from ..record.text import write_record

    stage = record.stage()
    header = dict(record.extra)
    players = len(record.start.players)
    return {
        "file": name,
        "text": write_record(record),
        "players": [record.name(seat) for seat in range(players)],
        "seats": [header.get(f"x-seat-{seat + 1}", "") for seat in range(players)],
        "me": int(header[ME]) if header.get(ME, "").isdecimal() else None,
        "first": record.first,
        "next": stage.number,
        "to_move": None if stage.position.to_move is None else stage.position.to_move + 1,
        "thinking": engine_to_move(record, stage.position),
        "position": None if stage.unseen else write_oneline(stage.position).strip(),
        "unseen": [each.turn for each in stage.unseen],
        "points": [score.total for score in rules.score(stage.standing)],
        "winners": [seat + 1 for seat in rules.winners(stage.position)] if stage.position.is_over else [],
        "resigned": has_ended_early(record),
        "described": described_tiles(named_tiles(record)),
        "turns": [
            {
                "number": before.number,
                "player": (before.position.to_move or 0) + 1,
                "move": before.format(turn.move),
                "words": idea_words(before.position, turn.move),
                "cell": None if turn.move.cell is None else CELLS[turn.move.cell],
                "drawn": None if turn.drawn is None else tile_text(turn.drawn),
                "open": turn.drawn is None and turn.move.cell is not None,
                "comment": turn.comment,
            }
            for before, turn in record.replay()
        ],
    }


def named_tiles(record: Record) -> list[Tile]:
    """Every tile that the game has named."""
    from ..game.problems import visible_tiles

    drawn = [turn.drawn for turn in record.turns if turn.drawn is not None]
    return [*(tile for _place, tile in visible_tiles(record.start)), *drawn]


def is_dealt(record: Record) -> bool:
    return "x-seed" in dict(record.extra)


def has_ended_early(record: Record) -> bool:
    """Somebody gave up: then the record of a game that was dealt says so below its last turn."""
    return is_dealt(record) and record.end != ()


def engine_to_move(record: Record, position: Position) -> bool:
    """Whether an engine player is to move."""
    if position.to_move is None or has_ended_early(record):
        return False
    return dict(record.extra).get(f"x-seat-{position.to_move + 1}", "me") != "me"


def _games(task: Task) -> dict[str, Any]:
    found = []
    names = [name for name in os.listdir() if _is_game_file(name)]
    names.sort(key=lambda name: (-_age(name), name))
    for name in names[:MOST_GAMES]:
        try:
            record = load_record(name).record
        except InputError as error:
            found.append({"file": name, "problem": str(error.problems[0]), "players": [], "turns": 0, "over": False})
            continue
        players = [record.name(seat) for seat in range(len(record.start.players))]
        over = record.stage().position.is_over
        found.append({"file": name, "problem": None, "players": players, "turns": len(record.turns), "over": over})
    return {"games": found}


def _is_game_file(name: str) -> bool:
    try:
        return os.path.isfile(a_file(name))
    except Unfit:
        return False


def _age(name: str) -> float:
    with suppress(OSError):
        return os.stat(name).st_mtime
    return 0.0


def _game(task: Task) -> dict[str, Any]:
    name = task.values["file"]
    if not os.path.isfile(name):
        raise InputError.one("file", _("expected a game in this folder, found no file {found}", found=shown(name)))
    try:
        return game_to_json(name, load_record(name).record)
    except InputError as error:
        raise InputError.one("file", str(error.problems[0])) from None


# ---- begun and continued ----------------------------------------------------------------------------


def _begin(task: Task) -> dict[str, Any]:
    values = task.values
    name = values["file"] or free_file()
    if (values["start"] is None) == (values["seats"] is None):
        raise InputError.one("start", _("expected either start or seats, found both or neither"))
    if values["start"] is not None:
        record = _tracked(values["start"], values["me"])
    else:
        record = _dealt(values["seats"], values["seed"])
    RecordFile.create(name, record).close()
    return game_to_json(name, record)


def _tracked(start: str | dict[str, Any], me: int | None) -> Record:
    """As `orbis track` begins."""
    position = read_position(start, None, None)
    if me is not None and me > len(position.players):
        found = _("expected a seat from 1 to {most}, found {found}", most=len(position.players), found=me)
        raise InputError.one("me", found)
    extra = () if me is None else ((ME, str(me)),)
    return Record(position, date=date.today().isoformat(), extra=extra)


def _dealt(seats: list[str], seed: int | None) -> Record:
    """As `orbis play` begins."""
    from ..players.session import new_game, parse_seat
    from ..tileset.library import load_tile_set

    chosen = SystemRandom().randrange(2**32) if seed is None else seed
    for seat in seats:
        if (_NAMES_A_FILE | {":"}) & set(seat):
            raise InputError.one("seats", _("expected me, a name or a level, found {found}", found=shown(seat)))
    players = [parse_seat(seat, "seats") for seat in seats]
    return new_game(players, load_tile_set(), chosen, date.today().isoformat()).record


def expect_next(record: Record, number: int) -> Stage:
    stage = record.stage()
    if number != stage.number:
        message = _("expected the turn that comes next, {next}, found {found}", next=stage.number, found=number)
        raise InputError.one("number", message)
    return stage


def _turn(task: Task) -> dict[str, Any]:
    values = task.values
    with held(task) as file:
        record = file.record
        stage = expect_next(record, values["number"])
        said, drawn = values["said"], values["drawn"]
        if stage.position.is_over:
            raise InputError.one("file", _("expected a game that is not over, found one that is"))
        if (named := stage.named(said)) is not None:
            record = record.seen(*named)
            stage = record.stage()
        move = as_field("said", lambda: stage.parse(said))
        if is_dealt(record):
            game = taken_up(record)
            game.play(move)
            record = game.record
        else:
            tile = None if drawn is None else as_field("drawn", lambda: stage.drawn(move, drawn))
            record = record.play(move, tile)
        file.keep(record)
        return game_to_json(file.path, record)


def taken_up(record: Record) -> Game:
    """InputError for a seat that names a file: the record may come from anybody."""
    from ..players.session import take_up

    for key, value in record.extra:
        if key.startswith("x-seat") and _NAMES_A_FILE & set(value):
            raise InputError.one("file", _("expected me, a name or a level, found {found}", found=shown(value)))
    return take_up(record)


def as_field(field: str, read: Callable[[], Read]) -> Read:
    try:
        return read()
    except InputError as error:
        raise InputError.one(field, error.problems[0].message) from None


def _see(task: Task) -> dict[str, Any]:
    """The tile that came after a turn: named late, or corrected."""
    number, said = task.values["number"], task.values["drawn"]
    with held(task) as file:
        record = file.record
        turn = as_field("number", lambda: record.turn(number))
        tile = as_field("drawn", lambda: record.stage(number).drawn(turn.move, said))
        file.keep(as_field("drawn", lambda: record.corrected(number, turn.move, tile)))
        return game_to_json(file.path, file.record)


def _back(task: Task) -> dict[str, Any]:
    """Takes back a turn and those after it; in a game against engine players, back to a person's."""
    number = task.values["number"]
    with held(task) as file:
        record = as_field("number", lambda: file.record.before(number))
        while record.turns and is_dealt(record) and engine_to_move(record, record.position()):
            record = record.before(record.last)
        file.keep(record)
        return game_to_json(file.path, record)


def _think(task: Task) -> dict[str, Any]:
    """The move of the engine player whose turn it is."""
    with held(task) as file:
        record = file.record
        expect_next(record, task.values["number"])
        if not engine_to_move(record, record.position()):
            raise InputError.one("number", _("expected an engine player's turn, found a person's"))
        game = taken_up(record)
    # Others may look at the game, or take a turn back, while it thinks.
    move = game.think()
    with held(task) as file:
        expect_next(file.record, task.values["number"])
        game = taken_up(file.record)
        game.play(move)
        file.keep(game.record)
        return game_to_json(file.path, file.record)


# ---- reviewed --------------------------------------------------------------------------------------


def _review(task: Task) -> dict[str, Any]:
    from ..review.analysis import review_game
    from ..review.json import review_to_json

    values = task.values
    name = values["file"]
    if not os.path.isfile(name):
        raise InputError.one("file", _("expected a game in this folder, found no file {found}", found=shown(name)))
    record = load_record(name).record

    def progress(done: int, total: int) -> None:
        task.report({"judged": done, "turns": total})

    found = review_game(
        record, simulations=values["simulations"], seed=values["seed"], progress=progress, stop=task.stop
    )
    return review_to_json(found)


file_field = Field(a_file)
number_field = Field(whole(1, LAST_TURN))
GAME_ACTIONS: dict[str, Action] = {
    "games": Action(_games, {}),
    "begin": Action(
        _begin,
        {
            "file": Field(or_null(a_file), None),
            "start": Field(or_null(a_position), None),
            "me": Field(or_null(whole(1, MOST_PLAYERS)), None),
            "seats": Field(or_null(some_texts(MOST_PLAYERS)), None),
            "seed": Field(or_null(seed_reader), None),
        },
    ),
    "game": Action(_game, {"file": file_field}),
    "turn": Action(
        _turn,
        {
            "file": file_field,
            "number": number_field,
            "said": Field(text(N_("a move, as text"))),
            "drawn": Field(or_null(text(N_("the id or description of a tile"))), None),
        },
    ),
    "see": Action(
        _see, {"file": file_field, "number": number_field, "drawn": Field(text(N_("the id or description of a tile")))}
    ),
    "back": Action(_back, {"file": file_field, "number": number_field}),
    "think": Action(_think, {"file": file_field, "number": number_field}, searches=True),
    "review": Action(
        _review,
        {"file": file_field, "simulations": Field(SIMULATIONS, 2000), "seed": Field(seed_reader, 0)},
        searches=True,
    ),
}
