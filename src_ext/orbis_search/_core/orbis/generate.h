/* What a tile that is taken brings to the cells around it. */
#ifndef ORBIS_GENERATE
#define ORBIS_GENERATE
#include <stdint.h>
#include <string.h>

/* Orthogonal neighbours of each cell, as offsets of their worshipers; -1 ends the list. */
static const signed char ORBIS_BESIDE[9][5] = {
    {5, 15, -1}, {0, 10, 20, -1}, {5, 25, -1},
    {0, 20, 30, -1}, {5, 15, 25, 35, -1}, {10, 20, 40, -1},
    {15, 35, -1}, {20, 30, 40, -1}, {25, 35, -1},
};

/* What taking a tile adds to all worshipers of the centre, in 48 bytes (the last three are 0). A
   loop over two, three or four neighbours would be mispredicted every other turn. */
#define ORBIS_AT(n, c, i) ((uint64_t)((n) * 5 + (c) == (i)) << 8 * ((i) & 7))
#define ORBIS_BYTE(p, q, r, s, c, i) (ORBIS_AT(p, c, i) | ORBIS_AT(q, c, i) | ORBIS_AT(r, c, i) | ORBIS_AT(s, c, i))
#define ORBIS_WORD(p, q, r, s, c, i) (ORBIS_BYTE(p, q, r, s, c, i) | ORBIS_BYTE(p, q, r, s, c, i + 1) \
    | ORBIS_BYTE(p, q, r, s, c, i + 2) | ORBIS_BYTE(p, q, r, s, c, i + 3) | ORBIS_BYTE(p, q, r, s, c, i + 4) \
    | ORBIS_BYTE(p, q, r, s, c, i + 5) | ORBIS_BYTE(p, q, r, s, c, i + 6) | ORBIS_BYTE(p, q, r, s, c, i + 7))
#define ORBIS_SIX(p, q, r, s, c) {ORBIS_WORD(p, q, r, s, c, 0), ORBIS_WORD(p, q, r, s, c, 8), \
    ORBIS_WORD(p, q, r, s, c, 16), ORBIS_WORD(p, q, r, s, c, 24), ORBIS_WORD(p, q, r, s, c, 32), \
    ORBIS_WORD(p, q, r, s, c, 40)}
#define ORBIS_CELL(p, q, r, s) {ORBIS_SIX(p, q, r, s, 0), ORBIS_SIX(p, q, r, s, 1), ORBIS_SIX(p, q, r, s, 2), \
    ORBIS_SIX(p, q, r, s, 3), ORBIS_SIX(p, q, r, s, 4)}
static const uint64_t ORBIS_SEEDS[9][5][6] = {
    ORBIS_CELL(1, 3, 99, 99), ORBIS_CELL(0, 2, 4, 99), ORBIS_CELL(1, 5, 99, 99),
    ORBIS_CELL(0, 4, 6, 99), ORBIS_CELL(1, 3, 5, 7), ORBIS_CELL(2, 4, 8, 99),
    ORBIS_CELL(3, 7, 99, 99), ORBIS_CELL(4, 6, 8, 99), ORBIS_CELL(5, 7, 99, 99),
};

/* The same, a word a cell, in red; shifted for the other colours. */
#define ORBIS_NINE(p, q, r, s) {ORBIS_ONE(p, q, r, s, 0), ORBIS_ONE(p, q, r, s, 1), ORBIS_ONE(p, q, r, s, 2), \
    ORBIS_ONE(p, q, r, s, 3), ORBIS_ONE(p, q, r, s, 4), ORBIS_ONE(p, q, r, s, 5), ORBIS_ONE(p, q, r, s, 6), \
    ORBIS_ONE(p, q, r, s, 7), ORBIS_ONE(p, q, r, s, 8)}
#define ORBIS_ONE(p, q, r, s, i) ((p) == (i) || (q) == (i) || (r) == (i) || (s) == (i))
static const uint64_t ORBIS_FIELD_SEEDS[9][9] = {
    ORBIS_NINE(1, 3, 99, 99), ORBIS_NINE(0, 2, 4, 99), ORBIS_NINE(1, 5, 99, 99),
    ORBIS_NINE(0, 4, 6, 99), ORBIS_NINE(1, 3, 5, 7), ORBIS_NINE(2, 4, 8, 99),
    ORBIS_NINE(3, 7, 99, 99), ORBIS_NINE(4, 6, 8, 99), ORBIS_NINE(5, 7, 99, 99),
};

static inline void orbis_generate(uint8_t *worshipers, int cell, int colour) {
    uint64_t words[6];
    const uint64_t *seeds = ORBIS_SEEDS[cell][colour];
    int i;
    memcpy(words, worshipers, 48);
    for (i = 0; i < 6; i++) words[i] += seeds[i];
    memcpy(worshipers, words, 48);
}
#endif
