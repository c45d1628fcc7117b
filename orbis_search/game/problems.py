"""What is wrong with a position: every problem at once, each with its place.

Nothing here reads text. The readers in `notation` call `find_problems` on what they could read, and tell it
which places they could not, so that one unknown tile does not hide eleven worshipers elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from ..base.errors import InputError, Problem, place_words
from ..base.language import _, ngettext
from ..base.names import player_name_problem, player_place
from ..base.quoting import listed
from ..base.remembered import Remembered
from .kinds import expect_position_kinds
from .position import Cell, Pile, Placed, Player, Position
from .tile_limits import is_within_limits, limit_problems
from .tiles import Tile, TileSet
from .vocabulary import (
    CANCELLABLE,
    CELLS,
    LEVELS,
    MAX_ON_CELL,
    MAX_TILES,
    REALM_LIMIT,
    ROW_LENGTHS,
    SET_UP,
    Effect,
    Face,
    God,
    Star,
    Worshipers,
)

# Joiners are invisible but part of how many scripts and symbols are spelled.
_well_formed = Remembered(256)  # positions that are made as positions are ...
_sound = Remembered(256)  # ... and those without any problem


# Place strings, the same in every reader.


def cell_place(index: int) -> str:
    return f"centre.{CELLS[index]}"


def slot_place(index: int, name: str, row: int, column: int) -> str:
    """Row from 1, column from 0 as in `Slot`; people count columns from 1."""
    return f"{player_place(index, name)}, row {row}, column {column + 1}"


def pile_place(level: int, number: int | None = None) -> str:
    return f"piles.level{level}" if number is None else f"piles.level{level}[{number + 1}]"


# Piles (section 2).


def tiles_left(players: int, drawn: int) -> tuple[int, int, int]:
    """How many tiles each pile still holds after this many were drawn, including the nine of the set-up."""
    left = []
    for size in SET_UP[players].regions:
        from_here = min(max(drawn, 0), size)
        left.append(size - from_here)
        drawn -= from_here
    return left[0], left[1], left[2]


def default_piles(
    tiles: TileSet, players: Sequence[Player], centre: Sequence[Cell], drawn: int | None = None
) -> tuple[Pile, Pile, Pile]:
    """What the piles can hold when only the table is known: the tiles in use minus those seen.

    In the set's order. A tile described in place stands for one of the unseen, most likely for one with
    its mystic value: such a tile is left out as long as enough remain, of its own level first. `drawn` is
    how many tiles have left the piles; it follows from the other arguments unless some of the table could
    not be read.
    """
    if drawn is None:
        drawn = _count_drawn(players, centre)
    seen = {cell.tile for cell in centre}
    for player in players:
        seen.update(placed.tile for _, placed in player.placed())
    described = {tile.mystic: tile.level for tile in seen if tile is not None and tile.described}
    described.pop(None, None)
    unseen = [tile for tile in tiles.in_use(len(players)) if tile not in seen]
    piles = []
    for level, left in zip(LEVELS, tiles_left(len(players), drawn)):
        here = [tile for tile in unseen if tile.level == level] if left else []
        alike = [tile for tile in here if tile.mystic in described]
        alike.sort(key=lambda tile: described[tile.mystic] != level)
        left_out = alike[: max(0, len(here) - left)]
        piles.append(Pile(left, tuple(tile for tile in here if tile not in left_out)))
    return piles[0], piles[1], piles[2]


def _count_drawn(players: Sequence[Player], centre: Sequence[Cell]) -> int:
    return sum(player.regions for player in players) + sum(cell.tile is not None for cell in centre)


def with_plain_piles(position: Position) -> Position:
    """The position with the tiles of each pile in the set's order, which says nothing about how they lie."""
    order = {tile: index for index, tile in enumerate(position.tiles.tiles)}
    first, second, third = (
        pile._replace(tiles=tuple(sorted(pile.tiles, key=lambda tile: order.get(tile, len(order)))))
        for pile in position.piles
    )
    return position._replace(piles=(first, second, third))


# The checks.


