"""Information-set Monte Carlo tree search, for any game behind the seam.

Every simulation shuffles what is hidden into a world of its own, walks down the tree in that world, plays on
to the end and adds the result to the moves it came through. The tree is shared between worlds: a node
stands for the moves that led to it, whatever was drawn between them, so no plan can lean on one order of
the piles. What can be played in a node differs from world to world; it is kept by group (see `game`), each
with the number of times it was there, and a move competes only for those.

    node --- block (group 1) --- block (group 2) --- ...        one list a node
      |        |  move, weight, visits, sum, node below         an array a block
      +----- group 1, group 2, ...                              an index of the list: a glance finds who is there

Selection is PUCT: mean reward so far, plus a share of what is still to be explored by the move's weight.
A block starts with a few moves and grows when it is visited often: first to one way to play each choice, then to
every way that the game's pruning leaves.

Nodes, blocks and moves lie in one pool of fixed size, addressed in units of 8 bytes. When it is full the
search goes on in the tree it has.
"""

from typing import NamedTuple

from libc.math cimport log, sqrt
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memcpy, memset

from ..common.ints cimport i32, u32, u64
from ..common.rng cimport rng_seed
from ..game cimport (
    EVERYTHING, FEW, GROUP_SHIFT, MAIN, MAX_DETAILS, MAX_DRAWS, MAX_LANES, MAX_PLAYERS, OVER, WHOLE, Candidate,
    CandidateList, Draw, Game, GameState, Move, Outcome,
)

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define ORBIS_PREFETCH(p) __builtin_prefetch(p)
    #else
    #define ORBIS_PREFETCH(p) ((void)(p))
    #endif

    /* Adding in a tree that several threads share, or in one that has a single thread: then it costs nothing. */
    #include <stdint.h>
    #include <string.h>
    static inline uint32_t orbis_add(uint32_t *at, uint32_t by, int shared) {
        uint32_t before;
        if (shared)
            return __atomic_fetch_add(at, by, __ATOMIC_RELAXED);
        before = *at;
        *at = before + by;
        return before;
    }
    static inline void orbis_add_double(double *at, double by, int shared) {
        uint64_t before, after;
        double value;
        if (!shared) {
            *at += by;
            return;
        }
        before = __atomic_load_n((uint64_t *)at, __ATOMIC_RELAXED);
        do {
            memcpy(&value, &before, 8);
            value += by;
            memcpy(&after, &value, 8);
        } while (!__atomic_compare_exchange_n((uint64_t *)at, &before, after, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    }
    static inline uint64_t orbis_add_u64(uint64_t *at, uint64_t by) {
        return __atomic_fetch_add(at, by, __ATOMIC_RELAXED);
    }
    static inline int orbis_try_lock(uint32_t *lock, int shared) {
        return !shared || !__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE);
    }
    static inline void orbis_lock(uint32_t *lock, int shared) {
        while (!orbis_try_lock(lock, shared)) {}
    }
    static inline void orbis_unlock(uint32_t *lock, int shared) {
        if (shared)
            __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    }
    static inline int orbis_put(uint32_t *at, uint32_t value, int shared) {
        uint32_t nothing = 0;
        if (shared)
            return __atomic_compare_exchange_n(at, &nothing, value, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
        *at = value;
        return 1;
    }
    #define ORBIS_GET(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
    #define ORBIS_SET(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
    """
    void prefetch "ORBIS_PREFETCH"(const void* where) noexcept nogil
    u32 add "orbis_add"(u32* at, u32 by, bint shared) noexcept nogil  # returns what was there before
    u64 add_u64 "orbis_add_u64"(u64* at, u64 by) noexcept nogil
    void add_double "orbis_add_double"(double* at, double by, bint shared) noexcept nogil
    bint try_lock "orbis_try_lock"(u32* lock, bint shared) noexcept nogil
    void lock "orbis_lock"(u32* lock, bint shared) noexcept nogil
    void unlock "orbis_unlock"(u32* lock, bint shared) noexcept nogil
    bint put "orbis_put"(u32* at, u32 value, bint shared) noexcept nogil  # where nothing is yet; False if something is
    u32 get "ORBIS_GET"(const u32* at) noexcept nogil  # with all that was written before it was set
    void set_ "ORBIS_SET"(u32* at, u32 value) noexcept nogil

cdef enum:
    MAX_PATH = 128
    INSERTION_MOST = 48  # candidates up to which sorting by insertion is quicker
    NOWHERE = 0
    MAX_KEPT = 64
    KEPT_GROUP = MAX_LANES << GROUP_SHIFT  # of all of those
    KEPT = EVERYTHING + 1  # extent of a block that holds a move only because somebody asked for it


cdef struct Node:  # 32 bytes
    u32 blocks
    u32 visits
    double sum  # of rewards for the player to move here
    u32 index  # an array of Entry, in the order of the blocks
    u32 entries
    u32 room
    u32 lock  # held by the thread that adds blocks or lets them grow


cdef struct Entry:
    u32 group
    u32 block


cdef struct Block:  # 40 bytes, its children behind it
    u32 group
    u32 next
    u32 children
    u32 tried  # children with visits
    u32 there  # visits to the node in which this group was there
    u32 visits  # of those, times one of these moves was played
    u32 extent
    u32 stats  # of the root's blocks: an array of Stats, one a child
    float weight  # of all children
    u32 grow_at  # visits at which to try to grow


cdef struct Child:  # 32 bytes
    u64 detail
    u32 what  # every packed move fits in the low half
    u32 node
    double sum
    u32 visits
    float weight


# What the advice needs to know of a root move: sums over the simulations that began with it.
cdef struct Stats:
    double share[MAX_PLAYERS]
    double points[MAX_PLAYERS]
    double detail[MAX_PLAYERS * MAX_DETAILS]
    double share_squared  # of the player to move
    double reward_squared
    double level_share  # the mover's share where points were level with the best of the others
    u32 level  # how often they were
    u32 draws  # an array of Drawn, one for each draw that can follow; NOWHERE before the first visit
    u32 draw_count


cdef struct Drawn:
    double share
    double share_squared
    u32 what
    u32 visits


cdef struct Step:
    u32 node
    u32 block
    u32 child
    u32 index
    int who


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


cdef class Pool:
    """The memory of a tree, or of several that grow the same one in threads of their own."""

    cdef u64* item
    cdef u64 used  # units of 8 bytes
    cdef u64 units
    cdef bint full  # no room left; the search goes on without growing
    cdef bint shared
    cdef u32 lock  # for the sums of root moves

    def __cinit__(self, size_t size):
        self.units = min(size // 8, <size_t>0xFFFFFFF0)
        self.item = <u64*>malloc(self.units * 8)
        if self.item == NULL:
            raise MemoryError(f"no memory for a tree of {size} bytes")
        self.used = 1  # address 0 is nowhere

    def __dealloc__(self):
        free(self.item)

    cdef u32 take(self, size_t size) noexcept nogil:
        """Room for so many bytes, zeroed, or NOWHERE when the pool is full."""
        cdef u64 units = (size + 7) // 8, at
        if self.used + units > self.units:
            self.full = True
            return NOWHERE
        if self.shared:
            at = add_u64(&self.used, units)
            if at + units > self.units:
                self.full = True
                return NOWHERE
        else:
            at = self.used
            self.used += units
        memset(self.item + at, 0, units * 8)
        return <u32>at


cdef class Tree:
    """One search tree from one root, for one thread. Several threads either have each their own, or each a fork
    of one, which shares its nodes.

    In a shared tree a thread counts its visits on the way down, before it has a result, so that the others
    look elsewhere meanwhile. Who adds to a node holds its lock; the others do with what is there. A block that
    grows is replaced, never moved, so whoever still reads the old one reads something true, and only what it
    adds there is lost.
    """

    cdef Game game
    cdef GameState root
    cdef Settings settings
    cdef void* scratch
    cdef void* state
    cdef void* world
    cdef Pool memory
    cdef u64* pool  # its items
    cdef bint shared
    cdef u64 rng
    cdef CandidateList candidates
    cdef readonly u64 simulations
    cdef readonly u64 nodes
    cdef u64 path_sum
    cdef readonly int deepest
    cdef Move kept[MAX_KEPT]  # root moves to be looked at as often as any other ...
    cdef u32 kept_until[MAX_KEPT]  # ... or at least so often
    cdef int kept_count
    cdef u32 first_draw  # index of what chance brought after the root move of this simulation

    def __cinit__(
        self, GameState root, u64 seed=0, size_t pool_bytes=64 << 20, double exploration=1.0, double win_part=0.5,
        double margin_scale=12.0, double first_play=0.05, u32 expand_after=1, u32 grow_main=24,
        u32 grow_everything=16, int playout_style=3, bint plain=False, Tree fork_of=None,
    ):
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
        memset(&self.candidates, 0, sizeof(self.candidates))
        self.rng = rng_seed(seed)
        self.scratch = self.game.scratch_new()
        self.state = malloc(self.game.state_size)
        self.world = malloc(self.game.world_size)
        if self.scratch == NULL or self.state == NULL or self.world == NULL:
            raise MemoryError()
        if fork_of is not None:
            self.settings = fork_of.settings
            self.memory = fork_of.memory
            self.memory.shared = self.shared = fork_of.shared = True
            memcpy(self.kept, fork_of.kept, sizeof(self.kept))
            memcpy(self.kept_until, fork_of.kept_until, sizeof(self.kept_until))
            self.kept_count = fork_of.kept_count
        else:
            self.memory = Pool(pool_bytes)
            if self.memory.take(sizeof(Node)) == NOWHERE:
                raise MemoryError("the pool is too small for a root")
        self.pool = self.memory.item

    def __dealloc__(self):
        if self.scratch != NULL:
            self.game.scratch_free(self.scratch)
        free(self.state)
        free(self.world)
        free(self.candidates.item)

    def fork(self, u64 seed):
        """Another tree that grows this one, in a thread of its own."""
        return Tree(self.root, seed, fork_of=self)

    # ---- the pool ---------------------------------------------------------------------------------------

    cdef inline u32 take(self, size_t size) noexcept nogil:
        return self.memory.take(size)

    cdef inline Node* node(self, u32 at) noexcept nogil:
        return <Node*>(self.pool + at)

    cdef inline Block* block(self, u32 at) noexcept nogil:
        return <Block*>(self.pool + at)

    cdef inline Child* children(self, u32 block) noexcept nogil:
        return <Child*>(self.pool + block + sizeof(Block) // 8)

    cdef inline Entry* index(self, const Node* node) noexcept nogil:
        return <Entry*>(self.pool + node.index)

    cdef inline Stats* stats(self, u32 at) noexcept nogil:
        return <Stats*>(self.pool + at)

    cdef inline Drawn* drawn(self, u32 at) noexcept nogil:
        return <Drawn*>(self.pool + at)

    # ---- growing -----------------------------------------------------------------------------------------

    cdef u32 make_block(
        self, const void* state, u32 group, u32 extent, bint at_root, size_t most
    ) except? 0xFFFFFFFF nogil:
        """A block of the group's moves, heaviest first; NOWHERE when they are more than `most` or the pool is
        full."""
        cdef CandidateList* found = &self.candidates
        cdef u32 at, i
        cdef Block* block
        cdef Child* child
        found.count = 0
        self.game.candidates(self.game.rules, self.scratch, state, group, extent, found)
        if at_root:
            self.drop_kept(found)
        if found.count > most:
            return NOWHERE
        sort_by_weight(found.item, found.count)
        at = self.take(sizeof(Block) + found.count * sizeof(Child))
        if at == NOWHERE:
            return NOWHERE
        block = self.block(at)
        block.group = group
        block.extent = extent
        block.children = <u32>found.count
        block.grow_at = self.settings.grow_main if extent == FEW else 8 * self.settings.grow_everything
        child = self.children(at)
        for i in range(block.children):
            child[i].what = <u32>found.item[i].move.what
            child[i].detail = found.item[i].move.detail
            child[i].weight = found.item[i].weight
            block.weight += found.item[i].weight
        if at_root:
            block.stats = self.take(block.children * sizeof(Stats))
            if block.stats == NOWHERE:
                return NOWHERE
        return at

    cdef void drop_kept(self, CandidateList* found) noexcept nogil:
        """A move that has a block of its own is in no other."""
        cdef size_t i, kept = 0
        cdef u32 at
        if self.kept_count == 0:
            return
        for i in range(found.count):
            at = self.node(1).blocks
            while at and not (
                self.block(at).extent == KEPT and self.children(at).what == <u32>found.item[i].move.what
                and self.children(at).detail == found.item[i].move.detail
            ):
                at = self.block(at).next
            if at == NOWHERE:
                found.item[kept] = found.item[i]
                kept += 1
        found.count = kept

    cdef bint enter(self, Node* node, u32 group, u32 block) noexcept nogil:
        """Puts a new block at the end of the node's list and index; False when the pool is full."""
        cdef Entry* entry
        cdef u32 at, room
        if node.entries == node.room:
            room = node.room + node.room // 2 + 4 if node.room else 12
            at = self.take(room * sizeof(Entry))
            if at == NOWHERE:
                return False
            if node.entries:
                memcpy(self.pool + at, self.pool + node.index, node.entries * sizeof(Entry))
            set_(&node.index, at)
            node.room = room
        entry = &self.index(node)[node.entries]
        if node.entries:
            self.block((entry - 1).block).next = block
        else:
            node.blocks = block
        entry.group = group
        entry.block = block
        set_(&node.entries, node.entries + 1)
        return True

    cdef u32 grow(self, const void* state, Node* node, u32 old, u32 extent, bint at_root) except? 0xFFFFFFFF nogil:
        """Puts a larger block in the old one's place, with all that is known of its moves."""
        cdef Block* block
        cdef Block* before = self.block(old)
        cdef Child* child
        cdef Child* known = self.children(old)
        cdef u32 at, i, k, place = 0
        while place < node.entries and self.index(node)[place].block != old:
            place += 1
        if place == node.entries:
            return old  # another thread has let it grow
        # Everything can be thousands: only once there are visits enough to go round.
        cdef size_t most = before.visits // self.settings.grow_everything if extent == EVERYTHING else <size_t>-1
        at = self.make_block(state, before.group, extent, at_root, most)
        if at == NOWHERE:
            before.grow_at = 2 * before.grow_at
            return old
        block = self.block(at)
        child = self.children(at)
        if extent == MAIN and block.grow_at <= before.visits:
            block.grow_at = before.visits + 1
        block.next, block.tried, block.there, block.visits = before.next, before.tried, before.there, before.visits
        for i in range(before.children):
            if known[i].visits == 0:
                continue
            for k in range(block.children):
                if child[k].what == known[i].what and child[k].detail == known[i].detail:
                    child[k].sum, child[k].visits, child[k].node = known[i].sum, known[i].visits, known[i].node
                    if at_root:
                        self.stats(block.stats)[k] = self.stats(before.stats)[i]
                    break
        set_(&self.index(node)[place].block, at)
        if place:
            self.block(self.index(node)[place - 1].block).next = at
        else:
            node.blocks = at
        return at

    # ---- one simulation ----------------------------------------------------------------------------------

    cdef int simulate(self) except -1 nogil:
        cdef Game* game = &self.game
        cdef const Settings* settings = &self.settings
        cdef Step path[MAX_PATH]
        cdef u32 groups[MAX_LANES]
        cdef u32 lanes[MAX_LANES + 1]
        cdef u32 there[MAX_LANES + MAX_KEPT]
        cdef u32 here = 1, at, missing, best_block, best_index, i, untried, visits, entries
        cdef bint is_locked
        cdef int depth = 0, who, n, lane, found, k
        cdef Node* node
        cdef Block* block
        cdef Entry* entry
        cdef Child* child
        cdef Move move
        cdef double weights, score, best_score, mean, untried_value, per_weight
        cdef Outcome outcome

        # 1. A world of its own. The root itself may be waiting for chance.
        memcpy(self.state, self.root.state, game.state_size)
        game.determinize(game.rules, self.state, &self.rng, self.world)
        self.chance()

        # 2. Down the tree.
        while True:
            who = game.to_move(game.rules, self.state)
            if who == OVER:
                break
            node = self.node(here)
            visits = add(&node.visits, 1, self.shared)
            if depth == MAX_PATH or (node.blocks == NOWHERE and depth and (
                    visits < settings.expand_after or self.memory.full)):
                path[depth].node = here
                path[depth].block = NOWHERE
                path[depth].who = who
                depth += 1
                break

            # 2a. What is there in this world; a group never seen here gets its block.
            n = game.groups(game.rules, self.state, groups)
            memset(lanes, 0xFF, sizeof(lanes))
            if depth == 0:
                lanes[MAX_LANES] = KEPT_GROUP
            missing = 0
            for lane in range(n):
                lanes[groups[lane] >> GROUP_SHIFT] = groups[lane]
                missing |= <u32>1 << (groups[lane] >> GROUP_SHIFT)
            found = 0
            entries = get(&node.entries)  # before the index, which only ever gets longer
            entry = self.index(node)
            for i in range(entries):
                if lanes[entry[i].group >> GROUP_SHIFT] == entry[i].group:
                    missing &= ~(<u32>1 << (entry[i].group >> GROUP_SHIFT))
                    there[found] = entry[i].block
                    found += 1
                    prefetch(self.pool + entry[i].block)
                    prefetch(self.pool + entry[i].block + 8)
            weights = 0
            for k in range(found):
                block = self.block(there[k])
                add(&block.there, 1, self.shared)
                weights += block.weight
            if missing and not try_lock(&node.lock, self.shared):
                missing = 0  # another thread is at it; this time without those
            elif missing and entries != node.entries:
                unlock(&node.lock, self.shared)  # one was at it just now
                missing = 0
            is_locked = missing != 0
            for lane in range(n):
                if missing == 0:
                    break
                if not missing >> (groups[lane] >> GROUP_SHIFT) & 1:
                    continue
                at = self.make_block(
                    self.state, groups[lane], MAIN if depth == 0 or settings.plain else FEW, depth == 0, <size_t>-1
                )
                if at == NOWHERE or not self.enter(node, groups[lane], at):
                    continue
                self.block(at).there = 1
                weights += self.block(at).weight
                there[found] = at
                found += 1
            if is_locked:
                unlock(&node.lock, self.shared)

            # 2b. The best of them by PUCT. Of the moves of a block not tried yet only the heaviest counts.
            best_score = -1e30
            best_block = NOWHERE
            best_index = 0
            mean = node.sum / visits if visits else 0.5
            untried_value = mean - settings.first_play
            for k in range(found):
                at = there[k]
                block = self.block(at)
                # 2c. A block that is visited often grows.
                if block.visits >= block.grow_at and block.extent < EVERYTHING and try_lock(&node.lock, self.shared):
                    weights -= block.weight
                    at = self.grow(self.state, node, at, block.extent + 1, depth == 0)
                    unlock(&node.lock, self.shared)
                    block = self.block(at)
                    weights += block.weight
                child = self.children(at)
                if settings.plain:
                    self.best_plain(block, child, at, &best_score, &best_block, &best_index)
                    continue
                per_weight = settings.exploration * sqrt(<double>block.there) / weights
                untried = 0
                missing = block.tried  # children with visits still to come
                for i in range(block.children):
                    if child[i].visits:
                        missing -= 1
                        score = child[i].sum / child[i].visits + per_weight * child[i].weight / (1 + child[i].visits)
                    elif untried:
                        continue
                    else:
                        untried = 1
                        score = untried_value + per_weight * child[i].weight
                    if score > best_score:
                        best_score, best_block, best_index = score, at, i
                    if untried and missing == 0:
                        break
            if depth == 0 and self.kept_count:
                self.prefer_kept(&best_block, &best_index)
            path[depth].node = here
            path[depth].block = best_block
            path[depth].index = best_index
            path[depth].who = who
            depth += 1
            if best_block == NOWHERE:
                break  # nothing fits in the pool any more, or another thread is just making the first moves

            # 2d. Play it, and what chance brings in this world.
            child = &self.children(best_block)[best_index]
            if add(&child.visits, 1, self.shared) == 0:
                add(&self.block(best_block).tried, 1, self.shared)
            move.what = child.what
            move.detail = child.detail
            game.apply(game.rules, self.state, &move)
            if depth == 1:
                self.first_chance(best_block, best_index)
            else:
                self.chance()
            if child.node == NOWHERE:
                if game.to_move(game.rules, self.state) == OVER:
                    break
                at = self.take(sizeof(Node))
                if at == NOWHERE:
                    break
                self.nodes += put(&child.node, at, self.shared)
            here = child.node

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

    cdef void best_plain(
        self, const Block* block, const Child* child, u32 at, double* best_score, u32* best_block, u32* best_index
    ) noexcept nogil:
        """UCB1, with the times the group was there in the place of the node's visits."""
        cdef u32 i
        cdef double score, spread = log(<double>block.there)
        for i in range(block.children):
            if child[i].visits:
                score = child[i].sum / child[i].visits + self.settings.exploration * sqrt(spread / child[i].visits)
            else:
                score = 1e6 + <double>((self.rng ^ <u64>0x9E3779B97F4A7C15 * (at + i)) >> 40)
            if score > best_score[0]:
                best_score[0], best_block[0], best_index[0] = score, at, i

    cdef void prefer_kept(self, u32* best_block, u32* best_index) noexcept nogil:
        """A kept move that lags behind the move visited most comes first."""
        cdef u32 at = self.node(1).blocks, i, most = 0, least = <u32>-1, least_block = NOWHERE, least_index = 0
        cdef int k
        cdef Child* child
        while at:
            child = self.children(at)
            for i in range(self.block(at).children):
                if child[i].visits > most:
                    most = child[i].visits
                if child[i].visits >= least:
                    continue
                for k in range(self.kept_count):
                    if (child[i].what == <u32>self.kept[k].what and child[i].detail == self.kept[k].detail
                            and child[i].visits < self.kept_until[k]):
                        least, least_block, least_index = child[i].visits, at, i
                        break
            at = self.block(at).next
        if least_block and least < most:
            best_block[0], best_index[0] = least_block, least_index

    cdef void first_chance(self, u32 block, u32 index) noexcept nogil:
        """Chance after a root move, and a note of what it brought."""
        cdef Draw drawn[MAX_DRAWS]
        cdef int i, n = self.game.draws(self.game.rules, self.state, drawn)
        cdef u32 what, at
        cdef Stats* stats
        self.first_draw = <u32>-1
        if n == 0:
            return
        stats = &self.stats(self.block(block).stats)[index]
        if stats.draws == NOWHERE:
            lock(&self.memory.lock, self.shared)
            at = self.take(n * sizeof(Drawn)) if stats.draws == NOWHERE else NOWHERE
            if at:
                for i in range(n):
                    self.drawn(at)[i].what = drawn[i].what
                stats.draw_count = <u32>n
                set_(&stats.draws, at)
            unlock(&self.memory.lock, self.shared)
        what = self.game.next_draw(self.game.rules, self.state, self.world)
        for i in range(n):
            if drawn[i].what == what:
                self.first_draw = <u32>i
        self.game.draw(self.game.rules, self.state, what)

    cdef inline void chance(self) noexcept nogil:
        cdef Draw drawn[MAX_DRAWS]
        if self.game.draws(self.game.rules, self.state, drawn):
            self.game.draw(
                self.game.rules, self.state, self.game.next_draw(self.game.rules, self.state, self.world)
            )

    cdef void back_up(self, const Step* path, int depth, const Outcome* outcome) noexcept nogil:
        cdef double reward[MAX_PLAYERS]
        cdef double share, margin
        cdef int i, k, other
        cdef Block* block
        cdef Child* child
        cdef Stats* stats
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
            add_double(&self.node(path[i].node).sum, reward[path[i].who], self.shared)
            if path[i].block == NOWHERE:
                continue
            block = self.block(path[i].block)
            add(&block.visits, 1, self.shared)
            child = &self.children(path[i].block)[path[i].index]
            add_double(&child.sum, reward[path[i].who], self.shared)
            if block.stats:
                lock(&self.memory.lock, self.shared)
                self.note(&self.stats(block.stats)[path[i].index], path[i].who, outcome, reward[path[i].who])
                unlock(&self.memory.lock, self.shared)

    cdef void note(self, Stats* stats, int who, const Outcome* outcome, double reward) noexcept nogil:
        """Adds a finished simulation to what the advice knows of its root move."""
        cdef i32 detail[MAX_PLAYERS * MAX_DETAILS]
        cdef Drawn* drawn
        cdef int k, other = -(1 << 30)
        cdef double share = outcome.share[who] / <double>WHOLE
        stats.share_squared += share * share
        stats.reward_squared += reward * reward
        for k in range(self.game.players):
            stats.share[k] += outcome.share[k] / <double>WHOLE
            stats.points[k] += outcome.points[k]
            if k != who and outcome.points[k] > other:
                other = outcome.points[k]
        if outcome.points[who] == other:
            stats.level += 1
            stats.level_share += share
        if self.game.details:
            self.game.detail(self.game.rules, self.state, detail)
            for k in range(self.game.players * self.game.details):
                stats.detail[k] += detail[k]
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
        return self.path_sum / self.simulations if self.simulations else 0.0

    def keep(self, what, detail, u32 until=0xFFFFFFFF):
        """From now on this legal root move is looked at as often as the one looked at most, or at least `until`
        it has so many visits."""
        cdef u32 at
        cdef u64 wanted_what = what, wanted_detail = detail
        cdef Block* block
        cdef bint found = False
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
        at = self.node(1).blocks
        while at:
            for k in range(<int>self.block(at).children):
                found = found or (
                    self.children(at)[k].what == wanted_what and self.children(at)[k].detail == wanted_detail
                )
            at = self.block(at).next
        if found:
            return
        # Not among those that a search looks at by itself: a block of its own.
        at = self.take(sizeof(Block) + sizeof(Child))
        if at:
            block = self.block(at)
            block.group = KEPT_GROUP
            block.extent = KEPT
            block.children = 1
            block.grow_at = <u32>-1
            block.stats = self.take(sizeof(Stats))
            block.there = <u32>min(self.simulations, <u64>0xFFFFFFFF)
        if at == NOWHERE or block.stats == NOWHERE or not self.enter(self.node(1), KEPT_GROUP, at):
            raise MemoryError("the pool is too small for a move to keep")
        self.children(at).what = <u32>wanted_what
        self.children(at).detail = wanted_detail

    def moves(self):
        """A RootMove for each root move, most visits first."""
        cdef u32 at = self.node(1).blocks, i
        cdef Block* block
        cdef Child* child
        rows = []
        while at:
            block = self.block(at)
            child = self.children(at)
            for i in range(block.children):
                rows.append(self.root_move(&child[i], &self.stats(block.stats)[i]))
            at = block.next
        rows.sort(key=lambda row: (-row.visits, row.what, row.detail))
        return rows

    cdef root_move(self, const Child* child, const Stats* stats):
        cdef int players = self.game.players, details = self.game.details, i, k
        cdef Drawn* drawn = self.drawn(stats.draws) if stats.draws else NULL
        return RootMove(
            child.what, child.detail, child.visits, child.weight, child.sum, stats.reward_squared,
            tuple([stats.share[k] for k in range(players)]), stats.share_squared,
            tuple([stats.points[k] for k in range(players)]),
            tuple([tuple([stats.detail[details * i + k] for k in range(details)]) for i in range(players)]),
            stats.level, stats.level_share,
            [(drawn[k].what, drawn[k].visits, drawn[k].share, drawn[k].share_squared)
             for k in range(<int>stats.draw_count)],
        )

    def replies(self, what, detail):
        """What was played next after a root move: {group: visits}."""
        cdef u32 here = self.node_after(what, detail), at
        found = {}
        if here:
            at = self.node(here).blocks
            while at:
                if self.block(at).visits:
                    group = self.block(at).group
                    found[group] = found.get(group, 0) + self.block(at).visits
                at = self.block(at).next
        return found

    cdef u32 node_after(self, u64 what, u64 detail) noexcept:
        """The node below a root move, or NOWHERE."""
        cdef u32 at = self.node(1).blocks, i
        while at:
            for i in range(self.block(at).children):
                if self.children(at)[i].what == what and self.children(at)[i].detail == detail:
                    return self.children(at)[i].node
            at = self.block(at).next
        return NOWHERE

    def line(self, first=None, int longest=8):
        """The expected line, behind a root move or from the root: from each node the move visited most, as long
        as it was visited 20 times; each as (what, detail, group, visits).

        Groups that are rarely there (a tile that happened to be drawn) count by how often they were.
        """
        cdef u32 here = 1 if first is None else self.node_after(first[0], first[1]), at, i, best, best_at, best_i
        cdef Block* block
        cdef Child* child
        moves = []
        while here and len(moves) < longest:
            best = best_at = best_i = 0
            at = self.node(here).blocks
            while at:
                block = self.block(at)
                child = self.children(at)
                for i in range(block.children):
                    if child[i].visits > best:
                        best, best_at, best_i = child[i].visits, at, i
                at = block.next
            if best < 20:
                break
            child = &self.children(best_at)[best_i]
            moves.append((child.what, child.detail, self.block(best_at).group, child.visits))
            here = child.node
        return moves

    def best(self):
        """The move visited most, as (what, detail); of equals the one with the better mean."""
        rows = self.moves()
        row = max(rows, key=lambda row: (row.visits, row.mean_reward, -row.what, -row.detail))
        return row.what, row.detail
