"""Is a tile set balanced? Plays it against itself with a fair player and reports what became of each tile.

    python benchmarks/balance.py --games 150 --players 2 --tiles reconstruction --seed 1000

The player is flat Monte Carlo: every way to lay a tile or take a god is followed by playouts of the core's
sensible policy, all of them through the same shuffles and the same luck, and the worse half is dropped again
and again until one is left. It sees no further than that policy, but it beats it by far, which a short
match shows in passing. Balance says something about play, so a stronger player may find other figures.

Same options, same figures, whatever the number of processes. Ctrl-C reports the games played so far.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from math import ceil, log2, sqrt
from random import Random
from statistics import mean, stdev
from typing import Any, NamedTuple

import click
from tqdm import tqdm

from orbis_search._core.orbis.core import SEARCH, PackedState
from orbis_search.base.errors import InputError
from orbis_search.cli.options import (
    json_option,
    load_tiles,
    players_option,
    seed_option,
    tiles_option,
    write,
    write_json,
)
from orbis_search.core.fast_rules import score
from orbis_search.core.packing import PackedMove, Packing, unpack_move
from orbis_search.game.position import Move, Position
from orbis_search.game.rules import Score, is_validated, new_game
from orbis_search.game.tiles import DEFAULT_TILE_SET, TileSet
from orbis_search.game.vocabulary import Effect, Face
from orbis_search.tileset.descriptions import describe

SHARES = 12  # a whole victory, as the core counts
MARGIN_SCALE = 40  # a margin of half as many points is as good as it gets
MOST, LEAST = 0.95, 0.05  # a tile outside is always or never worth taking
OUTSIDE_TILES = ("wilderness", "god", "temple_token")
BAD_INPUT, INTERRUPTED = 2, 130


# ---- the player --------------------------------------------------------------------------------------


def candidates(state: PackedState, rng: Random) -> list[PackedMove]:
    """One move for each tile or god, slot, face and validity: the payment that leaves most in hand."""
    best: dict[tuple[object, ...], tuple[float, PackedMove]] = {}
    for packed in state.moves(SEARCH):
        move = unpack_move(packed)
        group = (move.cell, move.god, move.slot, move.wild, move.validated)
        worth = in_hand(move) + rng.random() / 100  # ties, such as a volcano's ashes, at random
        if group not in best or worth > best[group][0]:
            best[group] = worth, packed
    return [move for _, move in best.values()]


def in_hand(move: Move) -> float:
    """More worshipers are better, and of many colours rather than of one."""
    return sum(sqrt(number) for number in move.realm)


def choose(state: PackedState, playouts: int, rng: Random) -> PackedMove:
    """Sequential halving: about `playouts` in all, spread evenly over the rounds."""
    who = state.to_move
    moves = candidates(state, rng)
    after = []
    for move in moves:
        twin = state.copy()
        twin.apply(move)
        after.append(twin)
    sums = [0.0] * len(moves)
    alive = list(range(len(moves)))
    rounds = ceil(log2(len(moves)))
    for _ in range(rounds):
        for _ in range(max(1, playouts // rounds // len(alive))):
            # Moves are compared, so luck must not tell them apart: one seed, one refill for all.
            seed, tile = rng.getrandbits(64), rng.getrandbits(32)
            for index in alive:
                sums[index] += sample(after[index], who, seed, tile)
        alive.sort(key=lambda index: -sums[index])
        del alive[(len(alive) + 1) // 2 :]
    return moves[alive[0]]


def sample(state: PackedState, who: int, seed: int, tile: int) -> float:
    """Half the victory, half the margin to the best of the others, of one playout; 0 to 1."""
    if state.hole is not None:
        state = state.copy()
        draws = state.draws()
        state.refill(draws[tile % len(draws)])
    shares, points, _ = state.playouts(1, seed, "sensible")
    margin = points[who] - max(p for index, p in enumerate(points) if index != who)
    return shares[who] / SHARES / 2 + min(max(0.5 + margin / MARGIN_SCALE, 0.0), 1.0) / 2


# ---- a game ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Fate:
    """What became of one tile: in one game, or summed up over many."""

    to_be_had: int = 0  # lay in the centre when somebody took a region
    face_up: int = 0
    counting: int = 0  # face up, and neither cancelled nor a forest without its neighbours
    wild: int = 0
    left: int = 0  # still in the centre at the end, though it was to be had

    def add(self, other: Fate) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Job(NamedTuple):
    tile_set: TileSet
    players: int
    seed: int
    number: int
    playouts: int
    match: bool  # against the sensible policy in all seats but one, not against itself


@dataclass(slots=True)
class Game:
    match: bool
    seats: tuple[int, ...]  # whose play is meant
    scores: tuple[Score, ...]
    shares: tuple[float, ...]  # of the victory
    gods: list[tuple[str, int]]  # taken, with their points
    fates: dict[str, Fate]  # by tile id


def play(job: Job) -> Game:
    rng = Random(f"balance, {'match' if job.match else 'game'} {job.number} of seed {job.seed}")
    packing = Packing(new_game(job.tile_set, job.players, rng))
    state = packing.state
    seats = (job.number % job.players,) if job.match else tuple(range(job.players))
    seen: set[int] = set()
    while (who := state.to_move) >= 0:
        centre = state.fields()[0]
        if who in seats:
            move = choose(state, job.playouts, rng)
        else:
            move = state.choose("sensible", rng.getrandbits(64))
        state.apply(move)
        if state.hole is not None:
            seen.update(centre)
            state.refill(rng.choice(state.draws()))
    position = packing.position(state)
    scores = score(position)
    gods = [(player.god.word, points.god) for player, points in zip(position.players, scores) if player.god is not None]
    shares = tuple(share / SHARES for share in state.shares())
    fates = fates_in(position, {packing.tiles[number].id for number in seen})
    return Game(job.match, seats, scores, shares, gods, fates)


def fates_in(position: Position, to_be_had: set[str]) -> dict[str, Fate]:
    fates = {tile_id: Fate(to_be_had=1) for tile_id in to_be_had}
    for player in position.players:
        for slot, placed in player.placed():
            if placed.tile is not None:
                fate = fates[placed.tile.id]
                fate.wild += placed.face is Face.WILD
                fate.face_up += placed.face is not Face.WILD
                fate.counting += is_validated(player, slot, placed)
    for cell in position.centre:
        if cell.tile is not None and cell.tile.id in fates:
            fates[cell.tile.id].left += 1
    return fates


def play_all(jobs: list[Job], processes: int) -> Iterator[Game]:
    """The games in their order, so that the number of processes changes nothing."""
    if processes == 1:
        yield from map(play, jobs)
        return
    from multiprocessing import get_context

    # Ctrl-C is this process's to answer: the workers are born deaf to it, and end with the block.
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    pool = get_context("spawn").Pool(processes)
    signal.signal(signal.SIGINT, heard)
    with pool:
        yield from pool.imap(play, jobs)


# ---- the figures -------------------------------------------------------------------------------------


def rate(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def figures(tile_set: TileSet, players: int, games: list[Game], matches: list[Game]) -> dict[str, Any]:
    """Everything that is reported; what nothing was seen of is None."""
    report: dict[str, Any] = {"match": None, "points": None, "sources": None, "gods": None, "fates": None}
    if matches:
        margins = [
            max(one.scores[seat].total for seat in one.seats)
            - max(other.total for seat, other in enumerate(one.scores) if seat not in one.seats)
            for one in matches
        ]
        report["match"] = {
            "games": len(matches),
            "victories": mean(one.shares[one.seats[0]] for one in matches),
            "by_chance": 1 / players,
            "margin": mean(margins),
        }
    if not games:
        return report
    totals = [one.total for game in games for one in game.scores]
    report["points"] = {
        "mean": mean(totals),
        "deviation": stdev(totals),
        "least": min(totals),
        "most": max(totals),
        "highest": mean(max(one.total for one in game.scores) for game in games),
        "lowest": mean(min(one.total for one in game.scores) for game in games),
        "victories_by_seat": [mean(game.shares[seat] for game in games) for seat in range(players)],
    }
    fates = {tile.id: Fate() for tile in tile_set.in_use(players)}
    gods: dict[str, list[int]] = {}
    for game in games:
        for tile_id, fate in game.fates.items():
            fates[tile_id].add(fate)
        for god, points in game.gods:
            gods.setdefault(god, []).append(points)
    report["sources"] = {
        name: mean(getattr(one, name) for game in games for one in game.scores)
        for name in [effect.name.lower() for effect in Effect] + list(OUTSIDE_TILES)
    }
    report["gods"] = {
        god: {"taken": len(points) / len(games), "points": mean(points)} for god, points in sorted(gods.items())
    }
    report["fates"] = [
        {
            "id": tile.id,
            "what": describe(tile),
            "to_be_had": rate(fate.to_be_had, len(games)),
            "face_up": rate(fate.face_up, fate.to_be_had),
            "counting": rate(fate.counting, fate.face_up),
            "wild": rate(fate.wild, fate.to_be_had),
            "left": rate(fate.left, fate.to_be_had),
        }
        for tile, fate in ((tile_set.by_id(tile_id), fate) for tile_id, fate in fates.items())
    ]
    return report


def percent(part: float | None) -> str:
    return "-" if part is None else f"{100 * part:.0f}%"


def extreme(tile: dict[str, Any]) -> bool:
    return tile["face_up"] is not None and not LEAST <= tile["face_up"] <= MOST


def text_of(report: dict[str, Any]) -> Iterator[str]:
    head = f"{report['tiles']}, {report['players']} players, seed {report['seed']}"
    yield f"{head}, {report['playouts']} playouts a move: {report['games']} games"
    match = report["match"]
    if match:
        yield (
            f"Match with the sensible policy, {match['games']} games: {percent(match['victories'])} "
            f"victories (by chance {percent(match['by_chance'])}), "
            f"{match['margin']:+.1f} points to the best of the others"
        )
    points = report["points"]
    if not points:
        return
    yield ""
    yield (
        f"Points of a player: {points['mean']:.1f} (deviation {points['deviation']:.1f}, "
        f"{points['least']} to {points['most']}); highest of a game {points['highest']:.1f}, "
        f"lowest {points['lowest']:.1f}"
    )
    yield "Victories by seat: " + " ".join(percent(share) for share in points["victories_by_seat"])
    yield "By source: " + ", ".join(
        f"{name.replace('_', ' ')} {value:.1f}" for name, value in report["sources"].items() if value
    )
    yield "Gods, taken per game and points: " + ", ".join(
        f"{god} {one['taken']:.2f} ({one['points']:.1f})" for god, one in report["gods"].items()
    )
    yield ""
    width = max(len(tile["what"]) for tile in report["fates"])
    yield f"{'':<{width + 7}}face up  counting   wild   left"
    for tile in report["fates"]:
        yield (
            f"{tile['id']:<6} {tile['what']:<{width}}{percent(tile['face_up']):>7}"
            f"{percent(tile['counting']):>10}{percent(tile['wild']):>7}{percent(tile['left']):>7}"
            f"{'  <' if extreme(tile) else ''}"
        )
    yield ""
    outside = ", ".join(tile["id"] for tile in report["fates"] if extreme(tile)) or "none"
    yield f"Face up in fewer than {percent(LEAST)} or more than {percent(MOST)} of the games: {outside}"


# ---- the command -------------------------------------------------------------------------------------


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--games", type=click.IntRange(0), default=40, show_default=True, help="Games against itself.")
@click.option(
    "--match",
    "matches",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="Games against the sensible policy.",
)
@players_option
@tiles_option("Tile set to judge")
@seed_option
@click.option("--playouts", type=click.IntRange(1), default=2000, show_default=True, help="For each move.")
@click.option("--threads", type=click.IntRange(1), help="Processes to use.  [default: one a core]")
@json_option
def balance(
    games: int,
    matches: int,
    players: int,
    tiles: str | None,
    seed: int | None,
    playouts: int,
    threads: int | None,
    as_json: bool,
) -> int:
    """Play a tile set against itself and report what became of each tile.

    Of the games in which a tile was to be had: how often it was laid face up
    (and how often it then counted at the end), made wilderness, or left.
    """
    seed = 0 if seed is None else seed
    tile_set = load_tiles(tiles or DEFAULT_TILE_SET)
    jobs = [Job(tile_set, players, seed, number, playouts, True) for number in range(matches)]
    jobs += [Job(tile_set, players, seed, number, playouts, False) for number in range(games)]
    played: list[Game] = []
    code = 0
    progress = tqdm(total=len(jobs), unit=" games", disable=None, file=sys.stderr)
    with progress, closing(play_all(jobs, min(threads or os.cpu_count() or 1, len(jobs) or 1))) as playing:
        try:
            for game in playing:
                played.append(game)
                progress.update()
        except KeyboardInterrupt:
            code = INTERRUPTED
    own = [game for game in played if not game.match]
    report = {
        "format": "orbis-balance",
        "version": 1,
        "tiles": tile_set.name,
        "players": players,
        "seed": seed,
        "playouts": playouts,
        "games": len(own),
        "complete": code == 0,
        **figures(tile_set, players, own, [game for game in played if game.match]),
    }
    if as_json:
        write_json(report)
    else:
        if code:
            write("Interrupted; so far:\n")
        write("\n".join(text_of(report)) + "\n")
    return code


def main() -> int:
    try:
        return balance.main(standalone_mode=False) or 0
    except click.ClickException as error:
        error.show()
    except InputError as error:
        print(error, file=sys.stderr)
    except click.Abort:
        return INTERRUPTED
    return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
