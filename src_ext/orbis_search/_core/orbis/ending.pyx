"""The end of Orbis for an exact search; what is sound about it, and why, stands in ending.pxd."""

from libc.string cimport memcpy, memset

from ..common.bits cimport lowest, popcount
from ..common.ints cimport i16, i32, i64, u8, u16, u32, u64
from ..common.rng cimport fold
from ..game cimport KINDS, SINGLE, Bundle, BundleList, Ending, Move, bundle_list_add
from .movegen cimport SEARCH_MOVES, Bill, Scratch, find_removals, find_results, is_enough, without_mirrors
from .placement cimport below, coloured, supported
from .policy cimport can_pay, colour_bytes, cost_for
from .realm cimport COLOURS, LIMIT, RATE, count, from_nibbles, missing, one, to_nibbles, total
from .scoring cimport AROUND, forest_sums, wilderness
from .state cimport (
    APPRENTICE, APPRENTICE_CP, CELLS, DEATH, DEATH_COST, EQUILIBRIUM, FIRE, FOREST, FORESTS, GREAT_GOD_CP, HARVESTS,
    IDLENESS, IRRIGATION, LOVE, LOVE_GAIN, NATURE, NO_GOD, OCCUPIED, OCEANS, PROSELYTISM, SLOTS, SMALL_GOD_CP,
    TECHNOLOGY, TEMPLE, TURNS, VILLAGE, VOLCANO, Player, Rules, State, Tile,
)
from .turn cimport (
    BESIDE, CODE_BITS, IS_GOD, IS_VALID, IS_WILD, PLACE_SHIFT, REALM_MASK, REALM_SHIFT, generate, irrigated, lay_tile,
    move_realm,
)

cdef enum:
    STATE_BYTES = sizeof(State) - 2 * sizeof(Player)
    SEEN_BYTES = 48  # 45 worshipers, and three more so that words can be read ...
    DEBTS = 45  # ... two of which are what each player owes
    COLOUR_MOST = 30
    HEAD = (1 << REALM_SHIFT) - 1  # of a move: all but the realm
    RANK = 32  # points are worth more than any number of worshipers
    NOTHING = -(1 << 30)  # a rank below all others


cdef inline u8* seen(const State* state, int who) noexcept nogil:
    """The worshipers that a player sees."""
    return <u8*>state + STATE_BYTES if who else <u8*>state.worshipers


cdef inline u64 on_cell(const u8* view, int cell) noexcept nogil:
    cdef u64 words
    memcpy(&words, &view[5 * cell], 8)
    return words & <u64>0xFFFFFFFFFF


cdef inline u8* debt_of(const State* state, int who) noexcept nogil:
    return <u8*>state + STATE_BYTES + DEBTS + who


cdef void ending_open(const void* rules, const void* state, void* position) noexcept nogil:
    memcpy(position, state, STATE_BYTES)
    memset(<u8*>position + STATE_BYTES, 0, SEEN_BYTES)
    memcpy(<u8*>position + STATE_BYTES, (<const State*>state).worshipers, 5 * CELLS)


# ---- one tile ------------------------------------------------------------------------------------------

# What paying for a tile, or taking a god, asks of a realm.
cdef struct Plan:
    u64 realm  # everything that could be used
    u64 kept  # when only the coloured symbols are paid, from what there is of them, and the rest is owed
    int debt
    int left  # worshipers after paying and gaining; -1 when it cannot be paid
    bint one_way  # `kept` is the only realm that can be left over
    Bill bill


cdef inline void finish_plan(Plan* plan) noexcept nogil:
    cdef u64 more = missing(COLOUR_MOST * <u64>0x0101010101, plan.kept)
    plan.one_way = plan.debt == 0 and plan.bill.free_gain == 0 and total(plan.kept) <= LIMIT
    if more:
        plan.kept -= more
        plan.debt = max(0, plan.debt - total(more))


cdef void plan_wild(const Player* player, int debt, u64 here, Plan* plan) noexcept nogil:
    memset(&plan.bill, 0, sizeof(Bill))
    plan.realm = plan.kept = player.realm + here
    plan.debt = debt
    plan.left = total(plan.realm) - debt
    finish_plan(plan)


cdef void plan_tile(const Player* player, int debt, const Tile* tile, u64 here, bint give, Plan* plan) noexcept nogil:
    cdef u64 short_of
    memset(&plan.bill, 0, sizeof(Bill))
    plan.bill.cost = cost_for(player, tile)
    plan.bill.any_cost = tile.any_cost
    plan.realm = player.realm + here
    plan.left = can_pay(plan.realm, plan.bill.cost, tile.any_cost + debt)
    if plan.left < 0:
        return
    short_of = missing(plan.realm, plan.bill.cost)
    plan.kept = plan.realm - (plan.bill.cost - short_of)
    plan.debt = debt + tile.any_cost + RATE * total(short_of)
    if tile.effect == PROSELYTISM:
        plan.left += tile.number
        if tile.colours:
            plan.bill.gain = tile.number * one(lowest(tile.colours))
            plan.kept += plan.bill.gain
        else:
            plan.bill.free_gain = tile.number
            plan.kept += tile.number * <u64>0x0101010101
            plan.debt += (COLOURS - 1) * tile.number
    if give:
        plan.bill.give = tile.number
        plan.left -= tile.number
        plan.debt += tile.number
    finish_plan(plan)


cdef void plan_god(const Player* player, int debt, int god, bint give, Plan* plan) noexcept nogil:
    memset(&plan.bill, 0, sizeof(Bill))
    plan.realm = plan.kept = player.realm
    plan.debt = debt
    plan.left = total(plan.realm) - debt
    if god == LOVE:
        plan.bill.free_gain = LOVE_GAIN
        plan.kept += LOVE_GAIN * <u64>0x0101010101
        plan.debt += (COLOURS - 1) * LOVE_GAIN
        plan.left += LOVE_GAIN
    if give:
        plan.bill.give = DEATH_COST
        plan.left -= DEATH_COST
        plan.debt += DEATH_COST
    finish_plan(plan)


cdef inline int removable(const State* state, const u8* view, int cell, const Tile* tile) noexcept nogil:
    """How many worshipers a volcano taken from a cell finds."""
    cdef u64 allowed = colour_bytes(tile.colours), sum_ = 0
    cdef const signed char* beside = BESIDE[cell]
    cdef int i
    for i in range(CELLS):
        if i != cell:
            sum_ += few(on_cell(view, i))
    if tile.colours >> tile.colour & 1:
        while beside[0] >= 0:
            sum_ += one(tile.colour)
            beside += 1
    return total_wide(sum_ & allowed)


