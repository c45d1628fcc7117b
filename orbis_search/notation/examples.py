"""The positions that come with the package."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# As plain files: importlib.resources would take longer to import than a position takes to read.
_BUILT_IN = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "positions")
_SUFFIX = ".toml"


def example_names() -> list[str]:
    return sorted(name.removesuffix(_SUFFIX) for name in os.listdir(_BUILT_IN) if name.endswith(_SUFFIX))


def example_text(name: str = "middle") -> str:
    """A built-in position file; `middle` is the one shown when no position is given."""
    with open(os.path.join(_BUILT_IN, name + _SUFFIX), encoding="utf-8") as file:
        return file.read()


def example_document(name: str = "middle") -> dict[str, Any]:
    """The tables of that file."""
    try:
        from ..tileset.built_in import POSITIONS  # made by the build: much quicker than reading the file
    except ImportError:
        import tomllib

        return tomllib.loads(example_text(name))
    return POSITIONS[name]
