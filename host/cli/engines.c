#include "cli/engines.h"

#include <string.h>

cli_outcome cli_engines_open_host(cli_engines *engines, clconst_error *error)
{
    memset(engines, 0, sizeof(*engines));
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = "cpu";
    return cli_outcome_of(
        clconst_engine_create(&options, &engines->host, error));
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
    clconst_engine_options options = CLCONST_ENGINE_OPTIONS_INIT;
    options.device = args->device;
    options.note = cli_report_note;
    options.note_context = report;
    outcome = cli_outcome_of(
        clconst_engine_create(&options, &engines->device, error));
    if (outcome != CLI_DONE) {
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
