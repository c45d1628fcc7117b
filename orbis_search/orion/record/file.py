"""A record kept in a file during the game (`base.kept_text`)."""

from __future__ import annotations

import os

from ...base.kept_text import KeptText, confirmed, unreadable_game
from ...base.quoting import place_of
from .game import Record
from .text import read_record, record_text

ENDING = ".orion"
MAX_BYTES = 1 << 20


def load_record(path: str) -> Record:
    """The record in a file; InputError says what is wrong with it, and where."""
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise unreadable_game(path, error) from None
    return read_record(confirmed(data, place_of(path), MAX_BYTES)[0], place_of(path), os.path.dirname(path) or ".")


class RecordFile:
    """A record and the file that holds it, locked while this is open."""

    def __init__(self, kept: KeptText, record: Record, cut: str = "") -> None:
        """Use `create` or `open`."""
        self.path, self.record, self.cut = kept.path, record, cut
        self._kept = kept
        kept.text = record_text(record)

    @classmethod
    def create(cls, path: str, record: Record) -> RecordFile:
        """A new file. InputError if there is one already."""
        return cls(KeptText.create(path, record_text(record)), record)

    @classmethod
    def open(cls, path: str) -> RecordFile:
        """An existing file, to be continued."""
        kept, data = KeptText.opened(path, MAX_BYTES)
        try:
            whole, cut = confirmed(data, place_of(path), MAX_BYTES)
            return cls(kept, read_record(whole, place_of(path), os.path.dirname(path) or "."), cut)
        except BaseException:
            kept.close()
            raise

    def keep(self, record: Record) -> None:
        """Puts the record on disk before it returns. InputError if that fails, and the file is as it was."""
        self._kept.keep(record_text(record))
        self.record = record

    def close(self) -> None:
        self._kept.close()
