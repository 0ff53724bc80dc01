/*
 * A folder of programs in the working folder, and engines that keep theirs in
 * one.
 */
#ifndef CLCONST_TESTS_OPENCL_CACHE_FIXTURE_H
#define CLCONST_TESTS_OPENCL_CACHE_FIXTURE_H

#include "backend/engines.h"

/* Of the paths of its files. */
enum { CACHE_PATH_SIZE = 512 };

/* The folder's name once it is made, at most once in a process. */
extern char cache_folder[];

void cache_make_folder(void);

/* With all files in it. */
void cache_remove_folder(void);

/* How many files the folder has, and the path of one. */
size_t cache_count_entries(char path[CACHE_PATH_SIZE]);

/* An engine that fills by kernels. */
clconst_engine *cache_create_engine(clconst_note_function note,
                                    void *context,
                                    const char *cache_dir);

/* One fill, whose bytes are checked. */
void cache_run_fill(clconst_engine *engine);

/* One fill of a new engine, and what became of its program. */
clconst_engine_counters cache_fill_once(clconst_note_function note,
                                        void *context,
                                        const char *cache_dir);

#endif
