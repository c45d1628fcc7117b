"""Moves for a tree, with weights.

MAIN has one way to play each tile, place, face and validation: the way to pay that keeps the realm varied, and
a volcano fed where most lies. EVERYTHING adds all other ways to pay, exchange, keep and feed: together half the weight of
the way they vary, more of it for what keeps more or leaves the next player less. FEW is the top of MAIN.
"""

from libc.math cimport exp
from libc.string cimport memcpy, memset

from ..common.bits cimport lowest, popcount
from ..common.ints cimport u32, u64
from ..game cimport (
    EVERYTHING, FEW, GROUP_SHIFT, MAX_LANES, Candidate, CandidateList, Enough, Move, MoveList, candidate_list_add,
)
from .movegen cimport SEARCH_MOVES, Scratch, group_moves, without_mirrors
from .placement cimport coloured, supported
from .policy cimport can_pay, colour_bytes, cost_for, god_prospects, keep_limit, lose_common, pay
from .realm cimport COLOURS, count, of_each, one, tops, total
from .scoring cimport AROUND, of_colours
from .state cimport (
    CELLS, DEATH, DEATH_COST, FARM, FOREST, IDLENESS, IRRIGATION, LOVE, LOVE_GAIN, NO_GOD, OCCUPIED, PROSELYTISM,
    SLOTS, TEMPLE, TURNS, VILLAGE, VOLCANO, Player, Rules, State, Tile, cell_worshipers,
)
from .turn cimport (
    BESIDE, CODE_BITS, IS_VALID, IS_WILD, MAX_REMOVED, REALM_SHIFT, god_move, irrigated, move_head, move_realm, region_move,
    removed_by,
)

# How good a move looks before any search, in hundredths of a CP. Fitted to where searches of 8,000 to 10,000
# simulations went in games against themselves, on our tile set and on random ones.
cdef enum:
    CP = 100
    TEMPERATURE = 60  # this much more worth is e times the weight ...
    LAST_TEMPERATURE = 150  # ... in the last rounds this much
    BETWEEN = 105
    LAST_ROUNDS = 5
    FLAT_ROUNDS = 6
    KEPT_EARLY = 36  # a worshiper left over
    KEPT_LATE = 30  # ... with less than LATE turns to come
    KEPT_LAST = 6  # ... when only a tie asks for it
    LATE = 4
    VARIETY = 13  # each colour left over
    WILD = -80  # a CP lost, but a joker
    IDLE_WILD = 25
    CANCELLED_WORTH = -30
    TEMPLE_WORTH = 115
    FARM_SYMBOL = 43  # each symbol a turn that need not be paid
    DENIED_CP = 17  # for each CP that the next player could have had of the tile
    DENIED_TEMPLE = 36
    DENIED_BEST = 60  # hundredths of what the next player's best tile is worth, between ways to play one's own

cdef extern from *:
    """
    /* What is left of a forest's CP while so many neighbours are missing, in hundredths. */
    static const int ORBIS_HOPE[7] = {100, 75, 60, 20, 20, 20, 20};
    """
    const int HOPE "ORBIS_HOPE"[7]


# exp(worth / TEMPERATURE) as a product of two numbers looked up: quicker than the library's, and the same everywhere.
cdef enum:
    LEAST_WORTH = -1024
    FINE = 64
    STEPS = 64
cdef float coarse[STEPS]
cdef float fine[FINE]
cdef int step
for step in range(STEPS):
    coarse[step] = exp((LEAST_WORTH + FINE * step) / <double>TEMPERATURE)
for step in range(FINE):
    fine[step] = exp(step / <double>TEMPERATURE)


