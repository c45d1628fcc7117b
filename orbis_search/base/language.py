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
    return message.format(**values) if values else message


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """Like `_`, for a message with a number: the form that goes with n, which is the placeholder {n}."""
    name = _here.get() or _default
    message = (one if n == 1 else many) if name == ENGLISH else _catalog(name).ngettext(one, many, n)
    return message.format(n=n, **values)


def pgettext(context: str, message: str, /, **values: object) -> str:
    """Like `_`, for a word whose translation depends on its context."""
    name = _here.get() or _default
    if name != ENGLISH:
        message = _catalog(name).pgettext(context, message)
    return message.format(**values) if values else message


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
