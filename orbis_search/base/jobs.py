"""Many independent jobs: a stream of them in, their answers out as they come.

    for job, answer in do_jobs(work, jobs, workers): ...

`workers` is a number of processes on this machine, or a `Cluster`. Each job comes out exactly once, in any order, with
its answer or with the InputError it met. A job is taken from the stream when somebody is free for it. If the process or
machine that does it is lost, it is done again; after TRIES it is given up, and the rest goes on.

A job carries all that it needs. `work` is called with one job after another: a module's own function, or an object of
which each worker gets a copy, so what all jobs share belongs in it. Its `close`, if it has one, is called at the end.
Leaving the loop, for whatever reason, ends all that is under way.
"""

from __future__ import annotations

import signal
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from itertools import chain
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from .carried_files import FILES
from .errors import InputError, Problem
from .interrupts import InterruptsHeld
from .language import _, language, use_language
from .machine import MachineError, out_of_memory, starting_processes

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

Job = TypeVar("Job")
Answer = TypeVar("Answer")

TRIES = 3
HOPELESS = 10  # jobs given up one after the other: it is not the jobs


class GaveUp(MachineError):
    """A job was tried as often as it may be."""


class Lost(NamedTuple):
    """A job whose worker ended, or failed as it should not; says why."""

    reason: str


class Hands(Protocol):
    """Workers busy with one kind of work."""

    def room(self) -> int:
        """How many more jobs they take now."""

    def give(self, number: int, job: Any) -> None: ...

    def take(self) -> Iterable[tuple[int, Any]]:
        """Waits for answers, a moment at least; by the numbers of their jobs. An answer may be InputError or Lost."""


class Workers(Protocol):
    """Where jobs can be done."""

    def count(self) -> int:
        """How many at a time."""

    def hands(self, work: Callable[[Any], Any], threads: int) -> AbstractContextManager[Hands]:
        """Of which each job keeps so many threads busy."""


def count_of(workers: Workers | int) -> int:
    return workers if isinstance(workers, int) else workers.count()


def do_jobs(
    work: Callable[[Job], Answer], jobs: Iterable[Job], workers: Workers | int = 1, threads: int = 1
) -> Generator[tuple[Job, Answer | InputError], None, None]:
    """Each job with its answer as they come in. With one process, the work is done in this one."""
    with closing(_numbered(work, jobs, workers, threads)) as done:
        for _number, job, answer in done:
            yield job, answer


def do_in_order(
    work: Callable[[Job], Answer], jobs: Iterable[Job], workers: Workers | int = 1
) -> Generator[tuple[Job, Answer | InputError], None, None]:
    """The same in the order of the jobs: what comes of them does not depend on the workers."""
    early: dict[int, tuple[Job, Answer | InputError]] = {}
    due = 0
    with closing(_numbered(work, jobs, workers, 1)) as done:
        for number, job, answer in done:
            early[number] = job, answer
            while due in early:
                yield early.pop(due)
                due += 1


def all_answered(
    done: Iterable[tuple[Job, Answer | InputError]], place: Callable[[Job], str] = str
) -> Iterator[tuple[Job, Answer]]:
    """For whoever needs every answer: problems are raised, those of jobs given up only when the rest is done, each at
    the place of its job."""
    given_up: list[Problem] = []
    for job, answer in done:
        if isinstance(answer, GaveUp):
            given_up += [Problem(place(job), problem.message) for problem in answer.problems]
        elif isinstance(answer, InputError):
            raise answer
        else:
            yield job, answer
    if given_up:
        raise GaveUp(sorted(given_up))


def _numbered(
    work: Callable[[Job], Answer], jobs: Iterable[Job], workers: Workers | int, threads: int
) -> Generator[tuple[int, Job, Answer | InputError], None, None]:
    if workers == 1:
        yield from _do_here(work, jobs)
        return
    if isinstance(workers, int):
        workers = Processes(workers)
    coming: Iterator[tuple[int, Job]] = enumerate(jobs)
    first = next(coming, None)
    if first is None:
        return  # nobody has to come for that
    coming = chain([first], coming)
    is_over = False  # no more will come
    waiting: dict[int, Job] = {}  # for their answers
    again: deque[int] = deque()
    failures: Counter[int] = Counter()
    given_up = 0  # since the last answer
    with workers.hands(work, threads) as hands:

        def hand_out() -> None:
            nonlocal is_over
            for _free in range(hands.room()):
                if again:
                    number = again.popleft()
                else:
                    following = next(coming, None)
                    if following is None:
                        is_over = True
                        return
                    number, waiting[number] = following
                hands.give(number, waiting[number])

        hand_out()
        while waiting or not is_over:
            for number, answer in hands.take():
                if isinstance(answer, Lost):
                    failures[number] += 1
                    if failures[number] < TRIES:
                        again.append(number)
                        continue
                    answer = _given_up(answer)
                    given_up += 1
                    if given_up == HOPELESS:
                        raise answer
                else:
                    given_up = 0
                job = waiting.pop(number)
                hand_out()  # before somebody looks at the answer, which may take a while
                yield number, job, answer
            hand_out()


