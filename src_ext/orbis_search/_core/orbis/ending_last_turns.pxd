"""The last turns of a game solved at once: every option against every reply and draw, without a move made."""

from ..common.ints cimport i64

# `finish` of the seam's `Ending`, for positions with nothing to come but the last turn of one player or of each.
cdef int ending_finish(
    const void* rules_, void* scratch, const void* position, bint margin, i64 scale, i64 alpha, i64 beta, i64* value
) except -1 nogil
