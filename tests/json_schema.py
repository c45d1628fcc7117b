"""The JSON Schema of every document, made from the tables of docs/json.md, and of what the engine is asked and answers, made
from those of docs/engine.md.

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
ENGINE = ROOT / "docs" / "engine.md"
SCHEMA = ROOT / "orbis_search" / "data" / "schema" / "orbis.schema.json"

SCALARS: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "value": {},  # of any type
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
        "title": "JSON of orbis-search",
        "description": "What every command writes with --json: it has a format. Fields may be added; see docs/json.md. Without "
        "one, what orbis engine answers, which has a field final, or a request to it; see docs/engine.md.",
        "type": "object",
        "if": {"required": ["format"]},
        "then": {
            "properties": {"format": {"enum": formats}},
            "required": ["version"],
            "allOf": [_when("format", name, {"$ref": f"#/$defs/{name}"}) for name in formats],
        },
        "else": {
            "if": {"required": ["final"]},
            "then": {"$ref": "#/$defs/engine-answer"},
            "else": {"$ref": "#/$defs/engine-request"},
        },
        "$defs": defined | engine_schema(),
    }


def _when(field: str, value: str, then: dict[str, Any]) -> dict[str, Any]:
    return {"if": {"properties": {field: {"const": value}}, "required": [field]}, "then": then}


def strict(schema: dict[str, Any]) -> dict[str, Any]:
    """The same, where no object has fields but its own: those a test does not know are slips."""
    closed = {
        name: each | {"additionalProperties": False}
        if each.get("type") == "object" and name != "engine-request"
        else each
        for name, each in schema["$defs"].items()
    }
    return schema | {"$defs": closed}


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


# ---- the engine ------------------------------------------------------------------------------------------


class EngineField(NamedTuple):
    type: str  # as the table has it
    note: str  # of a request its default, of an answer when it is there, of a result nothing
    meaning: str


EngineTable = dict[str, EngineField]
_ROW = r"(?m)^\|( `\w+`.*)\|$"
ERROR = "for an error"


class EngineTables(NamedTuple):
    """The tables of docs/engine.md. A request has the fields of all of them, of those on a position, and of its action."""

    request: EngineTable
    on_a_position: EngineTable
    answer: EngineTable
    actions: dict[str, EngineTable]
    results: dict[str, EngineTable]  # of the actions whose result is described here; of `review` an interim one
    alike: dict[str, str]  # of those with the result of another action, that action
    formats: dict[str, str]  # of the others
    without_position: set[str]

    def fields(self, action: str) -> EngineTable:
        common = self.request if action in self.without_position else self.request | self.on_a_position
        return common | self.actions[action]

    def results_of(self, action: str) -> list[str]:
        """The entries of the schema that a result may be."""
        same = self.alike.get(action, action)
        described = [f"engine-{same}-result"] if same in self.results else []
        return [*([self.formats[action]] if action in self.formats else []), *described]


def engine_tables() -> EngineTables:
    head, *parts = re.split(r"(?m)^### `(\w+)`$", ENGINE.read_text("utf-8").split("\n## The end")[0])
    chapters = dict(re.findall(r"(?ms)^## (\w+)$(.*?)(?=^## |\Z)", head))
    sections = dict(zip(parts[::2], parts[1::2]))
    results = {name: _table(text, 3) for name, text in sections.items() if _table(text, 3)}
    formats = {name: re.findall(r"json\.md#(orbis-[\w-]+)", text) for name, text in sections.items()}
    return EngineTables(
        _table(chapters["Requests"], 4),
        _table(chapters["Actions"], 4),
        _table(chapters["Answers"], 4),
        {name: _table(text, 4) for name, text in sections.items()},
        results,
        {
            name: found[1]
            for name, text in sections.items()
            if (found := re.search(r"result is\s+that\s+of `(\w+)`", text))
        },
        {name: found[0] for name, found in formats.items() if found},
        {name for name, text in sections.items() if "Takes no position" in text},
    )


def _table(text: str, columns: int) -> EngineTable:
    """The rows of the tables with so many columns."""
    fields: EngineTable = {}
    for row in re.findall(_ROW, text):
        names, kind, *rest = (cell.strip() for cell in row.split("|"))
        if len(rest) == columns - 2:
            note = rest[0] if columns == 4 else ""
            fields |= {name.strip(" `"): EngineField(kind, note, rest[-1]) for name in names.split(",")}
    return fields


def engine_schema() -> dict[str, Any]:
    """What is asked, action by action, and what is answered."""
    engine = engine_tables()
    defined = {"engine-id": _engine_type(engine.request["id"].type)}
    for action in engine.actions:
        defined[f"engine-{action}"] = _engine_request(action, engine.fields(action))
    for action, fields in engine.results.items():
        properties = {name: _engine_property(field) for name, field in fields.items()}
        title = f"engine {action} result"
        defined[_key(title)] = {"title": title, "type": "object", "properties": properties, "required": list(fields)}
    defined["engine-request"] = {
        "title": "engine request",
        "type": "object",
        "properties": {"action": {"enum": list(engine.actions)}},
        "required": ["id", "action"],
        "allOf": [_when("action", action, {"$ref": f"#/$defs/engine-{action}"}) for action in engine.actions],
    }
    problem = {name: engine.answer[name] for name in ("error", "field", "place")}
    defined["engine-problem"] = {
        "title": "engine problem",
        "type": "object",
        "properties": {name: _engine_property(field) for name, field in problem.items()},
        "required": list(problem),
    }
    defined["engine-answer"] = _engine_answer(engine)
    return defined


def _engine_request(action: str, fields: EngineTable) -> dict[str, Any]:
    """A field that the action does not know is an error."""
    properties = {name: _engine_property(field) for name, field in fields.items()} | {"action": {"const": action}}
    required = [name for name, field in fields.items() if field.note == "required"]
    title = f"engine {action}"
    closed = {"required": required, "additionalProperties": False}
    return {"title": title, "type": "object", "properties": properties, **closed}


def _engine_answer(engine: EngineTables) -> dict[str, Any]:
    """A result or an error; the result by its action, null where nothing was known."""
    of_error = [name for name, field in engine.answer.items() if field.note == ERROR]
    by_action = []
    for action, fields in engine.actions.items():
        described = [{"$ref": f"#/$defs/{name}"} for name in engine.results_of(action)]
        forms = [*described, *([{"type": "string"}] if "form" in fields else []), {"type": "null"}]
        by_action.append(_when("action", action, {"properties": {"result": {"anyOf": forms}}}))
    return {
        "title": "engine answer",
        "type": "object",
        "properties": {name: _engine_property(field) for name, field in engine.answer.items()},
        "required": [name for name, field in engine.answer.items() if field.note == "always"],
        "oneOf": [{"required": ["result"]}, {"required": of_error}],
        "allOf": [{"if": {"properties": {"id": {"type": "null"}}}, "then": {"required": ["line"]}}, *by_action],
    }


def _engine_property(field: EngineField) -> dict[str, Any]:
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", field.meaning).replace("`", "")
    described = {"description": words} if words else {}
    try:
        described["default"] = json.loads(field.note.strip("`"))
    except ValueError:
        pass  # it is required, or has no fixed one
    return described | _engine_type(field.type)


def _engine_type(kind: str) -> dict[str, Any]:
    if kind.startswith('`"'):
        words: list[str | None] = [*re.findall(r'`"(\w+)"`', kind)]
        return {"enum": [*words, None] if kind.endswith("or null") else words}
    if kind.endswith(" or null"):
        return _or_null(_engine_type(kind.removesuffix(" or null").rstrip(",")))
    if " or " in kind:
        return {"anyOf": [_engine_type(part) for part in kind.split(" or ")]}
    if found := re.fullmatch(r"(integer|number) from (\S+)(?: to (\S+))?", kind):
        most = {"maximum": json.loads(found[3])} if found[3] else {}
        return {"type": found[1], "minimum": json.loads(found[2])} | most
    if found := re.fullmatch(r"string of (\d+) to (\d+) characters", kind):
        return {"type": "string", "minLength": int(found[1]), "maxLength": int(found[2])}
    if found := re.fullmatch(r"list of (at most|1 to) (\d+) (move|text|pair|turn)s", kind):
        least = {"minItems": 1} if found[1] == "1 to" else {}
        return {"type": "array", "items": _engine_type(found[3]), **least, "maxItems": int(found[2])}
    return {
        "string": {"type": "string"},
        "object": {"type": "object"},
        "bool": {"type": "boolean"},
        "id": {"$ref": "#/$defs/engine-id"},
        "move": {"type": ["string", "object"]},
        "file": {"type": "string", "pattern": r"^[^\W_][\w .()+-]{0,80}\.orbis$"},
        "text": {"type": "string", "maxLength": 1000},
        "pair": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
        "turn": {
            "type": "object",
            "properties": {
                "number": {"type": "integer", "minimum": 1, "maximum": 1000},
                "said": {"type": "string"},
                "drawn": {"type": ["string", "null"]},
            },
            "required": ["number", "said", "drawn"],
            "additionalProperties": False,
        },
        "list of objects": {"type": "array", "items": {"type": "object"}},
        "list of integers": {"type": "array", "items": {"type": "integer"}},
        "list of ids": {"type": "array", "items": {"$ref": "#/$defs/engine-id"}},
        "list of strings": {"type": "array", "items": {"type": "string"}},
        "list of problems": {"type": "array", "items": {"$ref": "#/$defs/engine-problem"}, "minItems": 1},
    }[kind]


def main() -> None:
    SCHEMA.write_text(json.dumps(made_schema(), indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
