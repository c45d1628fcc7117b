"""Ctrl-C, deferred for a moment."""

from __future__ import annotations

import signal


class InterruptsHeld:
    """A context in which SIGINT is blocked and waits. Threads and processes that start in it never receive it: a
    process that is just starting would answer with a traceback, and a thread half started could get lost."""

    def __enter__(self) -> None:
        self.before = None
        if hasattr(signal, "pthread_sigmask"):
            self.before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})

    def __exit__(self, *_: object) -> None:
        if self.before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, self.before)
