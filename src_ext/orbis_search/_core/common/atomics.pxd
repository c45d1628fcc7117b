"""What threads share: adding, locking and publishing, at no cost where a single thread is at work.

`shared` says whether there is another thread at all.
"""

from .ints cimport u32, u64

cdef extern from *:
    """
    #ifndef ORBIS_ATOMICS
    #define ORBIS_ATOMICS
    #include <stdint.h>
    #include <string.h>
    static inline uint32_t orbis_add(uint32_t *at, uint32_t by, int shared) {
        uint32_t before;
        if (shared)
            return __atomic_fetch_add(at, by, __ATOMIC_RELAXED);
        before = *at;
        *at = before + by;
        return before;
    }
    static inline void orbis_add_double(double *at, double by, int shared) {
        uint64_t before, after;
        double value;
        if (!shared) {
            *at += by;
            return;
        }
        before = __atomic_load_n((uint64_t *)at, __ATOMIC_RELAXED);
        do {
            memcpy(&value, &before, 8);
            value += by;
            memcpy(&after, &value, 8);
        } while (!__atomic_compare_exchange_n((uint64_t *)at, &before, after, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    }
    static inline uint64_t orbis_add_u64(uint64_t *at, uint64_t by) {
        return __atomic_fetch_add(at, by, __ATOMIC_RELAXED);
    }
    static inline int orbis_try_lock(uint32_t *lock, int shared) {
        return !shared || !__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE);
    }
    static inline void orbis_unlock(uint32_t *lock, int shared) {
        if (shared)
            __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    }
    static inline int orbis_put(uint32_t *at, uint32_t value, int shared) {
        uint32_t nothing = 0;
        if (shared)
            return __atomic_compare_exchange_n(at, &nothing, value, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
        *at = value;
        return 1;
    }
    #define ORBIS_GET(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
    #define ORBIS_SET(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
    #define ORBIS_PREFETCH(p) __builtin_prefetch(p)
    #endif
    """
    u32 add "orbis_add"(u32* at, u32 by, bint shared) noexcept nogil  # returns what was there before
    u64 add_u64 "orbis_add_u64"(u64* at, u64 by) noexcept nogil
    void add_double "orbis_add_double"(double* at, double by, bint shared) noexcept nogil
    bint try_lock "orbis_try_lock"(u32* lock, bint shared) noexcept nogil
    void unlock "orbis_unlock"(u32* lock, bint shared) noexcept nogil
    bint put "orbis_put"(u32* at, u32 value, bint shared) noexcept nogil  # where nothing is yet; False if something is
    u32 get "ORBIS_GET"(const u32* at) noexcept nogil  # with all that was written before it was set
    void set_ "ORBIS_SET"(u32* at, u32 value) noexcept nogil
    void set_u64 "ORBIS_SET"(u64* at, u64 value) noexcept nogil
    void prefetch "ORBIS_PREFETCH"(const void* where) noexcept nogil


# Whole words whose order among others does not matter: nothing is torn, and on most CPUs it costs what a plain one does.
cdef extern from *:
    """
    #ifndef ORBIS_PEEK
    #define ORBIS_PEEK(p) __atomic_load_n(p, __ATOMIC_RELAXED)
    #define ORBIS_POKE(p, v) __atomic_store_n(p, v, __ATOMIC_RELAXED)
    #define ORBIS_BUMP(p, by) ORBIS_POKE(p, ORBIS_PEEK(p) + (by))
    #endif
    """
    u64 peek_u64 "ORBIS_PEEK"(const u64* at) noexcept nogil
    void poke_u64 "ORBIS_POKE"(u64* at, u64 value) noexcept nogil
    void bump_u64 "ORBIS_BUMP"(u64* at, u64 by) noexcept nogil  # of a word that only one thread writes
    int peek_int "ORBIS_PEEK"(const int* at) noexcept nogil
    void poke_int "ORBIS_POKE"(int* at, int value) noexcept nogil
    void bump_int "ORBIS_BUMP"(int* at, int by) noexcept nogil
    u64 get_u64 "ORBIS_GET"(const u64* at) noexcept nogil  # with all that was written before it was set
