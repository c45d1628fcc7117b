"""What moves seem to be worth, at a glance: for playouts, for the weights of the tree, and for the sensible player.

Goods are counted in sixths of a production, as the trade rate, exploits and actions price them (RULES, section 8); points
apart, since they gain in worth towards the end while goods lose theirs. An engine pays in the rounds to come: income and
working effects count for each of them.
"""

from libc.math cimport log
from libc.string cimport memcpy

from ..common.bits cimport lowest
from ..common.ints cimport i8, i32, u8, u16, u32, u64
from ..common.rng cimport rng_below, rng_next
from ..game cimport Move
from .cards cimport (
    ACTIVATE, ACTIVATION, AFTER_ATTACK, AFTER_ATTACKED, AFTER_BUILDING, ALWAYS, ATTACK_BONUS, ATTACK_COST, BUILD, BURY,
    CHOOSE, COLOURS, DEFENCE_BONUS, DISCARD, DISCOUNT, DISMISS_ADVISOR, DRAW, EACH, EXCHANGE, FILL_CELL, GAIN,
    GAIN_COVERED, KEEP_CUBE, MAX_CARDS, MOST_EFFECTS, NO_CARD, OF_NOTHING, OPPONENTS, REORDER, START_OF_ROUND,
    TAKE_DISCARD, Card, Effect, Exploit, Op, OpList, Rules, Worth,
)
from .counting cimport attack_price, points_of
from .hidden cimport World, next_card
from .movegen cimport (
    M_ACTIVATE, M_ATTACK, M_BUILD, M_BURY, M_DEAL, M_DISCARD, M_DONE, M_EXCHANGE, M_EXPLOIT, M_FILL, M_OPTION,
    M_PROPAGANDA, M_REORDER, M_RESEARCH, M_TAKE, M_TARGET, M_TRADE, M_USE, TRADE_GETS, TRADE_GIVES, Sink, card_of, kind_of,
    list_moves, number_of, place_of, player_of, sink_open,
)
from .play cimport state_apply, state_draw
from .state cimport (
    ACTIONS, ADVISOR_PLACE, DRAWING, DROP, GAME_OVER, HIRE, LOYALTY_SIGN, MOST_LOYALTY, MOST_RESOURCE, PLACES, ROUNDS,
    SWAP, Side, State, Task, draw_is_due, effect_of, hand_names, state_to_move, works_at,
)

cdef enum:
    CARD = 2
    ACTION = 4
    POINT = 5
    NOISES = 256
    LONGEST = 6000  # decisions of a playout; a game that goes on for longer is counted as it stands

cdef float GOODS[3]
GOODS[:] = [2, 3, 6]
# How things are weighed at a glance: found by matches against the sensible player, one step at a time.
cdef double LUCK = 1.0  # noise in playouts
cdef double WORK_GOODS = 0.8  # goods from a working card, for each round to come
cdef double WORK_POINTS = 0.44  # ... and points
cdef double KEEP = 0.2  # of the profit of a card, what having it in hand is worth
cdef double RATE_CUBE = 0.09  # what goods are worth more for each cube to spend them with
cdef double TRADE = 0.5  # less for a trade
cdef double PROPAGANDA = 0.78  # for a loyalty by propaganda
cdef double ATTACK = 2.4  # points of an attack, with what it costs the target
cdef double RATE_LEFT = 1.15  # what goods are worth with all rounds to come
cdef double SATED = 0.1  # how much less each further good is worth
cdef double CROWDED = 0.1  # ... and each further card
cdef double INCOME = 0.89  # of an income, for each round to come
cdef double POINT_EARLY = 0.49  # a point in the first round, of what it is worth in the last
cdef double SCORING = 0.7  # points still to come of a card that scores, for each round
cdef double USE = 0.41  # of an activation, what it seems to be worth
cdef double RESEARCH = 1.68  # ... and of research
cdef double SPENT = 0.62  # ... and of a card spent in an exploit
cdef double DEAL = 2.0  # more for a deal
cdef double RATE_LEAST = 0.1  # what goods are worth with nothing to come
cdef double ENABLES = 0.44  # of the profit of a build that becomes possible
cdef float NOISE[NOISES]  # Gumbel's, so that the best of several noisy moves is drawn as by a softmax


