"""A game of Master of Orion in progress: who sits where, decision by decision, and back again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from ...base.dice import Dice
from ...base.errors import InputError
from ...base.language import _
from ...base.options import MAX_SEED, number_of
from ...matches.seats import PERSON, Seat, seat_named, with_distinct_names
from ..advice.data import Advice, advise
from ..game.cards import CardSet
from ..game.knowledge import seen_by
from ..game.position import Move, Position
from ..game.problems import expect_position
from ..game.rules import new_game as dealt
from ..record.game import Record
from .arena import drawn_card, drawn_races
from .by_name import KINDS, NAMES, Spec, parse_player
from .levels import LEVELS

SEAT, SEED = "x-seat-{number}", "x-seed"  # keys of a record's header
FULL_SIMS = LEVELS[-1].sims
Progress = Callable[[Advice], None]


def parse_seat(text: str, place: str = "player") -> Seat:
    """`me`, a level by name or number, another player, `NAME=` and one of these, or just a person's name."""
    return seat_named(text, NAMES, tuple(KINDS), _player, place)


def _player(text: str, place: str) -> tuple[str, str]:
    spec = parse_player(text, place)
    return spec.kind, str(spec)


class Game:
    """A record that grows. It knows every card; `seen` is what the player who decides can know."""

    def __init__(self, record: Record, seats: Sequence[Seat], seed: int) -> None:
        self.record = record
        self.seats = tuple(seats)
        self.seed = seed

    @property
    def position(self) -> Position:
        return self.record.position

    @property
    def seen(self) -> Position:
        return seen_by(self.position, self.position.to_move or 0)

    @property
    def is_over(self) -> bool:
        return self.position.is_over

    @property
    def seat(self) -> Seat:
        """Who decides."""
        return self.seats[self.position.to_move or 0]

    def play(self, move: Move) -> None:
        """Makes a legal move and the draws that follow it: the same seed draws the same cards."""
        self.record = self.record.played(move, lambda position, number: drawn_card(position, self.seed, number))

    @property
    def turn_seed(self) -> int:
        return Random(f"turn {self.seed} {len(self.record.turns)}").getrandbits(63)

    def think(self, progress: Progress | None = None, seconds: float | None = None) -> Move:
        """The move of the engine player whose turn it is. Ctrl-C makes one that searches play the best so far."""
        spec = parse_player(self.seat.player)
        if spec.kind in ("advisor", NAMES[-1]):
            own = spec.sims is not None or spec.seconds is not None
            limits = spec if own else Spec("advisor", None if seconds else FULL_SIMS, seconds)
            return self.advise(limits, progress).best.move
        player = spec.player()
        try:
            return player.choose(self.seen, self.turn_seed)
        finally:
            player.close()

    def advise(self, limits: Spec, progress: Progress | None = None, why: Sequence[Move] = ()) -> Advice:
        """For the player who decides, with the limits of `limits`."""
        return advise(
            self.seen,
            simulations=limits.sims,
            seconds=limits.seconds,
            threads=limits.threads,
            seed=self.turn_seed,
            why=why,
            progress=progress,
        )

    def undo(self) -> int:
        """Back to the last decision that a person made; returns how many decisions are undone, 0 if none was made."""
        for number in range(len(self.record.turns) - 1, -1, -1):
            if self.seats[self.record.turns[number].player].is_person:
                undone = len(self.record.turns) - number
                self.record = self.record.before(number)
                return undone
        return 0

    def resign(self) -> None:
        """Whoever decides gives up; the record says so."""
        note = _("{player} resigned.", player=self.seat.name)
        self.record = replace(self.record, end=(*self.record.end, note))


class PlayReport(NamedTuple):
    """A game after people have been asked for their moves."""

    file: str | None  # None: nothing was played
    status: str  # "over", "resigned", "kept" to go on with, or "unchanged"
    game: Game


def new_game(
    seats: Sequence[Seat],
    cards: CardSet,
    seed: int,
    races: Sequence[str] = (),
    *,
    training: bool = False,
    date: str = "",
) -> Game:
    """A new game for two to four players; without `races` they are drawn."""
    if not 2 <= len(seats) <= 4:
        raise InputError.one("players", _("expected 2 to 4, found {found}", found=len(seats)))
    seats = with_distinct_names(seats)
    dice = Dice(seed)
    chosen = list(races) or drawn_races(cards, len(seats), dice)
    start = dealt(cards, chosen, dice, names=[seat.name for seat in seats], training=training)
    expect_position(start)
    extra = [(SEAT.format(number=number), str(seat)) for number, seat in enumerate(seats, 1)] + [(SEED, str(seed))]
    return Game(Record((start,), date=date, extra=tuple(extra)), seats, seed)


def take_up(record: Record, place: str = "record") -> Game:
    """Resumes a game. Where a record does not say who plays, a person does."""
    header = dict(record.extra)
    said = number_of(header.get(SEED, ""))
    seed = said if isinstance(said, int) and 0 <= said <= MAX_SEED else 0
    seats = []
    for index, player in enumerate(record.start.players):
        key = SEAT.format(number=index + 1)
        seat = parse_seat(header.get(key, PERSON), f"{place}, {key}")
        seats.append(Seat(player.name or _("player {number}", number=index + 1), seat.player))
    return Game(record, seats, seed)
