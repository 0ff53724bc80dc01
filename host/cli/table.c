#include "cli/table.h"

#include <stdlib.h>
#include <string.h>

#include "cli/style.h"
#include "cli/text.h"

/* null is what an unknown value reads as. */
static void print_plain(const json_t *value, const char *null, FILE *stream)
{
    switch (value != NULL ? json_typeof(value) : JSON_NULL) {
    case JSON_STRING:
        /* An empty name must show, too. */
        fputs(json_string_length(value) == 0 ? "-" : "", stream);
        cli_text_print(
            stream, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
        fprintf(stream, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        fprintf(stream, "%.6g", json_real_value(value));
        break;
    case JSON_TRUE:
        fputs("yes", stream);
        break;
    case JSON_FALSE:
        fputs("no", stream);
        break;
    case JSON_ARRAY:
    case JSON_OBJECT:
    case JSON_NULL:
        fputs(null, stream);
        break;
    }
}

void cli_table_print_value(const json_t *value, FILE *stream)
{
    if (!json_is_array(value)) {
        print_plain(value, "-", stream);
        return;
    }
    fputc('[', stream);
    for (size_t i = 0; i < json_array_size(value); i++) {
        fputs(i > 0 ? "," : "", stream);
        print_plain(json_array_get(value, i), "?", stream);
    }
    fputc(']', stream);
}

/* A cell as it is printed. */
typedef struct cell {
    char *text;
    size_t size;
    size_t width;
    bool is_empty;
} cell;

static cli_outcome
render(const json_t *value, cell *rendered, clconst_error *error)
{
    FILE *stream = open_memstream(&rendered->text, &rendered->size);
    if (stream != NULL) {
        cli_table_print_value(value, stream);
    }
    if (!cli_text_close(stream, &rendered->text)) {
        return cli_fail(
            error, CLCONST_OUT_OF_MEMORY, "no memory for a cell of a table");
    }
    rendered->width = cli_text_width(rendered->text, rendered->size);
    rendered->is_empty = value == NULL || json_is_null(value);
    return CLI_DONE;
}

static size_t title_width(const cli_column *column)
{
    return cli_text_width(column->title, strlen(column->title));
}

static size_t column_width(const cell *cells,
                           size_t row_count,
                           size_t column_count,
                           const cli_column *column)
{
    size_t width = title_width(column);
    for (size_t i = 0; i < row_count; i++) {
        size_t wanted = cells[i * column_count].width;
        width = wanted > width ? wanted : width;
    }
    return width;
}

/* True when no row has anything to say in the last column. */
static bool
is_last_unused(const cell *cells, size_t row_count, size_t column_count)
{
    for (size_t i = 1; i <= row_count; i++) {
        if (!cells[i * column_count - 1].is_empty) {
            return false;
        }
    }
    return true;
}

static void print_spaces(size_t count, FILE *stream)
{
    for (size_t i = 0; i < count; i++) {
        fputc(' ', stream);
    }
}

/* One line; of the titles when cells is NULL. An empty last cell stays empty,
 * so that only rows that have something to say there do so. */
static void print_row(const cell *cells,
                      const cli_column *columns,
                      const size_t *widths,
                      size_t column_count,
                      FILE *stream)
{
    /* Spaces are owed to the next cell, so that no line ends in any. */
    size_t owed = 0;
    for (size_t i = 0; i < column_count; i++) {
        if (i + 1 == column_count && cells != NULL && cells[i].is_empty) {
            break;
        }
        size_t width =
            cells != NULL ? cells[i].width : title_width(&columns[i]);
        size_t missing = widths[i] - width;
        print_spaces(owed + (columns[i].is_number ? missing : 0), stream);
        if (cells != NULL) {
            fputs(cells[i].text, stream);
        } else {
            cli_style_print(stream, CLI_STYLE_TITLE, columns[i].title);
        }
        owed = 2 + (columns[i].is_number ? 0 : missing);
    }
    fputc('\n', stream);
}

static cli_outcome render_all(const json_t *rows,
                              const cli_column *columns,
                              size_t column_count,
                              cell *cells,
                              clconst_error *error)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        for (size_t j = 0; j < column_count; j++) {
            cli_outcome outcome = render(json_object_get(row, columns[j].key),
                                         &cells[i * column_count + j],
                                         error);
            if (outcome != CLI_DONE) {
                return outcome;
            }
        }
    }
    return CLI_DONE;
}

/* Prints what is rendered; widths is room for a size per column. */
static void print_rows(const cell *cells,
                       size_t row_count,
                       const cli_column *columns,
                       size_t column_count,
                       size_t *widths,
                       FILE *stream)
{
    bool is_unused = is_last_unused(cells, row_count, column_count);
    size_t title_count = is_unused ? column_count - 1 : column_count;
    for (size_t i = 0; i < column_count; i++) {
        widths[i] =
            column_width(cells + i, row_count, column_count, &columns[i]);
    }
    print_row(NULL, columns, widths, title_count, stream);
    for (size_t i = 0; i < row_count; i++) {
        print_row(
            cells + i * column_count, columns, widths, column_count, stream);
    }
}

cli_outcome cli_table_print(const json_t *rows,
                            const cli_column *columns,
                            size_t column_count,
                            FILE *stream,
                            clconst_error *error)
{
    size_t row_count = json_array_size(rows);
    if (row_count == 0) {
        return CLI_DONE;
    }
    cell *cells = NULL;
    size_t *widths = NULL;
    cli_outcome outcome =
        cli_alloc(row_count * column_count, sizeof(*cells), &cells, error);
    if (outcome == CLI_DONE) {
        outcome = cli_alloc(column_count, sizeof(*widths), &widths, error);
    }
    if (outcome == CLI_DONE) {
        outcome = render_all(rows, columns, column_count, cells, error);
    }
    if (outcome == CLI_DONE) {
        print_rows(cells, row_count, columns, column_count, widths, stream);
    }
    for (size_t i = 0; cells != NULL && i < row_count * column_count; i++) {
        free(cells[i].text);
    }
    free(cells);
    free(widths);
    return outcome;
}

void cli_table_print_object(const json_t *object,
                            const cli_column *columns,
                            size_t column_count,
                            FILE *stream)
{
    size_t width = 0;
    for (size_t i = 0; i < column_count; i++) {
        size_t title = strlen(columns[i].title);
        width = title > width ? title : width;
    }
    for (size_t i = 0; i < column_count; i++) {
        const json_t *value = json_object_get(object, columns[i].key);
        if (value != NULL) {
            fprintf(stream, "%-*s  ", (int)width, columns[i].title);
            cli_table_print_value(value, stream);
            fputc('\n', stream);
        }
    }
}
