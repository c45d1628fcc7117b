"""The end of Orbis for an exact search: bundles of moves, what they lead to, and what still matters of it.

What is sound about it, and why, stands in ending.pxd.
"""

from libc.string cimport memcpy, memset

from ..common.bits cimport lowest, popcount
from ..common.ints cimport i32, i64, u8, u16, u32, u64
from ..common.rng cimport fold
from ..game cimport KINDS, SINGLE, Bundle, BundleList, Ending, Move, bundle_list_add
from .ending_bounds cimport ending_bounds
from .ending_last_turns cimport ending_finish
from .ending_position cimport POSITION_BYTES, STATE_OF_TWO, VIEW_BYTES, debt_of, food_for, remove_most, seen
from .movegen cimport (
    SEARCH_MOVES, Bill, Scratch, bill_of_god, bill_of_tile, find_removals, find_results, without_mirrors,
)
from .placement cimport coloured, supported
from .policy cimport can_pay
from .realm cimport COLOURS, LIMIT, RATE, count, from_nibbles, missing, of_each, to_nibbles, total
from .scoring cimport forest_sums, wilderness
from .state cimport (
    CELLS, DEATH, DEATH_COST, EQUILIBRIUM, FIRE, FORESTS, HARVESTS, IRRIGATION, MAX_TILES, NO_GOD, OCEANS,
    TEMPLE, TURNS, VILLAGE, VOLCANO, Player, Rules, State, Tile, on_cell,
)
from .turn cimport (
    CODE_BITS, IS_GOD, IS_VALID, IS_WILD, PLACE_SHIFT, REALM_MASK, REALM_SHIFT, generate, irrigated, lay_tile,
    move_cell, move_head, move_realm, removed_by,
)

cdef enum:
    COLOUR_MOST = 30

# Kinds of bundles, with sixteen places each.
cdef enum:
    KIND_VALID = 0  # and the tile's number
    KIND_CANCELLED = MAX_TILES
    KIND_WILD = 2 * MAX_TILES  # and the cell
    KIND_GOD = 3 * MAX_TILES  # and the god
    KIND_DEATH_PAID = KIND_GOD + 16


cdef void ending_open(const void* rules, const void* state, void* position) noexcept nogil:
    memcpy(position, state, STATE_OF_TWO)
    memset(<u8*>position + STATE_OF_TWO, 0, VIEW_BYTES)
    memcpy(<u8*>position + STATE_OF_TWO, (<const State*>state).worshipers, 5 * CELLS)


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
    """What is gained and given, when the cost is paid."""
    cdef u64 more
    plan.kept += plan.bill.gain + of_each(plan.bill.free_gain)
    plan.debt += (COLOURS - 1) * plan.bill.free_gain + plan.bill.give
    plan.left += total(plan.bill.gain) + plan.bill.free_gain - plan.bill.give
    plan.one_way = plan.debt == 0 and plan.bill.free_gain == 0 and total(plan.kept) <= LIMIT
    more = missing(of_each(COLOUR_MOST), plan.kept)
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
    bill_of_tile(player, tile, &plan.bill)
    plan.realm = player.realm + here
    plan.left = can_pay(plan.realm, plan.bill.cost, tile.any_cost + debt)
    if plan.left < 0:
        return
    short_of = missing(plan.realm, plan.bill.cost)
    plan.kept = plan.realm - (plan.bill.cost - short_of)
    plan.debt = debt + tile.any_cost + RATE * total(short_of)
    plan.bill.give = tile.number if give else 0
    finish_plan(plan)


