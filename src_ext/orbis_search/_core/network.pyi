from collections.abc import Sequence
from typing import Final

HIDDEN: Final[tuple[int, int]]
CUT_OFF: Final[int]

class Network:
    made_of: tuple[int, int, int, tuple[int, ...], tuple[bytes, ...], tuple[bytes, ...]]
    def __init__(
        self,
        inputs: int,
        outputs: int,
        most_input: int,
        shifts: Sequence[int],
        weights: Sequence[bytes],
        biases: Sequence[bytes],
    ) -> None: ...
    def expect_room(self, layer: int, inputs: int, outputs: int, most: int) -> None: ...
    def run(self, inputs: Sequence[int]) -> list[int]: ...
