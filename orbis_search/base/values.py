"""`NamedTuple` as `typing` has it, without importing `typing`: that alone takes a third of Python's own start-up.

A type checker sees the one of the standard library, and there is no difference but for generic tuples.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _FromAnnotations(type):
        """Makes of a class body what `namedtuple` makes of a list of fields."""

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
