"""Nodes by what a player sees: a table of fixed size that only grows, and that several threads use.

    key    of a view and whose it is; 0 while the place is free
    node   its address, 0 until somebody made it

Who adds a key holds the lock. Nothing is ever replaced or taken out.
"""

from libc.string cimport memset

from ..common.atomics cimport get_u64, lock, set_u64, unlock
from ..common.ints cimport u32, u64
from ..common.rng cimport fold

cdef enum:
    PART = 8  # of the memory of a tree that its table takes
    PROBES = 64  # places where a key can be


cdef struct View:
    u64 key
    u32 node
    u32 unused


cdef struct Views:
    u64 places  # a power of two
    u32 lock
    u32 unused
    # the places, behind it


cdef inline size_t views_size(size_t memory) noexcept nogil:
    """Bytes of a table for a tree of so many."""
    cdef size_t places = PROBES
    while 2 * places * sizeof(View) <= memory // PART:
        places *= 2
    return sizeof(Views) + places * sizeof(View)


cdef inline void views_make(Views* views, size_t size) noexcept nogil:
    """In memory of so many bytes, which are zero."""
    memset(views, 0, sizeof(Views))
    views.places = (size - sizeof(Views)) // sizeof(View)


cdef inline u32* view_node(Views* views, u64 view, int who, bint shared) noexcept nogil:
    """Where the address of the view's node stands or is to stand. NULL when there is no room."""
    cdef View* place = <View*>(views + 1)
    cdef u64 key = fold(view ^ <u64>0x9E3779B97F4A7C15, 2 * <u64>who + <u64>0xD6E8FEB86659FD93) | 1
    cdef u64 i, at, found
    cdef bint locked = False
    cdef u32* node = NULL
    for i in range(PROBES):
        at = (key >> 1) + i & views.places - 1
        found = get_u64(&place[at].key)
        if found == 0 and not locked:
            lock(&views.lock, shared)
            locked = True
            found = get_u64(&place[at].key)  # another thread may just have taken the place
        if found == 0:
            set_u64(&place[at].key, key)
            found = key
        if found == key:
            node = &place[at].node
            break
    if locked:
        unlock(&views.lock, shared)
    return node
