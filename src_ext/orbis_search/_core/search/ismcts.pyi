from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from ..game import GameState

_Move = tuple[int, int]

class RootMove(NamedTuple):
    what: int
    detail: int
    visits: int
    weight: float
    reward: float
    reward_squared: float
    shares: tuple[float, ...]
    share_squared: float
    points: tuple[float, ...]
    details: tuple[tuple[float, ...], ...]
    level: int
    level_share: float
    draws: list[tuple[int, int, float, float]]
    @property
    def mean_reward(self) -> float: ...

class Tree:
    simulations: int
    nodes: int
    deepest: int
    def __init__(self, root: GameState, seed: int = 0, pool_bytes: int = ..., **settings: Any) -> None: ...
    def fork(self, seed: int, thread: int) -> Self: ...
    def run(self, simulations: int) -> None: ...
    @property
    def to_move(self) -> int: ...
    @property
    def bytes_used(self) -> int: ...
    @property
    def full(self) -> bool: ...
    @property
    def mean_depth(self) -> float: ...
    def ask(self, moves: Sequence[_Move] = ..., calm: float = ...) -> None: ...
    def moves(self) -> list[RootMove]: ...
    def replies(self, what: int, detail: int) -> dict[int, int]: ...
    def line(self, first: _Move | None = None, longest: int = 8) -> list[tuple[int, int, int, int, int]]: ...
    def best(self) -> _Move: ...
