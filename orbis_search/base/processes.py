"""One piece of work in a process of its own."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterable
from multiprocessing import get_context
from typing import TYPE_CHECKING, TypeVar

from .errors import InputError
from .interrupts import InterruptsHeld
from .jobs import ANSWER, answer_from, error_to_send
from .language import _
from .machine import MachineError, out_of_memory, starting_processes

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

Job = TypeVar("Job")
Answer = TypeVar("Answer")

_END = "end"


class WorkerDied(MachineError):
    """The process ended in the middle of its work."""


def in_own_process(work: Callable[[Job], Iterable[Answer]], job: Job) -> Generator[Answer, None, None]:
    """What the work yields, as it comes in; it is done in a process of its own, which ends with the loop.

    For work whose libraries should not be in this process: they may take long to hear Ctrl-C, or mind a fork.
    """
    context = get_context("spawn")
    with InterruptsHeld(), starting_processes():
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve_one, args=(work, job, theirs), daemon=True)
        process.start()
        theirs.close()
    try:
        while True:
            try:
                kind, answer = ours.recv()
            except (EOFError, ConnectionResetError):
                raise _died(process) from None
            if kind == _END:
                return
            if kind != ANSWER:
                raise answer_from(kind, answer)
            yield answer
    finally:
        ours.close()
        process.terminate()
        process.join()


def _died(process: BaseProcess) -> WorkerDied:
    process.join(1)
    message = _("expected an answer from a process, found it ended (exit code {code})", code=process.exitcode)
    return WorkerDied.one("processes", message)


def _serve_one(work: Callable[[Job], Iterable[Answer]], job: Job, pipe: Connection) -> None:
    """In a process for one job alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        try:
            for answer in work(job):
                pipe.send((ANSWER, answer))
            pipe.send((_END, None))
        except InputError as error:
            pipe.send(error_to_send(error))
        except MemoryError:
            pipe.send(error_to_send(out_of_memory()))
    except (BrokenPipeError, ConnectionResetError):
        pass  # nobody wants to know the rest
