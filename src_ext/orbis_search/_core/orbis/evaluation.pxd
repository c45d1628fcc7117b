"""What a network thinks will come of a state."""

from ..common.ints cimport u64
from ..game cimport Estimate
from ..network cimport RawNetwork
from .scoring cimport SOURCES
from .state cimport Rules, State

cdef enum:
    OUTPUTS = 16  # a player: the victory, where the points come from, and two for a game that ends level
    LEVEL = SOURCES + 1
    LEVEL_SHARE = SOURCES + 2


cdef void state_evaluate(
    const Rules* rules, const RawNetwork* network, const State* state, Estimate* out
) noexcept nogil
