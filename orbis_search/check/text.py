"""A Check as text for people: a line of good news, or a line for each problem."""

from __future__ import annotations

from ..base.language import _, ngettext
from ..base.quoting import listed
from ..game.vocabulary import TURNS
from .data import Check, expect_check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..game.position import Position


def check_text(check: Check) -> str:
    """What to tell people.

    >>> check_text(orbis.check_position(position))
    'fine; 2 players, turn 13 of 30, player 1 to move, piles 0 + 2 + 15\\n'
    """
    expect_check(check)
    if check.position is None or check.problems:
        return "".join(f"{problem}\n" for problem in check.problems)
    return f"{_good_news(check.position)}\n"


def _good_news(position: Position) -> str:
    count = len(position.players)
    players = ngettext("{n} player", "{n} players", count)
    piles = " + ".join(str(pile.left) for pile in position.piles)
    if position.to_move is None:
        news = _("fine; {players}, the game is over, piles {piles}", players=players, piles=piles)
    else:
        name = position.players[position.to_move].name or _("player {number}", number=position.to_move + 1)
        news = _(
            "fine; {players}, turn {turn} of {turns}, {player} to move, piles {piles}",
            players=players,
            turn=position.turns_played + 1,
            turns=TURNS * count,
            player=name,
            piles=piles,
        )
    unsure = [str(level) for level, pile in enumerate(position.piles, 1) if len(pile.tiles) > pile.left]
    if unsure:
        news += " " + _("(what lies in level {levels} is not certain)", levels=listed(unsure))
    return news
