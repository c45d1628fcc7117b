"""Legal moves: of an action, and of whatever waits on the stack."""

from libc.stdlib cimport realloc
from libc.string cimport memset

from ..common.bits cimport lowest
from ..common.ints cimport i32, u8, u16, u32, u64
from ..common.rng cimport rng_below
from ..game cimport Move, MoveList
from .cards cimport (
    BURY, CELL_R, DISCARD, DISMISS_ADVISOR, FILL_CELL, FIRST_ADVISOR, GAIN, MOST_EFFECTS, NO_CARD, NO_COLOUR, Card,
    Effect, Op, OpList, Rules,
)
from .counting cimport can_attack, can_pay, discount_of, has_discounts, holds
from .state cimport (
    ADVISOR_PLACE, ANYWHERE, APPLY, DEEPEST, DRAWING, DROP, LOYALTY_SIGN, PICK_ACTIVATION, PICK_BUILD, PICK_DIRECTION,
    PICK_DISCARD, PICK_OPTION, PICK_ORDER, PICK_VICTIM, PLACES, RACE_PLACE, SWAP, SYSTEM_SIZE, Side, State, Task,
    can_found, effect_of, hand_names, is_full, works_at,
)

cdef enum:
    DEAL_COST = 3

TRADE_GIVES[:] = [0, 0, 1, 1, 2, 2]
TRADE_GETS[:] = [1, 2, 0, 2, 0, 1]


# ---- where moves go

cdef void sink_open(Sink* sink) noexcept nogil:
    memset(sink, 0, sizeof(Sink))
    sink.only = ~<u64>0


cdef inline void sink_add(Sink* sink, u64 what, u64 detail) noexcept nogil:
    cdef MoveList* moves = sink.list
    cdef Move* item
    cdef size_t capacity
    cdef float worth
    sink.count += 1
    if sink.judge != NULL:
        worth = sink.judge(sink.asked, what, detail)
        if sink.count == 1 or worth > sink.best or (sink.latest and worth > 0):
            sink.best = worth
            sink.chosen.what = what
            sink.chosen.detail = detail
        return
    if moves != NULL:
        if moves.count == moves.capacity:
            capacity = 2 * moves.capacity if moves.capacity else 256
            item = <Move*>realloc(moves.item, capacity * sizeof(Move))
            if item == NULL:
                sink.failed = True
                return
            moves.item = item
            moves.capacity = capacity
        moves.item[moves.count].what = what
        moves.item[moves.count].detail = detail
        moves.count += 1
    elif sink.rng != NULL and (sink.count == 1 or rng_below(sink.rng, <u32>sink.count) == 0):
        sink.chosen.what = what
        sink.chosen.detail = detail


# ---- effects and cells

cdef bint is_usable(const Rules* rules, const State* state, int owner, int place, int card, int effect) noexcept nogil:
    """Whether the effect's card still works, its condition is met and its price can be paid."""
    cdef const Side* side = &state.side[owner]
    cdef const Effect* printed
    if works_at(rules, side, place) != card:
        return False
    printed = effect_of(rules, card, effect)
    if printed.cell == CELL_R and (side.r >> place & 1 or not side.reserve):
        return False
    return holds(rules, side, printed) and can_pay(side, printed)


cdef u32 usable_of(const Rules* rules, const State* state, const Task* task) noexcept nogil:
    """Of the effects that are due those that can be used: a bit for each place and effect."""
    cdef u32 left = <u32>task.two, found = 0
    cdef int at, place
    while left:
        at = lowest(left)
        left &= left - 1
        place = at // MOST_EFFECTS
        if is_usable(rules, state, task.owner, place, <int>(task.one >> (8 * place) & 0xFF), at % MOST_EFFECTS):
            found |= <u32>1 << at
    return found


cdef bint is_dismissable(const Rules* rules, const Side* side) noexcept nogil:
    return side.advisor != NO_CARD and not rules.card[side.advisor].permanent


# ---- parts of the moves

