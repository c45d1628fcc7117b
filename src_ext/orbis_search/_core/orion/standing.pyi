from collections.abc import Sequence

class StandingWeights:
    def __init__(self, rounds: Sequence[Sequence[Sequence[float]]], spreads: Sequence[float]) -> None: ...
