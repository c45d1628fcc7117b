"""The engine: many questions at once, as lines of JSON, from one program to another.

    {"id": "a", "action": "advise", "position": "o1:2:...", "seconds": 2}
    {"id": "a", "action": "advise", "final": true, "result": {"format": "orbis-advice", ...}}

`Engine(source, sink).run()` answers until the input ends. docs/engine.md describes every field. Who does what:

    reader    takes lines apart, answers what needs no position (cancel, ping, version), queues the rest
    clerk     checks fields, reads positions, answers what is quick, hands searches on
    workers   read the moves of a request and search, one request each

So a cancel never waits for a position to be read, nor a list of moves for a search to end. `actions` says what can be
asked.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from threading import Condition, Lock, RLock, Semaphore, Thread
from typing import Any, BinaryIO

from .. import __version__
from ..base.errors import InputError, Problem, reason, wrong_kind
from ..base.json import first_twice
from ..base.language import LANGUAGES, _, language
from ..base.machine import starting_threads
from ..base.options import LEAST_MEMORY, MEMORY, THREADS, Unfit, boolean, expect, or_null, whole
from ..base.quoting import nearest, shown
from ..base.speech import speaking
from ..base.stopping import Stop, Stopped
from ..game.position import Position
from ..record.game import Stage
from .actions import ACTIONS
from .requests import (
    COMMON,
    DEFAULT_MEMORY,
    Field,
    Id,
    Task,
    an_id,
    field_of,
    priority_field,
    problem_entry,
    problem_of,
    read_fields,
    read_moves,
    read_position,
    read_stage,
    refusal,
)

PROTOCOL = 1  # goes up when programs written for the previous one would misunderstand
MAX_LINE = 1 << 20  # bytes of a request; a position takes a few thousand
MAX_READ_AHEAD = 10**9
READ_AHEAD = 10_000  # requests that may wait before no more are read ...
READ_AHEAD_BYTES = 64 << 20  # ... or so much of them
_CHUNK = 1 << 16
_LOOK = 0.05  # seconds between two looks whether a search that waits is still wanted


# ---- a request on its way --------------------------------------------------------------------------


class Job:
    """A request that has an id and an action, until it is answered."""

    def __init__(self, id: Id, action: str, line: bytes, priority: int, language: str) -> None:
        self.id = id
        self.action = action
        self.line = line  # as it came: taken apart it is thirty times as large, and others may have to wait
        self.size = len(line)
        self.values: dict[str, Any] = {}  # as it was read, by field
        self.position: Position | None = None
        self.stage: Stage | None = None
        self.priority = priority
        self.language = language
        self.running = False  # somebody has it; else it waits in a lane
        self.searching = False  # a worker has it
        self.answered = False
        self.stop = Stop()
        self.stopped = ""  # why, once `stop` is set: "cancelled" or "interrupted"


class Lane:
    """Jobs that wait: the highest priority first, then the oldest. Guarded by the engine's lock."""

    def __init__(self, lock: RLock) -> None:
        self.waiting = Condition(lock)
        self.heap: list[tuple[int, int, Job]] = []
        self.count = 0
        self.dead = 0  # jobs in the heap that were answered while they waited

    def put(self, job: Job) -> None:
        self.count += 1
        heappush(self.heap, (-job.priority, self.count, job))
        self.waiting.notify()

    def take(self) -> Job | None:
        while self.heap:
            job = heappop(self.heap)[2]
            if not job.answered:
                return job
            self.dead -= 1
        return None

    def drop(self) -> None:
        """One of the jobs here has been answered. Such jobs are swept out once they are the majority."""
        self.dead += 1
        if 2 * self.dead > len(self.heap) + 16:
            self.heap = [entry for entry in self.heap if not entry[2].answered]
            heapify(self.heap)
            self.dead = 0


# ---- the engine ------------------------------------------------------------------------------------


