"""What the three forms of a position share: worshipers, tiles, marks and gods as text, and the last step.

Each form takes its text apart into a `Draft`, telling a `Reading` what it could not understand; `finish`
looks the tiles up, adds the problems of the position itself, and returns the `Position` or raises them all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import cache

from ..base.errors import InputError, Problem, place_words
from ..base.language import _
from ..base.names import name_problem, player_name_problem, player_place
from ..base.quoting import UNFILLED, fold, nearest, shown
from ..base.reading import Reading as PlainReading
from ..base.reading import with_source
from ..base.values import NamedTuple
from ..game.position import Cell, Options, Pile, Placed, Player, Position, Row
from ..game.problems import cell_place, default_piles, expect_position, find_problems, pile_place, slot_place
from ..game.tile_limits import expect_fine_tile_set
from ..game.tiles import DEFAULT_TILE_SET, Tile, TileSet
from ..game.vocabulary import CELLS, COLOUR_LETTERS, LEVELS, NOBODY, SET_UP, Colour, Face, God, Worshipers
from ..tileset.library import load_tile_set

TYPE_CHECKING = False  # typing's own would be expensive: `orbis check` starts in little more than Python itself takes
if TYPE_CHECKING:
    from typing import Any

Folder = str | os.PathLike[str] | None

MAX_TILE_TEXT = 160
MAX_COUNT = 999

_WILD = ("wilderness", "wild")
_CANCELLED = ("cancelled", "canceled")
_FORGOTTEN = ("~", "w")  # signs for a wilderness nobody remembers
NONE = ("-", "none", "no")
_NOTHING = ("", *NONE, "nobody", "nothing")
_EMPTY = ("", ".", "empty")
GOD_TITLE = ("the", "god", "goddess", "of")  # as in "the Apprentice", "God of Love"

# English words that need no looking up in other languages.
_KNOWN = frozenset((*_WILD, *_CANCELLED, *_NOTHING, *_EMPTY, *(god.word for god in God), "nobody", "and", "w"))

_COLOUR = "|".join([colour.word for colour in Colour] + list(COLOUR_LETTERS))


# Words.


@cache
def _patterns(number_first: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A number and a colour; and what can be read in two ways. Compiled when first needed, because that takes a while.

    A letter is repeated or numbered, not both: rr2 could be three red or four.
    """
    if number_first:
        one, two_ways = rf"([0-9]{{0,3}})\s*({_COLOUR})[\s,]*", rf"[0-9]\s*([{COLOUR_LETTERS}])\1"
    else:
        one, two_ways = rf"({_COLOUR})\s*([0-9]{{0,3}})[\s,]*", rf"([{COLOUR_LETTERS}])\1\s*[0-9]"
    return re.compile(one), re.compile(two_ways)


def plain_word(word: str) -> str:
    """In lower case, and in English if it is a German, Polish or Russian word that the readers know."""
    lower = word.lower()
    if lower in _KNOWN or not lower.replace("-", "").isalpha():
        return lower
    from ..base.synonyms import canonical

    return canonical(lower)


def _in_english(words: str) -> str:
    """Colours given as words, such as `2 rote, 1 grüner`, in English."""
    from ..tileset.syntax import COLOUR_OF

    def english(match: re.Match[str]) -> str:
        colour = COLOUR_OF.get(fold(match[0]))
        return match[0] if colour is None else colour.word

    return re.sub(r"[^\W\d_]{3,}", english, words)


