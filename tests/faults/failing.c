#include "faults/failing.h"

#include "faults/system.h"
#include "harness/harness.h"

static void fail_each(failing_call run,
                      const void *context,
                      const char *row,
                      system_call what)
{
    for (int is_forever = 0; is_forever < 2; is_forever++) {
        clconst_status status;
        size_t first = 1;
        size_t struck;
        do {
            clconst_error error = {0, 0, ""};
            system_live before = system_get_live();
            system_fail(what, first, is_forever != 0);
            status = run(context, &error);
            struck = system_stop();
            system_assert_live(&before, row);
            ck_assert_msg(
                status == (struck > 0 ? CLCONST_OUT_OF_MEMORY : CLCONST_OK) &&
                    error.status == (int32_t)status,
                "%s: %s number %zu, which %s: %s: %s",
                row,
                system_call_name(what),
                first,
                struck > 0 ? "failed" : "was not made",
                clconst_status_name(status),
                error.message);
            first++;
        } while (struck > 0);
    }
}

void fail_each_allocation(failing_call run,
                          const void *context,
                          const char *row)
{
    size_t before = system_count(SYSTEM_calloc) + system_count(SYSTEM_realloc);
    fail_each(run, context, row, SYSTEM_calloc);
    fail_each(run, context, row, SYSTEM_realloc);
    ck_assert_uint_gt(
        system_count(SYSTEM_calloc) + system_count(SYSTEM_realloc), before);
}