cdef void add_builds(
    const Rules* rules, const State* state, int seat, int colour, int system, int more, Sink* sink
) noexcept nogil:
    """Every card of the hand that can be paid and placed, in every place, with every division of the discount."""
    cdef const Side* side = &state.side[seat]
    cdef const Card* card
    cdef u64 names = hand_names(side) & sink.only
    cdef int name, place, places = side.systems + can_found(side), rest, food, fleet, production
    cdef bint any_discount = has_discounts(rules, side)
    if colour != NO_COLOUR:
        names &= rules.of_colour[colour]
    while names:
        name = lowest(names)
        names &= names - 1
        card = &rules.card[name]
        if card.sign and side.loyalty < LOYALTY_SIGN:
            continue
        for place in range(places):
            if (system != ANYWHERE and system != place) or (place < side.systems and is_full(side, place)):
                continue
            rest = card.cost[0] + card.cost[1] + card.cost[2] - more
            if any_discount:
                rest -= discount_of(rules, side, name, place)
            rest = max(0, rest)
            for food in range(min(card.cost[0], side.resource[0]) + 1):
                for fleet in range(min(card.cost[1], side.resource[1]) + 1):
                    production = rest - food - fleet
                    if 0 <= production <= min(card.cost[2], side.resource[2]):
                        sink_add(sink, pack(M_BUILD, name, place, 0, food | fleet << 4 | production << 8), 0)
                        if sink.enough:
                            return


cdef void add_named(int kind, u64 names, Sink* sink) noexcept nogil:
    names &= sink.only
    while names:
        sink_add(sink, pack(kind, lowest(names), 0, 0, 0), 0)
        names &= names - 1


cdef void add_activations(
    const Rules* rules, const State* state, int seat, bint by_effect, int not_place, int not_card, Sink* sink
) noexcept nogil:
    """By an action, with a cube that is spent first; or by an effect, with a cube from the reserve (R10)."""
    cdef Side* side = <Side*>&state.side[seat]
    cdef const Effect* effect
    cdef int place, card
    cdef bint fits
    if by_effect and not side.reserve:
        return
    for place in range(RACE_PLACE):
        card = works_at(rules, side, place)
        if card == NO_CARD or not rules.card[card].has_a or side.a >> place & 1:
            continue
        if place == not_place and card == not_card:
            continue
        effect = effect_of(rules, card, rules.card[card].activation)
        fits = holds(rules, side, effect) and can_pay(side, effect)
        if fits and not by_effect and effect.pay_cubes and side.available - 1 < effect.pay_cubes:
            fits = False
        if fits:
            sink_add(sink, pack(M_ACTIVATE, card, place, 0, 0), 0)


cdef void add_actions(const Rules* rules, const State* state, Sink* sink) noexcept nogil:
    """What the player can do with a cube. Research is always there (R5), so there is always a move."""
    cdef int seat = state.turn, i, other
    cdef const Side* side = &state.side[seat]
    cdef const Card* board = &rules.card[side.race]
    if not sink.no_hand:
        add_builds(rules, state, seat, NO_COLOUR, ANYWHERE, 0, sink)
        add_named(M_EXPLOIT, hand_names(side), sink)
    if sink.no_others:
        return
    sink_add(sink, pack(M_RESEARCH, 0, 0, 0, 0), 0)
    add_activations(rules, state, seat, False, ANYWHERE, NO_CARD, sink)
    for i in range(1, rules.players):
        other = (seat + i) % rules.players
        if can_attack(rules, state, seat, other):
            sink_add(sink, pack(M_ATTACK, 0, 0, other, 0), 0)
    for i in range(TRADES):
        if side.resource[TRADE_GIVES[i]] >= board.trade[TRADE_GIVES[i]]:
            sink_add(sink, pack(M_TRADE, 0, 0, 0, i), 0)
    if not side.propaganda:
        sink_add(sink, pack(M_PROPAGANDA, 0, 0, 0, 0), 0)
    if side.hand >= DEAL_COST and not (side.advisor != NO_CARD and rules.card[side.advisor].permanent):
        for i in range(rules.advisors):
            if state.advisors >> i & 1:
                sink_add(sink, pack(M_DEAL, FIRST_ADVISOR + i, 0, 0, 0), 0)


