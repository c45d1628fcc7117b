"""What all JSON documents share. docs/json.md describes every field."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .language import _
from .quoting import unsafe_character

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .errors import Problem


CHECK_VERSION = 1  # of the documents of all checks


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


class NotJson(Exception):
    """What is wrong with a text, as the end of a sentence."""


class NestedTooDeep(NotJson):
    pass


def json_value(text: str | bytes, object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """The value that a text says in JSON; NotJson if it is not JSON."""
    import json

    try:
        return json.loads(text, object_pairs_hook=object_pairs_hook)
    except RecursionError:
        raise NestedTooDeep(_("lists nested too deeply")) from None
    except ValueError as error:  # also an integer of thousands of digits, and bytes that are no text
        raise NotJson(str(error)) from None


def json_text(value: Any, indent: int | None = None) -> str:
    """The value in JSON, compact or laid out. What no screen or file can hold is escaped, as JSON allows for any
    character.

    >>> print(json_text({"name": "a\\x9b\\udcff"}))
    {"name":"a\\u009b\\udcff"}
    """
    import json

    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=(",", ":") if indent is None else None)
    if unsafe_character(text.replace("\n", "")) is None:
        return text
    return "".join(char if char == "\n" or unsafe_character(char) is None else json.dumps(char)[1:-1] for char in text)


def problems_to_json(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [{"place": problem.place, "message": problem.message} for problem in problems]


def check_document(kind: str, problems: Iterable[Problem], sound: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    """What a check found: every problem, or what is to be said of something that is `sound`."""
    return {
        "format": kind,
        "version": CHECK_VERSION,
        "ok": sound is not None,
        "problems": problems_to_json(problems),
        **more,
        **(sound or {}),
    }


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
