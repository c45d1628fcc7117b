"""The JSON Schema of every document, made from the tables of docs/json.md.

    python tests/json_schema.py    writes orbis_search/data/schema/orbis.schema.json anew

The tables are what to edit. Tests hold them, and the schema with them, against what the program writes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "json.md"
SCHEMA = ROOT / "orbis_search" / "data" / "schema" / "orbis.schema.json"

SCALARS: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "fraction": {"type": "string", "pattern": "^-?[0-9]+(/[1-9][0-9]*)?$"},
}


class Field(NamedTuple):
    type: str  # as the table has it
    meaning: str
    when: str  # it is there; "" for always


Tables = dict[str, dict[str, Field]]


def tables() -> Tables:
    """Every object of the document by the heading above its table: field by field."""
    found: Tables = {}
    for part in re.split(r"(?m)^##+ ", DOCUMENT.read_text("utf-8"))[1:]:
        fields: dict[str, Field] = {}
        for row in re.findall(r"(?m)^\|( `.*)\|$", part):
            names, types, meaning, when = (cell.strip() for cell in row.split("|"))
            each = [name.strip(" `") for name in names.split(",")]
            kinds = re.split(r", (?!or null)", types)
            kinds = kinds * len(each) if len(kinds) == 1 else kinds
            assert len(kinds) == len(each), f"{names}: expected one type, or one for each, found {types}"
            for name, kind in zip(each, kinds):
                assert name not in fields, f"{name} is there twice"
                fields[name] = Field(kind, meaning, when)
        if fields:
            found[part.split("\n", 1)[0]] = fields
    return found


def made_schema() -> dict[str, Any]:
    """An entry for each object; the whole is that of the document's format."""
    defined = {_key(name): _object(name, fields) for name, fields in tables().items()}
    formats = [key for key in defined if key.startswith("orbis-")]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "JSON documents of orbis-search",
        "description": "What every command writes with --json. Fields may be added; see docs/json.md.",
        "type": "object",
        "properties": {"format": {"enum": formats}},
        "required": ["format", "version"],
        "allOf": [
            {
                "if": {"properties": {"format": {"const": name}}, "required": ["format"]},
                "then": {"$ref": f"#/$defs/{name}"},
            }
            for name in formats
        ],
        "$defs": defined,
    }


def _key(name: str) -> str:
    return name.replace(" ", "-")


def _object(name: str, fields: dict[str, Field]) -> dict[str, Any]:
    properties = {each: _property(field) for each, field in fields.items()}
    if "format" in fields:
        stated = re.fullmatch(r"`(orbis-[\w-]+)`, (\d+)", fields["format"].meaning)
        assert stated is not None and stated[1] == name, name
        properties |= {"format": {"const": name}, "version": {"const": int(stated[2])}}
    required = [each for each, field in fields.items() if not field.when]
    return {"title": name, "type": "object", "properties": properties, "required": required}


def _property(field: Field) -> dict[str, Any]:
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", field.meaning).replace("`", "")
    only = f"(only: {field.when.replace('`', '')})" if field.when else ""
    described = f"{words} {only}".strip()
    return ({"description": described} if described else {}) | _type(field.type)


def _type(kind: str) -> dict[str, Any]:
    if kind.endswith(", or null"):  # the whole of it, where ` or null` is of its last word
        return _or_null(_type(kind.removesuffix(", or null")))
    if kind.startswith("list of "):
        return {"type": "array", "items": _type(kind.removeprefix("list of "))}
    if kind.startswith("table of "):
        return {"type": "object", "additionalProperties": _type(kind.removeprefix("table of "))}
    if kind.endswith(" or null"):
        return _or_null(_type(kind.removesuffix(" or null")))
    if named := re.fullmatch(r"\*(.*)\*", kind):
        return {"$ref": f"#/$defs/{_key(named[1])}"}
    return dict(SCALARS[kind])


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def main() -> None:
    SCHEMA.write_text(json.dumps(made_schema(), indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
