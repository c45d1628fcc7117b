"""`orbis orion verify`, `perft` and `bench`: each like its twin for Orbis, with the other game's rules."""

from __future__ import annotations

import os

import click

from ...base.language import N_, _
from ..options import Whole, cluster_option, figure_seconds_type, json_option, seed_option, write, write_json
from ..orion import cards_option, load_cards, load_position
from ..workers import working
from .perft import tell_perft
from .verify import DECISIONS, SINGLES, verify_rules


@click.command(short_help=N_("Check the compiled core against the plain rules."))
@click.option(
    "--decisions", type=Whole(0), metavar="N", default=DECISIONS, show_default=True,
    help="Decisions whose whole set of legal moves to compare.",
)  # fmt: skip
@click.option(
    "--singles", type=Whole(0), metavar="N", default=SINGLES, show_default=True,
    help="Single moves whose outcome to compare.",
)  # fmt: skip
@click.option("--threads", type=Whole(1), help="Processes to use.  [default: one per core]")
@cluster_option
@seed_option
@json_option
def verify(
    decisions: int, singles: int, threads: int | None, cluster: str | None, seed: int | None, as_json: bool
) -> None:
    """Check the compiled core against the plain, slow rules.

    Plays games of 2 to 4 players, random and sensible, on our card set and on
    random ones, some of them training games. Whole sets: all legal moves, each
    once. Single moves: both find them legal, with the same position after them;
    and both refuse wrong moves. A difference ends the run and is shown.
    """
    from ...orion.measure.verify_rules import verify as checks

    with working(cluster, threads or os.cpu_count() or 1) as workers:
        verify_rules(checks, decisions, singles, 0 if seed is None else seed, workers, as_json)


@click.command(short_help=N_("Count the sequences of moves."))
@click.argument("position")
@click.argument("depth", type=Whole(0, 60))
@click.option(
    "--order",
    "draws",
    flag_value=False,
    type=bool,
    default=False,
    help="Draw in a fixed order, as the deck is listed, or shuffled by --seed.  [default]",
)
@click.option("--draws", "draws", flag_value=True, type=bool, help="Count every card that can be drawn.")
@seed_option
@click.option("--divide", is_flag=True, help="Also count the sequences that begin with each first move.")
@click.option("--reference", "slow", is_flag=True, help="Count with the slow, plain rules.")
@cards_option
@json_option
def perft(
    position: str, depth: int, draws: bool, seed: int | None, divide: bool, slow: bool, cards: str | None, as_json: bool
) -> None:
    """Count the sequences of DEPTH decisions from POSITION.

    Cards that the position does not know are dealt by --seed, or by 0. With
    --draws, a move counts once for every card that can be drawn after it, and
    this includes the last move of a sequence.
    """
    if divide and depth == 0:
        raise click.UsageError(_("--divide needs a DEPTH of at least 1."))
    loaded = load_position(position, cards)

    import time

    from ...measure.data import Perft
    from ...orion.measure.perft import count_sequences

    start = time.perf_counter()
    count, parts = count_sequences(loaded, depth, draws=draws, seed=seed, divide=divide, slow=slow)
    seconds = time.perf_counter() - start
    found = Perft(depth, draws, seed, "reference" if slow else "core", count, parts)
    tell_perft(found, seconds, as_json)


@click.command(short_help=N_("Measure speed, and check that a build still plays the same."))
@click.option("--signature", is_flag=True, help="Print only the signatures: fixed work on one thread, not timed.")
@click.option(
    "--seconds", type=figure_seconds_type, default=1.0, show_default=True, help="Seconds to spend on each figure."
)
@seed_option
@cards_option
@json_option
def bench(signature: bool, seconds: float, seed: int | None, cards: str | None, as_json: bool) -> None:
    """Measure speed, and check that a build still plays the same.

    Random games to the end and simulations of the search, on one core. The
    signatures depend only on what a fixed piece of work on our card set finds:
    they are the same on every machine, and change when a rule or the search does.
    """
    from ...measure.text import figures_text, signatures_text
    from ...orion.measure import speed

    if signature:
        write(signatures_text(speed.signatures()))
        return
    from ...orion.game.cards import DEFAULT_CARD_SET

    chosen = load_cards(DEFAULT_CARD_SET if cards is None else cards)
    figures = speed.bench(chosen, 1 if seed is None else seed, seconds)
    if as_json:
        from ...measure.json import figures_to_json

        write_json(figures_to_json("orion", figures) | {"signatures": speed.signatures()})
        return
    for figure in figures:
        write(figures_text([figure]))
    write(signatures_text(speed.signatures()))
