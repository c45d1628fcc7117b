"""Matches between players: who is stronger, by how much, and how certain that is.

A match is a number of rounds. The games of a round share everything that luck decides (tile set, start layout, gods,
order of the piles), and the players move on by one seat from game to game until each has sat in every seat: two games
for two players, a pair. So the value of a seat or a lucky draw cancels out, and a round's mean result is one
observation for the statistics below.

Rounds count in order, so neither the number of workers nor which game ends first affects the result. Where
simulations are counted and not seconds, the same seed plays the same games.

The order of the piles is known here and nowhere else: players see states packed from a position whose piles are listed
in the tile set's order.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError, Problem, reason
from ..base.held_files import HeldLines
from ..base.jobs import Carrying, Workers, all_answered, do_jobs
from ..base.json import NotJson, json_value
from ..base.language import _, ngettext
from ..search.networks import network_file
from ..tileset.library import tile_set_file
from .by_name import SEARCHERS, Player, parse_player

if TYPE_CHECKING:
    from ..game.position import Position
    from ..game.tiles import TileSet

FORMAT, VERSION = "orbis-arena", 1
LETTERS = "ABCD"
WHOLE = 12  # a victory in twelfths, so that two, three and four can share it
EVERY_ROUND = "random:*"  # as a tile set: a new random one for each round
Z95 = 1.959963984540054


# ---- the match -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Match:
    """What fixes every game of a match."""

    entries: tuple[str, ...]  # specifications, two to four; they may be alike
    players: int  # at a table; the last entry takes the seats left over
    tiles: str
    seed: int

    @property
    def table(self) -> tuple[int, ...]:
        """The entry in each seat of a round's first game."""
        last = len(self.entries) - 1
        return tuple(min(seat, last) for seat in range(self.players))

    def seats(self, rotation: int) -> tuple[int, ...]:
        """The entry in each seat of a round's game number `rotation`."""
        table = self.table
        return tuple(table[(seat - rotation) % self.players] for seat in range(self.players))

    @property
    def threads(self) -> int:
        """How many threads a game keeps busy: only one player thinks at a time."""
        return max(parse_player(text).threads for text in self.entries)

    def fair_share(self, entry: int) -> float:
        return self.table.count(entry) / self.players

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

    problems: list[Problem] = []
    specs = []
    for letter, text in zip(LETTERS, entries):
        try:
            specs.append(str(parse_player(text, f"player {letter}")))
        except InputError as error:
            problems += error.problems
    tiles = tiles or DEFAULT_TILE_SET
    try:
        if tiles != EVERY_ROUND:
            _tile_set(tiles)
    except InputError as error:
        problems += error.problems
    if not 2 <= len(entries) <= len(LETTERS):
        problems += InputError.one("players", _("expected 2 to 4, found {found}", found=len(entries))).problems
    elif players is not None and not len(entries) <= players <= len(LETTERS):
        message = _("expected {least} to 4 players at the table, found {found}", least=len(entries), found=players)
        problems += InputError.one("players", message).problems
    if problems:
        raise InputError(problems)
    return Match(tuple(specs), players or len(entries), tiles, seed)


@lru_cache(maxsize=8)
def _tile_set(spec: str) -> TileSet:
    from ..tileset.library import load_tile_set

    return load_tile_set(spec)


