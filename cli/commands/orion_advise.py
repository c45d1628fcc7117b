"""`orbis orion advise`: the best moves of a position of Master of Orion."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...base.language import N_, _
from ..answers import tell
from ..options import (
    Whole,
    color_option,
    duration_type,
    json_option,
    optional_position_argument,
    seed_option,
    sims_type,
    threads_type,
    wants_colour,
)
from ..orion import SearchProgressOfOrion, cards_option, example_hint, load_position

if TYPE_CHECKING:
    from ...orion.game.position import Move, Position

SHOWN = 8


@click.command(short_help=N_("Rank the moves: which is best, and how certain that is."))
@optional_position_argument
@click.option("--time", "seconds", type=duration_type, metavar="TIME", help="How long to search.  [default: 5s]")
@click.option("--sims", type=sims_type, metavar="N", help="How many simulations to run.")
@click.option("--threads", type=threads_type, default=1, show_default=True, help="Threads that search.")
@seed_option
@click.option("--top", type=Whole(1), default=SHOWN, show_default=True, metavar="N", help="How many ideas to list.")
@click.option(
    "--why",
    "compared",
    multiple=True,
    metavar="MOVE",
    help="Compare this move with the best; given twice, the two with each other.  [default: the best two]",
)
@click.option("--board/--no-board", default=True, help="Draw the position.  [default: draw]")
@color_option
@cards_option
@json_option
def advise(
    position: str | None,
    seconds: float | None,
    sims: int | None,
    threads: int,
    seed: int | None,
    top: int,
    compared: tuple[str, ...],
    board: bool,
    color: str,
    cards: str | None,
    as_json: bool,
) -> None:
    """Rank the moves of the player who decides in POSITION.

    Each row is an idea, with the chance to win, a 95 % interval and the points
    expected at the end. Only what that player can know is used: hands of others and
    the deck are filled in at random again and again. With --seed and --sims the
    answer is always the same. Ctrl-C ends the search and prints the best answer so
    far.
    """
    from ...orion.advice.data import advise as advice_for
    from ...orion.advice.json import advice_to_json
    from ...orion.advice.text import advice_text

    loaded = load_position(position, cards)
    if len(compared) > 2:
        raise click.UsageError(_("expected --why at most twice, for the two moves to compare"))
    moves = _moves(compared, loaded)
    with SearchProgressOfOrion(seconds, sims) as progress:
        advice = advice_for(
            loaded,
            simulations=sims,
            seconds=seconds,
            seed=0 if seed is None else seed,
            threads=threads,
            why=moves,
            progress=progress,
        )
    tell(
        as_json,
        lambda: advice_to_json(advice, top),
        lambda: (
            advice_text(advice, top, board=board, colour=wants_colour(color))
            + ("" if position else "\n" + example_hint("advise"))
        ),
    )
    if advice.result.stopped == "interrupted":
        sys.stdout.flush()
        raise click.exceptions.Exit(130)


def _moves(texts: tuple[str, ...], position: Position) -> list[Move]:
    """Reads them all; InputError with every problem."""
    from ...base.errors import InputError, Problem
    from ...orion.notation.moves import parse_move

    moves, problems = [], []
    for text in texts:
        try:
            moves.append(parse_move(text, position))
        except InputError as error:
            problems += [Problem(f"--why, {problem.place}", problem.message) for problem in error.problems]
    if problems:
        raise InputError(problems)
    return moves
