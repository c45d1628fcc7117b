"""The exact search for two players; endgame_two_players.pxd says what a value means."""

from libc.stdlib cimport qsort
from libc.string cimport memcpy

from ..common.ints cimport i32, i64, u64
from ..common.rng cimport fold
from ..game cimport MAX_DRAWS, OVER, SINGLE, WHOLE, Bundle, BundleList, Draw, Move, Outcome, bundle_list_add
from .endgame_worker cimport (
    EVERY_RULE, FAULT_DEPTH, FAULT_SCALE, IDEA_BOUNDS, IDEA_BUNDLES, IDEA_FINISH, IDEA_ORDER, IDEA_SCOUT, IDEA_SHARES,
    IDEA_STAR1, IDEA_TABLE, MAX_PLY, Level, Shared, Worker, below_all, count, make_room, out_of_time,
)
from .table cimport Entry, note, recall

cdef enum:
    HISTORY_MOST = 1 << 20
    SHORT_LIST = 64


# ---- moves, in bundles where the game knows any -----------------------------------------------------

cdef inline int list_bundles(Worker* w, Level* level, const void* position, BundleList* out) except -1 nogil:
    cdef Shared* s = w.shared
    cdef size_t k
    out.count = 0
    if s.ending != NULL:
        return s.ending.bundles(s.game.rules, w.scratch, position, out)
    level.moves.count = 0
    s.game.moves(s.game.rules, w.scratch, position, EVERY_RULE, &level.moves)
    for k in range(level.moves.count):
        bundle_list_add(out, level.moves.item[k].what, level.moves.item[k].detail, SINGLE)
    return 0


cdef inline bint bundle_holds(Shared* s, const Bundle* bundle, u64 what) noexcept nogil:
    cdef Move move
    if s.ending == NULL:
        return bundle.move.what == what
    move.what = what
    move.detail = 0
    return s.ending.holds(s.game.rules, bundle, &move)


cdef inline int by_order(const void* a, const void* b) noexcept nogil:
    """Largest order first; then by what it is, so that the result never depends on the sort."""
    cdef const Bundle* x = <const Bundle*>a
    cdef const Bundle* y = <const Bundle*>b
    if x.order != y.order:
        return -1 if x.order > y.order else 1
    if x.move.what != y.move.what:
        return -1 if x.move.what < y.move.what else 1
    if x.move.detail != y.move.detail:
        return -1 if x.move.detail < y.move.detail else 1
    return 0


cdef void order_bundles(Worker* w, BundleList* list, int who, u64 first, bint has_first) noexcept nogil:
    """By the game's own order and what was best elsewhere; the best move known comes first of all. A long list is
    sorted, a short one only as far as `next_bundle` is called: most are not looked through to their end."""
    cdef size_t i
    cdef Shared* s = w.shared
    for i in range(list.count):
        if s.ideas & IDEA_ORDER:
            list.item[i].order += <i32>w.history[who][list.item[i].kind]
        if has_first and bundle_holds(s, &list.item[i], first):
            list.item[i].order = 1 << 30
    if list.count > SHORT_LIST:
        qsort(list.item, list.count, sizeof(Bundle), by_order)


cdef inline Bundle* next_bundle(BundleList* list, size_t k) noexcept nogil:
    """Number k in order, when all before it have been asked for."""
    cdef size_t i, first = k
    cdef Bundle moved
    if list.count <= SHORT_LIST:
        for i in range(k + 1, list.count):
            if by_order(&list.item[i], &list.item[first]) < 0:
                first = i
        if first != k:
            moved = list.item[k]
            list.item[k] = list.item[first]
            list.item[first] = moved
    return &list.item[k]


cdef int list_in_order(Worker* w, int who, BundleList* out) except -1 nogil:
    cdef size_t k
    list_bundles(w, &w.level[0], w.level[0].position, out)
    order_bundles(w, out, who, 0, False)
    for k in range(out.count):
        next_bundle(out, k)
    return 0


# ---- the search -------------------------------------------------------------------------------------

cdef inline void key_of(Shared* s, const void* position, u64* key) noexcept nogil:
    if s.ending != NULL:
        s.ending.key(s.game.rules, position, s.margin, key)
    else:
        key[1] = s.game.key(s.game.rules, position)
        key[0] = fold(key[1], <u64>0x9E3779B97F4A7C15)


cdef i64 end_value(Shared* s, const void* position, int who) noexcept nogil:
    """The end for player `who` of two."""
    cdef Outcome outcome
    s.game.outcome(s.game.rules, position, &outcome)
    if s.margin:
        return outcome.points[who] - outcome.points[1 - who]
    return outcome.share[who] // (WHOLE // 2) - 1


