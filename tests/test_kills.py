"""SIGKILL at random moments to every command that writes: nothing that was confirmed is lost, every file loads.

More of them: ORBIS_KILLS=300 pytest tests/test_kills.py -s
"""

from __future__ import annotations

import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from subprocess import Popen

from test_track import MOVE_TOLD, answers_from

from games import game
from orbis_search.entry.draft import read_draft
from orbis_search.notation import read_position
from orbis_search.notation.examples import example_text
from orbis_search.players.arena import read_games
from orbis_search.record.file import load_record
from orbis_search.record.text import write_record
from orbis_search.review.batch import REVIEWS
from orbis_search.solver.batch import Results
from orbis_search.tileset.files import parse_tile_set
from program import start

KILLS = int(os.environ.get("ORBIS_KILLS", "20"))
ARENA = ("arena", "random", "random", "--games", "2000", "--threads", "1", "--save", "match.jsonl")
SOLVE = ("solve", "--batch", "positions", "--nodes", "2000", "--threads", "1", "-o", "solved.jsonl")
REVIEW = ("review", "--batch", "games", "--sims", "8", "--threads", "1", "-o", "reviewed.jsonl")
PLAYED = game(2, 2)

# Commands that write a file as a whole: always the same one, so that it is there as it should be, or not at all.
WHOLE = {
    "new": ("new", "--seed", "1", "-o", "out"),
    "new --template": ("new", "--template", "-o", "out"),
    "show": ("show", "positions/a.toml", "--oneline", "-o", "out"),
    "show --svg": ("show", "positions/a.toml", "--svg", "out"),
    "apply": ("apply", "positions/a.toml", "b3 wild 1L", "--seed", "1", "-o", "out"),
    "tiles template": ("tiles", "template", "-o", "out"),
    "tiles random": ("tiles", "random", "--seed", "1", "-o", "out"),
    "record show": ("record", "show", "games/a.orbis", "--text", "-o", "out"),
    "record position": ("record", "position", "games/a.orbis", "9", "--toml", "-o", "out"),
    "review --html": ("review", "games/short.orbis", "--sims", "8", "--seed", "1", "--threads", "1", "--html", "out"),
    "advise --svg": ("advise", "--sims", "20", "--seed", "1", "--threads", "1", "--svg", "out"),
}
READERS: dict[str, Callable[[str], object]] = {
    "new": read_position,
    "apply": read_position,
    "show": read_position,
    "tiles random": lambda text: parse_tile_set(text, "out"),
    "record position": read_position,
}


