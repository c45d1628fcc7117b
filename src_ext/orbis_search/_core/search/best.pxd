"""The best of many choices. What is compared of a move is one word, so that threads read and write it whole."""

from ..common.ints cimport u32, u64

ctypedef u64 Score  # mean below, 1 / (1 + visits) above; UNTRIED before the first result

cdef extern from "search/best.h":
    ctypedef struct Best "orbis_best":
        pass
    void best_clear "orbis_best_clear"(Best* best) noexcept nogil
    void best_add "orbis_best_add"(Best* best, float score, u32 choice) noexcept nogil
    void best_add_scores "orbis_best_add_scores"(
        Best* best, u32 n, const u64* scores, const float* weights, float per_weight, float floor, u32 first
    ) noexcept nogil
    u64 best_of_all "orbis_best_of_all"(const Best* best) noexcept nogil
    Score make_score "orbis_score"(float mean, float part) noexcept nogil
    void set_score "orbis_score_set"(Score* at, Score score) noexcept nogil
    void begin_score "orbis_score_begin"(Score* at, Score score) noexcept nogil  # unless there is one already
    Score UNTRIED "ORBIS_UNTRIED"

cdef enum:
    FOUR = 4  # moves that are compared at a time
    CHILD_BITS = 22  # of what a choice is written with: the number of an entry, then that of a child


cdef inline u32 choice(u32 entry, u32 child) noexcept nogil:
    return <u32>0xFFFFFFFF - (entry << CHILD_BITS | child)


cdef inline u32 chosen_entry(u64 best) noexcept nogil:
    return (<u32>0xFFFFFFFF - <u32>best) >> CHILD_BITS


cdef inline u32 chosen_child(u64 best) noexcept nogil:
    return (<u32>0xFFFFFFFF - <u32>best) & ((1u << CHILD_BITS) - 1)


cdef inline u32 whole_fours(u32 moves) noexcept nogil:
    return (moves + FOUR - 1) & ~<u32>(FOUR - 1)
