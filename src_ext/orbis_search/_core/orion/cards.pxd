"""The cards of one game as numbers: what is printed on them, and the effects as lists of things to do.

Only what is in play has a number, so any card set fits:

    0 ... 63     structures, in the order of the set; copies have the number of their name
    64 ... 68    the advisors on the table and in hands at the beginning, in the order of their ids
    69 ... 72    the boards, one for each seat

Effects are numbered through: those of a card follow each other, and so do the things to do (`Op`) of an effect, of an
option, and of what opponents have to do. So a pending rest of an effect is a number and a length.
"""

from ..common.ints cimport i8, i16, i32, u8, u16, u32, u64

cdef enum:
    MAX_NAMES = 64
    MAX_ADVISORS = 5
    FIRST_ADVISOR = MAX_NAMES
    FIRST_RACE = MAX_NAMES + MAX_ADVISORS
    MAX_CARDS = FIRST_RACE + 4  # names of all kinds
    MAX_DECK = 120
    NO_CARD = 255
    COLOURS = 4
    NO_COLOUR = 4
    MOST_EFFECTS = 3  # of a card

cdef enum When:
    ACTIVATION
    AFTER_BUILDING
    AFTER_ATTACK
    AFTER_ATTACKED
    START_OF_ROUND
    ALWAYS
    END_OF_GAME

cdef enum Cell:
    NO_CELL
    CELL_A
    CELL_R

cdef enum OpKind:
    GAIN
    CHOOSE
    DRAW
    DISCARD
    EXCHANGE
    TAKE_DISCARD
    BUILD
    ACTIVATE
    GAIN_COVERED
    REORDER
    DISCOUNT
    ATTACK_BONUS
    DEFENCE_BONUS
    ATTACK_COST
    KEEP_CUBE
    FILL_R
    OPPONENTS
    BURY
    FILL_CELL
    DISMISS_ADVISOR
    SCORE

cdef enum Who:
    TARGET
    EACH
    CHOSEN

# What effects count: colours (all own cards), working colours, and these.
cdef enum Count:
    OF_COLOUR = 0
    OF_WORKING_COLOUR = 4
    OF_WORKING = 8
    OF_SYSTEMS = 9
    OF_FULL_SYSTEMS = 10
    OF_HAND = 11
    OF_ATTACKS = 12
    OF_LOYALTY = 13
    OF_RESOURCE = 14
    OF_PAIRS = 17
    OF_SETS = 18
    OF_NOTHING = 255


cdef struct Op:
    u8 kind
    u8 who
    u8 flag  # this system, other, every, on me, theirs
    u8 per  # what is counted
    u8 every
    i8 n  # number of cards, points, a discount, the top of the pile
    i8 m  # cards to discard or to keep
    u8 filters  # builds, each with a colour
    u8 colour[3]  # of each, NO_COLOUR for any; of a discount the first
    i8 gain[3]  # resources; the left side of an exchange
    i8 right[3]
    i8 vp
    i8 loyalty
    i8 cubes
    i8 covered[COLOURS][3]
    u8 lists  # options to choose from
    u16 first_list  # or what opponents have to do


# What something is worth to a policy: goods, in sixths of a production, and points.
cdef struct Worth:
    float goods
    float points


cdef struct OpList:
    u16 first
    u16 count


cdef struct Effect:
    u8 when
    u8 cell
    bint sign  # loyalty
    bint may
    bint only_builds
    u8 pay[3]
    u8 pay_vp
    u8 pay_cubes
    u8 pay_cards
    u8 count  # the condition: at least so many
    u8 least
    OpList ops
    Worth once  # of using it once


# What a level of mobilization brings.
cdef struct Line:
    u8 cubes
    i8 loyalty
    u8 draw


cdef struct Exploit:
    u8 gain[3]
    u8 draw
    u8 discard


cdef struct Card:
    u8 colour
    u8 copies
    u8 cost[3]
    u8 income[3]
    u8 vp
    bint sign
    bint founds
    bint permanent
    bint works_covered
    bint has_a
    bint has_r
    bint discounts  # one of its effects is a discount
    u8 effects
    u8 activation  # the which of its effects, or MOST_EFFECTS
    u8 whens  # bit set
    u16 first_effect
    # of a board
    u8 research
    Line level[3]
    Exploit exploit[COLOURS]
    u8 trade[3]
    # for a policy
    float income_worth  # of a round's income
    float cost_worth
    Worth works  # in each round in which it works
    Worth after  # once it is built


cdef struct Rules:
    Card card[MAX_CARDS]
    Effect* effect
    Op* op
    OpList* list
    int effects
    int ops
    int lists
    u64 of_colour[COLOURS]  # bit sets of names
    u64 scoring  # structures with an effect at the end of the game
    int players
    int names
    int advisors
    int cards  # in the deck, with copies
    int most_attacks  # on one opponent in a round
    int least_systems  # for the end by full systems
    bint at_once  # the deck is refilled as soon as it is empty
    bint peeks  # a twin that cheats, for tests: guesses leave all hands as they are ...
    bint foresees  # ... and draws come as they will in this course of chance
    u64 course
