"""Exact fractions in lowest terms. What computes with them says False when the result does not fit."""

from ..common.ints cimport i64

cdef extern from "search/ratio.h":
    ctypedef struct Ratio "orbis_ratio":
        i64 above
        i64 below
    int compare "orbis_compare"(const Ratio* a, const Ratio* b) noexcept nogil
    bint add_times "orbis_add_times"(Ratio* total, const Ratio* part, i64 times) noexcept nogil
    bint divide "orbis_divide"(Ratio* value, i64 by) noexcept nogil
