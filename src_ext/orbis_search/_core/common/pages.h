/* Memory in large pages. See pages.pxd. */
#ifndef ORBIS_PAGES
#define ORBIS_PAGES
#include <stdint.h>
#include <stdlib.h>
#define ORBIS_LARGE_PAGE ((size_t)2 << 20)
/* What is given back must be what was taken, to the page: so both sides count in these. No system has larger small
   ones. */
#define ORBIS_WHOLE_PAGES(size) (((size) + 65535) & ~(size_t)65535)
#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif
/* Room to begin at a large page; the unused ends are given back at once. */
static void *orbis_pages_new(size_t size) {
    size_t whole;
    char *raw, *start;
    if (size > SIZE_MAX - 2 * ORBIS_LARGE_PAGE)
        return NULL;
    size = ORBIS_WHOLE_PAGES(size);
    whole = size + ORBIS_LARGE_PAGE;
    raw = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == (char *)MAP_FAILED)
        return NULL;
    start = (char *)(((uintptr_t)raw + ORBIS_LARGE_PAGE - 1) & ~(uintptr_t)(ORBIS_LARGE_PAGE - 1));
    if (start > raw)
        munmap(raw, start - raw);
    if (start + size < raw + whole)
        munmap(start + size, raw + whole - (start + size));
#ifdef MADV_HUGEPAGE
    madvise(start, size, MADV_HUGEPAGE);
#endif
    return start;
}
static void orbis_pages_free(void *start, size_t size) {
    if (start)
        munmap(start, ORBIS_WHOLE_PAGES(size));
}
#else
static void *orbis_pages_new(size_t size) { return calloc(1, size); }
static void orbis_pages_free(void *start, size_t size) { (void)size; free(start); }
#endif
#endif