def parse_worshipers(text: str, place: str = "") -> Worshipers:
    """`r2gb3`, `rrgbbb`, `r2 g b3`, `2 red, 1 green, 3 blue`; `-` or nothing for none."""
    words = text.strip().lower()
    if words in _NOTHING:
        return NOBODY
    if any(len(part) > 2 and part.isalpha() and part.strip(COLOUR_LETTERS) for part in re.split(r"[\s,]+", words)):
        if plain_word(words) in _NOTHING:
            return NOBODY
        words = _in_english(words)
    counts = [0] * len(Colour)
    number_first = words[0] in "0123456789"
    pattern, two_ways = _patterns(number_first)
    if two_ways.search(words):
        message = _("expected each letter repeated or numbered, not both, found {found}", found=shown(text.strip()))
        raise InputError.one(place, message)
    start = 0
    while start < len(words):
        match = pattern.match(words, start)
        if match is None:
            message = _("expected worshipers such as r2gb3 or -, found {found}", found=shown(text.strip()))
            raise InputError.one(place, message)
        number, colour = match.groups() if number_first else reversed(match.groups())
        counts[COLOUR_LETTERS.index(colour[0])] += int(number or 1)
        start = match.end()
    if max(counts) > MAX_COUNT:
        most = max(counts)
        raise InputError.one(
            place, _("expected at most {most} worshipers of a colour, found {found}", most=MAX_COUNT, found=most)
        )
    return Worshipers(*counts)


def split_mark(text: str) -> tuple[Face, str]:
    """The mark on a tile or god, and the rest: `cancelled g2b`, `g2b cancelled`, `x.g2b`, `!g2b` are one."""
    words = text.replace("_", " ").split()
    lower = [word.lower() for word in words]
    if "nicht" in lower[:-1]:  # the German for cancelled is two words
        at = lower.index("nicht")
        words[at : at + 2] = ["cancelled"] if plain_word(words[at + 1]) == "valid" else words[at : at + 2]
    plain = " ".join(words)
    if not words:
        return Face.UP, ""
    for face, marks, prefix, sign in ((Face.WILD, _WILD, "w.", "~"), (Face.CANCELLED, _CANCELLED, "x.", "!")):
        if plain_word(words[0]) in marks:
            return face, " ".join(words[1:])
        if plain_word(words[-1]) in marks:
            return face, " ".join(words[:-1])
        if plain[:2].lower() == prefix:
            return face, plain[2:].strip()
        if plain[0] == sign:
            return face, plain[1:].strip()
    if plain.lower() == "w":
        return Face.WILD, ""
    return Face.UP, plain


def tile_text(tile: Tile) -> str:
    """How a position names a tile: the set's id, or the full description of a tile not in the set."""
    if not tile.described:
        return tile.id
    from ..tileset.descriptions import describe

    return describe(tile)


def refuse_unwritable(position: Position) -> None:
    """A hole, or a name that no reader accepts, has no written form; everything else has one."""
    expect_position(position)
    found = []
    if position.hole is not None:
        message = _("expected a tile, found an empty cell: refill it before writing")
        found.append(Problem(cell_place(position.hole), message))
    found += unwritable_names(position)
    if found:
        raise InputError(found)


def unwritable_names(position: Position) -> list[Problem]:
    """Those of the tile set and the players that no reader accepts."""
    named = [("tiles", name_problem(position.tiles.name))]
    named += [
        (f"player {index + 1}, name", player_name_problem(player.name)) for index, player in enumerate(position.players)
    ]
    return [Problem(place, trouble) for place, trouble in named if trouble]


def piles_to_write(position: Position) -> list[tuple[int, Pile]]:
    """Level and pile, for each pile that says more or less than the table does, or has another order."""
    usual = default_piles(position.tiles, position.players, position.centre)
    return [(level, pile) for level, pile, other in zip(LEVELS, position.piles, usual) if pile != other]


# A position on its way in.


class Entry(NamedTuple):
    """One filled slot as text; `text` None for a wilderness nobody remembers, or when unreadable."""

    face: Face
    text: str | None


class CellDraft(NamedTuple):
    text: str | None  # None when unreadable, which has been reported
    worshipers: Worshipers


class PlayerDraft:
    def __init__(self, name: str = "") -> None:
        self.name = name
        self.realm = NOBODY
        self.god: God | None = None
        self.validated = True
        self.rows: list[list[Entry | None]] = [[], [], [], []]


