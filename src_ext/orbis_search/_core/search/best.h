/* Choices compared as whole numbers: the bits of a score that is not negative stand in the order of the scores;
   below them the entry and the child, so written that of equals the first is the larger. No branch depends on
   what is compared, and the moves of a block are compared four at a time. */
#ifndef ORBIS_BEST
#define ORBIS_BEST
#include <stdint.h>
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif
typedef struct {
    int64_t one;
#ifdef __AVX2__
    __m256i four;
#endif
} orbis_best;

static inline void orbis_best_clear(orbis_best *best) {
    best->one = 0;
#ifdef __AVX2__
    best->four = _mm256_setzero_si256();
#endif
}

static inline int64_t orbis_best_key(float score, uint32_t choice) {
    uint32_t bits;
    memcpy(&bits, &score, 4);
    return (int64_t)((uint64_t)bits << 32 | choice);
}

static inline void orbis_best_add(orbis_best *best, float score, uint32_t choice) {
    const int64_t key = orbis_best_key(score > 0 ? score : 0, choice);
    best->one = key > best->one ? key : best->one;
}

/* The first n moves of a block. Behind them, up to whole fours, stand untried ones or none, whose mean is negative
   and whose keys are so too. */
static inline void orbis_best_add_scores(
        orbis_best *best, uint32_t n, const uint64_t *scores, const float *weights, float per_weight, float floor,
        uint32_t first) {
    uint32_t i;
#ifdef __AVX2__
    const __m256 each = _mm256_set1_ps(per_weight), least = _mm256_set1_ps(floor);
    __m256i choice = _mm256_sub_epi64(_mm256_set1_epi64x(first), _mm256_set_epi64x(3, 2, 1, 0));
    for (i = 0; i < n; i += 4) {
        const __m256i both = _mm256_set_epi64x(
            (int64_t)__atomic_load_n(scores + i + 3, __ATOMIC_RELAXED),
            (int64_t)__atomic_load_n(scores + i + 2, __ATOMIC_RELAXED),
            (int64_t)__atomic_load_n(scores + i + 1, __ATOMIC_RELAXED),
            (int64_t)__atomic_load_n(scores + i, __ATOMIC_RELAXED));
        const __m256 mean = _mm256_castsi256_ps(both);
        const __m256 part = _mm256_castsi256_ps(_mm256_srli_epi64(both, 32));
        const __m256 weight = _mm256_castsi256_ps(
            _mm256_cvtepu32_epi64(_mm_castps_si128(_mm_loadu_ps(weights + i))));
        const __m256 score = _mm256_add_ps(
            mean, _mm256_mul_ps(part, _mm256_add_ps(_mm256_mul_ps(each, weight), least)));
        const __m256i key = _mm256_or_si256(_mm256_slli_epi64(_mm256_castps_si256(score), 32), choice);
        best->four = _mm256_blendv_epi8(best->four, key, _mm256_cmpgt_epi64(key, best->four));
        choice = _mm256_sub_epi64(choice, _mm256_set1_epi64x(4));
    }
#else
    for (i = 0; i < n; i++) {
        const uint64_t both = __atomic_load_n(scores + i, __ATOMIC_RELAXED);
        const uint32_t low = (uint32_t)both, high = (uint32_t)(both >> 32);
        float mean, part;
        int64_t key;
        memcpy(&mean, &low, 4);
        memcpy(&part, &high, 4);
        key = orbis_best_key(mean + part * (per_weight * weights[i] + floor), first - i);
        best->one = key > best->one ? key : best->one;
    }
#endif
}

static inline uint64_t orbis_best_of_all(const orbis_best *best) {
    int64_t key = best->one;
#ifdef __AVX2__
    int64_t four[4];
    int i;
    _mm256_storeu_si256((__m256i *)four, best->four);
    for (i = 0; i < 4; i++) key = four[i] > key ? four[i] : key;
#endif
    return (uint64_t)key;
}

static inline uint64_t orbis_score(float mean, float part) {
    uint32_t low, high;
    memcpy(&low, &mean, 4);
    memcpy(&high, &part, 4);
    return (uint64_t)high << 32 | low;
}
#define ORBIS_UNTRIED orbis_score(-1, 0)

static inline void orbis_score_set(uint64_t *at, uint64_t score) {
    __atomic_store_n(at, score, __ATOMIC_RELAXED);
}

static inline void orbis_score_begin(uint64_t *at, uint64_t score) {
    uint64_t untried = ORBIS_UNTRIED;
    __atomic_compare_exchange_n(at, &untried, score, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
#endif
