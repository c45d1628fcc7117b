"""What moves seem to be worth, at a glance: for playouts, for the weights of the tree, and for the sensible player."""

from ..common.ints cimport i32, u8, u32, u64
from ..game cimport Move
from .cards cimport Rules
from .hidden cimport World
from .state cimport State


cdef enum:
    MOST_LOOKED_AT = 12


# Who looks at a decision, and what things are worth to that player now.
cdef struct Look:
    const Rules* rules
    const State* state
    u64* rng  # for noise, or NULL
    int seat
    float left  # rounds after this one
    float point
    float rate  # of goods
    float card
    float noise
    int cards  # of the hand, looked at
    u8 name[MOST_LOOKED_AT]
    float profit[MOST_LOOKED_AT]
    float best_now  # profit of a build


# How games are played to their end.
cdef enum:
    RANDOM = 0
    QUICK = 1  # the best at a glance, with some noise
    SENSIBLE = 2  # the best by what it leads to: slow


cdef void policy_prepare(Rules* rules) noexcept nogil
cdef void look_at(Look* look, const Rules* rules, const State* state) noexcept nogil
cdef void look_from(Look* look, const Rules* rules, const State* state, int seat) noexcept nogil
cdef float judge(const void* asked, u64 what, u64 detail) noexcept nogil
cdef double lead_of(const Rules* rules, const State* state, int seat) noexcept nogil
cdef void choose(const Rules* rules, const State* state, u64* rng, int style, float noise, Move* out) noexcept nogil
cdef i32 play_out(const Rules* rules, State* state, const World* world, u64* rng, int style) noexcept nogil
cdef i32 play_through(
    const Rules* rules, State* state, const World* world, u64* rng, int style, int last
) noexcept nogil
