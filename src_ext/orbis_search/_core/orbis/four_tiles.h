/* Four tiles judged at once. See sampled.pxd. */
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

/* `best_plain` of sampled.pxd, line by line, on four lanes of 64 bits. A lane's upper half may hold anything. `cells`
   has a byte a tile, `rough` 32 bytes a tile number: the cost, then what is taken apart here. */
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
