"""What the commands share: options spelled alike, positions read from anywhere, output written safely."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from ..errors import InputError

if TYPE_CHECKING:
    from ..position import Move, Position
    from ..tiles import TileSet

F = TypeVar("F", bound=Callable[..., Any])

MAX_BYTES = 1 << 20  # no position or tile set comes near; a device that never ends does
MAX_SEED = 2**63 - 1


# The options.



def _complete(kind: str) -> Callable[..., list[Any]]:
    """What a shell offers, from `completion`, which is imported only if a shell asks."""

    def complete(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[Any]:
        from . import completion

        found: list[Any] = getattr(completion, f"complete_{kind}")(ctx, parameter, incomplete)
        return found

    return complete


position_argument = click.argument("position", metavar="POSITION", shell_complete=_complete("files"))
# Commands that answer something without one take the built-in example.
optional_position_argument = click.argument(
    "position", metavar="[POSITION]", required=False, shell_complete=_complete("files")
)
move_argument = click.argument("move", metavar="MOVE", nargs=-1, required=True, shell_complete=_complete("move"))
EXAMPLE_HINT = (
    "This is a built-in example. Your own: orbis edit game.toml asks for it step by step, and then\n"
    "orbis COMMAND game.toml reads it; docs/positions.md says how to write such a file by hand.\n"
)
players_option = click.option(
    "--players", type=click.IntRange(2, 4), default=2, show_default=True, help="Number of players."
)
seed_option = click.option(
    "--seed", type=click.IntRange(0, MAX_SEED), metavar="N", help="Seed of everything that is random."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON.")
oneline_option = click.option("--oneline", is_flag=True, help="Write the one-line form.")
color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colour; auto is on a terminal, unless NO_COLOR is set.",
)
output_option = click.option(
    "-o", "--output", metavar="FILE", shell_complete=_complete("files"),
    help="Write to FILE instead of standard output.",
)  # fmt: skip
svg_option = click.option("--svg", metavar="FILE", help="Write a picture as SVG; - is standard output.")
png_option = click.option("--png", metavar="FILE", help="Write a picture as PNG; needs the png extra.")


class Duration(click.ParamType):  # type: ignore[type-arg]
    """`5s`, `250ms`, `2m`, `1h`, or a plain number of seconds."""

    name = "time"
    UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(ms|s|m|h|)", str(value).strip().lower())
        if match is None or float(match[1]) <= 0:
            self.fail(f"expected a time such as 5s, 250ms or 2m, found {value!r}", param, ctx)
        return float(match[1]) * self.UNITS[match[2]]


class Size(click.ParamType):  # type: ignore[type-arg]
    """`64M`, `2G`, or a plain number of bytes."""

    name = "size"
    UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"([0-9]{1,12})\s*([kmg]?)(?:i?b)?", str(value).strip().lower())
        size = int(match[1]) * self.UNITS[match[2]] if match else 0
        if not 1 << 20 <= size <= 1 << 35:
            self.fail(f"expected a size from 1M to 32G, such as 64M, found {value!r}", param, ctx)
        return size


duration_type, size_type = Duration(), Size()


def tiles_option(text: str) -> Callable[[F], F]:
    return click.option(
        "--tiles", metavar="FILE", shell_complete=_complete("tiles"),
        help=f"{text}: a file, a built-in name, or random:SEED.",
    )  # fmt: skip


position_tiles_option = tiles_option("Tile set to use instead of the one the position names")


# Reading.


def load_position(argument: str | None, tiles: str | None = None, example: str = "middle") -> Position:
    """A file, `-`, a one-line position, or (None) a built-in example.

    Raises InputError with every problem, each with its place.
    """
    from ..notation import read_position

    if argument is None:
        from ..positions import example_text

        return read_position(example_text(example), position_name(argument), tiles=tiles)
    if is_in_line(argument):
        return read_position(argument, position_name(argument), tiles=tiles)
    base = "." if argument == "-" else os.path.dirname(argument) or "."
    return read_position(read_bytes(argument, "position"), place_of(argument), base, tiles)


def is_in_line(argument: str) -> bool:
    """Whether the argument is a one-line position itself and no file."""
    return re.match(r"[oO][0-9]+:", argument) is not None and not os.path.exists(argument)


def position_name(argument: str | None) -> str:
    """What messages call the position."""
    if argument is None:
        return "the built-in example"
    return "position" if is_in_line(argument) else place_of(argument)


def position_folder(argument: str | None, tiles: str | None) -> str:
    """The folder that the position's tile set path is relative to."""
    if argument is None or tiles or not os.path.isfile(argument):
        return "."
    return os.path.dirname(argument)