class Table:
    """A folder with something of everything, and what has been confirmed of it so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rng = random.Random(5)
        self.known: dict[str, set[object]] = {}
        self.lasts: dict[str, float] = {}  # seconds that a command takes
        self.expected: dict[str, bytes] = {}
        for name in ("positions", "games"):
            (folder / name).mkdir()
        ending, middle = example_text("ending"), example_text()
        for number in range(60):
            (folder / "positions" / f"{number:02}.toml").write_text(f"{ending}\n# {number}\n", "utf-8")
        (folder / "positions" / "a.toml").write_text(middle, "utf-8")
        for number in range(12):
            record = game(number, 2, turns=4)
            (folder / "games" / f"{number:02}.orbis").write_text(write_record(record), "utf-8")
        (folder / "games" / "short.orbis").write_text(write_record(game(1, 2, turns=2)), "utf-8")
        (folder / "games" / "a.orbis").write_text(write_record(PLAYED), "utf-8")

    def begin(self, *arguments: str, answers: str | None = None, beside: bool = False) -> Popen[str]:
        """Its output goes to a file, to be read after the kill; `beside` another one's, behind what that writes."""
        self.shown = self.folder.parent / "shown"
        if not beside:
            self.shown.unlink(missing_ok=True)
        with self.shown.open("a") as out:
            streams = {"stdout": out, "stderr": out, "stdin": -1 if answers is not None else None}
            process = start(*arguments, cwd=self.folder, env={"PYTHONUNBUFFERED": "1"}, **streams)
        if answers is not None and process.stdin is not None:
            with suppress(BrokenPipeError):
                process.stdin.write(answers)
                process.stdin.flush()
        return process

    def kill(self, process: Popen[str], most: float) -> int:
        """At a random moment until then, if it has not ended by itself."""
        end = time.monotonic() + self.rng.uniform(0, most)
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        process.kill()
        code = process.wait()
        if process.stdin is not None:
            with suppress(BrokenPipeError):
                process.stdin.close()
        return code

    def told(self) -> str:
        return self.shown.read_text(errors="ignore")

    def expect_kept(self, name: str, found: list[object]) -> None:
        """Each once, and all that were there before."""
        assert len(found) == len(set(found)), f"{name}: something is there twice"
        assert self.known.get(name, set()) <= set(found), f"{name}: something is lost"
        self.known[name] = set(found)

    # What can be killed.

    def lines_of(self, name: str) -> list[object]:
        path = str(self.folder / name)
        if not os.path.exists(path):
            return []
        if name == "match.jsonl":
            if not Path(path).read_bytes().count(b"\n"):
                return []
            return [(each.round, each.rotation, each.moves) for each in read_games(path)[1]]
        kind = {"solved.jsonl": (), "reviewed.jsonl": (REVIEWS,)}[name]
        with closing(Results(path, *kind)) as results:
            written = Path(path).read_bytes().count(b"\n")
            assert written == len(results.lines), f"{name}: a line is there twice"
            return [*results.lines]

    def continued(self, command: tuple[str, ...]) -> bool:
        process = self.begin(*command)
        killed = self.kill(process, 3.0) == -signal.SIGKILL
        self.check_lines(command[-1])
        return killed

    def two_at_once(self, command: tuple[str, ...]) -> bool:
        """Two processes on one file, each killed or told that it is in use."""
        both = [self.begin(*command), self.begin(*command, beside=True)]
        codes = [self.kill(each, 1.5) for each in both]
        assert all(code in (-signal.SIGKILL, 0, 2) for code in codes), codes
        if 2 in codes:
            assert "expected a file that no other program is using" in self.told()
        self.check_lines(command[-1])
        return -signal.SIGKILL in codes

    def check_lines(self, name: str) -> None:
        found = self.lines_of(name)
        self.expect_kept(name, found)
        whole = {"match.jsonl": 2000, "solved.jsonl": 61, "reviewed.jsonl": 14}
        if len(found) == whole[name]:
            (self.folder / name).unlink()
            del self.known[name]

    def whole(self, name: str) -> bool:
        out = self.folder / "out"
        if name not in self.expected:
            begun = time.monotonic()
            process = self.begin(*WHOLE[name])
            assert process.wait() == 0, self.told()
            self.lasts[name] = time.monotonic() - begun
            self.expected[name] = out.read_bytes()
        before = self.rng.choice((None, b"what was there before\n"))
        out.unlink(missing_ok=True)
        if before is not None:
            out.write_bytes(before)
        killed = self.kill(self.begin(*WHOLE[name]), 1.2 * self.lasts[name]) == -signal.SIGKILL
        found = out.read_bytes() if out.exists() else None
        assert found in (before, self.expected[name]), f"{name}: neither what was there nor what should be"
        if found == self.expected[name] and name in READERS:
            READERS[name](found.decode())
        return killed

    def play(self) -> bool:
        path = self.folder / "played.orbis"
        path.unlink(missing_ok=True)
        seed = str(self.rng.randrange(1000))
        process = self.begin("play", "random", "greedy", "--seed", seed, "--record", path.name)
        killed = self.kill(process, 2.0) == -signal.SIGKILL
        self.check_record(path)
        return killed

    def track(self) -> bool:
        path = self.folder / "tracked.orbis"
        kept = load_record(str(path)).record if path.exists() else None
        if kept is not None and kept.position().is_over:
            path.unlink()
            kept = None
        answers = "".join(f"{line}\n" for line in answers_from(PLAYED, kept))
        killed = self.kill(self.begin("track", path.name, answers=answers), 3.0) == -signal.SIGKILL
        self.check_record(path)
        return killed

    def check_record(self, path: Path) -> None:
        last = max(map(int, re.findall(r"(?m)^ *([0-9]+)\. ", self.told())), default=0)
        told = max(map(int, MOVE_TOLD.findall(self.told())), default=0)
        if not path.exists():
            assert not told
            return
        record, cut = load_record(str(path))
        assert not cut and record.last >= told, f"{path.name}: turn {told} of {last} was told"

    def edit(self) -> bool:
        """Answers about the centre, one after another; each is in the draft once the next question is asked."""
        path = self.folder / "edited.toml"
        draft = self.folder / "edited.toml.draft"
        draft.unlink(missing_ok=True)
        cells = [f"{tile.id} | -" for tile in (cell.tile for cell in PLAYED.start.centre) if tile is not None]
        answers = "".join(f"{line}\n" for line in ["2", "", *cells])
        killed = self.kill(self.begin("edit", path.name, answers=answers), 1.5) == -signal.SIGKILL
        asked = re.findall(r"(?m)^([abc][123]), tile", self.told())
        if not draft.exists():
            assert len(asked) < 2
            return killed
        sheet = read_draft(draft.read_text("utf-8"), draft.name).sheet
        entered = [cell for cell in sheet.cells if cell is not None and cell.tile is not None]
        assert len(entered) >= len(asked) - 1, f"{asked[-1:]} was asked for, so all before it are kept"
        return killed


def test_killed_in_every_command_that_writes(tmp_path: Path) -> None:
    (folder := tmp_path / "table").mkdir()
    table = Table(folder)
    kinds: dict[str, Callable[[], bool]] = {
        "arena --save": lambda: table.continued(ARENA),
        "arena --save, two": lambda: table.two_at_once(ARENA),
        "solve --batch": lambda: table.continued(SOLVE),
        "solve --batch, two": lambda: table.two_at_once(SOLVE),
        "review --batch": lambda: table.continued(REVIEW),
        "review --batch, two": lambda: table.two_at_once(REVIEW),
        "play": table.play,
        "track": table.track,
        "edit": table.edit,
    }
    kinds |= {name: (lambda name=name: table.whole(name)) for name in WHOLE}  # type: ignore[misc]
    killed: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    names = list(kinds)
    turn = 0
    while sum(killed.values()) < KILLS and turn < 10 * KILLS:
        name = names[turn % len(names)]
        (killed if kinds[name]() else ended)[name] += 1
        turn += 1
    told = ", ".join(f"{name} {number}" for name, number in killed.items())
    print(f"{sum(killed.values())} kills, {sum(ended.values())} runs ended before theirs: {told}")
    assert sum(killed.values()) == KILLS
    left = {name for name in os.listdir(folder) if not re.fullmatch(r"\..*~", name)}
    names = {"match.jsonl", "solved.jsonl", "reviewed.jsonl", "out", "played.orbis", "tracked.orbis"}
    assert left <= names | {"positions", "games", "edited.toml.draft"}
