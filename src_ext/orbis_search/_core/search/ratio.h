/* Exact fractions. */
#ifndef ORBIS_RATIO
#define ORBIS_RATIO
#include <stdint.h>

typedef struct { int64_t above, below; } orbis_ratio;  /* in lowest terms, below > 0 */
typedef __int128 orbis_wide;

static inline int orbis_compare(const orbis_ratio *a, const orbis_ratio *b) {
    orbis_wide x = (orbis_wide)a->above * b->below, y = (orbis_wide)b->above * a->below;
    return (x > y) - (x < y);
}

/* Lowest terms; 0 when the result does not fit. */
static inline int orbis_reduce(orbis_wide above, orbis_wide below, orbis_ratio *out) {
    orbis_wide a = above < 0 ? -above : above, b = below, t;
    while (b) { t = a % b; a = b; b = t; }
    if (a > 1) { above /= a; below /= a; }
    out->above = (int64_t)above;
    out->below = (int64_t)below;
    return out->above == above && out->below == below;
}

static inline int orbis_add_times(orbis_ratio *sum, const orbis_ratio *part, int64_t times) {
    if (sum->below == part->below)
        return orbis_reduce((orbis_wide)sum->above + (orbis_wide)part->above * times, sum->below, sum);
    return orbis_reduce((orbis_wide)sum->above * part->below + (orbis_wide)part->above * times * sum->below,
                        (orbis_wide)sum->below * part->below, sum);
}

static inline int orbis_divide(orbis_ratio *value, int64_t by) {
    return orbis_reduce(value->above, (orbis_wide)value->below * by, value);
}
#endif
