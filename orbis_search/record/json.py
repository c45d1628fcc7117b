"""A record for programs: its JSON form, as docs/json.md has it.

    {"format": "orbis-game", "version": 1, "digest": "...", "date": "...", "extra": {"x-...": "..."},
     "comments": ["..."], "start": {... a position ...},
     "turns": [{"number": 1, "player": 1, "move": {... a move ...}, "drawn": "r1a", "comment": "", "above": [],
                "variations": [[{... a turn ...}, ...], ...]}, ...],
     "end": ["..."]}

`drawn` is null after a god, and where the tile is not known. Reading needs only `start` and `turns`, and in a turn only
the move, which may also be text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.errors import InputError, Problem
from ..base.json import NestedTooDeep, NotJson, json_value, problems_to_json
from ..base.language import _
from ..base.names import name_problem
from ..base.quoting import shown
from ..game import rules
from ..game.tiles import TileSet
from ..game.vocabulary import CELLS
from ..notation.common import Folder, Reading, tile_text
from ..notation.json import position_from_json, position_to_json
from ..notation.move_json import move_from_json, move_to_json
from .form import HEAD, VERSION
from .game import (
    MAX_NESTING,
    OWN,
    LineOfPlay,
    Record,
    Stage,
    Turn,
    digest,
    expect_record,
    nested_too_deep,
    own_key_problem,
    stages,
    tiles_as_played,
)

CHECK_FORMAT, FILES_FORMAT = "orbis-game-check", "orbis-game-files"
_KEYS = ("format", "version", "digest", "date", "extra", "comments", "start", "turns", "end")
_TURN_KEYS = ("number", "player", "move", "drawn", "comment", "above", "variations")


def record_to_json(record: Record) -> dict[str, Any]:
    """The record as plain data, ready for JSON; `read_record` does not read it, `load_record` does.

    >>> record_to_json(Record(position))["turns"]
    []
    """
    expect_record(record)
    return {
        "format": HEAD,
        "version": VERSION,
        "digest": digest(record.start.tiles),
        "date": record.date,
        "extra": dict(record.extra),
        "comments": list(record.comments),
        "start": position_to_json(record.start),
        "turns": _line_to_list(Stage(record.start), record.turns),
        "end": list(record.end),
    }


def _line_to_list(stage: Stage, turns: tuple[Turn, ...]) -> list[dict[str, Any]]:
    written = []
    for turn in turns:
        written.append(
            {
                "number": stage.number,
                "player": (stage.position.to_move or 0) + 1,
                "move": move_to_json(stage.position, turn.move),
                "drawn": None if turn.drawn is None else tile_text(turn.drawn),
                "comment": turn.comment,
                "above": list(turn.above),
                "variations": [_line_to_list(stage, variation) for variation in turn.variations],
            }
        )
        stage = stage.after(turn.move, turn.drawn)
    return written


def record_check_to_json(record: Record | None, problems: Sequence[Problem] = (), cut: str = "") -> dict[str, Any]:
    """A sound record, with the start of a line that was `cut` short; or None, and why it could not be read."""
    head = {
        "format": CHECK_FORMAT,
        "version": VERSION,
        "ok": record is not None,
        "problems": problems_to_json(problems),
    }
    if record is None:
        return head
    stage = record.stage()
    mover = stage.position.to_move
    return head | {
        "players": len(stage.position.players),
        "first": record.first,
        "turns": len(record.turns),
        "to_move": None if mover is None else mover + 1,
        "unseen": [
            {"cell": CELLS[each.cell], "turn": each.turn, "tiles": [tile.id for tile in each.tiles]}
            for each in stage.unseen
        ],
        "points": [score.total for score in rules.score(stage.position)],
        "cut": cut or None,
    }


def files_to_json(files: Sequence[str]) -> dict[str, Any]:
    """Games written to files of their own."""
    return {"format": FILES_FORMAT, "version": VERSION, "files": list(files)}


def read_record_json(text: str, place: str = "", base_dir: Folder = None, tiles: TileSet | str | None = None) -> Record:
    """The record in a JSON text; InputError names the first thing wrong with it."""
    try:
        document = json_value(text)
    except NestedTooDeep:
        raise InputError.one(place, _("expected a game in JSON, found lists nested too deeply")) from None
    except NotJson as error:
        raise InputError.one(place, _("expected a game in JSON, found a syntax error: {error}", error=error)) from None
    return record_from_json(document, place, base_dir, tiles)


def record_from_json(
    document: object, place: str = "", base_dir: Folder = None, tiles: TileSet | str | None = None
) -> Record:
    """What `record_to_json` wrote."""
    reader = _Reader(place)
    top = reader.table(document, "", _KEYS)
    if top.get("format", HEAD) != HEAD:
        reader.fail("format", f'"{HEAD}"', top["format"])
    if top.get("version", VERSION) != VERSION:
        reader.fail("version", str(VERSION), top["version"])
    said = reader.text(top.get("digest", ""), "digest")
    begin = top.get("start")
    if said and tiles is None and isinstance(begin, dict) and isinstance(begin.get("tiles"), str):
        tiles = tiles_as_played(begin["tiles"], base_dir, said)
    try:
        start = position_from_json(begin, "start", base_dir, tiles)
    except InputError as error:
        raise reader.error(error.problems[0].place, error.problems[0].message) from None
    if said and tiles is None and said != digest(start.tiles):
        message = _(
            "expected the tiles this game was played with ({found}), found different ones under that name ({other})",
            found=said[:40],
            other=digest(start.tiles),
        )
        raise reader.error("digest", message)
    extra = top.get("extra", {})
    if not isinstance(extra, dict):
        reader.fail("extra", _("a table of text values whose keys begin with {prefix}", prefix=OWN), extra)
    for key in extra:
        if trouble := own_key_problem(key):
            raise reader.error("extra", trouble)
    return Record(
        start,
        reader.line(Stage(start), top.get("turns"), "turns"),
        reader.text(top.get("date", ""), "date"),
        tuple((key, reader.text(value, f"extra.{key}")) for key, value in extra.items()),
        reader.comments(top.get("comments", []), "comments"),
        reader.comments(top.get("end", []), "end"),
    )


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source

    def error(self, place: str, message: str) -> InputError:
        return InputError.one(": ".join(filter(None, (self.source, place))), message)

    def fail(self, place: str, what: str, found: object) -> None:
        raise self.error(place, _("expected {what}, found {found}", what=what, found=shown(found)))

    def table(self, value: object, place: str, keys: tuple[str, ...]) -> dict[str, Any]:
        reading = Reading()
        found = reading.table(value, place, keys)
        if reading.problems:
            raise self.error(*reading.problems[0])
        return found

    def text(self, value: object, place: str) -> str:
        if not isinstance(value, str):
            self.fail(place, _("a string"), value)
        found = str(value)
        if trouble := name_problem(found):
            raise self.error(place, trouble)
        return found

    def comments(self, value: object, place: str) -> tuple[str, ...]:
        return tuple(self.text(each, f"{place}[{at}]").strip() for at, each in enumerate(self.items(value, place), 1))

    def items(self, value: object, place: str) -> list[Any]:
        if not isinstance(value, list):
            self.fail(place, _("a list"), value)
        return list(value)  # type: ignore[call-overload, no-any-return]

    def line(self, begin: Stage, value: object, place: str, depth: int = 0) -> tuple[Turn, ...]:
        """The turns of one line of play; it is a variation of a variation ... as often as `depth` says."""
        if depth > MAX_NESTING:
            raise self.error("turns", nested_too_deep())
        play = LineOfPlay(begin)
        tables = []
        for at, each in enumerate(self.items(value, place), 1):
            where = f"{place}[{at}]"
            table = self.table(each, where, _TURN_KEYS)
            tables.append(table)
            said = None if table.get("drawn") is None else self.text(table["drawn"], f"{where}.drawn")
            mover = play.stage.position.to_move
            for key, expected in (("number", play.stage.number), ("player", None if mover is None else mover + 1)):
                if table.get(key, expected) != expected:
                    self.fail(f"{where}.{key}", shown(expected), table[key])
            move = table.get("move")
            try:
                play.hear(move if isinstance(move, str) else _start_of_text(move))
                stage = play.stage
                made = stage.parse(move) if isinstance(move, str) else move_from_json(move, stage.standing)
                stage.check(made)
                drawn = None if said is None else stage.drawn(made, said)
                stage.after(made, drawn)
            except InputError as error:
                raise self.error(f"{where}.{error.problems[0].place}", error.problems[0].message) from None
            play.add(
                Turn(
                    made,
                    drawn,
                    self.text(table.get("comment", ""), f"{where}.comment").strip(),
                    self.comments(table.get("above", []), f"{where}.above"),
                )
            )
        # Variations last: what later turns reveal of unseen tiles holds in them too.
        return tuple(
            turn._replace(variations=self._variations(stage, table, f"{place}[{at}].variations", depth + 1))
            for at, (table, turn, stage) in enumerate(zip(tables, play.turns, stages(begin, play.turns)), 1)
        )

    def _variations(self, stage: Stage, turn: dict[str, Any], place: str, depth: int) -> tuple[tuple[Turn, ...], ...]:
        lines = self.items(turn.get("variations", []), place)
        return tuple(self.line(stage, line, f"{place}[{at}]", depth) for at, line in enumerate(lines, 1))


def _start_of_text(move: object) -> str:
    """The cell and the tile of a move, as its text would begin."""
    table = move if isinstance(move, dict) else {}
    return f"{table.get('cell')} {table.get('tile')}"
