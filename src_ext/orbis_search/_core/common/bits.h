/* One machine instruction each where the CPU has it. */
#ifndef ORBIS_BITS
#define ORBIS_BITS
#include <stdint.h>
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static inline int orbis_popcount(uint64_t x) { return (int)__popcnt64(x); }
static inline int orbis_lowest(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
#else
static inline int orbis_popcount(uint64_t x) { return __builtin_popcountll(x); }
static inline int orbis_lowest(uint64_t x) { return __builtin_ctzll(x); }
#endif
#ifdef __BMI2__
#include <immintrin.h>
static inline uint64_t orbis_gather(uint64_t x, uint64_t mask) { return _pext_u64(x, mask); }
static inline uint64_t orbis_scatter(uint64_t x, uint64_t mask) { return _pdep_u64(x, mask); }
static inline int orbis_nth(uint64_t mask, int n) { return orbis_lowest(_pdep_u64(1ULL << n, mask)); }
#else
static inline uint64_t orbis_gather(uint64_t x, uint64_t mask) {
    uint64_t out = 0, bit = 1;
    for (; mask; mask &= mask - 1, bit <<= 1)
        if (x & mask & (~mask + 1)) out |= bit;
    return out;
}
static inline uint64_t orbis_scatter(uint64_t x, uint64_t mask) {
    uint64_t out = 0;
    for (; mask; mask &= mask - 1, x >>= 1)
        if (x & 1) out |= mask & (~mask + 1);
    return out;
}
static inline int orbis_nth(uint64_t mask, int n) {
    while (n--) mask &= mask - 1;
    return orbis_lowest(mask);
}
#endif
#endif
