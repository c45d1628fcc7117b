"""`orbis verify`: the compiled core against the plain rules, for as long as one likes."""

from __future__ import annotations

import os
import sys

import click

from .options import json_option, seed_option, write, write_json


@click.command()
@click.option("--decisions", type=click.IntRange(0), default=300, show_default=True,
              help="Turns whose whole set of legal moves is compared.")  # fmt: skip
@click.option("--singles", type=click.IntRange(0), default=10_000, show_default=True,
              help="Single moves whose outcome is compared.")  # fmt: skip
@click.option("--threads", type=click.IntRange(1), help="Processes to use.  [default: one a core]")
@seed_option
@json_option
def verify(decisions: int, singles: int, threads: int | None, seed: int | None, as_json: bool) -> None:
    """Hold the compiled core against the plain, slow rules.

    Plays games of 2 to 4 players, at random and sensibly, on our tile set and on
    random ones. Whole sets: all legal moves, each once. Single moves: legal for
    both, the same position after them, the same draws, the same points; and wrong
    moves are refused by both. A difference ends the run and is shown.
    """
    from tqdm import tqdm

    from .. import verify as checks
    from ..errors import InputError

    tally = checks.Tally()
    seed = 0 if seed is None else seed
    with tqdm(total=decisions + singles, unit="", disable=None, file=sys.stderr) as progress:
        try:
            for tally in checks.verify(decisions, singles, seed, threads or os.cpu_count() or 1):
                progress.update(min(tally.decisions, decisions) + min(tally.singles, singles) - progress.n)
        except checks.Mismatch as mismatch:
            raise InputError.one("core and reference differ", str(mismatch)) from None
    if as_json:
        counts = {name: getattr(tally, name) for name in tally.__dataclass_fields__}
        write_json({"format": "orbis-verify", "version": 1, "seed": seed, **counts})
        return
    write(
        f"Core and reference agree in {tally.games:,} games:\n"
        f"{tally.decisions:>12,} whole sets of legal moves, {tally.moves:,} moves in all, {tally.largest:,} at most\n"
        f"{tally.singles:>12,} single moves: legality, successor, draws, points\n"
        f"{tally.refused:>12,} wrong moves refused by both\n"
    )
