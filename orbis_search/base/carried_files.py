"""Files that travel with a job, for workers that do not have them: on another machine, or changed in the meantime.

Whoever asks reads them; while a job is done, readers find the contents under the same name. See `jobs.Carrying`.
"""

from __future__ import annotations

from contextvars import ContextVar

TYPE_CHECKING = False  # tile sets are read through here, and typing takes time to import
if TYPE_CHECKING:
    from collections.abc import Mapping

FILES: ContextVar[Mapping[str, bytes] | None] = ContextVar("files", default=None)


def carried(path: str) -> bytes | None:
    """What the file had in it where the question was asked; None if it did not come along."""
    return (FILES.get() or {}).get(path)
