/*
 * What identifies a tensor's bytes in a report.
 */
#ifndef CLCONST_CLI_DIGEST_H
#define CLCONST_CLI_DIGEST_H

#include <nettle/sha2.h>

#include "cli/content.h"

enum { CLI_DIGEST_TEXT_SIZE = 2 * SHA256_DIGEST_SIZE + 1 };

/*
 * SHA-256 in hex over the packed little-endian bytes; of strings over, per
 * string, an 8-byte little-endian size and its bytes. text has
 * CLI_DIGEST_TEXT_SIZE bytes.
 */
cli_outcome
cli_digest_write(const cli_content *content, char *text, clconst_error *error);

#endif
