#include "cli/engines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/guess.h"

enum { PATH_SIZE_MAX = 4096 };

/*
 * The program's folder for compiled kernels: the XDG Base Directory
 * Specification says where caches are. Without one, nothing is kept.
 */
static const char *find_cache_dir(char path[PATH_SIZE_MAX])
{
    char base[PATH_SIZE_MAX - sizeof("/clconst")];
    const char *cache_home = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length = 0;
    if (cache_home != NULL && cache_home[0] == '/') {
        length = snprintf(base, sizeof(base), "%s", cache_home);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(base, sizeof(base), "%s/.cache", home);
    }
    if (length <= 0 || (size_t)length >= sizeof(base)) {
        return NULL;
    }
    (void)mkdir(base, S_IRWXU);
    struct stat facts;
    if (stat(base, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
        return NULL;
    }
    snprintf(path, PATH_SIZE_MAX, "%s/clconst", base);
    return path;
}

cli_outcome cli_engines_open_host(cli_engines *engines, clconst_error *error)
{
    memset(engines, 0, sizeof(*engines));
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    return cli_outcome_of(
        clconst_engine_create(&options, &engines->host, error));
}

/* The words of a device's name. */
static void guess_device(void *context, const clconst_device *device)
{
    static const char separators[] = " -_()[],;/";
    const char *word = device->name != NULL ? device->name : "";
    while (*word != '\0') {
        word += strspn(word, separators);
        size_t size = strcspn(word, separators);
        /* A number says nothing of the device. */
        if (size > 2) {
            cli_guess_try(context, word, size);
        }
        word += size;
    }
}

/* Says what to write instead of a name that no device has, or where to look. */
static void suggest_device(const char *name, clconst_error *error)
{
    static const char *const words[] = {"auto", "cpu", "opencl"};
    cli_guess guess = cli_guess_begin(name, strlen(name));
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(words[i], name) != 0) {
            cli_guess_try(&guess, words[i], strlen(words[i]));
        }
    }
    /* A number that no device has is no slip of the hand. */
    bool is_number = strncmp(name, "opencl:", strlen("opencl:")) == 0;
    if (!is_number &&
        clconst_device_list(guess_device, &guess, NULL) == CLCONST_OK &&
        cli_guess_tell(&guess, "", error)) {
        return;
    }
    size_t used = strlen(error->message);
    snprintf(error->message + used,
             sizeof(error->message) - used,
             "; \"clconst devices\" lists what there is");
}

cli_outcome cli_engines_open(const cli_args *args,
                             cli_report *report,
                             cli_engines *engines,
                             clconst_error *error)
{
    cli_outcome outcome = cli_engines_open_host(engines, error);
    if (outcome != CLI_DONE) {
        return outcome;
    }
    char cache_dir[PATH_SIZE_MAX];
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = args->device;
    options.cache_dir = find_cache_dir(cache_dir);
    options.note = cli_report_note;
    options.note_context = report;
    outcome = cli_outcome_of(
        clconst_engine_create(&options, &engines->device, error));
    if (outcome != CLI_DONE) {
        if (error->status == CLCONST_NO_DEVICE && args->device != NULL) {
            suggest_device(args->device, error);
        }
        cli_engines_release(engines);
        return outcome;
    }
    engines->info.struct_size = sizeof(engines->info);
    clconst_engine_get_info(engines->device, &engines->info);
    return CLI_DONE;
}

void cli_engines_release(cli_engines *engines)
{
    clconst_engine_destroy(engines->device);
    clconst_engine_destroy(engines->host);
    memset(engines, 0, sizeof(*engines));
}

const char *cli_engines_kind(const cli_engines *engines)
{
    return engines->info.kind == CLCONST_ENGINE_CPU ? "cpu" : "opencl";
}

cli_outcome cli_engines_run(const cli_engines *engines,
                            const clconst_plan *plan,
                            clconst_tensor **tensor,
                            clconst_error *error)
{
    bool is_on_host = clconst_plan_get_kind(plan) == CLCONST_PLAN_STRINGS;
    return cli_outcome_of(clconst_run(
        is_on_host ? engines->host : engines->device, plan, tensor, error));
}
