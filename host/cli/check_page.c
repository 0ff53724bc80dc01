#include "cli/check_page.h"

#include <stdbool.h>
#include <string.h>

#include "cli/table.h"
#include "cli/text.h"

enum { KEY_COUNT_MAX = 2, PATH_COUNT_MAX = 8 };

/* A table whose rows are there once per path: each path becomes a column. */
typedef struct page_table {
    const char *member; /* of the report */
    cli_column keys[KEY_COUNT_MAX];
    size_t key_count;
    bool is_number;
    json_t *(*make_cell)(const json_t *row);
} page_table;

static json_t *make_count_cell(const json_t *row)
{
    json_int_t failed = json_integer_value(json_object_get(row, "failed"));
    json_int_t passed = json_integer_value(json_object_get(row, "passed"));
    if (failed == 0) {
        return json_string("ok");
    }
    char text[80];
    snprintf(text,
             sizeof(text),
             "%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " FAILED",
             failed,
             failed + passed);
    return json_string(text);
}

static json_t *make_speed_cell(const json_t *row)
{
    char text[80];
    snprintf(text,
             sizeof(text),
             "%.2f",
             json_real_value(json_object_get(row, "gbps")));
    return json_string(text);
}

static const page_table tables[] = {
    {
        .member = "cases",
        .keys = {{"dtype", "dtype", false}},
        .key_count = 1,
        .make_cell = make_count_cell,
    },
    {
        .member = "classes",
        .keys = {{"elements", "elements", false}, {"offset", "offset", false}},
        .key_count = 2,
        .make_cell = make_count_cell,
    },
    {
        .member = "speed",
        .keys = {{"bytes", "bytes, GB/s", true}},
        .key_count = 1,
        .is_number = true,
        .make_cell = make_speed_cell,
    },
};

static bool is_same(const page_table *table, const json_t *a, const json_t *b)
{
    for (size_t i = 0; i < table->key_count; i++) {
        const char *key = table->keys[i].key;
        if (!json_equal(json_object_get(a, key), json_object_get(b, key))) {
            return false;
        }
    }
    return true;
}

/* The row with these keys among those made so far, or a new one; NULL when
 * memory is short. */
static json_t *
find_row(const page_table *table, json_t *made, const json_t *row)
{
    for (size_t i = 0; i < json_array_size(made); i++) {
        if (is_same(table, json_array_get(made, i), row)) {
            return json_array_get(made, i);
        }
    }
    json_t *new_row = json_object();
    for (size_t i = 0; i < table->key_count; i++) {
        const char *key = table->keys[i].key;
        json_object_set(new_row, key, json_object_get(row, key));
    }
    return json_array_append_new(made, new_row) == 0 ? new_row : NULL;
}

/* The columns: the keys, and each path in the order of its first row. */
static size_t make_columns(const page_table *table,
                           const json_t *rows,
                           cli_column columns[KEY_COUNT_MAX + PATH_COUNT_MAX])
{
    size_t count = table->key_count;
    memcpy(columns, table->keys, count * sizeof(*columns));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *path =
            json_string_value(json_object_get(json_array_get(rows, i), "path"));
        size_t known = table->key_count;
        while (known < count && strcmp(columns[known].key, path) != 0) {
            known++;
        }
        if (known == count && count < table->key_count + PATH_COUNT_MAX) {
            columns[count++] = (cli_column){path, path, table->is_number};
        }
    }
    return count;
}

static cli_outcome print_table(const page_table *table,
                               const json_t *report,
                               FILE *stream,
                               clconst_error *error)
{
    const json_t *rows = json_object_get(report, table->member);
    cli_column columns[KEY_COUNT_MAX + PATH_COUNT_MAX];
    size_t column_count = make_columns(table, rows, columns);
    json_t *made = json_array();
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; i < json_array_size(rows) && outcome == CLI_DONE; i++) {
        const json_t *row = json_array_get(rows, i);
        json_t *cells = find_row(table, made, row);
        const char *path = json_string_value(json_object_get(row, "path"));
        if (cells == NULL ||
            json_object_set_new(cells, path, table->make_cell(row)) != 0) {
            outcome =
                cli_fail(error, CLCONST_OUT_OF_MEMORY, "no memory for a table");
        }
    }
    if (outcome == CLI_DONE) {
        outcome = cli_table_print(made, columns, column_count, stream, error);
        fputc('\n', stream);
    }
    json_decref(made);
    return outcome;
}

