/*
 * Operations without memory, files or threads: call number 1, 2, 3 and so on of
 * each system call that an operation makes fails, once and for ever, until the
 * operation succeeds untouched.
 */
#include <stdio.h>
#include <string.h>

#include "faults/operations.h"
#include "faults/steer.h"
#include "faults/suites.h"

typedef struct operation_context {
    world *w;
    const operation *o;
} operation_context;

/* The operation failed for want of memory, and works afterwards. */
static void check_failure(world *w,
                          const operation *o,
                          const clconst_error *failure,
                          const char *row)
{
    ck_assert_msg(failure->status == CLCONST_OUT_OF_MEMORY &&
                      failure->native_code == 0 &&
                      strncmp(failure->message, "no memory for ", 14) == 0,
                  "%s: %s: %s",
                  row,
                  clconst_status_name((clconst_status)failure->status),
                  failure->message);
    if (o->guard != NULL) {
        ck_assert_cl(clFinish(w->queue));
        o->guard(w, o, row);
    }
    ck_assert_ok(o->call(w, o, error));
    o->check(w, o);
}

static failing_outcome
try_operation(const void *context, const failing_fault *fault, const char *row)
{
    const operation_context *own = context;
    world *w = own->w;
    const operation *o = own->o;
    steer_live live = steer_get_live();
    system_live held = system_get_live();
    clconst_error failure = {0, 0, ""};
    failing_outcome outcome;
    operation_begin(w, o);
    system_fail(fault->call, fault->first, fault->is_forever);
    outcome.status = o->call(w, o, &failure);
    outcome.struck = system_stop();
    if (outcome.status == CLCONST_OK) {
        o->check(w, o);
    } else {
        check_failure(w, o, &failure, row);
    }
    operation_end(w, o);
    steer_assert_live(&live, row);
    system_assert_live(&held, row);
    return outcome;
}

/* Another driver may take memory and threads of its own instead. */
static const failing_needs *find_needs(const world *w, const operation *o)
{
    const fixture f = {.device = w->device};
    if (fixture_is_platform(&f, "Portable Computing Language")) {
        return &o->needs;
    }
    printf("SKIP: %s: what it needs is known for PoCL alone\n", o->name);
    return NULL;
}

START_TEST(operations_survive_each_failing_system_call)
{
    const operation *o = &operations[_i];
    world w;
    const operation_context context = {&w, o};
    world_open(&w);
    operations_open(&w, o);
    /* What is made once is made before anything fails. */
    operation_begin(&w, o);
    ck_assert_ok(o->call(&w, o, error));
    o->check(&w, o);
    operation_end(&w, o);
    size_t tried = fail_each_system_call(
        try_operation, &context, o->name, find_needs(&w, o));
    printf("%s: %zu system calls failed\n", o->name, tried);
    operations_close(&w);
    world_close(&w);
}
END_TEST

Suite *allocations_suite(void)
{
    Suite *suite = suite_create("allocations");
    TCase *tcase = tcase_create("allocations");
    tcase_add_loop_test(tcase,
                        operations_survive_each_failing_system_call,
                        0,
                        (int)operation_count);
    suite_add_tcase(suite, tcase);
    return suite;
}
