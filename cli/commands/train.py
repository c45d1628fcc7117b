"""`orbis train`: a network for the evaluation, from games of the search against itself."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import click

from ...base.language import N_, _
from ..options import Whole, cluster_option, json_option, seed_option, write, write_json
from ..workers import working

if TYPE_CHECKING:
    from tqdm import tqdm

    from ...training.run import Outcome, Step

INTERRUPTED = 130


@click.command()
@click.argument("folder", metavar="DIR")
@click.option(
    "--players",
    type=click.Choice(["2", "3", "4"]),
    multiple=True,
    metavar="N",
    help="Train for this many players; may be given again.  [default: 2, 3 and 4]",
)
@click.option(
    "--generations", type=Whole(1, 1000), metavar="N", default=4, show_default=True, help="Generations in all."
)
@click.option(
    "--games",
    type=Whole(1, 10**9),
    metavar="N",
    default=20_000,
    show_default=True,
    help="Games of each generation, for each number of players.",
)
@click.option(
    "--sims", type=Whole(2, 10**6), metavar="N", default=300, show_default=True, help="Simulations per move in them."
)
@click.option("--epochs", type=Whole(1, 1000), metavar="N", default=20, show_default=True, help="Epochs of each fit.")
@click.option(
    "--match-games",
    type=Whole(2, 10**6),
    metavar="N",
    default=200,
    show_default=True,
    help="Games against the best so far, on our tiles and again on random ones.",
)
@click.option(
    "--match-sims",
    type=Whole(2, 10**6),
    metavar="N",
    default=1000,
    show_default=True,
    help="Simulations per move in those.",
)
@click.option("--tiles", metavar="FILE", help="Play all games with this tile set: for one box alone.")
@click.option("--from", "start", metavar="FILE", help="Go on from the networks in FILE, not from nothing.")
@seed_option
@click.option(
    "--threads", type=Whole(1), metavar="N", help="How many games to play at a time.  [default: one per core]"
)
@cluster_option
@json_option
def train(
    folder: str,
    players: tuple[str, ...],
    generations: int,
    games: int,
    sims: int,
    epochs: int,
    match_games: int,
    match_sims: int,
    tiles: str | None,
    start: str | None,
    seed: int | None,
    threads: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Train a network for the evaluation, in DIR.

    A generation plays games against itself, fits a network to them, and keeps it
    if it beats the best so far; the first has to beat playouts. DIR/best.network
    has the best for each number of players: advisor:evaluation=learned,network=FILE
    plays with it. DIR/run.svg shows how they grew. Ctrl-C, or whatever else ends
    the command, loses nothing: the same command goes on from there, and
    --generations may ask for more.

    Needs numpy and JAX: pip install 'orbis-search[train]'.
    """
    from ...training.plot import draw_run
    from ...training.run import Plan
    from ...training.run import train as run
    from ...training.text import outcome_text

    plan = Plan(
        players=tuple(sorted(set(map(int, players)))) or (2, 3, 4),
        generations=generations,
        games=games,
        sims=sims,
        epochs=epochs,
        match_games=match_games,
        match_sims=match_sims,
        tiles=tiles,
        start=start,
        seed=0 if seed is None else seed,
    )
    found: list[Outcome] = []
    interrupted = False
    try:
        with (
            working(cluster, threads or os.cpu_count() or 1) as workers,
            closing(_Bars()) as bars,
            closing(run(folder, plan, workers, bars.show)) as outcomes,
        ):
            for outcome in outcomes:
                found.append(outcome)
                bars.close()
                if not as_json:
                    write(outcome_text(outcome))
                draw_run(folder, plan, found)
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        from ...training.json import run_to_json

        write_json(run_to_json(plan, found, interrupted))
    if interrupted:
        print(_("orbis: interrupted"), file=sys.stderr)
        raise click.exceptions.Exit(INTERRUPTED)


# For people; tqdm writes the numbers.
KINDS = {
    "games": N_("generation {number}, {players} players: games"),
    "fit": N_("generation {number}, {players} players: epochs"),
    "match": N_("generation {number}, {players} players: match"),
}


class _Bars:
    """A bar for each kind of work, one after the other."""

    def __init__(self) -> None:
        self.work: tuple[int, int, str] | None = None
        self.bar: tqdm[None] | None = None

    def show(self, step: Step) -> None:
        from tqdm import tqdm

        work = step.generation, step.players, step.kind
        if self.bar is None or work != self.work or step.done < self.bar.n:
            self.close()
            self.work = work
            name = _(KINDS[step.kind], number=step.generation, players=step.players)
            self.bar = tqdm(total=step.total, initial=step.done, desc=name, disable=None, file=sys.stderr, leave=False)
        self.bar.update(step.done - self.bar.n)
        if step.epoch is not None and not self.bar.disable:
            self.bar.set_postfix_str(_("log-loss {loss:.4f}", loss=step.epoch.losses[-1]))

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
        self.bar = None
