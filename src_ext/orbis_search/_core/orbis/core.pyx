"""The packed game as Python sees it: made by `packing`, searched through `game`."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort, malloc
from libc.string cimport memcmp, memcpy, memset

from ..common.bits cimport lowest, popcount
from ..common.checked cimport CHECKED
from ..common.clock cimport now
from ..common.ints cimport i16, i32, u8, u16, u32, u64
from ..common.rng cimport fold, rng_below, rng_seed
from ..game cimport Draw, Enough, Estimate, GameState, Move, MoveList, Outcome, move_list_free
from ..network cimport Network, RawNetwork
from .candidates cimport orbis_candidates, orbis_groups
from .determinize cimport World, refill_of, shuffle_piles
from .ending cimport orbis_ending
from .evaluation cimport OUTPUTS, state_evaluate
from .inputs cimport COMMON_INPUTS, MAX_INPUTS, MOST_INPUT, PLAYER_INPUTS, state_inputs, summary_of
from .movegen cimport (
    EVERY_MOVE, PRUNE_EXCHANGES, PRUNE_LAST_ASHES, PRUNE_LAST_COLOURS, PRUNE_LAST_REALM, PRUNE_MIRROR, SEARCH_MOVES,
    Scratch, generate_moves, scratch_free, scratch_new,
)
from .placement cimport LEFT_END
from .playout cimport SAMPLES, play_out
from .policy cimport NOISE, random_turn, read_field, rough_of, sensible_turn
from .realm cimport COLOURS, count
from .scoring cimport SOURCES, points_by_source, points_of_all, state_outcome, wilderness
from .state cimport (
    CANCELLED, CELLS, DEATH, FARM, FOREST, FORESTS, IRRIGATION, MAX_TILES, NO_CELL, NO_GOD, NO_TILE,
    OCCUPIED, SACRED_STONE, SLOTS, TEMPLE, TURNS, VILLAGE, VOLCANO, Player, Rules, State, Tile, counts_of_tile, lowest_pile, state_copy,
    state_size,
    state_to_move,
)
from .turn cimport (
    CODE_BITS, IS_GOD, MAX_REMOVED, Turn, move_place, pack_turn, state_apply, state_fault, state_key, state_refill,
)

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define ORBIS_KEEP(p) __asm__ volatile("" : : "r"(p) : "memory")
    #else
    #define ORBIS_KEEP(p) ((void)*(volatile char *)(p))
    #endif
    """
    void keep "ORBIS_KEEP"(void* pointer) noexcept nogil  # the compiler must believe that somebody looks

NOTHING = NO_TILE
LEFT = LEFT_END
PRUNING_RULES = {
    "exchanges": PRUNE_EXCHANGES,
    "last realm": PRUNE_LAST_REALM,
    "mirror": PRUNE_MIRROR,
    "last ashes": PRUNE_LAST_ASHES,
    "last colours": PRUNE_LAST_COLOURS,
}
ALL, SEARCH = EVERY_MOVE, SEARCH_MOVES
DIFFERENT = PRUNE_MIRROR | PRUNE_LAST_ASHES | PRUNE_LAST_COLOURS  # one of those that lead to the same
IS_CHECKED_BUILD = bool(CHECKED)


# ---- the seam --------------------------------------------------------------------------------------

cdef inline void expect_ok(const Rules* rules, const State* state) noexcept nogil:
    """In the debug build a broken state ends the program where it broke."""
    cdef const char* fault
    if CHECKED:
        fault = state_fault(rules, state)
        if fault:
            fprintf(
                stderr, b"orbis: broken state at turn %d: %s\n", state.round * rules.players + state.who, fault,
            )
            abort()


cdef enum:  # of what is copied to and fro by the clock
    PLACES = 8
    PLACE_BYTES = 320  # five cache lines, enough for a state


PLAYOUT_STYLES = {"random": 0, "sensible": 1, "sampled": SAMPLES, "sampled plainly": -SAMPLES}
MARGIN_SCALE = 12.0  # points; a lead of so many counts for half of what any lead can