class Draft:
    def __init__(self, to_move: Any = None) -> None:
        self.tiles: str | None = DEFAULT_TILE_SET  # None when unreadable, which has been reported
        self.players: list[PlayerDraft] = []
        self.cells: dict[int, CellDraft] = {}
        self.gods: list[God] = []
        self.piles: dict[int, list[str | None]] = {}  # by level; None when unreadable
        self.left: dict[int, int] = {}
        self.most_at_zero = True
        self.to_move = to_move  # as written: a number, a name, "nobody"; None when not said


class Reading(PlainReading):
    """Everything a position file can hold."""

    def worshipers(self, value: object, place: str) -> Worshipers:
        if isinstance(value, dict):
            words = [colour.word for colour in Colour]
            counts = self.table(value, place, words)
            return Worshipers(
                *(self.number(counts.get(word, 0), f"{place}, {word}", 0, MAX_COUNT) or 0 for word in words)
            )
        text = self.text(value, place, _("worshipers such as r2gb3 or -"))
        if text is None or self.unfilled(text, place, _("worshipers such as r2gb3 or -")):
            return NOBODY
        try:
            return parse_worshipers(text, place)
        except InputError as error:
            self.problems += error.problems
            return NOBODY

    def cell(self, value: object, place: str) -> CellDraft:
        """`tile | worshipers`."""
        text = self.text(value, place, _("a tile and its worshipers such as r1a | r2b"))
        if text is None:
            return CellDraft(None, NOBODY)
        tile, bar, worshipers = text.partition("|")
        if self.unfilled(tile, place, _("a tile and its worshipers such as r1a | r2b")):
            return CellDraft(None, NOBODY)
        if not bar and len(tile.split()) > 1 and not _describes(tile.split()):
            self.expected(place, _("a bar between tile and worshipers, such as r1a | r2b"), text)
            return CellDraft(None, NOBODY)
        return CellDraft(self.tile(tile, place), self.worshipers(worshipers, place))

    def tile(self, value: object, place: str) -> str | None:
        text = self.text(value, place, _("a tile"))
        if text is None:
            return None
        cleaned = " ".join(text.replace("_", " ").split())
        if self.unfilled(cleaned, place, _("a tile's id or description")):
            return None
        if not cleaned or len(cleaned) > MAX_TILE_TEXT:
            self.expected(place, _("a tile's id or description"), text)
            return None
        return cleaned

    def entry(self, value: object, place: str) -> Entry | None:
        """One slot of a universe; one that cannot be read still counts as a tile, not as an empty slot."""
        text = self.text(value, place, _("a tile, wild, or . for an empty slot"))
        if text is None:
            return self._unread(Face.WILD, place)
        if plain_word(text.strip()) in _EMPTY:
            return None
        face, rest = split_mark(text)
        if not rest:
            if face is Face.WILD:
                return Entry(face, None)
            self.expected(place, _("a tile to be cancelled"), text)
            return self._unread(face, place)
        tile = self.tile(rest, place)
        return self._unread(face, place) if tile is None else Entry(face, tile)

    def _unread(self, face: Face, place: str) -> Entry:
        self.unread.add(place)
        return Entry(face, None)

    def row(self, value: object, place: str) -> list[Entry | None]:
        """A list of slots, or a string of them with commas or, if it has none, with blanks between."""
        if isinstance(value, str):
            slots = split_row(value)
            if slots is None:
                self.report(
                    place,
                    _(
                        "expected commas between the slots, because with spaces alone a mark next to a tile is "
                        "ambiguous, found {found}",
                        found=shown(value),
                    ),
                )
                self.unread |= {place, "universes", "turns"}
                return []
            value = slots
        if not isinstance(value, list):
            self.expected(place, _("a list of tiles"), value)
            self.unread |= {place, "universes", "turns"}
            return []
        if any(isinstance(item, str) and item.strip() == UNFILLED for item in value):
            # Nobody knows how many tiles are still to come.
            self.unfilled(UNFILLED, place, _("the row's tiles from the left, or -"))
            self.unread |= {place, "universes", "turns"}
            value = [item for item in value if not (isinstance(item, str) and item.strip() == UNFILLED)]
        return [self.entry(item, f"{place}, column {column}") for column, item in enumerate(value, start=1)]

    def god(self, value: object, place: str) -> tuple[God | None, bool]:
        """A taken god, and whether it is validated."""
        text = self.text(value, place, _("a god's name or none"))
        if text is None or self.unfilled(text, place, _("a god's name or none")):
            self.unread |= {"gods", "turns"}
            return None, True
        face, name = split_mark(text)
        words = [plain_word(word) for word in name.split()]
        name = " ".join(words[:-1] if words[-1:] in (["validated"], ["valid"]) else words)
        if face is Face.UP and name in _NOTHING:
            return None, True
        god = self._god_named(name, place, text)
        if god is None or face is Face.WILD:
            if god is not None:
                self.expected(place, _("a god face up"), text)
            self.unread |= {"gods", "turns"}
            return None, True
        return god, face is Face.UP

    def gods(self, value: object, place: str) -> list[God]:
        """Face-up gods: a list of names, or a string with blanks, commas or plus signs between."""
        if isinstance(value, str):
            if self.unfilled(value, place, _("the names of the gods face up, or none")):
                self.unread.add("gods")
                return []
            names = re.split(r"[\s,+]+", value.strip())
            value = [name for name in names if plain_word(name) not in ("and", *GOD_TITLE)]
            if len(value) == 1 and plain_word(value[0]) in _NOTHING:
                return []
        if not isinstance(value, list):
            self.expected(place, _("the names of the gods face up"), value)
            self.unread.add("gods")
            return []
        found = []
        for item in value:
            name = self.text(item, place, _("a god's name"))
            god = self._god_named(plain_word(name.strip()), place, name) if name is not None else None
            if god is None:
                self.unread.add("gods")
            else:
                found.append(god)
        return sorted(found)

    def _god_named(self, name: str, place: str, found: str) -> God | None:
        known = {god.word: god for god in God}
        name = " ".join(word for word in name.split() if word not in GOD_TITLE)
        if name not in known:
            self.report(
                place,
                _("expected a god ({gods}), found {found}", gods=", ".join(known), found=shown(found))
                + nearest(name, known),
            )
        return known.get(name)

    def pile(self, value: object, level: int) -> list[str | None]:
        """A list of tiles, or a string of them with commas or blanks between."""
        place = pile_place(level)
        if isinstance(value, str):
            value = split_tiles(value)
        if not isinstance(value, list):
            self.expected(place, _("a list of tiles"), value)
            self.unread.add(place)
            return []
        return [self.tile(item, pile_place(level, number)) for number, item in enumerate(value)]

    def name(self, value: object, place: str) -> str:
        return self.text(value, place, _("a name")) or ""


