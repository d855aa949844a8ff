#include "MallocCounter.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#include <stdatomic.h>

// The program's own definitions take the place of the library's, for all that is linked with it.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic unsigned long count;

static void note(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

void *malloc(size_t size) { note(); return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { note(); return __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { note(); return __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    note();
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : 12;
}

unsigned long allocation_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

unsigned long allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

void tidy_allocations(void) { malloc_trim(0); }
#else
unsigned long allocation_count(void) { return 0; }
unsigned long allocated_bytes(void) { return 0; }

void tidy_allocations(void) {}
#endif
