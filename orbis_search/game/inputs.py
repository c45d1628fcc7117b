"""What a network sees of a position, plain and slow: what the core's inputs are tested against.

No input knows a tile by its id, a colour by its name, or left from right. All are whole numbers of about the same size:
four for a CP, sixteen for a thing that is counted, thirty-two for a yes; docs/evaluation.md lists them one by one. Each
player has the same inputs, the player to move first and then in turn order; what is common to all comes last.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

from ..base.values import NamedTuple
from .economy import mover, tile_on
from .position import Cell, Pile, Player, Position, Slot
from .rules import (
    Score,
    colour_fits,
    forest_neighbours,
    free_colours,
    god_points,
    highest_mystic,
    lies_over,
    open_slots,
    price,
    score,
    temple_count,
    validated_tiles,
    volcano_stock,
    wilderness_count,
    wilderness_points,
)
from .tiles import Tile, TileSet
from .vocabulary import (
    CELLS,
    DEATH_COST,
    EXCHANGE_RATE,
    LEVELS,
    REALM_LIMIT,
    ROW_LENGTHS,
    SET_UP,
    TURNS,
    Colour,
    Effect,
    Face,
    God,
    Worshipers,
)

MOST_INPUT = 255  # an input lies between this and its negative
MOST_PLAYERS = max(SET_UP)
SEATS = ("mover", "second", "third", "fourth")  # whose inputs they are, from the player to move on
BEST = 3  # tiles of the centre that are looked at one by one

# What things are worth to the core's sensible player, in hundredths of a CP.
CP_WORTH = 100
WORSHIPER_WORTH = 18
TEMPLE_WORTH = 140
JOKER_WORTH = 25  # a wilderness carries every colour
FARM_TURN_WORTH = 12  # for each turn to come
HOPEFUL_FOREST = 60  # instead of CP_WORTH, when it does not hold yet
LIKELY_IRRIGATION = 80  # instead of CP_WORTH, while nobody has looked for a place

_COUNTED_BY = {
    God.OCEANS: Effect.IRRIGATION,
    God.FIRE: Effect.VOLCANO,
    God.NATURE: Effect.FOREST,
    God.HARVESTS: Effect.VILLAGE,
}


def inputs(position: Position) -> list[int]:
    """All inputs, in the order of `input_names`. Somebody is to move, and no cell waits for its refill."""
    return [max(-MOST_INPUT, min(value, MOST_INPUT)) for value in _named_inputs(position).values()]


def input_names(players: int) -> list[str]:
    """What the inputs are called in a game of so many: `mover points`, ..., `turns left`, ..."""
    cell, pile = Cell(Tile("", LEVELS[0], Colour.RED)), Pile(0, ())
    bare = Position(TileSet("", "", "", ()), (Player(),) * players, (cell,) * len(CELLS), (), (pile, pile, pile))
    return list(_named_inputs(bare))


def _named_inputs(position: Position) -> dict[str, int]:
    mover(position)  # complains after the game's end
    standings = [_standing(position, index, points) for index, points in enumerate(score(position))]
    named: dict[str, int] = {}
    for n, seat in enumerate(SEATS[: len(standings)]):
        index = (position.turns_played + n) % len(standings)
        others = standings[:index] + standings[index + 1 :]
        own = _standing_inputs(position, standings[index], others)
        own |= _god_inputs(position, index, others)
        own |= _realm_inputs(position, standings[index].player)
        own |= _universe_inputs(standings[index])
        own |= _choice_inputs(position, standings[index])
        named |= {f"{seat} {name}": value for name, value in own.items()}
    return named | _common_inputs(position)


# ------------------------------------------------------------------------------------------ a player


@dataclass(frozen=True, slots=True)
class Standing:
    """What is found out of a player before anything is compared."""

    player: Player
    turns_left: int  # the player's own
    points: int  # if the game ended now
    sure_points: int  # those that can no longer change: no forest, wilderness, god or token in them
    hopes: tuple[int, int, int]  # CP of forests that lack one neighbour, two, and more, and have room for them
    promised: int  # the points, with some of the hopes
    token: int
    more_temples: tuple[int, int, int]  # CP that no, one and two more temples bring at once
    places: tuple[Slot, ...]  # where a wilderness may lie; see `_places`
    fitting: frozenset[Colour]  # colours that fit into one of them
    completed_by: dict[Colour, int]  # CP of forests that a tile of the colour completes in one of them
    completed_by_wilderness: int


def _standing(position: Position, index: int, points: Score) -> Standing:
    player = position.players[index]
    places = _places(player)
    hopeful = [(slot, tile, lacks) for slot, tile, lacks in _forests(player) if 0 < lacks <= _room(player, slot)]
    one_short = [(slot, tile) for slot, tile, lacks in hopeful if lacks == 1]
    one, two, more = (sum(tile.cp for _, tile, lacks in hopeful if min(lacks, 3) == n) for n in (1, 2, 3))
    return Standing(
        player=player,
        turns_left=TURNS - player.turns_played,
        points=points.total,
        sure_points=points.total - points.forest - points.wilderness - points.god - points.temple_token,
        hopes=(one, two, more),
        promised=points.total + (3 * one + 2 * two + more) // 4,
        token=points.temple_token,
        more_temples=(0, _more_temples(position, index, 1), _more_temples(position, index, 2)),
        places=places,
        fitting=frozenset(colour for colour in Colour if any(colour_fits(player, place, colour) for place in places)),
        completed_by={
            colour: sum(
                tile.cp
                for slot, tile in one_short
                if colour in tile.colours
                and any(place in _around(slot) and colour_fits(player, place, colour) for place in places)
            )
            for colour in Colour
        },
        completed_by_wilderness=sum(
            tile.cp for slot, tile in one_short if any(place in _around(slot) for place in places)
        ),
    )


def _standing_inputs(position: Position, own: Standing, others: list[Standing]) -> dict[str, int]:
    lead = own.points - max(other.points for other in others)
    promised_lead = own.promised - max(other.promised for other in others)
    mystic = highest_mystic(own.player)
    below = sum(mystic > highest_mystic(other.player) for other in others)
    temples = temple_count(own.player)
    return {
        "points": 4 * own.points,
        "lead": 4 * lead,
        "late lead": lead * _lateness(position) // 8,
        "promised lead": promised_lead * _lateness(position) // 8,
        "sure points": 4 * own.sure_points,
        "forests": 16 * len(validated_tiles(own.player, Effect.FOREST)),
        "forest CP one short": 4 * own.hopes[0],
        "forest CP two short": 4 * own.hopes[1],
        "forest CP more short": 4 * own.hopes[2],
        "wilderness": 16 * wilderness_count(own.player),
        "temples": 16 * temples,
        "token": 8 * own.token,
        "mystic": 32 * below // len(others),
        "temple lead": 16 * (temples - max(temple_count(other.player) for other in others)),
        "next temple": 8 * own.more_temples[1],
    }


def _turns_left(position: Position) -> int:
    """Of all players together."""
    return TURNS * len(position.players) - position.turns_played


def _lateness(position: Position) -> int:
    """The later, the more a lead is worth."""
    return 256 // (1 + isqrt(4 * _turns_left(position)))


def _more_temples(position: Position, index: int, more: int) -> int:
    """CP that so many more temples bring at once, the others' and every mystic value staying as they are."""
    ranks = [(temple_count(player), highest_mystic(player)) for player in position.players]

    def token() -> int:
        order = sorted(range(len(ranks)), key=lambda each: ranks[each], reverse=True)
        return SET_UP[len(ranks)].temple_tokens[order.index(index)] if ranks[index][0] else 0

    before = token()
    temples, mystic = ranks[index]
    ranks[index] = (temples + more, mystic)
    return token() - before


