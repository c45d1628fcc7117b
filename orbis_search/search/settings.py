"""The settings of the tree search: what each means, which values it can have, and what it is if nobody says.

docs/search.md says which others were tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ..base.errors import InputError, Problem
from ..base.language import N_, _
from ..base.options import Reader, Unfit, boolean, real, whole
from ..base.quoting import nearest, shown


def _setting(reader: Reader, default: float | None) -> Any:
    """A field that may be left open; `default` is then taken, None for what each game has its own default of."""
    return field(default=None, metadata={"reader": reader, "default": default})


_PART = real(0, 1, N_("a number from 0 to 1"))
_COUNT = whole(0, 10**6)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Settings of a tree search. What is None is left open: to the stage of the game, then to the defaults here.

    >>> SearchSettings(win_part=0.7).over(SearchSettings(win_part=0.5, expand_after=4)).expand_after
    4
    >>> SearchSettings(win_part=7)
    Traceback (most recent call last):
    ...
    orbis_search.base.errors.InputError: settings: expected a number from 0 to 1 for win_part, found 7
    """

    # How much a move is tried for its weight: the larger, the more the search looks around.
    exploration: float | None = _setting(real(0, 1000, N_("a number from 0 to 1000")), 1.0)
    # Of the floor: a share of the visits for every move, more for those close to the best.
    breadth: float | None = _setting(_PART, 0.01)
    # Of the reward, the share of the victory; the rest is the margin.
    win_part: float | None = _setting(_PART, 0.5)
    # Of the reward too: how little the next player gets, and the one after, of those that are left.
    spite_part: float | None = _setting(_PART, 0.0)
    # So many points ahead count for half of what any lead can.
    margin_scale: float | None = _setting(real(0.001, 1000, N_("a number from 0.001 to 1000")), None)
    # Taken off a node's mean for a move not tried yet.
    first_play: float | None = _setting(real(-1, 1, N_("a number from -1 to 1")), 0.05)
    # Visits before a node gets its moves.
    expand_after: int | None = _setting(whole(1, 10**6), 3)
    # Visits to a group of few moves before it gets one way to play each choice ...
    grow_main: int | None = _setting(_COUNT, 24)
    # ... and for each way, before it gets every way.
    grow_everything: int | None = _setting(_COUNT, 16)
    # Times a draw came before it gets a node of its own; 0: never.
    split_after: int | None = _setting(_COUNT, 64)
    # Visits that what is known of a move at least counts for there.
    inherit: int | None = _setting(_COUNT, 8)
    # How games are played to their end, by the game's own numbers; 0 is its plainest way.
    playout_style: int | None = _setting(whole(-16, 16), None)
    # The last turns are solved, where the game can do it.
    finish: bool | None = _setting(boolean, True)
    # UCB1 over all main moves, without weights: the textbook search, to measure against.
    plain: bool | None = _setting(boolean, False)

    def __post_init__(self) -> None:
        """Every value as its reader has it; InputError with everything that is wrong."""
        problems = []
        for name, reader in SETTINGS.items():
            value = getattr(self, name)
            if value is None:
                continue
            if found := setting_problems(name, value, "settings"):
                problems += found
            else:
                object.__setattr__(self, name, reader(value))
        if problems:
            raise InputError(problems)

    def over(self, other: SearchSettings) -> SearchSettings:
        """These, and those of the other that are left open here."""
        own = {name: value for name in SETTINGS if (value := getattr(self, name)) is not None}
        return SearchSettings(**{name: getattr(other, name) for name in SETTINGS} | own)

    def complete(self) -> SearchSettings:
        """Nothing left open but what each game has its own default of."""
        return self.over(DEFAULTS)


SETTINGS: dict[str, Reader] = {each.name: each.metadata["reader"] for each in fields(SearchSettings)}


def read_settings(given: SearchSettings | Mapping[str, Any] | None, place: str = "settings") -> SearchSettings:
    """Settings by their names, all known and each with a value that it can have; else InputError with everything that
    is wrong."""
    if given is None:
        return SearchSettings()
    if isinstance(given, SearchSettings):
        return given
    if not isinstance(given, Mapping):
        raise InputError.one(place, _("expected settings by their names, found {found}", found=shown(given)))
    problems = [problem for name, value in given.items() for problem in setting_problems(name, value, place)]
    if problems:
        raise InputError(problems)
    return SearchSettings(**given)


def setting_problems(name: Any, value: Any, place: str) -> list[Problem]:
    """What is wrong with one of them."""
    if name not in SETTINGS:
        message = _("expected a setting of the search, found {found}", found=shown(name))
        return [Problem(place, message + (nearest(name, SETTINGS) if isinstance(name, str) else ""))]
    try:
        SETTINGS[name](value)
    except Unfit as unfit:
        message = _("expected {what} for {name}, found {found}", what=unfit, name=name, found=shown(value))
        return [Problem(place, message)]
    return []


DEFAULTS = SearchSettings(**{each.name: each.metadata["default"] for each in fields(SearchSettings)})
