"""Matches between players of Master of Orion.

The games of a round share card set, races, advisors, the first player and the order of the deck (`matches` says why).
That order is known here and nowhere else: each player sees the position as its seat does.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from functools import lru_cache
from random import Random
from time import perf_counter

from ...base.dice import Dice
from ...base.errors import InputError
from ...base.jobs import Carrying, Workers
from ...base.language import _
from ...matches import data, files
from ...matches.data import EVERY_ROUND, Game, checked_match, expect_result, shares_of
from ...matches.playing import Job, play_games
from ..cards.library import card_set_file, load_card_set
from ..game.cards import DEFAULT_CARD_SET, CardSet
from ..game.counting import standings, winners
from ..game.knowledge import seen_by
from ..game.position import Position
from ..game.rules import draw, new_game, play
from ..game.vocabulary import HUMANS
from ..notation import read_position
from ..notation.moves import format_move, parse_move
from ..notation.oneline import write_oneline
from .by_name import Player, parse_player


class Match(data.Match):
    __slots__ = ()
    FORMAT = "orbis-orion-arena"
    BOX = "cards"

    @property
    def threads(self) -> int:
        return max(parse_player(text).threads for text in self.entries)

    def card_spec(self, number: int) -> str:
        if self.box != EVERY_ROUND:
            return self.box
        return f"random:{Random(f'cards {self.seed} {number}').getrandbits(32)}"

    def start(self, number: int) -> Position:
        """How round `number` begins. Races are drawn, as seats are: Humans as often as any other."""
        dice = Dice(Random(f"round {self.seed} {number}").getrandbits(64))
        cards = _card_set(self.card_spec(number))
        return new_game(cards, drawn_races(cards, self.players, dice), dice)

    def drawn(self, position: Position, number: int, draws: int) -> str:
        """The card that comes as draw number `draws` of a game of this round."""
        return drawn_card(position, f"{self.seed} {number}", draws)


def drawn_card(position: Position, seed: object, draws: int) -> str:
    """The same seed, deck and number of draws so far: the same card."""
    return Dice(Random(f"draw {seed} {draws}").getrandbits(64)).one_of(position.deck)


def drawn_races(cards: CardSet, players: int, dice: Dice) -> list[str]:
    """For each seat one of the races; only Humans may sit twice."""
    aliens = dice.shuffled([race.id for race in cards.races if race.id != HUMANS])
    return [HUMANS if not aliens or dice.chance(1 / len(cards.races)) else aliens.pop() for _ in range(players)]


def make_match(entries: Sequence[str], players: int | None = None, cards: str = "", seed: int = 0) -> Match:
    """A match with everything checked; InputError names everything wrong."""
    return checked_match(Match, entries, players, cards or DEFAULT_CARD_SET, seed, parse_player, _card_set)


@lru_cache(maxsize=8)
def _card_set(spec: str) -> CardSet:
    return load_card_set(spec)


# ---- one game --------------------------------------------------------------------------------------


def play_game(match: Match, number: int, rotation: int, players: Sequence[Player]) -> Game:
    """Plays one game. `players`: one for each entry."""
    start = position = match.start(number)
    seats = match.seats(rotation)
    moves: list[str] = []
    draws: list[str] = []
    seconds = [0.0] * match.players
    while not position.is_over:
        if position.draw_due:
            draws.append(match.drawn(position, number, len(draws)))
            position = draw(position, draws[-1])
            continue
        who = position.to_move or 0
        # A seed belongs to the decision of a round, whoever makes it: identical players play alike.
        seed = Random(f"move {match.seed} {number} {len(moves)}").getrandbits(63)
        before = perf_counter()
        move = players[seats[who]].choose(seen_by(position, who), seed)
        seconds[who] += perf_counter() - before
        moves.append(format_move(position, move))
        position = play(position, move)
    return Game(
        number,
        rotation,
        seats,
        write_oneline(start),
        tuple(moves),
        tuple(draws),
        tuple(points.total for points in standings(position)),
        shares_of(winners(position), match.players),
        tuple(round(each, 4) for each in seconds),
    )


def replay(game: Game, place: str = "game") -> Position:
    """The final position by the plain rules; InputError if a move is illegal or the result differs."""
    position = read_position(game.start, place)
    draws = iter(game.draws)
    for number, text in enumerate((*game.moves, ""), 1):
        while position.draw_due:
            card = next(draws, "")
            if card not in position.deck:
                message = _("expected a card of the deck to be drawn, found {found}", found=card)
                raise InputError.one(f"{place}, turn {number}", message)
            position = draw(position, card)
        if number > len(game.moves):
            break
        try:
            position = play(position, parse_move(text, position))
        except InputError as error:
            raise InputError.one(f"{place}, turn {number}", error.problems[0].message) from None
    points = tuple(scored.total for scored in standings(position))
    expect_result(game, place, position.is_over, points, winners(position))
    return position


# ---- many games ------------------------------------------------------------------------------------


def play_match(
    match: Match, rounds: int, workers: Workers | int = 1, done: Iterable[Game] = ()
) -> Generator[Game, None, None]:
    """Plays every game of this many rounds that is not among those `done`; yields each when it is over."""
    read = {} if match.box == EVERY_ROUND else card_set_file(match.box)
    yield from play_games(match, Carrying(_Games(match), read), rounds, workers, done)


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
