"""The rules at work: what a move and a draw do to the state."""

from ..game cimport Move
from .cards cimport Rules
from .state cimport State

cdef void until_something_is_due(const Rules* rules, State* state) noexcept nogil
cdef void state_apply(const Rules* rules, State* state, const Move* move) noexcept nogil
cdef void state_draw(const Rules* rules, State* state, int card) noexcept nogil
cdef const char* state_fault(const Rules* rules, const State* state) noexcept nogil
