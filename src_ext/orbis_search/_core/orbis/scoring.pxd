"""The end of the game (RULES sections 6 and 7). Works on any state, as if the game ended there."""

from ..common.bits cimport lowest, popcount
from ..common.ints cimport i32, u8, u32, u64
from ..game cimport MAX_PLAYERS, WHOLE, Outcome
from .realm cimport COLOURS, total
from .state cimport (
    APPRENTICE, APPRENTICE_CP, CANCELLED, DEATH, EQUILIBRIUM, FIRE, FOREST, FORESTS, GREAT_GOD_CP, HARVESTS, IDLENESS,
    LOVE, NATURE, NO_GOD, OCCUPIED, OCEANS, SMALL_GOD_CP, TECHNOLOGY, Player, Rules, State, Tile,
)

cdef extern from *:
    """
    /* Slots beside, above and below each slot. */
    static const unsigned short ORBIS_AROUND[14] = {
        0x0022, 0x0065, 0x00CA, 0x0194, 0x0108,
        0x0243, 0x06A6, 0x0D4C, 0x0898,
        0x1460, 0x3AC0, 0x2580,
        0x2600, 0x1C00,
    };
    """
    const unsigned short AROUND "ORBIS_AROUND"[14]


cdef inline u32 wilderness(const Player* player) noexcept nogil:
    """Only a wilderness is of every colour."""
    return player.mask[0] & player.mask[1] & player.mask[2] & player.mask[3] & player.mask[4]


cdef inline u32 of_colours(const Player* player, u32 colours) noexcept nogil:
    """The slots of any of a set of colours."""
    cdef u32 slots = 0, rest
    while colours:
        # Two at a time, or one twice: most sets have one or two, and nobody could foresee which.
        rest = colours & (colours - 1)
        slots |= player.mask[lowest(colours)] | player.mask[lowest(rest if rest else colours)]
        colours = rest & (rest - 1)
    return slots


cdef inline bint forest_holds(const Player* player, int slot, const Tile* tile) noexcept nogil:
    return popcount(of_colours(player, tile.colours) & AROUND[slot]) >= tile.number


cdef inline int forest_neighbours(const Player* player, int slot, u32 colours) noexcept nogil:
    """How many tiles of the colours lie around a slot. `of_colours` would take registers that a long function lacks."""
    cdef u32 slots = 0
    cdef int colour
    for colour in range(COLOURS):
        if colours >> colour & 1:
            slots |= player.mask[colour]
    return popcount(slots & AROUND[slot])


cdef inline void forest_sums(const Rules* rules, const Player* player, int* number, int* points) noexcept nogil:
    """How many forests hold, and their CP."""
    cdef u32 left = player.mask[FORESTS]
    cdef int slot
    cdef bint holds
    cdef const Tile* tile
    number[0] = points[0] = 0
    while left:
        slot = lowest(left)
        left &= left - 1
        tile = &rules.tile[player.tile[slot]]
        holds = forest_holds(player, slot, tile)
        number[0] += holds
        points[0] += tile.cp & -holds


cdef inline bint holds_most(int mine, int other, bint most_at_zero) noexcept nogil:
    """Of what a god compares, for two players."""
    return mine >= other and (mine > 0 or most_at_zero)


cdef inline int points_with_god(
    const Rules* rules, const State* state, int who, int god, bint validated, const int* forests, const int* wild
) noexcept nogil:
    """What the god brings the player if the game ends now; Idleness: without the wilderness it saves."""
    cdef const Player* player = &state.player[who]
    cdef int i, mine
    if god == NO_GOD:
        return 0
    if god == LOVE or god == IDLENESS:
        return SMALL_GOD_CP
    if god == APPRENTICE:
        return APPRENTICE_CP
    if god == DEATH:
        return GREAT_GOD_CP if validated else 0
    if god == EQUILIBRIUM:
        return GREAT_GOD_CP if player.villages and player.temples and player.volcanoes else 0
    if god == TECHNOLOGY:
        for i in range(rules.players):
            if wild[i] < wild[who]:
                return 0
        return GREAT_GOD_CP
    mine = god_count(player, god, forests[who])
    if mine == 0 and not rules.most_at_zero:
        return 0
    for i in range(rules.players):
        if god_count(&state.player[i], god, forests[i]) > mine:
            return 0
    return GREAT_GOD_CP


cdef inline int god_points(
    const Rules* rules, const State* state, int who, const int* forests, const int* wild
) noexcept nogil:
    cdef const Player* player = &state.player[who]
    return points_with_god(rules, state, who, player.god, player.god_validated, forests, wild)


cdef inline int god_count(const Player* player, int god, int forests) noexcept nogil:
    """What Oceans, Fire, Nature and Harvests compare."""
    if god == OCEANS:
        return player.irrigations
    if god == FIRE:
        return player.volcanoes
    if god == HARVESTS:
        return player.villages
    return forests


