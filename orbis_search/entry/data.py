"""What became of a conversation, as data: `json` and `text` write it down."""

from __future__ import annotations

from typing import NamedTuple

from ..base.errors import Problem
from ..record.game import Record


class Exchange(NamedTuple):
    """A question, what was answered, and what was wrong with that."""

    question: str
    answer: str
    problems: tuple[Problem, ...] = ()


class EditReport(NamedTuple):
    """A position file after somebody has been asked about it."""

    file: str
    status: str  # "written", "kept" as a draft, or "unchanged"
    draft: str  # its file, if there is one
    problems: tuple[Problem, ...] = ()  # of the position as it is now
    is_over: bool = False  # no turn is left in it
    exchanges: tuple[Exchange, ...] = ()


class TrackReport(NamedTuple):
    """A game at the table after somebody has entered it, or a part of it."""

    file: str
    record: Record | None  # None: none was begun, and there is no file
    exchanges: tuple[Exchange, ...] = ()
