"""A game being played: who sits where, what engine players do, what is drawn from the piles, and going back.

    game = new_game([Seat("Anna"), Seat("casual", "casual")], tiles, seed=5)
    while not game.is_over:
        move = ask(game.position) if game.seat.is_person else game.think()
        game.play(move)

Everything that luck decides follows from the seed: the layout is that of `orbis new --seed`, the piles keep their order
when a turn is taken back, and each turn has a seed for whoever thinks in it. So a game resumes from its record as if
there had been no break; seats and seed are in the record's header.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from ..base.errors import InputError
from ..base.language import _
from ..base.options import MAX_SEED, number_of
from ..core.packing import Packing, unpack_move
from ..entry.data import Exchange
from ..game.position import Move, Player, Position
from ..game.tiles import Tile, TileSet
from ..matches.seats import PERSON, Seat, seat_named, with_distinct_names
from ..record.game import Record, Turn, expect_record
from .by_name import KINDS, Spec, parse_player
from .levels import NAMES

if TYPE_CHECKING:
    from ..advice.data import Advice

    Progress = Callable[[Advice], None]

# Keys of a record's header: for each seat who plays there, and the seed.
SEAT, SEED = "x-seat-{number}", "x-seed"
LEAST_PLAYERS, MOST_PLAYERS = 2, 4


def parse_seat(text: str, place: str = "player") -> Seat:
    """`me`, a level by name or number, another player, `NAME=` and one of these, or just a person's name."""
    return seat_named(text, NAMES, KINDS, _player, place)


def _player(text: str, place: str) -> tuple[str, str]:
    spec = parse_player(text, place)
    return spec.kind, str(spec)


class Game:
    """A record that grows. `position` is what lies on the table; nobody knows the order of the piles."""

    def __init__(self, record: Record, seats: Sequence[Seat], seed: int) -> None:
        self.record = record
        self.seats = tuple(seats)
        self.seed = seed
        order = list(record.start.tiles.tiles)
        Random(f"piles {seed}").shuffle(order)
        self._rank = {tile: rank for rank, tile in enumerate(order)}

    @property
    def position(self) -> Position:
        return self.record.position()

    @property
    def is_over(self) -> bool:
        return self.position.is_over

    @property
    def seat(self) -> Seat:
        """Who is to move."""
        return self.seats[self.position.to_move or 0]

    # Turn by turn.

    def play(self, move: Move) -> Turn:
        """Makes a legal move and draws the tile that follows it."""
        self.record = self.record.play(move, self.next_tile(move))
        return self.record.turns[-1]

    def next_tile(self, move: Move) -> Tile | None:
        """What is drawn after the move: in each pile the tiles lie in the seed's order."""
        possible = self.record.stage().draws(move)
        return min(possible, key=lambda tile: self._rank.get(tile, len(self._rank)), default=None)

    @property
    def turn_seed(self) -> int:
        return Random(f"turn {self.seed} {self.position.turns_played}").getrandbits(63)

    def think(self, spec: Spec | None = None, progress: Progress | None = None) -> Move:
        """The move of the engine player whose turn it is, or of one with other limits. Ctrl-C makes the advisor play
        the best found so far."""
        spec = spec or parse_player(self.seat.player)
        if spec.advisor is not None:
            return self.advise(spec.advisor, self.position, progress).best.move
        player = spec.player()
        try:
            packing = Packing(self.position)
            return unpack_move(player.choose(packing.state, self.turn_seed, packing.position))
        finally:
            player.close()

    def advise(
        self, limits: Spec, position: Position, progress: Progress | None = None, why: Sequence[Move] | None = None
    ) -> Advice:
        """The advisor's answer for a position of this game, with its limits from `limits`."""
        from ..advice.advisor import advise

        return advise(
            position,
            simulations=limits.sims,
            seconds=limits.seconds,
            threads=limits.threads,
            seed=self.turn_seed,
            why=why,
            prove=limits.prove,
            progress=progress,
            settings=limits.search,
        )

    # Going back.

    def undo(self) -> int:
        """Goes back to the last turn that a person took; returns how many turns are undone, 0 if none was taken."""
        for number in range(self.record.last, self.record.first - 1, -1):
            if self.seats[self.record.position(number).to_move or 0].is_person:
                undone = self.record.last - number + 1
                self.record = self.record.before(number)
                return undone
        return 0

    def resign(self) -> None:
        """Whoever is to move gives up; the record says so."""
        note = _("{player} resigned.", player=self.record.name(self.position.to_move or 0))
        self.record = replace(self.record, end=(*self.record.end, note))


class PlayReport(NamedTuple):
    """A game after people have been asked for their moves."""

    file: str | None  # None: nothing was played
    status: str  # "over", "resigned", "kept" to go on with, or "unchanged"
    game: Game
    exchanges: tuple[Exchange, ...] = ()


def new_game(seats: Sequence[Seat], tiles: TileSet, seed: int, date: str = "") -> Game:
    """A new game for two to four players."""
    from ..game import rules

    if not LEAST_PLAYERS <= len(seats) <= MOST_PLAYERS:
        raise InputError.one("players", _("expected 2 to 4, found {found}", found=len(seats)))
    seats = with_distinct_names(seats)
    start = rules.new_game(tiles, len(seats), Random(seed))
    start = start._replace(players=tuple(Player(seat.name) for seat in seats))
    extra = [(SEAT.format(number=number), str(seat)) for number, seat in enumerate(seats, 1)] + [(SEED, str(seed))]
    record = Record(start, date=date, extra=tuple(extra))
    expect_record(record)  # a name that no file can hold is refused now, not when the first turn is kept
    return Game(record, seats, seed)


def take_up(record: Record, place: str = "record", seed: int = 0) -> Game:
    """Resumes a game. Where a record does not say who plays, a person does; `seed` is for one that has none."""
    header = dict(record.extra)
    said = number_of(header.get(SEED, ""))
    if isinstance(said, int) and 0 <= said <= MAX_SEED:
        seed = said
    if record.stage().unseen:
        raise InputError.one(place, _("expected every tile to be known, found one that nobody has seen"))
    seats = []
    for index in range(len(record.start.players)):
        key = SEAT.format(number=index + 1)
        seats.append(Seat(record.name(index), parse_seat(header.get(key, PERSON), f"{place}, {key}").player))
    return Game(record, seats, seed)
