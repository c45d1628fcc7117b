"""How players did over many reviewed games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist, fmean, stdev
from typing import Any, NamedTuple

from ..base.language import _

Z = NormalDist().inv_cdf(0.975)


class Mean(NamedTuple):
    """A mean over games. Half the width of the 95 % interval is None for a single game."""

    value: float
    error: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A player over games. Parts of the victory; the result minus luck is what the moves alone achieved."""

    name: str
    games: int
    result: Mean
    accuracy: Mean | None
    luck: Mean  # with the luck of the setup
    skill: Mean  # by own moves and the others'
    given: Mean


def standings(lines: Iterable[dict[str, Any]]) -> list[Standing]:
    """By player, the best result first, from reviews as `review_to_json` makes them."""
    found: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        for seat, player in enumerate(line["players"], 1):
            found.setdefault(player["name"] or _("player {number}", number=seat), []).append(player)
    rows = [_standing(name, players) for name, players in found.items()]
    return sorted(rows, key=lambda row: (-row.result.value, row.name))


def _standing(name: str, players: list[dict[str, Any]]) -> Standing:
    def of(*keys: str) -> Mean:
        return _mean([float(sum(Fraction(player[key]) for key in keys)) for player in players])

    accuracies = [player["accuracy"] for player in players if player["accuracy"] is not None]
    return Standing(
        name,
        len(players),
        of("result"),
        _mean(accuracies) if accuracies else None,
        of("setup", "luck"),
        of("own", "others"),
        of("given"),
    )


def _mean(values: list[float]) -> Mean:
    error = Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else None
    return Mean(fmean(values), error)
