"""A seeded generator small enough to live in a register: one multiply a number.

The state walks a Weyl sequence and each step is hashed by a 64x64 -> 128 bit multiply, folded. The
state is always passed by pointer; whoever owns it owns the seed.
"""

from .ints cimport u32, u64

cdef extern from "common/rng.h":
    u64 fold "orbis_fold"(u64 a, u64 b) noexcept nogil


cdef inline u64 rng_next(u64* rng) noexcept nogil:
    rng[0] += <u64>0x9E3779B97F4A7C15
    return fold(rng[0], rng[0] ^ <u64>0xD6E8FEB86659FD93)


cdef inline u64 rng_seed(u64 seed) noexcept nogil:
    """Spreads small seeds: two neighbouring ones give unrelated walks."""
    cdef u64 x = seed + <u64>0x9E3779B97F4A7C15
    x = (x ^ (x >> 30)) * <u64>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <u64>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline u32 rng_below(u64* rng, u32 n) noexcept nogil:
    """0 .. n-1. The bias is below n / 2**32."""
    return <u32>(((rng_next(rng) >> 32) * n) >> 32)


cdef inline double rng_unit(u64* rng) noexcept nogil:
    return <double>(rng_next(rng) >> 11) * (1.0 / 9007199254740992.0)
