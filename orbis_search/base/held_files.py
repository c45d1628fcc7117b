"""Files that one program at a time continues: locked while it holds them; they grow by whole lines, or are replaced.

    with closing(HeldLines("games.jsonl")) as file:
        known = file.data.splitlines()
        file.add(b'{"round": 3}')

What `add` has returned from survives the end of the program, however it ends. A last line without its line break was
cut short: it is not in `data`, and the next `add` writes over it.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from .errors import InputError, reason
from .language import _
from .quoting import place_of

try:
    import fcntl
except ImportError:  # a system without it: nothing guards against a second program
    fcntl = None  # type: ignore[assignment]


def lock(descriptor: int, path: str) -> None:
    """Until the file is closed; InputError if another program has it."""
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        message = _("expected a file that no other program is using, found it in use")
        raise InputError.one(place_of(path), message) from None


def open_locked(path: str, create: bool = False) -> int:
    """Open to be read and written; OSError if the system refuses, InputError if another program has the file."""
    flags = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | (os.O_CREAT if create else 0)
    while True:
        descriptor = os.open(path, flags, 0o666)
        try:
            lock(descriptor, path)
            # Another program may have replaced the file before it was locked.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def unwritable(path: str, error: OSError) -> InputError:
    message = _("expected a writable file, found: {reason}", reason=reason(error))
    return InputError.one(place_of(path), message)


def split_confirmed(data: bytes) -> tuple[bytes, bytes]:
    """What ends with a line break, and the rest. After a power cut the rest may be zeros."""
    end = data.rfind(b"\n") + 1
    return data[:end], data[end:]


class HeldLines:
    """A file of lines, made if there is none, and held until it is closed."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
                # A device may never end, and nobody can read back what it was sent.
                raise InputError.one(place_of(path), _("expected a file that can be continued, found something else"))
            self._descriptor = open_locked(path, create=True)
        except OSError as error:
            raise unwritable(path, error) from None
        try:
            with os.fdopen(os.dup(self._descriptor), "rb") as file:
                self.data = split_confirmed(file.read())[0]  # the lines that were there
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise unwritable(path, error) from None
            raise
        self._size = len(self.data)

    def add(self, line: bytes) -> None:
        """A line more. InputError if it cannot be written, and the file is as it was."""
        try:
            self._size = append(self._descriptor, self._size, line + b"\n")
        except OSError as error:
            raise unwritable(self.path, error) from None

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            try:
                os.close(descriptor)  # which also releases the lock
            except OSError as error:  # what some file systems find out only now
                raise unwritable(self.path, error) from None


class HeldFile:
    """A file that is written anew as a whole, by this program alone from when it is there."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._descriptor = -1
        try:
            if os.path.exists(path):
                self._descriptor = open_locked(path)
        except OSError as error:
            raise unwritable(path, error) from None

    def keep(self, data: bytes) -> None:
        """All or nothing: a reader finds the old contents or the new ones."""
        try:
            new = self._descriptor < 0 or not os.path.exists(self.path)  # somebody may have removed it
            descriptor = replace_locked(self.path, data, new)
        except FileExistsError:
            message = _("expected a file that no other program is using, found it in use")
            raise InputError.one(place_of(self.path), message) from None
        except OSError as error:
            raise unwritable(self.path, error) from None
        self.close()
        self._descriptor = descriptor

    def remove(self) -> None:
        if self._descriptor >= 0:
            with suppress(FileNotFoundError):
                os.unlink(self.path)
            self.close()

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)  # which also releases the lock
            self._descriptor = -1


def append(descriptor: int, size: int, data: bytes, sync: bool = False) -> int:
    """Writes behind the first `size` bytes, where something cut short may stand; returns how many there are then."""
    os.ftruncate(descriptor, size)
    try:
        written = 0
        while written < len(data):
            written += os.pwrite(descriptor, data[written:], size + written)
        if sync:
            os.fsync(descriptor)
    except BaseException:
        with suppress(OSError):
            os.ftruncate(descriptor, size)
        raise
    return size + len(data)


def replace_locked(path: str, data: bytes, new: bool = False) -> int:
    """Writes a file that then replaces the one at `path`, or is the first there (`new`); returns it open and locked.

    Its name is always the same, so that a crash leaves at most one behind, which is then reused.
    """
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name[:200]}~")
    descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    try:
        lock(descriptor, path)
    except BaseException:
        os.close(descriptor)  # but keep it: another program is about to move it into place
        raise
    try:
        os.ftruncate(descriptor, 0)
        written = 0
        while written < len(data):
            written += os.write(descriptor, data[written:])
        if not new:
            os.fchmod(descriptor, stat.S_IMODE(os.stat(target).st_mode))
        os.fsync(descriptor)
        if new:
            _move_to_new(temporary, target)
        else:
            os.replace(temporary, target)
        _sync_folder(folder)
    except BaseException:
        os.close(descriptor)
        with suppress(OSError):
            os.unlink(temporary)
        raise
    return descriptor


def write_whole(path: str, data: bytes) -> None:
    """A file that is there as a whole or not at all, whatever happens in between; InputError if it cannot be."""
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name[:200]}~")
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        with suppress(OSError):
            os.unlink(temporary)
        raise unwritable(path, error) from None
    _sync_folder(folder)


def _move_to_new(temporary: str, target: str) -> None:
    """FileExistsError if the name has been taken in the meantime."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.rename(temporary, target)
    else:
        os.unlink(temporary)


def _sync_folder(folder: str) -> None:
    """The new name must survive a power cut too."""
    with suppress(OSError):  # not every system lets a folder be opened
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
