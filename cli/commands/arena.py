"""`orbis arena`: matches between players, with the difference in strength and how certain it is."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from ...base.language import N_, _, numeral
from ...base.machine import MachineError
from ..options import Number, Whole, cluster_option, json_option, place_of, players_type, seed_option, write, write_json
from ..workers import working

if TYPE_CHECKING:
    from ...base.jobs import Workers
    from ...players.arena import Match, Tally

DEFAULT_GAMES = 100
INTERRUPTED = 130
ELO = Number(-2000, 2000, N_("a number from -2000 to 2000"))
ERROR_RATE = Number(0, 0.5, N_("a number above 0 and below 0.5"), is_open=True)


@click.command()
@click.argument("players", metavar="A B [C [D]]", nargs=-1)
@click.option(
    "--games",
    type=Whole(1),
    metavar="N",
    default=DEFAULT_GAMES,
    show_default=True,
    help="Games to play, rounded up to whole rounds.",
)
@click.option(
    "--players",
    "seats",
    type=players_type,
    metavar="N",
    help="Players at the table; the last one named takes the seats left over.  [default: those named]",
)
@click.option(
    "--tiles",
    metavar="FILE",
    help="Tile set: a file, a built-in name, random:SEED, or random:* for a new one each round.",
)
@seed_option
@click.option(
    "--threads", type=Whole(1), metavar="N", help="How many games to play at a time.  [default: one per core]"
)
@cluster_option
@click.option(
    "--sprt",
    type=(ELO, ELO),
    metavar="ELO0 ELO1",
    help="Stop as soon as it is clear which of the two A's Elo difference is nearer to.",
)
@click.option(
    "--alpha",
    type=ERROR_RATE,
    metavar="RATE",
    default=0.05,
    show_default=True,
    help="How often --sprt may accept ELO1 wrongly.",
)
@click.option(
    "--beta",
    type=ERROR_RATE,
    metavar="RATE",
    default=0.05,
    show_default=True,
    help="How often --sprt may accept ELO0 wrongly.",
)
@click.option("--save", metavar="FILE", help="Keep the games in FILE, and resume from those already there.")
@click.option("--replay", metavar="FILE", help="Play nothing: check the games of FILE by the plain rules.")
@json_option
def arena(
    players: tuple[str, ...],
    games: int,
    seats: int | None,
    tiles: str | None,
    seed: int | None,
    threads: int | None,
    cluster: str | None,
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
    save: str | None,
    replay: str | None,
    as_json: bool,
) -> None:
    """Play a match between two to four players.

    \b
    random                      any legal move
    greedy                      the move worth most at once
    flat:sims=2000              flat Monte Carlo with sensible playouts
    uct:sims=2000               a plain tree search with random playouts
    advisor:sims=2000           the advisor, by simulations per move ...
    advisor:time=0.2s,threads=1 ... or by time per move
    advisor:win_part=0.7,...    ... with any setting of the search
    beginner ... full           the levels of orbis play, or level:1 to level:10
    @FILE                       settings from a file
    cmd:PROGRAM ...             a program: a one-line position in, a move out

    The games of a round share tiles, gods and pile order, and the players change
    seats between them. Ctrl-C ends a match with the result so far; with --save,
    the same command resumes it later.
    """
    from ...players import arena as matches

    if replay is not None:
        if players or save is not None:
            raise click.UsageError(_("--replay plays nothing: it takes neither players nor --save."))
        _replay(replay, as_json)
        return
    if not 2 <= len(players) <= 4:
        raise click.UsageError(_("A match takes two to four players, not {number}.", number=len(players)))
    if sprt is not None and not sprt[0] < sprt[1]:
        raise click.UsageError(_("--sprt: ELO0 must be less than ELO1."))
    if tiles == "-":
        raise click.UsageError(_("--tiles: the games have to name their tile set, so it cannot come from -."))
    match = matches.make_match(players, seats, tiles or "", 0 if seed is None else seed)
    test = None if sprt is None else matches.Sprt(*sprt, alpha, beta)
    tally = matches.Tally(match, test)
    rounds = -(-games // match.players)
    ended: KeyboardInterrupt | MachineError | None = None
    with working(cluster, threads or max(1, (os.cpu_count() or 1) // match.threads)) as workers:
        try:
            _play(match, rounds, workers, save, tally)
        except (KeyboardInterrupt, MachineError) as error:
            ended = error
            if isinstance(error, MachineError) and not tally.rounds:
                raise
        result = tally.result()
        if as_json:
            from ...players.json import result_to_json

            write_json(result_to_json(result, test, ended is not None))
        else:
            from ...players.text import result_text

            write(result_text(result, test))
    if isinstance(ended, MachineError):
        raise ended
    if ended is not None:
        print(_("orbis: interrupted"), file=sys.stderr)
        raise click.exceptions.Exit(INTERRUPTED)


def _play(match: Match, rounds: int, workers: Workers | int, save: str | None, tally: Tally) -> None:
    from contextlib import ExitStack, closing

    from tqdm import tqdm

    from ...players import arena as matches

    with ExitStack() as stack:
        file = None if save is None else stack.enter_context(closing(matches.Save(save, match)))
        done = [] if file is None else [game for game in file.games if game.round < rounds]
        for game in sorted(done, key=lambda game: (game.round, game.rotation)):
            tally.add(game)
        if tally.is_decided:
            return
        total = rounds * match.players
        progress = stack.enter_context(
            tqdm(total=total, initial=len(done), unit=_("game"), disable=None, file=sys.stderr)
        )
        games = stack.enter_context(closing(matches.play(match, rounds, workers, done)))
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


def _replay(path: str, as_json: bool) -> None:
    from tqdm import tqdm

    from ...players import arena as matches

    if path == "-":
        path = place_of(path)
        match, games, _end = matches.games_of(b"" if sys.stdin is None else sys.stdin.buffer.read(), path)
    else:
        match, games, _end = matches.read_games(path)
    tally = matches.Tally(match)
    for game in tqdm(games, unit=_("game"), disable=None, file=sys.stderr):
        matches.replay(game, f"{path}, round {game.round}, game {game.rotation}")
        tally.add(game)
    if as_json:
        from ...players.json import result_to_json

        write_json(result_to_json(tally.result(), replayed=len(games)))
    else:
        from ...players.text import result_text

        write(result_text(tally.result(), replayed=len(games)))
