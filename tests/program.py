"""The program as the tests meet it: in this process, in one of its own, and on a pseudo-terminal.

The fixture `run` (conftest.py) is the quick way, for what a command answers; `installed` and `Terminal` are for how it
gets on with other programs and people. All take `lang="de"` and other environment variables, for tests in a language.
"""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import subprocess
import sys
import sysconfig
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

TESTS = Path(__file__).parent
GOLDEN = TESTS / "golden"
MIDDLE = str(GOLDEN / "middle-2.toml")

# The script that pip installs; a build that is tested in place has none.
_SCRIPT = Path(sysconfig.get_path("scripts"), "orbis")
PROGRAM = [str(_SCRIPT)] if _SCRIPT.exists() else [sys.executable, "-m", "orbis_search.cli.main"]


class Result(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Result]


def environment(lang: str | None = None, **variables: str) -> dict[str, str]:
    """That of the tests, with these changes."""
    return os.environ | ({} if lang is None else {"ORBIS_LANG": lang}) | variables


def start(
    *arguments: object, cwd: Path | None = None, lang: str | None = None, env: dict[str, str] | None = None, **more: Any
) -> subprocess.Popen[str]:
    """The installed program in a process of its own; its streams are pipes unless told otherwise."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [*PROGRAM, *map(str, arguments)]
    options = {"encoding": "utf-8"} | pipes | more
    return subprocess.Popen(command, cwd=cwd, env=environment(lang, **env or {}), **options)


def installed(*arguments: object, stdin: str | None = None, **more: Any) -> Result:
    """What the installed program answers."""
    if stdin is not None:
        more["stdin"] = subprocess.PIPE
    with start(*arguments, **more) as process:
        out, err = process.communicate(stdin, timeout=300)
    return Result(process.returncode, out or "", err or "")


def wait_for_work(process: subprocess.Popen[str], seconds: float) -> None:
    """Until the process has worked so long, by its processor time: a busy machine may take its time for it."""
    spent = 0.0
    for _ in range(2400):
        time.sleep(0.02)
        fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        spent = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        if spent >= seconds or process.poll() is not None:
            return
    raise AssertionError(f"expected {seconds} s of work, found {spent} s in a minute")


CTRL_C = "\x03"


class Terminal:
    """The program on a pseudo-terminal of its own: `type` sends keys and gives what is shown after them."""

    def __init__(
        self,
        *arguments: object,
        cwd: Path | None = None,
        term: str = "xterm",
        columns: int = 100,
        lang: str | None = None,
        **variables: str,
    ) -> None:
        import pty

        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, columns, 0, 0))
        usual = {"TERM": term, "NO_COLOR": "1", "PROMPT_TOOLKIT_NO_CPR": "1", "INPUTRC": "/dev/null"}

        def own_terminal() -> None:
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.seen = b""
        self.process = subprocess.Popen(
            [*PROGRAM, *map(str, arguments)],
            cwd=cwd,
            env=environment(lang, **usual | variables),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            preexec_fn=own_terminal,
        )
        os.close(theirs)

    def type(self, keys: str, until: str) -> str:
        """What is shown until these words are; colours and cursor movements taken out.

        Ctrl-C is pressed again when nothing happens, as a person would: one that falls between readline's prompt and
        its wait for a key is noticed at the next key only.
        """
        os.write(self.ours, keys.encode())
        begin, start = len(self.seen), time.monotonic()
        pressed = start
        while time.monotonic() < start + 60:
            more = self._read(0.2)
            if keys == CTRL_C and not more and time.monotonic() > pressed + 5:
                os.write(self.ours, keys.encode())
                pressed = time.monotonic()
            if until in self.plain(self.seen[begin:]):
                return self.plain(self.seen[begin:])
            if more is None:
                break
        raise AssertionError(f"expected {until!r}, found {self.plain(self.seen[begin:])!r}")

    def _read(self, seconds: float) -> bytes | None:
        """What comes within the time, None if the program has ended."""
        if not select.select([self.ours], [], [], seconds)[0]:
            return b""
        try:
            more = os.read(self.ours, 65536)
        except OSError:
            return None
        self.seen += more
        return more or None

    @staticmethod
    def plain(seen: bytes) -> str:
        return re.sub(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|[()].|[=>])", "", seen.decode(errors="replace")).replace("\r", "")

    def ends(self) -> int:
        """Its exit code, once it has ended; `seen` has all it wrote."""
        end = time.monotonic() + 120
        while time.monotonic() < end and self._read(0.2) is not None:
            pass
        code = self.process.wait(60)
        os.close(self.ours)
        return code
