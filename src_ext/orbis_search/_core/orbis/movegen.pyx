"""Move generation; the pruning rules and their arguments stand in movegen.pxd."""

from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from ..common.bits cimport lowest, popcount
from ..common.ints cimport u8, u16, u32, u64
from ..game cimport Move, MoveList, move_list_free, move_list_reserve
from .placement cimport LEFT_END, coloured
from .realm cimport (
    COLOURS, LIMIT, RATE, count, covers, from_nibbles, missing, of_each, one, subsets, to_nibbles, total,
)
from .state cimport (
    CELLS, DEATH, FORESTS, IRRIGATION, NO_GOD, OCCUPIED, ROW_1, TURNS, VILLAGE, VOLCANO, Player, Rules, State, Tile,
    cell_worshipers,
)
from .turn cimport (
    CODE_BITS, IS_GOD, IS_VALID, IS_WILD, MAX_REMOVED, PLACE_SHIFT, REALM_SHIFT, irrigated,
)


cdef enum:
    ASK = 63  # steps between two questions whether it is enough, less one; must be a mask
    MANY = 4095  # moves with one tile, before it is asked
    REALM_WORK = 32  # moves that a realm on the way counts as: what it takes to exchange from it
    FEW_REMOVED = 4  # of eight tiles and five colours this leaves at most 123,410 choices


# ---- sets of realms -------------------------------------------------------------------------------

cdef int set_grow(RealmSet* realms) except -1 nogil:
    """Twice the room, or the first; the index is made anew."""
    cdef u32 capacity = 2 * realms.capacity if realms.capacity else 512
    cdef u64* item = <u64*>realloc(realms.item, capacity * sizeof(u64))
    if item != NULL:
        realms.item = item
    cdef u32* index = <u32*>calloc(4 * <size_t>capacity, sizeof(u32))
    if item == NULL or index == NULL:
        free(index)
        with gil:
            raise MemoryError(f"no memory for {capacity} realms of one turn")
    free(realms.index)
    realms.capacity = capacity
    realms.index = index
    realms.mask = 4 * capacity - 1
    cdef u32 i, at
    for i in range(realms.count):
        at = set_hash(item[i]) & realms.mask
        while index[at]:
            at = (at + 1) & realms.mask
        index[at] = i + 1
    return 0


cdef inline u32 set_hash(u64 realm) noexcept nogil:
    return <u32>((realm * <u64>0x9E3779B97F4A7C15) >> 32)


cdef inline int set_add(RealmSet* realms, u64 realm) except -1 nogil:
    if realms.count == realms.capacity:
        set_grow(realms)
    cdef u32 at = set_hash(realm) & realms.mask
    while realms.index[at]:
        if realms.item[realms.index[at] - 1] == realm:
            return 0
        at = (at + 1) & realms.mask
    realms.item[realms.count] = realm
    realms.count += 1
    realms.index[at] = realms.count
    return 0


cdef inline void set_clear(RealmSet* realms) noexcept nogil:
    """Frees the index by walking what was entered, or all of it when that is less work."""
    cdef u32 i, at
    if realms.count > realms.mask // 16:
        memset(realms.index, 0, (<size_t>realms.mask + 1) * sizeof(u32))
    else:
        # Backwards, each along its own probe chain: what was entered later lies behind.
        for i in range(realms.count, 0, -1):
            at = set_hash(realms.item[i - 1]) & realms.mask
            while realms.index[at] != i:
                at = (at + 1) & realms.mask
            realms.index[at] = 0
    realms.count = 0


cdef int set_exchange(Scratch* scratch, RealmSet* realms, int above) except -1 nogil:
    """Adds all that exchanges lead to, as long as more than `above` worshipers are held before each."""
    cdef u32 i = 0
    cdef u64 realm
    cdef int source, target
    while i < realms.count:
        realm = realms.item[i]
        i += 1
        if i & ASK == 0 and is_enough(scratch, REALM_WORK * <size_t>realms.count):
            return 0
        if total(realm) <= above:
            continue
        for source in range(COLOURS):
            if count(realm, source) < RATE:
                continue
            for target in range(COLOURS):
                if target != source:
                    set_add(realms, realm - RATE * one(source) + one(target))
    return 0


