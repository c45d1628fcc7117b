"""`orbis advise`: the best moves of a position."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from .options import (
    EXAMPLE_HINT,
    color_option,
    duration_type,
    json_option,
    load_position,
    optional_position_argument,
    png_option,
    position_tiles_option,
    seed_option,
    size_type,
    svg_option,
    wants_colour,
    write,
    write_json,
    write_pictures,
)

if TYPE_CHECKING:
    from ..advisor import Advice
    from ..position import Move, Position

SHOWN = 8


@click.command()
@optional_position_argument
@click.option("--time", "seconds", type=duration_type, metavar="TIME", help="Search so long.  [default: 5s]")
@click.option("--sims", type=click.IntRange(1), metavar="N", help="Search so many simulations.")
@click.option("--confidence", type=click.Choice(["95", "98", "99"]), help="Stop when the best move is so surely best.")
@click.option("--threads", type=click.IntRange(1, 256), help="[default: one a core]")
@click.option("--memory", type=size_type, default="256M", show_default=True, metavar="SIZE", help="For the tree.")
@seed_option
@click.option("--top", type=click.IntRange(1), default=SHOWN, show_default=True, metavar="N", help="Moves to list.")
@click.option("--keep", "kept", multiple=True, metavar="MOVE", help="Look at this move as thoroughly as at the best.")
@click.option(
    "--why", "compared", multiple=True, metavar="MOVE",
    help="Compare this move with the best, or two with each other.  [default: the best two]",
)  # fmt: skip
@click.option("--board/--no-board", default=True, help="Draw the board with the best move marked.  [default: draw]")
@svg_option
@png_option
@color_option
@position_tiles_option
@json_option
def advise(
    position: str | None,
    seconds: float | None,
    sims: int | None,
    confidence: str | None,
    threads: int | None,
    memory: int,
    seed: int | None,
    top: int,
    kept: tuple[str, ...],
    compared: tuple[str, ...],
    board: bool,
    svg: str | None,
    png: str | None,
    color: str,
    tiles: str | None,
    as_json: bool,
) -> None:
    """Rank the moves of the player to move in POSITION.

    For each move the chance to win with its 95 % interval and the points expected
    at the end; for the best one also where they come from, what is expected to
    follow, why it beats the runner-up, and what the next refill can change. With
    --threads 1, --seed and --sims the answer is always the same. Ctrl-C ends the
    search and prints what is known by then.
    """
    from .. import advisor

    loaded = load_position(position, tiles)
    if len(compared) > 2:
        raise click.UsageError("expected --why at most twice, for the two moves to compare")
    with _progress(loaded, seconds, sims) as progress:
        advice = advisor.advise(
            loaded,
            simulations=sims,
            seconds=seconds,
            confidence=None if confidence is None else int(confidence) / 100,
            threads=threads or os.cpu_count() or 1,
            seed=0 if seed is None else seed,
            memory=memory,
            keep=_moves(kept, loaded, "--keep"),
            why=_moves(compared, loaded, "--why"),
            progress=progress,
        )
    if svg or png:
        from ..render_advice import caption

        write_pictures(loaded, svg, png, advice.best.move, caption(advice))
    if as_json:
        from ..advice_json import advice_to_json

        write_json(advice_to_json(advice, top))
    elif "-" not in (svg, png):
        from ..render_advice import render_advice

        text = render_advice(advice, top, board=board, colour=wants_colour(color))
        write(text + ("" if position else f"\n{EXAMPLE_HINT}"))
    if advice.stopped == "interrupted":
        sys.stdout.flush()
        raise click.exceptions.Exit(130)


def _moves(texts: tuple[str, ...], position: Position, option: str) -> list[Move]:
    """All of them read, or every problem with its option."""
    from ..errors import InputError, Problem
    from ..notation.moves import parse_move

    moves, problems = [], []
    for text in texts:
        try:
            moves.append(parse_move(text, position))
        except InputError as error:
            problems += [Problem(f"{option}, {problem.place}", problem.message) for problem in error.problems]
    if problems:
        raise InputError(problems)
    return moves


class _progress:
    """A line on a terminal while the search runs: best move so far, its chance to win, simulations, time."""

    def __init__(self, position: Position, seconds: float | None, sims: int | None) -> None:
        from ..advisor import DEFAULT_SECONDS

        self.position = position
        self.sims = sims
        self.seconds = DEFAULT_SECONDS if seconds is None and sims is None else seconds
        self.bar: Any = None

    def __enter__(self) -> Callable[[Advice], None] | None:
        if sys.stderr is None or not sys.stderr.isatty():
            return None
        from shutil import get_terminal_size

        from tqdm import tqdm

        total = self.sims if self.sims is not None else self.seconds
        form = "{desc} |{bar:16}| {percentage:3.0f} %" if total else "{desc}"
        # A terminal of unknown size counts as 80 by 24.
        columns, lines = get_terminal_size()
        self.bar = tqdm(total=total, bar_format=form, leave=False, ncols=columns - 1, nrows=lines)
        return self.show

    def show(self, advice: Advice) -> None:
        from ..notation.moves import format_move

        best = advice.best
        text = format_move(self.position, best.move)
        text = text if len(text) <= 32 else text[:31] + "…"
        self.bar.n = min(self.bar.total or 0, advice.simulations if self.sims is not None else advice.seconds)
        win = f"{100 * best.win:.1f} ± {100 * best.error:.1f} %"
        self.bar.set_description_str(f"{text}  {win}  {advice.simulations:,} sims  {advice.seconds:.0f} s")

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()
