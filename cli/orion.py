"""What the commands of Master of Orion share: positions and card sets from anywhere."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ..base.errors import InputError
from ..base.language import _
from ..orion.notation import LETTER
from . import files
from .files import is_in_line, read_bytes, read_text
from .options import Whole, place_of
from .progress import SearchProgress

if TYPE_CHECKING:
    from ..orion.advice.data import Advice
    from ..orion.game.cards import CardSet
    from ..orion.game.position import Position

cards_option = click.option(
    "--cards",
    metavar="FILE",
    help="Card set to use instead of the one the position names: a file, a built-in name, or random:SEED.",
)
view_option = click.option(
    "--seen-by", "observer", type=Whole(1, 4), metavar="N", help="Leave out what player N cannot see."
)


def position_name(argument: str | None) -> str:
    """What messages call the position."""
    return files.position_name(argument, LETTER)


def load_position(argument: str | None, cards: str | None = None, observer: int | None = None) -> Position:
    """A file, `-`, a one-line position, or (None) the built-in example, as one player sees it if that is asked for.

    Raises InputError with every problem, each with its place.
    """
    from ..orion.game.knowledge import seen_by
    from ..orion.notation import read_position
    from ..orion.notation.examples import example_text

    if cards == argument == "-":
        raise InputError.one(place_of("-"), _("expected a position or a card set, found a request for both"))
    chosen = load_cards(cards) if cards is not None else None
    if argument is None:
        text: str | bytes = example_text()
    else:
        text = argument if is_in_line(argument, LETTER) else read_bytes(argument, "position")
    is_file = argument not in (None, "-") and not is_in_line(argument or "", LETTER)
    folder = (os.path.dirname(argument or "") if is_file else "") or "."
    position = read_position(text, position_name(argument), folder, chosen)
    if observer is None:
        return position
    if observer > len(position.players):
        most = len(position.players)
        message = _(
            "expected {what}, found {found}",
            what=_("an integer from {low} to {high}", low=1, high=most),
            found=observer,
        )
        raise InputError.one("--seen-by", message)
    return seen_by(position, observer - 1)


def load_cards(argument: str) -> CardSet:
    """A file, `-`, a built-in name or random:SEED."""
    from ..orion.cards.files import parse_card_set
    from ..orion.cards.library import load_card_set

    if argument == "-":
        return parse_card_set(read_text("-", "card set"), "-", place_of("-"))
    return load_card_set(argument)


def example_hint(command: str) -> str:
    """The hint below an answer given without a position."""
    return _(
        "This is a built-in example. For yours, start from what\n"
        "orbis orion new -o game.toml writes, and run orbis orion {command} game.toml\n",
        command=command,
    )


def read_races(text: str, players: int, card_set: CardSet) -> tuple[str, ...]:
    """What --races says: a race for each player."""
    from ..base.quoting import nearest, shown
    from ..orion.notation.words import id_of, known_ids

    words = [word.strip() for word in text.split(",")]
    if len(words) != players:
        message = _("expected {count} races separated by commas, found {found}", count=players, found=len(words))
        raise InputError.one("--races", message)
    found = [id_of(word, card_set.races) for word in words]
    for word, race in zip(words, found):
        if race is None:
            message = _("expected a race, found {found}", found=shown(word))
            raise InputError.one("--races", message + nearest(word, known_ids(card_set.races)))
    return tuple(race or "" for race in found)


class SearchProgressOfOrion(SearchProgress["Advice"]):
    """While the advisor of Master of Orion thinks."""

    def __init__(self, seconds: float | None, sims: int | None) -> None:
        from ..orion.search.tree import DEFAULT_SECONDS

        super().__init__(self._words, DEFAULT_SECONDS if seconds is None and sims is None else seconds, sims)

    def _words(self, advice: Advice) -> tuple[str, str]:
        from ..orion.advice.text import chance
        from ..orion.notation.moves import format_move

        return format_move(advice.position, advice.best.move), chance(advice.best, advice.mover)
