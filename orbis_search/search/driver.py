"""The tree search on Orbis: what it does differently as the end comes near.

Works on packed states, for the advisor and the arena alike.
"""

from __future__ import annotations

from typing import Any

from ..core.states import PackedState
from .networks import evaluation_for
from .settings import SearchSettings
from .trees import DEFAULT_MEMORY, TreeSearch

FAR_WIN_PART, LATE_WIN_PART = 0.5, 0.98
LATE_ROUNDS, WIN_PART_A_ROUND = 4, 0.12
LATE_GROWTH = {"grow_main": 6, "grow_everything": 2}  # visits, and visits a way, that a group needs to grow
# With a network, which is less noisy than playouts; by players: the more, the closer their shares of the victory.
LEARNED_EXPLORATION = {2: 0.5, 3: 0.3, 4: 0.3}
LEARNED_EXPAND_AFTER = 1


def stage_settings(state: PackedState) -> SearchSettings:
    """What a search does differently as the end comes near. Far from the end it learns more quickly from the margin
    than from the victory, and it pays to look at few ways to play a tile. Near the end only the victory counts, unless
    that is already decided, and the one right way to feed a volcano can decide it."""
    rounds = state.turns_left / state.players
    part = LATE_WIN_PART - (rounds - LATE_ROUNDS) * WIN_PART_A_ROUND
    settings: dict[str, Any] = {"win_part": min(max(FAR_WIN_PART, part), LATE_WIN_PART)}
    if rounds <= LATE_ROUNDS:
        settings |= LATE_GROWTH
        if state.players > 2:  # a player who can no longer win harms the next one, as in the solver
            settings["spite_part"] = 1 - LATE_WIN_PART
    return SearchSettings(**settings)


def learned_settings(players: int) -> SearchSettings:
    """What a search with a network does differently."""
    return SearchSettings(exploration=LEARNED_EXPLORATION[players], expand_after=LEARNED_EXPAND_AFTER)


class Search(TreeSearch):
    """A search from one packed state. `settings` take precedence over those of the stage of the game."""

    def __init__(
        self,
        state: PackedState,
        *,
        seed: int = 0,
        threads: int = 1,
        memory: int = DEFAULT_MEMORY,
        settings: SearchSettings | None = None,
        apart: bool = False,
    ) -> None:
        settings = (settings or SearchSettings()).over(stage_settings(state))
        self.evaluation = evaluation_for(settings, state.players)
        if self.evaluation.network is not None:
            settings = settings.over(learned_settings(state.players))
        super().__init__(
            state.game_state(network=self.evaluation.network),
            settings,
            seed=seed,
            threads=threads,
            memory=memory,
            apart=apart,
        )
