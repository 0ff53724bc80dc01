#include "faults/folders.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/harness.h"

void folders_make(char path[FOLDERS_PATH_SIZE], const char *name)
{
    snprintf(path, FOLDERS_PATH_SIZE, "clconst-%s-XXXXXX", name);
    ck_assert_ptr_nonnull(mkdtemp(path));
}

void folders_empty(const char *path)
{
    DIR *entries = opendir(path);
    ck_assert_ptr_nonnull(entries);
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        if (entry->d_name[0] != '.') {
            ck_assert_int_eq(unlinkat(dirfd(entries), entry->d_name, 0), 0);
        }
    }
    closedir(entries);
}

void folders_remove(const char *path)
{
    folders_empty(path);
    ck_assert_int_eq(rmdir(path), 0);
}
