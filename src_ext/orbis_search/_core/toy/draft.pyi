from collections.abc import Sequence

from ..game import GameState

def draft_game(market: Sequence[int], deck: Sequence[int]) -> GameState: ...
