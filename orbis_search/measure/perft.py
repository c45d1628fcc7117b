"""Move sequences counted, by the core or by the plain rules: to compare the two, and to find where they differ."""

from __future__ import annotations

from random import Random

from ..core import fast_rules
from ..game import rules
from ..game.position import Move, Position
from ..notation.move_text import format_move
from .data import Perft


def count_sequences(
    position: Position,
    depth: int,
    *,
    draws: bool = False,
    seed: int | None = None,
    divide: bool = False,
    slow: bool = False,
) -> Perft:
    """The sequences of `depth` moves. `divide` counts them by first move as well, `slow` by the plain rules; a `seed`
    shuffles the piles first."""
    if seed is not None:
        position = shuffled(position, seed)
    parts = None
    if divide:
        found = (_divide if slow else fast_rules.perft_divide)(position, depth, draws)
        parts = tuple(sorted((format_move(position, move), number) for move, number in found.items()))
        count = sum(found.values())
    else:
        count = (rules if slow else fast_rules).perft(position, depth, draws)
    return Perft(depth, draws, seed, "reference" if slow else "core", count, parts)


def _divide(position: Position, depth: int, draws: bool) -> dict[Move, int]:
    """By the plain rules."""
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


def shuffled(position: Position, seed: int) -> Position:
    """Each pile in an order drawn by the seed; where more tiles may lie in it than do, which do as well."""
    rng = Random(seed)
    first, second, third = (
        pile._replace(tiles=tuple(rng.sample(pile.tiles, len(pile.tiles)))) for pile in position.piles
    )
    return position._replace(piles=(first, second, third))
