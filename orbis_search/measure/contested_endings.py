"""Endings that are still open, each with the exact value of its moves, as `benchmarks/contested.py` makes them.

    endings = shipped_set("report", players=2, turns_left=5).endings
    endings[0].position, endings[0].best, endings[0].value_of(move)

Two sets that share no game: anything may be tuned on `fit`, nothing ever on `report`. A file holds the endings of one
set for one number of players and turns left, as gzipped lines of JSON. The first line says how they were made; each of
the others is an ending, whose moves are listed by value in their packed form, in hexadecimal: `what`, then a full stop
and `detail` where that is not 0.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.resources import files
from typing import Any

from ..base.errors import InputError, reason
from ..base.held_files import HeldFile
from ..base.language import _
from ..core.packing import PackedMove, pack_move
from ..game.position import Move, Position
from ..solver.endgame import solve

FORMAT, VERSION = "orbis-contested", 1
SETS = ("fit", "report")
TURNS_LEFT = {2: (4, 5, 6), 3: (3,), 4: (3,)}  # for which there are endings, by number of players
LEAST, MOST = Fraction(1, 50), Fraction(49, 50)  # the best move's value lies between these ...
APART = Fraction(1, 50)  # ... and some other is worth at least this much less


@dataclass(frozen=True, slots=True)
class Ending:
    """A position and what its moves are worth to the player to move: the expected part of the victory."""

    text: str  # the position in its one-line form
    tiles: str  # its tile set
    game: int  # it was taken from, counted separately for each tile set
    values: dict[PackedMove, Fraction] = field(repr=False)

    @property
    def position(self) -> Position:
        from ..notation import read_position

        return read_position(self.text)

    @property
    def ours(self) -> bool:
        """Played on our own tile set, not on a random one."""
        return not self.tiles.startswith("random")

    @property
    def best(self) -> Fraction:
        return max(self.values.values())

    def value_of(self, move: Move, position: Position | None = None) -> Fraction:
        """The value of any legal move: one that is not listed is solved."""
        position = position or self.position
        packed = pack_move(position, move)
        if packed not in self.values:
            solution = solve(position, moves=[move], line=False)
            if solution.stopped == "interrupted":
                raise KeyboardInterrupt
            if not solution.finished:
                raise InputError.one(self.text, _("expected an ending that can be solved, found one that cannot"))
            self.values[packed] = solution.moves[0].low
        return self.values[packed]


@dataclass(frozen=True, slots=True)
class EndingSet:
    """A file of endings, and how they came to be."""

    name: str  # one of SETS
    players: int
    turns_left: int
    made: dict[str, Any]  # simulations, limits, games played, and those passed over by reason
    endings: tuple[Ending, ...]


def file_name(name: str, players: int, turns_left: int) -> str:
    return f"{name}-{players}p-{turns_left}.jsonl.gz"


def shipped_turns(name: str, players: int) -> tuple[int, ...]:
    """The numbers of turns left for which the set has endings."""
    folder = files("orbis_search") / "data" / "contested"
    return tuple(left for left in TURNS_LEFT[players] if (folder / file_name(name, players, left)).is_file())


def shipped_set(name: str, players: int, turns_left: int) -> EndingSet:
    """A set installed with the program."""
    place = file_name(name, players, turns_left)
    try:
        data = (files("orbis_search") / "data" / "contested" / place).read_bytes()
    except FileNotFoundError:
        raise InputError.one(place, _("expected a set of endings, found no such file")) from None
    return set_of(data, place)


def read_set(path: str) -> EndingSet:
    """A file of endings that somebody made."""
    try:
        with open(path, "rb") as file:
            return set_of(file.read(), path)
    except OSError as error:
        raise InputError.one(path, reason(error)) from None


def set_of(data: bytes, place: str) -> EndingSet:
    try:
        head, *rows = (json.loads(line) for line in gzip.decompress(data).splitlines())
        if (head["format"], head["version"]) != (FORMAT, VERSION):
            raise ValueError
        endings = tuple(
            Ending(str(row["position"]), str(row["tiles"]), int(row["game"]), _values(row["moves"])) for row in rows
        )
        return EndingSet(str(head["set"]), int(head["players"]), int(head["turns_left"]), head["made"], endings)
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError):
        raise InputError.one(place, _("expected a set of endings with values, found something else")) from None


def set_bytes(endings: EndingSet) -> bytes:
    """What a file of them holds: the same endings, the same bytes."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "set": endings.name,
        "players": endings.players,
        "turns_left": endings.turns_left,
        "made": endings.made,
    }
    rows = [
        {"game": each.game, "tiles": each.tiles, "position": each.text, "moves": _moves_by_value(each.values)}
        for each in endings.endings
    ]
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in [head, *rows])
    return gzip.compress(text.encode(), 9, mtime=0)


def write_set(endings: EndingSet, path: str) -> None:
    """All or nothing: a reader finds the file as it was before, or as it is after."""
    with closing(HeldFile(path)) as file:
        file.keep(set_bytes(endings))


def _moves_by_value(values: dict[PackedMove, Fraction]) -> dict[str, str]:
    """Best first."""
    found: dict[Fraction, list[PackedMove]] = {}
    for move, value in values.items():
        found.setdefault(value, []).append(move)
    return {str(value): " ".join(map(_word, sorted(found[value]))) for value in sorted(found, reverse=True)}


def _word(move: PackedMove) -> str:
    what, detail = move
    return f"{what:x}.{detail:x}" if detail else f"{what:x}"


def _values(rows: dict[str, str]) -> dict[PackedMove, Fraction]:
    return {_pack(word): Fraction(value) for value, words in rows.items() for word in words.split()}


def _pack(word: str) -> PackedMove:
    what, _point, detail = word.partition(".")
    return int(what, 16), int(detail or "0", 16)


def interleave(ours: Iterable[Ending], others: Iterable[Ending]) -> tuple[Ending, ...]:
    """Alternating, so that the first few are of both kinds."""
    ranked = [(rank, each) for half in (ours, others) for rank, each in enumerate(half)]
    return tuple(each for _rank, each in sorted(ranked, key=lambda pair: pair[0]))
