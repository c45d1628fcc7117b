"""Does the interval behind an advised move hold what it should? Asks the advisor about endings with known values.

    python benchmarks/intervals.py --sims 2000
    python benchmarks/intervals.py --sims 20000

The positions are those of `orbis bench endgame`; the solver is left out of the advice and proves the values instead.
`best` counts the positions where the advised move is a best one. `value` counts the intervals that hold the exact
value of that move, `near` those that do when they are a per cent wider at either end, and `seeds` those that hold the
mean of what the same search says with other seeds. The error is that of the sampled chance to win.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from statistics import fmean, median

import click
from tqdm import tqdm

from orbis_search.advisor import Candidate, advise
from orbis_search.bench import endgame_positions
from orbis_search.cli.options import write
from orbis_search.endgame import solve
from orbis_search.position import Position

INTERRUPTED = 130
MOST_NODES = 20_000_000  # a position whose values are not known by then is passed over
NEAR = 0.01
ROUNDED = 1e-9  # an interval that ends at 1 holds 1


@dataclass(slots=True)
class Held:
    """What became of the positions with so many turns left."""

    positions: int = 0
    best: int = 0
    errors: list[float] = field(default_factory=list)  # by answer, as the counts below
    value: int = 0
    near: int = 0
    seeds: int = 0

    def add(self, position: Position, simulations: int, seeds: int) -> None:
        first = advise(position, simulations=simulations, seed=0, prove=False, why=None).best
        best = solve(position, goal="best", nodes=MOST_NODES, line=False).best
        mine = solve(position, moves=[first.move], nodes=MOST_NODES, line=False).moves[0]
        if best is None or not mine.proved:
            return
        self.positions += 1
        self.best += mine.low == best.low
        answers = [self.asked(position, first, simulations, seed) for seed in range(seeds)]
        mean = fmean(each.win for each in answers)
        exact = float(mine.low)
        for each in answers:
            self.errors.append(abs(each.win - exact))
            self.value += _holds(each, exact)
            self.near += _holds(each, exact, NEAR)
            self.seeds += _holds(each, mean)

    @staticmethod
    def asked(position: Position, first: Candidate, simulations: int, seed: int) -> Candidate:
        advice = advise(position, simulations=simulations, seed=seed, prove=False, why=None, keep=[first.move])
        return next(each for each in advice.candidates if each.move == first.move)


def _holds(candidate: Candidate, value: float, wider: float = ROUNDED) -> bool:
    return candidate.low - wider <= value <= candidate.high + wider


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--turns", type=click.IntRange(4, 6), multiple=True, default=(4, 5), show_default=True,
              help="Turns left.")  # fmt: skip
@click.option("--positions", type=click.IntRange(1), default=50, show_default=True, help="Of each number of turns.")
@click.option("--sims", type=click.IntRange(2), default=2000, show_default=True, help="Simulations of an answer.")
@click.option("--seeds", type=click.IntRange(1), default=10, show_default=True, help="Answers about each position.")
def intervals(turns: tuple[int, ...], positions: int, sims: int, seeds: int) -> None:
    """Count the intervals that hold the exact value."""
    write(f"{'turns':>5}{'positions':>11}{'best':>6}{'value':>9}{'near':>9}{'seeds':>9}{'median error':>14}\n")
    for left in turns:
        held = Held()
        for position in tqdm(endgame_positions(left)[:positions], disable=None, file=sys.stderr, leave=False):
            held.add(position, sims, seeds)
        parts = "".join(
            f"{100 * count / max(1, len(held.errors)):7.1f} %" for count in (held.value, held.near, held.seeds)
        )
        error = 100 * median(held.errors) if held.errors else 0.0
        write(f"{left:5}{held.positions:11}{held.best:6}{parts}{error:12.1f} %\n")


def main() -> int:
    try:
        intervals.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
