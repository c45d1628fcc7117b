"""The seam's few functions that are not inline, and its Python-visible handle."""

from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from .common.rng cimport rng_seed

cdef dict FEATURES = {
    HIDDEN_HANDS: "hidden hands",
    SEVERAL_DRAWS: "several draws between two decisions",
    UNEVEN_DRAWS: "draws that depend on how it is played",
}


cdef int expect_features(const Game* game, u32 known, str search) except -1:
    """ValueError that names everything about the game that this search does not know how to deal with."""
    strange = [words for feature, words in FEATURES.items() if game.features & feature & ~known]
    if strange:
        raise ValueError(f"{search}: expected a game without {' and '.join(strange)}")
    return 0


cdef int move_list_grow(MoveList* moves, size_t more) except -1 nogil:
    cdef size_t capacity = 2 * moves.capacity if moves.capacity else 256
    while capacity < moves.count + more:
        capacity *= 2
    cdef Move* item = <Move*>realloc(moves.item, capacity * sizeof(Move))
    if item == NULL:
        with gil:
            raise MemoryError(f"no memory for {capacity} moves")
    moves.item = item
    moves.capacity = capacity
    return 0


cdef int candidate_list_grow(CandidateList* candidates) except -1 nogil:
    cdef size_t capacity = 2 * candidates.capacity if candidates.capacity else 256
    cdef Candidate* item = <Candidate*>realloc(candidates.item, capacity * sizeof(Candidate))
    if item == NULL:
        with gil:
            raise MemoryError(f"no memory for {capacity} candidate moves")
    candidates.item = item
    candidates.capacity = capacity
    return 0


cdef Bundle* bundle_list_add(BundleList* bundles, u64 what, u64 detail, int level) except NULL nogil:
    cdef Bundle* item
    cdef size_t capacity
    if bundles.count == bundles.capacity:
        capacity = 2 * bundles.capacity if bundles.capacity else 64
        item = <Bundle*>realloc(bundles.item, capacity * sizeof(Bundle))
        if item == NULL:
            with gil:
                raise MemoryError(f"no memory for {capacity} bundles of moves")
        bundles.item = item
        bundles.capacity = capacity
    item = &bundles.item[bundles.count]
    item.move.what = what
    item.move.detail = detail
    item.order = 0
    item.level = level
    item.kind = 0
    bundles.count += 1
    return item


cdef void bundle_list_free(BundleList* bundles) noexcept nogil:
    free(bundles.item)
    memset(bundles, 0, sizeof(BundleList))


cdef void move_list_free(MoveList* moves) noexcept nogil:
    free(moves.item)
    memset(moves, 0, sizeof(MoveList))


cdef class GameState:
    """A game and one of its states. A search works on its own copy; the methods here are for looking at one step, of any
    game, and check what they are given."""

    def __dealloc__(self):
        free(self.state)
        free(self.world)

    @property
    def players(self):
        return self.game.players

    @property
    def to_move(self):
        """Who decides next; None when the game is over."""
        cdef int who = self.game.to_move(self.game.rules, self.state)
        return None if who == OVER else who

    def moves(self):
        """[(what, detail)] of every legal move; none while chance is due."""
        cdef MoveList found
        cdef void* scratch
        if self.to_move is None or self.draws():
            return []
        memset(&found, 0, sizeof(found))
        scratch = self.game.scratch_new()
        if scratch == NULL:
            raise MemoryError()
        try:
            self.game.moves(self.game.rules, scratch, self.state, 0, &found)
            return [(found.item[i].what, found.item[i].detail) for i in range(found.count)]
        finally:
            move_list_free(&found)
            self.game.scratch_free(scratch)

    def draws(self):
        """[(what, weight)] of all that chance can bring now."""
        cdef Draw found[MAX_DRAWS]
        cdef int n = self.game.draws(self.game.rules, self.state, found)
        return [(found[i].what, found[i].weight) for i in range(n)]

    def view(self, int player):
        """A number for all that the player knows; None if everybody sees the same."""
        self._expect_player(player)
        return None if self.game.view == NULL else self.game.view(self.game.rules, self.state, player)

    def shares(self):
        """Of the victory, if the game ended here."""
        cdef Outcome outcome
        self.game.outcome(self.game.rules, self.state, &outcome)
        return [outcome.share[i] / <double>WHOLE for i in range(self.game.players)]

    def after(self, move):
        """The state after a legal move; chance may be due."""
        cdef GameState new
        cdef Move packed
        if tuple(move) not in self.moves():
            raise ValueError(f"expected a legal move, found {move}")
        new = self.copy()
        packed.what, packed.detail = move
        new.game.apply(new.game.rules, new.state, &packed)
        return new

    def after_draw(self, what):
        cdef GameState new
        if what not in [each for each, _ in self.draws()]:
            raise ValueError(f"expected what can be drawn, found {what}")
        new = self.copy()
        new.game.draw(new.game.rules, new.state, what)
        return new

    def determinized(self, observer, u64 seed):
        """The state in a world that fits what the observer knows; None sees only what everybody sees."""
        cdef GameState new = self.copy()
        cdef u64 rng = rng_seed(seed)
        cdef int who = NOBODY
        if observer is not None:
            self._expect_player(observer)
            who = observer
        free(new.world)
        new.world = malloc(max(new.game.world_size, <size_t>1))
        if new.world == NULL:
            raise MemoryError()
        new.game.determinize(new.game.rules, new.state, who, &rng, new.world)
        return new

    def next_draw(self):
        """What comes in the world of this state."""
        if self.world == NULL or not self.draws():
            raise ValueError("expected a world and a draw that is due")
        return self.game.next_draw(self.game.rules, self.state, self.world)

    cdef GameState copy(self):
        cdef GameState new = GameState.__new__(GameState)
        new.game = self.game
        new.owner = self.owner
        new.state = malloc(self.game.state_size)
        if new.state == NULL:
            raise MemoryError()
        memcpy(new.state, self.state, self.game.state_size)
        if self.world != NULL:
            new.world = malloc(max(self.game.world_size, <size_t>1))
            if new.world == NULL:
                raise MemoryError()
            memcpy(new.world, self.world, self.game.world_size)
        return new

    def _expect_player(self, int player):
        if not 0 <= player < self.game.players:
            raise ValueError(f"expected a player from 0 to {self.game.players - 1}, found {player}")