# What tokens go by, as one number: temples first, then the highest mystic value.
cdef enum:
    ONE_TEMPLE = 256


cdef inline int temple_rank(const Player* player) noexcept nogil:
    return player.temples * ONE_TEMPLE + player.mystic


cdef inline int tokens_ahead(const Rules* rules, int mine, int other) noexcept nogil:
    """What the tokens put one of two players ahead, by their temple ranks; a tie is theirs."""
    if mine >= other:
        return rules.tokens[0] - (rules.tokens[1] if other >= ONE_TEMPLE else 0) if mine >= ONE_TEMPLE else 0
    if other < ONE_TEMPLE:
        return 0
    return (rules.tokens[1] if mine >= ONE_TEMPLE else 0) - rules.tokens[0]


cdef inline void temple_tokens(const Rules* rules, const State* state, int* token) noexcept nogil:
    """Each takes the token of its rank among those with a temple.

    Mystic values tie only if a position leaves open whether a tile of the set or one like it lies in a pile;
    then the earlier player counts as higher.
    """
    cdef int i, j, rank, mine, other
    for i in range(rules.players):
        token[i] = 0
        if state.player[i].temples == 0:
            continue
        mine = temple_rank(&state.player[i])
        rank = 0
        for j in range(rules.players):
            other = temple_rank(&state.player[j])
            if other > mine or (other == mine and j < i):
                rank += 1
        token[i] = rules.tokens[rank]


cdef inline void points_of_all(const Rules* rules, const State* state, i32* points) noexcept nogil:
    cdef int forests[MAX_PLAYERS]
    cdef int forest_points[MAX_PLAYERS]
    cdef int wild[MAX_PLAYERS]
    cdef int token[MAX_PLAYERS]
    cdef int i
    for i in range(rules.players):
        forest_sums(rules, &state.player[i], &forests[i], &forest_points[i])
        wild[i] = popcount(wilderness(&state.player[i]))
    temple_tokens(rules, state, token)
    for i in range(rules.players):
        points[i] = state.player[i].points + forest_points[i] + token[i]
        points[i] += god_points(rules, state, i, forests, wild)
        if state.player[i].god != IDLENESS:
            points[i] -= wild[i]


# Where points come from: the nine effects of tiles in their order, then these.
cdef enum:
    WILDERNESS_POINTS = 9
    GOD_POINTS = 10
    TOKEN_POINTS = 11
    WORSHIPERS_LEFT = 12  # no points, but they break ties
    SOURCES = 13


cdef inline void points_by_source(const Rules* rules, const State* state, i32* out) noexcept nogil:
    """SOURCES numbers a player; all but the last add up to the player's points."""
    cdef int forests[MAX_PLAYERS]
    cdef int wild[MAX_PLAYERS]
    cdef int token[MAX_PLAYERS]
    cdef int i, points
    cdef u32 left
    cdef const Player* player
    cdef const Tile* tile
    cdef i32* mine
    for i in range(SOURCES * rules.players):
        out[i] = 0
    for i in range(rules.players):
        player = &state.player[i]
        mine = out + SOURCES * i
        left = wilderness(player)
        wild[i] = popcount(left)
        left = player.mask[OCCUPIED] & ~left & ~<u32>player.mask[CANCELLED] & ~<u32>player.mask[FORESTS]
        while left:
            tile = &rules.tile[player.tile[lowest(left)]]
            left &= left - 1
            mine[tile.effect] += tile.cp
        forest_sums(rules, player, &forests[i], &points)
        mine[<int>FOREST] = points
        mine[WILDERNESS_POINTS] = 0 if player.god == IDLENESS else -wild[i]
        mine[WORSHIPERS_LEFT] = total(player.realm)
    temple_tokens(rules, state, token)
    for i in range(rules.players):
        out[SOURCES * i + GOD_POINTS] = god_points(rules, state, i, forests, wild)
        out[SOURCES * i + TOKEN_POINTS] = token[i]


cdef inline void state_outcome(const Rules* rules, const State* state, Outcome* out) noexcept nogil:
    """Most CP wins; ties by worshipers left; then the victory is shared."""
    cdef int i, best = -(1 << 30), winners = 0
    cdef int rank[MAX_PLAYERS]
    points_of_all(rules, state, out.points)
    for i in range(rules.players):
        rank[i] = out.points[i] * 16 + total(state.player[i].realm)
        if rank[i] > best:
            best, winners = rank[i], 0
        winners += rank[i] == best
    for i in range(MAX_PLAYERS):
        out.share[i] = 0
    for i in range(rules.players):
        if rank[i] == best:
            out.share[i] = WHOLE // winners
