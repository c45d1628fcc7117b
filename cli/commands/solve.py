"""`orbis solve`: exact values of an ending's moves, or what is proved of them."""

from __future__ import annotations

import os
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from ...base.errors import InputError
from ...base.language import N_, _, ngettext
from ..options import (
    duration_type,
    example_hint,
    json_option,
    load_position,
    optional_position_argument,
    position_tiles_option,
    size_type,
    threads_type,
    write,
    write_json,
)

if TYPE_CHECKING:
    from ...solver.endgame import Bounds, Progress, Solution, SolvedMove

DEFAULT_SECONDS = 60.0
SHOWN = 10
EXAMPLE = "ending"
INTERRUPTED = 130


@click.command()
@optional_position_argument
@click.option(
    "--objective",
    type=click.Choice(["win", "margin"]),
    default="win",
    show_default=True,
    help="Share of the victory, or points ahead of the best other.",
)
@click.option("--best", is_flag=True, help="Stop as soon as one move is proved best.")
@click.option("--all", "every", is_flag=True, help="All legal moves, not only those that can be best.")
@click.option("--move", "chosen", metavar="MOVE", help="Also the value of MOVE after each draw that may follow.")
@click.option(
    "--time",
    "seconds",
    type=duration_type,
    metavar="TIME",
    help="Stop after so long, as 5s or 2m.  [default: 60s, without --nodes]",
)
@click.option("--nodes", type=click.IntRange(1), metavar="N", help="Stop after about so many positions.")
@click.option(
    "--memory", type=size_type, default="256M", show_default=True, metavar="SIZE", help="For positions seen before."
)
@click.option(
    "--threads",
    type=threads_type,
    metavar="N",
    help="Threads; with --batch, positions at a time.  [default: one a core]",
)
@click.option(
    "--top",
    type=click.IntRange(0),
    metavar="N",
    help="Moves to list, 0 for all.  [default: 10; with --json and --batch: all]",
)
@click.option("--ways", is_flag=True, help="List every way to pay and to feed a volcano by itself.")
@position_tiles_option
@json_option
@click.option("--batch", metavar="DIR", help="Solve every position in DIR instead, one line of JSON each.")
@click.option(
    "-o", "--output", metavar="FILE", help="With --batch: add the lines to FILE, and skip what it holds already."
)
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
    as_json: bool,
    batch: str | None,
    output: str | None,
) -> None:
    """Prove what the moves of POSITION are worth, by best play to the end.

    Values are exact, over all tiles that may be drawn. First one move is proved
    best; then the others get their exact values, until all have one or the time
    is out; --best stops before that. What is not exact by the end, or at Ctrl-C,
    has proved bounds: at least x, at most y. Six turns left take some seconds;
    with many more, bounds are all there is: ask orbis advise.

    With three and four players everybody maximises the own value; between moves
    that are equal for them they choose the one that gives least to the next in
    turn order, then to the one after.

    --batch takes .toml and .json files, and .txt files with a one-line position
    in each line. The same command goes on where an interrupted one stopped. Files
    with mistakes are named at the end, exit code 2, when the rest is done.
    """
    if seconds is None and nodes is None:
        seconds = DEFAULT_SECONDS
    goal = "best" if best else "all"
    threads = threads or os.cpu_count() or 1
    if batch is not None:
        if position is not None or chosen is not None or tiles is not None:
            raise click.UsageError(_("--batch takes no POSITION, no --move and no --tiles."))
        from ...solver.batch import Settings

        settings = Settings(objective, goal, every, seconds, nodes, memory, top or None)
        _solve_batch(batch, output, settings, threads)
        return
    if output is not None:
        raise click.UsageError(_("-o goes with --batch."))

    from ...solver import endgame

    loaded = load_position(position, tiles, EXAMPLE)
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
    if as_json:
        write_json(endgame.solution_to_json(solution, top or None))
    else:
        shown = SHOWN if top is None else top or len(solution.moves)
        write(_as_text(solution, shown, ways) + ("" if position else "\n" + example_hint("solve")))
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


# ---- text ------------------------------------------------------------------------------------------