cdef int set_lose(Scratch* scratch, const RealmSet* realms, RealmSet* out, u64 fixed, int n) except -1 nogil:
    """To `out`: each realm that can pay `fixed`, less that and less any n, in every way."""
    cdef u32 i
    cdef int k, ways
    cdef u64 realm
    for i in range(realms.count):
        realm = realms.item[i]
        if i & ASK == ASK and is_enough(scratch, REALM_WORK * <size_t>out.count):
            return 0
        if not covers(realm, fixed):
            continue
        realm -= fixed
        if n == 0:
            set_add(out, realm)
            continue
        if total(realm) < n:
            continue
        ways = subsets(realm, n, scratch.choice)
        for k in range(ways):
            set_add(out, realm - scratch.choice[k])
    return 0


# ---- the realm left over -------------------------------------------------------------------------

cdef inline void leave(Scratch* scratch, u64 realm) noexcept nogil:
    """Notes a realm of at most 10 as a result, once."""
    cdef u64 nibbles = to_nibbles(realm)
    cdef u64 bit = <u64>1 << (nibbles & 63)
    if not scratch.seen[nibbles >> 6] & bit:
        scratch.seen[nibbles >> 6] |= bit
        scratch.result[scratch.results] = nibbles
        scratch.results += 1
        scratch.full += total(realm) == LIMIT


cdef inline void leave_limited(Scratch* scratch, u64 realm) noexcept nogil:
    """The limit: of more than 10, every choice of 10 to keep."""
    cdef int k, ways
    if total(realm) <= LIMIT:
        leave(scratch, realm)
        return
    if scratch.full == MAX_SUBSETS:
        return  # each of them has been left before
    ways = subsets(realm, LIMIT, scratch.choice)
    for k in range(ways):
        leave(scratch, scratch.choice[k])


