"""Reads positions and tile sets from anywhere, and writes output safely. Without click, which is slow to import."""

from __future__ import annotations

import os
import stat
import sys

from ..base.errors import InputError, reason
from ..base.language import N_, _
from ..base.position_text import is_in_line as looks_in_line
from ..base.quoting import place_of
from ..base.values import NamedTuple
from ..notation import LETTER

TYPE_CHECKING = False  # importing typing would be slow: this module loads before click
if TYPE_CHECKING:
    from typing import IO, Any

    from ..game.position import Position
    from ..game.tiles import TileSet
    from ..record.file import LoadedRecord

MAX_BYTES = 1 << 20  # no position or tile set comes near; an endless device does


# Reading.


def load_position(
    argument: str | None, tiles: str | None = None, example: str = "middle", turn: int | None = None
) -> Position:
    """A file, `-`, a one-line position, or (None) a built-in example. Of a game, the latest position or the one before
    a turn.

    Raises InputError with every problem, each with its place.
    """
    from ..record.positions import expect_no_turn, read_position_or_game

    if tiles == argument == "-":
        raise InputError.one(place_of("-"), _("expected a position or a tile set, found a request for both"))
    chosen = load_tiles(tiles) if tiles == "-" else tiles
    if argument is None:
        from ..notation import read_document
        from ..notation.examples import example_document

        expect_no_turn(turn, "--turn")
        return read_document(example_document(example), position_name(argument), tiles=chosen)
    text: str | bytes = argument if is_in_line(argument) else read_bytes(argument, "position")
    base = "." if argument == "-" or is_in_line(argument) else os.path.dirname(argument) or "."
    position, cut = read_position_or_game(text, position_name(argument), base, chosen, turn, "--turn")
    if cut and sys.stderr is not None:
        print(_("The last line was incomplete and is left out: {text}", text=cut), file=sys.stderr)
    return position


def load_game(argument: str, tiles: str | None = None) -> LoadedRecord:
    """The record in a file or `-`, and the start of a line that was cut short."""
    from ..record.file import record_from_bytes

    if tiles == argument == "-":
        raise InputError.one(place_of("-"), _("expected a game or a tile set, found a request for both"))
    chosen = load_tiles(tiles) if tiles == "-" else tiles
    folder = "." if argument == "-" else os.path.dirname(argument) or "."
    return record_from_bytes(read_bytes(argument, "game"), place_of(argument), folder, chosen)


def is_in_line(argument: str, letter: str = LETTER) -> bool:
    """Whether the argument is a one-line position, of the game with this letter, and not a file."""
    return looks_in_line(argument, letter) and not os.path.exists(argument)


def position_name(argument: str | None, letter: str = LETTER) -> str:
    """What messages call the position."""
    if argument is None:
        return "the built-in example"
    return "position" if is_in_line(argument, letter) else place_of(argument)


def position_folder(argument: str | None, tiles: str | None) -> str:
    """The folder that the position's tile set path is relative to."""
    if argument is None or tiles or not os.path.isfile(argument):
        return "."
    return os.path.dirname(argument)


def load_tiles(argument: str) -> TileSet:
    """A file, `-`, a built-in name or random:SEED."""
    from ..tileset.files import parse_tile_set
    from ..tileset.library import load_tile_set

    if argument == "-":
        return parse_tile_set(read_text("-", "tile set"), "-", place_of("-"))
    return load_tile_set(argument)


class _Messages(NamedTuple):
    """The messages for a kind of file that cannot be read."""

    closed: str
    missing: str
    folder: str
    refused: str
    large: str


_READING = {
    "position": _Messages(
        N_("expected a position, found no standard input"),
        N_("expected a position file, - or a one-line position, found no such file"),
        N_("expected a position file, found a directory"),
        N_("expected a readable position file, found: {reason}"),
        N_("expected a position of at most {most} bytes, found more"),
    ),
    "tile set": _Messages(
        N_("expected a tile set, found no standard input"),
        N_("expected a tile set file or -, found no such file"),
        N_("expected a tile set file, found a directory"),
        N_("expected a readable tile set file, found: {reason}"),
        N_("expected a tile set of at most {most} bytes, found more"),
    ),
    "card set": _Messages(
        N_("expected a card set, found no standard input"),
        N_("expected a card set file or -, found no such file"),
        N_("expected a card set file, found a directory"),
        N_("expected a readable card set file, found: {reason}"),
        N_("expected a card set of at most {most} bytes, found more"),
    ),
    "draft": _Messages(
        N_("expected a draft, found no standard input"),
        N_("expected a draft file or -, found no such file"),
        N_("expected a draft file, found a directory"),
        N_("expected a readable draft file, found: {reason}"),
        N_("expected a draft of at most {most} bytes, found more"),
    ),
    "game": _Messages(
        N_("expected a game, found no standard input"),
        N_("expected a game file or -, found no such file"),
        N_("expected a game file, found a directory"),
        N_("expected a readable game file, found: {reason}"),
        N_("expected a game of at most {most} bytes, found more"),
    ),
    "bench run": _Messages(
        N_("expected a run of orbis bench, found no standard input"),
        N_("expected a run of orbis bench, found no such file"),
        N_("expected a run of orbis bench, found a directory"),
        N_("expected a run of orbis bench, found: {reason}"),
        N_("expected a run of orbis bench of at most {most} bytes, found more"),
    ),
}


