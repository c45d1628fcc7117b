"""Options that the commands share. Reading and writing are in `files`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import nextafter
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..base.errors import InputError
from ..base.language import N_, _
from ..base.options import MAX_COUNT, MAX_SEED, MAX_SIMULATIONS, MAX_THREADS, Unfit, duration, real, size, typed, whole
from ..base.quoting import place_of, shown
from .files import (
    MAX_BYTES,
    GrowingText,
    expect_writable,
    free_name,
    is_in_line,
    load_game,
    load_position,
    load_tiles,
    position_folder,
    position_name,
    read_bytes,
    read_text,
    rebased,
    rebased_tiles,
    wants_colour,
    write,
    write_bytes,
    write_json,
)

if TYPE_CHECKING:
    from ..game.position import Move, Position

# Passed on from `files`, so that a command has one place to import from.
__all__ = [
    "MAX_BYTES",
    "MAX_SEED",
    "GrowingText",
    "Number",
    "Whole",
    "cluster_option",
    "color_option",
    "duration_type",
    "example_hint",
    "expect_writable",
    "figure_seconds_type",
    "free_name",
    "is_in_line",
    "json_option",
    "load_game",
    "load_position",
    "load_tiles",
    "move_argument",
    "oneline_option",
    "optional_position_argument",
    "output_option",
    "place_of",
    "players_option",
    "players_type",
    "png_option",
    "position_argument",
    "position_folder",
    "position_name",
    "position_tiles_option",
    "read_bytes",
    "read_text",
    "rebased",
    "rebased_tiles",
    "seed_option",
    "seed_type",
    "sims_type",
    "size_type",
    "svg_option",
    "threads_type",
    "tiles_option",
    "turn_option",
    "wants_colour",
    "write",
    "write_bytes",
    "write_json",
    "write_pictures",
]

F = TypeVar("F", bound=Callable[..., Any])
Value = TypeVar("Value")


# The types of their values: what a reader of `base.options` makes of what is typed, or of a setting.


def _converted(
    kind: click.ParamType,  # type: ignore[type-arg]
    reader: Callable[[Any], Value],
    value: Any,
    param: click.Parameter | None,
    ctx: click.Context | None,
) -> Value:
    try:
        return reader(value)
    except Unfit as unfit:
        kind.fail(_("expected {what}, found {found}", what=unfit, found=shown(value)), param, ctx)


class Whole(click.IntRange):
    """An integer. `most` is a bound that is too high to mention in the help."""

    def __init__(self, low: int, high: int | None = None, most: int = MAX_COUNT) -> None:
        super().__init__(low, high)
        self.reader = typed(whole(low, most if high is None else high))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return _converted(self, self.reader, value, param, ctx)


class Number(click.FloatRange):
    """`what` is expected, a whole sentence marked with N_."""

    def __init__(self, low: float, high: float, what: str, *, is_open: bool = False) -> None:
        super().__init__(low, high, min_open=is_open, max_open=is_open)
        least, most = (nextafter(low, high), nextafter(high, low)) if is_open else (low, high)
        self.reader = typed(real(least, most, what))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        return _converted(self, self.reader, value, param, ctx)


class Duration(click.ParamType):  # type: ignore[type-arg]
    """`5s`, `250ms`, `2m`, `1h`, or a plain number of seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        return _converted(self, duration, value, param, ctx)


class Size(click.ParamType):  # type: ignore[type-arg]
    """`64M`, `2G`, or a plain number of bytes."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return _converted(self, size, value, param, ctx)


duration_type, size_type = Duration(), Size()
threads_type = Whole(1, MAX_THREADS)
seed_type = Whole(0, MAX_SEED)
players_type = Whole(2, 4)
sims_type = Whole(1, most=MAX_SIMULATIONS)
figure_seconds_type = Number(0.05, 600, N_("seconds from 0.05 to 600"))

# The options.


def _complete(kind: str) -> Callable[..., list[Any]]:
    """Shell completion from `shell_completion`, which is imported only if a shell asks."""

    def complete(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:
        from . import shell_completion

        found: list[Any] = getattr(shell_completion, f"complete_{kind}")(ctx, parameter, incomplete)
        return found

    return complete


position_argument = click.argument("position", metavar="POSITION", shell_complete=_complete("files"))
# Commands that have an answer without one use the built-in example.
optional_position_argument = click.argument(
    "position", metavar="[POSITION]", required=False, shell_complete=_complete("files")
)
move_argument = click.argument("move", metavar="MOVE", nargs=-1, required=True, shell_complete=_complete("move"))
players_option = click.option("--players", type=players_type, default=2, show_default=True, help="Number of players.")
seed_option = click.option("--seed", type=seed_type, metavar="N", help="Seed for everything random.")
json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON.")
cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Use a Ray cluster: the one at HOST:PORT, or auto for one on this machine."
)
oneline_option = click.option("--oneline", is_flag=True, help="Write the one-line form.")
color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Use colour; auto does on a terminal, unless NO_COLOR is set.",
)
output_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=_complete("files"),
    help="Write to FILE instead of standard output.",
)
svg_option = click.option("--svg", metavar="FILE", help="Write a picture as SVG; - is standard output.")
png_option = click.option("--png", metavar="FILE", help="Write a picture as PNG; needs the png extra.")


def tiles_option(text: str) -> Callable[[F], F]:
    """The tile set; the text is the option's whole help, because the catalogs hold whole sentences."""
    return click.option("--tiles", metavar="FILE", shell_complete=_complete("tiles"), help=text)


position_tiles_option = tiles_option(
    N_("Tile set to use instead of the one the position names: a file, a built-in name, or random:SEED.")
)


# Of a game in place of a position.
turn_option = click.option(
    "--turn",
    type=Whole(1),
    metavar="N",
    help="If POSITION is a game: its position before turn N.  [default: the latest]",
)


def example_hint(command: str) -> str:
    """The hint below an answer given without a position."""
    return _(
        "This is a built-in example. For yours, orbis edit game.toml asks step by step,\n"
        "or fill in what orbis new --template writes; then run orbis {command} game.toml\n",
        command=command,
    )


def write_pictures(
    position: Position, svg: str | None, png: str | None, move: Move | None = None, caption: str | None = None
) -> None:
    """Writes the position as a picture, to one file or two; draws before the first is written."""
    from ..drawing.picture import draw_position
    from ..drawing.scene import to_png, to_svg

    if svg == png == "-":
        raise click.UsageError(_("--svg and --png cannot both go to standard output."))
    if png == "-" and sys.stdout is not None and sys.stdout.isatty():
        raise InputError.one("--png", _("expected a file, or standard output redirected to one, found a terminal"))
    scene = draw_position(position, move, caption)
    drawn = [(svg, to_svg(scene).encode("utf-8")) if svg else None, (png, to_png(scene)) if png else None]
    for each in drawn:
        if each is not None:
            write_bytes(each[1], each[0])
