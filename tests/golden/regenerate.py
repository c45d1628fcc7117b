"""Makes everything in this folder anew: `python tests/golden/regenerate.py`, then read the difference.

Each NAME.toml is a position on the folder's own frozen tile set, each NAME.txt what `orbis show` makes of it, and
each NAME.svg what it makes of some of them as a picture: look at those. `sessions/` holds what every command writes
(see sessions.py); the page of the commands in docs/ is made from their help as well.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

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
    write_sessions()


def write_sessions() -> None:
    sys.path.insert(0, str(FOLDER.parent))
    import conftest  # noqa: F401  the environment that tests have
    from golden.sessions import COMMANDS_PAGE, KEPT, SESSIONS, commands_page, session, with_positions

    KEPT.mkdir(exist_ok=True)
    for old in set(KEPT.glob("*.txt")) - {KEPT / f"{name}.txt" for name in SESSIONS}:
        old.unlink()
    for name in SESSIONS:
        with TemporaryDirectory() as folder:
            (KEPT / f"{name}.txt").write_text(session(name, with_positions(Path(folder))), "utf-8")
    COMMANDS_PAGE.write_text(commands_page(), "utf-8")


if __name__ == "__main__":
    main()
