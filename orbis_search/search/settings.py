"""The settings of the tree search: what each means, which values it can have, and its default.

docs/search.md lists them, and says what was tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ..base.errors import InputError, Problem
from ..base.language import N_, _
from ..base.options import Reader, Unfit, boolean, choice, real, text, whole
from ..base.quoting import nearest, shown


def _setting(default: float | str | None, reader: Reader, meaning: str) -> Any:
    """A field that may be left open; it then has its default, None meaning that each game has its own."""
    return field(default=None, metadata={"default": default, "reader": reader, "meaning": meaning})


_PART = real(0, 1, N_("a number from 0 to 1"))
_COUNT = whole(0, 10**6)
LEARNED, PLAYOUT = "learned", "playout"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Settings of a tree search. What is None is left open: to the stage of the game, then to the defaults.

    >>> SearchSettings(win_part=0.7).over(SearchSettings(win_part=0.5, expand_after=4)).expand_after
    4
    >>> SearchSettings(win_part=7)
    Traceback (most recent call last):
    ...
    orbis_search.base.errors.InputError: settings: expected a number from 0 to 1 for win_part, found 7
    """

    exploration: float | None = _setting(
        1.0, real(0, 1000, N_("a number from 0 to 1000")), "how much a move is tried for its weight alone"
    )
    breadth: float | None = _setting(
        0.01, _PART, "a share of the visits for every move, more for those close to the best"
    )
    win_part: float | None = _setting(
        0.5, _PART, "the part of the reward that is the share of the victory; the rest is the margin"
    )
    spite_part: float | None = _setting(
        0.0, _PART, "the part of the reward for how little the next player gets, and the one after"
    )
    margin_scale: float | None = _setting(
        None, real(0.001, 1000, N_("a number from 0.001 to 1000")), "a lead of this many points counts half of any lead"
    )
    first_play: float | None = _setting(
        0.05, real(-1, 1, N_("a number from -1 to 1")), "subtracted from a node's mean for a move not tried yet"
    )
    expand_after: int | None = _setting(3, whole(1, 10**6), "visits before a node gets its moves")
    grow_main: int | None = _setting(
        24, _COUNT, "visits to a group's few best moves before it gets one way to play each choice"
    )
    grow_everything: int | None = _setting(16, _COUNT, "visits for each move before a group gets every way to play")
    split_after: int | None = _setting(64, _COUNT, "times a draw came before it gets its own node; 0 is never")
    inherit: int | None = _setting(8, _COUNT, "visits that what is known of a move at least counts for in such a node")
    playout_style: int | None = _setting(
        None, whole(-16, 16), "how a game is played to its end, by the game's own numbers; 0 is the plainest"
    )
    evaluation: str | None = _setting(
        LEARNED, choice(LEARNED, PLAYOUT), "what a new node is worth: by a network, where there is one, or by a playout"
    )
    network: str | None = _setting(
        None, text(N_("a file of networks")), "the file of networks, if not the built-in one"
    )
    finish: bool | None = _setting(True, boolean, "the last turns are solved, where the game can do that")
    plain: bool | None = _setting(False, boolean, "UCB1 over all main moves without weights, for comparison")

    def __post_init__(self) -> None:
        """Each value as its reader returns it; InputError with every value that a setting cannot have."""
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
        """These, with the other's where these are open."""
        own = {name: value for name in SETTINGS if (value := getattr(self, name)) is not None}
        return SearchSettings(**{name: getattr(other, name) for name in SETTINGS} | own)

    def complete(self) -> SearchSettings:
        """These, with only those open that each game has its own defaults for."""
        return self.over(DEFAULTS)


SETTINGS: dict[str, Reader] = {each.name: each.metadata["reader"] for each in fields(SearchSettings)}


def read_settings(given: SearchSettings | Mapping[str, Any] | None, place: str = "settings") -> SearchSettings:
    """Settings by their names, checked: InputError with every unknown name and every value that a setting cannot
    have."""
    if given is None:
        return SearchSettings()
    if isinstance(given, SearchSettings):
        return given
    if not isinstance(given, Mapping):
        raise InputError.one(place, _("expected settings by name, found {found}", found=shown(given)))
    problems = [problem for name, value in given.items() for problem in setting_problems(name, value, place)]
    if problems:
        raise InputError(problems)
    return SearchSettings(**given)


def setting_problems(name: Any, value: Any, place: str) -> list[Problem]:
    """What is wrong with one setting."""
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
