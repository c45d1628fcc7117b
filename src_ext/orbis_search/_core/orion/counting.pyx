"""What can be read off the table: what effects count, prices, strengths, scores."""

from ..common.bits cimport lowest
from ..common.ints cimport i32, u8, u64
from .cards cimport (
    ALWAYS, ATTACK_BONUS, ATTACK_COST, COLOURS, DEFENCE_BONUS, DISCOUNT, END_OF_GAME, KEEP_CUBE, NO_CARD, NO_COLOUR,
    OF_ATTACKS, OF_FULL_SYSTEMS, OF_HAND, OF_LOYALTY, OF_NOTHING, OF_PAIRS, OF_RESOURCE, OF_SETS, OF_SYSTEMS, OF_WORKING,
    OF_WORKING_COLOUR, SCORE, Card, Effect, Op, Rules,
)
from .state cimport (
    ADVISOR_PLACE, FLEET, LOYALTY_SIGN, NO_PLACE, PLACES, RACE_PLACE, ROUNDS, Side, State, bag_number, is_full, works_at,
)

cdef enum:
    ATTACK_PRICE = 2


cdef inline int colours_of(const Rules* rules, const Side* side, int colour) noexcept nogil:
    """Of all own cards; an advisor has one only if the data says so (R19)."""
    return side.colours[colour] + (side.advisor != NO_CARD and rules.card[side.advisor].colour == colour)


cdef int count_of(const Rules* rules, const Side* side, int what) noexcept nogil:
    """How many there are of what an effect counts."""
    cdef int i, card, n = 0
    if what < OF_WORKING_COLOUR:
        return colours_of(rules, side, what)
    if what <= OF_WORKING:
        for i in range(RACE_PLACE):
            card = works_at(rules, side, i)
            n += card != NO_CARD and (what == OF_WORKING or rules.card[card].colour == what - OF_WORKING_COLOUR)
        return n
    if what == OF_SYSTEMS:
        return side.systems
    if what == OF_FULL_SYSTEMS:
        for i in range(side.systems):
            n += is_full(side, i)
        return n
    if what == OF_HAND:
        return side.hand
    if what == OF_ATTACKS:
        for i in range(rules.players):
            n += side.attacks[i]
        return n
    if what == OF_LOYALTY:
        return max(0, side.loyalty)
    if what < OF_PAIRS:
        return side.resource[what - OF_RESOURCE]
    if what == OF_PAIRS:
        for i in range(COLOURS):
            n += colours_of(rules, side, i) // 2
        return n
    n = colours_of(rules, side, 0)
    for i in range(1, COLOURS):
        n = min(n, colours_of(rules, side, i))
    return n


cdef bint holds(const Rules* rules, const Side* side, const Effect* effect) noexcept nogil:
    """Whether an effect's condition and loyalty sign are met."""
    if effect.sign and side.loyalty < LOYALTY_SIGN:
        return False
    return effect.count == OF_NOTHING or count_of(rules, side, effect.count) >= effect.least


cdef bint can_pay(const Side* side, const Effect* effect) noexcept nogil:
    return (
        side.resource[0] >= effect.pay[0] and side.resource[1] >= effect.pay[1] and side.resource[2] >= effect.pay[2]
        and side.vp >= effect.pay_vp and side.available >= effect.pay_cubes and side.hand >= effect.pay_cards
    )


# ---- what holds as long as cards work

cdef int always_sum(const Rules* rules, const Side* side, int kind, bint on_me) noexcept nogil:
    """Of all bonuses or prices of a kind."""
    cdef int place, card, i, k, n = 0
    cdef const Card* printed
    cdef const Effect* effect
    cdef const Op* op
    for place in range(PLACES):
        card = works_at(rules, side, place)
        if card == NO_CARD or not rules.card[card].whens >> ALWAYS & 1:
            continue
        printed = &rules.card[card]
        for i in range(printed.effects):
            effect = &rules.effect[printed.first_effect + i]
            if effect.when == ALWAYS and holds(rules, side, effect):
                for k in range(effect.ops.count):
                    op = &rules.op[effect.ops.first + k]
                    if op.kind == kind and op.flag == on_me:
                        n += op.n
    return n


cdef int discount_of(const Rules* rules, const Side* side, int card, int system) noexcept nogil:
    """All discounts add up (section 4.1); that of a card about to be covered still counts (R8)."""
    cdef int place, works, i, k, here, n = 0
    cdef const Card* printed
    cdef const Effect* effect
    cdef const Op* op
    for place in range(PLACES):
        works = works_at(rules, side, place)
        if works == NO_CARD or not rules.card[works].whens >> ALWAYS & 1:
            continue
        printed = &rules.card[works]
        for i in range(printed.effects):
            effect = &rules.effect[printed.first_effect + i]
            if effect.when != ALWAYS or not holds(rules, side, effect):
                continue
            for k in range(effect.ops.count):
                op = &rules.op[effect.ops.first + k]
                if op.kind != DISCOUNT or (op.colour[0] != NO_COLOUR and op.colour[0] != rules.card[card].colour):
                    continue
                here = side.founded if place == ADVISOR_PLACE else place
                if not op.flag or (place != RACE_PLACE and here == system):
                    n += op.n
    return n


