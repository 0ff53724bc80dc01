#include "onnx/fold/merge.h"

#include <string.h>

/* Values with more elements are not compared. */
enum { COMPARED_MAX = 1024 };

typedef struct merging {
    clconst__causes *causes;
    const clconst__fact *a;
    const clconst__fact *b;
    clconst__cause why;
    clconst__fact *merged;
    bool is_changed;
} merging;

/* The cause of an entry, of which are_equal says whether both know it and know
 * the same. */
static clconst_status merge_causes(merging *own,
                                   clconst__cause a,
                                   clconst__cause b,
                                   bool are_equal,
                                   clconst__cause *cause,
                                   clconst_error *error)
{
    bool is_known = a == CLCONST__KNOWN && b == CLCONST__KNOWN;
    *cause = a;
    if (is_known ? are_equal : a == b) {
        return CLCONST_OK;
    }
    if (a != CLCONST__KNOWN && own->causes->items[a].root == own->why) {
        return CLCONST_OK;
    }
    own->is_changed = true;
    return clconst__cause_derive(own->causes, own->why, cause, error);
}

/* Whether both have a value, and one that is worth comparing. */
static bool have_values(const merging *own)
{
    const clconst__fact *a = own->a;
    const clconst__fact *b = own->b;
    bool are_there = a->data != NULL && b->data != NULL;
    return are_there && a->count == b->count && a->count <= COMPARED_MAX &&
           a->dtype == b->dtype && a->rank == b->rank;
}

static clconst_status merge_values(merging *own, clconst_error *error)
{
    const clconst__fact *a = own->a;
    const clconst__fact *b = own->b;
    clconst__fact *merged = own->merged;
    uint64_t count;
    merged->cause = own->why;
    if (!have_values(own) || !clconst__fact_count(merged, &count)) {
        own->is_changed = own->is_changed || a->data != NULL;
        return CLCONST_OK;
    }
    clconst_status status = clconst__fact_set_value(merged, error);
    size_t size = merged->element_size;
    for (size_t i = 0; i < merged->count && status == CLCONST_OK; i++) {
        clconst__cause cause;
        memcpy(merged->own_data + i * size, a->data + i * size, size);
        status =
            merge_causes(own,
                         clconst__fact_cause(a, i),
                         clconst__fact_cause(b, i),
                         !memcmp(a->data + i * size, b->data + i * size, size),
                         &cause,
                         error);
        if (status == CLCONST_OK) {
            status = clconst__fact_set_cause(merged, i, cause, error);
        }
    }
    return status;
}

static clconst_status merge(merging *own, clconst_error *error)
{
    const clconst__fact *a = own->a;
    const clconst__fact *b = own->b;
    clconst__fact *merged = own->merged;
    merged->dtype = a->dtype == b->dtype ? a->dtype : CLCONST_UNDEFINED;
    if (a->dims == NULL || b->dims == NULL || a->rank != b->rank) {
        own->is_changed = a->dims != NULL;
        return CLCONST_OK;
    }
    clconst_status status = clconst__fact_set_rank(merged, a->rank, error);
    for (size_t i = 0; i < a->rank && status == CLCONST_OK; i++) {
        merged->dims[i].value = a->dims[i].value;
        status = merge_causes(own,
                              a->dims[i].cause,
                              b->dims[i].cause,
                              a->dims[i].value == b->dims[i].value,
                              &merged->dims[i].cause,
                              error);
    }
    return status == CLCONST_OK ? merge_values(own, error) : status;
}

uint64_t clconst__merge_steps(const clconst__fact *a)
{
    return a->rank + (a->count < COMPARED_MAX ? a->count : COMPARED_MAX);
}

clconst_status clconst__merge(clconst__causes *causes,
                              const clconst__fact *a,
                              const clconst__fact *b,
                              clconst__cause why,
                              clconst__fact **merged,
                              bool *is_changed,
                              clconst_error *error)
{
    merging own = {.causes = causes, .a = a, .b = b, .why = why};
    clconst_status status = clconst__fact_create(why, &own.merged, error);
    if (status != CLCONST_OK) {
        return status;
    }
    status = merge(&own, error);
    if (status != CLCONST_OK) {
        clconst__fact_release(own.merged);
        return status;
    }
    *merged = own.merged;
    *is_changed = *is_changed || own.is_changed;
    return CLCONST_OK;
}

static clconst_status rename_cause(clconst__causes *causes,
                                   clconst__cause since,
                                   clconst__cause *cause,
                                   clconst_error *error)
{
    return *cause < since ? CLCONST_OK
                          : clconst__cause_derive(causes, *cause, cause, error);
}

clconst_status clconst__merge_apart(clconst__causes *causes,
                                    const clconst__fact *fact,
                                    clconst__cause since,
                                    clconst__fact **apart,
                                    clconst_error *error)
{
    clconst__fact *made;
    clconst_status status = clconst__fact_copy(fact, &made, error);
    if (status != CLCONST_OK) {
        return status;
    }
    for (size_t i = 0; i < made->rank && status == CLCONST_OK; i++) {
        status = rename_cause(causes, since, &made->dims[i].cause, error);
    }
    for (size_t i = 0;
         made->causes != NULL && i < made->count && status == CLCONST_OK;
         i++) {
        status = rename_cause(causes, since, &made->causes[i], error);
    }
    if (status != CLCONST_OK) {
        clconst__fact_release(made);
        return status;
    }
    *apart = made;
    return CLCONST_OK;
}
