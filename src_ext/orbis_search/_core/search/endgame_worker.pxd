"""One thread of the exact solver: what it works with, what it shares with the others, and when it stops."""

from ..common.atomics cimport bump_u64, peek_int
from ..common.clock cimport now
from ..common.ints cimport i64, u32, u64
from ..game cimport KINDS, MAX_DRAWS, BundleList, Ending, Game, MoveList
from .table cimport Table, table_make_room

cdef enum:
    MAX_PLY = 64
    EVERY_RULE = 0xFFFFFFFF  # all of the game's pruning: what a search of two players needs to look at
    LOOK = 63  # nodes between two looks at the clock, less one; must be a mask
    MOST_LISTED = 1 << 21  # moves of one turn, or parts of them; where there are more a search cannot go on

# One bit for each idea that can be switched off alone; `IDEAS` in endgame.pyx has their names.
cdef enum:
    IDEA_TABLE = 1
    IDEA_STAR1 = 2
    IDEA_SHARES = 4
    IDEA_SCOUT = 8
    IDEA_BUNDLES = 16
    IDEA_BOUNDS = 32
    IDEA_FINISH = 64
    IDEA_ORDER = 128
    EVERY_IDEA = 255


# What all threads share.
cdef struct Shared:
    Game game
    const Ending* ending
    bint margin
    u32 ideas
    Table table
    int threads
    int draws  # that can still come
    i64 scale[MAX_DRAWS + 1]
    i64 most  # the largest value of a game's end
    size_t size  # of a position
    int stop  # any thread tells all others by it


cdef struct Level:
    void* waiting  # after a move, before the draw
    void* position
    BundleList bundles[3]
    MoveList moves


cdef struct Worker:
    Shared* shared
    void* scratch
    Level level[MAX_PLY]
    u64 nodes  # others look at it while this one counts
    u64 noted  # in the table
    u64 limit
    double deadline
    bint stopped
    bint full  # because there was too much to list
    const int* watched  # the version of what others may be working on too; when it changes this one stops ...
    int version  # ... and it was this
    bint backwards  # visits draws in the other order, so that two threads meet in the middle
    int fault
    u32 history[2][KINDS]


cdef enum:
    FAULT_SCALE = 1
    FAULT_DEPTH = 2


cdef inline i64 below_all() noexcept nogil:
    """Less than any value."""
    return -(<i64>1 << 62)


cdef inline void make_room(Worker* w) noexcept nogil:
    """To be called for each entry in the table. All threads note about as many."""
    w.noted += 1
    table_make_room(&w.shared.table, w.noted * w.shared.threads)


cdef inline void count(Worker* w) noexcept nogil:
    bump_u64(&w.nodes, 1)


cdef inline bint has_news(const Worker* w) noexcept nogil:
    """Whether another thread has learned something of what this one works on."""
    return w.watched != NULL and peek_int(w.watched) != w.version


cdef inline bint out_of_time(Worker* w) noexcept nogil:
    if w.stopped:
        return True
    if w.nodes >= w.limit or peek_int(&w.shared.stop) or has_news(w):
        w.stopped = True
    elif w.nodes & LOOK == 0 and now() > w.deadline:
        w.stopped = True
    return w.stopped


cdef inline bint enough(void* worker, size_t listed) noexcept nogil:
    """Asked while a turn with many moves is worked out: what `out_of_time` is to nodes, this is to moves."""
    cdef Worker* w = <Worker*>worker
    if listed > MOST_LISTED:
        w.full = w.stopped = True
    elif peek_int(&w.shared.stop) or now() > w.deadline:
        w.stopped = True
    return w.stopped
