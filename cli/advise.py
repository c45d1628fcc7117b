"""`orbis advise`: the best moves of a position."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ..language import _, ngettext
from .options import (
    color_option,
    duration_type,
    example_hint,
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
        raise click.UsageError(_("expected --why at most twice, for the two moves to compare"))
    with _progress(loaded, seconds, sims, confidence is not None) as progress:
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
        write(text + ("" if position else "\n" + example_hint("advise")))
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
    """A line on a terminal while the search runs: best move so far, its chance to win, simulations, time left."""

    def __init__(self, position: Position, seconds: float | None, sims: int | None, until_sure: bool) -> None:
        from ..advisor import DEFAULT_SECONDS

        self.position, self.seconds, self.sims = position, seconds, sims
        if seconds is None and sims is None and not until_sure:
            self.seconds = DEFAULT_SECONDS
        self.bar: Any = None

    def __enter__(self) -> Callable[[Advice], None] | None:
        if sys.stderr is None or not sys.stderr.isatty():
            return None
        from shutil import get_terminal_size

        from tqdm import tqdm

        # A terminal of unknown size counts as 80 by 24.
        columns, lines = get_terminal_size()
        self.columns = columns - 1
        self.bar = tqdm(total=1.0, bar_format="{desc}", leave=False, ncols=self.columns, nrows=lines)
        return self.show

    def show(self, advice: Advice) -> None:
        from ..notation.moves import format_move

        win = f"{100 * advice.best.win:.1f} ± {100 * advice.best.error:.1f} %"
        done, time = self._time(advice)
        simulations = ngettext("{n:,} sims", "{n:,} sims", advice.simulations)
        figures = f"  {win}  {simulations}  {time}"
        if done is not None:
            figures += f"  {100 * done:3.0f} %"
        # The move gets what is left of the line: cut, it can still be told apart.
        room = max(12, self.columns - len(figures))
        move = format_move(self.position, advice.best.move)
        self.bar.set_description_str((move if len(move) <= room else move[: room - 1] + "…") + figures)

    def _time(self, advice: Advice) -> tuple[float | None, str]:
        """Which part is done, if that is known, and the time left; else the time so far."""
        parts = []
        if self.seconds is not None:
            parts.append((advice.seconds / self.seconds, self.seconds - advice.seconds))
        if self.sims is not None and advice.simulations:
            part = advice.simulations / self.sims
            parts.append((part, advice.seconds * (1 / part - 1)))
        if not parts:
            return None, _("{seconds} s so far", seconds=f"{advice.seconds:.0f}")
        done, left = max(parts)
        return min(done, 1.0), _("{seconds} s left", seconds=f"{max(left, 0):.0f}")

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.close()
