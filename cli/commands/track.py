"""`orbis track`: a game at the table, entered move by move and tile by tile, with advice when it is one's turn."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from ...base.errors import InputError
from ...base.language import N_, _, ngettext, pgettext
from ...base.options import counted
from ...base.quoting import shown
from ..options import (
    color_option,
    duration_type,
    expect_writable,
    free_name,
    json_option,
    load_position,
    load_tiles,
    place_of,
    position_folder,
    rebased,
    rebased_tiles,
    tiles_option,
    wants_colour,
    write_json,
)
from ..turn_asking import BACK, BEST, Command, Entry, TurnAsking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...advice.data import Advice
    from ...entry.data import TrackReport
    from ...entry.questions import Option, Question
    from ...game.position import Move, Position
    from ...game.tiles import Tile
    from ...record.file import RecordFile
    from ...record.game import Misfit, Record, Stage, Turn

INTERRUPTED = 130
ME = "x-me"  # in the record: the seat of whoever is advised

ADVICE = Command("advice", "a", N_("the best moves, as the advisor sees them"))
WHY = Command("why", "e", N_("reasons for it, and what is expected to follow; why c2 compares"), takes_more=True)
UNDO = Command("undo", "u", N_("take back the last turn"))
FIX = Command("fix", "f", N_("correct an earlier turn; later ones are checked again"))
TILE = Command("tile", "t", N_("name a tile that nobody saw when it came"))
MOVES = Command("moves", "m", N_("the turns so far"))
SHOW = Command("show", "s", N_("everybody's universe and the piles"))
NOTE = Command("note", "n", N_("a comment on the last turn"))
HELP = Command("help", "?", N_("this list"))
QUIT = Command("quit", "q", N_("leave; the game is saved"))
COMMANDS = (ADVICE, UNDO, FIX, TILE, WHY, MOVES, SHOW, NOTE, QUIT, HELP, BEST)


@click.command()
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--me", metavar="PLAYER", help="Whom to advise: a name, or a seat from 1.")
@click.option("--advice/--no-advice", "at_once", default=True, help="Advise --me without being asked.  [default: yes]")
@click.option(
    "--time", "seconds", type=duration_type, metavar="TIME", default="5s", show_default=True, help="Time for advice."
)
@click.option("--from", "position", metavar="POSITION", help="Start from a position instead of a fresh game.")
@tiles_option(N_("Tile set: a file, a built-in name, or random:SEED."))
@color_option
@json_option
def track(
    file: str | None,
    me: str | None,
    at_once: bool,
    seconds: float,
    position: str | None,
    tiles: str | None,
    color: str,
    as_json: bool,
) -> None:
    """Enter a game at the table as it is played, and get advice.

    A new FILE begins with who plays, the nine tiles and the gods; an existing one
    continues where you left off. Then come each move and the tile that was drawn.
    You are asked only where there is a choice, and digits are enough: cells are
    the keys of a number pad, 0 is the other way (a god, wilderness, cancelled),
    colours are 1 to 5 for r g b y w. Names, a few words of a tile and whole moves
    work too, and so do several answers on one line.

    At any question, 00 lists what else you can do, by number: advice, undo, fix
    an earlier turn, name a tile that nobody saw. Every move is in FILE before the
    next question, so quit, Ctrl-C and a crash lose nothing. Ctrl-C while the
    advisor thinks shows what it has found so far.

    Answers can also come from a script on standard input, one per line; with
    --json the only output is a report of what became of each.
    """
    if file == "-":
        raise click.UsageError(_("FILE: a game is tracked in a file, so it cannot be -."))
    if tiles == "-":
        raise click.UsageError(_("--tiles: the games have to name their tile set, so it cannot come from -."))
    if as_json and sys.stdin is not None and sys.stdin.isatty():
        raise click.UsageError(_("--json is for scripts: it takes the answers from a file or a pipe."))
    path = file or free_name("game", ".orbis")
    goes_on = os.path.exists(path)
    if goes_on and (position is not None or tiles is not None):
        raise click.UsageError(
            _("--from and --tiles are for a new game, but {file} exists already.", file=place_of(path))
        )
    if not goes_on:
        expect_writable(path)  # before a whole table is typed in for it
    with _Session(path, me, at_once, seconds, wants_colour(color), as_json) as session:
        if goes_on:
            session.take_up()
        elif position is not None:
            start = load_position(position, tiles)
            session.begin(rebased(start, position_folder(position, tiles), path))
            session.learning.pass_over(session.seen())
        code = session.run(tiles)
    if as_json:
        from ...entry.json import track_to_json

        write_json(track_to_json(session.report()))
    raise click.exceptions.Exit(code)


class _Left(Exception):
    """Somebody has had enough for now."""


class _Session:
    """One game at the terminal."""

    def __init__(self, path: str, me: str | None, at_once: bool, seconds: float, colour: bool, silent: bool) -> None:
        from ...entry.learning import Learning

        self.path, self.name = path, place_of(path)
        self.said_me = me
        self.me: int | None = None  # the seat of whoever is advised
        self.at_once, self.seconds = at_once, seconds
        self.colour, self.silent = colour, silent
        self.asking = TurnAsking(COMMANDS, silent)
        self.learning = Learning(os.path.dirname(path))
        self.say = self.asking.say
        self.file: RecordFile | None = None
        self.advice: Advice | None = None  # the last one
        self.noted = False  # whether the line about the tile set was printed

    def __enter__(self) -> _Session:
        return self

    def __exit__(self, *error: object) -> None:
        if self.file is not None:
            self.file.close()

    # The file.

    @property
    def record(self) -> Record:
        assert self.file is not None
        return self.file.record

    def keep(self, record: Record) -> None:
        """Has the record on the disk."""
        assert self.file is not None
        self.file.keep(record)

    def begin(self, start: Position) -> None:
        from datetime import date

        from ...record.file import RecordFile
        from ...record.game import Record

        self.me = self._seat(start, self.said_me)
        extra = () if self.me is None else ((ME, str(self.me + 1)),)
        self.file = RecordFile.create(self.path, Record(start, date=date.today().isoformat(), extra=extra))

    def take_up(self) -> None:
        from ...record.file import RecordFile

        self.file = RecordFile.open(self.path)
        self.me = self._seat(self.record.start, self.said_me or dict(self.record.extra).get(ME))
        self.learning.pass_over(self.seen())
        if self.file.cut:
            self.say(_("The last line was incomplete and is left out: {text}", text=self.file.cut) + "\n")

    def _seat(self, start: Position, said: str | None) -> int | None:
        """Of whoever is advised, by name or by number."""
        if said is None:
            return None
        names = [player.name for player in start.players]
        known = {str(seat): seat - 1 for seat in range(1, len(names) + 1)}
        known |= {name.casefold(): seat for seat, name in enumerate(names) if name}
        if said.casefold() not in known:
            choice = ", ".join(filter(None, [*names, *map(str, range(1, len(names) + 1))]))
            raise InputError.one("--me", _("expected one of {choice}, found {found}", choice=choice, found=said))
        return known[said.casefold()]

    # The game.

    def run(self, tiles: str | None) -> int:
        """The exit code, once it is over or somebody has left."""
        from ...entry.text import track_text

        try:
            if self.file is None:
                self._set_up(tiles)
            if self.record.turns:
                self.say(_("Continuing {file} at turn {turn}.", file=self.name, turn=self.record.last + 1) + "\n")
                self._ask_draw()
            while True:
                self._turn()
        except (_Left, EOFError):
            self.say(track_text(self.report()))
            return 0
        except KeyboardInterrupt:
            if not self.silent:
                print("\n" + track_text(self.report()), end="", file=sys.stderr)
            return INTERRUPTED

    def _set_up(self, tiles: str | None) -> None:
        from ...entry.setup_dialog import SetUpEntry
        from ...game.tiles import DEFAULT_TILE_SET

        self.say(_("A new game: {file}. 00 lists what you can do.", file=self.name) + "\n")
        entry = SetUpEntry(rebased_tiles(load_tiles(tiles or DEFAULT_TILE_SET), ".", self.path))
        while entry.position is None:
            self._fill(entry, before_the_game=True)
        self.begin(entry.position)

    def _fill(self, entry: Entry, before_the_game: bool = False) -> bool:
        """Asks until the entry is whole; False if what somebody did instead has changed the game."""
        while (command := self.asking.fill(entry)) is not None:
            if command is QUIT:
                raise _Left
            if command is HELP:
                self.asking.say_help()
            elif before_the_game:
                self.say("  " + _("Not before the first turn.") + "\n")
            elif self._do(command):
                return False
        return True

    def _turn(self) -> None:
        from ...entry.move_dialog import MoveEntry

        self._learn()
        stage = self.record.stage()
        self._draw(stage)
        if stage.position.is_over:
            self._after_the_end()
            return
        if self.at_once and self.me is not None and stage.position.to_move == self.me and not stage.unseen:
            self._advise()
        entry = MoveEntry(stage)
        if not self._fill(entry):
            return
        assert entry.move is not None
        record = self.record if entry.seen is None else self.record.seen(*entry.seen)
        self.keep(record.play(entry.move))
        self._tell(self.record.last)
        self._ask_draw()

    def _draw(self, stage: Stage) -> None:
        self.asking.draw(stage.position, self.colour)
        for each in stage.unseen:
            cell, tiles = _cell(each.cell), ngettext("{n} tile", "{n} tiles", len(each.tiles))
            self.say("  " + _("Nobody has seen the tile on {cell}: one of {tiles}.", cell=cell, tiles=tiles) + "\n")

    def _after_the_end(self) -> None:
        from ...drawing.terminal import render_scores

        self.say(render_scores(self.record.position(), colour=self.colour) + "\n")
        answer = self.asking.line(_("The game is over. Enter leaves; 00 lists what you can do") + ": ")
        if not isinstance(answer, Command) or answer is QUIT:
            raise _Left
        self._do(answer)

    def _ask_draw(self) -> None:
        """What came after the last move, if that is open and somebody has seen it."""
        from ...entry.tile_dialog import DrawEntry

        number = self.record.last
        # Again after a note, or a correction of another turn; not once the turn itself is gone.
        while self.record.last == number:
            turn, stage = self.record.turn(number), self.record.stage(number)
            if turn.move.cell is None or turn.drawn is not None:
                return
            entry = DrawEntry(stage, turn.move)
            if self._fill(entry):
                if entry.tile is not None:
                    # Not `seen`: the set may lack it.
                    self.keep(self.record.corrected(number, turn.move, entry.tile))
                return

    # Tiles that the set lacks.

    def seen(self) -> list[Tile]:
        """Every tile that the game has named."""
        from ...game.problems import visible_tiles

        drawn = [turn.drawn for turn in self.record.turns if turn.drawn is not None]
        return [*(tile for _place, tile in visible_tiles(self.record.start)), *drawn]

    def _learn(self) -> None:
        """Offers to keep what was described since it was last asked, and goes on with a set that has it."""
        from ...record.text import read_record, write_record

        while (tile := self.learning.next(self.seen())) is not None:
            tiles = self.record.start.tiles
            question = self.learning.question(tile, tiles)
            try:
                if not self._is_wanted(question):
                    continue
                learned, told = self.learning.keep(tile, tiles, self.seen())
                self.asking.say_lines([told])
                self.keep(read_record(write_record(self.record), tiles=learned))
            except InputError as error:
                self.asking.refuse(error)

    def _is_wanted(self, question: Question) -> bool:
        """Yes or no; a command that leaves the question is a no."""
        while True:
            self.asking.say_lines(question.above)
            answer = self.asking.line(question.text, question.options, question)
            said = self.asking.exchanges[-1].answer  # n is no here, and not a note
            try:
                return self.learning.wants(said, question)
            except InputError as error:
                if not isinstance(answer, Command):
                    self.asking.refuse(error)
                elif not self._looked(answer):
                    return False

    def _tell(self, number: int) -> None:
        self.asking.say_turn(self._line(self.record, number))

    def _line(self, record: Record, number: int) -> str:
        from ...record.text import write_turn

        turn = record.turn(number)._replace(above=(), variations=())
        return write_turn(record.stage(number), turn).rstrip()

    # What can be done instead of answering.

    def _do(self, command: Command) -> bool:
        """Whether the game is another one now."""
        actions = {
            ADVICE: self._advise,
            WHY: self._why,
            BEST: self._follow_advice,
            UNDO: self._undo,
            BACK: self._undo,
            FIX: self._fix,
            TILE: self._name_tile,
            MOVES: self._moves,
            SHOW: self._show,
            NOTE: self._note,
            HELP: self.asking.say_help,
        }
        before = self.record
        if command in actions:
            actions[command]()
        return self.record is not before

    def _show(self) -> None:
        from ...drawing.terminal import render_position

        self.say(render_position(self.record.position(), colour=self.colour))

    def _moves(self) -> None:
        for number in range(self.record.first, self.record.last + 1):
            self._tell(number)

    def _advise(self) -> None:
        from ...advice.text import hint_text, tile_set_note

        if (advice := self._advice()) is not None:
            self.say(hint_text(advice) + "\n")
            if not self.noted and (note := tile_set_note(advice.position)):
                self.say(note + "\n\n")
            self.noted = True
            self.asking.offer(advice.position, advice.best.move, self.colour)

    def _why(self) -> None:
        from ...advice.rows import move_meant
        from ...advice.text import advice_text, why_text

        said = self.asking.said
        if (advice := self._advice()) is None:
            return
        if not said:
            self.say(advice_text(advice, board=False, colour=self.colour) + "\n")
            return
        try:
            self.say(why_text(self._searched(advice.position, [move_meant(advice, said)])) + "\n")
        except InputError as error:
            self.asking.refuse(error)

    def _follow_advice(self) -> None:
        """Plays what was advised; shows it first if that has not been done."""
        from ...advice.rows import move_meant

        said, stage = self.asking.said, self.record.stage()
        if self.advice is None or self.advice.position != stage.position or stage.unseen:
            self._advise()
            return
        try:
            self.keep(self.record.play(move_meant(self.advice, said or "1")))
        except InputError as error:
            self.asking.refuse(error)
            return
        self._tell(self.record.last)
        self._ask_draw()

    def _advice(self) -> Advice | None:
        """Of the turn to come, asked for once; None if there can be none."""
        stage = self.record.stage()
        if stage.unseen or stage.position.is_over:
            self.say("  " + _("Advice needs a game that is not over and every tile known.") + "\n")
            return None
        if self.advice is None or self.advice.position != stage.position:
            self.advice = self._searched(stage.position)
        return self.advice

    def _searched(self, position: Position, why: Sequence[Move] = ()) -> Advice:
        from ...advice import advisor
        from ..progress import Progress

        with Progress(position, self.seconds, None) as progress:
            return advisor.advise(
                position,
                seconds=self.seconds,
                threads=os.cpu_count() or 1,
                why=why,
                progress=None if self.silent else progress,
            )

    def _undo(self) -> None:
        record = self.record
        if not record.turns:
            self.say("  " + _("There is no turn to take back.") + "\n")
            return
        line = self._line(record, record.last)
        self.keep(record.before(record.last))
        self.say("  " + _("Taken back: {turn}", turn=line) + "\n")

    def _note(self) -> None:
        from ...base.names import name_problem

        record = self.record
        if not record.turns:
            self.say("  " + _("No turn has been played yet.") + "\n")
            return
        text = self.asking.line(_("Comment on turn {turn}", turn=record.last) + ": ")
        if isinstance(text, Command):
            return
        if trouble := name_problem(text):
            self.asking.refuse(InputError.one("comment", trouble))
            return
        self.keep(record.with_turn(record.last, record.turn(record.last)._replace(comment=text)))

    def _name_tile(self) -> None:
        """A tile that came and was not seen then."""
        from ...entry.questions import KEYS, Option
        from ...entry.tile_dialog import TileChoice, not_among

        waiting = self.record.stage().unseen
        if not waiting:
            self.say("  " + _("Every tile is known.") + "\n")
            return
        each = waiting[0]
        if len(waiting) > 1:
            options = [Option(KEYS[one.cell], _cell(one.cell), one, (_cell(one.cell),)) for one in waiting]
            choice = ", ".join(f"{option.key} {option.label}" for option in options)
            answer = self._answer_aside(_("Which cell") + f" ({choice}): ", options)
            found = [option.value for option in options if answer in (option.key, option.label)]
            if not found:
                return
            each = found[0]
        text, tiles = _("The tile on {cell}", cell=_cell(each.cell)), self.record.start.tiles
        entry = TileChoice(text, each.tiles, tiles, not_among(each.tiles))
        if self._fill_aside(entry) and entry.tile is not None:
            self.keep(self.record.seen(each.cell, entry.tile))

    # Questions in the middle of something: the game can be looked at; any other command gives that up.

    def _fill_aside(self, entry: Entry) -> bool:
        """Whether the entry is whole."""
        while (command := self.asking.fill(entry)) is not None:
            if not self._looked(command):
                return False
        return True

    def _answer_aside(self, question: str, options: Sequence[Option] = ()) -> str | None:
        while isinstance(answer := self.asking.line(question, options), Command):
            if not self._looked(answer):
                return None
        return answer

    def _looked(self, command: Command) -> bool:
        looks = {HELP: self.asking.say_help, MOVES: self._moves, SHOW: self._show}
        if command is QUIT:
            raise _Left
        if command in looks:
            looks[command]()
        return command in looks

    # Correcting an earlier turn.

    def _fix(self) -> None:
        record = self.record
        number = self._which_turn()
        if number is None:
            return
        fixed = self._fixed(record, number)
        if fixed is None:
            self.say("  " + _("Everything is as it was.") + "\n")
            return
        self.keep(fixed)
        self._tell(number)
        checked = fixed.last - number
        if checked > 0:
            text = ngettext(
                "{n} later turn was checked again and still fits.",
                "{n} later turns were checked again and still fit.",
                checked,
            )
            self.say(f"  {text}\n")

    def _fixed(self, record: Record, number: int) -> Record | None:
        """The record with this turn corrected, and those behind it mended; None if somebody thinks better of it."""
        from ...record.game import Misfit

        changed = self._changed_turn(record, number)
        if changed is None:
            return None
        begun, move, drawn = changed
        try:
            return record.remade(begun, number, move, drawn)
        except Misfit as misfit:
            return self._mend(record, misfit)

    def _which_turn(self) -> int | None:
        record = self.record
        if not record.turns:
            self.say("  " + _("No turn has been played yet.") + "\n")
            return None
        while True:
            answer = self._answer_aside(
                _("Which turn ({first} to {last}; Enter: none)", first=record.first, last=record.last) + ": "
            )
            if not answer:
                return None
            try:
                number = counted(answer)
                if number is None:
                    raise InputError.one(
                        "turn",
                        _(
                            "expected a turn from {first} to {last}, found {found}",
                            first=record.first,
                            last=record.last,
                            found=shown(answer),
                        ),
                    )
                record.index(number)
                return number
            except InputError as error:
                self.asking.refuse(error)

    def _changed_turn(self, record: Record, number: int) -> tuple[Record, Move, Tile | None] | None:
        """The record before a turn, and another move or another tile that came; None if somebody thinks better of
        it."""
        turn, begun = record.turn(number), record.before(number)
        self._tell(number)
        if turn.move.cell is not None:
            answer = self._choice(_("What was wrong (1 the move, 2 the tile that came, 0 nothing)"), "120")
            if answer == "2":
                drawn = self._drawn(begun.stage(), turn.move)
                return None if drawn is None else (begun, turn.move, drawn[0])
            if answer != "1":
                return None
        return self._another_move(begun, turn)

    def _another_move(self, begun: Record, turn: Turn) -> tuple[Record, Move, Tile | None] | None:
        """A move instead of the one of a turn, and what came after it: that which came before, if it still can. With
        the record before it, in which a tile that was not known may have been named."""
        from ...entry.move_dialog import MoveEntry

        entry = MoveEntry(begun.stage())
        if not self._fill_aside(entry) or entry.move is None:
            return None
        if entry.seen is not None:
            begun = begun.seen(*entry.seen)
        if entry.move.cell is None or turn.drawn in begun.stage().draws(entry.move):
            return begun, entry.move, None if entry.move.cell is None else turn.drawn
        drawn = self._drawn(begun.stage(), entry.move)
        return None if drawn is None else (begun, entry.move, drawn[0])

    def _drawn(self, stage: Stage, move: Move) -> tuple[Tile | None] | None:
        from ...entry.tile_dialog import DrawEntry

        entry = DrawEntry(stage, move)
        return (entry.tile,) if self._fill_aside(entry) else None

    def _mend(self, record: Record, misfit: Misfit) -> Record | None:
        """The record with every later turn mended that does not fit any more; None if somebody gives it up."""
        from ...record.game import Misfit

        while True:
            number = misfit.number
            name = record.name(misfit.record.position().to_move or 0)
            self.say(
                "  "
                + _(
                    "Turn {turn}, {player}: {text} no longer fits: {why}",
                    turn=number,
                    player=name,
                    text=misfit.text,
                    why=misfit.why,
                )
                + "\n"
            )
            answer = self._choice(
                _("1 enter this turn again, 2 end the game before it, 0 leave everything as it was"), "120"
            )
            if answer == "2":
                return misfit.record
            if answer != "1":
                return None
            found = self._another_move(misfit.record, record.turn(number))
            if found is None:
                continue
            begun, move, drawn = found
            try:
                return record.remade(begun, number, move, drawn)
            except Misfit as another:
                misfit = another

    def _choice(self, question: str, keys: str) -> str:
        """One of the keys; the last of them if a command comes instead."""
        while True:
            answer = self._answer_aside(f"{question}: ")
            if answer is None:
                return keys[-1]
            if answer and answer in keys:
                return answer
            choice = ", ".join(keys)
            found = answer or pgettext("found", "nothing")
            self.asking.refuse(
                InputError.one("", _("expected one of {choice}, found {found}", choice=choice, found=found))
            )

    def report(self) -> TrackReport:
        from ...entry.data import TrackReport

        record = None if self.file is None else self.record
        return TrackReport(self.path, record, tuple(self.asking.exchanges))


def _cell(index: int) -> str:
    from ...game.vocabulary import CELLS

    return CELLS[index]
