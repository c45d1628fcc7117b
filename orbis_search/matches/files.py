"""The games of a match in a file, so that it can be resumed and checked."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

from ..base.errors import InputError, Problem, reason
from ..base.held_files import HeldLines
from ..base.json import NotJson, json_value
from ..base.language import _
from .data import WHOLE, Game, Match

VERSION = 1
M = TypeVar("M", bound=Match)
Made = TypeVar("Made")


class Save:
    """Games in a file, one JSON object per line; the first line describes the match.

    An existing file is continued if it is of the same match. A last line that was cut short, because the machine
    stopped in the middle of it, is dropped. No other program can continue the file meanwhile.
    """

    def __init__(self, path: str, match: Match) -> None:
        self.games: list[Game] = []
        self.file = HeldLines(path)
        try:
            if self.file.data:
                found, self.games, _end = games_of(self.file.data, path, type(match))
                _expect_same(path, found, match)
            else:
                self._write(head_of(match))
        except BaseException:
            self.close()
            raise

    def add(self, game: Game) -> None:
        self._write(_without_slots(game))
        self.games.append(game)

    def _write(self, value: dict[str, Any]) -> None:
        self.file.add(json.dumps(value, separators=(",", ":")).encode())

    def close(self) -> None:
        self.file.close()


def _without_slots(game: Game) -> dict[str, Any]:
    return {each.name: getattr(game, each.name) for each in fields(game)}


def _expect_same(path: str, found: Match, match: Match) -> None:
    names = {"entries": "players", "players": "seats", "box": match.BOX, "seed": "seed"}
    problems: list[Problem] = []
    for name, word in names.items():
        there, here = getattr(found, name), getattr(match, name)
        if there != here:
            said = [" ".join(each) if isinstance(each, tuple) else each for each in (here, there)]
            problems += InputError.one(
                f"{path}, {word}", _("expected {what}, found {found}", what=said[0], found=said[1])
            ).problems
    if problems:
        raise InputError(problems)


def read_games(path: str, kind: type[M]) -> tuple[M, list[Game], int]:
    """The match, its games so far, and where the file's last whole line ends."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        message = _("expected a readable file of games, found: {reason}", reason=reason(error))
        raise InputError.one(path, message) from None
    return games_of(data, path, kind)


def games_of(data: bytes, path: str, kind: type[M]) -> tuple[M, list[Game], int]:
    """The same from the contents of such a file; `path` is what messages call it."""
    end = data.rfind(b"\n") + 1
    lines = data[:end].split(b"\n")[:-1]
    if not lines:
        raise InputError.one(path, _("expected a file of games, found no whole line"))
    match: M | None = _read_line(lines[0], lambda value: _match_of(value, kind))
    if match is None:
        raise InputError.one(f"{path}, line 1", _("expected the head of a file of games, found something else"))
    games: dict[tuple[int, int], Game] = {}
    for number, line in enumerate(lines[1:], 2):
        place = f"{path}, line {number}"
        game = _read_line(line, _game_of)
        if game is None:
            raise InputError.one(place, _("expected a game, found something else"))
        at = game.round, game.rotation
        if at in games:
            raise InputError.one(
                place, _("expected each game once, found round {round}, game {game} again", round=at[0], game=at[1])
            )
        if not 0 <= game.rotation < match.players or game.seats != match.seats(game.rotation):
            raise InputError.one(place, _("expected the seats of this match, found {found}", found=game.seats))
        games[at] = game
    return match, list(games.values()), end


def _read_line(line: bytes, make: Callable[[dict[str, Any]], Made]) -> Made | None:
    """What a line says; None if it says something else."""
    try:
        value = json_value(line)
        return make(value) if isinstance(value, dict) else None
    except (NotJson, ValueError, KeyError, TypeError):
        return None


def head_of(match: Match) -> dict[str, Any]:
    """The first line of the file."""
    return {
        "format": match.FORMAT,
        "version": VERSION,
        "entries": match.entries,
        "players": match.players,
        match.BOX: match.box,
        "seed": match.seed,
    }


def _match_of(value: dict[str, Any], kind: type[M]) -> M:
    if (value["format"], value["version"]) != (kind.FORMAT, VERSION):
        raise ValueError
    match = kind(tuple(value["entries"]), value["players"], value[kind.BOX], value["seed"])
    texts = all(isinstance(each, str) for each in (*match.entries, match.box))
    if not texts or type(match.seed) is not int or match.players not in (2, 3, 4):
        raise ValueError
    return match


def _game_of(value: dict[str, Any]) -> Game:
    fields: dict[str, Any] = {key: tuple(each) if isinstance(each, list) else each for key, each in value.items()}
    game = Game(**fields)
    seats = len(game.seats)
    numbers = (game.round, game.rotation, *game.seats, *game.points, *game.shares)
    whole = all(type(each) is int for each in numbers)
    texts = all(isinstance(each, str) for each in (game.start, *game.moves, *game.draws))
    lengths = len(game.points) == len(game.shares) == seats and len(game.seconds) in (0, seats)
    if not (whole and texts and lengths and sum(game.shares) == WHOLE):
        raise ValueError
    return game