def split_tiles(text: str) -> list[str]:
    """Tiles written as one string: by commas, else by blanks, unless it is one tile described."""
    if "," in text:
        return [part.strip() for part in text.split(",")]
    words = text.split()
    if len(words) == 1 and plain_word(words[0]) in _NOTHING:
        return []
    # No tile's id is a word of descriptions, so one such word settles it.
    return [text.strip()] if _describes(words) else words


def _describes(words: Iterable[str]) -> bool:
    """Whether one of them is a word that describes tiles."""
    from ..tileset.syntax import is_tile_word

    return any(map(is_tile_word, words))


def split_row(text: str) -> list[str] | None:
    """Slots of a row written as one string; None if it can be read in two ways.

    A mark comes before or after its tile, and `wild` may also be alone: with blanks alone nothing says which
    neighbouring tile is meant, if any.
    """
    slots = split_tiles(text)
    if "," not in text and len(slots) == 1:
        empty, described = leading_empty(text)
        # Between two descriptions nothing says where the first ends.
        return None if "." in described.split()[1:] else ["."] * empty + ([described] if described else [])
    if "," in text or len(slots) < 2:
        return slots
    words = [plain_word(slot) for slot in slots]
    tiles = [word not in (*_WILD, *_CANCELLED, *_EMPTY, *_FORGOTTEN) for word in words]
    if len(words) == 2 and sum(tiles) == 1 and any(word in _CANCELLED for word in words):
        return [" ".join(slots)]  # a token lies on something, so this is one slot
    for at, word in enumerate(words):
        if word in _CANCELLED or (word in _WILD and any(tiles[max(0, at - 1) : at + 2])):
            return None
    return slots


