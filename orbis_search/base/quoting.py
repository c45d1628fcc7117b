"""What people wrote, compared and quoted: the same in every error message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .language import _, pgettext

UNFILLED = "?"  # marks what a player still has to write in a template
MAX_SHOWN = 80  # characters of a text that an error message repeats


def fold(text: str) -> str:
    """Lower case without accents, so that `Świątynia` and `swiatynia` are one word."""
    if text.isascii():
        return text.lower()
    import unicodedata

    decomposed = unicodedata.normalize("NFKD", text.casefold().replace("ł", "l"))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def shown(value: object) -> str:
    """A value as every error message quotes it: short, on one line, and safe to print."""
    if value is None:
        return pgettext("found", "nothing")
    if isinstance(value, bool):
        return "true" if value else "false"  # as files have them
    if isinstance(value, int):
        # Long integers are refused by str() itself.
        return str(value) if abs(value) < 10**18 else _("a number of more than 18 digits")
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        cut = value if len(value) <= MAX_SHOWN else value[: MAX_SHOWN - 3] + "..."
        return f'"{"".join(map(_escaped_unless_printable, cut))}"'
    if isinstance(value, dict):
        return _("a table")
    if isinstance(value, (list, tuple)):
        return _("a list")
    return _("a date or time")


def _escaped_unless_printable(char: str) -> str:
    return char if char.isprintable() else _escaped(char)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


# What no text on a screen or in a file may hold: control characters, with which a terminal does things instead of
# showing them, marks that turn the direction of writing, halves of characters, line breaks. Two marks join letters in
# some scripts, and emoji.
_UNSAFE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"


def unsafe_character(text: str) -> str | None:
    """The first character that cannot be shown, or None."""
    if text.isprintable():
        return None
    import unicodedata

    return next((char for char in text if unicodedata.category(char) in _UNSAFE and char not in _JOINERS), None)


def safe(text: str) -> str:
    """The text on one line, with every character escaped that cannot be shown: whatever a file, a path or a key
    says, a terminal only prints it.

    >>> safe("a\\x1b[31m\\n\\udcff")
    'a\\\\x1b[31m\\\\n\\\\udcff'
    """
    if unsafe_character(text) is None:
        return text
    return "".join(char if unsafe_character(char) is None else _escaped(char) for char in text)


def place_of(path: str) -> str:
    """What problems call a file: its name, on one line and not too long."""
    if path == "-":
        return "standard input"
    return safe(path if len(path) <= 120 else path[:117] + "...")


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint to append to an error message, or nothing when no known word is close."""
    from difflib import get_close_matches  # only typing errors pay for this import

    typed = fold(word[:MAX_SHOWN])
    by_fold = {fold(each): each for each in known if fold(each) != typed}  # known, but not here
    close = get_close_matches(typed, by_fold, n=3, cutoff=0.55)
    if not close:
        return ""
    # Translators: stands behind an error message.
    return " " + _("(nearest: {words})", words=", ".join(by_fold[match] for match in close))


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return _("{words} and {last}", words=", ".join(words[:-1]), last=words[-1])


def quote_hint(text: str, error: str) -> str:
    """A hint at curved quotation marks: word processors insert them where TOML wants plain ones, and its error hides
    that."""
    at = re.search(r"at line ([0-9]+)", error)
    line = text.splitlines()[int(at[1]) - 1 :][:1] if at else []
    curved = next((char for char in "".join(line) if char in _CURVED), "")
    return "; " + _('write " instead of {curved}', curved=curved) if curved else ""


def missing_quote(text: str, error: str) -> str:
    """What to say if TOML's error is in a line with a quotation mark too few; "" if that is not it."""
    at = re.search(r"at line ([0-9]+)", error)
    number = int(at[1]) if at else 0
    line = "".join(text.splitlines()[number - 1 : number]) if at else ""
    marks = re.sub(r"\\.", "", line.partition("#")[0]).count('"')
    if marks % 2 == 0 or '"""' in line:
        return ""
    return _("a quotation mark is missing in line {line}: {text}", line=number, text=shown(line.strip())[1:-1])


_CURVED = "\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb"