def read_bytes(path: str, what: str) -> bytes:
    """The contents of the file; an InputError of one line if it cannot be read."""
    place = place_of(path)
    try:
        if path == "-":
            if sys.stdin is None:
                raise InputError.one(place, _(_READING[what].closed))
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(MAX_BYTES + 1)
    except (FileNotFoundError, ValueError):  # a name that no file can have: half a character, a null
        raise InputError.one(place, _(_READING[what].missing)) from None
    except IsADirectoryError:
        raise InputError.one(place, _(_READING[what].folder)) from None
    except OSError as error:
        raise InputError.one(place, _(_READING[what].refused, reason=reason(error))) from None
    if len(data) > MAX_BYTES:
        raise InputError.one(place, _(_READING[what].large, most=MAX_BYTES))
    return data


def read_text(path: str, what: str) -> str:
    data = read_bytes(path, what)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = N_("expected text in UTF-8, found byte 0x{byte:02x} in line {line}")
        raise InputError.one(place_of(path), _(message, byte=data[error.start], line=line)) from None


# Writing.


def free_name(stem: str, ending: str) -> str:
    """A name that no file has: `game.orbis`, `game-2.orbis`, ..."""
    number = 1
    while os.path.lexists(name := f"{stem}{f'-{number}' if number > 1 else ''}{ending}"):
        number += 1
    return name


def wants_colour(choice: str, stream: IO[str] | None = None) -> bool:
    """Whether to colour what goes to the stream; the rule of no-color.org for `auto`."""
    if choice != "auto":
        return choice == "always"
    stream = sys.stdout if stream is None else stream
    on_terminal = stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    return on_terminal and not os.environ.get("NO_COLOR")


def write(text: str, output: str | None = None) -> None:
    """The whole output of a command, to a file or to standard output; called once it has succeeded."""
    text = _with_whole_characters(text)
    if output is not None and output != "-":
        _write_file(text.encode("utf-8"), output)
        return
    if sys.stdout is None:
        raise InputError.one("standard output", _("expected an open stream, found a closed one"))
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        from ..drawing.canvas import to_ascii

        text = to_ascii(text).encode(encoding, "replace").decode(encoding)
    sys.stdout.write(text)


def _with_whole_characters(text: str) -> str:
    """The bytes of a file name need not be text: Python has halves of characters for them, which nothing can write."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


class GrowingText:
    """A text that only grows, on standard output: what is new of it is written at once."""

    def __init__(self) -> None:
        self._written = 0

    def write(self, text: str) -> None:
        write(text[self._written :])
        self._written = len(text)
        sys.stdout.flush()


def write_bytes(data: bytes, output: str | None = None) -> None:
    """Like `write`, for bytes."""
    if output is not None and output != "-":
        _write_file(data, output)
        return
    if sys.stdout is None:
        raise InputError.one("standard output", _("expected an open stream, found a closed one"))
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def expect_writable(path: str) -> None:
    """InputError if a file cannot be written, before long work is done for it."""
    target = os.path.realpath(path)
    try:
        if os.path.exists(target):
            with open(target, "ab"):
                return
        # Under another name: if this program ends right here, no empty file is taken for an answer.
        with open(temporary := _beside(target), "wb"):
            pass
        os.unlink(temporary)
    except OSError as error:
        message = _("expected a writable file, found: {reason}", reason=reason(error))
        raise InputError.one(place_of(path), message) from None


def _write_file(data: bytes, path: str) -> None:
    """All or nothing: a reader sees the old file or the new one, never half of it."""
    place = place_of(path)
    target = os.path.realpath(path)
    temporary = None
    try:
        if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
            # Write into a device or a pipe; renaming would replace it.
            with open(target, "wb") as file:
                file.write(data)
            return
        temporary = _beside(target)
        with open(temporary, "wb") as file:  # one is there if a program with our number was killed
            file.write(data)
        if os.path.exists(target):
            os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(temporary, target)
        temporary = None
    except OSError as error:
        message = _("expected a writable file, found: {reason}", reason=reason(error))
        raise InputError.one(place, message) from None
    finally:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)


def _beside(target: str) -> str:
    """The name of a file that is to become the target; no other program has it."""
    folder, name = os.path.split(target)
    return os.path.join(folder, f".{name[:200]}.{os.getpid()}~")


def write_json(value: Any, output: str | None = None) -> None:
    from ..base.json import json_text

    write(json_text(value, indent=2) + "\n", output)


def rebased(position: Position, read_from: str, output: str | None) -> Position:
    """The position with its tile set's path as seen from the folder it will be written to."""
    if position.tiles.name == "-":
        message = _("expected a tile set with a name, as the position written must name it, found -")
        raise InputError.one("--tiles", message)
    return position._replace(tiles=rebased_tiles(position.tiles, read_from, output))


def rebased_tiles(tiles: TileSet, read_from: str, output: str | None) -> TileSet:
    path = os.path.join(read_from, tiles.name)
    if tiles.name.startswith("random:") or not os.path.isfile(path) or os.path.isabs(tiles.name):
        return tiles
    target = os.path.dirname(output) if output is not None and output != "-" else ""
    return tiles._replace(name=os.path.relpath(path, target or ".").replace(os.sep, "/"))
