"""The seam: all that a search knows of a game.

A game is a table of C functions over an opaque state of fixed size. Rules fill the table in, searches
call through it, and neither imports the other.

Life of a turn, as a search sees it:

    to_move -> moves -> apply -> [draws -> draw] -> to_move -> ... -> to_move = OVER -> outcome

`to_move` names whoever decides next. That may be the same player again, or somebody whose turn it is not; no search
assumes an order. One decision is one move: an effect that asks further questions asks them one by one.

After `apply` the state may wait for chance: then `draws` lists what can come, each with a weight, and
`draw` lets one of them happen. With SEVERAL_DRAWS it may then wait again. A draw that is due when the game
is over changes no outcome.

What is hidden. A *world* is one guess at it. `determinize` makes one that fits everything the observer knows, and
otherwise as likely as the rules make it: it fills in the order of the piles, kept in the world, and replaces what the
observer does not see of the state, such as the hands of others. The observer is a player, or NOBODY, who sees only
what everybody sees. `next_draw` says what chance brings in that world. A search determinizes before it looks at
anything else, so what stands in the hidden parts of the state it was given is never seen; and the same seed makes the
same guess, whatever stands there.

Who knows what. `view` is a number for all that a player knows of a state, own cards included. Two states with the same
view are one *information set*: the player cannot tell them apart and must decide alike in both. So a search keeps what
it learns about a decision under the view of the player who decides, and what one player drew in private never
reaches the nodes of another. A view may say less than the player knows, so that a search learns faster, never more;
moves that are not there in all of its worlds are told apart by their groups. `determinize` leaves the observer's view
as it is. A game where everybody sees the same and at most one draw comes between two decisions can do without: then
moves and draws say it all.
"""

from libc.stdlib cimport abort

from .common.checked cimport CHECKED
from .common.ints cimport i32, i64, u16, u32, u64

cdef enum:
    MAX_PLAYERS = 4
    OVER = -1
    NOBODY = -1  # an observer who sees what everybody sees
    WHOLE = 12  # a victory in parts that 2, 3 and 4 winners can share evenly


# What a game is like. A search names those it can deal with and refuses a game that has others.
cdef enum:
    HIDDEN_HANDS = 1  # players see different things: `determinize` may change the state, and there is a `view`
    SEVERAL_DRAWS = 2  # chance may be due again after a draw: there is a `view`
    UNEVEN_DRAWS = 4  # how many draws are to come, or what the weights of one sum to, depends on how it is played


# The game's own packed move. A tree keeps the low 32 bits of `what` and all of `detail`, so `what` stays below 1 << 32.
# The same two numbers are the same move in every world where it is there.
cdef struct Move:
    u64 what
    u64 detail


cdef struct MoveList:
    Move* item
    size_t count
    size_t capacity


cdef struct Draw:
    u32 what
    u32 weight


cdef enum:
    MAX_DRAWS = 128
    MAX_DETAILS = 16


# What a search does with this game unless it is told otherwise.
cdef struct Defaults:
    double margin_scale  # so many points ahead count for half of what any lead can
    int playout_style
    u32 common_every  # where hands are hidden: one of so many simulations starts from what everybody sees, 2 at least


cdef struct Outcome:
    i32 share[MAX_PLAYERS]  # of WHOLE
    i32 points[MAX_PLAYERS]


# What is expected to come of a state, with good play.
cdef struct Estimate:
    double share[MAX_PLAYERS]  # of the victory; together 1
    double points[MAX_PLAYERS]
    double detail[MAX_PLAYERS * MAX_DETAILS]  # as `detail` has them
    double level[MAX_PLAYERS]  # how likely the player ends level on points with the best of the others ...
    double level_share[MAX_PLAYERS]  # ... and the part of the victory that comes from this


# A move that a tree search may try, and how likely it seems to be good: a weight, not yet a probability.
cdef struct Candidate:
    Move move
    float weight


cdef struct CandidateList:
    Candidate* item
    size_t count
    size_t capacity


# A group is a set of moves that is the same in every world in which it is there at all: all that can be
# done with one tile in one place, say. A tree shared between worlds keeps what it knows by group. A
# group is numbered lane << 16 | variety; two groups of one lane are never there together.
cdef enum:
    MAX_LANES = 16
    GROUP_SHIFT = 16
    NO_GROUP = 0xFFFFFFFF

# How much of a group a search asks for.
cdef enum:
    FEW = 0  # the most promising
    MAIN = 1  # one way to play each choice that others would call a different move
    EVERYTHING = 2  # all that a search ever needs


# A set of moves of one position that are tried together: the search first looks at a position that is at least as
# good for the mover as what each of them leads to. When even that is not good enough, none of them is.
cdef enum:
    SINGLE = 0  # one move; applying it is exact

cdef struct Bundle:
    Move move
    i32 order  # the larger, the earlier it is tried
    u16 level  # SINGLE, or how often it can be split
    u16 kind  # below KINDS: what a search remembers of one position for another


cdef enum:
    KINDS = 1 << 13


cdef struct BundleList:
    Bundle* item
    size_t count
    size_t capacity


