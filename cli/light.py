"""Commands that start without click if what is typed is simple: importing click takes longer than they do.

Whatever is not simple (an option with a value, a settings file, a mistake) goes the usual way, through click.
"""

from __future__ import annotations

import gc

from ..base.errors import InputError, place_words
from ..base.language import _, ngettext
from .files import load_position, position_name, write, write_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..game.position import Position

FINE, BAD_INPUT = 0, 2


def run_simple(arguments: list[str]) -> int | None:
    """The exit code of `check [POSITION] [--json]`; None if that is not what is asked, and nothing was done."""
    from .settings import settings_path

    command, *rest = arguments
    words = [word for word in rest if word != "--json"]
    simple = command == "check" and len(words) <= 1 and not any(len(word) > 1 and word[0] == "-" for word in words)
    if not simple or settings_path() is not None:
        return None
    collecting = gc.isenabled()
    gc.disable()  # it would look at what is imported, again and again, and find nothing to throw away
    try:
        return check(words[0] if words else None, None, len(rest) > len(words))
    finally:
        if collecting:
            gc.enable()


def check(position: str | None, tiles: str | None, as_json: bool) -> int:
    """What `orbis check` does; the exit code."""
    try:
        loaded = load_position(position, tiles)
    except InputError as error:
        if not as_json:
            raise
        from ..notation.answers import problems_to_json

        write_json(problems_to_json(error.problems))
        return BAD_INPUT
    if as_json:
        from ..notation.answers import check_to_json

        write_json(check_to_json(loaded))
    else:
        write(f"{place_words(position_name(position))}: {_good_news(loaded)}\n")
    return FINE


def _good_news(position: Position) -> str:
    from ..base.quoting import listed
    from ..game.vocabulary import TURNS

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
        news += " " + _("(what lies in level {levels} is not sure)", levels=listed(unsure))
    return news
