"""Puts fresh figures into a document: runs the commands that it shows, and writes down what they print now.

    python benchmarks/refresh_figures.py docs/performance.md [--only WORDS]

A block marked `text` whose first line is `$ COMMAND` is what that command printed; all else stays as it is. With
--only, the commands that contain these words. A command that fails leaves its block as it is. Figures by the clock want
an idle machine, instructions (valgrind) do not.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"(?ms)^```text\n\$ (?P<command>.*?)\n.*?^```$")
ROOT = Path(__file__).resolve().parents[1]


def refreshed(match: re.Match[str], only: str) -> str:
    command = match["command"]
    if only not in command:
        return match[0]
    print(f"$ {command}", flush=True)
    # `python` and `orbis` are those of the environment that runs this.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = os.environ | {"PATH": path, "ORBIS_LANG": "en", "PYTHONSAFEPATH": "1"}
    done = subprocess.run(shlex.split(command), capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
    if done.returncode:
        print(f"left as it is, exit code {done.returncode}: {done.stderr.strip()}", file=sys.stderr)
        return match[0]
    return f"```text\n$ {command}\n{done.stdout.rstrip()}\n```"


def main() -> None:
    parser = argparse.ArgumentParser(description="Fresh figures for a document")
    parser.add_argument("document", type=Path)
    parser.add_argument("--only", default="", metavar="WORDS")
    options = parser.parse_args()
    text = options.document.read_text("utf-8")
    options.document.write_text(BLOCK.sub(lambda match: refreshed(match, options.only), text), "utf-8")


if __name__ == "__main__":
    main()
