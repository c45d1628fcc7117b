"""Matches at the command line, of whichever game: their options, the progress, the answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..base.language import N_, _, numeral
from ..base.machine import MachineError
from .answers import tell
from .options import Number, Whole, cluster_option, json_option, place_of, players_type, seed_option
from .workers import working

if TYPE_CHECKING:
    from ..base.jobs import Workers
    from ..matches.data import Game, Match, Tally

F = TypeVar("F", bound=Callable[..., Any])
Play = Callable[[Any, int, "Workers | int", "Iterable[Game]"], Any]  # of its own kind of match

DEFAULT_GAMES = 100
INTERRUPTED = 130
ELO = Number(-2000, 2000, N_("a number from -2000 to 2000"))
ERROR_RATE = Number(0, 0.5, N_("a number above 0 and below 0.5"), is_open=True)

_TABLE = (
    click.argument("players", metavar="A B [C [D]]", nargs=-1),
    click.option(
        "--games",
        type=Whole(1),
        metavar="N",
        default=DEFAULT_GAMES,
        show_default=True,
        help="Games to play, rounded up to whole rounds.",
    ),
    click.option(
        "--players",
        "seats",
        type=players_type,
        metavar="N",
        help="Players at the table; the last one named takes the seats left over.  [default: those named]",
    ),
)
_RUN = (
    seed_option,
    click.option(
        "--threads", type=Whole(1), metavar="N", help="How many games to play at a time.  [default: one per core]"
    ),
    cluster_option,
    click.option(
        "--sprt",
        type=(ELO, ELO),
        metavar="ELO0 ELO1",
        help="Stop as soon as it is clear which of the two A's Elo difference is nearer to.",
    ),
    click.option(
        "--alpha",
        type=ERROR_RATE,
        metavar="RATE",
        default=0.05,
        show_default=True,
        help="How often --sprt may accept ELO1 wrongly.",
    ),
    click.option(
        "--beta",
        type=ERROR_RATE,
        metavar="RATE",
        default=0.05,
        show_default=True,
        help="How often --sprt may accept ELO0 wrongly.",
    ),
    click.option("--save", metavar="FILE", help="Keep the games in FILE, and resume from those already there."),
    click.option("--replay", metavar="FILE", help="Play nothing: check the games of FILE by the plain rules."),
    json_option,
)


def table_options(command: F) -> F:
    return _with(_TABLE, command)


def run_options(command: F) -> F:
    return _with(_RUN, command)


def _with(options: tuple[Callable[[F], F], ...], command: F) -> F:
    for option in reversed(options):
        command = option(command)
    return command


def expect_replay(players: tuple[str, ...], save: str | None) -> None:
    if players or save is not None:
        raise click.UsageError(_("--replay plays nothing: it takes neither players nor --save."))


def expect_match(players: tuple[str, ...], sprt: tuple[float, float] | None) -> None:
    if not 2 <= len(players) <= 4:
        raise click.UsageError(_("A match takes two to four players, not {number}.", number=len(players)))
    if sprt is not None and not sprt[0] < sprt[1]:
        raise click.UsageError(_("--sprt: ELO0 must be less than ELO1."))


def run_match(
    match: Match,
    play: Play,
    games: int,
    threads: int | None,
    cluster: str | None,
    sprt: tuple[float, float] | None,
    rates: tuple[float, float],
    save: str | None,
    as_json: bool,
) -> None:
    """Plays it, with what `play` yields, and tells the result, also if somebody ends it early."""
    from ..matches.data import Tally
    from ..matches.json import result_to_json
    from ..matches.statistics import Sprt
    from ..matches.text import result_text

    test = None if sprt is None else Sprt(*sprt, *rates)
    tally = Tally(match, test)
    rounds = -(-games // match.players)
    ended: KeyboardInterrupt | MachineError | None = None
    with working(cluster, threads or max(1, (os.cpu_count() or 1) // match.threads)) as workers:
        try:
            _play(match, play, rounds, workers, save, tally)
        except (KeyboardInterrupt, MachineError) as error:
            ended = error
            if isinstance(error, MachineError) and not tally.rounds:
                raise
        result = tally.result()
        tell(as_json, lambda: result_to_json(result, test, ended is not None), lambda: result_text(result, test))
    if isinstance(ended, MachineError):
        raise ended
    if ended is not None:
        print(_("orbis: interrupted"), file=sys.stderr)
        raise click.exceptions.Exit(INTERRUPTED)


def _play(match: Match, play: Play, rounds: int, workers: Workers | int, save: str | None, tally: Tally) -> None:
    from tqdm import tqdm

    from ..matches.files import Save

    with ExitStack() as stack:
        file = None if save is None else stack.enter_context(closing(Save(save, match)))
        done = [] if file is None else [game for game in file.games if game.round < rounds]
        for game in sorted(done, key=lambda game: (game.round, game.rotation)):
            tally.add(game)
        if tally.is_decided:
            return
        total = rounds * match.players
        progress = stack.enter_context(
            tqdm(total=total, initial=len(done), unit=_("game"), disable=None, file=sys.stderr)
        )
        games = stack.enter_context(closing(play(match, rounds, workers, done)))
        for game in games:
            if file is not None:
                file.add(game)
            tally.add(game)
            progress.update()
            if not progress.disable:
                progress.set_postfix_str(_in_short(tally), refresh=False)
            if tally.is_decided:
                return


def _in_short(tally: Tally) -> str:
    scores = tally.scores(0)
    if not scores:
        return ""
    text = f"A {numeral(100 * sum(scores) / len(scores), '.1f')} %"
    return text if tally.ratio is None else f"{text}, LLR {numeral(tally.ratio, '+.2f')}"


def replay_games(path: str, kind: type[Match], replay: Callable[[Game, str], object], as_json: bool) -> None:
    """Checks the games of a file by the plain rules."""
    from tqdm import tqdm

    from ..matches.data import Tally
    from ..matches.files import games_of, read_games
    from ..matches.json import result_to_json
    from ..matches.text import result_text

    if path == "-":
        path = place_of(path)
        match, games, _end = games_of(b"" if sys.stdin is None else sys.stdin.buffer.read(), path, kind)
    else:
        match, games, _end = read_games(path, kind)
    tally = Tally(match)
    for game in tqdm(games, unit=_("game"), disable=None, file=sys.stderr):
        replay(game, f"{path}, round {game.round}, game {game.rotation}")
        tally.add(game)
    tell(
        as_json,
        lambda: result_to_json(tally.result(), replayed=len(games)),
        lambda: result_text(tally.result(), replayed=len(games)),
    )
