"""Ways to choose a move fast: at random, and sensibly. Both always choose a legal one.

Random: a cell (a god once, at a time drawn evenly) at random; face up wherever it can be paid and placed,
in a random place, paid with random worshipers; validated whenever it can be. What it never does of
its own will is to make a wilderness of a tile it can have, to leave one unvalidated, or to exchange
without need.

Sampled: the best of a few random tiles, by nearly the rough worth that the sensible policy uses; see `sampled`.

Sensible: looks at every cell, place and way to lay it, and takes the one with the best rough worth, with a
little noise. Far from good play, but realms fill up, villages are paid and temples fought over.
"""

from ..common.bits cimport lowest, nth, popcount
from ..common.ints cimport u8, u32, u64
from ..common.rng cimport rng_below, rng_next
from ..game cimport MAX_PLAYERS
from .placement cimport coloured, supported
from .realm cimport COLOURS, LIMIT, RATE, count, exchanges, missing, one, pick, total
from .scoring cimport AROUND, forest_sums, of_colours, points_with_god, wilderness
from .state cimport (
    CELLS, DEATH, DEATH_COST, FARM, FOREST, IDLENESS, IRRIGATION, LOVE, LOVE_GAIN, NO_GOD, OCCUPIED, PROSELYTISM,
    Rough, SLOTS, TEMPLE, TURNS, VILLAGE, VOLCANO, Player, Rules, State, Tile, cell_worshipers,
)
from .turn cimport CODE_BITS, IS_GOD, IS_VALID, IS_WILD, SEEDS, Turn, irrigated

cdef extern from *:
    """
    #ifndef ORBIS_AFTER_FARMS
    #define ORBIS_AFTER_FARMS
    /* What a set of farms leaves of a cost: 0xFF for each colour without one. */
    #define ORBIS_F(f) (((f) & 1 ? 0 : 0xFFULL) | ((f) & 2 ? 0 : 0xFF00ULL) | ((f) & 4 ? 0 : 0xFF0000ULL) \\
        | ((f) & 8 ? 0 : 0xFF000000ULL) | ((f) & 16 ? 0 : 0xFF00000000ULL))
    #define ORBIS_F4(f) ORBIS_F(f), ORBIS_F((f) + 1), ORBIS_F((f) + 2), ORBIS_F((f) + 3)
    static const unsigned long long orbis_after_farms[32] = {
        ORBIS_F4(0), ORBIS_F4(4), ORBIS_F4(8), ORBIS_F4(12), ORBIS_F4(16), ORBIS_F4(20), ORBIS_F4(24), ORBIS_F4(28),
    };
    #endif
    """
    const unsigned long long after_farms "orbis_after_farms"[32]


cdef inline u64 cost_for(const Player* player, const Tile* tile) noexcept nogil:
    """The coloured part of the cost that is left to pay."""
    return tile.cost & after_farms[player.farms]


cdef inline u64 lose_random(u64 realm, int have, int n, u64* rng) noexcept nogil:
    """Gives up n of them: with all standing in a row by colour, n neighbours from a random place on.

    No loop and no branch, as n cannot be predicted. `have`: how many there are, which the caller knows.
    """
    cdef u64 start = rng_below(rng, have - n + 1) * <u64>0x0101010101
    cdef u64 taken = missing(start, (realm * <u64>0x0101010101) & <u64>0xFFFFFFFFFF)  # up to each colour ...
    taken -= missing(n * <u64>0x0101010101, taken)  # ... but not more than n
    return realm - (taken - ((taken << 8) & <u64>0xFFFFFFFFFF))


cdef inline int commonest(u64 realm) noexcept nogil:
    cdef int colour, best = 0
    for colour in range(1, COLOURS):
        if count(realm, colour) > count(realm, best):
            best = colour
    return best


cdef inline u64 lose_common(u64 realm, int n) noexcept nogil:
    """Gives up worshipers of the commonest colour first, so that the rest stay varied."""
    while n > 0:
        realm -= one(commonest(realm))
        n -= 1
    return realm


cdef inline u64 lose(u64 realm, int have, int n, u64* rng) noexcept nogil:
    """At random; or, without a generator, the commonest."""
    return lose_random(realm, have, n, rng) if rng != NULL else lose_common(realm, n)


