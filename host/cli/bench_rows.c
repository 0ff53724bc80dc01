#include "cli/bench_rows.h"

/* Above this the limit was not the limit. */
static const double refused_ratio = 1.1;

static double median_of(const cli_bench_case *bench)
{
    return bench->seconds[bench->group->round_count / 2];
}

/* The case of the least median among those of this role and number of fills,
 * and of this dtype if it is given; NULL when there is none. */
static const cli_bench_case *find_best(const cli_bench_group *group,
                                       cli_bench_role role,
                                       const cli_sample *sample,
                                       size_t fill_count)
{
    const cli_bench_case *best = NULL;
    for (size_t i = 0; i < group->case_count; i++) {
        const cli_bench_case *bench = &group->cases[i];
        if (bench->role == role &&
            (sample == NULL || bench->sample->dtype == sample->dtype) &&
            bench->fill_count == fill_count &&
            (best == NULL || median_of(bench) < median_of(best))) {
            best = bench;
        }
    }
    return best;
}

/* The least time of the limit's cases of so many fills; 0 when there is none.
 */
static double find_least(const cli_bench_group *group, size_t fill_count)
{
    double least = 0;
    for (size_t i = 0; i < group->case_count; i++) {
        const cli_bench_case *bench = &group->cases[i];
        if (bench->role == CLI_BENCH_LIMIT && bench->fill_count == fill_count &&
            (least <= 0 || bench->seconds[0] < least)) {
            least = bench->seconds[0];
        }
    }
    return least;
}

/* As often in one call, or else once. */
static const cli_bench_case *find_driver(const cli_bench_group *group,
                                         const cli_bench_case *bench)
{
    const cli_bench_case *driver =
        find_best(group, CLI_BENCH_DRIVER, bench->sample, bench->fill_count);
    return driver != NULL
               ? driver
               : find_best(group, CLI_BENCH_DRIVER, bench->sample, 1);
}

/* Null for what was not measured. */
static json_t *json_of(bool is_known, double value)
{
    return is_known ? json_real(value) : json_null();
}

static json_t *make_row(const cli_bench_case *bench)
{
    const cli_bench_group *group = bench->group;
    const cli_bench_case *limit_case =
        find_best(group, CLI_BENCH_LIMIT, NULL, bench->fill_count);
    const cli_bench_case *driver = find_driver(group, bench);
    size_t size = cli_sample_size(bench->sample);
    double giga = (double)size * 1e-9;
    /* The limit's stores fill all of the destination. */
    double limit_giga = (double)group->size * 1e-9;
    double median = median_of(bench);
    bool has_limit = limit_case != NULL && !bench->has_no_limit;
    double limit = has_limit ? limit_giga / median_of(limit_case) : 0;
    double most =
        has_limit ? limit_giga / find_least(group, bench->fill_count) : 0;
    double ratio = has_limit ? giga / median / limit : 0;
    bool is_refused = ratio > refused_ratio;
    return json_pack(
        "{ss ss sI sI sb sf so sf so so so sf sf si so}",
        "path",
        bench->path,
        "dtype",
        clconst_dtype_name(bench->sample->dtype),
        "bytes",
        (json_int_t)size,
        "offset",
        (json_int_t)bench->offset,
        "fresh",
        group->is_fresh,
        "gbps",
        giga / median,
        "limit_gbps",
        json_of(has_limit, limit),
        "microseconds",
        median * 1e6,
        "ratio_to_limit",
        json_of(has_limit && !is_refused, ratio),
        "ratio_to_driver",
        json_of(driver != NULL,
                driver != NULL ? median_of(driver) / median : 0),
        "least_ratio_to_limit",
        json_of(has_limit, has_limit ? giga / bench->seconds[0] / most : 0),
        "microseconds_min",
        bench->seconds[0] * 1e6,
        "microseconds_max",
        bench->seconds[group->round_count - 1] * 1e6,
        "rounds",
        (int)group->round_count,
        "remark",
        is_refused ? json_string("an error of the measurement: more than a "
                                 "tenth above the limit")
                   : json_null());
}

cli_outcome cli_bench_rows_add(const cli_bench_group *group,
                               json_t *rows,
                               clconst_error *error)
{
    for (size_t i = 0; i < group->case_count; i++) {
        const cli_bench_case *bench = &group->cases[i];
        if (bench->role != CLI_BENCH_LIMIT &&
            json_array_append_new(rows, make_row(bench)) != 0) {
            return cli_fail(
                error, CLCONST_OUT_OF_MEMORY, "no memory for the report");
        }
    }
    return CLI_DONE;
}
