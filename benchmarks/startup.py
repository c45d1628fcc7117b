"""How long `orbis` takes to start, in times of `python -c pass`.

    python benchmarks/startup.py [--runs 40]

Each round runs every command once, so that whatever else the machine does hits all of them alike. Printed are medians, and
their ratios to the median of `python -c pass`. Run it on an installed package: without compiled .pyc files one
measures Python's compiler.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

import orbis_search
from orbis_search.positions import example_text

START = "import sys; from orbis_search.cli.main import main; sys.exit(main())"  # what the installed script does


def main() -> int:
    parser = argparse.ArgumentParser(description="Start-up times of orbis")
    parser.add_argument("--runs", type=int, default=40)
    runs = parser.parse_args().runs
    if not list(Path(orbis_search.__file__).parent.glob("__pycache__/tiles.*.pyc")):
        print("note: no .pyc files beside the package; install it with pip, or run python -m compileall on it")
    with tempfile.TemporaryDirectory() as folder:
        position = Path(folder) / "position.toml"
        position.write_text(example_text(), "utf-8")
        program = [sys.executable, "-c", START]
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "imports alone": [sys.executable, "-c", "import tomllib, dataclasses"],  # what reading a position needs
            "orbis --version": [*program, "--version"],
            "orbis check FILE": [*program, "check", str(position)],
            "orbis check": [*program, "check"],
            "orbis --help": [*program, "--help"],
            "orbis show FILE": [*program, "show", str(position)],
            "orbis moves FILE": [*program, "moves", str(position)],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        environment = os.environ | {"PYTHONSAFEPATH": "1"}
        for _ in range(runs + 1):
            for name, command in commands.items():
                start = perf_counter()
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
                times[name].append(perf_counter() - start)
    plain = median(times["python -c pass"][1:])
    for name, each in times.items():
        middle = median(each[1:])  # the first round fills the disk's cache
        print(f"{name:<18} {1000 * middle:7.1f} ms  {middle / plain:5.2f} times python -c pass")
    return 0


if __name__ == "__main__":
    sys.exit(main())
