"""The language a command answers in: --lang, or else the environment, the settings file, the locale."""

from __future__ import annotations

import os

from ..base.language import LANGUAGES, VARIABLE, chosen_language, language
from ..base.speech import set_language
from .settings import language_setting, settings_path

OPTION = "--lang"
_GETTEXT = "LANGUAGE"  # the only place where gettext, and so click, finds the language


class in_language_for:
    """Everything inside is in the language that the arguments ask for."""

    def __init__(self, arguments: list[str]) -> None:
        self.name = language_for(arguments)

    def __enter__(self) -> None:
        self.before = language()
        self.variable = os.environ.get(_GETTEXT)
        set_language(self.name)
        os.environ[_GETTEXT] = self.name

    def __exit__(self, *_: object) -> None:
        set_language(self.before)
        if self.variable is None:
            os.environ.pop(_GETTEXT, None)
        else:
            os.environ[_GETTEXT] = self.variable


def language_for(arguments: list[str]) -> str:
    """Looks for the option before anything is parsed, so that mistakes are reported in its language too."""
    asked = _option(arguments)
    if asked is not None:
        return asked
    if os.environ.get(VARIABLE) not in LANGUAGES and "--no-settings" not in arguments:
        path = settings_path()
        named = None if path is None else language_setting(path)
        if named is not None:
            return named
    return chosen_language(os.environ)


def without_option(arguments: list[str]) -> list[str]:
    """The arguments without the option."""
    found = []
    following = False  # the word after the option is its value
    for word in arguments:
        if not following and word != OPTION and not word.startswith(f"{OPTION}="):
            found.append(word)
        following = not following and word == OPTION
    return found


def _option(arguments: list[str]) -> str | None:
    """The last --lang with a language we have; click complains about others."""
    found = None
    for at, word in enumerate(arguments):
        if word == "--":
            break
        name, equals, value = word.partition("=")
        if name == OPTION:
            value = value if equals else "".join(arguments[at + 1 : at + 2])
            found = value if value in LANGUAGES else found
    return found