# ---- one game --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it is saved: enough to play it again by hand."""

    round: int
    rotation: int
    seats: tuple[int, ...]  # the entry in each seat
    start: str  # the position before the first move, in its one-line form
    moves: tuple[str, ...]
    draws: tuple[str, ...]  # ids of the refills, one for each region taken
    points: tuple[int, ...]  # by seat, as all below
    shares: tuple[int, ...]  # of the victory, in twelfths
    seconds: tuple[float, ...] = field(default=(), compare=False)  # spent on the moves

    def share_of(self, entry: int) -> float:
        return sum(share for seat, share in zip(self.seats, self.shares) if seat == entry) / WHOLE


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
    if not position.is_over:
        message = ngettext(
            "expected a game played to its end, found {n} turn",
            "expected a game played to its end, found {n} turns",
            len(game.moves),
        )
        raise InputError.one(place, message)
    points = tuple(score.total for score in rules.score(position))
    winners = rules.winners(position)
    shares = tuple(WHOLE // len(winners) if seat in winners else 0 for seat in range(len(game.seats)))
    if (points, shares) != (game.points, game.shares):
        message = _(
            "expected points {points} and shares {shares} of {whole}, found {found_points} and {found_shares}",
            points=points,
            shares=shares,
            whole=WHOLE,
            found_points=game.points,
            found_shares=game.shares,
        )
        raise InputError.one(place, message)
    return position


# ---- many games ------------------------------------------------------------------------------------


def play(
    match: Match, rounds: int, workers: Workers | int = 1, done: Iterable[Game] = ()
) -> Generator[Game, None, None]:
    """Plays every game of this many rounds that is not among those `done`; yields each when it is over."""
    known = {(game.round, game.rotation) for game in done if game.round < rounds}
    jobs = (
        (number, rotation)
        for number in range(rounds)
        for rotation in range(match.players)
        if (number, rotation) not in known
    )
    if isinstance(workers, int):
        workers = max(1, min(workers, rounds * match.players - len(known)))
    elif programs := [text for text in match.entries if parse_player(text).command]:
        message = _("expected players that every machine has, found a program: {found}", found=programs[0])
        raise InputError.one("players", message)
    work = Carrying(_Games(match), _files_of(match))
    with closing(do_jobs(work, jobs, workers, match.threads)) as games:
        for _job, game in all_answered(games, lambda job: f"round {job[0]}, game {job[1]}"):
            yield game


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

    def __call__(self, job: tuple[int, int]) -> Game:
        if not self.players:
            self.players = [parse_player(text).player() for text in self.match.entries]
        return play_game(self.match, *job, self.players)

    def close(self) -> None:
        for player in self.players:
            player.close()


# ---- statistics ------------------------------------------------------------------------------------


def elo(score: float, fair: float = 0.5) -> float:
    """The Elo difference at which a player whose fair share is `fair` gets the share `score`.

    For two it is the usual one. For more, shares are as the strengths: the fair share is a difference of 0.
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score * (1 - fair) / ((1 - score) * fair))


def score_at(difference: float, fair: float = 0.5) -> float:
    """The expected share at an Elo difference; the inverse of `elo`."""
    return 1 / (1 + (1 - fair) / fair * 10 ** (-difference / 400))


def interval(scores: Sequence[float], games: int = 2) -> tuple[float, float]:
    """95 % interval of the mean of round scores, each the mean of this many games.

    The spread between rounds says how many independent games would be as certain, and Wilson's formula makes an
    interval from that, which also holds near 0 and 1. One more round with the spread of independent games is added to
    those seen, so that a few rounds that happen to be alike prove little.
    """
    n = len(scores)
    if n == 0:
        return 0.0, 1.0
    mean = math.fsum(scores) / n
    spread = mean * (1 - mean)
    if spread <= 0:
        weight = float(n * games)
    else:
        squares = math.fsum((score - mean) ** 2 for score in scores) + spread / games
        weight = spread * n * n / squares
    z2 = Z95 * Z95 / weight
    middle = (mean + z2 / 2) / (1 + z2)
    half = math.sqrt(max(0.0, spread * z2 + z2 * z2 / 4)) / (1 + z2)
    return max(0.0, middle - half), min(1.0, middle + half)


def log_likelihood_ratio(scores: Iterable[float], score0: float, score1: float) -> float:
    """How much likelier the round scores are if their mean is `score1` than if it is `score0`.

    Generalised: for either mean, the likeliest distribution over the scores seen that has it. For two
    players the scores of a pair are 0, 1/4, 1/2, 3/4, 1: the pentanomial test.
    """
    counts: dict[float, float] = {}
    for score in scores:
        counts[score] = counts.get(score, 0) + 1
    if not counts:
        return 0.0
    # A trace of the extremes, so that every mean is possible.
    for extreme in (0.0, 1.0):
        counts.setdefault(extreme, 1e-3)
    total = math.fsum(counts.values())
    parts = {score: count / total for score, count in counts.items()}
    tilt0, tilt1 = _tilt(parts, score0), _tilt(parts, score1)
    return total * math.fsum(
        part * (math.log1p(tilt0 * (score - score0)) - math.log1p(tilt1 * (score - score1)))
        for score, part in parts.items()
    )


def _tilt(parts: dict[float, float], mean: float) -> float:
    """The likeliest distribution with this mean gives each score part / (1 + tilt * (score - mean))."""
    low, high = -1 / (max(parts) - mean), 1 / (mean - min(parts))
    away = [(score - mean, part) for score, part in parts.items()]
    while True:
        tilt = (low + high) / 2
        if tilt in (low, high):
            return tilt
        if math.fsum(part * distance / (1 + tilt * distance) for distance, part in away) > 0:
            low = tilt
        else:
            high = tilt


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of the first player: is its Elo difference `elo0`, or is it `elo1`?

    It stops when one of the two is likely enough: with `alpha`, elo1 is accepted though elo0 is true; with
    `beta`, the other way round.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, scores: Iterable[float], fair: float = 0.5) -> float:
        return log_likelihood_ratio(scores, score_at(self.elo0, fair), score_at(self.elo1, fair))

    def verdict(self, ratio: float) -> str:
        lower, upper = self.bounds
        return "elo1" if ratio >= upper else "elo0" if ratio <= lower else "open"


# ---- the result ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Standing:
    """One entry's result over the rounds that count."""

    player: str
    won: int
    shared: int
    lost: int
    score: float  # mean share of the victory, all its seats together
    score_95: tuple[float, float]
    fair: float
    elo: float  # against the field; infinite if it won, or lost, everything
    elo_95: tuple[float, float]
    points: float  # mean of its seats
    seconds: float  # mean per move; nan if no game says


@dataclass(frozen=True, slots=True)
class Result:
    match: Match
    rounds: int
    games: int
    standings: tuple[Standing, ...]
    ratio: float | None = None  # of the sequential test, and its verdict
    verdict: str | None = None


class Tally:
    """Games in whatever order they arrive; rounds count in their own order."""

    def __init__(self, match: Match, sprt: Sprt | None = None) -> None:
        self.match = match
        self.sprt = sprt
        self.rounds: list[tuple[Game, ...]] = []
        self.ratio: float | None = None if sprt is None else 0.0
        self._waiting: dict[int, dict[int, Game]] = {}
        self._scores: list[list[float]] = [[] for _ in match.entries]

    def add(self, game: Game) -> None:
        """Once the test has decided, nothing changes."""
        if game.round >= len(self.rounds):
            self._waiting.setdefault(game.round, {})[game.rotation] = game
        while not self.is_decided:
            whole = self._waiting.get(len(self.rounds), {})
            if len(whole) < self.match.players:
                return
            self.rounds.append(tuple(whole[rotation] for rotation in range(self.match.players)))
            del self._waiting[len(self.rounds) - 1]
            for entry, scores in enumerate(self._scores):
                # Rounded, so that equal scores are equal in the counts of the test too.
                total = math.fsum(game.share_of(entry) for game in whole.values())
                scores.append(round(total / self.match.players, 9))
            if self.sprt is not None:
                self.ratio = self.sprt.ratio(self.scores(0), self.match.fair_share(0))

    @property
    def is_decided(self) -> bool:
        return self.sprt is not None and self.sprt.verdict(self.ratio or 0.0) != "open"

    def scores(self, entry: int) -> list[float]:
        """The entry's mean share of each round."""
        return self._scores[entry]

    def result(self) -> Result:
        standings = tuple(self._standing(entry) for entry in range(len(self.match.entries)))
        verdict = None if self.sprt is None else self.sprt.verdict(self.ratio or 0.0)
        games = len(self.rounds) * self.match.players
        return Result(self.match, len(self.rounds), games, standings, self.ratio, verdict)

    def _standing(self, entry: int) -> Standing:
        games = [game for games in self.rounds for game in games]
        shares = [game.share_of(entry) for game in games]
        seats = [(game, seat) for game in games for seat, who in enumerate(game.seats) if who == entry]
        score = math.fsum(shares) / len(shares) if shares else math.nan
        low, high = interval(self.scores(entry), self.match.players)
        fair = self.match.fair_share(entry)
        timed = [game.seconds[seat] for game, seat in seats if game.seconds]
        turns = sum(len(game.moves) / len(game.seats) for game, _ in seats if game.seconds)
        return Standing(
            player=self.match.entries[entry],
            won=sum(share == 1 for share in shares),
            shared=sum(0 < share < 1 for share in shares),
            lost=sum(share == 0 for share in shares),
            score=score,
            score_95=(low, high),
            fair=fair,
            elo=elo(score, fair) if shares else math.nan,
            elo_95=(elo(low, fair), elo(high, fair)),
            points=sum(game.points[seat] for game, seat in seats) / len(seats) if seats else math.nan,
            seconds=math.fsum(timed) / turns if turns else math.nan,
        )


# ---- the file --------------------------------------------------------------------------------------


class Save:
    """Games in a file, one JSON object per line; the first line describes the match.

    An existing file is continued if it is of the same match. A last line that was cut short, because the machine
    stopped in the middle of it, is dropped. No other program can continue the file meanwhile.
    """

    def __init__(self, path: str, match: Match) -> None:
        self.games: list[Game] = []
        self.file = HeldLines(path)
        try:
            if self.file.data:
                found, self.games, _end = games_of(self.file.data, path)
                _expect_same(path, found, match)
            else:
                self._write({"format": FORMAT, "version": VERSION, **asdict(match)})
        except BaseException:
            self.close()
            raise

    def add(self, game: Game) -> None:
        self._write(_without_slots(game))
        self.games.append(game)

    def _write(self, value: dict[str, Any]) -> None:
        self.file.add(json.dumps(value, separators=(",", ":")).encode())

    def close(self) -> None:
        self.file.close()


def _without_slots(game: Game) -> dict[str, Any]:
    return {each.name: getattr(game, each.name) for each in fields(game)}


def _expect_same(path: str, found: Match, match: Match) -> None:
    names = {"entries": "players", "players": "seats", "tiles": "tiles", "seed": "seed"}
    problems: list[Problem] = []
    for name, word in names.items():
        there, here = getattr(found, name), getattr(match, name)
        if there != here:
            said = [" ".join(each) if isinstance(each, tuple) else each for each in (here, there)]
            problems += InputError.one(
                f"{path}, {word}", _("expected {what}, found {found}", what=said[0], found=said[1])
            ).problems
    if problems:
        raise InputError(problems)


def read_games(path: str) -> tuple[Match, list[Game], int]:
    """The match, its games so far, and where the file's last whole line ends."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        message = _("expected a readable file of games, found: {reason}", reason=reason(error))
        raise InputError.one(path, message) from None
    return games_of(data, path)


def games_of(data: bytes, path: str) -> tuple[Match, list[Game], int]:
    """The same from the contents of such a file; `path` is what messages call it."""
    end = data.rfind(b"\n") + 1
    lines = data[:end].split(b"\n")[:-1]
    if not lines:
        raise InputError.one(path, _("expected a file of games, found no whole line"))
    match = _read_line(lines[0], f"{path}, line 1", _match_of)
    games: dict[tuple[int, int], Game] = {}
    for number, line in enumerate(lines[1:], 2):
        place = f"{path}, line {number}"
        game = _read_line(line, place, _game_of)
        at = game.round, game.rotation
        if at in games:
            raise InputError.one(
                place, _("expected each game once, found round {round}, game {game} again", round=at[0], game=at[1])
            )
        if not 0 <= game.rotation < match.players or game.seats != match.seats(game.rotation):
            raise InputError.one(place, _("expected the seats of this match, found {found}", found=game.seats))
        games[at] = game
    return match, list(games.values()), end


def _read_line(line: bytes, place: str, make: Callable[[dict[str, Any]], Any]) -> Any:
    try:
        value = json_value(line)
        if isinstance(value, dict):
            return make(value)
    except (NotJson, ValueError, KeyError, TypeError):
        pass
    if make is _match_of:
        raise InputError.one(place, _("expected the head of a file of games, found something else"))
    raise InputError.one(place, _("expected a game, found something else"))


def _match_of(value: dict[str, Any]) -> Match:
    if (value["format"], value["version"]) != (FORMAT, VERSION):
        raise ValueError
    match = Match(tuple(value["entries"]), value["players"], value["tiles"], value["seed"])
    texts = all(isinstance(each, str) for each in (*match.entries, match.tiles))
    if not texts or type(match.seed) is not int or match.players not in (2, 3, 4):
        raise ValueError
    return match


def _game_of(value: dict[str, Any]) -> Game:
    fields: dict[str, Any] = {key: tuple(each) if isinstance(each, list) else each for key, each in value.items()}
    game = Game(**fields)
    seats = len(game.seats)
    numbers = (game.round, game.rotation, *game.seats, *game.points, *game.shares)
    whole = all(type(each) is int for each in numbers)
    texts = all(isinstance(each, str) for each in (game.start, *game.moves, *game.draws))
    lengths = len(game.points) == len(game.shares) == seats and len(game.seconds) in (0, seats)
    if not (whole and texts and lengths and sum(game.shares) == WHOLE):
        raise ValueError
    return game
