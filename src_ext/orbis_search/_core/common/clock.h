/* Seconds since some moment, by a clock that nobody sets: what is due in five seconds is due in five seconds. */
#ifndef ORBIS_CLOCK
#define ORBIS_CLOCK
#ifdef _WIN32
#include <windows.h>
static inline double orbis_now(void) {
    LARGE_INTEGER count, rate;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&rate);
    return (double)count.QuadPart / (double)rate.QuadPart;
}
#else
#include <time.h>
static inline double orbis_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
#endif
#endif
