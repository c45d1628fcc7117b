"""A turn in small decisions.

Most searches of others know a game as a fixed set of numbered actions, a few of them legal at a time. A turn of
Orbis can have thousands of moves, so it is taken in steps. What a step decides, by its number:

        0 -   26   the tile and how it lies: 3 * cell + WILD, FACE_UP or UNPAID
       27 -   36   the god
       37          Death, not paid for
       38 -   52   the place: 38 + place (see placement)
       53 -   97   a worshiper that the volcano removes: 53 + 5 * cell + colour; never less than the one before
       98 - 3100   the realm left over: 98 + its rank among all of at most ten worshipers

They come in this order, and what has only one answer is not asked, but for the first. A number means the same
in every position, so a tree may keep what it knows of it. UNPAID is a village or volcano that is laid face up and
cancelled by choice; an irrigation judges itself by its place.

Each move has exactly one way through the steps. After its last one a refill may be due, as it is after a move.
"""

from ..common.ints cimport i32, u8, u16, u32, u64
from .movegen cimport MAX_REALMS, Scratch
from .state cimport CELLS, DEATH, Player, Rules, State

cdef enum:
    FACES = 3
    WILD = 0
    FACE_UP = 1
    UNPAID = 2

cdef enum:
    FIRST_GOD = FACES * CELLS
    DEATH_UNPAID = FIRST_GOD + DEATH + 1
    FIRST_PLACE = DEATH_UNPAID + 1
    FIRST_REMOVAL = FIRST_PLACE + 15
    FIRST_REALM = FIRST_REMOVAL + 5 * CELLS
    ACTIONS = FIRST_REALM + MAX_REALMS

cdef enum Stage:
    WHAT
    PLACE
    REMOVAL
    REALM

# Who decides next, besides players from 0.
cdef enum:
    NOBODY = -1  # the game is over
    CHANCE = -2


cdef struct Steps:
    u64 codes  # what the volcano removes so far
    u16 what  # the first step's number
    u8 stage
    u8 place
    u8 removed
    u8 pad[3]
    State state  # before the turn


cdef inline size_t steps_size(const Rules* rules) noexcept nogil:
    """What a copy needs to move: the state ends with the players, and there may be fewer than four."""
    return sizeof(Steps) - (4 - rules.players) * sizeof(Player)


# For whoever is not written in Cython: the same functions and sizes as a C struct. Functions return -1 on failure.
cdef struct StepsInterface:
    int actions
    int most_legal  # numbers that `legal` and `draws` may write
    int (*decider)(const Rules* rules, const Steps* steps) noexcept nogil
    int (*legal)(const Rules* rules, Scratch* scratch, const Steps* steps, u32 prune, i32* out) except -1 nogil
    int (*draws)(const Rules* rules, const Steps* steps, i32* out) noexcept nogil  # tile numbers, all equally likely
    int (*apply)(const Rules* rules, Scratch* scratch, Steps* steps, u32 prune, int action) except -1 nogil
    void (*shares)(const Rules* rules, const Steps* steps, i32* out) noexcept nogil  # of 12, when the game is over
    int (*text)(int action, char* out) noexcept nogil  # at most 32 bytes
    Scratch* (*scratch_new)() noexcept nogil
    void (*scratch_free)(Scratch* scratch) noexcept nogil
