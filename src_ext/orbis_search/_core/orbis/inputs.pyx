"""What a network sees of a state. docs/evaluation.md lists the inputs one by one; `game.inputs` is the plain version.

No input knows a tile by its number, a colour by its name, or left from right. All are whole numbers of about the same
size: four for a CP, sixteen for a thing that is counted, thirty-two for a yes.
"""

from libc.string cimport memset

from ..common.bits cimport lowest, popcount
from ..common.ints cimport i16, i32, u32, u64
from ..game cimport MAX_PLAYERS
from .placement cimport LEFT_END, ROW_ENDS, coloured, supported
from .policy cimport JOKER_WORTH, PERCENT, WORSHIPER_WORTH, after_farms, can_pay
from .realm cimport COLOURS, LIMIT, count, exchanges, total
from .sampled cimport fitting_colours
from .scoring cimport (
    AROUND, ONE_TEMPLE, god_count, god_points, of_colours, points_with_god, temple_rank, temple_tokens, wilderness,
)
from .state cimport (
    CANCELLED, CELLS, DEATH, DEATH_COST, FARM, FOREST, FORESTS, HARVESTS, IDLENESS, IRRIGATION, NO_GOD, OCCUPIED,
    OCEANS, PROSELYTISM, ROW_1, SLOTS, SUMMARY, SUMMARY_COST, SUMMARY_TEMPLES, TEMPLE, TURNS, VILLAGE, VOLCANO,
    Player, Rough, Rules, State, Tile, cell_worshipers,
)
from .turn cimport wanted_colour

cdef enum:
    BEST = 3  # tiles of the centre that are looked at one by one


# What is found out of a player before anything is written down.
cdef struct Look:
    int forests  # that hold
    int forest_points
    int hopes[3]  # CP of forests that lack one neighbour, two, and more, and can still get them
    int wild
    int token
    int god
    int points  # if the game ended now
    int promised  # ... with some of the hopes
    u32 lacking  # slots of the forests that lack one neighbour


# What every choice of a player is judged by.
cdef struct Chances:
    u32 places  # where a wilderness may lie
    u32 fitting  # colours that fit somewhere, a bit set
    int later  # turns to come after this one
    int tokens[3]  # points that so many more temples bring at once
    int completes[COLOURS + 1]  # CP of forests that a tile of a colour completes; last those of a wilderness


cdef struct Choice:
    int worth
    int gain  # points at once
    int left  # worshipers
    int temples
    bint face_up


cdef i16 SLOPE[61]  # by turns left: the later, the more a lead is worth


