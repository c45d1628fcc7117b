"""A Check as text for people: a line of good news, or a line for each problem."""

from __future__ import annotations

from ...base.language import _, ngettext
from ..game.position import Position
from ..game.vocabulary import ROUNDS
from .data import Check


def check_text(check: Check) -> str:
    if check.position is None or check.problems:
        return "".join(f"{problem}\n" for problem in check.problems)
    return f"{_good_news(check.position)}\n"


def _good_news(position: Position) -> str:
    players = ngettext("{n} player", "{n} players", len(position.players))
    if position.is_over:
        return _("fine; {players}, the game is over", players=players)
    seat, rounds = position.to_move, {"round": position.round, "rounds": ROUNDS}
    if seat is None:
        return _("fine; {players}, round {round} of {rounds}, a card is to be drawn", players=players, **rounds)
    name = position.players[seat].name or _("player {number}", number=seat + 1)
    return _("fine; {players}, round {round} of {rounds}, {player} to move", players=players, player=name, **rounds)
