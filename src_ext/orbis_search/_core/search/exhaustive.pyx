"""Searches that look at everything: perft, and expectimax without any pruning of its own.

Slow on purpose and simple enough to trust. They know the seam, never a game, and are what faster searches
and a game's pruning rules are tested against.
"""

from fractions import Fraction

from cpython.exc cimport PyErr_CheckSignals
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from ..common.clock cimport now
from ..common.ints cimport i64, u32, u64
from ..common.rng cimport rng_seed
from ..game cimport (
    MAX_DRAWS, MAX_PLAYERS, OVER, UNEVEN_DRAWS, WHOLE, Draw, Game, GameState, Move, MoveList, Outcome, expect_features,
    move_list_free,
)
from .ratio cimport Ratio, add_times, compare, divide

cdef enum:
    MAX_DEPTH = 64


# Per level of the recursion: its own moves and a state to work on.
cdef struct Level:
    MoveList moves
    void* state


cdef class Walker:
    """Work space for one walk through a game's tree."""

    cdef Game game
    cdef GameState root
    cdef void* scratch
    cdef Level level[MAX_DEPTH]
    cdef u32 prune
    cdef bint margin  # values are points ahead of the best other, not shares of the victory
    cdef readonly u64 nodes
    cdef double look_at  # for Ctrl-C

    def __cinit__(self, GameState root, u32 prune=0, bint margin=False):
        cdef int i
        memset(self.level, 0, sizeof(self.level))
        self.root = root
        self.game = root.game
        self.prune = prune
        self.margin = margin
        self.scratch = self.game.scratch_new()
        if self.scratch == NULL:
            raise MemoryError()
        for i in range(MAX_DEPTH):
            self.level[i].state = malloc(self.game.state_size)
            if self.level[i].state == NULL:
                raise MemoryError()

    def __dealloc__(self):
        cdef int i
        for i in range(MAX_DEPTH):
            free(self.level[i].state)
            move_list_free(&self.level[i].moves)
        if self.scratch != NULL:
            self.game.scratch_free(self.scratch)

    def moves(self):
        """The root's moves as (what, detail)."""
        cdef MoveList* found = &self.level[0].moves
        found.count = 0
        if self.game.to_move(self.game.rules, self.root.state) != OVER:
            self.game.moves(self.game.rules, self.scratch, self.root.state, self.prune, found)
        return [(found.item[i].what, found.item[i].detail) for i in range(found.count)]

    cdef int visit(self) except -1:
        """Counts a node; now and then lets Ctrl-C through."""
        self.nodes += 1
        if self.nodes & 63 and now() < self.look_at:  # some nodes have so many moves that 64 of them take long
            return 0
        self.look_at = now() + 0.1
        return PyErr_CheckSignals()

    # ---- perft ----------------------------------------------------------------------------------------

    cdef i64 count(self, const void* state, int depth, bint draws) except -1:
        """Sequences of `depth` moves; with `draws`, times what chance can bring after each."""
        cdef Game* game = &self.game
        cdef Level* level = &self.level[depth]
        cdef size_t k
        cdef i64 sum_ = 0
        if depth == 0:
            return 1
        if game.to_move(game.rules, state) == OVER:
            return 0
        self.visit()
        if depth == 1 and not draws:
            return game.moves(game.rules, self.scratch, state, self.prune, NULL)
        level.moves.count = 0
        game.moves(game.rules, self.scratch, state, self.prune, &level.moves)
        for k in range(level.moves.count):
            memcpy(level.state, state, game.state_size)
            game.apply(game.rules, level.state, &level.moves.item[k])
            sum_ += self.count_after(depth, draws)
        return sum_

    cdef i64 count_after(self, int depth, bint draws) except -1:
        """Goes on from level[depth].state, where a move has just been made and chance may be due."""
        cdef Game* game = &self.game
        cdef void* state = self.level[depth].state
        cdef void* before
        cdef Draw drawn[MAX_DRAWS]
        cdef int i, n = game.draws(game.rules, state, drawn)
        cdef i64 sum_ = 0
        if n == 0:
            return self.count(state, depth - 1, draws)
        if not draws:
            game.draw(game.rules, state, game.next_draw(game.rules, state, self.root.world))
            return self.count(state, depth - 1, draws)
        if depth == 1:
            return n
        before = malloc(game.state_size)
        if before == NULL:
            raise MemoryError()
        try:
            memcpy(before, state, game.state_size)
            for i in range(n):
                memcpy(state, before, game.state_size)
                game.draw(game.rules, state, drawn[i].what)
                sum_ += self.count(state, depth - 1, draws)
        finally:
            free(before)
        return sum_

    def perft(self, int depth, bint draws):
        """All sequences of `depth` moves. Without `draws` the handle must carry a fixed course of chance."""
        self.expect_depth(depth, draws)
        return self.count(self.root.state, depth, draws)

    def divide(self, int depth, bint draws):
        """perft by first move: a list of ((what, detail), count)."""
        cdef Level* level
        cdef size_t k
        self.expect_depth(depth, draws)
        level = &self.level[depth]
        if depth == 0:
            raise ValueError("expected a depth of at least 1 to divide, found 0")
        found = []
        level.moves.count = 0
        if self.game.to_move(self.game.rules, self.root.state) != OVER:
            self.game.moves(self.game.rules, self.scratch, self.root.state, self.prune, &level.moves)
        for k in range(level.moves.count):
            memcpy(level.state, self.root.state, self.game.state_size)
            self.game.apply(self.game.rules, level.state, &level.moves.item[k])
            n = self.count_after(depth, draws)
            found.append(((level.moves.item[k].what, level.moves.item[k].detail), n))
        return found

    def expect_depth(self, int depth, bint draws):
        expect_features(&self.game, UNEVEN_DRAWS, "perft")
        if not 0 <= depth < MAX_DEPTH:
            raise ValueError(f"expected a depth from 0 to {MAX_DEPTH - 1}, found {depth}")
        if not draws and self.root.world == NULL:
            raise ValueError("without draws a fixed course of chance is needed")

    # ---- expectimax -----------------------------------------------------------------------------------

    cdef int value(self, const void* state, int depth, Ratio* out) except -1:
        """Exact value for each player: share of the victory, or points ahead of the best other.

        Everybody maximises the own value. Among moves equal for the mover the one counts that gives least to
        the next in turn order, then to the one after, and so on: so the values are unique.
        """
        cdef Game* game = &self.game
        cdef Level* level = &self.level[depth]
        cdef size_t k
        cdef int who = game.to_move(game.rules, state)
        cdef Ratio worth[MAX_PLAYERS]
        self.visit()
        if who == OVER:
            self.leaf_value(state, out)
            return 0
        if depth + 1 >= MAX_DEPTH:
            raise RecursionError("the game goes on for too long to look at everything")
        level.moves.count = 0
        game.moves(game.rules, self.scratch, state, self.prune, &level.moves)
        for k in range(level.moves.count):
            memcpy(level.state, state, game.state_size)
            game.apply(game.rules, level.state, &level.moves.item[k])
            self.value_after(depth, worth)
            if k == 0 or self.is_better(who, worth, out):
                memcpy(out, worth, game.players * sizeof(Ratio))
        return 0

    cdef inline bint is_better(self, int who, const Ratio* new, const Ratio* old) noexcept nogil:
        cdef int i, player, order
        for i in range(self.game.players):
            player = (who + i) % self.game.players
            order = compare(&new[player], &old[player])
            if order:
                return order > 0 if player == who else order < 0
        return False

    cdef inline void leaf_value(self, const void* state, Ratio* out) noexcept nogil:
        cdef Outcome outcome
        cdef int i, j, best
        self.game.outcome(self.game.rules, state, &outcome)
        for i in range(self.game.players):
            if self.margin:
                best = 1 if i == 0 else 0
                for j in range(self.game.players):
                    if j != i and outcome.points[j] > outcome.points[best]:
                        best = j
                out[i].above = outcome.points[i] - outcome.points[best]
                out[i].below = 1
            else:
                out[i].above = outcome.share[i]
                out[i].below = WHOLE

    cdef int value_after(self, int depth, Ratio* out) except -1:
        """The mean over what chance can bring to level[depth].state."""
        cdef Game* game = &self.game
        cdef void* state = self.level[depth].state
        cdef Draw drawn[MAX_DRAWS]
        cdef bytes before
        cdef int i, p, n = game.draws(game.rules, state, drawn)
        cdef i64 weights = 0
        cdef Ratio part[MAX_PLAYERS]
        if n == 0:
            return self.value(state, depth + 1, out)
        before = (<char*>state)[:game.state_size]
        for p in range(game.players):
            out[p].above, out[p].below = 0, 1
        for i in range(n):
            memcpy(state, <char*>before, game.state_size)
            game.draw(game.rules, state, drawn[i].what)
            weights += drawn[i].weight
            self.value(state, depth + 1, part)
            for p in range(game.players):
                if not add_times(&out[p], &part[p], drawn[i].weight):
                    raise OverflowError("an exact value needs more than 64 bits")
        for p in range(game.players):
            if not divide(&out[p], weights):
                raise OverflowError("an exact value needs more than 64 bits")
        return 0

    def values(self):
        """[((what, detail), exact values)] for each move of the root: of two players the first one's value,
        of more a tuple of everybody's."""
        cdef Level* level = &self.level[0]
        cdef size_t k
        found = []
        level.moves.count = 0
        if self.game.to_move(self.game.rules, self.root.state) != OVER:
            self.game.moves(self.game.rules, self.scratch, self.root.state, self.prune, &level.moves)
        for k in range(level.moves.count):
            found.append((
                (level.moves.item[k].what, level.moves.item[k].detail), self.value_of(&level.moves.item[k])
            ))
        return found

    def value_of_moves(self, moves):
        """The same for moves of one's choice, which must be legal: a list of values."""
        cdef Move move
        found = []
        for what, detail in moves:
            move.what, move.detail = what, detail
            found.append(self.value_of(&move))
        return found

    cdef value_of(self, const Move* move):
        cdef Ratio worth[MAX_PLAYERS]
        cdef int i
        expect_features(&self.game, UNEVEN_DRAWS, "exhaustive search")
        memcpy(self.level[0].state, self.root.state, self.game.state_size)
        self.game.apply(self.game.rules, self.level[0].state, move)
        self.value_after(0, worth)
        values = tuple([Fraction(worth[i].above, worth[i].below) for i in range(self.game.players)])
        return values[0] if self.game.players == 2 else values

    def playouts(self, long n, u64 seed):
        """Sum of each player's share over n random playouts, what the player to move cannot see made up anew each time."""
        cdef Game* game = &self.game
        cdef Outcome outcome
        cdef u64 rng = rng_seed(seed)
        cdef void* world = malloc(game.world_size if game.world_size else 1)
        cdef long k
        cdef int i, who = game.to_move(game.rules, self.root.state)
        if world == NULL:
            raise MemoryError()
        sums = [0] * game.players
        try:
            for k in range(n):
                memcpy(self.level[0].state, self.root.state, game.state_size)
                game.determinize(game.rules, self.level[0].state, who, &rng, world)
                game.playout(game.rules, self.level[0].state, world, &rng, 0)
                game.outcome(game.rules, self.level[0].state, &outcome)
                for i in range(game.players):
                    sums[i] += outcome.share[i]
        finally:
            free(world)
        return sums
