"""A game from its first decision on: what was decided and which cards were drawn.

A record knows everything, hands and the order of the deck included: it is for going on and for looking back. What a
player knew at the time, `orion.game.knowledge` says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ...base.values import NamedTuple
from ..game.position import Move, Position
from ..game.rules import draw, play
from ..notation.moves import format_move


class Turn(NamedTuple):
    """A decision, as it is written, and the cards drawn after it."""

    player: int
    text: str
    drawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    positions: tuple[Position, ...]  # the start, and after each turn
    turns: tuple[Turn, ...] = ()
    date: str = ""
    extra: tuple[tuple[str, str], ...] = ()  # other lines of the header
    end: tuple[str, ...] = ()  # remarks behind the last turn

    @property
    def start(self) -> Position:
        return self.positions[0]

    @property
    def position(self) -> Position:
        return self.positions[-1]

    def played(self, move: Move, chance: Callable[[Position, int], str]) -> Record:
        """After a legal move and the draws that follow it; `chance` gets the number of the draw in the whole game."""
        before = self.position
        after, drawn = play(before, move), list[str]()
        number = sum(len(turn.drawn) for turn in self.turns)
        while after.draw_due:
            drawn.append(chance(after, number + len(drawn)))
            after = draw(after, drawn[-1])
        turn = Turn(before.to_move or 0, format_move(before, move), tuple(drawn))
        return replace(self, positions=(*self.positions, after), turns=(*self.turns, turn))

    def before(self, number: int) -> Record:
        """As it was before turn `number`, from 0."""
        return replace(self, positions=self.positions[: number + 1], turns=self.turns[:number], end=())
