"""What the machine lacks, told like any other problem: memory, threads, processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .errors import InputError, reason
from .language import _


class MachineError(InputError):
    """The machine cannot do what was asked; with more memory or fewer limits, the same input is fine."""


def no_memory(memory: int) -> InputError:
    """The machine has less than was asked for, or the search needs more: another number helps."""
    return InputError.one(
        "memory", _("expected an amount of memory that is available, found {found} bytes", found=memory)
    )


def out_of_memory() -> MachineError:
    return MachineError.one("memory", _("expected enough memory to do this, found none left"))


@contextmanager
def starting_threads() -> Iterator[None]:
    """Threads start inside; MachineError if the system does not let them."""
    try:
        yield
    except RuntimeError as error:
        if "can't start new thread" not in str(error):
            raise
        message = _("expected the system to start another thread, found that it starts no more")
        raise MachineError.one("threads", message) from None


@contextmanager
def starting_processes() -> Iterator[None]:
    """Processes start inside; MachineError if the system does not let them."""
    try:
        yield
    except OSError as error:
        message = _("expected the system to start another process, found: {reason}", reason=reason(error))
        raise MachineError.one("processes", message) from None
