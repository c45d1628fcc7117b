"""A text kept in a file while it grows: once `keep` returns, it survives a crash or power cut.

What was added is appended and forced to disk; anything else goes to a new file beside the old one, which it then
replaces. So a reader finds either the old text or the new one. Only one program at a time has the file open to write.
"""

from __future__ import annotations

import os

from .errors import InputError, reason
from .held_files import append, open_locked, replace_locked, split_confirmed, unwritable
from .language import _
from .quoting import place_of


class KeptText:
    """The file is locked while this is open."""

    def __init__(self, path: str, descriptor: int, size: int) -> None:
        """Use `create` or `opened`."""
        self.path = path
        self._descriptor = descriptor
        self._size = size  # bytes of it that count
        self.text = ""  # what was kept last, as we write it

    @classmethod
    def create(cls, path: str, text: str) -> KeptText:
        """A new file. InputError if there is one already."""
        if os.path.lexists(path):
            raise InputError.one(place_of(path), _("expected a name that no file has, found a file"))
        try:
            data = text.encode("utf-8")
            made = cls(path, replace_locked(path, data, new=True), len(data))
        except FileExistsError:
            raise InputError.one(place_of(path), _("expected a name that no file has, found a file")) from None
        except OSError as error:
            raise unwritable(path, error) from None
        made.text = text
        return made

    @classmethod
    def opened(cls, path: str, most: int) -> tuple[KeptText, bytes]:
        """An existing file, to be continued, and its contents, of which at most one byte too many is read."""
        try:
            descriptor = open_locked(path)
        except OSError as error:
            raise (unwritable if os.access(path, os.R_OK) else unreadable_game)(path, error) from None
        try:
            with os.fdopen(os.dup(descriptor), "rb") as file:
                data = file.read(most + 1)
        except OSError as error:
            os.close(descriptor)
            raise unreadable_game(path, error) from None
        return cls(path, descriptor, len(split_confirmed(data)[0])), data

    def keep(self, text: str) -> None:
        """Puts the text on disk before it returns. InputError if that fails, and the file is as it was."""
        try:
            if self.text and text.startswith(self.text):
                self._append(text[len(self.text) :].encode("utf-8"))
            else:
                self._replace(text.encode("utf-8"))
        except OSError as error:
            raise unwritable(self.path, error) from None
        self.text = text

    def _append(self, data: bytes) -> None:
        if data:
            self._size = append(self._descriptor, self._size, data, sync=True)

    def _replace(self, data: bytes) -> None:
        descriptor = replace_locked(self.path, data)
        os.close(self._descriptor)
        self._descriptor, self._size = descriptor, len(data)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)  # which also releases the lock
            self._descriptor = -1


def unreadable_game(path: str, error: OSError) -> InputError:
    return InputError.one(place_of(path), _("expected a readable game file, found: {reason}", reason=reason(error)))


def confirmed(data: bytes, place: str, most: int) -> tuple[bytes, str]:
    """The whole lines of a game's file, and the start of one that was cut short. InputError if there is too much of
    it."""
    if len(data) > most:  # or the end of what was read would be taken for a line cut short
        raise InputError.one(place, _("expected a game of at most {most} bytes, found more", most=most))
    whole, cut = split_confirmed(data)
    return whole, cut.decode("utf-8", "replace").strip("\0 \t\r")
