"""What all JSON documents share. docs/json.md describes every field."""

from __future__ import annotations

from collections.abc import Iterable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .errors import Problem


def first_twice(keys: Iterable[str]) -> str | None:
    """The first key that was there before, or None.

    >>> first_twice(["a", "b", "a", "b"])
    'a'
    """
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            return key
        seen.add(key)
    return None


def json_line(value: Any) -> bytes:
    """A value as a line of a file, in UTF-8 whatever is in it: the name of a file need not be text.

    >>> json_line({"name": "ä"}).decode(), json_line(["\udcff"])
    ('{"name":"ä"}', b'["\\\\udcff"]')
    """
    import json

    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")


def problems_to_json(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [{"place": problem.place, "message": problem.message} for problem in problems]


def text_to_json(kind: str, text: str) -> dict[str, Any]:
    """For commands whose whole answer is a text."""
    return {"format": "orbis-text", "version": 1, "kind": kind, "text": text}


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of every document that commands write, and of the engine's requests and answers:
    an entry of `$defs` for each format, `engine-request` and `engine-answer`.

    >>> json_schema()["$defs"]["orbis-check"]["properties"]["format"]
    {'const': 'orbis-check'}
    """
    import json
    import os

    path = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "schema", "orbis.schema.json")
    with open(path, encoding="utf-8") as file:
        schema: dict[str, Any] = json.load(file)
    return schema
