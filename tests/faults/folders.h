/*
 * Folders of a test's own, in the folder where it runs.
 */
#ifndef CLCONST_TESTS_FOLDERS_H
#define CLCONST_TESTS_FOLDERS_H

enum { FOLDERS_PATH_SIZE = 32 };

/* Makes one of which name is a part of the name. */
void folders_make(char path[FOLDERS_PATH_SIZE], const char *name);

/* Removes the files in it. */
void folders_empty(const char *path);

/* Removes it, with its files. */
void folders_remove(const char *path);

#endif
