"""One guess at the hidden order of the piles, kept apart from the state."""

from ..common.bits cimport lowest
from ..common.ints cimport u8, u64
from ..common.rng cimport rng_below
from .state cimport Rules, State

cdef enum:
    MAX_PILES = 56  # region turns of four players
    MAX_UNSEEN = 128


cdef struct World:
    u8 order[MAX_PILES]  # every refill to come, the next one first
    u8 refills  # how many were to come when it was made


cdef inline void shuffle_piles(const Rules* rules, const State* state, u64* rng, World* world) noexcept nogil:
    """Each pile in an order of its own; of a pile that may hold more than it does, a random choice."""
    cdef u8 pool[MAX_UNSEEN]
    cdef int level, n, i, j, word, out = 0
    cdef u64 bits
    for level in range(3):
        if state.left[level] == 0:
            continue
        n = 0
        for word in range(2):
            bits = state.unseen[word] & rules.of_level[level][word]
            while bits:
                pool[n] = <u8>(64 * word + lowest(bits))
                bits &= bits - 1
                n += 1
        for i in range(state.left[level]):
            j = i + rng_below(rng, n - i)
            world.order[out] = pool[j]
            pool[j] = pool[i]
            out += 1
    world.refills = <u8>out


cdef inline int refill_of(const State* state, const World* world) noexcept nogil:
    """The tile that this world brings into the hole."""
    return world.order[world.refills - state.refills]
