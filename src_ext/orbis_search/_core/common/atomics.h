/* Words that several threads read and write. See atomics.pxd. */
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