def _god_inputs(position: Position, index: int, others: list[Standing]) -> dict[str, int]:
    player = position.players[index]
    prospects = [] if player.god is not None else [_god_prospect(position, index, god) for god in position.gods]
    best, second = sorted([*prospects, 0, 0], reverse=True)[:2]
    return {
        **{f"has {god.word}": 32 * (player.god is god) for god in God},
        "no god": 32 * (player.god is None),
        "god CP": 8 * god_points(position, index),
        "god lead": 16 * _god_lead(player, others),
        "best god": 8 * best,
        "second god": 8 * second,
        "irrigations": 16 * len(validated_tiles(player, Effect.IRRIGATION)),
        "volcanoes": 16 * len(validated_tiles(player, Effect.VOLCANO)),
        "villages": 16 * len(validated_tiles(player, Effect.VILLAGE)),
    }


def _god_lead(player: Player, others: list[Standing]) -> int:
    """How many more a player with Oceans, Fire, Nature or Harvests has of what it counts than anybody else."""
    if player.god not in _COUNTED_BY:
        return 0
    effect = _COUNTED_BY[player.god]
    return len(validated_tiles(player, effect)) - max(len(validated_tiles(other.player, effect)) for other in others)


def _god_prospect(position: Position, index: int, god: God) -> int:
    """CP that the god would bring if it were taken now and the game ended, with Death paid if it can be."""
    player = position.players[index]
    taken = player._replace(god=god, god_validated=player.realm.total >= DEATH_COST)
    saved = (wilderness_points(taken) - wilderness_points(player)) * wilderness_count(player)
    return god_points(position.with_player(index, taken), index) + saved


