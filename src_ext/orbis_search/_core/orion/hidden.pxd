"""What nobody or not everybody sees: worlds, guesses, and what a player knows."""

from ..common.ints cimport u32, u64
from .cards cimport Rules
from .state cimport State


# A course of chance: which of the cards in the deck comes next, by the number of draws so far; or the first of them.
cdef struct World:
    u64 seed
    u64 listed


cdef void determinize(const Rules* rules, State* state, int observer, u64* rng, World* world) noexcept nogil
cdef int next_card(const State* state, const World* world) noexcept nogil
cdef u64 state_view(const Rules* rules, const State* state, int player) noexcept nogil
cdef u64 state_key(const Rules* rules, const State* state) noexcept nogil