cdef inline int total_wide(u64 words) noexcept nogil:
    """Bytes up to 255 whose sum may be more."""
    words = (words & <u64>0xFF00FF00FF) + (words >> 8 & <u64>0xFF00FF)
    return <int>((words & 0xFFFF) + (words >> 16 & 0xFFFF) + (words >> 32))


cdef inline u64 few(u64 words) noexcept nogil:
    """At most 20 of each colour: enough to feed any volcano, and nine tiles together still fit in a byte."""
    return words - missing(<u64>0x1414141414, words)


cdef u64 crowd_of(const u8* view) noexcept nogil:
    cdef u64 sum_ = 0
    cdef int i
    for i in range(CELLS):
        sum_ += few(on_cell(view, i))
    return sum_


cdef inline bint is_free(const State* state, int who) noexcept nogil:
    """Owes something, or holds more than a realm can."""
    return debt_of(state, who)[0] or total(state.player[who].realm) > LIMIT


# ---- bundles -------------------------------------------------------------------------------------------

cdef int add(
    BundleList* out, const Plan* plan, u64 head, u32 places, bint last, bint free, bint erupts, int kind, int worth
) except -1 nogil:
    """One bundle for each place."""
    cdef int level = SINGLE, place
    cdef u64 realm
    cdef Bundle* bundle
    if last:
        realm = min(plan.left, LIMIT)
    else:
        realm = to_nibbles(plan.kept) if plan.one_way and not free else 0
        if not plan.one_way and not free:
            level = 1
    if erupts:
        level = 2
    while places:
        place = lowest(places)
        places &= places - 1
        bundle = bundle_list_add(out, head | <u64>place << PLACE_SHIFT | realm << REALM_SHIFT, 0, level)
        bundle.order = worth + (16 * min(plan.left, LIMIT))
        bundle.kind = <u16>((kind * 16 + place) & (KINDS - 1))
    return 0


cdef int ending_bundles(const void* rules_, void* scratch, const void* position, BundleList* out) except -1 nogil:
    cdef const Rules* rules = <const Rules*>rules_
    cdef const State* state = <const State*>position
    cdef const Player* player = &state.player[state.who]
    cdef const u8* view = seen(state, state.who)
    cdef bint last = state.round == TURNS - 1, free = is_free(state, state.who) and not last, unseen
    cdef int cell, god, gods, place, kind, debt = debt_of(state, state.who)[0]
    cdef u32 places, fitting, watered, left
    cdef u64 here
    cdef const Tile* tile
    cdef Plan plan

    # 1. Gods.
    if player.god == NO_GOD:
        gods = state.gods
        while gods:
            god = lowest(gods)
            gods &= gods - 1
            plan_god(player, debt, god, False, &plan)
            add(out, &plan, god | IS_GOD | (0 if god == DEATH else IS_VALID), 1, last, free, False, 384 + god, 150)
            if god == DEATH and plan.left >= DEATH_COST:
                plan_god(player, debt, god, True, &plan)
                add(out, &plan, god | IS_GOD | IS_VALID, 1, last, free, False, 384 + 16 + god, 300)

    # 2. Regions: as wilderness; face up and validated, if it can be; face up and cancelled.
    places = supported(player)
    if not places:
        return 0
    places = without_mirrors(player, places)
    unseen = state.refills == 1  # no region is taken after this one
    for cell in range(CELLS):
        tile = &rules.tile[state.centre[cell]]
        here = on_cell(view, cell)
        kind = state.centre[cell]
        plan_wild(player, debt, here, &plan)
        add(out, &plan, cell | IS_WILD, places, last, free, False, 256 + cell, -100)
        fitting = coloured(player, places, tile.colour)
        if not fitting:
            continue
        plan_tile(player, debt, tile, here, False, &plan)
        if plan.left < 0:
            continue
        if tile.effect == IRRIGATION:
            watered = 0
            left = fitting
            while left:
                place = lowest(left)
                left &= left - 1
                if irrigated(player, tile, place):
                    watered |= 1u << place
            add(out, &plan, cell | IS_VALID, watered, last, free, False, kind, 100 * tile.cp)
            add(out, &plan, cell, fitting & ~watered, last, free, False, 128 + kind, 0)
        elif tile.effect == VOLCANO:
            add(out, &plan, cell, fitting, last, free, False, 128 + kind, 0)
            if removable(state, view, cell, tile) >= tile.number:
                add(
                    out, &plan, cell | IS_VALID, fitting, last, free, not unseen and tile.number > 0, kind,
                    100 * tile.cp,
                )
        elif tile.effect == VILLAGE:
            add(out, &plan, cell, fitting, last, free, False, 128 + kind, 0)
            if plan.left >= tile.number:
                plan_tile(player, debt, tile, here, True, &plan)
                add(out, &plan, cell | IS_VALID, fitting, last, free, False, kind, 100 * tile.cp)
        else:
            add(
                out, &plan, cell | IS_VALID, fitting, last, free, False, kind,
                100 * tile.cp + (140 * tile.number if tile.effect == TEMPLE else 0),
            )
    return 0


cdef void plan_of(const Rules* rules, const State* state, u64 what, Plan* plan) noexcept nogil:
    """The plan behind a bundle or a move."""
    cdef const Player* player = &state.player[state.who]
    cdef int cell = what & 15, debt = debt_of(state, state.who)[0]
    cdef const Tile* tile
    cdef u64 here
    if what & IS_GOD:
        plan_god(player, debt, cell, cell == DEATH and what & IS_VALID, plan)
        return
    tile = &rules.tile[state.centre[cell]]
    here = on_cell(seen(state, state.who), cell)
    if what & IS_WILD:
        plan_wild(player, debt, here, plan)
    else:
        plan_tile(player, debt, tile, here, tile.effect == VILLAGE and what & IS_VALID, plan)


