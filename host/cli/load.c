/* The subcommand that puts a model's constants on a device. */
#include "cli/command.h"
#include "cli/loader.h"
#include "cli/table.h"
#include "cli/text.h"

static cli_outcome
make_report(const cli_loader *loader, cli_report *report, clconst_error *error)
{
    double rate = loader->seconds > 0
                      ? (double)loader->written_size / loader->seconds * 1e-9
                      : 0;
    return cli_report_set(
        report,
        json_pack("{so ss so so so so sO so sf sf sb sO sO so* sO}",
                  "device",
                  cli_text_json_string(loader->engines.info.name),
                  "engine",
                  cli_engines_kind(&loader->engines),
                  "tensors",
                  cli_json_size(loader->tensor_count),
                  "host_tensors",
                  cli_json_size(loader->host_tensor_count),
                  "bytes",
                  cli_json_size(loader->size),
                  "device_bytes",
                  cli_json_size(loader->device_size),
                  "arenas",
                  loader->arena_sizes,
                  "commands",
                  cli_json_size(loader->command_count),
                  "seconds",
                  loader->seconds,
                  "gigabytes_per_second",
                  rate,
                  "verified",
                  loader->args->verify,
                  "unresolved",
                  loader->unresolved,
                  "not_taken",
                  loader->not_taken,
                  "table",
                  json_incref(loader->places),
                  "notes",
                  report->notes),
        error);
}

static cli_outcome
run(const cli_args *args, cli_report *report, clconst_error *error)
{
    cli_loader loader = {0};
    cli_outcome outcome = cli_loader_run(&loader, args, report, error);
    if (outcome == CLI_DONE) {
        outcome = make_report(&loader, report, error);
    }
    if (outcome == CLI_DONE) {
        outcome = loader.outcome;
    }
    cli_loader_release(&loader);
    return outcome;
}

/* A table with a line before it, unless it is empty. */
static cli_outcome print_rows(const json_t *rows,
                              const cli_column *columns,
                              size_t column_count,
                              FILE *stream,
                              clconst_error *error)
{
    fputs(json_array_size(rows) > 0 ? "\n" : "", stream);
    return cli_table_print(rows, columns, column_count, stream, error);
}

static cli_outcome
print(const json_t *report, FILE *stream, clconst_error *error)
{
    static const cli_column lines[] = {
        {"device", "device", false},
        {"tensors", "tensors", false},
        {"host_tensors", "of them on the host", false},
        {"bytes", "bytes", false},
        {"device_bytes", "device bytes", false},
        {"arenas", "arenas", false},
        {"commands", "commands", false},
        {"seconds", "seconds", false},
        {"gigabytes_per_second", "GB/s", false},
        {"verified", "verified", false},
    };
    static const cli_column places[] = {
        {"number", "#", true},
        {"name", "name", false},
        {"scope", "scope", false},
        {"arena", "arena", true},
        {"offset", "offset", true},
        {"size", "bytes", true},
    };
    static const cli_column columns[] = {
        {"number", "#", true},
        {"name", "unresolved", false},
        {"scope", "scope", false},
        {"op_type", "op_type", false},
        {"reason", "reason", false},
    };
    cli_table_print_object(
        report, lines, sizeof(lines) / sizeof(lines[0]), stream);
    if (json_is_true(json_object_get(report, "verified"))) {
        fputs(
            "\nVerified: each byte of each tensor on the device was read back "
            "and compared\nwith the byte that the host computes.\n",
            stream);
    }
    cli_outcome outcome = print_rows(json_object_get(report, "table"),
                                     places,
                                     sizeof(places) / sizeof(places[0]),
                                     stream,
                                     error);
    return outcome == CLI_DONE
               ? print_rows(json_object_get(report, "unresolved"),
                            columns,
                            sizeof(columns) / sizeof(columns[0]),
                            stream,
                            error)
               : outcome;
}

const cli_command cli_command_load = {
    .name = "load",
    .usage = " MODEL [-i NAME=VALUE].. [--dim NAME=N].. [-o DIR]",
    .summary = "put all constants of a model on a device",
    .details =
        "Strings stay on the host. The time is that of making all tensors, "
        "without\nopening the model and building programs. Constants whose "
        "inputs are not known\nare left out, unless --require-all forbids it; "
        "an invalid constant is a failure.\nWith -o each tensor is written to "
        "DIR as a TensorProto file named by its number\nin the list, as "
        "0007.pb, and index.json gives names and scopes. With --all each\n"
        "tensor's arena and first byte are listed. Constants have places of "
        "their own,\nunless --share lets those with the same bytes lie in "
        "one. Ctrl-C leaves no files.\n",
    .example = "load model.onnx --verify -o constants",
    .syntax =
        {
            .options = CLI_SHARE | CLI_ALL | CLI_BINDINGS | CLI_STRICT |
                       CLI_LENIENT | CLI_FOLLOW_LINKS | CLI_VERIFY |
                       CLI_REQUIRE_ALL | CLI_OUTPUT | CLI_DEVICE,
            .operand = "MODEL",
            .operand_min = 1,
            .operand_max = 1,
        },
    .run = run,
    .print = print,
};
