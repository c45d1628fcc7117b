"""Turns asked for at a terminal or read from a script, with a few keys: what `orbis play` and `orbis track` share.

    asking = TurnAsking([Command("undo", "u", N_("take back the last turn")), ...])
    command = asking.fill(entry)          a MoveEntry, DrawEntry or SetUpEntry: None once nothing is left to ask,
                                          else what somebody wants instead

A command is its word, its letter, or 00 and its number in the list that then appears; so digits are enough for
everything. `back` takes back one answer, and is a command when there is none to take back. An entry keeps its answers:
after a command, fill the same one again. Scripts get the same questions, one answer per line; EOFError when there are
no more. With `silent`, questions are not printed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ..base.errors import InputError
from ..base.language import N_, _
from ..base.options import counted
from ..base.quoting import fold
from ..base.synonyms import command_word, shown_command
from ..entry.completions import Completion
from ..entry.data import Exchange
from ..entry.move_dialog import MoveEntry
from ..entry.questions import CERTAIN, Option, Question, is_whole
from .asking import asker, read_answer
from .options import write

if TYPE_CHECKING:
    from ..game.position import Move, Position

MENU = "00"
MOST_COLUMNS = 80  # of a paragraph
ROOM = 12  # columns for an answer
LINES_OF_A_QUESTION = 3
ENOUGH_LINES = 36  # for the centre and advice below it


class Command(NamedTuple):
    word: str
    letter: str
    meaning: str  # marked for translation, not translated
    takes_more: bool = False  # whether words may follow it


BACK = Command("back", "-", N_("go back one answer"))
BEST = Command("best", "+", N_("play move 1 of the advice; play 2 plays move 2"), takes_more=True)
EXCHANGE = Command("exchange", "x", N_("exchange worshipers, though you can pay without it"))


class Entry(Protocol):
    """What the dialogs of `entry` have in common."""

    @property
    def question(self) -> Question | None: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    def answer(self, text: str) -> None: ...
    def back(self) -> bool: ...


class TurnAsking:
    def __init__(self, commands: Sequence[Command], silent: bool = False) -> None:
        self.commands = (*commands, BACK, EXCHANGE)
        self.exchanges: list[Exchange] = []
        self.said = ""  # what followed the last command
        self._silent = silent
        self._options: Sequence[Option] = ()
        self._question: Question | None = None  # the one asked now, if it is an entry's
        self._ask: Callable[[str, str], str] = (
            (lambda *_: read_answer()) if silent else asker(self._complete, self._is_whole)
        )

    def say(self, text: str) -> None:
        if not self._silent:
            write(text)
            sys.stdout.flush()  # people wait for it while an engine player thinks

    def say_lines(self, lines: Sequence[str], indent: str = "  ", further: str = "") -> None:
        """Prints each as a paragraph that fits the terminal, indented by `further` from its second line on; in a
        file it is one line."""
        columns = _columns()
        for line in lines:
            parts = (
                [indent + line]
                if columns is None
                else wrap(line, columns - 1, initial_indent=indent, subsequent_indent=" " * len(indent) + further)
            )
            self.say("".join(f"{part}\n" for part in parts))

    def say_turn(self, line: str) -> None:
        """A turn in its notation."""
        columns = _columns() or MOST_COLUMNS
        self.say("\n".join(wrap(line, min(columns, MOST_COLUMNS) - 1, subsequent_indent="   ")) + "\n")

    def draw(self, position: Position, colour: bool) -> None:
        """Draws what the player to move sees, as far as the terminal has room."""
        from ..drawing.canvas import WIDTH
        from ..drawing.terminal import render_turn

        columns = _columns()
        if columns is None or columns > WIDTH:
            lines = None if columns is None else get_terminal_size().lines - LINES_OF_A_QUESTION
            drawn = render_turn(position, colour=colour, lines=lines)
        else:
            from ..entry.narrow_view import render_narrow

            drawn = render_narrow(position, columns - 1, colour=colour)
        self.say(f"\n{drawn}\n")

    def offer(self, position: Position, move: Move, colour: bool) -> None:
        """Says what BEST would play. If advice has pushed the centre out of sight, draws it once more, with the move
        marked in it."""
        from ..drawing.canvas import WIDTH
        from ..drawing.terminal import render_marked_centre
        from ..notation.move_text import format_move

        columns = _columns()
        if columns is not None and columns > WIDTH and get_terminal_size().lines < ENOUGH_LINES:
            self.say(render_marked_centre(position, move, colour=colour))
        told = _("{key} plays move 1: {move}", key=BEST.letter, move=format_move(position, move))
        self.say_lines([told], indent="", further="  ")

    def fill(self, entry: Entry) -> Command | None:
        """Asks until there is nothing left to ask, or a command is given."""
        while True:
            if (question := entry.question) is None:
                command = self._doubt(entry)
                if command is BACK and entry.back():
                    continue
                return command
            self.say_lines(question.above, further="   ")
            answer = self.line(question.text, (*question.options, *question.more), question)
            if answer is BACK and entry.back():
                continue
            try:
                if answer is EXCHANGE and isinstance(entry, MoveEntry):
                    entry.want_exchange()
                elif isinstance(answer, Command):
                    return answer
                else:
                    entry.answer(answer)
            except InputError as error:
                self.refuse(error)
            self.say_lines(entry.notes)

    def _doubt(self, entry: Entry) -> Command | None:
        """A tile that can only be wilderness, and in one place, would go there at one key: perhaps a wrong one."""
        if not isinstance(entry, MoveEntry) or not entry.is_doubtful:
            return None
        text = _("So it becomes wilderness (1 or Enter plays it, - goes back)") + ": "
        plays = Option(CERTAIN, _("wilderness"), True)
        answer = self.line(text, (plays,), Question("doubt", text, (plays,), default=CERTAIN))
        return answer if isinstance(answer, Command) else BACK if answer not in ("", CERTAIN) else None

    def line(self, question: str, options: Sequence[Option] = (), asked: Question | None = None) -> str | Command:
        """The answer to a question, or a command. `asked` is the question if it is an entry's."""
        while True:
            self._options, self._question = options, asked
            line = self._read(question)
            if line != MENU:
                return self._command(line) or line
            if (command := self._menu()) is not None:
                return command

    def _is_whole(self, typed: str) -> bool:
        """Whether what is typed needs no Enter."""
        question = self._question
        at_once = (BACK.letter, BEST.letter)
        return question is not None and (typed in at_once or is_whole(typed, question))

    def refuse(self, error: InputError) -> None:
        """Says what was wrong with the last answer."""
        self.exchanges[-1] = self.exchanges[-1]._replace(problems=error.problems)
        self.say_lines(error.problems[0].message.splitlines())

    def _read(self, question: str) -> str:
        line = " ".join(self._ask(self._last_line(question), "").split())
        self._question = None
        self.exchanges.append(Exchange(question.strip(), line))
        return line

    def _last_line(self, question: str) -> str:
        """The rest of the question on one line; what does not fit is printed above it."""
        columns = _columns()
        if columns is None or len(question) + ROOM <= columns:
            return question
        *above, last = wrap(question, max(columns - ROOM, ROOM))
        self.say_lines(above, indent="")
        return f"{last} "

    def _command(self, line: str) -> Command | None:
        """The command that a line is or begins with."""
        first, _blank, self.said = line.partition(" ")
        wanted = command_word(first)
        for each in self.commands:
            if first and (each.takes_more or not self.said) and wanted in (command_word(each.word), each.letter):
                return each
        return None

    def _menu(self) -> Command | None:
        """One of the commands, by number; None goes back to the question."""
        self.say_help()
        self._options = ()
        line = self._read(_("Number") + ": ")
        number = counted(line)
        if number is not None and 1 <= number <= len(self.commands):
            return self.commands[number - 1]
        return self._command(line)

    def say_help(self) -> None:
        """The commands with their numbers."""
        width = max(len(shown_command(command.word)) for command in self.commands) + 1
        for number, command in enumerate(self.commands, 1):
            head = f"  {number:2}  {command.letter}  {shown_command(command.word):<{width}} "
            lines = wrap(
                _(command.meaning),
                min(_columns() or MOST_COLUMNS, MOST_COLUMNS) - 1,
                initial_indent=head,
                subsequent_indent=" " * len(head),
            )
            self.say("\n".join(lines) + "\n")

    def _complete(self, line: str) -> list[Completion]:
        """Answers that fit what was typed: by the beginning of a name, or by words of what is printed on a tile."""
        words = fold(line).split()
        if not words:
            return []
        found = []
        for option in self._options:
            names = (option.key, option.label, *option.names)
            starts = any(fold(name).startswith(" ".join(words)) for name in names)
            words_of_it = fold(option.label).split()
            if option.key and (starts or all(any(each.startswith(word) for each in words_of_it) for word in words)):
                found.append(Completion(0, option.names[0] if option.names else option.key, option.label))
        for command in self.commands:
            word = shown_command(command.word)
            if any(fold(each).startswith(" ".join(words)) for each in (word, command.word)):
                found.append(Completion(0, word, _(command.meaning)))
        return found


def _columns() -> int | None:
    """Of the terminal, None if there is none."""
    on_terminal = sys.stdout is not None and sys.stdout.isatty()
    return get_terminal_size().columns if on_terminal else None
