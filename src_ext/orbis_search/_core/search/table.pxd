"""The table of positions seen before, shared by all threads of a solver without a lock.

It begins small and grows as it fills. Memory that is used for the first time is dear, and dearest when several threads
do so at once: a search that is soon done never pays for a table that it does not need. To grow, the part in use
is copied behind itself until the larger part is full. The place of a key in the larger part differs from the one in
the smaller by a multiple of the smaller one's size, so every entry is found again.

An entry's `check` is the second word of its key mixed with all that it holds. One that two threads wrote at once, or
that was copied while it was written, fits no key; unless both wrote of the same position, and then all that either of
them wrote is true. So entries are read and written word by word, each word whole and in any order.
"""

from libc.string cimport memcpy

from ..common.atomics cimport get_u64, peek_u64, poke_u64, set_u64, try_lock, unlock
from ..common.ints cimport i64, u32, u64
from ..common.pages cimport pages_free, pages_new
from ..common.rng cimport fold
from ..game cimport MAX_PLAYERS

cdef enum:
    FEWEST_ENTRIES = 1 << 14
    GROWTH = 4
    CROWDED = 2  # entries for each one noted, or it grows


# Of two players: bounds. Two entries fill a line of the cache.
cdef struct Entry:
    u64 check
    i64 low
    i64 high
    u64 what  # the best move known


# Of three and four players: only exact values.
cdef struct WideEntry:
    u64 check
    i64 value[MAX_PLAYERS]


cdef struct Table:
    char* first
    size_t bytes  # of an entry
    u64 entries  # in use; a power of two
    u64 most  # that there is memory for
    u32 growing  # a lock


cdef inline bint table_open(Table* table, size_t bytes, size_t memory) noexcept nogil:
    """False when there is no such memory."""
    table.bytes = bytes
    table.most = 2
    while table.most * 2 * bytes <= memory:
        table.most *= 2
    table.entries = min(table.most, <u64>FEWEST_ENTRIES)
    table.first = <char*>pages_new(table.most * bytes)
    return table.first != NULL


cdef inline void table_close(Table* table) noexcept nogil:
    pages_free(table.first, table.most * table.bytes)


cdef inline void copy_words(u64* to, const u64* of, u64 words) noexcept nogil:
    """While other threads read and write there."""
    cdef u64 k
    for k in range(words):
        poke_u64(&to[k], peek_u64(&of[k]))


cdef inline void table_make_room(Table* table, u64 noted) noexcept nogil:
    """To be called now and then by every thread, with about how many entries all of them have noted in all."""
    cdef u64 entries = get_u64(&table.entries), larger = min(table.most, entries * GROWTH), at
    cdef u64 words = entries * table.bytes // sizeof(u64)
    if noted * CROWDED <= entries or larger == entries or not try_lock(&table.growing, True):
        return
    if entries == get_u64(&table.entries):  # or another thread has just done it
        at = entries
        while at < larger:
            copy_words(<u64*>(table.first + at * table.bytes), <const u64*>table.first, words)
            at += entries
        set_u64(&table.entries, larger)
    unlock(&table.growing, True)


# ---- two players -----------------------------------------------------------------------------------

cdef inline Entry* entry_of(Table* table, const u64* key) noexcept nogil:
    """The first of the pair that the key belongs to."""
    return <Entry*>table.first + 2 * (key[0] & (get_u64(&table.entries) // 2 - 1))


cdef inline u64 checked(const Entry* entry) noexcept nogil:
    return <u64>entry.low ^ (<u64>entry.high * 3) ^ entry.what * 5


cdef inline void read_entry(const Entry* entry, Entry* out) noexcept nogil:
    out.check = peek_u64(&entry.check)
    out.low = <i64>peek_u64(<const u64*>&entry.low)
    out.high = <i64>peek_u64(<const u64*>&entry.high)
    out.what = peek_u64(&entry.what)


cdef inline bint recall(Table* table, const u64* key, Entry* out) noexcept nogil:
    cdef Entry* entry = entry_of(table, key)
    cdef int i
    for i in range(2):
        read_entry(&entry[i], out)
        if out.check == key[1] ^ checked(out):
            return True
    return False


cdef inline void note(Table* table, const u64* key, i64 low, i64 high, u64 what, bint deep) noexcept nogil:
    """The first of a pair keeps what took long, and before that anything; the second whatever came last."""
    cdef Entry* entry = entry_of(table, key)
    cdef Entry old
    cdef Entry new
    read_entry(entry, &old)
    if not deep and old.check and old.check ^ checked(&old) != key[1]:
        entry += 1
    new.low, new.high, new.what = low, high, what
    poke_u64(&entry.check, key[1] ^ checked(&new))
    poke_u64(<u64*>&entry.low, <u64>low)
    poke_u64(<u64*>&entry.high, <u64>high)
    poke_u64(&entry.what, what)


# ---- three and four --------------------------------------------------------------------------------

cdef inline WideEntry* wide_entry_of(Table* table, u64 key) noexcept nogil:
    return <WideEntry*>table.first + (fold(key, <u64>0x9E3779B97F4A7C15) & (get_u64(&table.entries) - 1))


cdef inline u64 wide_checked(const WideEntry* entry) noexcept nogil:
    cdef int i
    cdef u64 check = 0
    for i in range(MAX_PLAYERS):
        check = check * 3 ^ <u64>entry.value[i]
    return check


cdef inline bint recall_wide(Table* table, u64 key, i64* value) noexcept nogil:
    cdef WideEntry entry
    copy_words(<u64*>&entry, <const u64*>wide_entry_of(table, key), sizeof(WideEntry) // sizeof(u64))
    if entry.check != key ^ wide_checked(&entry):
        return False
    memcpy(value, entry.value, sizeof(entry.value))
    return True


cdef inline void note_wide(Table* table, u64 key, const i64* value) noexcept nogil:
    cdef WideEntry entry
    memcpy(entry.value, value, sizeof(entry.value))
    entry.check = key ^ wide_checked(&entry)
    copy_words(<u64*>wide_entry_of(table, key), <const u64*>&entry, sizeof(WideEntry) // sizeof(u64))