def _given_up(lost: Lost) -> GaveUp:
    return GaveUp.one("", _("expected an answer in {tries} tries, found: {reason}", tries=TRIES, reason=lost.reason))


def _do_here(
    work: Callable[[Job], Answer], jobs: Iterable[Job]
) -> Generator[tuple[int, Job, Answer | InputError], None, None]:
    try:
        for number, job in enumerate(jobs):
            yield number, job, answer_to(work, job)
    finally:
        close(work)


# ---- where the work is done ------------------------------------------------------------------------


def answer_to(work: Callable[[Job], Answer], job: Job) -> Answer | InputError:
    try:
        return work(job)
    except InputError as error:
        return error
    except MemoryError:
        return out_of_memory()


class Carrying(Generic[Job, Answer]):
    """Work that brings along the files that it reads."""

    def __init__(self, work: Callable[[Job], Answer], files: Mapping[str, bytes]) -> None:
        self.work = work
        self.files = dict(files)

    def __call__(self, job: Job) -> Answer:
        token = FILES.set(self.files)
        try:
            return self.work(job)
        finally:
            FILES.reset(token)

    def close(self) -> None:
        close(self.work)


def close(work: object) -> None:
    closes = getattr(work, "close", None)
    if closes is not None:
        closes()


# An exception would lose its problems on the way: they travel as a list, after a word.
ANSWER, PROBLEMS, MACHINE, FAILED = "answer", "problems", "machine", "failed"


def error_to_send(error: InputError) -> tuple[str, tuple[Problem, ...]]:
    return MACHINE if isinstance(error, MachineError) else PROBLEMS, error.problems


def answer_to_send(work: Callable[[Job], Answer], job: Job) -> tuple[str, Any]:
    try:
        answer = answer_to(work, job)
    except Exception as error:  # a mistake of ours: the job may still go well elsewhere
        return FAILED, f"{type(error).__name__}: {error}"
    return error_to_send(answer) if isinstance(answer, InputError) else (ANSWER, answer)


def answer_from(word: str, told: Any) -> Any:
    """What `do_jobs` makes of it."""
    if word == ANSWER:
        return told
    if word == FAILED:
        return Lost(told)
    return MachineError(told) if word == MACHINE else InputError(told)


# ---- processes of this machine ----------------------------------------------------------------------


class Processes:
    """So many at most. A process starts when there is a job for it."""

    def __init__(self, most: int) -> None:
        self.most = most

    def count(self) -> int:
        return self.most

    @contextmanager
    def hands(self, work: Callable[[Any], Any], threads: int) -> Iterator[Hands]:
        hands = _OwnHands(work, self.most)
        try:
            yield hands
        finally:
            hands.end()


class _OwnHands:
    def __init__(self, work: Callable[[Any], Any], most: int) -> None:
        self.work = work
        self.most = most
        self.processes: dict[Any, BaseProcess] = {}  # by the pipe that leads there
        self.busy: dict[Any, int] = {}  # with the number of a job

    def room(self) -> int:
        return self.most - len(self.busy)

    def give(self, number: int, job: Any) -> None:
        pipe = next((each for each in self.processes if each not in self.busy), None) or self._start()
        self.busy[pipe] = number
        try:
            pipe.send(job)
        except (BrokenPipeError, ConnectionResetError):
            pass  # `take` finds out

    def take(self) -> Iterator[tuple[int, Any]]:
        ready: Any
        for ready in wait(list(self.busy)):
            number = self.busy.pop(ready)
            try:
                answer = answer_from(*ready.recv())
            except (EOFError, ConnectionResetError):
                process = self.processes.pop(ready)
                ready.close()
                process.join()
                answer = Lost(_("its process ended (exit code {code})", code=process.exitcode))
            yield number, answer

    def _start(self) -> Any:
        context = get_context("spawn")
        with InterruptsHeld(), starting_processes():
            ours, theirs = context.Pipe()
            process: BaseProcess = context.Process(target=_serve, args=(self.work, language(), theirs), daemon=True)
            process.start()
            self.processes[ours] = process
            theirs.close()
        return ours

    def end(self) -> None:
        for pipe, process in self.processes.items():
            pipe.close()
            process.terminate()
        for process in self.processes.values():
            process.join()


def _serve(work: Callable[[Any], Any], speaking: str, pipe: Connection) -> None:
    """In the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    use_language(speaking)
    if hasattr(work, "close"):  # which the end of the work must not pass over
        signal.signal(signal.SIGTERM, _leave)
    try:
        while True:
            pipe.send(answer_to_send(work, pipe.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # nobody wants to know the rest
    finally:
        close(work)


def _leave(*_: object) -> None:
    raise SystemExit
