"""What can be read off the table: what effects count, prices, strengths, scores."""

from ..common.ints cimport i32, u8
from .cards cimport Effect, Rules
from .state cimport Side, State

cdef int count_of(const Rules* rules, const Side* side, int what) noexcept nogil
cdef int always_sum(const Rules* rules, const Side* side, int kind, bint on_me) noexcept nogil
cdef int discount_of(const Rules* rules, const Side* side, int card, int system) noexcept nogil
cdef bint has_discounts(const Rules* rules, const Side* side) noexcept nogil
cdef u8 keeping_places(const Rules* rules, const Side* side) noexcept nogil
cdef int attack_price(const Rules* rules, const Side* side, const Side* target) noexcept nogil
cdef bint can_attack(const Rules* rules, const State* state, int seat, int other) noexcept nogil
cdef int level_of(const Side* side) noexcept nogil
cdef void points_of(const Rules* rules, const Side* side, i32* out) noexcept nogil
cdef int end_reasons(const Rules* rules, const State* state) noexcept nogil
cdef bint holds(const Rules* rules, const Side* side, const Effect* effect) noexcept nogil
cdef bint can_pay(const Side* side, const Effect* effect) noexcept nogil