cdef int add_exchanged_to_pay(RealmSet* out, u64 left, int swaps, int colour) except -1 nogil:
    """Every way to give three of a colour so many times, from `colour` on."""
    cdef int times
    if swaps == 0:
        set_add(out, left)
        return 0
    if colour == COLOURS:
        return 0
    for times in range(min(swaps, count(left, colour) // RATE) + 1):
        add_exchanged_to_pay(out, left - times * RATE * one(colour), swaps - times, colour + 1)
    return 0


cdef int find_results(Scratch* scratch, u64 realm, const Bill* bill, u32 prune, bint last) except -1 nogil:
    cdef RealmSet* a = &scratch.one
    cdef RealmSet* b = &scratch.other
    cdef RealmSet* swap_
    cdef bint thrifty = (prune & PRUNE_EXCHANGES) != 0
    cdef int above = LIMIT if thrifty else 0
    cdef u64 short_of
    cdef u32 i
    cdef int k, ways, best

    # The bits of `seen` that the last call set.
    for k in range(scratch.results):
        scratch.seen[scratch.result[k] >> 6] = 0
    scratch.results = scratch.full = 0

    # Most turns by far, when nothing is exchanged: a plain choice of what to pay with.
    ways = bill.any_cost + bill.give
    if (thrifty and bill.free_gain == 0 and bill.gain == 0 and ways <= LIMIT and covers(realm, bill.cost)
            and total(realm) - total(bill.cost) - ways <= LIMIT):
        realm -= bill.cost
        if total(realm) < ways:
            return 0
        if ways == 0:
            leave(scratch, realm)
        else:
            ways = subsets(realm, ways, scratch.choice)
            for k in range(ways):
                scratch.result[k] = to_nibbles(realm - scratch.choice[k])
                scratch.seen[scratch.result[k] >> 6] |= <u64>1 << (scratch.result[k] & 63)
            scratch.results = ways
    else:
        # Pay.
        set_clear(a)
        set_clear(b)
        if thrifty:
            short_of = missing(realm, bill.cost)
            add_exchanged_to_pay(a, realm - (bill.cost - short_of), total(short_of), 0)
            set_lose(scratch, a, b, 0, bill.any_cost)
        else:
            set_add(a, realm)
            set_exchange(scratch, a, 0)
            set_lose(scratch, a, b, bill.cost, bill.any_cost)
        swap_ = a
        a = b
        b = swap_

        # Gain.
        if bill.free_gain or bill.gain:
            set_clear(b)
            ways = subsets(of_each(bill.free_gain), bill.free_gain, scratch.choice)
            for i in range(a.count):
                if i & ASK == ASK and is_enough(scratch, REALM_WORK * <size_t>b.count):
                    return 0
                for k in range(ways):
                    set_add(b, a.item[i] + bill.gain + scratch.choice[k])
            swap_ = a
            a = b
            b = swap_

        # Give: village or Death. Giving is never better after an exchange, as any colour will do.
        if bill.give:
            if not thrifty:
                set_exchange(scratch, a, 0)
            set_clear(b)
            set_lose(scratch, a, b, 0, bill.give)
            swap_ = a
            a = b
            b = swap_

        # Exchange once more, then the limit.
        set_exchange(scratch, a, above)
        for i in range(a.count):
            if i & ASK == ASK and is_enough(scratch, REALM_WORK * <size_t>a.count):
                return 0
            leave_limited(scratch, a.item[i])

    if last and prune & (PRUNE_LAST_REALM | PRUNE_LAST_COLOURS) and scratch.results > 1:
        keep_by_number(scratch, (prune & PRUNE_LAST_REALM) != 0)
    return 0


cdef void keep_by_number(Scratch* scratch, bint only_most) noexcept nogil:
    """Of the results, one for each number of worshipers, or one with the most: each the smallest as a number."""
    cdef u64 kept[LIMIT + 1]
    cdef int k, n, least = LIMIT + 1, most = -1
    memset(kept, 0xFF, sizeof(kept))
    for k in range(scratch.results):
        n = total(from_nibbles(scratch.result[k]))
        least = min(least, n)
        most = max(most, n)
        kept[n] = min(kept[n], scratch.result[k])
        scratch.seen[scratch.result[k] >> 6] = 0
    scratch.results = 0
    for n in range(most, most - 1 if only_most else least - 1, -1):
        if kept[n] != <u64>-1:
            scratch.result[scratch.results] = kept[n]
            scratch.results += 1
            scratch.seen[kept[n] >> 6] |= <u64>1 << (kept[n] & 63)


# ---- what a volcano removes ----------------------------------------------------------------------

# Worshipers a volcano may remove: kinds are (cell, colour), in order of their codes.
cdef struct Field:
    int kinds
    u8 code[CELLS * 5]
    u8 number[CELLS * 5]
    u16 behind[CELLS * 5 + 1]  # how many there are from this kind on


cdef int note_removal(Scratch* scratch, u64 codes) except -1 nogil:
    cdef u64* grown
    cdef size_t capacity
    if scratch.removals == scratch.removal_capacity:
        capacity = 2 * scratch.removal_capacity if scratch.removal_capacity else 1024
        grown = <u64*>realloc(scratch.removal, capacity * sizeof(u64))
        if grown == NULL:
            with gil:
                raise MemoryError(f"no memory for {capacity} ways to feed a volcano")
        scratch.removal = grown
        scratch.removal_capacity = capacity
    scratch.removal[scratch.removals] = codes
    scratch.removals += 1
    return 0


cdef int walk_removals(Scratch* scratch, const Field* field, int kind, int n, u64 codes, int shift) except -1 nogil:
    """Every choice of n from `kind` on, as codes in ascending order."""
    cdef int take = 0
    if n == 0:
        return note_removal(scratch, codes)
    if field.behind[kind] < n:
        return 0
    while True:
        walk_removals(scratch, field, kind + 1, n - take, codes, shift + CODE_BITS * take)
        if take == n or take == field.number[kind]:
            return 0
        codes |= <u64>field.code[kind] << (shift + CODE_BITS * take)
        take += 1


cdef size_t count_removals(const Field* field, int n) noexcept nogil:
    """How many choices of n there are, without walking through them: there can be billions."""
    cdef size_t ways[MAX_REMOVED + 1]
    cdef int k, have, take
    memset(ways, 0, sizeof(ways))
    ways[0] = 1
    for k in range(field.kinds):
        for have in range(n, 0, -1):
            for take in range(1, min(have, field.number[k]) + 1):
                ways[have] += ways[have - take]
    return ways[n]


cdef int find_removals(
    Scratch* scratch, const State* state, int cell, const Tile* tile, bint one_will_do, bint only_count
) except -1 nogil:
    cdef Field field
    cdef u64 here
    cdef int i, colour, n, k
    field.kinds = 0
    for i in range(CELLS):
        if i == cell:
            continue
        here = removable(state, cell, tile, i)
        for colour in range(COLOURS):
            n = count(here, colour)
            if n:
                field.code[field.kinds] = <u8>(5 * i + colour + 1)
                field.number[field.kinds] = <u8>n
                field.kinds += 1
    field.behind[field.kinds] = 0
    for k in range(field.kinds - 1, -1, -1):
        field.behind[k] = field.behind[k + 1] + field.number[k]
    scratch.removals = 0
    if field.behind[0] < tile.number:
        return 0
    if only_count:
        scratch.removals = 1 if one_will_do else count_removals(&field, tile.number)
        return 0
    if not one_will_do:
        if tile.number > FEW_REMOVED and is_enough(scratch, count_removals(&field, tile.number)):
            return 0
        return walk_removals(scratch, &field, 0, tile.number, 0, 0)
    here = 0
    k = n = 0
    for i in range(tile.number):
        here |= <u64>field.code[k] << (CODE_BITS * i)
        n += 1
        if n == field.number[k]:
            k += 1
            n = 0
    return note_removal(scratch, here)


# ---- mirror images --------------------------------------------------------------------------------

cdef inline int row_start(int row) noexcept nogil:
    return 0 if row == 0 else (5 if row == 1 else (9 if row == 2 else 12))


cdef u32 without_mirrors(const Player* player, u32 places) noexcept nogil:
    """Leaves out places that mirror another one, if the universe is its own mirror image."""
    cdef int length = popcount(player.mask[OCCUPIED] & ROW_1), row, column, width, i, here, there
    if length == 0:
        return places
    for row in range(4):
        width = length - row
        for column in range(width // 2):
            here = row_start(row) + column
            there = row_start(row) + width - 1 - column
            for i in range(COLOURS):
                if (player.mask[i] >> here ^ player.mask[i] >> there) & 1:
                    return places
            if (player.mask[FORESTS] >> here | player.mask[FORESTS] >> there) & 1:
                return places
    places &= ~(1u << LEFT_END)
    for row in range(1, 4):
        width = length - row
        for column in range(width // 2):
            places &= ~(1u << (row_start(row) + width - 1 - column))
    return places


# ---- the moves ------------------------------------------------------------------------------------

cdef long long emit(
    Scratch* scratch, MoveList* out, int cell, u32 places, u64 flags, bint erupts
) except -1 nogil:
    """The product of places, removals and results."""
    cdef size_t removals = scratch.removals if erupts else 1, k
    cdef long long n = <long long>popcount(places) * <long long>removals * scratch.results
    cdef int r
    cdef u64 head
    cdef Move* move
    if scratch.record != NULL and n:
        scratch.record(
            scratch.recorder, cell, places, flags, scratch.removal, scratch.removals if erupts else 0,
            scratch.result, scratch.results,
        )
    if out == NULL or n == 0 or (n > MANY and is_enough(scratch, out.count + <size_t>n)):
        return n
    move_list_reserve(out, <size_t>n)
    move = out.item + out.count
    while places:
        head = cell | flags | <u64>lowest(places) << PLACE_SHIFT
        places &= places - 1
        for k in range(removals):
            for r in range(scratch.results):
                move.what = head | scratch.result[r] << REALM_SHIFT
                move.detail = scratch.removal[k] if erupts else 0
                move += 1
    out.count += <size_t>n
    return n


cdef long long region_moves(
    const Rules* rules, Scratch* scratch, const State* state, u32 prune, MoveList* out, int cell, u32 places, bint last
) except -1 nogil:
    cdef const Player* player = &state.player[state.who]
    cdef const Tile* tile = &rules.tile[state.centre[cell]]
    cdef u64 realm = player.realm + cell_worshipers(state, cell)
    cdef u32 fitting = coloured(player, places, tile.colour), watered = 0, left
    cdef long long n
    cdef int place
    cdef bint one_will_do
    cdef Bill bill
    memset(&bill, 0, sizeof(bill))

    # 1. As wilderness: always allowed, nothing is paid.
    find_results(scratch, realm, &bill, prune, last)
    n = emit(scratch, out, cell, places, IS_WILD, False)
    if not fitting:
        return n

    # 2. Face up; a village left alone and a volcano left cold cost no more than the tile.
    bill_of_tile(player, tile, &bill)
    find_results(scratch, realm, &bill, prune, last)
    if scratch.results == 0:
        return n
    if tile.effect == IRRIGATION:
        left = fitting
        while left:
            place = lowest(left)
            left &= left - 1
            if irrigated(player, tile, place):
                watered |= 1u << place
        n += emit(scratch, out, cell, watered, IS_VALID, False)
        n += emit(scratch, out, cell, fitting & ~watered, 0, False)
    elif tile.effect == VOLCANO:
        n += emit(scratch, out, cell, fitting, 0, False)
        one_will_do = prune & PRUNE_LAST_ASHES and state.refills == 1
        find_removals(scratch, state, cell, tile, one_will_do, out == NULL and scratch.record == NULL)
        n += emit(scratch, out, cell, fitting, IS_VALID, True)
    elif tile.effect == VILLAGE:
        n += emit(scratch, out, cell, fitting, 0, False)
        bill.give = tile.number
        find_results(scratch, realm, &bill, prune, last)
        n += emit(scratch, out, cell, fitting, IS_VALID, False)
    else:
        n += emit(scratch, out, cell, fitting, IS_VALID, False)
    return n


cdef long long god_moves(
    const Rules* rules, Scratch* scratch, const State* state, u32 prune, MoveList* out, bint last
) except -1 nogil:
    cdef u64 realm = state.player[state.who].realm
    cdef int god, gods = state.gods
    cdef long long n = 0
    cdef Bill bill
    while gods:
        god = lowest(gods)
        gods &= gods - 1
        bill_of_god(god, False, &bill)
        find_results(scratch, realm, &bill, prune, last)
        # A place mask of one bit at place 0 makes the god's moves.
        n += emit(scratch, out, god, 1, IS_GOD | (0 if god == DEATH else IS_VALID), False)
        if god == DEATH:
            bill_of_god(god, True, &bill)
            find_results(scratch, realm, &bill, prune, last)
            n += emit(scratch, out, god, 1, IS_GOD | IS_VALID, False)
    return n


cdef long long generate_moves(
    const Rules* rules, Scratch* scratch, const State* state, u32 prune, MoveList* out
) except -1 nogil:
    cdef const Player* player = &state.player[state.who]
    cdef bint last = state.round == TURNS - 1
    cdef int cell
    cdef long long n = 0
    cdef u32 places
    if prune & PRUNE_LAST_COLOURS and last and state.who == rules.players - 1:
        prune |= PRUNE_LAST_REALM | PRUNE_EXCHANGES  # which only cost worshipers now

    # A god, once in the game. What a god asks for differs only for Love and Death.
    if player.god == NO_GOD:
        n += god_moves(rules, scratch, state, prune, out, last)

    # A region, unless the pyramid is complete: then nothing is supported.
    places = open_places(player, prune)
    if places:
        for cell in range(CELLS):
            n += region_moves(rules, scratch, state, prune, out, cell, places, last)
    return n


cdef long long group_moves(
    const Rules* rules, Scratch* scratch, const State* state, u32 prune, int lane, MoveList* out
) except -1 nogil:
    cdef const Player* player = &state.player[state.who]
    cdef bint last = state.round == TURNS - 1
    cdef u32 places
    if lane == CELLS:
        return god_moves(rules, scratch, state, prune, out, last) if player.god == NO_GOD else 0
    places = open_places(player, prune)
    return region_moves(rules, scratch, state, prune, out, lane, places, last) if places else 0


cdef Scratch* scratch_new() noexcept nogil:
    cdef Scratch* scratch = <Scratch*>calloc(1, sizeof(Scratch))
    cdef bint ok
    if scratch == NULL:
        return NULL
    with gil:
        try:
            set_grow(&scratch.one)
            set_grow(&scratch.other)
            ok = True
        except MemoryError:
            ok = False
    if not ok:
        scratch_free(scratch)
        return NULL
    return scratch


cdef void scratch_free(Scratch* scratch) noexcept nogil:
    if scratch != NULL:
        free(scratch.one.item)
        free(scratch.one.index)
        free(scratch.other.item)
        free(scratch.other.index)
        free(scratch.removal)
        move_list_free(&scratch.found)
        free(scratch)
