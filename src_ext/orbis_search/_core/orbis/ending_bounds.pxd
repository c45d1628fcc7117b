"""What can still be reached: between which bounds a game must end, whatever is played."""

from ..common.ints cimport i32

# `bounds` of the seam's `Ending`.
cdef void ending_bounds(const void* rules_, const void* position, bint margin, i32* low, i32* high) noexcept nogil
