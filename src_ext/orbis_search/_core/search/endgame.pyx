"""The exact solver: proves what each move is worth, or between which bounds that lies.

It knows the seam, never a game. What a game knows of its own end (`Ending` in `game`) makes it fast; without that it
is a plain search over all moves, and just as right.

Values are integers. How many draws are to come, and the weights of each, are the same whatever is played, so
every value is a whole number of 1 / (product of the weights still to come). A chance node adds up its children's values
times their weights and never divides; scale[c] is that product after c draws.

The search itself is in endgame_two_players and endgame_more_players, which say whose value it is. Here is the root: its
moves, the threads that prove them, and the answers.
"""

from fractions import Fraction

from cpython.pythread cimport (
    WAIT_LOCK, PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock,
    PyThread_type_lock,
)
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from ..common.atomics cimport bump_int, peek_u64, poke_int
from ..common.clock cimport now
from ..common.ints cimport i64, u32, u64
from ..game cimport (
    MAX_DRAWS, MAX_PLAYERS, OVER, SINGLE, WHOLE, Bundle, BundleList, Draw, GameState, Move, MoveList, bundle_list_free,
    expect_features, move_list_free,
)
from .endgame_more_players cimport after_wide, is_better, search_wide
from .endgame_two_players cimport after, after_draw, apply_bundle, list_in_order, search
from .endgame_worker cimport (
    EVERY_IDEA, EVERY_RULE, FAULT_DEPTH, FAULT_SCALE, IDEA_BOUNDS, IDEA_BUNDLES, IDEA_FINISH, IDEA_ORDER, IDEA_SCOUT,
    IDEA_SHARES, IDEA_STAR1, IDEA_TABLE, MAX_PLY, Shared, Worker, below_all, enough, has_news,
)
from .table cimport Entry, WideEntry, table_close, table_open

cdef enum:
    MARGIN_MOST = 1 << 14  # no game ends further apart
    MOST_ROWS = 200_000  # moves of the root ...
    MOST_SECONDS = 5  # ... and how long it may take to list them

# What can be switched off. Values never depend on it.
IDEAS = {
    "table": IDEA_TABLE,  # remember positions
    "star1": IDEA_STAR1,  # windows for the draws of a chance node
    "shares": IDEA_SHARES,  # each draw is only asked whether it is above or below its share of a narrow window
    "scout": IDEA_SCOUT,  # ask of later moves only whether they are better
    "bundles": IDEA_BUNDLES,  # many ways to play one tile tried as one that is better than each
    "bounds": IDEA_BOUNDS,  # points that can still be reached
    "last turns": IDEA_FINISH,  # the last turns solved at once
    "order": IDEA_ORDER,  # moves that were best elsewhere first
}
ALL_IDEAS = EVERY_IDEA


# A move of the root with what is proved of it, each player's own of three and four; of two only the mover's, first.
cdef struct Row:
    Move move
    i64 low[MAX_PLAYERS]
    i64 high[MAX_PLAYERS]
    int bundle  # of the root that holds it, or -1
    int claimed  # by so many threads in this run
    int version  # counts the changes of its bounds; who works on it looks at this without the lock
    bint full  # somewhere behind it there is too much to list