/* What went wrong first, of each dtype and path. */
static void print_reasons(const json_t *report, FILE *stream)
{
    const json_t *rows = json_object_get(report, "cases");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *reason = json_string_value(json_object_get(row, "reason"));
        if (reason != NULL) {
            fprintf(stream,
                    "%s, %s: ",
                    json_string_value(json_object_get(row, "path")),
                    json_string_value(json_object_get(row, "dtype")));
            cli_text_print(stream, reason, strlen(reason));
            fputc('\n', stream);
        }
    }
}

static void print_string(const json_t *string, const char *name, FILE *stream)
{
    fprintf(stream, "        .%s = \"", name);
    cli_text_print(
        stream, json_string_value(string), json_string_length(string));
    fputs("\",\n", stream);
}

/* As host/backend/opencl/tuning.c would have it. */
static void print_tuning(const json_t *report, FILE *stream)
{
    const json_t *row = json_object_get(report, "row");
    const json_t *sizes = json_object_get(row, "pattern_sizes");
    fputs("The row of host/backend/opencl/tuning.c that the device would "
          "deserve:\n    {\n",
          stream);
    print_string(json_object_get(report, "platform"), "platform", stream);
    print_string(json_object_get(report, "type"), "type", stream);
    fputs("        .pattern_sizes = {", stream);
    for (size_t i = 0; i < json_array_size(sizes); i++) {
        fprintf(stream,
                "%s%" JSON_INTEGER_FORMAT,
                i > 0 ? ", " : "",
                json_integer_value(json_array_get(sizes, i)));
    }
    fputs("},\n        .driver_size_max = ", stream);
    const json_t *driver_size = json_object_get(row, "driver_size_max");
    if (json_is_null(driver_size)) {
        fputs("SIZE_MAX", stream);
    } else {
        cli_table_print_value(driver_size, stream);
    }
    fprintf(stream,
            ",\n        .access = CLCONST__ACCESS_%s,\n"
            "        .expand_size = %" JSON_INTEGER_FORMAT ",\n",
            json_string_value(json_object_get(row, "access")),
            json_integer_value(json_object_get(row, "expand_size")));
    static const char *const flags[] = {
        "has_fast_tables", "prefers_native", "prefers_host_memory"};
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        bool is_true = json_is_true(json_object_get(row, flags[i]));
        fprintf(stream,
                "        .%s = %s,\n",
                flags[i],
                is_true ? "true" : "false");
    }
    fputs("    },\n\n", stream);
}

cli_outcome
cli_check_page_print(const json_t *report, FILE *stream, clconst_error *error)
{
    static const cli_column head[] = {
        {"clconst", "clconst", false},
        {"device", "device", false},
        {"platform", "platform", false},
        {"type", "type", false},
        {"version", "version", false},
        {"driver", "driver", false},
        {"not_measured", "not measured", false},
    };
    cli_table_print_object(
        report, head, sizeof(head) / sizeof(head[0]), stream);
    fputc('\n', stream);
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0;
         i < sizeof(tables) / sizeof(tables[0]) && outcome == CLI_DONE;
         i++) {
        outcome = print_table(&tables[i], report, stream, error);
    }
    if (json_object_get(report, "row") != NULL) {
        print_tuning(report, stream);
    }
    print_reasons(report, stream);
    fprintf(stream,
            "%" JSON_INTEGER_FORMAT " passed, %" JSON_INTEGER_FORMAT
            " failed\n",
            json_integer_value(json_object_get(report, "passed")),
            json_integer_value(json_object_get(report, "failed")));
    return outcome;
}
