/*
 * One word of a value: how it is written, not what it means for a dtype.
 */
#ifndef CLCONST_CLI_TOKEN_H
#define CLCONST_CLI_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cli_token_kind {
    CLI_TOKEN_NONE,
    CLI_TOKEN_INTEGER,
    CLI_TOKEN_DECIMAL,
    CLI_TOKEN_HEX,
    CLI_TOKEN_INF,
    CLI_TOKEN_NAN,
    CLI_TOKEN_TRUE,
    CLI_TOKEN_FALSE,
} cli_token_kind;

/* A text of `size` characters; `digits` begins behind its sign. */
typedef struct cli_token {
    cli_token_kind kind;
    bool is_negative;
    const char *text;
    size_t size;
    const char *digits;
} cli_token;

/* Reads size characters, which a comma or the text's end follows. */
cli_token cli_token_read(const char *text, size_t size);

#endif
