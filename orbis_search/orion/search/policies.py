"""Ways to play that need no search: anything legal, or what looks best right away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...base.dice import Dice
from ..game.counting import own_structures, points, working
from ..game.position import ADVISOR as ADVISOR_PLACE
from ..game.position import Drawing, Drop, Hire, Move, Position
from ..game.rules import by_dice, legal_moves, play, play_out
from ..game.vocabulary import RESOURCE_WORDS, ROUNDS, Resources

Chooser = Callable[[Position, Dice], Move]

# What things are worth, in sixths of a production: what the trade rate, exploits and actions say.
WORTH = Resources(food=2, fleet=3, production=6)
CARD, ACTION, POINT = 2, 4, 5
WORKING, ADVISOR = 2.1, 3.0  # an effect of a working card and of an advisor, for each round to come
assert len(WORTH) == len(RESOURCE_WORDS)


def play_randomly(position: Position, dice: Dice) -> Move:
    return dice.one_of(legal_moves(position))


def play_sensibly(position: Position, dice: Dice) -> Move:
    """The move after which the player's side of the table is worth most; of equals any."""
    return _best(worth_of_moves(position, legal_moves(position)), dice)


def worth_of_moves(position: Position, moves: Sequence[Move]) -> list[tuple[Move, float]]:
    """By what the mover's side of the table is worth right after each. Cards still to be drawn count as cards: what
    they are is not looked at."""
    mover = position.to_move
    assert mover is not None
    return [(move, _lead(play(position, move), mover)) for move in moves]


def _best(values: list[tuple[Move, float]], dice: Dice) -> Move:
    most = max(value for _, value in values)
    return dice.one_of([move for move, value in values if value > most - 1e-9])


PLAYERS: dict[str, Chooser] = {"random": play_randomly, "sensible": play_sensibly}


def play_on(position: Position, chooser: Chooser, dice: Dice, decisions: int | None = None) -> Position:
    """So many decisions further, or to the end of the game."""
    position = play_out(position, by_dice(dice))
    while not position.is_over and decisions != 0:
        position = play_out(play(position, chooser(position, dice)), by_dice(dice))
        decisions = None if decisions is None else decisions - 1
    return position


# --- what a position is worth to the sensible player


def _lead(position: Position, seat: int) -> float:
    """Own worth, less a part of what the strongest opponent's is."""
    others = [_worth(position, each) for each in range(len(position.players)) if each != seat]
    return _worth(position, seat) - 0.3 * max(others)


def _worth(position: Position, seat: int) -> float:
    player, cards = position.players[seat], position.cards
    left = 0 if position.is_over else ROUNDS - position.round
    late = 1 - left / ROUNDS  # what is not points loses its worth towards the end
    value = POINT * (0.4 + 0.6 * late) * points(cards, player).total
    value += (1.1 - late) * sum(amount * worth for amount, worth in zip(player.resources, WORTH))
    for card in own_structures(cards, player):
        value += 0.8 * left * sum(amount * worth for amount, worth in zip(card.income, WORTH))
    for place, source in working(cards, player):
        value += (ADVISOR if place == ADVISOR_PLACE else WORKING) * left * len(source.effects)
    hand = len(player.hand)
    for task in position.stack:
        if task.player == seat:
            if isinstance(task, Drawing):
                hand += task.n
            elif isinstance(task, Drop):
                hand -= task.n
            elif isinstance(task, Hire):
                former = cards.advisor[player.advisor].effects if player.advisor else ()
                value += ADVISOR * left * (len(cards.advisor[task.advisor].effects) - len(former))
    value += (1.1 - late) * CARD * _hand_worth(hand)
    value += ACTION * player.available * (0.3 + 0.7 * (not position.is_over))
    if player.loyalty < 3:
        value -= (3 - player.loyalty) * POINT  # close to an end that a rival can bring about
    return value


def _hand_worth(cards: int) -> float:
    """More than five are discarded in the end."""
    return min(cards, 6) + 0.3 * max(0, cards - 6)
