"""`orbis orion play`: a game of Master of Orion in the terminal, among people, engine players, or both."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...base.errors import InputError
from ...base.language import N_, _
from ...base.options import counted
from ..answers import tell
from ..command_asking import BACK, BEST, Command, CommandAsking, columns_of_terminal
from ..game_session import GameSession, expect_players, expect_script, free_path, seats_at_table, seats_text
from ..options import (
    color_option,
    duration_type,
    json_option,
    place_of,
    players_type,
    seed_option,
    wants_colour,
    write_json,
)
from ..orion import SearchProgressOfOrion, load_cards, read_races

if TYPE_CHECKING:
    from ...orion.advice.data import Advice
    from ...orion.game.position import Move, Position
    from ...orion.players.session import Game, PlayReport
    from ...orion.record.file import RecordFile

Found = TypeVar("Found")

DEFAULT_LEVEL = "casual"
DEFAULT_FILE = "game"
MOST_LISTED = 40
ONE_COLUMN = 12  # moves that are listed one below the other
COLUMN = 38

COMMANDS = (
    Command("hint", "h", N_("the best moves, as the advisor sees them")),
    Command("why", "e", N_("reasons for the hint; why 3 compares"), takes_more=True),
    Command("moves", "m", N_("all legal moves, with what each does")),
    Command("undo", "u", N_("go back to your last decision")),
    Command("show", "s", N_("the table as you see it")),
    Command("save", " ", N_("save a copy of the game so far")),
    Command("quit", "q", N_("leave; the game is saved")),
    Command("resign", " ", N_("give up")),
    Command("help", "?", N_("this list")),
    BEST,
)


@click.command(short_help=N_("Play against the engine, or against other people."))
@click.argument("players", metavar="[PLAYER]... | FILE", nargs=-1)
@click.option("--level", metavar="LEVEL", help="Strength of engine players that are not named: 1 to 5, or a name.")
@click.option("--levels", "listing", is_flag=True, help="List the levels and play nothing.")
@click.option("--players", "number", type=players_type, metavar="N", help="Players at the table.  [default: 2]")
@click.option("--races", metavar="LIST", help="A race for each player, with commas between.  [default: by the seed]")
@click.option("--training", is_flag=True, help="The training game: without advisors.")
@seed_option
@click.option("--cards", metavar="FILE", help="Card set: a file, a built-in name, or random:SEED.")
@click.option("--record", metavar="FILE", help="Keep the game in FILE.  [default: game.orion, or game-2.orion, ...]")
@click.option(
    "--time", "seconds", type=duration_type, metavar="TIME", help="Time for a hint, and for each decision of full."
)
@color_option
@json_option
def play(
    players: tuple[str, ...],
    level: str | None,
    listing: bool,
    number: int | None,
    races: str | None,
    training: bool,
    seed: int | None,
    cards: str | None,
    record: str | None,
    seconds: float | None,
    color: str,
    as_json: bool,
) -> None:
    """Play a game: against engine players, among people, or watch.

    \b
    orbis orion play                you against a casual player
    orbis orion play --level 3      ... against another level
    orbis orion play me casual full against two
    orbis orion play Anna Bo        two people at one keyboard
    orbis orion play regular full   watch
    orbis orion play game.orion     continue a game

    The levels, weakest first: beginner, casual, regular, strong, full; --levels
    describes them. Who begins is by the seed. A move is its number in the list, or
    its text, as orbis orion moves writes it; ? lists what else you can type. Only
    your own hand is shown. Each decision is saved before the next begins.
    """
    from ...orion.players.json import levels_to_json, play_to_json
    from ...orion.players.text import levels_text

    if listing:
        tell(as_json, levels_to_json, levels_text)
        return
    if as_json:
        expect_script()
    if len(players) == 1 and os.path.isfile(players[0]):
        if level or number or races or training or seed is not None or cards or record:
            raise click.UsageError(_("A saved game has its own players, cards, seed and file."))
        session = _taken_up(players[0], seconds, wants_colour(color), as_json)
    else:
        session = _begun(players, level, number, races, training, seed, cards, record, seconds, color, as_json)
    with session:
        code = session.run()
    if as_json:
        write_json(play_to_json(session.report()))
    raise click.exceptions.Exit(code)


def _taken_up(path: str, seconds: float | None, colour: bool, silent: bool) -> _Session:
    from ...orion.players.session import take_up
    from ...orion.record.file import RecordFile

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
    races: str | None,
    training: bool,
    seed: int | None,
    cards: str | None,
    record: str | None,
    seconds: float | None,
    color: str,
    silent: bool,
) -> _Session:
    import datetime
    import random

    from ...matches.seats import level_named
    from ...orion.game.cards import DEFAULT_CARD_SET
    from ...orion.players.levels import NAMES
    from ...orion.players.session import new_game, parse_seat
    from ...orion.record.file import ENDING

    if cards == "-":
        raise click.UsageError(_("--cards: a position has to name its card set, so it cannot come from -."))
    expect_players(words, ENDING)
    path = free_path(record, DEFAULT_FILE, ENDING)
    other = None if level is None else level_named(level, NAMES, "--level")
    seats = seats_at_table(words, parse_seat, other, number, DEFAULT_LEVEL)
    card_set = load_cards(cards or DEFAULT_CARD_SET)
    chosen = read_races(races, len(seats), card_set) if races else ()
    if seed is None:
        seed = random.SystemRandom().randrange(2**32)
    date = datetime.date.today().isoformat()
    game = new_game(seats, card_set, seed, chosen, training=training, date=date)
    return _Session(game, path, None, seconds, wants_colour(color), silent)


class _Session(GameSession):
    def __init__(
        self, game: Game, path: str, file: RecordFile | None, seconds: float | None, colour: bool, silent: bool
    ) -> None:
        from ...orion.players.by_name import Spec
        from ...orion.players.session import FULL_SIMS
        from ...orion.record.file import RecordFile

        self.game, self.colour, self.seconds = game, colour, seconds
        self.limits = Spec("advisor", None if seconds else FULL_SIMS, seconds)
        self.asking = CommandAsking(COMMANDS, silent)
        self.hint: Advice | None = None  # the last one, and what it was about
        self.hinted: Position | None = None
        super().__init__(game, path, file, RecordFile.create, self.asking, silent)

    def told(self) -> str:
        from ...orion.players.text import play_text

        return play_text(self.report(), colour=self.colour)

    def report(self) -> PlayReport:
        from ...orion.players.session import PlayReport

        return PlayReport(None if self.file is None else self.path, self.status, self.game)

    def greet(self) -> None:
        from ...orion.drawing.terminal import status_note

        seats, turns = seats_text(self.game.seats), len(self.game.record.turns)
        if turns:
            text = _("{players}: continuing {file} at turn {turn}.", players=seats, file=self.name, turn=turns + 1)
        else:
            text = _("{players}; saved in {file}. ? lists what you can type.", players=seats, file=self.name)
        self._say(text + "\n")
        status = self.game.position.cards.status
        if status != "transcribed":
            self._say(status_note(status) + "\n")

    def _play(self, move: Move) -> None:
        """Tells the move once it is kept, and what was drawn to whom it concerns."""
        from ...orion.players.text import last_turn_text

        mover = self.game.position.to_move
        people = [seat for seat, each in enumerate(self.game.seats) if each.is_person]
        self.game.play(move)
        self.keep()
        viewer = people[0] if len(people) == 1 else mover if mover in people else -1
        self.asking.say_turn(last_turn_text(self.game.record, viewer if people else None))

    # Engine players.

    def think(self) -> None:
        self._play(self._with_progress(lambda progress: self.game.think(progress, self.seconds)))

    def _advise(self, why: Sequence[Move] = ()) -> Advice:
        return self._with_progress(lambda progress: self.game.advise(self.limits, progress, why))

    def _with_progress(self, work: Callable[[Any], Found]) -> Found:
        if self.silent:
            return work(None)
        with SearchProgressOfOrion(self.limits.seconds, self.limits.sims) as progress:
            return work(progress)

    # People.

    def ask(self) -> None:
        from ...orion.drawing.terminal import player_name
        from ...orion.game.rules import legal_moves

        position = self.game.position
        self._show()
        moves = legal_moves(self.game.seen)
        self._list(moves)
        name = player_name(position, position.to_move or 0)
        while self.game.position is position and not self.resigned:
            answer = self.asking.line(_("{player}, number or move", player=name) + ": ")
            try:
                if isinstance(answer, Command):
                    self._follow(answer.word, moves)
                elif answer:
                    self._play(self._meant(answer, moves))
            except InputError as error:
                self.asking.refuse(error)

    def _meant(self, answer: str, moves: Sequence[Move]) -> Move:
        from ...orion.notation.moves import parse_move

        number = counted(answer)
        if number is None:
            return parse_move(answer, self.game.seen)
        if not 1 <= number <= len(moves):
            message = _("expected a move from 1 to {last}, found {found}", last=len(moves), found=number)
            raise InputError.one("move", message)
        return moves[number - 1]

    def _list(self, moves: Sequence[Move]) -> None:
        """Numbered; in two columns if there are many."""
        from ...orion.notation.moves import format_move

        texts = [f"{number:3} {format_move(self.game.seen, move)}" for number, move in enumerate(moves, 1)]
        more = texts[MOST_LISTED:]
        texts = texts[:MOST_LISTED]
        narrow = (columns_of_terminal() or 80) < 2 * COLUMN or any(len(text) > COLUMN for text in texts)
        if len(texts) > ONE_COLUMN and not narrow:
            half = -(-len(texts) // 2)
            texts = [f"{a:<{COLUMN}} {b}".rstrip() for a, b in zip(texts[:half], [*texts[half:], ""])]
        self._say("\n".join(texts) + "\n")
        if more:
            self._say("  " + _("... and more: moves lists all, and a move can be typed.") + "\n")

    def _follow(self, word: str, moves: Sequence[Move]) -> None:
        words: dict[str, Callable[[], None]] = {
            "help": self.asking.say_help,
            "hint": self._hint,
            "why": self._why,
            "moves": self._explain,
            "undo": self.undo,
            BACK.word: self.undo,
            "show": self._show,
            "save": self.save,
            "resign": self.resign,
            "quit": self.quit,
            BEST.word: self._follow_hint,
        }
        words[word]()

    def _show(self) -> None:
        from ...orion.drawing.terminal import render_position

        self._say("\n" + render_position(self.game.seen, colour=self.colour, noted=False) + "\n")

    def _explain(self) -> None:
        from ...orion.moves.data import list_moves
        from ...orion.moves.text import moves_text

        self._say(moves_text(list_moves(self.game.seen), None, explain=True))

    def _hint(self) -> None:
        from ...orion.advice.text import hint_text
        from ...orion.notation.moves import format_move

        self.hint, self.hinted = self._advise(), self.game.position
        self._say(hint_text(self.hint) + "\n")
        best = format_move(self.game.seen, self.hint.best.move)
        self.asking.say_lines([_("{key} plays move 1: {move}", key=BEST.letter, move=best)], indent="")

    def _hint_now(self) -> Advice:
        """The hint for this decision, asked for now if it was not before."""
        if self.hint is None or self.hinted is not self.game.position:
            self._hint()
        assert self.hint is not None
        return self.hint

    def _why(self) -> None:
        from ...orion.advice.data import advice_of
        from ...orion.advice.text import why_text

        said = self.asking.said
        hint = self._hint_now()
        asked = () if not said else (self._idea(hint, said),)
        self._say(why_text(advice_of(hint.result, asked)))

    def _follow_hint(self) -> None:
        said = self.asking.said
        if self.hint is None or self.hinted is not self.game.position:
            self._hint()
        else:
            self._play(self._idea(self.hint, said or "1"))

    def _idea(self, hint: Advice, said: str) -> Move:
        """The move that somebody means who has read the hint: its rank there, or its text."""
        number = counted(said)
        if number is None:
            return self._meant(said, ())
        if not 1 <= number <= len(hint.ideas):
            message = _("expected a move from 1 to {last}, found {found}", last=len(hint.ideas), found=number)
            raise InputError.one("move", message)
        return hint.ideas[number - 1].best.move
