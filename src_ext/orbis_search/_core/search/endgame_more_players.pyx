"""The exact search for three and four players; endgame_more_players.pxd says what a value means."""

from libc.string cimport memcpy, memset

from ..common.ints cimport i64, u64
from ..game cimport MAX_DRAWS, MAX_PLAYERS, OVER, WHOLE, Draw, Outcome
from .endgame_worker cimport (
    FAULT_DEPTH, FAULT_SCALE, IDEA_TABLE, MAX_PLY, Level, Shared, Worker, below_all, count, enough, make_room,
    out_of_time,
)
from .table cimport note_wide, recall_wide


cdef void end_values(Shared* s, const void* state, i64 scale, i64* out) noexcept nogil:
    cdef Outcome outcome
    cdef int i, j
    cdef i64 other
    s.game.outcome(s.game.rules, state, &outcome)
    for i in range(s.game.players):
        if s.margin:
            other = below_all()
            for j in range(s.game.players):
                if j != i:
                    other = max(other, outcome.points[j])
            out[i] = (outcome.points[i] - other) * scale
        else:
            out[i] = outcome.share[i] * scale


cdef int search_wide(Worker* w, int ply, int chance, i64* out) except -1 nogil:
    cdef Shared* s = w.shared
    cdef Level* level = &w.level[ply]
    cdef int i, players = s.game.players, who = s.game.to_move(s.game.rules, level.position)
    cdef u64 key = 0
    cdef i64 value[MAX_PLAYERS]
    cdef size_t k
    cdef bint any_ = False

    # 1. Count, and stop when asked to.
    count(w)
    if out_of_time(w):
        return 0
    if ply + 2 >= MAX_PLY:
        w.fault = FAULT_DEPTH
        w.stopped = True
        return 0
    memset(out, 0, MAX_PLAYERS * sizeof(i64))
    if who == OVER:
        end_values(s, level.position, s.scale[chance], out)
        return 0

    # 2. What is known of it.
    if s.ideas & IDEA_TABLE:
        key = s.game.key(s.game.rules, level.position)
        if recall_wide(&s.table, key, out):
            return 0

    # 3. Every move but those that lead to the same. Working them out may take long: the clock is looked at each time.
    if enough(w, 0):
        return 0
    level.moves.count = 0
    s.game.moves(s.game.rules, w.scratch, level.position, s.game.same, &level.moves)
    if w.stopped:
        return 0
    for k in range(level.moves.count):
        memcpy(w.level[ply + 1].waiting, level.position, s.size)
        s.game.apply(s.game.rules, w.level[ply + 1].waiting, &level.moves.item[k])
        after_wide(w, ply, chance, value)
        if w.stopped:
            return 0
        if not any_ or is_better(value, out, who, players):
            memcpy(out, value, sizeof(value))
            any_ = True
        # The whole victory leaves nothing to the others: no move can be better, nor give less.
        if not s.margin and out[who] == WHOLE * s.scale[chance]:
            break

    # 4. Remember.
    if s.ideas & IDEA_TABLE:
        note_wide(&s.table, key, out)
        make_room(w)
    return 0


cdef int after_wide(Worker* w, int ply, int chance, i64* out) except -1 nogil:
    cdef Shared* s = w.shared
    cdef Level* level = &w.level[ply + 1]
    cdef Draw drawn[MAX_DRAWS]
    cdef i64 value[MAX_PLAYERS]
    cdef i64 weights = 0
    cdef int i, j, k, n
    memset(out, 0, MAX_PLAYERS * sizeof(i64))
    if s.game.to_move(s.game.rules, level.waiting) == OVER:
        count(w)
        end_values(s, level.waiting, s.scale[chance], out)
        return 0
    n = s.game.draws(s.game.rules, level.waiting, drawn)
    if n == 0:
        memcpy(level.position, level.waiting, s.size)
        return search_wide(w, ply + 1, chance, out)
    for i in range(n):
        weights += drawn[i].weight
    if chance >= s.draws or weights * s.scale[chance + 1] != s.scale[chance]:
        w.fault = FAULT_SCALE
        w.stopped = True
        return 0
    for k in range(n):
        i = n - 1 - k if w.backwards and ply == 0 else k
        memcpy(level.position, level.waiting, s.size)
        s.game.draw(s.game.rules, level.position, drawn[i].what)
        search_wide(w, ply + 1, chance + 1, value)
        if w.stopped:
            return 0
        for j in range(s.game.players):
            out[j] += drawn[i].weight * value[j]
    return 0
