"""Turns asked for at a terminal or read from a script, with a few keys: what `orbis play` and `orbis track` share.

    asking = TurnAsking([Command("undo", "u", N_("take back the last turn")), ...])
    command = asking.fill(entry)          a MoveEntry, DrawEntry or SetUpEntry: None once nothing is left to ask,
                                          else what somebody wants instead

`back` takes back one answer, and is a command when there is none to take back. An entry keeps its answers: after a
command, fill the same one again.
"""

from __future__ import annotations

from collections.abc import Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Protocol

from ..base.errors import InputError
from ..base.language import N_, _
from ..entry.move_dialog import MoveEntry
from ..entry.questions import CERTAIN, Option, Question
from .command_asking import BACK, BEST, Command, CommandAsking, columns_of_terminal

if TYPE_CHECKING:
    from ..game.position import Move, Position

__all__ = ["BACK", "BEST", "EXCHANGE", "Command", "Entry", "TurnAsking"]

LINES_OF_A_QUESTION = 3
ENOUGH_LINES = 36  # for the centre and advice below it

EXCHANGE = Command("exchange", "x", N_("exchange worshipers, though you can pay without it"))


class Entry(Protocol):
    """What the dialogs of `entry` have in common."""

    @property
    def question(self) -> Question | None: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    def answer(self, text: str) -> None: ...
    def back(self) -> bool: ...


class TurnAsking(CommandAsking):
    def __init__(self, commands: Sequence[Command], silent: bool = False) -> None:
        super().__init__(commands, silent)
        self.commands = (*self.commands, EXCHANGE)

    def draw(self, position: Position, colour: bool) -> None:
        """Draws what the player to move sees, as far as the terminal has room."""
        from ..drawing.canvas import WIDTH
        from ..drawing.terminal import render_turn

        columns = columns_of_terminal()
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

        columns = columns_of_terminal()
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
