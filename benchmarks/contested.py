"""Makes the endings with exact values that `orbis bench regret` measures the advisor against.

    python benchmarks/contested.py fit
    python benchmarks/contested.py report --players 2 --turns 6

The advisor plays itself, 300 simulations a move, and of each game one position is looked at, so many turns before the
end. Half of the games are on our tile set, the others each on a random one of its own. The seeds of the sets `fit`
and `report`, and of every number of players and turns, are different ones, so no game is in two files.

A position is taken if

- the solver lists no more than 2,500 moves and finds the exact value of each within 40 million nodes in all on one
thread,
  about half a minute; with six turns left one of them has to be proved best within 2 million nodes, and with three and
  four players within 1 million, for what takes longer hardly ever comes to an end in time; and a search may take
  five minutes at most, with three and four players half a minute;
- the best value, the expected part of the victory, lies between 1/50 and 49/50;
- some move is worth at least 1/50 less than the best.

The rest are passed over, and the first line of each file counts them: `decided`, `equal`, `hard`, `many` moves. With
six turns left most of the open ones are hard, so that what is kept has fewer moves than the usual ending.

With two players the solver lists the moves that a search needs; what is left out is never better, and the advisor does
not look at it either. With three and four players the file has every legal move. The value of any other legal move is
found by solving the position with that move alone: `Ending.value_of`.

Stopped at any moment the same command goes on where it was. Files are written whole or not at all. The games depend on
the search as it was when they were played: a later build plays others, and only the files say what is in the sets.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from orbis_search._core.orbis.core import ALL, SEARCH
from orbis_search.base.errors import InputError
from orbis_search.base.held_files import HeldFile
from orbis_search.core import fast_rules
from orbis_search.core.packing import Packing, pack_move
from orbis_search.game.position import Position
from orbis_search.game.tiles import DEFAULT_TILE_SET
from orbis_search.game.vocabulary import TURNS
from orbis_search.measure import contested_endings
from orbis_search.measure.contested_endings import APART, LEAST, MOST, Ending, EndingSet
from orbis_search.notation import parse_move, read_position, write_oneline
from orbis_search.players.arena import EVERY_ROUND, Match, make_match, play_game
from orbis_search.players.by_name import parse_player
from orbis_search.solver.data import Solution
from orbis_search.solver.endgame import solve

FOLDER = Path(__file__).parent.parent / "orbis_search" / "data" / "contested"
SIMS = 300
NODES = 40_000_000
SECONDS = {2: 300.0, 3: 30.0, 4: 30.0}  # by players: where a node has a million moves, few of them take long
FIRST_NODES = {(2, 6): 2_000_000, (3, 3): 1_000_000, (4, 3): 1_000_000}  # to prove one move best
MOVES = 2500
SEEDS = {"fit": 71, "report": 72}
SIZES = {("fit", 2): 40, ("report", 2): 100, ("fit", 3): 20, ("fit", 4): 20, ("report", 3): 50, ("report", 4): 50}
ORDER = ((2, 5), (2, 4), (2, 6), (3, 3), (4, 3))  # players and turns left, those wanted most first
HALVES = (DEFAULT_TILE_SET, EVERY_ROUND)


@dataclass(slots=True)
class Half:
    """The games on one kind of tile set."""

    match: Match
    games: int = 0
    passed: Counter[str] = field(default_factory=Counter)
    endings: list[Ending] = field(default_factory=list)


def match_of(name: str, players: int, left: int, tiles: str) -> Match:
    seed = 10_000 * SEEDS[name] + 100 * players + left
    return make_match([f"advisor:sims={SIMS},threads=1"] * players, players, tiles, seed)


def position_of(match: Match, number: int, left: int) -> Position:
    """The position of a game with so many turns left."""
    game = play_game(match, number, 0, [parse_player(entry).player() for entry in match.entries])
    where = read_position(game.start)
    draws = iter(game.draws)
    for text in game.moves[: TURNS * match.players - left]:
        where = fast_rules.apply(where, parse_move(text, where))
        if where.hole is not None:
            drawn = next(draws)
            where = fast_rules.refill(where, next(tile for tile in fast_rules.draws(where) if tile.id == drawn))
    return where


def first_nodes(players: int, left: int) -> int:
    return FIRST_NODES.get((players, left), NODES)


def solved(position: Position, **options: Any) -> Solution:
    solution = solve(position, seconds=SECONDS[len(position.players)], line=False, **options)
    if solution.stopped == "interrupted":  # Ctrl-C, which is an answer to the solver
        raise KeyboardInterrupt
    return solution


def ending_of(position: Position, left: int, tiles: str, number: int) -> Ending | str:
    """With the value of every move, or why it is passed over."""
    state = Packing(position).state
    players = len(position.players)
    two = players == 2
    if state.count_moves(SEARCH if two else ALL) > MOVES:
        return "many"
    best = solved(position, goal="best", nodes=first_nodes(players, left)).best
    if best is None:
        return "hard"
    if not LEAST <= best.low <= MOST:
        return "decided"
    solution = solved(position, every=not two, nodes=NODES)
    if not solution.finished:
        return "hard"
    values = {pack_move(position, each.move): each.low for each in solution.moves}
    if min(values.values()) > max(values.values()) - APART:
        return "equal"
    return Ending(write_oneline(position).strip(), tiles, number, values)


def limits(players: int, left: int) -> dict[str, Any]:
    return {"sims": SIMS, "nodes": NODES, "first_nodes": first_nodes(players, left), "most_moves": MOVES}


def whole_set(name: str, players: int, left: int, halves: list[Half]) -> EndingSet:
    ours, others = halves
    made = limits(players, left) | {
        "games": [half.games for half in halves],
        "passed": [dict(sorted(half.passed.items())) for half in halves],
    }
    return EndingSet(name, players, left, made, contested_endings.interleave(ours.endings, others.endings))


def begun(name: str, players: int, left: int, path: Path) -> list[Half]:
    """What there is already."""
    halves = [Half(match_of(name, players, left, tiles)) for tiles in HALVES]
    if not path.exists():
        return halves
    found = contested_endings.read_set(str(path))
    if any(found.made.get(name) != limit for name, limit in limits(players, left).items()):
        sys.exit(f"{path.name} was made with other limits; remove it to begin anew")
    for half, games, passed in zip(halves, found.made["games"], found.made["passed"]):
        half.games, half.passed = games, Counter(passed)
    for ending in found.endings:
        halves[0 if ending.ours else 1].endings.append(ending)
    return halves


def make(name: str, players: int, left: int, size: int, folder: Path) -> None:
    path = folder / contested_endings.file_name(name, players, left)
    held = HeldFile(str(path))
    halves = begun(name, players, left, path)
    done = sum(len(half.endings) for half in halves)
    with tqdm(total=size, initial=done, desc=path.name, disable=None, file=sys.stderr) as progress:
        while done < size:
            # The half with fewer endings is next, so that a set that is cut short has both alike.
            half = min(halves, key=lambda each: len(each.endings))
            number = half.games
            position = position_of(half.match, number, left)
            found = ending_of(position, left, half.match.tile_spec(number), number)
            half.games += 1
            if isinstance(found, str):
                half.passed[found] += 1
            else:
                half.endings.append(found)
                done += 1
                progress.update()
            held.keep(contested_endings.set_bytes(whole_set(name, players, left, halves)))
    held.close()
    made = whole_set(name, players, left, halves).made
    print(f"{path.name}: {done} endings of {made['games']} games, passed over {made['passed']}", flush=True)


@click.command()
@click.argument("name", type=click.Choice(contested_endings.SETS))
@click.option("--players", type=click.IntRange(2, 4), help="Only with so many.")
@click.option("--turns", type=click.IntRange(1), help="Only with so many turns left.")
@click.option("--positions", type=click.IntRange(1), help="So many of each.  [default: the size of the set]")
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), default=FOLDER, help="Where the files are.")
def main(name: str, players: int | None, turns: int | None, positions: int | None, folder: Path) -> None:
    """Make the endings of a set, or go on with it."""
    os.makedirs(folder, exist_ok=True)
    for number, left in ORDER:
        if players in (None, number) and turns in (None, left):
            try:
                make(name, number, left, positions or SIZES[name, number], folder)
            except InputError as error:
                sys.exit(str(error))


if __name__ == "__main__":
    main()
