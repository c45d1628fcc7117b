"""Reading and writing TOML: one reader of its texts, one writer of its strings."""

from __future__ import annotations

from .errors import InputError, reason
from .language import _
from .quoting import missing_quote, quote_hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_SETTINGS = 1 << 16  # bytes
MAX_TEXT = 1 << 18  # characters; a position or a tile set has some thousands
MAX_PARTS = 8  # of a dotted key
MAX_DEPTH = 32  # of lists and tables in one another


class NotToml(Exception):
    """What is wrong with a text, as the end of a sentence."""


class NestedTooDeep(NotToml):
    pass


def toml_tables(text: str) -> dict[str, Any]:
    """The tables of a text in TOML; NotToml if it is not TOML, or larger or deeper than anything we have to read."""
    import tomllib

    _expect_modest(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise NestedTooDeep(_("lists nested too deeply")) from None
    except (
        ValueError
    ) as error:  # not only TOMLDecodeError: an integer of thousands of digits is refused by int() itself
        told = missing_quote(text, str(error)) or f"{error}{quote_hint(text, str(error))}"
        raise NotToml(told) from None


def _expect_modest(text: str) -> None:
    """NotToml for what the parser would take minutes and gigabytes for: it keeps every beginning of a dotted key."""
    if len(text) > MAX_TEXT:
        raise NotToml(_("more than {most} characters", most=MAX_TEXT))
    if text.count(".") < MAX_PARTS and text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    import re

    # Strings and comments say nothing of keys and brackets. A string that never ends is taken to reach as far as it
    # can: the parser will stop there.
    bare = re.sub(_STRING_OR_COMMENT, lambda found: "" if found[0][0] == "#" else "s", text, flags=re.DOTALL)
    if re.search(rf"(?<![\w-])(?:[\w-]+[ \t]*\.[ \t]*){{{MAX_PARTS}}}", bare):
        raise NotToml(_("a key of more than {most} parts", most=MAX_PARTS))
    depth = 0
    for bracket in re.findall(r"[][{}]", bare):
        depth = depth + 1 if bracket in "[{" else max(0, depth - 1)
        if depth > MAX_DEPTH:
            raise NestedTooDeep(_("lists nested too deeply"))


_STRING_OR_COMMENT = (
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*(?:"{3,5})?'
    r"|'''[^']*(?:'(?!'')[^']*)*(?:'{3,5})?"
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?'
    r"|'[^'\n]*'?|#[^\n]*"
)


def settings_in(path: str, place: str) -> dict[str, Any]:
    """The settings in a file; InputError if it cannot be read."""
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_SETTINGS + 1)
        if len(data) > MAX_SETTINGS:
            raise InputError.one(place, _("expected settings of at most {most} bytes, found more", most=MAX_SETTINGS))
        return toml_tables(data.decode("utf-8-sig"))
    except OSError as error:
        message = _("expected a readable settings file, found: {reason}", reason=reason(error))
        raise InputError.one(place, message) from None
    except UnicodeDecodeError:
        raise InputError.one(place, _("expected text in UTF-8, found other bytes")) from None
    except NotToml as error:
        message = _("expected settings in TOML, found a syntax error: {error}", error=error)
        raise InputError.one(place, message) from None


def toml_string(text: str, lines: bool = False) -> str:
    """A basic string, or with `lines` a multi-line one that keeps its line breaks.

    >>> print(toml_string('a "b"'), toml_string("\\t"))
    "a \\"b\\"" "\\u0009"
    """
    escaped = "".join(_escaped(character, lines) for character in text)
    return f'"""\n{escaped}\n"""' if lines else f'"{escaped}"'


def _escaped(character: str, lines: bool) -> str:
    if character in '"\\':
        return "\\" + character
    if (ord(character) < 32 and not (lines and character == "\n")) or ord(character) == 127:
        return f"\\u{ord(character):04x}"
    return character
