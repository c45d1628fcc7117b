"""Does each level beat the one below it as it should? Plays the ladder and prints it with Elo.

    python benchmarks/levels.py --games 400 --threads 1
    python benchmarks/levels.py --games 200 --tiles 'random:*'
    python benchmarks/levels.py --games 102 --players 3

Each line is the match that `orbis arena LEVEL BELOW` plays with the same options. Elo adds up from step to step,
the first level being 0; its error too, so it says more about neighbours than about the two ends. With more than two
players one of the upper level sits among those of the lower.
"""

from __future__ import annotations

import math
import os
import sys
from contextlib import closing

import click
from tqdm import tqdm

from orbis_search.base.errors import InputError
from orbis_search.cli.options import players_option, seed_option, write
from orbis_search.players.arena import Standing, Tally, make_match, play
from orbis_search.players.levels import LEVELS, NAMES

BAD_INPUT, INTERRUPTED = 2, 130


def met(upper: str, lower: str, players: int, tiles: str, games: int, seed: int, threads: int) -> tuple[Standing, int]:
    """How the upper level did, and in how many games."""
    match = make_match((upper, lower), players, tiles, seed)
    tally = Tally(match)
    rounds = -(-games // players)
    progress = tqdm(total=rounds * players, desc=f"{upper} {lower}", disable=None, file=sys.stderr, leave=False)
    with progress, closing(play(match, rounds, threads)) as playing:
        for game in playing:
            tally.add(game)
            progress.update()
    result = tally.result()
    return result.standings[0], result.games


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--games", type=click.IntRange(1), default=200, show_default=True, help="Games of each match.")
@click.option(
    "--from",
    "first",
    type=click.Choice(NAMES),
    default=NAMES[1],
    show_default=True,
    help="The first level that meets the one below it.",
)
@click.option("--to", "last", type=click.Choice(NAMES), default=NAMES[-1], show_default=True, help="The last one.")
@click.option("--tiles", metavar="FILE", default="", help="Tile set, or random:* for another one each round.")
@click.option("--threads", type=click.IntRange(1), help="Games at a time.  [default: one a core]")
@players_option
@seed_option
def levels(games: int, first: str, last: str, tiles: str, threads: int | None, players: int, seed: int | None) -> None:
    """Let each level play the one below it."""
    height = 0.0
    write(f"{'':3}{'level':10}{'games':>6}{'score':>9}{'95 %':>16}{'Elo':>7}{'points':>8}{'s/move':>9}\n")
    for number in range(max(1, NAMES.index(first)), NAMES.index(last) + 1):
        standing, played = met(
            LEVELS[number].name,
            LEVELS[number - 1].name,
            players,
            tiles,
            games,
            seed or 0,
            threads or os.cpu_count() or 1,
        )
        height += standing.elo if math.isfinite(standing.elo) else math.nan
        low, high = standing.score_95
        write(
            f"{number + 1:2} {standing.player:10}{played:6}{100 * standing.score:7.1f} %"
            f"{100 * low:9.1f} .. {100 * high:.1f}{height:+7.0f}{standing.points:8.1f}{standing.seconds:9.4f}\n"
        )


def main() -> int:
    try:
        levels.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return BAD_INPUT
    except InputError as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
