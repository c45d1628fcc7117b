"""The best of a few random tiles: sharper than a random turn, cheaper than a sensible one.

Which of the tiles is best and whether it can be paid are toss-ups, so they are settled by arithmetic and not by
branches. Tiles are looked at four at a time; where the CPU has AVX2 in one go, a tile a lane. A choice is one number:

    worth | 3 - which of the four | wild         so the larger is the better, and of equals the first
      32            2                1  bits
"""

from ..common.bits cimport nth, popcount
from ..common.ints cimport i64, u8, u16, u32, u64
from ..common.rng cimport rng_next
from .placement cimport ROW_ENDS, coloured, supported, under
from .policy cimport (
    JOKER_WORTH, PERCENT, WORSHIPER_WORTH, after_farms, best_god, can_pay, face_up_turn, god_is_due, god_turn,
    pay_colours, wild_turn,
)
from .realm cimport LIMIT, total
from .state cimport CELLS, IDLENESS, IRRIGATION, TURNS, Player, Rough, Rules, State, Tile
from .turn cimport Turn, wanted_colour

cdef enum:
    LANES = 4


# What a turn's tiles are judged by.
cdef struct Judge:
    u64 realm
    u64 affordable  # the colours that have to be paid
    u32 fitting  # the colours that have a place, a bit set
    int later  # turns of the player to come
    int wild  # what a wilderness is worth, worshipers apart


cdef extern from "orbis/four_tiles.h":
    u32 colours_over "orbis_colours_over"(const u16* masks, u32 pairs) noexcept nogil
    bint WIDE "ORBIS_WIDE"
    i64 best_wide "orbis_best_wide"(
        const u64* field, const u8* centre, const void* rough, u32 cells, u64 realm, u64 affordable, u32 fitting,
        int later, int wild, int worshiper, int limit) noexcept nogil


cdef inline i64 best_plain(
    const Rules* rules, const State* state, const u64* field, const Judge* judge, u32 cells
) noexcept nogil:
    """The best choice of the four tiles in `cells`."""
    cdef int lane, cell, have, worth
    cdef u64 realm
    cdef bint wild, valid
    cdef i64 choice, best = -((<i64>1) << 62)
    cdef const Rough* rough
    for lane in range(LANES):
        cell = cells >> 8 * lane & 255
        rough = &rules.rough[state.centre[cell]]
        realm = judge.realm + field[cell]
        have = can_pay(realm, rough.cost & judge.affordable, rough.any_cost)
        wild = (have < 0) | (judge.fitting & rough.colour == 0)
        have += rough.gains
        valid = have >= rough.gives
        worth = (rough.anywhere + rough.each_turn * judge.later) & -valid
        worth += WORSHIPER_WORTH * min(have - (rough.gives & -valid), LIMIT)
        worth ^= (worth ^ (judge.wild + WORSHIPER_WORTH * min(total(realm), LIMIT))) & -wild
        choice = <i64>worth * ((<i64>1) << 32) + ((LANES - 1 - lane) << 1 | wild)
        best = choice if choice > best else best
    return best


cdef inline u32 fitting_colours(const Player* player, u32 places) noexcept nogil:
    """The colours of which a tile may lie in one of the places."""
    cdef u32 anywhere = -<u32>((places & ROW_ENDS) != 0)
    return (colours_over(player.mask, under(places)) | anywhere) & 0x1F


cdef inline void sampled_turn(
    const Rules* rules, const State* state, const u64* field, int samples, bint wide, u64* rng, Turn* out
) noexcept nogil:
    """The best of so many random tiles, by a rough worth that does not ask for the place, in a random place.
    `wide`: by AVX2, where there is such a thing; it makes no difference but for the time."""
    cdef const Player* player = &state.player[state.who]
    cdef int cell, have, k = 0
    cdef u32 places, fitting, good, cells, best_cells = 0
    cdef u64 realm, draw = 0
    cdef i64 choice, best = -((<i64>1) << 62)
    cdef const Tile* tile
    cdef Judge judge
    if god_is_due(rules, state, rng):
        god_turn(state, best_god(rules, state), rng, rng, out)
        return
    places = supported(player)
    judge.realm = player.realm
    judge.affordable = after_farms[player.farms]
    judge.fitting = fitting_colours(player, places)
    judge.later = TURNS - 1 - state.round
    judge.wild = JOKER_WORTH - (0 if player.god == IDLENESS else PERCENT)
    while k < samples:
        # Two tiles of each random number. Where there are fewer than four, the first stands in for the others.
        draw = rng_next(rng)
        cells = some_cell(draw) * <u32>0x01010101
        if k + 1 < samples:
            cells += (some_cell(draw >> 32) - (cells & 255)) << 8
        if k + 2 < samples:
            draw = rng_next(rng)
            cells += (some_cell(draw) - (cells & 255)) << 16
        if k + 3 < samples:
            cells += (some_cell(draw >> 32) - (cells & 255)) << 24
        if wide:
            choice = best_wide(
                field, state.centre, rules.rough, cells, judge.realm, judge.affordable, judge.fitting, judge.later,
                judge.wild, WORSHIPER_WORTH, LIMIT,
            )
        else:
            choice = best_plain(rules, state, field, &judge, cells)
        if choice >> 32 > best >> 32:
            best, best_cells = choice, cells
        k += LANES
    draw = draw >> 32 if samples & 1 else <u32>rng_next(rng)
    cell = best_cells >> 8 * (LANES - 1 - (best >> 1 & 3)) & 255
    realm = player.realm + field[cell]
    if best & 1:
        wild_turn(cell, nth(places, <int>((draw * popcount(places)) >> 32)), realm, rng, out)
        return
    tile = &rules.tile[state.centre[cell]]
    fitting = coloured(player, places, tile.colour)
    # An irrigation where it holds, if there is such a place.
    good = coloured(player, fitting, wanted_colour(tile)) & ~<u32>ROW_ENDS & -<u32>(tile.effect == IRRIGATION)
    fitting = good if good else fitting
    have = pay_colours(&realm, tile.cost & judge.affordable, rng)
    face_up_turn(
        rules, state, field, cell, nth(fitting, <int>((draw * popcount(fitting)) >> 32)), realm, have, rng, rng, out
    )


cdef inline u32 some_cell(u64 draw) noexcept nogil:
    return <u32>((<u64><u32>draw * CELLS) >> 32)
