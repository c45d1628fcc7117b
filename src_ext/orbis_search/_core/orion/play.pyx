"""The rules at work: what a move and a draw do to the state, until something has to be decided or drawn again.

The same steps as in orion/game: `table`, `effects` and `rules` there.
"""

from libc.string cimport memchr, memcpy, memmove, memset

from ..common.bits cimport lowest, popcount
from ..common.ints cimport i8, i32, u8, u16, u32, u64
from ..game cimport Move
from .cards cimport (
    ACTIVATE, AFTER_ATTACK, AFTER_ATTACKED, AFTER_BUILDING, BUILD, BURY, CELL_R, CHOOSE, CHOSEN, COLOURS, DISCARD,
    DISMISS_ADVISOR, DRAW, EXCHANGE, FILL_CELL, FILL_R, FIRST_ADVISOR, GAIN, GAIN_COVERED, MAX_DECK, MAX_NAMES,
    MOST_EFFECTS, NO_CARD, NO_COLOUR, OF_NOTHING, OPPONENTS, REORDER, START_OF_ROUND, TAKE_DISCARD, TARGET, Card, Effect,
    Exploit, Line, Op, OpList, Rules,
)
from .counting cimport attack_price, count_of, end_reasons, keeping_places, level_of
from .movegen cimport (
    M_ACTIVATE, M_ATTACK, M_BUILD, M_BURY, M_DEAL, M_DISCARD, M_EXPLOIT, M_FILL, M_PROPAGANDA, M_RESEARCH, M_TRADE, M_USE,
    TRADE_GETS, TRADE_GIVES, card_of, has_moves, is_dismissable, kind_of, number_of, place_of, player_of, usable_of,
)
from .state cimport (
    ACTIONS, ADVISOR_PLACE, ANYWHERE, APPLY, CUBES, DRAWING, DROP, END, FLEET, GAME_OVER, HAND, HIRE, MAX_TASKS,
    MOST_LOYALTY, MOST_RESOURCE, NO_PLACE, PICK_ACTIVATION, PICK_BUILD, PICK_DIRECTION, PICK_DISCARD, PICK_OPTION,
    PICK_ORDER, PICK_VICTIM, PLACES, PLAIN_SYSTEMS, RACE_PLACE, ROUNDS, RUN, SETUP, START, SWAP, SYSTEMS, SYSTEM_SIZE,
    TRIGGER, Bag, Side, State, Task, bag_add, bag_names, bag_number, bag_pour, bag_size, bag_take, effect_of, is_full,
    top_task, works_at,
)

cdef enum:
    ATTACK_VP = 2
    DEAL_COST = 3
    PROPAGANDA_GAIN = 3


# ---- the stack

cdef inline Task* push(State* state, int kind, int player) noexcept nogil:
    """A new task on top, empty."""
    cdef Task* task = &state.task[state.tasks]
    state.tasks += 1
    memset(task, 0, sizeof(Task))
    task.kind = <u8>kind
    task.player = <u8>player
    task.target = -1
    return task


cdef inline Task* push_from(State* state, int kind, int player, const Task* origin) noexcept nogil:
    """... from the same effect as another."""
    cdef Task* task = push(state, kind, player)
    task.owner = origin.owner
    task.place = origin.place
    task.card = origin.card
    task.effect = origin.effect
    return task


cdef inline void push_drop(State* state, int player, int n) noexcept nogil:
    push(state, DROP, player).n = <u8>n


cdef inline void push_drawing(State* state, int player, int n, int discard) noexcept nogil:
    cdef Task* task = push(state, DRAWING, player)
    task.n = <u8>n
    task.m = <u8>discard


cdef inline void push_trigger(State* state, int player, int owner, int when, int place, int target) noexcept nogil:
    cdef Task* task = push(state, TRIGGER, player)
    task.owner = <u8>owner
    task.m = <u8>when
    task.place = <u8>place
    task.target = <i8>target


