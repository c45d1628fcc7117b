"""Ways to choose a move fast: at random, and sensibly. Both always choose a legal one.

Random: a cell (a god once, at a time drawn evenly) at random; face up wherever it can be paid and placed,
in a random place, paid with random worshipers; validated whenever it can be. What it never does of
its own will is to make a wilderness of a tile it can have, to leave one unvalidated, or to exchange
without need.

Sampled: the best of a few random choices, by the rough worth that the sensible policy uses.

Sensible: looks at every cell, place and way to lay it, and takes the one with the best rough worth, with a
little noise. Far from good play, but realms fill up, villages are paid and temples fought over.
"""

from ..common.bits cimport lowest, nth, popcount
from ..common.ints cimport i32, u8, u16, u32, u64
from ..common.rng cimport rng_below, rng_next, rng_unit
from ..game cimport MAX_PLAYERS, Move
from .placement cimport coloured, supported
from .realm cimport COLOURS, LIMIT, RATE, count, covers, exchanges, missing, one, pick, total
from .scoring cimport AROUND, forest_sums, god_points, wilderness
from .state cimport (
    CELLS, DEATH, DEATH_COST, FARM, FOREST, IDLENESS, IRRIGATION, LOVE, LOVE_GAIN, NO_GOD, OCCUPIED, PROSELYTISM,
    SACRED_STONE, SLOTS, TEMPLE, TURNS, VILLAGE, VOLCANO, Player, Rules, State, Tile, cell_worshipers, state_copy,
)
from .turn cimport BESIDE, CODE_BITS, IS_VALID, IS_WILD, god_move, irrigated, region_move

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


cdef inline int pay(u64* realm, u64 cost, int any_cost, u64* rng) noexcept nogil:
    """Pays, exchanging no more than it must. Returns how many worshipers are left; -1, and nothing paid,
    when it cannot be done."""
    cdef u64 left, short_of
    cdef int swaps = 0, colour, have
    if covers(realm[0], cost):
        left = realm[0] - cost
    else:
        short_of = missing(realm[0], cost)
        swaps = total(short_of)
        left = realm[0] - (cost - short_of)
        if exchanges(left) < swaps:
            return -1
    have = total(left) - RATE * swaps
    if have < any_cost:
        return -1
    while swaps:
        colour = pick(left, rng_below(rng, total(left))) if rng != NULL else commonest(left)
        if count(left, colour) >= RATE:
            left -= RATE * one(colour)
            swaps -= 1
    realm[0] = lose(left, have, any_cost, rng)
    return have - any_cost


cdef inline int can_pay(u64 realm, u64 cost, int any_cost) noexcept nogil:
    """How many worshipers paying would leave, -1 when it cannot be done."""
    cdef u64 short_of
    cdef int have
    if covers(realm, cost):
        have = total(realm - cost) - any_cost
    else:
        short_of = missing(realm, cost)
        realm -= cost - short_of
        if exchanges(realm) < total(short_of):
            return -1
        have = total(realm) - RATE * total(short_of) - any_cost
    return have if have >= 0 else -1


cdef inline u64 keep_limit(u64 realm, int have, u64* rng) noexcept nogil:
    return lose(realm, have, have - LIMIT, rng) if have > LIMIT else realm


cdef inline u64 colour_bytes(int colours) noexcept nogil:
    return ~after_farms[colours] & <u64>0xFFFFFFFFFF


