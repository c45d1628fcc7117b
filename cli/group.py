"""The root command: a table of commands whose modules are imported only when they run."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

import click

from ..base.language import N_, _
from .language import without_option
from .translation import translated


class Entry(NamedTuple):
    section: str  # a heading of the help: what people want to do
    module: str  # in `commands`
    attribute: str
    short_help: str


BEST, DESCRIBE, LOOK = N_("Find the best move"), N_("Describe the table"), N_("Show, play and review")
COUNT, SERVE = N_("Measure and compare"), N_("Work with other programs")

COMMANDS = {
    "web": Entry(BEST, "web", "web", N_("Open the board in a browser, here or on a phone.")),
    "advise": Entry(BEST, "advise", "advise", N_("Rank the moves: which is best, and how certain that is.")),
    "solve": Entry(BEST, "solve", "solve", N_("Prove the best move of an ending, with exact values.")),
    "track": Entry(BEST, "track", "track", N_("Enter a game as it is played at the table, and get advice.")),
    "edit": Entry(DESCRIBE, "edit", "edit", N_("Describe a position step by step.")),
    "new": Entry(DESCRIBE, "new", "new", N_("Write a new game, or one played on for some turns.")),
    "check": Entry(DESCRIBE, "check", "check", N_("List everything wrong with a position.")),
    "tiles": Entry(DESCRIBE, "tiles", "tiles", N_("Check, list and write tile sets.")),
    "show": Entry(LOOK, "show", "show", N_("Draw a position, or write it in another form.")),
    "moves": Entry(LOOK, "moves", "moves", N_("List the legal moves.")),
    "record": Entry(LOOK, "record", "record", N_("Show, check and convert games.")),
    "play": Entry(LOOK, "play", "play", N_("Play against the engine, or against other people.")),
    "review": Entry(LOOK, "review", "review", N_("Judge a game's moves, and tell luck from skill.")),
    "apply": Entry(LOOK, "apply", "apply", N_("Write the position after a move.")),
    "orion": Entry(LOOK, "orion", "orion", N_("Master of Orion, the second game: positions, moves, cards.")),
    "arena": Entry(COUNT, "arena", "arena", N_("Play a match between players.")),
    "train": Entry(COUNT, "train", "train", N_("Train a network for the evaluation.")),
    "bench": Entry(COUNT, "bench", "bench", N_("Measure how fast this build is.")),
    "verify": Entry(COUNT, "verify", "verify", N_("Check the compiled core against the plain rules.")),
    "perft": Entry(COUNT, "perft", "perft", N_("Count the move sequences of a given length.")),
    "engine": Entry(SERVE, "engine", "engine", N_("Answer requests as lines of JSON.")),
    "completion": Entry(SERVE, "completion", "completion", N_("Write a completion script for a shell.")),
}


HELP = "help"


class PlainGroup(click.Group):
    """A group that shows its help, not an error, when called without a command; `help COMMAND` is `COMMAND --help`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = without_option(args)
        if words[:1] == [HELP]:
            args = [word for at, word in enumerate(args) if at != args.index(HELP)]
        if not words or words[:1] == [HELP]:
            args = [*args, "--help"]
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        found = self.find_command(ctx, name)
        return None if found is None else translated(found)

    def find_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command as the code defines it."""
        return super().get_command(ctx, name)


class LazyGroup(PlainGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def find_command(self, ctx: click.Context, name: str) -> click.Command | None:
        entry = COMMANDS.get(name)
        if entry is None:
            return None
        module = import_module(f"{__package__}.commands.{entry.module}")
        command: click.Command = getattr(module, entry.attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            import difflib

            near = difflib.get_close_matches(name, COMMANDS, n=1)
            if near:
                ctx.fail(_("No such command {name!r}. Did you mean {near}?", name=name, near=near[0]))
            ctx.fail(_("No such command {name!r}.", name=name))
        found = super().resolve_command(ctx, args)
        if found[1] is not None and not ctx.resilient_parsing and not ctx.params.get("no_settings"):
            self._settle(ctx, name, found[1])
        return found

    def _settle(self, ctx: click.Context, name: str, command: click.Command) -> None:
        """The user's defaults for the command, if there is a settings file."""
        from .settings import defaults_of, read_settings, settings_path

        path = settings_path()
        if path is not None:
            table = read_settings(path, COMMANDS).get(name, {})
            ctx.default_map = {name: defaults_of(command, table, name, path)}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands first: whoever types `orbis` alone is looking for them."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """By section, from the table: the help of all commands imports none of them."""
        for section in dict.fromkeys(entry.section for entry in COMMANDS.values()):
            rows = [(name, _(each.short_help)) for name, each in COMMANDS.items() if each.section == section]
            with formatter.section(_(section)):
                formatter.write_dl(rows, col_max=12)


def _print_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from orbis_search import __version__

        click.echo(f"orbis {__version__}")
        ctx.exit()


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="POSITION is always a file, - for standard input, or a one-line position; a game stands for its "
    "latest position. For more on a command: orbis help COMMAND.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.option("--no-settings", is_flag=True, help="Ignore the settings file.")
def orbis(no_settings: bool) -> None:
    """The board game Orbis: positions, rules and moves, exact and fast.

    Start with orbis advise; it needs nothing else.
    """