cdef int ending_split(
    const void* rules_, void* scratch_, const void* position, const Bundle* bundle, BundleList* out
) except -1 nogil:
    cdef const Rules* rules = <const Rules*>rules_
    cdef Scratch* scratch = <Scratch*>scratch_
    cdef const State* state = <const State*>position
    cdef State copy
    cdef Plan plan
    cdef Bundle* part
    cdef size_t k
    cdef int i, level
    cdef u64 what = bundle.move.what, realm = 0
    cdef int cell = what & 15
    plan_of(rules, state, what, &plan)

    # 1. What the volcano removes.
    if bundle.level == 2:
        level = SINGLE
        if state.round < TURNS - 1 and not is_free(state, state.who):
            if plan.one_way:
                realm = to_nibbles(plan.kept)
            else:
                level = 1
        else:
            realm = what >> REALM_SHIFT & REALM_MASK
        memcpy(&copy, state, STATE_BYTES)
        memcpy(copy.worshipers, seen(state, state.who), 5 * CELLS)
        find_removals(scratch, &copy, cell, &rules.tile[state.centre[cell]], False, False)
        for k in range(scratch.removals):
            part = bundle_list_add(out, (what & HEAD) | realm << REALM_SHIFT, scratch.removal[k], level)
            part.order = -<i32>k
            part.kind = bundle.kind
        return 0

    # 2. The realms that can be left over.
    find_results(scratch, plan.realm, &plan.bill, SEARCH_MOVES, False)
    for i in range(scratch.results):
        part = bundle_list_add(out, (what & HEAD) | scratch.result[i] << REALM_SHIFT, bundle.move.detail, SINGLE)
        part.order = variety(from_nibbles(scratch.result[i]))
        part.kind = bundle.kind
    return 0


cdef inline int variety(u64 realm) noexcept nogil:
    """The more colours, and the more evenly, the better: a realm to try first."""
    cdef int colour, sum_ = 0
    for colour in range(COLOURS):
        sum_ += 40 * min(count(realm, colour), 1) + 20 * min(count(realm, colour), 2) + count(realm, colour)
    return sum_


cdef bint ending_holds(const void* rules, const Bundle* bundle, const Move* move) noexcept nogil:
    if (bundle.move.what ^ move.what) & HEAD:
        return False
    if bundle.move.detail and move.detail and bundle.move.detail != move.detail:
        return False
    return bundle.level != SINGLE or bundle.move.what == move.what


cdef void ending_apply(const void* rules_, void* position, const Bundle* bundle) noexcept nogil:
    """As state_apply, with two views of the centre, and realms larger than a move can name."""
    cdef const Rules* rules = <const Rules*>rules_
    cdef State* state = <State*>position
    cdef int who = state.who, i, cell = bundle.move.what & 15
    cdef Player* player = &state.player[who]
    cdef u8* mine = seen(state, who)
    cdef u8* theirs = seen(state, 1 - who)
    cdef u64 what = bundle.move.what, codes = bundle.move.detail
    cdef const Tile* tile
    cdef Plan plan
    if state.round < TURNS - 1 and (bundle.level != SINGLE or is_free(state, who)):
        plan_of(rules, state, what, &plan)
        player.realm = plan.kept
        debt_of(state, who)[0] = plan.debt
    else:
        player.realm = move_realm(what)
        debt_of(state, who)[0] = 0
    state.who += 1
    if state.who == rules.players:
        state.who = 0
        state.round += 1
    if what & IS_GOD:
        player.god = <u8>cell
        player.god_validated = (what & IS_VALID) != 0
        state.gods &= ~(<u16>1 << cell)
        return
    tile = &rules.tile[state.centre[cell]]

    # 1. Generate.  2. Collect.
    generate(mine, cell, tile.colour)
    generate(theirs, cell, tile.colour)
    memset(&mine[5 * cell], 0, COLOURS)
    memset(&theirs[5 * cell], 0, COLOURS)

    # 3. Place.  4. Effect.
    if lay_tile(rules, state, player, what, cell):
        if bundle.level == 2:
            for i in range(CELLS * COLOURS):
                if tile.colours >> (i % COLOURS) & 1:
                    theirs[i] -= min(theirs[i], tile.number)
        while codes:
            i = (codes & 63) - 1
            mine[i] -= 1
            theirs[i] -= theirs[i] > 0
            codes >>= CODE_BITS


# ---- what still matters ----------------------------------------------------------------------------------

cdef inline void mix(u64* key, u64 word, u64 salt) noexcept nogil:
    key[0] = fold(key[0] ^ word, <u64>0x9E3779B97F4A7C15 + 2 * salt)
    key[1] = fold(key[1] ^ word, <u64>0xD6E8FEB86659FD93 + 2 * salt)


cdef void ending_key(const void* rules_, const void* position, bint margin, u64* key) noexcept nogil:
    """Only the difference of the points counts. Of a player whose last turn is over, only what is compared at the end;
    of counts that no god asks for, nothing; of tiles in a universe, their colours and where an open forest lies."""
    cdef const Rules* rules = <const Rules*>rules_
    cdef const State* state = <const State*>position
    cdef const Player* player
    cdef u64 words[6]
    cdef u64 word
    cdef int i, who, live, ahead = 0, forests, points, slot
    cdef u32 left
    cdef const u8* other = <const u8*>position + STATE_BYTES
    key[0] = <u64>0x243F6A8885A308D3
    key[1] = <u64>0x13198A2E03707344

    # 1. The centre: tiles, and what each sees on them.
    words[5] = 0
    memcpy(words, other, SEEN_BYTES)
    for i in range(6):
        mix(key, words[i], i)
    words[5] = 0
    memcpy(words, state.worshipers, 5 * CELLS)
    for i in range(6):
        mix(key, words[i], 6 + i)
    memcpy(&word, state.centre, 8)
    mix(key, word, 12)
    mix(key, state.unseen[0], 13)
    mix(key, state.unseen[1], 14)
    mix(
        key,
        <u64>state.centre[8] | <u64>state.who << 8 | <u64>state.round << 16 | <u64>state.hole << 24
        | <u64>state.gods << 32,
        15,
    )

    # 2. The gods that can still compare anything.
    live = 0
    for who in range(2):
        live |= state.gods if state.player[who].god == NO_GOD else 1 << state.player[who].god

    # 3. The players.
    for who in range(2):
        player = &state.player[who]
        word = (
            <u64>player.god | <u64>player.god_validated << 8 | <u64>player.farms << 16 | <u64>player.temples << 24
            | <u64>player.mystic << 32
        )
        if live >> OCEANS & 1:
            word |= <u64>player.irrigations << 40
        if live & (1 << FIRE | 1 << EQUILIBRIUM):
            word |= <u64>player.volcanoes << 48
        if live & (1 << HARVESTS | 1 << EQUILIBRIUM):
            word |= <u64>player.villages << 56
        mix(key, word, 16 + who)
        mix(key, player.realm, 18 + who)
        points = player.points
        if state.round == TURNS or (state.round == TURNS - 1 and who < state.who):
            forest_sums(rules, player, &forests, &i)
            points += i
            mix(key, forests << 8 | popcount(wilderness(player)), 20 + who)
        else:
            mix(
                key,
                <u64>player.mask[0] | <u64>player.mask[1] << 16 | <u64>player.mask[2] << 32 | <u64>player.mask[3] << 48,
                22 + who,
            )
            word = player.mask[4]
            left = player.mask[FORESTS]
            while left:
                slot = lowest(left)
                left &= left - 1
                word = fold(word ^ (slot << 8 | player.tile[slot]) << 16, <u64>0xA24BAED4963EE407)
            mix(key, word, 24 + who)
        ahead += points if who else -points
    mix(key, <u64><i64>ahead, 26)


