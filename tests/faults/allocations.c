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
#include "faults/system.h"

/* Without threads the caller does it all, and without its files a folder of
 * programs is no use. Memory for programs kept in a folder is no use either,
 * but that for the operation itself is. */
static bool may_succeed(const operation *o, system_call call)
{
    return (call != SYSTEM_calloc && call != SYSTEM_realloc &&
            call != SYSTEM_mmap) ||
           o->uses_folder;
}

static bool try_fault(world *w,
                      const operation *o,
                      system_call call,
                      size_t first,
                      bool is_forever)
{
    char row[200];
    snprintf(row,
             sizeof(row),
             "%s, %s number %zu%s fails",
             o->name,
             system_call_name(call),
             first,
             is_forever ? " and all behind it" : "");
    steer_live live = steer_get_live();
    system_live held = system_get_live();
    operation_begin(w, o);
    clconst_error failure = {0, 0, ""};
    system_fail(call, first, is_forever);
    clconst_status status = o->call(w, o, &failure);
    size_t struck = system_stop();
    if (status == CLCONST_OK) {
        ck_assert_msg(struck == 0 || may_succeed(o, call),
                      "%s: the operation succeeds",
                      row);
        o->check(w, o);
    } else {
        ck_assert_msg(struck > 0 && status == CLCONST_OUT_OF_MEMORY,
                      "%s: %s: %s",
                      row,
                      clconst_status_name(status),
                      failure.message);
        ck_assert_msg(strncmp(failure.message, "no memory for ", 14) == 0,
                      "%s: %s",
                      row,
                      failure.message);
        ck_assert_int_eq(failure.native_code, 0);
        if (o->writes) {
            ck_assert_cl(clFinish(w->queue));
            world_assert_guards(w, o->plan, row);
        }
        ck_assert_ok(o->call(w, o, error));
        o->check(w, o);
    }
    operation_end(w, o);
    steer_assert_live(&live, row);
    system_assert_live(&held, row);
    return struck > 0;
}

static size_t fail_each(world *w, const operation *o, system_call call)
{
    size_t tried = 0;
    for (int is_forever = 0; is_forever < 2; is_forever++) {
        size_t first = 1;
        while (try_fault(w, o, call, first, is_forever != 0)) {
            first++;
        }
        tried += first - 1;
    }
    return tried;
}

START_TEST(operations_survive_each_failing_system_call)
{
    const operation *o = &operations[_i];
    size_t tried = 0;
    world w;
    world_open(&w);
    operations_open(&w, o);
    /* What is made once is made before anything fails. */
    operation_begin(&w, o);
    ck_assert_ok(o->call(&w, o, error));
    o->check(&w, o);
    operation_end(&w, o);
    for (int i = 0; i < SYSTEM_CALL_COUNT; i++) {
        tried += fail_each(&w, o, (system_call)i);
    }
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
