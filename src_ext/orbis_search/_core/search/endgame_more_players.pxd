"""The exact search for three and four players.

Each player has a value: the share of a victory, in parts of WHOLE, or the points ahead of the best of the others. The
mover plays for the most it can expect; of moves that are equally good for it, it takes the one that gives least to
the next player in turn order, then least to the one after, and so on. That makes values unique. Nothing is cut but what
cannot change them.
"""

from ..common.ints cimport i64
from .endgame_worker cimport Worker

# The values of level[ply].position for all players, exactly.
cdef int search_wide(Worker* w, int ply, int chance, i64* out) except -1 nogil

# The values of level[ply + 1].waiting: the mean over the draws, if any is due.
cdef int after_wide(Worker* w, int ply, int chance, i64* out) except -1 nogil


cdef inline bint is_better(const i64* one, const i64* other, int who, int players) noexcept nogil:
    """More for the mover; else less for the next player, then for the one after, and so on."""
    cdef int i, at = who
    if one[who] != other[who]:
        return one[who] > other[who]
    for i in range(1, players):
        at = at + 1 if at + 1 < players else 0
        if one[at] != other[at]:
            return one[at] < other[at]
    return False