cdef void make_noise() noexcept nogil:
    cdef int i
    for i in range(NOISES):
        NOISE[i] = <float>-log(-log((i + 0.5) / NOISES))


make_noise()


# ---- once for each game: what cards and effects are worth

cdef inline float goods_of(const i8* amounts) noexcept nogil:
    return GOODS[0] * amounts[0] + GOODS[1] * amounts[1] + GOODS[2] * amounts[2]


cdef inline float goods_of_u8(const u8* amounts) noexcept nogil:
    return GOODS[0] * amounts[0] + GOODS[1] * amounts[1] + GOODS[2] * amounts[2]


cdef Worth worth_of_ops(const Rules* rules, OpList ops) noexcept nogil:
    cdef Worth sum_, one
    cdef int i
    sum_.goods = sum_.points = 0
    for i in range(ops.count):
        one = worth_of_op(rules, &rules.op[ops.first + i])
        sum_.goods += one.goods
        sum_.points += one.points
    return sum_


cdef inline float whole(Worth worth) noexcept nogil:
    return worth.goods + POINT * worth.points


cdef Worth best_of_lists(const Rules* rules, const Op* op) noexcept nogil:
    cdef Worth best, one
    cdef int i
    best.goods = best.points = 0
    for i in range(op.lists):
        one = worth_of_ops(rules, rules.list[op.first_list + i])
        if i == 0 or whole(one) > whole(best):
            best = one
    return best


cdef Worth worth_of_op(const Rules* rules, const Op* op) noexcept nogil:
    """Of doing it once, or of having it for a round if it is something that always holds."""
    cdef Worth found
    cdef float times = 1, share
    cdef int i
    found.goods = found.points = 0
    if op.kind == GAIN:
        if op.per != OF_NOTHING:
            times = <float>2.5 / op.every
        found.goods = times * (goods_of(op.gain) + ACTION * op.cubes)
        found.points = times * (op.vp + <float>0.8 * op.loyalty)
    elif op.kind == CHOOSE:
        found = best_of_lists(rules, op)
    elif op.kind == DRAW:
        found.goods = CARD * (op.n - <float>0.6 * op.m)
    elif op.kind == DISCARD:
        found.goods = -CARD * op.n
    elif op.kind == EXCHANGE:
        share = goods_of(op.gain) - goods_of(op.right)
        found.goods = 1 + (share if share > 0 else -share)
    elif op.kind == TAKE_DISCARD:
        found.goods = <float>3 * op.m
    elif op.kind == BUILD:
        found.goods = op.filters * (<float>3 + <float>2.5 * op.n)
    elif op.kind == ACTIVATE:
        found.goods = <float>3 * (op.n if op.n else 3)
    elif op.kind == GAIN_COVERED:
        for i in range(COLOURS):
            found.goods += goods_of(op.covered[i]) / COLOURS
    elif op.kind == REORDER:
        found.goods = 1
    elif op.kind == DISCOUNT:
        found.goods = <float>3.5 * op.n * (<float>0.4 if op.flag or op.colour[0] < COLOURS else 1)
    elif op.kind == ATTACK_BONUS:
        found.goods = op.n
    elif op.kind == DEFENCE_BONUS:
        found.goods = op.n
    elif op.kind == ATTACK_COST:
        found.goods = op.n if op.flag else -2 * op.n
    elif op.kind == KEEP_CUBE:
        found.goods = 2
    elif op.kind == OPPONENTS:
        found = best_of_lists(rules, op)
        share = <float>-0.4 if op.who == EACH else <float>-0.3
        found.goods *= share
        found.points *= share
    elif op.kind == BURY:
        found.goods = 3
    elif op.kind == FILL_CELL:
        found.goods = <float>1.5
    elif op.kind == DISMISS_ADVISOR:
        found.goods = 4
    return found


cdef void add_worth(Worth* sum_, Worth more, float share) noexcept nogil:
    sum_.goods += share * more.goods
    sum_.points += share * more.points


