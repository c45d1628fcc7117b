"""What a standing at the beginning of a round's actions is worth, learned from games: no card is known by its name.

Between rounds a side of the table is easiest to judge: all cubes are back, income has come, nothing is half done. So a
state is first played on to there. Then each player's points at the end are foreseen, source by source, as a
sum of what the side has, weighed by what it came to in games (benchmarks/orion_standing.py), with other weights for
every round and every number of players. Whose points are most has the best chance to win.

Cards count by what is printed on them and by what the policy thinks they are worth: any set will do.
"""

from libc.math cimport exp
from libc.string cimport memset

from ..common.bits cimport popcount
from ..common.ints cimport i32
from .cards cimport ATTACK_BONUS, DEFENCE_BONUS, NO_CARD
from .counting cimport always_sum, attack_price, points_of
from .policy cimport Look, look_from
from .state cimport FLEET, FOOD, HAND, LOYALTY_SIGN, MOST_RESOURCE, PLACES, PRODUCTION, Side, bag_size, is_full, works_at


cdef void features_of(const Rules* rules, const State* state, int seat, double* out) noexcept nogil:
    """What counts of one side, with what its rivals have that matters to it."""
    cdef const Side* side = &state.side[seat]
    cdef const Side* other
    cdef Look look
    cdef i32 points[SOURCES]
    cdef double best = 0, second = 0, rest = 0, profit, fleets = 0, mine, theirs
    cdef double goods = 0, works = 0
    cdef int place, card, i, full = 0, cheapest = 9, weaker = 0, stronger = 0, n = 0
    memset(out, 0, FEATURES * sizeof(double))
    points_of(rules, side, points)
    # 1. Tracks.
    out[0] = 1
    out[1] = side.resource[FOOD]
    out[2] = side.resource[FLEET]
    out[3] = side.resource[PRODUCTION]
    out[4] = side.income[FOOD]
    out[5] = side.income[FLEET]
    out[6] = side.income[PRODUCTION]
    out[7] = side.loyalty
    out[8] = max(0, 3 - side.loyalty)
    out[9] = side.loyalty >= LOYALTY_SIGN
    out[10] = side.vp
    out[11] = points[2]
    out[12] = points[3]
    out[13] = side.available
    out[14] = state.first == seat
    # 2. The hand.
    look_from(&look, rules, state, seat)
    for i in range(look.cards):
        profit = look.profit[i]
        if profit > best:
            rest += second
            second = best
            best = profit
        elif profit > second:
            rest += second
            second = profit
        elif profit > 0:
            rest += profit
    out[15] = side.hand
    out[16] = max(0, side.hand - <int>HAND)
    out[17] = best
    out[18] = second
    out[19] = rest
    out[20] = look.best_now
    # 3. What is built, and what works.
    for place in range(PLACES):
        card = works_at(rules, side, place)
        if card != NO_CARD:
            goods += rules.card[card].works.goods
            works += rules.card[card].works.points
            n += rules.card[card].has_a
    for i in range(side.systems):
        full += is_full(side, i)
    out[21] = goods
    out[22] = works
    out[23] = n
    out[24] = bag_size(&side.built)
    out[25] = side.systems
    out[26] = full
    out[27] = popcount((side.built.one | side.built.two) & rules.scoring)
    out[28] = side.advisor != NO_CARD
    # 4. Rivals: who can attack whom, and at what price.
    mine = side.resource[FLEET] + always_sum(rules, side, ATTACK_BONUS, False)
    for i in range(rules.players):
        if i == seat:
            continue
        other = &state.side[i]
        theirs = other.resource[FLEET] + always_sum(rules, other, DEFENCE_BONUS, False)
        weaker += mine >= theirs
        cheapest = min(cheapest, attack_price(rules, side, other))
        theirs = other.resource[FLEET] + always_sum(rules, other, ATTACK_BONUS, False)
        stronger += theirs >= side.resource[FLEET] + always_sum(rules, side, DEFENCE_BONUS, False)
        fleets += theirs
        out[29] += attack_price(rules, other, side)
        out[30] += other.income[FLEET]
        out[31] += other.loyalty <= 4
        out[32] += other.vp
    out[33] = fleets
    out[34] = weaker
    out[35] = stronger
    out[36] = cheapest
    # 5. What the cap and mobilization make of resources.
    out[37] = max(0, side.resource[FOOD] + side.income[FOOD] - <int>MOST_RESOURCE)
    out[38] = max(0, side.resource[FLEET] + side.income[FLEET] - <int>MOST_RESOURCE)
    out[39] = max(0, side.resource[PRODUCTION] + side.income[PRODUCTION] - <int>MOST_RESOURCE)


cdef void standing_evaluate(
    const Rules* rules, const Standing* standing, const State* state, Estimate* out
) noexcept nogil:
    cdef double features[FEATURES]
    cdef const double* weight
    cdef int now = max(2, <int>state.round)  # a first round without end is judged as the next
    cdef double points, most = -1e9, all_ = 0, spread = standing.spread[now]
    cdef int seat, source, k
    for seat in range(rules.players):
        features_of(rules, state, seat, features)
        out.points[seat] = 0
        for source in range(SOURCES):
            weight = standing.weight[now][source]
            points = 0
            for k in range(FEATURES):
                points += weight[k] * features[k]
            out.detail[SOURCES * seat + source] = points
            out.points[seat] += points
        most = max(most, out.points[seat])
        out.level[seat] = out.level_share[seat] = 0
    for seat in range(rules.players):
        out.share[seat] = exp(max(-40.0, (out.points[seat] - most) / spread))
        all_ += out.share[seat]
    for seat in range(rules.players):
        out.share[seat] /= all_


cdef class StandingWeights:
    """For one number of players. `rounds`: for each round from the second on the weights of each source; `spreads`: of
    each of them too."""

    def __cinit__(self, rounds, spreads):
        cdef int i, source, k
        if len(rounds) != ROUNDS - 1 or len(spreads) != ROUNDS - 1:
            raise ValueError(f"expected {ROUNDS - 1} rounds, found {len(rounds)} and {len(spreads)}")
        for i in range(ROUNDS - 1):
            if len(rounds[i]) != SOURCES or any([len(weights) != FEATURES for weights in rounds[i]]):
                raise ValueError(f"expected {SOURCES} times {FEATURES} weights")
            if not spreads[i] > 0:
                raise ValueError(f"expected a spread above 0, found {spreads[i]}")
            self.raw.spread[i + 2] = spreads[i]
            for source in range(SOURCES):
                for k in range(FEATURES):
                    self.raw.weight[i + 2][source][k] = rounds[i][source][k]