cdef class Solver:
    """Proves the values of a position's moves; see the module. While it runs, another thread may ask for `nodes`, `rows`
    and `best`, and call `stop`.

    What the rows say is read and written with the lock held while threads are at work.
    """

    cdef Shared shared
    cdef GameState root
    cdef Worker** worker
    cdef int threads
    cdef int who
    cdef int players
    cdef Row* row
    cdef size_t rows_
    cdef i64 learned  # how often a row's bounds have changed by a search of its own
    cdef BundleList root_bundles
    cdef bint best_only
    cdef PyThread_type_lock lock
    cdef readonly bint finished
    cdef readonly bint full  # there are moves of which nothing is known because a turn had too many to list
    cdef void* before  # scratch state for Python's questions

    def __cinit__(self, *args, **kwargs):
        self.lock = PyThread_allocate_lock()
        if self.lock == NULL:
            raise MemoryError()

    def __init__(
        self, GameState root, *, objective="win", moves=None, size_t memory=256 << 20, int threads=1,
        u32 ideas=EVERY_IDEA, goal="all",
    ):
        cdef Shared* s = &self.shared
        cdef int i
        if self.worker != NULL:
            raise ValueError("a solver is made once")
        if objective not in ("win", "margin"):
            raise ValueError(f"expected objective 'win' or 'margin', found {objective!r}")
        if goal not in ("all", "best"):
            raise ValueError(f"expected goal 'all' or 'best', found {goal!r}")
        if not 1 <= threads <= 256:
            raise ValueError(f"expected 1 to 256 threads, found {threads}")
        expect_features(&root.game, 0, "exact search")
        self.root = root
        self.best_only = goal == "best"
        self.threads = s.threads = threads
        s.game = root.game
        s.margin = objective == "margin"
        s.ideas = ideas
        self.players = s.game.players
        s.ending = s.game.ending if self.players == 2 else NULL
        s.size = s.ending.size if s.ending != NULL else s.game.state_size
        s.most = MARGIN_MOST if s.margin else (1 if self.players == 2 else WHOLE)
        self.who = s.game.to_move(s.game.rules, root.state)
        self.before = malloc(s.size)
        if self.before == NULL:
            raise MemoryError()

        # 1. The table.
        if not table_open(&s.table, sizeof(Entry) if self.players == 2 else sizeof(WideEntry), memory):
            raise MemoryError(f"no memory for a table of {memory} bytes")

        # 2. Work space.
        self.worker = <Worker**>calloc(threads, sizeof(Worker*))
        if self.worker == NULL:
            raise MemoryError()
        for i in range(threads):
            self.worker[i] = <Worker*>calloc(1, sizeof(Worker))
            if self.worker[i] == NULL:
                raise MemoryError()
            self.open_worker(self.worker[i])
            self.worker[i].backwards = i & 1

        # 3. The draws to come, and the moves.
        self.find_scale()
        self.find_rows(moves)
        self.finished = self.is_done()

    cdef int open_worker(self, Worker* w) except -1:
        cdef int i
        w.shared = &self.shared
        w.scratch = self.shared.game.scratch_new()
        if w.scratch == NULL:
            raise MemoryError()
        w.deadline = now() + MOST_SECONDS  # for listing the root's moves; a run has its own
        self.shared.game.scratch_ask(w.scratch, enough, w)
        for i in range(MAX_PLY):
            w.level[i].waiting = malloc(self.shared.size)
            w.level[i].position = malloc(self.shared.size)
            if w.level[i].waiting == NULL or w.level[i].position == NULL:
                raise MemoryError()
        return 0

    def __dealloc__(self):
        cdef int i, j, k
        cdef Worker* w
        if self.worker != NULL:
            for i in range(self.threads):
                w = self.worker[i]
                if w == NULL:
                    continue
                for j in range(MAX_PLY):
                    free(w.level[j].waiting)
                    free(w.level[j].position)
                    for k in range(3):
                        bundle_list_free(&w.level[j].bundles[k])
                    move_list_free(&w.level[j].moves)
                if w.scratch != NULL:
                    self.shared.game.scratch_free(w.scratch)
                free(w)
            free(self.worker)
        table_close(&self.shared.table)
        free(self.row)
        free(self.before)
        bundle_list_free(&self.root_bundles)
        if self.lock != NULL:
            PyThread_free_lock(self.lock)

    cdef int find_scale(self) except -1:
        """Plays any one game to its end: all have the same draws. Refuses what 62 bits cannot hold."""
        cdef Shared* s = &self.shared
        cdef Worker* w = self.worker[0]
        cdef void* state = w.level[0].waiting
        cdef MoveList* moves = &w.level[0].moves
        cdef Draw drawn[MAX_DRAWS]
        cdef int i, n
        memcpy(state, self.root.state, s.game.state_size)
        if s.game.draws(s.game.rules, state, drawn):
            raise ValueError("a draw is due before the next move")
        weights = []
        while True:
            n = s.game.draws(s.game.rules, state, drawn)
            if n:
                weights.append(sum([drawn[i].weight for i in range(n)]))
                s.game.draw(s.game.rules, state, drawn[0].what)
            elif s.game.to_move(s.game.rules, state) == OVER:
                break
            else:
                moves.count = 0
                s.game.moves(s.game.rules, w.scratch, state, EVERY_RULE, moves)
                if moves.count == 0:
                    raise ValueError("expected turns whose moves can be listed in a few seconds, found one that cannot")
                w.stopped = w.full = False  # any one move will do
                s.game.apply(s.game.rules, state, &moves.item[0])
        if len(weights) > MAX_DRAWS:
            raise ValueError(f"expected at most {MAX_DRAWS} draws to come, found {len(weights)}")
        s.draws = len(weights)
        scale = 1
        s.scale[s.draws] = 1
        for i in range(s.draws - 1, -1, -1):
            scale *= weights[i]
            if scale * s.most >= 1 << 60:
                raise ValueError(
                    f"expected an ending whose draws can come in fewer than 2**60 ways, found {s.draws} draws to come"
                )
            s.scale[i] = scale
        return 0

    cdef int find_rows(self, wanted) except -1:
        """The root's moves, most promising first."""
        cdef Shared* s = &self.shared
        cdef Worker* w = self.worker[0]
        cdef MoveList* moves = &w.level[0].moves
        cdef size_t k, b
        cdef int i
        if self.who == OVER:
            return 0
        if wanted is None:
            moves.count = 0
            s.game.moves(
                s.game.rules, w.scratch, self.root.state, EVERY_RULE if self.players == 2 else s.game.same, moves
            )
            if w.stopped or moves.count > MOST_ROWS:
                found = "far more" if w.stopped else f"{moves.count:,}"
                raise ValueError(f"expected a turn of at most {MOST_ROWS:,} moves to solve, found {found}")
            wanted = [(moves.item[k].what, moves.item[k].detail) for k in range(moves.count)]
        else:
            wanted = list(dict.fromkeys(wanted))
        self.row = <Row*>calloc(max(1, len(wanted)), sizeof(Row))
        if self.row == NULL:
            raise MemoryError()
        if s.ending != NULL:
            s.ending.open(s.game.rules, self.root.state, w.level[0].position)
            list_in_order(w, self.who, &self.root_bundles)
        found = []
        for what, detail in wanted:
            self.row[0].move.what = what
            self.row[0].move.detail = detail
            i = -1
            for b in range(self.root_bundles.count):
                if s.ending.holds(s.game.rules, &self.root_bundles.item[b], &self.row[0].move):
                    i = <int>b
                    break
            # Moves of no bundle stay in the order of the game, which begins with the plainest way to do a thing.
            found.append((i, what, detail, i, what, detail) if i >= 0 else (1 << 30, len(found), 0, i, what, detail))
        found.sort()
        for *_, bundle, what, detail in found:
            self.row[self.rows_].move.what = what
            self.row[self.rows_].move.detail = detail
            self.row[self.rows_].bundle = bundle
            for i in range(self.players):
                self.row[self.rows_].low[i] = (0 if self.players > 2 and not s.margin else -s.most) * s.scale[0]
                self.row[self.rows_].high[i] = s.most * s.scale[0]
            self.rows_ += 1
        return 0

    # ---- running ----------------------------------------------------------------------------------------

    @property
    def nodes(self):
        """Positions visited so far, by all threads."""
        return sum([peek_u64(&self.worker[i].nodes) for i in range(self.threads)])

    def stop(self):
        """Makes a `run` in another thread return soon."""
        poke_int(&self.shared.stop, 1)

    def run(self, seconds=None, nodes=None):
        """Works on for so long, or until the goal is reached: then True. Can be called again and goes on."""
        cdef int i
        if self.finished:
            return True
        self.begin(seconds, nodes)
        for k in range(self.rows_):
            self.row[<size_t>k].claimed = 0
        if self.threads == 1:
            self.work(0)
        else:
            self.work_together()
        for i in range(self.threads):
            self.expect_no_fault(self.worker[i])
        self.finished = self.is_done()
        return self.finished

    cdef int begin(self, seconds, nodes) except -1:
        cdef int i
        cdef double end = 1e300 if seconds is None else now() + seconds
        poke_int(&self.shared.stop, 0)
        for i in range(self.threads):
            self.worker[i].stopped = self.worker[i].full = False
            self.worker[i].deadline = end
            self.worker[i].limit = <u64>-1 if nodes is None else self.worker[i].nodes + -(-nodes // self.threads)
        return 0

    cdef int expect_no_fault(self, Worker* w) except -1:
        if w.fault == FAULT_SCALE:
            raise ValueError("expected the same draws whatever is played; exact values cannot be represented")
        if w.fault == FAULT_DEPTH:
            raise ValueError(f"expected an ending of fewer than {MAX_PLY} turns")
        return 0

    def work_together(self):
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(self.threads) as pool:
            try:
                running = [pool.submit(self.work, i) for i in range(self.threads)]
                for each in running:
                    each.result()
            finally:
                poke_int(&self.shared.stop, 1)

    def work(self, int thread):
        """One thread's part of a run."""
        cdef Worker* w = self.worker[thread]
        with nogil:
            if self.players > 2:
                self.prove_wide(w)
            elif self.best_only:
                self.prove_best(w)
            else:
                self.prove_all(w)

    cdef void enter(self) noexcept nogil:
        PyThread_acquire_lock(self.lock, WAIT_LOCK)

    cdef void leave(self) noexcept nogil:
        PyThread_release_lock(self.lock)

    cdef void place(self, const void* state, void* position) noexcept nogil:
        """A state of the game as a position of the search."""
        if self.shared.ending != NULL:
            self.shared.ending.open(self.shared.game.rules, state, position)
        else:
            memcpy(position, state, self.shared.size)

    cdef void place_move(self, Worker* w, const void* base, const Move* move) noexcept nogil:
        """A state as level 0, and after a move as level 1, waiting for its draw. Uses level 2."""
        cdef Shared* s = &self.shared
        cdef void* state = w.level[2].position
        self.place(base, w.level[0].position)
        memcpy(state, base, s.game.state_size)
        s.game.apply(s.game.rules, state, move)
        self.place(state, w.level[1].waiting)

    cdef i64 value_of(self, Worker* w, const Move* move, i64 alpha, i64 beta) except? -0x7FFFFFFFFFFFFFFF nogil:
        self.place_move(w, self.root.state, move)
        return after(w, 0, 0, alpha, beta)

    cdef void watch(self, Worker* w, const Row* row) noexcept nogil:
        """From here on the thread stops when another one learns something of the row. Call it with the lock held."""
        w.watched = &row.version
        w.version = row.version

    cdef void changed(self, Row* row) noexcept nogil:
        """Call it with the lock held."""
        bump_int(&row.version, 1)

    cdef i64 high_of(self, const Row* row) noexcept nogil:
        """The upper bound of a row at this moment, for two players."""
        cdef i64 high
        self.enter()
        high = row.high[0]
        self.leave()
        return high

    cdef bint goes_on(self, Worker* w, Row* row) noexcept nogil:
        """False when the thread has stopped for good, and not only to look for something else to do than `row`."""
        if w.stopped and w.full and row != NULL:
            self.enter()
            row.full = self.full = True
            self.leave()
            w.stopped = w.full = False
        elif w.stopped and not w.fault and has_news(w):
            w.stopped = False  # out of time, if it is, is noticed at the next node
        w.watched = NULL
        return not w.stopped

    cdef void learn(self, Row* row, i64 value, i64 alpha, i64 beta) noexcept nogil:
        """A search's answer becomes bounds; several threads may have answers for the same move."""
        self.enter()
        if value < beta and value < row.high[0]:
            row.high[0] = value
        if value > alpha and value > row.low[0]:
            row.low[0] = value
        self.changed(row)
        self.learned += 1
        self.leave()

    cdef i64 ask(self, Worker* w, Row* row, i64 alpha, i64 beta) except? -0x7FFFFFFFFFFFFFFF nogil:
        """A move in a window; unless the thread was stopped, the answer is learned."""
        cdef i64 v = self.value_of(w, &row.move, alpha, beta)
        if not w.stopped:
            self.learn(row, v, alpha, beta)
            w.version += 1  # that was this thread itself; if it was not alone it stops at the next node
        return v

    cdef int prove_all(self, Worker* w) except -1 nogil:
        """Each move exactly. A thread that finds no move untouched helps with one that another works on."""
        cdef i64 edge = self.shared.most * self.shared.scale[0] + 1
        cdef Row* row = NULL
        while self.goes_on(w, row):
            row = self.claim_open(w)
            if row == NULL:
                poke_int(&self.shared.stop, 1)  # whoever still helps somebody who is done
                return 0
            self.ask(w, row, -edge, edge)
        return 0

    cdef Row* claim_open(self, Worker* w) noexcept nogil:
        """A row that is not exact, one on which the fewest threads have worked; NULL when there is none."""
        cdef size_t k
        cdef Row* row
        cdef Row* chosen = NULL
        self.enter()
        for k in range(self.rows_):
            row = &self.row[k]
            if not self.is_exact(row) and not row.full and (chosen == NULL or row.claimed < chosen.claimed):
                chosen = row
        if chosen != NULL:
            chosen.claimed += 1
            self.watch(w, chosen)
        self.leave()
        return chosen

    cdef i64 best_low(self, size_t* where) noexcept nogil:
        """The most that any move is proved to be worth at least; its index, an exact one if there is."""
        cdef size_t k
        cdef i64 best = below_all()
        for k in range(self.rows_):
            if self.row[k].low[0] > best or (
                    self.row[k].low[0] == best and self.row[k].high[0] == best and self.row[where[0]].high[0] > best):
                best = self.row[k].low[0]
                where[0] = k
        return best

    cdef int prove_best(self, Worker* w) except -1 nogil:
        """One move exactly, then of the others only that they are no better."""
        cdef size_t k, best = 0, chosen, open_ = 0  # no row before `open_` can be better than the target
        cdef i64 learned = -1
        cdef i64 v, target = 0, middle = 0, edge = self.shared.most * self.shared.scale[0] + 1
        cdef Row* row = NULL
        cdef bint exact
        while self.goes_on(w, row):
            # 1. What to do. There may be thousands of rows: they are looked through only for what has changed.
            self.enter()
            if learned != self.learned:
                target = self.best_low(&best)
                learned = self.learned
            chosen = best
            row = &self.row[best]
            exact = row.low[0] == row.high[0]
            if not exact and row.full:
                chosen = self.rows_  # it cannot be found out which is best
            elif not exact:
                middle = row.low[0] + ((row.high[0] - row.low[0]) >> 1)
            else:
                chosen = self.rows_
                while open_ < self.rows_ and self.row[open_].high[0] <= target:
                    open_ += 1  # the target only ever rises
                for k in range(open_, self.rows_):
                    row = &self.row[k]
                    if row.high[0] > target and not row.full and (
                            chosen == self.rows_ or row.claimed < self.row[chosen].claimed):
                        chosen = k
                        if row.claimed == 0:
                            break
            if chosen < self.rows_:
                row = &self.row[chosen]
                row.claimed += exact
                self.watch(w, row)
            self.leave()

            # 2. Nothing left that may be better.
            if chosen == self.rows_:
                poke_int(&self.shared.stop, 1)
                return 0
            # 3. Nothing exact yet: all threads work on the same move, from both ends.
            if not exact:
                self.ask(w, row, middle, middle + 1)
                continue
            # 4. Whether this one is better; all ways to play it at once where the game knows how.
            if row.bundle >= 0:
                self.refute_bundle(w, &self.root_bundles.item[row.bundle], 0, row.bundle, target)
                if w.stopped or self.high_of(row) <= target:
                    continue
            v = self.ask(w, row, target, target + 1)
            if not w.stopped and v > target:
                self.ask(w, row, v - 1, edge)
        return 0

    cdef int refute_bundle(self, Worker* w, const Bundle* bundle, int depth, int index, i64 target) except -1 nogil:
        """Shows, where it can, that no move of the bundle is better than the target."""
        cdef Shared* s = &self.shared
        cdef BundleList* parts = &w.level[0].bundles[depth]
        cdef i64 v
        cdef size_t k
        if bundle.level == SINGLE or not s.ideas & IDEA_BUNDLES:
            return 0
        self.place(self.root.state, w.level[0].position)
        memcpy(w.level[1].waiting, w.level[0].position, s.size)
        apply_bundle(s, w.level[1].waiting, bundle)
        v = after(w, 0, 0, target, target + 1)
        if w.stopped:
            return 0
        if v <= target:
            self.enter()
            # The rows of a root bundle stand together, from its own first one on.
            k = self.first_row(index)
            while k < self.rows_ and self.row[k].bundle == index:
                if v < self.row[k].high[0] and s.ending.holds(s.game.rules, bundle, &self.row[k].move):
                    self.row[k].high[0] = v
                    self.changed(&self.row[k])
                    w.version += w.watched == &self.row[k].version  # as in `ask`
                k += 1
            self.leave()
            return 0
        if bundle.level == 1 or depth == 2:
            return 0  # its parts are single moves
        parts.count = 0
        s.ending.split(s.game.rules, w.scratch, w.level[0].position, bundle, parts)
        for k in range(parts.count):
            self.refute_bundle(w, &parts.item[k], depth + 1, index, target)
            if w.stopped:
                return 0
        return 0

    cdef size_t first_row(self, int bundle) noexcept nogil:
        """Rows are sorted by their bundle; those without one come last."""
        cdef size_t low = 0, high = self.rows_, middle
        while low < high:
            middle = (low + high) >> 1
            if 0 <= self.row[middle].bundle < bundle:
                low = middle + 1
            else:
                high = middle
        return low

    cdef int prove_wide(self, Worker* w) except -1 nogil:
        """Each move exactly, for three and four players; the last ones together, as in `prove_all`."""
        cdef i64 value[MAX_PLAYERS]
        cdef int i
        cdef Row* row = NULL
        while self.goes_on(w, row):
            row = self.claim_open(w)
            if row == NULL:
                poke_int(&self.shared.stop, 1)
                return 0
            self.place_move(w, self.root.state, &row.move)
            after_wide(w, 0, 0, value)
            if w.stopped:
                continue
            self.enter()
            for i in range(self.players):
                row.low[i] = row.high[i] = value[i]
            self.changed(row)
            self.leave()
        return 0

    cdef bint is_exact(self, const Row* row) noexcept nogil:
        cdef int i
        for i in range(self.players if self.players > 2 else 1):
            if row.low[i] != row.high[i]:
                return False
        return True

    cdef bint is_done(self) noexcept nogil:
        cdef size_t k, best = 0
        cdef i64 target
        if self.rows_ == 0:
            return True
        if self.players > 2 or not self.best_only:
            for k in range(self.rows_):
                if not self.is_exact(&self.row[k]):
                    return False
            return True
        target = self.best_low(&best)
        if self.row[best].high[0] != target:
            return False
        for k in range(self.rows_):
            if self.row[k].high[0] > target:
                return False
        return True

    # ---- answers ----------------------------------------------------------------------------------------

    cdef object fraction(self, i64 value, i64 scale):
        if self.shared.margin:
            return Fraction(value, scale)
        if self.players == 2:
            return Fraction(value + scale, 2 * scale)
        return Fraction(value, WHOLE * scale)

    cdef object span(self, const i64* low, const i64* high, i64 scale):
        """(low, high) as Python gets them."""
        cdef int i
        if self.players == 2:
            return self.fraction(low[0], scale), self.fraction(high[0], scale)
        return (
            tuple([self.fraction(low[i], scale) for i in range(self.players)]),
            tuple([self.fraction(high[i], scale) for i in range(self.players)]),
        )

    cdef object merit(self, const Row* row):
        """Sorts the best row first."""
        cdef int i
        if self.players == 2:
            return -row.low[0], -row.high[0]
        merit = [-row.low[self.who], -row.high[self.who]]
        for i in range(1, self.players):
            merit.append(row.low[(self.who + i) % self.players])
        return tuple(merit)

    cdef Row* copied(self) except NULL:
        """The rows as they are at this moment, to be freed."""
        cdef Row* rows = <Row*>malloc(max(<size_t>1, self.rows_) * sizeof(Row))
        if rows == NULL:
            raise MemoryError()
        self.enter()
        if self.rows_:  # a finished game has none, nor memory for them
            memcpy(rows, self.row, self.rows_ * sizeof(Row))
        self.leave()
        return rows

    cdef list ranking(self, const Row* rows):
        cdef size_t k
        ranked = [(self.merit(&rows[k]), k) for k in range(self.rows_)]
        ranked.sort()
        return [k for _, k in ranked]

    def rows(self):
        """[(what, detail, low, high)] for each move, best first: proved bounds for the player to move."""
        cdef Row* rows = self.copied()
        cdef const Row* row
        found = []
        try:
            for k in self.ranking(rows):
                row = &rows[<size_t>k]
                found.append((row.move.what, row.move.detail, *self.span(row.low, row.high, self.shared.scale[0])))
        finally:
            free(rows)
        return found

    def best(self):
        """(what, detail) of the move proved best, or None."""
        cdef Row* rows = self.copied()
        try:
            return self.best_of_rows(rows)
        finally:
            free(rows)

    cdef object best_of_rows(self, const Row* rows):
        cdef size_t k, at
        cdef const Row* first
        if self.rows_ == 0:
            return None
        at = self.ranking(rows)[0]
        first = &rows[at]
        if not self.is_exact(first):
            return None
        for k in range(self.rows_):
            if self.players == 2:
                if rows[k].high[0] > first.low[0]:
                    return None
            elif not self.is_exact(&rows[k]):
                return None
        return first.move.what, first.move.detail

    def draws(self, u64 what, u64 detail, seconds=None, nodes=None):
        """[(draw, weight, low, high)] after a move of the root, for the player to move there; empty without a draw.

        Computes what is missing, within limits as those of `run`.
        """
        cdef Shared* s = &self.shared
        cdef Worker* w = self.worker[0]
        cdef Move move
        cdef Draw drawn[MAX_DRAWS]
        cdef i64 low[MAX_PLAYERS]
        cdef i64 high[MAX_PLAYERS]
        cdef i64 edge
        cdef int i, j, n
        move.what, move.detail = what, detail
        self.place_move(w, self.root.state, &move)
        if s.game.to_move(s.game.rules, w.level[1].waiting) == OVER:
            return []
        n = s.game.draws(s.game.rules, w.level[1].waiting, drawn)
        if n == 0:
            return []
        self.begin(seconds, nodes)
        found = []
        edge = s.most * s.scale[1]
        for i in range(n):
            self.place_move(w, self.root.state, &move)
            memcpy(w.level[1].position, w.level[1].waiting, s.size)
            s.game.draw(s.game.rules, w.level[1].position, drawn[i].what)
            for j in range(self.players):
                low[j] = 0 if self.players > 2 and not s.margin else -edge
                high[j] = edge
            self.solve_level_1(low, high)
            found.append((drawn[i].what, drawn[i].weight, *self.span(low, high, s.scale[1])))
        return found

    cdef int solve_level_1(self, i64* low, i64* high) except -1:
        """Level 1's position exactly, if the limits allow it: for the mover of level 0, or all of three and four."""
        cdef Shared* s = &self.shared
        cdef Worker* w = self.worker[0]
        cdef i64 edge = s.most * s.scale[1] + 1
        cdef i64 value[MAX_PLAYERS]
        cdef int i
        with nogil:
            if w.stopped:
                return 0
            if self.players == 2:
                value[0] = after_draw(w, 0, 1, -edge, edge)
            else:
                search_wide(w, 1, 1, value)
        self.expect_no_fault(w)
        if not w.stopped:
            for i in range(self.players if self.players > 2 else 1):
                low[i] = high[i] = value[i]
        return 0

    def line(self, seconds=None, nodes=None):
        """[(what, detail, draw or None)]: the best move, its likeliest draw, the best reply, and so on.

        Ends with the game, or where the limits leave the next move unproved.
        """
        cdef Shared* s = &self.shared
        cdef Draw drawn[MAX_DRAWS]
        cdef Move move
        cdef int i, n, chosen, chance = 0
        cdef void* state = self.before
        found = []
        best = self.best()
        memcpy(state, self.root.state, s.game.state_size)
        self.begin(seconds, nodes)
        while best is not None:
            move.what, move.detail = best
            s.game.apply(s.game.rules, state, &move)
            n = s.game.draws(s.game.rules, state, drawn)
            over = s.game.to_move(s.game.rules, state) == OVER
            if over or n == 0:
                found.append((*best, None))
            else:
                chosen = 0
                for i in range(1, n):
                    if drawn[i].weight > drawn[chosen].weight:
                        chosen = i
                s.game.draw(s.game.rules, state, drawn[chosen].what)
                found.append((*best, drawn[chosen].what))
                chance += 1
            best = None if over else self.best_of(state, chance)
        return found

    cdef object best_of(self, const void* state, int chance):
        """A best move of a state with so many draws behind it, or None when the limits end first."""
        cdef Shared* s = &self.shared
        cdef Worker* w = self.worker[0]
        cdef MoveList* moves = &w.level[0].moves
        cdef i64 edge = s.most * s.scale[chance] + 1, v = 0, worth = 0
        cdef i64 value[MAX_PLAYERS]
        cdef i64 most[MAX_PLAYERS]
        cdef size_t k
        cdef int who = s.game.to_move(s.game.rules, state)
        self.place(state, w.level[0].position)
        if self.players == 2:
            with nogil:
                worth = search(w, 0, chance, -edge, edge)
        self.expect_no_fault(w)
        moves.count = 0
        s.game.moves(
            s.game.rules, w.scratch, state, EVERY_RULE if self.players == 2 else s.game.same, moves
        )
        best = None
        for k in range(moves.count):
            self.place_move(w, state, &moves.item[k])
            with nogil:
                if self.players == 2:
                    v = after(w, 0, chance, worth - 1, worth)
                else:
                    after_wide(w, 0, chance, value)
            if w.stopped:
                return None
            if self.players == 2:
                if v >= worth:
                    return moves.item[k].what, moves.item[k].detail
            elif best is None or is_better(value, most, who, self.players):
                best = moves.item[k].what, moves.item[k].detail
                memcpy(most, value, sizeof(value))
        return best