def problems(position: Position) -> list[Problem]:
    """Everything wrong with a position, in the order of a position file; empty when it can be played on.

    A cell that waits for its refill is one of the problems: such a position lives in memory between a
    turn and its draw and is neither written nor searched.

        >>> problems(position)
        []
        >>> for problem in problems(position._replace(gods=position.gods[:1])):
        ...     print(problem)
        gods: expected 3 gods in a game of 2, found 1 face up and 1 taken
    """
    expect_position_kinds(position)
    return find_problems(position, frozenset())


def expect_position(position: Position) -> None:
    """What every public function requires of a position: TypeError or InputError if it is malformed, so that neither
    the rules nor the core could make sense of it. Costs nothing for one that was checked before.

    It may still have problems: see `expect_sound`, which searches require.
    """
    if position not in _well_formed:
        expect_position_kinds(position)
        if found := form_problems(position):
            raise InputError(found)
        _well_formed.add(position)


def remember(position: Position) -> Position:
    """A position that the core has made need not be looked at again."""
    _well_formed.add(position)
    return position


def expect_sound(position: Position) -> None:
    """InputError with its problems, if it has any. Costs nothing for a position that was checked before."""
    if position not in _sound and (found := problems(position)):
        raise InputError(found)


def why_unplayable(position: Position) -> InputError:
    """Why the core does not take a position: it may wait for a refill, but something else is wrong with it."""
    hole = None if position.hole is None else cell_place(position.hole)
    found = find_problems(position, frozenset())
    others = [each for each in found if each.place != hole]
    return InputError(others or found or [Problem("position", _("expected a position of Orbis, found something else"))])


def find_problems(position: Position, unread: Collection[str]) -> list[Problem]:
    """`problems`, but silent about whatever depends on the unread places.

    An unread place is a place string as made above for a cell, a slot, a row or a pile, or one of `gods`
    (their number is not known), `turns` (nor how many were played) and `universes` (nor how many regions).
    """
    if found := form_problems(position):
        return found
    countable = "universes" not in unread
    if countable and "turns" not in unread:
        found += _turn_problems(position)
    found += _god_problems(position, unread)
    found += _centre_problems(position, unread)
    for index, player in enumerate(position.players):
        found += _player_problems(index, player, unread)
    found += _tile_problems(position, unread)
    if countable:
        found += _pile_problems(position, unread)
    listed = sum(len(pile.tiles) for pile in position.piles if pile.left)
    most = MAX_TILES - len(CELLS) - sum(player.regions for player in position.players)
    if listed > most:
        found.append(
            Problem(
                "piles", _("expected at most {most} tiles that may lie in them, found {found}", most=most, found=listed)
            )
        )
    if not found and not unread:
        _sound.add(position)
    return found


def form_problems(position: Position) -> list[Problem]:
    """Too few or too many of something that has a fixed number, or a tile with a number beyond all limits: nothing more
    can be said about such a position."""
    number = len(position.players)
    if number not in SET_UP:
        return [Problem("players", _("expected 2, 3 or 4 players, found {found}", found=number))]
    if len(position.centre) != len(CELLS):
        return [
            Problem("centre", _("expected {count} cells, found {found}", count=len(CELLS), found=len(position.centre)))
        ]
    if len(position.piles) != len(LEVELS):
        return [
            Problem("piles", _("expected {count} piles, found {found}", count=len(LEVELS), found=len(position.piles)))
        ]
    found = [
        Problem(
            player_place(index, player.name),
            _("expected {count} rows, found {found}", count=len(ROW_LENGTHS), found=len(player.rows)),
        )
        for index, player in enumerate(position.players)
        if len(player.rows) != len(ROW_LENGTHS)
    ]
    if not found:
        fine = {id(tile) for tile in position.tiles.tiles} if is_within_limits(position.tiles) else frozenset()
        piles = [
            (pile_place(level, number), tile)
            for level, pile in zip(LEVELS, position.piles)
            for number, tile in enumerate(pile.tiles)
        ]
        for place, tile in (*visible_tiles(position), *piles):
            if id(tile) not in fine:
                found += limit_problems(tile, place)
    return found


def _turn_problems(position: Position) -> Iterator[Problem]:
    """Turns go round: nobody is ever more than one ahead, and then only of those who play later."""
    number = len(position.players)
    played = [player.turns_played for player in position.players]
    rounds, ahead = divmod(sum(played), number)
    expected = [rounds + (index < ahead) for index in range(number)]
    if played != expected:
        yield Problem(
            "turns",
            _(
                "expected {expected} turns played by players {players} (regions and god together are {total}), "
                "found {found}",
                expected=_list_numbers(expected),
                players=_list_numbers(range(1, number + 1)),
                total=sum(played),
                found=_list_numbers(played),
            ),
        )