# ---- tracks and cubes

cdef inline void gain(Side* side, const i8* amounts, int times) noexcept nogil:
    """What is above 9 is lost; a loss stops at 0."""
    cdef int k, amount
    for k in range(3):
        amount = side.resource[k] + amounts[k] * times
        side.resource[k] = <u8>max(0, min(MOST_RESOURCE, amount))


cdef inline void gain_plain(Side* side, const u8* amounts) noexcept nogil:
    cdef int k
    for k in range(3):
        side.resource[k] = <u8>min(MOST_RESOURCE, side.resource[k] + amounts[k])


cdef inline void change_loyalty(Side* side, int by) noexcept nogil:
    side.loyalty = min(MOST_LOYALTY, side.loyalty + by)


cdef inline void change_vp(Side* side, int by) noexcept nogil:
    side.vp = max(0, side.vp + by)


cdef inline void make_available(Side* side, int cubes) noexcept nogil:
    """From the reserve, which is a real limit (R11)."""
    cdef int moved = min(cubes, side.reserve)
    side.available += <u8>moved
    side.reserve -= <u8>moved


cdef inline void fill_from_reserve(Side* side, int place, bint in_r) noexcept nogil:
    side.reserve -= 1
    if in_r:
        side.r |= <u8>(1 << place)
    else:
        side.a |= <u8>(1 << place)


cdef inline void empty_cells(Side* side, int place) noexcept nogil:
    """A card that stops working loses its cubes to the reserve (R18)."""
    side.reserve += (side.a >> place & 1) + (side.r >> place & 1)
    side.a &= <u8>~(1 << place)
    side.r &= <u8>~(1 << place)


# ---- cards

cdef void leave_hand(const Rules* rules, State* state, int seat, int card) noexcept nogil:
    """A card is shown and leaves the hand. Everybody works out which part of the hand it came from; where that cannot
    be told, what the last reshuffle revealed is given up for good."""
    cdef Side* side = &state.side[seat]
    cdef u64 bit = <u64>1 << card, old = 0, fresh = 0
    cdef int i
    side.hand -= 1
    if bag_names(&side.known) & bit:
        bag_take(&side.known, card)
        return
    if bag_names(&side.old):
        for i in range(rules.players):
            old |= bag_names(&state.side[i].old)
            fresh |= bag_names(&state.side[i].fresh)
        if old & bit:
            if bag_names(&side.fresh) and (fresh & bit or memchr(state.deck, card, state.deck_size) != NULL):
                for i in range(rules.players):
                    bag_pour(&state.side[i].fresh, &state.side[i].old)
            else:
                bag_take(&side.old, card)
                return
    bag_take(&side.fresh, card)


cdef void discard(const Rules* rules, State* state, int seat, int card) noexcept nogil:
    leave_hand(rules, state, seat, card)
    state.pile[state.pile_size] = <u8>card
    state.pile_size += 1


cdef bint refill_deck(const Rules* rules, State* state) noexcept nogil:
    """With an empty deck, all of the pile but its top card becomes the deck (section 3.4); whether there is a card to
    draw now. Then everybody knows what lies in the deck, and so which other cards are in hands."""
    cdef Side* side
    cdef int i
    if state.deck_size == 0 and state.pile_size > 1:
        state.deck_size = state.pile_size - 1
        memcpy(state.deck, state.pile, state.deck_size)
        state.pile[0] = state.pile[state.pile_size - 1]
        state.pile_size = 1
        for i in range(rules.players):
            side = &state.side[i]
            bag_pour(&side.old, &side.fresh)
            if rules.players == 2:
                bag_pour(&side.known, &side.old)
    return state.deck_size > 0


