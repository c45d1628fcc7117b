from typing import NamedTuple

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
    level: float
    level_share: float
    draws: list[tuple[int, int, float, float]]
    @property
    def mean_reward(self) -> float: ...
