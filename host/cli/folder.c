#include "cli/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/file.h"
#include "cli/report.h"
#include "cli/text.h"

cli_outcome
cli_folder_open(const char *path, cli_folder *folder, clconst_error *error)
{
    *folder = (cli_folder){.path = path};
    if (path == NULL) {
        return CLI_DONE;
    }
    struct stat info;
    folder->is_made = mkdir(path, 0777) == 0;
    if (!folder->is_made) {
        int number = errno;
        if (number != EEXIST || stat(path, &info) != 0 ||
            !S_ISDIR(info.st_mode)) {
            return cli_fail_io(error, number, "folder %s cannot be made", path);
        }
    }
    folder->index = json_array();
    return folder->index != NULL ? CLI_DONE
                                 : cli_fail(error,
                                            CLCONST_OUT_OF_MEMORY,
                                            "no memory for an index");
}

cli_outcome cli_folder_add(cli_folder *folder,
                           size_t number,
                           clconst_string name,
                           clconst_string scope,
                           const cli_content *content,
                           clconst_error *error)
{
    if (folder->index == NULL) {
        return CLI_DONE;
    }
    char file[32];
    snprintf(file, sizeof(file), "%04zu.pb", number);
    json_t *entry = json_pack("{so ss so so}",
                              "number",
                              cli_json_size(number),
                              "file",
                              file,
                              "name",
                              cli_text_json(name.data, name.size),
                              "scope",
                              cli_text_json(scope.data, scope.size));
    if (json_array_append_new(folder->index, entry) != 0) {
        return cli_fail(error, CLCONST_OUT_OF_MEMORY, "no memory for an index");
    }
    char *path;
    cli_outcome outcome = cli_file_join(folder->path, file, &path, error);
    if (outcome == CLI_DONE) {
        outcome =
            cli_file_write(path,
                           json_string_value(json_object_get(entry, "name")),
                           content,
                           error);
        free(path);
    }
    return outcome;
}

cli_outcome cli_folder_finish(cli_folder *folder, clconst_error *error)
{
    if (folder->index == NULL) {
        return CLI_DONE;
    }
    char *path;
    cli_outcome outcome =
        cli_file_join(folder->path, "index.json", &path, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    FILE *stream = fopen(path, "wb");
    bool is_written = stream != NULL && cli_json_print(folder->index, stream);
    is_written = stream != NULL && fclose(stream) == 0 && is_written;
    if (!is_written) {
        outcome = cli_fail_io(error, errno, "file %s cannot be written", path);
    }
    free(path);
    folder->is_finished = outcome == CLI_DONE;
    return outcome;
}

static void remove_file(const cli_folder *folder, const char *name)
{
    char *path;
    clconst_error ignored;
    if (cli_file_join(folder->path, name, &path, &ignored) == CLI_DONE) {
        unlink(path);
        free(path);
    }
}

/* A folder without its end would be taken for a whole one. */
static void remove_all(const cli_folder *folder)
{
    for (size_t i = 0; i < json_array_size(folder->index); i++) {
        const json_t *entry = json_array_get(folder->index, i);
        remove_file(folder, json_string_value(json_object_get(entry, "file")));
    }
    remove_file(folder, "index.json");
    if (folder->is_made) {
        rmdir(folder->path);
    }
}

void cli_folder_release(cli_folder *folder)
{
    if (folder->index != NULL && !folder->is_finished) {
        remove_all(folder);
    }
    json_decref(folder->index);
    folder->index = NULL;
}
