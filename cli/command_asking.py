"""Lines asked for at a terminal or read from a script, with commands among them: what all games at a table share.

A command is its word, its letter, or 00 and its number in the list that then appears; so digits are enough for
everything. Scripts get the same questions, one answer per line; EOFError when there are no more. With `silent`,
questions are not printed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import NamedTuple

from ..base.errors import InputError
from ..base.language import N_, _
from ..base.options import counted
from ..base.quoting import fold
from ..base.synonyms import command_word, shown_command
from ..entry.completions import Completion
from ..entry.data import Exchange
from ..entry.questions import Option, Question, is_whole
from .asking import asker, read_answer
from .options import write

MENU = "00"
MOST_COLUMNS = 80  # of a paragraph
ROOM = 12  # columns for an answer


class Command(NamedTuple):
    word: str
    letter: str
    meaning: str  # marked for translation, not translated
    takes_more: bool = False  # whether words may follow it


BACK = Command("back", "-", N_("go back one answer"))
BEST = Command("best", "+", N_("play move 1 of the advice; play 2 plays move 2"), takes_more=True)


class CommandAsking:
    def __init__(self, commands: Sequence[Command], silent: bool = False) -> None:
        self.commands = (*commands, BACK)
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
        columns = columns_of_terminal()
        for line in lines:
            parts = (
                [indent + line]
                if columns is None
                else wrap(line, columns - 1, initial_indent=indent, subsequent_indent=" " * len(indent) + further)
            )
            self.say("".join(f"{part}\n" for part in parts))

    def say_turn(self, line: str) -> None:
        """A turn in its notation."""
        columns = columns_of_terminal() or MOST_COLUMNS
        self.say("\n".join(wrap(line, min(columns, MOST_COLUMNS) - 1, subsequent_indent="   ")) + "\n")

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
        columns = columns_of_terminal()
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
                min(columns_of_terminal() or MOST_COLUMNS, MOST_COLUMNS) - 1,
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


def columns_of_terminal() -> int | None:
    """None if there is none."""
    on_terminal = sys.stdout is not None and sys.stdout.isatty()
    return get_terminal_size().columns if on_terminal else None
