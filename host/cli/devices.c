/* The subcommand that lists the devices. */
#include "cli/command.h"
#include "cli/table.h"
#include "cli/text.h"

static void add_device(void *context, const clconst_device *device)
{
    json_t **devices = context;
    json_t *row = json_pack("{so so so so so so so sb so}",
                            "id",
                            cli_text_json_string(device->id),
                            "platform",
                            cli_text_json_string(device->platform),
                            "name",
                            cli_text_json_string(device->name),
                            "type",
                            cli_text_json_string(device->type),
                            "version",
                            cli_text_json_string(device->version),
                            "global_memory",
                            cli_json_size(device->global_memory_size),
                            "max_allocation",
                            cli_json_size(device->max_allocation_size),
                            "usable",
                            device->is_usable,
                            "reason",
                            cli_text_json_string(device->reason));
    if (json_array_append_new(*devices, row) != 0) {
        json_decref(*devices);
        *devices = NULL;
    }
}

static cli_outcome
run(const cli_args *args, cli_report *report, clconst_error *error)
{
    (void)args;
    json_t *devices = json_array();
    cli_outcome outcome =
        cli_outcome_of(clconst_device_list(add_device, &devices, error));
    if (outcome != CLI_DONE) {
        json_decref(devices);
        return outcome;
    }
    return cli_report_set(report, json_pack("{so}", "devices", devices), error);
}

static cli_outcome
print(const json_t *report, FILE *stream, clconst_error *error)
{
    static const cli_column columns[] = {
        {"id", "id", false},
        {"type", "type", false},
        {"platform", "platform", false},
        {"name", "device", false},
        {"version", "version", false},
        {"global_memory", "memory", true},
        {"max_allocation", "largest allocation", true},
        {"usable", "usable", false},
        {"reason", "reason", false},
    };
    return cli_table_print(json_object_get(report, "devices"),
                           columns,
                           sizeof(columns) / sizeof(columns[0]),
                           stream,
                           error);
}

const cli_command cli_command_devices = {
    .name = "devices",
    .usage = "",
    .summary = "list the devices that clconst can and cannot use, and why",
    .details = "Sizes are in bytes. --device takes an id, or a piece of a "
               "device's name.\n",
    .example = "devices",
    .syntax = {.operand = ""},
    .run = run,
    .print = print,
};