cdef void make_slope() noexcept:
    cdef int turns, root
    for turns in range(61):
        root = 0
        while (root + 1) * (root + 1) <= 4 * turns:
            root += 1
        SLOPE[turns] = <i16>(256 // (1 + root))


make_slope()


cdef void summary_of(const Tile* tile, const Rough* rough, i16* out) noexcept nogil:
    cdef int i
    for i in range(SUMMARY):
        out[i] = 0
    out[0] = tile.cp
    out[1] = <i16>total(tile.cost)
    out[2] = tile.any_cost
    out[3] = rough.anywhere
    out[4] = tile.effect == FARM
    out[5] = tile.effect == VILLAGE
    out[6] = tile.effect == FOREST
    out[7] = tile.effect == VOLCANO
    out[8] = tile.effect == IRRIGATION
    out[SUMMARY_TEMPLES] = tile.number if tile.effect == TEMPLE else 0
    out[10] = tile.number if tile.effect == PROSELYTISM else 0
    for i in range(COLOURS):
        out[SUMMARY_COST + i] = <i16>count(tile.cost, i)


cdef inline i16 limited(int value) noexcept nogil:
    return <i16>(MOST_INPUT if value > MOST_INPUT else -MOST_INPUT if value < -MOST_INPUT else value)


cdef inline void look_at_forests(const Rules* rules, const Player* player, Look* look) noexcept nogil:
    cdef u32 left = player.mask[FORESTS], occupied = player.mask[OCCUPIED], around
    cdef bint grows = popcount(occupied & ROW_1) < 5  # to the left as well: then there is room beside the first slot
    cdef int slot, lacks
    cdef const Tile* tile
    while left:
        slot = lowest(left)
        left &= left - 1
        tile = &rules.tile[player.tile[slot]]
        lacks = tile.number - popcount(of_colours(player, tile.colours) & AROUND[slot])
        if lacks <= 0:
            look.forests += 1
            look.forest_points += tile.cp
            continue
        around = <u32>AROUND[slot] << 1 | (AROUND[slot + 1] if grows else 0)
        if popcount(around & ~(occupied << 1)) >= lacks:
            look.hopes[min(lacks, 3) - 1] += tile.cp
            look.lacking |= <u32>(lacks == 1) << slot


cdef inline int god_lead(const Rules* rules, const State* state, int who, const Look* look) noexcept nogil:
    """By how many the player with Oceans, Fire, Nature or Harvests has more of what they count than anybody else."""
    cdef const Player* player = &state.player[who]
    cdef int i, other, most = 0
    if player.god < OCEANS or player.god > HARVESTS:
        return 0
    for i in range(rules.players):
        if i != who:
            other = god_count(&state.player[i], player.god, look[i].forests)
            most = max(most, other)
    return god_count(player, player.god, look[who].forests) - most


cdef inline int token_with(const Rules* rules, const State* state, int who, int more) noexcept nogil:
    """What temples would bring with so many more of them."""
    cdef int i, other, rank = 0
    cdef int mine = temple_rank(&state.player[who]) + more * ONE_TEMPLE
    if state.player[who].temples + more == 0:
        return 0
    for i in range(rules.players):
        other = temple_rank(&state.player[i])
        rank += i != who and (other > mine or (other == mine and i < who))
    return rules.tokens[rank]


cdef inline void find_chances(
    const Rules* rules, const State* state, int who, const Look* look, Chances* chances
) noexcept nogil:
    cdef const Player* player = &state.player[who]
    cdef u32 left = look.lacking, around
    cdef int slot, colour
    cdef const Tile* tile
    chances.places = supported(player)
    chances.fitting = fitting_colours(player, chances.places)
    chances.later = TURNS - 1 - state.round - (who < state.who)
    for colour in range(3):
        chances.tokens[colour] = token_with(rules, state, who, colour) - look.token
    for colour in range(COLOURS + 1):
        chances.completes[colour] = 0
    while left:
        slot = lowest(left)
        left &= left - 1
        tile = &rules.tile[player.tile[slot]]
        around = (AROUND[slot] | (<u32>(slot == 0) << LEFT_END)) & chances.places
        for colour in range(COLOURS):
            if tile.colours >> colour & 1 and coloured(player, around, colour):
                chances.completes[colour] += tile.cp
        if around:
            chances.completes[COLOURS] += tile.cp


cdef inline bint forest_would_hold(const Player* player, const Tile* tile, u32 places) noexcept nogil:
    """In one of the places, as things are."""
    cdef u32 mask = of_colours(player, tile.colours)
    cdef int place
    while places:
        place = lowest(places)
        places &= places - 1
        if popcount(mask & (AROUND[place] if place < SLOTS else 1)) >= tile.number:
            return True
    return False


cdef inline bint has_food(const u64* field, const int* crowd, int cell, const Tile* tile) noexcept nogil:
    """Whether a volcano taken from here finds what it has to remove."""
    cdef int colour, food = 0
    for colour in range(COLOURS):
        if tile.colours >> colour & 1:
            food += crowd[colour] - count(field[cell], colour)
            if tile.colour == colour:
                food += 2 + (cell & 1) + 2 * (cell == CELLS // 2)  # what it seeds around it
    return food >= tile.number


cdef inline Choice choice_of_cell(
    const Rules* rules, const State* state, const Player* player, int cell, const u64* field, const int* crowd,
    const Chances* chances,
) noexcept nogil:
    """What taking the tile would bring, about as playouts judge it."""
    cdef int number = state.centre[cell]
    cdef const Rough* rough = &rules.rough[number]
    cdef const Tile* tile = &rules.tile[number]
    cdef u64 realm = player.realm + field[cell]
    cdef int have = can_pay(realm, rough.cost & after_farms[player.farms], rough.any_cost)
    cdef u32 places
    cdef bint valid
    cdef Choice choice
    choice.temples = 0
    choice.face_up = have >= 0 and chances.fitting & rough.colour
    if not choice.face_up:
        choice.left = min(total(realm), LIMIT)
        choice.gain = chances.completes[COLOURS] - (0 if player.god == IDLENESS else 1)
        choice.worth = JOKER_WORTH + PERCENT * choice.gain + WORSHIPER_WORTH * choice.left
        return choice
    have += rough.gains
    valid = have >= rough.gives
    choice.worth = rough.anywhere
    choice.gain = tile.cp
    if tile.effect == FOREST:
        if forest_would_hold(player, tile, coloured(player, chances.places, tile.colour)):
            choice.worth = rough.worth
        else:
            choice.gain = 0
    elif tile.effect == IRRIGATION:
        choice.worth = rough.worth
        places = coloured(player, chances.places, tile.colour)
        valid = (coloured(player, places, wanted_colour(tile)) & ~<u32>ROW_ENDS) != 0
    elif tile.effect == VOLCANO:
        valid = has_food(field, crowd, cell, tile)
    elif tile.effect == TEMPLE:
        choice.temples = tile.number
        choice.gain += chances.tokens[min(choice.temples, 2)]
    choice.left = min(have - (rough.gives if valid else 0), LIMIT)
    choice.worth = choice.worth + rough.each_turn * chances.later if valid else 0
    choice.gain = (choice.gain if valid else 0) + chances.completes[tile.colour]
    choice.worth += PERCENT * chances.completes[tile.colour] + WORSHIPER_WORTH * choice.left
    return choice


cdef inline bint is_better(const Choice* one, const Choice* other) noexcept nogil:
    """Of equal worth by the rest, so that it does not matter on which cell a tile lies."""
    if one.worth != other.worth:
        return one.worth > other.worth
    if one.gain != other.gain:
        return one.gain > other.gain
    if one.left != other.left:
        return one.left > other.left
    return one.temples > other.temples


cdef inline int centre_inputs(
    const Rules* rules, const State* state, const Player* player, const u64* field, const int* crowd,
    const Chances* chances, i16* out,
) noexcept nogil:
    cdef Choice best[BEST + 1]
    cdef Choice choice
    cdef int cell, at, sum_ = 0, face_up = 0, most = 0, gain = 0, n = 0
    for at in range(BEST + 1):
        best[at].worth = -(1 << 20)
    for cell in range(CELLS):
        choice = choice_of_cell(rules, state, player, cell, field, crowd, chances)
        face_up += choice.face_up
        sum_ += choice.worth
        gain = max(gain, choice.gain)
        most = max(most, total(field[cell]))
        at = BEST
        while at > 0 and is_better(&choice, &best[at - 1]):
            best[at] = best[at - 1]
            at -= 1
        best[at] = choice
    for at in range(BEST):
        out[n] = limited(best[at].worth >> 2)
        out[n + 1] = limited(8 * best[at].gain)
        out[n + 2] = <i16>(16 * best[at].left)
        out[n + 3] = limited(16 * best[at].temples)
        n += 4
    out[n] = <i16>(16 * face_up)
    out[n + 1] = limited(sum_ >> 5)
    out[n + 2] = limited(16 * most)
    out[n + 3] = limited(8 * gain)
    return n + 4


cdef inline int realm_inputs(const Player* player, const i32* costs, i16* out) noexcept nogil:
    """`costs`: symbols of each colour in the costs of a hundred tiles to come."""
    cdef int sorted_[COLOURS]
    cdef int colour, have, at, different = 0, saved = 0, useful = 0
    for colour in range(COLOURS):
        have = count(player.realm, colour)
        different += have > 0
        if player.farms >> colour & 1:
            saved += costs[colour]
        else:
            useful += min(have, 3) * costs[colour]
        at = colour
        while at > 0 and sorted_[at - 1] < have:
            sorted_[at] = sorted_[at - 1]
            at -= 1
        sorted_[at] = have
    out[0] = <i16>(16 * total(player.realm))
    for colour in range(COLOURS):
        out[1 + colour] = <i16>(16 * sorted_[colour])
    out[6] = <i16>(16 * different)
    out[7] = <i16>(32 * popcount(player.farms))
    out[8] = limited(saved >> 2)
    out[9] = limited(useful >> 2)
    out[10] = <i16>(16 * exchanges(player.realm))
    return 11


cdef void state_inputs(const Rules* rules, const State* state, i16* out) noexcept nogil:
    cdef Look look[MAX_PLAYERS]
    cdef int forests[MAX_PLAYERS]
    cdef int wild[MAX_PLAYERS]
    cdef int token[MAX_PLAYERS]
    cdef u64 field[CELLS]
    cdef i32 to_come[SUMMARY]
    cdef i32 costs[COLOURS]
    cdef int crowd[COLOURS]
    cdef Chances chances
    cdef const Player* player
    cdef const Player* other
    cdef int i, j, k, n = 0, god, prospect, first, second, most, most_promised, higher, temples, tiles_left = 0
    cdef int turns_left = (TURNS - state.round) * rules.players - state.who
    cdef u32 gods
    cdef u64 bits
    cdef i32 slope = SLOPE[turns_left]
    cdef int centre_cp = 0, centre_temples = 0, worshipers = 0

    memset(look, 0, sizeof(look))
    for i in range(rules.players):
        look_at_forests(rules, &state.player[i], &look[i])
        forests[i] = look[i].forests
        wild[i] = look[i].wild = popcount(wilderness(&state.player[i]))
    temple_tokens(rules, state, token)
    for i in range(rules.players):
        player = &state.player[i]
        look[i].token = token[i]
        look[i].god = god_points(rules, state, i, forests, wild)
        look[i].points = player.points + look[i].forest_points + token[i] + look[i].god
        look[i].points -= 0 if player.god == IDLENESS else wild[i]
        look[i].promised = look[i].points + ((3 * look[i].hopes[0] + 2 * look[i].hopes[1] + look[i].hopes[2]) >> 2)
    # What is in the centre and still to come.
    memset(crowd, 0, sizeof(crowd))
    memset(to_come, 0, sizeof(to_come))
    for i in range(CELLS):
        field[i] = cell_worshipers(state, i)
        for j in range(COLOURS):
            crowd[j] += state.worshipers[COLOURS * i + j]
        worshipers += total(field[i])
        centre_cp += rules.tile[state.centre[i]].cp
        centre_temples += rules.summary[state.centre[i]][SUMMARY_TEMPLES]
    for j in range(2):
        bits = state.unseen[j]
        while bits:
            i = 64 * j + lowest(bits)
            bits &= bits - 1
            tiles_left += 1
            for k in range(SUMMARY):
                to_come[k] += rules.summary[i][k]
    for j in range(COLOURS):
        costs[j] = to_come[SUMMARY_COST + j]
        for i in range(CELLS):
            costs[j] += rules.summary[state.centre[i]][SUMMARY_COST + j]
        costs[j] = 100 * costs[j] // (tiles_left + CELLS)
    tiles_left = max(tiles_left, 1)

    # 1. The players, from the one to move on.
    for k in range(rules.players):
        i = (state.who + k) % rules.players
        player = &state.player[i]
        find_chances(rules, state, i, &look[i], &chances)
        most = most_promised = -(1 << 20)
        temples = higher = 0
        for j in range(rules.players):
            if j == i:
                continue
            other = &state.player[j]
            most = max(most, look[j].points)
            most_promised = max(most_promised, look[j].promised)
            temples = max(temples, <int>other.temples)
            higher += player.mystic > other.mystic
        out[n] = limited(4 * look[i].points)
        out[n + 1] = limited(4 * (look[i].points - most))
        out[n + 2] = limited(((look[i].points - most) * slope) >> 3)
        out[n + 3] = limited(((look[i].promised - most_promised) * slope) >> 3)
        out[n + 4] = limited(4 * player.points)
        out[n + 5] = limited(16 * look[i].forests)
        out[n + 6] = limited(4 * look[i].hopes[0])
        out[n + 7] = limited(4 * look[i].hopes[1])
        out[n + 8] = limited(4 * look[i].hopes[2])
        out[n + 9] = <i16>(16 * look[i].wild)
        out[n + 10] = limited(16 * player.temples)
        out[n + 11] = limited(8 * token[i])
        out[n + 12] = <i16>(32 * higher // (rules.players - 1))
        out[n + 13] = limited(16 * (player.temples - temples))
        out[n + 14] = <i16>(8 * chances.tokens[1])
        n += 15
        for god in range(DEATH + 1):
            out[n + god] = 32 if player.god == god else 0
        n += 10
        out[n] = 32 if player.god == NO_GOD else 0
        out[n + 1] = <i16>(8 * look[i].god)
        out[n + 2] = limited(16 * god_lead(rules, state, i, look))
        first = second = 0
        if player.god == NO_GOD:
            gods = state.gods
            while gods:
                god = lowest(gods)
                gods &= gods - 1
                prospect = points_with_god(rules, state, i, god, total(player.realm) >= DEATH_COST, forests, wild)
                prospect += wild[i] if god == IDLENESS else 0
                if prospect > first:
                    second = first
                    first = prospect
                elif prospect > second:
                    second = prospect
        out[n + 3] = limited(8 * first)
        out[n + 4] = limited(8 * second)
        out[n + 5] = limited(16 * player.irrigations)
        out[n + 6] = limited(16 * player.volcanoes)
        out[n + 7] = limited(16 * player.villages)
        n += 8
        n += realm_inputs(player, costs, out + n)
        out[n] = <i16>(16 * popcount(player.mask[OCCUPIED] & ROW_1))
        out[n + 1] = <i16>(16 * popcount(player.mask[OCCUPIED] & 0x1E0))
        out[n + 2] = <i16>(16 * popcount(player.mask[OCCUPIED] & 0xE00))
        out[n + 3] = <i16>(16 * popcount(player.mask[OCCUPIED] & 0x3000))
        out[n + 4] = <i16>(16 * popcount(chances.places))
        out[n + 5] = <i16>(16 * popcount(chances.fitting))
        out[n + 6] = <i16>(16 * popcount(player.mask[CANCELLED]))
        out[n + 7] = <i16>(8 * (chances.later + 1))
        n += 8
        n += centre_inputs(rules, state, player, field, crowd, &chances, out + n)

    # 2. What is common to all.
    out[n] = <i16>(4 * turns_left)
    out[n + 1] = <i16>(16 * min(turns_left, 8))
    out[n + 2] = <i16>(8 * min(turns_left, 16))
    for i in range(MAX_PLAYERS):
        out[n + 3 + i] = 32 if state.who == i else 0
    for i in range(3):
        out[n + 7 + i] = limited(8 * state.left[i])
    for k in range(3):
        out[n + 10 + k] = limited(32 * to_come[k] // tiles_left)
    out[n + 13] = limited(to_come[3] // tiles_left >> 2)
    for k in range(7):
        out[n + 14 + k] = limited(4 * to_come[4 + k])
    out[n + 21] = limited(32 * centre_cp // CELLS)
    out[n + 22] = limited(16 * centre_temples)
    out[n + 23] = limited(2 * worshipers)
    for god in range(DEATH + 1):
        out[n + 24 + god] = 32 if state.gods >> god & 1 else 0
