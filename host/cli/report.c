#include "cli/report.h"

#include "cli/text.h"

cli_outcome cli_report_init(cli_report *report, clconst_error *error)
{
    report->json = NULL;
    report->notes = json_array();
    return report->notes != NULL ? CLI_DONE
                                 : cli_fail(error,
                                            CLCONST_OUT_OF_MEMORY,
                                            "no memory for a report");
}

void cli_report_release(cli_report *report)
{
    json_decref(report->json);
    json_decref(report->notes);
}

void cli_report_tell(cli_report *report, const char *text)
{
    /* A note that finds no memory is lost: it is no result. */
    json_array_append_new(report->notes, cli_text_json_string(text));
}

void cli_report_note(void *context, clconst_note_code code, const char *text)
{
    (void)code;
    cli_report_tell(context, text);
}

cli_outcome
cli_report_set(cli_report *report, json_t *json, clconst_error *error)
{
    if (json == NULL) {
        return cli_fail(
            error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
    }
    json_decref(report->json);
    report->json = json;
    return CLI_DONE;
}

bool cli_json_print(const json_t *json, FILE *stream)
{
    return json_dumpf(json, stream, JSON_INDENT(2) | JSON_ENSURE_ASCII) == 0 &&
           fputc('\n', stream) != EOF;
}

json_t *cli_json_size(uint64_t size)
{
    return size <= INT64_MAX ? json_integer((json_int_t)size) : json_null();
}

json_t *cli_json_shape(const clconst_shape *shape)
{
    json_t *dims = json_array();
    for (size_t i = 0; dims != NULL && i < shape->rank; i++) {
        if (json_array_append_new(dims, json_integer(shape->dims[i])) != 0) {
            json_decref(dims);
            return NULL;
        }
    }
    return dims;
}
