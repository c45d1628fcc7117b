"""A line on a terminal while the advisor thinks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from ..base.language import _, ngettext, numeral

if TYPE_CHECKING:
    from ..advice.data import Advice
    from ..game.position import Position


class Told(Protocol):
    """What the advice of any game says of itself."""

    @property
    def simulations(self) -> int: ...
    @property
    def seconds(self) -> float: ...


A = TypeVar("A", bound=Told)


class SearchProgress(Generic[A]):
    """While a search runs: best move so far, its chance to win, simulations, time left. Entering it returns the
    function to call. `words`: the best move and its chance, which is empty if it is not known."""

    def __init__(self, words: Callable[[A], tuple[str, str]], seconds: float | None, sims: int | None) -> None:
        self.words, self.seconds, self.sims = words, seconds, sims
        self.bar: Any = None

    def __enter__(self) -> Callable[[A], None] | None:
        if sys.stderr is None or not sys.stderr.isatty():
            return None
        from shutil import get_terminal_size

        from tqdm import tqdm

        # A terminal of unknown size counts as 80 by 24.
        columns, lines = get_terminal_size()
        self.columns = columns - 1
        self.bar = tqdm(total=1.0, bar_format="{desc}", leave=False, ncols=self.columns, nrows=lines)
        return self.show

    def show(self, advice: A) -> None:
        move, win = self.words(advice)
        win = f"{win or '–'} %"
        done, time = self._time(advice)
        simulations = ngettext("{n:,} sims", "{n:,} sims", advice.simulations)
        figures = f"  {win}  {simulations}  {time}"
        if done is not None:
            figures += f"  {numeral(100 * done, '3.0f')} %"
        # The move gets the rest of the line: even cut short it can be recognised.
        room = max(12, self.columns - len(figures))
        self.bar.set_description_str((move if len(move) <= room else move[: room - 1] + "…") + figures)

    def _time(self, advice: A) -> tuple[float | None, str]:
        """The part done, if that is known, and the time left; otherwise the time so far."""
        parts = []
        if self.seconds is not None:
            parts.append((advice.seconds / self.seconds, self.seconds - advice.seconds))
        if self.sims is not None and advice.simulations:
            part = advice.simulations / self.sims
            parts.append((part, advice.seconds * (1 / part - 1)))
        if not parts:
            return None, _("{seconds} s so far", seconds=numeral(advice.seconds, ".0f"))
        done, left = max(parts)
        return min(done, 1.0), _("{seconds} s left", seconds=numeral(max(left, 0), ".0f"))

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.close()


class Progress(SearchProgress["Advice"]):
    """Of the advisor of Orbis."""

    def __init__(self, position: Position, seconds: float | None, sims: int | None, until_sure: bool = False) -> None:
        from ..advice.advisor import DEFAULT_SECONDS

        if seconds is None and sims is None and not until_sure:
            seconds = DEFAULT_SECONDS
        super().__init__(self._words, seconds, sims)
        self.position = position

    def _words(self, advice: Advice) -> tuple[str, str]:
        from ..advice.text import chance
        from ..notation.move_text import format_move

        return format_move(self.position, advice.best.move), chance(advice.best)