cdef void place_card(const Rules* rules, Side* side, int card, int system) noexcept nogil:
    """On top of a system, or as a new one with the next number."""
    cdef const Card* printed = &rules.card[card]
    cdef int k
    if system == side.systems:
        side.systems += 1
    else:
        empty_cells(side, system)
    side.system[system][side.height[system]] = <u8>card
    side.height[system] += 1
    bag_add(&side.built, card)
    side.printed += printed.vp
    side.colours[printed.colour] += 1
    for k in range(3):
        side.income[k] += printed.income[k]


cdef void dismiss(State* state, int seat) noexcept nogil:
    cdef Side* side = &state.side[seat]
    if side.advisor != NO_CARD:
        empty_cells(side, ADVISOR_PLACE)
        state.advisors |= <u8>(1 << (side.advisor - FIRST_ADVISOR))
        side.advisor = NO_CARD


cdef void hire(const Rules* rules, State* state, int seat, int advisor) noexcept nogil:
    """A former advisor goes back to the table, its cubes to the reserve (R17)."""
    cdef Side* side = &state.side[seat]
    dismiss(state, seat)
    state.advisors &= <u8>~(1 << (advisor - FIRST_ADVISOR))
    side.advisor = <u8>advisor
    if rules.card[advisor].founds:
        side.founded = side.systems
        side.systems += 1


# ---- using effects

cdef void begin(const Rules* rules, State* state, int owner, int place, int card, int which, int target) noexcept nogil:
    """A price in front of an effect is paid first."""
    cdef Side* side = &state.side[owner]
    cdef const Effect* effect = effect_of(rules, card, which)
    cdef Task* task
    cdef int k
    if effect.cell == CELL_R:
        fill_from_reserve(side, place, True)
    for k in range(3):
        side.resource[k] -= effect.pay[k]
    change_vp(side, -<int>effect.pay_vp)
    side.available -= effect.pay_cubes
    side.reserve += effect.pay_cubes
    task = push(state, RUN, owner)
    task.owner = <u8>owner
    task.place = <u8>place
    task.card = <u8>card
    task.effect = <u8>which
    task.target = <i8>target
    task.op = effect.ops.first
    task.count = effect.ops.count
    if effect.pay_cards:
        push_drop(state, owner, effect.pay_cards)


cdef inline void activate(const Rules* rules, State* state, int seat, int place, int card) noexcept nogil:
    begin(rules, state, seat, place, card, rules.card[card].activation, -1)


cdef void build(const Rules* rules, State* state, int seat, u64 what) noexcept nogil:
    """Pay, place, then the card's own effects."""
    cdef Side* side = &state.side[seat]
    cdef int k, card = card_of(what), system = place_of(what), paid = number_of(what)
    for k in range(3):
        side.resource[k] -= <u8>(paid >> (4 * k) & 15)
    leave_hand(rules, state, seat, card)
    place_card(rules, side, card, system)
    push_trigger(state, seat, seat, AFTER_BUILDING, system, -1)


cdef void use(const Rules* rules, State* state, int at) noexcept nogil:
    """One of the effects that are due on top of the stack; the others wait. Whether to use what may be used, its owner
    says, whoever chooses the order."""
    cdef Task* task = top_task(state)
    cdef Task* own
    cdef int place = at // MOST_EFFECTS
    task.two &= ~(<u64>1 << at)
    if task.owner != task.player:
        own = push(state, APPLY, task.owner)
        own.owner = task.owner
        own.target = task.target
        own.one = task.one & <u64>0xFF << (8 * place)
        own.two = <u64>1 << at
    else:
        begin(
            rules, state, task.owner, place, <int>(task.one >> (8 * place) & 0xFF), at % MOST_EFFECTS, task.target,
        )


cdef void fall_due(const Rules* rules, State* state) noexcept nogil:
    """The trigger on top becomes the effects that it finds."""
    cdef Task* task = top_task(state)
    cdef const Side* side = &state.side[task.owner]
    cdef int when = task.m, only = task.place, place, card, i
    task.kind = APPLY
    task.m = task.place = 0
    task.one = task.two = 0
    for place in range(PLACES):
        if only != ANYWHERE and only != place:
            continue
        card = works_at(rules, side, place)
        if card == NO_CARD or not rules.card[card].whens >> when & 1:
            continue
        task.one |= <u64>card << (8 * place)
        for i in range(rules.card[card].effects):
            if effect_of(rules, card, i).when == when:
                task.two |= <u64>1 << (MOST_EFFECTS * place + i)


