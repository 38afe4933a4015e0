/* What gcc calls at every branch of code built with -fsanitize-coverage=trace-pc: counts the edges that were ever taken.

   An edge is a pair of places, each told by its offset in its library and by the library's name, so that where the system
   loads a library does not matter. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define CELLS (1u << 20)
#define PAGES (1u << 12)

uint64_t coverage_edges;

static uint8_t taken[CELLS];
static _Thread_local uintptr_t previous;
static struct { uintptr_t page, shift; } libraries[PAGES];

void coverage_begin(void) { previous = 0; }

/* What to add to an address to have its place: the library's name as a number, less its base. */
static uintptr_t shift_of(uintptr_t address) {
    Dl_info library;
    if (!dladdr((void *)address, &library) || !library.dli_fname)
        return 0;
    uintptr_t name = 5381;
    const char *file = library.dli_fname;
    for (const char *at = file; *at; at++)
        if (*at == '/')
            file = at + 1;
    while (*file)
        name = name * 33 + (unsigned char)*file++;
    return name - (uintptr_t)library.dli_fbase;
}

void __sanitizer_cov_trace_pc(void) {
    uintptr_t address = (uintptr_t)__builtin_return_address(0), page = address >> 12;
    if (libraries[page % PAGES].page != page) {
        libraries[page % PAGES].shift = shift_of(address);
        libraries[page % PAGES].page = page;
    }
    uintptr_t place = address + libraries[page % PAGES].shift;
    uint8_t *edge = &taken[(place ^ previous) % CELLS];
    previous = place >> 1;
    if (!*edge) {
        *edge = 1;
        coverage_edges++;
    }
}
