from collections.abc import Iterable
from fractions import Fraction

from ..game import GameState

_Move = tuple[int, int]
_Bound = Fraction | tuple[Fraction, ...]  # of two players the mover's, of more everybody's

IDEAS: dict[str, int]
ALL_IDEAS: int

class Solver:
    finished: bool
    full: bool
    def __init__(
        self,
        root: GameState,
        *,
        objective: str = "win",
        moves: Iterable[_Move] | None = None,
        memory: int = ...,
        threads: int = 1,
        ideas: int = ...,
        goal: str = "all",
    ) -> None: ...
    @property
    def nodes(self) -> int: ...
    def stop(self) -> None: ...
    def run(self, seconds: float | None = None, nodes: int | None = None) -> bool: ...
    def work_together(self) -> None: ...
    def work(self, thread: int) -> None: ...
    def rows(self) -> list[tuple[int, int, _Bound, _Bound]]: ...
    def best(self) -> _Move | None: ...
    def draws(
        self, what: int, detail: int, seconds: float | None = None, nodes: int | None = None
    ) -> list[tuple[int, int, _Bound, _Bound]]: ...
    def line(self, seconds: float | None = None, nodes: int | None = None) -> list[tuple[int, int, int | None]]: ...