cdef i64 search(Worker* w, int ply, int chance, i64 alpha, i64 beta) except? -0x7FFFFFFFFFFFFFFF nogil:
    cdef Shared* s = w.shared
    cdef Level* level = &w.level[ply]
    cdef BundleList* list = &level.bundles[0]
    cdef i64 scale = s.scale[chance], low = -s.most * scale, high = s.most * scale, best, v, old_alpha = alpha
    cdef i32 least, most
    cdef u64 key[2]
    cdef u64 best_what = 0
    cdef bint known = False
    cdef Entry entry
    cdef size_t k
    cdef int who = s.game.to_move(s.game.rules, level.position)
    cdef Bundle* bundle
    cdef Bundle* chosen = NULL

    # 1. Count, and stop when asked to.
    count(w)
    if out_of_time(w):
        return 0
    if ply + 2 >= MAX_PLY:
        w.fault = FAULT_DEPTH
        w.stopped = True
        return 0

    # 2. The last turns, solved at once.
    if s.ending != NULL and s.ideas & IDEA_FINISH:
        if s.ending.finish(s.game.rules, w.scratch, level.position, s.margin, scale, alpha, beta, &v):
            return v

    # 3. What can still be reached at all.
    if s.ending != NULL and s.ideas & IDEA_BOUNDS:
        s.ending.bounds(s.game.rules, level.position, s.margin, &least, &most)
        low, high = max(low, least * scale), min(high, most * scale)
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high

    # 4. What is known of it.
    if s.ideas & IDEA_TABLE:
        key_of(s, level.position, key)
        known = recall(&s.table, key, &entry)
        if known:
            low, high = max(low, entry.low), min(high, entry.high)
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
            best_what = entry.what
    # Outside of what is possible nothing need be told apart: at `high` or more it is `high`, at `low` or less `low`.
    alpha, beta = max(alpha, low), min(beta, high)
    old_alpha = alpha

    # 5. The moves, most promising first.
    list_bundles(w, level, level.position, list)
    order_bundles(w, list, who, best_what, known)

    # 6. Try them.
    best = below_all()
    for k in range(list.count):
        bundle = next_bundle(list, k)
        v = try_bundle(w, ply, chance, bundle, 0, alpha, beta, k == 0, &best_what)
        if w.stopped:
            return 0
        if v > best:
            best = v
            chosen = bundle
        if best >= beta:
            break
        alpha = max(alpha, best)

    # 7. Remember. A bound that was known may be better than the one found.
    if s.ideas & IDEA_ORDER and best > old_alpha and chosen != NULL:
        w.history[who][chosen.kind] += (HISTORY_MOST - w.history[who][chosen.kind]) >> 6
    if best <= old_alpha:
        high = best = max(low, min(high, best))
    elif best >= beta:
        low = best = min(high, max(low, best))
    else:
        low = high = best
    if s.ideas & IDEA_TABLE:
        note(&s.table, key, low, high, best_what, s.draws - chance > 3)
        make_room(w)
    return best


cdef i64 try_bundle(
    Worker* w, int ply, int chance, const Bundle* bundle, int depth, i64 alpha, i64 beta, bint first, u64* best_what
) except? -0x7FFFFFFFFFFFFFFF nogil:
    """The best of a bundle's moves, for the mover of level[ply].position; `best_what` follows what raises alpha."""
    cdef Shared* s = w.shared
    cdef Level* level = &w.level[ply]
    cdef void* waiting = w.level[ply + 1].waiting
    cdef BundleList* list
    cdef i64 best, v
    cdef size_t k

    # 1. One move: exactly. Of later ones only whether they are better, and by how much if they are.
    if bundle.level == SINGLE:
        memcpy(waiting, level.position, s.size)
        apply_bundle(s, waiting, bundle)
        if first or beta <= alpha + 1 or not s.ideas & IDEA_SCOUT:
            v = after(w, ply, chance, alpha, beta)
        else:
            v = after(w, ply, chance, alpha, alpha + 1)
            if not w.stopped and alpha < v < beta:
                memcpy(waiting, level.position, s.size)
                apply_bundle(s, waiting, bundle)
                v = after(w, ply, chance, alpha, beta)
        if v > alpha and not w.stopped:
            best_what[0] = bundle.move.what
        return v

    # 2. All of them as one that is at least as good as each.
    if s.ideas & IDEA_BUNDLES and alpha >= -s.most * s.scale[chance]:
        memcpy(waiting, level.position, s.size)
        apply_bundle(s, waiting, bundle)
        v = after(w, ply, chance, alpha, alpha + 1)
        if w.stopped or v <= alpha:
            return v

    # 3. Its parts.
    best = below_all()
    list = &level.bundles[depth + 1]
    list.count = 0
    s.ending.split(s.game.rules, w.scratch, level.position, bundle, list)
    if w.stopped:
        return 0
    order_bundles(w, list, s.game.to_move(s.game.rules, level.position), best_what[0], True)
    for k in range(list.count):
        v = try_bundle(w, ply, chance, next_bundle(list, k), depth + 1, alpha, beta, first and k == 0, best_what)
        if w.stopped:
            return 0
        best = max(best, v)
        if best >= beta:
            break
        alpha = max(alpha, best)
    return best


# ---- chance -----------------------------------------------------------------------------------------

cdef inline i64 floor_div(i64 a, i64 b) noexcept nogil:
    cdef i64 q = a // b
    return q - 1 if a % b < 0 else q


