"""Information-set Monte Carlo tree search, for any game behind the seam.

Every simulation shuffles what is hidden into a world of its own, walks down the tree in that world, plays on
to the end and adds the result to the moves it came through. The tree is shared between worlds: a node
stands for the moves that led to it, whatever was drawn between them, so no plan can lean on one order of
the piles. What can be played in a node differs from world to world; it is kept by group (see `game`), each
with the number of times it was there, and a move competes only for those.

    node --- index: groups     a glance finds which of them are there
                    entries    for each group: how often it was there, its weight
                      |
                    block      of a group that was played: how often; mean and share of each move |
                               sum, visits and weight of each | the move and the node below

Selection is PUCT: mean reward so far, plus a share of what is still to be explored by the move's weight.
A group starts with a few moves and grows when it is visited often: first to one way to play each choice, then to
every way that the game's pruning leaves.

Walking down is mostly waiting for memory. So what is compared lies together: a group that was never played
is judged by its entry alone and has no block yet, and a block has what is compared in front, ready to be added and
for four moves in one cache line.

Everything lies in one pool of fixed size, addressed in units of 8 bytes. When it is full the search goes on in the
tree it has.
"""

from typing import NamedTuple

from libc.math cimport log, sqrt
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memcpy, memset

from ..common.atomics cimport add, add_double, add_u64, get, prefetch, put, set_, try_lock, unlock
from ..common.bits cimport lowest, popcount
from ..common.ints cimport i32, u32, u64
from ..common.pages cimport pages_free, pages_new
from ..common.rng cimport rng_seed
from ..game cimport (
    EVERYTHING, FEW, GROUP_SHIFT, MAIN, MAX_DETAILS, MAX_DRAWS, MAX_LANES, MAX_PLAYERS, NO_GROUP, OVER, WHOLE,
    Candidate, CandidateList, Draw, Game, GameState, Move, Outcome, candidate_list_add,
)

cdef enum:
    MAX_PATH = 128
    INSERTION_MOST = 48  # candidates up to which sorting by insertion is quicker
    NOWHERE = 0
    NEVER = 0xFFFFFFFF
    NONE_LEFT = -1
    CHILD_BITS = 22  # of what a choice is written with: the number of an entry, then that of a child
    MAX_KEPT = 64
    KEPT_GROUP = MAX_LANES << GROUP_SHIFT  # of all of those
    LINE = 8  # units in a cache line
    FOUR = 4  # moves that are compared at a time
    CHUNK = 1 << 13  # units that a thread takes at a time from the pool, at most
    APART = 128  # bytes between what two threads write: a line, and the next one, which is often fetched with it
    BUSY = 256  # visits to a node from which on threads meet there all the time
    BATCH = 64  # simulations whose results a thread keeps back there before it writes them down, at most ...
    BATCH_PART = 32  # ... and one of so many that it has done
    MAX_PENDING = MAX_PATH * 8
    MAX_SEEN = 4 * MAX_PATH * MAX_LANES


cdef struct Node:  # 24 bytes
    u32 index  # NOWHERE while it has few visits
    u32 visits
    double sum  # of rewards for the player to move here
    u32 lock  # held by the thread that adds groups, makes blocks or lets them grow
    u32 unused


# The groups seen in a node: `room` numbers of groups, then as many entries, both in the order in which they came.
cdef struct Index:  # 16 bytes, the rest behind it
    u32 room  # even, so that all is aligned
    u32 entries
    u32 born  # visits to the node before it was made
    u32 varied  # lanes that have seen more than one group; the group of any other was there at every visit since


cdef struct Entry:  # 16 bytes
    u32 block  # NOWHERE while no move of the group was played
    u32 there  # visits to the node in which this group was there; counted only in a lane that has varied
    float weight  # of all children
    float top  # of the heaviest child not tried yet, NONE_LEFT when all were


# A block is a Head, then arrays of Score (in whole fours), Child and Way, heaviest child first. It begins a cache line.
cdef struct Head:  # 32 bytes
    u32 children
    u32 extent
    u32 visits  # times one of them was played
    u32 grow_at  # visits at which to try to grow
    u32 next  # the heaviest child not tried yet
    u32 reach  # behind the last child that was tried
    u32 stats  # of the root's blocks: Stats of each child, all children for one thread after the other
    u32 unused


cdef struct Score:  # 8 bytes: what is compared; both 0 before the first visit, and a negative mean behind the last child
    float mean
    float share  # weight / (1 + visits)


cdef struct Child:  # 16 bytes: what it follows from
    double sum
    u32 visits
    float weight


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


cdef struct Step:
    Node* node
    Entry* entry
    u32 block  # NOWHERE where the walk ended
    u32 child
    int who
    bint busy  # and other threads are there


# A result that is not written down yet.
cdef struct Pending:
    Step step
    double reward