# ---- what effects do

cdef void turn_to(const Rules* rules, State* state, int seat, const Task* origin, int at, int victim) noexcept nogil:
    """What happens to one opponent, once it is clear which."""
    cdef const Op* op = &rules.op[at]
    cdef Task* task
    if op.kind == OPPONENTS:
        if op.lists and op.flag:  # either
            task = push_from(state, PICK_OPTION, victim, origin)
            task.op = op.first_list
            task.count = op.lists
        else:
            task = push_from(state, RUN, victim, origin)
            task.op = rules.list[op.first_list].first
            task.count = rules.list[op.first_list].count
        task.target = <i8>seat
    elif op.kind == DISMISS_ADVISOR:
        if is_dismissable(rules, &state.side[victim]):
            dismiss(state, victim)
    else:
        task = push_from(state, PICK_VICTIM, victim if op.kind == FILL_CELL and op.flag else seat, origin)
        task.op = <u16>at
        task.n = 1
        task.one = <u64>victim


cdef void turn_to_opponents(const Rules* rules, State* state, const Task* origin, int at) noexcept nogil:
    """Each opponent in turn order from the player's left, or the one the attack was on, or one to be chosen."""
    cdef int seat = origin.player, i, players = rules.players
    cdef Task* task
    if rules.op[at].who == CHOSEN:
        task = push_from(state, PICK_VICTIM, seat, origin)
        task.op = <u16>at
        task.n = <u8>(players - 1)
        for i in range(1, players):
            task.one |= <u64>((seat + i) % players) << (8 * (i - 1))
    elif rules.op[at].who == TARGET:
        turn_to(rules, state, seat, origin, at, origin.target)
    else:
        for i in range(players - 1, 0, -1):
            turn_to(rules, state, seat, origin, at, (seat + i) % players)


cdef void do_op(const Rules* rules, State* state, const Task* run, int at) noexcept nogil:
    cdef const Op* op = &rules.op[at]
    cdef int seat = run.player, times = 1, i
    cdef Side* side = &state.side[seat]
    cdef Task* task
    if op.kind == GAIN:
        if op.per != OF_NOTHING:
            times = count_of(rules, side, op.per) // op.every
        gain(side, op.gain, times)
        change_vp(side, op.vp * times)
        change_loyalty(side, op.loyalty * times)
        make_available(side, op.cubes * times)
    elif op.kind == CHOOSE:
        task = push_from(state, PICK_OPTION, seat, run)
        task.op = op.first_list
        task.count = op.lists
        task.target = run.target
    elif op.kind == DRAW:
        push_drawing(state, seat, op.n, op.m)
    elif op.kind == DISCARD:
        push_drop(state, seat, min(op.n, side.hand))
    elif op.kind == EXCHANGE:
        push(state, PICK_DIRECTION, seat).op = <u16>at
    elif op.kind == TAKE_DISCARD:
        task = push(state, PICK_DISCARD, seat)
        task.n = <u8>op.n if op.n else state.pile_size
        task.m = <u8>op.m
    elif op.kind == BUILD:
        for i in range(op.filters - 1, -1, -1):
            task = push(state, PICK_BUILD, seat)
            task.colour = op.colour[i]
            task.place = run.place if op.flag else <u8>ANYWHERE
            task.discount = op.n
            task.flag = effect_of(rules, run.card, run.effect).may
    elif op.kind == ACTIVATE:
        task = push(state, PICK_ACTIVATION, seat)
        task.n = <u8>op.n if op.n else side.systems + 1
        if op.flag:
            task.owner = run.owner
            task.place = run.place
            task.card = run.card
            task.effect = run.effect
            task.flag = True
    elif op.kind == GAIN_COVERED:
        if run.place < SYSTEMS and side.height[run.place] > 1:
            i = side.system[run.place][side.height[run.place] - 2]
            gain(side, op.covered[rules.card[i].colour], 1)
    elif op.kind == REORDER:
        task = push(state, PICK_ORDER, seat)
        task.flag = op.flag
        for i in range(side.systems):
            if side.height[i] > 1:
                task.one |= <u64>i << (8 * task.n)
                task.n += 1
    elif op.kind == FILL_R:
        if run.place != RACE_PLACE and works_at(rules, side, run.place) == run.card and side.reserve:
            if not side.r >> run.place & 1:
                fill_from_reserve(side, run.place, True)
    else:
        turn_to_opponents(rules, state, run, at)


