"""The process in which Ray lives: jobs come in through a pipe, workers of the cluster do them, answers go back.

One worker (an actor of Ray) for each core of each node, which are looked at again and again: nodes may come and go.
The first worker of a node says which build it runs; if it is not ours, the node is left out.
"""

from __future__ import annotations

import os
import pickle
import secrets
import signal
import socket
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

# What is said to the driver: the work that follows, a job, nothing more for now. The end of the pipe is heard as END.
WORK, JOB, REST, END = "work", "job", "rest", "end"
# What it says: an answer, a job whose worker was lost, how many workers there are, a node that is left out; and why it
# ends: there is no such cluster, or none of its workers will do.
ANSWER, LOST, HANDS, REFUSED = "answer", "lost", "hands", "refused"
NO_CLUSTER, NO_CORES = "no-cluster", "no-cores"

LOOK_EVERY = 1.0  # seconds
GONE_AFTER = 10  # seconds without the head, then Ray ends this process
RECONNECT = "RAY_gcs_rpc_server_reconnect_timeout_s"
NICENESS = "RAY_worker_niceness"  # 15 unless told otherwise
NOBODY_AFTER = 30.0  # seconds without a worker
AHEAD = 4  # jobs that a worker has besides the one at hand, where jobs are ...
QUICK = 0.1  # ... done in so many seconds: the way to it and back would take as long
TRIES = 3  # to start a worker on a node
A_MOMENT = 0.05  # seconds
OBJECTS = 100_000_000  # bytes for Ray's store on a cluster of our own: answers are small


def drive(address: str | None, build: Callable[[], str], pipe: Connection) -> None:
    """None: a cluster on this machine alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _be_quiet()
    # Ray tells the workers where to look for modules: where this program was started from, which may be anywhere.
    os.chdir(os.path.abspath(os.sep))
    sys.argv = [""]
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ[RECONNECT] = str(GONE_AFTER)
    try:
        reason = _join(address)
        if reason is not None:
            pipe.send((NO_CLUSTER, reason))
            return
        _Driver(pipe, build).run()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # nobody wants to know the rest
    finally:
        import ray

        ray.shutdown()


def _be_quiet() -> None:
    """Ray and its libraries write to our outputs whatever they are told."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")


def _join(address: str | None) -> str | None:
    """Says why not. Ray reads its variables when it is imported."""
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address is None:
        # Whoever does not know this word cannot join.
        os.environ["RAY_AUTH_MODE"], os.environ["RAY_AUTH_TOKEN"] = "token", secrets.token_hex(32)
        os.environ.setdefault(NICENESS, "0")  # as other processes of this machine have it
        options |= {"address": "local", "include_dashboard": False, "object_store_memory": OBJECTS}
    else:
        host, _colon, port = address.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=GONE_AFTER).close()
        except (OSError, OverflowError) as error:
            return str(error)
        options["address"] = address
    import ray

    try:
        ray.init(**options)
    except Exception as error:  # of many kinds
        return str(error).strip().split("\n")[0] or type(error).__name__
    return None


@dataclass(eq=False)
class _Worker:
    actor: Any
    node: str
    ready: bool = False  # it has said hello
    work: int = 0  # the number of what it was told to do
    jobs: dict[int, bytes] = field(default_factory=dict)  # that it has, the one at hand first
    since: float = 0.0  # when it began with that
    room: int = 1  # how many it may have


@dataclass
class _Node:
    name: str
    checked: bool = False
    refused: bool = False
    failures: int = 0
    workers: set[_Worker] = field(default_factory=set)


