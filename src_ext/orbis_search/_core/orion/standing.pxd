"""What a standing at the beginning of a round's actions is worth, learned from games: no card is known by its name."""

from ..game cimport Estimate
from .cards cimport Rules
from .state cimport ROUNDS, State

cdef enum:
    FEATURES = 40
    SOURCES = 4  # of points: track, loyalty, structures, effects


# For one number of players, by the round whose actions begin.
cdef struct Standing:
    double weight[ROUNDS + 1][SOURCES][FEATURES]
    double spread[ROUNDS + 1]  # so many points ahead make a victory e times as likely


cdef class StandingWeights:
    cdef Standing raw


cdef void features_of(const Rules* rules, const State* state, int seat, double* out) noexcept nogil
cdef void standing_evaluate(
    const Rules* rules, const Standing* standing, const State* state, Estimate* out
) noexcept nogil
