"""A game played to its end by a fast policy, in one world.

Turns are played as they are chosen, never packed; the worshipers in the centre stand a word a cell, where every
choice can load them at once; and the piles are not looked at, as the world says what comes.
"""

from libc.string cimport memcpy

from ..common.ints cimport u8, u64
from .determinize cimport World
from .policy cimport NOISE, random_turn, read_field, sensible_turn
from .realm cimport one
from .sampled cimport WIDE, sampled_turn
from .state cimport CELLS, NO_CELL, TURNS, Player, Rules, State
from .turn cimport CODE_BITS, IS_GOD, PLACE_SHIFT, SEEDS, Turn, lay_tile, removed_by


cdef enum:
    SAMPLES = 3  # of a turn, of which the best is played: what a search asks for


cdef inline void play_turn(
    const Rules* rules, State* state, u64* field, const Turn* turn, const u8** refill
) noexcept nogil:
    """What `state_apply` and `state_refill` do, but for the piles."""
    cdef Player* player = &state.player[state.who]
    cdef int cell = turn.cell, colour, i
    cdef u64 codes = turn.codes
    state.who += 1
    if state.who == rules.players:
        state.who = 0
        state.round += 1
    player.realm = turn.realm
    if turn.flags & IS_GOD:
        player.god = <u8>cell
        player.god_validated = turn.flags != IS_GOD
        state.gods &= ~(1 << cell)
        return
    colour = 8 * rules.tile[state.centre[cell]].colour
    for i in range(CELLS):
        field[i] += SEEDS[cell][i] << colour
    field[cell] = 0
    lay_tile(rules, state, player, turn.flags | <u64>turn.place << PLACE_SHIFT, cell)
    while codes:  # of a volcano that is validated, and of nothing else
        i = removed_by(codes)
        field[i // 5] -= one(i % 5)
        codes >>= CODE_BITS
    state.centre[cell] = refill[0][0]
    refill[0] += 1


cdef inline void play_out(
    const Rules* rules, State* state, const World* world, u64* rng, int style
) noexcept nogil:
    """`style`: 0 random, 1 sensible, 2 and more the best of so many samples; negative the same without AVX2."""
    cdef u64 field[CELLS]
    cdef Turn turn
    cdef const u8* refill = &world.order[world.refills - state.refills]
    cdef int i
    if state.round == TURNS:
        return
    read_field(state, field)
    # A loop for each, so that each is compiled for its own style.
    if style == 0:
        while state.round < TURNS:
            random_turn(rules, state, field, rng, &turn)
            play_turn(rules, state, field, &turn, &refill)
    elif style == SAMPLES and WIDE:
        while state.round < TURNS:
            sampled_turn(rules, state, field, SAMPLES, True, rng, &turn)
            play_turn(rules, state, field, &turn, &refill)
    else:
        while state.round < TURNS:
            if style == 1:
                sensible_turn(rules, state, field, NOISE, rng, &turn)
            else:
                sampled_turn(rules, state, field, abs(style), WIDE and style > 0, rng, &turn)
            play_turn(rules, state, field, &turn, &refill)

    # The piles ran out with the last refill.
    for i in range(CELLS):
        memcpy(&state.worshipers[5 * i], &field[i], 5)
    state.hole = NO_CELL
    state.refills = state.left[0] = state.left[1] = state.left[2] = 0
    state.unseen[0] = state.unseen[1] = 0
