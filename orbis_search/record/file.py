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

from ..base.kept_text import KeptText, confirmed, unreadable_game
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
        raise unreadable_game(path, error) from None


def record_from_bytes(
    data: bytes, place: str = "", base_dir: Folder = None, tiles: TileSet | str | None = None
) -> LoadedRecord:
    """The record in the contents of such a file: text, or its JSON form."""
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        return LoadedRecord(read_record_json(decoded(data, place), place, base_dir, tiles), "")
    return _record_from_text(data, place, base_dir, tiles)


def _record_from_text(data: bytes, place: str, base_dir: Folder, tiles: TileSet | str | None) -> LoadedRecord:
    whole, cut = confirmed(data, place, MAX_BYTES)
    return LoadedRecord(read_record(whole, place, base_dir, tiles), cut)


class RecordFile:
    """A record and the file that holds it, locked while this is open."""

    def __init__(self, kept: KeptText, record: Record, cut: str = "") -> None:
        """Use `create` or `open`."""
        self.path, self.record, self.cut = kept.path, record, cut
        self._kept = kept
        kept.text = write_record(record)  # whatever the file says, the same record as we write it

    @classmethod
    def create(cls, path: str, record: Record) -> RecordFile:
        """A new file. InputError if there is one already."""
        expect_path(path)
        return cls(KeptText.create(path, write_record(record)), record)

    @classmethod
    def open(cls, path: str, tiles: TileSet | str | None = None) -> RecordFile:
        """An existing file, to be continued."""
        expect_path(path)
        kept, data = KeptText.opened(path, MAX_BYTES)
        try:
            record, cut = _record_from_text(data, place_of(path), os.path.dirname(path) or ".", tiles)
            return cls(kept, record, cut)
        except BaseException:
            kept.close()
            raise

    def keep(self, record: Record) -> None:
        """Puts the record on disk before it returns. InputError if that fails, and the file is as it was."""
        self._kept.keep(write_record(record))
        self.record = record

    def close(self) -> None:
        self._kept.close()

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
