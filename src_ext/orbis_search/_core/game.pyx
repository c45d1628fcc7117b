"""The seam's few functions that are not inline, and its Python-visible handle."""

from libc.stdlib cimport free, realloc
from libc.string cimport memset


cdef int move_list_grow(MoveList* moves, size_t more) except -1 nogil:
    cdef size_t capacity = 2 * moves.capacity if moves.capacity else 256
    while capacity < moves.count + more:
        capacity *= 2
    cdef Move* item = <Move*>realloc(moves.item, capacity * sizeof(Move))
    if item == NULL:
        with gil:
            raise MemoryError(f"no memory for {capacity} moves")
    moves.item = item
    moves.capacity = capacity
    return 0


cdef int candidate_list_grow(CandidateList* candidates) except -1 nogil:
    cdef size_t capacity = 2 * candidates.capacity if candidates.capacity else 256
    cdef Candidate* item = <Candidate*>realloc(candidates.item, capacity * sizeof(Candidate))
    if item == NULL:
        with gil:
            raise MemoryError(f"no memory for {capacity} candidate moves")
    candidates.item = item
    candidates.capacity = capacity
    return 0


cdef Bundle* bundle_list_add(BundleList* bundles, u64 what, u64 detail, int level) except NULL nogil:
    cdef Bundle* item
    cdef size_t capacity
    if bundles.count == bundles.capacity:
        capacity = 2 * bundles.capacity if bundles.capacity else 64
        item = <Bundle*>realloc(bundles.item, capacity * sizeof(Bundle))
        if item == NULL:
            with gil:
                raise MemoryError(f"no memory for {capacity} bundles of moves")
        bundles.item = item
        bundles.capacity = capacity
    item = &bundles.item[bundles.count]
    item.move.what = what
    item.move.detail = detail
    item.order = 0
    item.level = level
    item.kind = 0
    bundles.count += 1
    return item


cdef void bundle_list_free(BundleList* bundles) noexcept nogil:
    free(bundles.item)
    memset(bundles, 0, sizeof(BundleList))


cdef void move_list_free(MoveList* moves) noexcept nogil:
    free(moves.item)
    memset(moves, 0, sizeof(MoveList))


cdef class GameState:
    def __dealloc__(self):
        free(self.state)
        free(self.world)
