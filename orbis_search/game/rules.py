"""The rules, plain and slow: what the fast core is tested against.

Everything here follows the numbered steps of RULES section 3 and works on the readable `Position`.
A turn's worshipers are handled as *sets of realms*: each step maps every realm the player may hold
to all the realms that step can leave, and exchanges are offered between any two steps. What remains
at the end is exactly the realms that others can see, each of them once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

from ..base.errors import InputError
from ..base.language import _
from ..base.options import PLAYERS, expect
from .kinds import expect_kind
from .position import Cell, Move, Pile, Placed, Player, Position, Row, Slot
from .tile_limits import expect_fine_tile_set
from .tiles import Tile, TileSet
from .vocabulary import (
    CELLS,
    DEATH_COST,
    EXCHANGE_RATE,
    GOD_POINTS,
    LEVELS,
    LOVE_GAIN,
    NEIGHBOURS,
    NOBODY,
    REALM_LIMIT,
    REGION_TURNS,
    ROW_LENGTHS,
    SET_UP,
    Colour,
    Effect,
    Face,
    God,
    Worshipers,
)

Realms = frozenset[Worshipers]
Removal = tuple[tuple[int, Colour, int], ...]  # cell, colour, number; sorted


# ---------------------------------------------------------------------------------------- set-up (2)


def new_game(tileset: TileSet, players: int, rng: random.Random) -> Position:
    """A shuffled game: piles listed in draw order, nine level-1 tiles laid out, gods drawn.

    >>> start = new_game(orbis.load_tile_set(), 3, random.Random(1))
    >>> len(start.gods), [pile.left for pile in start.piles]
    (4, [6, 15, 21])
    """
    expect_fine_tile_set(tileset)
    players = expect("players", players, PLAYERS)
    expect_kind(rng, random.Random, "rng")
    setup = SET_UP[players]
    levels: list[list[Tile]] = []
    for level in LEVELS:
        pile = [tile for tile in tileset.in_use(players) if tile.level == level]
        if len(pile) != setup.regions[level - 1]:
            message = _(
                "expected {expected} tiles of level {level} for {players} players, found {found}",
                expected=setup.regions[level - 1],
                level=level,
                players=players,
                found=len(pile),
            )
            raise InputError.one("tiles", message)
        rng.shuffle(pile)
        levels.append(pile)
    centre = tuple(Cell(tile) for tile in levels[0][: len(CELLS)])
    del levels[0][: len(CELLS)]
    first, second, third = (Pile(len(pile), tuple(pile)) for pile in levels)
    return Position(
        tiles=tileset,
        players=(Player(),) * players,
        centre=centre,
        gods=tuple(sorted(rng.sample(list(God), setup.gods))),
        piles=(first, second, third),
    )


# ------------------------------------------------------------------------------------ worshipers (3)


@lru_cache(maxsize=1 << 16)
def one_exchange(realm: Worshipers) -> Realms:
    """Every realm one exchange away: 3 of one colour for 1 of another."""
    return frozenset(
        realm.changed(given, -EXCHANGE_RATE).changed(taken, +1)
        for given in Colour
        if realm[given] >= EXCHANGE_RATE
        for taken in Colour
        if taken != given
    )


def after_exchanges(realms: Realms) -> Realms:
    """Every realm that any number of exchanges, none included, can make of these."""
    reached = set(realms)
    waiting = list(reached)
    while waiting:
        new = one_exchange(waiting.pop()) - reached
        reached |= new
        waiting.extend(new)
    return frozenset(reached)


@lru_cache(maxsize=1 << 16)
def one_fewer(realm: Worshipers) -> Realms:
    """Every realm left when one worshiper of any colour goes; none if there is none to go."""
    return frozenset(realm.changed(colour, -1) for colour in Colour if realm[colour])


def after_giving_back(realms: Realms, number: int) -> Realms:
    """A village, Death: so many of any colours; realms too small for it drop out."""
    for _ in range(number):
        realms = frozenset().union(*map(one_fewer, realms))
    return realms


def after_paying(realms: Realms, cost: Worshipers, any_cost: int) -> Realms:
    """A tile's price: the coloured part, then so many of any colour."""
    return after_giving_back(frozenset(realm.minus(cost) for realm in realms if realm.covers(cost)), any_cost)


def after_gaining(realms: Realms, number: int, colours: tuple[Colour, ...]) -> Realms:
    """So many more, of the given colour or (no colour given) of colours to choose."""
    gains = []
    for choice in combinations_with_replacement(colours or tuple(Colour), number):
        gains.append(Worshipers(*(choice.count(colour) for colour in Colour)))
    return frozenset(realm.plus(gain) for realm in realms for gain in gains)


