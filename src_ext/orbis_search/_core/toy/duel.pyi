from collections.abc import Sequence

from ..game import GameState

def duel_game(
    hands: Sequence[int], stock: Sequence[int], turns: int = 2, *, peeks: bool = False, shows: bool = False
) -> GameState: ...
def duel_cards(handle: GameState) -> tuple[tuple[int, int], tuple[int, ...], tuple[int, ...]]: ...