cdef inline int pay_colours(u64* realm, u64 cost, u64* rng) noexcept nogil:
    """Pays the coloured symbols, exchanging no more than it must. Returns how many worshipers are left; -1 when it
    cannot be done."""
    cdef u64 short_of = missing(realm[0], cost)
    cdef u64 left = realm[0] - (cost - short_of)
    cdef int swaps = total(short_of), colour
    if swaps:
        if exchanges(left) < swaps:
            return -1
        while swaps:
            colour = pick(left, rng_below(rng, total(left))) if rng != NULL else commonest(left)
            if count(left, colour) >= RATE:
                left -= RATE * one(colour)
                swaps -= 1
    realm[0] = left
    return total(left)


cdef inline int pay(u64* realm, u64 cost, int any_cost, u64* rng) noexcept nogil:
    """Pays all. Returns how many worshipers are left; -1, and nothing paid, when it cannot be done."""
    cdef u64 left = realm[0]
    cdef int have = pay_colours(&left, cost, rng)
    if have < any_cost:
        return -1
    realm[0] = lose(left, have, any_cost, rng)
    return have - any_cost


cdef inline int can_pay(u64 realm, u64 cost, int any_cost) noexcept nogil:
    """How many worshipers paying would leave, -1 when it cannot be done. Nothing here can be predicted, so nothing
    branches."""
    cdef u64 short_of = missing(realm, cost)
    cdef u64 left = realm - (cost - short_of)
    cdef int swaps = total(short_of), have = total(left) - RATE * swaps - any_cost
    return have | (((have >= 0) & (exchanges(left) >= swaps)) - 1)


cdef inline u64 keep_limit(u64 realm, int have, u64* rng) noexcept nogil:
    return lose(realm, have, have - LIMIT, rng) if have > LIMIT else realm


cdef inline u64 colour_bytes(int colours) noexcept nogil:
    return ~after_farms[colours] & <u64>0xFFFFFFFFFF


cdef inline void read_field(const State* state, u64* field) noexcept nogil:
    """The worshipers on the centre tiles, a word a cell: what the functions below want."""
    cdef int cell
    for cell in range(CELLS):
        field[cell] = cell_worshipers(state, cell)


cdef inline bint erupt(const u64* centre, int cell, const Tile* tile, u64* rng, u64* codes) noexcept nogil:
    """What a volcano taken from `cell` removes: `number` random worshipers of its colours, in any order, or False."""
    cdef u64 field[CELLS]
    cdef u64 allowed = colour_bytes(tile.colours), coded = 0
    cdef int i, k, sum_ = 0, colour, n
    for i in range(CELLS):
        field[i] = (centre[i] + (SEEDS[cell][i] << (8 * tile.colour))) & allowed
    field[cell] = 0
    for i in range(CELLS):
        sum_ += total(field[i])
    if sum_ < tile.number:
        return False
    for n in range(tile.number):
        k = rng_below(rng, sum_)
        i = 0
        while k >= total(field[i]):
            k -= total(field[i])
            i += 1
        colour = pick(field[i], k)
        field[i] -= one(colour)
        sum_ -= 1
        coded = coded << CODE_BITS | <u64>(5 * i + colour + 1)
    codes[0] = coded
    return True


cdef inline void wild_turn(int cell, int place, u64 realm, u64* payer, Turn* out) noexcept nogil:
    out.flags = IS_WILD
    out.cell = cell
    out.place = place
    out.codes = 0
    out.realm = keep_limit(realm, total(realm), payer)


cdef inline void face_up_turn(
    const Rules* rules, const State* state, const u64* field, int cell, int place, u64 realm, int have, u64* rng,
    u64* payer, Turn* out,
) noexcept nogil:
    """A turn whose tile goes face up: any-colour symbols, effect and limit. The coloured symbols have been paid, and
    the `have` worshipers left are enough for the others. What is given up for several reasons is given up at once."""
    cdef const Tile* tile = &rules.tile[state.centre[cell]]
    cdef int gives = rules.rough[state.centre[cell]].gives, lost = tile.any_cost, colour
    cdef bint valid = have >= lost + gives
    out.codes = 0
    lost += gives if valid else 0
    if tile.effect == VOLCANO:
        valid = erupt(field, cell, tile, rng, &out.codes)
    elif tile.effect == IRRIGATION:
        valid = irrigated(&state.player[state.who], tile, place)
    elif tile.effect == PROSELYTISM:
        # What is gained cannot pay, but counts for the limit.
        colour = lowest(tile.colours) if tile.colours else <int>rng_below(rng, COLOURS)
        realm = lose(realm, have, lost, payer) + tile.number * one(colour)
        have += tile.number - lost
        lost = 0
    lost = max(lost, have - LIMIT)
    out.flags = IS_VALID if valid else 0
    out.cell = cell
    out.place = place
    out.realm = lose(realm, have, lost, payer)