def within_limit(realms: Realms) -> Realms:
    """Step 6: give back until exactly 10 are left, never more than needed, no exchange after it."""
    kept = {realm for realm in realms if realm.total <= REALM_LIMIT}
    over = realms - kept
    while over:
        over = after_giving_back(over, 1)
        kept |= {realm for realm in over if realm.total == REALM_LIMIT}
        over -= kept
    return frozenset(kept)


# ---------------------------------------------------------------------------------- the universe (4)


def open_slots(player: Player) -> list[Slot]:
    """Where a tile can lie if its colour does not matter, that is, where a wilderness can."""
    bottom = len(player.rows[0])
    slots = []
    if bottom < ROW_LENGTHS[0]:
        slots.append(Slot(1, 0))
        if bottom > 0:
            slots.append(Slot(1, bottom))
    for row in range(2, len(ROW_LENGTHS) + 1):
        for column in range(ROW_LENGTHS[row - 1]):
            slot = Slot(row, column)
            if player.at(row, column) is None and all(tiles_under(player, slot)):
                slots.append(slot)
    return slots


def tiles_under(player: Player, slot: Slot) -> tuple[Placed | None, Placed | None]:
    """The two places right under a slot above row 1."""
    return player.at(slot.row - 1, slot.column), player.at(slot.row - 1, slot.column + 1)


def colour_fits(player: Player, slot: Slot, colour: Colour) -> bool:
    """Above row 1, one of the two tiles underneath must have the colour; in row 1 any colour does."""
    return slot.row == 1 or lies_over(player, slot, colour)


def lies_over(player: Player, slot: Slot, colour: Colour) -> bool:
    """Whether a tile right under the slot is of the colour; nothing lies under row 1."""
    return any(under is not None and under.has_colour(colour) for under in tiles_under(player, slot))


def place(player: Player, slot: Slot, placed: Placed) -> Player:
    rows: list[Row] = list(player.rows)
    if slot == Slot(1, 0):
        # Columns count from the left end of row 1, so everything above moves one to the right.
        rows = [(placed, *rows[0])] + [(None, *row) if row else row for row in rows[1:]]
    else:
        row = rows[slot.row - 1]
        row += (None,) * (slot.column + 1 - len(row))
        rows[slot.row - 1] = (*row[: slot.column], placed, *row[slot.column + 1 :])
    first, second, third, fourth = rows
    return player._replace(rows=(first, second, third, fourth))


def neighbours(player: Player, slot: Slot) -> list[Placed]:
    """Up to six places around a tile: two beside, two above, two below."""
    row, column = slot
    around = (
        (row, column - 1),
        (row, column + 1),
        (row + 1, column - 1),
        (row + 1, column),
        (row - 1, column),
        (row - 1, column + 1),
    )
    return [placed for placed in (player.at(*where) for where in around) if placed is not None]


# ---------------------------------------------------------------------------------------- a turn (3)


def after_generation(centre: tuple[Cell, ...], cell: int) -> tuple[Cell, ...]:
    """Step 1: a worshiper of the chosen region's colour onto each orthogonal neighbour."""
    tile = _tile_at(centre, cell)
    after = list(centre)
    for neighbour in NEIGHBOURS[cell]:
        there = after[neighbour]
        after[neighbour] = there._replace(worshipers=there.worshipers.changed(tile.colour, +1))
    return tuple(after)


def price(player: Player, tile: Tile) -> tuple[Worshipers, int]:
    """What step 3 asks for: farms make their colour free, never the any-colour part."""
    free = free_colours(player)
    cost = Worshipers(*(0 if colour in free else tile.cost[colour] for colour in Colour))
    return cost, tile.any_cost


def region_realms(
    player: Player, collected: Worshipers, tile: Tile, *, wild: bool, pays_village: bool = False
) -> Realms:
    """Every realm a region turn can leave, by whether the tile is placed face up and a village paid."""
    # 2. Collect.
    realms = after_exchanges(frozenset({player.realm.plus(collected)}))
    if not wild:
        # 3. Pay.
        realms = after_exchanges(after_paying(realms, *price(player, tile)))
        # 5. Effect.
        if tile.effect is Effect.PROSELYTISM:
            realms = after_exchanges(after_gaining(realms, tile.number, tile.colours))
        if pays_village:
            realms = after_exchanges(after_giving_back(realms, tile.number))
    # 6. Limit.
    return within_limit(realms)


