"""The packed state of a game, and the tiles it refers to by number.

A universe is a pyramid of 14 slots, numbered row by row from the left end of row 1:

    row 4            12  13
    row 3           9  10  11
    row 2         5   6   7   8
    row 1       0   1   2   3   4        bit n of a mask = slot n; bits 14 and 15 are always 0

The tile in slot 5 lies over 0 and 1, slot 9 over 5 and 6, slot 12 over 9 and 10. Row 1 always starts at
slot 0: when a tile is laid at its left end everything moves one slot to the right. A row that can still
grow is never full, and no more are the rows above it, so that move is one shift of the whole mask.
A sample, row 1 with three tiles (red, wilderness, blue) and one red tile on top of the first two:

    red      0b0000000000100011        slots 0, 1 and 5: the wilderness in slot 1 is of every colour
    green    0b0000000000000010
    blue     0b0000000000000110
    occupied 0b0000000000100111

Everything in a State is visible at the table. The order of the piles is not in it.
"""

from libc.string cimport memcpy, memset

from ..common.ints cimport i16, i32, u8, u16, u32, u64

cdef enum:
    CELLS = 9
    SLOTS = 14
    MAX_TILES = 128
    NO_TILE = 255  # empty slot, cell waiting for its refill, or a wilderness whose front is unknown
    NO_GOD = 255
    NO_CELL = 255
    TURNS = 15
    ROW_1 = 0x1F

# Masks of a universe beside the five of the colours.
cdef enum:
    OCCUPIED = 5
    CANCELLED = 6
    FORESTS = 7  # face-up forests: judged at the end

cdef enum Effect:
    NONE
    FARM
    VILLAGE
    FOREST
    VOLCANO
    IRRIGATION
    TEMPLE
    PROSELYTISM
    SACRED_STONE

cdef enum God:
    LOVE
    APPRENTICE
    OCEANS
    FIRE
    NATURE
    HARVESTS
    IDLENESS
    TECHNOLOGY
    EQUILIBRIUM
    DEATH

cdef enum:
    LOVE_GAIN = 5
    DEATH_COST = 6
    SMALL_GOD_CP = 1  # Love and Idleness, which do something else besides
    APPRENTICE_CP = 2
    GREAT_GOD_CP = 3  # all others, each on a condition


cdef struct Tile:
    u64 cost  # coloured part, a byte a colour
    u8 any_cost
    u8 colour
    u8 level  # 0, 1, 2
    u8 effect
    u8 number
    u8 colours  # bit set
    u8 mystic  # 0: none
    u8 cp
    u64 counts  # what it adds, validated, to the eight bytes of a Player from `points` on; see `counts_of_tile`


# What a playout needs to know of a tile in a hurry; see `policy` and `sampled`.
cdef struct Rough:
    u64 cost  # as the tile's
    i16 anywhere  # worth face up and validated, in hundredths of a CP, before anybody has looked for a place
    u8 each_turn  # more for each turn to come
    u8 gives  # worshipers that validating takes
    u8 gains  # ... and that the tile brings
    u8 any_cost  # as the tile's
    u8 colour  # a bit set of one
    u8 around  # what lies around it decides
    i16 worth  # like `anywhere`, in a place that is good for it
    u8 unused[14]  # to thirty-two bytes


# What the tiles to come are told by, summed up; see `inputs`.
cdef enum:
    SUMMARY_TEMPLES = 9
    SUMMARY_COST = 11  # five colours
    SUMMARY = 16


# What stays the same through a game.
cdef struct Rules:
    Tile tile[MAX_TILES]
    Rough rough[MAX_TILES]
    i16 summary[MAX_TILES][SUMMARY]
    u64 of_level[3][2]  # bit sets of tile numbers
    int tiles
    int players
    bint most_at_zero
    int tokens[4]
    int symbols[5]  # in a hundred tiles' costs, by colour


cdef struct Player:  # 48 bytes, which the counters end
    u16 mask[8]
    u8 tile[SLOTS]  # NO_TILE where empty
    u8 god
    u8 farms  # bit set of colours
    u64 realm
    i16 points  # CP that can no longer change: no forest, wilderness, god or token in it
    u8 temples
    u8 mystic  # highest on the own face-up white tiles
    u8 irrigations  # validated
    u8 volcanoes
    u8 villages
    u8 god_validated


cdef struct State:  # 80 bytes and 48 a player
    u8 worshipers[CELLS * 5]  # on the centre tiles: cell * 5 + colour
    u8 centre[CELLS]  # tile numbers
    u8 who  # the player to move
    u8 round  # turns that this player has played; TURNS when the game is over
    u8 hole  # cell waiting for its refill, or NO_CELL
    u8 left[3]  # tiles in the piles
    u8 refills  # the three together
    u8 pad
    u16 gods  # face up, not taken; bit set
    u64 unseen[2]  # tiles that the piles can hold; more than `left` when a front was forgotten
    Player player[4]


cdef inline u64 counts_of_tile(const Tile* tile) noexcept nogil:
    """The counters of a player who has laid nothing else. Adding them as one word spares a branch for each effect."""
    cdef Player player
    cdef u64 counts
    memset(&player, 0, sizeof(player))
    if tile.effect == FOREST:
        return 0  # judged at the end
    player.points = tile.cp
    player.temples = tile.number if tile.effect == TEMPLE else 0
    player.irrigations = tile.effect == IRRIGATION
    player.volcanoes = tile.effect == VOLCANO
    player.villages = tile.effect == VILLAGE
    memcpy(&counts, &player.points, sizeof(counts))
    return counts


cdef inline void add_counts(Player* player, u64 counts) noexcept nogil:
    cdef u64 sums
    memcpy(&sums, &player.points, sizeof(sums))
    sums += counts
    memcpy(&player.points, &sums, sizeof(sums))


cdef inline size_t state_size(const Rules* rules) noexcept nogil:
    return sizeof(State) - (4 - rules.players) * sizeof(Player)


cdef inline void state_copy(const Rules* rules, State* to, const State* source) noexcept nogil:
    """A copy of known size is a few vector moves; one of unknown size would be a call."""
    if rules.players == 2:
        memcpy(to, source, sizeof(State) - 2 * sizeof(Player))
    elif rules.players == 3:
        memcpy(to, source, sizeof(State) - sizeof(Player))
    else:
        memcpy(to, source, sizeof(State))


cdef inline int state_to_move(const Rules* rules, const State* state) noexcept nogil:
    """The player to move, or -1 when the game is over."""
    return state.who if state.round < TURNS else -1


cdef inline u64 on_cell(const u8* worshipers, int cell) noexcept nogil:
    """The worshipers on one cell of a centre: one load of eight bytes, so three must follow the last cell's five."""
    cdef u64 words
    memcpy(&words, &worshipers[5 * cell], 8)
    return words & <u64>0xFFFFFFFFFF


cdef inline u64 cell_worshipers(const State* state, int cell) noexcept nogil:
    return on_cell(state.worshipers, cell)


cdef inline int lowest_pile(const State* state) noexcept nogil:
    """0, 1 or 2; only asked while a refill is due, and then some pile has a tile (section 2)."""
    return 0 if state.left[0] else (1 if state.left[1] else 2)
