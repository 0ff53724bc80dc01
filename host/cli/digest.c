#include "cli/digest.h"

#include <nettle/base16.h>

static cli_outcome
add_bytes(void *context, const void *bytes, size_t size, clconst_error *error)
{
    (void)error;
    struct sha256_ctx *hash = context;
    sha256_update(hash, size, bytes);
    return CLI_DONE;
}

static void add_strings(struct sha256_ctx *hash, const clconst_view *view)
{
    const clconst_string *strings = view->data;
    for (size_t i = 0; i < view->size / sizeof(*strings); i++) {
        /* The host is little-endian. */
        uint64_t size = strings[i].size;
        sha256_update(hash, sizeof(size), (const uint8_t *)&size);
        sha256_update(hash, strings[i].size, (const uint8_t *)strings[i].data);
    }
}

cli_outcome
cli_digest_write(const cli_content *content, char *text, clconst_error *error)
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    if (content->view.dtype == CLCONST_STRING) {
        add_strings(&hash, &content->view);
    } else {
        cli_outcome outcome =
            cli_content_visit(content, add_bytes, &hash, error);
        if (outcome != CLI_DONE) {
            return outcome;
        }
    }
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&hash, sizeof(digest), digest);
    base16_encode_update(text, sizeof(digest), digest);
    text[CLI_DIGEST_TEXT_SIZE - 1] = '\0';
    return CLI_DONE;
}