cdef struct Settings:
    double exploration
    double win_part  # of the reward; the rest is the margin
    double margin_scale
    double first_play  # taken off the node's mean for a move not tried yet
    u32 expand_after  # visits before a node gets its moves
    u32 grow_main  # visits to a block of few before it grows
    u32 grow_everything  # visits for each move of a block of everything
    int playout_style
    bint plain  # UCB1 over all main moves, without weights: the textbook search, to measure against


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
    static inline void orbis_best_add(orbis_best *best, int counts, float score, uint32_t choice) {
        uint32_t bits;
        int64_t key;
        score = score > 0 ? score : 0;
        memcpy(&bits, &score, 4);
        key = (int64_t)((uint64_t)bits << 32 | choice) & -(int64_t)(counts != 0);
        best->one = key > best->one ? key : best->one;
    }
    /* Mean and share of n moves, and of as many more as make whole fours: none, whose mean is negative and whose key is
       so too. */
    static inline void orbis_best_add_scores(
            orbis_best *best, uint32_t n, const float *scores, float per_weight, uint32_t first) {
        uint32_t i;
    #ifdef __AVX2__
        const __m256 each = _mm256_set1_ps(per_weight);
        __m256i choice = _mm256_sub_epi64(_mm256_set1_epi64x(first), _mm256_set_epi64x(3, 2, 1, 0));
        for (i = 0; i < n; i += 4) {
            const __m256i both = _mm256_load_si256((const __m256i *)(scores + 2 * i));
            const __m256 share = _mm256_castsi256_ps(_mm256_srli_epi64(both, 32));
            const __m256 score = _mm256_add_ps(_mm256_castsi256_ps(both), _mm256_mul_ps(each, share));
            const __m256i key = _mm256_or_si256(_mm256_slli_epi64(_mm256_castps_si256(score), 32), choice);
            best->four = _mm256_blendv_epi8(best->four, key, _mm256_cmpgt_epi64(key, best->four));
            choice = _mm256_sub_epi64(choice, _mm256_set1_epi64x(4));
        }
    #else
        for (i = 0; i < n; i++)
            orbis_best_add(best, 1, scores[2 * i] + per_weight * scores[2 * i + 1], first - i);
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
    """
    ctypedef struct Best "orbis_best":
        pass
    void best_clear "orbis_best_clear"(Best* best) noexcept nogil
    void best_add "orbis_best_add"(Best* best, bint counts, float score, u32 choice) noexcept nogil
    void best_add_floats "orbis_best_add_scores"(
        Best* best, u32 n, const float* scores, float per_weight, u32 first) noexcept nogil
    u64 best_of_all "orbis_best_of_all"(const Best* best) noexcept nogil


cdef inline void best_add_scores(Best* best, u32 n, const Score* scores, float per_weight, u32 first) noexcept nogil:
    best_add_floats(best, n, <const float*>scores, per_weight, first)


cdef inline u32 choice(u32 entry, u32 child) noexcept nogil:
    return <u32>0xFFFFFFFF - (entry << CHILD_BITS | child)


cdef inline u32 chosen_entry(u64 best) noexcept nogil:
    return (<u32>0xFFFFFFFF - <u32>best) >> CHILD_BITS


cdef inline u32 chosen_child(u64 best) noexcept nogil:
    return (<u32>0xFFFFFFFF - <u32>best) & ((1u << CHILD_BITS) - 1)


cdef inline u32 whole_fours(u32 moves) noexcept nogil:
    return (moves + FOUR - 1) & ~<u32>(FOUR - 1)


cdef inline u32* groups_of(Index* index) noexcept nogil:
    return <u32*>(index + 1)


cdef inline Entry* entries_of(Index* index) noexcept nogil:
    return <Entry*>(groups_of(index) + index.room)


cdef class Pool:
    """The memory of a tree, or of several that grow the same one in threads of their own."""

    cdef u64* item
    cdef u64 used  # units of 8 bytes
    cdef u64 units
    cdef u64 chunk  # units that are taken at a time
    cdef bint full  # no room left; the search goes on without growing

    def __cinit__(self, size_t size):
        self.units = max(min(size // 8, <size_t>0xFFFFFFF0), <size_t>LINE)
        self.item = <u64*>pages_new(self.units * 8)
        if self.item == NULL:
            raise MemoryError(f"no memory for a tree of {size} bytes")
        self.used = LINE  # address 0 is nowhere, and a block there has no moves and never grows
        (<Head*>self.item).grow_at = NEVER
        self.chunk = max(min(self.units // 256, <u64>CHUNK), <u64>LINE) // LINE * LINE

    def __dealloc__(self):
        pages_free(self.item, self.units * 8)

    cdef u64 take(self, u64 units, bint shared) noexcept nogil:
        """Whole cache lines for so many units, zeroed: nothing is ever given back. NOWHERE when the pool is full."""
        cdef u64 at
        units = (units + LINE - 1) // LINE * LINE
        if self.used + units > self.units:
            return NOWHERE
        if not shared:
            at = self.used
            self.used += units
            return at
        at = add_u64(&self.used, units)
        return at if at + units <= self.units else <u64>NOWHERE


cdef class Tree:
    """One search tree from one root, for one thread. Several threads either have each their own, or each a fork
    of one, which shares its nodes; `threads` says of how many it will be one.

    In a shared tree every line of memory that one thread writes has to be fetched by the others. So in busy nodes, where
    all of them pass, a thread writes down the results of several simulations at a time, and the sums behind a root
    move are kept by thread. Elsewhere it counts its visits on the way down, so that the others look elsewhere meanwhile,
    and adds without a lock on the bus: threads hardly ever meet there, and a result lost among millions changes
    nothing. Who adds to a node holds its lock; the others do with what is there. An index or a block that grows is
    replaced, never moved, so whoever still reads the old one reads something true, and only what it adds there is lost.
    """

    cdef Game game
    cdef GameState root
    cdef Settings settings
    cdef void* scratch
    cdef char* work  # all of the next, each at the beginning of a cache line
    cdef char* start  # the root's state
    cdef void* state
    cdef void* world
    cdef Pool memory
    cdef u64* pool  # its items
    cdef Chunk small  # for nodes and indexes
    cdef Chunk lines  # for blocks
    cdef bint shared
    cdef u32 thread, threads  # which of how many
    cdef u32 first  # the root's node
    cdef size_t stats_size
    cdef u64 rng
    cdef CandidateList candidates
    cdef readonly u64 simulations
    cdef readonly u64 nodes
    cdef u64 path_sum
    cdef readonly int deepest
    cdef Move kept[MAX_KEPT]  # root moves to be looked at as often as any other ...
    cdef u32 kept_until[MAX_KEPT]  # ... or at least so often
    cdef int kept_count
    cdef Stats* first_stats  # of the root move of this simulation
    cdef u32 first_draw  # and the index of what chance brought after it
    cdef Pending pending[MAX_PENDING]
    cdef int pending_count
    cdef int pending_simulations
    cdef u32* seen[MAX_SEEN]  # what counts how often a group was there, once for each time that is not written down yet
    cdef int seen_count
    cdef char nothing[APART]

    def __cinit__(
        self, GameState root, u64 seed=0, size_t pool_bytes=64 << 20, double exploration=1.0, double win_part=0.5,
        double margin_scale=12.0, double first_play=0.05, u32 expand_after=3, u32 grow_main=24,
        u32 grow_everything=16, int playout_style=3, bint plain=False, u32 threads=1, u32 thread=0, Tree fork_of=None,
    ):
        cdef size_t place
        self.root = root
        self.game = root.game
        self.settings.exploration = exploration
        self.settings.win_part = win_part
        self.settings.margin_scale = margin_scale
        self.settings.first_play = first_play
        self.settings.expand_after = expand_after
        self.settings.grow_main = grow_main
        self.settings.grow_everything = grow_everything
        self.settings.playout_style = playout_style
        self.settings.plain = plain
        self.threads = threads
        self.thread = thread
        self.shared = threads > 1
        self.stats_size = sizeof(Stats) - sizeof(double) * (
            MAX_PLAYERS * (2 + MAX_DETAILS) - self.game.players * (2 + self.game.details)
        )
        memset(&self.candidates, 0, sizeof(self.candidates))
        self.rng = rng_seed(seed)
        self.scratch = self.game.scratch_new()
        place = (self.game.state_size + APART - 1) // APART * APART
        self.work = <char*>malloc(2 * place + self.game.world_size + 3 * APART)
        if self.scratch == NULL or self.work == NULL:
            raise MemoryError()
        self.start = self.work + APART + (-<size_t>self.work & (APART - 1))
        self.state = self.start + place
        self.world = self.start + 2 * place
        memcpy(self.start, root.state, self.game.state_size)
        if fork_of is not None:
            self.settings = fork_of.settings
            self.memory = fork_of.memory
            self.pool = self.memory.item
            self.first = fork_of.first
            memcpy(self.kept, fork_of.kept, sizeof(self.kept))
            memcpy(self.kept_until, fork_of.kept_until, sizeof(self.kept_until))
            self.kept_count = fork_of.kept_count
        else:
            self.memory = Pool(pool_bytes)
            self.pool = self.memory.item
            self.first = self.take(sizeof(Node))
            if self.first == NOWHERE:
                raise MemoryError("the pool is too small for a root")

    def __dealloc__(self):
        if self.scratch != NULL:
            self.game.scratch_free(self.scratch)
        free(self.work)
        free(self.candidates.item)

    def fork(self, u64 seed, u32 thread):
        """Another tree that grows this one, in a thread of its own."""
        if not 0 < thread < self.threads:
            raise ValueError(f"expected a thread from 1 to {self.threads - 1}, got {thread}")
        return Tree(self.root, seed, threads=self.threads, thread=thread, fork_of=self)

    # ---- the pool ---------------------------------------------------------------------------------------

    cdef u32 take(self, size_t size) noexcept nogil:
        """Room for so many bytes, zeroed, or NOWHERE when the pool is full."""
        return self.take_from(&self.small, (size + 7) // 8)

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
        if at == NOWHERE and not self.memory.full:  # other threads read this all the time: written once
            self.memory.full = True
        return <u32>at

    cdef u32 take_block(self, u32 children) noexcept nogil:
        cdef u32 i, fours = whole_fours(children)
        cdef u64 units = (
            sizeof(Head) + <size_t>fours * sizeof(Score) + <size_t>children * (sizeof(Child) + sizeof(Way))
        ) // 8
        cdef u32 at = self.take_from(&self.lines, (units + LINE - 1) // LINE * LINE)
        if at:
            self.head(at).children = children
            for i in range(children, fours):
                self.scores(at)[i].mean = -1
        return at

    cdef inline Node* node(self, u32 at) noexcept nogil:
        return <Node*>(self.pool + at)

    cdef inline Index* index(self, u32 at) noexcept nogil:
        return <Index*>(self.pool + at)

    cdef inline Head* head(self, u32 block) noexcept nogil:
        return <Head*>(self.pool + block)

    cdef inline Score* scores(self, u32 block) noexcept nogil:
        return <Score*>(self.head(block) + 1)

    cdef inline Child* children(self, u32 block) noexcept nogil:
        return <Child*>(self.scores(block) + whole_fours(self.head(block).children))

    cdef inline Way* ways(self, u32 block) noexcept nogil:
        return <Way*>(self.children(block) + self.head(block).children)

    cdef inline Stats* stats(self, u32 block, u32 i, u32 thread) noexcept nogil:
        """Of a root move."""
        return <Stats*>(
            <char*>(self.pool + self.head(block).stats)
            + (<u64>thread * self.head(block).children + i) * self.stats_size
        )

    cdef inline Drawn* drawn(self, u32 at) noexcept nogil:
        return <Drawn*>(self.pool + at)

    # ---- growing -----------------------------------------------------------------------------------------

    cdef int find(self, const void* state, u32 group, u32 extent, bint at_root) except -1 nogil:
        """The group's moves, into `candidates`."""
        self.candidates.count = 0
        self.game.candidates(self.game.rules, self.scratch, state, group, extent, &self.candidates)
        if at_root:
            self.drop_kept(&self.candidates)
        return 0

    cdef bint make_block(self, Entry* entry, u32 extent, bint at_root) noexcept nogil:
        """A block of what `find` has found, heaviest first, in the place of the entry's present one if there is one.
        False when the pool is full."""
        cdef CandidateList* found = &self.candidates
        cdef u32 i, n = <u32>found.count, block = self.take_block(n)
        cdef Head* head = self.head(block)
        cdef Child* child
        cdef Way* way
        cdef float weight = 0
        if block == NOWHERE:
            return False
        head.extent = extent
        if at_root:
            head.stats = self.take(<size_t>self.threads * n * self.stats_size)
            if head.stats == NOWHERE:
                return False
        sort_by_weight(found.item, n)
        child = self.children(block)
        way = self.ways(block)
        for i in range(n):
            way[i].what = <u32>found.item[i].move.what
            way[i].detail = found.item[i].move.detail
            child[i].weight = found.item[i].weight
            weight += found.item[i].weight
        if entry.block != NOWHERE:
            self.take_over(entry.block, block, at_root)
        head.grow_at = (
            NEVER if extent == EVERYTHING
            else self.settings.grow_main if extent == FEW
            else max(8 * self.settings.grow_everything, head.visits + 1)
        )
        entry.weight = weight
        self.find_next(entry, block, 0)
        set_(&entry.block, block)
        return True

    cdef inline void find_next(self, Entry* entry, u32 block, u32 first) noexcept nogil:
        """The heaviest child not tried yet, from `first` on."""
        cdef Head* head = self.head(block)
        cdef const Child* child = self.children(block)
        while first < head.children and child[first].visits:
            first += 1
        if first < head.children:
            head.next = first
        entry.top = child[first].weight if first < head.children else <float>NONE_LEFT

    cdef inline void rate(self, Score* score, const Child* child) noexcept nogil:
        """What is compared, after a change of what it follows from."""
        score.mean = <float>(child.sum / child.visits)
        score.share = child.weight / (1 + child.visits)

    cdef void take_over(self, u32 old, u32 new, bint at_root) noexcept nogil:
        """All that is known of a block's moves, into a larger one."""
        cdef Head* head = self.head(new)
        cdef const Child* known = self.children(old)
        cdef const Way* known_way = self.ways(old)
        cdef Child* child = self.children(new)
        cdef Way* way = self.ways(new)
        cdef u32 i, k, thread
        head.visits = self.head(old).visits
        for i in range(self.head(old).children):
            if known[i].visits == 0:
                continue
            for k in range(self.head(new).children):
                if way[k].what == known_way[i].what and way[k].detail == known_way[i].detail:
                    child[k].sum, child[k].visits, way[k].node = known[i].sum, known[i].visits, known_way[i].node
                    self.rate(&self.scores(new)[k], &child[k])
                    head.reach = max(head.reach, k + 1)
                    if at_root:
                        for thread in range(self.threads):
                            memcpy(self.stats(new, k, thread), self.stats(old, i, thread), self.stats_size)
                    break

    cdef void drop_kept(self, CandidateList* found) noexcept nogil:
        """A move that has a block of its own is in no other."""
        cdef size_t i, kept = 0
        cdef u32 k
        cdef Index* index = self.index(self.node(self.first).index)
        cdef const Entry* entry = entries_of(index)
        cdef const Way* way
        cdef bint found_it
        if self.kept_count == 0:
            return
        for i in range(found.count):
            found_it = False
            for k in range(index.entries):
                way = self.ways(entry[k].block)
                found_it = found_it or (
                    groups_of(index)[k] == KEPT_GROUP and way.what == <u32>found.item[i].move.what
                    and way.detail == found.item[i].move.detail
                )
            if not found_it:
                found.item[kept] = found.item[i]
                kept += 1
        found.count = kept

    cdef Entry* enter(self, Node* node, u32 group, int expected) noexcept nogil:
        """A new entry behind the others of the node, where `expected` are to come; NULL when the pool is full.
        It counts once `index.entries` does."""
        cdef Index* index = self.index(node.index)
        cdef Index* longer
        cdef u32 at, room, n = index.entries if node.index else 0
        if node.index == NOWHERE or n == index.room:
            room = <u32>(expected + (expected & 1)) if n == 0 else (n + n // 2 + 4) & ~1u
            at = self.take(sizeof(Index) + room * (sizeof(u32) + sizeof(Entry)))
            if at == NOWHERE:
                return NULL
            longer = self.index(at)
            longer.room = room
            longer.entries = n
            longer.born = index.born if n else node.visits
            longer.varied = index.varied if n else 0
            if n:
                memcpy(groups_of(longer), groups_of(index), n * sizeof(u32))
                memcpy(entries_of(longer), entries_of(index), n * sizeof(Entry))
            set_(&node.index, at)
            index = longer
        groups_of(index)[n] = group
        return &entries_of(index)[n]

    cdef int add_groups(self, Node* node, const u32* lanes, u32 there, u32 missing, bint at_root) except -1 nogil:
        """Entries for the groups of those lanes that are `missing`, of all that are `there`; the node is locked. At the
        root, and in a plain search, with all their moves; else only with what these weigh."""
        cdef bint eager = at_root or self.settings.plain, is_first = node.index == NOWHERE
        cdef Entry* entry
        cdef u32 group
        cdef size_t i
        while missing:
            group = lanes[lowest(missing)]
            missing &= missing - 1
            self.find(self.state, group, MAIN if eager else FEW, at_root)
            entry = self.enter(node, group, popcount(there))
            if entry == NULL:
                break
            if eager:
                if not self.make_block(entry, MAIN, at_root):
                    break
            else:
                entry.top = NONE_LEFT
                for i in range(self.candidates.count):
                    entry.weight += self.candidates.item[i].weight
                    if self.candidates.item[i].weight > entry.top:
                        entry.top = self.candidates.item[i].weight
            if not is_first:
                self.vary(node, group >> GROUP_SHIFT)
            set_(&self.index(node.index).entries, self.index(node.index).entries + 1)
        return 0

    cdef void vary(self, const Node* node, u32 lane) noexcept nogil:
        """From now on it is counted how often each group of the lane is there."""
        cdef Index* index = self.index(node.index)
        cdef u32 i
        if index.varied >> lane & 1:
            return
        for i in range(index.entries):
            if groups_of(index)[i] >> GROUP_SHIFT == lane:
                entries_of(index)[i].there = node.visits - index.born
        index.varied |= <u32>1 << lane

    cdef int grow(self, Entry* entry, u32 group, bint at_root) except -1 nogil:
        """A larger block in the place of the present one, or a try at it later; the node is locked."""
        cdef Head* head = self.head(entry.block)
        cdef u32 extent = head.extent + 1
        self.find(self.state, group, extent, at_root)
        # Everything can be thousands: only once there are visits enough to go round.
        if extent == EVERYTHING and self.candidates.count > head.visits // self.settings.grow_everything:
            head.grow_at = 2 * head.grow_at
        elif not self.make_block(entry, extent, at_root):
            head.grow_at = NEVER
        return 0

    # ---- one simulation ----------------------------------------------------------------------------------

    cdef int simulate(self) except -1 nogil:
        cdef Game* game = &self.game
        cdef const Settings* settings = &self.settings
        cdef Step path[MAX_PATH]
        cdef u32 lanes[MAX_LANES + 1]
        cdef u32 places[MAX_LANES + MAX_KEPT + 1]
        cdef Entry* there[MAX_LANES + MAX_KEPT]
        cdef u32 was_there[MAX_LANES + MAX_KEPT]
        cdef u32 at, present, missing, visits, entries, block
        cdef int depth = 0, who, found, k
        cdef Node* node = self.node(self.first)
        cdef Index* index
        cdef Entry* entry
        cdef Head* head
        cdef Step* step
        cdef Way* way
        cdef Move move
        cdef double weights
        cdef float untried_value, per_weight
        cdef u64 best
        cdef Best bests
        cdef Outcome outcome
        self.first_stats = NULL

        # 1. A world of its own. The root itself may be waiting for chance.
        memcpy(self.state, self.start, game.state_size)
        game.determinize(game.rules, self.state, &self.rng, self.world)
        self.chance()

        # 2. Down the tree.
        while True:
            who = game.to_move(game.rules, self.state)
            if who == OVER:
                break
            visits = node.visits
            path[depth].node = node
            path[depth].block = NOWHERE
            path[depth].busy = self.shared and visits >= BUSY
            path[depth].who = who
            depth += 1
            at = get(&node.index)
            if depth == MAX_PATH or (at == NOWHERE and depth > 1 and (
                    visits < settings.expand_after or self.memory.full)):
                break

            # 2a. What is there in this world; a group never seen here gets its entry.
            present = missing = game.groups(game.rules, self.state, lanes)
            lanes[MAX_LANES] = <u32>KEPT_GROUP if depth == 1 else NO_GROUP
            found = 0
            entries = 0
            if at != NOWHERE:
                index = self.index(at)
                entries = get(&index.entries)
                found = self.find_present(index, 0, entries, lanes, places, found, &missing)
            if missing and try_lock(&node.lock, self.shared):
                if at == node.index and (at == NOWHERE or entries == index.entries):
                    self.add_groups(node, lanes, present, missing, depth == 1)
                unlock(&node.lock, self.shared)
                at = get(&node.index)
                if at == NOWHERE:
                    break  # nothing fits in the pool any more
                index = self.index(at)
                found = self.find_present(index, entries, get(&index.entries), lanes, places, found, &missing)
            # Those of another thread that is just at it have to wait for the next visit.
            weights = 0
            for k in range(found):
                entry = entries_of(index) + places[k]
                there[k] = entry
                weights += entry.weight
                was_there[k] = self.count_entry(
                    index, entry, groups_of(index)[places[k]] >> GROUP_SHIFT, visits, path[depth - 1].busy
                )
                prefetch(self.head(entry.block))

            # 2b. The best of them by PUCT. Of the moves of a group not tried yet only the heaviest counts.
            best_clear(&bests)
            untried_value = <float>((node.sum / visits if visits else 0.5) - settings.first_play)
            for k in range(found):
                entry = there[k]
                # 2c. A group that is visited often grows.
                block = get(&entry.block)
                head = self.head(block)
                if head.visits >= head.grow_at and try_lock(&node.lock, self.shared):
                    weights -= entry.weight
                    if at == node.index and block == entry.block:
                        self.grow(entry, groups_of(index)[places[k]], depth == 1)
                    unlock(&node.lock, self.shared)
                    weights += entry.weight
                    block = entry.block
                    head = self.head(block)
                if settings.plain:
                    self.add_plain(entry, was_there[k], k, &bests)
                    continue
                if self.memory.full and block == NOWHERE:
                    continue
                per_weight = <float>(settings.exploration * sqrt(<double>was_there[k]) / weights)
                best_add(
                    &bests, entry.top != NONE_LEFT, untried_value + per_weight * entry.top, choice(k, head.next)
                )
                best_add_scores(&bests, head.reach, self.scores(block), per_weight, choice(k, 0))
            best = best_of_all(&bests)
            if depth == 1 and self.kept_count:
                best = self.prefer_kept(there, found, best)
            if best == 0:
                break  # another thread is just making the first entries
            entry = there[chosen_entry(best)]
            if get(&entry.block) == NOWHERE and not self.first_block(
                    node, at, entry, groups_of(index)[places[chosen_entry(best)]]):
                break

            # 2d. Play it, and what chance brings in this world.
            step = &path[depth - 1]
            step.entry = entry
            step.block = get(&entry.block)
            step.child = chosen_child(best)
            way = &self.ways(step.block)[step.child]
            if self.shared and not step.busy:
                self.count_visit(step)
                self.rate(&self.scores(step.block)[step.child], &self.children(step.block)[step.child])
            move.what = way.what
            move.detail = way.detail
            game.apply(game.rules, self.state, &move)
            if depth == 1:
                self.first_stats = self.stats(step.block, step.child, self.thread)
                self.first_chance()
            else:
                self.chance()
            if way.node == NOWHERE:
                if game.to_move(game.rules, self.state) == OVER:
                    break
                at = self.take(sizeof(Node))
                if at == NOWHERE:
                    break
                self.nodes += put(&way.node, at, self.shared)
            node = self.node(way.node)

        # 3. On to the end.
        if game.to_move(game.rules, self.state) != OVER:
            game.playout(game.rules, self.state, self.world, &self.rng, settings.playout_style)
        game.outcome(game.rules, self.state, &outcome)

        # 4. Back up.
        self.back_up(path, depth, &outcome)
        self.simulations += 1
        self.path_sum += <u64>depth
        if depth > self.deepest:
            self.deepest = depth
        return 0

    cdef inline int find_present(
        self, Index* index, u32 first, u32 end, const u32* lanes, u32* places, int found, u32* missing
    ) noexcept nogil:
        """Adds the places of those entries from `first` on whose groups are there, and takes them off `missing`. Which
        they are cannot be foreseen, so each is written down and counts or does not."""
        cdef const u32* group = groups_of(index)
        cdef u32 i, lane, seen = 0
        cdef bint is_there
        for i in range(first, end):
            lane = group[i] >> GROUP_SHIFT
            is_there = lanes[lane] == group[i]
            places[found] = i
            found += is_there
            seen |= <u32>is_there << lane
        missing[0] &= ~seen
        return found

    cdef inline u32 count_entry(self, const Index* index, Entry* entry, u32 lane, u32 visits, bint busy) noexcept nogil:
        """Counts, if its lane varies, that the group is there; returns how often it was, now included."""
        cdef u32 varies = index.varied >> lane & 1, since = visits - index.born + 1
        if not self.shared:
            entry.there += varies
        elif varies and busy:
            self.seen[self.seen_count] = &entry.there
            self.seen_count += 1
        elif varies:  # a line that need not be written is not taken from other threads
            entry.there += 1
        return max(entry.there, <u32>1) if varies else since

    cdef bint first_block(self, Node* node, u32 at, Entry* entry, u32 group) except -1 nogil:
        """The block of a group that is played for the first time; False when the pool is full or another thread is
        at work in the node."""
        cdef bint made
        if not try_lock(&node.lock, self.shared):
            return False
        made = entry.block != NOWHERE
        if not made and at == node.index and not self.memory.full:
            self.find(self.state, group, FEW, False)
            made = self.make_block(entry, FEW, False)
        unlock(&node.lock, self.shared)
        return made

    cdef void add_plain(self, const Entry* entry, u32 was_there, int k, Best* bests) noexcept nogil:
        """UCB1, with the times the group was there in the place of the node's visits. A move not tried yet comes
        first, in an order drawn by lot."""
        cdef u32 i
        cdef const Child* child = self.children(entry.block)
        cdef double value, spread = log(<double>was_there)
        for i in range(self.head(entry.block).children):
            if child[i].visits:
                value = child[i].sum / child[i].visits + self.settings.exploration * sqrt(spread / child[i].visits)
            else:
                value = 1e6 + <double>((self.rng ^ <u64>0x9E3779B97F4A7C15 * (entry.block + i)) >> 40)
            best_add(bests, True, <float>value, choice(k, i))

    cdef u64 prefer_kept(self, Entry** there, int found, u64 best) noexcept nogil:
        """A kept move that lags behind the move visited most comes first."""
        cdef u32 i, most = 0, least = <u32>-1
        cdef u64 least_choice = 0
        cdef int k, kept
        cdef const Child* child
        cdef const Way* way
        for k in range(found):
            child = self.children(there[k].block)
            way = self.ways(there[k].block)
            for i in range(self.head(there[k].block).children):
                if child[i].visits > most:
                    most = child[i].visits
                if child[i].visits >= least:
                    continue
                for kept in range(self.kept_count):
                    if (way[i].what == <u32>self.kept[kept].what and way[i].detail == self.kept[kept].detail
                            and child[i].visits < self.kept_until[kept]):
                        least, least_choice = child[i].visits, choice(k, i)
                        break
        return least_choice if least_choice and least < most else best

    cdef void first_chance(self) noexcept nogil:
        """Chance after a root move, and a note of what it brought."""
        cdef Draw drawn[MAX_DRAWS]
        cdef int i, n = self.game.draws(self.game.rules, self.state, drawn)
        cdef u32 what
        cdef Stats* stats = self.first_stats
        self.first_draw = <u32>-1
        if n == 0:
            return
        if stats.draws == NOWHERE:
            stats.draws = self.take(n * sizeof(Drawn))
            if stats.draws:
                for i in range(n):
                    self.drawn(stats.draws)[i].what = drawn[i].what
                stats.draw_count = <u32>n
        what = self.game.next_draw(self.game.rules, self.state, self.world)
        for i in range(n):
            if drawn[i].what == what:
                self.first_draw = <u32>i
        self.game.draw(self.game.rules, self.state, what)

    cdef inline void chance(self) noexcept nogil:
        if self.game.draws(self.game.rules, self.state, NULL):
            self.game.draw(
                self.game.rules, self.state, self.game.next_draw(self.game.rules, self.state, self.world)
            )

    cdef void back_up(self, const Step* path, int depth, const Outcome* outcome) noexcept nogil:
        cdef double reward[MAX_PLAYERS]
        cdef double share, margin
        cdef int i, k, other
        for i in range(self.game.players):
            other = -(1 << 30)
            for k in range(self.game.players):
                if k != i and outcome.points[k] > other:
                    other = outcome.points[k]
            margin = (outcome.points[i] - other) / self.settings.margin_scale
            margin = 0.5 + 0.5 * margin / (1 + (margin if margin > 0 else -margin))
            share = outcome.share[i] / <double>WHOLE
            reward[i] = self.settings.win_part * share + (1 - self.settings.win_part) * margin
        for i in range(depth):
            if path[i].busy:
                self.pending[self.pending_count].step = path[i]
                self.pending[self.pending_count].reward = reward[path[i].who]
                self.pending_count += 1
            else:
                self.add_result(&path[i], reward[path[i].who])
        self.pending_simulations += 1
        if (self.pending_simulations >= min(BATCH, self.simulations // BATCH_PART)
                or self.pending_count > MAX_PENDING - MAX_PATH or self.seen_count > MAX_SEEN - MAX_PATH * MAX_LANES):
            self.write_down()
        if self.first_stats != NULL:
            self.note(self.first_stats, path[0].who, outcome, reward[path[0].who])

    cdef void write_down(self) noexcept nogil:
        """What was kept back from busy nodes."""
        cdef int i
        for i in range(self.pending_count):
            self.add_result(&self.pending[i].step, self.pending[i].reward)
        for i in range(self.seen_count):
            add(self.seen[i], 1, True)
        self.pending_count = self.pending_simulations = self.seen_count = 0

    cdef inline void add_result(self, const Step* step, double reward) noexcept nogil:
        cdef Child* child
        add(&step.node.visits, 1, step.busy)
        add_double(&step.node.sum, reward, step.busy)
        if step.block == NOWHERE:
            return
        add(&self.head(step.block).visits, 1, step.busy)
        if step.busy or not self.shared:
            self.count_visit(step)
        child = &self.children(step.block)[step.child]
        add_double(&child.sum, reward, step.busy)
        self.rate(&self.scores(step.block)[step.child], child)

    cdef inline void count_visit(self, const Step* step) noexcept nogil:
        """One visit more to a move, perhaps the first."""
        cdef Head* head = self.head(step.block)
        cdef Child* child = &self.children(step.block)[step.child]
        if add(&child.visits, 1, step.busy) == 0:
            if step.child >= head.reach:
                head.reach = step.child + 1
            if step.child == head.next:
                self.find_next(step.entry, step.block, step.child)

    cdef void note(self, Stats* stats, int who, const Outcome* outcome, double reward) noexcept nogil:
        """Adds a finished simulation to what the advice knows of its root move."""
        cdef i32 detail[MAX_PLAYERS * MAX_DETAILS]
        cdef Drawn* drawn
        cdef int k, players = self.game.players, other = -(1 << 30)
        cdef double share = outcome.share[who] / <double>WHOLE
        stats.visits += 1
        stats.share_squared += share * share
        stats.reward += reward
        stats.reward_squared += reward * reward
        for k in range(players):
            stats.sums[k] += outcome.share[k] / <double>WHOLE
            stats.sums[players + k] += outcome.points[k]
            if k != who and outcome.points[k] > other:
                other = outcome.points[k]
        if outcome.points[who] == other:
            stats.level += 1
            stats.level_share += share
        if self.game.details:
            self.game.detail(self.game.rules, self.state, detail)
            for k in range(players * self.game.details):
                stats.sums[2 * players + k] += detail[k]
        if stats.draws and self.first_draw != <u32>-1:
            drawn = &self.drawn(stats.draws)[self.first_draw]
            drawn.visits += 1
            drawn.share += share
            drawn.share_squared += share * share

    # ---- for Python -----------------------------------------------------------------------------------------

    def run(self, u64 simulations):
        """So many more simulations, without the GIL. A caller that wants to be interruptible asks for few."""
        cdef u64 i
        if self.game.to_move(self.game.rules, self.root.state) == OVER:
            raise ValueError("the game is over")
        with nogil:
            for i in range(simulations):
                self.simulate()
            self.write_down()

    @property
    def to_move(self):
        """Who moves at the root."""
        return self.game.to_move(self.game.rules, self.root.state)

    @property
    def room_to_keep(self):
        return self.kept_count < MAX_KEPT

    @property
    def bytes_used(self):
        return min(self.memory.used, self.memory.units) * 8

    @property
    def full(self):
        """The pool has no room left; the search goes on without growing."""
        return bool(self.memory.full)

    @property
    def mean_depth(self):
        return <double>self.path_sum / <double>self.simulations if self.simulations else 0.0

    def keep(self, what, detail, u32 until=0xFFFFFFFF):
        """From now on this legal root move is looked at as often as the one looked at most, or at least `until`
        it has so many visits."""
        cdef u64 wanted_what = what, wanted_detail = detail
        cdef Entry* entry
        cdef Stats* stats
        cdef u32 n
        cdef int k
        for k in range(self.kept_count):
            if self.kept[k].what == wanted_what and self.kept[k].detail == wanted_detail:
                self.kept_until[k] = max(self.kept_until[k], until)
                return
        if self.kept_count == MAX_KEPT:
            raise ValueError(f"expected at most {MAX_KEPT} moves to keep")
        if self.simulations == 0:
            self.run(1)  # the root gets its moves
        self.kept[self.kept_count].what = wanted_what
        self.kept[self.kept_count].detail = wanted_detail
        self.kept_until[self.kept_count] = until
        self.kept_count += 1
        if self.root_way(wanted_what, wanted_detail) != NULL:
            return
        # Not among those that a search looks at by itself: a block of its own.
        self.candidates.count = 0
        candidate_list_add(&self.candidates, wanted_what, wanted_detail, 0)
        entry = self.enter(self.node(self.first), KEPT_GROUP, 1)
        if entry == NULL or not self.make_block(entry, EVERYTHING, True):
            raise MemoryError("the pool is too small for a move to keep")
        self.index(self.node(self.first).index).entries += 1

    cdef Way* root_way(self, u64 what, u64 detail) noexcept:
        """A root move, if it has a place in the tree; else NULL."""
        cdef Index* index = self.index(self.node(self.first).index)
        cdef Entry* entry
        cdef Way* way
        cdef u32 i, k
        if self.node(self.first).index:
            for k in range(index.entries):
                entry = &entries_of(index)[k]
                way = self.ways(entry.block)
                for i in range(self.head(entry.block).children):
                    if way[i].what == what and way[i].detail == detail:
                        return &way[i]
        return NULL

    def moves(self):
        """A RootMove for each root move, most visits first."""
        cdef Index* index = self.index(self.node(self.first).index)
        cdef u32 i, k
        rows = []
        if self.node(self.first).index:
            for k in range(index.entries):
                for i in range(self.head(entries_of(index)[k].block).children):
                    rows.append(self.root_move(entries_of(index)[k].block, i))
        rows.sort(key=lambda row: (-row.visits, row.what, row.detail))
        return rows

    cdef root_move(self, u32 block, u32 i):
        """The sums of all threads together."""
        cdef int players = self.game.players, details = self.game.details, k
        cdef u32 thread, n
        cdef const Child* child = &self.children(block)[i]
        cdef const Way* way = &self.ways(block)[i]
        cdef const Stats* one
        cdef Stats stats
        cdef Drawn drawn[MAX_DRAWS]
        memset(&stats, 0, sizeof(stats))
        memset(drawn, 0, sizeof(drawn))
        for thread in range(self.threads):
            one = self.stats(block, i, thread)
            stats.visits += one.visits
            stats.share_squared += one.share_squared
            stats.reward += one.reward
            stats.reward_squared += one.reward_squared
            stats.level_share += one.level_share
            stats.level += one.level
            for k in range(players * (2 + details)):
                stats.sums[k] += one.sums[k]
            if one.draws:  # the same draws in the same order for every thread
                stats.draw_count = one.draw_count
                for n in range(one.draw_count):
                    drawn[n].what = self.drawn(one.draws)[n].what
                    drawn[n].visits += self.drawn(one.draws)[n].visits
                    drawn[n].share += self.drawn(one.draws)[n].share
                    drawn[n].share_squared += self.drawn(one.draws)[n].share_squared
        return RootMove(
            way.what, way.detail, stats.visits, child.weight, stats.reward, stats.reward_squared,
            tuple([stats.sums[k] for k in range(players)]), stats.share_squared,
            tuple([stats.sums[players + k] for k in range(players)]),
            tuple([
                tuple([stats.sums[2 * players + details * who + k] for k in range(details)]) for who in range(players)
            ]),
            stats.level, stats.level_share,
            [(drawn[k].what, drawn[k].visits, drawn[k].share, drawn[k].share_squared)
             for k in range(<int>stats.draw_count)],
        )

    cdef Node* node_after(self, u64 what, u64 detail) noexcept:
        """The node below a root move, or NULL."""
        cdef Way* way = self.root_way(what, detail)
        return self.node(way.node) if way != NULL and way.node else NULL

    def replies(self, what, detail):
        """What was played next after a root move: {group: visits}."""
        cdef Node* node = self.node_after(what, detail)
        cdef Index* index
        cdef u32 k, block
        found = {}
        if node != NULL and node.index:
            index = self.index(node.index)
            for k in range(index.entries):
                block = entries_of(index)[k].block
                if block:
                    group = groups_of(index)[k]
                    found[group] = found.get(group, 0) + self.head(block).visits
        return found

    def line(self, first=None, int longest=8):
        """The expected line, behind a root move or from the root: from each node the move visited most, as long
        as it was visited 20 times; each as (what, detail, group, visits).

        Groups that are rarely there (a tile that happened to be drawn) count by how often they were.
        """
        cdef Node* node = self.node(self.first) if first is None else self.node_after(first[0], first[1])
        cdef Index* index
        cdef Entry* entry
        cdef Child* child
        cdef Way* way
        cdef u32 i, k, best, group = 0
        moves = []
        while node != NULL and node.index and len(moves) < longest:
            best = 0
            index = self.index(node.index)
            for k in range(index.entries):
                entry = &entries_of(index)[k]
                if entry.block == NOWHERE:
                    continue
                child = self.children(entry.block)
                for i in range(self.head(entry.block).children):
                    if child[i].visits > best:
                        best, group, way = child[i].visits, groups_of(index)[k], &self.ways(entry.block)[i]
            if best < 20:
                break
            moves.append((way.what, way.detail, group, best))
            node = self.node(way.node) if way.node else NULL
        return moves

    def best(self):
        """The move visited most, as (what, detail); of equals the one with the better mean."""
        rows = self.moves()
        row = max(rows, key=lambda row: (row.visits, row.mean_reward, -row.what, -row.detail))
        return row.what, row.detail
