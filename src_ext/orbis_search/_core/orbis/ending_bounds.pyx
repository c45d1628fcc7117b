"""What can still be reached."""

from ..common.bits cimport lowest, popcount
from ..common.ints cimport i32, u8, u32, u64
from .ending_position cimport debt_of, food_for, seen
from .placement cimport coloured, supported
from .policy cimport can_pay, cost_for
from .realm cimport one
from .scoring cimport AROUND, ONE_TEMPLE, forest_neighbours, holds_most, temple_rank, tokens_ahead, wilderness
from .state cimport (
    APPRENTICE, APPRENTICE_CP, CELLS, DEATH, EQUILIBRIUM, FIRE, FOREST, FORESTS, GREAT_GOD_CP, HARVESTS, IDLENESS,
    IRRIGATION, LOVE, NO_GOD, OCCUPIED, OCEANS, ROW_1, SLOTS, SMALL_GOD_CP, TECHNOLOGY, TEMPLE, VILLAGE, VOLCANO,
    Player, Rules, State, Tile, on_cell,
)
from .turn cimport BESIDE, irrigated

# What gods compare.
cdef enum:
    IRRIGATIONS
    VOLCANOES
    VILLAGES
    FORESTS_HELD
    COUNTS


# Between which bounds each part of a player's points will end, whatever is played from here on; but for `sure`, which
# the player can have if it wants, whatever the other does.
#
# most: the first region laid must fit somewhere now, be paid now, with what the other's turn in between may add, and be
#     validated; of the later ones nothing is asked. Two tiles are never the same one. So the best first tile and the
#     best others are no less than the best sequence.
# sure: the best that can be laid and validated now, or, when the other moves first, the second best of what can be
#     paid (from the realm alone, if a volcano may empty the centre), for the other takes only one of them and cannot
#     touch a realm; then wilderness.
cdef struct Reach:
    i32 most  # points without god and token
    i32 sure
    i32 temples  # as a temple rank: now, and with every temple that can be laid
    i32 temples_most
    i32 count[COUNTS]  # now ...
    i32 count_most[COUNTS]  # ... and at most
    i32 wild
    i32 wild_most


cdef inline void keep_top(i32* top, int n, i32 value) noexcept nogil:
    """The n largest so far, largest first."""
    cdef int i = n
    if n == 0 or value <= top[n - 1]:
        return
    i = n - 1
    while i > 0 and top[i - 1] < value:
        top[i] = top[i - 1]
        i -= 1
    top[i] = value


