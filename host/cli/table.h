/*
 * A JSON report as text for people: an array of objects as aligned columns,
 * one object as aligned lines. It does not know what the keys mean.
 */
#ifndef CLCONST_CLI_TABLE_H
#define CLCONST_CLI_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/outcome.h"

/* One member of an object, and what stands above or before its value. */
typedef struct cli_column {
    const char *key;
    const char *title;
    bool is_number; /* aligned to the right */
} cli_column;

/*
 * A value in one line: null and absent values as "-", arrays as [2,N,?].
 */
void cli_table_print_value(const json_t *value, FILE *stream);

/* The last column is for remarks: it is left out where it is null or absent. */
cli_outcome cli_table_print(const json_t *rows,
                            const cli_column *columns,
                            size_t column_count,
                            FILE *stream,
                            clconst_error *error);

/* Absent members are left out. */
void cli_table_print_object(const json_t *object,
                            const cli_column *columns,
                            size_t column_count,
                            FILE *stream);

#endif
