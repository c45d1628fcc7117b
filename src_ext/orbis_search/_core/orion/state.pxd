"""The packed state of a game of Master of Orion.

A bag of cards is a number from 0 to 3 for each of 64 names, as two words of one bit a name:

    name        63 ... 3 2 1 0
    Bag.one      0 ... 0 1 0 1        bit 0 of each number
    Bag.two      0 ... 0 1 1 0        bit 1 of each number: here 1 of name 0, 2 of name 1, 3 of name 2

A side of the table, and where its cards and cubes are:

    place        0  1  2  3  4        5            6
                 systems, founded     advisor      board (no cells)
                 in this order
    system[0]    7 12  3 .. ..        height[0] = 3: card 3 is on top and works
    a, r         bit n = a cube in that cell of the working card in place n

The system that an advisor founded has no entry for the advisor: it is full with four cards.

    State   side[4] | deck | pile | numbers of the table | task[0 .. tasks - 1], the next thing to do last
    Task    kind player owner place card effect target ... | two words: a bag, or the cards of effects that are due

Deck and pile keep the order of the readable position; what comes next from the deck is said by the world (`hidden`).
Everything that moves in a turn has a fixed place: nothing is ever allocated.
"""

from libc.string cimport memchr, memmove

from ..common.bits cimport lowest, popcount
from ..common.ints cimport i8, i16, i32, u8, u16, u32, u64
from .cards cimport COLOURS, MAX_DECK, NO_CARD, Card, Effect, Op, OpList, Rules

cdef enum:
    SIDES = 4
    SYSTEMS = 5
    PLAIN_SYSTEMS = 4  # besides the advisor's
    SYSTEM_SIZE = 5
    ADVISOR_PLACE = 5
    RACE_PLACE = 6
    PLACES = 7
    ANYWHERE = 7
    NO_PLACE = 255
    MAX_TASKS = 80  # a position has at most 64 (orion/game/problems.py); none of their effects adds more than 10
    DEEPEST = 48  # as orion/game/position.py has it
    CUBES = 10
    MOST_RESOURCE = 9
    MOST_LOYALTY = 10
    LOYALTY_SIGN = 6
    ROUNDS = 8
    HAND = 5
    FOOD = 0
    FLEET = 1
    PRODUCTION = 2

cdef enum Phase:
    SETUP
    START
    ACTIONS
    END
    GAME_OVER

cdef enum TaskKind:
    SWAP
    TRIGGER
    APPLY
    RUN
    PICK_OPTION
    PICK_DIRECTION
    DROP
    DRAWING
    PICK_DISCARD
    PICK_BUILD
    PICK_ACTIVATION
    PICK_ORDER
    PICK_VICTIM
    HIRE

# Whose knowledge a state is, for `view`.
cdef enum:
    AS_IT_IS = 254  # nobody guessed
    COMMON = 255  # a guess for what everybody sees; below 4, for one player


cdef struct Bag:
    u64 one
    u64 two


cdef struct Side:
    Bag known  # the hand, in three parts: taken in sight,
    Bag old  # ... in hands at the last reshuffle, when everybody could work out which cards were,
    Bag fresh  # ... and drawn since
    Bag built  # all cards in systems
    i32 loyalty
    i32 vp
    i16 printed  # VP of all cards in systems
    u8 hand  # size
    u8 resource[3]
    u8 available
    u8 reserve
    u8 system[SYSTEMS][SYSTEM_SIZE]
    u8 height[SYSTEMS]
    u8 systems
    u8 founded  # which of them an advisor founded, or NO_PLACE
    u8 advisor
    u8 race
    u8 a
    u8 r
    u8 propaganda
    u8 attacks[SIDES]
    u8 colours[COLOURS]  # of the cards in systems
    u8 income[3]


cdef struct Task:
    u8 kind
    u8 player
    u8 owner  # of the effect it comes from: whose, where, on which card, the which
    u8 place
    u8 card
    u8 effect
    i8 target
    u8 n  # how many
    u8 m  # to discard of those drawn, to keep of those on the pile; when; dropped
    i8 discount
    u8 colour
    u8 flag  # optional, every, among, another
    u16 op  # the first of the ops or of the lists
    u16 count  # of them
    u64 one  # a bag; or cards by place, or numbers, a byte each
    u64 two  # ... and a bit for each effect that is due


cdef struct State:
    Side side[SIDES]
    u8 deck[MAX_DECK]
    u8 pile[MAX_DECK]
    u8 deck_size
    u8 pile_size
    u8 advisors  # on the table, a bit each
    u8 first
    u8 round
    u8 phase
    u8 turn
    u8 tasks
    u8 asker
    u8 looked_at  # hands by which it was decided that there is nothing to decide, a bit each
    u16 draws  # so far
    Task task[MAX_TASKS]


# ---- bags

cdef inline u64 bag_names(const Bag* bag) noexcept nogil:
    return bag.one | bag.two


cdef inline int bag_size(const Bag* bag) noexcept nogil:
    return popcount(bag.one) + 2 * popcount(bag.two)


cdef inline int bag_number(const Bag* bag, int name) noexcept nogil:
    return <int>(bag.one >> name & 1) + 2 * <int>(bag.two >> name & 1)


cdef inline void bag_add(Bag* bag, int name) noexcept nogil:
    cdef u64 bit = <u64>1 << name, carry = bag.one & bit
    bag.one ^= bit
    bag.two ^= carry


cdef inline void bag_take(Bag* bag, int name) noexcept nogil:
    cdef u64 bit = <u64>1 << name, borrow = ~bag.one & bit
    bag.one ^= bit
    bag.two ^= borrow


cdef inline void bag_pour(Bag* bag, Bag* other) noexcept nogil:
    """All of the other into this one; of no name are there more than three."""
    bag.two |= other.two | (bag.one & other.one)
    bag.one ^= other.one
    other.one = other.two = 0


cdef inline u64 hand_names(const Side* side) noexcept nogil:
    return bag_names(&side.known) | bag_names(&side.old) | bag_names(&side.fresh)


# ---- cards in play

cdef inline bint is_full(const Side* side, int system) noexcept nogil:
    return side.height[system] + (side.founded == system) == SYSTEM_SIZE


cdef inline bint can_found(const Side* side) noexcept nogil:
    return side.systems - (side.founded != NO_PLACE) < PLAIN_SYSTEMS


cdef inline int works_at(const Rules* rules, const Side* side, int place) noexcept nogil:
    """The working card in a place, or NO_CARD."""
    if place < SYSTEMS:
        if place < side.systems and side.height[place]:
            return side.system[place][side.height[place] - 1]
        return NO_CARD
    if place == RACE_PLACE:
        return side.race
    if place != ADVISOR_PLACE or side.advisor == NO_CARD:
        return NO_CARD
    if side.founded != NO_PLACE and side.height[side.founded] and not rules.card[side.advisor].works_covered:
        return NO_CARD
    return side.advisor


cdef inline const Effect* effect_of(const Rules* rules, int card, int which) noexcept nogil:
    return &rules.effect[rules.card[card].first_effect + which]


# ---- the stack

cdef inline Task* top_task(State* state) noexcept nogil:
    return &state.task[state.tasks - 1]


cdef inline bint draw_is_due(const State* state) noexcept nogil:
    return state.tasks and state.task[state.tasks - 1].kind == DRAWING


cdef inline int state_to_move(const State* state) noexcept nogil:
    if state.phase == GAME_OVER:
        return -1
    if state.tasks:
        return state.task[state.tasks - 1].player
    return state.turn
