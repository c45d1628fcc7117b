/* Which level of x86-64 this CPU has, 1 to 4 as the System V ABI counts them, with a system that saves its registers;
   1 on every other kind. Plain C, for the build asks it too. */
#ifndef ORBIS_CPU
#define ORBIS_CPU
#if defined(__x86_64__) || defined(_M_X64)
#include <stdint.h>
#ifdef _MSC_VER
#include <intrin.h>
#else
#include <cpuid.h>
#endif

/* What the CPU says to a question: eax, ebx, ecx, edx; zeros where it does not know it. */
static void orbis_cpuid(unsigned leaf, unsigned answer[4]) {
    answer[0] = answer[1] = answer[2] = answer[3] = 0;
#ifdef _MSC_VER
    __cpuid((int *)answer, (int)(leaf & 0x80000000u));
    if (answer[0] >= leaf)
        __cpuidex((int *)answer, (int)leaf, 0);
    else
        answer[0] = answer[1] = answer[2] = answer[3] = 0;
#else
    __get_cpuid_count(leaf, 0, &answer[0], &answer[1], &answer[2], &answer[3]);
#endif
}

/* The registers that the system saves when it changes from one thread to another. */
static uint64_t orbis_saved_registers(void) {
#ifdef _MSC_VER
    return _xgetbv(0);
#else
    unsigned low, high;
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0)); /* xgetbv */
    return (uint64_t)high << 32 | low;
#endif
}

static int orbis_cpu_level(void) {
    /* Bits of ecx to question 1, of ebx to question 7, of ecx to question 0x80000001. */
    const unsigned v2 = 1u | 1u << 9 | 1u << 13 | 1u << 19 | 1u << 20 | 1u << 23; /* sse3 ssse3 cx16 sse4.1 sse4.2 popcnt */
    const unsigned v2_more = 1u;                                                 /* lahf */
    const unsigned v3 = 1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29;    /* fma movbe osxsave avx f16c */
    const unsigned v3_wide = 1u << 3 | 1u << 5 | 1u << 8;                        /* bmi1 avx2 bmi2 */
    const unsigned v3_more = 1u << 5;                                            /* lzcnt */
    const unsigned v4_wide = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31; /* avx512: f dq cd bw vl */
    const uint64_t v3_saved = 0x6, v4_saved = 0xE6;
    unsigned first[4], wide[4], more[4];
    uint64_t saved;
    orbis_cpuid(1, first);
    orbis_cpuid(7, wide);
    orbis_cpuid(0x80000001u, more);
    if ((first[2] & v2) != v2 || (more[2] & v2_more) != v2_more)
        return 1;
    if ((first[2] & v3) != v3 || (wide[1] & v3_wide) != v3_wide || (more[2] & v3_more) != v3_more)
        return 2;
    saved = orbis_saved_registers();
    if ((saved & v3_saved) != v3_saved)
        return 2;
    if ((wide[1] & v4_wide) != v4_wide || (saved & v4_saved) != v4_saved)
        return 3;
    return 4;
}
#else
static int orbis_cpu_level(void) { return 1; }
#endif
#endif
