"""A card set as a TOML file: checked, read, written, and a template to fill in beside the box."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...base.errors import InputError
from ...base.language import N_, _, ngettext
from ...base.quoting import UNFILLED, shown
from ...base.toml import NotToml, toml_tables
from ..game.cards import FULL_SYSTEMS, RESHUFFLES, STATUSES, Advisor, CardSet, Options, Race, Structure
from ..game.vocabulary import ADVISORS_OUT, HUMANS, Colour
from .data import amounts, card_set_data, toml_value
from .reading import CardReading

FILE_KEYS = ("set", "structure", "advisor", "race")
SET_KEYS = ("name", "status", "expect", "options")
BOX = {"blue": 26, "red": 22, "yellow": 22, "grey": 20, "advisors": 8}  # how many cards there are (section 2)
MOST_NAMES = 64
MOST_CARDS = 120

# --- reading


def parse_card_set(text: str, name: str, place: str = "") -> CardSet:
    """Read a card set's text. `name` is what positions call it, `place` what messages call it.

    Raises InputError with every problem of the file.
    """
    try:
        data = toml_tables(text)
    except NotToml as error:
        message = _("expected a card set in TOML, found a syntax error: {error}", error=error)
        raise InputError.one(place, message) from None
    reading = CardReading()
    card_set = _card_set(data, name, reading)
    reading.raise_if_any(place)
    return card_set


def _card_set(data: dict[str, Any], name: str, reading: CardReading) -> CardSet:
    top = reading.table(data, "", FILE_KEYS)
    if "set" not in top:
        reading.report("", _("expected a value for {key}, found none", key="set"))
    head = reading.table(top.get("set", {}), "set", SET_KEYS)
    status = reading.one_of(head.get("status"), "set, status", STATUSES, STATUSES[0])
    options = reading.table(head.get("options", {}), "set, options", ("reshuffle", "full_systems"))
    reshuffle = reading.one_of(options.get("reshuffle", RESHUFFLES[0]), "set, options, reshuffle", RESHUFFLES, "")
    full = reading.one_of(options.get("full_systems", FULL_SYSTEMS[0]), "set, options, full_systems", FULL_SYSTEMS, "")
    entries = {}
    for key in FILE_KEYS[1:]:
        entries[key] = top.get(key, [])
        if not isinstance(entries[key], list) or not entries[key]:
            reading.expected(key, _("a [[{key}]] table for each", key=key), top.get(key))
            entries[key] = []
    structures = tuple(reading.structure(each, n) for n, each in enumerate(entries["structure"], start=1))
    advisors = tuple(reading.advisor(each, n) for n, each in enumerate(entries["advisor"], start=1))
    races = tuple(reading.race(each, n) for n, each in enumerate(entries["race"], start=1))
    expect = reading.table(head.get("expect", BOX), "set, expect", tuple(BOX))
    wanted = {key: reading.whole(expect, key, "set, expect", 0, MOST_CARDS, BOX[key]) for key in BOX}
    if all(isinstance(each, list) and each for each in entries.values()):
        _check_counts(structures, advisors, wanted, reading)
    _check_ids(structures, advisors, races, reading)
    return CardSet(name, status, structures, advisors, races, Options(reshuffle, full))


def _check_counts(
    structures: tuple[Structure, ...], advisors: tuple[Advisor, ...], wanted: dict[str, int], reading: CardReading
) -> None:
    found: Counter[str] = Counter()
    for card in structures:
        found[card.colour.word] += card.copies
    found["advisors"] = len(advisors)
    for key, number in wanted.items():
        if found[key] != number:
            message = ngettext(
                "expected {n} card, found {found}", "expected {n} cards, found {found}", number, found=found[key]
            )
            reading.report(f"set, expect, {key}", message)
    if len(advisors) < ADVISORS_OUT:
        reading.expected("advisor", _("at least {least} advisors", least=ADVISORS_OUT), len(advisors))
    if len(structures) > MOST_NAMES or sum(found[colour.word] for colour in Colour) > MOST_CARDS:
        what = _("at most {names} structures and {cards} cards", names=MOST_NAMES, cards=MOST_CARDS)
        reading.expected("structure", what, len(structures))


def _check_ids(
    structures: tuple[Structure, ...], advisors: tuple[Advisor, ...], races: tuple[Race, ...], reading: CardReading
) -> None:
    first: dict[str, str] = {}
    for key, cards in (("structure", structures), ("advisor", advisors), ("race", races)):
        for number, card in enumerate(cards, start=1):
            place = f"{key} {number} ({card.id})"
            if card.id and card.id in first:
                message = _(
                    "expected an id of its own, found {found} as on {place}", found=shown(card.id), place=first[card.id]
                )
                reading.report(f"{place}, id", message)
            first.setdefault(card.id, place)
    if races and HUMANS not in [race.id for race in races]:
        reading.report("race", _("expected a race with the id {id}, found none", id=HUMANS))


# --- writing


def dump_card_set(cards: CardSet) -> str:
    """The set as a TOML text that `parse_card_set` reads back to an equal one."""
    data = card_set_data(cards)
    lines = ["[set]", *_lines(data.pop("set"))]
    for kind, tables in data.items():
        for table in tables:
            effects = table.pop("effect", [])
            lines += ["", f"[[{kind}]]", *_lines(table)]
            for effect in effects:
                lines += [f"[[{kind}.effect]]", *_lines(effect)]
    return "\n".join(lines) + "\n"


def _lines(table: dict[str, Any]) -> list[str]:
    return [f"{key} = {toml_value(value)}" for key, value in table.items()]


_TEMPLATE_HEAD = N_("""\
# A card set for Master of Orion, to be filled in from the box.
#
# What the rulebook tells of the cards is there already; replace every "?" and fill in vp.
#   id      small letters, digits and "-"; yours to change
#   colour  blue, red, yellow or grey
#   cost    what it costs to build, such as {{ food = 4, production = 1 }}
#   income  the resources on its upper edge, such as {{ food = 1 }}; {{}} if there are none
#   vp      its victory points, or "?" as on the card, with an effect at the end of the game
#   build_loyalty = 6   if the loyalty sign is in front of its cost
# and for each effect a table [[structure.effect]]; docs/orion.md lists what can stand there.
# At any time, `orbis orion cards check FILE` says what is missing or wrong.
""")


def template_text(cards: CardSet) -> str:
    """A starting file: what is known of the cards of this set, the rest to be filled in."""
    head = _(_TEMPLATE_HEAD).format()  # its braces are doubled, as in every message
    parts = [head, "[set]", 'name = "my-box"', 'status = "transcribed"', f"expect = {toml_value(BOX)}"]
    for kind, data in (("structure", cards.structures), ("advisor", cards.advisors), ("race", cards.races)):
        for card in data:
            parts += ["", f"[[{kind}]]", *_lines(_template_card(card))]
            if isinstance(card, Structure):
                parts.append("# vp =")
    return "\n".join(parts) + "\n"


def _template_card(card: Structure | Advisor | Race) -> dict[str, Any]:
    known = dict(card.known)
    table: dict[str, Any] = {"id": card.id, "name": dict(card.names) if "name" in known else {"en": UNFILLED}}
    if isinstance(card, Structure):
        table |= {"colour": card.colour.word, "copies": card.copies}
        table["cost"] = amounts(card.cost) if "cost" in known else UNFILLED
        table["income"] = UNFILLED
    if isinstance(card, Race):
        table["start"] = UNFILLED
    return table