def load_tiles(argument: str) -> TileSet:
    """A file, `-`, a built-in name or random:SEED."""
    from ..tiles import load_tile_set, parse_tile_set

    if argument == "-":
        return parse_tile_set(read_text("-", "tile set"), "-", place_of("-"))
    return load_tile_set(argument)


def read_bytes(path: str, what: str) -> bytes:
    """What the file holds; one line says why not, if it cannot be read."""
    place = place_of(path)
    try:
        if path == "-":
            if sys.stdin is None:
                raise InputError.one(place, f"expected a {what}, found no standard input")
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        hint = ", - or a one-line position" if what == "position" else " or -"
        raise InputError.one(place, f"expected a {what} file{hint}, found no such file") from None
    except IsADirectoryError:
        raise InputError.one(place, f"expected a {what} file, found a directory") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError.one(place, f"expected a readable {what} file, found: {reason}") from None
    if len(data) > MAX_BYTES:
        raise InputError.one(place, f"expected a {what} of at most {MAX_BYTES} bytes, found more")
    return data


def read_text(path: str, what: str) -> str:
    data = read_bytes(path, what)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02x} in line {line}"
        raise InputError.one(place_of(path), f"expected a text in UTF-8, found {found}") from None


def place_of(path: str) -> str:
    """What problems call a file: its name, on one line and not too long."""
    if path == "-":
        return "standard input"
    text = path if len(path) <= 120 else path[:117] + "..."
    return text if text.isprintable() else ascii(text)


# Writing.


def wants_colour(choice: str, stream: IO[str] | None = None) -> bool:
    """Whether to colour what goes to the stream; the rule of no-color.org for `auto`."""
    if choice != "auto":
        return choice == "always"
    stream = sys.stdout if stream is None else stream
    on_terminal = stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    return on_terminal and not os.environ.get("NO_COLOR")


def write(text: str, output: str | None = None) -> None:
    """The whole output of a command, to a file or to standard output; called once it has succeeded."""
    if output is not None and output != "-":
        _write_file(text.encode("utf-8"), output)
        return
    if sys.stdout is None:
        raise InputError.one("standard output", "expected a place to write to, found it closed")
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        from ..render import to_ascii

        text = to_ascii(text).encode(encoding, "replace").decode(encoding)
    sys.stdout.write(text)


def write_pictures(
    position: Position, svg: str | None, png: str | None, move: Move | None = None, caption: str | None = None
) -> None:
    """The position as a picture, to one file or two; drawn before the first is written."""
    from ..picture import draw_position, to_png, to_svg

    if svg == png == "-":
        raise click.UsageError("--svg and --png cannot both go to standard output.")
    if png == "-" and sys.stdout is not None and sys.stdout.isatty():
        raise InputError.one("--png", "expected a file, or standard output to be one, found a terminal")
    scene = draw_position(position, move, caption)
    drawn = [(svg, to_svg(scene).encode("utf-8")) if svg else None, (png, to_png(scene)) if png else None]
    for each in drawn:
        if each is not None:
            write_bytes(each[1], each[0])


def write_bytes(data: bytes, output: str | None = None) -> None:
    """As `write`, for what is no text of a terminal's encoding."""
    if output is not None and output != "-":
        _write_file(data, output)
        return
    if sys.stdout is None:
        raise InputError.one("standard output", "expected a place to write to, found it closed")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _write_file(data: bytes, path: str) -> None:
    """All or nothing: a reader sees the old file or the new one, never half of it."""
    place = place_of(path)
    target = os.path.realpath(path)
    temporary = None
    try:
        if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
            # A device or a pipe is written to; renaming over it would replace it.
            with open(target, "wb") as file:
                file.write(data)
            return
        temporary = os.path.join(os.path.dirname(target), f".{os.path.basename(target)[:200]}.{os.getpid()}~")
        with open(temporary, "xb") as file:
            file.write(data)
        if os.path.exists(target):
            os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(temporary, target)
        temporary = None
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError.one(place, f"expected a file that can be written, found: {reason}") from None
    finally:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)


def write_json(value: Any, output: str | None = None) -> None:
    import json

    write(json.dumps(value, indent=2, ensure_ascii=False) + "\n", output)


def rebased(position: Position, read_from: str, output: str | None) -> Position:
    """The position with its tile set's path as seen from where the position will be written."""
    from dataclasses import replace

    return replace(position, tiles=rebased_tiles(position.tiles, read_from, output))


def rebased_tiles(tiles: TileSet, read_from: str, output: str | None) -> TileSet:
    from dataclasses import replace

    path = os.path.join(read_from, tiles.name)
    if tiles.name.startswith("random:") or not os.path.isfile(path) or os.path.isabs(tiles.name):
        return tiles
    target = os.path.dirname(output) if output is not None and output != "-" else ""
    return replace(tiles, name=os.path.relpath(path, target or ".").replace(os.sep, "/"))
