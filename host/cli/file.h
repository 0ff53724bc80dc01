/*
 * Files: whole ones read, and tensors written in the format that the file's
 * extension names. It does not read any format.
 */
#ifndef CLCONST_CLI_FILE_H
#define CLCONST_CLI_FILE_H

#include <stdbool.h>

#include "cli/content.h"

/* True when the file's name ends in this extension, as ".npy". */
bool cli_file_has_extension(const char *path, const char *extension);

/* folder/name, in a block freed with free. */
cli_outcome cli_file_join(const char *folder,
                          const char *name,
                          char **path,
                          clconst_error *error);

/*
 * Whether cli_file_write will know what to do. WRONG_USAGE for an extension
 * that names no format, UNMET for a format that has no such dtype.
 */
cli_outcome
cli_file_check(const char *path, clconst_dtype dtype, clconst_error *error);

/* name goes into formats that have a place for one; it may be NULL. */
cli_outcome cli_file_write(const char *path,
                           const char *name,
                           const cli_content *content,
                           clconst_error *error);

/* All bytes of a file, in a block freed with free. */
cli_outcome cli_file_read(const char *path,
                          uint8_t **bytes,
                          size_t *size,
                          clconst_error *error);

#endif