def _as_text(solution: Solution, top: int, ways: bool) -> str:
    from ...notation.move_text import format_move

    position = solution.position
    rows = [(each, []) for each in solution.moves] if ways else _by_choice(solution.moves)
    lines = [_headline(solution), ""]
    values = [_value(each, solution) for each, _ in rows[:top]]
    width = max(map(len, [_heading(solution), *values]))
    move_heading = _("move")
    lines.append(f"{'':>4}  {_heading(solution):<{width}}  {move_heading}")
    for rank, ((each, others), value) in enumerate(zip(rows[:top], values), 1):
        mark = "*" if solution.best is not None and each.proved and each.lows == solution.best.lows else " "
        text = format_move(position, each.move)
        lines.append(f"{rank:>3}{mark}  {value:<{width}}  {text}{_others(others)}")
    if len(rows) > top:
        more = ngettext("... and {n} more (--top 0 lists all)", "... and {n} more (--top 0 lists all)", len(rows) - top)
        lines.append(f"      {more}")
    if solution.best is not None:
        lines += ["", _("* proved: no move is better")]
    if solution.chosen is not None:
        lines += ["", *_draw_lines(solution)]
    if solution.line:
        lines += ["", *_line_lines(solution)]
    return "\n".join(lines) + "\n"


def _headline(solution: Solution) -> str:
    from ...drawing.terminal import player_name
    from ...game.vocabulary import TURNS
    from ...solver.endgame import GOALS

    assert solution.goal in GOALS
    position = solution.position
    left = TURNS * len(position.players) - position.turns_played
    name = player_name(position, position.to_move or 0)
    head = ngettext(
        "{player} to move, {n} turn left: {nodes:,} nodes in {seconds:.2f} s",
        "{player} to move, {n} turns left: {nodes:,} nodes in {seconds:.2f} s",
        left,
        player=name,
        nodes=solution.nodes,
        seconds=solution.seconds,
    )
    if solution.finished and solution.stopped == "proved":
        return head
    state = _STATES[solution.stopped, solution.best is not None]
    lines = [head, _(state, exact=solution.exact, number=len(solution.moves))]
    if solution.best is None:
        lines.append(_("Without a proof, orbis advise ranks the moves."))
    return "\n".join(lines)


# By what ended the work, and whether a move is proved best.
_STATES = {
    ("time", True): N_(
        "The time was out: the best move is proved, {exact} of {number} moves have their exact value, "
        "the others bounds that are proved."
    ),
    ("time", False): N_(
        "The time was out: no move is proved best, {exact} of {number} moves have their exact value, "
        "the others bounds that are proved."
    ),
    ("nodes", True): N_(
        "The nodes were used up: the best move is proved, {exact} of {number} moves have their exact value, "
        "the others bounds that are proved."
    ),
    ("nodes", False): N_(
        "The nodes were used up: no move is proved best, {exact} of {number} moves have their exact value, "
        "the others bounds that are proved."
    ),
    ("interrupted", True): N_(
        "It was interrupted: the best move is proved, {exact} of {number} moves have their exact value, "
        "the others bounds that are proved."
    ),
    ("interrupted", False): N_(
        "It was interrupted: no move is proved best, {exact} of {number} moves have their exact value, "
        "the others bounds that are proved."
    ),
    ("memory", True): N_(
        "A turn has too many moves to list: the best move is proved, {exact} of {number} moves have their exact value, "
        "the others bounds that are proved."
    ),
    ("memory", False): N_(
        "A turn has too many moves to list: no move is proved best, {exact} of {number} moves have their exact value, "
        "the others bounds that are proved."
    ),
}


def _heading(solution: Solution) -> str:
    two = len(solution.position.players) == 2
    if solution.objective == "win":
        return _("win") if two else _("win, from the mover on")
    return _("points ahead") if two else _("points ahead, from the mover on")


def _by_choice(moves: tuple[SolvedMove, ...]) -> list[tuple[SolvedMove, list[SolvedMove]]]:
    """The first way to play each tile, slot, face and validation, and the other ways."""
    found: dict[tuple[Any, ...], list[SolvedMove]] = {}
    for each in moves:
        move = each.move
        found.setdefault((move.cell, move.god, move.slot, move.wild, move.validated), []).append(each)
    return [(ways[0], ways) for ways in found.values()]


