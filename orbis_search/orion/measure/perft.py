"""Sequences of decisions counted, by the core or by the plain rules: to compare the two, and find where they differ."""

from __future__ import annotations

from ...base.dice import Dice
from ..core.packing import Packing
from ..game import rules
from ..game.knowledge import complete
from ..game.position import Move, Position
from ..notation.moves import format_move

Parts = tuple[tuple[str, int], ...]


def count_sequences(
    position: Position,
    depth: int,
    *,
    draws: bool = False,
    seed: int | None = None,
    divide: bool = False,
    slow: bool = False,
) -> tuple[int, Parts | None]:
    """The sequences of `depth` decisions, and if asked for by first move as well. Cards come as the deck lies, or with
    `draws` every one that can. `slow` counts by the plain rules; a `seed` shuffles the deck first, and says what the
    cards are that the position does not know."""
    if seed is not None or not position.is_complete:
        position = dealt(position, seed or 0)
    if not divide:
        return (_slow(position, depth, draws) if slow else Packing(position).state.perft(depth, draws)), None
    parts = _divide_slowly(position, depth, draws) if slow else _divide(position, depth, draws)
    named = tuple(sorted((format_move(position, move), number) for move, number in parts.items()))
    return sum(parts.values()), named


def dealt(position: Position, seed: int) -> Position:
    """Every card known, and the deck in an order drawn by the seed."""
    dice = Dice(seed)
    position = complete(position, dice)
    return position._replace(deck=tuple(dice.shuffled(position.deck)))


def _divide(position: Position, depth: int, draws: bool) -> dict[Move, int]:
    packing = Packing(position)
    parts = {}
    for packed in packing.state.moves():
        after = packing.state.copy()
        after.apply(packed)
        parts[packing.unpack_move(packed)] = after.perft(depth - 1, draws)
    return parts


def _divide_slowly(position: Position, depth: int, draws: bool) -> dict[Move, int]:
    return {move: _slow(rules.play(position, move), depth - 1, draws) for move in rules.legal_moves(position)}


def _slow(position: Position, depth: int, draws: bool) -> int:
    """By the plain rules."""
    if position.draw_due:
        cards = [card for card, _ in rules.draws(position)] if draws else [rules.first_in_deck(position)]
        return sum(_slow(rules.draw(position, card), depth, draws) for card in cards)
    if depth == 0:
        return 1
    moves = rules.legal_moves(position)
    if depth == 1 and not draws:
        return len(moves)
    return sum(_slow(rules.play(position, move), depth - 1, draws) for move in moves)
