"""Everything that runs without the GIL. Lowest first: common, game, orbis and toy, search.

It is compiled for one or more levels of CPU (setup.py has them), each into a folder of that name. The modules share
structs and inline functions, so all of them come from one folder: that of the highest level this CPU has, or of
ORBIS_CPU_LEVEL.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES

from ..base.errors import CoreError
from ..base.language import _
from ..base.quoting import shown

VARIABLE = "ORBIS_CPU_LEVEL"


def compiled_levels(folder: str) -> list[str]:
    """The levels with a core for this Python, lowest first."""
    names = [f"v{number}" for number in (1, 2, 3, 4)]
    return [
        name
        for name in names
        if any(os.path.exists(os.path.join(folder, name, "game" + suffix)) for suffix in EXTENSION_SUFFIXES)
    ]


def choose(compiled: list[str], cpu: str, wanted: str = "") -> str:
    """The level to load. CoreError if the CPU has none of those compiled, or if what is wanted is none that fits."""
    fitting = [level for level in compiled if level <= cpu]
    if not fitting:
        raise CoreError.for_better_processors(compiled[0], cpu)
    if wanted and wanted not in fitting:
        choice = _("expected one of {choice}, found {found}", choice=", ".join(fitting), found=shown(wanted))
        raise CoreError(f"{VARIABLE}: {choice}")
    return wanted or fitting[-1]


def _load() -> str:
    here = os.path.dirname(__file__)
    compiled = compiled_levels(here)
    if not compiled:
        raise CoreError.not_compiled(here, os.path.join(here, *[os.pardir] * 3))
    from .common.cpu import cpu_level

    level = choose(compiled, cpu_level(), os.environ.get(VARIABLE, ""))
    folder = os.path.join(here, level)
    __path__.insert(0, folder)
    for name in os.listdir(folder):
        if os.path.isdir(os.path.join(folder, name)):
            import_module(f".{name}", __name__).__path__.insert(0, os.path.join(folder, name))
    return level


LEVEL = _load()