# ---- the last turns ---------------------------------------------------------------------------------------

# What of a player counts in the end.
cdef struct Tally:
    i32 points  # forests, wilderness and all but the god and the token
    i32 temples  # 256 times their number, and the highest mystic value
    u8 god
    u8 god_validated
    u8 irrigations
    u8 volcanoes
    u8 villages
    u8 forests
    u8 wild
    u8 left  # worshipers


cdef inline bint holds_most(int mine, int other, bint most_at_zero) noexcept nogil:
    return mine >= other and (mine > 0 or most_at_zero)


cdef inline int god_worth(const Rules* rules, const Tally* mine, const Tally* other) noexcept nogil:
    cdef int god = mine.god
    if god == NO_GOD:
        return 0
    if god == LOVE or god == IDLENESS:
        return SMALL_GOD_CP
    if god == APPRENTICE:
        return APPRENTICE_CP
    if god == OCEANS:
        return GREAT_GOD_CP if holds_most(mine.irrigations, other.irrigations, rules.most_at_zero) else 0
    if god == FIRE:
        return GREAT_GOD_CP if holds_most(mine.volcanoes, other.volcanoes, rules.most_at_zero) else 0
    if god == NATURE:
        return GREAT_GOD_CP if holds_most(mine.forests, other.forests, rules.most_at_zero) else 0
    if god == HARVESTS:
        return GREAT_GOD_CP if holds_most(mine.villages, other.villages, rules.most_at_zero) else 0
    if god == TECHNOLOGY:
        return GREAT_GOD_CP if mine.wild <= other.wild else 0
    if god == EQUILIBRIUM:
        return GREAT_GOD_CP if mine.villages and mine.temples >= 256 and mine.volcanoes else 0
    return GREAT_GOD_CP if mine.god_validated else 0


cdef inline int points_ahead(const Rules* rules, const Tally* second, const Tally* first) noexcept nogil:
    """Of player 1; a tie between temples is the first player's."""
    cdef int ahead = second.points - first.points
    ahead += god_worth(rules, second, first) - god_worth(rules, first, second)
    if second.temples > first.temples:
        if second.temples >= 256:
            ahead += rules.tokens[0] - (rules.tokens[1] if first.temples >= 256 else 0)
    elif first.temples >= 256:
        ahead += (rules.tokens[1] if second.temples >= 256 else 0) - rules.tokens[0]
    return ahead


# A player before the last turn: what all its options share.
cdef struct Last:
    const Player* player
    Tally now  # without forests, if a region is still to come
    int debt
    int slot
    u32 fits  # bit sets of colours
    u32 under
    i32 forest_points[6]  # with a tile of each colour in the slot, or a wilderness
    u8 forests[6]
    int wild_cost


cdef void look_at(const Rules* rules, const State* state, int who, Last* out) noexcept nogil:
    """A player with one turn left, or none."""
    cdef const Player* player = &state.player[who]
    cdef Tally* now = &out.now
    cdef u32 open_ = ~<u32>player.mask[OCCUPIED] & ((1u << SLOTS) - 1), left, wanted
    cdef int i, n, points, slot, near
    cdef const Tile* tile
    out.player = player
    now.points = player.points
    now.temples = 256 * player.temples + player.mystic
    now.god = player.god
    now.god_validated = player.god_validated
    now.irrigations = player.irrigations
    now.volcanoes = player.volcanoes
    now.villages = player.villages
    now.wild = popcount(wilderness(player))
    out.debt = debt_of(state, who)[0]
    now.left = min(total(player.realm) - out.debt, LIMIT)  # for a god's turn; a region's is worked out below
    now.forests = 0
    out.wild_cost = 0 if player.god == IDLENESS else 1
    now.points -= out.wild_cost * now.wild
    if open_ == 0:
        forest_sums(rules, player, &n, &points)
        now.forests = n
        now.points += points
        out.slot = -1
        return
    out.slot = lowest(open_)
    out.fits = out.under = 0
    for i in range(COLOURS):
        if player.mask[i] & below(out.slot):
            out.under |= 1u << i
        out.forests[i] = 0
        out.forest_points[i] = 0
    out.fits = out.under if out.slot >= 5 else 31
    out.forests[5] = 0
    out.forest_points[5] = 0
    left = player.mask[FORESTS]
    while left:
        slot = lowest(left)
        left &= left - 1
        tile = &rules.tile[player.tile[slot]]
        wanted = 0
        for i in range(COLOURS):
            if tile.colours >> i & 1:
                wanted |= player.mask[i]
        near = popcount(wanted & AROUND[slot]) - tile.number
        if near >= 0:
            now.forests += 1
            now.points += tile.cp
        elif near == -1 and AROUND[slot] >> out.slot & 1:
            for i in range(COLOURS):
                if tile.colours >> i & 1:
                    out.forests[i] += 1
                    out.forest_points[i] += tile.cp
            if tile.colours:
                out.forests[5] += 1
                out.forest_points[5] += tile.cp


cdef inline int forest_neighbours(const Player* player, int slot, int colours) noexcept nogil:
    cdef u32 wanted = 0
    cdef int i
    for i in range(COLOURS):
        if colours >> i & 1:
            wanted |= player.mask[i]
    return popcount(wanted & AROUND[slot])


