"""The form for programs. docs/json.md describes each field."""

from __future__ import annotations

from typing import Any

from ...base.errors import InputError
from ...base.json import NotJson, first_twice, json_text, json_value
from ...base.language import _
from ...base.quoting import shown
from ..game.cards import CardSet
from ..game.position import Position
from ..game.vocabulary import UNKNOWN
from .document import Folder, document_of, read_document

FORMAT, VERSION = "orbis-orion-position", 1


def position_to_json(position: Position) -> dict[str, Any]:
    """The tables of its file, where lists of cards are lists even if nothing is known of them."""
    document = {"format": FORMAT, "version": VERSION, **document_of(position)}
    document["deck"] = _as_list(document["deck"])
    for player in document["player"]:
        player |= {part: _as_list(player[part]) for part in ("hand", "old") if part in player}
    return document


def _as_list(cards: int | list[str]) -> list[str]:
    return [UNKNOWN] * cards if isinstance(cards, int) else cards


def write_json(position: Position) -> str:
    return json_text(position_to_json(position), indent=2)


def read_json(text: str, source: str, base_dir: Folder = None, cards: CardSet | str | None = None) -> Position:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        if (twice := first_twice(key for key, _ in items)) is not None:
            raise InputError.one(source, _("expected each key once, found {key} twice", key=shown(twice)))
        return dict(items)

    try:
        document = json_value(text, pairs)
    except NotJson as error:
        message = _("expected a position in JSON, found a syntax error: {error}", error=error)
        raise InputError.one(source, message) from None
    for key, expected in (("format", FORMAT), ("version", VERSION)):
        found = document.pop(key, expected)
        if found != expected or isinstance(found, bool):
            message = _("expected {what}, found {found}", what=expected, found=shown(found))
            raise InputError.one(f"{source}: {key}" if source else key, message)
    return read_document(document, source, base_dir, cards)