cdef int orbis_to_move(const void* rules, const void* state) noexcept nogil:
    return state_to_move(<const Rules*>rules, <const State*>state)


cdef long long orbis_moves(
    const void* rules, void* scratch, const void* state, u32 prune, MoveList* out
) except -1 nogil:
    return generate_moves(<const Rules*>rules, <Scratch*>scratch, <const State*>state, prune, out)


cdef void orbis_apply(const void* rules, void* state, const Move* move) noexcept nogil:
    state_apply(<const Rules*>rules, <State*>state, move)
    expect_ok(<const Rules*>rules, <const State*>state)


cdef int orbis_draws(const void* rules, const void* state, Draw* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef const Rules* r = <const Rules*>rules
    cdef int word, level, n = 0
    cdef u64 bits
    if s.hole == NO_CELL:
        return 0
    level = lowest_pile(s)
    for word in range(2):
        bits = s.unseen[word] & r.of_level[level][word]
        if out == NULL:
            n += popcount(bits)
            continue
        while bits:
            out[n].what = 64 * word + lowest(bits)
            out[n].weight = 1
            bits &= bits - 1
            n += 1
    return n


cdef void orbis_draw(const void* rules, void* state, u32 what) noexcept nogil:
    # Not checked here: a position of the solver (see `ending`) may hold what no state of the game does.
    state_refill(<const Rules*>rules, <State*>state, <int>what)


cdef void orbis_determinize(const void* rules, void* state, int observer, u64* rng, void* world) noexcept nogil:
    """Everybody sees the same: all but the order of the piles."""
    shuffle_piles(<const Rules*>rules, <const State*>state, rng, <World*>world)


cdef u32 orbis_next_draw(const void* rules, const void* state, const void* world) noexcept nogil:
    return refill_of(<const State*>state, <const World*>world)


cdef void orbis_playout(const void* rules, void* state, const void* world, u64* rng, int style) noexcept nogil:
    play_out(<const Rules*>rules, <State*>state, <const World*>world, rng, style)


cdef void orbis_evaluate(const void* rules, const void* knowledge, const void* state, Estimate* out) noexcept nogil:
    state_evaluate(<const Rules*>rules, <const RawNetwork*>knowledge, <const State*>state, out)


cdef void orbis_outcome(const void* rules, const void* state, Outcome* out) noexcept nogil:
    state_outcome(<const Rules*>rules, <const State*>state, out)


cdef void orbis_detail(const void* rules, const void* state, i32* out) noexcept nogil:
    points_by_source(<const Rules*>rules, <const State*>state, out)


cdef u64 orbis_key(const void* rules, const void* state) noexcept nogil:
    return state_key(<const Rules*>rules, <const State*>state)


cdef void* orbis_scratch_new() noexcept nogil:
    return scratch_new()


cdef void orbis_scratch_free(void* scratch) noexcept nogil:
    scratch_free(<Scratch*>scratch)


cdef void orbis_scratch_ask(void* scratch, Enough enough, void* asker) noexcept nogil:
    (<Scratch*>scratch).enough = enough
    (<Scratch*>scratch).asker = asker


# ---- what Python holds -----------------------------------------------------------------------------

cdef class Table:
    def __init__(self, tiles, int players, bint most_at_zero, tokens):
        """`tiles`: (cost by colour, any cost, colour, level 0-2, effect, number, colour set, mystic, cp) each."""
        cdef int i, c
        if len(tiles) > MAX_TILES or not 2 <= players <= 4 or len(tokens) != players:
            raise ValueError("a table takes at most 128 tiles and 2 to 4 players")
        self.made_of = tuple(tiles), players, most_at_zero, tuple(tokens)
        memset(&self.rules, 0, sizeof(Rules))
        self.rules.tiles = len(tiles)
        self.rules.players = players
        self.rules.most_at_zero = most_at_zero
        for i, value in enumerate(tokens):
            self.rules.tokens[i] = value
        for i, (cost, any_cost, colour, level, effect, number, colours, mystic, cp) in enumerate(tiles):
            if not (0 <= level < 3 and 0 <= colour < COLOURS and 0 <= colours < 32 and len(cost) == COLOURS):
                raise ValueError(f"tile {i} has no such level or colour")
            if not (0 <= effect <= SACRED_STONE and 0 <= number <= MAX_REMOVED):
                raise ValueError(f"tile {i} has no such effect")
            for c in range(COLOURS):
                self.rules.tile[i].cost |= <u64><u8>cost[c] << (8 * c)
            self.rules.tile[i].any_cost = any_cost
            self.rules.tile[i].colour = colour
            self.rules.tile[i].level = level
            self.rules.tile[i].effect = effect
            self.rules.tile[i].number = number
            self.rules.tile[i].colours = colours
            self.rules.tile[i].mystic = mystic
            self.rules.tile[i].cp = cp
            self.rules.of_level[<int>level][i >> 6] |= <u64>1 << (i & 63)
            self.rules.tile[i].counts = counts_of_tile(&self.rules.tile[i])
            rough_of(&self.rules.tile[i], &self.rules.rough[i])
            summary_of(&self.rules.tile[i], &self.rules.rough[i], self.rules.summary[i])
        for c in range(COLOURS):
            for i in range(self.rules.tiles):
                self.rules.symbols[c] += 100 * count(self.rules.tile[i].cost, c)
            self.rules.symbols[c] //= max(1, self.rules.tiles)

    def __reduce__(self):
        return Table, self.made_of

    @property
    def players(self):
        return self.rules.players


cdef int inputs_of(int players) noexcept:
    return players * PLAYER_INPUTS + COMMON_INPUTS


LARGEST_INPUT = MOST_INPUT
NETWORK_SIZES = {players: (inputs_of(players), OUTPUTS * players) for players in (2, 3, 4)}  # inputs and outputs


cdef u64 words_of(counts) except? 0:
    cdef u64 words = 0
    cdef int c
    for c in range(COLOURS):
        words |= <u64><u8>counts[c] << (8 * c)
    return words


cdef tuple counts_of(u64 words):
    return tuple([count(words, c) for c in range(COLOURS)])


cdef Move move_of(move):
    cdef Move packed
    packed.what, packed.detail = move
    return packed


cdef bint could_be_move(const Move* move) noexcept nogil:
    """Whether every field of a packed move is within its range: see `turn`."""
    cdef u64 codes = move.detail
    if move.what >> 31:
        return False
    if move.what & IS_GOD:
        return (move.what & 15) <= DEATH and not move.detail
    if (move.what & 15) >= CELLS or move_place(move.what) > LEFT_END:
        return False
    while codes:
        if not 1 <= (codes & 63) <= CELLS * COLOURS:
            return False
        codes >>= CODE_BITS
    return True


cdef double LOOK_EVERY = 0.1  # seconds


# While Python waits for the moves of a turn: more than it wants, or Ctrl-C.
cdef struct Listing:
    size_t most
    double look_at
    bint many
    bint interrupted


cdef bint is_over(void* asker, size_t listed) noexcept nogil:
    cdef Listing* listing = <Listing*>asker
    if listed > listing.most:
        listing.many = True
    elif now() > listing.look_at:
        with gil:
            try:
                PyErr_CheckSignals()
            except BaseException:
                listing.interrupted = True
        listing.look_at = now() + LOOK_EVERY
    return listing.many or listing.interrupted


cdef Scratch* scratch_for(Listing* listing, most) except NULL:
    """Work space whose user is interrupted by Ctrl-C."""
    cdef Scratch* scratch = scratch_new()
    if scratch == NULL:
        raise MemoryError()
    listing.most = <size_t>-1 if most is None else <size_t>most
    listing.look_at = now() + LOOK_EVERY
    listing.many = listing.interrupted = False
    scratch.enough = is_over
    scratch.asker = listing
    return scratch


cdef int expect_no_interrupt(const Listing* listing) except -1:
    if listing.interrupted:
        raise KeyboardInterrupt
    return 0


cdef int note_factors(
    void* recorder, int cell, u32 places, u64 flags, const u64* removal, size_t removals, const u64* result, int results
) except -1 with gil:
    (<list>recorder).append((
        cell | flags,
        [place for place in range(LEFT_END + 1) if places >> place & 1],
        [removal[i] for i in range(removals)],
        [result[i] for i in range(results)],
    ))
    return 0


cdef class PackedState:
    def __init__(self, Table table, centre, worshipers, players, int gods, left, unseen):
        """`centre`: nine tile numbers, NOTHING for the hole. `worshipers`: nine times five counts.
        `players`: (tile number by slot or NOTHING, wild slots, cancelled slots, realm, god or None, validated).
        """
        cdef State* state = &self.state
        cdef Player* player
        cdef const Tile* tile
        cdef int i, c, slot, number, wild, cancelled, played = 0
        cdef u16 bit
        if (len(centre), len(worshipers), len(left), len(players)) != (CELLS, CELLS, 3, table.rules.players):
            raise ValueError("a state has nine cells, three piles and the players of its table")
        if gods < 0 or gods >> (DEATH + 1):
            raise ValueError("there are ten gods")
        if any([len(counts) != COLOURS for counts in worshipers]):
            raise ValueError("worshipers are counted by five colours")
        self.table = table
        memset(state, 0, sizeof(State))
        state.hole = NO_CELL
        for i in range(CELLS):
            state.centre[i] = centre[i]
            if state.centre[i] == NO_TILE:
                state.hole = i
            for c in range(COLOURS):
                state.worshipers[5 * i + c] = worshipers[i][c]
        state.gods = gods
        for i in range(3):
            state.left[i] = left[i]
            state.refills += left[i]
        for number in unseen:
            if not 0 <= number < table.rules.tiles:
                raise ValueError(f"expected a tile number below {table.rules.tiles}, found {number}")
            state.unseen[number >> 6] |= <u64>1 << (number & 63)
        for i, (slots, wild, cancelled, realm, god, validated) in enumerate(players):
            if len(slots) != SLOTS or len(realm) != COLOURS:
                raise ValueError("a player has fourteen slots and worshipers of five colours")
            if god is not None and not 0 <= god <= DEATH:
                raise ValueError(f"there is no god {god}")
            player = &state.player[i]
            player.realm = words_of(realm)
            player.god = NO_GOD if god is None else <int>god
            player.god_validated = validated and god is not None
            played += god is not None
            for slot in range(SLOTS):
                bit = <u16>(1 << slot)
                number = slots[slot]
                player.tile[slot] = number
                if wild >> slot & 1:
                    if number != NO_TILE and number >= table.rules.tiles:
                        raise ValueError(f"expected a tile number below {table.rules.tiles}, found {number}")
                    for c in range(COLOURS):
                        player.mask[c] |= bit
                elif number == NO_TILE:
                    continue
                else:
                    if not 0 <= number < table.rules.tiles:
                        raise ValueError(f"expected a tile number below {table.rules.tiles}, found {number}")
                    tile = &table.rules.tile[number]
                    player.mask[tile.colour] |= bit
                    player.mystic = max(player.mystic, tile.mystic)
                    if cancelled >> slot & 1:
                        player.mask[CANCELLED] |= bit
                    elif tile.effect == FOREST:
                        player.mask[FORESTS] |= bit
                    else:
                        player.points += tile.cp
                        if tile.effect == FARM:
                            player.farms |= tile.colours
                        player.villages += tile.effect == VILLAGE
                        player.volcanoes += tile.effect == VOLCANO
                        player.irrigations += tile.effect == IRRIGATION
                        player.temples += tile.number if tile.effect == TEMPLE else 0
                player.mask[OCCUPIED] |= bit
                played += 1
        state.who = played % table.rules.players
        state.round = played // table.rules.players
        cdef const char* fault = state_fault(&table.rules, state)
        if fault:
            raise ValueError(f"not a state of Orbis: {fault.decode()}")

    def __copy__(self):
        return self.copy()

    def copy(self):
        cdef PackedState twin = PackedState.__new__(PackedState)
        twin.table = self.table
        twin.state = self.state
        return twin

    def __eq__(self, other):
        if not isinstance(other, PackedState):
            return NotImplemented
        cdef PackedState that = <PackedState>other
        return self.table is that.table and not memcmp(&self.state, &that.state, state_size(&self.table.rules))

    def __hash__(self):
        return self.key

    @property
    def key(self):
        return state_key(&self.table.rules, &self.state)

    @property
    def to_move(self):
        """Index of the player to move, -1 when the game is over."""
        return state_to_move(&self.table.rules, &self.state)

    @property
    def players(self):
        return self.table.rules.players

    @property
    def turns_left(self):
        """All players' turns together."""
        return TURNS * self.table.rules.players - self.state.round * self.table.rules.players - self.state.who

    @property
    def hole(self):
        return None if self.state.hole == NO_CELL else self.state.hole

    @property
    def size(self):
        """Bytes that a copy moves."""
        return state_size(&self.table.rules)

    @property
    def bytes(self):
        """The packed state as it is."""
        return PyBytes_FromStringAndSize(<char*>&self.state, state_size(&self.table.rules))

    def fields(self):
        """Everything that `__init__` takes but the table, read back."""
        cdef const State* state = &self.state
        cdef const Player* player
        centre = tuple([state.centre[i] for i in range(CELLS)])
        worshipers = tuple([tuple([state.worshipers[5 * i + c] for c in range(COLOURS)]) for i in range(CELLS)])
        players = []
        for i in range(self.table.rules.players):
            player = &state.player[i]
            players.append((
                tuple([player.tile[slot] for slot in range(SLOTS)]),
                wilderness(player),
                player.mask[CANCELLED],
                counts_of(player.realm),
                None if player.god == NO_GOD else player.god,
                bool(player.god_validated) if player.god != NO_GOD else True,
            ))
        left = (state.left[0], state.left[1], state.left[2])
        unseen = [n for n in range(self.table.rules.tiles) if state.unseen[n >> 6] >> (n & 63) & 1]
        return centre, worshipers, tuple(players), state.gods, left, unseen

    def moves(self, u32 prune=EVERY_MOVE):
        """The legal moves as (what, detail), none after the end; `prune` is a sum of PRUNING_RULES."""
        cdef MoveList found
        cdef Listing listing
        cdef Scratch* scratch
        cdef size_t i
        if self.to_move < 0:
            return []
        self.expect_to_move()
        memset(&found, 0, sizeof(found))
        scratch = scratch_for(&listing, None)
        try:
            with nogil:
                generate_moves(&self.table.rules, scratch, &self.state, prune, &found)
            expect_no_interrupt(&listing)
            return [(found.item[i].what, found.item[i].detail) for i in range(found.count)]
        finally:
            scratch_free(scratch)
            move_list_free(&found)

    def factors(self, u32 prune=EVERY_MOVE):
        """The moves before they are multiplied out: (head, places, removals, realms left) for each product.

        A move is head | place << 7 | realm << 11 with one of the removals (or 0 when there are none).
        """
        cdef Listing listing
        cdef Scratch* scratch = scratch_for(&listing, None)
        products = []
        scratch.record = note_factors
        scratch.recorder = <void*>products
        try:
            with nogil:
                generate_moves(&self.table.rules, scratch, &self.state, prune, NULL)
            expect_no_interrupt(&listing)
        finally:
            scratch_free(scratch)
        return products

    def sample(self, int n, u64 seed, u32 prune=SEARCH_MOVES):
        """n of the moves, each chosen evenly."""
        cdef MoveList found
        cdef Scratch* scratch = scratch_new()
        cdef u64 rng = rng_seed(seed)
        cdef size_t at
        self.expect_to_move()
        memset(&found, 0, sizeof(found))
        if scratch == NULL:
            raise MemoryError()
        try:
            with nogil:
                generate_moves(&self.table.rules, scratch, &self.state, prune, &found)
            moves = []
            for _ in range(n):
                at = rng_below(&rng, <u32>found.count)
                moves.append((found.item[at].what, found.item[at].detail))
            return moves
        finally:
            scratch_free(scratch)
            move_list_free(&found)

    def count_moves(self, u32 prune=EVERY_MOVE, most=None):
        """How many `moves` has. With `most`: None where finding out takes more work than listing so many."""
        cdef long long n
        cdef Listing listing
        cdef Scratch* scratch
        if self.to_move < 0:
            return 0
        self.expect_to_move()
        scratch = scratch_for(&listing, most)
        try:
            with nogil:
                n = generate_moves(&self.table.rules, scratch, &self.state, prune, NULL)
            expect_no_interrupt(&listing)
            return None if listing.many else n
        finally:
            scratch_free(scratch)

    def expect_to_move(self):
        if self.to_move < 0 or self.state.hole != NO_CELL:
            raise ValueError("nobody is to move: " + ("the game is over" if self.to_move < 0 else "a refill is due"))

    def apply(self, move):
        """Plays a move in place; a region leaves a hole to be refilled. Unchecked: it has to be legal. A packed move
        that no position could have is refused."""
        cdef Move packed = move_of(move)
        self.expect_to_move()
        if not could_be_move(&packed):
            raise ValueError(f"expected a packed move, found {move}")
        orbis_apply(&self.table.rules, &self.state, &packed)

    def draws(self):
        """The tiles that may come into the hole."""
        cdef Draw found[128]
        cdef int n = orbis_draws(&self.table.rules, &self.state, found)
        return [found[i].what for i in range(n)]

    def refill(self, int number):
        if number not in self.draws():
            raise ValueError(f"tile {number} cannot be drawn here")
        orbis_draw(&self.table.rules, &self.state, number)
        expect_ok(&self.table.rules, &self.state)

    def points(self):
        """CP of each player if the game ended here."""
        cdef i32 points[4]
        points_of_all(&self.table.rules, &self.state, points)
        return tuple([points[i] for i in range(self.table.rules.players)])

    def breakdown(self):
        """For each player: CP by effect of the tile, wilderness, god, temple token; last the worshipers left."""
        cdef i32 out[4 * SOURCES]
        points_by_source(&self.table.rules, &self.state, out)
        return tuple([
            tuple([out[SOURCES * i + k] for k in range(SOURCES)]) for i in range(self.table.rules.players)
        ])

    def shares(self):
        """Each player's part of the victory in twelfths, if the game ended here."""
        cdef Outcome outcome
        state_outcome(&self.table.rules, &self.state, &outcome)
        return tuple([outcome.share[i] for i in range(self.table.rules.players)])

    def choose(self, str style, u64 seed):
        """A legal move chosen 'random', 'sensible' or 'greedy' (sensible without noise), as (what, detail)."""
        cdef Move move
        cdef Turn turn
        cdef u64 field[CELLS]
        cdef u64 rng = rng_seed(seed)
        self.expect_to_move()
        read_field(&self.state, field)
        if style == "random":
            random_turn(&self.table.rules, &self.state, field, &rng, &turn)
        elif style == "sensible":
            sensible_turn(&self.table.rules, &self.state, field, NOISE, &rng, &turn)
        elif style == "greedy":
            sensible_turn(&self.table.rules, &self.state, field, 1, &rng, &turn)
        else:
            raise ValueError(f"expected style 'random', 'sensible' or 'greedy', found {style!r}")
        pack_turn(&turn, &move)
        return move.what, move.detail

    def shuffled(self, u64 seed):
        """One possible order of all refills to come."""
        cdef World world
        cdef u64 rng = rng_seed(seed)
        shuffle_piles(&self.table.rules, &self.state, &rng, &world)
        return [world.order[i] for i in range(world.refills)]

    def playouts(self, long n, u64 seed, str style="random"):
        """Plays the game to its end n times, the piles shuffled anew each time; `style` 'random', 'sensible' or
        'sampled', the best of three; 'sampled plainly' plays the same games, without the CPU's wide instructions.

        Returns for each player the sum of its shares (in twelfths) and of its points, and a checksum of
        all final states.
        """
        cdef State state
        cdef World world
        cdef Outcome outcome
        cdef long long share[4]
        cdef long long points[4]
        cdef u64 rng = rng_seed(seed), checksum = 0
        cdef long k
        cdef int i
        cdef int number = PLAYOUT_STYLES[style]
        cdef const Rules* rules = &self.table.rules
        if self.state.hole != NO_CELL:
            raise ValueError("a refill is due")
        memset(share, 0, sizeof(share))
        memset(points, 0, sizeof(points))
        with nogil:
            for k in range(n):
                state_copy(rules, &state, &self.state)
                shuffle_piles(rules, &state, &rng, &world)
                play_out(rules, &state, &world, &rng, number)
                state_outcome(rules, &state, &outcome)
                expect_ok(rules, &state)
                for i in range(rules.players):
                    share[i] += outcome.share[i]
                    points[i] += outcome.points[i]
                    checksum = fold(checksum ^ <u64>outcome.points[i], <u64>0x9E3779B97F4A7C15)
        players = range(rules.players)
        return [share[i] for i in players], [points[i] for i in players], checksum

    def inputs(self):
        """What a network sees of this state; nobody waits for a refill."""
        cdef i16 found[MAX_INPUTS]
        cdef int n = inputs_of(self.table.rules.players)
        self.expect_to_move()
        state_inputs(&self.table.rules, &self.state, found)
        return PyBytes_FromStringAndSize(<char*>found, n * sizeof(i16))

    def evaluate(self, Network network):
        """What the network makes of it: shares, points, details, how likely level, and the share from that."""
        cdef Estimate found
        cdef int players = self.table.rules.players
        self.expect_to_move()
        self.expect_fitting(network)
        state_evaluate(&self.table.rules, &network.raw, &self.state, &found)
        every = range(players)
        return (
            [found.share[i] for i in every], [found.points[i] for i in every],
            [[found.detail[SOURCES * i + k] for k in range(SOURCES)] for i in every],
            [found.level[i] for i in every], [found.level_share[i] for i in every],
        )

    def time_evaluations(self, long n, Network network):
        """Evaluates the state n times; for a stopwatch outside."""
        cdef Estimate found
        cdef long k
        self.expect_to_move()
        self.expect_fitting(network)
        with nogil:
            for k in range(n):
                keep(&self.state)
                state_evaluate(&self.table.rules, &network.raw, &self.state, &found)
                keep(&found)

    cdef int expect_fitting(self, Network network) except -1:
        cdef int players = self.table.rules.players
        if network.raw.inputs != inputs_of(players) or network.raw.outputs != OUTPUTS * players:
            raise ValueError(f"expected a network for {players} players")
        return 0

    def game_state(self, order=None, Network network=None):
        """This state behind the seam, for a search. `order`: all refills to come, for a fixed course. `network`: to
        evaluate states with."""
        cdef GameState handle = GameState.__new__(GameState)
        cdef size_t size = state_size(&self.table.rules)
        handle.owner = self.table
        handle.game.rules = &self.table.rules
        handle.game.players = self.table.rules.players
        handle.game.defaults.margin_scale = MARGIN_SCALE
        handle.game.defaults.playout_style = SAMPLES
        if network is not None:
            self.expect_fitting(network)
            handle.owner = self.table, network
            handle.game.evaluate = orbis_evaluate
            handle.game.knowledge = &network.raw
        handle.game.state_size = size
        handle.game.world_size = sizeof(World)
        handle.game.to_move = orbis_to_move
        handle.game.moves = orbis_moves
        handle.game.apply = orbis_apply
        handle.game.draws = orbis_draws
        handle.game.draw = orbis_draw
        handle.game.determinize = orbis_determinize
        handle.game.next_draw = orbis_next_draw
        handle.game.playout = orbis_playout
        handle.game.groups = orbis_groups
        handle.game.candidates = orbis_candidates
        handle.game.outcome = orbis_outcome
        handle.game.details = SOURCES
        handle.game.detail = orbis_detail
        handle.game.key = orbis_key
        handle.game.scratch_new = orbis_scratch_new
        handle.game.scratch_free = orbis_scratch_free
        handle.game.ending = orbis_ending()
        handle.game.scratch_ask = orbis_scratch_ask
        handle.game.same = DIFFERENT
        handle.state = malloc(size)
        if handle.state == NULL:
            raise MemoryError()
        memcpy(handle.state, &self.state, size)
        if order is not None:
            handle.world = malloc(sizeof(World))
            if handle.world == NULL:
                raise MemoryError()
            self.fix_order(<World*>handle.world, order)
        return handle

    cdef int fix_order(self, World* world, order) except -1:
        cdef const State* state = &self.state
        cdef int i, level, at = 0
        if len(order) != state.refills or len(set(order)) != len(order):
            raise ValueError("an order names each refill to come once")
        world.refills = <u8>len(order)
        for level in range(3):
            for i in range(state.left[level]):
                number = order[at]
                if not 0 <= number < self.table.rules.tiles or not (state.unseen[number >> 6] & self.table.rules.of_level[level][number >> 6]) >> (number & 63) & 1:
                    raise ValueError(f"tile {number} is not in the pile of level {level + 1}")
                world.order[at] = number
                at += 1
        return 0

    # ---- measuring ------------------------------------------------------------------------------------

    def time_moves(self, long n, u32 prune):
        """Generates this state's moves n times; for a stopwatch outside. Returns how many there are."""
        cdef MoveList found
        cdef Scratch* scratch = scratch_new()
        cdef long k
        memset(&found, 0, sizeof(found))
        if scratch == NULL:
            raise MemoryError()
        try:
            with nogil:
                for k in range(n):
                    found.count = 0
                    generate_moves(&self.table.rules, scratch, &self.state, prune, &found)
            return found.count
        finally:
            scratch_free(scratch)
            move_list_free(&found)

    def time_copies(self, long n):
        """Copies the state n times between places in the first-level cache; for a stopwatch outside."""
        cdef char room[(2 * PLACES + 1) * PLACE_BYTES]
        cdef char* here = room + (-<size_t>room & 63)  # places begin a cache line, as those of a search do
        cdef char* there = here + PLACES * PLACE_BYTES
        cdef const Rules* rules = &self.table.rules
        cdef long k, at
        for k in range(PLACES):
            memcpy(here + k * PLACE_BYTES, &self.state, sizeof(State))
        with nogil:
            for k in range(n):
                at = (k & (PLACES - 1)) * PLACE_BYTES
                state_copy(rules, <State*>(there + at), <const State*>(here + at))
                keep(there + at)
        return (<State*>there).round

    def time_applies(self, long n, move):
        """Plays a move n times, each time on a copy; for a stopwatch outside."""
        cdef State state
        cdef Move packed = move_of(move)
        cdef long k
        with nogil:
            for k in range(n):
                state_copy(&self.table.rules, &state, &self.state)
                state_apply(&self.table.rules, &state, &packed)
                keep(&state)

    def time_shuffles(self, long n, u64 seed):
        """Guesses the order of the piles n times; for a stopwatch outside."""
        cdef World world
        cdef u64 rng = rng_seed(seed)
        cdef long k
        with nogil:
            for k in range(n):
                shuffle_piles(&self.table.rules, &self.state, &rng, &world)
                keep(&world)

    def time_scores(self, long n):
        """Counts everybody's points n times, as if the game ended here; for a stopwatch outside."""
        cdef Outcome outcome
        cdef long k
        with nogil:
            for k in range(n):
                keep(&self.state)  # else one count would do for all
                state_outcome(&self.table.rules, &self.state, &outcome)
                keep(&outcome)