def _god_problems(position: Position, unread: Collection[str]) -> Iterator[Problem]:
    where: dict[God, int | None] = {}  # the player who took it, None if it lies face up
    for god in position.gods:
        if god in where:
            yield Problem("gods", _("expected each god once, found {found} twice", found=god.label))
        where[god] = None
    for index, player in enumerate(position.players):
        if player.god is None:
            continue
        if player.god in where:
            taker = where[player.god]
            message = (
                _("expected a god that is nowhere else, found {god}, already face up", god=player.god.label)
                if taker is None
                else _(
                    "expected a god that is nowhere else, found {god}, already taken by player {player}",
                    god=player.god.label,
                    player=taker + 1,
                )
            )
            yield Problem(f"{player_place(index, player.name)}, god", message)
        where[player.god] = index
    if "gods" not in unread:
        taken = sum(player.god is not None for player in position.players)
        expected = SET_UP[len(position.players)].gods
        if taken + len(position.gods) != expected:
            yield Problem(
                "gods",
                _(
                    "expected {expected} gods in a game of {players}, found {found} face up and {taken} taken",
                    expected=expected,
                    players=len(position.players),
                    found=len(position.gods),
                    taken=taken,
                ),
            )


def _centre_problems(position: Position, unread: Collection[str]) -> Iterator[Problem]:
    for index, cell in enumerate(position.centre):
        place = cell_place(index)
        if cell.tile is None and place not in unread:
            yield Problem(
                place,
                _(
                    "expected a tile, found an empty cell (a position between a turn and its refill cannot be "
                    "written or read: refill it first)"
                ),
            )
        if min(cell.worshipers) < 0:
            yield _negative(place, cell.worshipers)
        elif cell.worshipers.total > MAX_ON_CELL:
            yield Problem(
                place,
                _("expected at most {most} worshipers, found {found}", most=MAX_ON_CELL, found=cell.worshipers.total),
            )


def _player_problems(index: int, player: Player, unread: Collection[str]) -> Iterator[Problem]:
    place = player_place(index, player.name)
    if trouble := player_name_problem(player.name):
        yield Problem(f"{place}, name", trouble)
    if min(player.realm) < 0:
        yield _negative(f"{place}, realm", player.realm)
    elif player.realm.total > REALM_LIMIT:
        yield Problem(
            f"{place}, realm",
            _("expected at most {most} worshipers, found {found}", most=REALM_LIMIT, found=player.realm.total),
        )
    if not player.god_validated and player.god is not God.DEATH:
        message = (
            _("expected a cancellation token on Death alone, found it on no god")
            if player.god is None
            else _("expected a cancellation token on Death alone, found it on {god}", god=player.god.label)
        )
        yield Problem(f"{place}, god", message)
    for row, (slots, length) in enumerate(zip(player.rows, ROW_LENGTHS), start=1):
        if len(slots) > length:
            message = ngettext(
                "expected at most {n} slot, found {found}",
                "expected at most {n} slots, found {found}",
                length,
                found=len(slots),
            )
            yield Problem(f"{place}, row {row}", message)
    for slot, placed in player.placed():
        if slot.column < ROW_LENGTHS[slot.row - 1]:
            where = slot_place(index, player.name, slot.row, slot.column)
            if where not in unread and f"{place}, row {slot.row - 1}" not in unread:
                under = [(slot.row - 1, slot.column), (slot.row - 1, slot.column + 1)]
                below = [player.at(*one) for one in under]
                unsure = any(slot_place(index, player.name, *one) in unread for one in under)
                yield from _slot_problems(where, slot.row, placed, below, unsure)
    bottom = player.rows[0]
    for column in range(len(bottom)):
        if bottom[column] is None and any(bottom[column:]):
            yield Problem(
                slot_place(index, player.name, 1, column), _("expected one unbroken line of tiles, found a gap")
            )


