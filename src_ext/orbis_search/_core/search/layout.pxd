"""What a tree is made of, and how it lies in memory.

    node --- segments: groups     a glance finds which of them are there
                       entries    for each group: how often it was there, its weight
                         |
                       blocks     of a group that was played: scores and weights of its moves | tallies | what to do

Walking down is mostly waiting for memory. So what is compared lies together: a group that was never played is judged
by its entry alone and has no block yet, and a block has what is compared in front.

Everything lies in one pool of fixed size, addressed in units of 8 bytes.
"""

from ..common.atomics cimport peek_u64
from ..common.ints cimport u32, u64
from ..game cimport GROUP_SHIFT, MAX_DETAILS, MAX_LANES, MAX_PLAYERS

cdef enum:
    NOWHERE = 0
    BORROWED = 1  # in the lowest bit of the address of a node: it is another's, and shared
    NO_DRAW = 0xFFFFFFFF
    ASKED_GROUP = MAX_LANES << GROUP_SHIFT  # of root moves that somebody asked for and no group has
    LINE = 8  # units in a cache line

# ---- tallies -----------------------------------------------------------------------------------------

# A tally is one word: visits above, the sum of rewards in parts of 4,096 below. In a shared tree it has a stripe for
# each thread, which only that thread writes, and is the sum of them; where there are more threads than stripes, some
# share one. It never overflows: where a stripe has its part of MOST_VISITS nothing more is added.
cdef enum:
    SUM_BITS = 38
    REWARD_UNIT = 1 << 12
    MOST_VISITS = (1 << 26) - (1 << 16)
    MAX_STRIPES = 4


cdef inline u32 visits_of(u64 tally) noexcept nogil:
    return <u32>(tally >> SUM_BITS)


cdef inline double mean_of(u64 tally) noexcept nogil:
    return <double>(tally & ((<u64>1 << SUM_BITS) - 1)) / (<double>REWARD_UNIT * <double>(tally >> SUM_BITS))


cdef inline u64 one_visit(double reward) noexcept nogil:
    return (<u64>1 << SUM_BITS) + <u64>(reward * REWARD_UNIT + 0.5)


cdef inline u64 sum_of(const u64* tally, u32 stripes) noexcept nogil:
    """Of all stripes."""
    cdef u32 i
    cdef u64 sum_ = peek_u64(tally)
    for i in range(1, stripes):
        sum_ += peek_u64(tally + i)
    return sum_


cdef inline u64 tally_scaled(u64 tally, u32 visits) noexcept nogil:
    """The same mean, of so many visits."""
    return (<u64>visits << SUM_BITS) + <u64>(mean_of(tally) * REWARD_UNIT * visits + 0.5) if visits else 0


# ---- nodes, and the groups seen in them --------------------------------------------------------------

cdef struct Node:  # 32 bytes, so that the lowest bits of its address are free; in a shared tree a cache line
    u32 index  # its first segment; NOWHERE while it has few visits
    u32 lock  # held by the thread that adds groups or lets them grow
    # Behind a move of a closed node: a Split for each draw, and a free one; NOWHERE before it was reached often.
    u32 splits
    u32 moves  # that could be played here at the last visit, about
    u32 born  # visits before it got its moves
    u32 varied  # lanes that have seen more than one group; the group of any other was there at every visit since
    u64 tally  # of rewards for the player to move here; its first stripe


# The groups seen in a node: `room` numbers of groups, then as many entries, both in the order in which they came.
cdef struct Segment:  # 16 bytes, the rest behind it
    u32 room  # even, so that all is aligned
    u32 entries
    u32 more  # the next one, for groups that came later
    u32 unused


cdef struct Entry:  # 16 bytes
    u32 block  # NOWHERE while no move of the group was played
    u32 there  # visits to the node in which this group was there; counted only in a lane that has varied
    float weight  # of all children
    float top  # of the heaviest of them, for as long as there is no block


cdef struct Split:  # 16 bytes
    u32 what  # the draw, and one more; 0 while the place is free
    u32 visits
    u32 node
    u32 unused


cdef inline u32* groups_of(Segment* segment) noexcept nogil:
    return <u32*>(segment + 1)


cdef inline Entry* entries_of(Segment* segment) noexcept nogil:
    return <Entry*>(groups_of(segment) + segment.room)


# ---- blocks ------------------------------------------------------------------------------------------

# A block is a Head, then arrays of Score and weight (in whole fours), tally and Way, heaviest child first. It begins a
# cache line. A group's first block counts for all behind it.
cdef struct Head:  # 32 bytes
    u32 children
    u32 tried  # so many of the first of them
    u32 more  # the next block of the group
    u32 extent  # of the group; in its first block, and so the next two
    u32 visits  # times one of its moves was played, about: threads that write at once may count one for two
    u32 grow_at  # visits at which to try to grow
    u32 stats  # of the root's blocks: Stats of each child, all children for one thread after the other
    u32 variants  # they vary moves of blocks before


cdef struct Way:  # 16 bytes: what is done about it
    u64 detail
    u32 what  # every packed move fits in the low half
    u32 node


# A child of a block.
cdef struct Place:
    u32 first  # block of the group
    u32 block  # NOWHERE: none
    u32 child


# ---- root moves --------------------------------------------------------------------------------------

# What the advice needs to know of a root move: sums over the simulations that began with it.
cdef struct Stats:
    double share_squared  # of the player to move
    double reward  # what the search maximises
    double reward_squared
    double level_share  # the mover's share where points were level with the best of the others
    double level  # how often they were
    u32 draw_count
    u32 draws  # an array of Drawn, one for each draw that can follow; NOWHERE before the first visit
    u32 visits
    double sums[MAX_PLAYERS * (2 + MAX_DETAILS)]  # shares of all players, their points, their details; no more is used


cdef struct Drawn:
    double share
    double share_squared
    u32 what
    u32 visits