# ---- the stack

cdef bint can_do_all(const Rules* rules, const Side* side, OpList ops) noexcept nogil:
    """Whether an option can be applied in full: the cards to discard and the resources to lose are there."""
    cdef const Op* op
    cdef int i, k
    for i in range(ops.count):
        op = &rules.op[ops.first + i]
        if op.kind == DISCARD:
            if op.n > side.hand:
                return False
        elif op.kind == GAIN:
            if side.vp + op.vp < 0:
                return False
            for k in range(3):
                if side.resource[k] + op.gain[k] < 0:
                    return False
    return True


cdef void add_options(const Rules* rules, const Side* side, const Task* task, Sink* sink) noexcept nogil:
    cdef int i
    cdef bint any_fits = False
    for i in range(task.count):
        if can_do_all(rules, side, rules.list[task.op + i]):
            any_fits = True
            sink_add(sink, pack(M_OPTION, 0, 0, 0, i), 0)
    if not any_fits:
        for i in range(task.count):
            sink_add(sink, pack(M_OPTION, 0, 0, 0, i), 0)


cdef void add_directions(const Rules* rules, const Side* side, const Task* task, Sink* sink) noexcept nogil:
    cdef const Op* op = &rules.op[task.op]
    cdef int k
    cdef bint left = True, right = True
    for k in range(3):
        left &= side.resource[k] >= op.gain[k]
        right &= side.resource[k] >= op.right[k]
    if left:
        sink_add(sink, pack(M_EXCHANGE, 0, 0, 0, 0), 0)
    if right:
        sink_add(sink, pack(M_EXCHANGE, 0, 0, 0, 1), 0)


cdef bint next_order(u8* cards, int n) noexcept nogil:
    """The next of all orders, the smallest first; False after the last."""
    cdef int i = n - 2, j = n - 1
    cdef u8 card
    while i >= 0 and cards[i] >= cards[i + 1]:
        i -= 1
    if i < 0:
        return False
    while cards[j] <= cards[i]:
        j -= 1
    card = cards[i]
    cards[i] = cards[j]
    cards[j] = card
    i += 1
    j = n - 1
    while i < j:
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
        i += 1
        j -= 1
    return True


cdef void add_orders(const Side* side, const Task* task, Sink* sink) noexcept nogil:
    """Of one system after another, or of any one."""
    cdef u8 cards[SYSTEM_SIZE]
    cdef int i, j, k, system, n
    cdef u8 card
    cdef u64 detail
    for i in range(min(1, task.n) if task.flag else task.n):
        system = <int>(task.one >> (8 * i) & 0xFF)
        n = side.height[system]
        for j in range(n):  # sorted
            card = side.system[system][j]
            k = j
            while k and cards[k - 1] > card:
                cards[k] = cards[k - 1]
                k -= 1
            cards[k] = card
        while True:
            detail = 0
            for k in range(n):
                detail |= <u64>(cards[k] + 1) << (8 * k)
            sink_add(sink, pack(M_REORDER, 0, system, 0, 0), detail)
            if not next_order(cards, n):
                break


cdef void add_victims(const Rules* rules, const State* state, const Task* task, Sink* sink) noexcept nogil:
    cdef const Op* op = &rules.op[task.op]
    cdef const Side* side
    cdef int i, victim, place, card
    for i in range(task.n):
        victim = <int>(task.one >> (8 * i) & 0xFF)
        side = &state.side[victim]
        if op.kind == BURY:
            for place in range(side.systems):
                if side.height[place]:
                    sink_add(sink, pack(M_BURY, works_at(rules, side, place), place, victim, 0), 0)
        elif op.kind == FILL_CELL and (not op.flag or (task.n == 1 and victim == task.player)):
            if not side.reserve:
                continue
            for place in range(RACE_PLACE):
                card = works_at(rules, side, place)
                if card == NO_CARD:
                    continue
                if rules.card[card].has_a and not side.a >> place & 1:
                    sink_add(sink, pack(M_FILL, card, place, victim, 0), 0)
                if rules.card[card].has_r and not side.r >> place & 1:
                    sink_add(sink, pack(M_FILL, card, place, victim, 1), 0)
        elif op.kind != DISMISS_ADVISOR or is_dismissable(rules, side):
            sink_add(sink, pack(M_TARGET, 0, 0, victim, 0), 0)


