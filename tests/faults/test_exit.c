/*
 * Ends without destroying anything, as programs do that call exit. Nothing of
 * the library runs after main, so that the driver may be gone by then (R165 to
 * R167).
 */
#include "backend/opencl_fixture.h"
#include "harness/harness.h"

/* Reachable, for checkers of leaks. */
static clconst_engine *engine;
static clconst_tensor *tensor;
static clconst_plan *plan;

int main(void)
{
    engines_require();
    engine = engines_create(CLCONST_PATH_KERNEL);
    plan = engines_fill_plan(CLCONST_UINT8, engines_element, 1000);
    ck_assert_ok(clconst_run(engine, plan, &tensor, error));
    return 0;
}
