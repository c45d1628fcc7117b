"""Bit tricks: one machine instruction each where the CPU has it, plain C elsewhere."""

from .ints cimport u32, u64

cdef extern from "common/bits.h":
    int popcount "orbis_popcount"(u64 x) noexcept nogil
    int lowest "orbis_lowest"(u64 x) noexcept nogil  # index of the lowest set bit; x is not 0
    u64 gather "orbis_gather"(u64 x, u64 mask) noexcept nogil  # the bits under mask, pushed together
    u64 scatter "orbis_scatter"(u64 x, u64 mask) noexcept nogil  # its inverse
    int nth "orbis_nth"(u64 mask, int n) noexcept nogil  # index of the n-th set bit, from 0
