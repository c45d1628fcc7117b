"""The exact search for two players.

A value is for the player to move: 1 for a victory, 0 for a shared one, -1 for a defeat, or the points ahead. One's gain
is the other's loss.

What the search returns for a window (alpha, beta), and what every part of it must keep to:

    value <= alpha          the true value is at most this
    alpha < value < beta    it is the true value
    beta <= value           the true value is at least this
"""

from ..common.ints cimport i64
from ..game cimport Bundle, BundleList
from .endgame_worker cimport Level, Shared, Worker

# The value of level[ply].position for its mover.
cdef i64 search(Worker* w, int ply, int chance, i64 alpha, i64 beta) except? -0x7FFFFFFFFFFFFFFF nogil

# The value of level[ply + 1].waiting for the player who has just moved: the mean over the draws, if any is due.
cdef i64 after(Worker* w, int ply, int chance, i64 alpha, i64 beta) except? -0x7FFFFFFFFFFFFFFF nogil

# Every bundle of level 0's position, in the order in which they are tried.
cdef int list_in_order(Worker* w, int who, BundleList* out) except -1 nogil


cdef inline i64 after_draw(
    Worker* w, int ply, int chance, i64 alpha, i64 beta
) except? -0x7FFFFFFFFFFFFFFF nogil:
    """The value of level[ply + 1].position for the mover of level[ply].position."""
    cdef Shared* s = w.shared
    cdef Level* level = &w.level[ply + 1]
    if s.game.to_move(s.game.rules, level.position) == s.game.to_move(s.game.rules, w.level[ply].position):
        return search(w, ply + 1, chance, alpha, beta)
    return -search(w, ply + 1, chance, -beta, -alpha)


cdef inline void apply_bundle(Shared* s, void* position, const Bundle* bundle) noexcept nogil:
    if s.ending != NULL:
        s.ending.apply(s.game.rules, position, bundle)
    else:
        s.game.apply(s.game.rules, position, &bundle.move)