cdef void policy_prepare(Rules* rules) noexcept nogil:
    """Fills in what the cards of a game are worth."""
    cdef Card* card
    cdef Effect* effect
    cdef int i, k
    for i in range(MAX_CARDS):
        card = &rules.card[i]
        card.income_worth = goods_of_u8(card.income)
        card.cost_worth = goods_of_u8(card.cost)
        for k in range(card.effects):
            effect = &rules.effect[card.first_effect + k]
            effect.once = worth_of_ops(rules, effect.ops)
            effect.once.goods -= goods_of_u8(effect.pay) + ACTION * effect.pay_cubes + CARD * effect.pay_cards
            effect.once.points -= effect.pay_vp
            if effect.when == AFTER_BUILDING:
                if not effect.may or whole(effect.once) > 0:
                    add_worth(&card.after, effect.once, <float>0.8)
            elif effect.when == ACTIVATION:
                # It takes an action, which would be worth something elsewhere too.
                if whole(effect.once) > ACTION:
                    add_worth(&card.works, effect.once, 1)
                    card.works.goods -= ACTION
                card.works.goods += 1
            elif effect.when == START_OF_ROUND:
                if not effect.may or whole(effect.once) > 0:
                    add_worth(&card.works, effect.once, 1)
            elif effect.when == AFTER_ATTACK:
                add_worth(&card.works, effect.once, <float>0.6)
            elif effect.when == AFTER_ATTACKED:
                add_worth(&card.works, effect.once, <float>0.3)
            elif effect.when == ALWAYS:
                add_worth(&card.works, effect.once, 1)


# ---- a decision at a glance

cdef void look_at(Look* look, const Rules* rules, const State* state) noexcept nogil:
    look_from(look, rules, state, state_to_move(state))


cdef void look_from(Look* look, const Rules* rules, const State* state, int seat) noexcept nogil:
    """As somebody who may not be asked now."""
    cdef const Side* side
    cdef float late
    look.rules = rules
    look.state = state
    look.rng = NULL
    look.noise = 0
    look.seat = seat
    side = &state.side[look.seat]
    look.left = ROUNDS - state.round
    late = 1 - look.left / ROUNDS
    look.point = POINT * <float>(POINT_EARLY + (1 - POINT_EARLY) * late)
    look.rate = <float>RATE_LEFT * look.left / ROUNDS + <float>RATE_LEAST + <float>RATE_CUBE * min(<int>side.available, 4)
    look.card = look.rate * CARD * <float>max(0.1, 1 + CROWDED * (4 - <int>side.hand))
    look.cards = 0
    look.best_now = 0
    if state.tasks == 0:
        look_at_hand(look, side)


cdef void look_at_hand(Look* look, const Side* side) noexcept nogil:
    """What could be built with other resources than those at hand."""
    cdef u64 names = hand_names(side)
    cdef int name
    while names and look.cards < MOST_LOOKED_AT:
        name = lowest(names)
        names &= names - 1
        if not look.rules.card[name].sign or side.loyalty >= LOYALTY_SIGN:
            look.name[look.cards] = <u8>name
            look.profit[look.cards] = built_worth(look, name) - look.rate * look.rules.card[name].cost_worth
            look.cards += 1
    look.best_now = best_profit(look, side.resource[0], side.resource[1], side.resource[2])


cdef float best_profit(const Look* look, int food, int fleet, int production) noexcept nogil:
    """Of the cards in hand that so much would pay for."""
    cdef const Card* card
    cdef float best = 0
    cdef int i
    for i in range(look.cards):
        card = &look.rules.card[look.name[i]]
        if card.cost[0] <= food and card.cost[1] <= fleet and card.cost[2] <= production and look.profit[i] > best:
            best = look.profit[i]
    return best


cdef inline float stock_worth(int kind, int amount) noexcept nogil:
    """Of so much of a resource: the more there is, the less one more is worth."""
    return GOODS[kind] * amount * <float>(1 + SATED * (3 - 0.5 * (amount - 1)))


cdef inline float once_worth(const Look* look, Worth worth) noexcept nogil:
    return look.rate * worth.goods + look.point * worth.points


cdef inline float works_worth(const Look* look, int card) noexcept nogil:
    """Of a card that goes on working."""
    if card == NO_CARD:
        return 0
    return look.left * <float>(WORK_GOODS * look.rules.card[card].works.goods + POINT * WORK_POINTS * look.rules.card[card].works.points)