def _realm_inputs(position: Position, player: Player) -> dict[str, int]:
    realm, free, costs = player.realm, free_colours(player), _symbols(position)
    return {
        "worshipers": 16 * realm.total,
        **{f"colour {n}": 16 * number for n, number in enumerate(sorted(realm, reverse=True), 1)},
        "colours": 16 * sum(number > 0 for number in realm),
        "farms": 32 * len(free),
        "saved by farms": sum(costs[colour] for colour in free) // 4,
        "useful": sum(min(realm[colour], 3) * costs[colour] for colour in Colour if colour not in free) // 4,
        "exchanges": 16 * _exchanges(realm),
    }


def _symbols(position: Position) -> list[int]:
    """For each colour, its symbols in the costs of a hundred tiles such as those in the centre and to come."""
    tiles = _centre_tiles(position) + _tiles_to_come(position)
    return [100 * sum(tile.cost[colour] for tile in tiles) // len(tiles) for colour in Colour]


def _exchanges(worshipers: Worshipers) -> int:
    """How many exchanges they give, without those that what was taken gives again."""
    return sum(number // EXCHANGE_RATE for number in worshipers)


def _universe_inputs(own: Standing) -> dict[str, int]:
    placed = own.player.placed()
    return {
        **{f"row {row}": 16 * sum(slot.row == row for slot, _ in placed) for row in range(1, len(ROW_LENGTHS) + 1)},
        "places": 16 * len(own.places),
        "fitting colours": 16 * len(own.fitting),
        "cancelled": 16 * sum(each.face is Face.CANCELLED for _, each in placed),
        "own turns left": 8 * own.turns_left,
    }


# ---------------------------------------------------------------------------- places and forests


def _places(player: Player) -> tuple[Slot, ...]:
    """The open slots, by columns as they are *before* placing: the left end of row 1 is column -1."""
    return tuple(Slot(1, -1) if slot == (1, 0) and player.rows[0] else slot for slot in open_slots(player))


def _around(slot: Slot) -> tuple[Slot, ...]:
    """Two beside, two above, two below, whether there are such slots or not."""
    row, column = slot
    return (
        Slot(row, column - 1),
        Slot(row, column + 1),
        Slot(row + 1, column - 1),
        Slot(row + 1, column),
        Slot(row - 1, column),
        Slot(row - 1, column + 1),
    )


def _forests(player: Player) -> list[tuple[Slot, Tile, int]]:
    """The forests face up, and how many neighbours each lacks: none or fewer where it holds."""
    return [
        (slot, placed.tile, placed.tile.number - forest_neighbours(player, slot, placed.tile))
        for slot, placed in player.placed()
        if placed.face is Face.UP and placed.tile is not None and placed.tile.effect is Effect.FOREST
    ]


def _room(player: Player, slot: Slot) -> int:
    """Empty slots around one, those included that come into being when row 1 grows to the left or to the right."""
    grows = len(player.rows[0]) < ROW_LENGTHS[0]
    return sum(
        1 <= row <= len(ROW_LENGTHS)
        and (grows or 0 <= column < ROW_LENGTHS[row - 1])
        and player.at(row, column) is None
        for row, column in _around(slot)
    )


# ------------------------------------------------------------------------- the tiles of the centre


class Choice(NamedTuple):
    """What taking a tile would bring, about as playouts judge it."""

    worth: int  # in hundredths of a CP
    gain: int  # CP at once
    left: int  # worshipers
    temples: int
    face_up: bool


def _choice_inputs(position: Position, own: Standing) -> dict[str, int]:
    choices = [_choice(position, own, cell) for cell in range(len(CELLS))]
    named: dict[str, int] = {}
    best = sorted(choices, reverse=True)
    for n, choice in enumerate(best[:BEST], 1):
        named |= {
            f"tile {n} worth": choice.worth // 4,
            f"tile {n} gain": 8 * choice.gain,
            f"tile {n} left": 16 * choice.left,
            f"tile {n} temples": 16 * choice.temples,
        }
    return named | {
        "tiles to have": 16 * sum(choice.face_up for choice in choices),
        "worth of all": sum(choice.worth for choice in choices) // 32,
        "most on a tile": 16 * max(cell.worshipers.total for cell in position.centre),
        "most gain": 8 * max(0, *(choice.gain for choice in choices)),
    }


def _choice(position: Position, own: Standing, cell: int) -> Choice:
    """Face up if it can be paid and its colour fits somewhere, else a wilderness."""
    tile, player = tile_on(position, cell), own.player
    realm = player.realm.plus(position.centre[cell].worshipers)
    left = _left_after_paying(realm, *price(player, tile))
    if left is None or tile.colour not in own.fitting:
        left = min(realm.total, REALM_LIMIT)
        gain = own.completed_by_wilderness + wilderness_points(player)
        return Choice(JOKER_WORTH + CP_WORTH * gain + WORSHIPER_WORTH * left, gain, left, 0, face_up=False)

    fitting = [place for place in own.places if colour_fits(player, place, tile.colour)]
    worth, gain, temples, validated = CP_WORTH * tile.cp, tile.cp, 0, True
    match tile.effect:
        case Effect.FARM:
            worth += FARM_TURN_WORTH * (own.turns_left - 1)
        case Effect.VILLAGE:
            validated = left >= tile.number
            left -= tile.number if validated else 0
        case Effect.FOREST:
            if not any(forest_neighbours(player, place, tile) >= tile.number for place in fitting):
                worth, gain = HOPEFUL_FOREST * tile.cp, 0
        case Effect.VOLCANO:
            validated = sum(number for _, _, number in volcano_stock(position.centre, cell, tile)) >= tile.number
        case Effect.IRRIGATION:
            validated = any(lies_over(player, place, tile.colours[0]) for place in fitting)
        case Effect.TEMPLE:
            temples = tile.number
            worth += TEMPLE_WORTH * temples
            gain += own.more_temples[min(temples, 2)]
        case Effect.PROSELYTISM:
            left += tile.number
    if not validated:
        worth = gain = 0
    left = min(left, REALM_LIMIT)
    completed = own.completed_by[tile.colour]
    worth += CP_WORTH * completed + WORSHIPER_WORTH * left
    return Choice(worth, gain + completed, left, temples, face_up=True)


def _left_after_paying(realm: Worshipers, cost: Worshipers, any_cost: int) -> int | None:
    """How many worshipers are left with as few exchanges as it takes; None where it cannot be paid."""
    lacking = sum(max(0, price - have) for have, price in zip(realm, cost))
    spare = Worshipers(*(max(0, have - price) for have, price in zip(realm, cost)))
    left = spare.total - EXCHANGE_RATE * lacking - any_cost
    return left if left >= 0 and lacking <= _exchanges(spare) else None


# ------------------------------------------------------------------------------------ common to all


def _common_inputs(position: Position) -> dict[str, int]:
    turns, centre, to_come = _turns_left(position), _centre_tiles(position), _tiles_to_come(position)
    seat, number = position.to_move, max(1, len(to_come))

    def count(effect: Effect) -> int:
        return sum(tile.effect is effect for tile in to_come)

    return {
        "turns left": 4 * turns,
        "last 8 turns": 16 * min(turns, 8),
        "last 16 turns": 8 * min(turns, 16),
        **{f"seat {n + 1}": 32 * (seat == n) for n in range(MOST_PLAYERS)},
        **{f"pile {level}": 8 * pile.left for level, pile in zip(LEVELS, position.piles)},
        "CP to come": 32 * sum(tile.cp for tile in to_come) // number,
        "cost to come": 32 * sum(tile.cost.total for tile in to_come) // number,
        "any cost to come": 32 * sum(tile.any_cost for tile in to_come) // number,
        "worth to come": sum(_worth_anywhere(tile) for tile in to_come) // number // 4,
        "farms to come": 4 * count(Effect.FARM),
        "villages to come": 4 * count(Effect.VILLAGE),
        "forests to come": 4 * count(Effect.FOREST),
        "volcanoes to come": 4 * count(Effect.VOLCANO),
        "irrigations to come": 4 * count(Effect.IRRIGATION),
        "temples to come": 4 * _number_on(to_come, Effect.TEMPLE),
        "gains to come": 4 * _number_on(to_come, Effect.PROSELYTISM),
        "centre CP": 32 * sum(tile.cp for tile in centre) // len(CELLS),
        "centre temples": 16 * _number_on(centre, Effect.TEMPLE),
        "centre worshipers": 2 * sum(cell.worshipers.total for cell in position.centre),
        **{f"{god.word} to take": 32 * (god in position.gods) for god in God},
    }


def _centre_tiles(position: Position) -> list[Tile]:
    return [tile_on(position, cell) for cell in range(len(CELLS))]


def _tiles_to_come(position: Position) -> list[Tile]:
    """All that the piles can hold: more than they do when somebody forgot the front of a wilderness."""
    return [tile for pile in position.piles if pile.left for tile in pile.tiles]


def _number_on(tiles: list[Tile], effect: Effect) -> int:
    """Temples on the temple tiles, worshipers gained from the proselytism tiles."""
    return sum(tile.number for tile in tiles if tile.effect is effect)


def _worth_anywhere(tile: Tile) -> int:
    """Of a tile face up and validated, before anybody has looked for a place."""
    match tile.effect:
        case Effect.FOREST:
            return HOPEFUL_FOREST * tile.cp
        case Effect.IRRIGATION:
            return LIKELY_IRRIGATION * tile.cp
        case Effect.TEMPLE:
            return CP_WORTH * tile.cp + TEMPLE_WORTH * tile.number
        case _:
            return CP_WORTH * tile.cp
