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


cdef extern from *:
    """
    #ifndef ORBIS_FOUR_TILES
    #define ORBIS_FOUR_TILES
    #include <stdint.h>
    #ifdef __SSE2__
    #include <immintrin.h>
    #endif

    /* Which of eight masks have one of the pairs, each of which is named by its left tile. */
    static inline uint32_t orbis_colours_over(const uint16_t *masks, uint32_t pairs) {
    #ifdef __SSE2__
        __m128i mask = _mm_loadu_si128((const __m128i *)masks);
        mask = _mm_and_si128(_mm_or_si128(mask, _mm_srli_epi16(mask, 1)), _mm_set1_epi16((short)pairs));
        mask = _mm_cmpeq_epi16(mask, _mm_setzero_si128());
        return 0xFF ^ (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(mask, _mm_setzero_si128()));
    #else
        uint32_t colours = 0;
        int i;
        for (i = 0; i < 8; i++) colours |= (uint32_t)(((masks[i] | masks[i] >> 1) & pairs) != 0) << i;
        return colours;
    #endif
    }
    #ifdef __AVX2__
    #define ORBIS_WIDE 1

    /* `best_plain` below, line by line, on four lanes of 64 bits. A lane's upper half may hold anything. `cells` has a
       byte a tile, `rough` 32 bytes a tile number: the cost, then what is taken apart here. */
    static inline int64_t orbis_best_wide(
            const uint64_t *field, const uint8_t *centre, const void *rough, uint32_t cells, uint64_t realm,
            uint64_t affordable, uint32_t fitting, int later, int wild, int worshiper, int limit) {
        const unsigned a = cells & 255, b = cells >> 8 & 255, c = cells >> 16 & 255, d = cells >> 24;
    #define ORBIS_ROUGH(cell) _mm_loadu_si128((const __m128i *)((const char *)rough + 32 * centre[cell]))
        const __m128i ra = ORBIS_ROUGH(a), rb = ORBIS_ROUGH(b), rc = ORBIS_ROUGH(c), rd = ORBIS_ROUGH(d);
    #undef ORBIS_ROUGH
        const __m256i zero = _mm256_setzero_si256(), byte = _mm256_set1_epi64x(255), most = _mm256_set1_epi32(limit);
        const __m256i facts = _mm256_set_m128i(_mm_unpackhi_epi64(rc, rd), _mm_unpackhi_epi64(ra, rb));
        const __m256i cost = _mm256_and_si256(
            _mm256_set_m128i(_mm_unpacklo_epi64(rc, rd), _mm_unpacklo_epi64(ra, rb)), _mm256_set1_epi64x(affordable));
        const __m256i held = _mm256_add_epi64(
            _mm256_set_epi64x(field[d], field[c], field[b], field[a]), _mm256_set1_epi64x(realm));
    #define ORBIS_FACT(shift) _mm256_and_si256(_mm256_srli_epi64(facts, shift), byte)
        const __m256i anywhere = _mm256_srai_epi32(_mm256_slli_epi32(facts, 16), 16);
        const __m256i each_turn = ORBIS_FACT(16), gives = ORBIS_FACT(24), gains = ORBIS_FACT(32);
        const __m256i any_cost = ORBIS_FACT(40), colour = ORBIS_FACT(48);
    #undef ORBIS_FACT

        /* Can it be paid and placed? Bytes are divided by the rate of exchange as in `exchanges`. */
        const __m256i lacks = _mm256_subs_epu8(cost, held);
        const __m256i left = _mm256_add_epi8(_mm256_sub_epi8(held, cost), lacks);
        const __m256i swaps = _mm256_sad_epu8(lacks, zero), third = _mm256_set1_epi16(171);
        const __m256i even = _mm256_srli_epi16(
            _mm256_mullo_epi16(_mm256_and_si256(left, _mm256_set1_epi16(255)), third), 9);
        const __m256i odd = _mm256_srli_epi16(_mm256_mullo_epi16(_mm256_srli_epi16(left, 8), third), 9);
        const __m256i can_swap = _mm256_sad_epu8(_mm256_add_epi16(even, odd), zero);
        __m256i have = _mm256_sub_epi32(_mm256_sad_epu8(left, zero), any_cost);
        have = _mm256_sub_epi32(have, _mm256_add_epi32(swaps, _mm256_add_epi32(swaps, swaps)));
        const __m256i no_place = _mm256_cmpeq_epi32(_mm256_and_si256(colour, _mm256_set1_epi32(fitting)), zero);
        const __m256i is_wild = _mm256_or_si256(
            no_place, _mm256_or_si256(_mm256_cmpgt_epi32(zero, have), _mm256_cmpgt_epi32(swaps, can_swap)));

        /* What is it worth, face up and as a wilderness? */
        const __m256i after = _mm256_add_epi32(have, gains), invalid = _mm256_cmpgt_epi32(gives, after);
        const __m256i for_worshiper = _mm256_set1_epi32(worshiper);
        const __m256i worth = _mm256_andnot_si256(
            invalid, _mm256_add_epi32(anywhere, _mm256_mul_epu32(each_turn, _mm256_set1_epi32(later))));
        const __m256i kept = _mm256_min_epi32(_mm256_sub_epi32(after, _mm256_andnot_si256(invalid, gives)), most);
        const __m256i face_up = _mm256_add_epi32(worth, _mm256_mul_epi32(kept, for_worshiper));
        const __m256i all = _mm256_min_epi32(_mm256_sad_epu8(held, zero), most);
        const __m256i as_wild = _mm256_add_epi32(_mm256_mul_epi32(all, for_worshiper), _mm256_set1_epi32(wild));

        /* The best of the four choices. */
        const __m256i choices = _mm256_or_si256(
            _mm256_slli_epi64(_mm256_blendv_epi8(face_up, as_wild, is_wild), 32),
            _mm256_or_si256(_mm256_set_epi64x(0, 2, 4, 6), _mm256_and_si256(is_wild, _mm256_set1_epi64x(1))));
        const int64_t w = _mm256_extract_epi64(choices, 0), x = _mm256_extract_epi64(choices, 1);
        const int64_t y = _mm256_extract_epi64(choices, 2), z = _mm256_extract_epi64(choices, 3);
        const int64_t first = w > x ? w : x, second = y > z ? y : z;
        return first > second ? first : second;
    }
    #else
    #define ORBIS_WIDE 0
    static inline int64_t orbis_best_wide(
            const uint64_t *field, const uint8_t *centre, const void *rough, uint32_t cells, uint64_t realm,
            uint64_t affordable, uint32_t fitting, int later, int wild, int worshiper, int limit) {
        return 0;
    }
    #endif
    #endif
    """
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
