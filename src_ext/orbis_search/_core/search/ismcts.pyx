"""Information-set Monte Carlo tree search, for any game behind the seam.

Every simulation shuffles what is hidden into a world of its own, walks down the tree in that world, plays on
to the end and adds the result to the moves it came through. What is drawn after a move lies open before the next
decision. So a node comes in two kinds:

    open      stands for the moves that led to it, whatever was drawn between them. What can be played there differs from
              world to world; it is kept by group (see `game`), each with the number of times it was there, and a
              move competes only for those.
    closed    stands for the moves and the draws. The root is closed. Behind a move of a closed node stands an open
              one, shared between the draws; a draw that came often gets a closed one of its own, which begins with
              what the shared one knows, taken for a few visits, and goes its own way from there. Below, it goes on with the
              nodes of the shared one, until one of its own moves was played often too: then that gets a copy.

So where there are few simulations all draws learn together, and where there are many every decision knows what was drawn,
as in the game. No plan can ever lean on the order of the piles.

A game with a `view` (see `game`) has one kind of node instead: that of a view. Every decision is looked up under what the
player who decides can see, whatever way led there, and knows exactly that. Where hands are hidden there are two kinds of
simulation in turns, so that nobody learns from cards that only somebody else sees:

    own       a world that fits what the player at the root knows. Only that player learns; the others play as often as they
              did in simulations in common.
    common    a world that fits what everybody knows, with any cards in the hand at the root. All learn, each under the own
              view. So the others meet every hand that the player at the root could have, not only the real one.

    node --- segments: groups     a glance finds which of them are there
                       entries    for each group: how often it was there, its weight
                         |
                       blocks     of a group that was played: scores and weights of its moves | tallies | what to do

Selection is PUCT with a floor: mean reward so far, plus a share of what is still to be explored by the move's weight, plus
one that is the same for every move and grows with the visits, not with their root: in the end a move is looked at as
often as it is close to the best, whatever its weight. A group starts with a few moves and grows when it is visited
often: first to one way to play each choice, then to every way that the game's pruning leaves.

Walking down is mostly waiting for memory. So what is compared lies together: a group that was never played is judged
by its entry alone and has no block yet, and a block has what is compared in front.

Everything lies in one pool of fixed size, addressed in units of 8 bytes. When it is full the search goes on in the
tree it has.

Threads. Nothing in a tree is ever moved or replaced: segments and blocks that grow get another one behind them. So
whoever holds a place in the tree can add to it for ever, and no result is lost. A visit and its reward are added as one
word, and what is compared follows from that word alone and is written as one. Of the moves of a block those tried are the
first so many: one number says which is next. Nothing has to agree with anything written apart from it.
"""

from typing import NamedTuple

from libc.math cimport log, sqrt
from libc.stdlib cimport bsearch, free, malloc, qsort
from libc.string cimport memcpy, memset

from ..common.atomics cimport (
    add, add_u64, bump, bump_double, bump_u64, get, lock, peek, peek_double, peek_float, peek_u64, poke, poke_float, poke_u64,
    prefetch, set_, swap, try_lock, unlock,
)
from ..common.bits cimport lowest, popcount
from ..common.ints cimport i32, i64, u32, u64
from ..common.pages cimport pages_free, pages_new
from ..common.rng cimport rng_below, rng_seed
from ..game cimport (
    EVERYTHING, FEW, GROUP_SHIFT, HIDDEN_HANDS, MAIN, MAX_DETAILS, MAX_DRAWS, MAX_LANES, MAX_PLAYERS, NO_GROUP, NOBODY,
    OVER, SEVERAL_DRAWS, UNEVEN_DRAWS, WHOLE, Candidate, CandidateList, Defaults, Draw, Ending, Game, GameState,
    Move, Outcome, candidate_list_add, expect_features,
)

from .views cimport Views, view_node, views_make, views_size

cdef enum:
    MAX_PATH = 128
    INSERTION_MOST = 48  # candidates up to which sorting by insertion is quicker
    NOWHERE = 0
    BORROWED = 1  # in the lowest bit of the address of a node: it is another's, and shared
    NEVER = 0xFFFFFFFF
    NO_DRAW = 0xFFFFFFFF
    CHILD_BITS = 22  # of what a choice is written with: the number of an entry, then that of a child
    MAX_ASKED = 64
    ASKED_GROUP = MAX_LANES << GROUP_SHIFT  # of root moves that somebody asked for and no group has
    MAX_THERE = MAX_LANES + 2  # one a lane, what was asked for, and one that is written down and does not count
    LINE = 8  # units in a cache line
    NODE_UNITS = 4
    FOUR = 4  # moves that are compared at a time
    CHUNK = 1 << 13  # units that a thread takes at a time from the pool, at most
    APART = 128  # bytes between what two threads write: a line, and the next one, which is often fetched with it
    BUSY = 256  # visits to a move from which on threads meet there all the time
    BATCH = 64  # simulations whose results a thread keeps back there before it writes them down, at most ...
    BATCH_PART = 64  # ... and one of so many that it has done: what is kept back is not known when choosing
    MAX_PENDING = MAX_PATH * 8
    PENDING_SLOTS = 512
    MAX_SEEN = 4 * MAX_PATH * MAX_THERE
    VARIANTS = 8  # as many ideas' floors all variants of a group's moves share

# A tally is one word: visits above, the sum of rewards in parts of 4,096 below. It never overflows: where there are
# MOST_VISITS nothing more is added.
cdef enum:
    SUM_BITS = 38
    REWARD_UNIT = 1 << 12
    MOST_VISITS = (1 << 26) - (1 << 16)


cdef inline u32 visits_of(u64 tally) noexcept nogil:
    return <u32>(tally >> SUM_BITS)


cdef inline double mean_of(u64 tally) noexcept nogil:
    return <double>(tally & ((<u64>1 << SUM_BITS) - 1)) / (<double>REWARD_UNIT * <double>(tally >> SUM_BITS))


cdef inline u64 one_visit(double reward) noexcept nogil:
    return (<u64>1 << SUM_BITS) + <u64>(reward * REWARD_UNIT + 0.5)


cdef inline u64 tally_add(u64* tally, u64 more, bint shared) noexcept nogil:
    """Adds another tally; returns both together."""
    if visits_of(peek_u64(tally)) >= MOST_VISITS:
        return peek_u64(tally)
    return add_u64(tally, more, shared) + more


cdef inline u64 tally_scaled(u64 tally, u32 visits) noexcept nogil:
    """The same mean, of so many visits."""
    return (<u64>visits << SUM_BITS) + <u64>(mean_of(tally) * REWARD_UNIT * visits + 0.5) if visits else 0


cdef struct Node:  # 32 bytes, so that the lowest bits of its address are free
    u64 tally  # of rewards for the player to move here
    u32 index  # its first segment; NOWHERE while it has few visits
    u32 lock  # held by the thread that adds groups or lets them grow
    u32 splits  # behind a move of a closed node: a Split for each draw, and a free one; NOWHERE before it was reached often
    u32 moves  # that could be played here at the last visit, about
    u32 born  # visits before it got its moves
    u32 varied  # lanes that have seen more than one group; the group of any other was there at every visit since


# The groups seen in a node: `room` numbers of groups, then as many entries, both in the order in which they came.
cdef struct Segment:  # 16 bytes, the rest behind it
    u32 room  # even, so that all is aligned
    u32 entries
    u32 more  # the next one, for groups that came later
    u32 unused


cdef struct Entry:  # 16 bytes
    u32 block  # NOWHERE while no move of the group was played
    u32 there  # visits to the node in which this group was there; counted only in a lane that has varied
    float weight  # of all children
    float top  # of the heaviest of them, for as long as there is no block


cdef struct Split:  # 16 bytes
    u32 what  # the draw, and one more; 0 while the place is free
    u32 visits
    u32 node
    u32 unused


# A block is a Head, then arrays of Score and weight (in whole fours), tally and Way, heaviest child first. It begins a
# cache line. A group's first block counts for all behind it.
cdef struct Head:  # 32 bytes
    u32 children
    u32 tried  # so many of the first of them
    u32 more  # the next block of the group
    u32 extent  # of the group; in its first block, and so the next two
    u32 visits  # times one of its moves was played
    u32 grow_at  # visits at which to try to grow
    u32 stats  # of the root's blocks: Stats of each child, all children for one thread after the other
    u32 variants  # they vary moves of blocks before


ctypedef u64 Score  # what is compared, in one word: mean below, 1 / (1 + visits) above; UNTRIED before the first result


cdef struct Way:  # 16 bytes: what is done about it
    u64 detail
    u32 what  # every packed move fits in the low half
    u32 node


# What the advice needs to know of a root move: sums over the simulations that began with it.
cdef struct Stats:
    double share_squared  # of the player to move
    double reward  # what the search maximises
    double reward_squared
    double level_share  # the mover's share where points were level with the best of the others
    u32 level  # how often they were
    u32 draw_count
    u32 draws  # an array of Drawn, one for each draw that can follow; NOWHERE before the first visit
    u32 visits
    double sums[MAX_PLAYERS * (2 + MAX_DETAILS)]  # shares of all players, their points, their details; no more is used