def god_realms(player: Player, god: God, *, pays_death: bool = False) -> Realms:
    """Every realm a god turn can leave."""
    realms = after_exchanges(frozenset({player.realm}))
    if god is God.LOVE:
        realms = after_exchanges(after_gaining(realms, LOVE_GAIN, ()))
    if pays_death:
        realms = after_exchanges(after_giving_back(realms, DEATH_COST))
    return within_limit(realms)


@dataclass(frozen=True, slots=True)
class Family:
    """Moves that differ only in slot, volcano removals and realm left, each choice free of the others."""

    cell: int | None
    god: God | None
    slots: tuple[Slot | None, ...]
    wild: bool
    validated: bool
    realms: Realms
    stock: Removal = ()  # what a volcano may remove ...
    to_remove: int = 0  # ... and how many it must

    @property
    def count(self) -> int:
        return len(self.slots) * count_removals(self.stock, self.to_remove) * len(self.realms)

    def moves(self) -> Iterator[Move]:
        for removed in removals(self.stock, self.to_remove):
            for slot in self.slots:
                for realm in self.realms:
                    yield Move(self.cell, self.god, slot, self.wild, self.validated, removed, realm)


def removals(stock: Removal, number: int) -> Iterator[Removal]:
    """Every way to remove exactly this many, told apart by cell, colour and number."""
    if number == 0:
        yield ()
    elif stock:
        (cell, colour, there), rest = stock[0], stock[1:]
        for taken in range(min(there, number) + 1):
            head = ((cell, colour, taken),) if taken else ()
            for tail in removals(rest, number - taken):
                yield head + tail


def count_removals(stock: Removal, number: int) -> int:
    """How many `removals` there are, without going through them."""
    ways = [1] + [0] * number  # ways[n]: to remove n from the stock seen so far
    for _, _, there in stock:
        ways = [sum(ways[max(0, n - there) : n + 1]) for n in range(number + 1)]
    return ways[number]


def volcano_stock(centre: tuple[Cell, ...], cell: int, tile: Tile) -> Removal:
    """What a volcano taken from `cell` may remove: its colours on the eight other tiles, after step 1."""
    return tuple(
        (other, colour, there.worshipers[colour])
        for other, there in enumerate(after_generation(centre, cell))
        if other != cell
        for colour in tile.colours
        if there.worshipers[colour]
    )


def families(position: Position) -> list[Family]:
    """All legal moves of the player to move, grouped; no move is in two families."""
    if position.to_move is None:
        return []
    if position.hole is not None:
        raise InputError.one(
            f"centre.{CELLS[position.hole]}", _("expected a refill before the next move, found an empty cell")
        )
    player = position.players[position.to_move]
    found: list[Family] = []
    if player.god is None:
        for god in position.gods:
            found.extend(_god_families(player, god))
    if player.regions < REGION_TURNS:
        for cell in range(len(CELLS)):
            found.extend(_region_families(position, player, cell))
    return [family for family in found if family.count]


def _god_families(player: Player, god: God) -> Iterator[Family]:
    def family(validated: bool, realms: Realms) -> Family:
        return Family(None, god, (None,), wild=False, validated=validated, realms=realms)

    if god is God.DEATH:
        yield family(True, god_realms(player, god, pays_death=True))
        yield family(False, god_realms(player, god))
    else:
        yield family(True, god_realms(player, god))


def _region_families(position: Position, player: Player, cell: int) -> Iterator[Family]:
    tile = _tile_at(position.centre, cell)
    collected = position.centre[cell].worshipers
    slots = open_slots(player)
    fitting = [slot for slot in slots if colour_fits(player, slot, tile.colour)]

    def family(where: list[Slot], validated: bool, realms: Realms, volcano: bool = False) -> Family:
        stock = volcano_stock(position.centre, cell, tile) if volcano else ()
        to_remove = tile.number if volcano else 0
        return Family(cell, None, tuple(where), False, validated, realms, stock, to_remove)

    # Wilderness is always a choice, and never paid for.
    bare = region_realms(player, collected, tile, wild=True)
    yield Family(cell, None, tuple(slots), wild=True, validated=False, realms=bare)
    if not fitting:
        return

    realms = region_realms(player, collected, tile, wild=False)
    match tile.effect:
        case Effect.VILLAGE:
            after_village = region_realms(player, collected, tile, wild=False, pays_village=True)
            yield family(fitting, True, after_village)
            yield family(fitting, False, realms)
        case Effect.VOLCANO:
            yield family(fitting, True, realms, volcano=True)
            yield family(fitting, False, realms)
        case Effect.IRRIGATION:
            watered = [slot for slot in fitting if lies_over(player, slot, tile.colours[0])]
            yield family(watered, True, realms)
            yield family([slot for slot in fitting if slot not in watered], False, realms)
        case _:
            yield family(fitting, True, realms)


