"""Where a tile may lie (RULES section 4).

A set of places is a mask over the slots with one bit more: LEFT_END stands for the left end of row 1
while that row has one to four tiles. The right end is the slot behind the last tile; the very first
tile has slot 0 and no left end.
"""

from libc.string cimport memcpy

from ..common.bits cimport gather, popcount, scatter
from ..common.ints cimport u8, u16, u32
from .state cimport NO_TILE, OCCUPIED, ROW_1, SLOTS, Player

cdef enum:
    LEFT_END = 14
    ROW_ENDS = 0x401F  # row 1 and LEFT_END
    # Left tile of each pair that can carry a tile: slots 0-3, 5-7 and 9-10.
    PAIRS = 0x06EF


cdef extern from *:
    """
    #ifndef ORBIS_PLACEMENT_TABLES
    #define ORBIS_PLACEMENT_TABLES
    /* Where a tile may be laid in row 1, by how many lie there. */
    static const unsigned short ORBIS_ENDS[6] = {0x0001, 0x4002, 0x4004, 0x4008, 0x4010, 0};
    static const unsigned short ORBIS_BELOW[15] = {
        0, 0, 0, 0, 0, 0x0003, 0x0006, 0x000C, 0x0018, 0x0060, 0x00C0, 0x0180, 0x0600, 0x0C00, 0,
    };
    #endif
    """
    const unsigned short ENDS "ORBIS_ENDS"[6]
    const unsigned short BELOW "ORBIS_BELOW"[15]


cdef inline u32 over(u32 pairs) noexcept nogil:
    """The slots that lie over the given pairs, each pair named by its left tile.

    The pairs of rows 1, 2 and 3 are 4, 3 and 2, and so are the slots of rows 2, 3 and 4: pushed
    together they are in the same order, from slot 5 on.
    """
    return <u32>gather(pairs, PAIRS) << 5


cdef inline u32 supported(const Player* player) noexcept nogil:
    """Every place that can take a tile, colours apart: where a wilderness may lie."""
    cdef u32 occupied = player.mask[OCCUPIED]
    return (over(occupied & (occupied >> 1)) & ~occupied) | ENDS[popcount(occupied & ROW_1)]


cdef inline u32 coloured(const Player* player, u32 places, int colour) noexcept nogil:
    """Those of the places where a face-up tile of this colour may lie."""
    cdef u32 mask = player.mask[colour]
    return places & (over(mask | (mask >> 1)) | ROW_ENDS)


cdef inline u32 under(u32 places) noexcept nogil:
    """The pairs that lie under the given places, each named by its left tile; places in row 1 have none."""
    return <u32>scatter(places >> 5, PAIRS)


cdef inline u32 below(int place) noexcept nogil:
    """The two slots under one above row 1; nothing for row 1."""
    return BELOW[place]


cdef inline int make_room(Player* player, int place) noexcept nogil:
    """Moves everything aside for a tile at the left end; returns the slot the place is now."""
    cdef int i
    cdef u8 moved[SLOTS - 1]
    if place != LEFT_END:
        return place
    for i in range(8):
        player.mask[i] = <u16>(player.mask[i] << 1)
    memcpy(moved, &player.tile[0], SLOTS - 1)  # by way of a register or two; memmove would be a call
    memcpy(&player.tile[1], moved, SLOTS - 1)
    player.tile[0] = NO_TILE
    return 0
