"""What the search knows of standings between rounds: weights in a file, learned from games.

    {"format": "orion-standing", "version": 1, "name": "standing-1", "checksum": "...", "made": {...}, "players":
     {"2": {"rounds": [...], "spreads": [...]}, ...}}

For each number of players: for each round from the second on, the weights of each source of points, and how many points
ahead make a victory e times as likely. The checksum is the SHA-256 of `players` as JSON without blanks. Which features
the weights are for, src_ext/orbis_search/_core/orion/standing.pyx says; benchmarks/orion_standing.py makes the file.
"""

from __future__ import annotations

import json
import os
from functools import cache
from hashlib import sha256
from typing import Any

from ...search.settings import PLAYOUT, SearchSettings
from ..core.states import GameState, PackedState, StandingWeights

FORMAT, VERSION = "orion-standing", 1
BUILT_IN = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "data", "orion-standing", "standing.json"
)


def root_of(state: PackedState, settings: SearchSettings) -> GameState:
    """Where a search begins: it looks at standings unless its settings want games played to their end."""
    settings = settings.complete()
    if settings.plain or settings.evaluation == PLAYOUT:
        return state.game_state()
    return state.game_state(weights=built_in_weights(state.table.players))


@cache
def built_in_weights(players: int) -> StandingWeights:
    return weights_of(_built_in(), players)


def weights_of(told: Any, players: int) -> StandingWeights:
    """Of what a file tells, for so many players."""
    own = told["players"][str(players)]
    return StandingWeights(own["rounds"], own["spreads"])


def checksum_of(told: Any) -> str:
    return sha256(json.dumps(told["players"], separators=(",", ":")).encode()).hexdigest()


@cache
def _built_in() -> Any:
    return read_standing(BUILT_IN)


def read_standing(path: str) -> Any:
    """What a file tells; ValueError if that is not what was once written there."""
    with open(path, encoding="utf-8") as file:
        told = json.load(file)
    if (told.get("format"), told.get("version")) != (FORMAT, VERSION):
        raise ValueError(f"{path}: expected {FORMAT} {VERSION}, found {told.get('format')} {told.get('version')}")
    if told["checksum"] != checksum_of(told):
        raise ValueError(f"{path}: expected the checksum {checksum_of(told)}, found {told['checksum']}")
    return told
