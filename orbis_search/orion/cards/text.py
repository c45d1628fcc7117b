"""A checked card set, as text for people."""

from __future__ import annotations

from ...base.errors import place_words
from ...base.language import _, ngettext
from ..game.cards import CardSet
from .data import card_set_data


def card_set_check_text(cards: CardSet, place: str = "") -> str:
    """The text for a set without a problem: what is in it, and how much of it is known. `place` is what to call the
    set, by default its name."""
    place = place_words(place or cards.name)
    known, all_fields = known_fields(cards)
    structures = ngettext("{n} structure", "{n} structures", len(cards.structures))
    advisors = ngettext("{n} advisor", "{n} advisors", len(cards.advisors))
    races = ngettext("{n} race", "{n} races", len(cards.races))
    lines = [
        _(
            "{place}: fine; {structures} on {cards} cards, {advisors}, {races}",
            place=place,
            structures=structures,
            cards=len(cards.deck),
            advisors=advisors,
            races=races,
        )
    ]
    if cards.status in ("reconstructed", "mixed"):
        lines.append("  " + _("known: {known} of {all} fields, the rest is invented", known=known, all=all_fields))
    return "\n".join(lines) + "\n"


def known_fields(cards: CardSet) -> tuple[int, int]:
    """How many fields have a source, and how many there are, ids left out."""
    data = card_set_data(cards)
    tables = [table for kind in ("structure", "advisor", "race") for table in data[kind]]
    fields = [(table, key) for table in tables for key in table if key not in ("id", "known")]
    return sum(key in table.get("known", {}) for table, key in fields), len(fields)
