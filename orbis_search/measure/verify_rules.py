"""Checks the compiled core against the plain rules, on any number of positions.

Games are played at random and sensibly, by 2 to 4 players, on our tile set and on random ones. At each decision either
the whole set of legal moves is compared, or some single moves: that both call them legal, lead to the same position,
draw from the same pile and score it alike; and that both refuse moves that are a little wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing
from itertools import count
from random import Random
from typing import NamedTuple

from ..base.comparing import Mismatch, Tally, tallies
from ..base.jobs import Workers
from ..core.fast_rules import play_turns, score, winners
from ..core.packing import PackedMove, Packing, pack_move, unpack_move
from ..core.states import ALL, SEARCH, PackedState
from ..game import rules
from ..game.position import Move, Position, Slot
from ..game.tiles import TileSet
from ..game.vocabulary import CELLS, ROW_LENGTHS, Colour, God, Worshipers
from ..tileset.library import load_tile_set

STYLES = ("random", "sensible", "mixed")


def verify_game(seed: int, whole_sets: bool, per_decision: int = 120, most: int = 10_000) -> Tally:
    """One game from a seed: whole move sets at each decision, or `per_decision` single moves.

    A turn with more than `most` legal moves is compared by its factors only.
    """
    rng = Random(seed)
    players = 2 + seed % 3
    style = STYLES[seed // 3 % 3]
    tile_set = tile_set_for(seed)
    start = rules.new_game(tile_set, players, rng)
    packing = Packing(start)
    state = packing.state
    tally = Tally(games=1)
    while state.to_move >= 0:
        position = packing.position(state)
        if whole_sets:
            _compare_sets(position, state, tally, most)
        else:
            _compare_singles(packing, position, state, rng, per_decision, tally)
        for _ in play_turns(state, 1, rng, rng.choice(STYLES[:2]) if style == "mixed" else style):
            pass
    final = packing.position(state)
    _expect(final, "final score", score(final), rules.score(final))
    _expect(final, "winners", winners(final), rules.winners(final))
    return tally


def tile_set_for(seed: int) -> TileSet:
    """Our own set for every other game, a random one for the rest."""
    return load_tile_set("reconstruction" if seed % 2 == 0 else f"random:{seed}")


def _compare_sets(position: Position, state: PackedState, tally: Tally, most: int) -> None:
    """All legal moves. Both sides know them as products (places, removals, realms) that do not overlap, so equal
    factors mean equal sets; up to `most` moves, they are also multiplied out and compared one by one."""
    number = state.count_moves(ALL)
    families = rules.families(position)
    _expect(position, "number of legal moves", number, sum(family.count for family in families))
    tally.decisions += 1
    tally.moves += number
    tally.largest = max(tally.largest, number)
    expected = {_packed_product(position, family) for family in families}
    found = {
        (head, frozenset(places), frozenset(removals) or frozenset({0}), frozenset(realms))
        for head, places, removals, realms in state.factors(ALL)
    }
    if found != expected:
        heads = sorted(product[0] for product in found ^ expected)
        raise Mismatch(f"{_name(position)}\nlegal moves differ in the products that begin with {heads}")
    if number > most:
        return
    listed = state.moves(ALL)
    legal = set(listed)
    _expect(position, "distinct moves", len(legal), len(listed))
    moves = {pack_move(position, move) for family in families for move in family.moves()}
    if legal != moves:
        _differ(position, "legal moves only in one of them", legal - moves, moves - legal)
    search = state.moves(SEARCH)
    if not set(search) <= legal:
        _differ(position, "search moves that are not legal", set(search) - legal, set())
    if len(set(search)) != len(search) or not search:
        _differ(position, "search moves, none or one twice", search, [])


Product = tuple[int, frozenset[int], frozenset[int], frozenset[int]]
Factors = tuple[set[int], set[int], set[int]]  # places, removals, realms of one head


def _packed_product(position: Position, family: rules.Family) -> Product:
    """The reference's product in packed numbers, by way of packing one move for each value of each factor."""

    def packed(slot: Slot | None, removed: rules.Removal, realm: Worshipers) -> PackedMove:
        move = Move(family.cell, family.god, slot, family.wild, family.validated, removed, realm)
        return pack_move(position, move)

    first_realm, first_slot = next(iter(family.realms)), family.slots[0]
    head = packed(first_slot, (), first_realm)[0] & 0x7F
    places = frozenset(packed(slot, (), first_realm)[0] >> 7 & 15 for slot in family.slots)
    realms = frozenset(packed(first_slot, (), realm)[0] >> 11 for realm in family.realms)
    removals = frozenset(
        packed(first_slot, removed, first_realm)[1] for removed in rules.removals(family.stock, family.to_remove)
    )
    return head, places, removals, realms


class Family(NamedTuple):
    """Of the reference's legal moves, those with this cell or god, face and validation."""

    slots: frozenset[Slot | None]
    realms: frozenset[Worshipers]
    stock: dict[tuple[int, Colour], int]  # what a volcano may remove ...
    to_remove: int  # ... and how many it must


Key = tuple[int | None, God | None, bool, bool]


def _families(position: Position) -> dict[Key, list[Family]]:
    found: dict[Key, list[Family]] = {}
    for family in rules.families(position):
        key = family.cell, family.god, family.wild, family.validated
        stock = {(cell, colour): there for cell, colour, there in family.stock}
        found.setdefault(key, []).append(Family(frozenset(family.slots), family.realms, stock, family.to_remove))
    return found


