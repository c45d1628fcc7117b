"""Information-set Monte Carlo tree search, for any game behind the seam.

Every simulation shuffles what is hidden into a world of its own, walks down the tree in that world, plays on
to the end and adds the result to the moves it came through. What is drawn after a move lies open before the next
decision. So a node comes in two kinds:

    open      stands for the moves that led to it, whatever was drawn between them. What can be played there differs
              from world to world; it is kept by group (see `game`), each with the number of times it was there, and
              a move competes only for those.
    closed    stands for the moves and the draws. The root is closed. Behind a move of a closed node stands an open
              one, shared between the draws; a draw that came often gets a closed one of its own, which begins with
              what the shared one knows, taken for a few visits, and goes its own way from there. Below, it goes on
              with the nodes of the shared one, until one of its own moves was played often too: then that gets a
              copy.

So where there are few simulations all draws learn together, and where there are many every decision knows what was
drawn, as in the game. No plan can ever lean on the order of the piles.

A game with a `view` (see `game`) has one kind of node instead: that of a view. Every decision is looked up under what
the player who decides can see, whatever way led there, and knows exactly that. Where hands are hidden there are two
kinds of simulation, so that nobody learns from cards that only somebody else sees:

    own       a world that fits what the player at the root knows. Only that player learns; the others play what seems
              good to them from common simulations.
    common    a world that fits what everybody knows, with any cards in the hand at the root. All learn, each under
              their own view. So the others meet every hand that the player at the root could have, not only the
              real one.

Selection is PUCT with a floor: mean reward so far, plus a share of what is still to be explored by the move's weight,
plus one that is the same for every move and grows with the visits, not with their root: in the end a move is looked
at as often as it is close to the best, whatever its weight. A group starts with a few moves and grows when it is
visited often: first to one way to play each choice, then to every way that the game's pruning leaves.

The memory of a tree is of fixed size. When it is full the search goes on in the tree it has.

Threads. Nothing in a tree is ever moved or replaced: segments and blocks that grow get another one behind them. So
whoever holds a place in the tree can add to it for ever. A visit and its reward are one word, and each thread has its
own to add to, so no result is lost and nobody waits. What is compared follows from the sum of these words alone and is
written as one. Of the moves of a block those tried are the first so many: one number says which is next. Nothing has to
agree with anything written apart from it.

`layout` shows what a tree is made of, `growth` adds to it, `best` compares moves, and `reading` tells Python what was
found. Here is what a simulation does.
"""

from libc.math cimport exp, log, sqrt
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from ..common.atomics cimport (
    add, bump, bump_double, bump_u64, get, lock, peek, peek_float, peek_u64, poke, prefetch, set_, swap, unlock,
)
from ..common.ints cimport i32, i64, u32, u64
from ..common.rng cimport rng_below, rng_seed, rng_unit
from ..game cimport (
    GROUP_SHIFT, HIDDEN_HANDS, MAX_DETAILS, MAX_DRAWS, MAX_LANES, MAX_PLAYERS, NO_GROUP, NOBODY, OVER, SEVERAL_DRAWS,
    UNEVEN_DRAWS, WHOLE, Draw, Estimate, Game, GameState, Move, Outcome, expect_features,
)
from .best cimport (
    Best, begin_score, best_add, best_add_scores, best_clear, best_of_all, choice, chosen_child, chosen_entry,
    make_score,
)
from .growth cimport GrowingTree
from .layout cimport (
    ASKED_GROUP, NO_DRAW, NOWHERE, Drawn, Entry, Head, Node, Place, Segment, Stats, Way,
    entries_of, groups_of, mean_of, one_visit, visits_of,
)
from .settings cimport Settings
from .views cimport Views, view_node, views_make, views_size

from .reading import expected_line, replies, root_moves

cdef enum:
    MAX_PATH = 128
    MAX_ASKED = 64
    MAX_THERE = MAX_LANES + 2  # one a lane, what was asked for, and one that is written down and does not count
    APART = 128  # bytes between what two threads write: a line, and the next one, which is often fetched with it
    BUSY = 256  # visits to a move from which on threads meet there all the time
    BATCH = 64  # simulations whose results a thread keeps back there before it writes them down, at most ...
    BATCH_PART = 64  # ... and one of so many that it has done: what is kept back is not known when choosing
    MAX_PENDING = MAX_PATH * 8
    PENDING_SLOTS = 512
    MAX_SEEN = 4 * MAX_PATH * MAX_THERE
    VARIANTS = 8  # as many ideas' floors all variants of a group's moves share
    DOUBTED = 30  # visits at which what was learned of a move counts half, where others play by it

