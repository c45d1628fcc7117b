"""`orbis arena`: matches between players, with the difference in strength and how certain it is."""

from __future__ import annotations

import click

from ...base.language import _
from ..match_running import expect_match, expect_replay, replay_games, run_match, run_options, table_options


@click.command()
@table_options
@click.option(
    "--tiles",
    metavar="FILE",
    help="Tile set: a file, a built-in name, random:SEED, or random:* for a new one each round.",
)
@run_options
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
        expect_replay(players, save)
        replay_games(replay, matches.Match, matches.replay, as_json)
        return
    expect_match(players, sprt)
    if tiles == "-":
        raise click.UsageError(_("--tiles: the games have to name their tile set, so it cannot come from -."))
    match = matches.make_match(players, seats, tiles or "", 0 if seed is None else seed)
    run_match(match, matches.play, games, threads, cluster, sprt, (alpha, beta), save, as_json)
