/* Both halves of a product of 128 bits, folded into one word. */
#ifndef ORBIS_RNG
#define ORBIS_RNG
#include <stdint.h>
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static inline uint64_t orbis_fold(uint64_t a, uint64_t b) {
    uint64_t high, low = _umul128(a, b, &high);
    return low ^ high;
}
#else
static inline uint64_t orbis_fold(uint64_t a, uint64_t b) {
    unsigned __int128 p = (unsigned __int128)a * b;
    return (uint64_t)p ^ (uint64_t)(p >> 64);
}
#endif
#endif
