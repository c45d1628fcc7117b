"""`orbis review`: judges a game move by move, and tells luck from skill."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from ...base.errors import InputError
from ...base.language import _
from ...base.machine import MachineError
from ..options import (
    cluster_option,
    duration_type,
    expect_writable,
    json_option,
    load_game,
    place_of,
    position_tiles_option,
    seed_option,
    sims_type,
    threads_type,
    write,
    write_bytes,
    write_json,
)
from ..workers import working

if TYPE_CHECKING:
    from ...base.jobs import Workers
    from ...review.data import Review

INTERRUPTED = 130


@click.command()
@click.argument("game", metavar="GAME", required=False)
@click.option(
    "--time",
    "seconds",
    type=duration_type,
    metavar="TIME",
    help="How long to look at each turn, on average.  [default: 2s]",
)
@click.option("--sims", type=sims_type, metavar="N", help="How many simulations to run for each turn.")
@click.option(
    "--threads",
    type=threads_type,
    metavar="N",
    help="How many turns at a time; with --batch, games.  [default: one per core]",
)
@seed_option
@click.option("--plot", metavar="FILE", help="Draw the chance to win through the game: FILE.svg or FILE.png.")
@click.option("--html", metavar="FILE", help="Write a web page with everything, including the table at each turn.")
@position_tiles_option
@json_option
@click.option("--batch", metavar="DIR", help="Review every game in DIR instead: a summary by player.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="With --batch: append the reviews to FILE, one per line, and skip those already in it.",
)
@cluster_option
def review(
    game: str | None,
    seconds: float | None,
    sims: int | None,
    threads: int | None,
    seed: int | None,
    plot: str | None,
    html: str | None,
    tiles: str | None,
    as_json: bool,
    batch: str | None,
    output: str | None,
    cluster: str | None,
) -> None:
    """Judge every move of GAME, and tell luck from skill.

    GAME is a record as orbis play and orbis track keep it, or -. Each move is
    compared with the best one: how much of the chance to win it gave away, exact
    where that is proved, from "best" to "blunder". What each drawn tile changed is
    luck; luck and skill add up to the result. With --seed and --sims the answer is
    always the same. Ctrl-C reports the turns judged so far.

    --batch takes .orbis and .json files. With -o, the same command resumes where an
    interrupted one stopped. Files with mistakes are listed at the end, with exit
    code 2, when the rest is done.
    """
    threads = threads or os.cpu_count() or 1
    if batch is not None:
        if game is not None or plot is not None or html is not None or tiles is not None:
            raise click.UsageError(_("--batch takes no GAME, no --plot, no --html and no --tiles."))
        with working(cluster, threads) as workers:
            _review_batch(batch, output, sims, seconds, seed or 0, workers, as_json)
        return
    if game is None:
        raise click.UsageError(_("expected a GAME, or --batch DIR"))
    if output is not None:
        raise click.UsageError(_("-o goes with --batch."))
    if cluster is not None:
        raise click.UsageError(_("--cluster goes with --batch."))
    if (plot == "-") + (html == "-") + as_json > 1:
        raise click.UsageError(_("--plot -, --html - and --json cannot share standard output."))
    pictured = None if plot is None else _plot_writer(plot)
    record = load_game(game, tiles).record
    for option, path in (("--plot", plot), ("--html", html)):
        _expect_place(option, path, game)

    from ...review.analysis import review_game

    with _Progress() as progress:
        found = review_game(
            record, simulations=sims, seconds=seconds, threads=threads, seed=seed or 0, progress=progress
        )
    files = [] if pictured is None else [(plot, pictured(found))]
    if html is not None:
        from ...review.html import review_to_html

        files.append((html, review_to_html(found).encode("utf-8")))
    for path, data in files:
        write_bytes(data, path)
    if as_json:
        from ...review.json import review_to_json

        write_json(review_to_json(found))
    elif "-" not in (plot, html):
        from ...review.text import LEAST_WIDTH, WIDTH, review_text

        on_terminal = sys.stdout is not None and sys.stdout.isatty()
        write(review_text(found, max(LEAST_WIDTH, min(WIDTH, get_terminal_size().columns)) if on_terminal else WIDTH))
    if found.stopped == "interrupted":
        sys.stdout.flush()
        print(_("orbis: interrupted"), file=sys.stderr)
        raise click.exceptions.Exit(INTERRUPTED)


def _expect_place(option: str, path: str | None, game: str) -> None:
    """InputError before a minute of work, if the file cannot be written or would overwrite the game."""
    if path is None or path == "-":
        return
    if os.path.realpath(path) == os.path.realpath(game):
        raise InputError.one(option, _("expected a file other than the game, found {found}", found=place_of(path)))
    expect_writable(path)


def _plot_writer(path: str) -> Callable[[Review], bytes]:
    """The function that draws a file of that name; complains before the work if there is none."""
    from ...drawing.scene import png_fonts, to_png, to_svg
    from ...review.plot import draw_plot

    if path.lower().endswith(".png"):
        png_fonts()
        return lambda review: to_png(draw_plot(review))
    if path == "-" or path.lower().endswith(".svg"):
        return lambda review: to_svg(draw_plot(review)).encode("utf-8")
    message = _("expected a file name ending in .svg or .png, found {found}", found=place_of(path))
    raise InputError.one("--plot", message)


class _Progress:
    """A bar on a terminal: turns judged, of all."""

    def __enter__(self) -> Callable[[int, int], None] | None:
        self.bar: Any = None
        return self.show if sys.stderr is not None and sys.stderr.isatty() else None

    def show(self, done: int, number: int) -> None:
        if self.bar is None:
            from tqdm import tqdm

            self.bar = tqdm(total=number, unit=_("turn"), file=sys.stderr, leave=False)
        self.bar.update(done - self.bar.n)

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.close()


def _review_batch(
    folder: str,
    output: str | None,
    sims: int | None,
    seconds: float | None,
    seed: int,
    workers: Workers | int,
    as_json: bool,
) -> None:
    """Prints the summary of all games, including those already in the file; all problems at the end."""
    from contextlib import ExitStack, closing

    from tqdm import tqdm

    from ...review import batch as review_batch
    from ...review.standings import standings
    from ...solver.batch import Results, raise_all

    tasks, problems = review_batch.games_in(folder, output)
    settings = review_batch.Settings(sims, seconds, seed)
    lines: list[dict[str, Any]] = []
    failed: list[InputError] = []
    ended: KeyboardInterrupt | MachineError | None = None
    with ExitStack() as stack:
        results = None
        if output is not None:
            results = stack.enter_context(closing(Results(output, review_batch.REVIEWS)))
            lines = [results.lines[task.name, task.digest] for task in tasks if results.has(task)]
        left = [task for task in tasks if results is None or not results.has(task)]
        bar = stack.enter_context(
            tqdm(total=len(tasks), initial=len(tasks) - len(left), unit=_("game"), disable=None, file=sys.stderr)
        )
        reviewed = stack.enter_context(closing(review_batch.review_all(left, settings, workers)))
        try:
            for _task, answer in reviewed:
                if isinstance(answer, InputError):
                    failed.append(answer)
                else:
                    lines.append(answer)
                    if results is not None:
                        results.add(answer)
                bar.update()
        except (KeyboardInterrupt, MachineError) as error:
            ended = error
    rows = standings(lines)
    if as_json:
        from ...review.json import standings_to_json

        write_json(standings_to_json(rows))
    elif rows:
        from ...review.text import standings_text

        write(standings_text(rows))
    sys.stdout.flush()
    if ended is not None:
        raise ended
    raise_all(problems, failed)