class Engine:
    """Answers the requests of one stream of lines on another.

    `workers`: searches at a time, one per core if None. `memory`: bytes for each request that does not say, and the
    most it may ask for. `gate`: which all searches of several engines pass, if together they may be only so many.

        >>> from io import BytesIO
        >>> answers = BytesIO()
        >>> Engine(BytesIO(b'{"id": 1, "action": "ping"}'), answers).run()
        True
        >>> print(answers.getvalue().decode(), end="")
        {"id":1,"action":"ping","final":true,"result":{"waiting":0,"running":0}}
    """

    def __init__(
        self,
        source: BinaryIO,
        sink: BinaryIO,
        *,
        workers: int | None = None,
        memory: int = DEFAULT_MEMORY,
        read_ahead: int = READ_AHEAD,
        gate: Semaphore | None = None,
    ) -> None:
        self.source = source
        self.sink = sink
        self.workers = expect("workers", workers, or_null(THREADS)) or os.cpu_count() or 1
        self.memory = expect("memory", memory, MEMORY)
        self.read_ahead = expect("read_ahead", read_ahead, whole(1, MAX_READ_AHEAD))
        for name, stream, method in (("source", source, "read"), ("sink", sink, "write")):
            if not callable(getattr(stream, method, None)):
                raise wrong_kind(name, "a binary file", stream)
        self.gate = gate or Semaphore(self.workers)
        self.lock = RLock()  # guards all below; taken before `sink_lock`, never the other way round
        self.changed = Condition(self.lock)
        self.desk, self.searches = Lane(self.lock), Lane(self.lock)
        self.jobs: dict[Id, Job] = {}  # those without an answer
        self.held = 0  # bytes of their requests
        self.unwritten = 0  # answers on their way out
        self.ended = False  # nothing more will be read
        self.over = False  # nothing more will be done
        self.fault: Exception | None = None  # why nobody gets an answer from now on
        self.unreadable: InputError | None = None  # why the input broke off, if it did
        self.sink_lock = Lock()

    def run(self) -> bool:
        """Answers until the input has ended and everything is answered; False if interrupted.

        Ctrl-C ends it soon, with what is known by then. Raises OSError if nobody takes the answers.
        """
        threads = [Thread(target=self._read, name="reader"), Thread(target=self._serve, args=(self.desk, self._clerk))]
        threads += [Thread(target=self._serve, args=(self.searches, self._search)) for _ in range(self.workers)]
        interrupted = False
        try:
            with starting_threads():
                for thread in threads:
                    thread.daemon = True  # the reader may wait for a line forever
                    thread.start()
            self._wait()
        except KeyboardInterrupt:
            interrupted = True
            with self.lock:
                self.ended = True
                jobs = list(self.jobs.values())
                self.changed.notify_all()
            self._stop(jobs, "interrupted")
            self._wait()
        finally:
            with self.lock:
                self.over = True
                self.desk.waiting.notify_all()
                self.searches.waiting.notify_all()
        if (fault := self.fault or self.unreadable) is not None:
            raise fault
        return not interrupted

    def hang_up(self) -> None:
        """Whoever asked is gone: every search stops, and nothing more is read or written."""
        with self.lock:
            self.fault = self.fault or BrokenPipeError()
            self.ended = True
            for job in self.jobs.values():
                job.stop.discard()
            self.changed.notify_all()

    def _wait(self) -> None:
        """Until everything is answered, or there is nobody to answer."""
        with self.lock:
            while self.fault is None and not (self.ended and not self.jobs and not self.unwritten):
                self.changed.wait()

    # ---- the reader ----------------------------------------------------------------------------------

    def _read(self) -> None:
        try:
            for count, line in enumerate(lines_of(self.source), start=1):
                self._take(count, line)
                with self.lock:
                    while self._is_full() and not self.ended:
                        self.changed.wait()
                    if self.ended:
                        break
        except OSError as error:
            message = _("expected lines of JSON, found: {reason}", reason=reason(error))
            self.unreadable = InputError.one("standard input", message)
        with self.lock:
            self.ended = True
            self.changed.notify_all()

    def _is_full(self) -> bool:
        return len(self.jobs) >= self.read_ahead or self.held >= READ_AHEAD_BYTES

    def _take(self, count: int, line: bytes | None) -> None:
        """One line, whatever is in it: a request to queue or answer, or a problem to report."""
        if line is not None and not line.strip():
            return
        try:
            body = request_of(line)
        except InputError as error:
            self._write({"id": None, "line": count, **refusal(problem_of(None, each) for each in error.problems)})
            return
        with speaking(language_of(body)):
            self._take_request(count, body, line or b"")

    def _take_request(self, count: int, body: dict[str, Any], line: bytes) -> None:
        # 1. An id that is free. Without one, the answer names the line.
        try:
            id = an_id(body.get("id"))
        except Unfit as unfit:
            message = _("expected {what}, found {found}", what=unfit, found=shown(body.get("id")))
            self._write({"id": None, "line": count, **refusal([problem_entry("id", message)])})
            return
        with self.lock:
            in_use = id in self.jobs
        if in_use:
            message = _("expected an id that is not in use, found {found}", found=shown(id))
            self._write({"id": None, "line": count, **refusal([problem_entry("id", message)])})
            return

        # 2. A known action. Those that need no position are done right here.
        action = body.get("action")
        if not isinstance(action, str) or action not in (*ACTIONS, *CONTROLS):
            known = [*ACTIONS, *CONTROLS]
            hint = nearest(action, known) if isinstance(action, str) else ""
            message = (
                _("expected an action ({actions}), found {found}", actions=", ".join(known), found=shown(action)) + hint
            )
            self._write({"id": id, **refusal([problem_entry("action", message)])})
            return
        if action in CONTROLS:
            self._control(id, action, body)
            return

        # 3. The clerk looks at the rest.
        try:
            priority = priority_field.read(body.get("priority", 0))
        except Unfit:
            priority = 0  # the clerk will report it, with everything else that is wrong
        job = Job(id, action, line, priority, language())
        with self.lock:
            if not self.ended:
                self.jobs[id] = job
                self.held += job.size
                self.desk.put(job)

    def _control(self, id: Id, action: str, body: dict[str, Any]) -> None:
        answer, fields = CONTROLS[action]
        values, problems = read_fields(body, fields)
        result = None
        if not problems:
            try:
                result = answer(self, values)
            except InputError as error:
                problems = [problem_of(None, each) for each in error.problems]
        head: dict[str, Any] = {"id": id, "action": action}
        self._write(head | (refusal(problems) if problems else {"final": True, "result": result}))

    def cancel(self, values: Mapping[str, Any]) -> dict[str, Any]:
        target, every = values["target"], values["all"]
        if (target is None) is not every:
            message = (
                _('expected the id of a request, or "all": true, found neither')
                if target is None
                else _('expected the id of a request, or "all": true, found both')
            )
            raise InputError.one("target", message)
        with self.lock:
            jobs = list(self.jobs.values()) if every else [self.jobs[target]] if target in self.jobs else []
        self._stop(jobs, "cancelled", values["discard"])
        return {"cancelled": [job.id for job in jobs]}

    def ping(self, _: Mapping[str, Any]) -> dict[str, Any]:
        with self.lock:
            running = sum(job.searching for job in self.jobs.values())
            return {"waiting": len(self.jobs) - running, "running": running}

    def version(self, _: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "program": "orbis",
            "version": __version__,
            "protocol": PROTOCOL,
            "actions": [*ACTIONS, *CONTROLS],
            "workers": self.workers,
            "memory": self.memory,
        }

    def _stop(self, jobs: Sequence[Job], why: str, unwanted: bool = False) -> None:
        """Waiting jobs are answered at once, running ones soon, by whoever runs them."""
        waited = []
        with self.lock:
            for job in jobs:
                if job.answered or job.stop.is_set():
                    continue
                job.stopped = why
                job.stop.discard() if unwanted else job.stop.set()
                if not job.running:
                    self._close(job)
                    (self.searches if job.values else self.desk).drop()
                    waited.append(job)
        for job in waited:
            self._send(job, {"result": None})

    # ---- clerk and workers ---------------------------------------------------------------------------

    def _serve(self, lane: Lane, work: Callable[[Job], None]) -> None:
        while True:
            with self.lock:
                while (job := lane.take()) is None:
                    if self.over:
                        return
                    lane.waiting.wait()
                job.running = True
            with speaking(job.language):
                self._do(job, work)
            del job  # or its position would stay in memory until the next one comes

    def _do(self, job: Job, work: Callable[[Job], None]) -> None:
        try:
            work(job)
        except Stopped:
            self._finish(job, {"result": None})
        except InputError as error:
            fields = ACTIONS[job.action].fields
            self._finish(job, refusal(problem_of(field_of(each, fields), each) for each in error.problems))
        except MemoryError:
            message = _("expected memory for a search, found none left")
            self._finish(job, refusal([problem_entry("memory", message)]))
        except Exception as error:  # our bug, and no reason to leave other requests unanswered
            import traceback

            traceback.print_exc(file=sys.stderr)
            message = _(
                "expected an answer, found a bug in the program: {name}: {error}",
                name=type(error).__name__,
                error=error,
            )
            self._finish(job, refusal([problem_entry(None, message)]))

    def _clerk(self, job: Job) -> None:
        """Checks every field, so that all problems are reported at once; then answers or hands on."""
        action = ACTIONS[job.action]
        values, problems = read_fields(request_of(job.line), COMMON | dict(action.fields))
        memory = values.get("memory")
        if memory is not None and not LEAST_MEMORY * values.get("threads", 1) <= memory <= self.memory:
            least = LEAST_MEMORY * values.get("threads", 1)
            problems.append(
                problem_entry(
                    "memory",
                    _(
                        "expected {least} to {most} bytes, found {found}",
                        least=least,
                        most=self.memory,
                        found=shown(memory),
                    ),
                )
            )
        elif "memory" in action.fields and memory is None:
            values["memory"] = self.memory
        found: tuple[Problem, ...] = ()
        if "position" in values:
            try:
                if action.looks:
                    job.stage = read_stage(values["position"], values.get("tiles"), values.get("turn"))
                    job.position = job.stage.position
                else:
                    job.position = read_position(values["position"], values.get("tiles"), values.get("turn"))
            except InputError as error:
                found = error.problems
        if not action.judges:
            problems += [problem_of(field_of(each, action.fields), each) for each in found]
        if job.position is not None and not action.searches:
            problems += read_moves(values, job.position if job.stage is None else job.stage.standing, job.stop)
        if problems:
            self._finish(job, refusal(problems))
            return
        job.line, job.values = b"", values
        if action.searches:
            with self.lock:
                if not job.stop.is_set():
                    job.running = False
                    self.searches.put(job)
                    return
            self._finish(job, {"result": None})
            return
        self._finish(job, {"result": action.answer(self._task(job, found))})

    def _search(self, job: Job) -> None:
        while not self.gate.acquire(timeout=_LOOK):
            if job.stop.is_set():
                raise Stopped
        job.searching = True
        try:
            self._search_now(job)
        finally:
            self.gate.release()

    def _search_now(self, job: Job) -> None:
        problems = []
        if job.position is not None:  # there may be thousands, which take their time
            problems = read_moves(job.values, job.position, job.stop)
        answer = refusal(problems) if problems else {"result": ACTIONS[job.action].answer(self._task(job))}
        self._finish(job, answer)

    def _task(self, job: Job, problems: Sequence[Problem] = ()) -> Task:
        def report(result: Any) -> None:
            if not job.stop.is_set():
                self._write({"id": job.id, "action": job.action, "final": False, "result": result})

        return Task(job.position, problems, job.values, job.stop, report, job.stage)

    # ---- answers -------------------------------------------------------------------------------------

    # No answer is written under the lock: its reader may be slow, and others want to go on.

    def _finish(self, job: Job, answer: dict[str, Any]) -> None:
        """The final answer to a running request."""
        self._close(job)
        self._send(job, answer)

    def _close(self, job: Job) -> None:
        """Frees the request's id, before anybody can have read its answer."""
        with self.lock:
            job.answered = True
            del self.jobs[job.id]
            self.held -= job.size
            self.unwritten += 1

    def _send(self, job: Job, answer: dict[str, Any]) -> None:
        cut = {"stopped": job.stopped} if job.stopped and "error" not in answer else {}
        try:
            self._write({"id": job.id, "action": job.action, "final": True} | cut | answer)
        finally:
            with self.lock:
                self.unwritten -= 1
                self.changed.notify_all()

    def _write(self, answer: dict[str, Any]) -> None:
        """Writes a whole line. Once that fails nobody is listening, and everything ends."""
        line = memoryview(json.dumps(answer, separators=(",", ":")).encode("ascii") + b"\n")
        try:
            with self.sink_lock:
                while line and self.fault is None:
                    line = line[self.sink.write(line) :]
                self.sink.flush()
        except (OSError, ValueError) as error:
            with self.lock:
                self.fault = self.fault or error
                self.ended = True
                for job in self.jobs.values():
                    job.stop.discard()
                self.changed.notify_all()


