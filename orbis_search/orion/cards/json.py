"""A card set, and what is wrong with one, as plain data ready for JSON. docs/json.md describes each field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.errors import Problem
from ...base.json import check_document
from ..game.cards import CardSet
from .data import card_set_data

FORMAT, CHECK_FORMAT, VERSION = "orbis-orion-cards", "orbis-orion-cards-check", 1


def card_set_to_json(cards: CardSet) -> dict[str, Any]:
    """The set with every card, in the keys of its file."""
    return {"format": FORMAT, "version": VERSION, **card_set_data(cards)}


def card_set_check_to_json(problems: Sequence[Problem]) -> dict[str, Any]:
    return check_document(CHECK_FORMAT, problems, None if problems else {})
