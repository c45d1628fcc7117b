"""The packed game as Python sees it."""

from ..network cimport Network
from .determinize cimport World
from .state cimport Rules, State


cdef class Table:
    """The tiles and options of one game: what stays the same through it."""

    cdef Rules rules
    cdef tuple made_of


cdef class PackedState:
    """A state of a game on a Table."""

    cdef readonly Table table
    cdef State state

    cdef int expect_fitting(self, Network network) except -1
    cdef int fix_order(self, World* world, order) except -1
