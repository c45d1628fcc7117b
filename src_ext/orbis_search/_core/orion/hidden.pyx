"""What nobody or not everybody sees: worlds, guesses at hidden hands, and what a player knows.

All that is public stands in the state: every hand has its three parts, and everybody works out the same from what is
played in sight (orion/game/knowledge.py). So a guess needs nothing but the state: the `old` cards of the others are
dealt again among them, and their `fresh` ones together with the deck. The cards to deal are put in order first: what
stood in the hidden places cannot make a difference.
"""

from ..common.bits cimport lowest, popcount
from ..common.ints cimport u8, u32, u64
from ..common.rng cimport fold, rng_below, rng_next
from ..game cimport NOBODY
from .cards cimport MAX_DECK, Rules
from .state cimport (
    COMMON, DRAWING, DROP, PICK_DISCARD, Bag, Side, State, Task, bag_add, bag_pour, bag_size, bag_take,
)

cdef enum:
    SEEN_WORDS = 8  # of a side, from `loyalty` on: everybody sees them


cdef int spread(const Bag* bag, u8* out) noexcept nogil:
    """The cards of a bag in order; how many."""
    cdef u64 left = bag.one | bag.two
    cdef int name, k, n = 0
    while left:
        name = lowest(left)
        left &= left - 1
        for k in range(<int>(bag.one >> name & 1) + 2 * <int>(bag.two >> name & 1)):
            out[n] = <u8>name
            n += 1
    return n


cdef inline int take_one(u8* pool, int at, int n, u64* rng) noexcept nogil:
    """Any of those from `at` on; it is put there."""
    cdef int j = at + <int>rng_below(rng, <u32>(n - at))
    cdef u8 card = pool[j]
    pool[j] = pool[at]
    pool[at] = card
    return card


cdef void deal(u8* pool, int* at, int n, Bag* bag, int cards, u64* rng) noexcept nogil:
    cdef int i
    bag.one = bag.two = 0
    for i in range(cards):
        bag_add(bag, take_one(pool, at[0], n, rng))
        at[0] += 1


cdef void deal_drawn(const Side* side, Task* task, u64* rng) noexcept nogil:
    """Which cards of a hand have just been drawn: fresh ones, or all of those and others if the deck was refilled in
    between."""
    cdef u8 pool[MAX_DECK]
    cdef Bag rest = side.old, known = side.known
    cdef int at = 0, n, left = popcount(task.one) + 2 * popcount(task.two)
    task.one = task.two = 0
    n = spread(&side.fresh, pool)
    while left and at < n:
        bag_add(<Bag*>&task.one, take_one(pool, at, n, rng))
        at += 1
        left -= 1
    bag_pour(&rest, &known)
    n = spread(&rest, pool)
    at = 0
    while left and at < n:
        bag_add(<Bag*>&task.one, take_one(pool, at, n, rng))
        at += 1
        left -= 1


cdef void determinize(const Rules* rules, State* state, int observer, u64* rng, World* world) noexcept nogil:
    """A guess that fits what the observer knows, each as likely as any other."""
    cdef u8 old_pool[MAX_DECK]
    cdef u8 pool[MAX_DECK]
    cdef Bag old, fresh, part
    cdef Side* side
    cdef Task* task
    cdef int i, old_at = 0, old_size, at = 0, size
    state.asker = <u8>(COMMON if observer == NOBODY else observer)
    world.seed = rng_next(rng)
    world.listed = 0
    old.one = old.two = fresh.one = fresh.two = 0
    # 1. All that the observer does not see, in order.
    for i in range(state.deck_size):
        bag_add(&fresh, state.deck[i])
    if rules.foresees and observer != NOBODY:
        world.seed = rules.course
        return
    if rules.peeks and observer != NOBODY:
        spread(&fresh, state.deck)
        return
    for i in range(rules.players):
        if i != observer:
            part = state.side[i].old
            bag_pour(&old, &part)
            part = state.side[i].fresh
            bag_pour(&fresh, &part)
    old_size = spread(&old, old_pool)
    size = spread(&fresh, pool)
    # 2. Dealt again: hands, then what was just drawn to them; the rest is the deck.
    for i in range(rules.players):
        if i != observer:
            side = &state.side[i]
            deal(old_pool, &old_at, old_size, &side.old, bag_size(&side.old), rng)
            deal(pool, &at, size, &side.fresh, bag_size(&side.fresh), rng)
    for i in range(state.tasks):
        task = &state.task[i]
        if task.player != observer and (task.kind == DROP or task.kind == DRAWING) and task.one | task.two:
            deal_drawn(&state.side[task.player], task, rng)
    for i in range(state.deck_size):
        state.deck[i] = pool[at + i]


cdef int next_card(const State* state, const World* world) noexcept nogil:
    cdef u64 x
    if world.listed:
        return state.deck[0]
    x = fold(world.seed + <u64>0x9E3779B97F4A7C15 * (state.draws + <u64>1), <u64>0xD6E8FEB86659FD93)
    return state.deck[<int>(((x >> 32) * state.deck_size) >> 32)]


# ---- what a player knows

cdef inline u64 mix(u64 key, u64 word) noexcept nogil:
    return fold(key ^ word, <u64>0x9E3779B97F4A7C15) + word


cdef u64 seen_key(const Rules* rules, const State* state) noexcept nogil:
    """Of all that lies open, but for the pile: what lies there matters only to who takes cards from it."""
    cdef const u64* words
    cdef const Task* task
    cdef u64 key = rules.players
    cdef int i, k
    key = mix(
        key, state.advisors | <u64>state.first << 8 | <u64>state.round << 16 | <u64>state.phase << 24
        | <u64>state.turn << 32 | <u64>state.tasks << 40,
    )
    for i in range(rules.players):
        words = <const u64*>&state.side[i].loyalty
        for k in range(SEEN_WORDS):
            key = mix(key, words[k])
    for i in range(state.tasks):
        task = &state.task[i]
        words = <const u64*>task
        key = mix(mix(key, words[0]), words[1])
        if task.kind != DROP and task.kind != DRAWING:  # which cards were drawn only their owner sees
            key = mix(mix(key, task.one), task.two)
    if state.tasks and state.task[state.tasks - 1].kind == PICK_DISCARD:
        for i in range(state.pile_size):
            key = mix(key, state.pile[i])
    return key


cdef u64 state_view(const Rules* rules, const State* state, int player) noexcept nogil:
    """What lies open, and whether the hand is the player's real one or any. Which cards were drawn since is left out on
    purpose: what can be done with each of them is a group of its own, so all draws learn together."""
    return mix(seen_key(rules, state), 1 + (state.asker == player or state.asker != COMMON and state.asker > 3))


cdef u64 state_key(const Rules* rules, const State* state) noexcept nogil:
    """Of all of a state."""
    cdef u64 key = seen_key(rules, state)
    cdef const Side* side
    cdef int i
    for i in range(rules.players):
        side = &state.side[i]
        key = mix(mix(mix(key, side.known.one), side.known.two), side.old.one)
        key = mix(mix(mix(key, side.old.two), side.fresh.one), side.fresh.two)
    for i in range(state.deck_size):
        key = mix(key, state.deck[i])
    for i in range(state.pile_size):
        key = mix(key, state.pile[i])
    for i in range(state.tasks):
        key = mix(mix(key, state.task[i].one), state.task[i].two)
    return key
