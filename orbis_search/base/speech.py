"""Which language is spoken: a program chooses once, or wraps the work for each of several people in `speaking`."""

from __future__ import annotations

from .errors import InputError
from .language import LANGUAGES, _, use_language, use_language_as_before, use_language_here
from .quoting import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


def set_language(name: str) -> None:
    """Sets the language of everything from now on, in all threads: en, de, pl or ru.

    >>> set_language("en")
    """
    use_language(_known(name))


class speaking:
    """Another language for the work inside: `with speaking("de"): ...`. Other threads keep theirs."""

    def __init__(self, name: str) -> None:
        self.name = _known(name)

    def __enter__(self) -> None:
        self.before = use_language_here(self.name)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        use_language_as_before(self.before)


def _known(name: str) -> str:
    if not isinstance(name, str) or name not in LANGUAGES:
        what = _("one of {choice}", choice=", ".join(LANGUAGES))
        raise InputError.one("language", _("expected {what}, found {found}", what=what, found=shown(name)))
    return name