# ---- tasks that need nobody

cdef bint advance(const Rules* rules, State* state) noexcept nogil:
    """Does the topmost task if it needs no decision and no draw; whether it did."""
    cdef Task* task = top_task(state)
    cdef Task done
    cdef u32 usable
    cdef int at
    if task.kind == TRIGGER:
        fall_due(rules, state)
        return True
    if task.kind == APPLY:
        usable = usable_of(rules, state, task)
        if usable and not usable & (usable - 1):
            at = lowest(usable)
            if task.owner != task.player or may_begin(rules, task, at):
                use(rules, state, at)
                return True
        if usable:
            return False
    elif task.kind == RUN:
        done = task[0]
        if task.count > 1:
            task.op += 1
            task.count -= 1
        else:
            state.tasks -= 1
        do_op(rules, state, &done, done.op)
        return True
    elif task.kind == DRAWING:
        if task.n and refill_deck(rules, state):
            return False
        if task.m and (task.one | task.two):
            task.kind = DROP
            task.n = <u8>min(<int>task.m, popcount(task.one) + 2 * popcount(task.two))
            task.m = 0
            task.flag = True
            return True
    elif task.kind == HIRE:
        state.tasks -= 1
        hire(rules, state, task.player, task.card)
        return True
    elif task.kind == DROP:
        if task.n and state.side[task.player].hand:
            return False
    else:
        if task.kind == PICK_BUILD:
            state.looked_at |= <u8>(1 << task.player)
        if task.kind == SWAP or has_moves(rules, state):
            return False
    state.tasks -= 1  # nothing is left to decide
    return True


cdef inline bint may_begin(const Rules* rules, const Task* task, int at) noexcept nogil:
    """Whether the only effect that can be used begins by itself. One that only builds can be declined build by build."""
    cdef int place = at // MOST_EFFECTS
    cdef const Effect* effect = effect_of(rules, <int>(task.one >> (8 * place) & 0xFF), at % MOST_EFFECTS)
    return not effect.may or effect.only_builds


# ---- tasks that need a decision

cdef void rearrange(Side* side, int system, u64 order) noexcept nogil:
    """If another card comes to the top, the one before loses its cubes."""
    cdef int n = side.height[system], k
    cdef u8 top = side.system[system][n - 1]
    for k in range(n):
        side.system[system][k] = <u8>((order >> (8 * k) & 0xFF) - 1)
    if side.system[system][n - 1] != top:
        empty_cells(side, system)


cdef void strike(const Rules* rules, State* state, const Task* task, u64 what) noexcept nogil:
    cdef Side* victim = &state.side[player_of(what)]
    cdef int place = place_of(what), n
    cdef u8 top
    if kind_of(what) == M_BURY:
        n = victim.height[place]
        if n > 1:
            empty_cells(victim, place)
            top = victim.system[place][n - 1]
            memmove(&victim.system[place][1], &victim.system[place][0], n - 1)
            victim.system[place][0] = top
    elif kind_of(what) == M_FILL:
        fill_from_reserve(victim, place, number_of(what))
    else:
        turn_to(rules, state, task.player, task, task.op, player_of(what))


