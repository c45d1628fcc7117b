"""`orbis perft`: the number of move sequences, to compare implementations and to find differences."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...base.language import _
from ..options import (
    Whole,
    json_option,
    load_position,
    position_argument,
    position_tiles_option,
    seed_option,
    turn_option,
    write,
    write_json,
)

if TYPE_CHECKING:
    from ...measure.data import Perft


@click.command()
@position_argument
@click.argument("depth", type=Whole(0, 60))
@click.option(
    "--order",
    "draws",
    flag_value=False,
    type=bool,
    default=False,
    help="Refill in a fixed order, as the piles are listed, or shuffled by --seed.  [default]",
)
@click.option("--draws", "draws", flag_value=True, type=bool, help="Count every possible refill.")
@seed_option
@click.option("--divide", is_flag=True, help="Also count the sequences that begin with each first move.")
@click.option("--reference", "slow", is_flag=True, help="Count with the slow, plain rules.")
@position_tiles_option
@turn_option
@json_option
def perft(
    position: str,
    depth: int,
    draws: bool,
    seed: int | None,
    divide: bool,
    slow: bool,
    tiles: str | None,
    turn: int | None,
    as_json: bool,
) -> None:
    """Count the sequences of DEPTH moves from POSITION.

    With --draws, a region move counts once for every tile that can refill its
    cell, and this includes the last move of a sequence.
    """
    if draws and seed is not None:
        raise click.UsageError(_("--seed shuffles a fixed order: it has no effect with --draws."))
    if divide and depth == 0:
        raise click.UsageError(_("--divide needs a DEPTH of at least 1."))
    loaded = load_position(position, tiles, turn=turn)

    import time

    from ...measure.perft import count_sequences

    start = time.perf_counter()
    found = count_sequences(loaded, depth, draws=draws, seed=seed, divide=divide, slow=slow)
    seconds = time.perf_counter() - start
    tell_perft(found, seconds, as_json)


def tell_perft(found: Perft, seconds: float, as_json: bool) -> None:
    if as_json:
        from ...measure.json import perft_to_json

        write_json(perft_to_json(found))
    else:
        from ...measure.text import perft_text

        write(perft_text(found))
    # Time is for the person who waits; what goes to standard output is the same every time.
    if sys.stderr is not None and sys.stderr.isatty():
        rate = found.count / max(seconds, 1e-9)
        print(_("{seconds:.3f} s, {rate:,.0f} a second", seconds=seconds, rate=rate), file=sys.stderr)
