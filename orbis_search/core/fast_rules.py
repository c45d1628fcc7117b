"""The rules of Orbis at full speed, on readable positions.

The same functions as in `game.rules`, answered by the compiled core; the tests compare the two. They check whatever
they are given first. For many questions about one game, pack it once with `packing.Packing` and work with that;
`apply_unchecked` is for moves that are known to be legal.

In the examples `position` is the built-in one that `orbis show` draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ..base.errors import InputError
from ..base.language import _
from ..base.options import SEED, boolean, choice, expect, whole
from ..game.kinds import expect_tile
from ..game.legality import expect_legal
from ..game.position import Move, Position
from ..game.problems import expect_sound
from ..game.rules import Score, new_game
from ..game.tiles import Tile
from ..game.vocabulary import CELLS
from .packing import PackedMove, Packing, pack_move, unpack_move
from .searches import Walker
from .states import ALL, SEARCH, PackedState

__all__ = [
    "apply",
    "apply_unchecked",
    "count_moves",
    "draws",
    "legal_moves",
    "new_game",
    "perft",
    "perft_divide",
    "play_on",
    "play_turns",
    "refill",
    "score",
    "winners",
]


MOST_LISTED = 2_000_000
MOST_WORK = 8 * MOST_LISTED  # to find out how many there are: realms on the way count too
MOST_DEPTH = 60  # turns of the longest game
MOST_TURNS = 10**9
STYLES = ("random", "sensible", "greedy")


def legal_moves(position: Position, search: bool = False) -> list[Move]:
    """Every legal move, each visible outcome once; or only those that a search needs to consider.

    A turn can have billions of them when a volcano removes many worshipers; more than MOST_LISTED are refused with
    their number, and so are so many worshipers that it takes long to find it out.

        >>> len(legal_moves(position)), len(legal_moves(position, search=True))
        (121, 57)
    """
    state, prune = _to_move(position), SEARCH if search else ALL
    _expect_listable(state, prune)
    return [unpack_move(move) for move in state.moves(prune)]


def count_moves(position: Position, search: bool = False) -> int:
    """How many `legal_moves` there are, without listing them.

    >>> count_moves(position)
    121
    """
    return _to_move(position).count_moves(SEARCH if search else ALL)


def count_to_list(position: Position, search: bool, most: int, place: str) -> int:
    """`count_moves`; InputError if there are more than `most`, soon even where it takes long to count them."""
    number = _to_move(position).count_moves(SEARCH if search else ALL, MOST_WORK)
    if number is None or number > most:
        raise too_many_moves(place, most, number)
    return number


def _expect_listable(state: PackedState, prune: int = ALL) -> None:
    number = state.count_moves(prune, MOST_WORK)
    if number is None or number > MOST_LISTED:
        raise too_many_moves("moves", MOST_LISTED, number)


def too_many_moves(place: str, most: int, found: int | None) -> InputError:
    """`found`: None where nobody waited for the number."""
    if found is None:
        message = _("expected at most {most:,} moves to list, found far more", most=most)
    else:
        message = _("expected at most {most:,} moves to list, found {found:,}", most=most, found=found)
    return InputError.one(place, message)


def _to_move(position: Position) -> PackedState:
    """The packed state, after checking that no refill is due."""
    return _packed_to_move(position).state


def _packed_to_move(position: Position) -> Packing:
    packing = Packing(position)
    if position.hole is not None:
        raise InputError.one(
            f"centre.{CELLS[position.hole]}", _("expected a refill before the next move, found an empty cell")
        )
    return packing


def apply(position: Position, move: Move) -> Position:
    """The position after a legal move; a region leaves its cell empty until `refill`.

    >>> after = apply(position, orbis.parse_move("b3 wild 1L", position))
    >>> CELLS[after.hole]
    'b3'
    """
    packing = Packing(position)
    expect_legal(position, move)
    return _played(packing, move)


def apply_unchecked(position: Position, move: Move) -> Position:
    """`apply` for a move that is known to be legal: one that was listed, or read by `parse_move`. Any other move leads
    to something that is not a position."""
    return _played(Packing(position), move)


def _played(packing: Packing, move: Move) -> Position:
    packing.state.apply(pack_move(packing.origin, move))
    return packing.position(packing.state)


def draws(position: Position) -> tuple[Tile, ...]:
    """The tiles that can come into the empty cell, in the pile's listed order.

    >>> after = apply(position, orbis.parse_move("b3 wild 1L", position))
    >>> [tile.id for tile in draws(after)]
    ['b2a', 'w2b']
    """
    packing = Packing(position)
    return tuple(packing.tiles[number] for number in packing.state.draws())


def refill(position: Position, tile: Tile) -> Position:
    """The position once the empty cell has been refilled from the lowest pile.

    >>> after = apply(position, orbis.parse_move("b3 wild 1L", position))
    >>> full = refill(after, draws(after)[0])
    >>> full.hole is None, full.to_move
    (True, 1)
    """
    packing = Packing(position)
    if position.hole is None:
        raise InputError.one("refill", _("expected an empty cell to refill, found none"))
    expect_tile(tile)
    numbers = [number for number in packing.state.draws() if packing.tiles[number] == tile]
    if not numbers:
        raise InputError.one(
            "refill", _("expected a tile from the lowest pile that has any left, found {found}", found=tile.called)
        )
    packing.state.refill(numbers[0])
    return packing.position(packing.state)


def score(position: Position) -> tuple[Score, ...]:
    """Each player's points by source, as if the game ended here.

    >>> [points.total for points in score(position)]
    [10, 6]
    """
    return tuple(Score(*sources) for sources in Packing(position).state.breakdown())


def winners(position: Position) -> tuple[int, ...]:
    """Who would win if the game ended here; several share the victory.

    >>> winners(position)
    (0,)
    """
    shares = Packing(position).state.shares()
    return tuple(index for index, share in enumerate(shares) if share)


def perft(position: Position, depth: int, draws: bool = False) -> int:
    """Sequences of `depth` moves; see `perft_divide`.

    >>> perft(position, 2)
    42010
    """
    return _walker(position, depth, draws).perft(depth, draws)


def perft_divide(position: Position, depth: int, draws: bool = False) -> dict[Move, int]:
    """perft by first move. Tiles come in the piles' listed order; with `draws`, every possible refill counts.

    >>> sum(perft_divide(position, 2).values()) == perft(position, 2)
    True
    """
    depth = expect("depth", depth, whole(1, MOST_DEPTH))
    counts = _walker(position, depth, draws).divide(depth, draws)
    return {unpack_move(move): count for move, count in counts}


def _walker(position: Position, depth: int, draws: bool) -> Walker:
    expect("depth", depth, whole(0, MOST_DEPTH))
    expect("draws", draws, boolean)
    packing = _packed_to_move(position)
    if depth > 1 or packing.state.count_moves(ALL, MOST_WORK) is None:
        _expect_listable(packing.state)
    return Walker(packing.state.game_state(None if draws else packing.listed_order()))


def play_on(position: Position, turns: int, seed: int, style: str = "random") -> Position:
    """The position after this many more turns (or at the end), played in 'random' or 'sensible' style from a seed.

    >>> end = play_on(position, 30, seed=1, style="sensible")
    >>> end.is_over, play_on(position, 30, seed=1, style="sensible") == end
    (True, True)
    """
    expect_sound(position)
    expect("turns", turns, whole(0, MOST_TURNS))
    expect("style", style, choice(*STYLES))
    packing = Packing(position)
    for _ in play_turns(packing.state, turns, Random(expect("seed", seed, SEED)), style):
        pass
    return packing.position(packing.state)


def play_turns(state: PackedState, turns: int, rng: Random, style: str) -> Iterator[PackedMove]:
    """Plays on in place, refills drawn at random; yields each move before it is made."""
    for _ in range(turns):
        if state.to_move < 0:
            return
        move = state.choose(style, rng.getrandbits(64))
        yield move
        state.apply(move)
        if state.hole is not None:
            state.refill(rng.choice(state.draws()))
