"""Turns asked for at a terminal or read from a script, with a few keys: what `orbis play` and `orbis track` share.

    asking = TurnAsking([Command("undo", "u", N_("take back the last turn")), ...])
    command = asking.move(entry)          a MoveEntry; None once it has a move, else what somebody wants instead
    command = asking.drawn(entry)         a DrawEntry, likewise

A command is its word, its letter, or 00 and the number it has in the list that then comes up; so digits are
enough for everything. `back` takes back one answer, and is a command when there is none to take back. An entry keeps what was
answered: after a command, ask again with the same one. Scripts get the same questions, one answer a line;
EOFError when there are no more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..editing import Completion
from ..errors import InputError
from ..language import N_, _
from ..move_entry import DrawEntry, MoveEntry, Option, Question
from ..texts import fold
from .asking import asker
from .options import write

MENU = "00"


class Command(NamedTuple):
    word: str
    letter: str
    meaning: str  # marked for translation, not translated


BACK = Command("back", "-", N_("one answer back"))
EXCHANGE = Command("exchange", "x", N_("exchange worshipers, though it can be paid without"))


class TurnAsking:
    def __init__(self, commands: Sequence[Command], say: Callable[[str], None] = write) -> None:
        self.commands = (BACK, EXCHANGE, *commands)
        self._say = say
        self._options: Sequence[Option] = ()
        self._ask = asker(self._complete)

    def move(self, entry: MoveEntry) -> Command | None:
        """Asks until the entry has a move, or somebody wants something else."""
        while (question := entry.question) is not None:
            answer = self._answer(question)
            if isinstance(answer, Command):
                if answer is EXCHANGE:
                    self._try(lambda _text: entry.want_exchange(), "")
                elif answer is not BACK or not entry.back():
                    return answer
            else:
                self._try(entry.answer, answer)
            self._say("".join(f"  {note}\n" for note in entry.notes))
        return None

    def drawn(self, entry: DrawEntry) -> Command | None:
        """Asks until it is known what came, or that nobody has seen it."""
        while (question := entry.question) is not None:
            answer = self._answer(question)
            if isinstance(answer, Command):
                if answer is not BACK or not entry.back():
                    return answer
            else:
                self._try(entry.answer, answer)
        return None

    def line(self, question: str, options: Sequence[Option] = ()) -> str | Command:
        """Any other answer."""
        self._options = options
        line = " ".join(self._ask(question, "").split())
        return self._menu() if line == MENU else self._command(line) or line

    def _answer(self, question: Question) -> str | Command:
        if question.kind in ("drawn", "seen"):
            self._say("".join(f"  {option.key}  {option.label}\n" for option in question.options))
        return self.line(question.text, question.options)

    def _try(self, take: Callable[[str], None], text: str) -> None:
        try:
            take(text)
        except InputError as error:
            self.refuse(error)

    def refuse(self, error: InputError) -> None:
        """What was wrong, in its own line; the question comes again."""
        self._say(f"  {error.problems[0].message}\n")

    def _command(self, line: str) -> Command | None:
        wanted = fold(line)
        return next((each for each in self.commands if wanted and wanted in (each.word, each.letter)), None)

    def _menu(self) -> str | Command:
        """The commands by number; an empty answer goes back to the question."""
        for number, command in enumerate(self.commands, 1):
            self._say(f"  {number:2}  {command.letter}  {command.word:<9} {_(command.meaning)}\n")
        line = self._ask(_("Number") + ": ", "").strip()
        if line.isdecimal() and 1 <= int(line) <= len(self.commands):
            return self.commands[int(line) - 1]
        return self._command(line) or ""

    def _complete(self, line: str) -> list[Completion]:
        """Answers that begin with what was typed."""
        wanted = fold(line.strip())
        if not wanted:
            return []
        found = []
        for option in self._options:
            name = option.names[0] if option.names else option.label
            if option.key and any(fold(each).startswith(wanted) for each in (option.key, name, option.label)):
                found.append(Completion(0, option.key, option.label))
        for command in self.commands:
            if command.word.startswith(wanted):
                found.append(Completion(0, command.word, _(command.meaning)))
        return found
