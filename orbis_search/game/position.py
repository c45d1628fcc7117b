"""The readable position: immutable, close to what lies on the table.

`notation` reads and writes it, `rules` has its rules, and `core.packing` makes its packed twin.
"""

from __future__ import annotations

from ..base.values import NamedTuple
from .tiles import Tile, TileSet
from .vocabulary import NOBODY, REGION_TURNS, TURNS, Colour, Face, God, Worshipers


class Placed(NamedTuple):
    """A tile in a universe. A wilderness may be one whose front nobody remembers: tile None."""

    tile: Tile | None
    face: Face = Face.UP

    def has_colour(self, colour: Colour) -> bool:
        """Wilderness counts as every colour; a cancelled tile keeps its own (section 4)."""
        return self.face is Face.WILD or (self.tile is not None and self.tile.colour == colour)


class Slot(NamedTuple):
    """A place in a universe: row 1 to 4 from the bottom, column from 0 as it is *after* placing.

    Columns count from the left end of row 1; a tile in row r, column i lies over columns i and i+1
    of row r-1. In row 1, column 0 is the left end and the column after the last tile the right end.
    """

    row: int
    column: int


Row = tuple[Placed | None, ...]


class Player(NamedTuple):
    """One player's side of the table."""

    name: str = ""
    rows: tuple[Row, Row, Row, Row] = ((), (), (), ())  # bottom first; None is an empty slot
    realm: Worshipers = NOBODY
    god: God | None = None
    god_validated: bool = True  # False only for a Death that was not paid for

    def placed(self) -> list[tuple[Slot, Placed]]:
        return [
            (Slot(r + 1, c), placed)
            for r, row in enumerate(self.rows)
            for c, placed in enumerate(row)
            if placed is not None
        ]

    def at(self, row: int, column: int) -> Placed | None:
        """What lies there; None for an empty slot or one outside the pyramid."""
        if 1 <= row <= 4 and 0 <= column < len(self.rows[row - 1]):
            return self.rows[row - 1][column]
        return None

    def slot_name(self, slot: Slot) -> str:
        """A free slot as moves name it: `1` for the first tile, `1L` and `1R` for the ends of row 1, else
        row.column, both from 1."""
        if slot.row > 1:
            return f"{slot.row}.{slot.column + 1}"
        if not self.rows[0]:
            return "1"
        return "1L" if slot.column == 0 else "1R"

    @property
    def regions(self) -> int:
        return sum(len(row) - row.count(None) for row in self.rows)

    @property
    def turns_played(self) -> int:
        return self.regions + (self.god is not None)


class Cell(NamedTuple):
    """One of the nine in the centre. Empty (tile None) only between a region turn and its refill."""

    tile: Tile | None
    worshipers: Worshipers = NOBODY


class Pile(NamedTuple):
    """A face-down pile: how many tiles it holds, and which they can be.

    Usually exactly `left` tiles are listed. Somebody who forgot the front of a wilderness knows less
    and lists more; then any `left` of them may lie there, all choices equally likely. Their order
    matters only where a fixed pile order is wanted, first drawn first.
    """

    left: int
    tiles: tuple[Tile, ...]


class Options(NamedTuple):
    """Readings of the rules on which the books differ."""

    most_at_zero: bool = True  # "among those with the most" is met at zero (section 6)


class Position(NamedTuple):
    """Players are in turn order; the first of them began the game."""

    tiles: TileSet
    players: tuple[Player, ...]
    centre: tuple[Cell, ...]  # nine, in the order of vocabulary.CELLS
    gods: tuple[God, ...]  # face up, not taken, sorted
    piles: tuple[Pile, Pile, Pile]
    options: Options = Options()

    @property
    def turns_played(self) -> int:
        return sum(player.turns_played for player in self.players)

    @property
    def is_over(self) -> bool:
        return self.turns_played == TURNS * len(self.players)

    @property
    def to_move(self) -> int | None:
        """Index of the player to move, None when the game is over."""
        played, players = self.turns_played, len(self.players)
        return None if played == TURNS * players else played % players

    @property
    def region_turns_left(self) -> int:
        return sum(REGION_TURNS - player.regions for player in self.players)

    @property
    def hole(self) -> int | None:
        """The cell that waits for its refill, if one does."""
        for index, cell in enumerate(self.centre):
            if cell.tile is None:
                return index
        return None

    def with_player(self, index: int, player: Player) -> Position:
        players = list(self.players)
        players[index] = player
        return self._replace(players=tuple(players))


class Move(NamedTuple):
    """A move is what others can see of it afterwards (section 3): equality is by visible outcome."""

    cell: int | None  # index into vocabulary.CELLS, or None for a god
    god: God | None
    slot: Slot | None  # None for a god
    wild: bool  # placed face down
    validated: bool  # face up, or god taken, without a cancellation token; False for a wilderness
    removed: tuple[tuple[int, Colour, int], ...]  # by a volcano: cell, colour, number; sorted
    realm: Worshipers  # left over