cdef struct Drawn:
    double share
    double share_squared
    u32 what
    u32 visits


# What a thread has taken of the pool and not yet used.
cdef struct Chunk:
    u64 at
    u64 end


# A child of a block.
cdef struct Place:
    u32 first  # block of the group
    u32 block  # NOWHERE: none
    u32 child


cdef struct Step:
    Node* node
    Place place
    int who
    bint busy_node  # other threads come here all the time too ...
    bint busy  # ... and play this move


# Results that are not written down yet: of a node, or of a move.
cdef struct Pending:
    Node* node
    Place place
    u64 tally


cdef struct Settings:  # orbis_search/search/settings.py says what each means
    double exploration
    double breadth
    double win_part
    double spite_part
    double margin_scale
    double first_play
    u32 expand_after
    u32 grow_main
    u32 grow_everything
    u32 split_after
    u32 inherit
    int playout_style
    bint finish
    bint plain


cdef Settings settings_of(given, const Defaults* defaults) except *:
    cdef Settings settings
    settings.exploration = given.exploration
    settings.breadth = given.breadth
    settings.win_part = given.win_part
    settings.spite_part = given.spite_part
    settings.margin_scale = defaults.margin_scale if given.margin_scale is None else given.margin_scale
    settings.first_play = given.first_play
    settings.expand_after = given.expand_after
    settings.grow_main = given.grow_main
    settings.grow_everything = given.grow_everything
    settings.split_after = 0 if given.plain else given.split_after
    settings.inherit = given.inherit
    settings.playout_style = defaults.playout_style if given.playout_style is None else given.playout_style
    settings.finish = given.finish and not given.plain
    settings.plain = given.plain
    return settings


class RootMove(NamedTuple):
    """What one tree knows of a root move. Sums are over its visits, so that those of several trees add up."""

    what: int
    detail: int
    visits: int
    weight: float
    reward: float  # what the search maximises
    reward_squared: float
    shares: tuple[float, ...]  # of the victory, by player
    share_squared: float  # of the player to move
    points: tuple[float, ...]  # by player
    details: tuple[tuple[float, ...], ...]  # by player, the game's own
    level: int  # simulations that ended with the mover level on points with the best of the others
    level_share: float  # the mover's share in those
    draws: list[tuple[int, int, float, float]]  # what came next: draw, visits, mover's share, its squares

    @property
    def mean_reward(self):
        return self.reward / self.visits if self.visits else 0.0


cdef int by_weight(const void* a, const void* b) noexcept nogil:
    """Heaviest first; then by what the move is, so that the order never depends on the sort."""
    cdef const Candidate* x = <const Candidate*>a
    cdef const Candidate* y = <const Candidate*>b
    if x.weight != y.weight:
        return -1 if x.weight > y.weight else 1
    return by_move(a, b)


cdef int by_move(const void* a, const void* b) noexcept nogil:
    cdef const Candidate* x = <const Candidate*>a
    cdef const Candidate* y = <const Candidate*>b
    if x.move.what != y.move.what:
        return -1 if x.move.what < y.move.what else 1
    if x.move.detail != y.move.detail:
        return -1 if x.move.detail < y.move.detail else 1
    return 0


cdef inline void sort_by_weight(Candidate* item, size_t n) noexcept nogil:
    cdef Candidate moved
    cdef size_t i, k
    if n > INSERTION_MOST:
        qsort(item, n, sizeof(Candidate), by_weight)
        return
    for i in range(1, n):
        moved = item[i]
        k = i
        while k > 0 and by_weight(&moved, &item[k - 1]) < 0:
            item[k] = item[k - 1]
            k -= 1
        item[k] = moved


cdef extern from *:
    """
    /* Choices compared as whole numbers: the bits of a score that is not negative stand in the order of the scores;
       below them the entry and the child, so written that of equals the first is the larger. No branch depends on
       what is compared, and the moves of a block are compared four at a time. */
    #include <stdint.h>
    #include <string.h>
    #ifdef __AVX2__
    #include <immintrin.h>
    #endif
    typedef struct {
        int64_t one;
    #ifdef __AVX2__
        __m256i four;
    #endif
    } orbis_best;

    static inline void orbis_best_clear(orbis_best *best) {
        best->one = 0;
    #ifdef __AVX2__
        best->four = _mm256_setzero_si256();
    #endif
    }
    static inline int64_t orbis_best_key(float score, uint32_t choice) {
        uint32_t bits;
        memcpy(&bits, &score, 4);
        return (int64_t)((uint64_t)bits << 32 | choice);
    }
    static inline void orbis_best_add(orbis_best *best, float score, uint32_t choice) {
        const int64_t key = orbis_best_key(score > 0 ? score : 0, choice);
        best->one = key > best->one ? key : best->one;
    }
    /* The first n moves of a block. Behind them, up to whole fours, stand untried ones or none, whose mean is negative
       and whose keys are so too. */
    static inline void orbis_best_add_scores(
            orbis_best *best, uint32_t n, const uint64_t *scores, const float *weights, float per_weight, float floor,
            uint32_t first) {
        uint32_t i;
    #ifdef __AVX2__
        const __m256 each = _mm256_set1_ps(per_weight), least = _mm256_set1_ps(floor);
        __m256i choice = _mm256_sub_epi64(_mm256_set1_epi64x(first), _mm256_set_epi64x(3, 2, 1, 0));
        for (i = 0; i < n; i += 4) {
            const __m256i both = _mm256_set_epi64x(
                (int64_t)__atomic_load_n(scores + i + 3, __ATOMIC_RELAXED),
                (int64_t)__atomic_load_n(scores + i + 2, __ATOMIC_RELAXED),
                (int64_t)__atomic_load_n(scores + i + 1, __ATOMIC_RELAXED),
                (int64_t)__atomic_load_n(scores + i, __ATOMIC_RELAXED));
            const __m256 mean = _mm256_castsi256_ps(both);
            const __m256 part = _mm256_castsi256_ps(_mm256_srli_epi64(both, 32));
            const __m256 weight = _mm256_castsi256_ps(
                _mm256_cvtepu32_epi64(_mm_castps_si128(_mm_loadu_ps(weights + i))));
            const __m256 score = _mm256_add_ps(
                mean, _mm256_mul_ps(part, _mm256_add_ps(_mm256_mul_ps(each, weight), least)));
            const __m256i key = _mm256_or_si256(_mm256_slli_epi64(_mm256_castps_si256(score), 32), choice);
            best->four = _mm256_blendv_epi8(best->four, key, _mm256_cmpgt_epi64(key, best->four));
            choice = _mm256_sub_epi64(choice, _mm256_set1_epi64x(4));
        }
    #else
        for (i = 0; i < n; i++) {
            const uint64_t both = __atomic_load_n(scores + i, __ATOMIC_RELAXED);
            const uint32_t low = (uint32_t)both, high = (uint32_t)(both >> 32);
            float mean, part;
            int64_t key;
            memcpy(&mean, &low, 4);
            memcpy(&part, &high, 4);
            key = orbis_best_key(mean + part * (per_weight * weights[i] + floor), first - i);
            best->one = key > best->one ? key : best->one;
        }
    #endif
    }
    static inline uint64_t orbis_best_of_all(const orbis_best *best) {
        int64_t key = best->one;
    #ifdef __AVX2__
        int64_t four[4];
        int i;
        _mm256_storeu_si256((__m256i *)four, best->four);
        for (i = 0; i < 4; i++) key = four[i] > key ? four[i] : key;
    #endif
        return (uint64_t)key;
    }
    static inline uint64_t orbis_score(float mean, float part) {
        uint32_t low, high;
        memcpy(&low, &mean, 4);
        memcpy(&high, &part, 4);
        return (uint64_t)high << 32 | low;
    }
    """
    ctypedef struct Best "orbis_best":
        pass
    void best_clear "orbis_best_clear"(Best* best) noexcept nogil
    void best_add "orbis_best_add"(Best* best, float score, u32 choice) noexcept nogil
    void best_add_scores "orbis_best_add_scores"(
        Best* best, u32 n, const u64* scores, const float* weights, float per_weight, float floor, u32 first) noexcept nogil
    u64 best_of_all "orbis_best_of_all"(const Best* best) noexcept nogil
    u64 make_score "orbis_score"(float mean, float part) noexcept nogil

cdef Score UNTRIED = make_score(-1, 0)
cdef i64 SCALE = <i64>1 << 40  # of values that `finish` finds


cdef inline u32 choice(u32 entry, u32 child) noexcept nogil:
    return <u32>0xFFFFFFFF - (entry << CHILD_BITS | child)


cdef inline u32 chosen_entry(u64 best) noexcept nogil:
    return (<u32>0xFFFFFFFF - <u32>best) >> CHILD_BITS