cdef void decide(const Rules* rules, State* state, const Move* move) noexcept nogil:
    """Carries out a decision on the topmost task."""
    cdef Task* task = top_task(state)
    cdef Task done = task[0]
    cdef Side* side = &state.side[task.player]
    cdef const Op* op
    cdef int kind = kind_of(move.what), seat = task.player, k
    if task.kind == SWAP:
        if kind == M_DISCARD:
            discard(rules, state, seat, card_of(move.what))
            task.m += 1
        elif task.m:
            state.tasks -= 1
            push_drawing(state, seat, done.m, 0)
        else:
            state.tasks -= 1
    elif task.kind == APPLY:
        if kind == M_USE:
            use(rules, state, MOST_EFFECTS * place_of(move.what) + number_of(move.what))
        else:
            state.tasks -= 1
    elif task.kind == PICK_OPTION:
        task.kind = RUN
        task.op = rules.list[done.op + number_of(move.what)].first
        task.count = rules.list[done.op + number_of(move.what)].count
    elif task.kind == PICK_DIRECTION:
        state.tasks -= 1
        op = &rules.op[done.op]
        for k in range(3):
            side.resource[k] -= <u8>(op.right[k] if number_of(move.what) else op.gain[k])
        if number_of(move.what):
            gain(side, op.gain, 1)
        else:
            gain(side, op.right, 1)
    elif task.kind == DROP:
        discard(rules, state, seat, card_of(move.what))
        if task.flag:
            bag_take(<Bag*>&task.one, card_of(move.what))
        if task.n > 1:
            task.n -= 1
        else:
            state.tasks -= 1
    elif task.kind == PICK_DISCARD:
        k = state.pile_size - number_of(move.what)
        bag_add(&side.known, state.pile[k])
        side.hand += 1
        memmove(&state.pile[k], &state.pile[k + 1], state.pile_size - k - 1)
        state.pile_size -= 1
        if task.m > 1:
            task.n -= 1
            task.m -= 1
        else:
            state.tasks -= 1
    elif task.kind == PICK_BUILD:
        state.tasks -= 1
        if kind == M_BUILD:
            build(rules, state, seat, move.what)
    elif task.kind == PICK_ACTIVATION:
        if kind == M_ACTIVATE:
            task.n -= 1
            fill_from_reserve(side, place_of(move.what), False)
            activate(rules, state, seat, place_of(move.what), card_of(move.what))
        else:
            state.tasks -= 1
    elif task.kind == PICK_ORDER:
        rearrange(side, place_of(move.what), move.detail)
        if task.flag and task.n > 1:
            task.one >>= 8
            task.n -= 1
        else:
            state.tasks -= 1
    else:
        state.tasks -= 1
        strike(rules, state, &done, move.what)


# ---- actions (section 3.2)

cdef void attack(const Rules* rules, State* state, int seat, int other) noexcept nogil:
    """In this order (R9): pay, the target's loyalty, VP, "after attack" effects, "after being attacked" effects."""
    cdef Side* side = &state.side[seat]
    cdef int price = attack_price(rules, side, &state.side[other])
    side.attacks[other] += 1
    side.resource[FLEET] -= <u8>price
    change_loyalty(&state.side[other], -1)
    change_vp(side, ATTACK_VP)
    push_trigger(state, seat, other, AFTER_ATTACKED, ANYWHERE, seat)
    push_trigger(state, seat, seat, AFTER_ATTACK, ANYWHERE, other)