cdef int region_options(const Last* last, const Tile* tile, u64 here, int food, Tally* out) noexcept nogil:
    """All that can come of a tile in the last turn and can be best; `food`: what its volcano finds. Says how many."""
    cdef u64 realm = last.player.realm + here
    cdef Tally* option = out
    cdef int left, colour = tile.colour

    # 1. Face up.
    if last.fits >> colour & 1:
        left = can_pay(realm, cost_for(last.player, tile), tile.any_cost + last.debt)
        if left >= 0:
            option[0] = last.now
            option.forests += last.forests[colour]
            option.points += last.forest_points[colour]
            if tile.mystic > (option.temples & 255):
                option.temples += tile.mystic - (option.temples & 255)
            option.left = min(left, LIMIT)
            if tile.effect == VILLAGE:
                if left >= tile.number:
                    option[1] = option[0]
                    option += 1
                    option.villages += 1
                    option.points += tile.cp
                    option.left = min(left - tile.number, LIMIT)
            elif tile.effect == VOLCANO:
                if food >= tile.number:
                    option.volcanoes += 1
                    option.points += tile.cp
            elif tile.effect == IRRIGATION:
                if last.slot >= 5 and last.under >> lowest(tile.colours) & 1:
                    option.irrigations += 1
                    option.points += tile.cp
            elif tile.effect == FOREST:
                if forest_neighbours(last.player, last.slot, tile.colours) >= tile.number:
                    option.forests += 1
                    option.points += tile.cp
            else:
                option.points += tile.cp
                if tile.effect == TEMPLE:
                    option.temples += 256 * tile.number
                elif tile.effect == PROSELYTISM:
                    option.left = min(left + tile.number, LIMIT)
            option += 1

    # 2. As wilderness.
    option[0] = last.now
    option.forests += last.forests[5]
    option.points += last.forest_points[5] - last.wild_cost
    option.wild += 1
    option.left = min(total(realm) - last.debt, LIMIT)
    return <int>(option - out) + 1


cdef int god_options(const Last* last, u32 gods, Tally* out) noexcept nogil:
    cdef int god, n = 0
    while gods:
        god = lowest(gods)
        gods &= gods - 1
        out[n] = last.now
        out[n].god = god
        out[n].god_validated = god != DEATH
        if god == LOVE:
            out[n].left = min(last.now.left + LOVE_GAIN, LIMIT)
        elif god == IDLENESS:
            out[n].points += last.now.wild
        elif god == DEATH and last.now.left >= DEATH_COST:
            out[n + 1] = out[n]
            out[n].god_validated = True
            out[n].left -= DEATH_COST
            n += 1
        n += 1
    return n


cdef inline int rank(const Rules* rules, const Tally* second, const Tally* first) noexcept nogil:
    """What player 1 wants in the last turn: points, and then worshipers."""
    return RANK * points_ahead(rules, second, first) + second.left


cdef int best_reply(
    const Rules* rules, const State* state, const Last* last, const Tally* first, const u8* view, u32 gods, u32 cells
) noexcept nogil:
    """The best rank that player 1 reaches with the given cells, or gods, in the last turn."""
    cdef Tally option[16]
    cdef int best = NOTHING, n, i, cell, food
    cdef const Tile* tile
    if last.slot < 0:
        n = god_options(last, gods, option)
        for i in range(n):
            best = max(best, rank(rules, &option[i], first))
        return best
    while cells:
        cell = lowest(cells)
        cells &= cells - 1
        tile = &rules.tile[state.centre[cell]]
        food = removable(state, view, cell, tile) if tile.effect == VOLCANO else 0
        n = region_options(last, tile, on_cell(view, cell), food, option)
        for i in range(n):
            best = max(best, rank(rules, &option[i], first))
    return best


cdef inline i64 last_value(int best, int worshipers, bint margin) noexcept nogil:
    """For player 1, whose best rank this is; `worshipers`: the first player's."""
    if margin:
        return (best - (best & (RANK - 1))) // RANK
    return (best > worshipers) - (best < worshipers)


# Two options of one player that differ only in points and worshipers compare alike with whatever the other has: they
# are of one class. What gods and temple tokens bring is worked out once for each pair of classes.
cdef struct Class:
    u64 key
    Tally tally


cdef struct Option:
    i32 plain  # points and worshipers as in `rank`, without gods and tokens
    i32 class_
    i32 left


cdef enum:
    MOST_CLASSES = 64
    MOST_DRAWS = 8  # in all, options of at most nine tiles and eight draws, three each: no more than MOST_CLASSES


# One player's options with one tile in its last turn.
cdef struct Reply:
    Option option[3]
    int options


cdef struct Listed:
    i32 plain
    u8 class_
    u8 cell


# What does not change while the first player's last options are compared.
cdef struct Duel:
    const Rules* rules
    const State* state
    bint margin
    Last first
    Last second
    u64 compared  # the parts of a class key that gods look at
    Class one[MOST_CLASSES]  # of the first player
    Class two[MOST_CLASSES]
    int ones
    int twos
    u64 known[MOST_CLASSES]
    i16 extra[MOST_CLASSES][MOST_CLASSES]  # what gods and tokens bring the second player, as a rank
    Listed lying[3 * CELLS]  # the second player's options before the first one's turn, best first
    int listed
    Reply fresh[MOST_DRAWS]  # for each tile that may be drawn; it comes without worshipers
    u8 drawn[MOST_DRAWS]
    int draws
    u32 volcanoes  # cells
    u64 crowd  # all worshipers that the second player sees


cdef inline u64 compared_by(int god) noexcept nogil:
    if god == OCEANS:
        return <u64>0xFF << 16
    if god == FIRE:
        return <u64>0xFF << 24
    if god == HARVESTS:
        return <u64>0xFF << 32
    if god == NATURE:
        return <u64>0xFF << 40
    if god == TECHNOLOGY:
        return <u64>0xFF << 48
    if god == EQUILIBRIUM:
        return <u64>0xFF << 24 | <u64>0xFF << 32
    return 0


cdef inline int class_of(Class* classes, int* number, u64 compared, const Tally* tally) noexcept nogil:
    cdef u64 key = <u64>tally.temples & 0xFFFF
    cdef int i
    key |= (
        <u64>tally.irrigations << 16 | <u64>tally.volcanoes << 24 | <u64>tally.villages << 32 | <u64>tally.forests << 40
        | <u64>tally.wild << 48
    ) & compared
    for i in range(number[0]):
        if classes[i].key == key:
            return i
    i = number[0]
    classes[i].key = key
    classes[i].tally = tally[0]
    number[0] = i + 1
    return i


cdef inline void classify(
    Class* classes, int* number, u64 compared, const Tally* tally, int n, Reply* out
) noexcept nogil:
    cdef int i
    out.options = n
    for i in range(n):
        out.option[i].plain = RANK * tally[i].points + tally[i].left
        out.option[i].left = tally[i].left
        out.option[i].class_ = class_of(classes, number, compared, &tally[i])


cdef inline int extra_of(Duel* duel, int one_, int two) noexcept nogil:
    cdef const Tally* first
    cdef const Tally* second
    if not duel.known[one_] >> two & 1:
        first = &duel.one[one_].tally
        second = &duel.two[two].tally
        duel.extra[one_][two] = RANK * (points_ahead(duel.rules, second, first) - second.points + first.points)
        duel.known[one_] |= <u64>1 << two
    return duel.extra[one_][two]


