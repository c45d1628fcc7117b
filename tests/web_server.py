"""The board's server as tests meet it: started as people start it, in a folder of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

from program import start

LANGUAGES = ("en", "de", "pl", "ru")


class Server:
    def __init__(self, folder: Path, *arguments: object, port: int = 0) -> None:
        self.folder = folder
        line = ("web", *arguments, "--no-open", "--port", port, "--json", "--folder", ".")
        self.process = start(*line, cwd=folder, env={"PYTHONUNBUFFERED": "1"})
        assert self.process.stdout is not None
        text = ""
        while not text.endswith("}\n"):
            more = self.process.stdout.readline()
            assert more, self.process.stderr and self.process.stderr.read()
            text += more
        self.told = json.loads(text)
        self.address: str = self.told["address"]
        self.port = urlsplit(self.address).port or 0

    def socket(self, **more: Any) -> AbstractContextManager[ClientConnection]:
        """A tab's socket, opened by our own page unless told otherwise."""
        options: dict[str, Any] = {"origin": self.address.rstrip("/"), "max_size": None, "proxy": None} | more
        return connect(f"ws://127.0.0.1:{self.port}/engine", **options)

    def kill(self) -> None:
        self.process.kill()
        self._end()

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(20)
        finally:
            self._end()

    def _end(self) -> None:
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def resident(self) -> int:
        """Bytes of memory."""
        fields = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")

    def worked(self) -> float:
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(folder: Path, *arguments: object, port: int = 0) -> Iterator[Server]:
    server = Server(folder, *arguments, port=port)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            try:
                assert server.interrupt() == 0
            except subprocess.TimeoutExpired:
                server.kill()
                raise


def ask(tab: ClientConnection, action: str, **fields: Any) -> dict[str, Any]:
    """The final answer to one request."""
    tab.send(json.dumps({"id": f"{action} {id(fields)}", "action": action, **fields}))
    while True:
        answer: dict[str, Any] = json.loads(tab.recv(timeout=60))
        if answer["final"]:
            return answer