cdef inline float weight_of(const State* state, int worth) noexcept nogil:
    """Towards the end a turn's own points say less and less of what a move is worth: the weights come closer together."""
    cdef int rounds_left = TURNS - state.round
    cdef u32 at
    if rounds_left < FLAT_ROUNDS:
        worth = worth * TEMPERATURE // (LAST_TEMPERATURE if rounds_left < LAST_ROUNDS else BETWEEN)
    at = <u32>min(max(worth - LEAST_WORTH, 0), FINE * STEPS - 1)
    return coarse[at // FINE] * fine[at % FINE]


cdef inline int kept_worth(const State* state, u64 realm) noexcept nogil:
    cdef int turns_left = TURNS - state.round - 1
    cdef int colours = popcount(tops(realm, of_each(1)))
    if turns_left == 0:
        return KEPT_LAST * total(realm)
    return (KEPT_LATE if turns_left < LATE else KEPT_EARLY) * total(realm) + VARIETY * colours


cdef inline int forest_worth(const State* state, const Player* player, const Tile* tile, int place) noexcept nogil:
    cdef int lacks, turns_left = TURNS - state.round - 1
    cdef u32 wanted = of_colours(player, tile.colours)
    if place < SLOTS:
        lacks = tile.number - popcount(wanted & AROUND[place])
        if lacks > popcount(AROUND[place] & ~<u32>player.mask[OCCUPIED]):
            return 0
    else:
        lacks = tile.number - (wanted & 1)  # the left end will lie beside slot 0 and nothing else
    if lacks <= 0:
        return CP * tile.cp
    return HOPE[min(lacks, 6)] * tile.cp if lacks <= turns_left else 0


cdef inline int face_up_worth(
    const Rules* rules, const State* state, const Player* player, const Tile* tile, int place
) noexcept nogil:
    """Of the tile itself, validated."""
    if tile.effect == FOREST:
        return forest_worth(state, player, tile, place)
    if tile.effect == TEMPLE:
        return CP * tile.cp + TEMPLE_WORTH * tile.number
    if tile.effect == FARM:
        return CP * tile.cp + FARM_SYMBOL * rules.symbols[lowest(tile.colours)] * (TURNS - state.round - 1) // 100
    return CP * tile.cp


cdef inline int denied(const Rules* rules, const State* state, int cell) noexcept nogil:
    """What the next player would have had of the tile, whatever becomes of it now."""
    cdef const Tile* tile = &rules.tile[state.centre[cell]]
    cdef const Player* other = &state.player[0]
    if state.who + 1 < rules.players:
        other = &state.player[state.who + 1]
    elif state.round == TURNS - 1:
        return 0
    if not coloured(other, supported(other), tile.colour):
        return 0
    if can_pay(other.realm + cell_worshipers(state, cell), cost_for(other, tile), tile.any_cost) < 0:
        return 0
    return DENIED_CP * tile.cp + (DENIED_TEMPLE * tile.number if tile.effect == TEMPLE else 0)


cdef u32 orbis_groups(const void* rules, const void* state, u32* lanes) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef const Player* player = &s.player[s.who]
    cdef u32 cell, found = 0
    memset(lanes, 0xFF, MAX_LANES * sizeof(u32))
    if supported(player):
        for cell in range(CELLS):
            lanes[cell] = cell << GROUP_SHIFT | s.centre[cell]
        found = ALL_CELLS
    if player.god == NO_GOD:
        lanes[GOD_LANE] = <u32>GOD_LANE << GROUP_SHIFT
        found |= 1u << GOD_LANE
    return found


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
    cdef u64 collected = player.realm + cell_worshipers(state, cell), paid = collected, left, given = 0, codes = 0
    cdef u32 places = without_mirrors(player, supported(player)), spots
    cdef int have, place, always = denied(rules, state, cell), cancelled, valid = 0
    cdef float weight
    cdef bint holds

    # As wilderness, in any place.
    left = keep_limit(collected, total(collected), NULL)
    weight = weight_of(state, always + (IDLE_WILD if player.god == IDLENESS else WILD) + kept_worth(state, left))
    spots = places
    while spots:
        place = lowest(spots)
        spots &= spots - 1
        candidate_list_add(out, region_move(cell, place, IS_WILD, left), 0, weight)

    # Face up, if it can be paid.
    have = pay(&paid, cost_for(player, tile), tile.any_cost, NULL)
    if have < 0:
        return 0
    if tile.effect == PROSELYTISM:
        if tile.colours:
            paid += tile.number * one(lowest(tile.colours))
        else:
            paid = gain_scarcest(paid, tile.number)
        have += tile.number
    left = keep_limit(paid, have, NULL)
    cancelled = always + CANCELLED_WORTH + kept_worth(state, left)
    # A village asks for more, a volcano for food; both may be left undone.
    holds = True
    given = left
    if tile.effect == VILLAGE:
        holds = have >= tile.number
        if holds:
            given = keep_limit(lose_common(paid, tile.number), have - tile.number, NULL)
    elif tile.effect == VOLCANO:
        holds = feed(state, cell, tile, &codes)
    if holds:
        valid = always + kept_worth(state, given)
    spots = coloured(player, places, tile.colour)
    while spots:
        place = lowest(spots)
        spots &= spots - 1
        if tile.effect == IRRIGATION:
            holds = irrigated(player, tile, place)
        if holds:
            weight = weight_of(state, valid + face_up_worth(rules, state, player, tile, place))
            candidate_list_add(out, region_move(cell, place, IS_VALID, given), codes, weight)
        if not holds or tile.effect == VILLAGE or tile.effect == VOLCANO:
            candidate_list_add(out, region_move(cell, place, 0, left), 0, weight_of(state, cancelled))
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
    cdef int prospects[DEATH + 1]
    cdef int gods = state.gods, god, have = total(realm), worth
    god_prospects(rules, state, prospects)
    while gods:
        god = lowest(gods)
        gods &= gods - 1
        left = realm
        if god == LOVE:
            left = keep_limit(gain_scarcest(realm, LOVE_GAIN), have + LOVE_GAIN, NULL)
        elif god == DEATH:
            candidate_list_add(out, god_move(god, False, realm), 0, weight_of(state, kept_worth(state, realm)))
            if have < DEATH_COST:
                continue
            left = lose_common(realm, DEATH_COST)
        worth = CP * prospects[god] + kept_worth(state, left)
        candidate_list_add(out, god_move(god, True, left), 0, weight_of(state, worth))
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


cdef struct Bound:
    bint passed
    Enough enough  # what was asked before, or NULL
    void* asker


cdef bint is_past(void* bound, size_t listed) noexcept nogil:
    cdef Bound* here = <Bound*>bound
    if listed > WORK_MOST or (here.enough != NULL and here.enough(here.asker, listed)):
        here.passed = True
    return here.passed


cdef long long count_variants(const Rules* rules, Scratch* scratch, const State* state, int lane) except -1 nogil:
    """How many moves the lane has; more than VARIANTS_MOST where it would take long to find out."""
    cdef Bound bound
    cdef long long n
    bound.passed = False
    bound.enough = scratch.enough
    bound.asker = scratch.asker
    scratch.enough = is_past
    scratch.asker = &bound
    try:
        n = group_moves(rules, scratch, state, SEARCH_MOVES, lane, NULL)
    finally:
        scratch.enough = bound.enough
        scratch.asker = bound.asker
    return VARIANTS_MOST + 1 if bound.passed else n


cdef enum:
    HEADS = 1 << REALM_SHIFT  # what a move says before the realm: tile, place, face and validation


cdef int add_variants(
    const Rules* rules, Scratch* scratch, const State* state, int lane, size_t start, CandidateList* out
) except -1 nogil:
    """All search moves of the lane; those that vary a main one share half of its weight."""
    cdef MoveList* found = &scratch.found
    cdef unsigned short main_of[HEADS]  # by head: one more than the number of the main move, 0 if there is none
    cdef int base[HEADS]  # by main move, and so the next two
    cdef u32 ways[HEADS]
    cdef float shares[HEADS]
    cdef size_t main_count = out.count, mains = main_count - start, i, k, first
    cdef float share
    cdef Variants variants
    cdef const Move* move
    # A volcano of many worshipers can be fed in thousands of millions of ways: no tree has use for them.
    if mains >= HEADS or count_variants(rules, scratch, state, lane) > VARIANTS_MOST:
        return 0
    found.count = 0
    group_moves(rules, scratch, state, SEARCH_MOVES, lane, found)
    variants_open(&variants, rules, state, lane)
    memset(main_of, 0, sizeof(main_of))
    for i in range(mains):
        move = &out.item[start + i].move
        main_of[move_head(move.what)] = <unsigned short>(i + 1)
        base[i] = variant_worth(&variants, move)
        ways[i] = 0
        shares[i] = 0
    for k in range(found.count):
        i = main_of[move_head(found.item[k].what)]
        if i:
            ways[i - 1] += 1
    first = out.count
    for k in range(found.count):
        move = &found.item[k]
        i = main_of[move_head(move.what)]
        if i == 0 or ways[i - 1] < 2:
            continue
        i -= 1
        if move.what == out.item[start + i].move.what and move.detail == out.item[start + i].move.detail:
            continue
        share = weight_of(state, variant_worth(&variants, move) - base[i])
        shares[i] += share
        candidate_list_add(out, move.what, move.detail, share)
    for k in range(first, out.count):
        i = main_of[move_head(out.item[k].move.what)] - 1
        out.item[k].weight *= out.item[start + i].weight / (2 * shares[i])
    return 0


# What tells one way to play a tile from another: what is left over, and what the next player can do then.
cdef struct Variants:
    const Rules* rules
    const State* state
    const Player* other
    int lane
    bint answered  # the next player has a turn
    u64 field[CELLS]  # after the tile was taken
    u64 codes  # what was removed at the last question ...
    int best  # ... and the next player's best tile then


cdef void variants_open(Variants* variants, const Rules* rules, const State* state, int lane) noexcept nogil:
    cdef const signed char* beside
    cdef int cell
    variants.rules = rules
    variants.state = state
    variants.other = &state.player[state.who + 1 if state.who + 1 < rules.players else 0]
    variants.lane = lane
    variants.answered = state.who + 1 < rules.players or state.round < TURNS - 1
    for cell in range(CELLS):
        variants.field[cell] = cell_worshipers(state, cell)
    if lane < CELLS:
        beside = BESIDE[lane]
        while beside[0] >= 0:
            variants.field[beside[0] // 5] += one(rules.tile[state.centre[lane]].colour)
            beside += 1
        variants.field[lane] = 0
    variants.codes = 0
    variants.best = next_best(variants, 0)


cdef int next_best(const Variants* variants, u64 codes) noexcept nogil:
    """What the next player's best tile is worth after these were removed."""
    cdef u64 after[CELLS]
    cdef int cell, i, worth, best = 0
    cdef const Tile* tile
    if not variants.answered:
        return 0
    memcpy(after, variants.field, sizeof(after))
    while codes:
        i = removed_by(codes)
        after[i // 5] -= one(i % 5)
        codes >>= CODE_BITS
    for cell in range(CELLS):
        if cell == variants.lane:
            continue
        tile = &variants.rules.tile[variants.state.centre[cell]]
        if not coloured(variants.other, supported(variants.other), tile.colour):
            continue
        i = can_pay(variants.other.realm + after[cell], cost_for(variants.other, tile), tile.any_cost)
        if i < 0 or (tile.effect == VILLAGE and i < tile.number):
            continue
        worth = CP * tile.cp + (TEMPLE_WORTH * tile.number if tile.effect == TEMPLE else 0)
        best = max(best, worth)
    return best


cdef inline int variant_worth(Variants* variants, const Move* move) noexcept nogil:
    cdef u64 codes = move.detail if variants.lane < CELLS else 0
    if codes != variants.codes:
        variants.codes = codes
        variants.best = next_best(variants, codes)
    return kept_worth(variants.state, move_realm(move.what)) - DENIED_BEST * variants.best // 100


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