cdef inline void god_turn(const State* state, int god, u64* rng, u64* payer, Turn* out) noexcept nogil:
    cdef u64 realm = state.player[state.who].realm
    cdef bint valid = True
    cdef int i, have = total(realm)
    if god == LOVE:
        for i in range(LOVE_GAIN):
            realm += one(rng_below(rng, COLOURS))
        realm = keep_limit(realm, have + LOVE_GAIN, payer)
    elif god == DEATH:
        valid = have >= DEATH_COST
        if valid:
            realm = lose(realm, have, DEATH_COST, payer)
    out.flags = IS_GOD | (IS_VALID if valid else 0)
    out.cell = god
    out.place = 0
    out.codes = 0
    out.realm = realm


cdef inline bint god_is_due(const Rules* rules, const State* state, u64* rng) noexcept nogil:
    """One chance in as many as turns are left, so that each turn is as likely as any other."""
    cdef int turns_left = TURNS - state.round
    return state.player[state.who].god == NO_GOD and rng_below(rng, turns_left) == 0


cdef inline void random_turn(
    const Rules* rules, const State* state, const u64* field, u64* rng, Turn* out
) noexcept nogil:
    cdef const Player* player = &state.player[state.who]
    cdef int cell, have
    cdef u32 places, fitting
    cdef u64 realm, paid, draw
    cdef const Tile* tile
    # One random number for the turn: 24 bits for the god, 20 each for the cell and the place.
    draw = rng_next(rng)
    if player.god == NO_GOD and (draw >> 40) * <u32>(TURNS - state.round) < 1 << 24:
        god_turn(state, nth(state.gods, rng_below(rng, popcount(state.gods))), rng, rng, out)
        return
    cell = <int>(((draw & 0xFFFFF) * CELLS) >> 20)
    draw = draw >> 20 & 0xFFFFF
    tile = &rules.tile[state.centre[cell]]
    realm = paid = player.realm + field[cell]
    places = supported(player)
    fitting = coloured(player, places, tile.colour)
    if fitting:
        have = pay_colours(&paid, cost_for(player, tile), rng)
        if have >= tile.any_cost:
            face_up_turn(
                rules, state, field, cell, nth(fitting, <int>((draw * popcount(fitting)) >> 20)), paid, have, rng, rng, out
            )
            return
    wild_turn(cell, nth(places, <int>((draw * popcount(places)) >> 20)), realm, rng, out)


# What the sensible policy thinks things are worth, in CP.
cdef enum:
    PERCENT = 100
    WORSHIPER_WORTH = 18
    TEMPLE_WORTH = 140
    JOKER_WORTH = 25  # a wilderness carries every colour
    FARM_TURN_WORTH = 12  # for each turn left
    HOPEFUL_FOREST = 60  # of its CP, when it can still come true
    LIKELY_IRRIGATION = 80  # of its CP, while nobody has looked for a place
    NOISE = 60


cdef inline void rough_of(const Tile* tile, Rough* rough) noexcept nogil:
    rough.cost = tile.cost
    rough.any_cost = tile.any_cost
    rough.colour = <u8>(1 << tile.colour)
    rough.worth = PERCENT * tile.cp + (TEMPLE_WORTH * tile.number if tile.effect == TEMPLE else 0)
    rough.anywhere = rough.worth
    if tile.effect == FOREST:
        rough.anywhere = rough.worth * HOPEFUL_FOREST // PERCENT
    elif tile.effect == IRRIGATION:
        rough.anywhere = rough.worth * LIKELY_IRRIGATION // PERCENT
    rough.each_turn = FARM_TURN_WORTH if tile.effect == FARM else 0
    rough.gives = tile.number if tile.effect == VILLAGE else 0
    rough.gains = tile.number if tile.effect == PROSELYTISM else 0
    rough.around = tile.effect == FOREST or tile.effect == IRRIGATION


cdef inline int wild_worth(const Player* player, int left) noexcept nogil:
    return JOKER_WORTH - (0 if player.god == IDLENESS else PERCENT) + WORSHIPER_WORTH * min(left, LIMIT)


