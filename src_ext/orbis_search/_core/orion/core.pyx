"""The packed game as Python sees it: made by `orion.core.packing`, searched through `game`."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort, calloc, free, malloc
from libc.string cimport memcpy, memset

from ..common.bits cimport lowest
from ..common.checked cimport CHECKED
from ..common.clock cimport now
from ..common.ints cimport i8, i32, u8, u16, u32, u64
from ..common.rng cimport rng_next, rng_seed
from ..game cimport (
    HIDDEN_HANDS, NOBODY, OVER, SEVERAL_DRAWS, UNEVEN_DRAWS, WHOLE, Draw, Enough, Estimate, GameState, Move, MoveList,
    Outcome, move_list_free,
)
from .candidates cimport Scratch, orion_candidates, orion_groups
from .cards cimport (
    ACTIVATION, ALWAYS, COLOURS, DISCOUNT, END_OF_GAME, FIRST_ADVISOR, FIRST_RACE, MAX_ADVISORS, MAX_CARDS, MAX_DECK,
    MAX_NAMES, MOST_EFFECTS, NO_CARD, NO_COLOUR, Card, Effect, Op, OpList, Rules,
)
from .counting cimport end_reasons, points_of
from .hidden cimport World, determinize, next_card, state_key, state_view
from .movegen cimport Sink, has_moves, list_moves, sink_open
from .play cimport state_apply, state_draw, state_fault, until_something_is_due
from .policy cimport QUICK, RANDOM, SENSIBLE, choose, lead_of, play_out, play_through, policy_prepare
from .standing cimport FEATURES, SOURCES, Standing, StandingWeights, features_of, standing_evaluate
from .state cimport (
    ACTIONS, AS_IT_IS, DRAWING, DROP, GAME_OVER, MAX_TASKS, NO_PLACE, PICK_BUILD, PICK_DISCARD, ROUNDS, SWAP, SYSTEM_SIZE,
    SYSTEMS, Bag, Side, State, Task, bag_add, bag_number, bag_take, draw_is_due, state_to_move,
    top_task,
)

STYLES = {"random": RANDOM, "quick": QUICK, "sensible": SENSIBLE}
STATE_BYTES = sizeof(State)
MOST_NAMES, MOST_CARDS, MOST_ADVISORS, MOST_TASKS = MAX_NAMES, MAX_DECK, MAX_ADVISORS, MAX_TASKS
ADVISORS_FROM, RACES_FROM, NOTHING = FIRST_ADVISOR, FIRST_RACE, NO_CARD
IS_CHECKED_BUILD = bool(CHECKED)
MARGIN_SCALE = 10.0  # points; a lead of so many counts for half of what any lead can
cdef enum:
    GUESSES = 64  # at a hand that fits a decision
    AHEAD = 1  # rounds that are played on, after the one at hand, before a standing is judged
    COMMON_EVERY = 4  # opponents' replies are learned from fewer simulations than own moves
DETAILS = 4  # track, loyalty, structures, effects


# ---- the seam --------------------------------------------------------------------------------------

cdef inline void expect_ok(const Rules* rules, const State* state) noexcept nogil:
    """In the debug build a broken state ends the program where it broke."""
    cdef const char* fault
    if CHECKED:
        fault = state_fault(rules, state)
        if fault:
            fprintf(stderr, b"orion: broken state in round %d: %s\n", <int>state.round, fault)
            abort()


cdef int orion_to_move(const void* rules, const void* state) noexcept nogil:
    return state_to_move(<const State*>state)


cdef long long orion_moves(
    const void* rules, void* scratch, const void* state, u32 prune, MoveList* out
) except -1 nogil:
    cdef Sink sink
    sink_open(&sink)
    sink.list = out
    list_moves(<const Rules*>rules, <const State*>state, &sink)
    if sink.failed:
        with gil:
            raise MemoryError("no memory for moves")
    return sink.count


cdef void orion_apply(const void* rules, void* state, const Move* move) noexcept nogil:
    state_apply(<const Rules*>rules, <State*>state, move)
    expect_ok(<const Rules*>rules, <const State*>state)


cdef int orion_draws(const void* rules, const void* state, Draw* out) noexcept nogil:
    """What can be drawn, each name with the number of its copies in the deck."""
    cdef const State* s = <const State*>state
    cdef u8 number[MAX_NAMES]
    cdef int i, n = 0
    if not draw_is_due(s):
        return 0
    if out == NULL:
        return 1  # all that is asked is whether there is something
    memset(number, 0, sizeof(number))
    for i in range(s.deck_size):
        number[s.deck[i]] += 1
    for i in range(MAX_NAMES):
        if number[i]:
            out[n].what = i
            out[n].weight = number[i]
            n += 1
    return n


cdef void orion_draw(const void* rules, void* state, u32 what) noexcept nogil:
    state_draw(<const Rules*>rules, <State*>state, <int>what)
    expect_ok(<const Rules*>rules, <const State*>state)


cdef void orion_determinize(const void* rules, void* state, int observer, u64* rng, void* world) noexcept nogil:
    cdef State* s = <State*>state
    cdef int i
    determinize(<const Rules*>rules, s, observer, rng, <World*>world)
    # Who is asked what to build has something to build: everybody sees that. Where nearly no hand has, the guess is let
    # go on as the rules do without, for a decision without moves is none.
    if observer == NOBODY and s.tasks and s.task[s.tasks - 1].kind == PICK_BUILD:
        for i in range(GUESSES):
            if has_moves(<const Rules*>rules, s):
                break
            determinize(<const Rules*>rules, s, observer, rng, <World*>world)
        else:
            until_something_is_due(<const Rules*>rules, s)
    expect_ok(<const Rules*>rules, s)


cdef u32 orion_next_draw(const void* rules, const void* state, const void* world) noexcept nogil:
    return <u32>next_card(<const State*>state, <const World*>world)


cdef void orion_playout(const void* rules, void* state, const void* world, u64* rng, int style) noexcept nogil:
    play_out(<const Rules*>rules, <State*>state, <const World*>world, rng, style)
    expect_ok(<const Rules*>rules, <const State*>state)


cdef void orion_settle(const void* rules, void* state, const void* world, u64* rng, int style) noexcept nogil:
    play_through(<const Rules*>rules, <State*>state, <const World*>world, rng, style, (<State*>state).round + AHEAD)
    expect_ok(<const Rules*>rules, <const State*>state)


cdef void orion_evaluate(const void* rules, const void* knowledge, const void* state, Estimate* out) noexcept nogil:
    standing_evaluate(<const Rules*>rules, <const Standing*>knowledge, <const State*>state, out)


cdef void orion_outcome(const void* rules, const void* state, Outcome* out) noexcept nogil:
    """Most points; ties by loyalty, then by resources, then the victory is shared."""
    cdef const State* s = <const State*>state
    cdef const Side* side
    cdef i32 points[4]
    cdef i32 rank[4][3]
    cdef int i, k, players = (<const Rules*>rules).players, best = 0, equal = 1, order
    memset(out, 0, sizeof(Outcome))
    for i in range(players):
        side = &s.side[i]
        points_of(<const Rules*>rules, side, points)
        rank[i][0] = out.points[i] = points[0] + points[1] + points[2] + points[3]
        rank[i][1] = side.loyalty
        rank[i][2] = side.resource[0] + side.resource[1] + side.resource[2]
    for i in range(1, players):
        order = 0
        for k in range(3):
            if order == 0 and rank[i][k] != rank[best][k]:
                order = 1 if rank[i][k] > rank[best][k] else -1
        if order > 0:
            best = i
            equal = 1
        elif order == 0:
            equal += 1
    for i in range(players):
        if rank[i][0] == rank[best][0] and rank[i][1] == rank[best][1] and rank[i][2] == rank[best][2]:
            out.share[i] = WHOLE // equal


cdef void orion_detail(const void* rules, const void* state, i32* out) noexcept nogil:
    cdef int i
    for i in range((<const Rules*>rules).players):
        points_of(<const Rules*>rules, &(<const State*>state).side[i], out + 4 * i)


cdef u64 orion_key(const void* rules, const void* state) noexcept nogil:
    return state_key(<const Rules*>rules, <const State*>state)


cdef u64 orion_view(const void* rules, const void* state, int player) noexcept nogil:
    return state_view(<const Rules*>rules, <const State*>state, player)


cdef void* orion_scratch_new() noexcept nogil:
    return calloc(1, sizeof(Scratch))


cdef void orion_scratch_free(void* scratch) noexcept nogil:
    move_list_free(&(<Scratch*>scratch).moves)
    free(scratch)


cdef void orion_scratch_ask(void* scratch, Enough enough, void* asker) noexcept nogil:
    pass  # a turn has a few hundred moves at most


# ---- the cards -------------------------------------------------------------------------------------

cdef class Table:
    """All that is printed on the cards of one game, as numbers (see `cards`)."""

    cdef Rules rules

    def __cinit__(
        self, cards, boards, effects, ops, lists, int players, int names, int advisors, *, int most_attacks,
        int least_systems, bint at_once, bint peeks=False, course=None,
    ):
        """`cards` by number; `boards` what the last of them have besides. All numbers are checked by `packing`."""
        cdef Rules* rules = &self.rules
        cdef int i
        memset(rules, 0, sizeof(Rules))
        rules.players, rules.names, rules.advisors = players, names, advisors
        rules.most_attacks, rules.least_systems = most_attacks, least_systems
        rules.at_once, rules.peeks = at_once, peeks
        if course is not None:
            rules.foresees, rules.course = True, rng_seed(course)
        rules.effects, rules.ops, rules.lists = len(effects), len(ops), len(lists)
        rules.effect = <Effect*>calloc(max(1, rules.effects), sizeof(Effect))
        rules.op = <Op*>calloc(max(1, rules.ops), sizeof(Op))
        rules.list = <OpList*>calloc(max(1, rules.lists), sizeof(OpList))
        if rules.effect == NULL or rules.op == NULL or rules.list == NULL:
            raise MemoryError()
        for i in range(rules.ops):
            self.set_op(&rules.op[i], ops[i])
        for i in range(rules.lists):
            rules.list[i].first, rules.list[i].count = lists[i]
        for i in range(rules.effects):
            self.set_effect(&rules.effect[i], effects[i])
        for number, fields in cards.items():
            if not 0 <= number < MAX_CARDS:
                raise ValueError("a card's number is out of bounds")
            self.set_card(&rules.card[<int>number], fields)
        for number, fields in boards.items():
            self.set_board(&rules.card[<int>number], fields)
        for i in range(names):
            rules.of_colour[rules.card[i].colour] |= <u64>1 << i
            rules.cards += rules.card[i].copies
            if rules.card[i].whens >> END_OF_GAME & 1:
                rules.scoring |= <u64>1 << i
        policy_prepare(rules)

    def __dealloc__(self):
        free(self.rules.effect)
        free(self.rules.op)
        free(self.rules.list)

    cdef int set_op(self, Op* op, fields) except -1:
        cdef int i, k
        op.kind, op.who, op.flag, op.per, op.every, op.n, op.m = fields[:7]
        colours, gain, right, op.vp, op.loyalty, op.cubes, covered, op.first_list, op.lists = fields[7:]
        op.filters = len(colours)
        for i in range(op.filters):
            op.colour[i] = colours[i]
        for i in range(3):
            op.gain[i] = gain[i]
            op.right[i] = right[i]
            for k in range(COLOURS):
                op.covered[k][i] = covered[k][i]
        return 0

    cdef int set_effect(self, Effect* effect, fields) except -1:
        cdef int i
        effect.when, effect.cell, effect.sign, effect.may, effect.only_builds = fields[:5]
        pay, effect.pay_vp, effect.pay_cubes, effect.pay_cards, effect.count, effect.least = fields[5:11]
        effect.ops.first, effect.ops.count = fields[11:]
        for i in range(3):
            effect.pay[i] = pay[i]
        return 0

    cdef int set_card(self, Card* card, fields) except -1:
        cdef int i, k
        cdef const Effect* effect
        card.colour, card.copies, cost, income, card.vp, card.sign = fields[:6]
        card.founds, card.permanent, card.works_covered, card.has_a, card.has_r = fields[6:11]
        card.first_effect, card.effects = fields[11:]
        for i in range(3):
            card.cost[i] = cost[i]
            card.income[i] = income[i]
        card.activation = MOST_EFFECTS
        for i in range(card.effects):
            effect = &self.rules.effect[card.first_effect + i]
            card.whens |= <u8>(1 << effect.when)
            if effect.when == ACTIVATION:
                card.activation = i
            for k in range(effect.ops.count):
                card.discounts |= self.rules.op[effect.ops.first + k].kind == DISCOUNT
        return 0

    cdef int set_board(self, Card* card, fields) except -1:
        cdef int i, k
        card.research, levels, exploits, trade = fields
        for i in range(3):
            card.level[i].cubes, card.level[i].loyalty, card.level[i].draw = levels[i]
            card.trade[i] = trade[i]
        for i in range(COLOURS):
            gain, card.exploit[i].draw, card.exploit[i].discard = exploits[i]
            for k in range(3):
                card.exploit[i].gain[k] = gain[k]
        return 0

    @property
    def players(self):
        return self.rules.players

    def worths(self):
        """What the policy thinks each card is worth: (income, cost, goods and points when it works, and once built)."""
        cdef int i
        return [
            (
                self.rules.card[i].income_worth, self.rules.card[i].cost_worth, self.rules.card[i].works.goods,
                self.rules.card[i].works.points, self.rules.card[i].after.goods, self.rules.card[i].after.points,
            )
            for i in range(MAX_CARDS)
        ]


# ---- perft -----------------------------------------------------------------------------------------

cdef long long count_after(const Rules* rules, State* state, int depth, bint draws, double* look_at) except -1:
    """Sequences of so many more decisions; with `draws`, times what chance can bring before each and after the last. The
    state is lost."""
    cdef Draw drawn[MAX_NAMES]
    cdef State after
    cdef MoveList found
    cdef World world
    cdef long long sum_ = 0
    cdef size_t k
    cdef int i, n
    world.seed, world.listed = 0, 1
    while draw_is_due(state):
        if draws:
            n = orion_draws(rules, state, drawn)
            for i in range(n):
                after = state[0]
                orion_draw(rules, &after, drawn[i].what)
                sum_ += count_after(rules, &after, depth, draws, look_at)
            return sum_
        orion_draw(rules, state, <u32>next_card(state, &world))
    if depth == 0:
        return 1
    if state.phase == GAME_OVER:
        return 0
    if now() > look_at[0]:
        look_at[0] = now() + 0.1
        PyErr_CheckSignals()
    memset(&found, 0, sizeof(found))
    if depth == 1 and not draws:
        return orion_moves(rules, NULL, state, 0, NULL)
    try:
        orion_moves(rules, NULL, state, 0, &found)
        for k in range(found.count):
            after = state[0]
            orion_apply(rules, &after, &found.item[k])
            sum_ += count_after(rules, &after, depth - 1, draws, look_at)
    finally:
        move_list_free(&found)
    return sum_


# ---- states ----------------------------------------------------------------------------------------

cdef int fill_bag(Bag* bag, cards, int names) except -1:
    cdef int card
    bag.one = bag.two = 0
    for card in cards:
        if not 0 <= card < names:
            raise ValueError("a card's number is out of bounds")
        bag_add(bag, card)
    return 0


cdef tuple bag_cards(const Bag* bag):
    return tuple([
        name for name in range(MAX_NAMES) for _ in range((bag.one >> name & 1) + 2 * (bag.two >> name & 1))
    ])


cdef class PackedState:
    """A state of one game. It plays whatever packed moves it is given: the caller must know that they are legal."""

    cdef readonly Table table
    cdef State state

    def __cinit__(self, Table table not None, fields=None):
        self.table = table
        if fields is not None:
            self.fill(fields)

    def __copy__(self):
        return self.copy()

    def copy(self):
        cdef PackedState new = PackedState.__new__(PackedState, self.table)
        new.state = self.state
        return new

    cdef int fill(self, fields) except -1:
        cdef State* s = &self.state
        cdef Task* task
        cdef int i
        cdef const char* fault
        players, deck, pile, s.advisors, s.first, s.round, s.phase, s.turn, tasks = fields
        if len(players) != self.table.rules.players or len(deck) > MAX_DECK or len(pile) > MAX_DECK:
            raise ValueError("there are too many cards, or another number of players")
        for i in range(len(players)):
            self.fill_side(&s.side[i], players[i])
        s.deck_size, s.pile_size = len(deck), len(pile)
        for i in range(s.deck_size):
            s.deck[i] = deck[i]
        for i in range(s.pile_size):
            s.pile[i] = pile[i]
        if len(tasks) > MAX_TASKS - 10:
            raise ValueError("there are too many pending tasks")
        s.tasks = len(tasks)
        for i in range(s.tasks):
            task = &s.task[i]
            task.kind, task.player, task.owner, task.place, task.card, task.effect, task.target = tasks[i][:7]
            task.n, task.m, task.discount, task.colour, task.flag, task.op, task.count = tasks[i][7:14]
            task.one, task.two = tasks[i][14:]
        s.asker = AS_IT_IS
        for i in range(s.deck_size + s.pile_size):
            if (s.deck[i] if i < s.deck_size else s.pile[i - s.deck_size]) >= self.table.rules.names:
                raise ValueError("a card's number is out of bounds")
        fault = state_fault(&self.table.rules, s)
        if fault:
            raise ValueError(fault.decode())
        return 0

    cdef int fill_side(self, Side* side, fields) except -1:
        cdef int i, k, names = self.table.rules.names
        known, old, fresh, side.loyalty, side.vp, resources, side.available, side.reserve, systems = fields[:9]
        side.founded, side.advisor, side.race, side.a, side.r, side.propaganda, attacks = fields[9:]
        fill_bag(&side.known, known, names)
        fill_bag(&side.old, old, names)
        fill_bag(&side.fresh, fresh, names)
        side.hand = len(known) + len(old) + len(fresh)
        if len(systems) > SYSTEMS:
            raise ValueError("there are too many systems")
        side.systems = len(systems)
        for i in range(side.systems):
            if len(systems[i]) > SYSTEM_SIZE:
                raise ValueError("a system has too many cards")
            side.height[i] = len(systems[i])
            for k in range(side.height[i]):
                side.system[i][k] = systems[i][k]
                if side.system[i][k] >= names:
                    raise ValueError("a card's number is out of bounds")
                self.count_built(side, side.system[i][k])
        for i in range(3):
            side.resource[i] = resources[i]
        for i in range(len(attacks)):
            side.attacks[i] = attacks[i]
        return 0

    cdef void count_built(self, Side* side, int card):
        """What a side knows of all its cards."""
        cdef const Card* printed = &self.table.rules.card[card]
        cdef int k
        bag_add(&side.built, card)
        side.printed += printed.vp
        side.colours[printed.colour] += 1
        for k in range(3):
            side.income[k] += printed.income[k]

    def fields(self):
        """All of it, as it was filled in."""
        cdef State* s = &self.state
        return (
            tuple([self.side_fields(&s.side[i]) for i in range(self.table.rules.players)]),
            tuple([s.deck[i] for i in range(s.deck_size)]),
            tuple([s.pile[i] for i in range(s.pile_size)]),
            s.advisors, s.first, s.round, s.phase, s.turn,
            tuple([self.task_fields(&s.task[i]) for i in range(s.tasks)]),
        )

    cdef tuple side_fields(self, const Side* side):
        return (
            bag_cards(&side.known), bag_cards(&side.old), bag_cards(&side.fresh), side.loyalty, side.vp,
            (side.resource[0], side.resource[1], side.resource[2]), side.available, side.reserve,
            tuple([tuple([side.system[i][k] for k in range(side.height[i])]) for i in range(side.systems)]),
            side.founded, side.advisor, side.race, side.a, side.r, bool(side.propaganda),
            tuple([side.attacks[i] for i in range(self.table.rules.players)]),
        )

    cdef tuple task_fields(self, const Task* task):
        return (
            task.kind, task.player, task.owner, task.place, task.card, task.effect, task.target, task.n, task.m,
            task.discount, task.colour, task.flag, task.op, task.count, task.one, task.two,
        )

    @property
    def to_move(self):
        """Who decides next; None when the game is over or a card is to be drawn."""
        if self.state.phase == GAME_OVER or draw_is_due(&self.state):
            return None
        return state_to_move(&self.state)

    @property
    def is_over(self):
        return self.state.phase == GAME_OVER

    @property
    def round(self):
        return self.state.round

    @property
    def at_actions(self):
        """Whether an action is next, with nothing pending."""
        return self.state.phase == ACTIONS and self.state.tasks == 0

    @property
    def only_hands_can_change(self):
        """Whether all that is left of the last round is to draw cards and to drop some, which changes no result."""
        cdef int i
        if self.state.round != ROUNDS or self.state.phase != ACTIONS:
            return False
        for i in range(self.table.rules.players):
            if self.state.side[i].available:
                return False
        for i in range(self.state.tasks):
            if self.state.task[i].kind != DRAWING and self.state.task[i].kind != DROP:
                return False
        return True

    @property
    def drawer(self):
        """Who draws a card now; None if nobody does."""
        return top_task(&self.state).player if draw_is_due(&self.state) else None

    @property
    def looks_at(self):
        """What the decision at hand is about: "hand" (an action too), "pile", "drop" for cards of the hand to get rid
        of, or "table"."""
        cdef int kind
        if self.state.tasks == 0:
            return "hand"
        kind = self.state.task[self.state.tasks - 1].kind
        return {SWAP: "hand", PICK_BUILD: "hand", PICK_DISCARD: "pile", DROP: "drop"}.get(kind, "table")

    def hand(self, int seat):
        """The cards of a hand as (known, old, fresh)."""
        cdef const Side* side = self.side_of(seat)
        return bag_cards(&side.known), bag_cards(&side.old), bag_cards(&side.fresh)

    def deck(self):
        return [self.state.deck[i] for i in range(self.state.deck_size)]

    def was_looked_at(self, int seat):
        """Whether it depended on a hand how things went on, with nobody asked."""
        return bool(self.state.looked_at >> seat & 1)

    @property
    def supply(self):
        """Cards in the deck and drawn so far: the same until the deck is refilled."""
        return self.state.deck_size + self.state.draws

    def exchange(self, int seat, int give, int get, others):
        """Exchanges a fresh card for another, wherever that lies: in the deck, in a fresh hand of the others named, or on
        the pile. Cards that were just drawn stay what they were."""
        cdef State* s = &self.state
        cdef Side* side = self.side_of(seat)
        cdef Side* other
        cdef int i, place
        if not 0 <= give < MAX_NAMES or not 0 <= get < MAX_NAMES or bag_number(&side.fresh, give) == 0:
            raise ValueError("expected a card of the hand")
        for i in range(s.deck_size):
            if s.deck[i] == get:
                s.deck[i] = <u8>give
                break
        else:
            for place in others:
                other = self.side_of(place)
                if other != side and bag_number(&other.fresh, get):
                    bag_take(&other.fresh, get)
                    bag_add(&other.fresh, give)
                    break
            else:
                for i in range(s.pile_size):
                    if s.pile[i] == get:
                        s.pile[i] = <u8>give
                        break
                else:
                    raise ValueError("expected a card that lies somewhere")
        bag_take(&side.fresh, give)
        bag_add(&side.fresh, get)

    cdef Side* side_of(self, int seat) except NULL:
        if not 0 <= seat < self.table.rules.players:
            raise ValueError("expected the number of a player")
        return &self.state.side[seat]

    def moves(self):
        """Every legal move as (what, detail); none while a card is to be drawn and when the game is over."""
        cdef MoveList found
        cdef size_t i
        memset(&found, 0, sizeof(found))
        if self.state.phase == GAME_OVER:
            return []
        try:
            orion_moves(&self.table.rules, NULL, &self.state, 0, &found)
            return [(found.item[i].what, found.item[i].detail) for i in range(found.count)]
        finally:
            move_list_free(&found)

    def apply(self, move):
        cdef Move packed
        packed.what, packed.detail = move
        if self.to_move is None:
            raise ValueError("expected a decision, found none")
        orion_apply(&self.table.rules, &self.state, &packed)

    def draws(self):
        """What can be drawn: (card, number of copies in the deck)."""
        cdef Draw found[MAX_NAMES]
        cdef int i, n = orion_draws(&self.table.rules, &self.state, found)
        return [(found[i].what, found[i].weight) for i in range(n)]

    def draw(self, int card):
        if card not in dict(self.draws()):
            raise ValueError("expected a card that can be drawn")
        orion_draw(&self.table.rules, &self.state, card)

    def draw_at_random(self, u64 seed):
        """All draws that are due."""
        cdef World world
        world.seed, world.listed = rng_seed(seed), 0
        while draw_is_due(&self.state):
            orion_draw(&self.table.rules, &self.state, next_card(&self.state, &world))

    def choose(self, str style, u64 seed, float noise=0):
        """A move in a style."""
        cdef Move move
        cdef u64 rng = rng_seed(seed)
        if self.to_move is None:
            raise ValueError("expected a decision, found none")
        choose(&self.table.rules, &self.state, &rng, STYLES[style], noise, &move)
        return move.what, move.detail

    def lead(self, int seat):
        """What the sensible player sees in it."""
        return lead_of(&self.table.rules, &self.state, seat)

    def points(self):
        """(track, loyalty, structures, effects) of each player, as if the game ended now."""
        cdef i32 points[4 * 4]
        orion_detail(&self.table.rules, &self.state, points)
        return [tuple([points[4 * i + k] for k in range(4)]) for i in range(self.table.rules.players)]

    def end_reasons(self):
        """Which end conditions hold at the end of a round."""
        cdef int found = end_reasons(&self.table.rules, &self.state)
        return [word for i, word in enumerate(("rounds", "loyalty", "systems")) if found >> i & 1]

    def shares(self):
        """Of the victory, if the game ended now."""
        cdef Outcome outcome
        orion_outcome(&self.table.rules, &self.state, &outcome)
        return [outcome.share[i] / <double>WHOLE for i in range(self.table.rules.players)]

    def guess(self, observer, u64 seed):
        """A state that fits what the observer knows (None: what everybody sees)."""
        cdef PackedState new = self.copy()
        cdef World world
        cdef u64 rng = rng_seed(seed)
        cdef int who = -1 if observer is None else observer
        orion_determinize(&self.table.rules, &new.state, who, &rng, &world)
        return new

    def view(self, int player):
        return state_view(&self.table.rules, &self.state, player)

    def key(self):
        return state_key(&self.table.rules, &self.state)

    def playouts(self, str style, int games, u64 seed, bint guess=False):
        """Plays so many games to their end: (decisions, sum of shares of each, sum of points of each, of all ends a
        number). With `guess` from another deal each of what nobody sees."""
        cdef State state
        cdef World world
        cdef Outcome outcome
        cdef u64 rng = rng_seed(seed), signature = 0, decisions = 0
        cdef double share[4]
        cdef double points[4]
        cdef int i, k, kind = STYLES[style], players = self.table.rules.players
        memset(share, 0, sizeof(share))
        memset(points, 0, sizeof(points))
        with nogil:
            for i in range(games):
                state = self.state
                if guess:
                    orion_determinize(&self.table.rules, &state, NOBODY, &rng, &world)
                world.seed, world.listed = rng_next(&rng), 0
                decisions += play_out(&self.table.rules, &state, &world, &rng, kind)
                expect_ok(&self.table.rules, &state)
                orion_outcome(&self.table.rules, &state, &outcome)
                signature = signature * <u64>0x9E3779B97F4A7C15 + state_key(&self.table.rules, &state)
                for k in range(players):
                    share[k] += outcome.share[k] / <double>WHOLE
                    points[k] += outcome.points[k]
        return (
            decisions, tuple([share[k] for k in range(players)]), tuple([points[k] for k in range(players)]), signature,
        )

    def try_out(self, moves, u64 seed):
        """One game to the end behind each move, all in the same guess at what the mover does not see and with the same
        luck: (the mover's share, points ahead of the best other) of each."""
        cdef PackedState guess = self.guess(self.to_move, seed)
        cdef State state
        cdef World world
        cdef Outcome outcome
        cdef Move move
        cdef u64 rng
        cdef i32 most
        cdef int i, who = self.to_move
        found = []
        world.seed, world.listed = rng_seed(seed + 1), 0
        for move.what, move.detail in moves:
            rng = rng_seed(seed)
            with nogil:
                state = guess.state
                state_apply(&self.table.rules, &state, &move)
                play_out(&self.table.rules, &state, &world, &rng, QUICK)
                orion_outcome(&self.table.rules, &state, &outcome)
            most = max([outcome.points[i] for i in range(self.table.rules.players) if i != who])
            found.append((outcome.share[who] / <double>WHOLE, outcome.points[who] - most))
        return found

    def play_through(self, str style, int last, u64 seed):
        """On to the first action after round `last`, or to the end of the game."""
        cdef World world
        cdef u64 rng = rng_seed(seed)
        world.seed, world.listed = rng_next(&rng), 0
        play_through(&self.table.rules, &self.state, &world, &rng, STYLES[style], last)

    def features(self, int seat):
        """What counts of a standing for a player (see `standing`)."""
        cdef double found[FEATURES]
        features_of(&self.table.rules, &self.state, seat, found)
        return [found[i] for i in range(FEATURES)]

    def evaluate(self, StandingWeights weights not None):
        """What is expected of a standing at the beginning of a round's actions: (share, points by source) of each."""
        cdef Estimate found
        if self.state.round < 2 or self.state.phase != ACTIONS:
            raise ValueError("expected the beginning of a round from the second on")
        standing_evaluate(&self.table.rules, &weights.raw, &self.state, &found)
        return [
            (found.share[i], tuple([found.detail[SOURCES * i + k] for k in range(SOURCES)]))
            for i in range(self.table.rules.players)
        ]

    def perft(self, int depth, bint draws=False):
        """Sequences of so many decisions. Cards are drawn as the deck lies; with `draws` each that can come counts."""
        cdef State state = self.state
        cdef double look_at = 0
        return count_after(&self.table.rules, &state, depth, draws, &look_at)

    def game_state(self, bint listed=False, StandingWeights weights=None):
        """For a search. With `listed` it carries a course of chance: the deck as it lies, from its first card on. With
        `weights` a search can look at the standing after a round instead of playing to the end."""
        cdef GameState handle = GameState.__new__(GameState)
        handle.owner = (self.table, weights)
        if weights is not None:
            handle.game.settle = orion_settle
            handle.game.evaluate = orion_evaluate
            handle.game.knowledge = &weights.raw
        handle.state = malloc(sizeof(State))
        if handle.state == NULL:
            raise MemoryError()
        memcpy(handle.state, &self.state, sizeof(State))
        if listed:
            handle.world = malloc(sizeof(World))
            if handle.world == NULL:
                raise MemoryError()
            (<World*>handle.world).seed = 0
            (<World*>handle.world).listed = 1
        handle.game.rules = &self.table.rules
        handle.game.players = self.table.rules.players
        handle.game.features = HIDDEN_HANDS | SEVERAL_DRAWS | UNEVEN_DRAWS
        handle.game.defaults.margin_scale = MARGIN_SCALE
        handle.game.defaults.playout_style = QUICK
        handle.game.defaults.common_every = COMMON_EVERY
        handle.game.state_size = sizeof(State)
        handle.game.world_size = sizeof(World)
        handle.game.to_move = orion_to_move
        handle.game.moves = orion_moves
        handle.game.apply = orion_apply
        handle.game.draws = orion_draws
        handle.game.draw = orion_draw
        handle.game.determinize = orion_determinize
        handle.game.next_draw = orion_next_draw
        handle.game.playout = orion_playout
        handle.game.groups = orion_groups
        handle.game.candidates = orion_candidates
        handle.game.outcome = orion_outcome
        handle.game.details = DETAILS
        handle.game.detail = orion_detail
        handle.game.key = orion_key
        handle.game.view = orion_view
        handle.game.scratch_new = orion_scratch_new
        handle.game.scratch_free = orion_scratch_free
        handle.game.scratch_ask = orion_scratch_ask
        return handle
