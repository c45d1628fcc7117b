"""How long `orbis` takes to start, in times of `python -c pass`.

    python benchmarks/startup.py [--runs 40] [--check]

Each round runs every command once, so that whatever else the machine does hits all of them alike. Printed are medians,
and their ratios to the median of `python -c pass`. Run it on an installed package: without compiled .pyc files one
measures Python's compiler. With --check, exit code 1 if a command that has a limit is beyond it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

import orbis_search
from orbis_search.notation.examples import example_text

LIMIT = 2.5
LIMITED = ("orbis --version", "orbis check")


def main() -> int:
    parser = argparse.ArgumentParser(description="Start-up times of orbis")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if not list(Path(orbis_search.__file__).parent.glob("__pycache__/tiles.*.pyc")):
        print("note: no .pyc files beside the package; install it with pip, or run python -m compileall on it")
    orbis = Path(sysconfig.get_path("scripts"), "orbis")
    if not orbis.exists():
        print(f"expected the installed program at {orbis}, found none: pip install .", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        position = Path(folder) / "position.toml"
        position.write_text(example_text(), "utf-8")
        python = [sys.executable, "-c"]
        commands = {
            "python -c pass": [*python, "pass"],
            "import re": [*python, "import re"],  # what the script that pip makes does before anything of ours
            "import tomllib": [*python, "import tomllib"],  # what reading any file needs
            "import click": [*python, "import click"],  # what every command but the two below needs
            "orbis --version": [orbis, "--version"],
            "orbis check": [orbis, "check"],
            "orbis check FILE": [orbis, "check", position],
            "orbis --help": [orbis, "--help"],
            "orbis show FILE": [orbis, "show", position],
            "orbis moves FILE": [orbis, "moves", position],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        environment = os.environ | {"PYTHONSAFEPATH": "1"}
        for _ in range(options.runs + 1):
            for name, command in commands.items():
                start = perf_counter()
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
                times[name].append(perf_counter() - start)
    medians = {name: median(each[1:]) for name, each in times.items()}  # the first round fills the disk's cache
    ratios = {name: each / medians["python -c pass"] for name, each in medians.items()}
    for name, ratio in ratios.items():
        limit = f"  at most {LIMIT}: {'held' if ratio <= LIMIT else 'NOT HELD'}" if name in LIMITED else ""
        print(f"{name:<18} {1000 * medians[name]:7.1f} ms  {ratio:5.2f} times python -c pass{limit}")
    return int(options.check and any(ratios[name] > LIMIT for name in LIMITED))


if __name__ == "__main__":
    sys.exit(main())
