#include "cli/verify.h"

#include <stdlib.h>
#include <string.h>

/* The bytes expected from here on, and where they are in the tensor. */
typedef struct expectation {
    const uint8_t *bytes;
    size_t offset;
} expectation;

static cli_outcome
compare(void *context, const void *bytes, size_t size, clconst_error *error)
{
    expectation *expected = context;
    const uint8_t *actual = bytes;
    if (memcmp(actual, expected->bytes + expected->offset, size) == 0) {
        expected->offset += size;
        return CLI_DONE;
    }
    while (*actual == expected->bytes[expected->offset]) {
        actual++;
        expected->offset++;
    }
    return cli_fail(error,
                    CLCONST_DEVICE_ERROR,
                    "byte %zu is 0x%02x on the device; it must be 0x%02x",
                    expected->offset,
                    *actual,
                    expected->bytes[expected->offset]);
}

cli_outcome cli_verify(const cli_content *content,
                       const clconst_plan *plan,
                       const clconst_engine *host,
                       clconst_error *error)
{
    size_t size = content->view.size;
    void *bytes;
    cli_outcome outcome = cli_alloc(1, size, &bytes, error);
    if (outcome == CLI_DONE) {
        outcome = cli_outcome_of(clconst_write(host, plan, bytes, size, error));
    }
    if (outcome == CLI_DONE) {
        expectation expected = {bytes, 0};
        cli_content on_device = *content;
        on_device.view.data = NULL;
        outcome = cli_content_visit(&on_device, compare, &expected, error);
    }
    free(bytes);
    return outcome;
}
