"""A game played to its end by a fast policy, in one world."""

from ..common.ints cimport u64
from ..game cimport Move
from .determinize cimport World, refill_of
from .policy cimport NOISE, random_move, sampled_move, sensible_move
from .state cimport NO_CELL, TURNS, Rules, State
from .turn cimport state_apply, state_refill


cdef inline void play_out(
    const Rules* rules, State* state, const World* world, u64* rng, int style
) noexcept nogil:
    """`style`: 0 random, 1 sensible, 2 and more the best of so many samples."""
    cdef Move move
    while state.round < TURNS:
        if style == 0:
            random_move(rules, state, rng, &move)
        elif style == 1:
            sensible_move(rules, state, NOISE, rng, &move)
        else:
            sampled_move(rules, state, style, rng, &move)
        state_apply(rules, state, &move)
        if state.hole != NO_CELL:
            state_refill(rules, state, refill_of(state, world))
