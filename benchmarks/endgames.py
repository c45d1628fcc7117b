"""Plays the games from which `orbis bench endgame` takes its positions, and writes these anew.

    python benchmarks/endgames.py

The advisor plays itself, so many simulations a move, both seats alike, on our tile set; games are numbered
by seed and all of them count, whatever their endings look like. From each game comes one position for every
number of turns left. With one thread and simulations counted, the same command always writes the same
files; `--check` plays the games and only says whether they are the same.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click
from tqdm import tqdm

from orbis_search.core import fast_rules
from orbis_search.game.tiles import DEFAULT_TILE_SET
from orbis_search.game.vocabulary import TURNS
from orbis_search.notation import parse_move, read_position, write_oneline
from orbis_search.players.arena import Game, make_match, play_game
from orbis_search.players.by_name import parse_player

FOLDER = Path(__file__).parent.parent / "orbis_search" / "data" / "endgames"
PLAYERS = 2
TURNS_LEFT = range(4, 9)


def positions(game: Game) -> dict[int, str]:
    """The game's positions by turns left, in one line each."""
    where = read_position(game.start)
    draws = iter(game.draws)
    found = {}
    for turn, text in enumerate(game.moves):
        left = TURNS * PLAYERS - turn
        if left in TURNS_LEFT:
            found[left] = write_oneline(where)
        where = fast_rules.apply(where, parse_move(text, where))
        if where.hole is not None:
            drawn = next(draws)
            where = fast_rules.refill(where, next(tile for tile in fast_rules.draws(where) if tile.id == drawn))
    return found


def text_of(left: int, lines: list[str], sims: int, seed: int) -> str:
    head = (
        f"# {left} turns left: one position of each of {len(lines)} games in the order of their seeds, the advisor\n"
        f"# against itself. Made by: python benchmarks/endgames.py --games {len(lines)} --sims {sims} --seed {seed}\n"
    )
    return head + "".join(line + "\n" for line in lines)


@click.command()
@click.option("--games", type=click.IntRange(1), default=50, show_default=True)
@click.option("--sims", type=click.IntRange(1), default=2000, show_default=True, help="Simulations a move.")
@click.option("--seed", type=click.IntRange(0), default=4, show_default=True)
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if a file would change.")
def main(games: int, sims: int, seed: int, check: bool) -> None:
    """Play the games and write one file for each number of turns left."""
    spec = f"advisor:sims={sims},threads=1"
    match = make_match([spec] * PLAYERS, PLAYERS, DEFAULT_TILE_SET, seed)
    players = [parse_player(spec).player() for _ in range(PLAYERS)]
    lines: dict[int, list[str]] = {left: [] for left in TURNS_LEFT}
    for number in tqdm(range(games), unit="game", disable=None):
        for left, line in positions(play_game(match, number, 0, players)).items():
            lines[left].append(line)
    changed = []
    for left, found in lines.items():
        path = FOLDER / f"turns-{left}.txt"
        text = text_of(left, found, sims, seed)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            changed.append(path.name)
            if not check:
                path.write_text(text, encoding="utf-8", newline="\n")
    print(f"{'different' if check else 'written'}: {', '.join(changed) or 'none'}")
    sys.exit(1 if check and changed else 0)


if __name__ == "__main__":
    main()
