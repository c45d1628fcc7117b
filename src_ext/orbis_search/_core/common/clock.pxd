"""Time, for what has a deadline."""

cdef extern from "common/clock.h":
    double now "orbis_now"() noexcept nogil
