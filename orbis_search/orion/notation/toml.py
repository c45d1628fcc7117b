"""The readable form: a TOML file that a person can write at the table."""

from __future__ import annotations

from ...base.errors import InputError
from ...base.language import _
from ...base.toml import NotToml, toml_string, toml_tables
from ..cards.data import toml_value
from ..game.cards import CardSet
from ..game.position import Position
from .document import Folder, document_of, read_document

_COMMENTS = {
    "cards": "the card set",
    "first": "who has the first player's token, counted from 1",
    "to_move": "whose action is next",
    "phase": "setup, start, actions, end or over",
    "advisors": "on the table",
    "pile": "discards, the top card last",
    "deck": "how many cards, or which, first drawn first",
    "in_hands": "what the unknown old cards of all hands are",
    "pending": "what is still to be decided, the next one last",
    "reserve": "cubes in the reserve; those on boards are the rest",
    "hand": "cards or their number; ? is a card nobody else has seen",
    "known": "in hand too: cards that everybody saw being taken",
    "old": "in hand too: cards held since the last reshuffle",
    "systems": "the lowest card first, then | and the cubes on the top card",
}
_LINE = 100


def read_toml(text: str, source: str, base_dir: Folder = None, cards: CardSet | str | None = None) -> Position:
    try:
        document = toml_tables(text)
    except NotToml as error:
        message = _("expected a position in TOML, found a syntax error: {error}", error=error)
        raise InputError.one(source, message) from None
    if "structure" in document:
        raise InputError.one(source, _("expected a position, found a card set"))
    return read_document(document, source, base_dir, cards)


def write_toml(position: Position) -> str:
    """The position as a file that reads back as an equal one. In English, whatever the language, so that files can be
    shared."""
    document = document_of(position)
    players = document.pop("player")
    told: set[str] = set()
    lines = ["# A position of Master of Orion."]
    for key, value in document.items():
        lines += _lines(key, value, told)
    for player in players:
        lines += ["", "[[player]]"]
        for key, value in player.items():
            lines += _lines(key, value, told)
    return "\n".join(lines) + "\n"


def _lines(key: str, value: object, told: set[str]) -> list[str]:
    """A key with its comment, the first time; long lists over several lines."""
    comment = "" if key in told or key not in _COMMENTS else f"  # {_COMMENTS[key]}"
    told.add(key)
    line = f"{key} = {toml_value(value)}"
    if len(line) <= _LINE or not isinstance(value, list):
        return [line + comment]
    lines, current = [f"{key} = [{comment}"], " "
    for item in value:
        text = toml_string(item) if isinstance(item, str) else toml_value(item)
        if len(current) + len(text) + 2 > _LINE and current.strip():
            lines.append(current)
            current = " "
        current += f" {text},"
    return [*lines, current, "]"]
