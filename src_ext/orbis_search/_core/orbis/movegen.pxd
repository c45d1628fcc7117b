"""All legal moves of a turn, each visible outcome once, or a subset that keeps a best one.

The moves of one tile are a product: places x volcano removals x realms that can be left over. Only the
realms are hard. They are found by walking through the turn with sets of realms:

    collect -> exchange* -> pay -> gain -> exchange* -> give (village, Death) -> exchange* -> limit

Exchanging at any other moment leads to nothing new: before collecting it can as well be done after, and
between two of the other steps it is in the list.

Pruning rules. Each is a bit, may be used alone, and is tested against exact search without it. The
argument is for two players, where one's gain is the other's loss; with three or four, a player who does
not care between two moves decides who wins by choosing, so no argument of this kind can hold, and there
the rules are only a good habit.

PRUNE_EXCHANGES: exchange only the coloured worshipers that the cost lacks, and while more than 10 are held.
    More worshipers never hurt: whoever holds a superset can copy each payment of the one who holds less,
    and at the limit give back the difference first. An exchange that is not needed now can be made at
    the start of one's next turn, before anything else; until then nobody's options depend on it, and if
    no turn is left it only lost two worshipers. So a realm is at least as good as any that exchanges
    lead to from it. Hence: paying a coloured symbol from an exchange though the colour is at hand leaves
    what an exchange afterwards would; paying "any", a village or Death from an exchange is worse than
    paying one of the three; an exchange of exchanged ones is worse than exchanging directly. Above 10
    waiting is not free, because of the limit, and every exchange is kept.
PRUNE_LAST_REALM: in a player's last turn, of all realms that the same choices leave keep one with the most
    worshipers. Nothing is paid any more; only their number counts, in a tie.
PRUNE_MIRROR: in a universe that is its own mirror image, leave out the places that mirror another.
    Reflecting a universe changes no rule, so both continue alike. (Tiles in mirrored slots must be of
    the same colours; forests must lie on the axis.)
PRUNE_LAST_ASHES: when no region turn comes after this one, one way to feed a volcano is enough.
PRUNE_LAST_COLOURS: in a player's last turn, of all realms with equally many worshipers that the same choices leave
    keep one: their colours are never asked for again. And in the last turn of the game, one with the most: nobody
    moves any more, so the number only decides whether its owner wins a tie. Where that makes no difference to the owner
    it makes none to anybody. So this rule, and the two before it, hold for any number of players.
"""

from libc.string cimport memset

from ..common.bits cimport lowest
from ..common.ints cimport u32, u64
from ..game cimport Enough, MoveList
from .placement cimport supported
from .policy cimport colour_bytes, cost_for
from .realm cimport MAX_SUBSETS, one
from .state cimport DEATH_COST, LOVE, LOVE_GAIN, PROSELYTISM, Player, Rules, State, Tile, cell_worshipers
from .turn cimport BESIDE

cdef enum:
    PRUNE_EXCHANGES = 1
    PRUNE_LAST_REALM = 2
    PRUNE_MIRROR = 4
    PRUNE_LAST_ASHES = 8
    PRUNE_LAST_COLOURS = 16
    EVERY_MOVE = 0
    SEARCH_MOVES = 15

cdef enum:
    MAX_REALMS = 3003  # realms of at most 10 worshipers


# A growing set of realms in order of arrival, with an open-addressed index.
cdef struct RealmSet:
    u64* item
    u32 count
    u32 capacity
    u32* index  # 1 + position in item, 0 where free; twice to four times as long as capacity
    u32 mask


# Work space of one thread. Grows when a turn needs more, and keeps what it has.
# Called with each product before it is multiplied out, when somebody wants to see the factors.
ctypedef int (*Recorder)(
    void* recorder, int cell, u32 places, u64 flags, const u64* removal, size_t removals, const u64* result, int results
) except -1 with gil


cdef struct Scratch:
    RealmSet one
    RealmSet other
    u64 result[MAX_REALMS]  # realms left over, in nibbles
    int results
    int full  # of them with as many worshipers as the limit allows
    u64 seen[1 << 14]  # a bit for each realm in nibbles; all 0 between two uses
    u64 choice[MAX_SUBSETS]
    u64* removal
    size_t removals
    size_t removal_capacity
    MoveList found  # for whoever asks for the moves of a group
    Recorder record
    void* recorder
    Enough enough  # or NULL
    void* asker


cdef inline bint is_enough(Scratch* scratch, size_t listed) noexcept nogil:
    return scratch.enough != NULL and scratch.enough(scratch.asker, listed)


# What one way of playing a tile or god asks of the realm.
cdef struct Bill:
    u64 cost  # coloured
    int any_cost
    u64 gain  # of given colours
    int free_gain  # of chosen colours
    int give  # of any colours, after the gain


cdef inline void bill_of_tile(const Player* player, const Tile* tile, Bill* bill) noexcept nogil:
    """Face up; what validating it takes is not in it."""
    memset(bill, 0, sizeof(Bill))
    bill.cost = cost_for(player, tile)
    bill.any_cost = tile.any_cost
    if tile.effect == PROSELYTISM:
        if tile.colours:
            bill.gain = tile.number * one(lowest(tile.colours))
        else:
            bill.free_gain = tile.number


cdef inline void bill_of_god(int god, bint paid, Bill* bill) noexcept nogil:
    """`paid`: Death, and it is validated."""
    memset(bill, 0, sizeof(Bill))
    bill.free_gain = LOVE_GAIN if god == LOVE else 0
    bill.give = DEATH_COST if paid else 0


cdef inline u64 removable(const State* state, int cell, const Tile* tile, int other) noexcept nogil:
    """The worshipers on another tile that a volcano taken from `cell` may remove."""
    cdef u64 here = cell_worshipers(state, other)
    cdef const signed char* beside = BESIDE[cell]
    while beside[0] >= 0:
        if beside[0] == 5 * other:
            here += one(tile.colour)  # generated in step 1
        beside += 1
    return here & colour_bytes(tile.colours)


# Fills scratch.result with the realms that can be left over; none when it cannot be paid.
cdef int find_results(Scratch* scratch, u64 realm, const Bill* bill, u32 prune, bint last) except -1 nogil

# Fills scratch.removal with what a volcano from this cell can remove, or only says in scratch.removals how many ways
# there would be.
cdef int find_removals(
    Scratch* scratch, const State* state, int cell, const Tile* tile, bint one_will_do, bint only_count
) except -1 nogil

cdef Scratch* scratch_new() noexcept nogil
cdef void scratch_free(Scratch* scratch) noexcept nogil

cdef u32 without_mirrors(const Player* player, u32 places) noexcept nogil


cdef inline u32 open_places(const Player* player, u32 prune) noexcept nogil:
    """Where a tile may lie, colours apart."""
    cdef u32 places = supported(player)
    return without_mirrors(player, places) if prune & PRUNE_MIRROR else places


# The moves with one cell, or (lane CELLS) with a god; appended to `out`, or only counted when it is NULL.
cdef long long group_moves(
    const Rules* rules, Scratch* scratch, const State* state, u32 prune, int lane, MoveList* out
) except -1 nogil

# Appends all moves to `out`, or only counts them when it is NULL. Returns how many there are.
cdef long long generate_moves(
    const Rules* rules, Scratch* scratch, const State* state, u32 prune, MoveList* out
) except -1 nogil
