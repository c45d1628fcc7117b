"""A position of the exact search: a state, and behind it what only such a position has.

    State       of two players; player 0 sees the worshipers that it has on the centre
    bytes 0-44  the worshipers on the centre that player 1 sees, as in the state
          45-46 what each player owes
          47    0: a view is read in words, and `generate` adds to six of them

A *view* points to the worshipers that one of the players sees. ending.pxd says what the two are for.
"""

from ..common.ints cimport u8, u64
from .policy cimport colour_bytes
from .realm cimport COLOURS, missing, of_each, one
from .state cimport CELLS, Player, State, Tile, on_cell
from .turn cimport BESIDE

cdef enum:
    STATE_OF_TWO = sizeof(State) - 2 * sizeof(Player)  # bytes
    VIEW_BYTES = 48
    DEBTS = CELLS * COLOURS
    POSITION_BYTES = STATE_OF_TWO + VIEW_BYTES


cdef inline u8* seen(const State* state, int who) noexcept nogil:
    """The worshipers that a player sees."""
    return <u8*>state + STATE_OF_TWO if who else <u8*>state.worshipers


cdef inline u8* debt_of(const State* state, int who) noexcept nogil:
    return <u8*>state + STATE_OF_TWO + DEBTS + who


cdef inline int total_wide(u64 words) noexcept nogil:
    """Bytes up to 255 whose sum may be more."""
    words = (words & <u64>0xFF00FF00FF) + (words >> 8 & <u64>0xFF00FF)
    return <int>((words & 0xFFFF) + (words >> 16 & 0xFFFF) + (words >> 32))


cdef inline u64 few(u64 words) noexcept nogil:
    """At most 20 of each colour: enough to feed any volcano, and nine tiles together still fit in a byte."""
    return words - missing(of_each(20), words)


cdef inline int food_for(const u8* view, int cell, const Tile* tile) noexcept nogil:
    """How many worshipers a volcano taken from a cell finds."""
    cdef u64 allowed = colour_bytes(tile.colours), sum_ = 0
    cdef const signed char* beside = BESIDE[cell]
    cdef int i
    for i in range(CELLS):
        if i != cell:
            sum_ += few(on_cell(view, i))
    if tile.colours >> tile.colour & 1:
        while beside[0] >= 0:
            sum_ += one(tile.colour)
            beside += 1
    return total_wide(sum_ & allowed)


cdef inline void remove_most(u8* view, const Tile* tile) noexcept nogil:
    """Of each colour on each tile as many as a volcano could take."""
    cdef int i
    for i in range(CELLS * COLOURS):
        if tile.colours >> (i % COLOURS) & 1:
            view[i] -= min(view[i], tile.number)
