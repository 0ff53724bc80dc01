/*
 * What a subcommand found out, as JSON; text for people is printed from the
 * same JSON. It does not know any subcommand.
 */
#ifndef CLCONST_CLI_REPORT_H
#define CLCONST_CLI_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/outcome.h"

/* json is NULL until there is something to report, also beside a failure. */
typedef struct cli_report {
    json_t *json;
    json_t *notes; /* an array of strings */
} cli_report;

cli_outcome cli_report_init(cli_report *report, clconst_error *error);
void cli_report_release(cli_report *report);

/* Adds a note. */
void cli_report_tell(cli_report *report, const char *text);

/* A clconst_note_function whose context is the report. */
void cli_report_note(void *context, clconst_note_code code, const char *text);

/* Takes over json. OUT_OF_MEMORY when that is NULL, as it is when jansson
 * could not make it. */
cli_outcome
cli_report_set(cli_report *report, json_t *json, clconst_error *error);

/*
 * Writes JSON and a line feed. All characters above ASCII are escaped, since
 * some control terminals. False when memory or the stream has failed.
 */
bool cli_json_print(const json_t *json, FILE *stream);

/* An integer of any size; null above jansson's largest, 2^63 - 1. */
json_t *cli_json_size(uint64_t size);

json_t *cli_json_shape(const clconst_shape *shape);

#endif