def _slot_problems(
    place: str, row: int, placed: Placed, below: Sequence[Placed | None], unsure: bool
) -> Iterator[Problem]:
    """One tile against what it lies on (section 4) and its own mark (section 5)."""
    if row > 1 and None in below:
        left, right = (under is None for under in below)
        if left and right:
            message = _("expected a tile under each half, found none under the left and the right one")
        elif left:
            message = _("expected a tile under each half, found none under the left one")
        else:
            message = _("expected a tile under each half, found none under the right one")
        yield Problem(place, message)
    tile, face = placed
    if face is Face.WILD:
        return
    if tile is None:
        yield Problem(place, _("expected a known tile, as only a wilderness may be unknown, found none"))
        return
    supported = [under for under in below if under is not None]
    if row > 1 and len(supported) == 2 and not any(under.has_colour(tile.colour) for under in supported):
        colours = listed([under.tile.colour.label for under in supported if under.tile is not None])
        yield Problem(
            place,
            _(
                "expected a {colour} tile or a wilderness under {tile}, found {found}",
                colour=tile.colour.label,
                tile=tile.called,
                found=colours,
            ),
        )
    if face is Face.CANCELLED and tile.effect not in CANCELLABLE:
        yield Problem(place, _why_not_cancelled(tile))
    if tile.effect is Effect.IRRIGATION and (row == 1 or len(supported) == 2) and not (row > 1 and unsure):
        watered = row > 1 and any(under.has_colour(tile.colours[0]) for under in supported)
        if watered is not (face is Face.UP):
            colour = tile.colours[0].label
            if row == 1:
                message = _(
                    "expected {tile} cancelled (an irrigation in row 1 is never validated), found it validated",
                    tile=tile.called,
                )
            elif watered:
                message = _(
                    "expected {tile} validated ({colour} or wilderness lies right under it), found it cancelled",
                    tile=tile.called,
                    colour=colour,
                )
            else:
                message = _(
                    "expected {tile} cancelled (no {colour} lies right under it), found it validated",
                    tile=tile.called,
                    colour=colour,
                )
            yield Problem(place, message)


def _why_not_cancelled(tile: Tile) -> str:
    if tile.effect is Effect.NONE:
        return _(
            "expected only a village, volcano or irrigation to be cancelled, found {tile}: a tile without effect",
            tile=tile.called,
        )
    if tile.effect is Effect.FOREST:
        return _(
            "expected only a village, volcano or irrigation to be cancelled, "
            "found {tile}: forest, which is judged at the end",
            tile=tile.called,
        )
    return _(
        "expected only a village, volcano or irrigation to be cancelled, found {tile}: {effect}",
        tile=tile.called,
        effect=tile.effect.label,
    )


def visible_tiles(position: Position) -> Iterator[tuple[str, Tile]]:
    """Every known tile on the table, with its place."""
    for index, cell in enumerate(position.centre):
        if cell.tile is not None:
            yield cell_place(index), cell.tile
    for index, player in enumerate(position.players):
        for slot, placed in player.placed():
            if placed.tile is not None:
                yield slot_place(index, player.name, slot.row, slot.column), placed.tile


def _in_piles(position: Position, unread: Collection[str]) -> Iterator[tuple[str, Tile, bool]]:
    """Every tile that a pile can hold, with its place and whether it merely follows from the table."""
    usual = default_piles(position.tiles, position.players, position.centre, _count_drawn_by_now(position, unread))
    for level, pile, other in zip(LEVELS, position.piles, usual):
        follows = set(pile.tiles) == set(other.tiles)
        for number, tile in enumerate(pile.tiles):
            yield pile_place(level, number), tile, follows


def _count_drawn_by_now(position: Position, unread: Collection[str]) -> int:
    """Tiles that have left the piles; a cell that could not be read holds one of them."""
    waiting = sum(cell.tile is None and cell_place(index) not in unread for index, cell in enumerate(position.centre))
    return len(CELLS) - waiting + sum(player.regions for player in position.players)


def star_problem(tile: Tile, players: int) -> str | None:
    """Why a game with this many players does not use a tile, or None."""
    if tile.star in SET_UP[players].stars:
        return None
    if tile.star is Star.WHITE:
        return _(
            "expected a tile that a game of {players} uses, found {tile}, whose white star is for 4 players",
            players=players,
            tile=tile.called,
        )
    return _(
        "expected a tile that a game of {players} uses, found {tile}, whose purple star is for 3 or 4 players",
        players=players,
        tile=tile.called,
    )


