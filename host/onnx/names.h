/*
 * The names that are visible at a place in a model, and what they stand for.
 * Names of an inner graph hide those of the graphs around it until the inner
 * graph is left.
 */
#ifndef CLCONST_ONNX_NAMES_H
#define CLCONST_ONNX_NAMES_H

#include "base/error.h"
#include "base/hash.h"
#include "onnx/span.h"

/* No index. */
#define CLCONST__NONE SIZE_MAX

typedef struct clconst__name_entry {
    clconst__span name;
    uint64_t hash;
    size_t value;
} clconst__name_entry;

typedef struct clconst__name_change {
    size_t entry;
    size_t value; /* before the change */
} clconst__name_change;

/*
 * slots has a power of two of indexes into entries, or CLCONST__NONE. Every
 * step takes time and memory in proportion to the name, whatever the names
 * are.
 */
typedef struct clconst__names {
    clconst__name_entry *entries;
    size_t entry_count;
    size_t entry_capacity;
    clconst__name_change *changes;
    size_t change_count;
    size_t change_capacity;
    size_t *slots;
    size_t slot_count;
    clconst__hash_keys keys;
} clconst__names;

/* The keys come from the address, which the writer of a model cannot know. */
void clconst__names_init(clconst__names *names);

void clconst__names_free(clconst__names *names);

/* What the name stands for, or CLCONST__NONE. */
size_t clconst__names_find(const clconst__names *names, clconst__span name);

/* Lets the name stand for a value from here on. OUT_OF_MEMORY. */
clconst_status clconst__names_define(clconst__names *names,
                                     clconst__span name,
                                     size_t value,
                                     clconst_error *error);

/* The number of definitions so far, for clconst__names_rewind. */
size_t clconst__names_mark(const clconst__names *names);

/* Undoes the definitions since the mark. */
void clconst__names_rewind(clconst__names *names, size_t mark);

#endif