cdef float gain_worth(const Look* look, const Side* side, const i8* amounts, int times) noexcept nogil:
    """Of what fits below the cap."""
    cdef int k, amount
    cdef float sum_ = 0
    for k in range(3):
        amount = side.resource[k] + amounts[k] * times
        sum_ += stock_worth(k, max(0, min(MOST_RESOURCE, amount))) - stock_worth(k, side.resource[k])
    return look.rate * sum_


cdef inline float built_worth(const Look* look, int name) noexcept nogil:
    """Of a structure in a system, without what it covers."""
    cdef const Card* card = &look.rules.card[name]
    return (
        look.point * card.vp + <float>INCOME * look.left * card.income_worth + works_worth(look, name)
        + once_worth(look, card.after)
    )


cdef inline float keep_worth(const Look* look, int name) noexcept nogil:
    """Of a card in hand: what could become of it, less its price."""
    cdef float profit = built_worth(look, name) - look.rate * look.rules.card[name].cost_worth
    return look.card + <float>KEEP * profit


cdef float scoring_worth(const Look* look, const Side* side, int name) noexcept nogil:
    """Points at the end by what is there now; at least about as much as is likely to come."""
    cdef i32 points[4]
    cdef i32 before
    cdef Side after
    if not look.rules.scoring >> name & 1:
        return 0
    points_of(look.rules, side, points)
    before = points[3]
    after = side[0]
    after.built.two |= after.built.one & (<u64>1 << name)
    after.built.one ^= <u64>1 << name
    after.colours[look.rules.card[name].colour] += 1
    points_of(look.rules, &after, points)
    return look.point * (points[3] - before) + look.left * <float>SCORING


cdef float judge_build(const Look* look, const Side* side, u64 what) noexcept nogil:
    cdef int name = card_of(what), place = place_of(what), paid = number_of(what)
    cdef int k
    cdef float cost = 0
    for k in range(3):
        if paid >> (4 * k) & 15:
            cost += stock_worth(k, side.resource[k]) - stock_worth(k, side.resource[k] - (paid >> (4 * k) & 15))
    return (
        built_worth(look, name) + scoring_worth(look, side, name)
        - works_worth(look, works_at(look.rules, side, place) if place < side.systems else NO_CARD)
        - look.rate * cost - look.card
    )


cdef float judge_action(const Look* look, const Side* side, u64 what) noexcept nogil:
    cdef const Rules* rules = look.rules
    cdef const Card* board = &rules.card[side.race]
    cdef const Exploit* exploit
    cdef int kind = kind_of(what), card = card_of(what), k, n
    cdef int after[3]
    cdef float found
    if kind == M_EXPLOIT:
        exploit = &board.exploit[rules.card[card].colour]
        found = gain_worth(look, side, <const i8*>exploit.gain, 1)
        found += look.card * (exploit.draw - <float>0.6 * exploit.discard)
        found += <float>ENABLES * (best_profit(
            look, side.resource[0] + exploit.gain[0], side.resource[1] + exploit.gain[1],
            side.resource[2] + exploit.gain[2],
        ) - look.best_now)
        return found - <float>SPENT * keep_worth(look, card)
    if kind == M_RESEARCH:
        return look.card * board.research * <float>RESEARCH
    if kind == M_ACTIVATE:
        return <float>USE * once_worth(look, effect_of(rules, card, rules.card[card].activation).once)
    if kind == M_ATTACK:
        k = attack_price(rules, side, &look.state.side[player_of(what)])
        found = look.point * <float>ATTACK - look.rate * GOODS[1] * k
        if look.state.side[player_of(what)].loyalty <= 3:
            found += 1
        return found
    if kind == M_TRADE:
        n = number_of(what)
        for k in range(3):
            after[k] = side.resource[k]
        k = TRADE_GETS[n]
        after[k] = min(MOST_RESOURCE, after[k] + board.trade[k])
        found = stock_worth(k, after[k]) - stock_worth(k, side.resource[k])
        k = TRADE_GIVES[n]
        after[k] -= board.trade[k]
        found += stock_worth(k, after[k]) - stock_worth(k, side.resource[k])
        return (
            look.rate * found - <float>TRADE
            + <float>ENABLES * (best_profit(look, after[0], after[1], after[2]) - look.best_now)
        )
    if kind == M_PROPAGANDA:
        found = look.point * <float>PROPAGANDA * min(3, MOST_LOYALTY - side.loyalty)
        return found + (3 * (5 - side.loyalty) if side.loyalty < 5 else 0)
    # a deal
    return (
        works_worth(look, card) - works_worth(look, side.advisor) + look.point * rules.card[card].vp - 3 * look.card
        + look.rate * <float>DEAL
    )