def legal_moves(position: Position) -> set[Move]:
    """Every distinct visible outcome of the turn; empty when the game is over."""
    return {move for family in families(position) for move in family.moves()}


def count_moves(position: Position) -> int:
    """How many legal moves there are, without listing them: volcanoes can make millions."""
    return sum(family.count for family in families(position))


def apply(position: Position, move: Move) -> Position:
    """The position after a legal move. A region leaves its cell empty: `refill` ends that turn."""
    turn = position.to_move
    if turn is None:
        raise InputError.one("move", _("expected no move after the game's end, found one"))
    player = position.players[turn]._replace(realm=move.realm)
    if move.cell is None:
        player = player._replace(god=move.god, god_validated=move.validated)
        gods = tuple(god for god in position.gods if god != move.god)
        return position.with_player(turn, player)._replace(gods=gods)

    assert move.slot is not None
    tile = _tile_at(position.centre, move.cell)
    # 1. Generate.
    centre = list(after_generation(position.centre, move.cell))
    # 2. Collect; 3. the payment is part of the realm left over.
    centre[move.cell] = Cell(None, NOBODY)
    # 4. Place; 5. the effect's own part is the token on the tile and what a volcano removed.
    face = Face.WILD if move.wild else Face.UP if move.validated else Face.CANCELLED
    player = place(player, move.slot, Placed(tile, face))
    for cell, colour, number in move.removed:
        there = centre[cell]
        centre[cell] = there._replace(worshipers=there.worshipers.changed(colour, -number))
    return position.with_player(turn, player)._replace(centre=tuple(centre))


def draws(position: Position) -> tuple[Tile, ...]:
    """The tiles that can come into the empty cell, in the pile's listed order; none without a hole."""
    return _next_draws(position) if position.hole is not None else ()


def refill(position: Position, tile: Tile) -> Position:
    """Step 7: the tile comes from the lowest pile that is not empty."""
    if position.hole is None:
        raise InputError.one("refill", _("expected an empty cell to refill, found none"))
    if tile not in draws(position):
        raise InputError.one(
            "refill", _("expected a tile from the lowest pile that has any left, found {found}", found=tile.called)
        )
    centre = list(position.centre)
    centre[position.hole] = Cell(tile)
    piles = list(position.piles)
    lowest = next(index for index, pile in enumerate(piles) if pile.left)
    left = piles[lowest].left - 1
    rest = tuple(other for other in piles[lowest].tiles if other != tile)
    piles[lowest] = Pile(left, rest if left else ())
    first, second, third = piles
    return position._replace(centre=tuple(centre), piles=(first, second, third))


def _next_draws(position: Position) -> tuple[Tile, ...]:
    for pile in position.piles:
        if pile.left:
            return tuple(dict.fromkeys(pile.tiles))
    return ()


def _tile_at(centre: tuple[Cell, ...], cell: int) -> Tile:
    tile = centre[cell].tile
    if tile is None:
        raise InputError.one(f"centre.{CELLS[cell]}", _("expected a tile, found an empty cell"))
    return tile


def perft(position: Position, depth: int, draws: bool) -> int:
    """The number of sequences of `depth` moves.

    With `draws`, every possible refill after each region move is counted as well, including after the last one;
    without, tiles come in the piles' listed order.
    """
    if depth == 0:
        return 1
    refills = _next_draws(position)
    if not draws:
        refills = refills[:1]
    if depth == 1:
        return sum(family.count * (1 if family.cell is None else len(refills)) for family in families(position))
    total = 0
    for move in legal_moves(position):
        after = apply(position, move)
        if move.cell is None:
            total += perft(after, depth - 1, draws)
        else:
            total += sum(perft(refill(after, tile), depth - 1, draws) for tile in refills)
    return total


# --------------------------------------------------------------------------------------- the end (7)


@dataclass(frozen=True, slots=True)
class Score:
    """One player's creation points by source, and the worshipers that break ties."""

    none: int = 0  # tiles that are simply worth their CP
    farm: int = 0
    village: int = 0
    forest: int = 0
    volcano: int = 0
    irrigation: int = 0
    temple: int = 0  # CP printed on temple tiles; the token is extra
    proselytism: int = 0
    sacred_stone: int = 0
    wilderness: int = 0  # 0 or less
    god: int = 0
    temple_token: int = 0
    worshipers: int = 0

    @property
    def total(self) -> int:
        return (
            self.none
            + self.farm
            + self.village
            + self.forest
            + self.volcano
            + self.irrigation
            + self.temple
            + self.proselytism
            + self.sacred_stone
            + self.wilderness
            + self.god
            + self.temple_token
        )


