"""What a network sees of a state: numbers that say what tiles cost, give and do for whom, never which tile it is."""

from ..common.ints cimport i16
from .state cimport Rough, Rules, State, Tile

cdef enum:
    PLAYER_INPUTS = 68  # for each player, from the one to move on
    COMMON_INPUTS = 34
    MAX_INPUTS = 4 * PLAYER_INPUTS + COMMON_INPUTS
    MOST_INPUT = 255  # an input lies between this and its negative


cdef void state_inputs(const Rules* rules, const State* state, i16* out) noexcept nogil
cdef void summary_of(const Tile* tile, const Rough* rough, i16* out) noexcept nogil
