"""The same work on many jobs, in processes of their own.

A process gets its next job when it hands in one. Handling Ctrl-C is up to the caller: the workers never receive it, and
leaving the loop, for whatever reason, ends them all. A worker that dies on its own, say for lack of memory, is reported
and not waited for.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import InputError, Problem
from .interrupts import InterruptsHeld
from .language import _
from .machine import MachineError, out_of_memory, starting_processes, starting_threads

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.pool import Pool
    from multiprocessing.process import BaseProcess

Job = TypeVar("Job")
Answer = TypeVar("Answer")


class WorkerDied(MachineError):
    """A process ended in the middle of a job."""


def in_processes(
    work: Callable[[Job], Answer], jobs: Iterable[Job], processes: int
) -> Generator[tuple[Job, Answer | InputError], None, None]:
    """Each job with its answer, or with the InputError it met, as they come in.

    `work` is a module-level function; jobs and answers can be pickled. With one process, the work is done in this one.
    """
    if processes == 1:
        for job in jobs:
            yield job, _answer(work, job)
        return
    waiting = iter(jobs)
    workers: dict[Any, BaseProcess] = {}  # by the pipe that leads there
    busy: dict[Any, Job] = {}
    try:
        context = get_context("spawn")
        with InterruptsHeld(), starting_processes():
            for job in islice(waiting, processes):
                ours, theirs = context.Pipe()
                process: BaseProcess = context.Process(target=_serve, args=(work, theirs), daemon=True)
                process.start()
                workers[ours] = process
                theirs.close()
                busy[ours] = job
        for pipe, job in busy.items():
            pipe.send(job)
        while busy:
            ready: Any
            for ready in wait(list(busy)):
                job = busy.pop(ready)
                try:
                    kind, answer = ready.recv()
                except (EOFError, ConnectionResetError):
                    raise _died(workers[ready]) from None
                for following in islice(waiting, 1):
                    ready.send(following)
                    busy[ready] = following
                yield job, answer if kind == ANSWER else error_from(kind, answer)
    finally:
        for pipe, process in workers.items():
            pipe.close()
            process.terminate()
        for process in workers.values():
            process.join()


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
                raise error_from(kind, answer)
            yield answer
    finally:
        ours.close()
        process.terminate()
        process.join()


def _died(process: BaseProcess) -> WorkerDied:
    process.join(1)
    message = _("expected an answer from a process, found it ended (exit code {code})", code=process.exitcode)
    return WorkerDied.one("processes", message)


@contextmanager
def process_pool(processes: int) -> Iterator[Pool]:
    """Processes whose answers come in the order of the jobs."""
    with starting_processes(), starting_threads():
        pool = get_context("spawn").Pool(processes)
    with pool:
        yield pool


def _answer(work: Callable[[Job], Answer], job: Job) -> Answer | InputError:
    try:
        return work(job)
    except InputError as error:
        return error
    except MemoryError:
        return out_of_memory()


# An exception would lose its problems on the way through a pipe: they travel as a list, after a word.
ANSWER, _PROBLEMS, _MACHINE, _END = "answer", "problems", "machine", "end"


def error_to_send(error: InputError) -> tuple[str, tuple[Problem, ...]]:
    return _MACHINE if isinstance(error, MachineError) else _PROBLEMS, error.problems


def error_from(word: str, problems: Iterable[Problem]) -> InputError:
    return MachineError(problems) if word == _MACHINE else InputError(problems)


def _serve(work: Callable[[Job], Answer], pipe: Connection) -> None:
    """In the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while True:
            answer = _answer(work, pipe.recv())
            pipe.send(error_to_send(answer) if isinstance(answer, InputError) else (ANSWER, answer))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # nobody wants to know the rest


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
