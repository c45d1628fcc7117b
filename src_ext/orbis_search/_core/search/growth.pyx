"""How a tree gets its memory, its groups and moves, and its copies of nodes. `ismcts` says what they are for."""

from libc.stdlib cimport bsearch, free, qsort
from libc.string cimport memcpy, memset

from ..common.atomics cimport (
    add, add_u64, get, lock, peek, peek_float, peek_u64, poke, poke_float, set_, swap, unlock,
)
from ..common.bits cimport lowest, popcount
from ..common.ints cimport u32, u64
from ..common.pages cimport pages_free, pages_new
from ..game cimport (
    EVERYTHING, FEW, GROUP_SHIFT, MAIN, MAX_DETAILS, MAX_LANES, MAX_PLAYERS,
    Candidate, CandidateList, GameState, candidate_list_add,
)
from .best cimport FOUR, Score, UNTRIED, whole_fours
from .layout cimport (
    ASKED_GROUP, BORROWED, LINE, MAX_STRIPES, MOST_VISITS, NO_DRAW, NOWHERE,
    Entry, Head, Node, Place, Segment, Split, Stats, Way, entries_of, groups_of, tally_scaled, visits_of,
)
from .settings cimport settings_of

cdef enum:
    INSERTION_MOST = 48  # candidates up to which sorting by insertion is quicker
    CHUNK = 1 << 13  # units that a thread takes at a time from the pool, at most


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


cdef class Pool:
    """The memory of a tree, or of several that grow the same one in threads of their own."""

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


cdef class GrowingTree:
    """A tree with its root, or a fork that shares the nodes of another."""

    def __cinit__(
        self, GameState root, settings, u64 seed=0, size_t pool_bytes=64 << 20, u32 threads=1, u32 thread=0,
        GrowingTree fork_of=None,
    ):
        self.root = root
        self.game = root.game
        self.settings = settings_of(settings, &root.game.defaults) if fork_of is None else fork_of.settings
        self.threads = threads
        self.shared = threads > 1
        self.stripes = min(threads, <u32>MAX_STRIPES)
        self.stripe = thread % self.stripes
        self.own_stripe = threads <= self.stripes
        self.most_visits = MOST_VISITS // self.stripes
        self.stats_size = sizeof(Stats) - sizeof(double) * (
            MAX_PLAYERS * (2 + MAX_DETAILS) - self.game.players * (2 + self.game.details)
        )
        memset(&self.candidates, 0, sizeof(self.candidates))
        self.scratch = self.game.scratch_new()
        if self.scratch == NULL:
            raise MemoryError()
        if fork_of is not None:
            self.memory = fork_of.memory
            self.pool = self.memory.item
            self.first = fork_of.first
        else:
            self.memory = Pool(pool_bytes)
            self.pool = self.memory.item
            self.first = self.take_node()
            if self.first == NOWHERE:
                raise MemoryError("the pool is too small for a root")

    def __dealloc__(self):
        if self.scratch != NULL:
            self.game.scratch_free(self.scratch)
        free(self.candidates.item)

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
            sizeof(Head)
            + <size_t>fours * (sizeof(Score) + sizeof(float))
            + <size_t>children * (self.stripes * sizeof(u64) + sizeof(Way))
        ) // 8
        cdef u32 at = self.take_from(&self.lines, (units + LINE - 1) // LINE * LINE)
        if at:
            self.head(at).children = children
            for i in range(fours):
                self.scores(at)[i] = UNTRIED
        return at

    cdef u32 take_node(self) noexcept nogil:
        """In a shared tree it begins a cache line, so that no thread writes to it by the way."""
        return self.take_from(&self.lines, LINE) if self.shared else self.take(sizeof(Node))

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
                poke(&node.born, visits_of(self.node_tally(node)))
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
        """Entries for the groups of those lanes that are `missing`, of all that are `there`. At the root, and in a plain
        search, with all their moves; else only with what these weigh."""
        cdef bint eager = at_root or self.settings.plain, is_first
        cdef Entry found[MAX_LANES]
        cdef Entry* entry
        cdef u32 lane, left = missing
        cdef size_t i
        # What takes long comes before the lock: two threads may both do it, which takes no longer than to wait.
        memset(found, 0, sizeof(found))
        while left:
            lane = lowest(left)
            left &= left - 1
            self.find(lanes[lane], MAIN if eager else FEW)
            entry = &found[lane]
            entry.weight = self.candidate_weights()
            if eager:
                entry.block = self.make_block(MAIN, at_root)
                if entry.block == NOWHERE:
                    missing &= (<u32>1 << lane) - 1
                    break
            else:
                for i in range(self.candidates.count):
                    entry.top = max(entry.top, self.candidates.item[i].weight)
        lock(&node.lock, self.shared)
        is_first = node.index == NOWHERE
        while missing:
            lane = lowest(missing)
            missing &= missing - 1
            if self.has_group(node, lanes[lane]):
                continue  # another thread has just been here
            entry = self.enter(node, lanes[lane], popcount(there))
            if entry == NULL:
                break
            entry[0] = found[lane]
            if not is_first:
                self.vary(node, lane)
            self.entered(node)
        unlock(&node.lock, self.shared)
        return 0

    cdef bint has_group(self, const Node* node, u32 group) noexcept nogil:
        cdef u32 i, at = node.index
        cdef Segment* segment
        while at != NOWHERE:
            segment = self.segment(at)
            for i in range(segment.entries):
                if groups_of(segment)[i] == group:
                    return True
            at = segment.more
        return False

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
                    poke(&entries_of(segment)[i].there, visits_of(self.node_tally(node)) - node.born)
            at = segment.more
        poke(&node.varied, node.varied | <u32>1 << lane)

    cdef int find(self, u32 group, u32 extent) except -1 nogil:
        """The group's moves, into `candidates`."""
        self.candidates.count = 0
        self.game.candidates(self.game.rules, self.scratch, self.state, group, extent, &self.candidates)
        return 0

    cdef int grow(self, Entry* entry, u32 group, bint at_root) except -1 nogil:
        """Another block behind those of the group, or a try at it later; the node is locked."""
        cdef u32 first = get(&entry.block), last = first, block
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

    cdef bint first_block(self, Entry* entry, u32 group) except -1 nogil:
        """The block of a group that is played for the first time; False when the pool is full. Of two threads that make
        it at once, one does so in vain."""
        cdef u32 block
        if not peek(&self.memory.full):
            self.find(group, FEW)
            block = self.make_block(FEW, False)
            if block != NOWHERE:
                swap(&entry.block, NOWHERE, block, self.shared)
        return get(&entry.block) != NOWHERE

    # ---- root moves --------------------------------------------------------------------------------------

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

    # ---- copies ------------------------------------------------------------------------------------------

    cdef u32 copy_node(self, Node* source, bint only_there) noexcept nogil:
        """A node that begins with what another knows, taken for few visits; with all its groups, or only those that are
        there now. NOWHERE when the pool is full."""
        cdef u32 lanes[MAX_LANES + 1]
        cdef u32 node_at, i, n = 0, room, group, visits = 0, at = get(&source.index), segment_at
        cdef u64 tally = self.node_tally(source)
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
        node_at = self.take_node()
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
                tally = self.child_tally(block, i)
                n = visits_of(tally)
                if n == 0:
                    break  # another thread is about to bring its first result
                n = min(n, self.settings.inherit + <u32>(<double>n * 8 * self.settings.inherit / known))
                tally = tally_scaled(tally, n)
                self.tallies(copy)[i * self.stripes] = tally
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
            if visits_of(self.node_tally(node)) < self.settings.split_after or peek(&self.memory.full):
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
