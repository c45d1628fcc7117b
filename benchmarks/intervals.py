"""How wide the advisor's intervals have to be: fits the error model of `orbis_search/search/estimates.py`.

    python benchmarks/intervals.py            asks, fits, and prints the model and how it does
    python benchmarks/intervals.py --save F   keeps the answers in F; with --load F they are not asked for again
    python benchmarks/intervals.py --playout  by playouts, not by the network

The advice is held against what is true: in the endings of the set `fit` (`orbis bench regret`) the exact value of each
row, and earlier in the game, on our tiles and on random ones, a search a hundred times as long with another seed. The
model is what makes the mean interval score smallest: the width of an interval, and 40 times the distance by which the
truth lies outside. Half of the positions are for fitting, the others for the figures printed. Nothing is fitted to the
set `report`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import fmean

from tqdm import tqdm

from orbis_search.advice.advisor import advise
from orbis_search.base.jobs import do_jobs
from orbis_search.core.fast_rules import play_on
from orbis_search.game.position import Position
from orbis_search.game.rules import new_game
from orbis_search.game.vocabulary import TURNS
from orbis_search.measure.contested_endings import shipped_set
from orbis_search.measure.regret import shown_rows
from orbis_search.search.estimates import MODELS, ErrorModel, Evidence
from orbis_search.search.settings import LEARNED, PLAYOUT, SearchSettings
from orbis_search.tileset.library import load_tile_set

OUTSIDE = 40
ENDINGS = [(2, 4), (2, 5), (2, 6), (3, 3), (4, 3)]  # players, turns left
EFFORTS = (20_000, 200_000)
LONGER = 100
EARLIER = {3_000: 48, 20_000: 12}  # simulations: positions before the endings
STEPS = 600
BOUNDS = {"sample": (1.0, 3.0), "drift": (0.0, 2.0), "falls": (0.1, 0.3), "rounds": (-0.15, 0.15)}


@dataclass(frozen=True, slots=True)
class Case:
    """A row of an advice, and what is true."""

    position: str
    best: bool  # the advised move
    win: float
    truth: float
    evidence: Evidence

    def score(self, half: float) -> float:
        low, high = max(0.0, self.win - half), min(1.0, self.win + half)
        return high - low + OUTSIDE * max(0.0, low - self.truth, self.truth - high)

    def holds(self, half: float) -> bool:
        return abs(self.win - self.truth) <= half + 1e-9


# ---- asking ----------------------------------------------------------------------------------------


def jobs(settings: SearchSettings) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for players, turns in ENDINGS:
        count = len(shipped_set("fit", players, turns).endings)
        found += [("ending", settings, players, turns, number, effort) for number in range(count) for effort in EFFORTS]
    for effort, count in EARLIER.items():
        found += [("earlier", settings, 2 + number % 3 if number % 2 else 2, number, effort) for number in range(count)]
    return found


def ask(job: tuple[object, ...]) -> list[Case]:
    return list(of_ending(*job[1:]) if job[0] == "ending" else of_earlier(*job[1:]))  # type: ignore[arg-type]


def of_ending(settings: SearchSettings, players: int, turns: int, number: int, effort: int) -> Iterator[Case]:
    ending = shipped_set("fit", players, turns).endings[number]
    position = ending.position
    advice = advise(position, simulations=effort, prove=False, why=None, seed=number, settings=settings)
    for rank, row in enumerate(shown_rows(advice)[0]):
        yield Case(
            f"ending {players} {turns} {number}",
            rank == 0,
            row.win,
            float(ending.value_of(row.move, position)),
            row.evidence,
        )


def of_earlier(settings: SearchSettings, players: int, number: int, effort: int) -> Iterator[Case]:
    rng = Random(number)
    tiles = load_tile_set("reconstruction" if number % 4 < 2 else f"random:{77_000 + number}")
    turns = rng.randrange(players, (TURNS - 4) * players)
    position: Position = play_on(new_game(tiles, players, rng), turns, seed=number, style="sensible")
    rows = shown_rows(advise(position, simulations=effort, prove=False, why=None, seed=number, settings=settings))[0]
    truth = advise(
        position,
        simulations=LONGER * effort,
        prove=False,
        why=None,
        seed=number + 1_000,
        keep=[row.move for row in rows],
        settings=settings,
    )
    known = {each.move: each.win for each in truth.candidates if each.measured}
    for rank, row in enumerate(rows):
        yield Case(f"earlier {players} {number}", rank == 0, row.win, known[row.move], row.evidence)


# ---- fitting ---------------------------------------------------------------------------------------


def mean_score(model: ErrorModel, cases: list[Case]) -> float:
    return fmean(case.score(model.half_width(case.evidence)) for case in cases)


def fit(cases: list[Case], start: ErrorModel) -> ErrorModel:
    """By trying steps that become smaller: five numbers, and a score without a slope."""
    rng = Random(1)
    best, score = start, mean_score(start, cases)
    size = 0.5
    for _step in range(STEPS):
        values = asdict(best)
        for name in rng.sample(sorted(values), rng.randint(1, 3)):
            values[name] += rng.gauss(0, size)
        # What is still to be found falls slowly with the effort, whatever these cases say: they are short of long
        # searches.
        for name, (least, most) in BOUNDS.items():
            values[name] = min(max(least, values[name]), most)
        tried = ErrorModel(**values)
        if (new := mean_score(tried, cases)) < score:
            best, score = tried, new
        else:
            size = max(0.02, size * 0.99)
    return best


def report(name: str, model: ErrorModel, cases: list[Case]) -> None:
    for is_best in (True, False):
        chosen = [case for case in cases if case.best == is_best]
        if chosen:
            halves = [model.half_width(case.evidence) for case in chosen]
            held = fmean(case.holds(half) for case, half in zip(chosen, halves))
            score = fmean(case.score(half) for case, half in zip(chosen, halves))
            error = fmean(case.win - case.truth for case in chosen)
            off = fmean(abs(case.win - case.truth) for case in chosen)
            print(
                f"  {name:<28} {'best' if is_best else 'others':<7} {len(chosen):>5} rows  held {100 * held:5.1f} %  "
                f"score {100 * score:6.1f}  too high {100 * error:+5.2f}  off {100 * off:5.2f}  "
                f"half {100 * fmean(halves):5.1f}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--load", type=Path)
    parser.add_argument("--playout", action="store_true")
    options = parser.parse_args()
    if options.load:
        cases = [
            Case(**{**each, "evidence": Evidence(**each["evidence"])}) for each in json.loads(options.load.read_text())
        ]
    else:
        todo = jobs(SearchSettings(evaluation=PLAYOUT if options.playout else LEARNED))
        cases = []
        for _, found in tqdm(do_jobs(ask, todo, options.threads), total=len(todo), disable=not sys.stderr.isatty()):
            if isinstance(found, Exception):
                raise found
            cases += found
    if options.save:
        options.save.write_text(json.dumps([asdict(case) for case in cases]))
    for learned, players in sorted(MODELS):
        mine = [case for case in cases if (case.evidence.learned, min(case.evidence.players, 3)) == (learned, players)]
        if not mine:
            continue
        names = sorted({case.position for case in mine})
        Random(5).shuffle(names)
        fitting = set(names[::2])
        model = fit([case for case in mine if case.position in fitting], MODELS[learned, players])
        print(f"{LEARNED if learned else PLAYOUT}, {players} players{' and more' if players == 3 else ''}: {model}")
        for kind in sorted({case.position.rsplit(" ", 1)[0] for case in mine}):
            for name, wanted in ((f"{kind}, fitted to", True), (f"{kind}, others", False)):
                chosen = [
                    case
                    for case in mine
                    if case.position.rsplit(" ", 1)[0] == kind and (case.position in fitting) == wanted
                ]
                report(name, model, chosen)


if __name__ == "__main__":
    main()
