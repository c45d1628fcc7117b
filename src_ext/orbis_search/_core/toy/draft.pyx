"""A toy game behind the seam: a market of cards, a known deck in unknown order.

Two cards lie face up. The players take turns to take one; it is refilled from the shuffled deck until
that is empty, and the game ends when no card is left. A card counts its value, and each pair of equal
cards that a player holds counts three more, so that taking is also denying. Most points win.

Small enough to be solved by a few lines of Python, and of the same kind as Orbis: a shared market, a deck whose
contents everybody knows, no hands.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from ..common.ints cimport u8, u32, u64
from ..common.rng cimport fold, rng_below
from ..game cimport (
    GROUP_SHIFT, MAX_LANES, OVER, WHOLE, CandidateList, Draw, Enough, GameState, Move, MoveList, Outcome, candidate_list_add,
    move_list_reserve,
)

cdef enum:
    VALUES = 8  # cards are 1 to 7; 0 is an empty place
    MARKET = 2
    NOWHERE = 255


cdef struct Draft:
    u8 deck[VALUES]
    u8 market[MARKET]
    u8 held[2][VALUES]
    u8 hole
    u8 turn


cdef struct DraftWorld:
    u8 order[64]
    u8 cards


cdef int deck_size(const Draft* state) noexcept nogil:
    cdef int i, n = 0
    for i in range(VALUES):
        n += state.deck[i]
    return n


cdef int draft_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const Draft* s = <const Draft*>state
    return s.turn & 1 if s.market[0] or s.market[1] else OVER


cdef long long draft_moves(
    const void* rules, void* scratch, const void* state, u32 prune, MoveList* out
) except -1 nogil:
    cdef const Draft* s = <const Draft*>state
    cdef int i, n = 0
    for i in range(MARKET):
        if s.market[i]:
            n += 1
            if out != NULL:
                move_list_reserve(out, 1)
                out.item[out.count].what = i
                out.item[out.count].detail = 0
                out.count += 1
    return n


cdef void draft_apply(const void* rules, void* state, const Move* move) noexcept nogil:
    cdef Draft* s = <Draft*>state
    s.held[s.turn & 1][s.market[move.what]] += 1
    s.market[move.what] = 0
    s.turn += 1
    s.hole = <u8>move.what if deck_size(s) else <u8>NOWHERE


cdef int draft_draws(const void* rules, const void* state, Draw* out) noexcept nogil:
    cdef const Draft* s = <const Draft*>state
    cdef int i, n = 0
    if s.hole == NOWHERE:
        return 0
    for i in range(1, VALUES):
        if s.deck[i]:
            if out != NULL:
                out[n].what = i
                out[n].weight = s.deck[i]
            n += 1
    return n


cdef void draft_draw(const void* rules, void* state, u32 what) noexcept nogil:
    cdef Draft* s = <Draft*>state
    s.market[s.hole] = <u8>what
    s.deck[what] -= 1
    s.hole = NOWHERE


cdef void draft_determinize(const void* rules, void* state, int observer, u64* rng, void* world) noexcept nogil:
    cdef const Draft* s = <const Draft*>state
    cdef DraftWorld* w = <DraftWorld*>world
    cdef int i, j, n = 0
    cdef u8 card
    for i in range(VALUES):
        for j in range(s.deck[i]):
            w.order[n] = <u8>i
            n += 1
    w.cards = <u8>n
    for i in range(n - 1):
        j = i + rng_below(rng, n - i)
        card = w.order[i]
        w.order[i] = w.order[j]
        w.order[j] = card


cdef u32 draft_next_draw(const void* rules, const void* state, const void* world) noexcept nogil:
    cdef const DraftWorld* w = <const DraftWorld*>world
    return w.order[w.cards - deck_size(<const Draft*>state)]


cdef void draft_playout(const void* rules, void* state, const void* world, u64* rng, int style) noexcept nogil:
    cdef Draft* s = <Draft*>state
    cdef Move move
    move.detail = 0
    while draft_to_move(rules, s) != OVER:
        move.what = rng_below(rng, MARKET) if s.market[0] and s.market[1] else (0 if s.market[0] else 1)
        draft_apply(rules, s, &move)
        if s.hole != NOWHERE:
            draft_draw(rules, s, draft_next_draw(rules, s, world))


cdef u32 draft_groups(const void* rules, const void* state, u32* lanes) noexcept nogil:
    """A group is a place in the market with the card that lies there."""
    cdef const Draft* s = <const Draft*>state
    cdef u32 i, found = 0
    memset(lanes, 0xFF, MAX_LANES * sizeof(u32))
    for i in range(MARKET):
        if s.market[i]:
            lanes[i] = i << GROUP_SHIFT | s.market[i]
            found |= <u32>1 << i
    return found


cdef int draft_candidates(
    const void* rules, void* scratch, const void* state, u32 group, int extent, CandidateList* out
) except -1 nogil:
    return candidate_list_add(out, group >> GROUP_SHIFT, 0, 1)


cdef void draft_outcome(const void* rules, const void* state, Outcome* out) noexcept nogil:
    cdef const Draft* s = <const Draft*>state
    cdef int who, i
    memset(out, 0, sizeof(Outcome))
    for who in range(2):
        for i in range(VALUES):
            out.points[who] += s.held[who][i] * i + s.held[who][i] // 2 * 3
    for who in range(2):
        if out.points[who] > out.points[1 - who]:
            out.share[who] = WHOLE
        elif out.points[who] == out.points[1 - who]:
            out.share[who] = WHOLE // 2


cdef u64 draft_key(const void* rules, const void* state) noexcept nogil:
    cdef const u8* bytes_ = <const u8*>state
    cdef size_t i
    cdef u64 key = 1
    for i in range(sizeof(Draft)):
        key = fold(key ^ bytes_[i], <u64>0x9E3779B97F4A7C15 + 2 * i)
    return key


cdef void* draft_scratch_new() noexcept nogil:
    return malloc(1)


cdef void draft_scratch_free(void* scratch) noexcept nogil:
    free(scratch)


cdef void draft_scratch_ask(void* scratch, Enough enough, void* asker) noexcept nogil:
    pass  # a turn has a handful of moves


def draft_game(market, deck):
    """The game with these two cards face up and this list of cards (1 to 7) in the deck."""
    cdef GameState handle = GameState.__new__(GameState)
    cdef Draft* state
    if len(market) != MARKET or len(deck) > 64 or not all(1 <= card < VALUES for card in (*market, *deck)):
        raise ValueError("expected two cards face up and at most 64 in the deck, each 1 to 7")
    handle.state = malloc(sizeof(Draft))
    if handle.state == NULL:
        raise MemoryError()
    state = <Draft*>handle.state
    memset(state, 0, sizeof(Draft))
    for i in range(MARKET):
        state.market[i] = market[i]
    for card in deck:
        state.deck[card] += 1
    state.hole = NOWHERE
    handle.game.rules = NULL
    handle.game.players = 2
    handle.game.defaults.margin_scale = 6
    handle.game.state_size = sizeof(Draft)
    handle.game.world_size = sizeof(DraftWorld)
    handle.game.to_move = draft_to_move
    handle.game.moves = draft_moves
    handle.game.apply = draft_apply
    handle.game.draws = draft_draws
    handle.game.draw = draft_draw
    handle.game.determinize = draft_determinize
    handle.game.next_draw = draft_next_draw
    handle.game.playout = draft_playout
    handle.game.groups = draft_groups
    handle.game.candidates = draft_candidates
    handle.game.outcome = draft_outcome
    handle.game.details = 0
    handle.game.detail = NULL
    handle.game.key = draft_key
    handle.game.scratch_new = draft_scratch_new
    handle.game.scratch_free = draft_scratch_free
    handle.game.scratch_ask = draft_scratch_ask
    return handle