cdef void act(const Rules* rules, State* state, const Move* move) noexcept nogil:
    """A cube is spent first, then the action is carried out; the turn passes to the left."""
    cdef int seat = state.turn, kind = kind_of(move.what), n
    cdef Side* side = &state.side[seat]
    cdef const Card* board = &rules.card[side.race]
    cdef const Exploit* gained
    cdef Task* task
    side.available -= 1
    state.turn = <u8>((seat + 1) % rules.players)
    if kind == M_BUILD:
        build(rules, state, seat, move.what)
    elif kind == M_EXPLOIT:
        discard(rules, state, seat, card_of(move.what))
        gained = &board.exploit[rules.card[card_of(move.what)].colour]
        gain_plain(side, gained.gain)
        if gained.draw:
            push_drawing(state, seat, gained.draw, gained.discard)
    elif kind == M_RESEARCH:
        push_drawing(state, seat, board.research, 0)
    elif kind == M_ACTIVATE:
        side.a |= <u8>(1 << place_of(move.what))
        activate(rules, state, seat, place_of(move.what), card_of(move.what))
    elif kind == M_ATTACK:
        attack(rules, state, seat, player_of(move.what))
    elif kind == M_TRADE:
        n = number_of(move.what)
        side.resource[TRADE_GIVES[n]] -= board.trade[TRADE_GIVES[n]]
        n = TRADE_GETS[n]
        side.resource[n] = <u8>min(MOST_RESOURCE, side.resource[n] + board.trade[n])
    elif kind == M_PROPAGANDA:
        side.propaganda = True
        change_loyalty(side, PROPAGANDA_GAIN)
    else:
        task = push(state, HIRE, seat)
        task.card = <u8>card_of(move.what)
        push_drop(state, seat, DEAL_COST)


# ---- rounds (sections 3.1 and 3.3)

cdef void start_round(const Rules* rules, State* state) noexcept nogil:
    cdef int i, seat, players = rules.players
    cdef Side* side
    cdef const Line* line
    cdef u8 draws[4]
    cdef u8 kept
    state.phase = START
    # 1. Income of all own cards; none in the first round, when nobody has any.
    # 2. Mobilization, by the largest resource. Draws are made in turn order (R3).
    for i in range(players):
        side = &state.side[i]
        gain_plain(side, side.income)
        line = &rules.card[side.race].level[level_of(side)]
        make_available(side, line.cubes)
        change_loyalty(side, line.loyalty)
        draws[i] = line.draw
        kept = keeping_places(rules, side) & side.r
        side.available += popcount(kept)
        side.r &= ~kept
    # 3. "Start of round" effects, which come too late to change the level.
    for i in range(players - 1, -1, -1):
        seat = (state.first + i) % players
        push_trigger(state, seat, seat, START_OF_ROUND, ANYWHERE, -1)
    for i in range(players - 1, -1, -1):
        seat = (state.first + i) % players
        if draws[seat]:
            push_drawing(state, seat, draws[seat], 0)


cdef void end_round(const Rules* rules, State* state) noexcept nogil:
    cdef int i, seat
    # 1. If an end condition holds, the game is over.
    if end_reasons(rules, state):
        state.phase = GAME_OVER
        return
    # 2. Everybody discards down to 5 cards, in turn order (R13).
    state.phase = END
    for i in range(rules.players - 1, -1, -1):
        seat = (state.first + i) % rules.players
        if state.side[seat].hand > HAND:
            push_drop(state, seat, state.side[seat].hand - HAND)


cdef void next_round(const Rules* rules, State* state) noexcept nogil:
    cdef int i
    cdef Side* side
    # 3. All cubes go back to their owners' reserves, except one that is kept.
    for i in range(rules.players):
        side = &state.side[i]
        side.r &= keeping_places(rules, side)
        side.a = 0
        side.available = 0
        side.propaganda = False
        memset(side.attacks, 0, sizeof(side.attacks))
        side.reserve = <u8>(CUBES - popcount(side.r))
    # 4. The first-player token passes to the left.
    state.first = state.turn = <u8>((state.first + 1) % rules.players)
    state.round += 1


