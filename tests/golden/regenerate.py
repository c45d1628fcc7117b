"""Draws every position of this folder anew: `python tests/golden/regenerate.py`, then read the difference.

Each NAME.toml is a position on the folder's own frozen tile set, each NAME.txt what `orbis show` makes of it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def main() -> None:
    for position in sorted(FOLDER.glob("*.toml")):
        if position.name == "tiles.toml":
            continue
        command = [sys.executable, "-m", "orbis_search.cli.main", "show", "--color", "never"]
        command += [str(position), "-o", str(position.with_suffix(".txt"))]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
