"""`orbis perft`: the number of move sequences, to compare implementations and to find differences."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...base.language import _
from ..options import (
    json_option,
    load_position,
    position_argument,
    position_tiles_option,
    seed_option,
    write,
    write_json,
)

if TYPE_CHECKING:
    from ...game.position import Move, Position


@click.command()
@position_argument
@click.argument("depth", type=click.IntRange(0, 60))
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
@click.option("--divide", is_flag=True, help="Also the count behind each first move.")
@click.option("--reference", "slow", is_flag=True, help="Count with the slow, plain rules.")
@position_tiles_option
@json_option
def perft(
    position: str, depth: int, draws: bool, seed: int | None, divide: bool, slow: bool, tiles: str | None, as_json: bool
) -> None:
    """Count the sequences of DEPTH moves from POSITION.

    With --draws, a region move counts once for every tile that can refill its
    cell, also the last move of a sequence.
    """
    if draws and seed is not None:
        raise click.UsageError(_("--seed shuffles a fixed order: it says nothing with --draws."))
    if divide and depth == 0:
        raise click.UsageError(_("--divide needs a DEPTH of at least 1."))
    loaded = load_position(position, tiles)
    if seed is not None:
        loaded = _shuffled(loaded, seed)

    import time

    start = time.perf_counter()
    parts: dict[Move, int] | None = None
    if divide:
        parts = _divide(loaded, depth, draws, slow)
        count = sum(parts.values())
    elif slow:
        from ...game import rules

        count = rules.perft(loaded, depth, draws)
    else:
        from ...core import fast_rules

        count = fast_rules.perft(loaded, depth, draws)
    seconds = time.perf_counter() - start

    texts = None if parts is None else _texts(loaded, parts)
    if as_json:
        result = {"format": "orbis-perft", "version": 1, "depth": depth, "draws": draws, "seed": seed}
        result |= {"rules": "reference" if slow else "core", "count": count}
        if texts is not None:
            result["divide"] = [{"move": text, "count": number} for text, number in texts]
        write_json(result)
    else:
        lines = [f"{number:>12}  {text}" for text, number in texts or ()]
        lines.append(f"perft({depth}) = {count}")
        write("\n".join(lines) + "\n")
    # Time is for the person who waits; what goes to standard output is the same every time.
    if sys.stderr is not None and sys.stderr.isatty():
        rate = count / max(seconds, 1e-9)
        print(_("{seconds:.3f} s, {rate:,.0f} a second", seconds=seconds, rate=rate), file=sys.stderr)


def _divide(position: Position, depth: int, draws: bool, slow: bool) -> dict[Move, int]:
    if not slow:
        from ...core import fast_rules

        return fast_rules.perft_divide(position, depth, draws)

    from ...game import rules

    parts = {}
    for move in rules.legal_moves(position):
        after = rules.apply(position, move)
        refills = rules.draws(after)
        if refills:
            followers = [rules.refill(after, tile) for tile in (refills if draws else refills[:1])]
        else:
            followers = [after]
        parts[move] = sum(rules.perft(follower, depth - 1, draws) for follower in followers)
    return parts


def _texts(position: Position, parts: dict[Move, int]) -> list[tuple[str, int]]:
    from ...notation.move_text import format_move

    return sorted((format_move(position, move), number) for move, number in parts.items())


def _shuffled(position: Position, seed: int) -> Position:
    """Each pile in an order drawn by the seed; where more tiles may lie in it than do, which do as well."""
    import random

    rng = random.Random(seed)
    first, second, third = (
        pile._replace(tiles=tuple(rng.sample(pile.tiles, len(pile.tiles)))) for pile in position.piles
    )
    return position._replace(piles=(first, second, third))
