"""The last turns of a game solved at once.

A *tally* is what of a player counts in the end. Each option of the first player is compared with all that the second
may reply, as tallies.
"""

from libc.string cimport memcpy, memset

from ..common.bits cimport lowest, popcount
from ..common.ints cimport i16, i32, i64, u8, u32, u64
from .ending_position cimport STATE_OF_TWO, VIEW_BYTES, debt_of, few, food_for, remove_most, seen, total_wide
from .movegen cimport Scratch, find_removals, is_enough
from .placement cimport below
from .policy cimport can_pay, colour_bytes, cost_for
from .realm cimport COLOURS, LIMIT, total
from .scoring cimport (
    AROUND, ONE_TEMPLE, forest_neighbours, forest_sums, holds_most, temple_rank, tokens_ahead, wilderness,
)
from .state cimport (
    APPRENTICE, APPRENTICE_CP, CELLS, DEATH, DEATH_COST, EQUILIBRIUM, FIRE, FOREST, FORESTS, GREAT_GOD_CP, HARVESTS,
    IDLENESS, IRRIGATION, LOVE, LOVE_GAIN, NATURE, NO_GOD, OCCUPIED, OCEANS, PROSELYTISM, SLOTS, SMALL_GOD_CP,
    TECHNOLOGY, TEMPLE, TURNS, VILLAGE, VOLCANO, Player, Rules, State, Tile, lowest_pile, on_cell,
)
from .turn cimport BESIDE, CODE_BITS, generate, removed_by

cdef enum:
    RANK = 32  # points are worth more than any number of worshipers
    NOTHING = -(1 << 30)  # a rank below all others
    EVERY_CELL = (1 << CELLS) - 1


# ---- what counts in the end -------------------------------------------------------------------------------

# What of a player counts in the end.
cdef struct Tally:
    i32 points  # forests, wilderness and all but the god and the token
    i32 temples  # as a temple rank
    u8 god
    u8 god_validated
    u8 irrigations
    u8 volcanoes
    u8 villages
    u8 forests
    u8 wild
    u8 left  # worshipers


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
        return GREAT_GOD_CP if mine.villages and mine.temples >= ONE_TEMPLE and mine.volcanoes else 0
    return GREAT_GOD_CP if mine.god_validated else 0


cdef inline int points_ahead(const Rules* rules, const Tally* second, const Tally* first) noexcept nogil:
    """Of player 1; a tie between temples is the first player's."""
    cdef int ahead = second.points - first.points
    ahead += god_worth(rules, second, first) - god_worth(rules, first, second)
    return ahead - tokens_ahead(rules, first.temples, second.temples)


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
    cdef u32 open_ = ~<u32>player.mask[OCCUPIED] & ((1u << SLOTS) - 1), left
    cdef int i, n, points, slot, near
    cdef const Tile* tile
    out.player = player
    now.points = player.points
    now.temples = temple_rank(player)
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
        near = forest_neighbours(player, slot, tile.colours) - tile.number
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


cdef int region_options(const Last* last, const Tile* tile, u64 here, int food, Tally* out) noexcept nogil:
    """All that can come of a tile in the last turn and can be best; `food`: what its volcano finds. Says how many."""
    cdef u64 realm = last.player.realm + here
    cdef Tally* option = out
    cdef int left, mystic, colour = tile.colour

    # 1. Face up.
    if last.fits >> colour & 1:
        left = can_pay(realm, cost_for(last.player, tile), tile.any_cost + last.debt)
        if left >= 0:
            option[0] = last.now
            option.forests += last.forests[colour]
            option.points += last.forest_points[colour]
            mystic = option.temples & (ONE_TEMPLE - 1)
            if tile.mystic > mystic:
                option.temples += tile.mystic - mystic
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
                    option.temples += ONE_TEMPLE * tile.number
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


cdef inline int points_in(int rank_) noexcept nogil:
    return (rank_ - (rank_ & (RANK - 1))) // RANK


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
        food = food_for(view, cell, tile) if tile.effect == VOLCANO else 0
        n = region_options(last, tile, on_cell(view, cell), food, option)
        for i in range(n):
            best = max(best, rank(rules, &option[i], first))
    return best


