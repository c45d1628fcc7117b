"""What threads share: reading, writing, adding, locking and publishing.

Every word that two threads may touch goes through here. On the processors at hand a relaxed load or store is an ordinary
one, so a single thread pays nothing; what would cost it something (adding with a lock on the bus) asks whether it is
`shared` at all.
"""

from .ints cimport u32, u64

cdef extern from "common/atomics.h":
    u32 peek "ORBIS_PEEK"(const u32* at) noexcept nogil  # whatever is there
    u64 peek_u64 "ORBIS_PEEK"(const u64* at) noexcept nogil
    float peek_float "orbis_peek_float"(const float* at) noexcept nogil
    double peek_double "orbis_peek_double"(const double* at) noexcept nogil
    int peek_int "ORBIS_PEEK"(const int* at) noexcept nogil
    void poke "ORBIS_POKE"(u32* at, u32 value) noexcept nogil
    void poke_u64 "ORBIS_POKE"(u64* at, u64 value) noexcept nogil
    void poke_int "ORBIS_POKE"(int* at, int value) noexcept nogil
    void poke_float "orbis_poke_float"(float* at, float value) noexcept nogil
    # Of a word that only one thread writes, though others may read it.
    void bump "ORBIS_BUMP"(u32* at, u32 by) noexcept nogil
    void bump_u64 "ORBIS_BUMP"(u64* at, u64 by) noexcept nogil
    void bump_int "ORBIS_BUMP"(int* at, int by) noexcept nogil
    void bump_double "orbis_bump_double"(double* at, double by) noexcept nogil
    # Of a word that every thread writes; returns what was there before.
    u32 add "orbis_add"(u32* at, u32 by, bint shared) noexcept nogil
    u64 add_u64 "orbis_add_u64"(u64* at, u64 by, bint shared) noexcept nogil
    bint try_lock "orbis_try_lock"(u32* lock, bint shared) noexcept nogil
    void lock "orbis_lock"(u32* lock, bint shared) noexcept nogil  # for a short while: who waits gives way
    void unlock "orbis_unlock"(u32* lock, bint shared) noexcept nogil
    bint swap "orbis_swap"(u32* at, u32 before, u32 after, bint shared) noexcept nogil  # False if it was not `before`
    u32 get "ORBIS_GET"(const u32* at) noexcept nogil  # with all that was written before it was set
    u64 get_u64 "ORBIS_GET"(const u64* at) noexcept nogil
    void set_ "ORBIS_SET"(u32* at, u32 value) noexcept nogil
    void set_u64 "ORBIS_SET"(u64* at, u64 value) noexcept nogil
    void prefetch "ORBIS_PREFETCH"(const void* where) noexcept nogil