cdef void add_due(const Rules* rules, const State* state, const Task* task, Sink* sink) noexcept nogil:
    """Of effects that are due the one that comes next; none, if none has to."""
    cdef u32 usable = usable_of(rules, state, task)
    cdef int at, place, card
    cdef bint optional = task.owner == task.player
    while usable:
        at = lowest(usable)
        usable &= usable - 1
        place = at // MOST_EFFECTS
        card = <int>(task.one >> (8 * place) & 0xFF)
        optional &= effect_of(rules, card, at % MOST_EFFECTS).may
        sink_add(sink, pack(M_USE, card, place, task.owner, at % MOST_EFFECTS), 0)
    if optional:
        sink_add(sink, pack(M_DONE, 0, 0, 0, 0), 0)


cdef void add_decisions(const Rules* rules, const State* state, Sink* sink) noexcept nogil:
    cdef const Task* task = &state.task[state.tasks - 1]
    cdef const Side* side = &state.side[task.player]
    cdef bint deep = state.tasks > DEEPEST
    cdef int i
    if task.kind == SWAP:
        if not sink.no_hand:
            add_named(M_DISCARD, hand_names(side), sink)
        if not sink.no_others:
            sink_add(sink, pack(M_DONE, 0, 0, 0, 0), 0)
    elif task.kind == DROP:
        if not sink.no_hand:
            add_named(M_DISCARD, task.one | task.two if task.flag else hand_names(side), sink)
    elif task.kind == PICK_BUILD:
        if not deep and not sink.no_hand:
            add_builds(rules, state, task.player, task.colour, task.place, task.discount, sink)
        if task.flag and not sink.no_others:
            sink_add(sink, pack(M_DONE, 0, 0, 0, 0), 0)
    elif sink.no_others:
        return
    elif task.kind == APPLY:
        add_due(rules, state, task, sink)
    elif task.kind == PICK_OPTION:
        add_options(rules, side, task, sink)
    elif task.kind == PICK_DIRECTION:
        add_directions(rules, side, task, sink)
    elif task.kind == PICK_DISCARD:
        if task.m:
            for i in range(1, min(task.n, state.pile_size) + 1):
                sink_add(sink, pack(M_TAKE, state.pile[state.pile_size - i], 0, 0, i), 0)
    elif task.kind == PICK_ACTIVATION:
        if task.n and not deep:
            add_activations(
                rules, state, task.player, True, task.place if task.flag else ANYWHERE, task.card, sink,
            )
        sink_add(sink, pack(M_DONE, 0, 0, 0, 0), 0)
    elif task.kind == PICK_ORDER:
        add_orders(side, task, sink)
    elif task.kind == PICK_VICTIM:
        add_victims(rules, state, task, sink)


cdef void list_moves(const Rules* rules, const State* state, Sink* sink) noexcept nogil:
    if state.tasks:
        if state.task[state.tasks - 1].kind != DRAWING:
            add_decisions(rules, state, sink)
    else:
        add_actions(rules, state, sink)


cdef bint has_moves(const Rules* rules, const State* state) noexcept nogil:
    """Whether the topmost task leaves anything to decide but to be done."""
    cdef const Task* task = &state.task[state.tasks - 1]
    cdef Sink sink
    if task.kind == PICK_ORDER:
        return task.n > 0
    sink_open(&sink)
    if task.kind == PICK_BUILD:
        sink.enough = True
        sink.no_others = True
    add_decisions(rules, state, &sink)
    return sink.count > (task.kind == PICK_ACTIVATION)
