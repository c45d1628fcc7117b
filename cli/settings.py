"""The settings file: defaults for the options of commands, so that habits need not be typed.

    [advise]
    time = "10s"
    threads = 2

    [bench.rules]
    seconds = 0.5

A table for each command, with its options as keys, without the leading dashes. The command line wins. Above the tables,
`lang = "de"` sets the language of every command.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from ..base.errors import InputError, Problem
from ..base.language import LANGUAGES, _

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import click

VARIABLE = "ORBIS_SETTINGS"
MAX_BYTES = 1 << 16
LANGUAGE = "lang"
UNSETTABLE = ("help", "version", "output", LANGUAGE)  # a default for these would only surprise


def settings_path() -> str | None:
    """The settings file if there is one: what ORBIS_SETTINGS names, none if that is empty, otherwise the usual
    place."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return named or None
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    path = os.path.join(home, "orbis", "settings.toml")
    return path if os.path.exists(path) else None


def language_setting(path: str) -> str | None:
    """The language that the file asks for, None if it does not; anything wrong with it is reported when a command
    runs."""
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES)
        if LANGUAGE.encode() not in data:
            return None  # saves reading it
        from ..base.toml import NotToml, toml_tables

        try:
            found = toml_tables(data.decode("utf-8-sig")).get(LANGUAGE)
        except NotToml:
            return None
    except (OSError, ValueError):
        return None
    return found if isinstance(found, str) and found in LANGUAGES else None


def read_settings(path: str, commands: Iterable[str]) -> dict[str, Any]:
    """The tables of the file by command; InputError if it cannot be read or has a table for an unknown command."""
    from ..base.quoting import nearest, shown
    from ..base.toml import settings_in

    tables = settings_in(path, path)
    known = list(commands)
    problems = []
    named = tables.pop(LANGUAGE, LANGUAGES[0])
    if named not in LANGUAGES:
        message = _("expected one of {choice}, found {found}", choice=", ".join(LANGUAGES), found=shown(named))
        problems.append(Problem(f"{path}: {LANGUAGE}", message))
    for name, table in tables.items():
        if name not in known:
            message = _("expected a table for a command, found {found}", found=shown(name)) + nearest(name, known)
            problems.append(Problem(path, message))
        elif not isinstance(table, dict):
            problems.append(
                Problem(
                    f"{path}: {name}",
                    _("expected a table, as [{command}], found {found}", command=name, found=shown(table)),
                )
            )
    if problems:
        raise InputError(problems)
    return tables


def defaults_of(command: click.Command, table: dict[str, Any], name: str, path: str) -> dict[str, Any]:
    """What click takes as the defaults of a command and its subcommands; InputError with every problem."""
    import click

    problems: list[Problem] = []

    def look_at(command: click.Command, table: dict[str, Any], title: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        children: dict[str, click.Command] = getattr(command, "commands", {})
        options = {name: each for each in command.params if isinstance(each, click.Option) for name in _names(each)}
        for key, value in table.items():
            name = str(key).replace("_", "-")
            try:
                if name in children and isinstance(value, dict):
                    found[name] = look_at(children[name], value, f"{title}.{name}")
                elif name in options:
                    found[options[name].name or name] = _value(options[name], value)
                else:
                    raise click.BadParameter(_unknown(key, [*children, *options]))
            except click.BadParameter as error:
                problems.append(Problem(f"{path}: [{title}] {key}", error.message))
        return found

    defaults = look_at(command, table, name)
    if problems:
        raise InputError(problems)
    return defaults


def _names(option: click.Option) -> list[str]:
    """The names of an option in the file: its long names without the dashes."""
    names = [name.removeprefix("--") for name in option.opts if name.startswith("--")]
    return [name for name in names if name not in UNSETTABLE]


def _unknown(key: str, known: list[str]) -> str:
    from ..base.quoting import nearest, shown

    return _("expected one of {choice}, found {found}", choice=", ".join(known), found=shown(key)) + nearest(key, known)


def _value(option: click.Option, value: Any) -> Any:
    """The value if the option accepts it, in a form that click reads; BadParameter if it does not."""
    import click

    from ..base.quoting import shown

    if option.is_flag:
        if not isinstance(value, bool):
            raise click.BadParameter(_("expected true or false, found {found}", found=shown(value)))
        # Of two flags for one thing, such as --all and --search, one means False.
        return value is not (option.flag_value is False)
    if option.multiple or option.nargs != 1:
        values = value if isinstance(value, list) else [value]
        if option.nargs != 1 and len(values) != option.nargs:
            raise click.BadParameter(
                _("expected a list of {count}, found {found}", count=option.nargs, found=shown(value))
            )
        return values
    if isinstance(value, (bool, dict, list)):
        raise click.BadParameter(_("expected one value, found {found}", found=shown(value)))
    try:
        option.type.convert(value, option, None)
    except click.BadParameter as error:
        message = error.message
        if isinstance(option.type, click.Choice):
            message = _("expected another value: {problem}", problem=message)
        raise click.BadParameter(message) from None
    return value
