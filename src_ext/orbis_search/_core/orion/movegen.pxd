"""Legal moves, packed.

The packed move:

    what     bits 0-4 kind | 5-11 card | 12-14 place | 15-16 player | 17-28 number
    detail   the cards of a system in an order, the lowest first, a byte each: one more than the card's number

`number` is that of an option, a trade, a direction, a cell, a place in the pile from its top, an effect; of a build it is
what is paid, four bits a resource.
"""

from ..common.ints cimport u8, u32, u64
from ..game cimport Move, MoveList
from .cards cimport Effect, Rules
from .state cimport Side, State, Task

cdef enum MoveKind:
    M_BUILD
    M_EXPLOIT
    M_RESEARCH
    M_ACTIVATE
    M_ATTACK
    M_TRADE
    M_PROPAGANDA
    M_DEAL
    M_DISCARD
    M_TAKE
    M_OPTION
    M_EXCHANGE
    M_USE
    M_REORDER
    M_BURY
    M_FILL
    M_TARGET
    M_DONE

cdef enum:
    TRADES = 6


# What a move seems to be worth to the mover.
ctypedef float (*Judge)(const void* asked, u64 what, u64 detail) noexcept nogil


# Where moves go: into a list; or one of them is chosen, each as likely, or the best one; or they are only counted.
cdef struct Sink:
    MoveList* list
    u64* rng
    Judge judge
    const void* asked
    float best
    bint latest  # whatever the judge calls better than nothing takes the place of the one before
    Move chosen
    long long count
    bint enough  # whether there is one is all that is asked
    bint failed  # no memory
    u64 only  # of the cards in the hand, these
    bint no_hand  # nothing that depends on the hand ...
    bint no_others  # ... or only that


cdef inline u64 pack(int kind, int card, int place, int player, int number) noexcept nogil:
    return <u64>kind | <u64>card << 5 | <u64>place << 12 | <u64>player << 15 | <u64>number << 17


cdef inline int kind_of(u64 what) noexcept nogil:
    return <int>(what & 31)


cdef inline int card_of(u64 what) noexcept nogil:
    return <int>(what >> 5 & 127)


cdef inline int place_of(u64 what) noexcept nogil:
    return <int>(what >> 12 & 7)


cdef inline int player_of(u64 what) noexcept nogil:
    return <int>(what >> 15 & 3)


cdef inline int number_of(u64 what) noexcept nogil:
    return <int>(what >> 17 & 0xFFF)


cdef u8 TRADE_GIVES[TRADES]
cdef u8 TRADE_GETS[TRADES]

cdef void sink_open(Sink* sink) noexcept nogil
cdef void list_moves(const Rules* rules, const State* state, Sink* sink) noexcept nogil
cdef bint has_moves(const Rules* rules, const State* state) noexcept nogil
cdef bint is_usable(const Rules* rules, const State* state, int owner, int place, int card, int effect) noexcept nogil
cdef u32 usable_of(const Rules* rules, const State* state, const Task* task) noexcept nogil
cdef bint is_dismissable(const Rules* rules, const Side* side) noexcept nogil
