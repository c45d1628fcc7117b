"""The same work on many jobs, in processes of their own.

A process gets its next job when it hands in one. Ctrl-C is the caller's to answer: the workers do not hear
it, and leaving the loop, for whatever reason, ends them all. One that dies alone, for want of memory say, is
told of and not waited for.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, TypeVar

from .errors import InputError, OrbisError
from .interrupts import InterruptsHeld

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

Job = TypeVar("Job")
Answer = TypeVar("Answer")


class WorkerDied(OrbisError):
    """A process ended in the middle of a job."""


def in_processes(
    work: Callable[[Job], Answer], jobs: Iterable[Job], processes: int
) -> Iterator[tuple[Job, Answer | InputError]]:
    """Each job with its answer, or with the InputError it met, as they come in.

    `work` is a function of a module, jobs and answers can be pickled. One process works right here.
    """
    if processes == 1:
        for job in jobs:
            yield job, _answer(work, job)
        return
    waiting = iter(jobs)
    workers: dict[Connection, SpawnProcess] = {}
    busy: dict[Connection, Job] = {}
    try:
        context = get_context("spawn")
        with InterruptsHeld():
            for job in waiting:
                ours, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(work, theirs), daemon=True)
                process.start()
                theirs.close()
                workers[ours] = process
                busy[ours] = job
                if len(workers) == processes:
                    break
        for pipe, job in busy.items():
            pipe.send(job)
        while busy:
            ready = wait(list(busy))
            for pipe in [each for each in busy if each in ready]:
                job = busy.pop(pipe)
                try:
                    answer = pipe.recv()
                except (EOFError, ConnectionResetError):
                    code = workers[pipe].exitcode
                    raise WorkerDied(f"expected an answer from a process, found it ended (exit code {code})") from None
                for following in waiting:
                    pipe.send(following)
                    busy[pipe] = following
                    break
                yield job, InputError(answer[1]) if answer[0] == "problems" else answer[1]
    finally:
        for pipe, process in workers.items():
            pipe.close()
            process.terminate()
        for process in workers.values():
            process.join()


def _answer(work: Callable[[Job], Answer], job: Job) -> Answer | InputError:
    try:
        return work(job)
    except InputError as error:
        return error


def _serve(work: Callable[[Job], Answer], pipe: Connection) -> None:
    """In the worker. Problems travel as a list: an exception would lose them on the way."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while True:
            answer = _answer(work, pipe.recv())
            pipe.send(("problems", answer.problems) if isinstance(answer, InputError) else ("answer", answer))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # nobody wants to know the rest
