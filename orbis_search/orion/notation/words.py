"""Names that people write for cards, advisors and races: ids, or names in any language."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ...base.quoting import fold
from ..game.cards import Advisor, CardSet, Race, Structure


def _plain(text: str) -> str:
    return " ".join(fold(text).replace("-", " ").replace("_", " ").split())


@lru_cache(maxsize=64)
def _names(things: tuple[Structure | Advisor | Race, ...]) -> dict[str, str]:
    """Every name, plain, and the id it stands for; one that stands for two things stands for none."""
    found: dict[str, str] = {}
    for thing in things:
        for name in (thing.id, *(name for _, name in thing.names)):
            plain = _plain(name)
            found[plain] = thing.id if found.get(plain, thing.id) == thing.id else ""
    return found


def id_of(text: str, *kinds: tuple[Structure | Advisor | Race, ...]) -> str | None:
    """The id of what a text names.

    >>> from orbis_search.orion.cards.library import load_card_set
    >>> id_of("Звёздная крепость", load_card_set().structures)
    'star-fortress'
    """
    plain = _plain(text)
    return next((found for things in kinds if (found := _names(things).get(plain))), None)


def first_id(words: list[str], cards: CardSet) -> tuple[str | None, list[str]]:
    """The card, advisor or race that the first words name, as many of them as can be, and the words behind."""
    for length in range(len(words), 0, -1):
        found = id_of(" ".join(words[:length]), cards.structures, cards.advisors, cards.races)
        if found is not None:
            return found, words[length:]
    return None, words


def known_ids(*kinds: Iterable[Structure | Advisor | Race]) -> list[str]:
    return [thing.id for things in kinds for thing in things]
