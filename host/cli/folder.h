/*
 * A folder of TensorProto files with an index: what -o DIR writes.
 */
#ifndef CLCONST_CLI_FOLDER_H
#define CLCONST_CLI_FOLDER_H

#include <jansson.h>
#include <stdbool.h>

#include "cli/content.h"

/* index is NULL when there is no folder; all calls then do nothing. */
typedef struct cli_folder {
    const char *path;
    json_t *index;
    bool is_made; /* by this program */
    bool is_finished;
} cli_folder;

/* Makes the folder unless it is there. path may be NULL: no folder. */
cli_outcome
cli_folder_open(const char *path, cli_folder *folder, clconst_error *error);

/* Writes one tensor. The file's name is the number alone, since names from
 * models may hold anything. */
cli_outcome cli_folder_add(cli_folder *folder,
                           size_t number,
                           clconst_string name,
                           clconst_string scope,
                           const cli_content *content,
                           clconst_error *error);

/* Writes index.json: number, file, name and scope of each tensor. */
cli_outcome cli_folder_finish(cli_folder *folder, clconst_error *error);

/* Removes what was written unless the folder is finished. Accepts a folder that
 * was never opened but is zeroed. */
void cli_folder_release(cli_folder *folder);

#endif
