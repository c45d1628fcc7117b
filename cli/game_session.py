"""One game at the terminal, of whichever game: asking people, letting engine players think, keeping every turn."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Protocol

import click

from ..base.errors import InputError
from ..base.language import _, ngettext
from ..matches.seats import PERSON, Seat
from .command_asking import CommandAsking
from .options import free_name, place_of

INTERRUPTED = 130


class Left(Exception):
    """Somebody has had enough for now."""


class PlayedGame(Protocol):
    record: Any

    @property
    def is_over(self) -> bool: ...
    @property
    def seat(self) -> Seat: ...
    def undo(self) -> int: ...
    def resign(self) -> None: ...


class Kept(Protocol):
    """A file that holds a record."""

    cut: str

    def keep(self, record: Any) -> None: ...
    def close(self) -> None: ...


class GameSession:
    """What differs from game to game is what `create` makes, how it is told, and how people and engines decide."""

    def __init__(
        self,
        game: PlayedGame,
        path: str,
        file: Kept | None,
        create: Callable[[str, Any], Kept],
        asking: CommandAsking,
        silent: bool,
    ) -> None:
        self.path, self.file, self.silent = path, file, silent
        self.name = place_of(path)
        self.resigned = False
        self.status = "kept" if file is not None else "unchanged"
        self._game, self._create, self._asking = game, create, asking
        self._say = asking.say

    def __enter__(self) -> GameSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.file is not None:
            self.file.close()

    # What each game has of its own.

    def greet(self) -> None:
        raise NotImplementedError

    def ask(self) -> None:
        """Until the person to move has moved, or the game is another than before."""
        raise NotImplementedError

    def think(self) -> None:
        """An engine player moves."""
        raise NotImplementedError

    def told(self) -> str:
        """How the game ended, or how to go on."""
        raise NotImplementedError

    # What all share.

    def run(self) -> int:
        """The exit code, once the game is over or somebody has left."""
        try:
            if self.file is not None and self.file.cut:
                self._say(_("The last line was incomplete and is left out: {text}", text=self.file.cut) + "\n")
            self.greet()
            while not self._game.is_over and not self.resigned:
                if self._game.seat.is_person:
                    self.ask()
                else:
                    self.think()
            self.status = "resigned" if self.resigned else "over"
        except Left:
            pass
        except (KeyboardInterrupt, EOFError):
            if self.file is None and not self.silent:
                raise KeyboardInterrupt from None
            if not self.silent:
                print("\n" + self.told(), end="", file=sys.stderr)
            return INTERRUPTED
        self._say(self.told())
        return 0

    def keep(self) -> None:
        """Has the game on the disk. The file is made with the first turn: who only looked leaves none."""
        if self.file is None:
            self.file = self._create(self.path, self._game.record)
        else:
            self.file.keep(self._game.record)
        self.status = "kept"

    def undo(self) -> None:
        undone = self._game.undo()
        if not undone:
            self._say("  " + _("You have not moved yet.") + "\n")
            return
        self.keep()
        self._say("  " + ngettext("{n} turn taken back.", "{n} turns taken back.", undone) + "\n")

    def save(self) -> None:
        name = self._asking.line(_("File") + ": ")
        if not isinstance(name, str) or not name:
            self._say("  " + _("Every turn is saved in {file}.", file=self.name) + "\n")
            return
        self._create(name, self._game.record).close()
        self._say("  " + _("{file} is written.", file=place_of(name)) + "\n")

    def resign(self) -> None:
        self._game.resign()
        self.keep()
        self.resigned = True

    def quit(self) -> None:
        raise Left


def expect_script() -> None:
    """UsageError if answers to --json would come from a terminal."""
    if sys.stdin is not None and sys.stdin.isatty():
        raise click.UsageError(_("--json is for scripts: it takes the answers from a file or a pipe."))


def seats_text(seats: Sequence[Seat]) -> str:
    return ", ".join(
        seat.name if seat.is_person or seat.name == seat.player else f"{seat.name} ({seat.player})" for seat in seats
    )


def free_path(record: str | None, stem: str, ending: str) -> str:
    """Where a new game will be kept; InputError if nothing can be written there. The file is made with the first turn:
    better say now what would be said then."""
    path = record or free_name(stem, ending)
    if os.path.lexists(path):
        raise InputError.one(place_of(path), _("expected a name that no file has, found a file"))
    if not os.access(os.path.dirname(path) or ".", os.W_OK | os.X_OK):
        raise InputError.one(place_of(path), _("expected a folder that can be written to, found none"))
    return path


def expect_players(words: Sequence[str], ending: str) -> None:
    """InputError if what should name players names a file that is not there."""
    if len(words) == 1 and (words[0].endswith(ending) or os.sep in words[0]):  # no name of a player
        if os.path.isdir(words[0]):
            raise InputError.one(place_of(words[0]), _("expected a game file, found a directory"))
        raise InputError.one(place_of(words[0]), _("expected a game file, found no such file"))


def seats_at_table(
    words: Sequence[str], parse: Callable[[str, str], Seat], other: str | None, number: int | None, default: str
) -> list[Seat]:
    """Those named; you first if nobody is, or one engine player alone; and engine players up to the number, of the
    level `other` or the default one."""
    seats = [parse(word, f"player {place}") for place, word in enumerate(words, 1)]
    if not seats or (len(seats) == 1 and not seats[0].is_person):
        seats.insert(0, parse(PERSON, "player"))
    if number is not None and number < len(seats):
        raise click.UsageError(_("--players: more than {number} players are named.", number=number))
    if other is not None and len(seats) >= (number or 2):
        raise click.UsageError(_("--level: all players are named already."))
    filler = parse(other or default, "--level")
    return seats + [filler] * ((number or 2) - len(seats))
