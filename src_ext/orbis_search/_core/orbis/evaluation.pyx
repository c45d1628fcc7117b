"""What a network thinks will come of a state: whole numbers to the end, so that every machine has the same.

The outputs are in parts of UNIT. The victory is shared as exp of the first of each player; the next SOURCES are points
by source, of which the last, worshipers left, are no points, and only the wilderness can cost any; then how often the player ends level on points with the
best of the others, and the part of the victory that this brings.
"""

from ..common.ints cimport i16, i32, i64, u64
from ..game cimport MAX_PLAYERS
from ..network cimport network_run
from .inputs cimport MAX_INPUTS, state_inputs
from .scoring cimport WILDERNESS_POINTS, WORSHIPERS_LEFT

cdef enum:
    UNIT = 1024
    STEP = 64  # the exponential is looked up in two steps, a coarse and a fine one
    STEPS = 256
    ONE_BITS = 30

cdef u64 FINE[STEP]  # exp(-i / UNIT), in 1 << ONE_BITS
cdef u64 COARSE[STEPS]  # exp(-i * STEP / UNIT)


cdef void make_tables() noexcept:
    cdef int i
    FINE[0] = COARSE[0] = <u64>1 << ONE_BITS
    for i in range(1, STEP):
        FINE[i] = FINE[i - 1] * 1072693760 >> ONE_BITS
    for i in range(1, STEPS):
        COARSE[i] = COARSE[i - 1] * 1008687096 >> ONE_BITS


make_tables()


cdef inline u64 fallen(i64 by) noexcept nogil:
    """exp(-by / UNIT), in 1 << ONE_BITS; never 0."""
    if by >= STEP * STEPS:
        by = STEP * STEPS - 1
    return FINE[by % STEP] * COARSE[by // STEP] >> ONE_BITS


cdef inline double part(i32 value) noexcept nogil:
    """Of a whole, which a sum of products may miss a little."""
    return max(0, min(value, <i32>UNIT)) / <double>UNIT


cdef void state_evaluate(
    const Rules* rules, const RawNetwork* network, const State* state, Estimate* out
) noexcept nogil:
    cdef i16 inputs[MAX_INPUTS]
    cdef i32 outputs[MAX_PLAYERS * OUTPUTS]
    cdef u64 shares[MAX_PLAYERS]
    cdef u64 all_shares = 0
    cdef i64 points
    cdef i32 best, source
    cdef const i32* mine
    cdef int i, k, n
    state_inputs(rules, state, inputs)
    network_run(network, inputs, outputs)
    best = outputs[0]
    for k in range(1, rules.players):
        best = max(best, outputs[OUTPUTS * k])
    for k in range(rules.players):
        shares[k] = fallen(<i64>best - outputs[OUTPUTS * k])
        all_shares += shares[k]
    for k in range(rules.players):
        i = (state.who + k) % rules.players
        mine = &outputs[OUTPUTS * k]
        out.share[i] = shares[k] / <double>all_shares
        points = 0
        for n in range(SOURCES):
            source = mine[1 + n] if n == WILDERNESS_POINTS else max(0, mine[1 + n])
            points += source if n != WORSHIPERS_LEFT else 0
            out.detail[SOURCES * i + n] = source / <double>UNIT
        out.points[i] = points / <double>UNIT
        out.level[i] = part(mine[LEVEL])
        out.level_share[i] = min(part(mine[LEVEL_SHARE]), out.level[i])
