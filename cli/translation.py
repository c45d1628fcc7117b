"""Commands, and click's own words, in the current language.

Help texts are in English in the code. A command is translated when it is looked up, as a copy: nothing is translated at
import, and one process can answer in several languages.
"""

from __future__ import annotations

import copy
import inspect
from typing import TypeVar

import click

from ..base.language import DOMAIN, ENGLISH, LANGUAGES, LOCALE, _, language
from .language import OPTION

Command = TypeVar("Command", bound=click.Command)


def teach_click() -> None:
    """Let click, which asks gettext, look into our catalogs."""
    if language() != ENGLISH:
        import gettext

        gettext.bindtextdomain(DOMAIN, LOCALE)
        gettext.textdomain(DOMAIN)


def translated(command: Command) -> Command:
    """The command with its help, and that of its options, in the current language; with --lang."""
    words = copy.copy(command)
    words.params = [_translated_parameter(each) for each in command.params]
    words.params.append(
        click.Option(
            [OPTION],
            type=click.Choice(LANGUAGES),
            expose_value=False,
            help=_("Language of the output.  [default: the system's]"),
        )
    )
    words._help_option = None  # click keeps it once made, in whatever language that was
    for part in ("help", "short_help", "epilog", "options_metavar", "subcommand_metavar"):
        text = getattr(words, part, None)
        if text:
            setattr(words, part, _(inspect.cleandoc(text)))
    return words


def _translated_parameter(parameter: click.Parameter) -> click.Parameter:
    if language() == ENGLISH:
        return parameter
    words = copy.copy(parameter)
    if not isinstance(parameter.type, click.Tuple):  # which is named by its parts
        words.type = copy.copy(parameter.type)
        words.type.name = _(parameter.type.name)
    if words.metavar:
        words.metavar = _(words.metavar)
    text = getattr(words, "help", None)
    if text:
        words.help = _(text)  # type: ignore[attr-defined]
    return words