cdef inline u32 chosen_child(u64 best) noexcept nogil:
    return (<u32>0xFFFFFFFF - <u32>best) & ((1u << CHILD_BITS) - 1)


cdef inline u32 whole_fours(u32 moves) noexcept nogil:
    return (moves + FOUR - 1) & ~<u32>(FOUR - 1)


cdef inline u32* groups_of(Segment* segment) noexcept nogil:
    return <u32*>(segment + 1)


cdef inline Entry* entries_of(Segment* segment) noexcept nogil:
    return <Entry*>(groups_of(segment) + segment.room)


cdef class Pool:
    """The memory of a tree, or of several that grow the same one in threads of their own."""

    cdef u64* item
    cdef u64 used  # units of 8 bytes
    cdef u64 units
    cdef u64 chunk  # units that are taken at a time
    cdef u32 full  # no room left; the search goes on without growing

    def __cinit__(self, size_t size):
        self.units = max(min(size // 8, <size_t>0xFFFFFFF0), <size_t>LINE)
        self.item = <u64*>pages_new(self.units * 8)
        if self.item == NULL:
            raise MemoryError(f"no memory for a tree of {size} bytes")
        self.used = LINE  # address 0 is nowhere
        self.chunk = max(min(self.units // 256, <u64>CHUNK), <u64>LINE) // LINE * LINE

    def __dealloc__(self):
        pages_free(self.item, self.units * 8)

    cdef u64 take(self, u64 units, bint shared) noexcept nogil:
        """Whole cache lines for so many units, zeroed: nothing is ever given back. NOWHERE when the pool is full."""
        cdef u64 at
        units = (units + LINE - 1) // LINE * LINE
        if peek_u64(&self.used) + units > self.units:
            return NOWHERE
        at = add_u64(&self.used, units, shared)
        return at if at + units <= self.units else <u64>NOWHERE


cdef class Tree:
    """One search tree from one root, for one thread. Several threads either have each their own, or each a fork
    of one, which shares its nodes; `threads` says of how many it will be one.

    In a shared tree every line of memory that one thread writes has to be fetched by the others. So of the busiest moves,
    which all of them play, a thread writes down the results of several simulations at a time (never of others, or it would
    play in a row what it means to try once), and the sums behind a root move are kept by thread. Who adds to a node holds its lock; the others do with what is there.
    """

    cdef Game game
    cdef GameState root
    cdef Settings settings
    cdef void* scratch
    cdef char* work  # all of the next, each at the beginning of a cache line
    cdef char* start  # the root's state
    cdef void* state
    cdef void* world
    cdef void* position  # for `finish`
    cdef Pool memory
    cdef u64* pool  # its items
    cdef Chunk small  # for nodes and segments
    cdef Chunk lines  # for blocks
    cdef bint shared
    cdef bint finishes  # the game can solve its last turns
    cdef int observer  # who moves at the root
    cdef bint hidden  # hands are
    cdef int learner  # the only player who learns from this simulation, or NOBODY: all do
    cdef int root_depth  # the step of this simulation that is the root's, 1; or 0: it begins with other cards
    cdef Views* views  # where nodes are found by view; NULL if moves and draws lead to them
    cdef u32 thread, threads  # which of how many
    cdef u32 first  # the root's node
    cdef size_t stats_size
    cdef u64 rng
    cdef CandidateList candidates
    cdef u64 done  # simulations
    cdef readonly u64 nodes
    cdef u64 path_sum
    cdef readonly int deepest
    cdef Place asked[MAX_ASKED]  # the root moves that alone are played, in turns; none: the search decides
    cdef int asked_count
    cdef u64 asked_turn
    cdef double calm  # what exploration is multiplied by while they are
    cdef Stats* first_stats  # of the root move of this simulation
    cdef u32 first_draw  # and the index of what chance brought after it
    cdef int draw_count  # how many draws there were to choose from
    cdef Pending pending[MAX_PENDING]
    cdef unsigned short pending_slot[PENDING_SLOTS]  # one more than the last of them with this hash
    cdef int pending_count
    cdef int pending_simulations
    cdef u32* seen[MAX_SEEN]  # what counts how often a group was there, once for each time that is not written down yet
    cdef int seen_count
    cdef char nothing[APART]

    def __cinit__(
        self, GameState root, settings, u64 seed=0, size_t pool_bytes=64 << 20, u32 threads=1, u32 thread=0,
        Tree fork_of=None,
    ):
        cdef size_t place
        expect_features(
            &root.game, UNEVEN_DRAWS if root.game.view == NULL else HIDDEN_HANDS | SEVERAL_DRAWS | UNEVEN_DRAWS,
            "tree search",
        )
        self.root = root
        self.game = root.game
        self.settings = settings_of(settings, &root.game.defaults) if fork_of is None else fork_of.settings
        self.threads = threads
        self.thread = thread
        self.shared = threads > 1
        self.calm = 1
        self.stats_size = sizeof(Stats) - sizeof(double) * (
            MAX_PLAYERS * (2 + MAX_DETAILS) - self.game.players * (2 + self.game.details)
        )
        memset(&self.candidates, 0, sizeof(self.candidates))
        self.rng = rng_seed(seed)
        self.scratch = self.game.scratch_new()
        self.observer = self.game.to_move(self.game.rules, root.state)
        self.hidden = self.game.features & HIDDEN_HANDS != 0
        self.learner = NOBODY
        self.root_depth = 1
        self.finishes = self.settings.finish and self.game.ending != NULL and self.game.players == 2 and not self.hidden
        place = (self.game.state_size + APART - 1) // APART * APART
        self.work = <char*>malloc(
            2 * place + self.game.world_size + 4 * APART + (self.game.ending.size if self.finishes else 0)
        )
        if self.scratch == NULL or self.work == NULL:
            raise MemoryError()
        self.start = self.work + APART + (-<size_t>self.work & (APART - 1))
        self.state = self.start + place
        self.world = self.start + 2 * place
        self.position = <char*>self.world + (self.game.world_size + APART - 1) // APART * APART
        memcpy(self.start, root.state, self.game.state_size)
        if fork_of is not None:
            self.memory = fork_of.memory
            self.pool = self.memory.item
            self.first = fork_of.first
            self.views = fork_of.views
        else:
            self.memory = Pool(pool_bytes)
            self.pool = self.memory.item
            self.first = self.take(sizeof(Node))
            if self.first == NOWHERE:
                raise MemoryError("the pool is too small for a root")
            if self.game.view != NULL:
                self.open_views()

    def __dealloc__(self):
        if self.scratch != NULL:
            self.game.scratch_free(self.scratch)
        free(self.work)
        free(self.candidates.item)

    def fork(self, u64 seed, u32 thread):
        """Another tree that grows this one, in a thread of its own."""
        if not 0 < thread < self.threads:
            raise ValueError(f"expected a thread from 1 to {self.threads - 1}, got {thread}")
        return Tree(self.root, None, seed, threads=self.threads, thread=thread, fork_of=self)

    # ---- the pool ---------------------------------------------------------------------------------------

    cdef u32 take(self, size_t size) noexcept nogil:
        """Room for so many bytes, zeroed, or NOWHERE when the pool is full. The address is even."""
        return self.take_from(&self.small, (size + 15) // 16 * 2)

    cdef u32 take_from(self, Chunk* chunk, u64 units) noexcept nogil:
        cdef u64 at
        if units > self.memory.chunk // 8:
            at = self.memory.take(units, self.shared)
        else:
            if chunk.at + units > chunk.end:
                chunk.at = self.memory.take(self.memory.chunk, self.shared)
                chunk.end = chunk.at + self.memory.chunk if chunk.at else 0
            at = chunk.at
            if at:
                chunk.at += units
        if at == NOWHERE and not peek(&self.memory.full):  # other threads read this all the time: written once
            poke(&self.memory.full, True)
        return <u32>at

    cdef u32 take_block(self, u32 children) noexcept nogil:
        cdef u32 i, fours = whole_fours(children)
        cdef u64 units = (
            sizeof(Head) + <size_t>fours * (sizeof(Score) + sizeof(float)) + <size_t>children * (sizeof(u64) + sizeof(Way))
        ) // 8
        cdef u32 at = self.take_from(&self.lines, (units + LINE - 1) // LINE * LINE)
        if at:
            self.head(at).children = children
            for i in range(fours):
                self.scores(at)[i] = UNTRIED
        return at

    cdef inline Node* node(self, u32 at) noexcept nogil:
        return <Node*>(self.pool + (at & ~<u32>BORROWED))

    cdef inline Segment* segment(self, u32 at) noexcept nogil:
        return <Segment*>(self.pool + at)

    cdef inline Split* splits(self, u32 at) noexcept nogil:
        return <Split*>(self.pool + at)

    cdef inline Head* head(self, u32 block) noexcept nogil:
        return <Head*>(self.pool + block)

    cdef inline Score* scores(self, u32 block) noexcept nogil:
        return <Score*>(self.head(block) + 1)

    cdef inline float* weights(self, u32 block) noexcept nogil:
        return <float*>(self.scores(block) + whole_fours(self.head(block).children))

    cdef inline u64* tallies(self, u32 block) noexcept nogil:
        return <u64*>(self.weights(block) + whole_fours(self.head(block).children))

    cdef inline Way* ways(self, u32 block) noexcept nogil:
        return <Way*>(self.tallies(block) + self.head(block).children)

    cdef inline Stats* stats(self, u32 block, u32 i, u32 thread) noexcept nogil:
        """Of a root move."""
        return <Stats*>(
            <char*>(self.pool + self.head(block).stats)
            + (<u64>thread * self.head(block).children + i) * self.stats_size
        )

    cdef inline Drawn* drawn(self, u32 at) noexcept nogil:
        return <Drawn*>(self.pool + at)

    # ---- views -------------------------------------------------------------------------------------------

    cdef int open_views(self) except -1:
        """Also makes sure that the game keeps what it promises of views."""
        cdef Game* game = &self.game
        cdef u64 rng = 0, seen
        cdef size_t size = views_size(self.memory.units * 8)
        if self.observer == OVER:
            return 0
        if game.draws(game.rules, self.start, NULL):
            raise ValueError("expected a decision at the root, found a draw that is due")
        seen = game.view(game.rules, self.start, self.observer)
        memcpy(self.state, self.start, game.state_size)
        game.determinize(game.rules, self.state, self.observer, &rng, self.world)
        if game.view(game.rules, self.state, self.observer) != seen:
            raise ValueError("expected a guess at what is hidden, found one that changes what the player sees")
        self.views = <Views*>(self.pool + self.memory.take(size // 8, False))
        if <u64*>self.views == self.pool:
            raise MemoryError("the pool is too small for views")
        views_make(self.views, size)
        return 0

    cdef Node* seen_node(self) noexcept nogil:
        """After all that chance brings: the node of what the player to move sees. NULL if nobody is, or without room."""
        cdef Game* game = &self.game
        cdef u32* slot
        cdef u32 at
        cdef int who
        while game.draws(game.rules, self.state, NULL):
            game.draw(game.rules, self.state, game.next_draw(game.rules, self.state, self.world))
        who = game.to_move(game.rules, self.state)
        if who == OVER:
            return NULL
        slot = view_node(self.views, game.view(game.rules, self.state, who), who, self.shared)
        if slot == NULL:
            if not peek(&self.memory.full):
                poke(&self.memory.full, True)
            return NULL
        at = get(slot)
        if at == NOWHERE:
            at = self.take(sizeof(Node))
            if at == NOWHERE:
                return NULL
            self.nodes += swap(slot, NOWHERE, at, self.shared)
            at = get(slot)
        return self.node(at)

    cdef bint play_as_usual(self, Node* node) noexcept nogil:
        """Plays any of the moves here that are there in this world, each as often as it was played so far; False if none
        was yet."""
        cdef u32 lanes[MAX_LANES + 1]
        cdef Entry* there[MAX_THERE]
        cdef u32 groups[MAX_THERE]
        cdef u32 missing = 0, block, i, visits, total = 0, chosen = 0
        cdef int found, k, sweep
        cdef const Way* way
        cdef Move move
        self.game.groups(self.game.rules, self.state, lanes)
        lanes[MAX_LANES] = NO_GROUP
        found = self.find_present(get(&node.index), lanes, there, groups, &missing)
        for sweep in range(2):  # counts, then chooses
            for k in range(found):
                block = get(&there[k].block)
                while block != NOWHERE:
                    for i in range(get(&self.head(block).tried)):
                        visits = visits_of(peek_u64(&self.tallies(block)[i]))
                        if sweep == 0:
                            total += visits
                        elif chosen < visits:
                            way = &self.ways(block)[i]
                            move.what = way.what
                            move.detail = way.detail
                            self.game.apply(self.game.rules, self.state, &move)
                            return True
                        else:
                            chosen -= visits
                    block = get(&self.head(block).more)
            if total == 0:
                return False
            if sweep == 0:
                chosen = rng_below(&self.rng, total)
        return False  # other threads were quicker than the count

    # ---- growing -----------------------------------------------------------------------------------------

    cdef u32 make_block(self, u32 extent, bint at_root) noexcept nogil:
        """A block of the candidates, heaviest first; NOWHERE when the pool is full."""
        cdef CandidateList* found = &self.candidates
        cdef u32 i, n = <u32>found.count, block = self.take_block(n)
        cdef Head* head = self.head(block)
        cdef Way* way
        cdef float* weight
        if block == NOWHERE:
            return NOWHERE
        head.extent = extent
        head.grow_at = self.growing_at(extent)
        if at_root:
            head.stats = self.take(<size_t>self.threads * n * self.stats_size)
            if head.stats == NOWHERE:
                return NOWHERE
        sort_by_weight(found.item, n)
        way = self.ways(block)
        weight = self.weights(block)
        for i in range(n):
            way[i].what = <u32>found.item[i].move.what
            way[i].detail = found.item[i].move.detail
            weight[i] = found.item[i].weight
        return block

    cdef inline u32 growing_at(self, u32 extent) noexcept nogil:
        """Visits to a group at which it is tried to get more moves than it has."""
        if extent == EVERYTHING:
            return NEVER
        return self.settings.grow_main if extent == FEW else 8 * self.settings.grow_everything

    cdef float candidate_weights(self) noexcept nogil:
        cdef float sum_ = 0
        cdef size_t i
        for i in range(self.candidates.count):
            sum_ += self.candidates.item[i].weight
        return sum_

    cdef void drop_known(self, u32 first) noexcept nogil:
        """Leaves only the candidates that no block from `first` on has."""
        cdef CandidateList* found = &self.candidates
        cdef Candidate known
        cdef Candidate* same
        cdef u32 child
        cdef size_t i, kept = 0
        if first == NOWHERE:
            return
        qsort(found.item, found.count, sizeof(Candidate), by_move)
        while first != NOWHERE:
            for child in range(self.head(first).children):
                known.move.what = self.ways(first)[child].what
                known.move.detail = self.ways(first)[child].detail
                same = <Candidate*>bsearch(&known, found.item, found.count, sizeof(Candidate), by_move)
                if same != NULL:
                    same.weight = -1
            first = get(&self.head(first).more)
        for i in range(found.count):
            if found.item[i].weight >= 0:
                found.item[kept] = found.item[i]
                kept += 1
        found.count = kept

    cdef Place place_of(self, u32 first, u32 what, u64 detail) noexcept nogil:
        """Of a move in a group's blocks."""
        cdef Place place
        cdef const Way* way
        place.first = first
        place.block = first
        while place.block != NOWHERE:
            way = self.ways(place.block)
            for place.child in range(self.head(place.block).children):
                if way[place.child].what == what and way[place.child].detail == detail:
                    return place
            place.block = get(&self.head(place.block).more)
        return place

    cdef Entry* enter(self, Node* node, u32 group, int expected) noexcept nogil:
        """A new entry behind the others of the node, where `expected` are to come; NULL when the pool is full. The node is
        locked. Others see it once `Segment.entries` counts it."""
        cdef u32* last = &node.index
        cdef u32 at = node.index, room, n = 0
        cdef Segment* segment = NULL
        while at != NOWHERE:
            segment = self.segment(at)
            n += segment.entries
            last = &segment.more
            at = segment.more
        if segment == NULL or segment.entries == segment.room:
            room = <u32>(expected + (expected & 1)) if n == 0 else (n // 2 + 4) & ~1u
            at = self.take(sizeof(Segment) + room * (sizeof(u32) + sizeof(Entry)))
            if at == NOWHERE:
                return NULL
            segment = self.segment(at)
            segment.room = room
            if n == 0:
                poke(&node.born, visits_of(peek_u64(&node.tally)))
            groups_of(segment)[0] = group
            set_(last, at)
        else:
            groups_of(segment)[segment.entries] = group
        return &entries_of(segment)[segment.entries]

    cdef void entered(self, Node* node) noexcept nogil:
        """The entry just made counts from now on."""
        cdef Segment* segment = self.segment(node.index)
        while segment.more != NOWHERE:
            segment = self.segment(segment.more)
        set_(&segment.entries, segment.entries + 1)

    cdef int add_groups(self, Node* node, const u32* lanes, u32 there, u32 missing, bint at_root) except -1 nogil:
        """Entries for the groups of those lanes that are `missing`, of all that are `there`; the node is locked. At the
        root, and in a plain search, with all their moves; else only with what these weigh."""
        cdef bint eager = at_root or self.settings.plain, is_first = node.index == NOWHERE
        cdef Entry* entry
        cdef u32 group
        cdef size_t i
        cdef float top
        while missing:
            group = lanes[lowest(missing)]
            missing &= missing - 1
            self.find(group, MAIN if eager else FEW)
            entry = self.enter(node, group, popcount(there))
            if entry == NULL:
                break
            poke_float(&entry.weight, self.candidate_weights())
            if eager:
                entry.block = self.make_block(MAIN, at_root)
                if entry.block == NOWHERE:
                    break
            else:
                top = 0
                for i in range(self.candidates.count):
                    top = max(top, self.candidates.item[i].weight)
                entry.top = top
            if not is_first:
                self.vary(node, group >> GROUP_SHIFT)
            self.entered(node)
        return 0

    cdef void vary(self, Node* node, u32 lane) noexcept nogil:
        """From now on it is counted how often each group of the lane is there."""
        cdef u32 i, at = node.index
        cdef Segment* segment
        if node.varied >> lane & 1:
            return
        while at != NOWHERE:
            segment = self.segment(at)
            for i in range(segment.entries):
                if groups_of(segment)[i] >> GROUP_SHIFT == lane:
                    poke(&entries_of(segment)[i].there, visits_of(peek_u64(&node.tally)) - node.born)
            at = segment.more
        poke(&node.varied, node.varied | <u32>1 << lane)

    cdef int find(self, u32 group, u32 extent) except -1 nogil:
        """The group's moves, into `candidates`."""
        self.candidates.count = 0
        self.game.candidates(self.game.rules, self.scratch, self.state, group, extent, &self.candidates)
        return 0

    cdef inline bint lock_to_grow(self, Node* node, Head* head) noexcept nogil:
        """False when another thread is at it. Nobody goes on for long without what it is going to bring."""
        if peek(&head.visits) // 2 < peek(&head.grow_at):
            return try_lock(&node.lock, self.shared)
        lock(&node.lock, self.shared)
        return True

    cdef int grow(self, Entry* entry, u32 group, bint at_root) except -1 nogil:
        """Another block behind those of the group, or a try at it later; the node is locked."""
        cdef u32 first = entry.block, last = first, block
        cdef Head* head = self.head(first)
        cdef u32 extent = head.extent + 1, due = head.grow_at
        cdef size_t most
        # By the visits at which it was due, not by those that other threads made meanwhile.
        while due <= peek(&head.visits) // 2:
            due *= 2
        self.find(group, extent)
        self.drop_known(first)
        if at_root:
            self.drop_known(self.asked_block())
        # Everything can be thousands: the heaviest, as many as there are visits to go round; more with more visits.
        if extent == EVERYTHING:
            most = max(FOUR, due // self.settings.grow_everything)
            if self.candidates.count > most:
                qsort(self.candidates.item, self.candidates.count, sizeof(Candidate), by_weight)
                self.candidates.count = most
                extent = MAIN
        if self.candidates.count:
            block = self.make_block(extent, at_root)
            if block == NOWHERE:
                poke(&head.grow_at, NEVER)
                return 0
            self.head(block).variants = head.extent == MAIN
            while self.head(last).more != NOWHERE:
                last = self.head(last).more
            set_(&self.head(last).more, block)
            poke_float(&entry.weight, entry.weight + self.candidate_weights())
        set_(&head.extent, extent)
        poke(&head.grow_at, max(self.growing_at(extent), 2 * due) if extent != EVERYTHING else <u32>NEVER)
        return 0

    cdef bint first_block(self, Node* node, Entry* entry, u32 group) except -1 nogil:
        """The block of a group that is played for the first time; False when the pool is full."""
        lock(&node.lock, self.shared)
        if entry.block == NOWHERE and not peek(&self.memory.full):
            self.find(group, FEW)
            set_(&entry.block, self.make_block(FEW, False))
        unlock(&node.lock, self.shared)
        return get(&entry.block) != NOWHERE

    cdef u32 asked_block(self) noexcept nogil:
        """The first block of root moves that somebody asked for, or NOWHERE."""
        cdef u32 i, at = get(&self.node(self.first).index)
        cdef Segment* segment
        while at != NOWHERE:
            segment = self.segment(at)
            for i in range(get(&segment.entries)):
                if groups_of(segment)[i] == ASKED_GROUP:
                    return get(&entries_of(segment)[i].block)
            at = get(&segment.more)
        return NOWHERE

    # ---- copies ------------------------------------------------------------------------------------------

    cdef u32 copy_node(self, Node* source, bint only_there) noexcept nogil:
        """A node that begins with what another knows, taken for few visits; with all its groups, or only those that are
        there now. NOWHERE when the pool is full."""
        cdef u32 lanes[MAX_LANES + 1]
        cdef u32 node_at, i, n = 0, room, group, visits = 0, at = get(&source.index), segment_at
        cdef u64 tally = peek_u64(&source.tally)
        cdef u32 known = visits_of(tally)
        cdef Segment* segment
        cdef Segment* copy
        cdef Entry* entry
        cdef Entry* new
        cdef Node* node
        if at == NOWHERE or known == 0:
            return NOWHERE
        self.game.groups(self.game.rules, self.state, lanes)
        room = 0
        segment_at = at
        while segment_at != NOWHERE:
            room += get(&self.segment(segment_at).entries)
            segment_at = get(&self.segment(segment_at).more)
        if only_there:
            room = min(room, <u32>MAX_LANES)
        room += room & 1
        node_at = self.take(sizeof(Node))
        segment_at = self.take(sizeof(Segment) + room * (sizeof(u32) + sizeof(Entry)))
        if node_at == NOWHERE or segment_at == NOWHERE:
            return NOWHERE
        node = self.node(node_at)
        copy = self.segment(segment_at)
        copy.room = room
        while at != NOWHERE:
            segment = self.segment(at)
            for i in range(get(&segment.entries)):
                group = groups_of(segment)[i]
                if n == room or (only_there and lanes[group >> GROUP_SHIFT] != group):
                    continue
                entry = &entries_of(segment)[i]
                new = &entries_of(copy)[n]
                groups_of(copy)[n] = group
                new.weight = peek_float(&entry.weight)
                new.top = entry.top
                new.there = peek(&entry.there)
                if not self.copy_blocks(get(&entry.block), known, new, &visits):
                    return NOWHERE
                n += 1
            at = get(&segment.more)
        copy.entries = n
        node.index = segment_at
        node.moves = peek(&source.moves)
        node.tally = tally_scaled(tally, visits)
        if not only_there:
            node.varied = peek(&source.varied)
            for i in range(n):
                new = &entries_of(copy)[i]
                new.there = <u32>(<double>new.there * visits / known)
        return node_at

    cdef bint copy_blocks(self, u32 block, u32 known, Entry* entry, u32* visits) noexcept nogil:
        """All blocks of a group; False when the pool is full."""
        cdef u32 i, n, copy, extent, last = NOWHERE
        cdef u64 tally
        cdef Head* head
        while block != NOWHERE:
            head = self.head(block)
            copy = self.take_block(head.children)
            if copy == NOWHERE:
                return False
            memcpy(self.weights(copy), self.weights(block), head.children * sizeof(float))
            extent = get(&head.extent)  # before the blocks that made it so
            self.head(copy).extent = extent
            self.head(copy).variants = head.variants
            self.head(copy).grow_at = self.growing_at(extent)
            for i in range(head.children):
                self.ways(copy)[i].what = self.ways(block)[i].what
                self.ways(copy)[i].detail = self.ways(block)[i].detail
                n = get(&self.ways(block)[i].node)
                self.ways(copy)[i].node = n | BORROWED if n else NOWHERE
            for i in range(get(&head.tried)):
                tally = peek_u64(&self.tallies(block)[i])
                n = visits_of(tally)
                if n == 0:
                    break  # another thread is about to bring its first result
                n = min(n, self.settings.inherit + <u32>(<double>n * 8 * self.settings.inherit / known))
                tally = tally_scaled(tally, n)
                self.tallies(copy)[i] = tally
                self.rate(copy, i, tally)
                self.head(copy).tried = i + 1
                visits[0] += n
            if last == NOWHERE:
                entry.block = copy
            else:
                self.head(last).more = copy
            last = copy
            block = get(&head.more)
        return True

    cdef Node* behind(self, Way* way, u64 tally, u32 drew, bint* closed) noexcept nogil:
        """The node that a move of a closed one and a draw lead to, and whether that is a closed one too. The way has a
        node."""
        cdef u32 at = get(&way.node), copy, splits, i, what
        cdef Node* node
        cdef Split* split
        closed[0] = False
        if self.settings.split_after == 0:
            return self.node(at)
        # Another's node, until this way was taken often.
        if at & BORROWED:
            if visits_of(tally) < self.settings.split_after or peek(&self.memory.full):
                return self.node(at)
            copy = self.copy_node(self.node(at), False)
            if copy == NOWHERE:
                return self.node(at)
            swap(&way.node, at, copy, self.shared)
            at = get(&way.node)
        node = self.node(at)
        if drew == NO_DRAW:
            closed[0] = True
            return node
        # That of the draw, if it came often.
        splits = get(&node.splits)
        if splits == NOWHERE:
            if visits_of(peek_u64(&node.tally)) < self.settings.split_after or peek(&self.memory.full):
                return node
            splits = self.take((self.draw_count + 1) * sizeof(Split))
            if splits == NOWHERE:
                return node
            swap(&node.splits, NOWHERE, splits, self.shared)
            splits = get(&node.splits)
        split = self.splits(splits)
        for i in range(<u32>self.draw_count):
            what = peek(&split[i].what)
            if what == 0 and swap(&split[i].what, 0, drew + 1, self.shared):
                what = drew + 1
            if what == 0:
                what = peek(&split[i].what)
            if what == drew + 1:
                split = &split[i]
                break
        else:
            return node
        at = get(&split.node)
        if at == NOWHERE:
            if add(&split.visits, 1, self.shared) < self.settings.split_after or peek(&self.memory.full):
                return node
            at = self.copy_node(node, True)
            if at == NOWHERE:
                return node
            swap(&split.node, NOWHERE, at, self.shared)
            at = get(&split.node)
        closed[0] = True
        return self.node(at)

    # ---- one simulation ----------------------------------------------------------------------------------

    cdef int simulate(self) except -1 nogil:
        cdef Game* game = &self.game
        cdef const Settings* settings = &self.settings
        cdef Step path[MAX_PATH]
        cdef u32 lanes[MAX_LANES + 1]
        cdef Entry* there[MAX_THERE]
        cdef u32 groups[MAX_THERE]
        cdef u32 was_there[MAX_THERE]
        cdef u32 present, missing, visits, block, first, tried, offset, moves, drew, at
        cdef int depth = 0, who, found, k
        cdef Node* node = self.node(self.first)
        cdef Entry* entry
        cdef Head* head
        cdef Step* step
        cdef Way* way
        cdef Move move
        cdef double weights, exact = -1
        cdef u64 tally
        cdef float untried_value, per_weight, floor, share
        cdef u64 best
        cdef Best bests
        cdef Place place
        cdef Outcome outcome
        cdef bint closed
        self.first_stats = NULL

        # 1. A world of its own. The root itself may be waiting for chance.
        memcpy(self.state, self.start, game.state_size)
        if not self.hidden:
            game.determinize(game.rules, self.state, self.observer, &self.rng, self.world)
        elif self.done & 1:
            self.root_depth = 0
            self.learner = NOBODY
            game.determinize(game.rules, self.state, NOBODY, &self.rng, self.world)
            node = self.seen_node()
        else:
            self.root_depth = 1
            self.learner = self.observer
            game.determinize(game.rules, self.state, self.observer, &self.rng, self.world)
        closed = self.chance() == NO_DRAW

        # 2. Down the tree.
        while node != NULL:
            who = game.to_move(game.rules, self.state)
            if who == OVER:
                break
            if self.learner != NOBODY and who != self.learner:
                if not self.play_as_usual(node):
                    break
                node = self.seen_node()
                continue
            tally = peek_u64(&node.tally)
            visits = visits_of(tally)
            step = &path[depth]
            step.node = node
            step.place.block = NOWHERE
            step.busy = False
            step.busy_node = self.shared and visits >= BUSY
            step.who = who
            depth += 1
            at = get(&node.index)
            if depth == MAX_PATH:
                break
            if at == NOWHERE and depth != self.root_depth:
                # The last turns are solved, not searched.
                if self.finishes and self.solve_end(who, &exact):
                    break
                if visits < settings.expand_after or peek(&self.memory.full):
                    break

            # 2a. What is there in this world; a group never seen here gets its entry.
            present = missing = game.groups(game.rules, self.state, lanes)
            lanes[MAX_LANES] = <u32>ASKED_GROUP if depth == self.root_depth else NO_GROUP
            found = self.find_present(at, lanes, there, groups, &missing)
            if missing:
                lock(&node.lock, self.shared)
                missing = present
                self.find_present(node.index, lanes, there, groups, &missing)  # another thread may just have been here
                self.add_groups(node, lanes, present, missing, depth == self.root_depth)
                unlock(&node.lock, self.shared)
                at = get(&node.index)
                if at == NOWHERE:
                    break  # nothing fits in the pool any more
                found = self.find_present(at, lanes, there, groups, &missing)
            weights = 0
            for k in range(found):
                entry = there[k]
                weights += peek_float(&entry.weight)
                was_there[k] = self.count_entry(node, entry, groups[k] >> GROUP_SHIFT, visits, step.busy_node)
                prefetch(self.head(get(&entry.block)))

            # 2b. The best of them by PUCT with a floor. Of the moves of a group not tried yet only the heaviest counts.
            best_clear(&bests)
            untried_value = <float>((mean_of(tally) if visits else 0.5) - settings.first_play)
            moves = peek(&node.moves) + 1
            offset = 0
            for k in range(found):
                entry = there[k]
                first = block = get(&entry.block)
                per_weight = <float>(self.calm * settings.exploration * sqrt(<double>was_there[k]) / weights)
                floor = <float>(self.calm * settings.breadth * was_there[k] / moves)
                if block == NOWHERE:
                    offset += 1
                    if not peek(&self.memory.full):
                        best_add(&bests, untried_value + per_weight * entry.top + floor, choice(k, 0))
                    continue
                # 2c. A group that is visited often grows.
                head = self.head(block)
                if peek(&head.visits) >= peek(&head.grow_at) and self.lock_to_grow(node, head):
                    if peek(&head.visits) >= head.grow_at:
                        self.grow(entry, groups[k], depth == self.root_depth)
                    unlock(&node.lock, self.shared)
                if settings.plain:
                    self.add_plain(block, was_there[k], k, &bests)
                    continue
                present = 0
                while block != NOWHERE:
                    head = self.head(block)
                    share = floor
                    if head.variants:
                        share = floor * min(1, VARIANTS / <float>head.children)
                    else:
                        offset += head.children
                    tried = get(&head.tried)
                    best_add_scores(&bests, tried, self.scores(block), self.weights(block), per_weight, share, choice(k, present))
                    if tried < head.children:
                        best_add(
                            &bests, untried_value + per_weight * self.weights(block)[tried] + share,
                            choice(k, present + tried),
                        )
                    present += head.children
                    block = get(&head.more)
            if peek(&node.moves) != offset:
                poke(&node.moves, offset)
            if depth == self.root_depth and self.asked_count:
                place = self.asked[(self.asked_turn + (self.done >> self.hidden)) % self.asked_count]
            else:
                best = best_of_all(&bests)
                if best == 0:
                    break  # another thread is just making the first entries
                entry = there[chosen_entry(best)]
                if get(&entry.block) == NOWHERE and not self.first_block(node, entry, groups[chosen_entry(best)]):
                    break
                place = self.locate(get(&entry.block), chosen_child(best))

            # 2d. Play it, and what chance brings in this world.
            step.place = place
            head = self.head(place.block)
            tried = get(&head.tried)
            if place.child >= tried:
                swap(&head.tried, tried, place.child + 1, self.shared)
            tally = peek_u64(&self.tallies(place.block)[place.child])
            step.busy = self.shared and visits_of(tally) >= BUSY
            way = &self.ways(place.block)[place.child]
            move.what = way.what
            move.detail = way.detail
            game.apply(game.rules, self.state, &move)
            if depth == self.root_depth:
                self.first_stats = self.stats(place.block, place.child, self.thread)
            if self.views != NULL:
                node = self.seen_node()
                continue
            if depth == self.root_depth:
                drew = self.first_chance()
            else:
                drew = self.chance()
            if get(&way.node) == NOWHERE:
                if game.to_move(game.rules, self.state) == OVER:
                    break
                at = self.take(sizeof(Node))
                if at == NOWHERE:
                    break
                self.nodes += swap(&way.node, NOWHERE, at, self.shared)
            if closed:
                node = self.behind(way, tally, drew, &closed)
            else:
                node = self.node(get(&way.node))

        # 3. On to the end.
        if game.to_move(game.rules, self.state) != OVER:
            game.playout(game.rules, self.state, self.world, &self.rng, settings.playout_style)
        game.outcome(game.rules, self.state, &outcome)

        # 4. Back up.
        self.back_up(path, depth, &outcome, exact)
        bump_u64(&self.done, 1)
        self.path_sum += <u64>depth
        if depth > self.deepest:
            self.deepest = depth
        return 0

    cdef bint solve_end(self, int who, double* first_share) except -1 nogil:
        """The first player's share of the victory from here, if the game can tell at once."""
        cdef i64 value
        self.game.ending.open(self.game.rules, self.state, self.position)
        if not self.game.ending.finish(
                self.game.rules, self.scratch, self.position, False, SCALE, -SCALE - 1, SCALE + 1, &value):
            return False
        first_share[0] = 0.5 + 0.5 * <double>(-value if who else value) / <double>SCALE
        return True

    cdef inline int find_present(
        self, u32 at, const u32* lanes, Entry** there, u32* groups, u32* missing
    ) noexcept nogil:
        """The entries whose groups are there, which it takes off `missing`. Which they are cannot be foreseen, so each is
        written down and counts or does not."""
        cdef Segment* segment
        cdef const u32* group
        cdef u32 i, lane, seen = 0
        cdef int found = 0
        cdef bint is_there
        while at != NOWHERE:
            segment = self.segment(at)
            group = groups_of(segment)
            for i in range(get(&segment.entries)):
                lane = group[i] >> GROUP_SHIFT
                is_there = lanes[lane] == group[i]
                there[found] = &entries_of(segment)[i]
                groups[found] = group[i]
                found += is_there
                seen |= <u32>is_there << lane
            at = get(&segment.more)
        missing[0] &= ~seen
        return found

    cdef inline u32 count_entry(self, const Node* node, Entry* entry, u32 lane, u32 visits, bint busy) noexcept nogil:
        """Counts, if its lane varies, that the group is there; returns how often it was, now included."""
        if not peek(&node.varied) >> lane & 1:
            return visits - min(visits, peek(&node.born)) + 1
        if busy:
            self.seen[self.seen_count] = &entry.there
            self.seen_count += 1
        else:
            add(&entry.there, 1, self.shared)
        return max(peek(&entry.there), <u32>1)

    cdef inline Place locate(self, u32 first, u32 child) noexcept nogil:
        """A child counted through all blocks of its group."""
        cdef Place place
        place.first = first
        place.block = first
        while child >= self.head(place.block).children:
            child -= self.head(place.block).children
            place.block = get(&self.head(place.block).more)
        place.child = child
        return place

    cdef void add_plain(self, u32 block, u32 was_there, int k, Best* bests) noexcept nogil:
        """UCB1, with the times the group was there in the place of the node's visits. A move not tried yet comes
        first, in an order drawn by lot."""
        cdef u32 i, visits
        cdef u64 tally
        cdef double value, spread = log(<double>was_there)
        for i in range(self.head(block).children):
            tally = peek_u64(&self.tallies(block)[i])
            visits = visits_of(tally)
            if visits:
                value = mean_of(tally) + self.settings.exploration * sqrt(spread / visits)
            else:
                value = 1e6 + <double>((self.rng ^ <u64>0x9E3779B97F4A7C15 * (block + i)) >> 40)
            best_add(bests, <float>value, choice(k, i))

    cdef u32 first_chance(self) noexcept nogil:
        """Chance after a root move, and a note of what it brought."""
        cdef Draw drawn[MAX_DRAWS]
        cdef int i, n = self.game.draws(self.game.rules, self.state, drawn)
        cdef u32 what, at
        cdef Stats* stats = self.first_stats
        self.first_draw = NO_DRAW
        if n == 0:
            return NO_DRAW
        if stats.draws == NOWHERE:
            at = self.take(n * sizeof(Drawn))
            if at:
                for i in range(n):
                    self.drawn(at)[i].what = drawn[i].what
                poke(&stats.draw_count, <u32>n)
                set_(&stats.draws, at)
        what = self.game.next_draw(self.game.rules, self.state, self.world)
        for i in range(n):
            if drawn[i].what == what:
                self.first_draw = <u32>i
        self.game.draw(self.game.rules, self.state, what)
        self.draw_count = n
        return what

    cdef inline u32 chance(self) noexcept nogil:
        """What is drawn in this world, NO_DRAW if nothing is to be."""
        cdef u32 what
        self.draw_count = self.game.draws(self.game.rules, self.state, NULL)
        if self.draw_count == 0:
            return NO_DRAW
        what = self.game.next_draw(self.game.rules, self.state, self.world)
        self.game.draw(self.game.rules, self.state, what)
        return what

    cdef void back_up(self, const Step* path, int depth, const Outcome* outcome, double exact) noexcept nogil:
        cdef double reward[MAX_PLAYERS]
        cdef double share[MAX_PLAYERS]
        cdef double margin
        cdef u64 one
        cdef Place place
        cdef int i, k, other
        for i in range(self.game.players):
            other = -(1 << 30)
            for k in range(self.game.players):
                if k != i and outcome.points[k] > other:
                    other = outcome.points[k]
            margin = (outcome.points[i] - other) / self.settings.margin_scale
            margin = 0.5 + 0.5 * margin / (1 + (margin if margin > 0 else -margin))
            share[i] = outcome.share[i] / <double>WHOLE
            if exact >= 0:
                share[i] = 1 - exact if i else exact
            reward[i] = (
                self.settings.win_part * share[i] + (1 - self.settings.win_part - self.settings.spite_part) * margin
            )
        if self.settings.spite_part > 0:
            for i in range(self.game.players):
                reward[i] += self.settings.spite_part * (
                    1 - 0.9 * share[(i + 1) % self.game.players] - 0.1 * share[(i + 2) % self.game.players]
                )
        for i in range(depth):
            one = one_visit(reward[path[i].who])
            place.block = NOWHERE
            self.add_results(path[i].node, place, one, path[i].busy_node)
            if path[i].place.block != NOWHERE:
                self.add_results(NULL, path[i].place, one, path[i].busy)
        self.pending_simulations += 1
        if (self.pending_simulations >= min(BATCH, self.done // BATCH_PART)
                or self.pending_count > MAX_PENDING - 2 * MAX_PATH or self.seen_count > MAX_SEEN - MAX_PATH * MAX_THERE):
            self.write_down()
        if self.first_stats != NULL:
            self.note(self.first_stats, path[0].who, outcome, share, reward[path[0].who])

    cdef inline void add_results(self, Node* node, Place place, u64 tally, bint later) noexcept nogil:
        """To a node, or to a move if it is NULL; at once, or later with others."""
        cdef u32 slot
        cdef Pending* known
        if later:
            slot = (<u32>(<size_t>node >> 5) if node != NULL else place.block + 7 * place.child) % PENDING_SLOTS
            if self.pending_slot[slot]:
                known = &self.pending[self.pending_slot[slot] - 1]
                if known.node == node and (node != NULL or (
                        known.place.block == place.block and known.place.child == place.child)):
                    known.tally += tally
                    return
            self.pending[self.pending_count].node = node
            self.pending[self.pending_count].place = place
            self.pending[self.pending_count].tally = tally
            self.pending_count += 1
            self.pending_slot[slot] = <unsigned short>self.pending_count
        elif node != NULL:
            tally_add(&node.tally, tally, self.shared)
        else:
            add(&self.head(place.first).visits, visits_of(tally), self.shared)
            self.rate(
                place.block, place.child, tally_add(&self.tallies(place.block)[place.child], tally, self.shared)
            )

    cdef void write_down(self) noexcept nogil:
        """What was kept back."""
        cdef int i
        for i in range(self.pending_count):
            self.add_results(self.pending[i].node, self.pending[i].place, self.pending[i].tally, False)
        for i in range(self.seen_count):
            add(self.seen[i], 1, True)
        if self.pending_count:
            memset(self.pending_slot, 0, sizeof(self.pending_slot))
        self.pending_count = self.pending_simulations = self.seen_count = 0

    cdef inline void rate(self, u32 block, u32 child, u64 tally) noexcept nogil:
        """What is compared, after a change of what it follows from."""
        poke_u64(&self.scores(block)[child], make_score(<float>mean_of(tally), 1 / (1 + <float>visits_of(tally))))

    cdef void note(
        self, Stats* stats, int who, const Outcome* outcome, const double* shares, double reward
    ) noexcept nogil:
        """Adds a finished simulation to what the advice knows of its root move. No other thread writes there."""
        cdef i32 detail[MAX_PLAYERS * MAX_DETAILS]
        cdef Drawn* drawn
        cdef int k, players = self.game.players, other = -(1 << 30)
        cdef double share = shares[who]
        bump_double(&stats.share_squared, share * share)
        bump_double(&stats.reward, reward)
        bump_double(&stats.reward_squared, reward * reward)
        for k in range(players):
            bump_double(&stats.sums[k], shares[k])
            bump_double(&stats.sums[players + k], outcome.points[k])
            if k != who and outcome.points[k] > other:
                other = outcome.points[k]
        if outcome.points[who] == other:
            bump(&stats.level, 1)
            bump_double(&stats.level_share, share)
        if self.game.details:
            self.game.detail(self.game.rules, self.state, detail)
            for k in range(players * self.game.details):
                bump_double(&stats.sums[2 * players + k], detail[k])
        if stats.draws and self.first_draw != NO_DRAW:
            drawn = &self.drawn(stats.draws)[self.first_draw]
            bump(&drawn.visits, 1)
            bump_double(&drawn.share, share)
            bump_double(&drawn.share_squared, share * share)
        bump(&stats.visits, 1)

    # ---- for Python -----------------------------------------------------------------------------------------

    def run(self, u64 simulations):
        """So many more simulations, without the GIL. A caller that wants to be interruptible asks for few."""
        cdef u64 i
        if self.observer == OVER:
            raise ValueError("the game is over")
        with nogil:
            for i in range(simulations):
                self.simulate()
            self.write_down()

    @property
    def simulations(self):
        return peek_u64(&self.done)

    @property
    def to_move(self):
        """Who moves at the root."""
        return self.game.to_move(self.game.rules, self.root.state)

    @property
    def bytes_used(self):
        return min(peek_u64(&self.memory.used), self.memory.units) * 8

    @property
    def full(self):
        """The pool has no room left; the search goes on without growing."""
        return bool(peek(&self.memory.full))

    @property
    def mean_depth(self):
        return <double>self.path_sum / <double>self.done if self.done else 0.0

    def ask(self, moves=(), double calm=1.0):
        """From now on only these legal root moves are played, each as often as any other, and below them exploration is
        multiplied by `calm`; without any the search decides again what to play. No thread may be at work meanwhile.

        A move that the search would not look at by itself is added to the tree."""
        cdef Place place
        cdef u64 what, detail, count = len(moves)
        if count > MAX_ASKED:
            raise ValueError(f"expected at most {MAX_ASKED} moves, got {count}")
        if self.done == 0 and self.node(self.first).index == NOWHERE and moves:
            self.run(1)  # the root gets its moves
        self.asked_count = 0
        self.calm = calm
        for what, detail in moves:
            if what >> 32:
                raise ValueError(f"expected a move whose first number is below 1 << 32, found {what}")
            place = self.root_place(what, detail)
            if place.block == NOWHERE:
                self.add_asked(what, detail)
                place = self.root_place(what, detail)
            self.try_up_to(place)
            self.asked[self.asked_count] = place
            self.asked_count += 1
        if count:  # each thread begins with another of them
            self.asked_turn = self.thread + count - self.done % count

    cdef void try_up_to(self, Place place) noexcept:
        """A move that is played out of turn: it and those before it count as tried, without a visit, and compete as they did
        before."""
        cdef Head* head = self.head(place.block)
        cdef u64 tally = peek_u64(&self.node(self.first).tally)
        cdef float value = <float>((mean_of(tally) if visits_of(tally) else 0.5) - self.settings.first_play)
        while head.tried <= place.child:
            self.scores(place.block)[head.tried] = make_score(max(value, 0), 1)
            head.tried += 1

    cdef int add_asked(self, u64 what, u64 detail) except -1:
        """A root move that no group has yet, with hardly any weight of its own."""
        cdef Node* node = self.node(self.first)
        cdef u32 block, last = self.asked_block()
        cdef Entry* entry
        self.candidates.count = 0
        candidate_list_add(&self.candidates, what, detail, 1e-6)
        block = self.make_block(EVERYTHING, True)
        if block == NOWHERE:
            raise MemoryError("the pool is too small for another move")
        if last == NOWHERE:
            entry = self.enter(node, ASKED_GROUP, 1)
            if entry == NULL:
                raise MemoryError("the pool is too small for another move")
            poke_float(&entry.weight, 1e-6)
            entry.block = block
            self.entered(node)
            return 0
        while self.head(last).more != NOWHERE:
            last = self.head(last).more
        set_(&self.head(last).more, block)
        return 0

    cdef Place root_place(self, u64 what, u64 detail) noexcept:
        """Of a root move; in no block if the tree has none."""
        cdef Place place
        cdef u32 i, at = get(&self.node(self.first).index)
        cdef Segment* segment
        place.block = NOWHERE
        while at != NOWHERE:
            segment = self.segment(at)
            for i in range(get(&segment.entries)):
                place = self.place_of(get(&entries_of(segment)[i].block), <u32>what, detail)
                if place.block != NOWHERE:
                    return place
            at = get(&segment.more)
        return place

    cdef list entries(self, u32 node):
        """(group, first block) of each of a node's groups that was played."""
        cdef u32 i, at = get(&self.node(node).index)
        cdef Segment* segment
        found = []
        while at != NOWHERE:
            segment = self.segment(at)
            for i in range(get(&segment.entries)):
                if get(&entries_of(segment)[i].block):
                    found.append((groups_of(segment)[i], get(&entries_of(segment)[i].block)))
            at = get(&segment.more)
        return found

    def moves(self):
        """A RootMove for each root move, most visits first."""
        cdef u32 i, block
        rows = []
        for group, first in self.entries(self.first):
            block = first
            while block != NOWHERE:
                for i in range(self.head(block).children):
                    rows.append(self.root_move(block, i))
                block = get(&self.head(block).more)
        rows.sort(key=lambda row: (-row.visits, row.what, row.detail))
        return rows

    cdef root_move(self, u32 block, u32 i):
        """The sums of all threads together."""
        cdef int players = self.game.players, details = self.game.details, k
        cdef u32 thread, n, draws
        cdef const Way* way = &self.ways(block)[i]
        cdef const Stats* one
        cdef const Drawn* each
        cdef Stats stats
        cdef Drawn drawn[MAX_DRAWS]
        memset(&stats, 0, sizeof(stats))
        memset(drawn, 0, sizeof(drawn))
        for thread in range(self.threads):
            one = self.stats(block, i, thread)
            stats.visits += peek(&one.visits)
            stats.share_squared += peek_double(&one.share_squared)
            stats.reward += peek_double(&one.reward)
            stats.reward_squared += peek_double(&one.reward_squared)
            stats.level_share += peek_double(&one.level_share)
            stats.level += peek(&one.level)
            for k in range(players * (2 + details)):
                stats.sums[k] += peek_double(&one.sums[k])
            draws = get(&one.draws)
            if draws:  # the same draws in the same order for every thread
                stats.draw_count = peek(&one.draw_count)
                for n in range(stats.draw_count):
                    each = &self.drawn(draws)[n]
                    drawn[n].what = each.what
                    drawn[n].visits += peek(&each.visits)
                    drawn[n].share += peek_double(&each.share)
                    drawn[n].share_squared += peek_double(&each.share_squared)
        return RootMove(
            way.what, way.detail, stats.visits, self.weights(block)[i], stats.reward, stats.reward_squared,
            tuple([stats.sums[k] for k in range(players)]), stats.share_squared,
            tuple([stats.sums[players + k] for k in range(players)]),
            tuple([
                tuple([stats.sums[2 * players + details * who + k] for k in range(details)]) for who in range(players)
            ]),
            stats.level, stats.level_share,
            [(drawn[k].what, drawn[k].visits, drawn[k].share, drawn[k].share_squared)
             for k in range(<int>stats.draw_count)],
        )

    cdef list drawn_nodes(self, u32 node):
        """A node behind a move, and those of its draws."""
        cdef Split* split
        cdef u32 at
        found = [node]
        if get(&self.node(node).splits):
            split = self.splits(get(&self.node(node).splits))
            while peek(&split.what):
                at = get(&split.node)
                if at:
                    found.append(at)
                split += 1
        return found

    cdef list nodes_after(self, u64 what, u64 detail):
        """The nodes behind a root move: the shared one, and those of its draws."""
        cdef Place place = self.root_place(what, detail)
        cdef u32 node = get(&self.ways(place.block)[place.child].node) if place.block != NOWHERE else <u32>NOWHERE
        return self.drawn_nodes(node) if node else []

    def replies(self, what, detail):
        """What was played next after a root move: {group: visits}."""
        cdef u32 block
        found = {}
        for node in self.nodes_after(what, detail):
            for group, block in self.entries(node):
                found[group] = found.get(group, 0) + peek(&self.head(block).visits)
        return found

    def line(self, first=None, int longest=8):
        """The expected line, behind a root move or from the root: from each decision the move visited most, whatever
        was drawn before it, as long as it was visited 20 times; each as (what, detail, group, visits, those of all moves).

        Groups that are rarely there (a tile that happened to be drawn) count by how often they were.
        """
        cdef u32 i, block, visits, node
        nodes = [self.first] if first is None else self.nodes_after(first[0], first[1])
        moves = []
        while nodes and len(moves) < longest:
            found = {}
            for at in nodes:
                for group, block in self.entries(at):
                    while block != NOWHERE:
                        for i in range(get(&self.head(block).tried)):
                            visits = visits_of(peek_u64(&self.tallies(block)[i]))
                            node = get(&self.ways(block)[i].node)
                            key = (self.ways(block)[i].what, self.ways(block)[i].detail, group)
                            known = found.setdefault(key, [0, set()])
                            known[0] += visits
                            if node:
                                known[1].add(node & ~<u32>BORROWED)
                        block = get(&self.head(block).more)
            if not found:
                break
            (what, detail, group), (times, behind) = max(found.items(), key=lambda item: (item[1][0], item[0]))
            if times < 20:
                break
            moves.append((what, detail, group, times, sum(known[0] for known in found.values())))
            nodes = [node for shared in sorted(behind) for node in self.drawn_nodes(shared)]
        return moves

    def best(self):
        """The move visited most, as (what, detail); of equals the one with the better mean."""
        rows = self.moves()
        row = max(rows, key=lambda row: (row.visits, row.mean_reward, -row.what, -row.detail))
        return row.what, row.detail