cdef void reach_of(const Rules* rules, const State* state, int who, Reach* out) noexcept nogil:
    cdef const Player* player = &state.player[who]
    cdef const u8* view = seen(state, who)
    cdef int regions = SLOTS - popcount(player.mask[OCCUPIED]), wild_cost = 0 if player.god == IDLENESS else 1
    cdef bint now = state.who == who
    cdef bint anything = player.god == NO_GOD or regions == 0  # a god may come first, and bring what it takes
    cdef int debt = debt_of(state, who)[0]
    cdef u32 places = supported(player), fitting, left
    cdef i32 top[SLOTS]
    cdef i32 temple[SLOTS]
    cdef i32 first = 0, first_tile = -1, best = -1, second = -1, worth, sum_
    cdef i32 first_temple = 0, mystic = player.mystic
    cdef int i, cell, have, slot, place, near, open_, word, number, forests = 0, forests_open = 0
    cdef u64 here, bits
    cdef bint fits, erupting = False
    cdef const Tile* tile
    cdef const signed char* beside
    for i in range(COUNTS):
        out.count_most[i] = 0
    for i in range(regions):
        top[i] = 0
        temple[i] = 0

    # 1. The universe as it is: forests that hold, and those that may.
    out.most = out.sure = player.points
    out.wild = popcount(wilderness(player))
    out.wild_most = out.wild + regions
    out.most -= wild_cost * out.wild
    out.sure -= wild_cost * (out.wild + regions)
    left = player.mask[FORESTS]
    while left:
        slot = lowest(left)
        left &= left - 1
        tile = &rules.tile[player.tile[slot]]
        near = forest_neighbours(player, slot, tile.colours)
        open_ = popcount(AROUND[slot] & ~<u32>player.mask[OCCUPIED] & ((1u << SLOTS) - 1))
        if popcount(player.mask[OCCUPIED] & ROW_1) < 5:
            open_ += 2  # all may still be moved along, away from the left edge
        if near >= tile.number:
            forests += 1
            out.most += tile.cp
            out.sure += tile.cp
        elif near + min(open_, regions) >= tile.number:
            forests_open += 1
            out.most += tile.cp

    # 2. The tiles of the centre.
    if not now:
        for cell in range(CELLS):
            if rules.tile[state.centre[cell]].effect == VOLCANO:
                erupting = True
    for cell in range(CELLS):
        number = state.centre[cell]
        tile = &rules.tile[number]
        keep_top(top, regions, tile.cp)
        count_tile(tile, out, temple, regions)
        fitting = coloured(player, places, tile.colour)
        if not fitting:
            continue
        fits = tile.effect != IRRIGATION
        left = 0 if fits else fitting
        while left:
            place = lowest(left)
            left &= left - 1
            fits = fits or irrigated(player, tile, place)
        here = on_cell(view, cell)
        # What the player can have for sure. A village is paid, a volcano fed; a forest holds at once or counts nothing.
        have = can_pay(player.realm + (0 if erupting else here), cost_for(player, tile), tile.any_cost + debt)
        if have >= 0:
            worth = tile.cp
            if tile.effect == VILLAGE and have < tile.number:
                worth = 0
            elif tile.effect == VOLCANO and (not now or food_for(view, cell, tile) < tile.number):
                worth = 0
            elif tile.effect == FOREST or not fits:
                worth = 0
            if worth > best:
                second = best
                best = worth
            elif worth > second:
                second = worth
        # What it may have at most.
        if anything:
            continue
        if not now:
            beside = BESIDE[cell]
            while beside[0] >= 0:
                here += one(rules.tile[state.centre[beside[0] // 5]].colour)
                beside += 1
        have = can_pay(player.realm + here, cost_for(player, tile), tile.any_cost + debt)
        if have < 0:
            continue
        mystic = max(mystic, tile.mystic)  # counts face up, also when cancelled
        if not fits or (tile.effect == VILLAGE and have < tile.number):
            continue
        if tile.effect == FOREST and regions == 1:
            if forest_neighbours(player, lowest(places), tile.colours) < tile.number:
                continue
        if tile.cp > first:
            first = tile.cp
            first_tile = number
        if tile.effect == TEMPLE:
            first_temple = max(first_temple, tile.number)

    # 3. The tiles to come.
    for word in range(2):
        bits = state.unseen[word]
        while bits:
            number = 64 * word + lowest(bits)
            bits &= bits - 1
            tile = &rules.tile[number]
            keep_top(top, regions, tile.cp)
            count_tile(tile, out, temple, regions)
            if now or anything or not coloured(player, places, tile.colour):
                continue
            if can_pay(player.realm, cost_for(player, tile), tile.any_cost + debt) >= 0:
                if tile.cp > first:
                    first = tile.cp
                    first_tile = number
                if tile.effect == TEMPLE:
                    first_temple = max(first_temple, tile.number)
                mystic = max(mystic, tile.mystic)

    # 4. Together.
    if regions:
        if anything:
            for i in range(regions):
                out.most += top[i]
        else:
            # `top` without the first tile's own entry; when it is not among them, the last is one too many.
            sum_ = 0
            for i in range(regions):
                sum_ += top[i]
            if first_tile >= 0 and first >= top[regions - 1]:
                out.most += sum_
            else:
                out.most += sum_ - top[regions - 1] + first
        worth = best if now else second
        if worth >= 0:
            out.sure += worth + wild_cost
    out.temples = temple_rank(player)
    out.temples_most = ONE_TEMPLE * player.temples + (mystic if regions == 1 and not anything else ONE_TEMPLE - 1)
    if regions == 0:
        out.temples_most = out.temples
    elif anything:
        for i in range(regions):
            out.temples_most += ONE_TEMPLE * temple[i]
    else:
        # The first of them must be laid now, as above; two tiles with temples are two.
        out.temples_most += ONE_TEMPLE * first_temple
        for i in range(regions - 1):
            out.temples_most += ONE_TEMPLE * temple[i]
    out.count[IRRIGATIONS] = player.irrigations
    out.count[VOLCANOES] = player.volcanoes
    out.count[VILLAGES] = player.villages
    out.count[FORESTS_HELD] = forests
    out.count_most[FORESTS_HELD] += forests_open
    for i in range(COUNTS):
        have = forests_open if i == FORESTS_HELD else 0
        out.count_most[i] = out.count[i] + have + min(out.count_most[i] - have, regions)


cdef inline void count_tile(const Tile* tile, Reach* out, i32* temple, int regions) noexcept nogil:
    if tile.effect == IRRIGATION:
        out.count_most[IRRIGATIONS] += 1
    elif tile.effect == VOLCANO:
        out.count_most[VOLCANOES] += 1
    elif tile.effect == VILLAGE:
        out.count_most[VILLAGES] += 1
    elif tile.effect == FOREST:
        out.count_most[FORESTS_HELD] += 1
    elif tile.effect == TEMPLE:
        keep_top(temple, regions, tile.number)


cdef inline int compared_by(int god) noexcept nogil:
    if god == OCEANS:
        return IRRIGATIONS
    if god == FIRE:
        return VOLCANOES
    return VILLAGES if god == HARVESTS else FORESTS_HELD


cdef int god_most(const Rules* rules, int god, bint validated, const Reach* mine, const Reach* other) noexcept nogil:
    """The most that a god can bring, in CP; what Idleness does for wilderness is not in it."""
    cdef int i
    if god == LOVE or god == IDLENESS:
        return SMALL_GOD_CP
    if god == APPRENTICE:
        return APPRENTICE_CP
    if god == DEATH:
        return GREAT_GOD_CP if validated else 0
    if god == TECHNOLOGY:
        return GREAT_GOD_CP if mine.wild <= other.wild_most else 0
    if god == EQUILIBRIUM:
        return (
            GREAT_GOD_CP
            if mine.count_most[VILLAGES] and mine.temples_most >= ONE_TEMPLE and mine.count_most[VOLCANOES]
            else 0
        )
    i = compared_by(god)
    return GREAT_GOD_CP if holds_most(mine.count_most[i], other.count[i], rules.most_at_zero) else 0


cdef int god_least(const Rules* rules, int god, bint validated, const Reach* mine, const Reach* other) noexcept nogil:
    cdef int i
    if god == LOVE or god == IDLENESS:
        return SMALL_GOD_CP
    if god == APPRENTICE:
        return APPRENTICE_CP
    if god == DEATH:
        return GREAT_GOD_CP if validated else 0
    if god == TECHNOLOGY:
        return GREAT_GOD_CP if mine.wild_most <= other.wild else 0
    if god == EQUILIBRIUM:
        return GREAT_GOD_CP if mine.count[VILLAGES] and mine.temples >= ONE_TEMPLE and mine.count[VOLCANOES] else 0
    i = compared_by(god)
    return GREAT_GOD_CP if holds_most(mine.count[i], other.count_most[i], rules.most_at_zero) else 0


cdef int ahead_at_most(
    const Rules* rules, const State* state, int who, const Reach* mine, const Reach* other
) noexcept nogil:
    """The points that a player can be ahead in the end, when the other one takes what is sure."""
    cdef const Player* me = &state.player[who]
    cdef const Player* you = &state.player[1 - who]
    cdef int ahead = mine.most - other.sure, god, gods, best = 0, worth
    ahead += tokens_ahead(rules, mine.temples_most, other.temples)
    if me.god != NO_GOD:
        ahead += god_most(rules, me.god, me.god_validated, mine, other)
    else:
        gods = state.gods
        while gods:
            god = lowest(gods)
            gods &= gods - 1
            worth = god_most(rules, god, True, mine, other) + (mine.wild if god == IDLENESS else 0)
            best = max(best, worth)
        ahead += best
    if you.god != NO_GOD:
        ahead -= god_least(rules, you.god, you.god_validated, other, mine)
    return ahead


cdef void ending_bounds(const void* rules_, const void* position, bint margin, i32* low, i32* high) noexcept nogil:
    cdef const Rules* rules = <const Rules*>rules_
    cdef const State* state = <const State*>position
    cdef Reach mine, other
    reach_of(rules, state, state.who, &mine)
    reach_of(rules, state, 1 - state.who, &other)
    high[0] = ahead_at_most(rules, state, state.who, &mine, &other)
    low[0] = -ahead_at_most(rules, state, 1 - state.who, &other, &mine)
    if not margin:
        high[0] = -1 if high[0] < 0 else 1
        low[0] = 1 if low[0] > 0 else -1
