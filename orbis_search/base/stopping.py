"""Work that another thread ends."""

from __future__ import annotations

from threading import Event


class Stopped(Exception):
    """Ended in the middle, with nothing to show for it."""


class Stop(Event):
    """Set to end work early, with what is known by then; with `discard`, at once and with nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.unwanted = False

    def discard(self) -> None:
        self.unwanted = True
        self.set()


def expect_wanted(stop: Event | None) -> None:
    """Stopped if nobody wants even what is known."""
    if isinstance(stop, Stop) and stop.unwanted:
        raise Stopped
