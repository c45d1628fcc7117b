"""The one bridge between the readable Position and the packed state of the core.

`Packing` checks a position before it packs it, so that nothing reaches the core's memory that does not belong there.
From then on everything is trusted: a packed state plays whatever packed moves it is given, so the caller must know that
they are legal (`game.legality` checks a readable one).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ..game.position import Cell, Move, Pile, Placed, Player, Position, Slot
from ..game.problems import expect_position, remember, why_unplayable
from ..game.tiles import Tile
from ..game.vocabulary import LEVELS, ROW_LENGTHS, SET_UP, Colour, Face, God, Worshipers
from .states import LEFT, NOTHING, PackedState, Table

ROW_STARTS = (0, 5, 9, 12)
_SLOTS = tuple(Slot(row + 1, column) for row, length in enumerate((5, 4, 3, 2)) for column in range(length))

# The packed move; the same fields are drawn in _core/orbis/turn.pxd.
_IS_GOD, _IS_WILD, _IS_VALID = 1 << 4, 1 << 5, 1 << 6
_PLACE_SHIFT, _REALM_SHIFT, _CODE_BITS = 7, 11, 6

_LANE_SHIFT = 16  # the search's group: lane << 16 | variety

PackedMove = tuple[int, int]
# Tile number by slot, wild and cancelled slots as masks, realm, god, whether that is validated.
PlayerFields = tuple[Sequence[int], int, int, Sequence[int], int | None, bool]


class Packing:
    """Numbers for the tiles of one game, and the conversion to and from its packed states.

    InputError for a position that the core cannot play on from.
    """

    def __init__(self, position: Position) -> None:
        expect_position(position)
        self.origin = position
        # Tiles of the set are numbered in its order, so that nothing in the core can depend on the order
        # in which a pile happens to be listed.
        held = {tile for pile in position.piles if pile.left for tile in pile.tiles}
        held |= {cell.tile for cell in position.centre if cell.tile is not None}
        held |= {placed.tile for player in position.players for _, placed in player.placed() if placed.tile}
        self.tiles: list[Tile] = [tile for tile in position.tiles.tiles if tile in held]
        self._numbers = {tile: number for number, tile in enumerate(self.tiles)}
        try:
            self.state = self._pack(position)
        except (ValueError, OverflowError):
            raise why_unplayable(position) from None

    # ---- to the core ---------------------------------------------------------------------------------

    def _number(self, tile: Tile | None) -> int:
        """A tile of the set has one number. Two tiles described in place may be alike and still be two."""
        if tile is None:
            return NOTHING
        if tile in self._numbers:
            return self._numbers[tile]
        self.tiles.append(tile)
        return len(self.tiles) - 1

    def _pack(self, position: Position) -> PackedState:
        centre = [self._number(cell.tile) for cell in position.centre]
        players = [self._pack_player(player) for player in position.players]
        self.pile_numbers = self._number_piles(position)
        table = Table(
            [
                (
                    tile.cost,
                    tile.any_cost,
                    tile.colour,
                    tile.level - 1,
                    tile.effect,
                    tile.number,
                    sum(1 << colour for colour in tile.colours),
                    (tile.mystic or 0) if tile.colour is Colour.WHITE else 0,  # on others it does not count
                    tile.cp,
                )
                for tile in self.tiles
            ],
            len(position.players),
            position.options.most_at_zero,
            SET_UP[len(position.players)].temple_tokens,
        )
        return PackedState(
            table,
            centre,
            [cell.worshipers for cell in position.centre],
            players,
            sum(1 << god for god in position.gods),
            [pile.left for pile in position.piles],
            self.pile_numbers,
        )

    def _number_piles(self, position: Position) -> list[int]:
        """The piles' tiles by number, in listed order; tiles described alike are numbered as one lies."""
        if any(tile.level != level for level, pile in zip(LEVELS, position.piles) for tile in pile.tiles):
            raise ValueError("a tile lies in the pile of another level")
        listed = [tile for pile in position.piles if pile.left for tile in pile.tiles]
        described = sorted((tile for tile in listed if tile not in self._numbers), key=lambda tile: tile.id)
        free: dict[Tile, list[int]] = {}
        for tile in described:
            free.setdefault(tile, []).append(self._number(tile))
        return [self._numbers[tile] if tile in self._numbers else free[tile].pop(0) for tile in listed]

    def _pack_player(self, player: Player) -> PlayerFields:
        slots, wild, cancelled = [NOTHING] * 14, 0, 0
        for slot, placed in player.placed():
            if slot.column >= ROW_LENGTHS[slot.row - 1] or (placed.tile is None and placed.face is not Face.WILD):
                raise ValueError("there is no such slot, or no such tile in it")
            index = ROW_STARTS[slot.row - 1] + slot.column
            slots[index] = self._number(placed.tile)
            wild |= (placed.face is Face.WILD) << index
            cancelled |= (placed.face is Face.CANCELLED) << index
        return slots, wild, cancelled, player.realm, player.god, player.god_validated

    def listed_order(self) -> list[int]:
        """All refills to come when every pile is drawn in its listed order."""
        order, at = [], 0
        for pile in self.origin.piles:
            if pile.left:
                order += self.pile_numbers[at : at + pile.left]
                at += len(pile.tiles)
        return order

    # ---- from the core -------------------------------------------------------------------------------

    def position(self, state: PackedState) -> Position:
        """The readable twin of a state that was reached from this packing's position."""
        centre, worshipers, players, gods, left, unseen = state.fields()
        still = set(unseen)
        order = [self.tiles[number] for number in self.pile_numbers if number in still]
        first, second, third = (Pile(left[i], tuple(tile for tile in order if tile.level == i + 1)) for i in range(3))
        return remember(
            Position(
                tiles=self.origin.tiles,
                players=tuple(self._player(i, fields) for i, fields in enumerate(players)),
                centre=tuple(Cell(self._tile(t), Worshipers(*w)) for t, w in zip(centre, worshipers)),
                gods=tuple(god for god in God if gods >> god & 1),
                piles=(first, second, third),
                options=self.origin.options,
            )
        )

    def _tile(self, number: int) -> Tile | None:
        return None if number == NOTHING else self.tiles[number]

    def _player(self, index: int, fields: PlayerFields) -> Player:
        slots, wild, cancelled, realm, god, validated = fields
        rows: list[list[Placed | None]] = [[], [], [], []]
        for at, (number, slot) in enumerate(zip(slots, _SLOTS)):
            if number == NOTHING and not wild >> at & 1:
                continue
            face = Face.WILD if wild >> at & 1 else Face.CANCELLED if cancelled >> at & 1 else Face.UP
            row = rows[slot.row - 1]
            row.extend([None] * (slot.column - len(row)))
            row.append(Placed(self._tile(number), face))
        return Player(
            name=self.origin.players[index].name,
            rows=(tuple(rows[0]), tuple(rows[1]), tuple(rows[2]), tuple(rows[3])),
            realm=Worshipers(*realm),
            god=None if god is None else God(god),
            god_validated=validated,
        )


