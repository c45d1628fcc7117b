"""Matches between players of Orbis: who is stronger, by how much, and how certain that is.

The games of a round share tile set, start layout, gods and order of the piles (`matches` says why). The order of the
piles is known here and nowhere else: players see states packed from a position whose piles are listed in the tile set's
order.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from functools import lru_cache
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from ..base.errors import InputError
from ..base.jobs import Carrying, Workers
from ..base.language import _
from ..matches import data, files
from ..matches.data import EVERY_ROUND, LETTERS, WHOLE, Game, Result, Standing, Tally, checked_match, expect_result
from ..matches.files import VERSION, Save
from ..matches.playing import Job, play_games
from ..matches.statistics import Sprt, elo, interval, log_likelihood_ratio, score_at
from ..search.networks import network_file
from ..tileset.library import tile_set_file
from .by_name import SEARCHERS, Player, parse_player

if TYPE_CHECKING:
    from ..game.position import Position
    from ..game.tiles import TileSet

__all__ = [
    "EVERY_ROUND",
    "FORMAT",
    "LETTERS",
    "VERSION",
    "WHOLE",
    "Game",
    "Match",
    "Result",
    "Save",
    "Sprt",
    "Standing",
    "Tally",
    "elo",
    "games_of",
    "interval",
    "log_likelihood_ratio",
    "make_match",
    "play",
    "play_game",
    "read_games",
    "replay",
    "score_at",
]

FORMAT = "orbis-arena"


# ---- the match -------------------------------------------------------------------------------------


class Match(data.Match):
    __slots__ = ()
    FORMAT = FORMAT
    BOX = "tiles"

    @property
    def tiles(self) -> str:
        return self.box

    @property
    def threads(self) -> int:
        """How many threads a game keeps busy: only one player thinks at a time."""
        return max(parse_player(text).threads for text in self.entries)

    def tile_spec(self, number: int) -> str:
        if self.tiles != EVERY_ROUND:
            return self.tiles
        return f"random:{Random(f'tiles {self.seed} {number}').getrandbits(32)}"

    def start(self, number: int) -> Position:
        """How round `number` begins; its piles are listed in the order they will be drawn."""
        from ..game.rules import new_game

        rng = Random(f"round {self.seed} {number}")
        return new_game(_tile_set(self.tile_spec(number)), self.players, rng)


def make_match(entries: Sequence[str], players: int | None = None, tiles: str = "", seed: int = 0) -> Match:
    """A match with everything checked; InputError names everything wrong."""
    from ..game.tiles import DEFAULT_TILE_SET

    return checked_match(Match, entries, players, tiles or DEFAULT_TILE_SET, seed, parse_player, _tile_set)


@lru_cache(maxsize=8)
def _tile_set(spec: str) -> TileSet:
    from ..tileset.library import load_tile_set

    return load_tile_set(spec)


# ---- one game --------------------------------------------------------------------------------------


def play_game(match: Match, number: int, rotation: int, players: Sequence[Player]) -> Game:
    """Plays one game. `players`: one for each entry."""
    from ..core.packing import Packing, unpack_move
    from ..game.problems import with_plain_piles
    from ..notation import write_oneline
    from ..notation.move_text import format_move

    # 1. The order of the piles stays here; the packing is made from a position that does not reveal it.
    start = match.start(number)
    hidden = [tile for pile in start.piles for tile in pile.tiles[: pile.left]]
    plain = with_plain_piles(start)
    packing = Packing(plain)
    numbers = {tile: index for index, tile in enumerate(packing.tiles)}
    coming = iter(hidden)

    # 2. Turn by turn. A seed belongs to the turn of a round, whoever moves: identical players play alike.
    state = packing.state
    seats = match.seats(rotation)
    moves: list[str] = []
    draws: list[str] = []
    seconds = [0.0] * match.players
    while (who := state.to_move) >= 0:
        seed = Random(f"move {match.seed} {number} {len(moves)}").getrandbits(64)
        before = perf_counter()
        move = players[seats[who]].choose(state.copy(), seed, packing.position)
        seconds[who] += perf_counter() - before
        moves.append(format_move(packing.position(state), unpack_move(move)))
        state.apply(move)
        if state.hole is not None:
            tile = next(coming)
            draws.append(tile.id)
            state.refill(numbers[tile])

    # 3. The result.
    return Game(
        number,
        rotation,
        seats,
        write_oneline(plain).strip(),
        tuple(moves),
        tuple(draws),
        state.points(),
        state.shares(),
        tuple(round(each, 4) for each in seconds),
    )


def replay(game: Game, place: str = "game") -> Position:
    """The final position by the plain rules; InputError if a move is illegal or the result differs."""
    from ..game import rules
    from ..notation import read_position
    from ..notation.move_text import parse_move

    position = read_position(game.start, place)
    draws = iter(game.draws)
    for turn, text in enumerate(game.moves, 1):
        try:
            position = rules.apply(position, parse_move(text, position))
        except InputError as error:
            raise InputError.one(f"{place}, turn {turn}", error.problems[0].message) from None
        possible = {tile.id: tile for tile in rules.draws(position)}
        if possible:
            drawn = next(draws, "nothing")
            if drawn not in possible:
                message = _("expected a refill from the pile, found {found}", found=drawn)
                raise InputError.one(f"{place}, turn {turn}", message)
            position = rules.refill(position, possible[drawn])
    points = tuple(score.total for score in rules.score(position))
    expect_result(game, place, position.is_over, points, rules.winners(position))
    return position


# ---- many games ------------------------------------------------------------------------------------


def play(
    match: Match, rounds: int, workers: Workers | int = 1, done: Iterable[Game] = ()
) -> Generator[Game, None, None]:
    """Plays every game of this many rounds that is not among those `done`; yields each when it is over."""
    if not isinstance(workers, int):
        if programs := [text for text in match.entries if parse_player(text).command]:
            message = _("expected players that every machine has, found a program: {found}", found=programs[0])
            raise InputError.one("players", message)
    yield from play_games(match, Carrying(_Games(match), _files_of(match)), rounds, workers, done)


def _files_of(match: Match) -> dict[str, bytes]:
    """Those that the games read."""
    files = {} if match.tiles == EVERY_ROUND else tile_set_file(match.tiles)
    for spec in map(parse_player, match.entries):
        files |= network_file(spec.search) if spec.kind in SEARCHERS else {}
    return files


class _Games:
    """The players stay from game to game."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.players: list[Player] = []

    def __call__(self, job: Job) -> Game:
        if not self.players:
            self.players = [parse_player(text).player() for text in self.match.entries]
        return play_game(self.match, *job, self.players)

    def close(self) -> None:
        for player in self.players:
            player.close()


def read_games(path: str) -> tuple[Match, list[Game], int]:
    """The match, its games so far, and where the file's last whole line ends."""
    return files.read_games(path, Match)


def games_of(data: bytes, path: str) -> tuple[Match, list[Game], int]:
    """The same from the contents of such a file; `path` is what messages call it."""
    return files.games_of(data, path, Match)