# Where others play by what was learned.
cdef double LEAST_EXPLORATION = 0.001
cdef double MOST_EXPONENT = 200.0

cdef i64 SCALE = <i64>1 << 40  # of values that `finish` finds


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


cdef class Tree(GrowingTree):
    """One search tree from one root, for one thread. Several threads either have each their own, or each a fork
    of one, which shares its nodes; `threads` says of how many it will be one.

    In a shared tree every line of memory that one thread writes has to be fetched by the others. So of the busiest
    moves, which all of them play, a thread writes down the results of several simulations at a time (never of others,
    or it would play in a row what it means to try once), and the sums behind a root move are kept by thread. Who adds
    groups to a node or lets them grow holds its lock; the others do with what is there.
    """

    cdef char* work  # all of the next, each at the beginning of a cache line
    cdef char* start  # the root's state
    cdef void* world
    cdef void* position  # for `finish`
    cdef bint finishes  # the game can solve its last turns
    cdef bint evaluates  # the game looks at a state instead of playing it out
    cdef int observer  # who moves at the root
    cdef bint hidden  # hands are
    cdef int learner  # the only player who learns from this simulation, or NOBODY: all do
    cdef int root_depth  # the step of this simulation that is the root's, 1; or 0: it begins with other cards
    cdef Views* views  # where nodes are found by view; NULL if moves and draws lead to them
    cdef u32 thread  # which of `threads`
    cdef u64 rng
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
    cdef Pending pending[MAX_PENDING]
    cdef unsigned short pending_slot[PENDING_SLOTS]  # one more than the last of them with this hash
    cdef int pending_count
    cdef int pending_simulations
    cdef u32* seen[MAX_SEEN]  # what counts how often a group was there, once for each time that is not written down yet
    cdef int seen_count
    cdef char nothing[APART]

    def __cinit__(self, GameState root, settings, u64 seed=0, *args, u32 thread=0, Tree fork_of=None, **kwargs):
        """Everything else is for the GrowingTree, which is made first."""
        cdef size_t place = (self.game.state_size + APART - 1) // APART * APART
        expect_features(
            &root.game, UNEVEN_DRAWS if root.game.view == NULL else HIDDEN_HANDS | SEVERAL_DRAWS | UNEVEN_DRAWS,
            "tree search",
        )
        self.thread = thread
        self.observer = self.game.to_move(self.game.rules, root.state)
        self.hidden = self.game.features & HIDDEN_HANDS != 0
        self.learner = NOBODY
        self.root_depth = 1
        self.calm = 1
        self.rng = rng_seed(seed)
        self.finishes = self.settings.finish and self.game.ending != NULL and self.game.players == 2 and not self.hidden
        self.evaluates = self.settings.evaluate and self.game.evaluate != NULL
        self.work = <char*>malloc(
            2 * place + self.game.world_size + 4 * APART + (self.game.ending.size if self.finishes else 0)
        )
        if self.work == NULL:
            raise MemoryError()
        self.start = self.work + APART + (-<size_t>self.work & (APART - 1))
        self.state = self.start + place
        self.world = self.start + 2 * place
        self.position = <char*>self.world + (self.game.world_size + APART - 1) // APART * APART
        memcpy(self.start, root.state, self.game.state_size)
        if fork_of is not None:
            self.views = fork_of.views
        elif self.game.view != NULL:
            self.open_views()

    def __dealloc__(self):
        free(self.work)

    def fork(self, u64 seed, u32 thread):
        """Another tree that grows this one, in a thread of its own."""
        if not 0 < thread < self.threads:
            raise ValueError(f"expected a thread from 1 to {self.threads - 1}, got {thread}")
        return Tree(self.root, None, seed, threads=self.threads, thread=thread, fork_of=self)

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
            at = self.take_node()
            if at == NOWHERE:
                return NULL
            self.nodes += swap(slot, NOWHERE, at, self.shared)
            at = get(slot)
        return self.node(at)

    cdef bint play_as_learned(self, Node* node) noexcept nogil:
        """Plays one of the moves that are there in this world, by what common simulations learned of them: each by its
        weight, and e times as likely for so much better a mean as exploring may still cost here. False if none was
        tried yet.

        How often each was played would not do: a node stands for many hands, and what can be done with a card was played
        seldom if the card is seldom there.
        """
        cdef const Settings* settings = &self.settings
        cdef u32 lanes[MAX_LANES + 1]
        cdef Entry* there[MAX_THERE]
        cdef u32 groups[MAX_THERE]
        cdef u32 missing = 0, block, i, visits
        cdef u64 tally = self.node_tally(node)
        cdef int found, k
        cdef double mean, better, sharpness, part, total = 0
        cdef const Way* way = NULL
        cdef Move move
        if visits_of(tally) == 0:
            return False
        mean = mean_of(tally)
        sharpness = sqrt(<double>visits_of(tally)) / max(settings.exploration, LEAST_EXPLORATION)
        self.game.groups(self.game.rules, self.state, lanes)
        lanes[MAX_LANES] = NO_GROUP
        found = self.find_present(get(&node.index), lanes, there, groups, &missing)
        for k in range(found):
            block = get(&there[k].block)
            while block != NOWHERE:
                for i in range(get(&self.head(block).tried)):
                    tally = self.child_tally(block, i)
                    visits = visits_of(tally)
                    if visits == 0:
                        continue
                    better = (mean_of(tally) - mean) * visits / (visits + DOUBTED)
                    part = 1 if settings.plain else self.weights(block)[i]
                    part *= exp(max(-MOST_EXPONENT, min(MOST_EXPONENT, better * sharpness)))
                    total += part
                    if rng_unit(&self.rng) * total <= part:
                        way = &self.ways(block)[i]
                block = get(&self.head(block).more)
        if way == NULL:
            return False
        move.what = way.what
        move.detail = way.detail
        self.game.apply(self.game.rules, self.state, &move)
        return True

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
        cdef Estimate end
        cdef bint closed, learned = False
        self.first_stats = NULL

        # 1. A world of its own. The root itself may be waiting for chance.
        memcpy(self.state, self.start, game.state_size)
        if not self.hidden:
            game.determinize(game.rules, self.state, self.observer, &self.rng, self.world)
        elif self.done % game.defaults.common_every == 1:
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
                if not self.play_as_learned(node):
                    break
                node = self.seen_node()
                continue
            tally = self.node_tally(node)
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
                self.add_groups(node, lanes, present, missing, depth == self.root_depth)
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
                    best_add_scores(
                        &bests, tried, self.scores(block), self.weights(block), per_weight, share, choice(k, present)
                    )
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
                place = self.asked[(self.asked_turn + self.own_done()) % self.asked_count]
            else:
                best = best_of_all(&bests)
                if best == 0:
                    break  # another thread is just making the first entries
                entry = there[chosen_entry(best)]
                if get(&entry.block) == NOWHERE and not self.first_block(entry, groups[chosen_entry(best)]):
                    break
                place = self.locate(get(&entry.block), chosen_child(best))

            # 2d. Play it, and what chance brings in this world.
            step.place = place
            head = self.head(place.block)
            tried = get(&head.tried)
            tally = self.child_tally(place.block, place.child)
            if place.child >= tried and swap(&head.tried, tried, place.child + 1, self.shared) and self.shared and not tally:
                # Until the first result is there, which can take a thread long, it competes as if tried about once.
                begin_score(
                    &self.scores(place.block)[place.child], make_score(max(untried_value, <float>0), <float>0.501)
                )
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
                at = self.take_node()
                if at == NOWHERE:
                    break
                self.nodes += swap(&way.node, NOWHERE, at, self.shared)
            if closed:
                node = self.behind(way, tally, drew, &closed)
            else:
                node = self.node(get(&way.node))

        # 3. What will come of it: by knowledge, or on to the end.
        if self.evaluates and game.settle != NULL and game.to_move(game.rules, self.state) != OVER:
            game.settle(game.rules, self.state, self.world, &self.rng, settings.playout_style)
        if self.evaluates and exact < 0 and game.to_move(game.rules, self.state) != OVER:
            learned = True
            game.evaluate(game.rules, game.knowledge, self.state, &end)
        else:
            self.play_on(&end)
            if exact >= 0:
                end.share[0] = exact
                end.share[1] = 1 - exact

        # 4. Back up.
        self.back_up(path, depth, &end, learned)
        bump_u64(&self.done, 1)
        self.path_sum += <u64>depth
        if depth > self.deepest:
            self.deepest = depth
        return 0

    cdef inline u64 own_done(self) noexcept nogil:
        """Simulations so far that began with what the player at the root knows: all, where no hands are hidden."""
        cdef u32 every = self.game.defaults.common_every
        return self.done - (self.done + every - 2) // every if self.hidden else self.done

    cdef void play_on(self, Estimate* found) noexcept nogil:
        """To the end, and how that came out."""
        cdef Game* game = &self.game
        cdef Outcome outcome
        cdef int i
        if game.to_move(game.rules, self.state) != OVER:
            game.playout(game.rules, self.state, self.world, &self.rng, self.settings.playout_style)
        game.outcome(game.rules, self.state, &outcome)
        for i in range(game.players):
            found.share[i] = outcome.share[i] / <double>WHOLE
            found.points[i] = outcome.points[i]

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
            tally = self.child_tally(block, i)
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

    # ---- back up -----------------------------------------------------------------------------------------

    cdef void back_up(self, const Step* path, int depth, const Estimate* found, bint learned) noexcept nogil:
        """`learned`: the details of what was found are known already."""
        cdef double reward[MAX_PLAYERS]
        cdef const double* share = found.share
        cdef double margin
        cdef u64 one
        cdef Place place
        cdef int i
        for i in range(self.game.players):
            margin = (found.points[i] - self.best_other(found, i)) / self.settings.margin_scale
            margin = 0.5 + 0.5 * margin / (1 + (margin if margin > 0 else -margin))
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
                or self.pending_count > MAX_PENDING - 2 * MAX_PATH
                or self.seen_count > MAX_SEEN - MAX_PATH * MAX_THERE):
            self.write_down()
        if self.first_stats != NULL:
            self.note(self.first_stats, path[0].who, found, learned, reward[path[0].who])

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
            self.add_to(&node.tally, tally)
        else:
            bump(&self.head(place.first).visits, visits_of(tally))
            self.add_to_child(place.block, place.child, tally)

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

    cdef inline double best_other(self, const Estimate* found, int who) noexcept nogil:
        """The most points of anybody else."""
        cdef double most = -1e9
        cdef int k
        for k in range(self.game.players):
            if k != who and found.points[k] > most:
                most = found.points[k]
        return most

    cdef void note(
        self, Stats* stats, int who, const Estimate* found, bint learned, double reward
    ) noexcept nogil:
        """Adds a finished simulation to what the advice knows of its root move. No other thread writes there."""
        cdef i32 detail[MAX_PLAYERS * MAX_DETAILS]
        cdef Drawn* drawn
        cdef int k, players = self.game.players
        cdef double share = found.share[who]
        bump_double(&stats.share_squared, share * share)
        bump_double(&stats.reward, reward)
        bump_double(&stats.reward_squared, reward * reward)
        for k in range(players):
            bump_double(&stats.sums[k], found.share[k])
            bump_double(&stats.sums[players + k], found.points[k])
        if learned:
            bump_double(&stats.level, found.level[who])
            bump_double(&stats.level_share, found.level_share[who])
        elif found.points[who] == self.best_other(found, who):
            bump_double(&stats.level, 1)
            bump_double(&stats.level_share, share)
        if self.game.details and not learned:
            self.game.detail(self.game.rules, self.state, detail)
        for k in range(players * self.game.details):
            bump_double(&stats.sums[2 * players + k], found.detail[k] if learned else detail[k])
        if stats.draws and self.first_draw != NO_DRAW:
            drawn = &self.drawn(stats.draws)[self.first_draw]
            bump(&drawn.visits, 1)
            bump_double(&drawn.share, share)
            bump_double(&drawn.share_squared, share * share)
        bump(&stats.visits, 1)

    # ---- for Python --------------------------------------------------------------------------------------

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
        """A move that is played out of turn: it and those before it count as tried, without a visit, and compete as
        they did before."""
        cdef Head* head = self.head(place.block)
        cdef u64 tally = self.node_tally(self.node(self.first))
        cdef float value = <float>((mean_of(tally) if visits_of(tally) else 0.5) - self.settings.first_play)
        while head.tried <= place.child:
            self.scores(place.block)[head.tried] = make_score(max(value, 0), 1)
            head.tried += 1

    def moves(self):
        """A RootMove for each root move, most visits first."""
        return root_moves(self)

    def replies(self, what, detail):
        """What was played next after a root move: {group: visits}."""
        return replies(self, what, detail)

    def line(self, first=None, int longest=8):
        """The expected line, behind a root move or from the root: (what, detail, group, visits, those of all) of each."""
        return expected_line(self, first, longest)

    def best(self):
        """The move visited most, as (what, detail); of equals the one with the better mean."""
        rows = self.moves()
        row = max(rows, key=lambda row: (row.visits, row.mean_reward, -row.what, -row.detail))
        return row.what, row.detail
