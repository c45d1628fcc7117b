"""Holds the compiled core against the plain reference, on any number of positions.

Games are played at random and sensibly, by 2 to 4 players, on our tile set and on random ones. At each
decision either the whole set of legal moves is compared, or some single moves: that both call them
legal, lead to the same position, draw from the same pile and score it alike; and that both refuse moves
that are a little wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from . import reference
from ._core.orbis.core import ALL, SEARCH, PackedState
from .errors import InputError
from .packing import PackedMove, Packing, pack_move, unpack_move
from .position import Move, Position, Slot
from .rules import play_turns, score, winners
from .tiles import TileSet, load_tile_set
from .vocabulary import CELLS, ROW_LENGTHS, Colour, God

STYLES = ("random", "sensible", "mixed")


class Mismatch(AssertionError):
    """The two implementations differ. Says where, with the position in its one-line form."""


@dataclass
class Tally:
    games: int = 0
    decisions: int = 0  # whole sets of legal moves compared
    moves: int = 0  # moves in those sets
    largest: int = 0
    singles: int = 0  # single moves compared
    refused: int = 0  # wrong moves that both refused

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.moves += other.moves
        self.largest = max(self.largest, other.largest)
        self.singles += other.singles
        self.refused += other.refused


def verify_game(seed: int, whole_sets: bool, per_decision: int = 8, most: int = 400_000) -> Tally:
    """One game from a seed: whole move sets at each decision, or `per_decision` single moves.

    A turn with more than `most` legal moves is compared by their number only.
    """
    rng = Random(seed)
    players = 2 + seed % 3
    style = STYLES[seed // 3 % 3]
    tile_set = tile_set_for(seed)
    start = reference.new_game(tile_set, players, rng)
    packing = Packing(start)
    state = packing.state
    tally = Tally(games=1)
    while state.to_move >= 0:
        position = packing.position(state)
        if whole_sets:
            _compare_sets(position, state, tally, most)
        else:
            for _ in range(per_decision):
                _compare_single(packing, position, state, rng, tally)
        for _ in play_turns(state, 1, rng, rng.choice(STYLES[:2]) if style == "mixed" else style):
            pass
    final = packing.position(state)
    _expect(final, "final score", score(final), reference.score(final))
    _expect(final, "winners", winners(final), reference.winners(final))
    return tally


def tile_set_for(seed: int) -> TileSet:
    """Ours for every other game, a random one for the rest."""
    return load_tile_set("reconstruction" if seed % 2 == 0 else f"random:{seed}")


def _compare_sets(position: Position, state: PackedState, tally: Tally, most: int) -> None:
    number = state.count_moves(ALL)
    _expect(position, "number of legal moves", number, reference.count_moves(position))
    tally.decisions += 1
    tally.moves += number
    tally.largest = max(tally.largest, number)
    if number > most:
        return
    found = state.moves(ALL)
    legal = set(found)
    _expect(position, "distinct moves", len(legal), len(found))
    length = len(position.players[position.to_move or 0].rows[0])
    expected = {pack_move(move, length) for move in reference.legal_moves(position)}
    if legal != expected:
        _differ(position, "legal moves only in one of them", legal - expected, expected - legal)
    search = state.moves(SEARCH)
    if not set(search) <= legal:
        _differ(position, "search moves that are not legal", set(search) - legal, set())
    if len(set(search)) != len(search) or not search:
        _differ(position, "search moves, none or one twice", search, [])


def _compare_single(
    packing: Packing, position: Position, state: PackedState, rng: Random, tally: Tally
) -> None:
    packed = _some_move(state, rng)
    move = unpack_move(packed)
    length = len(position.players[position.to_move or 0].rows[0])
    _expect(position, "move packed again", pack_move(move, length), packed)
    try:
        reference.check_move(position, move)
    except InputError as error:
        raise Mismatch(f"{_name(position)}\n{move}\nthe reference refuses it: {error}") from error
    after = state.copy()
    after.apply(packed)
    expected = reference.apply(position, move)
    _expect(position, f"position after {move}", packing.position(after), expected)
    if after.hole is not None:
        drawn = [packing.tiles[number] for number in after.draws()]
        _expect(position, "draws", sorted(drawn, key=_id), sorted(reference.draws(expected), key=_id))
        number = rng.choice(after.draws())
        after.refill(number)
        expected = reference.refill(expected, packing.tiles[number])
        _expect(position, "position after the refill", packing.position(after), expected)
    _expect(position, f"points after {move}", after.points(), tuple(s.total for s in reference.score(expected)))
    tally.singles += 1
    wrong = _spoiled(move, rng)
    try:
        reference.check_move(position, wrong)
    except InputError:
        if _is_packable(wrong) and pack_move(wrong, length) in set(state.moves(SEARCH)):
            raise Mismatch(f"{_name(position)}\n{wrong}\nonly the core calls it legal") from None
        tally.refused += 1


def _some_move(state: PackedState, rng: Random) -> PackedMove:
    """Chosen by a policy, or evenly among the search moves: each finds other corners of the rules."""
    style = rng.choice(("random", "sensible", "search"))
    if style == "search":
        return rng.choice(state.moves(SEARCH))
    return state.choose(style, rng.getrandbits(64))


def _spoiled(move: Move, rng: Random) -> Move:
    """The move with one thing changed: nearly always illegal, sometimes by luck another legal one."""
    colour = rng.randrange(5)
    changes = [
        lambda: replace(move, realm=move.realm.changed(colour, rng.choice((-1, 1)))),
        lambda: replace(move, validated=not move.validated),
    ]
    if move.god is not None:
        changes.append(lambda: replace(move, god=rng.choice(list(God))))
    else:
        row = rng.randrange(4)
        changes += [
            lambda: replace(move, slot=Slot(row + 1, rng.randrange(ROW_LENGTHS[row]))),
            lambda: replace(move, wild=not move.wild),
            lambda: replace(move, cell=rng.randrange(len(CELLS))),
            lambda: replace(move, removed=((rng.randrange(9), Colour(colour), 1),)),
        ]
    return rng.choice(changes)()


def _is_packable(move: Move) -> bool:
    return all(0 <= number < 16 for number in move.realm)


def _id(tile) -> str:
    return tile.id


def _expect(position: Position, what: str, found: object, expected: object) -> None:
    if found != expected:
        raise Mismatch(f"{_name(position)}\n{what}\ncore:      {found}\nreference: {expected}")


def _differ(position: Position, what: str, core_only, reference_only) -> None:
    def some(moves) -> str:
        return "\n  ".join(str(unpack_move(move)) for move in list(moves)[:5])

    raise Mismatch(
        f"{_name(position)}\n{what}\ncore ({len(core_only)}):\n  {some(core_only)}\n"
        f"reference ({len(reference_only)}):\n  {some(reference_only)}"
    )


def _name(position: Position) -> str:
    from .notation import write_oneline

    return write_oneline(position)


def _job(arguments: tuple[int, bool]) -> Tally:
    return verify_game(*arguments)


def verify(decisions: int, singles: int, seed: int = 0, processes: int = 1) -> Iterator[Tally]:
    """Plays games until both numbers are reached; yields the running tally after each game."""
    from multiprocessing import get_context

    tally = Tally()

    def jobs() -> Iterator[tuple[int, bool]]:
        game = seed
        while True:
            if tally.decisions < decisions:
                yield game, True
            elif tally.singles < singles:
                yield game, False
            else:
                return
            game += 1

    if processes == 1:
        for job in jobs():
            tally.add(_job(job))
            yield tally
        return
    with get_context("spawn").Pool(processes) as pool:
        waiting = jobs()
        running = [pool.apply_async(_job, (job,)) for _, job in zip(range(2 * processes), waiting)]
        while running:
            tally.add(running.pop(0).get())
            yield tally
            running += [pool.apply_async(_job, (job,)) for _, job in zip(range(1), waiting)]
