"""Jobs on a Ray cluster: `pip install 'orbis-search[cluster]'`.

    with Cluster("auto", build) as cluster:
        for job, answer in do_jobs(work, jobs, cluster): ...

Ray lives in a process of its own (`ray_driver`), for it ends its process when the head of the cluster is gone, and may
take long to hear Ctrl-C. `build` names the program that a worker runs: those that run another are left out.
"""

from __future__ import annotations

import os
import pickle
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing import get_context
from time import monotonic
from typing import TYPE_CHECKING, Any

from .errors import InputError
from .interrupts import InterruptsHeld
from .jobs import Hands, Lost, answer_from
from .language import N_, _, language
from .machine import MachineError, starting_processes
from .quoting import shown
from .ray_driver import AHEAD, ANSWER, HANDS, JOB, LOST, NO_CLUSTER, NO_CORES, REFUSED, REST, WORK, drive

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

EXTRA = N_("Ray (pip install 'orbis-search[cluster]', in a clone '.[cluster]')")
AUTO = "auto"
PLACE = "--cluster"
VARIABLE = "RAY_ADDRESS"  # Ray's own: the cluster that `auto` joins
ADDRESS = re.compile(r"[^\s:/\[\]]+:[0-9]{1,5}|\[[0-9a-fA-F:.]+\]:[0-9]{1,5}")
A_MOMENT = 0.2  # seconds
PATIENCE = 5.0  # seconds in which Ray may leave
PATIENCE_AT_START = 60.0  # seconds in which workers may come


class Cluster:
    """One on this machine alone (`auto`, unless RAY_ADDRESS names one), or the one at HOST:PORT that this machine is
    part of. It starts when there is work. `tell` is called with what whoever asked should know."""

    def __init__(self, address: str, build: Callable[[], str], tell: Callable[[str], None] = lambda text: None) -> None:
        if address == AUTO:
            address = os.environ.get(VARIABLE) or AUTO
        if address not in (AUTO, "local") and not ADDRESS.fullmatch(address):
            message = _("expected auto or the address of a Ray cluster, HOST:PORT, found {found}", found=shown(address))
            raise InputError.one(PLACE, message)
        if find_spec("ray") is None:
            raise InputError.one(PLACE, _("expected {extra}, found none", extra=_(EXTRA)))
        self.address = address
        self.build = build
        self.tell = tell
        self.ready = self.expected = 0  # workers
        self._pipe: Connection | None = None
        self._process: BaseProcess | None = None
        self._works = 0

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._process is None or self._pipe is None:
            return
        process, self._process = self._process, None
        self.ready = self.expected = 0
        self._pipe.close()
        process.join(PATIENCE)
        if process.exitcode is None:
            process.kill()
            process.join()

    def count(self) -> int:
        """As soon as they are all there, or most of them after a while."""
        self._start()
        end = monotonic() + PATIENCE_AT_START
        while not 0 < self.expected == self.ready and (monotonic() < end or not self.ready):
            for _message in self.receive():
                pass
        return self.ready

    @contextmanager
    def hands(self, work: Callable[[Any], Any], threads: int) -> Iterator[Hands]:
        self._start()
        self._works += 1
        self._send((WORK, self._works, threads, pickle.dumps((work, language()))))
        hands = _FarHands(self, self._works)
        try:
            yield hands
        finally:
            if self._process is not None and self._process.exitcode is None:
                self._send((REST,))

    def _start(self) -> None:
        if self._process is not None:
            return
        context = get_context("spawn")
        with InterruptsHeld(), starting_processes():
            self._pipe, theirs = context.Pipe()
            address = None if self.address in (AUTO, "local") else self.address
            self._process = context.Process(target=drive, args=(address, self.build, theirs), daemon=True)
            self._process.start()
            theirs.close()

    def _send(self, message: tuple[Any, ...]) -> None:
        assert self._pipe is not None
        try:
            self._pipe.send(message)
        except (BrokenPipeError, ConnectionResetError):
            pass  # `receive` finds out

    def receive(self) -> Iterator[tuple[Any, ...]]:
        """Answers that have come in, after a moment at most; MachineError if the cluster is gone or of no use."""
        assert self._pipe is not None
        wait = A_MOMENT
        while self._pipe.poll(wait):
            wait = 0
            try:
                word, *told = self._pipe.recv()
            except (EOFError, ConnectionResetError):
                message = _("expected an answer from Ray at {address}, found it gone", address=self.address)
                raise MachineError.one(PLACE, message) from None
            if word == HANDS:
                self.ready, self.expected = told
            elif word == REFUSED:
                self.tell(_refused(*told))
            elif word == NO_CLUSTER:
                message = _(
                    "expected a Ray cluster at {address}, found: {reason}", address=self.address, reason=told[0]
                )
                raise InputError.one(PLACE, message)
            elif word == NO_CORES:
                raise MachineError.one(PLACE, _("expected a worker with this build in the cluster, found none"))
            else:
                yield word, *told


class _FarHands:
    """The driver has more jobs than there are workers, so that none of them waits for the next."""

    def __init__(self, cluster: Cluster, work: int) -> None:
        self.cluster = cluster
        self.work = work
        self.given: set[int] = set()

    def room(self) -> int:
        return max(0, (1 + AHEAD) * self.cluster.ready - len(self.given))

    def give(self, number: int, job: Any) -> None:
        self.given.add(number)
        self.cluster._send((JOB, self.work, number, pickle.dumps(job)))

    def take(self) -> Iterator[tuple[int, Any]]:
        for word, work, number, told in self.cluster.receive():
            if work != self.work:
                continue  # nobody waits for it any more
            self.given.discard(number)
            if word == ANSWER:
                yield number, answer_from(*pickle.loads(told))
            else:
                assert word == LOST
                yield number, Lost(_("its worker was lost ({why})", why=told))


def _refused(node: str, ours: str, theirs: str) -> str:
    return _(
        "the worker on {node} is left out: expected orbis-search {ours}, found {theirs}",
        node=node,
        ours=ours,
        theirs=theirs,
    )
