"""Click's own words that our commands can show, listed for the catalogs; click looks them up itself."""

from __future__ import annotations

from ..base.language import N_


def NN_(one: str, many: str) -> tuple[str, str]:
    """Marks a plural message."""
    return one, many


WORDS = (
    N_("Usage:"),
    N_("Options"),
    N_("[OPTIONS]"),
    N_("COMMAND [ARGS]..."),
    N_("Positional arguments"),
    N_("Commands"),
    N_("Show this message and exit."),
    N_("default: {default}"),
    N_("required"),
    N_("env var: {var}"),
    N_("Aborted!"),
    N_("Error: {message}"),
    N_("Try '{command} {option}' for help."),
    N_("Missing command."),
    N_("Missing argument"),
    N_("Missing option"),
    N_("Missing parameter"),
    N_("Missing parameter: {param_name}"),
    N_("Invalid value: {message}"),
    N_("Invalid value for {param_hint}: {message}"),
    N_("No such option {name!r}."),
    N_("No such command {name!r}."),
    N_("Argument {name!r} takes {nargs} values."),
    N_("Option {name!r} does not take a value."),
    N_("{value!r} is not a valid {number_type}."),
    N_("{value} is not in the range {range}."),
    NN_("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    NN_("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    NN_("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    NN_("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    NN_("Takes {nargs} values but 1 was given.", "Takes {nargs} values but {len} were given."),
    # Types, which are also shown in capitals where an option has no metavar.
    N_("integer"),
    N_("integer range"),
    N_("float"),
    N_("float range"),
    N_("text"),
    N_("time"),
    N_("size"),
)
