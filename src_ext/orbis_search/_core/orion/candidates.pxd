"""What a tree search asks: groups of moves, and how likely each move seems to be good."""

from ..common.ints cimport u32
from ..game cimport CandidateList, MoveList
from .cards cimport Rules
from .state cimport State


cdef struct Scratch:
    MoveList moves


cdef u32 orion_groups(const void* rules, const void* state, u32* lanes) noexcept nogil
cdef int orion_candidates(
    const void* rules, void* scratch, const void* state, u32 group, int extent, CandidateList* out
) except -1 nogil
