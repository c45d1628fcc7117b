"""Strange inputs, made from sound ones: values exchanged, keys renamed, words mixed, limits overstepped.

Every input follows from its number alone, so that a case found once can be had again: `Strange(number)`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

# Single values that readers have stumbled over somewhere: numbers that are too long or not numbers, digits of other
# scripts, halves of characters, what a terminal obeys, what a template or a format means something by.
WORDS = (
    "",
    " ",
    "?",
    "-",
    "0",
    "-1",
    "1e999",
    "nan",
    "9" * 19,
    "1" * 5000,
    "\u1369",  # an Ethiopic digit: isdigit() but not for int()
    "\u00b2",
    "\u0663",
    "\uff12",
    "\x1b[31mred\x07",
    "\u009b31m",
    "\u202eabc",
    "a\nb: c",
    "a\r\nb",
    "\t",
    "\0",
    "\ufeff",
    "e\u0301",
    "\U0001f469\u200d\U0001f467",
    '"',
    "'",
    '"""',
    "\\",
    "\\ud800",
    "{found}",
    "{0}",
    "%s%n",
    "%zz",
    "#",
    "|",
    "/",
    ":",
    "=",
    ",",
    "[[",
    "../..",
    "random:7",
    "random:" + "8" * 30,
    "a" * 300,
    "r999999b",
    "a1",
    "d4",
    "god death",
    "wild",
    "true",
    "null",
    "nobody",
)
HALVES = ("\ud800", "\udcff", "a\udfff\ud800b")  # only where a text can hold them: they have no bytes
VALUES: tuple[Any, ...] = (None, True, False, 0, -1, 1, 3, 99, 10**30, -(10**400), 1.5, 1e308, [], {}, [[]], [1, "a"])


class Strange:
    """One number, one input."""

    def __init__(self, number: int) -> None:
        self.chance = random.Random(number)

    def of(self, choices: Sequence[Any]) -> Any:
        return choices[self.chance.randrange(len(choices))]

    def word(self) -> str:
        if self.chance.random() < 0.1:
            return str(self.of(HALVES))
        return str(self.of(WORDS))

    def value(self, depth: int = 0) -> Any:
        """Anything that JSON can hold."""
        kind = self.chance.random()
        if kind < 0.5:
            return self.word()
        if kind < 0.8 or depth > 3:
            return self.of(VALUES)
        if kind < 0.82:
            return nested(self.chance.choice((40, 300, 2000)))
        if kind < 0.9:
            return [self.value(depth + 1) for _ in range(self.chance.randrange(4))]
        return {self.word(): self.value(depth + 1) for _ in range(self.chance.randrange(4))}

    # Trees, as JSON and TOML have them.

    def tree(self, tree: Any) -> Any:
        """The tree with something changed in it, at any depth."""
        if self.chance.random() < 0.03:
            return self.value()
        for _ in range(self.chance.choice((1, 1, 1, 2, 5))):
            tree = self._changed(tree)
        return tree

    def _changed(self, tree: Any) -> Any:
        if isinstance(tree, dict) and tree and self.chance.random() < 0.9:
            keys = list(tree)
            key = self.of(keys)
            kind = self.chance.random()
            if kind < 0.7:
                return {**tree, key: self._changed(tree[key])}
            if kind < 0.8:
                return {each: tree[each] for each in keys if each != key}
            if kind < 0.9:
                return {(self.word() if each == key else each): tree[each] for each in keys}
            return {**tree, self.word(): self.value()}
        if isinstance(tree, list) and tree and self.chance.random() < 0.9:
            at = self.chance.randrange(len(tree))
            kind = self.chance.random()
            if kind < 0.7:
                return [*tree[:at], self._changed(tree[at]), *tree[at + 1 :]]
            if kind < 0.8:
                return tree[:at] + tree[at + 1 :]
            if kind < 0.9:
                return tree[: at + 1] * 2 + tree[at:]
            return [*tree, self.value()]
        if isinstance(tree, str) and tree and self.chance.random() < 0.5:
            return self.text(tree)
        return self.value()

    # Texts, as people type them.

    def text(self, text: str) -> str:
        """The text with something changed in it: characters, words, lines."""
        for _ in range(self.chance.choice((1, 1, 2, 4))):
            text = self.of((self._characters, self._words, self._lines))(text)
        return text

    def _characters(self, text: str) -> str:
        at, end = sorted(self.chance.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + self.chance.choice((0, 1, 3, 50)))
        return text[:at] + (self.word() if self.chance.random() < 0.7 else "") + text[end:]

    def _words(self, text: str) -> str:
        parts = text.split(" ")
        at = self.chance.randrange(len(parts))
        kind = self.chance.random()
        if kind < 0.5:
            parts[at] = self.word()
        elif kind < 0.6:
            parts[at] *= self.chance.choice((2, 40))
        elif kind < 0.8:
            parts.insert(at, self.of(parts))
        else:
            del parts[at]
        return " ".join(parts)

    def _lines(self, text: str) -> str:
        lines = text.split("\n")
        at = self.chance.randrange(len(lines))
        kind = self.chance.random()
        if kind < 0.3:
            del lines[at]
        elif kind < 0.6:
            lines.insert(at, self.of(lines))
        elif kind < 0.8:
            lines[at] = self.word() + lines[at]
        elif kind < 0.95:
            lines[at] += self.word()
        else:
            lines = lines[: at + 1] * self.chance.choice((2, 60))
        return "\n".join(lines)

    def encoded(self, text: str) -> bytes:
        """As a file holds it: nearly always in UTF-8."""
        data = text.encode("utf-8", "surrogatepass")
        kind = self.chance.random()
        if kind < 0.03:
            return data.decode("utf-8", "replace").encode("utf-16")
        if kind < 0.05:
            at = self.chance.randrange(len(data) + 1)
            return data[:at] + self.chance.randbytes(3) + data[at:]
        return data


def nested(depth: int) -> Any:
    value: Any = 1
    for at in range(depth):
        value = [value] if at % 2 else {"a": value}
    return value


def json_of(value: Any) -> str:
    """JSON of any depth: the encoder of the standard library has a limit of its own."""
    try:
        return json.dumps(value)
    except RecursionError:
        return _laid_out(value, json.dumps)


def toml_of(tree: Any) -> str:
    """Tables as inline TOML, sound or not: null is no value of TOML."""
    if not isinstance(tree, dict):
        return _laid_out(tree, _toml_atom, " = ")
    return "".join(f"{_toml_atom(key)} = {_laid_out(value, _toml_atom, ' = ')}\n" for key, value in tree.items())


def _toml_atom(value: Any) -> str:
    return json.dumps(
        value, ensure_ascii=isinstance(value, str) and any("\ud800" <= char <= "\udfff" for char in value)
    )


def _laid_out(value: Any, atom: Callable[[Any], str], is_: str = ": ") -> str:
    """Without recursion."""
    out: list[str] = []
    todo: list[Any] = [value]
    while todo:
        each = todo.pop()
        if isinstance(each, _Done):
            out.append(each)
        elif isinstance(each, dict):
            todo.append(_Done("}"))
            for at, (key, inner) in enumerate(reversed(list(each.items()))):
                todo += [_Done("," if at else ""), inner, _Done(atom(key) + is_)]
            todo.append(_Done("{"))
        elif isinstance(each, list):
            todo.append(_Done("]"))
            for at, inner in enumerate(reversed(each)):
                todo += [_Done("," if at else ""), inner]
            todo.append(_Done("["))
        else:
            out.append(atom(each))
    return "".join(out)


class _Done(str):
    """Text as it is."""
