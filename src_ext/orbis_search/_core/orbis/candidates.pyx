"""Moves for a tree, with weights.

MAIN has one way to play each tile, place, face and validation: the way to pay that keeps the realm varied, and
a volcano fed where most lies. EVERYTHING adds all other ways to pay, exchange, keep and feed, which share
half the weight of the way they vary. FEW is the top of MAIN.
"""

from libc.math cimport expf

from ..common.bits cimport lowest
from ..common.ints cimport u32, u64
from ..game cimport (
    EVERYTHING, FEW, GROUP_SHIFT, Candidate, CandidateList, MoveList, candidate_list_add, )
from .movegen cimport SEARCH_MOVES, Scratch, group_moves, without_mirrors
from .placement cimport coloured, supported
from .policy cimport (
    PERCENT, best_god_worth, colour_bytes, cost_for, face_up_worth, keep_limit, lose_common, pay,
    wild_worth,
)
from .realm cimport COLOURS, count, one, total
from .state cimport (
    CELLS, DEATH, DEATH_COST, IRRIGATION, LOVE, LOVE_GAIN, NO_GOD, PROSELYTISM, VILLAGE, VOLCANO, Player, Rules,
    State, Tile, cell_worshipers,
)
from .turn cimport (
    BESIDE, CODE_BITS, IS_VALID, IS_WILD, MAX_REMOVED, REALM_SHIFT, god_move, irrigated, region_move,
)

cdef enum:
    TEMPERATURE = 70  # in hundredths of a CP: this much more worth is e times the weight


cdef inline float weight_of(int worth) noexcept nogil:
    return expf(<float>worth / TEMPERATURE)