def pack_move(position: Position, move: Move) -> PackedMove:
    """A move of the player to move. The left end of a row 1 with tiles is a place of its own: see `LEFT`."""
    what = _IS_VALID if move.validated else 0
    for i, number in enumerate(move.realm):
        what |= number << (_REALM_SHIFT + 4 * i)
    if move.god is not None:
        return what | _IS_GOD | move.god, 0
    assert move.cell is not None and move.slot is not None
    if move.slot == (1, 0) and position.players[position.to_move or 0].rows[0]:
        place = LEFT
    else:
        place = ROW_STARTS[move.slot.row - 1] + move.slot.column
    what |= move.cell | (_IS_WILD if move.wild else 0) | place << _PLACE_SHIFT
    detail = shift = 0
    for cell, colour, number in move.removed:
        for _ in range(number):
            detail |= (1 + 5 * cell + colour) << shift
            shift += _CODE_BITS
    return what, detail


def unpack_move(packed: PackedMove) -> Move:
    what, detail = packed
    realm = _realm(what >> _REALM_SHIFT & 0xFFFFF)
    validated = bool(what & _IS_VALID)
    if what & _IS_GOD:
        return Move(None, God(what & 15), None, False, validated, (), realm)
    place = what >> _PLACE_SHIFT & 15
    slot = Slot(1, 0) if place == LEFT else _SLOTS[place]
    return Move(what & 15, None, slot, bool(what & _IS_WILD), validated, _removed(detail), realm)


def unpack_group(group: int) -> tuple[int, int]:
    """The cell that the moves of a search's group take from, and the number of its tile; a god has no cell."""
    return group >> _LANE_SHIFT, group & 0xFFFF


# The moves of a position have few realms and removals between them.


@lru_cache(maxsize=4096)
def _realm(bits: int) -> Worshipers:
    return Worshipers(*(bits >> 4 * i & 15 for i in range(5)))


@lru_cache(maxsize=4096)
def _removed(detail: int) -> tuple[tuple[int, Colour, int], ...]:
    removed = []
    while detail:
        code, number = detail & 63, 0
        while detail & 63 == code:
            detail >>= _CODE_BITS
            number += 1
        cell, colour = divmod(code - 1, 5)
        removed.append((cell, Colour(colour), number))
    return tuple(removed)
