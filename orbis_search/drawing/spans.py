"""Worshipers and costs as styled text: a letter for each, on a ground of its colour."""

from __future__ import annotations

from ..base.language import _, ngettext
from ..game.tiles import Tile
from ..game.vocabulary import REALM_LIMIT, Colour, Worshipers
from .canvas import GROUND, PLAIN, Span, first_that_fits
from .labels import letter


def worshiper_spans(worshipers: Worshipers, at_most: int = REALM_LIMIT, gap: str = " ") -> list[Span]:
    """One letter for each, colour by colour; numbers once there are more than `at_most`."""
    spans: list[Span] = []
    for colour, count in zip(Colour, worshipers):
        if count:
            if spans:
                spans.append((gap, PLAIN))
            many = worshipers.total > at_most
            text = f"{letter(colour)}{count}" if many else letter(colour) * count
            spans.append((text, GROUND[colour]))
    return spans


def cost_spans(tile: Tile, width: int) -> list[Span]:
    """The cost in words, squeezed where a tile asks for more than any real one."""
    coloured = worshiper_spans(tile.cost, at_most=6)
    if not tile.any_cost:
        return coloured or [(_("free"), PLAIN)]
    if not coloured:
        return [(ngettext("{n} any", "{n} any", tile.any_cost), PLAIN)]
    return first_that_fits(
        width,
        [*coloured, (" + " + ngettext("{n} any", "{n} any", tile.any_cost), PLAIN)],
        [*worshiper_spans(tile.cost, at_most=0, gap=""), (f"+{tile.any_cost}a", PLAIN)],
    )
