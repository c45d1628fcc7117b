"""A turn in small decisions; what they are stands in steps.pxd."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uintptr_t
from libc.stdio cimport snprintf
from libc.string cimport memcmp, memcpy, memset

from ..common.bits cimport lowest
from ..common.ints cimport i32, u8, u16, u32, u64
from ..game cimport Move, Outcome
from .core cimport PackedState, Table
from .movegen cimport (
    EVERY_MOVE, PRUNE_LAST_ASHES, Bill, bill_of_god, bill_of_tile, find_results, open_places, removable, scratch_free,
    scratch_new,
)
from .placement cimport LEFT_END, coloured
from .policy cimport can_pay
from .realm cimport COLOURS, LIMIT, count, from_nibbles, to_nibbles, total
from .scoring cimport state_outcome
from .state cimport (
    DEATH_COST, IRRIGATION, NO_CELL, NO_GOD, TURNS, VILLAGE, VOLCANO, Tile, cell_worshipers, lowest_pile,
)
from .turn cimport (
    CODE_BITS, IS_GOD, IS_VALID, IS_WILD, MAX_REMOVED, PLACE_SHIFT, REALM_SHIFT, irrigated, removed_by, state_apply,
    state_fault, state_refill,
)

ACTION_COUNT = ACTIONS


# ---- realms by rank ----------------------------------------------------------------------------------
# In the order of their counts, red first. AT_MOST[k][m] = C(m + k, k) is how many there
# are of k colours with at most m worshipers.

cdef enum:
    RANK_WORDS = (MAX_REALMS + 63) >> 6  # of a bit set of ranks


cdef extern from *:
    """
    static const short ORBIS_AT_MOST[6][11] = {
        {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
        {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
        {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66},
        {1, 4, 10, 20, 35, 56, 84, 120, 165, 220, 286},
        {1, 5, 15, 35, 70, 126, 210, 330, 495, 715, 1001},
        {1, 6, 21, 56, 126, 252, 462, 792, 1287, 2002, 3003},
    };
    """
    const short AT_MOST "ORBIS_AT_MOST"[6][11]


cdef inline int rank_of(u64 realm) noexcept nogil:
    """What comes before it: for each colour the realms that agree so far and hold fewer of it."""
    cdef int colour, m = LIMIT, rank = 0
    for colour in range(COLOURS):
        rank += AT_MOST[COLOURS - colour][m] - AT_MOST[COLOURS - colour][m - count(realm, colour)]
        m -= count(realm, colour)
    return rank


cdef inline u64 realm_of(int rank) noexcept nogil:
    cdef int colour, n, fewer, m = LIMIT
    cdef u64 realm = 0
    for colour in range(COLOURS):
        n = 0
        while True:
            fewer = AT_MOST[COLOURS - 1 - colour][m - n]  # realms with exactly n of this colour
            if rank < fewer:
                break
            rank -= fewer
            n += 1
        realm |= <u64>n << (8 * colour)
        m -= n
    return realm


# ---- what can be decided ---------------------------------------------------------------------------

cdef int steps_decider(const Rules* rules, const Steps* steps) noexcept nogil:
    if steps.state.round == TURNS:
        return NOBODY  # the refill after the last turn decides nothing
    return <int>CHANCE if steps.state.hole != NO_CELL else <int>steps.state.who


cdef int steps_draws(const Rules* rules, const Steps* steps, i32* out) noexcept nogil:
    cdef int word, n = 0, level = lowest_pile(&steps.state)
    cdef u64 bits
    for word in range(2):
        bits = steps.state.unseen[word] & rules.of_level[level][word]
        while bits:
            out[n] = 64 * word + lowest(bits)
            bits &= bits - 1
            n += 1
    return n


cdef inline const Tile* tile_of(const Rules* rules, const Steps* steps) noexcept nogil:
    return &rules.tile[steps.state.centre[steps.what // FACES]]


cdef bint can_erupt(const State* state, int cell, const Tile* tile) noexcept nogil:
    cdef int other, n = 0
    for other in range(CELLS):
        if other != cell:
            n += total(removable(state, cell, tile, other))
    return n >= tile.number


cdef int first_steps(const Rules* rules, const State* state, u32 prune, i32* out) noexcept nogil:
    cdef const Player* player = &state.player[state.who]
    cdef u32 places = open_places(player, prune)
    cdef const Tile* tile
    cdef Bill bill
    cdef u64 realm
    cdef int cell, god, n = 0
    if places:
        for cell in range(CELLS):
            tile = &rules.tile[state.centre[cell]]
            realm = player.realm + cell_worshipers(state, cell)
            out[n] = FACES * cell + WILD
            n += 1
            bill_of_tile(player, tile, &bill)
            if not coloured(player, places, tile.colour) or can_pay(realm, bill.cost, bill.any_cost) < 0:
                continue
            if tile.effect == VILLAGE or tile.effect == VOLCANO:
                if (can_pay(realm, bill.cost, bill.any_cost + tile.number) >= 0 if tile.effect == VILLAGE
                        else can_erupt(state, cell, tile)):
                    out[n] = FACES * cell + FACE_UP
                    n += 1
                out[n] = FACES * cell + UNPAID
            else:
                out[n] = FACES * cell + FACE_UP
            n += 1
    if player.god == NO_GOD:
        for god in range(DEATH + 1):
            if state.gods >> god & 1 and (god != DEATH or total(player.realm) >= DEATH_COST):
                out[n] = FIRST_GOD + god
                n += 1
        if state.gods >> DEATH & 1:
            out[n] = DEATH_UNPAID
            n += 1
    return n


cdef int places_for(const Rules* rules, const Steps* steps, u32 prune, i32* out) noexcept nogil:
    cdef const Player* player = &steps.state.player[steps.state.who]
    cdef u32 places = open_places(player, prune)
    cdef int n = 0
    if steps.what % FACES != WILD:
        places = coloured(player, places, tile_of(rules, steps).colour)
    while places:
        out[n] = FIRST_PLACE + lowest(places)
        places &= places - 1
        n += 1
    return n


cdef int removals_for(const Rules* rules, const Steps* steps, u32 prune, i32* out) noexcept nogil:
    """One worshiper more, such that those from it on are enough for the rest."""
    cdef int left[5 * CELLS]
    cdef const Tile* tile = tile_of(rules, steps)
    cdef int cell = steps.what // FACES, other, colour, kind, behind, n = 0
    cdef int least = 0, wanted = tile.number - steps.removed
    cdef u64 codes = steps.codes, here
    for other in range(CELLS):
        here = 0 if other == cell else removable(&steps.state, cell, tile, other)
        for colour in range(COLOURS):
            left[5 * other + colour] = count(here, colour)
    while codes:
        least = removed_by(codes)  # they ascend, so the last one is the largest
        left[least] -= 1
        codes >>= CODE_BITS
    behind = 0
    for kind in range(least, 5 * CELLS):
        behind += left[kind]
    for kind in range(least, 5 * CELLS):
        if left[kind] and behind >= wanted:
            out[n] = FIRST_REMOVAL + kind
            n += 1
            if prune & PRUNE_LAST_ASHES and steps.state.refills == 1:
                return n
        behind -= left[kind]
    return n


cdef int realms_for(const Rules* rules, Scratch* scratch, const Steps* steps, u32 prune, i32* out) except -1 nogil:
    cdef const State* state = &steps.state
    cdef const Player* player = &state.player[state.who]
    cdef bint last = state.round == TURNS - 1
    cdef const Tile* tile
    cdef u64 realm = player.realm, bits
    cdef u64 found[RANK_WORDS]
    cdef Bill bill
    cdef int i, rank, n = 0
    if steps.what >= FIRST_GOD:
        bill_of_god(steps.what - FIRST_GOD, steps.what == FIRST_GOD + DEATH, &bill)
    else:
        tile = tile_of(rules, steps)
        realm += cell_worshipers(state, steps.what // FACES)
        memset(&bill, 0, sizeof(bill))
        if steps.what % FACES != WILD:
            bill_of_tile(player, tile, &bill)
            if tile.effect == VILLAGE and steps.what % FACES == FACE_UP:
                bill.give = tile.number
    find_results(scratch, realm, &bill, prune, last)
    if scratch.results == 1:
        out[0] = FIRST_REALM + rank_of(from_nibbles(scratch.result[0]))
        return 1
    memset(found, 0, sizeof(found))
    for i in range(scratch.results):
        rank = rank_of(from_nibbles(scratch.result[i]))
        found[rank >> 6] |= <u64>1 << (rank & 63)
    for i in range(RANK_WORDS):
        bits = found[i]
        while bits:
            out[n] = FIRST_REALM + 64 * i + lowest(bits)
            bits &= bits - 1
            n += 1
    return n


cdef int steps_legal(const Rules* rules, Scratch* scratch, const Steps* steps, u32 prune, i32* out) except -1 nogil:
    """The numbers that can be chosen now, ascending; the decider is a player."""
    if steps.stage == WHAT:
        return first_steps(rules, &steps.state, prune, out)
    if steps.stage == PLACE:
        return places_for(rules, steps, prune, out)
    if steps.stage == REMOVAL:
        return removals_for(rules, steps, prune, out)
    return realms_for(rules, scratch, steps, prune, out)


# ---- deciding --------------------------------------------------------------------------------------

cdef void begin(Steps* steps) noexcept nogil:
    """No step of a turn taken: states are the same bytes then."""
    steps.codes = 0
    steps.what = 0
    steps.stage = WHAT
    steps.place = steps.removed = 0
    memset(steps.pad, 0, sizeof(steps.pad))


cdef void decided_move(const Rules* rules, const Steps* steps, int action, Move* move) noexcept nogil:
    """All is decided, and last the realm."""
    cdef const Player* player = &steps.state.player[steps.state.who]
    cdef const Tile* tile
    cdef int face = steps.what % FACES
    cdef bint valid
    move.what = to_nibbles(realm_of(action - FIRST_REALM)) << REALM_SHIFT
    move.detail = steps.codes
    if steps.what >= FIRST_GOD:
        valid = steps.what != DEATH_UNPAID
        move.what |= IS_GOD | <u64>(steps.what - FIRST_GOD if valid else <int>DEATH) | (IS_VALID if valid else 0)
    else:
        tile = tile_of(rules, steps)
        valid = face == FACE_UP and (tile.effect != IRRIGATION or irrigated(player, tile, steps.place))
        move.what |= <u64>(steps.what // FACES) | <u64>steps.place << PLACE_SHIFT
        move.what |= (IS_WILD if face == WILD else 0) | (IS_VALID if valid else 0)


cdef void take(const Rules* rules, Steps* steps, int action) noexcept nogil:
    """One step, but for the realm, and on to the next question."""
    cdef bint erupts
    if action < FIRST_PLACE:
        steps.what = <u16>action
        steps.stage = REALM if action >= FIRST_GOD else PLACE
        return
    if action < FIRST_REMOVAL:
        steps.place = <u8>(action - FIRST_PLACE)
    else:
        steps.codes |= <u64>(action - FIRST_REMOVAL + 1) << (CODE_BITS * steps.removed)
        steps.removed += 1
    erupts = steps.what % FACES == FACE_UP and tile_of(rules, steps).effect == VOLCANO
    steps.stage = REMOVAL if erupts and steps.removed < tile_of(rules, steps).number else REALM


cdef int advance(const Rules* rules, Scratch* scratch, Steps* steps, u32 prune, int action) except -1 nogil:
    """Takes a step and all after it that have one answer only. Returns the last one, the realm, if that ends the turn
    and is still to be taken; 0 if there is more to decide."""
    cdef i32 options[MAX_REALMS]
    while action < FIRST_REALM:
        take(rules, steps, action)
        if steps_legal(rules, scratch, steps, prune, options) != 1:
            return 0
        action = options[0]
    return action


cdef int steps_apply(const Rules* rules, Scratch* scratch, Steps* steps, u32 prune, int action) except -1 nogil:
    """Takes a step that is legal, or draws a tile that is."""
    cdef Move move
    if steps.state.hole != NO_CELL:
        state_refill(rules, &steps.state, action)
        return 0
    action = advance(rules, scratch, steps, prune, action)
    if action:
        decided_move(rules, steps, action, &move)
        begin(steps)
        state_apply(rules, &steps.state, &move)
    return 0


cdef void steps_shares(const Rules* rules, const Steps* steps, i32* out) noexcept nogil:
    cdef Outcome outcome
    cdef int i
    state_outcome(rules, &steps.state, &outcome)
    for i in range(rules.players):
        out[i] = outcome.share[i]


# ---- in words --------------------------------------------------------------------------------------

cdef extern from *:
    """
    static const char *const ORBIS_CELL_NAMES[9] = {"a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"};
    static const char *const ORBIS_GOD_NAMES[11] = {
        "love", "apprentice", "oceans", "fire", "nature", "harvests", "idleness", "technology", "equilibrium", "death",
        "death cancelled",
    };
    static const char *const ORBIS_FACE_NAMES[3] = {" wild", "", " cancelled"};
    static const char *const ORBIS_PLACE_NAMES[15] = {
        "1", "1R", "1R", "1R", "1R", "2.1", "2.2", "2.3", "2.4", "3.1", "3.2", "3.3", "4.1", "4.2", "1L",
    };
    """
    const char* CELL_NAMES "ORBIS_CELL_NAMES"[9]
    const char* GOD_NAMES "ORBIS_GOD_NAMES"[11]
    const char* FACE_NAMES "ORBIS_FACE_NAMES"[3]
    const char* PLACE_NAMES "ORBIS_PLACE_NAMES"[15]


cdef enum:
    TEXT = 32


cdef int steps_text(int action, char* out) noexcept nogil:
    """The step in the words of move notation; how long they are."""
    cdef const char* letters = "rgbyw"
    cdef u64 realm
    cdef int colour, i, n
    if action < FIRST_GOD:
        return snprintf(out, TEXT, "%s%s", CELL_NAMES[action // FACES], FACE_NAMES[action % FACES])
    if action < FIRST_PLACE:
        return snprintf(out, TEXT, "%s", GOD_NAMES[action - FIRST_GOD])
    if action < FIRST_REMOVAL:
        return snprintf(out, TEXT, "%s", PLACE_NAMES[action - FIRST_PLACE])
    if action < FIRST_REALM:
        action -= FIRST_REMOVAL
        return snprintf(out, TEXT, "remove %s:%c", CELL_NAMES[action // 5], <int>letters[action % 5])
    realm = realm_of(action - FIRST_REALM)
    n = snprintf(out, TEXT, "keep %s", b"-" if realm == 0 else b"")
    for colour in range(COLOURS):
        for i in range(count(realm, colour)):
            out[n] = letters[colour]
            n += 1
    out[n] = 0
    return n


def action_text(int action):
    cdef char text[TEXT]
    if not 0 <= action < ACTIONS:
        raise ValueError(f"expected a step from 0 to {ACTIONS - 1}, found {action}")
    return text[:steps_text(action, text)].decode()


# ---- what Python holds -----------------------------------------------------------------------------

cdef StepsInterface interface
interface.actions = ACTIONS
interface.most_legal = MAX_REALMS
interface.decider = steps_decider
interface.legal = steps_legal
interface.draws = steps_draws
interface.apply = steps_apply
interface.shares = steps_shares
interface.text = steps_text
interface.scratch_new = scratch_new
interface.scratch_free = scratch_free

cdef Scratch* shared = scratch_new()  # only used with the GIL held
if shared == NULL:
    raise MemoryError()


def _restored(Table table, u32 prune, bytes data):
    """The state whose `bytes` these are, out of a pickle."""
    cdef StepState state = StepState.__new__(StepState)
    cdef Steps* steps = &state.steps
    if len(data) != <Py_ssize_t>steps_size(&table.rules):
        raise ValueError(f"expected {steps_size(&table.rules)} bytes of a state, found {len(data)}")
    memcpy(steps, <const char*>data, len(data))
    if state_fault(&table.rules, &steps.state) or (
        steps.stage > REALM or steps.what >= FIRST_PLACE or steps.place > LEFT_END or steps.removed > MAX_REMOVED
    ):
        raise ValueError("expected the bytes of a state, found others")
    state.table = table
    state.prune = prune
    return state


cdef class StepState:
    """A state in the middle of a turn, perhaps. `prune` is a sum of PRUNING_RULES, 0 for every legal move."""

    cdef readonly Table table
    cdef readonly u32 prune
    cdef Steps steps

    def __init__(self, PackedState state, u32 prune=EVERY_MOVE):
        self.table = state.table
        self.prune = prune
        begin(&self.steps)
        self.steps.state = state.state

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def copy(self):
        cdef StepState twin = StepState.__new__(StepState)
        twin.table = self.table
        twin.prune = self.prune
        twin.steps = self.steps
        return twin

    def __eq__(self, other):
        if not isinstance(other, StepState):
            return NotImplemented
        cdef StepState that = <StepState>other
        return self.table is that.table and not memcmp(&self.steps, &that.steps, steps_size(&self.table.rules))

    def __hash__(self):
        return hash(self.bytes)

    @property
    def bytes(self):
        return PyBytes_FromStringAndSize(<char*>&self.steps, steps_size(&self.table.rules))

    def __reduce__(self):
        return _restored, (self.table, self.prune, self.bytes)

    def packed(self):
        """The state before the turn's steps."""
        cdef PackedState state = PackedState.__new__(PackedState)
        state.table = self.table
        state.state = self.steps.state
        return state

    @property
    def decider(self):
        """The player who decides next, -2 for chance, -1 when the game is over."""
        return steps_decider(&self.table.rules, &self.steps)

    @property
    def is_between_turns(self):
        return self.steps.stage == WHAT

    def taken(self):
        """The steps of this turn so far, those without a choice among them."""
        cdef list steps = []
        cdef u64 codes = self.steps.codes
        if self.steps.stage != WHAT:
            steps.append(self.steps.what)
            if self.steps.what < FIRST_GOD and self.steps.stage > PLACE:
                steps.append(FIRST_PLACE + self.steps.place)
            while codes:
                steps.append(FIRST_REMOVAL + removed_by(codes))
                codes >>= CODE_BITS
        return steps

    def legal(self):
        """The steps that can be taken now, ascending; tile numbers when a refill is due."""
        cdef i32 out[MAX_REALMS]
        cdef int n, decider = steps_decider(&self.table.rules, &self.steps)
        if decider == NOBODY:
            return []
        if decider == CHANCE:
            n = steps_draws(&self.table.rules, &self.steps, out)
        else:
            n = steps_legal(&self.table.rules, shared, &self.steps, self.prune, out)
        return [out[i] for i in range(n)]

    def apply(self, int action):
        """Takes a step, or draws a tile; ValueError if that is not legal."""
        if action not in self.legal():
            raise ValueError(f"expected a legal step, found {action}")
        steps_apply(&self.table.rules, shared, &self.steps, self.prune, action)

    def move(self, int action):
        """The move as (what, detail) if this step ends the turn, None if there is more to decide."""
        cdef Steps steps = self.steps
        cdef Move move
        if self.decider < 0 or action not in self.legal():
            raise ValueError(f"expected a legal step, found {action}")
        action = advance(&self.table.rules, shared, &steps, self.prune, action)
        if not action:
            return None
        decided_move(&self.table.rules, &steps, action, &move)
        return move.what, move.detail

    def shares(self):
        """Each player's part of the victory in twelfths, if the game ended here."""
        cdef i32 out[4]
        steps_shares(&self.table.rules, &self.steps, out)
        return tuple([out[i] for i in range(self.table.rules.players)])

    def addresses(self):
        """For C and C++: where the interface, the rules and the steps are, and how many bytes these take.

        They stay there as long as this object does.
        """
        return (
            <uintptr_t>&interface, <uintptr_t>&self.table.rules, <uintptr_t>&self.steps,
            steps_size(&self.table.rules),
        )
