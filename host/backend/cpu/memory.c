/* MAP_ANONYMOUS and madvise are not POSIX. */
#define _DEFAULT_SOURCE

#include "backend/cpu/memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "backend/cpu/available.h"
#include "base/alloc.h"
#include "base/checked.h"

/*
 * The kernel promises more than it has, and ends a process that takes it at
 * its word. Smaller blocks are not worth the question.
 */
#define JUDGED_SIZE_MIN ((size_t)64 << 20)

static clconst_status check_available(size_t size, clconst_error *error)
{
    uint64_t available;
    if (size >= JUDGED_SIZE_MIN && clconst__available_memory(&available) &&
        size > available) {
        return clconst__fail(error,
                             CLCONST_OUT_OF_MEMORY,
                             "size is %zu bytes; this machine has %" PRIu64
                             " available",
                             size,
                             available);
    }
    return CLCONST_OK;
}

static clconst_status create_mapped(size_t size,
                                    bool wants_huge_pages,
                                    clconst__host_block *block,
                                    clconst_error *error)
{
    /* Room to begin at a huge page, whatever address the kernel picks. */
    size_t mapped_size;
    if (!clconst__add_size(
            size, 2 * CLCONST__HUGE_PAGE_SIZE - 1, &mapped_size)) {
        return clconst__fail(
            error, CLCONST_OUT_OF_MEMORY, "no memory for %zu bytes", size);
    }
    mapped_size &= ~(CLCONST__HUGE_PAGE_SIZE - 1);
    void *base = mmap(NULL,
                      mapped_size,
                      PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS,
                      -1,
                      0);
    if (base == MAP_FAILED) {
        return clconst__fail(
            error, CLCONST_OUT_OF_MEMORY, "no memory for %zu bytes", size);
    }
    uintptr_t address = (uintptr_t)base;
    uintptr_t aligned = (address + CLCONST__HUGE_PAGE_SIZE - 1) &
                        ~(CLCONST__HUGE_PAGE_SIZE - 1);
#if defined(MADV_HUGEPAGE)
    /* A wish: without huge pages the bytes are the same, only slower. */
    if (wants_huge_pages) {
        (void)madvise((char *)base + (aligned - address),
                      mapped_size - (aligned - address),
                      MADV_HUGEPAGE);
    }
#else
    (void)wants_huge_pages;
#endif
    block->bytes = (char *)base + (aligned - address);
    block->base = base;
    block->mapped_size = mapped_size;
    return CLCONST_OK;
}

static clconst_status
create_on_heap(size_t size, clconst__host_block *block, clconst_error *error)
{
    clconst_status status =
        clconst__alloc(1, size + CLCONST__HOST_ALIGNMENT, &block->base, error);
    if (status != CLCONST_OK) {
        return status;
    }
    uintptr_t over = (uintptr_t)block->base % CLCONST__HOST_ALIGNMENT;
    block->bytes = (char *)block->base + (CLCONST__HOST_ALIGNMENT - over);
    return CLCONST_OK;
}

/*
 * Huge pages make fresh fills twice as fast, and are worth little to copies,
 * which read as much as they write. A virtual machine whose host takes free
 * huge pages back pays up to 2 ms for each, and then copies 3 GiB in three
 * times the time that small pages take.
 */
static bool gains_from_huge_pages(size_t size, size_t copied_size)
{
    return copied_size < size / 2;
}

clconst_status clconst__host_block_create(size_t size,
                                          size_t copied_size,
                                          clconst__host_block *block,
                                          clconst_error *error)
{
    *block = (clconst__host_block){0};
    if (size == 0) {
        return CLCONST_OK;
    }
    clconst_status status = check_available(size, error);
    if (status != CLCONST_OK) {
        return status;
    }
    /* Smaller blocks gain nothing from a mapping of their own. */
    return size >= CLCONST__HUGE_PAGE_SIZE
               ? create_mapped(size,
                               gains_from_huge_pages(size, copied_size),
                               block,
                               error)
               : create_on_heap(size, block, error);
}

void clconst__host_block_destroy(clconst__host_block *block)
{
    if (block->mapped_size > 0) {
        munmap(block->base, block->mapped_size);
    } else {
        clconst__free(block->base);
    }
}
