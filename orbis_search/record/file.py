"""A record kept in a file during the game: once `keep` returns, the record survives a crash or power cut.

    with RecordFile.create("game.orbis", Record(start)) as file:
        file.keep(file.record.play(move, drawn))

New turns are appended and forced to disk, so that a game begun by hand stays as it was written; anything else (a turn
taken back, a draw filled in) goes to a new file beside the old one, which it then replaces. So a reader finds either
the old text or the new one. A line counts once its line break is there: a line cut short is left out, and `cut` says
what it was. Only one program at a time has the file open for writing.
"""

from __future__ import annotations

import os
from types import TracebackType
from typing import NamedTuple

from ..base.errors import InputError, reason
from ..base.held_files import append, open_locked, replace_locked, split_confirmed, unwritable
from ..base.language import _
from ..base.position_text import decoded
from ..base.quoting import place_of
from ..game.kinds import expect_path
from ..game.tiles import TileSet
from ..notation.common import Folder
from .game import Record
from .json import read_record_json
from .text import read_record, write_record

ENDING = ".orbis"
MAX_BYTES = 1 << 20


class LoadedRecord(NamedTuple):
    record: Record
    cut: str  # the start of an unfinished last line, which is left out; "" if there is none


def load_record(path: str, tiles: TileSet | str | None = None) -> LoadedRecord:
    """The record in a file. InputError says what is wrong with it, by line and column.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     RecordFile.create(f"{folder}/game.orbis", Record(position)).close()
    ...     load_record(f"{folder}/game.orbis") == (Record(position), "")
    True
    """
    expect_path(path)
    try:
        with open(path, "rb") as file:
            return record_from_bytes(file.read(MAX_BYTES + 1), place_of(path), os.path.dirname(path) or ".", tiles)
    except OSError as error:
        raise _unreadable(path, error) from None


def record_from_bytes(
    data: bytes, place: str = "", base_dir: Folder = None, tiles: TileSet | str | None = None
) -> LoadedRecord:
    """The record in the contents of such a file: text, or its JSON form."""
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        return LoadedRecord(read_record_json(decoded(data, place), place, base_dir, tiles), "")
    return _record_from_text(data, place, base_dir, tiles)


def _record_from_text(data: bytes, place: str, base_dir: Folder, tiles: TileSet | str | None) -> LoadedRecord:
    if len(data) > MAX_BYTES:  # or the end of what was read would be taken for a line cut short
        raise InputError.one(place, _("expected a game of at most {most} bytes, found more", most=MAX_BYTES))
    whole, cut = split_confirmed(data)
    return LoadedRecord(read_record(whole, place, base_dir, tiles), cut.decode("utf-8", "replace").strip("\0 \t\r"))


class RecordFile:
    """A record and the file that holds it, locked while this is open."""

    def __init__(self, path: str, descriptor: int, record: Record, size: int, cut: str = "") -> None:
        """Use `create` or `open`."""
        self.path, self.record, self.cut = path, record, cut
        self._descriptor = descriptor
        self._size = size  # bytes of it that count
        self._text = write_record(record)  # the same record as we write it

    @classmethod
    def create(cls, path: str, record: Record) -> RecordFile:
        """A new file. InputError if there is one already."""
        expect_path(path)
        text = write_record(record)
        if os.path.lexists(path):
            raise InputError.one(place_of(path), _("expected a name that no file has, found a file"))
        try:
            return cls(path, replace_locked(path, text.encode("utf-8"), new=True), record, len(text.encode("utf-8")))
        except FileExistsError:
            raise InputError.one(place_of(path), _("expected a name that no file has, found a file")) from None
        except OSError as error:
            raise unwritable(path, error) from None

    @classmethod
    def open(cls, path: str, tiles: TileSet | str | None = None) -> RecordFile:
        """An existing file, to be continued."""
        expect_path(path)
        try:
            descriptor = open_locked(path)
        except OSError as error:
            raise (unwritable if os.access(path, os.R_OK) else _unreadable)(path, error) from None
        try:
            with os.fdopen(os.dup(descriptor), "rb") as file:
                data = file.read(MAX_BYTES + 1)
            record, cut = _record_from_text(data, place_of(path), os.path.dirname(path) or ".", tiles)
            return cls(path, descriptor, record, len(split_confirmed(data)[0]), cut)
        except BaseException as error:
            os.close(descriptor)
            if isinstance(error, OSError):
                raise _unreadable(path, error) from None
            raise

    def keep(self, record: Record) -> None:
        """Puts the record on disk before it returns. InputError if that fails, and the file is as it was."""
        text = write_record(record)
        try:
            if text.startswith(self._text):
                self._append(text[len(self._text) :].encode("utf-8"))
            else:
                self._replace(text)
        except OSError as error:
            raise unwritable(self.path, error) from None
        self.record, self._text = record, text

    def _append(self, data: bytes) -> None:
        if not data:
            return
        self._size = append(self._descriptor, self._size, data, sync=True)

    def _replace(self, text: str) -> None:
        data = text.encode("utf-8")
        descriptor = replace_locked(self.path, data)
        os.close(self._descriptor)
        self._descriptor, self._size = descriptor, len(data)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)  # which also releases the lock
            self._descriptor = -1

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _unreadable(path: str, error: OSError) -> InputError:
    return InputError.one(place_of(path), _("expected a readable game file, found: {reason}", reason=reason(error)))
