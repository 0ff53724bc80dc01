#include "faults/failing.h"

#include <stdio.h>

#include "harness/harness.h"

static void note_need(failing_needs *found,
                      const failing_fault *fault,
                      clconst_status status)
{
    unsigned *set = status == CLCONST_OK ? &found->spared : &found->vital;
    *set |= 1U << fault->call;
}

/* All faults of one system call. Adds what came of them to found. */
static size_t fail_each(failing_try try_fault,
                        const void *context,
                        const char *name,
                        system_call call,
                        failing_needs *found)
{
    size_t tried = 0;
    for (int is_forever = 0; is_forever < 2; is_forever++) {
        failing_fault fault = {call, 0, is_forever != 0};
        failing_outcome outcome;
        do {
            char row[200];
            fault.first++;
            snprintf(row,
                     sizeof(row),
                     "%s, %s number %zu%s fails",
                     name,
                     system_call_name(call),
                     fault.first,
                     fault.is_forever ? " and all behind it" : "");
            outcome = try_fault(context, &fault, row);
            if (outcome.struck > 0) {
                note_need(found, &fault, outcome.status);
                tried++;
            } else {
                ck_assert_msg(outcome.status == CLCONST_OK,
                              "%s, untouched: %s",
                              name,
                              clconst_status_name(outcome.status));
            }
        } while (outcome.struck > 0);
    }
    return tried;
}

typedef struct call_context {
    failing_call run;
    const void *context;
} call_context;

static failing_outcome
try_call(const void *context, const failing_fault *fault, const char *row)
{
    const call_context *own = context;
    clconst_error error = {0, 0, ""};
    failing_outcome outcome;
    system_live before = system_get_live();
    system_fail(fault->call, fault->first, fault->is_forever);
    outcome.status = own->run(own->context, &error);
    outcome.struck = system_stop();
    system_assert_live(&before, row);
    ck_assert_msg((outcome.status == CLCONST_OK ||
                   outcome.status == CLCONST_OUT_OF_MEMORY) &&
                      error.status == (int32_t)outcome.status,
                  "%s: %s: %s",
                  row,
                  clconst_status_name(outcome.status),
                  error.message);
    return outcome;
}

void fail_each_allocation(failing_call run,
                          const void *context,
                          const char *row)
{
    const call_context own = {run, context};
    failing_needs found = {0, 0};
    fail_each(try_call, &own, row, SYSTEM_calloc, &found);
    fail_each(try_call, &own, row, SYSTEM_realloc, &found);
    ck_assert_msg(found.spared == 0, "%s succeeds without memory", row);
    ck_assert_msg(found.vital != 0, "%s takes no memory", row);
}

/* The first system call whose bit differs. */
static void assert_sets(unsigned actual,
                        unsigned expected,
                        const char *name,
                        const char *kind)
{
    for (int i = 0; i < SYSTEM_CALL_COUNT; i++) {
        bool is_in = (actual >> i & 1) != 0;
        ck_assert_msg(is_in == ((expected >> i & 1) != 0),
                      "%s: %s is%s among the %s system calls",
                      name,
                      system_call_name((system_call)i),
                      is_in ? "" : " not",
                      kind);
    }
}

size_t fail_each_system_call(failing_try try_fault,
                             const void *context,
                             const char *name,
                             const failing_needs *needs)
{
    failing_needs found = {0, 0};
    size_t tried = 0;
    for (int i = 0; i < SYSTEM_CALL_COUNT; i++) {
        tried += fail_each(try_fault, context, name, (system_call)i, &found);
    }
    if (needs != NULL) {
        assert_sets(found.vital, needs->vital, name, "vital");
        assert_sets(found.spared, needs->spared, name, "spared");
    }
    return tried;
}

size_t fail_each_need(failing_call run,
                      const void *context,
                      const char *name,
                      const failing_needs *needs)
{
    const call_context own = {run, context};
    return fail_each_system_call(try_call, &own, name, needs);
}
