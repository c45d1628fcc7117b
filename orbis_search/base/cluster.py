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
from typing import TYPE_CHECKING, Any

from .errors import InputError
from .interrupts import InterruptsHeld
from .jobs import Hands, Lost, answer_from
from .language import _, language
from .machine import MachineError, starting_processes
from .quoting import shown
from .ray_driver import ANSWER, GONE, HANDS, JOB, LOST, NO_CLUSTER, NO_CORES, REFUSED, REST, WORK, drive

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

AUTO = "auto"
PLACE = "--cluster"
VARIABLE = "RAY_ADDRESS"  # Ray's own: the cluster that `auto` joins
ADDRESS = re.compile(r"[^\s:/]+:[0-9]{1,5}|\[[0-9a-fA-F:.]+\]:[0-9]{1,5}")
A_MOMENT = 0.2  # seconds
PATIENCE = 5.0  # seconds in which Ray may leave


class Cluster:
    """One on this machine alone (`auto`, unless RAY_ADDRESS names one), or the one at HOST:PORT that this machine is
    part of. It starts when there is work. `tell` is called with what whoever asked should know."""

    def __init__(self, address: str, build: Callable[[], str], tell: Callable[[str], None] = lambda text: None) -> None:
        if find_spec("ray") is None:
            raise InputError.one(PLACE, _("expected Ray (pip install 'orbis-search[cluster]'), found none"))
        if address == AUTO:
            address = os.environ.get(VARIABLE) or AUTO
        if address not in (AUTO, "local") and not ADDRESS.fullmatch(address):
            message = _("expected auto or the address of a Ray cluster, HOST:PORT, found {found}", found=shown(address))
            raise InputError.one(PLACE, message)
        self.address = address
        self.build = build
        self.tell = tell
        self.cores = 0  # known once it has started
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
        self._pipe.close()
        process.join(PATIENCE)
        if process.exitcode is None:
            process.kill()
            process.join()

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
        """What has come in, after a moment at most; MachineError if the cluster is gone."""
        assert self._pipe is not None
        try:
            while self._pipe.poll(A_MOMENT):
                yield self._pipe.recv()
                if not self._pipe.poll():
                    return
        except (EOFError, ConnectionResetError):
            message = _("expected an answer from Ray at {address}, found it gone", address=self.address)
            raise MachineError.one(PLACE, message) from None


class _FarHands:
    """The driver has a few jobs more than there are workers, so that none of them waits for the next."""

    def __init__(self, cluster: Cluster, work: int) -> None:
        self.cluster = cluster
        self.work = work
        self.given: set[int] = set()

    def room(self) -> int:
        return max(0, 2 * self.cluster.cores - len(self.given))

    def give(self, number: int, job: Any) -> None:
        self.given.add(number)
        self.cluster._send((JOB, self.work, number, pickle.dumps(job)))

    def take(self) -> Iterator[tuple[int, Any]]:
        for word, *told in self.cluster.receive():
            if word == ANSWER:
                work, number, data = told
                if work == self.work:  # else somebody stopped waiting for it
                    self.given.discard(number)
                    yield number, answer_from(*pickle.loads(data))
            elif word == LOST:
                work, number, why = told
                if work == self.work:
                    self.given.discard(number)
                    yield number, Lost(_("its worker was lost ({why})", why=why))
            elif word == HANDS:
                (self.cluster.cores,) = told
            elif word == REFUSED:
                node, ours, theirs = told
                self.cluster.tell(_refused(node, ours, theirs))
            else:
                raise self._ended(word, *told)

    def _ended(self, word: str, *told: Any) -> InputError:
        if word == NO_CLUSTER:
            message = _(
                "expected a Ray cluster at {address}, found: {reason}", address=self.cluster.address, reason=told[0]
            )
            return InputError.one(PLACE, message)
        if word == NO_CORES:
            message = _("expected a worker with this build in the cluster, found none")
            return MachineError.one(PLACE, message)
        assert word == GONE
        message = _("expected an answer from Ray at {address}, found it gone", address=self.cluster.address)
        return MachineError.one(PLACE, message)


def _refused(node: str, ours: str, theirs: str) -> str:
    return _(
        "the worker on {node} is left out: expected orbis-search {ours}, found {theirs}",
        node=node,
        ours=ours,
        theirs=theirs,
    )
