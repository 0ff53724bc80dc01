#include "cli/output.h"

#include <nettle/base64.h>
#include <stdlib.h>

#include "cli/digest.h"
#include "cli/table.h"
#include "cli/text.h"

static json_t *base64_of(clconst_string string)
{
    if (string.size > SIZE_MAX / 2) {
        return NULL;
    }
    size_t size = BASE64_ENCODE_RAW_LENGTH(string.size);
    char *text = malloc(size + 1);
    if (text == NULL) {
        return NULL;
    }
    base64_encode_raw(text, string.size, (const uint8_t *)string.data);
    json_t *json = json_stringn(text, size);
    free(text);
    return json;
}

static json_t *strings_of(const clconst_view *view)
{
    const clconst_string *strings = view->data;
    json_t *array = json_array();
    for (size_t i = 0; i < view->size / sizeof(*strings); i++) {
        if (json_array_append_new(array, base64_of(strings[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

cli_outcome cli_output_add(json_t *rows,
                           clconst_string name,
                           const cli_content *content,
                           const char *file,
                           clconst_error *error)
{
    char digest[CLI_DIGEST_TEXT_SIZE];
    cli_outcome outcome = cli_digest_write(content, digest, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    const clconst_view *view = &content->view;
    json_t *row = json_pack("{so ss so so ss}",
                            "name",
                            cli_text_json(name.data, name.size),
                            "dtype",
                            clconst_dtype_name(view->dtype),
                            "shape",
                            cli_json_shape(&view->shape),
                            "bytes",
                            cli_json_size(cli_content_size(content)),
                            "sha256",
                            digest);
    int failed = row == NULL;
    if (!failed && view->dtype == CLCONST_STRING) {
        failed = json_object_set_new(row, "strings", strings_of(view));
    }
    if (!failed && file != NULL) {
        failed = json_object_set_new(row, "file", cli_text_json_string(file));
    }
    if (failed) {
        json_decref(row);
        row = NULL;
    }
    if (json_array_append_new(rows, row) != 0) {
        return cli_fail(
            error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
    }
    return CLI_DONE;
}

cli_outcome cli_output_report(const cli_engines *engines,
                              json_t *rows,
                              cli_report *report,
                              clconst_error *error)
{
    return cli_report_set(report,
                          json_pack("{so ss so}",
                                    "device",
                                    cli_text_json_string(engines->info.name),
                                    "engine",
                                    cli_engines_kind(engines),
                                    "outputs",
                                    rows),
                          error);
}

cli_outcome
cli_output_print(const json_t *report, FILE *stream, clconst_error *error)
{
    static const cli_column columns[] = {
        {"name", "name", false},
        {"dtype", "dtype", false},
        {"shape", "shape", false},
        {"bytes", "bytes", true},
        {"sha256", "sha256", false},
        {"file", "file", false},
    };
    return cli_table_print(json_object_get(report, "outputs"),
                           columns,
                           sizeof(columns) / sizeof(columns[0]),
                           stream,
                           error);
}
