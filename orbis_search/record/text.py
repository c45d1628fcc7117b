"""A game as a text that a person can read and write: a header, then one line for each turn.

    orbis-game 1
    players: Anna, Bo
    tiles: reconstruction
    digest: 0123456789abcdef                    of the tile set; may be left out
    date: 2026-11-16
    centre: y1c, g1a, w1b / y1b, w1c, r1d / b1b, w1d, w1a
    gods: harvests, technology, death

    1. Anna: a1 b1b 1 | b1c                     number, player, move, and after the bar the tile drawn
    2. Bo: god death cancelled                  nothing is drawn after a god
    # a comment is a line, or follows one
    3. Anna: b2 w1c 1L | ?                      the tile has not been seen yet
        3. Anna: c2 r1d 1L | g1d                further in: what might have been played instead
        4. Bo: a3 y1c 1                         ... and how it might have gone on
        3. Anna: b2 w1c 1R                      a turn's number again: another variation

    file     = "orbis-game 1" { key ":" value } { turn }
    turn     = number "." [ player ":" ] move [ "|" ( tile | "?" ) ]
    player   = name | "player" seat             always the one whose turn it is
    key      = "players" | "tiles" | "digest" | "date" | "most" | "centre" | "gods" | "position" | "x-" word

Moves are in move notation, tiles are ids or descriptions, as everywhere; short forms are read, full ones written.
`position` with a one-line position replaces `centre` and `gods` where a record does not begin with a new game. A name
with a comma, a colon, a bar, a hash or quotation marks is put in quotation marks, as in JSON. `most: positive` is the
option of that name in the one-line form. Keys that begin with `x-` are free for any use.

Reading stops at the first mistake and says where it is: line and column, what was expected and what was found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..base.errors import InputError, Problem
from ..base.language import _, ngettext
from ..base.names import name_problem
from ..base.options import MAX_DIGITS, counted
from ..base.position_text import decoded
from ..base.quoting import nearest, place_of, shown
from ..drawing.canvas import fit
from ..drawing.terminal import render_scores
from ..game import rules
from ..game.position import Options, Player, Position
from ..game.problems import default_piles
from ..game.tiles import TileSet
from ..game.vocabulary import CELLS, NOBODY
from ..notation.common import CellDraft, Draft, Folder, PlayerDraft, Reading, finish, tile_text
from ..notation.oneline import read_oneline, write_oneline
from .form import COMMENT_MARKS, HEAD, VERSION
from .game import (
    MAX_NESTING,
    OWN,
    UNKNOWN,
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

INDENT = "    "
MAX_TEXT = 1 << 20
_KEYS = ("players", "tiles", "digest", "date", "most", "centre", "gods", "position")
_TURN = re.compile(r"([0-9]{1,4})\s*[.):]\s*")
_KEY = re.compile(r"([A-Za-z][A-Za-z0-9 _-]*?)\s*:\s*")
_PLAIN_NAME = re.compile(r"[^\s,:|#\"'](?:[^,:|#\"]*[^\s,:|#\"])?")
_COMMENT = re.compile(r"(?:^|(?<=\s))#")


# ------------------------------------------------------------------------------------------- writing


def write_record(record: Record) -> str:
    """The whole text, which reads back as an equal record.

    >>> write_record(Record(position, date="2026-11-16")).splitlines()[:3]
    ['orbis-game 1', 'players: "", ""', 'tiles: reconstruction']
    """
    expect_record(record)
    return (
        write_header(record)
        + "".join(write_turn(record.stage(number), turn) for number, turn in enumerate(record.turns, record.first))
        + "".join(f"{_comment_line(text)}\n" for text in record.end)
    )


def write_header(record: Record) -> str:
    """Everything above the first turn, with the empty line between."""
    start = record.start
    lines = [f"{HEAD} {VERSION}", *map(_comment_line, record.comments)]
    lines.append("players: " + ", ".join(_name(player.name) for player in start.players))
    lines += [f"tiles: {_value(start.tiles.name)}", f"digest: {digest(start.tiles)}"]
    if record.date:
        lines.append(f"date: {_value(record.date)}")
    if not start.options.most_at_zero:
        lines.append("most: positive")
    lines += [f"{key}: {_value(value)}".rstrip() for key, value in record.extra]
    if _is_fresh(start):
        names = [tile_text(cell.tile) for cell in start.centre if cell.tile is not None]
        lines.append("centre: " + " / ".join(", ".join(names[at : at + 3]) for at in (0, 3, 6)))
        lines.append("gods: " + ", ".join(god.word for god in start.gods))
    else:
        nameless = tuple(player._replace(name="") for player in start.players)
        lines.append("position: " + write_oneline(start._replace(players=nameless)))
    return "\n".join(lines) + "\n\n"


def write_turn(stage: Stage, turn: Turn, depth: int = 0) -> str:
    """The lines of a turn: comments above it, itself, its variations."""
    indent = INDENT * depth
    lines = [indent + _comment_line(text) for text in turn.above]
    line = f"{stage.number}. {label(stage.position)}: {stage.format(turn.move)}"
    if turn.move.cell is not None:
        line += f" | {UNKNOWN if turn.drawn is None else tile_text(turn.drawn)}"
    lines.append(indent + line + (f"  {_comment_line(turn.comment)}" if turn.comment else ""))
    text = "".join(f"{each}\n" for each in lines)
    for variation in turn.variations:
        reached = stage
        for each in variation:
            text += write_turn(reached, each, depth + 1)
            reached = reached.after(each.move, each.drawn)
    return text


def label(position: Position) -> str:
    """What a line calls the player to move."""
    seat = position.to_move or 0
    return _labels(position.players)[seat]


def _labels(players: Sequence[Player]) -> list[str]:
    """By name where that is plain and unique, otherwise by seat."""
    names = [player.name.casefold() for player in players]
    return [
        player.name
        if _PLAIN_NAME.fullmatch(player.name)
        and names.count(player.name.casefold()) == 1
        and not re.fullmatch(r"(?i)(player\s*)?[0-9]+", player.name)
        else f"player {seat}"
        for seat, player in enumerate(players, 1)
    ]


def _name(name: str) -> str:
    return name if _PLAIN_NAME.fullmatch(name) else _in_quotes(name)


def _value(text: str) -> str:
    return text if text == text.strip() and text[:1] != '"' and not _COMMENT.search(text) else _in_quotes(text)


def _in_quotes(text: str) -> str:
    """In quotation marks, without the sign that begins a comment."""
    return json.dumps(text, ensure_ascii=False).replace("#", "\\u0023")


def _comment_line(text: str) -> str:
    if trouble := name_problem(text):
        raise InputError.one("comment", trouble)
    return f"# {text}".rstrip()


def _is_fresh(start: Position) -> bool:
    """Whether header lines say everything."""
    nobody = tuple(Player(player.name) for player in start.players)
    return (
        start.players == nobody
        and all(cell.worshipers == NOBODY for cell in start.centre)
        and start.piles == default_piles(start.tiles, start.players, start.centre)
    )


# ------------------------------------------------------------------------------------------- showing


def record_text(record: Record) -> str:
    """Each turn as the file has it, with everybody's points after it, for reading. `write_record` writes the file.

    >>> record_text(Record(position))
    '\\nfine; 2 players, 0 turns, player 1 to move\\n'
    """
    expect_record(record)
    lines = []
    for number, turn in enumerate(record.turns, record.first):
        line = write_turn(record.stage(number), turn._replace(above=(), variations=(), comment="")).rstrip()
        points = " : ".join(str(score.total) for score in rules.score(record.position(number + 1)))
        lines.append(f"{fit(line, 64):<64} {points:>14}")
    end = record.position()
    told = "\n".join(lines) + "\n"
    return told + ("\n" + render_scores(end) if end.is_over else record_check_text(record))


def record_check_text(record: Record) -> str:
    """A line of good news: reading a record checks every move and every tile in it."""
    stage = record.stage()
    position = stage.position
    players = ngettext("{n} player", "{n} players", len(position.players))
    turns = ngettext("{n} turn", "{n} turns", len(record.turns))
    if position.to_move is None:
        news = _("fine; {players}, {turns}, the game is over", players=players, turns=turns)
    else:
        name = record.name(position.to_move)
        news = _("fine; {players}, {turns}, {player} to move", players=players, turns=turns, player=name)
    if stage.unseen:
        cells = ", ".join(CELLS[each.cell] for each in stage.unseen)
        news += " " + _("(not seen: {cells})", cells=cells)
    return f"{news}\n"


def cut_text(cut: str) -> str:
    """The note on a last line that was cut short; empty if there is none."""
    return _("The last line is incomplete and was left out: {text}", text=cut) + "\n" if cut else ""


def files_text(count: int, folder: str) -> str:
    """So many games written to files of their own."""
    where = place_of(folder)
    return ngettext("{n} game written to {folder}", "{n} games written to {folder}", count, folder=where) + "\n"


# ------------------------------------------------------------------------------------------- reading


@dataclass(slots=True)
class _Line:
    """A line with something on it."""

    number: int
    indent: int
    body: str  # without indentation and comment
    comment: str | None
    above: tuple[str, ...] = ()
    below: list[_Line] = field(default_factory=list)  # indented further: variations

    def column(self, at: int) -> int:
        return self.indent + at + 1


def read_record(
    text: str | bytes, place: str = "", base_dir: Folder = None, tiles: TileSet | str | None = None
) -> Record:
    """Reads a record; raises InputError with the first mistake in it, by line and column.

    `place` is what messages call the text, usually its file name. A tile set named by a relative path is looked up in
    `base_dir`. `tiles` replaces the set that the text names.

        >>> record = Record(position, date="2026-11-16", comments=("our first game",))
        >>> read_record(write_record(record)) == record
        True
        >>> read_record("orbis-game 1\\nplayers: Anna, Bo\\ncolour: red\\n", "game.orbis")
        Traceback (most recent call last):
        orbis_search.base.errors.InputError: game.orbis, line 3, column 1: expected one of players, tiles, ...
    """
    whole = decoded(text, place)
    if len(whole) > MAX_TEXT:
        raise InputError.one(place, _("expected at most {most} characters, found more", most=MAX_TEXT))
    return _RecordReader(whole, place, base_dir, tiles).read()


class _RecordReader:
    def __init__(self, text: str, place: str, base_dir: Folder, tiles: TileSet | str | None) -> None:
        self.place, self.base_dir, self.tiles = place, base_dir, tiles
        self.lines = self._lines(text)

    def error(self, line: _Line | int, at: int | None, message: str) -> InputError:
        """An error at a place in a line's body; `at` None for the line as a whole."""
        number = line if isinstance(line, int) else line.number
        where = f"line {number}"
        if at is not None and isinstance(line, _Line):
            where += f", column {line.column(at)}"
        return InputError.one(f"{self.place}, {where}" if self.place else where, message)

    # 1. Lines, with comments taken apart.

    def _lines(self, text: str) -> list[_Line]:
        found: list[_Line] = []
        above: list[str] = []
        for number, raw in enumerate(text.split("\n"), 1):
            raw = raw.rstrip().replace("\t", "    ")
            if trouble := name_problem(raw):
                raise self.error(number, None, trouble)
            body = raw.lstrip()
            indent = len(raw) - len(body)
            if body.startswith(COMMENT_MARKS):
                above.append(body[1:].strip())
                continue
            comment = None
            if match := _COMMENT.search(body):
                comment = body[match.end() :].strip()
                body = body[: match.start()].rstrip()
            if body:
                found.append(_Line(number, indent, body, comment, tuple(above)))
                above = []
        self.end = tuple(above)
        return found

    def read(self) -> Record:
        lines = self.lines
        first = lines[0] if lines else _Line(1, 0, "", None)
        match = re.fullmatch(rf"{HEAD}\s+([0-9]+)", first.body, re.IGNORECASE)
        if match is None:
            message = _(
                "expected {head}, the first line of a game, found {found}",
                head=f"{HEAD} {VERSION}",
                found=shown(first.body or None),
            )
            raise self.error(first, 0, message)
        if counted(match[1]) != VERSION:
            what = _("{version}, the version this program reads", version=VERSION)
            found = match[1] if len(match[1]) <= MAX_DIGITS else shown(match[1])
            raise self.error(first, match.start(1), _("expected {what}, found {found}", what=what, found=found))
        count = next((at for at, line in enumerate(lines) if _TURN.match(line.body)), len(lines))
        header, turns = lines[1:count], lines[count:]
        comments = [*first.above, *([first.comment] if first.comment else [])]
        for line in header:
            comments += [*line.above, *([line.comment] if line.comment else [])]
        start, date, extra = self._header(first, header)
        played = self._sequence(Stage(start), self._tree(turns))
        return Record(start, played, date, extra, tuple(comments), self.end)

    # 2. The header.

    def _header(self, first: _Line, lines: list[_Line]) -> tuple[Position, str, tuple[tuple[str, str], ...]]:
        values: dict[str, tuple[_Line, int, str]] = {}
        for line in lines:
            match = _KEY.match(line.body)
            if match is None or line.indent:
                what = _("a header line such as players: Anna, Bo, or a turn such as 1. a1 2.1")
                raise self.error(line, 0, _("expected {what}, found {found}", what=what, found=shown(line.body)))
            key = match[1].lower()
            if key not in _KEYS and own_key_problem(key):
                message = _(
                    "expected one of {choice}, found {found}", choice=", ".join((*_KEYS, f"{OWN}...")), found=shown(key)
                )
                raise self.error(line, 0, message + nearest(key, _KEYS))
            if key in values:
                message = _("expected {key} once, found it already in line {line}", key=key, line=values[key][0].number)
                raise self.error(line, 0, message)
            values[key] = line, match.end(), self._value(line, match.end(), plain=key in ("players", "position"))
        if self.tiles is None and "tiles" in values and "digest" in values:
            self.tiles = tiles_as_played(values["tiles"][2], self.base_dir, values["digest"][2])
        start = self._start(first, values)
        if "digest" in values:
            line, at, said = values["digest"]
            if self.tiles is None and said.lower() != digest(start.tiles):
                message = _(
                    "expected the tiles this game was played with ({found}), found different ones under that name "
                    "({other})",
                    found=said[:40],
                    other=digest(start.tiles),
                )
                raise self.error(line, at, message)
        date = values["date"][2] if "date" in values else ""
        extra = tuple((key, value) for key, (_line, _at, value) in values.items() if key.startswith(OWN))
        return start, date, extra

    def _value(self, line: _Line, at: int, plain: bool) -> str:
        """The value after a key, which may be in quotation marks."""
        text = line.body[at:]
        if plain or text[:1] != '"':
            return text
        try:
            value = str(json.loads(text))
        except ValueError:
            what = _("text in quotation marks")
            raise self.error(line, at, _("expected {what}, found {found}", what=what, found=shown(text))) from None
        if trouble := name_problem(value):
            raise self.error(line, at, trouble)
        return value

    def _start(self, first: _Line, values: dict[str, tuple[_Line, int, str]]) -> Position:
        names = self._names(*values["players"]) if "players" in values else None
        if "position" in values:
            return self._given_start(names, values)
        reading, draft = Reading(), Draft()
        if names is None:
            raise self.error(first, None, _("expected a players: line with their names below this one, found none"))
        draft.players = [PlayerDraft(name) for name in names]
        draft.tiles = values["tiles"][2] if "tiles" in values else draft.tiles
        if "most" in values:
            draft.most_at_zero = self._most_at_zero(*values["most"])
        if "gods" in values:
            draft.gods = reading.gods(values["gods"][2], "gods")
        if "centre" in values:
            line, at, text = values["centre"]
            cells = re.split(r"[,/]", text) if re.search(r"[,/]", text) else text.split()
            if len(cells) != len(CELLS):
                message = _(
                    "expected {count} cells separated by commas, found {found}", count=len(CELLS), found=len(cells)
                )
                raise self.error(line, at, message)
            for index, cell in enumerate(cells):
                draft.cells[index] = CellDraft(reading.tile(cell, f"centre.{CELLS[index]}"), NOBODY)
        try:
            return finish(draft, reading, "", self.base_dir, self.tiles)
        except InputError as error:
            raise self._of_header(error.problems[0], first, values) from None

    def _given_start(self, names: list[str] | None, values: dict[str, tuple[_Line, int, str]]) -> Position:
        line, at, text = values["position"]
        for key in ("centre", "gods"):
            if key in values:
                message = _("expected either position or centre and gods, found both")
                raise self.error(values[key][0], 0, message)
        try:
            start = read_oneline(text, "", self.base_dir, self.tiles)
        except InputError as error:
            raise self.error(line, at, str(error.problems[0])) from None
        if "tiles" in values and self.tiles is None and values["tiles"][2] != start.tiles.name:
            line, at, found = values["tiles"]
            message = _("expected {what}, found {found}", what=shown(start.tiles.name), found=shown(found))
            raise self.error(line, at, message)
        if "most" in values:
            start = start._replace(options=Options(self._most_at_zero(*values["most"])))
        if names is not None:
            if len(names) != len(start.players):
                line, at, _found = values["players"]
                raise self.error(
                    line,
                    at,
                    _(
                        "expected {count} names separated by commas, found {found}",
                        count=len(start.players),
                        found=len(names),
                    ),
                )
            start = start._replace(
                players=tuple(player._replace(name=name) for player, name in zip(start.players, names))
            )
        return start

    def _names(self, line: _Line, at: int, text: str) -> list[str]:
        names = []
        position = 0
        while position <= len(text):
            match = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([^,"]*))\s*(,|$)').match(text, position)
            if match is None:
                raise self.error(
                    line,
                    at + position,
                    _("expected names separated by commas, found {found}", found=shown(text[position:])),
                )
            try:
                names.append(json.loads(match[1]) if match[1] else match[2].strip())
            except ValueError:
                raise self.error(
                    line, at + position, _("expected a name, found {found}", found=shown(match[1]))
                ) from None
            position = match.end()
            if not match[3]:
                break
        return names

    def _most_at_zero(self, line: _Line, at: int, text: str) -> bool:
        if text.lower() not in ("positive", "zero"):
            what = _("positive or zero")
            raise self.error(line, at, _("expected {what}, found {found}", what=what, found=shown(text)))
        return text.lower() == "zero"

    def _of_header(self, problem: Problem, first: _Line, values: dict[str, tuple[_Line, int, str]]) -> InputError:
        """A problem with the start, at the header line that it comes from."""
        key = re.split(r"[^a-z]", problem.place)[0]
        key = {"player": "players", "levels": "centre"}.get(key, key)
        if key in values:
            line, at, text = values[key]
            name = problem.place.partition(".")[2]
            if key == "centre" and name in CELLS:
                at += _start_of_cell(text, CELLS.index(name))
            return self.error(line, at, f"{name}: {problem.message}" if name else problem.message)
        return self.error(first, None, str(problem))

    # 3. The turns.

    def _tree(self, lines: list[_Line]) -> list[_Line]:
        """The lines of the game itself; each has those of its variations below it.

        The first line is one of them, however far it is indented, and so is any line indented no further: turns that
        the program adds to those written by hand have no indentation.
        """
        open_: list[list[_Line]] = [[]]  # by depth
        indents = [lines[0].indent if lines else 0]
        for line in lines:
            indent = max(line.indent, indents[0])
            if indent > indents[-1]:
                if len(open_) > MAX_NESTING:
                    raise self.error(line, None, nested_too_deep())
                open_.append(open_[-1][-1].below)
                indents.append(indent)
            while indent < indents[-1]:
                open_.pop()
                indents.pop()
                if indent > indents[-1]:
                    message = _("expected a line indented like an earlier one, found it between two")
                    raise self.error(line, None, message)
            open_[-1].append(line)
        return open_[0]

    def _sequence(self, begin: Stage, lines: list[_Line]) -> tuple[Turn, ...]:
        """The turns of one line of play, from a stage of the game."""
        play = LineOfPlay(begin)
        for line in lines:
            at = self._label(line, play.stage)
            text, bar, drawn = line.body[at:].partition("|")
            places = {"drawn": at + len(text) + 1 + len(drawn) - len(drawn.lstrip())}
            try:
                play.hear(text)
                stage = play.stage
                move = stage.parse(text)
                if bar and not drawn.strip():
                    raise InputError.one("drawn", _("expected a tile or ? after the bar, found nothing"))
                tile = stage.drawn(move, drawn.strip()) if bar else None
                stage.after(move, tile)
            except InputError as error:
                problem = error.problems[0]
                raise self.error(line, places.get(problem.place, at), problem.message) from None
            play.add(Turn(move, tile, line.comment or "", line.above))
        # Variations last: what later turns reveal of unseen tiles holds in them too.
        return tuple(
            turn._replace(variations=self._variations(stage, line))
            for line, turn, stage in zip(lines, play.turns, stages(begin, play.turns))
        )

    def _variations(self, stage: Stage, line: _Line) -> tuple[tuple[Turn, ...], ...]:
        found: list[list[_Line]] = []
        for each in line.below:
            match = _TURN.match(each.body)
            if match is not None and int(match[1]) == stage.number:
                found.append([])
            elif not found:
                message = _(
                    "expected turn {number}, as this is a variation of it, found {found}",
                    number=stage.number,
                    found=shown(each.body),
                )
                raise self.error(each, 0, message)
            found[-1].append(each)
        return tuple(self._sequence(stage, lines) for lines in found)

    def _label(self, line: _Line, stage: Stage) -> int:
        """Where the move begins, after checking number and player."""
        match = _TURN.match(line.body)
        mover = stage.position.to_move
        if mover is None:
            raise self.error(line, 0, _("expected no move after the game's end, found one"))
        if match is None or int(match[1]) != stage.number:
            message = _("expected turn {number}, found {found}", number=stage.number, found=shown(line.body))
            raise self.error(line, 0, message)
        at = match.end()
        players = stage.position.players
        said = line.body[at:]
        names = [player.name for player in players]
        known = {name.casefold(): seat for seat, name in enumerate(names) if name and names.count(name) == 1}
        for seat in range(len(players)):
            known |= {f"player {seat + 1}": seat, str(seat + 1): seat}
        # The last colon after a name: a name may contain one itself, and so may a move.
        for colon in reversed([*re.finditer(r"\s*:\s*", said)]):
            seat_named = known.get(said[: colon.start()].casefold())
            if seat_named is None:
                continue
            if seat_named != mover:
                message = _(
                    "expected {player}, whose turn it is, found {found}",
                    player=label(stage.position),
                    found=shown(said[: colon.start()]),
                )
                raise self.error(line, at, message)
            return at + colon.end()
        stranger = re.match(r"([^|:]*?)\s*:\s", said)
        if stranger and "remove" not in stranger[1].lower():
            message = _(
                "expected {player}, whose turn it is, found {found}",
                player=label(stage.position),
                found=shown(stranger[1]),
            )
            raise self.error(line, at, message)
        return at


def _start_of_cell(text: str, index: int) -> int:
    """Where a cell starts in the line of all nine."""
    parts = re.split(r"([,/])", text) if re.search(r"[,/]", text) else re.split(r"(\s+)", text)
    before = sum(map(len, parts[: 2 * index]))
    return before + len(parts[2 * index]) - len(parts[2 * index].lstrip())
