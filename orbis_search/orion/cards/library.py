"""Card sets by name: built-in ones, random ones, files."""

from __future__ import annotations

import os
from functools import cache, lru_cache

from ...base.carried_files import carried
from ...base.errors import InputError, reason
from ...base.language import _
from ...base.options import MAX_DIGITS, counted
from ...base.quoting import nearest, place_of, shown
from ..game.cards import DEFAULT_CARD_SET, RANDOM_PREFIX, CardSet
from .files import parse_card_set
from .generator import random_card_set

MAX_FILE_CHARACTERS = 1 << 18  # a card set has some 30,000; refuse what cannot be one

_BUILT_IN = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "data", "orion")
_SUFFIX = ".toml"


def built_in_card_sets() -> list[str]:
    return sorted(name.removesuffix(_SUFFIX) for name in os.listdir(_BUILT_IN) if name.endswith(_SUFFIX))


@cache
def _built_in_card_set(name: str) -> CardSet:
    with open(os.path.join(_BUILT_IN, name + _SUFFIX), encoding="utf-8") as file:
        return parse_card_set(file.read(), name, name + _SUFFIX)


@lru_cache(maxsize=64)
def _random_card_set(seed: int) -> CardSet:
    return random_card_set(seed)


def load_card_set(spec: str = DEFAULT_CARD_SET, base_dir: str | os.PathLike[str] | None = None) -> CardSet:
    """A card set by what a position file calls it: a built-in name, `random:SEED`, or a file.

    A relative path starts at `base_dir`, or at the current directory if that is None.

        >>> len(load_card_set().deck), load_card_set("random:7").name
        (90, 'random:7')
    """
    if spec.startswith(RANDOM_PREFIX):
        seed = counted(spec.removeprefix(RANDOM_PREFIX))
        if seed is None:
            what = _("a seed of up to {most} digits after {prefix}", most=MAX_DIGITS, prefix=RANDOM_PREFIX)
            raise InputError.one("cards", _("expected {what}, found {found}", what=what, found=shown(spec)))
        return _random_card_set(seed)
    if spec in built_in_card_sets():
        return _built_in_card_set(spec)
    return parse_card_set(_file_text(os.path.join(base_dir or "", spec), spec), spec, place_of(spec))


def card_set_file(spec: str) -> dict[str, bytes]:
    """The file by its name, for a job to carry; nothing for sets that are everywhere."""
    if spec.startswith(RANDOM_PREFIX) or spec in built_in_card_sets():
        return {}
    return {spec: _file_text(spec, spec).encode("utf-8")}


def _file_text(path: str, spec: str) -> str:
    if (data := carried(path)) is not None:
        return data.decode("utf-8")
    built_in = built_in_card_sets()
    try:
        if "\0" in path or not os.path.isfile(path):
            what = _("a built-in card set ({built_in}), random:SEED or a file", built_in=", ".join(built_in))
            message = _("expected {what}, found {found}", what=what, found=shown(spec))
            raise InputError.one("cards", message + nearest(spec, built_in))
        with open(path, encoding="utf-8-sig") as file:
            text = file.read(MAX_FILE_CHARACTERS + 1)
    except UnicodeDecodeError:
        raise InputError.one(place_of(spec), _("expected a text file in UTF-8, found other bytes")) from None
    except OSError as error:
        message = _("expected a readable file, found {found}: {reason}", found=shown(spec), reason=reason(error))
        raise InputError.one("cards", message) from None
    if len(text) > MAX_FILE_CHARACTERS:
        message = _("expected at most {most} characters, found more", most=MAX_FILE_CHARACTERS)
        raise InputError.one(place_of(spec), message)
    return text
