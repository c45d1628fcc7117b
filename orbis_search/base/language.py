"""What people read, in their language: `_("expected {count} tiles", count=9)`.

A message is a whole sentence in English with named placeholders; the catalogs in `locale` translate it. Machine forms
(keys, ids, notations) are not messages. Nothing is translated when a module is imported: a constant is marked with `N_`
and goes through `_` where it is shown. English needs no catalog and imports nothing.

`speech` decides which language that is.
"""

from __future__ import annotations

import os
from contextvars import ContextVar, Token

TYPE_CHECKING = False  # typing's own would cost more than the rest of this module
if TYPE_CHECKING:
    from collections.abc import Mapping
    from gettext import NullTranslations

LANGUAGES = ("en", "de", "pl", "ru")
ENGLISH = LANGUAGES[0]
DOMAIN = "orbis"
LOCALE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "locale")
VARIABLE = "ORBIS_LANG"

# How a language writes a number that Python writes like English: what stands for the comma between thousands, and what
# for the decimal point. A number is not broken across lines, so the blank is a no-break space.
_WRITTEN = {
    "de": str.maketrans(",.", ".,"),
    "pl": str.maketrans(",.", "\N{NO-BREAK SPACE},"),
    "ru": str.maketrans(",.", "\N{NO-BREAK SPACE},"),
}

_default = ENGLISH  # of the process, for threads too
_here: ContextVar[str | None] = ContextVar("language", default=None)
_catalogs: dict[str, NullTranslations] = {}


def language() -> str:
    """The current language."""
    return _here.get() or _default


def use_language(name: str) -> None:
    """Sets the language for all threads; `speech.set_language` checks the name first."""
    global _default
    _default = name


def use_language_here(name: str) -> Token[str | None]:
    return _here.set(name)


def use_language_as_before(token: Token[str | None]) -> None:
    _here.reset(token)


def _(message: str, /, **values: object) -> str:
    """The message in the current language, with its placeholders filled in if there are values."""
    name = _here.get() or _default
    if name != ENGLISH:
        message = _catalog(name).gettext(message)
    return _filled(message, name, values) if values else message


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """Like `_`, for a message with a number: the form that goes with n, which is the placeholder {n}."""
    name = _here.get() or _default
    message = (one if n == 1 else many) if name == ENGLISH else _catalog(name).ngettext(one, many, n)
    return _filled(message, name, {"n": n, **values})


def pgettext(context: str, message: str, /, **values: object) -> str:
    """Like `_`, for a word whose translation depends on its context."""
    name = _here.get() or _default
    if name != ENGLISH:
        message = _catalog(name).pgettext(context, message)
    return _filled(message, name, values) if values else message


def numeral(value: float, form: str) -> str:
    """A number for people, in the current language; `form` as in an f-string. Never for files, notations and JSON.

    >>> numeral(1234.5, ",.1f"), numeral(-0.04, ".1f")
    ('1,234.5', '0.0')
    """
    name = _here.get() or _default
    figures = format(value, form)
    if value < 0 and not set(figures) & set("123456789"):
        figures = format(-value, form)  # nothing is less than nothing
    return _as_written(figures, name)


def _as_written(figures: str, name: str) -> str:
    return figures if name == ENGLISH else figures.translate(_WRITTEN[name])


class _Number:
    """A number in a message: it takes the form that its placeholder asks for, as the language writes it."""

    __slots__ = ("name", "value")

    def __init__(self, value: float, name: str) -> None:
        self.value = value
        self.name = name

    def __format__(self, form: str) -> str:
        return _as_written(format(self.value, form), self.name)

    def __str__(self) -> str:
        return format(self, "")


def _filled(message: str, name: str, values: Mapping[str, object]) -> str:
    if name != ENGLISH:
        values = {
            key: _Number(value, name) if isinstance(value, (int, float)) else value for key, value in values.items()
        }
    return message.format(**values)


def N_(message: str) -> str:
    """Marks a message to be translated later, where it is shown."""
    return message


def NP_(context: str, message: str) -> str:
    """Like `N_`, for `pgettext`."""
    return message


def _catalog(name: str) -> NullTranslations:
    catalog = _catalogs.get(name)
    if catalog is None:
        from gettext import translation

        catalog = _catalogs[name] = translation(DOMAIN, LOCALE, [name], fallback=True)
    return catalog


def chosen_language(environment: Mapping[str, str]) -> str:
    """What the environment asks for: ORBIS_LANG, else the locale; English if that is not one of ours.

    As elsewhere, LANGUAGE may list several, and counts only if the locale is not the plain C.
    """
    if environment.get(VARIABLE) in LANGUAGES:
        return environment[VARIABLE]
    locale = next((environment[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(key)), "")
    wanted = [locale]
    if locale.partition(".")[0] not in ("C", "POSIX"):
        wanted[:0] = environment.get("LANGUAGE", "").split(":")
    for each in wanted:
        if each[:2] in LANGUAGES and each[2:3] in ("", "_", ".", "@", "-"):
            return each[:2]
    return ENGLISH