def _tile_problems(position: Position, unread: Collection[str]) -> Iterator[Problem]:
    """Each tile exists once and belongs to this game, and no two tiles have the same mystic value.

    Tiles described alike may lie on the table: what tells them apart need not be in a description. In a pile they could
    not be told apart when one is drawn. Nor do the values of a pile count if it merely follows from the set: anyone who
    describes tiles has a different box.
    """
    number = len(position.players)
    of_set = frozenset(position.tiles.tiles)
    first: dict[Tile, str] = {}
    mystics: dict[int, tuple[Tile, str]] = {}
    seen = [(place, tile, False) for place, tile in visible_tiles(position)]
    for at, (place, tile, follows) in enumerate((*seen, *_in_piles(position, unread))):
        in_pile = at >= len(seen)
        if tile in first and (in_pile or not tile.described):
            yield Problem(
                place,
                _(
                    "expected each tile once, found {found}, already seen at {place}",
                    found=tile.called,
                    place=place_words(first[tile]),
                ),
            )
            continue
        first.setdefault(tile, place)
        if not tile.described and tile not in of_set:
            yield Problem(
                place, _("expected a tile of {tiles}, found {found}", tiles=position.tiles.name, found=tile.called)
            )
        if message := star_problem(tile, number):
            yield Problem(place, message)
        if tile.mystic is not None and not follows:
            other = mystics.setdefault(tile.mystic, (tile, place))
            if other[1] != place:
                yield Problem(
                    place,
                    _(
                        "expected mystic values all different, found {value} on {tile} and on {other} at {place}",
                        value=tile.mystic,
                        tile=tile.called,
                        other=other[0].id,
                        place=place_words(other[1]),
                    ),
                )


def _pile_problems(position: Position, unread: Collection[str]) -> Iterator[Problem]:
    """Piles are drawn lowest level first, so the turns say how many tiles of each level are out and left."""
    sizes = SET_UP[len(position.players)].regions
    regions = sum(player.regions for player in position.players)
    expected = tiles_left(len(position.players), _count_drawn_by_now(position, unread))
    on_table = Counter(tile.level for _, tile in visible_tiles(position))
    for level, size, left, pile in zip(LEVELS, sizes, expected, position.piles):
        place = pile_place(level)
        if on_table[level] > size - left:
            # The pile is then short of tiles as well; this says why.
            yield Problem(
                "levels",
                ngettext(
                    "expected at most {n} level {level} tile on the table after {turns} region turns, found {found}",
                    "expected at most {n} level {level} tiles on the table after {turns} region turns, found {found}",
                    size - left,
                    level=level,
                    turns=regions,
                    found=on_table[level],
                ),
            )
        elif place in unread:
            continue
        elif pile.left != left:
            message = ngettext(
                "expected {n} tile left after {turns} region turns, found {found}",
                "expected {n} tiles left after {turns} region turns, found {found}",
                left,
                turns=regions,
                found=pile.left,
            )
            yield Problem(place, message)
        elif not left and pile.tiles:
            yield Problem(place, _("expected no tiles, as this pile is empty, found {found}", found=len(pile.tiles)))
        elif len(pile.tiles) < left:
            yield Problem(
                place,
                ngettext(
                    "expected at least {n} tile, as many as are left in this pile, "
                    "found {found}: the piles do not add up",
                    "expected at least {n} tiles, as many as are left in this pile, "
                    "found {found}: the piles do not add up",
                    left,
                    found=len(pile.tiles),
                ),
            )
        for number, tile in enumerate(pile.tiles):
            if tile.level != level:
                yield Problem(
                    pile_place(level, number),
                    _(
                        "expected a level {level} tile, found {tile} of level {other}",
                        level=level,
                        tile=tile.called,
                        other=tile.level,
                    ),
                )


def _negative(place: str, worshipers: Worshipers) -> Problem:
    return Problem(place, _("expected no negative number of worshipers, found {found}", found=tuple(worshipers)))


def _list_numbers(numbers: Sequence[int]) -> str:
    return listed([str(number) for number in numbers])
