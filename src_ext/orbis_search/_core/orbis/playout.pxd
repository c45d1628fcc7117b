"""A game played to its end by a fast policy, in one world."""

from ..common.ints cimport u64
from ..game cimport Move
from .determinize cimport World, refill_of
from .policy cimport random_move, sensible_move
from .state cimport NO_CELL, TURNS, Rules, State
from .turn cimport state_apply, state_refill


cdef inline void play_out(
    const Rules* rules, State* state, const World* world, u64* rng, bint sensible
) noexcept nogil:
    cdef Move move
    while state.round < TURNS:
        if sensible:
            sensible_move(rules, state, rng, &move)
        else:
            random_move(rules, state, rng, &move)
        state_apply(rules, state, &move)
        if state.hole != NO_CELL:
            state_refill(rules, state, refill_of(state, world))
