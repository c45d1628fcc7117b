"""How many keys does a turn take in `orbis track`? Types whole games at a terminal and counts, Enter included.

    python benchmarks/track_keys.py
    python benchmarks/track_keys.py --games 40 --level keen --seed 7

The games are played by engine players of middling strength who slip as people do, at tables of two, three and four.
Every turn is typed into the real `orbis track` on a pseudo-terminal: the move that was made, whatever the advisor would
say of it, and the tile that was drawn, with an answer of its own for each question. A turn's keys are sent ahead of
its questions, which saves time and no keys. The file must then hold the game.

It prints the mean over all turns with its standard deviation, the spread of the games' means, what the keys are for,
and the mean if one player always followed the advice: that is worked out at one key a move, not typed. Setting up
the table is not counted.
"""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import sys
import termios
import time
from collections import Counter
from pathlib import Path
from statistics import fmean, stdev
from tempfile import TemporaryDirectory

import click

from orbis_search.entry.keystrokes import ENTER, keys_of_draw, keys_of_move
from orbis_search.players.levels import NAMES
from orbis_search.players.session import new_game, parse_seat
from orbis_search.record.file import load_record
from orbis_search.record.game import Record
from orbis_search.tileset.library import load_tile_set

TABLES = (2, 3, 2, 4)  # numbers of players, again and again
ACCEPT = 1  # key
PATIENCE = 60.0  # seconds for a turn to be in the file

Keys = list[tuple[list[str], list[str]]]  # of each turn: those of the move, and those of the tile drawn


def played(level: str, players: int, seed: int) -> Record:
    """A game to its end."""
    game = new_game([parse_seat(level)] * players, load_tile_set(), seed)
    while not game.is_over:
        game.play(game.think())
    return game.record


class Terminal:
    """`orbis track` on a pseudo-terminal."""

    def __init__(self, path: Path) -> None:
        import pty

        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        command = [sys.executable, "-m", "orbis_search.cli.main", "track", path.name, "--no-advice"]
        environment = os.environ | {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "ORBIS_LANG": "en"}
        # In the file's folder, not in the clone, whose package has no compiled core.
        self.process = subprocess.Popen(
            command,
            cwd=path.parent,
            env=environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)

    def press(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def read(self, seconds: float) -> None:
        """Lets the program write, for a while."""
        while select.select([self.ours], [], [], seconds)[0]:
            try:
                os.read(self.ours, 1 << 16)
            except OSError:  # it has ended
                return
            seconds = 0.0


def expect_tracked(record: Record, turns: Keys) -> None:
    """Types it all; AssertionError unless the file then holds the game."""
    start = record.start
    set_up = [
        ", ".join(player.name for player in start.players),
        ", ".join(cell.tile.id for cell in start.centre if cell.tile is not None),
    ]
    gods = "".join(str(god.value) for god in start.gods)
    with TemporaryDirectory() as folder:
        path = Path(folder, "game.orbis")
        terminal = Terminal(path)
        terminal.press("".join(line + ENTER for line in set_up) + gods + ENTER * gods.startswith("0"))
        for number, (move, draw) in enumerate(turns, 1):
            terminal.press("".join(move + draw))
            until = time.monotonic() + PATIENCE
            while not _has(path, number):
                terminal.read(0.05)
                assert time.monotonic() < until, f"turn {number} was not understood: {move} {draw}"
        terminal.process.terminate()
        terminal.read(0.1)
        terminal.process.wait(PATIENCE)
        os.close(terminal.ours)
        kept = load_record(str(path)).record
    assert (kept.start.centre, kept.turns) == (start.centre, record.turns), "the game typed is another one"


def _has(path: Path, number: int) -> bool:
    """Whether the file has the turn, with its tile."""
    if not path.exists():
        return False
    lines = path.read_text(encoding="utf-8").splitlines()
    return any(line.startswith(f"{number}. ") and not line.endswith("| ?") for line in lines)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--games", type=click.IntRange(2), default=20, show_default=True)
@click.option("--level", type=click.Choice(NAMES), default="regular", show_default=True, help="Who plays them.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
def track_keys(games: int, level: str, seed: int) -> None:
    """Count the keys of a turn."""
    turns: list[int] = []  # keys of each
    followed: list[int] = []  # the same, with the first player taking all advice
    means = []
    parts: Counter[str] = Counter()
    for index in range(games):
        record = played(level, TABLES[index % len(TABLES)], seed + index)
        typed: Keys = [
            (keys_of_move(stage, turn.move), keys_of_draw(stage, turn.move, turn.drawn))
            for stage, turn in record.replay()
        ]
        expect_tracked(record, typed)
        counts = [len("".join(move + draw)) for move, draw in typed]
        means.append(fmean(counts))
        turns += counts
        for (move, draw), (stage, _turn) in zip(typed, record.replay()):
            parts["tile or god"] += len(move[0])
            parts["slot and all else"] += len("".join(move[1:]))
            parts["tile drawn"] += len("".join(draw))
            own = ACCEPT if stage.position.to_move == 0 else len("".join(move))
            followed.append(own + len("".join(draw)))
    print(f"{games} games, {len(turns)} turns, by {level} players, seeds {seed} to {seed + games - 1}")
    print(f"keys a turn    {fmean(turns):5.2f}  standard deviation {stdev(turns):.2f}, at most {max(turns)}")
    spread = f"standard deviation {stdev(means):.2f}, {min(means):.2f} to {max(means):.2f}"
    print(f"games' means   {fmean(means):5.2f}  {spread}")
    for part, number in parts.items():
        print(f"  {part:<18} {number / len(turns):5.2f}")
    print(f"if one player follows all advice: {fmean(followed):.2f}")


if __name__ == "__main__":
    track_keys()
