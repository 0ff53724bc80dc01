#include "cli/rows.h"

#include <stdlib.h>
#include <string.h>

static cli_outcome fail_memory(clconst_error *error)
{
    return cli_fail(error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
}

/* A row on its way through qsort. */
typedef struct sort_row {
    json_t *row;
    const json_t *value;
    size_t index;
} sort_row;

/* What has no value has the highest rank. */
static int rank(const json_t *value)
{
    return json_is_null(value) || value == NULL ? 1 : 0;
}

static int compare_values(const json_t *a, const json_t *b)
{
    if (rank(a) != rank(b)) {
        return rank(a) - rank(b);
    }
    if (json_is_integer(a) && json_is_integer(b)) {
        json_int_t left = json_integer_value(a);
        json_int_t right = json_integer_value(b);
        return (left < right) - (left > right);
    }
    return json_is_string(a) && json_is_string(b)
               ? strcmp(json_string_value(a), json_string_value(b))
               : 0;
}

static int compare(const void *left, const void *right)
{
    const sort_row *a = left;
    const sort_row *b = right;
    int by_value = compare_values(a->value, b->value);
    return by_value != 0 ? by_value
                         : (a->index > b->index) - (a->index < b->index);
}

cli_outcome cli_rows_sort(const json_t *rows,
                          const char *key,
                          json_t **sorted,
                          clconst_error *error)
{
    size_t count = json_array_size(rows);
    sort_row *order;
    cli_outcome outcome = cli_alloc(count, sizeof(*order), &order, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    for (size_t i = 0; i < count; i++) {
        json_t *row = json_array_get(rows, i);
        order[i] = (sort_row){row, json_object_get(row, key), i};
    }
    qsort(order, count, sizeof(*order), compare);
    json_t *made = json_array();
    for (size_t i = 0; i < count && outcome == CLI_DONE; i++) {
        if (json_array_append(made, order[i].row) != 0) {
            outcome = fail_memory(error);
        }
    }
    free(order);
    if (outcome != CLI_DONE || made == NULL) {
        json_decref(made);
        return outcome != CLI_DONE ? outcome : fail_memory(error);
    }
    *sorted = made;
    return CLI_DONE;
}

/* The group of a value, made where it is missing. NULL without memory. */
static json_t *find_group(json_t *groups, json_t *value)
{
    for (size_t i = 0; i < json_array_size(groups); i++) {
        json_t *group = json_array_get(groups, i);
        if (json_equal(json_object_get(group, "name"), value)) {
            return group;
        }
    }
    json_t *group =
        json_pack("{sO si si}", "name", value, "constants", 0, "bytes", 0);
    return json_array_append_new(groups, group) == 0 ? group : NULL;
}

/* A sum above jansson's largest integer is null, and stays so. */
static void add(json_t *group, const char *key, json_int_t more)
{
    json_t *number = json_object_get(group, key);
    json_int_t sum;
    if (json_is_null(number)) {
        return;
    }
    if (__builtin_add_overflow(json_integer_value(number), more, &sum)) {
        json_object_set_new(group, key, json_null());
    } else {
        json_integer_set(number, sum);
    }
}

cli_outcome cli_rows_group(const json_t *rows,
                           const char *key,
                           json_t **groups,
                           clconst_error *error)
{
    json_t *made = json_array();
    for (size_t i = 0; made != NULL && i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        json_t *group = find_group(made, json_object_get(row, key));
        if (group == NULL) {
            json_decref(made);
            made = NULL;
            break;
        }
        json_int_t size = json_integer_value(json_object_get(row, "bytes"));
        add(group, "constants", 1);
        add(group, "bytes", size);
    }
    if (made == NULL) {
        return fail_memory(error);
    }
    *groups = made;
    return CLI_DONE;
}
