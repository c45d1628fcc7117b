/* A small network in whole numbers: two hidden layers, each a sum of products that is shifted down and cut off at 0 and at
   ORBIS_MOST. Every sum fits in 32 bits, which whoever makes a network has to see to, so the order of the terms and the
   width of the CPU's registers make no difference: the same bits everywhere. */
#ifndef ORBIS_NETWORK
#define ORBIS_NETWORK
#include <stdint.h>
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#define ORBIS_FIRST 64   /* numbers of the first hidden layer ... */
#define ORBIS_SECOND 32  /* ... and of the second */
#define ORBIS_MOST 1023  /* what one of them can be at most */

/* Weights stand by pairs of inputs: those of inputs 0 and 1 for every output, then those of 2 and 3. */
typedef struct {
    int inputs;   /* even */
    int outputs;  /* a multiple of 8 */
    int shift[3];
    const int16_t *weights[3];
    const int32_t *biases[3];
} OrbisNetwork;

/* sums = biases + weights * inputs. `n` outputs, a multiple of 8; a constant wherever it can be, for then the sums stay
   in registers. */
#ifdef __AVX2__
#define ORBIS_SUMS 8  /* registers: 64 outputs at a time */

static inline __attribute__((always_inline)) void orbis_sums(
        const int16_t *weights, const int32_t *biases, const int16_t *inputs, int pairs, int n, int first,
        const int registers, int32_t *sums) {
    __m256i sum[ORBIS_SUMS];
    int i, k;
    for (k = 0; k < registers; k++) sum[k] = _mm256_loadu_si256((const __m256i *)(biases + first + 8 * k));
    for (i = 0; i < pairs; i++) {
        const __m256i *row = (const __m256i *)(weights + 2 * ((size_t)i * n + first));
        int32_t pair;
        __m256i both;
        memcpy(&pair, inputs + 2 * i, 4);
        both = _mm256_set1_epi32(pair);
        for (k = 0; k < registers; k++)
            sum[k] = _mm256_add_epi32(sum[k], _mm256_madd_epi16(both, _mm256_loadu_si256(row + k)));
    }
    for (k = 0; k < registers; k++) _mm256_storeu_si256((__m256i *)(sums + first + 8 * k), sum[k]);
}

static inline __attribute__((always_inline)) void orbis_layer(
        const int16_t *weights, const int32_t *biases, const int16_t *inputs, int pairs, int n, int32_t *sums) {
    int first = 0;
    for (; first + 64 <= n; first += 64) orbis_sums(weights, biases, inputs, pairs, n, first, 8, sums);
    for (; first + 32 <= n; first += 32) orbis_sums(weights, biases, inputs, pairs, n, first, 4, sums);
    for (; first < n; first += 8) orbis_sums(weights, biases, inputs, pairs, n, first, 1, sums);
}
#else
static inline void orbis_layer(
        const int16_t *weights, const int32_t *biases, const int16_t *inputs, int pairs, int n, int32_t *sums) {
    int i, k;
    memcpy(sums, biases, sizeof(int32_t) * (size_t)n);
    for (i = 0; i < pairs; i++) {
        const int16_t *w = weights + 2 * (size_t)i * n;
        const int32_t x = inputs[2 * i], y = inputs[2 * i + 1];
        for (k = 0; k < n; k++) sums[k] += x * w[2 * k] + y * w[2 * k + 1];
    }
}
#endif

static inline void orbis_cut_off(const int32_t *sums, int n, int shift, int16_t *out) {
    int k;
    for (k = 0; k < n; k++) {
        const int32_t value = sums[k] >> shift;
        out[k] = (int16_t)(value < 0 ? 0 : value > ORBIS_MOST ? ORBIS_MOST : value);
    }
}

static inline void orbis_network_run(const OrbisNetwork *network, const int16_t *inputs, int32_t *outputs) {
    int32_t sums[ORBIS_FIRST];
    int16_t first[ORBIS_FIRST], second[ORBIS_SECOND];
    int k;
    orbis_layer(network->weights[0], network->biases[0], inputs, network->inputs / 2, ORBIS_FIRST, sums);
    orbis_cut_off(sums, ORBIS_FIRST, network->shift[0], first);
    orbis_layer(network->weights[1], network->biases[1], first, ORBIS_FIRST / 2, ORBIS_SECOND, sums);
    orbis_cut_off(sums, ORBIS_SECOND, network->shift[1], second);
    orbis_layer(network->weights[2], network->biases[2], second, ORBIS_SECOND / 2, network->outputs, outputs);
    for (k = 0; k < network->outputs; k++) outputs[k] >>= network->shift[2];
}
#endif
