"""Two programs' worth of traffic for `orbis engine`: is every request answered once, and does memory stay?

    python benchmarks/engine_load.py [--requests 10000] [--seed 1] [--workers 2]

Two clients, one thread each, write into one engine: requests of every action, some of them wrong, lines that are no
requests, ids in use, cancels of what waits and of what runs. Whatever is sent is written down with what has to come
back; whatever comes back is held against it. Exit code 1 if something is missing, comes twice, or is of the
wrong kind. Memory is what the system counts as resident, after each tenth of the requests has been answered.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from orbis_search import legal_moves
from orbis_search.notation import format_move, position_to_json, read_position, write_oneline, write_toml
from orbis_search.notation.examples import example_text

COMMAND = [sys.executable, "-c", "import sys; from orbis_search.cli.main import main; sys.exit(main())", "engine"]
PARTS = 10
MOST_WAITING = 64  # of one client, as a program would that does not want to wait long for one answer
NO_REQUESTS = (
    b"{",
    b"[1, 2]",
    b"null",
    b'"advise"',
    b'{"id": 1',
    b"\xff\xfe{}",
    b'{"id": null, "action": "ping"}',
    b'{"action": "ping"}',
    b'{"id": {}, "action": "ping"}',
    b'{"id": 1, "id": 2}',
    b"[" * 50_000,
    b"x" * (3 << 19),
)


class Client:
    """Sends its part of the traffic. `expected` holds what each id has to be answered with, in the end."""

    def __init__(self, name: str, load: Load, requests: int, seed: int) -> None:
        self.name = name
        self.load = load
        self.requests = requests
        self.random = random.Random(f"{seed} {name}")
        self.expected: dict[str, str] = {}
        self.waiting: set[str] = set()
        self.room = threading.Condition()
        self.nameless = 0  # lines that are answered without an id
        self.cancels = 0

    def run(self) -> None:
        for count in range(self.requests):
            with self.room:
                self.room.wait_for(lambda: len(self.waiting) < MOST_WAITING or self.load.dead)
            if self.load.dead:
                return
            id = f"{self.name}{count}"
            kind, request = self.request()
            self.ask(id, kind, request)
            chance = self.random.random()
            if chance < 0.05:
                self.send(self.random.choice(NO_REQUESTS))
                self.nameless += 1
            elif chance < 0.12:
                self.twice(id)
            elif chance < 0.25:
                with self.room:
                    target = self.random.choice([*self.waiting, "nobody"])
                self.ask(f"{id}c", "result", {"action": "cancel", "target": target})
                self.cancels += 1
            elif chance < 0.251:
                self.ask(f"{id}c", "result", {"action": "cancel", "all": True})
                self.cancels += 1

    def twice(self, id: str) -> None:
        """The same id while the first one surely waits: it has a search before it that only a cancel ends."""
        self.ask(f"{id}l", "cut", {"action": "advise", "position": self.load.line, "seconds": 3600, "priority": 9})
        self.send(json.dumps({"id": f"{id}l", "action": "ping"}).encode())
        self.nameless += 1
        self.ask(f"{id}m", "result", {"action": "cancel", "target": f"{id}l"})
        self.cancels += 1

    def request(self) -> tuple[str, dict[str, Any]]:
        choose = self.random.choice
        position = choose([self.load.line, self.load.toml, self.load.document])
        common: dict[str, Any] = {"position": position, "priority": self.random.randrange(-3, 4)}
        kind = self.random.random()
        if kind < 0.4:
            if kind < 0.01:
                return "result", common | {"action": "advise", "seconds": 0.7, "report_every": 0.2}
            limits = choose([{"simulations": self.random.randrange(1, 300)}, {"seconds": 0.02}])
            more = choose([{}, {"why": None}, {"keep": ["b3"]}, {"report_every": 0.2}, {"threads": 2}])
            wrong = "error" if "keep" in more else "result"  # b3 alone fits many moves
            return wrong, common | {"action": "advise", "memory": 8 << 20, **limits, **more}
        if kind < 0.45:
            limits = choose([{"nodes": self.random.randrange(1, 3000)}, {"seconds": 0.02}])
            more = choose([{}, {"goal": "best"}, {"moves": ["zz"]}, {"report_every": 0.2}, {"threads": 2}, {"top": 1}])
            wrong = "error" if "moves" in more else "result"
            ending = {"position": self.load.ending, "memory": 8 << 20}
            return wrong, common | {"action": "solve", **ending, **limits, **more}
        if kind < 0.55:
            return "result", common | {"action": "moves", "limit": self.random.randrange(4)}
        if kind < 0.65:
            return "result", common | {"action": "apply", "move": self.load.move, "seed": 1}
        if kind < 0.75:
            return "result", common | {"action": "show", "form": choose(["json", "oneline", "toml", "text"])}
        if kind < 0.85:
            return "result", common | {"action": "check", "position": choose([position, "o1:2:"])}
        if kind < 0.9:
            return "result", {"action": choose(["ping", "version"])}
        return "error", choose(
            [
                common | {"action": "advise", "simulations": 0, "seed": "x", "nodes": 3},
                common | {"action": "show", "position": "o1:2:nothing:at:all"},
                common | {"action": "apply", "move": "zz"},
                common | {"action": "moves", "position": 3},
                common | {"action": "solve", "objective": "draw", "nodes": 0},
                {"action": "show"},
                {"action": "sing"},
                {"action": 7},
                {"action": "cancel"},
            ]
        )

    def ask(self, id: str, kind: str, request: dict[str, Any]) -> None:
        self.expected[id] = kind
        with self.room:
            self.waiting.add(id)
        self.load.of_id[id] = self
        self.send(json.dumps({"id": id, **request}).encode())

    def send(self, line: bytes) -> None:
        self.load.send(line)


class Load:
    def __init__(self, requests: int, seed: int, workers: int) -> None:
        position = read_position(example_text())
        self.line, self.toml = write_oneline(position).strip(), write_toml(position)
        self.document = position_to_json(position)
        self.ending = example_text("ending")
        self.move = format_move(position, legal_moves(position, search=True)[0])
        self.of_id: dict[str, Client] = {}
        self.answers: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.cut = self.interim = self.nameless = self.longest_line = 0
        self.memory: list[int] = []
        self.dead = False
        self.writing = threading.Lock()
        self.clients = [Client(name, self, requests // 2, seed) for name in ("a", "b")]
        self.step = max(1, requests // PARTS)
        pipe = subprocess.PIPE
        self.engine = subprocess.Popen([*COMMAND, "--workers", str(workers)], stdin=pipe, stdout=pipe)

    def send(self, line: bytes) -> None:
        assert self.engine.stdin is not None
        with self.writing:
            self.engine.stdin.write(line + b"\n")
            self.engine.stdin.flush()

    def run(self) -> bool:
        """Sends everything and reads all answers; whether all is as it should be."""
        assert self.engine.stdin is not None and self.engine.stdout is not None
        reader = threading.Thread(target=self.read)
        senders = [threading.Thread(target=client.run) for client in self.clients]
        for thread in (reader, *senders):
            thread.start()
        for thread in senders:
            thread.join()
        with self.writing:
            self.engine.stdin.close()
        reader.join()
        if self.engine.wait() != 0:
            self.wrong.append(f"exit code {self.engine.returncode}")
        for client in self.clients:
            for id in client.expected:
                if self.answers[id] != 1:
                    self.wrong.append(f"{id}: {self.answers[id]} answers")
        nameless = sum(client.nameless for client in self.clients)
        if self.nameless != nameless:
            self.wrong.append(f"{self.nameless} answers to {nameless} lines without an id of their own")
        return not self.wrong

    def read(self) -> None:
        assert self.engine.stdout is not None
        finals = 0
        for line in self.engine.stdout:
            self.longest_line = max(self.longest_line, len(line))
            answer = json.loads(line)
            id = answer["id"]
            if not answer["final"]:
                self.interim += 1
                if self.answers[id]:
                    self.wrong.append(f"{id}: a report after the answer")
                continue
            if id is None:
                self.nameless += 1
                continue
            self.answers[id] += 1
            client = self.of_id[id]
            expected = client.expected[id]
            found = "error" if "error" in answer else "cut" if "stopped" in answer else "result"
            self.cut += found == "cut"
            # A cancel may have come before anything else was found out.
            if found != expected and found != "cut":
                self.wrong.append(f"{id}: expected {expected}, found {found}: {line[:300]!r}")
            with client.room:
                client.waiting.discard(id)
                client.room.notify()
            finals += 1
            if finals % self.step == 0:
                self.memory.append(resident(self.engine.pid))
        self.dead = True
        for client in self.clients:
            with client.room:
                client.room.notify()


def resident(pid: int) -> int:
    """Bytes in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096


def main() -> int:
    parser = argparse.ArgumentParser(description="Load for orbis engine")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    start = time.perf_counter()
    load = Load(options.requests, options.seed, options.workers)
    fine = load.run()
    seconds = time.perf_counter() - start
    asked = sum(len(client.expected) for client in load.clients)
    cancels = sum(client.cancels for client in load.clients)
    print(f"{asked:,} requests with an id, {cancels:,} of them cancels; {load.nameless:,} other lines")
    print(f"{sum(load.answers.values()):,} answers, {load.cut:,} of them cut short, {load.interim:,} interim reports")
    print(f"{seconds:.1f} s, {asked / seconds:.0f} requests a second; longest line {load.longest_line:,} bytes")
    print("resident MB:", " ".join(f"{bytes / 1e6:.0f}" for bytes in load.memory))
    for each in load.wrong[:20]:
        print("wrong:", each)
    print("every request answered once" if fine else f"{len(load.wrong)} things are wrong")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
