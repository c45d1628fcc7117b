"""`orbis advise`: the best moves of a position."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from .options import (
    EXAMPLE_HINT,
    duration_type,
    json_option,
    load_position,
    optional_position_argument,
    position_tiles_option,
    seed_option,
    size_type,
    write,
    write_json,
)

if TYPE_CHECKING:
    from ..advisor import Advice, Candidate

DEFAULT_SECONDS = 5.0
SHOWN = 8


@click.command()
@optional_position_argument
@click.option("--time", "seconds", type=duration_type, metavar="TIME", help="Search so long, as 5s or 2m.  [default: 5s]")
@click.option("--sims", type=click.IntRange(1), metavar="N", help="Search so many simulations.")
@click.option("--confidence", type=click.Choice(["95", "98", "99"]), help="Stop when the best move is so surely best.")
@click.option("--threads", type=click.IntRange(1, 256), help="[default: one a core]")
@click.option("--memory", type=size_type, default="256M", show_default=True, metavar="SIZE", help="For the search tree.")
@seed_option
@click.option("--top", type=click.IntRange(1), default=SHOWN, show_default=True, metavar="N", help="Moves to list.")
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
    tiles: str | None,
    as_json: bool,
) -> None:
    """Rank the moves of the player to move in POSITION.

    Every value is sampled: the chance to win with its 95 % interval, and the
    points expected at the end. With --threads 1, --seed and --sims the answer is
    always the same. Ctrl-C ends the search and prints what is known by then.
    """
    from .. import advisor

    loaded = load_position(position, tiles)
    if seconds is None and sims is None and confidence is None:
        seconds = DEFAULT_SECONDS
    advice = advisor.advise(
        loaded,
        simulations=sims,
        seconds=seconds,
        confidence=None if confidence is None else int(confidence) / 100,
        threads=threads or os.cpu_count() or 1,
        seed=0 if seed is None else seed,
        memory=memory,
    )
    if as_json:
        write_json(_as_dict(advice, top))
    else:
        write(_table(advice, top) + ("" if position else f"\n{EXAMPLE_HINT}"))
    if advice.stopped == "interrupted":
        sys.stdout.flush()
        raise click.exceptions.Exit(130)


def _table(advice: Advice, top: int) -> str:
    from ..notation.moves import format_move

    position = advice.position
    who = position.to_move or 0
    name = position.players[who].name or f"player {who + 1}"
    lines = [f"{name} to move: {advice.simulations:,} simulations in {advice.seconds:.1f} s", ""]
    lines.append(f" {'':>2}  {'win %':>12}  {'points':>11}  move")
    for rank, candidate in enumerate(advice.candidates[:top], 1):
        win = f"{100 * candidate.win:.1f} ± {100 * candidate.error:.1f}"
        points = " : ".join(f"{candidate.points[i]:.1f}" for i in _from(who, len(position.players)))
        lines.append(f" {rank:>2}  {win:>12}  {points:>11}  {format_move(position, candidate.move)}")
    if advice.memory_full:
        lines.append("\nThe tree filled its memory and stopped growing; --memory gives it more.")
    return "\n".join(lines) + "\n"


def _from(who: int, players: int) -> list[int]:
    """The mover first, then the others in turn order."""
    return [(who + i) % players for i in range(players)]


def _as_dict(advice: Advice, top: int) -> dict[str, Any]:
    from ..notation.moves import move_to_json

    def row(candidate: Candidate) -> dict[str, Any]:
        return {
            "move": move_to_json(advice.position, candidate.move),
            "win": candidate.win,
            "low": candidate.low,
            "high": candidate.high,
            "shares": list(candidate.shares),
            "points": list(candidate.points),
            "visits": candidate.visits,
            "proved": candidate.proved,
        }

    return {
        "format": "orbis-advice",
        "version": 1,
        "to_move": (advice.position.to_move or 0) + 1,
        "simulations": advice.simulations,
        "seconds": advice.seconds,
        "threads": advice.threads,
        "seed": advice.seed,
        "stopped": advice.stopped,
        "memory_full": advice.memory_full,
        "candidates": [row(candidate) for candidate in advice.candidates[:top]],
    }
