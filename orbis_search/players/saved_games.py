"""Games that `orbis arena --save` kept, as records."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.errors import InputError
from ..notation import read_position
from ..record.game import LineOfPlay, Record, Stage, Turn
from .arena import LETTERS, Game, Match
from .session import SEAT


def record_of(match: Match, game: Game, place: str = "game") -> Record:
    """A game of a match. Players are named as in its table, A and B; the header says what they are."""
    start = read_position(game.start, place)
    seats = [LETTERS[entry] for entry in game.seats]
    names = [name + str(seats[:at].count(name) + 1 if seats[:at].count(name) else "") for at, name in enumerate(seats)]
    players = tuple(player._replace(name=name) for player, name in zip(start.players, names))
    play = LineOfPlay(Stage(start._replace(players=players)))
    draws = iter(game.draws)
    for text in game.moves:
        try:
            move = play.stage.parse(text)
            drawn = None if move.cell is None else play.stage.drawn(move, next(draws, "?"))
        except InputError as error:
            raise InputError.one(f"{place}, turn {play.stage.number}", error.problems[0].message) from None
        play.add(Turn(move, drawn))
    extra = tuple((SEAT.format(number=seat), match.entries[entry]) for seat, entry in enumerate(game.seats, 1))
    return Record(play.begin.position, play.turns, extra=extra)


def records_of(match: Match, games: list[Game]) -> Iterator[tuple[str, Record]]:
    """All of them, each with a name for its file."""
    for game in games:
        place = f"round {game.round + 1}, game {game.rotation + 1}"
        yield f"{game.round + 1:04}-{game.rotation + 1}", record_of(match, game, place)
