"""A tree that grows: where its memory comes from, how nodes get their moves, and when they are copied.

A simulation calls the inline methods at every step.
"""

from ..common.atomics cimport add_u64, bump_u64, lock, peek, peek_u64, try_lock
from ..common.ints cimport u32, u64
from ..game cimport EVERYTHING, FEW, CandidateList, Game, GameState
from .best cimport Score, make_score, set_score, whole_fours
from .layout cimport (
    BORROWED, Drawn, Entry, Head, Node, Place, Segment, Split, Stats, Way, mean_of, sum_of, visits_of,
)
from .settings cimport Settings

cdef enum:
    NEVER = 0xFFFFFFFF


cdef class Pool:
    cdef u64* item
    cdef u64 used  # units of 8 bytes
    cdef u64 units
    cdef u64 chunk  # units that are taken at a time
    cdef u32 full  # no room left; the search goes on without growing

    cdef u64 take(self, u64 units, bint shared) noexcept nogil


# What a thread has taken of the pool and not yet used.
cdef struct Chunk:
    u64 at
    u64 end


cdef class GrowingTree:
    cdef GameState root
    cdef Game game
    cdef Settings settings
    cdef void* scratch
    cdef void* state  # at the node that is to grow
    cdef int draw_count  # how many draws there were to choose from on the way to it
    cdef CandidateList candidates
    cdef Pool memory
    cdef u64* pool  # its items
    cdef Chunk small  # for nodes and segments
    cdef Chunk lines  # for blocks
    cdef bint shared
    cdef u32 threads  # that grow it
    cdef u32 stripes  # of every tally in it
    cdef u32 stripe  # this thread's ...
    cdef bint own_stripe  # ... and nobody else's
    cdef u32 most_visits  # in one stripe
    cdef u32 first  # the root's node
    cdef size_t stats_size

    # ---- the pool ---------------------------------------------------------------------------------------

    cdef u32 take(self, size_t size) noexcept nogil
    cdef u32 take_from(self, Chunk* chunk, u64 units) noexcept nogil
    cdef u32 take_block(self, u32 children) noexcept nogil
    cdef u32 take_node(self) noexcept nogil

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
        """All stripes of the first child's tally, then those of the next."""
        return <u64*>(self.weights(block) + whole_fours(self.head(block).children))

    cdef inline Way* ways(self, u32 block) noexcept nogil:
        return <Way*>(self.tallies(block) + self.head(block).children * self.stripes)

    cdef inline Stats* stats(self, u32 block, u32 i, u32 thread) noexcept nogil:
        """Of a root move."""
        return <Stats*>(
            <char*>(self.pool + self.head(block).stats)
            + (<u64>thread * self.head(block).children + i) * self.stats_size
        )

    cdef inline Drawn* drawn(self, u32 at) noexcept nogil:
        return <Drawn*>(self.pool + at)

    # ---- tallies -----------------------------------------------------------------------------------------

    cdef inline u64 node_tally(self, const Node* node) noexcept nogil:
        return sum_of(&node.tally, self.stripes)

    cdef inline u64 child_tally(self, u32 block, u32 child) noexcept nogil:
        return sum_of(self.tallies(block) + child * self.stripes, self.stripes)

    cdef inline void add_to(self, u64* tally, u64 more) noexcept nogil:
        """To this thread's stripe."""
        tally += self.stripe
        if visits_of(peek_u64(tally)) >= self.most_visits:
            return
        if self.own_stripe:
            bump_u64(tally, more)
        else:
            add_u64(tally, more, True)

    cdef inline void add_to_child(self, u32 block, u32 child, u64 more) noexcept nogil:
        """What is compared follows from the tally, but is written apart from it. A thread that is put aside in between would
        leave there what was long overtaken, so each looks again after it wrote. Two that write in the same moment may still
        leave out the newest result, until the next one."""
        cdef u64 rated, now
        self.add_to(self.tallies(block) + child * self.stripes, more)
        now = self.child_tally(block, child)
        while True:
            rated = now
            self.rate(block, child, rated)
            if not self.shared:
                return
            now = self.child_tally(block, child)
            if now == rated:
                return

    cdef inline void rate(self, u32 block, u32 child, u64 tally) noexcept nogil:
        """What is compared, after a change of what it follows from."""
        set_score(&self.scores(block)[child], make_score(<float>mean_of(tally), 1 / (1 + <float>visits_of(tally))))

    # ---- growing -----------------------------------------------------------------------------------------

    cdef u32 make_block(self, u32 extent, bint at_root) noexcept nogil
    cdef float candidate_weights(self) noexcept nogil
    cdef void drop_known(self, u32 first) noexcept nogil
    cdef Entry* enter(self, Node* node, u32 group, int expected) noexcept nogil
    cdef void entered(self, Node* node) noexcept nogil
    cdef int add_groups(self, Node* node, const u32* lanes, u32 there, u32 missing, bint at_root) except -1 nogil
    cdef bint has_group(self, const Node* node, u32 group) noexcept nogil
    cdef void vary(self, Node* node, u32 lane) noexcept nogil
    cdef int find(self, u32 group, u32 extent) except -1 nogil
    cdef int grow(self, Entry* entry, u32 group, bint at_root) except -1 nogil
    cdef bint first_block(self, Entry* entry, u32 group) except -1 nogil

    cdef inline u32 growing_at(self, u32 extent) noexcept nogil:
        """Visits to a group at which it is tried to get more moves than it has."""
        if extent == EVERYTHING:
            return NEVER
        return self.settings.grow_main if extent == FEW else 8 * self.settings.grow_everything

    cdef inline bint lock_to_grow(self, Node* node, Head* head) noexcept nogil:
        """False when another thread is at it. Nobody goes on for long without what it is going to bring."""
        if peek(&head.visits) // 2 < peek(&head.grow_at):
            return try_lock(&node.lock, self.shared)
        lock(&node.lock, self.shared)
        return True

    # ---- root moves --------------------------------------------------------------------------------------

    cdef Place place_of(self, u32 first, u32 what, u64 detail) noexcept nogil
    cdef Place root_place(self, u64 what, u64 detail) noexcept
    cdef u32 asked_block(self) noexcept nogil
    cdef int add_asked(self, u64 what, u64 detail) except -1

    # ---- copies ------------------------------------------------------------------------------------------

    cdef u32 copy_node(self, Node* source, bint only_there) noexcept nogil
    cdef bint copy_blocks(self, u32 block, u32 known, Entry* entry, u32* visits) noexcept nogil
    cdef Node* behind(self, Way* way, u64 tally, u32 drew, bint* closed) noexcept nogil