# What a game may know of its own end, for an exact search; two players only. A *position* is a state with more behind
# it: `to_move`, `draws`, `draw` and `outcome` take it for a state. It may be better for a player than any state of
# the game, where a bundle led to it; its value is then only a bound.
cdef struct Ending:
    size_t size
    void (*open)(const void* rules, const void* state, void* position) noexcept nogil
    # Every move that can be best, in bundles; and the parts of a bundle that is not SINGLE.
    int (*bundles)(const void* rules, void* scratch, const void* position, BundleList* out) except -1 nogil
    int (*split)(
        const void* rules, void* scratch, const void* position, const Bundle* bundle, BundleList* out
    ) except -1 nogil
    # Whether the move is one of the bundle's.
    bint (*holds)(const void* rules, const Bundle* bundle, const Move* move) noexcept nogil
    void (*apply)(const void* rules, void* position, const Bundle* bundle) noexcept nogil
    # Two words; positions with the same ones have the same value. `margin`: the points ahead count, not the victory.
    void (*key)(const void* rules, const void* position, bint margin, u64* out) noexcept nogil
    # The mover's result lies between the two, whatever is played: points ahead, or -1, 0, 1.
    void (*bounds)(const void* rules, const void* position, bint margin, i32* low, i32* high) noexcept nogil
    # Solves a position with so few turns left that it can be done at once, and says 1. The value is for the mover
    # and `scale` times as large; at alpha or below it may be an upper bound, at beta or above a lower one.
    int (*finish)(
        const void* rules, void* scratch, const void* position, bint margin, i64 scale, i64 alpha, i64 beta, i64* value
    ) except -1 nogil


ctypedef bint (*Enough)(void* asker, size_t listed) noexcept nogil


cdef struct Game:
    const void* rules  # the game's own read-only data, handed back to every function
    int players
    u32 features
    Defaults defaults
    size_t state_size
    size_t world_size
    int (*to_move)(const void* rules, const void* state) noexcept nogil
    # Appends to `out`, or only counts when it is NULL; returns how many. `prune` is a set of the game's
    # own pruning rules; 0 asks for every legal move.
    long long (*moves)(
        const void* rules, void* scratch, const void* state, u32 prune, MoveList* out
    ) except -1 nogil
    void (*apply)(const void* rules, void* state, const Move* move) noexcept nogil
    # What chance can bring now, none if it is nobody's turn to wait; only counts when `out` is NULL.
    int (*draws)(const void* rules, const void* state, Draw* out) noexcept nogil
    void (*draw)(const void* rules, void* state, u32 what) noexcept nogil
    void (*determinize)(const void* rules, void* state, int observer, u64* rng, void* world) noexcept nogil
    u32 (*next_draw)(const void* rules, const void* state, const void* world) noexcept nogil
    # Plays to the end; `style` is the game's own, 0 its plainest.
    void (*playout)(const void* rules, void* state, const void* world, u64* rng, int style) noexcept nogil
    # Looks at a state that is not over instead, with knowledge of its own; both NULL for a game that has none. If it
    # can look only at some states, `settle` plays on to the next of those, or to the end; otherwise that is NULL.
    void (*settle)(const void* rules, void* state, const void* world, u64* rng, int style) noexcept nogil
    void (*evaluate)(const void* rules, const void* knowledge, const void* state, Estimate* out) noexcept nogil
    const void* knowledge
    # The group in each of MAX_LANES lanes, NO_GROUP where there is none; returns the set of lanes that have one.
    u32 (*groups)(const void* rules, const void* state, u32* lanes) noexcept nogil
    int (*candidates)(
        const void* rules, void* scratch, const void* state, u32 group, int extent, CandidateList* out
    ) except -1 nogil
    void (*outcome)(const void* rules, const void* state, Outcome* out) noexcept nogil
    # What the points are made of, `details` numbers a player, one player after the other. Only for telling
    # people: no search looks at them. 0 and NULL for a game that has nothing to tell.
    int details
    void (*detail)(const void* rules, const void* state, i32* out) noexcept nogil
    u64 (*key)(const void* rules, const void* state) noexcept nogil
    u64 (*view)(const void* rules, const void* state, int player) noexcept nogil  # or NULL
    void* (*scratch_new)() noexcept nogil  # work space of one thread; NULL when memory is out
    void (*scratch_free)(void* scratch) noexcept nogil
    # Leaves a question with a work space. It is asked now and then while the moves of a turn are worked out, with how
    # many of anything are listed or will be. When the answer is True that ends early, with moves that are of no use.
    void (*scratch_ask)(void* scratch, Enough enough, void* asker) noexcept nogil
    u32 same  # the pruning rules that only leave out what leads to the same as another move, for any number of players
    const Ending* ending  # or NULL


cdef int expect_features(const Game* game, u32 known, str search) except -1
cdef int candidate_list_grow(CandidateList* candidates) except -1 nogil
cdef Bundle* bundle_list_add(BundleList* bundles, u64 what, u64 detail, int level) except NULL nogil
cdef void bundle_list_free(BundleList* bundles) noexcept nogil
cdef int move_list_grow(MoveList* moves, size_t more) except -1 nogil
cdef void move_list_free(MoveList* moves) noexcept nogil


cdef inline int move_list_reserve(MoveList* moves, size_t more) except -1 nogil:
    """Room for `more` moves behind the present ones, or MemoryError: never a list cut short."""
    if moves.count + more > moves.capacity:
        return move_list_grow(moves, more)
    return 0


cdef inline int candidate_list_add(CandidateList* candidates, u64 what, u64 detail, float weight) except -1 nogil:
    cdef Candidate* item
    if CHECKED and what >> 32:
        abort()  # a tree would keep half of it
    if candidates.count == candidates.capacity:
        candidate_list_grow(candidates)
    item = &candidates.item[candidates.count]
    item.move.what = what
    item.move.detail = detail
    item.weight = weight
    candidates.count += 1
    return 0


cdef class GameState:
    """A game and one of its states, as Python hands them to a search."""

    cdef Game game
    cdef object owner  # keeps game.rules and game.knowledge alive
    cdef void* state
    cdef void* world  # a fixed course of chance, or NULL

    cdef GameState copy(self)
