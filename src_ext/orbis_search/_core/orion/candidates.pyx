"""What a tree search asks: groups of moves, and how likely each move seems to be good.

What can be done in a decision follows from what lies open and from the own hand. A view leaves the hand out, so the
groups have to tell hands apart:

    lane 0            everything that does not depend on the hand
    lane 1 + n % 15   what can be done with the cards n of the hand; the variety has a bit for each n // 15 there

Two cards of one lane in one hand are rare, and then they are a group of their own.
"""

from libc.math cimport exp
from libc.string cimport memset

from ..common.bits cimport lowest
from ..common.ints cimport u32, u64
from ..game cimport (
    EVERYTHING, FEW, GROUP_SHIFT, MAX_LANES, NO_GROUP, CandidateList, Move, candidate_list_add,
)
from .cards cimport MAX_NAMES, Rules
from .movegen cimport M_REORDER, Sink, kind_of, list_moves, place_of, sink_open
from .policy cimport Look, judge, look_at
from .state cimport (
    DROP, PICK_BUILD, SWAP, SYSTEM_SIZE, Side, State, Task, hand_names, state_to_move,
)

cdef enum:
    CARD_LANES = MAX_LANES - 1
    FEW_MOVES = 3

# So much better at a glance is e times as likely to be good: where few moves are tried, as in playouts nearly, so that
# nobody is expected to play much worse than there; at the root everything is looked at.
cdef double SOFT = 10.0
cdef double SHARP = 2.0


cdef inline u32 lane_of(int name) noexcept nogil:
    return 1 + <u32>(name % CARD_LANES)


cdef bint can_build(const Rules* rules, const State* state, int name) noexcept nogil:
    cdef Sink sink
    sink_open(&sink)
    sink.only = <u64>1 << name
    sink.no_others = True
    sink.enough = True
    list_moves(rules, state, &sink)
    return sink.count > 0


cdef u32 orion_groups(const void* rules, const void* state, u32* lanes) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef const Rules* r = <const Rules*>rules
    cdef const Task* task = &s.task[s.tasks - 1] if s.tasks else NULL
    cdef const Side* side = &s.side[state_to_move(s)]
    cdef u64 names = 0
    cdef u32 found = 0, lane, bit
    cdef bint others = True
    cdef int name
    memset(lanes, 0xFF, MAX_LANES * sizeof(u32))
    if task == NULL or task.kind == SWAP:
        names = hand_names(side)
    elif task.kind == DROP:
        names = task.one | task.two if task.flag else hand_names(side)
        others = False
    elif task.kind == PICK_BUILD:
        names = hand_names(side)
        others = task.flag
    if others:
        lanes[0] = 1
        found = 1
    while names:
        name = lowest(names)
        names &= names - 1
        if task != NULL and task.kind == PICK_BUILD and not can_build(r, s, name):
            continue
        lane = lane_of(name)
        bit = <u32>1 << (name // CARD_LANES)
        if found >> lane & 1:
            lanes[lane] |= bit
        else:
            lanes[lane] = lane << GROUP_SHIFT | bit
            found |= <u32>1 << lane
    return found


cdef int orion_candidates(
    const void* rules, void* scratch, const void* state, u32 group, int extent, CandidateList* out
) except -1 nogil:
    cdef Scratch* work = <Scratch*>scratch
    cdef const State* s = <const State*>state
    cdef u32 lane = group >> GROUP_SHIFT
    cdef Sink sink
    cdef Look look
    cdef Move* move
    cdef size_t i, j, k, start = out.count
    cdef float weight, least
    cdef double softness = SHARP if extent == FEW else SOFT
    sink_open(&sink)
    work.moves.count = 0
    sink.list = &work.moves
    if lane == 0:
        sink.no_hand = True
    else:
        sink.no_others = True
        sink.only = 0
        for i in range(MAX_NAMES):
            if lane_of(<int>i) == lane and group >> (i // CARD_LANES) & 1:
                sink.only |= <u64>1 << i
    list_moves(<const Rules*>rules, s, &sink)
    if sink.failed:
        with gil:
            raise MemoryError("no memory for moves")
    look_at(&look, <const Rules*>rules, s)
    for i in range(work.moves.count):
        move = &work.moves.item[i]
        if extent != EVERYTHING and kind_of(move.what) == M_REORDER and i and same_top(s, move, move - 1):
            continue  # which card is on top matters most
        weight = <float>exp(min(20.0, max(-20.0, judge(&look, move.what, move.detail) / softness)))
        if extent == FEW and out.count - start == FEW_MOVES:
            least = weight
            k = FEW_MOVES
            for j in range(FEW_MOVES):
                if out.item[start + j].weight < least:
                    least = out.item[start + j].weight
                    k = j
            if k < FEW_MOVES:
                out.item[start + k].move = move[0]
                out.item[start + k].weight = weight
            continue
        candidate_list_add(out, move.what, move.detail, weight)
    return 0


cdef inline bint same_top(const State* state, const Move* move, const Move* other) noexcept nogil:
    """Whether two orders have the same card on top, of the same system."""
    cdef int system = place_of(move.what), seat = state_to_move(state)
    cdef int shift = 8 * (state.side[seat].height[system] - 1)
    return move.what == other.what and move.detail >> shift == other.detail >> shift