def _is_legal(families: dict[Key, list[Family]], move: Move) -> bool:
    removed = sum(number for _, _, number in move.removed)
    return any(
        move.slot in family.slots
        and move.realm in family.realms
        and removed == family.to_remove
        and all(number <= family.stock.get((cell, colour), 0) for cell, colour, number in move.removed)
        for family in families.get((move.cell, move.god, move.wild, move.validated), ())
    )


def _compare_singles(
    packing: Packing, position: Position, state: PackedState, rng: Random, number: int, tally: Tally
) -> None:
    """Legality, successor, draws and points of this many moves; and as many moves that are slightly wrong."""
    families = _families(position)
    some = iter(state.sample(number, rng.getrandbits(64)))
    products: dict[int, list[Factors]] = {}
    for head, places, removals, realms in state.factors(ALL):
        products.setdefault(head, []).append((set(places), set(removals) or {0}, set(realms)))
    for _ in range(number):
        # Chosen by a policy, or evenly among the search moves: each finds other corners of the rules.
        style = rng.choice(("random", "sensible", "search", "search"))
        packed = next(some) if style == "search" else state.choose(style, rng.getrandbits(64))
        move = unpack_move(packed)
        _expect(position, "move packed again", pack_move(position, move), packed)
        if not _is_legal(families, move):
            raise Mismatch(f"{_name(position)}\n{move}\nonly the core calls it legal")
        _compare_successor(packing, position, state, packed, move, rng)
        tally.singles += 1
        wrong = _spoil(move, rng)
        legal = _is_packable(wrong) and _has_factor(products, pack_move(position, wrong))
        if legal != _is_legal(families, wrong):
            raise Mismatch(f"{_name(position)}\n{wrong}\nonly the {'core' if legal else 'reference'} calls it legal")
        tally.refused += not legal


def _has_factor(products: dict[int, list[Factors]], move: PackedMove) -> bool:
    what, detail = move
    return any(
        what >> 7 & 15 in places and what >> 11 in realms and detail in removals
        for places, removals, realms in products.get(what & 0x7F, ())
    )


def _compare_successor(
    packing: Packing, position: Position, state: PackedState, packed: PackedMove, move: Move, rng: Random
) -> None:
    after = state.copy()
    after.apply(packed)
    expected = rules.apply(position, move)
    _expect_position(position, f"after {move}", packing.position(after), expected)
    if after.hole is not None:
        drawn = sorted(packing.tiles[number].id for number in after.draws())
        _expect(position, "draws", drawn, sorted(tile.id for tile in rules.draws(expected)))
        number = rng.choice(after.draws())
        after.refill(number)
        expected = rules.refill(expected, packing.tiles[number])
        _expect_position(position, f"after {move} and its refill", packing.position(after), expected)
    _expect(position, f"points after {move}", after.points(), tuple(s.total for s in rules.score(expected)))


def _spoil(move: Move, rng: Random) -> Move:
    """The move with one thing changed: nearly always illegal, sometimes by luck another legal one."""
    colour = rng.randrange(5)
    changes = [
        lambda: move._replace(realm=move.realm.changed(colour, rng.choice((-1, 1)))),
        lambda: move._replace(validated=not move.validated),
    ]
    if move.god is not None:
        changes.append(lambda: move._replace(god=rng.choice(list(God))))
    else:
        row = rng.randrange(4)
        changes += [
            lambda: move._replace(slot=Slot(row + 1, rng.randrange(ROW_LENGTHS[row]))),
            lambda: move._replace(wild=not move.wild),
            lambda: move._replace(cell=rng.randrange(len(CELLS))),
            lambda: move._replace(removed=((rng.randrange(9), Colour(colour), 1),)),
        ]
    return rng.choice(changes)()


def _is_packable(move: Move) -> bool:
    return all(0 <= number < 16 for number in move.realm)


def _expect(position: Position, what: str, found: object, expected: object) -> None:
    if found != expected:
        raise Mismatch(f"{_name(position)}\n{what}\ncore:      {found}\nreference: {expected}")


def _expect_position(position: Position, what: str, found: Position, expected: Position) -> None:
    """Names the parts that differ: two positions in full would fill pages."""
    if found == expected:
        return
    parts = [
        f"{field}\ncore:      {getattr(found, field)}\nreference: {getattr(expected, field)}"
        for field in ("players", "centre", "gods", "piles")
        if getattr(found, field) != getattr(expected, field)
    ]
    raise Mismatch("\n".join([_name(position), what, *parts]))


def _differ(
    position: Position, what: str, core_only: Collection[PackedMove], reference_only: Collection[PackedMove]
) -> None:
    def some(moves: Collection[PackedMove]) -> str:
        return "\n  ".join(str(unpack_move(move)) for move in list(moves)[:5])

    raise Mismatch(
        f"{_name(position)}\n{what}\ncore ({len(core_only)}):\n  {some(core_only)}\n"
        f"reference ({len(reference_only)}):\n  {some(reference_only)}"
    )


def _name(position: Position) -> str:
    from ..notation import write_oneline

    return write_oneline(position)


def _job(job: tuple[int, bool]) -> Tally:
    return verify_game(*job)


def verify(decisions: int, singles: int, seed: int = 0, workers: Workers | int = 1) -> Iterator[Tally]:
    """Plays games until both numbers are reached, the first ones with whole sets of moves; yields the running tally
    after each game. Games that are under way when a number is reached do not count, so the workers make no
    difference."""
    tally = Tally()
    games = 0
    for whole in (True, False):
        with closing(tallies(_job, ((seed + game, whole) for game in count(games)), workers)) as found:
            while tally.decisions < decisions if whole else tally.singles < singles:
                tally.add(next(found))
                games += 1
                yield tally
