"""Draws every position of this folder anew: `python tests/golden/regenerate.py`, then read the difference.

Each NAME.toml is a position on the folder's own frozen tile set, each NAME.txt what `orbis show` makes of it, and
each NAME.svg what it makes of some of them as a picture: look at those.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
# The pictures, with the move and the caption that each shows.
PICTURES = {
    "opening-3": (None, None),
    "middle-2": ("a2 2.1 pay ry", "a2 to 2.1, 63.2 % ± 0.4"),
    "odd-2": (None, "Żółć, “щука” & <Anna>"),
}


def main() -> None:
    for position in sorted(FOLDER.glob("*.toml")):
        if position.name == "tiles.toml":
            continue
        command = [sys.executable, "-m", "orbis_search.cli.main", "show", "--color", "never"]
        command += [str(position), "-o", str(position.with_suffix(".txt"))]
        subprocess.run(command, check=True)
    for name, (move, caption) in PICTURES.items():
        command = [sys.executable, "-m", "orbis_search.cli.main", "show", str(FOLDER / f"{name}.toml")]
        command += ["--svg", str(FOLDER / f"{name}.svg")]
        command += ["--move", move] if move else []
        command += ["--caption", caption] if caption else []
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
