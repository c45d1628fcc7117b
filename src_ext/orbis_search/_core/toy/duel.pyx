"""A toy game behind the seam with private hands: the higher hidden card wins.

Each of two players holds one card that nobody else sees; the rest of a known deck is the stock. On a turn a player
stands, or exchanges: draws two cards one after the other, keeps one of the three and lays the others open. Then the
other player, whose turn it is not, may take the higher of these two for the own card, which is laid open instead. After
the last turn both cards are shown, and the higher one wins.

Everything that Orbis lacks, and small enough to be solved by plain Python: hands, two private draws in one move, and a
decision out of turn. Knowing the other's card is worth much. So there are two twins that cheat, to see that tests catch
them: in one the searcher sees the other's card, in the other everybody else knows the searcher's.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

from ..common.ints cimport u8, u32, u64
from ..common.rng cimport fold, rng_below
from ..game cimport (
    GROUP_SHIFT, HIDDEN_HANDS, MAX_LANES, NOBODY, OVER, SEVERAL_DRAWS, UNEVEN_DRAWS, WHOLE, CandidateList, Draw, Enough,
    GameState, Move, MoveList, Outcome, candidate_list_add, move_list_reserve,
)

cdef enum:
    VALUES = 8  # cards are 1 to 7; 0 is none
    DRAWN = 2
    MAX_CARDS = 32
    MAX_TURNS = 4
    STOOD = VALUES  # in the story, where cards stand too
    REFUSED = VALUES + 1

# What is to be done next; the numbers are the groups' varieties too.
cdef enum:
    TURN = 1  # stand or exchange
    DRAW = 2  # chance
    KEEP = 3  # which card
    TAKE = 4  # out of turn: no or yes
    END = 5

cdef enum:  # what a twin does not resample
    PEEKS = 1  # the other's card, for the player at the root
    SHOWS = 2  # the card of the player who moves, for everybody


cdef struct Public:
    # All that happened: STOOD, or the two cards laid open, the higher one first, and the card given away for it or REFUSED.
    u8 story[3 * MAX_TURNS]
    u8 length
    u8 offered  # the card that may be taken
    u8 known[2]  # the card that a player took in sight, 0 otherwise
    u8 turns  # to come, this one included
    u8 who  # whose turn it is
    u8 stage


cdef struct Duel:
    Public seen
    u8 hand[2]
    u8 drawn[DRAWN]
    u8 stock[VALUES]


cdef struct DuelWorld:
    u8 order[MAX_CARDS]  # of the stock
    u8 cards


cdef u32 RULES[4]  # which twin
RULES[:] = [0, PEEKS, SHOWS, PEEKS | SHOWS]


cdef int stock_size(const Duel* s) noexcept nogil:
    cdef int i, n = 0
    for i in range(VALUES):
        n += s.stock[i]
    return n


cdef int duel_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const Public* s = &(<const Duel*>state).seen
    if s.stage == END:
        return OVER
    return 1 - s.who if s.stage == TAKE else s.who


cdef u32 kept_choices(const Duel* s) noexcept nogil:
    """A bit for each card that can be kept."""
    return <u32>1 << s.hand[s.seen.who] | <u32>1 << s.drawn[0] | <u32>1 << s.drawn[1]


cdef long long duel_moves(
    const void* rules, void* scratch, const void* state, u32 prune, MoveList* out
) except -1 nogil:
    cdef const Duel* s = <const Duel*>state
    cdef u32 i, there = kept_choices(s) if s.seen.stage == KEEP else 3
    cdef int n = 0
    for i in range(VALUES):
        if there >> i & 1:
            n += 1
            if out != NULL:
                move_list_reserve(out, 1)
                out.item[out.count].what = i
                out.item[out.count].detail = 0
                out.count += 1
    return n


cdef void tell(Public* s, u8 what) noexcept nogil:
    s.story[s.length] = what
    s.length += 1


cdef void next_turn(Public* s) noexcept nogil:
    s.turns -= 1
    s.who = 1 - s.who
    s.offered = 0
    s.stage = TURN if s.turns else END


cdef void duel_apply(const void* rules, void* state, const Move* move) noexcept nogil:
    cdef Duel* s = <Duel*>state
    cdef Public* seen = &s.seen
    cdef int who = seen.who, other = 1 - who
    cdef u8 a, b, c
    if seen.stage == TURN:
        if move.what:
            seen.stage = DRAW
        else:
            tell(seen, STOOD)
            next_turn(seen)
    elif seen.stage == KEEP:
        a, b, c = s.hand[who], s.drawn[0], s.drawn[1]
        seen.offered = max(a, max(b, c))
        if seen.offered == move.what:
            seen.offered = max(min(a, b), min(max(a, b), c))  # the one in the middle
        tell(seen, seen.offered)
        tell(seen, a + b + c - <u8>move.what - seen.offered)
        s.hand[who] = <u8>move.what
        s.drawn[0] = s.drawn[1] = 0
        seen.known[who] = 0
        seen.stage = TAKE
    else:
        if move.what:
            tell(seen, s.hand[other])
            s.hand[other] = seen.known[other] = seen.offered
        else:
            tell(seen, REFUSED)
        next_turn(seen)


cdef int duel_draws(const void* rules, const void* state, Draw* out) noexcept nogil:
    cdef const Duel* s = <const Duel*>state
    cdef int i, n = 0
    if s.seen.stage != DRAW:
        return 0
    for i in range(1, VALUES):
        if s.stock[i]:
            if out != NULL:
                out[n].what = i
                out[n].weight = s.stock[i]
            n += 1
    return n


cdef void duel_draw(const void* rules, void* state, u32 what) noexcept nogil:
    cdef Duel* s = <Duel*>state
    s.stock[what] -= 1
    if s.drawn[0] == 0:
        s.drawn[0] = <u8>what
    else:
        s.drawn[1] = <u8>what
        s.seen.stage = KEEP


cdef void duel_determinize(const void* rules, void* state, int observer, u64* rng, void* world) noexcept nogil:
    """All cards that the observer does not see, put together in order, shuffled and dealt again."""
    cdef Duel* s = <Duel*>state
    cdef DuelWorld* w = <DuelWorld*>world
    cdef u32 twin = (<const u32*>rules)[0]
    cdef u8* unseen[2 + DRAWN]  # places
    cdef u8 pool[MAX_CARDS]
    cdef int i, j, places = 0, n = 0
    cdef u8 card
    for i in range(2):
        if i == observer or s.seen.known[i]:
            continue
        if twin & PEEKS and observer != NOBODY:
            continue
        if twin & SHOWS and observer == NOBODY and i == duel_to_move(rules, state):
            continue
        unseen[places] = &s.hand[i]
        places += 1
    for i in range(DRAWN):
        if s.drawn[i] and s.seen.who != observer:
            unseen[places] = &s.drawn[i]
            places += 1
    for i in range(places):
        s.stock[unseen[i][0]] += 1
    for i in range(VALUES):
        for j in range(s.stock[i]):
            pool[n] = <u8>i
            n += 1
    for i in range(n - 1):
        j = i + <int>rng_below(rng, n - i)
        card = pool[i]
        pool[i] = pool[j]
        pool[j] = card
    for i in range(places):
        unseen[i][0] = pool[i]
    memset(s.stock, 0, sizeof(s.stock))
    w.cards = <u8>(n - places)
    for i in range(w.cards):
        w.order[i] = pool[places + i]
        s.stock[pool[places + i]] += 1


cdef u32 duel_next_draw(const void* rules, const void* state, const void* world) noexcept nogil:
    cdef const DuelWorld* w = <const DuelWorld*>world
    return w.order[w.cards - stock_size(<const Duel*>state)]


cdef void duel_playout(const void* rules, void* state, const void* world, u64* rng, int style) noexcept nogil:
    cdef Duel* s = <Duel*>state
    cdef Move move
    cdef u32 there
    move.detail = 0
    while s.seen.stage != END:
        if s.seen.stage == DRAW:
            duel_draw(rules, state, duel_next_draw(rules, state, world))
            continue
        there = kept_choices(s) if s.seen.stage == KEEP else 3
        while True:  # any of them, each as likely
            move.what = rng_below(rng, VALUES)
            if there >> move.what & 1:
                break
        duel_apply(rules, state, &move)


cdef u32 duel_groups(const void* rules, const void* state, u32* lanes) noexcept nogil:
    """Lane 0 is a yes or no of its stage; the others are the cards to keep."""
    cdef const Duel* s = <const Duel*>state
    cdef u32 i, there
    memset(lanes, 0xFF, MAX_LANES * sizeof(u32))
    if s.seen.stage != KEEP:
        lanes[0] = s.seen.stage
        return 1
    there = kept_choices(s)
    for i in range(1, VALUES):
        if there >> i & 1:
            lanes[i] = i << GROUP_SHIFT | KEEP
    return there


cdef int duel_candidates(
    const void* rules, void* scratch, const void* state, u32 group, int extent, CandidateList* out
) except -1 nogil:
    if group >> GROUP_SHIFT:
        return candidate_list_add(out, group >> GROUP_SHIFT, 0, 1)
    candidate_list_add(out, 0, 0, 1)
    return candidate_list_add(out, 1, 0, 1)


cdef void duel_outcome(const void* rules, const void* state, Outcome* out) noexcept nogil:
    cdef const Duel* s = <const Duel*>state
    cdef int who
    memset(out, 0, sizeof(Outcome))
    for who in range(2):
        out.points[who] = s.hand[who]
        if s.hand[who] > s.hand[1 - who]:
            out.share[who] = WHOLE
        elif s.hand[who] == s.hand[1 - who]:
            out.share[who] = WHOLE // 2


cdef u64 key_of(const u8* bytes_, size_t size, u64 key) noexcept nogil:
    cdef size_t i
    for i in range(size):
        key = fold(key ^ bytes_[i], <u64>0x9E3779B97F4A7C15 + 2 * i)
    return key


cdef u64 duel_key(const void* rules, const void* state) noexcept nogil:
    return key_of(<const u8*>state, sizeof(Duel), 1)


cdef u64 duel_view(const void* rules, const void* state, int player) noexcept nogil:
    """What happened in sight, the own card and, before one of them is kept, the own draws."""
    cdef const Duel* s = <const Duel*>state
    cdef u8 own[3]
    memset(own, 0, sizeof(own))
    own[0] = s.hand[player]
    if s.seen.who == player:
        own[1] = min(s.drawn[0], s.drawn[1])
        own[2] = max(s.drawn[0], s.drawn[1])
    return key_of(own, sizeof(own), key_of(<const u8*>&s.seen, sizeof(Public), 1))


cdef void* duel_scratch_new() noexcept nogil:
    return malloc(1)


cdef void duel_scratch_free(void* scratch) noexcept nogil:
    free(scratch)


cdef void duel_scratch_ask(void* scratch, Enough enough, void* asker) noexcept nogil:
    pass  # a turn has a handful of moves


def duel_game(hands, stock, int turns=2, *, bint peeks=False, bint shows=False):
    """The game at its beginning: each player's card (1 to 7), the cards of the stock, and how many turns are played.

    `peeks` and `shows` are the twins that cheat."""
    cdef GameState handle = GameState.__new__(GameState)
    cdef Duel* state
    cards = (*hands, *stock)
    if len(hands) != 2 or len(cards) > MAX_CARDS or not all(1 <= card < VALUES for card in cards):
        raise ValueError(f"expected two hands of one card and at most {MAX_CARDS} cards in all, each 1 to 7")
    if not 1 <= turns <= MAX_TURNS or len(stock) < DRAWN * turns:
        raise ValueError(f"expected 1 to {MAX_TURNS} turns, and two cards in the stock for each")
    handle.state = malloc(sizeof(Duel))
    if handle.state == NULL:
        raise MemoryError()
    state = <Duel*>handle.state
    memset(state, 0, sizeof(Duel))
    for i in range(2):
        state.hand[i] = hands[i]
    for card in stock:
        state.stock[card] += 1
    state.seen.turns = turns
    state.seen.stage = TURN
    handle.game.rules = &RULES[(PEEKS if peeks else 0) | (SHOWS if shows else 0)]
    handle.game.players = 2
    handle.game.features = HIDDEN_HANDS | SEVERAL_DRAWS | UNEVEN_DRAWS
    handle.game.defaults.margin_scale = 2
    handle.game.defaults.common_every = 2
    handle.game.state_size = sizeof(Duel)
    handle.game.world_size = sizeof(DuelWorld)
    handle.game.to_move = duel_to_move
    handle.game.moves = duel_moves
    handle.game.apply = duel_apply
    handle.game.draws = duel_draws
    handle.game.draw = duel_draw
    handle.game.determinize = duel_determinize
    handle.game.next_draw = duel_next_draw
    handle.game.playout = duel_playout
    handle.game.groups = duel_groups
    handle.game.candidates = duel_candidates
    handle.game.outcome = duel_outcome
    handle.game.key = duel_key
    handle.game.view = duel_view
    handle.game.scratch_new = duel_scratch_new
    handle.game.scratch_free = duel_scratch_free
    handle.game.scratch_ask = duel_scratch_ask
    return handle


def duel_cards(GameState handle):
    """(both hands, the cards drawn and not yet kept, the stock in ascending order)."""
    cdef const Duel* s
    if handle.game.to_move != duel_to_move:
        raise ValueError("expected a duel, found another game")
    s = <const Duel*>handle.state
    stock = [i for i in range(VALUES) for _ in range(s.stock[i])]
    return (s.hand[0], s.hand[1]), tuple([s.drawn[i] for i in range(DRAWN) if s.drawn[i]]), tuple(stock)