cdef float judge_other(const Look* look, const Side* side, u64 what, u64 detail) noexcept nogil:
    """Decisions on the stack."""
    cdef const Rules* rules = look.rules
    cdef const State* state = look.state
    cdef const Task* task = &state.task[state.tasks - 1]
    cdef const Op* op
    cdef const Side* victim
    cdef i32 points[4]
    cdef int kind = kind_of(what), card = card_of(what), k
    cdef float found
    if kind == M_DISCARD:
        if task.kind == SWAP:
            return look.card * <float>0.8 - keep_worth(look, card)
        return -keep_worth(look, card)
    if kind == M_TAKE:
        return keep_worth(look, card)
    if kind == M_OPTION:
        return once_worth(look, worth_of_ops(rules, rules.list[task.op + number_of(what)]))
    if kind == M_EXCHANGE:
        op = &rules.op[task.op]
        if number_of(what):
            return gain_worth(look, side, op.gain, 1) + gain_worth(look, side, op.right, -1)
        return gain_worth(look, side, op.right, 1) + gain_worth(look, side, op.gain, -1)
    if kind == M_USE:
        return once_worth(look, effect_of(rules, card, number_of(what)).once)
    if kind == M_ACTIVATE:
        return once_worth(look, effect_of(rules, card, rules.card[card].activation).once)
    if kind == M_REORDER:
        k = side.height[place_of(what)]
        card = <int>(detail >> (8 * (k - 1)) & 0xFF) - 1
        if card == side.system[place_of(what)][k - 1]:
            return works_worth(look, card) + (<float>0.01 if same_order(side, place_of(what), detail) else 0)
        return works_worth(look, card)
    if kind == M_DONE:
        return 0
    victim = &state.side[player_of(what)]
    if kind == M_BURY:
        k = victim.height[place_of(what)]
        if k < 2:
            return 0
        return works_worth(look, card) - works_worth(look, victim.system[place_of(what)][k - 2])
    if kind == M_FILL:
        found = 1
        if not number_of(what):
            found += once_worth(look, effect_of(rules, card, rules.card[card].activation).once)
        return -found if player_of(what) == look.seat else found
    points_of(rules, victim, points)  # the strongest
    return <float>0.1 * (points[0] + points[1] + points[2] + points[3])


cdef inline bint same_order(const Side* side, int system, u64 detail) noexcept nogil:
    cdef int k
    for k in range(side.height[system]):
        if side.system[system][k] + 1 != <int>(detail >> (8 * k) & 0xFF):
            return False
    return True


cdef float judge(const void* asked, u64 what, u64 detail) noexcept nogil:
    cdef const Look* look = <const Look*>asked
    cdef const Side* side = &look.state.side[look.seat]
    cdef float found
    if kind_of(what) == M_BUILD:
        found = judge_build(look, side, what)
    elif look.state.tasks == 0:
        found = judge_action(look, side, what)
    else:
        found = judge_other(look, side, what, detail)
    if look.rng != NULL:
        found += look.noise * NOISE[rng_next(look.rng) >> 56]
    return found


# ---- the sensible player, as orion/players/by_name.py has it

