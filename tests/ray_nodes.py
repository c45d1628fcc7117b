"""A Ray cluster of several nodes on this machine, whose nodes can be killed.

    with RayNodes(cpus=[1, 1, 1]) as nodes:
        nodes.address
        nodes.kill(2)

Node 0 is the head. Each is started by `ray start`; its processes are known by a variable in their environment.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

MARK = "ORBIS_TEST_NODE"
# Whoever does not know the word cannot join, and nothing is told to anybody.
KEY = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), "RAY_USAGE_STATS_ENABLED": "0"}
KEY["RAY_worker_niceness"] = "0"  # or a busy machine leaves them nothing


class RayNodes:
    def __init__(self, cpus: Sequence[int], **variables: str) -> None:
        self.marks: list[str] = []
        self.before = {key: os.environ.get(key) for key in KEY}
        os.environ.update(KEY)
        self.folder = tempfile.mkdtemp(prefix="orbis-ray-")  # a socket's name may not be long
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        try:
            for number in cpus:
                self.add(number, **variables)
        except BaseException:
            self.close()
            raise

    def add(self, cpus: int, **variables: str) -> int:
        """The number of the new node."""
        self.marks.append(secrets.token_hex(8))
        ray = [str(Path(sys.executable).with_name("ray")), "start", f"--num-cpus={cpus}"]
        ray += ["--object-store-memory=80000000", "--disable-usage-stats"]
        if len(self.marks) == 1:
            ray += ["--head", f"--port={self.port}", "--include-dashboard=false", f"--temp-dir={self.folder}"]
        else:
            ray += [f"--address={self.address}"]
        environment = {**os.environ, MARK: self.marks[-1], **variables}
        done = subprocess.run(ray, env=environment, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return len(self.marks) - 1

    def processes(self, node: int) -> list[int]:
        mark = f"{MARK}={self.marks[node]}".encode()
        found = []
        for each in Path("/proc").iterdir():
            if each.name.isdecimal():
                try:
                    if mark in (each / "environ").read_bytes().split(b"\0"):
                        found.append(int(each.name))
                except OSError:
                    pass  # it has ended, or is somebody else's
        return found

    def kill(self, node: int) -> None:
        """All at once, as when a machine loses its power."""
        for _ in range(50):
            left = self.processes(node)
            for process in left:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            if not left:
                return
            time.sleep(0.05)

    def others(self) -> list[int]:
        """Those that live, but for the head."""
        return [node for node in range(1, len(self.marks)) if self.processes(node)]

    def close(self) -> None:
        for node in reversed(range(len(self.marks))):
            self.kill(node)
        shutil.rmtree(self.folder, ignore_errors=True)
        for key, value in self.before.items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value

    def __enter__(self) -> RayNodes:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
