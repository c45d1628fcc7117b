"""The compact form, for chats and command lines: one line that no shell takes apart.

    line    = "m1" ":" set ":" state ":" advisors ":" pile ":" deck { ":" player } { ":" extra }
    state   = round "." first "." to_move "." phase
    player  = race "/" resources "/" loyalty "/" vp "/" available "." reserve "/" advisor "/" marks "/" hand
              { "/" system }
    advisor = "-" | id [ "+" cubes ]               cubes are A, R or AR
    marks   = "-" | [ "p" ] [ attacks ]            p is propaganda, attacks a digit for each seat
    hand    = cards [ "=" known [ "=" old ] ]
    system  = cards [ "+" cubes ]                  the lowest card first, "advisor" before what an advisor founded
    cards   = "-" | ids with commas between        "_3" is three unknown ones; a deck of those is "_40"
    extra   = "names=" texts with commas | "hands=" cards | "pending=" text

Set, names and pending decisions, which are JSON, are texts as `base.line_text` has them.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

from ...base.json import NotJson, json_text, json_value
from ...base.language import _
from ...base.line_text import decoded_text, encoded_text
from ...base.options import counted
from ...base.reading import Reading
from ..game.cards import CardSet
from ..game.position import Position
from ..game.vocabulary import RESOURCE_LETTERS, RESOURCE_WORDS, UNKNOWN, Resources
from .document import NONE, Folder, document_of, read_document

HEAD = "m1"
_FIXED = 6
_STATE = ("round", "first", "to_move", "phase")
_EXTRAS = ("names", "hands", "pending")
_PARTS = 8  # of a player, without systems


# Writing.


def write_oneline(position: Position) -> str:
    """The position as one line, without a line break, that reads back as an equal position."""
    data = document_of(position)
    fields = [
        HEAD,
        encoded_text(data["cards"]),
        ".".join(str(data[key]) for key in _STATE),
        _cards(data["advisors"]),
        _cards(data["pile"]),
        _cards(data["deck"]),
        *(_player(player) for player in data["player"]),
    ]
    if any("name" in player for player in data["player"]):
        fields.append("names=" + ",".join(encoded_text(player.get("name", "")) for player in data["player"]))
    if "in_hands" in data:
        fields.append("hands=" + _cards(data["in_hands"]))
    if "pending" in data:
        fields.append("pending=" + encoded_text(json_text(data["pending"])))
    return ":".join(fields)


def _cards(cards: list[str] | int) -> str:
    if isinstance(cards, int):
        return f"_{cards}" if cards else "-"
    parts = []
    for card, group in groupby(cards):
        number = len(list(group))
        parts += [f"_{number}"] if card == UNKNOWN else [card] * number
    return ",".join(parts) or "-"


def _player(data: dict[str, Any]) -> str:
    advisor = "-" if data["advisor"] == NONE else data["advisor"]
    cubes = data.get("advisor_cubes", "")
    marks = "p" * data.get("propaganda", False) + "".join(map(str, data.get("attacks", ())))
    hand = [_cards(data.get(key, [])) for key in ("hand", "known", "old")]
    while len(hand) > 1 and hand[-1] == "-":
        hand.pop()
    parts = [
        data["race"],
        str(Resources(*(data[word] for word in RESOURCE_WORDS))),
        str(data["loyalty"]),
        str(data["vp"]),
        f"{data['available']}.{data['reserve']}",
        f"{advisor}+{cubes}" if cubes else advisor,
        marks or "-",
        "=".join(hand),
        *(system.replace(", ", ",").replace(" | ", "+") for system in data["systems"]),
    ]
    return "/".join(parts)


# Reading.


def read_oneline(text: str, source: str, base_dir: Folder = None, cards: CardSet | str | None = None) -> Position:
    reading = Reading()
    # Chats wrap long lines; no part of the form holds a line break.
    fields = re.sub(r"\s*[\r\n]+\s*", "", text.strip()).split(":")
    if fields[0].lower() != HEAD:
        reading.expected("field 1", _("{version}, the version this program reads", version=HEAD), fields[0])
    elif len(fields) < _FIXED + 2:
        message = _(
            "expected at least {least} fields between colons, found {found}", least=_FIXED + 2, found=len(fields)
        )
        reading.report("", message)
    reading.raise_if_any(source)
    extras = [field for field in fields[_FIXED:] if re.match(rf"(?:{'|'.join(_EXTRAS)})=", field)]
    players = [field for field in fields[_FIXED:] if field not in extras]
    document: dict[str, Any] = {"cards": decoded_text(fields[1], "cards", reading)}
    state = fields[2].split(".")
    if len(state) != len(_STATE):
        reading.expected("field 3", ".".join(_STATE), fields[2])
    document |= {key: _as_number(value) for key, value in zip(_STATE, state)}
    document |= {key: _listed(field) for key, field in zip(("advisors", "pile"), fields[3:5])}
    deck = _listed(fields[5])
    document["deck"] = len(deck) if UNKNOWN in deck else deck
    document["player"] = [_player_table(field, number, reading) for number, field in enumerate(players, start=1)]
    for field in extras:
        _read_extra(field, document, reading)
    reading.raise_if_any(source)
    return read_document(document, source, base_dir, cards)


def _as_number(text: str) -> int | str:
    """As a file would have it: what is no number is complained about where it is read."""
    number = counted(text.removeprefix("-"))
    return text if number is None else -number if text.startswith("-") else number


def _listed(text: str) -> list[str]:
    found: list[str] = []
    for part in text.split(","):
        number = counted(part[1:]) if part[:1] == "_" else None
        if number is not None and number < 256:
            found += [UNKNOWN] * number
        elif part not in ("", "-"):
            found.append(part)
    return found


def _player_table(text: str, number: int, reading: Reading) -> dict[str, Any]:
    parts = text.split("/")
    place = f"player {number}"
    if len(parts) < _PARTS:
        message = _("expected at least {least} parts between slashes, found {found}", least=_PARTS, found=len(parts))
        reading.report(place, message)
        return {}
    race, resources, loyalty, vp, cubes, advisor, marks, hand, *systems = parts
    table: dict[str, Any] = {"race": race, "loyalty": _as_number(loyalty), "vp": _as_number(vp)}
    pattern = "".join(f"(?:([0-9]+){letter})?" for letter in RESOURCE_LETTERS)
    amounts = re.fullmatch(pattern, "" if resources == "-" else resources)
    if amounts is None:
        reading.expected(place, _("resources such as 3f2l1p or -"), resources)
    else:
        table |= {word: _as_number(amount or "0") for word, amount in zip(RESOURCE_WORDS, amounts.groups())}
    available, _dot, reserve = cubes.partition(".")
    table |= {"available": _as_number(available), "reserve": _as_number(reserve)}
    name, _plus, cells = advisor.partition("+")
    table |= {"advisor": NONE if name == "-" else name, "advisor_cubes": cells}
    if marks != "-":
        table["propaganda"] = marks.startswith("p")
        if attacks := marks.removeprefix("p"):
            table["attacks"] = [_as_number(digit) for digit in attacks]
    table |= {key: _listed(cards) for key, cards in zip(("hand", "known", "old"), hand.split("="))}
    table["systems"] = [system.replace("+", " | ").replace(",", ", ") for system in systems]
    return table


def _read_extra(text: str, document: dict[str, Any], reading: Reading) -> None:
    key, _equals, value = text.partition("=")
    if key == "hands":
        document["in_hands"] = _listed(value)
    elif key == "names":
        names = [decoded_text(name, "names", reading) for name in value.split(",")]
        if len(names) != len(document["player"]):
            message = _(
                "expected {count} names separated by commas, found {found}",
                count=len(document["player"]),
                found=len(names),
            )
            reading.report("names", message)
        for table, name in zip(document["player"], names):
            table |= {"name": name} if name else {}
    else:
        try:
            document["pending"] = json_value(decoded_text(value, "pending", reading))
        except NotJson as error:
            reading.expected("pending", _("pending decisions in JSON ({error})", error=error), value)
