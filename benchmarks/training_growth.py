"""What more games are worth to a network: fits one to parts of a training run's games, each twice as large as the one
before, and lets each play against playouts.

    python benchmarks/training_growth.py RUN --players 2 --plot growth.svg

RUN is a folder of `orbis train`. Every network is fitted from nothing, to the games of one generation, with as many
steps as the one with all games takes. Printed are the positions, the log-loss of the results of held-out games, and the
score against the same search with playouts on our tiles and on random ones. Then how many games one core plays a
second, measured with the network of all of them, and what two more doublings would take.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from contextlib import closing
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from time import process_time

from tqdm import tqdm

from orbis_search.base.processes import in_own_process
from orbis_search.measure.growth_plot import COLOURS, MARKS
from orbis_search.players import arena
from orbis_search.search.networks import write_networks
from orbis_search.training.fitting import FitJob, count_samples, expect_jax, fit
from orbis_search.training.run import FIRST_TRUST, TRUST
from orbis_search.training.selfplay import GamesJob, play_games

DOUBLINGS = 4
TILES = {"ours": "", "random": arena.EVERY_ROUND}
WORDS = {"ours": "our tiles", "random": "random tiles"}
TIMED_GAMES = 20


@dataclass(frozen=True, slots=True)
class Part:
    """A network fitted to a part of the games, and how it did."""

    games: int
    positions: int
    loss: float
    scores: dict[str, float]


def score(network: Path, players: int, tiles: str, games: int, sims: int) -> float:
    search = f"advisor:sims={sims},prove=false"
    entries = f"{search},network={network}", f"{search},evaluation=playout"
    match = arena.make_match(entries, players, tiles, seed=1)
    tally = arena.Tally(match)
    with closing(arena.play(match, -(-games // players))) as played:
        for game in tqdm(played, total=games, leave=False, disable=None):
            tally.add(game)
    return tally.result().standings[0].score


def draw(parts: list[Part], players: int, path: Path) -> None:
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "orbis", "font.family": "DejaVu Sans", "font.size": 10}):
        figure = Figure(figsize=(11, 4.6), layout="constrained")
        FigureCanvasAgg(figure)
        losses, strength = figure.subplots(1, 2)
        games = [part.games for part in parts]
        losses.plot(games, [part.loss for part in parts], color=COLOURS[2], marker=MARKS[2])
        losses.set(title="Log-loss of held-out games", ylabel="log-loss")
        for name, look in zip(TILES, (2, 3)):
            strengths = [arena.elo(part.scores[name], 1 / players) for part in parts]
            strength.plot(games, strengths, color=COLOURS[look], marker=MARKS[look], label=WORDS[name])
        strength.set(title="Strength", ylabel="Elo above playouts")
        strength.legend()
        for axes in (losses, strength):
            axes.set(xlabel="games", xscale="log")
            axes.set_xticks(games, [f"{number:,}" for number in games])
            axes.minorticks_off()
            axes.grid(alpha=0.3)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--generation", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=12, help="with all games; smaller parts get more")
    parser.add_argument("--games", type=int, default=200, help="of each match")
    parser.add_argument("--sims", type=int, default=1_000, help="a move in those")
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    players = options.players
    plan = json.loads((options.run / "run.json").read_text())
    folder = options.run / str(options.generation)
    held_out = tuple(sorted(map(str, folder.glob(f"{players}p-held-out-*.npz"))))
    files = sorted(set(map(str, folder.glob(f"{players}p-*.npz"))) - set(held_out))
    games_a_file = plan["games"] / len(files)
    by_network = options.generation > 1 or plan["start"] is not None  # who played these games
    expect_jax()
    parts = []
    print("   games  positions  log-loss    ours  random")
    with tempfile.TemporaryDirectory() as work:
        for doubling in range(DOUBLINGS, -1, -1):
            some = tuple(files[:: 1 << doubling])
            job = FitJob(
                players,
                some,
                held_out,
                options.epochs << doubling,
                TRUST if by_network else FIRST_TRUST,
                doubling,
                f"{work}/{doubling}.fit",
            )
            for epoch in tqdm(in_own_process(fit, job), total=job.epochs, leave=False, disable=None):
                last = epoch
            network = Path(work) / f"{doubling}.network"
            write_networks(str(network), "part", {players: last.network}, {})
            scores = {
                name: score(network, players, tiles, options.games, options.sims) for name, tiles in TILES.items()
            }
            part = Part(round(games_a_file * len(some)), count_samples(some), last.losses[-1], scores)
            parts.append(part)
            told = "".join(f"  {100 * each:4.1f} %" for each in scores.values())
            print(f"{part.games:>8,} {part.positions:>10,}    {part.loss:.4f}{told}", flush=True)
        start = process_time()
        play_games(GamesJob(0, 0, players, 0, TIMED_GAMES, plan["sims"], str(network), plan["tiles"]))
        rate = TIMED_GAMES / (process_time() - start)
    error = 100 * sqrt((players - 1) / players**2 / options.games)
    print(f"errors of the scores {error:.1f} points; fair {100 / players:.1f} %")
    more = 3 * parts[-1].games
    print(
        f"{rate:.1f} games a second and core at {plan['sims']} simulations: two more doublings are {more:,} games, ",
        end="",
    )
    print(f"{more / rate / 3600:.1f} hours of a core")
    if options.plot:
        draw(parts, players, options.plot)


if __name__ == "__main__":
    main()
