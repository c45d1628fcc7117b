"""`orbis play`: a game in the terminal, among people, engine players, or both."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...base.errors import InputError
from ...base.language import N_, _
from ..answers import tell
from ..game_session import GameSession, expect_players, expect_script, free_path, seats_at_table, seats_text
from ..options import (
    color_option,
    duration_type,
    json_option,
    load_tiles,
    place_of,
    players_type,
    rebased_tiles,
    seed_option,
    tiles_option,
    wants_colour,
    write_json,
)
from ..progress import Progress
from ..turn_asking import BEST, Command, TurnAsking

if TYPE_CHECKING:
    from ...advice.data import Advice
    from ...game.position import Move, Position
    from ...players.by_name import Spec
    from ...players.session import Game, PlayReport
    from ...record.file import RecordFile

Found = TypeVar("Found")

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
    from ...players.json import levels_to_json, play_to_json
    from ...players.text import levels_text

    if listing:
        tell(as_json, levels_to_json, levels_text)
        return
    if as_json:
        expect_script()
    if len(players) == 1 and os.path.isfile(players[0]):
        if level or number or seed is not None or tiles or record:
            raise click.UsageError(_("A saved game has its own players, tiles, seed and file."))
        session = _taken_up(players[0], seconds, wants_colour(color), as_json)
    else:
        session = _begun(players, level, number, seed, tiles, record, seconds, wants_colour(color), as_json)
    with session:
        code = session.run()
    if as_json:
        write_json(play_to_json(session.report()))
    raise click.exceptions.Exit(code)


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
    from ...players.by_name import level_name
    from ...players.session import new_game, parse_seat
    from ...record.file import ENDING

    if tiles == "-":
        raise click.UsageError(_("--tiles: the games have to name their tile set, so it cannot come from -."))
    expect_players(words, ENDING)
    path = free_path(record, DEFAULT_FILE, ENDING)
    seats = seats_at_table(
        words, parse_seat, None if level is None else level_name(level, "--level"), number, DEFAULT_LEVEL
    )
    if seed is None:
        seed = random.SystemRandom().randrange(2**32)
    tile_set = rebased_tiles(load_tiles(tiles or DEFAULT_TILE_SET), ".", path)
    game = new_game(seats, tile_set, seed, datetime.date.today().isoformat())
    return _Session(game, path, None, seconds, colour, silent)


class _Session(GameSession):
    """One game at the terminal."""

    def __init__(
        self, game: Game, path: str, file: RecordFile | None, seconds: float | None, colour: bool, silent: bool
    ) -> None:
        from ...players.by_name import Spec
        from ...players.levels import LEVELS
        from ...record.file import RecordFile

        self.game = game
        self.colour = colour
        self.seconds = seconds
        self.limits = Spec("advisor", None if seconds else LEVELS[-1].sims, seconds)
        self.asking = TurnAsking(COMMANDS, silent)
        self.hint: Advice | None = None  # the last one
        super().__init__(game, path, file, RecordFile.create, self.asking, silent)

    # The game.

    def told(self) -> str:
        from ...players.text import play_text

        return play_text(self.report(), colour=self.colour)

    def greet(self) -> None:
        seats = seats_text(self.game.seats)
        record = self.game.record
        if record.turns:
            self._say(
                _("{players}: continuing {file} at turn {turn}.", players=seats, file=self.name, turn=record.last + 1)
                + "\n"
            )
        else:
            self._say(_("{players}; saved in {file}. ? lists what you can type.", players=seats, file=self.name) + "\n")

    def _play(self, move: Move) -> None:
        """Tells the move and what came, once it is kept."""
        from ...players.text import last_turn_text

        self.game.play(move)
        self.keep()
        self.asking.say_turn(last_turn_text(self.game.record))

    # Engine players.

    def think(self) -> None:
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

    def ask(self) -> None:
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
            "undo": self.undo,
            "back": self.undo,
            "show": self._show,
            "save": self.save,
            "resign": self.resign,
            "quit": self.quit,
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

    def _show(self) -> None:
        from ...drawing.terminal import render_position

        self._say(render_position(self.game.position, colour=self.colour))

    def report(self) -> PlayReport:
        from ...players.session import PlayReport

        file = None if self.file is None else self.path
        return PlayReport(file, self.status, self.game, tuple(self.asking.exchanges))
