"""`orbis advise`: the best moves of a position."""

from __future__ import annotations

import os
import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from ...base.language import _
from ..options import (
    Whole,
    cluster_option,
    color_option,
    duration_type,
    example_hint,
    json_option,
    load_position,
    optional_position_argument,
    png_option,
    position_tiles_option,
    seed_option,
    sims_type,
    size_type,
    svg_option,
    threads_type,
    turn_option,
    wants_colour,
    write,
    write_json,
    write_pictures,
)
from ..progress import Progress
from ..workers import working

if TYPE_CHECKING:
    from ...game.position import Move, Position

SHOWN = 8


@click.command()
@optional_position_argument
@click.option("--time", "seconds", type=duration_type, metavar="TIME", help="How long to search.  [default: 5s]")
@click.option("--sims", type=sims_type, metavar="N", help="How many simulations to run.")
@click.option(
    "--confidence",
    type=click.Choice(["95", "98", "99"]),
    help="Stop once the best move is the best with this certainty, in per cent.",
)
@click.option("--threads", type=threads_type, help="[default: one per core]")
@cluster_option
@click.option(
    "--memory", type=size_type, default="1G", show_default=True, metavar="SIZE", help="Memory for the search tree."
)
@seed_option
@click.option("--top", type=Whole(1), default=SHOWN, show_default=True, metavar="N", help="How many ideas to list.")
@click.option("--all-ways", is_flag=True, help="List every way to play them: what to pay, exchange, keep, remove.")
@click.option("--keep", "kept", multiple=True, metavar="MOVE", help="Search this move as thoroughly as the best one.")
@click.option(
    "--why",
    "compared",
    multiple=True,
    metavar="MOVE",
    help="Compare this move with the best; given twice, the two with each other.  [default: the best two]",
)
@click.option("--board/--no-board", default=True, help="Draw the board and mark the best move.  [default: draw]")
@svg_option
@png_option
@color_option
@position_tiles_option
@turn_option
@json_option
def advise(
    position: str | None,
    seconds: float | None,
    sims: int | None,
    confidence: str | None,
    threads: int | None,
    cluster: str | None,
    memory: int,
    seed: int | None,
    top: int,
    all_ways: bool,
    kept: tuple[str, ...],
    compared: tuple[str, ...],
    board: bool,
    svg: str | None,
    png: str | None,
    color: str,
    tiles: str | None,
    turn: int | None,
    as_json: bool,
) -> None:
    """Rank the moves of the player to move in POSITION.

    Each row is an idea: a tile or god, its place and its face, played in the best
    way. It has the chance to win, proved or sampled with a 95 % interval, and the
    points expected at the end. The best one also shows where the points come from,
    what is expected to follow, why it beats the next idea, and what the next refill
    can change. With --seed, --sims and either --threads 1 or --cluster the answer is
    always the same, however large the cluster. Ctrl-C ends the search and prints
    the best answer so far.
    """
    from ...advice import advisor

    loaded = load_position(position, tiles, turn=turn)
    if len(compared) > 2:
        raise click.UsageError(_("expected --why at most twice, for the two moves to compare"))
    if cluster is not None and confidence is not None:
        raise click.UsageError(_("--confidence cannot be combined with --cluster."))
    processes = threads or os.cpu_count() or 1
    with working(cluster, processes) as workers, Progress(loaded, seconds, sims, confidence is not None) as progress:
        advice = advisor.advise(
            loaded,
            simulations=sims,
            seconds=seconds,
            confidence=None if confidence is None else int(confidence) / 100,
            threads=processes,
            seed=0 if seed is None else seed,
            memory=memory,
            rows=max(top, SHOWN),  # the recommendation does not depend on how few are listed
            ways=advisor.WAYS if all_ways else 0,
            keep=_moves(kept, loaded, "--keep"),
            why=_moves(compared, loaded, "--why"),
            progress=progress,
            workers=None if cluster is None else workers,
        )
    if svg or png:
        from ...advice.text import caption

        write_pictures(loaded, svg, png, advice.best.move, caption(advice))
    if as_json:
        from ...advice.json import advice_to_json

        write_json(advice_to_json(advice, top, all_ways))
    elif "-" not in (svg, png):
        from ...advice.text import advice_text

        on_terminal = sys.stdout is not None and sys.stdout.isatty()
        lines = get_terminal_size().lines - 1 if on_terminal else None  # one is for the shell's next prompt
        text = advice_text(advice, top, all_ways=all_ways, board=board, colour=wants_colour(color), lines=lines)
        write(text + ("" if position else "\n" + example_hint("advise")))
    if advice.stopped == "interrupted":
        sys.stdout.flush()
        raise click.exceptions.Exit(130)


def _moves(texts: tuple[str, ...], position: Position, option: str) -> list[Move]:
    """Reads them all; InputError with every problem and its option."""
    from ...base.errors import InputError, Problem
    from ...notation.move_text import parse_move

    moves, problems = [], []
    for text in texts:
        try:
            moves.append(parse_move(text, position))
        except InputError as error:
            problems += [Problem(f"{option}, {problem.place}", problem.message) for problem in error.problems]
    if problems:
        raise InputError(problems)
    return moves