cdef inline int neighbours_of(int cell) noexcept nogil:
    return 4 if cell == 4 else (3 if cell & 1 else 2)


cdef inline void reply_with(Duel* duel, int cell, const Tile* tile, u64 here, u64 crowd, Reply* out) noexcept nogil:
    """`crowd`: all worshipers of the centre when player 1 moves, those on this tile too."""
    cdef Tally tally[3]
    cdef int food = 0, n
    if tile.effect == VOLCANO:
        food = total_wide((crowd - few(here)) & colour_bytes(tile.colours))
        if tile.colours >> tile.colour & 1:
            food += neighbours_of(cell)
    n = region_options(&duel.second, tile, here, food, tally)
    classify(duel.two, &duel.twos, duel.compared, tally, n, out)


# Player 1's options with what the first player's turn changed; worked out when somebody asks.
cdef struct Changed:
    int cell  # that the first player took, or -1
    u32 cells
    Reply reply[CELLS]
    Reply drawn[MOST_DRAWS]


cdef inline void seen_after(const Duel* duel, int cell, u8* view) noexcept nogil:
    """What player 1 sees when the first player has taken a tile, before anything else."""
    memcpy(view, seen(duel.state, 1), SEEN_BYTES)
    generate(view, cell, duel.rules.tile[duel.state.centre[cell]].colour)
    memset(&view[5 * cell], 0, COLOURS)