cdef inline bint erupt(const State* state, int cell, const Tile* tile, u64* rng, u64* codes) noexcept nogil:
    """What a volcano taken from `cell` removes: `number` random worshipers of its colours, or False."""
    cdef u64 field[CELLS]
    cdef u64 allowed = colour_bytes(tile.colours), coded = 0
    cdef int i, k, sum_ = 0, code, n, chosen[10]
    cdef const signed char* beside = BESIDE[cell]
    for i in range(CELLS):
        field[i] = cell_worshipers(state, i) & allowed
    field[cell] = 0
    if tile.colours >> tile.colour & 1:
        while beside[0] >= 0:
            field[beside[0] // 5] += one(tile.colour)
            beside += 1
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
        code = pick(field[i], k)
        field[i] -= one(code)
        sum_ -= 1
        code += 5 * i + 1
        # Insertion sort: codes stand in ascending order.
        i = n
        while i > 0 and chosen[i - 1] > code:
            chosen[i] = chosen[i - 1]
            i -= 1
        chosen[i] = code
    for n in range(tile.number):
        coded |= <u64>chosen[n] << (CODE_BITS * n)
    codes[0] = coded
    return True


cdef inline void face_up(
    const Rules* rules, const State* state, int cell, int place, u64 realm, int have, u64* rng, u64* payer, Move* move
) noexcept nogil:
    """Finishes a turn whose tile has been paid and goes face up: effect, then limit."""
    cdef const Player* player = &state.player[state.who]
    cdef const Tile* tile = &rules.tile[state.centre[cell]]
    cdef bint valid = True
    cdef int colour
    move.detail = 0
    if tile.effect == VILLAGE:
        valid = have >= tile.number
        if valid:
            realm = lose(realm, have, tile.number, payer)
            have -= tile.number
    elif tile.effect == VOLCANO:
        valid = erupt(state, cell, tile, rng, &move.detail)
    elif tile.effect == IRRIGATION:
        valid = irrigated(player, tile, place)
    elif tile.effect == PROSELYTISM:
        colour = lowest(tile.colours) if tile.colours else <int>rng_below(rng, COLOURS)
        realm += tile.number * one(colour)
        have += tile.number
    move.what = region_move(cell, place, IS_VALID if valid else 0, keep_limit(realm, have, payer))


cdef inline void take_god(
    const Rules* rules, const State* state, int god, u64* rng, u64* payer, Move* move
) noexcept nogil:
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
    move.detail = 0
    move.what = god_move(god, valid, realm)


cdef inline bint god_is_due(const Rules* rules, const State* state, u64* rng) noexcept nogil:
    """One chance in as many as turns are left, so that each turn is as likely as any other."""
    cdef int turns_left = TURNS - state.round
    return state.player[state.who].god == NO_GOD and rng_below(rng, turns_left) == 0


cdef inline void random_move(const Rules* rules, const State* state, u64* rng, Move* move) noexcept nogil:
    cdef const Player* player = &state.player[state.who]
    cdef int cell, place, have
    cdef u32 places, fitting
    cdef u64 realm, draw
    cdef const Tile* tile
    # One random number for the turn: 24 bits for the god, 20 each for the cell and the place.
    draw = rng_next(rng)
    if player.god == NO_GOD and (draw >> 40) * <u32>(TURNS - state.round) < 1 << 24:
        take_god(rules, state, nth(state.gods, rng_below(rng, popcount(state.gods))), rng, rng, move)
        return
    cell = <int>(((draw & 0xFFFFF) * CELLS) >> 20)
    draw = draw >> 20 & 0xFFFFF
    tile = &rules.tile[state.centre[cell]]
    realm = player.realm + cell_worshipers(state, cell)
    places = supported(player)
    fitting = coloured(player, places, tile.colour)
    if fitting:
        have = pay(&realm, cost_for(player, tile), tile.any_cost, rng)
        if have >= 0:
            place = nth(fitting, <int>((draw * popcount(fitting)) >> 20))
            face_up(rules, state, cell, place, realm, have, rng, rng, move)
            return
    place = nth(places, <int>((draw * popcount(places)) >> 20))
    move.detail = 0
    move.what = region_move(cell, place, IS_WILD, keep_limit(realm, total(realm), rng))


# What the sensible policy thinks things are worth, in CP.
cdef enum:
    PERCENT = 100
    WORSHIPER_WORTH = 18
    TEMPLE_WORTH = 140
    JOKER_WORTH = 25  # a wilderness carries every colour
    FARM_TURN_WORTH = 12  # for each turn left
    HOPEFUL_FOREST = 60  # of its CP, when it can still come true
    NOISE = 60


cdef inline int wild_worth(
    const Rules* rules, const State* state, const Player* player, int place, int left
) noexcept nogil:
    cdef int worth = JOKER_WORTH - (0 if player.god == IDLENESS else PERCENT)
    return worth + WORSHIPER_WORTH * min(left, LIMIT)


cdef inline int face_up_worth(
    const Rules* rules, const State* state, const Player* player, int cell, int place, int left, bint valid
) noexcept nogil:
    """`left`: worshipers after paying for the tile and gaining from it; `valid`: not to be cancelled."""
    cdef const Tile* tile = &rules.tile[state.centre[cell]]
    cdef int worth = PERCENT * tile.cp, colour, around, turns_left
    cdef u32 wanted = 0
    if not valid:
        return WORSHIPER_WORTH * min(left, LIMIT)
    if tile.effect == VILLAGE:
        left -= tile.number
    elif tile.effect == TEMPLE:
        worth += TEMPLE_WORTH * tile.number
    elif tile.effect == FARM:
        turns_left = TURNS - state.round - 1
        worth += FARM_TURN_WORTH * turns_left
    elif tile.effect == FOREST:
        for colour in range(COLOURS):
            if tile.colours >> colour & 1:
                wanted |= player.mask[colour]
        if place < SLOTS:
            around = popcount(wanted & AROUND[place])
            if around < tile.number:
                around += popcount(AROUND[place] & ~<u32>player.mask[OCCUPIED])
                worth = worth * HOPEFUL_FOREST // PERCENT if around >= tile.number else 0
        else:
            worth = worth * HOPEFUL_FOREST // PERCENT
    return worth + WORSHIPER_WORTH * min(left, LIMIT)


cdef inline int points_of_god(const Rules* rules, const State* state, int god) noexcept nogil:
    """What a face-up god would bring the player to move if the game ended now, with Death paid if it can be."""
    cdef int forests[MAX_PLAYERS]
    cdef int wild[MAX_PLAYERS]
    cdef int i, ignored, who = state.who
    cdef State trial
    state_copy(rules, &trial, state)
    for i in range(rules.players):
        forest_sums(rules, &trial.player[i], &forests[i], &ignored)
        wild[i] = popcount(wilderness(&trial.player[i]))
    trial.player[who].god = <u8>god
    trial.player[who].god_validated = total(state.player[who].realm) >= DEATH_COST
    return god_points(rules, &trial, who, forests, wild) + (wild[who] if god == IDLENESS else 0)


cdef inline int best_god_worth(const Rules* rules, const State* state, int god) noexcept nogil:
    """The same with the worshipers left, which count a little."""
    cdef int left = total(state.player[state.who].realm)
    if god == LOVE:
        left = min(left + LOVE_GAIN, LIMIT)
    elif god == DEATH and left >= DEATH_COST:
        left -= DEATH_COST
    return PERCENT * points_of_god(rules, state, god) + WORSHIPER_WORTH * left


cdef inline int best_god(const Rules* rules, const State* state) noexcept nogil:
    cdef int god, worth, best = -1, best_worth = 0
    for god in range(DEATH + 1):
        if state.gods >> god & 1:
            worth = best_god_worth(rules, state, god)
            if best < 0 or worth > best_worth:
                best, best_worth = god, worth
    return best


cdef inline bint will_hold(const Player* player, const Tile* tile, int place, int left) noexcept nogil:
    """Whether a tile will be validated, as far as that is quickly seen: volcanoes are taken to find food."""
    if tile.effect == VILLAGE:
        return left >= tile.number
    return tile.effect != IRRIGATION or irrigated(player, tile, place)


cdef inline void sensible_move(
    const Rules* rules, const State* state, u32 noise, u64* rng, Move* move
) noexcept nogil:
    """`noise`: worth up to this is added at random; 1 adds nothing."""
    cdef const Player* player = &state.player[state.who]
    cdef int cell, place, worth, best_worth = -(1 << 30), best_cell = 0, best_place = 0
    cdef int have
    cdef u32 places = supported(player), fitting
    cdef u64 realm, paid, best_realm = 0
    cdef bint best_wild = True
    cdef const Tile* tile
    if god_is_due(rules, state, rng):
        take_god(rules, state, best_god(rules, state), rng, NULL, move)
        return
    for cell in range(CELLS):
        tile = &rules.tile[state.centre[cell]]
        realm = player.realm + cell_worshipers(state, cell)
        fitting = places
        while fitting:
            place = lowest(fitting)
            fitting &= fitting - 1
            worth = wild_worth(rules, state, player, place, total(realm)) + <int>rng_below(rng, noise)
            if worth > best_worth:
                best_worth, best_cell, best_place, best_wild, best_realm = worth, cell, place, True, realm
        paid = realm
        have = pay(&paid, cost_for(player, tile), tile.any_cost, NULL)
        if have < 0:
            continue
        if tile.effect == PROSELYTISM:
            have += tile.number
        fitting = coloured(player, places, tile.colour)
        while fitting:
            place = lowest(fitting)
            fitting &= fitting - 1
            worth = face_up_worth(
                rules, state, player, cell, place, have, will_hold(player, tile, place, have)
            ) + <int>rng_below(rng, noise)
            if worth > best_worth:
                best_worth, best_cell, best_place, best_wild, best_realm = worth, cell, place, False, paid
    if best_wild:
        move.detail = 0
        move.what = region_move(best_cell, best_place, IS_WILD, keep_limit(best_realm, total(best_realm), NULL))
    else:
        face_up(rules, state, best_cell, best_place, best_realm, total(best_realm), rng, NULL, move)


cdef inline void sampled_move(const Rules* rules, const State* state, int samples, u64* rng, Move* move) noexcept nogil:
    """The best of a few random choices by the same rough worth: sharper than random, cheaper than sensible."""
    cdef const Player* player = &state.player[state.who]
    cdef int cell, place, worth, have, k, best_worth = -(1 << 30), best_cell = 0, best_place = 0
    cdef u32 places = supported(player), fitting
    cdef u64 realm, draw
    cdef bint wild, best_wild = True
    cdef const Tile* tile
    if god_is_due(rules, state, rng):
        take_god(rules, state, best_god(rules, state), rng, rng, move)
        return
    for k in range(samples):
        draw = rng_next(rng)
        cell = <int>((<u64><u32>draw * CELLS) >> 32)
        draw >>= 32
        tile = &rules.tile[state.centre[cell]]
        realm = player.realm + cell_worshipers(state, cell)
        fitting = coloured(player, places, tile.colour)
        have = can_pay(realm, cost_for(player, tile), tile.any_cost) if fitting else -1
        wild = have < 0
        if wild:
            place = nth(places, <int>((draw * popcount(places)) >> 32))
            worth = wild_worth(rules, state, player, place, total(realm))
        else:
            place = nth(fitting, <int>((draw * popcount(fitting)) >> 32))
            if tile.effect == PROSELYTISM:
                have += tile.number
            worth = face_up_worth(rules, state, player, cell, place, have, will_hold(player, tile, place, have))
        if worth > best_worth:
            best_worth, best_cell, best_place, best_wild = worth, cell, place, wild
    tile = &rules.tile[state.centre[best_cell]]
    realm = player.realm + cell_worshipers(state, best_cell)
    if best_wild:
        move.detail = 0
        move.what = region_move(best_cell, best_place, IS_WILD, keep_limit(realm, total(realm), rng))
    else:
        have = pay(&realm, cost_for(player, tile), tile.any_cost, rng)
        face_up(rules, state, best_cell, best_place, realm, have, rng, rng, move)
