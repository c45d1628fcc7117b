"""A line on a terminal while the advisor thinks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..base.language import _, ngettext, numeral

if TYPE_CHECKING:
    from ..advice.data import Advice
    from ..game.position import Position


class Progress:
    """While the search runs: best move so far, its chance to win, simulations, time left. Entering it returns the
    function to call."""

    def __init__(self, position: Position, seconds: float | None, sims: int | None, until_sure: bool = False) -> None:
        from ..advice.advisor import DEFAULT_SECONDS

        self.position, self.seconds, self.sims = position, seconds, sims
        if seconds is None and sims is None and not until_sure:
            self.seconds = DEFAULT_SECONDS
        self.bar: Any = None

    def __enter__(self) -> Callable[[Advice], None] | None:
        if sys.stderr is None or not sys.stderr.isatty():
            return None
        from shutil import get_terminal_size

        from tqdm import tqdm

        # A terminal of unknown size counts as 80 by 24.
        columns, lines = get_terminal_size()
        self.columns = columns - 1
        self.bar = tqdm(total=1.0, bar_format="{desc}", leave=False, ncols=self.columns, nrows=lines)
        return self.show

    def show(self, advice: Advice) -> None:
        from ..advice.text import chance
        from ..notation.move_text import format_move

        win = f"{chance(advice.best) or '–'} %"
        done, time = self._time(advice)
        simulations = ngettext("{n:,} sims", "{n:,} sims", advice.simulations)
        figures = f"  {win}  {simulations}  {time}"
        if done is not None:
            figures += f"  {numeral(100 * done, '3.0f')} %"
        # The move gets the rest of the line: even cut short it can be recognised.
        room = max(12, self.columns - len(figures))
        move = format_move(self.position, advice.best.move)
        self.bar.set_description_str((move if len(move) <= room else move[: room - 1] + "…") + figures)

    def _time(self, advice: Advice) -> tuple[float | None, str]:
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
