"""What all JSON documents share. docs/json.md describes every field."""

from __future__ import annotations

from collections.abc import Iterable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .errors import Problem


def problems_to_json(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [{"place": problem.place, "message": problem.message} for problem in problems]


def text_to_json(kind: str, text: str) -> dict[str, Any]:
    """Of commands that have nothing to say but a text."""
    return {"format": "orbis-text", "version": 1, "kind": kind, "text": text}