def is_validated(player: Player, slot: Slot, placed: Placed) -> bool:
    """Face up, no cancellation token on it, and with the neighbours that a forest wants."""
    if placed.face is not Face.UP or placed.tile is None:
        return False
    tile = placed.tile
    if tile.effect is not Effect.FOREST:
        return True
    return forest_neighbours(player, slot, tile) >= tile.number


def forest_neighbours(player: Player, slot: Slot, tile: Tile) -> int:
    """How many neighbours count for a forest so far."""
    return sum(any(neighbour.has_colour(colour) for colour in tile.colours) for neighbour in neighbours(player, slot))


def validated_tiles(player: Player, effect: Effect) -> list[Tile]:
    return [
        placed.tile
        for slot, placed in player.placed()
        if placed.tile is not None and placed.tile.effect is effect and is_validated(player, slot, placed)
    ]


def free_colours(player: Player) -> set[Colour]:
    """Those that farms make free."""
    return {tile.colours[0] for tile in validated_tiles(player, Effect.FARM)}


def wilderness_count(player: Player) -> int:
    return sum(placed.face is Face.WILD for _, placed in player.placed())


def wilderness_points(player: Player) -> int:
    """CP of each wilderness tile."""
    return 0 if player.god is God.IDLENESS else -1


def temple_count(player: Player) -> int:
    return sum(tile.number for tile in validated_tiles(player, Effect.TEMPLE))


def highest_mystic(player: Player) -> int:
    """On any of the player's face-up white tiles; a cancelled tile is face up, a wilderness is not."""
    return max(
        (
            placed.tile.mystic
            for _, placed in player.placed()
            if placed.face is not Face.WILD
            and placed.tile is not None
            and placed.tile.colour is Colour.WHITE
            and placed.tile.mystic is not None
        ),
        default=-1,
    )


def temple_tokens(position: Position) -> tuple[int, ...]:
    """What each player's token is worth: most temples first, ties by mystic value, none without a temple."""
    order = sorted(
        (index for index, player in enumerate(position.players) if temple_count(player)),
        key=lambda index: (temple_count(position.players[index]), highest_mystic(position.players[index])),
        reverse=True,
    )
    worth = [0] * len(position.players)
    tokens = sorted(SET_UP[len(position.players)].temple_tokens, reverse=True)
    for index, token in zip(order, tokens):
        worth[index] = token
    return tuple(worth)


_MOST_OF = {
    God.OCEANS: Effect.IRRIGATION,
    God.FIRE: Effect.VOLCANO,
    God.NATURE: Effect.FOREST,
    God.HARVESTS: Effect.VILLAGE,
}


def god_points(position: Position, index: int) -> int:
    """Section 6, last column."""
    god = position.players[index].god
    return GOD_POINTS[god] if god is not None and meets_condition(position, index, god) else 0


def meets_condition(position: Position, index: int, god: God) -> bool:
    """Whether a player meets a god's condition."""
    player = position.players[index]
    match god:
        case God.LOVE | God.IDLENESS | God.APPRENTICE:
            return True
        case God.OCEANS | God.FIRE | God.NATURE | God.HARVESTS:
            counts = [len(validated_tiles(each, _MOST_OF[god])) for each in position.players]
            enough = position.options.most_at_zero or counts[index] > 0
            return enough and counts[index] == max(counts)
        case God.TECHNOLOGY:
            counts = [wilderness_count(each) for each in position.players]
            return counts[index] == min(counts)
        case God.EQUILIBRIUM:
            village = validated_tiles(player, Effect.VILLAGE)
            volcano = validated_tiles(player, Effect.VOLCANO)
            return bool(village and temple_count(player) and volcano)
        case God.DEATH:
            return player.god_validated


def score(position: Position) -> tuple[Score, ...]:
    """What every player would have if the game ended here."""
    tokens = temple_tokens(position)
    scores = []
    for index, player in enumerate(position.players):
        by_effect = {effect.name.lower(): sum(tile.cp for tile in validated_tiles(player, effect)) for effect in Effect}
        scores.append(
            Score(
                **by_effect,
                wilderness=wilderness_points(player) * wilderness_count(player),
                god=god_points(position, index),
                temple_token=tokens[index],
                worshipers=player.realm.total,
            )
        )
    return tuple(scores)


def winners(position: Position) -> tuple[int, ...]:
    return leaders(score(position))


def leaders(scores: Sequence[Score]) -> tuple[int, ...]:
    """Most CP, then most worshipers left, then shared."""
    results = [(each.total, each.worshipers) for each in scores]
    return tuple(index for index, result in enumerate(results) if result == max(results))
