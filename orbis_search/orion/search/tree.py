"""The tree search of the compiled core: what each move is worth, by games that lean on what was learned in others.

Nothing is peeked at: every simulation begins with a guess at what the player who decides cannot know, or at what nobody
knows (docs/architecture.md, "A second game").
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from time import perf_counter
from typing import Any

from ...base.dice import Dice
from ...search.settings import SearchSettings
from ...search.trees import DEFAULT_MEMORY, TreeSearch
from ..core.packing import Packing
from ..game.knowledge import complete, seen_by
from ..game.position import Position
from .data import MoveValue, SearchResult, Sources
from .standing import root_of

DEFAULT_SECONDS = 5.0
REPORTS = 0.25  # seconds from one progress report to the next
# What this game asks of the search unless somebody says otherwise; measured by matches.
SETTINGS = SearchSettings(exploration=0.3, expand_after=12)
# A plain tree search: no knowledge in tree or playouts, and victory alone counts.
PLAIN = SearchSettings(plain=True, playout_style=0, win_part=1.0, expand_after=1)


def search_moves(
    position: Position,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[SearchResult], None] | None = None,
    settings: SearchSettings | None = None,
    memory: int = DEFAULT_MEMORY,
    peeks: bool = False,
) -> SearchResult:
    """What each legal move is worth, by so many simulations or so much time. Ctrl-C ends it with what it has.

    `peeks` cheats: hands are left as they are. It shows what tests of the honest search could see.
    """
    mover = position.to_move
    assert mover is not None
    if simulations is None and seconds is None:
        seconds = DEFAULT_SECONDS
    whole = position if position.is_complete else complete(position, Dice(0))
    packing = Packing(whole, peeks=peeks)
    if len(packing.state.moves()) == 1 and simulations is None:
        simulations, seconds = 2, None  # nothing to choose: a game shows what follows
    wanted = (settings or SearchSettings()).over(SETTINGS)
    search = TreeSearch(root_of(packing.state, wanted), wanted, seed=seed, threads=threads, memory=memory)
    start = told = perf_counter()
    stopped = "time" if simulations is None else "simulations"

    def result(stopped: str) -> SearchResult:
        rows = sorted(search.moves(), key=lambda row: (-row.visits, -row.mean_reward, row.what, row.detail))
        values = tuple(_value(packing, row, mover) for row in rows)
        spent = perf_counter() - start
        seen = seen_by(position, mover)
        return SearchResult(seen, values, search.simulations, spent, threads, seed, stopped)

    try:
        for _slice in search.run(simulations, seconds):
            if progress is not None and perf_counter() - told > REPORTS:
                told = perf_counter()
                progress(result("running"))
    except KeyboardInterrupt:
        stopped = "interrupted"
    return result("only move" if len(search.moves()) == 1 and stopped != "interrupted" else stopped)


def _value(packing: Packing, row: Any, mover: int) -> MoveValue:
    games = row.visits or 1
    shares = tuple(share / games for share in row.shares)
    low, high = _interval(shares[mover], row.share_squared / games, row.visits)
    sources = tuple(Sources(*(amount / games for amount in amounts)) for amounts in row.details)
    return MoveValue(packing.unpack_move((row.what, row.detail)), row.visits, shares, low, high, sources)


def _interval(mean: float, squares: float, games: int) -> tuple[float, float]:
    """95 % of the mover's share; as wide as can be where nothing is known. Four more games, half of them won, keep it
    open where all came out alike."""
    if not games:
        return 0.0, 1.0
    n = games + 4
    centre = (mean * games + 2) / n
    spread = 1.96 * sqrt(max((squares * games + 2) / n - centre * centre, 0.0) / n)
    return max(0.0, centre - spread), min(1.0, centre + spread)