cdef bint has_discounts(const Rules* rules, const Side* side) noexcept nogil:
    """Whether any working card could give one."""
    cdef int place, card
    for place in range(PLACES):
        card = works_at(rules, side, place)
        if card != NO_CARD and rules.card[card].discounts:
            return True
    return False


cdef u8 keeping_places(const Rules* rules, const Side* side) noexcept nogil:
    """Where a cube in the R cell stays at the end of the round; a board has no cells."""
    cdef int place, card, i, k
    cdef u8 found = 0
    cdef const Card* printed
    cdef const Effect* effect
    for place in range(RACE_PLACE):
        card = works_at(rules, side, place)
        if card == NO_CARD or not rules.card[card].whens >> ALWAYS & 1:
            continue
        printed = &rules.card[card]
        for i in range(printed.effects):
            effect = &rules.effect[printed.first_effect + i]
            if effect.when == ALWAYS and holds(rules, side, effect):
                for k in range(effect.ops.count):
                    if rules.op[effect.ops.first + k].kind == KEEP_CUBE:
                        found |= <u8>(1 << place)
    return found


# ---- attacks

cdef int attack_price(const Rules* rules, const Side* side, const Side* target) noexcept nogil:
    """In fleet: 2, changed by cards on either side."""
    return max(
        0, ATTACK_PRICE + always_sum(rules, side, ATTACK_COST, False) + always_sum(rules, target, ATTACK_COST, True)
    )


cdef bint can_attack(const Rules* rules, const State* state, int seat, int other) noexcept nogil:
    """The limit is not reached, the fleet with bonuses is at least as strong, and the real fleet can pay."""
    cdef const Side* side = &state.side[seat]
    cdef const Side* target = &state.side[other]
    return (
        side.attacks[other] < rules.most_attacks
        and side.resource[FLEET] + always_sum(rules, side, ATTACK_BONUS, False)
        >= target.resource[FLEET] + always_sum(rules, target, DEFENCE_BONUS, False)
        and side.resource[FLEET] >= attack_price(rules, side, target)
    )


# ---- rounds and the end

cdef int level_of(const Side* side) noexcept nogil:
    """Of mobilization: the largest resource decides."""
    cdef int most = max(side.resource[0], max(side.resource[1], side.resource[2]))
    return 2 if most >= 7 else 1 if most >= 4 else 0


cdef i32 scored_by(const Rules* rules, const Side* side, int card) noexcept nogil:
    """What the effects of a card at the end of the game bring."""
    cdef const Card* printed = &rules.card[card]
    cdef const Effect* effect
    cdef const Op* op
    cdef int i, k
    cdef i32 n = 0
    if not printed.whens >> END_OF_GAME & 1:
        return 0
    for i in range(printed.effects):
        effect = &rules.effect[printed.first_effect + i]
        if effect.when == END_OF_GAME and holds(rules, side, effect):
            for k in range(effect.ops.count):
                op = &rules.op[effect.ops.first + k]
                if op.kind == SCORE:
                    n += op.n * (count_of(rules, side, op.per) // op.every)
    return n


cdef void points_of(const Rules* rules, const Side* side, i32* out) noexcept nogil:
    """Track, loyalty, structures, effects (section 5)."""
    cdef u64 names = (side.built.one | side.built.two) & rules.scoring
    cdef int name
    out[0] = side.vp
    out[1] = side.loyalty
    out[2] = side.printed
    out[3] = scored_by(rules, side, side.race)
    while names:
        name = lowest(names)
        names &= names - 1
        out[3] += bag_number(&side.built, name) * scored_by(rules, side, name)
    if side.advisor != NO_CARD:
        out[2] += rules.card[side.advisor].vp
        out[3] += scored_by(rules, side, side.advisor)


cdef int end_reasons(const Rules* rules, const State* state) noexcept nogil:
    """Which end conditions hold at the end of a round, a bit each: rounds, loyalty, systems."""
    cdef int seat, i, found = 0
    cdef const Side* side
    if state.round >= ROUNDS:
        found = 1
    for seat in range(rules.players):
        side = &state.side[seat]
        if side.loyalty <= 0:
            found |= 2
        if side.systems >= rules.least_systems:
            for i in range(side.systems):
                if not is_full(side, i):
                    break
            else:
                found |= 4
    return found
