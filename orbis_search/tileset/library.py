"""Tile sets by name: built-in ones, random ones, files."""

from __future__ import annotations

import os
import re
from functools import cache, lru_cache

from ..base.errors import InputError, reason
from ..base.language import _
from ..base.quoting import nearest, shown
from ..game.kinds import expect_kind, expect_path
from ..game.tiles import DEFAULT_TILE_SET, RANDOM_PREFIX, TileSet

MAX_FILE_CHARACTERS = 1_000_000  # a tile set has some 10,000; refuse what cannot be one

_BUILT_IN = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "tiles")
_SUFFIX = ".toml"
_home: str | None = None  # the only folder with tile sets that may be read; None: any


def stay_in(folder: str | None) -> None:
    """From now on no tile set outside this folder is read, in any thread, whatever a position says. For servers."""
    global _home
    _home = None if folder is None else os.path.realpath(folder)


def _is_allowed(path: str) -> bool:
    if _home is None:
        return True
    try:
        return os.path.commonpath([_home, os.path.realpath(path)]) == _home
    except ValueError:  # a null in the name, or another drive
        return False


def built_in_tile_sets() -> list[str]:
    return sorted(name.removesuffix(_SUFFIX) for name in os.listdir(_BUILT_IN) if name.endswith(_SUFFIX))


@cache
def _built_in_tile_set(name: str) -> TileSet:
    try:
        from .built_in import TILE_SETS  # made by the build: much quicker than reading the file
    except ImportError:
        return read_built_in(name)
    return TILE_SETS[name]


def read_built_in(name: str) -> TileSet:
    """A built-in set from its file."""
    from .files import parse_tile_set

    with open(os.path.join(_BUILT_IN, name + _SUFFIX), encoding="utf-8") as file:
        return parse_tile_set(file.read(), name, name + _SUFFIX)


@lru_cache(maxsize=64)
def _random_tile_set(seed: int) -> TileSet:
    from .generator import random_tile_set

    return random_tile_set(seed)


def load_tile_set(spec: str = DEFAULT_TILE_SET, base_dir: str | os.PathLike[str] | None = None) -> TileSet:
    """A tile set by what a position file calls it: a built-in name, `random:SEED`, or a file.

    A relative path starts at `base_dir`, or at the current directory if that is None. Sets that cannot change are read
    once.

        >>> len(load_tile_set().tiles), load_tile_set("random:7").name
        (65, 'random:7')
    """
    expect_kind(spec, str, "tiles")
    if base_dir is not None:
        expect_path(base_dir, "base_dir")
    if spec.startswith(RANDOM_PREFIX):
        seed = spec.removeprefix(RANDOM_PREFIX)
        if not re.fullmatch(r"[0-9]{1,18}", seed):
            message = _(
                "expected a seed of up to 18 digits after {prefix}, found {found}",
                prefix=RANDOM_PREFIX,
                found=shown(seed),
            )
            raise InputError.one("tiles", message)
        return _random_tile_set(int(seed))
    if spec in built_in_tile_sets():
        return _built_in_tile_set(spec)
    path = os.path.join(base_dir or "", spec)
    text = _carried_text(path)
    if text is None:
        text = _read_text(path, spec)
    from .files import parse_tile_set

    return parse_tile_set(text, spec, spec)


def _carried_text(path: str) -> str | None:
    from ..base.carried_files import carried

    data = carried(path)
    return None if data is None else data.decode("utf-8-sig")


def tile_set_file(spec: str) -> dict[str, bytes]:
    """The file by its name, for a job to carry; nothing for sets that are everywhere."""
    if spec.startswith(RANDOM_PREFIX) or spec in built_in_tile_sets():
        return {}
    return {spec: _read_text(spec, spec).encode("utf-8")}


def _read_text(path: str, spec: str) -> str:
    try:
        if not _is_allowed(path) or not os.path.isfile(path):
            built_in = built_in_tile_sets()
            raise InputError.one(
                "tiles",
                _(
                    "expected a built-in tile set ({built_in}), random:SEED or a file, found {found}",
                    built_in=", ".join(built_in),
                    found=shown(spec),
                )
                + nearest(spec, built_in),
            )
        with open(path, encoding="utf-8-sig") as file:
            text = file.read(MAX_FILE_CHARACTERS + 1)
    except UnicodeDecodeError:
        raise InputError.one(spec, _("expected a text file in UTF-8, found other bytes")) from None
    except OSError as error:
        message = _("expected a readable file, found {found}: {reason}", found=shown(spec), reason=reason(error))
        raise InputError.one("tiles", message) from None
    if len(text) > MAX_FILE_CHARACTERS:
        raise InputError.one(spec, _("expected at most {most} characters, found more", most=MAX_FILE_CHARACTERS))
    return text