cdef inline i64 last_value(int best, int worshipers, bint margin) noexcept nogil:
    """For player 1, whose best rank this is; `worshipers`: the first player's."""
    if margin:
        return points_in(best)
    return (best > worshipers) - (best < worshipers)


# ---- the last turn of each --------------------------------------------------------------------------------

# Two options of one player that differ only in points and worshipers compare alike with whatever the other has: they
# are of one class. What gods and temple tokens bring is worked out once for each pair of classes.
cdef struct Class:
    u64 key
    Tally tally


cdef struct Option:
    i32 plain  # points and worshipers as in `rank`, without gods and tokens
    i32 class_
    i32 left


# The fields of a class's key: bits 0-15 are the temple rank; then a byte for each number that a god may compare.
cdef enum:
    IRRIGATIONS_AT = 16
    VOLCANOES_AT = 24
    VILLAGES_AT = 32
    FORESTS_AT = 40
    WILD_AT = 48


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
    """The fields of a class's key that a god looks at."""
    if god == OCEANS:
        return <u64>0xFF << IRRIGATIONS_AT
    if god == FIRE:
        return <u64>0xFF << VOLCANOES_AT
    if god == HARVESTS:
        return <u64>0xFF << VILLAGES_AT
    if god == NATURE:
        return <u64>0xFF << FORESTS_AT
    if god == TECHNOLOGY:
        return <u64>0xFF << WILD_AT
    if god == EQUILIBRIUM:
        return <u64>0xFF << VOLCANOES_AT | <u64>0xFF << VILLAGES_AT
    return 0


cdef inline int class_of(Class* classes, int* number, u64 compared, const Tally* tally) noexcept nogil:
    cdef u64 key = <u64>tally.temples & 0xFFFF
    cdef int i
    key |= (
        <u64>tally.irrigations << IRRIGATIONS_AT | <u64>tally.volcanoes << VOLCANOES_AT
        | <u64>tally.villages << VILLAGES_AT | <u64>tally.forests << FORESTS_AT | <u64>tally.wild << WILD_AT
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


cdef u64 crowd_of(const u8* view) noexcept nogil:
    cdef u64 sum_ = 0
    cdef int i
    for i in range(CELLS):
        sum_ += few(on_cell(view, i))
    return sum_


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
    memcpy(view, seen(duel.state, 1), VIEW_BYTES)
    generate(view, cell, duel.rules.tile[duel.state.centre[cell]].colour)
    memset(&view[5 * cell], 0, COLOURS)


cdef void work_out(Duel* duel, int cell, Changed* changed) noexcept nogil:
    cdef u8 view[VIEW_BYTES]
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
    return -points_in(best - (first.plain - first.left))


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
    cdef u8 after[VIEW_BYTES]  # what player 1 sees before anything is removed
    cdef u8 view[VIEW_BYTES]
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
    memcpy(view, after, VIEW_BYTES)
    remove_most(view, tile)
    most = face_fed(duel, first, NOTHING, cell, EVERY_CELL & ~(1u << cell), view, floor)
    if most <= floor:
        return most

    # 2. What the second player has where nothing is removed. Volcanoes are looked at each time.
    cells = EVERY_CELL & ~(1u << cell) & ~volcanoes
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
    memcpy(&copy, duel.state, STATE_OF_TWO)
    find_removals(scratch, &copy, cell, tile, False, False)
    for k in range(scratch.removals):
        if k & 0xFFF == 0xFFF and is_enough(scratch, 0):
            break
        memcpy(view, after, VIEW_BYTES)
        codes = scratch.removal[k]
        touched = volcanoes
        while codes:
            i = removed_by(codes)
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
            food = food_for(mine, cell, tile) if tile.effect == VOLCANO else 0
            n = region_options(first, tile, on_cell(mine, cell), food, option)
        for i in range(n):
            gods = state.gods
            if first.slot < 0:
                gods &= ~(1u << option[i].god)
            best_rank = best_reply(rules, state, second, &option[i], seen(state, 1), gods, EVERY_CELL)
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
    level = lowest_pile(state)
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
        food = food_for(mine, cell, tile) if tile.effect == VOLCANO else 0
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
        best_reply(rules, state, &second, &first.now, seen(state, 1), state.gods, EVERY_CELL), first.now.left, margin
    )
    return 1
