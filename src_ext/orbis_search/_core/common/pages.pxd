"""Memory by the hundred megabytes: zeroed, in large pages where the system has them.

A tree is walked from one end of its memory to the other, and a table looked up at random; with pages of 4 KiB every step
misses the processor's page table, and every new page is a call into the kernel.
"""

cdef extern from "common/pages.h":
    void* pages_new "orbis_pages_new"(size_t size) noexcept nogil  # NULL when there is none
    void pages_free "orbis_pages_free"(void* start, size_t size) noexcept nogil