cdef void work_out(Duel* duel, int cell, Changed* changed) noexcept nogil:
    cdef u8 view[SEEN_BYTES]
    cdef int i
    cdef u32 cells = duel.volcanoes
    cdef u64 crowd
    cdef const Tile* tile
    cdef const signed char* beside = BESIDE[cell]
    seen_after(duel, cell, view)
    crowd = crowd_of(view)
    while beside[0] >= 0:
        cells |= 1u << (beside[0] // COLOURS)
        beside += 1
    cells &= ~(1u << cell)
    changed.cell = cell
    changed.cells = cells
    while cells:
        i = lowest(cells)
        cells &= cells - 1
        tile = &duel.rules.tile[duel.state.centre[i]]
        reply_with(duel, i, tile, on_cell(view, i), crowd, &changed.reply[i])
    for i in range(duel.draws):
        tile = &duel.rules.tile[duel.drawn[i]]
        if tile.effect == VOLCANO:
            reply_with(duel, cell, tile, 0, crowd, &changed.drawn[i])
        else:
            changed.drawn[i] = duel.fresh[i]


cdef inline int best_with(Duel* duel, const Reply* reply, int one_, int best) noexcept nogil:
    cdef int j
    for j in range(reply.options):
        best = max(best, reply.option[j].plain + extra_of(duel, one_, reply.option[j].class_))
    return best


cdef inline i64 first_gets(const Duel* duel, const Option* first, int best) noexcept nogil:
    """The end for the first player when this is the second one's best; a plain rank counts the worshipers too."""
    if not duel.margin:
        return (best < first.plain) - (best > first.plain)
    best -= first.plain - first.left
    return -((best - (best & (RANK - 1))) // RANK)


cdef i64 face(Duel* duel, const Option* first, int cell, Changed* changed, i64 floor) noexcept nogil:
    """What an option of the first player with a tile is worth to it, summed over the draws; at the floor or below,
    perhaps less than what is returned. The second player replies with a tile that lies as it did, or one that
    changed, or the one drawn."""
    cdef int best = NOTHING, i, at = first.class_
    cdef u32 cells
    cdef i64 sum_

    # 1. What the second player has in any case: a neighbour is at least as good to take as before.
    for i in range(duel.listed):
        if duel.lying[i].cell != cell:
            best = max(best, duel.lying[i].plain + extra_of(duel, at, duel.lying[i].class_))
            if best > first.plain and not duel.margin:
                return -duel.draws
    if best > NOTHING:
        sum_ = duel.draws * first_gets(duel, first, best)
        if sum_ <= floor:
            return sum_

    # 2. With the draws, which at least are laid as they come.
    sum_ = 0
    for i in range(duel.draws):
        sum_ += first_gets(duel, first, best_with(duel, &duel.fresh[i], at, best))
    if sum_ <= floor:
        return sum_

    # 3. With what has changed.
    if changed.cell != cell:
        work_out(duel, cell, changed)
    cells = changed.cells
    while cells:
        best = best_with(duel, &changed.reply[lowest(cells)], at, best)
        cells &= cells - 1
    sum_ = 0
    for i in range(duel.draws):
        sum_ += first_gets(duel, first, best_with(duel, &changed.drawn[i], at, best))
    return sum_


cdef i64 face_fed(
    Duel* duel, const Option* first, int best, int cell, u32 cells, const u8* view, i64 floor
) noexcept nogil:
    """As `face`, after the first player's volcano in `cell` was fed: the second has `best` with other tiles than those
    of `cells`, of which it sees this."""
    cdef u64 crowd = crowd_of(view)
    cdef Reply reply
    cdef const Tile* tile
    cdef i64 sum_
    cdef int i
    while True:
        sum_ = duel.draws * first_gets(duel, first, best)
        if sum_ <= floor:
            return sum_
        if not cells:
            break
        i = lowest(cells)
        cells &= cells - 1
        reply_with(duel, i, &duel.rules.tile[duel.state.centre[i]], on_cell(view, i), crowd, &reply)
        best = best_with(duel, &reply, first.class_, best)
    sum_ = 0
    for i in range(duel.draws):
        tile = &duel.rules.tile[duel.drawn[i]]
        if tile.effect == VOLCANO:
            reply_with(duel, cell, tile, 0, crowd, &reply)
            sum_ += first_gets(duel, first, best_with(duel, &reply, first.class_, best))
        else:
            sum_ += first_gets(duel, first, best_with(duel, &duel.fresh[i], first.class_, best))
    return sum_


cdef i64 erupt_best(
    Duel* duel, Scratch* scratch, int cell, const Option* first, i64 floor, i64 ceiling
) except? -1 nogil:
    """The best way to feed the first player's volcano. Stops at the ceiling; at the floor or below it may be an upper
    bound."""
    cdef u8 after[SEEN_BYTES]  # what player 1 sees before anything is removed
    cdef u8 view[SEEN_BYTES]
    cdef int untouched[CELLS]  # the second player's best with a tile of which nothing is removed, best first ...
    cdef u8 lies[CELLS]  # ... and where it lies
    cdef u32 volcanoes = duel.volcanoes & ~(1u << cell), cells, touched
    cdef State copy
    cdef Reply reply
    cdef const Tile* tile = &duel.rules.tile[duel.state.centre[cell]]
    cdef i64 most, best = -(<i64>1 << 40), v
    cdef size_t k
    cdef u64 codes
    cdef int i, j, n = 0, other

    # 1. As if everything that can be removed were gone.
    seen_after(duel, cell, after)
    memcpy(view, after, SEEN_BYTES)
    for i in range(CELLS * COLOURS):
        if tile.colours >> (i % COLOURS) & 1:
            view[i] -= min(view[i], tile.number)
    most = face_fed(duel, first, NOTHING, cell, 0x1FF & ~(1u << cell), view, floor)
    if most <= floor:
        return most

    # 2. What the second player has where nothing is removed. Volcanoes are looked at each time.
    cells = 0x1FF & ~(1u << cell) & ~volcanoes
    while cells:
        i = lowest(cells)
        cells &= cells - 1
        reply_with(duel, i, &duel.rules.tile[duel.state.centre[i]], on_cell(after, i), 0, &reply)
        other = best_with(duel, &reply, first.class_, NOTHING)
        j = n
        while j > 0 and untouched[j - 1] < other:
            untouched[j], lies[j] = untouched[j - 1], lies[j - 1]
            j -= 1
        untouched[j], lies[j] = other, <u8>i
        n += 1

    # 3. Each choice.
    memcpy(&copy, duel.state, STATE_BYTES)
    find_removals(scratch, &copy, cell, tile, False, False)
    for k in range(scratch.removals):
        if k & 0xFFF == 0xFFF and is_enough(scratch, 0):
            break
        memcpy(view, after, SEEN_BYTES)
        codes = scratch.removal[k]
        touched = volcanoes
        while codes:
            i = (codes & 63) - 1
            view[i] -= view[i] > 0
            touched |= 1u << (i // COLOURS)
            codes >>= CODE_BITS
        other = NOTHING
        for j in range(n):
            if not touched >> lies[j] & 1:
                other = untouched[j]
                break
        v = face_fed(duel, first, other, cell, touched, view, max(floor, best))
        if v > best:
            best = v
            if best >= ceiling or best == most:
                break
    return best


cdef void list_lying(Duel* duel, const Reply* reply, int cell) noexcept nogil:
    """Keeps the list sorted by what an option is worth by itself."""
    cdef int i, j
    for i in range(reply.options):
        j = duel.listed
        while j > 0 and duel.lying[j - 1].plain < reply.option[i].plain:
            duel.lying[j] = duel.lying[j - 1]
            j -= 1
        duel.lying[j].plain = reply.option[i].plain
        duel.lying[j].class_ = reply.option[i].class_
        duel.lying[j].cell = cell
        duel.listed += 1


cdef int finish_with_gods(
    const Rules* rules, const State* state, const Last* first, const Last* second, bint margin, i64 scale, i64* value
) noexcept nogil:
    """The last turn of each when one of them is a god's: no draw in between matters."""
    cdef Tally option[16]
    cdef const u8* mine = seen(state, 0)
    cdef const Tile* tile
    cdef int i, n, cell, food, best_rank
    cdef u32 gods
    cdef i64 best = -(<i64>1 << 40)
    for cell in range(CELLS):
        if first.slot < 0:
            n = god_options(first, state.gods, option)
        else:
            tile = &rules.tile[state.centre[cell]]
            food = removable(state, mine, cell, tile) if tile.effect == VOLCANO else 0
            n = region_options(first, tile, on_cell(mine, cell), food, option)
        for i in range(n):
            gods = state.gods
            if first.slot < 0:
                gods &= ~(1u << option[i].god)
            best_rank = best_reply(rules, state, second, &option[i], seen(state, 1), gods, 0x1FF)
            best = max(best, -last_value(best_rank, option[i].left, margin))
        if first.slot < 0:
            break
    value[0] = best * scale
    return 1


cdef int finish_two(
    const Rules* rules, Scratch* scratch, const State* state, bint margin, i64 scale, i64 alpha, i64 beta, i64* value
) except -1 nogil:
    """The last turn of each: every option of the first player against every reply and draw, without a move made."""
    cdef Duel duel
    cdef Changed changed
    cdef Reply reply
    cdef Tally tally[3]
    cdef Option feeding[CELLS]
    cdef int fed[CELLS]
    cdef const u8* theirs = seen(state, 1)
    cdef const u8* mine = seen(state, 0)
    cdef const Tile* tile
    cdef int i, n, cell, word, level, food, feeds = 0
    cdef u64 bits
    cdef i64 best = -(<i64>1 << 40), v, unit, floor, ceiling
    duel.rules = rules
    duel.state = state
    duel.margin = margin
    look_at(rules, state, 0, &duel.first)
    look_at(rules, state, 1, &duel.second)
    if duel.first.slot < 0 or duel.second.slot < 0:
        return finish_with_gods(rules, state, &duel.first, &duel.second, margin, scale, value)
    duel.compared = compared_by(state.player[0].god) | compared_by(state.player[1].god)
    duel.ones = duel.twos = duel.listed = duel.draws = 0
    memset(duel.known, 0, sizeof(duel.known))

    # 1. The draws. A fresh tile that is no volcano is worth the same wherever it comes.
    level = 0 if state.left[0] else (1 if state.left[1] else 2)
    for word in range(2):
        bits = state.unseen[word] & rules.of_level[level][word]
        while bits:
            if duel.draws == MOST_DRAWS:
                return 0
            duel.drawn[duel.draws] = <u8>(64 * word + lowest(bits))
            bits &= bits - 1
            reply_with(&duel, 0, &rules.tile[duel.drawn[duel.draws]], 0, 0, &duel.fresh[duel.draws])
            duel.draws += 1
    unit = scale // duel.draws
    floor = alpha // unit - (alpha % unit < 0)  # in units: at or below it is not good enough
    ceiling = beta // unit + (beta % unit > 0)
    if not margin:
        floor, ceiling = max(floor, -duel.draws), min(ceiling, duel.draws)

    # 2. The second player's options as the centre lies. Volcanoes may find more or less later: they always change.
    duel.volcanoes = 0
    duel.crowd = crowd_of(theirs)
    for cell in range(CELLS):
        tile = &rules.tile[state.centre[cell]]
        if tile.effect == VOLCANO:
            duel.volcanoes |= 1u << cell
        else:
            reply_with(&duel, cell, tile, on_cell(theirs, cell), duel.crowd, &reply)
            list_lying(&duel, &reply, cell)

    # 3. Each tile of the first player; those that feed a volcano, with many ways each, only after the others.
    changed.cell = -1
    for cell in range(CELLS):
        tile = &rules.tile[state.centre[cell]]
        food = removable(state, mine, cell, tile) if tile.effect == VOLCANO else 0
        n = region_options(&duel.first, tile, on_cell(mine, cell), food, tally)
        classify(duel.one, &duel.ones, duel.compared, tally, n, &reply)
        for i in range(n):
            if tile.effect == VOLCANO and i == 0 and n == 2 and tile.number and food >= tile.number:
                feeding[feeds] = reply.option[0]
                fed[feeds] = cell
                feeds += 1
                continue
            v = face(&duel, &reply.option[i], cell, &changed, max(floor, best))
            if v > best:
                best = v
                if best >= ceiling:
                    value[0] = best * unit
                    return 1
    for i in range(feeds):
        v = erupt_best(&duel, scratch, fed[i], &feeding[i], max(floor, best), ceiling)
        if v > best:
            best = v
            if best >= ceiling:
                break
    value[0] = best * unit
    return 1


cdef int ending_finish(
    const void* rules_, void* scratch, const void* position, bint margin, i64 scale, i64 alpha, i64 beta, i64* value
) except -1 nogil:
    cdef const Rules* rules = <const Rules*>rules_
    cdef const State* state = <const State*>position
    cdef Last first, second
    if state.round < TURNS - 1:
        return 0
    if state.who == 0:
        return finish_two(rules, <Scratch*>scratch, state, margin, scale, alpha, beta, value)
    look_at(rules, state, 0, &first)
    look_at(rules, state, 1, &second)
    value[0] = scale * last_value(
        best_reply(rules, state, &second, &first.now, seen(state, 1), state.gods, 0x1FF), first.now.left, margin
    )
    return 1


# ---- what can still be reached ------------------------------------------------------------------------------

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
    i32 temples  # as in Tally: now, and with every temple that can be laid
    i32 temples_most
    i32 count[4]  # irrigations, volcanoes, villages, forests: now ...
    i32 count_most[4]  # ... and at most
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
    cdef u32 places = supported(player), fitting, left, wanted
    cdef i32 top[SLOTS]
    cdef i32 temple[SLOTS]
    cdef i32 first = 0, first_tile = -1, best = -1, second = -1, worth, sum_
    cdef i32 first_temple = 0, mystic = player.mystic
    cdef int i, cell, have, slot, place, near, open_, word, number, forests = 0, forests_open = 0
    cdef u64 here, bits
    cdef bint fits, erupting = False
    cdef const Tile* tile
    cdef const signed char* beside
    for i in range(4):
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
        wanted = 0
        for i in range(COLOURS):
            if tile.colours >> i & 1:
                wanted |= player.mask[i]
        near = popcount(wanted & AROUND[slot])
        open_ = popcount(AROUND[slot] & ~<u32>player.mask[OCCUPIED] & ((1u << SLOTS) - 1))
        if popcount(player.mask[OCCUPIED] & 0x1F) < 5:
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
            elif tile.effect == VOLCANO and (not now or removable(state, view, cell, tile) < tile.number):
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
    out.temples = 256 * player.temples + player.mystic
    out.temples_most = 256 * player.temples + (mystic if regions == 1 and not anything else 255)
    if regions == 0:
        out.temples_most = out.temples
    elif anything:
        for i in range(regions):
            out.temples_most += 256 * temple[i]
    else:
        # The first of them must be laid now, as above; two tiles with temples are two.
        out.temples_most += 256 * first_temple
        for i in range(regions - 1):
            out.temples_most += 256 * temple[i]
    out.count[0] = player.irrigations
    out.count[1] = player.volcanoes
    out.count[2] = player.villages
    out.count[3] = forests
    out.count_most[3] += forests_open
    for i in range(4):
        have = forests_open if i == 3 else 0
        out.count_most[i] = out.count[i] + have + min(out.count_most[i] - have, regions)


cdef inline void count_tile(const Tile* tile, Reach* out, i32* temple, int regions) noexcept nogil:
    if tile.effect == IRRIGATION:
        out.count_most[0] += 1
    elif tile.effect == VOLCANO:
        out.count_most[1] += 1
    elif tile.effect == VILLAGE:
        out.count_most[2] += 1
    elif tile.effect == FOREST:
        out.count_most[3] += 1
    elif tile.effect == TEMPLE:
        keep_top(temple, regions, tile.number)


cdef inline int token_ahead(const Rules* rules, int mine, int other) noexcept nogil:
    """What the tokens put me ahead, at best: a tie counts for me."""
    if mine >= other:
        return rules.tokens[0] - (rules.tokens[1] if other >= 256 else 0) if mine >= 256 else 0
    if other < 256:
        return 0
    return (rules.tokens[1] if mine >= 256 else 0) - rules.tokens[0]


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
        return GREAT_GOD_CP if mine.count_most[2] and mine.temples_most >= 256 and mine.count_most[1] else 0
    i = 0 if god == OCEANS else (1 if god == FIRE else (2 if god == HARVESTS else 3))
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
        return GREAT_GOD_CP if mine.count[2] and mine.temples >= 256 and mine.count[1] else 0
    i = 0 if god == OCEANS else (1 if god == FIRE else (2 if god == HARVESTS else 3))
    return GREAT_GOD_CP if holds_most(mine.count[i], other.count_most[i], rules.most_at_zero) else 0


cdef int ahead_at_most(
    const Rules* rules, const State* state, int who, const Reach* mine, const Reach* other
) noexcept nogil:
    """The points that a player can be ahead in the end, when the other one takes what is sure."""
    cdef const Player* me = &state.player[who]
    cdef const Player* you = &state.player[1 - who]
    cdef int ahead = mine.most - other.sure, god, gods, best = 0, worth
    ahead += token_ahead(rules, mine.temples_most, other.temples)
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


cdef Ending TABLE
TABLE.size = STATE_BYTES + SEEN_BYTES
TABLE.open = ending_open
TABLE.bundles = ending_bundles
TABLE.split = ending_split
TABLE.holds = ending_holds
TABLE.apply = ending_apply
TABLE.key = ending_key
TABLE.bounds = ending_bounds
TABLE.finish = ending_finish


cdef const Ending* orbis_ending() noexcept nogil:
    return &TABLE
