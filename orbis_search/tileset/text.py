"""A checked tile set, as text for people."""

from __future__ import annotations

from collections import Counter
from textwrap import fill
from typing import TYPE_CHECKING

from ..base.errors import place_words
from ..base.language import _, ngettext
from ..game.vocabulary import Colour, Effect
from .files import tile_set_warnings

if TYPE_CHECKING:
    from ..game.tiles import TileSet


def tile_set_check_text(tile_set: TileSet, place: str = "") -> str:
    """The text for a set without a problem: a note for each thing that looks like a slip, and what is in it. `place` is
    what to call the set, by default its name."""
    place = place_words(place or tile_set.name)
    lines = [_("{place}: note: {warning}", place=place, warning=warning) for warning in tile_set_warnings(tile_set)]
    lines.append(ngettext("{place}: fine; {n} tile", "{place}: fine; {n} tiles", len(tile_set.tiles), place=place))
    return "\n".join([*lines, *_summary(tile_set)]) + "\n"


def _summary(tile_set: TileSet) -> list[str]:
    """How colours and effects are distributed, which no rule fixes: worth a look if you typed them in."""
    colours = Counter(tile.colour for tile in tile_set.tiles)
    effects = Counter(tile.effect for tile in tile_set.tiles)
    by_colour = ", ".join(_counted(colours[colour], colour.label) for colour in Colour if colours[colour])
    by_effect = ", ".join(_counted(effects[effect], effect.label) for effect in Effect if effects[effect])
    return [fill(text, 79, initial_indent="  ", subsequent_indent="    ") for text in (by_colour, by_effect)]


def _counted(number: int, what: str) -> str:
    """A number and the name of what there are so many of, in the singular."""
    return _("{number} {what}", number=number, what=what)
