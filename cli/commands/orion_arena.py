"""`orbis orion arena`: matches between players of Master of Orion."""

from __future__ import annotations

import click

from ...base.language import N_, _
from ..match_running import expect_match, expect_replay, replay_games, run_match, run_options, table_options


@click.command(short_help=N_("Play a match between players."))
@table_options
@click.option(
    "--cards",
    metavar="FILE",
    help="Card set: a file, a built-in name, random:SEED, or random:* for a new one each round.",
)
@run_options
def arena(
    players: tuple[str, ...],
    games: int,
    seats: int | None,
    cards: str | None,
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
    sensible                    what looks best right away
    flat:sims=2000              flat Monte Carlo: games played on from each move
    uct:sims=2000               a plain tree search with random playouts
    advisor:sims=2000           the advisor, by simulations per decision ...
    advisor:time=0.2s,threads=1 ... or by time per decision
    beginner ... full           the levels of play, or level:1 to level:5

    The games of a round share races, advisors and the order of the deck, and the
    players change seats between them. Ctrl-C ends a match with the result so far;
    with --save, the same command resumes it later.
    """
    from ...orion.players import arena as matches

    if replay is not None:
        expect_replay(players, save)
        replay_games(replay, matches.Match, matches.replay, as_json)
        return
    expect_match(players, sprt)
    if cards == "-":
        raise click.UsageError(_("--cards: a position has to name its card set, so it cannot come from -."))
    match = matches.make_match(players, seats, cards or "", 0 if seed is None else seed)
    run_match(match, matches.play_match, games, threads, cluster, sprt, (alpha, beta), save, as_json)