cdef void plan_god(const Player* player, int debt, int god, bint give, Plan* plan) noexcept nogil:
    bill_of_god(god, give, &plan.bill)
    plan.realm = plan.kept = player.realm
    plan.debt = debt
    plan.left = total(plan.realm) - debt
    finish_plan(plan)


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
    cdef int cell, god, gods, place, number, debt = debt_of(state, state.who)[0]
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
            add(out, &plan, god | IS_GOD | (0 if god == DEATH else IS_VALID), 1, last, free, False, KIND_GOD + god, 150)
            if god == DEATH and plan.left >= DEATH_COST:
                plan_god(player, debt, god, True, &plan)
                add(out, &plan, god | IS_GOD | IS_VALID, 1, last, free, False, KIND_DEATH_PAID + god, 300)

    # 2. Regions: as wilderness; face up and validated, if it can be; face up and cancelled.
    places = supported(player)
    if not places:
        return 0
    places = without_mirrors(player, places)
    unseen = state.refills == 1  # no region is taken after this one
    for cell in range(CELLS):
        number = state.centre[cell]
        tile = &rules.tile[number]
        here = on_cell(view, cell)
        plan_wild(player, debt, here, &plan)
        add(out, &plan, cell | IS_WILD, places, last, free, False, KIND_WILD + cell, -100)
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
            add(out, &plan, cell | IS_VALID, watered, last, free, False, KIND_VALID + number, 100 * tile.cp)
            add(out, &plan, cell, fitting & ~watered, last, free, False, KIND_CANCELLED + number, 0)
        elif tile.effect == VOLCANO:
            add(out, &plan, cell, fitting, last, free, False, KIND_CANCELLED + number, 0)
            if food_for(view, cell, tile) >= tile.number:
                add(
                    out, &plan, cell | IS_VALID, fitting, last, free, not unseen and tile.number > 0,
                    KIND_VALID + number, 100 * tile.cp,
                )
        elif tile.effect == VILLAGE:
            add(out, &plan, cell, fitting, last, free, False, KIND_CANCELLED + number, 0)
            if plan.left >= tile.number:
                plan_tile(player, debt, tile, here, True, &plan)
                add(out, &plan, cell | IS_VALID, fitting, last, free, False, KIND_VALID + number, 100 * tile.cp)
        else:
            add(
                out, &plan, cell | IS_VALID, fitting, last, free, False, KIND_VALID + number,
                100 * tile.cp + (140 * tile.number if tile.effect == TEMPLE else 0),
            )
    return 0


cdef void plan_of(const Rules* rules, const State* state, u64 what, Plan* plan) noexcept nogil:
    """The plan behind a bundle or a move."""
    cdef const Player* player = &state.player[state.who]
    cdef int cell = move_cell(what), debt = debt_of(state, state.who)[0]
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
    cdef int cell = move_cell(what)
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
        memcpy(&copy, state, STATE_OF_TWO)
        memcpy(copy.worshipers, seen(state, state.who), 5 * CELLS)
        find_removals(scratch, &copy, cell, &rules.tile[state.centre[cell]], False, False)
        for k in range(scratch.removals):
            part = bundle_list_add(out, move_head(what) | realm << REALM_SHIFT, scratch.removal[k], level)
            part.order = -<i32>k
            part.kind = bundle.kind
        return 0

    # 2. The realms that can be left over.
    find_results(scratch, plan.realm, &plan.bill, SEARCH_MOVES, False)
    for i in range(scratch.results):
        part = bundle_list_add(out, move_head(what) | scratch.result[i] << REALM_SHIFT, bundle.move.detail, SINGLE)
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
    if move_head(bundle.move.what) != move_head(move.what):
        return False
    if bundle.move.detail and move.detail and bundle.move.detail != move.detail:
        return False
    return bundle.level != SINGLE or bundle.move.what == move.what


cdef void ending_apply(const void* rules_, void* position, const Bundle* bundle) noexcept nogil:
    """As state_apply, with two views of the centre, and realms larger than a move can name."""
    cdef const Rules* rules = <const Rules*>rules_
    cdef State* state = <State*>position
    cdef int who = state.who, i, cell = move_cell(bundle.move.what)
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
            remove_most(theirs, tile)
        while codes:
            i = removed_by(codes)
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
    cdef const u8* other = <const u8*>position + STATE_OF_TWO
    key[0] = <u64>0x243F6A8885A308D3
    key[1] = <u64>0x13198A2E03707344

    # 1. The centre: tiles, and what each sees on them.
    words[5] = 0
    memcpy(words, other, VIEW_BYTES)
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


cdef Ending TABLE
TABLE.size = POSITION_BYTES
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
