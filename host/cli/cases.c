#include "cli/cases.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/file.h"

static const char data_set_prefix[] = "test_data_set_";

static bool is_data_set(const char *name)
{
    return strncmp(name, data_set_prefix, sizeof(data_set_prefix) - 1) == 0;
}

/* Takes over the path. */
static cli_outcome add(cli_cases *cases, char *path, clconst_error *error)
{
    char **larger =
        realloc(cases->folders, (cases->count + 1) * sizeof(*larger));
    if (larger == NULL) {
        free(path);
        return cli_fail(
            error, CLCONST_OUT_OF_MEMORY, "no memory for a list of folders");
    }
    cases->folders = larger;
    cases->folders[cases->count++] = path;
    return CLI_DONE;
}

/* Adds the folders in folder, in the order of their names. */
static cli_outcome
list_folders(const char *folder, cli_cases *found, clconst_error *error)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0) {
        return cli_fail_io(error, errno, "folder %s cannot be read", folder);
    }
    cli_outcome outcome = CLI_DONE;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        bool is_link_up = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
        char *path = NULL;
        struct stat info;
        if (outcome == CLI_DONE && !is_link_up) {
            outcome = cli_file_join(folder, name, &path, error);
        }
        if (path != NULL && lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            outcome = add(found, path, error);
            path = NULL;
        }
        free(path);
        free(entries[i]);
    }
    free(entries);
    return outcome;
}

static cli_outcome
has_model(const char *folder, bool *answer, clconst_error *error)
{
    char *path;
    cli_outcome outcome = cli_file_join(folder, "model.onnx", &path, error);
    if (outcome == CLI_DONE) {
        struct stat info;
        *answer = stat(path, &info) == 0;
        free(path);
    }
    return outcome;
}

cli_outcome cli_cases_find_data_sets(const char *folder,
                                     cli_cases *cases,
                                     clconst_error *error)
{
    cli_cases found = {0};
    cli_outcome outcome = list_folders(folder, &found, error);
    for (size_t i = 0; i < found.count && outcome == CLI_DONE; i++) {
        if (is_data_set(strrchr(found.folders[i], '/') + 1)) {
            outcome = add(cases, found.folders[i], error);
            found.folders[i] = NULL;
        }
    }
    cli_cases_release(&found);
    return outcome;
}

static cli_outcome
add_if_test(const char *folder, cli_cases *cases, clconst_error *error)
{
    cli_cases data_sets = {0};
    char *copy = NULL;
    cli_outcome outcome = cli_cases_find_data_sets(folder, &data_sets, error);
    if (outcome == CLI_DONE && data_sets.count > 0) {
        copy = strdup(folder);
        outcome = copy != NULL ? add(cases, copy, error)
                               : cli_fail(error,
                                          CLCONST_OUT_OF_MEMORY,
                                          "no memory for a list of folders");
    }
    cli_cases_release(&data_sets);
    return outcome;
}

static int compare_paths(const void *a, const void *b)
{
    const char *const *path_a = a;
    const char *const *path_b = b;
    return strcmp(*path_a, *path_b);
}

/* Looks into path and into all folders below it, one level after the other. */
static cli_outcome
walk(const char *path, cli_cases *cases, clconst_error *error)
{
    cli_cases seen = {0};
    const char *folder = path;
    cli_outcome outcome = CLI_DONE;
    for (size_t i = 0; outcome == CLI_DONE; i++) {
        bool is_model = false;
        outcome = has_model(folder, &is_model, error);
        if (outcome == CLI_DONE) {
            outcome = is_model ? add_if_test(folder, cases, error)
                               : list_folders(folder, &seen, error);
        }
        if (i == seen.count) {
            break;
        }
        folder = seen.folders[i];
    }
    cli_cases_release(&seen);
    return outcome;
}

cli_outcome
cli_cases_find(const char *path, cli_cases *cases, clconst_error *error)
{
    size_t count = cases->count;
    cli_outcome outcome = walk(path, cases, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    if (cases->count == count) {
        return cli_fail(error,
                        CLCONST_INVALID_ARGUMENT,
                        "folder %s has no tests; a test is model.onnx beside "
                        "%s0",
                        path,
                        data_set_prefix);
    }
    qsort(cases->folders + count,
          cases->count - count,
          sizeof(*cases->folders),
          compare_paths);
    return CLI_DONE;
}

void cli_cases_release(cli_cases *cases)
{
    for (size_t i = 0; i < cases->count; i++) {
        free(cases->folders[i]);
    }
    free(cases->folders);
    memset(cases, 0, sizeof(*cases));
}
