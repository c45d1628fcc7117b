"""`orbis play`: a game in the terminal, among people, engine players, or both."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...base.errors import InputError
from ...base.language import N_, _, ngettext
from ..options import (
    color_option,
    duration_type,
    free_name,
    json_option,
    load_tiles,
    place_of,
    players_type,
    rebased_tiles,
    seed_option,
    tiles_option,
    wants_colour,
    write,
    write_json,
)
from ..progress import Progress
from ..turn_asking import BEST, Command, TurnAsking

if TYPE_CHECKING:
    from ...advice.data import Advice
    from ...game.position import Move, Position
    from ...players.by_name import Spec
    from ...players.session import Game, PlayReport, Seat
    from ...record.file import RecordFile

Found = TypeVar("Found")

INTERRUPTED = 130
DEFAULT_LEVEL = "casual"
DEFAULT_FILE = "game"

COMMANDS = (
    Command("hint", "h", N_("the best moves, as the advisor sees them")),
    Command(
        "why", "e", N_("reasons for the hint, or for the engine player's last move; why c2 compares"), takes_more=True
    ),
    Command("undo", "u", N_("go back to your last turn")),
    Command("show", "s", N_("everybody's universe and the piles")),
    Command("save", " ", N_("save a copy of the game so far")),
    Command("quit", "q", N_("leave; the game is saved")),
    Command("resign", " ", N_("give up")),
    Command("help", "?", N_("this list")),
    BEST,
)


@click.command()
@click.argument("players", metavar="[PLAYER]... | FILE", nargs=-1)
@click.option("--level", metavar="LEVEL", help="Strength of engine players that are not named: 1 to 10, or a name.")
@click.option("--levels", "listing", is_flag=True, help="List the levels and play nothing.")
@click.option("--players", "number", type=players_type, metavar="N", help="Players at the table.  [default: 2]")
@seed_option
@tiles_option(N_("Tile set: a file, a built-in name, or random:SEED."))
@click.option("--record", metavar="FILE", help="Keep the game in FILE.  [default: game.orbis, or game-2.orbis, ...]")
@click.option(
    "--time",
    "seconds",
    type=duration_type,
    metavar="TIME",
    help="Time for a hint, and for each move of full.  [default: 20,000 simulations]",
)
@color_option
@json_option
def play(
    players: tuple[str, ...],
    level: str | None,
    listing: bool,
    number: int | None,
    seed: int | None,
    tiles: str | None,
    record: str | None,
    seconds: float | None,
    color: str,
    as_json: bool,
) -> None:
    """Play a game: against engine players, among people, or watch.

    \b
    orbis play                      you against a casual player
    orbis play --level 5            ... against another level
    orbis play me casual full       against two; whoever is named first begins
    orbis play full me              second
    orbis play Anna Bo              two people at one keyboard
    orbis play strong expert        watch
    orbis play game.orbis           continue a game

    The levels, weakest first: beginner, novice, casual, regular, keen, skilled,
    strong, expert, master, full; --levels describes them. NAME=LEVEL names an
    engine player, NAME=me a person. Other players of the arena can be named too.

    On your turn, ? lists what you can type. Each turn is saved before the next
    begins, so quit, Ctrl-C and a crash lose nothing. While an engine player
    thinks, Ctrl-C makes it play the best move found so far. The same seed deals
    the same tiles, and engine players make the same moves.
    """
    if listing:
        _list_levels(as_json)
        return
    if as_json and sys.stdin is not None and sys.stdin.isatty():
        raise click.UsageError(_("--json is for scripts: it takes the answers from a file or a pipe."))
    if len(players) == 1 and os.path.isfile(players[0]):
        if level or number or seed is not None or tiles or record:
            raise click.UsageError(_("A saved game has its own players, tiles, seed and file."))
        session = _taken_up(players[0], seconds, wants_colour(color), as_json)
    else:
        session = _begun(players, level, number, seed, tiles, record, seconds, wants_colour(color), as_json)
    with session:
        code = session.run()
    if as_json:
        from ...players.json import play_to_json

        write_json(play_to_json(session.report()))
    raise click.exceptions.Exit(code)


def _list_levels(as_json: bool) -> None:
    if as_json:
        from ...players.json import levels_to_json

        write_json(levels_to_json())
    else:
        from ...players.text import levels_text

        write(levels_text())


def _taken_up(path: str, seconds: float | None, colour: bool, silent: bool) -> _Session:
    from ...players.session import take_up
    from ...record.file import RecordFile

    file = RecordFile.open(path)
    try:
        return _Session(take_up(file.record, place_of(path)), path, file, seconds, colour, silent)
    except BaseException:
        file.close()
        raise


def _begun(
    words: tuple[str, ...],
    level: str | None,
    number: int | None,
    seed: int | None,
    tiles: str | None,
    record: str | None,
    seconds: float | None,
    colour: bool,
    silent: bool,
) -> _Session:
    import datetime
    import random

    from ...game.tiles import DEFAULT_TILE_SET
    from ...players.session import new_game
    from ...record.file import ENDING

    if tiles == "-":
        raise click.UsageError(_("--tiles: the games have to name their tile set, so it cannot come from -."))
    if len(words) == 1 and (words[0].endswith(ENDING) or os.sep in words[0]):  # no name of a player
        if os.path.isdir(words[0]):
            raise InputError.one(place_of(words[0]), _("expected a game file, found a directory"))
        raise InputError.one(place_of(words[0]), _("expected a game file, found no such file"))
    path = record or free_name(DEFAULT_FILE, ENDING)
    # The file is made with the first turn: better say now what would be said then.
    if os.path.lexists(path):
        raise InputError.one(place_of(path), _("expected a name that no file has, found a file"))
    if not os.access(os.path.dirname(path) or ".", os.W_OK | os.X_OK):
        raise InputError.one(place_of(path), _("expected a folder that can be written to, found none"))
    seats = _seats(words, level, number)
    if seed is None:
        seed = random.SystemRandom().randrange(2**32)
    tile_set = rebased_tiles(load_tiles(tiles or DEFAULT_TILE_SET), ".", path)
    game = new_game(seats, tile_set, seed, datetime.date.today().isoformat())
    return _Session(game, path, None, seconds, colour, silent)


def _seats(words: tuple[str, ...], level: str | None, number: int | None) -> list[Seat]:
    """Those named; you first if nobody is, or one engine player alone; and engine players up to the number."""
    from ...players.by_name import level_name
    from ...players.session import PERSON, parse_seat

    seats = [parse_seat(word, f"player {place}") for place, word in enumerate(words, 1)]
    if not seats or (len(seats) == 1 and not seats[0].is_person):
        seats.insert(0, parse_seat(PERSON))
    if number is not None and number < len(seats):
        raise click.UsageError(_("--players: more than {number} players are named.", number=number))
    other = parse_seat(level_name(level or DEFAULT_LEVEL, "--level"))
    if level is not None and len(seats) >= (number or 2):
        raise click.UsageError(_("--level: all players are named already."))
    return seats + [other] * ((number or 2) - len(seats))


class _Left(Exception):
    """Somebody has had enough for now."""


class _Session:
    """One game at the terminal."""

    def __init__(
        self, game: Game, path: str, file: RecordFile | None, seconds: float | None, colour: bool, silent: bool
    ) -> None:
        from ...players.by_name import Spec
        from ...players.levels import LEVELS

        self.game, self.path, self.file = game, path, file
        self.colour, self.silent = colour, silent
        self.name = place_of(path)
        self.seconds = seconds
        self.limits = Spec("advisor", None if seconds else LEVELS[-1].sims, seconds)
        self.asking = TurnAsking(COMMANDS, silent)
        self._say = self.asking.say
        self.hint: Advice | None = None  # the last one
        self.resigned = False
        self.status = "kept" if file is not None else "unchanged"

    def __enter__(self) -> _Session:
        return self

    def __exit__(self, *error: object) -> None:
        if self.file is not None:
            self.file.close()

    # The game.

    def run(self) -> int:
        """The exit code, once the game is over or somebody has left."""
        from ...players.text import play_text

        try:
            self._greet()
            while not self.game.is_over and not self.resigned:
                if self.game.seat.is_person:
                    self._ask()
                else:
                    self._think()
            self.status = "resigned" if self.resigned else "over"
        except _Left:
            pass
        except (KeyboardInterrupt, EOFError):
            if self.file is None and not self.silent:
                raise KeyboardInterrupt from None
            if not self.silent:
                print("\n" + play_text(self.report()), end="", file=sys.stderr)
            return INTERRUPTED
        self._say(play_text(self.report(), colour=self.colour))
        return 0

    def _greet(self) -> None:
        seats = ", ".join(
            seat.name if seat.is_person or seat.name == seat.player else f"{seat.name} ({seat.player})"
            for seat in self.game.seats
        )
        record = self.game.record
        if self.file is not None and self.file.cut:
            self._say(_("The last line was incomplete and is left out: {text}", text=self.file.cut) + "\n")
        if record.turns:
            self._say(
                _("{players}: continuing {file} at turn {turn}.", players=seats, file=self.name, turn=record.last + 1)
                + "\n"
            )
        else:
            self._say(_("{players}; saved in {file}. ? lists what you can type.", players=seats, file=self.name) + "\n")

    def _keep(self) -> None:
        """Has the game on the disk. The file is made with the first turn: who only looked leaves none."""
        from ...record.file import RecordFile

        if self.file is None:
            self.file = RecordFile.create(self.path, self.game.record)
        else:
            self.file.keep(self.game.record)
        self.status = "kept"

    def _play(self, move: Move) -> None:
        """Tells the move and what came, once it is kept."""
        from ...players.text import last_turn_text

        self.game.play(move)
        self._keep()
        self.asking.say_turn(last_turn_text(self.game.record))

    # Engine players.

    def _think(self) -> None:
        from ...players.by_name import FULL, parse_player

        spec = parse_player(self.game.seat.player)
        if spec.kind == FULL and self.seconds is not None:
            spec = self.limits
        self._play(self._with_progress(lambda progress: self.game.think(spec, progress), self.game.position, spec))

    def _advise(self, position: Position, why: Sequence[Move] | None = None) -> Advice:
        return self._with_progress(
            lambda progress: self.game.advise(self.limits, position, progress, why), position, self.limits
        )

    def _with_progress(self, work: Callable[[Any], Found], position: Position, limits: Spec) -> Found:
        if self.silent:
            return work(None)
        with Progress(position, limits.seconds, limits.sims) as progress:
            return work(progress)

    # People.

    def _ask(self) -> None:
        """Until the person to move has moved, or the game is another than before."""
        from ...entry.move_dialog import MoveEntry

        position = self.game.position
        self.asking.draw(position, self.colour)
        entry = MoveEntry(self.game.record.stage())
        while self.game.position is position and not self.resigned:
            command = self.asking.fill(entry)
            if command is None and entry.move is not None:
                self._play(entry.move)
            elif command is not None:
                try:
                    self._follow(command.word)
                except InputError as error:
                    self.asking.refuse(error)

    def _follow(self, word: str) -> None:
        words: dict[str, Callable[[], None]] = {
            "help": self.asking.say_help,
            "hint": self._hint,
            "why": self._why,
            "undo": self._undo,
            "back": self._undo,
            "show": self._show,
            "save": self._save,
            "resign": self._resign,
            "quit": self._quit,
            BEST.word: self._follow_hint,
        }
        words[word]()

    def _hint(self) -> None:
        from ...advice.text import hint_text

        self.hint = self._advise(self.game.position)
        self._say(hint_text(self.hint) + "\n")
        self.asking.offer(self.hint.position, self.hint.best.move, self.colour)

    def _follow_hint(self) -> None:
        """Plays what the hint says; gives it first if that has not been done."""
        from ...advice.rows import move_meant

        said = self.asking.said
        if self.hint is None or self.hint.position != self.game.position:
            self._hint()
        else:
            self._play(move_meant(self.hint, said or "1"))

    def _why(self) -> None:
        """Of the hint, if one was asked for in this turn, or of the move named; else of what an engine player has done
        last."""
        from ...advice.rows import move_meant
        from ...advice.text import why_text

        record, said, position = self.game.record, self.asking.said, self.game.position
        if said:
            if self.hint is None or self.hint.position != position:
                self.hint = self._advise(position)
            self._say(why_text(self._advise(position, (move_meant(self.hint, said),))))
            return
        if self.hint is not None and self.hint.position == position:
            self._say(why_text(self._advise(position, ())))
            return
        for number in range(record.last, record.first - 1, -1):
            position = record.position(number)
            if not self.game.seats[position.to_move or 0].is_person:
                move = record.turn(number).move
                told = _(
                    "Turn {turn}, seen by {player}: {move}",
                    turn=number,
                    player=record.name(position.to_move or 0),
                    move=record.stage(number).format(move),
                )
                self._say(f"{told}\n\n")
                self._say(why_text(self._advise(position, (move,)), you=False))
                return
        self._say("  " + _("Nothing to explain yet; hint shows the best moves.") + "\n")

    def _undo(self) -> None:
        undone = self.game.undo()
        if not undone:
            self._say("  " + _("You have not moved yet.") + "\n")
            return
        self._keep()
        self._say("  " + ngettext("{n} turn taken back.", "{n} turns taken back.", undone) + "\n")

    def _show(self) -> None:
        from ...drawing.terminal import render_position

        self._say(render_position(self.game.position, colour=self.colour))

    def _save(self) -> None:
        from ...record.file import RecordFile

        name = self.asking.line(_("File") + ": ")
        if not isinstance(name, str) or not name:
            self._say("  " + _("Every turn is saved in {file}.", file=self.name) + "\n")
            return
        RecordFile.create(name, self.game.record).close()
        self._say("  " + _("{file} is written.", file=place_of(name)) + "\n")

    def _resign(self) -> None:
        self.game.resign()
        self._keep()
        self.resigned = True

    def _quit(self) -> None:
        raise _Left

    def report(self) -> PlayReport:
        from ...players.session import PlayReport

        file = None if self.file is None else self.path
        return PlayReport(file, self.status, self.game, tuple(self.asking.exchanges))