cdef double worth_of(const Rules* rules, const State* state, int seat) noexcept nogil:
    cdef const Side* side = &state.side[seat]
    cdef bint over = state.phase == GAME_OVER
    cdef double left = 0 if over else ROUNDS - state.round
    cdef double late = 1 - left / ROUNDS, value
    cdef i32 points[4]
    cdef const Task* task
    cdef int place, card, i, hand = side.hand
    points_of(rules, side, points)
    value = POINT * (0.4 + 0.6 * late) * (points[0] + points[1] + points[2] + points[3])
    value += (1.1 - late) * (2.0 * side.resource[0] + 3.0 * side.resource[1] + 6.0 * side.resource[2])
    value += 0.8 * left * (2.0 * side.income[0] + 3.0 * side.income[1] + 6.0 * side.income[2])
    for place in range(PLACES):
        card = works_at(rules, side, place)
        if card != NO_CARD:
            value += (3.0 if place == ADVISOR_PLACE else 2.1) * left * rules.card[card].effects
    for i in range(state.tasks):
        task = &state.task[i]
        if task.player == seat:
            if task.kind == DRAWING:
                hand += task.n
            elif task.kind == DROP:
                hand -= task.n
            elif task.kind == HIRE:
                value += 3.0 * left * rules.card[task.card].effects
                if side.advisor != NO_CARD:
                    value -= 3.0 * left * rules.card[side.advisor].effects
    value += (1.1 - late) * CARD * (min(hand, 6) + 0.3 * max(0, hand - 6))
    value += ACTION * side.available * (0.3 if over else 1.0)
    if side.loyalty < 3:
        value -= (3 - side.loyalty) * POINT
    return value


cdef double lead_of(const Rules* rules, const State* state, int seat) noexcept nogil:
    """Own worth, less a part of what the strongest opponent's is."""
    cdef double most = -1e18
    cdef int i
    for i in range(rules.players):
        if i != seat:
            most = max(most, worth_of(rules, state, i))
    return worth_of(rules, state, seat) - 0.3 * most


cdef struct Trial:
    const Rules* rules
    const State* state
    u64* rng
    State after
    double best
    int equals


cdef float try_out(const void* asked, u64 what, u64 detail) noexcept nogil:
    """Plays a move on a copy. Of moves that are equal any is kept: it counts as better as often as that takes."""
    cdef Trial* trial = <Trial*>asked
    cdef Move move
    cdef double lead
    move.what = what
    move.detail = detail
    memcpy(&trial.after, trial.state, sizeof(State))
    state_apply(trial.rules, &trial.after, &move)
    lead = lead_of(trial.rules, &trial.after, state_to_move(trial.state))
    if lead > trial.best + 1e-9:
        trial.best = lead
        trial.equals = 1
        return <float>1 + trial.equals
    if lead < trial.best - 1e-9:
        return 0
    trial.equals += 1
    return 2 if rng_below(trial.rng, <u32>trial.equals) == 0 else 0


cdef void choose(const Rules* rules, const State* state, u64* rng, int style, float noise, Move* out) noexcept nogil:
    """A move of somebody who plays in this style."""
    cdef Look look
    cdef Trial trial
    cdef Sink sink
    sink_open(&sink)
    if style == RANDOM:
        sink.rng = rng
    elif style == QUICK:
        look_at(&look, rules, state)
        look.rng = rng if noise > 0 else NULL
        look.noise = noise
        sink.judge = judge
        sink.asked = &look
    else:
        trial.rules = rules
        trial.state = state
        trial.rng = rng
        trial.best = -1e18
        trial.equals = 0
        sink.judge = try_out
        sink.asked = &trial
        sink.latest = True
    list_moves(rules, state, &sink)
    out[0] = sink.chosen


cdef i32 play_out(const Rules* rules, State* state, const World* world, u64* rng, int style) noexcept nogil:
    """To the end of the game; how many decisions that took."""
    return play_through(rules, state, world, rng, style, ROUNDS)


cdef i32 play_through(
    const Rules* rules, State* state, const World* world, u64* rng, int style, int last
) noexcept nogil:
    """To the first action after round `last`, or to the end of the game; how many decisions that took."""
    cdef Move move
    cdef i32 n = 0
    while state.phase != GAME_OVER and n < LONGEST:
        if draw_is_due(state):
            state_draw(rules, state, next_card(state, world))
            continue
        if state.round > last and state.phase == ACTIONS and state.tasks == 0:
            break
        choose(rules, state, rng, style, <float>LUCK, &move)
        state_apply(rules, state, &move)
        n += 1
    return n
