"""The settings of the tree search, and which values each can have.

The fields in `_core/search/settings.pxd` say what they do; docs/search.md says which were tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.errors import InputError, Problem
from ..base.language import N_, _
from ..base.options import Reader, Unfit, boolean, real, whole
from ..base.quoting import nearest, shown

_PART = real(0, 1, N_("a number from 0 to 1"))
_COUNT = whole(0, 10**6)

SETTINGS: dict[str, Reader] = {
    "exploration": real(0, 1000, N_("a number from 0 to 1000")),
    "breadth": _PART,
    "win_part": _PART,
    "spite_part": _PART,
    "margin_scale": real(0.001, 1000, N_("a number from 0.001 to 1000")),
    "first_play": real(-1, 1, N_("a number from -1 to 1")),
    "expand_after": whole(1, 10**6),
    "grow_main": _COUNT,
    "grow_everything": _COUNT,
    "split_after": _COUNT,
    "inherit": _COUNT,
    "playout_style": whole(-16, 16),
    "finish": boolean,
    "plain": boolean,
}


def expect_settings(settings: Mapping[str, Any] | None, place: str = "settings") -> dict[str, Any]:
    """The settings, checked: InputError with every unknown name and every value that a setting cannot have."""
    if settings is None:
        return {}
    if not isinstance(settings, Mapping):
        raise InputError.one(place, _("expected settings by name, found {found}", found=shown(settings)))
    problems = [problem for name, value in settings.items() for problem in setting_problems(name, value, place)]
    if problems:
        raise InputError(problems)
    return {name: SETTINGS[name](value) for name, value in settings.items()}


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