cdef inline int face_up_worth(
    const Rules* rules, const State* state, const Player* player, int cell, int place, int left
) noexcept nogil:
    """`left`: worshipers after paying for the tile and gaining from it. Volcanoes are taken to find food."""
    cdef int number = state.centre[cell], worth
    cdef const Rough* rough = &rules.rough[number]
    cdef bint valid = left >= rough.gives
    worth = rough.worth + rough.each_turn * (TURNS - 1 - state.round)
    if rough.around:
        worth = worth_around(player, &rules.tile[number], place, worth)
    return (worth & -valid) + WORSHIPER_WORTH * min(left - (rough.gives & -valid), LIMIT)


cdef inline int worth_around(const Player* player, const Tile* tile, int place, int worth) noexcept nogil:
    """What is left of a tile's worth by what lies around it: a forest may still hope."""
    cdef int around
    if tile.effect == IRRIGATION:
        return worth if irrigated(player, tile, place) else 0
    if place >= SLOTS:
        return worth * HOPEFUL_FOREST // PERCENT
    around = popcount(of_colours(player, tile.colours) & AROUND[place])
    if around >= tile.number:
        return worth
    around += popcount(AROUND[place] & ~<u32>player.mask[OCCUPIED])
    return worth * HOPEFUL_FOREST // PERCENT if around >= tile.number else 0


cdef inline void god_prospects(const Rules* rules, const State* state, int* out) noexcept nogil:
    """What each face-up god would bring the player to move if the game ended now, with Death paid if it can be."""
    cdef int forests[MAX_PLAYERS]
    cdef int wild[MAX_PLAYERS]
    cdef int i, god, ignored, who = state.who
    cdef u32 gods = state.gods
    cdef bint validated = total(state.player[who].realm) >= DEATH_COST
    for i in range(rules.players):
        forest_sums(rules, &state.player[i], &forests[i], &ignored)
        wild[i] = popcount(wilderness(&state.player[i]))
    while gods:
        god = lowest(gods)
        gods &= gods - 1
        out[god] = points_with_god(rules, state, who, god, validated, forests, wild)
        out[god] += wild[who] if god == IDLENESS else 0


cdef inline int best_god(const Rules* rules, const State* state) noexcept nogil:
    """By what it would bring and, a little, by the worshipers left."""
    cdef int prospects[DEATH + 1]
    cdef int god, worth, left, have = total(state.player[state.who].realm), best = -1, best_worth = 0
    cdef u32 gods = state.gods
    god_prospects(rules, state, prospects)
    while gods:
        god = lowest(gods)
        gods &= gods - 1
        left = have
        if god == LOVE:
            left = min(have + LOVE_GAIN, LIMIT)
        elif god == DEATH and have >= DEATH_COST:
            left -= DEATH_COST
        worth = PERCENT * prospects[god] + WORSHIPER_WORTH * left
        if best < 0 or worth > best_worth:
            best, best_worth = god, worth
    return best


cdef inline void sensible_turn(
    const Rules* rules, const State* state, const u64* field, u32 noise, u64* rng, Turn* out
) noexcept nogil:
    """`noise`: worth up to this is added at random; 1 adds nothing."""
    cdef const Player* player = &state.player[state.who]
    cdef int cell, place, worth, best_worth = -(1 << 30), best_cell = 0, best_place = 0
    cdef int have
    cdef u32 places = supported(player), fitting
    cdef u64 realm
    cdef bint best_wild = True
    cdef const Tile* tile
    if god_is_due(rules, state, rng):
        god_turn(state, best_god(rules, state), rng, NULL, out)
        return
    for cell in range(CELLS):
        tile = &rules.tile[state.centre[cell]]
        realm = player.realm + field[cell]
        fitting = places
        while fitting:
            place = lowest(fitting)
            fitting &= fitting - 1
            worth = wild_worth(player, total(realm)) + <int>rng_below(rng, noise)
            if worth > best_worth:
                best_worth, best_cell, best_place, best_wild = worth, cell, place, True
        have = can_pay(realm, cost_for(player, tile), tile.any_cost)
        if have < 0:
            continue
        have += rules.rough[state.centre[cell]].gains
        fitting = coloured(player, places, tile.colour)
        while fitting:
            place = lowest(fitting)
            fitting &= fitting - 1
            worth = face_up_worth(rules, state, player, cell, place, have) + <int>rng_below(rng, noise)
            if worth > best_worth:
                best_worth, best_cell, best_place, best_wild = worth, cell, place, False
    realm = player.realm + field[best_cell]
    if best_wild:
        wild_turn(best_cell, best_place, realm, NULL, out)
    else:
        have = pay_colours(&realm, cost_for(player, &rules.tile[state.centre[best_cell]]), NULL)
        face_up_turn(rules, state, field, best_cell, best_place, realm, have, rng, NULL, out)
