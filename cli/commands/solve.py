"""`orbis solve`: exact values of an ending's moves, or what is proved of them."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from ...base.errors import InputError
from ...base.language import N_, _
from ..options import (
    Whole,
    cluster_option,
    duration_type,
    example_hint,
    json_option,
    load_position,
    optional_position_argument,
    position_tiles_option,
    size_type,
    threads_type,
    turn_option,
    write,
    write_json,
)
from ..workers import working

if TYPE_CHECKING:
    from ...base.jobs import Workers
    from ...solver.data import Progress

DEFAULT_SECONDS = 60.0
EXAMPLE = "ending"
INTERRUPTED = 130


@click.command()
@optional_position_argument
@click.option(
    "--objective",
    type=click.Choice(["win", "margin"]),
    default="win",
    show_default=True,
    help="What to maximise: share of the victory, or points ahead of the best opponent.",
)
@click.option("--best", is_flag=True, help="Stop as soon as one move is proved best.")
@click.option("--all", "every", is_flag=True, help="All legal moves, not only those that can be best.")
@click.option("--move", "chosen", metavar="MOVE", help="Also the value of MOVE after each possible draw.")
@click.option(
    "--time",
    "seconds",
    type=duration_type,
    metavar="TIME",
    help="Stop after this long, such as 5s or 2m.  [default: 60s, without --nodes]",
)
@click.option("--nodes", type=Whole(1), metavar="N", help="Stop after about this many positions.")
@click.option(
    "--memory", type=size_type, default="256M", show_default=True, metavar="SIZE", help="For positions seen before."
)
@click.option(
    "--threads",
    type=threads_type,
    metavar="N",
    help="Threads; with --batch, positions at a time.  [default: one per core]",
)
@click.option(
    "--top", type=Whole(0), metavar="N", help="Moves to list, 0 for all.  [default: 10; with --json and --batch: all]"
)
@click.option("--ways", is_flag=True, help="List every way to pay and to feed a volcano separately.")
@position_tiles_option
@turn_option
@json_option
@click.option("--batch", metavar="DIR", help="Solve every position in DIR instead, one line of JSON each.")
@click.option(
    "-o", "--output", metavar="FILE", help="With --batch: append the lines to FILE, and skip those already in it."
)
@cluster_option
def solve(
    position: str | None,
    objective: str,
    best: bool,
    every: bool,
    chosen: str | None,
    seconds: float | None,
    nodes: int | None,
    memory: int,
    threads: int | None,
    top: int | None,
    ways: bool,
    tiles: str | None,
    turn: int | None,
    as_json: bool,
    batch: str | None,
    output: str | None,
    cluster: str | None,
) -> None:
    """Prove what the moves of POSITION are worth, by best play to the end.

    Values are exact, over all tiles that may be drawn. First one move is proved
    best; then the others get their exact values, until all have one or time runs
    out; --best stops before that. Whatever is not exact by the end, or at Ctrl-C,
    has proved bounds: at least x, at most y. Six turns left take some seconds; with
    many more, bounds are all there is: ask orbis advise.

    With three or four players, all maximise their own value; among moves equally
    good for them, they choose the one that gives least to the next player in turn
    order, then to the one after.

    --batch takes .toml, .json and .orbis files (of a game the latest position), and
    .txt files with one position per line. The same command resumes where an
    interrupted one stopped. Files with mistakes are listed at the end, with exit
    code 2, when the rest is done.
    """
    if seconds is None and nodes is None:
        seconds = DEFAULT_SECONDS
    goal = "best" if best else "all"
    threads = threads or os.cpu_count() or 1
    if batch is not None:
        if position is not None or chosen is not None or tiles is not None or turn is not None:
            raise click.UsageError(_("--batch takes no POSITION, no --move, no --tiles and no --turn."))
        from ...solver.batch import Settings

        settings = Settings(objective, goal, every, seconds, nodes, memory, top or None)
        with working(cluster, threads) as workers:
            _solve_batch(batch, output, settings, workers)
        return
    if output is not None:
        raise click.UsageError(_("-o goes with --batch."))
    if cluster is not None:
        raise click.UsageError(_("--cluster goes with --batch."))

    from ...solver import endgame
    from ...solver.ties import ranked_by_points

    loaded = load_position(position, tiles, EXAMPLE, turn)
    move = None
    if chosen is not None:
        from ...notation import parse_move

        move = parse_move(chosen, loaded)
    with _Progress() as progress:
        solution = endgame.solve(
            loaded,
            objective=objective,
            goal=goal,
            every=every,
            draws_of=move,
            seconds=seconds,
            nodes=nodes,
            memory=memory,
            threads=threads,
            progress=progress.show if progress.wanted else None,
        )
    solution = ranked_by_points(solution, seconds=seconds, nodes=nodes, memory=memory, threads=threads)
    if as_json:
        from ...solver.json import solution_to_json

        write_json(solution_to_json(solution, top or None))
    else:
        from ...solver.text import SHOWN, solution_text

        shown = SHOWN if top is None else top or None
        write(solution_text(solution, shown, ways=ways) + ("" if position else "\n" + example_hint("solve")))
    if solution.stopped == "interrupted":
        sys.stdout.flush()
        print(_("orbis: interrupted"), file=sys.stderr)
        raise click.exceptions.Exit(INTERRUPTED)


class _Progress:
    """A bar on a terminal: moves with an exact value, of all."""

    def __enter__(self) -> _Progress:
        self.bar: Any = None
        self.wanted = sys.stderr is not None and sys.stderr.isatty()
        return self

    def show(self, progress: Progress) -> None:
        if self.bar is None:
            from tqdm import tqdm

            self.bar = tqdm(total=progress.moves, unit=_("move"), file=sys.stderr, leave=False)
        form = N_("best proved, {nodes:,} nodes") if progress.best_is_proved else N_("best open, {nodes:,} nodes")
        self.bar.set_postfix_str(_(form, nodes=progress.nodes), refresh=False)
        self.bar.update(progress.exact - self.bar.n)
        self.bar.refresh()

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()


# ---- many ------------------------------------------------------------------------------------------


def _solve_batch(folder: str, output: str | None, settings: Any, workers: Workers | int) -> None:
    """Lines as they come; all problems at the end."""
    from contextlib import ExitStack, closing

    from tqdm import tqdm

    from ...base.json import json_text
    from ...record.positions import latest_position
    from ...solver import batch

    tasks, problems = batch.tasks_in(folder, output)
    failed: list[InputError] = []
    with ExitStack() as stack:
        results = None if output is None else stack.enter_context(closing(batch.Results(output)))
        left = [task for task in tasks if results is None or not results.has(task, settings.objective, settings.goal)]
        bar = stack.enter_context(
            tqdm(total=len(tasks), initial=len(tasks) - len(left), unit=_("position"), disable=None, file=sys.stderr)
        )
        solved = stack.enter_context(closing(batch.solve_all(left, settings, workers, latest_position)))
        for _task, answer in solved:
            if isinstance(answer, InputError):
                failed.append(answer)
            elif results is not None:
                results.add(answer)
            else:
                write(json_text(answer) + "\n")
                sys.stdout.flush()
            bar.update()
    batch.raise_all(problems, failed)
