"""A move, packed, and what it does to a state.

    Move.what    bits  0-3   cell 0-8, or the god
                 bit   4     a god is taken
                 bit   5     placed as wilderness
                 bit   6     validated: no cancellation token; 0 for a wilderness
                 bits  7-10  place 0-14 (see placement)
                 bits 11-30  the realm left over, in nibbles (see realm)
    Move.detail  what a volcano removes: up to ten 6-bit codes, ascending from the low end, each
                 1 + 5 * cell + colour

These are just the things others can see of a turn, so two moves are the same exactly when both words
are. How the realm was arrived at (paid, exchanged, given back) is the generator's business.
"""

from libc.string cimport memset

from ..common.bits cimport lowest, popcount
from ..common.ints cimport u8, u16, u32, u64
from ..common.rng cimport fold
from ..game cimport Move
from .placement cimport below, make_room
from .realm cimport COLOURS, LIMIT, from_nibbles, to_nibbles, total
from .state cimport (
    CANCELLED, CELLS, FARM, FOREST, FORESTS, NO_CELL, NO_GOD, NO_TILE, OCCUPIED, ROW_1, SLOTS, TURNS, VOLCANO, Player,
    Rules, State, Tile, add_counts, lowest_pile, state_size,
)

cdef enum:
    IS_GOD = 1 << 4
    IS_WILD = 1 << 5
    IS_VALID = 1 << 6
    PLACE_SHIFT = 7
    REALM_SHIFT = 11
    REALM_MASK = 0xFFFFF
    CODE_BITS = 6
    MAX_REMOVED = 10

cdef extern from "orbis/generate.h":
    const signed char BESIDE "ORBIS_BESIDE"[9][5]
    const u64 SEEDS "ORBIS_FIELD_SEEDS"[9][9]
    # One worshiper of the tile's colour onto each orthogonal neighbour.
    void generate "orbis_generate"(u8* worshipers, int cell, int colour) noexcept nogil


# A turn before it is packed, or one that is played at once and never packed.
cdef struct Turn:
    u64 flags  # IS_GOD, IS_WILD, IS_VALID
    int cell  # or the god
    int place
    u64 realm  # left over
    u64 codes  # what a volcano removes, in any order


cdef inline void pack_turn(const Turn* turn, Move* move) noexcept nogil:
    move.what = region_move(turn.cell, turn.place, turn.flags, turn.realm)
    move.detail = in_order(turn.codes)


cdef inline u64 in_order(u64 codes) noexcept nogil:
    """What a packed volcano removes stands in ascending order, the lowest code in the lowest bits."""
    cdef int chosen[MAX_REMOVED]
    cdef int n = 0, i
    cdef u64 ordered = 0
    while codes:
        i = n
        while i > 0 and chosen[i - 1] > <int>(codes & 63):
            chosen[i] = chosen[i - 1]
            i -= 1
        chosen[i] = <int>(codes & 63)
        codes >>= CODE_BITS
        n += 1
    for i in range(n):
        ordered |= <u64>chosen[i] << (CODE_BITS * i)
    return ordered


cdef inline u64 god_move(int god, bint validated, u64 realm) noexcept nogil:
    return god | IS_GOD | (IS_VALID if validated else 0) | to_nibbles(realm) << REALM_SHIFT


cdef inline u64 region_move(int cell, int place, u64 flags, u64 realm) noexcept nogil:
    return cell | flags | <u64>place << PLACE_SHIFT | to_nibbles(realm) << REALM_SHIFT


cdef inline u64 move_realm(u64 what) noexcept nogil:
    return from_nibbles(what >> REALM_SHIFT & REALM_MASK)


cdef inline int move_place(u64 what) noexcept nogil:
    return what >> PLACE_SHIFT & 15


cdef inline int move_cell(u64 what) noexcept nogil:
    """The cell, or the god."""
    return what & 15


cdef inline u64 move_head(u64 what) noexcept nogil:
    """All but the realm."""
    return what & ((1 << REALM_SHIFT) - 1)


cdef inline int removed_by(u64 codes) noexcept nogil:
    """What the lowest of a volcano's codes removes: its index in the worshipers of the centre."""
    return <int>(codes & 63) - 1


cdef inline bint irrigated(const Player* player, const Tile* tile, int place) noexcept nogil:
    """One of the two tiles right under it has the wanted colour. In row 1 there is none, nor at its left end."""
    return (player.mask[wanted_colour(tile)] & below(place)) != 0


cdef inline int wanted_colour(const Tile* tile) noexcept nogil:
    """Of an irrigation. Any other tile may be asked, with some answer: that is cheaper than a branch."""
    return lowest(tile.colours | 1 << OCCUPIED)


cdef inline bint lay_tile(const Rules* rules, State* state, Player* player, u64 what, int cell) noexcept nogil:
    """Steps 4 and 5 of a region turn, but for what a volcano removes: whether it is one, and validated."""
    cdef int i, slot, number = state.centre[cell]
    cdef const Tile* tile = &rules.tile[number]
    cdef u16 bit
    cdef u8 mystic
    cdef bint valid
    slot = make_room(player, move_place(what))
    bit = <u16>(1 << slot)
    player.tile[slot] = <u8>number
    player.mask[OCCUPIED] |= bit
    state.centre[cell] = NO_TILE
    state.hole = <u8>cell
    if what & IS_WILD:
        for i in range(COLOURS):
            player.mask[i] |= bit
        return False
    # What the tile is cannot be foreseen, so no branch asks for it.
    valid = (what & IS_VALID) != 0
    mystic = max(player.mystic, tile.mystic)
    add_counts(player, tile.counts if valid else 0)
    player.mystic = mystic
    player.mask[tile.colour] |= bit
    player.mask[CANCELLED] |= bit & -<u16>(not valid)
    player.mask[FORESTS] |= bit & -<u16>(valid & (tile.effect == FOREST))
    player.farms |= tile.colours & -<u8>(valid & (tile.effect == FARM))
    return valid & (tile.effect == VOLCANO)