cdef void until_something_is_due(const Rules* rules, State* state) noexcept nogil:
    cdef int i, seat
    while state.phase != GAME_OVER:
        if state.tasks:
            if not advance(rules, state):
                return
        elif state.phase == SETUP:
            start_round(rules, state)
        elif state.phase == START:
            state.phase = ACTIONS
            state.turn = state.first
        elif state.phase == ACTIONS:
            # Who has no cube is skipped, and comes back if an effect gives one (R4).
            for i in range(rules.players):
                seat = (state.turn + i) % rules.players
                if state.side[seat].available:
                    state.turn = <u8>seat
                    return
            end_round(rules, state)
        else:
            next_round(rules, state)
            start_round(rules, state)


# ---- for everybody

cdef void state_apply(const Rules* rules, State* state, const Move* move) noexcept nogil:
    if state.tasks:
        decide(rules, state, move)
    else:
        act(rules, state, move)
    until_something_is_due(rules, state)


cdef void state_draw(const Rules* rules, State* state, int card) noexcept nogil:
    """This card comes from the deck to whom it is due."""
    cdef Task* task = top_task(state)
    cdef Side* side = &state.side[task.player]
    cdef u8* at = <u8*>memchr(state.deck, card, state.deck_size)
    state.deck_size -= 1
    state.draws += 1
    memmove(at, at + 1, state.deck + state.deck_size - at)
    bag_add(&side.fresh, card)
    side.hand += 1
    task.n -= 1
    if task.m:
        bag_add(<Bag*>&task.one, card)
    if rules.at_once:
        refill_deck(rules, state)
    until_something_is_due(rules, state)


cdef const char* state_fault(const Rules* rules, const State* state) noexcept nogil:
    """What is wrong with a state, or NULL."""
    cdef int number[MAX_NAMES]
    cdef int seat, i, k, systems, cards = state.deck_size + state.pile_size, printed
    cdef const Side* side
    cdef Bag built
    memset(number, 0, sizeof(number))
    if state.tasks > MAX_TASKS or state.phase > GAME_OVER or state.round > ROUNDS:
        return b"a number of the table is out of bounds"
    if cards > rules.cards:
        return b"there are more cards than the set has"
    for i in range(state.deck_size):
        number[state.deck[i]] += 1
    for i in range(state.pile_size):
        number[state.pile[i]] += 1
    for seat in range(rules.players):
        side = &state.side[seat]
        if side.hand != bag_size(&side.known) + bag_size(&side.old) + bag_size(&side.fresh):
            return b"the size of a hand is not that of its parts"
        cards += side.hand + bag_size(&side.built)
        built.one = built.two = 0
        printed = 0
        for i in range(SYSTEMS):
            if side.height[i] + (side.founded == i) > SYSTEM_SIZE or (i >= side.systems and side.height[i]):
                return b"a system has no room for its cards"
            for k in range(side.height[i]):
                bag_add(&built, side.system[i][k])
                printed += rules.card[side.system[i][k]].vp
        if built.one != side.built.one or built.two != side.built.two or printed != side.printed:
            return b"what is known of the cards in systems is not so"
        for i in range(rules.names):
            number[i] += bag_number(&side.known, i) + bag_number(&side.old, i) + bag_number(&side.fresh, i)
            number[i] += bag_number(&built, i)
        systems = side.systems - (side.founded != NO_PLACE)
        if systems > PLAIN_SYSTEMS or side.systems > SYSTEMS:
            return b"there are too many systems"
        for k in range(3):
            if side.resource[k] > MOST_RESOURCE:
                return b"a resource is out of bounds"
        if side.loyalty > MOST_LOYALTY or side.vp < 0:
            return b"loyalty or points are out of bounds"
        if side.available + side.reserve + popcount(side.a) + popcount(side.r) > CUBES:
            return b"there are too many cubes"
    if cards != rules.cards:
        return b"a card is missing"
    for i in range(rules.names):
        if number[i] != rules.card[i].copies:
            return b"a card has another number of copies"
    return NULL