cdef int orbis_groups(const void* rules, const void* state, u32* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef const Player* player = &s.player[s.who]
    cdef int cell, n = 0
    if supported(player):
        for cell in range(CELLS):
            out[n] = <u32>cell << GROUP_SHIFT | s.centre[cell]
            n += 1
    if player.god == NO_GOD:
        out[n] = <u32>GOD_LANE << GROUP_SHIFT
        n += 1
    return n


cdef bint feed(const State* state, int cell, const Tile* tile, u64* codes) noexcept nogil:
    """Removes from the richest cells first: what lies there is what the next player would collect."""
    cdef u64 field[CELLS]
    cdef u64 allowed = colour_bytes(tile.colours)
    cdef int chosen[MAX_REMOVED]
    cdef int i, n, colour, best, sum_ = 0, code
    cdef const signed char* beside = BESIDE[cell]
    for i in range(CELLS):
        field[i] = cell_worshipers(state, i)
    while beside[0] >= 0:
        field[beside[0] // 5] += one(tile.colour)
        beside += 1
    field[cell] = 0
    for i in range(CELLS):
        sum_ += total(field[i] & allowed)
    if sum_ < tile.number:
        return False
    for n in range(tile.number):
        best = -1
        for i in range(CELLS):
            if field[i] & allowed and (best < 0 or total(field[i]) > total(field[best])):
                best = i
        colour = lowest(field[best] & allowed) >> 3
        for i in range(colour + 1, COLOURS):
            if count(field[best] & allowed, i) > count(field[best] & allowed, colour):
                colour = i
        field[best] -= one(colour)
        code = 5 * best + colour + 1
        i = n
        while i > 0 and chosen[i - 1] > code:
            chosen[i] = chosen[i - 1]
            i -= 1
        chosen[i] = code
    codes[0] = 0
    for n in range(tile.number):
        codes[0] |= <u64>chosen[n] << (CODE_BITS * n)
    return True


cdef int tile_candidates(const Rules* rules, const State* state, int cell, CandidateList* out) except -1 nogil:
    cdef const Player* player = &state.player[state.who]
    cdef const Tile* tile = &rules.tile[state.centre[cell]]
    cdef u64 collected = player.realm + cell_worshipers(state, cell), paid = collected, left, codes = 0
    cdef u32 places = without_mirrors(player, supported(player)), spots
    cdef int have, place, worth
    cdef u64 flags
    cdef bint fed = False

    # As wilderness, in any place.
    have = total(collected)
    left = keep_limit(collected, have, NULL)
    spots = places
    while spots:
        place = lowest(spots)
        spots &= spots - 1
        worth = wild_worth(rules, state, player, place, have)
        candidate_list_add(out, region_move(cell, place, IS_WILD, left), 0, weight_of(worth))

    # Face up, if it can be paid.
    have = pay(&paid, cost_for(player, tile), tile.any_cost, NULL)
    if have < 0:
        return 0
    if tile.effect == VOLCANO:
        fed = feed(state, cell, tile, &codes)
    if tile.effect == PROSELYTISM:
        if tile.colours:
            paid += tile.number * one(lowest(tile.colours))
        else:
            paid = gain_scarcest(paid, tile.number)
        have += tile.number
    spots = coloured(player, places, tile.colour)
    while spots:
        place = lowest(spots)
        spots &= spots - 1
        if tile.effect == VILLAGE:
            if have >= tile.number:
                worth = face_up_worth(rules, state, player, cell, place, have, True)
                left = keep_limit(lose_common(paid, tile.number), have - tile.number, NULL)
                candidate_list_add(out, region_move(cell, place, IS_VALID, left), 0, weight_of(worth))
            flags = 0
        elif tile.effect == VOLCANO:
            if fed:
                worth = face_up_worth(rules, state, player, cell, place, have, True)
                left = keep_limit(paid, have, NULL)
                candidate_list_add(out, region_move(cell, place, IS_VALID, left), codes, weight_of(worth))
            flags = 0
        elif tile.effect == IRRIGATION:
            flags = IS_VALID if irrigated(player, tile, place) else 0
        else:
            flags = IS_VALID
        worth = face_up_worth(rules, state, player, cell, place, have, flags != 0)
        candidate_list_add(out, region_move(cell, place, flags, keep_limit(paid, have, NULL)), 0, weight_of(worth))
    return 0


cdef inline u64 gain_scarcest(u64 realm, int n) noexcept nogil:
    cdef int colour, least
    while n > 0:
        least = 0
        for colour in range(1, COLOURS):
            if count(realm, colour) < count(realm, least):
                least = colour
        realm += one(least)
        n -= 1
    return realm


cdef int god_candidates(const Rules* rules, const State* state, CandidateList* out) except -1 nogil:
    cdef u64 realm = state.player[state.who].realm, left
    cdef int gods = state.gods, god, have = total(realm), worth
    while gods:
        god = lowest(gods)
        gods &= gods - 1
        worth = best_god_worth(rules, state, god)
        left = realm
        if god == LOVE:
            left = keep_limit(gain_scarcest(realm, LOVE_GAIN), have + LOVE_GAIN, NULL)
        elif god == DEATH:
            if have >= DEATH_COST:
                candidate_list_add(
                    out, god_move(god, True, lose_common(realm, DEATH_COST)), 0, weight_of(worth)
                )
            candidate_list_add(out, god_move(god, False, realm), 0, weight_of(worth - 3 * PERCENT))
            continue
        candidate_list_add(out, god_move(god, True, left), 0, weight_of(worth))
    return 0


cdef int keep_few(CandidateList* out, size_t start) noexcept nogil:
    """Of what was added from `start` on, the few heaviest, heaviest first."""
    cdef size_t i, best, kept = 0
    cdef Candidate swap_
    while kept < FEW_MOST and start + kept < out.count:
        best = start + kept
        for i in range(best + 1, out.count):
            if out.item[i].weight > out.item[best].weight:
                best = i
        swap_ = out.item[start + kept]
        out.item[start + kept] = out.item[best]
        out.item[best] = swap_
        kept += 1
    out.count = start + kept
    return 0


cdef int add_variants(
    const Rules* rules, Scratch* scratch, const State* state, int lane, size_t start, CandidateList* out
) except -1 nogil:
    """All search moves of the lane; those that vary a main one share half of its weight."""
    cdef MoveList* found = &scratch.found
    cdef size_t main_count = out.count, i, k, same
    cdef u64 head_mask = (<u64>1 << REALM_SHIFT) - 1
    # A volcano of many worshipers can be fed in thousands of millions of ways: no tree has use for them.
    if group_moves(rules, scratch, state, SEARCH_MOVES, lane, NULL) > VARIANTS_MOST:
        return 0
    found.count = 0
    group_moves(rules, scratch, state, SEARCH_MOVES, lane, found)
    for i in range(start, main_count):
        same = 0
        for k in range(found.count):
            same += (found.item[k].what & head_mask) == (out.item[i].move.what & head_mask)
        if same < 2:
            continue
        for k in range(found.count):
            if (found.item[k].what & head_mask) != (out.item[i].move.what & head_mask):
                continue
            if found.item[k].what == out.item[i].move.what and found.item[k].detail == out.item[i].move.detail:
                continue
            candidate_list_add(
                out, found.item[k].what, found.item[k].detail, out.item[i].weight / (2 * <float>(same - 1))
            )
    return 0


cdef int orbis_candidates(
    const void* rules, void* scratch, const void* state, u32 group, int extent, CandidateList* out
) except -1 nogil:
    cdef int lane = group >> GROUP_SHIFT
    cdef size_t start = out.count
    if lane == GOD_LANE:
        god_candidates(<const Rules*>rules, <const State*>state, out)
    else:
        tile_candidates(<const Rules*>rules, <const State*>state, lane, out)
    if extent == FEW:
        keep_few(out, start)
    elif extent == EVERYTHING:
        add_variants(<const Rules*>rules, <Scratch*>scratch, <const State*>state, lane, start, out)
    return 0