class _Driver:
    def __init__(self, pipe: Connection, build: Callable[[], str]) -> None:
        self.pipe = pipe
        self.heard: SimpleQueue[tuple[Any, ...]] = SimpleQueue()
        self.asked = pickle.dumps(build)
        self.compute_build = build
        self.build = ""
        self.nodes: dict[str, _Node] = {}
        self.running: dict[Any, tuple[_Worker, int | None]] = {}  # the number of a job; None: a greeting
        self.waiting: deque[tuple[int, bytes]] = deque()
        self.work = 0
        self.parcel = b""
        self.threads = 1  # that a job keeps busy
        self.expected = 0  # workers, once all have come
        self.told = (0, 0)  # how many are ready, and expected
        self.looked = self.last_seen = monotonic()
        self.actor_class = _actor_class()

    def run(self) -> None:
        import ray

        # Always listening: if both sides only talked, neither would ever hear the other.
        Thread(target=self._listen, daemon=True).start()
        self._look()
        self.build = self.compute_build()  # while the first workers start
        while True:
            # 1. What whoever asked says.
            self._hear_all()
            # 2. Who is there.
            if monotonic() - self.looked >= LOOK_EVERY:
                self._look()
            # 3. Jobs for those who are free.
            self._hand_out()
            # 4. What they answer.
            if self.running:
                done, _ = ray.wait(list(self.running), num_returns=1, timeout=A_MOMENT)
                if done and len(self.running) > 1:
                    done, _ = ray.wait(list(self.running), num_returns=len(self.running), timeout=0)
                for reference in done:
                    self._receive(reference)

    def _listen(self) -> None:
        try:
            while True:
                self.heard.put(self.pipe.recv())
        except (EOFError, OSError):
            self.heard.put((END,))

    def _hear_all(self) -> None:
        """Waits a moment if there is nothing else to do."""
        try:
            if not self.running:
                self._hear(*self.heard.get(timeout=A_MOMENT))
            while True:
                self._hear(*self.heard.get_nowait())
        except Empty:
            pass

    def _hear(self, word: str, *told: Any) -> None:
        if word == END:
            raise EOFError
        if word == JOB:
            _work, number, job = told
            self.waiting.append((number, job))
        elif word == WORK:
            self.work, threads, self.parcel = told
            if threads != self.threads:
                self.threads = threads
                for node in self.nodes.values():
                    for worker in list(node.workers):
                        self._drop(worker)
                self._look()
        else:  # nobody waits for these any more
            self.waiting.clear()
            for worker, number in list(self.running.values()):
                if number is not None:
                    self._drop(worker)
            self._look()

    def _look(self) -> None:
        """At the nodes; workers where they are missing."""
        import ray

        self.looked = monotonic()
        there = {each["NodeID"]: each for each in ray.nodes() if each["Alive"]}
        self.expected = 0
        for key, each in there.items():
            cores = int(each["Resources"].get("CPU", 0))
            if key not in self.nodes:
                name = f"{each['NodeManagerHostname']} ({each['NodeManagerAddress']}, {key[:8]})"
                self.nodes[key] = _Node(name)
            node = self.nodes[key]
            if node.refused:
                continue
            # A job may want more threads than a node has cores: it takes them all, as it would without a cluster.
            threads = min(self.threads, cores) or 1
            self.expected += cores // threads
            # The first one says whether the others can come.
            wanted = cores // threads if node.checked else min(1, cores)
            for _ in range(wanted - len(node.workers)):
                self._hire(key, threads)
        for key in self.nodes.keys() - there.keys():
            for worker in list(self.nodes[key].workers):
                if not worker.jobs:
                    self._drop(worker)
            if not self.nodes[key].workers:
                del self.nodes[key]
        self._tell_hands()
        if any(node.workers for node in self.nodes.values()):
            self.last_seen = monotonic()
        elif all(node.refused for node in self.nodes.values()) or monotonic() - self.last_seen > NOBODY_AFTER:
            self.pipe.send((NO_CORES,))
            raise EOFError

    def _hire(self, key: str, threads: int) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        strategy = NodeAffinitySchedulingStrategy(key, soft=False)
        options = {"num_cpus": threads, "max_restarts": 0, "scheduling_strategy": strategy}
        worker = _Worker(self.actor_class.options(**options).remote(), key)
        self.nodes[key].workers.add(worker)
        asked = None if self.nodes[key].checked else self.asked
        self.running[worker.actor.greet.remote(asked)] = worker, None

    def _hand_out(self) -> None:
        """To those who have least."""
        while self.waiting:
            workers = (worker for node in self.nodes.values() for worker in node.workers if worker.ready)
            free = min((each for each in workers if len(each.jobs) < each.room), key=_number_of_jobs, default=None)
            if free is None:
                return
            self._give(free, *self.waiting.popleft())

    def _give(self, worker: _Worker, number: int, job: bytes) -> None:
        if not worker.jobs:
            worker.since = monotonic()
        worker.jobs[number] = job
        if worker.work != self.work:
            worker.actor.learn.remote(self.parcel)
            worker.work = self.work
        self.running[worker.actor.do.remote(job)] = worker, number

    def _receive(self, reference: Any) -> None:
        import ray

        if reference not in self.running:
            return  # its worker was dropped
        worker, number = self.running.pop(reference)
        node = self.nodes[worker.node]
        try:
            found = ray.get(reference)
        except Exception as error:  # of many kinds: the worker or its node is gone, or lacks memory
            jobs = list(worker.jobs.items())
            self._drop(worker)
            if number is not None:
                # The job at hand may be to blame; the others never began.
                self.pipe.send((LOST, self.work, jobs[0][0], type(error).__name__))
                self.waiting.extendleft(reversed(jobs[1:]))
            else:
                node.failures += 1
                if node.failures == TRIES:
                    self._refuse(node, type(error).__name__)
            return
        if number is not None:
            del worker.jobs[number]
            now = monotonic()
            worker.room = 1 + AHEAD if now - worker.since < QUICK else 1
            worker.since = now
            self.pipe.send((ANSWER, self.work, number, found))
        elif found not in (None, self.build):
            self._drop(worker)
            self._refuse(node, found)
            return
        else:
            worker.ready = True
            if not node.checked:
                node.checked = True
                self._look()
            self._tell_hands()

    def _refuse(self, node: _Node, found: str) -> None:
        node.refused = True
        self.pipe.send((REFUSED, node.name, self.build, found))
        self._look()

    def _drop(self, worker: _Worker) -> None:
        import ray

        self.nodes[worker.node].workers.discard(worker)
        for reference in [each for each, (who, _) in self.running.items() if who is worker]:
            del self.running[reference]
        try:
            ray.kill(worker.actor)
        except Exception:  # it is gone already
            pass

    def _tell_hands(self) -> None:
        ready = sum(worker.ready for node in self.nodes.values() for worker in node.workers)
        if (ready, self.expected) != self.told:
            self.told = ready, self.expected
            self.pipe.send((HANDS, *self.told))


def _number_of_jobs(worker: _Worker) -> int:
    return len(worker.jobs)


def _actor_class() -> Any:
    """Made here, so that Ray sends the class itself: a node may have another version of this module, or none."""
    import ray

    class OrbisWorker:
        def greet(self, build: bytes | None) -> str | None:
            if build is None:
                return None
            import pickle

            try:
                found: str = pickle.loads(build)()
            except (ImportError, AttributeError) as error:  # another version, or none
                return str(error)
            return found

        def learn(self, parcel: bytes) -> None:
            import pickle

            from orbis_search.base.language import use_language

            self.work, language = pickle.loads(parcel)
            use_language(language)

        def do(self, job: bytes) -> bytes:
            import pickle

            from orbis_search.base.jobs import answer_to_send

            return pickle.dumps(answer_to_send(self.work, pickle.loads(job)))

    return ray.remote(OrbisWorker)
