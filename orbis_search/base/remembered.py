"""Objects that were checked once and found fine, so that nobody checks them again."""

from __future__ import annotations


class Remembered:
    """The last few objects added, by identity: for objects that cannot change and are expensive to compare.

    >>> fine = Remembered(most=2)
    >>> first, second, third = [1], [1], [1]
    >>> for each in (first, second, third):
    ...     fine.add(each)
    >>> first in fine, second in fine, third in fine, None in fine
    (False, True, True, False)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: dict[int, object] = {}  # an object that is held keeps its id

    def __contains__(self, thing: object) -> bool:
        return self._held.get(id(thing), self) is thing

    def add(self, thing: object) -> None:
        held = self._held
        held[id(thing)] = thing
        while len(held) > self._most:
            held.pop(next(iter(held), 0), None)  # another thread may have done it
