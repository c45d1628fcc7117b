"""The rules of Master of Orion at full speed, on readable positions.

The same functions as in `orion.game.rules`, answered by the compiled core; the tests compare the two. They check
whatever they are given first, unless it is `trusted`. For many questions about one game, pack it once with
`packing.Packing` and work with that.
"""

from __future__ import annotations

from ...base.errors import InputError
from ...base.language import _
from ...base.options import SEED, choice, expect, whole
from ..game.counting import Points
from ..game.legality import why_not
from ..game.position import Move, Position
from ..game.rules import new_game
from .packing import Packing

__all__ = [
    "draw",
    "draws",
    "end_reasons",
    "legal_moves",
    "new_game",
    "perft",
    "play",
    "play_on",
    "standings",
    "winners",
]

MOST_DEPTH = 60
MOST_DECISIONS = 10**9
STYLES = ("random", "sensible", "quick")


def legal_moves(position: Position, *, trusted: bool = False) -> list[Move]:
    """Everything that can be decided; none while a card is to be drawn and when the game is over."""
    packing = Packing(position, trusted=trusted)
    return [packing.unpack_move(move) for move in packing.state.moves()]


def play(position: Position, move: Move, *, trusted: bool = False) -> Position:
    """The position after a legal move, when next something has to be decided or drawn."""
    packing = Packing(position, trusted=trusted)
    if not trusted and (reasons := why_not(position, move)):
        raise InputError.one("move", "; ".join(reasons))
    packing.state.apply(packing.pack_move(move))
    return packing.position(packing.state)


def draws(position: Position, *, trusted: bool = False) -> list[tuple[str, int]]:
    """What can be drawn now, each with the number of its copies in the deck: all copies are equally likely."""
    packing = Packing(position, trusted=trusted)
    return [(packing.printing.card(card), number) for card, number in packing.state.draws()]


def draw(position: Position, card: str, *, trusted: bool = False) -> Position:
    """The position after this card has been drawn."""
    packing = Packing(position, trusted=trusted)
    number = packing.printing.numbers.get(card)
    if number not in dict(packing.state.draws()):
        what = _("a card that can be drawn")
        raise InputError.one("draw", _("expected {what}, found {found}", what=what, found=card))
    packing.state.draw(number)
    return packing.position(packing.state)


def standings(position: Position, *, trusted: bool = False) -> list[Points]:
    """As if the game ended now."""
    return [Points(*sources) for sources in Packing(position, trusted=trusted).state.points()]


def winners(position: Position, *, trusted: bool = False) -> list[int]:
    """Who would win if the game ended now; several share the victory."""
    return [seat for seat, share in enumerate(Packing(position, trusted=trusted).state.shares()) if share]


def end_reasons(position: Position, *, trusted: bool = False) -> list[str]:
    """Which end conditions hold at the end of a round: "rounds", "loyalty", "systems"."""
    return Packing(position, trusted=trusted).state.end_reasons()


def perft(position: Position, depth: int, draws: bool = False) -> int:
    """Sequences of `depth` decisions. Cards come as the deck lies; with `draws` each that can come counts."""
    return Packing(position).state.perft(expect("depth", depth, whole(0, MOST_DEPTH)), draws)


def play_on(position: Position, decisions: int, seed: int, style: str = "random") -> Position:
    """The position after so many more decisions (or at the end), played in a style from a seed."""
    from random import Random

    expect("decisions", decisions, whole(0, MOST_DECISIONS))
    expect("style", style, choice(*STYLES))
    packing, rng = Packing(position), Random(expect("seed", seed, SEED))
    state = packing.state
    state.draw_at_random(rng.getrandbits(64))
    while decisions and not state.is_over:
        state.apply(state.choose(style, rng.getrandbits(64)))
        state.draw_at_random(rng.getrandbits(64))
        decisions -= 1
    return packing.position(state)
