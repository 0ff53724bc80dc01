/*
 * cli_npy_parse, and back: what a file says is written as a file that says the
 * same. The input is the file.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/npy.h"
#include "fuzz/invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare(const clconst_view *a, const clconst_view *b)
{
    fuzz_require(a->dtype == b->dtype && a->size == b->size);
    fuzz_require(a->shape.rank == b->shape.rank);
    for (size_t i = 0; i < a->shape.rank; i++) {
        fuzz_require(a->shape.dims[i] == b->shape.dims[i]);
    }
    fuzz_require(a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static void write_and_parse(const clconst_view *view)
{
    clconst_error error = {0, 0, ""};
    char *header = NULL;
    size_t header_size = 0;
    fuzz_require(cli_npy_make_header(view, &header, &header_size, &error) ==
                 CLI_DONE);
    size_t size = header_size + view->size;
    uint8_t *bytes = fuzz_alloc(size);
    memcpy(bytes, header, header_size);
    if (view->size > 0) {
        memcpy(bytes + header_size, view->data, view->size);
    }
    clconst_view again;
    int64_t *dims = NULL;
    fuzz_require(cli_npy_parse("again", bytes, size, &again, &dims, &error) ==
                 CLI_DONE);
    compare(view, &again);
    free(dims);
    fuzz_free(bytes);
    free(header);
}

static void parse(const fuzz_subject *subject)
{
    clconst_error error = {0, 0, ""};
    clconst_view view;
    int64_t *dims = NULL;
    cli_outcome outcome = cli_npy_parse(
        "file", subject->bytes, subject->size, &view, &dims, &error);
    if (outcome != CLI_DONE) {
        fuzz_require(outcome == CLI_UNMET && error.message[0] != '\0');
        fuzz_require(dims == NULL);
        return;
    }
    size_t size = 0;
    fuzz_require(clconst_byte_size(view.dtype, &view.shape, &size, &error) ==
                 CLCONST_OK);
    fuzz_require(view.size == size && size <= subject->size);
    write_and_parse(&view);
    free(dims);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_subject subject = fuzz_subject_create((fuzz_input){data, size}, 0);
    parse(&subject);
    fuzz_subject_destroy(&subject);
    return 0;
}