cdef inline void state_apply(const Rules* rules, State* state, const Move* move) noexcept nogil:
    """Plays a legal move up to, but without, the refill."""
    cdef Player* player = &state.player[state.who]
    cdef u64 what = move.what, codes = move.detail
    cdef int cell = move_cell(what)
    state.who += 1
    if state.who == rules.players:
        state.who = 0
        state.round += 1
    player.realm = move_realm(what)  # paying, exchanging and the limit are all in this
    if what & IS_GOD:
        player.god = <u8>cell
        player.god_validated = (what & IS_VALID) != 0
        state.gods &= ~(<u16>1 << cell)
        return

    # 1. Generate, also for a wilderness.  2. Collect.
    generate(state.worshipers, cell, rules.tile[state.centre[cell]].colour)
    memset(&state.worshipers[5 * cell], 0, COLOURS)

    # 4. Place.  5. Effect.
    if lay_tile(rules, state, player, what, cell):
        while codes:
            state.worshipers[removed_by(codes)] -= 1
            codes >>= CODE_BITS


cdef inline void state_refill(const Rules* rules, State* state, int number) noexcept nogil:
    """7. Refill the empty cell from the lowest pile. An empty pile can hold nothing any more."""
    cdef int level = lowest_pile(state)
    state.centre[state.hole] = <u8>number
    state.hole = NO_CELL
    state.unseen[number >> 6] &= ~(<u64>1 << (number & 63))
    state.refills -= 1
    state.left[level] -= 1
    if state.left[level] == 0:
        state.unseen[0] &= ~rules.of_level[level][0]
        state.unseen[1] &= ~rules.of_level[level][1]


cdef inline u64 state_key(const Rules* rules, const State* state) noexcept nogil:
    """Hash of all that is visible: equal states, equal keys."""
    cdef const u64* words = <const u64*>state
    cdef size_t i, n = state_size(rules) // 8
    cdef u64 key = <u64>0x243F6A8885A308D3
    for i in range(n):
        key = fold(key ^ words[i], <u64>0x9E3779B97F4A7C15 + 2 * i)
    return key


cdef inline const char* state_fault(const Rules* rules, const State* state) noexcept nogil:
    """What is wrong with a state, or NULL. The debug build asks after each move."""
    cdef int who, i, slot, listed, crowd, regions = 0, left = state.left[0] + state.left[1] + state.left[2]
    cdef u32 occupied, union_, lower
    cdef const Player* player
    if state.who >= rules.players or state.round > TURNS or (state.round == TURNS and state.who):
        return b"the turn is one that no game has"
    for who in range(rules.players):
        player = &state.player[who]
        occupied = player.mask[OCCUPIED]
        union_ = 0
        for i in range(COLOURS):
            union_ |= player.mask[i]
        if union_ != occupied or occupied >> SLOTS:
            return b"the colours of a universe lie elsewhere than its tiles"
        lower = occupied & ROW_1
        if lower & (lower + 1):
            return b"row 1 of a universe has a gap"
        for slot in range(SLOTS):
            if occupied >> slot & 1:
                if below(slot) & ~occupied:
                    return b"a tile of a universe does not lie on two others"
                if player.tile[slot] != NO_TILE and player.tile[slot] >= rules.tiles:
                    return b"a universe has a tile that the table lacks"
            elif player.tile[slot] != NO_TILE:
                return b"a universe has a tile in an empty slot"
        if (player.mask[CANCELLED] | player.mask[FORESTS]) & ~occupied:
            return b"an empty slot is marked as cancelled or as a forest"
        if player.mask[CANCELLED] & player.mask[FORESTS]:
            return b"a forest is cancelled, and forests are judged at the end"
        if total(player.realm) > LIMIT or player.realm >> 40:
            return b"a realm has more worshipers than the limit"
        regions += popcount(occupied)
        i = popcount(occupied) + (player.god != NO_GOD)
        if i != state.round + (who < state.who):
            return b"a player has not played as many turns as the turn order asks for"
    if left != state.refills or left != SLOTS * rules.players - regions + (state.hole != NO_CELL):
        # One for each region turn left, and one for a cell that is empty.
        return b"the piles do not have one tile for each refill to come"
    if left > SLOTS * rules.players:
        return b"a cell is empty though no region was placed"
    for i in range(CELLS):
        if (state.centre[i] == NO_TILE) != (state.hole == i) or (i != state.hole and state.centre[i] >= rules.tiles):
            return b"a cell of the centre lacks its tile or has one that the table lacks"
    for i in range(3):
        listed = popcount(state.unseen[0] & rules.of_level[i][0]) + popcount(state.unseen[1] & rules.of_level[i][1])
        if listed < state.left[i]:
            return b"a pile has more tiles than it can have"
    for i in range(CELLS):
        crowd = 0
        for slot in range(COLOURS):
            crowd += state.worshipers[COLOURS * i + slot]
        if crowd > 112:  # 56 of them at most where a game begins, and one more in each of at most 56 region turns
            return b"a cell has more worshipers than it can have"
    return NULL
