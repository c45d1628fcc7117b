"""Collects the messages of the program and brings the catalogs up to date with them.

    python tests/catalogs/regenerate.py            update orbis.pot and the three .po files; say what is left to
    translate python tests/catalogs/regenerate.py --missing  print every message that a catalog lacks

Messages are what the code marks with `_`, `N_`, `ngettext` and `pgettext`, and what click shows as help: the help of
commands and options, their placeholders (metavar), epilogs. docs/languages.md says how to translate them.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[2]
LOCALE = ROOT / "orbis_search" / "locale"
TEMPLATE = LOCALE / "orbis.pot"
SOURCES = ("orbis_search", "cli")
LANGUAGES = ("de", "pl", "ru")
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2), "NN_": (1, 2), "NP_": ((1, "c"), 2)}
HELP_ARGUMENTS = ("help", "short_help", "epilog", "metavar")
WIDTH = 100


def sources() -> list[Path]:
    return sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*.py"))


def catalog_path(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "orbis.po"


def collected() -> Catalog:
    """The template that the code asks for now."""
    catalog = Catalog(project="orbis-search", version="0.1.0", copyright_holder="the orbis-search founders")
    catalog.header_comment = (
        "# The messages of orbis-search. Written by tests/catalogs/regenerate.py: change the code instead."
    )
    for path in sources():
        name = path.relative_to(ROOT).as_posix()
        for _, message, comments, context in extract_from_file("python", path, KEYWORDS, ["Translators:"]):
            catalog.add(message, locations=[(name, 0)], auto_comments=comments, context=context)
        for text in help_texts(path):
            catalog.add(text, locations=[(name, 0)])
    return catalog


def help_texts(path: Path) -> Iterator[str]:
    """What click shows as help, wherever it stands: nobody has to remember to mark it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            _no_message_inside(node, path)
        elif isinstance(node, ast.FunctionDef) and any(_makes_a_command(each) for each in node.decorator_list):
            doc = ast.get_docstring(node)
            if doc:
                yield inspect.cleandoc(doc)
        elif isinstance(node, ast.Call) and _called(node.func) in ("option", "argument", "command", "group"):
            for keyword in node.keywords:
                if keyword.arg in HELP_ARGUMENTS and isinstance(keyword.value, ast.Constant):
                    yield keyword.value.value
                elif keyword.arg in HELP_ARGUMENTS and isinstance(keyword.value, ast.JoinedStr):
                    raise SystemExit(f"{path}:{node.lineno}: {keyword.arg} is put together: no catalog can hold it")


def _no_message_inside(string: ast.JoinedStr, path: Path) -> None:
    """Up to Python 3.11 nothing is found inside of an f-string."""
    for node in ast.walk(string):
        if isinstance(node, ast.Call) and _called(node.func) in KEYWORDS and isinstance(node.args[0], ast.Constant):
            raise SystemExit(f"{path}:{node.lineno}: a message inside of an f-string is not collected: name it before")


def _makes_a_command(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and _called(decorator.func) in ("command", "group")


def _called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def load(path: Path, language: str | None = None) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=language)


def keys(catalog: Catalog) -> set[tuple[object, object]]:
    return {(message.id, message.context) for message in catalog if message.id}


def save(catalog: Catalog, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, width=WIDTH, sort_by_file=True, ignore_obsolete=True, include_lineno=False)


def untranslated(catalog: Catalog) -> list[object]:
    return [each.id for each in catalog if each.id and (each.fuzzy or not all(_texts(each.string)))]


def _texts(string: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return tuple(string) if isinstance(string, (tuple, list)) else (string or "",)


def main(arguments: list[str]) -> int:
    template = collected()
    if not TEMPLATE.exists() or keys(load(TEMPLATE)) != keys(template):
        save(template, TEMPLATE)
    for language in LANGUAGES:
        path = catalog_path(language)
        catalog = load(path, language) if path.exists() else Catalog(locale=language)
        catalog.header_comment = f"# orbis-search: messages ({language}). docs/languages.md says how to work on them."
        catalog.fuzzy = False
        before = keys(catalog)
        catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)
        if keys(catalog) != before or not path.exists():
            save(catalog, path)
        left = untranslated(catalog)
        print(f"{language}: {len(keys(catalog))} messages, {len(left)} without a translation")
        if "--missing" in arguments:
            for message in left:
                print(f"  {message!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
