"""The position that comes with the package."""

from __future__ import annotations

import os

_BUILT_IN = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "data", "orion-positions")


def example_text() -> str:
    """A built-in position file, shown when no position is given."""
    with open(os.path.join(_BUILT_IN, "middle.toml"), encoding="utf-8") as file:
        return file.read()
