/* mincore and MAP_ANONYMOUS are not POSIX. */
#define _DEFAULT_SOURCE

#include "harness/pages.h"

#include <check.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

size_t pages_resident_size(const void *address, size_t size)
{
    size_t step = page_size();
    size_t count = (size + step - 1) / step;
    unsigned char *states = malloc(count);
    ck_assert_int_eq(mincore((void *)(uintptr_t)address, size, states), 0);
    size_t resident = 0;
    for (size_t i = 0; i < count; i++) {
        resident += (states[i] & 1) != 0;
    }
    free(states);
    return resident * step;
}

/* In /proc/self/smaps a mapping is "BEGIN-END .." and, of the lines after it,
 * "VmFlags: .." with "hg" where madvise was asked for huge pages (Linux,
 * filesystems/proc.rst). */
bool pages_are_huge(const void *address)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    ck_assert_ptr_nonnull(maps);
    char line[512];
    bool is_inside = false;
    bool is_huge = false;
    while (fgets(line, sizeof(line), maps) != NULL) {
        uintptr_t begin;
        uintptr_t end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2) {
            is_inside = (uintptr_t)address >= begin && (uintptr_t)address < end;
        } else if (is_inside && strncmp(line, "VmFlags:", 8) == 0) {
            is_huge = strstr(line, " hg") != NULL;
        }
    }
    fclose(maps);
    return is_huge;
}

bool pages_can_tell(void)
{
    size_t size = 8 * page_size();
    char *pages = mmap(
        NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(pages, MAP_FAILED);
    bool can_tell = pages_resident_size(pages, size) == 0;
    memset(pages, 1, size);
    can_tell = can_tell && pages_resident_size(pages, size) == size;
#if defined(MADV_HUGEPAGE)
    can_tell = can_tell && !pages_are_huge(pages) &&
               madvise(pages, size, MADV_HUGEPAGE) == 0 &&
               pages_are_huge(pages);
#else
    can_tell = false;
#endif
    munmap(pages, size);
    if (!can_tell) {
        printf("SKIP: the kernel does not tell of pages\n");
    }
    return can_tell;
}
