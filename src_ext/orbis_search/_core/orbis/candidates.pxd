"""Moves for a tree, with weights: which of them seem worth a look before anything is searched."""

from ..common.ints cimport u32
from ..game cimport CandidateList
from .movegen cimport Scratch
from .state cimport Rules, State

cdef enum:
    GOD_LANE = 9  # lanes 0-8 are the cells
    ALL_CELLS = (1 << 9) - 1
    FEW_MOST = 4  # candidates of a group that FEW keeps
    VARIANTS_MOST = 100_000  # ways to play a group beyond which EVERYTHING is MAIN
    WORK_MOST = 1 << 20  # and so it is where counting them takes more, in moves: see `REALM_WORK`

cdef u32 orbis_groups(const void* rules, const void* state, u32* lanes) noexcept nogil
cdef int orbis_candidates(
    const void* rules, void* scratch, const void* state, u32 group, int extent, CandidateList* out
) except -1 nogil
