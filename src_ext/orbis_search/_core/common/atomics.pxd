"""What threads share: reading, writing, adding, locking and publishing.

Every word that two threads may touch goes through here. On the processors at hand a relaxed load or store is an ordinary
one, so a single thread pays nothing; what would cost it something (adding with a lock on the bus) asks whether it is
`shared` at all.
"""

from .ints cimport u32, u64

cdef extern from *:
    """
    #ifndef ORBIS_ATOMICS
    #define ORBIS_ATOMICS
    #include <stdint.h>
    #include <string.h>
    #define ORBIS_PEEK(p) __atomic_load_n(p, __ATOMIC_RELAXED)
    #define ORBIS_POKE(p, v) __atomic_store_n(p, v, __ATOMIC_RELAXED)
    #define ORBIS_GET(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
    #define ORBIS_SET(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
    #define ORBIS_PREFETCH(p) __builtin_prefetch(p)
    #ifdef _WIN32
    #include <windows.h>
    #define ORBIS_YIELD() SwitchToThread()
    #else
    #include <sched.h>
    #define ORBIS_YIELD() sched_yield()
    #endif
    static inline float orbis_peek_float(const float *at) {
        uint32_t bits = ORBIS_PEEK((const uint32_t *)at);
        float value;
        memcpy(&value, &bits, 4);
        return value;
    }
    static inline void orbis_poke_float(float *at, float value) {
        uint32_t bits;
        memcpy(&bits, &value, 4);
        ORBIS_POKE((uint32_t *)at, bits);
    }
    static inline double orbis_peek_double(const double *at) {
        uint64_t bits = ORBIS_PEEK((const uint64_t *)at);
        double value;
        memcpy(&value, &bits, 8);
        return value;
    }
    static inline void orbis_bump_double(double *at, double by) {
        uint64_t bits;
        double value = orbis_peek_double(at) + by;
        memcpy(&bits, &value, 8);
        ORBIS_POKE((uint64_t *)at, bits);
    }
    #define ORBIS_BUMP(p, by) ORBIS_POKE(p, ORBIS_PEEK(p) + (by))
    static inline uint32_t orbis_add(uint32_t *at, uint32_t by, int shared) {
        uint32_t before;
        if (shared)
            return __atomic_fetch_add(at, by, __ATOMIC_RELAXED);
        before = *at;
        *at = before + by;
        return before;
    }
    static inline uint64_t orbis_add_u64(uint64_t *at, uint64_t by, int shared) {
        uint64_t before;
        if (shared)
            return __atomic_fetch_add(at, by, __ATOMIC_RELAXED);
        before = *at;
        *at = before + by;
        return before;
    }
    static inline int orbis_try_lock(uint32_t *lock, int shared) {
        return !shared || !__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE);
    }
    static inline void orbis_lock(uint32_t *lock, int shared) {
        int tries;
        for (tries = 0; !orbis_try_lock(lock, shared); tries++)
            while (ORBIS_PEEK(lock))
                if (++tries > 64)
                    ORBIS_YIELD();
    }
    static inline void orbis_unlock(uint32_t *lock, int shared) {
        if (shared)
            __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    }
    static inline int orbis_swap(uint32_t *at, uint32_t before, uint32_t after, int shared) {
        if (shared)
            return __atomic_compare_exchange_n(at, &before, after, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
        *at = after;
        return 1;
    }
    #endif
    """
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