cdef inline i64 ceil_div(i64 a, i64 b) noexcept nogil:
    return -floor_div(-a, b)


cdef inline void recall_draw(Worker* w, const void* position, i64* low, i64* high) noexcept nogil:
    """What the table knows of a position, for the player who does not move there."""
    cdef u64 key[2]
    cdef Entry entry
    key_of(w.shared, position, key)
    if recall(&w.shared.table, key, &entry):
        low[0], high[0] = max(low[0], -entry.high), min(high[0], -entry.low)


cdef i64 after(Worker* w, int ply, int chance, i64 alpha, i64 beta) except? -0x7FFFFFFFFFFFFFFF nogil:
    cdef Shared* s = w.shared
    cdef Level* level = &w.level[ply + 1]
    cdef Draw drawn[MAX_DRAWS]
    cdef i64 low[MAX_DRAWS]
    cdef i64 high[MAX_DRAWS]
    cdef i64 weights = 0, scale, sum_low, sum_high, v, a, b
    cdef int i, j, n
    cdef double part
    cdef bint star = (s.ideas & IDEA_STAR1) != 0

    # 1. The end; nothing drawn now changes it.
    if s.game.to_move(s.game.rules, level.waiting) == OVER:
        count(w)
        return end_value(s, level.waiting, s.game.to_move(s.game.rules, w.level[ply].position)) * s.scale[chance]

    # 2. No draw.
    n = s.game.draws(s.game.rules, level.waiting, drawn)
    if n == 0:
        memcpy(level.position, level.waiting, s.size)
        return after_draw(w, ply, chance, alpha, beta)
    for i in range(n):
        weights += drawn[i].weight
    if chance >= s.draws or weights * s.scale[chance + 1] != s.scale[chance]:
        w.fault = FAULT_SCALE
        w.stopped = True
        return 0

    # 3. What is known of each draw before anything is searched.
    scale = s.scale[chance + 1]
    for i in range(n):
        low[i] = -s.most * scale
        high[i] = s.most * scale
    sum_low, sum_high = -s.most * s.scale[chance], s.most * s.scale[chance]
    if star and s.ideas & IDEA_SHARES and n > 1 and s.draws - chance > 3:
        if s.ideas & IDEA_TABLE:
            for i in range(n):
                memcpy(level.position, level.waiting, s.size)
                s.game.draw(s.game.rules, level.position, drawn[i].what)
                if s.game.to_move(s.game.rules, level.position) != s.game.to_move(s.game.rules, w.level[ply].position):
                    recall_draw(w, level.position, &low[i], &high[i])
            sum_low = sum_high = 0
            for i in range(n):
                sum_low += low[i] * drawn[i].weight
                sum_high += high[i] * drawn[i].weight
            if sum_high <= alpha:
                return sum_high
            if sum_low >= beta:
                return sum_low

        # 4. A narrow window: each draw gets its share of it, and is only asked whether it is above or below. Each
        #    answer narrows what is left to share out, until the sum is decided.
        while beta == alpha + 1:
            for j in range(n):
                i = n - 1 - j if w.backwards and ply == 0 else j
                if low[i] == high[i]:
                    continue
                part = <double>(alpha - sum_low) / <double>(sum_high - sum_low)  # where to ask; no value depends on it
                a = max(low[i], min(high[i] - 1, low[i] + <i64>(part * <double>(high[i] - low[i]))))
                memcpy(level.position, level.waiting, s.size)
                s.game.draw(s.game.rules, level.position, drawn[i].what)
                v = after_draw(w, ply, chance + 1, a, a + 1)
                if w.stopped:
                    return 0
                if v <= a:
                    sum_high -= (high[i] - v) * drawn[i].weight
                    high[i] = v
                else:
                    sum_low += (v - low[i]) * drawn[i].weight
                    low[i] = v
                if sum_high <= alpha:
                    return sum_high
                if sum_low >= beta:
                    return sum_low

    # 5. Each draw in the window that the others leave it (Star1).
    for j in range(n):
        i = n - 1 - j if w.backwards and ply == 0 else j
        if low[i] == high[i]:
            continue
        a, b = -s.most * scale - 1, s.most * scale + 1
        if star:
            a = floor_div(alpha - (sum_high - drawn[i].weight * high[i]), drawn[i].weight)
            b = ceil_div(beta - (sum_low - drawn[i].weight * low[i]), drawn[i].weight)
        memcpy(level.position, level.waiting, s.size)
        s.game.draw(s.game.rules, level.position, drawn[i].what)
        v = after_draw(w, ply, chance + 1, a, b)
        if w.stopped:
            return 0
        if v < b and v < high[i]:
            sum_high -= (high[i] - v) * drawn[i].weight
            high[i] = v
        if v > a and v > low[i]:
            sum_low += (v - low[i]) * drawn[i].weight
            low[i] = v
        if sum_high <= alpha:
            return sum_high
        if sum_low >= beta:
            return sum_low
    return sum_low
