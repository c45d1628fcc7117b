"""`NamedTuple` like that of `typing`, without importing `typing`, which alone takes a third of Python's own start-up.

A type checker sees the one in the standard library, and there is no difference except for generic tuples.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _FromAnnotations(type):
        """Makes the same of a class body as `namedtuple` makes of a list of fields."""

        def __new__(mcs, name, bases, body):
            if not bases:
                return super().__new__(mcs, name, bases, body)
            fields = body.get("__annotations__", {})
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_FromAnnotations):
        __slots__ = ()