def _others(ways: list[SolvedMove]) -> str:
    if len(ways) < 2:
        return ""
    number = len(ways) - 1
    proved = all(each.high <= ways[0].low for each in ways[1:])
    if proved:
        return "  " + ngettext("({n} other way, none better)", "({n} other ways, none better)", number)
    return "  " + ngettext("({n} other way)", "({n} other ways)", number)


def _value(bounds: Bounds, solution: Solution) -> str:
    """`62.50 % = 5/8`, or what is proved: `at least 33.33 %, at most 50.00 %`."""
    from ...solver.endgame import FURTHEST

    players, who = len(solution.position.players), bounds.who
    if players > 2 and bounds.proved:
        return " : ".join(_exact(bounds.lows[(who + i) % players], solution.objective) for i in range(players))
    if bounds.low == bounds.high:
        return _exact(bounds.low, solution.objective)
    parts = []
    least, most = (0, 1) if solution.objective == "win" else (-FURTHEST, FURTHEST)
    if bounds.low > least:
        parts.append(_("at least {number}", number=_number(bounds.low, solution.objective, -1)))
    if bounds.high < most:
        parts.append(_("at most {number}", number=_number(bounds.high, solution.objective, 1)))
    return ", ".join(parts) or _("open")


def _exact(value: Fraction, objective: str) -> str:
    if value.denominator == 1:
        return f"{100 * value} %" if objective == "win" else f"{value.numerator:+}".replace("+0", "0")
    return f"{_number(value, objective)} = {value}"


def _number(value: Fraction, objective: str, towards: int = 0) -> str:
    """Two decimals; bounds are rounded outwards (-1 down, 1 up), so that they hold as they are printed."""
    hundredths = value * (10_000 if objective == "win" else 100)
    if towards:
        whole = -(-hundredths.numerator // hundredths.denominator) if towards > 0 else hundredths // 1
    else:
        whole = round(hundredths)
    return f"{whole / 100:.2f} %" if objective == "win" else f"{whole / 100:+.2f}"


def _draw_lines(solution: Solution) -> list[str]:
    from ...notation.move_text import format_move
    from ...tileset.descriptions import tell

    assert solution.chosen is not None
    value = _value(solution.chosen, solution)
    move = format_move(solution.position, solution.chosen.move)
    if not solution.draws:
        return [f"{move}: {value}", "  " + _("a god: nothing is drawn")]
    values = [_value(each, solution) for each in solution.draws]
    width = max(map(len, values))
    lines = [_("{move}: {value}, and by what comes next:", move=move, value=value)]
    for each, value in zip(solution.draws, values):
        times = f"{each.weight} × " if each.weight > 1 else ""
        name = "" if each.tile.described else f"{each.tile.id}  "
        lines.append(f"  {value:<{width}}  {times}{name}{tell(each.tile)}")
    return lines


def _line_lines(solution: Solution) -> list[str]:
    from ...drawing.terminal import player_name
    from ...notation.common import tile_text
    from ...notation.move_text import format_move

    lines = [_("Best play may go on so:")]
    for step in solution.line:
        name = player_name(step.position, step.position.to_move or 0)
        came = "" if step.draw is None else "; " + _("{tile} comes", tile=tile_text(step.draw))
        lines.append(f"  {name}: {format_move(step.position, step.move)}{came}")
    return lines


# ---- many ------------------------------------------------------------------------------------------


def _solve_batch(folder: str, output: str | None, settings: Any, processes: int) -> None:
    """Lines as they come; all problems at the end."""
    import json
    from contextlib import ExitStack, closing

    from tqdm import tqdm

    from ...base.errors import Problem
    from ...solver import batch

    tasks, problems = batch.tasks_in(folder, output)
    with ExitStack() as stack:
        results = None if output is None else stack.enter_context(closing(batch.Results(output)))
        left = [task for task in tasks if results is None or not results.has(task, settings.objective, settings.goal)]
        bar = stack.enter_context(
            tqdm(total=len(tasks), initial=len(tasks) - len(left), unit=_("position"), disable=None, file=sys.stderr)
        )
        solved = stack.enter_context(closing(batch.solve_all(left, settings, min(processes, max(1, len(left))))))
        for _task, answer in solved:
            if isinstance(answer, Problem):
                problems.append(answer)
            elif results is not None:
                results.add(answer)
            else:
                write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n")
                sys.stdout.flush()
            bar.update()
    if problems:
        raise InputError(sorted(problems))