# ---- lines and fields ------------------------------------------------------------------------------


def language_of(body: Mapping[str, Any]) -> str:
    """The language a request asks for, if it is one of ours; anything wrong with it is reported with the rest."""
    asked = body.get("lang")
    return asked if isinstance(asked, str) and asked in LANGUAGES else language()


def lines_of(source: BinaryIO) -> Iterator[bytes | None]:
    """Every line as soon as it arrives, None for one that is too long; the last one needs no line break."""
    read = getattr(source, "read1", source.read)
    rest, too_long = b"", False
    while chunk := read(_CHUNK):
        *lines, end = chunk.split(b"\n")
        for line in lines:
            line = rest + line
            yield None if too_long or len(line) > MAX_LINE else line
            rest, too_long = b"", False
        too_long = too_long or len(rest) + len(end) > MAX_LINE
        rest = b"" if too_long else rest + end
    if rest or too_long:
        yield None if too_long else rest


def request_of(line: bytes | None) -> dict[str, Any]:
    """The object in a line, or InputError."""

    def no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        if len(table) < len(pairs):
            twice = first_twice(key for key, _ in pairs)
            raise InputError.one("", _("expected each key once in an object, found {found} twice", found=shown(twice)))
        return table

    if line is None:
        raise InputError.one("", _("expected a line of at most {most} bytes, found more", most=MAX_LINE))
    try:
        body = json.loads(line.decode("utf-8-sig"), object_pairs_hook=no_key_twice)
    except UnicodeDecodeError as error:
        message = _(
            "expected a line in UTF-8, found byte 0x{byte:02x} at {column}",
            byte=line[error.start],
            column=error.start + 1,
        )
        raise InputError.one("", message) from None
    except RecursionError:
        raise InputError.one("", _("expected a request in JSON, found it nested too deeply")) from None
    except ValueError as error:
        raise InputError.one("", _("expected a request in JSON, found a syntax error: {error}", error=error)) from None
    if not isinstance(body, dict):
        raise InputError.one("", _("expected a JSON object, found {found}", found=shown(body)))
    return body


# Answered by the reader itself, ahead of everything waiting.
Control = tuple[Callable[[Engine, Mapping[str, Any]], dict[str, Any]], Mapping[str, Field]]
CONTROLS: dict[str, Control] = {
    "cancel": (
        Engine.cancel,
        COMMON
        | {"target": Field(or_null(an_id), None), "all": Field(boolean, False), "discard": Field(boolean, False)},
    ),
    "ping": (Engine.ping, COMMON),
    "version": (Engine.version, COMMON),
}