def leading_empty(text: str) -> tuple[int, str]:
    """How many empty slots a row begins with, and the rest: `. . red stone` is two and a tile."""
    words = text.split()
    empty = next((at for at, word in enumerate(words) if word != "."), len(words))
    return (empty, " ".join(words[empty:])) if empty < len(words) else (0, text.strip())


# The last step.


def finish(
    draft: Draft, reading: Reading, source: str, base_dir: Folder = None, tiles: TileSet | str | None = None
) -> Position:
    """Looks up every tile and returns the position, or raises all problems of the text and the position."""
    number = len(draft.players)
    sound = number in SET_UP
    if not sound and all(problem.place != "players" for problem in reading.problems):
        reading.report("players", _("expected 2, 3 or 4 players, found {found}", found=number))
    tile_set = _tile_set(draft, reading, base_dir, tiles)
    if tile_set is None:
        reading.raise_if_any(source)
        raise AssertionError("a tile set that cannot be loaded is a problem")
    look_up = LookUp(reading, tile_set, number if sound else max(SET_UP))

    # 1. The table.
    cells = []
    if not draft.cells and all(problem.place != "centre" for problem in reading.problems):
        reading.expected(
            "centre", _("{count} cells from {first} to {last}", count=len(CELLS), first=CELLS[0], last=CELLS[-1]), None
        )
    for index in range(len(CELLS)):
        place = cell_place(index)
        cell = draft.cells.get(index)
        if cell is None:
            if draft.cells:
                reading.expected(place, _("a tile"), None)
            cell = CellDraft(None, NOBODY)
        cells.append(Cell(look_up(cell.text, place), cell.worshipers))
    players = []
    for index, player in enumerate(draft.players):
        rows = []
        for row, entries in enumerate(player.rows, start=1):
            places = [slot_place(index, player.name, row, column) for column in range(len(entries))]
            rows.append(row_of(entries, places, look_up))
        universe = (rows[0], rows[1], rows[2], rows[3])
        players.append(Player(player.name, universe, player.realm, player.god, player.validated))

    # 2. The piles: as given, else what follows from the table.
    given = {
        level: tuple(
            tile
            for item, text in enumerate(texts)
            if (tile := look_up(text, pile_place(level, item), hides=pile_place(level))) is not None
        )
        for level, texts in draft.piles.items()
    }
    if not sound:
        reading.raise_if_any(source)
    drawn = len(CELLS) + sum(player.regions for player in players)
    piles = [
        Pile(draft.left.get(level, usual.left), given.get(level, usual.tiles))
        for level, usual in zip(LEVELS, default_piles(tile_set, players, cells, drawn))
    ]
    position = Position(
        tiles=tile_set,
        players=tuple(players),
        centre=tuple(cells),
        gods=tuple(draft.gods),
        piles=(piles[0], piles[1], piles[2]),
        options=Options(most_at_zero=draft.most_at_zero),
    )

    # 3. What is wrong with it, as far as it could be read.
    found = find_problems(position, reading.unread)
    reading.problems += found
    if not {"turns", "universes"} & reading.unread and not any(problem.place == "turns" for problem in found):
        _check_to_move(draft.to_move, position, reading)
    reading.raise_if_any(source)
    return position


