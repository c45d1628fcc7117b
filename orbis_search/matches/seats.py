"""Who sits at a table: people and engine players, and how a text names them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..base.errors import InputError
from ..base.language import _
from ..base.options import number_of
from ..base.quoting import nearest, shown

PERSON = "me"


class Seat(NamedTuple):
    """Somebody at the table: a person, or an engine player by its specification."""

    name: str
    player: str = ""

    @property
    def is_person(self) -> bool:
        return not self.player

    def __str__(self) -> str:
        return self.player or PERSON


def level_named(text: str, names: Sequence[str], place: str) -> str:
    """The name of a level, given its name or its number from 1."""
    word = text.strip().lower()
    if word in names:
        return word
    number = number_of(word)
    if isinstance(number, int) and 1 <= number <= len(names):
        return names[number - 1]
    message = _(
        "expected a level from 1 to {most} or its name, found {found}", most=len(names), found=shown(text or None)
    )
    raise InputError.one(place, message + nearest(word, names))


def seat_named(
    text: str,
    levels: Sequence[str],
    kinds: Sequence[str],
    player: Callable[[str, str], tuple[str, str]],
    place: str = "player",
) -> Seat:
    """`me`, a level by name or number, another player, `NAME=` and one of these, or just a person's name.

    `player` reads the specification of an engine player: its kind, and the specification written out.
    """
    name, equals, who = text.partition("=")
    # A setting has the same sign, as in full:time=2s
    if not equals or ":" in name or name.startswith("@"):
        name, who = "", text
    name, who = name.strip(), who.strip()
    if equals and not name and who != text:
        raise InputError.one(place, _("expected a name before the =, found {found}", found=shown(text)))
    if who.lower() == PERSON:
        return Seat(name or who)
    kind = who.partition(":")[0]
    if kind == "cmd":
        # A record is made to be passed on: it must not name programs to run.
        raise InputError.one(place, _("expected a built-in player, found a program; orbis arena plays with those"))
    if who.isdecimal() or who.lower() in levels:
        kind = who = level_named(who, levels, place)
    if kind in kinds or who.startswith("@") or ":" in who:
        kind, written = player(who, place)
        # Without the settings: a name with a colon would not be plain in the record.
        return Seat(name or kind, written)
    if name or not who or nearest(who, (*levels, PERSON)):
        hint = nearest(who, (*levels, PERSON))
        message = _(
            "expected me, a level ({levels}) or a player of the arena, found {found}",
            levels=", ".join(levels),
            found=shown(who),
        )
        raise InputError.one(place, message + hint)
    return Seat(who)


def with_distinct_names(seats: Sequence[Seat]) -> list[Seat]:
    """The same seats, with a number after each name that is already there."""
    found: list[Seat] = []
    for seat in seats:
        name, number = seat.name, 2
        while name.casefold() in (other.name.casefold() for other in found):
            name, number = f"{seat.name} {number}", number + 1
        found.append(seat._replace(name=name))
    return found
