"""A tab's conversation with the engine: what it sends goes in as lines, and answers come out as messages.

Each tab has an engine of its own, whose searches all pass one gate; so a tab that asks for much makes only itself wait.
Nothing here grows without bound: a tab that sends faster than it is answered is read more slowly, and one that does not
read its answers makes its own engine wait.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Condition, Semaphore, Thread
from typing import BinaryIO, cast

from ..engine.server import Engine

WAITING = 64  # requests of a tab that may wait before no more are read
UNSENT = 64  # answers of a tab that may wait before its engine does
MEMORY = 64 << 20  # bytes for a search
SEARCHES = 2  # of a tab at a time: the next one does not wait for the last word of one that was cancelled


class _Inbox:
    """A file to read requests from, as they come."""

    def __init__(self) -> None:
        self.lines: SimpleQueue[bytes] = SimpleQueue()

    def read(self, _size: int = -1) -> bytes:
        return self.lines.get()  # empty at the end

    def put(self, line: bytes) -> None:
        self.lines.put(line)


class _Outbox:
    """A file to write answers to; whoever writes waits while too many are unsent."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.ready = asyncio.Event()
        self.lines: deque[bytes] = deque()
        self.room = Condition()
        self.closed = False

    def write(self, line: bytes) -> int:
        with self.room:
            while len(self.lines) >= UNSENT and not self.closed:
                self.room.wait()
            if self.closed:
                raise BrokenPipeError
            self.lines.append(bytes(line))
        with suppress(RuntimeError):  # the server is ending
            self.loop.call_soon_threadsafe(self.ready.set)
        return len(line)

    def flush(self) -> None:
        pass

    def take(self) -> bytes | None:
        with self.room:
            line = self.lines.popleft() if self.lines else None
            self.room.notify_all()
        return line

    def close(self) -> None:
        with self.room:
            self.closed = True
            self.room.notify_all()


class Bridge:
    """One tab's engine, from when it connects until it is gone."""

    def __init__(self, gate: Semaphore) -> None:
        self.inbox = _Inbox()
        self.outbox = _Outbox(asyncio.get_running_loop())
        self.engine = Engine(
            cast(BinaryIO, self.inbox), cast(BinaryIO, self.outbox), workers=SEARCHES, memory=MEMORY, gate=gate
        )
        self.thread = Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        with suppress(BrokenPipeError):
            self.engine.run()

    async def ask(self, message: bytes) -> None:
        """Passes a message on, once there is room for it."""
        while len(self.engine.jobs) >= WAITING or self.inbox.lines.qsize() >= WAITING:
            await asyncio.sleep(0.01)
        # A message is one request, whatever it contains: a line break inside of it would make it two.
        self.inbox.put(message.replace(b"\r", b" ").replace(b"\n", b" ") + b"\n")

    async def answer(self, send: Callable[[str], Awaitable[None]]) -> None:
        """Sends answers, for as long as somebody takes them."""
        while True:
            await self.outbox.ready.wait()
            self.outbox.ready.clear()
            while (line := self.outbox.take()) is not None:
                await send(line.decode("ascii").rstrip("\n"))

    def hang_up(self) -> None:
        """The tab is gone, and with it everything it asked for."""
        self.outbox.close()
        self.engine.hang_up()
        self.inbox.put(b"")