def _tile_set(draft: Draft, reading: Reading, base_dir: Folder, tiles: TileSet | str | None) -> TileSet | None:
    if isinstance(tiles, TileSet):
        expect_fine_tile_set(tiles)
        return tiles
    try:
        if tiles is not None:
            return load_tile_set(tiles)
        if draft.tiles is None:
            return None
        trouble = name_problem(draft.tiles)
        if trouble is None:
            return load_tile_set(draft.tiles, base_dir)
        reading.report("tiles", trouble)
        return None
    except InputError as error:
        reading.problems += with_source(error.problems, "tiles")
        return None


class LookUp:
    """Tile texts to tiles; an unknown one is reported and its place noted as unread."""

    def __init__(self, reading: Reading, tiles: TileSet, players: int) -> None:
        self._reading, self._tiles, self._players = reading, tiles, players

    def __call__(self, text: str | None, place: str, hides: str | None = None) -> Tile | None:
        if text is not None:
            # Most positions name tiles by their ids alone, and need none of the words for more.
            named = self._tiles.named(text)
            if named is not None:
                return named
            if self._reading.is_hopeless:  # describing a tile takes time
                self._reading.expected(place, _("a tile"), text)
            else:
                from ..tileset.resolving import resolve_tile

                try:
                    return resolve_tile(text, self._tiles, self._players)
                except InputError as error:
                    self._reading.problems += [Problem(place, problem.message) for problem in error.problems]
        self._reading.unread.add(hides or place)
        return None


def row_of(entries: Sequence[Entry | None], places: Sequence[str], look_up: LookUp) -> Row:
    """A row with its tiles looked up; one that is unknown lies there as a wilderness would."""
    row: list[Placed | None] = []
    for entry, place in zip(entries, places):
        if entry is None:
            row.append(None)
        elif entry.text is None:
            row.append(Placed(None, Face.WILD))
        else:
            tile = look_up(entry.text, place)
            row.append(Placed(tile, entry.face if tile is not None else Face.WILD))
    while row and row[-1] is None:
        row.pop()
    return tuple(row)


def _check_to_move(said: object, position: Position, reading: Reading) -> None:
    """`to_move` is redundant, which makes it the best check that no turn was forgotten."""
    if said is None:
        return
    nobody = isinstance(said, str) and plain_word(said.strip()) in ("nobody", "-", "none")
    names = [player.name for player in position.players]
    if position.is_over:
        if not nobody:
            reading.expected("to_move", _("nobody, as every turn has been played"), said)
        return
    index = _player_said(said, names)
    expected = position.to_move
    if index == expected or expected is None:
        return
    if index is None and not nobody:
        reading.expected("to_move", _("a number from 1 to {players} or one player's name", players=len(names)), said)
        return
    played = ", ".join(str(player.turns_played) for player in position.players)
    found = _("nobody") if index is None else place_words(player_place(index, names[index]))
    reading.report(
        "to_move",
        _(
            "expected {player}, as the players have taken {turns} turns, found {found}",
            player=place_words(player_place(expected, names[expected])),
            turns=played,
            found=found,
        ),
    )


def _player_said(said: object, names: Sequence[str]) -> int | None:
    """The index of the player meant; None when nobody is, or several are."""
    if isinstance(said, str):
        wanted = said.strip().casefold()
        fitting = [index for index, name in enumerate(names) if wanted and name.strip().casefold() == wanted]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
        if wanted not in map(str, range(1, len(names) + 1)):
            return None
        said = int(wanted)
    if isinstance(said, bool) or not isinstance(said, int) or not 1 <= said <= len(names):
        return None
    return said - 1
